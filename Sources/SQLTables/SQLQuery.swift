import FieldValues
public import Tables

/// Options of a compiled query: which aspects of the sort order the server determines, and how it sends cells.
public struct SQLOptions: Hashable, Sendable {
    /// The aspects of the sort order that the server determines.
    public struct ServerSortBehavior: OptionSet, Hashable, Sendable {
        /// The bits of the aspects.
        public let rawValue: UInt8

        /// Creates a set from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// NULLs come where the server puts them: in PostgreSQL last in ascending and first in descending order.
        public static let nulls = ServerSortBehavior(rawValue: 1)
        /// Text is sorted by the column's collation, including blank text.
        public static let texts = ServerSortBehavior(rawValue: 2)
        /// NaN is the greatest number.
        public static let nan = ServerSortBehavior(rawValue: 4)
        /// Rows with equal values follow the direction of the last sort key.
        public static let ties = ServerSortBehavior(rawValue: 8)
    }

    /// The aspects of the sort order that the server determines. The set is empty for gridview's own order.
    public var serverSortBehavior: ServerSortBehavior = []
    /// True to sort text by bytes where the query requests natural order, which no server supports. Otherwise, such a query is refused.
    public var replacesNaturalOrder = false
    /// The maximum number of characters to fetch per cell.
    public var cellLimit = 1_024

    /// True to fetch values of SQLite as they are stored, with all digits of numbers and all bytes of blobs, instead of as text. Filters on
    /// text still compare the text, which can differ from the cells.
    public var sendsStoredValues = false

    /// Creates the options with their default values.
    public init() {}
}

/// A query compiled for a table on a server. It creates the statements for pages, groups and statistics.
///
/// ```
/// let query = try SQLQuery(view, of: table, in: .postgreSQL)
/// let page = try query.page(.first(100))
/// let rows = page.rows(run(page.statement))
/// let next = try query.page(.after(rows.last!.key, 100))
/// ```
///
/// Results equal the results of the local engine on the text that the server sends, except for ``notes`` and ``SQLDialect/differences``.
/// A query for which this is impossible is refused with ``SQLLimitations``.
public struct SQLQuery: Sendable {
    /// The dialect of the server.
    public let dialect: SQLDialect
    /// The table whose rows are queried.
    public let table: ServerTable
    /// The query to compile.
    public let query: Query
    /// The differences from the local engine, one sentence each.
    public let notes: [String]
    /// True if rows are sorted by row address. Pages are then ranges of disk blocks.
    public let usesBlocks: Bool
    /// True if a tie-break gives every row a unique position. Otherwise, no page can be fetched by the key of a row next to it.
    public let hasUniqueOrder: Bool
    /// True if only equal rows can change places: the order is unique, or contains all columns. Pages can then also be counted from the
    /// last row.
    public let hasTotalOrder: Bool

    /// True to compute aggregates of groups without testing each value for NaN. This takes a sixth less time in PostgreSQL. If
    /// ``GroupsStatement/mustTestForNaN(_:)`` is true for a result, its aggregates or order can be wrong.
    public var skipsNaNTests = false

    /// True to compute the sums, means and deviations of floating-point numbers of PostgreSQL with decimals. Otherwise, an intermediate
    /// result that is too large for a floating-point number is an error, such as the square of 1e200. Decimals take more time.
    public var avoidsOverflow = false

    /// The number of leading sort keys that have a frequent value on the page, such as NULL in a tenth of all rows. The statement for such
    /// a page prevents PostgreSQL from reading all rows with the value.
    package var frequentKeyCount = 0

    /// True if the server filters all rows before it sorts the matching ones. Otherwise, it may read rows in the order of an index until
    /// enough of them match. Set it only if ``canFilterFirst(in:matching:)`` is true.
    package var filtersFirst = false

