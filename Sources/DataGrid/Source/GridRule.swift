/// A thin line between rows or columns.
public enum GridRule: Hashable, Sendable {
    /// The line below a row.
    case row(RowID)
    /// The line after a column.
    case column(ColumnID)
}
