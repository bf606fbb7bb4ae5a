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

    /// What the numbers of a column mean.
    struct Scale {
        let isDouble: Bool
        /// What whole numbers are multiplied by: times are told in microseconds, however many digits of their seconds are kept.
        let factor: Int128
        /// And then divided by.
        let divisor: Double

        init(_ meaning: ValueVector.Meaning, isTemporal: Bool) {
            switch meaning {
            case .double: (isDouble, factor, divisor) = (true, 1, 1)
            case .fixed(let digits):
                isDouble = false
                factor = isTemporal ? Int128(FixedScale.power(6 - digits)) : 1
                divisor = isTemporal ? 1 : Double(FixedScale.power(digits))
            }
        }
    }

    /// The outcome of `function`.
    func value(_ function: AggregateRequest.Function, _ scale: Scale) -> AggregateValue {
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

    private func fixed(_ function: AggregateRequest.Function, _ scale: Scale) -> AggregateValue {
        func shown(_ number: Int128) -> AggregateValue {
            if scale.divisor != 1 { return .decimal(Figures.double(number) / scale.divisor) }
            return Int64(exactly: number * scale.factor).map { .integer($0) } ?? .decimal(Double(number * scale.factor))
        }
        return switch function {
        case .count, .distinct, .first, .last: .none
        case .sum: shown(exact)
        case .mean: .decimal(Figures.double(exact * scale.factor) / scale.divisor / Double(valueCount))
        case .min: shown(Int128(ValueVector.integer(of: least)))
        case .max: shown(Int128(ValueVector.integer(of: greatest)))
        }
    }

    /// Most sums are shorter than they might be, and the conversion of 128 bits is slow.
    private static func double(_ number: Int128) -> Double {
        let short = Int64(truncatingIfNeeded: number)
        return Int128(short) == number ? Double(short) : Double(number)
    }
}
