public import DataGrid
import FieldValues
import TerminalSurface

extension GridPainter {
    /// The header of a section: its sign, its name, how many rows, and aggregates under the columns they are of.
    func paintSectionHeader(_ index: Int, _ line: LineSpan, on buffer: inout CellBuffer) {
        guard let tree = state.outline.tree else { return }
        let section = tree.sections[index]
        let isCurrent = state.cursor.item == .header(index)
        let isStuck = line.pane == .stuck
        var base = isStuck ? theme.stuckSectionHeader : theme.row.with(theme.sectionHeader)
        if let own = delegate?.headerStyle(ofSection: index) { base = base.with(own) }
        var detail = CellStyle(foreground: theme.sectionDetail.foreground, background: base.background, traits: theme.sectionDetail.traits)
        if isCurrent {
            base = theme.cursor.with(CellStyle(traits: .bold))
            detail = theme.cursor
        }
        buffer.fill(rect(x: 0, y: line.y, width: layout.size.width, height: line.height), style: base.textStyle)

        let right = layout.scrollBarX ?? layout.size.width
        var x = min(2 * section.level, max(0, layout.size.width / 4))
        x += write(state.outline.collapsed[index] ? "▸ " : "▾ ", x: x, y: line.y, width: right - x, style: base, on: &buffer)
        let name = section.title.isEmpty ? "(empty)" : section.title
        x += write(name, x: x, y: line.y, width: right - x, style: base, on: &buffer)
        let count = section.rows.count
        x += write("  \(ValueText.count(count)) \(count == 1 ? "row" : "rows")", x: x, y: line.y, width: right - x, style: detail, on: &buffer)

        // An aggregate stands under its column where that is free; the others follow the name.
        var inline: [String] = []
        var free = x + 2
        let values = Array(tree.values(of: index))
        let texts = zip(tree.aggregates, values).compactMap { aggregate, value in
            value.isNaN ? nil : (aggregate.column, Self.text(of: aggregate.function, value, in: state.columns[aggregate.column]))
        }
        for span in layout.columns where !span.isClippedTrailing && span.clippedLeading == 0 {
            let own = texts.filter { $0.0 == span.id }.map(\.1)
            guard let first = own.first else { continue }
            let width = DisplayWidth.of(first)
            let start = span.range.upperBound - width
            if start >= free {
                write(first, x: start, y: line.y, width: width, style: detail, on: &buffer)
                free = span.range.upperBound + 1
            } else if span.range.upperBound <= free, let title = state.columns[span.id]?.title {
                inline.append("\(title) \(first)")
            }
        }
        if !inline.isEmpty, free == x + 2 {
            write("  " + inline.joined(separator: "  "), x: x, y: line.y, width: right - x, style: detail, on: &buffer)
        }
    }

    /// An aggregate with its sign.
    public static func text(of function: AggregateFunction, _ value: Double, in column: Column?) -> String {
        let digits = column?.format.fractionDigits ?? 0
        switch function {
        case .count: return "n " + NumberText.text(of: value, maximumFractionDigits: 0)
        case .sum: return "Σ " + NumberText.text(of: value, maximumFractionDigits: digits)
        case .mean: return "x̄ " + NumberText.text(of: value, maximumFractionDigits: max(2, digits))
        case .min: return "min " + NumberText.text(of: value, maximumFractionDigits: digits)
        case .max: return "max " + NumberText.text(of: value, maximumFractionDigits: digits)
        case .distinct: return "≠ " + NumberText.text(of: value, maximumFractionDigits: 0)
        }
    }
}
