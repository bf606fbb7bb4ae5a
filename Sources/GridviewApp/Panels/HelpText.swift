/// The help, made from the command table.
enum HelpText {
    static func lines() -> [PageText.Line] {
        var lines: [PageText.Line] = []
        for chapter in Command.Chapter.allCases {
            if !lines.isEmpty { lines.append(.text("")) }
            lines.append(.chapter(chapter.rawValue))
            for command in Command.table where command.chapter == chapter {
                lines.append(.entry(keys: keys(of: command), text: command.summary))
            }
        }
        for (title, entries) in [("In the form of a row", form), ("Mouse", mouse)] {
            lines += [.text(""), .chapter(title)]
            lines += entries.map { .entry(keys: $0.0, text: $0.1) }
        }
        return lines
    }

    /// The keys of a command; for one without, how the palette finds it.
    static func keys(of command: Command) -> String {
        command.keys.isEmpty
            ? ": \(command.title)" : command.keys.map { KeyNotation.label(KeyNotation.sequence($0)) }.joined(separator: "  ")
    }

    /// What keys do while a row is shown as a form; also for the man page.
    static let form: [(String, String)] = [
        ("↑  ↓  k  j", "A line up, a line down."),
        ("PgUp  PgDn  Space", "A page up, a page down."),
        ("Home  End  g  G", "To the beginning, to the end."),
        ("Tab  Shift-Tab", "To the next column, to the previous one."),
        ("n  p", "To the next row, to the previous one."),
        ("Esc  q  Enter", "Back to the grid."),
    ]

    /// What the mouse does; also for the man page.
    static let mouse: [(String, String)] = [
        ("click", "Moves the cursor; on ▸ or ▾ opens or closes the section."),
        ("double click", "Shows the row as a form; on the edge of a column fits the column."),
        ("drag", "Selects a block; at the left, whole rows."),
        ("click a title", "Sorts by the column; with Ctrl or Alt as a further key."),
        ("drag a title", "Moves the column; Escape gives up."),
        ("drag a number", "Moves a selected row, once the command “rows by drag” lets it."),
        ("drag an edge", "Makes a column wider or narrower."),
        ("right click a title", "Opens the column's menu."),
        ("wheel", "Three rows; with Ctrl, Alt or Shift columns."),
        ("middle drag", "Moves the view."),
        ("Shift", "Leaves the mouse to the terminal, in most terminals."),
    ]
}
