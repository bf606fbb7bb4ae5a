public import FieldValues
public import TerminalSurface

/// The values of the user's settings. Command-line options override them.
public struct Settings: Sendable {
    /// The name or the path of the theme; `nil` to choose one by the background of the terminal.
    public var theme: String?
    /// The number of colors to use; `nil` to detect what the terminal can show.
    public var colorDepth: ColorDepth?
    /// True if the last line of the screen shows key hints.
    public var showsHints = true
    /// True if the program handles the mouse; false if the terminal selects text with it.
    public var usesMouse = true
    /// True if numbers that are amounts have thousands separators.
    public var groupsThousands = true
    /// The order of day and month for dates that can be read in both orders, such as 01/02/2024; `nil` to read them like the dates of other
    /// columns.
    public var ambiguousDates: DateNotation?
    /// The decimal separator of all numbers, `point` or `comma`; `nil` to detect it for each column.
    public var decimal: String?
    /// How to copy text to the clipboard: by a program or by the terminal.
    public var clipboard = ClipboardChoice.automatic
    /// True to save the changed view of each file when the program quits, so that it can be restored.
    public var savesRecentViews = true
    /// Command-line options that apply to every run, as a list of arguments.
    public var options: [String] = []
    /// The set of keys to start from. ``keys`` then replace keys of single commands.
    public var keyPreset = KeyPreset.standard
    /// The keys that the user has set for single commands.
    public internal(set) var keys: [KeyAssignment] = []

    /// Creates the default settings.
    public init() {}

    /// The color depths by their names in the settings; the value `nil` detects the depth.
    public static let colorDepths: [(name: String, value: ColorDepth?)] = [
        ("auto", nil), ("never", ColorDepth.none), ("16", .ansi16), ("256", .indexed256), ("true", .trueColor),
    ]

    /// The decimal separators by their names in the settings; the value `nil` detects the separator.
    static let decimals: [(name: String, value: String?)] = [("auto", nil), ("point", "point"), ("comma", "comma")]

    /// The orders of day and month by their names in the settings; `nil` reads dates like those of other columns.
    public static let dateOrders: [(name: String, value: DateNotation?)] = [("auto", nil), ("dmy", .dayFirst), ("mdy", .monthFirst)]
}

/// The keys that the settings file sets for a command in one context.
public struct KeyAssignment: Hashable, Sendable {
    /// The context in which the keys run the command.
    public let context: KeyContext
    /// The command that the keys run.
    public let command: CommandID
    /// The keys as text in the syntax of `KeyNotation`. They replace all default keys of the command; an empty list leaves it without keys.
    public internal(set) var keys: [String]
    /// The line number of the assignment in the settings file, from 1, for error messages.
    let line: Int

    init(_ command: CommandID, _ keys: [String], in context: KeyContext = .grid, line: Int = 0) {
        (self.context, self.command, self.keys, self.line) = (context, command, keys, line)
    }
}

/// An error in the settings file. The program ignores the setting and runs with its default.
public struct SettingsProblem: Error, Hashable, Sendable {
    /// The path of the settings file.
    public let path: String
    /// The line number, from 1; `nil` if the error concerns the whole file.
    public let line: Int?
    /// The name of the setting, after the names of the TOML tables that contain it; `nil` if unknown.
    public let key: String?
    /// The reason why the setting is not valid.
    public let reason: String

    /// The error as one sentence with the path of the file, the line and the setting.
    public var text: String { text(naming: path) }

    /// The error as one sentence with the name of the file instead of its path.
    var shortText: String { text(naming: ExportTarget.name(of: path)) }

    private func text(naming file: String) -> String {
        let location = [file, line.map { "line \($0)" }, key].compactMap(\.self).joined(separator: ", ")
        let text = "\(location): \(reason)\(reason.last.map { ".?!".contains($0) } == true ? "" : ".")"
        return DisplayWidth.printable(text.replacing("\n", with: "\u{FFFD}"))
    }
}

/// The reason why the value of a setting is not valid. The reader adds the file and the line.
struct SettingError: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
