/// What a data source says about one grid cell.
public struct CellContent: Hashable, Sendable {
    /// What there is about the text.
    public enum Condition: UInt8, Hashable, Sendable {
        /// A value like any other.
        case value
        /// The row has no such cell, which is not the same as an empty one.
        case missing
        /// The text cannot be read as the type of its column.
        case unreadable
    }

    /// What to show: the text, unless said otherwise.
    public var item: CellItem
    /// The text to show or, where the item is none, what is copied and searched in its place. A source of long text gives its beginning: no more than a screen can show is asked for.
    public var text: String
    /// Whether the text is to be trusted, and whether there is any.
    public var condition: Condition

    /// What kind of cell it is, by a name whose looks the theme has (``Theme/classes``); `nil`: one like any other.
    public var styleClass: String?

    /// A cell that shows `text`.
    public init(_ text: String, condition: Condition = .value, styleClass: String? = nil) {
        self.text = text
        item = .text
        self.condition = condition
        self.styleClass = styleClass
    }

    /// A cell that shows `item`.
    /// - Parameters:
    ///   - item: what is drawn.
    ///   - text: what is copied and searched; ``CellItem/plainText`` unless given.
    ///   - condition: what there is to say about the value.
    ///   - styleClass: the class of the theme whose style it has.
    public init(_ item: CellItem, text: String? = nil, condition: Condition = .value, styleClass: String? = nil) {
        self.text = text ?? item.plainText
        self.item = item
        self.condition = condition
        self.styleClass = styleClass
    }

    /// Whether it shows its text.
    public var isText: Bool {
        if case .text = item { return true }
        return false
    }

    /// What a row answers for columns it does not reach.
    public static let missing = CellContent("", condition: .missing)
}
