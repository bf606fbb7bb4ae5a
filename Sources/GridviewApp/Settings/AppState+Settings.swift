import DataGrid

extension AppState {
    /// Remembers that the user has changed a setting inside the program, so that the save command can write it.
    mutating func recordChange(of name: String, to value: TOMLValue) {
        settingChanges.removeAll { $0.name == name }
        settingChanges.append(SettingChange(name, value))
    }

    /// Shows a message about the errors in the settings file. The page with details of the file lists all of them.
    mutating func showProblems(_ problems: [SettingsProblem]) {
        settingsProblems = problems
        if let message = Message.settingsIgnored(problems, listKey: key(.about)) { show(message) }
    }

    /// The key of the command that saves changed settings or, without a key, its palette entry. Messages show it. `nil` if there is no
    /// settings file.
    var saveHint: String? { settingsPath == nil ? nil : key(.saveSettings) }

    /// Writes the settings that were changed inside the program to the settings file.
    mutating func saveSettings() -> [AppEffect] {
        guard settingsPath != nil else { return show(.settingsOff) }
        return settingChanges.isEmpty ? show(.nothingToSave) : [.saveSettings(settingChanges)]
    }

    mutating func recordSaved(_ changes: [SettingChange]) {
        settingChanges.removeAll { changes.contains($0) }
        show(.settingsSaved(changes.map(\.name), in: settingsPath.map { ExportTarget.name(of: $0) } ?? ""))
    }
}
