import DataGrid

extension GridAction {
    /// True for an action that changes rows, columns or the selection mode. The selection may then change, but only as a consequence.
    var changesStructure: Bool {
        switch self {
        case .moveRows, .moveCurrentRows, .restore, .setSelectionMode, .replaceColumns, .insertColumns, .removeColumns, .setHidden,
            .updateColumn:
            true
        default: reportsRowChanges
        }
    }
}

extension GridController {
    /// Asks the delegate to permit an action.
    ///
    /// If the action changes the selection, several sections or several widths, only the refused parts are removed from `new` and `events`.
    /// Any other refusal rejects the whole action.
    func permits(_ action: GridAction, _ events: inout [GridEvent], from old: GridState, to new: inout GridState) -> Bool {
        guard let delegate else { return true }
        switch action {
        case .restore, .cancelDrag: return true
        case .setAllCollapsed, .setCollapsedSections: restoreRefusedSections(&events, in: &new)
        case .fitColumns:
            restoreRefusedWidths(&events, from: old, in: &new)
            return true
        default: break
        }
        for event in events {
            let isPermitted =
                switch event {
                case .columnMoved(let id, let from, let to): permits(delegate.shouldMove(column: id, from: from, to: to), .column(id))
                case .columnResized(let id, let width): delegate.shouldResize(column: id, to: width)
                case .rowsResized(let width): delegate.shouldResizeRows(to: width)
                case .columnHidden(let id): delegate.shouldSetHidden(column: id, true)
                case .columnShown(let id): delegate.shouldSetHidden(column: id, false)
                case .rowsMoved(let rows, let to): permits(delegate.shouldMove(rows: rows, to: to), .rows(rows))
                case .sectionCollapsed(let section): delegate.shouldSetCollapsed(section: section, true)
                case .sectionExpanded(let section): delegate.shouldSetCollapsed(section: section, false)
                case .sectionsChanged(let count): delegate.shouldChangeSections(count: count)
                case .sortChanged: delegate.shouldSort(by: new.sort)
                case .selectionChanged, .headerActivated, .headerMenuRequested, .rowMenuRequested, .columnFitRequested, .rowFitRequested,
                    .cellActivated, .accessoryActivated,
                    .copyRequested, .editRequested, .editingBegan, .editingEnded, .frozenPanesChanged, .presentationChanged, .viewRestored,
                    .endOfDataNear, .rowRequested, .pullTriggered, .dragInterrupted, .moveRefused:
                    true
                }
            guard isPermitted else { return false }
        }
        let isRowMove = events.contains { if case .rowsMoved = $0 { true } else { false } }
        let asksDelegate = events.contains(.selectionChanged) && !action.changesStructure && !isRowMove
        return !asksDelegate || permitsSelection(&events, from: old, to: &new)
    }

    /// Restores sections that the delegate does not permit to be collapsed or expanded.
    private func restoreRefusedSections(_ events: inout [GridEvent], in new: inout GridState) {
        guard let delegate else { return }
        events.removeAll { event in
            switch event {
            case .sectionCollapsed(let section) where !delegate.shouldSetCollapsed(section: section, true):
                _ = new.apply(.setCollapsed(section: section, false))
            case .sectionExpanded(let section) where !delegate.shouldSetCollapsed(section: section, false):
                _ = new.apply(.setCollapsed(section: section, true))
            default: return false
            }
            return true
        }
    }

    /// Restores the widths of columns that the delegate does not permit to be resized.
    private func restoreRefusedWidths(_ events: inout [GridEvent], from old: GridState, in new: inout GridState) {
        guard let delegate else { return }
        events.removeAll { event in
            guard case .columnResized(let id, let width) = event, !delegate.shouldResize(column: id, to: width),
                let column = old.columns[id]
            else { return false }
            _ = new.apply(.updateColumn(column))
            return true
        }
    }

