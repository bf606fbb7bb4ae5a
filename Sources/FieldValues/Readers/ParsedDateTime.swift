/// A date, a time of day, or both, as it is written in a field.
struct ParsedDateTime {
    /// The day; 1970-01-01 for a time without a date.
    var day = CalendarDay(year: 1970, month: 1, day: 1)
    /// Microseconds since midnight.
    var timeOfDay = 0
    /// The number of digits in the fraction of a second as written, at most 6.
    var fractionDigits = 0
    /// The offset of the time zone from UTC in minutes, positive to the east; `nil` without a zone.
    var zoneMinutes: Int?

    /// Microseconds since 1970-01-01 00:00, in UTC if there is a zone.
    var microseconds: Int64 {
        Int64((day.daysSinceEpoch * 86_400 - (zoneMinutes ?? 0) * 60) * 1_000_000 + timeOfDay)
    }
}

extension ParsedDateTime {
    /// Creates the date and time that is `microseconds` after 1970-01-01 00:00.
    init(microseconds: Int64) {
        let perDay = 86_400_000_000
        let (quotient, remainder) = Int(microseconds).quotientAndRemainder(dividingBy: perDay)
        day = CalendarDay(daysSinceEpoch: remainder < 0 ? quotient - 1 : quotient)
        timeOfDay = remainder < 0 ? remainder + perDay : remainder
    }

    /// Parses text without surrounding blanks, by the rules of ``FieldBytes/temporal(_:_:)``.
    init?(_ text: UnsafeBufferPointer<UInt8>, _ kind: ValueKind, _ notation: DateNotation = .iso) {
        // The shortest text is a time such as `0:00`, except for seconds since 1970.
        guard text.count >= 4 || notation.isEpoch else { return nil }
        var reader = DateTimeParser(text, notation)
        if kind == .time {
            guard let time = reader.parseTime(), reader.isAtEnd else { return nil }
            (timeOfDay, fractionDigits) = time
            return
        }
        if notation.isEpoch, let moment = ParsedDateTime(epoch: text, notation) {
            self = moment
            if kind == .date { (timeOfDay, fractionDigits) = (0, 0) }
            return
        }
        guard let day = reader.parseDay() else { return nil }
        self.day = day
        if reader.isAtEnd { return }
        guard kind == .dateTime, reader.skipTimeSeparator(), let time = reader.parseTime() else { return nil }
        (timeOfDay, fractionDigits) = time
        if reader.isAtEnd { return }
        zoneMinutes = reader.parseZoneOffset()
        guard zoneMinutes != nil, reader.isAtEnd else { return nil }
    }

    /// Parses a number of seconds or milliseconds since 1970. `nil` for other text, and for years outside of 0000 to 9999.
    private init?(epoch text: UnsafeBufferPointer<UInt8>, _ notation: DateNotation) {
        guard let (mantissa, digits) = FixedPoint.read(FieldBytes(start: text.baseAddress, count: text.count)) else { return nil }
        let maximumDigits = notation == .epochSeconds ? 6 : 3
        guard digits <= maximumDigits else { return nil }
        var power: Int64 = 1
        for _ in digits..<maximumDigits { power *= 10 }
        let (microseconds, overflows) = mantissa.multipliedReportingOverflow(by: power)
        guard !overflows, (-62_167_219_200_000_000..<253_402_300_800_000_000).contains(microseconds) else { return nil }
        self.init(microseconds: microseconds)
        fractionDigits = notation == .epochSeconds ? digits : 3
    }
}

