/// The content of one grid cell.
public struct CellContent: Hashable, Sendable {
    /// The state of a value, such as missing or null, which determines how the cell looks.
    public enum Condition: UInt8, Hashable, Sendable {
        /// The value is neither missing nor null, and its text is valid.
        case value
        /// The row does not have this cell. It is shown differently from a cell with empty text.
        case missing
        /// The value is null. Only formats that distinguish null from missing and empty cells have such values.
        case null
        /// The text is not a valid value of the column's type.
        case unreadable
        /// The value is not known yet, for example because it is being fetched.
        case pending
    }

    /// The item to draw. By default, it is ``text``.
    public var item: CellItem
    /// The text to copy and search. It is also drawn, unless ``item`` specifies something else. The source may truncate text that is too
    /// long for a screen.
    public var text: String
    /// The state of the value: ordinary, missing, null, unreadable or pending.
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

    /// True if the cell draws its text, and not another item.
    public var isText: Bool {
        if case .text = item { return true }
        return false
    }

    /// The content of a cell that its row does not have.
    public static let missing = CellContent("", condition: .missing)

    /// The content of a cell whose value is null. It is drawn as a dim `null` in a row of a table, and empty on a card or in a tile.
    public static let null = CellContent("", condition: .null)

    /// The content of a cell whose value is not known yet.
    public static let pending = CellContent("", condition: .pending)
}
