import FieldValues
import DataGrid
import DataGridQuery
import DataGridTerminal
import TerminalSurface

@MainActor
struct StatisticsText {
    /// The role of a span, which determines its color.
    enum Role { case name, value, bar, chart, chapter }

    struct Span {
        var x: Int
        var text: String
        var role = Role.value
    }

    typealias Line = [Span]

    let state: AppState
    let panel: StatisticsPanel
    let width: Int

    init(_ state: AppState, _ panel: StatisticsPanel) {
        (self.state, self.panel) = (state, panel)
        width = max(1, PanelFrame(pageIn: state.size).rect.width - 2)
    }

    func column(_ id: ColumnID) -> Column { state.grid.columns[id] ?? Column(id: id, title: "?") }

    static let countTitle = "count"

    // MARK: The title

    /// The forms of the title, longest first.
    var titles: [String] {
        // A long name leaves room for the rest of the title.
        func name(_ id: ColumnID) -> String { Message.name(column(id).title, width: max(8, width / 2)) }
        return switch panel.subject {
        case .column(let id): Self.titles(name(id), rows)
        case .frequencies(let id):
            if case .frequencies(let table) = panel.result {
                Self.titles(name(id), distinct(table), panel.isSortedByValue ? "by value" : "by count", rows)
            } else {
                Self.titles(name(id), rows)
            }
        case .summary: Self.titles(count(state.grid.columns.count, "column"), rows)
        }
    }

    /// The number of values, and of those that are listed and marked.
    private func distinct(_ table: FrequencyTable) -> String {
        let found = panel.listed.map { "\(ValueText.count($0.count)) of " } ?? ""
        let marked = panel.marked.isEmpty ? "" : ", \(ValueText.count(panel.marked.count)) marked"
        return "\(found)\(ValueText.count(table.count)) distinct\(marked)"
    }

    private static func titles(_ columns: String, _ rows: String) -> [String] { ["\(columns) · \(rows)", columns] }

    private static func titles(_ name: String, _ distinct: String, _ order: String, _ rows: String) -> [String] {
        ["\(name) · \(distinct), \(order) · \(rows)", "\(name) · \(distinct) · \(rows)", "\(name) · \(distinct)", name]
    }

    private var rows: String {
        let grid = state.grid.rows.count
        guard state.hasAllRows else { return "waiting for all rows" }
        if grid == 0, state.query.shown.filters.isEmpty { return "no rows" }
        return state.query.shown.filters.isEmpty
            ? "all \(count(grid, "row"))" : "\(ValueText.count(grid)) of \(ValueText.count(state.document.recordCount)) rows, filtered"
    }

    private func count(_ number: Int, _ noun: String) -> String { "\(ValueText.count(number)) \(noun)\(number == 1 ? "" : "s")" }

    /// The lines while there is no result.
    private var waiting: [Line] {
        guard !state.document.isComplete else { return [[Span(x: 0, text: progress ?? "Computing…")]] }
        let text = "Waiting until the whole file is read…"
        return TextWrap.lines(text, width: width).map { [Span(x: 0, text: $0)] } + (progress.map { [[Span(x: 0, text: $0)]] } ?? [])
    }

    /// The progress of the job that the panel waits for; `nil` if it is unknown.
    private var progress: String? {
        let shown = state.jobs.filter(\.isShown)
        let job = shown.first { $0.kind == .statistics } ?? shown.last
        guard let fraction = job?.fraction else { return nil }
        let room = max(1, min(40, width - 8))
        let percent = "\(Int(fraction * 100)) %"
        let done = Bar.horizontal(Int(fraction * 1000), of: 1000, length: room)
        return "\(done)\(String(repeating: "░", count: max(0, room - done.count))) \(percent)"
    }

    var lines: [Line] {
        switch (panel.subject, panel.result) {
        case (.column(let id), .column(let statistics)): page(column(id), statistics)
        case (_, .tooMany(let estimate)):
            TextWrap.lines(
                "About \(ValueText.count(estimate)) distinct values: too many to list. Press \(state.key(.filter)) to filter the rows first.",
                width: width
            )
            .map { [Span(x: 0, text: $0)] }
        case (_, nil): waiting
        case (.frequencies, .frequencies): panel.listed == nil ? [] : [[Span(x: 0, text: "No matches.", role: .name)]]
        default: []
        }
    }

    // MARK: One column

    private func page(_ column: Column, _ statistics: ColumnStatistics) -> [Line] {
        var lines = facts(column, statistics)
        if let histogram = statistics.histogram { lines += [[]] + picture(histogram, column, StatisticsFormat(statistics, column)) }
        let frequent = statistics.mostFrequent
        if let most = frequent.first?.count {
            lines += [[], [Span(x: 0, text: "Most frequent", role: .chapter)]]
            let texts = frequent.map { shown($0.value, column) }
            let wide = min(max(8, width / 3), texts.map { DisplayWidth.of($0, limit: width) }.max() ?? 0)
            for (text, entry) in zip(texts, frequent) {
                lines.append(
                    frequency(
                        text, entry.count, of: statistics.recordCount, most: most, nameWidth: wide, isAtRight: column.kind.isNumber))
            }
        }
        return lines
    }

    /// A full-width bar represents at least the fraction 1/`fullBarParts` of all records, so that rare values have short bars.
    private static let fullBarParts = 20

