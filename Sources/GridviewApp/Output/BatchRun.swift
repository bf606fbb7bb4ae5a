import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables
import TerminalSurface

/// Writes the rows that the command-line options describe to a file descriptor, without a screen.
@MainActor
public struct BatchRun {
    let document: Document
    let options: LaunchOptions
    let format: FileFormat
    /// True if CSV, TSV and SQL show control characters as visible marks, for a terminal.
    let marksControls: Bool
    /// True to make cells that begin like formulas harmless for spreadsheets, in CSV and TSV.
    private let neutralizesFormulas: Bool
    /// A new guard for one output; `nil` to write formulas unchanged.
    var formulaGuard: FormulaGuard? { neutralizesFormulas ? FormulaGuard() : nil }

    /// Prepares to write `document` according to `options`. Nothing is read or written before ``write(to:)``.
    /// - Parameters:
    ///   - marksControls: true if CSV, TSV and SQL show control characters as visible marks, for a terminal. Other formats never write
    ///     control characters literally.
    ///   - neutralizesFormulas: true to make CSV and TSV safe for spreadsheets: cells that begin like formulas get a leading apostrophe.
    public init(
        _ document: Document, options: LaunchOptions, format: FileFormat, marksControls: Bool = false, neutralizesFormulas: Bool = false
    ) {
        self.document = document
        self.options = options
        self.format = format
        self.marksControls = marksControls
        self.neutralizesFormulas = neutralizesFormulas
    }

