/// A screen of terminal cells in row-major order, for painters to draw on.
///
/// Wide characters are always complete: a cell of width 2 is left of a cell of width 0 with the same style, and neither occurs elsewhere.
/// Overwriting one half replaces the other with a blank.
public struct CellBuffer: Hashable, Sendable {
    /// The number of columns and rows, 0 or more.
    public let size: TerminalSize
    /// The cells, row after row.
    public internal(set) var cells: [Cell]

    /// Creates a screen of spaces; negative sides of `size` are treated as 0.
    public init(size: TerminalSize, style: TextStyle = .plain) {
        self.size = TerminalSize(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: Cell(scalar: 0x20, style: style), count: self.size.columns * self.size.rows)
    }

    /// The cell at column `x` and row `y`; both are 0-based and must be inside the buffer.
    ///
    /// Setting a cell of width 2 also sets its right half. In the last column, which has no room for the right half, a blank is set
    /// instead. Setting a cell of width 0 does not change the right half of a wide character; at any other place, it sets a blank. A scalar
    /// that is unsafe or has another width than specified becomes U+FFFD.
    public subscript(x: Int, y: Int) -> Cell {
        get {
            precondition(0..<size.columns ~= x && 0..<size.rows ~= y, "position outside the buffer")
            return cells[y * size.columns + x]
        }
        set {
            precondition(0..<size.columns ~= x && 0..<size.rows ~= y, "position outside the buffer")
            let index = y * size.columns + x
            let old = cells[index]
            var newValue = newValue
            if newValue.width > 0, DisplayWidth.of(scalarValue: newValue.scalar) != newValue.width {
                newValue = Cell(scalar: CellScanner.replacement, style: newValue.style)
            }
            if old.width == 1 && newValue.width == 1 {
                cells[index] = newValue
                return
            }
            if newValue.width == 0 && old.width == 0 { return }
            let isWide = newValue.width == 2 && x + 1 < size.columns
            clearWideCharacter(crossing: x, y: y)
            clearWideCharacter(crossing: isWide ? x + 2 : x + 1, y: y)
            if isWide {
                cells[index] = newValue
                cells[index + 1] = Cell(scalar: 0, style: newValue.style, width: 0)
            } else {
                cells[index] = newValue.width == 1 ? newValue : Cell(scalar: 0x20, style: newValue.style)
            }
        }
    }

    /// If a wide character crosses the boundary left of column `x`, replaces both its halves with blanks, so that either side can be
    /// overwritten.
    mutating func clearWideCharacter(crossing x: Int, y: Int) {
        guard x > 0, x < size.columns else { return }
        let index = y * size.columns + x
        guard cells[index].width == 0 else { return }
        cells[index] = Cell(scalar: 0x20, style: cells[index].style)
        cells[index - 1] = Cell(scalar: 0x20, style: cells[index - 1].style)
    }

    func clipped(_ rect: TerminalRect) -> (columns: Range<Int>, rows: Range<Int>) {
        func clip(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
            let low = min(max(start, 0), limit)
            let (end, overflow) = start.addingReportingOverflow(max(0, length))
            return low..<(overflow ? limit : min(max(end, low), limit))
        }
        return (clip(rect.x, rect.width, size.columns), clip(rect.y, rect.height, size.rows))
    }
}
