import DataGridQuery
import EngineProtocol
import FieldValues
import Foundation
import GridTestSupport
import Locks
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Pages of tables on servers")
struct PageTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let data = ServerData(count: 45_000, seed: 19)

    /// Waits until rows have arrived. Fails after ten seconds.
    private func waitForRows(_ table: ServerSnapshot, _ range: Range<Int>) throws -> [Record] {
        for _ in 0..<1_000 {
            let records = try table.recordsWithoutWaiting(range, maximumFieldBytes: 100).compactMap { $0 }
            if records.count == range.count { return records }
            usleep(10_000)
        }
        throw ServerError("the rows did not arrive")
    }

    @Test func `19.3: drawing a frame never waits for missing rows, and a function is called when they arrive`() throws {
        let source = try source(try sqlite(Self.data) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        #expect(
            try table.recordsWithoutWaiting(0..<50, maximumFieldBytes: 100).allSatisfy { $0 != nil }, "the first page comes with the table")
        let announced = DispatchSemaphore(value: 0)
        source.setRecordsArrivedHandler { announced.signal() }
        let range = 30_000..<30_040
        #expect(try table.recordsWithoutWaiting(range, maximumFieldBytes: 100).allSatisfy { $0 == nil })
        #expect(announced.wait(timeout: .now() + 10) == .success)
        #expect(texts(try waitForRows(table, range)) == Array(Self.data.rows[range]))
        // Only the newest request is fetched, with its neighbors.
        for start in stride(from: 0, to: 40_000, by: 700) {
            _ = try table.recordsWithoutWaiting(start..<start + 40, maximumFieldBytes: 100)
        }
        #expect(texts(try waitForRows(table, 39_000..<39_040)) == Array(Self.data.rows[39_000..<39_040]))
    }

    @Test func `19.4: a last page that is requested before the rows are counted is not reported as a change`() throws {
        let source = try source(try sqlite(ServerData(count: 300, seed: 5)) + "?table=trades")
        #expect(!source.base.knownRowCount.isComplete)
        // The rows are counted after the range of the page was chosen.
        let pages = PageCache(pageRows: 256) {
            source.base.setCount(300)
            return 0
        }
        var records: [Record?] = [nil]
        for _ in 0..<1_000 where records.contains(where: { $0 == nil }) {
            records = try pages.records(256..<512, of: source.base)
            usleep(10_000)
        }
        #expect(records.count == 44 && source.base.knownRowCount == (300, true))
        #expect(pages.consumeFailure() == nil)
    }

    @Test func `19.4: distant rows are found by the keys of every thousandth row`() throws {
        let source = try source(try sqlite(ServerData(count: 60_000, seed: 3)) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        #expect(!source.base.needsSpacedKeys(for: 1_000), "a near row needs none")
        #expect(source.base.needsSpacedKeys(for: 30_000) && !source.base.needsSpacedKeys(for: 30_000), "only once")
        try source.base.fetchSpacedKeys { false }
        let rows = try source.base.rows(30_500..<30_510) { false }
        #expect(rows.map { $0.cells[0] } == (30_501...30_510).map { .integer($0) })
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.4: distant rows are found by an index of the first sort key`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 8 > 0 THEN i * 7919 % 3001 END AS many, i % 2 AS few
            FROM generate_series(1, 60000) i;
            ALTER TABLE t ADD PRIMARY KEY (id); CREATE INDEX ON t (many); CREATE INDEX ON t (few);
            """)
        try server.psql("VACUUM ANALYZE t")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/t")
        try source.readAll(threads: 1) { _ in true }
        for (column, isDescending) in [(1, false), (1, true), (2, false), (2, true)] {
            let field = FieldID(rawValue: column)
            var query = Query()
            query.sort = [Query.SortKey(field, by: .kind(.integer, .point), isDescending: isDescending)]
            let name = ["many", "few"][column - 1]
            let sorted = try server.psql("SELECT id FROM t ORDER BY \(name) \(isDescending ? "DESC" : "ASC") NULLS LAST, id")
            let expected = sorted.split(separator: "\n").map { SQLValue.text(String($0)) }
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: 60_000)
            #expect(order.query.isIndexedByFirstKeyOnly)
            func titles() throws -> [String] { try order.statements(at: 25_000, rowCount: 300).map(\.title) }
            #expect(try titles() == ["First sort value of the page", "Number of rows"])
            func check(_ position: Int) throws {
                let rows = try order.rows(position..<position + 300) { false }
                #expect(rows.map { $0.cells[0] } == Array(expected[position..<position + 300]), "row \(position) by \(name)")
            }
            for position in [25_000, 38_123, 57_000] { try check(position) }
            #expect(try titles() == ["Rows", "Number of rows"])
            #expect(order.knownKeyCount > (column == 1 ? 6 : 5), "the pages have two keys each, and first keys were found")
            try order.fetchSpacedKeys { false }
            #expect(order.knownKeyCount > 40)
            for position in [31_000, 21_500, 48_999, 20_001, 59_700] { try check(position) }
        }
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.3: rows sorted without an index arrive in several pages at once`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE TABLE t AS SELECT i AS id, -i AS a FROM generate_series(1, 5000) i; ALTER TABLE t ADD PRIMARY KEY (id)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/t")
        try source.readAll(threads: 1) { _ in true }
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
        let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: 5_000)
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        _ = try waitForRows(source.snapshot(), first + 3_000..<first + 3_010)
        let page = try source.snapshot().recordsWithoutWaiting(first + 2_048..<first + 4_096, maximumFieldBytes: 100)
        #expect(page.allSatisfy { $0 != nil } && page.first??.fields[0].text == "2952" && page.last??.fields[0].text == "905")
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.3: the first rows of a filter are shown before the rest of their page`() throws {
        let server = try PostgresServer(settings: ["log_statement=all", "log_min_messages=log"])
        defer { server.stop() }
        try server.psql("CREATE TABLE t AS SELECT i AS id, i % 10 AS a FROM generate_series(1, 5000) i; ALTER TABLE t ADD PRIMARY KEY (id)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/t")
        let schema = source.table.schema
        func filtered(_ condition: String) throws -> (reported: [Int], rows: [String], statements: [Substring]) {
            func log() throws -> [Substring] {
                try String(decoding: Data(contentsOf: URL(fileURLWithPath: server.folder + "/log")), as: UTF8.self)
                    .filledLines.filter { $0.hasSuffix("LIMIT 64") || $0.hasSuffix("LIMIT 192") }
            }
            var query = Query()
            query.filters = [try Filter(condition, in: schema).formula]
            let reported = Mutex<[Int]>([])
            let before = try log().count
            let found = try #require(
                try engine.rows(
                    of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(),
                    report: { rows in reported.withLock { $0.append(rows.count) } }
                ).rows)
            let statements = try log().dropFirst(before)
            let page = try source.snapshot().recordsWithoutWaiting(found[0]..<found[0] + min(256, found.count), maximumFieldBytes: 100)
            return (reported.withLock { $0 }, page.map { $0?.fields[0].text ?? "" }, Array(statements))
        }
        let most = try filtered("a > 0")
        #expect(most.reported == [64, 256] && most.rows == (1...284).filter { $0 % 10 > 0 }.prefix(256).map(String.init))
        // The second statement continues after the 64th row.
        #expect(most.statements.count == 2 && most.statements[0].hasSuffix("LIMIT 64") && most.statements[1].hasSuffix("LIMIT 192"))
        let few = try filtered("id <= 100")
        #expect(few.reported == [64] && few.rows == (1...100).map(String.init) && few.statements.count == 2)
        let screen = try filtered("id <= 64")
        #expect(screen.reported == [64] && screen.rows.count == 64 && screen.statements.count == 2)
        let fewer = try filtered("id <= 63")
        #expect(fewer.reported == [] && fewer.rows == (1...63).map(String.init) && fewer.statements.count == 1)
        // The first rows of a sort are not reported early, because a sort needs all rows in any case.
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
        let reported = Mutex<[Int]>([])
        _ = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(),
            report: { rows in reported.withLock { $0.append(rows.count) } })
        #expect(reported.withLock { $0.first } ?? 0 > 256)
    }

    @Test func `19.3: rows that are much longer than the first rows are fetched in several statements`() throws {
        let path = folder.path(of: "long.db")
        let texts = (0..<16).map { "c\($0) TEXT" }.joined(separator: ", ")
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute('CREATE TABLE long (id INTEGER PRIMARY KEY, n INTEGER, \(texts))')
            rows = ([i, -i] + ['x' * (1 if i <= 300 else 1000)] * 16 for i in range(1, 3001))
            c.executemany('INSERT INTO long VALUES (' + ', '.join('?' * 18) + ')', rows)
            c.commit()
            """
        try programOutput("/usr/bin/env", ["python3", "-c", script, path])
        let source = try source("sqlite:\(path)?table=long")
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
        let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
        #expect(source.pages.statementRows(of: order) == 2_048)
        // These rows have 32 MB.
        let rows = try order.rows(0..<2_048) { false }
        #expect(rows.map { Record($0)[0]?.text } == (0..<2_048).map { "\(3_000 - $0)" })
        #expect(source.pages.statementRows(of: order) < 2_048, "the next statement fetches fewer rows")
    }

    @Test func `19.3: the cache of pages stays within its budget`() throws {
        let source = try source(try sqlite(Self.data) + "?table=trades")
        let cache = PageCache(pageRows: 100, budget: 200_000)
        for number in 0..<50 {
            let range = number * 100..<number * 100 + 100
            cache.add(try source.base.rows(range) { false }, of: source.base, for: range)
        }
        #expect(cache.byteCount <= 200_000 && cache.byteCount > 100_000)
    }

    @Test func `19.3: the rest of a page is fetched if a stopped query has fetched only its first rows`() throws {
        let source = try source(try sqlite(Self.data) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        let cache = PageCache(pageRows: 100)
        cache.add(try source.base.rows(0..<64) { false }, of: source.base, for: 0..<64)
        #expect(try cache.records(60..<70, of: source.base).map { $0 == nil } == (60..<70).map { $0 >= 64 }, "these rows exist")
        for _ in 0..<1_000 where try cache.records(64..<70, of: source.base).contains(where: { $0 == nil }) { usleep(10_000) }
        #expect(try cache.records(0..<100, of: source.base).allSatisfy { $0 != nil })
    }

    @Test func `19.3: the next pages in the direction of scrolling are fetched first`() throws {
        let cache = PageCache(pageRows: 100)
        func neighbors(_ first: Int, pageCount: Int = 1_000) -> [Int] {
            cache.neighbors(of: first..<first + 40, inOrder: 1, pageCount: pageCount)
        }
        #expect(neighbors(20_000) == [201, 199, 202], "after a jump, the pages at each side come first")
        #expect(neighbors(20_040) == [201, 202, 199] && neighbors(20_040) == [201, 202, 199], "the same rows again keep the direction")
        #expect(neighbors(20_080) == [202, 203, 199], "the rows are on two pages")
        #expect(neighbors(20_070) == [199, 198, 202] && neighbors(20_000) == [199, 198, 201])
        #expect(cache.neighbors(of: 20_040..<20_080, inOrder: 2, pageCount: 1_000) == [201, 199, 202], "another order")
        // One row of the next screen is requested before all of its rows, and those that have not arrived are requested again.
        #expect(cache.neighbors(of: 50_020..<50_021, inOrder: 2, pageCount: 1_000) == [501, 499, 502])
        #expect(cache.neighbors(of: 50_000..<50_040, inOrder: 2, pageCount: 1_000) == [501, 499, 502])
        #expect(cache.neighbors(of: 50_010..<50_040, inOrder: 2, pageCount: 1_000) == [501, 499, 502])
        #expect(cache.neighbors(of: 50_040..<50_041, inOrder: 2, pageCount: 1_000) == [501, 502, 499], "the line below the screen")
        #expect(neighbors(50) == [1, 2] && neighbors(20) == [1] && neighbors(0, pageCount: 1) == [])
        #expect(neighbors(99_800) == [999, 997] && neighbors(99_850) == [999, 997] && neighbors(99_950) == [998])
        // The snapshots of a table request the same neighbors.
        let source = try source(try sqlite(Self.data) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        func pages(after first: Int, _ expected: Set<Int>) throws -> Bool {
            for _ in 0..<1_000 {
                _ = try cache.records(first..<first + 40, of: source.base)
                if cache.pageNumbers(ofOrder: 0) == expected { return true }
                usleep(10_000)
            }
            return false
        }
        #expect(try pages(after: 20_000, [199, 200, 201, 202]) && pages(after: 20_110, [199, 200, 201, 202, 203]))
        #expect(try pages(after: 20_010, [198, 199, 200, 201, 202, 203]), "198 and 199 are above")
    }

    @Test func `19.3: pages that a job fetches are not also fetched for the screen`() throws {
        let source = try source(try sqlite(Self.data) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        let cache = PageCache(pageRows: 100)
        func waitForPages(_ range: Range<Int>, _ expected: Set<Int>) throws -> Bool {
            for _ in 0..<1_000 {
                _ = try cache.records(range, of: source.base)
                if cache.pageNumbers(ofOrder: 0).isSuperset(of: expected) { return true }
                usleep(10_000)
            }
            return false
        }
        try cache.withPages(100..<300, of: source.base, isCancelled: { false }) { range throws -> Void in
            #expect(range == 100..<300)
            let hasNeighbor = try waitForPages(250..<290, [3])
            #expect(hasNeighbor && cache.pageNumbers(ofOrder: 0).isDisjoint(with: [1, 2]))
            // Another job waits for this one.
            #expect(throws: ServerDatabase.Interrupted.self) {
                try cache.withPages(200..<400, of: source.base, isCancelled: { true }) { _ -> Void in Issue.record("the job ran") }
            }
            // It does not wait for a page that it does not need.
            #expect(try cache.withPages(0..<200, of: source.base, isCancelled: { true }) { $0 } == 0..<100)
        }
        #expect(try waitForPages(150..<290, [1, 2]), "the job has not added them")
        // The next page is in the cache.
        cache.add(try source.base.rows(9_100..<9_200) { false }, of: source.base, for: 9_100..<9_200)
        #expect(try cache.withPages(9_000..<9_200, of: source.base, isCancelled: { true }) { $0 } == 9_000..<9_100)
    }

    @Test func `19.3: no job fetches a page that a statement for several pages of a sort already fetches`() throws {
        let source = try source(try sqlite(Self.data) + "?table=trades")
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 3), by: .kind(.integer, .point))]
        let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
        // The cache asks for the time when a statement for the screen starts.
        let start = Mutex<(@Sendable () -> Void)?>(nil)
        let cache = PageCache(
            pageRows: 100,
            now: {
                start.withLock { $0 }?()
                return 1_000
            })
        #expect(cache.statementRows(of: order) == 800)
        let waits = Mutex<[Bool]>([])
        defer { start.withLock { $0 = nil } }
        start.withLock { start in
            start = {
                let pages = [1, 7, 8].map { page -> Bool in
                    let range = page * 100..<page * 100 + 100
                    return (try? cache.withPages(range, of: order, isCancelled: { true }) { _ in }) == nil
                }
                waits.withLock { if $0.isEmpty { $0 = pages } }
            }
        }
        for _ in 0..<1_000 where !cache.pageNumbers(ofOrder: order.number).contains(0) {
            _ = try cache.records(0..<40, of: order)
            usleep(10_000)
        }
        #expect(waits.withLock { $0 } == [true, true, false], "the statement fetches the pages 0 to 7")
        for _ in 0..<1_000 {
            if (try? cache.withPages(100..<200, of: order, isCancelled: { true }) { _ in }) != nil { return }
            usleep(10_000)
        }
        Issue.record("The pages of the statement are still reserved.")
    }

    @Test func `19.3: each row has the fetch time of the statement that fetched its page`() throws {
        let source = try source(try sqlite(Self.data) + "?table=trades")
        let time = Mutex(1_000)
        let cache = PageCache(pageRows: 100, now: { time.withLock { $0 } })
        cache.add(try source.base.rows(0..<200) { false }, of: source.base, for: 0..<200)
        time.withLock { $0 = 2_000 }
        cache.add(try source.base.rows(100..<200) { false }, of: source.base, for: 100..<200)
        #expect([50, 150, 250].map { cache.requestTime(ofRow: $0, inOrder: 0) } == [1_000, 2_000, nil])
        #expect(cache.requestTime(ofRow: 50, inOrder: 1) == nil)
        #expect(source.fetchTime(ofRow: 0) != nil && source.fetchTime(ofRow: 40_000) == nil && source.fetchTime(ofRow: -1) == nil)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.3: the fetch time of rows is the start of their statement, however long it took`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE VIEW slow AS SELECT i AS id FROM generate_series(1, 600) AS i, pg_sleep(1)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/slow")
        func age(_ row: Int) throws -> Int {
            let time = try #require(source.fetchTime(ofRow: row))
            return EnginePlatform.secondsSince1970() - time
        }
        #expect(try age(0) >= 1, "rows fetched by opening the table")
        try source.seek(toRecord: 300) { false }
        #expect(try age(300) >= 1, "rows fetched by seeking")
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 0), by: .kind(.integer, .point), isDescending: true)]
        let schema = Schema([Field(FieldID(rawValue: 0), name: "id", kind: .integer)])
        let result = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        let rows = try #require(result.rows)
        #expect(try age(rows[0]) >= 1, "rows fetched by a sort")
    }
}
