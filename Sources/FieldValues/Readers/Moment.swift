/// A date, a time of day, or both, as written.
struct Moment {
    /// The day; 1970-01-01 for a time without a date.
    var day = CalendarDay(year: 1970, month: 1, day: 1)
    /// Microseconds since midnight.
    var timeOfDay = 0
    /// Digits of the fraction of a second as written, at most 6.
    var fractionDigits = 0
    /// Minutes east of Greenwich; `nil` without a zone.
    var zoneMinutes: Int?

    /// Microseconds since the epoch, in UTC if there is a zone.
    var microseconds: Int64 {
        Int64((day.daysSinceEpoch * 86_400 - (zoneMinutes ?? 0) * 60) * 1_000_000 + timeOfDay)
    }
}

extension Moment {
    /// Creates the moment `microseconds` after 1970-01-01 00:00.
    init(microseconds: Int64) {
        let perDay = 86_400_000_000
        let (quotient, remainder) = Int(microseconds).quotientAndRemainder(dividingBy: perDay)
        day = CalendarDay(daysSinceEpoch: remainder < 0 ? quotient - 1 : quotient)
        timeOfDay = remainder < 0 ? remainder + perDay : remainder
    }

    /// Parses text without surrounding blanks. Contract: ``FieldBytes/temporal(_:)``.
    init?(_ text: UnsafeBufferPointer<UInt8>, _ kind: ValueKind) {
        // The shortest form is `0:00`, and all start with a digit, so most other text fails here.
        guard text.count >= 4, isDigit(text[0]) else { return nil }
        var reader = MomentReader(text)
        if kind == .time {
            guard let time = reader.time(), reader.isAtEnd else { return nil }
            (timeOfDay, fractionDigits) = time
            return
        }
        guard let day = reader.day() else { return nil }
        self.day = day
        if reader.isAtEnd { return }
        guard kind == .dateTime, reader.skipTimeSeparator(), let time = reader.time() else { return nil }
        (timeOfDay, fractionDigits) = time
        if reader.isAtEnd { return }
        zoneMinutes = reader.zone()
        guard zoneMinutes != nil, reader.isAtEnd else { return nil }
    }
}

/// A cursor over the parts of a date and time.
private struct MomentReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Parses all digits at the cursor as a number, which must have `lengths` digits.
    private mutating func number(_ lengths: ClosedRange<Int>) -> (value: Int, length: Int)? {
        var value = 0
        var length = 0
        while let byte = next, isDigit(byte) {
            length += 1
            guard length <= lengths.upperBound else { return nil }
            value = value * 10 + Int(byte &- 0x30)
            position += 1
        }
        return length >= lengths.lowerBound ? (value, length) : nil
    }

    /// Parses `yyyy-mm-dd`, `yyyy/m/d` or `d.m.yyyy`. Dates such as 03/04/2024 belong here once the caller can specify which part is the
    /// day.
    mutating func day() -> CalendarDay? {
        guard let first = number(1...4), let mark = next else { return nil }
        position += 1
        let parts = mark == UInt8(ascii: "-") ? 2...2 : 1...2
        guard let month = number(parts), skip(mark) else { return nil }
        let day: CalendarDay
        switch mark {
        case UInt8(ascii: "-"), UInt8(ascii: "/"):
            guard first.length == 4, let last = number(parts) else { return nil }
            day = CalendarDay(year: first.value, month: month.value, day: last.value)
        case UInt8(ascii: "."):
            guard first.length <= 2, let year = number(4...4) else { return nil }
            day = CalendarDay(year: year.value, month: month.value, day: first.value)
        default:
            return nil
        }
        return day.isValid ? day : nil
    }

    mutating func skipTimeSeparator() -> Bool {
        guard let byte = next, byte == 0x20 || byte | 0x20 == UInt8(ascii: "t") else { return false }
        position += 1
        return true
    }

    /// Parses `h:mm` or `hh:mm`, optionally with seconds and a fraction; returns microseconds since midnight.
    mutating func time() -> (microseconds: Int, fractionDigits: Int)? {
        guard let hour = number(1...2), hour.value < 24, skip(UInt8(ascii: ":")) else { return nil }
        guard let minute = number(2...2), minute.value < 60 else { return nil }
        var microseconds = (hour.value * 60 + minute.value) * 60_000_000
        guard skip(UInt8(ascii: ":")) else { return (microseconds, 0) }
        guard let second = number(2...2), second.value < 60 || (second.value == 60 && minute.value == 59) else { return nil }
        microseconds += second.value * 1_000_000
        guard next == UInt8(ascii: ".") || next == UInt8(ascii: ",") else { return (microseconds, 0) }
        position += 1
        var unit = 100_000
        var digits = 0
        while let byte = next, isDigit(byte) {
            microseconds += Int(byte &- 0x30) * unit
            unit /= 10
            digits += 1
            position += 1
        }
        return digits > 0 ? (microseconds, min(digits, 6)) : nil
    }

    /// Parses `Z`, `±hh:mm`, `±hhmm` or `±hh`, optionally after a blank; returns minutes east of Greenwich.
    mutating func zone() -> Int? {
        if next == 0x20 { position += 1 }
        if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard isWest || next == UInt8(ascii: "+") else { return nil }
        position += 1
        guard let first = number(2...4), first.length != 3 else { return nil }
        var hours = first.value
        var minutes = 0
        if first.length == 4 {
            (hours, minutes) = (first.value / 100, first.value % 100)
        } else if skip(UInt8(ascii: ":")) {
            guard let rest = number(2...2) else { return nil }
            minutes = rest.value
        }
        guard hours <= 18, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}
