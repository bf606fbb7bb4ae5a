public import DelimitedText
import FieldValues
public import Tables

/// Logs of programs: lines that begin with a time, mostly followed by a level and a message.
public struct LogFormat: TableFormat {
    /// The name used with `--format`: `log`.
    public var name: String { "log" }

    init() {}

    /// Opens an input whose first lines begin with a time, unless the lines look like the rows of a table.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        guard isRequested || !PlainLinesFormat.hasDelimitedSuffix(input.name) else { return nil }
        let evidence = try LogEvidence(input.firstBytes(64 << 10))
        guard isRequested || evidence.isLog(input) else { return nil }
        return try LineSource(input.lines(), evidence.layout)
    }
}

/// The layout of a program's log. A line that does not have this form has only a message.
struct LogLayout: LineLayout {
    /// The position of the level in a line.
    enum LevelPlace: Sendable, Equatable {
        case none
        /// Directly before or after the time.
        case atTime
        /// After the name of a process, thread or logger.
        case afterName
    }

    let level: LevelPlace
    /// The notation of the source that follows the level, such as the name of a logger; `nil` if lines have no source.
    let source: LogSource?
    let titles: [String]

    init(level: LevelPlace = .none, source: LogSource? = nil) {
        (self.level, self.source) = (level, source)
        var titles = ["time"]
        if level != .none { titles.append("level") }
        if level == .afterName { titles.append(source == nil ? "source" : "context") }
        if source != nil { titles.append("source") }
        self.titles = titles + ["message"]
    }

    var hasColumnNames: Bool { false }
    var headerLines: Int { 0 }
    var details: [(name: String, value: String)] { [("format", "log"), ("header", "none")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        let parts = LogParts(LogText(line), self)
        fields.append(line[parts.time])
        if level != .none { fields.append(line[parts.level]) }
        if level == .afterName { fields.append(line[parts.context]) }
        if source != nil { fields.append(line[parts.source]) }
        fields.append(line[parts.message...])
    }
}

/// The parts of a line: time, level, source and message. Missing parts are empty.
struct LogParts {
    private(set) var time = 0..<0
    private(set) var level = 0..<0
    private(set) var context = 0..<0
    private(set) var source = 0..<0
    /// The byte offset at which the message starts.
    private(set) var message = 0
    /// True if a `]` may end the source. This is so if the bracket of the time is still open after the level, or if a one-letter level
    /// precedes the time, as in `I0501 12:00:00.123456  1234 file.go:12] text`.
    private(set) var hasOpenBracket = false

    init(_ text: LogText, _ layout: LogLayout) {
        guard let start = LogStart(text) else { return }
        time = start.time.range
        message = text.endOfBlank(start.time.end)
        var after: Int
        if layout.level == .none {
            // If a level precedes the time, make the whole line the message. No column shows the level, so it would be lost otherwise.
            if start.level != nil { (time, message) = (0..<0, 0) }
            return
        } else if let found = start.level {
            guard start.process.isEmpty || layout.level == .afterName else {
                // No column shows the process.
                (time, message) = (0..<0, 0)
                return
            }
            let isAfterTime = found.word.lowerBound >= start.time.end
            (level, context) = (found.word, start.process)
            after = isAfterTime ? text.endOfBlank(found.end) : text.endOfSeparator(start.time.end)
        } else if let found = text.level(at: text.endOfSeparator(start.time.end), isInBrackets: start.time.hasOpenBracket) {
            (level, after) = (found.word, text.textStart(after: found))
        } else if layout.level == .afterName, let found = text.distantLevel(after: text.endOfSeparator(start.time.end)) {
            (level, context, after) = (found.level.word, found.before, text.textStart(after: found.level))
        } else {
            return
        }
        // The bracket that opened before the time may close after the level.
        hasOpenBracket = start.time.hasOpenBracket || start.level?.word.count == 1
        if start.time.hasOpenBracket, text.byte(after) == UInt8(ascii: "]") {
            (after, hasOpenBracket) = (text.endOfBlanks(after + 1), false)
        }
        message = after
        guard let style = layout.source, style != .bracket || hasOpenBracket, let found = text.source(style, at: after) else { return }
        (source, message) = (found.source, found.message)
    }
}

/// The start of a log line: the time, possibly with a level before it.
struct LogStart {
    private(set) var time: LogText.Time
    /// The level before the time or, if ``process`` is not empty, after it.
    private(set) var level: LogText.Level?
    /// The process before the time, as in logs of Redis.
    private(set) var process = 0..<0

