import DataGrid
import TerminalSurface

extension GridPainter {
    /// - Parameter isHighlighted: true if the row or a visible cell is highlighted.
    func paintRow(_ position: Int, _ line: ItemSpan, _ frameStyles: FrameStyles, isHighlighted: Bool, on buffer: inout CellBuffer) {
        let row = state.rows[position]
        let rowClass = themeClass(named: source?.styleClass(ofRow: row))
        let layers = layers(ofRow: row, at: position, rowClass)
        let surroundingLayers = surroundingLayers(layers)
        let rowStyle = resolved(surroundingLayers)
        buffer.fill(rect(x: 0, y: line.y, width: layout.size.width, height: line.height), style: rowStyle.textStyle)
        // Lay out the text as in the whole row, even if the end of the pane clips it.
        let lines = line.fullHeight - (state.metrics.gridLines.hasRowRules ? 1 : 0)
        let source = source
        func cell(_ index: Int) -> (content: CellContent, body: CellBody) {
            let span = layout.columns[index]
            // Reuse content that was read for the layout, because each cell is read only once per frame.
            let content = contentHeights?.readContent(of: source, row, span.id) ?? source?.content(row: row, column: span.id) ?? .missing
            let limit = lines > 1 && state.wraps(span) ? lines : 1
            let width = span.fullWidth - frameStyles.markRooms[index]
            return (content, CellBody(content, in: frameStyles.columns[index], width: width, lines: limit))
        }
        // A row of single lines is centered vertically; a row of several lines starts at its top.
        let preparedCells = lines > 1 ? layout.columns.indices.map { cell($0) } : []
        let isWrapped = preparedCells.contains { !$0.body.otherLines.isEmpty }
        let textY = line.y + (isWrapped ? 0 : min(max(0, lines - 1) / 2, line.height - 1))
        let rowAppearance = self.appearance(of: rowStyle, isCursor: false)
        let isSelecting = !state.selection.isEmpty
        let isCurrent = state.cursor.item == .row(position)
        var cells: [StyleLayers] = []
        for (index, span) in layout.columns.enumerated() {
            let (content, body) = preparedCells.isEmpty ? cell(index) : preparedCells[index]
            var appearance = rowAppearance
            appearance.alignment = frameStyles.alignments[index]
            let isCursor = isCurrent && state.cursor.column == span.index
            // Most cells have the style of their row, which is already computed.
            if !frameStyles.areCellsPlain || isHighlighted || frameStyles.hasOwnStyle[index] || isCursor || content.styleClass != nil {
                var cell = self.layers(
                    of: row, position, frameStyles.columns[index], content, frameStyles.columnStyles[index], rowClass, over: layers)
                if isSelecting { cells.append(cell) }
                if isCursor { cell.cursor = theme.cursor }
                if cell.hasCellLayers || cell.rowHighlight != surroundingLayers.rowHighlight {
                    appearance = self.appearance(of: resolved(cell), isCursor: isCursor)
                    appearance.alignment = frameStyles.alignments[index]
                    buffer.fill(rect(x: span.x, y: line.y, width: span.width, height: line.height), style: appearance.style.textStyle)
                }
            }
            paintCell(row, index, frameStyles, body, appearance, line, textY: textY, on: &buffer)
        }
        if isSelecting { joinSelection(line, surroundingLayers, cells, on: &buffer) }
        if let x = layout.accessoryX { paintAccessory(row, x: x, y: textY, rowStyle, on: &buffer) }
        paintRowHeader(row, position, line, textY: textY, rowStyle, on: &buffer)
        paintRules(row, line, rowStyle, frameStyles, on: &buffer)
    }

    /// The style layers that all cells of a row, and the spaces between them, have in common.
    func layers(ofRow row: RowID, at position: Int, _ rowClass: ThemeClass?) -> StyleLayers {
        var layers = StyleLayers()
        layers.row = theme.row
        if isAlternate(position) { layers.alternateRow = theme.alternateRow }
        let section = state.outline.section(of: .row(position))
        layers.section = section.flatMap { delegate?.style(ofSection: $0) }
        layers.delegateRow = delegate?.style(ofRow: row)
        layers.rowClass = rowClass?.normal
        if !highlights.isEmpty {
            let level = highlights.level(ofRow: row, at: now)
            if level > 0 { layers.rowHighlight = theme.updatedRow.faded(to: level, of: highlights.steps) }
        }
        return layers
    }

    func themeClass(named name: String?) -> ThemeClass? { name.flatMap { theme.classes[$0] } }

    /// The style layers of a cell, except the cursor.
    func layers(
        of row: RowID, _ position: Int, _ column: Column, _ content: CellContent, _ columnStyle: CellStyle?, _ rowClass: ThemeClass?,
        over rowLayers: StyleLayers
    ) -> StyleLayers {
        var layers = rowLayers
        if !column.highlightsChanges { layers.rowHighlight = nil }
        layers.column = column.style
        layers.delegateColumn = columnStyle
        let contentClass = themeClass(named: content.styleClass)
        layers.cellClass = contentClass?.normal
        layers.delegateCell = delegate?.style(ofRow: row, column: column.id)
        if let (change, level) = highlight(of: row, column) {
            let style =
                switch change {
                case .update: theme.update
                case .rise: theme.rise
                case .fall: theme.fall
                }
            layers.highlight = style.faded(to: level, of: highlights.steps)
        }
        if !state.selection.isEmpty, state.selection.contains(row: position, column: column.id) {
            layers.selection = theme.selection
            layers.selectedRowClass = rowClass?.selected
            layers.selectedCellClass = contentClass?.selected
        }
        return layers
    }

