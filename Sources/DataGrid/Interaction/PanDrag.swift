/// The grid itself, held in the middle.
public struct PanDrag: Hashable, Sendable {
    /// Where the pointer took hold.
    public let start: GridPoint
    /// How it was scrolled then.
    public let scroll: GridScroll
    /// Which ways it goes: `nil` until the pointer has gone far enough to tell.
    public internal(set) var directions: DragDirections?

    init(start: GridPoint, scroll: GridScroll) {
        self.start = start
        self.scroll = scroll
    }
}

extension DirectionalLock {
    /// Which ways a pan goes that has gone so far; `nil` when it is not far enough to tell: four terminal cells, or two lines, which are about
    /// as long.
    ///
    /// What went at least half as far one way as the other is diagonal.
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

    /// What is pulled on beyond the top uncovers the strip.
    /// - Parameter isAtTop: whether so many lines back the top is there.
    private mutating func pull(on y: Int, isAtTop: (Int) -> Bool) {
        guard let pull else { return }
        var distance = 0
        while distance < -y, !isAtTop(distance) { distance += 1 }
        self.pull(by: max(0, -y - distance) - pull.uncovered)
    }

    /// Whether nothing is scrolled out at the top, so that pulling on uncovers the strip there.
    public var isAtTop: Bool { tileGeometry?.isAtTop(scroll) ?? (scroll.top <= LineGeometry(self).frozen.count) }

    /// Whether the cursor cannot go further up.
    public var isCursorAtTop: Bool {
        guard outline.itemCount > 0 else { return true }
        guard let tiles = tileGeometry else { return outline.index(of: cursor.item) == 0 }
        return moveAmongTiles(.up(1), tiles).map { $0 == (outline.index(of: cursor.item), cursor.column) } ?? true
    }
}
