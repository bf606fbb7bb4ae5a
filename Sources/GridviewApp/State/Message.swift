import TerminalSurface

/// A sentence or two for the person, until the next key.
public struct Message: Equatable, Sendable {
    /// What to say, one line: the most important sentence first.
    public var text: String
    /// The same in three words, for a terminal on which not even the first sentence has room; `nil`: there is no shorter way.
    public var short: String?
    /// Whether something has failed: it is then shown in the theme's error style.
    public var isError: Bool

    /// Says `text`.
    public init(_ text: String, short: String? = nil, isError: Bool = false) {
        self.text = text
        self.short = short
        self.isError = isError
    }

    /// What to say in `width` terminal cells: as many of the sentences as there is room for, and at least the gist.
    func text(width: Int) -> String {
        var rest = text[...]
        while DisplayWidth.of(String(rest), limit: width + 1) > width {
            // The last sentence goes first.
            guard let end = rest.dropLast().ranges(of: ". ").last else { return short ?? String(rest) }
            rest = rest[..<end.lowerBound] + "."
        }
        return String(rest)
    }

    /// A name within a sentence: of one that is too long, the beginning.
    static func name(_ text: String, width: Int = 24) -> String {
        guard DisplayWidth.of(text, limit: width + 1) > width else { return text }
        var name = ""
        var used = 1
        for character in text {
            used += DisplayWidth.of(String(character))
            if used > width { break }
            name.append(character)
        }
        return name + "…"
    }
}
