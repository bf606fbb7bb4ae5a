import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// The current field of the row view, as the index of its visible column.
    var currentField: Int {
        (overlay as? RowView)?.fieldNotOnCards.map { min($0, max(0, grid.columns.count - 1)) } ?? grid.cursor.column
    }

    /// The column of the current field of the row view; `nil` if there are no visible columns.
    var currentFieldColumn: Column? { currentField < grid.columns.count ? grid.columns[currentField] : nil }

    /// Makes another field of the row view the current one, and moves the cursor to its column or, on cards, to the nearest one.
    mutating func selectField(_ index: Int) {
        controller.perform(.moveCursor(GridCursor(item: grid.cursor.item, column: index)))
        guard var view = overlay as? RowView else { return }
        view.fieldNotOnCards = grid.cursor.column == index ? nil : index
        overlay = view
    }

    mutating func openRecord() -> [AppEffect] {
        if case .header(let section) = grid.cursor.item { return changeGrid(.toggleSection(section)) }
        guard let row = grid.currentRow else { return grid.columns.visible.isEmpty ? show(.noColumns) : show(.noRows) }
        if document.listsTables { return [.openTable(record: row.rawValue)] }
        overlay = RowView(fieldNotOnCards: matchColumnNotOnCards)
        return [.showMatch, .readRecord]
    }
}
