import DataGrid
import TerminalSurface

/// Properties of the visible columns that are read once per frame.
struct FrameStyles {
    var columns: [Column]
    var alignments: [CellAlignment]
    var hasOwnStyle: [Bool]
    /// The terminal cells reserved in each column for marks of changes (`Column.keepsChangeMarks`).
    var markRooms: [Int]
    /// True if no delegate or selection can style a cell. Only columns, content and highlights then need to be checked.
    var areCellsPlain: Bool
    /// The x coordinates of the edges of frozen columns.
    var edges: [Int]
    /// The delegate's style of each visible column.
    var columnStyles: [CellStyle?]
    /// The rules between columns, from left to right, with the delegate's styles.
    var rules: [(x: Int, style: CellStyle?)]
}

/// Rules between cells and edges of the frozen panes.
extension GridPainter {
    var frameStyles: FrameStyles {
        let columns = layout.columns.map { state.columns[$0.index] }
        return FrameStyles(
            columns: columns, alignments: columns.map(\.effectiveAlignment), hasOwnStyle: columns.map { $0.style != nil },
            markRooms: zip(columns, layout.columns).map { $0.widthForChangeMark($0.effectiveAlignment, in: $1.fullWidth) },
            areCellsPlain: delegate == nil && state.selection.isEmpty, edges: edges,
            columnStyles: layout.columns.map { delegate?.style(ofColumn: $0.id) },
            rules: rules.map { ($0.x, delegate?.style(ofRule: .column($0.column))) })
    }

    /// The x coordinates of the edges of frozen columns; empty if there are no spaces between columns.
    var edges: [Int] {
        guard layout.presentation == .table, state.metrics.columnSpacing > 0 else { return [] }
        let geometry = layout.geometry
        var edges: [Int] = []
        if geometry.leading > 0 {
            edges.append(geometry.starts[geometry.leading - 1] + geometry.widths[geometry.leading - 1] + ruleOffset)
        }
        if geometry.trailing > 0 { edges.append(geometry.trailingX - 1 - ruleOffset) }
        return edges.filter { $0 >= 0 && $0 < layout.size.width }
    }

    /// The offset from the end of a column to the rule in the space after it.
    var ruleOffset: Int { (state.metrics.columnSpacing - 1) / 2 }

    /// The x coordinate of each rule between columns, with the column before it. The edge of frozen columns replaces the rules next to
    /// it.
    var rules: [(x: Int, column: ColumnID)] {
        let spacing = state.metrics.columnSpacing
        guard state.metrics.gridLines.hasColumnRules, spacing > 0 else { return [] }
        let end = layout.rowEnd
        let edges = edges
        return layout.columns.filter { !$0.isClippedTrailing }.map { ($0.range.upperBound + ruleOffset, $0.id) }.filter { rule in
            rule.0 < end && !edges.contains { abs($0 - rule.0) <= spacing }
        }
    }

    /// The y coordinate of the rule below a row; `nil` if there is no rule or it is not visible.
    func ruleY(_ line: ItemSpan) -> Int? {
        state.metrics.gridLines.hasRowRules && line.isWhole ? line.range.upperBound - 1 : nil
    }

    func paintRules(_ row: RowID, _ line: ItemSpan, _ rowStyle: CellStyle, _ frameStyles: FrameStyles, on buffer: inout CellBuffer) {
        let plain = layered(theme.gridLine, over: rowStyle)
        let edge = layered(theme.frozenEdge, over: rowStyle)
        let ruleY = ruleY(line)
        for y in line.range where y != ruleY {
            for (x, ruleStyle) in frameStyles.rules {
                paintRule("│", x: x, y: y, ruleStyle.map { layered($0, over: plain) } ?? plain, over: rowStyle, on: &buffer)
            }
            for x in frameStyles.edges { write("┃", x: x, y: y, width: 1, style: edge, on: &buffer) }
        }
        guard let y = ruleY else { return }
        // The rule below the last frozen row is drawn heavy.
        let isEdge = isLowerEdge(line)
        let weight = isEdge ? RuleJoint.Weight.heavy : .light
        let delegateStyle = delegate?.style(ofRule: .row(row))
        let style = isEdge ? edge : delegateStyle.map { layered($0, over: plain) } ?? plain
        let down = hasRow(below: line)
        func joint(_ vertical: RuleJoint.Weight, left: RuleJoint.Weight) -> String {
            RuleJoint(up: vertical, down: down ? vertical : .none, left: left, right: weight).glyph
        }
        let start = layout.rowHeaderWidth > 1 ? Self.edge(ofRowHeader: layout.rowHeaderWidth) + 1 : 0
        let width = max(0, layout.rowEnd - start)
        let glyph = RuleJoint.horizontal(weight).glyph
        write(String(repeating: glyph, count: width), x: start, y: y, width: width, style: style, ellipsis: false, on: &buffer)
        if start > 0 {
            write(joint(.light, left: .none), x: start - 1, y: y, width: 1, style: layered(theme.rowHeader, over: rowStyle), on: &buffer)
        }
        let isColumnOnTop = state.metrics.linesOnTop == .vertical && !isEdge
        for (x, ruleStyle) in frameStyles.rules {
            let above = isColumnOnTop ? ruleStyle.map { layered($0, over: plain) } ?? plain : style
            write(joint(.light, left: weight), x: x, y: y, width: 1, style: above, on: &buffer)
        }
        for x in edges { write(joint(.heavy, left: weight), x: x, y: y, width: 1, style: edge, on: &buffer) }
    }

    /// Draws a rule. The existing background stays unless the background of `style` differs from that of `lower`. Therefore, a block of
    /// selected cells has no gaps.
    func paintRule(_ glyph: String, x: Int, y: Int, _ style: CellStyle, over lower: CellStyle, on buffer: inout CellBuffer) {
        var beneath: TerminalColor?
        buffer.restyle(rect(x: x, y: y, width: 1)) { beneath = $0.background }
        write(glyph, x: x, y: y, width: 1, style: style, on: &buffer)
        guard let beneath, style.background == lower.background else { return }
        buffer.restyle(rect(x: x, y: y, width: 1)) { $0.background = beneath }
    }

    /// True if another row follows directly below `line`, whether it is visible or not.
    private func hasRow(below line: ItemSpan) -> Bool {
        guard let next = layout.itemSpans.first(where: { $0.y == line.range.upperBound }) else {
            return line.index < state.outline.itemCount - 1
        }
        return !next.item.isHeader
    }

    private func isLowerEdge(_ line: ItemSpan) -> Bool {
        line.pane == .frozenTop && line.y == layout.itemSpans.last { $0.pane == .frozenTop }?.y
    }

    /// Underlines the last frozen row, so that its edge needs no extra line. If there are rules between rows, the rule is the edge.
    func paintFrozenRowsEdge(on buffer: inout CellBuffer) {
        guard let last = layout.itemSpans.last(where: { $0.pane == .frozenTop }) else { return }
        if case .row = last.item, ruleY(last) != nil { return }
        buffer.restyle(rect(x: 0, y: last.range.upperBound - 1, width: layout.size.width)) { $0.attributes.insert(.underline) }
    }
}
