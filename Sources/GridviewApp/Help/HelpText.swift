public import DataGridTerminal
import Tables

/// The help: the commands of a key map with their current keys, the filter language and the mouse.
public enum HelpText {
    /// The help chapters with the default keys.
    public static var chapters: [KeyHelpChapter] { chapters(.standard) }

    static func lines(_ keyMap: KeyMap<Command>) -> [Page.Line] {
        var lines: [Page.Line] = []
        let synonyms = Dictionary(keyMap.commands.map { ($0.summary, "\($0.title) \($0.synonyms)".lowercased()) }) { first, _ in first }
        for chapter in chapters(keyMap) {
            if !lines.isEmpty { lines.append(.text("")) }
            lines.append(.chapter(chapter.title))
            lines += chapter.entries.map { .entry(keys: $0.keys, text: $0.text, words: synonyms[$0.text] ?? "") }
        }
        return lines
    }

    /// The chapters of the help: the grid, other contexts, filters, the mouse. For a grid command without a key, the help shows the palette
    /// key and the title of the command, because the palette can run it.
    static func chapters(_ keyMap: KeyMap<Command>) -> [KeyHelpChapter] {
        let palette = keyMap.label(of: .palette, in: [.grid]) ?? ""
        var chapters = keyMap.help { $0.context == .grid ? "\(palette) \($0.title)" : "" }
        if let groups = chapters.firstIndex(where: { $0.title == Command.Chapter.sections.title }) {
            chapters[groups].entries.append(aggregates)
        }
        return chapters + [KeyHelpChapter("Filter syntax", filters), KeyHelpChapter("Mouse", mouse)]
    }

    private static let aggregates = KeyHelpEntry(
        "sum  mean  min  max",
        "Subtotals in group headers; also count and distinct (without empty cells), median, p5 to p99, stddev, share, first, last.")

    private static let filters: [KeyHelpEntry] = [
        KeyHelpEntry(
            "price > 100", "Compare with a value or another column: = != < <= > >=; arithmetic works too: price * quantity >= 1e6."),
        KeyHelpEntry(
            "side = 'BUY'",
            "Text goes in single quotes; a single word also works without them: side = BUY. Dates are written 2024-01-31 or as in the "
                + "column; 2024-01 is the month and 2024 the year. Flags are true or false, also yes or no."),
        KeyHelpEntry("\"unit price\"  #3", "A name with spaces goes in double quotes; #3 is the third column."),
        KeyHelpEntry("symbol ~ '^A'", "Match a regular expression; !~ negates."),
        KeyHelpEntry("note contains 'x'", "Match a part of the text; also “starts with” and “ends with”. Put “not” in front to negate."),
        KeyHelpEntry("=*  ~*  contains*", "Like =, ~ and contains, but ignoring case."),
        KeyHelpEntry("side in ('BUY', 'SELL')", "Match one of several values."),
        KeyHelpEntry("price between 1 and 5", "Match a range, including both ends."),
        KeyHelpEntry("note like 'a%'", "Match the whole cell: % is any text, _ one character; “ilike” ignores case."),
        KeyHelpEntry("note is empty", "Match empty cells and cells of only spaces; the opposite is “is not empty”."),
        KeyHelpEntry(
            "note is null",
            "Match nulls and missing keys; in CSV, empty cells. “is missing” also matches cells that a short "
                + "row lacks, but not empty cells."),
        KeyHelpEntry(
            "and  or  not  ( )",
            "Combine conditions; &&, || and ! work too. A cell that is not of the column's type, such as text among "
                + "numbers, matches only !=."),
        KeyHelpEntry("length(name) > 3", "Functions: \(functions)."),
        KeyHelpEntry("anywhere('x')", "Find text in any cell; can be part of a longer condition."),
        KeyHelpEntry("settled", "Match rows in which this flag column is true."),
        KeyHelpEntry("hold", "A word, or text in quotes, matches rows that contain it in any cell; several words must all occur."),
    ]

    private static var functions: String {
        Formula.Function.named.keys.filter { $0 != Formula.Function.anyFieldContains.name }.sorted().joined(separator: ", ")
    }

    private static let mouse: [KeyHelpEntry] = [
        KeyHelpEntry("click", "Move the cursor; on ▸ or ▾, expand or collapse the group."),
        KeyHelpEntry("double click", "Open the row view; on a column edge, fit the column; in a panel, choose as Enter does."),
        KeyHelpEntry("drag", "Select cells; on row numbers, select whole rows."),
        KeyHelpEntry("click with Ctrl", "Add this cell to the selection, or remove it; on a row number, add or remove the row."),
        KeyHelpEntry("click a column name", "Sort by the column; with Ctrl or Alt, add it as a sort key."),
        KeyHelpEntry("drag a column name", "Move the column."),
        KeyHelpEntry("drag a row number", "Move the row, while “drag rows” is on."),
        KeyHelpEntry("drag a column edge", "Resize the column."),
        KeyHelpEntry("right click a name", "Open the menu of the column."),
        KeyHelpEntry("right click a cell", "Open a menu for the cell; on a selected cell, for the selection."),
        KeyHelpEntry("click a filter in the title line", "Edit the filter; right click turns it off or on."),
        KeyHelpEntry("wheel", "Scroll three rows; with Ctrl, Alt or Shift, scroll columns."),
        KeyHelpEntry("drag with the middle button", "Pan the table."),
        KeyHelpEntry("drag with Shift", "Let the terminal select text (in most terminals)."),
    ]
}
