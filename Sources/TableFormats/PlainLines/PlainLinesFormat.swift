public import DelimitedText
import FieldValues
public import Tables

/// Text that is not a table, such as lists, prose and program code. It opens with one column, which contains the lines.
public struct PlainLinesFormat: TableFormat {
    /// The name used with `--format`: `lines`.
    public var name: String { "lines" }

    init() {}

    /// Opens an input that no delimiter divides consistently, or a list without a header.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        guard try isRequested || isText(input) else { return nil }
        let lines = try input.lines()
        // The first line is the title only if the user has requested a header.
        guard input.requestedHeader == true, let first = try lines.snapshot().records(0..<min(1, lines.snapshot().recordCount)).first else {
            return try LineSource(lines, PlainLinesLayout())
        }
        return try LineSource(lines, PlainLinesLayout(title: first.fields.first?.text ?? ""))
    }

    private func isText(_ input: DelimitedFile) throws -> Bool {
        guard input.columnCount > 0, !Self.hasDelimitedSuffix(input.name) else { return false }
        let bytes = try input.firstBytes(64 << 10)
        var lines = bytes.split(separator: 10, maxSplits: 1_000, omittingEmptySubsequences: false)
        // The last line is ignored, because it may be incomplete.
        if lines.count > 1 { lines.removeLast() }
        lines = lines.map { $0.last == 13 ? $0.dropLast() : $0 }.filter { $0.contains { $0 > 32 } }
        if lines.isEmpty { return false }
        // If most lines have no delimiter, the remaining lines are not evidence of a table.
        let divided = lines.count { $0.contains(input.dialect.delimiter) }
        if input.columnCount == 1 || divided * 2 < lines.count, isList(input, lines) { return true }
        // A single line of a pipe proves nothing, because later lines may show that the input is a table.
        let isOneLine = lines.count == 1 && input.isGrowing
        // Blanks that align words, as in a line of `ls -l` or `who`, do not separate fields.
        if input.dialect.delimiter == 32, input.requestedHeader != true, lines.count < Self.minimumProseLines, !isOneLine,
            !input.dialect.hasHeader, lines.contains(where: Self.hasWideBlanks)
        {
            return true
        }
        if input.dialect.delimiter == 32, input.columnCount > 1, input.requestedHeader != true, !isOneLine {
            let words = WordTable(lines)
            if !words.isTable { return true }
            if words.isRegular { return false }
        }
        return isProse(input, lines)
    }

    /// True if a file name has a suffix of delimited text. A suffix of a compression, such as `.gz`, may follow.
    static func hasDelimitedSuffix(_ name: String) -> Bool {
        let name = name.lowercased()
        let compressed = [".gz", ".zst", ".xz", ".lzma", ".bz2", ".lz4"].first(where: name.hasSuffix)
        let plain = name.dropLast(compressed?.count ?? 0)
        return [".csv", ".tsv", ".tab", ".psv"].contains(where: plain.hasSuffix)
    }

    /// True if the lines are a list without a header and without quotes. Text in the first line is a header only if most other lines are
    /// numbers, dates or flags.
    private func isList(_ input: DelimitedFile, _ lines: [ArraySlice<UInt8>]) -> Bool {
        if input.requestedHeader == true || input.dialect.quote.map({ quote in lines.contains { $0.first == quote } }) == true {
            return false
        }
        guard input.dialect.hasHeader, lines.count > 1 else { return true }
        func isValue(_ line: ArraySlice<UInt8>) -> Bool { HeaderSniffer.isValue(HeaderSniffer.trimmingBlanksAndQuotes(line)) }
        return isValue(lines[0]) || lines.dropFirst().count(where: isValue) * 2 <= lines.count - 1
    }

    /// The minimum number of lines for which equal numbers of delimiters are evidence of a table, and different numbers are evidence of
    /// prose.
    private static let minimumProseLines = 3

    /// True if a line has words that are not numbers, and several blanks between two words.
    private static func hasWideBlanks(_ line: ArraySlice<UInt8>) -> Bool {
        let text = line.drop { $0 == 32 }
        guard let last = text.lastIndex(where: { $0 != 32 }) else { return false }
        let words = text[...last].split(separator: 32, omittingEmptySubsequences: false)
        return words.contains(where: \.isEmpty) && words.contains { !$0.isEmpty && !HeaderSniffer.isValue($0) }
    }

    private func isProse(_ input: DelimitedFile, _ lines: [ArraySlice<UInt8>]) -> Bool {
        let samples = lines.map { LineSample($0, delimiter: input.dialect.delimiter) }
        guard samples.count >= Self.minimumProseLines else {
            return input.dialect.delimiter == UInt8(ascii: ":") && samples.allSatisfy { $0.hasLabel && $0.spaces > 0 }
        }
        func share(_ isCounted: (LineSample) -> Bool) -> Double { Double(samples.count(where: isCounted)) / Double(samples.count) }
        let spaces = Double(samples.reduce(0) { $0 + $1.spaces }) / Double(samples.count)
        if input.columnCount <= 1 { return spaces >= 3 && input.requestedHeader != true }
        var counts = FieldCountHistogram()
        for sample in samples { counts.add(sample.delimiters) }
        let consistency = Double(counts.largestCount) / Double(samples.count)
        switch input.dialect.delimiter {
        case UInt8(ascii: ":"):
            // A colon at the end of a line marks a label, or precedes an empty field, as in /etc/group. Only lines with spaces can have
            // labels.
            return spaces >= 0.5 && share(\.hasLabel) > 0.2 || spaces >= 2 && (consistency < 0.9 || share(\.hasTime) > 0.3)
        case 32: return spaces >= 2 && consistency < 0.9
        case 9: return share { $0.delimiters > 0 && $0.delimiters == $0.indentation } > 0.8 * share { $0.delimiters > 0 }
        default:
            let all = samples.reduce(0) { $0 + $1.delimiters }
            let beforeSpace = samples.reduce(0) { $0 + $1.spacedDelimiters }
            return spaces >= 2 && consistency < 0.8 && Double(beforeSpace) > 0.7 * Double(all)
        }
    }
}

