import DataGrid
import DataGridSources
import DataGridTerminal
import DelimitedText
import FieldValues
import TerminalSurface

/// What is copied: the selected cells, or the one under the cursor, in one of the formats of output.
@MainActor
struct Clip {
    /// `nil` when it is more than the clipboard takes, or could not be read.
    private(set) var bytes: [UInt8]?
    private(set) var message = Message("There is nothing to copy here.", short: "Nothing to copy.", isError: true)

    private let grid: GridState
    private let source: DelimitedGridSource

    /// Tab-separated text, byte for byte as the file has it; a single cell as it is.
    init(_ grid: GridState, source: DelimitedGridSource, withHeader: Bool) {
        self.init(grid, source)
        guard grid.selection.isEmpty else {
            add(.tsv, withHeader: withHeader, isPlain: true, "")
            return
        }
        guard let row = grid.currentRow, let column = grid.currentColumn else { return }
        var sink = OutputSink(byteLimit: Clipboard.byteLimit)
        if withHeader { sink.write(column.title + "\n") }
        let isRead = source.read([row], columns: [column.id]) { _, fields in sink.write(utf8: fields[0].bytes) }
        finish(&sink, isRead: isRead, "Copied the cell.")
    }

    /// The format as `--output` writes it, titles included.
    init(_ grid: GridState, source: DelimitedGridSource, as format: OutputFormat) {
        self.init(grid, source)
        add(format, withHeader: true, isPlain: false, " as \(format == .markdown ? "Markdown" : format.rawValue.uppercased())")
    }

    /// A cell of a record, whole however long the record is.
    init(_ column: Column, of row: RowID, _ record: RecordText, grid: GridState, source: DelimitedGridSource) {
        self.init(grid, source)
        var sink = OutputSink(byteLimit: Clipboard.byteLimit)
        let words = "Copied the cell “\(Message.name(column.title))”."
        guard source.record(row)?.isCut == true else {
            let isRead = source.read([row], columns: [column.id]) { _, fields in sink.write(utf8: fields[0].bytes) }
            finish(&sink, isRead: isRead, words)
            return
        }
        var isWhole = true
        let isRead: Void? = source.reading { () throws(DelimitedTextError) in
            guard let field = try record.field(column.id.rawValue) else { return isWhole = record.isComplete }
            isWhole = !field.isOpen
            for piece in 0..<field.pieceCount where sink.isOpen { sink.write(try record.text(of: field, piece: piece)) }
        }
        if isRead != nil, sink.isOpen, !isWhole {
            message = Message("The end of this cell is still being looked for.", short: "Still reading.")
        } else {
            finish(&sink, isRead: isRead != nil, words)
        }
    }

    private init(_ grid: GridState, _ source: DelimitedGridSource) {
        self.grid = grid
        self.source = source
    }

    /// The selected columns, and the rows in which something is selected; without a selection, the cell under the cursor.
    private var chosen: (columns: [Column], rows: [Range<Int>]) {
        if grid.selection.isEmpty {
            guard let column = grid.currentColumn, grid.currentRow != nil, let row = grid.cursor.row else { return ([], []) }
            return ([column], [row..<row + 1])
        }
        let columns = grid.columns.visible.filter { !grid.selection.rows(rowCount: grid.rows.count, columns: [$0.id]).isEmpty }
        return (columns, grid.selection.rows(rowCount: grid.rows.count, columns: columns.map(\.id)))
    }

    /// - Parameter isPlain: without the quotes that tell an empty value from a missing one, and without a line end at the end.
    private mutating func add(_ format: OutputFormat, withHeader: Bool, isPlain: Bool, _ words: String) {
        let (columns, ranges) = chosen
        let ids = columns.map(\.id)
        var sink = OutputSink(byteLimit: Clipboard.byteLimit)
        var rowFormat = RowFormat(format, columns: columns)
        if withHeader { rowFormat.begin(&sink) }
        var rows = 0
        var isRead = true
        let isWhole = grid.selection.isEmpty
        for range in ranges {
            var start = range.lowerBound
            while start < range.upperBound, isRead, sink.isOpen {
                let piece = start..<min(range.upperBound, start + 256)
                isRead = source.read(piece.map { grid.rows[$0] }, columns: ids) { number, fields in
                    rows += 1
                    let cells = zip(ids, fields).map { id, field -> FieldBytes in
                        let isChosen = isWhole || grid.selection.contains(row: piece.lowerBound + number, column: id)
                        return isChosen && !(isPlain && field.count == 0) ? field : .missing
                    }
                    cells.withUnsafeBufferPointer { rowFormat.row($0, &sink) }
                }
                start = piece.upperBound
            }
        }
        guard rows > 0 || !isRead else { return }
        if withHeader { rowFormat.end(&sink) }
        let what = "\(ValueText.count(rows)) \(rows == 1 ? "row" : "rows") of \(columns.count) \(columns.count == 1 ? "column" : "columns")"
        finish(&sink, isRead: isRead, "Copied \(isWhole ? "the cell" : what)\(words).")
        if isPlain, bytes?.last == 10 { bytes?.removeLast() }
    }

    private mutating func finish(_ sink: inout OutputSink, isRead: Bool, _ words: String) {
        sink.flush()
        if !isRead {
            message = Message("Nothing was copied: the file could not be read.", short: "Nothing copied.", isError: true)
        } else if !sink.isOpen {
            message = Message(
                "Too much to copy at once: at most \(Clipboard.byteLimit >> 20) MB go to the clipboard. --output writes any amount.",
                short: "Too much to copy.", isError: true)
        } else {
            bytes = sink.buffer
            message = Message(words, short: "Copied.")
        }
    }
}
