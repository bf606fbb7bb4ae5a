import DelimitedText

/// Writes the rows of a drawn table as comma-separated text.
struct BoxRewriter: TextRewriter {
    private enum Place {
        case rows
        /// After a rule below rows: a footer may follow.
        case afterRule
        case end
    }

    private let shape: BoxShape
    private let hasKinds: Bool
    private let notes: BoxNotes
    private var titles: [[UInt8]]?
    /// The number of lines before the next row.
    private var headLines: Int
    private var place = Place.rows
    private var lines = LineCollector()
    private var cells: [BoxShape.Cell] = []
    /// The fields of an incomplete row, and the marks of its last line; empty if there is no incomplete row.
    private var row: [[UInt8]] = []
    private var marks: [BoxShape.Mark] = []
    private var rowBytes = 0
    /// The beginning of a row that has a line end in a field, as MySQL writes it, and the number of bars in this beginning.
    private var held: [UInt8] = []
    private var heldBars = 0
    /// True if the next line may continue a row that looks complete, as in the old style of psql. The last row of a block is then written
    /// with the next block, which may continue it.
    private let hasLateContinuations: Bool
    /// The start of the last row in the output of the current block; `nil` if this output does not have that row.
    private var lastRow: Int?
    /// The last row of the previous block.
    private var carried: [UInt8] = []
    /// True if ``row`` was in the output already.
    private var isReopened = false
    /// The number of rows of the current block.
    private var rowCount = 0
    private var hasRows = false

    /// The maximum number of bytes of a row that takes several lines.
    private let maximumRowBytes: Int

    init(_ table: BoxTable, _ notes: BoxNotes, maximumRowBytes: Int = 16 << 20) {
        (shape, titles, headLines, self.notes) = (table.shape, table.titles, table.headLines, notes)
        self.maximumRowBytes = maximumRowBytes
        hasKinds = !table.kinds.isEmpty
        hasLateContinuations = shape.style == .open && !shape.isUnicode
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        if let titles {
            RowText.append(titles, to: &output)
            self.titles = nil
        }
        rowCount = 0
        lastRow = carried.isEmpty ? nil : output.count
        output.append(contentsOf: carried)
        carried.removeAll(keepingCapacity: true)
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
            carried.append(contentsOf: output[lastRow...])
            output.removeSubrange(lastRow...)
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if headLines > 0 {
            headLines -= 1
            return
        }
        if place == .end { return notes.addFooter(line) }
        if held.isEmpty, let rule = BoxRule(line), shape.isRule(rule) {
            finishRow(&output)
            place = shape.style != .framed || rule.isBottom ? .end : .afterRule
            return
        }
        if !held.isEmpty { return continueHeld(line, &output) }
        let isBlank = line.allSatisfy { $0 == 32 }
        switch shape.style {
        case .framed:
            if shape.divide(line, into: &cells) {
                if place == .afterRule, cells.count == 1, !shape.joinsLines, BoxNotes.isFooter(line) { return notes.addFooter(line) }
                place = .rows
                return add(line, &output)
            }
            if place == .afterRule, shape.startsWithBar(line) { return notes.addFooter(line) }
            if shape.startsWithBar(line) { return hold(line) }
            if place == .rows, isBlank { return }
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
            if !isBlank, !BoxTable.isRowCount(line) {
                _ = shape.divide(line, into: &cells)
                return add(line, &output)
            }
        }
        finishRow(&output)
        place = .end
        notes.addFooter(line)
    }

    // MARK: Rows

    /// Adds the cells of a line to the incomplete row, or writes them if the line is a complete row.
    private mutating func add(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if row.isEmpty, isOmission(line) { return notes.addOmittedRows() }
        let continues = cells.contains { $0.mark != .none }
        if row.isEmpty, !continues, !shape.joinsLines {
            if hasKinds, cells.count == 1, isRemark(line[cells[0].range].trimmed) { return notes.addFooter(line) }
            lastRow = output.count
            for (index, cell) in cells.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                RowText.append(shape.text(line[cell.range]), isOnly: cells.count == 1, to: &output)
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
            // Removes only the padding space. Further spaces are the indentation of the line, which is part of the text.
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
        if !held.isEmpty { writeHeld(&output) }
        guard !row.isEmpty else { return }
        lastRow = output.count
        RowText.append(row, to: &output)
        row.removeAll(keepingCapacity: true)
        if !isReopened { rowCount += 1 }
        isReopened = false
    }

    /// Adds the cells of a line to the last row, which looked complete. A row of too many bytes continues as another row.
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
            // No vertical line precedes the first column.
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

    /// True if a line stands for rows that are left out: all its cells are `·`, `…`, `⋮` or `...`.
    private func isOmission(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard shape.style == .framed, shape.isUnicode else { return false }
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

    private mutating func hold(_ line: UnsafeBufferPointer<UInt8>) {
        held.append(contentsOf: line)
        heldBars = shape.barCount(line)
    }

    private mutating func continueHeld(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        // A complete row or a rule ends the incomplete row.
        if BoxRule(line)?.isFramed == true || shape.divide(line, into: &cells) || held.count + line.count > maximumRowBytes {
            writeHeld(&output)
            return read(line, &output)
        }
        held.append(10)
        held.append(contentsOf: line)
        heldBars += shape.barCount(line)
        guard heldBars >= shape.columnCount + 1, shape.endsWithBar(line) else { return }
        let text = held
        text.withUnsafeBufferPointer { joined in
            guard shape.divide(joined, into: &cells) else { return }
            held.removeAll(keepingCapacity: true)
            add(joined, &output)
        }
    }

    /// Writes an incomplete row as it is. Its last cells are empty.
    private mutating func writeHeld(_ output: inout [UInt8]) {
        var text = held
        held.removeAll(keepingCapacity: true)
        let bar = shape.isUnicode ? Array("│".utf8) : [UInt8(ascii: "|")]
        for _ in 0..<max(0, shape.columnCount + 1 - heldBars) { text.append(contentsOf: bar) }
        if !text.withUnsafeBufferPointer(shape.isFramed) { text.append(contentsOf: bar) }
        text.withUnsafeBufferPointer { line in if shape.divide(line, into: &cells) { add(line, &output) } }
    }
}
