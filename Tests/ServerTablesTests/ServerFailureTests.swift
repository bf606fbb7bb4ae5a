import DataGridQuery
import EngineClient
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Failures while a table on a server is open")
struct ServerFailureTests {
    private func source(_ path: String) throws -> ServerTableSource {
        try #require(try ServerOpener(files: NoFiles(), helperPath: helperPath).open(path: path) as? ServerTableSource)
    }

    /// A server with the table `trades` of 1,000 rows, which the role `reader` may read.
    private func startServer() throws -> (server: PostgresServer, path: String) {
        let server = try PostgresServer()
        try server.psql(
            """
            CREATE ROLE reader LOGIN; CREATE TABLE trades (id int PRIMARY KEY, price int);
            INSERT INTO trades SELECT i, i % 7 FROM generate_series(1, 1000) AS i; GRANT SELECT ON trades TO reader
            """)
        return (server, "postgres://reader@127.0.0.1:\(server.port)/postgres/trades")
    }

    /// Checks that a job, a sort and the screen have the message, and that known rows stay.
    private func check(_ source: ServerTableSource, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (table, far) = (source.snapshot(), 600..<610)
        func expect(_ request: () throws -> Void) {
            let error = #expect(throws: ServerError.self, sourceLocation: sourceLocation) { try request() }
            #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
        }
        expect { _ = try table.records(far, maximumFieldBytes: 100) }
        expect {
            let schema = Schema((0..<2).map { Field(FieldID(rawValue: $0), name: source.title(ofColumn: $0), kind: .integer) })
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
            _ = try ServerQueryEngine(local: LocalQueryEngine(threads: 1)).rows(
                of: table, schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        }
        // The error of a page is reported for a second. Then the page is fetched again.
        usleep(1_100_000)
        expect {
            for _ in 0..<1_000 {
                _ = try table.recordsWithoutWaiting(far, maximumFieldBytes: 100)
                usleep(10_000)
            }
        }
        #expect(
            try table.recordsWithoutWaiting(0..<5, maximumFieldBytes: 100).allSatisfy { $0 != nil }, "known rows stay",
            sourceLocation: sourceLocation)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.9: a closed connection is replaced, and a message reports a stopped server`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try ServerData(count: 2_000, seed: 1).write(to: server, folder: try TemporaryFolder())
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades")
        try server.psql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gridview'")
        #expect(try source.snapshot().records(0..<5, maximumFieldBytes: 100).count == 5)
        #expect(source.base.knownRowCount.count == 256 && !source.needsReload, "it was replaced")
        server.stop()
        let error = #expect(throws: ServerError.self) { try source.readAll(threads: 1) { _ in true } }
        #expect(error?.message.contains("connect") == true, "\(error?.message ?? "")")
        #expect(source.needsReload)
        #expect(try source.snapshot().recordsWithoutWaiting(0..<5, maximumFieldBytes: 100).allSatisfy { $0 != nil }, "known rows stay")
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.9: a message about a changed table says what to do`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        let source = try source(path)
        try server.psql("REVOKE SELECT ON trades FROM reader")
        try check(source, "Access denied: permission denied for table trades. Reload to try again.")
        #expect(source.needsReload)
        try server.psql("GRANT SELECT ON trades TO reader")
        #expect(try source.snapshot().records(600..<610, maximumFieldBytes: 100).count == 10)
        #expect(!source.needsReload)

        try server.psql("ALTER TABLE trades DROP COLUMN price")
        try check(source, "The table has changed: column t.price does not exist. Reload it.")
        let reloaded = try self.source(path)
        #expect(reloaded.columnCount == 1)

        try server.psql("DROP TABLE trades")
        try check(source, "The table has changed: relation \"public.trades\" does not exist. Reload it.")
        let error = #expect(throws: ServerError.self) { try self.source(path) }
        #expect(error?.message.contains("does not exist in this database") == true, "\(error?.message ?? "")")
        let withDot = #expect(throws: ServerError.self) { try self.source(path + ".new") }
        #expect(withDot?.message.hasSuffix(" Names that contain dots need double quotes.") == true, "\(withDot?.message ?? "")")
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.9: a message reports rows that were deleted after they were counted`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        let source = try source(path)
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        #expect(table.recordCount == 1_000)
        try server.psql("DELETE FROM trades WHERE id > 450")
        var rows: [Record?] = [nil]
        for _ in 0..<1_000 where rows.contains(where: { $0 == nil }) {
            rows = try table.recordsWithoutWaiting(445..<455, maximumFieldBytes: 100)
            usleep(10_000)
        }
        #expect(rows.map { $0?[0]?.text } == ["446", "447", "448", "449", "450"], "a row that does not exist is not a row of NULLs")
        // Rows in the second half of a table are found from its end.
        for deleted in [450..<455, 470..<480] {
            let error = #expect(throws: ServerError.self) { try table.recordsWithoutWaiting(deleted, maximumFieldBytes: 100) }
            #expect(error?.message == "The table has changed: it has fewer rows. Reload it.")
        }
    }

    /// Requests rows until they have arrived, and then waits for an error that the table reports.
    private func failure(after range: Range<Int>, of source: ServerTableSource, firstText: String) throws -> String? {
        let table = source.snapshot()
        var rows: [Record?] = [nil]
        for _ in 0..<1_000 where rows.contains(where: { $0 == nil }) {
            rows = try table.recordsWithoutWaiting(range, maximumFieldBytes: 100)
            usleep(10_000)
        }
        #expect(rows.first??[0]?.text == firstText)
        for _ in 0..<500 {
            if let failure = source.consumeFailure() { return failure }
            usleep(10_000)
        }
        return nil
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: an old count is checked after a jump to the end, and a message reports the changed number of rows`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        let source = try source(path)
        try source.readAll(threads: 1) { _ in true }
        _ = try failure(after: 990..<1_000, of: source, firstText: "991")
        #expect(!source.base.needsCountCheck(), "the count is new")
        source.base.recordRowsFromEnd()
        #expect(source.base.needsCountCheck(now: .now + .seconds(11)))
        source.base.recordRowsFromEnd()
        #expect(!source.base.needsCountCheck(now: .now + .seconds(11)), "the check has not ended")
        #expect(try source.base.countChange() == nil, "no row was deleted")
        #expect(!source.base.needsCountCheck(now: .now + .seconds(11)), "no more rows were found from the end")

        // A count that takes two seconds is checked again after twenty seconds.
        let start = ContinuousClock.now
        var times = [start, start + .seconds(2)]
        let slowChange = try source.base.countChange { times.removeFirst() }
        #expect(slowChange == nil)
        for (second, isChecked) in [(21, false), (23, true)] {
            source.base.recordRowsFromEnd()
            #expect(source.base.needsCountCheck(now: start + .seconds(second)) == isChecked)
        }
        #expect(try source.base.countChange() == nil)

        try server.psql("DELETE FROM trades WHERE id > 980")
        source.base.recordRowsFromEnd()
        #expect(source.base.needsCountCheck(now: .now + .seconds(11)))
        #expect(try source.base.countChange() == .changedRowCount(to: 980, from: 1_000))
        source.base.recordRowsFromEnd()
        #expect(!source.base.needsCountCheck(now: .now + .seconds(11)), "the change is found once")
        #expect(source.consumeFailure() == nil)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: a message reports rows that were deleted from groups after they were counted`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        let source = try source(path)
        let schema = Schema((0..<2).map { Field(FieldID(rawValue: $0), name: source.title(ofColumn: $0), kind: .integer) })
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
        func order(sectionLimit: Int) throws -> ServerOrder {
            var engine = ServerQueryEngine(local: LocalQueryEngine(threads: 1))
            engine.sectionLimit = sectionLimit
            _ = try engine.rows(
                of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
            return source.latestOrder
        }
        let (complete, largest) = (try order(sectionLimit: 100), try order(sectionLimit: 2))
        #expect(complete.knownRowCount.count == 1_000 && largest.knownRowCount.count == 286)
        #expect(!complete.needsCountCheck(now: .now + .seconds(11)), "no rows were fetched")
        for order in [complete, largest] {
            // The last rows of the first group are found from its end.
            let rows = try order.rows(130..<142) { false }
            #expect(rows.count == 12)
        }
        #expect(complete.needsCountCheck(now: .now + .seconds(11)))
        #expect(!largest.needsCountCheck(now: .now + .seconds(11)), "a count has the rows of all groups")
        source.pages.checkCount(of: complete)
        #expect(source.consumeFailure() == nil, "no row was deleted")
        try server.psql("DELETE FROM trades WHERE id <= 400")
        source.pages.checkCount(of: complete)
        #expect(source.consumeFailure() == "The number of rows has changed: 600 instead of 1,000. Reload the table.")
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: a message reports rows that have moved to another group since they were counted`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        // Rows of a table without a key are found by their disk blocks.
        for (table, groups) in [("moves", 20), ("blocks", 7)] {
            try server.psql("CREATE TABLE \(table) AS SELECT id, id % \(groups) AS price FROM trades; GRANT SELECT ON \(table) TO reader")
        }
        let message = "The rows of the groups have changed, so some of them are left out. Reload the table."
        for (table, count) in [("trades", 142), ("moves", 50), ("blocks", 142)] {
            let source = try source(path.replacing("trades", with: table))
            let schema = Schema((0..<2).map { Field(FieldID(rawValue: $0), name: source.title(ofColumn: $0), kind: .integer) })
            var query = Query()
            query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
            let orders = try (0..<2).map { _ in
                _ = try ServerQueryEngine(local: LocalQueryEngine(threads: 1)).rows(
                    of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
                return source.latestOrder
            }
            _ = try orders[0].rows(0..<200) { false }
            #expect(!orders[0].consumeLongerSection() && orders[0].knownRowCount.count == 1_000)
            try server.psql("UPDATE \(table) SET price = 0 WHERE id = 1")
            // The last page of the first group is fetched with one row more, which is not shown.
            let expected = Array(repeating: SQLValue.text("0"), count: count) + Array(repeating: .text("1"), count: 8)
            #expect(try orders[0].rows(0..<count + 8) { false }.map { $0.cells[1] } == expected)
            #expect(orders[0].consumeLongerSection())
            var reported: String?
            for _ in 0..<1_000 where reported == nil {
                _ = try source.pages.records(0..<10, of: orders[0])
                usleep(10_000)
                reported = source.consumeFailure()
            }
            #expect(reported == message)
            source.pages.checkCount(of: orders[1])
            #expect(source.consumeFailure() == message, "the number of all rows is the same")
            // Few groups are read one by one, and many by one statement.
            func checkScan(of order: ServerOrder) {
                let error = #expect(throws: ServerError.self) {
                    try order.scan(0..<1_000, fields: [FieldID(rawValue: 0)], isCancelled: { false }) { _, _ in true }
                }
                #expect(error?.message == message, "\(table)")
            }
            checkScan(of: orders[1])
            // A receiver that has enough rows needs no message about later rows.
            try orders[1].scan(0..<1_000, fields: [FieldID(rawValue: 0)], isCancelled: { false }) { _, _ in false }
            _ = try ServerQueryEngine(local: LocalQueryEngine(threads: 1)).rows(
                of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
            let last = source.latestOrder
            try last.scan(0..<1_000, fields: [FieldID(rawValue: 0)], isCancelled: { false }) { _, _ in true }
            try server.psql("UPDATE \(table) SET price = (SELECT max(price) FROM \(table)) WHERE id = 2")
            checkScan(of: last)
        }
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: after rows were deleted, the rows before a known row are not shown at wrong positions`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        let source = try source(path)
        try source.readAll(threads: 1) { _ in true }
        try server.psql("DELETE FROM trades WHERE id > 450")
        // The last page is found from the end, and its first row is the 219th. The page before it has only 218 rows.
        let message = try failure(after: 990..<1_000, of: source, firstText: "441")
        #expect(message == "The table has changed: it has fewer rows. Reload it.")
        #expect(source.consumeFailure() == nil, "it is reported once")
        let error = #expect(throws: ServerError.self) {
            for _ in 0..<500 {
                _ = try source.snapshot().recordsWithoutWaiting(600..<610, maximumFieldBytes: 100)
                usleep(10_000)
            }
        }
        #expect(error?.message == "The table has changed: it has fewer rows. Reload it.")
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.9: a message says that the connection was lost while the rows were counted again`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        let source = try source(path)
        try source.readAll(threads: 1) { _ in true }
        try server.crash()
        source.pages.checkCount(of: source.base)
        #expect(source.needsReload)
        let failure = source.consumeFailure()
        #expect(failure?.hasPrefix("Cannot connect. Reload to connect again. Details: ") == true, "\(failure ?? "")")
        try server.restart()
        #expect(try source.base.countChange() == nil && !source.needsReload)
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.9: a message says that the server has stopped a statement`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            "CREATE VIEW slow AS SELECT i AS id, i + CASE WHEN i > 300 THEN length(pg_sleep(0.1)::text) ELSE 0 END AS price "
                + "FROM generate_series(1, 1000) AS i")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=slow&statement_timeout=2000")
        try check(source, "Stopped by the server: statements may take at most 2s (statement_timeout).")
        #expect(!source.needsReload, "the server would stop it again")
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.9: after a refused connection, gridview connects to the restarted server`() throws {
        let (server, path) = try startServer()
        defer { server.stop() }
        let source = try source(path)
        try server.crash()
        try check(source, "Cannot connect. Reload to connect again. Details: ")
        #expect(source.needsReload)
        let error = #expect(throws: ServerError.self) { try self.source(path) }
        #expect(error?.message.hasPrefix("Cannot connect. Check the host and the port") == true, "\(error?.message ?? "")")
        try server.restart()
        #expect(try source.snapshot().records(600..<610, maximumFieldBytes: 100).count == 10)
        #expect(!source.needsReload)
    }

    @Test func `19.9: a killed helper process is replaced, and a message reports the scan that was left incomplete`() throws {
        let folder = try TemporaryFolder()
        let data = ServerData(count: 45_000, seed: 5)
        try data.write(toSQLite: folder.path(of: "shop.db"))
        let source = try source("sqlite:\(folder.path(of: "shop.db"))?table=trades")
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        /// The process of the only connection.
        func helper() throws -> Int32 {
            let process: Int32? = try source.database.withConnection { $0.helperProcess }
            return try #require(process)
        }
        kill(try helper(), SIGKILL)
        #expect(try QueryComparison.texts(table, 30_000..<30_100) == Array(data.rows[30_000..<30_100]))

        let process = try helper()
        var count = 0
        let error = #expect(throws: ServerError.self) {
            try table.scan(0..<table.recordCount, columns: [0, 1, 2, 3, 4]) { _, _ in
                if count == 0 { kill(process, SIGKILL) }
                count += 1
                return true
            }
        }
        #expect(error?.message == "The database helper ended unexpectedly with signal 9. Reload to connect again.")
        #expect(count > 0 && count < table.recordCount)
        #expect(try QueryComparison.texts(table, 40_000..<40_100) == Array(data.rows[40_000..<40_100]))
    }
}
