import CCodecs
import FieldValues
import Tables

/// Decoded values of a leaf. Nulls take no space. The memory is reused for the next values.
final class ValueStore {
    /// The type of the stored values.
    enum Kind {
        case integers(scale: Int), doubles, floats, flags, dates, dateTimes(digits: Int, isUTC: Bool), times(digits: Int), texts
        /// Indices of strings in a dictionary.
        case codes

        /// The number of bytes of a value in memory.
        var bytes: Int {
            switch self {
            case .integers, .doubles, .dates, .dateTimes, .times: 8
            case .floats, .codes: 4
            case .flags: 1
            case .texts: MemoryLayout<FieldBytes>.stride
            }
        }
    }

    @exclusivity(unchecked) var kind = Kind.flags
    /// The decoded values, one after another.
    let slots = RawBuffer()
    /// Memory for strings that are not stored in the bytes of the page.
    let arena = RawBuffer()

    /// The size in memory, in bytes.
    var byteCount: Int { slots.capacity + arena.capacity + (printedTexts?.capacity ?? 0) }

    /// Makes room for values of any type, and sets the type.
    private func begin(_ kind: Kind, _ count: Int) {
        self.kind = kind
        slots.reserve(count * kind.bytes)
    }

    // MARK: Values of fixed width

    /// Stores little-endian values of fixed width.
    func putFixed(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ leaf: ParquetLeaf) {
        switch leaf.type {
        case .int32:
            reserveWide(count)
            let values = slots.values(Int64.self)
            if case .unsigned32 = leaf.form { gv_widen_unsigned(bytes, count, values) } else { gv_widen_signed(bytes, count, values) }
            finishIntegers(count, leaf)
        case .int64:
            reserveWide(count)
            slots.start.update(from: bytes, count: count * 8)
            finishIntegers(count, leaf)
        case .double:
            begin(.doubles, count)
            slots.start.update(from: bytes, count: count * 8)
        case .float:
            begin(.floats, count)
            slots.start.update(from: bytes, count: count * 4)
        case .int96: putJulianTimes(bytes, count)
        case .boolean:
            begin(.flags, count)
            slots.start.update(from: bytes, count: count)
        case .fixed:
            if case .float16 = leaf.form { return putHalves(bytes, count) }
            begin(.texts, count)
            let texts = slots.values(FieldBytes.self)
            for index in 0..<count { texts[index] = FieldBytes(start: bytes + index * leaf.width, count: leaf.width) }
            finishTexts(count, leaf)
        case .bytes: break
        }
    }

    /// Makes room for integers that may be converted to strings, which are larger.
    func reserveWide(_ count: Int) { slots.reserve(count * MemoryLayout<FieldBytes>.stride) }

    /// Converts `count` integers in ``slots`` to the form of the leaf.
    func finishIntegers(_ count: Int, _ leaf: ParquetLeaf) {
        switch leaf.form {
        case .integers(let scale): kind = .integers(scale: scale)
        case .dates: kind = .dates
        case .dateTimes(let digits, let isUTC): kind = .dateTimes(digits: digits, isUTC: isUTC)
        case .times(let digits): kind = .times(digits: digits)
        case .unsigned64:
            kind = .integers(scale: 0)
            let values = slots.values(Int64.self)
            var isNegative = false
            for index in 0..<count where values[index] < 0 { isNegative = true }
            if isNegative { printUnsigned(count) }
        case .integerFlags:
            kind = .flags
            let values = slots.values(Int64.self)
            // The values are converted in place. A flag needs less room than an integer, so the loop goes from the first value to the last.
            for index in 0..<count {
                let value = values[index]
                slots.start[index] = value == 0 ? 0 : 1
            }
        default: kind = .integers(scale: 0)
        }
    }

    /// Prints unsigned integers, because some are too large for a signed integer.
    private func printUnsigned(_ count: Int) {
        kind = .texts
        arena.reserve(count * 20)
        let (values, texts) = (slots.values(Int64.self), slots.values(FieldBytes.self))
        var output = ValueTextWriter(arena.start)
        // The values are converted in place. A string needs more room than an integer, so the loop goes from the last value to the first.
        for index in (0..<count).reversed() {
            output.begin()
            output.put(UInt64(bitPattern: values[index]))
            texts[index] = output.field
        }
    }

