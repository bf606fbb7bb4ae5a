import GridTestSupport
import DataGrid
import Testing

/// The selected cells of a grid of 6 rows and the columns a–d, one word per row: `#` selected, `o` cursor, `@` cursor on a selected cell.
private func picture(_ state: GridState) -> String {
    (0..<6).map { row in
        String(
            (0..<4).map { column -> Character in
                let isSelected = state.selection.contains(row: row, column: ColumnID(column)) && !state.selection.isEmpty
                let isCursor = state.cursor == GridCursor(item: .row(row), column: column)
                return isSelected ? (isCursor ? "@" : "#") : isCursor ? "o" : "."
            })
    }.joined(separator: " ")
}

private let right = GridAction.move(.right(1)), down = GridAction.move(.down(1)), up = GridAction.move(.up(1))
private let extendRight = GridAction.move(.right(1), extending: true), extendDown = GridAction.move(.down(1), extending: true)
private let extendUp = GridAction.move(.up(1), extending: true), extendLeft = GridAction.move(.left(1), extending: true)

@Suite struct SelectionTests {
    /// Starts at cell 1b.
    @Test(
        arguments: [
            (.cells, [.beginSelection(.cells)], ".... .@.. .... .... .... ...."),
            (.cells, [.beginSelection(.cells), right, down], ".... .##. .#@. .... .... ...."),
            (.cells, [.beginSelection(.cells), right, .beginSelection(.cells)], ".... ..o. .... .... .... ...."),
            (.cells, [.beginSelection(.rows), down], ".... #### #@## .... .... ...."),
            (.cells, [.beginSelection(.columns), right], ".##. .#@. .##. .##. .##. .##."),
            (.cells, [.beginSelection(.cells), right, .beginSelection(.columns)], ".##. .#@. .##. .##. .##. .##."),
            (.cells, [extendRight, extendDown, extendDown], ".... .##. .##. .#@. .... ...."),
            (.cells, [extendRight, extendLeft, extendLeft, extendUp], "@#.. ##.. .... .... .... ...."),
            (.cells, [extendRight, down], ".... .##. ..o. .... .... ...."),
            (.cells, [extendRight, down, extendDown], ".... .... ..#. ..@. .... ...."),
            (.cells, [extendRight, .swapSelectionEnds], ".... .@#. .... .... .... ...."),
            (.cells, [extendRight, .swapSelectionEnds, extendUp], ".@#. .##. .... .... .... ...."),
            (.cells, [.beginSelection(.cells), .keepRanges, down, .beginSelection(.cells), right], ".... .#.. .#@. .... .... ...."),
            (.cells, [.selectAll], "#### #@## #### #### #### ####"),
            (.cells, [.selectAll, .invertSelection], ".... .o.. .... .... .... ...."),
            (.cells, [extendRight, .invertSelection], "#### #.o# #### #### #### ####"),
            (.cells, [extendRight, .invertSelection, .invertSelection], ".... .#@. .... .... .... ...."),
            // An added range is selected, whether its cells were selected before or not.
            (.cells, [extendRight, .invertSelection, .keepRanges, .beginSelection(.cells)], "#### #.@# #### #### #### ####"),
            (
                .cells, [extendRight, .invertSelection, .keepRanges, .move(.left(1)), .beginSelection(.rows), down],
                "#### #### #@## #### #### ####"
            ),
            (
                .cells, [.beginSelection(.columns), .invertSelection, .keepRanges, down, .beginSelection(.cells), down],
                "#.## #.## #### #@## #.## #.##"
            ),
            (.cells, [.selectAll, .invertSelection, .keepRanges, right], ".... .#@. .... .... .... ...."),
            (
                .cells, [extendRight, .invertSelection, .keepRanges, .beginSelection(.cells), .invertSelection],
                ".... .#o. .... .... .... ...."
            ),
            (.rows, [extendDown, .invertSelection, .keepRanges, .beginSelection(.rows)], "#### .... #@## #### #### ####"),
            (.cells, [.selectAll, .clearSelection], ".... .o.. .... .... .... ...."),
            (.rows, [.beginSelection(.cells), down], ".... #### #@## .... .... ...."),
            (.rows, [extendDown], ".... #### #@## .... .... ...."),
            (.rows, [.beginSelection(.columns)], ".... #@## .... .... .... ...."),
            (.cell, [.beginSelection(.cells), right], ".... .#o. .... .... .... ...."),
            (.cell, [.beginSelection(.columns)], ".... .@.. .... .... .... ...."),
            (.cell, [.beginSelection(.rows)], ".... .@.. .... .... .... ...."),
            (.cell, [.beginSelection(.cells), right, .keepRanges], ".... ..@. .... .... .... ...."),
            (.cell, [extendRight], ".... ..o. .... .... .... ...."), (.cell, [.selectAll], ".... .o.. .... .... .... ...."),
            (.row, [.beginSelection(.cells)], ".... #@## .... .... .... ...."),
            (.row, [.beginSelection(.cells), down, .beginSelection(.cells)], ".... .... #@## .... .... ...."),
            (.row, [extendDown], ".... .... .o.. .... .... ...."), (.row, [.invertSelection], ".... .o.. .... .... .... ...."),
            (.none, [.beginSelection(.rows), extendDown, .selectAll, .keepRanges], ".... .... .o.. .... .... ...."),
        ] as [(SelectionMode, [GridAction], String)])
    func `A10: keys select according to the selection mode`(mode: SelectionMode, actions: [GridAction], after: String) {
        var state = grid("abcd", rows: 6, frame: (24, 8))
        state.play(.setSelectionMode(mode), .moveCursor(GridCursor(item: .row(1), column: 1)))
        for action in actions { state.play(action) }
        #expect(picture(state) == after)
    }

