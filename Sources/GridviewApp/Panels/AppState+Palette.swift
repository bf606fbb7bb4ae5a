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
            return ListPanel.Row(text: Command.ofGrid[place].title, detail: label(of: id) ?? "", tag: place)
        }
    }
}

extension ListPanel.Purpose {
    /// Runs the selected command.
    static let commands = Self("commands") { state, _, row in state.run(Command.ofGrid[row.tag].id, count: nil) }
}
