import DataGrid
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

extension Session {
    /// Copies cells in an output format; without one, as plain tab-separated text, a single cell without quotes.
    func startCopying(_ cells: CopiedCells, as format: OutputFormat?, withHeader: Bool, asShown: Bool) {
        if format == nil, cells.isSingleCell { return start(copying(cells, .cell(withTitle: withHeader))) }
        var rows = RowFormat(
            format ?? .tsv, columns: cells.columns, table: document.input.name, asShown: asShown)
        rows.hasHeader = withHeader
        start(
            copying(
                cells, .rows(rows, isPlain: format == nil),
                formatName: format.map { $0.title + (withHeader || !$0.hasOptionalHeader ? "" : " without header") }))
    }

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
        let title = count == 1 ? "copying" : "copying \(ValueText.count(count)) rows"
        let programs = options.clipboardPrograms
        startJob(.copy, title, .rows(count)) { control, outbox in
            let writer = ClipboardWriter(programs: programs())
            var work = work
            work.byteLimit = writer.byteLimit
            switch try work.run(control) {
            case .failed(let message): outbox.send(.say(message))
            case .text(let text, let message):
                let (sequence, way) = try writer.write(text, control)
                let report = way.map(message) ?? .notCopied(by: writer.programs[0].name, limit: Clipboard.byteLimit)
                outbox.post { session in
                    if let sequence { session.backend.send(control: sequence) }
                    session.send(.say(report))
                }
            }
        }
    }
}
