public import FieldValues

/// How wide a column wants to be.
public enum WidthRule: Hashable, Sendable, Codable {
    /// No width of its own: ``GridMetrics/defaultColumnWidth`` or, where that is not set, fitted to the frame with the other such columns.
    /// Each has room for its content (``Column/measuredWidth``), and spare room is shared, unless flexible columns take it. Where room is
    /// short, the widest are narrowed first, to ``GridMetrics/minimumFittedWidth``; columns that still do not fit scroll.
    case standard
    /// This many terminal cells.
    case fixed(Int)
    /// This part of the frame, in `0 ..< 1`.
    case fraction(Double)
    /// What the other columns leave; of several, an equal part each. Columns that all are flexible are fitted to the frame.
    case flexible
    /// As wide as its content (``Column/measuredWidth``, which a `GridController` measures). Before that, ``GridMetrics/defaultColumnWidth``,
    /// or else the part of a flexible column.
    case automatic

    /// Reads a rule: a fixed width up to 10,000 terminal cells, or a fraction from 0 to 1.
    public init(from decoder: any Decoder) throws {
        let decoded = try DecodedCase(from: decoder)
        switch decoded.name {
        case "standard": self = .standard
        case "fixed": self = .fixed(try decoded.value(within: DecodingLimits.cells))
        case "fraction": self = .fraction(try decoded.value(within: 0...1))
        case "flexible": self = .flexible
        case "automatic": self = .automatic
        default: throw decoded.unknown
        }
    }

    var limited: WidthRule {
        switch self {
        case .fixed(let cells): .fixed(cells.clamped(to: DecodingLimits.cells))
        case .fraction(let part): .fraction(part.limitedFraction)
        case .standard, .flexible, .automatic: self
        }
    }

    /// Whether what was measured of a column's content has a say.
    var followsContent: Bool { self == .automatic || self == .standard }
}

/// On which side the text of a cell stands.
public enum CellAlignment: String, Hashable, Sendable, Codable {
    /// At the left.
    case leading
    /// In the middle.
    case center
    /// At the right, where numbers stand.
    case trailing
}

/// How a column sorts when its header is activated.
public enum SortMode: String, Hashable, Sendable, Codable {
    /// Not at all.
    case none
    /// Ascending and descending by turns.
    case twoState
    /// Ascending, descending, then the order of the source.
    case threeState
}

/// What stands at the end of a row or beside a column's title.
public enum Accessory: String, Hashable, Sendable, Codable {
    /// Nothing.
    case none
    /// `›`: there is something behind it.
    case disclosure
    /// A tick.
    case checkmark
    /// `ⓘ`: there is more about it.
    case detail
}

/// How the values of a column are shown; values themselves stay as they are.
public struct ValueFormat: Hashable, Sendable, Codable {
    /// The digits after the decimal sign for which room is kept, so that decimal signs stand in line.
    public var fractionDigits: Int
    /// Whether thousands are grouped.
    public var groupsThousands: Bool
    /// Whether numbers are shown with exactly ``fractionDigits`` digits after the decimal sign, rounded half away from zero; otherwise with
    /// those they have.
    public var isFixed: Bool
    /// How dates and times are shown, as `DateText.text(ofMicroseconds:pattern:)` has it; `nil`: `2024-01-01 10:22:04`, each kind its part.
    public var datePattern: String?

    /// Room for `fractionDigits` decimals, thousands grouped and numbers as they are unless told otherwise.
    public init(fractionDigits: Int = 0, groupsThousands: Bool = true, isFixed: Bool = false, datePattern: String? = nil) {
        self.fractionDigits = fractionDigits
        self.groupsThousands = groupsThousands
        self.isFixed = isFixed
        self.datePattern = datePattern
    }

    /// Reads a format of up to 100 digits.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        fractionDigits = try values.decode(.fractionDigits, within: DecodingLimits.digits)
        groupsThousands = try values.decode(Bool.self, forKey: .groupsThousands)
        isFixed = try values.decode(Bool.self, forKey: .isFixed)
        datePattern = try values.decodeIfPresent(String.self, forKey: .datePattern)
    }

    var limited: ValueFormat {
        var limited = self
        limited.fractionDigits = fractionDigits.clamped(to: DecodingLimits.digits)
        return limited
    }
}

