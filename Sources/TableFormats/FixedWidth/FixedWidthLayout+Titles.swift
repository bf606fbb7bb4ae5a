import DelimitedText

extension FixedWidthLayout {
    /// Creates the layout of output like that of `ps -o pid,lstart,cmd`: each column has a title of one word, and all lines have a blank
    /// between two titles. Values may contain blanks, also at the same position in all lines. Returns `nil` for other lines.
    ///
    /// At least one column must have right-aligned numbers, which rarely end below a word by chance. Left-aligned numbers are also evidence
    /// if there are at least three columns, all values begin below their titles, and the line of titles begins with a blank or has two
    /// blanks in a row.
    init?(columnsBetweenTitles lines: [ArraySlice<UInt8>]) {
        // Continuation bytes of UTF-8 are removed, so that each character is one byte.
        let sample = lines.prefix(500).filter { !$0.isEmpty }.map { $0.filter { $0 & 0xC0 != 0x80 } }
        guard sample.count > 2 else { return nil }
        let (header, rows) = (sample[0], Array(sample.dropFirst()))
        let words = Self.words(header[...], atMost: 200)
        guard words.count > 1, !words.contains(where: { HeaderSniffer.isValue(header[$0]) }),
            !sample.contains(where: { $0.prefix(words.last!.lowerBound).contains(9) })
        else { return nil }
        var gaps: [Range<Int>] = []
        for (left, right) in zip(words, words.dropFirst()) {
            guard let gap = Self.gap(between: left, right, rows) else { return nil }
            gaps.append(gap)
        }
        let index = Self.gapAfterIndex(rows, endsBefore: gaps[0].lowerBound, firstTitle: words[0])
        let starts = [index?.upperBound ?? 0] + gaps.map(\.upperBound)
        let ends = gaps.map(\.lowerBound) + [Int.max]
        var (hasAlignedNumbers, hasNumbers, leftAlignedCount) = (false, false, 0)
        var kept = index.map { [$0] } ?? []
        for (column, word) in words.enumerated() {
            let values = rows.compactMap { Self.value(in: starts[column]..<ends[column], of: $0) }
            // The second word of a title such as `Mounted on` has no values below it.
            let isOfPreviousTitle = column > 0 && values.isEmpty && word.lowerBound - words[column - 1].upperBound == 1
            if column > 0, !isOfPreviousTitle { kept.append(gaps[column - 1]) }
            guard !values.isEmpty else { continue }
            let isLeftAligned = values.allSatisfy { value in
                value.startIndex == word.lowerBound || TreeDrawing.isAtStart(of: value)
            }
            let isRightAligned = values.allSatisfy { $0.endIndex == word.upperBound }
            guard isLeftAligned || isRightAligned else { return nil }
            if isLeftAligned { leftAlignedCount += 1 }
            guard values.count == rows.count, values.count(where: { HeaderSniffer.isValue($0) }) * 5 >= values.count * 4 else { continue }
            hasNumbers = true
            if isRightAligned, values.contains(where: { $0.startIndex != word.lowerBound }) { hasAlignedNumbers = true }
        }
        let isLeftAligned = hasNumbers && leftAlignedCount == words.count && words.count > 2 && Self.hasWideBlanks(header[...])
        guard hasAlignedNumbers || isLeftAligned, !kept.isEmpty else { return nil }
        self.init(gaps: kept)
        titles = texts(Array(lines.first { !$0.isEmpty }!)).map { String(decoding: $0, as: UTF8.self) }
        (hasColumnNames, headerLines) = (true, 1)
    }

    /// The gap after the index column of a printed data frame, which has no title. All rows have two words before the second title, or a
    /// number and several words, and the first word ends before the first title begins. `nil` for other rows, and for rows with values of
    /// two words, such as `2024-01-02 03:04:05`, because these words have a single blank between them in all rows.
    private static func gapAfterIndex(_ rows: [[UInt8]], endsBefore end: Int, firstTitle title: Range<Int>) -> Range<Int>? {
        var (low, high, isPadded) = (0, title.lowerBound, false)
        for row in rows {
            let words = row.prefix(end).split(separator: 32)
            guard words.count == 2 || words.count > 2 && HeaderSniffer.isValue(words[0]), row.first != 32 else { return nil }
            (low, high) = (max(low, words[0].endIndex), min(high, words[1].startIndex))
            if words[1].startIndex - words[0].endIndex > 1 { isPadded = true }
        }
        return isPadded && low < high ? low..<high : nil
    }

