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
        // Text stands as in the whole row, also where the pane's end cuts it.
        let lines = line.fullHeight - (state.metrics.gridLines == .both ? 1 : 0)
        let bodies = layout.columns.map { body(row, $0, lines: lines) }
        // A row of single lines stands in the middle of its height; one with several lines begins at its top.
        let isWrapped = bodies.contains { $0.lines.count > 1 }
        let textY = line.y + (isWrapped ? 0 : min(max(0, lines - 1) / 2, line.height - 1))
        for (span, body) in zip(layout.columns, bodies) { paintCell(row, position, span, body, line, textY: textY, layers, on: &buffer) }
        if !state.selection.isEmpty { joinSelection(position, line, on: &buffer) }
        paintRowHeader(row, position, line, textY: textY, ground, on: &buffer)
        paintRules(line, ground, on: &buffer)
    }

    /// Tints the blanks between selected cells that stand side by side: a block is seen as one.
    private func joinSelection(_ position: Int, _ line: LineSpan, on buffer: inout CellBuffer) {
        for (span, next) in zip(layout.columns, layout.columns.dropFirst()) where next.index == span.index + 1 {
            guard [span, next].allSatisfy({ state.selection.contains(row: position, column: $0.id) }) else { continue }
            let gap = rect(x: span.range.upperBound, y: line.y, width: next.x - span.range.upperBound, height: line.height)
            buffer.fill(gap, style: theme.row.with(theme.selection).textStyle)
        }
    }

    private func body(_ row: RowID, _ span: ColumnSpan, lines: Int) -> CellBody {
        CellBody(
            content(row, span.id), in: state.columns[span.index], width: span.fullWidth,
            lines: lines > 1 && state.wraps(span) ? lines : 1)
    }

    /// Alternation begins anew in every section.
    private func isAlternate(_ position: Int) -> Bool {
        guard let tree = state.outline.tree, let leaf = tree.leaf(containing: position) else { return position % 2 == 1 }
        return (position - tree.sections[leaf].rows.lowerBound) % 2 == 1
    }

    private func paintRowHeader(
        _ row: RowID, _ position: Int, _ line: LineSpan, textY: Int, _ ground: CellStyle, on buffer: inout CellBuffer
    ) {
        let width = layout.rowHeaderWidth
        let ownText = source?.rowHeader(row)
        guard width > 1 else { return }
        let isCurrent = state.cursor.item == .row(position)
        let style = ground.with(isCurrent ? theme.currentRowHeader : theme.rowHeader)
        // A row counted from the end has no number yet, and nothing stands in for it.
        let text = ownText ?? (row.isCountedFromEnd ? "" : String(row.rawValue + 1))
        let edge = Self.edge(ofRowHeader: width)
        let free = max(0, edge - DisplayWidth.of(text))
        write(text, x: free, y: textY, width: edge, style: style, on: &buffer)
        if state.marks.contains(row) { write("•", x: 0, y: textY, width: 1, style: ground.with(theme.currentRowHeader), on: &buffer) }
        // A line whose every cell looks alike is cheap to write: the edge takes the style of the number before it.
        let other = ground.with(theme.rowHeader)
        for y in line.range { write("│", x: edge, y: y, width: 1, style: y == textY ? style : other, on: &buffer) }
    }

    /// Where the rule behind the row numbers stands; a blank follows it where there is room.
    static func edge(ofRowHeader width: Int) -> Int { width > 3 ? width - 2 : width - 1 }

    private func paintCell(
        _ row: RowID, _ position: Int, _ span: ColumnSpan, _ body: CellBody, _ line: LineSpan, textY: Int, _ rowLayers: StyleLayers,
        on buffer: inout CellBuffer
    ) {
        let column = state.columns[span.index]
        var layers = rowLayers
        layers.column = column.style
        layers.delegateCell = delegate?.style(ofRow: row, column: span.id)
        if !state.selection.isEmpty, state.selection.contains(row: position, column: span.id) { layers.selection = theme.selection }
        let isCursor = state.cursor.item == .row(position) && state.cursor.column == span.index
        if isCursor { layers.cursor = theme.cursor }
        let style = layers.resolved(blending: state.blendsStyles, base: theme.ground)

        let looksDifferent = layers.column != nil || layers.delegateCell != nil || layers.selection != nil || isCursor
        if looksDifferent { buffer.fill(rect(x: span.x, y: line.y, width: span.width, height: line.height), style: style.textStyle) }
        // A mark keeps the ground it stands on, and on the cursor its colour too, so that it can be read.
        let mark = isCursor ? style : style.with(CellStyle(foreground: theme.mark.foreground, traits: theme.mark.traits))

        let look = CellLook(
            alignment: column.effectiveAlignment, style: style, mark: mark, isCursor: isCursor,
            matches: matches.map { matches in { matches($0, span.id) } })
        cells.paint(body, in: box(span, y: textY, height: line.range.upperBound - textY), look, on: &buffer)
    }

    /// The edges of frozen panes, and the rules between columns and below the row, where they are asked for.
    private func paintRules(_ line: LineSpan, _ ground: CellStyle, on buffer: inout CellBuffer) {
        let style = ground.with(theme.gridLine)
        // The rule below a row takes its last line, if that is in sight.
        let ruleY = state.metrics.gridLines == .both && line.isWhole ? line.range.upperBound - 1 : nil
        if let ruleY {
            let start = layout.rowHeaderWidth > 1 ? Self.edge(ofRowHeader: layout.rowHeaderWidth) + 1 : 0
            let width = max(0, (layout.scrollBarX ?? layout.size.width) - start)
            write(String(repeating: "─", count: width), x: start, y: ruleY, width: width, style: style, ellipsis: false, on: &buffer)
        }
        for y in line.range {
            if y != ruleY || state.metrics.linesOnTop == .vertical {
                for x in rules { write("│", x: x, y: y, width: 1, style: style, on: &buffer) }
            }
            for x in edges { write("┃", x: x, y: y, width: 1, style: ground.with(theme.frozenEdge), on: &buffer) }
        }
    }
}
