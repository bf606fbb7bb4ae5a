import DelimitedText

/// The first table in the output of `netstat`. A line such as `Active UNIX domain sockets (w/o servers)` precedes each table. The tables
/// have different columns. `netstat -c` repeats its tables.
struct CaptionedTable {
    /// The line before the first table; `nil` if it was skipped.
    let caption: [UInt8]?
    let layout: FixedWidthLayout
    /// The line with the titles.
    private let titleLine: [UInt8]
    /// The number of lines before the first row.
    var headLineCount: Int { (caption == nil ? 0 : 1) + layout.headerLines }

    /// Finds the first table. Returns `nil` unless the lines begin with a caption and titles, or with a table that a caption and titles
    /// follow.
    init?(_ lines: [ArraySlice<UInt8>], _ sniffer: FixedWidthSniffer) {
        guard let first = lines.first else { return nil }
        let start = Self.mayBeCaption(first) ? 1 : 0
        guard let titleLine = lines.dropFirst(start).first(where: { !$0.isEmpty }) else { return nil }
        let captions = lines.indices.dropFirst(start).filter { Self.mayBeCaption(lines[$0]) }
        let end = captions.first { $0 + 1 == lines.endIndex || Self.mayBeTitles(lines[$0 + 1], titleLine) } ?? lines.endIndex
        // The last line of the sample may be a row.
        guard start == 1 || end + 1 < lines.endIndex, let layout = sniffer.layout(of: Array(lines[start..<end])), layout.hasColumnNames,
            layout.titles.count > 2
        else { return nil }
        caption = start == 1 ? Array(first) : nil
        (self.layout, self.titleLine) = (layout, Array(titleLine))
    }

    /// True for a line such as `Active Internet connections (w/o servers)`. Its words are separated by single blanks. A row may have the
    /// same form, so the line is a caption only if it is the first line, or if titles follow.
    static func mayBeCaption(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        guard line.starts(with: "Active ".utf8), line.last == UInt8(ascii: ")"), let open = line.firstIndex(of: UInt8(ascii: "(")) else {
            return false
        }
        let words = line[..<open].split(separator: 32, omittingEmptySubsequences: false)
        // The text before the bracket ends with a blank.
        return words.count > 2 && words.last!.isEmpty && !words.dropLast().contains(where: \.isEmpty)
            && ["connections", "sockets"].contains { words[words.count - 2].elementsEqual($0.utf8) }
    }

    /// True if a line after a possible caption begins with the same word as the titles of the first table. In the output of `netstat`, this
    /// is `Proto`.
    private static func mayBeTitles(_ line: some Collection<UInt8>, _ titleLine: some Collection<UInt8>) -> Bool {
        line.drop { $0 == 32 }.prefix { $0 != 32 }.elementsEqual(titleLine.drop { $0 == 32 }.prefix { $0 != 32 })
    }

    func mayBeTitles(_ line: UnsafeBufferPointer<UInt8>) -> Bool { Self.mayBeTitles(line, titleLine) }

    /// True if a caption and titles are those of the first table.
    func isRepetition(_ caption: [UInt8], _ titles: UnsafeBufferPointer<UInt8>) -> Bool {
        titles.elementsEqual(titleLine) && (self.caption == nil || self.caption == caption)
    }
}

/// Writes the rows of a ``CaptionedTable`` as comma-separated text, and counts the lines of other tables.
struct CaptionedTableRewriter: TextRewriter {
    private let notes: BoxNotes
    private let table: CaptionedTable
    private var isStarted = false
    private var remainingHeadLineCount: Int
    /// True within another table.
    private var isInOtherTable = false
    /// A line that is a caption if titles follow.
    private var possibleCaption: [UInt8]?
    private var lines = LineCollector()
    private var (rowCount, otherLineCount) = (0, 0)

    init(_ table: CaptionedTable, _ notes: BoxNotes) {
        (self.table, remainingHeadLineCount, self.notes) = (table, table.headLineCount, notes)
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        if !isStarted {
            RowText.append(table.layout.titles.map { Array($0.utf8) }, to: &output)
            isStarted = true
        }
        var lines = lines
        self.lines = LineCollector()
        (rowCount, otherLineCount) = (0, 0)
        lines.forEachLine(of: bytes, isEnd: isEnd) { read($0, &output) }
        if isEnd { addPossibleCaption(&output) }
        self.lines = lines
        notes.addRows(rowCount)
        notes.addFollowingLines(otherLineCount)
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if remainingHeadLineCount > 0 {
            remainingHeadLineCount -= 1
            return
        }
        if let caption = possibleCaption, table.mayBeTitles(line) {
            possibleCaption = nil
            isInOtherTable = !table.isRepetition(caption, line)
            if isInOtherTable { otherLineCount += 2 }
            return
        }
        addPossibleCaption(&output)
        if line.allSatisfy({ $0 == 32 }) { return }
        if CaptionedTable.mayBeCaption(line) { possibleCaption = Array(line) } else { add(Array(line), &output) }
    }

    private mutating func addPossibleCaption(_ output: inout [UInt8]) {
        if let line = possibleCaption { add(line, &output) }
        possibleCaption = nil
    }

    private mutating func add(_ line: [UInt8], _ output: inout [UInt8]) {
        if isInOtherTable {
            otherLineCount += 1
        } else {
            RowText.append(table.layout.texts(line), to: &output)
            rowCount += 1
        }
    }
}