    @Test func `A10: several ranges can be selected, and each is extended separately`() {
        var state = grid("abcd", rows: 6, frame: (24, 8))
        state.play(extendRight, .moveCursor(GridCursor(item: .row(3), column: 2)), .keepRanges, .beginSelection(.cells), right, down)
        #expect(picture(state) == "##.. .... .... ..## ..#@ ....")
        #expect(state.selection.rows(rowCount: 6, columns: [0, 1, 2, 3]) == [0..<1, 3..<5])
        #expect(state.selection.rows(rowCount: 6, columns: [0]) == [0..<1])
        state.play(.invertSelection)
        #expect(picture(state) == "..## #### #### ##.. ##.o ####")
        #expect(state.selection.rows(rowCount: 6, columns: [2]) == [0..<3, 5..<6])
    }

    @Test func `A10: code sets any selection in any mode, and only changes are reported`() {
        var state = grid("abcd", rows: 6, frame: (24, 8))
        state.play(.setSelectionMode(.none))
        let some = Selection(blocks: [SelectionBlock(rows: 2..<4, columns: [1])])
        #expect(state.play(.setSelection(some)) == [.selectionChanged])
        #expect(state.play(.setSelection(some)) == [])
        #expect(picture(state) == "o... .... .#.. .#.. .... ....")
        #expect(state.play(.setSelectionMode(.cell)) == [.selectionChanged])
        #expect(state.selection.isEmpty)
    }

    @Test func `A10: an inverted selection of all rows is empty`() {
        #expect(Selection.empty.isEmpty)
        #expect(!Selection.all.isEmpty)
        #expect(!Selection(isInverted: true).isEmpty)
        #expect(Selection(blocks: Selection.all.blocks, isInverted: true).isEmpty)
        #expect(Selection.all.rows(rowCount: 7, columns: [0]) == [0..<7])
        #expect(Selection.all.rows(rowCount: 0, columns: [0]) == [])
        #expect(Selection(blocks: [SelectionBlock(rows: 5..<9, columns: nil)]).rows(rowCount: 6, columns: [0]) == [5..<6])
    }

    @Test func `A10: a range extends over headers and columns that were hidden later`() {
        var state = grid("abcd", rows: 6, frame: (24, 12), tree: sections("x 3\ny 3"))
        state.go(.row(2), .column(1))
        state.play(extendDown)
        #expect(state.cursor.item == .header(1))
        state.play(extendDown, extendRight)
        #expect(state.selection.blocks == [SelectionBlock(rows: 2..<4, columns: [1, 2])])
        state.play(.setHidden(1, true), extendRight)
        #expect(state.selection.blocks == [SelectionBlock(rows: 2..<4, columns: [2, 3])])
        state.play(.setCollapsed(section: 0, true), .swapSelectionEnds)
        #expect(state.cursor.item == .header(0), "the collapsed section stays collapsed")
        #expect(state.isCursorVisible)
    }

