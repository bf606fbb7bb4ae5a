public import DataGridTerminal

/// The name of a command. Each feature declares the IDs of its commands next to their rows in the command table.
public struct CommandID: RawRepresentable, Hashable, Sendable {
    /// The name in camel case, such as `pageUp`. In settings and messages it has hyphens: `page-up`.
    public let rawValue: String

    /// Creates the ID of the command with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    init(_ name: String) { rawValue = name }
}

/// A row of the command table: a command in one context, with its keys and descriptions.
///
/// The key bindings, help, palette, hint line and man page are created from these rows. A command of the grid stores its effect. A command
/// of a panel or a prompt runs in the open ``Overlay``.
public struct Command: KeyCommand {
    /// The function that performs a command of the grid.
    typealias Effect = @MainActor @Sendable (inout AppState, RepeatCount) -> [AppEffect]

    /// A chapter of the help with commands of the grid. Chapters are listed in the order in which the table first mentions them.
    public struct Chapter: Hashable, Sendable {
        /// The heading of the chapter in help.
        public let title: String

        init(_ title: String) { self.title = title }
    }

    /// The command that the keys of this row run.
    public let id: CommandID
    /// The panel, prompt or grid in which the keys of this row apply.
    public let context: KeyContext
    /// The chapter of a grid command in the help; `nil` for other commands, which help lists under the title of their context.
    public let chapter: Chapter?
    /// The title in the palette and hints, two or three words.
    public let title: String
    /// A title of at most eight cells for the list of keys that can complete a binding. The list uses it if ``title`` does not fit; `nil`
    /// to truncate ``title``.
    public let shortTitle: String?
    /// The description in the help, one sentence.
    public let summary: String
    /// Other words that find the command in the palette, separated by spaces.
    public let synonyms: String
    /// The default keys as text in the syntax of `KeyNotation`. Help and hints show the first one.
    public let keys: [String]

    /// The function that performs the command; `nil` for commands that a panel, a prompt or a drag performs.
    let effect: Effect?

    /// The heading above the command in the help: its chapter or, without one, the title of its context.
    public var heading: String { chapter?.title ?? context.title }

    /// Creates a command of the grid.
    init(
        _ id: CommandID, _ chapter: Chapter, _ keys: [String], _ title: String, short: String? = nil, _ summary: String,
        also synonyms: String = "", _ effect: @escaping Effect
    ) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, .grid, chapter, keys, title, summary)
        (shortTitle, self.synonyms, self.effect) = (short, synonyms, effect)
    }

    /// Creates a grid command from a command of the library. Keys, summary and effect default to those of the library's command.
    init(
        _ id: CommandID, _ chapter: Chapter, like model: GridCommand.ID, _ keys: [String]? = nil, short: String? = nil,
        summary: String? = nil, also synonyms: String = "", _ effect: Effect? = nil
    ) {
        let row = GridCommand.named(model)
        self.init(
            id, chapter, keys ?? row.keys, row.title, short: short, summary ?? row.summary, also: synonyms,
            effect ?? { $0.perform(model, times: $1.times) })
    }

    /// Creates a command of a panel, a prompt or a drag. With an effect, it is a command of the grid in a special context, such as picking
    /// rows.
    init(
        _ id: CommandID, in context: KeyContext, _ keys: [String], _ title: String, _ summary: String, _ effect: Effect? = nil
    ) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, context, nil, keys, title, summary)
        (shortTitle, synonyms, self.effect) = (nil, "", effect)
    }

    /// Compares all properties except the effects, because functions cannot be compared.
    public static func == (one: Command, other: Command) -> Bool {
        one.id == other.id && one.context == other.context && one.chapter == other.chapter && one.title == other.title
            && one.shortTitle == other.shortTitle && one.summary == other.summary && one.synonyms == other.synonyms
            && one.keys == other.keys
    }
}

/// The number that the user typed before the keys of a command, such as 12 in `12G`.
struct RepeatCount: Sendable {
    /// The typed number; `nil` if none was typed.
    let typedNumber: Int?

    /// How often to repeat the command: the typed number, or 1 without a number.
    var times: Int { max(1, typedNumber ?? 1) }
}
