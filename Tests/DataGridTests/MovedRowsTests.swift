import GridTestSupport
import DataGrid
import Testing

/// Moving rows by hand: the order alone, then a grid in which everything stays with its rows.
@Suite struct MovedRowsTests {
    private func rows(_ order: RowOrder) -> [Int] { (0..<order.count).map { order[$0].rawValue } }

    @Test(
        arguments: [1, 2, 3, 4] as [UInt64], [RowOrder.natural(count: 30), .permuted(RowPermutation((0..<30).reversed()))])
    func `A17: after random moves, the order equals that of a plain array`(seed: UInt64, base: RowOrder) {
        var random = SplitMix64(seed: seed)
        var order = base
        var plain = rows(base)
        for step in 0..<400 {
            let low = Int.random(in: 0..<30, using: &random)
            let range = low..<Int.random(in: low + 1...min(30, low + 6), using: &random)
            let target = Int.random(in: 0...30 - range.count, using: &random)
            order = order.moving(range, to: target)
            let moved = Array(plain[range])
            plain.removeSubrange(range)
            plain.insert(contentsOf: moved, at: target)
            #expect(rows(order) == plain, "seed \(seed), step \(step): \(range) to \(target)")
            #expect(plain.indices.allSatisfy { order.position(of: RowID(plain[$0])) == $0 })
            #expect(order.records.map { $0.map { Int($0) } } ?? Array(0..<30) == plain)
        }
    }

    @Test func `A17: moving rows back restores the original order`() {
        let base = RowOrder.permuted(RowPermutation([3, 1, 2, 0]))
        let moved = base.moving(0..<2, to: 1)
        #expect(moved.isMoved && moved != base && rows(moved) == [2, 3, 1, 0])
        #expect(moved.moving(1..<3, to: 0) == base)
        #expect(base.moving(1..<3, to: 1) == base)
    }

    @Test func `A17: a move does not copy the order of ten million rows`() {
        var order = RowOrder.natural(count: 10_000_000)
        for n in 0..<100 { order = order.moving(n * 10..<n * 10 + 1, to: 9_000_000) }
        guard case .moved(let moved) = order else { Issue.record("not moved"); return }
        #expect(moved.base == .natural(count: 10_000_000))
        #expect(moved.runs.count <= 301)
        #expect(order.position(of: order[9_000_000]) == 9_000_000)
    }

    @Test func `C4: appended rows come after moved rows`() {
        var state = grid(rows: 6)
        state.play(.moveRows(0..<1, to: 3), .growRows(.natural(count: 8)))
        #expect(rows(state.rows) == [1, 2, 3, 0, 4, 5, 6, 7])
        state.play(.growRows(.natural(count: 2)))
        #expect(rows(state.rows) == [0, 1])
    }

    // MARK: The grid

    @Test func `A17: the cursor, selection, marks and scroll position stay with their rows`() {
        var state = grid("ab", rows: 9, frame: (9, 6))
        state.go(.row(2))
        state.play(.toggleMark(2), .setSelection(Selection(blocks: [SelectionBlock(rows: 2..<5, columns: [0])])))
        #expect(state.play(.moveCurrentRows(by: 4)) == [.rowsMoved(2..<3, to: 6), .selectionChanged])
        #expect(state.currentRow == 2 && state.cursor.row == 6 && state.isCursorVisible && state.marks == [2])
        #expect(state.selectedRows() == [3, 4, 2])
        #expect(sketch(state) == "a    b\n2a*  2b\n3a*  3b\n4a   4b\n5a   5b\n6A*  6b")
    }

