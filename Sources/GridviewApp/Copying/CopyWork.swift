import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

/// A job that copies or prints cells: reads and formats rows, up to a limit.
struct CopyWork: Sendable {
    enum Content: Sendable {
        /// One cell as in the file, without quotes.
        case cell(withTitle: Bool)
        /// Rows in a format. Plain rows omit the final line ending, and the quotes that distinguish empty values from missing values.
        case rows(RowFormat, isPlain: Bool)
        /// A field of a record that is too long for memory.
        case field(any LazyRecord, Int)
    }

    enum Outcome {
        /// The text, and the message for each way in which it can be copied.
        case text([UInt8], message: @Sendable (CopyRoute) -> Message)
        case failed(Message)
    }

    let table: any Table
    /// The last rows of a file whose index is incomplete.
    let tail: TailRecords?
    let rows: RowOrder
    /// The cells to copy; their rows are positions in ``rows``.
    let cells: CopiedCells
    let content: Content
    /// The chosen format, named in the message.
    var formatName: String?
    /// The copied column, named in the message in the row view.
    var columnName: String?
    /// The maximum number of bytes.
    var byteLimit = Clipboard.byteLimit

    /// The number of rows that the size estimate samples.
    private static let sampleSize = 256
    private var columns: [Column] { cells.columns }
    private var ranges: [Range<Int>] { cells.rows }
    /// The end of the rows that are numbered from the start of the table. The rows after it are counted from the end.
    private var numberedEnd: Int { if case .spliced(let head, _) = rows { head } else { rows.count } }
    private var numberedRanges: [Range<Int>] { ranges.map { $0.clamped(to: 0..<numberedEnd) } }
    private var lastPositions: [Int] { ranges.flatMap { $0.clamped(to: numberedEnd..<rows.count) } }

    /// Formats the cells in memory.
    /// - Throws: ``JobCancelled``.
    func run(_ control: JobControl) throws -> Outcome {
        control.begin(total: cells.rowCount)
        do {
            let name = columnName
            switch content {
            case .cell(let withTitle):
                var sink = OutputSink(byteLimit: byteLimit)
                if withTitle { sink.write(columns[0].title + "\n") }
                try read(ranges[0].lowerBound) { sink.write(utf8: $0[0].bytes) }
                return Self.outcome(&sink, byteLimit: byteLimit) { .copiedCell(of: name, withName: withTitle, by: $0) }
            case .field(let record, let field): return try copyField(of: record, field, control)
            case .rows(let format, let isPlain): return try copyRows(format, isPlain: isPlain, control)
            }
        } catch let cancelled as JobCancelled {
            throw cancelled
        } catch {
            return .failed(.notCopied(JobFailure.sentence(about: error, "copying")))
        }
    }

    /// The text of a sink in memory.
    /// - Parameters:
    ///   - byteLimit: the limit of the sink.
    ///   - isPlain: true to omit the final line ending.
    static func outcome(
        _ sink: inout OutputSink, byteLimit: Int, isPlain: Bool = false, _ message: @escaping @Sendable (CopyRoute) -> Message
    ) -> Outcome {
        sink.flush()
        guard sink.isOpen else { return .failed(.tooLargeToCopy(about: nil, limit: byteLimit)) }
        return .text(isPlain && sink.buffer.last == 10 ? sink.buffer.dropLast() : sink.buffer, message: message)
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
        guard isWhole || !sink.isOpen else { return .failed(.cellNotRead) }
        let name = columnName
        return Self.outcome(&sink, byteLimit: byteLimit) { .copiedCell(of: name, by: $0) }
    }

    // MARK: Rows

    private func copyRows(_ format: RowFormat, isPlain: Bool, _ control: JobControl) throws -> Outcome {
        if let size = try estimate(CopyRowWriter(format, cells, isPlain: isPlain), control) {
            return .failed(.tooLargeToCopy(about: size, limit: byteLimit))
        }
        var sink = OutputSink(byteLimit: byteLimit)
        try writeRows(format, isPlain: isPlain, to: &sink, memory: .max, control)
        let (name, withNames) = (formatName, format.hasHeader && formatName == nil)
        let (isCell, rowCount, columnCount) = (cells.isSingleCell, cells.rowCount, columns.count)
        return Self.outcome(&sink, byteLimit: byteLimit, isPlain: isPlain) { way in
            isCell
                ? .copiedCell(as: name, by: way) : .copiedRows(rowCount, columns: columnCount, as: name, withNames: withNames, by: way)
        }
    }

