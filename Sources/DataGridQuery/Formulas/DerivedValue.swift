import FieldValues

/// An intermediate value of a formula.
enum DerivedValue {
    /// There is no value, because an argument could not be read as the required type.
    case none
    case exact(Int128, digits: Int)
    case double(Double)
    case flag(Bool)
    /// Microseconds since 1970 or since midnight, as `FieldBytes.temporal(_:_:)` returns them.
    case temporal(Int64, ValueKind)
    /// A string that is the bytes of a field, without a copy.
    case field(FieldBytes)
    /// A string in the text buffer of the ``FormulaScratch``, by its range.
    case text(Range<Int>)

    var double: Double? {
        switch self {
        case .exact(let mantissa, let digits): ExactDecimal(mantissa, digits: digits).double
        case .double(let value): value
        default: nil
        }
    }

    // MARK: Arithmetic

    static func add(_ a: DerivedValue, _ b: DerivedValue, negatingSecond: Bool) -> DerivedValue {
        if let (x, y, digits) = aligned(a, b) {
            let (sum, overflows) = negatingSecond ? x.subtractingReportingOverflow(y) : x.addingReportingOverflow(y)
            if !overflows { return .exact(sum, digits: digits) }
        }
        return combinedAsDoubles(a, b) { negatingSecond ? $0 - $1 : $0 + $1 }
    }

    static func multiply(_ a: DerivedValue, _ b: DerivedValue) -> DerivedValue {
        if case .exact(let x, let m) = a, case .exact(let y, let n) = b, m + n <= ExactDecimal.maximumDigits {
            let (product, overflows) = x.multipliedReportingOverflow(by: y)
            if !overflows { return .exact(product, digits: m + n) }
        }
        return combinedAsDoubles(a, b, *)
    }

    static func divide(_ a: DerivedValue, _ b: DerivedValue) -> DerivedValue {
        if let (x, y, _) = aligned(a, b) {
            if y == 0 { return .none }
            if let quotient = exactQuotient(x, y) { return quotient }
        }
        return combinedAsDoubles(a, b, /)
    }

    /// The exact quotient with at most 18 fraction digits, by long division; `nil` if more digits are needed.
    private static func exactQuotient(_ x: Int128, _ y: Int128) -> DerivedValue? {
        var (quotient, rest) = x.magnitude.quotientAndRemainder(dividingBy: y.magnitude)
        // Most quotients need more digits, which one division finds.
        if let divisor = UInt64(exactly: y.magnitude) {
            let scaled = UInt64(rest).multipliedFullWidth(by: 1_000_000_000_000_000_000)
            if divisor.dividingFullWidth(scaled).remainder != 0 { return nil }
        }
        var digits = 0
        while rest != 0 {
            let (next, overflows) = rest.multipliedReportingOverflow(by: 10)
            let (grown, isTooLarge) = quotient.multipliedReportingOverflow(by: 10)
            guard digits < 18, !overflows, !isTooLarge else { return nil }
            let (digit, left) = next.quotientAndRemainder(dividingBy: y.magnitude)
            (quotient, rest, digits) = (grown + digit, left, digits + 1)
        }
        guard quotient <= Int128.max.magnitude else { return nil }
        return .exact((x < 0) == (y < 0) ? Int128(quotient) : -Int128(quotient), digits: digits)
    }

    /// Two exact numbers as integers with the same number of fraction digits; `nil` if a number is not exact or overflows.
    static func aligned(_ a: DerivedValue, _ b: DerivedValue) -> (Int128, Int128, digits: Int)? {
        guard case .exact(let x, let m) = a, case .exact(let y, let n) = b else { return nil }
        if m == n { return (x, y, m) }
        let digits = max(m, n)
        guard let x = ExactDecimal.scaled(x, by: digits - m), let y = ExactDecimal.scaled(y, by: digits - n) else { return nil }
        return (x, y, digits)
    }

    private static func combinedAsDoubles(_ a: DerivedValue, _ b: DerivedValue, _ combine: (Double, Double) -> Double) -> DerivedValue {
        guard let x = a.double, let y = b.double else { return .none }
        return .double(combine(x, y))
    }

    /// Rounds a number to `digits` fraction digits, in one of three ways: to nearest (half away from zero), down, or up.
    static func rounded(_ value: DerivedValue, digits: Int, _ rule: FloatingPointRoundingRule) -> DerivedValue {
        switch value {
        case .exact(let mantissa, let have):
            guard have > digits else { return value }
            let shift = have - digits
            guard shift <= ExactDecimal.maximumDigits else { return .exact(0, digits: 0) }
            let power = ExactDecimal.power(shift)
            var (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: power)
            switch rule {
            case .down: if remainder < 0 { quotient -= 1 }
            case .up: if remainder > 0 { quotient += 1 }
            default:
                // A power of ten is even, so half of it is an integer.
                if remainder.magnitude >= power.magnitude / 2 { quotient += mantissa < 0 ? -1 : 1 }
            }
            remainder = 0
            if digits >= 0 { return .exact(quotient, digits: digits) }
            return ExactDecimal.scaled(quotient, by: -digits).map { .exact($0, digits: 0) } ?? .none
        case .double(let number):
            guard (-300...300).contains(digits) else { return value }
            var power = 1.0
            for _ in 0..<abs(digits) { power *= 10 }
            return .double(digits >= 0 ? (number * power).rounded(rule) / power : (number / power).rounded(rule) * power)
        default: return .none
        }
    }

    /// The number rounded down to an integer, for arguments that count characters or digits; `nil` for other values.
    var count: Int? {
        if case .double(let number) = self { return number.magnitude < 0x1p62 ? Int(number.rounded(.down)) : nil }
        guard case .exact(let mantissa, let digits) = Self.rounded(self, digits: 0, .down), digits == 0 else { return nil }
        return Int(clamping: mantissa)
    }

    /// Negative, 0 or positive if `a` is less than, equal to or greater than `b`; `nil` if the values have no order.
    static func order(_ a: DerivedValue, _ b: DerivedValue) -> Int? {
        if case .exact(let x, let m) = a, case .exact(let y, let n) = b {
            return ExactDecimal(x, digits: m).order(to: ExactDecimal(y, digits: n))
        }
        if case .temporal(let x, _) = a, case .temporal(let y, _) = b { return x < y ? -1 : x == y ? 0 : 1 }
        if case .flag(let x) = a, case .flag(let y) = b { return (x ? 1 : 0) - (y ? 1 : 0) }
        guard let p = a.double, let q = b.double else { return nil }
        // Only doubles that are almost equal can have another order than the numbers.
        if p < q.nextDown.nextDown { return -1 }
        if p > q.nextUp.nextUp { return 1 }
        let (x, y) = (FilterNumber(a), FilterNumber(b))
        if x.satisfies(.less, comparedTo: y) { return -1 }
        return x.satisfies(.equal, comparedTo: y) ? 0 : x.satisfies(.greater, comparedTo: y) ? 1 : nil
    }
}
