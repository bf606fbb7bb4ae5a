/// Converts Arrow values to text: ISO 8601 for dates and times, all digits of numbers.
enum ADBCText {
    static func number<Value: BinaryFloatingPoint & CustomStringConvertible>(_ value: Value) -> String {
        if value.isNaN { return "NaN" }
        return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : value.description
    }

    /// Converts a 16-bit floating-point number (IEEE 754). The standard library does not have `Float16` on all platforms.
    static func float(fromHalf bits: UInt16) -> Float {
        let sign: Float = bits & 0x8000 == 0 ? 1 : -1
        let exponent = Int(bits >> 10 & 0x1F)
        let fraction = Float(bits & 0x3FF)
        switch exponent {
        case 0: return sign * fraction * 0x1p-24
        case 31: return fraction == 0 ? sign * .infinity : .nan
        default: return sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1_024)
        }
    }

    /// The quotient rounded down, and the remainder, which is never negative.
    static func divided(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// A date of the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    static func date(days: Int64) -> String {
        // The calculation cannot overflow, because callers pass fewer than 2^40 days.
        let shifted = days + 719_468
        let era = divided(shifted, 146_097).quotient
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let digits = String(year.magnitude)
        return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            + "-\(twoDigits(month))-\(twoDigits(day))"
    }

    static func time(_ value: Int64, ticksPerSecond: Int64) -> String {
        let (seconds, rest) = divided(value, ticksPerSecond)
        let (minutes, second) = divided(seconds, 60)
        let (hours, minute) = divided(minutes, 60)
        return "\(twoDigits(hours)):\(twoDigits(minute)):\(twoDigits(second))" + fraction(rest, ticksPerSecond: ticksPerSecond)
    }

    static func timestamp(_ value: Int64, ticksPerSecond: Int64) -> String {
        let (seconds, rest) = divided(value, ticksPerSecond)
        let (days, second) = divided(seconds, 86_400)
        // Seconds in 64 bits can exceed the range of ``date(days:)``, so show the number itself.
        guard days.magnitude < 1 << 40 else { return "\(value)" }
        return date(days: days) + " " + time(second, ticksPerSecond: 1) + fraction(rest, ticksPerSecond: ticksPerSecond)
    }

    /// An ISO 8601 duration in seconds, such as `PT1.5S`.
    static func duration(_ value: Int64, ticksPerSecond: Int64) -> String {
        let (seconds, rest) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(ticksPerSecond))
        return "PT" + (value < 0 ? "-" : "") + "\(seconds)" + fraction(Int64(rest), ticksPerSecond: ticksPerSecond) + "S"
    }

    private static func fraction(_ rest: Int64, ticksPerSecond: Int64) -> String {
        guard rest != 0 else { return "" }
        let fractionDigits = ticksPerSecond == 1_000 ? 3 : ticksPerSecond == 1_000_000 ? 6 : 9
        let digits = String(rest)
        var text = String(repeating: "0", count: fractionDigits - digits.count) + digits
        while text.last == "0" { text.removeLast() }
        return "." + text
    }

    private static func twoDigits(_ value: Int64) -> String { (0..<10).contains(value) ? "0\(value)" : "\(value)" }

    /// Formats a decimal number of any width.
    /// - Parameters:
    ///   - bytes: the digits as an integer, little-endian in two's complement.
    ///   - scale: the number of digits after the decimal point. A negative scale appends zeros.
    static func decimal(_ bytes: UnsafeRawBufferPointer, scale: Int) -> String {
        var limbs = stride(from: 0, to: bytes.count, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self).littleEndian }
        let isNegative = (limbs.last ?? 0) >> 31 == 1
        if isNegative {
            var carry: UInt64 = 1
            for index in limbs.indices {
                carry += UInt64(~limbs[index])
                limbs[index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
        }
        var groups: [UInt64] = []
        while limbs.contains(where: { $0 != 0 }) {
            var rest: UInt64 = 0
            for index in limbs.indices.reversed() {
                rest = rest << 32 | UInt64(limbs[index])
                limbs[index] = UInt32(truncatingIfNeeded: rest / 1_000_000_000)
                rest %= 1_000_000_000
            }
            groups.append(rest)
        }
        var digits = groups.last.map(String.init) ?? "0"
        for group in groups.dropLast().reversed() {
            let text = String(group)
            digits += String(repeating: "0", count: 9 - text.count) + text
        }
        if scale > 0 {
            if digits.count <= scale { digits = String(repeating: "0", count: scale + 1 - digits.count) + digits }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -scale))
        } else if scale < 0, digits != "0" {
            digits += String(repeating: "0", count: -scale)
        }
        return (isNegative ? "-" : "") + digits
    }

    static func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.prefix(1 << 16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The text as a JSON string, in quotes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
