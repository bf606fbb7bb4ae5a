import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import Locks
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Tables whose rows are not counted")
struct UncountedTableTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Waits up to ten seconds.
    private func wait(until isTrue: () -> Bool) -> Bool {
        for _ in 0..<1_000 where !isTrue() { usleep(10_000) }
        return isTrue()
    }

    /// Writes a table with the integer key `id` to a database of SQLite, and opens it.
    private func table(ids: String) throws -> ServerTableSource {
        let path = folder.path(of: "keys.db")
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute('CREATE TABLE keys (id INTEGER PRIMARY KEY)')
            c.executemany('INSERT INTO keys VALUES (?)', [(i,) for i in \(ids)])
            c.commit()
            """
        try programOutput("/usr/bin/env", ["python3", "-c", script, path])
        return try source("sqlite:\(path)?table=keys")
    }

    @Test(
        arguments: [900, 768])
    func `19.4: without a count, fetched rows become known, and the last page gives the number of rows`(count: Int) throws {
        let source = try source(try sqlite(ServerData(count: count, seed: 2)) + "?table=trades")
        #expect(source.snapshot().recordCount == 256 && !source.snapshot().isComplete && source.estimatedRecordCount == count)
        #expect(try texts(source.tail(atLeast: 3).records).last?[0] == "\(count)")
        // Requests the second page, and the pages after it.
        _ = try source.snapshot().recordsWithoutWaiting(300..<340, maximumFieldBytes: 100)
        #expect(wait { source.snapshot().isComplete } && source.snapshot().recordCount == count)
    }

    @Test func `19.4: after a table is counted, the row count of a sort of all its rows is known`() throws {
        let source = try source(try sqlite(ServerData(count: 900, seed: 2)) + "?table=trades")
        func order(_ filters: [String]) throws -> Int {
            var query = Query()
            query.filters = try filters.map { try Filter($0, in: ServerData.schema).formula }
            query.sort = [Query.SortKey(FieldID(rawValue: 2), by: .kind(.decimal, .point))]
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
            return ServerSnapshot.firstRow(ofOrder: order.number)
        }
        let (sorted, filtered) = (try order([]), try order(["id > 100"]))
        #expect(source.knownRowCount(ofQueryStartingAt: sorted)?.isComplete == false)
        #expect(throws: JobCancelled.self) { try source.countRows(ofQueryStartingAt: sorted) { true } }
        let other = try order(["id > 300"])
        try source.countRows(ofQueryStartingAt: other) { false }
        #expect(try #require(source.knownRowCount(ofQueryStartingAt: other)) == (600, true))
        #expect(!source.snapshot().isComplete, "only the rows of the filter are counted")
        try source.readAll(threads: 1) { _ in true }
        #expect(source.order(sorted >> ServerSnapshot.positionBits)?.knownRowCount.isComplete == true)
        #expect(try #require(source.knownRowCount(ofQueryStartingAt: sorted)) == (900, true))
        #expect(source.knownRowCount(ofQueryStartingAt: filtered)?.isComplete == false)
        #expect(source.knownRowCount(ofQueryStartingAt: ServerSnapshot.firstRow(ofOrder: 99)) == nil)
    }

    @Test(
        arguments: [5, 700],
        [nil, "SELECT * FROM trades"])
    func `19.4: the last rows of a sort or filter are found before all rows are counted, even without a key`(count: Int, statement: String?)
        throws
    {
        let data = ServerData(count: 900, seed: 2)
        var opener = opener()
        opener.statement = statement
        let path = try sqlite(data) + (statement == nil ? "?table=trades" : "")
        let source = try #require(try opener.open(path: path) as? ServerTableSource)
        var query = Query()
        query.sort = [
            Query.SortKey(FieldID(rawValue: 2), by: .kind(.decimal, .point), isDescending: true),
            Query.SortKey(FieldID(rawValue: 0), by: .kind(.integer, .point)),
        ]
        for filters in [[], ["id > 400"]] {
            query.filters = try filters.map { try Filter($0, in: ServerData.schema).formula }
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
            let first = ServerSnapshot.firstRow(ofOrder: order.number)
            let tail = try source.tail(ofQueryStartingAt: first, atLeast: count) { false }
            #expect(!order.knownRowCount.isComplete, "the rows are not counted for it")
            let rows = try LocalQueryEngine(threads: 1).rows(
                of: data.table, schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: JobControl())
            let sorted = try #require(rows.rows).map { data.rows[$0] }
            #expect(texts(tail.records) == sorted.suffix(count))
            #expect(order.query.hasUniqueOrder == (statement == nil))
            // The rows are counted from the nearer end. Both ends have the same order.
            order.setCount(sorted.count)
            for start in stride(from: 0, to: sorted.count - 7, by: 93) {
                let part = try order.rows(start..<start + 7) { false }
                #expect(texts(part.map { Record($0) }) == Array(sorted[start..<start + 7]))
                let (request, _) = order.request(
                    for: start..<start + 7, of: order.segments.first, end: sorted.count, forwardOnly: false)
                #expect(statement == nil || (request == .last(7)) == (start > sorted.count / 2), "row \(start)")
            }
        }
        #expect(throws: ServerError.self) { try source.tail(ofQueryStartingAt: ServerSnapshot.firstRow(ofOrder: 99), atLeast: 1) { false } }
    }

    @Test func `19.4: a distant row of a filter is fetched before the count, and a missing row causes a count`() throws {
        let source = try source(try sqlite(ServerData(count: 2_000, seed: 2)) + "?table=trades")
        var query = Query()
        query.filters = [try Filter("id > 100", in: ServerData.schema).formula]
        let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        try source.seek(toPosition: 1_000, ofQueryStartingAt: first) { false }
        // The pages of rows 768 to 1,279.
        #expect(try #require(source.knownRowCount(ofQueryStartingAt: first)) == (1_280, false))
        #expect(source.pages.pageNumbers(ofOrder: order.number) == [3, 4])
        let rows = try source.snapshot().recordsWithoutWaiting(first + 1_000..<first + 1_002, maximumFieldBytes: 100)
        #expect(rows.map { $0?.fields[0].text } == ["1101", "1102"])
        try source.seek(toPosition: 1_950, ofQueryStartingAt: first) { false }
        #expect(try #require(source.knownRowCount(ofQueryStartingAt: first)) == (1_900, true) && !source.snapshot().isComplete)
        #expect(throws: JobCancelled.self) {
            try source.seek(toPosition: 1_950, ofQueryStartingAt: 0) { true }
        }
    }

    @Test func `19.4: the first rows of a filter remain visible if the filter is cancelled as soon as they are shown`() throws {
        let source = try source(try sqlite(ServerData(count: 900, seed: 2)) + "?table=trades")
        var query = Query()
        query.filters = [try Filter("id > 100", in: ServerData.schema).formula]
        let control = JobControl()
        let reports = Mutex([(count: Int, canStop: Bool, first: Int)]())
        #expect(throws: JobCancelled.self) {
            _ = try engine.rows(
                of: source.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: control
            ) { rows in
                reports.withLock { $0.append((rows.count, control.isCounting, rows[0])) }
                control.cancel()
            }
        }
        let found = reports.withLock { $0 }
        #expect(found[0].count == 64 && found[0].canStop, "\(found)")
        let first = found[0].first
        #expect(wait { source.knownRowCount(ofQueryStartingAt: first)?.count ?? 0 >= 256 }, "the rest of the first page is fetched")
        try source.countRows(ofQueryStartingAt: first) { false }
        #expect(try #require(source.knownRowCount(ofQueryStartingAt: first)) == (800, true))
        let rows = try source.snapshot().records(first..<first + 300, maximumFieldBytes: 100)
        #expect(rows.map { $0.fields[0].text } == (101...400).map(String.init))
        #expect(throws: ServerError.self) { try source.countRows(ofQueryStartingAt: ServerSnapshot.firstRow(ofOrder: 99)) { false } }
    }

    @Test func `19.4: dense keys of the first and last rows give an estimate of the row count, and sparse ones give none`() throws {
        #expect(try table(ids: "range(5, 4005) if i % 4").estimatedRecordCount.map { abs($0 - 3_000) < 50 } == true)
        try FileManager.default.removeItem(atPath: folder.path(of: "keys.db"))
        #expect(try table(ids: "range(5, 4005) if i % 4 == 0").estimatedRecordCount == nil)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: the row count of a view or a parent table is estimated by the query plan of the server`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE parent (id int); CREATE TABLE child () INHERITS (parent); INSERT INTO child SELECT generate_series(1, 5000);
            CREATE VIEW seen AS SELECT * FROM child WHERE id > 0; ANALYZE
            """)
        for name in ["parent", "seen"] {
            let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)")
            #expect(source.estimatedRecordCount == nil, "\(name)")
            try source.readAll(threads: 1) { _ in true }
            #expect(source.estimatedRecordCount.map { (4_000...6_000).contains($0) } == true, "\(name)")
        }
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled))
    func `19.4: if the server stops the count, the first rows of a filter remain, and later rows are fetched`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        // The last 100 rows take ten seconds.
        try server.psql("CREATE TABLE t AS SELECT i AS id FROM generate_series(1, 1600) i")
        try server.psql(
            "CREATE VIEW slow AS SELECT id FROM t WHERE CASE WHEN id <= 1500 THEN true ELSE pg_sleep(0.1)::text = '' END")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=slow&statement_timeout=3000")
        let schema = source.table.schema
        var query = Query()
        query.filters = [try Filter("id > 0", in: schema).formula]
        let error = #expect(throws: UncountedRows.self) {
            try engine.rows(
                of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        }
        let uncounted = try #require(error)
        #expect(uncounted.rows.count == 256 && uncounted.estimatedCount.map { $0 > 0 } == true)
        #expect((uncounted.reason as? ServerError)?.message.contains("statement_timeout") == true, "\(uncounted.reason)")
        let first = uncounted.rows[0]
        #expect(try #require(source.knownRowCount(ofQueryStartingAt: first)) == (256, false))
        _ = try source.snapshot().recordsWithoutWaiting(first..<first + 40, maximumFieldBytes: 100)
        #expect(wait { source.knownRowCount(ofQueryStartingAt: first)?.count ?? 0 >= 768 }, "the next pages are fetched")

        #expect(throws: ServerError.self) { try source.readAll(threads: 1) { _ in true } }
        #expect(!source.snapshot().isComplete && source.estimatedRecordCount.map { $0 > 0 } == true)
        try source.seek(toRecord: 700) { false }
        #expect(source.snapshot().recordCount > 700)
        #expect(try texts(source.snapshot().records(700..<701, maximumFieldBytes: 100), 1) == [["701"]])
        let end = #expect(throws: UnknownEndError.self) { try source.tail(atLeast: 10) }
        #expect(end?.message == "The table has no key, so the last rows cannot be shown until all are counted.")
        #expect(throws: UnknownEndError.self) { try source.tail(ofQueryStartingAt: first, atLeast: 10) { false } }
    }
}
