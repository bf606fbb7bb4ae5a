/// Formats numbers: with grouped thousands, in a notation, and with aligned decimal separators.
///
/// The text of a field keeps its digits. It is never converted to a `Double`.
public enum NumberText {
    /// Formats an integer with grouped thousands.
    public static func count(_ number: Int) -> String { grouped(String(number), fractionDigits: 0) ?? String(number) }

    /// Returns the number in `text` with grouped thousands, and with trailing blanks that align decimal separators in a right-aligned
    /// column. The numbers of the column have at most `fractionDigits` digits after the decimal point: `12.5` with 2 is `12.5␠`, `7` is
    /// `7␠␠␠`.
    ///
    /// Surrounding blanks are removed; existing grouping is kept; a number with a leading zero is not grouped. `nil` unless `text` is an
    /// optional sign, digits, and optionally a decimal separator and digits, without exponent or percent sign.
    /// - Complexity: O(length of `text`).
    public static func grouped(_ text: String, _ notation: DecimalStyle = .point, fractionDigits: Int) -> String? {
        FieldBytes.withBytes(of: text) { field in
            guard let number = PlainNumber(field.trimmed, notation) else { return nil }
            let bytes = number.bytes
            let groups = !number.isGrouped && !number.hasLeadingZeros && number.integerPart.count > 3
            let fractionWidth = number.fractionDigits.map { $0 + 1 } ?? 0
            let blanks = max(0, (fractionDigits > 0 ? fractionDigits + 1 : 0) - fractionWidth)
            let separators = groups ? (number.integerPart.count - 1) / 3 : 0
            return String(unsafeUninitializedCapacity: bytes.count + separators + blanks) { result in
                var count = 0
                for index in bytes.indices {
                    if groups, index > number.integerPart.lowerBound, index < number.integerPart.upperBound,
                        (number.integerPart.upperBound - index) % 3 == 0
                    {
                        result[count] = notation.groupSeparator
                        count += 1
                    }
                    result[count] = bytes[index]
                    count += 1
                }
                for _ in 0..<blanks {
                    result[count] = 0x20
                    count += 1
                }
                return count
            }
        }
    }

    /// Returns the number in `text` with a minimum and a maximum number of decimals, rounded half away from zero.
    ///
    /// `2.5` with `0...0` is `3`; `7` with `2...4` is `7.00`. Rounds the digits, so numbers can have any length. `nil` if `text` is not a
    /// plain number. 0 has no minus sign.
    /// - Complexity: O(length of `text` + digits).
    public static func rounded(_ text: String, _ notation: DecimalStyle = .point, fractionDigits: ClosedRange<Int>) -> String? {
        FieldBytes.withBytes(of: text) { field in
            guard let number = PlainNumber(field.trimmed, notation) else { return nil }
            let (minimum, maximum) = (max(0, fractionDigits.lowerBound), max(0, fractionDigits.upperBound))
            let zero = UInt8(ascii: "0")
            var integerPart = Array(number.bytes[number.integerPart])
            var fraction = Array(number.bytes[min(number.integerPart.upperBound + 1, number.bytes.count)...])
            if integerPart.isEmpty { integerPart = [zero] }
            let roundsUp = fraction.count > maximum && fraction[maximum] >= UInt8(ascii: "5")
            if fraction.count > maximum { fraction.removeSubrange(maximum...) }
            if roundsUp { increment(&integerPart, &fraction) }
            while fraction.count > minimum, fraction.last == zero { fraction.removeLast() }
            fraction += Array(repeating: zero, count: max(0, minimum - fraction.count))
            var sign = Array(number.bytes[..<number.integerPart.lowerBound])
            if !(integerPart + fraction).contains(where: { $0 >= UInt8(ascii: "1") && $0 <= UInt8(ascii: "9") }) { sign = [] }
            return String(decoding: sign + integerPart + (fraction.isEmpty ? [] : [notation.decimalSeparator] + fraction), as: UTF8.self)
        }
    }

