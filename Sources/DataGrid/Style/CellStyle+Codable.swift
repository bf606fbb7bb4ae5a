// Text forms of styles in theme files: colors as "#rrggbb", traits by name; properties that are not set are omitted.

extension Color: Codable {
    /// Creates a color from its text form `#rrggbb`, or `#rrggbbaa` with alpha. Returns `nil` for any other text.
    public init?(hexText text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), [6, 8].contains(digits.count), digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        if digits.count == 6 { self.init(value) } else { self.init(value >> 8, alpha: UInt8(truncatingIfNeeded: value)) }
    }

    /// The text form of the color: `#rrggbb`, or `#rrggbbaa` if the color is not opaque.
    public var hexText: String {
        let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Decodes a color from its ``hexText``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let color = Color(hexText: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not a color; use #rrggbb or #rrggbbaa")
        }
        self = color
    }

    /// Encodes the color as its ``hexText``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hexText)
    }
}

extension TextTraits: Codable {
    private static let names: [(String, TextTraits)] = [
        ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline), ("reverse", .reverse),
        ("strikethrough", .strikethrough),
    ]

    /// Decodes traits from a list of their names, such as `["bold", "underline"]`.
    public init(from decoder: any Decoder) throws {
        self = []
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let name = try container.decode(String.self)
            guard let trait = Self.names.first(where: { $0.0 == name })?.1 else {
                let known = Self.names.map(\.0).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown value “\(name)”; use \(known)")
            }
            insert(trait)
        }
    }

    /// Encodes the traits as a list of their names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (name, trait) in Self.names where contains(trait) { try container.encode(name) }
    }
}

extension CellStyle: Codable {
    private enum CodingKeys: String, CodingKey { case foreground, background, traits }

    /// Decodes a style. A property that is missing in the data stays unset.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            foreground: try container.decodeIfPresent(Color.self, forKey: .foreground),
            background: try container.decodeIfPresent(Color.self, forKey: .background),
            traits: try container.decodeIfPresent(TextTraits.self, forKey: .traits) ?? [])
    }

    /// Encodes only the properties that are set.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(foreground, forKey: .foreground)
        try container.encodeIfPresent(background, forKey: .background)
        if !traits.isEmpty { try container.encode(traits, forKey: .traits) }
    }
}
