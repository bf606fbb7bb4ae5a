import FieldValues

/// Horizontal paging.
extension ColumnGeometry {
    /// The horizontal scroll positions at which pages start. A column wider than the pane takes several pages. O(columns + pages).
    func findPages() -> [Int] {
        guard paneWidth > 0 else { return [0] }
        var pages = [0]
        for index in scrolling {
            while starts[index] + widths[index] > pages[pages.count - 1] + paneWidth {
                let page = pages[pages.count - 1]
                pages.append(starts[index] > page ? starts[index] : page + paneWidth)
            }
        }
        return pages
    }

    /// The valid horizontal scroll position nearest to `x`. O(log pages).
    func clampedX(_ x: Int) -> Int {
        guard let pageStarts else { return x.clamped(to: 0...maximumX) }
        return page(of: x, pageStarts, movedBy: 0)
    }

    /// The scroll position of the page that is `count` pages after the page that contains `x`. `pages` are the scroll positions of all
    /// pages.
    func page(of x: Int, _ pages: [Int], movedBy count: Int) -> Int {
        let page = pages.indices.partitioningIndex { pages[$0] > x } - 1
        return pages[(page + count.clamped(to: -pages.count...pages.count)).clamped(to: 0...pages.count - 1)]
    }

    /// The horizontal scroll position one page after `x` or, if `isForward` is false, before `x`.
    func x(pagedFrom x: Int, isForward: Bool) -> Int {
        if let pageStarts { return page(of: x, pageStarts, movedBy: isForward ? 1 : -1) }
        guard paneWidth > 0, let whole = wholeColumns(at: x) else { return x }
        if isForward {
            guard x < maximumX else { return x }
            let next = whole.upperBound + 1 < scrolling.upperBound ? starts[whole.upperBound + 1] : maximumX
            // In a column wider than the pane, scroll by the width of the pane.
            return min(maximumX, widths[whole.upperBound] > paneWidth ? min(next, x + paneWidth) : max(next, x + 1))
        }
        guard x > 0 else { return x }
        let end = min(x, starts[whole.lowerBound])
        // Going back, the new page must end where the current page starts. Find the first column that starts on the new page.
        let first = end > paneWidth ? firstStart(from: end - paneWidth) : 0
        return first < x ? first : max(0, x - paneWidth)
    }
}
