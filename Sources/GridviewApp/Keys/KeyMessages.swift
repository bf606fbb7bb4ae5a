extension Message {
    /// No command is bound to the keys pressed.
    static func noCommand(on keys: String, helpKey: String) -> Message {
        Message(.noCommand, "“\(keys)” is not bound. Press \(helpKey) for all keys.", short: "Unbound: \(keys).")
    }

    /// The user pressed a key of another program. In gridview, `key` does the same task.
    /// - Parameter task: a verb phrase without “to”, such as “go to a row”.
    static func familiarKey(_ task: String, key: String) -> Message {
        Message(.familiarKey, "To \(task), press \(key).", short: "Press \(key).")
    }

    /// The user pressed a key that changes the file in other programs.
    static func filesUnchanged(copyKey: String, exportKey: String) -> Message {
        Message(
            .filesUnchanged, "gridview does not change files. \(copyKey) copies, and \(exportKey) exports the view.",
            short: "Cannot edit.")
    }

    /// The user pressed keys that change an option in less.
    static func noOptionsPrompt(wrapKey: String, commandsKey: String) -> Message {
        Message(
            .noOptionsPrompt, "gridview has no options prompt. \(wrapKey) wraps long text, and \(commandsKey) lists all commands.",
            short: "\(commandsKey) lists commands.")
    }

    /// The user pressed a key that opens a file or adds a row in other programs.
    static func filesOpenAtStart(filesKey: String) -> Message {
        Message(
            .filesOpenAtStart, "gridview opens files only at startup, and cannot add rows. \(filesKey) lists the open files.",
            short: "\(filesKey) lists files.")
    }

    /// The user pasted text while no prompt was open.
    static func pasteUnsupported(searchKey: String) -> Message {
        Message(
            .pasteUnsupported, "Cannot paste here. To search for the text, press \(searchKey) first.", short: "Paste after \(searchKey).")
    }

    /// The row view is open, and the user pressed a key that works only in the table.
    static func notInRowView(backKey: String, key: String) -> Message {
        Message(.notInRowView, "Not available here. Press \(backKey), then \(key).", short: "\(backKey), then \(key).")
    }
}
