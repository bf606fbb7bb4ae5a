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
        // PostgreSQL has the levels DEBUG1 to DEBUG5.
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
            if let level = level(at: index), level.isMarked { return (level, trimmingPunctuation(start..<index)) }
            // Android writes the level as a letter: `1234  5678 I ActivityManager: text`.
            if isAfterNumbers, Self.levelLetters.contains(byte(index)), isBlank(index + 1) {
                return (Level(word: index..<index + 1, end: index + 1, isMarked: true), trimmingPunctuation(start..<index))
            }
            if byte(index) == UInt8(ascii: "[") {
                // Apache writes the module and the level in brackets, such as `[core:error]`.
                let colon = endOfName(index + 1)
                if byte(colon) == UInt8(ascii: ":"), var level = level(at: colon + 1), byte(level.end) == UInt8(ascii: "]") {
                    level.end += 1
                    return (level, trimmingPunctuation(start..<colon))
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
    private func trimmingPunctuation(_ range: Range<Int>) -> Range<Int> {
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
