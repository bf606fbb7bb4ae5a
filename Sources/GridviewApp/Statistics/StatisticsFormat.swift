import DataGrid
import DataGridQuery
import FieldValues

/// The format of all numbers, dates and times in the statistics of one column.
///
/// - Thousands are grouped as in the column.
/// - Some numbers, such as the minimum, need no more fraction digits than the values of the column. They are shown with as many fraction
///   digits as the values.
/// - All other numbers, such as most means, have the same number of fraction digits: 1 to ``extraDigits`` more than the values.
/// - If a number is too small or too large for these digits, all numbers have an exponent.
/// - Dates and times are rounded to the unit of the column.
struct StatisticsFormat {
    private let column: Column
    /// The number of fraction digits of the values in the column.
    private let valueDigits: Int
    /// The number of fraction digits of numbers that need more digits than ``valueDigits``.
    private let fractionDigits: Int
    private let usesExponent: Bool
    /// The precision of dates and times in the column, in microseconds: a day, a second or less.
    private let timeUnit: Int64
    /// True for a column of dates with times if all its values have the same date, so that the date can be left out.
    private let hasOneDate: Bool

    /// The maximum number of fraction digits that statistics have in addition to those of the column's values.
    private static let extraDigits = 4
    /// The number of fraction digits of numbers with an exponent.
    private static let exponentDigits = 3

    init(_ statistics: ColumnStatistics, _ column: Column) {
        self.column = column
        valueDigits = column.kind == .decimal ? column.format.reservedFractionDigits : 0
        timeUnit = Self.timeUnit(statistics, column.kind)
        if column.kind == .dateTime, case .integer(let low) = statistics.minimum, case .integer(let high) = statistics.maximum {
            hasOneDate = Self.date(low) == Self.date(high)
        } else {
            hasOneDate = false
        }
        let most = valueDigits + Self.extraDigits
        let scale = column.notation.unit.isPercent ? 100.0 : 1
        let deviation = (statistics.standardDeviation ?? 0) * scale
        // Ignore a tiny mean, which would be 0 without rounding errors.
        let mean = Self.number(statistics.mean).map { $0 * scale }.flatMap { $0.magnitude < deviation * 1e-9 ? nil : $0 }
        let small = [mean, deviation].compactMap(\.self).filter { $0 != 0 && $0.magnitude < 1 && $0.isFinite }
        // Show three significant digits of numbers below one.
        let wanted = small.map { Self.decimalExponent(of: $0) }.min().map { 2 - $0 } ?? 0
        fractionDigits = max(2, valueDigits + 1, min(most, wanted))
        let all = [statistics.minimum, statistics.maximum] + statistics.quantiles
        let sizes = (all.map { Self.number($0).map { $0 * scale } } + [mean, deviation]).compactMap(\.self).map(\.magnitude).filter {
            $0 > 0 && $0.isFinite
        }
        let isTooLarge = column.kind == .decimal && sizes.contains { $0 >= 1e15 }
        usesExponent = column.kind.isNumber && (isTooLarge || sizes.contains { Self.decimalExponent(of: $0) < 2 - most })
    }

    /// The text of a value of the column or, if `isDerived` is true, of a computed value: a quantile, mean or deviation.
    ///
    /// To fit `width` characters, a number loses fraction digits or gets an exponent, and a date with a time loses its time. If all values
    /// have the same date, it loses its date instead.
    /// - Parameter other: a value whose number of fraction digits is used, such as the distance between the marks of an axis.
    func text(_ value: AggregateValue, isDerived: Bool = false, like other: AggregateValue? = nil, width: Int = .max) -> String {
        switch value {
        case .none, .record: return "–"
        case .integer(let number):
            if column.kind.isTemporal { return temporalText(number, width: width) }
            return numberText(.exact(ExactDecimal(Int128(number))), isDerived: isDerived, like: other, width)
        case .decimal(let number):
            if column.kind.isTemporal { return Int64(exactly: number.rounded()).map { temporalText($0, width: width) } ?? "–" }
            return numberText(value, isDerived: isDerived, like: other, width)
        case .exact: return numberText(value, isDerived: isDerived, like: other, width)
        }
    }

    // MARK: Numbers

    /// The text of a number with the unit of the column.
    private func numberText(_ value: AggregateValue, isDerived: Bool, like other: AggregateValue?, _ width: Int) -> String {
        let unit = column.kind.isNumber ? column.notation.unit : .none
        if unit.isSize { return sizeText(value, isDerived: isDerived, like: other, width) }
        let room = width == .max ? width : max(1, width - unit.width)
        func shown(_ value: AggregateValue) -> AggregateValue { unit.isPercent ? Self.percentage(of: value) : value }
        return unit.applied(to: plainText(shown(value), isDerived: isDerived, digits: digits(of: shown(other ?? value)), room))
    }

