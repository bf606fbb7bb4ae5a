import DataGrid
import FieldValues
import TerminalSurface

extension GridPainter {
    func paintHeader(on buffer: inout CellBuffer) {
        guard layout.headerHeight > 0 else { return }
        let width = layout.size.width
        buffer.fill(rect(x: 0, y: 0, width: width, height: layout.headerHeight), style: theme.header.textStyle)
        if layout.rowHeaderWidth > 1 {
            let edge = Self.edge(ofRowHeader: layout.rowHeaderWidth)
            for y in 0..<layout.headerHeight { write("│", x: edge, y: y, width: 1, style: theme.headerLine, on: &buffer) }
        }
        paintEdges(on: &buffer)
        paintCorner(on: &buffer)
        for span in layout.columns where isLegible(span) {
            let alignment = state.columns[span.index].effectiveAlignment
            paintTitle(span, y: 0, lines: layout.titleLines, backgroundLines: min(2, layout.headerHeight), alignment, on: &buffer)
        }
        if layout.headerHeight > layout.titleLines { paintTypes(on: &buffer) }
        if drawnParts.contains(.columnHeaders) {
            let height = layout.headerHeight
            for span in layout.columns {
                let style = titleStyle(ofColumn: span.index)
                _ = draw(.columnHeader(span.id), in: box(span, y: 0, height: height), fullHeight: height, style: style, on: &buffer)
            }
        }
        if layout.headerHeight > layout.titleLines { paintThumb(on: &buffer) }
        paintHiddenColumnMarks(on: &buffer)
    }

    private func paintCorner(on buffer: inout CellBuffer) {
        guard layout.rowHeaderWidth > 1, let corner = source?.corner else { return }
        let room = Self.edge(ofRowHeader: layout.rowHeaderWidth)
        let lines = TextWrap.lines(corner.text, width: room, limit: layout.titleLines)
        for (y, text) in lines.enumerated() { write(text, x: 0, y: y, width: room, style: theme.header, on: &buffer) }
    }

    /// The visible part of a column, in which the title is drawn so that it stays readable while scrolling.
    private func visiblePart(of span: ColumnSpan) -> ColumnSpan {
        var visiblePart = span
        // The mark ‹, which shows that there are more columns, takes the first cell.
        if layout.presentation == .table, span.x == 0, layout.geometry.pane.lowerBound == 0, state.scroll.x > 0, span.width > 1 {
            visiblePart.x += 1
            visiblePart.width -= 1
        }
        visiblePart.clippedLeading = 0
        visiblePart.fullWidth = visiblePart.width
        return visiblePart
    }

    func titleStyle(ofColumn index: Int) -> CellStyle {
        let style = index == state.cursor.column ? theme.currentHeader : theme.header
        return state.columns[index].headerStyle.map { layeredInHeader($0, over: style) } ?? style
    }

    /// Draws the title of a column: its icon, text, accessory and sort badge.
    /// - Parameters:
    ///   - count: the number of lines of the title.
    ///   - backgroundLines: the number of lines that have the background of the column's header style.
    func paintTitle(
        _ span: ColumnSpan, y top: Int, lines count: Int, backgroundLines: Int, _ alignment: CellAlignment, on buffer: inout CellBuffer
    ) {
        let column = state.columns[span.index]
        let style = titleStyle(ofColumn: span.index)
        if column.headerStyle?.background != nil {
            buffer.fill(rect(x: span.x, y: top, width: span.width, height: backgroundLines), style: style.textStyle)
        }
        let badge = sortBadge(of: column.id)
        let lines = Self.titleLines(column.title, width: span.width, limit: count)
        let last = top + count - 1
        let first = last - lines.count + 1
        for (text, y) in zip(lines, first...last) {
            var (room, alignment) = (visiblePart(of: span), alignment)
            let end = room.x + room.width
            if y == last { paintAccessory(of: column, leftOf: end, y: y, &room, on: &buffer) }
            if y == last, !badge.isEmpty {
                // The badge may use the space after the column, but not the cell of a rule or edge in this space.
                let hasSpace = !span.isClippedTrailing && layout.presentation == .table && column.accessory == .none
                let spare = hasSpace ? max(0, min(state.metrics.columnSpacing - 1, layout.rowEnd - end)) : 0
                paintBadge(badge, after: text, of: column, y: y, &room, spare: spare, alignment, on: &buffer)
                alignment = .leading
            }
            if y == first { alignment = paintIcon(of: column, before: text, y: y, &room, alignment, style, on: &buffer) }
            let box = box(room, y: y)
            headerCells.write(text, in: box, y: y, alignment: alignment, style: style, on: &buffer)
            if let matches { cells.paintMatches(matches(text, column.id), in: text, box, y: y, alignment, false, on: &buffer) }
        }
    }

