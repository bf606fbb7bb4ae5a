import DataGrid
import DataGridTerminal
import TerminalSurface

/// A message in a box in the middle of the screen, with a button.
struct Alert {
    var title: String
    var lines: [String]

    /// The keys that close an alert. A click closes it too.
    static let closingKeys: Set<KeyPress> = [KeyPress(.enter), KeyPress(.escape), KeyPress(.character(" "))]

    func draw(on buffer: inout CellBuffer, theme: Theme) {
        // The lines that fit, between the edges, the title and the button.
        let room = max(1, buffer.size.rows - 6)
        var texts = lines
        if lines.count > room { texts = lines.prefix(room - 1) + ["and \(lines.count - room + 1) more"] }
        let inner = min(buffer.size.columns - 4, max(20, ([title] + texts).map(\.count).max() ?? 0))
        let (width, height) = (inner + 4, texts.count + 4)
        let (left, top) = ((buffer.size.columns - width) / 2, max(0, (buffer.size.rows - height) / 2))
        buffer.fill(TerminalRect(x: left, y: top, width: width, height: height), style: theme.panel.textStyle)
        func line(_ text: String, _ y: Int, _ style: CellStyle) {
            buffer.write(text, x: left + 2, y: top + y, width: inner, style: theme.panel.applying(style).textStyle, ellipsis: true)
        }
        let rule = String(repeating: "─", count: width - 2)
        for y in 1..<height - 1 {
            for x in [left, left + width - 1] { buffer.write("│", x: x, y: top + y, style: theme.panel.textStyle) }
        }
        buffer.write("┌\(rule)┐", x: left, y: top, style: theme.panel.textStyle)
        buffer.write("└\(rule)┘", x: left, y: top + height - 1, style: theme.panel.textStyle)
        line(title, 1, CellStyle(traits: .bold))
        for (index, text) in texts.enumerated() { line(text, 2 + index, .none) }
        buffer.write("  OK  ", x: left + (width - 6) / 2, y: top + height - 2, style: theme.panelSelection.textStyle)
    }
}
