/// Dates and times as they are shown: one form, `2024-01-01 10:22:04.123`, whatever the file's own form is.
public enum DateText {
    /// The value of a field that reads as `kind`, in the one form; `nil` when it does not.
    ///
    /// Date and time are as written, not moved to another zone; a zone that is written is kept (`Z`, `+02:00`). Seconds are always shown.
    /// - Parameters:
    ///   - field: the bytes as they are written.
    ///   - kind: a date, a time, or both.
    ///   - fractionDigits: digits of the fraction of a second, 0...6; `nil` for as many as are written.
    public static func text(of field: FieldBytes, kind: ValueKind, fractionDigits: Int? = nil) -> String? {
        guard kind.isTemporal, let moment = Moment(field.trimmed, kind) else { return nil }
        var shown = text(ofDay: moment.day, timeOfDay: moment.timeOfDay, kind, fractionDigits ?? moment.fractionDigits)
        if let zone = moment.zoneMinutes {
            shown += zone == 0 ? "Z" : (zone < 0 ? "-" : "+") + padded(abs(zone) / 60, 2) + ":" + padded(abs(zone) % 60, 2)
        }
        return shown
    }

    /// The same for the text of a field.
    public static func text(of text: String, kind: ValueKind, fractionDigits: Int? = nil) -> String? {
        FieldBytes.withBytes(of: text) { self.text(of: $0, kind: kind, fractionDigits: fractionDigits) }
    }

    /// A point in time in the one form; `microseconds` are what ``FieldBytes/temporal(_:)`` gives for `kind`.
    /// - Parameters:
    ///   - microseconds: the point in time.
    ///   - kind: a date, a time, or both.
    ///   - fractionDigits: digits of the fraction of a second, 0...6; `nil` for 0, 3 or 6, as it needs.
    public static func text(ofMicroseconds microseconds: Int64, kind: ValueKind, fractionDigits: Int? = nil) -> String {
        let perDay = 86_400_000_000
        let (quotient, remainder) = Int(microseconds).quotientAndRemainder(dividingBy: perDay)
        let days = remainder < 0 ? quotient - 1 : quotient
        let timeOfDay = remainder < 0 ? remainder + perDay : remainder
        let needed = timeOfDay % 1_000_000 == 0 ? 0 : timeOfDay % 1_000 == 0 ? 3 : 6
        return text(ofDay: CalendarDay(daysSinceEpoch: days), timeOfDay: timeOfDay, kind, fractionDigits ?? needed)
    }

    private static func text(ofDay day: CalendarDay, timeOfDay: Int, _ kind: ValueKind, _ fractionDigits: Int) -> String {
        let date = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        if kind == .date { return date }
        let seconds = timeOfDay / 1_000_000
        var time = "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        if fractionDigits > 0 { time += "." + padded(timeOfDay % 1_000_000, 6).prefix(fractionDigits) }
        return kind == .time ? time : date + " " + time
    }

    static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(abs(value))
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
