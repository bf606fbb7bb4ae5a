import DataGridTerminal
public import TerminalSurface

/// Keys that do not form a command yet: a number and the start of a binding.
public struct PendingKeys: Equatable, Sendable {
    /// The number typed before a command, such as 12 in `12G`; `nil` for none.
    public var count: Int?
    /// Collects ``keys``, and looks them up in the key bindings.
    var sequence = KeySequence()
    /// The keys pressed so far of an incomplete binding; empty if no binding was started.
    public var keys: [KeyPress] { sequence.keys }

    /// Creates a value without a number and keys.
    public init() {}

    /// True if there is no number and no incomplete binding.
    public var isEmpty: Bool { count == nil && keys.isEmpty }

    /// The keys as displayed: `12 z`.
    public var label: String { (count.map(String.init) ?? "") + KeyNotation.label(keys) }
}
