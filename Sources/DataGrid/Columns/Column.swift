public import FieldValues

/// The rule that determines the width of a column.
public enum WidthRule: Hashable, Sendable, Codable {
    /// The width ``GridMetrics/defaultColumnWidth`` of the grid. If that width is `nil`, all standard columns together are fitted to the
    /// frame.
    ///
    /// Each column then gets the width of its content (``Column/measuredWidth``). Spare room goes to the flexible columns or, if there are
    /// no flexible columns, to all standard columns. If room is short, the widest columns are narrowed first, down to
    /// ``GridMetrics/minimumFittedWidth``. If columns still do not fit, they scroll.
    case standard
    /// A fixed number of terminal cells.
    case fixed(Int)
    /// A fraction of the width of the frame, in `0 ..< 1`.
    case fraction(Double)
    /// An equal part of the width that columns with other rules leave free. If all columns are flexible, together they fill the frame.
    case flexible
    /// The width of the content (``Column/measuredWidth``, which a `GridController` measures).
    ///
    /// Before the content is measured, the width is ``GridMetrics/defaultColumnWidth``. If that is `nil`, the column has the width of a
    /// flexible column.
    case automatic

    /// Decodes a rule. A fixed width can be at most 10,000 terminal cells, and a fraction must be from 0 to 1.
    public init(from decoder: any Decoder) throws {
        let decoded = try DecodedCase(from: decoder)
        switch decoded.name {
        case "standard": self = .standard
        case "fixed": self = .fixed(try decoded.value(within: DecodingLimits.cells))
        case "fraction": self = .fraction(try decoded.value(within: 0...1))
        case "flexible": self = .flexible
        case "automatic": self = .automatic
        default: throw decoded.unknownCaseError
        }
    }

    var clampedToLimits: WidthRule {
        switch self {
        case .fixed(let cells): .fixed(cells.clamped(to: DecodingLimits.cells))
        case .fraction(let fraction): .fraction(fraction.limitedFraction)
        case .standard, .flexible, .automatic: self
        }
    }

    /// True if the width of the content affects the width of the column.
    var followsContent: Bool { self == .automatic || self == .standard }
}

/// The horizontal alignment of the text in a cell.
public enum CellAlignment: String, Hashable, Sendable, Codable {
    /// Left-aligned.
    case leading
    /// Centered.
    case center
    /// Right-aligned: the default for numbers.
    case trailing
}

/// The sort orders that a column takes in turn when its header is clicked or activated repeatedly.
public enum SortMode: String, Hashable, Sendable, Codable {
    /// The column is not sortable.
    case none
    /// Ascending, then descending, then ascending again.
    case twoState
    /// Ascending, then descending, then the order of the data source.
    case threeState
}

/// The side of the grid at which a column is frozen.
public enum ColumnSide: String, Hashable, Sendable, Codable {
    /// At the left; in a transposed grid, at the top.
    case leading
    /// At the right; in a transposed grid, at the bottom.
    case trailing
}

/// A symbol at the end of a row or next to a column name.
public enum Accessory: String, Hashable, Sendable, Codable {
    /// No symbol.
    case none
    /// `›`, for navigation to more content.
    case disclosure
    /// A check mark.
    case checkmark
    /// `ⓘ`, for details.
    case detail
}

/// The display format of the values in a column.
public struct ValueFormat: Hashable, Sendable, Codable {
    /// The minimum and maximum number of decimals. With `nil`, numbers keep their decimals.
    ///
    /// Numbers with fewer decimals get zeros, and numbers with more are rounded half away from zero. Room is reserved for the maximum, so
    /// that decimal separators are aligned.
    public var fractionDigits: ClosedRange<Int>?
    /// The number of decimals for which room is reserved. Decimal separators of numbers with fewer decimals are then aligned.
    public var alignedFractionDigits: Int
    /// True if thousands are separated, as in `1,234`.
    public var groupsThousands: Bool
    /// The pattern for dates and times (see `DateText.text(ofMicroseconds:pattern:)`). With `nil`, a date is shown as `2024-01-01`, and a
    /// time as `10:22:04`.
    public var datePattern: String?
    /// True if numbers are fractions shown as percentages: 0.25 is `25%`. Without ``fractionDigits``, they have exactly
    /// ``alignedFractionDigits`` decimals.
    public var isPercentage: Bool
    /// True if an ``ObjectSource`` chose ``fractionDigits``, because the application did not set a format. The source then increases these
    /// numbers when a value needs more decimals.
    public var hasAutomaticFractionDigits = false

    private enum CodingKeys: String, CodingKey {
        case minimumFractionDigits, maximumFractionDigits, alignedFractionDigits
        case groupsThousands, datePattern, isPercentage, hasAutomaticFractionDigits
        /// Keys of earlier versions of saved views: the number of decimals, and a flag. If the flag is true, all numbers have exactly this
        /// many decimals.
        case fractionDigits, isFixed
    }

