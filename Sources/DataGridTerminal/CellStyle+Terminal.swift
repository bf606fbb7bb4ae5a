public import DataGrid
public import TerminalSurface

extension CellStyle {
    /// The style in the terminal's terms; colours left open are the terminal's own.
    public var textStyle: TextStyle {
        TextStyle(
            foreground: foreground.map { TerminalColor(red: $0.red, green: $0.green, blue: $0.blue) } ?? .terminalDefault,
            background: background.map { TerminalColor(red: $0.red, green: $0.green, blue: $0.blue) } ?? .terminalDefault,
            attributes: TextAttributes(rawValue: traits.rawValue))
    }
}

extension TerminalColors.Range {
    /// How many colours a terminal of this depth has.
    public init(_ depth: ColorDepth) { self = depth == .none ? .none : depth < .indexed256 ? .few : .many }
}

extension Theme {
    /// Whether a ground of this colour, as a terminal tells it, is light.
    public static func isLight(_ ground: TerminalColor) -> Bool { isLight(Color(red: ground.red, green: ground.green, blue: ground.blue)) }
}
