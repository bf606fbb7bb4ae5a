struct TOMLError: Error, Equatable {
    /// The line number of the error, from 1.
    var line: Int
    /// The reason in a few words, without a full stop.
    var reason: String
    /// True if the text may be valid TOML, but uses a feature that this reader does not support.
    var isUnsupported = false
}

/// A strict reader of TOML 1.0. It does not support dates, times, and arrays of tables, which no setting needs.
///
/// The text is not trusted: nesting is limited, and the work is linear in the number of bytes.
struct TOMLReader {
    /// The maximum number of names in a dotted key, and the maximum depth of nested arrays and tables.
    static let depthLimit = 16

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var root = TOMLTable()
    /// The paths of tables that a header or a dotted key has defined. A later header must not define them again.
    private var definedPaths: Set<[String]> = []
    /// The paths of tables that dotted keys have defined since the last header. More dotted keys may add values to them.
    private var dottedPaths: Set<[String]> = []
    /// The paths of arrays and inline tables, which are complete: nothing may be added to them.
    private var inlinePaths: Set<[String]> = []

    /// The byte offset of the first table header; `nil` until a header is read.
    private var firstHeaderOffset: Int?

    /// Reads a complete text.
    /// - Parameter bytes: the text in UTF-8. A byte order mark is ignored.
    static func read(_ bytes: [UInt8]) throws(TOMLError) -> TOMLDocument {
        var reader = TOMLReader(bytes)
        try reader.checkEncoding()
        try reader.readLines()
        return TOMLDocument(bytes: bytes, root: reader.root, rootEnd: reader.firstHeaderOffset ?? bytes.count)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private func failure(_ reason: String) -> TOMLError { TOMLError(line: line, reason: reason) }

    private func unsupportedError(_ feature: String) -> TOMLError {
        TOMLError(line: line, reason: "\(feature) are not supported", isUnsupported: true)
    }

    private func checkEncoding() throws(TOMLError) {
        guard !bytes.allSatisfy({ $0 < 0x80 }), String(validating: bytes, as: UTF8.self) == nil else { return }
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil { throw TOMLError(line: line, reason: "the text is not UTF-8") }
            line += 1
        }
        throw TOMLError(line: 1, reason: "the text is not UTF-8")
    }

    // MARK: Characters