    /// Notifies the delegate of an event, and performs the grid's own response to it.
    func notify(_ event: GridEvent, from old: GridState, _ action: GridAction) {
        switch event {
        case .selectionChanged: notifySelectionChange(from: old, action)
        case .columnMoved(let id, let from, let to): delegate?.didMove(column: id, from: from, to: to)
        case .columnResized(let id, let width): delegate?.didResize(column: id, to: width)
        case .rowsResized(let width): delegate?.didResizeRows(to: width)
        case .columnHidden(let id): delegate?.didSetHidden(column: id, true)
        case .columnShown(let id): delegate?.didSetHidden(column: id, false)
        case .frozenPanesChanged: delegate?.didFreeze(state.frozen)
        case .presentationChanged: delegate?.didChangePresentation(to: state.effectivePresentation)
        case .viewRestored: delegate?.didRestoreView()
        case .rowsMoved(let rows, let to):
            dataSource?.didMove(rows: rows, to: to)
            // An object that is both data source and delegate must be notified only once.
            if delegate !== dataSource { delegate?.didMove(rows: rows, to: to) }
        case .sectionCollapsed(let section): delegate?.didSetCollapsed(section: section, true)
        case .sectionExpanded(let section): delegate?.didSetCollapsed(section: section, false)
        case .sectionsChanged(let count): delegate?.didChangeSections(count: count)
        case .sortChanged:
            sortSource()
            delegate?.didSort(by: state.sort)
        case .headerActivated(let id, let isAdding): activateHeader(id, isAdding: isAdding)
        case .headerMenuRequested(let id): delegate?.didRequestMenu(ofColumn: id)
        case .rowMenuRequested(let row, let column): delegate?.didRequestMenu(ofRow: row, column: column)
        case .columnFitRequested(let id): if delegate?.shouldFit(column: id) ?? true { fit(column: id) }
        case .rowFitRequested: if delegate?.shouldFitRows() ?? true { fitTransposedRows() }
        case .cellActivated(let row, let column): delegate?.didActivate(row: row, column: column)
        case .accessoryActivated(let row):
            // The source determines whether a row has an accessory, so the delegate is not notified of rows without one.
            if dataSource?.accessory(ofRow: row) ?? .none != .none { delegate?.didActivateAccessory(ofRow: row) }
        case .copyRequested(let withHeader): copy(withHeader: withHeader)
        case .editRequested(let row, let column, let typed):
            if !beginEditing(row: row, column: column, typed: typed), typed == nil { delegate?.didActivate(row: row, column: column) }
        case .editingBegan(let row, let column): delegate?.didBeginEditing(row: row, column: column)
        case .dragInterrupted: delegate?.didInterruptDrag()
        case .moveRefused(.column(let id)): blink(.column(id))
        case .moveRefused(.rows(let rows)): blink(.rows(rows))
        case .endOfDataNear: delegate?.endOfDataIsNear()
        case .rowRequested(let position): delegate?.didRequestRow(at: position)
        case .pullTriggered: if delegate?.shouldReloadAfterPull() ?? true { reload() }
        case .editingEnded(let row, let column, let committed): delegate?.didEndEditing(row: row, column: column, committed: committed)
        }
    }

    /// Adds the permitted drag directions, which the delegate determines, to a pointer press.
    func withPermittedDirections(_ action: GridAction) -> GridAction {
        guard let delegate, case .pointerDown(let point, var press) = action, press.button == .primary else { return action }
        switch state.layout.hit(point) {
        case .header(let index): press.permittedDirections = delegate.permittedDragDirections(ofRow: nil, column: state.columns[index].id)
        case .rowHeader(.row(let row)):
            press.permittedDirections = delegate.permittedDragDirections(ofRow: state.rows[row], column: nil)
        case .cell(let row, let column):
            press.permittedDirections = delegate.permittedDragDirections(ofRow: state.rows[row], column: state.columns[column].id)
        default: break
        }
        return .pointerDown(point, press)
    }
}
