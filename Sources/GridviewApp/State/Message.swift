import TerminalSurface

/// A message of one or two sentences, shown until the next key.
///
/// Each feature declares its messages in one file of its folder, as static functions of this type.
public struct Message: Equatable, Sendable {
    /// The identity of the message, independent of its wording.
    public let id: ID
    /// The text of one line, most important sentence first.
    public var text: String
    /// A form of about three words, for terminals without room for the first sentence; `nil` for none.
    public var short: String?
    /// A form for about 40 terminal cells; `nil` for none.
    var medium: String?
    /// A part that is shown after the text at every width, such as a number of further errors.
    var ending = ""
    /// True for a failure, which is shown in the theme's error style.
    public var isError: Bool

    /// Creates a message.
    public init(_ id: ID, _ text: String, short: String? = nil, isError: Bool = false) {
        self.id = id
        self.text = text
        self.short = short
        self.isError = isError
    }

    /// The whole sentences that fit `width` terminal cells; otherwise the short form; otherwise the first sentence.
    func text(width: Int) -> String {
        guard !ending.isEmpty else {
            if let medium, DisplayWidth.of(text) > width, DisplayWidth.of(medium) <= width { return medium }
            return Self.fitting(text, short: short, width: width)
        }
        let room = max(1, width - DisplayWidth.of(ending))
        return Self.name(Self.fitting(text, short: short, width: room), width: room) + ending
    }

    /// The whole sentences of `text` that fit `width` terminal cells; otherwise the short form; otherwise the first sentence.
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

    /// A name within a sentence, truncated to `width` terminal cells.
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

    /// A column name, a file name or typed text within a sentence: in quotes, truncated to `width` terminal cells.
    static func quoted(_ text: String, width: Int = 24) -> String { "“\(name(text, width: width))”" }
}

extension AppState {
    /// Shows a message on the last line until the next key.
    /// - Returns: No effects, for commands that do nothing else.
    @discardableResult
    mutating func show(_ message: Message) -> [AppEffect] {
        self.message = message
        return []
    }
}
