/// Arithmetic of whole numbers that stand for others with digits after the point.
enum FixedScale {
    /// Up to here, and with no more than 22 digits after the point, a number and its nearest double determine each other: the order of
    /// doubles and the order of fixed-point numbers are the same.
    static let limit: UInt64 = 1_000_000_000_000_000

    private static let powers: [Int64] = (1...18).reduce(into: [1]) { powers, _ in powers.append(powers.last! * 10) }

    static func power(_ digits: Int) -> Int64 { powers[digits] }

    /// `number` with `digits` more zeros; `nil` when it is then beyond `limit`.
    static func scaled(_ number: Int64, by digits: Int, limit: UInt64 = limit) -> Int64? {
        if digits == 0 || number == 0 { return number }
        guard digits <= 18 else { return nil }
        let (product, overflows) = number.multipliedReportingOverflow(by: powers[digits])
        return !overflows && product.magnitude <= limit ? product : nil
    }

    /// The double nearest to `number` ÷ 10^`digits`; exact operands, so the one division rounds correctly, as long as `number` is
    /// within ``limit`` or `digits` is 0.
    static func double(_ number: Int64, digits: Int) -> Double { Double(number) / Double(powers[digits]) }
}
