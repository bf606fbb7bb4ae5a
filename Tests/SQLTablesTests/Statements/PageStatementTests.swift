import DataGridQuery
import FieldValues
import SQLTables
import Tables
import Testing

/// The statements for the rows of a page.
@Suite("SQL of pages")
struct PageStatementTests: StatementSuite {
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
}