    private func putHalves(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        begin(.floats, count)
        let floats = slots.values(Float.self)
        for index in 0..<count {
            let bits = UInt32(bytes[index * 2]) | UInt32(bytes[index * 2 + 1]) << 8
            let (sign, exponent, fraction) = ((bits >> 15) << 31, bits >> 10 & 31, bits & 0x3FF)
            switch exponent {
            case 0:
                let value = Float(fraction) / 16_777_216
                floats[index] = sign == 0 ? value : -value
            case 31: floats[index] = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
            default: floats[index] = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
            }
        }
    }

    /// Stores 96-bit times as nanoseconds. If a time is outside the years 1678 to 2261, stores them as microseconds; if a time is 290,000
    /// years away, as milliseconds. If that unit would lose digits of a time, stores texts.
    private func putJulianTimes(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        for (digits, divisor) in [(9, 1), (6, 1_000), (3, 1_000_000)] as [(Int, Int64)] {
            begin(.dateTimes(digits: digits, isUTC: false), count)
            if putJulianTimes(bytes, count, divisor) { return }
        }
        begin(.texts, count)
        let texts = slots.values(FieldBytes.self)
        for index in 0..<count { texts[index] = FieldBytes(start: bytes + index * 12, count: 12) }
        printEach(count, 40, Self.putJulianTime)
    }

    /// Stores times in units of `divisor` nanoseconds. Returns `false` if a time does not fit or loses digits; the stored value is then
    /// wrong.
    private func putJulianTimes(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ divisor: Int64) -> Bool {
        let values = slots.values(Int64.self)
        var fits = true
        for index in 0..<count {
            let (day, nanoseconds) = Self.julianTime(bytes + index * 12)
            let (start, overflow) = day.multipliedReportingOverflow(by: 86_400_000_000_000 / divisor)
            let (time, rest) = ValueTextWriter.floorDivide(nanoseconds, divisor)
            let (sum, isTooLarge) = start.addingReportingOverflow(time)
            if overflow || isTooLarge || rest != 0 { fits = false }
            values[index] = sum
        }
        return fits
    }

    /// The days since 1970 and the nanoseconds of a 96-bit time.
    private static func julianTime(_ bytes: UnsafePointer<UInt8>) -> (day: Int64, nanoseconds: Int64) {
        let raw = UnsafeRawPointer(bytes)
        let day = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        return (Int64(day) - 2_440_588, Int64(littleEndian: raw.loadUnaligned(as: Int64.self)))
    }

    private static func putJulianTime(_ output: inout ValueTextWriter, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        let (day, nanoseconds) = julianTime(start)
        let (days, rest) = ValueTextWriter.floorDivide(nanoseconds, 86_400_000_000_000)
        output.putDate(day + days)
        output.put(UInt8(ascii: " "))
        output.putTime(rest, digits: 9)
    }

    // MARK: Strings

    /// Makes room for strings, which the caller stores in ``slots``.
    func beginTexts(_ count: Int) -> UnsafeMutablePointer<FieldBytes> {
        begin(.texts, count)
        return slots.values(FieldBytes.self)
    }

    /// Converts `count` byte sequences in ``slots`` to the form of the leaf.
    func finishTexts(_ count: Int, _ leaf: ParquetLeaf) {
        kind = .texts
        switch leaf.form {
        case .binary: printAsHexadecimal(count, onlyIfInvalid: true)
        case .bson: printAsHexadecimal(count, onlyIfInvalid: false)
        case .uuid: printEach(count, 36, Self.putIdentifier)
        case .interval: printEach(count, 96, Self.putInterval)
        case .bigDecimals(let scale): finishDecimals(count: count, scale: scale)
        default: break
        }
    }

