import FieldValues

/// A search made ready for many fields.
struct TextMatcher: Sendable {
    private enum Folding { case none, ascii, unicode }

    private let needle: [UInt8]
    private let folding: Folding
    /// The byte that the needle begins with, in both cases.
    private let first: (UInt8, UInt8)

    /// The length of a match in folded bytes.
    var length: Int { needle.count }

    init(_ search: TextSearch) {
        if search.isCaseSensitive {
            (needle, folding) = (Array(search.needle.utf8), .none)
        } else {
            needle = search.needle.unicodeScalars.flatMap { Array($0.properties.lowercaseMapping.utf8) }
            folding = needle.allSatisfy { $0 < 0x80 } ? .ascii : .unicode
        }
        let byte = needle.first ?? 0
        first = (byte, folding != .none && byte &- 0x61 < 26 ? byte & ~0x20 : byte)
    }

    /// Whether the bytes of a field contain the needle.
    func matches(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        guard folding == .unicode else { return firstPlace(in: field, from: 0) != nil }
        // A needle beyond ASCII is in no field within it.
        guard field.contains(where: { $0 >= 0x80 }) else { return false }
        var folded: [UInt8] = []
        for scalar in String(decoding: field, as: UTF8.self).unicodeScalars { folded.append(contentsOf: self.folded(scalar)) }
        return folded.withUnsafeBufferPointer { firstPlace(in: $0, from: 0) != nil }
    }

    /// The bytes of a scalar as they are compared.
    func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
        if folding == .unicode { return Array(scalar.properties.lowercaseMapping.utf8) }
        return Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Where the needle first stands at or after `start`, in bytes that are folded beyond ASCII.
    func firstPlace(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard !needle.isEmpty, bytes.count - start >= needle.count else { return nil }
        return needle.withUnsafeBufferPointer { needle in
            let (lower, upper) = first
            for place in start...(bytes.count - needle.count) where bytes[place] == lower || bytes[place] == upper {
                var index = 1
                if folding == .none {
                    while index < needle.count, bytes[place + index] == needle[index] { index += 1 }
                } else {
                    while index < needle.count, TextMatcher.lowered(bytes[place + index]) == needle[index] { index += 1 }
                }
                if index == needle.count { return place }
            }
            return nil
        }
    }

    @inline(__always)
    private static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
