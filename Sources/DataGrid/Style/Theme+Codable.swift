import FieldValues

// A theme file names a preset as its base, and sets the parts that differ from the preset:
//
//     { "name": "mine", "base": "dark", "cursor": { "background": "#ff8700" },
//       "classes": { "late": { "normal": { "foreground": "#ff5f5f" } } } }

extension Theme: Codable {
    private static let codedNames = ["name", "base", "ground", "classes"] + ThemePart.allCases.map(\.rawValue)

    /// Decodes a theme. The value `base` names a preset from which all other parts are taken, by default the dark preset.
    /// - Throws: `DecodingError` for an unknown preset or an unknown part. For a part, the message suggests the most similar name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        let base = try container.decodeIfPresent(String.self, forKey: "base") ?? Theme.dark.name
        guard let preset = Theme.preset(named: base) else {
            let known = Theme.presets.map(\.name).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: "base", in: container, debugDescription: "unknown base theme “\(base)”; use \(known)")
        }
        self = preset
        name = try container.decode(String.self, forKey: "name")
        ground = try container.decodeIfPresent(CellStyle.self, forKey: "ground") ?? ground
        classes = try container.decodeIfPresent([String: ThemeClass].self, forKey: "classes") ?? classes
        for key in container.allKeys where !Self.codedNames.contains(key.stringValue) {
            let suggestion = Suggestions.closest(key.stringValue, Self.codedNames).map { " (did you mean “\($0)”?)" } ?? ""
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "unknown name “\(key.stringValue)”\(suggestion)")
        }
        for part in ThemePart.allCases {
            self[part] = try container.decodeIfPresent(CellStyle.self, forKey: AnyCodingKey(stringValue: part.rawValue)) ?? self[part]
        }
    }

    /// Encodes all parts of the theme, so that decoding does not depend on a preset.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(name, forKey: "name")
        try container.encode(ground, forKey: "ground")
        try container.encode(classes, forKey: "classes")
        for part in ThemePart.allCases { try container.encode(self[part], forKey: AnyCodingKey(stringValue: part.rawValue)) }
    }
}
