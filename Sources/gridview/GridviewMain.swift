import ArgumentParser
import CursesTerminal
import DelimitedText
import Dispatch
import FieldValues
import GridviewApp
import ServerTables
import TableFormats
import Tables
import TerminalSurface

/// The entry point of the program, and the only code that exits the process.
@main
@MainActor
enum GridviewMain {
    static func main() {
        StandardStreams.openMissingStreams()
        let status = run(Array(CommandLine.arguments.dropFirst()))
        ServerDatabase.endHelpers()
        Platform.exitProcess(status)
    }

    /// Runs the program.
    /// - Returns: 0 for success, 1 for a failure to open, read or write, 2 for a usage error, 128 + n for signal n.
    static func run(_ arguments: [String]) -> Int32 {
        Platform.ignoreWriteSignals()
        do {
            return try launch(arguments)
        } catch let error as UsageError {
            return printError(error.message + " See gridview --help.", status: 2)
        } catch let error as RequestError {
            return printError(error.message, status: error.isUsageError ? 2 : 1)
        } catch let error as DelimitedTextError where error.code == .invalidDialect {
            return printError(error.message + " See gridview --help.", status: 2)
        } catch let error as any TableError {
            return printError(error.message, status: 1)
        } catch let error as TerminalError {
            return printError(error.message + " Use --output to write text instead.", status: 1)
        } catch {
            return printError("\(error)", status: 1)
        }
    }

    /// Parses the arguments. If the user has requested help or the version, prints it and returns `nil`.
    private static func command(from arguments: [String]) throws -> GridviewCommand? {
        do {
            if let command = try GridviewCommand.parseAsRoot(ArgumentReading.argumentsForParser(arguments)) as? GridviewCommand {
                return command
            }
            // The parser has recognized its own help command, the only result that is not a `GridviewCommand`.
            try StandardStreams.write(GridviewCommand.helpMessage(columns: helpWidth) + "\n")
        } catch  where GridviewCommand.exitCode(for: error) == .success {
            try StandardStreams.write(GridviewCommand.fullMessage(for: error, columns: helpWidth) + "\n")
        } catch let error as RequestError {
            throw error
        } catch {
            throw ArgumentReading.usageError(GridviewCommand.message(for: error))
        }
        return nil
    }

    /// The line width of the help, in characters: from COLUMNS or the terminal, at least 40, at most the maximum screen width.
    private static var helpWidth: Int {
        let requested = Platform.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let width = requested ?? Platform.terminalWidth(Platform.standardOutput) ?? 80
        return min(max(width, 40), TerminalSize.allowedLengths.upperBound)
    }

    /// Prints information, or opens files. To start fast, command lines without options and `--version` do not use the argument parser.
    private static func launch(_ arguments: [String]) throws -> Int32 {
        if arguments == ["--version"] {
            try StandardStreams.write(GridviewVersion.versionLine + "\n")
            return 0
        }
        if LaunchRequest.hasOnlyFiles(arguments) {
            let file = SettingsFile.ofUser
            if file.settings.options.isEmpty, let request = LaunchRequest(onlyFiles: arguments, file) { return try run(request) }
        }
        guard let command = try command(from: arguments) else { return 0 }
        if command.man {
            try StandardStreams.write(ManPage.text())
            return 0
        }
        if let shell = command.completions {
            let kind = try GridviewCommand.choice("--completions", shell, [CompletionShell.bash, .zsh, .fish])
            try StandardStreams.write(GridviewCommand.completionScript(for: kind) + "\n")
            return 0
        }
        if command.writeConfig {
            try StandardStreams.write(Settings.commentedDefaults)
            return 0
        }
        var file = try SettingsFile(command)
        let defaults = file.defaultOptions()
        if defaults.isEmpty { return try run(LaunchRequest(command, file)) }
        guard let extended = try self.command(from: defaults + arguments) else { return 0 }
        return try run(request(withDefaults: extended, withoutDefaults: command, file))
    }

