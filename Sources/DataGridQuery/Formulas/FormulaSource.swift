import FieldValues
import Tables

/// A token of the text of a formula or filter, with its range in Unicode scalars.
struct FormulaToken {
    enum Kind: Equatable {
        case word(String)
        /// Text in double quotes: a column name, or a string if no column has this name.
        case name(String)
        /// A string in single quotes.
        case text(String)
        /// A column number, such as `#3`. The first column is 1.
        case columnNumber(Int)
        case number
        case temporal(Int64, ValueKind)
        case symbol(String)
        case end
    }

    var kind: Kind
    var range: Range<Int>

    /// The text of a bare word, or the text in double quotes; `nil` for any other token.
    var name: String? {
        switch kind {
        case .word(let name), .name(let name): name
        default: nil
        }
    }
}

/// A year or a month in the text of a filter, such as `2024` or `2024-05`.
struct WrittenPeriod {
    let text: String
    /// The start of the year or month and its end (exclusive), in microseconds since 1970.
    let start, end: Int64
    /// True if the year or month is in quotes.
    let isQuoted: Bool
    /// The range of the text, including quotes, in Unicode scalars.
    let range: Range<Int>
}

/// Splits the text of a formula or a filter into tokens.
struct FormulaSource {
    let scalars: [Unicode.Scalar]

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// True if the text is a number, a date or a time, as formulas contain them without quotes.
    var isValue: Bool {
        guard let token = try? token(after: 0), token.range == scalars.indices else { return false }
        switch token.kind {
        case .number, .temporal: return true
        default: return false
        }
    }

