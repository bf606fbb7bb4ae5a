import CByteScan
import FieldValues

/// A string to search for, compiled for many fields. It is plain memory, so that testing a short field has almost no overhead.
final class TextNeedle: Sendable {
    private enum Folding { case none, ascii, unicode }

    /// The UTF-8 bytes of the string; in lower case if case is ignored.
    private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>
    private let folding: Folding
    /// The first byte of the string in lower and upper case. Both are equal if the byte has only one form.
    private let firstByteCases: (UInt8, UInt8)
    /// For each byte, whether a match can start with it. Used if more bytes are possible than the bytes in ``firstByteCases``.
    private let possibleFirstBytes: [Bool]
    /// The maximum number of Unicode scalars of the string that contribute to ``requiredBytes``. More scalars would hardly exclude more
    /// fields.
    private static let requiredLimit = 256
    /// Bytes that every matching field contains, so that other fields can be skipped.
    let requiredBytes: RequiredBytes

    init(_ text: String, isCaseSensitive: Bool) {
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isCaseSensitive {
                folded.append(scalar)
            } else if scalar.isASCII {
                folded.append(Unicode.Scalar(UInt8(scalar.value).loweredASCII))
            } else {
                folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        let encoded = Array(String(folded).utf8)
        bytes = .allocate(capacity: encoded.count)
        _ = bytes.initialize(from: encoded)
        let folding: Folding = isCaseSensitive ? .none : encoded.allSatisfy { $0 < 0x80 } ? .ascii : .unicode
        let byte = encoded.first ?? 0
        firstByteCases = (byte, folding == .ascii && byte &- 0x61 < 26 ? byte & ~0x20 : byte)
        let encodings = folded.prefix(TextNeedle.requiredLimit).map { TextNeedle.encodings(of: $0, folding) }
        var possibleFirstBytes = [Bool](repeating: false, count: 256)
        for encoding in encodings.first ?? [] { possibleFirstBytes[Int(encoding[0])] = true }
        // An ill-formed byte counts as U+FFFD, so a match of U+FFFD can start with any byte from 0x80.
        if folding == .unicode, folded.first == "\u{FFFD}" { for byte in 0x80...0xFF { possibleFirstBytes[byte] = true } }
        (self.folding, self.possibleFirstBytes) = (folding, possibleFirstBytes)
        var required = TextNeedle.longestRequiredRun(encodings, folding)
        // The required bytes are compared without the bit in which the two cases of an ASCII letter differ, so they match both cases.
        required.isSufficient = folding != .unicode && required.count == encoded.count
        requiredBytes = required
    }

    deinit { bytes.deallocate() }

    /// The first occurrence of the string that starts at or after `start`.
    func firstRange(in field: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        if folding == .unicode { return firstFoldedRange(in: field, from: start) }
        guard let offset = firstOffset(in: field, from: start) else { return nil }
        return offset..<offset + bytes.count
    }

    /// True if the string occurs in `field`.
    @inline(__always)
    func isIn(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        folding == .unicode ? firstFoldedRange(in: field, from: 0) != nil : firstOffset(in: field, from: 0) != nil
    }

    private func firstFoldedRange(in field: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        guard !bytes.isEmpty, start < field.count else { return nil }
        for offset in start..<field.count where possibleFirstBytes[Int(field[offset])] {
            if let end = TextNeedle.matchEnd(of: UnsafeBufferPointer(bytes), at: offset, in: field) { return offset..<end }
        }
        return nil
    }

    @inline(__always)
    private func firstOffset(in field: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let count = bytes.count
        guard count > 0, field.count - start >= count, let text = field.baseAddress, let needle = bytes.baseAddress else { return nil }
        let (lower, upper) = firstByteCases
        let last = field.count - count
        // The bit in which the two cases of an ASCII letter differ, in each of eight bytes; 0 if the first byte has only one form.
        let fold = lower == upper ? 0 : 0x2020_2020_2020_2020 as UInt64
        let pattern = 0x0101_0101_0101_0101 &* UInt64(lower)
        var offset = start
        while offset <= last {
            // Test eight positions at once. The word may extend beyond the field, which is safe within a memory page.
            if UInt(bitPattern: text + offset) & 4095 <= 4096 - 8 {
                let word = UInt64(littleEndian: gv_load_word(text + offset)) | fold
                let difference = word ^ pattern
                let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
                offset += zeros.trailingZeroBitCount / 8
                if zeros == 0 { continue }
                if offset > last { return nil }
            } else if text[offset] != lower, text[offset] != upper {
                offset += 1
                continue
            }
            var index = 1
            if folding == .none {
                while index < count, text[offset + index] == needle[index] { index += 1 }
            } else {
                while index < count, text[offset + index].loweredASCII == needle[index] { index += 1 }
            }
            if index == count { return offset }
            offset += 1
        }
        return nil
    }

    /// The end offset of an occurrence of `needle` that starts at `offset` in `field`; otherwise `nil`. Scalars are compared in lower case.
    private static func matchEnd(of needle: UnsafeBufferPointer<UInt8>, at offset: Int, in field: UnsafeBufferPointer<UInt8>) -> Int? {
        var offset = offset
        var index = 0
        while index < needle.count {
            guard offset < field.count else { return nil }
            let byte = field[offset]
            if byte < 0x80 {
                guard byte.loweredASCII == needle[index] else { return nil }
                index += 1
                offset += 1
                continue
            }
            var decoder = UTF8()
            var rest = UnsafeBufferPointer(rebasing: field[offset..<min(field.count, offset + 4)]).makeIterator()
            guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
                // An ill-formed byte is shown as U+FFFD, so it matches U+FFFD in the string.
                guard needle[index...].starts(with: [0xEF, 0xBF, 0xBD]) else { return nil }
                index += 3
                offset += 1
                continue
            }
            for byte in scalar.properties.lowercaseMapping.utf8 {
                // The lower case of one scalar can be several scalars. If the string ends between these scalars, it matches, too.
                guard index < needle.count else { break }
                guard byte == needle[index] else { return nil }
                index += 1
            }
            offset += UTF8.width(scalar)
        }
        return offset
    }

