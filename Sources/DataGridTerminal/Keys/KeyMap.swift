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

    /// The keys of a command in a context, as presses and for people.
    public struct Binding: Equatable, Sendable {
        @usableFromInline let context: Command.Context
        @usableFromInline let command: Command.ID
        /// The keys, pressed one after the other.
        public let keys: [KeyPress]
        @usableFromInline let first: KeyPress
        /// The keys as they were written, for messages.
        @usableFromInline let text: String

        /// The keys as people read them: `Ctrl-d`.
        public var label: String { KeyNotation.label(keys) }

        @inlinable init(_ context: Command.Context, _ command: Command.ID, _ keys: [KeyPress], _ text: String) {
            (self.context, self.command, self.keys, self.first, self.text) = (context, command, keys, keys[0], text)
        }
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
    /// Those that were asked for, then those of the table. They are some hundreds: to look through them takes less than to make a dictionary
    /// when the program starts.
    @usableFromInline var bindings: [Binding] = []
    /// What ``bindings`` and ``commands`` are for. Hints look for many of them in each frame: here they look through few bytes.
    @usableFromInline var bindingPlaces: [Place] = []
    @usableFromInline var commandPlaces: [Place] = []

    /// A command in a context.
    @usableFromInline struct Place: Equatable, Sendable {
        @usableFromInline let context: Command.Context
        @usableFromInline let command: Command.ID

        @inlinable init(_ context: Command.Context, _ command: Command.ID) { (self.context, self.command) = (context, command) }
    }

    /// A map without a key.
    @inlinable public init() { commands = [] }

    /// Binds the keys of `commands`, but for those that `overrides` bind otherwise. O(keys²).
    /// - Throws: ``KeyConflict`` when keys of two commands exclude each other in a context, or are no keys.
    @inlinable public init(_ commands: [Command], overrides: [Override] = []) throws(KeyConflict) {
        self.commands = commands
        commandPlaces = commands.map { Place($0.context, $0.id) }
        // A key that was asked for is the first of its command.
        var overridden: [(context: Command.Context, keys: [KeyPress])] = []
        for change in overrides {
            let keys = try Self.keys(change.keys, change.context, change.command)
            overridden.append((change.context, keys))
            guard let id = change.command else { continue }
            guard command(id, in: [change.context]) != nil else {
                throw .unknownCommand(keys: change.keys, context: change.context.rawValue, command: id.hyphenated)
            }
            try bind(Binding(change.context, id, keys, change.keys))
        }
        for command in commands {
            for text in command.keys {
                let keys = try Self.keys(text, command.context, command.id)
                guard !overridden.contains(where: { $0.context == command.context && $0.keys == keys }) else { continue }
                try bind(Binding(command.context, command.id, keys, text))
            }
        }
    }

    /// Adds a binding.
    @inlinable mutating func bind(_ new: Binding) throws(KeyConflict) {
        // By index: a loop over the bindings themselves would copy each.
        for index in bindings.indices where bindings[index].first == new.first && bindings[index].context == new.context {
            let old = bindings[index]
            let (short, long) = old.keys.count < new.keys.count ? (old, new) : (new, old)
            guard long.keys.starts(with: short.keys) else { continue }
            if short.keys.count < long.keys.count {
                throw .beginning(
                    keys: short.text, ofKeys: long.text, context: new.context.rawValue,
                    commands: [short.command.hyphenated, long.command.hyphenated])
            }
            if old.command == new.command { return }
            throw .same(keys: new.text, context: new.context.rawValue, commands: [old.command.hyphenated, new.command.hyphenated])
        }
        bindings.append(new)
        bindingPlaces.append(Place(new.context, new.command))
    }

    @inlinable static func keys(_ text: String, _ context: Command.Context, _ id: Command.ID?) throws(KeyConflict) -> [KeyPress] {
        guard let keys = KeyNotation.sequence(text) else {
            throw .unknownKey(keys: text, context: context.rawValue, command: id?.hyphenated ?? "none")
        }
        return keys
    }

    /// What pressing `keys` one after the other leads to. O(keys of the map).
    /// - Parameter places: the contexts in which the keys apply, the innermost first: it has the first say.
    @inlinable public func resolve(_ keys: [KeyPress], in places: [Command.Context]) -> Resolution {
        guard let first = keys.first else { return .none }
        for place in places {
            guard let found = bindings.first(where: { $0.first == first && $0.context == place && $0.keys.starts(with: keys) }) else {
                continue
            }
            return found.keys.count == keys.count ? .command(found.command) : .prefix
        }
        return .none
    }

    /// The keys of a command in a context, the one to be shown first.
    @inlinable public func bindings(of id: Command.ID, in context: Command.Context) -> [Binding] {
        bindings.filter { $0.context == context && $0.command == id }
    }

    /// The first key of a command as people read it, in the innermost of these contexts in which it has one; `nil` when it has none.
    @inlinable public func label(of id: Command.ID, in places: [Command.Context]) -> String? {
        for place in places {
            if let index = bindingPlaces.firstIndex(of: Place(place, id)) { return bindings[index].label }
        }
        return nil
    }

    /// The row of a command in the innermost of these contexts that has one.
    @inlinable public func command(_ id: Command.ID, in places: [Command.Context]) -> Command? {
        for place in places {
            if let row = commandPlaces.firstIndex(of: Place(place, id)) { return commands[row] }
        }
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
