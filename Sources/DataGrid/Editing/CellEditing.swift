/// The state of an in-place cell editor.
public struct CellEditing: Hashable, Sendable {
    /// The row of the edited cell.
    public internal(set) var row: RowID
    /// The column of the edited cell.
    public let column: ColumnID
    /// The text of the cell before editing.
    public let original: String
    /// The text being edited.
    public internal(set) var field: LineEditor
    /// The reason why the entered text was rejected; `nil` if the text was not rejected, or was changed after the rejection.
    public internal(set) var rejection: String?

    /// Creates an editor for a cell with the text `original`.
    /// - Parameters:
    ///   - row: the row of the cell.
    ///   - column: the column of the cell.
    ///   - original: the text of the cell.
    ///   - typed: the text that replaces `original`. If `nil`, the editor starts with `original` and the cursor at its end.
    public init(row: RowID, column: ColumnID, original: String, typed: String? = nil) {
        self.row = row
        self.column = column
        self.original = original
        field = LineEditor(original)
        if let typed {
            field = LineEditor()
            field.insert(typed)
        }
    }

    /// True if the edited text differs from the text of the cell.
    public var isChanged: Bool { field.string != original }
}

extension GridState {
    mutating func beginEditing(_ editing: CellEditing) -> [GridEvent] {
        // On cards, only columns that are assigned to a slot can be edited.
        guard let column = columns.index(of: editing.column), cursorColumn(nearest: column) == column else { return [] }
        let position = currentRow == editing.row ? cursor.row : rows.position(of: editing.row)
        guard let position else { return [] }
        drag = nil
        dragOrigin = nil
        moveCursor(GridCursor(item: .row(position), column: column), extending: false)
        guard currentRow == editing.row, currentColumn?.id == editing.column else { return [] }
        let events = endEditing(committed: nil)
        self.editing = editing
        return events + [.editingBegan(editing.row, editing.column)]
    }

    mutating func edit(_ edit: LineEditor.Edit) {
        editing?.field.apply(edit)
        editing?.rejection = nil
    }

    mutating func paste(_ text: String) {
        editing?.field.paste(text)
        editing?.rejection = nil
    }

    mutating func endEditingIfCursorLeft() -> [GridEvent] {
        guard let editing, currentRow != editing.row || currentColumn?.id != editing.column else { return [] }
        return endEditing(committed: nil)
    }

    /// Closes the editor. The method does not read the rows of the grid, because they may be out of date when it is called.
    package mutating func endEditing(committed: String?) -> [GridEvent] {
        guard let editing else { return [] }
        self.editing = nil
        return [.editingEnded(editing.row, editing.column, committed: committed)]
    }

    /// Updates the edited row's id after rows were inserted or removed. Closes the editor if the edited row was removed.
    mutating func renumberEditedRow(_ newID: RowIDChange) -> [GridEvent] {
        guard let editing else { return [] }
        guard let row = newID(editing.row) else { return endEditing(committed: nil) }
        self.editing?.row = row
        return []
    }

    /// Moves the cursor to the edited row after the order of rows has changed.
    mutating func moveCursorToEditedRow() {
        guard let editing, currentRow != editing.row, let position = rows.position(of: editing.row) else { return }
        cursor.item = .row(position)
    }
}
