import Foundation

extension TerminalDriver {
    /// `gridview` with these arguments, as a person would start it, shown with its first screen: `text` is on it.
    static func gridview(
        _ arguments: [String], columns: Int = 120, rows: Int = 40, environment: [String: String] = [:], shows text: String
    ) async throws -> TerminalDriver {
        let terminal = try TerminalDriver([ProgramUnderTest.path] + arguments, columns: columns, rows: rows, environment: environment)
        try await terminal.wait(untilShown: text)
        return terminal
    }

    /// The sample `trades.csv`, with more arguments.
    static func trades(
        _ arguments: String..., columns: Int = 120, rows: Int = 40, environment: [String: String] = [:]
    ) async throws -> TerminalDriver {
        let file = ProgramUnderTest.file("Examples/data/trades.csv")
        return try await gridview(arguments + [file], columns: columns, rows: rows, environment: environment, shows: "10000")
    }

    /// What the program takes while the screen is its own.
    static let taken = Modes(
        alternateScreen: true, cursorVisible: false, mouse: true, mouseDrags: true, mouseSGR: true, applicationKeypad: true,
        applicationCursorKeys: true, insert: false, wrap: false)

    /// What differs from the terminal as the program found it; empty when all was given back.
    func leftBehind() async throws -> String {
        // The shell around the program may take the terminal's modes after its job has ended.
        let before = try await lineSettingsAtStart()
        let modes = try modes(), settings = try lineSettings()
        return (modes == .ordinary ? "" : "\(modes)") + (settings == before ? "" : "\(settings) instead of \(before)")
    }

    /// Waits until the line above the hints tells this place: `3 / 5,000`.
    @discardableResult
    func wait(untilAt place: String) async throws -> Screen {
        try await wait { $0.lines.contains { $0.hasSuffix(" " + place) } }
    }
}
