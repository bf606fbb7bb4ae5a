/// What sums, means and extremes need of a set of values.
///
/// Whole numbers and decimals of a fixed number of digits are added exactly, in 128 bits.
struct Figures: BitwiseCopyable {
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

    /// The outcome of `function` for values that `meaning` explains; those of times are told in microseconds.
    func value(_ function: AggregateRequest.Function, _ meaning: ValueVector.Meaning, isTemporal: Bool) -> AggregateValue {
        if function == .count { return .integer(Int64(filled)) }
        guard valueCount > 0 else { return .none }
        switch meaning {
        case .double:
            // Infinite sums have no meaningful compensation.
            let total = sum.isFinite ? sum + compensation : sum
            switch function {
            case .count, .distinct, .first, .last: return .none
            case .sum: return .decimal(total)
            case .mean: return .decimal(total / Double(valueCount))
            case .min: return .decimal(ValueVector.decimal(of: least))
            case .max: return .decimal(ValueVector.decimal(of: greatest))
            }
        case .fixed(let digits):
            // Times are told in microseconds, however many digits of their seconds are kept.
            let factor = isTemporal ? Int128(FixedScale.power(6 - digits)) : 1
            let digits = isTemporal ? 0 : digits
            /// Most sums are shorter than they might be, and the conversion of 128 bits is slow.
            func double(_ number: Int128) -> Double {
                let short = Int64(truncatingIfNeeded: number)
                return Int128(short) == number ? Double(short) : Double(number)
            }
            func shown(_ number: Int128) -> AggregateValue {
                if digits == 0 { return Int64(exactly: number * factor).map { .integer($0) } ?? .decimal(Double(number * factor)) }
                return .decimal(double(number) / Double(FixedScale.power(digits)))
            }
            switch function {
            case .count, .distinct, .first, .last: return .none
            case .sum: return shown(exact)
            case .mean: return .decimal(double(exact * factor) / Double(FixedScale.power(digits)) / Double(valueCount))
            case .min: return shown(Int128(ValueVector.integer(of: least)))
            case .max: return shown(Int128(ValueVector.integer(of: greatest)))
            }
        }
    }
}
