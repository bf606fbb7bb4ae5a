/// A rule between cells.
public enum GridRule: Hashable, Sendable {
    /// The rule below a row.
    case row(RowID)
    /// The rule after a column.
    case column(ColumnID)
}
