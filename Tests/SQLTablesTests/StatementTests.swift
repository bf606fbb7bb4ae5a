import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

/// The SQL text of statements.
@Suite("SQL statements")
struct StatementTests {
    static func table(_ dialect: SQLDialect, nullable: Bool = false) -> ServerTable {
        let types = dialect.family == .sqlite ? ["INTEGER", "REAL", "TEXT"] : ["bigint", "numeric(10,2)", "text"]
        return ServerTable(
            .table(["my schema", "a\"; drop table x--"]),
            columns: [
                ServerColumn("id", type: ServerType(named: types[0], in: dialect), isNullable: false),
                ServerColumn("price", type: ServerType(named: types[1], in: dialect), isNullable: nullable),
                ServerColumn("`x`", type: ServerType(named: types[2], in: dialect)),
            ], keys: [ServerKey(columns: [0], isPrimary: true)], indexes: [ServerIndex([.init(1), .init(0)])], hasRowIDs: true)
    }

    static func page(
        _ dialect: SQLDialect, nullable: Bool = false, isDescending: Bool = false, options: SQLOptions = SQLOptions(),
        _ request: PageRequest
    ) throws -> SQLStatement {
        var query = Query()
        query.filters = [.call(.equal, [.field(FieldID(rawValue: 2)), .constant(.text("o'x"))])]
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.decimal, .point), isDescending: isDescending)]
        let compiled = try SQLQuery(query, of: table(dialect, nullable: nullable), in: dialect, options: options)
        return try compiled.page(request, of: [FieldID(rawValue: 0)]).statement
    }

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

    @Test func `A13: the key of the table and a column that continues an index can be sampled, too`() throws {
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
        let from = try page(1, .from([.text("1.5"), .text("7")], 10))
        #expect(from == separate.replacing("t.id > $2", with: "t.id >= $2"))
        // NULL is the last value, so no second part follows. The order names the price, too, since the index continues with the tie-break.
        let null = try page(1, .from([.null, .text("7")], 10), nullable: true)
        #expect(null.hasSuffix("WHERE (t.price IS NULL) AND (t.id >= $1::bigint) ORDER BY t.price, t.id LIMIT 10"), "\(null)")
        #expect(throws: SQLLimitations.self) { try page(0, .from([], 10)) }
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

    @Test(
        arguments: [
            ("select 1 as a; -- x", "select 1 as a"), ("-- x\nselect 1 ;; /* y; */ ;\n", "select 1"), ("select ';--'", "select ';--'"),
            ("select 'it''s -- ' ; --", "select 'it''s -- '"), ("select \"a--\"\";\" from t;", "select \"a--\"\";\" from t"),
            ("select 1 /* a /* b */ c */;", "select 1"), ("select $$;--$$ ; -- x", "select $$;--$$"),
            ("select $a$ $$ -- $a$;", "select $a$ $$ -- $a$"), ("select a$b$ from t -- $b$", "select a$b$ from t"),
            ("select E'\\';' ; -- x", "select E'\\';'"), ("select 'a' like'\\' -- '", "select 'a' like'\\'"),
            ("select 1; select 2;", "select 1; select 2"), ("select 1 /* open", "select 1 /* open"), ("select 2 - -1--1", "select 2 - -1"),
            ("select $1 -- $1", "select $1"), ("select 'open -- ", "select 'open -- "), (" ; -- x", ""), ("", ""),
        ])
    func `19.1: only the comments and semicolons around a user statement are removed`(text: String, expected: String) {
        #expect(UserStatement(text, in: .postgreSQL).text == expected)
    }

    @Test func `19.1: comments and quotes in a user statement are recognized by the rules of its database`() {
        #expect(UserStatement("select [a--b], `--` ; -- x", in: .sqlite).text == "select [a--b], `--`")
        #expect(UserStatement("select 1 /* a /* b */ + 2", in: .sqlite).text == "select 1 /* a /* b */ + 2")
        #expect(UserStatement("select '\\';', \"\\\";\", `--` ; -- x", in: .spark).text == "select '\\';', \"\\\";\", `--`")
        #expect(UserStatement("select [1, 2] -- x", in: .duckDB).text == "select [1, 2]")
        #expect(UserStatement("/* x */ Select 1", in: .ansi).firstWord == "select")
    }

    @Test(
        arguments: [
            ("show search_path", SQLDialect.postgreSQL, "--sql must be a query, not “show”. Write select * from pg_settings."),
            ("SHOW TABLES", .spark, "--sql must be a query, not “show”. Leave out --sql to list the tables."),
            (
                "-- x\nexplain select 1", .sqlite,
                "--sql must be a query, not “explain”. Leave it out: the SQL page of the opened query (Alt-S) shows the plan."
            ),
            ("; --", .postgreSQL, "--sql needs a statement."), ("show tables", .duckDB, nil), ("values (1)", .postgreSQL, nil),
            ("DROP TABLE a", .spark, "--sql must be a query, not “drop”. Write a select statement."),
            ("-- x\ncopy a to 'b'", .duckDB, "--sql must be a query, not “copy”. Write a select statement."),
            ("update a set b = 1", .ansi, "--sql must be a query, not “update”. Write a select statement."),
            ("from a", .duckDB, nil), ("with a as (select 1) select * from a", .spark, nil),
            ("(select 1)", .postgreSQL, nil), ("shows", .postgreSQL, nil), ("; select ';' -- ; x\n;;", .duckDB, nil),
            ("drop table a; select 1", .duckDB, "--sql must be a single statement. Remove the text after the semicolon."),
            ("select 1; -- x\n select 2;", .sqlite, "--sql must be a single statement. Remove the text after the semicolon."),
        ] as [(String, SQLDialect, String?)])
    func `19.1: a statement that is not a query is refused with advice`(text: String, dialect: SQLDialect, message: String?) {
        #expect(UserStatement(text, in: dialect.family).refusal(in: dialect) == message)
    }

    @Test(
        arguments: [
            (SQLDialect.spark, "(t.`sector` < '!' AND trim(BOTH ' ' FROM replace(t.`sector`, "),
            (.duckDB, "(ord(t.\"sector\") <= 32 AND strlen(trim(t.\"sector\", "),
        ])
    func `H2: group statements for a text column trim only the texts that can be blank`(dialect: SQLDialect, condition: String) throws {
        let table = ServerTable(.table(["t"]), columns: [ServerColumn("sector", type: ServerType(named: "string", in: dialect))])
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .text)]
        let statement = try SQLQuery(query, of: table, in: dialect).groups(limit: 10).statement
        #expect(statement.text.contains(condition), "\(statement.text)")
    }

    @Test func `19.1: in statements about a table, its name is quoted or is a parameter`() {
        #expect(
            SQLDialect.sqlite.rowNumbersAtEnds(ofTable: "a\"; drop table x--", rowID: "_rowid_", count: 101).text == """
                SELECT count(*), min(r), max(r) FROM (SELECT _rowid_ AS r FROM "a""; drop table x--" ORDER BY _rowid_ LIMIT 101) UNION ALL \
                SELECT count(*), min(r), max(r) FROM (SELECT _rowid_ AS r FROM "a""; drop table x--" ORDER BY _rowid_ DESC LIMIT 101)
                """)
        let size = SQLDialect.duckDB.byteCount(ofTable: ["my schema", "a\"; drop table x--"])
        #expect(size.text.hasSuffix("FROM pragma_storage_info($1::text)"))
        #expect(size.parameters == [SQLParameter(.text("\"my schema\".\"a\"\"; drop table x--\""), type: "text")])
    }

    @Test func `H1: the statement of a page has the expected text in each dialect`() throws {
        let key = RowKey([.text("1.50"), .text("7")])
        #expect(
            try Self.page(.postgreSQL, .after(key, 100)).text == """
                SELECT CAST(t."id" AS text), CAST(t."price" AS text), CAST(t."id" AS text) FROM "my schema"."a""; drop table x--" AS t \
                WHERE (t."`x`" = $1::text) AND ((t."price", t."id") > ($2::numeric, $3::bigint)) ORDER BY t."price", t."id" LIMIT 100
                """)
        #expect(
            try Self.page(.sqlite, .before(RowKey([.double(1.5), .integer(7)]), 100)).text == """
                SELECT CAST(t."id" AS TEXT), t."price", t."id" FROM "my schema"."a""; drop table x--" AS t \
                WHERE (t."`x`" = ?1) AND ((t."price", t."id") < (?2, ?3)) ORDER BY t."price" DESC, t."id" DESC LIMIT 100
                """)
        #expect(
            try Self.page(.duckDB, .first(5)).text == """
                SELECT CAST(t."id" AS text), CAST(t."price" AS text), CAST(t."id" AS text) FROM "my schema"."a""; drop table x--" AS t \
                WHERE (t."`x`" = $1::text) ORDER BY t."price", t."id" LIMIT 5
                """)
        #expect(
            try Self.page(.spark, .after(key, 5)).text == """
                SELECT CAST(t.`id` AS string), CAST(t.`price` AS string), CAST(t.`id` AS string) \
                FROM `my schema`.`a"; drop table x--` AS t WHERE (t.```x``` = CAST(X'6f2778' AS string)) AND \
                ((t.`price` > CAST(CAST(X'312e3530' AS string) AS decimal(38, 10)) OR \
                (t.`price` = CAST(CAST(X'312e3530' AS string) AS decimal(38, 10)) AND (t.`id` > CAST(CAST(X'37' AS string) AS bigint))))) \
                ORDER BY t.`price`, t.`id` LIMIT 5
                """)
        #expect(
            try Self.page(.ansi, nullable: true, isDescending: true, .first(5)).text == """
                SELECT CAST(t."id" AS varchar(65535)), CAST(t."price" AS varchar(65535)), CAST(t."id" AS varchar(65535)) \
                FROM "my schema"."a""; drop table x--" AS t WHERE (t."`x`" = CAST(? AS varchar(65535))) \
                ORDER BY t."price" DESC NULLS LAST, t."id" FETCH FIRST 5 ROWS ONLY
                """)
    }

    @Test(
        arguments: [
            (
                SQLDialect.postgreSQL,
                """
                (NULLIF(NULLIF(NULLIF(CAST(t."price" AS double precision) / \
                NULLIF(CAST(CAST(t."id" AS numeric) AS double precision), 0), 'Infinity'), '-Infinity'), 'NaN'))
                """
            ),
            (.sqlite, #"(NULLIF(NULLIF(CAST(t."price" AS REAL) / NULLIF(CAST(t."id" AS REAL), 0), 9e999), -9e999))"#),
            (.duckDB, "/ NULLIF(CAST(CAST(t.\"id\" AS hugeint) AS double), 0), 'Infinity'), '-Infinity'), 'NaN'))"),
        ] as [(SQLDialect, String)])
    func `D7: a division by zero is NULL in each dialect, and empty locally`(dialect: SQLDialect, quotient: String) throws {
        func statement(_ filter: String) throws -> String {
            let table = Self.table(dialect)
            var query = Query()
            query.filters = [try Filter(filter, in: table.schema).formula]
            return try SQLQuery(query, of: table, in: dialect).page(.first(5), of: [FieldID(rawValue: 0)]).statement.text
        }
        #expect(try statement("price / id > 1").contains("\(quotient) > "))
        #expect(try statement("price / id != 1").contains("\(quotient) IS NULL)"))
    }

    @Test func `H1: a chain of derived fields is refused if each use doubles its SQL too often`() throws {
        let table = Self.table(.sqlite)
        func id(_ number: Int) -> FieldID { number == 0 ? FieldID(rawValue: 0) : FieldID(rawValue: FieldID.firstDerived.rawValue + number) }
        func chain(_ count: Int, uses: Int) -> Query {
            var query = Query()
            query.derived = (1...count).map { number in
                let formula = Formula.call(.concat, Array(repeating: .field(id(number - 1)), count: uses))
                return DerivedField(Field(id(number), name: "d\(number)", kind: .text), formula)
            }
            return query
        }
        let short = try SQLQuery(chain(8, uses: 2), of: table, in: .sqlite).page(.first(1)).statement.text
        #expect(short.utf8.count < 100_000)
        let reasons = ["The formula is too long for an SQL statement.", "A column that it uses cannot be computed."]
        for (count, uses) in [(40, 2), (3, 30_000)] {
            let refused = try #require(throws: SQLLimitations.self) { try SQLQuery(chain(count, uses: uses), of: table, in: .sqlite) }
            #expect(Set(refused.reasons.map(\.reason)) == Set(reasons))
        }
        var query = chain(8, uses: 2)
        query.filters = [.call(.equal, [.call(.concat, Array(repeating: .field(id(8)), count: 1_000)), .constant(.text("x"))])]
        let refused = try #require(throws: SQLLimitations.self) { try SQLQuery(query, of: table, in: .sqlite) }
        #expect(refused.reasons.map(\.reason) == [reasons[0]])
    }

    @Test func `a formula whose SQL doubles with each nested call is refused before the SQL is created`() throws {
        let id = FieldID(rawValue: 0)
        func nested(_ depth: Int) -> Formula {
            depth == 0 ? .field(id) : .call(.conditional, [.call(.isEmpty, [nested(depth - 1)]), .constant(.text("a")), .field(id)])
        }
        for dialect in [SQLDialect.sqlite, .postgreSQL, .duckDB, .spark] {
            let type = ServerType(named: dialect.family == .spark ? "string" : "text", in: dialect)
            let table = ServerTable(.table(["t"]), columns: [ServerColumn("name", type: type)])
            var (filtered, derived) = (Query(), Query())
            filtered.filters = [.call(.isEmpty, [nested(60)])]
            derived.derived = [DerivedField(Field(.firstDerived, name: "d", kind: .text), nested(60))]
            for query in [filtered, derived] {
                let refused = try #require(throws: SQLLimitations.self) { try SQLQuery(query, of: table, in: dialect) }
                #expect(refused.reasons.map(\.reason) == ["The formula is too long for an SQL statement."])
            }
            filtered.filters = [.call(.isEmpty, [nested(5)])]
            #expect(throws: Never.self) { try SQLQuery(filtered, of: table, in: dialect) }
        }
    }

    @Test func `typed columns of SQLite call a function only for the text of values of another type`() throws {
        let columns = [("name", "TEXT"), ("size", "INTEGER"), ("mix", "")].map {
            ServerColumn($0, type: ServerType(named: $1, in: .sqlite), isUniform: false)
        }
        let table = ServerTable(.table(["t"]), columns: columns, hasRowIDs: true)
        let texts = [
            "CASE WHEN typeof(t.\"name\") = 'text' THEN t.\"name\" ELSE gridview_value(t.\"name\", 'text') END",
            "CASE WHEN typeof(t.\"size\") = 'integer' THEN CAST(t.\"size\" AS TEXT) ELSE gridview_value(t.\"size\", 'text') END",
            "gridview_value(t.\"mix\", 'text')",
        ]
        for (column, text) in texts.enumerated() {
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: column), by: .text)]
            let statement = try SQLQuery(query, of: table, in: .sqlite).page(.first(10), of: [FieldID(rawValue: 0)]).statement.text
            #expect(statement.contains(text), "\(statement)")
        }
        let ranges = try SQLQuery(Query(), of: table, in: .sqlite).textRanges(of: [FieldID(rawValue: 0)]).text
        #expect(ranges.ranges(of: "gridview_value").count == 1, "\(ranges)")
    }

    @Test(
        arguments: [
            ("h in (1.5, 5)", "(FALSE OR t.\"h\" = $1::bigint)", ["5"]),
            ("h in (1.5, 5, 6)", "(t.\"h\" IN ($1::bigint, $2::bigint) OR FALSE)", ["5", "6"]), ("h != 1.5", "TRUE", []),
            ("h < -0.5", "t.\"h\" <= $1::bigint", ["-1"]), ("h >= 1.5", "t.\"h\" > $1::bigint", ["1"]),
            ("d <= -1.255", "t.\"d\" <= $1::decimal(3, 2)", ["-1.26"]), ("d > 0.004", "t.\"d\" > $1::decimal(1, 0)", ["0"]),
            ("d = 5.0", "t.\"d\" = $1::decimal(1, 0)", ["5"]), ("h = w", "t.\"h\" = CAST(t.\"w\" AS hugeint)", []),
        ])
    func `H1: DuckDB compares integers and decimals with literals that have the same number of decimals`(
        _ filter: String, _ condition: String, _ parameters: [String]
    ) throws {
        let types = [("h", "HUGEINT"), ("d", "DECIMAL(10,2)"), ("w", "DECIMAL(38,0)")]
        let columns = types.map { ServerColumn($0, type: ServerType(named: $1, in: .duckDB), isNullable: false) }
        let table = ServerTable(.table(["t"]), columns: columns, hasRowIDs: true)
        var query = Query()
        query.filters = [try Formula(filter, in: table.schema)]
        let statement = try SQLQuery(query, of: table, in: .duckDB).page(.first(5)).statement
        #expect(statement.text.contains(" WHERE (\(condition)) "), "\(statement.text)")
        #expect(statement.parameters.map(\.value) == parameters.map { .text($0) })
    }

    @Test func `H1: pages by nullable keys are unions of ranges`() throws {
        let statement = try Self.page(.postgreSQL, nullable: true, .after(RowKey([.text("1.50"), .text("7")]), 3))
        let list = #"CAST(t."id" AS text) AS c0, CAST(t."price" AS text) AS c1, CAST(t."id" AS text) AS c2"#
        let from = #"FROM "my schema"."a""; drop table x--" AS t WHERE (t."`x`" = $1::text)"#
        #expect(
            statement.text == """
                SELECT * FROM (SELECT \(list) \(from) AND ((t."price", t."id") > ($2::numeric, $3::bigint)) \
                ORDER BY t."price", t."id" LIMIT 3) AS p0 UNION ALL \
                SELECT * FROM (SELECT \(list) \(from) AND (t."price" IS NULL) ORDER BY t."price", t."id" LIMIT 3) AS p1 LIMIT 3
                """)
        #expect(statement.parameters.map(\.value) == [.text("o'x"), .text("1.50"), .text("7")])
        let last = try Self.page(.postgreSQL, nullable: true, .after(RowKey([.null, .text("7")]), 3))
        #expect(last.text.contains("(t.\"price\" IS NULL) AND (t.\"id\" > $2::bigint) ORDER BY t.\"price\", t.\"id\" LIMIT 3"))
        #expect(!last.text.contains("UNION") && !last.text.contains("OFFSET"))
        // The server's own order does not need NULLS LAST.
        var options = SQLOptions()
        options.serverSortBehavior = [.nulls, .ties, .nan]
        let down = try Self.page(.postgreSQL, nullable: true, isDescending: true, options: options, .first(3))
        #expect(down.text.contains("(t.\"price\" IS NULL) ORDER BY t.\"price\" DESC, t.\"id\" DESC LIMIT 3) AS p0 UNION ALL"))
        #expect(down.text.contains("ORDER BY t.\"price\" DESC, t.\"id\" DESC LIMIT 3) AS p1"))
    }

    @Test func `H1: PostgreSQL computes the cells of a page after the sort if there is no index`() throws {
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.decimal, .point))]
        var table = Self.table(.postgreSQL)
        table.indexes = []
        let keyed = try SQLQuery(query, of: table, in: .postgreSQL).page(.first(5), of: [FieldID(rawValue: 0)])
        #expect(
            keyed.statement.text == """
                SELECT CAST(t."id" AS text), CAST(t."price" AS text), CAST(t."id" AS text) FROM (SELECT t."id", t."price", t."`x`" \
                FROM "my schema"."a""; drop table x--" AS t ORDER BY t."price", t."id" LIMIT 5) AS t ORDER BY t."price", t."id"
                """)
        let all = try SQLQuery(query, of: table, in: .postgreSQL).page(.first(100_000), of: [FieldID(rawValue: 0)])
        #expect(!all.statement.text.contains("FROM (SELECT"), "many rows would be sorted twice")
        table.keys = []
        let addressed = try SQLQuery(query, of: table, in: .postgreSQL).page(.first(5), of: [FieldID(rawValue: 0)])
        #expect(addressed.statement.text.contains("FROM (SELECT t.\"id\", t.\"price\", t.\"`x`\", t.ctid FROM"))
        #expect(addressed.statement.text.hasSuffix("LIMIT 5) AS t ORDER BY t.\"price\", t.ctid"))
    }

    /// A query with a filter, sorted by a column with an index unless `isSorted` is false.
    private static func filtered(
        _ dialect: SQLDialect = .postgreSQL, isSorted: Bool = true, _ change: (inout ServerTable) -> Void = { _ in }
    ) throws -> SQLQuery {
        var (query, table) = (Query(), table(dialect, nullable: true))
        change(&table)
        query.filters = [.call(.equal, [.field(FieldID(rawValue: 2)), .constant(.text("o'x"))])]
        if isSorted { query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.decimal, .point))] }
        var compiled = try SQLQuery(query, of: table, in: dialect)
        compiled.filtersFirst = true
        return compiled
    }

    @Test func `H1: PostgreSQL filters all rows before it sorts the matching ones, if few rows match`() throws {
        let fields = [FieldID(rawValue: 0)]
        let first = try Self.filtered().page(.first(5), of: fields).statement
        #expect(
            first.text == """
                SELECT CAST(t."id" AS text), CAST(t."price" AS text), CAST(t."id" AS text) FROM (SELECT t."id", t."price", t."`x`" \
                FROM (SELECT t."id", t."price", t."`x`" FROM "my schema"."a""; drop table x--" AS t WHERE (t."`x`" = $1::text) OFFSET 0) \
                AS t ORDER BY t."price", t."id" LIMIT 5) AS t ORDER BY t."price", t."id"
                """)
        // One scan finds all rows after a given row, including those with NULL.
        let key = RowKey([.text("1.50"), .text("7")])
        let after = try Self.filtered().page(.after(key, 5), of: fields, skipping: 2).statement
        #expect(
            after.text.contains(
                """
                 WHERE (t."`x`" = $1::text) AND (((t."price", t."id") > ($2::numeric, $3::bigint) OR t."price" IS NULL)) OFFSET 0) AS t \
                ORDER BY t."price", t."id" LIMIT 5 OFFSET 2) AS t ORDER BY
                """), "\(after.text)")
        #expect(after.parameters.map(\.value) == [.text("o'x"), .text("1.50"), .text("7")])
        // A long page is sorted only once.
        let long = try Self.filtered().page(.last(100_000), of: fields).statement
        #expect(
            long.text == """
                SELECT CAST(t."id" AS text), CAST(t."price" AS text), CAST(t."id" AS text) FROM (SELECT t."id", t."price", t."`x`" \
                FROM "my schema"."a""; drop table x--" AS t WHERE (t."`x`" = $1::text) OFFSET 0) AS t \
                ORDER BY t."price" DESC, t."id" DESC LIMIT 100000
                """)
        let addressed = try Self.filtered { $0.keys = [] }.page(.first(5), of: fields).statement
        #expect(addressed.text.contains("t.ctid FROM (SELECT t.\"id\", t.\"price\", t.\"`x`\", t.ctid FROM \"my schema\""))
        let section = [GroupValue.value("o'x")]
        let match = Formula.call(.contains, [.field(FieldID(rawValue: 2)), .constant(.text("a"))])
        #expect(try Self.filtered().page(.first(1), matching: match).statement.text.contains("AND (t.\"`x`\" LIKE $2::text) OFFSET 0)"))
        // Filtering before sorting needs a condition, and an order that is read from an index.
        #expect(try Self.filtered().canFilterFirst() && Self.filtered(isSorted: false).canFilterFirst())
        #expect(try Self.filtered { $0.indexes = [] }.canFilterFirst(), "a view of a table with an index")
        #expect(try !Self.filtered { ($0.indexes, $0.blockCount) = ([], 8) }.canFilterFirst(), "the server sorts all rows anyway")
        #expect(try !Self.filtered(isSorted: false) { $0.keys = [] }.canFilterFirst(), "blocks")
        #expect(try !Self.filtered(isSorted: false) { ($0.keys, $0.hasRowIDs) = ([], false) }.canFilterFirst(), "no order")
        let all = try SQLQuery(Query(), of: Self.table(.postgreSQL), in: .postgreSQL)
        #expect(!all.canFilterFirst() && all.canFilterFirst(in: section) && all.canFilterFirst(matching: match))
        let others = [SQLDialect.sqlite, .duckDB, .spark, .ansi] + ["CockroachDB", "Citus", "Greenplum"].map { .postgreSQL(product: $0) }
        for dialect in others { #expect(try !Self.filtered(dialect).canFilterFirst(), "\(dialect.name)") }
    }

    @Test func `19.5: a search statement omits number columns that cannot match, and ignores case with lower()`() throws {
        func search(_ text: String, _ dialect: SQLDialect = .postgreSQL, isStored: Bool = true) throws -> String {
            var table = Self.table(dialect)
            table.blockCount = isStored ? 8 : nil
            let tests = (0..<3).map { Formula.call(.containsIgnoringCase, [.field(FieldID(rawValue: $0)), .constant(.text(text))]) }
            let query = try SQLQuery(Query(), of: table, in: dialect)
            let statement = try query.count(matching: .call(.or, tests)).text
            return String(statement[try #require(statement.firstRange(of: " WHERE ")).upperBound...])
        }
        let gold = try search("Gold")
        #expect(!gold.contains("price") && !gold.contains("\"id\"") && gold.contains("FALSE"), "\(gold)")
        #expect(gold.contains("pg_catalog.strpos(pg_catalog.lower((t.\"`x`\" COLLATE \"C\")), ") && !gold.contains("translate"), "\(gold)")
        let kilo = try search("kilo")
        let replaced = "pg_catalog.strpos(pg_catalog.lower(pg_catalog.replace((t.\"`x`\" COLLATE \"C\"), "
        #expect(kilo.contains(replaced), "the Kelvin sign is a K, too: \(kilo)")
        // A server of a foreign table cannot run a condition with a collation.
        #expect(try search("gold", isStored: false).contains("pg_catalog.strpos(pg_catalog.translate(t.\"`x`\", "))
        for text in ["nan", "1.5", "infinity", "12:00", "e+"] {
            let found = try search(text)
            #expect(found.contains("price") && found.contains("\"id\""), "\(found)")
        }
        #expect(try !search("1.5").contains("lower("), "the text has no letters")
        #expect(try search("gold", .sqlite).contains("price"), "a column of SQLite can have any values")
    }

    @Test func `19.8: functions in statements for PostgreSQL have the schema of the system`() throws {
        let sum = "lower(text), pg_catalog.sum(x) from f(1)"
        var (table, query) = (Self.table(.postgreSQL), Query())
        table.source = .statement("select \(sum)")
        table.columns[2].name = "count(x)"
        let (id, price, text) = (FieldID(rawValue: 0), FieldID(rawValue: 1), FieldID(rawValue: 2))
        query.filters = [
            .call(.containsIgnoringCase, [.field(text), .constant(.text("gold"))]),
            .call(.startsWithIgnoringCase, [.field(text), .constant(.text("g"))]),
            .call(.greater, [.call(.length, [.field(text)]), .call(.floor, [.field(price)])]),
        ]
        for fields in [[price, text], [id]] {
            let functions: [AggregateFunction] = fields.count > 1 ? [.distinct] : [.median, .standardDeviation, .mean]
            let statement = try SQLQuery(query, of: table, in: .postgreSQL).statistics(of: fields.map { ($0, functions) })
            #expect(statement.text.contains("FROM (select \(sum)\n) AS t") && statement.text.contains("t.\"count(x)\""))
            for sql in [statement.text, statement.readableText(in: .postgreSQL)] {
                let generated = sql.replacing(sum, with: "").replacing("\"count(x)\"", with: "")
                let functions = generated.matches(of: /([\w.]+)\(/).map { String($0.1) }
                let syntax: Set = ["CAST", "COALESCE", "NULLIF"]
                #expect(functions.allSatisfy { syntax.contains($0) || $0.hasPrefix("pg_catalog.") }, "\(functions)")
                let expected = ["strpos", "left", "length", "floor", fields.count > 1 ? "count" : "percentile_cont"]
                #expect(expected.allSatisfy { functions.contains("pg_catalog." + $0) }, "\(functions)")
            }
        }
        for dialect in [SQLDialect.sqlite, .duckDB, .spark] {
            let statement = try SQLQuery(Query(), of: Self.table(dialect), in: dialect).statistics(of: id, [.count])
            #expect(statement.text.contains("count(") && !statement.text.contains("pg_catalog"))
        }
    }

    @Test(
        arguments: [
            (["Limit", "Incremental Sort", "Index Scan"], true), (["Limit", "Index Only Scan"], true), (["Sort", "Seq Scan"], false),
            (["Limit", "Sort", "Index Scan"], false), (["Limit", "Foreign Scan"], false),
            (["Merge Append", "Index Scan", "Foreign Scan"], false), (["Seq Scan on \"Index Scan\""], false), ([], false),
        ])
    func `H1: the plan of a page shows if an index is read in the order of the rows`(nodes: [String], isExpected: Bool) {
        let plan = nodes.map { "{\n  \"Node Type\": \"\($0)\",\n" }.joined()
        #expect(SQLQuery.readsIndexInOrder(inPlan: plan) == isExpected)
    }

    @Test func `H1: pages of a table without keys are sorted by all columns`() throws {
        var table = Self.table(.spark)
        table.keys = []
        func text(_ dialect: SQLDialect) throws -> String {
            try SQLQuery(Query(), of: table, in: dialect).page(.first(5), of: [FieldID(rawValue: 0)]).statement.text
        }
        // The values are sorted first. The cells are computed for the rows of the page, and no keys are selected.
        let order = " ORDER BY t.`id`, t.`price`, t.```x```"
        #expect(
            try text(.spark) == """
                SELECT CAST(t.`id` AS string) FROM (SELECT t.`id`, t.`price`, t.```x``` FROM `my schema`.`a"; drop table x--` AS t\(order) \
                LIMIT 5) AS t\(order)
                """)
        let last = try SQLQuery(Query(), of: table, in: .spark).page(.last(5), of: [])
        #expect(last.statement.text.contains(" ORDER BY t.`id` DESC, t.`price` DESC, t.```x``` DESC LIMIT 5) AS t ") && last.isReversed)
        table.source = .statement("select 1 as id, row_number() over (order by a) as price, 'a' as `x`")
        #expect(try text(.spark).contains(" ORDER BY t.`id`"))
        table.source = .statement("select * from x ORDER\n  BY price")
        #expect(try !text(.spark).contains("t.`id`, t.`price`"), "the statement has an order")
        #expect(try !text(.ansi).contains("ORDER BY t."))
    }

    @Test func `H2: statistics that are not computed are NULL with a numeric type in every dialect`() throws {
        for dialect in [SQLDialect.postgreSQL, .sqlite, .duckDB, .spark, .ansi] {
            let fields = (0..<2).map { (FieldID(rawValue: $0), [AggregateFunction.count]) }
            let text = try SQLQuery(Query(), of: Self.table(dialect), in: dialect).statistics(of: fields, countsKinds: true).text
            let type = dialect.family == .sqlite ? "INTEGER" : "bigint"
            #expect(text.contains("CAST(NULL AS \(type))") && !text.contains(", NULL"), "\(text)")
        }
    }

    @Test func `H1: values in statements for engines without parameters are written as hexadecimal digits`() throws {
        func text(_ value: SQLValue, _ type: String) -> String { SQLDialect.spark.hexadecimalLiteral(SQLParameter(value, type: type)) }
        #expect(text(.text("a'\\\"`\u{0}é"), "string") == "CAST(X'61275c226000c3a9' AS string)")
        #expect(text(.text(""), "string") == "CAST(X'' AS string)" && text(.null, "string") == "CAST(NULL AS string)")
        #expect(text(.text("-1.5"), "decimal(38, 10)") == "CAST(CAST(X'2d312e35' AS string) AS decimal(38, 10))")
        #expect(text(.integer(.min), "bigint") == "CAST(-9223372036854775808 AS bigint)")
        #expect(text(.double(.nan), "double") == "CAST(CAST(X'6e616e' AS string) AS double)")
        #expect(text(.bytes([0, 255]), "binary") == "CAST(X'00ff' AS binary)")
        var random = SplitMix64(seed: 198)
        for value in RandomTable.texts + (0..<100).map({ _ in Self.randomText(&random) }) where !value.utf8.contains(0) {
            var query = Query()
            query.filters = [.call(.equal, [.field(FieldID(rawValue: 2)), .constant(.text(value))])]
            let statement = try SQLQuery(query, of: Self.table(.spark), in: .spark).count()
            #expect(statement.parameters.isEmpty)
            // Without the name of the table, the text has only the characters of the program.
            let rest = statement.text.replacing("`a\"; drop table x--`", with: "")
            #expect(rest.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789 .,=<>()_'`*".unicodeScalars.contains($0) })
            #expect(rest.unicodeScalars.allSatisfy(\.isASCII) && rest.count { $0 == "'" }.isMultiple(of: 2), "\(statement.text)")
        }
    }

    private static func randomText(_ random: inout SplitMix64) -> String {
        let scalars = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test func `H1: values never become part of the text of a statement, except as digits`() throws {
        var random = SplitMix64(seed: 197)
        var count = 0
        // These values cannot occur in a statement by chance.
        let marks = ["zq1'zq", "zq2\"zq", "zq3;zq", "zq4--zq", "zq5\\zq", "zq6%_zq", "zq7/*zq"]
        let numbers: [Int128] = [907_856_341_201, -778_899_665_544]
        for seed in 0..<60 as Range<UInt64> {
            for dialect in [SQLDialect.postgreSQL, .sqlite, .duckDB, .spark, .ansi] {
                var source =
                    dialect.family == .sqlite
                    ? RandomTable.sqlite(&random, named: "x") : RandomTable.postgres(&random, named: "x")
                source.table.estimatedRows = 10
                var queries = RandomQueries(
                    random: SplitMix64(seed: seed), schema: source.table.schema, values: source.columns.map { _ in marks })
                func marked(_ formula: Formula) -> Formula {
                    switch formula {
                    case .constant(.text): return .constant(.text(queries.pick(marks)))
                    case .constant(.number(let number)) where number.digits == 0 && number.mantissa > 20:
                        return .constant(.number(ExactDecimal(queries.pick(numbers))))
                    case .call(let function, let arguments) where function != .matches && function != .matchesIgnoringCase:
                        return .call(function, arguments.map(marked))
                    default: return formula
                    }
                }
                var query = queries.query()
                query.filters = query.filters.map(marked)
                query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .kind(.integer, .point))]
                guard let compiled = try? SQLQuery(query, of: source.table, in: dialect) else { continue }
                let key = RowKey((0..<compiled.keyCount).map { _ in compiled.usesBlocks ? .text("(0,1)") : .text(queries.pick(marks)) })
                var statements: [SQLStatement] = []
                let section: [GroupValue] = [.value("907856341201")]
                for request: PageRequest in [.first(3), .last(3), .after(key, 3), .before(key, 3)] {
                    if let page = try? compiled.page(request, in: section, matching: .call(.anyFieldContains, [.constant(.text("zq1'zq"))]))
                    {
                        statements.append(page.statement)
                    }
                }
                if let count = try? compiled.count(matching: .call(.anyFieldContains, [.constant(.text("zq3;zq"))])) {
                    statements.append(count)
                }
                if let groups = try? compiled.groups(limit: 10) { statements.append(groups.statement) }
                if let rank = try? compiled.rank(of: key) { statements.append(rank) }
                if let cell = try? compiled.cell(FieldID(rawValue: 0), of: key, from: 3, count: 5) { statements.append(cell) }
                for statement in statements {
                    count += 1
                    #expect(!statement.text.contains("zq") && !statement.text.contains("907856341201"), "\(statement.text)")
                    #expect(!statement.text.contains("778899665544") && !statement.text.contains("OFFSET"), "\(statement.text)")
                    // Quoted names are removed; the rest has neither comments nor several statements.
                    var rest = ""
                    var quote: Character?
                    for character in statement.text {
                        if let open = quote {
                            if character == open { quote = nil }
                        } else if character == "\"" || character == "`" || character == "'" {
                            quote = character
                        } else {
                            rest.append(character)
                        }
                    }
                    #expect(!rest.contains("drop") && !rest.contains("--") && !rest.contains(";") && quote == nil, "\(statement.text)")
                }
            }
        }
        #expect(count > 400)
    }

    @Test func `H1: queries that a server computes differently are refused with a reason`() throws {
        func reasons(_ dialect: SQLDialect, _ change: (inout Query) -> Void) -> [SQLLimitation] {
            var query = Query()
            change(&query)
            do {
                _ = try SQLQuery(query, of: Self.table(dialect, nullable: true), in: dialect)
                return []
            } catch {
                return error.reasons
            }
        }
        let text = Formula.field(FieldID(rawValue: 2))
        let natural = reasons(.postgreSQL) { $0.sort = [Query.SortKey(FieldID(rawValue: 2), by: .natural)] }
        #expect(natural == [SQLLimitation(.sort(0), "PostgreSQL does not support natural order. Sort “`x`” by bytes instead.")])
        let pattern = reasons(.ansi) { $0.filters = [.call(.matches, [text, .constant(.text("a"))])] }
        #expect(pattern.map(\.part) == [.filter(0)])
        let several = reasons(.postgreSQL) {
            $0.filters = [
                .call(.matches, [text, .constant(.text("\\bA"))]), .call(.equal, [.call(.upper, [text]), .constant(.text("A"))]),
                .call(.greater, [text, .constant(.number(ExactDecimal(3)))]), .call(.equal, [.field(FieldID(rawValue: 9)), text]),
            ]
            $0.aggregates = [Query.Aggregate(.first, of: FieldID(rawValue: 1), kind: .decimal)]
        }
        #expect(several.map(\.part) == [.filter(0), .filter(1), .filter(2), .filter(3), .aggregate(0)])
        #expect(several[0].reason == "The server may read “\\b” in this regular expression differently.")
        var deep = Formula.call(.isEmpty, [text])
        for _ in 0..<5_000 { deep = .call(.not, [deep]) }
        #expect(reasons(.postgreSQL) { $0.filters = [deep] }.map(\.part) == [.filter(0)])
        let view = ServerTable(.table(["v"]), columns: Self.table(.postgreSQL).columns)
        let compiled = try SQLQuery(Query(), of: view, in: .postgreSQL)
        #expect(!compiled.hasUniqueOrder)
        #expect(throws: SQLLimitations.self) { try compiled.page(.after(RowKey([]), 10)) }
        #expect(try compiled.page(.first(10)).statement.text.hasSuffix("FROM \"v\" AS t LIMIT 10"))
    }

    @Test func `H1: invalid keys, counts and blocks do not crash the program`() throws {
        var table = Self.table(.postgreSQL, nullable: true)
        let keyed = try SQLQuery(Query(), of: table, in: .postgreSQL)
        table.keys = []
        table.estimatedRows = -1e300
        table.blockCount = .max
        let blocks = try SQLQuery(Query(), of: table, in: .postgreSQL)
        table.blockCount = .min
        let few = try SQLQuery(Query(), of: table, in: .postgreSQL)
        let keys = ["", "(", "(9223372036854775807,1)", "(-1,1)", "(99999999999999999999,0)", "(4294967295,65535)", "(4294967294,1)"]
        var requests: [PageRequest] = [
            .first(.max), .first(.min), .last(.max), .blocks(.min ..< .max), .blocks(5..<5),
        ]
        for key in keys { requests += [.after(RowKey([.text(key)]), .max), .before(RowKey([.text(key)]), 1)] }
        requests += [.after(RowKey([]), 1), .before(RowKey([.null, .null, .null]), 1), .after(RowKey([.null]), 5)]
        for request in requests {
            for query in [keyed, blocks, few] { _ = try? query.page(request) }
        }
        #expect(try keyed.page(.first(.min)).statement.text.hasSuffix("LIMIT 0"))
        #expect(try blocks.page(.after(RowKey([.text("(4294967294,1)")]), 3)).blocks?.upperBound == 4_294_967_295)
        let page = try keyed.page(.first(1))
        #expect(page.rows([[], [.null], [.null, .text("a"), .null, .text("1"), .null]]).isEmpty)
        #expect(
            page.rows([[.text("1"), .null, .text(String(repeating: "é", count: 1_025)), .text("1")]]).map(\.isTruncated) == [
                [false, false, true]
            ])
        #expect(ServerType(named: "numeric(" + String(repeating: "9", count: 500), in: .postgreSQL).storage == .numeric(scale: nil))
        #expect(SQLQuery.estimatedRows(inPlan: "[{\"Plan\": {\"Plan Rows\": 123456, \"Plan Rows\": 9}}]") == 123_456)
        #expect(SQLQuery.estimatedRows(inPlan: "\"Plan Rows\": " + String(repeating: "9", count: 400)) == nil)
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.6: network addresses have the same text as on the server`() throws {
        let server = try PostgresServer.start()
        defer { server.stop() }
        let bridge = try server.connect()
        let values = ["10.0.0.1", "10.0.0.1/8", "::1", "fe80::1/64", "192.168.0.0/16"]
        try bridge.run("CREATE TABLE hosts (id integer PRIMARY KEY, i inet, c cidr, a inet[])")
        for (id, value) in values.enumerated() {
            try bridge.run("INSERT INTO hosts VALUES (\(id), '\(value)', network('\(value)'), '{\(value)}')")
        }
        let columns = [("id", "integer"), ("i", "inet"), ("c", "cidr"), ("a", "inet[]")]
        let table = ServerTable(
            .table(["hosts"]), columns: columns.map { ServerColumn($0, type: ServerType(named: $1, in: .postgreSQL)) },
            keys: [ServerKey(columns: [0], isPrimary: true)])
        let rows = try ContractTests.content(of: table, .postgreSQL, bridge).map { $0.cells.compactMap(ContractTests.text) }
        let printed = try server.psql("SELECT * FROM hosts ORDER BY id").split(separator: "\n")
        #expect(rows.map { $0.joined(separator: "|") } == printed.map(String.init) && rows.map { $0[1] } == values)
        // Filters compare the text that is shown.
        var query = Query()
        query.filters = [.call(.equal, [.field(FieldID(rawValue: 1)), .constant(.text("::1"))])]
        let page = try SQLQuery(query, of: table, in: .postgreSQL).page(.first(10))
        #expect(page.rows(try bridge.run(page.statement)).map { $0.cells[0] } == [.text("2")])
    }

    @Test(
        arguments: [
            ("bigint", ServerType.Storage.integer), ("INT64", .integer), ("uint32", .integer), ("uint64", .numeric(scale: 0)),
            ("float64", .double), ("utf8", .text), ("decimal(9, 2)", .numeric(scale: 2)), ("timestamp", .dateTime),
            ("timestamp(3)", .dateTime), ("timestamp(3) without time zone", .dateTime), ("timestamp(Europe/Berlin)", .zonedDateTime),
            ("timestamp(+01:00)", .zonedDateTime), ("TIMESTAMP_NS", .dateTime), ("list<int64>", .opaque),
        ])
    func `H1: types are recognized by their names in databases and in Arrow`(_ name: String, _ storage: ServerType.Storage) {
        #expect(ServerType(named: name, in: .duckDB).storage == storage)
    }

    @Test(
        arguments: [
            ("select * from t order by a", true), ("SELECT * FROM (select 1 a)ORDER\n BY a DESC", true), ("select * from t", false),
            ("select row_number() over (partition by b order by a) from t", false), ("select 'order by' from t -- order by a", false),
            ("select `order by`, \"order by\" /* order\nby */ from reorder byte", false), ("select ')' from (t) order by a", true),
        ])
    func `H1: a statement has a sorted result only if ORDER BY is outside of parentheses, quotes and comments`(
        _ statement: String, _ isSorted: Bool
    ) { #expect(SQLDialect.sortsResult(statement) == isSorted) }
}
