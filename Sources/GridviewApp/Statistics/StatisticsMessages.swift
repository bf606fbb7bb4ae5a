extension Message {
    static let noColumns = Message(.noColumns, "No columns.")

    static func chooseBar(keys: String) -> Message {
        Message(.chooseBar, "Choose a bar or a frequent value with \(keys) first.", short: "Choose: \(keys).")
    }

    static let emptyBar = Message(.emptyBar, "This bar has no rows.", short: "Empty bar.")
}
