import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

/// A job that copies cells: reads and formats rows, up to the limit of the clipboard.
struct CopyWork: Sendable {
    enum Content: Sendable {
        /// One cell as in the file, without quotes.
        case cell(withTitle: Bool)
        /// Rows in a format. Plain rows omit the quotes that distinguish empty values from missing ones, and the final line ending.
        case rows(OutputFormat, withTitles: Bool, isPlain: Bool)
        /// A field of a record that is too long for memory.
        case field(any LazyRecord, Int)
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

    /// The number of rows that the size estimate samples.
    private static let sampleSize = 256
    private var columns: [Column] { cells.columns }
    private var ranges: [Range<Int>] { cells.rows }

    /// Copies the cells.
    /// - Returns: The bytes for the clipboard, or `nil`, and the message to show.
    /// - Throws: ``JobCancelled``.
    func run(_ control: JobControl) throws -> (bytes: [UInt8]?, message: Message) {
        control.begin(total: cells.rowCount)
        do {
            switch content {
            case .cell(let withTitle):
                var sink = OutputSink(byteLimit: Clipboard.byteLimit)
                if withTitle { sink.write(columns[0].title + "\n") }
                try read(ranges[0].lowerBound) { sink.write(utf8: $0[0].bytes) }
                return result(&sink, .copiedCell(of: columnName, withName: withTitle))
            case .field(let record, let field): return try copyField(of: record, field, control)
            case .rows(let format, let withTitles, let isPlain):
                return try copyRows(RowFormat(format, columns: columns), withTitles: withTitles, isPlain: isPlain, control)
            }
        } catch let cancelled as JobCancelled {
            throw cancelled
        } catch {
            return (nil, .notCopied(JobFailure.sentence(about: error, "copying")))
        }
    }

    private func result(_ sink: inout OutputSink, _ message: Message) -> (bytes: [UInt8]?, message: Message) {
        sink.flush()
        guard sink.isOpen else { return (nil, Self.tooLarge(about: nil)) }
        return (sink.buffer, message)
    }

    /// - Parameter size: the estimated size in bytes; `nil` if unknown.
    private static func tooLarge(about size: Int?) -> Message { .tooLargeToCopy(about: size, limit: Clipboard.byteLimit) }

    private func copyField(of record: any LazyRecord, _ field: Int, _ control: JobControl) throws -> (bytes: [UInt8]?, message: Message) {
        var sink = OutputSink(byteLimit: Clipboard.byteLimit)
        var isWhole = record.isComplete
        if let found = try record.field(field) {
            isWhole = !found.isPartial
            for piece in 0..<found.pieceCount where sink.isOpen {
                try control.checkCancellation()
                sink.write(try record.text(of: found, piece: piece))
            }
        }
        guard isWhole || !sink.isOpen else {
            return (nil, .cellNotRead)
        }
        return result(&sink, .copiedCell(of: columnName))
    }

    // MARK: Rows

    private func copyRows(_ format: RowFormat, withTitles: Bool, isPlain: Bool, _ control: JobControl) throws -> (
        bytes: [UInt8]?, message: Message
    ) {
        var writer = CopyRowWriter(format, cells, isPlain: isPlain)
        if let size = try estimate(writer, control) { return (nil, Self.tooLarge(about: size)) }
        var sink = OutputSink(byteLimit: Clipboard.byteLimit)
        if withTitles { writer.format.begin(&sink) }
        try copy(&writer, &sink, control)
        writer.format.isFirst = false
        if withTitles { writer.format.end(&sink) }
        let copied: Message =
            cells.isSingleCell
            ? .copiedCell(as: formatName)
            : .copiedRows(cells.rowCount, columns: columns.count, as: formatName, withNames: withTitles && formatName == nil)
        var (bytes, message) = result(&sink, copied)
        if isPlain, bytes?.last == 10 { bytes?.removeLast() }
        return (bytes, message)
    }

    /// The approximate number of bytes if it certainly exceeds the limit; otherwise `nil`.
    ///
    /// Half of the rows are at least as long as the median. If the sample is representative, a few long rows do not affect this bound.
    private func estimate(_ writer: CopyRowWriter, _ control: JobControl) throws -> Int? {
        let count = cells.rowCount
        // Each row has at least one byte per column: a separator or a line ending.
        if count > Clipboard.byteLimit / max(1, columns.count) { return count * (columns.count + 1) }
        guard count > 8 * Self.sampleSize else { return nil }
        var sizes: [Int] = []
        var writer = writer
        var start = 0
        var range = 0
        for sample in 0..<Self.sampleSize {
            try control.checkCancellation()
            let wanted = count / Self.sampleSize * sample
            while wanted >= start + ranges[range].count {
                start += ranges[range].count
                range += 1
            }
            let position = ranges[range].lowerBound + wanted - start
            var sink = OutputSink(byteLimit: Clipboard.byteLimit)
            try read(position) { writer.write($0, position, &sink) }
            sizes.append(sink.buffer.count)
        }
        sizes.sort()
        guard sizes[sizes.count / 2] * (count / 2) > Clipboard.byteLimit else { return nil }
        return sizes.reduce(0, +) / sizes.count * count
    }

    private func copy(_ writer: inout CopyRowWriter, _ sink: inout OutputSink, _ control: JobControl) throws {
        let head = if case .spliced(let head, _) = rows { head } else { rows.count }
        // One thread is enough: the limit of the clipboard bounds the memory.
        let output = RowOutput<CopyRowWriter>(table: table, rows: rows, columns: columns.map(\.field.rawValue), threads: 1)
        let fits = try output.forEachText(
            at: ranges.map { $0.clamped(to: 0..<head) }, with: &writer, memory: .max, byteLimit: Clipboard.byteLimit, control
        ) { _, text in
            sink.write(utf8: text)
            return sink.isOpen
        }
        if !fits { sink.close() }
        // Rows that are counted from the end are last.
        for position in ranges.map({ $0.clamped(to: head..<rows.count) }).joined() where sink.isOpen {
            try control.checkCancellation()
            try read(position) { writer.write($0, position, &sink) }
            control.advance(by: 1)
        }
    }

    private func read(_ position: Int, _ body: (UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        let row = rows[position]
        let numbers = columns.map(\.field.rawValue)
        guard row.isCountedFromEnd else { return try table.read(row.rawValue, columns: numbers, body) }
        // Rows without a number have only the start of long fields in memory; read their fields from the file.
        guard let records = tail?.records, records.count + row.rawValue >= 0 else { throw IncompleteScan() }
        try table.scan(records[records.count + row.rawValue], columns: numbers, body)
    }
}

/// Formats rows in which some cells may not be selected.
private struct CopyRowWriter: RowWriter {
    var format: RowFormat
    private let cells: CopiedCells
    private let ids: [ColumnID]
    private let areAll: Bool
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
