/// A screen of terminal cells, row-major; what painters draw on.
///
/// Wide characters are whole at all times: a cell of width 2 stands left of one of width 0 that has its style, and neither is anywhere
/// else. Whatever overwrites one half leaves a blank in the place of the other.
public struct CellBuffer: Hashable, Sendable {
    /// Columns and rows, 0 or more.
    public let size: TerminalSize
    /// The cells, row after row.
    public internal(set) var cells: [Cell]

    /// A screen of blanks; negative lengths count as 0.
    public init(size: TerminalSize, style: TextStyle = .plain) {
        self.size = TerminalSize(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: Cell(scalar: 0x20, style: style), count: self.size.columns * self.size.rows)
    }

    /// The cell at column `x` and row `y`; both 0-based and inside the buffer.
    ///
    /// Setting a cell of width 2 sets its right half too, and a blank in the last column, where there is no room for it; setting one of
    /// width 0 leaves the right half of a wide character as it is and is a blank elsewhere. A scalar that does not take the width that is
    /// said, or that no terminal may get, becomes U+FFFD.
    public subscript(x: Int, y: Int) -> Cell {
        get {
            precondition(0..<size.columns ~= x && 0..<size.rows ~= y, "outside the buffer")
            return cells[y * size.columns + x]
        }
        set {
            precondition(0..<size.columns ~= x && 0..<size.rows ~= y, "outside the buffer")
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
            separate(x: x, y: y)
            separate(x: isWide ? x + 2 : x + 1, y: y)
            if isWide {
                cells[index] = newValue
                cells[index + 1] = Cell(scalar: 0, style: newValue.style, width: 0)
            } else {
                cells[index] = newValue.width == 1 ? newValue : Cell(scalar: 0x20, style: newValue.style)
            }
        }
    }

    /// Makes blanks of both halves of a wide character that would stand on both sides of the left edge of column `x`.
    mutating func separate(x: Int, y: Int) {
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
