/// Arithmetic of decimal numbers as scaled integers.
enum FixedScale {
    /// The maximum magnitude of a scaled number. Up to this limit, any two different numbers with at most 22 fraction digits have different
    /// nearest doubles. Converting such numbers to doubles therefore keeps their order.
    static let limit: UInt64 = 1_000_000_000_000_000

    private static let powers: [Int64] = (1...18).reduce(into: [1]) { powers, _ in powers.append(powers.last! * 10) }

    static func power(_ digits: Int) -> Int64 { powers[digits] }

    /// `number` × 10^`digits`; `nil` if the result exceeds `limit`.
    static func scaled(_ number: Int64, by digits: Int, limit: UInt64 = limit) -> Int64? {
        if digits == 0 || number == 0 { return number }
        guard digits <= 18 else { return nil }
        let (product, overflows) = number.multipliedReportingOverflow(by: powers[digits])
        return !overflows && product.magnitude <= limit ? product : nil
    }

    /// The double nearest to `number` ÷ 10^`digits`. The result is correctly rounded if `number` is within ``limit`` or `digits` is 0,
    /// because both operands of the division are then exact.
    static func double(_ number: Int64, digits: Int) -> Double { Double(number) / Double(powers[digits]) }
}
