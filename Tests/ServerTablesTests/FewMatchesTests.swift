import DataGridQuery
import Dispatch
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

/// Filters and searches that match few rows, in the order of an index without the filtered column. PostgreSQL expects that a third of the
/// rows match, and reads the index.
@Suite("Few matches in tables on servers", .enabled(if: PostgresServer.isInstalled))
struct FewMatchesTests: ServerSuite {
    let folder: TemporaryFolder
    private let server: PostgresServer
    /// The name of this test in the log of the server.
    private let name = "matches\(UInt32.random(in: 0 ... .max))"

    init() throws {
        folder = try TemporaryFolder()
        server = try Self.shared.get()
    }

    /// The server of all tests, started on first use.
    private static let shared = Result { try startServer() }

    /// Starts a server with a table. Each statement in its log begins with the name of the test.
    private static func startServer() throws -> PostgresServer {
        let server = try PostgresServer(settings: ["log_statement=all", "log_min_messages=log", "log_line_prefix=%a:", "autovacuum=off"])
        // 200,003 is a prime number, so the values are distinct.
        try server.psql(
            """
            CREATE TABLE t AS SELECT i AS id, CAST(CAST(i AS bigint) * 7919 % 200003 AS int) AS v, 'note ' || i AS note
            FROM generate_series(1, 200000) i;
            ALTER TABLE t ADD PRIMARY KEY (id); CREATE INDEX ON t (v)
            """)
        try server.psql("VACUUM ANALYZE t")
        return server
    }

