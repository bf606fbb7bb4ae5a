/// An area of a card that shows the value of one column.
public enum CardSlot: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first line, in bold.
    case headline
    /// The second line.
    case subheadline
    /// The third line, dimmed.
    case footnote
    /// At the right of the first line, as text. A card shows either this slot or ``statusImage``, not both.
    case status
    /// At the right of the first line, as an icon or a bar.
    case statusImage
    /// At the right of the second line, as text. A card shows either this slot or ``substatusImage``, not both.
    case substatus
    /// At the right of the second line, as an icon or a bar.
    case substatusImage
    /// To the left of the headline, as an icon or a bar.
    case detailImage
    /// At the left edge of the card. The slot is never assigned automatically; a column must name it as ``Column/cardSlot``.
    case icon
}

/// The decoration at the edge of each card. The card under the cursor has an edge in the color of insertion marks.
public enum CardEdge: String, Hashable, Sendable, Codable, CaseIterable {
    /// No edge. The card under the cursor still has a line at its left.
    case none
    /// A line at the left.
    case line
    /// A line around the card. It takes one line above the slots of the card and one line below them.
    case box
}

/// The sizes and decorations of cards. Lengths are in terminal cells.
public struct CardMetrics: Hashable, Sendable, Codable {
    /// The width of a card. With `nil`, cards fill the width of the frame according to ``minimumWidth``.
    public var width: Int?
    /// The minimum width of a card if ``width`` is `nil`. Each line has as many cards of equal width as fit. `nil` means one card in each
    /// line.
    public var minimumWidth: Int?
    /// The maximum width of a card if ``width`` is `nil`. The rest of the line stays empty.
    public var maximumWidth: Int?
    /// The edge of each card.
    public var edge = CardEdge.line
    /// True if cards have the background of ``Theme/card``.
    public var hasBackground = false
    /// True if slots without content take no room. Text then extends into an empty slot next to it, and lines below an empty line move
    /// up.
    ///
    /// All cards keep the same height. The slot of the cursor keeps its room even if it is empty.
    public var collapsesEmptySlots = false
    /// The space between cards: in terminal cells horizontally, in lines vertically.
    public var spacing = GridSize(width: 2, height: 1)
    /// The space between the cards and the edges of the frame: terminal cells at the left and right, lines above the first card and below
    /// the last.
    public var padding = GridSize(width: 1, height: 0)

    private enum CodingKeys: String, CodingKey {
        case width, minimumWidth, maximumWidth, edge, collapsesEmptySlots, spacing, padding
        /// The key in saved views. It keeps its old name, so that all versions can read it.
        case hasBackground = "hasGround"
    }

    /// Creates the default sizes: one card in each line, with a vertical line at its left edge.
    public init() {}

    /// Decodes sizes. Each length can be at most 10,000 terminal cells.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        width = try values.decodeIfPresent(.width, within: DecodingLimits.cells)
        minimumWidth = try values.decodeIfPresent(.minimumWidth, within: DecodingLimits.cells)
        maximumWidth = try values.decodeIfPresent(.maximumWidth, within: DecodingLimits.cells)
        edge = try values.decodeIfPresent(CardEdge.self, forKey: .edge) ?? edge
        hasBackground = try values.decodeIfPresent(Bool.self, forKey: .hasBackground) ?? hasBackground
        collapsesEmptySlots = try values.decodeIfPresent(Bool.self, forKey: .collapsesEmptySlots) ?? collapsesEmptySlots
        spacing = try values.decode(GridSize.self, forKey: .spacing)
        padding = try values.decode(GridSize.self, forKey: .padding)
    }

    /// The width of a card and the number of cards side by side, if `room` terminal cells are available.
    func fitted(to room: Int) -> (width: Int, count: Int) {
        let gap = spacing.width.clamped(to: 0...room)
        func cardCount(ofWidth width: Int) -> Int { max(1, (room + gap) / (width + gap)) }
        if let width = width.map({ $0.clamped(to: 1...room) }) { return (width, cardCount(ofWidth: width)) }
        let count = minimumWidth.map { cardCount(ofWidth: $0.clamped(to: 1...room)) } ?? 1
        let equal = (room + gap) / count - gap
        return (min(equal, max(1, maximumWidth ?? equal)), count)
    }

    /// The number of lines that the edge takes above the slots of a card. It takes the same number below them.
    var edgeLines: Int { edge == .box ? 1 : 0 }

    var clampedToLimits: CardMetrics {
        var limited = self
        limited.width = width?.clamped(to: DecodingLimits.cells)
        limited.minimumWidth = minimumWidth?.clamped(to: DecodingLimits.cells)
        limited.maximumWidth = maximumWidth?.clamped(to: DecodingLimits.cells)
        limited.spacing = spacing.clampedToLimits
        limited.padding = padding.clampedToLimits
        return limited
    }
}

/// The assignment of columns to the slots of a card.
public struct CardBinding: Hashable, Sendable {
    /// The column of each slot that is used.
    public private(set) var columns: [CardSlot: ColumnID] = [:]

    /// Assigns visible columns to slots. O(columns).
    ///
    /// Each column gets the slot that its ``Column/cardSlot`` names. If no column names a slot, slots are assigned in column order as
    /// follows.
    ///
    /// The first three text columns become headline, subheadline and footnote. The first image column becomes the detail image. The next
    /// columns become the status or status image, then the substatus or substatus image. Other columns are not shown. No column becomes
    /// the icon automatically.
    public init(_ columns: ColumnList) {
        // Read the columns without copying them, because a table can have millions.
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

    /// The column that is shown in a slot; `nil` if the slot is not used.
    public subscript(slot: CardSlot) -> ColumnID? { columns[slot] }

    /// The slots that have a column, in reading order: line by line, from left to right. If two slots use the same area, only the text
    /// slot is listed.
    public var slots: [CardSlot] {
        CardSlot.readingOrder.filter { slot in
            switch slot {
            case .statusImage: columns[.status] == nil && columns[slot] != nil
            case .substatusImage: columns[.substatus] == nil && columns[slot] != nil
            default: columns[slot] != nil
            }
        }
    }

    /// The number of lines that the slots of a card take, from 1 to 3.
    public var lineCount: Int {
        let hasSecond = [.subheadline, .substatus, .substatusImage].contains { columns[$0] != nil }
        return columns[.footnote] != nil ? 3 : hasSecond ? 2 : 1
    }
}
