public import DataGrid

/// Content that the data source changes.
extension GridController: GridHost {
    /// The minimum time between two frames for changed content.
    static let changeInterval = Duration.milliseconds(33)
    /// The minimum time between two frames in which highlights only fade.
    static let fadeInterval = Duration.milliseconds(100)

    /// Reports changed cells. Visible ones are read again and highlighted for a moment.
    ///
    /// Changes are drawn together, at most 30 times per second, and only changed rows are painted. A change of an invisible cell costs a
    /// few look-ups. Visible totals and section headers are read again, even if `changes` is empty.
    public func reportChanges(_ changes: [CellChange]) { reportChanges(changes, at: .now) }

    func reportChanges(_ changes: [CellChange], at now: ContinuousClock.Instant) {
        if caches.contents.hasAggregates { hasChanges = true }
        caches.contents.removeSections()
        guard !changes.isEmpty else { return }
        let time = milliseconds(now)
        let (changeTime, arrivalTime) = (Self.milliseconds(changeDuration), Self.milliseconds(arrivalDuration))
        for change in changes {
            let row = change.row
            switch (change.kind, change.column) {
            case (.inserted, _), (.movedUp, _):
                guard arrivalTime > 0 else { continue }
                highlights.highlight(row: row, at: time, for: arrivalTime)
                hasChanges = true
                continue
            case (.updated, _): caches.removeStyle(ofRow: row)
            case (_, nil): caches.remove(rows: [row])
            case (let kind, let column?):
                caches.remove(row, column)
                let (isHighlighted, keepsMark) = effects(ofChangesIn: column)
                let change: Highlights.Change = kind == .risen ? .rise : kind == .fallen ? .fall : .update
                if keepsMark { changeMarks.set(change, row: row, column: column) }
                guard caches.contents.cells.visibleSet.contains(row) else { continue }
                if changeTime > 0, isHighlighted { highlights.highlight(change, row: row, column: column, at: time, for: changeTime) }
                hasChanges = true
                continue
            }
            guard caches.contents.cells.visibleSet.contains(row) else { continue }
            if changeTime > 0 { highlights.highlight(row: row, at: time, for: changeTime) }
            hasChanges = true
        }
    }

    /// The two effects of a change in a column, as set by `Column.highlightsChanges` and `Column.keepsChangeMarks`.
    private func effects(ofChangesIn column: ColumnID) -> (isHighlighted: Bool, keepsMark: Bool) {
        guard let place = state.columns.place(of: column) else { return (false, false) }
        return (state.columns.all[place].highlightsChanges, state.columns.all[place].keepsChangeMarks)
    }

    /// Moves highlights and marks together with their rows, and removes those of removed rows. Also removes the marks of removed columns.
    func moveHighlights(through action: GridAction, from old: GridState, to new: GridState) {
        switch action {
        case .discardRowState(let rows):
            highlights.remove(rows: rows)
            changeMarks.remove(rows: rows)
        case .replaceColumns, .removeColumns: changeMarks.keepColumns { new.columns.place(of: $0) != nil }
        case let action where action.splicesRows && !(highlights.isEmpty && changeMarks.isEmpty):
            guard let newID = old.rowIDMappingIfChanged(by: action) else { return }
            highlights.renumber(newID)
            changeMarks.renumber(newID)
        default: break
        }
    }

    /// The time from `epoch` to `instant` in milliseconds, the unit of the highlights.
    private func milliseconds(_ instant: ContinuousClock.Instant) -> Int64 { Self.milliseconds(instant - epoch) }

    /// A duration in milliseconds, limited to thousands of years in both directions so that it fits in an `Int64`.
    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return max(-1_000_000_000_000, min(seconds, 1_000_000_000_000)) * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    /// The time of the next frame for pending changes or fading highlights; `nil` if no frame is needed.
    var nextChangeFrame: ContinuousClock.Instant? {
        if hasChanges { return lastChangeFrame + Self.changeInterval }
        return highlights.nextLevelChange(after: highlightTime).map { max(lastChangeFrame + Self.fadeInterval, epoch + .milliseconds($0)) }
    }

    func drawChanges(at now: ContinuousClock.Instant) {
        guard let due = nextChangeFrame, due <= now else { return }
        hasChanges = false
        lastChangeFrame = now
        highlightTime = milliseconds(now)
        highlights.removeFaded(at: highlightTime)
        setNeedsDisplay()
    }
}
