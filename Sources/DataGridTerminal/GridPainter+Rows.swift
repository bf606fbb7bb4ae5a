import DataGrid
import TerminalSurface

extension GridPainter {
    /// One row: its header and the cells in sight.
    func paintRow(_ position: Int, _ line: LineSpan, on buffer: inout CellBuffer) {
        let row = state.rows[position]
        var layers = StyleLayers()
        layers.row = theme.row
        if isAlternate(position) { layers.alternateRow = theme.alternateRow }
        let section = state.outline.section(of: .row(position))
        layers.section = section.flatMap { delegate?.style(ofSection: $0) }
        layers.delegateRow = delegate?.style(ofRow: row)

        let ground = layers.resolved(blending: state.blendsStyles, base: theme.ground)
        buffer.fill(rect(x: 0, y: line.y, width: layout.size.width, height: line.height), style: ground.textStyle)
        paintRowHeader(row, position, line, ground, on: &buffer)
        for span in layout.columns { paintCell(row, position, span, line, layers, on: &buffer) }
        paintColumnRules(line, ground, on: &buffer)
    }

    /// Alternation begins anew in every section.
    private func isAlternate(_ position: Int) -> Bool {
        guard let tree = state.outline.tree, let leaf = tree.leaf(containing: position) else { return position % 2 == 1 }
        return (position - tree.sections[leaf].rows.lowerBound) % 2 == 1
    }

    private func paintRowHeader(_ row: RowID, _ position: Int, _ line: LineSpan, _ ground: CellStyle, on buffer: inout CellBuffer) {
        let width = layout.rowHeaderWidth
        guard width > 1 else { return }
        let isCurrent = state.cursor.item == .row(position)
        let style = ground.with(isCurrent ? theme.currentRowHeader : theme.rowHeader)
        let text = source?.rowHeader(row) ?? (row.isCountedFromEnd ? "…" : String(row.rawValue + 1))
        let edge = Self.edge(ofRowHeader: width)
        let free = max(0, edge - DisplayWidth.of(text))
        write(text, x: free, y: line.y, width: edge, style: style, on: &buffer)
        if state.marks.contains(row) { write("•", x: 0, y: line.y, width: 1, style: ground.with(theme.currentRowHeader), on: &buffer) }
        // A line whose every cell looks alike is cheap to write: the edge takes the style of the number before it.
        for y in line.range { write("│", x: edge, y: y, width: 1, style: y == line.y ? style : ground.with(theme.rowHeader), on: &buffer) }
    }

    /// Where the rule behind the row numbers stands; a blank follows it where there is room.
    static func edge(ofRowHeader width: Int) -> Int { width > 3 ? width - 2 : width - 1 }

    private func paintCell(_ row: RowID, _ position: Int, _ span: ColumnSpan, _ line: LineSpan, _ rowLayers: StyleLayers, on buffer: inout CellBuffer) {
        let column = state.columns[span.index]
        let content = source?.content(row: row, column: span.id) ?? .missing
        var layers = rowLayers
        layers.column = column.style
        layers.delegateCell = delegate?.style(ofRow: row, column: span.id)
        if !state.selection.isEmpty, state.selection.contains(row: position, column: span.id) { layers.selection = theme.selection }
        let isCursor = state.cursor.item == .row(position) && state.cursor.column == span.index
        if isCursor { layers.cursor = theme.cursor }
        var style = layers.resolved(blending: state.blendsStyles, base: theme.ground)

        let looksDifferent = layers.column != nil || layers.delegateCell != nil || layers.selection != nil || isCursor
        if looksDifferent { buffer.fill(rect(x: span.x, y: line.y, width: span.width, height: line.height), style: style.textStyle) }
        // A mark keeps the ground it stands on, and on the cursor its colour too, so that it can be read.
        let mark = isCursor ? style : style.with(CellStyle(foreground: theme.mark.foreground, traits: theme.mark.traits))

        switch content.condition {
        case .missing:
            write("·", in: span, y: line.y, alignment: column.effectiveAlignment, style: mark, on: &buffer)
        case .unreadable:
            style = style.with(theme.unreadable)
            write(content.text, in: span, y: line.y, alignment: column.effectiveAlignment, style: style, mark: mark, on: &buffer)
        case .value:
            let text = ValueText.display(content, in: column)
            if text.isEmpty { return }
            let lines = line.height - (state.metrics.gridLines == .both ? 1 : 0)
            if lines > 1, column.effectiveAlignment == .leading, span.clippedLeading == 0 {
                for (n, part) in TextWrap.lines(text, width: span.width, limit: lines).enumerated() {
                    write(part, x: span.x, y: line.y + n, width: span.width, style: style, mark: mark, on: &buffer)
                }
                return
            }
            write(text, in: span, y: line.y, alignment: column.effectiveAlignment, style: style, mark: mark, on: &buffer)
            if let matches { paintMatches(matches(text, span.id), in: text, span, line, column.effectiveAlignment, isCursor, on: &buffer) }
        }
    }

    /// Restyles the found parts of a cell's text.
    private func paintMatches(
        _ ranges: [Range<String.Index>], in text: String, _ span: ColumnSpan, _ line: LineSpan, _ alignment: CellAlignment, _ isCursor: Bool,
        on buffer: inout CellBuffer
    ) {
        guard !ranges.isEmpty else { return }
        let wide = DisplayWidth.of(text, limit: span.fullWidth + 1)
        let indent = alignment == .leading ? 0 : alignment == .center ? max(0, span.fullWidth - wide) / 2 : max(0, span.fullWidth - wide)
        let found = (isCursor ? theme.currentMatch : theme.match).textStyle
        for range in ranges {
            let start = indent + DisplayWidth.of(String(text[..<range.lowerBound]), limit: span.fullWidth) - span.clippedLeading
            let end = start + DisplayWidth.of(String(text[range]), limit: span.fullWidth)
            let low = max(0, start)
            let high = min(span.width, end)
            guard low < high else { continue }
            buffer.restyle(rect(x: span.x + low, y: line.y, width: high - low)) { $0 = found }
        }
    }

    /// The rules between columns, and below the row, where they are asked for.
    private func paintColumnRules(_ line: LineSpan, _ ground: CellStyle, on buffer: inout CellBuffer) {
        guard state.metrics.gridLines != .none else { return }
        let style = ground.with(theme.gridLine)
        let hasRule = state.metrics.gridLines == .both
        if hasRule, line.height > 1 {
            let y = line.range.upperBound - 1
            let start = layout.rowHeaderWidth
            let width = max(0, layout.size.width - start - (layout.scrollBarX == nil ? 0 : 1))
            write(String(repeating: "─", count: width), x: start, y: y, width: width, style: style, ellipsis: false, on: &buffer)
        }
        for span in layout.columns where span.range.upperBound < layout.size.width - 1 && !span.isClippedTrailing {
            for y in line.range {
                let crosses = hasRule && y == line.range.upperBound - 1 && line.height > 1
                if crosses && state.metrics.linesOnTop == .horizontal { continue }
                write("│", x: span.range.upperBound, y: y, width: 1, style: style, on: &buffer)
            }
        }
    }
}
