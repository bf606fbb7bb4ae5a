import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// Handles a mouse event: in a panel if one is open, otherwise in the grid.
    mutating func handleMouse(_ mouse: MouseEvent) -> [AppEffect] {
        // Use the layout before the press: a message that the press removes may have covered a line.
        let area = AppLayout(self)
        if case .press = mouse.kind { message = nil }
        if let layer, case .press = mouse.kind { return press(mouse, in: layer) }
        if let layer, case .wheel(_, let y) = mouse.kind { return wheel(y, in: layer) }
        // A panel has opened during a drag: cancel the drag.
        if layer != nil { return grid.drag == nil ? [] : change(.cancelDrag) }

        if mouse.y == area.tabsY, mouse.kind == .press(.left) {
            return TabLine(self).sheet(atX: mouse.x).map { showSheet(at: $0) } ?? []
        }
        let end = min(area.gridY + area.gridSize.height, area.coveredY)
        if case .press = mouse.kind, mouse.y < area.gridY || mouse.y >= end { return [] }
        controller.handle(.mouse(mouse))
        return answerRequests()
    }

    /// Handles a click: an entry is selected, a click outside of the panel closes it, and other clicks have no effect.
    private mutating func press(_ mouse: MouseEvent, in layer: Layer) -> [AppEffect] {
        let frame: PanelFrame
        switch layer {
        case .page, .record, .statistics: frame = PanelFrame(pageIn: size)
        case .list(let panel): frame = self.frame(of: panel)
        case .search, .rename, .formula: return []
        }
        guard frame.rect.contains(x: mouse.x, y: mouse.y) else { return run(.close, in: layer) }
        if case .statistics(let panel) = layer, panel.choices > 0, mouse.kind == .press(.left) {
            let list = StatisticsList(StatisticsText(self, panel))
            let place = list.first + mouse.y - list.top
            if mouse.y >= list.top, place < panel.choices { move(panel, by: place - panel.selected) }
            return []
        }
        guard case .list(var panel) = layer, mouse.kind == .press(.left),
            let row = frame.row(atX: mouse.x, y: mouse.y, selected: panel.selected), row < panel.matches.count
        else { return [] }
        panel.selected = row
        return choose(in: panel)
    }

    private mutating func wheel(_ notches: Int, in layer: Layer) -> [AppEffect] {
        switch layer {
        case .page: return run(notches > 0 ? .down : .up, in: layer)
        case .record: return [.scrollRecord(.lines(3 * notches))]
        case .statistics(let panel): move(panel, by: 3 * notches)
        case .list(var panel):
            panel.move(by: notches)
            self.layer = .list(panel)
        case .search, .rename, .formula: break
        }
        return []
    }
}
