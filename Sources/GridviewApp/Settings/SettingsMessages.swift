import FieldValues

extension Message {
    /// Errors in the settings file.
    static func settingsIgnored(_ problems: [SettingsProblem]) -> Message? {
        guard let first = problems.first else { return nil }
        let rest = problems.count - 1
        let more = rest == 0 ? "" : " \(rest) more \(rest == 1 ? "error" : "errors") in the file."
        return Message(.settingsIgnored, first.shortText + more, isError: true)
    }

    static func settingsKept(_ names: [String], in file: String) -> Message {
        Message(.settingsKept, "Saved in \(file): \(names.joined(separator: ", ")).", short: "Settings saved.")
    }

    /// - Parameter reason: the reason and the remedy.
    static func settingsNotKept(_ reason: String) -> Message { Message(.settingsNotKept, reason, isError: true) }

    static let settingsOff = Message(
        .settingsNotKept, "Settings are off, because gridview was started without a settings file.", short: "Settings are off.",
        isError: true)

    static let nothingToKeep = Message(.nothingToKeep, "No setting has changed.", short: "Nothing changed.")
}
