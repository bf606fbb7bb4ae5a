extension SQLQuery {
    /// True if the server may know values of the first sort key that divide all rows into parts of similar size. An index must have these
    /// values in the order of the query.
    package var canBeSampled: Bool { sampledColumn != nil }

    /// The name of the column of the first sort key, with the path of its table; `nil` if its statistics do not describe the order.
    private var sampledColumn: (path: [String], name: String)? {
        guard dialect.family == .postgreSQL, dialect.capabilities.isSuperset(of: [.columnStatistics, .orderedUnion]), hasUniqueOrder,
            !usesBlocks, conditions.isEmpty, groups.isEmpty, let key = order.first, key.fitsIndex, key.type != nil, let index = key.column,
            case .table(let path) = table.source, path.count > 1
        else { return nil }
        let column = table.columns[index]
        switch column.type.storage {
        // The statement compares texts by bytes.
        case .text where column.collation == .bytes: break
        case .text, .paddedText, .dynamic, .opaque: return nil
        case .integer, .numeric, .real, .double, .flag, .date, .dateTime, .zonedDateTime, .time, .ordered: break
        }
        return (path, column.name)
    }

    /// Values of the first sort key, in the order of the query. Each is followed by the approximate fraction of the rows before the first
    /// row with this value. `nil` if ``canBeSampled`` is false.
    ///
    /// The values come from the statistics of the last `ANALYZE`, so the server scans no rows. The result is empty without statistics. The
    /// parts between two bounds of the histogram count as equally large; frequent values have their own fractions.
    package func samples() -> SQLStatement? {
        guard let (path, name) = sampledColumn, let first = order.first, let type = first.type else { return nil }
        let isText = table.columns[first.column ?? 0].type.storage == .text
        var key = first
        (key.value, key.text) = (isText ? "(\(dialect.byBytes("c.v")))" : "c.v", "c.v")
        let rows: SQLFragment = "\(key.order(within: .value, isBackward: false, dialect))"
        let array = SQLFragment(checked: type + "[]")
        func values(_ name: SQLFragment) -> SQLFragment { "CAST(CAST(\(name) AS text) AS \(array))" }
        let nulls: SQLFragment = key.classes.first == .null ? "null_frac" : "0"
        let hasPartBefore: SQLFragment = key.isDescending ? "h.i < s.n" : "h.i > 1"
        // `p` is the part of the histogram before the value, and `f` the fraction of the rows with the value.
        let statement: SQLFragment = """
            WITH s AS (SELECT \(nulls) AS z, \(values("histogram_bounds")) AS h, \(values("most_common_vals")) AS m, \
            CAST(most_common_freqs AS double precision[]) AS f, coalesce(array_length(\(values("histogram_bounds")), 1), 0) AS n, \
            1 - null_frac - coalesce((SELECT sum(u) FROM unnest(most_common_freqs) AS u), 0) AS r FROM pg_catalog.pg_stats \
            WHERE schemaname = \(dialect.text(path[path.count - 2])) AND tablename = \(dialect.text(path[path.count - 1])) \
            AND attname = \(dialect.text(name)) AND NOT inherited) \
            SELECT CAST(c.v AS text), CAST(c.z + sum(c.p + c.f) OVER (ORDER BY \(rows) ROWS UNBOUNDED PRECEDING) - c.f AS text) \
            FROM (SELECT h.v, s.z, CASE WHEN \(hasPartBefore) THEN greatest(s.r, 0) / greatest(s.n - 1, 1) ELSE 0 END AS p, \
            CAST(0 AS double precision) AS f FROM s, unnest(s.h) WITH ORDINALITY AS h(v, i) \
            UNION ALL SELECT m.v, s.z, 0, m.f FROM s, unnest(s.m, s.f) AS m(v, f)) AS c \
            WHERE \(key.predicate(.value, dialect)) ORDER BY \(rows)
            """
        return statement.statement(in: dialect)
    }
}
