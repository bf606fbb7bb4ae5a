/// A line of a log. Its functions find the time, level and source before the message. They take byte offsets, which may be beyond the end
/// of the line.
struct LogText {
    let bytes: UnsafeBufferPointer<UInt8>

    init(_ line: UnsafeBufferPointer<UInt8>) { bytes = line }

    var count: Int { bytes.count }

    /// The maximum number of bytes of a name before the message, such as a thread or a logger.
    private static let maximumPartBytes = 200

    /// The byte at an offset; 0 beyond the end.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    @inline(__always)
    func isDigit(_ index: Int) -> Bool { byte(index) &- 48 < 10 }

    @inline(__always)
    private func isLetter(_ index: Int) -> Bool { (byte(index) | 32) &- 97 < 26 }

    @inline(__always)
    func isBlank(_ index: Int) -> Bool { byte(index) == 32 || byte(index) == 9 }

    /// True if the offset is at a blank or at the end of the line.
    @inline(__always)
    func isEndOfWord(_ index: Int) -> Bool { index >= bytes.count || isBlank(index) }

    /// The number of digits from an offset on, at most `limit`.
    private func digitCount(_ start: Int, upTo limit: Int) -> Int {
        var end = start
        while end < start + limit, isDigit(end) { end += 1 }
        return end - start
    }

    /// The offset after blanks and the escape sequences of colors.
    func endOfBlanks(_ start: Int) -> Int {
        var index = start
        while true {
            if isBlank(index) {
                index += 1
            } else if let end = endOfColor(index) {
                index = end
            } else {
                return index
            }
        }
    }

    /// The offset after the escape sequences of colors.
    private func endOfColors(_ start: Int) -> Int {
        var index = start
        while let end = endOfColor(index) { index = end }
        return index
    }

    private func endOfColor(_ start: Int) -> Int? {
        guard byte(start) == 0x1B, byte(start + 1) == UInt8(ascii: "[") else { return nil }
        var end = start + 2
        while isDigit(end) || byte(end) == UInt8(ascii: ";") { end += 1 }
        return byte(end) == UInt8(ascii: "m") ? end + 1 : nil
    }

    /// The offset after blanks and one `-`, `|` or `:` between blanks.
    func endOfSeparator(_ start: Int) -> Int {
        let index = endOfBlanks(start)
        switch byte(index) {
        case UInt8(ascii: "-"), UInt8(ascii: "|"), UInt8(ascii: ":"): return isEndOfWord(index + 1) ? endOfBlanks(index + 1) : index
        default: return index
        }
    }

    /// The offset after a blank; the same offset without one.
    func endOfBlank(_ start: Int) -> Int { isBlank(start) ? start + 1 : start }

    /// The offset of the next blank, or the end of the line.
    func endOfWord(_ start: Int) -> Int {
        var end = start
        while !isEndOfWord(end) { end += 1 }
        return end
    }

    /// The offset of the next `]`; `nil` if there is no such byte within ``maximumPartBytes`` bytes.
    private func closingBracket(_ start: Int) -> Int? {
        var end = start
        while end < min(bytes.count, start + Self.maximumPartBytes) {
            if bytes[end] == UInt8(ascii: "]") { return end }
            end += 1
        }
        return nil
    }

    /// The range without blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(start) { start += 1 }
        while end > start, isBlank(end - 1) { end -= 1 }
        return start..<end
    }
}

