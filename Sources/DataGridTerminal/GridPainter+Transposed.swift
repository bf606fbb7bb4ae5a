import DataGrid
import TerminalSurface

/// A grid the other way round: rows beside each other, a line for each column.
extension GridPainter {
    /// The titles of the columns, at the left, and the corner above them.
    func paintFieldTitles(on buffer: inout CellBuffer) {
        let width = layout.titleWidth
        buffer.fill(rect(x: 0, y: 0, width: layout.size.width, height: layout.headerHeight), style: theme.header.textStyle)
        buffer.fill(rect(x: 0, y: 0, width: width - 1, height: layout.size.height), style: theme.header.textStyle)
        if layout.headerHeight > 0, let corner = source?.corner {
            write(corner.text, x: 0, y: 0, width: width - 1, style: theme.header, on: &buffer)
        }
        for field in layout.fields {
            let column = state.columns[field.index]
            let isCurrent = state.cursor.column == field.index
            let style = column.headerStyle.map { layInHeader($0, over: theme.header) } ?? (isCurrent ? theme.currentHeader : theme.header)
            var text = column.title
            if let rank = state.sort.firstIndex(where: { $0.column == field.id }) {
                text += (state.sort[rank].isDescending ? " ▼" : " ▲") + (state.sort.count > 1 ? String(rank + 1) : "")
            }
            write(text, x: 0, y: field.y, width: width - 1, style: style, on: &buffer)
        }
    }

    /// A row as a column of the screen: its number above, and its cells below each other.
    func paintTransposedRow(_ position: Int, _ tile: TileSpan, on buffer: inout CellBuffer) {
        let look = look(ofRow: position)
        let row = look.row
        let isCurrent = state.cursor.item == .row(position)
        if layout.headerHeight > 0 {
            let text = source?.rowHeader(row) ?? (row.isCountedFromEnd ? "" : String(row.rawValue + 1))
            let style = isCurrent ? theme.currentHeader : theme.header
            write((state.marks.contains(row) ? "•" : "") + text, x: tile.x, y: 0, width: tile.width, style: style, on: &buffer)
        }
        for field in layout.fields {
            let column = state.columns[field.index]
            let content = source?.content(row: row, column: field.id) ?? .missing
            var layers = layers(of: row, position, column, content, delegate?.style(ofColumn: field.id), look.rowClass, over: look.layers)
            let isCursor = isCurrent && state.cursor.column == field.index
            if isCursor { layers.cursor = theme.cursor }
            let style = resolved(layers)
            buffer.fill(rect(x: tile.x, y: field.y, width: tile.width, height: 1), style: style.textStyle)
            let mark = isCursor ? style : lay(CellStyle(foreground: theme.mark.foreground, traits: theme.mark.traits), over: style)
            let body = CellBody(content, in: column, width: tile.fullWidth, lines: 1)
            // Numbers of different columns stand below each other: only what a column asks for aligns them.
            let box = CellBox(
                x: tile.x, y: field.y, width: tile.width, height: 1, fullWidth: tile.fullWidth,
                isLegible: tile.width == tile.fullWidth || tile.width >= 3)
            let look = CellLook(
                alignment: column.alignment ?? .leading, style: style, mark: mark, isCursor: isCursor,
                matches: matches.map { matches in { matches($0, field.id) } })
            cells.paint(body, in: box, look, on: &buffer)
            if let (change, _) = change(of: row, field.id) { paint(change, of: body, in: box, look, on: &buffer) }
        }
        if let y = layout.accessoryY {
            let ground = resolved(look.layers)
            buffer.fill(rect(x: tile.x, y: y, width: tile.width, height: 1), style: ground.textStyle)
            paintAccessory(row, x: tile.x, y: y, ground, on: &buffer)
        }
    }

    /// A section's header between the rows of a transposed grid: its name at the top, a rule down, and beside that, where there is room, its
    /// aggregates in the lines of their columns. How many rows it has stands behind the name or, where that has no room, above it.
    func paintSectionTile(_ index: Int, _ tile: TileSpan, on buffer: inout CellBuffer) {
        guard let tree = state.outline.tree else { return }
        let section = tree.sections[index]
        var style = lay(theme.sectionHeader, over: theme.row)
        if let own = delegate?.headerStyle(ofSection: index) { style = lay(own, over: style) }
        if state.cursor.item == .header(index) { style = lay(CellStyle(traits: .bold), over: lay(theme.cursor, over: theme.row)) }
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
        for field in layout.fields {
            guard let own = texts[field.id], let strongest = own.first else { continue }
            let start = field.y == top ? x : tile.x + 2
            guard let text = [own.joined(separator: "  "), strongest].first(where: { start + DisplayWidth.of($0) <= end }) else { continue }
            write(text, x: start, y: field.y, width: end - start, style: detail, on: &buffer)
        }
    }
}
