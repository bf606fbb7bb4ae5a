public import DataGrid
public import DataGridQuery
public import Tables
public import TerminalSurface

/// What is known about the file that is open.
public struct DocumentInfo: Equatable, Sendable {
    /// What to call it.
    public var name: String
    /// Bytes, as far as they are known.
    public var byteCount = 0
    /// Records that have been counted.
    public var recordCount = 0
    /// Whether that is all of them.
    public var isComplete = false
    /// Whether nothing has come from the input yet.
    public var isAwaited = false
    /// What is odd about the file, a sentence each.
    public var notes: [String] = []
    /// How the file is read, as names and values, for the page about it.
    public var facts: [Fact] = []

    /// One thing that is known about a file.
    public struct Fact: Equatable, Sendable {
        /// What is known.
        public var name: String
        /// The knowledge.
        public var value: String
    }

    /// A file of which nothing but its name is known.
    public init(name: String) { self.name = name }
}

/// A view as the options ask for it.
public struct OpenedView: Equatable, Sendable {
    /// The columns in their order, with their widths and types.
    public var columns: [Column]
    /// What does not scroll.
    public var frozen = FrozenPanes()
    /// How the rows are arranged.
    public var arrangement = Arrangement()
    /// Whether all sections are collapsed.
    public var isCollapsed = false
    /// What can be selected; `nil`: what can be without being asked for.
    public var selectionMode: SelectionMode?
}

/// Something that runs in the background; one of each kind at a time.
public enum JobKind: String, Equatable, Sendable, CaseIterable {
    case index, arrange, find, count, record, statistics, copy
    /// Opening or reloading the file.
    case open
}

/// What a job goes through.
public enum JobAmount: Equatable, Sendable {
    case bytes(Int), rows(Int)

    /// How many there are of them.
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
    /// A filter is being typed.
    case filter(FilterPrompt)
}

/// Everything the program knows, as one value. ``apply(_:)`` alone changes it; drawing only reads it.
public struct AppState: Equatable, Sendable {
    /// The terminal's size in cells; 0 × 0 until it is known.
    public internal(set) var size: TerminalSize
    /// The grid in the middle of the screen.
    public internal(set) var grid: GridState
    /// What the title line tells of the file.
    public internal(set) var document: DocumentInfo
    /// What lies over the grid; `nil`: keys go to the grid.
    public internal(set) var layer: Layer?
    /// Keys on their way to a command.
    public internal(set) var pending = PendingKeys()
    /// What the last line says in place of hints; the next key takes it away.
    public internal(set) var message: Message?
    /// The jobs that have run long enough to be worth a word.
    public internal(set) var jobs: [JobStatus] = []
    /// The last search; `nil` when there is none or it was given up, and nothing is highlighted.
    public internal(set) var search: Search?
    /// What rows were asked for, and which are shown until these are there.
    public internal(set) var query = QueryState.settled(Arrangement())
    /// The fields that are computed from others, in the order in which they were defined.
    public internal(set) var derivedFields: [DerivedField] = []
    /// The filters of this run as they were written, the last one at the end.
    public internal(set) var filterHistory: [String] = []
    /// Whether reading the file was stopped before its end.
    public internal(set) var isReadingStopped = false
    /// What has become of the file since it was opened or reloaded.
    public internal(set) var fileChange = FileChange.unchanged
    /// How many rows there were before the file had got more, while these are read.
    var rowsBeforeGrowth: Int?
    /// Whether it was said that moving rows leaves the file alone.
    public internal(set) var isToldOfMovedRows = false
    /// Whether the last line shows keys that fit the moment.
    public internal(set) var showsHints = true
    /// Whether the terminal reports the mouse; off, it selects text itself.
    public internal(set) var isMouseOn = true
    /// Where jumps began, the last one at the end.
    public internal(set) var jumps: [GridCursor] = []
    /// The view as it was opened, for ``CommandID/reset``.
    public internal(set) var opened: OpenedView
    /// What themes have to make do with; a dark ground when the terminal does not tell.
    public internal(set) var terminalColors = TerminalColors()
    /// Whether the theme was chosen by the person, so that the terminal's background has no say.
    public internal(set) var isThemeChosen = false
    /// A theme that the person has brought, if it is no preset.
    public internal(set) var ownTheme: Theme?
    /// The status to exit with, once that was decided.
    public internal(set) var exitStatus: Int32?

    /// The state of a file just opened: at the top, nothing arranged, nothing over the grid.
    public init(document: DocumentInfo, columns: [Column], rows: RowOrder, theme: Theme = .dark, metrics: GridMetrics = GridMetrics()) {
        size = TerminalSize(columns: 0, rows: 0)
        self.document = document
        opened = OpenedView(columns: columns)
        grid = GridState(columns: columns, rows: rows, theme: theme, metrics: metrics)
        grid.interaction = .browsing
    }
}
