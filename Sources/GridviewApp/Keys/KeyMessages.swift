extension Message {
    /// No command is bound to the keys pressed.
    static func noCommand(on keys: String, help: String) -> Message {
        Message(.noCommand, "“\(keys)” is not bound. Press \(help) for all keys.", short: "Unbound: \(keys).")
    }

    /// The user pressed a key of another program. In gridview, `key` does the same task.
    /// - Parameter task: a verb phrase without “to”, such as “go to a row”.
    static func familiarKey(_ task: String, key: String) -> Message {
        Message(.familiarKey, "To \(task), press \(key).", short: "Press \(key).")
    }

    /// The user pressed a key that changes the file in other programs.
    static func filesUnchanged(copy: String, export: String) -> Message {
        Message(
            .filesUnchanged, "gridview does not change files. \(copy) copies, and \(export) exports the view.",
            short: "Cannot edit.")
    }

    /// The user pressed keys that change an option in less.
    static func noOptionsPrompt(wrap: String, commands: String) -> Message {
        Message(
            .noOptionsPrompt, "gridview has no options prompt. \(wrap) wraps long text, and \(commands) lists all commands.",
            short: "\(commands) lists commands.")
    }

    /// The user pressed a key that opens a file or adds a row in other programs.
    static func filesOpenAtStart(files: String) -> Message {
        Message(
            .filesOpenAtStart, "gridview opens files only at startup, and cannot add rows. \(files) lists the open files.",
            short: "\(files) lists files.")
    }

    /// The user pasted text while no prompt was open.
    static func pasteUnsupported(search: String) -> Message {
        Message(
            .pasteUnsupported, "Cannot paste here. To search for the text, press \(search) first.", short: "Paste after \(search).")
    }

    /// The row view is open, and the user pressed a key that works only in the table.
    static func notInRowView(back: String, key: String) -> Message {
        Message(.notInRowView, "Not available here. Press \(back), then \(key).", short: "\(back), then \(key).")
    }
}
