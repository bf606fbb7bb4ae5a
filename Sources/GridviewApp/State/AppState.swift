public import DataGrid
public import DataGridTerminal
public import TerminalSurface

/// Something that runs in the background; one of each kind at a time.
public enum JobKind: String, Equatable, Sendable, CaseIterable {
    case index, arrange, find, count, record, statistics, copy
    /// Reading the end of the file, or a cell, for a key that asks for it.
    case lookUp
    /// Sampling a derived column.
    case derive
    /// Opening or reloading the file.
    case open
}

/// What a job goes through.
public enum JobAmount: Equatable, Sendable {
    case bytes(Int), rows(Int)

    var count: Int {
        switch self {
        case .bytes(let count), .rows(let count): count
        }
    }
}

/// How fast a job is, by what it has done so far.
public struct JobPace: Equatable, Sendable {
    /// Bytes or rows a second; where a job goes through them several times, it is what it gets done with.
    public var perSecond: Double
    /// Seconds to go at this rate.
    public var secondsLeft: Double
}

/// How far a job is.
public struct JobStatus: Equatable, Sendable {
    /// Which of the jobs it is.
    public var kind: JobKind
    /// What it does, for the title line: "sorting by price".
    public var title: String
    /// What it goes through.
    public var amount: JobAmount
    /// In `0 ... 1`; `nil` when it cannot be told.
    public var fraction: Double?
    /// How fast it is; `nil` while that cannot be told.
    public var pace: JobPace?
    /// Whether it has run long enough to be worth a word.
    public var isShown = true

    /// How far a job called `title` is.
    public init(_ kind: JobKind, _ title: String, amount: JobAmount, fraction: Double? = nil) {
        self.kind = kind
        self.title = title
        self.amount = amount
        self.fraction = fraction
    }
}

/// A text that lies over the grid.
public enum Page: Equatable, Sendable {
    /// All keys.
    case help
    /// What is known of the file.
    case about
}

/// A line of a row that is shown as a form. It is the same line however long the cells around it are.
public struct RecordPlace: Equatable, Sendable {
    /// Which of the visible columns, from 0.
    public var column = 0
    /// Which piece of the cell, from 0; most cells have only one.
    public var piece = 0
    /// Where in the piece the line begins, in bytes of its text.
    public var offset = 0

    /// The top of the form.
    public static let top = RecordPlace()
}

/// What lies over the grid and takes the keys.
public enum Layer: Equatable, Sendable {
    /// A text to read, scrolled by lines.
    case page(Page, scroll: Int)
    case list(ListPanel)
    /// One row as a form, with this line at the top.
    case record(RecordPlace)
    /// The text to search for is being typed.
    case search(SearchPrompt)
    /// A new title for a column.
    case rename(TextField, ColumnID)
    /// The numbers of columns.
    case statistics(StatisticsPanel)
    /// A filter or a derived column is being typed.
    case formula(FormulaPrompt)
}

/// Everything the program knows. ``apply(_:)`` alone changes it; drawing only reads it.
///
/// What belongs to one table is in its ``SheetState``. The members of that name here are those of the current sheet.
@MainActor
public struct AppState {
    /// The open tables, in the order of their tabs; at least one.
    public internal(set) var sheets: [SheetState]
    /// The index of the sheet on the screen; while news of another sheet is taken, of that one.
    public internal(set) var current = 0
    /// The terminal's size in cells; 0 × 0 until it is known.
    public internal(set) var size: TerminalSize
    /// Which keys run which command.
    public var keyMap: KeyMap<Command> { ownKeyMap ?? .standard }
    /// The keys that were asked for; the standard keys are made when one of them is needed, so never for batch output.
    private let ownKeyMap: KeyMap<Command>?
    /// Keys on their way to a command.
    public internal(set) var pending = PendingKeys()
    /// The filters of this run as they were written, the last one at the end.
    public internal(set) var filterHistory: [String] = []
    /// Whether it was said that moving rows leaves the file alone.
    public internal(set) var isToldOfMovedRows = false
    /// Whether the last line shows keys that fit the moment.
    public internal(set) var showsHints = true
    /// Whether the terminal reports the mouse; off, it selects text itself.
    public internal(set) var isMouseOn = true
    /// What themes have to make do with; a dark ground when the terminal does not tell.
    public internal(set) var terminalColors = TerminalColors()
    /// Whether the theme was chosen by the person, so that the terminal's background has no say.
    public internal(set) var isThemeChosen = false
    /// A theme that the person has brought, if it is no preset.
    public internal(set) var ownTheme: Theme?
    /// The status to exit with, once that was decided.
    public internal(set) var exitStatus: Int32?

    /// The state of a program with one table.
    public init(_ sheet: SheetState, options: LaunchOptions = LaunchOptions()) {
        size = TerminalSize(columns: 0, rows: 0)
        sheets = [sheet]
        if let theme = options.theme {
            isThemeChosen = true
            if !Theme.presets.contains(theme) { ownTheme = theme }
        }
        isMouseOn = options.usesMouse
        ownKeyMap = options.keyMap
    }
}
