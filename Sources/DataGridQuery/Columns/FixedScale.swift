/// Arithmetic of decimal numbers as scaled integers.
enum FixedScale {
    /// The limit up to which a number with at most 22 fraction digits and its nearest double determine each other. Doubles and fixed-point
    /// numbers then have the same order.
    static let limit: UInt64 = 1_000_000_000_000_000

    private static let powers: [Int64] = (1...18).reduce(into: [1]) { powers, _ in powers.append(powers.last! * 10) }

    static func power(_ digits: Int) -> Int64 { powers[digits] }

    /// `number` with `digits` more zeros; `nil` if the result exceeds `limit`.
    static func scaled(_ number: Int64, by digits: Int, limit: UInt64 = limit) -> Int64? {
        if digits == 0 || number == 0 { return number }
        guard digits <= 18 else { return nil }
        let (product, overflows) = number.multipliedReportingOverflow(by: powers[digits])
        return !overflows && product.magnitude <= limit ? product : nil
    }

    /// The double nearest to `number` ÷ 10^`digits`. Both operands are exact, so the division rounds correctly, if `number` is within
    /// ``limit`` or `digits` is 0.
    static func double(_ number: Int64, digits: Int) -> Double { Double(number) / Double(powers[digits]) }
}
