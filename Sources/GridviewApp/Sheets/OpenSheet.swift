public import Tables

/// An input that is opened when its sheet is first shown.
public struct SheetInput: Sendable {
    /// The name of the sheet.
    public let name: String
    /// The path that opens the input again, such as `data.db:trades`; `nil` for that of the input.
    public let path: String?
    /// Opens the input. Called on another thread, because it may wait indefinitely for the first bytes.
    public let open: @Sendable () throws -> any TableSource

    /// Creates an input.
    public init(name: String, path: String? = nil, open: @escaping @Sendable () throws -> any TableSource) {
        (self.name, self.path, self.open) = (name, path, open)
    }
}

/// The runtime objects of an open table, complementing its ``SheetState``.
@MainActor
final class OpenSheet {
    let id: Int
    /// The path that opens the input again; `nil` for that of the input.
    let path: String?
    var document: Document
    /// Opens the input; `nil` once it is open.
    var awaitedInput: (@Sendable () throws -> any TableSource)?
    let jobs = JobRegistry()
    let unfinishedFiles = UnfinishedFiles()
    var notes: [String]
    /// The last filter result: a cache for the next query, which filters only newer rows. It records how many rows are filtered.
    var filtered: FilteredRows?
    /// The time at which new rows were last filtered. It paces jobs and does not affect their result.
    var lastFiltered = ContinuousClock.now
    var matches: MatchIndex?
    /// The view to apply when the file has been read with its options.
    var awaitedView: ViewCoding.DecodedView?
    /// Reports changes of the file until it is released.
    var watcher: (any AnyObject & Sendable)?
    /// True if a change of the file was reported and has not been read.
    var hasUnreadChange = false

    init(id: Int, _ document: Document, path: String? = nil, awaiting input: (@Sendable () throws -> any TableSource)? = nil) {
        (self.id, self.path) = (id, path)
        self.document = document
        awaitedInput = input
        notes = document.notes
    }

    /// Creates a sheet whose input is not open yet.
    convenience init(id: Int, _ input: SheetInput) throws {
        let document = try Document(MemorySource(name: input.name, titles: [], rows: []), options: LaunchOptions())
        self.init(id: id, document, path: input.path, awaiting: input.open)
    }

    func end() {
        watcher = nil
        jobs.cancelAll()
        unfinishedFiles.close()
        document.input.wakeReader()
    }
}
