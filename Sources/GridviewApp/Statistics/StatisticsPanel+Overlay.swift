import DataGrid
import DataGridQuery
import DataGridSources
import Tables
import TerminalSurface

extension StatisticsPanel: Overlay {
    var contexts: [KeyContext] { [.statistics, .panel] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        switch id {
        case .close:
            state.overlay = previous.first
            return result == nil ? [.cancel(.statistics)] : []
        case .sort:
            guard case .frequencies = result else { break }
            var panel = self
            panel.isSortedByValue.toggle()
            panel.selected = 0
            state.overlay = panel
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
        case (.frequencies(let id), .frequencies(let table)):
            let value = table.entry(selected, byValue: isSortedByValue).value
            let (field, schema) = (id.field, state.schema)
            guard schema[field] != nil else { return [] }
            guard value.utf8.count < 1 << 16, !value.unicodeScalars.contains("\u{FFFD}") else {
                return state.say(.cannotFilterByValue(filter: state.key(.filter)))
            }
            state.overlay = nil
            return state.addFilter(Filter.text(field, hasValue: value, isNegated: false, in: schema))
        case (.summary, .summary(let all)):
            return state.openStatistics(.column(ColumnID(all[selected].column)), from: self)
        default: return []
        }
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
        return nil
    }

    func hints(with painter: AppPainter) -> [AppPainter.Hint] {
        let close = painter.hint(.close)
        switch subject {
        case .column:
            return [painter.hint(.frequencies), close, painter.hint(.up, .down, as: "scroll"), painter.hint(.pageDown, as: "page")]
        case .frequencies:
            let order = painter.hint(.sort, as: isSortedByValue ? "by count" : "by value")
            return [painter.hint(.accept, as: "filter"), close, painter.hint(.up, .down, as: "choose"), order]
        case .summary: return [painter.hint(.accept), close, painter.hint(.up, .down, as: "choose")]
        }
    }
}
