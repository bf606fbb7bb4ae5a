import DelimitedText

/// The extended log format of the W3C, as IIS and CloudFront write it: lines of fields, whose names are in a line such as `#Fields: date
/// time c-ip`. Logs of Zeek have the same form, with a tab instead of the colon. A line of another form, such as a later line of names, is
/// stored in the last column as it is.
struct ExtendedLogLayout: LineLayout {
    private let names: [String]
    /// The byte between fields: a blank or a tab.
    private let separator: UInt8
    let headerLines: Int

    var titles: [String] { names + ["other"] }
    var hasColumnNames: Bool { true }
    var details: [(name: String, value: String)] { [("format", "extended log"), ("header", "line of field names")] }

    /// Detects the format. Returns `nil` unless lines that begin with `#` precede the rows, one of them has the names of the fields, and
    /// the first row has as many fields.
    init?(_ input: DelimitedFile) throws {
        let (prefix, hash) = (input.dialect.commentPrefix, [UInt8(ascii: "#")])
        guard input.dialect.skipLines == 0, prefix.isEmpty || prefix == hash else { return nil }
        let bytes = try input.firstBytes(64 << 10)
        guard bytes.first(where: { $0 > 32 }) == UInt8(ascii: "#") else { return nil }
        var (names, count, row): ([String], Int, [UInt8]?) = ([], 0, nil)
        // The number of bytes before the first row.
        var headBytes = 0
        var hasTabs = false
        bytes.withUnsafeBufferPointer { bytes in
            LogSample.forEachLine(of: bytes) { line in
                let start = line.baseAddress! - bytes.baseAddress!
                guard line[0] == UInt8(ascii: "#") else {
                    (row, headBytes, hasTabs) = (Array(line), start, line.contains(9))
                    return false
                }
                count += 1
                headBytes = (bytes[start...].firstIndex(of: 10) ?? start) + 1
                if let found = Self.names(line) { (names, hasTabs) = (found, line.contains(9)) }
                return count < 100
            }
        }
        guard names.count > 1 else { return nil }
        let separator = hasTabs ? UInt8(ascii: "\t") : UInt8(ascii: " ")
        if let row {
            let fieldCount = row.withUnsafeBufferPointer { Self.fieldCount($0, separator) }
            guard fieldCount == names.count else { return nil }
        }
        (self.names, self.separator) = (names, separator)
        // Ignored lines are not records. Blank lines are.
        headerLines = prefix == hash ? 0 : bytes[..<headBytes].count { $0 == 10 }
    }

    /// The names of the fields in a line that lists them; `nil` for other lines.
    private static func names(_ line: UnsafeBufferPointer<UInt8>) -> [String]? {
        let start = Array("#fields".utf8)
        guard line.count > start.count, zip(line, start).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }),
            line[start.count] == UInt8(ascii: ":") || line[start.count] == 9
        else { return nil }
        return line[(start.count + 1)...].split { $0 == 32 || $0 == 9 }.map { String(decoding: $0, as: UTF8.self) }
    }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        guard line.first != UInt8(ascii: "#"), Self.fieldCount(line, separator) == names.count else {
            for _ in names { fields.append(line[..<0]) }
            return fields.append(line[...])
        }
        var start = 0
        var ends = FieldEnds(line, separator)
        for _ in names {
            let end = ends.end(from: start)
            let isQuoted = end - start > 1 && line[start] == UInt8(ascii: "\"") && line[end - 1] == UInt8(ascii: "\"")
            fields.append(isQuoted ? line[start + 1..<end - 1] : line[start..<end])
            start = end + 1
        }
        fields.append(line[line.count...])
    }

    private static func fieldCount(_ line: UnsafeBufferPointer<UInt8>, _ separator: UInt8) -> Int {
        var (count, start) = (0, 0)
        var ends = FieldEnds(line, separator)
        while start <= line.count {
            start = ends.end(from: start) + 1
            count += 1
        }
        return count
    }

    /// Finds the ends of the fields of a line, from left to right. O(bytes of the line) for all fields.
    private struct FieldEnds {
        private let line: UnsafeBufferPointer<UInt8>
        private let separator: UInt8
        /// False if no later quote can end a field. Quotes are then text.
        private var hasClosingQuotes = true

        init(_ line: UnsafeBufferPointer<UInt8>, _ separator: UInt8) { (self.line, self.separator) = (line, separator) }

        /// The end of the field that begins at an offset. A field in quotes can contain separators.
        mutating func end(from start: Int) -> Int {
            if hasClosingQuotes, start < line.count, line[start] == UInt8(ascii: "\"") {
                var index = start + 1
                while let quote = line[index...].firstIndex(of: UInt8(ascii: "\"")) {
                    if quote + 1 == line.count || line[quote + 1] == separator { return quote + 1 }
                    index = quote + 1
                }
                hasClosingQuotes = false
            }
            return line[min(start, line.count)...].firstIndex(of: separator) ?? line.count
        }
    }
}
