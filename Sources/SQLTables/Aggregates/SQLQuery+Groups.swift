import FieldValues
public import Tables

/// One group and its aggregates, as fetched from the server.
public struct FetchedGroup: Hashable, Sendable {
    /// The value of the group.
    public var value: GroupValue
    /// The number of rows in the group.
    public var count: Int64
    /// The aggregates in the order of the query, as text; ``SQLValue/null`` for an aggregate without a value. Dates are microseconds, as in
    /// `FieldBytes.temporal(_:_:)`.
    public var aggregates: [SQLValue]
    /// For a group of the outermost level, the number of values that the aggregates leave out, for each of
    /// ``SQLQuery/fieldsWithLeftOutValues``.
    public var leftOutCounts: [Int64] = []
    /// The bytes of the value if it is text that is not valid UTF-8; otherwise `nil`.
    package var invalidText: [UInt8]?
}

/// A statement that fetches the groups of one level, and the layout of its result.
public struct GroupsStatement: Hashable, Sendable {
    /// The statement. It requests one group more than ``limit``, to detect that more groups exist.
    public var statement: SQLStatement
    /// The maximum number of groups to show.
    public var limit: Int
    /// The number of aggregates per group.
    public var aggregateCount: Int
    /// The number of columns that follow the aggregates, for ``FetchedGroup/leftOutCounts``.
    var leftOutColumnCount = 0
    /// True if each row also has the number of all groups.
    public var hasGroupCount = false
    /// The number of outer group levels. Each result row starts with the values of the outer levels, followed by the values of its group.
    var outerLevelCount = 0
    /// The indexes of aggregates whose values are not tested for NaN. If one of their results is NaN, the groups must be fetched again.
    var untestedAggregates: [Int] = []
    /// True if the groups are in the order of an aggregate whose values are not tested for NaN.
    var isSortedByUntestedAggregate = false

    /// True if NaN may have changed the aggregates of a result, or the choice of its groups. If so, fetch the groups again without
    /// ``SQLQuery/skipsNaNTests``. O(rows × aggregates)
    public func mustTestForNaN(_ result: [[SQLValue]]) -> Bool {
        if untestedAggregates.isEmpty { return false }
        if isSortedByUntestedAggregate, result.count > limit { return true }
        let start = 2 * outerLevelCount + 3
        return result.contains { row in untestedAggregates.contains { start + $0 < row.count && row[start + $0].isNaN } }
    }

    /// Reads the groups of a result. `isTruncated` is true if more groups exist. Malformed result rows are skipped.
    public func groups(_ result: [[SQLValue]]) -> (groups: [FetchedGroup], isTruncated: Bool) {
        (result.prefix(limit).compactMap { group($0)?.group }, result.count > limit)
    }

    /// Reads the groups of ``SQLQuery/innerGroups(in:atLevel:limit:)``, keyed by the section that contains them.
    public func groupsBySection(_ result: [[SQLValue]]) -> (groups: [[GroupValue]: [FetchedGroup]], isTruncated: Bool) {
        var groups: [[GroupValue]: [FetchedGroup]] = [:]
        for (section, group) in result.prefix(limit).lazy.compactMap(group) { groups[section, default: []].append(group) }
        return (groups, result.count > limit)
    }

    private func group(_ values: [SQLValue]) -> (section: [GroupValue], group: FetchedGroup)? {
        let start = 2 * outerLevelCount
        let end = start + 3 + aggregateCount
        guard values.count == end + leftOutColumnCount + (hasGroupCount ? 1 : 0) else { return nil }
        let path = (0...outerLevelCount).compactMap { level in values[2 * level + 1].number.map { GroupValue(values[2 * level], $0) } }
        guard path.count == outerLevelCount + 1, let value = path.last, let count = values[start + 2].number else { return nil }
        var group = FetchedGroup(value: value, count: count, aggregates: Array(values[start + 3..<end]))
        group.leftOutCounts = values[end..<end + leftOutColumnCount].map { $0.number ?? 0 }
        if case .invalidText(let bytes) = values[start] { group.invalidText = bytes }
        return (path.dropLast(), group)
    }

