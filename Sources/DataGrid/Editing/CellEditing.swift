/// A cell that is being edited in its place.
public struct CellEditing: Hashable, Sendable {
    /// The row of the cell.
    public internal(set) var row: RowID
    /// Its column.
    public let column: ColumnID
    /// What the cell said when the editor was opened.
    public let original: String
    /// What has been typed.
    public internal(set) var field: TextField
    /// Why what was typed was not taken; `nil` when it was not tried, or has been changed since.
    public internal(set) var rejection: String?

    /// An editor for a cell that says `original`.
    /// - Parameters:
    ///   - row: the row of the cell.
    ///   - column: its column.
    ///   - original: what the cell says before.
    ///   - typed: what takes the place of that; `nil`: it stays, with the cursor behind it.
    public init(row: RowID, column: ColumnID, original: String, typed: String? = nil) {
        self.row = row
        self.column = column
        self.original = original
        field = TextField(original)
        if let typed {
            field = TextField()
            field.insert(typed)
        }
    }

    /// Whether what has been typed differs from what the cell said.
    public var isChanged: Bool { field.string != original }
}

extension GridState {
    mutating func beginEditing(_ editing: CellEditing) -> [GridEvent] {
        // On cards only what stands in a slot can be typed into.
        guard let column = columns.index(of: editing.column), cursorColumn(nearest: column) == column else { return [] }
        let position = currentRow == editing.row ? cursor.row : rows.position(of: editing.row)
        guard let position else { return [] }
        drag = nil
        dragOrigin = nil
        place(GridCursor(item: .row(position), column: column), extending: false)
        guard currentRow == editing.row, currentColumn?.id == editing.column else { return [] }
        let events = endEditing(committed: nil)
        self.editing = editing
        return events + [.editingBegan(editing.row, editing.column)]
    }

    mutating func edit(_ edit: TextField.Edit) {
        editing?.field.apply(edit)
        editing?.rejection = nil
    }

    mutating func paste(_ text: String) {
        editing?.field.paste(text)
        editing?.rejection = nil
    }

    mutating func leaveEditor() -> [GridEvent] {
        guard let editing, currentRow != editing.row || currentColumn?.id != editing.column else { return [] }
        return endEditing(committed: nil)
    }

    /// Closes the editor, and looks at no row: what is known of them may not be true any more.
    package mutating func endEditing(committed: String?) -> [GridEvent] {
        guard let editing else { return [] }
        self.editing = nil
        return [.editingEnded(editing.row, editing.column, committed: committed)]
    }

    /// The editor stays with its row, which has another name when rows have come or gone before it, and ends when the row has gone.
    mutating func renameEditedRow(_ renaming: RowRenaming) -> [GridEvent] {
        guard let editing else { return [] }
        guard let row = renaming(editing.row) else { return endEditing(committed: nil) }
        self.editing?.row = row
        return []
    }

    /// Where the row that is being edited stands, when the rows have changed.
    mutating func followEditedRow() {
        guard let editing, currentRow != editing.row, let position = rows.position(of: editing.row) else { return }
        cursor.item = .row(position)
    }
}