// MARK: - Times

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
            return endOfDayFirstDate(at: start, count, mark).map { ($0, true) }
        default: return nil
        }
    }

    /// The end of a date and time that begin with one or two digits: `01/05/2024`, `01.05.24`, `01-May-2024`, `05-01`.
    private func endOfDayFirstDate(at start: Int, _ count: Int, _ mark: UInt8) -> Int? {
        var index = start + count + 1
        guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: "/") || mark == UInt8(ascii: ".") || mark == 32 else { return nil }
        if isMonth(index) {
            guard byte(index + 3) == mark else { return nil }
            let year = digitCount(index + 4, upTo: 5)
            return year == 4 || year == 2 ? endOfClock(afterDate: index + 4 + year) : nil
        }
        let second = digitCount(index, upTo: 3)
        guard mark != 32, second == 1 || second == 2 else { return nil }
        index += second
        guard byte(index) == mark else {
            // `05-01 12:00:00`: a month and a day without a year.
            guard mark == UInt8(ascii: "-"), count == 2, second == 2, byte(index) == 32, let clock = timeOfDay(at: index + 1),
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
            if count == 1 || count == 2 { return byte(index + count) == 32 ? endOfDayFirstDate(at: index, count, 32) : nil }
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

    /// The last eight letters of a word, converted to upper case and packed in an integer, one byte for each letter.
    private func packed(_ range: Range<Int>) -> UInt64 {
        var word: UInt64 = 0
        for index in range { word = word << 8 | UInt64(bytes[index] & ~32) }
        return word
    }

    private static func pack(_ text: StaticString) -> UInt64 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
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

// MARK: - Levels

extension LogText {
    /// A word that names a level, such as `INFO`.
    struct Level {
        /// The word, without brackets.
        var word: Range<Int>
        /// The offset after the word, its brackets and its colon.
        var end: Int
        /// True if the word is certainly a level: it is in upper case or in brackets, or a colon follows.
        var isMarked: Bool
        /// True if ``end`` is after a colon.
        var hasColon = false
    }

    /// The level at an offset; `nil` if there is another word.
    /// - Parameter isInBrackets: true if the level is inside the brackets of the time. A slash may then follow it.
    func level(at start: Int, isInBrackets: Bool = false) -> Level? {
        var index = start
        var close: UInt8 = 0
        switch byte(index) {
        case UInt8(ascii: "["): close = UInt8(ascii: "]")
        case UInt8(ascii: "("): close = UInt8(ascii: ")")
        case UInt8(ascii: "<"): close = UInt8(ascii: ">")
        default: break
        }
        index = close == 0 ? index : endOfBlanks(index + 1)
        let first = endOfColors(index)
        var end = first
        var isUpper = true
        while isLetter(end), end < first + 12 {
            if bytes[end] & 32 != 0 { isUpper = false }
            end += 1
        }
        guard end > first + 2 else { return nil }
        let name = packed(first..<end)
        // DEBUG1 to DEBUG5
        if isDigit(end), name == Self.debug { end += 1 }
        let word = first..<end
        end = endOfColors(end)
        if close != 0 {
            end = endOfBlanks(end)
            guard byte(end) == close else { return nil }
            end += 1
        }
        let hasColon = byte(end) == UInt8(ascii: ":")
        let isMarked = isUpper || close != 0 || hasColon
        if hasColon {
            end += 1
            guard isEndOfWord(end) || byte(end) == 0x1B else { return nil }
        } else if isInBrackets, byte(end) == UInt8(ascii: "/") {
            end += 1
        } else if !isEndOfWord(end), byte(end) != 0x1B, byte(end) != UInt8(ascii: "]") {
            guard close != 0, byte(end) == UInt8(ascii: "[") else { return nil }
        }
        guard Self.levels.contains(name) || isMarked && Self.markedLevels.contains(name) else { return nil }
        return Level(word: word, end: end, isMarked: isMarked, hasColon: hasColon)
    }

    private static let debug = pack("DEBUG")
    private static let levels: [UInt64] = [
        pack("INFO"), pack("DEBUG"), pack("WARN"), pack("ERROR"), pack("WARNING"), pack("TRACE"), pack("NOTICE"), pack("CRITICAL"),
        pack("FATAL"), pack("PANIC"), pack("ERR"), pack("CRIT"), pack("EMERG"), pack("SEVERE"), pack("VERBOSE"), pack("DPANIC"),
        // The last eight letters of EMERGENCY and INFORMATION. Only these are compared.
        pack("MERGENCY"), pack("ORMATION"),
    ]
    /// Levels that are also common words or abbreviations. They count only if ``Level/isMarked`` is true.
    private static let markedLevels: [UInt64] = [
        pack("LOG"), pack("INF"), pack("DBG"), pack("WRN"), pack("FTL"), pack("VRB"), pack("TRC"), pack("PNC"), pack("NOTE"),
        pack("SYSTEM"), pack("ALERT"), pack("FINE"), pack("FINER"), pack("FINEST"), pack("CONFIG"), pack("SUCCESS"), pack("DETAIL"),
        pack("HINT"), pack("CONTEXT"), pack("TATEMENT"), pack("DEFAULT"), pack("AUDIT"),
    ]

    /// The offset of the text after a level.
    func textStart(after level: Level) -> Int { level.hasColon ? endOfBlanks(level.end) : endOfSeparator(level.end) }

    /// The level of a line that has a process, a logger or other words between the time and the level: `[1234] LOG:`, `root - INFO`.
    /// - Returns: the level, and the text between the time and the level.
    func distantLevel(after start: Int) -> (level: Level, before: Range<Int>)? {
        var index = start
        var isAfterNumbers = false
        for _ in 0..<6 {
            if let level = level(at: index), level.isMarked { return (level, withoutMarks(start..<index)) }
            // 1234  5678 I ActivityManager: text
            if isAfterNumbers, Self.levelLetters.contains(byte(index)), isBlank(index + 1) {
                return (Level(word: index..<index + 1, end: index + 1, isMarked: true), withoutMarks(start..<index))
            }
            if byte(index) == UInt8(ascii: "[") {
                // [core:error]
                let colon = endOfName(index + 1)
                if byte(colon) == UInt8(ascii: ":"), var level = level(at: colon + 1), byte(level.end) == UInt8(ascii: "]") {
                    level.end += 1
                    return (level, withoutMarks(start..<colon))
                }
                guard let close = closingBracket(index) else { return nil }
                index = close + 1
            } else {
                let end = endOfWord(index)
                guard end > index, end - index < Self.maximumPartBytes, byte(end - 1) != UInt8(ascii: "."),
                    byte(end - 1) != UInt8(ascii: ",")
                else { return nil }
                isAfterNumbers = (isAfterNumbers || index == start) && (index..<end).allSatisfy(isDigit)
                index = end
            }
            index = endOfBlanks(index)
        }
        return nil
    }

    /// Levels of one letter.
    private static let levelLetters = Array("VDIWEFA".utf8)

    private func endOfName(_ start: Int) -> Int {
        var end = start
        while end < start + Self.maximumPartBytes, isLetter(end) || isDigit(end) || byte(end) == UInt8(ascii: "_") { end += 1 }
        return end
    }

    /// The range without the characters around a name: blanks, `-` and `|` at its end, brackets around it, and an opening bracket that is
    /// not closed.
    private func withoutMarks(_ range: Range<Int>) -> Range<Int> {
        var range = trimmed(range)
        while let last = range.last, isBlank(last) || byte(last) == UInt8(ascii: "-") || byte(last) == UInt8(ascii: "|") {
            range.removeLast()
        }
        guard let first = range.first, byte(first) == UInt8(ascii: "["), let last = range.last else { return range }
        let close = bytes[range].firstIndex(of: UInt8(ascii: "]"))
        if close == last { return trimmed(first + 1..<last) }
        return close == nil ? first + 1..<range.upperBound : range
    }
}

// MARK: - Sources

/// A notation of the source of a message, such as a logger or a thread. Each case is named after the mark at the end of the source.
enum LogSource: Sendable, Equatable, CaseIterable {
    /// `app::net] text`
    case bracket
    /// `12345 --- [main] c.e.App : text`
    case spacedColon
    /// `c.e.App - text`
    case dash
    /// `main.go:12<tab>text`
    case tab
    /// `[main] text`
    case brackets
    /// `app.net: text`
    case colon
}

extension LogText {
    /// The source at an offset, and the offset of the message; `nil` if the text is not in this notation.
    func source(_ style: LogSource, at start: Int) -> (source: Range<Int>, message: Int)? {
        switch style {
        case .bracket:
            guard let close = closingBracket(start), close > start, isEndOfWord(close + 1),
                !bytes[start..<close].contains(UInt8(ascii: "["))
            else { return nil }
            return (trimmed(start..<close), endOfBlank(close + 1))
        case .brackets:
            guard byte(start) == UInt8(ascii: "["), let close = closingBracket(start) else { return nil }
            let end = byte(close + 1) == UInt8(ascii: ":") ? close + 2 : close + 1
            return (trimmed(start + 1..<close), endOfBlank(end))
        case .tab:
            let end = endOfWord(start)
            guard end > start, byte(end) == 9 else { return nil }
            return (start..<end, end + 1)
        case .spacedColon: return source(endingWith: UInt8(ascii: ":"), at: start)
        case .dash: return source(endingWith: UInt8(ascii: "-"), at: start)
        case .colon: return source(endingWith: nil, at: start)
        }
    }

    /// A source that ends with a mark between blanks. If `mark` is `nil`, it ends with a colon at the end of a word.
    private func source(endingWith mark: UInt8?, at start: Int) -> (source: Range<Int>, message: Int)? {
        var index = start
        var (words, plainWords) = (0, 0)
        for _ in 0..<8 {
            guard index < count, index < start + Self.maximumPartBytes else { return nil }
            var end: Int
            if byte(index) == UInt8(ascii: "["), let close = closingBracket(index) {
                end = close + 1
                if mark == nil, byte(end) == UInt8(ascii: ":"), isEndOfWord(end + 1) { return (start..<end, endOfBlank(end + 1)) }
            } else {
                end = endOfWord(index)
                // Some loggers write `--` for `-`.
                let isMark = end == index + 1 || end == index + 2 && mark == UInt8(ascii: "-") && byte(index + 1) == mark
                if let mark, byte(index) == mark, isMark {
                    return index > start ? (trimmed(start..<index), endOfBlank(end)) : nil
                }
                if mark == nil, byte(end - 1) == UInt8(ascii: ":"), end > index + 1 {
                    return isName(index..<end - 1) ? (start..<end - 1, endOfBlank(end)) : nil
                }
                guard isName(index..<end) else { return nil }
                if !isNumberOrRule(index..<end) {
                    words += 1
                    if (index..<end).allSatisfy(isLetter) { plainWords += 1 }
                }
                // Several words without punctuation are the text of the message, not a source.
                guard words < (mark == nil ? 1 : 3), plainWords == 0 || words == 1 else { return nil }
            }
            index = endOfBlanks(end)
        }
        return nil
    }

    /// True if a word can be a name: it contains no quotes, and no punctuation at its end.
    private func isName(_ range: Range<Int>) -> Bool {
        guard let last = range.last else { return false }
        switch byte(last) {
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "?"): return false
        default: return !bytes[range].contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "`") }
        }
    }

    private func isNumberOrRule(_ range: Range<Int>) -> Bool {
        range.allSatisfy { isDigit($0) || byte($0) == UInt8(ascii: "-") }
    }
}
