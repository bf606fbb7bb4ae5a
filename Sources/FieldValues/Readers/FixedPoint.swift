import CByteScan

/// Numbers as they are mostly written, digits with perhaps a point among them, as a whole number and a power of ten.
///
/// Exact, and much cheaper than doubles to read, to keep and to sort.
public enum FixedPoint {
    /// What stands for the number of digits of a field that is not such a number.
    public static let none = UInt8.max

    /// Reads one column of a batch: `1.50` is 150 with 2 digits after the point.
    ///
    /// Read are an optional `-`, 1 to 18 digits and at most one point with digits on both sides of it. Anything else (blanks around,
    /// thousands separators, exponents, a percent sign) is for ``FieldBytes/integer(_:)`` and ``FieldBytes/decimal(_:)``.
    /// - Parameters:
    ///   - batch: the records.
    ///   - column: which of the batch's columns.
    ///   - notation: by ``NumberNotation/comma``, a comma stands where a point is said.
    ///   - mantissas: room for a number of each record.
    ///   - digits: for each record the digits after the point, or ``none``.
    ///   - checksPlain: whether ``Likeness/plain`` is told apart from ``Likeness/uniform``.
    /// - Complexity: O(bytes of the fields).
    public static func read(
        _ batch: FieldBatch, column: Int, _ notation: NumberNotation = .point, mantissas: UnsafeMutablePointer<Int64>,
        digits: UnsafeMutablePointer<UInt8>, checksPlain: Bool = true
    ) -> Likeness {
        let sign = notation.decimalSign
        var differing: UInt8 = 0
        // Mostly all are written as the first: these are read four at once, and the others one by one.
        var (next, step) = (0, 1)
        while next < batch.count {
            let end = min(batch.count, next + step)
            for record in next..<end {
                digits[record] = read(batch[record, column], sign, &mantissas[record])
                differing |= digits[record] ^ digits[0]
            }
            next = end
            let alike = digits[0] == none || next == batch.count ? 0 : readAlike(batch, next, column, sign, digits[0], mantissas + next)
            (digits + next).update(repeating: digits[0], count: alike)
            next += alike
            step = alike == 0 ? batch.count : 4
        }
        guard differing == 0, batch.count > 0, digits[0] != none else { return .none }
        guard checksPlain else { return .uniform }
        let isPlain = (0..<batch.count).allSatisfy { FixedPoint.isPlain(batch[$0, column], mantissas[$0], digits[$0]) }
        return isPlain ? .plain : .uniform
    }

    /// What the fields of a batch have in common.
    public enum Likeness: Sendable {
        /// Some are not such numbers, or not all have as many digits after the point.
        case none
        /// All are such numbers, with as many digits after the point as the first.
        case uniform
        /// They are also written in the one way in which nothing is too much, without zeros before a number and without `-0`: as many
        /// numbers differ as fields do.
        case plain
    }

    /// Whether a field that was read is written in the one way in which nothing is too much, as ``Likeness/plain`` says. O(1).
    @inline(__always)
    public static func isPlain(_ field: FieldBytes, _ mantissa: Int64, _ digits: UInt8) -> Bool {
        guard let start = field.start, field.count > 0, digits != none else { return false }
        let first = start.pointee == UInt8(ascii: "-") ? 1 : 0
        // Mostly that is all that there is to look at. One digit there is in any case.
        guard first < field.count, start[first] == UInt8(ascii: "0") else { return true }
        return field.count == first + 1 + (digits > 0 ? Int(digits) + 1 : 0) && (mantissa != 0 || first == 0)
    }

    /// Reads one field; `nil` when it is not such a number.
    /// - Complexity: O(bytes of the field).
    public static func read(_ field: FieldBytes, _ notation: NumberNotation = .point) -> (mantissa: Int64, digits: Int)? {
        var mantissa: Int64 = 0
        let digits = read(field, notation.decimalSign, &mantissa)
        return digits == none ? nil : (mantissa, Int(digits))
    }

