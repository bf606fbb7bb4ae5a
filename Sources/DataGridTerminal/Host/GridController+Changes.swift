public import DataGrid

/// Content that changes by itself.
extension GridController: GridHost {
    /// The least time between two frames that are drawn because content has changed.
    static let changeInterval = Duration.milliseconds(33)

    /// Says that cells say something else: those in sight are asked for anew, and light up and fade. Changes that come together are drawn
    /// together, 30 times a second at most; those out of sight cost a look-up each, and nothing is drawn for them unless totals or headers of
    /// sections are in sight. What those tell is asked for anew, also when no cell is named.
    public func note(_ changes: [CellChange]) { note(changes, at: .now) }

    func note(_ changes: [CellChange], at now: ContinuousClock.Instant) {
        let shown = caches.contents.cells.shown
        let time = milliseconds(now)
        let (lit, arrived) = (Self.milliseconds(changeDuration), Self.milliseconds(arrivalDuration))
        if caches.contents.hasSums { hasChanges = true }
        caches.contents.removeSections()
        for change in changes {
            let row = change.row
            switch (change.kind, change.column) {
            case (.inserted, _), (.closedUp, _): if arrived > 0 { highlights.note(row: row, at: time, for: arrived) }
            case (_, nil):
                caches.remove(rows: [row])
                guard shown.contains(row) else { continue }
                if lit > 0 { highlights.note(row: row, at: time, for: lit) }
            case (let kind, let column?):
                caches.remove(row, column)
                guard shown.contains(row) else { continue }
                let change: Highlights.Change = kind == .risen ? .rise : kind == .fallen ? .fall : .update
                if lit > 0 { highlights.note(change, row: row, column: column, at: time, for: lit) }
            }
            hasChanges = true
        }
    }

    /// The time as the highlights are told it.
    private func milliseconds(_ instant: ContinuousClock.Instant) -> Int64 { Self.milliseconds(instant - epoch) }

    /// No more than thousands of years.
    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(min(duration / .milliseconds(1), 1e15)) }

    /// When changes that are not drawn yet are to be, or what is lit fades on.
    var changesDue: ContinuousClock.Instant? {
        let frame = lastChangeFrame + Self.changeInterval
        if hasChanges { return frame }
        return highlights.nextChange(after: highlightTime).map { max(frame, epoch + .milliseconds($0)) }
    }

    func drawChanges(at now: ContinuousClock.Instant) {
        guard let due = changesDue, due <= now else { return }
        hasChanges = false
        lastChangeFrame = now
        highlightTime = milliseconds(now)
        highlights.removeFaded(at: highlightTime)
        setNeedsDisplay()
    }
}
