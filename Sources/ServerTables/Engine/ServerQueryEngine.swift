public import DataGridQuery
import EngineProtocol
public import FieldValues
import SQLTables
public import Tables

/// A query engine that runs queries on the server of their table. Another engine queries the tables that are not on a server.
///
/// The result of a query is an order of the table's rows, see ``ServerSnapshot``. Its rows are fetched when they are shown.
public struct ServerQueryEngine: QueryEngine {
    /// The engine for tables that are not on a server.
    public let local: any QueryEngine

    /// Creates an engine.
    /// - Parameter local: the engine for tables that are not on a server.
    public init(local: any QueryEngine) { self.local = local }

    /// The maximum number of sections. Tests set it lower.
    var sectionLimit = 100_000
    /// The maximum number of outer sections. Each of them may need a statement for its inner sections. Tests set it lower.
    var outerSectionLimit = 1_000
    /// The time limit in milliseconds for fetching the groups of a level in all sections. If fetching the outermost groups took long, the
    /// limit is three times that time. Tests set the limit lower.
    var innerGroupsTimeLimit: UInt32 = 2_000
    /// The maximum number of rows whose positions in another order are counted one by one. Tests set it lower.
    var rankLimit = 8
    /// The time limit in milliseconds of a statement that reads an index until enough rows match; `nil` for the usual limit. Tests set it
    /// lower.
    var indexScanTimeLimit: UInt32?
    /// The number of rows that a query fetches and shows first, before the rest of the first page. Most screens have fewer lines.
    static let firstFetchRowCount = 64
    /// The smallest number of rows for which estimated statistics are shown before exact ones. Tests set it lower.
    var minimumRowsForEstimates = 1_000_000

    /// The table as a table of a server; `nil` if it is not on a server.
    func server(_ table: any Table) -> ServerSnapshot? {
        (table as? DerivedTable)?.base as? ServerSnapshot ?? table as? ServerSnapshot
    }

    // MARK: Rows

    /// Compiles the query, fetches its first rows, and counts its rows. Without filters, the result has all rows of the table, which are
    /// counted only once.
    /// - Throws: in addition to the errors of every query engine:
    ///   - ``ServerError``, for example if the server cannot run a part of the query.
    ///   - `UncountedRows` if only the count fails.
    public func rows(
        of table: any Table, schema: Schema, matching query: Query, earlierFilterResult: FilterResult?, control: JobControl,
        report: (@Sendable (RowNumbers) -> Void)?
    ) throws -> QueryResult {
        guard let table = server(table) else {
            return try local.rows(
                of: table, schema: schema, matching: query, earlierFilterResult: earlierFilterResult, control: control, report: report)
        }
        guard !query.filters.isEmpty || !query.sort.isEmpty || !query.groups.isEmpty else { return QueryResult() }
        return try Self.interruptible {
            let source = table.source
            let query = query.withoutUnusedFields
            let fields = Schema(schema.fields.filter { !$0.id.isDerived })
            let compiled: CompiledQuery
            do throws(ServerError) {
                compiled = try CompiledQuery(query, of: source.table, schema: fields, in: source.dialect)
            } catch {
                let known = source.base.knownRowCount
                let rows = known == (1, true) ? "the row" : "all \(Self.countText(of: source))rows"
                throw ServerError("\(error.message) To do this in gridview, export \(rows) to a file and open it.")
            }
            if query.groups.isEmpty { return try rows(compiled, query, of: source, control, report) }
            return try groups(compiled, query, of: source, control)
        }
    }

    private func rows(
        _ compiled: CompiledQuery, _ query: Query, of source: ServerTableSource, _ control: JobControl,
        _ report: (@Sendable (RowNumbers) -> Void)?
    ) throws -> QueryResult {
        let order = source.addOrder(compiled, indexScanTimeLimit: indexScanTimeLimit)
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        if query.rowLimit == 0 { return QueryResult(rows: RowNumbers(consecutive: first..<first)) }
        let time = EnginePlatform.secondsSince1970()
        var page: [PageRow] = []
        /// Fetches the next rows of the first page, and reports them. False if there are no more rows.
        func fetch(upTo end: Int, replacesSlowIndexScans: Bool = true) throws -> Bool {
            page += try order.rows(page.count..<end, replacesSlowIndexScans: replacesSlowIndexScans) { control.isCancelled }
            source.pages.add(page, of: order, for: 0..<end, requestedAt: time)
            guard page.count == end else { return false }
            order.addKnownRows(upTo: end)
            control.isCounting = true
            report?(RowNumbers(consecutive: first..<first + end))
            return true
        }
        // The rows of the first screen are fetched first, if the server can continue after them without reading rows again.
        var hasMore = true
        if Self.firstFetchRowCount < source.pages.pageRows, order.query.hasUniqueOrder, !order.query.sortsRows {
            do {
                hasMore = try fetch(upTo: Self.firstFetchRowCount, replacesSlowIndexScans: false)
            } catch let error as ServerError where error.isTimeLimit && order.filtersFirst {
                // The next statement filters all rows. It fetches several pages, which takes no longer than fetching one screen.
            }
        }
        if hasMore {
            do {
                hasMore = try fetch(upTo: source.pages.statementRows(of: order))
            } catch let error as ServerDatabase.Interrupted {
                // After the user has stopped the query, the rows of the first screen remain visible.
                if !page.isEmpty { source.pages.completeLastPage(of: order) }
                throw error
            }
        }
        var count = page.count
        if hasMore {
            if let limit = query.rowLimit, limit <= count { return QueryResult(rows: RowNumbers(consecutive: first..<first + count)) }
            /// Polled while the server counts. Reports the rows that were fetched for the screen meanwhile.
            func isCancelled() -> Bool {
                let known = order.knownRowCount.count
                if known > count {
                    count = known
                    report?(RowNumbers(consecutive: first..<first + count))
                }
                return control.isCancelled || order.knownRowCount.isComplete
            }
            do {
                control.estimatedRowCount =
                    query.filters.isEmpty
                    ? source.estimatedRecordCount
                    : try source.database.estimatedRowCount(of: compiled.cutCellsQuery, isCancelled: isCancelled)
                try source.countRows(of: order, isCancelled: isCancelled)
            } catch is ServerDatabase.Interrupted where order.knownRowCount.isComplete {
                // Ignore the cancellation: the last page arrived while the server counted, so the count is not needed.
            } catch let error as ServerError {
                let rows = RowNumbers(consecutive: first..<first + order.knownRowCount.count)
                throw UncountedRows(rows: rows, estimatedCount: control.estimatedRowCount, reason: error.forOpenTable)
            }
            try control.checkCancellation()
            count = order.knownRowCount.count
        }
        order.setCount(count)
        return QueryResult(rows: RowNumbers(consecutive: first..<first + count))
    }