    /// The gap between the columns of two titles: a position, or several in sequence, where all rows have a blank; `nil` without one.
    ///
    /// Values with blanks may cause several gaps. The gap before values that begin below their title then divides the columns, or the gap
    /// after values that end below their title. Otherwise, it is the first gap with two blanks in a row that precedes text in all rows.
    private static func gap(between left: Range<Int>, _ right: Range<Int>, _ rows: [[UInt8]]) -> Range<Int>? {
        let blanks = (left.upperBound..<right.lowerBound).filter { place in rows.allSatisfy { isBlank($0, at: place) } }
        var gaps: [Range<Int>] = []
        for place in blanks {
            if let last = gaps.last, last.upperBound == place {
                gaps[gaps.count - 1] = last.lowerBound..<place + 1
            } else {
                gaps.append(place..<place + 1)
            }
        }
        if gaps.count < 2 { return gaps.first }
        if gaps.last!.upperBound == right.lowerBound, rows.allSatisfy({ !isBlank($0, at: right.lowerBound) }) { return gaps.last }
        if gaps[0].lowerBound == left.upperBound, rows.allSatisfy({ !isBlank($0, at: left.upperBound - 1) }) { return gaps[0] }
        let padded = gaps.filter { gap in rows.contains { isBlank($0, at: gap.lowerBound - 1) || isBlank($0, at: gap.upperBound) } }
        return padded.first { gap in rows.allSatisfy { !isBlank($0, at: gap.upperBound) } } ?? padded.first ?? gaps[0]
    }

    private static func isBlank(_ row: [UInt8], at place: Int) -> Bool { place >= row.count || row[place] == 32 }

    /// The text of a row between two positions, without blanks at its ends; `nil` if there are only blanks.
    private static func value(in column: Range<Int>, of row: [UInt8]) -> ArraySlice<UInt8>? {
        let text = row[column.clamped(to: 0..<row.count)].drop { $0 == 32 }
        guard let last = text.lastIndex(where: { $0 != 32 }) else { return nil }
        return text[...last]
    }

    /// Creates the layout of output like that of `ps -o pid,rss,vsz,comm`: each line has as many words as there are titles, and at least
    /// two columns have numbers. A wide number may shift the rest of its line. Returns `nil` for other lines.
    init?(oneWordUnderEachTitle lines: [ArraySlice<UInt8>]) {
        let lines = lines.prefix(500).filter { !$0.isEmpty }
        guard lines.count > 1, !lines[0].contains(where: { $0 >= 0x80 }) else { return nil }
        let titles = Self.words(lines[0], atMost: 200)
        guard titles.count > 2, Set(titles.map { lines[0][$0] }).count == titles.count,
            !titles.contains(where: { HeaderSniffer.isValue(lines[0][$0]) }),
            Self.numericColumnCount(lines.dropFirst(), width: titles.count) >= 2,
            lines.dropFirst().contains(where: { Self.hasWideBlanks($0) })
        else { return nil }
        self.init(words: titles.map { String(decoding: lines[0][$0], as: UTF8.self) })
        (hasColumnNames, headerLines) = (true, 1)
    }

    /// Creates the layout of `/proc/net/tcp` and similar tables of sockets. Two pairs of titles have one value each, such as `tx_queue` and
    /// `rx_queue`, and in tables of TCP no title is above the last values. Returns `nil` for other lines.
    init?(socketTable lines: [ArraySlice<UInt8>]) {
        guard let first = lines.first, lines.count > 1 else { return nil }
        var titles = Self.words(first, atMost: 20).map { String(decoding: first[$0], as: UTF8.self) }
        guard titles.starts(with: ["sl", "local_address"]), titles.dropFirst(4).starts(with: ["tx_queue", "rx_queue", "tr", "tm->when"])
        else { return nil }
        titles.replaceSubrange(4..<8, with: ["tx_queue:rx_queue", "tr:tm->when"])
        if titles.last == "inode" { titles.append("other") }
        self.init(words: titles)
        (hasColumnNames, headerLines) = (true, 1)
    }

