import DataGrid
import TerminalSurface

/// Drawing of a drag: a tint over the dragged rows or column, and a mark at the target.
extension GridPainter {
    func paintDrag(on buffer: inout CellBuffer) {
        guard case .reorder(let reordering) = state.drag, let target = reordering.target else { return }
        switch reordering.subject {
        case .column(let id) where state.effectivePresentation == .transposed: paintLineDrag(of: id, to: target, on: &buffer)
        case .rows(let range) where state.effectivePresentation != .table: paintTileDrag(of: range, to: target, on: &buffer)
        case .column(let id): paintDrag(of: id, to: target, on: &buffer)
        case .rows(let range): paintDrag(of: range, to: target, on: &buffer)
        }
    }

    private func tint(x: Int, y: Int, width: Int, height: Int, on buffer: inout CellBuffer) {
        buffer.restyle(rect(x: x, y: y, width: width, height: height)) { $0 = layered(theme.dragTint, over: CellStyle($0)).textStyle }
    }

    /// Marks a boundary without a rule by underlining the line above it.
    private func underline(x: Int, y: Int, width: Int, on buffer: inout CellBuffer) {
        let mark = theme.insertionMark.textStyle
        buffer.restyle(rect(x: x, y: y, width: width, height: 1)) {
            $0.foreground = mark.foreground
            $0.attributes.insert(.underline)
        }
    }

    private func paintDrag(of id: ColumnID, to target: Int, on buffer: inout CellBuffer) {
        let bottom = layout.itemSpans.last?.range.upperBound ?? layout.headerHeight
        if let span = layout.columns.first(where: { $0.id == id }) { tint(x: span.x, y: 0, width: span.width, height: bottom, on: &buffer) }
        // The mark is left of the column after the target or, if that column is not visible, right of the column before the target.
        let before = layout.columns.first { $0.index == target }.map { $0.x - 1 }
        let after = layout.columns.last { $0.index < target }.map { $0.range.upperBound }
        guard let x = (before ?? after).map({ max(0, min($0, layout.size.width - 1)) }) else { return }
        for y in 0..<bottom { write("┃", x: x, y: y, width: 1, style: theme.insertionMark, on: &buffer) }
    }

    private func paintDrag(of range: Range<Int>, to target: Int, on buffer: inout CellBuffer) {
        let width = layout.rowEnd
        func line(ofRow position: Int) -> ItemSpan? { layout.itemSpans.first { $0.item == .row(position) } }
        for line in layout.itemSpans {
            guard case .row(let position) = line.item, range.contains(position) else { continue }
            tint(x: 0, y: line.y, width: width, height: line.height, on: &buffer)
        }
        // When dragging down, the mark is below the row before the target; when dragging up, above the row at the target. So the mark is
        // always next to a row in the section of the dragged rows.
        let y = target > range.lowerBound ? line(ofRow: target - 1).map { $0.range.upperBound - 1 } : line(ofRow: target).map { $0.y - 1 }
        guard let y, y >= 0 else { return }
        // Without rules between rows, the row above the boundary is underlined instead.
        let isRule = y >= layout.headerHeight && state.metrics.gridLines.hasRowRules
        if isRule {
            write(String(repeating: "━", count: width), x: 0, y: y, width: width, style: theme.insertionMark, ellipsis: false, on: &buffer)
        } else {
            underline(x: 0, y: y, width: width, on: &buffer)
        }
        guard layout.rowHeaderWidth > 1 else { return }
        let end = CellStyle(traits: isRule ? [] : .underline)
        write(
            "┷", x: Self.edge(ofRowHeader: layout.rowHeaderWidth), y: y, width: 1, style: layered(end, over: theme.insertionMark),
            on: &buffer)
    }

    // MARK: Cards and transposed rows

    /// Marks the target of a dragged column in a transposed grid by an underline, above or below a line.
    private func paintLineDrag(of id: ColumnID, to target: Int, on buffer: inout CellBuffer) {
        let width = layout.rowEnd
        if let field = layout.fields.first(where: { $0.id == id }) { tint(x: 0, y: field.y, width: width, height: 1, on: &buffer) }
        guard let from = state.columns.index(of: id) else { return }
        func line(_ index: Int) -> Int? { layout.fields.first { $0.index == index }?.y }
        guard let y = target > from ? line(target - 1) : line(target).map({ $0 - 1 }), y >= 0 else { return }
        underline(x: 0, y: y, width: width, on: &buffer)
    }

    /// Marks the target of dragged tiles: before the tile at the target when dragging back, after it when dragging forward.
    private func paintTileDrag(of range: Range<Int>, to target: Int, on buffer: inout CellBuffer) {
        var xs: Set<Int> = []
        for tile in layout.tiles {
            guard case .row(let position) = tile.item else { continue }
            xs.insert(tile.x)
            if range.contains(position) { tint(x: tile.x, y: tile.y, width: tile.width, height: tile.height, on: &buffer) }
        }
        let isForward = target > range.lowerBound
        guard let tile = layout.tiles.first(where: { $0.item == .row(isForward ? target - 1 : target) }) else { return }
        let y = isForward ? tile.y + tile.height : tile.y - 1
        // If the cards are in one column, the mark is a line between two cards. The first card may lack such a line above it.
        guard layout.presentation == .cards, xs.count == 1, y >= 0 else {
            let x = isForward ? min(tile.x + tile.width, layout.rowEnd - 1) : max(0, tile.x - 1)
            for y in tile.y..<tile.y + tile.height { write("┃", x: x, y: y, width: 1, style: theme.insertionMark, on: &buffer) }
            return
        }
        let isFree = layout.pane.contains(y) && !layout.tiles.contains { ($0.y..<$0.y + $0.height).contains(y) }
        guard isFree else { return underline(x: tile.x, y: isForward ? y - 1 : y, width: tile.width, on: &buffer) }
        let rule = String(repeating: "━", count: tile.width)
        write(rule, x: tile.x, y: y, width: tile.width, style: theme.insertionMark, ellipsis: false, on: &buffer)
    }
}