    /// Creates a format. By default, thousands are separated and numbers are not rounded.
    public init(
        fractionDigits: ClosedRange<Int>? = nil, alignedFractionDigits: Int = 0, groupsThousands: Bool = true, datePattern: String? = nil,
        isPercentage: Bool = false
    ) {
        self.fractionDigits = fractionDigits
        self.alignedFractionDigits = alignedFractionDigits
        self.groupsThousands = groupsThousands
        self.datePattern = datePattern
        self.isPercentage = isPercentage
    }

    /// Decodes a format of this version or an earlier one. A number of decimals can be at most 100.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if let digits = try values.decodeIfPresent(.fractionDigits, within: DecodingLimits.digits) {
            let isFixed = try values.decode(Bool.self, forKey: .isFixed)
            (fractionDigits, alignedFractionDigits) = isFixed ? (digits...digits, 0) : (nil, digits)
        } else {
            alignedFractionDigits = try values.decodeIfPresent(.alignedFractionDigits, within: DecodingLimits.digits) ?? 0
            let maximum = try values.decodeIfPresent(.maximumFractionDigits, within: DecodingLimits.digits)
            fractionDigits = try maximum.map { maximum in
                let minimum = try values.decodeIfPresent(.minimumFractionDigits, within: 0...maximum) ?? 0
                return minimum...maximum
            }
        }
        groupsThousands = try values.decode(Bool.self, forKey: .groupsThousands)
        datePattern = try values.decodeIfPresent(String.self, forKey: .datePattern)
        isPercentage = try values.decodeIfPresent(Bool.self, forKey: .isPercentage) ?? false
        hasAutomaticFractionDigits = try values.decodeIfPresent(Bool.self, forKey: .hasAutomaticFractionDigits) ?? false
    }

    /// Encodes the format.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(fractionDigits?.lowerBound, forKey: .minimumFractionDigits)
        try values.encodeIfPresent(fractionDigits?.upperBound, forKey: .maximumFractionDigits)
        try values.encode(alignedFractionDigits, forKey: .alignedFractionDigits)
        try values.encode(groupsThousands, forKey: .groupsThousands)
        try values.encodeIfPresent(datePattern, forKey: .datePattern)
        try values.encode(isPercentage, forKey: .isPercentage)
        try values.encode(hasAutomaticFractionDigits, forKey: .hasAutomaticFractionDigits)
    }

    /// The maximum number of decimals for which the column reserves room.
    package var reservedFractionDigits: Int { max(alignedFractionDigits, fractionDigits?.upperBound ?? 0) }

    /// Sets automatic fraction digits. With `isRounding`, numbers are rounded to `digits` decimals. Without `isRounding`, numbers keep
    /// their decimals, and room for `digits` decimals is reserved.
    mutating func setAutomaticDigits(_ digits: Int, isRounding: Bool) {
        fractionDigits = isRounding ? digits...digits : nil
        alignedFractionDigits = isRounding ? 0 : digits
        hasAutomaticFractionDigits = true
    }

    /// Returns this format or, if both formats have automatic fraction digits, this format with the greater number of digits.
    func mergingFractionDigits(with other: ValueFormat) -> ValueFormat {
        guard hasAutomaticFractionDigits, other.hasAutomaticFractionDigits else { return self }
        var merged = self
        merged.setAutomaticDigits(
            max(reservedFractionDigits, other.reservedFractionDigits), isRounding: fractionDigits != nil && other.fractionDigits != nil)
        return merged
    }

    var clampedToLimits: ValueFormat {
        var limited = self
        limited.fractionDigits = fractionDigits?.clamped(to: DecodingLimits.digits)
        limited.alignedFractionDigits = alignedFractionDigits.clamped(to: DecodingLimits.digits)
        return limited
    }
}

/// The words that a column of flags draws as ✓ or ✗. Cells with other words show their text.
public enum FlagMarks: String, Hashable, Sendable, Codable {
    /// Every word that parses as a Boolean: `true`, `No`, `y` and others.
    case everyWord
    /// Exactly `true` and `false`.
    case trueAndFalse
    /// No words: every cell shows its text.
    case none
}

