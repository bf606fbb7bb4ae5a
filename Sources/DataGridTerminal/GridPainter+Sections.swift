public import DataGrid
import FieldValues
import TerminalSurface

extension GridPainter {
    /// Draws a section header: toggle, name, row count, and aggregates under their columns.
    func paintSectionHeader(_ index: Int, _ line: ItemSpan, on buffer: inout CellBuffer) {
        guard state.outline.tree != nil else { return }
        let (base, detail) = headerStyles(ofSection: index, isStuck: line.pane == .stuck)
        buffer.fill(rect(x: 0, y: line.y, width: layout.size.width, height: line.height), style: base.textStyle)
        let fullBox = CellBox(x: 0, y: line.y, width: layout.rowEnd, height: line.height, fullWidth: layout.rowEnd)
        if draw(.sectionHeader(index), in: fullBox, fullHeight: line.fullHeight, style: base, on: &buffer) { return }
        // Center the title vertically, as in rows.
        let y = line.y + min((line.fullHeight - 1) / 2, line.height - 1)
        paintTitle(of: index, y: y, from: layout.toggleX(of: index), to: layout.rowEnd, base, detail, on: &buffer)
    }

    /// The styles of a section header: one for the section's name, one for everything else.
    func headerStyles(ofSection index: Int, isStuck: Bool) -> (name: CellStyle, detail: CellStyle) {
        if state.cursor.item == .header(index) { return (layered(CellStyle(traits: .bold), over: cursorStyle), cursorStyle) }
        var base = isStuck ? theme.stuckSectionHeader : layered(theme.sectionHeader, over: theme.row)
        if let delegateStyle = delegate?.headerStyle(ofSection: index) { base = layered(delegateStyle, over: base) }
        let quiet = theme.sectionDetail
        return (base, CellStyle(foreground: quiet.foreground, background: base.background, traits: quiet.traits))
    }

    /// Draws the toggle, the name, the row count and the aggregates of a section in one line.
    func paintTitle(
        of index: Int, y: Int, from start: Int, to right: Int, _ base: CellStyle, _ detail: CellStyle, on buffer: inout CellBuffer
    ) {
        guard let section = state.outline.tree?.sections[index] else { return }
        var x = start
        x += write(title(of: section, index), x: x, y: y, width: right - x, style: base, on: &buffer)
        let size = "  " + rowCountText(of: section)
        // The room for the mark that replaces hidden aggregates.
        let aggregates = aggregates(of: index)
        let mark = aggregates.columns.contains { !texts($0, aggregates).isEmpty } ? 3 : 0
        guard x + DisplayWidth.of(size) + mark <= right else {
            // The mark replaces the row count and everything after it.
            if x + 2 <= right { write(" …", x: x, y: y, width: right - x, style: detail, on: &buffer) }
            return
        }
        x += write(size, x: x, y: y, width: right - x, style: detail, on: &buffer)
        x = paintScrollingTitle(of: index, y: y, from: x + 2, to: right - mark, style: detail, on: &buffer)
        paintAggregates(aggregates, y: y, from: x, to: right, style: detail, on: &buffer)
    }

    /// The toggle and the name of a section.
    func title(of section: Section, _ index: Int) -> String {
        (state.outline.collapsed[index] ? "▸ " : "▾ ") + (section.title.isEmpty ? "(empty)" : section.title)
    }

    func rowCountText(of section: Section) -> String {
        let count = section.rows.count
        let noun = source?.rowNoun ?? RowNoun()
        return "\(ValueText.count(count)) \(count == 1 ? noun.one : noun.many)"
    }

    /// Draws the part of a section title that scrolls with the columns. It starts after the name, or at the first scrolling column if
    /// that is further right. A mark replaces a number that is cut.
    /// - Returns: The first free position after it.
    private func paintScrollingTitle(
        of section: Int, y: Int, from x: Int, to right: Int, style: CellStyle, on buffer: inout CellBuffer
    ) -> Int {
        guard let text = source?.scrollingTitle(ofSection: section), !text.isEmpty else { return x }
        // On cards, columns neither scroll nor are frozen.
        let isTable = layout.presentation == .table
        let pane = isTable ? layout.geometry.pane : 0..<right
        let textWidth = DisplayWidth.of(text)
        let low = max(x, pane.lowerBound)
        let start = low - (isTable ? state.scroll.x : 0)
        let width = min(start + textWidth, min(right, pane.upperBound)) - low
        guard width > 0 else { return x }
        let (shown, end) = Self.withoutTruncatedNumbers(text, in: low - start..<low - start + width, of: textWidth)
        let box = CellBox(
            x: low, y: y, width: max(1, end - (low - start)), height: 1, clippedLeading: low - start, fullWidth: textWidth)
        cells.write(shown, in: box, y: y, alignment: .leading, style: style, on: &buffer)
        return low + box.width + 2
    }

