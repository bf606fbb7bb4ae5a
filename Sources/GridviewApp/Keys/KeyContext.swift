/// A context in which keys apply. A feature with a panel declares its own, beside the rows of its commands.
public struct KeyContext: RawRepresentable, Hashable, Sendable {
    /// The name in settings and messages.
    public let rawValue: String
    /// The help heading for the keys of this context.
    public let title: String

    /// Creates the context with this name; `nil` if no command has it.
    public init?(rawValue: String) {
        guard let command = Command.table.first(where: { $0.context.rawValue == rawValue }) else { return nil }
        self = command.context
    }

    init(_ name: String, title: String) { (rawValue, self.title) = (name, title) }

    /// The table.
    static let grid = Self("grid", title: "Table")
}

extension AppState {
    /// The contexts of the next key, innermost first.
    var contexts: [KeyContext] { overlay?.contexts ?? [.grid] }
}
