public import DataGrid
import DataGridQuery
import FieldValues

/// What was searched for.
public struct Search: Equatable, Sendable {
    /// What a cell has to contain; without capital letters, case does not matter.
    public var text: String
    /// Whether ``text`` is a regular expression.
    public var isPattern: Bool
    /// `nil`: all columns.
    public var column: ColumnID?
    /// Rows that match, as far as they have been counted.
    public var count: Int?
    /// Whether all rows have been looked through, so that ``count`` is final.
    public var isCounted = false
    /// Which of them the cursor is on, from 1; `nil` when it is on none, or that is not known.
    public var current: Int?
    /// Whether something else was done since nothing was found: that need not be told any longer.
    var isPassedOver: Bool { wasLeft && count == 0 && isCounted && title == nil }
    var wasLeft = false
    var isForward = true
    /// Where the cursor was put because the title of its column matches.
    var title: GridCursor?

    /// A search that has found nothing yet.
    public init(text: String, isPattern: Bool = false, column: ColumnID? = nil) {
        self.text = text
        self.isPattern = isPattern
        self.column = column
    }

    /// A search as the command line says it: `/…/` is a regular expression.
    public init(argument: String) {
        let isPattern = argument.count > 2 && argument.hasPrefix("/") && argument.hasSuffix("/")
        self.init(text: isPattern ? String(argument.dropFirst().dropLast()) : argument, isPattern: isPattern)
    }

    /// The text as it is spoken of: a regular expression between slashes, as ``init(argument:)`` reads it.
    func name(width: Int? = nil) -> String {
        let text = width.map { Message.name(self.text, width: $0) } ?? text
        return isPattern ? "/\(text)/" : "“\(text)”"
    }

    func finds(thatOf other: Search) -> Bool { text == other.text && isPattern == other.isPattern && column == other.column }

    /// The search for a job.
    /// - Throws: what is wrong with the regular expression.
    func textSearch(columns: [Int]? = nil, notation: NumberNotation = .point) throws(Pattern.Mistake) -> TextSearch {
        var search: TextSearch = isPattern ? try .smart(pattern: text, columns: columns) : .smart(text, columns: columns)
        search.notation = notation
        return search
    }
}

/// What to search for, while it is being typed.
public struct SearchPrompt: Equatable, Sendable {
    /// The text so far.
    public var field = TextField()
    /// Whether it is a regular expression.
    public var isPattern = false
    /// The only column to search; `nil`: all.
    public var column: ColumnID?
    /// Where the cursor goes back to when the search is given up.
    public let origin: GridCursor
    /// What is wrong with the regular expression.
    public var mistake: String?

    /// A prompt in which nothing has been typed.
    public init(origin: GridCursor) { self.origin = origin }
}
