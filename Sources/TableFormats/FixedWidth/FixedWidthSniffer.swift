import DelimitedText
import FieldValues

/// Detects the layout of aligned text from its first lines.
struct FixedWidthSniffer {
    /// True if the user requested the format. A single blank in all lines is then a gap.
    var isRequested = false
    /// True if the first line has the titles, false if it is a record; `nil` to detect which.
    var header: Bool?
    /// The delimiter, if the text seems to be delimited; `nil` if only blanks can separate its columns. A line that contains the delimiter
    /// is not read as titles.
    var delimiter: UInt8?

    /// The maximum number of lines before a table. Titles further down are not searched for.
    private static let maximumPrecedingLines = 10
    /// The maximum number of remarks below a short table. A longer table can have as many remarks as it has lines.
    private static let maximumRemarks = 10
    /// If there is little other evidence, text is a table only with at least this many gaps wider than one blank. With fewer such gaps, its
    /// words may be aligned by chance.
    private static let minimumClearGaps = 3
    /// The value of ``minimumClearGaps`` for text of only two lines.
    private static let minimumClearGapsOfTwoLines = 2
    /// The minimum number of lines with a gap of one blank. In fewer lines, words may be aligned by chance.
    private static let minimumNarrowLines = 6
    /// The maximum number of lines of a remark that may cross the gaps of a table above it.
    private static let maximumShortRemarks = 2

    /// The layout of a table whose columns are aligned by characters, as pandas does, or by terminal cells, as `column -t` does; `nil` for
    /// other text. They differ in text with wide characters or combining marks. The layout with titles, more columns or wider gaps is used.
    func layoutInCharactersOrCells(of lines: [ArraySlice<UInt8>]) -> FixedWidthLayout? {
        let layout = self.layout(of: lines)
        guard lines.contains(where: { $0.contains { $0 >= CellWidths.firstLead } }) else { return layout }
        let padded = lines.map { CellWidths.padded($0) }
        guard padded != lines, var inCells = self.layout(of: padded), !inCells.gaps.isEmpty else { return layout }
        func clarity(_ layout: FixedWidthLayout) -> (Int, Int, Int) {
            (layout.hasColumnNames ? 1 : 0, layout.titles.count, layout.gaps.reduce(0) { $0 + $1.count })
        }
        if let layout, clarity(inCells) <= clarity(layout) { return layout }
        inCells.measuresCells = true
        if inCells.hasColumnNames, let line = lines.firstIndex(where: { !$0.isEmpty }), padded[line] != lines[line] {
            inCells.titles = inCells.texts(Array(lines[line])).map { String(decoding: $0, as: UTF8.self) }
        }
        return inCells
    }

    /// The layout of a table that starts with the first of `lines`; `nil` for other text.
    func layout(of lines: [ArraySlice<UInt8>]) -> FixedWidthLayout? {
        if let header {
            // If titles are recognized, the columns are the same whether the user requested a header or no header.
            var sniffer = self
            sniffer.header = nil
            if var layout = sniffer.layout(of: lines), layout.hasColumnNames {
                if !header { layout.dropHeader() }
                return layout
            }
        }
        let blankLines = lines.prefix(while: \.isEmpty).count
        if blankLines > 0 {
            var layout = self.layout(of: Array(lines[blankLines...]))
            // Blank lines before titles are not records.
            if layout?.hasColumnNames == true { layout?.headerLines += blankLines }
            return layout
        }
        guard let first = lines.first, delimiter.map(first.contains) != true else { return nil }
        let lines = Self.separatingLastTitle(lines)
        if header != false, let layout = layoutUnderTitles(lines) { return layout }
        let found = layoutAtGaps(lines)
        // The gaps that all lines share may be too few, because wide numbers cross a gap, or too many, because words in the values are
        // aligned. Therefore, they are compared with the titles.
        let titleCount = found.map { $0.hasColumnNames ? $0.titles.count : 0 } ?? 0
        if let found, let layout = Self.layoutJoiningTimes(lines, found) { return layout }
        if header != false,
            let layout = FixedWidthLayout(oneWordUnderEachTitle: lines) ?? FixedWidthLayout(columnsBetweenTitles: lines),
            layout.titles.count > titleCount
        {
            return layout
        }
        if header != true, delimiter == nil, titleCount == 0, let layout = FixedWidthLayout(wordsInAllLines: lines),
            layout.titles.count != found?.titles.count
        {
            return layout
        }
        return found
    }

