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
    /// The kinds of parts that the application draws instead of the grid.
    let drawnParts: GridPart.Kinds
    let matches: ((String, ColumnID) -> [Range<String.Index>])?
    let cells: CellPainter

    /// The recent changes of content, which are highlighted.
    let highlights: Highlights
    let changeMarks: ChangeMarks
    let now: Int64
    /// True if every visible column highlights changes, so that a highlighted row has no gaps.
    private let highlightsWholeRows: Bool

    /// Lays out the state, to be drawn once or several times. It does not call the source or the delegate.
    /// - Parameters:
    ///   - source: the content; cells are empty without a source.
    ///   - delegate: called for the styles of visible items.
    ///   - drawing: draws parts that the painter then omits.
    ///   - origin: the origin of the grid's frame in the buffer.
    ///   - matches: the ranges to highlight in the text of a cell.
    ///   - highlights: recent changes, which fade.
    ///   - changeMarks: the directions of last changes, for columns that keep them.
    ///   - now: the current time, on the clock of `highlights`.
    ///   - glyphs: the glyphs that the terminal can show.
    public init(
        _ state: GridState, source: (any GridDataSource)?, delegate: (any GridDelegate)? = nil,
        drawing: (any GridDrawingDelegate)? = nil, origin: GridPoint = GridPoint(x: 0, y: 0),
        matches: ((String, ColumnID) -> [Range<String.Index>])? = nil, highlights: Highlights = Highlights(),
        changeMarks: ChangeMarks = ChangeMarks(), now: Int64 = 0, glyphs: GlyphSet = .unicode
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
        self.changeMarks = changeMarks
        self.now = now
        highlightsWholeRows = highlights.isEmpty || state.columns.visiblePlaces.allSatisfy { state.columns.all[$0].highlightsChanges }
        self.matches = matches
    }

    /// Draws the grid on `buffer`. O(terminal cells of the frame).
    public func paint(on buffer: inout CellBuffer) {
        var previous: PaintedFrame?
        paint(on: &buffer, after: nil, &previous)
    }

    /// Draws the grid, and copies unchanged parts from the previous frame.
    /// - Parameters:
    ///   - changes: the changes of content and styles since the previous frame; `nil` to copy nothing.
    ///   - previous: the previous frame. On return, this frame as it looks when no rows are moving; `nil` if it need not be kept.
    ///   - keepsFrame: true to keep this frame even if a later frame cannot copy from it, because an animation may start from it.
    ///   - moving: the lines of the pane while rows slide to their new positions; `nil` to show all rows at their final positions.
    func paint(
        on buffer: inout CellBuffer, after changes: FrameChanges?, _ previous: inout PaintedFrame?, keepsFrame: Bool = false,
        moving: RowAnimation.PaneLines? = nil
    ) {
        guard state.effectivePresentation == .table else {
            source?.willShow(rows: visibleRows, columns: layout.slots.map(\.id) + layout.fields.map(\.id))
            return paintTiles(on: &buffer, &previous, keepsFrame: keepsFrame, moving: moving)
        }
        source?.willShow(rows: visibleRows, columns: layout.columns.map(\.id))
        let frameStyles = frameStyles
        let frame = rect(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
        let appearance = changes.flatMap { changes in
            canCopyRows
                ? PaintedFrame.Configuration(
                    state, layout, frameStyles, frame: frame, glyphs: cells.glyphs, fullChangeCount: changes.fullChangeCount,
                    drawnParts: drawnParts, hasCorner: source?.corner != nil) : nil
        }
        if let appearance, let previous, source?.corner == nil, !drawnParts.contains(.columnHeaders),
            previous.canCopyHeader(of: appearance, cursor: state.cursor, to: buffer)
        {
            previous.copyHeader(layout.headerHeight, to: &buffer)
        } else {
            paintHeader(on: &buffer)
        }
        let end = layout.itemSpans.last { $0.pane != .frozenBottom }?.range.upperBound ?? layout.headerHeight
        buffer.fill(rect(x: 0, y: end, width: layout.size.width, height: layout.size.height - end), style: theme.row.textStyle)
        let levels = layout.itemSpans.map { highlightLevels(in: $0, frameStyles) }
        let copied = appearance.flatMap {
            previous?.copyRows(
                layout.itemSpans, levels: levels, of: $0, cursor: state.cursor.item,
                isChanged: { changes?.rows.contains(state.rows[$0]) == true }, to: &buffer)
        }
        for (index, line) in layout.itemSpans.enumerated() where copied?[index] != true {
            switch line.item {
            case .row(let position): paintRow(position, line, frameStyles, isHighlighted: !levels[index].isEmpty, on: &buffer)
            case .header(let section): paintSectionHeader(section, line, on: &buffer)
            }
        }
        previous = appearance != nil || keepsFrame ? PaintedFrame(self, appearance, levels: levels, frame: frame, on: buffer) : nil
        if let moving, let previous { moving.copy(from: previous, to: &buffer) }
        paintStrips(on: &buffer)
        paintEmptyText(on: &buffer)
        paintFrozenRowsEdge(on: &buffer)
        paintScrollBar(on: &buffer)
        paintOverflowMarks(on: &buffer)
        paintDrag(on: &buffer)
        contentHeights?.endFrame()
    }

    /// True if a row looks the same at every position, so that it can be copied from the previous frame. Its look then depends only on
    /// state, content, styles and highlights.
    private var canCopyRows: Bool {
        !drawnParts.contains(.cells) && matches == nil && contentHeights == nil && !state.metrics.gridLines.hasRowRules
    }

    /// The highlight levels of a row and of its visible cells; empty without highlights.
    private func highlightLevels(in line: ItemSpan, _ frameStyles: FrameStyles) -> [Int] {
        guard !highlights.isEmpty, case .row(let position) = line.item else { return [] }
        let row = state.rows[position]
        var levels = [highlights.level(ofRow: row, at: now)]
        for (index, span) in layout.columns.enumerated() where frameStyles.columns[index].highlightsChanges {
            guard let (change, level) = highlights.change(ofRow: row, column: span.id, at: now) else { continue }
            levels += [span.index, Int(change.rawValue), level]
        }
        return levels == [0] ? [] : levels
    }

    /// The style layers of the area around the cells of a row.
    func surroundingLayers(_ layers: StyleLayers) -> StyleLayers {
        guard !highlightsWholeRows else { return layers }
        var surrounding = layers
        surrounding.rowHighlight = nil
        return surrounding
    }

    /// The heights that were measured from content in this frame; `nil` if heights do not depend on content.
    var contentHeights: ContentHeights? { state.metrics.hasAutomaticRowHeights ? state.rowHeightSource as? ContentHeights : nil }

    private var visibleRows: [RowID] { layout.positions.map { state.rows[$0] } }

    // MARK: Shared helpers

    func rect(x: Int, y: Int, width: Int, height: Int = 1) -> TerminalRect {
        cells.rect(x: x, y: y, width: width, height: height)
    }

    func resolved(_ layers: StyleLayers) -> CellStyle { layers.resolved(blending: state.blendsStyles, base: theme.ground) }

    /// The style of an item other than a cell, such as a section header, while the cursor is on it.
    var cursorStyle: CellStyle {
        var layers = StyleLayers()
        (layers.row, layers.cursor) = (theme.row, theme.cursor)
        return resolved(layers)
    }

    func layered(_ top: CellStyle, over style: CellStyle) -> CellStyle { cells.layered(top, over: style) }

    /// Draws cells of the header, without blending.
    var headerCells: CellPainter {
        var painter = cells
        painter.blendsStyles = false
        return painter
    }

    func layeredInHeader(_ top: CellStyle, over style: CellStyle) -> CellStyle { headerCells.layered(top, over: style) }

    func box(_ span: ColumnSpan, y: Int, height: Int = 1) -> CellBox {
        CellBox(
            x: span.x, y: y, width: span.width, height: height, clippedLeading: span.clippedLeading, fullWidth: span.fullWidth,
            isLegible: isLegible(span))
    }

    /// False for a column that is mostly beyond the end of the frame. Nothing is written in such a column. Always true for the only column.
    func isLegible(_ span: ColumnSpan) -> Bool {
        layout.columns.count == 1 || !span.isClippedTrailing || span.clippedLeading > 0
            || span.width >= ColumnGeometry.minimumVisibleWidth
    }

    @discardableResult
    func write(
        _ text: String, x: Int, y: Int, width: Int, style: CellStyle, mark: CellStyle? = nil, ellipsis: Bool = true,
        on buffer: inout CellBuffer
    ) -> Int {
        cells.write(text, x: x, y: y, width: width, style: style, mark: mark, ellipsis: ellipsis, on: &buffer)
    }
}
