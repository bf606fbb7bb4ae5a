extension GridState {
    /// Brings the cursor into sight with as little scrolling as possible.
    mutating func revealCursor() {
        clampScroll()
        guard outline.itemCount > 0, columns.count > 0, size.width > 0, size.height > 0 else { return }
        revealItem(outline.index(of: cursor.item))
        revealColumn(cursor.column)
    }

    private mutating func revealItem(_ index: Int) {
        let layout = layout
        guard index >= layout.frozenItemCount else { return }
        let height = max(1, layout.pageItemCount)
        // Headers that stick cover the first lines of the pane; the cursor must come out below them.
        let cover = min(outline.depth(of: outline.item(at: index)), max(0, height - 1))
        if index - cover < scroll.top { scroll.top = index - cover }
        if index >= scroll.top + height { scroll.top = index - height + 1 }
        clampScroll()
    }

    private mutating func revealColumn(_ index: Int) {
        let geometry = ColumnGeometry(self)
        guard geometry.scrolling.contains(index), geometry.paneWidth > 0 else { return }
        let start = geometry.starts[index]
        let width = geometry.widths[index]
        if width >= geometry.paneWidth {
            // Wider than the pane: its beginning, unless part of it is being read already.
            if start > scroll.x || start + width <= scroll.x { scroll.x = start }
        } else if start < scroll.x {
            scroll.x = start
        } else if start + width > scroll.x + geometry.paneWidth {
            // The first column that stays in sight stays whole.
            scroll.x = geometry.firstStart(from: start + width - geometry.paneWidth)
        }
        scroll.x = min(scroll.x, geometry.maximumX)
    }

    /// Scrolls; the cursor is left where it is unless it would leave the pane, then it stays at the pane's edge.
    mutating func scroll(items: Int, columns count: Int) {
        guard outline.itemCount > 0, columns.count > 0 else { return }
        if items != 0 {
            scroll.top += items
            clampScroll()
            let layout = layout
            let index = outline.index(of: cursor.item)
            if index >= layout.frozenItemCount {
                let height = max(1, layout.pageItemCount)
                var low = scroll.top
                // Below the headers that stick.
                while low < scroll.top + height - 1, outline.depth(of: outline.item(at: low.clampedIndex(outline.itemCount))) > low - scroll.top {
                    low += 1
                }
                let high = max(low, min(scroll.top + height, outline.itemCount) - 1)
                cursor.item = outline.item(at: index.clamped(to: low...high).clampedIndex(outline.itemCount))
            }
        }
        if count != 0 {
            let geometry = ColumnGeometry(self)
            scroll.x = geometry.x(afterScrollingFrom: scroll.x, by: count)
            let sight = geometry.wholeColumns(at: scroll.x)
            if geometry.scrolling.contains(cursor.column), let sight { cursor.column = cursor.column.clamped(to: sight) }
        }
    }

    /// Keeps the scroll position where there is something to see.
    mutating func clampScroll() {
        let layout = layout
        let bottom = max(layout.frozenItemCount, outline.itemCount - max(1, layout.pageItemCount))
        scroll.top = max(layout.frozenItemCount, min(scroll.top, bottom))
        scroll.top = min(scroll.top, outline.itemCount)
        scroll.x = max(0, min(scroll.x, ColumnGeometry(self).maximumX))
    }
}
