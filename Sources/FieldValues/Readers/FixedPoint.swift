import CByteScan

/// A fast parser for numbers in the usual form: digits with an optional point. `1.50` becomes 150 with 2 fraction digits.
///
/// The results are exact, and faster to parse, store and sort than doubles.
public enum FixedPoint {
    /// The number of fraction digits that stands for a field in another form.
    public static let invalid = UInt8.max

    /// Parses one column of a batch: `1.50` is 150 with 2 digits after the decimal point.
    ///
    /// Accepts an optional `-`, 1 to 18 digits, and at most one point with digits on both sides. For other forms (blanks, thousands
    /// separators, exponents, a percent sign) use ``FieldBytes/integer(_:)`` and ``FieldBytes/decimal(_:)``.
    /// - Parameters:
    ///   - batch: the records.
    ///   - column: the column of the batch.
    ///   - notation: with ``DecimalStyle/comma``, a comma replaces the point.
    ///   - mantissas: a buffer for one number for each record.
    ///   - digits: a buffer for the number of digits after the decimal point in each record, or ``invalid``.
    ///   - distinguishesPlain: true to distinguish ``Uniformity/plain`` from ``Uniformity/uniform``.
    /// - Complexity: O(bytes of the fields).
    public static func read(
        _ batch: FieldBatch, column: Int, _ notation: DecimalStyle = .point, mantissas: UnsafeMutablePointer<Int64>,
        digits: UnsafeMutablePointer<UInt8>, distinguishesPlain: Bool = true
    ) -> Uniformity {
        let separator = notation.decimalSeparator
        var differing: UInt8 = 0
        // In most columns, all fields have as many fraction digits as the first field. Such fields are parsed four at a time, and other
        // fields one by one.
        var (next, step) = (0, 1)
        while next < batch.count {
            let end = min(batch.count, next + step)
            for record in next..<end {
                digits[record] = read(batch[record, column], separator, &mantissas[record])
                differing |= digits[record] ^ digits[0]
            }
            next = end
            let uniformCount =
                digits[0] == invalid || next == batch.count ? 0 : readUniform(batch, next, column, separator, digits[0], mantissas + next)
            (digits + next).update(repeating: digits[0], count: uniformCount)
            next += uniformCount
            step = uniformCount == 0 ? batch.count : 4
        }
        guard differing == 0, batch.count > 0, digits[0] != invalid else { return .none }
        guard distinguishesPlain else { return .uniform }
        let isPlain = (0..<batch.count).allSatisfy { FixedPoint.isCanonical(batch[$0, column], mantissas[$0], digits[$0]) }
        return isPlain ? .plain : .uniform
    }

    /// The properties that the fields of a batch share.
    public enum Uniformity: Sendable {
        /// Some fields are in another form, or their numbers of fraction digits differ.
        case none
        /// All fields are in the usual form, with the same number of fraction digits.
        case uniform
        /// As `uniform`, and no field has redundant characters, such as leading zeros or `-0`. Distinct fields then have distinct numbers.
        case plain
    }

    /// True if a parsed field has no redundant characters, such as leading zeros or `-0`. O(1).
    @inline(__always)
    public static func isCanonical(_ field: FieldBytes, _ mantissa: Int64, _ digits: UInt8) -> Bool {
        guard let start = field.start, field.count > 0, digits != invalid else { return false }
        let first = start.pointee == UInt8(ascii: "-") ? 1 : 0
        // Only a zero at the start of the number can be redundant. A parsed field has a digit after its sign.
        guard first < field.count, start[first] == UInt8(ascii: "0") else { return true }
        return field.count == first + 1 + (digits > 0 ? Int(digits) + 1 : 0) && (mantissa != 0 || first == 0)
    }

    /// Parses one field; `nil` if it is not in the usual form.
    /// - Complexity: O(bytes of the field).
    public static func read(_ field: FieldBytes, _ notation: DecimalStyle = .point) -> (mantissa: Int64, digits: Int)? {
        var mantissa: Int64 = 0
        let digits = read(field, notation.decimalSeparator, &mantissa)
        return digits == invalid ? nil : (mantissa, Int(digits))
    }

