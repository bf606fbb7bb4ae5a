import DataGrid
import DataGridTerminal

extension AppState {
    /// Opens the palette, which lists the commands of the grid.
    mutating func openPalette() -> [AppEffect] {
        open(ListPanel(purpose: .commands, title: "Commands", rows: paletteRows("")))
    }

    /// The rows of the palette: the commands and, if text is typed, the visible columns after them. The tag of a column is its index plus
    /// the number of commands.
    fileprivate func paletteRows(_ text: String) -> [ListPanel.Row] {
        let commands = rows(Command.commonCommands)
        let name = text.lowercased()
        guard !name.isEmpty else { return commands }
        let named = grid.columns.visible.enumerated().filter { $0.element.title.lowercased() == name }
        let columns = named.map { index, column in
            ListPanel.Row(
                text: "go to column \(column.title)", detail: "", tag: Command.gridCommands.count + index, note: "Go to this column.")
        }
        return commands + columns
    }

    /// List rows for these commands of the grid. The tag of a row is the index of its command in the command table.
    func rows(_ commands: [CommandID]) -> [ListPanel.Row] {
        commands.compactMap { id -> ListPanel.Row? in
            guard let index = Command.gridCommands.firstIndex(where: { $0.id == id }) else { return nil }
            let command = Command.gridCommands[index]
            return ListPanel.Row(
                text: command.title, detail: label(of: id) ?? "", tag: index, note: command.summary,
                keywords: "\(command.title) \(command.summary) \(command.synonyms)".lowercased()
                    .replacing(",", with: "").replacing(".", with: ""),
                aliases: Command.aliases[id] ?? [])
        }
    }
}

extension Command {
    /// Names of commands in vim and less, without the colon. The user can also type these names in the palette.
    fileprivate static let aliases: [CommandID: [String]] = [
        .quit: ["q", "q!", "qa", "qa!", "wq", "wq!", "wqa", "x", "x!", "xa", "exit"],
        .export: ["w", "w!", "sav", "saveas"], .reload: ["e", "e!"], .undo: ["u"], .help: ["h"], .escape: ["noh", "nohl", "nohlsearch"],
        .nextSheet: ["n", "bn", "bnext"], .previousSheet: ["p", "bp", "bprevious"], .sheets: ["ls", "buffers"],
        .closeSheet: ["bd", "bdelete"], .bottom: ["$"],
    ]
}

extension ListPanel.Purpose {
    /// The palette. Choosing an entry runs its command or goes to its column. A typed number or percentage goes to that row of the table.
    static let commands = Self(
        "commands",
        accept: { state, text in
            guard let destination = RowDestination(text) else { return nil }
            state.overlay = nil
            return state.run(destination.isPercentage ? .goToPercent : .bottom, count: destination.number)
        },
        rows: { state, text in state.paletteRows(text) }
    ) { state, _, row in
        let column = row.tag - Command.gridCommands.count
        if column < 0 { return state.run(Command.gridCommands[row.tag].id, count: nil) }
        guard column < state.grid.columns.count else { return [] }
        state.remember(state.grid.cursor)
        return state.changeGrid(.move(.column(column)))
    }
}

/// A row number, or a percentage of the rows, that the user has typed in the palette.
struct RowDestination {
    let number: Int
    let isPercentage: Bool

    /// Parses text such as `120` or `50%`. Returns `nil` for other text.
    init?(_ text: String) {
        isPercentage = text.hasSuffix("%")
        guard let number = Int(isPercentage ? text.dropLast() : text[...]), number >= 0 else { return nil }
        self.number = number
    }

    /// The destination as a part of a sentence, such as `row 120`.
    var name: String { isPercentage ? "\(number)%" : "row \(number)" }
}
