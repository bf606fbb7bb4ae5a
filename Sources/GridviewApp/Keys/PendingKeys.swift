import DataGridTerminal
public import TerminalSurface

/// Keys that do not form a command yet: a number and the start of a binding.
public struct PendingKeys: Equatable, Sendable {
    /// The number typed so far, as in `12G`; `nil` for none.
    public var count: Int?
    /// The start of a binding.
    var sequence = KeySequence()
    /// The keys of an incomplete binding; empty or a prefix of a binding.
    public var keys: [KeyPress] { sequence.keys }

    /// Creates a value without keys.
    public init() {}

    /// True if there is no number and no incomplete binding.
    public var isEmpty: Bool { count == nil && keys.isEmpty }

    /// The keys as displayed: `12 z`.
    public var label: String { (count.map(String.init) ?? "") + KeyNotation.label(keys) }
}
