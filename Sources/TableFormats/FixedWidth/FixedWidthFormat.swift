public import DelimitedText
import FieldValues
public import Tables

/// Text in aligned columns that are separated by spaces.
public struct FixedWidthFormat: TableFormat {
    /// The name used with `--format`: `fixed-width`.
    public var name: String { "fixed-width" }

    init() {}

    /// Opens a file whose first lines all have spaces at the same positions. Unless the format is requested, at least one of these gaps
    /// must be wider than one space, because words in prose can be aligned by chance.
    ///
    /// Lines that begin with numbers, as in the output of `uniq -c`, are divided after these numbers, unless the format is requested. If
    /// other lines precede the table, as in the output of `top`, all lines are shown in one column, and the user gets the suggestion to
    /// skip the lines before the table. The legend of `dpkg -l` is skipped. The first table of `netstat` is opened, and the lines of other
    /// tables are counted.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        let bytes = try input.firstBytes(64 << 10)
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { $0.last == 13 ? $0.dropLast() : $0 }
        // The last line may be incomplete or empty.
        if lines.count > 1 { lines.removeLast() }
        // A file that seems to be delimited by spaces or colons may also have aligned columns, because both characters are common in text.
        let isUndelimited = input.columnCount <= 1 || [32, UInt8(ascii: ":")].contains(input.dialect.delimiter)
        let hasDelimitedSuffix = PlainLinesFormat.hasDelimitedSuffix(input.name)
        if !isRequested, input.requestedHeader != false, !hasDelimitedSuffix,
            let table = CaptionedTable(lines, FixedWidthSniffer(header: input.requestedHeader))
        {
            let notes = BoxNotes(caption: table.caption.map { [String(decoding: $0, as: UTF8.self)] } ?? [])
            return try BoxSource(
                input, by: CaptionedTableRewriter(table, notes), notes, hasColumnNames: true, kinds: [], format: "fixed-width text")
        }
        if !isRequested, input.requestedHeader == nil, !hasDelimitedSuffix {
            if let layout = MountLayout(lines) { return try LineSource(input.lines(), layout) }
            if let layout = FixedWidthLayout(socketTable: lines) ?? FixedWidthLayout(squidLog: lines) {
                return try LineSource(input.lines(), layout)
            }
            if let layout = PackageLayout(lines) { return try LineSource(input.lines(), layout) }
            // A single line of a pipe proves nothing, because later lines may have another form.
            let isWhole = !input.isGrowing
            if let layout = LabelLayout(lines, isWhole: isWhole && isUndelimited) { return try LineSource(input.lines(), layout) }
            if let layout = NumberedLinesLayout(lines, delimiter: isUndelimited ? nil : input.dialect.delimiter, isWhole: isWhole) {
                return try LineSource(input.lines(), layout)
            }
        }
        guard isRequested || isUndelimited || !hasDelimitedSuffix else { return nil }
        let sniffer = FixedWidthSniffer(
            isRequested: isRequested, header: input.requestedHeader,
            delimiter: isRequested || isUndelimited ? nil : input.dialect.delimiter)
        let mayHaveLinesBefore = !isRequested && input.requestedHeader == nil && input.dialect.skipLines == 0
        if mayHaveLinesBefore, FixedWidthSniffer.startsWithLegend(lines), var layout = sniffer.layout(of: Array(lines.dropFirst(3))),
            layout.hasColumnNames
        {
            layout.headerLines += 3
            return try LineSource(input.lines(), layout)
        }
        let hasTotal = mayHaveLinesBefore && FixedWidthSniffer.startsWithTotal(lines)
        // The first line of `ls -l`, such as `total 24`, has no columns, and its text may cross the gaps of the other lines.
        let rows = hasTotal ? sniffer.layoutInCharactersOrCells(of: Array(lines.dropFirst())) : nil
        let files = rows.flatMap { $0.hasColumnNames ? nil : $0 }
        let layout = files ?? sniffer.layoutInCharactersOrCells(of: lines)
        if mayHaveLinesBefore, files == nil, let count = sniffer.lineCountBeforeTable(Array(lines.prefix(1_000)), unlike: layout) {
            return try LineSource(input.lines(), PlainLinesLayout(), suggestions: [.linesBeforeTable(count)])
        }
        guard var layout else { return nil }
        // Blank lines below titles are not records, as in /proc/partitions.
        if layout.hasColumnNames { layout.headerLines += lines.dropFirst(layout.headerLines).prefix(while: \.isEmpty).count }
        return try LineSource(input.lines(), layout, suggestions: hasTotal ? [.linesBeforeTable(1)] : [])
    }
}

