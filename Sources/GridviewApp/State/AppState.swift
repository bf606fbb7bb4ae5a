public import DataGrid
public import DataGridTerminal
import Tables
public import TerminalSurface

/// The kind of a background job. One job of each kind runs at a time.
public enum JobKind: String, Equatable, Sendable, CaseIterable {
    case index, arrange, find, count, record, statistics, copy, export, settings
    /// Reading rows or a cell for a key, such as the end of the file, or asking a server for its plan of a query.
    case lookUp
    /// Sampling a derived column.
    case derive
    /// Finding marked and selected rows, and the row of the cursor, in another order of a table on a server.
    case follow
    /// Finding columns without values.
    case emptyColumns
    /// Reading the values of a row for a list of columns.
    case columnValues
    /// Counting the rows that match a filter while it is typed.
    case preview
    /// Finding values that complete a filter.
    case values
    /// Opening or reloading the file.
    case open
    /// Waiting for visible rows of a server, which another thread fetches. It ends when they arrive, and cannot be cancelled.
    case arrival

    /// True if the job is shown while it runs, and its failure is reported. False for jobs of the filter prompt, which shows their results.
    var isShown: Bool { self != .preview && self != .values }
}

/// The amount of input of a job.
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

/// The pace of a job, computed from the completed part of its work.
public struct JobPace: Equatable, Sendable {
    /// Bytes or rows per second. For a job with several passes, the completed share of its input per second.
    public var perSecond: Double
    /// The remaining seconds at this pace.
    public var secondsLeft: Double
}

/// The status of a job.
public struct JobStatus: Equatable, Sendable {
    /// The kind of the job.
    public var kind: JobKind
    /// The activity, for the title line: `sorting by “price”`.
    public var title: String
    /// The amount of input.
    public var amount: JobAmount
    /// The completed fraction in `0 ... 1`; `nil` if unknown.
    public var fraction: Double?
    /// The pace; `nil` if unknown.
    public var pace: JobPace?
    /// An estimate of the number of rows of a query, while they are counted; `nil` without an estimate.
    public var estimatedRowCount: Int?
    /// True if the first rows of a query are known, and the job only counts all rows.
    var isCounting = false
    /// True if the job has run long enough to be displayed.
    public var isShown = true
    /// True if rows have not arrived for so long that reloading may help.
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
/// The state of one table is in its ``SheetState``. Properties of the same name here refer to the current sheet.
@MainActor
public struct AppState {
    /// The open tables in tab order; at least one.
    public internal(set) var sheets: [SheetState]
    /// The index of the visible sheet or, while a message for another sheet is handled, of that sheet.
    public internal(set) var currentSheetIndex = 0
    /// The terminal size in cells; 0 × 0 until it is known.
    public internal(set) var size: TerminalSize
    /// The key bindings.
    public var keyMap: KeyMap<Command> { ownKeyMap ?? .standard }
    /// The user's key bindings. The default bindings are created on first use; batch output never uses them.
    private let ownKeyMap: KeyMap<Command>?
    /// The keys of an incomplete command.
    public internal(set) var pending = PendingKeys()
    /// Finds double clicks in panels.
    var panelClicks = ClickCounter()
    /// The filters of this run as they were typed, the latest at the end.
    public internal(set) var filterHistory: [String] = []
    /// The searches of this run with their text and ``Search/isPattern``, the latest at the end.
    var searchHistory: [Search] = []
    /// True once the message that moving rows does not change the file was shown.
    public internal(set) var hasShownMoveNotice = false
    /// The settings of the list of copy formats.
    var copySettings = CopySettings()
    /// True if the last line shows hints.
    public internal(set) var showsHints = true
    /// True if the terminal reports the mouse; otherwise it selects text itself.
    public internal(set) var isMouseOn = true
    /// The colors of the terminal; a dark background if unknown.
    public internal(set) var terminalColors = TerminalColors()
    /// True if the user has chosen the theme, so that the terminal's background does not matter.
    public internal(set) var isThemeChosen = false
    /// The user's own theme, unless it is a preset.
    public internal(set) var ownTheme: Theme?
    /// The path of the settings file; `nil` if settings cannot be saved.
    let settingsPath: String?
    /// The errors of the settings file.
    var settingsProblems: [SettingsProblem] = []
    /// The settings that were changed inside the program and not saved yet.
    var settingChanges: [SettingChange] = []
    /// The name or the path of ``ownTheme``, for settings.
    let ownThemeName: String?
    /// The options of a picker; `nil` if rows cannot be picked.
    let pick: PickSettings?
    /// The reading settings given on the command line.
    let launchReading: ReadingSettings
    /// The formats of exports.
    let fileFormats: FileFormats
    /// The file format given on the command line; `nil` to detect the format of each file.
    let launchFormat: String?
    /// The exit status, once the program must end.
    public internal(set) var exitStatus: Int32?
    /// A sentence to print after the terminal is restored; `nil` for none.
    public internal(set) var closingMessage: String?

    /// Creates the state of a program with one table.
    public init(_ sheet: SheetState, options: LaunchOptions = LaunchOptions()) {
        size = TerminalSize(columns: 0, rows: 0)
        sheets = [sheet]
        if let theme = options.theme {
            isThemeChosen = true
            if !Theme.presets.contains(theme) { ownTheme = theme }
        }
        (isMouseOn, showsHints) = (options.usesMouse, options.showsHints)
        (settingsPath, ownThemeName) = (options.settingsPath, options.themeName)
        (ownKeyMap, pick) = (options.keyMap, options.pick)
        launchReading = options.opener?.settings ?? ReadingSettings()
        launchFormat = options.fileFormat
        fileFormats = FileFormats(options.opener)
    }
}

extension AppState {
    /// The problems of the file, after a sentence about groups that are left out, if any.
    var problems: [String] { (grid.outline.tree?.omission.map { [$0] } ?? []) + document.problems }
}