    let options: SQLOptions
    let schema: Schema
    /// The SQL of each column of the table and of each derived field.
    let columns: [FieldID: ColumnTerm]
    /// The conditions of the filters as SQL. A row must match all of them.
    let conditions: [SQLFragment]
    /// The keys of the sort, then the keys of the tie-break.
    let order: [OrderKey]
    /// The columns of the shortest key of the table; empty for a table without a key.
    let identity: [OrderKey]
    /// The indexes of the ``identity`` values in a ``RowKey``; `nil` if the key lacks one of them, or has it in another form.
    let identityIndexes: [Int]?
    let groups: [GroupTerm]
    let aggregates: [AggregateTerm]
    /// The aggregated fields whose columns can contain dates or times that gridview cannot read. Aggregates leave these values out.
    public let fieldsWithLeftOutValues: [FieldID]
    /// The number of values that the aggregates leave out, for each of ``fieldsWithLeftOutValues``.
    let leftOutCounts: [AggregateTerm]

    /// This query with other derived fields, for the same rows. The list must include the derived fields that this query uses.
    /// - Throws: ``SQLLimitations``.
    public func computing(_ derived: [DerivedField]) throws(SQLLimitations) -> SQLQuery {
        var query = query
        query.derived = derived
        return try SQLQuery(query, of: table, schema: schema, in: dialect, options: options)
    }

    /// This query for fields as the user sees them now. The base order of a table is compiled before their kinds are known. The kinds
    /// matter only for SQLite, because columns of other databases have one type.
    /// - Throws: ``SQLLimitations``.
    public func withFieldKinds(of fields: [Field]) throws(SQLLimitations) -> SQLQuery {
        let changed = fields.filter { field in
            guard let known = schema[field.id] else { return false }
            return (known.kind, known.notation, known.dateNotation) != (field.kind, field.notation, field.dateNotation)
        }
        guard dialect.family == .sqlite, !changed.isEmpty else { return self }
        let fields = Dictionary(changed.map { ($0.id, $0) }) { first, _ in first }
        return try SQLQuery(query, of: table, schema: Schema(schema.fields.map { fields[$0.id] ?? $0 }), in: dialect, options: options)
    }