    /// The layout in which the first two columns of `layout` are one: dates and times below one title. `nil` for other columns.
    private static func layoutJoiningTimes(_ lines: [ArraySlice<UInt8>], _ layout: FixedWidthLayout) -> FixedWidthLayout? {
        guard layout.hasColumnNames, layout.titles.first == "", let joined = FixedWidthLayout(columnsBetweenTitles: lines),
            joined.titles == Array(layout.titles.dropFirst()),
            lines.dropFirst().allSatisfy({ isTime(joined.texts(Array($0))[0]) })
        else { return nil }
        return joined
    }

    private static func isTime(_ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { FieldBytes(start: $0.baseAddress, count: $0.count).temporal(.dateTime, .iso) != nil }
    }

    /// The layout of a table whose columns all lines divide at the same positions, except for a short remark after a blank line, as in the
    /// output of `last`.
    private func layoutAtGaps(_ lines: [ArraySlice<UInt8>]) -> FixedWidthLayout? {
        let minimumNarrowLines = isRequested ? 1 : Self.minimumNarrowLines
        var lines = lines
        var found = ColumnGaps(lines, minimumNarrowLines: minimumNarrowLines)
        if let end = lines.lastIndex(where: \.isEmpty), end > 2, lines.count - end <= Self.maximumShortRemarks + 1,
            let gaps = ColumnGaps(Array(lines[..<end]), minimumNarrowLines: minimumNarrowLines),
            gaps.paddedCount >= max(Self.minimumClearGaps, 1 + (found?.paddedCount ?? 0))
        {
            (found, lines) = (gaps, Array(lines[..<end]))
        }
        guard let gaps = found, let layout = layoutAtGaps(gaps, lines) else { return nil }
        // If a delimiter also divides the text, only columns with titles and padding show that the widths are fixed.
        return delimiter == nil || layout.hasColumnNames && gaps.paddedCount >= Self.minimumClearGaps ? layout : nil
    }

    /// The layout of a table whose titles and aligned values identify it, such as the output of `docker ps`; `nil` for other text.
    ///
    /// Remarks after a blank line, such as those below the list of `systemctl`, may have another layout. They are also records.
    private func layoutUnderTitles(_ lines: [ArraySlice<UInt8>]) -> FixedWidthLayout? {
        let end = lines.firstIndex(where: \.isEmpty) ?? lines.endIndex
        // The first paragraph of a text or of program code proves nothing about the paragraphs after it.
        let mayHaveRemarks = end < lines.endIndex && lines.count - end <= max(Self.maximumRemarks, end)
        for part in mayHaveRemarks ? [lines, Array(lines[..<end])] : [lines] {
            if let layout = FixedWidthLayout(valuesUnderTitles: part, isRequested: header == true) { return layout }
            if let layout = FixedWidthLayout(wordsUnderTitles: part) { return layout }
        }
        return FixedWidthLayout(numbersUnderTitles: lines)
    }

