/// The source that knows which slots of a card are empty, for ``CardMetrics/collapsesEmptySlots``.
///
/// Layouts call it for visible rows. A source that reads content on one thread only may answer `false` on other threads.
public protocol CardContent: AnyObject, Sendable {
    /// True if a cell shows nothing.
    func isEmpty(row: RowID, column: ColumnID) -> Bool
}

extension GridLayout {
    /// The slots of one card: ``slots``, or fewer if its empty slots collapse; none for a section header. The last text of a tall card has
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
