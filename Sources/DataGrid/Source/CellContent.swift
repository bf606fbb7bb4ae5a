/// The content of one grid cell.
public struct CellContent: Hashable, Sendable {
    /// The condition of a value, such as missing or null.
    public enum Condition: UInt8, Hashable, Sendable {
        /// An ordinary value.
        case value
        /// The row does not have this cell; a missing cell differs from an empty one.
        case missing
        /// The value is null, in a format that distinguishes null from missing and empty cells.
        case null
        /// The text does not parse as the type of its column.
        case unreadable
        /// The value is not known yet, for example because it is being fetched.
        case pending
    }

    /// The item to show, by default ``text``.
    public var item: CellItem
    /// The text to copy and search. It is also the text to show, unless ``item`` is another item. A source can truncate text that is too
    /// long for a screen.
    public var text: String
    /// The condition of the value: ordinary, missing, null, unreadable or pending.
    public var condition: Condition

    /// The name of the cell's style class in the theme (``Theme/classes``); `nil` means no class.
    public var styleClass: String?

    /// Creates a cell that shows `text`.
    public init(_ text: String, condition: Condition = .value, styleClass: String? = nil) {
        self.text = text
        item = .text
        self.condition = condition
        self.styleClass = styleClass
    }

    /// Creates a cell that shows `item`.
    /// - Parameters:
    ///   - item: the item to draw.
    ///   - text: the text to copy and search; ``CellItem/plainText`` by default.
    ///   - condition: the condition of the value.
    ///   - styleClass: the name of the style class in the theme.
    public init(_ item: CellItem, text: String? = nil, condition: Condition = .value, styleClass: String? = nil) {
        self.text = text ?? item.plainText
        self.item = item
        self.condition = condition
        self.styleClass = styleClass
    }

    /// True if the cell shows its text.
    public var isText: Bool {
        if case .text = item { return true }
        return false
    }

    /// The content of cells beyond the end of a row.
    public static let missing = CellContent("", condition: .missing)

    /// The content of cells that are null: a dim `null` in a row, and nothing on a card or in a tile.
    public static let null = CellContent("", condition: .null)

    /// The content of cells whose values are not known yet.
    public static let pending = CellContent("", condition: .pending)
}