    /// Sections of 3, 4 and 2 rows, in which a range begins or ends.
    @Test(
        arguments: [
            (0, [GridAction.beginSelection(.rows)], 0..<3),
            (0, [.beginSelection(.rows), down], 0..<7), (0, [.beginSelection(.rows), down, down], 0..<9),
            (2, [.beginSelection(.rows)], 7..<9), (2, [.beginSelection(.rows), up], 3..<9),
            (2, [.beginSelection(.cells), up, up], 0..<9), (1, [extendDown], 3..<9), (1, [extendUp], 0..<7),
            (1, [extendUp, .swapSelectionEnds, extendDown], 0..<9),
        ] as [(Int, [GridAction], Range<Int>)])
    func `A10, A15: a range includes all rows of a collapsed section at its first, middle and last item`(
        header: Int, actions: [GridAction], rows: Range<Int>
    ) {
        var state = grid("ab", rows: 9, frame: (12, 12), tree: sections("x 3\ny 4\nz 2"))
        state.play(.setAllCollapsed(true), .moveCursor(GridCursor(item: .header(header), column: 0)))
        for action in actions { state.play(action) }
        #expect(state.selection.blocks.map(\.rows) == [rows])
        #expect(state.isCollapsed(section: 0) && state.isCollapsed(section: 1) && state.isCollapsed(section: 2))
    }

    @Test func `A10, A15: a range of rows ends with a whole collapsed section, even a nested one`() {
        var state = grid("ab", rows: 7, frame: (12, 14), tree: sections("x\n  p 3\n  q 2\ny 2"))
        state.play(.setCollapsed(section: 2, true), .moveCursor(GridCursor(item: .row(1), column: 0)), .beginSelection(.rows), down, down)
        #expect(state.cursor.item == .header(2) && state.selection.blocks == [SelectionBlock(rows: 1..<5, columns: nil)])
        // When the cursor leaves the collapsed section, the range ends before the rows of that section.
        state.play(up)
        #expect(state.selection.blocks == [SelectionBlock(rows: 1..<3, columns: nil)])
    }

    @Test func `A10: rows and cells are counted once, even if several selected blocks contain them`() {
        var random = SplitMix64(seed: 5)
        let columns = (0..<4).map { ColumnID($0) }
        for _ in 0..<300 {
            let isScattered = Bool.random(using: &random)
            let blocks = (0..<Int.random(in: 0...12, using: &random)).map { n in
                let start = isScattered ? 3 * n : Int.random(in: 0..<40, using: &random)
                let rows = start..<start + (isScattered ? 2 : Int.random(in: 1...9, using: &random))
                let some = Set(columns.filter { _ in Bool.random(using: &random) } + [columns[0]])
                return SelectionBlock(
                    rows: !isScattered && Int.random(in: 0..<9, using: &random) == 0 ? nil : rows,
                    columns: Bool.random(using: &random) ? nil : some)
            }
            let selection = Selection(blocks: blocks, isInverted: Bool.random(using: &random))
            let shown = [columns[1], columns[0], columns[3]]
            let selected = (0..<38).map { row in shown.count { selection.contains(row: row, column: $0) } }
            let counts = selection.counts(rowCount: 38, columns: shown)
            #expect(counts.rows == selected.count { $0 > 0 } && counts.cells == selected.reduce(0, +), "\(selection)")
        }
        #expect(Selection.all.counts(rowCount: 7, columns: columns) == (7, 28))
        #expect(Selection(isInverted: true).counts(rowCount: 7, columns: columns) == (7, 28))
        #expect(Selection.all.counts(rowCount: 0, columns: columns) == (0, 0) && Selection.empty.counts(rowCount: 7, columns: []) == (0, 0))
    }

    @Test func `A10: a change of the row order clears a selection of row positions, and keeps marks`() {
        var state = grid("abcd", rows: 6, frame: (24, 8))
        state.play(extendDown, .toggleMark(3), .toggleMark(4), .toggleMark(4))
        #expect(state.play(.setRows(.permuted(RowPermutation([5, 4, 3])))) == [.selectionChanged])
        #expect(state.selection.isEmpty)
        #expect(state.marks == [3])
        state.play(.clearMarks)
        #expect(state.marks.isEmpty)
    }
}
