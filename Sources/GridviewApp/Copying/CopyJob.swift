import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

/// A job that formats cells as text, to copy or to print them. The text has a size limit.
struct CopyJob: Sendable {
    /// The content to copy, and its form.
    enum Content: Sendable {
        /// Plain text, with or without the column titles, as `CopiedText` formats it.
        case plain(withTitles: Bool)
        /// Rows in an output format.
        case rows(RowFormat)
        /// One whole field, even if its record is too long to be in memory. The number is the index of the field in the record.
        case field(any LazyRecord, Int)
    }

    /// The result of the job.
    enum Outcome {
        /// The text, and a function that creates the message for the route of the copy.
        case text([UInt8], message: @Sendable (CopyRoute) -> Message)
        case failed(Message)
    }

    let table: any Table
    /// The rows at the end of the file, which can be read before all rows are counted; `nil` if none were read.
    let tail: TailRecords?
    let rows: RowOrder
    /// The cells to copy; their rows are positions in ``rows``.
    let cells: CopiedCells
    let content: Content
    /// The columns whose type the user has chosen. Only SQL and typed files use them.
    var columnsWithChosenType: Set<ColumnID> = []
    /// The name of the input, for notes about losses.
    var inputName = ""
    /// The name of the chosen format, for the message; `nil` for plain text.
    var formatName: String?
    /// The name of the copied column, for the message in the row view; `nil` elsewhere.
    var columnName: String?
    /// The maximum size of the text in bytes.
    var byteLimit = Clipboard.byteLimit
    /// The fields that were cut in the copied rows.
    let cuts = CutFields()

    /// The size of the text is estimated from `rowsPerSample` adjacent rows at each of `sampleCount` evenly spaced positions.
    private static let (sampleCount, rowsPerSample) = (32, 8)
    /// The maximum number of bytes to format. Plain text may have one byte more, because its final line ending is not copied.
    private var sinkByteLimit: Int { if case .plain = content { byteLimit + 1 } else { byteLimit } }
    private var columns: [Column] { cells.columns }
    private var ranges: [Range<Int>] { cells.rows }
    /// The position after the last row that has a row number. The rows after it are counted from the end of the file.
    private var numberedRowEnd: Int { if case .spliced(_, let head, _) = rows { head } else { rows.count } }
    private var numberedRowRanges: [Range<Int>] { ranges.map { $0.clamped(to: 0..<numberedRowEnd) } }
    private var tailPositions: [Int] { ranges.flatMap { $0.clamped(to: numberedRowEnd..<rows.count) } }

    /// Formats the cells, and returns their text or a message about the failure.
    /// - Throws: `JobCancelled`.
    func run(_ control: JobControl) throws -> Outcome {
        control.begin(total: cells.rowCount)
        do {
            switch content {
            case .plain(let withTitles): return try copyPlainText(withTitles: withTitles, control)
            case .rows(let format): return try copyRows(format, control)
            case .field(let record, let field): return try copyField(of: record, field, control)
            }
        } catch let cancelled as JobCancelled {
            throw cancelled
        } catch {
            return .failed(.notCopied(JobFailure.sentence(about: error, "copying")))
        }
    }

    /// The formatted text, or the failure if the text is larger than the limit.
    /// - Parameters:
    ///   - byteLimit: the limit in bytes, for the message about the failure.
    ///   - isPlain: true to remove the final line ending.
    static func outcome(
        _ sink: inout OutputSink, byteLimit: Int, isPlain: Bool = false, _ message: @escaping @Sendable (CopyRoute) -> Message
    ) -> Outcome {
        sink.flush()
        guard sink.isOpen else { return .failed(.tooLargeToCopy(about: nil, limit: byteLimit)) }
        return .text(isPlain ? Array(CopiedText.text(ofLines: sink.buffer)) : sink.buffer, message: message)
    }

    private func copyField(of record: any LazyRecord, _ field: Int, _ control: JobControl) throws -> Outcome {
        var sink = OutputSink(byteLimit: byteLimit)
        var isWhole = record.isComplete
        if let found = try record.field(field) {
            isWhole = !found.isPartial
            for piece in 0..<found.pieceCount where sink.isOpen {
                try control.checkCancellation()
                sink.write(try record.text(of: found, piece: piece))
            }
        }
        guard isWhole || !sink.isOpen else {
            guard record.isComplete, let size = try record.field(field)?.byteRange.count else { return .failed(.cellNotRead) }
            let limit = ByteText.text(size)
            return .failed(.notCopied("The server sends only the first \(limit) of this cell. Use --sql to fetch the cell in parts."))
        }
        let name = columnName
        return Self.outcome(&sink, byteLimit: byteLimit) { .copiedCell(of: name, by: $0) }
    }

    // MARK: Rows

