import DataGrid
import TerminalSurface

/// What holds for the columns in sight in a whole frame: the delegate is asked once.
struct FrameLooks {
    var shown: [Column]
    var alignments: [CellAlignment]
    var ownStyles: [Bool]
    /// Whether nothing but columns and their content can make a cell look different from its row: no delegate, change or selection.
    var arePlain: Bool
    var edges: [Int]
    /// The delegate's layer of each column in sight.
    var columns: [CellStyle?]
    /// The rules between columns, from left to right, each with the delegate's layer for it.
    var rules: [(x: Int, style: CellStyle?)]
}

/// The lines between cells: rules where they are asked for, and the edges of frozen panes.
extension GridPainter {
    var looks: FrameLooks {
        let shown = layout.columns.map { state.columns[$0.index] }
        return FrameLooks(
            shown: shown, alignments: shown.map(\.effectiveAlignment), ownStyles: shown.map { $0.style != nil },
            arePlain: delegate == nil && highlights.isEmpty && state.selection.isEmpty, edges: edges,
            columns: layout.columns.map { delegate?.style(ofColumn: $0.id) },
            rules: rules.map { ($0.x, delegate?.style(ofLine: .column($0.column))) })
    }

    /// Where the edges of the frozen columns stand, with the rules between columns; nowhere when there are no blanks between columns.
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

    /// How far behind a column the rule in the middle of the blanks stands.
    var ruleOffset: Int { (state.metrics.columnSpacing - 1) / 2 }

    /// Where rules between columns stand, when they are asked for, and behind which. An edge takes the place of the rules next to it.
    var rules: [(x: Int, column: ColumnID)] {
        let spacing = state.metrics.columnSpacing
        guard state.metrics.gridLines.areBetweenColumns, spacing > 0 else { return [] }
        let end = layout.rowEnd
        let edges = edges
        return layout.columns.filter { !$0.isClippedTrailing }.map { ($0.range.upperBound + ruleOffset, $0.id) }.filter { rule in
            rule.0 < end && !edges.contains { abs($0 - rule.0) <= spacing }
        }
    }

    /// The line in which the rule below a row stands, if the row has one and it is in sight.
    func ruleY(_ line: LineSpan) -> Int? {
        state.metrics.gridLines.areBetweenRows && line.isWhole ? line.range.upperBound - 1 : nil
    }

    func paintRules(_ row: RowID, _ line: LineSpan, _ ground: CellStyle, _ looks: FrameLooks, on buffer: inout CellBuffer) {
        let plain = lay(theme.gridLine, over: ground)
        let edge = lay(theme.frozenEdge, over: ground)
        let ruleY = ruleY(line)
        for y in line.range where y != ruleY {
            for (x, own) in looks.rules {
                paintRule("│", x: x, y: y, own.map { lay($0, over: plain) } ?? plain, over: ground, on: &buffer)
            }
            for x in looks.edges { write("┃", x: x, y: y, width: 1, style: edge, on: &buffer) }
        }
        guard let y = ruleY else { return }
        // The lower edge of the frozen rows is a heavy rule: the last row's own.
        let isEdge = isLowerEdge(line)
        let weight = isEdge ? LineJoint.Weight.heavy : .light
        let own = delegate?.style(ofLine: .row(row))
        let style = isEdge ? edge : own.map { lay($0, over: plain) } ?? plain
        let down = goesOn(below: line)
        func joint(_ vertical: LineJoint.Weight, left: LineJoint.Weight) -> String {
            LineJoint(up: vertical, down: down ? vertical : .none, left: left, right: weight).glyph
        }
        let start = layout.rowHeaderWidth > 1 ? Self.edge(ofRowHeader: layout.rowHeaderWidth) + 1 : 0
        let width = max(0, layout.rowEnd - start)
        let glyph = LineJoint.horizontal(weight).glyph
        write(String(repeating: glyph, count: width), x: start, y: y, width: width, style: style, ellipsis: false, on: &buffer)
        if start > 0 {
            write(joint(.light, left: .none), x: start - 1, y: y, width: 1, style: lay(theme.rowHeader, over: ground), on: &buffer)
        }
        let isColumnOnTop = state.metrics.linesOnTop == .vertical && !isEdge
        for (x, own) in looks.rules {
            let above = isColumnOnTop ? own.map { lay($0, over: plain) } ?? plain : style
            write(joint(.light, left: weight), x: x, y: y, width: 1, style: above, on: &buffer)
        }
        for x in edges { write(joint(.heavy, left: weight), x: x, y: y, width: 1, style: edge, on: &buffer) }
    }

    /// A rule between two cells keeps the ground that is there, unless it has its own: a block of selected cells stays one.
    func paintRule(_ glyph: String, x: Int, y: Int, _ style: CellStyle, over ground: CellStyle, on buffer: inout CellBuffer) {
        var beneath: TerminalColor?
        buffer.restyle(rect(x: x, y: y, width: 1)) { beneath = $0.background }
        write(glyph, x: x, y: y, width: 1, style: style, on: &buffer)
        guard let beneath, style.background == ground.background else { return }
        buffer.restyle(rect(x: x, y: y, width: 1)) { $0.background = beneath }
    }

    /// Whether the rows go on below this one: another follows, in sight or not.
    private func goesOn(below line: LineSpan) -> Bool {
        guard let next = layout.lines.first(where: { $0.y == line.range.upperBound }) else {
            return line.index < state.outline.itemCount - 1
        }
        return !next.item.isHeader
    }

    private func isLowerEdge(_ line: LineSpan) -> Bool {
        line.pane == .frozen && line.y == layout.lines.last { $0.pane == .frozen }?.y
    }

    /// The lower edge of the frozen rows is an underline: it takes no line away. Where rows have rules, it is one of these.
    func paintFrozenRowsEdge(on buffer: inout CellBuffer) {
        guard let last = layout.lines.last(where: { $0.pane == .frozen }) else { return }
        if case .row = last.item, ruleY(last) != nil { return }
        buffer.restyle(rect(x: 0, y: last.range.upperBound - 1, width: layout.size.width)) { $0.attributes.insert(.underline) }
    }
}
