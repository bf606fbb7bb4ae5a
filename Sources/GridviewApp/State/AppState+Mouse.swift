import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// Handles a mouse event in the open panel or, without one, in the grid.
    mutating func handleMouse(_ mouse: MouseEvent) -> [AppEffect] {
        // Use the layout before the press: a message that the press removes may have covered a line.
        let area = AppLayout(self)
        if case .press = mouse.kind { message = nil }
        if let overlay { return handleMouse(mouse, in: overlay) }

        if mouse.y == area.tabsY, mouse.kind == .press(.left) {
            return TabLine(self).sheet(atX: mouse.x).map { showSheet(at: $0) } ?? []
        }
        if mouse.y == area.titleY, case .press(let button) = mouse.kind,
            let target = AppPainter(self, source: nil).titleTarget(atX: mouse.x)
        {
            switch (target, button) {
            case (.filter(let index), .left): return editFilter(at: index)
            case (.filter(let index), .right): return toggleFilter(at: index)
            case (.allFilters, .left): return openFilters()
            default: return []
            }
        }
        let end = min(area.gridY + area.gridSize.height, area.coveredY)
        if case .press = mouse.kind, mouse.y < area.gridY || mouse.y >= end { return [] }
        if case .press = mouse.kind, sheet.sampledRows != nil, mouse.x != grid.layout.scrollBarX { return show(.rowsAwaitCount) }
        let top = grid.scroll.top
        controller.handle(.mouse(mouse))
        let effects = answerGridRequests()
        guard case .scrollBar = grid.drag, grid.scroll.top != top else { return effects }
        return effects + sampleRows()
    }

    /// Handles a mouse event while a panel is open. A press outside the panel closes it.
    private mutating func handleMouse(_ mouse: MouseEvent, in overlay: any Overlay) -> [AppEffect] {
        let count = panelClicks.count(.mouse(mouse))
        switch mouse.kind {
        case .press(let button):
            guard let frame = overlay.frame(in: self) else { return [] }
            guard frame.rect.contains(x: mouse.x, y: mouse.y) else { return overlay.run(.close, in: &self) }
            guard button == .left else { return [] }
            return count > 1 ? overlay.doubleClick(x: mouse.x, y: mouse.y, in: &self) : overlay.click(x: mouse.x, y: mouse.y, in: &self)
        case .wheel(_, let y): return overlay.scroll(notches: y, in: &self)
        // The panel was opened during a drag in the grid. Cancel the drag, because the panel covers the grid.
        default: return grid.drag == nil ? [] : changeGrid(.cancelDrag)
        }
    }
}