    /// Changes text that is only partly visible, so that no visible number lacks digits.
    ///
    /// Blanks replace a number that is cut at the start. If a number is cut at the end, its first cell shows the mark, and `end` is the
    /// cell after the mark. The mark at a cut takes the first or the last visible cell, and never touches a number.
    private static func withoutTruncatedNumbers(_ text: String, in visible: Range<Int>, of width: Int) -> (text: String, end: Int) {
        var words: [String] = []
        var (end, x) = (visible.upperBound, 0)
        for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
            let wordWidth = DisplayWidth.of(word)
            let isNumber = word.utf8.contains { (0x30...0x39).contains($0) }
            if isNumber, visible.upperBound < width, x < end - 1, x + wordWidth >= end - 1 { end = x + 1 }
            let isCut = visible.lowerBound > 0 && x <= visible.lowerBound + 1 && x + wordWidth > visible.lowerBound
            words.append(isNumber && isCut ? String(repeating: " ", count: wordWidth) : word)
            x += wordWidth + 1
        }
        return (words.joined(separator: " "), end)
    }

    /// Draws each column's aggregates under the column, if the column is fully visible and all its aggregates fit.
    ///
    /// The other aggregates follow the title, with the names of their columns, in the space before the first aggregate that is drawn under
    /// its column. Texts are created only for visible columns, and for the aggregates that fit after the title.
    private func paintAggregates(
        _ all: HeaderAggregates, y: Int, from x: Int, to right: Int, style: CellStyle, on buffer: inout CellBuffer
    ) {
        var free = x
        var placed: [(column: ColumnID, text: String, start: Int)] = []
        var isCrowded = false
        for span in layout.columns where span.width == span.fullWidth {
            let texts = texts(span.id, all, alignsLast: true)
            guard !texts.isEmpty else { continue }
            let text = texts.joined(separator: "  ")
            let width = DisplayWidth.of(text)
            // Aggregates that are wider than their column extend to the left of it.
            let start = span.range.upperBound - width
            guard start >= free, start + width <= right else {
                isCrowded = true
                continue
            }
            placed.append((span.id, text, start))
            free = span.range.upperBound + 2
        }
        func textsWithNames(fitting width: Int) -> [String] { namedTexts(all, except: Set(placed.map(\.column)), fitting: width) }
        // If an ellipsis does not fit before the first aggregate under its column, that aggregate also follows the title.
        while let first = placed.first, first.start - Self.minimumGap <= x, !textsWithNames(fitting: 0).isEmpty { placed.removeFirst() }
        // An aggregate without a column name belongs to the column above it. To the right of a column name, it could be misread as an
        // aggregate of the named column. In this case, and if some aggregates would be hidden, all of them follow the title, provided that
        // all of them fit there.
        func fits(_ names: [String], _ width: Int) -> Bool { names.isEmpty || DisplayWidth.of(names.joined(separator: "  ")) <= width }
        let ends = [Self.namesGap, Self.minimumGap].map { gap in placed.first.map { $0.start - gap } ?? right }
        let fittingEnd = ends.first { fits(textsWithNames(fitting: $0 - x), $0 - x) }
        var end = fittingEnd ?? ends[1]
        if isCrowded || fittingEnd == nil, !placed.isEmpty, fits(namedTexts(all, fitting: right - x), right - x) {
            (placed, end) = ([], right)
        }
        for (_, text, start) in placed { write(text, x: start, y: y, width: right - start, style: style, on: &buffer) }
        paintAggregateTexts(textsWithNames(fitting: end - x), y: y, from: x, to: end, style: style, on: &buffer)
    }

    /// The space between aggregates with names and the first aggregate under its column, if there is room.
    private static let namesGap = 4
    private static let minimumGap = 2

    /// The aggregates of a section for each column, even of columns that are scrolled out.
    func aggregates(of section: Int) -> HeaderAggregates {
        guard let tree = state.outline.tree else { return HeaderAggregates(columns: []) { _ in [] } }
        guard tree.aggregates.isEmpty else {
            return HeaderAggregates(columns: tree.aggregateColumns) { tree.aggregates(of: section, column: $0) }
        }
        let all = source?.aggregates(ofSection: section) ?? []
        let values = Dictionary(grouping: all, by: \.aggregate.column)
        return HeaderAggregates(columns: SectionTree.columns(of: all.map(\.aggregate))) { values[$0] ?? [] }
    }

    /// The texts of a column's aggregates, except aggregates without a value; empty for a hidden column.
    /// - Parameter alignsLast: true to keep the spaces that align the decimal separator of the last text with the separators in the cells
    ///   of its column.
    func texts(_ id: ColumnID, _ aggregates: HeaderAggregates, alignsLast: Bool = false) -> [String] {
        let values = aggregates.valuesOfColumn(id).filter { !$0.value.isNaN }
        guard !values.isEmpty, let column = state.columns[id], !column.isHidden else { return [] }
        return values.enumerated().map { place, value in
            alignsLast && place == values.count - 1
                ? Self.alignedText(of: value, in: column, source: source) : Self.text(of: value, in: column, source: source)
        }
    }

    /// The aggregates as texts. The first text of each column starts with the name of the column. The list ends with the first text that no
    /// longer fits in `width` terminal cells.
    private func namedTexts(_ aggregates: HeaderAggregates, except placed: Set<ColumnID> = [], fitting width: Int) -> [String] {
        var names: [String] = []
        var used = -2
        for id in aggregates.columns where !placed.contains(id) {
            for (place, text) in texts(id, aggregates).enumerated() {
                names.append(place == 0 ? "\(state.columns[id]?.title ?? "") \(text)" : text)
                used += 2 + DisplayWidth.of(names[names.count - 1])
                if used > width { return names }
            }
        }
        return names
    }

    /// Writes as many of `texts` as fit, then a mark if some do not fit. Numbers are never cut.
    func paintAggregateTexts(_ texts: [String], y: Int, from x: Int, to end: Int, style: CellStyle, on buffer: inout CellBuffer) {
        for count in (0...texts.count).reversed() where !texts.isEmpty {
            let mark = count == texts.count ? "" : count == 0 ? "…" : " …"
            let text = texts.prefix(count).joined(separator: "  ") + mark
            let width = DisplayWidth.of(text)
            guard width <= end - x else { continue }
            write(text, x: x, y: y, width: width, style: style, on: &buffer)
            return
        }
    }

    /// The text of an aggregate, with the name of its function. An aggregate whose value is a cell, such as the first value, has the format
    /// of its column.
    /// - Parameter column: the column of the aggregate; `nil` if it no longer exists.
    public static func text(of subtotal: SectionAggregate, in column: Column?, source: (any GridDataSource)?) -> String {
        var text = alignedText(of: subtotal, in: column, source: source)
        while text.last == " " { text.removeLast() }
        return text
    }

    /// ``text(of:in:source:)`` with the spaces that align its decimal separator with the separators in the cells of its column.
    private static func alignedText(of subtotal: SectionAggregate, in column: Column?, source: (any GridDataSource)?) -> String {
        let aggregate = subtotal.aggregate
        let name = aggregate.function.rawValue
        guard aggregate.function.returnsCell else { return "\(name) \(number(of: subtotal, in: column))" }
        guard let column, let content = source?.content(row: RowID(Int(subtotal.value)), column: aggregate.column) else { return name }
        let text = content.condition == .missing ? "·" : ValueText.display(content, in: column)
        return "\(name) \(text.isEmpty ? "(empty)" : text)"
    }

    /// The text of a numeric aggregate in the format of its column. Aggregates of temporal columns are dates or times, and counts are plain
    /// numbers.
    public nonisolated static func number(of subtotal: SectionAggregate, in column: Column?) -> String {
        let notation = column?.notation ?? .point
        let format = column?.format ?? ValueFormat()
        let function = subtotal.aggregate.function
        if let kind = column?.kind, kind.isTemporal, function.resultHasColumnKind {
            return subtotal.roundedInteger.map { DateText.text(ofMicroseconds: $0, kind: kind) } ?? ""
        }
        func number(_ digits: Int, atLeast minimum: Int, groupsThousands: Bool) -> String {
            if let exact = subtotal.exact {
                return NumberText.text(
                    of: exact, notation, maximumFractionDigits: digits, minimumFractionDigits: minimum, groupsThousands: groupsThousands)
            }
            return NumberText.text(
                of: subtotal.value, notation, maximumFractionDigits: digits, minimumFractionDigits: minimum,
                groupsThousands: groupsThousands)
        }
        switch function {
        case .count, .distinct, .first, .last: return number(0, atLeast: 0, groupsThousands: true)
        case .share: return NumberText.percentage(number(6, atLeast: 6, groupsThousands: false), notation, fractionDigits: 1...1) ?? ""
        case .sum, .min, .max, .mean, .standardDeviation, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99:
            if format.isPercentage, let column {
                let fraction = number(40, atLeast: 0, groupsThousands: false)
                return ValueText.percentage(fraction, in: column) ?? fraction
            }
            // Computed numbers get at least two decimals, unless the format sets the number of decimals.
            let room = format.reservedFractionDigits
            let isLimited = format.fractionDigits != nil && room > 0
            let isComputed = ![.sum, .min, .max].contains(function)
            let digits = isComputed && !isLimited ? max(2, room) : room
            if let exact = subtotal.exact {
                return NumberText.textWithUnit(
                    of: exact, notation, maximumFractionDigits: digits, minimumFractionDigits: digits,
                    groupsThousands: format.groupsThousands)
            }
            return NumberText.textWithUnit(
                of: subtotal.value, notation, maximumFractionDigits: digits, minimumFractionDigits: digits,
                groupsThousands: format.groupsThousands)
        }
    }
}

/// The aggregates that the header of a section shows.
struct HeaderAggregates {
    /// The columns with aggregates, in the order of their first aggregates. Each column occurs once.
    let columns: [ColumnID]
    /// The aggregates of a column with their values. O(aggregates of the column).
    let valuesOfColumn: (ColumnID) -> [SectionAggregate]
}
