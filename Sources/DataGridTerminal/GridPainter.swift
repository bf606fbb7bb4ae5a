public import DataGrid
public import TerminalSurface

/// Draws a grid from its state, its layout and the content of the visible cells, without changing any of them.
///
/// It reads each visible cell once and no other cell.
@MainActor
public struct GridPainter {
    let state: GridState
    let layout: GridLayout
    let theme: Theme
    weak var source: (any GridDataSource)?
    weak var delegate: (any GridDelegate)?
    weak var drawing: (any GridDrawingDelegate)?
    /// The parts that the application draws.
    let drawnParts: GridPart.Kinds
    let matches: ((String, ColumnID) -> [Range<String.Index>])?
    let cells: CellPainter

    /// Recent changes of content.
    let highlights: Highlights
    let now: Int64

    /// Lays out the state, to be drawn once or several times. It does not call the source or the delegate.
    /// - Parameters:
    ///   - source: the content; cells are empty without a source.
    ///   - delegate: called for the styles of visible items.
    ///   - drawing: draws parts instead of the grid.
    ///   - origin: the origin of the grid's frame in the buffer.
    ///   - matches: the ranges to highlight in the text of a cell.
    ///   - highlights: recent changes, which fade.
    ///   - now: the current time, on the clock of `highlights`.
    ///   - glyphs: the glyphs that the terminal can show.
    public init(
        _ state: GridState, source: (any GridDataSource)?, delegate: (any GridDelegate)? = nil,
        drawing: (any GridDrawingDelegate)? = nil, origin: GridPoint = GridPoint(x: 0, y: 0),
        matches: ((String, ColumnID) -> [Range<String.Index>])? = nil, highlights: Highlights = Highlights(), now: Int64 = 0,
        glyphs: GlyphSet = .unicode
    ) {
        self.state = state
        layout = state.layout
        theme = state.theme
        self.source = source
        self.delegate = delegate
        self.drawing = drawing
        drawnParts = drawing?.drawnParts ?? []
        cells = CellPainter(theme: theme, blendsStyles: state.blendsStyles, size: layout.size, origin: origin, glyphs: glyphs)
        self.highlights = highlights
        self.now = now
        self.matches = matches
    }

    /// Draws the grid on `buffer`. O(terminal cells of the frame).
    public func paint(on buffer: inout CellBuffer) {
        var previous: PaintedFrame?
        paint(on: &buffer, contents: nil, &previous)
    }

    /// Draws the grid, and copies unchanged parts from the previous frame.
    /// - Parameters:
    ///   - contents: the change count of the content; `nil` to copy nothing.
    ///   - previous: the previous frame; replaced by this one.
    func paint(on buffer: inout CellBuffer, contents: Int?, _ previous: inout PaintedFrame?) {
        guard state.effectivePresentation == .table else {
            previous = nil
            source?.willShow(rows: visibleRows, columns: layout.slots.map(\.id) + layout.fields.map(\.id))
            return paintTiles(on: &buffer)
        }
        source?.willShow(rows: visibleRows, columns: layout.columns.map(\.id))
        let frameStyles = frameStyles
        let frame = rect(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
        let look = contents.flatMap { contents in
            canCopyRows(frameStyles)
                ? PaintedFrame.Configuration(state, layout, frame: frame, glyphs: cells.glyphs, contents: contents) : nil
        }
        if let look, let previous, source?.corner == nil, !drawnParts.contains(.columnHeaders),
            previous.canCopyHeader(of: look, cursor: state.cursor, to: buffer)
        {
            previous.copyHeader(layout.headerHeight, to: &buffer)
        } else {
            paintHeader(on: &buffer)
        }
        let end = layout.itemSpans.last { $0.pane != .bottom }?.range.upperBound ?? layout.headerHeight
        buffer.fill(rect(x: 0, y: end, width: layout.size.width, height: layout.size.height - end), style: theme.row.textStyle)
        let copied = look.flatMap { previous?.copyRows(layout.itemSpans, of: $0, cursor: state.cursor.item, to: &buffer) }
        for (place, line) in layout.itemSpans.enumerated() where copied?[place] != true {
            switch line.item {
            case .row(let position): paintRow(position, line, frameStyles, on: &buffer)
            case .header(let section): paintSectionHeader(section, line, on: &buffer)
            }
        }
        previous = look.map { PaintedFrame(self, $0, on: buffer) }
        paintStrips(on: &buffer)
        paintEmptyText(on: &buffer)
        paintFrozenRowsEdge(on: &buffer)
        paintScrollBar(on: &buffer)
        paintYieldMarks(on: &buffer)
        paintDrag(on: &buffer)
        measured?.endFrame()
    }

    /// True if the picture of a row depends only on state and content, not on its position or the time.
    private func canCopyRows(_ frameStyles: FrameStyles) -> Bool {
        frameStyles.arePlain && !drawnParts.contains(.cells) && matches == nil && measured == nil && !state.metrics.gridLines.hasRowRules
    }

    /// The object that measured row heights from content in this frame.
    var measured: ContentHeights? { state.metrics.hasAutomaticRowHeights ? state.rowHeightSource as? ContentHeights : nil }

    private var visibleRows: [RowID] { layout.positions.map { state.rows[$0] } }

    // MARK: Shared helpers

    func rect(x: Int, y: Int, width: Int, height: Int = 1) -> TerminalRect {
        cells.rect(x: x, y: y, width: width, height: height)
    }

    func resolved(_ layers: StyleLayers) -> CellStyle { layers.resolved(blending: state.blendsStyles, base: theme.ground) }

    /// The style of items under the cursor that are not cells.
    var cursorStyle: CellStyle {
        var layers = StyleLayers()
        (layers.row, layers.cursor) = (theme.row, theme.cursor)
        return resolved(layers)
    }

    func lay(_ top: CellStyle, over style: CellStyle) -> CellStyle { cells.lay(top, over: style) }

    /// Draws cells of the header, without blending.
    var headerCells: CellPainter {
        var painter = cells
        painter.blendsStyles = false
        return painter
    }

    func layInHeader(_ top: CellStyle, over style: CellStyle) -> CellStyle { headerCells.lay(top, over: style) }

    func box(_ span: ColumnSpan, y: Int, height: Int = 1) -> CellBox {
        // Such a narrow part of a column is illegible, unless it is the only column.
        let isSliver = span.isClippedTrailing && span.clippedLeading == 0 && span.width < 3 && span.fullWidth > 3
        return CellBox(
            x: span.x, y: y, width: span.width, height: height, clippedLeading: span.clippedLeading, fullWidth: span.fullWidth,
            isLegible: layout.columns.count == 1 || !isSliver)
    }

    @discardableResult
    func write(
        _ text: String, x: Int, y: Int, width: Int, style: CellStyle, mark: CellStyle? = nil, ellipsis: Bool = true,
        on buffer: inout CellBuffer
    ) -> Int {
        cells.write(text, x: x, y: y, width: width, style: style, mark: mark, ellipsis: ellipsis, on: &buffer)
    }
}
