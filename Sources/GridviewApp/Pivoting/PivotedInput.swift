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
    /// Finds the differences between the input and the rows that were grouped.
    let notes: PivotNotes
    private let session: Session
    /// The start of the command that opens the pivot table.
    var command: PivotCommand? { session.state.pivotCommand(job.pivot) }

    /// Reads the input to its end, and prepares the job.
    /// - Parameter isShown: true for the name of the pivot table on the screen, which contains its fields; false for the name of the input.
    /// - Throws: ``RequestError`` if an option is not valid, and a `TableError` if the input cannot be read.
    public init(_ input: any TableSource, options: LaunchOptions, isShown: Bool = false) throws {
        try self.init(try ReadInput(input, options, JobControl()), options: options, isShown: isShown)
    }

    /// Prepares the job for an input that was read. Does not read.
    init(_ read: ReadInput, options: LaunchOptions, isShown: Bool) throws {
        guard let text = options.pivot else { throw RequestError("--pivot is missing.", isUsageError: true) }
        var options = options
        options.waitsForInput = true
        let input = read.opened.input
        let document = try Document.open(read.opened, &options, using: \.optionsForPivotedInput)
        let run = BatchRun(document, options: options.optionsForPivotedInput, format: .text(.csv))
        try run.checkWidth()
        session = try run.makeSession()
        let earlyEndReason = read.end.map { JobFailure.sentence(aboutEarlyEnd: $0, rows: input.snapshot().recordCount) }
        do {
            var job = try session.pivotJob(text)
            if let earlyEndReason { job.inputProblems.insert(earlyEndReason, at: 0) }
            self.job = job
        } catch {
            throw RequestError("--pivot: \(error.message)", isUsageError: true)
        }
        name = isShown ? text.name(of: input) : input.name
        self.options = options.optionsForPivotTable
        notes = PivotNotes(
            input: input, table: session.table, valuelessFields: document.valuelessFields, schema: session.state.schema,
            filters: session.state.query.requested.filters,
            fields: QueriedFields(
                combinedFields: job.pivot.rows.map(\.field) + [job.pivot.column.field] + job.pivot.aggregates.map(\.field),
                filterFields: job.base.filters.flatMap(\.fields), textFields: session.state.fieldsChosenAsText),
            skippedLineCount: options.opener?.settings.skippedLines ?? 0, earlyEndReason: earlyEndReason)
    }

    /// An input that was read to its end, and then sampled. Reading runs on the thread of a job.
    struct ReadInput: Sendable {
        let opened: OpenedInput
        /// The error that ended the input early; `nil` for none.
        let end: (any TableError)?

        /// Reads an input to its end, unless the job is cancelled. A server groups its rows without reading them.
        init(_ input: any TableSource, _ options: LaunchOptions, _ control: JobControl) throws {
            let isQueried = input.canBeQueriedWhileIncomplete
            end = isQueried ? nil : try input.readToEnd(threads: options.affordableThreads) { control.report($0) }
            var opened = OpenedInput(input, deriving: options)
            opened.findRareTypes { !control.isCancelled }
            self.opened = opened
        }
    }

    /// Computes the pivot table.
    /// - Returns: the pivot table, and the differences between the input and the rows that were grouped.
    /// - Throws: ``RequestError``.
    public func compute() throws -> (source: any TableSource, notes: OutputNotes) {
        let source = try JobFailure.reportingFailure(Self.activity) { try job.run(name: name, JobControl()) }
        return (source, notes.find(hasRows: source.snapshot().recordCount > 0))
    }
}

/// Finds the differences between the input of a pivot table and the rows that were grouped.
struct PivotNotes: Sendable {
    let input: any TableSource
    let table: any Table
    let valuelessFields: [String]
    let schema: Schema
    let filters: [Filter]
    /// The fields that the pivot table uses.
    let fields: QueriedFields
    let skippedLineCount: Int
    let earlyEndReason: String?

    /// Finds the differences after the pivot table was computed. Can read parts of the input.
    /// - Parameter hasRows: true if the pivot table has rows.
    func find(hasRows: Bool) -> OutputNotes {
        var notes = OutputNotes(.text(.csv))
        notes.add(valuelessFields: valuelessFields)
        if !hasRows { notes.add(hintsAbout: filters, in: schema) }
        notes.add(suggestionFor: input, skippedLines: skippedLineCount)
        notes.add(mixedValuesIn: fields, of: input, in: table)
        notes.finish(input)
        if let earlyEndReason { notes.addLoss(earlyEndReason) }
        return notes
    }
}

extension PivotText {
    /// The name that the screen shows for the pivot table of `input`.
    func name(of input: any TableSource) -> String { "\(input.name): \(title)" }
}

extension LaunchOptions {
    /// The options that choose the rows of the input from which ``pivot`` is computed.
    fileprivate var optionsForPivotedInput: LaunchOptions {
        var options = self
        (options.columns, options.hiddenColumns, options.fractionDigits, options.sort) = ([], [], [], [])
        (options.frozen, options.searchText, options.pick, options.rows, options.limit) = (FrozenPanes(), nil, nil, nil, nil)
        return options
    }

    /// The options that apply to the pivot table.
    fileprivate var optionsForPivotTable: LaunchOptions {
        var options = self
        (options.path, options.pivot, options.derivedColumns, options.types, options.filters) = (nil, nil, [], [], [])
        if let makeFallbackOptions { options.makeFallbackOptions = { makeFallbackOptions($0).optionsForPivotTable } }
        return options
    }
}