    /// Creates the layout of the log of Squid: ten words in each line, of which the first is a time in seconds since 1970 with three
    /// decimals. Returns `nil` for other lines.
    init?(squidLog lines: [ArraySlice<UInt8>]) {
        let lines = lines.prefix(500).filter { !$0.isEmpty }
        let slash = UInt8(ascii: "/")
        func isEntry(_ line: ArraySlice<UInt8>) -> Bool {
            let words = Self.words(line, atMost: 11).map { line[$0] }
            guard words.count == 10, words[0].count == 14, words[3].contains(slash), words[8].contains(slash) else { return false }
            return words[0].enumerated().allSatisfy { $0 == 10 ? $1 == UInt8(ascii: ".") : (48...57).contains($1) }
        }
        guard !lines.isEmpty, lines.allSatisfy(isEntry) else { return nil }
        self.init(words: ["time", "elapsed", "client", "result", "bytes", "method", "url", "user", "peer", "type"])
    }

    /// The minimum number of columns of numbers in a table of words without titles.
    private static let minimumNumericColumns = 4

    /// Creates the layout of lines like those of `/proc/diskstats`: all lines have the same number of words, and most columns have numbers.
    /// Returns `nil` for other lines, and for words that are separated by single blanks.
    init?(wordsInAllLines lines: [ArraySlice<UInt8>]) {
        guard let width = Self.wordCountOfNumericLines(lines) else { return nil }
        guard lines.prefix(500).contains(where: { Self.hasWideBlanks($0) }) else { return nil }
        self.init(words: (1...width).map { "column \($0)" })
    }

    /// The number of words in each line, if all lines have the same number, and at least half of the columns and ``minimumNumericColumns``
    /// columns have only numbers; otherwise `nil`.
    static func wordCountOfNumericLines(_ lines: [ArraySlice<UInt8>]) -> Int? {
        let lines = lines.prefix(500).filter { !$0.isEmpty }
        guard lines.count > 1 else { return nil }
        let width = words(lines[0], atMost: 200).count
        let numbers = numericColumnCount(lines[...], width: width)
        return numbers >= minimumNumericColumns && numbers * 2 >= width ? width : nil
    }

    /// The number of columns with a value in each line; 0 if a line does not have `width` words, or has a tab or a quote.
    private static func numericColumnCount(_ lines: ArraySlice<ArraySlice<UInt8>>, width: Int) -> Int {
        var isNumeric = [Bool](repeating: true, count: width)
        for line in lines {
            let words = words(line, atMost: width + 1)
            guard words.count == width, !line.contains(where: { $0 == 9 || $0 == UInt8(ascii: "\"") }) else { return 0 }
            for (column, word) in words.enumerated() where isNumeric[column] { isNumeric[column] = HeaderSniffer.isValue(line[word]) }
        }
        return isNumeric.count { $0 }
    }

    /// True if blanks precede a line, or if two blanks in a row are within it.
    private static func hasWideBlanks(_ line: ArraySlice<UInt8>) -> Bool {
        guard let last = line.lastIndex(where: { $0 != 32 }) else { return false }
        return line.first == 32 || zip(line[...last], line[...last].dropFirst()).contains { $0 == 32 && $1 == 32 }
    }

    /// The byte ranges of the words of a line. If there are more than `limit` words, the last range contains the rest of the line, without
    /// blanks at its ends.
    static func words(_ line: ArraySlice<UInt8>, atMost limit: Int = .max) -> [Range<Int>] {
        guard let last = line.lastIndex(where: { $0 != 32 }) else { return [] }
        return line[...last].split(separator: 32, maxSplits: limit - 1).map { $0.drop { $0 == 32 } }.map { $0.startIndex..<$0.endIndex }
    }
}
