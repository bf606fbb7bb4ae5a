public import DataGrid
public import DataGridTerminal
import Tables
public import TerminalSurface

/// The kinds of background jobs. A sheet runs at most one job of each kind at a time.
public enum JobKind: String, Equatable, Sendable, CaseIterable {
    case index, arrange, find, count, record, statistics, copy, export, settings
    /// Reading rows or a cell for a command, such as the last rows of the file. Also asking a server for the plan of a query.
    case lookUp
    /// Sampling a derived field, to find the type of its column.
    case derive
    /// Computing a pivot table.
    case pivot
    /// Finding the marked and selected rows, and the row of the cursor, in another order of a table on a server.
    case follow
    /// Finding columns without values, to hide them.
    case emptyColumns
    /// Reading the values of one row for the list of columns.
    case columnValues
    /// Counting the rows that match a filter while it is typed.
    case preview
    /// Finding values to suggest in the filter prompt.
    case values
    /// Opening the file, reloading it, or reading it again with other options.
    case open
    /// Waiting until a server sends the visible rows, which another thread fetches. The job ends when the rows arrive, and cannot be
    /// cancelled.
    case arrival

    /// True if the job is shown while it runs, and its failure is reported. False for jobs of the filter prompt, which shows their results
    /// itself.
    var isShown: Bool { self != .preview && self != .values }
}

/// The amount of input that a job reads, for its progress.
public enum JobAmount: Equatable, Sendable {
    /// A number of bytes of the input.
    case bytes(Int)
    /// A number of rows.
    case rows(Int)

    var count: Int {
        switch self {
        case .bytes(let count), .rows(let count): count
        }
    }
}

/// The speed of a job, computed from its progress.
public struct JobSpeed: Equatable, Sendable {
    /// The bytes or rows read per second. A job that reads its input several times counts the input once: at half of the work, half of the
    /// input is counted as read.
    public var perSecond: Double
    /// The remaining time at this speed, in seconds.
    public var secondsLeft: Double
}

/// The status of a running job, for the title line.
public struct JobStatus: Equatable, Sendable {
    /// The kind of the job.
    public var kind: JobKind
    /// The activity as shown in the title line, such as `sorting by “price”`.
    public var title: String
    /// The amount of input that the job reads.
    public var amount: JobAmount
    /// The completed fraction of the work, from 0 to 1; `nil` if unknown.
    public var fraction: Double?
    /// The speed and the remaining time; `nil` if unknown.
    public var speed: JobSpeed?
    /// The estimated number of rows of a query whose rows are being counted; `nil` without an estimate.
    public var estimatedRowCount: Int?
    /// True if the first rows of a query are already shown, and the job only counts the rows.
    var isCounting = false
    /// True if the job has run long enough to be shown. Short jobs would only flicker.
    public var isShown = true
    /// True if rows have not arrived for a long time, so that a hint about reloading is shown.
    public var isOverdue = false

    /// Creates the status of a job.
    public init(_ kind: JobKind, _ title: String, amount: JobAmount, fraction: Double? = nil) {
        self.kind = kind
        self.title = title
        self.amount = amount
        self.fraction = fraction
    }
}

/// The state of the program. Only ``apply(_:)`` changes it; drawing reads it.
///
/// The state of one table is in its ``SheetState``. If both types have a property of the same name, its value in this type is the value of
/// the current sheet.
@MainActor
public struct AppState {
    /// The open tables in tab order; at least one.
    public internal(set) var sheets: [SheetState]
    /// The index of the current sheet: the visible one or, while a message for another sheet is handled, that other sheet.
    public internal(set) var currentSheetIndex = 0
    /// The terminal size in cells; 0 × 0 before the terminal has reported it.
    public internal(set) var size: TerminalSize
    /// The key bindings.
    public var keyMap: KeyMap<Command> { customKeyMap ?? .standard }
    /// The key bindings of the user's settings; `nil` for the default ones, which are created on first use, because batch output never
    /// needs them.
    private let customKeyMap: KeyMap<Command>?
    /// The keys typed so far of an incomplete command, and the number typed before them.
    public internal(set) var pendingKeys = PendingKeys()
    /// Recognizes double clicks in panels, from the time and position of clicks.
    var panelClicks = ClickCounter()
    /// The texts of the filters that the user has typed in this run, the latest at the end.
    public internal(set) var filterHistory: [String] = []
    /// The searches that the user has typed in this run, the latest at the end. Only their text and ``Search/isPattern`` are used.
    var searchHistory: [Search] = []
    /// True after the first move of a row has shown a message that the file does not change.
    public internal(set) var hasShownMoveNotice = false
    /// The options of the list “copy as”.
    var copySettings = CopySettings()
    /// True if the last line of the screen shows key hints.
    public internal(set) var showsHints = true
    /// True if the terminal reports mouse events to the program; false if it selects text with the mouse.
    public internal(set) var isMouseOn = true
    /// The colors of the terminal. Until it reports them, a dark background is assumed.
    public internal(set) var terminalColors = TerminalColors()
    /// True if the user has chosen a theme, so that it does not follow the background of the terminal.
    public internal(set) var isThemeChosen = false
    /// The theme from the user's theme file; `nil` if the theme is a preset.
    public internal(set) var customTheme: Theme?
    /// The path of the settings file; `nil` if settings cannot be saved.
    let settingsPath: String?
    /// The errors of the settings file.
    var settingsProblems: [SettingsProblem] = []
    /// The settings that the user has changed inside the program but not saved yet.
    var settingChanges: [SettingChange] = []
    /// The name or the path of ``customTheme``, as the settings file names it.
    let customThemeName: String?
    /// The options for picking rows; `nil` if the program was not started to pick rows.
    let pick: PickSettings?
    /// The reading options of the command line.
    let launchReading: ReadingSettings
    /// The file formats to which the program can export.
    let fileFormats: FileFormats
    /// The file format that the command line names; `nil` to detect the format of each file.
    let launchFormat: String?
    /// The exit status with which the program ends; `nil` while it runs.
    public internal(set) var exitStatus: Int32?
    /// A sentence to print after the terminal is restored; `nil` for none.
    public internal(set) var closingMessage: String?

    /// Creates the state of a program with one table.
    public init(_ sheet: SheetState, options: LaunchOptions = LaunchOptions()) {
        size = TerminalSize(columns: 0, rows: 0)
        sheets = [sheet]
        if let theme = options.theme {
            isThemeChosen = true
            if !Theme.presets.contains(theme) { customTheme = theme }
        }
        (isMouseOn, showsHints) = (options.usesMouse, options.showsHints)
        (settingsPath, customThemeName) = (options.settingsPath, options.themeName)
        (customKeyMap, pick) = (options.keyMap, options.pick)
        launchReading = options.opener?.settings ?? ReadingSettings()
        launchFormat = options.fileFormat
        fileFormats = FileFormats(options.opener)
    }
}

extension AppState {
    /// The problems of the file. If groups are left out, a sentence about them comes first.
    var problems: [String] {
        let tree = grid.outline.tree
        return [tree?.omission, tree?.leftOutValues].compactMap { $0 } + document.problems
    }
}
