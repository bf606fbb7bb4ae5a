/// Where a column stands on every card, from the card's upper left corner.
public struct SlotSpan: Hashable, Sendable {
    /// Its slot.
    public var slot: CardSlot
    /// Counted among the columns that are not hidden.
    public var index: Int
    /// Which column it is.
    public var id: ColumnID
    /// The first terminal cell.
    public var x: Int
    /// The line.
    public var line: Int
    /// Terminal cells.
    public var width: Int

    /// Whether it stands at the right of its line.
    public var isTrailing: Bool { slot.isTrailing }
}

extension CardSlot {
    /// All slots as they are read: line by line, each from left to right.
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

/// The places of slots on a card: the same on all of them, whatever they hold.
struct CardSlots {
    /// In the order in which they are read; a slot for which there is no room has none.
    private(set) var spans: [SlotSpan] = []
    /// Where something can stand: what is left of the edge and of what stands at the card's end.
    let room: Range<Int>
    /// Terminal cells in which one types at least, where the card has so many.
    private static let typingWidth = 12

    /// Images are as wide as their columns, at most a quarter of the card; what stands at the right, at most half of the rest. Texts have
    /// the remaining room.
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
            return SlotSpan(slot: slot, index: index, id: columns[index].id, x: place.lowerBound, line: slot.line, width: place.count)
        }
    }

    /// The terminal cells of its line in which the column of a slot is edited: those of the slot and, where they are few, more beside them.
    func typingPlace(of span: SlotSpan) -> Range<Int> {
        let width = max(span.width, min(Self.typingWidth, room.count))
        let x = max(room.lowerBound, min(span.x, room.upperBound - width))
        return x..<x + width
    }
}
