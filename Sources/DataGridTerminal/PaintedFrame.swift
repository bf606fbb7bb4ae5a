import DataGrid
import TerminalSurface

/// The last frame. Unchanged rows, including scrolled ones, and the header are copied from it instead of painted again.
struct PaintedFrame {
    /// Everything that determines the picture of header and rows, except the cursor.
    struct Configuration: Equatable {
        private var state: GridState
        private let frame: TerminalRect
        private let columns: [ColumnSpan]
        private let rowEnd: Int
        private let glyphs: GlyphSet
        private let contents: Int

        init(_ state: GridState, _ layout: GridLayout, frame: TerminalRect, glyphs: GlyphSet, contents: Int) {
            self.state = state
            self.state.resetCursorAndScroll()
            (self.frame, self.glyphs, self.contents) = (frame, glyphs, contents)
            (columns, rowEnd) = (layout.columns, layout.rowEnd)
        }
    }

    /// `nil` if no part of the frame can be copied to a later one.
    private let configuration: Configuration?
    private let cursor: GridCursor
    private var lines: [ItemSpan] { layout.itemSpans }
    let layout: GridLayout
    /// The rectangle of the grid in ``buffer``.
    let frame: TerminalRect
    /// The item at the top of the scrolling pane.
    let top: Int
    /// The number of scrollable items.
    let itemCount: Int
    /// The header and the rows, without strips and marks.
    let buffer: CellBuffer

    init(_ painter: GridPainter, _ configuration: Configuration?, frame: TerminalRect, on buffer: CellBuffer) {
        (self.configuration, layout, cursor, self.buffer) = (configuration, painter.layout, painter.state.cursor, buffer)
        (self.frame, top, itemCount) = (frame, painter.state.scroll.top, painter.state.outline.itemCount)
    }

    /// True if the header has the same picture with this configuration and cursor.
    func canCopyHeader(of configuration: Configuration, cursor: GridCursor, to buffer: CellBuffer) -> Bool {
        cursor.column == self.cursor.column && configuration == self.configuration && buffer.size == self.buffer.size
    }

    func copyHeader(_ height: Int, to buffer: inout CellBuffer) {
        copyLines(at: 0, height, to: 0, of: &buffer)
    }

    /// Copies lines of the frame, counted from its top, across its width.
    func copyLines(at y: Int, _ height: Int = 1, to target: Int, of buffer: inout CellBuffer) {
        let lines = TerminalRect(x: frame.x, y: frame.y + y, width: frame.width, height: height)
        buffer.copy(lines, of: self.buffer, toY: frame.y + target)
    }

    /// Copies unchanged rows.
    /// - Returns: True for each of `lines` that was copied.
    func copyRows(_ new: [ItemSpan], of configuration: Configuration, cursor newCursor: GridItem, to buffer: inout CellBuffer) -> [Bool] {
        var copied = [Bool](repeating: false, count: new.count)
        guard configuration == self.configuration, buffer.size == self.buffer.size else { return copied }
        // Both are sorted by item.
        var old = 0
        for (place, line) in new.enumerated() {
            while old < lines.count, lines[old].index < line.index { old += 1 }
            guard old < lines.count else { break }
            let previous = lines[old]
            guard case .row = line.item, previous.item == line.item, previous.pane == line.pane, previous.isWhole, line.isWhole,
                previous.height == line.height, line.item != cursor.item, line.item != newCursor
            else { continue }
            copyLines(at: previous.y, line.height, to: line.y, of: &buffer)
            copied[place] = true
        }
        return copied
    }
}
