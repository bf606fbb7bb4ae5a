public import DataGrid

/// A list over the grid, such as columns or commands, that the user filters by typing.
public struct ListPanel: Equatable, Sendable {
    /// The effect of selecting a row.
    public enum Purpose: Equatable, Sendable {
        /// Goes to the selected column.
        case goToColumn
        /// Shows or hides the selected column.
        case showColumns
        /// Runs the selected command.
        case commands
        /// Copies in the selected format.
        case copyAs
        /// Runs the selected command on a column.
        case columnMenu
        /// Shows the selected sheet.
        case sheets
    }

    /// A row of the list.
    public struct Row: Equatable, Sendable {
        /// The displayed text, which is matched against the typed text.
        public var text: String
        /// A detail at the right: a key, a state.
        public var detail: String
        /// The item: a column ID, the index of a command in the table.
        public var tag: Int
    }

    /// The effect of selecting a row.
    public var purpose: Purpose
    /// The title at the top of the panel.
    public var title: String
    /// All rows, including those that do not match.
    public var rows: [Row] { didSet { rank() } }
    /// The typed text.
    public var field = LineEditor() { didSet { if field.string != oldValue.string { rank() } } }
    /// The index of the selected row among ``matches``.
    public var selected = 0
    /// The indices of ``matches`` in ``rows``, cached because every frame reads some of them.
    private var places: [Int] = []

    init(purpose: Purpose, title: String, rows: [Row]) {
        (self.purpose, self.title, self.rows) = (purpose, title, rows)
        rank()
    }

    /// The rows that match the typed text, best first.
    public var matches: LazyMapCollection<[Int], Row> { places.lazy.map { rows[$0] } }

    /// Updates the matches. O(rows · length), and O(matches · log matches) to sort them.
    private mutating func rank() { places = FuzzyMatch.rank(field.string, in: rows.lazy.map(\.text)) }

    /// Moves the selection, wrapping around at the ends.
    public mutating func move(by count: Int) {
        let all = matches.count
        guard all > 0 else { return }
        selected = ((selected + count) % all + all) % all
    }
}
