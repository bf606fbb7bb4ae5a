public import DataGrid

/// Content to copy to the clipboard.
public enum CopyRequest: Equatable, Sendable {
    /// Cells of the table in an output format, or as plain tab-separated text if the format is `nil`. If `asShown` is true, values are
    /// formatted as on the screen.
    case cells(CopiedCells, as: OutputFormat? = nil, withHeader: Bool, asShown: Bool = false)
    /// The sections with these indices: one record for each section, with its keys and aggregates.
    case sections([Int], as: OutputFormat? = nil, withHeader: Bool, asShown: Bool = false)
    /// The values of a column with their counts, as a table with a header.
    case values(FrequentValues)
    /// Text that is not from the table, such as the SQL of the view. `name` describes the text in messages, such as “the command line”.
    case text(String, name: String)
    /// The field at the cursor of the row view.
    case field
}
