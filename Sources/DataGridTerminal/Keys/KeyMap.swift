public import TerminalSurface

/// Which keys run which command in which context. An immutable value, made from a table of commands and changes to it.
///
/// Inlinable, as code that stays generic takes several times as long, and hints ask for many keys for every frame.
public struct KeyMap<Command: KeyCommand>: Equatable, Sendable {
    /// A change to the keys of the table, such as settings ask for.
    public struct Override: Equatable, Sendable {
        /// Where the keys apply.
        public var context: Command.Context
        /// The keys in ``KeyNotation``.
        public var keys: String
        /// The command they run; `nil`: none.
        public var command: Command.ID?

        /// Binds `keys` to a command in place of what the table says, or to none.
        public init(_ context: Command.Context, _ keys: String, _ command: Command.ID?) {
            (self.context, self.keys, self.command) = (context, keys, command)
        }
    }

    /// The keys of a command, as presses and for people.
    public struct Binding: Equatable, Sendable {
        /// The keys, pressed one after the other.
        public let keys: [KeyPress]
        /// The keys as people read them: `Ctrl-d`.
        public let label: String

        @inlinable init(_ keys: [KeyPress]) { (self.keys, label) = (keys, KeyNotation.label(keys)) }
    }

    /// What pressed keys lead to.
    public enum Resolution: Equatable, Sendable {
        /// A command.
        case command(Command.ID)
        /// More keys are to come.
        case prefix
        /// Nothing.
        case none
    }

    /// The rows of the table, in its order.
    public let commands: [Command]
    @usableFromInline var contexts: [Command.Context: ContextMap] = [:]

    /// The bindings of one context.
    @usableFromInline struct ContextMap: Equatable, Sendable {
        @usableFromInline var commands: [[KeyPress]: Command.ID] = [:]
        /// Beginnings of longer bindings, each with one of these.
        @usableFromInline var prefixes: [[KeyPress]: [KeyPress]] = [:]
        @usableFromInline var bindings: [Command.ID: [Binding]] = [:]
        /// The places of rows in the table.
        @usableFromInline var rows: [Command.ID: Int] = [:]
        /// The keys as they were written, for messages.
        @usableFromInline var texts: [[KeyPress]: String] = [:]

        @inlinable init() {}

        /// Adds a binding. Changed in place: a copy for each key would be most of the work at the program's start.
        @inlinable
        mutating func bind(_ keys: [KeyPress], written text: String, in context: Command.Context, to id: Command.ID) throws(KeyConflict) {
            if let other = commands[keys] {
                if other == id { return }
                throw .same(keys: text, context: context.rawValue, commands: [other.rawValue, id.rawValue])
            }
            func conflict(_ short: [KeyPress], _ long: [KeyPress]) -> KeyConflict {
                func name(_ keys: [KeyPress]) -> String { (commands[keys] ?? id).rawValue }
                return .beginning(
                    keys: texts[short] ?? text, ofKeys: texts[long] ?? text, context: context.rawValue, commands: [name(short), name(long)])
            }
            if let longer = prefixes[keys] { throw conflict(keys, longer) }
            for length in 1..<max(1, keys.count) {
                let beginning = Array(keys.prefix(length))
                if commands[beginning] != nil { throw conflict(beginning, keys) }
                prefixes[beginning] = keys
            }
            commands[keys] = id
            texts[keys] = text
            bindings[id, default: []].append(Binding(keys))
        }
    }

    /// A map without a key.
    @inlinable public init() { commands = [] }

    /// Binds the keys of `commands`, but for those that `overrides` bind otherwise.
    /// - Throws: ``KeyConflict`` when keys of two commands exclude each other in a context, or are no keys.
    @inlinable public init(_ commands: [Command], overrides: [Override] = []) throws(KeyConflict) {
        self.commands = commands
        for (row, command) in commands.enumerated().reversed() { contexts[command.context, default: ContextMap()].rows[command.id] = row }
        var overridden: [Command.Context: Set<[KeyPress]>] = [:]
        for change in overrides {
            let keys = try Self.keys(change.keys, change.context, change.command)
            overridden[change.context, default: []].insert(keys)
        }
        // A key that was asked for is the first of its command.
        for change in overrides {
            guard let id = change.command else { continue }
            guard contexts[change.context]?.rows[id] != nil else {
                throw .unknownCommand(keys: change.keys, context: change.context.rawValue, command: id.rawValue)
            }
            try contexts[change.context, default: ContextMap()].bind(
                Self.keys(change.keys, change.context, id), written: change.keys, in: change.context, to: id)
        }
        for command in commands {
            for text in command.keys {
                let keys = try Self.keys(text, command.context, command.id)
                guard overridden[command.context]?.contains(keys) != true else { continue }
                try contexts[command.context, default: ContextMap()].bind(keys, written: text, in: command.context, to: command.id)
            }
        }
    }

    @inlinable static func keys(_ text: String, _ context: Command.Context, _ id: Command.ID?) throws(KeyConflict) -> [KeyPress] {
        guard let keys = KeyNotation.sequence(text) else {
            throw .unknownKey(keys: text, context: context.rawValue, command: id?.rawValue ?? "none")
        }
        return keys
    }

    /// What pressing `keys` one after the other leads to. O(contexts · keys).
    /// - Parameters:
    ///   - keys: the keys.
    ///   - places: the contexts in which the keys apply, the innermost first: it has the first say.
    @inlinable public func resolve(_ keys: [KeyPress], in places: [Command.Context]) -> Resolution {
        for place in places {
            guard let map = contexts[place] else { continue }
            if let id = map.commands[keys] { return .command(id) }
            if map.prefixes[keys] != nil { return .prefix }
        }
        return .none
    }

    /// The keys of a command in a context, the one to be shown first.
    @inlinable public func bindings(of id: Command.ID, in context: Command.Context) -> [Binding] { contexts[context]?.bindings[id] ?? [] }

    /// The first key of a command as people read it, in the innermost of these contexts in which it has one; `nil` when it has none.
    @inlinable public func label(of id: Command.ID, in places: [Command.Context]) -> String? {
        for place in places { if let binding = contexts[place]?.bindings[id]?.first { return binding.label } }
        return nil
    }

    /// The row of a command in the innermost of these contexts that has one.
    @inlinable public func command(_ id: Command.ID, in places: [Command.Context]) -> Command? {
        for place in places { if let row = contexts[place]?.rows[id] { return commands[row] } }
        return nil
    }

    /// The commands whose keys begin with `prefix`, with the keys that remain, in the order of the table.
    public func continuations(of prefix: [KeyPress], in places: [Command.Context]) -> [(keys: [KeyPress], command: Command)] {
        commands.filter { places.contains($0.context) }.flatMap { command in
            bindings(of: command.id, in: command.context).map(\.keys).filter { $0.count > prefix.count && $0.starts(with: prefix) }
                .map { (keys: Array($0.dropFirst(prefix.count)), command: command) }
        }
    }
}
