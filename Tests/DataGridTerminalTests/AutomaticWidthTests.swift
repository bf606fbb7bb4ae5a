import DataGrid
import FieldValues
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// Widths of columns that have no explicit width.
@MainActor
@Suite struct AutomaticWidthTests {
    private final class RecordingDelegate: GridDelegate {
        var fitsItself = false
        var frozen: Set<ColumnID> = []
        var log: [String] = []
        var own: [ColumnID: Int] = [:]
        func shouldFit(column: ColumnID) -> Bool {
            log.append("fit \(column.rawValue)")
            return !fitsItself
        }
        func shouldResize(column: ColumnID, to width: Int) -> Bool { !frozen.contains(column) }
        func didResize(column: ColumnID, to width: Int) { log.append("\(column.rawValue) is \(width)") }
        func width(ofColumn column: ColumnID) -> Int? { own[column] }
    }

    private let recorder = RecordingDelegate()

    private func columns(_ titles: String, _ width: WidthRule = .automatic) -> [Column] {
        titles.split(separator: " ").enumerated().map { Column(id: ColumnID($0), title: String($1), width: width) }
    }

    private func open(_ source: any GridDataSource, _ columns: [Column], width: Int = 60, height: Int = 4) -> GridController {
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.columnSpacing = 1
        metrics.showsScrollBar = false
        let grid = GridController(columns: columns, dataSource: source, delegate: recorder, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: width, height: height)
        return grid
    }

    private func draw(_ grid: GridController) {
        var buffer = CellBuffer(size: TerminalSize(columns: grid.frame.width, rows: grid.frame.height))
        grid.draw(on: &buffer)
    }

    private func widths(_ grid: GridController) -> [Int] { grid.state.layout.geometry.widths }

    @Test func `A9: flexible columns share the frame's width, whatever their content`() {
        let grid = open(RecordingSource("x|12345678901234567890|y"), columns("a b c", .flexible), width: 41)
        grid.reload()
        draw(grid)
        #expect(widths(grid) == [13, 13, 13])
    }

