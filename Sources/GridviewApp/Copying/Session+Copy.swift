import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

extension Session {
    /// Copies what is selected, or the cell under the cursor: tab-separated text as in the file; a single cell without quotes.
    func startCopying(withHeader: Bool) {
        guard let (columns, ranges) = chosenCells() else { return }
        let isCell = state.grid.selection.isEmpty
        start(copying(columns, ranges, isCell ? .cell(withTitle: withHeader) : .rows(.tsv, withTitles: withHeader, isPlain: true), ""))
    }

    /// Copies in a format as `--output` writes it, with the names of the columns.
    func startCopying(as format: OutputFormat) {
        guard let (columns, ranges) = chosenCells() else { return }
        let name = format == .markdown ? "Markdown" : format.rawValue.uppercased()
        start(copying(columns, ranges, .rows(format, withTitles: true, isPlain: false), " as \(name)"))
    }

    /// Copies a cell of a record, whole however long the record is.
    func startCopying(_ column: Column, of row: RowID, _ record: any LazyRecord) {
        guard let position = state.grid.cursor.row else { return }
        let isCut = document.source.record(row)?.isCut == true
        let content: CopyWork.Content = isCut ? .field(record, column.field.rawValue) : .cell(withTitle: false)
        start(copying([column], [position..<position + 1], content, " “\(Message.name(column.title))”"))
    }

    /// The selected columns, and the rows in which something is selected; without a selection, the cell under the cursor.
    private func chosenCells() -> (columns: [Column], rows: [Range<Int>])? {
        let grid = state.grid
        var columns: [Column] = []
        var rows: [Range<Int>] = []
        if !grid.selection.isEmpty {
            columns = grid.columns.visible.filter { !grid.selection.rows(rowCount: grid.rows.count, columns: [$0.id]).isEmpty }
            rows = grid.selection.rows(rowCount: grid.rows.count, columns: columns.map(\.id)).filter { !$0.isEmpty }
        } else if let column = grid.currentColumn, grid.currentRow != nil, let row = grid.cursor.row {
            (columns, rows) = ([column], [row..<row + 1])
        }
        guard !rows.isEmpty else {
            send(.say(Message("There is nothing to copy here.", short: "Nothing to copy.", isError: true)))
            return nil
        }
        return (columns, rows)
    }

    private func copying(_ columns: [Column], _ ranges: [Range<Int>], _ content: CopyWork.Content, _ words: String) -> CopyWork {
        CopyWork(
            table: document.source.snapshot, tail: document.source.tail, rows: state.grid.rows, ranges: ranges, columns: columns,
            selection: state.grid.selection, content: content, words: words)
    }

    private func start(_ work: CopyWork) {
        let count = work.rowCount
        let title = count == 1 ? "copying" : "copying \(ValueText.count(count)) rows"
        startJob(.copy, title, .rows(count)) { control, letters in
            let (bytes, message) = try work.run(control)
            letters.post(.copied(bytes.map { Clipboard.sequence($0) }, message))
        }
    }
}
