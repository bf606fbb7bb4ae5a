/// The significant digits of a number with a power of ten. Fields that are the same number in different forms have equal digits.
struct DecimalDigits: Equatable {
    private var digits: UInt64 = 0
    private var exponent = 0
    private var isNegative = false

    /// Reads a field that ``FieldBytes/decimal(_:)`` accepts; `nil` for infinity, NaN, and more than 17 significant digits.
    init?(_ field: FieldBytes, _ notation: DecimalStyle) {
        if notation.unit.isSize {
            let exact = field.readAmount(notation) { $0.exact(notation)?.text }
            guard let exact else {
                self.init(field.trimmed, notation)
                return
            }
            guard let digits = FieldBytes.withBytes(of: exact, { DecimalDigits($0, .point) }) else { return nil }
            self = digits
        } else if notation.unit.acceptsAmounts, let amount = WrittenAmount(field.trimmed), !amount.number.isEmpty {
            self.init(amount.number, notation)
            if amount.isNegative, digits != 0 { isNegative = true }
        } else {
            self.init(field.trimmed, notation)
        }
    }

    /// Reads text without surrounding blanks.
    private init?(_ text: UnsafeBufferPointer<UInt8>, _ notation: DecimalStyle) {
        guard let start = text.baseAddress else { return nil }
        var cursor = start
        let end = start + text.count
        if cursor < end, cursor.pointee == UInt8(ascii: "-") || cursor.pointee == UInt8(ascii: "+") {
            isNegative = cursor.pointee == UInt8(ascii: "-")
            cursor += 1
        }
        var (count, zeros, hasDigits, isFraction) = (0, 0, false, false)
        while cursor < end {
            let digit = cursor.pointee &- 0x30
            if digit < 10 {
                hasDigits = true
                if isFraction { exponent -= 1 }
                if digit == 0 {
                    if digits > 0 { zeros += 1 }
                } else {
                    count = digits == 0 ? 1 : count + zeros + 1
                    guard count <= 17 else { return nil }
                    for _ in 0..<(digits == 0 ? 0 : zeros + 1) { digits *= 10 }
                    digits += UInt64(digit)
                    zeros = 0
                }
            } else if cursor.pointee == notation.decimalSeparator, !isFraction {
                isFraction = true
            } else {
                guard !isFraction, let group = GroupSeparator(cursor, end, notation.groupSeparator) else { break }
                cursor += group.length - 1
            }
            cursor += 1
        }
        guard hasDigits, let power = readExponent(&cursor, end) else { return nil }
        exponent += zeros + power
        if digits == 0 { (exponent, isNegative) = (0, false) }
    }
}

extension FieldBytes {
    /// True if the text of a double has exactly the value of the field, so that storing the double loses nothing.
    /// - Parameter number: the result of ``decimal(_:)`` for this field.
    package func isExactly(_ number: Double, _ notation: DecimalStyle) -> Bool {
        if number.isNaN { return true }
        guard number.isFinite else {
            // An infinite double for a field with digits means that the number is too large, so the value is lost.
            return !trimmed.contains(where: isDigit)
        }
        guard let digits = DecimalDigits(self, notation) else { return false }
        return FieldBytes.withBytes(of: number.description) { DecimalDigits($0, .point) == digits }
    }
}
