import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables
import TerminalSurface

/// Writes the view that the options describe, without a screen.
@MainActor
public struct BatchRun {
    let document: Document
    let options: LaunchOptions
    let format: OutputFormat
    let marksControls: Bool

    /// Prepares to write `document` according to `options`. Nothing is read or written yet.
    /// - Parameter marksControls: true if CSV, TSV and SQL show control characters as visible marks, for a terminal. Other formats never
    ///   write them literally.
    public init(_ document: Document, options: LaunchOptions, format: OutputFormat, marksControls: Bool = false) {
        self.document = document
        self.options = options
        self.format = format
        self.marksControls = marksControls
    }

    /// Writes to a file descriptor. Reads only as much of the file as the view needs.
    /// - Returns: The differences between the output and the file.
    /// - Throws: ``RequestError`` for an unknown column or a failed write, and a `TableError` if the input cannot be read.
    @discardableResult
    public func write(to descriptor: Int32) throws -> OutputNotes {
        let session = try makeSession()
        let wanted = session.state.query.requested
        if wanted.groups.isEmpty, !options.aggregates.isEmpty {
            throw RequestError("--aggregate needs --group.", isUsageError: true)
        }

        // The first rows in file order can be written without reading the rest. The last known record may be incomplete.
        if !(wanted.isFileOrder && document.source.snapshot.recordCount > end) {
            try readAll()
        }
        try checkWidth()
        // Collapsed sections do not need rows, except to read group keys that are not valid UTF-8 from their first rows.
        let needsRows = wanted.groups.isEmpty || !options.isCollapsed || document.input.mayContainInvalidText
        let (order, tree) = try session.arrangedNow(wanted, needsRows: needsRows)
        let last = min(end, order.count)
        var sink = OutputSink(descriptor: descriptor)
        var notes = OutputNotes(document.input, format)
        let memory = min(Self.textMemory, session.columnStore.budget / 4)
        do {
            try write(order, tree, min(options.rows?.lowerBound ?? 0, last)..<last, memory: memory, &notes, &sink)
        } catch let error as OutOfMemory {
            throw RequestError(JobFailure.sentence(about: error, "writing the output"))
        }
        try sink.finish()
        notes.finish(document.input)
        return notes
    }

    static let textMemory = 128 << 20

    /// The end of the requested rows.
    private var end: Int {
        let end = options.rows?.upperBound ?? Int.max
        guard let limit = options.limit else { return end }
        let (last, isHuge) = (options.rows?.lowerBound ?? 0).addingReportingOverflow(limit)
        return isHuge ? end : min(end, last)
    }

    func makeSession() throws -> Session {
        let backend = RecordingBackend()
        backend.keepsOnlyLastFrame = true
        return try Session(document, options: options, backend: backend, runner: .inline)
    }

    func readAll() throws {
        try document.input.readAll(threads: options.affordableThreads) { _ in true }
        document.source.refresh()
        document.addColumns()
    }

    /// - Throws: ``RequestError`` if records have more fields than the maximum number of columns.
    func checkWidth() throws {
        if let omission = document.input.omission { throw RequestError(omission) }
    }

    private func write(
        _ order: RowOrder, _ tree: SectionTree?, _ positions: Range<Int>, memory: Int, _ notes: inout OutputNotes, _ sink: inout OutputSink
    ) throws {
        let columns = document.visibleColumns
        let ids = columns.map(\.field.rawValue)
        let table = document.source.snapshot
        var format = RowFormat(format, columns: columns, table: document.input.name, marksControls: marksControls)
        let sections = tree.map { SectionOutput($0, columns: document.columns, records: table) }
        if options.isCollapsed, let tree, let sections {
            guard format.showsSections else { return try writeData(of: sections, order, &notes, &sink) }
            let shown = (0..<tree.count).filter { tree.rows(of: $0).overlaps(positions) }
            return try sections.writeTable(shown, as: self.format, &sink)
        }
        if case .text = self.format {
            // Fit to all rows if there are few, otherwise to the first ones.
            for position in positions.prefix(5_000) {
                try table.read(order[position].rawValue, columns: ids) { format.fit(zip($0, columns).map { RowFormat.shown($0, in: $1) }) }
            }
        }
        var hasHeader = false
        try table.scanHeader(columns: ids) { fields in
            notes.check(fields, row: 0, position: -1)
            format.begin(header: fields, &sink)
            hasHeader = true
        }
        if !hasHeader { format.begin(&sink) }
        let output = RowOutput<BatchRowWriter>(table: table, rows: order, columns: ids, threads: options.affordableThreads)
        var writer = BatchRowWriter(format: format, notes: notes.withoutFindings, first: positions.lowerBound)
        if format.showsSections, let tree, let sections {
            var next = 0
            _ = try output.forEachText(at: [positions], with: &writer, memory: memory, JobControl()) { position, text in
                while next < tree.count, tree.rows(of: next).lowerBound <= position {
                    if tree.rows(of: next).upperBound > position {
                        format.writeSection(tree.sections[next], column: sections.title(of: next), try sections.details(of: next), &sink)
                    }
                    next += 1
                }
                sink.write(utf8: text)
                return sink.isOpen
            }
        } else if order.isAscending {
            try output.writeAscending(positions, with: &writer, to: &sink, JobControl())
        } else {
            _ = try output.forEachText(at: [positions], with: &writer, memory: memory, JobControl()) { _, text in
                sink.write(utf8: text)
                return sink.isOpen
            }
        }
        notes.merge(writer.notes)
        format.isFirst = positions.isEmpty
        format.end(&sink)
    }

    /// Writes innermost sections as records; ``LaunchOptions/rows`` and ``LaunchOptions/limit`` count these.
    private func writeData(
        of sections: SectionOutput, _ order: RowOrder, _ notes: inout OutputNotes, _ sink: inout OutputSink
    ) throws {
        let all = sections.innermost
        let end = min(end, all.count)
        let format = RowFormat(
            format, columns: sections.dataColumns, table: document.input.name, marksControls: marksControls)
        // Read keys that are not valid UTF-8 from the file: as text they would all be equal.
        let rows = !document.input.mayContainInvalidText ? nil : order
        try sections.writeData(all[min(options.rows?.lowerBound ?? 0, end)..<end], as: format, keysFrom: rows, &notes, &sink)
    }
}

/// Writes rows in an output format, and records fields that the format cannot represent.
private struct BatchRowWriter: RowWriter {
    private var format: RowFormat
    private(set) var notes: OutputNotes
    private let first: Int

    init(format: RowFormat, notes: OutputNotes, first: Int) { (self.format, self.notes, self.first) = (format, notes, first) }

    var lineDelimiter: UInt8? { format.lineDelimiter }

    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink) {
        notes.check(fields, row: record + 1, position: position)
        format.isFirst = position == first
        format.writeRow(fields, &sink)
    }

    mutating func merge(_ other: BatchRowWriter) { notes.merge(other.notes) }
}
