import DataGrid
import DataGridQuery
import DataGridSources
import Tables

extension Session {
    /// Ends the program after rows were picked. ``writePicked(to:marksControls:)`` then writes them.
    func pick(_ rows: PickedRows) {
        guard let pick = options.pick else { return }
        do {
            let cells = CopiedCells(try document.pickedColumns(pick), rows: rows.positions)
            let format = RowFormat(pick.format ?? .csv, columns: cells.columns, table: document.input.name)
            pickJob = CopyJob(
                table: document.source.snapshot, tail: document.source.tail, rows: rows.order, cells: cells,
                content: .rows(format), columnsWithChosenType: state.columnsWithChosenType, inputName: document.input.name, byteLimit: .max)
            send(.terminate(status: 0))
        } catch {
            send(.show(.jobFailed(JobFailure.sentence(about: error, "picking"))))
        }
    }

    /// Writes the picked rows to a file descriptor. Call it after ``run()``. Writes nothing if no rows were picked.
    /// - Parameter marksControls: true to write visible marks instead of control characters, for a terminal.
    /// - Returns: Sentences about replaced characters and renamed columns, for standard error.
    /// - Throws: ``RequestError`` if not everything can be read or written.
    @discardableResult
    public func writePicked(to descriptor: Int32, marksControls: Bool = false) throws -> [String] {
        guard let pickJob, let pick = options.pick else { return [] }
        var format = RowFormat(
            pick.format ?? .csv, columns: pickJob.cells.columns, table: document.input.name, marksControls: marksControls)
        (format.hasHeader, format.quotesFields) = (pick.format != nil, pick.format != nil || pick.column == nil)
        var (sink, notes) = (OutputSink(descriptor: descriptor), OutputNotes(.text(format.format)))
        try JobFailure.reportingFailure("writing the picked rows") {
            try pickJob.writeRows(format, &notes, to: &sink, memory: BatchRun.textMemory, JobControl())
        }
        try sink.finish()
        if let sentence = pickJob.cutSentence { throw RequestError(sentence) }
        notes.addReplacements(document.input.name)
        // The keys of JSON objects are known only after this call.
        _ = format.useTypes(of: pickJob.table, except: pickJob.columnsWithChosenType)
        notes.checkNames(
            of: pickJob.cells.columns.map { (id: $0.field, title: $0.title) }, as: format.columnNames, from: document.input)
        notes.addRenames(document.input.name)
        return notes.lines
    }
}

extension Document {
    /// The columns to print: the column that the options name, or all columns that the options show.
    ///
    /// Hiding or moving columns on the screen has no effect on them, so that scripts always read the same columns.
    /// - Throws: ``RequestError`` for an unknown column.
    func pickedColumns(_ pick: PickSettings) throws -> [Column] {
        guard let reference = pick.column else { return visibleColumns }
        let id = try columnID(reference, of: "--pick-column")
        return columns.filter { $0.id == id }
    }
}
