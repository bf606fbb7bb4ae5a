import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    mutating func openRecord() -> [AppEffect] {
        if case .header(let section) = grid.cursor.item { return changeGrid(.toggleSection(section)) }
        guard let row = grid.currentRow else { return grid.columns.visible.isEmpty ? show(.noColumns) : show(.noRows) }
        if document.listsTables { return [.openTable(record: row.rawValue)] }
        overlay = RowView()
        return [.showMatch, .readRecord]
    }
}
