import DataGrid
import TerminalSurface

/// Transposed grids: one column of the screen for each row, one line for each column.
extension GridPainter {
    /// Draws a transposed grid, without the marks of a drag.
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
        if let y = layout.rowHeaderY { buffer.fill(rect(x: 0, y: y, width: layout.size.width), style: theme.header.textStyle) }
        let width = layout.titleWidth - 1
        guard width > 0 else { return }
        buffer.fill(rect(x: 0, y: 0, width: width, height: layout.size.height), style: theme.header.textStyle)
        if let y = layout.rowHeaderY, let corner = source?.corner {
            write(corner.text, x: 0, y: y, width: width, style: theme.header, on: &buffer)
        }
        for field in layout.fields {
            let box = CellBox(x: 0, y: field.y, width: width, height: 1, fullWidth: width)
            let isDrawn = draw(
                .columnHeader(field.id), in: box, fullHeight: 1, style: titleStyle(ofColumn: field.index), on: &buffer)
            if !isDrawn { paintTitle(field, width: width, on: &buffer) }
        }
    }

    /// Draws a title as in the header of a table, but always with leading alignment. The header item follows if there is room.
    private func paintTitle(_ field: FieldSpan, width: Int, on buffer: inout CellBuffer) {
        let column = state.columns[field.index]
        var span = field.title(width: width)
        if let item = column.headerItem, !item.isIcon {
            let textWidth = ValueText.width(of: item, in: column, limit: width)
            let title = DisplayWidth.of(column.title, limit: width) + DisplayWidth.of(sortBadge(of: column.id))
            if textWidth > 0, title + 1 + textWidth <= width {
                span.width -= textWidth + 1
                span.fullWidth = span.width
                let box = CellBox(x: width - textWidth, y: field.y, width: textWidth, height: 1, fullWidth: textWidth)
                paintHeaderItem(of: column, in: box, .leading, on: &buffer)
            }
        }
        paintTitle(span, y: field.y, lines: 1, backgroundLines: 1, .leading, on: &buffer)
    }

    /// Draws a row as a column of the screen: its header at the top, its cells one below the other.
    /// - Parameter styles: the delegate's styles of the visible columns.
    private func paintRow(_ position: Int, _ tile: TileSpan, _ styles: [CellStyle?], on buffer: inout CellBuffer) {
        let appearance = self.appearance(ofRow: position)
        let row = appearance.row
        let rowStyle = resolved(surroundingLayers(appearance.layers))
        let isCurrent = state.cursor.item == .row(position)
        if let y = layout.rowHeaderY {
            let style = isCurrent ? theme.currentHeader : theme.header
            // The mark ‹, which shows that there are more rows, takes the first cell.
            let indent = tile.x == 0 && tile.pane == .scrolling && moreRows.before ? 1 : 0
            let mark = state.marks.contains(row) ? "•" : ""
            let room = tile.width - indent
            let text = mark + (source?.rowHeader(row) ?? Self.number(of: row, width: room - mark.count))
            write(text, x: tile.x + indent, y: y, width: room, style: style, on: &buffer)
        }
        for (field, columnStyle) in zip(layout.fields, styles) {
            let column = state.columns[field.index]
            let content = source?.content(row: row, column: field.id) ?? .missing
            var layers = layers(of: row, position, column, content, columnStyle, appearance.rowClass, over: appearance.layers)
            let isCursor = isCurrent && state.cursor.column == field.index
            if isCursor { layers.cursor = theme.cursor }
            let style = resolved(layers)
            buffer.fill(rect(x: tile.x, y: field.y, width: tile.width), style: style.textStyle)
            if field.height > 1 {
                buffer.fill(rect(x: tile.x, y: field.y + 1, width: tile.width, height: field.height - 1), style: rowStyle.textStyle)
            }
            // In a transposed grid, values of different columns are stacked. A value is aligned only if its column sets an alignment.
            let alignment = column.alignment ?? .leading
            let markRoom = column.widthForChangeMark(alignment, in: tile.fullWidth)
            let body = CellBody(content, in: column, width: tile.fullWidth - markRoom, lines: 1)
            let box = CellBox(
                x: tile.x, y: field.y, width: tile.width, height: 1, fullWidth: tile.fullWidth,
                isLegible: tile.width == tile.fullWidth || tile.width >= 3)
            if draw(.cell(row, field.id), in: box, fullHeight: 1, style: style, on: &buffer) { continue }
            let appearance = self.appearance(of: style, isCursor: isCursor, alignment: alignment, matchesIn: field.id)
            paintCellBody(body, in: box, appearance, markedChange(of: row, column), of: column, markRoom: markRoom, on: &buffer)
        }
        if let y = layout.accessoryY {
            buffer.fill(rect(x: tile.x, y: y, width: tile.width, height: 1), style: rowStyle.textStyle)
            paintAccessory(row, x: tile.x, y: y, rowStyle, on: &buffer)
        }
    }

    /// Draws the header of a section in a transposed grid.
    ///
    /// The title of an open section spans its rows, with a rule before them. A collapsed section has room for its aggregates in the lines
    /// of their columns.
    private func paintSectionTile(_ index: Int, _ tile: TileSpan, on buffer: inout CellBuffer) {
        guard let tree = state.outline.tree else { return }
        let section = tree.sections[index]
        let (style, detail) = headerStyles(ofSection: index, isStuck: tile.pane == .stuck)
        if tile.pane != .stuck {
            let rule = layered(theme.gridLine, over: theme.row)
            for y in max(layout.headerHeight, tile.y + 1)..<max(layout.headerHeight, layout.size.height) {
                write("│", x: tile.x, y: y, width: 1, style: rule, on: &buffer)
            }
        }
        buffer.fill(rect(x: tile.x, y: tile.y, width: tile.width), style: style.textStyle)
        let fullBox = CellBox(x: tile.x, y: tile.y, width: tile.width, height: tile.height, fullWidth: tile.fullWidth)
        if draw(.sectionHeader(index), in: fullBox, fullHeight: tile.fullHeight, style: style, on: &buffer) { return }
        guard tile.fullHeight > 1 else {
            return paintTitle(of: index, y: tile.y, from: tile.x, to: tile.x + tile.width, style, detail, on: &buffer)
        }
        let end = tile.x + tile.width
        let x = tile.x + write(title(of: section, index), x: tile.x, y: tile.y, width: tile.width, style: style, on: &buffer) + 2
        let size = rowCountText(of: section)
        let quiet = layered(CellStyle(foreground: theme.sectionDetail.foreground, traits: theme.sectionDetail.traits), over: theme.row)
        if x + DisplayWidth.of(size) <= end {
            write(size, x: x, y: tile.y, width: end - x, style: detail, on: &buffer)
        } else if tile.y + 1 < layout.headerHeight, DisplayWidth.of(size) <= tile.width {
            let isInHeader = tile.y + 1 == layout.rowHeaderY
            write(
                size, x: tile.x, y: tile.y + 1, width: tile.width, style: isInHeader ? layeredInHeader(quiet, over: theme.header) : quiet,
                on: &buffer)
        }
        let aggregates = aggregates(of: index)
        if let moving = source?.scrollingTitle(ofSection: index),
            let free = layout.fields.first(where: { $0.y > tile.y && texts($0.id, aggregates).isEmpty })
        {
            write(moving, x: tile.x + 2, y: free.y, width: max(0, tile.width - 2), style: quiet, on: &buffer)
        }
        for field in layout.fields where field.y > tile.y {
            let texts = texts(field.id, aggregates)
            guard !texts.isEmpty else { continue }
            let hasNoRoom = DisplayWidth.of(texts[0]) + 2 > tile.width
            paintAggregateTexts(texts, y: field.y, from: tile.x + (hasNoRoom ? 1 : 2), to: end, style: quiet, on: &buffer)
        }
    }
}
