/// Text to look for in fields.
///
/// The needle is literal. Matching is on UTF-8 bytes; case is ignored by the lower-case mapping of single Unicode scalars, without
/// locale and without regard to composition. A needle of ASCII letters finds ASCII letters only. An empty needle is found nowhere.
public struct TextSearch: Sendable, Hashable {
    /// What to look for.
    public var needle: String
    /// Whether letters must match in case.
    public var isCaseSensitive: Bool
    /// The columns of the table to look in; `nil` for all.
    public var columns: [Int]?

    /// Looks for `needle`.
    public init(_ needle: String, isCaseSensitive: Bool, columns: [Int]? = nil) {
        self.needle = needle
        self.isCaseSensitive = isCaseSensitive
        self.columns = columns
    }

    /// A search that looks at case if, and only if, the needle has an upper-case letter.
    public static func smart(_ needle: String, columns: [Int]? = nil) -> TextSearch {
        let isCaseSensitive = needle.unicodeScalars.contains { $0.properties.isUppercase }
        return TextSearch(needle, isCaseSensitive: isCaseSensitive, columns: columns)
    }

    /// Where `text` matches: from left to right, not overlapping. For highlighting.
    /// - Complexity: O(length of `text` × length of the needle) at worst.
    public func ranges(in text: String) -> [Range<String.Index>] {
        let matcher = TextMatcher(self)
        // Folded bytes with the place in the text where each comes from.
        var bytes: [UInt8] = []
        var places: [String.Index] = []
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            var offset = index
            for byte in matcher.folded(scalar) {
                bytes.append(byte)
                places.append(offset)
                // Unfolded scalars keep a place for each byte; folded ones may have more or fewer.
                if offset == index { offset = text.unicodeScalars.index(after: index) }
            }
        }
        places.append(text.endIndex)
        var ranges: [Range<String.Index>] = []
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while let match = matcher.firstPlace(in: bytes, from: start) {
                start = match + matcher.length
                ranges.append(places[match]..<places[start])
            }
        }
        return ranges
    }
}
