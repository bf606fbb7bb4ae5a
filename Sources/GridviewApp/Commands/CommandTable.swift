public import DataGridTerminal

extension Command {
    /// All commands in all contexts, in help order. Each feature declares its own commands.
    public static let table: [Command] = [
        moving, searching, filtering, sorting, columns, deriving, rows, grouping, selecting, copying, exporting, statistics, rowForm,
        appearance,
        history, settings, views, picking,
        sheets, reloading, reading, statements, palette, help, program, dragging, panels, pages, form, statisticsPanel, valuesList, prompts,
        lists,
        columnList, searchPrompt, filterPrompt, filterList, exportPrompt, readingForm,
    ].flatMap(\.self)

    /// The commands of the grid, which the palette lists.
    public static let ofGrid: [Command] = table.filter { $0.context == .grid }

    /// The grid command with this ID; `nil` for commands of panels and prompts only.
    public static func named(_ id: CommandID) -> Command? { ofGrid.first { $0.id == id } }

    /// The default keys. If keys of the table conflict, traps with a message that names both commands.
    fileprivate static let standardKeys: KeyMap<Command> = {
        do throws(KeyConflict) {
            return try KeyMap(table)
        } catch {
            fatalError(error.message)
        }
    }()

    /// The commands of the grid in palette order: frequent commands without obvious keys first, motions last.
    static let byUse: [CommandID] = {
        let first: [CommandID] = [
            .search, .sort, .sortDescending, .filter, .addSortKey, .group, .freezeColumns, .goToColumn, .hideColumn, .showColumns, .fitAll,
            .copy, .copyAs, .export, .record, .statistics, .frequencies, .summary, .reset, .help,
        ]
        let rest = (ofGrid.filter { $0.chapter != .moving } + ofGrid.filter { $0.chapter == .moving }).map(\.id)
        return first + rest.filter { !first.contains($0) }
    }()
}

extension KeyMap where Command == GridviewApp.Command {
    /// The default keys of ``Command/table``.
    public static var standard: KeyMap { Command.standardKeys }
}