/// Lines divided into words. Some text has the same number of words in each line by chance; this type distinguishes it from tables.
struct WordTable {
    private let rows: [[ArraySlice<UInt8>]]
    /// The rows below the first one, which may be a header.
    private let data: ArraySlice<[ArraySlice<UInt8>]>

    private let lines: [ArraySlice<UInt8>]

    /// The minimum number of lines for which equal word counts are unlikely to be chance.
    private static let manyLinesCount = 10

    init(_ lines: [ArraySlice<UInt8>]) {
        self.lines = lines
        rows = lines.map(Self.words)
        data = rows.count > 1 ? rows.dropFirst() : rows[...]
    }

    /// True if there is evidence of a table. A column of numbers is evidence in these cases:
    /// - The first line is a header.
    /// - Most columns contain numbers.
    /// - The lines do not repeat the same words. Lines of log messages do.
    ///
    /// Without numbers, the evidence is many lines with the same number of aligned words.
    var isTable: Bool {
        let width = rows.map(\.count).min() ?? 0
        let usual = data.map(\.count).max() ?? 0
        let numeric = (0..<usual).filter { column in data.count { $0.count > column && $0[column].isNumber } * 5 >= data.count * 4 }
        // One number in a single line is not evidence of a table.
        guard data.count > 1 else { return numeric.count * 3 >= usual }
        if numeric.isEmpty {
            return width > 2 && data.count >= Self.manyLinesCount && rows.allSatisfy { $0.count == width } && isAligned(width)
        }
        let hasHeader = rows[0].count >= usual && !rows[0].contains(where: \.isNumber)
        return hasHeader || numeric.count * 2 > usual || !Self.repeatsWords(data)
    }

    /// True if the words of all lines start at the same positions, and few positions have the same word in all lines.
    private func isAligned(_ width: Int) -> Bool {
        !Self.repeatsWords(rows[...]) && ColumnGaps(lines, minimumNarrowLines: 1)?.ranges.count == width - 1
    }

