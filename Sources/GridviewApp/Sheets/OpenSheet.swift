public import Tables

/// An input that is opened when its sheet is first shown.
public struct SheetInput: Sendable {
    /// What to call the sheet.
    public let name: String
    /// Opens the input, on another thread. May wait for its first bytes as long as it likes.
    public let open: @Sendable () throws -> any TableSource

    /// An input of that name.
    public init(name: String, open: @escaping @Sendable () throws -> any TableSource) {
        self.name = name
        self.open = open
    }
}

/// What the program holds of an open table, beside its ``SheetState``.
@MainActor
final class OpenSheet {
    let id: Int
    var document: Document
    /// Opens the input; `nil` once it is open.
    var awaitedInput: (@Sendable () throws -> any TableSource)?
    let jobs = JobRegistry()
    var notes: [String]
    var filtered: FilteredRows?
    /// When rows that have come were last given to the filters.
    var lastFollowed = ContinuousClock.now
    var matches: MatchIndex?
    /// Whether the record view is to go to its end as soon as that is known.
    var isRecordEndWanted = false
    /// The search of the command line, while it is still to be made.
    var launchSearch: Search?
    /// Tells of changes of the file.
    var watcher: FileWatcher?

    init(id: Int, _ document: Document, awaiting input: (@Sendable () throws -> any TableSource)? = nil) {
        self.id = id
        self.document = document
        awaitedInput = input
        notes = document.notes
    }

    /// A sheet whose input is to be opened.
    convenience init(id: Int, _ input: SheetInput) throws {
        let document = try Document(MemorySource(name: input.name, titles: [], rows: []), options: LaunchOptions())
        self.init(id: id, document, awaiting: input.open)
    }

    func end() {
        watcher = nil
        jobs.cancelAll()
        document.input.interrupt()
    }
}
