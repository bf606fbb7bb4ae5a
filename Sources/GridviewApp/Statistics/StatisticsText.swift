import FieldValues
import DataGrid
import DataGridQuery
import DataGridTerminal
import TerminalSurface

/// The lines of text in a statistics panel.
@MainActor
struct StatisticsText {
    /// The meaning of a piece of text, which determines its color.
    enum Role { case name, value, bar, selectedBar, chart, chapter }

    /// A piece of text in one color. It starts `x` terminal cells from the start of the line.
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

    /// The possible titles, the longest first, of which the first one that fits is shown.
    var titles: [String] {
        // Shorten a long column name, so that the rest of the title has room.
        func name(_ id: ColumnID) -> String { Message.name(column(id).title, width: max(8, width / 2)) }
        return switch panel.subject {
        case .column(let id): Self.titles(name(id), rowCountText)
        case .frequencies(let id):
            if case .frequencies(let table) = panel.result {
                Self.titles(name(id), distinctText(table), panel.isSortedByValue ? "by value" : "by count", rowCountText)
            } else {
                Self.titles(name(id), rowCountText)
            }
        case .summary: Self.titles(countText(state.grid.columns.count, "column"), rowCountText)
        }
    }

    /// The number of distinct values for the title. Also has the number of listed values if typed text shortens the list, and the number of
    /// marked values if there are any.
    private func distinctText(_ table: FrequencyTable) -> String {
        let found = panel.listedNumbers.map { "\(ValueText.count($0.count { $0 != table.emptyNumber })) of " } ?? ""
        let marked = panel.markedNumbers.isEmpty ? "" : ", \(ValueText.count(panel.markedNumbers.count)) marked"
        return "\(found)\(ValueText.count(table.count)) distinct\(marked)"
    }

    private static func titles(_ columns: String, _ rows: String) -> [String] { ["\(columns) · \(rows)", columns] }

    private static func titles(_ name: String, _ distinct: String, _ order: String, _ rows: String) -> [String] {
        ["\(name) · \(distinct), \(order) · \(rows)", "\(name) · \(distinct) · \(rows)", "\(name) · \(distinct)", name]
    }

    private var rowCountText: String {
        if case .column(let statistics) = panel.result, statistics.isEstimate {
            return "all \(NamedStatistics.estimateSign(statistics))\(countText(statistics.recordCount, "row")), estimated"
        }
        let grid = state.grid.rows.count
        guard state.hasAllRows else { return "waiting for all rows" }
        guard state.isRowCountExact else { return state.query.shown.filters.isEmpty ? "all rows" : "all rows, filtered" }
        if grid == 0, state.query.shown.filters.isEmpty { return "no rows" }
        if state.query.shown.filters.isEmpty { return "all \(countText(grid, "row"))" }
        let total = state.document.isComplete ? " of \(ValueText.count(state.document.recordCount))" : ""
        return "\(ValueText.count(grid))\(total) rows, filtered"
    }

    private func countText(_ number: Int, _ noun: String) -> String { "\(ValueText.count(number)) \(noun)\(number == 1 ? "" : "s")" }

    /// The lines that are shown until a job has computed the result.
    private var waitingLines: [Line] {
        guard !state.document.canBeQueried else { return [[Span(x: 0, text: progressText ?? "Computing…")]] }
        let text = "Waiting until the whole file is read…"
        return TextWrap.lines(text, width: width).map { [Span(x: 0, text: $0)] } + (progressText.map { [[Span(x: 0, text: $0)]] } ?? [])
    }

    /// The lines above an estimate, which name the key for exact statistics, or show the progress of computing them; empty if the result is
    /// exact.
    private var estimateNote: [Line] {
        guard panel.isEstimate else { return [] }
        var text = "≈ Estimates."
        if panel.wantsExact {
            text += state.hasAllRows ? " Computing exact statistics…" : " Exact statistics follow when all rows are known."
        } else if let key = state.keyMap.label(of: .exactStatistics, in: panel.contexts) {
            text += " Press \(key) for exact statistics."
        }
        let lines = TextWrap.lines(text, width: width) + (panel.wantsExact ? progressText.map { [$0] } ?? [] : [])
        return lines.map { [Span(x: 0, text: $0)] } + [[]]
    }

