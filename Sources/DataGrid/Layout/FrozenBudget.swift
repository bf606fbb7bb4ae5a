/// The room that frozen parts may take along one way of the frame: two thirds of what there is, so that a third is left for what scrolls.
struct FrozenBudget {
    /// Lines or terminal cells, header excluded.
    let total: Int
    private let limit: Int
    private var used = 0
    /// The sides at which there was no room for all that should be frozen.
    private(set) var yielding: FrozenSides = []

    /// - Parameter whole: what one thing that scrolls needs to be seen whole; no less is left, as far as there is so much.
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
        yielding.insert(.bottom)
        return false
    }

    /// Takes the line of a rule above what is frozen at the bottom, unless lines are scarce.
    mutating func reserveEdge(_ isWanted: Bool) -> Bool { isWanted && total >= 10 && reserve(1) }

    /// Takes the room of one part after the other, as far as it is left; what does not fit scrolls.
    /// - Parameter room: what the part with this number needs.
    /// - Returns: the room of those that fit.
    mutating func reserve(_ count: Int, at side: FrozenSides, _ room: (Int) -> Int) -> [Int] {
        var reserved: [Int] = []
        while reserved.count < count {
            let next = room(reserved.count)
            guard reserve(next) else {
                yielding.insert(side)
                break
            }
            reserved.append(next)
        }
        return reserved
    }
}
