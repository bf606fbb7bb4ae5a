public import DataGrid
public import DataGridQuery
public import DataGridTerminal
public import Tables

/// Information about the open input, for the title line, the details page and the commands.
public struct DocumentInfo: Equatable, Sendable {
    /// The name of the file or of the table.
    public var name: String
    /// True for a file, which can be opened again; false for a pipe or a table on a server.
    public var isFile = false
    /// The size of the file in bytes; 0 if unknown.
    public var byteCount = 0
    /// The activity while the input is being opened, such as `connecting to db.example.com`.
    var activity = ""
    /// The number of records that were counted until now.
    public var recordCount = 0
    /// A text about the rows for the title line, such as “snapshot 12:30:00”; `nil` for none.
    var rowsLabel: String?
    /// The estimated number of records, from statistics of the database, which may be out of date; `nil` without an estimate.
    var estimatedCount: Int?
    /// True while more bytes may arrive, as from a pipe. The end of the input is then unknown.
    var isGrowing = false
    /// True if records that are not counted yet can be fetched by their numbers, as on a server.
    var canSeek = false
    /// True if the last request to the server has failed, so that the reload key reloads the table; see `TableSource.needsReload`.
    var needsReload = false
    /// True for a server, which runs queries on all records even before the program has counted them.
    var canBeQueriedWhileIncomplete = false
    /// True if a query now includes all records: they are counted, or a server runs the query.
    var canBeQueried: Bool { isComplete || canBeQueriedWhileIncomplete }
    /// The estimated number of records, if it is greater than the number of known records; `nil` once all records are known.
    var currentEstimate: Int? { isComplete ? nil : estimatedCount.flatMap { $0 > recordCount ? $0 : nil } }
    /// The path of the file, or the URL of the connection; `nil` for a pipe.
    var location: String?
    /// True for a pipe, which cannot be opened again.
    var isPipe: Bool { location == nil }
    /// The fields whose type is unknown, because no row read so far has a value in them.
    var untypedFields: Set<FieldID> = []
    /// How far the input was read, and whether reading continues.
    public var reading = ReadingState.running()
    /// True if no record remains to be counted. Also true while the input is not open, and after a failure.
    public var isComplete: Bool {
        switch reading {
        case .running, .stopped: false
        case .awaited, .failed, .complete: true
        }
    }
    /// True while the program waits for the first bytes of the input.
    public var isAwaited: Bool { reading == .awaited }
    /// The problems of the file, one sentence each.
    public var problems: [String] = []
    /// True if each row describes a table that Enter opens, such as a sheet of a workbook.
    public var listsTables = false
    /// Properties of the file, such as its format and encoding, for the details page.
    public var details: [Detail] = []
    /// The columns and types that the file declares, for the details page.
    public var columnDetails: [Detail] = []

    /// A property of a file, as a line of the details page.
    public struct Detail: Equatable, Sendable {
        /// The name of the property.
        public var name: String
        /// The value of the property.
        public var value: String
    }

    /// Creates information about an input of which only the name is known.
    public init(name: String) { self.name = name }
}

/// The initial view of a file, as the command-line options set it. Resetting the view restores it.
public struct OpenedView: Equatable, Sendable {
    /// All columns in display order, with their widths and types.
    public var columns: [Column]
    /// The frozen columns and rows.
    public var frozen = FrozenPanes()
    /// The filters, sort keys and groups.
    public var arrangement = Arrangement()
    /// How to compare the values of a column, for each column whose comparison the options set. Other columns are compared by their type.
    public var comparisons: [ColumnID: SortRequest.Comparison] = [:]
    /// The columns whose type the options set.
    public var typedColumns: Set<ColumnID> = []
    /// True if all groups are collapsed.
    public var isCollapsed = false
    /// The selection mode; `nil` for the default.
    public var selectionMode: SelectionMode?
    /// The search to run when all rows are known.
    public var search: Search?
    /// True if the file is followed: new rows are shown as they are written.
    public var followsFile = false
    /// True if the file is reloaded whenever it changes.
    public var reloadsChanges = false
}