    /// Draws the sort badge directly after a title, with a space if there is room. Reduces `room` to the part for the title. The title is
    /// truncated to make room for arrow and rank. If not even its first cell would fit, only the arrow is drawn.
    /// - Parameter spare: the number of cells after `room` that the badge may also use.
    private func paintBadge(
        _ badge: String, after text: String, of column: Column, y: Int, _ room: inout ColumnSpan, spare: Int, _ alignment: CellAlignment,
        on buffer: inout CellBuffer
    ) {
        var title = DisplayWidth.of(text, limit: room.width)
        if case .icon(let icon) = column.headerItem?.item {
            title = min(room.width, title + DisplayWidth.of(cells.glyphs == .unicode ? icon.glyph : icon.fallback, limit: room.width) + 1)
        }
        let badge = min(title, 1) + DisplayWidth.of(badge) <= room.width + spare ? badge : String(badge.prefix(1))
        let badgeWidth = DisplayWidth.of(badge)
        let gap = title + 1 + badgeWidth <= room.width ? 1 : 0
        let total = min(title + gap + badgeWidth, room.width + spare)
        title = max(0, total - gap - badgeWidth)
        room.x += CellPainter.indent(alignment, unusedWidth: max(0, room.width - total))
        room.width = title
        room.fullWidth = title
        write(badge, x: room.x + title + gap, y: y, width: badgeWidth, style: theme.sortBadge, on: &buffer)
    }

    /// The lines of a title, at least one.
    private static func titleLines(_ title: String, width: Int, limit: Int) -> [String] {
        guard limit > 1, width > 0 else { return [title] }
        return TextWrap.lines(title, width: width, limit: limit)
    }

    /// Draws the column's accessory at the end of the title, if the title is wide enough.
    private func paintAccessory(of column: Column, leftOf end: Int, y: Int, _ room: inout ColumnSpan, on buffer: inout CellBuffer) {
        guard let glyph = cells.glyphs.glyph(of: column.accessory), room.width > 4 else { return }
        write(glyph, x: end - 1, y: y, width: 1, style: layeredInHeader(theme.accessory, over: theme.header), on: &buffer)
        room.width -= 2
        room.fullWidth = room.width
    }

    /// Draws an icon before the title, and reduces `room` to the part for the title.
    /// - Returns: The alignment of the title in its room.
    private func paintIcon(
        of column: Column, before text: String, y: Int, _ room: inout ColumnSpan, _ alignment: CellAlignment, _ style: CellStyle,
        on buffer: inout CellBuffer
    ) -> CellAlignment {
        guard case .icon(let icon) = column.headerItem?.item else { return alignment }
        let glyph = cells.glyphs == .unicode ? icon.glyph : icon.fallback
        let glyphWidth = DisplayWidth.of(glyph, limit: room.width) + 1
        guard room.width > glyphWidth + 1 else { return alignment }
        let title = DisplayWidth.of(text, limit: room.width - glyphWidth)
        let start = room.x + CellPainter.indent(alignment, unusedWidth: room.width - glyphWidth - title)
        write(
            glyph, x: start, y: y, width: glyphWidth - 1, style: icon.style.map { layeredInHeader($0, over: style) } ?? style, on: &buffer)
        room.x = start + glyphWidth
        room.width = title
        room.fullWidth = title
        return .leading
    }

    /// The sort badge: ▲ or ▼, with its rank if there are several sort keys. The arrow is hollow while sorting is in progress.
    func sortBadge(of id: ColumnID) -> String {
        func badge(_ sort: [ColumnSort], _ up: String, _ down: String) -> String? {
            guard let rank = sort.firstIndex(where: { $0.column == id }) else { return nil }
            let arrow = sort[rank].isDescending ? down : up
            return sort.count > 1 ? "\(arrow)\(rank + 1)" : arrow
        }
        return badge(state.pendingSort, "△", "▽") ?? badge(state.sort, "▲", "▼") ?? ""
    }