    /// Writes rows in `format`.
    /// - Parameter memory: approximate bytes for rows that are not in file order.
    /// - Throws: ``JobCancelled``, and errors of the file.
    func writeRows(_ format: RowFormat, isPlain: Bool = false, to sink: inout OutputSink, memory: Int, _ control: JobControl) throws {
        var writer = CopyRowWriter(format, cells, isPlain: isPlain)
        if format.format == .text {
            // Fits the columns to the same rows as batch output, and to the few last rows.
            let first = RowFormat.fittedRows(of: numberedRanges)
            try writer.format.fit(to: first, of: rows, in: table, threads: 1, memory: memory, control)
            for position in lastPositions {
                try read(position) { fields in writer.format.fit(zip(fields, columns).map { RowFormat.displayText($0, in: $1) }) }
            }
        }
        writer.format.begin(&sink)
        try copy(&writer, &sink, memory: memory, control)
        writer.format.isFirst = false
        writer.format.end(&sink)
    }

    /// The approximate number of bytes if it almost certainly exceeds the limit; otherwise `nil`.
    ///
    /// Half of the rows are at least as long as the median. If the sample is representative, a few long rows do not affect this bound. A
    /// sequential table has no sample, because each of its rows would take a scan.
    private func estimate(_ writer: CopyRowWriter, _ control: JobControl) throws -> Int? {
        let count = cells.rowCount
        // Each row has at least one byte per column: a separator or a line ending.
        if count > byteLimit / max(1, columns.count) { return count * (columns.count + 1) }
        guard count > 8 * Self.sampleSize, !table.isSequential else { return nil }
        var sizes: [Int] = []
        var writer = writer
        var start = 0
        var range = 0
        for sample in 0..<Self.sampleSize {
            try control.checkCancellation()
            let index = count / Self.sampleSize * sample
            while index >= start + ranges[range].count {
                start += ranges[range].count
                range += 1
            }
            let position = ranges[range].lowerBound + index - start
            var sink = OutputSink(byteLimit: byteLimit)
            try read(position) { writer.write($0, position, &sink) }
            sizes.append(sink.buffer.count)
        }
        sizes.sort()
        guard sizes[sizes.count / 2] * (count / 2) > byteLimit else { return nil }
        return sizes.reduce(0, +) / sizes.count * count
    }

    private func copy(_ writer: inout CopyRowWriter, _ sink: inout OutputSink, memory: Int, _ control: JobControl) throws {
        // One thread is enough: the limit bounds the size of a copy.
        let output = RowOutput<CopyRowWriter>(table: table, rows: rows, columns: columns.map(\.field.rawValue), threads: 1)
        try output.write(at: numberedRanges, with: &writer, to: &sink, memory: memory, byteLimit: byteLimit, control)
        for position in lastPositions where sink.isOpen {
            try control.checkCancellation()
            try read(position) { writer.write($0, position, &sink) }
            control.advance(by: 1)
        }
    }

    private func read(_ position: Int, _ body: (UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        let row = rows[position]
        let numbers = columns.map(\.field.rawValue)
        guard row.isCountedFromEnd else { return try table.read(row.rawValue, columns: numbers, body) }
        // For rows that are counted from the end, memory has only the start of long fields. Read their fields from the file.
        guard let records = tail?.records, records.count + row.rawValue >= 0 else { throw IncompleteScan() }
        let record = records[records.count + row.rawValue]
        // A server can find rows only by their numbers.
        if table.isSequential, numbers.contains(where: { record[$0]?.isTruncated == true }) {
            throw RequestError("Long cells of the last rows arrive when all rows are counted.")
        }
        try table.scan(record, columns: numbers, body)
    }
}

/// Formats rows of which only some cells may be selected.
private struct CopyRowWriter: RowWriter {
    var format: RowFormat
    private let cells: CopiedCells
    private let ids: [ColumnID]
    /// True if no cell is omitted.
    private let areAll: Bool
    /// True if no format was chosen: empty values are written without the quotes that distinguish them from missing ones, and
    /// ``CopyWork`` omits the final line ending.
    private let isPlain: Bool

    init(_ format: RowFormat, _ cells: CopiedCells, isPlain: Bool) {
        (self.format, self.cells, self.isPlain) = (format, cells, isPlain)
        (ids, areAll) = (cells.columns.map(\.id), cells.containsAllCells)
    }

    /// `nil`, because cells may be omitted.
    var lineDelimiter: UInt8? { nil }

    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink) {
        write(fields, position, &sink)
    }

    mutating func merge(_ other: CopyRowWriter) {}

    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, _ position: Int, _ sink: inout OutputSink) {
        format.isFirst = position == cells.rows[0].lowerBound
        withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: ids.count) { chosen in
            for index in ids.indices {
                let isChosen = areAll || cells.contains(row: position, column: ids[index])
                chosen.initializeElement(at: index, to: isChosen && !(isPlain && fields[index].count == 0) ? fields[index] : .missing)
            }
            format.writeRow(UnsafeBufferPointer(chosen), &sink)
        }
    }
}
