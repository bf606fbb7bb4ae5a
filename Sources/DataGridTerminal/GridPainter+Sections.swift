public import DataGrid
import FieldValues
import TerminalSurface

extension GridPainter {
    /// Draws a section header: toggle, name, row count, and aggregates under their columns.
    func paintSectionHeader(_ index: Int, _ line: ItemSpan, on buffer: inout CellBuffer) {
        guard let tree = state.outline.tree else { return }
        let section = tree.sections[index]
        let isCurrent = state.cursor.item == .header(index)
        let isStuck = line.pane == .stuck
        var base = isStuck ? theme.stuckSectionHeader : lay(theme.sectionHeader, over: theme.row)
        if let own = delegate?.headerStyle(ofSection: index) { base = lay(own, over: base) }
        let quiet = theme.sectionDetail
        var detail = CellStyle(foreground: quiet.foreground, background: base.background, traits: quiet.traits)
        if isCurrent {
            base = lay(CellStyle(traits: .bold), over: cursorStyle)
            detail = cursorStyle
        }
        buffer.fill(rect(x: 0, y: line.y, width: layout.size.width, height: line.height), style: base.textStyle)
        let whole = CellBox(x: 0, y: line.y, width: layout.rowEnd, height: line.height, fullWidth: layout.rowEnd)
        if draw(.sectionHeader(index), in: whole, fullHeight: line.fullHeight, style: base, on: &buffer) { return }

        // Centered vertically, like rows.
        let y = line.y + min((line.fullHeight - 1) / 2, line.height - 1)
        let right = layout.rowEnd
        var x = layout.toggleX(of: index)
        x += write(state.outline.collapsed[index] ? "▸ " : "▾ ", x: x, y: y, width: right - x, style: base, on: &buffer)
        let name = section.title.isEmpty ? "(empty)" : section.title
        x += write(name, x: x, y: y, width: right - x, style: base, on: &buffer)
        x += write("  " + size(of: section), x: x, y: y, width: right - x, style: detail, on: &buffer)

        x = paintMovingTitle(of: index, y: y, from: x + 2, to: right, style: detail, on: &buffer)
        if layout.presentation == .table {
            paintAggregates(of: index, y: y, from: x, to: right, style: detail, on: &buffer)
        } else {
            paintInline(aggregates(ofCards: index), y: y, in: [x..<max(x, right)], style: detail, on: &buffer)
        }
    }

    func size(of section: Section) -> String {
        let count = section.rows.count
        let noun = source?.rowNoun ?? RowNoun()
        return "\(ValueText.count(count)) \(count == 1 ? noun.one : noun.many)"
    }

    /// Draws the moving title, which scrolls with the columns. It starts after the name, or at the first scrolling column if that is
    /// further right.
    /// - Returns: The first free position after it.
    private func paintMovingTitle(
        of section: Int, y: Int, from x: Int, to right: Int, style: CellStyle, on buffer: inout CellBuffer
    ) -> Int {
        guard let text = source?.scrollingTitle(ofSection: section), !text.isEmpty else { return x }
        // With cards, there are no frozen and no scrolling columns.
        let isTable = layout.presentation == .table
        let pane = isTable ? layout.geometry.pane : 0..<right
        let wide = DisplayWidth.of(text)
        let low = max(x, pane.lowerBound)
        let start = low - (isTable ? state.scroll.x : 0)
        let width = min(start + wide, min(right, pane.upperBound)) - low
        guard width > 0 else { return x }
        let box = CellBox(x: low, y: y, width: width, height: 1, clippedLeading: low - start, fullWidth: wide)
        cells.write(text, in: box, y: y, alignment: .leading, style: style, on: &buffer)
        return low + width + 2
    }

