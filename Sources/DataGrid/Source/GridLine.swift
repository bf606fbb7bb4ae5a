/// A line between cells.
public enum GridLine: Hashable, Sendable {
    /// The one below a row.
    case row(RowID)
    /// The one behind a column.
    case column(ColumnID)
}
