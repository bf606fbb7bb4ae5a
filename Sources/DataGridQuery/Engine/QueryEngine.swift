public import FieldValues
public import Tables

/// Runs queries on tables.
///
/// All methods may take a long time, so jobs call them on background threads. `control` cancels the work and reports its progress.
///
/// A `table` includes its derived fields, except for ``rows(of:schema:matching:earlierFilterResult:control:report:)``, where the query
/// defines them. Results apply to the given snapshot. Positions are indices in `order`, the rows as shown.
///
/// All methods throw `JobCancelled`, `OutOfMemory`, and the errors of the table.
public protocol QueryEngine: Sendable {
    /// The rows that match a query.
    /// - Parameters:
    ///   - schema: the fields that formulas use, including derived ones.
    ///   - earlierFilterResult: the result of filters for an earlier snapshot or for fewer conditions. It is reused if possible.
    ///   - report: called on any thread with early results: all matches found until then, ascending, or the first rows of an order.
    /// - Throws: also `TooManyRows`, ``UncountedRows``, and ``FilterError`` if a condition does not fit the schema.
    func rows(
        of table: any Table, schema: Schema, matching query: Query, earlierFilterResult: FilterResult?, control: JobControl,
        report: (@Sendable (RowNumbers) -> Void)?
    ) throws -> QueryResult

