extension Session {
    /// Shows a message at the start if the settings file has errors.
    func reportSettings() { if !options.settingsProblems.isEmpty { send(.settingsIgnored(options.settingsProblems)) } }

    /// Starts a job that writes changed settings to the settings file.
    func startSaving(_ changes: [SettingChange]) {
        guard let path = options.settingsPath else { return }
        let unfinished = sheet.unfinishedFiles
        startJob(.settings, "saving settings", .rows(changes.count)) { control, outbox in
            do {
                try SettingsFile.save(changes, at: path, unfinished, control)
            } catch let error as RequestError {
                return outbox.send(.show(.settingsNotSaved(error.message)))
            }
            outbox.send(.settingsSaved(changes))
        }
    }
}
