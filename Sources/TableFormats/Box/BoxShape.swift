/// The positions of the columns in the lines of a drawn table.
struct BoxShape: Sendable, Equatable {
    enum Style: Sendable {
        /// A vertical line at both ends of a row, as in MySQL and DuckDB.
        case framed
        /// Vertical lines between the columns only, as in psql.
        case open
        /// Spaces between the columns. The table has a rule with spaces at the same positions, or is a tibble of R.
        case spaced
    }

    let style: Style
    /// For each boundary between two columns of the table, the terminal columns that the vertical line or the spaces at the boundary cover.
    let gaps: [Range<Int>]
    /// The column of the terminal after the end of each rule.
    let end: Int
    /// True if the vertical lines are box-drawing characters, false if they are `|`.
    let isUnicode: Bool
    /// True if rules separate the rows. A row can then take several lines.
    var joinsLines = false
    /// For a table with one column: true if leading blanks belong to the text. The first blank never does, because it is padding.
    var keepsIndentation = false
    /// True for a table of ClickHouse, whose names are in its first rule, as in `┌─id─┬─name─┐`. Numbers such as `1. ` may precede its
    /// rows, and the names may be repeated in its last rule.
    private(set) var isClickHouse = false
    /// True for a tibble of R. A line that begins with `#` ends it, and `NA` is a missing value in columns that are not text.
    private(set) var isTibble = false

    var columnCount: Int { gaps.count + 1 }

    /// The mark at the end of a cell: the cell continues in the next line, either after a line end in the text or after a wrap.
    enum Mark: Sendable {
        case none, newline, wrap
    }

    /// The bytes of one cell in one line, without its mark.
    struct Cell {
        var range: Range<Int>
        var mark = Mark.none
    }

    init?(_ rule: BoxRule) {
        (end, isUnicode) = (rule.end, rule.isUnicode)
        if rule.isFramed {
            style = .framed
            gaps = rule.junctions.dropFirst().dropLast().map { $0..<$0 + 1 }
        } else if rule.hasSpaces {
            style = .spaced
            gaps = zip(rule.runs, rule.runs.dropFirst()).map { $0.upperBound..<$1.lowerBound }
        } else {
            style = .open
            gaps = rule.junctions.map { $0..<$0 + 1 }
            // A rule starts and ends with a horizontal line.
            guard !rule.isDouble, rule.runs.count == gaps.count + 1 else { return nil }
        }
    }

    /// The shape and the names of a table of ClickHouse; `nil` for another line than its first rule.
    static func clickHouse(_ line: UnsafeBufferPointer<UInt8>) -> (shape: BoxShape, titles: [[UInt8]])? {
        let start = line.firstIndex { $0 != 32 } ?? line.count
        guard line[start...].starts(with: "┌─".utf8) else { return nil }
        var rule: [UInt8] = []
        var titles: [[UInt8]] = []
        var index = start
        while index < line.count {
            let (scalar, length) = BoxGlyphs.scalar(line, at: index)
            if BoxGlyphs.isJunction(scalar) {
                rule += line[index..<index + length]
                titles.append([])
            } else {
                for _ in 0..<BoxGlyphs.width(scalar) { rule += "─".utf8 }
                if scalar < 0x80 || !BoxGlyphs.isHorizontal(scalar) { titles[titles.count - 1] += line[index..<index + length] }
            }
            index += length
        }
        // The last corner begins no column. Blanks around a name belong to the title of a panel, as other programs draw it.
        guard titles.popLast() == [], titles.allSatisfy({ !$0.isEmpty && $0.first != 32 && $0.last != 32 }),
            let frame = rule.withUnsafeBufferPointer({ BoxRule($0) }),
            frame.isFramed, frame.junctions.count == titles.count + 1, var shape = BoxShape(frame)
        else { return nil }
        shape.isClickHouse = true
        return (shape, titles)
    }

    /// A line of a table of ClickHouse without the number before its row.
    static func withoutRowNumber(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let frame = line.firstIndex { $0 >= 0x80 } ?? 0
        let isNumber = line[..<frame].allSatisfy { $0 == 32 || $0 == UInt8(ascii: ".") || (48...57).contains($0) }
        return isNumber ? UnsafeBufferPointer(rebasing: line[frame...]) : line
    }

