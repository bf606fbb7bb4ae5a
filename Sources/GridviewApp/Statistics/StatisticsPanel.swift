public import DataGrid
public import DataGridQuery
import FieldValues

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
        /// The statistics of one column.
        case column(ColumnStatistics)
        /// The distinct values of a column with their counts.
        case frequencies(FrequencyTable)
        /// The statistics of all visible columns.
        case summary([ColumnStatistics])
        /// About this many distinct values, too many to list.
        case tooMany(Int)
    }

    /// The subject of the panel.
    public var subject: Subject
    /// The result; `nil` until it is known.
    public internal(set) var result: Result?
    /// True if the user has asked for exact statistics instead of an estimate.
    var wantsExact = false
    /// The index of the selected value or column.
    public internal(set) var selected = 0
    /// The index of the first visible line of a page.
    public internal(set) var scroll = 0
    /// The index of the selected bar of the histogram or, after the bars, of the selected frequent value; `nil` for none.
    var item: Int?
    /// True if values are sorted by value rather than by count.
    public internal(set) var isSortedByValue = false
    /// The text that narrows a list of values.
    var narrowing = LineEditor()
    /// True while ``narrowing`` is being typed.
    var isTyping = false
    /// The numbers of the marked values.
    var marked: Set<Int> = []
    /// The numbers of the values that match ``narrowing``, in the order of the list; `nil` for all.
    private(set) var listed: [Int]?
    /// The panel that opened this one, or none. It is an array because a structure cannot contain itself.
    public internal(set) var previous: [StatisticsPanel] = []

    /// Creates a panel without a result.
    public init(_ subject: Subject) { self.subject = subject }

    /// True if the result is an estimate of the engine.
    var isEstimate: Bool { if case .column(let statistics) = result { statistics.isEstimate } else { false } }

    /// The number of selectable lines; 0 for a page.
    var choices: Int {
        switch result {
        case .frequencies(let table): listed?.count ?? table.listCount
        case .summary(let all): all.count
        case .column, .tooMany, nil: 0
        }
    }

    // MARK: Values

    /// Updates the list after a change of its text or order, and selects its first value. O(values).
    @MainActor mutating func narrow(in state: AppState) {
        selected = 0
        let text = narrowing.string
        guard case .frequencies(let table) = result, !text.isEmpty else { return listed = nil }
        var values = table.numbers(matching: .smartCase(text), byValue: isSortedByValue)
        if case .frequencies(let id) = subject, let column = state.grid.columns[id], column.kind.isTemporal, column.dateNotation.isEpoch {
            // The list shows dates, and the file has numbers.
            let (search, found) = (TextSearch.smartCase(text), Set(values))
            let panel = StatisticsText(state, self)
            values = (0..<table.listCount).map { table.listNumber($0, byValue: isSortedByValue) }.filter { number in
                number != table.emptyNumber
                    && (found.contains(number) || !search.matching([panel.displayText(table.entry(number: number).value, column)]).isEmpty)
            }
        }
        listed = values + (table.emptyCount > 0 && Self.emptyName.contains(text.lowercased()) ? [table.emptyNumber] : [])
    }

    /// The number of the value at an index of the list.
    func number(at index: Int) -> Int? {
        guard case .frequencies(let table) = result, index < choices else { return nil }
        return listed?[index] ?? table.listNumber(index, byValue: isSortedByValue)
    }

    /// The name of empty fields in a list of values.
    static let emptyName = "(empty)"

    /// The numbers of the marked values in the order of the list; the numbers of all listed values if none is marked. O(values).
    var markedOrListedValues: [Int] {
        guard case .frequencies(let table) = result else { return [] }
        guard marked.isEmpty else {
            return (0..<table.listCount).map { table.listNumber($0, byValue: isSortedByValue) }.filter(marked.contains)
        }
        return (0..<choices).compactMap(number)
    }
}
