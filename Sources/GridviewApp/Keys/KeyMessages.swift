extension Message {
    /// No command is bound to the keys pressed.
    static func noCommand(on keys: String, help: String) -> Message {
        Message(.noCommand, "No command on \(keys). \(help) lists all keys.", short: "No key \(keys).")
    }

    /// Text was pasted where none can be typed.
    static func pasteUnsupported(search: String) -> Message {
        Message(.pasteUnsupported, "Paste is not supported here. Press \(search) first to search.", short: "Paste after \(search).")
    }

    /// A key of the table was pressed in the row view.
    static func notInRowView(back: String, key: String) -> Message {
        Message(.notInRowView, "Not available here. Press \(back), then \(key).", short: "\(back), then \(key).")
    }
}
