import DataGridTerminal

extension AppState {
    /// Lists the commands of the grid.
    mutating func openPalette() -> [AppEffect] {
        open(ListPanel(purpose: .commands, title: "Commands", rows: rows(Command.byUse)))
    }

    /// Commands of the grid as list rows. Their tags are their indices in the table.
    func rows(_ commands: [CommandID]) -> [ListPanel.Row] {
        commands.compactMap { id -> ListPanel.Row? in
            guard let place = Command.ofGrid.firstIndex(where: { $0.id == id }) else { return nil }
            let command = Command.ofGrid[place]
            return ListPanel.Row(
                text: command.title, detail: label(of: id) ?? "", tag: place, note: command.summary,
                keywords: "\(command.summary) \(command.synonyms)".lowercased().replacing(",", with: "").replacing(".", with: ""),
                aliases: Command.aliases[id] ?? [])
        }
    }
}

extension Command {
    /// The names of commands after the colon of vim and less, which the palette accepts.
    fileprivate static let aliases: [CommandID: [String]] = [
        .quit: ["q", "q!", "qa", "qa!", "wq", "wq!", "wqa", "x", "x!", "xa"],
        .export: ["w", "w!", "sav", "saveas"], .reload: ["e", "e!"], .undo: ["u"], .help: ["h"], .escape: ["noh", "nohl", "nohlsearch"],
        .nextSheet: ["n", "bn", "bnext"], .previousSheet: ["p", "bp", "bprevious"], .sheets: ["ls", "buffers"], .closeSheet: ["bd"],
        .bottom: ["$"],
    ]
}

extension ListPanel.Purpose {
    /// Runs the selected command, or goes to the row whose number or percentage is typed.
    static let commands = Self(
        "commands",
        accept: { state, text in
            guard let place = TypedPlace(text) else { return nil }
            state.overlay = nil
            return state.run(place.isPercentage ? .goToPercent : .bottom, count: place.number)
        }
    ) { state, _, row in state.run(Command.ofGrid[row.tag].id, count: nil) }
}

/// A row number or a percentage of the rows, typed in the list of commands.
struct TypedPlace {
    let number: Int
    let isPercentage: Bool

    /// Returns `nil` for other text.
    init?(_ text: String) {
        isPercentage = text.hasSuffix("%")
        guard let number = Int(isPercentage ? text.dropLast() : text[...]), number >= 0 else { return nil }
        self.number = number
    }

    /// The name in a sentence.
    var name: String { isPercentage ? "\(number)%" : "row \(number)" }
}
