import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// A table with totals and a corner text.
@MainActor
private final class TotalSource: GridDataSource {
    let headers: [Int: String]
    init(_ headers: [Int: String] = [:]) { self.headers = headers }
    func numberOfRows(inSection section: Int) -> Int { 40 }
    func content(row: RowID, column: ColumnID) -> CellContent { CellContent("\(row.rawValue * 100 + column.rawValue)") }
    func rowHeader(_ row: RowID) -> String? { headers[row.rawValue] }
    func total(column: ColumnID) -> CellContent? { column == 1 ? nil : CellContent("\(7_000_000 + column.rawValue)") }
    var corner: CellContent? = CellContent("no")
    var totalsTitle: String? = "sum"
}

/// Numbers with their sum as total.
@MainActor
private final class Sum: GridDataSource {
    var values = [Int](repeating: 0, count: 40)
    var requestCount = 0
    func numberOfRows(inSection section: Int) -> Int { 40 }
    func content(row: RowID, column: ColumnID) -> CellContent { CellContent(String(values[row.rawValue])) }
    func total(column: ColumnID) -> CellContent? {
        requestCount += 1
        return CellContent(String(values.reduce(0, +)))
    }
    var totalsTitle: String? { nil }
}

@MainActor
@Suite struct StripFrameTests {
    private func picture(_ state: GridState, _ source: some GridDataSource = TotalSource()) -> CellBuffer {
        var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
        GridPainter(state, source: source).paint(on: &buffer)
        return buffer
    }

    private func state(_ frame: (Int, Int), _ metrics: (inout GridMetrics) -> Void = { _ in }) -> GridState {
        grid("a:9:i b:5 c:9:i", rows: 40, frame: frame) {
            $0.rowHeaderWidth = 6; $0.showsTotals = true; metrics(&$0)
        }
    }

    @Test func `A20, A7: totals are requested again if and only if a cell changes, visible or not`() {
        let source = Sum()
        var metrics = GridMetrics.threeHeaderLines
        metrics.showsTotals = true
        let grid = GridController(columns: columns("a:9:i"), dataSource: source, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 12, height: 10)
        grid.reload()
        func total() -> String {
            var buffer = CellBuffer(size: TerminalSize(columns: 12, rows: 10))
            grid.draw(on: &buffer)
            return buffer.line(9)
        }
        #expect(total() == "        0" && total() == "        0" && source.requestCount == 1)
        for (index, row) in [0, 30].enumerated() {
            source.values[row] = 5
            grid.reportChanges([CellChange(.risen, row: RowID(row), column: 0)])
            grid.tick(at: .now + .seconds(10 * (index + 1)))
            #expect(grid.needsDisplay && total() == ["        5", "       10"][index])
        }
        source.values[1] = 5
        grid.reloadRows([1])
        #expect(total() == "       15" && source.requestCount == 4)
    }

