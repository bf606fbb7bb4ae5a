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
            for y in 0..<min(ruleY, layout.headerHeight) { write("│", x: edge, y: y, width: 1, style: theme.headerLine, on: &buffer) }
        }
        paintCorner(on: &buffer)
        for span in layout.columns {
            let alignment = state.columns[span.index].effectiveAlignment
            paintTitle(span, y: 0, lines: layout.titleLines, ground: min(2, layout.headerHeight), alignment, on: &buffer)
        }
        if layout.headerHeight > layout.titleLines { paintTypes(on: &buffer) }
        if drawnParts.contains(.columnHeaders) {
            let height = min(ruleY, layout.headerHeight)
            for span in layout.columns {
                let style = titleStyle(ofColumn: span.index)
                _ = draw(.columnHeader(span.id), in: box(span, y: 0, height: height), fullHeight: height, style: style, on: &buffer)
            }
        }
        if layout.headerHeight > ruleY { paintRule(on: &buffer) }
        for x in edges {
            let style = layeredInHeader(CellStyle(foreground: theme.frozenEdge.foreground), over: theme.headerLine)
            for y in 0..<layout.headerHeight { write(y == ruleY ? "╂" : "┃", x: x, y: y, width: 1, style: style, on: &buffer) }
        }
        paintMoreMarks(on: &buffer)
    }

    var ruleY: Int { layout.titleLines + 1 }

    private func paintCorner(on buffer: inout CellBuffer) {
        guard layout.rowHeaderWidth > 1, let corner = source?.corner else { return }
        let room = Self.edge(ofRowHeader: layout.rowHeaderWidth)
        let lines = TextWrap.lines(corner.text, width: room, limit: layout.titleLines)
        for (y, text) in lines.enumerated() { write(text, x: 0, y: y, width: room, style: theme.header, on: &buffer) }
    }

    /// The visible part of a column as a span, so that the title stays readable while scrolling.
    private func visiblePart(of span: ColumnSpan) -> ColumnSpan {
        var visiblePart = span
        // The mark for more columns takes the first cell.
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
    ///   - lines: the lines of the title.
    ///   - ground: the lines that have the background of the column's header style.
    func paintTitle(
        _ span: ColumnSpan, y top: Int, lines count: Int, ground: Int, _ alignment: CellAlignment, on buffer: inout CellBuffer
    ) {
        let column = state.columns[span.index]
        let style = titleStyle(ofColumn: span.index)
        if column.headerStyle?.background != nil {
            buffer.fill(rect(x: span.x, y: top, width: span.width, height: ground), style: style.textStyle)
        }
        let badge = sortBadge(of: column.id)
        let badgeText = DisplayWidth.of(badge)
        // A space before the badge, unless the title needs it.
        let free = span.width - badgeText
        let lines = Self.titleLines(column.title, width: span.width, limit: count)
        let last = top + count - 1
        let first = last - lines.count + 1
        for (text, y) in zip(lines, first...last) {
            let wide = DisplayWidth.of(text, limit: span.width)
            let badgeWidth = badge.isEmpty || y != last ? 0 : min(span.width, badgeText + (free > 2 && wide != free ? 1 : 0))
            var room = visiblePart(of: span)
            room.width = max(0, room.width - badgeWidth)
            room.fullWidth = room.width
            if y == last { paintAccessory(of: column, leftOf: span.x + span.width - badgeWidth, y: y, &room, on: &buffer) }
            var alignment = alignment
            if y == first { alignment = paintIcon(of: column, before: text, y: y, &room, alignment, style, on: &buffer) }
            let box = box(room, y: y)
            headerCells.write(text, in: box, y: y, alignment: alignment, style: style, on: &buffer)
            if let matches { cells.paintMatches(matches(text, column.id), in: text, box, y: y, alignment, false, on: &buffer) }
        }
        if !badge.isEmpty {
            write(
                badge, x: span.x + span.width - min(badgeText, span.width), y: last, width: badgeText, style: theme.sortBadge, on: &buffer)
        }
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

    /// Draws an icon before the title and reduces the room of the title.
    /// - Returns: The alignment of the title in its room.
    private func paintIcon(
        of column: Column, before text: String, y: Int, _ room: inout ColumnSpan, _ alignment: CellAlignment, _ style: CellStyle,
        on buffer: inout CellBuffer
    ) -> CellAlignment {
        guard case .icon(let icon) = column.headerItem?.item else { return alignment }
        let glyph = cells.glyphs == .unicode ? icon.glyph : icon.fallback
        let wide = DisplayWidth.of(glyph, limit: room.width) + 1
        guard room.width > wide + 1 else { return alignment }
        let title = DisplayWidth.of(text, limit: room.width - wide)
        let start = room.x + CellPainter.indent(alignment, free: room.width - wide - title)
        write(glyph, x: start, y: y, width: wide - 1, style: icon.style.map { layeredInHeader($0, over: style) } ?? style, on: &buffer)
        room.x = start + wide
        room.width = title
        room.fullWidth = title
        return .leading
    }

    /// The sort badge: ▲ or ▼, with its rank if there are several sort keys; hollow while the sort is pending.
    func sortBadge(of id: ColumnID) -> String {
        func badge(_ sort: [ColumnSort], _ up: String, _ down: String) -> String? {
            guard let rank = sort.firstIndex(where: { $0.column == id }) else { return nil }
            let arrow = sort[rank].isDescending ? down : up
            return sort.count > 1 ? "\(arrow)\(rank + 1)" : arrow
        }
        return badge(state.pendingSort, "△", "▽") ?? badge(state.sort, "▲", "▼") ?? ""
    }

    private func paintTypes(on buffer: inout CellBuffer) {
        for span in layout.columns {
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
        let look = CellAppearance(alignment: alignment, style: style, mark: layeredInHeader(theme.mark, over: style))
        headerCells.paint(CellBody(item, in: column, width: box.fullWidth, lines: 1), in: box, look, on: &buffer)
        return true
    }

    /// The rule under the header. Its bright part is a horizontal scroll bar.
    private static let ruleLength = 64
    private static let rule = String(repeating: "─", count: ruleLength)

    private func paintRule(on buffer: inout CellBuffer) {
        let y = ruleY
        let geometry = layout.geometry
        func line(_ text: String, x: Int, count: Int, style: CellStyle) {
            write(String(repeating: text, count: count), x: x, y: y, width: count, style: style, ellipsis: false, on: &buffer)
        }
        for x in stride(from: 0, to: layout.size.width, by: Self.ruleLength) {
            write(Self.rule, x: x, y: y, width: Self.ruleLength, style: theme.headerLine, ellipsis: false, on: &buffer)
        }
        var thumb = 0..<0
        let thumbStyle = layeredInHeader(theme.scrollBar, over: theme.headerLine)
        if geometry.maximumX > 0, geometry.paneWidth > 1 {
            let count = max(1, geometry.paneWidth * geometry.paneWidth / max(1, geometry.contentWidth))
            let start = (geometry.paneWidth - count) * min(state.scroll.x, geometry.maximumX) / geometry.maximumX
            thumb = geometry.pane.lowerBound + start..<geometry.pane.lowerBound + start + count
            line("━", x: thumb.lowerBound, count: count, style: thumbStyle)
        }
        // Join the rule with the column rules below it.
        for (x, _) in rules {
            let weight = thumb.contains(x) ? LineJoint.Weight.heavy : .light
            let joint = LineJoint(down: .light, left: weight, right: weight)
            line(joint.glyph, x: x, count: 1, style: thumb.contains(x) ? thumbStyle : theme.headerLine)
        }
        if layout.rowHeaderWidth > 1 { line("┼", x: Self.edge(ofRowHeader: layout.rowHeaderWidth), count: 1, style: theme.headerLine) }
    }

    /// Draws ‹ and › if there are more columns at the left or right.
    private func paintMoreMarks(on buffer: inout CellBuffer) {
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
