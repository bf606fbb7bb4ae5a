public import FieldValues
public import TerminalSurface

/// The user's settings. Options of the command line take precedence.
public struct Settings: Sendable {
    /// The name or the path of the theme; `nil` to choose one by the background of the terminal.
    public var theme: String?
    /// The color depth; `nil` to detect it.
    public var colorDepth: ColorDepth?
    /// True if the last line shows hints.
    public var showsHints = true
    /// True if the terminal reports the mouse.
    public var usesMouse = true
    /// True if amounts have grouped thousands.
    public var groupsThousands = true
    /// The order of day and month of dates that can be read in both orders; `nil` for the order of the other columns.
    public var ambiguousDates: DateNotation?
    /// The notation of all numbers, `point` or `comma`; `nil` to detect it for each column.
    public var decimal: String?
    /// The method of copying.
    public var clipboard = ClipboardChoice.automatic
    /// True if the view of each file is saved.
    public var savesRecentViews = true
    /// Options of the command line for each run, as arguments.
    public var options: [String] = []
    /// The set of keys that ``keys`` change.
    public var keyPreset = KeyPreset.standard
    /// The user's own keys.
    public internal(set) var keys: [KeyAssignment] = []

    /// Creates the default settings.
    public init() {}

    /// The color depths by name; `nil` to detect it.
    public static let colorDepths: [(name: String, value: ColorDepth?)] = [
        ("auto", nil), ("never", ColorDepth.none), ("16", .ansi16), ("256", .indexed256), ("true", .trueColor),
    ]

    /// The notations of numbers by name; `nil` to detect them.
    static let decimals: [(name: String, value: String?)] = [("auto", nil), ("point", "point"), ("comma", "comma")]

    /// The orders of day and month by name; `nil` for the order of the other columns.
    public static let dateOrders: [(name: String, value: DateNotation?)] = [("auto", nil), ("dmy", .dayFirst), ("mdy", .monthFirst)]
}

/// The keys of a command in one context, from settings.
public struct KeyAssignment: Hashable, Sendable {
    /// The context in which the keys apply.
    public let context: KeyContext
    /// The command that the keys run.
    public let command: CommandID
    /// The keys in `KeyNotation`, which replace the default keys of the command; empty for no keys.
    public internal(set) var keys: [String]
    /// The line in the settings file.
    let line: Int

    init(_ command: CommandID, _ keys: [String], in context: KeyContext = .grid, line: Int = 0) {
        (self.context, self.command, self.keys, self.line) = (context, command, keys, line)
    }
}

/// An error in the settings file. The program runs without the setting.
public struct SettingsProblem: Error, Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The line, from 1; `nil` if the error concerns the whole file.
    public let line: Int?
    /// The name of the setting, with the tables that contain it; `nil` if unknown.
    public let key: String?
    /// The reason why the setting is not valid.
    public let reason: String

    /// One sentence that names the file, the line and the setting.
    public var text: String { text(naming: path) }

    /// The sentence with the name of the file instead of its path.
    var shortText: String { text(naming: ExportTarget.name(of: path)) }

    private func text(naming file: String) -> String {
        let location = [file, line.map { "line \($0)" }, key].compactMap(\.self).joined(separator: ", ")
        let text = "\(location): \(reason)\(reason.last.map { ".?!".contains($0) } == true ? "" : ".")"
        return DisplayWidth.printable(text.replacing("\n", with: "\u{FFFD}"))
    }
}

/// The reason why a value is not valid for a setting.
struct SettingError: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
