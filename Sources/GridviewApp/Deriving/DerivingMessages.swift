extension Message {
    static func columnAdded(_ name: String, _ formula: String) -> Message {
        Message(.columnAdded, "Column added: “\(name) = \(formula)”.", short: "Column added.")
    }

    static func formulaInvalid(_ reason: String) -> Message { Message(.formulaInvalid, reason, isError: true) }

    /// One column is added at a time.
    static let addingColumn = Message(
        .addingColumn, "Still adding another column. Try again when it is done.", short: "Adding a column.", isError: true)
}
