/// A part of the program in which keys have their own meaning, such as the table or a panel. A feature declares the contexts of its panels
/// next to the rows of its commands.
public struct KeyContext: Hashable, Sendable, CustomStringConvertible {
    /// The name of the context in messages and in the settings file.
    public let description: String
    /// The heading in the help above the keys of this context.
    public let title: String

    init(_ name: String, title: String) { (description, self.title) = (name, title) }

    /// The context of the table, without an open panel or prompt.
    static let grid = Self("grid", title: "Table")
}

extension AppState {
    /// The contexts in which the next key is looked up, innermost first.
    var contexts: [KeyContext] { overlay?.contexts ?? gridContexts }
}
