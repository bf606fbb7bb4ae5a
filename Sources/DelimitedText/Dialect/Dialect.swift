/// How a file is written: what separates and quotes its fields, and how its characters are encoded.
public struct Dialect: Hashable, Sendable {
    /// The byte between fields.
    public var delimiter = UInt8(ascii: ",")
    /// The byte around fields that hold delimiters, line ends or quotes; `nil` when there is none and quotes are text.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// Whether the first record holds the titles of the columns.
    public var hasHeader = true
    /// The character encoding.
    public var encoding = TextEncoding.utf8
    /// The line ends in the first bytes of the file.
    public var lineEnd = LineEnd.lf
    /// The number of lines before the first record that are not read.
    public var skipLines = 0
    /// Lines that begin with these bytes, where a record would begin, are not read. Empty: there are none. At most 16 bytes.
    public var commentPrefix: [UInt8] = []
}

/// What the caller knows of a file's dialect; the rest is found out from its first bytes.
public struct DialectRequest: Hashable, Sendable {
    /// `nil`: find out. Not CR, LF, NUL or the quote; below 0x80 unless the encoding has one byte per character.
    public var delimiter: UInt8?
    /// `nil`: find out. `.some(nil)`: there is none.
    public var quote: UInt8??
    /// `nil`: find out.
    public var hasHeader: Bool?
    /// `nil`: find out, from a byte order mark or from the bytes.
    public var encoding: TextEncoding?
    /// `nil`: find out. Only told on, as the parser takes any line end anywhere.
    public var lineEnd: LineEnd?
    /// Lines before the first record that are not read.
    public var skipLines: Int
    /// What comment lines begin with: at most 16 bytes, the first neither delimiter nor quote. Empty: there are none.
    public var commentPrefix: [UInt8]

    /// Asks for everything to be found out.
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
    /// Throws ``DelimitedTextError/Code/invalidDialect`` for a request that no file can be read by.
    ///
    /// A quote that nobody named is the double quote, unless that is the delimiter.
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

    /// A delimiter or quote as text in a message.
    private static func name(_ byte: UInt8) -> String {
        switch byte {
        case 0x09: "tab"
        case 0x20: "space"
        case 0x21..<0x7f: "“\(Character(UnicodeScalar(byte)))”"
        default: "byte \(byte)"
        }
    }
}
