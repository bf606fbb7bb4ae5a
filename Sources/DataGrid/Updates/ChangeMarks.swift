/// The directions of the last changes of cells, for columns that show them until the next change (``Column/keepsChangeMarks``).
///
/// Marks belong to identities, so scrolling and sorting do not affect them. Takes about 16 bytes for each marked cell.
public struct ChangeMarks: Hashable, Sendable {
    private var marks: [ColumnID: [RowID: Highlights.Change]] = [:]

    /// Creates an empty set of marks.
    public init() {}

    /// True if no cell has a mark.
    public var isEmpty: Bool { marks.allSatisfy(\.value.isEmpty) }

    /// The direction of the last change of a cell; `nil` if it is unknown. O(1).
    public func mark(ofRow row: RowID, column: ColumnID) -> Highlights.Change? { marks[column]?[row] }

    /// Sets the mark of a changed cell. A change without a direction removes the mark. O(1) on average.
    public mutating func set(_ change: Highlights.Change, row: RowID, column: ColumnID) {
        marks[column, default: [:]][row] = change == .update ? nil : change
    }

    /// Replaces row ids by the results of `name`; `nil` removes the marks of a row. O(marks).
    public mutating func rename(_ name: (RowID) -> RowID?) {
        marks = marks.mapValues { rows in
            rows.reduce(into: [:]) { renamed, mark in if let row = name(mark.key) { renamed[row] = mark.value } }
        }
    }

    /// Removes the marks of removed rows. O(columns with marks · rows).
    public mutating func remove(rows removed: [RowID]) {
        for column in marks.keys { for row in removed { marks[column]![row] = nil } }
    }

    /// Removes the marks of all columns but these. O(columns with marks).
    public mutating func keepColumns(_ isKept: (ColumnID) -> Bool) { marks = marks.filter { isKept($0.key) } }

    /// Removes all marks.
    public mutating func removeAll() { marks.removeAll() }
}
