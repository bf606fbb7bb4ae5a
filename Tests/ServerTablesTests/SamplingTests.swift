import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

/// Far rows of PostgreSQL that are shown before their positions are known.
@Suite("Sampled rows of tables on servers", .enabled(if: PostgresServer.isInstalled))
struct SamplingTests: ServerSuite {
    let folder: TemporaryFolder
    private let server: PostgresServer
    /// The name of this test in the log of the server.
    private let name = "sampling\(UInt32.random(in: 0 ... .max))"

    init() throws {
        folder = try TemporaryFolder()
        server = try Self.shared.get()
    }

    /// The server of all tests, started on first use.
    private static let shared = Result { try startServer() }

    /// Starts a server with tables. Each statement in its log begins with the name of the test.
    private static func startServer() throws -> PostgresServer {
        let server = try PostgresServer(settings: ["log_statement=all", "log_min_messages=log", "log_line_prefix=%a:", "autovacuum=off"])
        // 30 % of the values are NULL, a fifth is 7, and the others are skewed. A quarter of the texts is blank.
        try server.psql(
            """
            CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 10 < 3 THEN NULL WHEN i % 10 < 5 THEN 7
            ELSE CAST(power(CAST(i AS bigint) * 7919 % 99991 / 1000.0, 3) AS int) END AS v,
            CASE WHEN i % 4 = 0 THEN repeat(' ', i % 3) ELSE 's' || CAST(i AS bigint) * 31 % 100003 END COLLATE "C" AS s, i % 2 AS few
            FROM generate_series(1, \(count)) i;
            ALTER TABLE t ADD PRIMARY KEY (id); CREATE INDEX ON t (v); CREATE INDEX ON t (s); CREATE INDEX ON t (few);
            CREATE TABLE pairs (a int, b int, PRIMARY KEY (a, b));
            CREATE TABLE names (n text COLLATE "und-x-icu" PRIMARY KEY);
            INSERT INTO names SELECT CASE WHEN i % 2 = 0 THEN 'ä' ELSE 'B' END || CAST(i AS bigint) * 7919 % 1000003
            FROM generate_series(1, \(count)) i;
            INSERT INTO pairs SELECT i % 3, CAST(i AS bigint) * 7919 % 1000003 FROM generate_series(1, \(count)) i;
            """)
        try server.psql("VACUUM ANALYZE t, pairs, names")
        return server
    }

    private static var count: Int { 200_000 }

