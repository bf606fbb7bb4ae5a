import DataGrid
import GridTestSupport
import Testing

/// Matching of sections, for example when the same groups have another order.
@Suite struct SectionMatchingTests {
    @Test func `A15: new sections are expanded, even if all existing ones are collapsed`() {
        var state = grid("a", rows: 2, frame: (8, 20), tree: sections("a 2"))
        state.play(.setAllCollapsed(true), .setRows(.natural(count: 5), tree: sections("a 2\nb 3")))
        #expect(state.outline.collapsed == [true, false])
        state.play(.setAllCollapsed(true), .setRows(.natural(count: 5), tree: sections("c 2\nb 3")))
        #expect(state.outline.collapsed == [false, true])
    }

    @Test func `A15: the cursor stays on the first row when the same groups are computed again`() {
        var state = grid("a", rows: 5, frame: (8, 20), tree: sections("a 2\nb 3"))
        #expect(state.cursor.item == .header(0))
        state.play(.move(.down(1)), .setRows(.natural(count: 5), tree: sections("a 2\nb 3")))
        #expect(state.cursor.item == .row(0))
        state.play(.setRows(.natural(count: 5)), .setRows(.natural(count: 5), tree: sections("a 2\nb 3")))
        #expect(state.cursor.item == .header(0), "new groups start with a header")
        state.play(.setRows(.natural(count: 3), tree: sections("b 3")))
        #expect(state.cursor.item == .header(0), "the cursor of a group that was removed stays on a header")
    }

    /// Groups of records by title, in a custom order.
    private struct Groups {
        var titles: [String]
        var records: [String: [UInt32]] = [:]

        var rows: RowOrder { .permuted(RowPermutation(titles.flatMap { records[$0]! })) }

        var tree: SectionTree {
            var row = 0
            return SectionTree(
                titles.map { title in
                    defer { row += records[title]!.count }
                    return Section(title: title, rows: row..<row + records[title]!.count)
                }, columns: [ColumnID(0)])
        }

        /// Creates `count` groups of one to three records each.
        init(_ count: Int, using random: inout SplitMix64) {
            titles = (0..<count).map { "group \($0)" }
            var next: UInt32 = 0
            for title in titles {
                let end = next + UInt32.random(in: 1...3, using: &random)
                records[title] = Array(next..<end)
                next = end
            }
        }
    }

    private func collapsedTitles(_ state: GridState) -> Set<String> {
        let outline = state.outline
        return Set(outline.collapsed.indices.filter { outline.collapsed[$0] }.map { outline.tree!.title(of: $0) })
    }

    @Test(arguments: [300, 70_000], [false, true])
    func `A15: the cursor's header and collapsed sections are kept, with few and with many sections`(count: Int, isNextToAll: Bool) {
        var random = SplitMix64(seed: UInt64(count))
        var groups = Groups(count, using: &random)
        var state = grid("ab", rows: 0, frame: (20, 12))
        state.play(.setRows(groups.rows, tree: groups.tree))
        if isNextToAll { state.play(.setAllCollapsed(true)) }
        let others = (0..<9).map { _ in Int.random(in: 0..<count, using: &random) }
        for section in Set(others) { state.play(.toggleSection(section)) }
        let collapsed = collapsedTitles(state)
        #expect(collapsed.count == (isNextToAll ? count - Set(others).count : Set(others).count))
        state.play(.moveCursor(GridCursor(item: .header(others[0]), column: 0)))
        let title = groups.titles[others[0]]

        // Everything moves, and some rows are removed, but each section keeps at least one.
        groups.titles.shuffle(using: &random)
        for title in groups.titles where groups.records[title]!.count > 1 { groups.records[title]!.removeFirst() }
        state.play(.setRows(groups.rows, tree: groups.tree, keeping: .cursor))
        #expect(collapsedTitles(state) == collapsed)
        guard case .header(let section) = state.cursor.item else { return #expect(Bool(false), "\(state.cursor)") }
        #expect(state.outline.tree!.title(of: section) == title)

        // Setting the same rows again changes nothing.
        let places = state.outline.collapsed
        state.play(.setRows(groups.rows, tree: groups.tree, keeping: .cursor))
        #expect(state.outline.collapsed == places)
        #expect(state.cursor.item == .header(section))

        // Grouping by another column keeps nothing.
        state.play(.setRows(groups.rows, tree: SectionTree([Section(title: title, rows: 0..<state.rows.count)], columns: [ColumnID(1)])))
        #expect(state.outline.collapsed == [false])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `A15: rows are found in a row order in the same way as in an array`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 1...3_000, using: &random)
        let records = (0..<UInt32(count)).filter { _ in random.next() % 4 > 0 }.shuffled(using: &random)
        var state = grid("ab", rows: 0, frame: (20, 12))
        state.play(.setRows(.permuted(RowPermutation(records))), .setSelectionMode(.rows))
        let chosen = (0..<records.count).filter { _ in random.next() % 20 == 0 }
        for row in chosen { state.play(.setSelected(RowID(Int(records[row])), true)) }
        let other = (0..<UInt32(count)).filter { _ in random.next() % 4 > 0 }.shuffled(using: &random)
        state.play(.setRows(.permuted(RowPermutation(other)), keeping: .selection))
        let targets = Set(chosen.map { records[$0] })
        let selected = other.indices.filter { state.selection.contains(row: $0, column: ColumnID(0)) }
        #expect(selected == other.indices.filter { targets.contains(other[$0]) })
    }

    @Test func `A15: sections are matched by their titles and those of their parents, at equal and other positions`() {
        func collapsed(after other: String) -> [Bool] {
            var state = grid("a", rows: 4, frame: (8, 12), tree: sections("x\n  p 2\ny\n  p 2"))
            state.play(.setCollapsed(section: 1, true), .setRows(.natural(count: 4), tree: sections(other)))
            return state.outline.collapsed
        }
        #expect(collapsed(after: "x\n  p 2\ny\n  p 2") == [false, true, false, false])
        #expect(collapsed(after: "y\n  p 2\nx\n  p 2") == [false, false, false, true])
        #expect(collapsed(after: "z\n  p 2\ny\n  p 2") == [false, false, false, false])
    }

    @Test func `A15, A19: if the scroll position is kept, the header at the top stays there when sections move`() {
        var state = grid("a", rows: 28, frame: (8, 9), tree: sections("a 10\nb 10\nc 8"))
        state.play(.scroll(items: 11, columns: 0), .moveCursor(GridCursor(item: .row(12), column: 0)))
        #expect(state.outline.item(at: state.scroll.top) == .header(1))
        state.play(.setRows(.natural(count: 28), tree: sections("c 8\nb 10\na 10"), keeping: .scroll))
        #expect(state.scroll.top == 9 && state.outline.item(at: state.scroll.top) == .header(1))
    }
}
