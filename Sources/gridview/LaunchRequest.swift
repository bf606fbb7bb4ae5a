import DataGrid
import DelimitedText
import GridviewApp
import ServerTables
import TableFormats
import Tables
import TerminalSurface

/// A command line after it was checked: what to open, how to show it, and where to write it.
struct LaunchRequest {
    var options = LaunchOptions()
    /// The options without the default options of the settings file, for checks of the command line alone; `nil` if no default options
    /// apply.
    var commandLineOptions: LaunchOptions?
    var opener = FileOpener(indexCache: .user)
    /// The SQL statement of the option `--sql`; `nil` without it.
    var statement: String?
    /// The paths of the files that the SQL statement reads; `nil` without a statement, or if a server runs it.
    var queriedFiles: [String]?
    /// True if the option `--snapshot` is used.
    var takesSnapshots = false
    /// Opens files, and tables on servers.
    var tableOpener: ServerOpener<FileOpener> {
        var servers = ServerOpener(files: opener)
        (servers.statement, servers.table, servers.takesSnapshots) = (statement, opener.table, takesSnapshots)
        (servers.queriedFiles, servers.queryResources) = (queriedFiles, (options.threads, options.memoryOrDefault))
        return servers
    }
    /// The number of colors to use on the screen; `nil` to detect what the terminal can show.
    var colorDepth: ColorDepth?
    /// How to copy text to the clipboard: by a program or by the terminal.
    var clipboard = ClipboardChoice.automatic
    /// The format in which rows are written; `nil` for aligned text.
    var format: FileFormat?
    /// The format of the screen that `--print-screen` prints; `nil` without this option.
    var screenFormat: Screenshot.Format?
    var screenSize = TerminalSize(columns: 120, rows: 40)
    var keys: [KeyPress] = []
    /// True if rows must be written, even if the output is a terminal.
    var requiresOutput = false
    var writesStatistics = false
    /// True to write control characters unchanged to a terminal, instead of visible marks.
    var isRaw = false
    /// True to make formulas in CSV and TSV harmless for spreadsheets.
    var neutralizesFormulas = false

    /// Creates the request for a command line that has only files; `nil` if it has options.
    ///
    /// This makes the program start faster: the argument parser inspects the types of all options by reflection, which takes longer than
    /// everything else.
    init?(onlyFiles arguments: [String], _ file: SettingsFile = SettingsFile()) {
        guard Self.hasOnlyFiles(arguments) else { return nil }
        var file = file
        options = LaunchOptions(file.settings)
        options.path = arguments.first
        options.additionalPaths = Array(arguments.dropFirst())
        (colorDepth, clipboard) = (file.settings.colorDepth, file.settings.clipboard)
        var reading = ReadingSettings()
        reading.decimal = file.settings.decimal
        guard let dialect = try? DialectRequest(reading) else { return nil }
        opener.dialect = dialect
        setTheme(from: &file)
        options.keyMap = file.keyMap(preset: nil)
        (options.settingsPath, options.settingsProblems) = (file.path, file.problems)
    }

    /// True if a command line has only files and no options.
    static func hasOnlyFiles(_ arguments: [String]) -> Bool {
        arguments.allSatisfy { !$0.isEmpty && !$0.hasPrefix("-") } || arguments == ["-"]
    }

    private mutating func setTheme(from file: inout SettingsFile) {
        guard let name = file.settings.theme else { return }
        let folder = file.path.flatMap { path in path.lastIndex(of: "/").map { path[..<$0] } }
        do {
            try setTheme(named: name, in: folder)
        } catch let error as UsageError {
            file.report("theme", error.message.replacing("--theme: ", with: ""))
        } catch {
            file.report("theme", "\(error)")
        }
    }

    /// - Parameter folder: the folder to which a path is relative; `nil` for the working directory.
    private mutating func setTheme(named name: String, in folder: Substring? = nil) throws {
        guard name != "auto" else { return }
        let isPath = name.contains("/") || name.hasSuffix(".json")
        let path = isPath && !name.hasPrefix("/") ? folder.map { "\($0)/\(name)" } ?? name : name
        options.theme = try ThemeFile.theme(path)
        options.themeName = isPath ? Platform.absolutePath(path) : name
    }

    /// Rejects options that would be ignored because the saved view of `--view` sets the same properties.
    /// - Throws: ``UsageError``.
    private func checkView() throws {
        guard options.view != nil else { return }
        let others = [
            ("--columns", options.columns.isEmpty), ("--hide", options.hiddenColumns.isEmpty), ("--types", options.types.isEmpty),
            ("--format", options.fractionDigits.isEmpty), ("--sort", options.sort.isEmpty), ("--filter", options.filters.isEmpty),
            ("--group", options.groups.isEmpty), ("--aggregate", options.aggregates.isEmpty),
        ]
        guard let (name, _) = others.first(where: { !$0.1 }) else { return }
        throw UsageError("--view and \(name) cannot be combined. Open the view, change it, and save it.")
    }

    /// Rejects options that cannot apply to a pivot table.
    /// - Throws: ``UsageError``.
    private func checkPivot() throws {
        guard options.pivot != nil else { return }
        if !options.additionalPaths.isEmpty { throw UsageError("--pivot reads one table. Name one file, or a pattern in quotes.") }
        let grouping = [
            ("--group", options.groups.isEmpty), ("--aggregate", options.aggregates.isEmpty), ("--collapsed", !options.isCollapsed),
        ]
        if let (name, _) = grouping.first(where: { !$0.1 }) {
            throw UsageError("--pivot and \(name) cannot be combined: --pivot names its own columns and values.")
        }
        let others = [("--view", options.view == nil), ("--follow", !options.followsFile), ("--reload", !options.reloadsChanges)]
        if let (name, _) = others.first(where: { !$0.1 }) { throw UsageError("--pivot and \(name) cannot be combined.") }
    }

