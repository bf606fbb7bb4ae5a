// Conversion of text to the nearest Double.
//
// The text becomes mantissa × 10^exponent in one pass. Then, from fast to slow: one multiplication or division of exact doubles
// (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990); exact integer arithmetic in 128 bits; the standard library.

/// Parses a decimal number from text without surrounding blanks, by the rules of ``FieldBytes/decimal(_:)``.
func readDecimal(_ text: UnsafeBufferPointer<UInt8>, _ notation: DecimalStyle) -> Double? {
    guard let start = text.baseAddress, !text.isEmpty else { return nil }
    var cursor = start
    let end = start + text.count
    let isNegative = cursor.pointee == UInt8(ascii: "-")
    if isNegative || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }

    let (decimalSeparator, separator) = (notation.decimalSeparator, notation.groupSeparator)
    var number = ScannedDecimal()
    let digitsStart = cursor
    var groups = DigitGroups()
    while cursor < end {
        let digit = cursor.pointee &- 0x30
        if digit < 10 {
            number.append(digit, isFraction: false)
            groups.length += 1
        } else {
            guard let group = GroupSeparator(cursor, end, separator) else { break }
            guard groups.add(group, firstDigit: digitsStart.pointee) else { return nil }
            cursor += group.length - 1
        }
        cursor += 1
    }
    let hasWholeDigits = cursor > digitsStart
    guard !hasWholeDigits || groups.isComplete else { return nil }

    var hasFractionDigits = false
    if cursor < end, cursor.pointee == decimalSeparator {
        cursor += 1
        while cursor < end {
            let digit = cursor.pointee &- 0x30
            guard digit < 10 else { break }
            number.append(digit, isFraction: true)
            hasFractionDigits = true
            cursor += 1
        }
    }
    guard hasWholeDigits || hasFractionDigits else {
        // Text that starts without digits may be a word such as `inf`. A point alone is not a number.
        guard cursor == digitsStart else { return nil }
        return readNaNOrInfinity(UnsafeBufferPointer(start: cursor, count: end - cursor), isNegative: isNegative)
    }
    let digitsEnd = cursor

    guard let writtenExponent = readExponent(&cursor, end) else { return nil }
    number.exponent += writtenExponent
    let magnitude = number.nearestDouble { decimalFromText(digitsStart, digitsEnd, decimalSeparator, exponent: writtenExponent) }
    return isNegative ? -magnitude : magnitude
}

/// Parses the end of a number: an optional exponent and an optional percent sign, which lowers the exponent by 2. Returns `nil` for other
/// text.
@inline(__always)
func readExponent(_ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int? {
    if cursor == end { return 0 }
    var exponent = 0
    if cursor.pointee | 0x20 == UInt8(ascii: "e") {
        cursor += 1
        var isNegative = false
        if cursor < end, cursor.pointee == UInt8(ascii: "-") || cursor.pointee == UInt8(ascii: "+") {
            isNegative = cursor.pointee == UInt8(ascii: "-")
            cursor += 1
        }
        guard cursor < end, isDigit(cursor.pointee) else { return nil }
        while cursor < end, isDigit(cursor.pointee) {
            // Stop adding digits to a huge exponent. The limit exceeds the length of any text, so digits of the number cannot compensate
            // for such an exponent.
            if exponent < 1 << 50 { exponent = exponent * 10 + Int(cursor.pointee &- 0x30) }
            cursor += 1
        }
        if isNegative { exponent = -exponent }
    }
    if cursor < end {
        while cursor < end, isBlankByte(cursor.pointee) { cursor += 1 }
        guard cursor + 1 == end, cursor.pointee == UInt8(ascii: "%") else { return nil }
        exponent -= 2
    }
    return exponent
}

private func readNaNOrInfinity(_ word: UnsafeBufferPointer<UInt8>, isNegative: Bool) -> Double? {
    if word.equalsIgnoringCase("nan") { return .nan }
    guard word.equalsIgnoringCase("inf") || word.equalsIgnoringCase("infinity") else { return nil }
    return isNegative ? -.infinity : .infinity
}

/// The double nearest to digits times a power of ten. The standard library computes it; its parser ignores the locale.
///
/// To choose between two adjacent doubles, at most 767 significant digits are needed, and the information whether any later digit is not 0.
private func decimalFromText(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ decimalSeparator: UInt8, exponent: Int
) -> Double {
    let limit = 800
    var exponent = exponent
    var text = String()
    var keptDigits = 0
    var hasDroppedDigits = false
    var isFraction = false
    var cursor = start
    while cursor < end {
        defer { cursor += 1 }
        guard isDigit(cursor.pointee) else {
            if cursor.pointee == decimalSeparator { isFraction = true }
            continue
        }
        if isFraction { exponent -= 1 }
        if keptDigits == 0, cursor.pointee == UInt8(ascii: "0") { continue }
        if keptDigits < limit {
            text.unicodeScalars.append(Unicode.Scalar(cursor.pointee))
            keptDigits += 1
        } else {
            exponent += 1
            if cursor.pointee != UInt8(ascii: "0") { hasDroppedDigits = true }
        }
    }
    if hasDroppedDigits {
        text += "1"
        exponent -= 1
    }
    return Double(text + "e\(exponent)") ?? .nan
}
