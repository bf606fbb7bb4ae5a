public import DataGrid
public import TerminalSurface

/// A key and its effect, for a line of hints below a grid.
public struct KeyHint: Hashable, Sendable {
    /// The key or keys, such as `Alt-↑↓`. If empty, only ``label`` is drawn.
    public var keys: String
    /// The effect of the key, in one or two words.
    public var label: String

    /// Creates a hint.
    public init(_ keys: String, _ label: String) { (self.keys, self.label) = (keys, label) }

    /// The width in terminal cells, with the space between key and label.
    var width: Int { DisplayWidth.of(keys) + (keys.isEmpty ? 0 : 1) + DisplayWidth.of(label) }
}

extension CellBuffer {
    /// Writes the hints that fit completely before `end` on a line, two spaces apart. Keys have the style `Theme.hintKey`.
    /// - Parameters:
    ///   - end: the terminal cell before which the hints end; by default, the width of the buffer.
    ///   - background: the style below the style of the hints.
    /// - Returns: the terminal cell after the last hint.
    @discardableResult
    public mutating func write(
        _ hints: [KeyHint], x: Int = 1, y: Int, end: Int? = nil, theme: Theme, over background: CellStyle = .none
    ) -> Int {
        var x = x
        let end = end ?? size.columns
        for hint in hints where x + hint.width <= end {
            if !hint.keys.isEmpty { x += write(hint.keys, x: x, y: y, style: background.applying(theme.hintKey).textStyle) + 1 }
            x += write(hint.label, x: x, y: y, style: background.applying(theme.hint).textStyle) + 2
        }
        return x
    }
}
