/// Parses a 64-bit integer from text without surrounding blanks, by the rules of ``FieldBytes/integer(_:)``.
func readInteger(_ text: UnsafeBufferPointer<UInt8>, _ notation: DecimalStyle) -> Int64? {
    guard var cursor = text.baseAddress else { return nil }
    let end = cursor + text.count
    guard cursor < end else { return nil }
    let isNegative = cursor.pointee == UInt8(ascii: "-")
    if isNegative || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }

    let separator = notation.groupSeparator
    let first = cursor
    var value: UInt64 = 0
    var significantDigits = 0
    var groups = DigitGroups()
    while cursor < end {
        let digit = cursor.pointee &- 0x30
        if digit < 10 {
            // 19 digits always fit in the unsigned variable `value`. A number of 20 significant digits exceeds the signed result, so it is
            // rejected.
            if significantDigits > 0 || digit > 0 { significantDigits += 1 }
            guard significantDigits < 20 else { return nil }
            value = value &* 10 &+ UInt64(digit)
            groups.length += 1
        } else {
            guard cursor.pointee == separator, groups.addSeparator(firstDigit: first.pointee) else { return nil }
        }
        cursor += 1
    }
    guard groups.isComplete else { return nil }
    if isNegative { return value <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- value) : nil }
    return Int64(exactly: value)
}

/// Checks the thousands separators of a number: one to three digits without a leading zero, then groups of three digits.
struct DigitGroups {
    var length = 0
    private var separatorCount = 0

    /// Adds a thousands separator. Returns false if it is misplaced.
    mutating func addSeparator(firstDigit: UInt8) -> Bool {
        guard separatorCount == 0 ? (1...3).contains(length) && firstDigit != UInt8(ascii: "0") : length == 3 else { return false }
        separatorCount += 1
        length = 0
        return true
    }

    var hasSeparators: Bool { separatorCount > 0 }

    /// True if the digits added until now are a valid whole part of a number: at least one digit, and a complete last group.
    var isComplete: Bool { separatorCount == 0 ? length > 0 : length == 3 }
}