    func text(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    var trimmedText: String { text(trimmedRange) }

    /// The range of the whole text except for spaces at its start and end.
    var trimmedRange: Range<Int> {
        guard let first = scalars.firstIndex(where: { !Self.isBlank($0) }), let last = scalars.lastIndex(where: { !Self.isBlank($0) })
        else { return 0..<0 }
        return first..<last + 1
    }

    /// Reads the number with commas as group separators at `start`, and returns it without the commas. `nil` if there is no comma, or if a
    /// comma is misplaced.
    func numberWithoutSeparators(from start: Int) -> (text: String, range: Range<Int>)? {
        var end = digitsEnd(from: start)
        guard (1...3).contains(end - start) else { return nil }
        while scalar(end) == ",", digitsEnd(from: end + 1) == end + 4 { end += 4 }
        guard scalar(end) != ",", digitsEnd(from: start) < end else { return nil }
        if scalar(end) == "." { end = digitsEnd(from: end + 1) }
        return (text(start..<end).replacing(",", with: ""), start..<end)
    }

    /// The error for a number with points as group separators that starts at `start`, such as `1.234.567` or `1.234,56`; `nil` for other
    /// text.
    func pointGroupsError(at start: Int) -> FilterError? {
        var end = digitsEnd(from: start)
        while scalar(end) == ".", digitsEnd(from: end + 1) == end + 4 { end += 4 }
        guard var plain = NumberGroups.withoutSeparators(text(start..<end), separator: ".") else { return nil }
        if scalar(end) == ",", digitsEnd(from: end + 1) > end + 1 {
            let fraction = end + 1..<digitsEnd(from: end + 1)
            (plain, end) = ("\(plain).\(text(fraction))", fraction.upperBound)
        } else if end - start <= 7 {
            // A number with one point is ambiguous, not wrong.
            return nil
        }
        return FilterError(.thousandsSeparator, "Write numbers without thousands separators: \(plain).", at: start..<end)
    }

    /// Reads the number around the decimal comma at `comma`, and returns it with a decimal point. `nil` without a digit on each side.
    func numberWithPoint(comma: Int) -> (text: String, range: Range<Int>)? {
        guard scalar(comma) == ",", digitsEnd(from: comma + 1) > comma + 1 else { return nil }
        let start = scalars[..<comma].lastIndex { !Self.isDigit($0) }.map { $0 + 1 } ?? 0
        guard start < comma, start == 0 || !Self.isPartOfWord(scalars[start - 1]) else { return nil }
        let range = start..<digitsEnd(from: comma + 1)
        return (text(range).replacing(",", with: "."), range)
    }

    /// The error for a whole number from `start` to `end`, followed by a letter such as `k` for thousands; `nil` for other text.
    private func unitError(at end: Int, from start: Int) -> FilterError? {
        guard let letter = scalar(end), let zeros = ["k": 3, "m": 6, "g": 9][String(letter).lowercased()], digitsEnd(from: start) == end,
            scalar(end + 1).map(Self.isPartOfWord) != true
        else { return nil }
        let number = text(start..<end) + String(repeating: "0", count: zeros)
        return FilterError(.numberUnit, "Write numbers without units: \(number).", at: start..<end + 1)
    }

    /// The error for an amount of money that starts at `start`, such as `€100`; `nil` for other text.
    func currencyError(at start: Int) -> FilterError? {
        guard let sign = scalar(start), sign.properties.generalCategory == .currencySymbol, let digit = scalar(start + 1),
            Self.isDigit(digit)
        else { return nil }
        var end = start + 1
        while let next = scalar(end), Self.isDigit(next) || next == "." || next == "," { end += 1 }
        return FilterError(.currencySign, "Write numbers without a currency sign, as in 12.5.", at: start..<end)
    }

    /// The strings of a text that consists only of words and quoted strings with spaces between them; otherwise `nil`. A word must not have
    /// a character of comparisons, such as `=`.
    var bareTexts: [(text: String, range: Range<Int>)]? {
        var texts: [(text: String, range: Range<Int>)] = []
        var position = 0
        while let first = scalar(position) {
            let start = position
            if Self.isBlank(first) {
                position += 1
            } else if first == "'" || first == "\"" {
                guard let token = try? token(after: start) else { return nil }
                position = token.range.upperBound
                switch token.kind {
                case .text(let content), .name(let content):
                    guard !content.isEmpty, scalar(position).map(Self.isBlank) ?? true else { return nil }
                    texts.append((content, token.range))
                default: return nil
                }
            } else {
                while let next = scalar(position), !Self.isBlank(next) {
                    let isDoubled = (next == "&" || next == "|") && scalar(position + 1) == next
                    guard !isDoubled, !"'\"=<>~!(),".unicodeScalars.contains(next) else { return nil }
                    position += 1
                }
                texts.append((text(start..<position), start..<position))
            }
        }
        return texts.isEmpty ? nil : texts
    }

    /// A value without quotes after `start`, such as a date: the longest text for which `isValue` is true. The text ends before a space, a
    /// comma or a parenthesis, and has at most 40 scalars.
    func unquotedText(after start: Int, where isValue: (String) -> Bool) -> FormulaToken? {
        var start = start
        while let next = scalar(start), Self.isBlank(next) { start += 1 }
        guard let first = scalar(start), Self.isDigit(first) || Self.isLetter(first) else { return nil }
        var ends: [Int] = []
        for position in start..<min(start + 40, scalars.count + 1) {
            guard let next = scalar(position) else {
                ends.append(position)
                break
            }
            if "'\"(".unicodeScalars.contains(next) { break }
            if Self.isBlank(next) || next == "," || next == ")" { ends.append(position) }
        }
        guard let end = ends.last(where: { isValue(text(start..<$0)) }) else { return nil }
        return FormulaToken(kind: .text(text(start..<end)), range: start..<end)
    }

    /// A size after `start`, such as `1.5G` or `3 mb`; `nil` for other text, including numbers without a unit. `1e` and `1E+6` are not
    /// sizes, because they start a number with an exponent.
    func size(after start: Int) -> FormulaToken? {
        var start = start
        while let next = scalar(start), Self.isBlank(next) { start += 1 }
        var end = digitsEnd(from: start)
        if scalar(end) == "." { end = digitsEnd(from: end + 1) }
        while let next = scalar(end), Self.isBlank(next) { end += 1 }
        let unit = end
        while let next = scalar(end), Self.isLetter(next) { end += 1 }
        if let next = scalar(end), Self.isPartOfWord(next) { return nil }
        if end == unit + 1, scalar(unit) == "e" { return nil }
        if end == unit + 1, scalar(unit) == "E", let sign = scalar(end), sign == "+" || sign == "-", digitsEnd(from: end + 1) > end + 1 {
            return nil
        }
        guard FieldBytes.withBytes(of: text(start..<end), { $0.sizeInBytes }) != nil else { return nil }
        return FormulaToken(kind: .number, range: start..<end)
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value &- 0x30 < 10 }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 || scalar == "_" || (scalar.value | 0x20) &- 0x61 < 26
    }

    /// True for a character that a name without quotes may contain.
    static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool { isLetter(scalar) || isDigit(scalar) || scalar == "." }

    private func scalar(_ position: Int) -> Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func digitsEnd(from position: Int) -> Int {
        var end = position
        while let next = scalar(end), Self.isDigit(next) { end += 1 }
        return end
    }

