public import DataGrid
import TerminalSurface

extension GridController {
    /// Opens an editor in a cell, even if its column is not editable. Any other open editor is committed first. No editor opens if the
    /// delegate refuses, or if the data source does not provide the text of the cell.
    /// - Parameter typed: text that replaces the cell's text.
    /// - Returns: True if the editor is open.
    @discardableResult
    public func beginEditing(row: RowID, column: ColumnID, typed: String? = nil) -> Bool {
        guard commitEditing(), permits(delegate?.shouldBeginEditing(row: row, column: column) ?? .allowed, .cell(row, column)),
            let text = dataSource?.text(row: row, column: column)
        else { return false }
        perform(.beginEditing(CellEditing(row: row, column: column, original: text, typed: typed)))
        return state.editing?.row == row && state.editing?.column == column
    }

    /// Offers the edited text to the delegate and the data source. If they accept it, the editor closes; otherwise it shows the reason.
    ///
    /// Unchanged text is offered to the delegate only. An accepted cell is read again, and an automatic column width grows if the value
    /// does not fit. The source reports cells that depend on the edited cell with ``reportChanges(_:)``.
    /// - Returns: True if no editor is open afterwards.
    @discardableResult
    public func commitEditing() -> Bool {
        guard let editing = state.editing, !isCommittingEdit else { return state.editing == nil }
        let text = editing.field.string
        isCommittingEdit = true
        let outcome = outcome(of: text, editing)
        isCommittingEdit = false
        switch outcome {
        case .accepted where !editing.isChanged: return perform(.endEditing())
        case .accepted:
            caches.remove(editing.row, editing.column)
            caches.contents.removeSections()
            setNeedsDisplay()
            if state.editing != nil { configure { widen(editing.column, toFit: editing.row, of: &$0) } }
            return perform(.endEditing(committed: text))
        case .rejected(let reason):
            perform(.rejectEdit(reason))
            blink(.cell(editing.row, editing.column))
            delegate?.didReject(text: text, row: editing.row, column: editing.column, reason: reason)
            return false
        }
    }

    private func outcome(of text: String, _ editing: CellEditing) -> EditOutcome {
        if case .refused(let reason) = delegate?.shouldCommit(text: text, row: editing.row, column: editing.column) {
            return .rejected(reason ?? "This value is not accepted here.")
        }
        guard editing.isChanged else { return .accepted }
        return dataSource?.setContent(text, row: editing.row, column: editing.column) ?? .rejected("This grid has no data source to edit.")
    }

    /// Closes an editor whose cell was removed or changed. `rowCount` is the number of rows of a source that numbers its rows in order. The
    /// edited text is not committed, because its row ID may belong to another row.
    func closeStaleEditor(rowCount: Int) {
        guard let editing = state.editing else { return }
        if (0..<rowCount).contains(editing.row.rawValue), dataSource?.text(row: editing.row, column: editing.column) == editing.original {
            return
        }
        let old = state
        var events: [GridEvent] = []
        setState(old) { events = $0.endEditing(committed: nil) }
        for event in events { notify(event, from: old, .endEditing()) }
    }

    /// Closes the editor and discards the edited text.
    public func cancelEditing() { perform(.endEditing()) }

    func handleEditorKey(_ press: KeyPress) -> Bool {
        switch GridInput.editorKey(for: press, keys: keyMap) {
        case .edit(let edit): perform(.edit(edit))
        case .cancel: cancelEditing()
        case .commit(let motion): if commitEditing() { perform(.move(motion)) }
        case nil: return false
        }
        return true
    }
}
