public import FieldValues
public import Tables

extension SQLQuery {
    /// Counts the rows exactly. The result is one row with one integer.
    public func count(in section: [GroupValue] = [], matching search: Formula? = nil) throws(SQLLimitations) -> SQLStatement {
        let statement: SQLFragment = "SELECT \(function: "count")(*)\(from)\(filter(try allConditions(section, search)))"
        return statement.statement(in: dialect)
    }

    /// An `EXPLAIN` statement whose plan contains the estimated row count. `nil` if the engine does not support estimates.
    ///
    /// PostgreSQL returns one JSON document; ``estimatedRows(inPlan:)`` reads it.
    public func estimate() -> SQLStatement? {
        guard dialect.capabilities.contains(.estimate), dialect.capabilities.contains(.explainJSON) else { return nil }
        let statement: SQLFragment = "\(dialect.explain)SELECT 1\(from)\(filter(conditions))"
        return statement.statement(in: dialect)
    }

    /// The estimated row count in a PostgreSQL plan: its first `"Plan Rows"`.
    public static func estimatedRows(inPlan plan: String) -> Double? {
        guard let label = plan.firstRange(of: "\"Plan Rows\":") else { return nil }
        let digits = plan[label.upperBound...].drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        return digits.utf8.count <= 18 ? Double(digits) : nil
    }

    /// True if a PostgreSQL plan reads rows from an index in the order of the result. Such a plan has an index scan and sorts no rows,
    /// except among rows with equal first keys. False if the plan reads rows of another server.
    public static func readsIndexInOrder(inPlan plan: String) -> Bool {
        func contains(_ node: String) -> Bool { plan.contains("\"Node Type\": \"\(node)\"") }
        return (contains("Index Scan") || contains("Index Only Scan")) && !contains("Sort") && !contains("Foreign Scan")
    }

    /// Wraps a statement in `EXPLAIN`, which returns its plan without running it.
    /// - Parameter isForReading: true for a plan as text, for the user.
    public func explain(_ statement: SQLStatement, isForReading: Bool = false) -> SQLStatement {
        let text: SQLFragment = "EXPLAIN "
        let prefix = (isForReading && dialect.family == .postgreSQL ? text : dialect.explain).statement(in: dialect)
        return SQLStatement(text: prefix.text + statement.text, parameters: statement.parameters)
    }

    // MARK: Row positions

    /// The key of every `step`th row, followed by its row number from 0. Every row is then fewer than `step` rows after a known key.
    ///
    /// Scans the whole index. Choose a step that yields at most 100,000 keys.
    public func keys(every step: Int) throws(SQLLimitations) -> SQLStatement {
        let numbered = try numberedKeys()
        let keys = order.indices.map { "s.k\($0)" as SQLFragment }
        let statement: SQLFragment = "SELECT \(keys + ["s.n"]) FROM (\(numbered)) AS s WHERE s.n % \(max(1, step)) = 0 ORDER BY s.n"
        return statement.statement(in: dialect)
    }

    /// True if a PostgreSQL index starts with the first sort key, no index continues with the second one, and there are no filters or
    /// groups. To find the first key of the row at a position, the server then scans only the index. This is much faster than reading all
    /// rows before the position.
    public var isIndexedByFirstKeyOnly: Bool {
        guard dialect.family == .postgreSQL, hasUniqueOrder, order.count > 1, conditions.isEmpty, groups.isEmpty,
            let column = order[0].column, order[0].fitsIndex, order[0].classes.first == .value
        else { return false }
        return !table.indexes.contains { index in
            !index.isPartial && index.columns.count > 1 && index.columns[0].column == column && index.columns[1].column == order[1].column
        }
    }

    /// True if the rows are all rows of a table in the order of their row numbers, and the server counts the rows before a row number at
    /// once. A far row is then found by counting, while a page that skips rows reads all of them.
    public var countsRowIDs: Bool {
        dialect.capabilities.contains(.countedRowIDs) && conditions.isEmpty && groups.isEmpty && order.count == 1 && order[0].isRowID
    }

