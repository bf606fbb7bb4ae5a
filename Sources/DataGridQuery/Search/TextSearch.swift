public import FieldValues

/// What to look for in fields: a text as it stands, or a regular expression.
///
/// A text is compared on UTF-8 bytes; case is ignored by the lower-case mapping of single Unicode scalars, without locale and without
/// regard to composition. A text of ASCII letters finds ASCII letters only. An empty text is found nowhere.
///
/// A number whose thousands are grouped, by ``notation``, also finds the number without them, as grids show numbers grouped that files do not.
public struct TextSearch: Sendable {
    /// What to look for.
    public enum Subject: Sendable {
        /// The text itself; with `isCaseSensitive`, letters must match in case.
        case text(String, isCaseSensitive: Bool)
        /// Whatever the expression matches.
        case pattern(Pattern)
    }

    /// What to look for.
    public var subject: Subject
    /// The columns of the table to look in; `nil` for all.
    public var columns: [Int]?
    /// How the numbers of a text are grouped.
    public var notation = NumberNotation.point

    /// Looks for `needle`.
    public init(_ needle: String, isCaseSensitive: Bool, columns: [Int]? = nil) {
        subject = .text(needle, isCaseSensitive: isCaseSensitive)
        self.columns = columns
    }

    /// Looks for what `pattern` matches.
    public init(_ pattern: Pattern, columns: [Int]? = nil) {
        subject = .pattern(pattern)
        self.columns = columns
    }

    /// A search that looks at case if, and only if, the needle has an upper-case letter.
    public static func smart(_ needle: String, columns: [Int]? = nil) -> TextSearch {
        let isCaseSensitive = needle.unicodeScalars.contains { $0.properties.isUppercase }
        return TextSearch(needle, isCaseSensitive: isCaseSensitive, columns: columns)
    }

    /// A search for a regular expression that looks at case if, and only if, it has an upper-case letter that stands for itself: `\D`
    /// and `\p{Greek}` have none.
    /// - Throws: ``Pattern/Mistake`` when `text` is no expression.
    public static func smart(pattern text: String, columns: [Int]? = nil) throws(Pattern.Mistake) -> TextSearch {
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

    /// The places of those texts that match. The search is made ready once for all of them.
    /// - Complexity: O(length of all texts × length of the needle) at worst.
    public func matching(_ texts: some Sequence<String>) -> [Int] {
        let matcher = TextMatcher(self)
        return texts.enumerated().filter { _, text in
            var text = text
            return text.withUTF8 { !Self.places(matcher, $0).isEmpty }
        }.map(\.offset)
    }

    fileprivate static func places(_ matcher: TextMatcher, _ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var start = 0
        while start <= bytes.count, let match = matcher.firstRange(in: bytes, from: start) {
            if !match.isEmpty { places.append(match) }
            // A match can be empty; then the next one begins at another character.
            start = match.isEmpty ? match.upperBound + 1 : match.upperBound
            while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
        }
        return places
    }
}

/// A search prepared for the texts of many cells, for highlighting.
public struct TextHighlighter: Sendable {
    private let matcher: TextMatcher

    /// Prepares `search`. O(length of the needle).
    public init(_ search: TextSearch) { matcher = TextMatcher(search) }

    /// The matches in `text`, from left to right: they do not overlap and are never empty.
    /// - Complexity: O(length of `text` × length of the needle) at worst.
    public func ranges(in text: String) -> [Range<String.Index>] {
        var text = text
        let places = text.withUTF8 { TextSearch.places(matcher, $0) }
        func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
        return places.map { index($0.lowerBound)..<index($0.upperBound) }
    }
}
