/// A place in a card for what a column says.
public enum CardSlot: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first line, in bold.
    case headline
    /// The second line.
    case subheadline
    /// The third line, in a quieter voice.
    case footnote
    /// At the right of the first line, as text; shares its place with ``statusImage``.
    case status
    /// At the right of the first line, as an icon or a bar.
    case statusImage
    /// At the right of the second line, as text; shares its place with ``substatusImage``.
    case substatus
    /// At the right of the second line, as an icon or a bar.
    case substatusImage
    /// Before the headline.
    case detailImage
    /// At the left edge of the card; no column stands there unless it says so.
    case icon
}

/// The measures of cards, in terminal cells.
public struct CardMetrics: Hashable, Sendable, Codable {
    /// The width of a card; `nil`: one card a line, as wide as the frame.
    public var width: Int?
    /// Blanks between two cards side by side, and lines between two above each other.
    public var spacing = GridSize(width: 2, height: 1)
    /// Blanks between the frame and the cards: at either side, above the first and below the last.
    public var padding = GridSize(width: 1, height: 0)

    /// One card a line.
    public init() {}

    /// Reads measures up to 10,000 terminal cells.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        width = try values.decodeIfPresent(.width, within: DecodingLimits.cells)
        spacing = try values.decode(GridSize.self, forKey: .spacing)
        padding = try values.decode(GridSize.self, forKey: .padding)
    }

    var limited: CardMetrics {
        var limited = self
        limited.width = width?.clamped(to: DecodingLimits.cells)
        limited.spacing = spacing.limited
        limited.padding = padding.limited
        return limited
    }
}

/// Which column stands in which slot of a card.
public struct CardBinding: Hashable, Sendable {
    /// The columns of the slots that are taken.
    public private(set) var columns: [CardSlot: ColumnID] = [:]

    /// Binds visible columns to slots: first those that name one (``Column/cardSlot``); when none does, all of them in their order. Then the
    /// first three texts are headline, subheadline and footnote; the first image is the detail image; what is left goes, first come first
    /// served, to the status or its image, then to the substatus or its image, and beyond that nowhere. Nothing becomes an icon by itself.
    /// O(columns).
    public init(_ columns: ColumnList) {
        // Of many columns none is copied.
        for place in columns.visiblePlaces {
            if let slot = columns.all[place].cardSlot, self.columns[slot] == nil { self.columns[slot] = columns.all[place].id }
        }
        guard self.columns.isEmpty else { return }
        var texts: [CardSlot] = [.headline, .subheadline, .footnote]
        var images: [CardSlot] = [.detailImage]
        var groups: [(text: CardSlot, image: CardSlot)] = [(.status, .statusImage), (.substatus, .substatusImage)]
        for column in columns.visiblePlaces.lazy.map({ columns.all[$0] }) {
            if column.holdsImages ? !images.isEmpty : !texts.isEmpty {
                self.columns[column.holdsImages ? images.removeFirst() : texts.removeFirst()] = column.id
            } else if !groups.isEmpty {
                let group = groups.removeFirst()
                self.columns[column.holdsImages ? group.image : group.text] = column.id
            } else {
                break
            }
        }
    }

    /// The column in a slot.
    public subscript(slot: CardSlot) -> ColumnID? { columns[slot] }

    /// The slots that are taken, as they are read: line by line, each from left to right. Of two that share a place it is the text's.
    public var slots: [CardSlot] {
        CardSlot.readingOrder.filter { slot in
            switch slot {
            case .statusImage: columns[.status] == nil && columns[slot] != nil
            case .substatusImage: columns[.substatus] == nil && columns[slot] != nil
            default: columns[slot] != nil
            }
        }
    }

    /// Lines of a card: one, and one more for each of what stands in the second and third.
    public var lineCount: Int {
        let hasSecond = [.subheadline, .substatus, .substatusImage].contains { columns[$0] != nil }
        return columns[.footnote] != nil ? 3 : hasSecond ? 2 : 1
    }
}
