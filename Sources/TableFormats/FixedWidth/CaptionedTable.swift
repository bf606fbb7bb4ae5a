import DelimitedText

/// The first table in the output of `netstat`. A line such as `Active UNIX domain sockets (w/o servers)` precedes each table. The tables
/// have different columns.
struct CaptionedTable {
    /// The line before the first table; `nil` if it was skipped.
    let caption: String?
    let layout: FixedWidthLayout
    /// The number of lines before the first row.
    var headLineCount: Int { (caption == nil ? 0 : 1) + layout.headerLines }

    /// Finds the first table. Returns `nil` unless a caption and titles, or titles, rows and a caption, are at the start of the lines.
    init?(_ lines: [ArraySlice<UInt8>], _ sniffer: FixedWidthSniffer) {
        guard let first = lines.first else { return nil }
        let start = Self.isCaption(first) ? 1 : 0
        let end = lines.dropFirst(start).firstIndex { Self.isCaption($0) } ?? lines.endIndex
        guard start == 1 || end < lines.endIndex, let layout = sniffer.layout(of: Array(lines[start..<end])), layout.hasColumnNames,
            layout.titles.count > 2
        else { return nil }
        caption = start == 1 ? String(decoding: first, as: UTF8.self) : nil
        self.layout = layout
    }

    static func isCaption(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        line.starts(with: "Active ".utf8) && line.last == UInt8(ascii: ")")
    }
}

/// Writes the rows of a ``CaptionedTable`` as comma-separated text, and counts the lines of other tables.
struct CaptionedTableRewriter: TextRewriter {
    private let notes: BoxNotes
    private let layout: FixedWidthLayout
    private var isStarted = false
    private var remainingHeadLineCount: Int
    private var isEnded = false
    private var lines = LineCollector()

    init(_ table: CaptionedTable, _ notes: BoxNotes) {
        (layout, remainingHeadLineCount, self.notes) = (table.layout, table.headLineCount, notes)
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        if !isStarted {
            RowText.append(layout.titles.map { Array($0.utf8) }, to: &output)
            isStarted = true
        }
        var lines = lines
        self.lines = LineCollector()
        var (rows, otherLines) = (0, 0)
        lines.forEachLine(of: bytes, isEnd: isEnd) { line in
            if remainingHeadLineCount > 0 {
                remainingHeadLineCount -= 1
            } else if line.allSatisfy({ $0 == 32 }) {
                return
            } else if isEnded || CaptionedTable.isCaption(line) {
                isEnded = true
                otherLines += 1
            } else {
                RowText.append(layout.texts(Array(line)), to: &output)
                rows += 1
            }
        }
        self.lines = lines
        notes.addRows(rows)
        notes.addFollowingLines(otherLines)
    }
}
