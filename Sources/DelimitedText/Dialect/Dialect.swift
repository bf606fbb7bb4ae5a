public import FieldValues
public import Tables

/// The syntax of a delimited text file: its delimiter, quote, header and encoding.
public struct Dialect: Hashable, Sendable {
    /// The byte between fields.
    public var delimiter = UInt8(ascii: ",")
    /// The byte around fields that contain delimiters, line endings or quotes; `nil` if quotes are ordinary text.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// True if the first record contains the column names.
    public var hasHeader = true
    /// If there is a header, the number of its records: 1, or 2 if the second record continues the column names.
    public var headerRows = 1
    /// The character encoding.
    public var encoding = TextEncoding.utf8
    /// The kind of line endings found in the first bytes of the file.
    public var lineEnd = LineEnd.lf
    /// The number of lines to skip at the start of the file.
    public var skipLines = 0
    /// The text at the start of a comment line, at most 16 bytes. Comment lines are skipped. Empty if there are no comment lines. Within a
    /// quoted field, no line is a comment.
    public var commentPrefix: [UInt8] = []
    /// True if blank lines are not records, as between values of JSON. Spaces and tabs before a record are then skipped, too.
    package var skipsBlankLines = false
    /// True if scans pass each line as a single field, even if it contains the delimiter. The quote must then be `nil`.
    package var keepsLinesWhole = false
}

/// The properties of a dialect that the user specified. All other properties are detected from the first bytes of the file. See also
/// ``init(_:)``.
public struct DialectRequest: Hashable, Sendable {
    /// The delimiter; `nil` to detect it. It must not be CR, LF, NUL or the quote. It must be less than 0x80, unless the encoding is
    /// single-byte.
    public var delimiter: UInt8?
    /// True to read each line as one field, without a delimiter.
    public var readsLines = false
    /// The quote; `nil` to detect it, `.some(nil)` if quotes are ordinary text.
    public var quote: UInt8??
    /// The character before quotes within quotes; `nil` if such quotes are doubled. Without a quote, it begins the escapes of MySQL and
    /// PostgreSQL, such as `\t`. `FileOpener` rewrites the file with doubled quotes. A ``DelimitedFile`` uses the character only to detect
    /// the dialect.
    public var escape: UInt8?
    /// True if the first record contains the column names; `nil` to detect it.
    public var hasHeader: Bool?
    /// If there is a header, the number of its records: 1, or 2 if the second record continues the column names.
    public var headerRows: Int
    /// The encoding; `nil` to detect it from a byte order mark or from the bytes.
    public var encoding: TextEncoding?
    /// The line ending; `nil` to detect it. It is shown to users. The parser accepts any line ending, except that with ``escape`` and
    /// without a quote, a carriage return alone ends a line only if this is ``LineEnd/cr``.
    public var lineEnd: LineEnd?
    /// The number of lines to skip at the start of the file.
    public var skipLines: Int
    /// The text at the start of a comment line: at most 16 bytes, the first of which is neither delimiter nor quote. Empty if there are no
    /// comment lines.
    public var commentPrefix: [UInt8]
    /// The notation of the numbers in all columns; `nil` to detect it for each column.
    public var notation: DecimalStyle?
    /// True if blank lines are not records. The delimiter must then be specified, and must not be a space or a tab.
    package var skipsBlankLines = false
    /// True if scans pass each line as a single field, even if it contains the delimiter. The quote must then be `nil`.
    package var keepsLinesWhole = false

    /// Creates a request; by default, everything is detected.
    public init(
        delimiter: UInt8? = nil, quote: UInt8?? = nil, hasHeader: Bool? = nil, encoding: TextEncoding? = nil, lineEnd: LineEnd? = nil,
        skipLines: Int = 0, commentPrefix: [UInt8] = [], headerRows: Int = 1, notation: DecimalStyle? = nil
    ) {
        (self.headerRows, self.notation) = (headerRows, notation)
        self.delimiter = delimiter
        self.quote = quote
        self.hasHeader = hasHeader
        self.encoding = encoding
        self.lineEnd = lineEnd
        self.skipLines = skipLines
        self.commentPrefix = commentPrefix
    }
}

