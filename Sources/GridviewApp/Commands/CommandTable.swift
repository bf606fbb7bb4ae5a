public import DataGridTerminal

extension Command {
    /// All commands in all contexts, in the order of the help. Each feature declares its own.
    public static let table: [Command] = [
        moving, searching, filtering, sorting, columns, rows, grouping, selecting, statistics, rowForm, looks, sheets, program, dragging,
        panels, pages, form, statisticsPanel, prompts, lists, searchPrompt, filterPrompt,
    ].flatMap(\.self)

    /// The commands of the grid: those that the palette lists.
    public static let ofGrid: [Command] = table.filter { $0.context == .grid }

    /// The command of the grid with that name; `nil` for commands of panels and prompts alone.
    public static func named(_ id: CommandID) -> Command? { byID[id] }

    private static let byID = Dictionary(ofGrid.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// The keys of the table. The table has no conflicts, which tests prove.
    fileprivate static let standardKeys = (try? KeyMap(table)) ?? KeyMap()

    /// The commands of the grid, those first that people look for: what has no key that is easily guessed. Moves come last.
    static let byUse: [CommandID] = {
        let first: [CommandID] = [
            .search, .sort, .sortDescending, .filter, .sortFurther, .group, .freezeColumns, .goToColumn, .hideColumn, .showColumns, .fitAll,
            .copy, .copyAs, .record, .statistics, .frequencies, .summary, .reset, .help,
        ]
        let chapters: [Chapter] = Chapter.allCases.filter { $0 != .moving } + [.moving]
        let rest = chapters.flatMap { chapter in ofGrid.filter { $0.chapter == chapter }.map(\.id) }
        return first + rest.filter { !first.contains($0) }
    }()
}

extension KeyMap where Command == GridviewApp.Command {
    /// The keys of ``Command/table``.
    public static var standard: KeyMap { Command.standardKeys }
}
