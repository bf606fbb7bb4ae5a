import DataGrid
import TerminalSurface

extension GridPainter {
    /// Cards, or the rows of a transposed grid, with what stands around them.
    func paintTiles(on buffer: inout CellBuffer) {
        buffer.fill(rect(x: 0, y: 0, width: layout.size.width, height: layout.size.height), style: theme.row.textStyle)
        if layout.presentation == .transposed { paintTransposed(on: &buffer) } else { paintCards(on: &buffer) }
        paintScrollBar(on: &buffer)
        paintDrag(on: &buffer)
    }

    /// What all cells of a card or a transposed row share.
    struct RowLook {
        var row: RowID
        var position: Int
        var rowClass: ThemeClass?
        var layers: StyleLayers
    }

    func look(ofRow position: Int) -> RowLook {
        let row = state.rows[position]
        let rowClass = themeClass(named: source?.styleClass(ofRow: row))
        return RowLook(row: row, position: position, rowClass: rowClass, layers: layers(ofRow: row, at: position, rowClass))
    }

    // MARK: Cards

    private func paintCards(on buffer: inout CellBuffer) {
        let binding = CardBinding(state.columns)
        for tile in layout.tiles {
            switch tile.item {
            case .header(let section): paintSectionHeader(section, tile.line, on: &buffer)
            case .row(let position): paintCard(position, tile, binding, on: &buffer)
            }
        }
        paintFrozenCardsEdge(on: &buffer)
        paintStrips(on: &buffer)
    }

    /// The lower edge of the frozen cards stands in the gap below them; where there is none it takes no line away.
    private func paintFrozenCardsEdge(on buffer: inout CellBuffer) {
        guard let last = layout.tiles.last(where: { $0.pane == .frozen }) else { return }
        let y = last.y + last.height
        let width = layout.rowEnd
        guard !last.item.isHeader, state.metrics.cards.spacing.height > 0 else {
            return buffer.restyle(rect(x: 0, y: y - 1, width: width)) { $0.attributes.insert(.underline) }
        }
        let rule = String(repeating: "━", count: width)
        write(rule, x: 0, y: y, width: width, style: lay(theme.frozenEdge, over: theme.row), ellipsis: false, on: &buffer)
    }

    /// A card: its ground, and what stands in its slots.
    private func paintCard(_ position: Int, _ tile: TileSpan, _ binding: CardBinding, on buffer: inout CellBuffer) {
        var look = look(ofRow: position)
        // Cards have gaps between them, and every second one need not be told from the first.
        look.layers.alternateRow = nil
        let isCursor = state.cursor.item == .row(position)
        if !state.selection.isEmpty, state.columns.visible.contains(where: { state.selection.contains(row: position, column: $0.id) }) {
            look.layers.selection = theme.selection
            look.layers.selectedRowClass = look.rowClass?.selected
        }
        let ground = resolved(look.layers)
        buffer.fill(rect(x: tile.x, y: tile.y, width: tile.width, height: tile.height), style: ground.textStyle)
        // The edge of a card says which one the cursor is on; the text keeps its colours.
        let edge = lay(isCursor ? theme.insertionMark : theme.gridLine, over: ground)
        for y in tile.y..<tile.y + tile.height { write(isCursor ? "▌" : "▏", x: tile.x, y: y, width: 1, style: edge, on: &buffer) }

        var x = tile.x + 2
        var end = tile.x + tile.width
        if let place = layout.accessoryPlace(ofCard: tile) {
            if place.y < tile.y + tile.height { paintAccessory(look.row, x: place.x, y: place.y, ground, on: &buffer) }
            end = place.x - 1
        }
        for slot in [CardSlot.icon, .detailImage] {
            guard let width = paint(slot, binding, look, at: (x, tile.y), width: end - x, isTrailing: false, on: &buffer) else { continue }
            x += width + 1
        }
        let statuses: [(line: Int, slots: [CardSlot])] = [(0, [.status, .statusImage]), (1, [.substatus, .substatusImage])]
        var ends = [end, end, end]
        for (line, slots) in statuses where line < tile.height {
            guard let slot = slots.first(where: { binding[$0] != nil }) else { continue }
            // The text of the line keeps half.
            let most = max(0, (end - x) / 2)
            if let width = paint(slot, binding, look, at: (end - most, tile.y + line), width: most, isTrailing: true, on: &buffer) {
                ends[line] = end - width - 2
            }
        }
        for (line, slot) in [CardSlot.headline, .subheadline, .footnote].enumerated() where line < tile.height {
            _ = paint(slot, binding, look, at: (x, tile.y + line), width: ends[line] - x, isTrailing: false, on: &buffer)
        }
    }

    /// Paints what stands in a slot.
    /// - Returns: the terminal cells it takes; `nil` when no column stands there, or it says nothing.
    private func paint(
        _ slot: CardSlot, _ binding: CardBinding, _ look: RowLook, at place: (x: Int, y: Int), width: Int, isTrailing: Bool,
        on buffer: inout CellBuffer
    ) -> Int? {
        guard let id = binding[slot], let column = state.columns[id], width > 0 else { return nil }
        let content = source?.content(row: look.row, column: id) ?? .missing
        let wide = ValueText.width(of: content, in: column, limit: width)
        guard content.condition != .missing, wide > 0 else { return nil }
        var style = resolved(
            layers(of: look.row, look.position, column, content, delegate?.style(ofColumn: id), look.rowClass, over: look.layers))
        switch slot {
        case .headline: style.traits.insert(.bold)
        case .footnote, .substatus:
            style = lay(CellStyle(foreground: theme.sectionDetail.foreground, traits: theme.sectionDetail.traits), over: style)
        default: break
        }
        let box = CellBox(x: isTrailing ? place.x + width - wide : place.x, y: place.y, width: wide, height: 1, fullWidth: wide)
        let mark = lay(CellStyle(foreground: theme.mark.foreground, traits: theme.mark.traits), over: style)
        let cellLook = CellLook(alignment: .leading, style: style, mark: mark, matches: matches.map { matches in { matches($0, id) } })
        cells.paint(CellBody(content, in: column, width: wide, lines: 1), in: box, cellLook, on: &buffer)
        if let (change, _) = change(of: look.row, id), slot != .icon, slot != .detailImage {
            // Before what stands at the end there are blanks; what stands at the beginning may have all of its room.
            let behind = box.x + min(wide + 1, width - 1)
            if isTrailing || wide < width { paint(change, x: isTrailing ? box.x - 1 : behind, y: box.y, cellLook, on: &buffer) }
        }
        return wide
    }
}