    /// The text of a size. A value of the column is written exactly if this takes at most three fraction digits.
    /// - Parameter step: the distance to the next size, whose text must be different; `nil` to round to two fraction digits.
    private func sizeText(_ value: AggregateValue, isDerived: Bool, like step: AggregateValue?, _ width: Int) -> String {
        guard let number = Self.number(value) else { return "–" }
        if !isDerived, case .exact(let exact) = value, let text = NumberText.exactSize(of: exact, column.notation), text.count <= width {
            return text
        }
        let most = step.flatMap { Self.number($0) }.map { max(2, Self.sizeDigits(of: number, step: $0)) } ?? 2
        let texts = [most, 2, 1, 0].lazy.map { NumberText.size(of: number, column.notation, maximumFractionDigits: $0) }
        return texts.first { $0.count <= width } ?? texts[3]
    }

    /// The number of fraction digits that give a size and the size one step above it distinct texts.
    private static func sizeDigits(of number: Double, step: Double) -> Int {
        var unit = 1.0
        while unit < 0x1p60, number.magnitude >= unit * 1024 { unit *= 1024 }
        return (0..<15).first { step / unit * ExactDecimal.doublePower($0) >= 1 } ?? 15
    }

    /// The number of bytes with all digits, if the text of the size is rounded; `nil` for other values.
    func roundedBytes(_ value: AggregateValue) -> String? {
        guard column.kind.isNumber, column.notation.unit.isSize else { return nil }
        let number: ExactDecimal
        switch value {
        case .integer(let integer): number = ExactDecimal(Int128(integer))
        case .exact(let exact): number = exact
        case .decimal, .none, .record: return nil
        }
        guard NumberText.exactSize(of: number, column.notation) == nil else { return nil }
        return NumberText.text(of: number, column.notation, maximumFractionDigits: number.digits)
    }

    /// The value times 100, to be written with a percent sign.
    private static func percentage(of value: AggregateValue) -> AggregateValue {
        switch value {
        case .exact(let number): number.percentage.map { .exact($0) } ?? .decimal(number.double * 100)
        case .decimal(let number): .decimal(NumberText.percentage(of: number))
        case .integer, .none, .record: value
        }
    }

    private func plainText(_ value: AggregateValue, isDerived: Bool, digits: Int, _ width: Int) -> String {
        switch value {
        case .none, .record, .integer: return "–"
        case .exact(let number): return text(number, digits: digits, width)
        case .decimal(let number):
            if usesExponent || number.magnitude >= 1e15 { return exponentText(number, width: width) }
            // Show all digits of a value of the column, because it is exact. A computed value has at most the reliable digits.
            let most = max(isDerived ? 0 : valueDigits, min(digits, Self.reliableDigits(of: number)))
            return fitting(
                NumberText.text(
                    of: number, column.notation, maximumFractionDigits: most, minimumFractionDigits: digits,
                    groupsThousands: column.format.groupsThousands), number, width)
        }
    }

    /// The number of fraction digits for a number: ``valueDigits`` if these show the number exactly, otherwise ``fractionDigits``.
    private func digits(of value: AggregateValue) -> Int {
        let needed: Int? =
            switch value {
            case .exact(let number): number.withoutTrailingZeros.digits
            case .decimal(let number):
                FieldBytes.withBytes(of: "\(NumberText.roundedToDecimals(number))") { $0.exactDecimal()?.withoutTrailingZeros.digits }
            case .none, .integer, .record: nil
            }
        return needed.map { $0 <= valueDigits } == true ? valueDigits : fractionDigits
    }

    private func text(_ number: ExactDecimal, digits: Int, _ width: Int) -> String {
        if usesExponent { return exponentText(number.double, width: width) }
        return fitting(
            NumberText.text(
                of: number, column.notation, maximumFractionDigits: digits, minimumFractionDigits: digits,
                groupsThousands: column.format.groupsThousands), number.double, width)
    }

    /// The number of fraction digits that are reliable in a `Double` of this size, which has 15 significant digits.
    private static func reliableDigits(of number: Double) -> Int { max(0, 14 - decimalExponent(of: number)) }

    /// The text without zeros at the end of the fraction.
    private func withoutTrailingZeros(_ text: String) -> String {
        let point = Character(UnicodeScalar(column.notation.decimalSeparator))
        guard text.contains(point) else { return text }
        var short = Substring(text)
        while short.last == "0" { short.removeLast() }
        if short.last == point { short.removeLast() }
        return String(short)
    }