    /// The number of all groups, including the group of empty values. `nil` if the statement does not fetch it.
    public func groupCount(_ result: [[SQLValue]]) -> Int? {
        guard hasGroupCount else { return nil }
        guard let first = result.first else { return 0 }
        return first.last?.number.map { Int($0) }
    }
}

extension SQLValue {
    /// True for text that is not valid UTF-8.
    package var isInvalidText: Bool { if case .invalidText = self { true } else { false } }

    /// True for NaN, as a number or as text.
    var isNaN: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .text(let text): text.utf8.count == 3 && text.lowercased() == "nan"
        case .integer, .bytes, .invalidText, .null: false
        }
    }

    /// The value of an integer, or of the text of an integer; otherwise `nil`.
    public var number: Int64? {
        switch self {
        case .integer(let number): number
        case .text(let text): Int64(text)
        case .double, .bytes, .invalidText, .null: nil
        }
    }
}

extension SQLQuery {
    /// True if ``avoidsOverflow`` changes the statements for groups.
    package var canOverflow: Bool { aggregates.contains(where: \.canOverflow) }

    /// The groups inside a section, one level deeper than the section.
    /// - Parameters:
    ///   - section: the values of the outer levels; empty for the outermost level.
    ///   - limit: the maximum number of groups to show.
    ///   - largestFirst: true to sort groups by row count, descending, instead of by the order of the query.
    public func groups(in section: [GroupValue] = [], limit: Int, largestFirst: Bool = false) throws(SQLLimitations) -> GroupsStatement {
        guard groups.indices.contains(section.count) else { throw requestError("The query has no group level \(section.count + 1).") }
        let conditions = try allConditions(section, nil)
        return groupsStatement(
            groups[section.count], aggregates, section.isEmpty ? leftOutCounts : [], conditions, isInner: !section.isEmpty, limit: limit,
            largestFirst: largestFirst)
    }

    /// The groups of a level inside many sections, in the order of the query within each section. See
    /// ``GroupsStatement/groupsBySection(_:)``.
    /// - Parameters:
    ///   - sections: the values of the outer levels of each section; `nil` for all sections.
    ///   - level: the level of the groups, from 1.
    ///   - limit: the maximum number of groups of all sections.
    public func innerGroups(
        in sections: [[GroupValue]]?, atLevel level: Int, limit: Int
    ) throws(SQLLimitations) -> GroupsStatement {
        guard groups.indices.contains(level), level > 0, sections?.allSatisfy({ $0.count == level }) ?? true else {
            throw requestError("The query has no group level \(level + 1).")
        }
        var conditions = self.conditions
        if let sections {
            let all = sections.map { condition(ofSection: $0) }
            conditions.append(all.isEmpty ? dialect.falseLiteral : "\(all, by: " OR ")")
        }
        return groupsStatement(
            groups[level], aggregates, [], conditions, outer: Array(groups[..<level]), isInner: true, limit: limit, largestFirst: false)
    }

    /// The innermost groups of all sections with their row counts, without aggregates. See ``GroupsStatement/groupsBySection(_:)``. `nil`
    /// if two statements can return distinct texts for a group: DuckDB returns the text of any row if the collation ignores case.
    /// - Parameter limit: the maximum number of groups of all sections.
    package func innermostGroupCounts(limit: Int) -> GroupsStatement? {
        guard let last = groups.last, dialect.family != .duckDB || !groups.contains(where: { $0.column.isText && $0.form == .text })
        else { return nil }
        return groupsStatement(
            last, [], [], conditions, outer: Array(groups.dropLast()), isInner: groups.count > 1, limit: limit, largestFirst: false)
    }

