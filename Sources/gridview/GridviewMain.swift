import ArgumentParser
import CursesTerminal
import DataGrid
import DelimitedText
import GridviewApp
import TerminalSurface

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The way in, and the only place that exits.
@main
@MainActor
enum GridviewMain {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the program.
    /// - Returns: 0 fine, 1 could not open, read or write, 2 wrong usage, 128 + n on a signal.
    static func run(_ arguments: [String]) -> Int32 {
        // A reader that has gone is told by the write that fails, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        let command: GridviewCommand
        do {
            guard let parsed = try GridviewCommand.parseAsRoot(Self.completed(arguments)) as? GridviewCommand else { return 0 }
            command = parsed
        } catch {
            return report(parsing: error)
        }
        do {
            return try run(command)
        } catch let error as UsageError {
            return complain(error.message + " gridview --help lists all options.", status: 2)
        } catch let error as RequestError {
            return complain(error.message, status: 1)
        } catch let error as DelimitedTextError {
            return complain(error.message, status: 1)
        } catch let error as TerminalError {
            return complain(error.message, status: 1)
        } catch {
            return complain("\(error)", status: 1)
        }
    }

    private static func run(_ command: GridviewCommand) throws -> Int32 {
        if command.man {
            print(ManPage.text(), terminator: "")
            return 0
        }
        if let shell = command.completions {
            guard let kind = CompletionShell(rawValue: shell) else {
                throw GridviewCommand.unknown("--completions", shell, ["bash", "zsh", "fish"])
            }
            print(GridviewCommand.completionScript(for: kind))
            return 0
        }
        let options = try command.launchOptions()
        let depth = try command.colorDepth()
        let format = try command.output.format()
        let screen = try command.output.screenFormat()
        if format != nil, screen != nil { throw UsageError("--output and --print-screen contradict each other.") }
        let document = try Document(try open(options), options: options)

        if let screen {
            let frame = try ScreenShot.take(document, options: options, size: command.output.screenSize(), keys: command.output.press)
            switch screen {
            case .text: print(frame.lines().joined(separator: "\n"))
            case .ansi: print(frame.ansi(depth: depth ?? .trueColor), terminator: "")
            case .svg: print(frame.svg(), terminator: "")
            }
            return 0
        }
        if format != nil || isatty(STDOUT_FILENO) == 0 {
            try BatchRun(document, options: options, format: format ?? .text).write(to: STDOUT_FILENO)
            return 0
        }
        var terminal = CursesBackend.Options()
        terminal.colorDepth = depth
        terminal.reportsMouse = options.usesMouse
        return try Session(document, options: options, backend: CursesBackend(terminal)).run()
    }

    private static func open(_ options: LaunchOptions) throws -> DelimitedFile {
        if let path = options.path, path != "-" { return try DelimitedFile(path: path, request: options.dialect) }
        guard isatty(STDIN_FILENO) == 0 else { throw UsageError("Which file? gridview FILE, or pipe something into it.") }
        return try DelimitedFile(spooling: STDIN_FILENO, name: "standard input", request: options.dialect)
    }

    /// Gives options whose value may be left out the value they then have.
    private static func completed(_ arguments: [String]) -> [String] {
        arguments.map { $0 == "--print-screen" ? "--print-screen=text" : $0 }
    }

    /// What the parser has to say: help on standard output, mistakes on standard error.
    private static func report(parsing error: any Error) -> Int32 {
        let text = GridviewCommand.fullMessage(for: error)
        guard GridviewCommand.exitCode(for: error) != .success else {
            print(text)
            return 0
        }
        return complain(text, status: 2)
    }

    private static func complain(_ text: String, status: Int32) -> Int32 {
        let line = (text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text)
        _ = Array("gridview: \(line)\n".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        return status
    }
}

extension OutputOptions {
    func format() throws -> OutputFormat? {
        guard let output else { return nil }
        guard let format = OutputFormat(rawValue: output) else {
            throw GridviewCommand.unknown("--output", output, OutputFormat.allCases.map(\.rawValue))
        }
        return format
    }

    func screenFormat() throws -> ScreenShot.Format? {
        guard let printScreen else { return nil }
        guard let format = ScreenShot.Format(rawValue: printScreen) else {
            throw GridviewCommand.unknown("--print-screen", printScreen, ScreenShot.Format.allCases.map(\.rawValue))
        }
        return format
    }
}
