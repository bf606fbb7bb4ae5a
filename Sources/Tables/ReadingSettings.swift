/// The settings for reading an input as a table, with the values of the command line options. If a setting is `nil`, it is detected from
/// the first bytes.
public struct ReadingSettings: Hashable, Sendable, Codable {
    /// The separator of fields: one ASCII character, `tab` or `space`; `none` reads each line as one field.
    public var delimiter: String?
    /// The quote character: one ASCII character, `tab`, `space` or `none`.
    public var quote: String?
    /// The escape character before quotes within quotes: one ASCII character. `nil` if such quotes are doubled. If ``quote`` is `none`, it
    /// begins the escapes of MySQL and PostgreSQL, such as `\t` and `\N`.
    public var escape: String?
    /// Which rows contain column names: `yes` is the first row, `two` the first two rows, and `no` none.
    public var header: String?
    /// The number of lines to skip before the table.
    public var skippedLines = 0
    /// The prefix of lines to ignore as comments; empty if the file has no comments.
    public var commentPrefix = ""
    /// The character encoding: `utf-8`, `utf-16`, `utf-16be`, `latin-1` or `windows-1252`.
    public var encoding: String?
    /// The decimal separator of numbers: `point` or `comma`.
    public var decimal: String?

    /// Creates settings; by default, everything is detected.
    public init() {}

    /// The name of a setting, for example to find its field in a form.
    public enum Field: String, CaseIterable, Sendable, Codable {
        /// The delimiter of fields.
        case delimiter
        /// The character around quoted fields.
        case quote
        /// The character before quotes within quotes.
        case escape
        /// The rows that name the columns.
        case header
        /// The number of lines before the table.
        case skippedLines
        /// The prefix of comment lines.
        case commentPrefix
        /// The character encoding.
        case encoding
        /// The decimal separator of numbers.
        case decimal
    }
}

/// An invalid setting of ``ReadingSettings``.
public struct ReadingSettingsError: TableError, Hashable {
    /// The invalid setting.
    public let field: ReadingSettings.Field
    /// A sentence that says what is wrong, and in most cases what to do.
    public let message: String

    /// True if the value of the setting is valid, but contradicts another setting.
    public let isContradiction: Bool

    /// Creates an error.
    public init(_ field: ReadingSettings.Field, _ message: String, isContradiction: Bool = false) {
        (self.field, self.message, self.isContradiction) = (field, message, isContradiction)
    }
}

/// A property of an input that suggests other ``ReadingSettings``, or a filter for a row of totals.
public enum ReadingSuggestion: Hashable, Sendable {
    /// The number of lines before the table, which are not part of it.
    case linesBeforeTable(Int)
    /// The first `count` lines begin with this text, and a table follows them.
    case commentLines(prefix: String, count: Int)
    /// The last of the ignored comments at the start may have the column names. To read that comment as the header, the suggested settings
    /// use `prefix` as the prefix of comments, and skip `linesBefore` more lines.
    case commentedHeader(prefix: String, linesBefore: Int)
    /// The row below the column names contains units.
    case unitsRow
    /// The first row was read as data, but may contain the column names.
    case header
    /// A row near the end contains totals. Its first value, such as `Total`, is in this column. Blank rows and remarks may follow the row.
    case totalsRow(column: Int, value: String)

    /// The settings after the suggestion is accepted. A row of totals does not change the settings: the program hides it with a filter.
    public func applied(to settings: ReadingSettings) -> ReadingSettings {
        var settings = settings
        switch self {
        case .linesBeforeTable(let count): settings.skippedLines += count
        case .commentLines(let prefix, _): settings.commentPrefix = prefix
        case .commentedHeader(let prefix, let count):
            settings.commentPrefix = prefix
            settings.skippedLines += count
        case .unitsRow: settings.header = "two"
        case .header: settings.header = "yes"
        case .totalsRow: break
        }
        return settings
    }
}
