import DataGrid
import DataGridQuery
public import Tables

/// The input of the option `--pivot`, whose pivot table is shown or written. All options that do not choose rows of the input apply to the
/// pivot table.
@MainActor
public struct PivotedInput {
    /// The activity that computes the pivot table.
    public static let activity = "computing the pivot table"

    /// The options for the pivot table.
    public let options: LaunchOptions
    /// The job that computes the pivot table.
    let job: PivotJob
    /// The name of the pivot table.
    let name: String
    private let run: BatchRun
    private let session: Session
    private let earlyEnd: String?
    /// The start of the command that opens the pivot table.
    var command: PivotCommand? { session.state.pivotCommand(job.pivot) }

    /// Reads the input to its end, and prepares the job.
    /// - Parameter isShown: true for the name of the pivot table on the screen, which contains its fields; false for the name of the input.
    /// - Throws: ``RequestError`` if an option is not valid, and a `TableError` if the input cannot be read.
    public init(_ input: any TableSource, options: LaunchOptions, isShown: Bool = false) throws {
        try self.init(input, endedBy: try Self.read(input, options) { _ in true }, options: options, isShown: isShown)
    }

    /// Prepares the job for an input that ``read(_:_:progress:)`` has read.
    /// - Parameter end: the error that ended the input early; `nil` for none.
    init(_ input: any TableSource, endedBy end: (any TableError)?, options: LaunchOptions, isShown: Bool) throws {
        guard let text = options.pivot else { throw RequestError("--pivot is missing.", isUsageError: true) }
        var options = options
        options.waitsForInput = true
        let document = try Document.open(input, &options, using: \.forPivotedInput)
        document.findRareTypes()
        run = BatchRun(document, options: options.forPivotedInput, format: .text(.csv))
        try run.checkWidth()
        session = try run.makeSession()
        earlyEnd = end.map { JobFailure.sentence(aboutEarlyEnd: $0, rows: input.snapshot().recordCount) }
        do {
            var job = try session.pivotJob(text)
            if let earlyEnd { job.inputProblems.insert(earlyEnd, at: 0) }
            self.job = job
        } catch {
            throw RequestError("--pivot: \(error.message)", isUsageError: true)
        }
        name = isShown ? text.name(of: input) : input.name
        self.options = options.forPivotTable
    }

    /// Reads an input to its end. A server groups its rows without reading them.
    /// - Parameter progress: returns `false` to stop.
    /// - Returns: the error that ended the input early; `nil` for none.
    nonisolated static func read(
        _ input: any TableSource, _ options: LaunchOptions, progress: @Sendable (ReadProgress) -> Bool
    ) throws -> (any TableError)? {
        input.canBeQueriedWhileIncomplete ? nil : try input.readToEnd(threads: options.affordableThreads, progress: progress)
    }

    /// Computes the pivot table.
    /// - Returns: the pivot table, and the differences between the input and the rows that were grouped.
    /// - Throws: ``RequestError``.
    public func compute() throws -> (source: any TableSource, notes: OutputNotes) {
        let source = try JobFailure.reportingFailure(Self.activity) { try job.run(name: name, JobControl()) }
        return (source, notes(hasRows: source.snapshot().recordCount > 0))
    }

    /// The differences between the input and the rows that were grouped.
    func notes(hasRows: Bool) -> OutputNotes {
        let input = run.document.input
        var notes = OutputNotes(run.format)
        notes.add(valuelessFields: run.document.valuelessFields)
        if !hasRows { notes.add(hintsAbout: session.state.query.requested.filters, in: session.state.schema) }
        notes.add(suggestionFor: input, skippedLines: options.opener?.settings.skippedLines ?? 0)
        let fields = QueriedFields(
            combined: job.pivot.rows.map(\.field) + [job.pivot.column.field] + job.pivot.aggregates.map(\.field),
            filtered: job.base.filters.flatMap(\.fields))
        notes.add(mixedValuesIn: fields, of: input, in: session.table)
        notes.finish(input)
        if let earlyEnd { notes.addLoss(earlyEnd) }
        return notes
    }
}

extension PivotText {
    /// The name of the pivot table of an input on the screen.
    func name(of input: any TableSource) -> String { "\(input.name): \(title)" }
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
