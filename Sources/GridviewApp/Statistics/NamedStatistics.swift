import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues

/// Formats column statistics as names with values.
enum NamedStatistics {
    /// The names and values of the statistics, in display order. Numbers are shortened to `width` terminal cells. A percentage is left out
    /// if it does not fit after its count.
    static func pairs(_ statistics: ColumnStatistics, _ column: Column, width: Int = .max) -> [(String, String)] {
        let sign = estimateSign(statistics)
        return unmarkedPairs(statistics, column, width: width == .max ? width : max(1, width - sign.count)).map { name, value in
            (name, name == "type" || name == "dates" ? value : sign + value)
        }
    }

    /// The sign `≈` to write before estimated numbers and values; empty if the statistics are exact.
    static func estimateSign(_ statistics: ColumnStatistics) -> String { statistics.isEstimate ? "≈ " : "" }

    private static func unmarkedPairs(_ statistics: ColumnStatistics, _ column: Column, width: Int) -> [(String, String)] {
        let format = StatisticsFormat(statistics, column)
        var pairs = [("type", name(of: statistics.kind)), ("rows", ValueText.count(statistics.recordCount))]
        if let dates = notation(of: column) { pairs.append(("dates", dates)) }
        func addShare(_ name: String, _ count: Int, _ share: String) {
            let whole = "\(ValueText.count(count)) (\(share))"
            pairs.append((name, count == 0 || whole.count > width ? ValueText.count(count) : whole))
        }
        func add(_ name: String, _ count: Int) {
            addShare(name, count, StatisticsText.percent(count, of: statistics.recordCount))
        }
        add("values", statistics.valueCount)
        add("empty", statistics.emptyCount)
        if statistics.missingCount > 0 { add("missing", statistics.missingCount) }
        if statistics.unreadableCount > 0 { add("invalid", statistics.unreadableCount) }
        if statistics.nanCount > 0 { add("NaN", statistics.nanCount) }
        pairs.append(("distinct", distinctText(statistics)))
        if let texts = statistics.textRange {
            pairs += [
                ("first", texts.first), ("last", texts.last),
                (
                    "characters",
                    Set([texts.lengths.lowerBound, texts.lengths.upperBound]).sorted().map(ValueText.count).joined(separator: "–")
                ),
            ]
        }
        func add(_ name: String, _ value: AggregateValue, isDerived: Bool = false) {
            guard value != .none else { return }
            let text = format.text(value, isDerived: isDerived, width: width)
            let whole = isDerived ? nil : format.roundedBytes(value).map { "\(text) (\($0))" }
            pairs.append((name, whole.flatMap { $0.count <= width ? $0 : nil } ?? text))
        }
        if statistics.kind == .flag {
            if case .integer(let count) = statistics.sum, let share = shareOfTrue(statistics) {
                addShare("true", Int(count), share)
                let other = statistics.valueCount - Int(count)
                addShare("false", other, StatisticsText.percent(other, of: statistics.valueCount))
            }
            return pairs
        }
        add("min", statistics.minimum)
        for (percentage, value) in zip(ColumnStatistics.percentages, statistics.quantiles) {
            let function = AggregateFunction.allCases.first { $0.percentage == percentage }
            add(function?.rawValue ?? "p\(percentage)", value, isDerived: true)
        }
        add("max", statistics.maximum)
        add("mean", statistics.mean, isDerived: true)
        if let deviation = statistics.standardDeviation {
            add(AggregateFunction.standardDeviation.rawValue, .decimal(deviation), isDerived: true)
        }
        add("sum", statistics.sum)
        return pairs
    }

    /// The percentage of true values in a column of flags; `nil` if there are no flags.
    static func shareOfTrue(_ statistics: ColumnStatistics) -> String? {
        guard case .integer(let count) = statistics.sum else { return nil }
        return StatisticsText.percent(Int(count), of: statistics.valueCount)
    }

    /// The number of distinct values. A `~` before it marks an estimate, because all other numbers are exact.
    static func distinctText(_ statistics: ColumnStatistics) -> String {
        (statistics.distinct.isExact || statistics.isEstimate ? "" : "~") + ValueText.count(statistics.distinct.count)
    }

    /// The form of the dates in a column, such as day before month; `nil` for ISO 8601 dates, and for columns of other types.
    private static func notation(of column: Column) -> String? {
        guard column.kind == .date || column.kind == .dateTime else { return nil }
        let order: String
        switch column.dateNotation {
        case .iso: return nil
        case .dayFirst: order = "day/month/year"
        case .monthFirst: order = "month/day/year"
        case .digits: return "yyyymmdd"
        case .epochSeconds: return "seconds since 1970"
        case .epochMilliseconds: return "milliseconds since 1970"
        }
        return column.hasAmbiguousDates ? "\(order)?" : order
    }

    /// The name of a type as it is written in options, such as `datetime`.
    static func name(of kind: ValueKind) -> String { kind == .dateTime ? "datetime" : kind.rawValue }
}
