import EngineClient
import EngineProtocol
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Paths and passwords of servers")
struct ServerOpeningTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        arguments: [("require", true), ("verify-ca", true), ("verify-full", false)])
    func `19.8: the file details suggest verifying the server of an encrypted connection`(mode: String, isAdvised: Bool) {
        var info = ServerInfo(product: "PostgreSQL", version: "15", properties: ["encryption": "TLSv1.3", "sslmode": mode])
        #expect(info.encryptionDetail == (isAdvised ? "TLSv1.3; sslmode=verify-full also verifies the server" : "TLSv1.3"))
        info.properties["encryption"] = ""
        #expect(info.encryptionDetail == nil)
    }

    @Test func `19.1: a database opens as a list of its tables, even if they have unusual names`() throws {
        let path = try sqlite(ServerData(count: 10, seed: 1))
        let opener = opener()
        let list = try opener.open(path: path)
        #expect(texts(try list.snapshot().records(0..<2, maximumFieldBytes: 100), 3).map { $0[1] } == ["trades", "quoted \"name\".x"])
        let quoted = try opener.open(path: try #require(list.path(ofTableInRecord: 1)))
        #expect(quoted.name == "quoted \"name\".x" && quoted.snapshot().recordCount == 1)
        #expect(throws: ServerError.self) { try opener.open(path: path + "?table=none") }
    }

    @Test func `19.1: the list of SQLite tables has their kinds, estimated row counts and sizes, in the order of the file`() throws {
        let path = folder.path(of: "list.db")
        let script = """
            CREATE TABLE z (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX zv ON z (v); CREATE TABLE few (a); CREATE VIEW v AS SELECT * FROM z;
            WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999) INSERT INTO z SELECT i, 'text ' || i FROM n;
            INSERT INTO few VALUES (1), (2); CREATE TABLE sparse (id INTEGER PRIMARY KEY); INSERT INTO sparse SELECT id * 10 FROM z;
            CREATE TABLE unknown (id INTEGER PRIMARY KEY); INSERT INTO unknown SELECT id * 10 FROM z;
            CREATE TABLE names (rowid TEXT); INSERT INTO names SELECT v FROM z; CREATE TABLE w (k TEXT PRIMARY KEY) WITHOUT ROWID;
            INSERT INTO w SELECT v FROM z LIMIT 5; CREATE VIEW broken AS SELECT * FROM missing; CREATE VIRTUAL TABLE f USING rtree (id, a, b);
            CREATE TABLE far (id INTEGER PRIMARY KEY); INSERT INTO far SELECT id FROM z WHERE id < 300;
            INSERT INTO far SELECT id + 1000000000000 FROM far; CREATE TABLE gap (id INTEGER PRIMARY KEY);
            INSERT INTO gap SELECT id FROM z WHERE id < 300; INSERT INTO gap SELECT id + 2000 FROM gap;
            ANALYZE sparse; ANALYZE w; ANALYZE gap;
            """
        let run = """
            import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()
            try: print(*[':'.join(map(str, r)) for r in c.execute('select s.tbl_name, sum(d.pgsize) from dbstat d join sqlite_schema s '
                'using (name) group by 1')], sep=';')
            except sqlite3.Error: pass
            """
        let pages = try programOutput("/usr/bin/env", ["python3", "-c", run, path, script])
        let pairs = pages.split(whereSeparator: { $0 == ";" || $0 == "\n" }).map { $0.split(separator: ":").map(String.init) }
        let sizes = Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
        let table = try opener().open(path: "sqlite:" + path).snapshot()
        let rows = texts(try table.records(0..<table.recordCount, maximumFieldBytes: 100), 6)
        #expect(
            rows.map { Array($0[1...3]) } == [
                ["z", "table", "20000"], ["few", "table", "2"], ["v", "view", nil],
                // The row numbers do not tell the number of rows, but `ANALYZE` has counted them.
                ["sparse", "table", "20000"], ["unknown", "table", nil], ["names", "table", "20000"], ["w", "table", "5"],
                ["broken", "view", nil], ["f", "virtual", nil],
                // Their row numbers are dense at both ends only. The file is too small for the numbers of the first table.
                ["far", "table", nil], ["gap", "table", "600"],
            ])
        #expect(try source("sqlite:\(path)?table=far").estimatedRecordCount == nil)
        // The libraries of this computer can lack the table of sizes.
        if !sizes.isEmpty, rows.contains(where: { $0[4] != nil }) {
            #expect(rows.map { $0[4] } == rows.map { $0[2] == "table" ? sizes[$0[1] ?? ""] : nil })
            // The plan scans all pages only once, not for each table.
            let database = try source("sqlite:\(path)?table=few").database
            let plan = try database.rows(SQLStatement(text: "EXPLAIN QUERY PLAN " + CatalogStatistics.pageSizes.text))
            #expect(plan.count == 1, "\(plan)")
        }
    }

    @Test func `H2: the kinds, sizes, row counts and comments in the list of Spark tables come from their descriptions`() {
        let table = SparkTableDescription(
            """
            Database: shop
            Table: trades
            Type: MANAGED
            Provider: PARQUET
            Comment: all trades
            Type: VIEW is a line of this comment
            Statistics: 1063 bytes, 10 rows
            Location: spark-warehouse/trades
            Schema: root
             |-- Statistics: 5 bytes: bigint (nullable = true)
            """)
        #expect(table.kind == "table" && table.comment == "all trades\nType: VIEW is a line of this comment")
        #expect(table.byteCount == "1063" && table.rowCount == "10")
        let unknown = SparkTableDescription("Type: VIEW\nView Text: select 1\nStatistics: 7 bytes\nSchema: root\nComment: no")
        #expect(unknown.kind == "view" && unknown.comment == nil && unknown.byteCount == "7" && unknown.rowCount == nil)
        #expect(SparkTableDescription("Type: TEMPORARY\n").kind == "temporary view")
        #expect(SparkTableDescription("").kind == "table")
    }

    @Test(
        arguments: [
            "Storage Properties: [url=jdbc:postgresql://host/db, user=me]", "InputFormat: org.apache.hadoop.mapred.TextInputFormat",
            "OutputFormat: org.apache.hadoop.mapred.TextOutputFormat", "Compressed", "Partition Provider: Catalog",
            "View Schema Mode: BINDING",
            "View Catalog and Namespace: spark_catalog.default", "View Query Output Columns: [id]", "Owner: me",
            "Is_managed_location: true",
        ])
    func `H2: the comment of a table of Spark ends before each property that can follow it`(property: String) {
        let table = SparkTableDescription("Table: t\nProvider: jdbc\nComment: line 1\nProvider: line 2\n\(property)\nSchema: root")
        #expect(table.comment == "line 1\nProvider: line 2")
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.1: the list of tables has their kinds, estimated row counts, sizes and comments`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE counted AS SELECT i AS id FROM generate_series(1, 5000) i; ALTER TABLE counted ADD PRIMARY KEY (id);
            COMMENT ON TABLE counted IS 'it''s counted'; CREATE TABLE new (id int); CREATE TABLE parts (id int) PARTITION BY HASH (id);
            CREATE TABLE part PARTITION OF parts FOR VALUES WITH (MODULUS 1, REMAINDER 0); INSERT INTO parts SELECT generate_series(1, 100);
            CREATE VIEW seen AS SELECT * FROM counted; COMMENT ON VIEW seen IS 'a view';
            CREATE MATERIALIZED VIEW stored AS SELECT * FROM counted WHERE id <= 10; ANALYZE counted; ANALYZE parts; ANALYZE stored
            """)
        func size(_ name: String) throws -> String { try server.psql("SELECT pg_total_relation_size('\(name)')") }
        let list = try opener().open(path: "postgres://postgres@127.0.0.1:\(server.port)/postgres")
        #expect((0..<6).map(list.title) == ["schema", "table", "kind", "estimated rows", "size in bytes", "comment"])
        let table = list.snapshot()
        let expected: [[String?]] = [
            ["public", "counted", "table", "5000", try size("counted"), "it's counted"],
            ["public", "new", "table", nil, try size("new"), nil], ["public", "parts", "partitioned table", "100", nil, nil],
            ["public", "seen", "view", nil, nil, "a view"], ["public", "stored", "materialized view", "10", try size("stored"), nil],
        ]
        #expect(texts(try table.records(0..<table.recordCount, maximumFieldBytes: 100), 6) == expected)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.1: a PostgreSQL column whose type is a domain has the base type of the domain, even of a nested domain`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE DOMAIN price AS numeric(10, 2); CREATE DOMAIN fee AS price; CREATE DOMAIN discount AS fee;
            CREATE TABLE t (id int PRIMARY KEY, a price, b fee, c discount, d text); INSERT INTO t VALUES (1, 5, 30, 7, 'x')
            """)
        let url = "postgres://postgres@127.0.0.1:\(server.port)/postgres/t"
        let kinds: [ValueKind] = [.integer, .decimal, .decimal, .decimal, .text]
        #expect(try source(url).profiles(budgetMilliseconds: 4).map(\.kind) == kinds)
        #expect(try source(url).table.columns[1...3].allSatisfy { $0.type.storage.fractionDigits == 2 })
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.1: a table without a schema is found in the schemas of the role, in their order`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE SCHEMA app; CREATE TABLE t AS SELECT 'public' AS v; CREATE TABLE app.t AS SELECT 'app' AS v;
            CREATE TABLE app.only AS SELECT 'only' AS v; CREATE ROLE app LOGIN; GRANT USAGE ON SCHEMA app TO app;
            GRANT SELECT ON ALL TABLES IN SCHEMA app, public TO app; ALTER ROLE app SET search_path = app, public
            """)
        let opener = opener()
        func value(_ path: String) throws -> String? {
            let table = try opener.open(path: "postgres://\(path)").snapshot()
            return texts(try table.records(0..<1, maximumFieldBytes: 100), 1)[0][0]
        }
        let host = "127.0.0.1:\(server.port)/postgres"
        #expect(try value("app@\(host)/t") == "app" && value("app@\(host)/only") == "only" && value("postgres@\(host)/t") == "public")
        #expect(try value("app@\(host)/t?options=-c%20search_path%3Dpublic") == "public")
        #expect(try value("app@\(host)/t?search_path=public") == "public")
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.1: the name of a table can have quotes in the option --table, as in a connection URL`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE SCHEMA "a.b"; CREATE TABLE "a.b"."c ""d" AS SELECT 'quoted' AS v; CREATE SCHEMA a; CREATE TABLE a.b AS SELECT 'plain' AS v
            """)
        var opener = opener()
        let url = "postgres://postgres@127.0.0.1:\(server.port)/postgres"
        for (name, value) in [("\"a.b\".\"c \"\"d\"", "quoted"), ("a.b", "plain"), ("\"a\".b", "plain")] {
            opener.table = name
            #expect(texts(try opener.open(path: url).snapshot().records(0..<1, maximumFieldBytes: 100), 1) == [[value]], "\(name)")
        }
        opener.table = "\"a.b"
        #expect(throws: ServerError.self) { try opener.open(path: url) }
    }

    @Test(arguments: ["a.db", "a?b.db"])
    func `19.8: a displayed path opens its own database, even if the same database is open with other options`(name: String) throws {
        let url = "sqlite:\(folder.path(of: name))"
        let databases = OpenDatabases()
        func open(_ url: String) throws -> (id: DatabaseID, database: ServerDatabase) {
            databases.database(of: try ConnectionTarget(parsing: url), helperPath: nil)
        }
        let opened = [
            databases.database(withOptionsOf: try ConnectionTarget(parsing: url + "?immutable=1"), helperPath: nil),
            databases.database(withOptionsOf: try ConnectionTarget(parsing: url + "?table=t"), helperPath: nil),
        ]
        let paths = opened.map { $0.id.path(of: $0.database.target) }
        #expect(paths == [url, url + "?gridview.connection=2"])
        for (path, expected) in zip(paths, opened) {
            let found = try open(path)
            #expect(found.id == expected.id && found.database === expected.database)
        }
        // A number from an earlier run of the program belongs to no database, so the options decide.
        let unknown = try open(url + "?gridview.connection=7")
        #expect(unknown.database === opened[1].database)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.8: the same database opened with different options has different connections`() throws {
        let server = try PostgresServer(settings: ["TimeZone=UTC"])
        defer { server.stop() }
        try server.psql("CREATE TABLE t AS SELECT '2024-01-01 12:00:00+00'::timestamptz AS at")
        let opener = opener()
        let url = "postgres://postgres@127.0.0.1:\(server.port)/postgres"
        func value(_ path: String) throws -> String? {
            texts(try opener.open(path: path).snapshot().records(0..<1, maximumFieldBytes: 100), 1)[0][0]
        }
        var paths: [(path: String, time: String)] = []
        for (zone, time) in [("Asia/Tokyo", "21:00:00+09"), ("Asia/Kolkata", "17:30:00+05:30")] {
            // Options can be secret, so they are not in the paths that are shown.
            let path = opener.publicPath("\(url)?options=-c%20TimeZone%3D\(zone)")
            #expect(!path.contains("Asia"))
            paths.append((path, "2024-01-01 " + time))
        }
        paths.append((opener.publicPath(url), "2024-01-01 12:00:00+00"))
        for (path, time) in paths + paths.reversed() {
            let list = try opener.open(path: path)
            #expect(try value(#require(list.path(ofTableInRecord: 0))) == time, "\(path)")
            #expect(try value(path + (path.contains("?") ? "&" : "?") + "table=t") == time, "\(path)")
        }
        #expect(opener.publicPath("\(url)?options=-c%20TimeZone%3DAsia/Kolkata") == paths[1].path)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.8: the error for a table with forbidden columns suggests a statement for the other columns`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE ROLE reader LOGIN; CREATE TABLE people (id int PRIMARY KEY, "Name" text, salary int); CREATE TABLE secret (id int);
            INSERT INTO people VALUES (1, 'Ann', 5); GRANT SELECT (id, "Name") ON people TO reader
            """)
        let url = "postgres://reader@127.0.0.1:\(server.port)/postgres"
        let error = try #require(throws: ServerError.self) { try self.opener().open(path: url + "/people") }
        let statement = "select \"id\", \"Name\" from \"public\".\"people\""
        #expect(
            error.message == "Access denied: permission denied for table people. To show the columns that you may read, open the database "
                + "without a table, with --sql '\(statement)'.")
        var opener = opener()
        opener.statement = statement
        #expect(texts(try opener.open(path: url).snapshot().records(0..<1, maximumFieldBytes: 100), 2) == [["1", "Ann"]])
        let secret = try #require(throws: ServerError.self) { try self.opener().open(path: url + "/secret") }
        #expect(secret.message == "Access denied: permission denied for table secret.")
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.4: the estimated number of rows follows the size of the table`() throws {
        let server = try PostgresServer(settings: ["autovacuum=off"])
        defer { server.stop() }
        let url = "postgres://postgres@127.0.0.1:\(server.port)/postgres"
        try server.psql(
            """
            CREATE TABLE grown AS SELECT i AS id, 'a text of the row' AS text FROM generate_series(1, 1000) i; ANALYZE grown;
            INSERT INTO grown SELECT i, 'a text of the row' FROM generate_series(1, 49000) i
            """)
        let entry = try #require(texts(try opener().open(path: url).snapshot().records(0..<1, maximumFieldBytes: 100), 4).first)
        let estimates = [entry[3].flatMap { Int($0) }, try source(url + "/grown").estimatedRecordCount]
        // The statistics have 1,000 rows.
        #expect(estimates.allSatisfy { (40_000...60_000).contains($0 ?? 0) }, "\(estimates)")
        // A single-precision number has 24 bits.
        try server.psql("UPDATE pg_class SET reltuples = 12345678, relpages = 0 WHERE relname = 'grown'")
        let grown = try source(url + "/grown")
        #expect(grown.estimatedRecordCount == 12_345_678)
        #expect(grown.details.contains { $0 == ("estimated rows", "12,345,678") })
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.8: the displayed path of a table has no password but still opens the table`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE ROLE locked LOGIN PASSWORD 'se/cret'; CREATE TABLE open (a int); GRANT SELECT ON open TO locked")
        let opener = opener()
        let path = opener.publicPath("postgres://locked:se%2Fcret@127.0.0.1:\(server.port)/postgres")
        #expect(!path.contains("cret"))
        let list = try opener.open(path: path)
        let table = try opener.open(path: try #require(list.path(ofTableInRecord: 0)))
        #expect(table.name == "public.open" && table.location?.contains("cret") == false)
        #expect(!table.details.contains { $0.value.contains("cret") })
        #expect(throws: PasswordNeeded.self) { try self.opener().open(path: path) }
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.8, 19.9: a typed password is kept only for the database that is open`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE ROLE locked LOGIN PASSWORD 'se/cret'; CREATE TABLE open (a int); GRANT SELECT ON open TO locked")
        let opener = opener()
        let path = "postgres://locked@127.0.0.1:\(server.port)/postgres?passfile=/dev/null"
        let needed = try #require(throws: PasswordNeeded.self) { try opener.open(path: path) }
        #expect(!needed.wasPasswordRefused && needed.account == "locked@127.0.0.1" && needed.message.contains("~/.pgpass"))
        needed.supply("wrong")
        let refused = try #require(throws: PasswordNeeded.self) { try opener.open(path: path) }
        #expect(
            refused.wasPasswordRefused && refused.message.contains("password authentication failed")
                && refused.message.contains("~/.pgpass"))
        #expect(!"\(refused)".contains("wrong"))
        #expect(opener.activity(opening: path) == "connecting to 127.0.0.1")
        refused.supply("se/cret")
        let list = try opener.open(path: path)
        #expect(opener.activity(opening: path + "&table=open") == "opening open")
        // Other tables and new connections have the password, too.
        let table = try opener.open(path: try #require(list.path(ofTableInRecord: 0)))
        #expect(table.location?.contains("cret") == false)
        try server.psql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gridview'")
        try table.readAll(threads: 1) { _ in true }
        #expect(table.snapshot().isComplete)
        // Another opener does not know the password.
        #expect(throws: PasswordNeeded.self) { try self.opener().open(path: path) }
        // No password helps a role that does not exist.
        #expect(throws: ServerError.self) { try self.opener().open(path: "postgres://nobody@127.0.0.1:\(server.port)/postgres") }
    }

    @Test(
        arguments: [
            ("mysql://root:pw@host/db", "'adbc:mysql?uri=…'"), ("mariadb://host", "MariaDB"), ("mysql+pymysql://host", "MySQL"),
            ("sqlserver://host;database=x", "'adbc:mssql?uri=…'"), ("mongodb://host", "mongoexport"), ("mongodb+srv://host", "mongoexport"),
            ("redis://host", "Redis has no tables"), ("https://user:pw@host/a.csv", "curl -sSL URL | gridview"), ("HTTP://host", "curl"),
            ("s3://bucket/pw.csv", "aws s3 cp"), ("jdbc:postgresql://host/db?password=pw", "postgres://user@host/database"),
            ("jdbc:oracle:thin:pw@host", "adbc:DRIVER"), ("file://server/a.csv", "absolute path"), ("what://host", "what:// is unknown"),
        ])
    func `19.1: the error for a URL that cannot be opened names another way to open the data`(url: String, text: String) throws {
        let error = try #require(throws: ServerError.self) { try opener().open(path: url) }
        #expect(error.message.contains(text) && !error.message.contains("pw") && error.message.hasSuffix("."), "\(error.message)")
        #expect(error.message.count { $0 == "." } < 6 && !error.message.contains(". "), "one sentence")
    }

    @Test func `19.1: a path that looks like a URL opens as a file, and so does a file: URL`() {
        for path in ["a.csv", "/data/a:b.csv", "data.db:trades", "logs/*.csv", "C:/a", "http.csv", "file.csv", "x/y://z", ""] {
            #expect(ForeignURL.advice(for: path) == nil && ForeignURL.localPath(path) == path, "\(path)")
        }
        #expect(ForeignURL.localPath("file:///home/me/a%20b.csv") == "/home/me/a b.csv")
        #expect(ForeignURL.localPath("FILE://localhost/a.db:trades") == "/a.db:trades" && ForeignURL.localPath("file:/a") == "/a")
        #expect(ForeignURL.localPath("file:///a%zz") == "file:///a%zz" && ForeignURL.localPath("file://") == "file://")
    }
}