/// The state of one open table.
@MainActor
public struct SheetState {
    /// The ID of the sheet, unique while the program runs; the first is 0.
    public let id: Int
    /// The ID of the sheet from which this one was opened; `nil` if it was opened in another way.
    var originID: Int?
    /// The path that opens this input again; `nil` to use the path of the opened table.
    var path: String?
    /// The start of the command that opens a pivot table; `nil` for any other table.
    var pivotCommand: PivotCommand?
    /// The controller of the grid.
    public let controller: GridController
    /// The requests of the grid that the program has not handled yet.
    let requests = GridRequests()
    /// Information about the input, for the title line and the details page.
    public internal(set) var document: DocumentInfo
    /// The panel or prompt over the grid; `nil` if keys go to the grid.
    var overlay: (any Overlay)?
    /// The message that replaces the hints until the next key.
    public internal(set) var message: Message?
    /// The SQL statements on the page “SQL of this view”; `nil` until that page is opened.
    var statements: ShownStatements?
    /// The prompt of an export that waits while the user chooses a format from a list; `nil` for none.
    var exportPrompt: ExportPrompt?
    /// The notes about differences between the last exported file and the input, for the file details.
    var exportNotes: [String] = []
    /// The running jobs.
    public internal(set) var jobs: [JobStatus] = []
    /// The last search, whose matches are highlighted; `nil` for none.
    public internal(set) var search: Search?
    /// True while a job searches for the next match.
    var isSearchRunning = false
    /// The number of further matches to go to after the running job has found its match: one for each press of the key meanwhile. It is
    /// negative to go backward.
    var queuedMatchSteps = 0
    /// The search of the option `--find`, until it starts. It waits until the rows of a query are final, so it is not part of any query.
    var launchSearch: Search?
    /// The state of the query.
    public internal(set) var query = QueryState.settled(Arrangement())
    /// The changes to the view that can be undone or redone.
    var history = ViewHistory()
    /// All derived fields in the order of their definition. Fields whose column was removed by undo are included, because redo shows them
    /// again.
    public internal(set) var derivedFields: [DerivedField] = []
    /// The names of those derived fields that expanding a column has added. A reset hides their columns.
    var memberNames: Set<String> = []
    /// The time of day at which the oldest visible rows were fetched from a server, to show their age; `nil` if this is less than a minute
    /// ago.
    var oldRowsTime: String?
    /// The positions whose rows are shown before their row numbers are exact, see `TableSource.beginSampling(atRow:)`; `nil` for none.
    var sampledRows: Range<Int>?
    /// The number of known rows, if the grid has more rows because ``sampledRows`` are beyond the known ones; otherwise `nil`.
    var knownRowCount: Int?
    /// A query on a server whose rows are visible although counting them has failed; `nil` for none.
    var uncountedQuery: UncountedQuery?
    /// The command that runs once row numbers are exact, with the number typed before its key; `nil` for none.
    var deferredCommand: DeferredCommand?
    /// How the file on the disk differs from the file that was opened or reloaded.
    public internal(set) var fileChange = FileChange.unchanged
    /// True if the file is followed: new rows are read automatically, and a cursor on the last row moves to the new last row.
    public internal(set) var isFollowing = false
    /// True if the file is read again whenever it changes.
    var reloadsChanges = false
    /// True if changes of the file are read without a command.
    var readsChanges: Bool { isFollowing || reloadsChanges }
    /// The row of the cursor before a reload. The cursor returns to it when the rows are read; `nil` after that, or if the user moves the
    /// cursor.
    var reloadAnchor: CursorAnchor?
    /// The row of the cursor before a filter of a table on a server. The cursor moves to it when a job finds its position; `nil` after
    /// that, or if the user moves the cursor.
    var followedCursor: CursorAnchor?
    /// True after a jump to the end of an input that is still growing. The cursor moves with the end until the user moves it.
    var staysAtEnd = false
    /// The moves of rows to restore when the rows of the pending query are shown, as in ``ViewState/movedRows``; `nil` for none.
    var awaitedMoves: [Range<Int>]?
    /// The settings with which the file was read; `nil` for the settings of the command line.
    var readingSettings: ReadingSettings?
    /// The pending request to read the file again with other settings; `nil` without such a request.
    var rereadRequest: RereadRequest?
    /// The reading options that the first bytes suggest; `nil` after the next key.
    var suggestion: ReadingSuggestion?
    /// The cursor positions before jumps, to which the user can return; the latest is at the end.
    public internal(set) var jumpOrigins: [GridCursor] = []
    /// The initial view of the file, which ``CommandID/reset`` restores.
    public internal(set) var openedView: OpenedView

    /// Creates the state of a newly opened file: the cursor at the top, no filters, sort or groups, and no panel.
    public init(
        id: Int = 0, document: DocumentInfo, columns: [Column], rows: RowOrder, theme: Theme = .dark, rowHeaderWidth: Int = 0
    ) {
        self.id = id
        self.document = document
        openedView = OpenedView(columns: columns)
        var metrics = GridMetrics.programDefaults
        metrics.rowHeaderWidth = rowHeaderWidth
        controller = GridController(columns: columns, delegate: requests, theme: theme, metrics: metrics)
        controller.interaction = .browsing
        // Do not animate changes, so that one frame of few bytes is sent. On a slow connection, more frames would delay the next key.
        controller.reduceMotion = true
        controller.perform(.setRows(rows))
    }
}
