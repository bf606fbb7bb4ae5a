// Exact comparison of numbers of any length, for numbers that a `Double` cannot tell apart.

extension FieldBytes {
    /// True if this number may share its nearest `Double` with other numbers: the field has more than 15 significant digits, or is beyond
    /// the range of normal doubles. May also be true in other cases.
    /// - Parameter double: the result of ``decimal(_:)`` for this field.
    package func mayShareNearestDouble(_ double: Double) -> Bool {
        var digits = 0
        for byte in bytes where isDigit(byte) && (digits > 0 || byte != UInt8(ascii: "0")) { digits += 1 }
        return digits > 15 || digits > 0 && !double.isNormal
    }

    /// The maximum length in bytes of a key that ``writeNumberKey(to:_:maximumDigits:)`` writes.
    package static func maximumNumberKeyLength(digits: Int) -> Int { (digits + sizeDigits) / 2 + 13 }

    /// The maximum number of digits by which the value of a size is longer than its number: the digits of 1024⁶.
    private static let sizeDigits = 19

    /// Writes a sort key: bytes whose lexicographic order is the order of the numbers, without rounding. Equal numbers have equal keys:
    /// `1.0`, `01` and `10e-1`. No key is a prefix of another.
    /// - Parameters:
    ///   - target: a buffer for a key of the maximum length.
    ///   - maximumDigits: the number of digits of the field that are compared.
    /// - Returns: the length of the key.
    /// - Precondition: ``decimal(_:)`` reads the field as a number other than NaN.
    package func writeNumberKey(to target: UnsafeMutablePointer<UInt8>, _ notation: DecimalStyle, maximumDigits: Int) -> Int {
        if let key = NumberKey(trimmed, notation) { return key.write(to: target, notation, maximumDigits: maximumDigits) }
        return readAmount(notation) { amount in
            if amount.power > 0, let number = amount.exact(notation)?.text ?? amount.decimal(notation)?.description {
                return Self.withBytes(of: number) {
                    NumberKey($0.trimmed, .point)?.write(to: target, .point, maximumDigits: maximumDigits + Self.sizeDigits)
                }
            }
            return NumberKey(amount.text, notation).map { key in
                var key = key
                if amount.isNegative { key.isNegative = true }
                return key.write(to: target, notation, maximumDigits: maximumDigits)
            }
        } ?? 0
    }
}

/// A number divided into a sign and 0.d₁d₂… × 10^`exponent`, where the digit d₁ is not 0.
private struct NumberKey {
    var isNegative: Bool
    private var isInfinite = false
    private var exponent = 0
    /// The address of the first digit that is not 0; `nil` if the number is 0 or infinite.
    private var firstDigit: UnsafePointer<UInt8>?
    private var end: UnsafePointer<UInt8>

    /// Reads text without surrounding blanks; `nil` if it is not a number.
    init?(_ text: UnsafeBufferPointer<UInt8>, _ notation: DecimalStyle) {
        guard let start = text.baseAddress, readDecimal(text, notation) != nil else { return nil }
        var cursor = start
        end = start + text.count
        isNegative = cursor.pointee == UInt8(ascii: "-")
        if isNegative || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }
        var (hasDigits, isFraction) = (false, false)
        while cursor < end {
            if isDigit(cursor.pointee) {
                hasDigits = true
                if firstDigit == nil, cursor.pointee != UInt8(ascii: "0") { firstDigit = cursor }
                if isFraction { exponent -= firstDigit == nil ? 1 : 0 } else { exponent += firstDigit == nil ? 0 : 1 }
            } else if cursor.pointee == notation.decimalSeparator {
                isFraction = true
            } else {
                guard let group = GroupSeparator(cursor, end, notation.groupSeparator) else { break }
                cursor += group.length - 1
            }
            cursor += 1
        }
        guard hasDigits else {
            isInfinite = true
            return
        }
        let digitsEnd = cursor
        exponent += readExponent(&cursor, end) ?? 0
        end = digitsEnd
    }

    func write(to target: UnsafeMutablePointer<UInt8>, _ notation: DecimalStyle, maximumDigits: Int) -> Int {
        var count = 0
        // The bytes of a negative number are inverted, because greater digits make it less.
        let flip: UInt8 = isNegative ? 0xFF : 0
        func put(_ byte: UInt8) {
            target[count] = byte ^ flip
            count += 1
        }
        guard firstDigit != nil || isInfinite else {
            target[0] = 0x80
            return 1
        }
        put(0xFF)
        guard let firstDigit else {
            put(0xFF)
            return count
        }
        // An exponent from -100 to 100 takes one byte.
        if exponent.magnitude <= 100 {
            put(UInt8(truncatingIfNeeded: exponent + 0x80))
        } else {
            put(exponent < 0 ? 0x01 : 0xFE)
            let ordered = UInt64(bitPattern: Int64(exponent)) ^ 1 << 63
            for shift in stride(from: 56, through: 0, by: -8) { put(UInt8(truncatingIfNeeded: ordered >> shift)) }
        }
        // Each byte has two digits, as a value from 1 to 100. Zeros at the end are omitted, and the byte 0 ends the key.
        var (pair, digits, length) = (UInt8(0), 0, count)
        var cursor = firstDigit
        while cursor < end, digits < maximumDigits {
            if isDigit(cursor.pointee) {
                let digit = cursor.pointee &- UInt8(ascii: "0")
                digits += 1
                if digits & 1 == 1 {
                    pair = digit * 10
                    put(pair + 1)
                } else {
                    target[count - 1] = (pair + digit + 1) ^ flip
                }
                if digit != 0 { length = count }
            }
            cursor += 1
        }
        count = length
        put(0)
        return count
    }
}
