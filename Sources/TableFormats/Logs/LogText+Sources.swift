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
