public import DataGrid
public import TerminalSurface

/// Draws a grid: a pure read of its state, its layout and what its source says of the cells in sight.
///
/// Asks the source for each visible cell once, and for nothing else.
@MainActor
public struct GridPainter {
    let state: GridState
    let layout: GridLayout
    let theme: Theme
    weak var source: (any GridDataSource)?
    weak var delegate: (any GridDelegate)?
    /// Where in the text of a cell something that was searched for is found.
    let matches: ((String, ColumnID) -> [Range<String.Index>])?
    /// Where the grid's frame begins on the buffer.
    let origin: GridPoint

    /// - Parameters:
    ///   - origin: the terminal cell of the buffer at which the grid's frame begins.
    ///   - matches: the ranges to highlight in a cell's text.
    public init(
        _ state: GridState, source: (any GridDataSource)?, delegate: (any GridDelegate)? = nil, origin: GridPoint = GridPoint(x: 0, y: 0),
        matches: ((String, ColumnID) -> [Range<String.Index>])? = nil
    ) {
        self.state = state
        layout = state.layout
        theme = state.theme
        self.source = source
        self.delegate = delegate
        self.origin = origin
        self.matches = matches
    }

    /// Draws the grid on `buffer`. O(terminal cells of the frame).
    public func paint(on buffer: inout CellBuffer) {
        source?.willShow(rows: visibleRows, columns: layout.columns.map(\.id))
        paintHeader(on: &buffer)
        let end = layout.lines.last { $0.pane != .bottom }?.range.upperBound ?? layout.headerHeight
        buffer.fill(rect(x: 0, y: end, width: layout.size.width, height: layout.size.height - end), style: theme.row.textStyle)
        for line in layout.lines {
            switch line.item {
            case .row(let position): paintRow(position, line, on: &buffer)
            case .header(let section): paintSectionHeader(section, line, on: &buffer)
            }
        }
        paintStrips(on: &buffer)
        paintFrozenRowsEdge(on: &buffer)
        paintScrollBar(on: &buffer)
        paintDrag(on: &buffer)
        measured?.endFrame()
    }

    /// The rows in sight, from top to bottom.
    private var visibleRows: [RowID] {
        layout.lines.compactMap {
            if case .row(let position) = $0.item { return state.rows[position] }
            return nil
        }
    }

    // MARK: Helpers of all painters

    /// A rectangle on the buffer: what of it lies in the frame.
    func rect(x: Int, y: Int, width: Int, height: Int = 1) -> TerminalRect {
        let columns = (x..<max(x, x + width)).clamped(to: 0..<layout.size.width)
        let rows = (y..<max(y, y + height)).clamped(to: 0..<layout.size.height)
        return TerminalRect(x: origin.x + columns.lowerBound, y: origin.y + rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// Writes at a place of the frame, and no further than the frame goes.
    @discardableResult
    func write(
        _ text: String, x: Int, y: Int, width: Int, style: CellStyle, mark: CellStyle? = nil, ellipsis: Bool = true,
        on buffer: inout CellBuffer
    ) -> Int {
        if x < 0, width > -x {
            // What stands left of the frame is left out.
            return write(
                Self.dropping(-x, from: text), x: 0, y: y, width: width + x, style: style, mark: mark, ellipsis: ellipsis, on: &buffer) - x
        }
        let room = min(width, layout.size.width - x)
        guard x >= 0, room > 0, (0..<layout.size.height).contains(y) else { return 0 }
        return buffer.write(
            text, x: origin.x + x, y: origin.y + y, width: room, style: style.textStyle,
            markStyle: (mark ?? style.with(theme.mark)).textStyle, ellipsis: ellipsis)
    }

    /// Writes text in a span of cells as its alignment asks.
    func write(
        _ text: String, in span: ColumnSpan, y: Int, alignment: CellAlignment, style: CellStyle, mark: CellStyle? = nil,
        on buffer: inout CellBuffer
    ) {
        // So little of a column tells nothing, unless there is no other.
        if layout.columns.count > 1, span.isClippedTrailing, span.clippedLeading == 0, span.width < 3, span.fullWidth > 3 { return }
        let wide = DisplayWidth.of(text, limit: span.fullWidth + 1)
        let free = max(0, span.fullWidth - wide)
        let indent = Self.indent(alignment, free: free)
        // Where the text would begin, were the whole column in sight.
        let start = indent - span.clippedLeading
        if start >= 0 {
            write(text, x: span.x + start, y: y, width: span.width - start, style: style, mark: mark, on: &buffer)
        } else {
            // What is cut at the left says so, as what is cut at the right does.
            let rest = Self.dropping(1 - start, from: text)
            guard start + wide > 0 else { return }
            write("…", x: span.x, y: y, width: 1, style: mark ?? style.with(theme.mark), on: &buffer)
            write(rest, x: span.x + 1, y: y, width: span.width - 1, style: style, mark: mark, on: &buffer)
        }
    }

    /// The blanks before text that leaves `free` terminal cells of its column.
    static func indent(_ alignment: CellAlignment, free: Int) -> Int {
        switch alignment {
        case .leading: 0
        case .center: free / 2
        case .trailing: free
        }
    }

    /// The text without its first `cells` terminal cells; a blank stands for the half of a wide character.
    private static func dropping(_ cells: Int, from text: String) -> String {
        var rest = text.unicodeScalars[...]
        var gone = 0
        while gone < cells, let first = rest.first {
            gone += DisplayWidth.of(String(first))
            rest = rest.dropFirst()
        }
        return String(repeating: " ", count: gone - min(gone, cells)) + String(rest)
    }
}
