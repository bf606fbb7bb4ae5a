public import DataGrid
import TerminalSurface

extension GridController {
    /// Opens an editor in a cell, whatever its column says, if the delegate will have it and the data source has its text. What is being typed
    /// elsewhere is taken first.
    /// - Parameter typed: what takes the place of what the cell says.
    /// - Returns: whether it is open.
    @discardableResult
    public func beginEditing(row: RowID, column: ColumnID, typed: String? = nil) -> Bool {
        guard commitEditing(), delegate?.shouldBeginEditing(row: row, column: column) ?? true,
            let text = dataSource?.text(row: row, column: column)
        else { return false }
        perform(.beginEditing(CellEditing(row: row, column: column, original: text, typed: typed)))
        return state.editing?.row == row && state.editing?.column == column
    }

    /// Offers what was typed to the delegate and the data source, and closes the editor when they take it; otherwise it stays open and says why.
    /// What was not changed only the delegate is asked about. What was taken is asked for anew; cells that follow from it the source tells
    /// (``note(_:)``).
    /// - Returns: whether no editor is open now.
    @discardableResult
    public func commitEditing() -> Bool {
        guard let editing = state.editing, !isCommitting else { return state.editing == nil }
        let text = editing.field.string
        isCommitting = true
        let outcome = outcome(of: text, editing)
        isCommitting = false
        switch outcome {
        case .accepted where !editing.isChanged: return perform(.endEditing())
        case .accepted:
            caches.remove(editing.row, editing.column)
            setNeedsDisplay()
            return perform(.endEditing(committed: text))
        case .rejected(let reason):
            perform(.rejectEdit(reason))
            delegate?.didReject(text: text, row: editing.row, column: editing.column, reason: reason)
            return false
        }
    }

    private func outcome(of text: String, _ editing: CellEditing) -> EditOutcome {
        guard delegate?.shouldCommit(text: text, row: editing.row, column: editing.column) ?? true else {
            return .rejected("This is not taken here.")
        }
        guard editing.isChanged else { return .accepted }
        return dataSource?.setContent(text, row: editing.row, column: editing.column) ?? .rejected("There is nothing to change.")
    }

    /// Closes an editor whose cell has gone, or says something else than when it was opened, in a source that numbers its rows in order and has
    /// `count` of them now. Neither source nor delegate is asked about other rows: those that are known so far have gone, too.
    func leaveEditor(ofRowsUpTo count: Int) {
        guard let editing = state.editing else { return }
        if (0..<count).contains(editing.row.rawValue), dataSource?.text(row: editing.row, column: editing.column) == editing.original {
            return
        }
        let old = state
        var events: [GridEvent] = []
        set(old) { events = $0.endEditing(committed: nil) }
        for event in events { tell(event, from: old, .endEditing()) }
    }

    /// Closes the editor without taking what was typed.
    public func cancelEditing() { perform(.endEditing()) }

    func handleInEditor(_ press: KeyPress) -> Bool {
        switch GridInput.editorKey(for: press, keys: keyMap) {
        case .edit(let edit): perform(.edit(edit))
        case .cancel: cancelEditing()
        case .commit(let motion): if commitEditing() { perform(.move(motion)) }
        case nil: return false
        }
        return true
    }
}
