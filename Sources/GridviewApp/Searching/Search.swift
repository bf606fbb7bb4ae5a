public import DataGrid
import DataGridQuery
import FieldValues

/// A search with its result.
public struct Search: Equatable, Sendable {
    /// The text to find in a cell. Without capital letters, the case is ignored.
    public var text: String
    /// True if ``text`` is a regular expression.
    public var isPattern: Bool
    /// The column to search; `nil` for all.
    public var column: ColumnID?
    /// The number of matching rows that were found; `nil` before the first match or count.
    public var count: Int?
    /// True if ``count`` is final.
    public var isCounted = false
    /// The rank of the match under the cursor, from 1; `nil` if the cursor is not on a match or the rank is unknown.
    public var current: Int?
    /// True if matches are highlighted and counted on the screen. A search that found nothing is shown until the next command.
    var isShown: Bool { !isCleared && !(isFollowedByCommand && count == 0 && isCounted && title == nil) }
    /// True if the last command was not “next match” or “previous match”.
    var isFollowedByCommand = false
    /// True if the highlights were cleared. The search can be repeated.
    var isCleared = false
    var isForward = true
    /// The cursor position for a match in a column title.
    var title: GridCursor?

    /// Creates a search without results.
    public init(text: String, isPattern: Bool = false, column: ColumnID? = nil) {
        self.text = text
        self.isPattern = isPattern
        self.column = column
    }

    /// Parses a search of the command line: `/…/` is a regular expression.
    public init(argument: String) {
        let isPattern = argument.count > 2 && argument.hasPrefix("/") && argument.hasSuffix("/")
        self.init(text: isPattern ? String(argument.dropFirst().dropLast()) : argument, isPattern: isPattern)
    }

    /// The text in messages: a regular expression is between slashes, as in ``init(argument:)``.
    func name(width: Int? = nil) -> String {
        let text = width.map { Message.name(self.text, width: $0) } ?? text
        return isPattern ? "/\(text)/" : "“\(text)”"
    }

    func isEquivalent(to other: Search) -> Bool { text == other.text && isPattern == other.isPattern && column == other.column }

    /// The search as input of a job.
    /// - Throws: The error in the regular expression.
    func textSearch(columns: [Int]? = nil, notation: DecimalStyle = .point) throws(Pattern.SyntaxError) -> TextSearch {
        var search: TextSearch = isPattern ? try .smartCase(pattern: text, columns: columns) : .smartCase(text, columns: columns)
        search.notation = notation
        return search
    }
}
