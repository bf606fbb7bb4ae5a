import TerminalSurface

/// A sentence or two for the person, until the next key.
///
/// Each feature makes its messages in one file of its folder, as static functions of this type.
public struct Message: Equatable, Sendable {
    /// The identity of the message, whatever its words.
    public let id: ID
    /// What to say, one line: the most important sentence first.
    public var text: String
    /// The same in three words, for a terminal on which not even the first sentence has room; `nil`: there is no shorter way.
    public var short: String?
    /// Whether something has failed: it is then shown in the theme's error style.
    public var isError: Bool

    /// Says `text`.
    public init(_ id: ID, _ text: String, short: String? = nil, isError: Bool = false) {
        self.id = id
        self.text = text
        self.short = short
        self.isError = isError
    }

    /// As many whole sentences as fit `width` terminal cells; else the short form, else the first sentence.
    /// - Complexity: O(length of the text).
    func text(width: Int) -> String { Self.fitting(text, short: short, width: width) }

    /// As many whole sentences of `text` as fit `width` terminal cells; else the short form, else the first sentence.
    /// - Complexity: O(length of the text).
    static func fitting(_ text: String, short: String? = nil, width: Int) -> String {
        guard DisplayWidth.of(text, limit: width + 1) > width else { return text }
        var first: String.Index?
        var last: String.Index?
        var used = 0
        var isAfterStop = false
        for (index, character) in zip(text.indices, text) {
            if isAfterStop, character == " " {
                first = first ?? index
                if used <= width { last = index }
            }
            // The first sentence may be longer than the line.
            if used > width, first != nil { break }
            used += used > width ? 0 : DisplayWidth.of(String(character))
            isAfterStop = character == "."
        }
        return last.map { String(text[..<$0]) } ?? short ?? first.map { String(text[..<$0]) } ?? text
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

extension AppState {
    /// Shows a message on the last line until the next key.
    /// - Returns: no effects, for commands that do nothing else.
    @discardableResult
    mutating func say(_ message: Message) -> [AppEffect] {
        self.message = message
        return []
    }
}
