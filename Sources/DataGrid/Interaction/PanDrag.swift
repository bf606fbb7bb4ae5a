/// A drag that pans the grid.
public struct PanDrag: Hashable, Sendable {
    /// The point of the press.
    public let start: GridPoint
    /// The scroll position when the mouse button was pressed.
    public let scroll: GridScroll
    /// The directions of the pan; `nil` until the pointer has moved far enough.
    public internal(set) var directions: DragDirections?
    /// The section header under the press; it is clicked if the pointer is released without moving.
    var header: SectionHeaderPress?

    init(start: GridPoint, scroll: GridScroll, header: SectionHeaderPress? = nil) {
        self.start = start
        self.scroll = scroll
        self.header = header
    }
}

/// A press on a section header.
struct SectionHeaderPress: Hashable, Sendable {
    /// The keys of the section and its ancestors. Its index is not stored, because sections may be inserted or removed before the release.
    var keyPath: [String]
    var section: Int
    /// True if the press collapses or expands the section: a click on the toggle, or a double click.
    var toggles: Bool
}

extension DirectionalLock {
    /// The directions of a pan that has moved by `x` terminal cells and `y` lines. If the lock is ``off``, the pan always has both
    /// directions.
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
    mutating func move(_ pan: PanDrag, to point: GridPoint) {
        var pan = pan
        let (x, y) = (pan.start.x - point.x, pan.start.y - point.y)
        pan.directions = pan.directions ?? interaction.directionalLock.directions(x: x, y: y)
        drag = .pan(pan)
        guard let directions = pan.directions else { return }
        scroll = pan.scroll
        if let tiles = tileGeometry {
            let distance = GridPoint(x: directions.contains(.columns) ? x : 0, y: directions.contains(.rows) ? y : 0)
            panTiles(tiles, pan.scroll, by: distance)
            return pull(on: distance.y) { tiles.isAtTop(tiles.scroll(pan.scroll, pannedBy: GridPoint(x: 0, y: -$0))) }
        }
        if directions.contains(.columns) { scroll.x = max(0, scroll.x + x) }
        clampScroll()
        guard directions.contains(.rows) else { return }
        let lines = LineGeometry(self)
        let start = scroll.top
        scroll.top = lines.top(start, scrolledBy: y)
        let first = lines.clampedTop(0)
        pull(on: y) { lines.top(start, scrolledBy: -$0) <= first }
    }

    /// Uncovers the pull strip by the distance that the pointer has moved beyond the top.
    /// - Parameter isAtTop: true if scrolling back by this number of lines reaches the top.
    private mutating func pull(on y: Int, isAtTop: (Int) -> Bool) {
        guard let pull else { return }
        var distance = 0
        while distance < -y, !isAtTop(distance) { distance += 1 }
        self.pull(by: max(0, -y - distance) - pull.uncovered)
    }

    /// True if the grid is scrolled to the top, where pulling uncovers the strip.
    public var isAtTop: Bool { tileGeometry?.isAtTop(scroll) ?? (scroll.top <= LineGeometry(self).frozen.count) }

    /// True if the cursor cannot move further up.
    public var isCursorAtTop: Bool {
        guard outline.itemCount > 0 else { return true }
        guard let tiles = tileGeometry else { return outline.index(of: cursor.item) == 0 }
        return moveAmongTiles(.up(1), tiles).map { $0 == (outline.index(of: cursor.item), cursor.column) } ?? true
    }
}
