import FieldValues
import Tables

/// The count, sum, minimum and maximum of some fields.
///
/// The sum of exact numbers is exact. Doubles are added with compensation of rounding errors.
struct Aggregates: BitwiseCopyable {
    private var filledCount = 0
    private var valueCount = 0
    /// The extremes. In a column of doubles, they are keys: integers in the order of the doubles. In other columns, they are the numbers.
    private var minimum = Int128.max
    private var maximum = Int128.min
    private var exactSum: Int128 = 0
    private var doubleSum = NeumaierSum()

    /// Adds a field of a column of exact numbers.
    @inline(__always)
    mutating func add(_ number: Int128, _ kind: UInt8) { if addToCounts(number, kind) { exactSum &+= number } }

    /// Adds a field of a column of doubles.
    @inline(__always)
    mutating func add(double key: UInt64, _ kind: UInt8) {
        if addToCounts(Int128(key), kind) { doubleSum.add(ValueVector.decimal(of: key)) }
    }

    @inline(__always)
    private mutating func addToCounts(_ value: Int128, _ kind: UInt8) -> Bool {
        guard kind == FieldClass.value.rawValue else {
            if kind < FieldClass.blank.rawValue { filledCount += 1 }
            return false
        }
        filledCount += 1
        valueCount += 1
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        return true
    }

    mutating func add(_ other: Aggregates) {
        filledCount += other.filledCount
        valueCount += other.valueCount
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        exactSum &+= other.exactSum
        doubleSum.add(other.doubleSum)
    }

    /// True if there is a value.
    var hasValues: Bool { valueCount > 0 }

    /// Adds other aggregates of exact numbers. Their numbers are first multiplied by 10^`digits`, so that they have as many fraction digits
    /// as the numbers of this value.
    /// - Returns: false if the magnitude of a number would exceed `limit`; nothing is then added.
    mutating func add(_ other: Aggregates, scaledBy digits: Int, limit: UInt64) -> Bool {
        var other = other
        if digits > 0, other.valueCount > 0 {
            func scaled(_ number: Int128) -> Int128? {
                Int64(exactly: number).flatMap { FixedScale.scaled($0, by: digits, limit: limit) }.map { Int128($0) }
            }
            guard let minimum = scaled(other.minimum), let maximum = scaled(other.maximum) else { return false }
            (other.minimum, other.maximum, other.exactSum) = (minimum, maximum, other.exactSum &* ExactDecimal.power(digits))
        }
        add(other)
        return true
    }

    mutating func add(_ other: ShortAggregates) {
        filledCount += other.valueCount + other.unreadableCount
        valueCount += other.valueCount
        guard other.valueCount > 0 else { return }
        minimum = min(minimum, Int128(other.minimum))
        maximum = max(maximum, Int128(other.maximum))
        exactSum &+= Int128(other.sum)
    }

    func value(_ function: AggregateRequest.Function, _ scale: AggregateScale) -> AggregateValue {
        if function == .count { return .integer(Int64(filledCount)) }
        guard valueCount > 0 else { return .none }
        func extreme(_ number: Int128) -> AggregateValue {
            scale.isDouble
                ? .decimal(ValueVector.decimal(of: UInt64(truncatingIfNeeded: number)))
                : AggregateValue(number * scale.factor, digits: scale.digits)
        }
        switch function {
        case .count, .distinct, .first, .last, .standardDeviation: return .none
        case .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: return .none
        // For a share, this is the sum. It is divided by the sum of all groups when that is known.
        case .sum, .share: return scale.isDouble ? .decimal(doubleSum.total) : AggregateValue(exactSum * scale.factor, digits: scale.digits)
        case .mean:
            return scale.isDouble
                ? .decimal(doubleSum.mean(of: valueCount))
                : AggregateValue(meanOf: exactSum * scale.factor, digits: scale.digits, count: valueCount)
        case .min: return extreme(minimum)
        case .max: return extreme(maximum)
        }
    }
}