    init?(_ text: LogText) {
        if let time = text.time(at: 0) {
            self.time = time
            return
        }
        if let (level, time) = text.leadingLevelAndTime() {
            (self.level, self.time) = (level, time)
            return
        }
        if let (process, time, level) = text.processTimeAndLevel() {
            (self.process, self.time, self.level) = (process, time, level)
            return
        }
        guard let level = text.level(at: 0), level.isMarked, let time = text.time(at: text.endOfSeparator(level.end)), time.hasDate else {
            return nil
        }
        (self.level, self.time) = (level, time)
    }
}

/// Properties of the first lines of an input. They decide if it is a log or a table.
struct LogEvidence {
    private var lines: [[UInt8]] = []
    private var texts: [Line] = []
    /// The layout that fits the lines.
    private(set) var layout = LogLayout()

    /// A line that begins with a time, followed by other text.
    private struct Line {
        let number: Int
        let start: LogStart
        let hasLevel: Bool
        let hasDistantLevel: Bool
    }

    private static let maximumLines = 1_000

    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            LogSample.forEachLine(of: bytes) { line in
                let text = LogText(line)
                if let start = LogStart(text), text.endOfBlanks(start.time.end) < line.count {
                    let next = text.endOfSeparator(start.time.end)
                    let hasLevel = start.level != nil || text.level(at: next, isInBrackets: start.time.hasOpenBracket) != nil
                    let hasDistant = hasLevel || text.distantLevel(after: next) != nil
                    texts.append(Line(number: lines.count, start: start, hasLevel: hasLevel, hasDistantLevel: hasDistant))
                }
                lines.append(Array(line))
                // The search ends after ten lines without a time, because most inputs are not logs.
                return lines.count < Self.maximumLines && (!texts.isEmpty || lines.count < 10)
            }
        }
        var level = LogLayout.LevelPlace.none
        // In logs of Redis, the process precedes the time, and no other source follows.
        if texts.count(where: { !$0.start.process.isEmpty }) * 5 > texts.count * 4 {
            layout = LogLayout(level: .afterName)
            return
        }
        if texts.count(where: \.hasLevel) * 5 >= texts.count * 4 {
            level = .atTime
        } else if texts.count(where: \.hasDistantLevel) * 10 >= texts.count * 9 {
            level = .afterName
        }
        if texts.isEmpty { level = .none }
        layout = LogLayout(level: level, source: level == .none ? nil : source(LogLayout(level: level)))
    }

    /// The notation of the source that all lines with a level have in common; `nil` if the lines differ.
    private func source(_ layout: LogLayout) -> LogSource? {
        var styles = LogSource.allCases
        var count = 0
        for line in texts {
            lines[line.number].withUnsafeBufferPointer { bytes in
                let text = LogText(bytes)
                let parts = LogParts(text, layout)
                guard !parts.level.isEmpty else { return }
                count += 1
                styles.removeAll { style in
                    text.source(style, at: parts.message) == nil || style == .bracket && !parts.hasOpenBracket
                }
            }
            if styles.isEmpty { return nil }
        }
        return count >= 2 || styles.first == .bracket ? styles.first : nil
    }

    /// True if the lines are a log and not a table.
    func isLog(_ input: DelimitedFile) -> Bool {
        guard let first = texts.first else { return false }
        let hasLevels = layout.level != .none
        // A log with levels needs few lines with a time, because most of its lines may be stack traces.
        guard texts.count * 2 >= lines.count || hasLevels && first.number == 0 && texts.count * 20 >= lines.count else { return false }
        // A log without levels needs dates, because lines of some tables, such as the output of sar, begin with a time of day.
        guard hasLevels || texts.count(where: { $0.start.time.hasDate }) * 5 >= texts.count * 4 else { return false }
        return !isDelimited(by: input.dialect.delimiter) && !hasRegularWords
    }

    /// True if the text after the time is divided regularly by a delimiter.
    private func isDelimited(by delimiter: UInt8) -> Bool {
        let hasLevels = layout.level != .none
        switch delimiter {
        case 9 where layout.source == .tab: return !texts.allSatisfy { hasCaller(textAfterTime($0)) }
        case 9, UInt8(ascii: "|"), UInt8(ascii: ","), UInt8(ascii: ";"): break
        default: return false
        }
        var counts: [Int: Int] = [:]
        for line in texts { counts[textAfterTime(line).count { $0 == delimiter }, default: 0] += 1 }
        guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), usual.key > 0,
            usual.value * 10 >= texts.count * 9
        else { return false }
        switch delimiter {
        // A logger that separates its parts with `|` writes two: one before the level and one after it.
        case UInt8(ascii: "|"): return !hasLevels || usual.key > 2
        case 9: return true
        default: return !hasLevels
        }
    }

    /// True if the second or third field after the time is a file and a line, as in `INFO<tab>app/main.go:12<tab>text`.
    private func hasCaller(_ rest: ArraySlice<UInt8>) -> Bool {
        let fields = rest.split(separator: 9, omittingEmptySubsequences: true)
        guard fields.count >= 3 else { return false }
        return fields[1...].prefix(2).contains { field in
            guard let colon = field.lastIndex(of: UInt8(ascii: ":")), field[..<colon].contains(UInt8(ascii: ".")) else { return false }
            let line = field[(colon + 1)...]
            return !line.isEmpty && line.allSatisfy { (48...57).contains($0) }
        }
    }

    /// True if the words after the time, or after the level, look like the columns of a table.
    private var hasRegularWords: Bool {
        if layout.level == .afterName || layout.source != nil || texts.allSatisfy({ $0.start.time.isBracketed }) { return false }
        let rows = texts.map { line -> ArraySlice<UInt8> in
            if layout.level == .none { return textAfterTime(line) }
            return lines[line.number].withUnsafeBufferPointer { line in LogParts(LogText(line), layout).message }.suffix(
                of:
                    lines[line.number])
        }.map(WordTable.words)
        var counts: [Int: Int] = [:]
        for row in rows { counts[row.count, default: 0] += 1 }
        guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return false }
        let width = usual.key
        func isNumeric(_ column: Int) -> Bool { rows.count { $0.count > column && $0[column].isNumber } * 10 >= rows.count * 9 }
        let isRegular = usual.value * 10 >= rows.count * 9 && width > 0
        let numbers = (0..<width).count(where: isNumeric)
        if layout.level != .none { return isRegular && width > 1 && numbers * 2 > width }
        let all = rows.joined()
        if all.count(where: \.isNumber) * 10 >= all.count * 7 { return true }
        if WordTable.repeatsWords(rows[...]) { return false }
        if isRegular, numbers > 0 || rows.count >= 5 && usual.value == rows.count { return true }
        // Some tables have aligned columns after the time, such as the output of `aws s3 ls`.
        guard texts.count == lines.count, texts.count > 1 else { return false }
        let indents = Set(texts.map { textAfterTime($0).prefix { $0 == 32 }.count })
        if indents.count > 1, isNumeric(0) { return true }
        let isAligned = ColumnGaps(texts.map(textAfterTime), minimumNarrowLines: .max)?.isPadded == true
        return isAligned && (texts.count >= 10 || texts.count > 2 && (0..<width).contains(where: isNumeric))
    }

    /// The text of a line after its time.
    private func textAfterTime(_ line: Line) -> ArraySlice<UInt8> {
        lines[line.number][min(line.start.time.end, lines[line.number].count)...]
    }
}

extension Int {
    /// The elements of `bytes` from this offset; empty if the offset is beyond the end.
    fileprivate func suffix(of bytes: [UInt8]) -> ArraySlice<UInt8> { bytes[Swift.min(self, bytes.count)...] }
}

extension ArraySlice<UInt8> {
    /// True for a number, a date or a time. It may be followed by a unit of at most three letters. The numbers of list items, such as `1.`,
    /// are text.
    var isNumber: Bool {
        var word = self
        if let first = word.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") || first == UInt8(ascii: "$") {
            word.removeFirst()
        }
        if word.first == UInt8(ascii: ".") { word.removeFirst() }
        guard let first = word.first, let last = word.last, (48...57).contains(first) else { return false }
        switch last {
        case UInt8(ascii: "."), UInt8(ascii: ")"), UInt8(ascii: ":"), UInt8(ascii: ","): return false
        default: break
        }
        var letters = 0
        for byte in word {
            switch byte {
            case 48...57, UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "+"),
                UInt8(ascii: "%"), UInt8(ascii: "_"):
                break
            case 65...90, 97...122: letters += 1
            default: return false
            }
        }
        return letters <= 3
    }
}
