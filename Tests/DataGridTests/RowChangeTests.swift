import GridTestSupport
import DataGrid
import FieldValues
import Testing

/// Inserting and removing rows one by one.
@Suite struct RowChangeTests {
    @Test func `C2, A10: a section's own rows are inserted before its nested sections, and cannot be moved out`() {
        func fresh() -> GridState {
            grid(
                "a", rows: 4, frame: (8, 20),
                tree: SectionTree([Section(title: "P", rows: 0..<4), Section(level: 1, title: "N", rows: 2..<4)]))
        }
        for (position, section, own) in [(1, nil, 3), (1, 0, 3), (2, 0, 3), (2, 1, 2), (2, nil, 2), (0, 1, 2)] as [(Int, Int?, Int)] {
            var state = fresh()
            state.play(.setRowHeight(1, 3), .insertRows(RowInsertion(at: position, count: 1, section: section)))
            #expect(state.outline.tree?.sections.map(\.rows) == [0..<5, own..<5], "\(position) \(String(describing: section))")
            #expect(state.savedView.rowHeights.map(\.row) == [position <= 1 && own == 3 ? 2 : 1])
        }
        var state = fresh()
        state.play(.moveRows(0..<1, to: 3))
        #expect((0..<4).map { state.rows[$0].rawValue } == [1, 0, 2, 3])
    }

    /// A grid as a plain array of rows.
    private struct Model {
        var rows: [Int]
        var selected: Set<Int> = []
        var marked: Set<Int> = []
        var heights: [Int: Int] = [:]
        var cursor: Int

        /// Removes rows. The cursor moves to the next row, or to the last.
        mutating func remove(_ range: Range<Int>) {
            let removed = Set(rows[range])
            rows.removeSubrange(range)
            if removed.contains(cursor), !rows.isEmpty { cursor = rows[min(range.lowerBound, rows.count - 1)] }
            selected.subtract(removed)
            marked.subtract(removed)
            for row in removed { heights[row] = nil }
        }
    }

    private func ids(_ state: GridState) -> [Int] { (0..<state.rows.count).map { state.rows[$0].rawValue } }

    private func selected(_ state: GridState) -> Set<Int> { Set(state.selectedRows().map(\.rawValue)) }

