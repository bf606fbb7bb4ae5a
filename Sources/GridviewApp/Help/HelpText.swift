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
        for (title, entries) in [
            (filterTitle, filters), ("In the form of a row", form), ("In the numbers of columns", numbers), ("Mouse", mouse),
        ] {
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

    /// What keys do while numbers of columns are shown; also for the man page.
    static let numbers: [(String, String)] = [
        ("↑  ↓  PgUp  PgDn  Home  End", "Through the page or the list."),
        ("s", "In a list of values: by their counts, by the values."),
        ("Enter", "On a value, keeps the rows that have it; on a column, tells more of it."),
        ("F", "From a column's numbers to the list of its values."),
        ("Esc  q", "One panel back."),
    ]

    static let filterTitle = "What a filter can say"

    /// The language of filters; also for the man page.
    static let filters: [(String, String)] = [
        ("price > 100", "A comparison: = != < <= > >=, with a value or another column; price * quantity >= 1e6 works it out."),
        ("side = 'BUY'", "A text, in single quotes; a date is written 2024-01-31, a flag true or false."),
        ("\"unit price\"  #3", "A column whose name is no word, and a column by its number."),
        ("symbol ~ '^A'", "A regular expression; !~ where it does not match."),
        ("note contains 'x'", "Or starts with, or ends with; with not before it, the others."),
        ("=*  ~*  contains*", "Without regard to case."),
        ("side in ('BUY', 'SELL')", "One of several values."),
        ("note is empty", "Nothing but blanks, or nothing at all; is not empty: the others."),
        ("and  or  not  ( )", "Several conditions in one. A cell that cannot be read as what is asked for fulfils no comparison but !=."),
        ("settled", "The name of a column of flags alone: rows in which it is true."),
        ("hold", "Another word alone, or a text in quotes: rows that have it in any cell."),
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
