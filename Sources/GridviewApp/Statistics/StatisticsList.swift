import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import TerminalSurface

/// The lines of a list in a statistics panel: values with their counts, or columns with their statistics.
@MainActor
struct StatisticsList {
    private let text: StatisticsText
    /// The screen line of the first visible entry, and the number of lines for entries.
    let top, height: Int
    /// The index of the first visible entry.
    let firstEntry: Int
    private let fields: [Field]
    private let nameWidth: Int

    /// A column of the list on the screen, which shows one statistic, such as the mean. Each line of the list is a column of the table.
    private struct Field {
        var title: String
        /// The width of this list column, in terminal cells.
        var width = 0
        /// The width of its widest text, in terminal cells.
        var contentWidth = 0
        var isRightAligned: Bool
        /// If not all list columns fit, the one with the greatest rank is left out first.
        var rank: Int
        /// True for names of columns, which often differ only at the end, so their middle is left out if they do not fit.
        var isName = false
        /// The text of this statistic. Numbers are shortened to `width` terminal cells; other text may be longer.
        var text: (ColumnStatistics, _ width: Int) -> String
    }

    init(_ text: StatisticsText) {
        self.text = text
        // On a page of fewer than four lines, use all lines for entries instead of a header.
        let frame = PanelFrame(pageIn: text.state.size)
        let (all, y) = (frame.pageHeight, frame.rect.y + 1)
        (top, height) = all >= 4 ? (y + 1, all - 1) : (y, all)
        firstEntry = max(0, text.panel.selected - height + 1)
        switch text.panel.result {
        case .summary(let all): (fields, nameWidth) = (Self.fields(all, visible: firstEntry..<firstEntry + max(0, height), text), 0)
        case .frequencies(let table):
            fields = []
            let numbers = max(StatisticsText.countTitle.count, DisplayWidth.of(ValueText.count(table.maximumListCount))) + 11
            nameWidth = max(6, min(text.width * 2 / 5, text.width - numbers))
        default: (fields, nameWidth) = ([], 0)
        }
    }

    /// True if the listed values are numbers, which are aligned at the right.
    private var isRightAligned: Bool {
        if case .frequencies(let id) = text.panel.subject { text.column(id).kind.isNumber } else { false }
    }

    /// The header line; `nil` if the page has no room for it.
    var headerLine: StatisticsText.Line? {
        guard height < PanelFrame(pageIn: text.state.size).pageHeight else { return nil }
        switch text.panel.result {
        case .summary: return line { $0.title }
        case .frequencies(let table):
            let title = StatisticsText.countTitle
            let x = nameWidth + 2 + max(title.count, DisplayWidth.of(ValueText.count(table.maximumListCount)))
            let name = "value"
            return [
                .init(x: isRightAligned ? max(0, nameWidth - name.count) : 0, text: name, role: .name),
                .init(x: x - title.count, text: title, role: .name),
            ] + (x + 9 <= text.width ? [.init(x: x + 4, text: "share", role: .name)] : [])
        default: return nil
        }
    }

    /// The text line for the entry at an index of the list.
    func line(_ index: Int) -> StatisticsText.Line {
        switch text.panel.result {
        case .summary(let all): return line { $0.text(all[index], $0.width) }
        case .frequencies(let table):
            guard case .frequencies(let id) = text.panel.subject, let number = text.panel.number(at: index) else { return [] }
            let entry = table.entry(number: number)
            // Empty values include missing fields, so show the number of missing fields in addition.
            let missing = table.missingCount > 0 ? ", \(ValueText.count(table.missingCount)) missing" : ""
            let shown = number == table.emptyNumber ? StatisticsPanel.emptyName + missing : text.displayText(entry.value, text.column(id))
            // Write the mark of a marked value in the margin, at the left of the line.
            let mark = text.panel.markedNumbers.contains(number) ? [StatisticsText.Span(x: -1, text: "•")] : []
            return mark
                + text.frequencyLine(
                    shown, entry.count, of: table.recordCount, greatestCount: table.maximumListCount, nameWidth: nameWidth,
                    isRightAligned: isRightAligned)
        default: return []
        }
    }

    private func line(_ content: (Field) -> String) -> StatisticsText.Line {
        var x = 0
        return fields.map { field in
            let text = content(field)
            let free = field.isRightAligned ? max(0, field.width - DisplayWidth.of(text, limit: field.width)) : 0
            defer { x += field.width + 2 }
            let shown = field.isName ? Message.shortened(text, width: field.width) : Message.name(text, width: field.width)
            return .init(x: x + free, text: shown, role: field.title.isEmpty ? .chart : .value)
        }
    }

