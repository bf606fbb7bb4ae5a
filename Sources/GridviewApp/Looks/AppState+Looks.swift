import DataGrid
import DataGridTerminal

extension AppState {
    /// Turns wrapping on and off; with a number, makes every row that high. Cards and rows across have lines of their own.
    mutating func setRowHeight(_ count: Int?) -> [AppEffect] {
        guard grid.shownPresentation == .table else {
            return say(.wrapUnavailable(open: key(.record)))
        }
        var metrics = grid.metrics
        let isPlain = metrics.rowHeight == 1 && !metrics.hasAutomaticRowHeights
        metrics.rowHeight = min(max(1, count ?? 1), 99)
        metrics.hasAutomaticRowHeights = count == nil && isPlain
        say(
            metrics.hasAutomaticRowHeights
                ? .automaticRowHeight(most: metrics.maximumRowHeight, wrap: key(.wrap)) : .rowHeight(metrics.rowHeight))
        return change(.set(metrics: metrics))
    }

    /// Shows rows as cards or across, or, when they are shown so, as lines again.
    mutating func present(_ presentation: GridPresentation) -> [AppEffect] {
        let next = grid.presentation == presentation ? .table : presentation
        say(.presentation(next, key: key(next == .cards ? .cards : .transpose)))
        return change(.present(next))
    }

    mutating func cycleGridLines() -> [AppEffect] {
        var metrics = grid.metrics
        let all = GridLines.allCases
        metrics.gridLines = all[(all.firstIndex(of: metrics.gridLines)! + 1) % all.count]
        say(.gridLines(metrics.gridLines))
        return change(.set(metrics: metrics))
    }

    mutating func cycleTheme() -> [AppEffect] {
        let index = themes.firstIndex { $0.name == grid.theme.name } ?? -1
        let next = themes[(index + 1) % themes.count]
        isThemeChosen = true
        say(.theme(Message.name(next.name)))
        return useTheme(named: next.name)
    }

    /// Fits the chosen theme to the terminal, or the one that suits the terminal when none was chosen.
    mutating func adaptTheme() -> [AppEffect] {
        useTheme(named: isThemeChosen ? grid.theme.name : Theme.preset(for: terminalColors).name)
    }

    /// The themes that go round: the person's own, which takes the place of a preset of its name, and the presets.
    private var themes: [Theme] {
        guard let ownTheme else { return Theme.presets }
        return Theme.presets.filter { $0.name != ownTheme.name } + [ownTheme]
    }

    /// Shows every sheet in a theme, fitted to the background and the colours of the terminal.
    mutating func useTheme(named name: String) -> [AppEffect] {
        guard let theme = themes.first(where: { $0.name == name })?.fitted(to: terminalColors) else { return [] }
        var effects: [AppEffect] = []
        forEachSheet { if $0.grid.theme != theme { effects += $0.change(.apply(theme: theme)) } }
        return effects
    }

    /// Back to how the file was opened, and what the options asked for then; the cursor stays where it is, and the top left is shown as far
    /// as that leaves it in sight.
    mutating func reset() -> [AppEffect] {
        let kinds = Dictionary(uniqueKeysWithValues: grid.columns.all.map { ($0.id, $0.kind) })
        let hasOtherTypes = sheet.opened.columns.contains { kinds[$0.id] != $0.kind }
        controller.perform(.replaceColumns(sheet.opened.columns))
        let cursor = grid.cursor
        // Frozen ones would not lead to the others' beginning.
        for action: GridAction in [.freeze(FrozenPanes()), .move(.top), .move(.column(0)), .freeze(sheet.opened.frozen)] {
            controller.perform(action)
        }
        if let mode = sheet.opened.selectionMode { controller.perform(.setSelectionMode(mode)) }
        controller.perform(.clearSelection)
        var metrics = GridMetrics()
        metrics.rowHeaderWidth = grid.metrics.rowHeaderWidth
        metrics.headerHeight = AppLayout(self).headerHeight
        controller.perform(.set(metrics: metrics))
        controller.perform(.present(.table))
        controller.perform(.place(cursor))
        search = nil
        say(.viewReset)
        let effects = [AppEffect.typesChanged(sheet.opened.columns.map(\.id)), .cancel(.find), .cancel(.count)]
        let isCollapsed = sheet.opened.isCollapsed
        if grid.outline.tree != nil { controller.perform(.setAllCollapsed(isCollapsed)) }
        let isArranged = query.shown == sheet.opened.arrangement
        let asOpened = sheet.opened.arrangement
        let arranging = arrange { $0 = asOpened }
        query.request?.collapsesSections = isCollapsed
        // What stands in the order of another type is out of order now.
        return effects
            + (isArranged && hasOtherTypes && !query.wanted.isNatural && document.isComplete ? [.arrange(query.wanted)] : arranging)
    }

    mutating func toggleMouse() -> [AppEffect] {
        isMouseOn.toggle()
        message = isMouseOn ? .mouseOn : .mouseOff(mouse: key(.mouse))
        return [.setMouse(isMouseOn)]
    }
}
