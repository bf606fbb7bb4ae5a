/// Things of one size that scroll one by one: the rows of a transposed grid, or the lines of its columns. Places are counted from the first that
/// scrolls.
struct TileTrack {
    /// How many there are.
    let count: Int
    /// Places behind the last one that should be in sight with it.
    var behind = 0
    /// How many are seen whole, one at least.
    let room: Int
    /// The same while the first is in sight: a header that scrolls stands before that.
    let firstRoom: Int
    /// How many a page has where the grid is turned by whole pages; `nil` elsewhere.
    let page: Int?

    init(count: Int, behind: Int = 0, room: Int, firstRoom: Int, isPaged: Bool) {
        self.count = count
        self.behind = behind
        self.room = max(1, room)
        self.firstRoom = max(1, firstRoom)
        page = isPaged ? max(1, firstRoom - behind) : nil
    }

    /// The nearest useful first place: the last thing stays in sight, and nothing is wasted behind it.
    func clamped(_ first: Int) -> Int {
        if let page { return first.clamped(to: 0...max(0, count - 1)) / page * page }
        let last = min(count + behind - room, count - 1)
        // Without the header there may be room for all, but not with it.
        return first.clamped(to: 0...max(last, count + behind > firstRoom ? min(1, count - 1) : 0, 0))
    }

    /// The first place at which `place` is seen, nearest to `first`.
    func first(_ first: Int, showing place: Int) -> Int {
        if page != nil { return clamped(place) }
        let end = place + (place == count - 1 ? behind : 0)
        let first = min(place, max(first, end - room + 1))
        return clamped(first == 0 && end >= firstRoom ? min(1, place) : first)
    }
}