    private func layoutAtGaps(_ gaps: ColumnGaps, _ lines: [ArraySlice<UInt8>]) -> FixedWidthLayout? {
        guard isRequested || gaps.isPadded && lines.count >= 3 || gaps.paddedCount >= Self.minimumClearGapsOfTwoLines && lines.count == 2
        else { return nil }
        var layout = FixedWidthLayout(gaps: gaps.ranges)
        var rows = Self.rows(lines, layout)
        let isRuled = rows.count > 1 && lines.count > 1 && ColumnGaps.isRule(lines[1])
        if header != false, !isRuled, rows[0].last == [], let last = rows[0].lastIndex(where: { !$0.isEmpty }), last > 0,
            !Self.hasMostlyValues(last, rows)
        {
            // Text below the last title may contain aligned blanks by chance. It is read as one column if the first line has titles and
            // some columns have values.
            let whole = FixedWidthLayout(gaps: Array(gaps.ranges.prefix(last)))
            let wholeRows = Self.rows(lines, whole)
            if Self.hasHeader(wholeRows), !Self.valueColumns(wholeRows).isEmpty { (layout, rows) = (whole, wholeRows) }
        }
        layout.hasColumnNames = header ?? (isRuled || Self.hasHeader(rows))
        guard isRequested || lines.count >= 3 || layout.hasColumnNames || !rows.contains(where: { $0.contains([]) }) else { return nil }
        layout.headerLines = layout.hasColumnNames ? (isRuled ? 2 : 1) : 0
        layout.titles =
            layout.hasColumnNames ? rows[0].map { String(decoding: $0, as: UTF8.self) } : rows[0].indices.map { "column \($0 + 1)" }
        return layout
    }

    private static func rows(_ lines: [ArraySlice<UInt8>], _ layout: FixedWidthLayout) -> [[[UInt8]]] {
        lines.filter { !$0.isEmpty }.prefix(100).map { layout.texts(Array($0)) }
    }

    /// True if the first row has titles.
    private static func hasHeader(_ rows: [[[UInt8]]]) -> Bool {
        // The index column of a printed data frame has no title.
        let isIndexed = rows[0][0].isEmpty && rows.dropFirst().count { $0[0].isEmpty } * 5 < rows.count
        return !rows[0][(isIndexed ? 1 : 0)...].contains([]) && !hasEqualLengths(rows)
            && HeaderSniffer.hasHeader(rows.map { $0.map { $0[...] } })
    }

    /// True if all fields of some column have the same length of at least 12 bytes, such as checksums. The first row is then a record, not
    /// a header.
    private static func hasEqualLengths(_ rows: [[[UInt8]]]) -> Bool {
        rows.count > 2
            && rows[0].indices.contains { column in
                rows[0][column].count >= 12 && rows.allSatisfy { $0[column].count == rows[0][column].count }
            }
    }

    // MARK: Titles without a blank before them

    /// The lines, with a blank inserted before the last title if it is attached to the previous title, as in the output of `ss -tlnp`:
    /// `Peer Address:PortProcess`. All values below such a title begin one place after its start.
    private static func separatingLastTitle(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        guard lines.count > 1, let header = lines.first.map(Array.init), header.count < 10_000, !header.contains(where: { $0 >= 0x80 }),
            let start = header.indices.dropFirst(2).last(where: { index in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= header[index] && UInt8(ascii: "a")...UInt8(ascii: "z") ~= header[index - 1]
            }), !header[start...].split(separator: 32).dropFirst().contains(where: { !$0.isEmpty }), header[..<start].contains(32)
        else { return lines }
        let rows = lines.dropFirst().prefix(500).filter { !$0.isEmpty }.map { Array($0) }
        let values = rows.filter { $0.dropFirst(start).contains { $0 != 32 } }
        guard !values.isEmpty, rows.allSatisfy({ !$0.dropFirst(start - 1).prefix(2).contains { $0 != 32 } }),
            values.allSatisfy({ $0.count > start + 1 && $0[start + 1] != 32 })
        else { return lines }
        return [(header[..<start] + [32] + header[start...])[...]] + lines.dropFirst()
    }

    // MARK: Lines before the table