/// The positions, in characters, where all lines have spaces.
struct ColumnGaps {
    /// The gaps between columns, from left to right.
    private(set) var ranges: [Range<Int>] = []
    /// The number of gaps in which at least one line has more than one space. Such gaps are rare in prose.
    private(set) var paddedCount = 0
    var isPadded: Bool { paddedCount > 0 }

    /// Finds the gaps. Returns `nil` if there is no gap, or if a line is too long for a table.
    ///
    /// The words of a few lines may be aligned by chance. A gap of single spaces therefore needs several lines.
    /// - Parameter minimumNarrowLines: the minimum number of lines with text after a gap of single spaces. With fewer such lines, the gap
    ///   is ignored unless a line has more than one space in it. For example, only a few lines of `ls -l` have long names with blanks.
    init?(_ lines: [ArraySlice<UInt8>], minimumNarrowLines: Int) {
        var isFilled: [Bool] = []
        // Continuation bytes of UTF-8 are removed, so that each character is one byte.
        let lines = lines.prefix(500).filter { !Self.isRule($0) && !Self.isFrameSize($0) && !Self.isDashed($0) }
            .map { line in line.filter { $0 & 0xC0 != 0x80 } }
        for line in lines {
            // A line with a tab has no known width, because a tab may stand for any number of spaces.
            guard line.count <= 10_000, !line.contains(9) else { return nil }
            isFilled += Array(repeating: false, count: max(0, line.count - isFilled.count))
            for (column, byte) in line.enumerated() where byte != 32 { isFilled[column] = true }
        }
        guard let first = isFilled.firstIndex(of: true), let last = isFilled.lastIndex(of: true) else { return nil }
        var gaps: [(range: Range<Int>, isPadded: Bool)] = []
        var start = first
        while let gap = isFilled[start...last].firstIndex(of: false) {
            let end = isFilled[gap...last].firstIndex(of: true)!
            gaps.append((gap..<end, lines.contains { Self.isPadded(gap..<end, in: $0) }))
            start = end
        }
        paddedCount = gaps.count(where: \.isPadded)
        let isTable = paddedCount >= 3
        let regularCount = Self.regularGapCount(gaps, lines)
        let titleWords = Self.titleWords(lines[0])
        for (index, gap) in gaps.enumerated() {
            let before = (index == 0 ? 0 : gaps[index - 1].range.upperBound)..<gap.range.lowerBound
            let after = gap.range.upperBound..<(index + 1 < gaps.count ? gaps[index + 1].range.lowerBound : last + 1)
            let isNarrowGap =
                lines.count(where: { $0.count > gap.range.upperBound }) >= minimumNarrowLines
                || isTable && (Self.followsValues(gap.range, before, lines) || Self.isBetweenTitles(gap.range, before, after, lines))
                || index < regularCount
            let isGap =
                gap.isPadded
                ? !Self.isInWideTitle(gap.range, titleWords, lines) : isNarrowGap && !Self.isInTitle(before, after, lines)
            if isGap { ranges.append(gap.range) }
        }
        if ranges.isEmpty { return nil }
    }