    /// Writes to a file descriptor. Reads only as much of the file as the requested rows need.
    ///
    /// If the input ends early, writes the rows before its end, and records a loss in the notes.
    /// - Returns: The differences between the output and the file.
    /// - Throws: ``RequestError`` for an unknown column or a failed write, and a `TableError` if the input cannot be read.
    @discardableResult
    public func write(to descriptor: Int32) throws -> OutputNotes {
        // A saved view may name columns that only later records have, so all records must be read first.
        if options.view != nil { _ = try readAll() }
        try findRareTypesOfQuery()
        let session = try makeSession()
        var notes = OutputNotes(format)
        if options.view != nil { try restoreView(in: session, &notes) }
        let requested = session.state.query.requested
        if requested.groups.isEmpty, !options.aggregates.isEmpty {
            throw RequestError("--aggregate needs --group. For the sum and mean of each column, use --stats.", isUsageError: true)
        }

        // A pipe may end late or never.
        if requested.isFileOrder, document.input.isGrowing { try readRequestedRows() }
        // True if the requested rows are in file order and known already, so that the rest of the file is not read. One more record must be
        // known, because the last known record may be incomplete.
        let areKnown = requested.isFileOrder && document.source.snapshot.recordCount > endPosition
        // True for a server, which can run the query before its rows are counted.
        let isQueried = options.view == nil && document.input.canBeQueriedWhileIncomplete
        let isOpenEnded =
            !areKnown && isQueried && requested.groups.isEmpty && (!requested.isFileOrder || !document.source.snapshot.isComplete)
        let isCollapsed = options.isCollapsed || options.view.map { CollapsedGroups($0.view).areAllCollapsed } == true
        func arranged() throws -> (RowOrder, SectionTree?) {
            // Collapsed sections are written without rows. But if the file may have invalid UTF-8, the key of each section is read from its
            // first row.
            let needsRows = requested.groups.isEmpty || !isCollapsed || document.input.mayContainInvalidText
            let (rows, tree) = try session.arrangeSynchronously(requested, needsRows: needsRows, count: isOpenEnded ? 0 : endPosition)
            return (isOpenEnded ? rows.openEnded : rows, tree)
        }
        var earlyEndReason: String?
        var arrangedEarly: (RowOrder, SectionTree?)?
        if !areKnown, !requested.isFileOrder {
            // Arrange the rows before searching later records for columns: arranging reads the records, so that the search does not read
            // them again.
            if !isQueried { earlyEndReason = try readAll(findsColumns: false) }
            arrangedEarly = try arranged()
        }
        let columnCount = document.input.columnCount
        if !areKnown, !isQueried {
            let message = try readAll()
            earlyEndReason = earlyEndReason ?? message
        }
        if dependsOnTypes { document.findRareTypes() }
        try checkWidth()
        // A filter may search all columns. If columns were found after the rows were arranged, arrange the rows again.
        if document.input.columnCount > columnCount, !requested.filters.isEmpty { arrangedEarly = nil }
        let (order, tree) = try arrangedEarly ?? arranged()
        let last = min(endPosition, order.count)
        var sink = try makeSink(descriptor)
        let grid = session.state.grid.columns
        let (visible, all) = options.view == nil ? (document.visibleColumns, document.columns) : (Array(grid.visible), grid.all)
        // Only saved views rename columns.
        let titles = options.view == nil ? nil : Dictionary(document.columns.map { ($0.id, $0.title) }) { first, _ in first }
        let renamed = titles.map { titles in visible.filter { titles[$0.id] != $0.title }.map(\.id) } ?? []
        let output = ViewOutput(
            input: document.input, table: document.source.snapshot, columns: visible, allColumns: all,
            renamedColumns: Set(renamed), columnsWithChosenType: session.state.columnsWithChosenType, rows: order,
            isOpenEnded: isOpenEnded, tree: tree,
            intervals: requested.groupIntervals, format: format, marksControls: marksControls, formulaGuard: formulaGuard,
            threads: options.affordableThreads,
            memory: session.textMemory)
        let first = options.rows?.lowerBound ?? 0
        let positions = min(first, last)..<last
        var hasRows = order.count > 0
        do {
            if isCollapsed, let tree {
                // In formats that write each collapsed group as a record, `--rows` and `--limit` count these records.
                try output.writeSections(tree, at: positions, records: first..<endPosition, &notes, &sink, JobControl())
            } else {
                hasRows = try output.writeRows(at: [positions], &notes, &sink, JobControl()) > 0
            }
        } catch let error as OutOfMemory {
            throw RequestError(JobFailure.sentence(about: error, "writing the output"))
        } catch let error as any TableError where document.input.canBeQueriedWhileIncomplete {
            // A server can fail after its first rows were written.
            throw RequestError("\(error.message) The output is incomplete.")
        }
        try sink.finish()
        notes.add(valuelessFields: document.valuelessFields)
        // With `--rows` or `--limit`, rows can match without being written.
        let hasMatches = isOpenEnded ? hasRows || positions.lowerBound > 0 || positions.isEmpty : order.count > 0
        if !hasMatches { notes.add(hintsAbout: requested.filters, in: session.state.schema) }
        notes.add(suggestionFor: document.input, skippedLines: options.opener?.settings.skippedLines ?? 0)
        let query = session.state.query(for: requested)
        let hasSections = tree != nil && (isCollapsed || format.text?.showsSections == true)
        let groups = query.groups.map(\.field)
        let fields = QueriedFields(
            combinedFields: hasSections ? groups + query.aggregates.map(\.field) : [], filterFields: query.filters.flatMap(\.fields),
            sortFields: (hasSections ? [] : groups) + query.sort.map(\.field),
            writtenFields: tree != nil && isCollapsed ? [] : visible.map(\.field).filter(\.isDerived),
            textFields: session.state.fieldsChosenAsText)
        notes.add(mixedValuesIn: fields, of: document.input, in: output.table)
        notes.finish(document.input, output.formulaGuard)
        notes.add(output.cuts, of: document.input)
        if let earlyEndReason { notes.addLoss(earlyEndReason) }
        if let omission = tree?.omission { notes.addLoss(omission) }
        if hasSections, let phrase = tree?.leftOutValues { notes.addLoss("\(document.input.name): \(phrase).") }
        return notes
    }

    /// Applies the saved view that the options name.
    /// - Throws: ``RequestError`` if the view cannot be applied, and a `TableError` if the input cannot be read.
    private func restoreView(in session: Session, _ notes: inout OutputNotes) throws {
        try session.start()
        session.turn()
        guard let message = session.state.message else { return }
        if message.isError { throw RequestError(message.text) }
        if message.id == .viewRestored, message != .viewRestored(missing: 0, leftOutCount: 0, unknownFields: []) {
            notes.addLoss(message.text)
        }
    }

