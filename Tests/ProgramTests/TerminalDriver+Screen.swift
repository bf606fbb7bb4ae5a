import Foundation

extension TerminalDriver {
    /// The text of the screen: one line for each row, without trailing spaces.
    struct Screen: Equatable {
        var lines: [String]

        var text: String { lines.joined(separator: "\n") }

        func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

        /// The text of this line before the first rule: a row number or a group arrow.
        func gutter(_ row: Int) -> String {
            guard row < lines.count, let rule = lines[row].firstIndex(of: "│") else { return "" }
            return lines[row][..<rule].trimmingCharacters(in: .whitespaces)
        }

        /// A line without its column edges, and with single spaces.
        func words(_ row: Int) -> String {
            guard row < lines.count else { return "" }
            let start = lines[row].firstIndex(of: "│").map { lines[row].index(after: $0) } ?? lines[row].startIndex
            let rest = lines[row][start...].replacing("│", with: " ")
            return lines[row][..<start] + rest.split(separator: " ").joined(separator: " ")
        }

        /// The row of the first line with this text.
        func row(of text: String) -> Int? { lines.firstIndex { $0.contains(text) } }
    }

    func screen() throws -> Screen {
        Screen(lines: try captured(["-p"]))
    }

    /// The rows of the screen with colors and attributes as SGR sequences, including trailing spaces.
    func styledLines() throws -> [String] {
        try captured(["-p", "-e", "-N"])
    }

    private func captured(_ options: [String]) throws -> [String] {
        try tmux(["capture-pane"] + options).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits until the screen satisfies the condition, and returns it.
    @discardableResult
    func wait(until condition: (Screen) -> Bool) async throws -> Screen {
        try await wait(for: "the screen") {
            let screen = try self.screen()
            return condition(screen) ? screen : nil
        }
    }

    /// Waits until this text is on the screen, and returns the screen.
    @discardableResult
    func wait(untilShown text: String) async throws -> Screen {
        try await wait(for: "'\(text)'") {
            let screen = try self.screen()
            return screen.contains(text) ? screen : nil
        }
    }
}

// MARK: - The state of the terminal

extension TerminalDriver {
    /// Terminal modes that a program can set and must restore at its end.
    struct Modes: Equatable {
        var alternateScreen = false
        var cursorVisible = true
        var mouse = false
        var mouseDrags = false
        var mouseSGR = false
        var applicationKeypad = false
        var applicationCursorKeys = false
        var insert = false
        var wrap = true

        /// The modes in a shell.
        static let ordinary = Modes()
    }

    func modes() throws -> Modes {
        let flags = try values([
            "alternate_on", "cursor_flag", "mouse_any_flag", "mouse_button_flag", "mouse_all_flag", "mouse_sgr_flag", "keypad_flag",
            "keypad_cursor_flag", "insert_flag", "wrap_flag",
        ]).map { $0 == "1" }
        return Modes(
            alternateScreen: flags[0], cursorVisible: flags[1], mouse: flags[2], mouseDrags: flags[3] || flags[4], mouseSGR: flags[5],
            applicationKeypad: flags[6], applicationCursorKeys: flags[7], insert: flags[8], wrap: flags[9])
    }

    func cursor() throws -> (column: Int, row: Int) {
        let place = try values(["cursor_x", "cursor_y"]).compactMap { Int($0) }
        return (place[0], place[1])
    }

    func title() throws -> String {
        try values(["pane_title"])[0]
    }

    /// The last clipboard content, set by OSC 52 for example; nil if nothing was copied.
    func clipboard() throws -> String? {
        try tmux(["list-buffers"]).isEmpty ? nil : tmux(["show-buffer"])
    }

    /// The line settings of the terminal from `stty -a`, without speed and size.
    func lineSettings() throws -> String {
        let terminal = try values(["pane_tty"])[0]
        return try withoutSize(ProcessRunner(executable: "sh").run(["-c", "stty -a <\(terminal)"]).outputText)
    }

    /// The line settings at the start of the program.
    func lineSettingsAtStart() async throws -> String {
        try withoutSize(await wait(for: "the start") { self.sessionText("line-settings") })
    }

    private func withoutSize(_ settings: String) throws -> String {
        settings.split(separator: "\n").dropFirst().joined(separator: "\n")
    }

    private func values(_ names: [String]) throws -> [String] {
        let separator = "\u{1f}"
        let format = names.map { "#{\($0)}" }.joined(separator: separator)
        return try tmux(["display-message", "-p", format]).dropLast().components(separatedBy: separator)
    }
}
