import DataGrid
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
        start(copying(cells, content, formatName: format.map { $0 == .markdown ? "Markdown" : $0.rawValue.uppercased() }))
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
        startJob(.copy, title, .rows(count)) { control, outbox in
            let (bytes, message) = try work.run(control)
            let sequence = bytes.map { Clipboard.sequence($0) }
            outbox.post { session in
                if let sequence { session.backend.send(control: sequence) }
                session.send(.say(message))
            }
        }
    }
}
