import DataGridQuery
import EngineClient
import EngineProtocol
import FieldValues
import Foundation
import GridTestSupport
import Locks
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Tables on servers", .serialized)
struct ServerTableTests {
    let folder: TemporaryFolder
    let data = ServerData(count: 45_000, seed: 19)
    let local = LocalQueryEngine(threads: 2)
    var engine: ServerQueryEngine { ServerQueryEngine(local: local) }

    init() throws { folder = try TemporaryFolder() }

    private func opener() -> ServerOpener<NoFiles> { ServerOpener(files: NoFiles(), helperPath: helperPath) }

    private func source(_ path: String) throws -> ServerTableSource { try #require(try opener().open(path: path) as? ServerTableSource) }

    private func sqlite(_ data: ServerData) throws -> String {
        let path = folder.path(of: "shop.db")
        try data.write(toSQLite: path)
        return "sqlite:\(path)"
    }

    private func texts(_ records: [Record], _ columns: Int = 5) -> [[String?]] {
        records.map { record in (0..<columns).map { record[$0]?.text } }
    }

    // MARK: The contract

    /// Compares everything that the program asks of a table and of its engine with the same table in memory.
    private func check(_ source: ServerTableSource, _ data: ServerData, queries: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        #expect((0..<source.columnCount).map(source.title) == ServerData.schema.fields.map(\.name))
        #expect(source.snapshot().recordCount < data.rows.count && !source.snapshot().isComplete)
        let far = data.rows.count / 3 * 2
        try source.seek(toRecord: far) { false }
        #expect(source.snapshot().recordCount > far && !source.snapshot().isComplete, "a far row is known before the rows are counted")
        #expect(texts(try source.snapshot().records(far..<far + 1, maximumFieldBytes: 100)) == [data.rows[far]])
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        #expect(table.recordCount == data.rows.count && table.isComplete)
        #expect(texts(try source.tail(atLeast: 10).records) == Array(data.rows.suffix(10)))
        // Random ranges are far and near, forward and backward.
        for _ in 0..<25 {
            let start = Int.random(in: 0..<data.rows.count, using: &random)
            let range = start..<min(data.rows.count, start + Int.random(in: 1...300, using: &random))
            #expect(texts(try table.records(range, maximumFieldBytes: 100)) == Array(data.rows[range]), "\(range)")
        }
        var number = 0
        try table.scan(0..<table.recordCount, columns: [4, 0]) { record, fields in
            let row = data.rows[record]
            if fields[0].isMissing != (row[4] == nil) || String(decoding: fields[1].bytes, as: UTF8.self) != row[0] { return false }
            number += 1
            return true
        }
        #expect(number == data.rows.count)
        for place in 0..<queries { try check(try data.randomQuery(&random), source, data, "query \(place)", &random) }
    }

    private func check(
        _ query: Query, _ source: ServerTableSource, _ data: ServerData, _ name: String, _ random: inout SplitMix64
    ) throws {
        let (schema, control) = (ServerData.schema, JobControl())
        let expected = try local.rows(of: data.table, schema: schema, matching: query, known: nil, control: control)
        let found = try engine.rows(of: source.snapshot(), schema: schema, matching: query, known: nil, control: control, report: nil)
        let order = expected.rows.map { Array($0) } ?? Array(data.rows.indices)
        let rows = found.rows ?? RowNumbers(consecutive: 0..<data.rows.count)
        try #require(rows.count == order.count, "\(name): \(query)")
        let table = source.snapshot()
        func records(_ range: Range<Int>) throws -> [[String?]] {
            guard !range.isEmpty else { return [] }
            return texts(try table.records(rows[range.lowerBound]..<rows[range.lowerBound] + range.count, maximumFieldBytes: 100))
        }
        for start in [0, max(0, order.count - 150), Int.random(in: 0...max(0, order.count - 1), using: &random)] {
            let range = start..<min(order.count, start + 150)
            #expect(try records(range) == order[range].map { data.rows[$0] }, "\(name): \(query) \(range)")
        }
        if let groups = expected.groups {
            let others = try #require(found.groups)
            #expect(Array(others.groups) == Array(groups.groups), "\(name): \(query)")
            for index in groups.groups.indices {
                #expect(
                    zip(groups.aggregates(ofGroup: index), others.aggregates(ofGroup: index)).allSatisfy { Self.isClose($0, $1) },
                    "\(name) \(index)")
            }
        }
        guard !order.isEmpty else { return }
        // The neighbors of a row.
        let sequence = found.rows.map { RowSequence($0) } ?? .all
        let permutation = expected.rows.map { RowSequence($0) } ?? .all
        let start = Int.random(in: order.indices, using: &random)
        let search = TextSearch.smartCase("note 7")
        for direction in [SearchDirection.forward, .backward] {
            let match = try local.firstMatch(
                of: search, in: data.table, order: permutation, from: start, direction: direction, control: control)
            let other = try engine.firstMatch(of: search, in: table, order: sequence, from: start, direction: direction, control: control)
            #expect(other?.position == match?.position && other?.column == match?.column, "\(name): \(query) from \(start) \(direction)")
            let field = FieldID(rawValue: 1)
            #expect(
                try engine.firstDifference(in: field, of: table, order: sequence, from: start, direction: direction, control: control)
                    == local.firstDifference(
                        in: field, of: data.table, order: permutation, from: start, direction: direction, control: control), "\(name)")
        }
        guard query.groups.isEmpty else { return }
        #expect(
            Array(try engine.positions(matching: search, in: table, order: sequence, control: control) { _ in })
                == Array(try local.positions(matching: search, in: data.table, order: permutation, control: control) { _ in }), "\(name)")
        let fields = schema.fields
        let statistics = try engine.statistics(
            of: fields, in: table, rows: found.rows, exactLimit: 1 << 20, topCount: 3, details: [.quantiles], control: control)
        let others = try local.statistics(
            of: fields, in: data.table, rows: expected.rows, exactLimit: 1 << 20, topCount: 3, details: [.quantiles], control: control)
        for (a, b) in zip(statistics, others) {
            #expect(a.recordCount == b.recordCount && a.valueCount == b.valueCount && a.distinct == b.distinct, "\(name) \(a.column)")
            #expect(a.emptyCount == b.emptyCount + b.missingCount && a.top.map(\.count) == b.top.map(\.count), "\(name) \(a.column)")
            for (x, y) in [(a.minimum, b.minimum), (a.maximum, b.maximum), (a.mean, b.mean)] {
                #expect(Self.isClose(x, y), "\(name) \(a.column): \(x), not \(y)")
            }
        }
        let frequencies = try engine.frequencies(of: fields[3], in: table, rows: found.rows, control: control)
        let reference = try local.frequencies(of: fields[3], in: data.table, rows: expected.rows, control: control)
        #expect(frequencies.count == reference.count && frequencies.emptyCount == reference.emptyCount, "\(name)")
        if Int.random(in: 0..<8, using: &random) == 0 { try checkDerivedFields(name, table, data, found, expected) }
        if let rows = found.rows, rows.count > 1 {
            // An order of rows moved by hand.
            let moved = RowNumbers(Array(rows).reversed(), ofRows: data.rows.count)
            #expect(try engine.frequencies(of: fields[3], in: table, rows: moved, control: control).recordCount == rows.count, "\(name)")
        }
        for place in 0..<min(5, reference.count) {
            #expect(frequencies.entry(place, byValue: true) == reference.entry(place, byValue: true), "\(name)")
        }
    }

    /// Servers round some computed numbers in another way.
    static func isClose(_ a: AggregateValue, _ b: AggregateValue) -> Bool {
        func number(_ value: AggregateValue) -> Double? {
            switch value {
            case .none, .record: nil
            case .integer(let number): Double(number)
            case .decimal(let number): number
            case .exact(let number): number.double
            }
        }
        guard let x = number(a), let y = number(b) else { return number(a) == nil && number(b) == nil }
        return abs(x - y) <= 1e-9 * max(1, abs(x))
    }

    @Test("19.3, 19.4, 19.5: a table of SQLite behaves like the same table in memory")
    func sqliteContract() throws {
        try check(try source(try sqlite(data) + "?table=trades"), data, queries: 25, seed: 1)
    }

    @Test(
        "19.3, 19.4, 19.5: a table of PostgreSQL behaves like the same table in memory, with and without a key",
        .enabled(if: PostgresServer.isInstalled), arguments: ["trades", "plain"])
    func postgresContract(name: String) throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let data = ServerData(count: 45_000, seed: 20, isSQLite: false)
        try data.write(to: server, folder: folder)
        try check(try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)"), data, queries: 15, seed: 2)
    }

    @Test("19.6: a table of Citus has no row addresses and behaves as in memory", .enabled(if: PostgresServer.isInstalled))
    func citus() throws {
        // gridview recognizes Citus by its settings.
        let server = try PostgresServer(settings: ["citus.shard_count=32"])
        defer { server.stop() }
        let data = ServerData(count: 2_000, seed: 23, isSQLite: false)
        try data.write(to: server, folder: folder)
        for name in ["trades", "plain"] {
            let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)")
            #expect(source.dialect.name == "Citus" && !source.base.query.usesBlocks)
            #expect(source.facts.contains { $0.name == "server" && $0.value.hasPrefix("PostgreSQL (Citus) ") })
            try QueryComparison(data).check(source, queries: 5)
        }
    }

    // MARK: Pages

    /// Waits until rows have arrived. Fails after ten seconds.
    private func arrive(_ table: ServerSnapshot, _ range: Range<Int>) throws -> [Record] {
        for _ in 0..<1_000 {
            let records = try table.recordsAtHand(range, maximumFieldBytes: 100).compactMap { $0 }
            if records.count == range.count { return records }
            usleep(10_000)
        }
        throw ServerError("the rows did not arrive")
    }

    @Test("19.3: a frame never waits: rows that are not there arrive later, and are announced")
    func arrivals() throws {
        let source = try source(try sqlite(data) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        #expect(try table.recordsAtHand(0..<50, maximumFieldBytes: 100).allSatisfy { $0 != nil }, "the first page comes with the table")
        let announced = DispatchSemaphore(value: 0)
        source.onArrival { announced.signal() }
        let range = 30_000..<30_040
        #expect(try table.recordsAtHand(range, maximumFieldBytes: 100).allSatisfy { $0 == nil })
        #expect(announced.wait(timeout: .now() + 10) == .success)
        #expect(texts(try arrive(table, range)) == Array(data.rows[range]))
        // Only the newest request is fetched, with its neighbors.
        for start in stride(from: 0, to: 40_000, by: 700) { _ = try table.recordsAtHand(start..<start + 40, maximumFieldBytes: 100) }
        #expect(texts(try arrive(table, 39_000..<39_040)) == Array(data.rows[39_000..<39_040]))
    }

    @Test("19.4: far rows are found by the keys of every thousandth row")
    func spacedKeys() throws {
        let source = try source(try sqlite(ServerData(count: 60_000, seed: 3)) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        #expect(!source.base.needsSpacedKeys(for: 1_000), "a near row needs none")
        #expect(source.base.needsSpacedKeys(for: 30_000) && !source.base.needsSpacedKeys(for: 30_000), "only once")
        try source.base.fetchSpacedKeys { false }
        let rows = try source.base.rows(30_500..<30_510) { false }
        #expect(rows.map { $0.cells[0] } == (30_501...30_510).map { .integer($0) })
    }

    @Test("19.4: far rows are found by an index of the first sort key", .enabled(if: PostgresServer.isInstalled))
    func firstKeys() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            """
            CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 8 > 0 THEN i * 7919 % 3001 END AS many, i % 2 AS few FROM generate_series(1, 60000) i;
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
            func check(_ position: Int) throws {
                let rows = try order.rows(position..<position + 300) { false }
                #expect(rows.map { $0.cells[0] } == Array(expected[position..<position + 300]), "row \(position) by \(name)")
            }
            for position in [25_000, 38_123, 57_000] { try check(position) }
            #expect(order.knownKeyCount > (column == 1 ? 6 : 5), "the pages have two keys each, and first keys were found")
            try order.fetchSpacedKeys { false }
            #expect(order.knownKeyCount > 40)
            for position in [31_000, 21_500, 48_999, 20_001, 59_700] { try check(position) }
        }
    }

    @Test("19.3: rows sorted without an index arrive in several pages at once", .enabled(if: PostgresServer.isInstalled))
    func sortedPages() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE TABLE t AS SELECT i AS id, -i AS a FROM generate_series(1, 5000) i; ALTER TABLE t ADD PRIMARY KEY (id)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/t")
        try source.readAll(threads: 1) { _ in true }
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
        let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: 5_000)
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        _ = try arrive(source.snapshot(), first + 3_000..<first + 3_010)
        let page = try source.snapshot().recordsAtHand(first + 2_048..<first + 4_096, maximumFieldBytes: 100)
        #expect(page.allSatisfy { $0 != nil } && page.first??.fields[0].text == "2952" && page.last??.fields[0].text == "905")
    }

    @Test("19.3: the cache of pages stays within its budget")
    func budget() throws {
        let source = try source(try sqlite(data) + "?table=trades")
        let cache = PageCache(pageRows: 100, budget: 100_000)
        for number in 0..<50 {
            let range = number * 100..<number * 100 + 100
            cache.add(try source.base.rows(range) { false }, of: source.base, for: range)
        }
        #expect(cache.byteCount <= 100_000 && cache.byteCount > 50_000)
    }

    @Test("19.3: the next two pages in the direction of scrolling are fetched first")
    func neighbors() throws {
        let cache = PageCache(pageRows: 100)
        func neighbors(_ first: Int, pageCount: Int = 1_000) -> [Int] {
            cache.neighbors(of: first..<first + 40, inOrder: 1, pageCount: pageCount)
        }
        #expect(neighbors(20_000) == [201, 199], "after a jump, one page at each side")
        #expect(neighbors(20_040) == [201, 202] && neighbors(20_040) == [201, 202], "the same rows again keep the direction")
        #expect(neighbors(20_080) == [202, 203], "the rows are on two pages")
        #expect(neighbors(20_070) == [199, 198] && neighbors(20_000) == [199, 198])
        #expect(cache.neighbors(of: 20_040..<20_080, inOrder: 2, pageCount: 1_000) == [201, 199], "another order")
        #expect(neighbors(50) == [1] && neighbors(20) == [1] && neighbors(0, pageCount: 1) == [])
        #expect(neighbors(99_800) == [999, 997] && neighbors(99_850) == [999, 997] && neighbors(99_950) == [998])
        // The same with a table.
        let source = try source(try sqlite(data) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        func pages(after first: Int, _ expected: Set<Int>) throws -> Bool {
            for _ in 0..<1_000 {
                _ = try cache.records(first..<first + 40, of: source.base)
                if cache.pageNumbers(ofOrder: 0) == expected { return true }
                usleep(10_000)
            }
            return false
        }
        #expect(try pages(after: 20_000, [199, 200, 201]) && pages(after: 20_110, [199, 200, 201, 202, 203]))
        #expect(try pages(after: 20_010, [198, 199, 200, 201, 202, 203]), "198 and 199 are above")
    }

    @Test("19.3: each row has the time of the statement that fetched its page") func ages() throws {
        let source = try source(try sqlite(data) + "?table=trades")
        let time = Mutex(1_000)
        let cache = PageCache(pageRows: 100, now: { time.withLock { $0 } })
        cache.add(try source.base.rows(0..<200) { false }, of: source.base, for: 0..<200)
        time.withLock { $0 = 2_000 }
        cache.add(try source.base.rows(100..<200) { false }, of: source.base, for: 100..<200)
        #expect([50, 150, 250].map { cache.time(ofRow: $0, inOrder: 0) } == [1_000, 2_000, nil])
        #expect(cache.time(ofRow: 50, inOrder: 1) == nil)
        #expect(source.fetchTime(ofRow: 0) != nil && source.fetchTime(ofRow: 40_000) == nil && source.fetchTime(ofRow: -1) == nil)
    }

    // MARK: Names and secrets

    @Test(
        "19.8: the facts advise to verify an encrypted server",
        arguments: [("require", true), ("verify-ca", true), ("verify-full", false)])
    func encryption(mode: String, isAdvised: Bool) {
        var info = ServerInfo(product: "PostgreSQL", version: "15", properties: ["encryption": "TLSv1.3", "sslmode": mode])
        #expect(info.encryptionFact == (isAdvised ? "TLSv1.3; sslmode=verify-full also verifies the server" : "TLSv1.3"))
        info.properties["encryption"] = ""
        #expect(info.encryptionFact == nil)
    }

    @Test("19.1: a database opens as a list of its tables, unusual names included")
    func catalog() throws {
        let path = try sqlite(ServerData(count: 10, seed: 1))
        let opener = opener()
        let list = try opener.open(path: path)
        #expect(texts(try list.snapshot().records(0..<2, maximumFieldBytes: 100), 3).map { $0[1] } == ["quoted \"name\".x", "trades"])
        let quoted = try opener.open(path: try #require(list.path(ofTableInRecord: 0)))
        #expect(quoted.name == "quoted \"name\".x" && quoted.snapshot().recordCount == 1)
        #expect(throws: ServerError.self) { try opener.open(path: path + "?table=none") }
    }

    @Test("19.8: a password is never part of a path, and is found again", .enabled(if: PostgresServer.isInstalled))
    func secrets() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE ROLE locked LOGIN PASSWORD 'se/cret'; CREATE TABLE open (a int); GRANT SELECT ON open TO locked")
        let opener = opener()
        let path = opener.publicPath("postgres://locked:se%2Fcret@127.0.0.1:\(server.port)/postgres")
        #expect(!path.contains("cret"))
        let list = try opener.open(path: path)
        let table = try opener.open(path: try #require(list.path(ofTableInRecord: 0)))
        #expect(table.name == "public.open" && table.location?.contains("cret") == false)
        #expect(!table.facts.contains { $0.value.contains("cret") })
        #expect(throws: PasswordNeeded.self) { try self.opener().open(path: path) }
    }

    @Test("19.8, 19.9: a typed password is kept with the open database only", .enabled(if: PostgresServer.isInstalled))
    func typedPassword() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE ROLE locked LOGIN PASSWORD 'se/cret'; CREATE TABLE open (a int); GRANT SELECT ON open TO locked")
        let opener = opener()
        let path = "postgres://locked@127.0.0.1:\(server.port)/postgres?passfile=/dev/null"
        let needed = try #require(throws: PasswordNeeded.self) { try opener.open(path: path) }
        #expect(!needed.isRefused && needed.account == "locked@127.0.0.1" && needed.message.contains("~/.pgpass"))
        needed.supply("wrong")
        let refused = try #require(throws: PasswordNeeded.self) { try opener.open(path: path) }
        #expect(refused.isRefused && refused.message.contains("password authentication failed") && refused.message.contains("~/.pgpass"))
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

    /// Compares statistics of derived fields that the query does not use. One needs the other.
    private func checkDerivedFields(
        _ name: String, _ table: any Table, _ data: ServerData, _ found: QueryResult, _ expected: QueryResult
    ) throws {
        let (schema, control) = (ServerData.schema, JobControl())
        let twice = try DerivedField("twice = count * 2", id: .firstDerived, in: schema)
        let more = try DerivedField(
            "more = twice + 1", id: FieldID(rawValue: FieldID.firstDerived.rawValue + 1), in: Schema(schema.fields + [twice.field]))
        let derivation = CompiledDerivedFields([twice, more], schema: schema)
        let (remote, inMemory) = (DerivedTable(table, derivation), DerivedTable(data.table, derivation))
        let computed = try engine.statistics(
            of: [more.field], in: remote, rows: found.rows, exactLimit: 1 << 20, topCount: 3, details: [], control: control)[0]
        let other = try local.statistics(
            of: [more.field], in: inMemory, rows: expected.rows, exactLimit: 1 << 20, topCount: 3, details: [], control: control)[0]
        #expect(computed.valueCount == other.valueCount && computed.distinct == other.distinct, "\(name)")
        #expect(Self.isClose(computed.maximum, other.maximum) && Self.isClose(computed.mean, other.mean), "\(name)")
        let computedValues = try engine.frequencies(of: more.field, in: remote, rows: found.rows, control: control)
        #expect(
            try computedValues.count == local.frequencies(of: more.field, in: inMemory, rows: expected.rows, control: control).count,
            "\(name)")
    }

    @Test("19.6: a search that is cancelled ends on the server", .enabled(if: PostgresServer.isInstalled), .timeLimit(.minutes(1)))
    func cancelledSearch() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql(
            "CREATE VIEW slow AS SELECT i AS id, 'x' || i || coalesce(pg_sleep(CASE WHEN i > 300 THEN 0.01 END)::text, '') AS text "
                + "FROM generate_series(1, 100000) AS i")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/slow")
        let control = JobControl()
        let start = ContinuousClock.now
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { control.cancel() }
        #expect(throws: JobCancelled.self) {
            try engine.firstMatch(
                of: .smartCase("nothing", columns: [1]), in: source.snapshot(), order: .all, from: 0, direction: .forward, control: control)
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'gridview' AND state = 'active'") == "0")
    }

    @Test("19.9: opening stops when it is cancelled", .enabled(if: PostgresServer.isInstalled), .timeLimit(.minutes(1)))
    func cancelledOpening() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        // The statement waits for a lock until it is cancelled.
        try server.psql("CREATE TABLE held (a int); INSERT INTO held VALUES (1)")
        let holder = try lock("held", on: server)
        defer { holder.terminate() }
        let start = ContinuousClock.now
        #expect(throws: (any Error).self) {
            try opener().open(path: "postgres://postgres@127.0.0.1:\(server.port)/postgres/held") {
                ContinuousClock.now - start > .seconds(1)
            }
        }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    /// Locks a table, so that statements wait for it. Ends the lock when the process is terminated.
    private func lock(_ table: String, on server: PostgresServer) throws -> Process {
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = [
            PostgresServer.programs + "/psql", "-X", "-q", "-h", server.folder, "-p", "\(server.port)", "-U", "postgres", "-c",
            "BEGIN; LOCK TABLE \(table); SELECT pg_sleep(100)",
        ]
        holder.standardOutput = FileHandle.nullDevice
        try holder.run()
        while try server.psql("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted") == "0" { usleep(10_000) }
        return holder
    }

    @Test(
        "19.9: statements that the user did not request have a time limit", .enabled(if: PostgresServer.isInstalled),
        .timeLimit(.minutes(1)))
    func timeLimits() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE TABLE held AS SELECT i AS id FROM generate_series(1, 45000) i; ALTER TABLE held ADD PRIMARY KEY (id)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/held")
        try source.readAll(threads: 1) { _ in true }
        let holder = try lock("held", on: server)
        defer { holder.terminate() }
        #expect(source.base.needsSpacedKeys(for: 22_500))
        #expect(throws: ServerError.timedOut) { try source.base.fetchSpacedKeys(timeLimit: 200) { false } }
        #expect(!source.base.needsSpacedKeys(for: 22_500), "a slow scan is not repeated")
        var query = Query()
        query.filters = [try Filter("id = 7", in: Schema([Field(FieldID(rawValue: 0), name: "id", kind: .integer)])).formula]
        let compiled = try CompiledQuery(query, of: source.table, in: source.dialect)
        #expect(try engine.estimatedRowCount(of: compiled.shown, in: source.database, JobControl(), timeLimit: 200) == nil)
        #expect(
            try server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'gridview' AND state = 'active'") == "0")
    }

    @Test(
        "19.1: other URLs are named with the way in",
        arguments: [
            ("mysql://root:pw@host/db", "'adbc:mysql?uri=…'"), ("mariadb://host", "MariaDB"), ("mysql+pymysql://host", "MySQL"),
            ("sqlserver://host;database=x", "'adbc:mssql?uri=…'"), ("mongodb://host", "mongoexport"), ("mongodb+srv://host", "mongoexport"),
            ("redis://host", "Redis has no tables"), ("https://user:pw@host/a.csv", "curl -sSL URL | gridview"), ("HTTP://host", "curl"),
            ("s3://bucket/pw.csv", "aws s3 cp"), ("jdbc:postgresql://host/db?password=pw", "postgres://user@host/database"),
            ("jdbc:oracle:thin:pw@host", "adbc:DRIVER"), ("file://server/a.csv", "absolute path"), ("what://host", "what:// is unknown"),
        ])
    func foreignURLs(url: String, text: String) throws {
        let error = try #require(throws: ServerError.self) { try opener().open(path: url) }
        #expect(error.message.contains(text) && !error.message.contains("pw") && error.message.hasSuffix("."), "\(error.message)")
        #expect(error.message.count { $0 == "." } < 6 && !error.message.contains(". "), "one sentence")
    }

    @Test("19.1: paths are not taken for URLs, and a file: URL is a path")
    func localPaths() {
        for path in ["a.csv", "/data/a:b.csv", "data.db:trades", "logs/*.csv", "C:/a", "http.csv", "file.csv", "x/y://z", ""] {
            #expect(ForeignURL.advice(for: path) == nil && ForeignURL.localPath(path) == path, "\(path)")
        }
        #expect(ForeignURL.localPath("file:///home/me/a%20b.csv") == "/home/me/a b.csv")
        #expect(ForeignURL.localPath("FILE://localhost/a.db:trades") == "/a.db:trades" && ForeignURL.localPath("file:/a") == "/a")
        #expect(ForeignURL.localPath("file:///a%zz") == "file:///a%zz" && ForeignURL.localPath("file://") == "file://")
    }

    @Test("19.9: a closed connection is replaced, and a stopped server gives a message", .enabled(if: PostgresServer.isInstalled))
    func lostConnection() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try ServerData(count: 2_000, seed: 1).write(to: server, folder: folder)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades")
        try server.psql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gridview'")
        #expect(try source.snapshot().records(0..<5, maximumFieldBytes: 100).count == 5)
        #expect(source.base.known.count == 256)
        server.stop()
        let error = #expect(throws: ServerError.self) { try source.readAll(threads: 1) { _ in true } }
        #expect(error?.message.contains("connect") == true, "\(error?.message ?? "")")
        #expect(try source.snapshot().recordsAtHand(0..<5, maximumFieldBytes: 100).allSatisfy { $0 != nil }, "known rows stay")
    }

    @Test("19.1: the result of a statement is a table")
    func statement() throws {
        let path = try sqlite(ServerData(count: 600, seed: 1))
        var opener = opener()
        opener.statement = "select symbol, count(*) as n from trades group by symbol order by 1 -- all"
        let result = try opener.open(path: path)
        try result.readAll(threads: 1) { _ in true }
        #expect(result.snapshot().recordCount == 6 && (0..<2).map(result.title) == ["symbol", "n"])
        opener.statement = "delete from trades"
        #expect(throws: ServerError.self) { try opener.open(path: path) }
    }

    @Test("19.5: of too many groups, the largest are shown, and the result tells it")
    func largestGroups() throws {
        var opener = opener()
        // The groups have from 1 to 20 rows.
        opener.statement =
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) "
            + "select a.i as size, b.i as item from n as a join n as b on b.i <= a.i"
        let source = try #require(try opener.open(path: try sqlite(ServerData(count: 1, seed: 1))) as? ServerTableSource)
        let schema = Schema(["size", "item"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .text) })
        func result(levels: Int, limit: Int = 100_000, outerLimit: Int = 1_000) throws -> (groups: GroupResult, rows: RowNumbers) {
            var engine = ServerQueryEngine(local: local)
            var query = Query()
            (engine.sectionLimit, engine.outerSectionLimit) = (limit, outerLimit)
            query.groups = (0..<levels).map { Query.GroupKey(FieldID(rawValue: $0), by: .text) }
            let found = try engine.rows(
                of: source.snapshot(), schema: schema, matching: query, known: nil, control: JobControl(), report: nil)
            return (try #require(found.groups), try #require(found.rows))
        }
        for levels in 1...2 {
            let all = try result(levels: levels, limit: levels == 1 ? 20 : 230, outerLimit: 20)
            #expect(all.groups.omission == nil && all.rows.count == 210 && all.groups.groups.count == (levels == 1 ? 20 : 230))
        }
        let largest = try result(levels: 1, limit: 10)
        #expect(largest.groups.omission == "Only the 10 largest groups are shown, largest first.")
        #expect(largest.groups.groups.map(\.key) == (11...20).reversed().map(String.init) && largest.rows.count == 155)
        let rows = try source.snapshot().records(largest.rows[0]..<largest.rows[0] + 155, maximumFieldBytes: 100)
        let sizes: [String] = (11...20).reversed().flatMap { size in [String](repeating: "\(size)", count: size) }
        #expect(rows.map { $0[0]?.text ?? "" } == sizes)
        let counts = try ServerQueryEngine(local: local).statistics(
            of: schema.fields, in: source.snapshot(), rows: largest.rows, exactLimit: 100, topCount: 0, details: [], control: JobControl())
        #expect(counts[0].recordCount == 155, "rows of other groups do not count")
        let sections = try source.statements(ofViewWithRow: largest.rows[0], withPlans: false) { false }[0]
        #expect(sections.title == "Sections" && sections.text.contains("q.n DESC"), "\(sections.text)")
        let outer = try result(levels: 2, outerLimit: 3)
        #expect(outer.groups.omission == "Only the 3 largest outer groups are shown, largest first.")
        #expect(outer.groups.groups.filter { $0.level == 0 }.map(\.key) == ["20", "19", "18"] && outer.rows.count == 57)
        // The first groups by text are 1, 10 and 11, with an inner group for each of their rows.
        let first = try result(levels: 2, limit: 24)
        #expect(first.groups.omission == "Only the first 24 groups are shown." && first.rows.count == 21)
        #expect(first.groups.groups.filter { $0.level == 0 }.map(\.rows) == [0..<1, 1..<11, 11..<21])
        let two = try result(levels: 2, limit: 14)
        #expect(two.groups.omission == "Only the first 13 groups are shown." && two.rows.count == 11, "no outer group is empty")
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
            of: result.snapshot(), schema: schema, matching: query, known: nil, control: JobControl(), report: nil)
        #expect(found.rows?.count == 1)
    }

    @Test("19.1: columns of a statement with equal names differ in SQLite") func equalNames() throws {
        try checkEqualNames(
            try sqlite(ServerData(count: 1, seed: 1)), titles: ["id", "id 3", "id 2", "ID 4"], kind: .text,
            filter: "#2 = '20' and #4 = '102'")
    }

    @Test("19.1: columns of a statement with equal names differ in PostgreSQL", .enabled(if: PostgresServer.isInstalled))
    func equalNamesInPostgres() throws {
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
            of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: JobControl(), report: nil)
        let rows = try #require(result.rows)
        let statements = try source.statements(ofViewWithRow: rows[0], withPlans: true) { false }
        #expect(statements.map(\.title) == ["Rows", "Number of rows"])
        #expect(try run(statements[0].text).count == min(256, rows.count) && run(statements[1].text) == ["\(rows.count)"])
        #expect(statements[0].text.contains("WHERE "), "\(statements[0].text)")
        #expect(statements[0].text.contains("'It''s'"), "\(statements[0].text)")
        #expect(plan.contains { word in statements[0].plan.contains { $0.contains(word) } }, "\(statements[0].plan)")
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        let groups = try engine.rows(
            of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: JobControl(), report: nil)
        let grouped = try source.statements(ofViewWithRow: try #require(groups.rows)[0], withPlans: false) { false }
        #expect(grouped.map(\.title) == ["Sections", "Rows of a section"] && grouped.allSatisfy(\.plan.isEmpty))
        #expect(try run(grouped[0].text).count == 1)
        #expect(try source.statements(ofViewWithRow: nil, withPlans: false) { false } == grouped, "the latest view")
    }

    @Test("19.5: the SQL of a view can be run by the server's own tools, with its plan", .enabled(if: PostgresServer.isInstalled))
    func statements() throws {
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

    @Test("19.4: PostgreSQL estimates filtered rows before they are counted", .enabled(if: PostgresServer.isInstalled))
    func estimates() throws {
        let path = try sqlite(ServerData(count: 9_000, seed: 6))
        #expect(try estimatedRows(of: source(path + "?table=trades")) == nil)
        let server = try PostgresServer()
        defer { server.stop() }
        try ServerData(count: 9_000, seed: 6, isSQLite: false).write(to: server, folder: folder)
        let estimate = try estimatedRows(of: source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades"))
        #expect(estimate.map { (1..<9_000).contains($0) } == true, "\(estimate ?? -1)")
    }

    private func estimatedRows(of source: ServerTableSource) throws -> Int? {
        var query = Query()
        query.filters = [try Filter("symbol = 'Gold'", in: ServerData.schema).formula]
        let control = JobControl()
        _ = try engine.rows(
            of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: control, report: nil)
        return control.estimatedRowCount
    }

    @Test("19.4: a snapshot shows the rows of its time until it is taken again", .enabled(if: PostgresServer.isInstalled))
    func snapshot() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try ServerData(count: 2_000, seed: 1).write(to: server, folder: folder)
        var opener = opener()
        opener.takesSnapshots = true
        let path = "postgres://postgres@127.0.0.1:\(server.port)/postgres/trades"
        let frozen = try #require(try opener.open(path: path) as? ServerTableSource)
        #expect(frozen.rowsLabel?.hasPrefix("snapshot ") == true && frozen.estimatedRecordCount == 2_000)
        #expect(frozen.fetchTime(ofRow: 0) == nil, "rows of a snapshot do not become old")
        try server.psql("update trades set symbol = 'changed'; delete from trades where id > 1000")
        try frozen.readAll(threads: 1) { _ in true }
        #expect(frozen.snapshot().recordCount == 2_000)
        let rows = try frozen.snapshot().records(1_500..<1_600, maximumFieldBytes: 100)
        #expect(rows.count == 100 && rows.allSatisfy { $0[1]?.text != "changed" })
        // A failed statement closes only its own connection.
        #expect(throws: ServerError.self) { try frozen.database.rows(SQLStatement(text: "select 1/0")) }
        #expect(try frozen.snapshot().records(1_900..<2_000, maximumFieldBytes: 100).count == 100)
        let now = try opener.open(path: path)
        try now.readAll(threads: 1) { _ in true }
        #expect(now.snapshot().recordCount == 1_000)
        #expect(try now.snapshot().records(0..<1, maximumFieldBytes: 100)[0][1]?.text == "changed")
        // The connection that holds the snapshot is lost.
        try server.psql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gridview'")
        let error = #expect(throws: ServerError.self) { try frozen.snapshot().records(0..<5, maximumFieldBytes: 100) }
        #expect(error?.message.contains("snapshot") == true, "\(error?.message ?? "")")
        #expect(throws: ServerError.self) { try opener.open(path: try self.sqlite(self.data) + "?table=trades") }
    }

    @Test("19.5: what the server cannot do is refused with a reason")
    func refusals() throws {
        let source = try source(try sqlite(ServerData(count: 600, seed: 1)) + "?table=trades")
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        query.aggregates = [Query.Aggregate(.median, of: FieldID(rawValue: 2), kind: .decimal)]
        let error = #expect(throws: ServerError.self) {
            try engine.rows(
                of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: JobControl(), report: nil)
        }
        #expect(error?.message.contains("SQLite") == true, "\(error?.message ?? "")")
        let control = JobControl()
        control.cancel()
        query.aggregates = []
        #expect(throws: JobCancelled.self) {
            try engine.rows(of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: control, report: nil)
        }
    }
}

/// An opener without files.
struct NoFiles: TableOpener {
    func open(path: String) throws -> any TableSource { throw ServerError("no file \(path)") }
    func makeScratchFile() throws -> any ScratchFile { throw ServerError("no scratch file") }
}
