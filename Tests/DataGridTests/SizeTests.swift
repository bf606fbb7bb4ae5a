import DataGrid
import Testing

@Suite struct SizeTests {
    @Test(
        arguments: [(1, 20), (2, 10), (3, 6), (6, 3), (7, 2), (10, 2), (11, 2), (500, 2)])
    func `A9: without a set height, few rows share the frame's height, and none is lower than the minimum`(rows: Int, height: Int) {
        let state = grid("a", rows: rows, frame: (8, 21)) {
            $0.fitsRowsToFrame = true
            $0.minimumRowHeight = 2
            $0.rowHeight = 5
        }
        #expect(state.layout.itemSpans.first?.fullHeight == height)
        #expect(state.layout.itemSpans.allSatisfy { $0.fullHeight == height })
        #expect(state.lines(aboveRow: rows) == rows * height)
    }

    @Test func `A9: headers, totals and rules share the frame's height with fitted rows`() {
        var state = grid("a", frame: (8, 21), tree: sections("x 3\ny 3")) { $0.fitsRowsToFrame = true }
        #expect(state.layout.itemSpans.map(\.fullHeight) == [1, 3, 3, 3, 1, 3, 3, 3])
        state.metrics.showsTotals = true
        state.metrics.gridLines = .both
        // The totals, their rule and two headers leave 16 of 20 lines to six rows, each with a rule below it.
        #expect(state.layout.itemSpans.map(\.fullHeight) == [1, 2, 2, 2, 1, 2, 2, 2])
        state.play(.setRowHeight(RowID(1), 5))
        #expect(state.layout.itemSpans.map(\.fullHeight) == [1, 2, 6, 2, 1, 2, 2, 2])
    }

    @Test func `A9: unmeasured columns have the default width, or share the frame's width`() {
        var state = grid("abc", frame: (40, 5)) { $0.defaultColumnWidth = 7 }
        for id in [0, 1, 2] as [ColumnID] { state.play(.setWidth(id, .automatic)) }
        #expect(state.layout.geometry.widths == [7, 7, 7])
        state.metrics.defaultColumnWidth = nil
        #expect(state.layout.geometry.widths == [12, 13, 13])
    }

    @Test func `C7: the limits of the grid do not apply to the default width, but those of a column do`() {
        var state = grid("abc", frame: (40, 5)) {
            $0.defaultColumnWidth = 7
            $0.minimumColumnWidth = 9
            $0.maximumColumnWidth = 10
        }
        for id in [0, 1, 2] as [ColumnID] { state.play(.setWidth(id, .automatic)) }
        #expect(state.layout.geometry.widths == [7, 7, 7])
        state.metrics.defaultColumnWidth = 12
        #expect(state.layout.geometry.widths == [12, 12, 12])
        var own = state.columns[0]
        own.maximumWidth = 5
        state.play(.updateColumn(own))
        own = state.columns[1]
        own.minimumWidth = 20
        state.play(.updateColumn(own), .setWidth(2, .fraction(0.1)))
        #expect(state.layout.geometry.widths == [5, 20, 9])
        state.play(.setWidth(2, .fraction(0.5)))
        #expect(state.layout.geometry.widths == [5, 20, 20])
        state.metrics.defaultColumnWidth = 0
        own = state.columns[0]
        own.maximumWidth = nil
        state.play(.updateColumn(own))
        #expect(state.layout.geometry.widths.first == 1)
    }

    @Test func `A1: a manual resize respects the limits of the column`() {
        var state = grid("ab", width: 5, frame: (40, 5))
        var column = state.columns[0]
        (column.minimumWidth, column.maximumWidth) = (4, 8)
        state.play(.updateColumn(column))
        #expect(state.play(.resizeColumn(0, by: 9)) == [.columnResized(0, width: 8)])
        #expect(state.play(.resizeColumn(0, by: -99)) == [.columnResized(0, width: 4)])
        state.play(.resizeColumn(1, by: 20))
        #expect(state.layout.geometry.widths == [4, 25])
        state.interaction = GridInteraction()
        // Drags the edge of the first column far to the right.
        state.drag((4, 0), (30, 0))
        #expect(state.layout.geometry.widths == [8, 25])
        #expect(state.play(.setWidth(0, .fixed(30))) == [.columnResized(0, width: 30)], "a width set by code has no limits")
    }

