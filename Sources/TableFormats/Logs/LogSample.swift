import DelimitedText

/// Tests the first lines of an input, to detect log formats.
enum LogSample {
    /// True if at least 80 % of the nonempty lines satisfy a condition.
    /// - Parameter isDistinctive: true if other text rarely satisfies the condition. Then two lines and more than half of the lines are
    ///   enough, because other programs may write to the log, as in `-- Reboot --`.
    static func matches(
        _ input: DelimitedFile, isDistinctive: Bool = false, _ isMatch: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws -> Bool {
        let bytes = try input.firstBytes(64 << 10)
        return bytes.withUnsafeBufferPointer { bytes in
            var (matches, lines) = (0, 0)
            forEachLine(of: bytes) { line in
                lines += 1
                if isMatch(line) { matches += 1 }
                // The search ends after ten lines without a match, because most inputs are not logs.
                return lines < 1_000 && (matches > 0 || lines < 10)
            }
            return matches > 0 && matches * 5 >= lines * 4 || isDistinctive && matches >= 2 && matches * 2 > lines
        }
    }

    /// Calls `body` with each complete line that is not empty, until `body` returns `false`.
    static func forEachLine(of bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        var start = 0
        while let end = bytes[start...].firstIndex(of: 10) {
            let line = LineCollector.withoutTrailingCR(UnsafeBufferPointer(rebasing: bytes[start..<end]))
            if line.contains(where: { $0 > 32 }), !body(line) { return }
            start = end + 1
        }
    }
}

/// A position in a line, for reading its parts from left to right.
struct LineCursor {
    typealias Part = Slice<UnsafeBufferPointer<UInt8>>

    let line: UnsafeBufferPointer<UInt8>
    private(set) var index = 0

    init(_ line: UnsafeBufferPointer<UInt8>) { self.line = line }

    var isAtEnd: Bool { index >= line.count }
    var rest: Part { line[index...] }

    /// Moves past the next byte if it is `byte`. Otherwise returns `false`, without moving.
    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard index < line.count, line[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    mutating func skipSpaces() { while index < line.count, line[index] == 32 { index += 1 } }

    /// Reads the bytes before the next space. Returns `nil` at a space and at the end.
    mutating func readWord() -> Part? {
        let start = index
        while index < line.count, line[index] != 32 { index += 1 }
        return start < index ? line[start..<index] : nil
    }

    /// Reads the bytes before `end`, and moves past `end`. A backslash escapes a byte. Returns `nil` if the line has no `end`.
    mutating func readPart(before end: Unicode.Scalar) -> Part? {
        let start = index
        while index < line.count {
            if line[index] == UInt8(ascii: end) {
                index += 1
                return line[start..<index - 1]
            }
            index += line[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = line.count
        return nil
    }

    /// Reads `count` bytes. Returns `nil` if the line has fewer.
    mutating func readBytes(_ count: Int) -> Part? {
        guard line.count - index >= count else { return nil }
        index += count
        return line[index - count..<index]
    }
}
