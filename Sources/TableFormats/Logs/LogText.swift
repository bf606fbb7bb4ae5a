/// A line of a log. Its functions find the time, level and source before the message. They take byte offsets, which may be beyond the end
/// of the line.
struct LogText {
    let bytes: UnsafeBufferPointer<UInt8>

    init(_ line: UnsafeBufferPointer<UInt8>) { bytes = line }

    var count: Int { bytes.count }

    /// The maximum number of bytes of a name before the message, such as a thread or a logger.
    static let maximumPartBytes = 200

    /// The byte at an offset; 0 beyond the end.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    @inline(__always)
    func isDigit(_ index: Int) -> Bool { byte(index) &- 48 < 10 }

    @inline(__always)
    func isLetter(_ index: Int) -> Bool { (byte(index) | 32) &- 97 < 26 }

    @inline(__always)
    func isBlank(_ index: Int) -> Bool { byte(index) == 32 || byte(index) == 9 }

    /// True if the offset is at a blank or at the end of the line.
    @inline(__always)
    func isEndOfWord(_ index: Int) -> Bool { index >= bytes.count || isBlank(index) }

    /// The number of digits from an offset on, at most `limit`.
    func digitCount(_ start: Int, upTo limit: Int) -> Int {
        var end = start
        while end < start + limit, isDigit(end) { end += 1 }
        return end - start
    }

    /// The offset after blanks and the escape sequences of colors.
    func endOfBlanks(_ start: Int) -> Int {
        var index = start
        while true {
            if isBlank(index) {
                index += 1
            } else if let end = endOfColor(index) {
                index = end
            } else {
                return index
            }
        }
    }

    /// The offset after the escape sequences of colors.
    func endOfColors(_ start: Int) -> Int {
        var index = start
        while let end = endOfColor(index) { index = end }
        return index
    }

    private func endOfColor(_ start: Int) -> Int? {
        guard byte(start) == 0x1B, byte(start + 1) == UInt8(ascii: "[") else { return nil }
        var end = start + 2
        while isDigit(end) || byte(end) == UInt8(ascii: ";") { end += 1 }
        return byte(end) == UInt8(ascii: "m") ? end + 1 : nil
    }

    /// The offset after blanks and one `-`, `|` or `:` between blanks.
    func endOfSeparator(_ start: Int) -> Int {
        let index = endOfBlanks(start)
        switch byte(index) {
        case UInt8(ascii: "-"), UInt8(ascii: "|"), UInt8(ascii: ":"): return isEndOfWord(index + 1) ? endOfBlanks(index + 1) : index
        default: return index
        }
    }

    /// The offset after the blank at `start`; `start` itself if there is no blank.
    func endOfBlank(_ start: Int) -> Int { isBlank(start) ? start + 1 : start }

    /// The offset of the next blank, or the end of the line.
    func endOfWord(_ start: Int) -> Int {
        var end = start
        while !isEndOfWord(end) { end += 1 }
        return end
    }

    /// The offset of the next `]`; `nil` if there is no such byte within ``maximumPartBytes`` bytes.
    func closingBracket(_ start: Int) -> Int? {
        var end = start
        while end < min(bytes.count, start + Self.maximumPartBytes) {
            if bytes[end] == UInt8(ascii: "]") { return end }
            end += 1
        }
        return nil
    }

    /// The range without blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(start) { start += 1 }
        while end > start, isBlank(end - 1) { end -= 1 }
        return start..<end
    }

    /// The last eight letters of a word, converted to upper case and packed in an integer, one byte for each letter.
    func packed(_ range: Range<Int>) -> UInt64 {
        var word: UInt64 = 0
        for index in range { word = word << 8 | UInt64(bytes[index] & ~32) }
        return word
    }

    /// The same integer for a word in upper case.
    static func pack(_ text: StaticString) -> UInt64 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