    /// The number of leading gaps that divide each line into words, up to the last gap that has padding or follows a column of values. If
    /// no such gap has padding, or no column before such a gap has only values, the number is 0. Otherwise, the lines are a table, even if
    /// most gaps are narrow, as in a short list of `ls -l`.
    private static func regularGapCount(_ gaps: [(range: Range<Int>, isPadded: Bool)], _ lines: [[UInt8]]) -> Int {
        guard lines.count > 1 else { return 0 }
        let rows = lines.map { $0.split(separator: 32, maxSplits: gaps.count) }
        var (count, hasPadding, hasValues) = (0, false, false)
        for (column, gap) in gaps.enumerated() {
            let isRegular = rows.allSatisfy { words in
                words.count > column + 1 && words[column].endIndex <= gap.range.lowerBound
                    && words[column + 1].startIndex >= gap.range.upperBound
            }
            // A gap within a time such as `12:00:01 AM` divides one value, not two words.
            guard isRegular, !isInTime(gap.range, lines[0]) else { break }
            let areValues = rows.allSatisfy { HeaderSniffer.isValue($0[column]) }
            hasValues = hasValues || areValues
            hasPadding = hasPadding || gap.isPadded
            if areValues || gap.isPadded { count = column + 1 }
        }
        return hasPadding && hasValues ? count : 0
    }

    /// True if a narrow gap is in a title of two words, such as `Mounted on`: in the column before or after the gap, only the first line
    /// has text.
    private static func isInTitle(_ before: Range<Int>, _ after: Range<Int>, _ lines: [[UInt8]]) -> Bool {
        guard lines.count > 1 else { return false }
        return [before, after].contains { column in
            !lines.dropFirst().contains { line in line.dropFirst(column.lowerBound).prefix(column.count).contains { $0 != 32 } }
        }
    }

    /// The maximum number of words in a first line that is searched for titles of several words. All words are compared with each other,
    /// which would take long for hostile text with many words.
    private static let maximumTitleWords = 200

    /// The ranges of the words of the first line; empty if there are more than ``maximumTitleWords`` words.
    private static func titleWords(_ header: [UInt8]) -> [Range<Int>] {
        let words = header.indices.split(maxSplits: maximumTitleWords) { header[$0] == 32 }
        return words.count > maximumTitleWords ? [] : words.map { $0.startIndex..<$0.endIndex }
    }