    /// True for a row or the last rule of a table of ClickHouse.
    func isClickHouseLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let line = Self.withoutRowNumber(line)
        return startsWithBar(line) || line.starts(with: "└".utf8)
    }

    /// Creates the shape of a tibble of R. Its lines have no mark after the last column, because its rows have one line each.
    init(tibbleGaps gaps: [Range<Int>]) {
        (style, self.gaps, end, isUnicode, isTibble) = (.spaced, gaps, 1 << 40, false, true)
    }

    /// Sets ``keepsIndentation`` if the only column of a psql or MySQL table is left-aligned. The column is left-aligned if an indented
    /// text ends before the column ends.
    mutating func findIndentation(_ lines: ArraySlice<UnsafeBufferPointer<UInt8>>) {
        guard gaps.isEmpty, style != .spaced, !joinsLines, !isUnicode || style == .open else { return }
        // One column of the terminal after a text is padding. A frame also has two vertical lines.
        let end = end - (style == .open ? 1 : 3)
        var cells: [Cell] = []
        for line in lines.prefix(1_000) where BoxRule(line) == nil && !BoxTable.isRowCount(line) && divide(line, into: &cells) {
            var cell = line[cells[0].range]
            while cell.last == 32 { cell.removeLast() }
            guard !cell.isEmpty, cell.first == 32 else { continue }
            if Self.width(cell) < end { return keepsIndentation = true }
        }
    }

    /// The text of a cell, without padding.
    func text(_ cell: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        guard keepsIndentation else { return cell.trimmed }
        var text = cell
        if text.first == 32 { text.removeFirst() }
        while text.last == 32 { text.removeLast() }
        return text
    }

    /// True for a rule of this table, false for a row whose fields consist of dashes.
    func isRule(_ rule: BoxRule) -> Bool {
        switch style {
        // A line such as `|--|--|` is a rule only below the header of a Markdown table of polars.
        case .framed: rule.isFramed && !rule.hasInnerBars
        // In this style, rows start with a space and rules do not.
        case .open: rule.runs.first?.lowerBound == 0
        case .spaced: BoxShape(rule)?.gaps == gaps
        }
    }

    /// Divides a line of a row into cells. Returns `false` if the line has too few cells.
    func divide(_ line: UnsafeBufferPointer<UInt8>, into cells: inout [Cell]) -> Bool {
        cells.removeAll(keepingCapacity: true)
        if style == .spaced {
            splitAtSpaces(line, into: &cells)
            return true
        }
        var bars: [Range<Int>] = []
        forEachBar(in: line) { bars.append($0) }
        var start = 0
        var end = line.count
        if style == .framed {
            guard isFramed(line), bars.count >= columnCount + 1 else { return false }
            (start, end) = (bars.removeFirst().upperBound, bars.removeLast().lowerBound)
        }
        guard bars.count >= gaps.count else { return false }
        if bars.count > gaps.count { keepAligned(&bars, in: line) }
        for bar in bars {
            cells.append(cell(line, start..<bar.lowerBound))
            start = bar.upperBound
        }
        // If there is no vertical line at the end of the row, a mark in the last cell is recognized only by its position.
        let isMarkable = style == .framed || Self.width(line[..<end]) == self.end
        cells.append(isMarkable ? cell(line, start..<end) : Cell(range: start..<end))
        return true
    }

    /// Divides a line that continues the previous row in the old style of psql. `:` or `;` replaces the vertical line before a cell that
    /// continues after a line end or after a wrap. The mark of each cell says how it continues. Returns `false` for other lines.
    func splitContinuation(_ line: UnsafeBufferPointer<UInt8>, into cells: inout [Cell]) -> Bool {
        cells.removeAll(keepingCapacity: true)
        guard style == .open, !isUnicode, line.first == 32 else { return false }
        var (index, column, start) = (0, 0, 0)
        var (mark, isContinued) = (Mark.none, false)
        for gap in gaps {
            while column < gap.lowerBound, index < line.count {
                let (scalar, length) = BoxGlyphs.scalar(line, at: index)
                index = min(index + length, line.count)
                column += BoxGlyphs.width(scalar)
            }
            cells.append(Cell(range: start..<index, mark: mark))
            start = index
            mark = .none
            guard index < line.count else { continue }
            switch line[index] {
            case UInt8(ascii: ":"): mark = .newline
            case UInt8(ascii: ";"): mark = .wrap
            case 32: break
            default: return false
            }
            if mark != .none { isContinued = true }
            (index, column, start) = (index + 1, column + 1, index + 1)
        }
        cells.append(Cell(range: start..<line.count, mark: mark))
        return isContinued
    }

    /// True if the first and the last character of a line are vertical lines.
    func isFramed(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        startsWithBar(line) && endsWithBar(line)
    }

    /// True if the last character of a line is a vertical line.
    func endsWithBar(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let last = line.lastIndex(where: { $0 != 32 && $0 != 13 }) else { return false }
        return isUnicode ? last >= 2 && BoxGlyphs.isBar(BoxGlyphs.scalar(line, at: last - 2).value) : line[last] == UInt8(ascii: "|")
    }

    /// True if the first character of a line is a vertical line.
    func startsWithBar(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = line.firstIndex(where: { $0 != 32 }) else { return false }
        return isUnicode ? BoxGlyphs.isBar(BoxGlyphs.scalar(line, at: first).value) : line[first] == UInt8(ascii: "|")
    }

    /// The number of vertical lines in a line.
    func barCount(_ line: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        forEachBar(in: line) { _ in count += 1 }
        return count
    }

    private func forEachBar(in line: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void) {
        var index = 0
        while index < line.count {
            if isUnicode {
                if line[index] == 0xE2, BoxGlyphs.isBar(BoxGlyphs.scalar(line, at: index).value) {
                    body(index..<index + 3)
                    index += 2
                }
            } else if line[index] == UInt8(ascii: "|") {
                body(index..<index + 1)
            }
            index += 1
        }
    }

    /// Keeps only the vertical lines that are nearest to the column boundaries, because cells may contain such characters, too. O(bars +
    /// columns).
    private func keepAligned(_ bars: inout [Range<Int>], in line: UnsafeBufferPointer<UInt8>) {
        var columns: [Int] = []
        columns.reserveCapacity(bars.count)
        var (index, column) = (0, 0)
        for bar in bars {
            while index < bar.lowerBound {
                let (scalar, length) = BoxGlyphs.scalar(line, at: index)
                column += BoxGlyphs.width(scalar)
                index += length
            }
            columns.append(column)
        }
        var aligned: [Range<Int>] = []
        var next = 0
        for (number, gap) in gaps.enumerated() {
            // Leave enough vertical lines for the columns that follow.
            let last = bars.count - (gaps.count - number)
            while next < last, abs(columns[next + 1] - gap.lowerBound) < abs(columns[next] - gap.lowerBound) { next += 1 }
            aligned.append(bars[next])
            next += 1
        }
        bars = aligned
    }

    /// Divides a line into cells at the spaces of each gap. If the gap has no space, the line is divided at the nearest space, because no
    /// word may be cut.
    private func splitAtSpaces(_ line: UnsafeBufferPointer<UInt8>, into cells: inout [Cell]) {
        var start = 0
        var next = -1
        var (index, column) = (0, 0)
        func move(to target: Int, _ index: inout Int, _ column: inout Int) {
            while column < target, index < line.count {
                let (scalar, length) = BoxGlyphs.scalar(line, at: index)
                index += length
                column += BoxGlyphs.width(scalar)
            }
        }
        for gap in gaps {
            move(to: gap.lowerBound, &index, &column)
            let low = index
            move(to: gap.upperBound, &index, &column)
            let high = index
            let mark = low < high ? Self.mark(line[low..<high]) : .none
            if mark != .none || line[low..<high].allSatisfy({ $0 == 32 }) {
                cells.append(Cell(range: start..<max(start, low), mark: mark))
                start = max(start, high)
                continue
            }
            // The previous space is searched for in only 200 bytes, because fields are rarely shifted further. The position of the next
            // space is kept for the following columns, because a line may be long.
            let before = line[max(start, low - 200)..<max(start, low)].lastIndex(of: 32)
            if next < max(start, low) { next = line[max(start, low)...].firstIndex(of: 32) ?? line.count }
            let after = next < line.count ? next : nil
            let cut =
                switch (before, after) {
                case (let before?, let after?): low - before <= after - low ? before : after
                case (let before?, nil): before
                case (nil, let after?): after
                case (nil, nil): line.count
                }
            cells.append(Cell(range: start..<cut))
            start = min(cut + 1, line.count)
        }
        var rest = Cell(range: start..<line.count)
        if Self.width(line[...]) == end + 1 {
            let marked = cell(line, rest.range)
            if marked.mark != .none { rest = marked }
        }
        cells.append(rest)
    }

    private func cell(_ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Cell {
        let mark = Self.mark(line[range])
        guard mark != .none else { return Cell(range: range) }
        let length = line[range.upperBound - 1] < 0x80 ? 1 : 3
        return Cell(range: range.lowerBound..<range.upperBound - length, mark: mark)
    }

    /// The mark at the end of a cell, as psql writes it.
    private static func mark(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> Mark {
        switch part.last {
        case UInt8(ascii: "+"): .newline
        case UInt8(ascii: "."): .wrap
        case 0xB5 where part.suffix(3).elementsEqual([0xE2, 0x86, 0xB5]): .newline
        case 0xA6 where part.suffix(3).elementsEqual([0xE2, 0x80, 0xA6]): .wrap
        default: .none
        }
    }

    /// The number of columns of the terminal that a string covers.
    static func width(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let line = UnsafeBufferPointer(rebasing: text)
        var (index, column) = (0, 0)
        while index < line.count {
            let (scalar, length) = BoxGlyphs.scalar(line, at: index)
            column += BoxGlyphs.width(scalar)
            index += length
        }
        return column
    }
}
