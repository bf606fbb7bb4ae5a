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
