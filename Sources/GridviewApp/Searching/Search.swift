public import DataGrid
import DataGridQuery
import FieldValues

/// A search with its result until now.
public struct Search: Equatable, Sendable {
    /// The text to find in a cell. If it has no capital letters, upper and lower case are equal.
    public var text: String
    /// True if ``text`` is a regular expression.
    public var isPattern: Bool
    /// The column to search; `nil` for all columns.
    public var column: ColumnID?
    /// The number of matching rows found until now; `nil` before the first result.
    public var count: Int?
    /// True if ``count`` includes all rows.
    public var isCounted = false
    /// The rank of the match at the cursor, from 1; `nil` if the cursor is not on a match or the rank is unknown.
    public var currentRank: Int?
    /// True if matches are highlighted and counted on the screen. A search without matches is shown only until the next command.
    var isShown: Bool { !isCleared && !(isFollowedByCommand && count == 0 && isCounted && titleCursor == nil) }
    /// True if the last command was neither “next match” nor “previous match”.
    var isFollowedByCommand = false
    /// True if the user has removed the highlights. “Next match” repeats the search.
    var isCleared = false
    var isForward = true
    /// The cursor position at a column title that the search has found; `nil` if it has found a cell.
    var titleCursor: GridCursor?

    /// The match that the search has found, if it is in a column that cards do not show.
    var matchNotOnCards: MatchNotOnCards?

    /// A match in a column that cards do not show. The cursor goes to the nearest column of its card.
    struct MatchNotOnCards: Equatable, Sendable {
        var column: ColumnID
        var row: RowID
        var cursorColumn: Int
    }

    /// Creates a search without results.
    public init(text: String, isPattern: Bool = false, column: ColumnID? = nil) {
        self.text = text
        self.isPattern = isPattern
        self.column = column
    }

    /// Parses a search from the command line. Text between slashes, as in `/…/`, is a regular expression.
    public init(argument: String) {
        let isPattern = argument.count > 2 && argument.hasPrefix("/") && argument.hasSuffix("/")
        self.init(text: isPattern ? String(argument.dropFirst().dropLast()) : argument, isPattern: isPattern)
    }

    /// The text of the search for messages. A regular expression is between slashes, as in ``init(argument:)``.
    func name(width: Int? = nil) -> String {
        let text = width.map { Message.name(self.text, width: $0) } ?? text
        return isPattern ? "/\(text)/" : "“\(text)”"
    }

    func isEquivalent(to other: Search) -> Bool { text == other.text && isPattern == other.isPattern && column == other.column }

    /// The search in the form that jobs run.
    /// - Throws: The error in the regular expression.
    func textSearch(columns: [Int]? = nil, notation: DecimalStyle = .point) throws(Pattern.SyntaxError) -> TextSearch {
        var search: TextSearch = isPattern ? try .smartCase(pattern: text, columns: columns) : .smartCase(text, columns: columns)
        search.notation = notation
        return search
    }
}