    private func copyPlainText(withTitles: Bool, _ control: JobControl) throws -> Outcome {
        var writer = PlainRowWriter(cells)
        if let failure = try refusalIfTooLarge(writer, control) { return failure }
        var sink = OutputSink(byteLimit: sinkByteLimit)
        // Plain text has the same notes about losses as tab-separated text, because both keep the bytes of the fields.
        var notes = OutputNotes(.text(.tsv))
        if withTitles {
            writer.text.withTitles { sink.write(utf8: $0) }
            try notes.checkTitles(of: columns, in: table)
        }
        try copy(&writer, &sink, memory: .max, control)
        if let cutSentence { return .failed(.notCopied(cutSentence)) }
        notes.addReplacements(inputName, csvAdvice: "Copy as CSV")
        let (isCell, rowCount, columnCount, name) = (cells.isSingleCell, cells.rowCount, columns.count, columnName)
        return Self.outcome(&sink, byteLimit: byteLimit, isPlain: true) { [losses = notes.lines] route in
            isCell
                ? .copiedCell(of: name, withName: withTitles, by: route, losses: losses)
                : .copiedRows(rowCount, columns: columnCount, withNames: withTitles, by: route, losses: losses)
        }
    }

    private func copyRows(_ format: RowFormat, _ control: JobControl) throws -> Outcome {
        if let failure = try refusalIfTooLarge(writer(format), control) { return failure }
        var sink = OutputSink(byteLimit: sinkByteLimit)
        var notes = OutputNotes(.text(format.format), asShown: format.writesDisplayedText)
        try writeRows(format, &notes, to: &sink, memory: .max, control)
        if let cutSentence { return .failed(.notCopied(cutSentence)) }
        notes.addReplacements(inputName, csvAdvice: "Copy as CSV")
        let (isCell, rowCount, columnCount, name) = (cells.isSingleCell, cells.rowCount, columns.count, formatName)
        return Self.outcome(&sink, byteLimit: byteLimit) { [losses = notes.lines] route in
            isCell
                ? .copiedCell(as: name, by: route, losses: losses)
                : .copiedRows(rowCount, columns: columnCount, as: name, by: route, losses: losses)
        }
    }

    private func writer(_ format: RowFormat, _ notes: OutputNotes? = nil, secondFields: [Int] = []) -> ViewRowWriter {
        ViewRowWriter(
            format: format, notes: notes, firstPosition: ranges[0].lowerBound, cells: SelectedCells(cells, secondFields: secondFields))
    }

    /// Writes rows in `format`.
    /// - Parameters:
    ///   - notes: receives notes about fields that the format cannot represent.
    ///   - memory: the approximate memory in bytes for rows that are not in file order.
    /// - Throws: `JobCancelled`, and errors of the file.
    func writeRows(
        _ format: RowFormat, _ notes: inout OutputNotes, to sink: inout OutputSink, memory: Int, _ control: JobControl
    ) throws {
        var format = format
        if format.format == .text {
            // Fit the column widths to the same first rows as batch output does. Also fit them to the last rows, which are few.
            let first = RowFormat.fittedRows(of: numberedRowRanges)
            try format.fit(to: first, of: rows, in: table, threads: 1, memory: memory, control)
            for position in tailPositions {
                try read(position) { fields in format.fit(zip(fields, columns).map { RowFormat.displayText($0, in: $1) }) }
            }
        }
        format.begin(&sink)
        if format.writesNames { try notes.checkTitles(of: columns, in: table) }
        // Rows that are read from the end of the file have only the text of their fields, not the JSON types in second fields.
        let typed = tailPositions.isEmpty ? format.useTypes(of: table, except: columnsWithChosenType) : []
        var writer = writer(format, notes.withoutFindings, secondFields: typed)
        try copy(&writer, &sink, secondFields: typed, memory: memory, control)
        if let found = writer.notes { notes.merge(found) }
        format.isFirstRow = false
        format.end(&sink)
    }

    /// A message that the text is too large, if its size almost certainly exceeds the limit; otherwise `nil`.
    private func refusalIfTooLarge(_ writer: some RowWriter, _ control: JobControl) throws -> Outcome? {
        try estimatedSize(writer, control).map { .failed(.tooLargeToCopy(about: $0, limit: byteLimit)) }
    }

