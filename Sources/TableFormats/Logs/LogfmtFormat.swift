public import DelimitedText
import FieldValues
public import Tables

/// Logs of keys and values, such as `level=info msg="request served" ms=12`.
public struct LogfmtFormat: TableFormat {
    /// The name used with `--format`: `logfmt`.
    public var name: String { "logfmt" }

    init() {}

    /// The maximum number of keys that become columns.
    private static let maximumKeys = 200

    /// Opens an input whose lines have at least two pairs and almost no other text. The keys of the first lines are the columns.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        func isMatch(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
            var (pairs, others) = (0, 0)
            LogfmtLayout.forEachPair(of: line) { key, _, _ in if key.isEmpty { others += 1 } else { pairs += 1 } }
            return pairs >= 2 && others <= 1
        }
        guard try isRequested || LogSample.matches(input, isMatch) else { return nil }
        let bytes = try input.firstBytes(64 << 10)
        var keys: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        // Later lines may have other keys, unless the sample is the whole input.
        var hasOtherColumn = input.isGrowing || bytes.count == 64 << 10 || bytes.last != 10
        bytes.withUnsafeBufferPointer { bytes in
            LogSample.forEachLine(of: bytes) { line in
                var seen: Set<[UInt8]> = []
                LogfmtLayout.forEachPair(of: line) { key, _, _ in
                    let key = Array(key)
                    if key.isEmpty || !seen.insert(key).inserted { return hasOtherColumn = true }
                    if known.contains(key) { return }
                    if keys.count < Self.maximumKeys {
                        keys.append(key)
                        known.insert(key)
                    } else {
                        hasOtherColumn = true
                    }
                }
                return true
            }
        }
        guard !keys.isEmpty || isRequested else { return nil }
        return try LineSource(input.lines(), LogfmtLayout(keys: keys, hasOtherColumn: hasOtherColumn || keys.isEmpty))
    }
}

/// The layout of lines that consist of keys and values.
struct LogfmtLayout: LineLayout {
    let keys: [[UInt8]]
    /// True if there is a last column, for text that belongs to no other column.
    let hasOtherColumn: Bool

    var titles: [String] { keys.map { String(decoding: $0, as: UTF8.self) } + (hasOtherColumn ? ["other"] : []) }
    var hasColumnNames: Bool { true }
    var headerLines: Int { 0 }
    var details: [(name: String, value: String)] { [("format", "logfmt"), ("header", "in each line")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        var values = [Range<Int>?](repeating: nil, count: keys.count)
        var other: [UInt8] = []
        var next = 0
        Self.forEachPair(of: line) { key, value, whole in
            // The search starts at the column after the previous key, because the keys of most lines are in the same order.
            var column = next
            if !keys.indices.contains(next) || !key.elementsEqual(keys[next]) {
                column = keys.firstIndex { key.elementsEqual($0) } ?? keys.count
            }
            if !key.isEmpty, column < keys.count, values[column] == nil {
                values[column] = value.startIndex..<value.endIndex
                next = column + 1
            } else if hasOtherColumn {
                if !other.isEmpty { other.append(32) }
                other.append(contentsOf: whole)
            }
        }
        for value in values {
            let part = value.map { line[$0] } ?? line[..<0]
            if part.contains(UInt8(ascii: "\\")), part.startIndex > 0, line[part.startIndex - 1] == UInt8(ascii: "\"") {
                fields.append(copying: Self.unescaped(part))
            } else {
                fields.append(part)
            }
        }
        if hasOtherColumn { fields.append(copying: other) }
    }

    /// Calls `body` for each pair of a line, with its key, its value without quotes, and its whole text. A word that is not a pair has an
    /// empty key.
    static func forEachPair(
        of line: UnsafeBufferPointer<UInt8>, _ body: (_ key: LineCursor.Part, _ value: LineCursor.Part, _ whole: LineCursor.Part) -> Void
    ) {
        var cursor = LineCursor(line)
        while true {
            cursor.skipSpaces()
            guard !cursor.isAtEnd else { return }
            let start = cursor.index
            var end = start
            while end < line.count, isKey(line[end]) { end += 1 }
            guard end > start, end < line.count, line[end] == UInt8(ascii: "=") else {
                let word = cursor.readWord() ?? line[start...]
                body(line[..<0], word, word)
                continue
            }
            _ = cursor.readBytes(end + 1 - start)
            if cursor.skip("\"") {
                let quoted = cursor
                if let value = cursor.readPart(before: "\""), cursor.isAtEnd || cursor.rest.first == 32 {
                    body(line[start..<end], value, line[start..<cursor.index])
                    continue
                }
                cursor = quoted
            }
            _ = cursor.readWord()
            body(line[start..<end], line[(end + 1)..<cursor.index], line[start..<cursor.index])
        }
    }

    private static func isKey(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || "_.-/@".utf8.contains(byte)
    }

    private static func unescaped(_ value: LineCursor.Part) -> [UInt8] {
        var text: [UInt8] = []
        var index = value.startIndex
        while index < value.endIndex {
            guard value[index] == UInt8(ascii: "\\"), index + 1 < value.endIndex else {
                text.append(value[index])
                index += 1
                continue
            }
            switch value[index + 1] {
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(value[index + 1])
            default: text += [value[index], value[index + 1]]
            }
            index += 2
        }
        return text
    }
}
