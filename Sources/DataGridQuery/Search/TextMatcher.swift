import FieldValues

/// A ``TextSearch`` compiled for testing many fields.
struct TextMatcher: Sendable {
    private enum Needle {
        case text(TextNeedle)
        /// A field matches if it contains at least one of these strings.
        case texts([TextNeedle])
        case pattern(Pattern)
    }

    private let needle: Needle
    /// Bytes that every matching field contains, so that other fields can be skipped.
    let required: RequiredBytes

    init(_ search: TextSearch) {
        switch search.needle {
        case .pattern(let pattern):
            needle = .pattern(pattern)
            required = pattern.requiredBytes
        case .text(let text, let isCaseSensitive):
            let needle = TextNeedle(text, isCaseSensitive: isCaseSensitive)
            let other: (text: String, parts: [String])
            if let groups = TextMatcher.digitGroups(of: text, search.notation) {
                other = (groups.joined(), groups)
            } else if let (date, separator, time) = TextMatcher.dateAndTime(of: text) {
                other = (date + (separator == " " ? "T" : " ") + time, [date, time])
            } else {
                self.needle = .text(needle)
                required = needle.requiredBytes
                break
            }
            self.needle = .texts([needle, TextNeedle(other.text, isCaseSensitive: isCaseSensitive)])
            // Both forms of the text contain each part, such as a digit group. Fields without the longest part cannot match, but a part
            // alone does not prove a match.
            let longest = other.parts.max { $0.utf8.count < $1.utf8.count } ?? ""
            var part = TextNeedle(longest, isCaseSensitive: isCaseSensitive).requiredBytes
            part.isSufficient = false
            required = part
        }
    }

    /// The index in `fields` of the first field that matches; `nil` if no field matches.
    @inline(__always)
    func firstIndex(in fields: UnsafeBufferPointer<FieldBytes>) -> Int? { withTest { fields.firstIndex(where: $0) } }

    /// Calls `body` with a function that tests a field. The needle is extracted here, once for many fields, because extracting it for each
    /// field would be slower.
    @inline(__always)
    func withTest<Result>(_ body: (_ matches: (FieldBytes) -> Bool) throws -> Result) rethrows -> Result {
        switch needle {
        case .pattern(let pattern): try body { pattern.matches($0.bytes) }
        case .text(let needle): try body { needle.isIn($0.bytes) }
        case .texts(let needles): try body { field in needles.contains { $0.isIn(field.bytes) } }
        }
    }

    /// The first match that starts at or after `start`. If several matches start at one position, the longest.
    func firstRange(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        switch needle {
        case .pattern(let pattern): pattern.firstMatch(in: bytes, from: start)
        case .text(let needle): needle.firstRange(in: bytes, from: start)
        case .texts(let needles):
            needles.compactMap { $0.firstRange(in: bytes, from: start) }
                .min { ($0.lowerBound, -$0.count) < ($1.lowerBound, -$1.count) }
        }
    }

    /// The date and the time of a text such as `2024-01-31 10:22`, and the space or `T` between them. The start of the date and the end of
    /// the time can be missing, as in `01-31 10`. `nil` for other strings.
    private static func dateAndTime(of text: String) -> (date: String, separator: Character, time: String)? {
        guard let separator = text.firstIndex(where: { " Tt".contains($0) }) else { return nil }
        let (date, time) = (text[..<separator], text[text.index(after: separator)...])
        let day = date.suffix(3)
        func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }
        guard date.count >= 5, day.first == "-", day.dropFirst().allSatisfy(isDigit), date.allSatisfy({ isDigit($0) || $0 == "-" }),
            let first = time.first, isDigit(first)
        else { return nil }
        return (String(date), text[separator], String(time))
    }

    /// The digit groups of a number with group separators. For example, `-1,234.5` gives `-1` and `234.5`. `nil` for other strings.
    private static func digitGroups(of text: String, _ notation: DecimalStyle) -> [String]? {
        let number = Array(text.utf8)
        let start = number.first == UInt8(ascii: "-") || number.first == UInt8(ascii: "+") ? 1 : 0
        let groups = number[start...].split(separator: notation.groupSeparator, omittingEmptySubsequences: false)
        guard groups.count > 1 else { return nil }
        for (index, group) in groups.enumerated() {
            let digits = group.prefix { $0 &- 0x30 < 10 }.count
            guard index == 0 ? 1...3 ~= digits : digits == 3 else { return nil }
            // A fraction may follow only the last group.
            let rest = group.dropFirst(digits)
            guard
                rest.isEmpty
                    || index == groups.count - 1 && rest.first == notation.decimalSeparator
                        && rest.dropFirst().allSatisfy({ $0 &- 0x30 < 10 })
            else { return nil }
        }
        return text.split(separator: Character(Unicode.Scalar(notation.groupSeparator))).map(String.init)
    }
}