    /// The number of lines before a table with titles, such as the summary of `top`; `nil` if no such table is found.
    ///
    /// Below the titles, at least two columns must have numbers, dates or similar values. Instead, the titles may be in capital letters or
    /// have a line of dashes below them. If several lines may have the titles, the first one with the most titles is used. Without titles,
    /// lines with the same number of words, most of which are numbers, are a table.
    /// - Parameter layout: the layout of all lines. A table is ignored if it has fewer columns than this layout, or as many if this layout
    ///   already has titles.
    func lineCountBeforeTable(_ lines: [ArraySlice<UInt8>], unlike layout: FixedWidthLayout?) -> Int? {
        var best: Int?
        var titles = layout.map { $0.titles.count - ($0.hasColumnNames ? 0 : 1) } ?? 2
        for start in lines.indices.dropFirst().dropLast().prefix(Self.maximumPrecedingLines)
        where !lines[start].isEmpty && !lines[start + 1].isEmpty && delimiter.map(lines[start].contains) != true {
            // `vmstat` repeats its titles and the line above them.
            let rest = [lines[start]] + lines[(start + 1)...].filter { !lines[...start].contains($0) || $0.isEmpty }
            let isRuled = rest.count > 1 && ColumnGaps.isRule(rest[1])
            guard let found = self.layout(of: rest), found.hasColumnNames, found.headerLines == (isRuled ? 2 : 1),
                found.titles.count > titles
            else { continue }
            let columns = Self.valueColumns(Self.rows(rest, found))
            // A line above with a value in each of these columns is a row of the table. The supposed line of titles is then a row, too.
            let hasRowBefore = lines[..<start].contains { line in
                let fields = found.texts(Array(line))
                return columns.allSatisfy { HeaderSniffer.isValue(fields[$0][...]) }
            }
            let isClear = isRuled || found.titles.count >= Self.minimumCapitalTitles && Self.isCapital(lines[start])
            guard columns.count >= 2 && !hasRowBefore || isClear else { continue }
            (best, titles) = (start, found.titles.count)
        }
        if let best { return best }
        guard layout?.hasColumnNames != true else { return nil }
        return (1...Self.maximumTitleLines).first { count in
            let rows = Array(lines.dropFirst(count))
            // Accept a delimiter such as `|` in the titles only if the rows do not contain it.
            if let delimiter, rows.contains(where: { $0.contains(delimiter) }) { return false }
            guard let width = FixedWidthLayout.wordCountOfNumericLines(rows), FixedWidthLayout(wordsInAllLines: rows) != nil else {
                return false
            }
            return !lines[..<count].contains { $0.split(separator: 32).count == width }
        }
    }

    /// The minimum number of titles in capital letters that identify a table without columns of numbers.
    private static let minimumCapitalTitles = 5
    /// The maximum number of lines of titles that cannot be read, such as those of `/proc/net/dev`.
    private static let maximumTitleLines = 2

    private static func isCapital(_ line: ArraySlice<UInt8>) -> Bool {
        line.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } && !line.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    }

    /// The columns that have mostly numbers or dates, if the first row has only words; otherwise none.
    private static func valueColumns(_ rows: [[[UInt8]]]) -> [Int] {
        guard !rows[0].contains(where: { HeaderSniffer.isValue($0[...]) }) else { return [] }
        return rows[0].indices.filter { hasMostlyValues($0, rows) }
    }

    /// True if nearly all fields of a column below the first row are values, such as numbers and dates.
    private static func hasMostlyValues(_ column: Int, _ rows: [[[UInt8]]]) -> Bool {
        let texts = rows.dropFirst().map { $0[column] }.filter { !$0.isEmpty }
        return !texts.isEmpty && texts.count { HeaderSniffer.isValue($0[...]) } * 5 >= texts.count * 4
    }

    /// True if the first three lines are the legend that `dpkg -l` writes before its titles. Its lines, also in other languages, point to
    /// the letters of the first column.
    static func startsWithLegend(_ lines: [ArraySlice<UInt8>]) -> Bool {
        let starts = [(1, "| "), (2, "|/ "), (3, "||/ "), (4, "+++-")]
        return lines.count > 4 && starts.allSatisfy { lines[$0].starts(with: $1.utf8) }
    }

    /// True if the first line is the number of blocks that `ls -l` and `ls -s` write before the files: `total 36`.
    static func startsWithTotal(_ lines: [ArraySlice<UInt8>]) -> Bool {
        guard lines.count > 2, let first = lines.first, first.starts(with: "total ".utf8) else { return false }
        // `ls -lh` writes a size such as `36K`.
        let size = first.dropFirst(6).prefix { !"KMGT".utf8.contains($0) }
        return HeaderSniffer.isValue(size) && first.count - size.count <= 7
    }
}
