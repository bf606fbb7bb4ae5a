import DataGrid
import DataGridQuery
public import Tables

/// The pivot table of the option `--pivot`. All options that do not choose rows of the input apply to it.
@MainActor
public struct PivotedInput {
    /// The pivot table.
    public let source: any TableSource
    /// The options for ``source``.
    public let options: LaunchOptions
    /// The differences between the input and the rows that were grouped.
    public let notes: OutputNotes

    /// Reads the input to its end, and computes the pivot table.
    /// - Throws: ``RequestError`` if an option is not valid, and a `TableError` if the input cannot be read.
    public init(_ input: any TableSource, options: LaunchOptions) throws {
        var options = options
        options.waitsForInput = true
        let document = try Document.open(input, &options, using: \.forPivotedInput)
        let inputOptions = options.forPivotedInput
        let run = BatchRun(document, options: inputOptions, format: .text(.csv))
        // A server runs the query before its rows are counted.
        let earlyEnd = try input.canBeQueriedWhileIncomplete ? nil : run.readAll()
        try run.checkWidth()
        guard let text = options.pivot else { throw RequestError("--pivot is missing.", isUsageError: true) }
        let session = try run.makeSession()
        let job: PivotJob
        do {
            job = try session.pivotJob(text)
        } catch {
            throw RequestError("--pivot: \(error.message)", isUsageError: true)
        }
        let source = try JobFailure.reportingFailure("computing the pivot table") { try job.run(name: input.name, JobControl()) }
        self.source = source
        self.options = options.forPivotTable
        var notes = OutputNotes(.text(.csv))
        notes.add(valuelessFields: document.valuelessFields)
        if source.snapshot().recordCount == 0 { notes.add(hintsAbout: session.state.query.requested.filters, in: session.state.schema) }
        notes.add(suggestionFor: input, skippedLines: options.opener?.settings.skippedLines ?? 0)
        let fields = QueriedFields(
            combined: job.pivot.rows.map(\.field) + [job.pivot.column.field] + job.pivot.aggregates.map(\.field),
            filtered: job.base.filters.flatMap(\.fields))
        notes.add(mixedValuesIn: fields, of: input, in: session.table)
        notes.finish(input)
        if let earlyEnd { notes.addLoss(earlyEnd) }
        self.notes = notes
    }
}

extension LaunchOptions {
    /// The options that choose the rows of the input from which ``pivot`` is computed.
    fileprivate var forPivotedInput: LaunchOptions {
        var options = self
        (options.columns, options.hiddenColumns, options.formats, options.sort) = ([], [], [], [])
        (options.frozen, options.find, options.pick, options.rows, options.limit) = (FrozenPanes(), nil, nil, nil, nil)
        return options
    }

    /// The options that apply to the pivot table.
    fileprivate var forPivotTable: LaunchOptions {
        var options = self
        (options.path, options.pivot, options.derivedColumns, options.types, options.filters) = (nil, nil, [], [], [])
        if let fallback { options.fallback = { fallback($0).forPivotTable } }
        return options
    }
}
