public import DataGrid

/// A list over the grid that is narrowed by typing: columns, commands.
public struct ListPanel: Equatable, Sendable {
    /// What choosing a row of the list does.
    public enum Purpose: Equatable, Sendable {
        /// Go to the column that is chosen.
        case goToColumn
        /// Show and hide columns.
        case showColumns
        /// Run the command that is chosen.
        case commands
        /// Copy in the format that is chosen.
        case copyAs
        /// What can be done with a column.
        case columnMenu
        /// Show the sheet that is chosen.
        case sheets
    }

    /// A line of the list.
    public struct Row: Equatable, Sendable {
        /// What it says, and what typing is matched against.
        public var text: String
        /// What stands at its right: a key, a state.
        public var detail: String
        /// Which thing it stands for: a column's id, a command's place in the table.
        public var tag: Int
    }

    /// What becomes of the row that is chosen.
    public var purpose: Purpose
    /// What the panel's upper edge says.
    public var title: String
    /// Everything that can be chosen, whether it matches or not.
    public var rows: [Row] { didSet { rank() } }
    /// What was typed to narrow the list.
    public var field = TextField() { didSet { if field.string != oldValue.string { rank() } } }
    /// The chosen one among ``matches``.
    public var selected = 0
    /// The places of ``matches`` in ``rows``: every frame asks for some of them.
    private var places: [Int] = []

    init(purpose: Purpose, title: String, rows: [Row]) {
        (self.purpose, self.title, self.rows) = (purpose, title, rows)
        rank()
    }

    /// The rows that match what was typed, the best first.
    public var matches: LazyMapCollection<[Int], Row> { places.lazy.map { rows[$0] } }

    /// Finds the matches anew. O(rows · length), and O(matches · log) to order them.
    private mutating func rank() { places = FuzzyMatch.rank(field.string, in: rows.lazy.map(\.text)) }

    /// Moves the choice, around the ends.
    public mutating func move(by count: Int) {
        let all = matches.count
        guard all > 0 else { return }
        selected = ((selected + count) % all + all) % all
    }
}
