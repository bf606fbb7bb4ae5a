/// The styles of a class of rows or cells in a theme. A data source names the class of a row or cell.
public struct ThemeClass: Hashable, Sendable, Codable {
    /// The style of cells of the class, selected or not.
    public var normal: CellStyle
    /// The style that is drawn over the selection style in selected cells.
    public var selected: CellStyle

    /// Creates a class with these styles; by default, they change nothing.
    public init(normal: CellStyle = .none, selected: CellStyle = .none) {
        self.normal = normal
        self.selected = selected
    }

    /// Decodes a class. A style that is not present changes nothing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            normal: try container.decodeIfPresent(CellStyle.self, forKey: .normal) ?? .none,
            selected: try container.decodeIfPresent(CellStyle.self, forKey: .selected) ?? .none)
    }
}
