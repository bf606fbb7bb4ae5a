/// The lines or terminal cells that frozen rows or columns can use: two thirds of the frame, so that a third scrolls.
struct FrozenBudget {
    /// Lines or terminal cells, without the header.
    let total: Int
    private let limit: Int
    private var used = 0
    /// The sides that do not have room for all frozen rows or columns.
    private(set) var overflowingSides: FrozenSides = []

    /// - Parameter whole: the size of one row or column. If possible, the scrolling pane has at least this size.
    init(_ total: Int, keeping whole: Int = 0) {
        self.total = max(0, total)
        limit = min(self.total * 2 / 3, max(0, self.total - whole))
    }

    mutating func reserve(_ room: Int) -> Bool {
        guard used + room <= limit else { return false }
        used += room
        return true
    }

    mutating func reserveTotals(_ metrics: GridMetrics, _ room: Int) -> Bool {
        guard metrics.showsTotals else { return false }
        if reserve(room) { return true }
        overflowingSides.insert(.bottom)
        return false
    }

    /// Reserves the line of the bottom edge rule, unless fewer than 10 lines are available.
    mutating func reserveEdge(_ isNeeded: Bool) -> Bool { isNeeded && total >= 10 && reserve(1) }

    /// Reserves room for consecutive rows or columns as long as they fit. The others scroll.
    /// - Parameter room: returns the size of the row or column with the given number.
    /// - Returns: the sizes of the rows or columns that fit.
    mutating func reserve(_ count: Int, at side: FrozenSides, _ room: (Int) -> Int) -> [Int] {
        var reserved: [Int] = []
        while reserved.count < count {
            let next = room(reserved.count)
            guard reserve(next) else {
                overflowingSides.insert(side)
                break
            }
            reserved.append(next)
        }
        return reserved
    }
}
