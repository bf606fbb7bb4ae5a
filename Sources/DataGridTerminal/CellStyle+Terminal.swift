public import DataGrid
public import TerminalSurface

extension CellStyle {
    /// The style for a terminal. Unset colors become the default colors of the terminal.
    public var textStyle: TextStyle {
        TextStyle(
            foreground: foreground.map { TerminalColor(red: $0.red, green: $0.green, blue: $0.blue) } ?? .terminalDefault,
            background: background.map { TerminalColor(red: $0.red, green: $0.green, blue: $0.blue) } ?? .terminalDefault,
            attributes: TextAttributes(rawValue: traits.rawValue))
    }

    /// Converts the style of a terminal cell. Default colors of the terminal become unset colors.
    init(_ style: TextStyle) {
        func color(_ color: TerminalColor) -> Color? {
            color.isDefault ? nil : Color(red: color.red, green: color.green, blue: color.blue)
        }
        self.init(
            foreground: color(style.foreground), background: color(style.background),
            traits: TextTraits(rawValue: style.attributes.rawValue))
    }
}

extension TerminalColors.Depth {
    /// Converts a color depth to the number of colors of a terminal.
    public init(_ depth: ColorDepth) { self = depth == .none ? .none : depth < .indexed256 ? .few : .many }
}

extension Theme {
    /// True if `background`, the background color reported by a terminal, is light.
    public static func isLight(_ background: TerminalColor) -> Bool {
        isLight(Color(red: background.red, green: background.green, blue: background.blue))
    }
}
