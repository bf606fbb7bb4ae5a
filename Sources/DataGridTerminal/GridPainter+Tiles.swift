import DataGrid
import FieldValues
import TerminalSurface

extension GridPainter {
    /// Draws cards, or the rows of a transposed grid, with their marks, scroll bar and drag. Only cards slide after a change.
    func paintTiles(
        on buffer: inout CellBuffer, _ previous: inout PaintedFrame?, keepsFrame: Bool, moving: RowAnimation.PaneLines?
    ) {
        previous = nil
        buffer.fill(rect(x: 0, y: 0, width: layout.size.width, height: layout.size.height), style: theme.row.textStyle)
        if layout.presentation == .transposed {
            paintTransposed(on: &buffer)
            paintTransposedMarks(on: &buffer)
        } else {
            paintCards(on: &buffer)
            if keepsFrame {
                let frame = rect(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
                previous = PaintedFrame(self, nil, levels: [], frame: frame, on: buffer)
            }
            if let moving, let previous { moving.copy(from: previous, to: &buffer) }
            paintFrozenCardsEdge(on: &buffer)
            paintStrips(on: &buffer)
            paintScrollBar(on: &buffer)
            paintOverflowMarks(on: &buffer)
        }
        paintEmptyText(on: &buffer)
        paintDrag(on: &buffer)
    }

    /// The properties that all cells of a card or transposed row have in common.
    struct RowAppearance {
        var row: RowID
        var position: Int
        var rowClass: ThemeClass?
        var layers: StyleLayers
    }

    func appearance(ofRow position: Int) -> RowAppearance {
        let row = state.rows[position]
        let rowClass = themeClass(named: source?.styleClass(ofRow: row))
        return RowAppearance(row: row, position: position, rowClass: rowClass, layers: layers(ofRow: row, at: position, rowClass))
    }

    // MARK: Cards

    private func paintCards(on buffer: inout CellBuffer) {
        for tile in layout.tiles {
            switch tile.item {
            case .header(let section): paintSectionHeader(section, tile.itemSpan, on: &buffer)
            case .row(let position): paintCard(position, tile, on: &buffer)
            }
        }
    }

    /// Draws the lower edge of the frozen cards in the gap below them or, without a gap, as an underline.
    private func paintFrozenCardsEdge(on buffer: inout CellBuffer) {
        guard let last = layout.tiles.last(where: { $0.pane == .frozenTop }) else { return }
        let y = last.y + last.height
        let width = layout.rowEnd
        guard !last.item.isHeader, state.metrics.cards.spacing.height > 0 else {
            return buffer.restyle(rect(x: 0, y: y - 1, width: width)) { $0.attributes.insert(.underline) }
        }
        let rule = String(repeating: "━", count: width)
        write(rule, x: 0, y: y, width: width, style: layered(theme.frozenEdge, over: theme.row), ellipsis: false, on: &buffer)
    }

    private func paintCard(_ position: Int, _ tile: TileSpan, on buffer: inout CellBuffer) {
        var appearance = self.appearance(ofRow: position)
        // Gaps separate cards, so they need no alternating backgrounds.
        appearance.layers.alternateRow = state.metrics.cards.hasBackground ? theme.card : nil
        let isCursor = state.cursor.item == .row(position)
        let (slots, selection) = (layout.slots, state.selection)
        if !selection.isEmpty, !slots.isEmpty, slots.allSatisfy({ selection.contains(row: position, column: $0.id) }) {
            appearance.layers.selection = theme.selection
            appearance.layers.selectedRowClass = appearance.rowClass?.selected
        }
        let rowStyle = resolved(surroundingLayers(appearance.layers))
        buffer.fill(rect(x: tile.x, y: tile.y, width: tile.width, height: tile.height), style: rowStyle.textStyle)
        paintEdge(of: tile, isCursor: isCursor, rowStyle, on: &buffer)
        if let point = layout.accessoryPoint(ofCard: tile), point.y < tile.y + tile.height {
            paintAccessory(appearance.row, x: point.x, y: point.y, rowStyle, on: &buffer)
        }
        for slot in layout.slots(of: tile) where slot.cardLine < tile.height {
            paintSlot(
                slot, appearance, x: tile.x + slot.x, y: tile.y + slot.cardLine, lines: min(slot.height, tile.height - slot.cardLine),
                isCursor: isCursor && state.cursor.column == slot.index, on: &buffer)
        }
    }

    /// Draws the edge of a card. Its style shows whether the card has the cursor; the text keeps its colors.
    private func paintEdge(of tile: TileSpan, isCursor: Bool, _ rowStyle: CellStyle, on buffer: inout CellBuffer) {
        let style = layered(isCursor ? theme.insertionMark : theme.gridLine, over: rowStyle)
        let lines = tile.y..<tile.y + tile.height
        func paintSide(_ glyph: String, x: Int) { for y in lines { write(glyph, x: x, y: y, width: 1, style: style, on: &buffer) } }
        switch state.metrics.cards.edge {
        case .none: if isCursor { paintSide("▌", x: tile.x) }
        case .line: paintSide(isCursor ? "▌" : "▏", x: tile.x)
        case .box:
            guard tile.width > 1 else { return paintSide(isCursor ? "┃" : "│", x: tile.x) }
            paintSide(isCursor ? "┃" : "│", x: tile.x)
            paintSide(isCursor ? "┃" : "│", x: tile.x + tile.width - 1)
            let rule = String(repeating: isCursor ? "━" : "─", count: tile.width - 2)
            let (top, bottom) = isCursor ? ("┏\(rule)┓", "┗\(rule)┛") : ("┌\(rule)┐", "└\(rule)┘")
            write(top, x: tile.x, y: tile.y, width: tile.width, style: style, ellipsis: false, on: &buffer)
            guard tile.isWhole else { return }
            write(bottom, x: tile.x, y: lines.upperBound - 1, width: tile.width, style: style, ellipsis: false, on: &buffer)
        }
    }

    /// Draws the content of a cell on a card. A missing or null value leaves the area empty. Text wraps if the area has several lines.
    /// - Parameter lines: the number of visible lines.
    private func paintSlot(
        _ slot: SlotSpan, _ appearance: RowAppearance, x: Int, y: Int, lines: Int, isCursor: Bool, on buffer: inout CellBuffer
    ) {
        let column = state.columns[slot.index]
        let content = source?.content(row: appearance.row, column: slot.id) ?? .missing
        var layers = layers(
            of: appearance.row, appearance.position, column, content, delegate?.style(ofColumn: slot.id), appearance.rowClass,
            over: appearance.layers)
        if isCursor { layers.cursor = theme.cursor }
        var style = resolved(layers)
        if layers.hasCellLayers || layers.rowHighlight != surroundingLayers(appearance.layers).rowHighlight {
            buffer.fill(rect(x: x, y: y, width: slot.width, height: lines), style: style.textStyle)
        }
        let fullBox = CellBox(x: x, y: y, width: slot.width, height: lines, fullWidth: slot.width)
        if draw(.cell(appearance.row, slot.id), in: fullBox, fullHeight: slot.height, style: style, on: &buffer) { return }
        let textWidth = ValueText.width(of: content, in: column, limit: slot.width)
        guard content.condition != .missing, content.condition != .null, textWidth > 0 else { return }
        switch slot.slot {
        case .headline: style.traits.insert(.bold)
        case .footnote, .substatus:
            // The faint color of details is not legible on a selection or a highlight.
            if !isCursor, layers.selection == nil, layers.highlight == nil, layers.rowHighlight == nil {
                style = layered(CellStyle(foreground: theme.sectionDetail.foreground, traits: theme.sectionDetail.traits), over: style)
            }
        default: break
        }
        let box = CellBox(x: slot.isTrailing ? x + slot.width - textWidth : x, y: y, width: textWidth, height: lines, fullWidth: textWidth)
        let cellAppearance = self.appearance(of: style, isCursor: isCursor, matchesIn: slot.id)
        cells.paintBody(
            CellBody(content, in: column, width: textWidth, lines: column.kind == .text ? slot.height : 1), in: box, cellAppearance,
            on: &buffer)
        if let change = markedChange(of: appearance.row, column), slot.slot != .icon, slot.slot != .detailImage {
            // Keep a space before trailing text; leading text may fill its area.
            let afterText = x + min(textWidth + 1, slot.width - 1)
            if slot.isTrailing || textWidth < slot.width {
                paintChangeMark(change, x: slot.isTrailing ? box.x - 1 : afterText, y: y, cellAppearance, on: &buffer)
            }
        }
    }
}
