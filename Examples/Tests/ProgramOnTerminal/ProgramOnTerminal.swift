import Foundation
public import TerminalSurface

/// A program of this package, running on a pseudo-terminal.
public final class ProgramOnTerminal {
    private let process = Process()
    private let terminal: Int32
    private var screen: Screen
    /// Bytes since the last complete character.
    private var unread: [UInt8] = []

    /// Runs a program by name, from the folder of the test binary, in true color.
    public convenience init(_ name: String, rows: Int = 12, columns: Int = 60) throws {
        try self.init(name, on: CommonTerminal(size: TerminalSize(columns: columns, rows: rows), colorDepth: .trueColor, isLight: false))
    }

    /// Runs a program by name, from the folder of the test binary.
    public init(_ name: String, on model: CommonTerminal) throws {
        let (columns, rows) = (model.size.columns, model.size.rows)
        var (terminal, other): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&terminal, &other, nil, nil, &size) == 0 else { throw POSIXError(.EIO) }
        self.terminal = terminal
        screen = Screen(columns: columns, rows: rows)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let beside = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        process.executableURL = beside.appending(path: name)
        process.environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"].merging(model.environment) { $1 }
        process.standardInput = FileHandle(fileDescriptor: other)
        process.standardOutput = FileHandle(fileDescriptor: other)
        try process.run()
        close(other)
        if model.isLight { type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\") }
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(terminal)
    }

    /// Reads until the program shows `text`, for at most a minute.
    public func shows(_ text: String) -> Bool {
        let deadline = Date.now + 60
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while !contains(text), Date.now < deadline {
            var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 1_000) > 0 else { continue }
            let count = read(terminal, &bytes, bytes.count)
            guard count > 0 else { break }
            unread += bytes[..<count]
            // An incomplete character waits for its remaining bytes.
            guard let text = String(validating: unread, as: UTF8.self) else { continue }
            unread = []
            screen.feed(text)
        }
        return contains(text)
    }

    private func contains(_ text: String) -> Bool { cells.lines().joined(separator: "\n").contains(text) }

    /// The cells of the screen.
    public var cells: CellBuffer { screen.cells }

    /// Types keys as the bytes that a terminal sends.
    public func type(_ keys: String) {
        _ = keys.withCString { write(terminal, $0, strlen($0)) }
    }

    /// Waits for the program to exit.
    /// - Returns: The exit status; `nil` after a signal.
    public func status() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
