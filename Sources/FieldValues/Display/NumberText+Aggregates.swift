// Numbers that were computed, and so have no text of their own.

extension NumberText {
    /// A number with its thousands grouped, unless told otherwise, and at most so many digits after the point, half away from zero; zeros at the end are
    /// dropped down to `minimumFractionDigits`.
    ///
    /// What is rounded is the shortest decimal that stands for `value`, so 0.285 becomes 0.29 although the double is a little less.
    /// 0 has no sign. From 1e21 on, and for inf and NaN, the text is that of the language, ungrouped.
    public static func text(
        of value: Double, _ notation: NumberNotation = .point, maximumFractionDigits: Int, minimumFractionDigits: Int = 0,
        groupsThousands: Bool = true
    ) -> String {
        guard value.isFinite, value.magnitude < 1e21 else { return value.isNaN ? "NaN" : "\(value)" }
        return text(
            plainDigits(of: value.magnitude), isNegative: value < 0, notation, maximumFractionDigits: maximumFractionDigits,
            minimumFractionDigits: minimumFractionDigits, groupsThousands: groupsThousands)
    }

    /// The same of an exact number, of any length.
    public static func text(
        of value: ExactDecimal, _ notation: NumberNotation = .point, maximumFractionDigits: Int, minimumFractionDigits: Int = 0,
        groupsThousands: Bool = true
    ) -> String {
        let parts = value.text.utf8.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "."))
        return text(
            (Array(parts[0]), parts.count > 1 ? Array(parts[1]) : []), isNegative: value.mantissa < 0, notation,
            maximumFractionDigits: maximumFractionDigits, minimumFractionDigits: minimumFractionDigits, groupsThousands: groupsThousands)
    }

    private static func text(
        _ digits: (whole: [UInt8], fraction: [UInt8]), isNegative: Bool, _ notation: NumberNotation, maximumFractionDigits: Int,
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
        var shown: [UInt8] = isNegative && !isZero ? [UInt8(ascii: "-")] : []
        shown += groupsThousands ? grouping(whole, notation) : whole
        if !fraction.isEmpty { shown += [notation.decimalSign] + fraction }
        return String(decoding: shown, as: UTF8.self)
    }

    /// The digits before and after the point of the shortest decimal that reads as `value`, which is finite and not negative.
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

    /// Adds one in the last place; thousands may be grouped.
    static func increment(_ whole: inout [UInt8], _ fraction: inout [UInt8], _ notation: NumberNotation = .point) {
        for index in fraction.indices.reversed() {
            if fraction[index] < UInt8(ascii: "9") { return fraction[index] += 1 }
            fraction[index] = UInt8(ascii: "0")
        }
        let isGrouped = whole.contains(notation.groupSeparator)
        for index in whole.indices.reversed() where whole[index] != notation.groupSeparator {
            if whole[index] < UInt8(ascii: "9") { return whole[index] += 1 }
            whole[index] = UInt8(ascii: "0")
        }
        if isGrouped, whole.prefix(while: { $0 != notation.groupSeparator }).count == 3 { whole.insert(notation.groupSeparator, at: 0) }
        whole.insert(UInt8(ascii: "1"), at: 0)
    }

    private static func grouping(_ digits: [UInt8], _ notation: NumberNotation) -> [UInt8] {
        var shown: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { shown.append(notation.groupSeparator) }
            shown.append(digit)
        }
        return shown
    }
}
