import DataGrid
import DelimitedText
import GridviewApp
import ServerTables
import TableFormats
import Tables
import TerminalSurface

/// A validated command line: the options of the view and its destination.
struct LaunchRequest {
    var options = LaunchOptions()
    /// The options of the command line alone, without the default options of the settings file; `nil` if no default options apply.
    var commandLineOptions: LaunchOptions?
    var opener = FileOpener(indexCache: .user)
    /// The statement of `--sql`.
    var statement: String?
    /// The files that the statement reads; `nil` without a statement, or if a server runs it.
    var queriedFiles: [String]?
    /// True for `--snapshot`.
    var takesSnapshots = false
    /// Opens files and tables on servers.
    var tableOpener: ServerOpener<FileOpener> {
        var servers = ServerOpener(files: opener)
        (servers.statement, servers.table, servers.takesSnapshots) = (statement, opener.table, takesSnapshots)
        (servers.queriedFiles, servers.queryResources) = (queriedFiles, (options.threads, options.memoryOrDefault))
        return servers
    }
    /// The color depth of the screen; `nil` to detect it.
    var colorDepth: ColorDepth?
    /// The method of copying.
    var clipboard = ClipboardChoice.automatic
    /// The format of written rows; `nil` for text.
    var format: FileFormat?
    /// The format of a printed screen; `nil` for none.
    var screen: Screenshot.Format?
    var screenSize = TerminalSize(columns: 120, rows: 40)
    var keys: [KeyPress] = []
    /// True if an option requires written rows, even on a terminal.
    var requiresOutput = false
    var writesStatistics = false
    /// True if control characters are written to a terminal unchanged.
    var isRaw = false
    /// True to neutralize formulas in CSV and TSV.
    var neutralizesFormulas = false

    /// Creates the request of a command line with files and no options; `nil` for any other command line.
    ///
    /// This is a fast path: the argument parser inspects all option types by reflection, which takes longer than the rest of the launch.
    init?(plain arguments: [String], _ file: SettingsFile = SettingsFile()) {
        guard Self.isPlain(arguments) else { return nil }
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

    /// True for a command line with files and no options.
    static func isPlain(_ arguments: [String]) -> Bool {
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

    /// - Parameter folder: the folder of a relative path; `nil` for the current one.
    private mutating func setTheme(named name: String, in folder: Substring? = nil) throws {
        guard name != "auto" else { return }
        let isPath = name.contains("/") || name.hasSuffix(".json")
        let path = isPath && !name.hasPrefix("/") ? folder.map { "\($0)/\(name)" } ?? name : name
        options.theme = try ThemeFile.theme(path)
        options.themeName = isPath ? Platform.absolutePath(path) : name
    }

    /// Rejects options that a saved view would replace, because they would have no effect.
    /// - Throws: ``UsageError``.
    private func checkView() throws {
        guard options.view != nil else { return }
        let others = [
            ("--columns", options.columns.isEmpty), ("--hide", options.hiddenColumns.isEmpty), ("--types", options.types.isEmpty),
            ("--format", options.formats.isEmpty), ("--sort", options.sort.isEmpty), ("--filter", options.filters.isEmpty),
            ("--group", options.groups.isEmpty), ("--aggregate", options.aggregates.isEmpty),
        ]
        guard let (name, _) = others.first(where: { !$0.1 }) else { return }
        throw UsageError("--view and \(name) cannot be combined. Open the view, change it, and save it.")
    }

    /// Creates the request of a parsed command line.
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
        let saved = options.view?.view.reading ?? [:]
        opener.dialect = try command.reading.request(adding: saved, file.settings)
        // An explicit delimiter replaces the format of a view, as in the form of reading options.
        let savedFormat = command.reading.hasDelimiter ? nil : saved["format"].flatMap { FileOpener.formatNames.contains($0) ? $0 : nil }
        opener.format = command.view.fileFormat ?? savedFormat
        options.fileFormat = opener.format
        (opener.table, opener.jsonPath, opener.listsFiles) = (command.reading.table, command.reading.path, command.reading.list)
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
        format = try command.output.fileFormat(FileFormats(opener))
        screen = try command.output.printScreen.map {
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

    /// Opens the result of the statement instead of the files that the statement reads.
    private mutating func queryFiles(_ reading: ReadingOptions) throws {
        let paths = (options.path.map { [$0] } ?? []) + options.additionalPaths
        if let server = paths.first(where: ServerPath.isServer) {
            throw UsageError("--sql reads files or one server, not both: remove the files, or \(ServerPath.name(of: server)).")
        }
        if let advice = paths.lazy.compactMap(ForeignURL.advice).first { throw UsageError(advice) }
        if let option = reading.firstExplicit {
            throw UsageError(
                "\(option) cannot be combined with --sql on files, because DuckDB reads them. Set the option in the statement, as in "
                    + "from read_csv('FILE', delim = ';').")
        }
        let files = paths.map(ForeignURL.localPath)
        for path in files where path != "-" {
            if Platform.isPipeOrDevice(path) { throw UsageError("--sql reads files, but \(path) is a pipe or a device.") }
            // Opening the file throws an error with the reason. `QueriedFiles` refuses a pattern that matches files.
            if !Platform.isReadable(path) { _ = try opener.open(path: path) }
        }
        queriedFiles = files
        (options.path, options.additionalPaths) = (ServerOpener<FileOpener>.queryPath, [])
    }
}
