public import DataGrid
public import DataGridQuery
public import DataGridTerminal
public import Tables

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
    /// Why the input cannot be shown, if it cannot.
    public var failure: String?
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
    /// How columns are compared, where that is not as their types say.
    public var comparisons: [ColumnID: SortRequest.Comparison] = [:]
    /// Whether all sections are collapsed.
    public var isCollapsed = false
    /// What can be selected; `nil`: what can be without being asked for.
    public var selectionMode: SelectionMode?
    /// What to search for when all rows are known.
    public var search: Search?
}

/// What the program knows of one open table.
@MainActor
public struct SheetState {
    /// Names the sheet for as long as the program runs; the first one is 0.
    public let id: Int
    /// The grid in the middle of the screen.
    public let controller: GridController
    /// What the grid has asked for.
    let requests = GridRequests()
    /// What the title line tells of the file.
    public internal(set) var document: DocumentInfo
    /// What lies over the grid; `nil`: keys go to the grid.
    public internal(set) var layer: Layer?
    /// What the last line says in place of hints; the next key takes it away.
    public internal(set) var message: Message?
    /// The jobs that run.
    public internal(set) var jobs: [JobStatus] = []
    /// The last search; `nil` when there is none or it was given up, and nothing is highlighted.
    public internal(set) var search: Search?
    /// What rows were asked for, and which are shown until these are there.
    public internal(set) var query = QueryState.settled(Arrangement())
    /// The fields that are computed from others, in the order in which they were defined.
    public internal(set) var derivedFields: [DerivedField] = []
    /// Whether reading the file was stopped before its end.
    public internal(set) var isReadingStopped = false
    /// What has become of the file since it was opened or reloaded.
    public internal(set) var fileChange = FileChange.unchanged
    /// How many rows there were before the file had got more, while these are read.
    var rowsBeforeGrowth: Int?
    /// Where jumps began, the last one at the end.
    public internal(set) var jumps: [GridCursor] = []
    /// The view as it was opened, for ``CommandID/reset``.
    public internal(set) var opened: OpenedView

    /// The state of a file just opened: at the top, nothing arranged, nothing over the grid.
    public init(
        id: Int = 0, document: DocumentInfo, columns: [Column], rows: RowOrder, theme: Theme = .dark, metrics: GridMetrics = GridMetrics()
    ) {
        self.id = id
        self.document = document
        opened = OpenedView(columns: columns)
        controller = GridController(columns: columns, delegate: requests, theme: theme, metrics: metrics)
        controller.configure { $0.interaction = .browsing }
        controller.perform(.setRows(rows))
    }
}
