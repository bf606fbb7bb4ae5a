/// A sequence of elements that scroll one by one: the rows or the columns of a transposed grid. Places count from the first scrolling one.
struct TileTrack {
    /// The number of elements.
    let count: Int
    /// The number of places after the last element that are shown together with it: 1 for the loader.
    let trailingCount: Int
    /// The number of elements on a page; `nil` without paging.
    let pageSize: Int?
    /// The number of elements that fit completely if the element at the given place is the first.
    private let whole: (Int) -> Int
    /// The smallest first place that makes the element at the given place fully visible, if the elements have as much room as possible.
    private let earliest: (Int) -> Int

    init(
        count: Int, trailingCount: Int = 0, isPaged: Bool, whole: @escaping (Int) -> Int, earliest: @escaping (Int) -> Int
    ) {
        self.count = count
        self.trailingCount = trailingCount
        self.whole = { max(1, whole($0)) }
        self.earliest = earliest
        pageSize = isPaged ? max(1, whole(0) - trailingCount) : nil
    }

    /// The nearest useful first place, with no space wasted after the last element.
    func clamped(_ first: Int) -> Int {
        if let pageSize { return first.clamped(to: 0...max(0, count - 1)) / pageSize * pageSize }
        return first.clamped(to: 0...max(0, minimum(showing: count - 1, from: 0)))
    }

    /// The first place that is nearest to `first` and makes `place` visible.
    func first(_ first: Int, showing place: Int) -> Int {
        clamped(pageSize != nil || place <= first ? place : minimum(showing: place, from: first))
    }

    /// The distance of a page or half a page from `first`; negative when moving back. A page forward starts with the first clipped element;
    /// a page back ends before `first`.
    func pageDistance(from first: Int, isForward: Bool, isHalf: Bool = false) -> Int {
        if let pageSize { return isForward ? pageSize : -pageSize }
        let elementCount = isForward ? whole(first) : first - minimum(showing: max(0, first - 1), from: 0)
        return max(1, isHalf ? elementCount / 2 : elementCount) * (isForward ? 1 : -1)
    }

    /// The smallest first place, `first` or later, that makes `place` visible; for the last place, together with the loader after it.
    private func minimum(showing place: Int, from first: Int) -> Int {
        guard place >= 0 else { return 0 }
        let end = place + (place == count - 1 ? trailingCount : 0)
        var first = max(first, min(place, earliest(end)))
        while first < place, end - first >= whole(first) { first += 1 }
        return min(first, place)
    }
}
