/// The color capabilities of a terminal.
public struct TerminalColors: Hashable, Sendable {
    /// A range of color counts.
    public enum Range: Hashable, Sendable {
        /// No colors, or colors are disabled (`NO_COLOR`).
        case none
        /// 16 or fewer.
        case few
        /// 256 or more.
        case many
    }

    /// The number of colors of the terminal.
    public var range: Range
    /// True if the terminal's background is light.
    public var isLight: Bool

    /// Creates capabilities; the defaults are many colors and a dark background.
    public init(range: Range = .many, isLight: Bool = false) {
        self.range = range
        self.isLight = isLight
    }
}

extension Theme {
    /// The minimum luminance of a light background.
    private static let lightLuminance = 0.35

    /// Returns true if a background of this color is light.
    public static func isLight(_ ground: Color) -> Bool { ground.luminance > lightLuminance }

    /// True if the theme is made for light terminals.
    public var isLight: Bool { ground.background.map(Self.isLight) ?? false }

    /// Returns the preset with this name.
    public static func preset(named name: String) -> Theme? { presets.first { $0.name == name } }

    /// Returns the default preset for a terminal, not yet adapted to it.
    public static func preset(for terminal: TerminalColors) -> Theme {
        terminal.range == .none ? .plain : terminal.isLight ? .light : .dark
    }

    /// Returns the theme adapted to a terminal.
    ///
    /// If the terminal's background does not suit the theme, rows get the theme's own background. Terminals with 16 or 8 colors show subtle
    /// backgrounds as black or not at all. There, selection and matches are also underlined, and rise and fall use the terminal's green and
    /// red.
    public func fitted(to terminal: TerminalColors) -> Theme {
        var theme = self
        if isLight != terminal.isLight, ground.background != nil { theme.row = ground.applying(row) }
        return terminal.range == .many ? theme : theme.fittedToFewColors()
    }

    /// Returns the theme adapted to 16 or 8 colors, which show subtle backgrounds as black or not at all. Selection and matches are also
    /// underlined; rise and fall use the terminal's green and red, and changed rows and values its yellow.
    private func fittedToFewColors() -> Theme {
        var theme = self
        theme.selection.traits.insert(.underline)
        theme.match.traits.formUnion([.underline, .bold])
        if rise.foreground != nil, fall.foreground != nil {
            // These colors stay readable while they fade; green text is not readable on a light background.
            (theme.rise, theme.fall) =
                isLight
                ? (CellStyle(foreground: Color(0x000000), background: Color(0x00cd00)), CellStyle(foreground: Color(0xcd0000)))
                : (CellStyle(foreground: Color(0x00ff00)), CellStyle(foreground: Color(0xff0000)))
            // Red is too dark for the maximum contrast.
            if self == .contrast { theme.fall.foreground = Color(0xffff00) }
        }
        // Reverse video keeps text readable on dark terminals while the yellow fades to the color of text.
        if updatedRow.background != nil {
            theme.updatedRow =
                isLight
                ? CellStyle(foreground: Color(0x000000), background: Color(0xcdcd00))
                : CellStyle(foreground: Color(0xffff00), traits: .reverse)
            theme.update = theme.updatedRow
        }
        return theme
    }
}
