import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

extension Session {
    func startCopying(_ request: CopyRequest) {
        switch request {
        case .cells(let cells, let format, let withHeader, let asShown):
            startCopying(cells, as: format, withHeader: withHeader, asShown: asShown)
        case .sections(let sections, let format, let withHeader, let asShown):
            startCopying(sections, as: format, withHeader: withHeader, asShown: asShown)
        case .values(let values): startCopying(values)
        case .text(let text, let name): startCopying(text, name: name)
        case .field: copyFromRecord()
        }
    }

    /// Copies cells in an output format, or as plain text if the format is `nil`.
    private func startCopying(_ cells: CopiedCells, as format: OutputFormat?, withHeader: Bool, asShown: Bool) {
        guard let format else { return start(makeCopyJob(cells, .plain(withTitles: withHeader))) }
        var rows = RowFormat(format, columns: cells.columns, table: document.input.name, asShown: asShown)
        rows.hasHeader = withHeader
        start(makeCopyJob(cells, .rows(rows), formatName: name(format, withHeader: withHeader)))
    }

    /// Copies sections in an output format, one record for each section, or as plain tab-separated text if the format is `nil`.
    private func startCopying(_ sections: [Int], as format: OutputFormat?, withHeader: Bool, asShown: Bool) {
        guard let tree = state.grid.outline.tree else { return }
        let output = SectionOutput(
            tree, columns: state.grid.columns.all, records: document.source.snapshot, intervals: state.query.shown.groupIntervals)
        var records = RowFormat(format ?? .tsv, columns: asShown ? output.shownColumns : output.dataColumns, table: document.input.name)
        records.hasHeader = withHeader
        let notes = OutputNotes(.text(records.format), asShown: asShown)
        let (format, rows, isPlain, input) = (records, state.grid.rows, format == nil, document.input.name)
        let formatName = isPlain ? nil : name(format.format, withHeader: withHeader)
        startCopyJob("copying groups", .rows(sections.count)) { byteLimit, control in
            control.begin(total: sections.count)
            var (sink, notes) = (OutputSink(byteLimit: byteLimit), notes)
            do {
                try output.writeData(
                    sections[...], as: format, keysFrom: rows, asShown: asShown, &notes, &sink, control)
            } catch let cancelled as JobCancelled {
                throw cancelled
            } catch {
                return .failed(.notCopied(JobFailure.sentence(about: error, "copying")))
            }
            notes.addReplacements(input, csvAdvice: "Copy as CSV")
            return CopyJob.outcome(&sink, byteLimit: byteLimit, isPlain: isPlain) { [losses = notes.lines] route in
                .copiedGroups(
                    sections.count, as: formatName, withNames: withHeader && formatName == nil, by: route, losses: losses)
            }
        }
    }

    /// Copies the values of a column with their counts as tab-separated text with a header.
    private func startCopying(_ values: FrequentValues) {
        let (format, count) = (RowFormat(.tsv, columns: values.columns), values.valueNumbers.count)
        let (records, input) = (document.source.snapshot, document.input.name)
        startCopyJob("copying values", .rows(count)) { byteLimit, control in
            var (sink, notes) = (OutputSink(byteLimit: byteLimit), OutputNotes(.text(.tsv)))
            try values.write(as: format, from: records, &notes, to: &sink, control)
            notes.addReplacements(input, csvAdvice: "Copy as CSV")
            return CopyJob.outcome(&sink, byteLimit: byteLimit, isPlain: true) { [losses = notes.lines] route in
                .copiedRows(count, columns: values.columns.count, withNames: true, by: route, losses: losses)
            }
        }
    }

    /// Copies text that is not from the table, such as a command line or the SQL of a view.
    private func startCopying(_ text: String, name: String) {
        startCopyJob("copying \(name)", .rows(1)) { _, _ in
            .text(Array(text.utf8)) { .copiedText(name, by: $0) }
        }
    }

    /// The name of a format for messages, with a note if column names are left out.
    private func name(_ format: OutputFormat, withHeader: Bool) -> String {
        format.title + (withHeader || !format.hasOptionalHeader ? "" : " without header")
    }

    /// Copies a whole cell, even if its record is too long for memory.
    func startCopying(_ column: Column, of row: RowID, _ record: any LazyRecord) {
        guard let position = state.grid.cursor.row else { return }
        let isTruncated = document.source.record(row)?.isTruncated == true
        let content: CopyJob.Content = isTruncated ? .field(record, column.field.rawValue) : .plain(withTitles: false)
        start(makeCopyJob(CopiedCells([column], rows: [position..<position + 1]), content, columnName: Message.name(column.title)))
    }

    private func makeCopyJob(_ cells: CopiedCells, _ content: CopyJob.Content, formatName: String? = nil, columnName: String? = nil)
        -> CopyJob
    {
        CopyJob(
            table: document.source.snapshot, tail: document.source.tail, rows: state.grid.rows, cells: cells, content: content,
            columnsWithChosenType: state.columnsWithChosenType, inputName: document.input.name, formatName: formatName,
            columnName: columnName
        )
    }

    private func start(_ job: CopyJob) {
        let count = job.cells.rowCount
        let title = count == 1 ? "copying" : "copying \(ValueText.count(count)) rows"
        startCopyJob(title, .rows(count)) { byteLimit, control in
            var job = job
            job.byteLimit = byteLimit
            return try job.run(control)
        }
    }

    /// Starts a job that copies the text that `run` returns. The first parameter of `run` is the maximum number of bytes.
    private func startCopyJob(
        _ title: String, _ amount: JobAmount, _ run: @escaping @Sendable (Int, JobControl) throws -> CopyJob.Outcome
    ) {
        let (programs, problem) = (options.clipboardPrograms, options.clipboardProblem)
        startJob(.copy, title, amount) { control, outbox in
            let writer = ClipboardWriter(programs: programs(), problem: problem())
            switch try run(writer.byteLimit, control) {
            case .failed(let message): outbox.send(.show(message))
            case .text(let text, let message):
                let (sequence, route) = try writer.write(text, control)
                let report = route.map(message) ?? .notCopied(by: writer.programs[0].name, limit: Clipboard.byteLimit)
                outbox.post { session in
                    if let sequence { session.backend.sendControlSequence(sequence) }
                    session.send(.show(report))
                }
            }
        }
    }
}
