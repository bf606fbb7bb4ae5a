public import DataGrid
public import DataGridQuery

/// A panel over the grid: statistics of a column, its distinct values with counts, or a summary of all columns.
public struct StatisticsPanel: Equatable, Sendable {
    /// The subject of a panel.
    public enum Subject: Hashable, Sendable {
        /// One column.
        case column(ColumnID)
        /// The distinct values of a column.
        case frequencies(ColumnID)
        /// All visible columns, one line each.
        case summary
    }

    /// The result of a job.
    public enum Result: Equatable, Sendable {
        case column(ColumnStatistics)
        case frequencies(FrequencyTable)
        case summary([ColumnStatistics])
        /// About this many distinct values, too many to list.
        case tooMany(Int)
    }

    /// The subject of the panel.
    public var subject: Subject
    /// The result; `nil` until it is known.
    public internal(set) var result: Result?
    /// The index of the selected value or column.
    public internal(set) var selected = 0
    /// The index of the first visible line of a page.
    public internal(set) var scroll = 0
    /// True if values are sorted by value rather than by count.
    public internal(set) var isSortedByValue = false
    /// The panel that opened this one, if any.
    public internal(set) var previous: [StatisticsPanel] = []

    /// Creates a panel without a result.
    public init(_ subject: Subject) { self.subject = subject }

    /// The number of selectable lines; 0 for a page.
    var choices: Int {
        switch result {
        case .frequencies(let table): table.count
        case .summary(let all): all.count
        case .column, .tooMany, nil: 0
        }
    }
}