    /// The progress of the job that computes the result, as a bar with a percentage; `nil` if it is unknown.
    private var progressText: String? {
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
        case (.column, .column): page?.lines ?? []
        case (_, .tooMany(let estimate)):
            TextWrap.lines(
                "About \(ValueText.count(estimate)) distinct values: too many to list. Press \(state.key(.filter)) to filter the rows first.",
                width: width
            )
            .map { [Span(x: 0, text: $0)] }
        case (_, nil): waitingLines
        case (.frequencies, .frequencies): panel.listedNumbers == nil ? [] : [[Span(x: 0, text: "No matches.", role: .name)]]
        default: []
        }
    }

    // MARK: One column

    /// The page of one column: its lines, and which of them have the bars and the most frequent values. The bars and the values are items
    /// that can be selected.
    struct ColumnPage {
        var lines: [Line]
        var histogram: HistogramLayout?
        /// The range of lines with the histogram: its title, bars and axis.
        var barLines = 0..<0
        /// The range of lines with the most frequent values, one line each.
        var valueLines = 0..<0

        /// The number of items that can be selected: bars, then values.
        var itemCount: Int { barCount + valueLines.count }
        var barCount: Int { histogram?.counts.count ?? 0 }

        /// True if the item is a bar without rows, which cannot be selected.
        func isEmpty(_ item: Int) -> Bool { (0..<barCount).contains(item) && histogram?.counts[item] == 0 }

        /// The range of lines that must be visible when an item is selected.
        func lines(of item: Int) -> Range<Int> {
            item < barCount ? barLines : valueLines.lowerBound + item - barCount..<valueLines.lowerBound + item - barCount + 1
        }

        /// The item at a line of the page and a terminal cell of this line; `nil` for none.
        func item(x: Int, line: Int) -> Int? {
            if valueLines.contains(line) { return barCount + line - valueLines.lowerBound }
            guard let histogram, barLines.dropFirst().dropLast(2).contains(line), x >= 0, x / histogram.barWidth < barCount else {
                return nil
            }
            return x / histogram.barWidth
        }
    }

    /// The page of one column; `nil` if the panel has a list or its result is not known yet.
    var page: ColumnPage? {
        guard case .column(let id) = panel.subject, case .column(let statistics) = panel.result else { return nil }
        let column = column(id)
        var page = ColumnPage(lines: estimateNote + pairLines(column, statistics))
        if let histogram = statistics.histogram {
            let picture = HistogramLayout(histogram, column, StatisticsFormat(statistics, column), width: width)
            let lines = self.lines(of: picture, statistics)
            page.barLines = page.lines.count + 1..<page.lines.count + 1 + lines.count
            page.lines += [[]] + lines
            page.histogram = picture
        }
        let frequent = statistics.mostFrequent
        if let most = frequent.first?.count, isFrequent(most, statistics) {
            page.lines += [[], [Span(x: 0, text: "Most frequent", role: .chapter)]]
            page.valueLines = page.lines.count..<page.lines.count + frequent.count
            let texts = frequent.map { displayText($0.value, column) }
            let nameWidth = min(max(8, width / 3), texts.map { DisplayWidth.of($0, limit: width) }.max() ?? 0)
            for (text, entry) in zip(texts, frequent) {
                page.lines.append(
                    frequencyLine(
                        text, entry.count, of: statistics.recordCount, greatestCount: most, nameWidth: nameWidth,
                        isRightAligned: column.kind.isNumber,
                        sign: NamedStatistics.estimateSign(statistics)))
            }
        }
        return page
    }

    /// True if a value that occurs `count` times is listed as frequent. It must be in at least 1 % of the rows, or in 5 % if more than half
    /// of the values are distinct.
    private func isFrequent(_ count: Int, _ statistics: ColumnStatistics) -> Bool {
        let hasRepetitions = 2 * statistics.distinct.count <= statistics.valueCount || 20 * count >= statistics.recordCount
        return hasRepetitions && count * 100 >= statistics.recordCount
    }

    /// A bar of full width stands for at least 1/`fullBarParts` of all records. If all values are rare, their bars are therefore short.
    private static let fullBarParts = 20

    /// A line with a value, its count, its percentage and a bar, as far as these fit. `sign` is written before the count and the
    /// percentage.
    ///
    /// A value that occurs `greatestCount` times gets a bar of full width, unless this value is rare, too.
    func frequencyLine(
        _ text: String, _ number: Int, of rowCount: Int, greatestCount: Int, nameWidth: Int, isRightAligned: Bool, sign: String = ""
    ) -> Line {
        let countWidth = max(Self.countTitle.count, DisplayWidth.of(sign + ValueText.count(greatestCount)))
        let count = sign + ValueText.count(number)
        let free = isRightAligned ? max(0, nameWidth - DisplayWidth.of(text, limit: nameWidth)) : 0
        var line = [Span(x: free, text: Message.name(text, width: nameWidth))]
        var x = nameWidth + 2 + countWidth
        line.append(Span(x: x - count.count, text: count))
        let share = sign + Self.percent(number, of: rowCount)
        x += 9 + sign.count
        if x <= width { line.append(Span(x: x - share.count, text: share, role: .name)) }
        if x + 6 <= width {
            let whole = max(greatestCount, rowCount / Self.fullBarParts)
            line.append(Span(x: x + 2, text: Bar.horizontal(number, of: whole, length: min(40, width - x - 2)), role: .bar))
        }
        return line
    }

    /// The names and values of the statistics, arranged in one to four columns.
    private func pairLines(_ column: Column, _ statistics: ColumnStatistics) -> [Line] {
        let pairs = NamedStatistics.pairs(statistics, column)
        let name = pairs.map { DisplayWidth.of($0.0) }.max() ?? 0
        let value = pairs.map { DisplayWidth.of($0.1, limit: width) }.max() ?? 0
        func spans(_ pair: (String, String), at x: Int, _ room: Int) -> [Span] {
            [Span(x: x, text: pair.0, role: .name), Span(x: x + name + 2, text: Message.name(pair.1, width: max(1, room - name - 2)))]
        }
        // Limit the width of the line, so that values stay close to their names.
        let room = max(28, name + value + 6)
        guard let count = (2...4).last(where: { width >= $0 * room }) else {
            return NamedStatistics.pairs(statistics, column, width: max(1, width - name - 2)).map { spans($0, at: 0, width) }
        }
        let rows = (pairs.count + count - 1) / count
        return (0..<rows).map { row in
            stride(from: row, to: pairs.count, by: rows).flatMap { spans(pairs[$0], at: $0 / rows * room, room) }
        }
    }

    /// The lines of a histogram: its title, bars and axis.
    private func lines(of picture: HistogramLayout, _ statistics: ColumnStatistics) -> [Line] {
        let selected = panel.item.flatMap { picture.counts.indices.contains($0) ? $0 : nil }
        let title = Span(x: 0, text: "Histogram", role: .chapter)
        let note =
            selected.map { bar in
                let number = picture.counts[bar]
                return "\(picture.title(of: bar)): \(countText(number, "row")), \(Self.percent(number, of: statistics.valueCount))"
            } ?? "tallest bar: \(countText(picture.counts.max() ?? 0, "row"))"
        let start = title.text.count + 2
        var lines: [Line] =
            selected != nil || start + note.count <= width
            ? [[title, Span(x: start, text: Message.name(note, width: max(1, width - start)), role: .name)]] : [[title]]
        let rows = state.size.rows
        let height = rows < 20 ? 3 : max(6, min(16, rows < 48 ? rows / 5 : rows / 3 - 2))
        let bars = Bar.vertical(picture.counts, height: height, width: picture.barWidth)
        lines += bars.map { line in
            let barStart = selected.map { $0 * picture.barWidth }
            return [Span(x: 0, text: line, role: .bar)]
                + (barStart.map { [Span(x: $0, text: String(line.dropFirst($0).prefix(picture.barWidth)), role: .selectedBar)] } ?? [])
        }
        let axis = picture.axis
        lines.append([Span(x: 0, text: axis.marks, role: .name)])
        lines.append(axis.labels.map { Span(x: $0.x, text: $0.text, role: .name) })
        return lines
    }

    // MARK: Values

    /// A value as the list shows it. Numbers have thousands separators as in the grid, and are aligned at the decimal separator. Flags are
    /// shown by the words of the file.
    func displayText(_ text: String, _ column: Column) -> String {
        var column = column
        column.flagMarks = .none
        if column.kind == .decimal, column.format.fractionDigits == nil {
            let room = column.format.alignedFractionDigits
            if let number = Self.exponentNumber(text, column.notation) {
                return NumberText.text(
                    of: number, column.notation, maximumFractionDigits: 12, minimumFractionDigits: room)
            }
            // Add zeros at the end, as the other statistics do, but never remove a digit.
            let notation = column.notation
            let digits = FieldBytes.withBytes(of: text) { NumberText.fractionDigits(of: $0, notation) }
            if let digits, digits <= room { column.format.fractionDigits = room...room }
        }
        let text = ValueText.display(CellContent(text), in: column)
        return column.kind.isNumber ? text : text.trimmingBlanks
    }

    /// The number in a text with an exponent, if it can be shown without one. `nil` for other text, and for a number that is too large or
    /// too small.
    private static func exponentNumber(_ text: String, _ notation: DecimalStyle) -> Double? {
        guard !notation.isComma, text.contains(where: { $0 == "e" || $0 == "E" }), !text.contains(where: { $0 == "x" || $0 == "X" }),
            let number = Double(text), number == 0 || (1e-6..<1e15).contains(number.magnitude)
        else { return nil }
        return number
    }

    /// A percentage with one fraction digit. A number greater than 0 is never shown as 0 %, and a number less than `all` never as 100 %.
    nonisolated static func percent(_ number: Int, of all: Int) -> String {
        guard all > 0 else { return "–" }
        let tenths = Int((Double(number) / Double(all) * 1000).rounded())
        if tenths == 0, number > 0 { return "<0.1 %" }
        if tenths >= 1000, number < all { return ">99.9 %" }
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension String {
    /// The text without blanks at both ends, which align decimal separators in columns.
    var trimmingBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
