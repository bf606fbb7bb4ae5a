/// A number that is exact if it is a 64-bit integer.
enum FilterNumber: Sendable, Hashable, BitwiseCopyable {
    case integer(Int64)
    case decimal(Double)

    /// The value of an unreadable field. Every comparison with it except `!=` is false.
    static let none = FilterNumber.decimal(.nan)

    var isNaN: Bool {
        if case .decimal(let value) = self { return value.isNaN }
        return false
    }

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let value): value
        }
    }

    /// Compares by value, without rounding. NaN is not less than, equal to or greater than any number.
    @inline(__always)
    func compares(_ comparison: FilterComparison, to other: FilterNumber) -> Bool {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): return comparison.matches(isLess: a < b, isEqual: a == b, isGreater: a > b)
        case (.decimal(let a), .decimal(let b)): return comparison.matches(isLess: a < b, isEqual: a == b, isGreater: a > b)
        case (.integer(let a), .decimal(let b)):
            let order = Self.order(a, b)
            return comparison.matches(isLess: order == -1, isEqual: order == 0, isGreater: order == 1)
        case (.decimal(let a), .integer(let b)):
            let order = Self.order(b, a)
            return comparison.matches(isLess: order == 1, isEqual: order == 0, isGreater: order == -1)
        }
    }

    /// −1, 0 or 1 if `a` is less than, equal to or greater than `b`; `nil` if `b` is NaN.
    private static func order(_ a: Int64, _ b: Double) -> Int? {
        // All 64-bit integers are at least −2^63 and less than 2^63. The integer part of a `b` within these bounds fits in 64 bits.
        if b >= 0x1p63 { return -1 }
        if b < -0x1p63 { return 1 }
        guard !b.isNaN else { return nil }
        let floor = b.rounded(.down)
        let whole = Int64(floor)
        return a != whole ? (a < whole ? -1 : 1) : floor < b ? -1 : 0
    }

    /// The result of an operation; an integer if both operands are integers and the result is exact.
    @inline(__always)
    func combined(_ operation: FilterArithmetic, _ other: FilterNumber) -> FilterNumber {
        if case .integer(let a) = self, case .integer(let b) = other {
            switch operation {
            case .add:
                let (sum, isTooLarge) = a.addingReportingOverflow(b)
                if !isTooLarge { return .integer(sum) }
            case .subtract:
                let (difference, isTooLarge) = a.subtractingReportingOverflow(b)
                if !isTooLarge { return .integer(difference) }
            case .multiply:
                let (product, isTooLarge) = a.multipliedReportingOverflow(by: b)
                if !isTooLarge { return .integer(product) }
            case .divide: break
            }
        }
        let (a, b) = (double, other.double)
        switch operation {
        case .add: return .decimal(a + b)
        case .subtract: return .decimal(a - b)
        case .multiply: return .decimal(a * b)
        case .divide: return .decimal(a / b)
        }
    }

    var negated: FilterNumber {
        switch self {
        case .integer(let value): value == .min ? .decimal(-Double(value)) : .integer(-value)
        case .decimal(let value): .decimal(-value)
        }
    }
}
