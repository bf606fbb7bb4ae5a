// Dates and times in a custom format.

extension DateText {
    /// Formats a point in time with a custom pattern. `microseconds` has the meaning of ``FieldBytes/temporal(_:_:)``.
    ///
    /// Letters follow Unicode's date patterns (UTS #35, part 4), in English. Text in `'…'` is literal, `''` is an apostrophe; other
    /// characters are literal.
    /// - Date: `yyyy` `yy` year, `MMMM` `MMM` `MM` `M` month, `dd` `d` day, `EEEE` `EEE` day of the week.
    /// - Time: `HH` `H` hour of 24, `hh` `h` hour of 12, `mm` `m` minute, `ss` `s` second, `S` to `SSSSSS` fraction of a second, `a` AM or
    ///   PM.
    public static func text(ofMicroseconds microseconds: Int64, pattern: String) -> String {
        let moment = ParsedDateTime(microseconds: microseconds)
        return text(moment.day, timeOfDay: moment.timeOfDay, pattern)
    }

    /// Formats a field of type `kind` with a custom pattern; `nil` if its text does not parse. The time is not converted to another zone.
    public static func text(of text: String, kind: ValueKind, notation: DateNotation = .iso, pattern: String) -> String? {
        guard kind.isTemporal else { return nil }
        return FieldBytes.withBytes(of: text) { field in
            ParsedDateTime(field.trimmed, kind, notation).map { self.text($0.day, timeOfDay: $0.timeOfDay, pattern) }
        }
    }

    /// Formats a day and a time with a custom pattern.
    /// - Parameter timeOfDay: microseconds since midnight.
    private static func text(_ day: CalendarDay, timeOfDay: Int, _ pattern: String) -> String {
        var result = ""
        var rest = Substring(pattern)
        while let first = rest.first {
            if first == "'" {
                result += removeQuotedText(from: &rest)
            } else {
                let run = rest.prefix { $0 == first }
                rest = rest[run.endIndex...]
                result += component(first, run.count, day, timeOfDay) ?? String(run)
            }
        }
        return result
    }

    /// Removes a text in apostrophes from the start of the pattern, and returns the text between them. Without a closing apostrophe, the
    /// text extends to the end of the pattern.
    private static func removeQuotedText(from rest: inout Substring) -> String {
        rest.removeFirst()
        let text = rest.prefix { $0 != "'" }
        rest = rest[text.endIndex...].dropFirst()
        return text.isEmpty ? "'" : String(text)
    }

    private static func component(_ letter: Character, _ count: Int, _ day: CalendarDay, _ timeOfDay: Int) -> String? {
        let (hour, minute, second) = clock(timeOfDay)
        switch letter {
        case "y": return count == 2 ? padded(((day.year % 100) + 100) % 100, 2) : padded(day.year, count)
        case "M":
            let name = months[day.month - 1]
            return count > 3 ? name : count == 3 ? String(name.prefix(3)) : padded(day.month, count)
        case "d": return padded(day.day, count)
        case "E":
            // Day 0, 1970-01-01, was a Thursday.
            let name = weekdays[((day.daysSinceEpoch + 4) % 7 + 7) % 7]
            return count > 3 ? name : String(name.prefix(3))
        case "H": return padded(hour, count)
        case "h": return padded((hour + 11) % 12 + 1, count)
        case "m": return padded(minute, count)
        case "s": return padded(second, count)
        case "S": return String((padded(timeOfDay % 1_000_000, 6) + String(repeating: "0", count: max(0, count - 6))).prefix(count))
        case "a": return hour < 12 ? "AM" : "PM"
        default: return nil
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}
