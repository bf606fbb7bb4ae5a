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
            guard let group = GroupSeparator(cursor, end, separator), groups.add(group, firstDigit: first.pointee) else { return nil }
            cursor += group.length - 1
        }
        cursor += 1
    }
    guard groups.isComplete else { return nil }
    if isNegative { return value <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- value) : nil }
    return Int64(exactly: value)
}

/// A thousands separator in the text of a number: that of the notation, an apostrophe, or a space that is not a blank. An ordinary blank is
/// not a separator, because it also divides codes and telephone numbers.
struct GroupSeparator {
    /// The number of bytes.
    let length: Int
    /// The last byte, which differs between separators.
    let lastByte: UInt8

    /// Reads the separator at `cursor`, which is before `end`; `nil` for other text.
    /// - Parameter thousandsSeparator: the thousands separator of the notation.
    @inline(__always)
    init?(_ cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ thousandsSeparator: UInt8) {
        guard cursor.pointee != thousandsSeparator, cursor.pointee != UInt8(ascii: "'") else {
            (length, lastByte) = (1, cursor.pointee)
            return
        }
        guard cursor.pointee >= 0x80, let length = Self.length(of: cursor, end) else { return nil }
        (self.length, lastByte) = (length, cursor[length - 1])
    }

    /// The length of a typographic apostrophe (U+2019), a no-break space (U+00A0, U+202F) or a thin space (U+2009); `nil` for other text.
    private static func length(of cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int? {
        if end - cursor >= 2, cursor[0] == 0xC2, cursor[1] == 0xA0 { return 2 }
        guard end - cursor >= 3, cursor[0] == 0xE2, cursor[1] == 0x80 else { return nil }
        return cursor[2] == 0x89 || cursor[2] == 0x99 || cursor[2] == 0xAF ? 3 : nil
    }
}

/// Checks the thousands separators of a number: one to three digits without a leading zero, then groups of three digits, divided by equal
/// separators.
struct DigitGroups {
    var length = 0
    private var separatorCount = 0
    private var lastByte: UInt8 = 0

    /// Adds a thousands separator. Returns false if it is misplaced, or differs from an earlier one.
    mutating func add(_ separator: GroupSeparator, firstDigit: UInt8) -> Bool {
        guard
            separatorCount == 0
                ? (1...3).contains(length) && firstDigit != UInt8(ascii: "0") : length == 3 && separator.lastByte == lastByte
        else { return false }
        lastByte = separator.lastByte
        separatorCount += 1
        length = 0
        return true
    }

    var hasSeparators: Bool { separatorCount > 0 }

    /// True if the digits added until now are a valid whole part of a number: at least one digit, and a complete last group.
    var isComplete: Bool { separatorCount == 0 ? length > 0 : length == 3 }
}