    private var nextByte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isNext(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        return (0..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    /// If the next byte is `byte`, skips it and returns true.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard nextByte == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() { while nextByte == 32 || nextByte == 9 { index += 1 } }

    /// If a line end comes next, skips it and returns true.
    private mutating func skipLineEnd() -> Bool {
        guard isNext("\n") || isNext("\r\n") else { return false }
        index += bytes[index] == 13 ? 2 : 1
        line += 1
        return true
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 32 && byte != 9 || byte == 127 }

    /// Skips a comment if the text continues with one.
    private mutating func skipComment() throws(TOMLError) {
        guard nextByte == UInt8(ascii: "#") else { return }
        while let byte = nextByte, byte != 10, !isNext("\r\n") {
            guard !Self.isControl(byte) else { throw failure("a comment has a control character") }
            index += 1
        }
    }

    /// Skips the rest of the line after a value or header. It may contain only blanks and a comment.
    private mutating func finishLine() throws(TOMLError) {
        skipBlanks()
        try skipComment()
        guard nextByte == nil || skipLineEnd() else { throw failure("the line has unexpected text after the value") }
    }

    // MARK: Lines

    private mutating func readLines() throws(TOMLError) {
        var header: [String] = []
        while true {
            skipBlanks()
            guard let byte = nextByte else { return }
            if skipLineEnd() { continue }
            switch byte {
            case UInt8(ascii: "#"): try skipComment()
            case UInt8(ascii: "["): header = try readHeader()
            default: try readPair(of: header)
            }
            try finishLine()
        }
    }

    private mutating func readHeader() throws(TOMLError) -> [String] {
        if isNext("[[") { throw unsupportedError("arrays of tables ([[…]])") }
        firstHeaderOffset = firstHeaderOffset ?? index
        index += 1
        definedPaths.formUnion(dottedPaths)
        dottedPaths = []
        skipBlanks()
        let path = try readKey()
        guard !definedPaths.contains(path), !isInline(path) else { throw failure("the table “\(name(path))” is defined twice") }
        definedPaths.insert(path)
        guard root.createTable(at: path[...], line: line) else { throw failure("“\(name(path))” is not a table") }
        guard skip(UInt8(ascii: "]")) else { throw failure("the table name has no closing bracket") }
        return path
    }

    private mutating func readPair(of header: [String]) throws(TOMLError) {
        let start = line
        let (key, value, byteRange) = try readPair(depth: 0)
        let path = header + key.dropLast()
        for count in 1..<max(1, key.count) {
            let parent = header + key.prefix(count)
            guard !definedPaths.contains(parent) else { throw failure("the table “\(name(parent))” is defined twice") }
            dottedPaths.insert(parent)
        }
        guard !isInline(path) else { throw failure("the table “\(name(path))” is already complete") }
        guard root.insert(TOMLTable.Entry(value: value, line: start, byteRange: byteRange), key[key.count - 1], in: path[...]) else {
            throw TOMLError(line: start, reason: "“\(name(header + key))” is set twice")
        }
        if value.isContainer { inlinePaths.insert(header + key) }
    }

    /// True if the table at a path, or a table around it, was written as an inline value, so that nothing may be added.
    private func isInline(_ path: [String]) -> Bool {
        !inlinePaths.isEmpty && (1...max(1, path.count)).contains { inlinePaths.contains(Array(path.prefix($0))) }
    }

    private func name(_ path: [String]) -> String { path.joined(separator: ".") }

    // MARK: Keys

    private mutating func readPair(depth: Int) throws(TOMLError) -> (key: [String], value: TOMLValue, byteRange: Range<Int>) {
        let key = try readKey()
        guard skip(UInt8(ascii: "=")) else { throw failure("“=” is missing after “\(name(key))”") }
        skipBlanks()
        let start = index
        let value = try readValue(depth: depth)
        return (key, value, start..<index)
    }

    /// Reads a key, which may have several names separated by dots, and the blanks after it.
    private mutating func readKey() throws(TOMLError) -> [String] {
        var parts: [String] = []
        repeat {
            guard parts.count < Self.depthLimit else { throw failure("a key has more than \(Self.depthLimit) parts", isLimit: true) }
            skipBlanks()
            parts.append(try readKeyPart())
            skipBlanks()
        } while skip(UInt8(ascii: "."))
        return parts
    }

    private mutating func readKeyPart() throws(TOMLError) -> String {
        switch nextByte {
        case UInt8(ascii: "\""): return try readText()
        case UInt8(ascii: "'"): return try readLiteral()
        default: break
        }
        let start = index
        while let byte = nextByte, Self.isBareKeyByte(byte) { index += 1 }
        guard index > start else { throw failure("a key is missing") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isBareKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    // MARK: Values

    private mutating func readValue(depth: Int) throws(TOMLError) -> TOMLValue {
        guard depth <= Self.depthLimit else { throw failure("values are nested more than \(Self.depthLimit) times", isLimit: true) }
        switch nextByte {
        case UInt8(ascii: "\""):
            return .string(isNext("\"\"\"") ? try readLines(quote: UInt8(ascii: "\"")) : try readText())
        case UInt8(ascii: "'"):
            return .string(isNext("'''") ? try readLines(quote: UInt8(ascii: "'")) : try readLiteral())
        case UInt8(ascii: "["): return .array(try readArray(depth: depth))
        case UInt8(ascii: "{"): return .table(try readInlineTable(depth: depth))
        default: return try readWord()
        }
    }

    private mutating func readText() throws(TOMLError) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = nextByte, byte != 10 {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: String(Character(try readEscape())).utf8)
            case _ where Self.isControl(byte): throw failure("a string has a control character")
            default: text.append(byte)
            }
        }
        throw failure("a string has no closing quote")
    }

    private mutating func readEscape() throws(TOMLError) -> Unicode.Scalar {
        guard let byte = nextByte else { throw failure("a string has no closing quote") }
        index += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = byte == UInt8(ascii: "u") ? 4 : 8
            let digits = bytes[index..<min(bytes.count, index + count)]
            let code = digits.reduce(into: UInt64(0)) { $0 = $0 << 4 | UInt64(Self.hexDigitValue($1) ?? 0) }
            guard digits.count == count, digits.allSatisfy({ Self.hexDigitValue($0) != nil }), let value = UInt32(exactly: code),
                let scalar = Unicode.Scalar(value)
            else { throw failure("a \\u sequence is not a character") }
            index += count
            return scalar
        default: throw failure("unknown escape sequence; write \\\\ for a backslash, or use single quotes")
        }
    }

