/// A context in which keys apply. A feature with a panel declares the contexts of the panel, next to the rows of its commands.
public struct KeyContext: Hashable, Sendable, CustomStringConvertible {
    /// The name in messages.
    public let description: String
    /// The help heading for the keys of this context.
    public let title: String

    init(_ name: String, title: String) { (description, self.title) = (name, title) }

    /// The context of the table, without an open panel or prompt.
    static let grid = Self("grid", title: "Table")
}

extension AppState {
    /// The contexts of the next key, innermost first.
    var contexts: [KeyContext] { overlay?.contexts ?? gridContexts }
}
