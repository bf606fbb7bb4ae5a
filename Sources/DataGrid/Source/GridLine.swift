/// A rule between cells.
public enum GridLine: Hashable, Sendable {
    /// The rule below a row.
    case row(RowID)
    /// The rule after a column.
    case column(ColumnID)
}
