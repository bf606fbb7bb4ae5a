import DataGrid
import DataGridTerminal

/// Lists over the grid: their commands, and the effect of the selected row.
extension AppState {
    /// Lists the commands of the grid.
    mutating func openPalette() -> [AppEffect] {
        open(.list(ListPanel(purpose: .commands, title: "Commands", rows: rows(Command.byUse))))
    }

    /// Commands of the grid as list rows. Their tags are their indices in the table.
    func rows(_ commands: [CommandID]) -> [ListPanel.Row] {
        commands.compactMap { id -> ListPanel.Row? in
            guard let place = Command.ofGrid.firstIndex(where: { $0.id == id }) else { return nil }
            return ListPanel.Row(text: Command.ofGrid[place].title, detail: keyMap.label(of: id, in: [.grid]) ?? "", tag: place)
        }
    }

    /// Runs a command in a list.
    mutating func runInList(_ id: CommandID, _ old: ListPanel) -> [AppEffect] {
        var panel = old
        switch id {
        case .up: panel.move(by: -1)
        case .down: panel.move(by: 1)
        case .pageUp: panel.move(by: -min(10, panel.selected))
        case .pageDown: panel.move(by: min(10, max(0, panel.matches.count - 1 - panel.selected)))
        case .accept: return choose(in: panel)
        case .close:
            layer = nil
            return []
        default: return []
        }
        layer = .list(panel)
        return []
    }

    /// Applies the selected row.
    mutating func choose(in panel: ListPanel) -> [AppEffect] {
        guard panel.selected < panel.matches.count else {
            layer = .list(panel)
            return []
        }
        let row = panel.matches[panel.selected]
        switch panel.purpose {
        case .goToColumn:
            layer = nil
            guard let index = grid.columns.index(of: ColumnID(row.tag)) else { return [] }
            remember(grid.cursor)
            return change(.move(.column(index)))
        case .showColumns:
            let id = ColumnID(row.tag)
            let effects = change(.setHidden(id, grid.columns[id]?.isHidden == false))
            var panel = panel
            if let place = panel.rows.firstIndex(where: { $0.tag == row.tag }) {
                panel.rows[place].detail = grid.columns[id]?.isHidden == true ? "hidden" : "shown"
            }
            layer = .list(panel)
            return effects
        case .copyAs:
            layer = nil
            guard let cells = grid.cellsToCopy() else { return say(.nothingToCopy) }
            return [.copy(cells, as: Self.clipboardFormats[row.tag].format, withHeader: true)]
        case .sheets:
            layer = nil
            return sheets.firstIndex { $0.id == row.tag }.map { showSheet(at: $0) } ?? []
        case .commands, .columnMenu:
            layer = nil
            return run(Command.ofGrid[row.tag].id, count: nil)
        }
    }
}
