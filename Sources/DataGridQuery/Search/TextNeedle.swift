import CByteScan
import FieldValues

/// A string compiled for searching many fields. It is plain memory, so searching a short field has almost no overhead.
final class TextNeedle: Sendable {
    private enum Folding { case none, ascii, unicode }

    /// The text as compared: in lower case, unless case matters.
    private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>
    private let folding: Folding
    /// The first byte, in lower and upper case.
    private let first: (UInt8, UInt8)
    /// The possible first bytes of a match, used if ``first`` does not cover all of them.
    private let possibleFirstBytes: [Bool]
    /// The maximum number of scalars used for ``requiredBytes``. More would not exclude more fields.
    private static let requiredLimit = 256
    /// The bytes that a matching field must contain.
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
        first = (byte, folding == .ascii && byte &- 0x61 < 26 ? byte & ~0x20 : byte)
        let encodings = folded.prefix(TextNeedle.requiredLimit).map { TextNeedle.encodings(of: $0, folding) }
        var possibleFirstBytes = [Bool](repeating: false, count: 256)
        for encoding in encodings.first ?? [] { possibleFirstBytes[Int(encoding[0])] = true }
        // Ill-formed bytes are read as U+FFFD.
        if folding == .unicode, folded.first == "\u{FFFD}" { for byte in 0x80...0xFF { possibleFirstBytes[byte] = true } }
        (self.folding, self.possibleFirstBytes) = (folding, possibleFirstBytes)
        var required = TextNeedle.required(encodings, folding)
        // The two cases of an ASCII letter differ in one bit, which the required bytes ignore.
        required.isSufficient = folding != .unicode && required.count == encoded.count
        requiredBytes = required
    }

    deinit { bytes.deallocate() }

    /// The first occurrence at or after `start`.
    func firstRange(in field: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        if folding == .unicode { return firstFoldedRange(in: field, from: start) }
        guard let offset = firstOffset(in: field, from: start) else { return nil }
        return offset..<offset + bytes.count
    }

    /// True if the text occurs in `field`.
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
        let (lower, upper) = first
        let last = field.count - count
        // The two cases of a letter differ in one bit.
        let fold = lower == upper ? 0 : 0x2020_2020_2020_2020 as UInt64
        let pattern = 0x0101_0101_0101_0101 &* UInt64(lower)
        var offset = start
        while offset <= last {
            // Tests eight positions at once, if the word does not cross a page boundary. Bytes after the field may be loaded.
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

    /// The end offset if the text occurs at `offset`, compared by lower-case scalars; otherwise `nil`.
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
                // An ill-formed byte is shown as U+FFFD.
                guard needle[index...].starts(with: [0xEF, 0xBF, 0xBD]) else { return nil }
                index += 3
                offset += 1
                continue
            }
            for byte in scalar.properties.lowercaseMapping.utf8 {
                // The lower-case form of the scalar may be longer than the rest of the needle.
                guard index < needle.count else { break }
                guard byte == needle[index] else { return nil }
                index += 1
            }
            offset += UTF8.width(scalar)
        }
        return offset
    }

    // MARK: Variants of a scalar

    /// Capital letters whose lower case has a different upper case (Unicode 15.1).
    private static let irregularCapitals: [Unicode.Scalar: Unicode.Scalar] = [
        "i": "\u{130}", "k": "\u{212A}", "\u{E5}": "\u{212B}", "\u{3C9}": "\u{2126}", "\u{DF}": "\u{1E9E}", "\u{3B8}": "\u{3F4}",
    ]

    /// All encodings that are read as `scalar`.
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

    /// The longest run of bytes at known offsets: scalars whose encodings all have the same length.
    private static func required(_ scalars: [[[UInt8]]], _ folding: Folding) -> RequiredBytes {
        var bytes = RequiredBytes()
        var isKnown: [Bool] = []
        for encodings in scalars {
            let first = encodings[0]
            // U+307 is also part of the lower case of U+130, and U+FFFD also represents ill-formed bytes.
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
