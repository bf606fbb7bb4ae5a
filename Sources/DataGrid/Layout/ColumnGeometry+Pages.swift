import FieldValues

/// Turning sideways by pages of columns.
extension ColumnGeometry {
    /// The starts of pages. A column wider than the pane has pages of its own. O(columns + pages).
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

    /// The nearest valid scroll position. O(log pages).
    func clampedX(_ x: Int) -> Int {
        guard let pageStarts else { return x.clamped(to: 0...maximumX) }
        return page(of: x, pageStarts, turnedBy: 0)
    }

    /// Where the page begins that is `count` pages behind the one with `x`.
    func page(of x: Int, _ pages: [Int], turnedBy count: Int) -> Int {
        let page = pages.indices.partitioningIndex { pages[$0] > x } - 1
        return pages[(page + count.clamped(to: -pages.count...pages.count)).clamped(to: 0...pages.count - 1)]
    }

    /// Where to scroll to from `x` so that the columns seen whole are others: those that follow, or those before.
    func x(turnedFrom x: Int, forward: Bool) -> Int {
        if let pageStarts { return page(of: x, pageStarts, turnedBy: forward ? 1 : -1) }
        guard paneWidth > 0, let whole = wholeColumns(at: x) else { return x }
        if forward {
            guard x < maximumX else { return x }
            let next = whole.upperBound + 1 < scrolling.upperBound ? starts[whole.upperBound + 1] : maximumX
            // Through a column wider than the pane by its width.
            return min(maximumX, widths[whole.upperBound] > paneWidth ? min(next, x + paneWidth) : max(next, x + 1))
        }
        guard x > 0 else { return x }
        let end = min(x, starts[whole.lowerBound])
        // The first column from which on all are seen, up to what was the first.
        let first = end > paneWidth ? firstStart(from: end - paneWidth) : 0
        return first < x ? first : max(0, x - paneWidth)
    }
}
