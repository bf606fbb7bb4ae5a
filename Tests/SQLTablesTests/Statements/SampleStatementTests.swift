import DataGridQuery
import FieldValues
import SQLTables
import Tables
import Testing

/// The statement for the approximate positions of values, and pages between sampled rows.
@Suite("SQL of sampled rows")
struct SampleStatementTests: StatementSuite {
    /// The statement for the approximate positions of values, for a table that is sorted by one of its columns.
    private static func samples(
        by column: Int, isDescending: Bool = false, nullable: Bool = false, options: SQLOptions = SQLOptions(),
        key level: Int = 0, _ change: (inout ServerTable) -> Void = { _ in }, _ filters: [Formula] = [], _ dialect: SQLDialect = .postgreSQL
    ) throws -> SampleStatement? {
        var (query, table) = (Query(), table(dialect, nullable: nullable))
        table.indexes.append(ServerIndex([.init(2)]))
        change(&table)
        query.filters = filters
        let comparison: Query.Comparison = column == 2 ? .text : .kind(.decimal, .point)
        query.sort = [Query.SortKey(FieldID(rawValue: column), by: comparison, isDescending: isDescending)]
        let compiled = try SQLQuery(query, of: table, in: dialect, options: options)
        #expect(compiled.canBeSampled(byKey: level) == (compiled.samples(ofKey: level) != nil))
        return compiled.samples(ofKey: level)
    }

