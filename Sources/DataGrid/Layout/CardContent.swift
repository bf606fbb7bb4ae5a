/// The object that knows which slots of a card are empty, for cards whose empty slots take no room (``CardMetrics/collapsesEmptySlots``).
///
/// Layouts call it for visible rows, from any thread. An object that can read content on one thread only may answer `false` on other
/// threads.
public protocol CardContent: AnyObject, Sendable {
    /// True if the cell of this row and column shows nothing.
    func isEmpty(row: RowID, column: ColumnID) -> Bool
}

extension GridLayout {
    /// The slots to draw on one card. Empty slots are omitted if they take no room. A section header has no slots. On a card taller than
    /// its slots, the last text has several lines. O(slots).
    public func slots(of tile: TileSpan) -> [SlotSpan] {
        guard let cardSlots, case .row(let position) = tile.item else { return [] }
        guard let cardContent else { return cardSlots.fitted(cardSlots.spans, to: tile.fullHeight) }
        let spans = cardSlots.collapsedSpans { slot in
            // The slot under the cursor keeps its room even if it is empty.
            if cursor.item == tile.item, cursor.column == slot.index { return false }
            return cardContent.isEmpty(row: rows[position], column: slot.id)
        }
        return cardSlots.fitted(spans, to: tile.fullHeight)
    }
}
