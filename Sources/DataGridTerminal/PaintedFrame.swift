import DataGrid
import TerminalSurface

/// The last drawn frame. The next frame copies the header and the unchanged rows of this frame, including scrolled rows, instead of
/// painting them again.
///
/// A row is unchanged if its content, its styles and the brightness of its highlights have not changed.
struct PaintedFrame {
    /// Everything that determines the look of the header and the rows, except the cursor.
    struct Configuration: Equatable {
        private var state: GridState
        private let frame: TerminalRect
        private let columns: [ColumnSpan]
        private let rowEnd: Int
        private let glyphs: GlyphSet
        private let fullChangeCount: Int
        private let drawnParts: GridPart.Kinds
        private let hasCorner: Bool
        /// The delegate's styles of columns and of the rules between them.
        private let columnStyles: [CellStyle?]

        init(
            _ state: GridState, _ layout: GridLayout, _ styles: FrameStyles, frame: TerminalRect, glyphs: GlyphSet, fullChangeCount: Int,
            drawnParts: GridPart.Kinds, hasCorner: Bool
        ) {
            self.state = state
            self.state.resetCursorAndScroll()
            (self.frame, self.glyphs, self.fullChangeCount) = (frame, glyphs, fullChangeCount)
            (self.drawnParts, self.hasCorner) = (drawnParts, hasCorner)
            columnStyles = styles.columnStyles + styles.rules.map(\.style)
            (columns, rowEnd) = (layout.columns, layout.rowEnd)
        }
    }

    /// The configuration of the frame; `nil` if no part of the frame can be copied to a later frame.
    private let configuration: Configuration?
    private let cursor: GridCursor
    private var itemSpans: [ItemSpan] { layout.itemSpans }
    let layout: GridLayout
    /// The brightness levels of the highlights in each item span of the layout.
    private let highlightLevels: [[Int]]
    /// The rectangle of the grid in ``buffer``.
    let frame: TerminalRect
    /// The index of the item at the top of the scrolling pane.
    let top: Int
    /// The number of scrollable items.
    let itemCount: Int
    /// The header and the rows, without strips and marks.
    let buffer: CellBuffer

    init(_ painter: GridPainter, _ configuration: Configuration?, levels: [[Int]], frame: TerminalRect, on buffer: CellBuffer) {
        (self.configuration, layout, cursor, self.buffer) = (configuration, painter.layout, painter.state.cursor, buffer)
        (self.highlightLevels, self.frame) = (levels, frame)
        (top, itemCount) = (painter.state.scroll.top, painter.state.outline.itemCount)
    }

    /// True if the header of a new frame with this configuration and cursor looks like the header of this frame.
    func canCopyHeader(of configuration: Configuration, cursor: GridCursor, to buffer: CellBuffer) -> Bool {
        cursor.column == self.cursor.column && configuration == self.configuration && buffer.size == self.buffer.size
    }

    func copyHeader(_ height: Int, to buffer: inout CellBuffer) {
        copyLines(at: 0, height, to: 0, of: &buffer)
    }

    /// Copies `height` lines, starting at `y`, to the line `target` of a buffer. Lines are counted from the top of the frame.
    func copyLines(at y: Int, _ height: Int = 1, to target: Int, of buffer: inout CellBuffer) {
        let lines = TerminalRect(x: frame.x, y: frame.y + y, width: frame.width, height: height)
        buffer.copy(lines, of: self.buffer, toY: frame.y + target)
    }

    /// Copies the rows that look the same as in this frame.
    /// - Parameters:
    ///   - newLevels: the brightness levels of the highlights in each span of `new`.
    ///   - isChanged: returns true for the position of a row with changed content or styles.
    /// - Returns: True for each span of `new` that was copied.
    func copyRows(
        _ newSpans: [ItemSpan], levels newLevels: [[Int]], of configuration: Configuration, cursor newCursor: GridItem,
        isChanged: (_ position: Int) -> Bool, to buffer: inout CellBuffer
    ) -> [Bool] {
        var copied = [Bool](repeating: false, count: newSpans.count)
        guard configuration == self.configuration, buffer.size == self.buffer.size else { return copied }
        // The spans of both frames are sorted by item, so one pass finds the equal items.
        var old = 0
        for (index, line) in newSpans.enumerated() {
            while old < itemSpans.count, itemSpans[old].index < line.index { old += 1 }
            guard old < itemSpans.count else { break }
            let previous = itemSpans[old]
            guard case .row(let position) = line.item, previous.item == line.item, previous.pane == line.pane, previous.isWhole,
                line.isWhole, previous.height == line.height, line.item != cursor.item, line.item != newCursor,
                highlightLevels[old] == newLevels[index], !isChanged(position)
            else { continue }
            copyLines(at: previous.y, line.height, to: line.y, of: &buffer)
            copied[index] = true
        }
        return copied
    }
}
