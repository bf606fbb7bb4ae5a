import DelimitedText
import FieldValues

/// Writes the rows of a drawn table as comma-separated text.
struct BoxRewriter: TextRewriter {
    /// The part of the input that is being read.
    private enum Section {
        case rows
        /// After a rule below rows, where more rows or a footer follow.
        case afterRule
        case end
    }

    private let shape: BoxShape
    /// For each column, true if the word NULL is a missing value, because the declared type is not text. Empty if the table declares no
    /// types.
    private let hasNulls: [Bool]
    private let notes: BoxNotes
    private var titles: [[UInt8]]?
    /// The number of lines to skip before the first row.
    private var remainingHeadLineCount: Int
    private var section = Section.rows
    private var lines = LineCollector()
    private var cells: [BoxShape.Cell] = []
    /// The fields of a row whose end has not been read, and the marks at the ends of its cells (``BoxShape/Mark``) in its last line. Both
    /// are empty if there is no such row.
    private var row: [[UInt8]] = []
    private var marks: [BoxShape.Mark] = []
    private var rowBytes = 0
    /// The first lines of a row whose end has not been read. MySQL does not escape line ends within fields, so a row can have several
    /// lines.
    private var partialRow: [UInt8] = []
    /// The number of vertical lines in ``partialRow``.
    private var partialRowBarCount = 0
    /// True if a line may continue a row that looks complete, as in the old style of psql. The last row of each block is then kept back,
    /// because the next block may continue it.
    private let hasLateContinuations: Bool
    /// The byte offset of the last row in the output of the current block; `nil` if that row is not in the output.
    private var lastRow: Int?
    /// The last row of the previous block, which was kept back and is written with the current block.
    private var carriedRow: [UInt8] = []
    /// True if ``row`` was removed from the output after it was written, because a line continues it.
    private var isReopened = false
    /// The number of rows of the current block.
    private var rowCount = 0
    private var hasRows = false

    /// The maximum number of bytes of a row with several lines. A longer row is ended, because damaged input may never end it.
    private let maximumRowBytes: Int

