/// A color of a terminal cell: the terminal's default, or red, green and blue.
public struct TerminalColor: Hashable, Sendable {
    /// 0 for the terminal's default color; otherwise `0x01RRGGBB`.
    public let rawValue: UInt32

    /// Creates a color from its ``rawValue``.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The terminal's default foreground or background.
    public static let terminalDefault = TerminalColor(rawValue: 0)

    /// Creates a color from its components.
    @inlinable
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        rawValue = 0x0100_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// True if the color is the terminal's default.
    public var isDefault: Bool { rawValue == 0 }
    /// Red, 0…255; 0 for the terminal's default.
    public var red: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }
    /// Green, 0…255; 0 for the terminal's default.
    public var green: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    /// Blue, 0…255; 0 for the terminal's default.
    public var blue: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    /// The relative luminance in `0 ... 1` (WCAG 2.1); 0 for the terminal's default.
    var luminance: Double {
        func linear(_ value: UInt8) -> Double {
            // This polynomial approximates ((c + 0.055) / 1.055) ^ 2.4 with an error below 0.002. `pow` would need Foundation.
            let c = Double(value) / 255
            return c <= 0.04045 ? c / 12.92 : c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}

/// Attributes of a terminal cell in addition to its colors.
public struct TextAttributes: OptionSet, Hashable, Sendable {
    /// The attributes as bits.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bold.
    public static let bold = TextAttributes(rawValue: 1)
    /// Faint.
    public static let dim = TextAttributes(rawValue: 2)
    /// Slanted; some terminals show it differently.
    public static let italic = TextAttributes(rawValue: 4)
    /// Underlined.
    public static let underline = TextAttributes(rawValue: 8)
    /// Exchanged foreground and background; supported by every terminal.
    public static let reverse = TextAttributes(rawValue: 16)
    /// Struck through; not supported by every terminal.
    public static let strikethrough = TextAttributes(rawValue: 32)
}

/// The style of a terminal cell.
public struct TextStyle: Hashable, Sendable {
    /// The color of the text.
    public var foreground: TerminalColor
    /// The color of the background.
    public var background: TerminalColor
    /// The attributes, such as bold.
    public var attributes: TextAttributes

    /// Creates a style; the defaults are the terminal's colors and no attributes.
    @inlinable
    public init(
        foreground: TerminalColor = .init(rawValue: 0), background: TerminalColor = .init(rawValue: 0), attributes: TextAttributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's default colors without attributes.
    public static let plain = TextStyle()
}
