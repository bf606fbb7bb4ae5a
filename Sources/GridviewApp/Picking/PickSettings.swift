public import DataGridQuery

/// The options of a picker, which prints rows that the user chooses.
public struct PickSettings: Equatable, Sendable {
    /// True if several rows can be picked: the marked rows or, without any, the selected rows.
    public var allowsMany = false
    /// The column to print; `nil` for all columns that the options show.
    public var column: ColumnReference?
    /// The output format; `nil` for lines without a header: records as CSV, or the plain values of ``column``.
    public var format: OutputFormat?

    /// Creates the options of a picker for one row.
    public init() {}
}
