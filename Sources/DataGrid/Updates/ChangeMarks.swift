/// The directions of the last changes of cells, for columns that show them until the next change (``Column/keepsChangeMarks``).
///
/// Marks belong to identities, so scrolling and sorting do not affect them. Takes about 16 bytes for each marked cell, for at most
/// ``capacity`` cells.
public struct ChangeMarks: Hashable, Sendable {
    private typealias Marks = [ColumnID: [RowID: Highlights.Change]]

    /// The newest marks, at most half of the capacity.
    private var newest: Marks = [:]
    /// Older marks. If a cell also has a mark in `newest`, that mark takes precedence.
    private var older: Marks = [:]
    /// The number of marks in `newest`.
    private var newestCount = 0
    /// The maximum number of marked cells. When half of them are newer marks, the older half is dropped.
    public let capacity: Int

    /// Creates an empty set of marks.
    public init(capacity: Int = 65_536) { self.capacity = max(2, capacity) }

    /// True if no cell has a mark.
    public var isEmpty: Bool { newest.allSatisfy(\.value.isEmpty) && older.allSatisfy(\.value.isEmpty) }

    /// The direction of the last change of a cell; `nil` if it is unknown. O(1).
    public func mark(ofRow row: RowID, column: ColumnID) -> Highlights.Change? { newest[column]?[row] ?? older[column]?[row] }

    /// Sets the mark of a changed cell. A change without a direction removes the mark. O(1) on average.
    public mutating func set(_ change: Highlights.Change, row: RowID, column: ColumnID) {
        guard change != .update else {
            return remove(row, column)
        }
        guard newest[column, default: [:]].updateValue(change, forKey: row) == nil else { return }
        newestCount += 1
        if newestCount >= capacity / 2 { (older, newest, newestCount) = (newest, [:], 0) }
    }

    private mutating func remove(_ row: RowID, _ column: ColumnID) {
        if newest[column]?.removeValue(forKey: row) != nil { newestCount -= 1 }
        older[column]?[row] = nil
    }

    /// Replaces row ids by the results of `newID`; `nil` removes the marks of a row. O(marks).
    public mutating func renumber(_ newID: (RowID) -> RowID?) {
        func renumbered(_ marks: Marks) -> Marks {
            marks.mapValues { rows in
                rows.reduce(into: [:]) { renumbered, mark in if let row = newID(mark.key) { renumbered[row] = mark.value } }
            }
        }
        (newest, older) = (renumbered(newest), renumbered(older))
        newestCount = newest.values.reduce(0) { $0 + $1.count }
    }

    /// Removes the marks of removed rows. O(columns with marks · rows).
    public mutating func remove(rows removed: [RowID]) {
        // The keys of a dictionary share its storage: changing it meanwhile would copy it.
        for column in Array(newest.keys) + Array(older.keys) { for row in removed { remove(row, column) } }
    }

    /// Keeps only the marks of columns for which `isKept` returns true. O(columns with marks).
    public mutating func keepColumns(_ isKept: (ColumnID) -> Bool) {
        newest = newest.filter { isKept($0.key) }
        older = older.filter { isKept($0.key) }
        newestCount = newest.values.reduce(0) { $0 + $1.count }
    }

    /// Removes all marks.
    public mutating func removeAll() { self = ChangeMarks(capacity: capacity) }
}
