import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// Opens the menu of a visible cell. If the cell is selected, the commands act on the selection. Otherwise, the selection is cleared,
    /// and the cursor moves to the cell.
    /// - Parameter id: the column of the cell; `nil` for the current column.
    mutating func openCellMenu(_ row: RowID, _ id: ColumnID?) {
        let index = id.flatMap { grid.columns.index(of: $0) } ?? grid.cursor.column
        guard index < grid.columns.count, let position = grid.layout.positions.first(where: { grid.rows[$0] == row }) else { return }
        let column = grid.columns[index]
        let isSelected = grid.selection.contains(row: position, column: column.id)
        controller.perform(isSelected ? .setSelection(grid.selection) : .clearSelection)
        if !isSelected { controller.perform(.moveCursor(GridCursor(item: .row(position), column: index))) }
        let commands: [CommandID] =
            isSelected
            ? [.copy, .copyWithHeader, .copyAs, .export]
            : [.copy, .copyAs, .filterByCell, .filterExcludingCell, .searchCell, .record, .mark, .frequencies, .statistics]
        var panel = ListPanel(purpose: .commands, title: isSelected ? "Selection" : column.title, rows: rows(commands), of: column.id)
        // The menu is below the cell or, if there is too little room, higher up.
        panel.top = grid.layout.itemSpans.first { $0.item == .row(position) }
            .map { min(AppLayout(self).gridY + $0.y + 1, size.rows - 5 - commands.count) }
        overlay = panel
    }
}