    /// The text of a number without redundant characters. ``read(_:_:)`` parses it as `mantissa` and `digits`.
    public static func text(of mantissa: some FixedWidthInteger, digits: Int, _ notation: DecimalStyle = .point) -> [UInt8] {
        var text = Array(String(mantissa.magnitude).utf8)
        if digits > 0 {
            text.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, digits + 1 - text.count)), at: 0)
            text.insert(notation.decimalSeparator, at: text.count - digits)
        }
        return mantissa < 0 ? [UInt8(ascii: "-")] + text : text
    }

    /// Parses the fields of a column from record `first` on. Stops at the first field that does not have `digits` fraction digits.
    /// - Returns: the number of parsed fields.
    @inline(__always)
    private static func readUniform(
        _ batch: FieldBatch, _ first: Int, _ column: Int, _ separator: UInt8, _ digits: UInt8, _ mantissas: UnsafeMutablePointer<Int64>
    ) -> Int {
        let fields = UnsafeRawPointer(batch.fields + first * batch.width + column).assumingMemoryBound(to: gv_field.self)
        return gv_read_fixed(fields, batch.width, batch.count - first, separator, digits, mantissas)
    }

    @inline(__always)
    private static func read(_ field: FieldBytes, _ separator: UInt8, _ mantissa: inout Int64) -> UInt8 {
        guard let start = field.start, field.count > 0 else { return invalid }
        let isNegative = start.pointee == UInt8(ascii: "-")
        let first = isNegative ? start + 1 : start
        let count = isNegative ? field.count - 1 : field.count
        var value: UInt64 = 0
        // Eight bytes within a memory page can be loaded safely, even if the field is shorter.
        let isLoadable = UInt(bitPattern: first) & 4095 <= 4096 - 8
        let digits =
            count <= 8 && count > 0 && isLoadable ? readWord(first, count, separator, &value) : readBytes(first, count, separator, &value)
        mantissa = isNegative ? 0 &- Int64(truncatingIfNeeded: value) : Int64(truncatingIfNeeded: value)
        return digits
    }

    /// Parses up to eight bytes at once (after D. Lemire, "Quickly parsing eight digits", 2018).
    @inline(__always)
    private static func readWord(_ start: UnsafePointer<UInt8>, _ count: Int, _ separator: UInt8, _ value: inout UInt64) -> UInt8 {
        let unused = UInt64(8 - count) * 8
        // Each digit becomes its value. The shift removes the bytes after the field.
        var word = (UInt64(littleEndian: gv_load_word(start)) ^ 0x3030_3030_3030_3030) &<< unused
        var fraction: UInt8 = 0
        let others = (word | word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0
        if others != 0 {
            // Only one byte may differ from a digit: the decimal separator, which must have digits on both sides.
            let bitOffset = UInt64(others.trailingZeroBitCount) & ~7
            guard bitOffset > unused, bitOffset < 56, (word &>> bitOffset) & 0xFF == UInt64(separator ^ 0x30),
                others &>> (bitOffset + 8) == 0
            else { return invalid }
            fraction = UInt8(truncatingIfNeeded: 7 - bitOffset / 8)
            let before = word & ((UInt64(1) &<< bitOffset) - 1)
            let after = word & ~(UInt64.max &>> (56 - bitOffset))
            word = after | before &<< 8
        }
        word = (word &* 2561) &>> 8
        word = ((word & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
        value = ((word & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
        return fraction
    }

    @inline(never)
    private static func readBytes(_ start: UnsafePointer<UInt8>, _ count: Int, _ separator: UInt8, _ value: inout UInt64) -> UInt8 {
        // The usual form has at most 18 digits and a point.
        guard count > 0, count <= 19 else { return invalid }
        var cursor = start
        let end = start + count
        while cursor < end {
            let digit = cursor.pointee &- 0x30
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            cursor += 1
        }
        guard cursor < end else { return count < 19 ? 0 : invalid }
        guard cursor.pointee == separator, cursor > start, cursor + 1 < end else { return invalid }
        cursor += 1
        let fraction = UInt8(truncatingIfNeeded: end - cursor)
        while cursor < end {
            let digit = cursor.pointee &- 0x30
            guard digit < 10 else { return invalid }
            value = value &* 10 &+ UInt64(digit)
            cursor += 1
        }
        return fraction
    }
}
