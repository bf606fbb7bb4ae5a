public import TerminalSurface

/// The result of looking up keys, pressed in order.
public enum KeyResolution<Command> {
    /// The keys are bound to this command.
    case command(Command)
    /// The keys are the start of a longer binding.
    case prefix
    /// The keys are not bound.
    case none
}

extension KeyResolution: Equatable where Command: Equatable {}
extension KeyResolution: Sendable where Command: Sendable {}

/// The keys of an incomplete binding, such as `z` before `zf`.
public struct KeySequence: Equatable, Sendable {
    /// The keys, pressed in order; empty or a prefix of a binding.
    public private(set) var keys: [KeyPress] = []

    /// Creates an empty sequence.
    public init() {}

    /// Adds a key, and looks up all keys. The sequence keeps them only if they are a prefix of a binding.
    /// - Parameters:
    ///   - restarts: true to look up an unbound key again without the keys before it.
    ///   - resolve: looks up keys, such as in a ``KeyMap``.
    public mutating func append<Command>(
        _ press: KeyPress, restarts: Bool = false, resolve: (_ keys: [KeyPress]) -> KeyResolution<Command>
    ) -> KeyResolution<Command> {
        let begun = keys
        keys.append(press)
        let resolution = resolve(keys)
        if case .prefix = resolution { return resolution }
        keys = []
        if case .none = resolution, restarts, !begun.isEmpty { return append(press, resolve: resolve) }
        return resolution
    }
}
