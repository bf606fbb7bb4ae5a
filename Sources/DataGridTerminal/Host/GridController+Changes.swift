public import DataGrid

/// Content that the data source changes.
extension GridController: GridHost {
    /// The minimum time between two frames for changed content.
    static let changeInterval = Duration.milliseconds(33)

    /// Reports changed cells, which are read again if visible, and highlighted for a moment.
    ///
    /// Changes are drawn together, at most 30 times per second. A change of an invisible cell costs one look-up. Visible totals and section
    /// headers are read again, even if `changes` is empty; nothing else is drawn for invisible cells.
    public func reportChanges(_ changes: [CellChange]) { reportChanges(changes, at: .now) }

    func reportChanges(_ changes: [CellChange], at now: ContinuousClock.Instant) {
        let shown = caches.contents.cells.shown
        let time = milliseconds(now)
        let (lit, arrived) = (Self.milliseconds(changeDuration), Self.milliseconds(arrivalDuration))
        if caches.contents.hasSums { hasChanges = true }
        caches.contents.removeSections()
        for change in changes {
            let row = change.row
            switch (change.kind, change.column) {
            case (.inserted, _), (.closedUp, _): if arrived > 0 { highlights.highlight(row: row, at: time, for: arrived) }
            case (_, nil):
                caches.remove(rows: [row])
                guard shown.contains(row) else { continue }
                if lit > 0 { highlights.highlight(row: row, at: time, for: lit) }
            case (let kind, let column?):
                caches.remove(row, column)
                guard shown.contains(row) else { continue }
                let change: Highlights.Change = kind == .risen ? .rise : kind == .fallen ? .fall : .update
                if lit > 0 { highlights.highlight(change, row: row, column: column, at: time, for: lit) }
            }
            hasChanges = true
        }
    }

    /// The time on the clock of the highlights.
    private func milliseconds(_ instant: ContinuousClock.Instant) -> Int64 { Self.milliseconds(instant - epoch) }

    /// A duration in milliseconds, limited to thousands of years so that it fits in an `Int64`.
    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(min(duration / .milliseconds(1), 1e15)) }

    /// The time of the next frame for pending changes or fading highlights.
    var nextChangeFrame: ContinuousClock.Instant? {
        let frame = lastChangeFrame + Self.changeInterval
        if hasChanges { return frame }
        return highlights.nextChange(after: highlightTime).map { max(frame, epoch + .milliseconds($0)) }
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
