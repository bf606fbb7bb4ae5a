/// A sequence of elements that scroll one by one: the rows or the columns of a transposed grid. The place of an element is its index among
/// the scrolling elements.
struct TileTrack {
    /// The number of elements.
    let count: Int
    /// The number of additional places after the last element: 1 for the loader, otherwise 0. They are shown together with the last
    /// element.
    let trailingCount: Int
    /// The number of elements on a page; `nil` without paging.
    let pageSize: Int?
    /// Returns the number of fully visible elements if the element at the given place is the first visible one.
    private let wholeCount: (Int) -> Int
    /// Returns the smallest first place with which the element at the given place is fully visible, if the elements have as much room as
    /// possible.
    private let earliestFirst: (Int) -> Int

    init(
        count: Int, trailingCount: Int = 0, isPaged: Bool, whole: @escaping (Int) -> Int, earliest: @escaping (Int) -> Int
    ) {
        self.count = count
        self.trailingCount = trailingCount
        wholeCount = { max(1, whole($0)) }
        earliestFirst = earliest
        pageSize = isPaged ? max(1, whole(0) - trailingCount) : nil
    }

    /// The first place nearest to `first` that leaves no unused space after the last element.
    func clamped(_ first: Int) -> Int {
        if let pageSize { return first.clamped(to: 0...max(0, count - 1)) / pageSize * pageSize }
        return first.clamped(to: 0...max(0, minimum(showing: count - 1, from: 0)))
    }

    /// The first place, as near to `first` as possible, with which the element at `place` is visible.
    func first(_ first: Int, showing place: Int) -> Int {
        clamped(pageSize != nil || place <= first ? place : minimum(showing: place, from: first))
    }

    /// The distance of a page or half a page from `first`; negative when moving back. A page forward starts with the first clipped element;
    /// a page back ends before `first`.
    func pageDistance(from first: Int, isForward: Bool, isHalf: Bool = false) -> Int {
        if let pageSize { return isForward ? pageSize : -pageSize }
        let elementCount = isForward ? wholeCount(first) : first - minimum(showing: max(0, first - 1), from: 0)
        return max(1, isHalf ? elementCount / 2 : elementCount) * (isForward ? 1 : -1)
    }

    /// The smallest first place, not before `first`, with which the element at `place` is visible; for the last place, also the loader.
    private func minimum(showing place: Int, from first: Int) -> Int {
        guard place >= 0 else { return 0 }
        let end = place + (place == count - 1 ? trailingCount : 0)
        var first = max(first, min(place, earliestFirst(end)))
        while first < place, end - first >= wholeCount(first) { first += 1 }
        return min(first, place)
    }
}
