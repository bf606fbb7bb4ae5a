public import DataGrid
public import DataGridQuery
public import DataGridTerminal
public import FieldValues
public import Tables

/// A format in which a view is written out.
public enum OutputFormat: String, Sendable, CaseIterable {
    case text, csv, tsv, json, jsonl, markdown
}

/// What a column is to be read as.
public struct ColumnType: Hashable, Sendable {
    /// What its values are.
    public var kind: ValueKind
    /// How its numbers are written; `nil`: as was found.
    public var notation: NumberNotation?

    /// A type for values of `kind`.
    public init(_ kind: ValueKind, _ notation: NumberNotation? = nil) {
        self.kind = kind
        self.notation = notation
    }
}

/// Everything the command line can ask of a view.
public struct LaunchOptions: Sendable {
    /// Files; `-` is standard input.
    public var path: String?
    /// The files that are opened as further sheets.
    public var furtherPaths: [String] = []
    /// Opens inputs, and temporary files for jobs; `nil`: nothing can be opened again, and jobs keep to their memory.
    public var opener: (any TableOpener)?
    /// The columns to show, in this order; empty: all, in the order of the file.
    public var columns: [ColumnReference] = []
    /// Columns to derive from others, such as `total = price * quantity`. Each may name those before it.
    public var derivedColumns: [String] = []
    /// Whether derived columns with a mistake are left out; otherwise they are an error.
    var leavesOutMistakenColumns = false
    /// Columns that begin hidden.
    public var hiddenColumns: [ColumnReference] = []
    /// What columns are to be read as, in place of the type found; later entries win.
    public var types: [(column: ColumnReference, type: ColumnType)] = []
    /// Digits behind the decimal point to show, 0 to 12; later entries win.
    public var formats: [(column: ColumnReference, fractionDigits: Int)] = []
    /// Sort keys, the strongest first; empty: the order of the file.
    public var sort: [SortRequest] = []
    /// The letters by which texts are put in order; the program asks the locale.
    public var alphabet = NaturalOrder.Alphabet.ascii
    /// Conditions that rows have to fulfil to be shown, all of them; as `DataGridQuery.Filter` reads them.
    public var filters: [String] = []
    /// Levels to group by, the outermost first; empty: no sections.
    public var groups: [GroupRequest] = []
    /// What section headers tell; empty: sums of integers and means of decimals, where they are amounts.
    public var aggregates: [AggregateOption] = []
    /// Whether all sections begin collapsed.
    public var isCollapsed = false
    /// Columns and rows that do not scroll.
    public var frozen = FrozenPanes()
    /// Text whose first match the cursor goes to; `nil`: the cursor begins at the top.
    public var find: String?
    /// What can be selected by hand; `nil`: the grid's default, cells.
    public var selectionMode: SelectionMode?
    /// The colours, a preset's or others; `nil`: chosen by the terminal's background.
    public var theme: Theme?
    /// Whether the terminal is asked to report the mouse.
    public var usesMouse = true
    /// Which keys run which command; `nil`: the standard keys. Batch output never makes them.
    public var keyMap: KeyMap<Command>?
    /// Rows to write, from 0; `nil`: all.
    public var rows: Range<Int>?
    /// Rows to write at most, counted from the first of ``rows``; `nil`: no limit.
    public var limit: Int?
    /// Threads that one job may use, from 1 on.
    public var threads = 2
    /// The threads that there is room for: a thread that cannot be made would be waited for without end.
    var affordableThreads: Int { min(threads, max(1, (Platform.addressSpaceLeft ?? .max) / Self.spacePerThread)) }
    /// Bytes of address space: a stack of 8 MiB, buffers, and what the work on a thread allocates.
    private static let spacePerThread = 32 << 20
    /// Bytes to sort in, and of columns to keep for further sorting and grouping; `nil`: a quarter of the machine's memory.
    public var memory: Int?

    /// Whether there is time to wait for the end of a pipe before anything is shown.
    public var waitsForInput = false

    /// Asks for nothing: the whole file as it is.
    public init() {}
}

extension NaturalOrder.Alphabet {
    /// The letters that the locale asks for: LC_ALL, else LC_COLLATE, else LANG, whichever is the first not to be empty. `C` and `POSIX`
    /// ask for those of ASCII, whatever their encoding (`C.UTF-8`), and so does a locale that is not set.
    /// - Parameter environment: the value of a variable; `nil` where it is not set.
    public init(environment: (_ name: String) -> String?) {
        let locale = ["LC_ALL", "LC_COLLATE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? "C"
        let language = locale.prefix { $0 != "." && $0 != "@" }
        self = language == "C" || language == "POSIX" ? .ascii : .unicode
    }
}

/// What is wrong with a request, and what to do about it.
public struct RequestError: Error, Sendable, Hashable {
    /// One or two sentences that a person can act on.
    public var message: String
    /// Whether the request itself is wrong, and not what became of it.
    public var isUsage: Bool
    /// Whether it names a column that a longer row may bring: the request can be tried again when more of the file is known.
    var mayHoldLater = false

    /// An error that says `message`.
    public init(_ message: String, isUsage: Bool = false) {
        self.message = message
        self.isUsage = isUsage
    }
}