    @Test func `A17: selected rows move together, and the selection is extended from their new place`() {
        var state = grid("a", rows: 9, frame: (9, 12))
        state.go(.row(2))
        state.play(.beginSelection(.rows), .move(.down(1)), .moveCurrentRows(by: 3))
        #expect(rows(state.rows) == [0, 1, 4, 5, 6, 2, 3, 7, 8])
        #expect(state.selection.blocks == [SelectionBlock(rows: 5..<7, columns: nil)] && state.cursor.row == 6)
        state.play(.move(.down(1)))
        #expect(state.selection.blocks == [SelectionBlock(rows: 5..<8, columns: nil)])
        state.play(.moveCurrentRows(by: -.max))
        #expect(rows(state.rows) == [2, 3, 7, 0, 1, 4, 5, 6, 8])
        #expect(state.play(.moveCurrentRows(by: -1)) == [.moveRefused(.rows(0..<3))])
        // Adjacent blocks merge; other rows do not.
        state.play(.setSelection(Selection(blocks: [0..<1, 1..<3, 5..<6].map { SelectionBlock(rows: $0, columns: nil) })))
        state.play(.moveCursor(GridCursor(item: .row(1))), .moveCurrentRows(by: 1))
        #expect(rows(state.rows) == [0, 2, 3, 7, 1, 4, 5, 6, 8])
    }

    @Test func `A17: a move never takes a row out of its section`() {
        var state = grid("a", rows: 7, frame: (9, 14), tree: DataGridTests.sections("x 3\ny 4"))
        state.go(.row(2))
        #expect(state.play(.moveCurrentRows(by: 5)) == [.moveRefused(.rows(2..<3))])
        state.play(.moveCurrentRows(by: -9))
        #expect(rows(state.rows) == [2, 0, 1, 3, 4, 5, 6])
        state.play(.moveRows(1..<5, to: 0))
        #expect(rows(state.rows) == [0, 1, 2, 3, 4, 5, 6])
        state.play(.selectAll, .moveCursor(GridCursor(item: .row(4))))
        #expect(state.play(.moveCurrentRows(by: 1)) == [.moveRefused(.rows(3..<7))])
        state.play(.moveCursor(GridCursor(item: .header(1))))
        #expect(state.play(.moveCurrentRows(by: 1), .moveRows(-3..<0, to: 2), .moveRows(7..<9, to: 0)) == [])
    }

    @Test func `A17: no row can be moved while rows are counted from the end`() {
        var state = grid(rows: 0)
        state.play(.setRows(.spliced(head: 5, tail: 3)))
        #expect(!state.canMoveRows && state.play(.moveCurrentRows(by: 1), .moveRows(0..<1, to: 3)) == [])
        state.play(.growRows(.natural(count: 9)))
        #expect(state.canMoveRows && state.play(.moveCurrentRows(by: 1)) == [.rowsMoved(0..<1, to: 1)])
    }

    @Test(arguments: [5, 6, 7] as [UInt64])
    func `A17: marks, cursor and selection stay with their rows through random moves`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var state = grid("ab", rows: 24, frame: (12, 8), tree: DataGridTests.sections("p\n  x 7\n  y 1\nq\n  z 16"))
        for step in 0..<300 {
            let low = Int.random(in: 0..<24, using: &random)
            let blocks = (0..<2).map { _ in
                let low = Int.random(in: 0..<24, using: &random)
                return SelectionBlock(
                    rows: low..<Int.random(in: low + 1...24, using: &random), columns: Bool.random(using: &random) ? nil : [1])
            }
            state.play(
                .moveCursor(GridCursor(item: .row(Int.random(in: 0..<24, using: &random)))),
                .setSelection(Selection(blocks: blocks, isInverted: Bool.random(using: &random))))
            let (row, selected, old) = (state.currentRow, Set(state.selectedRows()), rows(state.rows))
            if Bool.random(using: &random) {
                state.play(.moveRows(low..<Int.random(in: low + 1...24, using: &random), to: Int.random(in: 0..<24, using: &random)))
            } else {
                state.play(.moveCurrentRows(by: Int.random(in: -9...9, using: &random)))
            }
            state.checkInvariants()
            #expect(
                state.currentRow == row && Set(state.selectedRows()) == selected && state.isCursorVisible, "seed \(seed), step \(step)")
            for section in [0..<7, 7..<8, 8..<24] { #expect(Set(old[section]) == Set(rows(state.rows)[section])) }
        }
    }
}