    /// The request for a command line. The default options of the settings file are ignored if they contradict other options, or if they
    /// are not valid for a table.
    /// - Parameters:
    ///   - extended: the command line after the default options were added.
    ///   - command: the command line without the default options.
    private static func request(
        withDefaults extended: GridviewCommand, withoutDefaults command: GridviewCommand, _ file: SettingsFile
    ) throws -> LaunchRequest {
        do {
            var request = try LaunchRequest(extended, file)
            if let plain = try? LaunchRequest(command, file).options {
                request.commandLineOptions = plain
                request.options.makeFallbackOptions = { error in plain.adding(file.problem("options", error.message)) }
            }
            return request
        } catch let error as UsageError {
            var request = try LaunchRequest(command, file)
            request.options = request.options.adding(file.problem("options", error.message))
            return request
        }
    }

    /// The error for a request to write several files at once: each file is a separate table. A shell may have expanded a pattern to these
    /// files.
    private static func severalFilesError(_ paths: [String]) -> UsageError {
        let others = paths.count == 2 ? "“\(paths[1])”" : "\(paths.count - 1) other files"
        let pattern = ExpandedPattern.pattern(matching: paths)
        let advice = pattern.map { ", or read the files as one table with a pattern in quotes: \($0)." } ?? "."
        return UsageError(
            "Cannot write “\(paths[0])” and \(others) together: without a screen, gridview writes one table. "
                + "Run it once for each file\(advice)")
    }

    private static func run(_ request: LaunchRequest) throws -> Int32 {
        var options = request.options
        let opener = request.tableOpener
        options.opener = opener
        options.path = options.path.map(ForeignURL.localPath)
        options.additionalPaths = options.additionalPaths.map(ForeignURL.localPath)
        // Remove passwords in connection URLs from the paths, and from the list of processes, where other users could read them.
        StandardStreams.hideArguments { opener.publicPath($0) != $0 }
        options.path = options.path.map(opener.publicPath)
        options.additionalPaths = options.additionalPaths.map(opener.publicPath)
        options.makeEngine = { ServerQueryEngine(local: $0) }
        options.alphabet = NaturalOrder.Alphabet(environment: Platform.environment)
        let hasTerminal = Platform.isTerminal(Platform.standardOutput)
        let requiresOutput = request.requiresOutput || options.pick == nil && !hasTerminal
        options.waitsForInput = request.screenFormat != nil || requiresOutput
        if requiresOutput, request.screenFormat == nil, !options.additionalPaths.isEmpty {
            throw severalFilesError([options.path ?? "-"] + options.additionalPaths)
        }
        var unopened = try removeUnreadableFiles(from: &options, opener)
        if request.screenFormat == nil, !requiresOutput {
            // Show no message about the first use while rows are picked, because the script that starts the picker can give its own
            // instructions.
            if options.pick == nil {
                options.firstUse = FirstUse(stateHome: Platform.environment("XDG_STATE_HOME"), home: Platform.environment("HOME"))
            }
            options.clipboardPrograms = { ClipboardProgram.installed(request.clipboard, environment: Platform.environment) }
            options.viewCoding = ViewFile.coding
            if options.savesRecentViews { options.recentViews = RecentViews(environment: Platform.environment) }
            options.clipboardProblem = { ClipboardProgram.reasonUnavailable(request.clipboard, environment: Platform.environment) }
            let session = try openFirst(of: &options, &unopened) { try Self.session($0, request, opener) }
            try session.add(sheets(options, opener))
            session.report(unopenedFiles: unopened)
            let result = Result { try session.run() }
            for text in session.closingMessages { StandardStreams.printError(text) }
            let status = try result.get()
            let notes = try session.writePicked(to: Platform.standardOutput, marksControls: hasTerminal && !request.isRaw)
            for line in notes { StandardStreams.printError(line) }
            return status == 0 && !unopened.isEmpty ? 1 : status
        }
        if request.screenFormat == nil { for problem in options.settingsProblems { StandardStreams.printError(problem.text) } }
        try checkInput(options)
        let explicit = request.commandLineOptions ?? options
        let reportedCount = options.settingsProblems.count
        let input = try openFirst(of: &options, &unopened) { options in
            try PasswordQuestion.asking { try open(options.path ?? "-", opener) }
        }
        let path = options.path ?? "-"
        options.makeFallbackOptions = options.makeCompleteFallbackOptions
        var table = input
        var pivotNotes: OutputNotes?
        if options.pivot != nil {
            let pivoted = try PivotedInput(input, options: options, isShown: request.screenFormat != nil)
            let (pivotTable, notes) = try pivoted.compute()
            (table, options, pivotNotes) = (pivotTable, pivoted.options, notes)
        }
        let document = try Document.open(table, &options)
        if request.screenFormat == nil {
            for problem in options.settingsProblems.dropFirst(reportedCount) { StandardStreams.printError(problem.text) }
        }
        if let screen = request.screenFormat {
            let frame = try Screenshot.draw(
                document, options: options, additionalSheets: sheets(options, opener), size: request.screenSize, keys: request.keys)
            switch screen {
            case .text: try StandardStreams.write(frame.lines().joined(separator: "\n") + "\n")
            case .ansi:
                let disablesColor = Platform.environment("NO_COLOR")?.isEmpty == false
                try StandardStreams.write(frame.ansi(depth: request.colorDepth ?? (disablesColor ? .none : .trueColor)))
            case .svg: try StandardStreams.write(frame.svg(title: document.input.name))
            }
            for reason in unopened { StandardStreams.printError(reason) }
            return unopened.isEmpty ? 0 : 1
        }
        // Reject options of the command line only. The settings file may have default options that apply only to the screen.
        if explicit.searchText != nil { throw UsageError("--find works on the screen only. Choose the rows to write with --filter.") }
        if explicit.view != nil, request.writesStatistics { throw UsageError("--stats and --view cannot be combined.") }
        for (name, isGiven) in [("--follow", explicit.followsFile), ("--reload", explicit.reloadsChanges)] where isGiven {
            throw UsageError("\(name) works on the screen only.")
        }
        if let format = request.format, format.isBinary, hasTerminal {
            throw UsageError("A terminal cannot show this output. Send it to a file, as in gridview … -o \(format.name) > FILE.")
        }
        let marksControls = hasTerminal && !request.isRaw
        let run = BatchRun(
            document, options: options, format: request.format ?? .text(.text), marksControls: marksControls,
            neutralizesFormulas: request.neutralizesFormulas)
        let notes =
            try request.writesStatistics ? run.writeStatistics(to: Platform.standardOutput) : run.write(to: Platform.standardOutput)
        for line in (pivotNotes?.lines ?? []) + notes.lines { StandardStreams.printError(line) }
        if notes.hasLosses || pivotNotes?.hasLosses == true { return 1 }
        // Report that the input is empty. A list of files also has no bytes, but it has records.
        if input.byteCount == 0, input.snapshot().recordCount == 0 {
            StandardStreams.printError("\(path == "-" ? input.name : path) is empty.")
        }
        return 0
    }

