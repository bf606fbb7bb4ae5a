import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    /// Draws a statistics panel: its title, then a page of text or a list with a selected line.
    func paintStatistics(_ panel: StatisticsPanel, on buffer: inout CellBuffer) {
        let frame = PanelFrame(pageIn: state.size)
        let (rect, height) = (frame.rect, frame.pageHeight)
        let text = StatisticsText(state, panel)
        buffer.fill(rect, style: theme.panel.textStyle)
        guard panel.choiceCount > 0 else {
            let page = text.page
            let lines = page?.lines ?? text.lines
            let current = page.flatMap { page in panel.item.flatMap { $0 < page.barCount ? nil : page.lines(of: $0).lowerBound } }
            let first = min(panel.scroll, max(0, lines.count - height))
            paintTitle(text.titles, in: rect, below: lines.count - first - height, on: &buffer)
            for (n, line) in lines[first...].prefix(height).enumerated() {
                paint(line, rect.y + 1 + n, in: rect, isSelected: first + n == current, on: &buffer)
            }
            return
        }
        let list = StatisticsList(text)
        paintTitle(text.titles, in: rect, below: panel.choiceCount - list.firstEntry - list.height, on: &buffer)
        if let header = list.headerLine { paint(header, list.top - 1, theme.panel.applying(theme.hint), on: &buffer) }
        for n in 0..<min(list.height, panel.choiceCount - list.firstEntry) {
            let (index, y) = (list.firstEntry + n, list.top + n)
            paint(list.line(index), y, in: rect, isSelected: index == panel.selected, on: &buffer)
        }
    }

    private func paint(
        _ line: StatisticsText.Line, _ y: Int, in rect: TerminalRect, isSelected: Bool, on buffer: inout CellBuffer
    ) {
        if isSelected {
            buffer.fill(TerminalRect(x: rect.x, y: y, width: rect.width, height: 1), style: theme.panelSelection.textStyle)
        }
        paint(line, y, isSelected ? theme.panelSelection : theme.panel, isPlain: isSelected, on: &buffer)
    }

    private func paint(_ line: StatisticsText.Line, _ y: Int, _ ground: CellStyle, isPlain: Bool = false, on buffer: inout CellBuffer) {
        for span in line {
            let style =
                switch span.role {
                case .value: ground
                // Keep the color of a bar on the selected line, too.
                case .bar: theme.panel.applying(theme.numberType)
                case .selectedBar: theme.panelSelection
                case _ where isPlain: ground
                case .chart: theme.panel.applying(theme.numberType)
                case .name: ground.applying(theme.hint)
                case .chapter: ground.applying(theme.sectionHeader)
                }
            let x = span.x + 1
            write(span.text, x: x, y: y, width: state.size.columns - x - 1, style: style, on: &buffer)
        }
    }
}
