import DataGrid
import TerminalSurface

/// Transposed grids: one column of the screen for each row, one line for each column.
extension GridPainter {
    /// Draws a transposed grid, except a drag.
    func paintTransposed(on buffer: inout CellBuffer) {
        paintFieldTitles(on: &buffer)
        let styles = layout.fields.map { delegate?.style(ofColumn: $0.id) }
        for tile in layout.tiles {
            switch tile.item {
            case .header(let section): paintSectionTile(section, tile, on: &buffer)
            case .row(let position): paintRow(position, tile, styles, on: &buffer)
            }
        }
        paintStrips(on: &buffer)
        paintTransposedRules(on: &buffer)
    }

    /// Draws the column titles at the left, the corner above them and the background of the row header line.
    private func paintFieldTitles(on buffer: inout CellBuffer) {
        buffer.fill(rect(x: 0, y: 0, width: layout.size.width, height: layout.headerHeight), style: theme.header.textStyle)
        let width = layout.titleWidth - 1
        guard width > 0 else { return }
        buffer.fill(rect(x: 0, y: 0, width: width, height: layout.size.height), style: theme.header.textStyle)
        if layout.headerHeight > 0, let corner = source?.corner {
            write(corner.text, x: 0, y: 0, width: width, style: theme.header, on: &buffer)
        }
        for field in layout.fields { paintTitle(field, width: width, on: &buffer) }
    }

    /// Draws a title as in the header of a table, but always with leading alignment. The header item follows if there is room.
    private func paintTitle(_ field: FieldSpan, width: Int, on buffer: inout CellBuffer) {
        let column = state.columns[field.index]
        var span = field.title(width: width)
        if let item = column.headerItem, !item.isIcon {
            let wide = ValueText.width(of: item, in: column, limit: width)
            let title = DisplayWidth.of(column.title, limit: width) + DisplayWidth.of(sortBadge(of: column.id))
            if wide > 0, title + 1 + wide <= width {
                span.width -= wide + 1
                span.fullWidth = span.width
                let box = CellBox(x: width - wide, y: field.y, width: wide, height: 1, fullWidth: wide)
                paintHeaderItem(of: column, in: box, .leading, on: &buffer)
            }
        }
        paintTitle(span, y: field.y, lines: 1, ground: 1, .leading, on: &buffer)
    }

    /// Draws a row as a column of the screen: its header at the top, its cells one below the other.
    /// - Parameter styles: the delegate's styles of the visible columns.
    private func paintRow(_ position: Int, _ tile: TileSpan, _ styles: [CellStyle?], on buffer: inout CellBuffer) {
        let look = look(ofRow: position)
        let row = look.row
        let ground = resolved(groundLayers(look.layers))
        let isCurrent = state.cursor.item == .row(position)
        if layout.headerHeight > 0 {
            let text = source?.rowHeader(row) ?? (row.isCountedFromEnd ? "" : String(row.rawValue + 1))
            let style = isCurrent ? theme.currentHeader : theme.header
            // The mark for more rows takes the first cell.
            let indent = tile.x == 0 && tile.pane == .scrolling && moreRows.before ? 1 : 0
            write(
                (state.marks.contains(row) ? "•" : "") + text, x: tile.x + indent, y: 0, width: tile.width - indent, style: style,
                on: &buffer)
        }
        for (field, columnStyle) in zip(layout.fields, styles) {
            let column = state.columns[field.index]
            let content = source?.content(row: row, column: field.id) ?? .missing
            var layers = layers(of: row, position, column, content, columnStyle, look.rowClass, over: look.layers)
            let isCursor = isCurrent && state.cursor.column == field.index
            if isCursor { layers.cursor = theme.cursor }
            let style = resolved(layers)
            buffer.fill(rect(x: tile.x, y: field.y, width: tile.width), style: style.textStyle)
            if field.height > 1 {
                buffer.fill(rect(x: tile.x, y: field.y + 1, width: tile.width, height: field.height - 1), style: ground.textStyle)
            }
            // Values of different columns are stacked, so a value is aligned only if its column sets an alignment.
            let alignment = column.alignment ?? .leading
            let markRoom = column.changeMarkRoom(alignment, in: tile.fullWidth)
            let body = CellBody(content, in: column, width: tile.fullWidth - markRoom, lines: 1)
            let box = CellBox(
                x: tile.x, y: field.y, width: tile.width, height: 1, fullWidth: tile.fullWidth,
                isLegible: tile.width == tile.fullWidth || tile.width >= 3)
            let look = self.look(of: style, isCursor: isCursor, alignment: alignment, matchesIn: field.id)
            paint(body, in: box, look, markedChange(of: row, column), of: column, markRoom: markRoom, on: &buffer)
        }
        if let y = layout.accessoryY {
            buffer.fill(rect(x: tile.x, y: y, width: tile.width, height: 1), style: ground.textStyle)
            paintAccessory(row, x: tile.x, y: y, ground, on: &buffer)
        }
    }