    init(_ table: BoxTable, _ notes: BoxNotes, maximumRowBytes: Int = 16 << 20) {
        (shape, titles, remainingHeadLineCount, self.notes) = (table.shape, table.titles, table.headLineCount, notes)
        self.maximumRowBytes = maximumRowBytes
        hasNulls = table.kinds.map { $0 != .text }
        hasLateContinuations = shape.style == .open && !shape.isUnicode
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        if let titles {
            RowText.append(titles, to: &output)
            self.titles = nil
        }
        rowCount = 0
        lastRow = carriedRow.isEmpty ? nil : output.count
        output.append(contentsOf: carriedRow)
        carriedRow.removeAll(keepingCapacity: true)
        var lines = lines
        self.lines = LineCollector()
        lines.forEachLine(of: bytes, isEnd: isEnd) { read($0, &output) }
        self.lines = lines
        if isEnd { finishRow(&output) }
        if rowCount > 0 {
            notes.addRows(rowCount)
            hasRows = true
        }
        if !isEnd, hasLateContinuations, let lastRow {
            carriedRow.append(contentsOf: output[lastRow...])
            output.removeSubrange(lastRow...)
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if remainingHeadLineCount > 0 {
            remainingHeadLineCount -= 1
            return
        }
        if section == .end { return notes.addFooter(line) }
        if shape.isClickHouse {
            let line = BoxShape.withoutRowNumber(line)
            if line.starts(with: "└".utf8) {
                finishRow(&output)
                section = .end
                return
            }
            return readRow(line, &output)
        }
        readRow(line, &output)
    }

    private mutating func readRow(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if partialRow.isEmpty, let rule = BoxRule(line), shape.isRule(rule) {
            finishRow(&output)
            section = shape.style != .framed && !shape.joinsLines || rule.isBottom ? .end : .afterRule
            return
        }
        if !partialRow.isEmpty { return continuePartialRow(line, &output) }
        let isBlank = line.allSatisfy { $0 == 32 }
        switch shape.style {
        case .framed:
            if shape.divide(line, into: &cells) {
                if section == .afterRule, cells.count == 1, !shape.joinsLines, BoxNotes.isFooter(line) { return notes.addFooter(line) }
                section = .rows
                return add(line, &output)
            }
            if section == .afterRule, shape.startsWithBar(line) { return notes.addFooter(line) }
            if shape.startsWithBar(line) { return startPartialRow(line) }
            if section == .rows, isBlank { return }
        case .open:
            if line.first == 32 || row.count > 0 && !isBlank, shape.divide(line, into: &cells) {
                if isReopened { finishRow(&output) }
                return add(line, &output)
            }
            if hasLateContinuations, isReopened || row.isEmpty && (lastRow != nil || rowCount > 0 || hasRows),
                shape.splitContinuation(line, into: &cells)
            {
                return extendLastRow(line, &output)
            }
        case .spaced:
            if !isBlank, shape.isTibble ? line.first != UInt8(ascii: "#") : !BoxTable.isRowCount(line) {
                _ = shape.divide(line, into: &cells)
                return add(line, &output)
            }
        }
        finishRow(&output)
        section = .end
        notes.addFooter(line)
    }

    // MARK: Rows

    /// Writes a line that is a complete row. The cells of any other line are added to the row whose end has not been read.
    private mutating func add(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if row.isEmpty, isOmission(line) { return notes.addOmittedRows() }
        let continues = cells.contains { $0.mark != .none }
        if row.isEmpty, !continues, !shape.joinsLines {
            if !hasNulls.isEmpty, cells.count == 1, isRemark(line[cells[0].range].trimmed) { return notes.addFooter(line) }
            lastRow = output.count
            for (index, cell) in cells.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                let text = shape.text(line[cell.range])
                RowText.append(isNull(text, index) ? text.prefix(0) : text, isOnly: cells.count == 1, to: &output)
            }
            output.append(10)
            rowCount += 1
            return
        }
        if row.isEmpty {
            row = cells.map { _ in [] }
            marks = cells.map { _ in .none }
            rowBytes = 0
        }
        for (index, cell) in cells.enumerated() { extend(index, with: line[cell.range], cell.mark) }
        rowBytes += line.count
        if !continues && !shape.joinsLines || rowBytes > maximumRowBytes { finishRow(&output) }
    }

    private mutating func extend(_ index: Int, with part: Slice<UnsafeBufferPointer<UInt8>>, _ mark: BoxShape.Mark) {
        var part = part
        switch marks[index] {
        case .newline:
            // Only the first space is padding. The other spaces are the indentation of the text, so they stay.
            if part.first == 32 { part.removeFirst() }
            while part.last == 32 { part.removeLast() }
            row[index].append(10)
        case .wrap:
            if part.first == 32 || part.first == UInt8(ascii: ".") {
                part.removeFirst()
            } else if part.starts(with: [0xE2, 0x80, 0xA6]) {
                part.removeFirst(3)
            }
            if mark != .wrap { while part.last == 32 { part.removeLast() } }
        case .none:
            if mark == .wrap { while part.first == 32 { part.removeFirst() } } else { part = shape.text(part) }
            if !row[index].isEmpty, !part.isEmpty { row[index].append(10) }
        }
        row[index].append(contentsOf: part)
        marks[index] = mark
    }

    private mutating func finishRow(_ output: inout [UInt8]) {
        if !partialRow.isEmpty { writePartialRow(&output) }
        guard !row.isEmpty else { return }
        lastRow = output.count
        for index in row.indices where isNull(row[index], index) { row[index] = [] }
        RowText.append(row, to: &output)
        row.removeAll(keepingCapacity: true)
        if !isReopened { rowCount += 1 }
        isReopened = false
    }

