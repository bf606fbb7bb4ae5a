/// A place for a column's value on a card.
public enum CardSlot: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first line, in bold.
    case headline
    /// The second line.
    case subheadline
    /// The third line, dimmed.
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
    /// At the left edge of the card; used only by columns that request it.
    case icon
}

/// The sizes of cards, in terminal cells.
public struct CardMetrics: Hashable, Sendable, Codable {
    /// The width of a card; `nil` means one card per line, as wide as the frame.
    public var width: Int?
    /// The space between cards: in terminal cells horizontally, in lines vertically.
    public var spacing = GridSize(width: 2, height: 1)
    /// The space between the frame and the cards: terminal cells on both sides, lines above the first and below the last.
    public var padding = GridSize(width: 1, height: 0)

    /// Creates the sizes of one card per line.
    public init() {}

    /// Decodes sizes of up to 10,000 terminal cells.
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

/// The assignment of columns to the slots of a card.
public struct CardBinding: Hashable, Sendable {
    /// The columns of the occupied slots.
    public private(set) var columns: [CardSlot: ColumnID] = [:]

    /// Assigns visible columns to slots. O(columns).
    ///
    /// A column that names a slot (``Column/cardSlot``) gets this slot. If no column names one, columns are assigned in order.
    ///
    /// The first three text columns become headline, subheadline and footnote. The first image column becomes the detail image.
    /// The next columns become the status or status image, then the substatus or substatus image. The rest are not shown.
    /// No column becomes the icon automatically.
    public init(_ columns: ColumnList) {
        // Columns are read in place: copying many of them is slow.
        for place in columns.visiblePlaces {
            if let slot = columns.all[place].cardSlot, self.columns[slot] == nil { self.columns[slot] = columns.all[place].id }
        }
        guard self.columns.isEmpty else { return }
        var texts: [CardSlot] = [.headline, .subheadline, .footnote]
        var images: [CardSlot] = [.detailImage]
        var groups: [(text: CardSlot, image: CardSlot)] = [(.status, .statusImage), (.substatus, .substatusImage)]
        for column in columns.visiblePlaces.lazy.map({ columns.all[$0] }) {
            if column.hasGraphics ? !images.isEmpty : !texts.isEmpty {
                self.columns[column.hasGraphics ? images.removeFirst() : texts.removeFirst()] = column.id
            } else if !groups.isEmpty {
                let group = groups.removeFirst()
                self.columns[column.hasGraphics ? group.image : group.text] = column.id
            } else {
                break
            }
        }
    }

    /// The column in a slot.
    public subscript(slot: CardSlot) -> ColumnID? { columns[slot] }

    /// The occupied slots in reading order: line by line, from left to right. Text wins over an image in the same place.
    public var slots: [CardSlot] {
        CardSlot.readingOrder.filter { slot in
            switch slot {
            case .statusImage: columns[.status] == nil && columns[slot] != nil
            case .substatusImage: columns[.substatus] == nil && columns[slot] != nil
            default: columns[slot] != nil
            }
        }
    }

    /// The number of lines of a card, 1 to 3.
    public var lineCount: Int {
        let hasSecond = [.subheadline, .substatus, .substatusImage].contains { columns[$0] != nil }
        return columns[.footnote] != nil ? 3 : hasSecond ? 2 : 1
    }
}
