import DataGridTerminal
public import TerminalSurface

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