    /// True if the gap is between two words of one title, such as `Local Address:Port`, and one of the words has no text below it.
    ///
    /// If the first word has no text below it, the words are one title if the second word is also in another title, as `Address:Port` is.
    /// If the second word has no text below it, the words are one title if two blanks or the end of the line follow.
    /// - Parameter words: the words of the first line.
    private static func isInWideTitle(_ gap: Range<Int>, _ words: [Range<Int>], _ lines: [[UInt8]]) -> Bool {
        guard lines.count > 1 else { return false }
        let header = lines[0]
        guard let next = words.firstIndex(where: { $0.lowerBound >= gap.lowerBound }), next > 0,
            words[next].lowerBound - words[next - 1].upperBound == 1
        else { return false }
        func isLowercase(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
        func isTitleOnly(_ number: Int) -> Bool {
            !lines.dropFirst().contains { $0.dropFirst(words[number].lowerBound).prefix(words[number].count).contains { $0 != 32 } }
        }
        /// True if this word is a prefix of another word, or another word is a prefix of this word.
        func isRepeated(_ number: Int) -> Bool {
            let word = header[words[number]]
            return words.indices.contains { $0 != number && (header[words[$0]].starts(with: word) || word.starts(with: header[words[$0]])) }
        }
        // Titles in capital letters usually have one word.
        guard header[words[next - 1]].contains(where: isLowercase), header[words[next]].contains(where: isLowercase) else { return false }
        if isTitleOnly(next - 1), isRepeated(next) { return true }
        guard isTitleOnly(next) else { return false }
        return next + 1 == words.count || words[next + 1].lowerBound - words[next].upperBound > 1
    }

    /// True if the gap divides two titles, and the texts below fit them: the text of the first column is left-aligned or right-aligned, and
    /// the text of the second column begins below its title.
    private static func isBetweenTitles(_ gap: Range<Int>, _ before: Range<Int>, _ after: Range<Int>, _ lines: [[UInt8]]) -> Bool {
        let header = lines[0]
        guard lines.count > 1, after.lowerBound < header.count, header[gap.lowerBound - 1] != 32, header[after.lowerBound] != 32,
            ![before, after].contains(where: { title in
                let title = header[title.clamped(to: header.indices)]
                return HeaderSniffer.isValue(HeaderSniffer.trimmingBlanksAndQuotes(title)) || title.filter { $0 != 32 }.isEmpty
            })
        else { return false }
        func texts(_ column: Range<Int>) -> [ArraySlice<UInt8>] {
            lines.dropFirst().map { $0[column.clamped(to: $0.indices)] }.filter { $0.contains { $0 != 32 } }
        }
        let (left, right) = (texts(before), texts(after))
        let isLeftAligned = left.allSatisfy { $0.first != 32 }
        let isRightAligned = left.allSatisfy { $0.endIndex == before.upperBound && $0.last != 32 }
        return !left.isEmpty && !right.isEmpty && right.allSatisfy { $0.first != 32 } && (isLeftAligned || isRightAligned)
    }

    /// True if a gap of one blank follows a right-aligned column of values, which may have a title, and precedes a left-aligned column. One
    /// line may be too short for these columns.
    private static func followsValues(_ gap: Range<Int>, _ before: Range<Int>, _ lines: [[UInt8]]) -> Bool {
        let complete = lines.filter { $0.count > gap.upperBound }
        guard gap.count == 1, complete.count > 1, complete.count + 1 >= lines.count,
            complete.allSatisfy({ $0[gap.lowerBound - 1] != 32 && $0[gap.upperBound] != 32 })
        else { return false }
        if isInTime(gap, complete[0]) { return false }
        let areValues = complete.map { HeaderSniffer.isValue(HeaderSniffer.trimmingBlanksAndQuotes($0[before])) }
        return areValues[0] ? !areValues.contains(false) : areValues.count(where: { $0 }) * 2 >= complete.count - 1
    }

    /// True if a gap is within a time such as `12:00:01 AM`.
    private static func isInTime(_ gap: Range<Int>, _ line: [UInt8]) -> Bool {
        line[gap.upperBound...].starts(with: "AM ".utf8) || line[gap.upperBound...].starts(with: "PM ".utf8)
    }

    /// True if a line has text on both sides of a gap, and more than one space between these texts.
    private static func isPadded(_ gap: Range<Int>, in line: [UInt8]) -> Bool {
        guard gap.upperBound < line.count else { return false }
        let after = line[gap.lowerBound...].prefix { $0 == 32 }
        let before = line[..<gap.lowerBound].reversed().prefix { $0 == 32 }
        guard after.count + before.count > 1, after.endIndex < line.count, before.count < gap.lowerBound else { return false }
        // Two spaces after a sentence are not padding, because some authors end every sentence with two spaces.
        let last = line[gap.lowerBound - before.count - 1]
        let endsSentence = last == UInt8(ascii: ".") || last == UInt8(ascii: "!") || last == UInt8(ascii: "?")
        return !endsSentence || after.count + before.count > 2
    }

    /// True for the line below a data frame of pandas, such as `[100 rows x 3 columns]`.
    static func isFrameSize(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        guard line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]"), line.count < 60 else { return false }
        let words = line.dropFirst().dropLast().split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
        return words.count == 5 && Int(words[0]) != nil && Int(words[3]) != nil
            && words[1].hasPrefix("row") && words[2] == "x" && words[4].hasPrefix("column")
    }

    /// True for a line above titles that groups columns with dashes, such as `procs ----memory---- --swap--` in the output of `vmstat`.
    static func isDashed(_ line: ArraySlice<UInt8>) -> Bool {
        let dashes = line.count { $0 == UInt8(ascii: "-") }
        return dashes >= 20 && dashes * 2 > line.count { $0 != 32 }
    }

    /// True if a line consists only of `-`, `=`, `+` and spaces, such as a line below titles.
    static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
        line.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "=") } && line.allSatisfy { $0 == 32 || "-=+".utf8.contains($0) }
    }
}

/// Divides a line at the gaps between columns, or into words. A word that extends across a gap is never cut.
struct FixedWidthLayout: LineLayout {
    /// The gaps from the start of a line, in characters or in cells, as found in the first lines of the file.
    let gaps: [Range<Int>]
    /// True if ``gaps`` are in terminal cells, see ``CellWidths``.
    var measuresCells = false
    var titles: [String] = []
    var hasColumnNames = false
    var headerLines = 0
    /// True if fields are words. The last field is then the rest of the line.
    private var hasWords = false