    /// Converts byte sequences to hexadecimal digits: all sequences, or only those that are not valid text.
    private func printAsHexadecimal(_ count: Int, onlyIfInvalid: Bool) {
        let texts = slots.values(FieldBytes.self)
        var total = 0
        for index in 0..<count {
            let text = texts[index]
            if !onlyIfInvalid || gv_is_utf8(text.start, text.count) == 0 { total += text.count * 2 + 2 }
        }
        guard total > 0 else { return }
        // The old arena is kept until the end of this function, because it may contain the bytes of the values.
        let (target, old) = (RawBuffer(), arena)
        target.reserve(total)
        var next = target.start
        for index in 0..<count {
            let text = texts[index]
            guard !onlyIfInvalid || gv_is_utf8(text.start, text.count) == 0 else { continue }
            let start = next
            (next[0], next[1]) = (UInt8(ascii: "0"), UInt8(ascii: "x"))
            next += 2
            for byte in text.bytes {
                (next[0], next[1]) = (HexDigits.digit(byte >> 4), HexDigits.digit(byte & 15))
                next += 2
            }
            texts[index] = FieldBytes(start: start, count: next - start)
        }
        withExtendedLifetime(old) { printedTexts = target }
    }

    /// Memory for printed strings, separate from the arena, which may have the original bytes.
    private var printedTexts: RawBuffer?

    /// Replaces each byte sequence with its printed text, of at most `maximum` bytes.
    private func printEach(_ count: Int, _ maximum: Int, _ print: (inout ValueTextWriter, UnsafeBufferPointer<UInt8>) -> Void) {
        let texts = slots.values(FieldBytes.self)
        let target = RawBuffer()
        target.reserve(count * maximum)
        var output = ValueTextWriter(target.start)
        for index in 0..<count {
            output.begin()
            print(&output, texts[index].bytes)
            texts[index] = output.field
        }
        printedTexts = target
    }

