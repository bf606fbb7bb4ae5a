public import DataGrid
public import DataGridQuery
public import DataGridTerminal
public import Tables

/// Information about the open file.
public struct DocumentInfo: Equatable, Sendable {
    /// The name of the file.
    public var name: String
    /// True for a file that can be opened again; false for a pipe.
    public var isFile = false
    /// The size in bytes, if known.
    public var byteCount = 0
    /// The activity while the input is being opened, such as `connecting to db.example.com`.
    var activity = ""
    /// The number of records that are counted.
    public var recordCount = 0
    /// A text about the rows in the title line, such as "snapshot 12:30:00"; `nil` for none.
    var rowsLabel: String?
    /// An estimate of the number of records, from statistics that may be out of date; `nil` without one.
    var estimatedCount: Int?
    /// True if records that are not known yet can be fetched by their numbers.
    var canSeek = false
    /// True if queries include records that are not known yet, because a server runs them.
    var canBeQueriedWhileIncomplete = false
    /// True if queries include all records.
    var canBeQueried: Bool { isComplete || canBeQueriedWhileIncomplete }
    /// The estimate while it exceeds the number of known records; `nil` once all records are known.
    var currentEstimate: Int? { isComplete ? nil : estimatedCount.flatMap { $0 > recordCount ? $0 : nil } }
    /// The path or connection URL; `nil` for a pipe.
    var location: String?
    /// True for a pipe, which cannot be opened again.
    var isPipe: Bool { location == nil }
    /// The state of reading the input.
    public var reading = ReadingState.running()
    /// True if no record remains to be counted. An input that is not open has no records.
    public var isComplete: Bool {
        switch reading {
        case .running, .stopped: false
        case .awaited, .failed, .complete: true
        }
    }
    /// True until the first bytes arrive.
    public var isAwaited: Bool { reading == .awaited }
    /// The problems of the file, one sentence each.
    public var problems: [String] = []
    /// True if the rows are tables that Enter opens, such as the sheets of a workbook.
    public var listsTables = false
    /// Facts about how the file is read, for the page about it.
    public var facts: [Fact] = []
    /// The columns as the file declares them.
    public var columnFacts: [Fact] = []

    /// A fact about a file.
    public struct Fact: Equatable, Sendable {
        /// The name of the fact.
        public var name: String
        /// The value of the fact.
        public var value: String
    }

    /// Creates information with only a name.
    public init(name: String) { self.name = name }
}

/// A view as set by the options.
public struct OpenedView: Equatable, Sendable {
    /// The columns in display order, with widths and types.
    public var columns: [Column]
    /// The frozen columns and rows.
    public var frozen = FrozenPanes()
    /// The filters, sort keys and groups.
    public var arrangement = Arrangement()
    /// The comparisons that override those of the column types.
    public var comparisons: [ColumnID: SortRequest.Comparison] = [:]
    /// The columns whose type the options set.
    public var typedColumns: Set<ColumnID> = []
    /// True if all groups are collapsed.
    public var isCollapsed = false
    /// The selection mode; `nil` for the default.
    public var selectionMode: SelectionMode?
    /// The search to run when all rows are known.
    public var search: Search?
    /// True if the file is followed.
    public var followsFile = false
    /// True if the file is reloaded whenever it changes.
    public var reloadsChanges = false
}

/// The state of one open table.
@MainActor
public struct SheetState {
    /// The ID of the sheet, unique while the program runs; the first is 0.
    public let id: Int
    /// The ID of the sheet from which this one was opened; `nil` if it was not opened from a sheet.
    var origin: Int?
    /// The path that opens the input again; `nil` to use the path of the input.
    var path: String?
    /// The controller of the grid.
    public let controller: GridController
    /// The pending requests of the grid.
    let requests = GridRequests()
    /// Information about the file, for the title line.
    public internal(set) var document: DocumentInfo
    /// The panel or prompt over the grid; `nil` if keys go to the grid.
    var overlay: (any Overlay)?
    /// The message that replaces the hints until the next key.
    public internal(set) var message: Message?
    /// The SQL on the page of statements; `nil` before that page is opened.
    var statements: ShownStatements?
    /// The last prompt of an export without a format, while the format is chosen.
    var exportPrompt: ExportPrompt?
    /// The running jobs.
    public internal(set) var jobs: [JobStatus] = []
    /// The last search, whose matches are highlighted; `nil` for none.
    public internal(set) var search: Search?
    /// True while a job finds the next match of a search.
    var isFinding = false
    /// The number of matches to go forward from the match that the job finds; negative to go backward.
    var furtherMatches = 0
    /// The search of `--find`, until it runs. It is not part of the query, because it waits for the rows of whichever query settles first.
    var launchSearch: Search?
    /// The state of the query.
    public internal(set) var query = QueryState.settled(Arrangement())
    /// The changes to the view.
    var history = ViewHistory()
    /// The derived fields in definition order, including fields whose column was removed by undo.
    public internal(set) var derivedFields: [DerivedField] = []
    /// The time of day when the oldest visible rows were fetched from a server; `nil` if it is less than a minute ago.
    var oldRowsTime: String?
    /// The positions where rows are shown whose row numbers are approximate, see `TableSource.beginSampling(atRow:)`; `nil` for none.
    var sampledRows: Range<Int>?
    /// The query on a server whose rows are shown but could not be counted; `nil` for none.
    var uncounted: UncountedQuery?
    /// The command that waits for exact row numbers, with its count; `nil` for none.
    var heldCommand: HeldCommand?
    /// The change of the file since it was opened or reloaded.
    public internal(set) var fileChange = FileChange.unchanged
    /// True if the file is followed: new rows are read automatically, and the last row stays current.
    public internal(set) var isFollowing = false
    /// True if the file is reloaded whenever it changes.
    var reloadsChanges = false
    /// True if changes of the file are read automatically.
    var readsChanges: Bool { isFollowing || reloadsChanges }
    /// The anchor of the cursor from before a reload, until all rows are shown again or the user moves the cursor.
    var reloadAnchor: CursorAnchor?
    /// The place of the cursor before a filter of a table on a server, until its row is found or the user moves the cursor.
    var followedCursor: CursorAnchor?
    /// The runs of rows to restore when the rows of the pending query are shown, as in ``ViewState/movedRows``; `nil` if no rows are
    /// pending.
    var awaitedMoves: [Range<Int>]?
    /// The settings with which the file is read; `nil` for the settings of the command line.
    var reading: ReadingSettings?
    /// The settings with which the file is being read again.
    var rereading: Rereading?
    /// The suggested reading options, until the next key.
    var suggestion: ReadingSuggestion?
    /// The positions before jumps, the latest at the end.
    public internal(set) var jumps: [GridCursor] = []
    /// The initial view, for ``CommandID/reset``.
    public internal(set) var opened: OpenedView

    /// Creates the state of a newly opened file: at the top, without filters, sort, groups and overlay.
    public init(
        id: Int = 0, document: DocumentInfo, columns: [Column], rows: RowOrder, theme: Theme = .dark, rowHeaderWidth: Int = 0
    ) {
        self.id = id
        self.document = document
        opened = OpenedView(columns: columns)
        var metrics = GridMetrics.program
        metrics.rowHeaderWidth = rowHeaderWidth
        controller = GridController(columns: columns, delegate: requests, theme: theme, metrics: metrics)
        controller.interaction = .browsing
        // Without motion, a change sends one frame of few bytes, so that the next key is not delayed on a slow connection.
        controller.reduceMotion = true
        controller.perform(.setRows(rows))
    }
}
