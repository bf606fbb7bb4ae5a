/// What a theme has to make do with.
public struct TerminalColors: Hashable, Sendable {
    /// How many colours there are.
    public enum Range: Hashable, Sendable {
        /// None, or none are wanted (`NO_COLOR`).
        case none
        /// 16 or fewer.
        case few
        /// 256 and more.
        case many
    }

    /// How many colours the terminal has.
    public var range: Range
    /// Whether its own ground is light.
    public var isLight: Bool

    /// Many colours on a dark ground, unless told otherwise.
    public init(range: Range = .many, isLight: Bool = false) {
        self.range = range
        self.isLight = isLight
    }
}

extension Theme {
    /// Above this luminance a ground is light.
    private static let lightLuminance = 0.35

    /// Whether a ground of this colour is light.
    public static func isLight(_ ground: Color) -> Bool { ground.luminance > lightLuminance }

    /// Whether the theme is made for light terminals.
    public var isLight: Bool { ground.background.map(Self.isLight) ?? false }

    /// The preset of this name.
    public static func preset(named name: String) -> Theme? { presets.first { $0.name == name } }

    /// The preset for a terminal whose user has chosen none; not yet fitted to it.
    public static func preset(for terminal: TerminalColors) -> Theme {
        terminal.range == .none ? .plain : terminal.isLight ? .light : .dark
    }

    /// The theme as it can be shown on a terminal.
    public func fitted(to terminal: TerminalColors) -> Theme {
        let theme = fitted(toLightTerminal: terminal.isLight)
        return terminal.range == .many ? theme : theme.fittedToFewColors()
    }

    /// The theme for a terminal whose own ground is light or dark: with a ground of its own where the terminal's would not suit it.
    public func fitted(toLightTerminal isLightTerminal: Bool) -> Theme {
        guard isLight != isLightTerminal, ground.background != nil else { return self }
        var theme = self
        theme.row = ground.with(row)
        return theme
    }

    /// The theme for a terminal of 16 colours or 8, which shows its quiet grounds as black or not at all: what is selected and found is
    /// underlined too, and what has risen or fallen has the terminal's own green or red.
    public func fittedToFewColors() -> Theme {
        var theme = self
        theme.selection.traits.insert(.underline)
        theme.match.traits.formUnion([.underline, .bold])
        if rise.foreground != nil, fall.foreground != nil {
            // What can be read on the ground at every step of fading; green text cannot on a light one.
            (theme.rise, theme.fall) =
                isLight
                ? (CellStyle(foreground: Color(0x000000), background: Color(0x00cd00)), CellStyle(foreground: Color(0xcd0000)))
                : (CellStyle(foreground: Color(0x00ff00)), CellStyle(foreground: Color(0xff0000)))
        }
        return theme
    }
}
