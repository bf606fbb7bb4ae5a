/// The area of a column on a card, relative to the card's upper left corner.
public struct SlotSpan: Hashable, Sendable {
    /// The slot in which the column is shown.
    public var slot: CardSlot
    /// The index of the column among the visible columns.
    public var index: Int
    /// The identity of the column.
    public var id: ColumnID
    /// The x coordinate, from 0 at the left edge of the card.
    public var x: Int
    /// The first line of the slot, from 0 at the top of the card.
    public var cardLine: Int
    /// The width in terminal cells.
    public var width: Int
    /// The number of lines. Greater than 1 only for the last text on a card, if the card is taller than its slots need.
    public var height = 1

    /// True if the slot is at the right end of its line.
    public var isTrailing: Bool { slot.isTrailing }
}

extension CardSlot {
    /// All slots in reading order: line by line, from left to right.
    static let readingOrder: [CardSlot] = [
        .icon, .detailImage, .headline, .status, .statusImage, .subheadline, .substatus, .substatusImage, .footnote,
    ]

    fileprivate var isTrailing: Bool {
        switch self {
        case .status, .statusImage, .substatus, .substatusImage: true
        case .headline, .subheadline, .footnote, .detailImage, .icon: false
        }
    }

    fileprivate var isText: Bool {
        switch self {
        case .headline, .subheadline, .footnote, .status, .substatus: true
        case .statusImage, .substatusImage, .detailImage, .icon: false
        }
    }

    fileprivate var line: Int {
        switch self {
        case .icon, .detailImage, .headline, .status, .statusImage: 0
        case .subheadline, .substatus, .substatusImage: 1
        case .footnote: 2
        }
    }
}

/// The areas of the slots on a card. They are the same on all cards, unless empty slots take no room.
struct CardSlots {
    /// The areas of the slots in reading order. Slots that do not fit on the card are omitted.
    private(set) var spans: [SlotSpan] = []
    /// The terminal cells of the card that slots can use, without the cells of the edge and the accessory.
    let room: Range<Int>
    /// The columns that are assigned to a slot, in reading order, and the widths that these columns would have in a table.
    private let occupiedSlots: [(slot: CardSlot, index: Int, id: ColumnID, width: Int)]
    /// The card line of the first slots: 1 if the edge takes the first line, otherwise 0.
    private let top: Int
    /// The height in lines of a card that is as tall as its slots and its edge need.
    private let height: Int
    /// The minimum width of a cell editor in terminal cells, if the card has that much room.
    private static let minimumEditorWidth = 12

    /// Computes the areas of the slots. An image has the width of its column, at most a quarter of the card. Slots at the right have at
    /// most half of the remaining width; text has the rest.
    init(_ columns: ColumnList, width: Int, metrics: CardMetrics, hasAccessories: Bool, widths: [Int]) {
        let binding = CardBinding(columns)
        // Leave a space between the text and the right edge of a box or a background.
        let trailing = metrics.edge == .box ? 2 : metrics.hasBackground ? 1 : 0
        room = min(2, width)..<max(min(2, width), width - (hasAccessories ? 2 : 0) - trailing)
        top = metrics.edgeLines
        height = binding.lineCount + 2 * metrics.edgeLines
        occupiedSlots = binding.slots.compactMap { slot in
            binding[slot].flatMap { id in columns.index(of: id).map { (slot, $0, id, widths[$0]) } }
        }
        spans = collapsedSpans { _ in false }
    }

    /// The areas of the slots on a card whose empty slots take no room. `isEmpty` returns true for an empty slot. O(slots).
    func collapsedSpans(where isEmpty: (SlotSpan) -> Bool) -> [SlotSpan] {
        let empty = Set(spans.filter(isEmpty).map(\.slot))
        let occupiedSlots = self.occupiedSlots.filter { !empty.contains($0.slot) }
        var lines = [0, 0, 0]
        for (slot, _, _, _) in occupiedSlots { lines[slot.line] = 1 }
        // For each of the three lines of slots, the number of lines above it that have content.
        let above = [0, lines[0], lines[0] + lines[1]]
        var cells: [CardSlot: Range<Int>] = [:]
        var start = room.lowerBound
        for (slot, _, _, width) in occupiedSlots where slot == .icon || slot == .detailImage {
            let range = start..<min(room.upperBound, start + max(1, min(width, room.count / 4)))
            cells[slot] = range
            start = min(room.upperBound, range.upperBound + 1)
        }
        var ends = [room.upperBound, room.upperBound, room.upperBound]
        for (slot, _, _, width) in occupiedSlots where slot.isTrailing {
            let wide = min(max(1, width), (room.upperBound - start) / 2)
            cells[slot] = room.upperBound - wide..<room.upperBound
            if wide > 0 { ends[slot.line] = room.upperBound - wide - 2 }
        }
        for slot in [CardSlot.headline, .subheadline, .footnote] { cells[slot] = start..<max(start, ends[slot.line]) }
        return occupiedSlots.compactMap { slot, index, id, _ in
            guard let range = cells[slot], !range.isEmpty else { return nil }
            let line = top + (empty.isEmpty ? slot.line : above[slot.line])
            return SlotSpan(slot: slot, index: index, id: id, x: range.lowerBound, cardLine: line, width: range.count)
        }
    }

    /// The areas `spans` on a card of `height` lines. If the card is taller than its slots, its last text gets the additional lines.
    func fitted(_ spans: [SlotSpan], to height: Int) -> [SlotSpan] {
        guard height > self.height, let bottom = spans.map(\.cardLine).max(),
            let last = spans.lastIndex(where: { $0.cardLine == bottom && $0.slot.isText && !$0.isTrailing })
        else { return spans }
        var spans = spans
        spans[last].height = height - top - bottom
        return spans
    }

    /// The terminal cells of an editor in a slot, relative to the card. If the slot is narrow, the editor is wider than the slot.
    func editorCells(of span: SlotSpan) -> Range<Int> {
        let width = max(span.width, min(Self.minimumEditorWidth, room.count))
        let x = max(room.lowerBound, min(span.x, room.upperBound - width))
        return x..<x + width
    }
}
