/// How a file is written: what separates and quotes its fields, and how its characters are encoded.
public struct Dialect: Hashable, Sendable {
    /// The byte between fields.
    public var delimiter: UInt8
    /// The byte around fields that hold delimiters, line ends or quotes; `nil` when there is none and quotes are text.
    public var quote: UInt8?
    /// Whether the first record holds the titles of the columns.
    public var hasHeader: Bool
    /// How its characters are written.
    public var encoding: TextEncoding
    /// What ends the lines of the first bytes of the file.
    public var lineEnd: LineEnd
    /// The number of lines before the first record that are not read.
    public var skipLines: Int
    /// Lines that begin with these bytes, where a record would begin, are not read. Empty: there are none. At most 16 bytes.
    public var commentPrefix: [UInt8]

    /// Comma, double quote, a header, UTF-8, LF: unless said otherwise.
    public init(
        delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8? = UInt8(ascii: "\""), hasHeader: Bool = true, encoding: TextEncoding = .utf8,
        lineEnd: LineEnd = .lf, skipLines: Int = 0, commentPrefix: [UInt8] = []
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

/// What the caller knows of a file's dialect; the rest is found out from its first bytes.
public struct DialectRequest: Hashable, Sendable {
    /// `nil`: find out. Not CR, LF or the quote; below 0x80 unless the encoding has one byte per character.
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
    /// What comment lines begin with; at most 16 bytes; empty: there are none.
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
    /// Throws when no file can be read so.
    func validate() throws(DelimitedTextError) {
        let lineEnds: [UInt8] = [0x0a, 0x0d]
        if let delimiter, lineEnds.contains(delimiter) {
            throw DelimitedTextError(.invalidDialect, "A line end cannot be the delimiter. Choose another character.")
        }
        if case .some(.some(let quote)) = quote {
            if lineEnds.contains(quote) {
                throw DelimitedTextError(.invalidDialect, "A line end cannot be the quote. Choose another character.")
            }
            if quote == delimiter {
                throw DelimitedTextError(.invalidDialect, "Delimiter and quote are the same character. Choose two.")
            }
        }
        if commentPrefix.count > 16 {
            throw DelimitedTextError(.invalidDialect, "The comment prefix has \(commentPrefix.count) bytes; at most 16 are possible.")
        }
        if commentPrefix.contains(where: { lineEnds.contains($0) }) {
            throw DelimitedTextError(.invalidDialect, "The comment prefix holds a line end, so no line can begin with it.")
        }
        if skipLines < 0 {
            throw DelimitedTextError(.invalidDialect, "The number of lines to skip is \(skipLines); it cannot be negative.")
        }
    }
}