    private func open(_ table: String = "t") throws -> ServerTableSource {
        let source = try uncounted(table)
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    private func uncounted(_ table: String) throws -> ServerTableSource {
        try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(table)?application_name=\(name)")
    }

    /// Polls a condition. Fails after ten seconds.
    private func wait<T>(_ what: String, _ body: () throws -> T?) throws -> T {
        for _ in 0..<1_000 {
            if let found = try body() { return found }
            usleep(10_000)
        }
        throw ServerError("\(what) did not arrive")
    }

    /// The texts of some columns of a row; `nil` until it has arrived.
    private static func id(_ record: Record?, _ columns: [Int]) -> String? {
        let texts = columns.compactMap { record?[$0]?.text }
        return texts.count == columns.count ? texts.joined(separator: " ") : nil
    }

    private func ids(_ source: ServerTableSource, _ range: Range<Int>, columns: [Int] = [0]) throws -> [String] {
        try wait("rows") {
            let records = try source.snapshot().recordsWithoutWaiting(range, maximumFieldBytes: 100).compactMap { Self.id($0, columns) }
            return records.count == range.count ? records : nil
        }
    }

    /// The greatest number of rows that a statement of this test for a page has skipped.
    private func longestSkip() throws -> Int {
        let log = try String(decoding: Data(contentsOf: URL(fileURLWithPath: server.folder + "/log")), as: UTF8.self)
        return log.lines(containing: " OFFSET ").filter { $0.hasPrefix(name + ":") }.compactMap { line in
            line.firstRange(of: " OFFSET ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }.max() ?? 0
    }

    /// A position of the scroll bar in an order of a table. The order is given as a sort key and as SQL.
    struct ScrollPosition: CustomTestStringConvertible {
        var table = "t"
        var key: (column: Int, comparison: Query.Comparison)?
        var isDescending = false
        var sql: String
        var fraction = 0.5

        var testDescription: String { "\(sql) at \(fraction)" }
    }

    private static let number = Query.Comparison.kind(.integer, .point)

    static let scrollPositions = [
        ScrollPosition(sql: "id"), ScrollPosition(key: (1, number), sql: "v NULLS LAST, id"),
        ScrollPosition(key: (1, number), isDescending: true, sql: "v DESC NULLS LAST, id"),
        ScrollPosition(key: (2, .text), sql: "btrim(s) = '', CASE WHEN btrim(s) > '' THEN s END, id"),
        // These positions are within the value 7, NULL, blank texts, one of two values, and the first column of a key.
        ScrollPosition(key: (1, number), sql: "v NULLS LAST, id", fraction: 0.15),
        ScrollPosition(key: (1, number), sql: "v NULLS LAST, id", fraction: 0.8),
        ScrollPosition(key: (1, number), isDescending: true, sql: "v DESC NULLS LAST, id", fraction: 0.6),
        ScrollPosition(key: (2, .text), sql: "btrim(s) = '', CASE WHEN btrim(s) > '' THEN s END, id", fraction: 0.88),
        ScrollPosition(key: (3, number), sql: "few, id", fraction: 0.25),
        ScrollPosition(key: (3, number), isDescending: true, sql: "few DESC, id", fraction: 0.7),
        ScrollPosition(table: "pairs", sql: "a, b"),
        // The names are sorted by bytes, so B is before ä.
        ScrollPosition(table: "names", sql: "n", fraction: 0.3),
    ]

    @Test(arguments: scrollPositions)
    func `A13: rows near a value from the statistics are shown first, and stay visible when they are counted`(_ test: ScrollPosition) throws
    {
        let source = try open(test.table)
        var order = source.base
        if let key = test.key {
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: key.column), by: key.comparison, isDescending: test.isDescending)]
            order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: Self.count)
        }
        let columns = test.table == "pairs" ? [0, 1] : [0]
        let id = ["pairs": "a || ' ' || b", "names": "n"][test.table] ?? "id"
        let expected = try server.psql("SELECT \(id) FROM \(test.table) ORDER BY \(test.sql)").split(separator: "\n").map(String.init)
        let (first, middle) = (ServerSnapshot.firstRow(ofOrder: order.number), Int(Double(Self.count) * test.fraction))
        func ids(_ range: Range<Int>) throws -> [String] { try self.ids(source, range, columns: columns) }
        let place = first + middle
        let sampled = try #require(source.beginSampling(atRow: place))
        #expect(sampled.contains(place) && sampled.count <= 10_000 && sampled.lowerBound > first)
        let visible = place..<place + 30
        let shown = try ids(visible)
        let position = try #require(expected.firstIndex(of: shown[0]))
        #expect(abs(position - middle) <= Self.count / 20, "row \(position)")
        // The rows on both sides are contiguous with the shown rows.
        for shift in [300, -300, 700] {
            let rows = try ids(place + shift..<place + shift + 30)
            #expect(rows == Array(expected[position + shift..<position + shift + 30]), "\(shift)")
        }
        let shift = try wait("position") { () -> Int? in
            switch source.sampledPositions(showing: visible) {
            case .exact(let shift): shift
            case .approximate: nil
            case .none: throw ServerError("the sampled rows ended")
            }
        }
        #expect(shift == position - middle)
        let exact = try source.snapshot().recordsWithoutWaiting(
            visible.lowerBound + shift..<visible.upperBound + shift, maximumFieldBytes: 100)
        #expect(exact.map { Self.id($0, columns) } == shown, "the rows are at hand at their exact positions")
        #expect(try longestSkip() <= 1_000)
        // The position of the row is known now.
        #expect(source.beginSampling(atRow: place + shift + 1_000) == nil)
    }

    @Test(arguments: [nil, 1])
    func `A13: distant rows are sampled before counting, and all rows before a sampled row become known`(column: Int?) throws {
        let source = try uncounted("t")
        var order = source.base
        if let column {
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: column), by: Self.number)]
            order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
        }
        let sql = column == nil ? "id" : "v NULLS LAST, id"
        let expected = try server.psql("SELECT id FROM t ORDER BY \(sql)").split(separator: "\n").map(String.init)
        let place = ServerSnapshot.firstRow(ofOrder: order.number) + Self.count / 2
        let sampled = try #require(source.beginSampling(atRow: place))
        #expect(sampled.contains(place) && !order.knownRowCount.isComplete && order.knownRowCount.count <= 256)
        #expect(source.snapshot().availableRecords(in: place..<place + 30) == place..<place + 30)
        let visible = place..<place + 30
        let shown = try ids(source, visible)
        let position = try #require(expected.firstIndex(of: shown[0]))
        #expect(abs(position - Self.count / 2) <= Self.count / 20, "row \(position)")
        let shift = try wait("position") { () -> Int? in
            switch source.sampledPositions(showing: visible) {
            case .exact(let shift): shift
            case .approximate: nil
            case .none: throw ServerError("the sampled rows ended")
            }
        }
        #expect(shift == position - Self.count / 2)
        #expect(order.knownRowCount.count >= position + 30 && order.knownRowCount.count % 256 == 0 && !order.knownRowCount.isComplete)
        #expect(try ids(source, visible.lowerBound + shift..<visible.upperBound + shift) == shown)
        #expect(try longestSkip() <= 1_000)
    }

    @Test func `A13: a page between rows with the same frequent value has the same rows as without sampling`() throws {
        let source = try open()
        func order() throws -> ServerOrder {
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: 1), by: Self.number)]
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: Self.count)
            order.addKnownKey(RowKey([.text("7"), .text("100003")]), at: 30_000)
            return order
        }
        let (plain, sampled) = (try order(), try order())
        sampled.addFrequentValues([.text("7"), .null])
        for range in [30_001..<30_101, 29_850..<29_950] {
            let rows = try sampled.rows(range) { false }
            #expect(rows.count == 100 && rows.allSatisfy { $0.key.values[0] == .text("7") })
            #expect(try plain.rows(range) { false } == rows)
        }
        // If the value is not known to be frequent, both keys are compared at once.
        let texts = try [plain, sampled].map { try $0.statements(at: 30_101, rowCount: 100)[0].statement.text }
        #expect(texts[0].contains(#"(t."v", t."id") >"#) && texts[1].contains(#"(t."v" = "#), "\(texts)")
        // The page continues with the rows after the last row that has the value.
        sampled.addKnownKey(RowKey([.text("7"), .text("199894")]), at: 60_000)
        plain.addKnownKey(RowKey([.text("7"), .text("199894")]), at: 60_000)
        let last = try sampled.rows(60_001..<60_101) { false }
        #expect(last.count == 100 && last.contains { $0.key.values[0] != .text("7") })
        #expect(try plain.rows(60_001..<60_101) { false } == last)
    }

    @Test func `A13: jobs get the rows at exact positions`() throws {
        let source = try open()
        #expect(source.beginSampling(atRow: 100_000) != nil)
        _ = try ids(source, 100_000..<100_030)
        let rows = try source.snapshot().records(100_000..<100_003, maximumFieldBytes: 100)
        #expect(rows.map { $0[0]?.text } == ["100001", "100002", "100003"])
        source.endSampling()
        #expect(source.sampledPositions(showing: 100_000..<100_030) == .none)
        #expect(try ids(source, 100_000..<100_002) == ["100001", "100002"])
    }

    @Test func `A13: rows near the ends and rows without statistics of their keys are not sampled`() throws {
        // This table has no statistics yet.
        try server.psql(
            """
            CREATE TABLE bare AS TABLE t; ALTER TABLE bare ADD PRIMARY KEY (id);
            CREATE INDEX ON bare (v); CREATE INDEX ON bare (s); CREATE INDEX ON bare (few)
            """)
        let source = try open("bare")
        func ends(_ order: ServerOrder) throws -> Bool {
            let row = ServerSnapshot.firstRow(ofOrder: order.number) + Self.count / 4
            guard source.beginSampling(atRow: row) != nil else { return true }
            return try wait("answer") {
                switch source.sampledPositions(showing: row..<row + 30) {
                case .none: true
                case .exact: false
                case .approximate: nil
                }
            }
        }
        #expect(try ends(source.base), "no statistics yet")
        #expect(source.beginSampling(atRow: Self.count / 2) == nil, "the missing statistics are not requested again")
        #expect(source.beginSampling(atRow: 1_000) == nil && source.beginSampling(atRow: Self.count - 1_000) == nil)
        try server.psql("ALTER TABLE bare ALTER id SET STATISTICS 0; ANALYZE bare")
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 3), by: .kind(.integer, .point))]
        let few = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: Self.count)
        #expect(try ends(few), "half of the rows have the same value, and the key has no statistics")
        // Rows are not sampled for a sort without an index, and for a filter.
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .text)]
        let computed = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: Self.count)
        #expect(!computed.isFarAndSampled(Self.count / 2, of: Self.count))
        query.sort = []
        query.filters = [.call(.greater, [.field(FieldID(rawValue: 0)), .constant(.number(ExactDecimal(3)))])]
        let filtered = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect), count: Self.count - 3)
        #expect(!filtered.isFarAndSampled(Self.count / 2, of: Self.count))
    }
}