    private func heights(_ state: GridState) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: state.savedView.rowHeights.map { ($0.row.rawValue, $0.lines) })
    }

    @Test(
        arguments: 1...6 as ClosedRange<UInt64>, [.table, .cards, .transposed] as [GridPresentation])
    func `C2, A18: all state of a row stays with it when rows are inserted, removed, moved and sorted`(
        seed: UInt64, presentation: GridPresentation
    ) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var state = grid("ab", rows: 0, frame: (15, 9))
        state.play(.setPresentation(presentation))
        var model = Model(rows: Array(0..<20), cursor: 0)
        state.play(.setRows(.permuted(RowPermutation((0..<20).map { UInt32($0) }))))
        var next = 20
        for step in 0..<600 {
            if !model.rows.isEmpty {
                // Start away from the top, with a selection, marks and row heights.
                let row = number(0...model.rows.count - 1)
                switch number(0...5) {
                case 0:
                    state.go(.row(row))
                    model.cursor = model.rows[row]
                case 1:
                    let isOn = number(0...2) > 0
                    let id = model.rows[row]
                    if isOn { model.selected.insert(id) } else { model.selected.remove(id) }
                    state.play(.setSelected(RowID(id), isOn))
                case 2:
                    let id = model.rows[row]
                    if model.marked.remove(id) == nil { model.marked.insert(id) }
                    state.play(.toggleMark(RowID(id)))
                case 3:
                    let height = number(0...3) == 0 ? number(2...3) : nil
                    model.heights[model.rows[row]] = height
                    state.play(.setRowHeight(RowID(model.rows[row]), height))
                default: break
                }
            }
            let top = state.scroll.top < model.rows.count ? model.rows[state.scroll.top] : nil
            let context = "seed \(seed), step \(step)"
            let change = number(0...4)
            switch change {
            case 0, 1:
                let new = (0..<number(1...3)).map { _ in
                    next += 1
                    return next - 1
                }
                let position = number(0...model.rows.count)
                let wasEmpty = model.rows.isEmpty
                model.rows.insert(contentsOf: new, at: position)
                if wasEmpty { model.cursor = new[0] }
                state.play(.insertRows(RowInsertion(new.map { RowID($0) }, at: position)))
            case 2:
                guard !model.rows.isEmpty else { continue }
                let low = number(0...model.rows.count - 1)
                let range = low..<min(model.rows.count, low + number(1...3))
                model.remove(range)
                state.play(.removeRows(range, renumbering: false))
            case 3:
                guard !model.rows.isEmpty else { continue }
                let low = number(0...model.rows.count - 1)
                let range = low..<min(model.rows.count, low + number(1...3))
                let target = number(0...model.rows.count - range.count)
                let moved = Array(model.rows[range])
                model.rows.removeSubrange(range)
                model.rows.insert(contentsOf: moved, at: target)
                state.play(.moveRows(range, to: target))
            default:
                guard number(0...3) == 0 else { continue }
                model.rows.shuffle(using: &random)
                state.play(.setRows(.permuted(RowPermutation(model.rows.map { UInt32($0) })), keeping: .all))
            }
            #expect(ids(state) == model.rows, "\(context)")
            #expect(selected(state) == model.selected, "\(context)")
            #expect(Set(state.marks.map(\.rawValue)) == model.marked, "\(context)")
            #expect(heights(state) == model.heights, "\(context)")
            if !model.rows.isEmpty { #expect(state.currentRow == RowID(model.cursor), "\(context)") }
            #expect(state.isCursorVisible, "\(context)")
            let layout = state.layout
            // The top row stays, unless the grid ends too early or the cursor would become hidden.
            if change < 3, presentation == .table, let top, let position = model.rows.firstIndex(of: top), position != state.scroll.top {
                let isAtEnd = layout.itemSpans.last?.index == model.rows.count - 1
                let cursor = model.rows.firstIndex(of: model.cursor)!
                let isAtCursor = cursor == state.scroll.top || layout.itemSpans.last { $0.isWhole }!.index <= cursor + 1
                #expect(isAtEnd || isAtCursor, "\(context): \(top) was at the top, and is at \(position) of \(state.scroll.top)")
            }
            // Heights by position agree with heights by row.
            for line in layout.itemSpans where line.isWhole {
                #expect(line.height == model.heights[model.rows[line.index]] ?? 1, "\(context)")
            }
        }
    }

    @Test(
        arguments: 1...4 as ClosedRange<UInt64>)
    func `C2: if a source numbers its rows in order, inserting and removing rows renumbers the IDs of later rows`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var state = grid("ab", rows: 12, frame: (15, 6))
        /// Names that never change, in source order.
        var names = Array(0..<12)
        var marked: Set<Int> = []
        var heights: [Int: Int] = [:]
        var next = 12
        for step in 0..<400 {
            if !names.isEmpty {
                let row = number(0...names.count - 1)
                if marked.remove(names[row]) == nil { marked.insert(names[row]) }
                heights[names[row]] = 2
                state.play(.toggleMark(RowID(row)), .setRowHeight(RowID(row), 2))
            }
            if number(0...1) == 0 || names.isEmpty {
                let position = number(0...names.count)
                let count = number(1...3)
                names.insert(contentsOf: next..<next + count, at: position)
                next += count
                state.play(.insertRows(RowInsertion(at: position, count: count)))
            } else {
                let low = number(0...names.count - 1)
                let range = low..<min(names.count, low + number(1...4))
                for name in names[range] {
                    marked.remove(name)
                    heights[name] = nil
                }
                names.removeSubrange(range)
                state.play(.removeRows(range, renumbering: true))
            }
            #expect(state.rows == .natural(count: names.count))
            #expect(Set(state.marks.map { names[$0.rawValue] }) == marked, "step \(step)")
            #expect(Set(state.savedView.rowHeights.map { names[$0.row.rawValue] }) == Set(heights.keys), "step \(step)")
        }
    }

    @Test func `C2: visible rows stay in place when rows above change, and an insertion splits a selected block`() {
        var state = grid("ab", rows: 20, frame: (10, 5))
        state.play(.scroll(items: 8, columns: 0))
        state.go(.row(9))
        state.play(.move(.down(1), extending: true))
        let before = """
            a    b
            8a   8b
            9a*  9b
            10A* 10b
            11a  11b
            """
        #expect(sketch(state) == before)
        // The numbers in a sketch are positions: 5 more rows are above.
        state.play(.insertRows(RowInsertion(at: 0, count: 5)))
        #expect(state.scroll.top == 13)
        #expect(sketch(state).contains("15A* 15b"))
        state.play(.removeRows(1..<6, renumbering: true))
        #expect(sketch(state) == before)
        state.play(.insertRows(RowInsertion(at: 10, count: 1)))
        #expect(
            sketch(state) == """
                a    b
                8a   8b
                9a*  9b
                10a  10b
                11A* 11b
                """)
        state.play(.removeRows(9..<12, renumbering: true))
        #expect(state.selection.isEmpty)
        #expect(state.cursor.row == 9)
        state.play(.removeRows(0..<99, renumbering: true))
        #expect(state.rows.count == 0 && state.cursor.item == .row(0) && state.scroll.top == 0)
        state.play(.insertRows(RowInsertion(at: 7, count: 12)))
        #expect(state.rows.count == 12 && state.cursor.row == 0 && state.isCursorVisible, "the cursor is on the first inserted row")
    }

    @Test func `C2: rows cannot be inserted or removed while rows are counted from the end`() {
        var state = grid("a", rows: 0)
        state.play(.setRows(.spliced(head: 5, tail: 3)))
        state.play(.insertRows(RowInsertion(at: 2, count: 1)), .removeRows(0..<2, renumbering: true))
        #expect(state.rows == .spliced(head: 5, tail: 3))
    }

    // MARK: Sections

    private func outline(_ state: GridState) -> String {
        Array(state.outline.tree?.sections ?? SectionTree([]).sections).enumerated().map { index, section in
            let sign = state.outline.collapsed[index] ? "-" : ""
            return String(repeating: "  ", count: section.level) + sign
                + "\(section.title) \(section.rows.lowerBound)..<\(section.rows.upperBound)"
        }.joined(separator: "\n")
    }

    @Test func `C2, A15: insertions and removals keep collapsed sections, and adjust the enclosing sections`() {
        var state = grid("ab", rows: 12, frame: (12, 20), tree: sections("x\n  p 3\n  q 3\ny\n  p 6"))
        state.play(.setCollapsed(section: 2, true), .moveCursor(GridCursor(item: .header(4))))
        state.play(.insertRows(RowInsertion(at: 3, count: 2, section: 1)))
        #expect(outline(state) == "x 0..<8\n  p 0..<5\n  -q 5..<8\ny 8..<14\n  p 8..<14")
        state.play(.insertRows(RowInsertion(at: 5, count: 1, section: 2)))
        #expect(outline(state) == "x 0..<9\n  p 0..<5\n  -q 5..<9\ny 9..<15\n  p 9..<15")
        state.play(.insertSection(2, level: 1, title: "n", rows: RowInsertion(at: 0, count: 4)))
        #expect(outline(state) == "x 0..<13\n  p 0..<5\n  n 5..<9\n  -q 9..<13\ny 13..<19\n  p 13..<19")
        #expect(state.cursor.item == .header(5), "the cursor stays on its header")
        state.play(.removeRows(4..<10, renumbering: true))
        #expect(outline(state) == "x 0..<7\n  p 0..<4\n  n 4..<4\n  -q 4..<7\ny 7..<13\n  p 7..<13")
        state.play(.removeSection(1, renumbering: true))
        #expect(outline(state) == "x 0..<3\n  n 0..<0\n  -q 0..<3\ny 3..<9\n  p 3..<9")
        state.play(.removeSection(0, renumbering: true))
        #expect(outline(state) == "y 0..<6\n  p 0..<6")
        #expect(state.cursor.item == .header(1))
        state.play(.insertSection(9, title: "z", rows: RowInsertion(at: 0, count: 1)))
        #expect(outline(state) == "y 0..<6\n  p 0..<6\nz 6..<7")
        state.play(.insertSection(3, level: 5, title: "in", rows: RowInsertion(at: 0, count: 2)))
        #expect(outline(state) == "y 0..<6\n  p 0..<6\nz 6..<9\n  in 6..<9", "it takes the rows of its parent")
        state.play(.insertSection(1, level: 0, title: "o", rows: RowInsertion(at: 0, count: 1)))
        #expect(outline(state) == "y 0..<7\n  o 0..<1\n  p 1..<7\nz 7..<10\n  in 7..<10", "no section becomes nested in another")
        state.play(.removeSection(3, renumbering: true), .removeSection(0, renumbering: true))
        #expect(outline(state) == "" && state.rows.count == 0)
        state.checkInvariants()
        var flat = grid("a", rows: 4)
        flat.play(.toggleMark(1), .insertSection(0, title: "first", rows: RowInsertion(at: 0, count: 2)))
        #expect(outline(flat) == "first 0..<2\n 2..<6")
        #expect(flat.marks == [3])
    }

    @Test func `A15, A20, C2: a change of rows invalidates the aggregates of enclosing sections, and keeps all others`() {
        let whole = Int64(1) << 60
        let exact = ExactDecimal(Int128(whole))
        let tree = SectionTree(
            Array(sections("x\n  p 3\n  q 3\ny 2").sections), aggregates: [Aggregate(.sum, of: 0), Aggregate(.count, of: 0)],
            aggregateValues: [6, 6, 1, 3, 5, 3, Double(whole), 2], exactValues: ExactValues([6: exact]))
        func aggregates(after action: GridAction) -> [Double?] {
            var state = grid("ab", rows: 8, tree: tree)
            state.play(action)
            let tree = state.outline.tree!
            #expect(tree.aggregates(of: tree.count - 1).first == SectionAggregate(Aggregate(.sum, of: 0), Double(whole), exact: exact))
            return (0..<tree.count - 1).map { section in
                let values = tree.aggregates(of: section).map(\.value)
                #expect(values.allSatisfy { $0.isNaN == values.first!.isNaN })
                return values.first!.isNaN ? nil : values.first!
            }
        }
        #expect(aggregates(after: .insertRows(RowInsertion(at: 4, count: 1, section: 2))) == [nil, 1, nil])
        #expect(aggregates(after: .removeRows(0..<1, renumbering: true)) == [nil, nil, 5])
        #expect(aggregates(after: .insertSection(2, level: 1, title: "n", rows: RowInsertion(at: 0, count: 2))) == [nil, 1, nil, 5])
        #expect(aggregates(after: .removeSection(2, renumbering: true)) == [nil, 1])
        #expect(aggregates(after: .insertSection(0, level: 0, title: "n", rows: RowInsertion(at: 0, count: 2))) == [nil, 6, 1, 5])
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `C2, A15: random changes of sections agree with plain arrays`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var model: [(title: String, rows: [Int], isCollapsed: Bool)] = []
        var state = grid("ab", rows: 0, frame: (15, 8), tree: SectionTree([]))
        var next = 0
        func new(_ count: Int) -> [Int] {
            next += count
            return Array(next - count..<next)
        }
        for step in 0..<400 {
            let index = model.isEmpty ? 0 : number(0...model.count - 1)
            func start(_ index: Int) -> Int { model[..<index].reduce(0) { $0 + $1.rows.count } }
            switch model.isEmpty ? 0 : number(0...5) {
            case 0:
                let place = number(0...model.count)
                let rows = new(number(0...4))
                model.insert(("s\(step)", rows, false), at: place)
                state.play(.insertSection(place, title: "s\(step)", rows: RowInsertion(rows.map { RowID($0) }, at: 0)))
            case 1:
                model.remove(at: index)
                state.play(.removeSection(index, renumbering: false))
            case 2, 3:
                let rows = new(number(1...3))
                let place = number(0...model[index].rows.count)
                state.play(.insertRows(RowInsertion(rows.map { RowID($0) }, at: start(index) + place, section: index)))
                model[index].rows.insert(contentsOf: rows, at: place)
            case 4:
                guard !model[index].rows.isEmpty else { continue }
                let low = number(0...model[index].rows.count - 1)
                let range = low..<min(model[index].rows.count, low + 2)
                state.play(.removeRows(range.lowerBound + start(index)..<range.upperBound + start(index), renumbering: false))
                model[index].rows.removeSubrange(range)
            default:
                model[index].isCollapsed.toggle()
                state.play(.toggleSection(index))
            }
            let tree = state.outline.tree!
            #expect(tree.sections.map(\.title) == model.map(\.title), "step \(step)")
            #expect(ids(state) == model.flatMap(\.rows), "step \(step)")
            #expect(tree.sections.map { ids(state)[$0.rows] }.map(Array.init) == model.map(\.rows), "step \(step)")
            #expect(state.outline.collapsed == model.map(\.isCollapsed), "step \(step)")
            if !model.isEmpty { #expect(state.isCursorVisible, "step \(step)") }
        }
    }

    @Test func `C2: sections with more rows than the order are shortened, and levels are limited`() {
        var state = grid("a", rows: 10, tree: sections("x 5\ny 5"))
        _ = state.apply(.setRows(.natural(count: 3), tree: sections("x 5\ny 5")))
        #expect(state.outline.itemCount == 5 && state.numberOfRows(inSection: 0) == 3 && state.numberOfRows(inSection: 1) == 0)
        state.go(.bottom)
        #expect(state.cursor.item == .header(1) && state.visibleRows == [0, 1, 2])
        #expect(SectionTree([Section(level: 300, title: "", rows: 0..<1)]).level(of: 0) == 255)
    }

    @Test func `A10: code selects and deselects a row or a cell in any mode`() {
        var state = grid("abc", rows: 5, frame: (15, 6))
        state.play(.setSelectionMode(.none), .setSelected(2, true), .setSelected(3, column: 1, true), .setSelected(9, true))
        #expect(state.selectedRows() == [2, 3])
        #expect(state.selectedCells()!.map { [$0.row.rawValue, $0.column.rawValue] } == [[2, 0], [2, 1], [2, 2], [3, 1]])
        state.play(.setSelected(2, column: 1, false), .setSelected(3, false))
        #expect(state.selectedCells()!.map { [$0.row.rawValue, $0.column.rawValue] } == [[2, 0], [2, 2]])
        state.play(.setSelection(.all), .setSelected(1, false), .setSelected(4, column: 0, false))
        #expect(state.selectedRows() == [0, 2, 3, 4])
        #expect(!state.selection.contains(row: 4, column: 0) && state.selection.contains(row: 4, column: 1))
        state.play(.setSelection(Selection(blocks: [SelectionBlock(rows: 1..<3, columns: nil)], isInverted: true)))
        state.play(.setSelected(1, true), .setSelected(4, false))
        #expect(state.selectedRows() == [0, 1, 3])
    }

    @Test func `A19: the selection follows its rows into another order on request`() {
        var state = grid("ab", rows: 10, frame: (15, 6))
        state.play(.setSelection(Selection(blocks: [SelectionBlock(rows: 2..<4, columns: [0]), SelectionBlock(rows: nil, columns: [1])])))
        let order = RowOrder.permuted(RowPermutation([3, 9, 2, 5]))
        var other = state
        other.play(.setRows(order, keeping: .selection))
        #expect(
            other.selection.blocks == [
                SelectionBlock(rows: 0..<1, columns: [0]), SelectionBlock(rows: 2..<3, columns: [0]),
                SelectionBlock(rows: nil, columns: [1]),
            ])
        #expect(other.cursor.row == 0)
        other.play(.setRows(.natural(count: 10), keeping: .selection))
        #expect(other.selection == state.selection)
        state.go(.row(5))
        state.play(.setRows(order, keeping: .cursor))
        #expect(state.currentRow == 5)
        #expect(state.selection.isEmpty)
    }

    @Test func `A10: the selection reports correctly which of thousands of scattered rows it contains`() {
        let blocks = (0..<5_000).map { SelectionBlock(rows: $0 * 3..<$0 * 3 + 1, columns: $0 % 2 == 0 ? nil : [1]) }
        for isInverted in [false, true] {
            let selection = Selection(blocks: blocks, isInverted: isInverted)
            let mixed = Selection(blocks: blocks.reversed(), isInverted: isInverted)
            for row in [0, 1, 2, 3, 4, 5, 8_997, 8_998, 14_994, 14_997, 14_998, 20_000] {
                for column in [0, 1] as [ColumnID] {
                    let isSelected = row % 3 == 0 && row < 15_000 && (row % 2 == 0 || column == 1)
                    #expect(selection.contains(row: row, column: column) == (isSelected != isInverted))
                    #expect(mixed.contains(row: row, column: column) == (isSelected != isInverted))
                }
            }
            #expect(selection.rows(rowCount: 15_000, columns: [1]).count == 5_000)
        }
    }
}
