public import DataGrid

/// Content to copy to the clipboard.
public enum CopyRequest: Equatable, Sendable {
    /// Cells in an output format; without a format, as plain tab-separated text. If `asShown` is true, values are formatted as on the
    /// screen.
    case cells(CopiedCells, as: OutputFormat? = nil, withHeader: Bool, asShown: Bool = false)
    /// One record for each of these sections, with its keys and aggregates.
    case sections([Int], as: OutputFormat? = nil, withHeader: Bool, asShown: Bool = false)
    /// Values of a column with their counts, as a table with a header.
    case values(FrequentValues)
    /// Text that the program generates. The name describes the text in messages, as in "the command line".
    case text(String, name: String)
    /// The current field of the row view.
    case field
}
