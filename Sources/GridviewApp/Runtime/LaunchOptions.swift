public import DataGrid
public import DataGridQuery
public import DataGridTerminal
public import FieldValues
public import Tables

/// A format of written text.
public enum OutputFormat: String, Sendable, CaseIterable {
    case text, csv, tsv, json, jsonl, markdown, html, sql

    /// True if the format can show section headers.
    var showsSections: Bool { self == .text || self == .markdown }
}

/// A requested column type.
public struct ColumnType: Hashable, Sendable {
    /// The kind of its values.
    public var kind: ValueKind
    /// The notation of its numbers; `nil` for the detected one.
    public var notation: DecimalStyle?
    /// The notation of its dates; `nil` for the detected one.
    public var dateNotation: DateNotation?

    /// Creates a type for values of `kind`.
    public init(_ kind: ValueKind, _ notation: DecimalStyle? = nil, dateNotation: DateNotation? = nil) {
        self.kind = kind
        self.notation = notation
        self.dateNotation = dateNotation
    }
}

/// The options with which the program starts: those of the command line, and functions of the main program.
public struct LaunchOptions: Sendable {
    /// The path of the first file; `-` is standard input.
    public var path: String?
    /// The paths of the other files, each opened as a sheet.
    public var additionalPaths: [String] = []
    /// Opens inputs, and temporary files for jobs. If this is `nil`, files cannot be reloaded, and jobs use memory only.
    public var opener: (any TableOpener)?
    /// The columns to show, in this order; empty for all, in file order.
    public var columns: [ColumnReference] = []
    /// Derived columns, such as `total = price * quantity`. A definition may use earlier derived columns.
    public var derivedColumns: [String] = []
    /// True to omit invalid derived columns; otherwise they are an error.
    var omitsInvalidColumns = false
    /// The initially hidden columns.
    public var hiddenColumns: [ColumnReference] = []
    /// Column types that replace the detected ones; later entries take precedence.
    public var types: [(column: ColumnReference, type: ColumnType)] = []
    /// Fraction digits to show, 0 to 12; later entries take precedence.
    public var formats: [(column: ColumnReference, fractionDigits: Int)] = []
    /// True if amounts have grouped thousands; false to show all numbers as written.
    public var groupsThousands = true
    /// The order of day and month of dates that can be read in both orders; `nil` for the order of the other columns.
    public var ambiguousDates: DateNotation?
    /// The sort keys, most significant first; empty for file order.
    public var sort: [SortRequest] = []
    /// The alphabet that determines the order of text. The program sets the alphabet of the locale.
    public var alphabet = NaturalOrder.Alphabet.ascii
    /// Filter conditions in the syntax of `DataGridQuery.Filter`; a row must match all of them.
    public var filters: [String] = []
    /// The group columns, outermost first; empty for no groups.
    public var groups: [GroupRequest] = []
    /// The aggregates of groups; empty for the default ones.
    public var aggregates: [AggregateOption] = []
    /// True if all groups are initially collapsed.
    public var isCollapsed = false
    /// The frozen columns and rows.
    public var frozen = FrozenPanes()
    /// A search whose first match is the initial cursor position; `nil` to start at the top.
    public var find: String?
    /// The selection mode; `nil` for the default, cells.
    public var selectionMode: SelectionMode?
    /// The theme; `nil` to choose one by the background of the terminal.
    public var theme: Theme?
    /// The name or the absolute path of ``theme``, for settings.
    public var themeName: String?
    /// True if the last line shows hints.
    public var showsHints = true
    /// The settings file, in which changed settings can be saved; `nil` if they cannot.
    public var settingsPath: String?
    /// The errors of the settings file, shown when the program starts.
    public var settingsProblems: [SettingsProblem] = []
    /// True if the view of each file is saved.
    public var savesRecentViews = true
    /// True to follow the file: its new rows are read when they arrive, and the last row stays in view.
    public var followsFile = false
    /// True to reload the file whenever it changes.
    public var reloadsChanges = false
    /// The function that watches files for changes; `nil` to use the notifications of the system.
    var fileWatching: FileWatching?
    /// The file that marks the first use. It determines whether the message with five keys is shown. `nil` for no file and no message.
    public var firstUse: FirstUse?
    /// True if the terminal reports the mouse.
    public var usesMouse = true
    /// The key bindings; `nil` for the default keys. Batch output never creates them.
    public var keyMap: KeyMap<Command>?
    /// Finds the programs that copy text to a clipboard; the main program sets a function that finds installed programs. A job calls it.
    public var clipboardPrograms: @Sendable () -> [ClipboardProgram] = { [] }
    /// The reason why the chosen program for copying cannot be used, such as `xclip was not found`; `nil` if it can. A job calls it.
    public var clipboardProblem: @Sendable () -> String? = { nil }
    /// The options of a picker, which prints the rows that the user chooses; `nil` if rows cannot be picked.
    public var pick: PickSettings?
    /// The view to apply to each opened file; `nil` for none. Its parts take precedence over other options.
    public var view: ViewCoding.DecodedView?
    /// The file format of views; `nil` if they cannot be saved.
    public var viewCoding: ViewCoding?
    /// The last views of files; `nil` to keep none.
    public var recentViews: RecentViews?
    /// The format as which ``opener`` reads files, which saved views contain; `nil` if it is detected.
    public var fileFormat: String?
    /// The folder of exported files with a relative path; `nil` for the current folder.
    public var exportFolder: String?
    /// The rows to write, from 0; `nil` for all.
    public var rows: Range<Int>?
    /// The maximum number of rows to write, from the first of ``rows``; `nil` for no limit.
    public var limit: Int?
    /// The maximum number of threads of a job, 1 or greater.
    public var threads = 2
    /// ``threads``, limited by the address space: the program would wait forever for a thread that cannot be created.
    var affordableThreads: Int { min(threads, max(1, (Platform.addressSpaceLeft ?? .max) / Self.bytesPerThread)) }
    /// The address space in bytes that a thread needs: a stack of 8 MiB, buffers, and the allocations of its work.
    private static let bytesPerThread = 32 << 20
    /// Bytes of memory for sorting and for cached columns; `nil` for a quarter of the physical memory.
    public var memory: Int?
    /// ``memory``, or a quarter of the physical memory, in bytes.
    public var memoryOrDefault: Int { memory ?? Platform.memorySize / 4 }
    /// Creates the query engine of all tables from the local engine of this process; `nil` to use the local engine.
    public var engine: (@Sendable (LocalQueryEngine) -> any QueryEngine)?

