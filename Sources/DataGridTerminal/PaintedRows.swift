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
    /// Where the grid stands on ``buffer``.
    private let rect: TerminalRect
    private let buffer: CellBuffer

    /// Keeps what was just painted.
    init(_ painter: GridPainter, _ look: Look, _ rect: TerminalRect, on buffer: CellBuffer) {
        (self.look, lines, cursor) = (look, painter.layout.lines, painter.state.cursor.item)
        (self.rect, self.buffer) = (rect, buffer)
    }

    /// Copies the rows that look as they did.
    /// - Returns: which of `lines` were copied.
    func copy(_ new: [LineSpan], _ look: Look, cursor newCursor: GridItem, to buffer: inout CellBuffer) -> [Bool] {
        var copied = [Bool](repeating: false, count: new.count)
        guard look == self.look, buffer.size == self.buffer.size else { return copied }
        // Both are in the order of their items.
        var old = 0
        for (place, line) in new.enumerated() {
            while old < lines.count, lines[old].index < line.index { old += 1 }
            guard old < lines.count else { break }
            let former = lines[old]
            guard case .row = line.item, former.item == line.item, former.pane == line.pane, former.isWhole, line.isWhole,
                former.height == line.height, line.item != cursor, line.item != newCursor
            else { continue }
            let rows = TerminalRect(x: rect.x, y: rect.y + former.y, width: rect.width, height: line.height)
            buffer.copy(rows, of: self.buffer, toY: rect.y + line.y)
            copied[place] = true
        }
        return copied
    }
}