    /// True if lines have the same words at many positions, as program messages and repeated sentences do.
    static func repeatsWords(_ rows: ArraySlice<[ArraySlice<UInt8>]>) -> Bool {
        guard rows.count > 2, let first = rows.first else { return false }
        let width = rows.map(\.count).min() ?? 0
        let equal = (0..<width).count { column in
            first[column].contains { $0 | 32 >= 97 && $0 | 32 <= 122 } && rows.allSatisfy { $0[column] == first[column] }
        }
        return rows.count < manyLinesCount ? equal * 2 >= width && equal > 0 : equal * 3 >= width && equal > 0
    }

    /// True if nearly all lines have the same number of words, or if most words are numbers.
    var isRegular: Bool {
        let words = data.joined()
        if words.count(where: \.isNumber) * 10 >= words.count * 7 { return true }
        var counts = FieldCountHistogram()
        for row in rows { counts.add(row.count) }
        return counts.largestCount * 10 >= rows.count * 9
    }

    /// The words of a line. A string in quotes is one word.
    static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var rest = line
        while true {
            rest = rest.drop { $0 == 32 || $0 == 9 }
            guard let first = rest.first else { return words }
            var end = rest.firstIndex { $0 == 32 || $0 == 9 } ?? rest.endIndex
            if first == UInt8(ascii: "\""), let close = rest.dropFirst().firstIndex(of: first) { end = max(end, close + 1) }
            words.append(rest[..<end])
            rest = rest[end...]
        }
    }
}

/// Counts the lines that have the same number of delimiters or words.
private struct FieldCountHistogram {
    /// The number of lines for each number of fields.
    private var lineCounts: [Int: Int] = [:]

    mutating func add(_ fields: Int) { lineCounts[fields, default: 0] += 1 }
    /// The number of lines that have the most common number of fields.
    var largestCount: Int { lineCounts.values.max() ?? 0 }
}

/// Counts in one line of text that distinguish prose from tables.
private struct LineSample {
    /// The number of gaps between words. Several spaces in a row are one gap.
    private(set) var spaces = 0
    private(set) var delimiters = 0
    /// The number of delimiters before a space or the end of the line.
    private(set) var spacedDelimiters = 0
    /// The number of delimiters at the start of the line, before the first word.
    private(set) var indentation = 0
    /// True if a colon is followed by a space or the end of the line.
    private(set) var hasLabel = false
    /// True if a colon is between digits.
    private(set) var hasTime = false

    init(_ line: ArraySlice<UInt8>, delimiter: UInt8) {
        var isIndented = true
        func isDigit(_ index: Int) -> Bool { line.indices.contains(index) && (48...57).contains(line[index]) }
        for (index, byte) in zip(line.indices, line) {
            let next = index + 1 < line.endIndex ? line[index + 1] : 13
            if byte > 32 { isIndented = false }
            if byte == 32, !isIndented, next != 32, next != 13 { spaces += 1 }
            if byte == delimiter {
                delimiters += 1
                if isIndented { indentation += 1 }
                if next == 32 || next == 13 { spacedDelimiters += 1 }
            }
            guard byte == UInt8(ascii: ":") else { continue }
            if next == 32 || next == 13 { hasLabel = true }
            if isDigit(index - 1), isDigit(index + 1) { hasTime = true }
        }
    }
}

/// The layout of lines that are not divided.
struct PlainLinesLayout: LineLayout {
    /// The column name, if the first line is a header; otherwise `nil`.
    var title: String?
    var titles: [String] { [title ?? "line"] }
    var hasColumnNames: Bool { title != nil }
    var headerLines: Int { hasColumnNames ? 1 : 0 }
    var isUndivided: Bool { true }
    var canHaveHeader: Bool { true }
    var details: [(name: String, value: String)] { [("format", "lines of text"), ("header", hasColumnNames ? "first line" : "none")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) { fields.append(line[...]) }
}
