import DataGrid
import DataGridTerminal

extension AppState {
    /// Turns text wrapping on or off. With a number, sets the height of all rows to this number of lines, at most 99.
    ///
    /// For cards and transposed tables, a message suggests the row view instead.
    mutating func setRowHeight(_ count: Int?) -> [AppEffect] {
        guard grid.effectivePresentation == .table else {
            return show(.wrapUnavailable(openKey: key(.record)))
        }
        var metrics = grid.metrics
        let isPlain = metrics.rowHeight == 1 && !metrics.hasAutomaticRowHeights
        metrics.rowHeight = min(max(1, count ?? 1), 99)
        metrics.hasAutomaticRowHeights = count == nil && isPlain
        show(
            metrics.hasAutomaticRowHeights
                ? .automaticRowHeight(maximumLines: metrics.maximumRowHeight, wrapKey: key(.wrap)) : .rowHeight(metrics.rowHeight))
        return changeGrid(.setMetrics(metrics))
    }

    /// Shows the rows in the given presentation, such as cards. If this presentation is already chosen, shows the rows as a table again.
    mutating func present(_ presentation: GridPresentation) -> [AppEffect] {
        let next = grid.presentation == presentation ? .table : presentation
        show(.presentation(next, key: key(next == .cards ? .cards : .transpose)))
        return changeGrid(.setPresentation(next))
    }

    mutating func cycleGridLines() -> [AppEffect] {
        var metrics = grid.metrics
        let all = GridLines.allCases
        metrics.gridLines = all[(all.firstIndex(of: metrics.gridLines)! + 1) % all.count]
        show(.gridLines(metrics.gridLines))
        return changeGrid(.setMetrics(metrics))
    }

    mutating func togglePanning() -> [AppEffect] {
        controller.interaction.pansByDragging.toggle()
        return show(.panning(grid.interaction.pansByDragging))
    }

    mutating func cycleTheme() -> [AppEffect] {
        let index = themes.firstIndex { $0.name == grid.theme.name } ?? -1
        let next = themes[(index + 1) % themes.count]
        isThemeChosen = true
        recordChange(of: "theme", to: .string(next.name == customTheme?.name ? customThemeName ?? next.name : next.name))
        show(.theme(Message.name(next.name), saveKey: saveHint))
        return useTheme(named: next.name)
    }

    /// Applies the theme that the user has chosen or, without a choice, the preset that matches the terminal.
    mutating func adaptTheme() -> [AppEffect] {
        useTheme(named: isThemeChosen ? grid.theme.name : Theme.preset(for: terminalColors).name)
    }

    /// The themes to choose from: the presets and the user's own theme, which replaces a preset of the same name.
    private var themes: [Theme] {
        guard let customTheme else { return Theme.presets }
        return Theme.presets.filter { $0.name != customTheme.name } + [customTheme]
    }

    /// Applies a theme to all sheets, adapted to the background and colors of the terminal. An unknown name has no effect.
    mutating func useTheme(named name: String) -> [AppEffect] {
        // First try the preset that matches the terminal, because creating all presets would delay the first frame.
        let usual = Theme.preset(for: terminalColors)
        let found = customTheme == nil && usual.name == name ? usual : themes.first { $0.name == name }
        guard let theme = found?.fitted(to: terminalColors) else { return [] }
        var effects: [AppEffect] = []
        forEachSheet { if $0.grid.theme != theme { effects += $0.changeGrid(.setTheme(theme)) } }
        return effects
    }

    /// Resets the view to the command-line options. The cursor keeps its position. The grid scrolls as close to the top left as possible
    /// while the cursor remains visible.
    mutating func resetView() -> [AppEffect] {
        let before = ViewState(self)
        let kinds = Dictionary(uniqueKeysWithValues: grid.columns.all.map { ($0.id, $0.kind) })
        let hasOtherTypes = sheet.openedView.columns.contains { kinds[$0.id] != $0.kind }
        controller.perform(.replaceColumns(resetColumns))
        let cursor = grid.cursor
        // Unfreeze before scrolling: frozen columns and rows would prevent the other columns and rows from scrolling back to their start.
        for action: GridAction in [.freeze(FrozenPanes()), .move(.top), .move(.column(0)), .freeze(sheet.openedView.frozen)] {
            controller.perform(action)
        }
        if let mode = sheet.openedView.selectionMode { controller.perform(.setSelectionMode(mode)) }
        controller.perform(.clearSelection)
        var metrics = GridMetrics.programDefaults
        metrics.rowHeaderWidth = grid.metrics.rowHeaderWidth
        metrics.headerHeight = AppLayout(self).headerHeight
        controller.perform(.setMetrics(metrics))
        controller.perform(.setPresentation(.table))
        controller.perform(.moveCursor(cursor))
        search = nil
        show(.viewReset(undoKey: key(.undo)))
        sheet.history.title = ViewHistory.resetTitle
        let effects = [AppEffect.typesChanged(sheet.openedView.columns.map(\.id)), .cancel(.find), .cancel(.count)]
        let isCollapsed = sheet.openedView.isCollapsed
        let asOpened = sheet.openedView.arrangement
        let isArranged = query.shown == asOpened
        // Collapsed groups that another arrangement replaces stay as they are, because undo restores them.
        if isArranged, grid.outline.tree != nil { controller.perform(.setAllCollapsed(isCollapsed)) }
        let arranging = arrange { $0 = asOpened }
        query.setCollapsed(isCollapsed ? .allCollapsed : .allExpanded)
        if ViewState(self) == before { show(.viewReset(undoKey: nil)) }
        // `arrange` starts no query for an unchanged arrangement. After a change of column types, the rows must still be sorted again.
        return effects
            + (isArranged && hasOtherTypes && !query.requested.isFileOrder && document.canBeQueried
                ? [.arrange(query.requested)] : arranging)
    }
}
