/// Things of one size that scroll one by one: the rows of a transposed grid, or the lines of its columns. Places are counted from the first that
/// scrolls.
struct TileTrack {
    /// How many there are.
    let count: Int
    /// Places behind the last one that should be in sight with it.
    let behind: Int
    /// The most that are seen whole.
    let room: Int
    /// How many a page has where the grid is turned by whole pages; `nil` elsewhere.
    let page: Int?
    /// How many are seen whole when the one at a place is the first: headers may stand before it.
    private let whole: (Int) -> Int

    init(count: Int, behind: Int = 0, room: Int, isPaged: Bool, whole: @escaping (Int) -> Int) {
        self.count = count
        self.behind = behind
        self.room = max(1, room)
        self.whole = { max(1, whole($0)) }
        page = isPaged ? max(1, whole(0) - behind) : nil
    }

    /// The nearest useful first place: the last thing stays in sight, and nothing is wasted behind it.
    func clamped(_ first: Int) -> Int {
        if let page { return first.clamped(to: 0...max(0, count - 1)) / page * page }
        return first.clamped(to: 0...max(0, least(showing: count - 1, from: 0)))
    }

    /// The first place at which `place` is seen, nearest to `first`.
    func first(_ first: Int, showing place: Int) -> Int {
        clamped(page != nil || place <= first ? place : least(showing: place, from: first))
    }

    /// How far a page, or half of one, goes from `first`: on to what is not seen whole, or back to where all before it is; less than 0 back.
    func turn(from first: Int, forward: Bool, isHalf: Bool = false) -> Int {
        if let page { return forward ? page : -page }
        let seen = forward ? whole(first) : first - least(showing: max(0, first - 1), from: 0)
        return max(1, isHalf ? seen / 2 : seen) * (forward ? 1 : -1)
    }

    /// The least first place from `first` on at which `place` is seen, the last one with what stands behind it.
    private func least(showing place: Int, from first: Int) -> Int {
        let end = place + (place == count - 1 ? behind : 0)
        var first = max(first, end - room + 1)
        while first < place, end - first >= whole(first) { first += 1 }
        return min(first, place)
    }
}
