extension Message {
    static let noColumns = Message(.noColumns, "No columns.")

    /// - Parameter hasBars: true if the panel has a histogram, not only a list of frequent values.
    static func chooseBar(selectionKeys: String, hasBars: Bool) -> Message {
        Message(
            .chooseBar, "Choose a \(hasBars ? "bar or a " : "")frequent value with \(selectionKeys) first.",
            short: "Choose: \(selectionKeys).")
    }

    static let emptyBar = Message(.emptyBar, "This bar has no rows.", short: "Empty bar.")
}
