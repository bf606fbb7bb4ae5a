public import DataGrid
public import DataGridQuery

/// The numbers of a column, its values with their counts, or a summary of all columns, over the grid.
public struct StatisticsPanel: Equatable, Sendable {
    /// What it tells of.
    public enum Subject: Hashable, Sendable {
        /// One column.
        case column(ColumnID)
        /// The different values of a column.
        case frequencies(ColumnID)
        /// Every visible column, a line each.
        case summary
    }

    /// What was found out.
    public enum Result: Equatable, Sendable {
        case column(ColumnStatistics)
        case frequencies(FrequencyTable)
        case summary([ColumnStatistics])
        /// So many values differ, about, that they are not listed.
        case tooMany(Int)
    }

    /// What it tells of.
    public var subject: Subject
    /// `nil` until it is known.
    public internal(set) var result: Result?
    /// The chosen line: of values, or of columns.
    public internal(set) var selected = 0
    /// The first line in sight of a page that has no chosen line.
    public internal(set) var scroll = 0
    /// Whether values stand in their own order rather than by their counts.
    public internal(set) var isByValue = false
    /// The panel that this one was opened from, if any.
    public internal(set) var former: [StatisticsPanel] = []

    /// A panel that waits for its result.
    public init(_ subject: Subject) { self.subject = subject }

    /// How many lines can be chosen; 0 for a page that is only read.
    var choices: Int {
        switch result {
        case .frequencies(let table): table.count
        case .summary(let all): all.count
        case .column, .tooMany, nil: 0
        }
    }
}