    /// The distinct values of a field with their row counts, most frequent first.
    /// - Parameters:
    ///   - byValue: true to sort by value, ascending.
    ///   - countsGroups: true to fetch the number of distinct values, too. Ignored if distinct values can share a group.
    ///   - countsMissing: true to fetch the number of missing values of each group as an aggregate, if values can be empty without being
    ///     missing.
    public func frequencies(
        of field: FieldID, limit: Int, byValue: Bool = false, countsGroups: Bool = false, countsMissing: Bool = false
    ) throws(SQLLimitations) -> GroupsStatement {
        do throws(UnsupportedError) {
            let compiler = ConditionCompiler(dialect: dialect, schema: schema, columns: columns, allColumns: [])
            let column = try compiler.column(field)
            let key = Query.GroupKey(
                field, by: column.isText ? .text : .kind(column.kind, .point), order: byValue ? .value : .rowCount, isDescending: !byValue)
            let order = OrderCompiler(conditions: compiler, table: table, options: options)
            let term = try order.compileGroup(key, column, comparesBytes: column.isText)
            let missing = countsMissing && column.hasEmptyValues ? [AggregateTerm(countOf: compiler.isNull(column))] : []
            return groupsStatement(
                term, missing, [], conditions, isInner: false, limit: limit, largestFirst: false,
                countsGroups: countsGroups && term.groupClass == nil && !column.isMixed)
        } catch {
            throw requestError(error.reason)
        }
    }

