import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

extension Session {
    /// Copies cells in an output format; without one, as plain tab-separated text, a single cell without quotes.
    func startCopying(_ cells: CopiedCells, as format: OutputFormat?, withHeader: Bool) {
        let content: CopyWork.Content =
            format == nil && cells.isSingleCell
            ? .cell(withTitle: withHeader) : .rows(format ?? .tsv, withTitles: withHeader, isPlain: format == nil)
        start(copying(cells, content, formatName: format.map(name)))
    }

    /// Copies sections in an output format, one record for each; without a format, as plain tab-separated text.
    func startCopying(_ sections: [Int], as format: OutputFormat?, withHeader: Bool) {
        guard let tree = state.grid.outline.tree else { return }
        let output = SectionOutput(
            tree, columns: state.grid.columns.all, records: document.source.snapshot, intervals: state.query.shown.groupIntervals)
        let (rows, notes) = (state.grid.rows, OutputNotes(document.input, .csv))
        let formatName = format.map(name)
        start("copying groups", .rows(sections.count)) { _ in
            var (sink, notes) = (OutputSink(byteLimit: Clipboard.byteLimit), notes)
            do {
                try output.writeData(
                    sections[...], as: RowFormat(format ?? .tsv, columns: output.dataColumns), keysFrom: rows, hasHeader: withHeader,
                    &notes, &sink)
            } catch {
                return (nil, .notCopied(JobFailure.sentence(about: error, "copying")))
            }
            sink.flush()
            guard sink.isOpen else { return (nil, .tooLargeToCopy(about: nil, limit: Clipboard.byteLimit)) }
            var bytes = sink.buffer
            if format == nil, bytes.last == 10 { bytes.removeLast() }
            return (bytes, .copiedGroups(sections.count, as: formatName, withNames: withHeader && formatName == nil))
        }
    }

    private func name(_ format: OutputFormat) -> String { format == .markdown ? "Markdown" : format.rawValue.uppercased() }

    /// Copies a whole cell of a record of any length.
    func startCopying(_ column: Column, of row: RowID, _ record: any LazyRecord) {
        guard let position = state.grid.cursor.row else { return }
        let isTruncated = document.source.record(row)?.isTruncated == true
        let content: CopyWork.Content = isTruncated ? .field(record, column.field.rawValue) : .cell(withTitle: false)
        start(copying(CopiedCells([column], rows: [position..<position + 1]), content, columnName: Message.name(column.title)))
    }

    private func copying(_ cells: CopiedCells, _ content: CopyWork.Content, formatName: String? = nil, columnName: String? = nil)
        -> CopyWork
    {
        CopyWork(
            table: document.source.snapshot, tail: document.source.tail, rows: state.grid.rows, cells: cells, content: content,
            formatName: formatName, columnName: columnName
        )
    }

    private func start(_ work: CopyWork) {
        let count = work.cells.rowCount
        start(count == 1 ? "copying" : "copying \(ValueText.count(count)) rows", .rows(count)) { try work.run($0) }
    }

    private func start(
        _ title: String, _ amount: JobAmount, _ copy: @escaping @Sendable (JobControl) throws -> (bytes: [UInt8]?, message: Message)
    ) {
        startJob(.copy, title, amount) { control, outbox in
            let (bytes, message) = try copy(control)
            let sequence = bytes.map { Clipboard.sequence($0) }
            outbox.post { session in
                if let sequence { session.backend.send(control: sequence) }
                session.send(.say(message))
            }
        }
    }
}
