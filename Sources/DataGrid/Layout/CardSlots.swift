/// The position of a column on every card, relative to the card's upper left corner.
public struct SlotSpan: Hashable, Sendable {
    /// The slot.
    public var slot: CardSlot
    /// The index among the visible columns.
    public var index: Int
    /// The column.
    public var id: ColumnID
    /// The first terminal cell.
    public var x: Int
    /// The line.
    public var cardLine: Int
    /// The width in terminal cells.
    public var width: Int

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

    fileprivate var line: Int {
        switch self {
        case .icon, .detailImage, .headline, .status, .statusImage: 0
        case .subheadline, .substatus, .substatusImage: 1
        case .footnote: 2
        }
    }
}

/// The positions of slots on a card: the same on all cards, with any content.
struct CardSlots {
    /// The slots in reading order; slots without room are omitted.
    private(set) var spans: [SlotSpan] = []
    /// The terminal cells available to slots, without the card's edge and the accessory.
    let room: Range<Int>
    /// The minimum width of an editor in terminal cells, if the card is that wide.
    private static let minimumEditorWidth = 12

    /// Places the slots. Images have the width of their columns, at most a quarter of the card. Trailing slots have at most half of the
    /// remaining room; texts have the rest.
    init(_ columns: ColumnList, width: Int, hasAccessories: Bool, widths: [Int]) {
        let binding = CardBinding(columns)
        room = min(2, width)..<max(min(2, width), width - (hasAccessories ? 2 : 0))
        let taken = binding.slots.compactMap { slot in binding[slot].flatMap(columns.index(of:)).map { (slot: slot, index: $0) } }
        var places: [CardSlot: Range<Int>] = [:]
        var start = room.lowerBound
        for (slot, index) in taken where slot == .icon || slot == .detailImage {
            let place = start..<min(room.upperBound, start + max(1, min(widths[index], room.count / 4)))
            places[slot] = place
            start = min(room.upperBound, place.upperBound + 1)
        }
        var ends = [room.upperBound, room.upperBound, room.upperBound]
        for (slot, index) in taken where slot.isTrailing {
            let wide = min(max(1, widths[index]), (room.upperBound - start) / 2)
            places[slot] = room.upperBound - wide..<room.upperBound
            if wide > 0 { ends[slot.line] = room.upperBound - wide - 2 }
        }
        for slot in [CardSlot.headline, .subheadline, .footnote] { places[slot] = start..<max(start, ends[slot.line]) }
        spans = taken.compactMap { slot, index in
            guard let place = places[slot], !place.isEmpty else { return nil }
            return SlotSpan(slot: slot, index: index, id: columns[index].id, x: place.lowerBound, cardLine: slot.line, width: place.count)
        }
    }

    /// The terminal cells of the editor in a slot: those of the slot, or more if the slot is narrow.
    func typingPlace(of span: SlotSpan) -> Range<Int> {
        let width = max(span.width, min(Self.minimumEditorWidth, room.count))
        let x = max(room.lowerBound, min(span.x, room.upperBound - width))
        return x..<x + width
    }
}
