/// A sequence of elements that scroll one by one: the scrolling rows or the scrolling columns of a transposed grid. The elements are
/// numbered from 0. A scroll position is the index of the first visible element.
struct TileTrack {
    /// The number of scrolling rows or columns.
    let count: Int
    /// 1 if a loader follows the last element, otherwise 0. The loader is shown together with the last element.
    let trailingCount: Int
    /// The number of elements on a page; `nil` if the grid does not scroll by pages.
    let pageSize: Int?
    /// Returns the number of fully visible elements if the element at the given index is the first visible element.
    private let countWholeElements: (Int) -> Int
    /// Returns the smallest scroll position at which the element at the given index is fully visible. The result assumes the greatest room
    /// that elements can have.
    private let earliestPosition: (Int) -> Int

    init(
        count: Int, trailingCount: Int = 0, isPaged: Bool, countWholeElements: @escaping (Int) -> Int,
        earliestPosition: @escaping (Int) -> Int
    ) {
        self.count = count
        self.trailingCount = trailingCount
        self.countWholeElements = { max(1, countWholeElements($0)) }
        self.earliestPosition = earliestPosition
        pageSize = isPaged ? max(1, countWholeElements(0) - trailingCount) : nil
    }

    /// The valid scroll position nearest to `first`. It leaves no unused space after the last element.
    func clamped(_ first: Int) -> Int {
        if let pageSize { return first.clamped(to: 0...max(0, count - 1)) / pageSize * pageSize }
        return first.clamped(to: 0...max(0, minimumPosition(showing: count - 1, from: 0)))
    }

    /// The scroll position nearest to `first` at which the element at `index` is visible.
    func position(from first: Int, showing index: Int) -> Int {
        clamped(pageSize != nil || index <= first ? index : minimumPosition(showing: index, from: first))
    }

    /// The number of elements to scroll for a page or half a page from the scroll position `first`; negative when moving back. A page
    /// forward starts with the first clipped element; a page back ends before `first`.
    func pageDistance(from first: Int, isForward: Bool, isHalf: Bool = false) -> Int {
        if let pageSize { return isForward ? pageSize : -pageSize }
        let elementCount = isForward ? countWholeElements(first) : first - minimumPosition(showing: max(0, first - 1), from: 0)
        return max(1, isHalf ? elementCount / 2 : elementCount) * (isForward ? 1 : -1)
    }

    /// The smallest scroll position, not before `first`, at which the element at `index` is visible. For the last element, the loader is
    /// visible, too.
    private func minimumPosition(showing index: Int, from first: Int) -> Int {
        guard index >= 0 else { return 0 }
        let end = index + (index == count - 1 ? trailingCount : 0)
        var first = max(first, min(index, earliestPosition(end)))
        while first < index, end - first >= countWholeElements(first) { first += 1 }
        return min(first, index)
    }
}
