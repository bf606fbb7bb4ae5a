import DataGrid
import DataGridQuery
import DataGridSources
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
            return result == nil ? [.cancel(.statistics)] : []
        case .sort:
            guard case .frequencies = result else { break }
            var panel = self
            panel.isSortedByValue.toggle()
            panel.narrow()
            state.overlay = panel
        case .narrow:
            guard case .frequencies = result else { break }
            var panel = self
            panel.isTyping = true
            state.overlay = panel
        case .markAndNext:
            guard let number = number(at: selected) else { break }
            var panel = self
            if panel.marked.remove(number) == nil { panel.marked.insert(number) }
            panel.move(by: 1, in: &state)
        case .filterExcludingCell: return filter(isNegated: true, in: &state)
        case .copy: return values(in: state).map { [.copyValues($0)] } ?? []
        case .export: return values(in: state) == nil ? [] : state.openExport(of: self)
        case .frequencies:
            if case .column(let id) = subject, result != nil { return state.openStatistics(.frequencies(id), from: self) }
        case .accept: return choose(in: &state)
        default: if let lines = id.scrolledLines(ofPage: PanelFrame(pageIn: state.size).pageHeight) { move(by: lines, in: &state) }
        }
        return []
    }

    /// Selects a value or column `lines` below, or scrolls a page.
    @MainActor private func move(by lines: Int, in state: inout AppState) {
        var panel = self
        if choices > 0 {
            panel.selected = min(max(0, selected + lines), choices - 1)
        } else {
            let all = StatisticsText(state, self).lines.count
            panel.scroll = min(max(0, scroll + lines), max(0, all - PanelFrame(pageIn: state.size).pageHeight))
        }
        state.overlay = panel
    }

    /// Filters by the selected value, or opens the selected column.
    @MainActor private func choose(in state: inout AppState) -> [AppEffect] {
        guard selected < choices else { return [] }
        switch (subject, result) {
        case (.frequencies, .frequencies): return filter(isNegated: false, in: &state)
        case (.summary, .summary(let all)):
            return state.openStatistics(.column(ColumnID(all[selected].column)), from: self)
        default: return []
        }
    }

    /// Filters by the marked values, or by the selected one.
    @MainActor private func filter(isNegated: Bool, in state: inout AppState) -> [AppEffect] {
        guard case .frequencies(let id) = subject, case .frequencies(let table) = result else { return [] }
        let numbers = marked.isEmpty ? [number(at: selected)].compactMap(\.self) : chosenNumbers
        guard !numbers.isEmpty else { return [] }
        return state.filter(id, byOneOf: numbers.map { table.entry(number: $0).value }, isNegated: isNegated)
    }

    /// The marked or listed values with their counts; `nil` without any.
    @MainActor func values(in state: AppState) -> FrequentValues? {
        guard case .frequencies(let id) = subject, case .frequencies(let table) = result, choices > 0 || !marked.isEmpty,
            let column = state.grid.columns[id]
        else { return nil }
        return FrequentValues(table: table, numbers: chosenNumbers, column: column)
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var panel = self
        change(&panel.narrowing)
        if panel.narrowing.string != narrowing.string { panel.narrow() }
        state.overlay = panel
        return []
    }

    func click(x: Int, y: Int, in state: inout AppState) -> [AppEffect] {
        guard choices > 0 else { return [] }
        let list = StatisticsList(StatisticsText(state, self))
        let place = list.first + y - list.top
        if y >= list.top, place < choices { move(by: place - selected, in: &state) }
        return []
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
        return painter.paintPrompt("/", narrowing, hints: hints, y, on: &buffer)
    }

    func hints(with painter: AppPainter) -> [AppPainter.Hint] {
        let close = painter.hint(.close)
        switch subject {
        case .column:
            return [painter.hint(.frequencies), close, painter.hint(.up, .down, as: "scroll"), painter.hint(.pageDown, as: "page")]
        case .frequencies:
            let order = painter.hint(.sort, as: isSortedByValue ? "by count" : "by value")
            return [
                painter.hint(.accept, as: "filter"), close, painter.hint(.up, .down, as: "choose"), order, painter.hint(.narrow),
                painter.hint(.markAndNext), painter.hint(.filterExcludingCell), painter.hint(.copy), painter.hint(.export),
            ]
        case .summary: return [painter.hint(.accept), close, painter.hint(.up, .down, as: "choose")]
        }
    }
}