    private func highlight(of row: RowID, _ column: Column) -> (change: Highlights.Change, level: Int)? {
        highlights.isEmpty || !column.highlightsChanges ? nil : highlights.change(ofRow: row, column: column.id, at: now)
    }

    /// The change whose mark a cell shows: its last change if the column keeps marks, otherwise its highlighted change.
    func markedChange(of row: RowID, _ column: Column) -> Highlights.Change? {
        column.keepsChangeMarks ? changeMarks.mark(ofRow: row, column: column.id) : highlight(of: row, column)?.change
    }

    /// Fills the spaces between adjacent selected cells, so that a block of selected cells has no gaps.
    ///
    /// A space has the row's layers, and the column and cell layers that both neighbors share.
    private func joinSelection(_ line: ItemSpan, _ row: StyleLayers, _ cells: [StyleLayers], on buffer: inout CellBuffer) {
        for index in layout.columns.indices.dropLast() {
            let (span, next) = (layout.columns[index], layout.columns[index + 1])
            let (left, right) = (cells[index], cells[index + 1])
            guard next.index == span.index + 1, left.selection != nil, right.selection != nil else { continue }
            var gap = left
            func useSharedLayer(_ layer: WritableKeyPath<StyleLayers, CellStyle?>) {
                if left[keyPath: layer] != right[keyPath: layer] { gap[keyPath: layer] = row[keyPath: layer] }
            }
            for layer in [
                \StyleLayers.column, \.delegateColumn, \.cellClass, \.delegateCell, \.rowHighlight, \.highlight, \.selectedCellClass,
            ] {
                useSharedLayer(layer)
            }
            let area = rect(x: span.range.upperBound, y: line.y, width: next.x - span.range.upperBound, height: line.height)
            buffer.fill(area, style: resolved(gap).textStyle)
        }
    }

    /// True for every second row of a section, which has the style of alternate rows.
    private func isAlternate(_ position: Int) -> Bool {
        guard let tree = state.outline.tree, let leaf = tree.innermostSection(containing: position) else { return position % 2 == 1 }
        return (position - tree.rows(of: leaf).lowerBound) % 2 == 1
    }

    private func paintRowHeader(
        _ row: RowID, _ position: Int, _ line: ItemSpan, textY: Int, _ rowStyle: CellStyle, on buffer: inout CellBuffer
    ) {
        let width = layout.rowHeaderWidth
        let ownText = source?.rowHeader(row)
        guard width > 1 else { return }
        let isCurrent = state.cursor.item == .row(position)
        let style = layered(isCurrent ? theme.currentRowHeader : theme.rowHeader, over: rowStyle)
        let edge = Self.edge(ofRowHeader: width)
        let text = ownText ?? Self.number(of: row, width: edge)
        let free = max(0, edge - DisplayWidth.of(text))
        write(text, x: free, y: textY, width: edge, style: style, on: &buffer)
        if state.marks.contains(row) {
            write("•", x: 0, y: textY, width: 1, style: layered(theme.currentRowHeader, over: rowStyle), on: &buffer)
        }
        // Draw the rule after the row number in the style of the row number, because text of one style takes fewer bytes.
        let other = layered(theme.rowHeader, over: rowStyle)
        for y in line.range { write("│", x: edge, y: y, width: 1, style: y == textY ? style : other, on: &buffer) }
    }

    /// The number of a row, counted from 1, or a mark if the number is wider than `width`. Rows that are counted from the end have no
    /// number until the row count is known.
    static func number(of row: RowID, width: Int) -> String {
        let text = row.isCountedFromEnd ? "" : String(row.number + 1)
        return text.utf8.count > width ? "…" : text
    }

    /// The x coordinate of the rule after the row numbers. A space follows the rule if there is room.
    static func edge(ofRowHeader width: Int) -> Int { width > 3 ? width - 2 : width - 1 }

    /// The appearance of cell content with a resolved style.
    /// - Parameter column: the column whose search matches are marked; `nil` for none.
    func appearance(
        of style: CellStyle, isCursor: Bool, alignment: CellAlignment = .leading, matchesIn column: ColumnID? = nil
    ) -> CellAppearance {
        // A mark such as `…` has the background of the cell, so that it is legible. Under the cursor, it also has its text color.
        let mark = isCursor ? style : layered(CellStyle(foreground: theme.mark.foreground, traits: theme.mark.traits), over: style)
        var appearance = CellAppearance(alignment: alignment, style: style, mark: mark, isCursor: isCursor)
        if let matches, let column { appearance.matches = { matches($0, column) } }
        return appearance
    }

    private func paintCell(
        _ row: RowID, _ index: Int, _ frameStyles: FrameStyles, _ body: CellBody, _ appearance: CellAppearance, _ line: ItemSpan,
        textY: Int,
        on buffer: inout CellBuffer
    ) {
        let span = layout.columns[index]
        if drawnParts.contains(.cells) {
            let lines = line.fullHeight - (state.metrics.gridLines.hasRowRules ? 1 : 0)
            let fullBox = box(span, y: line.y, height: min(line.height, lines))
            if draw(.cell(row, span.id), in: fullBox, fullHeight: lines, style: appearance.style, on: &buffer) { return }
        }
        var appearance = appearance
        if let matches { appearance.matches = { matches($0, span.id) } }
        let box = box(span, y: textY, height: line.range.upperBound - textY)
        let change = markedChange(of: row, frameStyles.columns[index])
        paintCellBody(
            body, in: box, appearance, change, of: frameStyles.columns[index], markRoom: frameStyles.markRooms[index], on: &buffer)
    }
}

extension StyleLayers {
    var hasCellLayers: Bool {
        column != nil || delegateColumn != nil || cellClass != nil || delegateCell != nil || highlight != nil || selection != nil
            || cursor != nil
    }
}
