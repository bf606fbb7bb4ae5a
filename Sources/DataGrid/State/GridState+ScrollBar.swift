/// The scroll bar. It represents all known items, and the expected rows that are not known yet.
extension GridState {
    /// The number of expected rows that are not known yet. In a ``RowOrder/spliced(first:head:tail:)`` order, they are before the tail,
    /// otherwise after the last row.
    package var unknownRowCount: Int {
        guard let expectedRowCount, outline.tree == nil else { return 0 }
        return max(0, expectedRowCount - rows.count)
    }

    /// The position of the scroll bar's thumb, counted in items including unknown rows. It is the item at the top of the pane, or the
    /// unknown row to which the thumb is dragged.
    package var scrollBarTop: Int {
        if case .scrollBar(let row?) = drag { return row }
        if case .spliced(_, let head, _) = rows, scroll.top >= head { return scroll.top + unknownRowCount }
        return scroll.top
    }

    /// The number of items before the first unknown row.
    private var itemCountBeforeUnknownRows: Int {
        switch rows {
        case .spliced(_, let head, _): head
        case .natural, .permuted, .moved: outline.itemCount
        }
    }

    /// Scrolls to a position on the scroll bar, as a fraction in `0 ... 1`. If the row there is unknown, scrolls to the last known row
    /// before it.
    mutating func scrollTo(_ fraction: Double) {
        let (tiles, unknown, head) = (tileGeometry, unknownRowCount, itemCountBeforeUnknownRows)
        let (first, last) = scrollLimits(tiles)
        let target = first + Int(Double(last - first + unknown) * fraction.clamped(to: 0...1))
        let isUnknown = target >= head && target < head + unknown
        drag = .scrollBar(unknownRow: isUnknown ? target : nil)
        let top = target < head ? target : isUnknown ? head - 1 : target - unknown
        if let tiles { scrollTiles(toTop: top, tiles) } else { scroll(items: top - scroll.top, columns: 0) }
    }

    /// The first and the last possible scroll position.
    private func scrollLimits(_ tiles: (any TileGeometry)?) -> (Int, Int) {
        if let tiles { return (tiles.clampedTop(0), tiles.clampedTop(.max)) }
        let lines = LineGeometry(self)
        return (lines.frozenSpans.count, lines.lastTop)
    }
}
