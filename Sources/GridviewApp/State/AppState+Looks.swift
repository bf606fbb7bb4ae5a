import DataGrid
import TerminalSurface

extension AppState {
    mutating func openRecord() -> [AppEffect] {
        if case .header(let section) = grid.cursor.item { return change(.toggleSection(section)) }
        guard grid.currentRow != nil else { return [] }
        layer = .record(scroll: 0)
        return []
    }

    mutating func cycleSelectionMode() -> [AppEffect] {
        let modes = SelectionMode.allCases
        let next = modes[(modes.firstIndex(of: grid.selectionMode)! + 1) % modes.count]
        let words: [SelectionMode: String] = [
            .none: "nothing", .cell: "one cell at a time", .cells: "cells", .row: "one row at a time", .rows: "rows",
        ]
        message = Message("What can be selected: \(words[next]!).")
        return change(.setSelectionMode(next))
    }

    /// Turns wrapping on and off; with a number, makes every row that high.
    mutating func setRowHeight(_ count: Int?) -> [AppEffect] {
        var metrics = grid.metrics
        let isPlain = metrics.rowHeight == 1 && !metrics.hasAutomaticRowHeights
        metrics.rowHeight = min(max(1, count ?? 1), 99)
        metrics.hasAutomaticRowHeights = count == nil && isPlain
        message = Message(
            metrics.hasAutomaticRowHeights
                ? "Rows as high as their text, \(metrics.maximumRowHeight) lines at most. W again: one line."
                : metrics.rowHeight == 1 ? "Rows of one line." : "Rows of \(metrics.rowHeight) lines, long cells wrapped.")
        return change(.set(metrics: metrics))
    }

    mutating func cycleGridLines() -> [AppEffect] {
        var metrics = grid.metrics
        let all = GridLines.allCases
        metrics.gridLines = all[(all.firstIndex(of: metrics.gridLines)! + 1) % all.count]
        let words: [GridLines: String] = [.none: "No lines.", .columns: "Lines between columns.", .both: "Lines between columns and rows."]
        message = Message(words[metrics.gridLines]!)
        return change(.set(metrics: metrics))
    }

    mutating func cycleTheme() -> [AppEffect] {
        let index = Theme.presets.firstIndex { $0.name == grid.theme.name } ?? -1
        let next = Theme.presets[(index + 1) % Theme.presets.count]
        isThemeChosen = true
        message = Message("Theme “\(next.name)”.")
        return useTheme(named: next.name)
    }

    /// Takes the theme that the terminal's colours can carry, unless the person has chosen one.
    mutating func adapt(to depth: ColorDepth) {
        hasFewColors = depth < .indexed256
        let name = depth == .none && !isThemeChosen ? Theme.plain.name : grid.theme.name
        if depth == .none { isThemeChosen = true }
        _ = useTheme(named: name)
    }

    /// Puts a preset on, fitted to the terminal's ground and its colours.
    mutating func useTheme(named name: String) -> [AppEffect] {
        guard var theme = Theme.presets.first(where: { $0.name == name })?.fitted(toLightTerminal: isTerminalLight) else { return [] }
        if hasFewColors { theme = theme.fittedToFewColors() }
        return theme == grid.theme ? [] : change(.apply(theme: theme))
    }

    /// Back to how the file was opened; the cursor stays with its column.
    mutating func reset() -> [AppEffect] {
        _ = grid.apply(.replaceColumns(openedColumns))
        _ = grid.apply(.freeze(FrozenPanes()))
        _ = grid.apply(.clearSelection)
        var metrics = GridMetrics()
        metrics.rowHeaderWidth = grid.metrics.rowHeaderWidth
        metrics.headerHeight = AppLayout(self).headerHeight
        _ = grid.apply(.set(metrics: metrics))
        search = nil
        message = Message("Everything as the file was opened.")
        return openedColumns.map { .typeChanged($0.id) } + [.cancel(.find), .cancel(.count)] + arrange { $0 = Arrangement() }
    }

    mutating func toggleMouse() -> [AppEffect] {
        isMouseOn.toggle()
        message = Message(isMouseOn ? "The mouse is the program's." : "The mouse is the terminal's. Alt-m takes it back.")
        return [.setMouse(isMouseOn)]
    }

    // MARK: Leaving

    /// Escape: takes one thing away.
    mutating func peel() -> [AppEffect] {
        if !grid.selection.isEmpty { return change(.clearSelection) }
        if search != nil {
            search = nil
            return [.cancel(.find), .cancel(.count)]
        }
        // That filters take in what comes is no work that was asked for by itself.
        let isFollowing = !isArranging && !wanted.filters.isEmpty
        if jobs.contains(where: { $0.kind != .index && ($0.kind != .arrange || !isFollowing) }) || isArranging { return cancel() }
        return wanted.filters.isEmpty ? [] : removeFilter()
    }

    /// Ctrl-c: copies what is selected, else cancels what runs.
    mutating func cancel() -> [AppEffect] {
        if !grid.selection.isEmpty { return [.copy(withHeader: false)] }
        let running = jobs.filter { $0.kind != .index || !document.isComplete }
        if let job = running.last {
            message = Message("Cancelled: \(job.title).")
            return [.cancel(job.kind)]
        }
        if isArranging {
            giveUpArranging()
            message = Message("Cancelled.")
            return [.cancel(.arrange)]
        }
        message = Message("Nothing runs. q leaves the program.")
        return []
    }
}
