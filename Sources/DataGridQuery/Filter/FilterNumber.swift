import FieldValues

/// A number in a comparison. Numbers of up to 128 bits with at most 38 fraction digits are exact.
enum FilterNumber: Sendable, Hashable, BitwiseCopyable {
    case integer(Int64)
    /// A number of at most 15 digits, or a number that ``exact(_:)`` cannot represent and that was rounded. In a comparison with an
    /// ``exact(_:)`` number, the double counts as the decimal number that is its shortest text.
    case decimal(Double)
    /// Any other number.
    case exact(ExactDecimal)

    /// The value of a field that cannot be read as a number. Every comparison with it except `!=` is false.
    static let none = FilterNumber.decimal(.nan)

    /// Creates `mantissa` ÷ 10^`digits`, for 0 to 18 digits.
    @inline(__always)
    init(_ mantissa: Int64, digits: Int) {
        if digits == 0 {
            self = .integer(mantissa)
        } else if mantissa.magnitude <= FixedScale.limit {
            self = .decimal(FixedScale.double(mantissa, digits: digits))
        } else {
            self = .exact(ExactDecimal(Int128(mantissa), digits: digits))
        }
    }

    /// Reads a field of any length and form; ``none`` if it is not a number.
    @inline(never)
    init(_ field: FieldBytes, _ notation: DecimalStyle) {
        guard let number = field.decimal(notation) else {
            self = .none
            return
        }
        // Infinities and NaN are always doubles.
        guard number.isFinite, let exact = field.exactDecimal(notation) else {
            self = .decimal(number)
            return
        }
        self.init(exact)
    }

    init(_ exact: ExactDecimal) {
        if exact.digits == 0, let integer = Int64(exactly: exact.mantissa) {
            self = .integer(integer)
        } else if exact.digits <= 22, exact.mantissa.magnitude <= FixedScale.limit {
            self = .decimal(exact.double)
        } else {
            self = .exact(exact)
        }
    }

    /// The number that a formula computes, as if it were read from the text of a computed column; ``none`` if the value is not a number.
    init(_ value: DerivedValue) {
        if let exact = value.exactDecimal { self.init(exact) } else { self = .decimal(value.double ?? .nan) }
    }

    /// True if the literals are the same. Unlike in ``satisfies(_:comparedTo:)``, NaN equals NaN, because a filter with it equals itself.
    static func == (a: FilterNumber, b: FilterNumber) -> Bool {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b || a.isNaN && b.isNaN
        case (.exact(let a), .exact(let b)): a == b
        default: false
        }
    }

    var isNaN: Bool {
        if case .decimal(let value) = self { return value.isNaN }
        return false
    }

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let value): value
        case .exact(let value): value.double
        }
    }

    /// True if a comparison with another number holds, without rounding. NaN is neither less than, equal to, nor greater than any number.
    @inline(__always)
    func satisfies(_ comparison: FilterComparison, comparedTo other: FilterNumber) -> Bool {
        let order: Int?
        switch (self, other) {
        case (.integer(let a), .integer(let b)): return comparison.matches(isLess: a < b, isEqual: a == b, isGreater: a > b)
        case (.decimal(let a), .decimal(let b)): return comparison.matches(isLess: a < b, isEqual: a == b, isGreater: a > b)
        case (.integer(let a), .decimal(let b)): order = Self.order(a, b)
        case (.decimal(let a), .integer(let b)): order = Self.order(b, a).map { -$0 }
        case (.exact(let a), _): order = Self.order(a, other)
        case (_, .exact(let b)): order = Self.order(b, self).map { -$0 }
        }
        return comparison.matches(isLess: order == -1, isEqual: order == 0, isGreater: order == 1)
    }

    /// −1, 0 or 1 if `a` is less than, equal to or greater than `b`; `nil` if `b` is NaN.
    private static func order(_ a: Int64, _ b: Double) -> Int? {
        // `a` is at least −2^63 and less than 2^63. If `b` is not within these bounds, the result is clear. Otherwise, the integer part of
        // `b` fits in 64 bits.
        if b >= 0x1p63 { return -1 }
        if b < -0x1p63 { return 1 }
        guard !b.isNaN else { return nil }
        let floor = b.rounded(.down)
        let whole = Int64(floor)
        return a != whole ? (a < whole ? -1 : 1) : floor < b ? -1 : 0
    }

    /// −1, 0 or 1 if `a` is less than, equal to or greater than `b`; `nil` if `b` is NaN.
    @inline(never)
    private static func order(_ a: ExactDecimal, _ b: FilterNumber) -> Int? {
        switch b {
        case .integer(let b): return a.order(to: ExactDecimal(Int128(b)))
        case .exact(let b): return a.order(to: b)
        case .decimal(let b):
            if b.isNaN { return nil }
            // `b` is beyond all exact numbers, so its sign decides.
            if b.magnitude >= 0x1p127 { return b < 0 ? 1 : -1 }
            if let b = ExactDecimal(shortestTextOf: b) { return a.order(to: b) }
            let double = a.double
            return double < b ? -1 : double == b ? 0 : 1
        }
    }
}
