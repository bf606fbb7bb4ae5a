import DataGrid
import TerminalSurface

/// A vertical rule after a row of a transposed grid.
private struct VerticalRule {
    var x: Int
    var weight: RuleJoint.Weight
    var style: CellStyle
    /// True for a rule at the edge of frozen rows, which also crosses the header.
    var isEdge: Bool
    /// The screen lines that the rule crosses; `nil` means the lines of all columns.
    var range: Range<Int>?
}

/// Rules of a transposed grid, in which rows are vertical and columns are horizontal.
extension GridPainter {
    func paintTransposedRules(on buffer: inout CellBuffer) {
        let down = verticalRules
        for line in down { paintVerticalRule(line, on: &buffer) }
        let lastFrozen = layout.fields.last { $0.pane == .leading }
        let across = horizontalRuleCells(endingAt: down)
        for field in layout.fields where field.height > 1 {
            paintRule(below: field, isEdge: field == lastFrozen, across, down, on: &buffer)
        }
        for strip in layout.strips where strip.kind == .bottomEdge && strip.columns == nil {
            let all = [Bool](repeating: true, count: layout.size.width)
            for line in down { paintJoint(of: line, y: strip.y, .light, all, line.style, on: &buffer) }
        }
        if let field = lastFrozen, field.height == 1 {
            buffer.restyle(rect(x: 0, y: field.y, width: layout.size.width)) { $0.attributes.insert(.underline) }
        }
    }

    /// The vertical rules after rows and at the edges of frozen rows. An edge replaces the rules next to it.
    private var verticalRules: [VerticalRule] {
        let spacing = state.metrics.columnSpacing
        guard spacing > 0 else { return [] }
        var edges = layout.strips.filter { $0.kind == .bottomEdge }.compactMap(\.columns).map {
            VerticalRule(
                x: $0.lowerBound, weight: .light, style: layered(theme.bottomEdge, over: theme.row), isEdge: true,
                range: layout.headerHeight..<layout.size.height)
        }
        if let last = layout.tiles.last(where: { $0.pane == .frozenTop }) {
            let x = last.x + last.fullWidth + ruleOffset
            edges.append(VerticalRule(x: x, weight: .heavy, style: layered(theme.frozenEdge, over: theme.row), isEdge: true))
        }
        guard state.metrics.gridLines.hasRowRules else { return edges }
        let plain = layered(theme.gridLine, over: theme.row)
        let rules = layout.tiles.compactMap { tile -> VerticalRule? in
            let x = tile.x + tile.fullWidth + ruleOffset
            guard tile.isWhole, case .row(let position) = tile.item, x < layout.size.width,
                !edges.contains(where: { abs($0.x - x) <= spacing })
            else { return nil }
            let delegateStyle = delegate?.style(ofRule: .row(state.rows[position]))
            return VerticalRule(x: x, weight: .light, style: delegateStyle.map { layered($0, over: plain) } ?? plain, isEdge: false)
        }
        return rules + edges
    }

    /// Draws a vertical rule along the cells of all columns. An edge also crosses the header, where colors are never blended.
    private func paintVerticalRule(_ line: VerticalRule, on buffer: inout CellBuffer) {
        let glyph = RuleJoint.vertical(line.weight).glyph
        if line.isEdge {
            let style = layeredInHeader(CellStyle(foreground: line.style.foreground), over: theme.headerLine)
            for y in 0..<layout.headerHeight { write(glyph, x: line.x, y: y, width: 1, style: style, on: &buffer) }
        }
        for range in line.range.map({ [$0] }) ?? layout.fields.map(\.range) {
            for y in range { paintRule(glyph, x: line.x, y: y, line.style, over: theme.row, on: &buffer) }
        }
    }

    /// For each terminal cell of a line, true if horizontal rules cover it. Rules cover the cells of rows and totals, and stop at the last
    /// row and at section headers.
    private func horizontalRuleCells(endingAt verticalRules: [VerticalRule]) -> [Bool] {
        var cells = [Bool](repeating: false, count: layout.size.width)
        let totals = layout.strips.first { $0.kind == .totals }?.columns
        let tiles = layout.tiles
        for (index, tile) in tiles.enumerated() where !tile.item.isHeader {
            let next = index + 1 < tiles.count ? tiles[index + 1] : nil
            let continues = next.map { !$0.item.isHeader } ?? (tile.index < state.outline.itemCount - 1)
            let room = tile.x + tile.width..<(next?.x ?? totals?.lowerBound ?? layout.size.width)
            // The horizontal rule ends at the vertical rule after the row, if there is one.
            let end = continues ? room.upperBound : verticalRules.first { !$0.isEdge && room.contains($0.x) }?.x ?? room.lowerBound
            for x in tile.x..<end { cells[x] = true }
        }
        for x in totals ?? 0..<0 { cells[x] = true }
        return cells
    }

    private func paintRule(below field: FieldSpan, isEdge: Bool, _ cells: [Bool], _ down: [VerticalRule], on buffer: inout CellBuffer) {
        let y = field.y + 1
        let plain = layered(theme.gridLine, over: theme.row)
        let delegateStyle = isEdge ? nil : delegate?.style(ofRule: .column(field.id))
        let style = isEdge ? layered(theme.frozenEdge, over: theme.row) : delegateStyle.map { layered($0, over: plain) } ?? plain
        let weight = isEdge ? RuleJoint.Weight.heavy : .light
        let glyph = RuleJoint.horizontal(weight).glyph
        for x in cells.indices where cells[x] { paintRule(glyph, x: x, y: y, style, over: theme.row, on: &buffer) }
        for line in down {
            let isOnTop = line.weight == .heavy || state.metrics.linesOnTop == .vertical && !isEdge
            paintJoint(of: line, y: y, weight, cells, isOnTop ? line.style : style, on: &buffer)
        }
    }

    /// Draws the crossing of a vertical rule and a horizontal rule that covers `cells`.
    private func paintJoint(
        of line: VerticalRule, y: Int, _ weight: RuleJoint.Weight, _ cells: [Bool], _ style: CellStyle, on buffer: inout CellBuffer
    ) {
        func hasRule(_ y: Int) -> Bool { line.range?.contains(y) ?? layout.fields.contains { $0.range.contains(y) } }
        func hasRule(x: Int) -> Bool { cells.indices.contains(x) && cells[x] }
        let joint = RuleJoint(
            up: hasRule(y - 1) ? line.weight : .none, down: hasRule(y + 1) ? line.weight : .none,
            left: hasRule(x: line.x - 1) ? weight : .none,
            right: hasRule(x: line.x + 1) ? weight : .none)
        paintRule(joint.glyph, x: line.x, y: y, style, over: theme.row, on: &buffer)
    }
}
