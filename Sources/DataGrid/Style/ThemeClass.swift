/// How a class of rows or cells looks: layers over what is beneath them (``StyleLayers``).
public struct ThemeClass: Hashable, Sendable, Codable {
    /// Anywhere.
    public var normal: CellStyle
    /// Over the tint of the selection besides, where it is selected.
    public var selected: CellStyle

    /// A class of these looks.
    public init(normal: CellStyle = .none, selected: CellStyle = .none) {
        self.normal = normal
        self.selected = selected
    }

    /// Reads what is set; the rest changes nothing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            normal: try container.decodeIfPresent(CellStyle.self, forKey: .normal) ?? .none,
            selected: try container.decodeIfPresent(CellStyle.self, forKey: .selected) ?? .none)
    }
}
