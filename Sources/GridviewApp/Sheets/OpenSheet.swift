public import Tables

/// An input for a new sheet. It is opened when the sheet is first shown.
public struct SheetInput: Sendable {
    /// The name that the sheet shows.
    public let name: String
    /// The path that opens this input again, such as `data.db:trades` for a table in a file; `nil` to use the path of the opened table.
    public let path: String?
    /// The activity to show while the input is being opened, such as `connecting to db.example.com`.
    public let activity: String
    /// True if the options that describe the view of a file apply; false for a table that the program has computed.
    var usesLaunchOptions = true
    /// The first words of the command line that opens this pivot table; `nil` for any other table.
    var pivotCommand: PivotCommand?
    /// Opens the input. Runs on another thread, because it may wait indefinitely for the first bytes. It should stop when `isCancelled`
    /// returns true; a result after that is ignored.
    public let open: @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource

    /// Creates an input whose opening can be cancelled.
    /// - Parameter activity: the activity to show while the input is being opened; `nil` for a file or a pipe.
    public init(
        name: String, path: String? = nil, activity: String? = nil,
        opening open: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource
    ) {
        (self.name, self.path, self.open) = (name, path, open)
        self.activity = activity ?? "waiting for input"
    }

    /// Creates an input whose opening cannot be cancelled.
    public init(name: String, path: String? = nil, activity: String? = nil, open: @escaping @Sendable () throws -> any TableSource) {
        self.init(name: name, path: path, activity: activity, opening: { _ in try open() })
    }

    /// Creates an input that is ready at once.
    init(name: String, usesLaunchOptions: Bool, open: @escaping @Sendable () throws -> any TableSource) {
        self.init(name: name, open: open)
        self.usesLaunchOptions = usesLaunchOptions
    }
}

/// The runtime objects of a sheet, such as its document and jobs. Its ``SheetState`` has the state that is drawn.
@MainActor
final class OpenSheet {
    let id: Int
    /// The path that opens this input again; `nil` to use the path of the opened table.
    let path: String?
    var document: Document
    /// The ID of the sheet from which this one was opened; `nil` if it was opened in another way.
    let originID: Int?
    /// Opens the input, on another thread; `nil` once it is open.
    var openInput: (@Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource)?
    /// The activity to show while the input is being opened.
    let activity: String
    /// True if the options that describe the view of a file apply, as in ``SheetInput/usesLaunchOptions``.
    let usesLaunchOptions: Bool
    /// The first words of the command line that opens this pivot table; `nil` for any other table.
    var pivotCommand: PivotCommand?
    /// The pending request for a password; `nil` for none.
    var passwordRequest: PasswordNeeded?
    /// The number of passwords that the user has typed since the input was last opened. It limits the attempts.
    var passwordAttempts = 0
    let jobs = JobRegistry()
    let unfinishedFiles = UnfinishedFiles()
    /// The problems of the input, except the reason for an early end, which ``earlyEndReason`` has.
    var inputProblems: [String]
    /// The reason why the last rows are missing, if the input has ended early; otherwise `nil`.
    var earlyEndReason: String?
    /// All problems of the file, for the title line and the page with details of the file.
    var problems: [String] { (earlyEndReason.map { [$0] } ?? []) + inputProblems }
    /// The rows that the last filter has found, and the number of rows that it has tested. A query with the same filters tests only newer
    /// rows.
    var filteredRows: FilteredRows?
    /// The time at which new rows were last filtered. It limits how often new rows are filtered, and does not affect the result.
    var lastFilterTime = ContinuousClock.now
    /// The matches of the last search; `nil` until a job has counted them.
    var matchIndex: MatchIndex?
    /// A saved view that waits until the file has been read again with the reading options of the view; `nil` for none.
    var awaitedView: ViewCoding.DecodedView?
    /// Watches the file, and reports its changes until this object is released; `nil` if the file is not watched.
    var watcher: (any AnyObject & Sendable)?
    /// The number of watchers started for this sheet. A report with a lower number comes from an earlier watcher, and is ignored.
    var watcherCount = 0
    /// True if a change of the file was reported, and the changed file has not been read yet.
    var hasUnreadChange = false

    init(id: Int, _ document: Document, path: String? = nil) {
        (self.id, self.path, originID, activity, usesLaunchOptions) = (id, path, nil, "", true)
        self.document = document
        inputProblems = document.problems
    }

    /// Creates a sheet whose input will be opened later.
    init(id: Int, _ input: SheetInput, originID: Int? = nil) throws {
        (self.id, path, self.originID, activity, usesLaunchOptions) = (id, input.path, originID, input.activity, input.usesLaunchOptions)
        document = try Document(MemorySource(name: input.name, titles: [], rows: []), options: LaunchOptions())
        (openInput, pivotCommand) = (input.open, input.pivotCommand)
        inputProblems = document.problems
    }

    func end() {
        watcher = nil
        jobs.cancelAll()
        unfinishedFiles.close()
        document.input.wakeReader()
    }
}
