import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import TerminalSurface

/// The lines of a statistics list: values with their counts, or columns.
@MainActor
struct StatisticsList {
    private let text: StatisticsText
    /// The screen line of the first visible entry, and the number of lines.
    let top, height: Int
    let first: Int
    private let fields: [Field]
    private let nameWidth: Int

    /// A column of the summary.
    private struct Field {
        var title: String
        var width: Int
        var isAtRight: Bool
        /// The order in which columns are dropped without room, greatest first.
        var rank: Int
        var text: (ColumnStatistics) -> String
    }

    init(_ text: StatisticsText) {
        self.text = text
        // Without room, there is no header line.
        let frame = PanelFrame(pageIn: text.state.size)
        let (all, y) = (frame.pageHeight, frame.rect.y + 1)
        (top, height) = all >= 4 ? (y + 1, all - 1) : (y, all)
        first = max(0, text.panel.selected - height + 1)
        switch text.panel.result {
        case .summary(let all): (fields, nameWidth) = (Self.fields(all, text), 0)
        case .frequencies(let table):
            fields = []
            let numbers = max(StatisticsText.countTitle.count, DisplayWidth.of(ValueText.count(table.greatestCount))) + 11
            nameWidth = max(6, min(text.width * 2 / 5, text.width - numbers))
        default: (fields, nameWidth) = ([], 0)
        }
    }

    var head: StatisticsText.Line? {
        guard height < PanelFrame(pageIn: text.state.size).pageHeight else { return nil }
        switch text.panel.result {
        case .summary: return line { $0.title }
        case .frequencies(let table):
            let title = StatisticsText.countTitle
            let x = nameWidth + 2 + max(title.count, DisplayWidth.of(ValueText.count(table.greatestCount)))
            return [
                .init(x: 0, text: "value", role: .name), .init(x: x - title.count, text: title, role: .name),
            ] + (x + 9 <= text.width ? [.init(x: x + 4, text: "share", role: .name)] : [])
        default: return nil
        }
    }

    func line(_ place: Int) -> StatisticsText.Line {
        switch text.panel.result {
        case .summary(let all): return line { $0.text(all[place]) }
        case .frequencies(let table):
            guard case .frequencies(let id) = text.panel.subject else { return [] }
            let entry = table.entry(place, byValue: text.panel.isByValue)
            let shown = text.shown(entry.value, text.column(id))
            return text.frequency(shown, entry.count, of: table.recordCount, most: table.greatestCount, nameWidth: nameWidth)
        default: return []
        }
    }

    private func line(_ content: (Field) -> String) -> StatisticsText.Line {
        var x = 0
        return fields.map { field in
            let text = content(field)
            let free = field.isAtRight ? max(0, field.width - DisplayWidth.of(text, limit: field.width)) : 0
            defer { x += field.width + 2 }
            return .init(x: x + free, text: Message.name(text, width: field.width), role: field.title.isEmpty ? .bar : .value)
        }
    }

    /// The width of a value in terminal cells if there is little room.
    private static let narrow = 11

    /// A value in ``narrow`` terminal cells: a date without its time, a number with fewer fraction digits or in exponent form.
    private static func short(_ value: AggregateValue, _ column: Column) -> String {
        let text = StatisticsFacts.text(value, column)
        guard text.count > narrow else { return text }
        if column.kind == .dateTime, case .integer(let time) = value { return DateText.text(ofMicroseconds: time, kind: .date) }
        let number: Double
        switch value {
        case .none, .record: return text
        case .integer(let whole): number = Double(whole)
        case .decimal(let decimal): number = decimal
        case .exact(let exact): number = exact.double
        }
        for digits in [2, 0] {
            let text = StatisticsFacts.text(number, column, maximumFractionDigits: digits)
            if text.count <= narrow { return text }
        }
        guard number.isFinite, number != 0 else { return text }
        var (mantissa, power) = (number, 0)
        while mantissa.magnitude >= 10 { (mantissa, power) = (mantissa / 10, power + 1) }
        while mantissa.magnitude < 1 { (mantissa, power) = (mantissa * 10, power - 1) }
        return NumberText.text(of: mantissa, column.notation, maximumFractionDigits: 2) + "e\(power)"
    }

    /// The columns of the summary that fit.
    private static func fields(_ all: [ColumnStatistics], _ text: StatisticsText) -> [Field] {
        func column(_ statistics: ColumnStatistics) -> Column { text.column(ColumnID(statistics.column)) }
        let isNarrow = text.width < 100
        func value(_ value: AggregateValue, _ statistics: ColumnStatistics) -> String {
            if statistics.kind == .flag, case .integer(let flag) = value { return flag == 1 ? "true" : "false" }
            return isNarrow ? short(value, column(statistics)) : StatisticsFacts.text(value, column(statistics))
        }
        func mean(_ statistics: ColumnStatistics) -> String {
            statistics.kind == .flag ? StatisticsFacts.shareOfTrue(statistics) ?? "–" : value(statistics.mean, statistics)
        }
        var fields: [Field] = [
            Field(title: "column", width: 0, isAtRight: false, rank: 0) { column($0).title },
            Field(title: "type", width: 0, isAtRight: false, rank: 7) { StatisticsFacts.name(of: $0.kind) },
            Field(title: "empty", width: 0, isAtRight: true, rank: 5) { ValueText.count($0.blankCount + $0.missingCount) },
            Field(title: "distinct", width: 0, isAtRight: true, rank: 3) { StatisticsFacts.distinct($0) },
            Field(title: "min", width: 0, isAtRight: true, rank: 1) { $0.texts?.first ?? value($0.least, $0) },
            Field(title: "mean", width: 0, isAtRight: true, rank: 6, text: mean),
            Field(title: "max", width: 0, isAtRight: true, rank: 2) { $0.texts?.last ?? value($0.greatest, $0) },
        ]
        for index in fields.indices {
            // The first 200 columns determine the widths.
            let wide = all.prefix(200).map { DisplayWidth.of(fields[index].text($0), limit: 24) }.max() ?? 0
            fields[index].width = max(fields[index].title.count, min(isNarrow ? narrow : index == 0 ? 20 : 19, wide))
        }
        let spark = text.width - fields.reduce(0) { $0 + $1.width + 2 } < 20 ? 10 : 20
        fields.append(Field(title: "", width: spark, isAtRight: false, rank: 4) { Bar.spark($0.histogram?.counts ?? [], width: spark) })
        while fields.count > 1, fields.reduce(-2, { $0 + $1.width + 2 }) > text.width,
            let last = fields.indices.max(by: { fields[$0].rank < fields[$1].rank })
        { fields.remove(at: last) }
        if fields.count == 1 { fields[0].width = min(fields[0].width, text.width) }
        return fields
    }
}
