/// The order that people expect of names: digits inside text count as numbers (`file2` before `file10`), and case comes last.
///
/// Text is compared piece by piece: a run of digits is one piece, ordered by its value, however long it is; any other byte is a piece,
/// with ASCII letters folded to lower case. Text that is equal so far is ordered by its bytes, so only equal bytes are equal.
/// After M. Pool, "Natural Order String Comparison", 2000, without its rule for fractions.
public enum NaturalOrder {
    /// Less than 0, 0 or greater than 0, as `a` comes before, is equal to or comes after `b`.
    /// - Complexity: O(length of the shorter one).
    public static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        var i = 0
        var j = 0
        while i < a.count, j < b.count {
            if isDigit(a[i]), isDigit(b[j]) {
                let left = DigitRun(a, from: i)
                let right = DigitRun(b, from: j)
                let order = left.compare(right, a, b)
                if order != 0 { return order }
                i = left.end
                j = right.end
            } else {
                let left = a[i].loweredASCII
                let right = b[j].loweredASCII
                if left != right { return left < right ? -1 : 1 }
                i += 1
                j += 1
            }
        }
        if i < a.count { return 1 }
        if j < b.count { return -1 }
        return compareBytes(a, b)
    }

    /// The same order for two texts.
    public static func compare(_ a: String, _ b: String) -> Int {
        var a = a
        var b = b
        return a.withUTF8 { left in b.withUTF8 { right in compare(left, right) } }
    }

    /// Writes bytes whose plain order, byte by byte, is this order; a sort makes them once and then never looks at the text again.
    ///
    /// A run of digits becomes `0`, its length and its digits without leading zeros. What orders equal pieces stands at the end,
    /// behind a 0, which is escaped where it occurs in the text.
    /// - Parameters:
    ///   - text: the text.
    ///   - key: room for ``longestSortKey(of:)`` bytes.
    /// - Returns: how many bytes the key has: about as many as the text, or twice that for text with capitals or leading zeros.
    /// - Complexity: O(`text.count`).
    public static func writeSortKey(of text: UnsafeBufferPointer<UInt8>, to key: UnsafeMutablePointer<UInt8>) -> Int {
        var end = key
        @inline(__always)
        func put(_ byte: UInt8) {
            end.initialize(to: byte)
            end += 1
        }
        var isPlain = true
        var index = 0
        while index < text.count {
            let byte = text[index]
            if isDigit(byte) {
                let run = DigitRun(text, from: index)
                if byte == UInt8(ascii: "0") { isPlain = false }
                put(UInt8(ascii: "0"))
                let length = run.end - run.start
                put(UInt8(min(length, 255)))
                if length >= 255 { withUnsafeBytes(of: UInt64(length).bigEndian) { $0.forEach { put($0) } } }
                // Mostly some digits: less than a call takes.
                for place in run.start..<run.end { put(text[place]) }
                index = run.end
                continue
            }
            if byte <= 1 {
                put(1)
                put(byte + 1)
            } else {
                let lower = byte.loweredASCII
                if lower != byte { isPlain = false }
                put(lower)
            }
            index += 1
        }
        put(0)
        // Of all texts with the same pieces, the one without capitals and zeros before numbers has the greatest bytes.
        put(isPlain ? 2 : 1)
        guard !isPlain, let start = text.baseAddress else { return end - key }
        end.initialize(from: start, count: text.count)
        return end - key + text.count
    }

    /// The most bytes of the key of a text of `count` bytes: digits alternating with letters take three, and the text itself may follow.
    public static func longestSortKey(of count: Int) -> Int { 4 * count + 2 }

    private static func compareBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        for index in 0..<min(a.count, b.count) where a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
        return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
    }

}

/// Digits next to each other, without the zeros before them.
private struct DigitRun {
    let start: Int
    let end: Int

    init(_ text: UnsafeBufferPointer<UInt8>, from first: Int) {
        var cursor = first
        while cursor < text.count, text[cursor] == UInt8(ascii: "0") { cursor += 1 }
        start = cursor
        while cursor < text.count, isDigit(text[cursor]) { cursor += 1 }
        end = cursor
    }

    func compare(_ other: DigitRun, _ text: UnsafeBufferPointer<UInt8>, _ otherText: UnsafeBufferPointer<UInt8>) -> Int {
        let length = end - start
        let otherLength = other.end - other.start
        guard length == otherLength else { return length < otherLength ? -1 : 1 }
        for index in 0..<length where text[start + index] != otherText[other.start + index] {
            return text[start + index] < otherText[other.start + index] ? -1 : 1
        }
        return 0
    }
}
