/// The room that frozen parts can use in one direction of the frame: two thirds, so that a third scrolls.
struct FrozenBudget {
    /// Lines or terminal cells, without the header.
    let total: Int
    private let limit: Int
    private var used = 0
    /// The sides that do not have room for all frozen rows or columns.
    private(set) var overflowingSides: FrozenSides = []

    /// - Parameter whole: the size of one scrolling row or column. If possible, at least that much room scrolls.
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

    /// Reserves room for consecutive parts as long as they fit; the other parts scroll.
    /// - Parameter room: returns the size of the part with the given number.
    /// - Returns: the sizes of the parts that fit.
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
