/// The color capabilities of a terminal.
public struct TerminalColors: Hashable, Sendable {
    /// The approximate number of colors that a terminal shows.
    public enum Depth: Hashable, Sendable {
        /// No colors, because the terminal shows none or colors are disabled (`NO_COLOR`).
        case none
        /// 16 colors or fewer.
        case few
        /// 256 colors or more.
        case many
    }

    /// The number of colors that the terminal shows.
    public var depth: Depth
    /// True if the terminal's background is light.
    public var isLight: Bool

    /// Creates color capabilities. The defaults are 256 colors or more and a dark background.
    public init(depth: Depth = .many, isLight: Bool = false) {
        self.depth = depth
        self.isLight = isLight
    }
}

extension Theme {
    /// The luminance above which a background counts as light.
    private static let lightLuminance = 0.35

    /// Returns true if a background of this color is light.
    public static func isLight(_ background: Color) -> Bool { background.luminance > lightLuminance }

    /// True if the theme is made for terminals with a light background.
    public var isLight: Bool { ground.background.map(Self.isLight) ?? false }

    /// Returns the preset with this name; `nil` if there is no such preset.
    public static func preset(named name: String) -> Theme? { presets.first { $0.name == name } }

    /// Returns the preset that suits a terminal best. Adapt it with ``fitted(to:)``.
    public static func preset(for terminal: TerminalColors) -> Theme {
        terminal.depth == .none ? .plain : terminal.isLight ? .light : .dark
    }

    /// Returns the theme adapted to a terminal.
    ///
    /// If the terminal's background does not suit the theme, rows get the theme's own background. Terminals with 16 or 8 colors show
    /// subtle backgrounds as black or not at all. On such terminals, selected cells and search matches are also underlined, and risen and
    /// fallen values are green and red.
    public func fitted(to terminal: TerminalColors) -> Theme {
        var theme = self
        if isLight != terminal.isLight, ground.background != nil { theme.row = ground.applying(row) }
        return terminal.depth == .many ? theme : theme.fittedToFewColors()
    }

    /// Returns the theme adapted to 16 or 8 colors, which show subtle backgrounds as black or not at all. Selected cells and search
    /// matches are also underlined. Risen and fallen values are green and red, and other changes yellow.
    private func fittedToFewColors() -> Theme {
        var theme = self
        theme.selection.traits.insert(.underline)
        theme.match.traits.formUnion([.underline, .bold])
        if rise.foreground != nil, fall.foreground != nil {
            // Choose colors that stay readable while they fade. On a light background, green text would not be readable, so the
            // background is green.
            (theme.rise, theme.fall) =
                isLight
                ? (CellStyle(foreground: Color(0x000000), background: Color(0x00cd00)), CellStyle(foreground: Color(0xcd0000)))
                : (CellStyle(foreground: Color(0x00ff00)), CellStyle(foreground: Color(0xff0000)))
            // In the preset with maximum contrast, use yellow, because red is too dark.
            if self == .contrast { theme.fall.foreground = Color(0xffff00) }
        }
        // On dark terminals, use reverse video. The yellow background then fades to the color of text, and the text over it stays readable.
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
