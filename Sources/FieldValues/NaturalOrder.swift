/// The order that people expect of names: digits inside text count as numbers (`file2` before `file10`), and case comes last.
///
/// Text is compared piece by piece: a run of digits is one piece, ordered by its value, however long it is; any other byte, or letter, is a
/// piece, folded as the ``Alphabet`` says. Text that is equal so far is ordered by its bytes, so only equal bytes are equal.
/// After M. Pool, "Natural Order String Comparison", 2000, without its rule for fractions.
public enum NaturalOrder {
    /// Which letters are known as such.
    public enum Alphabet: Sendable, Hashable {
        /// Those of ASCII, without regard to case; all else is ordered by its bytes, behind them.
        case ascii
        /// Those of all alphabets: by base letters (`Äpfel` before `Birne`), then by accents, then by case, capitals first, then by bytes.
        /// Text of ASCII alone is in the same order as by ``ascii``.
        ///
        /// After the levels of the Unicode Collation Algorithm (UTS #10), simplified: base letters are ordered by code point, so alphabets
        /// stand one after the other, and punctuation counts. Left out are contractions, tailoring by language (`ö` is an `o` in Swedish,
        /// too), reordering of marks, and decompositions in other alphabets than those of Europe. A byte that is no UTF-8 comes after all
        /// letters.
        case unicode
    }

    /// Less than 0, 0 or greater than 0, as `a` comes before, is equal to or comes after `b`.
    /// - Complexity: O(length of the shorter one); of both where only accents or case tell them apart.
    public static func compare(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet = .ascii
    ) -> Int {
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
                if alphabet == .unicode, a[i] | b[j] >= 0x80 { return compareLetters(a, b) }
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
    public static func compare(_ a: String, _ b: String, _ alphabet: Alphabet) -> Int {
        var a = a
        var b = b
        return a.withUTF8 { left in b.withUTF8 { right in compare(left, right, alphabet) } }
    }

    /// The same order for two texts, with the letters of ASCII.
    public static func compare(_ a: String, _ b: String) -> Int { compare(a, b, .ascii) }

    /// Writes bytes whose plain order, byte by byte, is this order; a sort makes them once and then never looks at the text again.
    ///
    /// A run of digits becomes `0`, its length and its digits without leading zeros. What orders equal pieces stands at the end,
    /// behind a 0, which is escaped where it occurs in the text.
    /// - Parameters:
    ///   - text: the text.
    ///   - key: room for ``longestSortKey(of:_:)`` bytes.
    ///   - alphabet: which letters are folded.
    /// - Returns: how many bytes the key has: about as many as the text, or twice that for text with capitals or leading zeros, and up to
    ///   four times for letters beyond ASCII.
    /// - Complexity: O(`text.count`).
    public static func writeSortKey(
        of text: UnsafeBufferPointer<UInt8>, to key: UnsafeMutablePointer<UInt8>, _ alphabet: Alphabet = .ascii
    ) -> Int {
        var writer = KeyWriter(end: key)
        var isPlain = true
        var index = 0
        while index < text.count {
            let byte = text[index]
            if isDigit(byte) {
                let run = DigitRun(text, from: index)
                if byte == UInt8(ascii: "0") { isPlain = false }
                writer.put(run, of: text)
                index = run.end
                continue
            }
            if byte >= 0x80, alphabet == .unicode { return writeLetters(of: text, to: key) }
            let lower = byte.loweredASCII
            if lower != byte { isPlain = false }
            writer.putEscaped(lower)
            index += 1
        }
        writer.put(0)
        // Of all texts of ASCII with the same pieces, the one without capitals and zeros before numbers has the greatest bytes.
        writer.put(isPlain ? 2 : 1)
        if !isPlain { writer.put(text) }
        return writer.end - key
    }

    /// The most bytes of the key of a text of `count` bytes: digits alternating with letters take three, and the text itself may follow.
    /// Accents and case take three for two bytes and one for each, and digits may alternate with accents.
    public static func longestSortKey(of count: Int, _ alphabet: Alphabet = .ascii) -> Int {
        switch alphabet {
        case .ascii: 4 * count + 2
        case .unicode: 7 * count + 4
        }
    }

    static func compareBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        for index in 0..<min(a.count, b.count) where a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
        return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
    }
}

/// Digits next to each other, without the zeros before them.
struct DigitRun {
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

struct KeyWriter {
    /// Behind what has been written.
    var end: UnsafeMutablePointer<UInt8>

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        end.initialize(to: byte)
        end += 1
    }

    /// A byte of text: 0 is for the end of the pieces.
    @inline(__always)
    mutating func putEscaped(_ byte: UInt8) {
        if byte <= 1 {
            put(1)
            put(byte + 1)
        } else {
            put(byte)
        }
    }

    @inline(__always)
    mutating func put(_ run: DigitRun, of text: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "0"))
        let length = run.end - run.start
        put(UInt8(min(length, 255)))
        if length >= 255 { withUnsafeBytes(of: UInt64(length).bigEndian) { $0.forEach { put($0) } } }
        // Mostly some digits: less than a call takes.
        for place in run.start..<run.end { put(text[place]) }
    }

    mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        end.initialize(from: start, count: text.count)
        end += text.count
    }
}