    /// Compiles a query. O(query × columns).
    /// - Parameters:
    ///   - query: the query.
    ///   - schema: the fields as the user sees them, which must have the kinds of the columns; `nil` for the fields of the table.
    /// - Throws: ``SQLLimitations``.
    public init(
        _ query: Query, of table: ServerTable, schema: Schema? = nil, in dialect: SQLDialect, options: SQLOptions = SQLOptions()
    ) throws(SQLLimitations) {
        (self.query, self.table, self.dialect, self.options) = (query, table, dialect, options)
        let schema = schema ?? table.schema
        self.schema = schema
        var reasons: [SQLLimitation] = []
        var notes: [String] = []
        func attempt<Value>(_ part: SQLLimitation.Part, _ body: () throws(UnsupportedError) -> Value) -> Value? {
            do {
                return try body()
            } catch {
                reasons.append(SQLLimitation(part, error.reason))
                return nil
            }
        }

        var columns: [FieldID: ColumnTerm] = [:]
        for (index, column) in table.columns.enumerated() {
            let id = FieldID(rawValue: index)
            var term = dialect.column(column, index: index)
            term.isStored = table.blockCount != nil
            // A view or a statement can combine values that SQLite has not converted.
            let convertsValues = dialect.family == .sqlite && (table.hasRowIDs || !table.keys.isEmpty)
            term.convertsText = convertsValues && column.type.convertsText
            if convertsValues, term.isMixed, term.storage == .text { term.textOrBlob = dialect.withByteCollation(term.value) }
            if let field = schema[id] {
                (term.name, term.notation, term.dateNotation) = (field.name, field.notation, field.dateNotation)
                if field.kind == .text, term.kind != .text {
                    // The user has set the kind `text` for a column of numbers or dates.
                    let stored = term.value
                    term = ColumnTerm(
                        index: index, name: field.name, kind: .text, storage: .opaque, value: term.text, text: term.text,
                        cutText: term.cutText, isNullable: term.isNullable, convertsText: term.convertsText)
                    if dialect.family == .sqlite { term.storedValue = stored }
                } else if field.kind != term.kind, !(field.kind.isNumber && term.isNumber),
                    let read = dialect.reading(term, as: field.kind)
                {
                    term = read
                } else if field.kind != term.kind, !(field.kind.isNumber && term.isNumber) {
                    // The server cannot read the values as this kind. Do not fail here, but only when the field is used.
                    term.kind = .text
                    term.storage = .opaque
                    term.value = term.text
                }
            }
            columns[id] = term
        }
        let compiler: ([FieldID: ColumnTerm]) -> ConditionCompiler = { columns in
            ConditionCompiler(dialect: dialect, schema: schema, columns: columns, allColumns: columns.keys.sorted())
        }
        for (index, derived) in query.derived.enumerated() {
            columns[derived.field.id] = attempt(.derived(index)) { () throws(UnsupportedError) in
                try Self.checkLength(of: derived.formula, columns)
                let term = try FormulaCompiler(compiler(columns), needsExactNumbers: true).column(derived)
                try FormulaCompiler.checkLength(term.length)
                return term
            }
        }
        self.columns = columns
        let conditionCompiler = compiler(columns)

        var conditions: [SQLFragment] = []
        for (index, filter) in query.filters.enumerated() {
            let condition = attempt(.filter(index)) { () throws(UnsupportedError) in
                try Self.checkLength(of: filter, columns)
                return try conditionCompiler.condition(filter)
            }
            if let condition { conditions.append(condition.sql) }
        }
        self.conditions = conditions

        let terms = OrderCompiler(conditions: conditionCompiler, table: table, options: options)
        var order: [OrderKey] = []
        for (index, key) in query.sort.enumerated() {
            // All values of a group are equal, unless the group is an interval, so sorting by them has no effect.
            if query.groups.contains(where: { $0.field == key.field && $0.interval == nil }) { continue }
            if let term = attempt(.sort(index), { () throws(UnsupportedError) in try terms.compileKey(key, &notes) }) { order.append(term) }
        }
        let hasSort = !order.isEmpty
        let tieBreak = terms.tieBreak(
            after: order, isDescending: options.serverSortBehavior.contains(.ties) && order.last?.isDescending ?? false)
        order += tieBreak.keys
        var isTotal = tieBreak.isUnique
        if !tieBreak.isUnique, hasSort || !query.groups.isEmpty || dialect.scansInAnyOrder(table) {
            // All pages by offset must have the same order, so rows that differ in any column must not be tied.
            let all = table.columns.indices.compactMap { terms.tieBreakKey($0) }
            order += all
            isTotal = all.count == table.columns.count
        }
        (hasUniqueOrder, hasTotalOrder) = (tieBreak.isUnique, isTotal)
        usesBlocks = !hasSort && tieBreak.isRowID && dialect.capabilities.contains(.blockPages)
        self.order = order
        identity = table.shortestKey?.columns.map { terms.keyColumn($0) } ?? []
        let indexes = identity.map { key in order.firstIndex { $0.column == key.column && $0.selectedValue == key.selectedValue } }
        identityIndexes = identity.isEmpty || indexes.contains(nil) ? nil : indexes.compactMap { $0 }
        if tieBreak.isRowID, hasSort {
            notes.append("The table has no key, so rows with equal values can change their order when the table changes.")
        }

        var groups: [GroupTerm] = []
        for (index, key) in query.groups.enumerated() {
            if let term = attempt(.group(index), { () throws(UnsupportedError) in try terms.compileGroup(key, &notes) }) {
                groups.append(term)
            }
        }
        self.groups = groups
        var aggregates: [AggregateTerm] = []
        for (index, aggregate) in query.aggregates.enumerated() {
            if let term = attempt(.aggregate(index), { () throws(UnsupportedError) in try AggregateTerm(aggregate, conditionCompiler) }) {
                aggregates.append(term)
            }
        }
        self.aggregates = aggregates
        var leftOutCounts: [(field: FieldID, term: AggregateTerm)] = []
        for aggregate in query.aggregates where ![.count, .distinct].contains(aggregate.function) {
            guard let column = columns[aggregate.field], let isReadable = dialect.isReadable(column),
                !leftOutCounts.contains(where: { $0.field == aggregate.field })
            else { continue }
            // In DuckDB, the year of an infinite date is NULL.
            let isLeftOut = SQLCondition("\(column.value) IS NOT NULL AND \(dialect.isNotTrue(isReadable))", mayBeNull: false)
            leftOutCounts.append((aggregate.field, AggregateTerm(countOf: isLeftOut)))
        }
        (fieldsWithLeftOutValues, self.leftOutCounts) = (leftOutCounts.map(\.field), leftOutCounts.map(\.term))
        if dialect.encoding == .bytes, (query.filters + query.derived.map(\.formula)).contains(where: Self.countsCharacters) {
            notes.append("On the server, length(), left(), mid() and right() count bytes instead of characters.")
        }
        self.notes = notes
        if !reasons.isEmpty { throw SQLLimitations(reasons: reasons) }
    }

