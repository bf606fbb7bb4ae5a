/// The appearance of a class of rows or cells, as layers (``StyleLayers``).
public struct ThemeClass: Hashable, Sendable, Codable {
    /// The layer in all states.
    public var normal: CellStyle
    /// The additional layer of selected cells, over the selection tint.
    public var selected: CellStyle

    /// Creates a class with these styles.
    public init(normal: CellStyle = .none, selected: CellStyle = .none) {
        self.normal = normal
        self.selected = selected
    }

    /// Decodes the styles that are present; the others have no effect.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            normal: try container.decodeIfPresent(CellStyle.self, forKey: .normal) ?? .none,
            selected: try container.decodeIfPresent(CellStyle.self, forKey: .selected) ?? .none)
    }
}