    @Test func `A8, C6: totals are drawn below their columns, with a rule above them and a corner text`() {
        var state = state((33, 12))
        #expect(
            picture(state).text == """
                no  │         a  b              c
                   1│         0  1              2
                   2│       100  101          102
                   3│       200  201          202
                   4│       300  301          302
                   5│       400  401          402
                   6│       500  501          502
                   7│       600  601          602
                   8│       700  701          702
                   9│       800  801          802
                ────┼────────────────────────────
                 sum│ 7,000,000         7,000,002
                """)
        state = state.after(.freeze(FrozenPanes(leading: 1, rows: 1, bottom: 1)), .move(.row(20)), .move(.column(2)))
        let buffer = picture(state)
        #expect(buffer.line(9) == "────┼──────────╂─────────────────" && buffer.line(11) == " sum│ 7,000,000┃        7,000,002")
        #expect(buffer.line(10).hasPrefix("  40│     3,900┃") && buffer.line(1).hasPrefix("   1│         0┃"))
        #expect(buffer[8, 11].style == Theme.dark.row.applying(Theme.dark.totals).textStyle)
        // Without row headers, the title is in a column without a total.
        state.metrics.rowHeaderWidth = 0
        #expect(picture(state.after(.freeze(FrozenPanes()))).line(11) == "7,000,000         7,000,002")
    }

    @Test func `A14: the pull strip shows what its release would do`() {
        var state = state((33, 9)).after(.freeze(FrozenPanes(rows: 1)), .setPull(GridPull(lines: 2)), .pull(by: 1))
        #expect(
            picture(state).lines()[1...3] == [
                "   1│         0  1              2", "        ↓ pull to reload", "   2│       100  101          102",
            ])
        state = state.after(.pull(by: 1))
        #expect(picture(state).lines()[2...4] == ["       ↑ release to reload", "", "   2│       100  101          102"])
        #expect(picture(state)[9, 2].style == Theme.dark.row.applying(Theme.dark.armedStrip).textStyle)
        #expect(!picture(state.after(.releasePull)).text.contains("reload"))
    }

    @Test func `C4: the loader follows the last row, and timer ticks animate only its symbol`() {
        let before = state((33, 6)) { $0.showsTotals = false }.after(.setLoader(GridLoader("more")), .move(.bottom))
        #expect(picture(before).lines().suffix(2) == ["  40│     3,900  3901       3,902", "             ▖ more"])
        let after = before.after(.tickLoader)
        #expect(picture(after).line(5) == "             ▘ more")
        #expect(zip(picture(before).cells, picture(after).cells).filter { $0 != $1 }.count == 1)
        #expect(picture(before.after(.setLoader(nil))).line(5).hasPrefix("  40│"))
    }

    @Test func `C6: the row header grows to its widest visible text, and never shrinks`() {
        let source = TotalSource([0: "one", 5: "a long one", 39: "last"])
        var state = state((40, 8)) {
            $0.fitsRowHeader = true; $0.rowHeaderWidth = 0; $0.showsTotals = false
        }
        state.fitHeaders(to: source)
        #expect(state.metrics.rowHeaderWidth == 13)
        state = state.after(.move(.bottom))
        state.fitHeaders(to: source)
        #expect(state.layout.rowHeaderWidth == 13)
        #expect(picture(state, source).line(7).hasPrefix("       last│ "))
        let scrolled = picture(state.after(.move(.top)), source)
        #expect(scrolled.line(6).hasPrefix(" a long one│ "))
        var fixed = self.state((40, 8))
        fixed.fitHeaders(to: source)
        #expect(fixed.layout.rowHeaderWidth == 6)
    }

    @Test(arguments: [false, true])
    func `C6: the row header has room for the corner text and, if totals are shown, for their title`(showsTotals: Bool) {
        let source = TotalSource()
        func width(corner: String, totals: String) -> Int {
            (source.corner, source.totalsTitle) = (CellContent(corner), totals)
            var state = state((60, 8)) {
                $0.fitsRowHeader = true; $0.rowHeaderWidth = 0; $0.showsTotals = showsTotals
            }
            state.fitHeaders(to: source)
            return state.metrics.rowHeaderWidth
        }
        #expect(width(corner: "no", totals: "sum") == (showsTotals ? 6 : 5))
        #expect(width(corner: "order number", totals: "sum") == 15)
        #expect(width(corner: "no", totals: "total") == (showsTotals ? 8 : 5))
    }

    @Test func `C6: the header is as tall as its tallest title, up to a limit`() {
        var state = grid("net:6:i short:5 z:9", rows: 3, frame: (30, 24)) {
            $0.maximumTitleLines = 3; $0.headerHeight = 2
        }
        var columns = state.columns.all
        columns[0].title = "net revenue 2024"
        state = state.after(.replaceColumns(columns), .setSort([ColumnSort(0)]))
        state.fitHeaders(to: nil)
        let source = TotalSource()
        #expect(
            picture(state, source).lines().prefix(6).joined(separator: "\n") == """
                   net
                revenu
                e 2024▲ short  z
                   int  text   text
                     0  1      2
                   100  101    102
                """)
        #expect(state.layout.headerHeight == 4)
        columns[0].width = .fixed(16)
        state = state.after(.replaceColumns(columns))
        state.fitHeaders(to: nil)
        #expect(state.layout.headerHeight == 2)
        #expect(picture(state, source).line(0) == "net revenue 2024▲ short  z   ›")
    }

    @Test func `C6: a header scrolled out of view leaves its lines to rows`() {
        var state = state((24, 6)) {
            $0.showsTotals = false; $0.hasStickyColumnHeaders = false; $0.hasStickyRowHeaders = false
        }
        #expect(picture(state).line(0).hasPrefix("no  │         a"))
        state = state.after(.scroll(items: 1, columns: 0))
        #expect(picture(state).line(0).hasPrefix("   2│       100  101"))
        state = state.after(.scroll(items: 0, columns: 1))
        #expect(picture(state).line(0).hasPrefix("      100  101"))
    }
}
