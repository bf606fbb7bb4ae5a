public import DataGridTerminal

/// The identifier of a command. Each feature declares the IDs of its commands, next to their rows in the command table.
public struct CommandID: RawRepresentable, Hashable, Sendable {
    /// The name, which settings and messages write with hyphens: `page-up` for `pageUp`.
    public let rawValue: String

    /// Creates the ID of the command with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the ID of the command with this name.
    init(_ name: String) { rawValue = name }
}

/// A row of the command table: one command in one context. The key map, help, palette, hint line and man page are created from these rows.
///
/// A command of the grid stores its effect. A command of a panel or a prompt runs in the open ``Overlay``.
public struct Command: KeyCommand {
    /// The effect of a command of the grid.
    typealias Effect = @MainActor @Sendable (inout AppState, RepeatCount) -> [AppEffect]

    /// A help chapter of grid commands. Chapters have the order of their first rows in the table.
    public struct Chapter: Hashable, Sendable {
        /// The heading of the chapter in help.
        public let title: String

        init(_ title: String) { self.title = title }
    }

    /// The command that the keys run.
    public let id: CommandID
    /// The context in which the keys apply.
    public let context: KeyContext
    /// The help chapter of a grid command; `nil` in other contexts, which have a chapter each.
    public let chapter: Chapter?
    /// The title in the palette and hints, two or three words.
    public let title: String
    /// The title in the list of pending keys on a narrow screen, at most eight cells wide; `nil` to truncate ``title``.
    public let shortTitle: String?
    /// The description, one sentence.
    public let summary: String
    /// Other words by which the palette finds the command.
    public let synonyms: String
    /// The default keys in `KeyNotation`; the first one is displayed.
    public let keys: [String]

    /// The effect; `nil` for commands of panels, prompts and drags.
    let effect: Effect?

    /// The help heading.
    public var heading: String { chapter?.title ?? context.title }

    /// Creates a command of the grid.
    init(
        _ id: CommandID, _ chapter: Chapter, _ keys: [String], _ title: String, short: String? = nil, _ summary: String,
        also synonyms: String = "", _ effect: @escaping Effect
    ) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, .grid, chapter, keys, title, summary)
        (shortTitle, self.synonyms, self.effect) = (short, synonyms, effect)
    }

    /// Creates a grid command from a command of the library. Omitted arguments default to the keys, the summary and the action of that
    /// command.
    init(
        _ id: CommandID, _ chapter: Chapter, like model: GridCommand.ID, _ keys: [String]? = nil, short: String? = nil,
        summary: String? = nil, also synonyms: String = "", _ effect: Effect? = nil
    ) {
        let row = GridCommand.named(model)
        self.init(
            id, chapter, keys ?? row.keys, row.title, short: short, summary ?? row.summary, also: synonyms,
            effect ?? { $0.perform(model, times: $1.times) })
    }

    /// Creates a command of a panel, a prompt or a drag. With an effect, creates a command of the grid in a special context.
    init(
        _ id: CommandID, in context: KeyContext, _ keys: [String], _ title: String, _ summary: String, _ effect: Effect? = nil
    ) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, context, nil, keys, title, summary)
        (shortTitle, synonyms, self.effect) = (nil, "", effect)
    }

    /// Compares everything except the effects.
    public static func == (one: Command, other: Command) -> Bool {
        one.id == other.id && one.context == other.context && one.chapter == other.chapter && one.title == other.title
            && one.shortTitle == other.shortTitle && one.summary == other.summary && one.synonyms == other.synonyms
            && one.keys == other.keys
    }
}

/// The number typed before the keys of a command, as in `12G`.
struct RepeatCount: Sendable {
    /// The number; `nil` without one.
    let typed: Int?

    /// The number of repetitions; 1 without a number.
    var times: Int { max(1, typed ?? 1) }
}