    /// A statement that returns the first sort key of a row, and the number of rows before the first row with this key. Its result is empty
    /// if the key is NULL, NaN or blank text. See ``isIndexedByFirstKeyOnly``.
    /// - Parameter position: the number of the row, from 0.
    public func firstKey(ofRow position: Int) throws(SQLLimitations) -> SQLStatement {
        guard isIndexedByFirstKeyOnly else { throw mismatchedKeyError }
        let key = order[0]
        let isValue = key.predicate(.value, dialect)
        let isBefore: SQLFragment = "\(key.value) \(key.isDescending ? ">" as SQLFragment : "<") s.v"
        let statement: SQLFragment = """
            SELECT \(dialect.cast("s.v", .text)), (SELECT \(function: "count")(*)\(from)\(filter([isValue, isBefore]))) \
            FROM (SELECT \(key.value) AS v\
            \(from)\(filter([isValue])) ORDER BY \(key.order(within: .value, isBackward: false, dialect))\
            \(dialect.limit(1, skipping: max(0, position)))) AS s
            """
        return statement.statement(in: dialect)
    }

    /// The first sort key of every `step`th row, each followed by the number of rows before the first row with this key. See
    /// ``isIndexedByFirstKeyOnly``.
    ///
    /// Scans the index of the first sort key. Keys that are NULL, NaN or blank text are left out.
    public func firstKeys(every step: Int) throws(SQLLimitations) -> SQLStatement {
        guard isIndexedByFirstKeyOnly else { throw mismatchedKeyError }
        let key = order[0]
        let rows = key.order(within: .value, isBackward: false, dialect)
        let statement: SQLFragment = """
            SELECT DISTINCT \(dialect.cast("s.v", .text)), s.r FROM (SELECT \(key.value) AS v, \
            \(function: "rank")() OVER (ORDER BY \(rows)) - 1 AS r, \
            \(function: "row_number")() OVER (ORDER BY \(rows)) - 1 AS n\(from)\(filter([key.predicate(.value, dialect)]))) AS s \
            WHERE s.n % \(max(1, step)) = 0 ORDER BY s.r
            """
        return statement.statement(in: dialect)
    }

    /// The row numbers, ascending from 0, of the rows that match a condition. Each row of the result has one number.
    public func numbers(ofRowsMatching search: Formula) throws(SQLLimitations) -> SQLStatement {
        guard hasUniqueOrder else { throw requestError("The table has no unique key, so its rows cannot be numbered.") }
        let rows = order.flatMap { $0.order(isBackward: false, dialect) }
        let condition: SQLFragment
        do throws(UnsupportedError) {
            let compiler = ConditionCompiler(dialect: dialect, schema: schema, columns: columns, allColumns: columns.keys.sorted())
            condition = try compiler.condition(search).sql
        } catch {
            throw requestError(error.reason)
        }
        let statement: SQLFragment = """
            SELECT s.n FROM (SELECT \(function: "row_number")() OVER (ORDER BY \(rows)) - 1 AS n, \
            CASE WHEN \(condition) THEN 1 ELSE 0 END AS m\(from)\
            \(filter(conditions))) AS s WHERE s.m = 1 ORDER BY s.n
            """
        return statement.statement(in: dialect)
    }

    /// A subquery with the sort keys of all rows of the query and their row numbers, from 0.
    private func numberedKeys() throws(SQLLimitations) -> SQLFragment {
        guard hasUniqueOrder else { throw requestError("The table has no unique key, so its rows cannot be numbered.") }
        let rows = order.flatMap { $0.order(isBackward: false, dialect) }
        let keys = order.enumerated().map { "\($0.element.selectedValue) AS k\($0.offset)" as SQLFragment }
        let number: SQLFragment = "\(function: "row_number")() OVER (ORDER BY \(rows)) - 1 AS n"
        return "SELECT \(keys + [number])\(from)\(filter(conditions))"
    }

    /// Counts the rows before a row. The result is one row with one integer.
    public func rank(of key: RowKey, in section: [GroupValue] = []) throws(SQLLimitations) -> SQLStatement {
        guard hasUniqueOrder, key.values.count == order.count else { throw mismatchedKeyError }
        let conditions = try allConditions(section, nil)
        let ranges = scan(isBackward: true).ranges(after: key)
        let counts = ranges.map { "(SELECT \(function: "count")(*)\(from)\(filter(conditions + $0.conditions)))" as SQLFragment }
        let statement: SQLFragment = "SELECT \(counts.isEmpty ? ["0"] : counts, by: " + ")"
        return statement.statement(in: dialect)
    }

    /// Counts the rows between two row addresses, both exclusive. Only if ``usesBlocks`` is true. The result is one row with one integer.
    public func count(
        after start: RowKey, before end: RowKey, in section: [GroupValue] = []
    ) throws(SQLLimitations) -> SQLStatement {
        guard usesBlocks, start.block != nil, end.block != nil else { throw mismatchedKeyError }
        var conditions = try allConditions(section, nil)
        conditions.append("\(order[0].value) > \(dialect.parameter(start.values[0], .address))")
        conditions.append("\(order[0].value) < \(dialect.parameter(end.values[0], .address))")
        let statement: SQLFragment = "SELECT \(function: "count")(*)\(from)\(filter(conditions))"
        return statement.statement(in: dialect)
    }

