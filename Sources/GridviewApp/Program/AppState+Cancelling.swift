import DataGrid
import DataGridTerminal

extension AppState {
    /// Handles Escape. Does the first possible of these: stop waiting for input, cancel a copy or an export, clear the selection, hide the
    /// matches of a search, cancel a job, or explain that filters stay on.
    mutating func handleEscape() -> [AppEffect] {
        if document.isAwaited { return cancelOpening() }
        if let kind = writingJob { return cancel(kind) }
        if !grid.selection.isEmpty { return changeGrid(.clearSelection) }
        if let last = search, last.isShown {
            search?.isCleared = true
            if let running = jobs.first(where: { $0.kind == .find && $0.isShown }) { show(.cancelled(running.title)) }
            return [.cancel(.find), .cancel(.count)]
        }
        // Do not cancel jobs that the user has not started: those that filter new rows, and those that read and arrange the rows of a
        // followed file.
        let isUpdating = sheet.readsChanges && query.isStale
        let filtersNewRows = query.isSettled && !query.requested.filters.isEmpty
        let isStarted = jobs.contains {
            switch $0.kind {
            case .index, .arrival: false
            case .open: !sheet.readsChanges
            case .arrange: isRecounting || !filtersNewRows && !isUpdating
            default: true
            }
        }
        if isStarted || !query.isSettled && !isUpdating { return handleControlC() }
        return query.requested.filters.isEmpty ? [] : show(.filtersRemain(removeKey: key(.removeFilter), removeAllKey: key(.removeFilters)))
    }

    /// The running job that copies or exports; `nil` if there is no such job. Escape and Ctrl-C cancel it before any other job.
    private var writingJob: JobKind? { [.copy, .export].first { kind in jobs.contains { $0.kind == kind } } }

    private mutating func cancel(_ kind: JobKind) -> [AppEffect] {
        show(.cancelled(jobs.first { $0.kind == kind }?.title))
        return [.cancel(kind)]
    }

    /// Stops waiting for the input, and closes its sheet. If this is the only sheet, ends the program.
    private mutating func cancelOpening() -> [AppEffect] {
        let message = Message.cancelled(document.activity)
        if sheets.count > 1 { return closeSheet(showing: message) }
        (exitStatus, closingMessage) = (130, message.text)
        return [.cancel(.open)]
    }

    /// Handles Ctrl-C. Does the first possible of these: stop waiting for input, cancel a copy or an export, copy the selection, or cancel
    /// a job.
    mutating func handleControlC() -> [AppEffect] {
        if document.isAwaited { return cancelOpening() }
        if let kind = writingJob { return cancel(kind) }
        if !grid.selection.isEmpty { return copy(withHeader: false) }
        let running = jobs.filter { $0.kind != .arrival && ($0.kind != .index || !document.isComplete) }
        // Cancel other jobs and pending queries first. The job that reads the file is only cancelled if nothing else is running.
        if let job = running.last(where: { $0.kind != .index }) ?? (query.isSettled ? running.last : nil) {
            if job.kind == .arrange, let effects = stopCounting() { return effects }
            // The cancelled job may have run only the filters of a query whose sort still waits for the end of the file. Cancel the whole
            // query.
            let effects = job.kind == .arrange ? cancelQuery() : []
            switch job.kind {
            case .index where document.canBeQueriedWhileIncomplete: show(.notCounted(reloadKey: key(.reload)))
            case .index: show(.readingStopped(after: document.recordCount, reloadKey: key(.reload)))
            default: show(.cancelled(job.title))
            }
            return [.cancel(job.kind)] + effects
        }
        if !query.isSettled {
            let effects = cancelQuery()
            show(.cancelled(nil))
            return [.cancel(.arrange)] + effects
        }
        return show(.nothingToCancel(quitKey: key(.close)))
    }
}
