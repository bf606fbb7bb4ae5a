public import DataGridTerminal

extension Command {
    /// All commands in all contexts, in the order of the help. Each feature declares its own part of the table.
    public static let table: [Command] = [
        moving, searching, filtering, sorting, columns, deriving, rows, grouping, pivoting, selecting, copying, exporting, statistics,
        rowForm,
        appearance,
        history, settings, views, picking,
        sheets, reloading, reading, statements, palette, help, program, dragging, panels, pages, form, statisticsPanel, valuesList, prompts,
        lists,
        columnList, searchPrompt, filterPrompt, filterList, exportPrompt, readingForm,
    ].flatMap(\.self)

    /// The commands of the grid, which the palette lists.
    public static let gridCommands: [Command] = table.filter { $0.context == .grid }

    /// The grid command with this ID; `nil` if only panels or prompts have a command with this ID.
    public static func named(_ id: CommandID) -> Command? { gridCommands.first { $0.id == id } }

    /// The default key bindings of the table. If two commands of one context have the same keys, the program stops with a message that
    /// names both.
    fileprivate static let standardKeys: KeyMap<Command> = {
        do throws(KeyConflict) {
            return try KeyMap(table)
        } catch {
            fatalError(error.message)
        }
    }()

    /// The commands of the grid in the order of the palette: frequent commands without obvious keys first, cursor movements last.
    static let commonCommands: [CommandID] = {
        let first: [CommandID] = [
            .search, .sort, .sortDescending, .filter, .addSortKey, .group, .freezeColumns, .goToColumn, .hideColumn, .showColumns, .fitAll,
            .copy, .copyAs, .export, .record, .statistics, .frequencies, .summary, .reset, .help,
        ]
        let rest = (gridCommands.filter { $0.chapter != .moving } + gridCommands.filter { $0.chapter == .moving }).map(\.id)
        return first + rest.filter { !first.contains($0) }
    }()
}

extension KeyMap where Command == GridviewApp.Command {
    /// The default keys of ``Command/table``.
    public static var standard: KeyMap { Command.standardKeys }
}