    /// The plain field of a number, as ``Likeness/plain`` says: what ``read(_:_:)`` reads as `mantissa` and `digits`.
    public static func text(of mantissa: Int64, digits: Int, _ notation: NumberNotation = .point) -> [UInt8] {
        var text = Array(String(mantissa.magnitude).utf8)
        if digits > 0 {
            text.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, digits + 1 - text.count)), at: 0)
            text.insert(notation.decimalSign, at: text.count - digits)
        }
        return mantissa < 0 ? [UInt8(ascii: "-")] + text : text
    }

    /// Reads fields of a column from record `first` on that are written with `digits` digits after the point.
    /// - Returns: how many were read.
    @inline(__always)
    private static func readAlike(
        _ batch: FieldBatch, _ first: Int, _ column: Int, _ sign: UInt8, _ digits: UInt8, _ mantissas: UnsafeMutablePointer<Int64>
    ) -> Int {
        let fields = UnsafeRawPointer(batch.fields + first * batch.width + column).assumingMemoryBound(to: gv_field.self)
        return gv_read_fixed(fields, batch.width, batch.count - first, sign, digits, mantissas)
    }

    @inline(__always)
    private static func read(_ field: FieldBytes, _ sign: UInt8, _ mantissa: inout Int64) -> UInt8 {
        guard let start = field.start, field.count > 0 else { return none }
        let isNegative = start.pointee == UInt8(ascii: "-")
        let first = isNegative ? start + 1 : start
        let count = isNegative ? field.count - 1 : field.count
        var value: UInt64 = 0
        // A word that does not reach over the end of a page can be loaded, whatever is behind the field.
        let isLoadable = UInt(bitPattern: first) & 4095 <= 4096 - 8
        let digits = count <= 8 && count > 0 && isLoadable ? readWord(first, count, sign, &value) : readBytes(first, count, sign, &value)
        mantissa = isNegative ? 0 &- Int64(truncatingIfNeeded: value) : Int64(truncatingIfNeeded: value)
        return digits
    }

    /// Reads up to eight bytes at once (after D. Lemire, "Quickly parsing eight digits", 2018).
    @inline(__always)
    private static func readWord(_ start: UnsafePointer<UInt8>, _ count: Int, _ sign: UInt8, _ value: inout UInt64) -> UInt8 {
        let unused = UInt64(8 - count) * 8
        // Digits become their values; what is behind the field falls off to the left.
        var word = (UInt64(littleEndian: gv_load_word(start)) ^ 0x3030_3030_3030_3030) &<< unused
        var fraction: UInt8 = 0
        let others = (word | word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0
        if others != 0 {
            // At most one byte is no digit, and it is a point with digits on both sides.
            let place = UInt64(others.trailingZeroBitCount) & ~7
            guard place > unused, place < 56, (word &>> place) & 0xFF == UInt64(sign ^ 0x30), others &>> (place + 8) == 0 else {
                return none
            }
            fraction = UInt8(truncatingIfNeeded: 7 - place / 8)
            let before = word & ((UInt64(1) &<< place) - 1)
            let after = word & ~(UInt64.max &>> (56 - place))
            word = after | before &<< 8
        }
        word = (word &* 2561) &>> 8
        word = ((word & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
        value = ((word & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
        return fraction
    }

    @inline(never)
    private static func readBytes(_ start: UnsafePointer<UInt8>, _ count: Int, _ sign: UInt8, _ value: inout UInt64) -> UInt8 {
        // 18 digits fit, and a point.
        guard count > 0, count <= 19 else { return none }
        var cursor = start
        let end = start + count
        while cursor < end {
            let digit = cursor.pointee &- 0x30
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            cursor += 1
        }
        guard cursor < end else { return count < 19 ? 0 : none }
        guard cursor.pointee == sign, cursor > start, cursor + 1 < end else { return none }
        cursor += 1
        let fraction = UInt8(truncatingIfNeeded: end - cursor)
        while cursor < end {
            let digit = cursor.pointee &- 0x30
            guard digit < 10 else { return none }
            value = value &* 10 &+ UInt64(digit)
            cursor += 1
        }
        return fraction
    }
}