    /// Creates the request from the parsed command line.
    /// - Throws: ``UsageError`` for invalid or contradictory values.
    init(_ command: GridviewCommand, _ file: SettingsFile = SettingsFile()) throws {
        var file = file
        options = try command.launchOptions(file.settings)
        if let theme = command.appearance.theme { try setTheme(named: theme) } else { setTheme(from: &file) }
        let preset = try command.appearance.keyPreset.map {
            try GridviewCommand.choice("--keys", $0, KeyPreset.allCases, noun: "preset")
        }
        options.keyMap = file.keyMap(preset: preset)
        (options.settingsPath, options.settingsProblems) = (file.path, file.problems)
        clipboard = try command.clipboard(file.settings)
        try checkView()
        try checkPivot()
        let saved = options.view?.view.reading ?? [:]
        opener.dialect = try command.reading.dialectRequest(adding: saved, file.settings)
        // Ignore the format of a saved view if the command line sets a delimiter, because a delimiter selects its own format. The reading
        // form does the same.
        let savedFormat = command.reading.hasDelimiter ? nil : saved["format"].flatMap { FileOpener.formatNames.contains($0) ? $0 : nil }
        opener.format = command.view.fileFormat ?? savedFormat
        options.fileFormat = opener.format
        (opener.table, opener.jsonPath, opener.listsFiles) = (command.reading.table, command.reading.path, command.reading.list)
        if opener.table != nil, ServerPath.namesTable(options.path ?? "") {
            throw UsageError("--table and a table in the connection URL cannot be combined. Remove one of them.")
        }
        (statement, takesSnapshots) = (command.reading.sql, command.reading.snapshot)
        if let statement {
            guard statement.contains(where: { !$0.isWhitespace && $0 != ";" }) else { throw UsageError("--sql needs a statement.") }
            if !ServerPath.isServer(options.path ?? "") { try queryFiles(command.reading) }
        }
        if takesSnapshots, !ServerPath.isServer(options.path ?? "") {
            throw UsageError("--snapshot needs a connection URL, as in gridview postgres://host/database --snapshot.")
        }
        opener.spoolLimit = try command.reading.spoolLimit.map { try GridviewCommand.byteCount($0, of: "--spool-limit") }
        opener.threads = options.threads
        colorDepth = try command.colorDepth(file.settings)
        format = try command.output.fileFormat(FileFormats(opener), inputs: command.files)
        screenFormat = try command.output.printScreen.map {
            try GridviewCommand.choice("--print-screen", $0, Screenshot.Format.allCases, noun: "format")
        }
        screenSize = try command.output.screenSize()
        try command.output.check()
        keys = try command.output.keys(options)
        requiresOutput = options.pick == nil && command.output.requiresOutput
        if let format, options.pick != nil {
            guard let text = format.text, !format.isBinary else {
                throw UsageError("--pick prints text only. Choose a format such as csv for --output, without --compress.")
            }
            options.pick?.format = text
        }
        writesStatistics = command.output.stats
        isRaw = command.output.raw
        if isRaw, format?.text != .csv, format?.text != .tsv { throw UsageError("--raw needs --output csv or --output tsv.") }
        neutralizesFormulas = command.output.csvSafe
        if neutralizesFormulas, format?.text != .csv, format?.text != .tsv {
            throw UsageError("--csv-safe needs --output csv or --output tsv.")
        }
        if neutralizesFormulas, options.pick != nil { throw UsageError("--csv-safe and --pick cannot be combined.") }
        if options.isCollapsed, options.groups.isEmpty { throw UsageError("--collapsed needs --group.") }
        if writesStatistics, !options.groups.isEmpty {
            throw UsageError("--group and --stats cannot be combined: --stats describes columns, not groups.")
        }
        if writesStatistics, !options.aggregates.isEmpty {
            throw UsageError(
                "--aggregate and --stats cannot be combined. Use --stats for each column, or --aggregate and --group for each group.")
        }
    }

    /// Opens the result of the SQL statement as the table, instead of the files that the statement reads.
    private mutating func queryFiles(_ reading: ReadingOptions) throws {
        let paths = (options.path.map { [$0] } ?? []) + options.additionalPaths
        if let server = paths.first(where: ServerPath.isServer) {
            throw UsageError("--sql reads files or one server, not both: remove the files, or \(ServerPath.name(of: server)).")
        }
        if let advice = paths.lazy.compactMap(ForeignURL.advice).first { throw UsageError(advice) }
        if let option = reading.firstExplicitOption {
            throw UsageError(
                "\(option) cannot be combined with --sql on files, because DuckDB reads them. Set the option in the statement, as in "
                    + "from read_csv('FILE', delim = ';').")
        }
        let files = paths.map(ForeignURL.localPath)
        for path in files where path != "-" {
            if Platform.isPipeOrDevice(path) { throw UsageError("--sql reads files, but \(path) is a pipe or a device.") }
            // Open an unreadable file now, because this throws an error with the reason. A pattern for several files is refused later by
            // `QueriedFiles`.
            if !Platform.isReadable(path) { _ = try opener.open(path: path) }
        }
        queriedFiles = files
        (options.path, options.additionalPaths) = (ServerOpener<FileOpener>.queryPath, [])
    }
}
