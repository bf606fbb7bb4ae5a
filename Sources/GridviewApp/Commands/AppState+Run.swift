import DataGrid
import DataGridTerminal

extension AppState {
    /// Runs a command of the grid. A command of a panel or prompt has no effect.
    mutating func run(_ id: CommandID, count: Int?) -> [AppEffect] {
        if let effects = deferCommand(id, count) { return effects }
        let command = pick == nil ? Command.named(id) : keyMap.command(id, in: gridContexts)
        return command?.effect?(&self, RepeatCount(typedNumber: count)) ?? []
    }

    /// Performs a command that the grid library provides, such as a cursor movement, `times` times.
    mutating func perform(_ id: GridCommand.ID, times: Int) -> [AppEffect] {
        guard let action = GridInput.action(of: id, times: times, in: grid) else { return withColumn { _, _ in [] } }
        return changeGrid(action)
    }

    /// Runs `body` with the column of the cursor. If there is no column, shows a message instead.
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
