import DataGridTerminal
import Tables

extension AppState {
    /// Remembers that the file has changed on the disk. Marks the title line until a reload, and shows a message once.
    ///
    /// The message about added rows does not replace another message. If changes are read automatically, the message comes after the read.
    mutating func recordFileChange(_ change: FileChange) {
        let (isNew, shown) = (change.titleWord != sheet.fileChange.titleWord, changeMessage)
        sheet.fileChange = change
        let current = sheet.readsChanges && change != .deleted ? nil : changeMessage
        // While the message is shown, update it, because a file that is being written changes repeatedly.
        if shown != nil, message == shown { message = current }
        guard isNew, let news = current, news.isError || message == nil else { return }
        message = news
    }

    /// The message about the change of the file, with the key that reloads it; `nil` if the file is unchanged.
    var changeMessage: Message? {
        let name = Message.name(document.name)
        switch sheet.fileChange {
        case .unchanged: return nil
        case .grown: return .fileGrown(reloadKey: key(.reload))
        case .truncated(let size): return .fileTruncated(name, size: size, reloadKey: key(.reload))
        case .replaced: return .fileRewritten(name, reloadKey: key(.reload))
        case .deleted: return .fileDeleted(name, isAwaited: sheet.readsChanges)
        }
    }

    /// A mark for the title line, in long and short form. `nil` if the file is unchanged, or if its new rows are read automatically.
    var changeMark: (long: String, short: String)? {
        if case .grown = sheet.fileChange, sheet.readsChanges { return nil }
        guard let titleWord = sheet.fileChange.titleWord else { return nil }
        return switch sheet.fileChange {
        case .deleted: ("file \(titleWord)", titleWord)
        case .grown: ("\(titleWord): \(key(.reload)) loads them", titleWord)
        default: ("file \(titleWord): \(key(.reload)) reloads", titleWord)
        }
    }

    /// Sentences that explain the change on the page with details of the file.
    var changeExplanation: [String] {
        let reload = "Press \(keyMap.label(of: .close, in: [.page, .panel]) ?? key(.close)), then \(key(.reload)), to"
        return switch sheet.fileChange {
        case .unchanged: []
        case .grown(let size):
            [
                "The file has grown to \(ValueText.count(size)) bytes.",
                "\(reload) load the new rows. The view does not change.",
            ]
        case .truncated(let size):
            [
                "The file was truncated to \(ValueText.count(size)) bytes. Rows beyond that can no longer be read.",
                "\(reload) reload it.",
            ]
        case .replaced:
            [
                "The file was rewritten or replaced. Rows on the screen may be out of date.",
                "\(reload) reload it.",
            ]
        case .deleted: ["The file was deleted. Its rows stay readable until you quit; they cannot be reloaded."]
        }
    }
}

extension FileChange {
    /// True if the change may have altered or removed visible rows.
    var losesRows: Bool {
        switch self {
        case .unchanged, .grown: false
        case .truncated, .replaced, .deleted: true
        }
    }

    /// The change in one word for messages, such as “truncated”; `nil` if the file is unchanged.
    var titleWord: String? {
        switch self {
        case .unchanged: nil
        case .grown: "new rows"
        case .truncated: "truncated"
        case .replaced: "rewritten"
        case .deleted: "deleted"
        }
    }
}
