import DataGrid
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// The cost of each reload method, in calls.
@MainActor
@Suite struct ReloadTests {
    let source: CountingSource
    let styles = CountingDelegate()
    let grid: GridController

    init() {
        source = CountingSource(100)
        var metrics = GridMetrics()
        metrics.hasStickySectionHeaders = true
        metrics.headerHeight = 1
        metrics.columnSpacing = 1
        metrics.rowHeaderWidth = 5
        metrics.showsScrollBar = false
        grid = GridController(
            columns: (0..<4).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(6)) }, dataSource: source, delegate: styles,
            metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 33, height: 11)
        grid.reload()
        draw()
        _ = source.drainRequests()
        _ = styles.drainRequests()
    }

    @discardableResult
    func draw() -> [String] {
        var buffer = CellBuffer(size: TerminalSize(columns: max(33, grid.frame.width), rows: 11))
        grid.draw(on: &buffer)
        return buffer.lines()
    }

    @Test func `A7: a reload requests all visible content and all sizes once`() {
        grid.reload()
        #expect(source.drainRequests() == ["sections": 1, "rows": 1])
        draw()
        #expect(source.announced == (0..<10).map { RowID($0) })
        #expect(source.drainRequests() == ["cells": 40, "row headers": 10])
        #expect(styles.drainRequests() == ["rows": 10, "cells": 40])
    }

    @Test func `A7: redrawing, moving the cursor and selecting request no content`() {
        draw()
        grid.perform(.move(.down(1)))
        draw()
        grid.perform(.move(.right(2), extending: true))
        grid.setNeedsDisplay()
        draw()
        #expect(source.announced.isEmpty)
        #expect(source.drainRequests() == [:] && styles.drainRequests() == [:])
    }

    @Test func `A7: scrolling requests only new rows, and none on the way back; the cache is bounded`() {
        grid.perform(.scroll(items: 1, columns: 0))
        draw()
        #expect(source.announced == [10])
        #expect(source.drainRequests() == ["cells": 4, "row headers": 1] && styles.drainRequests() == ["rows": 1, "cells": 4])
        grid.perform(.scroll(items: -1, columns: 0))
        draw()
        #expect(source.drainRequests() == [:])
        for _ in 0..<60 {
            grid.perform(.scroll(items: 1, columns: 0))
            draw()
            #expect(grid.caches.contents.cells.size.rows <= 30 && grid.caches.styles.cells.size.rows <= 30)
        }
        #expect(source.drainRequests()["cells"] == 59 * 4)
    }

    @Test func `A7: reloadRows requests only the cells of these rows`() {
        source.names[3] = 333
        grid.reloadRows([3, 4, 70])
        #expect(grid.needsDisplay)
        #expect(draw()[4].contains("333a   333b"))
        #expect(source.drainRequests() == ["cells": 8, "row headers": 2] && styles.drainRequests() == ["rows": 2, "cells": 8])
        grid.reloadRows()
        draw()
        #expect(source.drainRequests() == ["cells": 40, "row headers": 10])
    }

    @Test func `A7: reloadColumns requests only the visible cells of these columns`() {
        grid.reloadColumns([1, 9])
        draw()
        #expect(source.cells.allSatisfy { $0[1] == 1 })
        #expect(source.drainRequests() == ["cells": 10] && styles.drainRequests() == ["cells": 10])
    }

    @Test func `A7: redrawing requests only the styles of the delegate`() {
        grid.redrawRows([2])
        draw()
        #expect(styles.drainRequests() == ["rows": 1, "cells": 4])
        grid.redrawRows()
        draw()
        #expect(styles.drainRequests() == ["rows": 10, "cells": 40])
        grid.redrawColumns([0, 3])
        draw()
        #expect(styles.drainRequests() == ["cells": 20])
        grid.perform(.setTheme(.light))
        draw()
        #expect(styles.drainRequests() == ["rows": 10, "cells": 40])
        #expect(source.drainRequests() == [:])
    }

    @Test func `A7, C4: reloadAppended requests the number of rows, and new visible rows`() {
        source.sections[0].rows = 103
        source.names += [100, 101, 102]
        grid.reloadAppended()
        draw()
        #expect(source.drainRequests() == ["sections": 1, "rows": 1] && styles.drainRequests() == [:])
        #expect(grid.state.rows.count == 103)
        grid.perform(.move(.bottom))
        #expect(draw().joined().contains("102a"))
        source.sections[0].rows = 50
        grid.reloadAppended()
        #expect(grid.state.rows.count == 103, "it ignores removed rows")
    }

    @Test func `A7: a new source, delegate or column list requests everything again`() {
        let other = CountingSource(100)
        grid.dataSource = other
        draw()
        #expect(other.drainRequests()["cells"] == 40)
        grid.columns = grid.columns.reversed()
        draw()
        #expect(other.drainRequests()["cells"] == 40)
        grid.removeColumn(0)
        grid.addColumn(Column(id: 8, title: "i", width: .fixed(6)))
        draw()
        #expect(other.drainRequests() == ["cells": 10])
        grid.removeColumn(atPlace: 0)
        grid.insertColumns([Column(id: 0, title: "a", width: .fixed(6))], atPlace: 0)
        grid.moveColumn(8, toIndex: 0)
        #expect(grid.columns.map(\.id) == [8, 0, 2, 1])
        let styles = CountingDelegate()
        grid.delegate = styles
        draw()
        #expect(styles.drainRequests()["rows"] == 10)
    }

    @Test func `A7, A9: measuring rows requests no cell twice, and restarts when cells are requested again`() {
        grid.configure { $0.metrics.hasAutomaticRowHeights = true }
        grid.reload()
        draw()
        #expect(source.drainRequests()["cells"] == 40)
        let before = grid.state.rowHeightSource
        grid.redrawRows()
        draw()
        #expect(grid.state.rowHeightSource === before && source.drainRequests() == [:])
        grid.reloadRows([3, 70])
        draw()
        #expect(grid.state.rowHeightSource !== before && source.drainRequests()["cells"] == 4)
        grid.perform(.scroll(items: 1, columns: 0))
        draw()
        #expect(source.drainRequests()["cells"] == 4)
    }

    // MARK: Sections

    func nestSections() {
        source.sections = [(3, "x", nil, 0), (1, "p", "moving on", 3), (1, "q", nil, 2), (-1, "y", nil, 4)]
        grid.frame = TerminalRect(x: 0, y: 0, width: 35, height: 11)
        grid.perform(.setMetrics(changed(grid.state.metrics) { $0.rowHeaderWidth = 0 }))
        grid.reload()
    }

    private func changed(_ metrics: GridMetrics, _ change: (inout GridMetrics) -> Void) -> GridMetrics {
        var metrics = metrics
        change(&metrics)
        return metrics
    }

    @Test func `A2, A15: sections of a source are nested, and visible scrolling titles and aggregates are requested`() {
        nestSections()
        #expect(source.drainRequests() == ["sections": 1, "rows": 3], "parent sections are not asked")
        func lines() -> [String] { draw().prefix(9).map { String($0.reversed().drop { $0 == " " }.reversed()) } }
        #expect(
            lines() == [
                "0      1      2      3", "▾ x  5 rows  1 sum 0", "  ▾ p  3 rows  moving on  1 sum 30", "0a     0b     0c     0d",
                "1a     1b     1c     1d",
                "2a     2b     2c     2d", "  ▾ q  2 rows  1 sum 20", "3a     3b     3c     3d", "4a     4b     4c     4d",
            ])
        #expect(source.drainRequests()["moving"] == 4)
        #expect(grid.state.outline.tree!.sections.map(\.level) == [0, 1, 1, 0])
        draw()
        #expect(source.drainRequests() == [:])
        grid.frame.width = 20
        grid.perform(.scroll(items: 0, columns: 1))
        #expect(lines()[2] == "  ▾ p  3 rows  …n  …")
    }

    @Test func `C4, A15: reloadAppended reads new rows at the end of sections, and requests nothing before them`() {
        nestSections()
        draw()
        grid.perform(.setCollapsed(section: 2, true))
        _ = source.drainRequests()
        source.sections[3].rows = 6
        source.sections.append((0, "w", nil, 3))
        source.names = Array(0..<100)
        grid.reloadAppended()
        #expect(source.drainRequests() == ["rows": 2, "sections": 1])
        #expect(grid.state.outline.tree!.sections.map(\.rows) == [0..<5, 0..<3, 3..<5, 5..<11, 11..<14])
        #expect(grid.state.outline.collapsed == [false, false, true, false, false])
        grid.reloadAppended()
        #expect(grid.state.rows.count == 14)
        source.sections.append((1, "inner", nil, 1))
        grid.reloadAppended()
        #expect(grid.state.outline.tree!.sections.map(\.level) == [0, 1, 1, 0, 0, 1], "requests everything if necessary")
    }

    @Test func `A7: reload requests level and title of each section once, even if none has a title`() {
        for titles in [[nil], [""], ["p"], [nil, nil, "q"]] as [[String?]] {
            source.sections = titles.map { (0, $0, nil, 2) }
            _ = source.drainRequests()
            grid.reload()
            #expect(source.titleRequests == Array(titles.indices) && source.levelRequests == Array(titles.indices))
            #expect(source.drainRequests() == ["sections": 1, "rows": titles.count])
            #expect((grid.state.outline.tree != nil) == (titles != [nil]))
        }
    }

    @Test func `A7, A15: reloadAppended requests nothing from the delegate except the style of a new visible header`() {
        nestSections()
        grid.perform(.setMetrics(changed(grid.state.metrics) { $0.showsTotals = true }))
        draw()
        (_, _) = (source.drainRequests(), styles.drainRequests())
        source.sections[3].rows = 5
        grid.reloadAppended()
        draw()
        #expect(source.titleRequests.isEmpty && source.levelRequests.isEmpty && styles.drainRequests() == [:])
        let requests = source.drainRequests()
        #expect(requests["sections"] == 1 && requests["rows"] == 1 && requests["cells"] == nil && requests["aggregates"] ?? 0 > 0)
        source.sections.append((0, "w", nil, 3))
        grid.reloadAppended()
        #expect(source.titleRequests == [4] && source.levelRequests == [4])
        draw()
        #expect(styles.drainRequests() == [:], "the header is not visible")
        grid.frame.height = 14
        draw()
        _ = styles.drainRequests()
        grid.removeSection(4)
        draw()
        #expect(styles.drainRequests()["headers"] ?? 0 > 0, "after removed sections, requests all headers")
    }

    @Test func `A19: a grid of objects sorts at header clicks, moves its selection along, and highlights changes`() {
        struct Share: Identifiable {
            var id: Int
            var name: String
            var price: Double
        }
        let shares = ObjectSource(
            (0..<50).map { Share(id: $0, name: "s\($0)", price: Double($0 * 37 % 50)) },
            columns: [ObjectColumn("Name", \.name) { $0.sortMode = .none }, ObjectColumn("Price", \.price)])
        let grid = GridController(columns: [], metrics: .threeHeaderLines)
        grid.frame = TerminalRect(x: 0, y: 0, width: 33, height: 11)
        shares.attach(to: grid)
        #expect(grid.columns.map(\.title) == ["Name", "Price"] && grid.state.rows.count == 50)
        shares.select([3])
        var buffer = CellBuffer(size: TerminalSize(columns: max(33, grid.frame.width), rows: 11))
        func names() -> [String] { grid.state.visibleRows.prefix(3).map { shares.object($0)!.name } }
        grid.activateHeader(0)
        #expect(grid.state.sort.isEmpty)
        grid.activateHeader(1)
        #expect(names() == ["s0", "s23", "s46"] && shares.selectedObjects.map(\.id) == [3])
        grid.activateHeader(1)
        #expect(names() == ["s27", "s4", "s31"])
        grid.draw(on: &buffer)
        shares.update(4) { $0.price = 12 }
        #expect(grid.highlights.change(ofRow: 4, column: 1, at: 0)?.change == .fall)
        shares.update(23) { $0.price = 12 }
        #expect(grid.highlights.count == 1, "the row is not visible")
        grid.activateHeader(1)
        #expect(names() == ["s0", "s1", "s2"])
        grid.reload()
        #expect(names() == ["s0", "s1", "s2"] && grid.state.rows.count == 50)
        grid.perform(.moveRows(0..<1, to: 2))
        #expect(shares.objects.prefix(3).map(\.id) == [1, 2, 0])
        grid.draw(on: &buffer)
        #expect(buffer.lines().joined().contains("s1"))
    }

    /// Counts style requests for columns, rules and sections.
    private final class StyleCounter: GridDelegate {
        var calls: [String: Int] = [:]
        func drainRequests() -> [String: Int] {
            defer { calls = [:] }
            return calls
        }
        private func count(_ what: String) -> CellStyle? {
            calls[what, default: 0] += 1
            return nil
        }
        func style(ofColumn column: ColumnID) -> CellStyle? { count("columns") }
        func style(ofRule rule: GridRule) -> CellStyle? { count("lines") }
        func style(ofSection section: Int) -> CellStyle? { count("sections") }
        func headerStyle(ofSection section: Int) -> CellStyle? { count("headers") }
    }

    @Test func `A7: redrawing requests the styles of columns and rules again; redrawing rows also those of sections`() {
        nestSections()
        let wholes = StyleCounter()
        grid.delegate = wholes
        grid.perform(.setMetrics(changed(grid.state.metrics) { $0.gridLines = .both }))
        draw()
        let all = wholes.drainRequests()
        #expect(Set(all.keys) == ["columns", "lines", "sections", "headers"])
        draw()
        #expect(wholes.drainRequests() == [:])
        grid.redrawColumns([0])
        draw()
        #expect(wholes.drainRequests() == all.filter { ["columns", "lines"].contains($0.key) })
        grid.redrawRows([1])
        draw()
        #expect(wholes.drainRequests() == all)
    }

    @Test func `A7, A15: reloadColumns also requests totals and section aggregates`() {
        nestSections()
        draw()
        _ = source.drainRequests()
        grid.reloadColumns([0])
        draw()
        let requests = source.drainRequests()
        #expect(requests["moving"] ?? 0 > 0 && requests["aggregates"] == requests["moving"])
        let table = RecordingSource("a|b\nc|d")
        table.totals = [1: CellContent("before")]
        grid.dataSource = table
        grid.perform(.setMetrics(changed(grid.state.metrics) { $0.showsTotals = true }))
        grid.reload()
        #expect(draw().joined().contains("before"))
        table.totals = [1: CellContent("later")]
        #expect(draw().joined().contains("before"))
        grid.reloadColumns([1])
        #expect(draw().joined().contains("later"))
    }

    @Test func `A10: a reload keeps the selection of identified rows, even of rows that a filter hides for a while`() {
        /// A data source that can be filtered.
        final class Filtered: GridDataSource {
            var rows: [UInt32] = [0, 1, 2, 3]
            var rowOrder: RowOrder? { .permuted(RowPermutation(rows)) }
            func numberOfRows(inSection section: Int) -> Int { rows.count }
            func content(row: RowID, column: ColumnID) -> CellContent { CellContent("\(row.rawValue)") }
        }
        let source = Filtered()
        let grid = GridController(columns: [Column(id: 0, title: "a")], dataSource: source, metrics: .threeHeaderLines)
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 9)
        grid.reload()
        grid.perform(.setSelectedRows([1, 3]))
        for (rows, selected) in [([3, 1, 0], [3, 1]), ([1, 2], [1]), ([2], []), ([0, 1, 2, 3], [1, 3])] as [([UInt32], [RowID])] {
            source.rows = rows
            grid.reload()
            #expect(grid.state.selectedRows() == selected)
        }
    }
}