    private func paintTypes(on buffer: inout CellBuffer) {
        for span in layout.columns where isLegible(span) {
            let column = state.columns[span.index]
            let style = typeStyle(of: column)
            let y = layout.titleLines
            let box = box(visiblePart(of: span), y: y)
            if !paintHeaderItem(of: column, in: box, column.effectiveAlignment, on: &buffer) {
                headerCells.write(
                    ValueText.typeName(column), in: box, y: y, alignment: column.effectiveAlignment, style: style, on: &buffer)
            }
        }
    }

    /// The style of the line below a title: the color of the column's type.
    private func typeStyle(of column: Column) -> CellStyle {
        let style =
            switch column.kind {
            case .integer, .decimal: theme.numberType
            case .date, .dateTime, .time: theme.timeType
            case .flag: theme.flagType
            case .text: theme.textType
            }
        return layeredInHeader(CellStyle(background: column.headerStyle?.background), over: style)
    }

    /// Draws the header item of a column.
    /// - Returns: True if the column has an item other than an icon. Icons are drawn in the title's line.
    @discardableResult
    func paintHeaderItem(of column: Column, in box: CellBox, _ alignment: CellAlignment, on buffer: inout CellBuffer) -> Bool {
        guard let item = column.headerItem, !item.isIcon else { return false }
        let style = typeStyle(of: column)
        let appearance = CellAppearance(alignment: alignment, style: style, mark: layeredInHeader(theme.mark, over: style))
        headerCells.paintBody(CellBody(item, in: column, width: box.fullWidth, lines: 1), in: box, appearance, on: &buffer)
        return true
    }

    /// Draws a horizontal scroll bar by underlining a part of the last header line, if not all columns fit.
    private func paintThumb(on buffer: inout CellBuffer) {
        let geometry = layout.geometry
        guard geometry.maximumX > 0, geometry.paneWidth > 1 else { return }
        let count = max(1, geometry.paneWidth * geometry.paneWidth / max(1, geometry.contentWidth))
        let start = (geometry.paneWidth - count) * min(state.scroll.x, geometry.maximumX) / geometry.maximumX
        buffer.restyle(rect(x: geometry.pane.lowerBound + start, y: layout.headerHeight - 1, width: count, height: 1)) {
            $0.attributes.insert(.underline)
        }
    }

    /// Draws the rules between columns, or thin edges in the space after them, and the edges of the frozen panes.
    private func paintEdges(on buffer: inout CellBuffer) {
        let (edges, spacing) = (edges, state.metrics.columnSpacing)
        func paintEdge(_ glyph: String, x: Int, _ style: CellStyle) {
            for y in 0..<layout.headerHeight { write(glyph, x: x, y: y, width: 1, style: style, on: &buffer) }
        }
        if state.metrics.gridLines.hasColumnRules {
            for rule in rules { paintEdge("│", x: rule.x, theme.headerLine) }
        } else if state.metrics.showsColumnEdges, spacing > 0 {
            for span in layout.columns where !span.isClippedTrailing {
                let x = span.range.upperBound + spacing - 1
                if x < layout.rowEnd, !edges.contains(where: { abs($0 - x) <= spacing }) { paintEdge("│", x: x, theme.headerLine) }
            }
        }
        for x in edges { paintEdge("┃", x: x, layeredInHeader(CellStyle(foreground: theme.frozenEdge.foreground), over: theme.headerLine)) }
    }

    /// Draws ‹ and › if there are more columns at the left or right.
    private func paintHiddenColumnMarks(on buffer: inout CellBuffer) {
        let geometry = layout.geometry
        guard geometry.paneWidth > 3 else { return }
        if state.scroll.x > 0 {
            write("‹", x: max(0, geometry.pane.lowerBound - 1), y: 0, width: 1, style: theme.sortBadge, on: &buffer)
        }
        if state.scroll.x < geometry.maximumX {
            write("›", x: min(geometry.pane.upperBound, layout.size.width - 1), y: 0, width: 1, style: theme.sortBadge, on: &buffer)
        }
    }
}

extension CellContent {
    var isIcon: Bool { if case .icon = item { true } else { false } }
}
