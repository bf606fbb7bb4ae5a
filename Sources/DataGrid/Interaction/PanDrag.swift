/// A drag that pans (scrolls) the grid.
public struct PanDrag: Hashable, Sendable {
    /// The point at which the button was pressed.
    public let start: GridPoint
    /// The scroll position when the mouse button was pressed.
    public let scroll: GridScroll
    /// The directions in which the grid pans; `nil` until the pointer has moved far enough to decide.
    public internal(set) var directions: DragDirections?
    /// The section header on which the button was pressed. Releasing the button without moving clicks this header.
    var header: SectionHeaderPress?

    init(start: GridPoint, scroll: GridScroll, header: SectionHeaderPress? = nil) {
        self.start = start
        self.scroll = scroll
        self.header = header
    }
}

/// A press on a section header.
struct SectionHeaderPress: Hashable, Sendable {
    /// The keys of the section and its ancestors, which identify it. Its index may change before the release, when sections are inserted
    /// or removed.
    var keyPath: [String]
    var section: Int
    /// True if the click collapses or expands the section: a click on ▸ or ▾, or a double click.
    var toggles: Bool
}

extension DirectionalLock {
    /// The directions in which the grid pans after the pointer has moved by `x` terminal cells and `y` lines. If the lock is ``off``, the
    /// grid pans in both directions.
    ///
    /// Returns `nil` below four terminal cells or two lines, which are about the same length. A movement is diagonal if its smaller
    /// component is at least half of the larger component.
    func directions(x: Int, y: Int) -> DragDirections? {
        guard self != .off else { return .both }
        let (across, down) = (abs(x), 2 * abs(y))
        guard max(across, down) >= 4 else { return nil }
        if self == .diagonalAllowed, 2 * min(across, down) >= max(across, down) { return .both }
        return across > down ? .columns : .rows
    }
}

extension GridState {
    mutating func updatePan(_ pan: PanDrag, to point: GridPoint) {
        var pan = pan
        let (x, y) = (pan.start.x - point.x, pan.start.y - point.y)
        pan.directions = pan.directions ?? interaction.directionalLock.directions(x: x, y: y)
        drag = .pan(pan)
        guard let directions = pan.directions else { return }
        scroll = pan.scroll
        if let tiles = tileGeometry {
            let distance = GridPoint(x: directions.contains(.columns) ? x : 0, y: directions.contains(.rows) ? y : 0)
            panTiles(tiles, pan.scroll, by: distance)
            return pull(byDragging: distance.y) { tiles.isAtTop(tiles.scroll(pan.scroll, pannedBy: GridPoint(x: 0, y: -$0))) }
        }
        if directions.contains(.columns) { scroll.x = max(0, scroll.x + x) }
        clampScroll()
        guard directions.contains(.rows) else { return }
        let lines = LineGeometry(self)
        let start = scroll.top
        scroll.top = lines.topItem(from: start, scrolledBy: y)
        let first = lines.clampedTop(0)
        pull(byDragging: y) { lines.topItem(from: start, scrolledBy: -$0) <= first }
    }

    /// Uncovers the pull strip if the pointer drags the content down beyond the top of the grid. The number of uncovered lines is the
    /// distance beyond the top.
    /// - Parameter isAtTop: true if scrolling back by this number of lines reaches the top.
    private mutating func pull(byDragging y: Int, isAtTop: (Int) -> Bool) {
        guard let pull else { return }
        var distance = 0
        while distance < -y, !isAtTop(distance) { distance += 1 }
        self.pull(by: max(0, -y - distance) - pull.uncovered)
    }

    /// True if the grid is scrolled to the top, where pulling uncovers the strip.
    public var isAtTop: Bool { tileGeometry?.isAtTop(scroll) ?? (scroll.top <= LineGeometry(self).frozenSpans.count) }

    /// True if the cursor cannot move further up.
    public var isCursorAtTop: Bool {
        guard outline.itemCount > 0 else { return true }
        guard let tiles = tileGeometry else { return outline.index(of: cursor.item) == 0 }
        return moveAmongTiles(.up(1), tiles).map { $0 == (outline.index(of: cursor.item), cursor.column) } ?? true
    }
}
