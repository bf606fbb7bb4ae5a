import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    mutating func openRecord() -> [AppEffect] {
        if case .header(let section) = grid.cursor.item { return change(.toggleSection(section)) }
        guard grid.currentRow != nil else { return grid.columns.visible.isEmpty ? say(.noColumns) : say(.noRows) }
        overlay = RowView()
        return [.showField, .readRecord]
    }
}
