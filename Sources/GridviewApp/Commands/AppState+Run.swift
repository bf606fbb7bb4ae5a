import DataGrid
import DataGridTerminal

extension AppState {
    /// Runs a command of the grid. Has no effect for commands of panels and prompts.
    mutating func run(_ id: CommandID, count: Int?) -> [AppEffect] {
        if let effects = holdCommand(id, count) { return effects }
        let command = pick == nil ? Command.named(id) : keyMap.command(id, in: gridContexts)
        return command?.effect?(&self, RepeatCount(typed: count)) ?? []
    }

    /// Performs the action of a command of the library on the grid.
    mutating func perform(_ id: GridCommand.ID, times: Int) -> [AppEffect] {
        guard let action = GridInput.action(of: id, times: times, in: grid) else { return withColumn { _, _ in [] } }
        return change(action)
    }

    /// Runs `body` with the column of the cursor. Without a column, shows a message.
    mutating func withColumn(_ body: (inout AppState, Column) -> [AppEffect]) -> [AppEffect] {
        guard let column = grid.currentColumn else { return show(.noColumns) }
        return body(&self, column)
    }

    /// Opens a panel or prompt over the grid.
    mutating func open(_ overlay: any Overlay) -> [AppEffect] {
        self.overlay = overlay
        return []
    }
}