    private static func putIdentifier(_ output: inout ValueTextWriter, _ bytes: UnsafeBufferPointer<UInt8>) {
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { output.put(UInt8(ascii: "-")) }
            output.put(HexDigits.digit(byte >> 4))
            output.put(HexDigits.digit(byte & 15))
        }
    }

    /// Prints months, days and milliseconds as an ISO 8601 duration.
    private static func putInterval(_ output: inout ValueTextWriter, _ bytes: UnsafeBufferPointer<UInt8>) {
        func number(_ index: Int) -> UInt64 {
            (0..<4).reduce(0) { $0 | UInt64(bytes[index * 4 + $1]) << UInt64($1 * 8) }
        }
        let (months, days, milliseconds) = (number(0), number(1), number(2))
        output.put(UInt8(ascii: "P"))
        func put(_ value: UInt64, _ unit: UInt8) {
            guard value > 0 else { return }
            output.put(value)
            output.put(unit)
        }
        put(months / 12, UInt8(ascii: "Y"))
        put(months % 12, UInt8(ascii: "M"))
        put(days, UInt8(ascii: "D"))
        guard milliseconds > 0 || months + days == 0 else { return }
        output.put(UInt8(ascii: "T"))
        put(milliseconds / 3_600_000, UInt8(ascii: "H"))
        put(milliseconds / 60_000 % 60, UInt8(ascii: "M"))
        let rest = milliseconds % 60_000
        guard rest > 0 || milliseconds == 0 else { return }
        output.put(rest / 1_000)
        if rest % 1_000 > 0 {
            output.put(UInt8(ascii: "."))
            output.put(rest % 1_000, width: 3)
        }
        output.put(UInt8(ascii: "S"))
    }

    // MARK: Decimals

    /// The maximum number of bytes of a number that is printed in decimal digits. Longer numbers are printed in hexadecimal digits.
    private static let maximumDecimalBytes = 64

    /// Stores big-endian numbers as integers if all fit in 64 bits, otherwise as strings.
    private func finishDecimals(count: Int, scale: Int) {
        let texts = slots.values(FieldBytes.self)
        var (fits, longest) = (scale <= 18, 0)
        for index in 0..<count {
            let bytes = texts[index].bytes
            if fits, Self.integer(bytes) == nil { fits = false }
            longest = max(longest, bytes.count)
        }
        if fits {
            kind = .integers(scale: scale)
            // The values are converted in place. An integer needs less room than a string, so the loop goes from the first value to the
            // last.
            let values = slots.values(Int64.self)
            for index in 0..<count {
                let value = Self.integer(texts[index].bytes) ?? 0
                values[index] = value
            }
        } else if longest <= Self.maximumDecimalBytes {
            var limbs = [UInt32](repeating: 0, count: Self.maximumDecimalBytes / 4)
            var digits = [UInt8](repeating: 0, count: 400)
            // A byte has at most 2.41 decimal digits.
            printEach(count, longest * 5 / 2 + scale + 4) { Self.putDecimal(&$0, $1, scale, &limbs, &digits) }
        } else {
            printAsHexadecimal(count, onlyIfInvalid: false)
        }
    }

    /// A big-endian signed number; `nil` if it does not fit in 64 bits.
    static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let first = bytes.first else { return 0 }
        let fill: UInt8 = first >= 0x80 ? 0xFF : 0
        var result: UInt64 = fill == 0 ? 0 : .max
        for (index, byte) in bytes.enumerated() {
            if bytes.count - index > 8 {
                guard byte == fill else { return nil }
            } else {
                result = result << 8 | UInt64(byte)
            }
        }
        let value = Int64(bitPattern: result)
        // The number fits if the sign bit of the 8 bytes is its sign.
        return (value < 0) == (fill != 0) ? value : nil
    }

    private static func putDecimal(
        _ output: inout ValueTextWriter, _ bytes: UnsafeBufferPointer<UInt8>, _ scale: Int, _ limbs: inout [UInt32], _ digits: inout [UInt8]
    ) {
        let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
        // The magnitude, least significant limb first.
        let count = (bytes.count + 3) / 4
        for index in 0..<count { limbs[index] = isNegative ? .max : 0 }
        for (index, byte) in bytes.reversed().enumerated() {
            let shift = UInt32(index % 4 * 8)
            limbs[index / 4] = limbs[index / 4] & ~(0xFF << shift) | UInt32(byte) << shift
        }
        if isNegative {
            var hasCarry = true
            for index in 0..<count {
                limbs[index] = ~limbs[index]
                if hasCarry { (limbs[index], hasCarry) = limbs[index].addingReportingOverflow(1) }
            }
        }
        // Digits, least significant first.
        var length = 0
        var top = count
        while true {
            while top > 0, limbs[top - 1] == 0 { top -= 1 }
            if top == 0 { break }
            var remainder: UInt64 = 0
            for index in (0..<top).reversed() {
                let value = remainder << 32 | UInt64(limbs[index])
                limbs[index] = UInt32(value / 1_000_000_000)
                remainder = value % 1_000_000_000
            }
            for _ in 0..<9 {
                digits[length] = UInt8(ascii: "0") + UInt8(remainder % 10)
                remainder /= 10
                length += 1
            }
        }
        while length > 0, digits[length - 1] == UInt8(ascii: "0") { length -= 1 }
        if isNegative { output.put(UInt8(ascii: "-")) }
        let integerDigits = max(1, length - scale)
        for index in (0..<scale + integerDigits).reversed() {
            output.put(index < length ? digits[index] : UInt8(ascii: "0"))
            if index == scale, scale > 0 { output.put(UInt8(ascii: ".")) }
        }
    }

    // MARK: Reading

    /// The stored values from an index.
    /// - Parameter dictionary: the strings for codes.
    func values(from index: Int, dictionary: UnsafeBufferPointer<FieldBytes>) -> ColumnVector.Values {
        switch kind {
        case .integers(let scale): .integers(slots.values(Int64.self) + index, scale: scale)
        case .doubles: .doubles(slots.values(Double.self) + index)
        case .floats: .floats(slots.values(Float.self) + index)
        case .flags: .flags(slots.start + index)
        case .dates: .dates(slots.values(Int64.self) + index)
        case .dateTimes(let digits, let isUTC): .dateTimes(slots.values(Int64.self) + index, digits: digits, isUTC: isUTC)
        case .times(let digits): .times(slots.values(Int64.self) + index, digits: digits)
        case .texts: .texts(slots.values(FieldBytes.self) + index)
        case .codes: .codes(slots.values(UInt32.self) + index, dictionary: dictionary)
        }
    }

    /// Writes a value as JSON.
    func write(_ index: Int, dictionary: UnsafeBufferPointer<FieldBytes>, _ leaf: ParquetLeaf, asKey: Bool, into json: JSONText) {
        func put(_ text: FieldBytes) {
            switch leaf.form {
            // Numbers of more than 64 bits are strings of digits here, or hexadecimal digits if they are too long for a decimal number.
            case .unsigned64, .bigDecimals: if text.bytes.dropFirst().first != UInt8(ascii: "x") { return putNumber(text) }
            default: break
            }
            json.putQuoted(text.bytes)
        }
        func putNumber(_ text: FieldBytes) {
            quote(asKey, json) {
                json.reservedPointer(bytes: text.count).update(from: text.start!, count: text.count)
                json.advance(text.count)
            }
        }
        switch kind {
        case .texts: put(slots.values(FieldBytes.self)[index])
        case .codes: put(dictionary[Int(slots.values(UInt32.self)[index])])
        case .flags: quote(asKey, json) { json.put(slots.start[index] == 0 ? "false" : "true") }
        case .doubles: write(slots.values(Double.self)[index], asKey, json)
        case .floats: write(slots.values(Float.self)[index], asKey, json)
        case .integers(let scale): print(asKey, json) { $0.put(slots.values(Int64.self)[index], scale: scale) }
        case .dates: print(true, json) { $0.putDate(slots.values(Int64.self)[index]) }
        case .dateTimes(let digits, let isUTC):
            print(true, json) { $0.putDateTime(slots.values(Int64.self)[index], digits: digits, isUTC: isUTC) }
        case .times(let digits): print(true, json) { $0.putTime(slots.values(Int64.self)[index], digits: digits) }
        }
    }

    /// Writes the content of a value in binary form.
    /// - Parameter leaf: a leaf whose values are not converted, as in ``ParquetLeaf/raw``, and whose type has a binary form.
    func writeBinary(
        _ index: Int, dictionary: UnsafeBufferPointer<FieldBytes>, _ leaf: ParquetLeaf, into output: JSONText
    ) throws {
        func put(_ number: some FixedWidthInteger) {
            let count = number.bitWidth / 8
            UnsafeMutableRawPointer(output.reservedPointer(bytes: count)).storeBytes(of: number.littleEndian, as: type(of: number))
            output.advance(count)
        }
        let bytes: UnsafeBufferPointer<UInt8>
        switch kind {
        case .integers, .dates, .dateTimes, .times:
            let number = slots.values(Int64.self)[index]
            if case .decimal? = leaf.storedType { return put(Int128(number)) }
            return put(number)
        case .doubles: return put(slots.values(Double.self)[index].bitPattern)
        case .floats: return put(UInt64(slots.values(Float.self)[index].bitPattern))
        case .flags: return put(UInt64(slots.start[index] == 0 ? 0 : 1))
        case .texts: bytes = slots.values(FieldBytes.self)[index].bytes
        case .codes: bytes = dictionary[Int(slots.values(UInt32.self)[index])].bytes
        }
        switch leaf.storedType {
        case .decimal?:
            guard let number = Self.wideInteger(bytes) else { throw ParquetError("a decimal number has more than 16 bytes") }
            put(number)
        case .half?: put(UInt64(bytes.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }))
        default:
            put(UInt32(truncatingIfNeeded: bytes.count))
            guard let start = bytes.baseAddress else { return }
            output.reservedPointer(bytes: bytes.count).update(from: start, count: bytes.count)
            output.advance(bytes.count)
        }
    }

    /// A big-endian signed number; `nil` if it does not fit in 128 bits.
    private static func wideInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Int128? {
        let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
        var result: Int128 = isNegative ? -1 : 0
        for (index, byte) in bytes.enumerated() {
            if bytes.count - index > 16 {
                guard byte == (isNegative ? 0xFF : 0) else { return nil }
            } else {
                result = result << 8 | Int128(byte)
            }
        }
        return (result < 0) == isNegative ? result : nil
    }

    /// Writes a number as JSON. Infinite numbers and NaN become strings, because JSON cannot represent them.
    private func write<Number: BinaryFloatingPoint & CustomStringConvertible>(_ number: Number, _ asKey: Bool, _ json: JSONText) {
        print(asKey || !number.isFinite, json) { $0.put(number.description) }
    }

    private func print(_ isQuoted: Bool, _ json: JSONText, _ putValue: (inout ValueTextWriter) -> Void) {
        quote(isQuoted, json) {
            var output = ValueTextWriter(json.reservedPointer(bytes: 64))
            output.begin()
            putValue(&output)
            json.advance(output.field.count)
        }
    }

    private func quote(_ isQuoted: Bool, _ json: JSONText, _ body: () -> Void) {
        if isQuoted { json.put(UInt8(ascii: "\"")) }
        body()
        if isQuoted { json.put(UInt8(ascii: "\"")) }
    }
}
