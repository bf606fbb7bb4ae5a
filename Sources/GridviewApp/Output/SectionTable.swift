import DataGrid
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

/// What the headers of sections tell, as text: a line among rows, or a table of its own when the rows are not shown.
struct SectionTable {
    private let tree: SectionTree
    private let columns: [ColumnID: Column]
    private let records: any Table
    private let isMarkdown: Bool

    /// - Parameter records: where cells are read from that are aggregates.
    init(_ tree: SectionTree, columns: [Column], records: any Table, isMarkdown: Bool) {
        self.tree = tree
        self.columns = Dictionary(uniqueKeysWithValues: columns.map { ($0.id, $0) })
        self.records = records
        self.isMarkdown = isMarkdown
    }

    /// The column whose values are the titles of the level of a section.
    func title(of section: Int) -> String {
        let level = tree.level(of: section)
        return level < tree.columns.count ? columns[tree.columns[level]]?.title ?? "" : ""
    }

    /// How many rows, and each aggregate with the name of its column; aggregates without a value are left out.
    func details(of section: Int) throws -> [String] {
        let count = tree.rows(of: section).count
        let figures = try zip(tree.aggregates, figures(of: section)).compactMap { aggregate, text in
            text.map { "\(heading(aggregate)) \($0)" }
        }
        return ["\(ValueText.count(count)) \(count == 1 ? "row" : "rows")"] + figures
    }

    private func heading(_ aggregate: Aggregate) -> String {
        "\(columns[aggregate.column]?.title ?? "?") \(GridPainter.sign(of: aggregate.function))"
    }

    private func figures(of section: Int) throws -> [String?] {
        try tree.aggregates(of: section).map { figure in
            let value = figure.value
            guard !value.isNaN, let column = columns[figure.aggregate.column] else { return nil }
            guard figure.aggregate.function.isCell else { return GridPainter.number(of: figure, in: column) }
            var text = ""
            try records.scan(Int(value)..<Int(value) + 1, columns: [column.field.rawValue]) { _, fields in
                text = RowFormat.shown(fields[0], in: column)
                return true
            }
            return text
        }
    }

    // MARK: As a table

    /// Writes a line for each of `sections`.
    func write(_ sections: [Int], _ sink: inout OutputSink) throws {
        let names = tree.columns.map { columns[$0]?.title ?? "?" }.joined(separator: " › ")
        let titles = [names, "rows"] + tree.aggregates.map(heading)
        let isTrailing = [false, true] + tree.aggregates.map { !$0.function.isCell || columns[$0.column]?.effectiveAlignment == .trailing }
        if isMarkdown {
            sink.write(markdown(titles) + "|" + isTrailing.map { $0 ? "---:" : "---" }.joined(separator: "|") + "|\n")
        }
        // Of the first ones when they are many, as of rows.
        var widths = titles.map { DisplayWidth.of($0) }
        for section in sections.prefix(isMarkdown ? 0 : 5_000) {
            for (index, cell) in try cells(of: section).enumerated() {
                widths[index] = max(widths[index], DisplayWidth.of(cell, limit: 200))
            }
        }
        func line(_ cells: [String]) -> String {
            var line = ""
            for (index, cell) in cells.enumerated() {
                let blanks = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell)))
                line += (index > 0 ? "  " : "") + (isTrailing[index] ? blanks + cell : cell + blanks)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }
        if !isMarkdown {
            sink.write(line(titles.map(RowFormat.printable)))
            sink.write(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") + "\n")
        }
        for section in sections {
            guard sink.isOpen else { return }
            let cells = try cells(of: section)
            sink.write(isMarkdown ? markdown(cells) : line(cells))
        }
    }

    private func cells(of section: Int) throws -> [String] {
        let title = tree.title(of: section)
        let indent = String(repeating: isMarkdown ? "› " : "  ", count: tree.level(of: section))
        let name = indent + (isMarkdown ? "" : "▸ ") + (title.isEmpty ? "(empty)" : RowFormat.printable(title))
        return try [name, ValueText.count(tree.rows(of: section).count)] + figures(of: section).map { $0 ?? "" }
    }

    private func markdown(_ cells: [String]) -> String { "| " + cells.map(RowFormat.markdown).joined(separator: " | ") + " |\n" }
}