    /// True if the result of a formula depends on the number of characters in a text.
    private static func countsCharacters(_ formula: Formula) -> Bool {
        guard case .call(let function, let arguments) = formula else { return false }
        return [.length, .left, .mid, .right].contains(function) || arguments.contains(where: countsCharacters)
    }

    /// Checks the length of the columns that the SQL of a formula repeats, before it is created. In a chain of derived fields that each use
    /// the previous one twice, the length doubles with each field.
    private static func checkLength(of formula: Formula, _ columns: [FieldID: ColumnTerm]) throws(UnsupportedError) {
        func length(_ formula: Formula) -> Int {
            switch formula {
            case .field(let id): columns[id]?.length ?? 0
            case .constant: 0
            case .call(_, let arguments): arguments.reduce(0) { $0 + length($1) }
            }
        }
        try FormulaCompiler.checkLength(length(formula))
    }

    /// The number of values of a ``RowKey``.
    public var keyCount: Int { order.count }

    // MARK: Parts of statements

    /// The table, with the alias `t`.
    var from: SQLFragment {
        switch table.source {
        case .table(let names): " FROM \(dialect.path(names)) AS t"
        // Add a newline, because the statement may end with a comment.
        case .statement(let text, false): " FROM (\(SQLFragment(checked: text))\n) AS t"
        case .statement(let text, true):
            // SQLite renames columns of table expressions only.
            dialect.family == .sqlite
                ? " FROM (WITH s(\(columnNames)) AS (\(SQLFragment(checked: text))\n) SELECT * FROM s) AS t"
                : " FROM (\(SQLFragment(checked: text))\n) AS t(\(columnNames))"
        }
    }

    private var columnNames: SQLFragment {
        let names = table.columns.map { dialect.name($0.name) }
        return "\(names, by: ", ")"
    }

    func filter(_ conditions: [SQLFragment]) -> SQLFragment {
        conditions.isEmpty ? "" : " WHERE \(conditions.map { "(\($0))" }, by: " AND ")"
    }

    /// The scan through the rows of the query, forward or backward.
    func scan(isBackward: Bool) -> RowScan {
        var scan = RowScan(
            keys: order, isBackward: isBackward, dialect: dialect, frequentKeyCount: frequentKeyCount, isSorted: filtersFirst)
        if order.count > 1, let first = order[0].column, let second = order[1].column {
            scan.indexContinuesWithNextKey = table.indexes.contains { index in
                !index.isPartial && index.columns.count > 1 && index.columns[0].column == first && index.columns[1].column == second
                    && index.columns[0].isDescending == index.columns[1].isDescending
            }
        }
        return scan
    }

    func requestError(_ reason: String) -> SQLLimitations { SQLLimitations(reasons: [SQLLimitation(.request, reason)]) }

    /// The conditions of the query, of a section and of a search.
    func allConditions(_ section: [GroupValue], _ search: Formula?) throws(SQLLimitations) -> [SQLFragment] {
        var all = conditions
        guard section.count <= groups.count else {
            throw requestError("The query has fewer group levels than the section. Reload the table.")
        }
        for (group, value) in zip(groups, section) { all.append(group.condition(value, dialect)) }
        if let search {
            do throws(UnsupportedError) {
                let compiler = ConditionCompiler(dialect: dialect, schema: schema, columns: columns, allColumns: columns.keys.sorted())
                all.append(try compiler.condition(search).sql)
            } catch {
                throw requestError(error.reason)
            }
        }
        return all
    }
}