    /// Draws each aggregate under its column if that is wholly visible and free.
    ///
    /// Other aggregates follow with their column titles in free parts of the line, first after the name, then after the placed aggregates.
    private func paintAggregates(of section: Int, y: Int, from x: Int, to right: Int, style: CellStyle, on buffer: inout CellBuffer) {
        let texts = aggregates(of: section)
        var free = x
        var gaps: [Range<Int>] = []
        var gap = x
        var inline: [[String]] = []
        for span in layout.columns {
            guard let own = texts[span.id], let strongest = own.first else { continue }
            let end = span.range.upperBound
            let isWhole = !span.isClippedTrailing && span.clippedLeading == 0
            let text = isWhole ? [own.joined(separator: "  "), strongest].first { end - DisplayWidth.of($0) >= free } : nil
            if let text {
                let start = end - DisplayWidth.of(text)
                write(text, x: start, y: y, width: right - start, style: style, on: &buffer)
                gaps.append(gap..<max(gap, start - 2))
                (gap, free) = (end + 2, end + 1)
            } else {
                inline.append(["\(state.columns[span.index].title) \(strongest)"])
            }
        }
        gaps.append(gap..<max(gap, right))
        paintInline(inline, y: y, in: gaps, style: style, on: &buffer)
    }

    func aggregates(of section: Int) -> [ColumnID: [String]] {
        guard let tree = state.outline.tree else { return [:] }
        let all = tree.aggregates.isEmpty ? source?.aggregates(ofSection: section) ?? [] : tree.aggregates(of: section)
        var texts: [ColumnID: [String]] = [:]
        for known in all where !known.value.isNaN {
            let column = known.aggregate.column
            texts[column, default: []].append(Self.text(of: known, in: state.columns[column], source: source))
        }
        return texts
    }

    /// Aggregates over cards, in column order: each has a form with all aggregates of the column and a form with the first only.
    private func aggregates(ofCards section: Int) -> [[String]] {
        let texts = aggregates(of: section)
        return state.columns.visible.compactMap { column in
            texts[column.id].map { own in [own.joined(separator: "  "), own[0]].map { "\(column.title) \($0)" } }
        }
    }

    /// Writes the first form of each text that fits into one of `gaps`, in the first gap with room.
    private func paintInline(_ texts: [[String]], y: Int, in gaps: [Range<Int>], style: CellStyle, on buffer: inout CellBuffer) {
        var gaps = gaps
        for forms in texts {
            for text in forms {
                let width = DisplayWidth.of(text)
                guard let index = gaps.firstIndex(where: { $0.count >= width }) else { continue }
                let (start, end) = (gaps[index].lowerBound, gaps[index].upperBound)
                write(text, x: start, y: y, width: width, style: style, on: &buffer)
                gaps[index] = min(start + width + 2, end)..<end
                break
            }
        }
    }

    /// The text of an aggregate, with the name of its function. Aggregates that are cells are formatted like their column.
    /// - Parameter column: the column of the aggregate; `nil` if it no longer exists.
    public static func text(of subtotal: SectionAggregate, in column: Column?, source: (any GridDataSource)?) -> String {
        let aggregate = subtotal.aggregate
        let name = aggregate.function.rawValue
        guard aggregate.function.isCell else { return "\(name) \(number(of: subtotal, in: column))" }
        guard let column, let content = source?.content(row: RowID(Int(subtotal.value)), column: aggregate.column) else { return name }
        let text = content.condition == .missing ? "·" : ValueText.display(content, in: column)
        return "\(name) \(text.isEmpty ? "(empty)" : text)"
    }

    /// The text of a numeric aggregate, with the fraction digits of its column. Aggregates of temporal columns are dates or times.
    public nonisolated static func number(of subtotal: SectionAggregate, in column: Column?) -> String {
        let notation = column?.notation ?? .point
        let digits = column?.format.fractionDigits ?? 0
        if let kind = column?.kind, kind.isTemporal, subtotal.aggregate.function.keepsKind {
            return Int64(exactly: subtotal.value.rounded()).map { DateText.text(ofMicroseconds: $0, kind: kind) } ?? ""
        }
        func number(_ digits: Int) -> String {
            if let exact = subtotal.exact {
                return NumberText.text(of: exact, notation, maximumFractionDigits: digits, minimumFractionDigits: digits)
            }
            return NumberText.text(of: subtotal.value, notation, maximumFractionDigits: digits, minimumFractionDigits: digits)
        }
        switch subtotal.aggregate.function {
        case .count, .distinct, .first, .last: return number(0)
        case .sum, .min, .max: return number(digits)
        case .mean: return number(max(2, digits))
        }
    }
}
