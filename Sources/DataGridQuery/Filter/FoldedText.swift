import FieldValues

/// A string to find in fields, either byte by byte or ignoring case.
///
/// Case is ignored by simple case folding: scalar by scalar and without locale, so `ß` does not match `ss`. Testing a field allocates
/// nothing.
final class FoldedText: @unchecked Sendable {
    private enum Folding: UInt8 {
        case none
        /// The text has only ASCII letters whose other case is also ASCII, so bytes can be compared.
        case ascii
        case unicode
    }

    /// The UTF-8 bytes of the text; in lower case if the text is ASCII and case is ignored.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The folded scalars of the text, if bytes cannot be compared; otherwise empty.
    private let scalars: UnsafeBufferPointer<UInt32>
    private let folding: Folding

    init(_ text: String, ignoresCase: Bool) {
        let utf8 = Array(text.utf8)
        // The letters k and s also match non-ASCII characters if case is ignored: the Kelvin sign and the long s.
        let isPlain = utf8.allSatisfy { $0 < 0x80 }
        let hasNonASCIIVariants = utf8.contains { [0x6B, 0x73].contains($0 | 0x20) }
        folding = !ignoresCase ? .none : isPlain && !hasNonASCIIVariants ? .ascii : .unicode
        let isASCII = folding == .ascii || folding == .unicode && isPlain
        let lowered = isASCII ? utf8.map(\.loweredASCII) : utf8
        bytes = FoldedText.copy(lowered)
        scalars = FoldedText.copy(folding == .unicode ? text.unicodeScalars.map { FoldedText.folded($0.value) } : [])
    }

    deinit {
        bytes.deallocate()
        scalars.deallocate()
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
        let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = copy.initialize(from: elements)
        return UnsafeBufferPointer(copy)
    }

    // MARK: Testing

    func passes(_ test: FilterTextTest, _ field: UnsafeBufferPointer<UInt8>) -> Bool {
        if folding == .unicode { return passesFolded(test, field) }
        let rest = field.count - bytes.count
        guard rest >= 0 else { return false }
        switch test {
        case .equals: return rest == 0 && occurs(at: 0, in: field)
        case .startsWith: return occurs(at: 0, in: field)
        case .endsWith: return occurs(at: rest, in: field)
        case .contains:
            guard let first = bytes.first else { return true }
            let other = folding == .ascii && first &- 0x61 < 26 ? first & ~0x20 : first
            for offset in 0...rest where field[offset] == first || field[offset] == other {
                if occurs(at: offset, in: field) { return true }
            }
            return false
        }
    }

    @inline(__always)
    private func occurs(at offset: Int, in field: UnsafeBufferPointer<UInt8>) -> Bool {
        if folding == .none {
            for index in 0..<bytes.count where field[offset + index] != bytes[index] { return false }
        } else {
            for index in 0..<bytes.count where field[offset + index].loweredASCII != bytes[index] { return false }
        }
        return true
    }

    private func passesFolded(_ test: FilterTextTest, _ field: UnsafeBufferPointer<UInt8>) -> Bool {
        switch test {
        case .equals: return matchEnd(at: 0, in: field) == field.count
        case .startsWith: return matchEnd(at: 0, in: field) != nil
        case .contains, .endsWith:
            var offset = 0
            while true {
                if let end = matchEnd(at: offset, in: field), test == .contains || end == field.count { return true }
                guard offset < field.count else { return false }
                offset += FoldedText.scalar(at: offset, in: field).length
            }
        }
    }

    /// The end offset in `field` of an occurrence of the text that starts at `offset`; `nil` if there is no occurrence.
    private func matchEnd(at offset: Int, in field: UnsafeBufferPointer<UInt8>) -> Int? {
        var offset = offset
        for expected in scalars {
            guard offset < field.count else { return nil }
            let (scalar, length) = FoldedText.scalar(at: offset, in: field)
            guard scalar == expected || FoldedText.folded(scalar) == expected else { return nil }
            offset += length
        }
        return offset
    }

    // MARK: Scalars

    /// The Unicode scalar at `offset` and its length in bytes. The value of an ill-formed byte is above all scalars, and each byte has its
    /// own value.
    @inline(__always)
    static func scalar(at offset: Int, in field: UnsafeBufferPointer<UInt8>) -> (value: UInt32, length: Int) {
        let first = field[offset]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        let invalid = (0x11_0000 + UInt32(first), 1)
        guard length > 0, offset + length <= field.count else { return invalid }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for index in 1..<length {
            let byte = field[offset + index]
            guard byte & 0xC0 == 0x80 else { return invalid }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let minimum: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
        return value >= minimum && Unicode.Scalar(value) != nil ? (value, length) : invalid
    }

    /// The simple case folding of a scalar. Scalars with the same upper case, according to the standard library, have the same result.
    @inline(__always)
    static func folded(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return UInt32(UInt8(value).loweredASCII) }
        return foldedBeyondASCII(value)
    }

    private static func foldedBeyondASCII(_ value: UInt32) -> UInt32 {
        // The dotless i (U+0131) has the upper case of i, but is another letter, so it is not folded.
        guard value != 0x131, let scalar = Unicode.Scalar(value) else { return value }
        let upper = singleScalar(scalar.properties.uppercaseMapping) ?? scalar
        return (singleScalar(upper.properties.lowercaseMapping) ?? upper).value
    }

    private static func singleScalar(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
