public import DataGridTerminal
import Tables

/// The help: the commands of a key map with their current keys, the filter language and the mouse.
public enum HelpText {
    /// The help chapters with the default keys.
    public static var chapters: [KeyHelpChapter] { chapters(.standard) }

    static func lines(_ keyMap: KeyMap<Command>) -> [PageText.Line] {
        var lines: [PageText.Line] = []
        for chapter in chapters(keyMap) {
            if !lines.isEmpty { lines.append(.text("")) }
            lines.append(.chapter(chapter.title))
            lines += chapter.entries.map { .entry(keys: $0.keys, text: $0.text) }
        }
        return lines
    }

    /// The help chapters: grid, other contexts, filters, mouse. Grid commands without keys are listed with the palette key.
    static func chapters(_ keyMap: KeyMap<Command>) -> [KeyHelpChapter] {
        let palette = keyMap.label(of: .palette, in: [.grid]) ?? ""
        return keyMap.help { $0.context == .grid ? "\(palette) \($0.title)" : "" } + [
            KeyHelpChapter("What a filter can say", filters), KeyHelpChapter("Mouse", mouse),
        ]
    }

    private static let filters: [KeyHelpEntry] = [
        KeyHelpEntry("price > 100", "A comparison: = != < <= > >=, with a value or another column; price * quantity >= 1e6 works it out."),
        KeyHelpEntry("side = 'BUY'", "A text, in single quotes; a date is written 2024-01-31, a flag true or false."),
        KeyHelpEntry("\"unit price\"  #3", "A column whose name is no word, and a column by its number."),
        KeyHelpEntry("symbol ~ '^A'", "A regular expression; !~ where it does not match."),
        KeyHelpEntry("note contains 'x'", "Or starts with, or ends with; with not before it, the others."),
        KeyHelpEntry("=*  ~*  contains*", "Without regard to case."),
        KeyHelpEntry("side in ('BUY', 'SELL')", "One of several values."),
        KeyHelpEntry("note is empty", "Nothing but blanks, or nothing at all; is not empty: the others."),
        KeyHelpEntry(
            "and  or  not  ( )", "Several conditions in one. A cell that cannot be read as what is asked for fulfils no comparison but !=."),
        KeyHelpEntry("length(name) > 3", "A function of columns; the functions are \(functions)."),
        KeyHelpEntry("anywhere('x')", "A text in any cell of the row, as a part of a longer condition."),
        KeyHelpEntry("settled", "The name of a column of flags alone: rows in which it is true."),
        KeyHelpEntry("hold", "Another word alone, or a text in quotes: rows that have it in any cell."),
    ]

    private static var functions: String {
        Formula.Function.named.keys.filter { $0 != Formula.Function.anyFieldContains.name }.sorted().joined(separator: ", ")
    }

    private static let mouse: [KeyHelpEntry] = [
        KeyHelpEntry("click", "Moves the cursor; on ▸ or ▾ opens or closes the section."),
        KeyHelpEntry("double click", "Shows the row as a form; on the edge of a column fits the column."),
        KeyHelpEntry("drag", "Selects a block; at the left, whole rows."),
        KeyHelpEntry("click a title", "Sorts by the column; with Ctrl or Alt as a further key."),
        KeyHelpEntry("drag a title", "Moves the column."),
        KeyHelpEntry("drag a number", "Moves a selected row, once the command “rows by drag” lets it."),
        KeyHelpEntry("drag an edge", "Makes a column wider or narrower."),
        KeyHelpEntry("right click a title", "Opens the column's menu."),
        KeyHelpEntry("wheel", "Three rows; with Ctrl, Alt or Shift columns."),
        KeyHelpEntry("middle drag", "Moves the view."),
        KeyHelpEntry("Shift", "Leaves the mouse to the terminal, in most terminals."),
    ]
}
