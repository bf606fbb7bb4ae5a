import DataGridTerminal

extension Settings {
    /// The text of a settings file with all settings as comments, each with its default and its description.
    public static var commentedDefaults: String {
        var text = """
            # Settings of gridview: $XDG_CONFIG_HOME/gridview/config.toml, or ~/.config/gridview/config.toml
            # Options of the command line take precedence.

            """
        for setting in Setting.table {
            let option = setting.option.isEmpty ? "" : " Option: \(setting.option)."
            text += "\n# \(setting.help)\(option)\n\(setting.name) = \(setting.defaultText)\n"
        }
        let presets = KeyPreset.allCases.map(\.rawValue).joined(separator: ", ")
        text += """

            [keys]
            # Key bindings of other programs: \(presets). Option: --keys.
            preset = "\(KeyPreset.standard.rawValue)"

            # The keys of each command. A list replaces all keys of its command; [] removes them.

            """
        var contexts = [KeyContext.grid]
        for command in Command.table where !contexts.contains(command.context) { contexts.append(command.context) }
        for context in contexts {
            if context != .grid { text += "\n[keys.\(context)]  # \(context.title)\n" }
            for command in Command.table where command.context == context {
                let keys = command.keys.map(\.tomlText).joined(separator: ", ")
                text += "# \(command.id.hyphenated) = [\(keys)]\n"
            }
        }
        return text
    }
}
