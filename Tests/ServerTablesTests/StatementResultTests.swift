import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Results of statements, and the statements of views")
struct StatementResultTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `19.1: the result of a statement is a table`() throws {
        let data = ServerData(count: 600, seed: 1)
        let path = try sqlite(data)
        var opener = opener()
        opener.statement = "select symbol, count(*) as n from trades group by symbol order by 1; -- all"
        let result = try opener.open(path: path)
        try result.readAll(threads: 1) { _ in true }
        #expect(result.snapshot().recordCount == 6 && (0..<2).map(result.title) == ["symbol", "n"])
        opener.statement = "select id from trades where symbol regexp '^(Gold|Silver)$'"
        let matching = try opener.open(path: path)
        try matching.readAll(threads: 1) { _ in true }
        #expect(matching.snapshot().recordCount == data.rows.count { ["Gold", "Silver"].contains($0[1]) })
        opener.statement = "explain select * from trades"
        #expect(throws: ServerError.self) { try opener.open(path: path) }
        opener.statement = "delete from trades"
        #expect(throws: ServerError.self) { try opener.open(path: path) }
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: declared types show if times have a zone, so no statement reads values`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE times (id int PRIMARY KEY, a timestamptz, b timestamp, c text); \
            INSERT INTO times VALUES (1, NULL, '2024-01-31 12:00', '2024-01-31T12:00:00Z')
            """)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=times")
        let schema = Schema((0..<4).map { Field(FieldID(rawValue: $0), name: source.title(ofColumn: $0), kind: .dateTime) })
        let table = DerivedTable(source.snapshot(), CompiledDerivedFields([], schema: schema))
        func hasZone(_ column: Int) throws -> Bool {
            try table.hasTimeZone(FieldID(rawValue: column), .dateTime, .iso, JobControl())
        }
        #expect(try hasZone(3), "the first time of a text column has a zone")
        server.stop()
        #expect(try hasZone(1) && !hasZone(2))
        #expect(throws: ServerError.self) { try hasZone(3) }
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: aggregates and formulas leave out infinite dates and other dates that gridview cannot read`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE days (id int PRIMARY KEY, d date, ts timestamp, tz timestamptz, tm time);
            INSERT INTO days VALUES (1, '2024-01-31', '2024-01-31 12:00', '2024-01-31 12:00Z', '12:00'),
                (2, 'infinity', '-infinity', 'infinity', '24:00'), (3, '0044-03-15 BC', '10000-01-01', NULL, NULL)
            """)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=days")
        let statistics = try engine.statistics(
            of: Array(source.table.schema.fields.dropFirst()), in: source.snapshot(), rows: nil, exactLimit: 1 << 10, topCount: 0,
            details: [], control: JobControl())
        #expect(statistics.map(\.unreadableCount) == [2, 2, 1, 1] && statistics.map(\.valueCount) == [1, 1, 1, 1])
        #expect(statistics.map(\.missingCount) == [0, 0, 1, 1])
        #expect(statistics.allSatisfy { $0.minimum != .none && $0.minimum == $0.maximum && $0.minimum == $0.mean })
        for filter in ["days(d, ts) = 0", "year(d) > 0", "second(ts) = 0", "hour(tz) >= 0", "hour(tm) > 0"] {
            var query = Query()
            query.filters = [try Filter(filter, in: source.table.schema).formula]
            let statement = try CompiledQuery(query, of: source.table, in: source.dialect).cutCellsQuery.count()
            #expect(try source.database.fetchNumber(statement) == 1, "\(filter)")
        }
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .kind(.integer, .point))]
        query.aggregates = [(AggregateFunction.max, 1), (.count, 3), (.min, 1), (.max, 4)].map { function, column in
            Query.Aggregate(function, of: FieldID(rawValue: column), kind: source.table.schema.fields[column].kind)
        }
        let groups = try engine.rows(
            of: source.snapshot(), schema: source.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
            report: nil
        ).groups
        #expect(groups?.leftOutValues == [(1, 2), (4, 1)].map { LeftOutValues(field: FieldID(rawValue: $0), count: $1) })
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.2: the bytes of a long bytea cell are cut before PostgreSQL converts them to digits`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE blobs (id int PRIMARY KEY, b bytea); \
            INSERT INTO blobs SELECT n, decode(repeat('ab', n), 'hex') FROM unnest('{0,511,512,2000}'::int[]) AS n; \
            INSERT INTO blobs VALUES (9000, NULL)
            """)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=blobs")
        #expect(try source.base.query.page(.first(1), of: [FieldID(rawValue: 1)]).statement.text.contains("substr(t.\"b\", 1, 513)"))
        let cells = try source.snapshot().records(0..<5, maximumFieldBytes: 4_096).map { $0[1] }
        #expect(cells.map { $0?.text.utf8.count } == [2, 1_024, 1_024, 1_024, nil])
        #expect(cells.map { $0?.isTruncated } == [false, false, true, true, nil])
        var lengths: [Int] = []
        try source.snapshot().scan(0..<5, columns: [1]) { _, fields in
            lengths.append(fields[0].isMissing ? 0 : fields[0].bytes.count)
            return true
        }
        #expect(lengths == [2, 1_024, 1_026, 4_002, 0])
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: aggregates are computed even if the squares or the sum of the numbers are too large`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE TABLE large AS SELECT x FROM (VALUES (1e200::float8), (-3e200), (5)) AS v(x)")
        try server.psql(
            """
            CREATE TABLE huge AS SELECT 'a' AS g, x FROM large UNION ALL SELECT 'b', 1.7e308 FROM generate_series(1, 2); \
            ALTER TABLE huge ADD id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY
            """)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=large")
        let statistics = try engine.statistics(
            of: source.table.schema.fields, in: source.snapshot(), rows: nil, exactLimit: 1 << 10, topCount: 0, details: [],
            control: JobControl())
        #expect(statistics[0].valueCount == 3 && statistics[0].standardDeviation == 2.081665999466133e200)
        #expect(statistics[0].mean == .decimal(-6.666666666666667e199) && statistics[0].sum == .decimal(-2e200))
        #expect(statistics[0].minimum == .decimal(-3e200) && statistics[0].maximum == .decimal(1e200))

        let groups = try self.source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=huge")
        let fields = groups.table.schema.fields
        var query = Query()
        query.groups = [Query.GroupKey(fields[0].id, by: .text)]
        query.aggregates = [.max, .sum, .mean, .standardDeviation].map { Query.Aggregate($0, of: fields[1].id, kind: .decimal) }
        let result = try engine.rows(
            of: groups.snapshot(), schema: groups.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
            report: nil)
        #expect(
            result.groups?.values == [
                .decimal(1e200), .decimal(-2e200), .decimal(-6.666666666666667e199), .decimal(2.081665999466133e200),
                .decimal(1.7e308), .decimal(.infinity), .decimal(1.7e308), .integer(0),
            ])
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.2: values of JSON columns are read as JSON, but values of text columns are not`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE notes (id int PRIMARY KEY, a json, b jsonb, c text); \
            INSERT INTO notes VALUES (1, '{"x": [1, "é"]}', '"s"', '[1]'), \
            (2, NULL, 'null', '{}')
            """)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=notes")
        let table = source.snapshot()
        #expect(table.hasNestedValues)
        var found: [[String?]] = []
        let nested = (0..<4).map { FieldID.firstNestedColumn + $0 }
        try table.scan(0..<2, columns: [0, 1, 2, 3] + nested) { _, fields in
            found.append(fields.suffix(4).map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        #expect(found == [[nil, "{\"x\": [1, \"é\"]}", "\"s\"", nil], [nil, nil, "null", nil]])
        var opener = opener()
        opener.statement = "select b, c, jsonb_build_array(id) as d from notes order by id"
        let result = try opener.open(path: "postgres://postgres@127.0.0.1:\(server.port)/postgres").snapshot()
        found = []
        try result.scan(0..<2, columns: Array(nested[..<3])) { _, fields in
            found.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        #expect(found == [["\"s\"", nil, "[1]"], ["null", nil, "[2]"]], "\(found)")
        #expect(result.hasNestedValues)
        try server.psql("CREATE TABLE plain (a text)")
        #expect(try !self.source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=plain").snapshot().hasNestedValues)
    }

    @Test func `19.5: statistics of text have the lengths, and the first and last text in byte order`() throws {
        let source = try source(try sqlite(ServerData(count: 600, seed: 1)) + "?table=trades")
        let statistics = try engine.statistics(
            of: [ServerData.schema.fields[0], ServerData.schema.fields[1]], in: source.snapshot(), rows: nil, exactLimit: 1 << 10,
            topCount: 0, details: [], control: JobControl())
        #expect(statistics[0].textRange == nil)
        #expect(statistics[1].textRange == .init(first: "Corn", last: "a\tb\nc", lengths: 4...6))
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.5: the range of a text column ignores the collation and empty cells`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            "CREATE TABLE names AS SELECT n COLLATE \"und-x-icu\" AS n FROM (VALUES ('b'), ('Éa'), ('Z'), (''), (' '), (NULL)) AS v(n)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=names")
        let field = Field(FieldID(rawValue: 0), name: "n", kind: .text)
        let statistics = try engine.statistics(
            of: [field], in: source.snapshot(), rows: nil, exactLimit: 1 << 10, topCount: 0, details: [], control: JobControl())
        #expect(statistics[0].textRange == .init(first: "Z", last: "Éa", lengths: 1...2))
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: text is sorted by bytes if the database has the locale C and a collation of ICU`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        guard let version = Int(try server.psql("SHOW server_version_num").prefix { $0.isNumber }), version >= 150_000 else { return }
        try server.psql("CREATE DATABASE german TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C'")
        try server.psql(
            "CREATE TABLE names (n text PRIMARY KEY); INSERT INTO names VALUES ('b'), ('ä'), ('Z'), ('A'), ('c')", database: "german")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/german?table=names")
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 0), by: .text)]
        let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: 5)
        #expect(try order.rows(0..<5) { false }.map(\.cells) == ["A", "Z", "b", "c", "ä"].map { [.text($0)] })
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.1: a database without an encoding is read, with a warning`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
        try server.psql(
            """
            CREATE TABLE names AS SELECT convert_from('\\xe9'::bytea || convert_to(lpad(i::text, 4, '0'), 'SQL_ASCII'), 'SQL_ASCII') AS s, i
            FROM generate_series(0, 599) AS g(i);
            ALTER TABLE names ADD PRIMARY KEY (s)
            """, database: "bytes")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/bytes?table=names")
        let records = try source.snapshot().records(256..<600, maximumFieldBytes: 100)
        #expect(records.map { $0[1]?.text } == (256..<600).map { "\($0)" })
        var bytes: [UInt8] = []
        try source.snapshot().scan(599..<600, columns: [0]) { _, fields in
            bytes = Array(fields[0].bytes)
            return true
        }
        #expect(bytes == [0xE9] + Array("0599".utf8), "output keeps the bytes")
        #expect(source.problems.contains { $0.hasPrefix("The database has no encoding (SQL_ASCII)") })

        // The server counts bytes, so 1,024 of them are the beginning of a cell.
        try server.psql("CREATE TABLE long AS SELECT repeat(convert_from('\\xc3a9'::bytea, 'SQL_ASCII'), 600) AS s", database: "bytes")
        let long = try self.source("postgres://postgres@127.0.0.1:\(server.port)/bytes?table=long").snapshot()
        let record = try #require(try long.records(0..<1, maximumFieldBytes: 4_096).first)
        #expect(record[0]?.text == String(repeating: "é", count: 512) && record[0]?.isTruncated == true)
        #expect(try long.lazyRecord(record, number: 0).field(0)?.byteRange.count == 1_200)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: in a database without an encoding, dots and negated brackets match whole characters`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
        try server.psql(
            """
            CREATE TABLE names (id serial PRIMARY KEY, s text);
            INSERT INTO names (s) VALUES ('ab'), ('äb'), ('日b'), ('😀b'), ('xäb'), (E'\\nb'), (E'\\xE4b')
            """, database: "bytes")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/bytes?table=names")
        func matches(_ pattern: String) throws -> [String?] {
            var query = Query()
            query.filters = [try Filter("s ~ '\(pattern)'", in: source.table.schema).formula]
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: nil)
            return try order.rows(0..<10) { false }.map { Record($0)[1]?.text }
        }
        #expect(try matches("^.b$") == ["ab", "äb", "日b", "😀b"])
        #expect(try matches("^.{2}b$") == ["xäb"])
        #expect(try matches("^[^x]b$") == ["ab", "äb", "日b", "😀b", "\nb"])
        #expect(throws: ServerError.self, "letters that are not ASCII in brackets") { try matches("^[^äx]b$") }
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: searches that ignore case run in a database with the encoding LATIN1`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
        try server.psql(
            "CREATE TABLE names AS SELECT chr(233) || t AS s FROM (VALUES ('Ski'), ('kiss'), ('x' || chr(223) || chr(197))) AS v(t)",
            database: "latin")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/latin?table=names")
        func count(_ filter: String) throws -> Int {
            var query = Query()
            query.filters = [try Filter(filter, in: source.table.schema).formula]
            return try source.database.fetchNumber(CompiledQuery(query, of: source.table, in: source.dialect).cutCellsQuery.count())
        }
        // The long s and the Kelvin sign, which the encoding does not have, are case variants of s and k.
        #expect(try count("s contains* 'sk'") == 1 && count("s ~* 'K'") == 2 && count("s contains* 'ÉK'") == 1)
        // So are the capital sharp s and the Ångström sign.
        #expect(try count("s contains* 'xß'") == 1 && count("s contains* 'å'") == 1 && count("s ~* '[ß][å]'") == 1)
        let error = #expect(throws: ServerError.self) { try count("s contains '日'") }
        #expect(error?.message.contains("The database cannot store this character.") == true)

        // Some servers store bytes that are not characters of their encoding.
        try server.psql("CREATE DATABASE west TEMPLATE template0 ENCODING 'WIN1252' LOCALE 'C'")
        try server.psql("CREATE TABLE names AS SELECT chr(129) AS s", database: "west")
        let unreadable = #expect(throws: ServerError.self) {
            try self.source("postgres://postgres@127.0.0.1:\(server.port)/west?table=names")
        }
        #expect(unreadable?.message.contains("convert_to(column, 'WIN1252')") == true, "\(unreadable?.message ?? "")")
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.5: quantiles of decimals have no floating-point rounding errors`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE prices AS SELECT i * 1.37 AS price, i / 7::float8 AS score, i * 1e-30::numeric AS tiny
            FROM generate_series(1, 1000) i
            """)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=prices")
        let fields = (0..<3).map { Field(FieldID(rawValue: $0), name: "", kind: .decimal) }
        let statistics = try engine.statistics(
            of: fields, in: source.snapshot(), rows: nil, exactLimit: 1 << 10, topCount: 0, details: .quantiles, control: JobControl())
        #expect(statistics[0].quantiles == [69.8015, 343.5275, 685.685, 1027.8425, 1301.5685].map { .decimal($0) })
        #expect(statistics[1].quantiles.first == .decimal(7.2785714285714285), "all digits of a floating-point number")
        let tiny = try #require(statistics[2].quantiles.dropFirst(2).first)
        guard case .decimal(let median) = tiny, (median / 5.005e-28 - 1).magnitude < 1e-12 else {
            Issue.record("small numbers keep their digits: \(tiny)")
            return
        }
    }

    @Test(
        arguments: [
            (ServerType.Storage.numeric(scale: 2), "949.9904999999982", 949.9905), (.integer, "95000.04999999999", 95_000.05),
            (.numeric(scale: 2), "123456789012.12346", 123_456_789_012.123), (.numeric(scale: nil), "343.52750000000003", 343.5275),
            (.numeric(scale: -2), "1234.9999999", 1_235), (.double, "949.9904999999982", 949.9904999999982),
        ])
    func `19.5: quantiles of decimals are rounded to two more decimals than their column has`(
        storage: ServerType.Storage, text: String, rounded: Double
    ) {
        let type = ServerType(name: "", storage: storage)
        let table = ServerTable(.table(["t"]), columns: [ServerColumn("c", type: type)])
        let aggregate = Query.Aggregate(.p95, of: FieldID(rawValue: 0), kind: .decimal)
        #expect(AggregateValue(.text(text), of: aggregate, in: table) == .decimal(rounded))
    }

    /// Checks a statement whose columns have equal names.
    private func checkEqualNames(_ path: String, titles: [String], kind: ValueKind, filter: String) throws {
        var opener = opener()
        opener.statement =
            "select i as id, i * 10 as id, -i as \"id 2\", i + 100 as \"ID\" from (select 1 as i union all select 2) as n -- all"
        let result = try #require(try opener.open(path: path) as? ServerTableSource)
        try result.readAll(threads: 1) { _ in true }
        #expect((0..<4).map(result.title) == titles)
        let rows = texts(try result.snapshot().records(0..<2, maximumFieldBytes: 100), 4)
        #expect(rows.sorted { $0[0]! < $1[0]! } == [["1", "10", "-1", "101"], ["2", "20", "-2", "102"]])
        let schema = Schema(titles.enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: kind) })
        var query = Query()
        query.filters = [try Filter(filter, in: schema).formula]
        let found = try engine.rows(
            of: result.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        #expect(found.rows?.count == 1)
    }

    @Test func `19.1: columns with equal names get distinct names in SQLite`() throws {
        try checkEqualNames(
            try sqlite(ServerData(count: 1, seed: 1)), titles: ["id", "id 3", "id 2", "ID 4"], kind: .text,
            filter: "#2 = '20' and #4 = '102'")
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.1: columns with equal names get distinct names in PostgreSQL`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try checkEqualNames(
            "postgres://postgres@127.0.0.1:\(server.port)/postgres", titles: ["id", "id 3", "id 2", "ID"], kind: .integer,
            filter: "#2 > 10 and #4 = 102")
    }

    /// Checks the statements of filtered and grouped views.
    /// - Parameter run: runs a statement with another program, and returns one line for each row.
    private func checkStatements(_ source: ServerTableSource, plan: [String], _ run: (String) throws -> [String]) throws {
        var query = Query()
        query.filters = [try Filter("symbol = \"It's\"", in: ServerData.schema).formula]
        query.sort = [Query.SortKey(FieldID(rawValue: 2), by: .kind(.decimal, .point), isDescending: true)]
        let result = try engine.rows(
            of: source.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        let rows = try #require(result.rows)
        let statements = try source.statements(ofViewWithRow: rows[0], withPlans: true) { false }
        #expect(statements.map(\.title) == ["Rows", "Number of rows"])
        // PostgreSQL returns up to 2,048 matching rows for one scan.
        let pageRows = source.pages.statementRows(of: source.latestOrder)
        #expect(try run(statements[0].text).count == min(pageRows, rows.count) && run(statements[1].text) == ["\(rows.count)"])
        #expect(statements[0].text.contains("WHERE "), "\(statements[0].text)")
        #expect(statements[0].text.contains("'It''s'"), "\(statements[0].text)")
        #expect(plan.contains { word in statements[0].plan.contains { $0.contains(word) } }, "\(statements[0].plan)")
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        let groups = try engine.rows(
            of: source.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        let grouped = try source.statements(ofViewWithRow: try #require(groups.rows)[0], withPlans: false) { false }
        #expect(grouped.map(\.title) == ["Sections", "Rows of a section"] && grouped.allSatisfy(\.plan.isEmpty))
        #expect(try run(grouped[0].text).count == 1)
        #expect(try source.statements(ofViewWithRow: nil, withPlans: false) { false } == grouped, "the latest view")
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: the SQL that is shown for a view runs in other database tools, and its query plan is shown`() throws {
        let path = try sqlite(ServerData(count: 3_000, seed: 4))
        try checkStatements(try source(path + "?table=trades"), plan: ["SCAN", "SEARCH"]) { text in
            let script = "import sqlite3, sys; [print(r[0]) for r in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]"
            return try programOutput("/usr/bin/env", ["python3", "-c", script, String(path.dropFirst(7)), text]).split(separator: "\n")
                .map(String.init)
        }
        let server = try PostgresServer()
        defer { server.stop() }
        let data = ServerData(count: 3_000, seed: 5, isSQLite: false)
        try data.write(to: server, folder: folder)
        try checkStatements(try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades"), plan: ["Scan"]) { text in
            try server.psql(text).split(separator: "\n").map(String.init)
        }
    }

    @Test func `19.5: the statement for a distant page has the key of the row before it`() throws {
        let source = try source(try sqlite(ServerData(count: 45_000, seed: 19)) + "?table=trades")
        func statements() throws -> [ViewStatement] { try source.statements(ofViewWithRow: 35_000, withPlans: false) { false } }
        #expect(try statements().map(\.title) == ["Key of the row before the page", "Number of rows"])
        let start = 35_000 / 256 * 256
        _ = try source.base.rows(start..<start + 256) { false }
        let found = try statements()
        #expect(found.map(\.title) == ["Rows", "Number of rows"])
        #expect(found[0].text.contains("> \(start)") && !found[0].text.contains("OFFSET"), "\(found[0].text)")
    }
}