    /// The first token that starts at or after `start`.
    func token(after start: Int) throws(FilterError) -> FormulaToken {
        var start = start
        while let next = scalar(start), Self.isBlank(next) { start += 1 }
        guard let first = scalar(start) else { return FormulaToken(kind: .end, range: scalars.count..<scalars.count) }
        switch first {
        case "'", "\"": return try quoted(first, from: start)
        case "#":
            let end = digitsEnd(from: start + 1)
            guard let number = Int(text(start + 1..<end)), number > 0 else {
                throw FilterError(.expectedColumnNumber, "Expected a column number, as in #3.", at: start..<max(end, start + 1))
            }
            return FormulaToken(kind: .columnNumber(number), range: start..<end)
        case _ where Self.isDigit(first), "." where scalar(start + 1).map(Self.isDigit) == true:
            return try numberOrDate(from: start)
        case _ where Self.isLetter(first):
            var end = start + 1
            while let next = scalar(end), Self.isPartOfWord(next) { end += 1 }
            return FormulaToken(kind: .word(text(start..<end)), range: start..<end)
        default:
            let two = text(start..<min(start + 2, scalars.count))
            let same = ["==": "=", "<>": "!=", "!=": "!=", "<=": "<=", ">=": ">=", "!~": "!~", "&&": "&&", "||": "||"]
            if let symbol = ["=>": ">=", "=<": "<=", "=~": "~"][two] {
                throw FilterError(.unknownOperator, "Unknown operator \(two). Did you mean \(symbol)?", at: start..<start + 2)
            }
            if let error = FunctionHints.unknownOperatorError(String(first), at: start..<start + 1) { throw error }
            if let symbol = same[two] { return FormulaToken(kind: .symbol(symbol), range: start..<start + 2) }
            if "()=<>~!+-*/,".unicodeScalars.contains(first) {
                return FormulaToken(kind: .symbol(String(first)), range: start..<start + 1)
            }
            if first == "&" || first == "|" {
                let advice = first == "&" ? "Write “&&” or “and”. To join text, write concat(a, b)." : "Write “||” or “or”."
                throw FilterError(.unexpectedCharacter, "Unexpected character. \(advice)", at: start..<start + 1)
            }
            if let closing = ["`": "`", "[": "]"][String(first)],
                let end = scalars[(start + 1)...].firstIndex(where: { String($0) == closing })
            {
                let name = Formula.quoted(text(start + 1..<end))
                throw FilterError(.unquotedName, "Write the column name as \(name).", at: start..<end + 1)
            }
            throw FilterError(.unexpectedCharacter, "Unexpected character. Text goes in single quotes: 'text'.", at: start..<start + 1)
        }
    }

    /// The year or month after `start`; `nil` if the text there is longer, such as a full date, or an operand of arithmetic.
    func period(after start: Int) -> WrittenPeriod? {
        var start = start
        while let next = scalar(start), Self.isBlank(next) { start += 1 }
        let quote = scalar(start).flatMap { $0 == "'" || $0 == "\"" ? $0 : nil }
        let first = quote == nil ? start : start + 1
        var last = digitsEnd(from: first)
        // The start of the next year needs four digits, so 9999 is not accepted.
        guard last == first + 4, let year = Int(text(first..<last)), year < 9_999 else { return nil }
        var month: Int?
        if scalar(last) == "-", digitsEnd(from: last + 1) == last + 3 {
            month = Int(text(last + 1..<last + 3))
            guard let month, (1...12).contains(month) else { return nil }
            last += 3
        }
        let end = quote == nil ? last : last + 1
        if let quote, scalar(last) != quote { return nil }
        if let next = scalar(end), Self.isPartOfWord(next) || next == ":" { return nil }
        var rest = end
        while let next = scalar(rest), Self.isBlank(next) { rest += 1 }
        if let next = scalar(rest), "+-*/".unicodeScalars.contains(next) || Self.isDigit(next) { return nil }
        func moment(_ year: Int, _ month: Int) -> Int64 {
            Int64(CalendarDay(year: year, month: month, day: 1).daysSinceEpoch) * 86_400_000_000
        }
        let next = month.map { $0 < 12 ? (year, $0 + 1) : (year + 1, 1) } ?? (year + 1, 1)
        return WrittenPeriod(
            text: text(first..<last), start: moment(year, month ?? 1), end: moment(next.0, next.1), isQuoted: quote != nil,
            range: start..<end)
    }

    /// Reads text in quotes that starts at `start`. A doubled quote within it stands for one quote.
    private func quoted(_ quote: Unicode.Scalar, from start: Int) throws(FilterError) -> FormulaToken {
        var content = String.UnicodeScalarView()
        var position = start + 1
        while let next = scalar(position) {
            position += 1
            if next == quote {
                if scalar(position) != quote {
                    let text = String(content)
                    return FormulaToken(kind: quote == "'" ? .text(text) : .name(text), range: start..<position)
                }
                position += 1
            }
            content.append(next)
        }
        throw FilterError(.missingQuote, "Missing closing quote.", at: start..<start + 1)
    }

