/// The natural order for letters beyond ASCII. It compares base letters and numbers first, then accents, then case, then bytes.
extension NaturalOrder {
    /// Implements ``compare(_:_:_:)`` for all alphabets.
    static func compareLetters(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        var (left, right) = (Letters(a), Letters(b))
        while true {
            let (x, y) = (left.nextBase(), right.nextBase())
            guard let x else {
                if y != nil { return -1 }
                break
            }
            guard let y else { return 1 }
            if x.base != y.base { return x.base < y.base ? -1 : 1 }
            if let run = x.digits, let other = y.digits {
                let order = run.compare(other, a, b)
                if order != 0 { return order }
            }
        }
        let isASCII = a.allSatisfy { $0 < 0x80 }
        if isASCII != b.allSatisfy({ $0 < 0x80 }) { return isASCII ? -1 : 1 }
        var (accents, others) = (Accents(a), Accents(b))
        while true {
            // The end of a string counts as 0, which is less than any accent.
            let (accent, other) = (accents.next() ?? 0, others.next() ?? 0)
            if accent != other { return accent < other ? -1 : 1 }
            if accent == 0 { break }
        }
        (left, right) = (Letters(a), Letters(b))
        while let x = left.nextBase(), let y = right.nextBase() {
            if x.isCapital != y.isCapital { return x.isCapital ? -1 : 1 }
        }
        return compareBytes(a, b)
    }

    /// Implements ``writeSortKey(of:to:_:)`` for text beyond ASCII. The key has the base letters and numbers, 0, 3, accents, 0, case, 3,
    /// and the text. The first 3 is greater than the 1 or 2 at this position in the keys of ASCII texts. ASCII texts therefore come before
    /// other texts with the same letters and numbers.
    static func writeLetters(of text: UnsafeBufferPointer<UInt8>, to key: UnsafeMutablePointer<UInt8>) -> Int {
        var writer = KeyWriter(end: key)
        var letters = Letters(text)
        while let letter = letters.nextBase() {
            if let run = letter.digits { writer.put(run, of: text) } else { writer.put(base: letter.base) }
        }
        writer.put(0)
        writer.put(3)
        var start = writer.end
        var accents = Accents(text)
        while let accent = accents.next() { writer.put(accent) }
        // Remove the trailing markers, which belong to letters without accents. The 0 that follows is less than any marker, so the order
        // stays the same.
        while writer.end > start, (writer.end - 1).pointee == Accents.letterMark { writer.end -= 1 }
        writer.put(0)
        start = writer.end
        letters = Letters(text)
        while let letter = letters.nextBase() { writer.put(letter.isCapital ? 1 : 2) }
        while writer.end > start, (writer.end - 1).pointee == 2 { writer.end -= 1 }
        writer.put(3)
        writer.put(text)
        return writer.end - key
    }
}

extension KeyWriter {
    /// Appends a base letter in UTF-8, because the order of UTF-8 bytes is the order of code points. For an invalid byte, appends 0xFF,
    /// which comes after all letters.
    fileprivate mutating func put(base: UInt32) {
        guard let scalar = Unicode.Scalar(base) else { return put(0xFF) }
        guard base >= 0x80 else { return putEscaped(UInt8(base)) }
        for byte in UTF8.encode(scalar)! { put(byte) }
    }
}

/// Divides a UTF-8 text into base letters with their accents, numbers, and separate accents.
private struct Letters {
    /// A base letter, a number, or an accent without a letter (a "collation element" of UTS #10).
    struct Element {
        /// The base letter in lower case, as a scalar; `nil` for an accent without a letter. For an invalid byte, a number greater than
        /// all scalars.
        var base: UInt32?
        /// The accents of the letter, encoded as in ``LetterTable``.
        var accents: UInt32 = 0
        var isCapital = false
        var digits: DigitRun?
    }

    /// An ``Element`` that has a base letter or a number.
    typealias Base = (base: UInt32, isCapital: Bool, digits: DigitRun?)

    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// The second letter of a scalar that stands for two letters, such as the e of `æ`; returned after the first one.
    private var secondLetter: Element?

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    mutating func nextBase() -> Base? {
        while let element = next() { if let base = element.base { return (base, element.isCapital, element.digits) } }
        return nil
    }

    mutating func next() -> Element? {
        if let element = secondLetter {
            secondLetter = nil
            return element
        }
        guard index < text.count else { return nil }
        let byte = text[index]
        if isDigit(byte) {
            let run = DigitRun(text, from: index)
            index = run.end
            return Element(base: 0x30, digits: run)
        }
        guard byte >= 0x80 else {
            index += 1
            let lower = byte.loweredASCII
            return Element(base: UInt32(lower), isCapital: lower != byte)
        }
        guard let (scalar, length) = scalar() else {
            index += 1
            return Element(base: 0x110000)
        }
        index += length
        if 0x300..<0x370 ~= scalar { return Element(base: nil, accents: scalar - 0x2FE) }
        guard let letter = Unicode.Scalar(scalar), let entry = LetterTable.entry(of: letter) else { return Element(base: scalar) }
        let isCapital = entry >> 21 & 1 == 1
        let (accents, other) = (UInt32(entry & 0x1F_FFFF), UInt32(entry >> 22 & 0x7F))
        if other != 0 { secondLetter = Element(base: other, accents: accents, isCapital: isCapital) }
        return Element(base: UInt32(entry >> 29 & 0xFFFF), accents: other == 0 ? accents : 0, isCapital: isCapital)
    }

    /// The scalar of two or more bytes at the index, and its length in bytes; `nil` if it is invalid (RFC 3629, section 4).
    private func scalar() -> (UInt32, Int)? {
        let lead = text[index]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard 0xC2..<0xF5 ~= lead, index + length <= text.count else { return nil }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in index + 1..<index + length {
            guard text[offset] & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(text[offset] & 0x3F)
        }
        let minimum: UInt32 = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80
        return scalar >= minimum && Unicode.Scalar(scalar) != nil ? (scalar, length) : nil
    }
}

/// Iterates over the accents of a text. For each base letter, returns the byte 1 and then its accents.
private struct Accents {
    static let letterMark: UInt8 = 1

    private var letters: Letters
    private var pendingAccents: UInt32 = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { letters = Letters(text) }

    mutating func next() -> UInt8? {
        if pendingAccents == 0 {
            guard let element = letters.next() else { return nil }
            pendingAccents = element.accents
            if element.base != nil { return Self.letterMark }
        }
        defer { pendingAccents >>= 7 }
        return UInt8(pendingAccents & 0x7F)
    }
}