    /// The files after the first one, which open as sheets.
    private static func sheets(_ options: LaunchOptions, _ opener: ServerOpener<FileOpener>) -> [SheetInput] {
        options.additionalPaths.map { path in
            SheetInput(
                name: name(of: path), path: path, activity: opener.activity(opening: path), opening: { try open(path, opener, $0) })
        }
    }

    /// If there are several files, removes those that cannot be opened, such as missing files.
    /// - Returns: The reasons why these files cannot be opened.
    /// - Throws: The last of the errors if no file can be opened, or if rows are to be picked.
    private static func removeUnreadableFiles(
        from options: inout LaunchOptions, _ opener: ServerOpener<FileOpener>
    ) throws -> [String] {
        guard let first = options.path, !options.additionalPaths.isEmpty else { return [] }
        var errors: [any TableError] = []
        let paths = try ([first] + options.additionalPaths).filter { path in
            // Open only unreadable files and malformed connection URLs now, to get the error. All other inputs are opened later.
            let isServer = ServerPath.isServer(path) && opener.activity(opening: path) != nil
            guard path != "-", !isServer, !Platform.isReadable(path) else { return true }
            do { _ = try opener.open(path: path) } catch let error as any TableError {
                errors.append(error)
                return false
            }
            return true
        }
        // A script that lets the user pick rows needs all files, because status 1 means that no row was picked.
        guard !paths.isEmpty, options.pick == nil || errors.isEmpty else {
            for error in errors.dropLast() { StandardStreams.printError(error.message) }
            throw errors[errors.count - 1]
        }
        (options.path, options.additionalPaths) = (paths[0], Array(paths.dropFirst()))
        return errors.map(\.message)
    }