    // MARK: Variants of a scalar

    /// Capital letters that upper-casing their own lower case does not return (Unicode 15.1), keyed by that lower case. For example, the
    /// Kelvin sign U+212A becomes `k`, and `k` becomes `K`.
    private static let irregularCapitals: [Unicode.Scalar: Unicode.Scalar] = [
        "i": "\u{130}", "k": "\u{212A}", "\u{E5}": "\u{212B}", "\u{3C9}": "\u{2126}", "\u{DF}": "\u{1E9E}", "\u{3B8}": "\u{3F4}",
    ]

    /// The UTF-8 bytes of all scalars that count as equal to `scalar`.
    private static func encodings(of scalar: Unicode.Scalar, _ folding: Folding) -> [[UInt8]] {
        var scalars: Set<Unicode.Scalar> = [scalar]
        if folding != .none {
            for mapping in [scalar.properties.uppercaseMapping, scalar.properties.titlecaseMapping] {
                let mapped = mapping.unicodeScalars
                if mapped.count == 1, let capital = mapped.first { scalars.insert(capital) }
            }
            if let stray = irregularCapitals[scalar] { scalars.insert(stray) }
            if folding == .ascii { scalars = scalars.filter(\.isASCII) }
        }
        return scalars.map { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) }
    }

    /// The longest run of bytes that a match has at fixed distances. A scalar is part of it only if all of its encodings have the same
    /// length.
    private static func longestRequiredRun(_ scalars: [[[UInt8]]], _ folding: Folding) -> RequiredBytes {
        var bytes = RequiredBytes()
        var isKnown: [Bool] = []
        for encodings in scalars {
            let first = encodings[0]
            // U+307 is also part of the lower case of U+130, and U+FFFD also stands for an ill-formed byte, so their lengths vary.
            let isFixed =
                encodings.allSatisfy { $0.count == first.count }
                && (folding == .none || first != [0xCC, 0x87] && first != [0xEF, 0xBF, 0xBD])
            for index in first.indices {
                let mask = isFixed ? encodings.reduce(0xff) { $0 & ~($1[index] ^ first[index]) } : 0
                bytes.append(first[index], mask: mask)
                isKnown.append(isFixed)
            }
        }
        return bytes.longestRun { isKnown[$0] }
    }
}
