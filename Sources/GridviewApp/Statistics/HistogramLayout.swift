import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

/// The bars of a histogram with their value ranges and an axis, arranged for a width in terminal cells.
struct HistogramLayout {
    private let histogram: ColumnStatistics.Histogram
    private let column: Column
    private let format: StatisticsFormat
    private let width: Int
    let barWidth: Int
    /// The number of histogram intervals that one bar shows: 1, or 2 if there is no room for a bar for each interval.
    private let step: Int
    /// The number of rows in the range of each bar.
    let counts: [Int]

    init(_ histogram: ColumnStatistics.Histogram, _ column: Column, _ format: StatisticsFormat, width: Int) {
        (self.histogram, self.column, self.format, self.width) = (histogram, column, format, width)
        let intervals = histogram.counts
        barWidth = max(1, min(8, width / intervals.count))
        let step = intervals.count > width ? 2 : 1
        self.step = step
        counts = stride(from: 0, to: intervals.count, by: step).map { intervals[$0..<min(intervals.count, $0 + step)].reduce(0, +) }
    }

    // MARK: Ranges

    /// The value range of a bar, such as `10 – 20`.
    func title(of bar: Int) -> String {
        let (low, high) = (boundary(bar * step), boundary(min(histogram.counts.count, (bar + 1) * step)))
        return "\(format.text(low, like: sizeStep)) – \(format.text(high, like: sizeStep))"
    }

    /// For a column of sizes, the width of an interval; `nil` for other columns. It limits the rounding, so that the texts of the two ends
    /// of an interval differ.
    private var sizeStep: AggregateValue? {
        guard column.notation.unit.isSize, let low = StatisticsFormat.number(histogram.minimum),
            let high = StatisticsFormat.number(histogram.maximum)
        else { return nil }
        return .decimal((high - low) / Double(histogram.counts.count))
    }

    /// A filter for the values of a bar, as text. A value on the boundary of two bars belongs to the upper bar, and the maximum belongs to
    /// the last bar.
    func condition(of bar: Int, in schema: Schema) -> String? {
        let (first, end) = (bar * step, min(histogram.counts.count, (bar + 1) * step))
        guard let low = literal(boundary(first)), let high = literal(boundary(end)) else { return nil }
        let name = Formula.field(column.id.field).text(in: schema)
        return "\(name) >= \(low) and \(name) \(end == histogram.counts.count ? "<=" : "<") \(high)"
    }

    /// The number of fraction digits of the values in the histogram.
    private var digits: Int {
        if column.kind == .integer { return 0 }
        let shown = column.format.alignedFractionDigits + (column.notation.unit.isPercent ? 2 : 0)
        let found = [histogram.minimum, histogram.maximum].reduce(shown) { digits, value in
            switch value {
            case .exact(let number): max(digits, number.withoutTrailingZeros.digits)
            case .decimal(let number): max(digits, FieldBytes.withBytes(of: "\(number)") { $0.exactDecimal()?.digits } ?? .max)
            case .none, .integer, .record: digits
            }
        }
        // The number of fraction digits is unknown if the column was read as text.
        return found == 0 ? .max : found
    }

    /// The lower boundary of a histogram interval or, if `part` is the number of intervals, the maximum. Boundaries are rounded up to the
    /// fraction digits of the values, which moves no value to another interval.
    private func boundary(_ part: Int) -> AggregateValue {
        let count = histogram.counts.count
        if part == 0 { return histogram.minimum }
        if part == count { return histogram.maximum }
        switch (histogram.minimum, histogram.maximum) {
        case (.integer(let low), .integer(let high)):
            let unit: Int64 = column.kind == .date ? 86_400_000_000 : 1
            let distance = (Int128(high) - Int128(low)) * Int128(part)
            let divisor = Int128(count) * Int128(unit)
            return .integer(Int64(Int128(low) + (distance + divisor - 1) / divisor * Int128(unit)))
        case (.exact(let low), .exact(let high)) where 100 % count == 0:
            let digits = max(low.digits, high.digits)
            func mantissa(_ number: ExactDecimal) -> Int128 { number.mantissa * ExactDecimal.power(digits - number.digits) }
            let sum = mantissa(low) * Int128(count - part) + mantissa(high) * Int128(part)
            return .exact(ExactDecimal(sum * Int128(100 / count), digits: digits + 2).roundedUp(fractionDigits: self.digits))
        case (let low, let high):
            guard let low = StatisticsFormat.number(low), let high = StatisticsFormat.number(high) else { return .none }
            let fraction = Double(part) / Double(count)
            let value = NumberText.roundedToDecimals(low * (1 - fraction) + high * fraction)
            guard value.magnitude * ExactDecimal.doublePower(min(digits, 22)) < 1e15,
                let exact = FieldBytes.withBytes(of: "\(value)", { $0.exactDecimal() })
            else { return .decimal(value) }
            return .exact(exact.roundedUp(fractionDigits: digits))
        }
    }

    /// A number as it is written in a filter. Percentages have a percent sign, and other numbers have no unit.
    private func literal(_ value: AggregateValue) -> String? {
        guard let constant = constant(value) else { return nil }
        guard column.notation.unit.isPercent, case .number(let number) = constant, let percentage = number.percentage else {
            return constant.text
        }
        return "\(percentage.text)%"
    }

