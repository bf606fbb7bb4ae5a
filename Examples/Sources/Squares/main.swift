import CursesTerminal
import DataGrid
import DataGridTerminal

@MainActor final class Squares: GridDataSource {
    func numberOfRows(inSection section: Int) -> Int { 1_000_000 }
    func content(row: RowID, column: ColumnID) -> CellContent {
        CellContent(String(column == 0 ? row.rawValue : row.rawValue * row.rawValue))
    }
}
let source = Squares()
let columns = [Column(id: 0, title: "n", kind: .integer, width: .fixed(9)), Column(id: 1, title: "n²", kind: .integer, width: .automatic)]
let grid = GridController(columns: columns, dataSource: source)
grid.reload()
CursesBackend.runProgram { try GridApplication.run(grid, on: $0) }