    /// The statistics that fit as columns of the list.
    /// - Parameter visible: the indices of the visible entries; some may be greater than those of `all`.
    private static func fields(_ all: [ColumnStatistics], visible: Range<Int>, _ text: StatisticsText) -> [Field] {
        func column(_ statistics: ColumnStatistics) -> Column { text.column(ColumnID(statistics.column)) }
        func value(_ value: AggregateValue, _ statistics: ColumnStatistics, _ width: Int, isDerived: Bool = false) -> String {
            if statistics.kind == .flag, case .integer(let flag) = value { return flag == 1 ? "true" : "false" }
            return StatisticsFormat(statistics, column(statistics)).text(value, isDerived: isDerived, width: width)
        }
        func mean(_ statistics: ColumnStatistics, _ width: Int) -> String {
            statistics.kind == .flag
                ? NamedStatistics.shareOfTrue(statistics) ?? "–" : value(statistics.mean, statistics, width, isDerived: true)
        }
        // Fit the widths to the first 200 entries and the visible ones. Counts of other entries cannot be longer than the number of rows.
        let first = all.prefix(200)
        let sample = first + all[visible.clamped(to: first.endIndex..<all.endIndex)]
        let widestCount = all.count > sample.count ? ValueText.count(all[0].recordCount).count + 1 : 0
        var fields: [Field] = [
            Field(title: "column", isRightAligned: false, rank: 0, isName: true) { statistics, _ in
                AppState.listTitle(of: column(statistics), repeated: text.panel.repeatedTitles)
            },
            Field(title: "type", isRightAligned: false, rank: 7) { statistics, _ in NamedStatistics.name(of: statistics.kind) },
            Field(title: "empty", isRightAligned: true, rank: 5) { statistics, _ in ValueText.count(statistics.emptyCount) },
        ]
        if all.contains(where: { $0.missingCount > 0 }) {
            fields.append(
                Field(title: "missing", isRightAligned: true, rank: 5) { statistics, _ in ValueText.count(statistics.missingCount) })
        }
        // On a narrow screen, leave out the distribution before the count of invalid values, because the other statistics ignore these
        // values.
        if all.contains(where: { $0.unreadableCount > 0 }) {
            fields.append(
                Field(title: "invalid", isRightAligned: true, rank: 2) { statistics, _ in ValueText.count(statistics.unreadableCount) })
        }
        let counts = fields.count - 2
        fields += [
            Field(title: "distinct", isRightAligned: true, rank: 3) { statistics, _ in NamedStatistics.distinctText(statistics) },
            Field(title: "min", isRightAligned: true, rank: 1) { $0.textRange?.first ?? value($0.minimum, $0, $1) },
            Field(title: "mean", isRightAligned: true, rank: 6, text: mean),
            Field(title: "max", isRightAligned: true, rank: 2) { $0.textRange?.last ?? value($0.maximum, $0, $1) },
        ]
        let limit = text.width < 100 ? 11 : 19
        for index in fields.indices {
            let isCount = (2...2 + counts).contains(index)
            let texts = sample.map { DisplayWidth.of(fields[index].text($0, .max), limit: text.width) }
            let contentWidth = max(fields[index].title.count, texts.max() ?? 0, isCount ? widestCount : 0)
            fields[index].contentWidth = contentWidth
            fields[index].width = isCount ? contentWidth : min(limit, contentWidth)
        }
        let spark = text.width - fields.reduce(0) { $0 + $1.width + 2 } < 20 ? 10 : 20
        fields.append(
            Field(title: "", width: spark, contentWidth: spark, isRightAligned: false, rank: 4) { statistics, width in
                Bar.sparkline(statistics.histogram?.counts ?? [], width: width)
            })
        while fields.count > 1, fields.reduce(-2, { $0 + $1.width + 2 }) > text.width,
            let last = fields.indices.max(by: { fields[$0].rank < fields[$1].rank })
        { fields.remove(at: last) }
        if fields.count == 1 { fields[0].width = min(fields[0].width, text.width) }
        // Divide the free terminal cells among the list columns that are narrower than their texts.
        var free = text.width - fields.reduce(-2) { $0 + $1.width + 2 }
        while free > 0, fields.contains(where: { $0.width < $0.contentWidth }) {
            for index in fields.indices where free > 0 && fields[index].width < fields[index].contentWidth {
                fields[index].width += 1
                free -= 1
            }
        }
        return fields
    }
}
