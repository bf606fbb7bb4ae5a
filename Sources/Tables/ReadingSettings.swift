/// The settings for reading an input as a table, in the spelling of the command line. Settings that are `nil` are detected from the first
/// bytes.
public struct ReadingSettings: Hashable, Sendable, Codable {
    /// The byte between fields: one ASCII character, `tab` or `space`; `none` for whole lines.
    public var delimiter: String?
    /// The quote: one ASCII character, `tab`, `space` or `none`.
    public var quote: String?
    /// The rows with column names: `yes` means the first row, `two` the first two rows, and `no` that the file has no header.
    public var header: String?
    /// The number of lines before the table.
    public var skippedLines = 0
    /// The prefix of comment lines; empty for files without comments.
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
    /// A sentence that says what is wrong, and often what to do.
    public let message: String

    /// True if the setting is valid but contradicts another setting.
    public let isContradiction: Bool

    /// Creates an error.
    public init(_ field: ReadingSettings.Field, _ message: String, isContradiction: Bool = false) {
        (self.field, self.message, self.isContradiction) = (field, message, isContradiction)
    }
}

/// A property of the first bytes of an input that suggests other ``ReadingSettings``.
public enum ReadingSuggestion: Hashable, Sendable {
    /// The number of lines before the table, which are not part of the table.
    case linesBeforeTable(Int)
    /// The row below the column names has their units.
    case unitsRow
    /// A row at the end has totals. Its first value, such as `Total`, is in this column. Blank rows and remarks may follow it.
    case totalsRow(column: Int, value: String)

    /// The settings changed as suggested. A row of totals changes no setting, because a filter excludes it.
    public func applied(to settings: ReadingSettings) -> ReadingSettings {
        var settings = settings
        switch self {
        case .linesBeforeTable(let count): settings.skippedLines += count
        case .unitsRow: settings.header = "two"
        case .totalsRow: break
        }
        return settings
    }
}
