public import TerminalSurface

/// Which keys run which command.
public struct KeyMap: Sendable {
    private let bindings: [[KeyPress]: CommandID]
    /// Beginnings of longer bindings.
    private let prefixes: Set<[KeyPress]>

    /// The bindings of the command table.
    public static let standard = KeyMap(Command.table)

    /// Binds the keys of `commands`. A key that two of them ask for is a mistake in the table and stops the program.
    public init(_ commands: [Command]) {
        var bindings: [[KeyPress]: CommandID] = [:]
        var prefixes: Set<[KeyPress]> = []
        for command in commands {
            for text in command.keys {
                let keys = KeyNotation.sequence(text)
                precondition(bindings[keys] == nil, "\(text) is bound to \(bindings[keys]!) and to \(command.id)")
                bindings[keys] = command.id
                for length in 1..<max(1, keys.count) { prefixes.insert(Array(keys.prefix(length))) }
            }
        }
        self.bindings = bindings
        self.prefixes = prefixes
    }

    /// What keys lead to.
    public enum Resolution: Equatable, Sendable {
        case command(CommandID)
        /// More keys are to come.
        case prefix
        case none
    }

    /// What pressing `keys` one after the other leads to. O(keys).
    public func resolve(_ keys: [KeyPress]) -> Resolution {
        if let id = bindings[keys] { return .command(id) }
        return prefixes.contains(keys) ? .prefix : .none
    }

    /// The commands whose keys begin with `prefix`, with the keys that remain, in the order of the table.
    public func continuations(of prefix: [KeyPress]) -> [(keys: [KeyPress], command: CommandID)] {
        Command.table.flatMap { command in
            command.keys.map(KeyNotation.sequence).filter { $0.count > prefix.count && $0.starts(with: prefix) }
                .map { (keys: Array($0.dropFirst(prefix.count)), command: command.id) }
        }
    }
}

/// Keys that have been pressed but have not led to a command yet: a number, and the beginning of a binding.
public struct PendingKeys: Equatable, Sendable {
    /// The number typed so far, as in `12G`; `nil`: none.
    public var count: Int?
    /// The keys of a binding that is not complete yet; empty or a prefix of a binding.
    public var keys: [KeyPress] = []

    /// Nothing pressed.
    public init() {}

    /// Whether neither a number nor a binding has been begun.
    public var isEmpty: Bool { count == nil && keys.isEmpty }

    /// How they are shown: `12 z`.
    public var label: String { (count.map(String.init) ?? "") + KeyNotation.label(keys) }
}
