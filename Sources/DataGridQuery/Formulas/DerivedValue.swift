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
        case .exact(let mantissa, let digits):
            // Both operands of the division are exact doubles, so its result is the nearest double.
            mantissa.magnitude <= 1 << 53 && digits <= 15
                ? Double(Int64(truncatingIfNeeded: mantissa)) / Double(Self.power(digits))
                : ExactDecimal(mantissa, digits: digits).double
        case .double(let value): value
        default: nil
        }
    }

    /// The number as a decimal, which is the shortest text of a double; `nil` for other values.
    var exactDecimal: ExactDecimal? {
        switch self {
        case .exact(let mantissa, let digits): ExactDecimal(mantissa, digits: digits)
        case .double(let number): ExactDecimal(shortestTextOf: number)
        default: nil
        }
    }

    /// The value; ``none`` for an infinite number and NaN. A result of a formula has no such value, as in a computed column.
    var finite: DerivedValue {
        if case .double(let number) = self, !number.isFinite { return .none }
        return self
    }

    /// 10^`digits`, for up to 18 digits. Faster than a table for few digits, as most numbers have.
    private static func power(_ digits: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<digits { power &*= 10 }
        return power
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
            // The product of two integers of 64 bits fits in 128 bits.
            if let x = Int64(exactly: x), let y = Int64(exactly: y) { return .exact(Int128(x) &* Int128(y), digits: m + n) }
            let (product, overflows) = x.multipliedReportingOverflow(by: y)
            if !overflows { return .exact(product, digits: m + n) }
        }
        return combinedAsDoubles(a, b, *)
    }

    static func divide(_ a: DerivedValue, _ b: DerivedValue) -> DerivedValue {
        if case .exact(let x, _) = a, case .exact(let y, _) = b {
            if y == 0 { return .none }
            if !hasEndlessQuotient(x, y), let (x, y, _) = aligned(a, b), let quotient = exactQuotient(x, y) { return quotient }
        }
        return combinedAsDoubles(a, b, /)
    }

    /// True if the quotient of two integers of 64 bits has no last digit, like most quotients. It has one only if `x` has all prime factors
    /// of `y` other than 2 and 5. The result is the same for `x` and `y` divided by powers of ten.
    private static func hasEndlessQuotient(_ x: Int128, _ y: Int128) -> Bool {
        guard let dividend = UInt64(exactly: x.magnitude), let divisor = UInt64(exactly: y.magnitude) else { return false }
        var factors = divisor >> UInt64(divisor.trailingZeroBitCount)
        while factors % 5 == 0 { factors /= 5 }
        return dividend % factors != 0
    }

    /// The exact quotient with at most 18 fraction digits; `nil` if more digits are needed.
    private static func exactQuotient(_ x: Int128, _ y: Int128) -> DerivedValue? {
        var found: (quotient: UInt128, digits: Int)?
        if let dividend = UInt64(exactly: x.magnitude), let divisor = UInt64(exactly: y.magnitude) {
            // Divisions of 64 bits are several times as fast.
            found = longDivision(dividend, divisor).map { (UInt128($0.quotient), $0.digits) }
        }
        guard let (quotient, digits) = found ?? longDivision(x.magnitude, y.magnitude), quotient <= Int128.max.magnitude else { return nil }
        return .exact((x < 0) == (y < 0) ? Int128(quotient) : -Int128(quotient), digits: digits)
    }

    /// `nil` if the quotient has more than 18 fraction digits or exceeds the type.
    @inline(__always)
    private static func longDivision<Word: FixedWidthInteger & UnsignedInteger>(_ x: Word, _ y: Word) -> (quotient: Word, digits: Int)? {
        var (quotient, rest) = x.quotientAndRemainder(dividingBy: y)
        var digits = 0
        while rest != 0 {
            let (next, overflows) = rest.multipliedReportingOverflow(by: 10)
            let (grown, isTooLarge) = quotient.multipliedReportingOverflow(by: 10)
            guard digits < 18, !overflows, !isTooLarge else { return nil }
            let (digit, left) = next.quotientAndRemainder(dividingBy: y)
            let (sum, carries) = grown.addingReportingOverflow(digit)
            guard !carries else { return nil }
            (quotient, rest, digits) = (sum, left, digits + 1)
        }
        return (quotient, digits)
    }

    /// Two exact numbers as integers with the same number of fraction digits; `nil` if a number is not exact or overflows.
    static func aligned(_ a: DerivedValue, _ b: DerivedValue) -> (Int128, Int128, digits: Int)? {
        guard case .exact(let x, let m) = a, case .exact(let y, let n) = b else { return nil }
        if m == n { return (x, y, m) }
        let digits = max(m, n)
        if let shortX = Int64(exactly: x), let shortY = Int64(exactly: y), digits <= 18 {
            return (Int128(shortX) &* Int128(power(digits - m)), Int128(shortY) &* Int128(power(digits - n)), digits)
        }
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

    /// The order of `a` / `b` to `c`, as ``order(_:_:)``. Most quotients differ so much from `c` that doubles show the order, whether the
    /// quotient is exact or rounded. These need no exact division.
    static func order(ofQuotient a: DerivedValue, _ b: DerivedValue, to c: DerivedValue) -> Int? {
        if case .exact = a, case .exact = b, let x = a.double, let y = b.double, let z = c.double {
            let quotient = x / y
            // The quotient and `z` are each rounded by less than 2^-51 of their magnitude.
            if quotient.isFinite, (quotient - z).magnitude > (quotient.magnitude + z.magnitude) * 0x1p-49 { return quotient < z ? -1 : 1 }
        }
        return order(divide(a, b).finite, c)
    }

    /// Negative, 0 or positive if `a` is less than, equal to or greater than `b`; `nil` if the values have no order.
    static func order(_ a: DerivedValue, _ b: DerivedValue) -> Int? {
        if let (x, y, _) = aligned(a, b) { return x < y ? -1 : x == y ? 0 : 1 }
        if case .exact(let x, let m) = a, case .exact(let y, let n) = b {
            return ExactDecimal(x, digits: m).order(to: ExactDecimal(y, digits: n))
        }
        if case .temporal(let x, _) = a, case .temporal(let y, _) = b { return x < y ? -1 : x == y ? 0 : 1 }
        if case .flag(let x) = a, case .flag(let y) = b { return (x ? 1 : 0) - (y ? 1 : 0) }
        guard let p = a.double, let q = b.double else { return nil }
        // Only doubles that are almost equal can have another order than the numbers.
        if (p - q).magnitude > (p.magnitude + q.magnitude) * 0x1p-50 { return p < q ? -1 : 1 }
        let (x, y) = (FilterNumber(a), FilterNumber(b))
        if x.satisfies(.less, comparedTo: y) { return -1 }
        return x.satisfies(.equal, comparedTo: y) ? 0 : x.satisfies(.greater, comparedTo: y) ? 1 : nil
    }
}
