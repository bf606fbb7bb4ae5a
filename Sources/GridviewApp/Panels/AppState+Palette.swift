import DataGrid
import DataGridTerminal

extension AppState {
    /// Lists the commands of the grid.
    mutating func openPalette() -> [AppEffect] {
        open(ListPanel(purpose: .commands, title: "Commands", rows: paletteRows("")))
    }

    /// The commands as list rows, followed by the visible columns whose name is typed. The tag of a column is the number of commands plus
    /// its index.
    fileprivate func paletteRows(_ text: String) -> [ListPanel.Row] {
        let commands = rows(Command.byUse)
        let name = text.lowercased()
        guard !name.isEmpty else { return commands }
        let named = grid.columns.visible.enumerated().filter { $0.element.title.lowercased() == name }
        let columns = named.map { index, column in
            ListPanel.Row(
                text: "go to column \(column.title)", detail: "", tag: Command.ofGrid.count + index, note: "Go to this column.")
        }
        return commands + columns
    }

    /// Commands of the grid as list rows. Their tags are their indices in the table.
    func rows(_ commands: [CommandID]) -> [ListPanel.Row] {
        commands.compactMap { id -> ListPanel.Row? in
            guard let index = Command.ofGrid.firstIndex(where: { $0.id == id }) else { return nil }
            let command = Command.ofGrid[index]
            return ListPanel.Row(
                text: command.title, detail: label(of: id) ?? "", tag: index, note: command.summary,
                keywords: "\(command.title) \(command.summary) \(command.synonyms)".lowercased()
                    .replacing(",", with: "").replacing(".", with: ""),
                aliases: Command.aliases[id] ?? [])
        }
    }
}

extension Command {
    /// The command names of vim and less, without the colon, which the palette also accepts.
    fileprivate static let aliases: [CommandID: [String]] = [
        .quit: ["q", "q!", "qa", "qa!", "wq", "wq!", "wqa", "x", "x!", "xa"],
        .export: ["w", "w!", "sav", "saveas"], .reload: ["e", "e!"], .undo: ["u"], .help: ["h"], .escape: ["noh", "nohl", "nohlsearch"],
        .nextSheet: ["n", "bn", "bnext"], .previousSheet: ["p", "bp", "bprevious"], .sheets: ["ls", "buffers"], .closeSheet: ["bd"],
        .bottom: ["$"],
    ]
}

extension ListPanel.Purpose {
    /// Runs the selected command, goes to the selected column, or goes to the row whose number or percentage is typed.
    static let commands = Self(
        "commands",
        accept: { state, text in
            guard let target = TypedRowTarget(text) else { return nil }
            state.overlay = nil
            return state.run(target.isPercentage ? .goToPercent : .bottom, count: target.number)
        },
        rows: { state, text in state.paletteRows(text) }
    ) { state, _, row in
        let column = row.tag - Command.ofGrid.count
        if column < 0 { return state.run(Command.ofGrid[row.tag].id, count: nil) }
        guard column < state.grid.columns.count else { return [] }
        state.remember(state.grid.cursor)
        return state.change(.move(.column(column)))
    }
}

/// A row number or a percentage of the rows, typed in the list of commands.
struct TypedRowTarget {
    let number: Int
    let isPercentage: Bool

    /// Parses text such as `120` or `50%`. Returns `nil` for other text.
    init?(_ text: String) {
        isPercentage = text.hasSuffix("%")
        guard let number = Int(isPercentage ? text.dropLast() : text[...]), number >= 0 else { return nil }
        self.number = number
    }

    /// The target as it appears in a sentence, such as `row 120`.
    var name: String { isPercentage ? "\(number)%" : "row \(number)" }
}
