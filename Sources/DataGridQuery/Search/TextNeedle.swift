import FieldValues

/// A text made ready for being looked for in many fields.
struct TextNeedle: Sendable {
    private enum Folding { case none, ascii, unicode }

    /// As it is compared: in lower case, unless case matters.
    private let bytes: [UInt8]
    private let folding: Folding
    /// Which bytes a match can begin with.
    private let leads: [Bool]
    /// What a field that matches holds.
    let requiredBytes: RequiredBytes

    init(_ text: String, isCaseSensitive: Bool) {
        let scalars = text.unicodeScalars.flatMap { isCaseSensitive ? [$0] : Array($0.properties.lowercaseMapping.unicodeScalars) }
        bytes = scalars.flatMap { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) }
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        let folding: Folding = isCaseSensitive ? .none : isASCII ? .ascii : .unicode
        let encoded = scalars.map { TextNeedle.encodings(of: $0, folding) }
        var leads = [Bool](repeating: false, count: 256)
        for encoding in encoded.first ?? [] { leads[Int(encoding[0])] = true }
        // Bytes that are no text are read as U+FFFD.
        if folding == .unicode, scalars.first == "\u{FFFD}" { for byte in 0x80...0xFF { leads[byte] = true } }
        (self.folding, self.leads) = (folding, leads)
        requiredBytes = TextNeedle.required(encoded, folding)
    }

    /// The first place at or after `start` where the text stands.
    func firstRange(in field: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        guard !bytes.isEmpty, start < field.count else { return nil }
        return bytes.withUnsafeBufferPointer { needle in
            leads.withUnsafeBufferPointer { leads in
                if folding == .unicode {
                    for place in start..<field.count where leads[Int(field[place])] {
                        if let end = TextNeedle.end(of: needle, at: place, in: field) { return place..<end }
                    }
                    return nil
                }
                guard field.count - start >= needle.count else { return nil }
                let folds = folding == .ascii
                for place in start...(field.count - needle.count) where leads[Int(field[place])] {
                    var index = 0
                    while index < needle.count {
                        let byte = field[place + index]
                        guard (folds && byte &- 0x41 < 26 ? byte | 0x20 : byte) == needle[index] else { break }
                        index += 1
                    }
                    if index == needle.count { return place..<place + index }
                }
                return nil
            }
        }
    }

    /// Where the text ends when it stands at `place`, compared scalar by scalar in lower case.
    private static func end(of needle: UnsafeBufferPointer<UInt8>, at place: Int, in field: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = place
        var index = 0
        while index < needle.count {
            guard place < field.count else { return nil }
            let byte = field[place]
            if byte < 0x80 {
                guard (byte &- 0x41 < 26 ? byte | 0x20 : byte) == needle[index] else { return nil }
                index += 1
                place += 1
                continue
            }
            var decoder = UTF8()
            var rest = UnsafeBufferPointer(rebasing: field[place..<min(field.count, place + 4)]).makeIterator()
            guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
                // As it is shown: a byte that is no text.
                guard needle[index...].starts(with: [0xEF, 0xBF, 0xBD]) else { return nil }
                index += 3
                place += 1
                continue
            }
            for byte in scalar.properties.lowercaseMapping.utf8 {
                // What a capital has more than its small letter need not be asked for.
                guard index < needle.count else { break }
                guard byte == needle[index] else { return nil }
                index += 1
            }
            place += UTF8.width(scalar)
        }
        return place
    }

    // MARK: What can stand for a scalar

    /// Capitals that are not the upper case of their lower case (Unicode 15.1).
    private static let strays: [Unicode.Scalar: Unicode.Scalar] = [
        "i": "\u{130}", "k": "\u{212A}", "\u{E5}": "\u{212B}", "\u{3C9}": "\u{2126}", "\u{DF}": "\u{1E9E}", "\u{3B8}": "\u{3F4}",
    ]

    /// How everything is encoded that is read as `scalar`.
    private static func encodings(of scalar: Unicode.Scalar, _ folding: Folding) -> [[UInt8]] {
        var scalars: Set<Unicode.Scalar> = [scalar]
        if folding != .none {
            for mapping in [scalar.properties.uppercaseMapping, scalar.properties.titlecaseMapping] {
                let mapped = mapping.unicodeScalars
                if mapped.count == 1, let capital = mapped.first { scalars.insert(capital) }
            }
            if let stray = strays[scalar] { scalars.insert(stray) }
            if folding == .ascii { scalars = scalars.filter(\.isASCII) }
        }
        return scalars.map { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) }
    }

    /// The longest run of bytes of which is known where they are: that of scalars whose encodings are all of one length.
    private static func required(_ scalars: [[[UInt8]]], _ folding: Folding) -> RequiredBytes {
        var bytes = RequiredBytes()
        var isKnown: [Bool] = []
        for encodings in scalars {
            let first = encodings[0]
            // U+307 is also part of what U+130 is in lower case, and U+FFFD what bytes are that are no text.
            let isFixed =
                encodings.allSatisfy { $0.count == first.count }
                && (folding == .none || first != [0xCC, 0x87] && first != [0xEF, 0xBF, 0xBD])
            for index in first.indices {
                let care = isFixed ? encodings.reduce(0xff) { $0 & ~($1[index] ^ first[index]) } : 0
                bytes.append(first[index], care: care)
                isKnown.append(isFixed)
            }
        }
        return bytes.longestRun { isKnown[$0] }
    }
}