    /// Draws a section header between the rows of a transposed grid.
    ///
    /// The name is at the top, above a vertical rule. Aggregates are in the lines of their columns, if there is room. The row count follows
    /// the name or, without room, is above it. The moving title follows, or uses the first line without an aggregate.
    private func paintSectionTile(_ index: Int, _ tile: TileSpan, on buffer: inout CellBuffer) {
        guard let tree = state.outline.tree else { return }
        let section = tree.sections[index]
        var style = tile.pane == .stuck ? theme.stuckSectionHeader : lay(theme.sectionHeader, over: theme.row)
        if let own = delegate?.headerStyle(ofSection: index) { style = lay(own, over: style) }
        if state.cursor.item == .header(index) { style = lay(CellStyle(traits: .bold), over: cursorStyle) }
        let top = layout.headerHeight
        let end = tile.x + tile.width
        let rule = lay(theme.gridLine, over: theme.row)
        for y in top + 1..<max(top + 1, layout.size.height) { write("│", x: tile.x, y: y, width: 1, style: rule, on: &buffer) }

        let name = (state.outline.collapsed[index] ? "▸ " : "▾ ") + (section.title.isEmpty ? "(empty)" : section.title)
        var x = tile.x + write(name, x: tile.x, y: top, width: tile.width, style: style, on: &buffer) + 2
        let quiet = CellStyle(foreground: theme.sectionDetail.foreground, traits: theme.sectionDetail.traits)
        let detail = lay(quiet, over: theme.row)
        let size = size(of: section)
        if x + DisplayWidth.of(size) <= end {
            x += write(size, x: x, y: top, width: end - x, style: detail, on: &buffer) + 2
        } else if top > 0, DisplayWidth.of(size) <= tile.width {
            write(size, x: tile.x, y: top - 1, width: tile.width, style: layInHeader(quiet, over: theme.header), on: &buffer)
        }
        let texts = aggregates(of: index)
        if let moving = source?.scrollingTitle(ofSection: index), !moving.isEmpty {
            if x + DisplayWidth.of(moving) <= end {
                x += write(moving, x: x, y: top, width: end - x, style: detail, on: &buffer) + 2
            } else if let field = layout.fields.first(where: { $0.y > top && texts[$0.id] == nil }) {
                write(moving, x: tile.x + 2, y: field.y, width: end - tile.x - 2, style: detail, on: &buffer)
            }
        }
        for field in layout.fields {
            guard let own = texts[field.id], let (text, start) = place(own, from: field.y == top ? x : tile.x, to: end, field.y == top)
            else { continue }
            write(text, x: start, y: field.y, width: end - start, style: detail, on: &buffer)
        }
    }

    /// The longest form of a column's aggregates that fits, and its position. Without enough room, these are dropped in
    /// turn: the other aggregates, the space after the rule, the name of the function and the rule.
    private func place(_ own: [String], from x: Int, to end: Int, _ isBehindName: Bool) -> (text: String, x: Int)? {
        guard let strongest = own.first else { return nil }
        let subtotal = String(strongest.drop { $0 != " " }.dropFirst())
        let indents = isBehindName ? [0] : [2, 1]
        let forms =
            [own.joined(separator: "  ")].map { ($0, indents[0]) } + indents.map { (strongest, $0) } + indents.map { (subtotal, $0) }
        let all = isBehindName ? forms : forms + [(subtotal, 0)]
        return all.first { !$0.0.isEmpty && x + $0.1 + DisplayWidth.of($0.0) <= end }.map { ($0.0, x + $0.1) }
    }
}