    /// The next or previous row that matches a condition, as a page of one row.
    /// - Parameter key: the row where the search starts, exclusive.
    public func nextMatch(
        _ search: Formula, after key: RowKey, isBackward: Bool = false, of fields: [FieldID] = [], in section: [GroupValue] = []
    ) throws(SQLLimitations) -> PageStatement {
        if usesBlocks {
            // Search all blocks of the table, because each of them can contain the match. The scan stops at the first match.
            guard case .text = key.values.first else { throw mismatchedKeyError }
            var all = try allConditions(section, search)
            all.append("\(order[0].value) \(isBackward ? "<" as SQLFragment : ">") \(dialect.parameter(key.values[0], .address))")
            var cells: [SQLFragment] = []
            for field in fields { if let column = columns[field] { cells.append(cell(column)) } }
            let direction: SQLFragment = isBackward ? " DESC" : ""
            let statement: SQLFragment =
                "SELECT \(cells + [order[0].selectedValue])\(from)\(filter(all)) ORDER BY \(order[0].value)\(direction)\(dialect.limit(1))"
            return PageStatement(
                statement: statement.statement(in: dialect), cellCount: cells.count, keyCount: 1, isReversed: false,
                cellLimit: options.cellLimit, countsBytes: dialect.encoding == .bytes)
        }
        return try page(isBackward ? .before(key, 1) : .after(key, 1), of: fields, in: section, matching: search)
    }

    // MARK: Statistics

    /// Exact statistics of fields, in one scan. The result is one row: the row count, then the aggregates in the given order.
    /// - Parameter countsKinds: true to append three counts for each field: the values of the field's kind, the missing values, and the
    ///   NaN values. A count is NULL if it is not needed: the first if all values have the kind, the second if all empty values are
    ///   missing, and the third if no value can be NaN.
    public func statistics(
        of fields: [(field: FieldID, functions: [AggregateFunction])], countsKinds: Bool = false
    ) throws(SQLLimitations) -> SQLStatement {
        var reasons: [SQLLimitation] = []
        let compiler = ConditionCompiler(dialect: dialect, schema: schema, columns: columns, allColumns: [])
        var inputs = StatisticsInputs(selectsInputs: fields.contains { columns[$0.field]?.storedValue != nil })
        var list: [SQLFragment] = ["\(function: "count")(*)"]
        var kinds: [SQLFragment] = []
        // Some engines refuse a NULL without a type as a column of a result.
        let unknown = dialect.cast("NULL", .integer)
        for (field, functions) in fields {
            for (index, function) in functions.enumerated() {
                do throws(UnsupportedError) {
                    let column = try compiler.column(field)
                    let term = try AggregateTerm(function, column, kind: column.kind, compiler)
                    let input = inputs.add(term.input(skipsNaNTests: false, avoidsOverflow: avoidsOverflow, dialect))
                    let total = dialect.total(input)
                    list.append(term.result(term.sql(over: input, dialect), total: total, avoidsOverflow: avoidsOverflow, dialect))
                } catch {
                    reasons.append(SQLLimitation(.aggregate(index), error.reason))
                }
            }
            guard countsKinds, let column = columns[field] else { continue }
            let isMissing = compiler.isNull(column).sql
            let isMixedNumber = column.isMixed && !column.isText
            let isReadable: SQLFragment? = isMixedNumber ? dialect.isNumeric(inputs.add(column.value)) : dialect.isReadable(column)
            kinds.append(isReadable.map { "\(function: "count")(CASE WHEN \($0) THEN 1 END)" } ?? unknown)
            kinds.append(column.hasEmptyValues ? "\(function: "count")(\(inputs.add("CASE WHEN \(isMissing) THEN 1 END")))" : unknown)
            kinds.append(isNaN(column).map { "\(function: "count")(CASE WHEN \($0) THEN 1 END)" } ?? unknown)
        }
        guard reasons.isEmpty else { throw SQLLimitations(reasons: reasons) }
        list += kinds
        let statement: SQLFragment = "SELECT \(list)\(rows(with: inputs))"
        return statement.statement(in: dialect)
    }

    /// The condition that is true for NaN, which servers treat as the greatest number; `nil` if no value of the column can be NaN.
    private func isNaN(_ column: ColumnTerm) -> SQLFragment? {
        guard let nan = dialect.nan, let number = try? NumberTerm(column, in: dialect), number.mayBeNaN else { return nil }
        return "\(number.sql) >= \(nan)"
    }

