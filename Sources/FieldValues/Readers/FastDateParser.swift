/// A fast parser for the usual machine forms: `yyyy-mm-dd`, and `yyyy-mm-ddThh:mm:ss` with an optional fraction, without a zone.
enum FastDateParser {
    /// A date in microseconds since the epoch, as in ``ParsedDateTime``; `nil` for other forms, which need the general parser.
    @inline(__always)
    static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count == 10, let start = text.baseAddress else { return nil }
        var digits = DigitPairs(start)
        let day = digits.day()
        let marks = (start[4] ^ UInt8(ascii: "-")) | (start[7] ^ UInt8(ascii: "-"))
        guard digits.areValid, marks == 0, day.isValid else { return nil }
        return Int64(day.daysSinceEpoch &* 86_400_000_000)
    }

    /// Microseconds since the epoch, as in ``ParsedDateTime``; `nil` for other forms, which need the general parser.
    ///
    /// Parses two digits at a time and checks all digits together at the end.
    @inline(__always)
    static func microseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count >= 19, let start = text.baseAddress else { return nil }
        var digits = DigitPairs(start)
        let day = digits.day()
        let (hour, minute, second) = (digits.pair(11), digits.pair(14), digits.pair(17))
        let marks =
            (start[4] ^ UInt8(ascii: "-")) | (start[7] ^ UInt8(ascii: "-")) | (start[13] ^ UInt8(ascii: ":"))
            | (start[16] ^ UInt8(ascii: ":"))
        // Leap seconds need the general parser.
        guard digits.areValid, marks == 0, start[10] == UInt8(ascii: "T") || start[10] == 0x20, hour < 24, minute < 60, second < 60,
            day.isValid
        else { return nil }
        let seconds = (day.daysSinceEpoch &* 24 &+ hour) &* 3600 &+ minute &* 60 &+ second
        var microseconds = seconds &* 1_000_000
        guard text.count > 19 else { return Int64(microseconds) }
        guard text.count > 20, start[19] == UInt8(ascii: ".") || start[19] == UInt8(ascii: ",") else { return nil }
        var unit = 100_000
        for index in 20..<text.count {
            let digit = start[index] &- 0x30
            guard digit < 10 else { return nil }
            microseconds &+= Int(digit) &* unit
            unit /= 10
        }
        return Int64(microseconds)
    }
}

/// Reads pairs of digits at fixed offsets, and checks all of them together at the end.
private struct DigitPairs {
    private let bytes: UnsafeRawPointer
    private var others: UInt16 = 0

    @inline(__always)
    init(_ start: UnsafePointer<UInt8>) { bytes = UnsafeRawPointer(start) }

    /// True if all bytes that were read are digits.
    @inline(__always)
    var areValid: Bool { others == 0 }

    /// The number in the two bytes at `offset`.
    @inline(__always)
    mutating func pair(_ offset: Int) -> Int {
        let digits = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) ^ 0x3030
        others |= (digits | digits &+ 0x0606) & 0xF0F0
        return Int(digits & 0xFF) &* 10 &+ Int(digits &>> 8)
    }

    /// The day of `yyyy-mm-dd` at the start.
    @inline(__always)
    mutating func day() -> CalendarDay { CalendarDay(year: pair(0) &* 100 &+ pair(2), month: pair(5), day: pair(8)) }
}