    /// Returns these options without the default options of the settings file, for a table for which the default options are not valid.
    /// `nil` if the settings file has no default options.
    ///
    /// The parameter is the error, which is added to ``settingsProblems`` of the result.
    public var fallback: (@Sendable (RequestError) -> LaunchOptions)?

    /// True to wait for the end of a pipe before anything is shown.
    public var waitsForInput = false

    /// Creates options for the whole file, unchanged.
    public init() {}

    /// The options with an additional error of the settings file.
    public func adding(_ problem: SettingsProblem) -> LaunchOptions {
        var options = self
        options.settingsProblems.append(problem)
        return options
    }

    /// The options of `other`, with the inputs, the opener and the engine of these options.
    public func with(viewOf other: LaunchOptions) -> LaunchOptions {
        var options = other
        (options.path, options.additionalPaths, options.opener, options.engine) = (path, additionalPaths, opener, engine)
        (options.alphabet, options.waitsForInput, options.firstUse) = (alphabet, waitsForInput, firstUse)
        (options.clipboardPrograms, options.clipboardProblem) = (clipboardPrograms, clipboardProblem)
        (options.viewCoding, options.recentViews, options.fallback) = (viewCoding, recentViews, nil)
        return options
    }

    /// Creates options with the user's settings, except the theme and the keys.
    public init(_ settings: Settings) {
        (showsHints, usesMouse, groupsThousands) = (settings.showsHints, settings.usesMouse, settings.groupsThousands)
        (ambiguousDates, savesRecentViews) = (settings.ambiguousDates, settings.savesRecentViews)
    }
}

extension NaturalOrder.Alphabet {
    /// The alphabet of the locale: the first nonempty one of LC_ALL, LC_COLLATE and LANG. `C` and `POSIX`, with any encoding (`C.UTF-8`),
    /// and an unset locale mean ASCII.
    /// - Parameter environment: returns the value of a variable; `nil` if it is not set.
    public init(environment: (_ name: String) -> String?) {
        let locale = ["LC_ALL", "LC_COLLATE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? "C"
        let language = locale.prefix { $0 != "." && $0 != "@" }
        self = language == "C" || language == "POSIX" ? .ascii : .unicode
    }
}

/// An error in a request, with a remedy.
public struct RequestError: Error, Sendable, Hashable {
    /// The message, one or two sentences.
    public var message: String
    /// True for a usage error; false for a failure of a valid request.
    public var isUsageError: Bool
    /// True if the request names a column that a longer row may add. The request can be tried again when more of the file is read.
    var mayBecomeValid = false

    /// Creates an error.
    public init(_ message: String, isUsageError: Bool = false) {
        self.message = message
        self.isUsageError = isUsageError
    }
}
