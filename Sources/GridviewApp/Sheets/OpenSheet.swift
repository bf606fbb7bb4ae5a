public import Tables

/// An input that is opened when its sheet is first shown.
public struct SheetInput: Sendable {
    /// The name of the sheet.
    public let name: String
    /// The path that opens the input again, such as `data.db:trades`; `nil` to use the path of the input.
    public let path: String?
    /// The activity while it is being opened, such as `connecting to db.example.com`.
    public let activity: String
    /// Opens the input. Runs on another thread, because it may wait indefinitely for the first bytes. It should stop when `isCancelled`
    /// returns true; otherwise, its result is ignored.
    public let open: @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource

    /// Creates an input.
    /// - Parameter activity: the activity while it is being opened; `nil` for a file or a pipe.
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
}

/// The runtime objects of an open table, complementing its ``SheetState``.
@MainActor
final class OpenSheet {
    let id: Int
    /// The path that opens the input again; `nil` to use the path of the input.
    let path: String?
    var document: Document
    /// The number of the sheet from which this one was opened; `nil` if it was not opened from a sheet.
    let origin: Int?
    /// Opens the input; `nil` once it is open.
    var openInput: (@Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource)?
    /// The activity while the input is being opened.
    let activity: String
    /// The question for the password that the input needs.
    var passwordRequest: PasswordNeeded?
    /// The number of passwords that were typed since the input was last opened.
    var passwordAttempts = 0
    let jobs = JobRegistry()
    let unfinishedFiles = UnfinishedFiles()
    /// The problems of the input, without the reason for an early end.
    var inputProblems: [String]
    /// The reason why rows are missing at the end, if the input has ended early; otherwise `nil`.
    var earlyEnd: String?
    /// The problems of the file, for the title line and the page about the file.
    var problems: [String] { (earlyEnd.map { [$0] } ?? []) + inputProblems }
    /// The last filter result: a cache for the next query, which filters only newer rows. It includes the number of rows that were tested.
    var filtered: FilteredRows?
    /// The time at which new rows were last filtered. It paces jobs and does not affect their result.
    var lastFiltered = ContinuousClock.now
    /// The counted matches of the last search; `nil` until they are counted.
    var matches: MatchIndex?
    /// The view to apply when the file has been read with its options.
    var awaitedView: ViewCoding.DecodedView?
    /// Reports changes of the file until it is released.
    var watcher: (any AnyObject & Sendable)?
    /// The number of watchers that were started. It distinguishes the current watcher from earlier ones, whose late reports are ignored.
    var watcherCount = 0
    /// True if a change of the file was reported and has not been read.
    var hasUnreadChange = false

    init(id: Int, _ document: Document, path: String? = nil) {
        (self.id, self.path, origin, activity) = (id, path, nil, "")
        self.document = document
        inputProblems = document.problems
    }

    /// Creates a sheet whose input is not open yet.
    init(id: Int, _ input: SheetInput, origin: Int? = nil) throws {
        (self.id, path, self.origin, activity) = (id, input.path, origin, input.activity)
        document = try Document(MemorySource(name: input.name, titles: [], rows: []), options: LaunchOptions())
        openInput = input.open
        inputProblems = document.problems
    }

    func end() {
        watcher = nil
        jobs.cancelAll()
        unfinishedFiles.close()
        document.input.wakeReader()
    }
}
