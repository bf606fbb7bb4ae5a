import DataGridQuery
import EngineClient
import EngineProtocol
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import ServerTables

@Suite("Limits of queries on servers")
struct QueryLimitTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `19.5: if there are too many groups, the largest are shown, and the result reports it`() throws {
        var opener = opener()
        // The groups have from 1 to 20 rows.
        opener.statement =
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) "
            + "select a.i as size, b.i as item from n as a join n as b on b.i <= a.i"
        let source = try #require(try opener.open(path: try sqlite(ServerData(count: 1, seed: 1))) as? ServerTableSource)
        let schema = Schema(["size", "item"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .text) })
        func result(levels: Int, limit: Int = 100_000, outerLimit: Int = 1_000) throws -> (groups: GroupResult, rows: RowNumbers) {
            var engine = self.engine
            var query = Query()
            (engine.sectionLimit, engine.outerSectionLimit) = (limit, outerLimit)
            query.groups = (0..<levels).map { Query.GroupKey(FieldID(rawValue: $0), by: .text) }
            let found = try engine.rows(
                of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
            return (try #require(found.groups), try #require(found.rows))
        }
        for levels in 1...2 {
            let all = try result(levels: levels, limit: levels == 1 ? 20 : 230, outerLimit: 20)
            #expect(all.groups.omission == nil && all.rows.count == 210 && all.groups.groups.count == (levels == 1 ? 20 : 230))
        }
        let largest = try result(levels: 1, limit: 10)
        #expect(largest.groups.omission?.text == "Only the 10 largest groups are shown, largest first.")
        #expect(largest.groups.groups.map(\.key) == (11...20).reversed().map(String.init) && largest.rows.count == 155)
        let rows = try source.snapshot().records(largest.rows[0]..<largest.rows[0] + 155, maximumFieldBytes: 100)
        let sizes: [String] = (11...20).reversed().flatMap { size in [String](repeating: "\(size)", count: size) }
        #expect(rows.map { $0[0]?.text ?? "" } == sizes)
        let start = largest.rows[0]
        let table = DerivedTable(source.snapshot(), CompiledDerivedFields([], schema: schema))
        #expect(table.areInOneSection(start..<start + 20) && table.areInOneSection(start + 20..<start + 39))
        #expect(!table.areInOneSection(start..<start + 21) && !table.areInOneSection(start + 19..<start + 21))
        #expect(table.areInOneSection(start + 154..<start + 155) && table.areInOneSection(0..<210), "the table itself has no sections")
        let counts = try self.engine.statistics(
            of: schema.fields, in: source.snapshot(), rows: largest.rows, exactLimit: 100, topCount: 0, details: [], control: JobControl())
        #expect(counts[0].recordCount == 155, "rows of other groups do not count")
        let sections = try source.statements(ofViewWithRow: largest.rows[0], withPlans: false) { false }[0]
        #expect(sections.title == "Sections" && sections.text.contains("q.n DESC"), "\(sections.text)")
        let outer = try result(levels: 2, outerLimit: 3)
        #expect(outer.groups.omission?.text == "Only the 3 largest outer groups are shown, largest first.")
        #expect(outer.groups.groups.filter { $0.level == 0 }.map(\.key) == ["20", "19", "18"] && outer.rows.count == 57)
        // The first groups by text are 1, 10 and 11, with an inner group for each of their rows.
        let first = try result(levels: 2, limit: 24)
        #expect(first.groups.omission?.text == "Only the first 24 groups are shown." && first.rows.count == 21)
        #expect(first.groups.groups.filter { $0.level == 0 }.map(\.rows) == [0..<1, 1..<11, 11..<21])
        let two = try result(levels: 2, limit: 14)
        #expect(two.groups.omission?.text == "Only the first 13 groups are shown." && two.rows.count == 11, "no outer group is empty")
    }

    @Test func `D23: a pivot table on a server reports columns, rows and cells that the group limits leave out`() throws {
        var opener = opener()
        // The sizes from 1 to 20 have as many rows.
        opener.statement =
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) "
            + "select a.i as size, b.i as item, a.i % 2 as odd from n as a join n as b on b.i <= a.i"
        let source = try #require(try opener.open(path: try sqlite(ServerData(count: 1, seed: 1))) as? ServerTableSource)
        let schema = Schema(["size", "item", "odd"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .integer) })
        func pivot(
            _ rows: [Int], by column: Int, limit: Int = 100_000, outerLimit: Int = 1_000
        ) throws -> (problems: [String], titles: [String], rows: [[String?]]) {
            var engine = self.engine
            (engine.sectionLimit, engine.outerSectionLimit) = (limit, outerLimit)
            func key(_ field: Int) -> Query.GroupKey { Query.GroupKey(FieldID(rawValue: field), by: .kind(.integer, .point)) }
            let job = PivotJob(
                engine: engine, table: source.snapshot(), schema: schema, base: Query(),
                pivot: Pivot(rows: rows.map(key), column: key(column)))
            let pivoted = try job.run(name: "n", JobControl())
            let (table, columnCount) = (pivoted.snapshot(), pivoted.columnCount)
            return (
                pivoted.problems, (0..<columnCount).map(pivoted.title(ofColumn:)),
                texts(try table.records(0..<table.recordCount, maximumFieldBytes: 100), columnCount)
            )
        }
        let all = try pivot([0, 1], by: 2, outerLimit: 20)
        #expect(all.problems.isEmpty && all.rows.count == 210)
        let columns = try pivot([2], by: 0, outerLimit: 3)
        #expect(columns.problems == ["only the 3 largest values of “size” have columns"] && columns.titles == ["odd", "20", "19", "18"])
        #expect(columns.rows == [["0", "20", "0", "18"], ["1", "0", "19", "0"]])
        // The query of the cells finds all rows, but not their order.
        let rows = try pivot([0, 1], by: 2, outerLimit: 3)
        #expect(rows.problems == ["the rows are not in order, because the server limits groups"])
        #expect(Set(rows.rows) == Set(all.rows) && rows.rows.count == 210)
        let cells = try pivot([0], by: 2, limit: 20)
        #expect(cells.problems == ["cells after the first 20 groups are empty or 0, because the server limits groups"])
        #expect(cells.rows.map { $0[0] } == (1...20).map(String.init) && cells.rows[19] == ["20", "20", "0"])
        #expect(cells.rows[14] == ["15", "0", "15"] && cells.rows[16] == ["17", "0", "0"], "\(cells.rows)")
        let both = try pivot([0, 1], by: 2, limit: 100, outerLimit: 3)
        #expect(both.problems.first?.hasPrefix("cells after the first ") == true)
        #expect(
            both.problems.dropFirst() == [
                "some rows may be missing, because the server limits groups", "the rows are not in order, because the server limits groups",
            ])
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.5: dates and times have the means and quantiles of the local engine`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        for statement in QueryComparison.timeStatements { try server.psql(statement) }
        try QueryComparison.checkTimes(try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/times"))
    }

    @Test func `19.5: values outside of every range form the group (other), not a second group of empty values`() throws {
        let path = folder.path(of: "mixed.db")
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute('CREATE TABLE mixed (n INTEGER)')
            c.executemany('INSERT INTO mixed VALUES (?)', [(5,), (None,), ('n/a',), (12,), (None,), ('n/a',), ('n/a',)])
            c.commit()
            """
        try programOutput("/usr/bin/env", ["python3", "-c", script, path])
        let source = try source("sqlite:\(path)?table=mixed")
        let schema = Schema([Field(FieldID(rawValue: 0), name: "n", kind: .integer)])
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .kind(.integer, .point), interval: .bins(ExactDecimal(10)))]
        let found = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        let groups = try #require(found.groups)
        #expect(groups.groups.map(\.key) == ["0", "10", GroupInterval.otherKey, ""])
        #expect(groups.groups.map(\.rows.count) == [1, 1, 3, 2])
        let first = try #require(found.rows)[0]
        let rows = try source.snapshot().records(first..<first + 7, maximumFieldBytes: 100)
        #expect(rows.map { $0[0]?.text } == ["5", "12", "n/a", "n/a", "n/a", nil, nil])
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: all groups of a level take one statement, or a few if there are too many groups`() throws {
        let server = try PostgresServer(settings: ["log_statement=all", "log_min_messages=log"])
        defer { server.stop() }
        try server.psql("CREATE TABLE t AS SELECT i % 60 AS a, i / 60 % 5 AS b, i / 300 AS c FROM generate_series(0, 1199) i")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/t")
        let schema = Schema(["a", "b", "c"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .integer) })
        func count(
            _ source: ServerTableSource, levels: Int, limit: Int, timeLimit: UInt32 = 60_000
        ) throws -> (groups: GroupResult, statements: Int) {
            func statementCount() throws -> Int {
                let log = try String(decoding: Data(contentsOf: URL(fileURLWithPath: server.folder + "/log")), as: UTF8.self)
                return log.lines(containing: "GROUP BY").count
            }
            var (engine, query) = (engine, Query())
            (engine.sectionLimit, engine.innerGroupsTimeLimit) = (limit, timeLimit)
            query.groups = (0..<levels).map { Query.GroupKey(FieldID(rawValue: $0), by: .kind(.integer, .point)) }
            let before = try statementCount()
            let found = try engine.rows(
                of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
            return (try #require(found.groups), try statementCount() - before)
        }
        let two = try count(source, levels: 2, limit: 100_000)
        #expect(two.groups.groups.count == 360 && two.groups.omission == nil && two.statements == 2)
        #expect(two.groups.groups.filter { $0.level == 1 }.map(\.key) == (0..<60).flatMap { _ in (0..<5).map(String.init) })
        let three = try count(source, levels: 3, limit: 100_000)
        #expect(three.groups.groups.count == 1_560 && three.groups.omission == nil && three.statements == 3)
        #expect(three.groups.groups.filter { $0.level == 2 }.map(\.key) == (0..<300).flatMap { _ in (0..<4).map(String.init) })
        let first = try count(source, levels: 2, limit: 100)
        #expect(first.groups.omission?.text == "Only the first 100 groups are shown." && first.statements <= 6, "\(first.statements)")
        #expect(Array(first.groups.groups).map(\.key) == Array(two.groups.groups).prefix(100).map(\.key))
        let deep = try count(source, levels: 3, limit: 200)
        #expect(deep.groups.omission?.text == "Only the first 200 groups are shown." && deep.statements <= 20, "\(deep.statements)")
        #expect(Array(deep.groups.groups).map(\.key) == Array(three.groups.groups).prefix(200).map(\.key))
        // The groups of the first section exceed the limit, so no statement requests several sections.
        try server.psql("CREATE TABLE wide AS SELECT i % 20 AS a, i AS b, 0 AS c FROM generate_series(0, 3999) i")
        let wide = try self.source("postgres://postgres@127.0.0.1:\(server.port)/postgres/wide")
        let one = try count(wide, levels: 2, limit: 150)
        #expect(one.groups.omission?.text == "Only the first 150 groups are shown." && one.statements == 3, "\(one.statements)")
        // Each inner group takes 10 ms. Reading all of them reaches the time limit.
        try server.psql(
            """
            CREATE FUNCTION slow(i int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.01); RETURN i; END';
            CREATE VIEW late AS SELECT a, slow(b) AS b, 0 AS c FROM (SELECT i % 20 AS a, i / 20 AS b FROM generate_series(0, 99) i) t
            """)
        let late = try self.source("postgres://postgres@127.0.0.1:\(server.port)/postgres/late")
        let slow = try count(late, levels: 2, limit: 100_000, timeLimit: 100)
        #expect(slow.groups.omission == nil && slow.groups.groups.count == 120)
        #expect(slow.groups.groups.filter { $0.level == 1 }.map(\.key) == (0..<20).flatMap { _ in (0..<5).map(String.init) })
        // The statements return the outermost groups, all inner groups, and the inner groups of 1, 4 and 15 sections.
        #expect(slow.statements == 5, "\(slow.statements)")
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.5: reading the rows of many groups takes only one or a few statements`() throws
    {
        let server = try PostgresServer(settings: ["log_statement=all", "log_min_messages=log"])
        defer { server.stop() }
        // The table has 301 groups by number and 211 by text, one of each with empty values. Most groups have two to four rows.
        try server.psql(
            """
            CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 301 > 0 THEN i % 300 END AS a,
                CASE i % 31 WHEN 0 THEN ' ' ELSE chr(ascii('B') + i % 31) || chr(ascii('z') - i % 7) END AS b, i % 5 AS c
                FROM generate_series(1, 700) i;
            CREATE TABLE k (LIKE t, PRIMARY KEY (id)); INSERT INTO k SELECT * FROM t
            """)
        let schema = Schema(
            ["id", "a", "b", "c"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: $0 == 2 ? .text : .integer) })
        func statementCount() throws -> Int {
            try String(decoding: Data(contentsOf: URL(fileURLWithPath: server.folder + "/log")), as: UTF8.self)
                .lines(containing: "ORDER BY").count
        }
        for name in ["t", "k"] {
            func check(
                _ keys: [Query.GroupKey], sort: [Query.SortKey] = [], dropFirst: Int = 0, changes: String? = nil, statements: Int
            ) throws {
                let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)")
                var query = Query()
                (query.groups, query.sort) = (keys, sort)
                let found = try engine.rows(
                    of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
                let groups = try #require(found.groups?.groups).filter { $0.level == keys.count - 1 }
                let first = try #require(found.rows)[0]
                func rows(_ range: Range<Int>) throws -> [Int: [String?]] {
                    var rows: [Int: [String?]] = [:]
                    try source.snapshot().scan(range, columns: [0, 1, 2, 3]) { record, fields in
                        #expect(rows[record] == nil)
                        rows[record] = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
                        return true
                    }
                    return rows
                }
                if let changes { try server.psql(changes) }
                var expected: [Int: [String?]] = [:]
                for group in groups { expected.merge(try rows(first + group.rows.lowerBound..<first + group.rows.upperBound)) { $1 } }
                expected = expected.filter { $0.key >= first + dropFirst }
                let before = try statementCount()
                #expect(try rows(first + dropFirst..<first + 700) == expected, "\(name) \(keys)")
                #expect(try statementCount() - before == statements, "\(name) \(keys)")
                if changes == nil { #expect(expected.count == 700 - dropFirst) }
            }
            func key(_ field: Int, _ order: Query.GroupKey.Order = .value, isDescending: Bool = false) -> Query.GroupKey {
                Query.GroupKey(
                    FieldID(rawValue: field), by: field == 2 ? .text : .kind(.integer, .point), order: order, isDescending: isDescending)
            }
            let byID = [Query.SortKey(FieldID(rawValue: 0), by: .kind(.integer, .point), isDescending: true)]
            try check([key(1)], statements: 1)
            try check([key(1, isDescending: true)], sort: byID, statements: 1)
            // The first row is one of two rows of a group.
            try check([key(1)], dropFirst: 1, statements: 2)
            try check([key(2)], sort: byID, statements: 1)
            try check([key(2), key(3, isDescending: true)], statements: 1)
            // One statement returns at most 250 groups.
            try check([key(1, .rowCount)], sort: byID, statements: 2)
            try check([key(2, .rowCount)], statements: 1)
            try check(
                [key(2)], sort: byID, changes: "UPDATE \(name) SET b = '0' WHERE id < 9; DELETE FROM \(name) WHERE id IN (80, 90, 91)",
                statements: 1)
        }
    }

    @Test func `19.5: rows stay in their groups even if distinct values have equal texts, or equal values distinct texts`() throws {
        let kinds: [ValueKind] = [.integer, .decimal, .text]
        let schema = Schema(["id", "r", "n"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: kinds[$0]) })
        let create = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, n TEXT COLLATE NOCASE);
            INSERT INTO t SELECT i, i % 20 + CASE WHEN i % 3 = 0 THEN 0.3 ELSE 0.1e0 + 0.2e0 END,
                CASE WHEN i % 2 = 0 THEN 'Name' ELSE 'nAME' END || (i % 15) FROM n
            """
        let path = folder.path(of: "equal.db")
        let strict = create.replacing("NOCASE);", with: "NOCASE) STRICT;")
            .replacing("INTO t", with: "INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)")
        let run = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()"
        try programOutput("/usr/bin/env", ["python3", "-c", run, path, strict])
        var sources = [try source("sqlite:\(path)?table=t")]
        if let helper = try DuckDBDriver.installed?.helper(in: folder) {
            let url = "adbc:duckdb?path=\(folder.path(of: "equal.duckdb"))"
            let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
            _ = try connection.open()
            let statements = create.replacing("FROM n", with: "FROM range(240) n(i)").replacing("REAL", with: "DOUBLE")
            for statement in statements.split(separator: ";") {
                _ = try connection.query(ExecuteRequest(String(statement)))
            }
            connection.close()
            let opener = ServerOpener(files: NoFiles(), helperPath: helper)
            sources.append(try #require(try opener.open(path: url + "&access_mode=READ_ONLY&table=t") as? ServerTableSource))
        }
        for source in sources {
            for fields in [[1], [2], [1, 2]] {
                var query = Query()
                query.groups = fields.map { Query.GroupKey(FieldID(rawValue: $0), by: $0 == 2 ? .text : .kind(.decimal, .point)) }
                let found = try engine.rows(
                    of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
                let groups = try #require(found.groups?.groups).filter { $0.level == fields.count - 1 }
                #expect(groups.count > 8)
                let first = try #require(found.rows)[0]
                func rows(_ range: Range<Int>) throws -> [Int: String] {
                    var rows: [Int: String] = [:]
                    try source.snapshot().scan(range, columns: [0]) { record, fields in
                        #expect(rows.updateValue(String(decoding: fields[0].bytes, as: UTF8.self), forKey: record) == nil)
                        return true
                    }
                    return rows
                }
                var expected: [Int: String] = [:]
                for group in groups { expected.merge(try rows(first + group.rows.lowerBound..<first + group.rows.upperBound)) { $1 } }
                #expect(Set(expected.values).count == 240)
                #expect(try rows(first..<first + 240) == expected, "\(fields)")
            }
        }
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.5: aggregates ignore NaN, and values are tested for it only in tables that contain it`() throws {
        let server = try PostgresServer(settings: ["log_statement=all", "log_min_messages=log"])
        defer { server.stop() }
        // Price is NaN in a row of group 3 and in all rows of group 4. Cost is never NaN.
        try server.psql(
            """
            CREATE TABLE t AS SELECT i % 5 AS a, i / 5 % 2 AS b, CASE WHEN i = 3 OR i % 5 = 4 THEN 'NaN'::numeric ELSE i END AS price,
                i::float8 AS cost FROM generate_series(0, 49) i
            """)
        var source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/t")
        let schema = Schema(
            ["a", "b", "price", "cost"].enumerated().map {
                Field(FieldID(rawValue: $0), name: $1, kind: $0 < 2 ? .integer : .decimal)
            })
        func groups(
            _ function: AggregateFunction, of field: Int, levels: Int = 1, order: Query.GroupKey.Order = .value, isDescending: Bool = false,
            limit: Int = 100_000
        ) throws -> (keys: [String], values: [Double?], statements: Int) {
            func statements() throws -> [Substring] {
                try String(decoding: Data(contentsOf: URL(fileURLWithPath: server.folder + "/log")), as: UTF8.self)
                    .lines(containing: "GROUP BY")
            }
            var (engine, query) = (engine, Query())
            engine.sectionLimit = limit
            query.groups = (0..<levels).map {
                Query.GroupKey(FieldID(rawValue: $0), by: .kind(.integer, .point), order: order, isDescending: isDescending)
            }
            query.aggregates = [Query.Aggregate(function, of: FieldID(rawValue: field), kind: .decimal)]
            let before = try statements().count
            let found = try #require(
                try engine.rows(
                    of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil
                )
                .groups)
            let values = found.groups.indices.map { group -> Double? in
                switch found.aggregates(ofGroup: group)[group] {
                case .integer(let number): Double(number)
                case .decimal(let number): number
                case .exact(let number): number.double
                case .none, .record: nil
                }
            }
            return (found.groups.map(\.key), values, try statements().count - before)
        }
        let costs = try groups(.sum, of: 3)
        #expect(costs.statements == 1 && costs.values == [225, 235, 245, 255, 265])
        #expect(try groups(.sum, of: 3, levels: 2).statements == 2)
        #expect(!source.hasNaN)
        // The two largest groups by row count are fetched if there are too many groups in the order of a sum.
        #expect(try groups(.sum, of: 3, order: .aggregate(0), limit: 2).statements == 2 && !source.hasNaN)
        let smallest = try groups(.min, of: 2)
        #expect(smallest.values == [0, 1, 2, 8, nil] && smallest.statements == 2 && source.hasNaN)
        let sums = try groups(.sum, of: 2, order: .aggregate(0), isDescending: true)
        #expect(sums.keys == ["3", "2", "1", "0", "4"] && sums.values == [252, 245, 235, 225, nil] && sums.statements == 1)
        #expect(try groups(.mean, of: 2).values == [22.5, 23.5, 24.5, 28, nil])
        #expect(try groups(.max, of: 2).values == [45, 46, 47, 48, nil])
        // The smallest values of the outer groups are numbers, those of every second inner group are NaN.
        try server.psql(
            "CREATE TABLE u AS SELECT a, b, CASE WHEN b = 1 THEN 'NaN'::numeric ELSE price END AS price, cost FROM t WHERE a < 2")
        source = try self.source("postgres://postgres@127.0.0.1:\(server.port)/postgres/u")
        let inner = try groups(.min, of: 2, levels: 2)
        #expect(inner.keys == ["0", "0", "1", "1", "0", "1"] && inner.values == [0, 0, nil, 1, 1, nil] && inner.statements == 4)
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.5: statistics count NaN separately from the values`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE t (id int PRIMARY KEY, f float8, r real, n numeric);
            INSERT INTO t SELECT i, v, v, v FROM (SELECT i, CASE WHEN i % 3 = 0 THEN 'NaN'::float8 WHEN i % 4 <> 0 THEN i END AS v
                FROM generate_series(1, 24) i) AS s
            """)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/t")
        let found = try engine.statistics(
            of: source.table.schema.fields, in: source.snapshot(), rows: nil, exactLimit: 100, topCount: 1, details: [],
            control: JobControl())
        #expect(found.map(\.nanCount) == [0, 8, 8, 8] && found.map(\.valueCount) == [24, 12, 12, 12])
        #expect(found.map(\.missingCount) == [0, 4, 4, 4] && found.map(\.recordCount) == [24, 24, 24, 24])
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.4: PostgreSQL estimates filtered rows before they are counted`() throws {
        let path = try sqlite(ServerData(count: 9_000, seed: 6))
        #expect(try estimatedRows(of: source(path + "?table=trades")) == nil)
        let server = try PostgresServer()
        defer { server.stop() }
        try ServerData(count: 9_000, seed: 6, isSQLite: false).write(to: server, folder: folder)
        let table = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades")
        let estimate = try estimatedRows(of: table)
        #expect(estimate.map { (1..<9_000).contains($0) } == true, "\(estimate ?? -1)")
        // A refusal tells the number of rows that a file would have.
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        query.aggregates = [Query.Aggregate(.first, of: FieldID(rawValue: 2), kind: .decimal)]
        let error = #expect(throws: ServerError.self) {
            try engine.rows(
                of: table.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
                report: nil)
        }
        #expect(error?.message.hasSuffix("export all ≈ 9,000 rows to a file and open it.") == true, "\(error?.message ?? "")")
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.5: PostgreSQL estimates the statistics of a large table at once`() throws {
        let server = try PostgresServer(settings: ["autovacuum=off"])
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE t AS SELECT i AS id, (ARRAY['Gold', 'It''s "x"', 'a,b', ' ', 'b\\c'])[1 + i % 5] AS symbol,
            CASE WHEN i % 10 > 0 THEN CAST(i % 1000 - 7 AS numeric) / 100 END AS price, i % 3 = 0 AS flag,
            date '2024-01-01' + i % 100 AS day, CAST('p' || i % 2 AS char(5)) AS padded FROM generate_series(1, 20000) i
            """)
        let path = "postgres://postgres@127.0.0.1:\(server.port)/postgres/t"
        let kinds: [ValueKind] = [.integer, .text, .decimal, .flag, .date, .text]
        func estimate(_ column: Int, as kind: ValueKind? = nil, limit: Int = 20_000) throws -> ColumnStatistics? {
            var engine = engine
            engine.minimumRowsForEstimates = limit
            let field = Field(FieldID(rawValue: column), name: "", kind: kind ?? kinds[column])
            return try engine.estimatedStatistics(of: field, in: try source(path).snapshot(), control: JobControl())
        }
        #expect(try estimate(0) == nil, "the table was never analyzed")
        try server.psql("ANALYZE t")
        #expect(try estimate(0, limit: 20_001) == nil && estimate(0, as: .text) == nil && estimate(9, as: .text) == nil)
        // The server has read all rows of the table.
        let fields = kinds.enumerated().map { Field(FieldID(rawValue: $0.offset), name: "", kind: $0.element) }
        let all = try engine.statistics(
            of: fields, in: try source(path).snapshot(), rows: nil, exactLimit: 1_000, topCount: 20, details: [], control: JobControl())
        for (column, exact) in all.enumerated() {
            let found = try #require(try estimate(column))
            #expect(found.isEstimate && found.recordCount == 20_000 && found.column == column)
            #expect(abs(found.emptyCount - exact.emptyCount) < 10 && abs(found.missingCount - exact.missingCount) < 10, "\(column)")
            #expect(abs(found.valueCount - exact.valueCount) < 10, "\(column)")
            #expect(abs(found.distinct.count - exact.distinct.count) < 10 && !found.distinct.isExact, "\(column)")
            if kinds[column] != .flag {
                #expect(
                    QueryComparison.isClose(found.minimum, exact.minimum) && QueryComparison.isClose(found.maximum, exact.maximum),
                    "\(column)")
            }
        }
        #expect(try Set(estimate(1)?.top.map(\.value) ?? []) == ["Gold", "It's \"x\"", "a,b", "b\\c"])
        #expect(try estimate(1)?.top.allSatisfy { abs($0.count - 4_000) < 10 } == true)
        #expect(try Set(estimate(3)?.top.map(\.value) ?? []) == ["true", "false"])
        if case .integer(let count)? = try estimate(3)?.sum { #expect(abs(count - 6_666) < 10) } else { Issue.record("no number of flags") }
        // The owner of a table can set any number of distinct values.
        try server.psql("ALTER TABLE t ALTER id SET (n_distinct = 1e30), ALTER price SET (n_distinct = 1e300)")
        try server.psql("ANALYZE t (id, price)")
        #expect(try estimate(0)?.distinct.count == 20_000 && estimate(2) == nil)
        #expect(try estimate(5)?.top.isEmpty == true, "elements of arrays keep the blanks of padded text, which cells do not have")
    }

    private func estimatedRows(of source: ServerTableSource) throws -> Int? {
        var query = Query()
        query.filters = [try Filter("symbol = 'Gold'", in: ServerData.schema).formula]
        let control = JobControl()
        _ = try engine.rows(
            of: source.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: control, report: nil)
        return control.estimatedRowCount
    }

    @Test func `19.5: a query that the server cannot run is refused with a reason`() throws {
        let source = try source(try sqlite(ServerData(count: 600, seed: 1)) + "?table=trades")
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        query.aggregates = [Query.Aggregate(.median, of: FieldID(rawValue: 2), kind: .decimal)]
        func message(_ source: ServerTableSource) -> String? {
            let error = #expect(throws: ServerError.self) {
                try engine.rows(
                    of: source.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
                    report: nil)
            }
            return error?.message
        }
        let reason = "SQLite does not support quantiles or standard deviations. To do this in gridview, export all"
        #expect(message(source) == "\(reason) ≈ 600 rows to a file and open it.", "the keys are dense")
        try source.readAll(threads: 1) { _ in true }
        #expect(message(source) == "\(reason) 600 rows to a file and open it.")
        let control = JobControl()
        control.cancel()
        query.aggregates = []
        #expect(throws: JobCancelled.self) {
            try engine.rows(
                of: source.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: control, report: nil)
        }
    }
}