    /// Returns the fraction in `text` as a percentage with a minimum and a maximum number of decimals, rounded half away from zero.
    ///
    /// `0.285` with `0...0` is `29%`. Trailing blanks align decimal separators, as in ``grouped(_:_:fractionDigits:)``. Moves the digits,
    /// so numbers can have any length. `nil` if `text` is not a plain number.
    /// - Complexity: O(length of `text` + digits).
    public static func percentage(
        _ text: String, _ notation: DecimalStyle = .point, fractionDigits: ClosedRange<Int>, groupsThousands: Bool = true
    ) -> String? {
        let moved = FieldBytes.withBytes(of: text) { field -> String? in
            guard let number = PlainNumber(field.trimmed, notation) else { return nil }
            let zero = UInt8(ascii: "0")
            var integerPart = number.bytes[number.integerPart].filter(isDigit)
            var fraction = number.bytes[min(number.integerPart.upperBound + 1, number.bytes.count)...].map { $0 }
            for index in 0..<2 { integerPart.append(index < fraction.count ? fraction[index] : zero) }
            fraction = Array(fraction.dropFirst(2))
            integerPart = Array(integerPart.drop { $0 == zero })
            if integerPart.isEmpty { integerPart = [zero] }
            let sign = Array(number.bytes[..<number.integerPart.lowerBound])
            return String(decoding: sign + integerPart + (fraction.isEmpty ? [] : [notation.decimalSeparator] + fraction), as: UTF8.self)
        }
        guard let moved, let text = rounded(moved, notation, fractionDigits: fractionDigits) else { return nil }
        let room = fractionDigits.upperBound > 0 ? fractionDigits.upperBound + 1 : 0
        let fractionWidth = text.utf8.firstIndex(of: notation.decimalSeparator).map { text.utf8[$0...].count } ?? 0
        let blanks = String(repeating: " ", count: max(0, room - fractionWidth))
        return (groupsThousands ? grouped(text, notation, fractionDigits: 0) ?? text : text) + "%" + blanks
    }

    /// The number of digits after the decimal point in `field`: 0 without a decimal point. `nil` if the field is not a plain number.
    public static func fractionDigits(of field: FieldBytes, _ notation: DecimalStyle = .point) -> Int? {
        PlainNumber(field.trimmed, notation).map { $0.fractionDigits ?? 0 }
    }
}

extension FieldBytes {
    /// True if the field is a number in plain digits with a leading zero that a numeric type would lose: `007`, `00` and `-00.5`, but not
    /// `0` or `0.5`. False for numbers with an exponent, a percent sign or thousands separators. In a notation with amounts, the sign and
    /// the unit of an amount do not count: `(007)`.
    package func hasLeadingZeros(_ notation: DecimalStyle = .point) -> Bool {
        let text = trimmed
        guard text.count > 1 else { return false }
        // Most numbers do not start with 0, so they need no further test.
        let mayHaveZeros = text[0] == UInt8(ascii: "0") || text[1] == UInt8(ascii: "0")
        if mayHaveZeros, let number = PlainNumber(text, notation) { return number.hasLeadingZeros }
        guard notation.unit.acceptsAmounts, text[0] == UInt8(ascii: "0") || !isDigit(text[0]) else { return false }
        return readAmount(notation) { PlainNumber($0.text, notation)?.hasLeadingZeros } ?? false
    }

    /// True if the field is a number in plain digits with a plus sign that a numeric type would lose: `+4915112345678` and `+0.5`. False
    /// for numbers with an exponent, a percent sign, thousands separators or a currency.
    package func hasPlusSign(_ notation: DecimalStyle = .point) -> Bool {
        let text = trimmed
        guard text.first == UInt8(ascii: "+"), let number = PlainNumber(text, notation) else { return false }
        return !number.isGrouped
    }

    /// True if the field is an integer of any length. Except for the length, the rules of ``integer(_:)`` apply.
    func isInteger(_ notation: DecimalStyle) -> Bool {
        func isWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            PlainNumber(text, notation).map { $0.fractionDigits == nil } ?? false
        }
        if isWhole(trimmed) { return true }
        return notation.unit.acceptsAmounts
            && readAmount(notation) { isWhole($0.text) || $0.power > 0 && $0.exact(notation)?.digits == 0 } == true
    }
}

/// The parts of a number that has no exponent and no percent sign.
private struct PlainNumber {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The range of the digits before the decimal point, with thousands separators.
    let integerPart: Range<Int>
    let isGrouped: Bool
    /// The number of digits after the decimal point; `nil` if the number has no decimal point.
    let fractionDigits: Int?

    var hasLeadingZeros: Bool { integerPart.count > 1 && bytes[integerPart.lowerBound] == UInt8(ascii: "0") }

    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ notation: DecimalStyle) {
        guard let first = bytes.first, let address = bytes.baseAddress else { return nil }
        let start = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? 1 : 0
        var index = start
        var groups = DigitGroups()
        while index < bytes.count, bytes[index] != notation.decimalSeparator {
            if isDigit(bytes[index]) {
                groups.length += 1
            } else {
                guard let group = GroupSeparator(address + index, address + bytes.count, notation.groupSeparator),
                    groups.add(group, firstDigit: bytes[start])
                else { return nil }
                index += group.length - 1
            }
            index += 1
        }
        self.bytes = bytes
        integerPart = start..<index
        isGrouped = groups.hasSeparators
        fractionDigits = index < bytes.count ? bytes.count - index - 1 : nil
        guard integerPart.isEmpty || groups.isComplete, !integerPart.isEmpty || (fractionDigits ?? 0) > 0 else { return nil }
        guard index == bytes.count || bytes[(index + 1)...].allSatisfy(isDigit) else { return nil }
    }
}
