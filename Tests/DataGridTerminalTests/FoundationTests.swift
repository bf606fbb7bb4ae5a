import DataGrid
import DataGridTerminal
import Foundation
import Testing

/// Use of the grid in a file that also imports Foundation. The names of both can be used without qualification.
@MainActor
@Suite struct FoundationTests {
    private final class Table: GridDataSource, GridDelegate {
        var sorted: [[ColumnSort]] = []
        var requestedKeys: [[ColumnSort]] = []
        var notified: [[ColumnSort]] = []

        func numberOfRows(inSection section: Int) -> Int { 3 }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent("\(row.rawValue)") }
        func sort(by keys: [ColumnSort]) { sorted.append(keys) }
        func shouldSort(by keys: [ColumnSort]) -> Bool {
            requestedKeys.append(keys)
            return true
        }
        func didSort(by keys: [ColumnSort]) { notified.append(keys) }
    }

    @Test func `A3, A18: with Foundation imported, sources and delegates receive sort keys, and views are coded as JSON`() throws {
        func open(_ table: Table) -> GridController {
            let grid = GridController(columns: [Column(id: 0, title: "a")], dataSource: table, delegate: table, metrics: .threeHeaderLines)
            grid.reload()
            return grid
        }
        let keys = [ColumnSort(0)]
        let table = Table()
        let grid = open(table)
        grid.activateHeader(0)
        #expect(table.requestedKeys == [keys] && table.notified == [keys] && table.sorted == [keys])
        let view = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(grid.state.savedView))
        let other = Table()
        let restored = open(other)
        restored.perform(.restore(view))
        #expect(restored.state.sort == keys && other.notified == [keys] && other.sorted == [keys])
    }
}
