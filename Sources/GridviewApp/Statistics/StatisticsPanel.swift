public import DataGrid
public import DataGridQuery
import FieldValues

/// A panel over the grid with the statistics of a column, its distinct values with their counts, or a summary of all columns.
public struct StatisticsPanel: Equatable, Sendable {
    /// The kind of panel, and the column that it is about.
    public enum Subject: Hashable, Sendable {
        /// The statistics of one column.
        case column(ColumnID)
        /// The distinct values of a column with their counts.
        case frequencies(ColumnID)
        /// The statistics of all visible columns, one line each.
        case summary
    }

    /// The content of a panel, which a job computes.
    public enum Result: Equatable, Sendable {
        /// The statistics of one column.
        case column(ColumnStatistics)
        /// The distinct values of a column with their counts.
        case frequencies(FrequencyTable)
        /// The statistics of all visible columns.
        case summary([ColumnStatistics])
        /// There are too many distinct values to list: about this many.
        case tooMany(Int)
    }

    /// The kind of panel, and the column that it is about.
    public var subject: Subject
    /// The content; `nil` until a job has computed it.
    public internal(set) var result: Result?
    /// True if the user has requested exact statistics instead of an estimate.
    var wantsExact = false
    /// The index of the selected entry in a list of values or columns.
    public internal(set) var selected = 0
    /// The index of the first visible line on the page of one column.
    public internal(set) var scroll = 0
    /// The index of the selected item on the page of one column: bars of the histogram first, then frequent values; `nil` for none.
    var item: Int?
    /// True if the list of values is sorted by value, false if it is sorted by count.
    public internal(set) var isSortedByValue = false
    /// The text that shortens the list of values to the matching ones; empty for all values.
    var valueSearch = LineEditor()
    /// True while the user types the text of ``valueSearch``.
    var isTyping = false
    /// The marked values, as value numbers of the frequency table.
    var markedNumbers: Set<Int> = []
    /// The values that match ``valueSearch``, in the order of the list, as value numbers of the frequency table; `nil` if all values are
    /// listed.
    private(set) var listedNumbers: [Int]?
    /// In the statistics of all columns, the titles that several columns have. The list shows the numbers of these columns.
    var repeatedTitles: Set<String> = []
    /// The panel from which this one was opened, as the only element; empty for none. It is an array because a structure cannot contain
    /// itself.
    public internal(set) var previous: [StatisticsPanel] = []

    /// Creates a panel without a result.
    public init(_ subject: Subject) { self.subject = subject }

    /// True if the statistics are an estimate of the query engine, not computed from all rows.
    var isEstimate: Bool { if case .column(let statistics) = result { statistics.isEstimate } else { false } }

    /// The number of entries that can be selected in a list; 0 for the page of one column.
    var choiceCount: Int {
        switch result {
        case .frequencies(let table): listedNumbers?.count ?? table.listCount
        case .summary(let all): all.count
        case .column, .tooMany, nil: 0
        }
    }

    // MARK: Values

    /// Updates the listed values after the typed text or the order has changed, and selects the first one. O(values).
    @MainActor mutating func updateListedValues(in state: AppState) {
        selected = 0
        let text = valueSearch.string
        guard case .frequencies(let table) = result, !text.isEmpty else { return listedNumbers = nil }
        var values = table.numbers(matching: .smartCase(text), byValue: isSortedByValue)
        if case .frequencies(let id) = subject, let column = state.grid.columns[id], column.kind.isTemporal, column.dateNotation.isEpoch {
            // Search the displayed text as well, because the list may show dates where the file has numbers.
            let (search, found) = (TextSearch.smartCase(text), Set(values))
            let panel = StatisticsText(state, self)
            values = (0..<table.listCount).map { table.entryNumber(at: $0, byValue: isSortedByValue) }.filter { number in
                number != table.emptyNumber
                    && (found.contains(number)
                        || !search.matchIndices(in: [panel.displayText(table.entry(number: number).value, column)]).isEmpty)
            }
        }
        listedNumbers = values + (table.emptyCount > 0 && Self.emptyName.contains(text.lowercased()) ? [table.emptyNumber] : [])
    }

    /// The value that the list shows at this index, as a value number of the frequency table; `nil` if there is no such entry.
    func number(at index: Int) -> Int? {
        guard case .frequencies(let table) = result, index < choiceCount else { return nil }
        return listedNumbers?[index] ?? table.entryNumber(at: index, byValue: isSortedByValue)
    }

    /// The name that the list shows for empty fields.
    static let emptyName = "(empty)"

    /// The value numbers of the marked values or, without marks, of all listed values, in the order of the list. O(values).
    var markedOrListedValues: [Int] {
        guard case .frequencies(let table) = result else { return [] }
        guard markedNumbers.isEmpty else {
            return (0..<table.listCount).map { table.entryNumber(at: $0, byValue: isSortedByValue) }.filter(markedNumbers.contains)
        }
        return (0..<choiceCount).compactMap(number)
    }
}
