import DataGrid
import DataGridTerminal
import TerminalSurface

extension LogScreen {
    /// Shows the log in an application, and grows the log.
    func show(on application: GridApplication, every interval: Duration) {
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onEvent = { [weak self, weak application] event in
            guard case .key(let press) = event, press.modifiers.isEmpty, self?.handle(press.key) == true else { return false }
            application?.setNeedsDisplay()
            return true
        }
        application.addTimer(interval: interval) { [weak self] in self?.tick() }
    }

    /// Handles the keys that the grid does not use.
    private func handle(_ key: Key) -> Bool {
        switch key {
        case .character("f"): follow()
        case .character("l"): show(from: Level(rawValue: (level.rawValue + 1) % Level.allCases.count) ?? .debug)
        case .character("p"): grid.metrics.isPaged.toggle()
        default: return false
        }
        return true
    }

    /// A count with separators: `20,000`.
    private func text(_ count: Int) -> String {
        ValueText.display(CellContent(.integer(Int64(count))), in: Column(id: 0, title: "", kind: .integer))
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let theme = grid.state.theme
        let width = buffer.size.columns
        buffer.fill(TerminalRect(x: 0, y: 0, width: width, height: 1), style: theme.title.textStyle)
        var x = 1
        func write(_ text: String, _ style: CellStyle) { x += buffer.write(text, x: x, y: 0, style: style.textStyle) + 2 }
        write(isFollowing ? "● following" : "○ stopped: f follows", theme.title)
        write(level == .debug ? "all levels" : "\(level.name) and above", theme.chip)
        if grid.state.metrics.isPaged { write("paged", theme.chip) }
        let size = wantsOlderLines ? "loading older lines …" : "\(text(lines.count)) of \(text(log.count)) lines"
        if width - x > size.count { buffer.write(size, x: width - size.count - 1, y: 0, style: theme.titleDetail.textStyle) }

        let hints = [
            KeyHint("q", "quit"), KeyHint("f", "follow"), KeyHint("l", "level"), KeyHint("p", "pages"), KeyHint("↑↑", "load older lines"),
        ]
        buffer.write(hints, y: buffer.size.rows - 1, theme: theme)
    }
}
