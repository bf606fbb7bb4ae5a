import FieldValues
import Tables

/// Sums, means and extremes of a set of values.
protocol FigureSet: BitwiseCopyable {
    init()
    /// Adds those of another set.
    mutating func add(_ other: Self)
    /// The outcome of `function`.
    func value(_ function: AggregateRequest.Function, _ scale: FigureScale) -> AggregateValue
}

/// Figures of whole numbers of 64 bits, added exactly in 128 bits, or of doubles, added with compensation.
struct Figures: FigureSet {
    private(set) var filled = 0
    private var valueCount = 0
    private var least = UInt64.max
    private var greatest: UInt64 = 0
    private var exact: Int128 = 0
    private var sum = 0.0
    private var compensation = 0.0

    /// Adds the field of a column of fixed-point numbers.
    @inline(__always)
    mutating func add(fixed key: UInt64, _ kind: UInt8) {
        guard count(key, kind) else { return }
        exact &+= Int128(ValueVector.integer(of: key))
    }

    /// Adds the field of a column of doubles.
    @inline(__always)
    mutating func add(double key: UInt64, _ kind: UInt8) {
        guard count(key, kind) else { return }
        addDouble(ValueVector.decimal(of: key))
    }

    @inline(__always)
    private mutating func count(_ key: UInt64, _ kind: UInt8) -> Bool {
        guard kind == FieldClass.value.rawValue else {
            if kind < FieldClass.blank.rawValue { filled += 1 }
            return false
        }
        filled += 1
        valueCount += 1
        least = min(least, key)
        greatest = max(greatest, key)
        return true
    }

    mutating func add(_ other: Figures) {
        filled += other.filled
        valueCount += other.valueCount
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
        exact &+= other.exact
        addDouble(other.sum)
        if other.compensation.isFinite { addDouble(other.compensation) }
    }

    /// A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974.
    @inline(__always)
    private mutating func addDouble(_ value: Double) {
        let next = sum + value
        compensation += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
        sum = next
    }

    func value(_ function: AggregateRequest.Function, _ scale: FigureScale) -> AggregateValue {
        if function == .count { return .integer(Int64(filled)) }
        guard valueCount > 0 else { return .none }
        return scale.isDouble ? double(function) : fixed(function, scale)
    }

    private func double(_ function: AggregateRequest.Function) -> AggregateValue {
        // Infinite sums have no meaningful compensation.
        let total = sum.isFinite ? sum + compensation : sum
        return switch function {
        case .count, .distinct, .first, .last: .none
        case .sum: .decimal(total)
        case .mean: .decimal(total / Double(valueCount))
        case .min: .decimal(ValueVector.decimal(of: least))
        case .max: .decimal(ValueVector.decimal(of: greatest))
        }
    }

    private func fixed(_ function: AggregateRequest.Function, _ scale: FigureScale) -> AggregateValue {
        switch function {
        case .count, .distinct, .first, .last: .none
        case .sum: AggregateValue(exact * scale.factor, digits: scale.digits)
        case .mean: AggregateValue(meanOf: exact * scale.factor, digits: scale.digits, count: valueCount)
        case .min: AggregateValue(Int128(ValueVector.integer(of: least)) * scale.factor, digits: scale.digits)
        case .max: AggregateValue(Int128(ValueVector.integer(of: greatest)) * scale.factor, digits: scale.digits)
        }
    }
}

/// Figures of numbers that doubles would round, all of them exact (``ValueVector/exactDigits``).
struct ExactFigures: FigureSet {
    private var filled = 0
    private var valueCount = 0
    private var sum: Int128 = 0
    private var least = Int128.max
    private var greatest = Int128.min

    /// Adds a field.
    @inline(__always)
    mutating func add(_ number: Int128, _ kind: UInt8) {
        guard kind == FieldClass.value.rawValue else {
            if kind < FieldClass.blank.rawValue { filled += 1 }
            return
        }
        filled += 1
        valueCount += 1
        sum &+= number
        least = min(least, number)
        greatest = max(greatest, number)
    }

    mutating func add(_ other: ExactFigures) {
        filled += other.filled
        valueCount += other.valueCount
        sum &+= other.sum
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
    }

    func value(_ function: AggregateRequest.Function, _ scale: FigureScale) -> AggregateValue {
        if function == .count { return .integer(Int64(filled)) }
        guard valueCount > 0 else { return .none }
        return switch function {
        case .count, .distinct, .first, .last: .none
        case .sum: AggregateValue(sum, digits: scale.digits)
        case .mean: AggregateValue(meanOf: sum, digits: scale.digits, count: valueCount)
        case .min: AggregateValue(least, digits: scale.digits)
        case .max: AggregateValue(greatest, digits: scale.digits)
        }
    }
}

/// The meaning of the numbers that figures are made of.
struct FigureScale {
    let isDouble: Bool
    /// What whole numbers are multiplied by: times are told in microseconds, however many digits of their seconds are kept.
    let factor: Int128
    /// Digits after the point.
    let digits: Int

    init(_ vector: ValueVector, isTemporal: Bool) {
        switch vector.meaning {
        case .double: (isDouble, factor, digits) = (vector.exactDigits == nil, 1, vector.exactDigits ?? 0)
        case .fixed(let own):
            isDouble = false
            factor = isTemporal ? Int128(FixedScale.power(6 - own)) : 1
            digits = isTemporal ? 0 : own
        }
    }
}

extension AggregateValue {
    /// The plainest value that is `mantissa` ÷ 10^`digits` exactly.
    init(_ mantissa: Int128, digits: Int) {
        // Most figures are shorter than they might be, and the conversion of 128 bits is slow.
        let short = Int64(truncatingIfNeeded: mantissa)
        if Int128(short) != mantissa {
            self = .exact(ExactDecimal(mantissa, digits: digits))
        } else if digits == 0 {
            self = .integer(short)
        } else if digits <= 22, short.magnitude <= FixedScale.limit {
            self = .decimal(Double(short) / ExactDecimal.doublePower(digits))
        } else {
            self = .exact(ExactDecimal(mantissa, digits: digits))
        }
    }

    /// The mean of `count` values with the sum `sum` ÷ 10^`digits`: a double, or where that lacks digits before the point, a decimal
    /// number rounded half away from zero.
    init(meanOf sum: Int128, digits: Int, count: Int) {
        let short = Int64(truncatingIfNeeded: sum)
        let total = Int128(short) == sum ? Double(short) : Double(sum)
        let mean = total / (ExactDecimal.doublePower(digits) * Double(count))
        self = .decimal(mean)
        guard mean.magnitude >= 0x1p53, let scaled = ExactDecimal.scaled(sum, by: 6), digits + 6 <= ExactDecimal.maximumDigits else {
            return
        }
        let (quotient, rest) = scaled.quotientAndRemainder(dividingBy: Int128(count))
        let isUp = rest.magnitude * 2 >= UInt128(count)
        self = .exact(ExactDecimal(isUp ? quotient + (sum < 0 ? -1 : 1) : quotient, digits: digits + 6))
    }
}
