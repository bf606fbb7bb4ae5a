public import FieldValues
public import Tables

/// Answers queries about tables.
///
/// All methods may take long, and are called from jobs. `control` stops the work, and shows how far it is. A `table` includes its derived
/// fields, except for ``rows(of:schema:matching:known:control:report:)``, and results are of this snapshot of it. Positions count in
/// `order`, the rows as they are shown. All methods throw `JobCancelled`, `OutOfMemory`, and the errors of the table.
public protocol QueryEngine: Sendable {
    /// The rows that a query asks for.
    /// - Parameters:
    ///   - schema: how the fields are read that formulas name, derived ones included.
    ///   - known: what filters have left of an earlier snapshot or by fewer conditions; used where it helps.
    ///   - report: called with rows that are known early, on any thread: all that filters have left so far, or the first ones of an order.
    /// - Throws: also `TooManyRows`, and ``FilterError`` where a condition does not fit the schema.
    func rows(
        of table: any Table, schema: Schema, matching query: Query, known: FilterResult?, control: JobControl,
        report: (@Sendable (RowNumbers) -> Void)?
    ) throws -> QueryResult

    /// The nearest row with a text, from a position on and round the end.
    /// - Parameter start: the position where the search begins, itself included; outside, it begins at the nearer end.
    func firstMatch(
        of search: TextSearch, in table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> SearchMatch?

    /// The positions of all rows with a text, ascending.
    /// - Parameter report: called with the number of matches so far, on any thread.
    func positions(
        matching search: TextSearch, in table: any Table, order: RowSequence, control: JobControl, report: @Sendable (Int) -> Void
    ) throws -> RowNumbers

    /// The position of the nearest row whose field differs from that of the row at `start`; `nil` where no row differs in that direction.
    func firstDifference(
        in field: FieldID, of table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> Int?

    /// Statistics of fields, in the order asked for.
    /// - Parameters:
    ///   - rows: the rows to look at, each once, in any order; `nil` for all.
    ///   - exactLimit: the most distinct values of a field that are counted one by one; more are estimated.
    ///   - topCount: how many of the most frequent values are wanted of each field.
    ///   - details: what else is wanted of numbers and dates.
    func statistics(
        of fields: [Field], in table: any Table, rows: RowNumbers?, exactLimit: Int, topCount: Int, details: ColumnStatistics.Details,
        control: JobControl
    ) throws -> [ColumnStatistics]

    /// The values of a field with their counts.
    /// - Throws: also ``TooManyValues``.
    func frequencies(of field: Field, in table: any Table, rows: RowNumbers?, control: JobControl) throws -> FrequencyTable
}

/// The rows that a query asked for.
public struct QueryResult: Sendable {
    /// The rows in the order asked for; `nil`: all of the table, as they stand, or those of groups are not asked for.
    public var rows: RowNumbers?
    /// The groups and their aggregates, if groups were asked for.
    public var groups: GroupResult?
    /// What the filters have left, in the order of the table, for the next query.
    public var filtered: FilterResult?
}

/// An engine that reads the table itself, on threads of this process.
public struct LocalQueryEngine: QueryEngine {
    /// The letters by which texts are put in order.
    public let alphabet: NaturalOrder.Alphabet
    /// Columns, orders and groups that are kept for later queries; `nil`: nothing is kept.
    public let store: ColumnStore?
    /// About how many bytes the columns may take that are read together for statistics.
    public let memory: Int
    /// Threads that a query uses.
    public let threads: Int

    /// An engine with these means.
    public init(alphabet: NaturalOrder.Alphabet = .ascii, store: ColumnStore? = nil, memory: Int = 512 << 20, threads: Int) {
        (self.alphabet, self.store, self.memory, self.threads) = (alphabet, store, memory, threads)
    }

    /// Filters, sorts what is left, and groups that so that the order within groups stays.
    public func rows(
        of table: any Table, schema: Schema, matching query: Query, known: FilterResult?, control: JobControl,
        report: (@Sendable (RowNumbers) -> Void)? = nil
    ) throws -> QueryResult {
        var result = QueryResult()
        let filters = try query.filters.map { try Filter($0, in: schema) }
        let table = query.derived.isEmpty ? table : DerivedTable(table, Derivation(query.derived, schema: schema))
        // How much work the steps are, each beside the others.
        let units = (
            filter: filters.isEmpty ? 0 : 1_000, sort: query.sort.isEmpty ? 0 : 2_000, group: query.groups.isEmpty ? 0 : 2_000
        )
        guard units.filter + units.sort + units.group > 0 else { return result }
        control.begin(total: units.filter + units.sort + units.group)
        if !filters.isEmpty {
            let reportFiltered = query.keepsOrder ? report : nil
            let filtered = try control.part(of: units.filter) { part in
                try self.filtered(table, filters, known: known, part, reportFiltered)
            }
            (result.rows, result.filtered) = (filtered.rows, filtered)
        }
        // Within a group, all values of its field are the same.
        let keys = query.sort.filter { key in !query.groups.contains { $0.field == key.field } }
            .map { SortKey(column: $0.field.rawValue, ordering: ordering($0.comparison), isDescending: $0.isDescending) }
        if !keys.isEmpty {
            let (filtered, reportFirst) = (result.rows, query.groups.isEmpty ? report : nil)
            result.rows = try control.part(of: units.sort) { part in
                try sortedRecords(
                    of: table, by: keys, within: filtered, store: store, threads: threads, control: part, reportFirst: reportFirst)
            }
        }
        if !query.groups.isEmpty {
            let sorted = result.rows
            let groups = try control.part(of: units.group) { part in
                try groupedRecords(
                    of: table, by: query.groups.map(key), order: sorted, sortedBy: filters.isEmpty ? keys : nil,
                    aggregates: query.aggregates.map(request), needsRows: query.needsRows, store: store, threads: threads, control: part)
            }
            (result.rows, result.groups) = (query.needsRows ? groups.order : nil, groups)
        }
        return result
    }

    private func key(_ key: Query.GroupKey) -> GroupKey {
        GroupKey(
            column: key.field.rawValue, ordering: ordering(key.comparison), isDescending: key.isDescending, order: key.order)
    }

    private func request(_ aggregate: Query.Aggregate) -> AggregateRequest {
        AggregateRequest(
            function: aggregate.function, column: aggregate.field.rawValue, kind: aggregate.kind, notation: aggregate.notation,
            alphabet: alphabet)
    }

    private func ordering(_ comparison: Query.Comparison) -> SortOrdering {
        switch comparison {
        case .kind(let kind, let notation): SortOrdering(kind: kind, notation: notation, alphabet: alphabet)
        case .natural: .natural(alphabet)
        case .text: .text
        }
    }
}
