/// Parses an exact decimal number from text without surrounding blanks, by the rules of ``FieldBytes/exactDecimal(_:)``.
func readExact(_ text: UnsafeBufferPointer<UInt8>, _ notation: DecimalStyle) -> ExactDecimal? {
    guard let start = text.baseAddress, !text.isEmpty else { return nil }
    var cursor = start
    let end = start + text.count
    let isNegative = cursor.pointee == UInt8(ascii: "-")
    if isNegative || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }

    // 18 digits at a time are collected in 64 bits, because arithmetic with 128 bits is slower.
    var mantissa: UInt128 = 0
    var (chunk, chunkFactor): (UInt64, UInt64) = (0, 1)
    var (fractionDigits, digitCount) = (0, 0)
    func flush() -> Bool {
        let (product, overflows) = mantissa.multipliedReportingOverflow(by: UInt128(chunkFactor))
        let (sum, carries) = product.addingReportingOverflow(UInt128(chunk))
        (mantissa, chunk, chunkFactor) = (sum, 0, 1)
        return !overflows && !carries && sum <= UInt128(Int128.max)
    }
    var isFraction = false
    while cursor < end {
        let digit = cursor.pointee &- 0x30
        if digit < 10 {
            if chunkFactor == 1_000_000_000_000_000_000, !flush() { return nil }
            chunk = chunk &* 10 &+ UInt64(digit)
            chunkFactor &*= 10
            digitCount += 1
            if isFraction { fractionDigits += 1 }
        } else if cursor.pointee == notation.decimalSeparator, !isFraction {
            isFraction = true
        } else {
            guard !isFraction, let group = GroupSeparator(cursor, end, notation.groupSeparator) else { break }
            cursor += group.length - 1
        }
        cursor += 1
    }
    guard digitCount > 0, flush() else { return nil }

    guard let exponent = readExponent(&cursor, end) else { return nil }
    fractionDigits -= exponent
    if mantissa == 0 { return ExactDecimal(0) }
    while fractionDigits > ExactDecimal.maximumDigits, mantissa % 10 == 0 {
        mantissa /= 10
        fractionDigits -= 1
    }
    guard fractionDigits <= ExactDecimal.maximumDigits else { return nil }
    guard let whole = ExactDecimal.scaled(Int128(mantissa), by: max(0, -fractionDigits)) else { return nil }
    return ExactDecimal(isNegative ? -whole : whole, digits: max(0, fractionDigits))
}
