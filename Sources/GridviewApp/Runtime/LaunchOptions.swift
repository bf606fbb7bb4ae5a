public import DataGrid
public import DataGridQuery
public import DataGridTerminal
public import FieldValues
public import Tables

/// A text format that the program can write.
public enum OutputFormat: String, Sendable, CaseIterable {
    case text, csv, tsv, json, jsonl, markdown, html, sql

    /// True if the format can have section headers between rows.
    var showsSections: Bool { self == .text || self == .markdown }

    /// True if two columns must not have the same name.
    var needsDistinctNames: Bool { [.json, .jsonl, .sql].contains(self) }
}

/// A column type that the user has requested by an option.
public struct ColumnType: Hashable, Sendable {
    /// The kind of the values.
    public var kind: ValueKind
    /// The decimal and thousands separators; `nil` to detect them.
    public var notation: DecimalStyle?
    /// The order and form of dates; `nil` to detect them.
    public var dateNotation: DateNotation?

    /// Creates a type for values of `kind`.
    public init(_ kind: ValueKind, _ notation: DecimalStyle? = nil, dateNotation: DateNotation? = nil) {
        self.kind = kind
        self.notation = notation
        self.dateNotation = dateNotation
    }
}

/// The options with which the program starts. They come from the command line and the settings file; the main program adds functions.
public struct LaunchOptions: Sendable {
    /// The path of the first file; `-` is standard input.
    public var path: String?
    /// The paths of the other files, each opened as a sheet.
    public var additionalPaths: [String] = []
    /// Opens inputs, and creates temporary files for jobs. If it is `nil`, files cannot be reloaded, and jobs use only memory.
    public var opener: (any TableOpener)?
    /// The columns to show, in this order; empty for all, in file order.
    public var columns: [ColumnReference] = []
    /// The definitions of derived columns, such as `total = price * quantity`. A definition may use derived columns before it.
    public var derivedColumns: [String] = []
    /// True to skip invalid definitions of derived columns; false to report them as errors.
    var omitsInvalidColumns = false
    /// The columns that are hidden at the start.
    public var hiddenColumns: [ColumnReference] = []
    /// The types of columns that the user sets instead of detecting them. The last type for a column applies.
    public var types: [(column: ColumnReference, type: ColumnType)] = []
    /// The numbers of fraction digits to show, from 0 to 12. The last number for a column applies.
    public var fractionDigits: [(column: ColumnReference, fractionDigits: Int)] = []
    /// True to show amounts with thousands separators; false to show all numbers as written.
    public var groupsThousands = true
    /// The order of day and month for dates that can be read in both orders, such as 01/02/2024; `nil` to read them like the dates of other
    /// columns.
    public var ambiguousDates: DateNotation?
    /// The sort keys, most significant first; empty for file order.
    public var sort: [SortRequest] = []
    /// The alphabet by which text is sorted. The main program sets the alphabet of the user's locale.
    public var alphabet = NaturalOrder.Alphabet.ascii
    /// Filters as text in the syntax of `DataGridQuery.Filter`. A row must match all of them.
    public var filters: [String] = []
    /// The group columns, outermost first; empty for no groups.
    public var groups: [GroupRequest] = []
    /// The aggregates that group headers show; empty for the default ones.
    public var aggregates: [AggregateOption] = []
    /// The pivot table to show instead of the input; `nil` for none. ``PivotedInput`` computes it.
    public var pivot: PivotText?
    /// True if all groups are collapsed at the start.
    public var isCollapsed = false
    /// The numbers of columns and rows that are frozen at the start.
    public var frozen = FrozenPanes()
    /// The text of a search. The cursor starts at its first match; `nil` to start at the top.
    public var searchText: String?
    /// The selection mode; `nil` for the default, cells.
    public var selectionMode: SelectionMode?
    /// The theme; `nil` for the one that matches the background of the terminal.
    public var theme: Theme?
    /// The name or the absolute path of ``theme``, which the program can save as a setting.
    public var themeName: String?
    /// True if the last line of the screen shows key hints.
    public var showsHints = true
    /// The path of the settings file, in which the program can save changes; `nil` if changes cannot be saved.
    public var settingsPath: String?
    /// The errors of the settings file, which the program shows at the start.
    public var settingsProblems: [SettingsProblem] = []
    /// True to save the view of each file on closing, so that it can be restored.
    public var savesRecentViews = true
    /// True to follow the file: new rows are read when they arrive, and a cursor on the last row moves to the new last row.
    public var followsFile = false
    /// True to reload the file whenever it changes.
    public var reloadsChanges = false
    /// Watches files for changes; `nil` to use the notifications of the system. Tests set it.
    var fileWatching: FileWatching?
    /// The file that records the first use of the program. For one day after that, a message with five keys is shown at the start. `nil` if
    /// the message is never shown.
    public var firstUse: FirstUse?
    /// True if the program handles the mouse; false if the terminal selects text with it.
    public var usesMouse = true
    /// The key bindings; `nil` for the default keys. Batch output needs no keys, so it does not create the default keys.
    public var keyMap: KeyMap<Command>?
    /// Finds the programs that copy text to a clipboard. The main program sets a function that searches for installed ones. Called in a
    /// job.
    public var clipboardPrograms: @Sendable () -> [ClipboardProgram] = { [] }
    /// The reason why the program that the user chose for copying cannot be used, such as `xclip was not found`; `nil` if the program can
    /// be used. Called in a job.
    public var clipboardProblem: @Sendable () -> String? = { nil }
    /// The options for printing rows that the user picks; `nil` if rows cannot be picked.
    public var pick: PickSettings?
    /// The saved view to apply to each opened file; `nil` for none. Its settings override other options.
    public var view: ViewCoding.DecodedView?
    /// Reads and writes saved views; `nil` if views cannot be saved.
    public var viewCoding: ViewCoding?
    /// Stores the last view of each file; `nil` to store none.
    public var recentViews: RecentViews?
    /// The format that ``opener`` assumes for all files; `nil` if the opener detects the format. Saved views contain this format.
    public var fileFormat: String?
    /// The folder for exports with a relative path; `nil` for the working directory.
    public var exportFolder: String?
    /// The positions of the rows to write, from 0; `nil` for all.
    public var rows: Range<Int>?
    /// The maximum number of rows to write, from the first of ``rows``; `nil` for no limit.
    public var limit: Int?
    /// The maximum number of threads of a job, 1 or greater.
    public var threads = 2
    /// The number of threads that a job can use: ``threads``, or fewer if the address space is limited. The program would wait forever for
    /// a thread that cannot be created.
    var affordableThreads: Int { min(threads, max(1, (Platform.remainingAddressSpace ?? .max) / Self.bytesPerThread)) }
    /// The address space that one thread needs, in bytes: a stack of 8 MiB, buffers, and the memory of its work.
    private static let bytesPerThread = 32 << 20
    /// The memory for sorting and for cached columns, in bytes; `nil` for a quarter of the physical memory.
    public var memory: Int?
    /// The memory for sorting and for cached columns, in bytes: ``memory``, or a quarter of the physical memory.
    public var memoryOrDefault: Int { memory ?? Platform.memorySize / 4 }
    /// Returns the engine that runs queries on all tables. The parameter is the engine that runs queries in this process; if this property
    /// is `nil`, that engine runs all queries.
    public var makeEngine: (@Sendable (LocalQueryEngine) -> any QueryEngine)?

