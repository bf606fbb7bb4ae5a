public import FieldValues

/// A search for a string or a regular expression in fields.
///
/// Strings are compared by UTF-8 bytes. Case is ignored by the lower-case mapping of single Unicode scalars, without locale and
/// normalization. A string of ASCII letters matches only ASCII letters. An empty string matches nothing.
///
/// A number with group separators of ``notation`` also matches the number without them, because grids show digit groups that files do not
/// have. For the same reason, the text `2024-01-31 10:22` also matches `2024-01-31T10:22`, and the other way round.
public struct TextSearch: Sendable {
    /// The string or regular expression to search for.
    public enum Needle: Sendable {
        /// A string. The case of letters must match if `isCaseSensitive`.
        case text(String, isCaseSensitive: Bool)
        /// A regular expression.
        case pattern(Pattern)
    }

    /// The string or regular expression to search for.
    public var needle: Needle
    /// The columns to search; `nil` for all.
    public var columns: [Int]?
    /// The notation of numbers that are shown with group separators.
    public var notation = DecimalStyle.point

    /// Creates a search for a string.
    public init(_ needle: String, isCaseSensitive: Bool, columns: [Int]? = nil) {
        self.needle = .text(needle, isCaseSensitive: isCaseSensitive)
        self.columns = columns
    }

    /// Creates a search for a regular expression.
    public init(_ pattern: Pattern, columns: [Int]? = nil) {
        needle = .pattern(pattern)
        self.columns = columns
    }

    /// Creates a search that is case-sensitive only if `needle` has an upper-case letter.
    public static func smartCase(_ needle: String, columns: [Int]? = nil) -> TextSearch {
        TextSearch(needle, isCaseSensitive: matchesCase(of: needle), columns: columns)
    }

    /// True if ``smartCase(_:columns:)`` makes a search for this string case-sensitive, because it has an upper-case letter.
    public static func matchesCase(of needle: String) -> Bool { needle.unicodeScalars.contains { $0.properties.isUppercase } }

    /// Creates a search for a regular expression that is case-sensitive only if it has a literal upper-case letter. The letters in `\D` and
    /// `\p{Greek}` are not literal.
    /// - Throws: ``Pattern/SyntaxError`` if `text` is invalid.
    public static func smartCase(pattern text: String, columns: [Int]? = nil) throws(Pattern.SyntaxError) -> TextSearch {
        var hasCapitals = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\" {
                if let kind = rest.popFirst(), kind == "p" || kind == "P", rest.first == "{" { rest = rest.drop { $0 != "}" } }
            } else if scalar.properties.isUppercase {
                hasCapitals = true
            }
        }
        return TextSearch(try Pattern(text, ignoresCase: !hasCapitals), columns: columns)
    }

    /// The indices of the elements of `texts` that match. The search is compiled once for all elements.
    /// - Complexity: at worst O(length of all strings × length of the needle).
    public func matchIndices(in texts: some Sequence<String>) -> [Int] {
        let matcher = TextMatcher(self)
        return texts.enumerated().filter { _, text in
            var text = text
            return text.withUTF8 { !Self.matchRanges(matcher, $0).isEmpty }
        }.map(\.offset)
    }

    fileprivate static func matchRanges(_ matcher: TextMatcher, _ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start <= bytes.count, let match = matcher.firstRange(in: bytes, from: start) {
            if !match.isEmpty { ranges.append(match) }
            // An empty match is skipped, and the search continues at the next byte.
            start = match.isEmpty ? match.upperBound + 1 : match.upperBound
            while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
        }
        return ranges
    }
}

/// A search compiled for finding all matches in the text of many cells, to highlight them.
public struct TextHighlighter: Sendable {
    private let matcher: TextMatcher

    /// Compiles a search. O(length of the needle).
    public init(_ search: TextSearch) { matcher = TextMatcher(search) }

    /// The matches in `text`, from left to right. They do not overlap and are not empty.
    /// - Complexity: at worst O(length of `text` × length of the needle).
    public func ranges(in text: String) -> [Range<String.Index>] {
        var text = text
        let ranges = text.withUTF8 { TextSearch.matchRanges(matcher, $0) }
        func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
        return ranges.map { index($0.lowerBound)..<index($0.upperBound) }
    }
}
