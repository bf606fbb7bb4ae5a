/// An exact decimal number: `mantissa` ÷ 10^`digits`.
///
/// It represents sums and extremes that a `Double` cannot represent, such as 2^53 + 1, or 0.1 added 10^17 times. Equal numbers with
/// different `digits` compare unequal.
public struct ExactDecimal: Sendable, Hashable, BitwiseCopyable {
    // The mantissa is stored in two words. An `Int128` would be aligned to 16 bytes, and arrays of aggregates would be larger.
    private let high: Int64
    private let low: UInt64
    private let scale: UInt8

    /// The maximum number of digits after the decimal point.
    public static let maximumDigits = 38

    /// Creates `mantissa` ÷ 10^`digits`.
    /// - Parameters:
    ///   - mantissa: the number without its decimal point.
    ///   - digits: the number of digits after the decimal point, 0 to ``maximumDigits``.
    public init(_ mantissa: Int128, digits: Int = 0) {
        precondition((0...Self.maximumDigits).contains(digits), "digits must be 0 to 38")
        high = Int64(truncatingIfNeeded: mantissa >> 64)
        low = UInt64(truncatingIfNeeded: mantissa)
        scale = UInt8(digits)
    }

    /// The number without its decimal point: the number times 10^``digits``.
    public var mantissa: Int128 { Int128(high) << 64 | Int128(low) }

    /// The number of digits after the decimal point.
    public var digits: Int { Int(scale) }

    /// The `Double` nearest to the number. Of two equally near doubles, it is the one with an even mantissa.
    public var double: Double {
        // Both operands are exact doubles, so the result of the division is the nearest double.
        if mantissa.magnitude <= 1 << 53, scale <= 22 { return Double(Int64(truncatingIfNeeded: mantissa)) / Self.doublePower(digits) }
        return Double(text) ?? .nan
    }

    /// Creates the number that is the shortest text of a double. `nil` if it exceeds 128 bits, has more than 38 digits after the decimal
    /// point, or is not finite.
    package init?(shortestTextOf double: Double) {
        // The fast path for numbers of at most 15 digits. Different numbers of this length have different nearest doubles, and the division
        // is correctly rounded.
        if double.magnitude <= 1e15 {
            for digits in 0...22 {
                let power = Self.doublePower(digits)
                let mantissa = (double * power).rounded()
                guard mantissa.magnitude <= 1e15 else { break }
                if mantissa / power == double {
                    self.init(Int128(mantissa), digits: digits)
                    return
                }
            }
        }
        guard double.isFinite, let exact = FieldBytes.withBytes(of: double.description, { $0.exactDecimal() }) else { return nil }
        self = exact
    }

    /// The number in plain digits, without exponent, thousands separators or trailing zeros in the fraction.
    public var text: String {
        var digits = FixedPoint.text(of: mantissa, digits: Int(scale))
        if scale > 0 {
            while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            if digits.last == UInt8(ascii: ".") { digits.removeLast() }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The number without trailing zeros in its fraction.
    public var withoutTrailingZeros: ExactDecimal {
        var (number, count) = (mantissa, digits)
        while count > 0, number % 10 == 0 { (number, count) = (number / 10, count - 1) }
        return ExactDecimal(number, digits: count)
    }

    /// A hundred times the number; `nil` if it exceeds 128 bits.
    public var percentage: ExactDecimal? {
        if digits >= 2 { return ExactDecimal(mantissa, digits: digits - 2) }
        return Self.scaled(mantissa, by: 2 - digits).map { ExactDecimal($0) }
    }

    /// The number rounded up to `count` fraction digits; unchanged if it has no more digits than that.
    public func roundedUp(fractionDigits count: Int) -> ExactDecimal {
        guard digits > count, count >= 0 else { return self }
        let (quotient, rest) = mantissa.quotientAndRemainder(dividingBy: Self.power(digits - count))
        return ExactDecimal(rest > 0 ? quotient + 1 : quotient, digits: count)
    }

    /// The nearest whole number, halves rounded away from zero; `nil` if it exceeds 64 bits.
    public var roundedInteger: Int64? {
        let unit = Self.power(digits)
        let (quotient, rest) = mantissa.quotientAndRemainder(dividingBy: unit)
        return Int64(exactly: rest.magnitude * 2 >= unit.magnitude ? quotient + mantissa.signum() : quotient)
    }

    /// −1, 0 or 1 if this number is less than, equal to or greater than `other`. The values are compared, so trailing zeros do not matter.
    package func order(to other: ExactDecimal) -> Int {
        let (a, b) = (mantissa, other.mantissa)
        let digits = max(self.digits, other.digits)
        // To compare, the number with fewer fraction digits is scaled. If the scaled number exceeds 128 bits, its magnitude is the greater
        // one.
        guard let x = Self.scaled(a, by: digits - self.digits) else { return a.signum() == 1 ? 1 : -1 }
        guard let y = Self.scaled(b, by: digits - other.digits) else { return b.signum() == 1 ? -1 : 1 }
        return x < y ? -1 : x == y ? 0 : 1
    }

    /// Returns `number` × 10^`digits`; `nil` if it exceeds 128 bits.
    public static func scaled(_ number: Int128, by digits: Int) -> Int128? {
        if digits == 0 || number == 0 { return number }
        guard digits <= maximumDigits else { return nil }
        let (product, overflows) = number.multipliedReportingOverflow(by: powers[digits])
        return overflows ? nil : product
    }

    /// 10^`digits`, for 0 to ``maximumDigits`` digits.
    public static func power(_ digits: Int) -> Int128 { powers[digits] }

    /// The `Double` nearest to 10^`digits`, for 0 to ``maximumDigits`` digits; exact for up to 22.
    public static func doublePower(_ digits: Int) -> Double { doublePowers[digits] }

    private static let doublePowers: [Double] = powers.map { Double($0) }

    private static let powers: [Int128] = (1...maximumDigits).reduce(into: [1]) { powers, _ in powers.append(powers.last! * 10) }
}

extension ExactDecimal: Codable {
    /// Decodes the plain digits of ``text``.
    /// - Throws: `DecodingError` if they are not an exact number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let isFinite = FieldBytes.withBytes(of: text) { $0.decimal()?.isFinite ?? false }
        guard isFinite, let number = FieldBytes.withBytes(of: text, { $0.exactDecimal() }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text.prefix(100))” is not an exact decimal number.")
        }
        self = number
    }

    /// Encodes ``text``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