    @Test func `A13: the approximate positions of values come from the statistics of PostgreSQL`() throws {
        let ascending = try #require(try Self.samples(by: 1)).statement
        #expect(
            ascending.text == """
                WITH s AS (SELECT null_frac AS z, CAST(CAST(histogram_bounds AS text) AS numeric[]) AS h, \
                CAST(CAST(most_common_vals AS text) AS numeric[]) AS m, CAST(most_common_freqs AS double precision[]) AS f, \
                coalesce(pg_catalog.array_length(CAST(CAST(histogram_bounds AS text) AS numeric[]), 1), 0) AS n, \
                1 - null_frac - coalesce((SELECT pg_catalog.sum(u) FROM pg_catalog.unnest(most_common_freqs) AS u), 0) AS r \
                FROM pg_catalog.pg_stats \
                WHERE schemaname = $1::text AND tablename = $2::text AND attname = $3::text AND NOT inherited) \
                SELECT CAST(c.v AS text), CAST(pg_catalog.sum(c.p + c.f) OVER (ORDER BY c.v ROWS UNBOUNDED PRECEDING) AS text), \
                CAST(c.f AS text) \
                FROM (SELECT h.v, CASE WHEN h.i > 1 THEN greatest(s.r, 0) / greatest(s.n - 1, 1) ELSE 0 END AS p, \
                CAST(0 AS double precision) AS f FROM s, pg_catalog.unnest(s.h) WITH ORDINALITY AS h(v, i) \
                UNION ALL SELECT m.v, 0, m.f FROM s, ROWS FROM (pg_catalog.unnest(s.m), pg_catalog.unnest(s.f)) AS m(v, f) \
                UNION ALL SELECT NULL, 0, s.z FROM s WHERE s.z > 0) AS c ORDER BY c.v
                """)
        #expect(ascending.parameters.map(\.value) == [.text("my schema"), .text("a\"; drop table x--"), .text("price")])
        // NaN comes last in gridview's descending order.
        let descending = try #require(try Self.samples(by: 1, isDescending: true, nullable: true)).statement.text
        #expect(descending.contains("CASE WHEN h.i < s.n THEN"))
        let classes = "CASE WHEN c.v = 'NaN' THEN 1 WHEN c.v IS NULL THEN 2 ELSE 0 END"
        #expect(descending.contains("OVER (ORDER BY \(classes), CASE WHEN (c.v IS NOT NULL AND c.v < 'NaN') THEN c.v END DESC ROWS"))
        var options = SQLOptions()
        options.serverSortBehavior = [.nulls, .nan]
        let nullsFirst = try #require(try Self.samples(by: 1, isDescending: true, nullable: true, options: options)).statement.text
        #expect(nullsFirst.hasSuffix("ORDER BY c.v DESC"), "PostgreSQL sorts NULL first")
        let nullsLast = try #require(try Self.samples(by: 1, nullable: true, options: options)).statement.text
        #expect(nullsLast.hasSuffix("ORDER BY c.v"))
        let text = try #require(try Self.samples(by: 2)).statement.text
        #expect(text.contains("AS text[]) AS h") && text.hasSuffix("THEN (c.v COLLATE \"C\") END"))
        #expect(text.contains("NOT ((c.v COLLATE \"C\") < '!' AND pg_catalog.length(pg_catalog.btrim(c.v, "), "\(text)")
    }

    @Test func `A13: the key of the table can be sampled, and so can the second sort key if it continues an index`() throws {
        let id = try #require(try Self.samples(by: 1, key: 1)).statement
        #expect(id.parameters.map(\.value).last == .text("id") && id.text.contains("AS bigint[]"))
        #expect(try Self.samples(by: 1, key: 2) == nil)
        func pair(_ indexes: [ServerIndex]) throws -> Bool {
            var query = Query()
            query.sort = [2, 1].map { Query.SortKey(FieldID(rawValue: $0), by: $0 == 2 ? .text : .kind(.decimal, .point)) }
            var table = Self.table(.postgreSQL)
            table.indexes = [ServerIndex([.init(2)])] + indexes
            return try SQLQuery(query, of: table, in: .postgreSQL).canBeSampled(byKey: 1)
        }
        #expect(try !pair([]) && !pair([ServerIndex([.init(2), .init(0), .init(1)])]), "no index sorts equal texts by price")
        #expect(try !pair([ServerIndex([.init(2), .init(1)], isPartial: true)]))
        #expect(try pair([ServerIndex([.init(2), .init(1, isDescending: true)])]))
        #expect(try pair([ServerIndex([.init(1)])]))
    }

    @Test func `A13: text keys are sampled in the order of their collation`() throws {
        func samples(_ collation: ServerColumn.Collation) throws -> SampleStatement? {
            let column = ServerColumn("n", type: ServerType(named: "text", in: .postgreSQL), isNullable: false, collation: collation)
            let table = ServerTable(
                .table(["public", "t"]), columns: [column], keys: [ServerKey(columns: [0])], indexes: [ServerIndex([.init(0)])])
            return try SQLQuery(Query(), of: table, in: .postgreSQL).samples()
        }
        let named = try #require(try samples(.named("de_DE"))).statement.text
        #expect(named.contains(#"(SELECT t."n" AS v, 0 AS p, CAST(0 AS double precision) AS f FROM "public"."t" AS t WHERE FALSE UNION"#))
        #expect(named.hasSuffix("ORDER BY c.v"))
        let bytes = try #require(try samples(.bytes)).statement.text
        #expect(!bytes.contains("WHERE FALSE") && bytes.hasSuffix("ORDER BY (c.v COLLATE \"C\")"))
        #expect(try samples(.nondeterministic("blind")) == nil)
    }

    @Test func `A13: all NULLs are one sample, and so are all blank texts`() throws {
        func row(_ value: SQLValue, _ upTo: String, _ share: String = "0") -> [SQLValue] { [value, .text(upTo), .text(share)] }
        let texts = try #require(try Self.samples(by: 2)).samples([
            row(.text("a"), "0"), row(.text("b"), "0.5", "0.25"), row(.text("c"), "0.625"), row(.text(""), "0.625"),
            row(.text(" "), "0.75", "0.0625"), row(.text("\t"), "0.875", "0.125"), row(.null, "1", "0.125"), [.null], row(.null, "x"),
        ])
        #expect(texts.map(\.value) == [.text("a"), .text("b"), .text("c"), .text(""), .null])
        #expect(texts.map(\.start) == [0, 0.25, 0.625, 0.625, 0.875])
        #expect(texts.map(\.share) == [0, 0.25, 0, 0.25, 0.125])
    }

    @Test func `A13: rows with a frequent value are a separate part of a page, sorted by the next key`() throws {
        func page(_ frequentKeyCount: Int, _ request: PageRequest, nullable: Bool = false) throws -> String {
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.decimal, .point))]
            var compiled = try SQLQuery(query, of: Self.table(.postgreSQL, nullable: nullable), in: .postgreSQL)
            compiled.frequentKeyCount = frequentKeyCount
            let statement = try compiled.page(request, of: []).statement
            return statement.text.replacing(#" AS c0, CAST(t."id" AS text) AS c1"#, with: "").replacing("\"", with: "")
        }
        let after = PageRequest.after(RowKey([.text("1.5"), .text("7")]), 10)
        #expect(try page(0, after).contains("WHERE ((t.price, t.id) > ($1::numeric, $2::bigint))"))
        let separate = try page(1, after)
        #expect(separate.contains("WHERE (t.price = $1::numeric) AND (t.id > $2::bigint) ORDER BY t.id LIMIT 10) AS p0 UNION ALL "))
        #expect(separate.contains("WHERE (t.price > $1::numeric) ORDER BY t.price, t.id LIMIT 10) AS p1 LIMIT 10"), "\(separate)")
        let from = try page(1, .from(firstKeyValues: [.text("1.5"), .text("7")], count: 10))
        #expect(from == separate.replacing("t.id > $2", with: "t.id >= $2"))
        // NULL is the last value, so no second part follows. The order names the price, too, since the index continues with the tie-break.
        let null = try page(1, .from(firstKeyValues: [.null, .text("7")], count: 10), nullable: true)
        #expect(null.hasSuffix("WHERE (t.price IS NULL) AND (t.id >= $1::bigint) ORDER BY t.price, t.id LIMIT 10"), "\(null)")
        #expect(throws: SQLLimitations.self) { try page(0, .from(firstKeyValues: [], count: 10)) }
    }

    @Test func `A13: positions are not sampled if the statistics do not fit the order of the rows`() throws {
        let filter = Formula.call(.equal, [.field(FieldID(rawValue: 2)), .constant(.text("o'x"))])
        #expect(try Self.samples(by: 1, { _ in }, [filter]) == nil, "a filter")
        #expect(try Self.samples(by: 1, { $0.indexes = [] }) == nil, "no index")
        #expect(try Self.samples(by: 1, { ($0.keys, $0.hasRowIDs) = ([], false) }) == nil, "no unique order")
        #expect(try Self.samples(by: 2, { $0.columns[2].collation = .named("de_DE") }) == nil, "another collation")
        #expect(try Self.samples(by: 1, { $0.source = .statement("SELECT 1") }) == nil, "a statement")
        for dialect in [SQLDialect.sqlite, .duckDB, .spark, .ansi, .postgreSQL(product: "CockroachDB")] {
            #expect(try Self.samples(by: 1, { _ in }, [], dialect) == nil, "\(dialect.name)")
        }
        let heap = ServerTable(.table(["public", "t"]), columns: Self.table(.postgreSQL).columns, hasRowIDs: true)
        #expect(try !SQLQuery(Query(), of: heap, in: .postgreSQL).canBeSampled(), "rows in the order of their addresses")
    }
}
