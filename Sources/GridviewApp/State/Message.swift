import TerminalSurface

/// A message of one or two sentences on the last line of the screen, shown until the next key.
///
/// Each feature declares its messages in one file of its folder, as static functions of this type.
public struct Message: Equatable, Sendable {
    /// The identifier of the message, which does not depend on its wording.
    public let id: ID
    /// The text in one line. Its sentences have descending importance, because the last ones are left out on narrow screens.
    public var text: String
    /// A form of about three words, used if the first sentence of the text does not fit; `nil` for none.
    public var short: String?
    /// A form that fits about 40 terminal cells, used if the text does not fit; `nil` for none.
    var medium: String?
    /// Text that is shown after the message at every width, such as the number of other errors.
    var ending = ""
    /// True for a failure, which is shown in the error style of the theme.
    public var isError: Bool

    /// Creates a message.
    public init(_ id: ID, _ text: String, short: String? = nil, isError: Bool = false) {
        self.id = id
        self.text = text
        self.short = short
        self.isError = isError
    }

    /// The message for a line of `width` terminal cells: as many whole sentences as fit, or the short form, or the start of the first
    /// sentence.
    func text(width: Int) -> String {
        guard !ending.isEmpty else {
            if let medium, DisplayWidth.of(text) > width, DisplayWidth.of(medium) <= width { return medium }
            return Self.fitting(text, short: short, width: width)
        }
        let room = max(1, width - DisplayWidth.of(ending))
        return Self.name(Self.fitting(text, short: short, width: room), width: room) + ending
    }

    /// As many whole sentences of `text` as fit into `width` terminal cells; if none fits, the short form or else the first sentence.
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
            // Read on until the first sentence ends, even if it is longer than the line.
            if used > width, first != nil { break }
            used += used > width ? 0 : DisplayWidth.of(String(character))
            isAfterStop = character == "."
        }
        return last.map { String(text[..<$0]) } ?? short ?? first.map { String(text[..<$0]) } ?? text
    }

    /// A name for use in a sentence, cut to `width` terminal cells.
    static func name(_ text: String, width: Int = 24) -> String {
        guard DisplayWidth.of(text, limit: width + 1) > width else { return text }
        return String(prefix(of: text, width: width - 1)) + "…"
    }

    /// Text for use in a sentence, shortened in the middle to `width` terminal cells, so that its start and its end stay visible.
    static func shortened(_ text: String, width: Int = 24) -> String {
        guard DisplayWidth.of(text, limit: width + 1) > width else { return text }
        let end = (width - 1) / 3
        return String(prefix(of: text, width: width - 1 - end)) + "…" + String(prefix(of: text.reversed(), width: end).reversed())
    }

    /// The first characters that fit in `width` terminal cells.
    private static func prefix(of characters: some Sequence<Character>, width: Int) -> [Character] {
        var used = 0
        return characters.prefix { character in
            used += DisplayWidth.of(String(character))
            return used <= width
        }
    }

    /// A column name, a file name or typed text for use in a sentence: in quotes, cut to `width` terminal cells.
    static func quoted(_ text: String, width: Int = 24) -> String { "“\(name(text, width: width))”" }
}

extension AppState {
    /// Shows a message on the last line until the next key.
    /// - Returns: An empty list of effects, so that a command can return the call.
    @discardableResult
    mutating func show(_ message: Message) -> [AppEffect] {
        self.message = message
        return []
    }
}
