/// The marks ▲ and ▼ of cells whose value has risen or fallen, for columns that show a mark until the value changes again
/// (``Column/keepsChangeMarks``).
///
/// Marks belong to the identities of row and column, so scrolling and sorting do not affect them. Each marked cell takes about 16 bytes,
/// and at most ``capacity`` cells are marked.
public struct ChangeMarks: Hashable, Sendable {
    private typealias Marks = [ColumnID: [RowID: Highlights.Change]]

    /// The newest marks, at most half of ``capacity``.
    private var newestMarks: Marks = [:]
    /// The older marks. If a cell also has a mark in ``newestMarks``, the newest one applies.
    private var olderMarks: Marks = [:]
    /// The number of marks in ``newestMarks``.
    private var newestCount = 0
    /// The maximum number of marked cells. When the newest marks reach half of it, the older marks are removed.
    public let capacity: Int

    /// Creates an empty set of marks.
    public init(capacity: Int = 65_536) { self.capacity = max(2, capacity) }

    /// True if no cell has a mark.
    public var isEmpty: Bool { newestMarks.allSatisfy(\.value.isEmpty) && olderMarks.allSatisfy(\.value.isEmpty) }

    /// The direction of the last change of a cell; `nil` if the cell has no mark. O(1).
    public func mark(ofRow row: RowID, column: ColumnID) -> Highlights.Change? { newestMarks[column]?[row] ?? olderMarks[column]?[row] }

    /// Sets the mark of a changed cell. A change that is neither a rise nor a fall removes the mark. O(1) on average.
    public mutating func set(_ change: Highlights.Change, row: RowID, column: ColumnID) {
        guard change != .update else {
            return remove(row, column)
        }
        guard newestMarks[column, default: [:]].updateValue(change, forKey: row) == nil else { return }
        newestCount += 1
        if newestCount >= capacity / 2 { (olderMarks, newestMarks, newestCount) = (newestMarks, [:], 0) }
    }

    private mutating func remove(_ row: RowID, _ column: ColumnID) {
        if newestMarks[column]?.removeValue(forKey: row) != nil { newestCount -= 1 }
        olderMarks[column]?[row] = nil
    }

    /// Replaces the row ids of all marks by the results of `newID`. If `newID` returns `nil`, the marks of the row are removed. O(marks).
    public mutating func renumber(_ newID: (RowID) -> RowID?) {
        func renumbered(_ marks: Marks) -> Marks {
            marks.mapValues { rows in
                rows.reduce(into: [:]) { renumbered, mark in if let row = newID(mark.key) { renumbered[row] = mark.value } }
            }
        }
        (newestMarks, olderMarks) = (renumbered(newestMarks), renumbered(olderMarks))
        newestCount = newestMarks.values.reduce(0) { $0 + $1.count }
    }

    /// Removes the marks of these rows, which the grid no longer contains. O(columns with marks · rows).
    public mutating func remove(rows removedRows: [RowID]) {
        // Copy the keys first. They share the storage of the dictionary, which a change would otherwise copy.
        for column in Array(newestMarks.keys) + Array(olderMarks.keys) { for row in removedRows { remove(row, column) } }
    }

    /// Keeps only the marks of columns for which `isKept` returns true. O(columns with marks).
    public mutating func keepColumns(_ isKept: (ColumnID) -> Bool) {
        newestMarks = newestMarks.filter { isKept($0.key) }
        olderMarks = olderMarks.filter { isKept($0.key) }
        newestCount = newestMarks.values.reduce(0) { $0 + $1.count }
    }

    /// Removes all marks.
    public mutating func removeAll() { self = ChangeMarks(capacity: capacity) }
}
