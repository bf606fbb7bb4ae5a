/// The syntax of a delimited text file: its delimiter, quote, header and encoding.
public struct Dialect: Hashable, Sendable {
    /// The byte between fields.
    public var delimiter = UInt8(ascii: ",")
    /// The byte around fields that contain delimiters, line ends or quotes; `nil` if quotes are ordinary text.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// True if the first record has the column names.
    public var hasHeader = true
    /// The character encoding.
    public var encoding = TextEncoding.utf8
    /// The line ends in the first bytes of the file.
    public var lineEnd = LineEnd.lf
    /// The number of lines to skip before the first record.
    public var skipLines = 0
    /// Lines that start with these bytes at a record start are skipped. At most 16 bytes; empty if there are no comment lines.
    public var commentPrefix: [UInt8] = []
}

/// The known properties of the dialect of a file. The others are detected from its first bytes.
public struct DialectRequest: Hashable, Sendable {
    /// The delimiter; `nil` to detect it. Not CR, LF, NUL or the quote; less than 0x80 unless the encoding is single-byte.
    public var delimiter: UInt8?
    /// The quote; `nil` to detect it, `.some(nil)` for no quote.
    public var quote: UInt8??
    /// True if the first record has the column names; `nil` to detect it.
    public var hasHeader: Bool?
    /// The encoding; `nil` to detect it from a byte order mark or from the bytes.
    public var encoding: TextEncoding?
    /// The line end; `nil` to detect it. For information only, because the parser accepts any line end.
    public var lineEnd: LineEnd?
    /// The number of lines to skip before the first record.
    public var skipLines: Int
    /// The prefix of comment lines: at most 16 bytes, the first of which is neither delimiter nor quote. Empty if there are no comment
    /// lines.
    public var commentPrefix: [UInt8]

    /// Creates a request; by default, everything is detected.
    public init(
        delimiter: UInt8? = nil, quote: UInt8?? = nil, hasHeader: Bool? = nil, encoding: TextEncoding? = nil, lineEnd: LineEnd? = nil,
        skipLines: Int = 0, commentPrefix: [UInt8] = []
    ) {
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
    /// Throws ``DelimitedTextError/Code/invalidDialect`` if the request is contradictory.
    ///
    /// If no quote is specified, it is the double quote, unless that is the delimiter.
    func validate() throws(DelimitedTextError) {
        func refuse(_ message: String) throws(DelimitedTextError) { throw DelimitedTextError(.invalidDialect, message) }
        func checkByte(_ byte: UInt8, _ role: String) throws(DelimitedTextError) {
            if byte == 0x0a || byte == 0x0d { try refuse("The \(role) cannot be a line ending. Choose another character.") }
            if byte == 0 { try refuse("The \(role) cannot be the NUL byte. Choose another character.") }
        }
        let doubleQuote = UInt8(ascii: "\"")
        let quote = self.quote ?? (delimiter == doubleQuote ? nil : doubleQuote)
        if let delimiter { try checkByte(delimiter, "delimiter") }
        if let quote {
            try checkByte(quote, "quote")
            if quote == delimiter {
                try refuse(
                    "The delimiter and the quote are both \(Self.name(quote)). Choose another quote, or none (--quote none).")
            }
        }
        if commentPrefix.count > 16 { try refuse("The comment prefix has \(commentPrefix.count) bytes; the limit is 16.") }
        if commentPrefix.contains(where: { $0 == 0x0a || $0 == 0x0d }) {
            try refuse("The comment prefix cannot contain a line ending.")
        }
        if let first = commentPrefix.first {
            if first == delimiter {
                try refuse("The comment prefix starts with the delimiter \(Self.name(first)). Choose another prefix or delimiter.")
            }
            if first == quote {
                try refuse("The comment prefix starts with the quote \(Self.name(first)). Choose another prefix or quote.")
            }
        }
        if skipLines < 0 { try refuse("The number of lines to skip must be 0 or more, not \(skipLines).") }
    }

    /// A delimiter or quote, as text for a message.
    private static func name(_ byte: UInt8) -> String {
        switch byte {
        case 0x09: "tab"
        case 0x20: "space"
        case 0x21..<0x7f: "“\(Character(UnicodeScalar(byte)))”"
        default: "byte \(byte)"
        }
    }
}