    private static func hexDigitValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private mutating func readLiteral() throws(TOMLError) -> String {
        index += 1
        let start = index
        while let byte = nextByte, byte != 10 {
            index += 1
            if byte == UInt8(ascii: "'") { return String(decoding: bytes[start..<index - 1], as: UTF8.self) }
            guard !Self.isControl(byte) else { throw failure("a string has a control character") }
        }
        throw failure("a string has no closing quote")
    }

    /// Reads a string of several lines, between triple quotes. Line ends become line feeds in the value.
    /// - Parameter quote: a double quote if the string has escape sequences, a single quote if all characters stand for themselves.
    private mutating func readLines(quote: UInt8) throws(TOMLError) -> String {
        let start = line
        index += 3
        // A line end directly after the opening quotes is not part of the value.
        _ = skipLineEnd()
        var text: [UInt8] = []
        while let byte = nextByte {
            if skipLineEnd() {
                text.append(10)
                continue
            }
            index += 1
            switch byte {
            case quote:
                guard nextByte == quote, index + 1 < bytes.count, bytes[index + 1] == quote else {
                    text.append(byte)
                    continue
                }
                index += 2
                // One or two quotes directly before the three closing quotes belong to the value.
                for _ in 0..<2 where skip(quote) { text.append(quote) }
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
                if !skipFoldedLines() { text.append(contentsOf: String(Character(try readEscape())).utf8) }
            case _ where Self.isControl(byte): throw failure("a string has a control character")
            default: text.append(byte)
            }
        }
        throw TOMLError(line: start, reason: "a string has no closing quotes")
    }

    /// After a backslash at the end of a line, skips the line end and all blanks and line ends after it.
    /// - Returns: False if the backslash is not at the end of a line.
    private mutating func skipFoldedLines() -> Bool {
        let start = index
        skipBlanks()
        guard skipLineEnd() else {
            index = start
            return false
        }
        repeat { skipBlanks() } while skipLineEnd()
        return true
    }

    private mutating func readArray(depth: Int) throws(TOMLError) -> [TOMLValue] {
        index += 1
        var values: [TOMLValue] = []
        while true {
            try skipBlankLines()
            if skip(UInt8(ascii: "]")) { return values }
            values.append(try readValue(depth: depth + 1))
            try skipBlankLines()
            if skip(UInt8(ascii: "]")) { return values }
            guard skip(UInt8(ascii: ",")) else { throw failure("a comma or closing bracket is missing in a list") }
        }
    }

    private mutating func skipBlankLines() throws(TOMLError) {
        repeat {
            skipBlanks()
            try skipComment()
        } while skipLineEnd()
    }

