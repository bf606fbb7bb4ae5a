import DataGridQuery
import EngineClient
import EngineProtocol
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import ServerTables

/// Tables of DuckDB, which its driver for ADBC reads.
@Suite("Tables of DuckDB", .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
struct DuckDBTableTests {
    @Test func `D23: pivot tables in DuckDB equal those of a table in memory`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let data = ServerData(count: 3_000, seed: 32, isSQLite: false)
        let url = "adbc:duckdb?path=\(folder.path(of: "shop.duckdb"))"
        let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try connection.open()
        for statement in data.statements { _ = try connection.query(ExecuteRequest(statement)) }
        connection.close()
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        let source = try #require(try opener.open(path: url + "&table=trades") as? ServerTableSource)
        try QueryComparison(data).checkPivots(source)
    }

    @Test func `H1: queries, statistics and searches in DuckDB give the same results as for a table in memory`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let data = ServerData(count: 3_000, seed: 31, isSQLite: false)
        let url = "adbc:duckdb?path=\(folder.path(of: "shop.duckdb"))"
        let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try connection.open()
        let integers = """
            create table huge as select 170141183460469231731687303715884105727 - i as h, 12345678901234567890123456789012345 + i as g, \
            i::decimal(12, 0) as z, i + 0.25::decimal(12, 2) as d from range(5000) r(i)
            """
        let statements = data.statements + QueryComparison.timeStatements + [integers]
        for statement in statements { _ = try connection.query(ExecuteRequest(statement)) }
        connection.close()
        // Several processes can open the file if none of them can change it.
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        let source = try #require(try opener.open(path: url + "&table=trades") as? ServerTableSource)
        #expect(source.dialect == .duckDB && source.columnCount == 5)
        try QueryComparison(data).check(source, queries: 20)
        let times = try opener.open(path: url + "&table=times") as? ServerTableSource
        try QueryComparison.checkTimes(try #require(times))
        // The largest integers have 39 digits, one more than decimals.
        let huge = try #require(try opener.open(path: url + "&table=huge") as? ServerTableSource)
        let engine = ServerQueryEngine(local: LocalQueryEngine(threads: 1))
        for isGrouped in [false, true] {
            var query = Query()
            let (field, comparison) = (huge.table.schema.fields[0], Query.Comparison.kind(huge.table.schema.fields[0].kind, .point))
            if isGrouped {
                query.groups = [Query.GroupKey(field.id, by: comparison)]
            } else {
                query.sort = [Query.SortKey(field.id, by: comparison)]
            }
            let found = try engine.rows(
                of: huge.snapshot(), schema: huge.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
                report: nil)
            let first = try #require(found.rows)[0]
            // The row is neither on the first nor on the last page.
            let rows = try huge.snapshot().records(first + 3_000..<first + 3_002, maximumFieldBytes: 100)
            #expect(rows.map { $0[0]?.text } == (8...9).map { "17014118346046923173168730371588410372\($0)" }, "\(isGrouped)")
        }
        let filters = [
            ("h = 170141183460469231731687303715884105726", 1), ("h > 170141183460469231731687303715884105720", 7),
            ("h in (170141183460469231731687303715884105727, 12345678901234567890123456789, 5)", 1),
            ("h <> 12345678901234567890123456789", 5_000), ("h < -99999999999999999999999999999", 0),
            // Decimals have fewer digits, and floating-point numbers would round the integers.
            ("h in (1.5, 5)", 0), ("h in (1.5, 170141183460469231731687303715884105727, 5)", 1), ("h = 1.5", 0), ("h <> 1.5", 5_000),
            ("h > 1.5", 5_000), ("h <= 1.5", 0), ("h < -1.5", 0), ("g > 12345678901234567890123456789012347.5", 4_997),
            ("g >= 12345678901234567890123456789012347.5", 4_997), ("g < 12345678901234567890123456789012347.5", 3),
            ("g <= 12345678901234567890123456789012347.5", 3), ("g in (12345678901234567890123456789012347.5, 3, 4)", 0),
            ("h > z", 5_000), ("z = h", 0), ("g > z", 5_000), ("z in (4.5, 4, 5, 99999999999999999999999999999999999999)", 2),
            ("d in (4.25, 5, 6.125, 99999999999999999999999999999999999999)", 1), ("d > 4.2500000000000000000000000000001", 4_995),
        ]
        for (filter, count) in filters {
            var query = Query()
            query.filters = [try Filter(filter, in: huge.table.schema).formula]
            let found = try engine.rows(
                of: huge.snapshot(), schema: huge.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
                report: nil)
            #expect(found.rows?.count == count, "\(filter)")
        }
        // The driver describes JSON as text.
        var results = opener
        results.statement = "select '[1]'::json as a, '[2]' as b, [3] as c; -- end"
        let result = try #require(try results.open(path: url) as? ServerTableSource)
        let found = try result.snapshot().strings(of: 0..<1, columns: [0, 1, 2] + (0..<3).map { FieldID.firstNestedColumn + $0 })
        #expect(found == [["[1]", "[2]", "[3]", "[1]", nil, "[3]"]] && result.snapshot().hasNestedValues)
    }

    @Test(arguments: [false, true])
    func `19.2: times of DuckDB with nanoseconds are compared by their microseconds`(isStatement: Bool) throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let url = "adbc:duckdb?path=\(folder.path(of: "nanos.duckdb"))"
        let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try connection.open()
        let times = ["2024-03-31 01:30:00.123456789", "1969-12-31 23:59:59.999999999", "2024-03-31 01:30:00", "infinity"]
        let values = times.map { "(timestamp_ns '\($0)', timestamp '2024-03-31 01:30:00.123456')" }.joined(separator: ", ")
        _ = try connection.query(ExecuteRequest("create table nanos as select * from (values \(values)) v(t, u)"))
        connection.close()
        var opener = ServerOpener(files: NoFiles(), helperPath: helper)
        if isStatement { opener.statement = "select * from nanos" }
        let source = try #require(try opener.open(path: url + (isStatement ? "" : "&table=nanos")) as? ServerTableSource)
        let filters = [
            ("t = 2024-03-31 01:30:00.123456", 1), ("t = '2024-03-31 01:30:00.123456789'", 1), ("t <> 2024-03-31 01:30:00.123456", 3),
            ("t > 2024-03-31 01:30:00.123456", 1), ("t = 1969-12-31 23:59:59.999999", 1), ("t = u", 1), ("t < u", 2),
            // Nanoseconds do not reach the year 3000.
            ("t < 3000-01-01", 3), ("t > 1000-01-01", 4),
        ]
        for (filter, count) in filters {
            var query = Query()
            query.filters = [try Filter(filter, in: source.table.schema).formula]
            let found = try ServerQueryEngine(local: LocalQueryEngine(threads: 1)).rows(
                of: source.snapshot(), schema: source.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
                report: nil)
            #expect(found.rows?.count == count, "\(filter)")
        }
    }

    @Test func `19.5: aggregates of groups in DuckDB count the infinite dates that they leave out`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let url = "adbc:duckdb?path=\(folder.path(of: "days.duckdb"))"
        let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try connection.open()
        let rows = [
            "(1, '2024-01-31', '2024-01-31 12:00:00', '2024-01-31 12:00:00+00')", "(2, 'infinity', '-infinity', 'infinity')",
            "(3, '0044-03-15 (BC)', NULL, NULL)",
        ]
        for statement in [
            "create table days (id integer, d date, t timestamp, z timestamptz)", "insert into days values \(rows.joined(separator: ", "))",
        ] { _ = try connection.query(ExecuteRequest(statement)) }
        connection.close()
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        let source = try #require(try opener.open(path: url + "&table=days") as? ServerTableSource)
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .kind(.integer, .point))]
        query.aggregates = (1...3).map { column in
            Query.Aggregate(.max, of: FieldID(rawValue: column), kind: source.table.schema.fields[column].kind)
        }
        let groups = try ServerQueryEngine(local: LocalQueryEngine(threads: 1)).rows(
            of: source.snapshot(), schema: source.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
            report: nil
        ).groups
        #expect(groups?.leftOutValues == [(1, 2), (2, 1), (3, 1)].map { LeftOutValues(field: FieldID(rawValue: $0), count: $1) })
    }

    @Test func `19.3: distant rows of a DuckDB table are found by counting row numbers, even after rows were deleted`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let url = "adbc:duckdb?path=\(folder.path(of: "far.duckdb"))"
        let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try connection.open()
        let statements = [
            "create table whole as select i as id from range(100000) r(i)", "create table gaps as select i as id from range(100000) r(i)",
            "delete from gaps where id % 3 = 1 or id between 20000 and 40000",
        ]
        for statement in statements { _ = try connection.query(ExecuteRequest(statement)) }
        connection.close()
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        for name in ["whole", "gaps"] {
            let source = try #require(try opener.open(path: url + "&table=\(name)") as? ServerTableSource)
            let ids = (0..<100_000).filter { name == "whole" || $0 % 3 != 1 && !(20_000...40_000).contains($0) }
            #expect(source.profiles(budgetMilliseconds: 4)[0].sampleTexts.first?.count == 5, "columns have room for the last numbers")
            try source.readAll(threads: 1) { _ in true }
            #expect(source.base.knownRowCount == (ids.count, true))
            func statements(_ row: Int) throws -> [ViewStatement] {
                try source.statements(ofViewWithRow: row, withPlans: false) { false }
            }
            #expect(try statements(40_000).map(\.title) == ["Number of rows before the page", "Number of rows"])
            for start in [39_936, 39_680, 39_680 + 512, 13_000, 300, ids.count - 10, 0] {
                let found = try source.base.rows(start..<start + 256) { false }
                #expect(found.map { Record($0)[0]?.text } == ids[start...].prefix(256).map { "\($0)" }, "\(name) \(start)")
            }
            var scanned: [String] = []
            try source.snapshot().scan(30_000..<30_003, columns: [0]) { _, fields in
                scanned.append(String(decoding: fields[0].bytes, as: UTF8.self))
                return true
            }
            #expect(scanned == ids[30_000..<30_003].map { "\($0)" })
            // A page before a known row is read forward, because DuckDB would sort all rows before that row.
            #expect(try !statements(39_680 - 1)[0].text.contains("DESC"))
            #expect(!source.base.needsSpacedKeys(for: 20_000), "no scan is needed for far rows")
            if name == "whole" {
                let text = try statements(40_000)[0].text
                #expect(text.contains("> '39935'::bigint") && !text.contains("OFFSET"), "\(text)")
            }
        }
    }

    @Test func `19.1: the list of DuckDB tables has their kinds, estimated row counts, sizes and comments`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let url = "adbc:duckdb?path=\(folder.path(of: "list.duckdb"))"
        let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try connection.open()
        let statements = [
            "create table a as select i as id from range(100) r(i)", "comment on table a is 'a hundred'", "create view b as from a",
            "comment on view b is 'all of them'", "create schema other", "create table other.a (id integer)", "create schema \"o.t'h\"",
            "create table \"o.t'h\".\"a \"\"b.c\" as select hash(i) as x from range(200000) r(i)", "create view other.b as from main.a",
            "create table other.c as select i as id from range(3) r(i)", "create view c as from a",
            // A thousand columns of two segments each are too many to list.
            "create table wide as select \((0..<1_000).map { "i as c\($0)" }.joined(separator: ", ")) from range(1) r(i)", "checkpoint",
        ]
        for statement in statements { _ = try connection.query(ExecuteRequest(statement)) }
        connection.close()
        let list = try ServerOpener(files: NoFiles(), helperPath: helper).open(path: url).snapshot()
        // A block has 256 KiB.
        let expected: [[String?]] = [
            ["main", "a", "table", "100", "262144", "a hundred"], ["main", "b", "view", nil, nil, "all of them"],
            ["main", "c", "view", nil, nil, nil], ["main", "wide", "table", "1", nil, nil],
            ["o.t'h", "a \"b.c", "table", "200000", "1835008", nil],
            ["other", "a", "table", "0", nil, nil], ["other", "b", "view", nil, nil, nil], ["other", "c", "table", "3", "262144", nil],
        ]
        #expect(try QueryComparison.texts(list, 0..<list.recordCount, columns: 6) == expected)
        // A view has no row numbers, even if a table in another schema has the same name.
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        for (name, hasRowIDs) in [("main.c", false), ("other.c", true)] {
            let source = try #require(try opener.open(path: url + "&table=\(name)") as? ServerTableSource)
            #expect(source.table.hasRowIDs == hasRowIDs, "\(name)")
        }
    }

    @Test func `19.1: a DuckDB table name without a schema refers to the schema main, and its case has no effect`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let url = "adbc:duckdb?path=\(folder.path(of: "schemas.duckdb"))"
        let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try connection.open()
        let statements = [
            "create schema early", "create table early.t as select 'early' as v", "create table \"T\" as select 'main' as v",
            "create table early.only as select 'only' as v",
        ]
        for statement in statements { _ = try connection.query(ExecuteRequest(statement)) }
        connection.close()
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        let names = [
            ("t", "main"), ("T", "main"), ("early.t", "early"), ("EARLY.T", "early"), ("only", "only"), ("SCHEMAS.main.t", "main"),
        ]
        for (name, value) in names {
            let source = try #require(try opener.open(path: url + "&table=\(name)") as? ServerTableSource)
            #expect(try QueryComparison.texts(source.snapshot(), 0..<1, columns: 1) == [[value]], "\(name)")
            #expect(source.table.hasRowIDs, "\(name)")
        }
        let error = #expect(throws: ServerError.self) { try opener.open(path: url + "&table=other.main.t") }
        #expect(error?.message.contains("does not exist in this database") == true, "the columns are not those of the current database")
    }

    @Test func `19.8: two files of DuckDB can be open at the same time`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        var paths: [String] = []
        for name in ["a", "b"] {
            let url = "adbc:duckdb?path=\(folder.path(of: name + ".duckdb"))"
            let connection = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
            _ = try connection.open()
            _ = try connection.query(ExecuteRequest("create table t as select '\(name)' as v"))
            connection.close()
            paths.append(opener.publicPath(url))
        }
        for (path, name) in zip(paths, ["a", "b"]) {
            let list = try opener.open(path: path)
            let table = try opener.open(path: #require(list.path(ofTableInRecord: 0)))
            #expect(try QueryComparison.texts(table.snapshot(), 0..<1, columns: 1) == [[name]])
        }
    }

    @Test func `19.8: a database file of DuckDB is not changed, and a missing one is not created`() throws {
        let folder = try TemporaryFolder()
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        let path = folder.path(of: "kept.duckdb")
        let url = "adbc:duckdb?path=\(path)"
        let opener = ServerOpener(files: NoFiles(), helperPath: helper)
        #expect(throws: ServerError.self) { try opener.open(path: url) }
        #expect(!FileManager.default.fileExists(atPath: path))
        let writer = EngineConnection(try ConnectionTarget(parsing: url + "&access_mode=READ_WRITE"), helperPath: helper)
        _ = try writer.open()
        _ = try writer.query(ExecuteRequest("create table a as select 1 as x"))
        writer.close()
        // Several processes can open the file if none of them can change it.
        let connections = try (0..<2).map { _ in EngineConnection(try ConnectionTarget(parsing: url), helperPath: helper) }
        for connection in connections {
            let info = try connection.open()
            #expect(info.properties[ServerInfo.Property.warning] == nil)
            #expect(throws: EngineError.self) { try connection.query(ExecuteRequest("create table b (x integer)")) }
        }
        for connection in connections { connection.close() }
        // DuckDB runs all statements before the last one when it prepares the last one.
        do {
            var opener = ServerOpener(files: NoFiles(), helperPath: helper)
            opener.statement = "drop table a; select 1 as x"
            let error = #expect(throws: ServerError.self) { try opener.open(path: url + "&access_mode=READ_WRITE") }
            #expect(error?.message == "--sql must be a single statement. Remove the text after the semicolon.")
        }
        #expect(try opener.open(path: url + "&table=a").snapshot().recordCount == 1)
    }
}