    init(gaps: [Range<Int>]) { self.gaps = gaps }

    /// Creates a layout whose fields are words.
    init(words titles: [String]) { (gaps, self.titles, hasWords) = ([], titles, true) }

    /// Creates the layout of output like that of `docker ps`: titles in capital letters, and values that begin below them. A title or a
    /// value may contain single blanks. Returns `nil` for other lines.
    /// - Parameter isRequested: true if the user requested a header. Titles may then contain small letters and values.
    init?(valuesUnderTitles lines: [ArraySlice<UInt8>], isRequested: Bool) {
        // Continuation bytes of UTF-8 are removed, so that each character is one byte.
        let sample = lines.prefix(500).filter { !$0.isEmpty && !ColumnGaps.isFrameSize($0) }.map { $0.filter { $0 & 0xC0 != 0x80 } }
        guard let header = sample.first, let firstTitle = header.firstIndex(where: { $0 != 32 }), sample.count > 1,
            !sample.contains(where: { $0.count > 10_000 || $0.contains(9) || ColumnGaps.isRule($0[...]) })
        else { return nil }
        let rows = sample.dropFirst()
        let isCapital = { (line: [UInt8]) in
            line.contains { $0 != 32 } && !line.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        }
        guard isRequested || isCapital(header) && rows.count(where: isCapital) * 2 < rows.count else { return nil }
        var gaps: [Range<Int>] = []
        for start in header.indices.dropFirst(2) where header[start] != 32 && header[start - 1] == 32 {
            // Marks may precede the first column, such as the dot of a failed unit of `systemctl`.
            if start == firstTitle, !rows.contains(where: { $0.prefix(start).contains { $0 != 32 } }) { continue }
            if Self.isSlashInTitle(at: start, of: header) { continue }
            // A title starts a column if at least one row has a value that begins below it, and nearly all rows have a blank before that
            // position.
            let blankRows = rows.count { start > $0.count || $0[start - 1] == 32 }
            let startingRows = rows.count { start < $0.count && $0[start] != 32 && $0[start - 1] == 32 }
            if blankRows * 20 >= rows.count * 19, startingRows > 0 {
                gaps.append(start - 1..<start)
            } else if header[start - 2] == 32, blankRows < rows.count || rows.contains(where: { start < $0.count }) {
                // Two blanks precede this title, so it is a separate title. Its values do not begin below it, so the lines have another
                // layout.
                return nil
            }
        }
        guard !gaps.isEmpty else { return nil }
        // A single row may have a word below a title by chance.
        guard rows.count > 1 || gaps.count > 1 && gaps.allSatisfy({ header[$0.lowerBound - 1] == 32 }) else { return nil }
        // The same word before the titles and at the start of most lines is the sign of a comment, as in `# DO NOT EDIT`.
        let sign = header.prefix(gaps[0].upperBound)
        guard isRequested || sign.allSatisfy({ $0 == 32 }) || rows.count(where: { $0.starts(with: sign) }) * 2 < rows.count else {
            return nil
        }
        let bounds = [0] + gaps.map(\.upperBound) + [Int.max]
        for (start, end) in zip(bounds, bounds.dropFirst()).dropFirst() {
            let filled = rows.filter { start < $0.count && $0[start..<min(end, $0.count)].contains { $0 != 32 } }
            let aligned = filled.count { $0[start] != 32 || TreeDrawing.isAtStart(of: $0[start...]) }
            guard aligned * 5 >= filled.count * 4 else { return nil }
        }
        self.gaps = gaps
        let titles = texts(Array(lines.first { !$0.isEmpty }!))
        guard isRequested || Set(titles).count == titles.count && !titles.contains(where: { HeaderSniffer.isValue($0[...]) }) else {
            return nil
        }
        self.titles = titles.map { String(decoding: $0, as: UTF8.self) }
        (hasColumnNames, headerLines) = (true, 1)
    }