    private let schema = Schema(
        ["id", "v", "note"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: $0 == 2 ? .text : .integer) })

    private func source(of table: String = "t") throws -> ServerTableSource {
        try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(table)?application_name=\(name)")
    }

    private func query(_ filter: String?, sortedBy column: Int = 1, limit: Int? = nil) throws -> Query {
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: column), by: column == 2 ? .text : .kind(.integer, .point))]
        if let filter { query.filters = [try Filter(filter, in: schema).formula] }
        query.rowLimit = limit
        return query
    }

    /// The statements with a condition that `body` has run, each in short form.
    private func statements(_ body: () throws -> Void) throws -> [String] {
        func log() throws -> [String] {
            try String(decoding: Data(contentsOf: URL(fileURLWithPath: server.folder + "/log")), as: UTF8.self)
                .lines(containing: " AS t WHERE ").filter { $0.hasPrefix(name + ":") && $0.contains("execute") }.map(String.init)
        }
        let before = try log().count
        try body()
        return try log().dropFirst(before).map { line in
            if line.contains("EXPLAIN") { return "plan" }
            if line.contains("count(*)") { return "count" }
            let limit = line.firstRange(of: " LIMIT ").map { " " + line[$0.upperBound...].prefix { $0.isNumber } } ?? ""
            return (line.contains(" OFFSET 0) AS t ") ? "filter" : "scan") + limit
        }
    }

    /// Runs a query.
    /// - Parameter timeLimit: the time limit of an index scan in milliseconds. The default is long.
    private func order(
        _ filter: String?, sortedBy column: Int = 1, timeLimit: UInt32 = 600_000, of source: ServerTableSource
    ) throws -> ServerOrder {
        var engine = engine
        engine.indexScanTimeLimit = timeLimit
        _ = try engine.rows(
            of: source.snapshot(), schema: schema, matching: try query(filter, sortedBy: column), earlierFilterResult: nil,
            control: JobControl(),
            report: nil)
        return source.latestOrder
    }

    /// Opens a table and runs a query whose index scan is cancelled after a millisecond. On a busy machine, the scan can end before the
    /// cancellation arrives, or can be cancelled before it starts. Therefore tries up to 20 times, each time with a newly opened table.
    /// - Returns: The table, the order of the query, and the statements of the last try.
    private func cancelledIndexScan(
        _ filter: String, of table: String = "t"
    ) throws -> (source: ServerTableSource, order: ServerOrder, statements: [String]) {
        var attempts = 0
        while true {
            attempts += 1
            let source = try source(of: table)
            var order = source.base
            let found = try statements { order = try self.order(filter, timeLimit: 1, of: source) }
            let isCancelled = ["scan", "filter"].allSatisfy { kind in found.contains { $0.hasPrefix(kind) } }
            if attempts == 20 || isCancelled { return (source, order, found) }
        }
    }

    private func ids(_ order: ServerOrder, _ range: Range<Int>) throws -> [String] {
        try order.rows(range) { false }.map { if case .text(let id) = $0.cells[0] { id } else { "" } }
    }

    private func expected(_ condition: String) throws -> [String] {
        try server.psql("SELECT id FROM t WHERE \(condition) ORDER BY v").split(separator: "\n").map(String.init)
    }

    @Test func `19.5: if no row matches, one scan replaces a slow index scan and also counts the rows`() throws {
        let (_, order, found) = try cancelledIndexScan("note contains* 'zzz'")
        #expect(found == ["scan 64", "filter 2048"])
        #expect(order.knownRowCount == (0, true) && order.filtersFirst)
    }

    @Test func `19.5: few matches are filtered before they are sorted if the index is slow or their number is known`() throws {
        let expected = try expected("note LIKE 'note 1234%'")
        let (source, cancelled, slow) = try cancelledIndexScan("note contains* 'NOTE 1234'")
        var order = cancelled
        #expect(slow == ["scan 64", "filter 2048"] && order.knownRowCount == (111, true))
        #expect(try ids(order, 0..<111) == expected)
        // The index scan is fast enough, but once they are counted, a scan is expected to take less time.
        let fast = try statements { order = try self.order("note contains* 'NOTE 1234'", of: source) }
        #expect(fast == ["scan 64", "scan 192"] && order.knownRowCount == (111, true) && order.filtersFirst)
        #expect(source.pages.statementRows(of: order) == 2_048)
        var rows: [String] = []
        let next = try statements { rows = try ids(order, 40..<80) }
        #expect(next == ["filter 40"] && rows == Array(expected[40..<80]))
        let statement = try order.statements(at: 0, rowCount: 30)[0].statement
        #expect(statement.text.contains(" OFFSET 0) AS t "), "the shown SQL is that of the page")
        // A scan for output reads all rows.
        var count = 0
        let output = try statements {
            try source.snapshot().scan(
                ServerSnapshot.firstRow(ofOrder: order.number)..<ServerSnapshot.firstRow(ofOrder: order.number) + 111, columns: [0]
            ) { _, fields in
                #expect(String(decoding: fields[0].bytes, as: UTF8.self) == expected[count])
                count += 1
                return true
            }
        }
        #expect(output == ["filter 111"] && count == 111)
    }

    @Test func `19.5: many matches are read from an index, even if the first of them is far from its start`() throws {
        let source = try source()
        var order = source.base
        let near = try statements { order = try self.order("v * 2 < 300000", of: source) }
        #expect(near == ["scan 64", "scan 192", "plan", "count"] && !order.filtersFirst)
        #expect(source.pages.statementRows(of: order) == 256)
        // 70,000 rows match, and all of them have values greater than those of the other rows.
        let expected = try expected("v * 2 > 260000")
        let indexScan = try cancelledIndexScan("v * 2 > 260000")
        order = indexScan.order
        #expect(indexScan.statements == ["scan 64", "filter 2048", "plan", "count"] && order.knownRowCount == (70_000, true))
        #expect(!order.filtersFirst, "the next page is near a known row")
        var rows: [String] = []
        let next = try statements { rows = try ids(order, 2_048..<2_304) }
        #expect(next.first == "scan 256" && rows == Array(expected[2_048..<2_304]), "\(next)")
    }

    @Test func `19.5: a distant page of thousands of matches is filtered before it is sorted if the index was slow`() throws {
        let expected = try expected("v * 2 > 300000")
        let (_, order, slow) = try cancelledIndexScan("v * 2 > 300000")
        #expect(slow == ["scan 64", "filter 2048", "plan", "count"] && order.knownRowCount == (expected.count, true))
        // Otherwise, the key before a page that skips more than 20,000 rows is searched in the index.
        #expect(expected.count > 45_256 && order.filtersFirst && !order.needsSpacedKeys(for: 25_000))
        var rows: [String] = []
        let far = try statements { rows = try ids(order, 25_000..<25_256) }
        #expect(far == ["filter 256"] && rows == Array(expected[25_000..<25_256]))
        #expect(try order.statements(at: 25_000, rowCount: 30).map(\.title) == ["Rows", "Number of rows"])
    }

    @Test func `19.5: the query plan of a view shows whether its table has an index in the order of the rows`() throws {
        try server.psql("CREATE VIEW seen AS SELECT id, v, note FROM t WHERE id > 0")
        let (source, cancelled, scan) = try cancelledIndexScan("note contains* 'zzz'", of: "seen")
        var order = cancelled
        #expect(scan == ["plan", "scan 2048", "filter 2048"] && order.knownRowCount == (0, true))
        let sort = try statements { order = try self.order("note contains* 'zzz'", sortedBy: 2, timeLimit: 1, of: source) }
        #expect(sort == ["plan", "scan 2048"] && order.knownRowCount == (0, true), "the server reads all rows anyway")
        let few = try statements { order = try self.order("note contains* 'NOTE 1234'", of: source) }
        #expect(few == ["plan", "scan 2048"] && order.knownRowCount == (111, true) && order.filtersFirst)
        let expected = try expected("note LIKE 'note 1234%'")
        var rows: [String] = []
        let next = try statements { rows = try ids(order, 40..<80) }
        #expect(next == ["filter 40"] && rows == Array(expected[40..<80]))
    }

    @Test(.timeLimit(.minutes(1)))
    func `19.2: if few rows match and the first row of output is late, rows are filtered before they are sorted`() throws {
        // Other tests read `t` at the same time, so a copy of it is locked.
        try server.psql("CREATE TABLE locked (LIKE t INCLUDING ALL); INSERT INTO locked SELECT * FROM t ORDER BY id")
        try server.psql("VACUUM ANALYZE locked")
        let source = try source(of: "locked")
        var engine = engine
        engine.indexScanTimeLimit = 1
        for (filter, condition, isFew) in [
            ("note contains* 'NOTE 1234'", "note LIKE 'note 1234%'", true), ("v * 2 > 260000", "v * 2 > 260000", false),
        ] {
            let expected = try expected(condition)
            let rows = try #require(
                try engine.rows(
                    of: source.snapshot(), schema: schema, matching: try query(filter, limit: 0), earlierFilterResult: nil,
                    control: JobControl(),
                    report: nil
                ).rows?.consecutive)
            // The first statement waits for the lock until its time limit. The lock is released when the count waits for it.
            let server = server
            let holder = "SELECT pid FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = 'locked'::regclass"
            let waiting = """
                SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%count(*)%' AND query LIKE '%locked%'
                """
            // The lock of the previous filter is released some time after its session was terminated.
            while try !server.psql(holder).isEmpty { usleep(10_000) }
            DispatchQueue.global().async { _ = try? server.psql("BEGIN; LOCK TABLE locked; SELECT pg_sleep(50); COMMIT") }
            while try server.psql(holder).isEmpty { usleep(10_000) }
            DispatchQueue.global().async {
                while (try? server.psql(waiting)) ?? "0" == "0" { usleep(10_000) }
                _ = try? server.psql("SELECT pg_terminate_backend(pid) FROM (\(holder)) AS h")
            }
            var ids: [String] = []
            let found = try statements {
                try source.snapshot().scan(rows.lowerBound..<rows.lowerBound + 1 << ServerSnapshot.positionBits, columns: [0]) {
                    _, fields in
                    ids.append(String(decoding: fields[0].bytes, as: UTF8.self))
                    return true
                }
            }
            // A statement that waits for a lock is not executed yet.
            #expect(found == ["count", isFew ? "filter" : "scan"], "\(filter)")
            #expect(ids == expected, "\(filter)")
        }
    }

    @Test func `19.5: a list of distinct values needs only one scan of the table`() throws {
        try server.psql(
            """
            CREATE TABLE e AS SELECT i AS id, NULLIF(i % 5, 0) AS v, (ARRAY['a', 'b', '', ' ', NULL])[i % 5 + 1] AS note
            FROM generate_series(1, 100) i
            """)
        let source = try source(of: "e")
        for (index, emptyCount, missingCount) in [(1, 20, 20), (2, 60, 20)] {
            var values: FrequencyTable?
            // A second scan would have a condition.
            let found = try statements {
                values = try engine.frequencies(of: schema.fields[index], in: source.snapshot(), rows: nil, control: JobControl())
            }
            #expect(values?.emptyCount == emptyCount && values?.missingCount == missingCount && found == [], "\(index): \(found)")
        }
    }

    @Test func `19.6: a search with few matches does not count as a slow index scan`() throws {
        let source = try source()
        let order = try order(nil, timeLimit: 1, of: source)
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        let all = RowSequence.runs([first..<first + 200_000])
        // All IDs of six digits are distinct, and no longer ID contains this one, so it has one match.
        let ids = try expected("TRUE")
        let last = try #require(ids.lastIndex { $0.utf8.count == 6 })
        for (text, place) in [("note " + ids[last], last), ("nothing", nil)] {
            var match: SearchMatch?
            let found = try statements {
                match = try engine.firstMatch(
                    of: .smartCase(text, columns: [2]), in: source.snapshot(), order: all, from: 0, direction: .forward,
                    control: JobControl())
            }
            #expect(match?.position == place)
            // The time limit can end before the server has logged the scan.
            #expect(found.first { $0 != "scan 1" } == "filter 1" && !order.filtersFirst, "\(text): \(found)")
        }
    }
}
