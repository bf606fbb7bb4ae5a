public import DataGridQuery

/// The options with which the program prints rows that the user picks on the screen.
public struct PickSettings: Equatable, Sendable {
    /// True if the user may pick several rows: the marked rows or, without marks, the selected rows.
    public var allowsMany = false
    /// The column to print; `nil` for all columns that the command-line options show.
    public var column: ColumnReference?
    /// The output format; `nil` for lines without a header. Each line is then the value of ``column`` or, if that is `nil`, a record as
    /// CSV.
    public var format: OutputFormat?

    /// Creates the options for picking one row.
    public init() {}
}