    /// Adds the cells of a line to the last row, which looked complete. If the row becomes too long, the next line starts a new row.
    private mutating func extendLastRow(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if !isReopened {
            if let start = lastRow {
                row = RowText.fields(output[start...])
                rowBytes = output.count - start
                output.removeSubrange(start...)
                lastRow = nil
            } else {
                (row, rowBytes) = (Array(repeating: [], count: cells.count), 0)
                rowCount += 1
            }
            isReopened = true
        }
        for (index, cell) in cells.enumerated() where index < row.count {
            var part = line[cell.range]
            // The first column has no vertical line before it, and therefore no mark. Its value continues if the cell has text.
            guard cell.mark != .none || index == 0 && !part.trimmed.isEmpty else { continue }
            if part.first == 32 { part.removeFirst() }
            while part.last == 32 { part.removeLast() }
            if cell.mark != .wrap { row[index].append(10) }
            row[index].append(contentsOf: part)
        }
        rowBytes += line.count
        guard rowBytes > maximumRowBytes else { return }
        finishRow(&output)
        lastRow = nil
    }

    /// True if a text is the word for null in a column that is not text: `NULL` in DuckDB, `null` in polars, `NA` in R.
    private func isNull(_ text: some Collection<UInt8>, _ column: Int) -> Bool {
        guard text.count <= 4, column < hasNulls.count, hasNulls[column] else { return false }
        return shape.isTibble
            ? text.elementsEqual("NA".utf8) : text.elementsEqual("NULL".utf8) || text.elementsEqual("null".utf8)
    }

    /// True if a line stands for omitted rows: each of its cells is `·`, `…`, `⋮` or `...`. DuckDB and polars write such lines.
    private func isOmission(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard shape.style == .framed && shape.isUnicode || !hasNulls.isEmpty else { return false }
        return cells.allSatisfy { cell in
            let text = line[cell.range].trimmed
            guard text.count <= 3, text.count >= 2 else { return false }
            return text.elementsEqual([0xC2, 0xB7]) || text.elementsEqual([0xE2, 0x80, 0xA6]) || text.elementsEqual([0xE2, 0x8B, 0xAE])
                || text.elementsEqual([0x2E, 0x2E, 0x2E])
        }
    }

    /// True for remarks that DuckDB writes like rows: `(1.25 million)` below a large number, and `0 rows` in a table without rows.
    private func isRemark(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        if rowCount == 0, !hasRows, text.elementsEqual("0 rows".utf8) { return true }
        guard text.first == UInt8(ascii: "("), text.count < 40 else { return false }
        let word = String(decoding: text, as: UTF8.self)
        return ["million)", "billion)", "trillion)", "quadrillion)", "quintillion)"].contains { word.hasSuffix(" " + $0) }
    }

    // MARK: Line ends within fields

    private mutating func startPartialRow(_ line: UnsafeBufferPointer<UInt8>) {
        partialRow.append(contentsOf: line)
        partialRowBarCount = shape.barCount(line)
    }

    private mutating func continuePartialRow(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        // The partial row ends if this line is a complete row or a rule, or if the partial row would become too long.
        if BoxRule(line)?.isFramed == true || shape.divide(line, into: &cells) || partialRow.count + line.count > maximumRowBytes {
            writePartialRow(&output)
            return read(line, &output)
        }
        partialRow.append(10)
        partialRow.append(contentsOf: line)
        partialRowBarCount += shape.barCount(line)
        guard partialRowBarCount >= shape.columnCount + 1, shape.endsWithBar(line) else { return }
        let text = partialRow
        text.withUnsafeBufferPointer { joined in
            guard shape.divide(joined, into: &cells) else { return }
            partialRow.removeAll(keepingCapacity: true)
            add(joined, &output)
        }
    }

    /// Writes a row whose end is missing in the input. Its missing cells become empty fields.
    private mutating func writePartialRow(_ output: inout [UInt8]) {
        var text = partialRow
        partialRow.removeAll(keepingCapacity: true)
        let bar = shape.isUnicode ? Array("│".utf8) : [UInt8(ascii: "|")]
        for _ in 0..<max(0, shape.columnCount + 1 - partialRowBarCount) { text.append(contentsOf: bar) }
        if !text.withUnsafeBufferPointer(shape.isFramed) { text.append(contentsOf: bar) }
        text.withUnsafeBufferPointer { line in if shape.divide(line, into: &cells) { add(line, &output) } }
    }
}