extension DialectRequest {
    /// Checks that the properties do not contradict each other.
    ///
    /// If no quote is specified, the check assumes the double quote, or no quote if the delimiter is the double quote.
    /// - Throws: an error with the code ``DelimitedTextError/Code/invalidDialect``.
    func validate() throws(DelimitedTextError) {
        do throws(ReadingSettingsError) { try check() } catch { throw DelimitedTextError(.invalidDialect, error.message) }
    }

    /// Throws an error that names the property which contradicts another one.
    private func check() throws(ReadingSettingsError) {
        func checkByte(_ byte: UInt8, _ role: String, _ field: ReadingSettings.Field) throws(ReadingSettingsError) {
            if byte == 0x0a || byte == 0x0d {
                throw ReadingSettingsError(
                    field, "The \(role) cannot be a line ending. Choose another character.", isContradiction: true)
            }
            if byte == 0 {
                throw ReadingSettingsError(
                    field, "The \(role) cannot be the NUL byte. Choose another character.", isContradiction: true)
            }
        }
        if readsLines, delimiter != nil {
            throw ReadingSettingsError(
                .delimiter, "Whole lines have no delimiter. Choose either a delimiter or whole lines.", isContradiction: true)
        }
        func refuseComments(_ message: String) throws(ReadingSettingsError) {
            throw ReadingSettingsError(.commentPrefix, message, isContradiction: true)
        }
        let doubleQuote = UInt8(ascii: "\"")
        let quote = self.quote ?? (delimiter == doubleQuote ? nil : doubleQuote)
        if let delimiter { try checkByte(delimiter, "delimiter", .delimiter) }
        if let quote {
            try checkByte(quote, "quote", .quote)
            if quote == delimiter {
                throw ReadingSettingsError(
                    .quote,
                    "The delimiter and the quote are both \(Self.name(quote)). Choose another quote, or none (--quote none).",
                    isContradiction: true)
            }
        }
        if let escape {
            func refuse(_ message: String) throws(ReadingSettingsError) {
                throw ReadingSettingsError(.escape, message, isContradiction: true)
            }
            try checkByte(escape, "escape character", .escape)
            if escape == delimiter {
                try refuse("The delimiter and the escape character are both \(Self.name(escape)). Choose another escape character.")
            }
            if escape == quote {
                try refuse("The quote and the escape character are both \(Self.name(escape)). Doubled quotes need no escape character.")
            }
            if readsLines { try refuse("Whole lines have no escape character. Choose either whole lines or an escape character.") }
        }
        if commentPrefix.count > 16 { try refuseComments("The comment prefix has \(commentPrefix.count) bytes; the limit is 16.") }
        if commentPrefix.contains(where: { $0 == 0x0a || $0 == 0x0d }) {
            try refuseComments("The comment prefix cannot contain a line ending.")
        }
        if let first = commentPrefix.first {
            if first == delimiter {
                try refuseComments("The comment prefix starts with the delimiter \(Self.name(first)). Choose another prefix or delimiter.")
            }
            if first == quote {
                try refuseComments("The comment prefix starts with the quote \(Self.name(first)). Choose another prefix or quote.")
            }
        }
        if skipLines < 0 {
            throw ReadingSettingsError(.skippedLines, "The number of lines to skip must be 0 or more, not \(skipLines).")
        }
    }

    /// Creates a request from the settings of the command line.
    /// - Throws: `ReadingSettingsError` for an invalid value and for contradictory settings.
    public init(_ settings: ReadingSettings) throws(ReadingSettingsError) {
        self.init()
        readsLines = settings.delimiter?.lowercased() == "none"
        if let text = settings.delimiter, !readsLines { delimiter = try Self.byte(text, .delimiter) }
        if let text = settings.quote { quote = .some(text == "none" ? nil : try Self.byte(text, .quote)) }
        if let text = settings.escape, text != "none" { escape = try Self.byte(text, .escape) }
        if let text = settings.header {
            guard let rows = Self.headers.first(where: { $0.name == text.lowercased() })?.rows else {
                throw Self.unknownValueError(.header, text, Self.headers.map(\.name))
            }
            (hasHeader, headerRows) = (rows > 0, max(1, rows))
        }
        if let text = settings.encoding {
            guard let encoding = TextEncoding(optionName: text) else {
                throw Self.unknownValueError(
                    .encoding, text, TextEncoding.allCases.map(\.optionName), advice: " Convert files in other encodings with iconv first.")
            }
            self.encoding = encoding
        }
        if let text = settings.decimal {
            guard let style = DecimalStyle.allCases.first(where: { $0.optionName == text.lowercased() }) else {
                throw Self.unknownValueError(.decimal, text, DecimalStyle.allCases.map(\.optionName))
            }
            notation = style
        }
        skipLines = settings.skippedLines
        commentPrefix = Array(settings.commentPrefix.utf8)
        try check()
    }