    /// A value with its count, percentage and bar, if they fit. The bar of the most frequent value has the full width, unless that
    /// value is itself rare.
    func frequency(_ text: String, _ number: Int, of all: Int, most: Int, nameWidth: Int, isAtRight: Bool) -> Line {
        let countWidth = max(Self.countTitle.count, DisplayWidth.of(ValueText.count(most)))
        let count = ValueText.count(number)
        let free = isAtRight ? max(0, nameWidth - DisplayWidth.of(text, limit: nameWidth)) : 0
        var line = [Span(x: free, text: Message.name(text, width: nameWidth))]
        var x = nameWidth + 2 + countWidth
        line.append(Span(x: x - count.count, text: count))
        let share = Self.percent(number, of: all)
        x += 9
        if x <= width { line.append(Span(x: x - share.count, text: share, role: .name)) }
        if x + 6 <= width {
            let whole = max(most, all / Self.fullBarParts)
            line.append(Span(x: x + 2, text: Bar.horizontal(number, of: whole, length: min(40, width - x - 2)), role: .bar))
        }
        return line
    }

    private func facts(_ column: Column, _ statistics: ColumnStatistics) -> [Line] {
        let pairs = StatisticsFacts.pairs(statistics, column)
        let name = pairs.map { DisplayWidth.of($0.0) }.max() ?? 0
        let value = pairs.map { DisplayWidth.of($0.1, limit: width) }.max() ?? 0
        func spans(_ pair: (String, String), at x: Int, _ room: Int) -> [Span] {
            [Span(x: x, text: pair.0, role: .name), Span(x: x + name + 2, text: Message.name(pair.1, width: max(1, room - name - 2)))]
        }
        // Use two columns if they fit.
        let half = max(name + value + 6, width / 2)
        guard half + name + 2 + value <= width else {
            return StatisticsFacts.pairs(statistics, column, width: max(1, width - name - 2)).map { spans($0, at: 0, width) }
        }
        let rows = (pairs.count + 1) / 2
        return (0..<rows).map { row in
            spans(pairs[row], at: 0, half) + (row + rows < pairs.count ? spans(pairs[row + rows], at: half, width - half) : [])
        }
    }

    private func picture(_ histogram: ColumnStatistics.Histogram, _ column: Column, _ format: StatisticsFormat) -> [Line] {
        let each = max(1, min(4, width / histogram.counts.count))
        // Without room for all bins, merge each two.
        let step = histogram.counts.count > width ? 2 : 1
        let counts = stride(from: 0, to: histogram.counts.count, by: step).map { histogram.counts[$0..<$0 + step].reduce(0, +) }
        let wide = counts.count * each
        let title = Span(x: 0, text: "Histogram", role: .chapter)
        let most = "tallest bar: \(count(counts.max() ?? 0, "row"))"
        let start = title.text.count + 2
        var lines = [start + most.count <= width ? [title, Span(x: start, text: most, role: .name)] : [title]]
        lines += Bar.vertical(counts, height: state.size.rows < 20 ? 3 : 6, width: each).map { [Span(x: 0, text: $0, role: .bar)] }
        let room = max(1, (width - 2) / 2)
        let (low, high) = (format.text(histogram.minimum, width: room), format.text(histogram.maximum, width: room))
        let place = max(low.count + 2, wide - high.count)
        lines.append([Span(x: 0, text: low, role: .name), Span(x: place, text: high, role: .name)])
        return lines
    }

    // MARK: Values

    /// A value of the column. Numbers have grouped thousands and are aligned at the decimal sign; flags are the words of the file.
    func shown(_ text: String, _ column: Column) -> String {
        var column = column
        column.format.groupsThousands = true
        column.flagMarks = .none
        if column.kind == .decimal, column.format.fractionDigits == nil {
            let room = column.format.alignedFractionDigits
            if let number = Self.exponentNumber(text, column.notation) {
                return NumberText.text(
                    of: number, column.notation, maximumFractionDigits: 12, minimumFractionDigits: room)
            }
            // Digits are added, as in the facts, but never removed.
            let notation = column.notation
            let digits = FieldBytes.withBytes(of: text) { NumberText.fractionDigits(of: $0, notation) }
            if let digits, digits <= room { column.format.fractionDigits = room...room }
        }
        let text = ValueText.display(CellContent(text), in: column)
        return column.kind.isNumber ? text : text.trimmingBlanks
    }

    /// A number whose text has an exponent; `nil` for other texts, and if it is too large or too small to be shown without one.
    private static func exponentNumber(_ text: String, _ notation: DecimalStyle) -> Double? {
        guard notation == .point, text.contains(where: { $0 == "e" || $0 == "E" }), !text.contains(where: { $0 == "x" || $0 == "X" }),
            let number = Double(text), number == 0 || (1e-6..<1e15).contains(number.magnitude)
        else { return nil }
        return number
    }

    /// A percentage with one fraction digit. A value greater than 0 is never shown as 0, and a part is never shown as all.
    nonisolated static func percent(_ number: Int, of all: Int) -> String {
        guard all > 0 else { return "–" }
        let tenths = Int((Double(number) / Double(all) * 1000).rounded())
        if tenths == 0, number > 0 { return "<0.1 %" }
        if tenths >= 1000, number < all { return ">99.9 %" }
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension String {
    /// The text without the spaces that replace missing fraction digits.
    var trimmingBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