/// Which cells of a column of flags are drawn as ✓ and ✗. All others show their text.
public enum FlagMarks: String, Hashable, Sendable, Codable {
    /// Every word that reads as a flag: `true`, `No`, `y` and so on.
    case everyWord
    /// `true` and `false`, written exactly so.
    case trueAndFalse
    /// No cells.
    case none
}

/// A column of a grid: what it shows, how wide it is, and what may be done with it.
public struct Column: Hashable, Sendable, Identifiable {
    /// Which column of the source; never changes, wherever the column is moved.
    public internal(set) var id: ColumnID
    /// What the header says.
    public var title: String
    /// The name under which a data source finds the value.
    public var valueKey: String
    /// What its values are read as: decides alignment, the type line of the header, and how it is sorted.
    public var kind: ValueKind
    /// How its numbers are written, in the source and on the screen.
    public var notation: NumberNotation
    /// How wide it wants to be, before the limits below.
    public var width: WidthRule
    /// The least width in terminal cells; `nil`: the grid's.
    public var minimumWidth: Int?
    /// The greatest width in terminal cells, for widths that are not fixed, and for those set by hand; `nil`: the grid's, and by hand none.
    public var maximumWidth: Int?
    /// The width of the content in terminal cells as measured; what ``WidthRule/automatic`` means, and what a ``WidthRule/standard`` column
    /// needs. 0: not known.
    public var measuredWidth: Int
    /// The delegate's width (``GridDelegate/width(ofColumn:)``) in terminal cells, which precedes ``measuredWidth``; `nil`: none.
    public internal(set) var delegatedWidth: Int?
    /// `nil`: numbers and points in time at the right, flags in the middle, text at the left.
    public var alignment: CellAlignment?
    /// How its numbers are shown.
    public var format: ValueFormat
    /// Which cells are drawn as ✓ and ✗ when the column holds flags.
    public var flagMarks = FlagMarks.everyWord
    /// What activating the header steps through. Kept for the application: the grid itself does not sort.
    public var sortMode: SortMode
    /// Whether people may edit its cells in their places; what they type goes to the data source.
    public var isEditable: Bool
    /// Whether its width can be changed by dragging its edge.
    public var isResizable = true
    /// Whether it can be moved by dragging its header.
    public var isReorderable = true
    /// Whether it is left out of the grid; it keeps its place among all columns.
    public var isHidden: Bool
    /// The style layer of the column's cells.
    public var style: CellStyle?
    /// The style of its header cell.
    public var headerStyle: CellStyle?
    /// Where its cells stand on a card; `nil`: where ``CardBinding`` puts them.
    public var cardSlot: CardSlot?
    /// Whether its cells are icons, bars or sparklines rather than text: that decides where they may stand on a card.
    public var holdsImages = false
    /// What stands beside its title.
    public var accessory = Accessory.none
    /// What its header holds besides: an icon stands before the title, anything else below it, in place of the type.
    public var headerItem: CellContent?

    /// A column with everything left to the grid but its id and title; `valueKey` is the title unless given.
    public init(
        id: ColumnID, title: String, valueKey: String? = nil, kind: ValueKind = .text, notation: NumberNotation = .point,
        width: WidthRule = .standard, measuredWidth: Int = 0, alignment: CellAlignment? = nil, format: ValueFormat = ValueFormat(),
        sortMode: SortMode = .threeState, isEditable: Bool = false, isHidden: Bool = false
    ) {
        self.id = id
        self.title = title
        self.valueKey = valueKey ?? title
        self.kind = kind
        self.notation = notation
        self.width = width
        self.measuredWidth = measuredWidth
        self.alignment = alignment
        self.format = format
        self.sortMode = sortMode
        self.isEditable = isEditable
        self.isHidden = isHidden
    }

    /// How wide its content is, as the delegate says or as was measured; 0: not known.
    var contentWidth: Int { width.followsContent ? delegatedWidth ?? measuredWidth : measuredWidth }

    /// Whether its width is a share of what other columns leave of the frame.
    func sharesFrame(_ metrics: GridMetrics) -> Bool {
        switch width {
        case .fixed, .fraction: false
        case .flexible: true
        case .automatic: contentWidth == 0 && metrics.defaultColumnWidth == nil
        case .standard: delegatedWidth == nil && metrics.defaultColumnWidth == nil
        }
    }

    /// The alignment in force.
    public var effectiveAlignment: CellAlignment {
        if let alignment { return alignment }
        switch kind {
        case .integer, .decimal: return .trailing
        case .flag: return .center
        case .date, .dateTime, .time, .text: return .leading
        }
    }
}