    /// Returns these options without the default options of the settings file. Called if the default options are not valid for a table.
    /// `nil` if the settings file has no default options.
    ///
    /// The parameter is the error in the default options. The result has this error in ``settingsProblems``.
    public var makeFallbackOptions: (@Sendable (RequestError) -> LaunchOptions)?

    /// True to read a pipe to its end before anything is shown.
    public var waitsForInput = false

    /// Creates options that show the whole file as it is.
    public init() {}

    /// A copy of the options with one more error of the settings file.
    public func adding(_ problem: SettingsProblem) -> LaunchOptions {
        var options = self
        options.settingsProblems.append(problem)
        return options
    }

    /// A copy of these options with the view settings of `other`. The inputs, the opener, the engine, the clipboard and the recent views
    /// stay.
    public func with(viewOf other: LaunchOptions) -> LaunchOptions {
        var options = other
        (options.path, options.additionalPaths, options.opener, options.makeEngine) = (path, additionalPaths, opener, makeEngine)
        (options.alphabet, options.waitsForInput, options.firstUse) = (alphabet, waitsForInput, firstUse)
        (options.clipboardPrograms, options.clipboardProblem) = (clipboardPrograms, clipboardProblem)
        (options.viewCoding, options.recentViews, options.makeFallbackOptions) = (viewCoding, recentViews, nil)
        return options
    }

    /// A copy without the options that name columns and rows of the file, for a table that the program has computed.
    var optionsForComputedTable: LaunchOptions {
        var options = self
        (options.columns, options.hiddenColumns, options.derivedColumns, options.types) = ([], [], [], [])
        (options.fractionDigits, options.sort, options.filters, options.groups, options.aggregates) = ([], [], [], [], [])
        (options.isCollapsed, options.frozen, options.searchText, options.view, options.pick) = (false, FrozenPanes(), nil, nil, nil)
        options.makeFallbackOptions = nil
        return options
    }

    /// Creates options with the user's settings, except the theme and the keys.
    public init(_ settings: Settings) {
        (showsHints, usesMouse, groupsThousands) = (settings.showsHints, settings.usesMouse, settings.groupsThousands)
        (ambiguousDates, savesRecentViews) = (settings.ambiguousDates, settings.savesRecentViews)
    }
}

extension NaturalOrder.Alphabet {
    /// The alphabet of the user's locale: the first of LC_ALL, LC_COLLATE and LANG that is set and not empty.
    ///
    /// `C` and `POSIX`, with any encoding (`C.UTF-8`), stand for ASCII, as does an unset locale.
    /// - Parameter environment: returns the value of an environment variable; `nil` if it is not set.
    public init(environment: (_ name: String) -> String?) {
        let locale = ["LC_ALL", "LC_COLLATE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? "C"
        let language = locale.prefix { $0 != "." && $0 != "@" }
        self = language == "C" || language == "POSIX" ? .ascii : .unicode
    }
}

/// A failed request of the user, with a message that contains a remedy.
public struct RequestError: Error, Sendable, Hashable {
    /// The message for the user, one or two sentences.
    public var message: String
    /// True for wrong usage, such as an invalid option; false if a valid request has failed.
    public var isUsageError: Bool
    /// True if the request names a column that later rows may have, so that it can be tried again when more of the input is read.
    var mayBecomeValid = false
    /// True if the request depends on the type of a column without a value in the sample of rows. If ``mayBecomeValid`` is true, it can be
    /// tried again when the type is found.
    var needsRareTypes = false

    /// Creates an error.
    public init(_ message: String, isUsageError: Bool = false) {
        self.message = message
        self.isUsageError = isUsageError
    }
}
