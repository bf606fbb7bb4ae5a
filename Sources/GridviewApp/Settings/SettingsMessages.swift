import FieldValues

extension Message {
    /// The settings file has errors. The message has the first error and the number of other errors.
    /// - Parameter listKey: the key that lists all errors.
    static func settingsIgnored(_ problems: [SettingsProblem], listKey: String) -> Message? {
        guard let first = problems.first else { return nil }
        var message = Message(.settingsIgnored, first.shortText, isError: true)
        if problems.count > 1 { message.ending = " · \(problems.count - 1) more: \(listKey)" }
        return message
    }

    static func settingsSaved(_ names: [String], in file: String) -> Message {
        Message(.settingsSaved, "Saved in \(file): \(names.joined(separator: ", ")).", short: "Settings saved.")
    }

    /// - Parameter reason: the reason and the remedy, as sentences.
    static func settingsNotSaved(_ reason: String) -> Message { Message(.settingsNotSaved, reason, isError: true) }

    static let settingsOff = Message(
        .settingsNotSaved, "Cannot save settings: gridview was started without a settings file.", short: "Settings are off.",
        isError: true)

    static let nothingToSave = Message(.nothingToSave, "No setting has changed.", short: "Nothing changed.")
}
