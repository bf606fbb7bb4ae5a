import DataGrid
import DataGridQuery
import DataGridSources
import Tables

/// A job that writes the content of an export to a file.
struct ExportJob: Sendable {
    let output: ViewOutput
    let content: ExportContent
    /// The reason why rows are missing, if the input ended early; `nil` if none are missing.
    var earlyEndReason: String?
    /// The fields that select or order the rows of the view.
    var comparedFields = QueriedFields()

    /// The number of rows, groups or values to write, for the progress. If a server has not counted the rows, the largest possible number.
    var count: Int {
        switch content {
        case .view: output.rows.count
        case .selection(let cells): cells.rowCount
        case .groups: output.tree.map { output.recordCount(of: $0) } ?? 0
        case .values(let values): values.valueNumbers.count
        }
    }

    /// Writes the content to `file`, then renames the file to its target.
    /// - Returns: The message to show, and the notes about differences between the output and the input, whose lines it also contains.
    /// - Throws: `JobCancelled`, ``RequestError`` with a remedy, and errors of the table.
    func run(to file: ExportFile, _ control: JobControl) throws -> (message: Message, notes: OutputNotes) {
        var sink = OutputSink(descriptor: file.descriptor, for: control, encoder: try output.format.compression?.makeEncoder())
        var notes = OutputNotes(output.format)
        let count = try write(&notes, &sink, control) ?? self.count
        try sink.end()
        try control.checkCancellation()
        if let failure = sink.failure { throw file.failure(failure) }
        notes.add(mixedValuesIn: queriedFields, of: output.input, in: output.table)
        notes.finish(output.input, csvAdvice: "Export as CSV")
        notes.add(output.cuts, of: output.input)
        if let earlyEndReason { notes.addLoss(earlyEndReason) }
        if [.view, .groups].contains(content), let omission = output.tree?.omission { notes.addLoss(omission) }
        if hasAggregates, let phrase = output.tree?.leftOutValues { notes.addLoss("\(output.input.name): \(phrase).") }
        let size = try file.finish(control)
        let message = Message.exported(
            Message.amount(count, areGroups: content == .groups), to: file.target.shownPath, byteCount: size,
            changedCells: output.formulaGuard?.count, notes: notes.lines, isIncomplete: earlyEndReason != nil,
            replacesCharacters: notes.replacesCharacters, renamesColumns: notes.renamesColumns)
        return (message, notes)
    }

    /// True if the output has the aggregates of groups.
    private var hasAggregates: Bool { content == .groups || content == .view && output.format.text?.showsSections == true }

    private var queriedFields: QueriedFields {
        var fields = [.view, .groups].contains(content) ? comparedFields : QueriedFields()
        (fields.combinedFields, fields.textFields) = (computedFields, comparedFields.textFields)
        switch content {
        case .view, .selection: fields.writtenFields = output.columns.map(\.field).filter(\.isDerived)
        case .groups, .values: break
        }
        return fields
    }

    /// The fields whose values the output combines, as in groups, sums and counts, instead of writing each value.
    private var computedFields: [FieldID] {
        switch content {
        case .view where output.format.text?.showsSections != true: []
        case .selection: []
        case .view, .groups: output.tree.map { ($0.columns + $0.aggregates.map(\.column)).map(\.field) } ?? []
        case .values(let values): [values.column.field]
        }
    }

    /// - Returns: The number of rows; `nil` for groups and values.
    private func write(_ notes: inout OutputNotes, _ sink: inout OutputSink, _ control: JobControl) throws -> Int? {
        let all = 0..<output.rows.count
        switch content {
        case .view: return try output.writeRows(at: [all], &notes, &sink, control)
        case .selection(let cells): return try output.writeRows(at: cells.rows, of: cells, &notes, &sink, control)
        case .groups:
            guard let tree = output.tree else { return nil }
            try output.writeSections(tree, at: all, records: 0..<tree.count, &notes, &sink, control)
        case .values(let values):
            switch output.format.content {
            case .text(let text):
                let format = RowFormat(text, columns: values.columns, formulaGuard: output.formulaGuard)
                try values.write(as: format, from: output.table, &notes, to: &sink, control)
            case .typed(let typed):
                control.begin(total: 2 * values.valueNumbers.count)
                try notes.checkTitles(of: [values.column], in: output.table)
                let found = notes
                let declared = values.columns.map { output.chosenNumericTypes[$0.field] }
                let textColumns = try TypedOutput(typed, columns: values.columns, table: output.input.name)
                    .write(declared: declared, rowCount: values.valueNumbers.count, to: &sink) { body in
                        // The file is written in two passes. Discard the notes of the first pass, so that no value is counted twice.
                        notes = found
                        try values.forEachRecord(&notes, control, body)
                    }
                notes.add(textColumns, in: typed.title, output.input.name)
            }
        }
        return nil
    }
}