    /// Replaces the advice to reload the input in an error message, because the program ends.
    public static func withoutReloading(_ message: String) -> String {
        guard let start = message.firstRange(of: ". Reload ") else { return message }
        // The advice may name a file, such as `shop.db`, so it ends at a point before a blank.
        let rest = message[start.upperBound...]
        guard let end = rest.firstRange(of: ". ")?.lowerBound ?? rest.lastIndex(of: ".") else { return message }
        return message[..<start.lowerBound] + ". Run gridview again" + message[end...]
    }

    func makeSink(_ descriptor: Int32) throws -> OutputSink {
        OutputSink(descriptor: descriptor, for: nil, encoder: try format.compression?.makeEncoder())
    }

    /// The maximum memory for rows that are formatted but not written yet, in bytes.
    static let textMemory = 128 << 20

    /// The position after the last requested row.
    private var endPosition: Int {
        let rangeEnd = options.rows?.upperBound ?? Int.max
        guard let limit = options.limit else { return rangeEnd }
        let (last, overflows) = (options.rows?.lowerBound ?? 0).addingReportingOverflow(limit)
        return overflows ? rangeEnd : min(rangeEnd, last)
    }

    /// Reads an input that grows until the requested rows are known, or to its end.
    private func readRequestedRows() throws {
        let (input, end) = (document.input, endPosition)
        guard end < .max, input.snapshot().recordCount <= end else { return }
        // Some formats report lines, not rows, as progress. An early end of the input is reported when the rows are written.
        _ = try input.readToEnd(threads: options.affordableThreads) { _ in input.snapshot().recordCount <= end }
        document.source.refresh()
        document.addColumns()
    }

    func makeSession() throws -> Session {
        let backend = RecordingBackend()
        backend.keepsOnlyLastFrame = true
        return try Session(document, options: options, backend: backend, runner: .inline)
    }

    /// Reads all records.
    /// - Parameter findsColumns: `false` to skip the search for columns that only later records have.
    /// - Returns: If the input ends early, a message about the missing rows; otherwise `nil`.
    /// - Throws: ``RequestError`` if an option names a column, and later records have added another column with this name.
    func readAll(findsColumns: Bool = true) throws -> String? {
        let error = try document.input.readToEnd(threads: options.affordableThreads, findsColumns: findsColumns) { _ in true }
        document.source.refresh()
        document.addColumns()
        try document.checkColumnNames(options)
        return error.map { JobFailure.sentence(aboutEarlyEnd: $0, rows: document.source.snapshot.recordCount) }
    }

    /// True if the types of columns change how rows are written.
    private var dependsOnTypes: Bool { neutralizesFormulas || format.text.map { ![.csv, .tsv].contains($0) } ?? true }

    /// Finds the types of columns that have no value in the sample of rows, if the query depends on them.
    func findRareTypesOfQuery() throws {
        guard !document.rareTypes.isEmpty, queryDependsOnRareTypes else { return }
        // An early end of the input is reported when the rows are written.
        _ = try readAll()
        document.findRareTypes()
    }

    private var queryDependsOnRareTypes: Bool {
        // By default, groups have aggregates of all columns of numbers.
        if options.view != nil || !options.derivedColumns.isEmpty || !options.groups.isEmpty { return true }
        if options.filters.isEmpty && options.sort.isEmpty { return false }
        // A filter can be invalid only because the type of its column is unknown.
        guard let arrangement = try? document.view(options).arrangement else { return true }
        let fields = arrangement.filters.flatMap(\.formula.fields) + arrangement.sort.map(\.column.field)
        return fields.contains(where: document.rareTypes.contains)
    }

    /// Checks that the table has all columns of the file.
    /// - Throws: ``RequestError`` if records have more fields than the maximum number of columns.
    func checkWidth() throws {
        if let omission = document.input.omission { throw RequestError(omission) }
    }
}