    private func numberOrDate(from start: Int) throws(FilterError) -> FormulaToken {
        if let moment = try dateOrTime(from: start) { return moment }
        var end = digitsEnd(from: start)
        if scalar(end) == "." { end = digitsEnd(from: end + 1) }
        if let mark = scalar(end), mark == "e" || mark == "E" {
            let sign = scalar(end + 1)
            let first = sign == "-" || sign == "+" ? end + 2 : end + 1
            if digitsEnd(from: first) > first { end = digitsEnd(from: first) }
        }
        if scalar(end) == "%" { end += 1 }
        if let next = scalar(end), Self.isLetter(next) || next == "." {
            if let error = pointGroupsError(at: start) ?? unitError(at: end, from: start) ?? dottedDateError(from: start) { throw error }
            throw FilterError(
                .unexpectedCharacter, "Unexpected character after a number. Text goes in single quotes: 'text'.", at: end..<end + 1)
        }
        guard FieldBytes.withBytes(of: text(start..<end), { $0.decimal() }) != nil else {
            throw FilterError(.notNumber, "Not a number.", at: start..<end)
        }
        return FormulaToken(kind: .number, range: start..<end)
    }

    /// The error for a date with points, such as 31.01.2024, before a column whose dates are not written in this way. `nil` for other text,
    /// such as the version 10.11.12: a date needs a year of four digits.
    private func dottedDateError(from start: Int) -> FilterError? {
        var end = start
        while let next = scalar(end), Self.isDigit(next) || next == "." { end += 1 }
        let written = text(start..<end)
        guard written.utf8.count <= 10, written.split(separator: ".").contains(where: { $0.utf8.count == 4 }),
            let date = FieldBytes.withBytes(of: written, { $0.temporal(.date, .dayFirst) })
        else { return nil }
        let plain = DateText.text(ofMicroseconds: date, kind: .date)
        return FilterError(
            .unexpectedCharacter, "Write the date as \(plain), or as text in quotes: '\(written)'.", at: start..<end)
    }

    /// The name of a kind of date or time and its form, for error messages.
    private static func errorPhrase(for kind: ValueKind) -> String {
        switch kind {
        case .time: "time. Write hours:minutes:seconds, as in 10:22:05"
        case .dateTime: "date and time. Write both as in 2024-01-31 10:22:05"
        default: "date. Write year-month-day, as in 2024-01-31"
        }
    }

    /// Reads a date, a time or both, if the text at `start` has one of these forms; otherwise returns `nil`.
    private func dateOrTime(from start: Int) throws(FilterError) -> FormulaToken? {
        let first = digitsEnd(from: start)
        func timeEnd(_ position: Int) -> Int? {
            let hour = digitsEnd(from: position)
            guard (1...2).contains(hour - position), scalar(hour) == ":", digitsEnd(from: hour + 1) > hour + 1 else { return nil }
            var end = digitsEnd(from: hour + 1)
            if scalar(end) == ":" { end = digitsEnd(from: end + 1) }
            if scalar(end) == "." { end = digitsEnd(from: end + 1) }
            return end
        }
        var end: Int
        var kind = ValueKind.date
        if first - start == 4, scalar(first) == "-", digitsEnd(from: first + 1) == first + 3, scalar(first + 3) == "-",
            digitsEnd(from: first + 4) == first + 6
        {
            end = first + 6
            if let mark = scalar(end), mark == "T" || mark == "t" || mark == " ", let time = timeEnd(end + 1) {
                (end, kind) = (time, .dateTime)
                if scalar(end) == "Z" || scalar(end) == "z" {
                    end += 1
                } else if let sign = scalar(end), sign == "+" || sign == "-" {
                    end = digitsEnd(from: end + 1)
                    if scalar(end) == ":" { end = digitsEnd(from: end + 1) }
                }
            }
        } else if let time = timeEnd(start) {
            (end, kind) = (time, .time)
        } else {
            return nil
        }
        let written = text(start..<end)
        guard let value = FieldBytes.withBytes(of: written, { $0.temporal(kind) }) else {
            throw FilterError(.invalidTime, "\(written) is not a \(Self.errorPhrase(for: kind)).", at: start..<end)
        }
        return FormulaToken(kind: .temporal(value, kind), range: start..<end)
    }
}