    /// True for the slash of a title such as `MEM USAGE / LIMIT` in the output of `docker stats`, which is between single blanks.
    private static func isSlashInTitle(at index: Int, of header: [UInt8]) -> Bool {
        header[index] == UInt8(ascii: "/") && header[index - 2] != 32 && index + 2 < header.count && header[index + 1] == 32
            && header[index + 2] != 32
    }

    /// Reads the first line as a record.
    mutating func dropHeader() {
        titles = titles.indices.map { "column \($0 + 1)" }
        (hasColumnNames, headerLines) = (false, 0)
    }

    /// Creates the layout of output like that of `ps aux`: a word below each title, and text with blanks below the last one. A word may be
    /// too wide for its column and shift the rest of its line. Returns `nil` for other lines.
    init?(wordsUnderTitles lines: [ArraySlice<UInt8>]) {
        let lines = lines.prefix(500).filter { !$0.isEmpty }
        guard let first = lines.first, lines.count > 3, !first.contains(where: { $0 == 9 || $0 >= 0x80 }) else { return nil }
        let titles = Self.words(first)
        let last = titles.count - 1
        guard last >= 2, Set(titles.map { first[$0] }).count == titles.count,
            !titles.contains(where: { HeaderSniffer.isValue(first[$0]) })
        else { return nil }
        let header = titles.map { $0.lowerBound - first.startIndex..<$0.upperBound - first.startIndex }
        // The number of lines whose last field starts below its title, and the number of lines whose last field has several words.
        var (alignedLines, longLines) = (0, 0)
        var numbers = [Int](repeating: 0, count: last)
        for line in lines.dropFirst() {
            let words = Self.words(line)
            guard words.count >= titles.count, !line.contains(9) else { return nil }
            if words.count > titles.count { longLines += 1 }
            let wordRanges = words.map { $0.lowerBound - line.startIndex..<$0.upperBound - line.startIndex }
            let start = wordRanges[last].lowerBound
            if start == header[last].lowerBound
                || start > header[last].lowerBound && TreeDrawing.isAtStart(of: line[(line.startIndex + start)...])
            {
                alignedLines += 1
            }
            for column in 0..<last {
                // A word may be below the title of another column only if the previous word is too wide for its column. Otherwise, a field
                // is empty, which this layout cannot represent.
                let word = wordRanges[column]
                let isShifted =
                    column > 0 && wordRanges[column - 1].upperBound > header[column - 1].upperBound
                    && word.lowerBound == wordRanges[column - 1].upperBound + 1
                guard isShifted || word.overlaps(header[column]) || !header.contains(where: word.overlaps) else { return nil }
                if HeaderSniffer.isValue(line[words[column]]) { numbers[column] += 1 }
            }
        }
        let rows = lines.count - 1
        guard longLines > 0, alignedLines * 5 >= rows * 4, numbers.contains(where: { $0 * 5 >= rows * 4 }) else { return nil }
        self.init(words: titles.map { String(decoding: first[$0], as: UTF8.self) })
        (hasColumnNames, headerLines) = (true, 1)
    }

    /// Creates the layout of output like that of `vmstat`: each line has as many numbers as there are titles. The columns are aligned, but
    /// a wide number shifts the rest of its line. Returns `nil` for other lines.
    init?(numbersUnderTitles lines: [ArraySlice<UInt8>]) {
        let lines = lines.prefix(500).filter { !$0.isEmpty }
        guard let first = lines.first, lines.count > 1, !first.contains(where: { $0 == 9 || $0 >= 0x80 }) else { return nil }
        let titles = Self.words(first)
        // Titles that are separated by one blank are not aligned.
        let wideGaps = zip(titles, titles.dropFirst()).count { $1.lowerBound - $0.upperBound > 1 }
        guard wideGaps >= 3, Set(titles.map { first[$0] }).count == titles.count,
            !titles.contains(where: { HeaderSniffer.isValue(first[$0]) }),
            // `vmstat` repeats both lines of its header.
            lines.dropFirst().filter({ $0 != first && !ColumnGaps.isDashed($0) }).allSatisfy({ line in
                let words = Self.words(line)
                return words.count == titles.count && words.allSatisfy { HeaderSniffer.isValue(line[$0]) }
            })
        else { return nil }
        self.init(words: titles.map { String(decoding: first[$0], as: UTF8.self) })
        (hasColumnNames, headerLines) = (true, 1)
    }

