import Foundation

extension TerminalDriver {
    /// Starts `gridview` with these arguments and waits until its first screen contains `text`.
    static func gridview(
        _ arguments: [String], columns: Int = 120, rows: Int = 40, environment: [String: String] = [:], shows text: String
    ) async throws -> TerminalDriver {
        let terminal = try TerminalDriver([ProgramUnderTest.path] + arguments, columns: columns, rows: rows, environment: environment)
        try await terminal.wait(untilShown: text)
        return terminal
    }

    /// Starts gridview with the sample `trades.csv` and more arguments.
    static func trades(
        _ arguments: String..., columns: Int = 120, rows: Int = 40, environment: [String: String] = [:]
    ) async throws -> TerminalDriver {
        let file = ProgramUnderTest.file("Examples/data/trades.csv")
        return try await gridview(arguments + [file], columns: columns, rows: rows, environment: environment, shows: "10000")
    }

    /// The terminal modes while the program uses the screen.
    static let fullScreenModes = Modes(
        alternateScreen: true, cursorVisible: false, mouse: true, mouseDrags: true, mouseSGR: true, applicationKeypad: true,
        applicationCursorKeys: true, insert: false, wrap: false)

    /// Differences from the terminal state before the program started; empty if everything is restored.
    func unrestoredState() async throws -> String {
        // After its job ends, the shell needs a moment to set the terminal modes.
        let before = try await lineSettingsAtStart()
        let modes = try modes(), settings = try lineSettings()
        return (modes == .ordinary ? "" : "\(modes)") + (settings == before ? "" : "\(settings) instead of \(before)")
    }

    /// Waits until the line above the hints shows this position, such as `3 / 5,000`.
    @discardableResult
    func wait(forPosition position: String) async throws -> Screen {
        try await wait { $0.lines.contains { $0.hasSuffix(" " + position) } }
    }
}
