import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables

import TerminalSurface

extension StatisticsPanel: Overlay {
    var contexts: [KeyContext] {
        guard case .frequencies = subject else { return [.statistics, .panel] }
        return isTyping ? [.narrowing, .list, .prompt] : [.values, .statistics, .panel]
    }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        switch id {
        case .close where isTyping:
            var panel = self
            panel.isTyping = false
            state.overlay = panel
        case .close:
            state.overlay = previous.first
            return result == nil || isEstimate ? [.cancel(.statistics)] : []
        case .sort:
            guard case .frequencies = result else { break }
            var panel = self
            panel.isSortedByValue.toggle()
            panel.updateListedValues(in: state)
            state.overlay = panel
        case .findValues:
            guard case .frequencies = result else { break }
            var panel = self
            panel.isTyping = true
            state.overlay = panel
        case .markAndNext:
            guard let number = number(at: selected) else { break }
            var panel = self
            if panel.markedNumbers.remove(number) == nil { panel.markedNumbers.insert(number) }
            panel.move(by: 1, in: &state)
        case .filterExcludingCell: return filter(isNegated: true, in: &state)
        case .copy: return values(in: state).map { [.copy(.values($0))] } ?? []
        case .export: return values(in: state) == nil ? [] : state.openExport(of: self)
        case .frequencies:
            guard case .column(let id) = subject, result != nil else { break }
            // The job of the new panel cancels the job that computes exact statistics for this panel. Therefore this panel must not wait
            // for them.
            var panel = self
            panel.wantsExact = false
            return state.openStatistics(.frequencies(id), from: panel)
        case .exactStatistics:
            guard isEstimate, !wantsExact else { break }
            var panel = self
            panel.wantsExact = true
            state.overlay = panel
            return [.statistics(subject, isExact: true)]
        case .accept: return choose(in: &state)
        case .nextColumn, .previousColumn: selectItem(by: id == .nextColumn ? 1 : -1, in: &state)
        case .up where item != nil, .down where item != nil:
            selectItem(isDown: id == .down, in: &state)
        default: if let lines = id.scrolledLines(ofPage: PanelFrame(pageIn: state.size).pageHeight) { move(by: lines, in: &state) }
        }
        return []
    }

    /// Selects the entry that is `lines` below the selected one. On a page without entries, scrolls down by `lines`. Negative numbers go
    /// up.
    @MainActor private func move(by lines: Int, in state: inout AppState) {
        var panel = self
        if choiceCount > 0 {
            panel.selected = min(max(0, selected + lines), choiceCount - 1)
        } else {
            let all = StatisticsText(state, self).lines.count
            panel.scroll = min(max(0, scroll + lines), max(0, all - PanelFrame(pageIn: state.size).pageHeight))
        }
        state.overlay = panel
    }

    /// Selects the next or previous bar or value. Going back from the first one selects nothing.
    @MainActor private func selectItem(by step: Int, in state: inout AppState) {
        guard let page = StatisticsText(state, self).page, page.itemCount > 0 else { return }
        var next = (item ?? -1) + step
        // Skip bars without rows. The loop ends, because the first and the last bar always have rows.
        while page.isEmpty(next) { next += step }
        select(next < 0 ? nil : min(next, page.itemCount - 1), of: page, in: &state)
    }

    /// Selects the item below or above. All bars form one row: below it is the first value, and above it nothing is selected.
    @MainActor private func selectItem(isDown: Bool, in state: inout AppState) {
        guard let page = StatisticsText(state, self).page, let item else { return }
        let next = item < page.barCount ? (isDown ? page.barCount : -1) : item + (isDown ? 1 : -1)
        select(next < 0 ? nil : min(next, page.itemCount - 1), of: page, in: &state)
    }

    /// Selects a bar or a value, or nothing if `item` is `nil`. Scrolls until it is visible.
    @MainActor private func select(_ item: Int?, of page: StatisticsText.ColumnPage, in state: inout AppState) {
        var panel = self
        panel.item = item
        if let lines = item.map(page.lines(of:)) {
            panel.scroll = min(max(scroll, lines.upperBound - PanelFrame(pageIn: state.size).pageHeight), lines.lowerBound)
        }
        state.overlay = panel
    }

    /// Filters the rows by the selected value, or by the range of the selected bar.
    @MainActor private func filterByItem(_ statistics: ColumnStatistics, in state: inout AppState) -> [AppEffect] {
        guard case .column(let id) = subject, let page = StatisticsText(state, self).page, page.itemCount > 0 else { return [] }
        guard let item, item < page.itemCount else {
            let keys = [CommandID.previousColumn, .nextColumn].compactMap { state.keyMap.label(of: $0, in: contexts) }
            return state.show(.chooseBar(selectionKeys: keys.joined(separator: " "), hasBars: page.barCount > 0))
        }
        if page.isEmpty(item) { return state.show(.emptyBar) }
        guard item < page.barCount else {
            return state.filter(id, byOneOf: [statistics.mostFrequent[item - page.barCount].value], isNegated: false)
        }
        guard let condition = page.histogram?.condition(of: item, in: state.schema) else { return [] }
        state.overlay = nil
        return state.addFilter(condition)
    }

    /// Filters the rows by the selected value of a list or, in a list of columns, opens the selected column.
    @MainActor private func choose(in state: inout AppState) -> [AppEffect] {
        switch (subject, result) {
        case (.column, .column(let statistics)): return filterByItem(statistics, in: &state)
        case (.frequencies, .frequencies): return filter(isNegated: false, in: &state)
        case (.summary, .summary(let all)) where selected < choiceCount:
            return state.openStatistics(.column(ColumnID(all[selected].column)), from: self)
        default: return []
        }
    }

    /// Filters the rows by the marked values or, without marks, by the selected value. If `isNegated` is true, removes these rows instead.
    @MainActor private func filter(isNegated: Bool, in state: inout AppState) -> [AppEffect] {
        guard case .frequencies(let id) = subject, case .frequencies(let table) = result else { return [] }
        let numbers = markedNumbers.isEmpty ? [number(at: selected)].compactMap(\.self) : markedOrListedValues
        guard !numbers.isEmpty else { return valueSearch.string.isEmpty ? [] : state.show(.notFound(Search(text: valueSearch.string))) }
        return state.filter(id, byOneOf: numbers.map { table.entry(number: $0).value }, isNegated: isNegated)
    }

    /// The marked values or, without marks, all listed values, with their counts; `nil` if there are no values.
    @MainActor func values(in state: AppState) -> FrequentValues? {
        guard case .frequencies(let id) = subject, case .frequencies(let table) = result, choiceCount > 0 || !markedNumbers.isEmpty,
            let column = state.grid.columns[id]
        else { return nil }
        return FrequentValues(table: table, valueNumbers: markedOrListedValues, column: column)
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var panel = self
        change(&panel.valueSearch)
        if panel.valueSearch.string != valueSearch.string { panel.updateListedValues(in: state) }
        state.overlay = panel
        return []
    }

    func click(x: Int, y: Int, in state: inout AppState) -> [AppEffect] {
        let frame = PanelFrame(pageIn: state.size)
        if let page = StatisticsText(state, self).page {
            let first = min(scroll, max(0, page.lines.count - frame.pageHeight))
            if let item = page.item(x: x - 1, line: first + y - frame.rect.y - 1) { select(item, of: page, in: &state) }
            return []
        }
        guard choiceCount > 0 else { return [] }
        let list = StatisticsList(StatisticsText(state, self))
        let index = list.firstEntry + y - list.top
        if y >= list.top, index < choiceCount { move(by: index - selected, in: &state) }
        return []
    }

    /// A double click does what Enter does: it filters by the value or bar at the mouse, or opens the column.
    func doubleClick(x: Int, y: Int, in state: inout AppState) -> [AppEffect] {
        guard isTarget(x: x, y: y, in: state) else { return [] }
        let effects = click(x: x, y: y, in: &state)
        guard let clicked = state.overlay as? StatisticsPanel else { return effects }
        return effects + clicked.choose(in: &state)
    }

    /// True if a value, a bar or a column is at this cell of the screen, so that a double click has an effect.
    @MainActor private func isTarget(x: Int, y: Int, in state: AppState) -> Bool {
        let (frame, text) = (PanelFrame(pageIn: state.size), StatisticsText(state, self))
        if let page = text.page {
            let first = min(scroll, max(0, page.lines.count - frame.pageHeight))
            return page.item(x: x - 1, line: first + y - frame.rect.y - 1) != nil
        }
        guard choiceCount > 0 else { return false }
        let list = StatisticsList(text)
        return y >= list.top && list.firstEntry + y - list.top < choiceCount
    }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] {
        move(by: 3 * notches, in: &state)
        return []
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.paintStatistics(self, on: &buffer)
        guard isTyping, let y = painter.layout.hintY else { return nil }
        let leave = "\(painter.label(of: .accept)) filter · \(painter.label(of: .close)) done"
        let hints = ["\(painter.label(of: .markAndNext)) mark · \(leave)", leave, painter.shortPromptHints]
        let errors = painter.state.message.flatMap { $0.id == .notFound ? [$0.text, $0.short ?? ""] : nil } ?? [""]
        return painter.paintPrompt("/", valueSearch, errors: errors, hints: hints, y, on: &buffer)
    }

    func hints(with painter: AppPainter) -> [KeyHint] {
        let close = painter.hint(.close)
        switch subject {
        case .column:
            // A hint is shown only if its key has an effect now. For example, a column of text has no bars.
            guard let page = StatisticsText(painter.state, self).page else { return [close] }
            let item = page.barCount > 0 ? "choose a bar" : "choose a value"
            let choose = page.itemCount > 0 ? [painter.hint(.previousColumn, .nextColumn, as: item)] : []
            if self.item != nil { return [painter.hint(.accept, as: "filter"), close] + choose }
            if isEstimate { return (wantsExact ? [] : [painter.hint(.exactStatistics)]) + [close, painter.hint(.frequencies)] + choose }
            guard page.lines.count > PanelFrame(pageIn: painter.state.size).pageHeight else {
                return [painter.hint(.frequencies), close] + choose
            }
            return [painter.hint(.frequencies), close, painter.hint(.up, .down, as: "scroll")] + choose
                + [painter.hint(.pageDown, as: "page")]
        case .frequencies:
            let order = painter.hint(.sort, as: isSortedByValue ? "by count" : "by value")
            return [
                painter.hint(.accept, as: "filter"), close, painter.hint(.up, .down, as: "choose"), order, painter.hint(.findValues),
                painter.hint(.markAndNext), painter.hint(.filterExcludingCell), painter.hint(.copy), painter.hint(.export),
            ]
        case .summary: return [painter.hint(.accept), close, painter.hint(.up, .down, as: "choose")]
        }
    }
}
