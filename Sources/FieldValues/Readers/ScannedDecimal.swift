/// A number as its digits were parsed: `mantissa` × 10^`exponent`. Digits that do not fit in the mantissa are left out.
struct ScannedDecimal {
    /// The first 19 significant digits of the number.
    private(set) var mantissa: UInt64 = 0
    var exponent = 0
    private var significantDigits = 0
    /// True if a digit that was left out is not 0. The exact mantissa is then between `mantissa` and `mantissa` + 1.
    private var isTruncated = false

    @inline(__always)
    mutating func append(_ digit: UInt8, isFraction: Bool) {
        if significantDigits < 19 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            if mantissa != 0 { significantDigits += 1 }
            if isFraction { exponent -= 1 }
        } else {
            if digit != 0 { isTruncated = true }
            if !isFraction { exponent += 1 }
        }
    }

    /// The double nearest to the number. Of two equally near doubles, it is the one with an even mantissa. Calls `fallback` if 128 bits are
    /// not enough to decide.
    @inline(__always)
    func nearestDouble(orElse fallback: () -> Double) -> Double {
        if !isTruncated, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
            // Both operands are exact doubles, so the result of one operation is the nearest double.
            return exponent < 0 ? Double(mantissa) / exactPowersOfTen[-exponent] : Double(mantissa) * exactPowersOfTen[exponent]
        }
        return nearestDoubleByIntegers(orElse: fallback)
    }

    @inline(never)
    private func nearestDoubleByIntegers(orElse fallback: () -> Double) -> Double {
        if mantissa == 0 { return 0 }
        // With an exponent below the first limit, the number is too small for any double, even with 19 digits. Above the second limit, it
        // is too large, even with one digit.
        if exponent < -345 - 19 { return 0 }
        if exponent > 310 { return .infinity }
        guard exponent >= -27, exponent <= 27 else { return fallback() }
        let nearest = scaled(mantissa)
        return !isTruncated || scaled(mantissa + 1) == nearest ? nearest : fallback()
    }

    /// The double nearest to `mantissa` × 10^`exponent`. The exponent must be in −27...27, where powers of five fit in 63 bits.
    private func scaled(_ mantissa: UInt64) -> Double {
        let shift = mantissa.leadingZeroBitCount
        let normal = mantissa << shift
        let power = powersOfFive[abs(exponent)]
        // The first 64 bits of the result. The last of these bits is also set if any later bit of the result is set. A double has 11 bits
        // fewer, so only the conversion to a double rounds.
        var bits: UInt64
        var binaryExponent: Int
        if exponent >= 0 {
            let product = normal.multipliedFullWidth(by: power)
            let spare = product.high.leadingZeroBitCount
            bits = spare == 0 ? product.high : product.high << spare | product.low >> (64 - spare)
            if product.low << spare != 0 { bits |= 1 }
            binaryExponent = exponent - shift + 64 - spare
        } else {
            let divisorShift = power.leadingZeroBitCount
            let divisor = power << divisorShift
            let isLess = normal < divisor
            let dividend = isLess ? (high: normal, low: UInt64(0)) : (high: normal >> 1, low: normal << 63)
            let division = divisor.dividingFullWidth(dividend)
            bits = division.quotient
            if division.remainder != 0 { bits |= 1 }
            binaryExponent = exponent - shift + divisorShift - 64 + (isLess ? 0 : 1)
        }
        return Double(sign: .plus, exponent: binaryExponent, significand: Double(bits))
    }
}

/// 10^0 ... 10^22, the powers of ten that doubles represent exactly.
private let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

private let powersOfFive: [UInt64] = {
    var powers: [UInt64] = [1]
    for _ in 1...27 { powers.append(powers[powers.count - 1] * 5) }
    return powers
}()
