import DataGrid
import Testing

/// Row widths in transposed tables, and how users change them.
@Suite struct TransposedWidthTests {
    private func state(_ columns: [Column], frame: (Int, Int) = (80, 5), _ metrics: (inout GridMetrics) -> Void = { _ in }) -> GridState {
        var state = grid("a", rows: 20, frame: frame) {
            $0.rowHeaderWidth = 3
            metrics(&$0)
        }
        state.play(.replaceColumns(columns), .setPresentation(.transposed))
        return state
    }

    private func column(_ id: Int, _ width: WidthRule = .automatic, measured: Int = 0, minimum: Int? = nil, maximum: Int? = nil) -> Column {
        var column = Column(id: ColumnID(id), title: "t", width: width)
        (column.measuredWidth, column.minimumWidth, column.maximumWidth) = (measured, minimum, maximum)
        return column
    }

    private func width(_ state: GridState) -> Int { state.layout.tiles[0].fullWidth }

    @Test func `C1, C7: a row has the width of its widest column, within the limits of columns without an explicit width`() {
        func width(_ column: Column, _ metrics: (inout GridMetrics) -> Void = { _ in }) -> Int { self.width(state([column], metrics)) }
        #expect(width(column(0, measured: 20)) == 20)
        #expect(width(column(0, measured: 90)) == 32 && width(column(0, .fixed(50), maximum: 20)) == 50)
        #expect(width(column(0, measured: 3)) == 8 && width(column(0, measured: 3)) { $0.maximumColumnWidth = 6 } == 6)
        #expect(width(column(0, measured: 90, maximum: 44)) == 44 && width(column(0, measured: 20, maximum: 12)) == 12)
        #expect(width(column(0, measured: 3, minimum: 15)) == 15 && width(column(0, measured: 3)) { $0.minimumColumnWidth = 11 } == 11)
        #expect(width(column(0, measured: 90)) { $0.maximumColumnWidth = 40 } == 40)
        #expect(width(column(0, measured: 90)) { $0.maximumColumnFraction = 0.25 } == 19)
        #expect(width(column(0)) { $0.defaultColumnWidth = 13 } == 13)
        #expect(width(column(0, .standard, measured: 20)) == 20 && width(column(0, .standard, measured: 90)) == 32)
        #expect(width(column(0, .standard, measured: 20)) { $0.defaultColumnWidth = 13 } == 13)
        #expect(width(column(0, .fraction(0.5))) == 38 && width(column(0, .fraction(0.5), maximum: 25)) == 25)
    }

    @Test(arguments: [20, 90], [true, false])
    func `C1: at a width of 60, at least two rows are fully visible below three levels of sections`(measured: Int, isSticky: Bool) {
        let tree = sections("p\n  q\n    x 4\n    y 6\n  r\n    z 10")
        var state = grid("a", rows: 20, frame: (60, 24), tree: tree) {
            $0.rowHeaderWidth = 3
            $0.hasStickySectionHeaders = isSticky
        }
        var wide = column(0, measured: measured)
        wide.title = "a title that takes a third of the frame"
        state.play(.replaceColumns([wide, column(1)]), .setPresentation(.transposed))
        for row in 0..<20 {
            state.play(.move(.row(row)))
            let rows = state.layout.tiles.filter { !$0.item.isHeader && $0.isWhole }
            #expect(rows.count >= 2 && state.isCursorVisible, "\(row): \(state.layout.tiles)")
            // Headers at one position share a band, sticky or not, and each has one line.
            #expect(state.layout.tiles.allSatisfy { !$0.item.isHeader || $0.height == 1 })
        }
        state.play(.move(.top))
        let headers = state.layout.tiles.prefix(3)
        #expect(Set(headers.map(\.x)).count == 1 && headers.map(\.y) == [0, 1, 2] && state.layout.tiles[3].item == .row(0))
    }

    @Test(arguments: [-3, 1, 5, 40, 99]) func `C1, C7: only the frame limits an explicit width`(_ newWidth: Int) {
        let state = state([column(0, measured: 20, minimum: 10)]) { $0.transposedRowWidth = newWidth }
        #expect(width(state) == newWidth.clamped(1, 77))
    }

    @Test func `A9, C1: the edge after a row header follows the pointer and resizes all rows`() {
        var state = state([column(0, measured: 10)])
        let before = state
        let events = state.drag((13, 0), (14, 0), (16, 0))
        #expect(events == [.rowsResized(width: 11), .rowsResized(width: 13)] && state.metrics.transposedRowWidth == 13)
        #expect(state.layout.tiles.prefix(3).map(\.x) == [3, 17, 31] && state.drag == nil && state.cursor == before.cursor)
        // The edge of the third row moves by three cells per cell of width.
        state.drag((44, 0), (38, 0))
        #expect(width(state) == 11 && state.layout.hit(GridPoint(x: 38, y: 0)) == .rowSeparator(2))
        state.drag((14, 0), (0, 0))
        #expect(width(state) == state.metrics.minimumColumnWidth)
        state = before
        state.play(.pointerDown(GridPoint(x: 13, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 20, y: 0)), .cancelDrag)
        #expect(state == before)
        #expect(state.play(.pointerDown(GridPoint(x: 24, y: 0), PointerPress(clicks: 2))) == [.rowFitRequested] && state.drag == nil)
    }

    @Test func `A9, C1: a width set by code is reported if it changes visibly, and the cursor stays visible`() {
        var state = state([column(0, measured: 10)])
        state.go(.right(6))
        #expect(state.play(.setTransposedRowWidth(40)) == [.rowsResized(width: 40)] && state.isCursorVisible)
        #expect(state.play(.setTransposedRowWidth(40)).isEmpty)
        #expect(state.play(.setTransposedRowWidth(nil)) == [.rowsResized(width: 10)])
        state.play(.setPresentation(.table))
        #expect(state.play(.setTransposedRowWidth(20)).isEmpty && state.metrics.transposedRowWidth == 20)
    }
}

extension Int {
    fileprivate func clamped(_ low: Int, _ high: Int) -> Int { Swift.min(high, Swift.max(low, self)) }
}