    /// The rows that match the conditions, with the values that aggregates use.
    private func rows(with inputs: StatisticsInputs) -> SQLFragment {
        let rows: SQLFragment = "\(from)\(filter(conditions))"
        // SQLite would replace each use of a column by its expression if the subquery had no limit.
        return inputs.selectedInputs.isEmpty ? rows : " FROM (SELECT \(inputs.selectedInputs)\(rows)\(dialect.limit(.max))) AS s"
    }

    /// Exact statistics of a field. The result is one row: the row count, then the aggregates in the given order.
    public func statistics(of field: FieldID, _ functions: [AggregateFunction]) throws(SQLLimitations) -> SQLStatement {
        try statistics(of: [(field, functions)])
    }

    /// For each field, the first and the last text by bytes, cut after `limit` characters, then the lengths of the shortest and the longest
    /// text. One scan returns these four values of all fields in one row. Empty cells are ignored.
    public func textRanges(of fields: [FieldID], limit: Int = 1_024) throws(SQLLimitations) -> SQLStatement {
        let compiler = ConditionCompiler(dialect: dialect, schema: schema, columns: columns, allColumns: [])
        // Select the texts of SQLite in a subquery. Otherwise, SQLite would compute each text four times.
        var inputs = StatisticsInputs(selectsInputs: dialect.family == .sqlite)
        var list: [SQLFragment] = []
        do throws(UnsupportedError) {
            for field in fields {
                let column = try compiler.column(field)
                let (text, isEmpty) = (compiler.text(column).sql, dialect.isEmpty(column).sql)
                let value = inputs.add("(CASE WHEN \(isEmpty) THEN NULL ELSE \(text) END)")
                let length = dialect.length(value)
                list += [
                    "\(function: "substr")(\(function: "min")(\(dialect.withByteCollation(value))), 1, \(limit))",
                    "\(function: "substr")(\(function: "max")(\(dialect.withByteCollation(value))), 1, \(limit))",
                    "\(function: "min")(\(length))", "\(function: "max")(\(length))",
                ]
            }
        } catch {
            throw requestError(error.reason)
        }
        let statement: SQLFragment = "SELECT \(list)\(rows(with: inputs))"
        return statement.statement(in: dialect)
    }

    /// A statement for the statistics of a column that the server's catalog keeps, as of the last `ANALYZE` of the table. Statistics
    /// that include child tables are preferred. `nil` if the engine does not keep statistics.
    ///
    /// The result is one row. First come the fraction of NULLs and the number of distinct values (if negative, a fraction of the rows).
    /// Then come, as text of arrays, the most frequent values, their fractions and the bounds of a histogram. The last value is true if
    /// child tables are included.
    public func estimates(of field: FieldID) -> SQLStatement? {
        guard dialect.capabilities.contains(.columnStatistics), case .table(let path) = table.source, let name = path.last,
            table.columns.indices.contains(field.rawValue)
        else { return nil }
        let column = table.columns[field.rawValue].name
        let schema: SQLFragment = path.count > 1 ? dialect.text(path[path.count - 2]) : "\(function: "current_schema")()"
        let statement: SQLFragment = """
            SELECT CAST(null_frac AS text), CAST(n_distinct AS text), CAST(most_common_vals AS text), CAST(most_common_freqs AS text), \
            CAST(histogram_bounds AS text), CAST(inherited AS text) FROM pg_catalog.pg_stats \
            WHERE schemaname = \(schema) AND tablename = \(dialect.text(name)) AND attname = \(dialect.text(column)) \
            ORDER BY inherited DESC LIMIT 1
            """
        return statement.statement(in: dialect)
    }
}

/// The values over which a statement computes statistics.
private struct StatisticsInputs {
    /// True if a subquery selects the values. Each value is then computed once for each row, although several aggregates use it.
    let selectsInputs: Bool
    /// The columns of the subquery.
    private(set) var selectedInputs: [SQLFragment] = []
    private var columnOfInput: [SQLFragment: Int] = [:]

    init(selectsInputs: Bool) { self.selectsInputs = selectsInputs }

    /// Returns the SQL that an aggregate uses for the value.
    mutating func add(_ value: SQLFragment) -> SQLFragment {
        guard selectsInputs else { return value }
        let place = columnOfInput[value] ?? selectedInputs.count
        if place == selectedInputs.count {
            columnOfInput[value] = place
            selectedInputs.append("\(value) AS x\(place)")
        }
        return "s.x\(place)"
    }
}
