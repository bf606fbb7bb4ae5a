import DataGrid
import TerminalSurface

/// The rows of the last frame: one that only scrolls, or stays, is copied and not painted again.
struct PaintedRows {
    /// What rows look like follows from this, but for the cursor's row.
    struct Look: Equatable {
        private var state: GridState
        private let frame: TerminalRect
        private let columns: [ColumnSpan]
        private let rowEnd: Int
        private let glyphs: GlyphSet
        /// Counts the times that content was forgotten.
        private let contents: Int

        init(_ state: GridState, _ layout: GridLayout, frame: TerminalRect, glyphs: GlyphSet, contents: Int) {
            self.state = state
            self.state.leaveOutPlace()
            (self.frame, self.glyphs, self.contents) = (frame, glyphs, contents)
            (columns, rowEnd) = (layout.columns, layout.rowEnd)
        }
    }

    private let look: Look
    private let cursor: GridItem
    private let lines: [LineSpan]
    /// The cells of ``lines``, one line after the other.
    private let cells: [Cell]
    private let width: Int

    /// Keeps what was just painted.
    init(_ painter: GridPainter, _ look: Look, _ rect: TerminalRect, on buffer: borrowing CellBuffer) {
        (self.look, lines, cursor) = (look, painter.layout.lines, painter.state.cursor.item)
        width = rect.width
        cells = lines.flatMap { line in
            buffer.cells(TerminalRect(x: rect.x, y: rect.y + line.y, width: rect.width, height: line.height))
        }
    }

    /// Copies the rows that look as they did.
    /// - Returns: which of `lines` were copied.
    func copy(_ new: [LineSpan], _ look: Look, cursor newCursor: GridItem, to rect: TerminalRect, on buffer: inout CellBuffer) -> [Bool] {
        var copied = [Bool](repeating: false, count: new.count)
        guard look == self.look else { return copied }
        // Both are in the order of their items.
        var (old, start) = (0, 0)
        for (place, line) in new.enumerated() {
            while old < lines.count, lines[old].index < line.index {
                start += lines[old].height * width
                old += 1
            }
            guard old < lines.count else { break }
            let former = lines[old]
            guard case .row = line.item, former.item == line.item, former.pane == line.pane, former.isWhole, line.isWhole,
                former.height == line.height, line.item != cursor, line.item != newCursor
            else { continue }
            buffer.put(cells[start..<start + line.height * width], x: rect.x, y: rect.y + line.y, width: width)
            copied[place] = true
        }
        return copied
    }
}
