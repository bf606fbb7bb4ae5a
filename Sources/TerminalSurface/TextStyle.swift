/// A colour of a terminal cell: the terminal's own default, or red, green and blue.
public struct TerminalColor: Hashable, Sendable {
    /// 0 is the default; otherwise `0x01RRGGBB`.
    public let rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The terminal's own foreground or background.
    public static let terminalDefault = TerminalColor(rawValue: 0)

    @inlinable
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        rawValue = 0x0100_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    public var isDefault: Bool { rawValue == 0 }
    public var red: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }
    public var green: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    public var blue: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

/// Attributes of a terminal cell beside its colours.
public struct TextAttributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = TextAttributes(rawValue: 1)
    public static let dim = TextAttributes(rawValue: 2)
    public static let italic = TextAttributes(rawValue: 4)
    public static let underline = TextAttributes(rawValue: 8)
    public static let reverse = TextAttributes(rawValue: 16)
    public static let strikethrough = TextAttributes(rawValue: 32)
}

/// How a terminal cell looks.
public struct TextStyle: Hashable, Sendable {
    public var foreground: TerminalColor
    public var background: TerminalColor
    public var attributes: TextAttributes

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
