import Foundation

extension TerminalDriver {
    /// Presses keys, by their tmux names: `Down`, `C-d`, `M-f`, `S-Left`, `F1`, `PageDown`, `Enter`, `Escape`, `BTab`, `x`.
    func press(_ keys: String..., times: Int = 1) throws {
        try tmux(["send-keys", "-N", "\(times)"] + keys)
    }

    /// Types text unchanged.
    func type(_ text: String) throws {
        try tmux(["send-keys", "-l", "--", text])
    }

    /// Pastes text. If the program requested bracketed paste, the text is enclosed in its marks.
    func paste(_ text: String) throws {
        try tmux(["set-buffer", "-b", "pasted", "--", text])
        try tmux(["paste-buffer", "-d", "-p", "-r", "-b", "pasted"])
    }

    /// Sends bytes as input from the terminal.
    func send(_ bytes: [UInt8]) throws {
        try tmux(["send-keys", "-H"] + bytes.map { String($0, radix: 16) })
    }

    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }
}

// MARK: - Mouse

extension TerminalDriver {
    enum MouseButton: Int {
        case left = 0
        case middle = 1
        case right = 2
        case wheelUp = 64
        case wheelDown = 65
        case wheelLeft = 66
        case wheelRight = 67
    }

    struct KeyModifiers: OptionSet {
        var rawValue: Int

        static let shift = KeyModifiers(rawValue: 4)
        static let alt = KeyModifiers(rawValue: 8)
        static let control = KeyModifiers(rawValue: 16)
    }

    func click(_ button: MouseButton = .left, column: Int, row: Int, with modifiers: KeyModifiers = [], times: Int = 1) throws {
        for _ in 0..<times {
            try report(button, .pressed, column: column, row: row, modifiers)
            try report(button, .released, column: column, row: row, modifiers)
        }
    }

    func wheel(_ direction: MouseButton, column: Int, row: Int, with modifiers: KeyModifiers = [], times: Int = 1) throws {
        for _ in 0..<times { try report(direction, .pressed, column: column, row: row, modifiers) }
    }

    /// Presses at one place, moves at most one cell per step, calls `beforeRelease`, and releases at the other place.
    func drag(
        _ button: MouseButton = .left, from start: (column: Int, row: Int), to end: (column: Int, row: Int),
        with modifiers: KeyModifiers = [],
        beforeRelease: () async throws -> Void = {}
    ) async throws {
        try report(button, .pressed, column: start.column, row: start.row, modifiers)
        let steps = max(abs(end.column - start.column), abs(end.row - start.row), 1)
        for step in 1...steps {
            let column = start.column + (end.column - start.column) * step / steps
            let row = start.row + (end.row - start.row) * step / steps
            try report(button, .moved, column: column, row: row, modifiers)
        }
        try await beforeRelease()
        try report(button, .released, column: end.column, row: end.row, modifiers)
    }

    private enum MouseMotion { case pressed, moved, released }

    /// Sends a mouse report, if the program requested mouse reports.
    private func report(_ button: MouseButton, _ motion: MouseMotion, column: Int, row: Int, _ modifiers: KeyModifiers) throws {
        let modes = try modes()
        guard modes.mouse, motion != .moved || modes.mouseDrags else { return }
        guard modes.mouseSGR else { throw Failure(description: "The program requested the mouse in an encoding other than SGR.") }
        let code = button.rawValue | modifiers.rawValue | (motion == .moved ? 32 : 0)
        try type("\u{1b}[<\(code);\(column + 1);\(row + 1)\(motion == .released ? "m" : "M")")
    }
}
