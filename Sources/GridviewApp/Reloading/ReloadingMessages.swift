import DataGridTerminal

extension Message {
    static func fileGrown(reloadKey: String) -> Message {
        Message(.fileGrown, "New rows: \(reloadKey) loads them.", short: "\(reloadKey) loads new rows.")
    }

    /// - Parameter size: the size that the truncated file still has, in bytes.
    static func fileTruncated(_ name: String, size: Int, reloadKey: String) -> Message {
        Message(
            .fileTruncated, "“\(name)” was truncated to \(ValueText.count(size)) bytes. \(reloadKey) reloads it.",
            short: "Truncated. \(reloadKey) reloads.", isError: true)
    }

    static func fileRewritten(_ name: String, reloadKey: String) -> Message {
        Message(
            .fileRewritten, "“\(name)” was rewritten. \(reloadKey) reloads it.", short: "Rewritten. \(reloadKey) reloads.", isError: true)
    }

    /// - Parameter isAwaited: true if the program will read a new file of this name as soon as it exists.
    static func fileDeleted(_ name: String, isAwaited: Bool = false) -> Message {
        let rows = isAwaited ? "Its rows stay until a new file replaces it." : "Its rows stay readable until you quit."
        return Message(.fileDeleted, "“\(name)” was deleted. \(rows)", short: "File deleted.", isError: true)
    }

    static func reloaded(_ name: String) -> Message { Message(.reloaded, "“\(name)” reloaded.", short: "Reloaded.") }

    /// The file has lost or changed rows, and was reloaded automatically.
    /// - Parameter change: the change in one word, such as “truncated”.
    static func changeReloaded(_ name: String, _ change: String) -> Message {
        Message(.changeReloaded, "“\(name)” was \(change). It has been reloaded.", short: "Reloaded.")
    }

    static func following(stopKey: String) -> Message {
        Message(.following, "Following the file: the last row stays in view. \(stopKey) stops.", short: "\(stopKey) stops.")
    }

    static func followingOff(followKey: String) -> Message {
        Message(.followingOff, "No longer following the file. \(followKey) follows it again.", short: "Following off.")
    }

    static let cannotFollow = Message(
        .cannotFollow, "Cannot follow: only files and open pipes can be followed.", short: "Cannot follow.")

    static func fileUnchanged(_ name: String) -> Message { Message(.fileUnchanged, "“\(name)” has not changed.", short: "Unchanged.") }

    /// A sentence for the message about a reload that has cleared the selection.
    static let selectionNotKept = " Selection cleared: its rows may have changed."

    static func cannotReload(_ name: String) -> Message {
        Message(.cannotReload, "Cannot reload “\(name)”: it is not a file.", short: "Cannot reload.")
    }

    /// A column by which the rows were sorted or grouped no longer exists in the reloaded file.
    static func columnMissing(_ column: String, of name: String) -> Message {
        Message(.columnMissing, "“\(name)” reloaded. Column “\(column)” no longer exists.", short: "Column missing.")
    }

    static func rowsAdded(_ count: Int) -> Message {
        Message(.rowsAdded, "\(ValueText.count(count)) new \(count == 1 ? "row" : "rows").")
    }

    static let noNewRows = Message(.noNewRows, "No new rows; the last row may have changed.", short: "No new rows.")

    /// Columns were added that only later rows have: longer rows, records with more keys, or the rows of another file.
    static func columnsAdded(_ count: Int, first name: String) -> Message {
        let text =
            count == 1
            ? "New column “\(name)”: only later rows have it." : "\(ValueText.count(count)) new columns: only later rows have them."
        return Message(.columnsAdded, text, short: "New columns.")
    }

    /// - Parameter otherCount: the number of other files that cannot be opened.
    static func openingFailed(_ reason: String, otherCount: Int = 0) -> Message {
        let others = otherCount == 1 ? "1 more file" : "\(ValueText.count(otherCount)) more files"
        return Message(.openingFailed, otherCount == 0 ? reason : "\(reason) \(others) cannot be opened.", isError: true)
    }
}