    private func constant(_ value: AggregateValue) -> Formula.Constant? {
        switch value {
        case .none, .record: return nil
        case .integer(let number):
            return column.kind.isTemporal ? .temporal(number, column.kind) : .number(ExactDecimal(Int128(number)))
        case .exact(let number): return .number(number)
        case .decimal(let number):
            return FieldBytes.withBytes(of: "\(number)") { $0.exactDecimal() }.map { .number($0) } ?? .approximate("\(number)")
        }
    }

    // MARK: Axis

    /// A mark on the axis with its label. `x` counts terminal cells from the left edge of the first bar.
    private struct Tick {
        var x: Int
        var text: String
        var start: Int
    }

    /// The axis line with its marks, and the labels for the line below it. If there is no room for two round numbers, the labels are the
    /// minimum and the maximum.
    var axis: (marks: String, labels: [(x: Int, text: String)]) {
        let wide = counts.count * barWidth
        let ticks = tickSteps.lazy.map { self.ticks(every: $0) }.first { fits($0) } ?? []
        var marks = [Character](repeating: "─", count: wide)
        for tick in ticks where marks.indices.contains(tick.x) { marks[tick.x] = "┬" }
        guard ticks.isEmpty else { return (String(marks), ticks.map { ($0.start, $0.text) }) }
        let room = max(1, (width - 2) / 2)
        let (low, high) = (format.text(histogram.minimum, width: room), format.text(histogram.maximum, width: room))
        return (String(marks), [(0, low), (max(low.count + 2, wide - high.count), high)])
    }

    private func fits(_ ticks: [Tick]) -> Bool {
        ticks.count > 1 && zip(ticks, ticks.dropFirst()).allSatisfy { $0.start + $0.text.count + 2 <= $1.start }
            && ticks.allSatisfy { $0.start >= 0 && $0.start + $0.text.count <= width }
    }

    /// The possible distances between marks, ascending. They are round numbers; for dates and times, round times in microseconds.
    private var tickSteps: [Double] {
        guard let low = StatisticsFormat.number(histogram.minimum), let high = StatisticsFormat.number(histogram.maximum),
            (high - low).isFinite, high > low
        else { return [] }
        let range = high - low
        if column.kind.isTemporal {
            let seconds = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200].map(Double.init)
            let days = [1, 2, 7, 14].map { Double($0) * 86_400 }
            let months = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000].map { Double($0) * Self.secondsPerMonth }
            let all = (column.kind == .date ? [] : seconds) + (column.kind == .time ? [] : days + months)
            return all.map { $0 * 1e6 }.filter { range / $0 <= 40 }
        }
        if column.notation.unit.isSize {
            return (0..<80).map { Double(sign: .plus, exponent: $0, significand: 1) }.filter { range / $0 <= 40 }
        }
        var power = 1.0
        while power * 50 < range { power *= 10 }
        while power > range / 20, power > 1e-300 { power /= 10 }
        let all = [1.0, 2, 5, 10, 20, 50, 100].map { $0 * power }
        return column.kind == .integer ? all.filter { $0 >= 1 } : all
    }

    /// The mean length of a month in seconds, to find out whether marks at the starts of months fit.
    private static let secondsPerMonth = 2_629_746.0

    private func ticks(every step: Double) -> [Tick] {
        guard let low = StatisticsFormat.number(histogram.minimum), let high = StatisticsFormat.number(histogram.maximum) else { return [] }
        let wide = Double(counts.count * barWidth)
        return tickValues(every: step, from: low, to: high).map { tickValue in
            let value: AggregateValue = column.kind.isTemporal ? .integer(Int64(tickValue)) : .decimal(tickValue)
            let text = column.kind == .dateTime && step >= 86_400e6 ? date(tickValue) : format.text(value, like: .decimal(step))
            let x = min(Int(wide) - 1, Int((tickValue - low) / (high - low) * wide))
            return Tick(x: x, text: text, start: max(0, min(x - (text.count - 1) / 2, width - text.count)))
        }
    }

    private func date(_ tickValue: Double) -> String { DateText.text(ofMicroseconds: Int64(tickValue), kind: .date) }

    /// The values at which to set marks between two values: multiples of `step`, or the starts of months if the step is in months.
    private func tickValues(every step: Double, from low: Double, to high: Double) -> [Double] {
        let day = 86_400e6
        guard column.kind.isTemporal, step >= Self.secondsPerMonth * 1e6 else {
            // Marks for weeks are on Mondays. The first day of the epoch, 1 January 1970, was a Thursday, so the first Monday comes four
            // days later.
            let origin = column.kind.isTemporal && step >= 7 * day ? 4 * day : 0
            return Array(stride(from: ((low - origin) / step).rounded(.up) * step + origin, through: high, by: step))
        }
        let months = Int((step / Self.secondsPerMonth / 1e6).rounded())
        let first = CalendarDay(daysSinceEpoch: Int((low / day).rounded(.down)))
        let last = CalendarDay(daysSinceEpoch: Int((high / day).rounded(.down)))
        func monthIndex(of day: CalendarDay) -> Int { day.year * 12 + day.month - 1 }
        let start = monthIndex(of: first) - (monthIndex(of: first) % months + months) % months
        return stride(from: start, through: monthIndex(of: last), by: months).map { index in
            let year = index >= 0 ? index / 12 : (index - 11) / 12
            return Double(CalendarDay(year: year, month: index - year * 12 + 1, day: 1).daysSinceEpoch) * day
        }.filter { low <= $0 && $0 <= high }
    }
}