    @Test func `A9: a delegate sets row heights even without automatic heights, and other rows have the common height`() {
        var state = grid("a", rows: 12, frame: (8, 20)) { $0.hasDelegatedRowHeights = true }
        let heights = SyntheticHeights()
        state.rowHeightSource = heights
        #expect(state.layout.itemSpans.map(\.fullHeight) == [2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1])
        #expect(heights.measuredRows.isEmpty)
        state.play(.setRowHeight(RowID(5), 3), .setRowHeight(RowID(1), 4))
        #expect(state.layout.itemSpans.map(\.fullHeight).prefix(6) == [2, 4, 1, 1, 1, 3])
        state.metrics.hasDelegatedRowHeights = false
        #expect(state.layout.itemSpans.map(\.fullHeight).prefix(6) == [1, 4, 1, 1, 1, 3])
    }

    @Test func `C7: limits apply to delegate heights, not to explicit ones or the common one`() {
        var state = grid("a", rows: 12, frame: (8, 40)) {
            $0.hasDelegatedRowHeights = true
            $0.minimumRowHeight = 3
            $0.maximumRowHeight = 3
        }
        state.rowHeightSource = SyntheticHeights()
        state.play(.setRowHeight(RowID(5), 7))
        #expect(state.layout.itemSpans.map(\.fullHeight) == [3, 1, 1, 1, 1, 7, 1, 1, 1, 1, 3, 1])
    }

    /// Provides widths for columns 0, 1 and 2.
    private final class Widths: GridDelegate {
        func width(ofColumn column: ColumnID) -> Int? { [0: 1, 1: 90, 2: 9][column.rawValue] }
    }

    @MainActor
    @Test func `C7: limits apply to delegate widths, not to explicit ones`() {
        var state = grid("abcd", frame: (60, 5)) {
            $0.minimumColumnWidth = 4
            $0.maximumColumnWidth = 12
        }
        for id in [0, 1, 2, 3] as [ColumnID] { state.play(.setWidth(id, id == 3 ? .fixed(2) : .automatic)) }
        _ = state.updateWidths(from: Widths())
        #expect(state.layout.geometry.widths == [4, 12, 9, 2])
        // An application can set any width. Dragging keeps the edge reachable.
        #expect(
            state.play(.setWidth(0, .fixed(1)), .setWidth(1, .fixed(55))) == [.columnResized(0, width: 1), .columnResized(1, width: 55)])
        #expect(state.layout.geometry.widths == [1, 55, 9, 2])
        #expect(state.play(.resizeColumn(1, by: -54)) == [.columnResized(1, width: 4)])
    }

    @Test(arguments: [1_000, 10_000_000])
    func `A9: the cost of fitted rows, pages, the loader and totals does not depend on the number of rows`(rows: Int) {
        let source = SyntheticHeights()
        var state = grid("ab", rows: rows, frame: (40, 24)) {
            $0.showsTotals = true
            $0.fitsRowsToFrame = true
        }
        state.rowHeightSource = source
        state.play(.freeze(FrozenPanes(rows: 2, bottom: 2)), .setLoader(GridLoader()))
        for _ in 0..<300 {
            state.go(.row(rows / 2), .pageDown, .bottom, .up(3), .pageUp)
            #expect(state.isCursorVisible)
        }
        state.metrics.hasDelegatedRowHeights = true
        state.metrics.isPaged = true
        for _ in 0..<300 { state.go(.row(rows / 2), .pageDown, .bottom, .up(3), .pageUp) }
        #expect(source.measuredRows.isEmpty)
    }
}