/// Aggregates of exact numbers that keep the sum in 64 bits, so the caller must limit how many numbers are added. Adding a number takes
/// half as long as in ``Aggregates``.
struct ShortAggregates: BitwiseCopyable {
    fileprivate var valueCount = 0
    /// The number of fields that are not empty but cannot be read as a value.
    fileprivate var unreadableCount = 0
    fileprivate var sum: Int64 = 0
    fileprivate var minimum = Int64.max
    fileprivate var maximum = Int64.min

    @inline(__always)
    mutating func add(_ number: Int64, _ kind: UInt8) {
        guard kind == FieldClass.value.rawValue else {
            if kind < FieldClass.blank.rawValue { unreadableCount &+= 1 }
            return
        }
        valueCount &+= 1
        sum &+= number
        if number < minimum { minimum = number }
        if number > maximum { maximum = number }
    }

    /// Adds a value, but does not update the minimum and maximum.
    @inline(__always)
    mutating func addToSum(_ number: Int64) {
        valueCount &+= 1
        sum &+= number
    }

    /// Adds a field, but does not update the minimum and maximum.
    @inline(__always)
    mutating func addToSum(_ number: Int64, _ kind: UInt8) {
        if kind == FieldClass.value.rawValue { addToSum(number) } else if kind < FieldClass.blank.rawValue { unreadableCount &+= 1 }
    }

    /// Sets the minimum and maximum to bounds that contain all values. The magnitudes of the values are at most `largest`.
    mutating func setExtremes(_ largest: Int64) { if valueCount > 0 { (minimum, maximum) = (-largest, largest) } }
}

/// A compensated sum of doubles (A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974).
struct NeumaierSum: BitwiseCopyable {
    private var sum = 0.0
    private var compensation = 0.0
    /// The sum multiplied by ``factor``, without compensation. It is finite even if the sum of finite values is too large for a double.
    private var scaledSum = 0.0

    private static let factor = 0x1p-64

    @inline(__always)
    mutating func add(_ value: Double) {
        let next = sum + value
        compensation += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
        sum = next
        scaledSum += value * Self.factor
    }

    mutating func add(_ other: NeumaierSum) {
        let scaled = scaledSum + other.scaledSum
        add(other.sum)
        if other.compensation.isFinite { add(other.compensation) }
        scaledSum = scaled
    }

    /// The sum; infinite if it is too large for a double.
    var total: Double { mean(of: 1) }

    /// The sum divided by `count`.
    func mean(of count: Int) -> Double {
        sum.isFinite ? (sum + compensation) / Double(count) : scaledSum / Double(count) / Self.factor
    }
}

/// Converts the stored integers of a column to the numbers that aggregates return.
struct AggregateScale {
    let isDouble: Bool
    /// The factor by which integers are multiplied. For times, it converts the unit of the column to microseconds.
    let factor: Int128
    let digits: Int

    init(_ vector: ValueVector, isTemporal: Bool) {
        switch vector.representation {
        case .double: self.init(isDouble: vector.exactDigits == nil, factor: 1, digits: vector.exactDigits ?? 0)
        case .fixed(let digits): self.init(digits: digits, isTemporal: isTemporal)
        }
    }

    private init(isDouble: Bool, factor: Int128, digits: Int) { (self.isDouble, self.factor, self.digits) = (isDouble, factor, digits) }

    /// The scale for integers that stand for numbers with `digits` fraction digits.
    init(digits: Int, isTemporal: Bool) {
        self.init(isDouble: false, factor: isTemporal ? Int128(FixedScale.power(6 - digits)) : 1, digits: isTemporal ? 0 : digits)
    }
}

extension AggregateValue {
    /// The number as a double; `nil` without a number.
    var double: Double? {
        switch self {
        case .none, .record: nil
        case .integer(let number): Double(number)
        case .decimal(let number): number
        case .exact(let number): number.double
        }
    }

    /// Creates `mantissa` ÷ 10^`digits` in the simplest form: an integer, a double whose text is exact, or an exact decimal.
    init(_ mantissa: Int128, digits: Int) {
        // Most numbers fit in 64 bits. Such numbers are converted faster than numbers of 128 bits.
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

    /// Creates the mean of `count` values whose sum is `sum` ÷ 10^`digits`. It is a double, or a decimal rounded half away from zero if a
    /// double cannot represent its integer part exactly.
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
