/// Highlights of recently changed rows and cells, which fade over time.
///
/// Highlights belong to the identities of row and column, so scrolling and sorting do not affect them. The caller passes the time, in any
/// unit such as milliseconds. A highlight fades in ``steps`` levels, so that terminal cells are not redrawn for every frame.
public struct Highlights: Hashable, Sendable {
    /// The kind of change of a value.
    public enum Change: UInt8, Hashable, Sendable {
        /// The value changed, and it is unknown if it rose or fell.
        case update
        /// The value increased.
        case rise
        /// The value decreased.
        case fall
    }

    /// A highlighted change, with its start and duration in milliseconds.
    private struct Mark: Hashable, Sendable {
        var change: Change
        var start: Int64
        var duration: Int64

        var end: Int64 { start.addingReportingOverflow(duration).overflow ? .max : start + duration }
    }

    private struct CellKey: Hashable, Sendable {
        var row: RowID
        var column: ColumnID
    }

    private var rows: [RowID: Mark] = [:]
    private var cells: [CellKey: Mark] = [:]
    /// A time before which no highlight ends. Until this time, ``removeFaded(at:)`` has nothing to remove.
    private var earliestEnd = Int64.max
    /// The number of brightness levels through which a highlight fades, at least 1. With 1, it keeps its full brightness until it ends.
    public var steps: Int { didSet { steps = max(1, steps) } }
    /// The maximum number of highlighted rows, and also of highlighted cells. If there are more, the oldest highlights are removed.
    public let capacity: Int

    /// Creates an empty set of highlights.
    public init(steps: Int = 5, capacity: Int = 4_096) {
        self.steps = max(1, steps)
        self.capacity = max(1, capacity)
    }

    /// True if there are no highlights.
    public var isEmpty: Bool { rows.isEmpty && cells.isEmpty }
    /// The number of highlighted rows and cells. Highlights that have ended are counted until ``removeFaded(at:)``.
    public var count: Int { rows.count + cells.count }

    // MARK: Adding

    /// Highlights a row from the time `now` on, for `duration` units of time. O(1) on average.
    public mutating func highlight(row: RowID, at now: Int64, for duration: Int64) {
        let mark = Mark(change: .update, start: now, duration: max(0, duration))
        rows[row] = mark
        earliestEnd = min(earliestEnd, mark.end)
        Self.trim(&rows, to: capacity, at: now)
    }

    /// Highlights a cell from the time `now` on, for `duration` units of time. O(1) on average.
    public mutating func highlight(_ change: Change, row: RowID, column: ColumnID, at now: Int64, for duration: Int64) {
        let mark = Mark(change: change, start: now, duration: max(0, duration))
        cells[CellKey(row: row, column: column)] = mark
        earliestEnd = min(earliestEnd, mark.end)
        Self.trim(&cells, to: capacity, at: now)
    }

    /// Removes the oldest marks if there are more than `capacity`. A quarter is removed at once, because finding the oldest marks is
    /// expensive.
    private static func trim<Key>(_ marks: inout [Key: Mark], to capacity: Int, at now: Int64) {
        guard marks.count > capacity else { return }
        marks = marks.filter { $0.value.end > now }
        guard marks.count > capacity else { return }
        let kept = capacity - capacity / 4
        let oldest = marks.values.map(\.start).sorted()[marks.count - kept]
        marks = marks.filter { $0.value.start >= oldest }
        // Marks that started at the same time are equally old. Remove any of them.
        for key in marks.keys.prefix(max(0, marks.count - capacity)) { marks[key] = nil }
    }

    // MARK: Fading

    /// The brightness level of a row, from ``steps`` for a new change down to 0 if the row is not highlighted. O(1).
    public func level(ofRow row: RowID, at now: Int64) -> Int { rows[row].map { level(of: $0, at: now) } ?? 0 }

    /// The change of a cell and its brightness level, from ``steps`` down to 1; `nil` if the cell is not highlighted. O(1).
    public func change(ofRow row: RowID, column: ColumnID, at now: Int64) -> (change: Change, level: Int)? {
        guard let mark = cells[CellKey(row: row, column: column)] else { return nil }
        let level = level(of: mark, at: now)
        return level > 0 ? (mark.change, level) : nil
    }

    private func level(of mark: Mark, at now: Int64) -> Int {
        guard now < mark.end else { return 0 }
        guard now > mark.start else { return steps }
        return steps - Int(Double(now - mark.start) * Double(steps) / Double(mark.duration))
    }

    /// The first time after `now` at which the brightness of a highlight changes; `nil` if all highlights have ended. O(``count``).
    public func nextLevelChange(after now: Int64) -> Int64? {
        var next: Int64?
        func include(_ mark: Mark) {
            guard mark.end > now else { return }
            // Find the time at which the next lower level starts.
            let step = steps - level(of: mark, at: now) + 1
            let length = Int64((Double(mark.duration) * Double(step) / Double(steps)).rounded(.up))
            let time = length < mark.duration ? max(now + 1, mark.start + length) : mark.end
            next = min(next ?? time, time)
        }
        for mark in rows.values { include(mark) }
        for mark in cells.values { include(mark) }
        return next
    }

    /// Removes highlights that have ended. O(``count``); O(1) if no highlight has ended.
    public mutating func removeFaded(at now: Int64) {
        guard earliestEnd <= now else { return }
        rows = rows.filter { $0.value.end > now }
        cells = cells.filter { $0.value.end > now }
        earliestEnd = min(rows.values.map(\.end).min() ?? .max, cells.values.map(\.end).min() ?? .max)
    }

    /// Replaces the row ids of all highlights by the results of `newID`. If `newID` returns `nil`, the highlights of the row are removed.
    /// O(``count``).
    public mutating func renumber(_ newID: (RowID) -> RowID?) {
        rows = rows.reduce(into: [:]) { renumbered, mark in if let row = newID(mark.key) { renumbered[row] = mark.value } }
        cells = cells.reduce(into: [:]) { renumbered, mark in
            if let row = newID(mark.key.row) { renumbered[CellKey(row: row, column: mark.key.column)] = mark.value }
        }
    }

    /// Removes the highlights of these rows, which the grid no longer contains. O(``count`` + rows); O(1) if there are no highlights.
    public mutating func remove(rows removedRows: [RowID]) {
        guard !isEmpty else { return }
        for row in removedRows { rows[row] = nil }
        let removedRows = Set(removedRows)
        cells = cells.filter { !removedRows.contains($0.key.row) }
    }

    /// Removes all highlights.
    public mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        earliestEnd = .max
    }
}
