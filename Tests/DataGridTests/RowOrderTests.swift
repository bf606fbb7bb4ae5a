import DataGrid
import FieldValues
import Testing

@Suite struct RowOrderTests {
    @Test(
        arguments: [
            (RowOrder.natural(count: 5), [0, 1, 2, 3, 4]), (.spliced(head: 3, tail: 2), [0, 1, 2, -2, -1]),
            (.spliced(head: 0, tail: 2), [-2, -1]), (.spliced(head: 2, tail: 0), [0, 1]),
            (.spliced(first: 20, head: 3, tail: 2), [20, 21, 22, -2, -1]), (.permuted(RowPermutation([4, 0, 2])), [4, 0, 2]),
            (.natural(count: 0), []), (.rows([4, 0, 2]), [4, 0, 2]), (.rows([4_294_967_296, 1, -2]), [4_294_967_296, 1, -2]),
        ])
    func `D2: every row order maps positions to rows and back`(order: RowOrder, rows: [Int]) {
        #expect(order.count == rows.count)
        #expect((0..<order.count).map { order[$0].rawValue } == rows)
        for (position, row) in rows.enumerated() { #expect(order.position(of: RowID(row)) == position) }
        for absent in [7, -7, 3, -3] where !rows.contains(absent) {
            if case .natural(let count) = order, absent < 0, -absent <= count { continue }
            #expect(order.position(of: RowID(absent)) == nil)
        }
    }

    @Test func `D2: rows counted from the end are found after the length is known`() {
        #expect(RowOrder.natural(count: 5).position(of: -1) == 4)
        #expect(RowOrder.natural(count: 5).position(of: -6) == nil)
        #expect(RowID(-1).isCountedFromEnd)
        #expect(!RowID(0).isCountedFromEnd)
    }

    @Test func `C4: appended rows change nothing visible`() {
        var state = grid(rows: 10)
        state.go(.down(7), .right(1))
        let before = sketch(state)
        _ = state.apply(.growRows(.natural(count: 1_000)))
        #expect(sketch(state) == before)
        #expect(state.outline.itemCount == 1_000)
    }

    @Test func `D7: rows that a filter finds later follow those found before, and nothing else moves`() {
        var state = grid(rows: 10)
        _ = state.apply(.setRows(.permuted(RowPermutation([2, 5, 6, 9]))))
        state.go(.down(2), .right(1))
        _ = state.apply(.move(.down(1), extending: true))
        let (before, selection) = (state.currentRow, state.selection)
        _ = state.apply(.growRows(.permuted(RowPermutation([2, 5, 6, 9, 11, 12]))))
        #expect(state.currentRow == before && state.selection == selection && state.outline.itemCount == 6)
        // Growth to all source rows, or to fewer rows than before, is ignored.
        _ = state.apply(.growRows(.natural(count: 20)))
        _ = state.apply(.growRows(.permuted(RowPermutation([2]))))
        #expect(state.rows.count == 6)
        state.checkInvariants()
    }

    @Test func `D2: the visible last rows stay in place while rows are added before them`() {
        var state = grid(rows: 0)
        _ = state.apply(.setRows(.spliced(head: 30, tail: 20)))
        state.go(.bottom, .up(1))
        _ = state.apply(.setSelection(Selection(blocks: [47..<49, 2..<4].map { SelectionBlock(rows: $0, columns: nil) })))
        let (row, line) = (state.currentRow, state.cursor.row! - state.scroll.top)
        #expect(row == -2)
        _ = state.apply(.growRows(.spliced(head: 130, tail: 20)))
        #expect(state.currentRow == -2)
        #expect(state.cursor.row! - state.scroll.top == line)
        #expect(state.selection.blocks.map(\.rows) == [147..<149, 2..<4])
        _ = state.apply(.growRows(.natural(count: 145)))
        #expect(state.currentRow == 143)
        #expect(state.cursor.row! - state.scroll.top == line)
    }

    @Test func `19.4: the last rows of a query on a server stay visible while rows are added before them, and get numbers`() {
        let first = 3 << RowID.numberBits
        func permuted(_ count: Int) -> RowOrder { .permuted(RowPermutation(RowNumbers(consecutive: first..<first + count))) }
        var state = grid(rows: 0)
        _ = state.apply(.setRows(permuted(30)))
        // Rows of another order do not continue these.
        _ = state.apply(.growRows(.spliced(head: 30, tail: 20)))
        #expect(state.rows.count == 30)
        let spliced = RowOrder.spliced(first: first, head: 30, tail: 20)
        _ = state.apply(.growRows(spliced))
        #expect(state.rows == spliced && spliced.serverRecords == first..<first + 30 && spliced.records.map { Array($0) }?.count == 30)
        #expect(spliced.position(ofNumber: 29) == 29 && spliced.position(ofNumber: 30) == nil)
        #expect(spliced.withoutTail.records.map { Array($0) } == permuted(30).records.map { Array($0) })
        state.go(.bottom, .up(1))
        let line = state.cursor.row! - state.scroll.top
        _ = state.apply(.growRows(.spliced(first: first, head: 130, tail: 20)))
        #expect(state.currentRow == -2 && state.cursor.row! - state.scroll.top == line)
        _ = state.apply(.growRows(permuted(145)))
        #expect(state.currentRow == RowID(first + 143) && state.cursor.row! - state.scroll.top == line)
        state.checkInvariants()
    }

    @Test func `D2: rows counted from the start stay in place when more of them arrive`() {
        var state = grid(rows: 0)
        _ = state.apply(.setRows(.spliced(head: 30, tail: 20)))
        state.go(.down(5))
        let before = sketch(state)
        _ = state.apply(.growRows(.spliced(head: 40, tail: 20)))
        #expect(sketch(state) == before)
        // Where head and tail meet, the cursor's row stays in place.
        _ = state.apply(.moveCursor(GridCursor(item: .row(38))))
        state.go(.down(4))
        let (row, line) = (state.currentRow, state.cursor.row! - state.scroll.top)
        _ = state.apply(.growRows(.natural(count: 500)))
        #expect(state.currentRow == RowID(500 + row!.rawValue))
        #expect(state.cursor.row! - state.scroll.top == line)
    }

    @Test func `A10: rows are found by a scan, by a binary search, or with positions found in advance`() {
        let rows: [RowID] = [9, 2, 1, -1]
        func positions(_ permutation: RowPermutation, _ rows: [RowID]) -> [[Int]] {
            RowOrder.permuted(permutation).positions(of: rows).map { [$0.position, $0.index] }
        }
        let records = RowNumbers([5, 1, 9, 3] as [UInt32])
        #expect(positions(RowPermutation(records), rows) == [[1, 2], [2, 0]])
        let prepared = RowPermutation(records, finding: rows)
        #expect(positions(prepared, rows) == [[1, 2], [2, 0]] && positions(prepared, [1]) == [[1, 0]])
        #expect(positions(prepared, [3, 9]) == [[2, 1], [3, 0]], "other rows are found too")
        let ascending = RowPermutation(ascending: RowNumbers([1, 3, 5, 9] as [UInt32]))
        #expect(prepared.hasFastLookup(rows) && prepared.hasFastLookup([-1]) && !prepared.hasFastLookup(rows + [3]))
        #expect(ascending.hasFastLookup([2, 3]))
        #expect(positions(ascending, rows) == [[0, 2], [3, 0]] && positions(ascending, []) == [])
    }

    @Test func `A10: a selected row that disappears is selected again when it is added`() {
        var state = grid("ab", rows: 4, frame: (15, 6))
        state.play(.setSelectedRows([1, 3]), .setRows(.permuted(RowPermutation([3])), keeping: .selection))
        #expect(state.selectedRows() == [3])
        state.play(.growRows(.permuted(RowPermutation([3, 0, 1]))))
        #expect(state.selectedRows() == [3, 1])
        state.play(.setRows(.natural(count: 4), keeping: .selection))
        #expect(state.selectedRows() == [1, 3])
    }
}
