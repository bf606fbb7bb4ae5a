import TerminalGrid

@MainActor final class Squares: GridDataSource {
    let gridColumns = [Column(id: 0, title: "n", kind: .integer, width: .fixed(9)), Column(id: 1, title: "n²", kind: .integer)]
    func numberOfRows(inSection section: Int) -> Int { 1_000_000 }
    func content(row: RowID, column: ColumnID) -> CellContent {
        CellContent(String(column == 0 ? row.rawValue : row.rawValue * row.rawValue))
    }
}
let grid = GridController(owning: Squares())
CursesBackend.runProgram { try GridApplication.run(grid, on: $0) }
