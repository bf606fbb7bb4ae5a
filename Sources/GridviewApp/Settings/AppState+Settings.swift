import DataGrid

extension AppState {
    /// Records a change of a setting, so that it can be saved.
    mutating func recordChange(of name: String, to value: TOMLValue) {
        settingChanges.removeAll { $0.name == name }
        settingChanges.append(SettingChange(name, value))
    }

    /// Shows the errors of the settings file. The page about the file lists them.
    mutating func showProblems(_ problems: [SettingsProblem]) {
        settingsProblems = problems
        if let message = Message.settingsIgnored(problems, list: key(.about)) { show(message) }
    }

    /// The palette entry that saves changed settings; `nil` if they cannot be saved.
    var saveHint: String? { settingsPath == nil ? nil : key(.saveSettings) }

    /// Writes the changed settings into the settings file.
    mutating func saveSettings() -> [AppEffect] {
        guard settingsPath != nil else { return show(.settingsOff) }
        return settingChanges.isEmpty ? show(.nothingToSave) : [.saveSettings(settingChanges)]
    }

    mutating func recordSaved(_ changes: [SettingChange]) {
        settingChanges.removeAll { changes.contains($0) }
        show(.settingsSaved(changes.map(\.name), in: settingsPath.map { ExportTarget.name(of: $0) } ?? ""))
    }
}
