import FieldValues

/// A setting of the settings file. The file reader, ``Settings/commentedDefaults`` and the tests use the same table of settings.
struct Setting: Sendable {
    /// The name of the setting in the settings file.
    let name: String
    /// The default value, as TOML text.
    let defaultText: String
    /// The command-line option with the same effect.
    let option: String
    /// The description for ``Settings/commentedDefaults``, one or two sentences.
    let help: String
    let read: @Sendable (TOMLValue, inout Settings) throws(SettingError) -> Void

    private init(
        _ name: String, _ defaultText: String, option: String, _ help: String,
        _ read: @escaping @Sendable (TOMLValue, inout Settings) throws(SettingError) -> Void
    ) {
        (self.name, self.defaultText, self.option, self.help, self.read) = (name, defaultText, option, help, read)
    }

    /// All settings except keys, in the order of ``Settings/commentedDefaults``.
    static let table: [Setting] = [
        Setting(
            "theme", "\"auto\"", option: "--theme",
            "The theme: auto, dark, light, contrast, plain, the name of one of your themes, or the path of a theme file."
        ) { value, settings throws(SettingError) in
            let name = try value.text()
            guard !name.isEmpty else { throw SettingError("The name is empty") }
            settings.theme = name == "auto" ? nil : name
        },
        Setting("color", "\"auto\"", option: "--color", "Colors: auto, never, 16, 256 or true.") { value, settings throws(SettingError) in
            settings.colorDepth = try value.choice(Settings.colorDepths)
        },
        Setting("hints", "true", option: "--no-hints", "Show key hints on the last line.") { value, settings throws(SettingError) in
            settings.showsHints = try value.flag()
        },
        Setting("mouse", "true", option: "--no-mouse", "Use the mouse.") { value, settings throws(SettingError) in
            settings.usesMouse = try value.flag()
        },
        Setting(
            "grouping", "true", option: "--no-grouping", "Show thousands separators in amounts, but not in identifiers."
        ) { value, settings throws(SettingError) in settings.groupsThousands = try value.flag() },
        Setting(
            "dates", "\"auto\"", option: "--dates",
            "The order of dates such as 01/02/2024: dmy, mdy, or auto to read them like other columns."
        ) { value, settings throws(SettingError) in settings.ambiguousDates = try value.choice(Settings.dateOrders) },
        Setting(
            "decimal", "\"auto\"", option: "--decimal",
            "The decimal separator of all numbers: point, comma, or auto to detect it for each column."
        ) { value, settings throws(SettingError) in settings.decimal = try value.choice(Settings.decimals) },
        Setting(
            "clipboard", "\"auto\"", option: "--clipboard",
            "The method of copying: auto, terminal (OSC 52 only), or a program: tmux, wl-copy, xclip, xsel, pbcopy, clip.exe."
        ) { value, settings throws(SettingError) in
            settings.clipboard = try value.choice(ClipboardChoice.allCases.map { ($0.rawValue, $0) })
        },
        Setting(
            "recent-views", "true", option: "--no-recent-views", "Save the view of each file when you quit."
        ) { value, settings throws(SettingError) in settings.savesRecentViews = try value.flag() },
        Setting(
            "options", "[]", option: "",
            "Command-line options for each run, one string for each argument: [\"--freeze-columns\", \"1\"]."
        ) { value, settings throws(SettingError) in settings.options = try value.texts() },
    ]
}

extension TOMLValue {
    private func mismatchError(_ expected: String) -> SettingError { SettingError("Expected \(expected), not \(kindName)") }

    func text() throws(SettingError) -> String {
        guard case .string(let text) = self else { throw mismatchError("a string") }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw SettingError("The text has control characters")
        }
        return text
    }

    func flag() throws(SettingError) -> Bool {
        guard case .boolean(let flag) = self else { throw mismatchError("true or false") }
        return flag
    }

    func texts() throws(SettingError) -> [String] {
        guard case .array(let values) = self else { throw mismatchError("a list of strings") }
        var texts: [String] = []
        for value in values { texts.append(try value.text()) }
        return texts
    }

    func choice<Value>(_ choices: [(name: String, value: Value)]) throws(SettingError) -> Value {
        let name = try text()
        if let choice = choices.first(where: { $0.name == name }) { return choice.value }
        throw .unknownName("value", name, choices.map(\.name))
    }
}

extension SettingError {
    /// - Parameters:
    ///   - knownNames: the known names.
    ///   - lists: true to list all known names in the error; false to name only the most similar one.
    static func unknownName(_ noun: String, _ name: String, _ knownNames: [String], lists: Bool = true) -> SettingError {
        let list = lists ? " Use \(Suggestions.alternatives(knownNames))." : ""
        let suggestion = Suggestions.closest(name, knownNames).map { " Did you mean “\($0)”?" } ?? ""
        return SettingError("Unknown \(noun) “\(name.prefix(40))”.\(list)\(suggestion)")
    }
}
