/// A scalar of the text to show. It fills one or two terminal cells, or joins the previous cell.
struct ScannedScalar {
    var scalar: UInt32
    /// The number of terminal cells, 1 or 2; 0 for a scalar that joins the previous cell.
    var width: Int
    /// True if the scalar replaces one that must not reach a terminal, or if it is the added base of a combining mark.
    var isReplacement: Bool
}

/// A scanner that converts UTF-8 to terminal cells.
///
/// All data that reaches a terminal passes through here, so the safety rules are here:
/// - Controls, bidirectional overrides and isolates, and invalid sequences are replaced by visible characters; LF, CR and CRLF become one
///   `⏎`.
/// - Scalars that change the width of their neighbors differently among terminals are removed: variation selectors, skin tones, tags,
///   zero-width spaces, byte-order marks.
/// - An emoji sequence with zero-width joiners is reduced to its first emoji, because terminals disagree about its width.
/// - A scalar of unknown width becomes U+FFFD, and a zero-width scalar without a base is shown on `◌`.
struct CellScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// The last spacing scalar. Zero-width scalars after it combine with it. 0 at the start of the text.
    private var baseScalar: UInt32 = 0
    /// True if the last two scalars were a pictograph and a zero-width joiner.
    private var isJoined = false
    private var zeroWidthRun = 0

    /// The maximum number of consecutive zero-width scalars. The text ends after them, so that the cost of a cell is limited for any data.
    private static let zeroWidthLimit = 32

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index >= bytes.count }

    /// Skips up to `count` printable ASCII characters at the current position. Returns the number of skipped characters.
    mutating func skipPlainASCII(atMost count: Int) -> Int {
        let start = index
        let end = count < bytes.count - index ? index + count : bytes.count
        while index < end, bytes[index] &- 0x20 < 0x5F { index += 1 }
        if index > start { setBase(UInt32(bytes[index - 1])) }
        return index - start
    }

    /// Returns the next byte if it is a printable ASCII character, otherwise 0.
    @inline(__always)
    mutating func nextPlainASCII() -> UInt8 {
        guard index < bytes.count else { return 0 }
        let byte = bytes[index]
        guard byte &- 0x20 < 0x5F else { return 0 }
        index += 1
        setBase(UInt32(byte))
        return byte
    }

    /// Returns the next cell, or the next scalar that joins the last cell; `nil` at the end of the text.
    mutating func next() -> ScannedScalar? {
        let byte = nextPlainASCII()
        if byte != 0 { return ScannedScalar(scalar: UInt32(byte), width: 1, isReplacement: false) }
        while index < bytes.count, zeroWidthRun < Self.zeroWidthLimit {
            let start = index
            let scalar = decode()
            if let replacement = Self.visibleReplacement(for: scalar) {
                if scalar == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
                setBase(replacement)
                return ScannedScalar(scalar: replacement, width: 1, isReplacement: true)
            }
            if scalar == Self.joiner {
                isJoined = Self.isPictographic(baseScalar)
                zeroWidthRun += 1
                continue
            }
            if Self.isDropped(scalar) || (isJoined && Self.isPictographic(scalar)) {
                isJoined = false
                zeroWidthRun += 1
                continue
            }
            isJoined = false
            let width = DisplayWidth.of(scalarValue: scalar)
            if width > 0 {
                setBase(scalar)
                return ScannedScalar(scalar: scalar == 0xA0 ? 0x20 : scalar, width: width, isReplacement: false)
            }
            if width < 0 {
                setBase(Self.replacement)
                return ScannedScalar(scalar: Self.replacement, width: 1, isReplacement: true)
            }
            if baseScalar == 0 {
                index = start
                setBase(Self.dottedCircle)
                return ScannedScalar(scalar: Self.dottedCircle, width: 1, isReplacement: true)
            }
            zeroWidthRun += 1
            return ScannedScalar(scalar: scalar, width: 0, isReplacement: false)
        }
        return nil
    }

    private mutating func setBase(_ scalar: UInt32) {
        baseScalar = scalar
        isJoined = false
        zeroWidthRun = 0
    }
}

extension CellScanner {
    private static let joiner: UInt32 = 0x200D
    private static let dottedCircle: UInt32 = 0x25CC
    static let replacement: UInt32 = 0xFFFD

    /// The visible replacement for a scalar that must not reach a terminal; `nil` if the scalar is safe.
    private static func visibleReplacement(for scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x09: 0x2192  // →
        case 0x0A, 0x0D, 0x85, 0x2028: 0x23CE  // ⏎
        case 0x00..<0x20: 0x2400 + scalar  // ␀ …
        case 0x7F: 0x2421  // ␡
        case 0x80..<0xA0: 0x2426  // ␦: Unicode has no pictures of C1 controls.
        case 0xAD: 0x2D  // - for a soft hyphen, which some terminals show and others hide.
        case 0x2029: 0xB6  // ¶
        case 0x202A, 0x202D, 0x2066, 0x2068: 0x21E2  // ⇢ starts text from left to right
        case 0x202B, 0x202E, 0x2067: 0x21E0  // ⇠ starts text from right to left
        case 0x202C, 0x2069: 0xA6  // ¦ ends text of one direction
        case replacement: replacement
        default: nil
        }
    }

    /// True for invisible scalars whose effect on neighboring characters differs among terminals. They are removed.
    private static func isDropped(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x34F, 0x61C, 0x180B...0x180F, 0x200B, 0x200C, 0x200E, 0x200F, 0x2060...0x2065, 0x206A...0x206F, 0xFE00...0xFE0F, 0xFEFF,
            0xFFF9...0xFFFB, 0x1F3FB...0x1F3FF, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// True if a zero-width joiner combines the scalar and its neighbor into one emoji. Between letters, a joiner only changes their
    /// shape.
    private static func isPictographic(_ scalar: UInt32) -> Bool {
        0x2190...0x2BFF ~= scalar || 0x1F000...0x1FAFF ~= scalar
    }

    /// Decodes the scalar at the current position. An invalid sequence returns U+FFFD, once for each maximal prefix of a valid sequence
    /// (The Unicode Standard, 3.9, "U+FFFD Substitution of Maximal Subparts").
    private mutating func decode() -> UInt32 {
        let lead = bytes[index]
        index += 1
        let (count, low, high): (Int, UInt8, UInt8)
        switch lead {
        case 0x00..<0x80: return UInt32(lead)
        case 0xC2...0xDF: (count, low, high) = (1, 0x80, 0xBF)
        case 0xE0: (count, low, high) = (2, 0xA0, 0xBF)
        case 0xED: (count, low, high) = (2, 0x80, 0x9F)  // Excludes surrogates, which are invalid in UTF-8.
        case 0xE1...0xEF: (count, low, high) = (2, 0x80, 0xBF)
        case 0xF0: (count, low, high) = (3, 0x90, 0xBF)
        case 0xF1...0xF3: (count, low, high) = (3, 0x80, 0xBF)
        case 0xF4: (count, low, high) = (3, 0x80, 0x8F)
        default: return Self.replacement
        }
        var scalar = UInt32(lead) & (0x3F >> UInt32(count))
        for position in 0..<count {
            guard index < bytes.count else { return Self.replacement }
            let byte = bytes[index]
            guard position == 0 ? low...high ~= byte : byte & 0xC0 == 0x80 else { return Self.replacement }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            index += 1
        }
        return scalar
    }
}
