/// The notation of sizes in a column. In all notations, a letter is a power of 1024, and a number without a letter is a number of bytes.
public enum SizeForm: UInt8, Sendable, CaseIterable {
    /// Letters: `512`, `12K`, `1.5G`. The field `0B` is allowed; other numbers with a `B` are not, because they can be billions.
    case letters
    /// A letter for the unit, or a `B` after a number of bytes: `512B`, `12K`, `1.5G`.
    case lettersOrBytes
    /// Letters with a `B`: `512B`, `12KB`, `1.5GB`. The `B` can be left out after a letter.
    case bytes
    /// Letters with an `i`: `512B`, `12Ki`, `1.5Gi`.
    case binaryLetters
    /// Bytes in powers of 1024: `512B`, `12KiB`, `1.5GiB`. The `B` after an `i` can be left out.
    case binaryBytes

    /// True if letters have an `i`.
    package var isBinary: Bool { self == .binaryLetters || self == .binaryBytes }

    /// True if computed sizes below 1024 have a `B`.
    private var endsWithB: Bool { self != .letters && self != .binaryLetters }

    /// The letters of 1024, 1024², … 1024⁶.
    static let unitLetters: StaticString = "KMGTPE"

    /// The unit of 1024^`power` bytes as text; empty for a number without a unit.
    package func unit(power: Int) -> String {
        guard power > 0 else { return endsWithB ? "B" : "" }
        let letter = String(Unicode.Scalar(Self.unitLetters.utf8Start[power - 1]))
        return letter + (isBinary ? "i" : "") + (self == .bytes || self == .binaryBytes ? "B" : "")
    }

    /// The notation that reads the sizes of two columns; `nil` if only one of them has an `i`.
    package func united(with other: SizeForm) -> SizeForm? {
        guard isBinary == other.isBinary else { return nil }
        return rawValue >= other.rawValue ? self : other
    }

    /// True if a size has this notation.
    func fits(_ size: WrittenSize) -> Bool {
        if size.power > 0 { return size.isBinary == isBinary }
        switch self {
        case .letters: return size.isZero
        case .lettersOrBytes: return size.isZero || !size.hasSeparator
        case .bytes, .binaryLetters, .binaryBytes: return true
        }
    }
}

/// A number of bytes with a unit, divided into its parts: `1.5G`, `-12K`, `3 MB`, `1.2GiB` and `512B`.
package struct WrittenSize {
    /// The bytes of the number, with its sign.
    package let number: UnsafeBufferPointer<UInt8>
    /// The power of 1024 of the unit: 0 for `B`, 1 for `K`, 2 for `M`.
    package let power: Int
    /// True if the unit has an `i`.
    package let isBinary: Bool
    /// True if the unit has a `B`.
    package let hasByteSign: Bool
    /// True if a space separates the unit from the number.
    package let isSpaced: Bool

    /// Parses text without surrounding blanks. Returns `nil` unless it has a unit, and digits with signs or separators before it. O(n).
    /// - Parameter ignoresCase: true to accept letters in either case. Otherwise, only `k` may be in lower case.
    package init?(_ text: UnsafeBufferPointer<UInt8>, ignoresCase: Bool = false) {
        var end = text.count
        func endsWith(_ lowercaseLetter: StaticString) -> Bool {
            guard end > 1 else { return false }
            let (byte, letter) = (text[end - 1], lowercaseLetter.utf8Start.pointee)
            return byte == letter & ~0x20 || (ignoresCase && byte == letter)
        }
        hasByteSign = endsWith("b")
        if hasByteSign { end -= 1 }
        isBinary = end > 1 && (text[end - 1] == UInt8(ascii: "i") || ignoresCase && text[end - 1] == UInt8(ascii: "I"))
        if isBinary { end -= 1 }
        guard end > 0 else { return nil }
        let byte = text[end - 1]
        let letter = ignoresCase || byte == UInt8(ascii: "k") ? byte & ~0x20 : byte
        let letters = UnsafeBufferPointer(start: SizeForm.unitLetters.utf8Start, count: SizeForm.unitLetters.utf8CodeUnitCount)
        power = letters.firstIndex(of: letter).map { $0 + 1 } ?? 0
        if power > 0 { end -= 1 }
        guard power > 0 || hasByteSign && !isBinary else { return nil }
        var rest = text[..<end]
        isSpaced = WrittenAmount.skipBlanks(&rest, atEnd: true)
        guard let last = rest.last, isDigit(last), let first = rest.first else { return nil }
        let digits = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? rest.dropFirst() : rest
        guard digits.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) else { return nil }
        number = UnsafeBufferPointer(rebasing: rest)
    }

    /// True if the number is 0.
    package var isZero: Bool { number.allSatisfy { !isDigit($0) || $0 == UInt8(ascii: "0") } }

    /// True if the number has a point or a comma.
    package var hasSeparator: Bool { number.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") } }
}

extension FieldBytes {
    /// The number of bytes if the field is a size in any notation, with letters in either case and a decimal point; `nil` for other fields,
    /// including plain numbers.
    package var sizeInBytes: ExactDecimal? {
        guard let size = WrittenSize(trimmed, ignoresCase: true) else { return nil }
        return AmountNumber(text: size.number, isNegative: false, power: size.power).exact(.point)
    }
}

/// The number in an amount of money, in a negative number of accounting, or in a size.
struct AmountNumber {
    /// The bytes of the number. The number of a size includes its sign.
    let text: UnsafeBufferPointer<UInt8>
    let isNegative: Bool
    /// The power of 1024 by which the number is multiplied; 0 except in sizes.
    let power: Int

    private var factor: Int64 { 1 << (10 * Int64(power)) }

    func integer(_ notation: DecimalStyle) -> Int64? {
        guard power > 0 else { return readInteger(text, notation).map { isNegative ? 0 &- $0 : $0 } }
        if let number = readInteger(text, notation) {
            let (product, overflows) = number.multipliedReportingOverflow(by: factor)
            return overflows ? nil : product
        }
        guard let exact = exact(notation), exact.digits == 0 else { return nil }
        return Int64(exactly: exact.mantissa)
    }

    /// Multiplication by a power of 2 does not round, so the result is the double nearest to the number.
    func decimal(_ notation: DecimalStyle) -> Double? {
        readDecimal(text, notation).map { (isNegative ? -$0 : $0) * (power > 0 ? Double(factor) : 1) }
    }

    func exact(_ notation: DecimalStyle) -> ExactDecimal? {
        // Exact reading does not check the thousands separators.
        guard power == 0 || readDecimal(text, notation) != nil, let number = readExact(text, notation) else { return nil }
        guard power > 0 else { return isNegative ? ExactDecimal(-number.mantissa, digits: number.digits) : number }
        let (product, overflows) = number.mantissa.multipliedReportingOverflow(by: Int128(factor))
        // The negation of the least integer would overflow.
        return overflows || product == .min ? nil : ExactDecimal(product, digits: number.digits).withoutTrailingZeros
    }
}