    /// The nearest row that contains a string. At the end of the table, the search continues at the other end, until it is back at `start`.
    /// - Parameter start: the position where the search starts, inclusive. If it is out of range, the search starts at the nearer end.
    func firstMatch(
        of search: TextSearch, in table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> SearchMatch?

    /// The positions of all rows that contain a string, ascending.
    /// - Parameter report: called on any thread with the number of matches found until then.
    /// - Throws: also ``TooManyMatches``.
    func positions(
        matching search: TextSearch, in table: any Table, order: RowSequence, control: JobControl, report: @Sendable (Int) -> Void
    ) throws -> RowNumbers

    /// The position of the nearest row whose value in a field differs from the value of the row at `start`; `nil` if there is no such row
    /// in that direction.
    func firstDifference(
        in field: FieldID, of table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> Int?

    /// The positions in `order` of the given records, keyed by their record numbers in `table`. Records that are not in `order` are left
    /// out.
    ///
    /// A server numbers the rows of each query separately, so records must be found by key. The default is an empty dictionary, for engines
    /// whose records have the same number in all orders.
    /// - Returns: `nil` if the rows cannot be identified, because the table has no key.
    func positions(ofRecords records: [Int], of table: any Table, order: RowSequence, control: JobControl) throws -> [Int: Int]?

    /// The position in `order` at which a record would be inserted: the number of rows that are sorted before it. It is used to find a row
    /// near a record that no longer exists.
    ///
    /// The record belongs to an earlier order with the same sort keys. The default is `nil`.
    /// - Returns: `nil` if the sort keys differ, or if they do not determine the order of the rows.
    func insertionPosition(ofRecord record: Int, of table: any Table, order: RowSequence, control: JobControl) throws -> Int?

    /// Statistics of each of the given fields, in the same order.
    /// - Parameters:
    ///   - rows: the distinct rows to include, in any order; `nil` for all rows.
    ///   - exactLimit: the maximum number of distinct values of a field that are counted exactly; larger numbers are estimated.
    ///   - topCount: the number of most frequent values to return for each field.
    ///   - details: optional statistics of numbers and dates.
    func statistics(
        of fields: [Field], in table: any Table, rows: RowNumbers?, exactLimit: Int, topCount: Int, details: ColumnStatistics.Details,
        control: JobControl
    ) throws -> [ColumnStatistics]

    /// Estimated statistics of a field over all rows, which the engine knows without reading the rows. `nil` without an estimate, or if
    /// computing the exact statistics takes little time. The default is `nil`.
    func estimatedStatistics(of field: Field, in table: any Table, control: JobControl) throws -> ColumnStatistics?

    /// The distinct values of a field and their counts.
    /// - Throws: also ``TooManyValues``.
    func frequencies(of field: Field, in table: any Table, rows: RowNumbers?, control: JobControl) throws -> FrequencyTable
}

extension QueryEngine {
    /// Always empty, because a record has the same number in all orders.
    public func positions(ofRecords records: [Int], of table: any Table, order: RowSequence, control: JobControl) throws -> [Int: Int]? {
        [:]
    }
    /// Always `nil`, because a record keeps its number when rows are sorted again.
    public func insertionPosition(ofRecord record: Int, of table: any Table, order: RowSequence, control: JobControl) throws -> Int? { nil }
    /// Always `nil`, because there are no estimates.
    public func estimatedStatistics(of field: Field, in table: any Table, control: JobControl) throws -> ColumnStatistics? { nil }
}

/// The result of a query.
public struct QueryResult: Sendable {
    /// The rows in the requested order; `nil` for all rows in table order, or if the rows of groups were not requested.
    public var rows: RowNumbers?
    /// The groups and their aggregates, if groups were requested.
    public var groups: GroupResult?
    /// The records that match the filters, in table order. The next query can pass them as `earlierFilterResult`.
    public var filterResult: FilterResult?

    /// Creates a result; without arguments, all rows in table order.
    public init(rows: RowNumbers? = nil, groups: GroupResult? = nil, filterResult: FilterResult? = nil) {
        (self.rows, self.groups, self.filterResult) = (rows, groups, filterResult)
    }
}

/// A query engine that reads tables on threads of this process.
public struct LocalQueryEngine: QueryEngine {
    /// The alphabet used to order strings.
    public let alphabet: NaturalOrder.Alphabet
    /// A cache of columns, orders and groups for later queries; `nil` disables caching.
    public let store: ColumnStore?
    /// The approximate memory limit, in bytes, of columns that are read together for statistics.
    public let memory: Int
    /// The number of threads of a query.
    public let threads: Int

    /// Creates an engine.
    public init(alphabet: NaturalOrder.Alphabet = .ascii, store: ColumnStore? = nil, memory: Int = 512 << 20, threads: Int) {
        (self.alphabet, self.store, self.memory, self.threads) = (alphabet, store, memory, threads)
    }

    /// Filters the rows, sorts the matches, and then groups them. Within a group, rows stay sorted.
    public func rows(
        of table: any Table, schema: Schema, matching query: Query, earlierFilterResult: FilterResult?, control: JobControl,
        report: (@Sendable (RowNumbers) -> Void)? = nil
    ) throws -> QueryResult {
        var result = QueryResult()
        let filters = try query.filters.map { try Filter($0, in: schema) }
        let table = query.derived.isEmpty ? table : DerivedTable(table, CompiledDerivedFields(query.derived, schema: schema))
        // The estimated durations of the steps, in arbitrary units, for the progress of the job.
        let units = (
            filter: filters.isEmpty ? 0 : 1_000, sort: query.sort.isEmpty ? 0 : 2_000, group: query.groups.isEmpty ? 0 : 2_000
        )
        guard units.filter + units.sort + units.group > 0 else { return result }
        control.begin(total: units.filter + units.sort + units.group)
        if !filters.isEmpty {
            let reportFiltered = query.keepsOrder ? report : nil
            let filtered = try control.withPart(of: units.filter) { part in
                try self.filtered(table, filters, earlierFilterResult: earlierFilterResult, part, reportFiltered)
            }
            (result.rows, result.filterResult) = (filtered.rows, filtered)
        }
        // Sorting by a field that forms groups has no effect, because all rows of a group have the same value. This does not apply to
        // intervals, because the values of an interval can differ.
        let keys = query.sort.filter { key in !query.groups.contains { $0.field == key.field && $0.interval == nil } }
            .map { ResolvedSortKey(column: $0.field.rawValue, ordering: ordering($0.comparison), isDescending: $0.isDescending) }
        if !keys.isEmpty {
            let (filtered, reportFirstRecords) = (result.rows, query.groups.isEmpty ? report : nil)
            result.rows = try control.withPart(of: units.sort) { part in
                if query.groups.isEmpty, let limit = query.rowLimit, limit <= SortJob.firstCount {
                    return try firstSortedRecords(
                        limit, of: table, by: keys, within: filtered, store: store, threads: threads, control: part)
                }
                return try sortedRecords(
                    of: table, by: keys, within: filtered, store: store, threads: threads, control: part,
                    reportFirstRecords: reportFirstRecords)
            }
        }
        if !query.groups.isEmpty {
            let sorted = result.rows
            let groups = try control.withPart(of: units.group) { part in
                try groupedRecords(
                    of: table, by: query.groups.map { key($0, of: schema[$0.field] ?? query.derivedField($0.field)) }, order: sorted,
                    sortedBy: filters.isEmpty ? keys : nil,
                    aggregates: query.aggregates.map(request), needsRows: query.needsRows, store: store, threads: threads, control: part)
            }
            (result.rows, result.groups) = (query.needsRows ? groups.order : nil, groups)
        }
        return result
    }

    private func key(_ key: Query.GroupKey, of field: Field?) -> ResolvedGroupKey {
        ResolvedGroupKey(
            column: key.field.rawValue,
            ordering: key.interval.map { ordering(key.comparison, in: $0, of: field) } ?? ordering(key.comparison),
            isDescending: key.isDescending, order: key.order, interval: key.interval)
    }

    /// The ordering that determines how values are read to find their intervals. If the interval does not support `comparison`, the kind of
    /// the field determines the ordering.
    private func ordering(_ comparison: Query.Comparison, in interval: GroupInterval, of field: Field?) -> SortOrdering {
        switch (interval, comparison) {
        case (.period, .dates(let kind, let notation)): .temporal(kind, notation)
        case (.period, .kind(let kind, _)) where kind.isTemporal: .temporal(kind)
        case (.period, _):
            SortOrdering(
                kind: field.flatMap { $0.kind.isTemporal ? $0.kind : nil } ?? .dateTime, dateNotation: field?.dateNotation ?? .iso)
        case (.bins, .kind(_, let notation)): .number(notation)
        case (.bins, _): .number(field?.notation ?? .point)
        }
    }

    private func request(_ aggregate: Query.Aggregate) -> AggregateRequest {
        AggregateRequest(
            function: aggregate.function, column: aggregate.field.rawValue, kind: aggregate.kind, notation: aggregate.notation,
            dateNotation: aggregate.dateNotation, alphabet: alphabet)
    }

    private func ordering(_ comparison: Query.Comparison) -> SortOrdering {
        switch comparison {
        case .kind(let kind, let notation): SortOrdering(kind: kind, notation: notation, alphabet: alphabet)
        case .dates(let kind, let notation): SortOrdering(kind: kind, dateNotation: notation, alphabet: alphabet)
        case .natural: .natural(alphabet)
        case .text: .text
        }
    }
}

extension Query {
    /// The field with this ID, if it is a derived field of the query; `nil` for a field of the table.
    fileprivate func derivedField(_ id: FieldID) -> Field? { derived.first { $0.field.id == id }?.field }
}

/// Thrown by an engine that has found the first rows of a query, but could not count all rows. The rows that were not counted can still be
/// read from the table.
public struct UncountedRows: Error, Sendable {
    /// The first rows, in the order of the query.
    public let rows: RowNumbers
    /// An estimate of the number of all matching rows; `nil` without an estimate.
    public let estimatedCount: Int?
    /// The reason why the rows are not counted.
    public let reason: any Error

    /// Creates an error.
    public init(rows: RowNumbers, estimatedCount: Int?, reason: any Error) {
        (self.rows, self.estimatedCount, self.reason) = (rows, estimatedCount, reason)
    }
}

/// Thrown by an engine that counted the matches of a search, but found too many to list their positions.
public struct TooManyMatches: Error, Hashable, Sendable {
    /// The number of matching rows.
    public let count: Int

    /// Creates an error.
    public init(count: Int) { self.count = count }
}
