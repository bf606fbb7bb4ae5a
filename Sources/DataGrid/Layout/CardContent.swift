/// The source that knows which slots of a card are empty, for ``CardMetrics/collapsesEmptySlots``.
///
/// Layouts call it for visible rows. A source that reads content on one thread only may answer `false` on other threads.
public protocol CardContent: AnyObject, Sendable {
    /// True if a cell shows nothing.
    func isEmpty(row: RowID, column: ColumnID) -> Bool
}

extension GridLayout {
    /// The slots of one card: ``slots`` without collapsed empty slots. A section header has no slots. On a tall card, the last text has
    /// several lines. O(slots).
    public func slots(of tile: TileSpan) -> [SlotSpan] {
        guard let cardSlots, case .row(let position) = tile.item else { return [] }
        guard let cardContent else { return cardSlots.fitted(cardSlots.spans, to: tile.fullHeight) }
        let spans = cardSlots.collapsedSpans { slot in
            // The slot of the cursor stays open.
            if cursor.item == tile.item, cursor.column == slot.index { return false }
            return cardContent.isEmpty(row: rows[position], column: slot.id)
        }
        return cardSlots.fitted(spans, to: tile.fullHeight)
    }
}
