public import DelimitedText
import FieldValues
public import Tables

/// Tables of GitHub Flavored Markdown: cells between `|`, and a delimiter row of `-` below the titles.
public struct MarkdownFormat: TableFormat {
    /// The name used with `--format`: `markdown`.
    public var name: String { "markdown" }

    init() {}

    /// Opens a file with a line of titles and a delimiter row, possibly below a few lines of text.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        let bytes = try input.firstBytes(64 << 10)
        let isFirst = bytes.first(where: { $0 != 32 && $0 != 10 && $0 != 13 }) == UInt8(ascii: "|")
        guard isRequested || isFirst || !PlainLinesFormat.hasDelimitedSuffix(input.name) else { return nil }
        let lines = bytes.split(separator: 10, maxSplits: 1_000, omittingEmptySubsequences: false)
        guard let table = MarkdownTable(lines, isRequested: isRequested) else { return nil }
        guard table.hasOtherText else {
            let layout = MarkdownLayout(
                titles: table.titles.map { String(decoding: $0, as: UTF8.self) }, headerLines: table.titleLine + 2,
                hasOuterBars: table.hasOuterBars)
            return try LineSource(input.lines(), layout)
        }
        let notes = BoxNotes(caption: table.headings, precedingLines: table.otherLineCount)
        let rewriter = MarkdownRewriter(table, notes)
        return try BoxSource(input, by: rewriter, notes, hasColumnNames: true, kinds: [], format: "Markdown table")
    }
}

/// The layout of the lines of a Markdown table.
struct MarkdownLayout: LineLayout {
    let titles: [String]
    let headerLines: Int
    /// True if a bar precedes the first title.
    let hasOuterBars: Bool
    var hasColumnNames: Bool { true }
    var details: [(name: String, value: String)] { [("format", "Markdown table"), ("header", "first line")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        Self.forEachCell(of: line, maximum: titles.count, hasOuterBars: hasOuterBars) { cell in
            let cell = cell.trimmed
            if cell.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) {
                fields.append(copying: Self.unescaped(cell))
            } else {
                fields.append(trimming: cell)
            }
        }
    }

    /// The cells of a line, with escapes resolved. If the line has more than `maximum` cells, the last one contains the rest of the line.
    /// - Parameter hasOuterBars: true if the titles of the table are between bars.
    static func cells(_ line: [UInt8], maximum: Int = .max, hasOuterBars: Bool = true) -> [[UInt8]] {
        var cells: [[UInt8]] = []
        line.withUnsafeBufferPointer { line in
            forEachCell(of: line, maximum: maximum, hasOuterBars: hasOuterBars) { cells.append(unescaped($0.trimmed)) }
        }
        return cells
    }

    static func isRule(_ cell: [UInt8]) -> Bool {
        let dashes = cell.drop { $0 == UInt8(ascii: ":") }.prefix { $0 == UInt8(ascii: "-") }
        let rest = cell[dashes.endIndex...]
        return !dashes.isEmpty && dashes.startIndex <= 1 && (rest.isEmpty || rest.elementsEqual([UInt8(ascii: ":")]))
    }

    /// Calls `body` with the bytes of each cell, at most `maximum` times. The last call receives the rest of the line.
    private static func forEachCell(
        of line: UnsafeBufferPointer<UInt8>, maximum: Int, hasOuterBars: Bool, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void
    ) {
        var rest = line[...]
        while let last = rest.last, last == 32 || last == 9 || last == 13 { rest.removeLast() }
        rest = rest.trimmed
        // Without bars around the titles, a bar at either end of a row can be next to an empty cell.
        if hasOuterBars || barCount(of: rest) != maximum - 1 {
            if rest.first == UInt8(ascii: "|") { rest.removeFirst() }
            if rest.last == UInt8(ascii: "|"), !isEscaped(rest.endIndex - 1, in: rest) { rest.removeLast() }
        }
        var count = 1
        var start = rest.startIndex
        for index in rest.indices where count < maximum && rest[index] == UInt8(ascii: "|") && !isEscaped(index, in: rest) {
            body(rest[start..<index])
            start = index + 1
            count += 1
        }
        body(rest[start...])
    }

    /// The number of bars that are not escaped.
    private static func barCount(of line: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        line.indices.count(where: { line[$0] == UInt8(ascii: "|") && !isEscaped($0, in: line) })
    }

    /// True if an odd number of backslashes precedes the byte at `index`.
    private static func isEscaped(_ index: Int, in line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        line[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    private static let entities: [(name: [UInt8], byte: UInt8)] = [
        (Array("&amp;".utf8), UInt8(ascii: "&")), (Array("&lt;".utf8), UInt8(ascii: "<")), (Array("&gt;".utf8), UInt8(ascii: ">")),
        (Array("<br>".utf8), 10),
    ]

    /// The text as Markdown renders it: backslashes before punctuation, `&amp;`, `&lt;`, `&gt;` and `<br>` are resolved.
    private static func unescaped(_ cell: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var text: [UInt8] = []
        var index = cell.startIndex
        while index < cell.endIndex {
            let rest = cell[index...]
            if let entity = entities.first(where: { rest.starts(with: $0.name) }) {
                text.append(entity.byte)
                index += entity.name.count
            } else if cell[index] == UInt8(ascii: "\\"), index + 1 < cell.endIndex, isPunctuation(cell[index + 1]) {
                text.append(cell[index + 1])
                index += 2
            } else {
                text.append(cell[index])
                index += 1
            }
        }
        return text
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        (33...47).contains(byte) || (58...64).contains(byte) || (91...96).contains(byte) || (123...126).contains(byte)
    }
}
