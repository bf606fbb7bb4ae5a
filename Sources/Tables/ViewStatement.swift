/// A statement that a server runs for the rows on the screen.
public struct ViewStatement: Equatable, Sendable {
    /// The heading, which names what the statement fetches, such as "Rows".
    public var title: String
    /// The statement with all of its values, so that it can be run with the server's own tools.
    public var text: String
    /// The lines of the server's query plan; empty if the plan was not requested, or if the server cannot explain statements.
    public var plan: [String]

    /// Creates a statement.
    public init(_ title: String, _ text: String, plan: [String] = []) { (self.title, self.text, self.plan) = (title, text, plan) }
}
