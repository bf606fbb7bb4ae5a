/// A colour of a terminal cell: the terminal's own default, or red, green and blue.
public struct TerminalColor: Hashable, Sendable {
    /// 0 is the default; otherwise `0x01RRGGBB`.
    public let rawValue: UInt32

    /// A colour by its number, as ``rawValue`` has it.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The terminal's own foreground or background.
    public static let terminalDefault = TerminalColor(rawValue: 0)

    /// A colour by its primaries.
    @inlinable
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        rawValue = 0x0100_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// Whether it is the terminal's own.
    public var isDefault: Bool { rawValue == 0 }
    /// 0…255; 0 for the terminal's own colour.
    public var red: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }
    /// 0…255; 0 for the terminal's own colour.
    public var green: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    /// 0…255; 0 for the terminal's own colour.
    public var blue: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

/// Attributes of a terminal cell beside its colours.
public struct TextAttributes: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public let rawValue: UInt8
    /// A set by its bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Strong.
    public static let bold = TextAttributes(rawValue: 1)
    /// Faint.
    public static let dim = TextAttributes(rawValue: 2)
    /// Slanted; some terminals show it otherwise.
    public static let italic = TextAttributes(rawValue: 4)
    /// With a line below.
    public static let underline = TextAttributes(rawValue: 8)
    /// Foreground and background exchanged: the one emphasis that every terminal has.
    public static let reverse = TextAttributes(rawValue: 16)
    /// With a line through it; not everywhere.
    public static let strikethrough = TextAttributes(rawValue: 32)
}

/// How a terminal cell looks.
public struct TextStyle: Hashable, Sendable {
    /// The colour of the text.
    public var foreground: TerminalColor
    /// The colour beneath it.
    public var background: TerminalColor
    /// All else.
    public var attributes: TextAttributes

    /// A style; what is not said is the terminal's own.
    @inlinable
    public init(
        foreground: TerminalColor = .init(rawValue: 0), background: TerminalColor = .init(rawValue: 0), attributes: TextAttributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours, no attributes.
    public static let plain = TextStyle()
}
