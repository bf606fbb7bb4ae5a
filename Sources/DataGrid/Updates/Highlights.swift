/// What has just changed, so that it is seen: rows and cells that light up and fade.
///
/// Kept by identity: scrolling and sorting do not matter. Time is what the caller says, in any unit that only goes up (milliseconds, say):
/// nothing here knows a clock. A look fades in ``steps`` levels, so that few terminal cells are written anew.
public struct Highlights: Hashable, Sendable {
    /// What happened to a value.
    public enum Change: UInt8, Hashable, Sendable {
        /// It is another one.
        case update
        /// It went up.
        case rise
        /// It went down.
        case fall
    }

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
    /// The levels a look fades through.
    public let steps: Int
    /// The most rows, and the most cells, that are remembered; of more, the oldest are dropped first.
    public let capacity: Int

    /// No highlights.
    public init(steps: Int = 5, capacity: Int = 4_096) {
        self.steps = max(1, steps)
        self.capacity = max(1, capacity)
    }

    /// Whether nothing is remembered.
    public var isEmpty: Bool { rows.isEmpty && cells.isEmpty }
    /// The rows and cells that are remembered, faded ones too until ``removeFaded(at:)``.
    public var count: Int { rows.count + cells.count }

    // MARK: Noting

    /// Lights a row up from `now` on. O(1) on average.
    public mutating func note(row: RowID, at now: Int64, for duration: Int64) {
        rows[row] = Mark(change: .update, start: now, duration: max(0, duration))
        Self.trim(&rows, to: capacity, at: now)
    }

    /// Lights a cell up from `now` on. O(1) on average.
    public mutating func note(_ change: Change, row: RowID, column: ColumnID, at now: Int64, for duration: Int64) {
        cells[CellKey(row: row, column: column)] = Mark(change: change, start: now, duration: max(0, duration))
        Self.trim(&cells, to: capacity, at: now)
    }

    /// A quarter goes at once, so that the search for the oldest is paid for by many that come.
    private static func trim<Key>(_ marks: inout [Key: Mark], to capacity: Int, at now: Int64) {
        guard marks.count > capacity else { return }
        marks = marks.filter { $0.value.end > now }
        guard marks.count > capacity else { return }
        let kept = capacity - capacity / 4
        let oldest = marks.values.map(\.start).sorted()[marks.count - kept]
        marks = marks.filter { $0.value.start >= oldest }
        // Those of one moment are all the same age: any may stay.
        for key in marks.keys.prefix(max(0, marks.count - capacity)) { marks[key] = nil }
    }

    // MARK: Fading

    /// How bright a row is, from ``steps`` when it has just changed down to 0. O(1).
    public func level(ofRow row: RowID, at now: Int64) -> Int { rows[row].map { level(of: $0, at: now) } ?? 0 }

    /// What happened to a cell, and how bright it is, from ``steps`` down to 1; `nil` when nothing is seen of it any more. O(1).
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

    /// When something looks different next, after `now`; `nil` when nothing is left to fade. O(``count``).
    public func nextChange(after now: Int64) -> Int64? {
        var next: Int64?
        func look(at mark: Mark) {
            guard mark.end > now else { return }
            // The first moment of the next level.
            let step = steps - level(of: mark, at: now) + 1
            let length = Int64((Double(mark.duration) * Double(step) / Double(steps)).rounded(.up))
            let time = length < mark.duration ? max(now + 1, mark.start + length) : mark.end
            next = min(next ?? time, time)
        }
        for mark in rows.values { look(at: mark) }
        for mark in cells.values { look(at: mark) }
        return next
    }

    /// Forgets what has faded. O(``count``).
    public mutating func removeFaded(at now: Int64) {
        rows = rows.filter { $0.value.end > now }
        cells = cells.filter { $0.value.end > now }
    }

    /// Follows rows that are called otherwise now; `nil` for those that have gone. O(``count``).
    public mutating func rename(_ name: (RowID) -> RowID?) {
        rows = rows.reduce(into: [:]) { renamed, mark in if let row = name(mark.key) { renamed[row] = mark.value } }
        cells = cells.reduce(into: [:]) { renamed, mark in
            if let row = name(mark.key.row) { renamed[CellKey(row: row, column: mark.key.column)] = mark.value }
        }
    }

    /// Forgets rows that have gone. O(``count`` + rows), O(1) where nothing is remembered.
    public mutating func remove(rows gone: [RowID]) {
        guard !isEmpty else { return }
        for row in gone { rows[row] = nil }
        let gone = Set(gone)
        cells = cells.filter { !gone.contains($0.key.row) }
    }

    /// Forgets everything.
    public mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
    }
}