    var canHaveHeader: Bool { true }
    var details: [(name: String, value: String)] {
        [("format", "fixed-width text"), ("header", hasColumnNames ? "first line" : "none")]
    }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        // In a tree, the blanks before a branch show its level, so they are kept.
        forEachField(of: line) { TreeDrawing.isAtStart(of: $0) ? fields.append($0.trimmedAtEnd) : fields.append(trimming: $0) }
    }

    /// Returns copies of the fields of a line.
    func texts(_ line: [UInt8]) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        line.withUnsafeBufferPointer { line in forEachField(of: line) { texts.append(Array($0.trimmed)) } }
        return texts
    }

    private func forEachField(of line: UnsafeBufferPointer<UInt8>, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void) {
        if line.first == UInt8(ascii: "["), ColumnGaps.isFrameSize(line) {
            body(line[...])
            for _ in gaps { body(line[line.count...]) }
            return
        }
        if hasWords { return forEachWord(of: line, body) }
        var start = 0
        // The byte offset and the terminal column of the current character.
        var (byte, column) = (0, 0)
        func move(to target: Int, _ byte: inout Int, _ column: inout Int) {
            while column < target, byte < line.count {
                column += measuresCells ? CellWidths.width(at: byte, in: line) : 1
                byte += 1
                while byte < line.count, line[byte] & 0xC0 == 0x80 { byte += 1 }
            }
        }
        for gap in gaps {
            move(to: gap.lowerBound, &byte, &column)
            let gapStart = byte
            move(to: gap.upperBound, &byte, &column)
            let cut = max(start, Self.boundary(line, gapStart, byte))
            body(line[start..<cut])
            start = cut
        }
        body(line[start...])
    }

    private func forEachWord(of line: UnsafeBufferPointer<UInt8>, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void) {
        var rest = line[...]
        for _ in 1..<titles.count {
            let word = rest.drop { $0 == 32 }.prefix { $0 != 32 }
            body(word)
            rest = line[word.endIndex...]
        }
        body(rest.first == 32 ? rest.dropFirst() : rest)
    }

    /// The byte offset that divides a line in the gap from `low` to `high`: after the last space in the gap. If a word fills the gap, the
    /// offset is the start or the end of the word: the word goes to the column that contains more of it.
    private static func boundary(_ line: UnsafeBufferPointer<UInt8>, _ low: Int, _ high: Int) -> Int {
        if let blank = (low..<high).last(where: { line[$0] == 32 }) { return blank + 1 }
        guard high < line.count, line[high] != 32 else { return high }
        guard low > 0, line[low - 1] != 32 else { return low }
        let wordStart = (line[..<low].lastIndex(of: 32) ?? -1) + 1
        let wordEnd = line[high...].firstIndex(of: 32) ?? line.count
        return low - wordStart < wordEnd - high ? wordStart : wordEnd
    }
}

/// The lines of a tree in a column, as drawn by `ps --forest`, `lsblk` and `findmnt`.
enum TreeDrawing {
    private static let branches = ["\\_ ", "|-", "`-", "├─", "└─"].map { Array($0.utf8) }
    private static let line = Array("│".utf8)

    /// True if a field begins with a branch, such as `\_`, `└─` or `|-`, after blanks and lines that belong to other branches.
    static func isAtStart(of field: some Collection<UInt8>) -> Bool {
        var text = field.drop { $0 == 32 }
        guard let first = text.first, first == 0xE2 || "\\|`".utf8.contains(first) else { return false }
        while let byte = text.first {
            if branches.contains(where: { text.starts(with: $0) }) { return true }
            let isLine = byte == 32 || byte == UInt8(ascii: "|")
            guard isLine || text.starts(with: line) else { return false }
            text = text.dropFirst(isLine ? 1 : line.count)
        }
        return false
    }
}
