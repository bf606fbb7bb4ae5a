/// A value of a sort key, and its approximate position among the rows that have equal values in the sort keys before it.
package struct KeySample: Hashable, Sendable {
    /// The value, as in a ``RowKey``.
    package var value: SQLValue
    /// The approximate fraction of the rows that come before the first row with the value.
    package var start: Double
    /// The approximate fraction of the rows that have the value; 0 if the value is rare.
    package var share: Double
}

/// A statement for the samples of a sort key, and the layout of its result.
package struct SampleStatement: Sendable {
    /// The statement to run.
    package var statement: SQLStatement
    let key: OrderKey
    let dialect: SQLDialect

    /// Converts a result to samples, in the order of the key. Values without an order among each other, such as blank texts, become one
    /// sample. Malformed result rows are skipped.
    package func samples(_ result: [[SQLValue]]) -> [KeySample] {
        var samples: [KeySample] = []
        var lastClass: OrderKey.Class?
        var end = 0.0
        for values in result {
            guard values.count == 3, case .text(let upTo) = values[1], let upTo = Double(upTo), case .text(let share) = values[2],
                let share = Double(share)
            else { continue }
            let rowClass = key.valueClass(of: values[0], dialect)
            if rowClass == .value {
                samples.append(KeySample(value: values[0], start: upTo - share, share: share))
            } else if rowClass == lastClass, !samples.isEmpty {
                samples[samples.count - 1].share = upTo - samples[samples.count - 1].start
            } else {
                samples.append(KeySample(value: values[0], start: end, share: upTo - end))
            }
            (lastClass, end) = (rowClass, upTo)
        }
        return samples
    }
}

extension SQLQuery {
    /// True if the server may have statistics of a sort key, and an index sorts the rows by it. For keys after the first, the index must
    /// sort the rows with equal values in the keys before it. Level 0 is the first sort key.
    package func canBeSampled(byKey level: Int = 0) -> Bool { sampledColumn(level) != nil }

    /// The column of a sort key, with the path of its table; `nil` if its statistics do not describe the order.
    private func sampledColumn(_ level: Int) -> (path: [String], column: ServerColumn)? {
        guard dialect.family == .postgreSQL, dialect.capabilities.isSuperset(of: [.columnStatistics, .orderedUnion]), hasUniqueOrder,
            !usesBlocks, conditions.isEmpty, groups.isEmpty, order.indices.contains(level), let index = order[level].column,
            order[level].type != nil, order[level].fitsIndex || hasIndex(continuingWithKey: level),
            case .table(let path) = table.source, path.count > 1
        else { return nil }
        let column = table.columns[index]
        switch column.type.storage {
        case .text where column.collation == .bytes: break
        // The statistics are in the order of the column's collation, so the query must sort by it, too.
        case .text:
            guard case .named = column.collation, !order[level].comparesBytes else { return nil }
        case .paddedText, .dynamic, .opaque: return nil
        case .integer, .numeric, .real, .double, .flag, .date, .dateTime, .zonedDateTime, .time, .ordered: break
        }
        return (path, column)
    }

    /// True if an index sorts the rows that have equal values in the keys before this key. The first columns of the index are the columns
    /// of those keys, in any order. Its next column is the column of this key.
    private func hasIndex(continuingWithKey level: Int) -> Bool {
        let columns = order[...level].map(\.column)
        return level > 0
            && table.indexes.contains { index in
                !index.isPartial && index.columns.count > level && index.columns[level].column == columns[level]
                    && Set(index.columns[..<level].map(\.column)) == Set(columns[..<level])
            }
    }

    /// Creates a statement for values of a sort key in the order of the query, with their approximate positions. `nil` if
    /// ``canBeSampled(byKey:)`` is false.
    ///
    /// The values come from the statistics of the last `ANALYZE`, so the server scans no rows. The result is empty without statistics.
    /// Frequent values and NULL have their own fractions. The other rows are assumed to be evenly divided among the bins of the histogram.
    package func samples(ofKey level: Int = 0) -> SampleStatement? {
        guard let (path, column) = sampledColumn(level), let type = order[level].type else { return nil }
        let isText = column.type.storage == .text
        var key = order[level]
        (key.value, key.text) = (isText && column.collation == .bytes ? "(\(dialect.withByteCollation("c.v")))" : "c.v", "c.v")
        // This part of the union has no rows. It only supplies the collation of the column.
        let collation: SQLFragment =
            isText && column.collation != .bytes
            ? "SELECT t.\(dialect.name(column.name)) AS v, 0 AS p, CAST(0 AS double precision) AS f\(from) WHERE FALSE UNION ALL " : ""
        let rows = key.order(isBackward: false, dialect)
        let array = SQLFragment(checked: type + "[]")
        func values(_ name: SQLFragment) -> SQLFragment { "CAST(CAST(\(name) AS text) AS \(array))" }
        let hasPartBefore: SQLFragment = key.isDescending ? "h.i < s.n" : "h.i > 1"
        // `p` is the fraction of the rows between the previous bound of the histogram and the value. `f` is the fraction of the rows with
        // the value.
        let statement: SQLFragment = """
            WITH s AS (SELECT null_frac AS z, \(values("histogram_bounds")) AS h, \(values("most_common_vals")) AS m, \
            CAST(most_common_freqs AS double precision[]) AS f, \
            coalesce(\(function: "array_length")(\(values("histogram_bounds")), 1), 0) AS n, \
            1 - null_frac - coalesce((SELECT \(function: "sum")(u) FROM \(function: "unnest")(most_common_freqs) AS u), 0) AS r \
            FROM pg_catalog.pg_stats \
            WHERE schemaname = \(dialect.text(path[path.count - 2])) AND tablename = \(dialect.text(path[path.count - 1])) \
            AND attname = \(dialect.text(column.name)) AND NOT inherited) \
            SELECT CAST(c.v AS text), CAST(\(function: "sum")(c.p + c.f) OVER (ORDER BY \(rows) ROWS UNBOUNDED PRECEDING) AS text), \
            CAST(c.f AS text) \
            FROM (\(collation)SELECT h.v, CASE WHEN \(hasPartBefore) THEN greatest(s.r, 0) / greatest(s.n - 1, 1) ELSE 0 END AS p, \
            CAST(0 AS double precision) AS f FROM s, \(function: "unnest")(s.h) WITH ORDINALITY AS h(v, i) \
            UNION ALL SELECT m.v, 0, m.f FROM s, ROWS FROM (\(function: "unnest")(s.m), \(function: "unnest")(s.f)) AS m(v, f) \
            UNION ALL SELECT NULL, 0, s.z FROM s WHERE s.z > 0) AS c ORDER BY \(rows)
            """
        return SampleStatement(statement: statement.statement(in: dialect), key: order[level], dialect: dialect)
    }
}
