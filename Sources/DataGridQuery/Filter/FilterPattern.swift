/// A regular expression in a filter. Two patterns are equal if their texts and their case sensitivity are equal.
struct FilterPattern: Sendable, Hashable {
    let pattern: Pattern

    init(_ text: String, ignoresCase: Bool) throws(Pattern.SyntaxError) { pattern = try Pattern(text, ignoresCase: ignoresCase) }

    static func == (a: FilterPattern, b: FilterPattern) -> Bool {
        a.pattern.text == b.pattern.text && a.pattern.ignoresCase == b.pattern.ignoresCase
    }

    func hash(into hasher: inout Hasher) { hasher.combine(pattern.text) }
}