    /// The request as settings of the command line.
    public var settings: ReadingSettings {
        var settings = ReadingSettings()
        settings.delimiter = readsLines ? "none" : delimiter.map(Self.spelling)
        if let quote { settings.quote = quote.map(Self.spelling) ?? "none" }
        settings.escape = escape.map(Self.spelling)
        if let hasHeader { settings.header = hasHeader ? (headerRows > 1 ? "two" : "yes") : "no" }
        settings.skippedLines = skipLines
        settings.commentPrefix = String(decoding: commentPrefix, as: UTF8.self)
        settings.encoding = encoding?.optionName
        settings.decimal = notation?.optionName
        return settings
    }

    private static let headers: [(name: String, rows: Int)] = [("yes", 1), ("no", 0), ("two", 2)]

    /// - Parameter advice: a sentence to add if the value does not resemble any of the known ones.
    private static func unknownValueError(
        _ field: ReadingSettings.Field, _ text: String, _ known: [String], advice: String = ""
    ) -> ReadingSettingsError {
        let all = ["auto"] + known
        let suggestion = Suggestions.closest(text, all).map { " Did you mean “\($0)”?" } ?? advice
        return ReadingSettingsError(field, "Unknown value “\(text)”. Use \(Suggestions.alternatives(all)).\(suggestion)")
    }

    private static func byte(_ text: String, _ field: ReadingSettings.Field) throws(ReadingSettingsError) -> UInt8 {
        if text == "tab" || text == "\\t" { return 9 }
        if text == "space" { return 32 }
        let code = text.dropFirst(2)
        if text.hasPrefix("\\x"), code.utf8.count == 2, code.first != "+", let byte = UInt8(code, radix: 16), byte < 0x80 { return byte }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte != 10, byte != 13 else {
            throw ReadingSettingsError(
                field, "“\(text)” is not a single ASCII character. For a tab or a space, write the word tab or space.")
        }
        return byte
    }

    /// A delimiter, a quote or an escape character as it is written on the command line.
    static func spelling(_ byte: UInt8) -> String {
        switch byte {
        case 9: "tab"
        case 32: "space"
        case 0..<32, 127: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        default: String(UnicodeScalar(byte))
        }
    }

    /// A delimiter, a quote or an escape character as it is written in messages.
    private static func name(_ byte: UInt8) -> String {
        switch byte {
        case 0x09: "tab"
        case 0x20: "space"
        case 0x21..<0x7f: "“\(Character(UnicodeScalar(byte)))”"
        default: "byte \(byte)"
        }
    }
}

extension DecimalStyle {
    /// The name of the notation on the command line.
    var optionName: String { isComma ? "comma" : "point" }
}

extension TextEncoding {
    /// The name of the encoding on the command line.
    public var optionName: String {
        switch self {
        case .utf8: "utf-8"
        case .utf16LittleEndian: "utf-16"
        case .utf16BigEndian: "utf-16be"
        case .latin1: "latin-1"
        case .windows1252: "windows-1252"
        }
    }

    /// The encoding with this name on the command line, ignoring case; `nil` for an unknown name.
    public init?(optionName name: String) {
        let name = name.lowercased()
        let others: [String: Self] = [
            "utf8": .utf8, "utf16": .utf16LittleEndian, "utf-16le": .utf16LittleEndian, "utf16le": .utf16LittleEndian,
            "utf16be": .utf16BigEndian, "latin1": .latin1, "iso-8859-1": .latin1, "cp1252": .windows1252,
        ]
        guard let encoding = Self.allCases.first(where: { $0.optionName == name }) ?? others[name] else { return nil }
        self = encoding
    }
}
