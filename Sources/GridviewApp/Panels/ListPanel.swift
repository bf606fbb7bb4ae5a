/// A list over the grid that is narrowed by typing: columns, commands.
public struct ListPanel: Equatable, Sendable {
    public enum Purpose: Equatable, Sendable {
        /// Go to the column that is chosen.
        case goToColumn
        /// Show and hide columns.
        case showColumns
        /// Run the command that is chosen.
        case commands
        /// What can be done with a column.
        case columnMenu
    }

    public struct Row: Equatable, Sendable {
        public var text: String
        /// What stands at its right: a key, a state.
        public var detail: String
        /// Which thing it stands for: a column's id, a command's place in the table.
        public var tag: Int
    }

    public var purpose: Purpose
    public var title: String
    public var rows: [Row]
    public var field = TextField()
    /// The chosen one among ``matches``.
    public var selected = 0

    /// The rows that match what was typed, the best first.
    public var matches: [Row] { FuzzyMatch.rank(field.string, in: rows.map(\.text)).map { rows[$0] } }

    /// Moves the choice, around the ends.
    public mutating func move(by count: Int) {
        let all = matches.count
        guard all > 0 else { return }
        selected = ((selected + count) % all + all) % all
    }
}
