/// The lines or terminal cells that frozen rows or columns can take: two thirds of the frame, so that a third is left for scrolling.
struct FrozenBudget {
    /// The room that frozen and scrolling content share. Its unit is lines below the header, or cells of width.
    let total: Int
    /// The maximum room for frozen content.
    private let limit: Int
    private var reserved = 0
    /// The sides at which some frozen rows or columns do not fit. These rows or columns scroll.
    private(set) var overflowingSides: FrozenSides = []

    /// - Parameter minimumScrollingRoom: the size of one row or column. If possible, this much room is left for scrolling.
    init(_ total: Int, keeping minimumScrollingRoom: Int = 0) {
        self.total = max(0, total)
        limit = min(self.total * 2 / 3, max(0, self.total - minimumScrollingRoom))
    }

    /// Reserves room for frozen content. Returns `false` if there is not enough room.
    mutating func reserve(_ room: Int) -> Bool {
        guard reserved + room <= limit else { return false }
        reserved += room
        return true
    }

    mutating func reserveTotals(_ metrics: GridMetrics, _ room: Int) -> Bool {
        guard metrics.showsTotals else { return false }
        if reserve(room) { return true }
        overflowingSides.insert(.bottom)
        return false
    }

    /// Reserves a line for the rule above the rows frozen at the bottom, unless fewer than 10 lines are available.
    /// - Returns: true if the line was reserved.
    mutating func reserveEdge(_ isNeeded: Bool) -> Bool { isNeeded && total >= 10 && reserve(1) }

    /// Reserves room for up to `count` consecutive rows or columns, as long as they fit. The rest of the rows or columns scroll.
    /// - Parameter size: returns the size of a row or column, counted from 0.
    /// - Returns: the sizes of the rows or columns that fit.
    mutating func reserve(_ count: Int, at side: FrozenSides, _ size: (Int) -> Int) -> [Int] {
        var reserved: [Int] = []
        while reserved.count < count {
            let next = size(reserved.count)
            guard reserve(next) else {
                overflowingSides.insert(side)
                break
            }
            reserved.append(next)
        }
        return reserved
    }
}