    // MARK: Input

    /// How long to wait for a pipe or a server before the first screen is drawn. If the input is open by then, the first screen shows it.
    private static let openingTimeout = DispatchTimeInterval.milliseconds(60)

    /// Opens the first file that can be opened. Removes the files before it from the options, and adds the reasons why they cannot be
    /// opened to `unopened`. If no file can be opened, prints these reasons and throws the last error.
    private static func openFirst<Result>(
        of options: inout LaunchOptions, _ unopened: inout [String], _ open: (LaunchOptions) throws -> Result
    ) throws -> Result {
        while true {
            do {
                return try open(options)
            } catch {
                guard let error = error as? any TableError, !options.additionalPaths.isEmpty, options.pick == nil else {
                    for reason in unopened { StandardStreams.printError(reason) }
                    throw error
                }
                unopened.append(error.message)
                options.path = options.additionalPaths.removeFirst()
            }
        }
    }

    /// Starts the program on the terminal. If opening the input takes long, shows the screen before the input is open.
    private static func session(
        _ options: LaunchOptions, _ request: LaunchRequest, _ opener: ServerOpener<FileOpener>
    ) throws -> Session {
        var options = options
        options.makeFallbackOptions = options.makeCompleteFallbackOptions
        let path = options.path ?? "-"
        var terminal = CursesBackend.Options()
        (terminal.colorDepth, terminal.enablesMouse) = (request.colorDepth, options.usesMouse)
        terminal.drawsOnControllingTerminal = options.pick != nil
        // Computing a pivot table also takes long.
        let isPivot = options.pivot != nil
        if isPivot { try checkInput(options) }
        guard try isPivot || opener.activity(opening: path) != nil || openingMayBlock(options) else {
            try checkInput(options)
            let input = try open(path, opener)
            return try .opening(input, options: options, backend: CursesBackend(terminal))
        }
        let opening = InputOpening { try open(path, opener, $0) }
        let backend = try CursesBackend(terminal)
        if let file = try opening.waitForInput(until: .now() + openingTimeout), !isPivot {
            return try .opening(file, options: options, backend: backend)
        }
        let activity = isPivot ? PivotedInput.activity : opener.activity(opening: path)
        let input = SheetInput(
            name: name(of: path), path: isPivot ? nil : path, activity: activity, opening: { try opening.waitForInput(isCancelled: $0) })
        return try Session(awaiting: input, options: options, backend: backend)
    }

    private static func name(of path: String) -> String {
        if ServerPath.isServer(path) { return ServerPath.name(of: path) }
        return path == "-" ? standardInputName : FileOpener.name(ofPath: path)
    }

    /// True if opening the input may take any time, because it is a pipe or a device.
    private static func openingMayBlock(_ options: LaunchOptions) throws -> Bool {
        if let path = options.path, path != "-" { return Platform.isPipeOrDevice(path) }
        try checkInput(options)
        return Platform.isPipeOrDevice(Platform.standardInput)
    }

    private static func checkInput(_ options: LaunchOptions) throws {
        guard options.path != nil || Platform.isFileOrPipe(Platform.standardInput) else {
            throw UsageError("No input: name a file or pipe data in.")
        }
    }

    private nonisolated static let standardInputName = "standard input"

    private nonisolated static func open(
        _ path: String, _ opener: ServerOpener<FileOpener>, _ isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> any TableSource {
        path == "-"
            ? try opener.files.open(descriptor: Platform.standardInput, name: standardInputName)
            : try opener.open(path: path, isCancelled: isCancelled)
    }

    /// Prints an error message. Control characters in it are replaced by marks, because the message may quote a file or an argument.
    /// - Returns: `status`, so that the caller can return the call.
    private static func printError(_ text: String, status: Int32) -> Int32 {
        StandardStreams.printError(status == 1 ? BatchRun.withoutReloading(text) : text)
        return status
    }
}

extension LaunchOptions {
    /// The function `makeFallbackOptions`, with the files, the engine and the clipboard of these options added to its result.
    fileprivate var makeCompleteFallbackOptions: (@Sendable (RequestError) -> LaunchOptions)? {
        guard let makeFallbackOptions else { return nil }
        let options = self
        return { options.with(viewOf: makeFallbackOptions($0)) }
    }
}