    private mutating func readInlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
        index += 1
        var table = TOMLTable()
        var complete: Set<[String]> = []
        skipBlanks()
        if skip(UInt8(ascii: "}")) { return table }
        while true {
            let start = line
            let (key, value, byteRange) = try readPair(depth: depth + 1)
            let isComplete = !complete.isEmpty && (1...key.count).contains { complete.contains(Array(key.prefix($0))) }
            let entry = TOMLTable.Entry(value: value, line: start, byteRange: byteRange)
            guard !isComplete, table.insert(entry, key[key.count - 1], in: key.dropLast()) else {
                throw TOMLError(line: start, reason: "“\(name(key))” is set twice")
            }
            if value.isContainer { complete.insert(key) }
            skipBlanks()
            if skip(UInt8(ascii: "}")) { return table }
            guard skip(UInt8(ascii: ",")) else { throw failure("a comma or closing brace is missing in a table in braces") }
            skipBlanks()
        }
    }

    /// Reads a value without quotes: a number or a Boolean value.
    private mutating func readWord() throws(TOMLError) -> TOMLValue {
        let start = index
        while let byte = nextByte,
            Self.isBareKeyByte(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
        {
            index += 1
        }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        switch word {
        case "": throw failure("a value is missing")
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "inf", "+inf": return .float(.infinity)
        case "-inf": return .float(-.infinity)
        case "nan", "+nan", "-nan": return .float(.nan)
        default: break
        }
        let isDate = word.utf8.count > 4 && word.utf8.prefix(4).allSatisfy(Self.isDecimal) && Array(word.utf8)[4] == UInt8(ascii: "-")
        let isTime = word.utf8.count > 2 && word.utf8.prefix(2).allSatisfy(Self.isDecimal) && Array(word.utf8)[2] == UInt8(ascii: ":")
        if isDate || isTime { throw unsupportedError("dates and times") }
        guard let number = try Self.number(Array(word.utf8), at: line) else {
            throw failure("“\(word.prefix(40))” is not a value; put text in quotes")
        }
        return number
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Parses a number. Returns `nil` if the word is not a number.
    private static func number(_ word: [UInt8], at line: Int) throws(TOMLError) -> TOMLValue? {
        let tooLarge = TOMLError(line: line, reason: "the number has more than 64 bits", isUnsupported: true)
        if word.count > 2, word[0] == UInt8(ascii: "0"),
            let radix = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2][word[1]]
        {
            guard let digits = digits(word[2...], radix: radix), digits.end == word.count else { return nil }
            guard let value = Int(digits.text, radix: radix) else { throw tooLarge }
            return .integer(value)
        }
        var text = ""
        var offset = 0
        if word[0] == UInt8(ascii: "+") || word[0] == UInt8(ascii: "-") {
            text = word[0] == UInt8(ascii: "-") ? "-" : ""
            offset = 1
        }
        guard let integer = digits(word[offset...], radix: 10), integer.text == "0" || integer.text.first != "0" else { return nil }
        text += integer.text
        offset = integer.end
        if offset == word.count {
            guard let value = Int(text) else { throw tooLarge }
            return .integer(value)
        }
        if word[offset] == UInt8(ascii: ".") {
            guard let fraction = digits(word[(offset + 1)...], radix: 10) else { return nil }
            text += "." + fraction.text
            offset = fraction.end
        }
        if offset < word.count, word[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            text += "e"
            if offset < word.count, word[offset] == UInt8(ascii: "+") || word[offset] == UInt8(ascii: "-") {
                text += word[offset] == UInt8(ascii: "-") ? "-" : ""
                offset += 1
            }
            guard let exponent = digits(word[offset...], radix: 10) else { return nil }
            text += exponent.text
            offset = exponent.end
        }
        return offset == word.count ? Double(text).map { .float($0) } : nil
    }

    /// The digits at the start of a word, without the underscores that may separate them. `nil` if the word does not start with a digit.
    private static func digits(_ word: ArraySlice<UInt8>, radix: Int) -> (text: String, end: Int)? {
        func isDigit(_ offset: Int) -> Bool { offset < word.endIndex && (hexDigitValue(word[offset]).map { $0 < radix } ?? false) }
        var text: [UInt8] = []
        var offset = word.startIndex
        while isDigit(offset) || offset < word.endIndex && word[offset] == UInt8(ascii: "_") && !text.isEmpty && isDigit(offset + 1) {
            if word[offset] != UInt8(ascii: "_") { text.append(word[offset]) }
            offset += 1
        }
        return text.isEmpty ? nil : (String(decoding: text, as: UTF8.self), offset)
    }

    private func failure(_ reason: String, isLimit: Bool) -> TOMLError { TOMLError(line: line, reason: reason, isUnsupported: isLimit) }
}

extension TOMLValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .table: true
        default: false
        }
    }
}
