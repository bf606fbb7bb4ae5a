import DataGrid

/// A selection that the delegate refused in part.
struct RefusedSelection {
    /// The selection that was requested. The next action starts from this selection, so that extending a range does not lose the range's
    /// other end.
    var requested: Selection
    var accepted: Selection
}

extension GridController {
    /// The maximum number of rows or cells in a change that is reported one by one; larger changes are reported only as a whole.
    private static let maximumReportedChanges = 1_000

    private func changes(from old: GridState, to new: GridState) -> [SelectionChange] {
        old.selection.changes(
            to: new.selection, rowCount: new.rows.count, columns: new.columns.all.map(\.id), limit: Self.maximumReportedChanges) ?? []
    }

    /// Applies an action. If the delegate refused part of the last selection, the action starts from the selection that was requested.
    func apply(_ action: GridAction, to new: inout GridState) -> [GridEvent] {
        guard let refusal = refusedSelection, refusal.accepted == new.selection, !action.changesStructure else {
            refusedSelection = nil
            return new.apply(action)
        }
        new.selection = refusal.requested
        let events = new.apply(action).filter { $0 != .selectionChanged }
        guard new.selection != refusal.requested else {
            // The action leaves the selection as it is, so the permitted selection stays.
            new.selection = refusal.accepted
            return events
        }
        refusedSelection = nil
        return new.selection == refusal.accepted ? events : events + [.selectionChanged]
    }

    /// Asks the delegate about the selection as a whole, then about its rows and cells. Refused rows and cells keep their state.
    func permitsSelection(_ events: inout [GridEvent], from old: GridState, to new: inout GridState) -> Bool {
        guard let delegate else { return true }
        guard delegate.shouldChangeSelection(from: old.selection, to: new.selection) else { return false }
        let requested = new.selection
        let columns = new.columns.all.map(\.id)
        for change in changes(from: old, to: new) where !permits(change, in: new, delegate) {
            if change.isSelected {
                new.selection.subtract(change.block, rowCount: new.rows.count, columns: columns)
            } else {
                new.selection.add(change.block, rowCount: new.rows.count, columns: columns)
            }
        }
        if new.selection == requested { return true }
        if changes(from: old, to: new).isEmpty {
            // The delegate refused every row and cell.
            new.selection = old.selection
            events.removeAll { $0 == .selectionChanged }
        }
        refusedSelection = RefusedSelection(requested: requested, accepted: new.selection)
        return events.contains(.selectionChanged) || new != old
    }

    private func permits(_ change: SelectionChange, in state: GridState, _ delegate: any GridInteractionDelegate) -> Bool {
        let row = state.rows[change.row]
        guard let column = change.column else {
            return change.isSelected ? delegate.shouldSelect(row: row) : delegate.shouldDeselect(row: row)
        }
        return change.isSelected ? delegate.shouldSelect(row: row, column: column) : delegate.shouldDeselect(row: row, column: column)
    }

    func notifySelectionChange(from old: GridState, _ action: GridAction) {
        guard let delegate else { return }
        // If positions now refer to other rows, changes of single rows have no meaning.
        for change in action.changesStructure ? [] : changes(from: old, to: state) {
            let row = state.rows[change.row]
            switch (change.column, change.isSelected) {
            case (nil, true): delegate.didSelect(row: row)
            case (nil, false): delegate.didDeselect(row: row)
            case (let column?, true): delegate.didSelect(row: row, column: column)
            case (let column?, false): delegate.didDeselect(row: row, column: column)
            }
        }
        delegate.didChangeSelection(from: old.selection, to: state.selection)
    }
}