    /// The approximate size of the text in bytes if it almost certainly exceeds the limit; otherwise `nil`.
    ///
    /// The text counts as too large only if half of the rows, each with the median size of the sampled rows, exceed the limit. Therefore a
    /// few long rows in the sample do not matter. A sequential table is not sampled, because each position would take a scan.
    private func estimatedSize<Writer: RowWriter>(_ writer: Writer, _ control: JobControl) throws -> Int? {
        let count = cells.rowCount
        // Each row has at least one byte per column: a separator or a line ending.
        if count > byteLimit / max(1, columns.count) { return count * (columns.count + 1) }
        guard count > 8 * Self.sampleCount * Self.rowsPerSample, !table.isSequential else { return nil }
        var sizes: [Int] = []
        var writer = writer
        // If the sample alone exceeds the limit, no sizes are known. Then the copy itself fails at the limit.
        _ = try rowOutput(Writer.self).forEachText(at: sampledRanges, with: &writer, memory: .max, byteLimit: byteLimit, control) {
            _, text in
            sizes.append(text.count)
            return true
        }
        // The sampled rows are read again by the copy, so the progress starts at 0 again.
        control.begin(total: count)
        sizes.sort()
        guard !sizes.isEmpty, sizes[sizes.count / 2] * (count / 2) > byteLimit else { return nil }
        return sizes.reduce(0, +) / sizes.count * count
    }

    /// The positions of the rows from which the size is estimated: a few adjacent rows at evenly spaced positions.
    private var sampledRanges: [Range<Int>] {
        let distance = cells.rowCount / Self.sampleCount
        var windows: [Range<Int>] = []
        var end = 0
        for range in numberedRowRanges where !range.isEmpty {
            // The numbers of this range's rows among all copied rows, from 0.
            let rows = end..<end + range.count
            end = rows.upperBound
            for number in rows.lowerBound / distance...(rows.upperBound - 1) / distance {
                let window = (number * distance..<number * distance + Self.rowsPerSample).clamped(to: rows)
                guard !window.isEmpty else { continue }
                let start = range.lowerBound + window.lowerBound - rows.lowerBound
                windows.append(start..<start + window.count)
            }
        }
        return windows
    }

    /// A sentence about the fields that were cut; `nil` if all fields are complete.
    var cutSentence: String? { cuts.sentence(in: inputName) { column in columns.first { $0.field.rawValue == column }?.title } }

    /// Creates the output that reads the rows. One thread is enough, because the size of a copy is limited.
    private func rowOutput<Writer: RowWriter>(_ writer: Writer.Type, secondFields: [Int] = []) -> RowOutput<Writer> {
        RowOutput<Writer>(table: table, rows: rows, columns: fieldNumbers(secondFields), threads: 1, cuts: cuts)
    }

    /// The field numbers to read for each row: first the fields of the columns, then the second fields, which have the JSON types.
    /// - Parameter secondFields: the indices of the columns that need a second field.
    private func fieldNumbers(_ secondFields: [Int]) -> [Int] {
        columns.map(\.field.rawValue) + secondFields.map { FieldID.firstNestedColumn + columns[$0].field.rawValue }
    }

    private func copy<Writer: RowWriter>(
        _ writer: inout Writer, _ sink: inout OutputSink, secondFields: [Int] = [], memory: Int, _ control: JobControl
    ) throws {
        // Read a single cell directly: ``RowOutput`` would examine the order of all rows, which takes long in a large table.
        let isCell = cells.isSingleCell
        if !isCell {
            let output = rowOutput(Writer.self, secondFields: secondFields)
            try output.write(at: numberedRowRanges, with: &writer, to: &sink, memory: memory, byteLimit: sinkByteLimit, control)
        }
        for position in isCell ? [ranges[0].lowerBound] : tailPositions where sink.isOpen {
            try control.checkCancellation()
            try read(position, secondFields: secondFields) {
                writer.write($0, record: rows[position].rawValue, position: position, to: &sink)
            }
            control.advance(by: 1)
        }
    }

    private func read(_ position: Int, secondFields: [Int] = [], _ body: (UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        let row = rows[position]
        let numbers = fieldNumbers(secondFields)
        guard row.isCountedFromEnd else { return try table.recordingCuts(in: cuts).read(row.rawValue, columns: numbers, body) }
        // This row is counted from the end. Read it from the file again, because memory has only the start of its long fields.
        guard let records = tail?.records, records.count + row.rawValue >= 0 else { throw IncompleteScan() }
        let record = records[records.count + row.rawValue]
        // A server returns whole cells only for rows with a number. The last rows get a number when all rows are counted.
        if table.isSequential, numbers.contains(where: { record[$0]?.isTruncated == true }) {
            throw RequestError("Cannot copy long cells of the last rows until all rows are counted.")
        }
        try table.scan(record, columns: numbers, body)
    }
}

/// Writes rows as plain text.
private struct PlainRowWriter: RowWriter {
    let text: CopiedText
    private let cells: CopiedCells

    init(_ cells: CopiedCells) { (self.cells, text) = (cells, CopiedText(cells)) }

    /// `nil`: lines of the file cannot be copied unchanged, because plain text has no quotes around empty values.
    var lineDelimiter: UInt8? { nil }

    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink) {
        cells.withFields(fields, at: position) { fields in text.withLine(of: fields) { sink.write(utf8: $0) } }
    }

    mutating func merge(_ other: PlainRowWriter) {}
}