/// A column of a grid: its field, width, format and permitted operations.
public struct Column: Hashable, Sendable, Identifiable {
    /// The identity of the column in its data source. It stays the same when the column is moved.
    public internal(set) var id: ColumnID
    /// The name in the header.
    public var title: String
    /// The name that a data source and a saved view use for the column. Renaming the title does not change it.
    public var valueKey: String
    /// The type of the values in the column. It determines alignment, sorting and the type line of the header.
    public var kind: ValueKind
    /// The decimal and thousands separators of the column's numbers, in the source and on the screen.
    public var notation: DecimalStyle
    /// The order and form of the dates in the source, such as day before month.
    public var dateNotation = DateNotation.iso
    /// True if ``dateNotation`` is a guess, because every date could start with the day or with the month.
    public var hasAmbiguousDates = false
    /// True if the source has null values, which are shown differently from empty text.
    public var hasNulls = false
    /// The rule for the width. ``minimumWidth`` and ``maximumWidth`` limit its result.
    public var width: WidthRule
    /// The minimum width in terminal cells; `nil` means the minimum of the grid.
    public var minimumWidth: Int?
    /// The maximum width in terminal cells. It limits resizing by hand, and every width rule except a fixed width.
    ///
    /// `nil` means the maximum of the grid, which does not limit resizing by hand.
    public var maximumWidth: Int?
    /// The measured width of the content in terminal cells; 0 if it has not been measured.
    ///
    /// It is the width of an ``WidthRule/automatic`` column, and the width that a ``WidthRule/standard`` column needs.
    public var measuredWidth: Int
    /// The width in terminal cells from ``GridDelegate/width(ofColumn:)``, which replaces ``measuredWidth``; `nil` if the delegate
    /// returns no width.
    public internal(set) var delegatedWidth: Int?
    /// The alignment of the text; `nil` means the default for the type of the values (``effectiveAlignment``).
    public var alignment: CellAlignment?
    /// The format in which numbers and dates are shown.
    public var format: ValueFormat
    /// True if the numbers of the column are identifiers, such as ZIP codes or years. Such numbers are not added up.
    public var isIdentifier = false
    /// For a Boolean column, the words that are drawn as ✓ or ✗.
    public var flagMarks = FlagMarks.everyWord
    /// The sort orders that activating the header cycles through. The grid does not sort; it tells the application the requested order.
    public var sortMode: SortMode
    /// True if users can edit the cells of the column. The data source receives the text.
    public var isEditable: Bool
    /// True if users can change the width by dragging the edge of the column.
    public var isResizable = true
    /// True if users can move the column by dragging its header.
    public var isReorderable = true
    /// True if the column is hidden. A hidden column keeps its position among all columns of the ``ColumnList``.
    public var isHidden: Bool
    /// The side at which the column is frozen; `nil` if it scrolls. A hidden column keeps its side.
    ///
    /// In a ``ColumnList``, columns frozen at the left come first, and columns frozen at the right come last.
    public var frozenSide: ColumnSide?
    /// The style that the column adds to its cells. ``StyleLayers`` lists the styles below and above it.
    public var style: CellStyle?
    /// The style of the column's header cell; `nil` means the style of the theme.
    public var headerStyle: CellStyle?
    /// The area of a card that shows the column; `nil` means the area that ``CardBinding`` chooses.
    public var cardSlot: CardSlot?
    /// True if cells of the column are highlighted briefly when their value changes, or when their whole row is highlighted.
    public var highlightsChanges = true
    /// True if a cell shows ▲ or ▼ after its value has risen or fallen, until the value changes again.
    ///
    /// The column reserves room for the mark, so that no text moves.
    public var keepsChangeMarks = false
    /// True if cells of the column contain icons, bars or sparklines. On a card, such a column is assigned to a slot for images.
    public var hasGraphics = false
    /// The symbol next to the column's name in the header.
    public var accessory = Accessory.none
    /// Additional content of the column's header. An icon is shown before the name; other content replaces the type below the name.
    public var headerItem: CellContent? {
        get { if case .item(let content) = storedHeaderItem { content } else { nil } }
        set { storedHeaderItem = newValue.map { .item($0) } ?? .none }
    }
    private var storedHeaderItem = HeaderItem.none

    /// This type is indirect, so that columns without a header item stay small. A table can have millions of columns.
    private indirect enum HeaderItem: Hashable, Sendable {
        case none
        case item(CellContent)
    }

    /// Creates a column with default properties; `valueKey` defaults to the title.
    public init(
        id: ColumnID, title: String, valueKey: String? = nil, kind: ValueKind = .text, notation: DecimalStyle = .point,
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

    /// The width of the content in terminal cells, from the delegate or measured; 0 if it has not been measured.
    var contentWidth: Int { width.followsContent ? delegatedWidth ?? measuredWidth : measuredWidth }

    /// The number of terminal cells that a column with ``keepsChangeMarks`` reserves for the mark: two after left-aligned text (a space and
    /// the mark), otherwise one before the text.
    ///
    /// Returns 0 if a cell of `width` terminal cells is too narrow for text and mark.
    package func widthForChangeMark(_ alignment: CellAlignment, in width: Int = .max) -> Int {
        let room = alignment == .leading ? 2 : 1
        return keepsChangeMarks && width > room + 1 ? room : 0
    }

    /// True if the column's width depends on the width that other columns leave free in the frame.
    func dependsOnSpareWidth(_ metrics: GridMetrics) -> Bool {
        switch width {
        case .fixed, .fraction: false
        case .flexible: true
        case .automatic: contentWidth == 0 && metrics.defaultColumnWidth == nil
        case .standard: delegatedWidth == nil && metrics.defaultColumnWidth == nil
        }
    }

    /// The alignment that is used: ``alignment`` or, if it is `nil`, the default of the type. By default, numbers are right-aligned,
    /// Booleans centered, and other values left-aligned.
    public var effectiveAlignment: CellAlignment {
        if let alignment { return alignment }
        switch kind {
        case .integer, .decimal: return .trailing
        case .flag: return .center
        case .date, .dateTime, .time, .text: return .leading
        }
    }
}