    /// The statement for the groups of one level.
    /// - Parameters:
    ///   - leftOutCounts: see ``FetchedGroup/leftOutCounts``.
    ///   - outer: the outer levels. Each result row starts with the values of its outer groups.
    ///   - isInner: true if some rows of the query can be outside of these groups, so that shares need a separate total.
    private func groupsStatement(
        _ group: GroupTerm, _ shownAggregates: [AggregateTerm], _ leftOutCounts: [AggregateTerm], _ conditions: [SQLFragment],
        outer: [GroupTerm] = [], isInner: Bool, limit: Int, largestFirst: Bool, countsGroups: Bool = false
    ) -> GroupsStatement {
        let aggregates = shownAggregates + leftOutCounts
        let limit = max(0, min(1_000_000, limit))
        let isMixed = group.column.isMixed && group.form == .text
        let ordersByNumber = group.isOrderedByNumber
        var inner: [SQLFragment] = ["\(group.value) AS g"]
        if let groupClass = group.groupClass { inner.append("\(groupClass) AS k") }
        if ordersByNumber { inner.append("\(group.column.value) AS o") }
        let untested = skipsNaNTests ? aggregates.indices.filter { aggregates[$0].inputWithoutNaNTest != nil } : []
        let inputs = aggregates.map { $0.input(skipsNaNTests: skipsNaNTests, avoidsOverflow: avoidsOverflow, dialect) }
        for (index, input) in inputs.enumerated() { inner.append("\(input) AS x\(index)") }
        // The column names in the inner SELECT for the values and classes of the outer levels.
        var outerNames: [SQLFragment] = []
        var outerResults: [SQLFragment] = []
        for (level, term) in outer.enumerated() {
            let (value, groupClass): (SQLFragment, SQLFragment) = ("u\(level)", "w\(level)")
            inner.append("\(term.value) AS \(value)")
            outerNames.append(value)
            outerResults.append(term.text("q.\(value)", dialect))
            if let selected = term.groupClass {
                inner.append("\(selected) AS \(groupClass)")
                outerNames.append(groupClass)
                outerResults.append("q.\(groupClass)")
            } else {
                outerResults.append("CASE WHEN q.\(value) IS NULL THEN 2 ELSE 0 END")
            }
        }

        let groupedText = ordersByNumber || !outer.isEmpty ? nil : textGroups(group, Array(zip(aggregates, inputs)), conditions)
        // The subquery only groups, and the outer query sorts and limits. If a query that groups by expressions also had a sort, a limit
        // or a window function, postgres_fdw would send invalid SQL to a shard.
        var grouped: [SQLFragment] = ["s.g AS g", "\(function: "count")(*) AS n"]
        if group.groupClass != nil { grouped.append("s.k AS k") }
        grouped += outerNames.map { "s.\($0) AS \($0)" }
        if ordersByNumber {
            let number: SQLFragment = isMixed ? "CASE WHEN \(dialect.isNumeric("s.o")) THEN s.o END" : "s.o"
            let value: SQLFragment = "\(function: "min")(\(number))"
            grouped.append("\(value) AS o")
        }
        for (index, aggregate) in aggregates.enumerated() { grouped.append("\(aggregate.sql(over: "s.x\(index)", dialect)) AS a\(index)") }

        let groupClass: SQLFragment = group.groupClass == nil ? "CASE WHEN q.g IS NULL THEN 2 ELSE 0 END" : "q.k"
        let results = aggregates.enumerated().map { index, aggregate -> SQLFragment in
            let value: SQLFragment = "q.a\(index)"
            let input = aggregate.input(skipsNaNTests: false, avoidsOverflow: avoidsOverflow, dialect)
            let total: SQLFragment =
                isInner ? "(SELECT \(dialect.total(input))\(from)\(filter(self.conditions)))" : "\(dialect.total(value)) OVER ()"
            return aggregate.result(value, total: total, avoidsOverflow: avoidsOverflow, dialect)
        }
        let byValue = orderByValue(
            of: group, "q.g", groupClass: groupClass, number: "q.o",
            isDescending: group.key.isDescending && group.key.order == .value && !largestFirst)
        var order: [SQLFragment] = []
        var isSortedByUntestedAggregate = false
        if largestFirst {
            order.append("q.n DESC")
        } else {
            switch group.key.order {
            case .value: break
            case .rowCount: order.append(dialect.order("q.n", isDescending: group.key.isDescending, nullsLast: nil))
            case .aggregate(let index):
                if results.indices.contains(index) {
                    // Return NULL instead of NaN, so that NaN sorts last, like a missing result.
                    var result = results[index]
                    // A sum of more than 64 bits is text.
                    if dialect.family == .sqlite, aggregates[index].function == .sum { result = "CAST(\(result) AS NUMERIC)" }
                    if let nan = dialect.nan, aggregates[index].mayBeNaN { result = "NULLIF(\(result), \(nan))" }
                    order.append(dialect.order(result, isDescending: group.key.isDescending, nullsLast: true))
                    isSortedByUntestedAggregate = untested.contains(index)
                }
            }
        }
        let by = outerNames.map { "s.\($0)" as SQLFragment } + (group.groupClass == nil ? ["s.g"] : ["s.g", "s.k"])
        let total: [SQLFragment] = countsGroups ? ["\(function: "count")(*) OVER ()"] : []
        let list: [SQLFragment] = outerResults + [group.text("q.g", dialect), groupClass, "q.n"] + results + total
        let rows: SQLFragment = "SELECT \(grouped) FROM (SELECT \(inner)\(from)\(filter(conditions))) AS s GROUP BY \(by)"
        let statement: SQLFragment = """
            \(groupedText?.values ?? "")SELECT \(list) FROM (\(groupedText?.groups ?? rows)) AS q \
            ORDER BY \(order + byValue)\(dialect.limit(limit + 1))
            """
        return GroupsStatement(
            statement: statement.statement(in: dialect), limit: limit, aggregateCount: shownAggregates.count,
            leftOutColumnCount: leftOutCounts.count, hasGroupCount: countsGroups, outerLevelCount: outer.count,
            untestedAggregates: untested, isSortedByUntestedAggregate: isSortedByUntestedAggregate)
    }

