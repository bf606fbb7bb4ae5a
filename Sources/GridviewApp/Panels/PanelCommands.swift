import DataGrid
import DataGridTerminal

extension Command {
    static let palette: [Command] = [
        Command(.palette, .program, [":"], "commands", "Find a command by name.") { state, _ in state.openPalette() }
    ]

    static let panels: [Command] = [
        Command(.up, in: .panel, ["Up", "k"], "line up", "Go up one line, or to the entry above."),
        Command(.down, in: .panel, ["Down", "j"], "line down", "Go down one line, or to the entry below."),
        Command(.pageUp, in: .panel, ["PageUp", "C-b"], "page up", "Go up one page."),
        Command(.pageDown, in: .panel, ["PageDown", "Space", "C-f"], "page down", "Go down one page."),
        Command(.top, in: .panel, ["Home", "g"], "top", "Go to the top."),
        Command(.bottom, in: .panel, ["End", "G"], "end", "Go to the end."),
    ]

    static let pages: [Command] = [
        Command(.search, in: .page, ["/"], "search", "Search the page as you type, ignoring case."),
        Command(.searchNext, in: .page, ["n"], "next match", "Go to the next match on the page; wraps around."),
        Command(.searchPrevious, in: .page, ["N"], "previous match", "Go to the previous match on the page; wraps around."),
        Command(.top, in: .page, ["C-Home"], "top", "Go to the top."),
        Command(.bottom, in: .page, ["C-End"], "end", "Go to the end."),
        Command(.copy, in: .page, ["y", "c"], "copy", "Copy the command line or the SQL that the page shows."),
        Command(.readingOptions, in: .page, ["C-g"], "reading options", "Change how the file is read."),
        Command(.close, in: .page, ["Escape", "q", "?", "F1", "Enter", "C-c", "C-q"], "back", "Close the page."),
    ]

    /// The commands of prompts. The keys that edit text come from the grid library.
    static let prompts: [Command] =
        [
            Command(.accept, in: .prompt, ["Enter"], "apply", "Apply the text; in a list, select the entry."),
            Command(.close, in: .prompt, ["Escape", "C-c"], "cancel", "Close the prompt or list without applying it."),
        ]
        + GridCommand.table.filter { $0.context == .text }.map { row in
            Command(CommandID(row.id), in: .prompt, row.keys, row.title, row.summary)
        }

    static let lists: [Command] = [
        Command(.up, in: .list, ["Up", "C-p", "S-Tab"], "entry above", "Go to the entry above; wraps around."),
        Command(.down, in: .list, ["Down", "C-n", "Tab"], "entry below", "Go to the entry below; wraps around."),
        Command(.pageUp, in: .list, ["PageUp"], "entries up", "Go ten entries up."),
        Command(.pageDown, in: .list, ["PageDown"], "entries down", "Go ten entries down."),
    ]
}

extension CommandID {
    static let palette = CommandID("palette")
    static let accept = CommandID("accept")

    /// The number of lines by which this command scrolls a panel of `height` lines; negative to scroll up. `nil` if the command does not
    /// scroll.
    func scrolledLines(ofPage height: Int) -> Int? {
        switch self {
        case .up: -1
        case .down: 1
        case .pageUp: -height
        case .pageDown: height
        case .top: -(1 << 40)
        case .bottom: 1 << 40
        default: nil
        }
    }

    /// Creates the program's ID for a command of the grid library. Both IDs have the same name.
    init(_ command: GridCommand.ID) { self.init(command.rawValue) }

    /// How the command edits a line of text; `nil` if it does not edit text.
    var edit: LineEditor.Edit? { GridCommand.ID(rawValue: rawValue)?.edit }
}

extension KeyContext {
    /// The context of all panels without a text field: pages, the row view, statistics.
    static let panel = Self("panel", title: "Panels")
    static let page = Self("page", title: "Help and file details")
    /// The context of all prompts and lists, in which text can be typed.
    static let prompt = Self("prompt", title: "Prompts and lists")
    static let list = Self("list", title: "Lists")
}
