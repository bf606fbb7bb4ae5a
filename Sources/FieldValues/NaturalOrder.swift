/// Natural order of text: digits compare as numbers (`file2` before `file10`), and case decides only between otherwise equal strings.
///
/// A text is divided into numbers (runs of digits, of any length) and single letters or other bytes. These are compared one after another.
/// The case and the accents of letters of the ``Alphabet`` are ignored at first. If no difference is found, case, accents and bytes decide,
/// so only identical strings compare equal. After M. Pool, "Natural Order String Comparison", 2000, without its rule for fractions.
public enum NaturalOrder {
    /// The letters whose case and accents are ignored when two strings are first compared.
    public enum Alphabet: Sendable, Hashable {
        /// Only ASCII letters; case is ignored. Bytes of other letters are ordered by value, after ASCII.
        case ascii
        /// Letters of all alphabets: ordered by base letter (`Äpfel` before `Birne`), then accents, then case with capitals first, then
        /// bytes. ASCII text has the same order as with ``ascii``.
        ///
        /// This is a simplification of the levels of the Unicode Collation Algorithm (UTS #10). Base letters are ordered by code point, so
        /// alphabets follow one another, and punctuation is significant. Not implemented: contractions, tailoring by language (`ö` is an
        /// `o` in Swedish, too), reordering of marks, and decompositions outside the alphabets of Europe. Invalid UTF-8 bytes come after
        /// all letters.
        case unicode
    }

    /// Returns a negative number, 0 or a positive number if `a` comes before, is equal to or comes after `b`.
    /// - Complexity: O(length of the shorter text); O(length of both) if they differ only in accents or case.
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

    /// Compares two strings, as the function for bytes does.
    public static func compare(_ a: String, _ b: String, _ alphabet: Alphabet) -> Int {
        var a = a
        var b = b
        return a.withUTF8 { left in b.withUTF8 { right in compare(left, right, alphabet) } }
    }

    /// Compares two strings with ``Alphabet/ascii``, as the function for bytes does.
    public static func compare(_ a: String, _ b: String) -> Int { compare(a, b, .ascii) }

    /// Writes a sort key. Comparing two keys byte by byte gives the natural order, so a sort has to process each text only once.
    ///
    /// A run of digits becomes `0`, its length and its digits without leading zeros. A 0 byte ends the letters and numbers, and is
    /// escaped inside them. The bytes after it order strings with equal letters and numbers.
    /// - Parameters:
    ///   - text: the text.
    ///   - key: a buffer of at least ``maximumSortKeyLength(of:_:)`` bytes.
    ///   - alphabet: the letters whose case is ignored at first.
    /// - Returns: the length of the key in bytes. It is about the length of the text, twice that with capitals or leading zeros, and up to
    ///   four times that with letters beyond ASCII.
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
        // ASCII strings with the same letters and numbers are in the order of their bytes. The string without capitals and leading zeros
        // has the greatest bytes, so it comes last.
        writer.put(isPlain ? 2 : 1)
        if !isPlain { writer.put(text) }
        return writer.end - key
    }

    /// The maximum length of a key for a string of `count` bytes: 4 × `count` + 2 for ``Alphabet/ascii``, and 7 × `count` + 4 for
    /// ``Alphabet/unicode``.
    ///
    /// In the worst case, digits alternate with letters, and each digit takes three bytes of the key. The text then follows in the key.
    /// With ``Alphabet/unicode``, accents and case add up to three bytes for each byte of the text.
    public static func maximumSortKeyLength(of count: Int, _ alphabet: Alphabet = .ascii) -> Int {
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

/// A number in a text, without its leading zeros: the range of its digits.
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

/// Writes the bytes of a sort key.
struct KeyWriter {
    /// The address after the last written byte of the key.
    var end: UnsafeMutablePointer<UInt8>

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        end.initialize(to: byte)
        end += 1
    }

    /// Appends a byte of the text. The byte 0 is escaped, because it ends the letters and numbers in a key.
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
        // A number usually has few digits, so a loop is faster than a call that copies the digits.
        for index in run.start..<run.end { put(text[index]) }
    }

    mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        end.initialize(from: start, count: text.count)
        end += text.count
    }
}
