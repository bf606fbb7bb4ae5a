import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues

/// Column statistics as text.
enum StatisticsFacts {
    /// Names and values, most frequently used first.
    static func pairs(_ statistics: ColumnStatistics, _ column: Column) -> [(String, String)] {
        var pairs = [("type", name(of: statistics.kind)), ("rows", ValueText.count(statistics.recordCount))]
        func add(_ name: String, _ count: Int) {
            pairs.append((name, "\(ValueText.count(count)) (\(StatisticsText.percent(count, of: statistics.recordCount)))"))
        }
        add("values", statistics.valueCount)
        add("empty", statistics.blankCount)
        if statistics.missingCount > 0 { add("missing", statistics.missingCount) }
        if statistics.unreadableCount > 0 { add("invalid", statistics.unreadableCount) }
        if statistics.notANumberCount > 0 { add("NaN", statistics.notANumberCount) }
        pairs.append(("distinct", distinct(statistics)))
        if let texts = statistics.texts {
            pairs += [
                ("first", texts.first), ("last", texts.last),
                (
                    "characters",
                    Set([texts.lengths.lowerBound, texts.lengths.upperBound]).sorted().map(ValueText.count).joined(separator: "–")
                ),
            ]
        }
        func add(_ name: String, _ value: AggregateValue) { if value != .none { pairs.append((name, text(value, column))) } }
        if statistics.kind == .flag {
            if case .integer(let count) = statistics.sum, let share = shareOfTrue(statistics) {
                pairs.append(("true", "\(ValueText.count(Int(count))) (\(share))"))
            }
            return pairs
        }
        add("min", statistics.least)
        for (percentage, value) in zip(ColumnStatistics.percentages, statistics.quantiles) {
            add(percentage == 50 ? "median" : "p\(percentage)", value)
        }
        add("max", statistics.greatest)
        add("mean", statistics.mean)
        if let deviation = statistics.standardDeviation { add("std dev", .decimal(deviation)) }
        add("sum", statistics.sum)
        return pairs
    }

    /// The percentage of true flags; `nil` without flags.
    static func shareOfTrue(_ statistics: ColumnStatistics) -> String? {
        guard case .integer(let count) = statistics.sum else { return nil }
        return StatisticsText.percent(Int(count), of: statistics.valueCount)
    }

    /// The number of distinct values; `~` marks an estimate.
    static func distinct(_ statistics: ColumnStatistics) -> String {
        (statistics.distinct.isExact ? "" : "~") + ValueText.count(statistics.distinct.count)
    }

    /// The name of a type in the options.
    static func name(of kind: ValueKind) -> String { kind == .dateTime ? "datetime" : kind.rawValue }

    /// A value in the format of the column, with one more digit.
    static func text(_ value: AggregateValue, _ column: Column) -> String {
        switch value {
        case .none, .record: return "–"
        case .integer(let number):
            if column.kind.isTemporal { return DateText.text(ofMicroseconds: number, kind: column.kind) }
            return text(ExactDecimal(Int128(number)), column)
        case .decimal(let number):
            let size = number.magnitude
            // Tiny numbers have no significant digits in a fixed format.
            if size > 0, size < 0.001 || size >= 1e15 { return "\(number)" }
            return text(number, column, maximumFractionDigits: fractionDigits(column, isSmall: size < 1))
        case .exact(let number): return text(number, column)
        }
    }

    /// The fraction digits of statistics: one more than the cells of the column, at least 2, and at least 4 below one.
    private static func fractionDigits(_ column: Column, isSmall: Bool) -> Int {
        max(isSmall ? 4 : 2, column.format.fractionDigits + (column.kind == .decimal ? 1 : 0))
    }

    /// A number with a maximum number of fraction digits. Thousands are grouped as in the column.
    static func text(_ number: Double, _ column: Column, maximumFractionDigits: Int) -> String {
        NumberText.text(
            of: number, column.notation, maximumFractionDigits: maximumFractionDigits, groupsThousands: column.format.groupsThousands)
    }

    private static func text(_ number: ExactDecimal, _ column: Column) -> String {
        NumberText.text(
            of: number, column.notation, maximumFractionDigits: fractionDigits(column, isSmall: number.double.magnitude < 1),
            groupsThousands: column.format.groupsThousands)
    }
}
