// Formatting of computed numbers, which have no source text.

extension NumberText {
    /// Formats a computed number with a limited number of fraction digits, rounded half away from zero. Thousands are grouped by default.
    /// Trailing zeros are removed down to `minimumFractionDigits`.
    ///
    /// The shortest decimal that represents `value` is rounded, so 0.285 becomes 0.29 although the double is slightly less. 0 has no sign.
    /// For 1e21 or greater, and for inf and NaN, the result is Swift's ungrouped description.
    public static func text(
        of value: Double, _ notation: DecimalStyle = .point, maximumFractionDigits: Int, minimumFractionDigits: Int = 0,
        groupsThousands: Bool = true
    ) -> String {
        guard value.isFinite, value.magnitude < 1e21 else { return value.isNaN ? "NaN" : "\(value)" }
        return text(
            plainDigits(of: value.magnitude), isNegative: value < 0, notation, maximumFractionDigits: maximumFractionDigits,
            minimumFractionDigits: minimumFractionDigits, groupsThousands: groupsThousands)
    }

    /// Formats an exact computed number, like the function for a `Double`. The number can have any length.
    public static func text(
        of value: ExactDecimal, _ notation: DecimalStyle = .point, maximumFractionDigits: Int, minimumFractionDigits: Int = 0,
        groupsThousands: Bool = true
    ) -> String {
        let parts = value.text.utf8.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "."))
        return text(
            (Array(parts[0]), parts.count > 1 ? Array(parts[1]) : []), isNegative: value.mantissa < 0, notation,
            maximumFractionDigits: maximumFractionDigits, minimumFractionDigits: minimumFractionDigits, groupsThousands: groupsThousands)
    }

    /// Formats a computed number like the fields of a column with this notation, including the unit: 0.125 becomes `12.5%`, and −2.5
    /// becomes `-€2.50`. The limits of fraction digits apply to the formatted text, but not to sizes; see
    /// ``size(of:_:maximumFractionDigits:)``.
    public static func textWithUnit(
        of value: Double, _ notation: DecimalStyle, maximumFractionDigits: Int, minimumFractionDigits: Int = 0, groupsThousands: Bool = true
    ) -> String {
        if notation.unit.isSize { return size(of: value, notation) }
        return notation.unit.applied(
            to: text(
                of: notation.unit.isPercent ? percentage(of: value) : value, notation, maximumFractionDigits: maximumFractionDigits,
                minimumFractionDigits: minimumFractionDigits, groupsThousands: groupsThousands))
    }

    /// Formats an exact computed number with the unit of a notation, like the function for a `Double`.
    public static func textWithUnit(
        of value: ExactDecimal, _ notation: DecimalStyle, maximumFractionDigits: Int, minimumFractionDigits: Int = 0,
        groupsThousands: Bool = true
    ) -> String {
        if notation.unit.isSize { return exactSize(of: value, notation) ?? size(of: value.double, notation) }
        guard let number = notation.unit.isPercent ? value.percentage : value else {
            return textWithUnit(
                of: value.double, notation, maximumFractionDigits: maximumFractionDigits, minimumFractionDigits: minimumFractionDigits,
                groupsThousands: groupsThousands)
        }
        return notation.unit.applied(
            to: text(
                of: number, notation, maximumFractionDigits: maximumFractionDigits, minimumFractionDigits: minimumFractionDigits,
                groupsThousands: groupsThousands))
    }

    /// Formats a number of bytes in the notation of sizes, rounded to a number of fraction digits: 1572 becomes `1.54K`. The unit is the
    /// largest one in which the size is at least 1.
    public static func size(of value: Double, _ notation: DecimalStyle, maximumFractionDigits: Int = 2) -> String {
        var (number, power) = (value, 0)
        let factor = ExactDecimal.doublePower(maximumFractionDigits)
        // Rounding may turn 1023.999 K into 1 M.
        while power < maximumSizePower, (number.magnitude * factor).rounded() >= 1024 * factor {
            (number, power) = (number / 1024, power + 1)
        }
        return withSizeUnit(
            text(of: number, notation, maximumFractionDigits: maximumFractionDigits, groupsThousands: false), notation, power)
    }

    /// Formats a number of bytes in the notation of sizes, without rounding: 1536 becomes `1.5K`. `nil` if the largest unit in which the
    /// size is at least 1 needs more than three fraction digits.
    public static func exactSize(of value: ExactDecimal, _ notation: DecimalStyle) -> String? {
        guard let unit = ExactDecimal.scaled(1, by: value.digits), let scaled = ExactDecimal.scaled(value.mantissa, by: 3) else {
            return nil
        }
        var (divisor, power) = (unit, 0)
        while power < maximumSizePower {
            let (next, overflows) = divisor.multipliedReportingOverflow(by: 1024)
            if overflows || value.mantissa.magnitude < next.magnitude { break }
            (divisor, power) = (next, power + 1)
        }
        let (thousandths, rest) = scaled.quotientAndRemainder(dividingBy: divisor)
        guard rest == 0 else { return nil }
        let number = ExactDecimal(thousandths, digits: 3)
        return withSizeUnit(text(of: number, notation, maximumFractionDigits: 3, groupsThousands: false), notation, power)
    }

    /// The power of 1024 of the largest unit.
    private static let maximumSizePower = SizeForm.unitLetters.utf8CodeUnitCount

    private static func withSizeUnit(_ number: String, _ notation: DecimalStyle, _ power: Int) -> String {
        let unit = notation.unit.sizeForm?.unit(power: power) ?? ""
        return number + (notation.unit.isSpaced && !unit.isEmpty ? " " : "") + unit
    }

    /// A fraction as a percentage, without the rounding error of a multiplication: 7 for 0.07.
    public static func percentage(of value: Double) -> Double { roundedToDecimals(value * 100) }

    /// The number rounded to 15 significant decimal digits, as many as a `Double` always preserves: 0.01 for 0.010000000000000002.
    public static func roundedToDecimals(_ value: Double) -> Double {
        guard value.isFinite, value != 0 else { return value }
        var (size, power) = (value.magnitude, 0)
        while size >= 1e15, power > -40 { (size, power) = (size / 10, power - 1) }
        while size < 1e14, power < 40 { (size, power) = (size * 10, power + 1) }
        guard (-22...22).contains(power) else { return value }
        let factor = ExactDecimal.doublePower(abs(power))
        // Both operands are exact doubles, so the result is the double nearest to the decimal number.
        return power >= 0 ? (value * factor).rounded() / factor : (value / factor).rounded() * factor
    }

    private static func text(
        _ digits: (whole: [UInt8], fraction: [UInt8]), isNegative: Bool, _ notation: DecimalStyle, maximumFractionDigits: Int,
        minimumFractionDigits: Int, groupsThousands: Bool
    ) -> String {
        var (whole, fraction) = digits
        if fraction.count > maximumFractionDigits {
            let roundsUp = fraction[maximumFractionDigits] >= UInt8(ascii: "5")
            fraction.removeSubrange(maximumFractionDigits...)
            if roundsUp { increment(&whole, &fraction) }
        }
        while fraction.count > minimumFractionDigits, fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        while fraction.count < min(minimumFractionDigits, maximumFractionDigits) { fraction.append(UInt8(ascii: "0")) }
        let isZero = (whole + fraction).allSatisfy { $0 == UInt8(ascii: "0") }
        var result: [UInt8] = isNegative && !isZero ? [UInt8(ascii: "-")] : []
        result += groupsThousands ? grouping(whole, notation) : whole
        if !fraction.isEmpty { result += [notation.decimalSeparator] + fraction }
        return String(decoding: result, as: UTF8.self)
    }

    /// The digits before and after the decimal point of the shortest decimal that parses as `value`. The value must be finite and not
    /// negative.
    private static func plainDigits(of value: Double) -> (whole: [UInt8], fraction: [UInt8]) {
        let text = value.description
        let parts = text.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        var whole = Array(mantissa[0].utf8)
        var fraction = mantissa.count > 1 ? Array(mantissa[1].utf8) : []
        let zero = UInt8(ascii: "0")
        if exponent >= 0 {
            for _ in 0..<exponent { whole.append(fraction.isEmpty ? zero : fraction.removeFirst()) }
        } else {
            for _ in 0..<(-exponent) { fraction.insert(whole.popLast() ?? zero, at: 0) }
            if whole.isEmpty { whole = [zero] }
        }
        if whole.count > 1 { whole = Array(whole.drop { $0 == zero }) }
        return (whole.isEmpty ? [zero] : whole, fraction)
    }

    /// Adds 1 to the last digit of a number, and carries. The whole part may contain thousands separators.
    static func increment(_ whole: inout [UInt8], _ fraction: inout [UInt8]) {
        for index in fraction.indices.reversed() {
            if fraction[index] < UInt8(ascii: "9") { return fraction[index] += 1 }
            fraction[index] = UInt8(ascii: "0")
        }
        for index in whole.indices.reversed() where isDigit(whole[index]) {
            if whole[index] < UInt8(ascii: "9") { return whole[index] += 1 }
            whole[index] = UInt8(ascii: "0")
        }
        let firstGroup = whole.prefix(while: isDigit)
        let separator = whole.dropFirst(firstGroup.count).prefix { !isDigit($0) }
        whole = [UInt8(ascii: "1")] + (firstGroup.count == 3 ? separator : []) + whole
    }

    private static func grouping(_ digits: [UInt8], _ notation: DecimalStyle) -> [UInt8] {
        var result: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(notation.groupSeparator) }
            result.append(digit)
        }
        return result
    }
}
