import DelimitedText

/// Writes the rows of a table in a Markdown document as comma-separated text. The table ends at a blank line.
struct MarkdownRewriter: TextRewriter {
    private let notes: BoxNotes
    private var titles: [[UInt8]]?
    private let columnCount: Int
    private let hasOuterBars: Bool
    /// The number of lines to skip before the first row.
    private var remainingHeadLineCount: Int
    private var isEnded = false
    private var lines = LineCollector()

    init(_ table: MarkdownTable, _ notes: BoxNotes) {
        (titles, columnCount, hasOuterBars) = (table.titles, table.titles.count, table.hasOuterBars)
        (remainingHeadLineCount, self.notes) = (table.titleLine + 2, notes)
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        if let titles {
            RowText.append(titles, to: &output)
            self.titles = nil
        }
        var lines = lines
        self.lines = LineCollector()
        var (rows, linesBelow) = (0, 0)
        lines.forEachLine(of: bytes, isEnd: isEnd) { line in
            if remainingHeadLineCount > 0 {
                remainingHeadLineCount -= 1
            } else if line.allSatisfy({ $0 == 32 || $0 == 9 }) {
                isEnded = true
            } else if isEnded {
                linesBelow += 1
            } else {
                RowText.append(MarkdownLayout.cells(Array(line), maximum: columnCount, hasOuterBars: hasOuterBars), to: &output)
                rows += 1
            }
        }
        self.lines = lines
        notes.addRows(rows)
        notes.addFollowingLines(linesBelow)
    }
}

/// A table found in the first lines of a Markdown document.
struct MarkdownTable {
    /// The index of the line with the titles.
    let titleLine: Int
    let titles: [[UInt8]]
    /// True if a bar precedes the first title.
    let hasOuterBars: Bool
    /// The headings above the table, without their `#` signs.
    private(set) var headings: [String] = []
    /// The number of lines above the table that are neither headings nor blank.
    private(set) var otherLineCount = 0
    /// True if other text is above or below the table.
    let hasOtherText: Bool

    /// The maximum number of lines before a table, unless the format is requested.
    private static let maximumTextLines = 20

    /// Finds the first table. Returns `nil` without one.
    init?(_ lines: [ArraySlice<UInt8>], isRequested: Bool) {
        guard let first = lines.firstIndex(where: { !Self.isBlank($0) }) else { return nil }
        // In a table of polars, `---` in each cell does not end the header, because the types of the columns follow.
        if !isRequested, lines[first].starts(with: BoxNotes.polarsPrefix.utf8) { return nil }
        var isCode = false
        var found: (line: Int, titles: [[UInt8]])?
        for (index, line) in lines.enumerated().dropLast().dropFirst(first) {
            if !isRequested, index > Self.maximumTextLines { break }
            if line.starts(with: "```".utf8) { isCode.toggle() }
            if !isCode, let titles = Self.titles(lines, at: index, isFirst: index == first, isRequested: isRequested) {
                found = (index, titles)
                break
            }
            if line.first == UInt8(ascii: "#") {
                let text = line.drop { $0 == UInt8(ascii: "#") || $0 == 32 }
                headings.append(String(decoding: text.last == 13 ? text.dropLast() : text, as: UTF8.self))
            } else if !Self.isBlank(line) {
                otherLineCount += 1
            }
        }
        guard let found else { return nil }
        (titleLine, titles) = found
        hasOuterBars = Self.startsWithBar(lines[titleLine])
        hasOtherText = titleLine > first || Self.hasTextBelow(lines[(titleLine + 2)...])
        // If text precedes the table, the line below the delimiter row must be a row.
        let row = lines.indices.contains(titleLine + 2) ? lines[titleLine + 2] : []
        if titleLine > first, !isRequested, !Self.startsWithBar(row) { return nil }
    }

    /// The titles in a line; `nil` if the line does not start a table.
    private static func titles(_ lines: [ArraySlice<UInt8>], at index: Int, isFirst: Bool, isRequested: Bool) -> [[UInt8]]? {
        let hasBar = lines[index].contains(UInt8(ascii: "|"))
        guard isFirst && (isRequested || hasBar) || startsWithBar(lines[index]) || isRequested && hasBar else { return nil }
        let rule = MarkdownLayout.cells(Array(lines[index + 1]))
        guard rule.allSatisfy(MarkdownLayout.isRule) else { return nil }
        // Without the outer bars, single dashes in the line below the titles can be values of a file with the delimiter `|`.
        guard isRequested || startsWithBar(lines[index]) || rule.count > 1 && rule.allSatisfy({ $0.count > 1 }) else { return nil }
        let titles = MarkdownLayout.cells(Array(lines[index]))
        return titles.count == rule.count ? titles : nil
    }

    /// True if text or another table follows a blank line.
    private static func hasTextBelow(_ lines: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        var isAfterBlank = false
        for (index, line) in zip(lines.indices, lines) {
            if isBlank(line) {
                isAfterBlank = true
            } else if isAfterBlank {
                if !startsWithBar(line) { return true }
                if index + 1 < lines.endIndex, titles(Array(lines[index...index + 1]), at: 0, isFirst: false, isRequested: false) != nil {
                    return true
                }
                isAfterBlank = false
            }
        }
        return false
    }

    private static func startsWithBar(_ line: ArraySlice<UInt8>) -> Bool { line.first { $0 != 32 } == UInt8(ascii: "|") }
    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 == 32 || $0 == 13 } }
}