    @Test func `A9: a controller without explicit sizes fits the columns to the frame`() {
        let source = RecordingSource(
            "Ada|London|the first program for a machine\nGrace|New York|the first compiler\nHedy|Vienna|frequencies that hop\nZuse|Berlin|Z3"
        )
        let grid = open(source, columns("name city note", .standard), width: 60, height: 5)
        grid.reload()
        func text(_ width: Int) -> String {
            grid.frame.width = width
            var buffer = CellBuffer(size: TerminalSize(columns: width, rows: 5))
            grid.draw(on: &buffer)
            return buffer.text
        }
        let wide = """
            name      city          note
            Ada       London        the first program for a machine
            Grace     New York      the first compiler
            Hedy      Vienna        frequencies that hop
            Zuse      Berlin        Z3
            """
        #expect(text(60) == wide)
        #expect(
            text(36) == """
                name  city     note
                Ada   London   the first program fo…
                Grace New York the first compiler
                Hedy  Vienna   frequencies that hop
                Zuse  Berlin   Z3
                """)
        #expect(
            text(20) == """
                name  city     note›
                Ada   London   the …
                Grace New York the …
                Hedy  Vienna   freq…
                Zuse  Berlin   Z3
                """, "four of eight cells have no room, so they scroll")
        #expect(text(60) == wide)
        #expect(source.cells == 12, "reads each cell once")
    }

    @Test func `A9, A7: measured widths depend neither on the frame nor on the scroll position`() {
        let long = String(repeating: "x", count: 90)
        let source = RecordingSource((0..<20).map { $0 == 12 ? "1234567890|\(long)" : "12|\(long)" }.joined(separator: "\n"))
        let grid = open(source, columns("a b", .standard), width: 20)
        grid.reload()
        #expect(widths(grid) == [4, 15])
        grid.perform(.move(.row(12)))
        draw(grid)
        #expect(widths(grid) == [4, 15])
        grid.frame.width = 101
        #expect(widths(grid) == [7, 93])
        grid.frame.width = 20
        grid.reload()
        #expect(widths(grid) == [9, 10])
        grid.perform(.setWidth(0, .fixed(6)))
        #expect(widths(grid) == [6, 13])
    }

    @Test func `A9, A3: if the delegate vetoes a dragged width, the columns before it stay fitted`() {
        let grid = open(RecordingSource("a|b|c"), columns("a b c", .standard), width: 41)
        grid.reload()
        let before = grid.state
        recorder.frozen = [1]
        grid.handle(.mouse(MouseEvent(.press(.left), x: 27, y: 0)))
        grid.handle(.mouse(MouseEvent(.drag(.left), x: 31, y: 0)))
        grid.handle(.mouse(MouseEvent(.release(.left), x: 31, y: 0)))
        #expect(grid.state.columns == before.columns)
        recorder.frozen = []
        grid.handle(.mouse(MouseEvent(.press(.left), x: 27, y: 0)))
        grid.handle(.mouse(MouseEvent(.drag(.left), x: 31, y: 0)))
        grid.handle(.mouse(MouseEvent(.release(.left), x: 31, y: 0)))
        #expect(widths(grid) == [13, 17, 9])
    }

    @Test func `B3, A9: automatic columns fit their titles and visible cells, within their limits`() {
        let source = RecordingSource("x|1234567|日本語日本|y|x\nxyz|9|1|y|x\nx|·|1|y|x\nnot in sight|1|1|y|x\nlast|1|1|y|x")
        var all = columns("a number cjk wide-title none")
        all[1].kind = .integer
        all[2].maximumWidth = 7
        all[4].width = .fixed(9)
        let grid = open(source, all)
        #expect(source.cells == 0)
        grid.reload()
        #expect(widths(grid) == [4, 9, 7, 10, 9])
        #expect(source.cells == 13, "the title is wider, or the width is at its limit")
        draw(grid)
        #expect(source.cells == 18, "measured cells are not read again")
        draw(grid)
        #expect(source.cells == 18)
    }

    @Test func `B3, A9: automatic widths also fit the first and last row, so that ascending numbers fit`() {
        let source = RecordingSource { row, _ in CellContent(String(row.rawValue * row.rawValue)) }
        source.rows = Array(repeating: [], count: 10_000)
        let grid = open(source, columns("a b"), height: 11)
        grid.reload()
        #expect(widths(grid) == [8, 8] && source.cells == 22)
        grid.perform(.move(.bottom))
        grid.reload()
        #expect(widths(grid) == [8, 8])
    }

    @Test func `B3, A7: automatic column widths follow new content only on a reload`() {
        let source = RecordingSource((0..<20).map { String(repeating: "x", count: 10 + $0) }.joined(separator: "\n") + "\nz")
        let grid = open(source, columns("a"))
        grid.reload()
        #expect(widths(grid) == [12])
        grid.perform(.scroll(items: 9, columns: 0))
        grid.perform(.move(.bottom))
        source.rows[19] = [CellContent(String(repeating: "y", count: 22))]
        grid.reloadRows()
        draw(grid)
        #expect(widths(grid) == [12])
        grid.reload()
        #expect(widths(grid) == [28])
        grid.perform(.move(.top))
        #expect(widths(grid) == [28])
        grid.perform(.setWidth(0, .fixed(5)))
        grid.reload()
        #expect(widths(grid) == [5], "the user set the width")
    }

    private final class Sheet: GridDataSource {
        var cells: [[String]]
        init(_ cells: [[String]]) { self.cells = cells }
        func numberOfRows(inSection section: Int) -> Int { cells.count }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent(cells[row.rawValue][column.rawValue]) }
        func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
            cells[row.rawValue][column.rawValue] = text
            return .accepted
        }
        func total(column: ColumnID) -> CellContent? {
            column == 0 ? CellContent(.integer(cells.compactMap { Int64($0[0]) }.reduce(0, +))) : nil
        }
    }

    @Test func `B3, A3: a measured width grows to fit an edited value or its total, and never shrinks`() {
        let sheet = Sheet([["1", "x"], ["2", "y"]])
        var all = columns("n t")
        all[0].kind = .integer
        let grid = open(sheet, all)
        grid.reload()
        #expect(widths(grid) == [3, 4])
        func edit(_ text: String, _ column: ColumnID = 0) {
            grid.beginEditing(row: 0, column: column, typed: text)
            #expect(grid.commitEditing())
        }
        func line(_ y: Int) -> String {
            var buffer = CellBuffer(size: TerminalSize(columns: grid.frame.width, rows: grid.frame.height))
            grid.draw(on: &buffer)
            return buffer.line(y)
        }
        edit("123456")
        #expect(widths(grid) == [7, 4] && line(1) == "123,456 x")
        edit("7")
        #expect(widths(grid) == [7, 4])
        edit("longer", 1)
        #expect(widths(grid) == [7, 6])
        sheet.cells[1] = ["1234567", "changed by code"]
        grid.reportChanges([CellChange(.risen, row: 1, column: 0), CellChange(.changed, row: 1, column: 1)])
        #expect(widths(grid) == [7, 6] && line(2) == "      … chang…", "a number is not cut")
        sheet.cells[1][0] = "2"
        grid.metrics.showsTotals = true
        edit("9999998")
        #expect(widths(grid) == [10, 6], "the total is 10,000,000")
        grid.perform(.setWidth(0, .fixed(5)))
        edit("123456789")
        #expect(widths(grid) == [5, 6] && line(1).hasPrefix("    … "), "the user set the width")
        let fitted = open(sheet, columns("n t", .standard))
        fitted.reload()
        let before = widths(fitted)
        fitted.beginEditing(row: 0, column: 1, typed: "much longer")
        #expect(fitted.commitEditing() && widths(fitted) == before && before[1] > 11, "the value fits")
        #expect(sheet.cells[0][1] == "much longer")
    }

    @Test func `B3: added columns and newly shown columns are measured, unless the delegate sets their width`() {
        let source = RecordingSource("aaaaaaaaaa|bbbbbbbbbb|cccccccccc|dddddddddd")
        let grid = open(source, [])
        grid.reload()
        recorder.own = [1: 7]
        grid.columns = Array(columns("a b").prefix(2))
        #expect(widths(grid) == [10, 7])
        recorder.own[3] = 5
        var hidden = Column(id: 2, title: "c", width: .automatic)
        hidden.isHidden = true
        grid.addColumns([hidden, Column(id: 3, title: "d", width: .automatic)])
        #expect(widths(grid) == [10, 7, 5] && source.requests[0]!.contains(2) == false)
        grid.perform(.setHidden(2, false))
        #expect(widths(grid) == [10, 7, 10, 5])
        grid.addColumn(Column(id: 4, title: "e", width: .automatic, measuredWidth: 8))
        #expect(widths(grid).last == 8)
        grid.reload()
        #expect(widths(grid).last == 8, "a width measured by the host is kept")

        recorder.own = [1: 6]
        let plain = open(source, columns("a b c", .standard) + [Column(id: 3, title: "d", width: .automatic)])
        plain.configure { $0.metrics.defaultColumnWidth = 4 }
        plain.reload()
        #expect(
            widths(plain) == [4, 6, 4, 10], "the default width applies to columns without a width or a delegate width")
        plain.configure { $0.metrics.defaultColumnWidth = nil }
        plain.reload()
        #expect(widths(plain) == [20, 6, 21, 10], "the delegate's width is fixed: the other columns share the rest")
    }

    @Test(
        arguments: [WidthRule.standard, .automatic])
    func `A3, A9: a column fits its content again after the delegate withdraws its width`(rule: WidthRule) {
        let source = RecordingSource("aaaaaaaaaa|bbbbbbbbbb\nc|d")
        let grid = open(source, columns("a b", rule), width: 41)
        grid.reload()
        let plain = widths(grid)
        recorder.own = [0: 5]
        grid.reload()
        #expect(widths(grid)[0] == 5)
        recorder.own = [:]
        grid.reload()
        #expect(widths(grid) == plain && grid.state.columns.all.map(\.width) == [rule, rule])
        // A column with a delegate width from the start has not been measured.
        recorder.own = [0: 5]
        let other = open(source, columns("a b", rule), width: 41)
        let requestCount = source.requests.values.joined().count { $0 == 0 }
        other.reload()
        #expect(source.requests.values.joined().count { $0 == 0 } == requestCount, "a delegate width needs no measuring")
        recorder.own = [:]
        source.rows[0][0] = CellContent("aaaaaaaaaaaaaa")
        other.reload()
        grid.reload()
        #expect(widths(other) == widths(grid) && widths(grid) != plain)
        recorder.own = [0: 5]
        other.reload()
        other.delegate = nil
        other.reload()
        #expect(widths(other) == widths(grid))
    }

    @Test func `A18, B3: a reload measures restored widths again, except those that the host has measured`() {
        let source = RecordingSource("aaa|b|c\nc|d|e")
        func open(measured: Int) -> GridController {
            var all = columns("a b c")
            all[2].measuredWidth = measured
            let grid = self.open(source, all)
            grid.reload()
            return grid
        }
        let view = open(measured: 9).state.savedView
        source.rows[0][0] = CellContent("aaaaaaaaaaaaaaaa")
        let grid = open(measured: 11)
        #expect(widths(grid) == [16, 4, 11])
        grid.perform(.restore(view))
        #expect(widths(grid) == [4, 4, 9], "restored")
        grid.reload()
        #expect(widths(grid) == [16, 4, 9])
        // A view is also restored before the columns are measured.
        let early = self.open(source, columns("a b c"))
        early.perform(.restore(view))
        #expect(widths(early) == [4, 4, 9])
        early.reload()
        #expect(widths(early) == [16, 4, 4])
    }

    @Test func `A9, A8: totals count as content when columns and transposed rows are measured`() {
        let source = RecordingSource("a|b\nc|d")
        source.totals = [0: CellContent("1234567890")]
        let grid = open(source, columns("a b"), height: 8)
        func fit() -> Int? {
            grid.reload()
            grid.fitTransposedRows()
            return grid.state.metrics.transposedRowWidth
        }
        grid.reload()
        let without = widths(grid)
        grid.configure { $0.metrics.showsTotals = true }
        grid.reload()
        #expect(without[0] < 10 && widths(grid) == [10, without[1]])
        grid.perform(.setPresentation(.transposed))
        #expect(fit() == 10)
        grid.configure { $0.metrics.showsTotals = false }
        #expect(fit() == grid.state.metrics.minimumColumnWidth)
    }

    @Test func `B3: the first rows determine the widths; until they arrive, columns share the frame's width`() {
        let source = RecordingSource("")
        source.rows = []
        let grid = open(source, columns("a b"), width: 41)
        grid.reload()
        #expect(widths(grid) == [20, 20])
        source.rows = [[CellContent("abcdefgh"), CellContent("ij")]]
        grid.reloadAppended()
        #expect(widths(grid) == [8, 4])
    }

    @Test(
        arguments: [WidthRule.automatic, .standard])
    func `B3: without rows, titles are not cut, and the first rows then determine the widths`(width: WidthRule) {
        let source = RecordingSource("")
        source.rows = []
        let grid = open(source, columns("alphabetical b c d", width), width: 30)
        grid.reload()
        #expect(widths(grid)[0] >= 12 && widths(grid).reduce(3, +) <= 30, "\(widths(grid))")
        grid.perform(.move(.lastColumn))
        source.rows = [["abcdefghijklmno", "b", "c", "d"].map { CellContent($0) }]
        grid.reloadAppended()
        #expect(widths(grid)[0] >= 15 && widths(grid).reduce(3, +) <= 30, "\(widths(grid))")
    }

    @Test func `B3, A6: with ten thousand columns, only the cells of three screens and the other titles are read`() {
        var requestedColumns: Set<Int> = []
        let source = RecordingSource { _, column in
            requestedColumns.insert(column.rawValue)
            return CellContent("12345678")
        }
        source.rows = Array(repeating: [], count: 100)
        let grid = open(source, (0..<10_000).map { Column(id: ColumnID($0), title: "c\($0)", width: .automatic) }, width: 60, height: 11)
        grid.reload()
        #expect(requestedColumns.count <= 60 && source.cells <= 600 && requestedColumns.isSuperset(of: 0..<20))
        #expect(widths(grid)[0..<20].allSatisfy { $0 == 8 } && widths(grid)[9_999] == 5)
        let before = widths(grid)
        grid.perform(.move(.lastColumn))
        draw(grid)
        #expect(widths(grid) == before)
        grid.reload()
        #expect(widths(grid)[9_999] == 8 && widths(grid)[0] == 8 && widths(grid)[5_000] == before[5_000])
    }

    @Test func `A9, A3: a double click on a column edge, or a call, fits columns unless the delegate fits them itself`() {
        let source = RecordingSource("abcdefgh|ab|abc\nabc|abcdefghijk|abc")
        let grid = open(source, (0..<3).map { Column(id: ColumnID($0), title: "c\($0)", width: .fixed(5)) })
        grid.reload()
        draw(grid)
        let cells = source.cells
        func doubleClick(_ x: Int) {
            for _ in 0..<2 {
                grid.handle(.mouse(MouseEvent(.press(.left), x: x, y: 0)))
                grid.handle(.mouse(MouseEvent(.release(.left), x: x, y: 0)))
            }
        }
        recorder.fitsItself = true
        doubleClick(5)
        #expect(recorder.log == ["fit 0"] && widths(grid) == [5, 5, 5])
        recorder.fitsItself = false
        recorder.log = []
        doubleClick(11)
        #expect(widths(grid) == [5, 11, 5] && recorder.log == ["fit 1", "1 is 11"])
        #expect(source.cells == cells, "visible cells are not read again")
        grid.perform(.setWidth(1, .fixed(30)))
        recorder.frozen = [0]
        recorder.log = []
        grid.fitColumns()
        #expect(widths(grid) == [5, 11, 3] && Set(recorder.log) == ["1 is 11", "2 is 3"])
        #expect(grid.state.columns[0].width == .fixed(5) && grid.state.columns[2].width == .automatic)
        recorder.frozen = []
        grid.fit(column: 0)
        #expect(widths(grid) == [8, 11, 3])
        source.rows[0][0] = CellContent("a")
        grid.reload()
        #expect(widths(grid) == [4, 11, 4], "the column stays automatic")
        #expect(GridInput.help().flatMap(\.entries).contains { $0.text.contains("double click fits") })
    }
}