    /// The ORDER BY terms that sort the groups of a level, or the rows of these groups, by the values of the groups.
    /// - Parameters:
    ///   - value: the value of the group.
    ///   - groupClass: the class of the value; ignored if ``GroupTerm/groupClass`` is `nil`.
    ///   - number: the number whose text is the value; used only if ``GroupTerm/isOrderedByNumber`` is true.
    func orderByValue(
        of group: GroupTerm, _ value: SQLFragment, groupClass: SQLFragment, number: SQLFragment, isDescending: Bool
    ) -> [SQLFragment] {
        var order: [SQLFragment] = []
        if group.isOrderedByNumber {
            if group.hasNaN, let nan = dialect.nan {
                order.append("CASE WHEN \(number) = \(nan) THEN 1 WHEN \(value) IS NULL THEN 2 ELSE 0 END")
            }
            if let isNaN = dialect.parsesAsNaN(group.column, value) {
                order.append("CASE WHEN \(value) IS NULL THEN 3 WHEN \(number) IS NOT NULL THEN 0 WHEN \(isNaN) THEN 1 ELSE 2 END")
            } else if group.column.isMixed {
                order.append("CASE WHEN \(value) IS NULL THEN 2 WHEN \(number) IS NULL THEN 1 ELSE 0 END")
            }
            order.append(dialect.order(number, isDescending: isDescending, nullsLast: true))
            order.append(dialect.order(dialect.withByteCollation(value), isDescending: false, nullsLast: true))
        } else {
            if group.groupClass != nil { order.append(groupClass) }
            let isTextual = group.form != .text && group.comparesBytes
            let text = isTextual ? group.text(value, dialect) : value
            order.append(
                dialect.order(group.comparesBytes ? dialect.withByteCollation(text) : text, isDescending: isDescending, nullsLast: true))
        }
        return order
    }

    /// The groups of a text column in PostgreSQL: one group for each text, then one group of all empty texts. `nil` if the column or an
    /// aggregate does not allow it.
    ///
    /// The statement tests each distinct text for being empty, not each row. For few distinct texts, the server needs a tenth less
    /// processor time for a sum and a mean of decimals. For millions of distinct texts, it needs a quarter more, because it stores all
    /// groups before it sorts them.
    private func textGroups(
        _ group: GroupTerm, _ aggregates: [(term: AggregateTerm, input: SQLFragment)], _ conditions: [SQLFragment]
    ) -> (values: SQLFragment, groups: SQLFragment)? {
        let column = group.column
        guard dialect.family == .postgreSQL, group.form == .text, column.hasTextValue, column.isStored, column.index != nil
        else { return nil }
        var columns: [SQLFragment] = ["\(group.rowText) AS g", "\(function: "count")(*) AS n"]
        var (filled, empty): ([SQLFragment], [SQLFragment]) = (["r.g AS g", "r.n AS n"], ["NULL", "\(function: "sum")(r.n)"])
        for (index, aggregate) in aggregates.enumerated() {
            guard let partial = aggregate.term.partial(aggregate.input) else { return nil }
            columns += partial.enumerated().map { "\($1) AS p\(index)x\($0)" }
            let names = partial.indices.map { "r.p\(index)x\($0)" as SQLFragment }
            filled.append("\(aggregate.term.combined(names, hasOnePart: true, dialect)) AS a\(index)")
            empty.append(aggregate.term.combined(names, hasOnePart: false, dialect))
        }
        let isBlank = dialect.isBlank("r.g", comparing: column.collation == .bytes ? "r.g" : dialect.withByteCollation("r.g"))
        return (
            "WITH r AS (SELECT \(columns)\(from)\(filter(conditions)) GROUP BY \(group.rowText)) ",
            """
            SELECT \(filled) FROM r WHERE NOT \(isBlank) UNION ALL \
            SELECT \(empty) FROM r WHERE r.g IS NULL OR \(isBlank) HAVING \(function: "count")(*) > 0
            """
        )
    }
}
