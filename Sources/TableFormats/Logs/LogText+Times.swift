extension LogText {
    /// The time at the start of a line.
    struct Time {
        /// The byte range of the time, without brackets.
        var range: Range<Int>
        /// The offset after the time and after the bracket that closes it.
        var end: Int
        /// False for a time of day without a date.
        var hasDate = true
        /// True if a bracket opens before the time.
        var isBracketed = false
        /// True if the bracket is still open after the time, as in `[2024-05-01T12:00:00Z INFO  app::net] text`.
        var hasOpenBracket = false
    }

    /// The time at an offset, with or without brackets. `nil` if there is other text, or if the delimiter of a table follows the time.
    func time(at offset: Int) -> Time? {
        let start = endOfColors(offset)
        guard byte(start) == UInt8(ascii: "[") else {
            guard let (end, hasDate) = dateOrTime(at: start) else { return nil }
            let next = endOfColors(end)
            let isSeparated = isEndOfWord(next) || byte(next) == UInt8(ascii: "[") || byte(next) == UInt8(ascii: ":") && isBlank(next + 1)
            guard isSeparated else { return nil }
            return Time(range: start..<end, end: byte(next) == UInt8(ascii: ":") ? next + 1 : next, hasDate: hasDate)
        }
        if let (range, end) = secondsSinceStart(at: start + 1) { return Time(range: range, end: end, isBracketed: true) }
        guard let (end, hasDate) = dateOrTime(at: start + 1) else { return nil }
        var time = Time(range: start + 1..<end, end: end, hasDate: hasDate, isBracketed: true)
        if byte(end) == UInt8(ascii: "]") {
            time.end += 1
            // A colon may follow the bracket. A comma may not: fields in brackets that are separated by commas are not a log.
            if byte(time.end) == UInt8(ascii: ":") { time.end += 1 }
            guard isEndOfWord(time.end) || byte(time.end) == UInt8(ascii: "[") else { return nil }
        } else {
            // [2024-05-01 12:00:00,123: INFO/MainProcess] text
            if byte(end) == UInt8(ascii: ":") { time.end += 1 }
            guard isBlank(time.end) else { return nil }
            time.hasOpenBracket = true
        }
        return time
    }

    /// A level of one letter, and the time after it, as in `I0501 12:00:00.123456  1234 file.go:12] text` and in
    /// `I, [2024-05-01T12:00:00.123456 #1234]  INFO -- : text`.
    func leadingLevelAndTime() -> (level: Level, time: Time)? {
        switch byte(0) {
        case UInt8(ascii: "I"), UInt8(ascii: "W"), UInt8(ascii: "E"), UInt8(ascii: "F"), UInt8(ascii: "D"): break
        default: return nil
        }
        let level = Level(word: 0..<1, end: 1, isMarked: true)
        if byte(1) == UInt8(ascii: ","), byte(2) == 32, byte(3) == UInt8(ascii: "[") {
            guard let time = time(at: 3), time.hasOpenBracket else { return nil }
            return (level, time)
        }
        guard digitCount(1, upTo: 5) == 4, byte(5) == 32, let clock = timeOfDay(at: 6), clock.hasSeconds, isBlank(clock.end) else {
            return nil
        }
        return (level, Time(range: 1..<clock.end, end: clock.end))
    }

    /// The process, the time and the level at the start of a line of Redis, as in `1:M 12 Sep 2024 08:15:01.123 * Ready to accept
    /// connections`. The level is one of the marks `.`, `-`, `*` and `#`.
    func processTimeAndLevel() -> (process: Range<Int>, time: Time, level: Level)? {
        let role = digitCount(0, upTo: 10) + 1
        guard role > 1, byte(role - 1) == UInt8(ascii: ":"), isLetter(role), byte(role + 1) == 32, let time = time(at: role + 2),
            time.hasDate, byte(time.end) == 32, ".-*#".utf8.contains(byte(time.end + 1)), isEndOfWord(time.end + 2)
        else { return nil }
        return (0..<role + 1, time, Level(word: time.end + 1..<time.end + 2, end: time.end + 2, isMarked: true))
    }

    /// A time in seconds since the system started, such as `    0.123456] `.
    private func secondsSinceStart(at start: Int) -> (range: Range<Int>, end: Int)? {
        let first = endOfBlanks(start)
        let integerDigits = digitCount(first, upTo: 10)
        guard first < start + 12, integerDigits > 0, byte(first + integerDigits) == UInt8(ascii: ".") else { return nil }
        let fraction = digitCount(first + integerDigits + 1, upTo: 9)
        let end = first + integerDigits + 1 + fraction
        guard fraction >= 3, byte(end) == UInt8(ascii: "]"), isEndOfWord(end + 1) else { return nil }
        return (first..<end, end + 1)
    }

    /// The offset after a date and time of day, or after a time of day with seconds; `nil` for other text.
    private func dateOrTime(at start: Int) -> (end: Int, hasDate: Bool)? {
        let count = digitCount(start, upTo: 9)
        switch count {
        case 0: return endOfNamedDate(at: start).map { ($0, true) }
        case 4:
            let mark = byte(start + 4)
            guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: "/") || mark == UInt8(ascii: "."), digitCount(start + 5, upTo: 3) == 2,
                byte(start + 7) == mark, digitCount(start + 8, upTo: 3) == 2
            else { return nil }
            // Within brackets, a comma may separate the date and the time: [2024-05-01, 12:00:00 UTC]
            let hasComma = byte(start + 10) == UInt8(ascii: ",") && start > 0 && byte(start - 1) == UInt8(ascii: "[")
            return endOfClock(afterDate: hasComma ? start + 11 : start + 10).map { ($0, true) }
        case 8: return endOfClock(afterDate: start + 8).map { ($0, true) }
        case 1, 2:
            let mark = byte(start + count)
            if mark == UInt8(ascii: ":") {
                guard let clock = timeOfDay(at: start), clock.hasSeconds else { return nil }
                return (clock.end, false)
            }
            return endOfDayFirstDate(at: start, digitCount: count, separator: mark).map { ($0, true) }
        default: return nil
        }
    }

    /// The end of a date and time that begin with one or two digits: `01/05/2024`, `01.05.24`, `01-May-2024`, `05-01`.
    private func endOfDayFirstDate(at start: Int, digitCount count: Int, separator: UInt8) -> Int? {
        var index = start + count + 1
        guard separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") || separator == UInt8(ascii: ".") || separator == 32 else {
            return nil
        }
        if isMonth(index) {
            guard byte(index + 3) == separator else { return nil }
            let year = digitCount(index + 4, upTo: 5)
            return year == 4 || year == 2 ? endOfClock(afterDate: index + 4 + year) : nil
        }
        let second = digitCount(index, upTo: 3)
        guard separator != 32, second == 1 || second == 2 else { return nil }
        index += second
        guard byte(index) == separator else {
            // `05-01 12:00:00`: a month and a day without a year.
            guard separator == UInt8(ascii: "-"), count == 2, second == 2, byte(index) == 32, let clock = timeOfDay(at: index + 1),
                clock.hasSeconds
            else { return nil }
            return clock.end
        }
        let year = digitCount(index + 1, upTo: 5)
        guard year == 4 || year == 2 else { return nil }
        index += 1 + year
        if byte(index) == UInt8(ascii: ","), byte(index + 1) == 32 { index += 1 }
        return endOfClock(afterDate: index)
    }

    /// The end of a date and time, if the date begins with the name of a month or weekday: `May  1 12:00:00`, `Wed May  1 12:00:00 2024`.
    private func endOfNamedDate(at start: Int) -> Int? {
        var index = start
        if isWeekday(index) {
            index += 3
            if byte(index) == UInt8(ascii: ",") { index += 1 }
            guard byte(index) == 32 else { return nil }
            index += 1
            let count = digitCount(index, upTo: 3)
            if count == 1 || count == 2 {
                return byte(index + count) == 32 ? endOfDayFirstDate(at: index, digitCount: count, separator: 32) : nil
            }
        }
        guard isMonth(index), byte(index + 3) == 32 else { return nil }
        index += byte(index + 4) == 32 ? 5 : 4
        let day = digitCount(index, upTo: 3)
        guard day == 1 || day == 2, byte(index + day) == 32, let clock = timeOfDay(at: index + day + 1), clock.hasSeconds else {
            return nil
        }
        // A year may follow.
        guard byte(clock.end) == 32, digitCount(clock.end + 1, upTo: 5) == 4, byte(clock.end + 1) - 48 < 3,
            isEndOfWord(clock.end + 5) || byte(clock.end + 5) == UInt8(ascii: "]")
        else { return clock.end }
        return clock.end + 5
    }

    private func endOfClock(afterDate index: Int) -> Int? {
        switch byte(index) {
        case 32, UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "_"), UInt8(ascii: ":"): return timeOfDay(at: index + 1)?.end
        default: return nil
        }
    }

    /// The offset after a time of day, including a fraction and a zone if they follow; `nil` for other text.
    private func timeOfDay(at start: Int) -> (end: Int, hasSeconds: Bool)? {
        let hours = digitCount(start, upTo: 3)
        guard hours == 1 || hours == 2, byte(start + hours) == UInt8(ascii: ":"), digitCount(start + hours + 1, upTo: 3) == 2 else {
            return nil
        }
        var end = start + hours + 3
        let hasSeconds = byte(end) == UInt8(ascii: ":") && digitCount(end + 1, upTo: 3) == 2
        if hasSeconds {
            end += 3
            let mark = byte(end)
            let fraction = mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") ? digitCount(end + 1, upTo: 10) : 0
            // After a comma, fewer than three digits are not a fraction, but the next field.
            if mark == UInt8(ascii: ".") ? fraction > 0 : fraction >= 3 && byte(end + 1 + fraction) != mark { end += 1 + fraction }
        }
        return (endOfZone(endOfDayPeriod(end)), hasSeconds)
    }

    /// The offset after AM or PM; the same offset if neither follows.
    private func endOfDayPeriod(_ start: Int) -> Int {
        let index = endOfBlank(start)
        guard byte(index) | 32 == UInt8(ascii: "a") || byte(index) | 32 == UInt8(ascii: "p"), byte(index + 1) | 32 == UInt8(ascii: "m"),
            !isLetter(index + 2)
        else { return start }
        return index + 2
    }

    /// The offset after a time zone such as `Z`, `+02:00`, ` +0200` or ` CEST`; the same offset if none follows.
    private func endOfZone(_ start: Int) -> Int {
        if byte(start) | 32 == UInt8(ascii: "z"), !isLetter(start + 1) { return start + 1 }
        let index = byte(start) == 32 ? start + 1 : start
        if byte(index) == UInt8(ascii: "+") || byte(index) == UInt8(ascii: "-") {
            guard byte(index + 1) < UInt8(ascii: "2") else { return start }
            let count = digitCount(index + 1, upTo: 5)
            if count == 2, byte(index + 3) == UInt8(ascii: ":"), digitCount(index + 4, upTo: 3) == 2 { return index + 6 }
            if count == 4 { return index + 5 }
            return count == 2 && index == start ? index + 3 : start
        }
        guard index > start else { return start }
        var end = index
        while end < index + 5, byte(end) &- 65 < 26 { end += 1 }
        guard end >= index + 3, isEndOfWord(end) || byte(end) == UInt8(ascii: "]"), Self.isZone(packed(index..<end)) else { return start }
        return end
    }

    private static let zones: [UInt64] = [
        pack("UTC"), pack("GMT"), pack("CET"), pack("CEST"), pack("EST"), pack("EDT"), pack("CST"), pack("CDT"), pack("MST"), pack("MDT"),
        pack("PST"), pack("PDT"), pack("MSK"), pack("IST"), pack("JST"), pack("BST"), pack("EET"), pack("EEST"), pack("WET"), pack("WEST"),
        pack("AEST"), pack("AEDT"), pack("ACST"), pack("AWST"), pack("KST"), pack("HKT"), pack("SGT"), pack("NZST"), pack("NZDT"),
        pack("SAST"), pack("AKST"), pack("AKDT"), pack("HST"), pack("BRT"), pack("ART"), pack("WIB"),
    ]
    private static func isZone(_ word: UInt64) -> Bool { zones.contains(word) }

    private static let months: [UInt64] = [
        pack("JAN"), pack("FEB"), pack("MAR"), pack("APR"), pack("MAY"), pack("JUN"), pack("JUL"), pack("AUG"), pack("SEP"), pack("OCT"),
        pack("NOV"), pack("DEC"),
    ]
    private func isMonth(_ index: Int) -> Bool {
        isLetter(index) && isLetter(index + 1) && isLetter(index + 2) && Self.months.contains(packed(index..<index + 3))
    }

    private static let weekdays: [UInt64] = [
        pack("MON"), pack("TUE"), pack("WED"), pack("THU"), pack("FRI"), pack("SAT"), pack("SUN"),
    ]
    private func isWeekday(_ index: Int) -> Bool {
        isLetter(index) && isLetter(index + 1) && isLetter(index + 2) && Self.weekdays.contains(packed(index..<index + 3))
    }
}