    /// A number with thousands separators.
    static func text(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : "\(text(number / 1_000)),\(String(1_000 + number % 1_000).dropFirst())"
    }

    /// The number of rows, followed by a space: exact, or an estimate with `≈`. Empty if the number is unknown.
    private static func countText(of source: ServerTableSource) -> String {
        let known = source.base.knownRowCount
        if known.isComplete { return text(known.count) + " " }
        return source.estimatedRecordCount.map { "≈ \(text($0)) " } ?? ""
    }

    // MARK: Helpers

    /// Runs a request for an open table, and throws `JobCancelled` if a statement was interrupted.
    static func interruptible<T>(_ body: () throws -> T) throws -> T {
        do {
            return try ServerError.advisingReload(body)
        } catch is ServerDatabase.Interrupted {
            throw JobCancelled()
        }
    }

    /// The order to which a row sequence belongs, and the positions of its rows in that order.
    func order(of rows: RowSequence, in table: ServerSnapshot) throws -> (order: ServerOrder, rows: Range<Int>) {
        guard case .runs(let runs) = rows, runs.count <= 1 else {
            throw ServerError("Rows that were moved by hand cannot be searched on a server. Undo the move first.")
        }
        let run = runs.first ?? 0..<0
        guard run.lowerBound > 0 || run.upperBound < .max else { return (table.source.base, 0..<table.recordCount) }
        guard let order = table.order(ofRow: run.lowerBound) else {
            throw ServerError("These rows belong to an earlier query of the table. Reload the table.")
        }
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        return (order, run.lowerBound - first..<run.upperBound - first)
    }
}

extension AggregateValue {
    /// Creates the value of an aggregate from the result of a server, and rounds quantiles.
    init(_ value: SQLValue, of aggregate: Query.Aggregate, in table: ServerTable) {
        self.init(value)
        guard aggregate.function.percentage != nil, aggregate.kind.isNumber, case .decimal(let number) = self,
            table.columns.indices.contains(aggregate.field.rawValue)
        else { return }
        // A server computes quantiles in floating point, such as 949.9904999999982 for 949.9905. A percentage of the distance between two
        // values has two decimals more than the values. Long numbers would lose digits.
        let storage = table.columns[aggregate.field.rawValue].type.storage
        switch storage {
        case .integer, .numeric: break
        default: return
        }
        if let digits = storage.fractionDigits, case let decimals = max(0, digits) + 2, decimals <= 15,
            number.magnitude * ExactDecimal.doublePower(decimals) < 1e15
        {
            let factor = ExactDecimal.doublePower(decimals)
            self = .decimal((number * factor).rounded() / factor)
        } else if number.magnitude < 1e13 {
            self = .decimal(NumberText.roundedToDecimals(number))
        }
    }

    /// The value of an aggregate that a server computed.
    init(_ value: SQLValue) {
        switch value {
        case .null, .bytes, .invalidText: self = .none
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .decimal(number)
        case .text(let text):
            // Some servers write whole numbers with a fraction of zeros.
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let isWhole = parts.count == 1 || parts[1].allSatisfy { $0 == "0" }
            if isWhole, let number = Int64(parts[0]) {
                self = .integer(number)
            } else if let exact = FieldBytes.withBytes(of: text, { $0.exactDecimal() }), "\(exact.double)" != text {
                self = .exact(exact)
            } else if let number = Double(text) {
                self = .decimal(number)
            } else {
                self = .none
            }
        }
    }
}

extension Query {
    /// The query without the derived fields that it does not use, which the server might not be able to compute.
    fileprivate var withoutUnusedFields: Query {
        var used = Set(filters.flatMap(\.fields) + sort.map(\.field) + groups.map(\.field) + aggregates.map(\.field))
        for derived in derived.reversed() where used.contains(derived.field.id) { used.formUnion(derived.formula.fields) }
        var query = self
        query.derived = derived.filter { used.contains($0.field.id) }
        return query
    }
}
