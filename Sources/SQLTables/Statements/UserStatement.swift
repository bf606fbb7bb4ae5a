/// A statement that a user wrote, without comments before it, and without comments and semicolons after it. It becomes a part of other
/// statements.
///
/// ```
/// UserStatement("select ';' -- all\n;", in: .postgreSQL).text == "select ';'"
/// ```
public struct UserStatement: Hashable, Sendable {
    /// The statement. A semicolon before another statement stays.
    public let text: String
    /// True if another statement follows a semicolon. Some servers, such as DuckDB, would run both, even if the first one is not a query.
    public let hasSeveralStatements: Bool
    /// The first word, in lowercase; empty if the statement does not start with a letter.
    public let firstWord: String

    /// Removes the comments and semicolons around a statement, by the lexical rules of a family of engines. O(length).
    public init(_ text: String, in family: SQLDialect.Family) {
        let bytes = Array(text.utf8)
        var (start, end) = (bytes.count, 0)
        var index = 0
        var (isEnded, hasSeveralStatements) = (false, false)
        while index < bytes.count {
            let token = Token(bytes[index...], after: bytes[..<index].suffix(2), in: family)
            if token.isSignificant {
                start = min(start, index)
                end = index + token.length
                hasSeveralStatements = hasSeveralStatements || isEnded
            } else if bytes[index] == UInt8(ascii: ";"), start < bytes.count {
                isEnded = true
            }
            index += token.length
        }
        self.text = String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
        self.hasSeveralStatements = hasSeveralStatements
        firstWord = String(decoding: bytes[min(start, end)..<end].prefix { Token.isLetter($0) }, as: UTF8.self).lowercased()
    }

    /// The first words of statements that change a database or a session.
    private static let firstWordsOfChanges: Set = [
        "alter", "analyze", "attach", "begin", "cache", "checkpoint", "clear", "comment", "commit", "copy", "create", "delete", "detach",
        "drop",
        "execute", "export", "grant", "import", "insert", "install", "load", "merge", "msck", "optimize", "prepare", "refresh", "repair",
        "replace", "reset", "revoke", "rollback", "start", "truncate", "uncache", "update", "upsert", "use", "vacuum",
    ]

    /// The reason why the text is not a single query; `nil` if it may be one.
    public func refusal(in dialect: SQLDialect) -> String? {
        if hasSeveralStatements { return "--sql must be a single statement. Remove the text after the semicolon." }
        let advice: String
        switch (firstWord, dialect.family) {
        case ("", _) where text.isEmpty: return "--sql needs a statement."
        case ("explain", _): advice = "Leave it out: the SQL page of the opened query (Alt-S) shows the plan."
        // DuckDB can select from these statements.
        case ("show", .duckDB), ("describe", .duckDB), ("desc", .duckDB): return nil
        case ("show", .postgreSQL): advice = "Write select * from pg_settings."
        case ("show", _), ("describe", _), ("desc", _): advice = "Leave out --sql to list the tables."
        case ("pragma", .sqlite): advice = "Write select * from pragma_NAME, such as pragma_table_info('trades')."
        case ("pragma", _), ("set", _), ("call", _): advice = "Write a select statement."
        // In PostgreSQL and SQLite, read-only sessions refuse these statements. Other drivers may have no read-only sessions.
        case (let word, .duckDB), (let word, .spark), (let word, .ansi):
            guard Self.firstWordsOfChanges.contains(word) else { return nil }
            advice = "Write a select statement."
        default: return nil
        }
        return "--sql must be a query, not “\(firstWord)”. \(advice)"
    }
}

/// The first token of some text: a quoted text, a comment, or a single byte.
private struct Token {
    /// The number of bytes.
    let length: Int
    /// False for white space, comments and semicolons.
    let isSignificant: Bool

    /// - Parameter precedingBytes: the last two bytes before the text.
    init(_ text: ArraySlice<UInt8>, after precedingBytes: ArraySlice<UInt8>, in family: SQLDialect.Family) {
        let (first, second) = (text.first!, text.dropFirst().first)
        switch (first, second) {
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            self.init(length: text.firstIndex(of: 10).map { $0 - text.startIndex } ?? text.count, isSignificant: false)
        case (UInt8(ascii: "/"), UInt8(ascii: "*")):
            let length = Self.commentLength(text, isNested: family != .sqlite)
            // A comment without an end stays in the statement, so that the server reports it.
            self.init(length: length ?? text.count, isSignificant: length == nil)
        case (UInt8(ascii: "'"), _):
            // PostgreSQL's E'…' can contain escapes. The E must be a whole word, unlike the last letter in like'…'.
            let isMarked = precedingBytes.last == UInt8(ascii: "E") || precedingBytes.last == UInt8(ascii: "e")
            let isEscaped = isMarked && !(precedingBytes.count > 1 && Self.isWordByte(precedingBytes.first!)) && family != .sqlite
            self.init(quoted: text, by: first, hasEscapes: isEscaped || family == .spark)
        case (UInt8(ascii: "\""), _): self.init(quoted: text, by: first, hasEscapes: family == .spark)
        case (UInt8(ascii: "`"), _) where family == .spark || family == .sqlite: self.init(quoted: text, by: first)
        case (UInt8(ascii: "["), _) where family == .sqlite: self.init(quoted: text, by: UInt8(ascii: "]"))
        case (UInt8(ascii: "$"), _) where (family == .postgreSQL || family == .duckDB) && precedingBytes.last.map(Self.isWordByte) != true:
            self.init(length: Self.dollarLength(text) ?? 1, isSignificant: true)
        default: self.init(length: 1, isSignificant: !(first == UInt8(ascii: ";") || first == 32 || (9...13).contains(first)))
        }
    }

    private init(length: Int, isSignificant: Bool) { (self.length, self.isSignificant) = (length, isSignificant) }

    /// A quoted text or name. A doubled quote inside it is read as the end of one text and the start of another.
    private init(quoted text: ArraySlice<UInt8>, by quote: UInt8, hasEscapes: Bool = false) {
        var index = text.startIndex + 1
        while index < text.endIndex, text[index] != quote { index += hasEscapes && text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        self.init(length: min(text.count, index + 1 - text.startIndex), isSignificant: true)
    }

    /// The length of a comment; `nil` without an end.
    private static func commentLength(_ text: ArraySlice<UInt8>, isNested: Bool) -> Int? {
        var (index, depth) = (text.startIndex + 2, 1)
        while index + 1 < text.endIndex {
            switch (text[index], text[index + 1]) {
            case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                (index, depth) = (index + 2, depth - 1)
                if depth == 0 { return index - text.startIndex }
            case (UInt8(ascii: "/"), UInt8(ascii: "*")) where isNested: (index, depth) = (index + 2, depth + 1)
            default: index += 1
            }
        }
        return nil
    }

    /// The length of a text between dollar signs, such as `$$…$$` or `$tag$…$tag$`; `nil` if the dollar sign does not start one.
    private static func dollarLength(_ text: ArraySlice<UInt8>) -> Int? {
        let tag = text.dropFirst().prefix { isWordByte($0) }
        guard tag.endIndex < text.endIndex, text[tag.endIndex] == UInt8(ascii: "$"), tag.first.map(isDigit) != true else { return nil }
        let quote = text[text.startIndex...tag.endIndex]
        var index = quote.endIndex
        while index + quote.count <= text.endIndex {
            if text[index] == UInt8(ascii: "$"), text[index..<index + quote.count].elementsEqual(quote) {
                return index + quote.count - text.startIndex
            }
            index += 1
        }
        return text.count
    }

    static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isWordByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 128
    }
}
