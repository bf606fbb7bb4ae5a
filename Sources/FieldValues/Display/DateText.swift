/// Formats dates and times in the standard form `2024-01-01 10:22:04.123`, however they are written in the file.
public enum DateText {
    /// Formats a field of type `kind` in the standard form; `nil` if it does not parse.
    ///
    /// Date and time are not converted to another zone. A zone in the field is kept (`Z`, `+02:00`). Seconds are always shown.
    /// - Parameters:
    ///   - field: the bytes of the field.
    ///   - kind: a date, a time, or both.
    ///   - notation: the notation of the date.
    ///   - fractionDigits: digits of the fraction of a second, 0...6; `nil` for as many as the field has.
    public static func text(
        of field: FieldBytes, kind: ValueKind, notation: DateNotation = .iso, fractionDigits: Int? = nil
    ) -> String? {
        guard kind.isTemporal, let moment = ParsedDateTime(field.trimmed, kind, notation) else { return nil }
        return text(
            ofDay: moment.day, timeOfDay: moment.timeOfDay, kind, fractionDigits ?? moment.fractionDigits, zoneMinutes: moment.zoneMinutes)
    }

    /// Formats the text of a field in the standard form; `nil` if it does not parse.
    public static func text(of text: String, kind: ValueKind, notation: DateNotation = .iso, fractionDigits: Int? = nil) -> String? {
        FieldBytes.withBytes(of: text) { self.text(of: $0, kind: kind, notation: notation, fractionDigits: fractionDigits) }
    }

    /// Formats a point in time in the standard form; `microseconds` has the meaning of ``FieldBytes/temporal(_:_:)`` for `kind`.
    /// - Parameters:
    ///   - microseconds: the point in time.
    ///   - kind: a date, a time, or both.
    ///   - fractionDigits: digits of the fraction of a second, 0...6; `nil` for 0, 3 or 6, as needed.
    public static func text(ofMicroseconds microseconds: Int64, kind: ValueKind, fractionDigits: Int? = nil) -> String {
        var moment = ParsedDateTime(microseconds: microseconds)
        // A time of day has no next day, so the leap second stays the last second of its day.
        if kind == .time, (86_400_000_000..<86_401_000_000).contains(microseconds) { moment.timeOfDay = Int(microseconds) }
        let needed = moment.timeOfDay % 1_000_000 == 0 ? 0 : moment.timeOfDay % 1_000 == 0 ? 3 : 6
        return text(ofDay: moment.day, timeOfDay: moment.timeOfDay, kind, fractionDigits ?? needed)
    }

    /// The hour, minute and second of a time of day in microseconds. The second after 23:59:59 is the leap second 23:59:60.
    static func clock(_ timeOfDay: Int) -> (hour: Int, minute: Int, second: Int) {
        let seconds = timeOfDay / 1_000_000
        return seconds < 86_400 ? (seconds / 3_600, seconds / 60 % 60, seconds % 60) : (23, 59, seconds - 86_340)
    }

    private static func text(
        ofDay day: CalendarDay, timeOfDay: Int, _ kind: ValueKind, _ fractionDigits: Int, zoneMinutes: Int? = nil
    ) -> String {
        // The year has at most 20 characters, and the text after it at most 26.
        String(unsafeUninitializedCapacity: 64) { buffer in
            var result = DigitWriter(buffer)
            if kind != .time {
                result.append(day.year, width: 4)
                result.append("-")
                result.append(day.month, width: 2)
                result.append("-")
                result.append(day.day, width: 2)
            }
            if kind == .dateTime { result.append(" ") }
            if kind != .date {
                let time = clock(timeOfDay)
                result.append(time.hour, width: 2)
                result.append(":")
                result.append(time.minute, width: 2)
                result.append(":")
                result.append(time.second, width: 2)
                if fractionDigits > 0 {
                    result.append(".")
                    result.append(timeOfDay % 1_000_000, width: 6)
                    result.count -= max(0, 6 - fractionDigits)
                }
            }
            if zoneMinutes == 0 {
                result.append("Z")
            } else if let zoneMinutes {
                result.append(zoneMinutes < 0 ? "-" : "+")
                result.append(abs(zoneMinutes) / 60, width: 2)
                result.append(":")
                result.append(abs(zoneMinutes) % 60, width: 2)
            }
            return result.count
        }
    }

    /// The decimal digits of a number, with leading zeros up to `width` digits.
    package static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(abs(value))
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Writes ASCII characters to a buffer, which the caller must make large enough.
private struct DigitWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func append(_ character: Unicode.Scalar) {
        buffer[count] = UInt8(ascii: character)
        count += 1
    }

    /// Appends a number with leading zeros up to `width` digits.
    mutating func append(_ value: Int, width: Int) {
        if value < 0 { append("-") }
        var rest = value.magnitude
        var length = width
        var power: UInt = 1
        for _ in 0..<width { power *= 10 }
        while length < 19, rest >= power {
            length += 1
            power *= 10
        }
        for index in stride(from: count + length - 1, through: count, by: -1) {
            buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += length
    }
}
