public import TerminalSurface

/// The key bindings of commands by context. It is an immutable value, created from a command table and overrides.
///
/// Inlinable: unspecialized generic code takes several times as long, and hints look up many keys for each frame.
public struct KeyMap<Command: KeyCommand>: Equatable, Sendable {
    /// A change of the default keys, such as one from the settings of the user.
    public struct Override: Equatable, Sendable {
        /// The context in which the keys apply.
        public var context: Command.Context
        /// The keys in ``KeyNotation``.
        public var keys: String
        /// The command to run; `nil` to unbind the keys.
        public var command: Command.ID?

        /// Binds `keys` to a command instead of the command in the table, or unbinds them.
        public init(_ context: Command.Context, _ keys: String, _ command: Command.ID?) {
            (self.context, self.keys, self.command) = (context, keys, command)
        }
    }

    /// The keys of a command in a context.
    public struct Binding: Equatable, Sendable {
        @usableFromInline let context: Command.Context
        @usableFromInline let command: Command.ID
        /// The keys, pressed in order.
        public let keys: [KeyPress]
        @usableFromInline let firstKey: KeyPress
        /// The keys as they were written, for messages.
        @usableFromInline let text: String

        /// The keys as displayed: `Ctrl-d`.
        public var label: String { KeyNotation.label(keys) }

        @inlinable init(_ context: Command.Context, _ command: Command.ID, _ keys: [KeyPress], _ text: String) {
            (self.context, self.command, self.keys, self.firstKey, self.text) = (context, command, keys, keys[0], text)
        }
    }

    /// The result of looking up keys.
    public typealias Resolution = KeyResolution<Command.ID>

    /// The rows of the table, in its order.
    public let commands: [Command]
    /// The overrides, followed by the bindings of the table. With a few hundred bindings, a linear search is faster than creating a
    /// dictionary at launch.
    @usableFromInline var bindings: [Binding] = []
    /// The command and the context of each of ``bindings``, in the same order. ``commandTargets`` has them for each of ``commands``. Hints
    /// look up many commands in each frame, and these arrays are faster to search, because they are small.
    @usableFromInline var bindingTargets: [ContextualCommand] = []
    @usableFromInline var commandTargets: [ContextualCommand] = []

    /// A command in a context. The command is compared first, because many commands share a context, and few contexts share a command.
    @usableFromInline struct ContextualCommand: Equatable, Sendable {
        @usableFromInline let command: Command.ID
        @usableFromInline let context: Command.Context

        @inlinable init(_ context: Command.Context, _ command: Command.ID) { (self.context, self.command) = (context, command) }
    }

    /// Creates a map without commands and keys.
    @inlinable public init() { commands = [] }

    /// Binds the keys of `commands`, except the keys that `overrides` change. O(keys²).
    /// - Throws: ``KeyConflict`` if keys of two commands conflict in a context, or a key is unknown.
    @inlinable public init(_ commands: [Command], overrides: [Override] = []) throws(KeyConflict) {
        self.commands = commands
        commandTargets = commands.map { ContextualCommand($0.context, $0.id) }
        bindings.reserveCapacity(2 * commands.count)
        bindingTargets.reserveCapacity(2 * commands.count)
        // An override becomes the first key of its command.
        var overridden: [(context: Command.Context, keys: [KeyPress])] = []
        for change in overrides {
            let keys = try Self.keys(change.keys, change.context, change.command)
            overridden.append((change.context, keys))
            guard let id = change.command else { continue }
            guard command(id, in: [change.context]) != nil else {
                throw .unknownCommand(keys: change.keys, context: "\(change.context)", command: id.hyphenated)
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

    @inlinable mutating func bind(_ newBinding: Binding) throws(KeyConflict) {
        // Loop by index: iterating over the bindings would copy each of them.
        for index in bindings.indices
        where bindingTargets[index].context == newBinding.context && bindings[index].firstKey == newBinding.firstKey {
            let old = bindings[index]
            let (short, long) = old.keys.count < newBinding.keys.count ? (old, newBinding) : (newBinding, old)
            guard long.keys.starts(with: short.keys) else { continue }
            if short.keys.count < long.keys.count {
                throw .prefix(
                    keys: short.text, ofKeys: long.text, context: "\(newBinding.context)",
                    commands: [short.command.hyphenated, long.command.hyphenated])
            }
            if old.command == newBinding.command { return }
            throw .duplicate(
                keys: newBinding.text, context: "\(newBinding.context)", commands: [old.command.hyphenated, newBinding.command.hyphenated])
        }
        bindings.append(newBinding)
        bindingTargets.append(ContextualCommand(newBinding.context, newBinding.command))
    }

    @inlinable static func keys(_ text: String, _ context: Command.Context, _ id: Command.ID?) throws(KeyConflict) -> [KeyPress] {
        guard let keys = KeyNotation.sequence(text) else {
            throw .unknownKey(keys: text, context: "\(context)", command: id?.hyphenated ?? "none")
        }
        return keys
    }

    /// Resolves `keys`, pressed in order. O(keys of the map).
    /// - Parameter contexts: the contexts in which the keys apply, innermost first; an inner context takes precedence.
    @inlinable public func resolve(_ keys: [KeyPress], in contexts: [Command.Context]) -> Resolution {
        guard let first = keys.first else { return .none }
        for context in contexts {
            guard let found = bindings.first(where: { $0.firstKey == first && $0.context == context && $0.keys.starts(with: keys) }) else {
                continue
            }
            return found.keys.count == keys.count ? .command(found.command) : .prefix
        }
        return .none
    }

    /// The bindings of a command in a context; the first one is displayed.
    @inlinable public func bindings(of id: Command.ID, in context: Command.Context) -> [Binding] {
        bindings.filter { $0.context == context && $0.command == id }
    }

    /// The label of the first key of a command, in the innermost of these contexts that binds it; `nil` if no context binds it.
    @inlinable public func label(of id: Command.ID, in contexts: [Command.Context]) -> String? {
        for context in contexts {
            if let index = bindingTargets.firstIndex(of: ContextualCommand(context, id)) { return bindings[index].label }
        }
        return nil
    }

    /// The command `id` of the innermost context that has it.
    @inlinable public func command(_ id: Command.ID, in contexts: [Command.Context]) -> Command? {
        for context in contexts {
            if let row = commandTargets.firstIndex(of: ContextualCommand(context, id)) { return commands[row] }
        }
        return nil
    }

    /// The commands whose keys start with `prefix`, with the remaining keys, in table order.
    public func continuations(of prefix: [KeyPress], in contexts: [Command.Context]) -> [(keys: [KeyPress], command: Command)] {
        commands.filter { contexts.contains($0.context) }.flatMap { command in
            bindings(of: command.id, in: command.context).map(\.keys).filter { $0.count > prefix.count && $0.starts(with: prefix) }
                .map { (keys: Array($0.dropFirst(prefix.count)), command: command) }
        }
    }
}
