public import DelimitedText
import FieldValues
public import Tables

/// Text without a table, such as prose and program code: one column with the lines.
public struct PlainLinesFormat: TableFormat {
    /// `lines`.
    public var name: String { "lines" }

    init() {}

    /// Opens an input that no delimiter divides consistently.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        guard try isRequested || isProse(input) else { return nil }
        return try LineSource(input.lines(), PlainLinesLayout())
    }

    private func isProse(_ input: DelimitedFile) throws -> Bool {
        let name = input.name.lowercased()
        guard ![".csv", ".tsv", ".tab", ".psv"].contains(where: name.hasSuffix) else { return false }
        let bytes = try input.firstBytes(64 << 10)
        var lines = bytes.split(separator: 10, maxSplits: 1_000, omittingEmptySubsequences: false)
        // The last line is empty or incomplete.
        lines.removeLast()
        let samples = lines.filter { $0.contains { $0 > 32 } }.map { LineSample($0, delimiter: input.dialect.delimiter) }
        guard samples.count >= 3 else { return false }
        func share(_ isCounted: (LineSample) -> Bool) -> Double { Double(samples.count(where: isCounted)) / Double(samples.count) }
        let spaces = Double(samples.reduce(0) { $0 + $1.spaces }) / Double(samples.count)
        if input.columnCount <= 1 { return spaces >= 3 }
        var counts = FieldTally()
        for sample in samples { counts.add(sample.delimiters) }
        let consistency = Double(counts.greatest) / Double(samples.count)
        switch input.dialect.delimiter {
        case UInt8(ascii: ":"):
            return share(\.hasLabel) > 0.2 || spaces >= 2 && (consistency < 0.9 || share(\.hasTime) > 0.3)
        case 32: return spaces >= 2 && consistency < 0.9
        case 9: return share { $0.delimiters > 0 && $0.delimiters == $0.indentation } > 0.8 * share { $0.delimiters > 0 }
        default:
            let all = samples.reduce(0) { $0 + $1.delimiters }
            let spaced = samples.reduce(0) { $0 + $1.spacedDelimiters }
            return spaces >= 2 && consistency < 0.8 && Double(spaced) > 0.7 * Double(all)
        }
    }
}

/// How many lines have each number of delimiters.
private struct FieldTally {
    private var lines: [Int: Int] = [:]

    mutating func add(_ delimiters: Int) { lines[delimiters, default: 0] += 1 }
    var greatest: Int { lines.values.max() ?? 0 }
}

/// The properties of a line that distinguish prose from tables.
private struct LineSample {
    /// The number of spaces after the first word.
    private(set) var spaces = 0
    private(set) var delimiters = 0
    /// The number of delimiters before a space or the end of the line.
    private(set) var spacedDelimiters = 0
    /// The number of delimiters before the first word.
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
    var titles: [String] { ["line"] }
    var hasTitles: Bool { false }
    var headerLines: Int { 0 }
    var facts: [(name: String, value: String)] { [("format", "lines of text"), ("header", "none")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) { fields.append(line[...]) }
}