/// Parses the parts of a date and time one after another.
private struct DateTimeParser {
    /// The text to parse. A year after the time is parsed early and then removed from the end.
    private var text: UnsafeBufferPointer<UInt8>
    private let notation: DateNotation
    /// True if dates and times have no separators, because of the notation or because the date had no separators. The value is stored,
    /// because parsing any date needs it.
    private var isCompact: Bool
    /// True if the month was written as a name. A colon may then precede the time, as in the logs of web servers.
    private var hasMonthName = false
    private var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>, _ notation: DateNotation) {
        (self.text, self.notation) = (text, notation)
        isCompact = if case .digits = notation { true } else { false }
    }

    var isAtEnd: Bool { position == text.count }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private var nextIsDigit: Bool { position < text.count && isDigit(text[position]) }

    /// Runs a rarely needed function on a copy of the parser, and assigns the copy to `self`. The compiler can then keep the cursor
    /// in a register on the common path.
    @inline(__always)
    private mutating func withReaderCopy<Result>(_ body: (inout DateTimeParser) -> Result) -> Result {
        var copy = self
        defer { self = copy }
        return body(&copy)
    }

    /// The number of digits at the cursor, at most `limit`.
    private func digitCount(_ limit: Int) -> Int {
        var count = 0
        while count < limit, position + count < text.count, isDigit(text[position + count]) { count += 1 }
        return count
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Parses all digits at the cursor as a number; `nil` if their count is not in `lengths`.
    @inline(__always)
    private mutating func parseNumber(_ lengths: ClosedRange<Int>) -> (value: Int, length: Int)? {
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

    /// Parses a date in the notation of the column, or an unambiguous date.
    @inline(__always)
    mutating func parseDay() -> CalendarDay? {
        guard nextIsDigit else { return withReaderCopy { $0.parseMonthAndDay() } }
        if isCompact, digitCount(9) == 8 {
            return withReaderCopy { $0.parseNumber(8...8) }.flatMap { number in
                let day = CalendarDay(compact: number.value)
                return day.isValid ? day : nil
            }
        }
        guard let first = parseNumber(1...4), let separator = next else {
            return text.count > 12 ? withReaderCopy { $0.parseCompactDay() } : nil
        }
        if first.length == 4 { return parseMonthAndDay(ofYear: first.value, separator: separator) }
        guard first.length <= 2 else { return nil }
        if separator == UInt8(ascii: ".") || separator == UInt8(ascii: "/") || separator == UInt8(ascii: "-"), position + 1 < text.count,
            isDigit(text[position + 1])
        {
            position += 1
            guard let second = parseNumber(1...2), skip(separator), let last = parseNumber(2...4) else { return nil }
            guard let year = last.length == 4 ? last.value : Self.year(ofTwoDigits: last, separator: separator) else { return nil }
            let isDayFirst = separator == UInt8(ascii: ".") || notation == .dayFirst
            guard isDayFirst || notation == .monthFirst else { return nil }
            let (month, day) = isDayFirst ? (second.value, first.value) : (first.value, second.value)
            return validDay(year, month, day)
        }
        return withReaderCopy { $0.parseMonthAndYear(ofDay: first.value) }
    }

    /// Parses a compact date that a time follows, as in `20220105T155751Z`. This form is valid in every notation.
    @inline(never)
    private mutating func parseCompactDay() -> CalendarDay? {
        position = 0
        guard text[8] | 0x20 == UInt8(ascii: "t"), digitCount(9) == 8, let number = parseNumber(8...8) else { return nil }
        let day = CalendarDay(compact: number.value)
        isCompact = true
        return day.isValid ? day : nil
    }

    /// The year of a two-digit number after a slash or a point. `nil` after a hyphen, because `24-01-22` may start with the year.
    @inline(never)
    private static func year(ofTwoDigits number: (value: Int, length: Int), separator: UInt8) -> Int? {
        number.length == 2 && separator != UInt8(ascii: "-") ? fullYear(number.value) : nil
    }

    /// The year that two digits stand for, as in `strptime` of POSIX: 1969 to 2068.
    private static func fullYear(_ year: Int) -> Int { year + (year < 69 ? 2000 : 1900) }

    /// Parses the month and the year after a day, as in `22 Sep 2022` or `22-SEP-22`.
    @inline(never)
    private mutating func parseMonthAndYear(ofDay day: Int) -> CalendarDay? {
        guard let month = parseMonthName(), let year = parseYearAfterMonthName(mayBeShort: true) else { return nil }
        hasMonthName = true
        return validDay(year, month, day)
    }

    private func validDay(_ year: Int, _ month: Int, _ day: Int) -> CalendarDay? {
        let day = CalendarDay(year: year, month: month, day: day)
        return day.isValid ? day : nil
    }

    /// Parses the month and the day after a year, as in `yyyy-m-d`, `yyyy.mm.dd`, `yyyy/m/d` or `yyyy-Www-d`. With points, month and day
    /// need two digits, because `2024.1.5` may be a version.
    @inline(__always)
    private mutating func parseMonthAndDay(ofYear year: Int, separator: UInt8) -> CalendarDay? {
        guard separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") || separator == UInt8(ascii: ".") else { return nil }
        position += 1
        if separator == UInt8(ascii: "-"), let byte = next, byte | 0x20 == UInt8(ascii: "w") {
            position += 1
            return withReaderCopy { $0.parseWeek(of: year) }
        }
        let lengths = separator == UInt8(ascii: ".") ? 2...2 : 1...2
        guard let month = parseNumber(lengths), skip(separator), let last = parseNumber(lengths) else { return nil }
        return validDay(year, month.value, last.value)
    }

    /// Parses a week of ISO 8601, `ww`, or a day in it, `ww-d`. For a week, the result is its Monday.
    @inline(never)
    private mutating func parseWeek(of year: Int) -> CalendarDay? {
        guard let week = parseNumber(2...2), week.value >= 1 else { return nil }
        var day = 1
        if next == UInt8(ascii: "-") {
            position += 1
            guard let number = parseNumber(1...1), (1...7).contains(number.value) else { return nil }
            day = number.value
        }
        // The fourth of January is in week 1, and 1970-01-01 was a Thursday.
        let fourth = CalendarDay(year: year, month: 1, day: 4).daysSinceEpoch
        let weekday = ((fourth + 3) % 7 + 7) % 7
        let monday = fourth - weekday + (week.value - 1) * 7
        // A week belongs to the year of its Thursday.
        guard CalendarDay(daysSinceEpoch: monday + 3).year == year else { return nil }
        return CalendarDay(daysSinceEpoch: monday + day - 1)
    }

    // MARK: Names of months

    /// Parses `May 5, 2025`, also after a weekday, `Wed, 05 Jan 2022` and `Wed 2022-01-05`.
    @inline(never)
    private mutating func parseMonthAndDay() -> CalendarDay? {
        let word = parseWord()
        var month = MonthNames.month(word)
        if month == nil {
            // A weekday is looked up only if the next byte can be the separator after a weekday. Most texts have no such separator.
            let separator = next
            guard separator == UInt8(ascii: ",") || separator == UInt8(ascii: ".") || separator == 0x20 else { return nil }
            skipDateSeparators()
            let mayEndWithYear = separator == 0x20 && text.count >= 20 && text[text.count - 5] == 0x20 && isDigit(text[text.count - 1])
            guard nextIsDigit || separator == UInt8(ascii: ",") || mayEndWithYear, MonthNames.isWeekday(word) else { return nil }
            if separator == 0x20, !nextIsDigit { return parseDayBeforeTimeAndYear() }
            if digitCount(5) == 4, let year = parseNumber(4...4), let separator = next {
                return parseMonthAndDay(ofYear: year.value, separator: separator)
            }
            if nextIsDigit { return parseNumber(1...2).flatMap { day in withReaderCopy { $0.parseMonthAndYear(ofDay: day.value) } } }
            month = MonthNames.month(parseWord())
        }
        guard let month else { return nil }
        skipDateSeparators()
        guard let day = parseNumber(1...2), let year = parseYearAfterMonthName(mayBeShort: false) else { return nil }
        return validDay(year, month, day.value)
    }

    /// Parses a date after its weekday, in the form of `ctime`: `Thu Jan  4 10:00:00 2024`. Removes the year from the end of the text.
    private mutating func parseDayBeforeTimeAndYear() -> CalendarDay? {
        guard let month = MonthNames.month(parseWord()) else { return nil }
        skipDateSeparators()
        let end = text.count - 5
        guard let day = parseNumber(1...2), next == 0x20, position < end, text[end] == 0x20 else { return nil }
        var year = 0
        for byte in text[(end + 1)...] {
            guard isDigit(byte) else { return nil }
            year = year * 10 + Int(byte &- 0x30)
        }
        text = UnsafeBufferPointer(rebasing: text[..<end])
        return validDay(year, month, day.value)
    }

    /// Parses the month after a day: ` Sep`, `-SEP`, `. September`, `nd of September`, ` de septiembre`.
    private mutating func parseMonthName() -> Int? {
        for _ in 0..<3 {
            skipDateSeparators()
            let word = parseWord()
            if let month = MonthNames.month(word) { return month }
            guard Self.ignoredWords.contains(word) else { return nil }
        }
        return nil
    }

    /// Parses the year after the name of a month or, in `May 5th, 2025`, after the day.
    /// - Parameter mayBeShort: true to accept two-digit years.
    private mutating func parseYearAfterMonthName(mayBeShort: Bool) -> Int? {
        skipDateSeparators()
        if let byte = next, !isDigit(byte) {
            guard Self.ignoredWords.contains(parseWord()) else { return nil }
            skipDateSeparators()
        }
        guard let year = parseNumber(mayBeShort ? 2...4 : 4...4), year.length != 3 else { return nil }
        return year.length == 4 ? year.value : Self.fullYear(year.value)
    }

    /// Skips up to two separators (space, comma, hyphen, period or slash) between the parts of a date whose month is a name, such as
    /// `5-Jan-2022`.
    private mutating func skipDateSeparators() {
        for _ in 0..<2 {
            guard let byte = next, byte == 0x20 || (0x2C...0x2F).contains(byte) else { return }
            position += 1
        }
    }

    /// Parses a word as ``MonthNames/packed(_:)`` does. Returns 0 if there are no letters, or more than 16 bytes.
    @inline(never)
    private mutating func parseWord() -> UInt128 {
        var word: UInt128 = 0
        var count = 0
        while let byte = next, (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 {
            count += 1
            guard count <= 16 else { return 0 }
            word = word << 8 | UInt128(byte | 0x20)
            position += 1
        }
        return word
    }

    /// Words and endings that can be between the parts of a date.
    private static let ignoredWords = Set(["de", "of", "st", "nd", "rd", "th", "er"].map(MonthNames.packed))

    // MARK: Times

    /// Skips the `T` or the blank between a date and a time. A comma may precede the blank. After the name of a month, a colon is accepted,
    /// too.
    mutating func skipTimeSeparator() -> Bool {
        if next == UInt8(ascii: ","), position + 1 < text.count, text[position + 1] == 0x20 { position += 1 }
        guard let byte = next, byte == 0x20 || byte | 0x20 == UInt8(ascii: "t") || byte == UInt8(ascii: ":") && hasMonthName else {
            return false
        }
        position += 1
        return true
    }

    /// Parses `h:mm` or `hh:mm`, optionally with seconds, a fraction, and AM or PM; returns microseconds since midnight.
    @inline(__always)
    mutating func parseTime() -> (microseconds: Int, fractionDigits: Int)? {
        if isCompact, digitCount(4) == 4 { return withReaderCopy { $0.parseCompactTime() } }
        guard let hour = parseNumber(1...2), hour.value < 24, skip(UInt8(ascii: ":")) else { return nil }
        guard let minute = parseNumber(2...2), minute.value < 60 else { return nil }
        var microseconds = minute.value * 60_000_000
        var digits = 0
        if skip(UInt8(ascii: ":")) {
            guard let second = parseNumber(2...2), second.value < 60 || (second.value == 60 && minute.value == 59) else { return nil }
            microseconds += second.value * 1_000_000
            if next == UInt8(ascii: ".") || next == UInt8(ascii: ",") {
                position += 1
                var unit = 100_000
                while let byte = next, isDigit(byte) {
                    microseconds += Int(byte &- 0x30) * unit
                    unit /= 10
                    digits += 1
                    position += 1
                }
                guard digits > 0 else { return nil }
            }
        }
        guard let isAfternoon = parseDayPeriod() else { return (microseconds + hour.value * 3_600_000_000, min(digits, 6)) }
        guard (1...12).contains(hour.value) else { return nil }
        return (microseconds + (hour.value % 12 + (isAfternoon ? 12 : 0)) * 3_600_000_000, min(digits, 6))
    }

    /// Parses `hhmm` or `hhmmss`.
    @inline(never)
    private mutating func parseCompactTime() -> (microseconds: Int, fractionDigits: Int)? {
        guard let time = parseNumber(4...6), time.length != 5 else { return nil }
        let seconds = time.length == 4 ? time.value * 100 : time.value
        let (hour, minute, second) = (seconds / 10_000, seconds / 100 % 100, seconds % 100)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return (((hour * 60 + minute) * 60 + second) * 1_000_000, 0)
    }

    /// Parses `AM`, `pm`, `a.m.` or `p. m.`, optionally after a blank; returns `true` for the afternoon. The cursor moves only if one of
    /// these forms is found.
    @inline(__always)
    private mutating func parseDayPeriod() -> Bool? {
        if isAtEnd { return nil }
        var offset = position
        func byte(_ offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }
        offset += blankLength(at: offset)
        let letter = byte(offset) | 0x20
        guard letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") else { return nil }
        offset += 1
        if byte(offset) == UInt8(ascii: ".") { offset += 1 + blankLength(at: offset + 1) }
        guard byte(offset) | 0x20 == UInt8(ascii: "m") else { return nil }
        offset += 1
        if byte(offset) == UInt8(ascii: ".") { offset += 1 }
        position = offset
        return letter == UInt8(ascii: "p")
    }

    /// The length in bytes of a blank at `offset`: a space, or a no-break space, which other programs write before AM; 0 for other text.
    private func blankLength(at offset: Int) -> Int {
        guard offset < text.count else { return 0 }
        if text[offset] == 0x20 { return 1 }
        if offset + 1 < text.count, text[offset] == 0xC2, text[offset + 1] == 0xA0 { return 2 }
        return offset + 2 < text.count && text[offset] == 0xE2 && text[offset + 1] == 0x80 && text[offset + 2] == 0xAF ? 3 : 0
    }

    /// Parses a time zone: `Z`, `UTC`, `GMT`, `±hh:mm`, `±hhmm` or `±hh`, optionally after a blank. Returns its offset from UTC in minutes,
    /// positive to the east.
    @inline(__always)
    mutating func parseZoneOffset() -> Int? {
        if next == 0x20 { position += 1 }
        if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) { return 0 }
        if let byte = next, byte | 0x20 == UInt8(ascii: "u") || byte | 0x20 == UInt8(ascii: "g") {
            guard withReaderCopy({ Self.zones.contains($0.parseWord()) }) else { return nil }
            if isAtEnd { return 0 }
        }
        let isNegative = next == UInt8(ascii: "-")
        guard isNegative || next == UInt8(ascii: "+") else { return nil }
        position += 1
        guard let first = parseNumber(2...4), first.length != 3 else { return nil }
        var hours = first.value
        var minutes = 0
        if first.length == 4 {
            (hours, minutes) = (first.value / 100, first.value % 100)
        } else if skip(UInt8(ascii: ":")) {
            guard let rest = parseNumber(2...2) else { return nil }
            minutes = rest.value
        }
        guard hours <= 18, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }

    /// Names of time zones whose offset from UTC is 0.
    private static let zones = Set(["utc", "gmt"].map(MonthNames.packed))
}