    /// The text if it fits `width` characters; otherwise a shorter form of the number: first without zeros at the end, then rounded.
    private func fitting(_ text: String, _ number: Double, _ width: Int) -> String {
        guard text.count > width else { return text }
        let short = withoutTrailingZeros(text)
        guard short.count > width else { return short }
        guard number.magnitude < 1e15 else { return exponentText(number, width: width) }
        let most = min(fractionDigits - 1, Self.reliableDigits(of: number))
        for digits in stride(from: most, through: 0, by: -1) where number.magnitude >= 1 || digits > -Self.decimalExponent(of: number) {
            let text = NumberText.text(
                of: number, column.notation, maximumFractionDigits: digits, minimumFractionDigits: digits,
                groupsThousands: column.format.groupsThousands)
            if text.count <= width { return text }
        }
        return exponentText(number, width: width)
    }

    private func exponentText(_ number: Double, width: Int) -> String {
        for digits in stride(from: Self.exponentDigits, through: 1, by: -1) {
            let text = exponentText(number, fractionDigits: digits)
            if text.count <= width { return text }
        }
        return exponentText(number, fractionDigits: 0)
    }

    /// A number with an exponent, such as `8.659e-5`.
    private func exponentText(_ number: Double, fractionDigits: Int) -> String {
        guard number.isFinite else { return NumberText.text(of: number, column.notation, maximumFractionDigits: 0) }
        var (mantissa, power) = (number, 0)
        while mantissa.magnitude >= 10 { (mantissa, power) = (mantissa / 10, power + 1) }
        while mantissa != 0, mantissa.magnitude < 1 { (mantissa, power) = (mantissa * 10, power - 1) }
        func text(_ mantissa: Double) -> String {
            NumberText.text(
                of: mantissa, column.notation, maximumFractionDigits: fractionDigits, minimumFractionDigits: fractionDigits)
        }
        // Rounding may turn 9.9996 into 10. Then divide by 10 and increase the exponent.
        if text(mantissa.magnitude).hasPrefix("10") { (mantissa, power) = (mantissa / 10, power + 1) }
        return "\(text(mantissa))e\(power)"
    }

    /// The exponent of a number in scientific notation: 0 for 1 and 9.9, −1 for 0.5; also 0 for the number 0.
    private static func decimalExponent(of number: Double) -> Int {
        guard number.isFinite, number != 0 else { return 0 }
        var (size, power) = (number.magnitude, 0)
        while size >= 10 { (size, power) = (size / 10, power + 1) }
        while size < 1 { (size, power) = (size * 10, power - 1) }
        return power
    }

    /// The value as a double; `nil` if there is no value or it is not a number.
    static func number(_ value: AggregateValue) -> Double? {
        switch value {
        case .none, .record: nil
        case .integer(let number): Double(number)
        case .decimal(let number): number
        case .exact(let number): number.double
        }
    }

    // MARK: Dates and times

    private static let second: Int64 = 1_000_000
    private static let day: Int64 = 86_400_000_000

    /// The precision in which dates and times are shown, in microseconds: a day for dates. For times, it is the largest of second,
    /// millisecond and microsecond that divides the minimum and the maximum.
    private static func timeUnit(_ statistics: ColumnStatistics, _ kind: ValueKind) -> Int64 {
        if kind == .date { return day }
        let ends = [statistics.minimum, statistics.maximum].compactMap { value -> Int64? in
            if case .integer(let number) = value { number } else { nil }
        }
        return [second, 1_000].first { unit in ends.allSatisfy { $0 % unit == 0 } } ?? 1
    }

    private static func date(_ microseconds: Int64) -> String { DateText.text(ofMicroseconds: microseconds, kind: .date) }

    private func temporalText(_ microseconds: Int64, width: Int) -> String {
        let rest = (microseconds % timeUnit + timeUnit) % timeUnit
        let rounded = microseconds &- rest + (rest * 2 >= timeUnit && microseconds < .max - timeUnit ? timeUnit : 0)
        // Do not round a time just before midnight up to midnight, which would look like the start of the day.
        let shown = column.kind == .time && rounded >= Self.day && microseconds < Self.day ? microseconds &- rest : rounded
        let digits = timeUnit >= Self.second ? 0 : timeUnit == 1_000 ? 3 : 6
        let text = DateText.text(ofMicroseconds: shown, kind: column.kind, fractionDigits: digits)
        guard text.count > width, column.kind != .date else { return text }
        let short = DateText.text(ofMicroseconds: shown, kind: column.kind, fractionDigits: 0)
        guard short.count > width, column.kind == .dateTime else { return short }
        guard hasOneDate else { return Self.date(shown) }
        let time = (shown % Self.day + Self.day) % Self.day
        let times = [digits, 0].map { DateText.text(ofMicroseconds: time, kind: .time, fractionDigits: $0) }
        return times.first { $0.count <= width } ?? times[1]
    }
}
