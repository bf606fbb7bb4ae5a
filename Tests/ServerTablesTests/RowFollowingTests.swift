import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Rows of tables on servers in other orders")
struct RowFollowingTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let local = LocalQueryEngine(threads: 2)

    private func positions(
        _ records: [Int], in rows: RowNumbers?, of source: ServerTableSource, rankLimit: Int = 8
    ) throws -> [Int: Int]? {
        var engine = self.engine
        engine.rankLimit = rankLimit
        let order = rows.map { RowSequence($0) } ?? .all
        return try engine.positions(ofRecords: records, of: source.snapshot(), order: order, control: JobControl())
    }

    private func run(_ query: Query, _ source: ServerTableSource) throws -> RowNumbers? {
        try engine.rows(
            of: source.snapshot(), schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil
        ).rows
    }

    /// Compares the positions of rows with those of the local engine, from one random query to the next.
    private func check(_ source: ServerTableSource, _ data: ServerData, queries: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try source.readAll(threads: 1) { _ in true }
        // The rows of the last query that had results, by their numbers in that query and in the table.
        var earlier: (first: Int, order: [Int]) = (0, Array(data.rows.indices))
        for place in 0..<queries {
            let query = place == queries - 1 ? Query() : try data.randomQuery(&random)
            let expected = try local.rows(
                of: data.table, schema: ServerData.schema, matching: query, earlierFilterResult: nil, control: JobControl())
            let order = expected.rows.map { Array($0) } ?? Array(data.rows.indices)
            let found = try run(query, source)
            let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
            let chosen = (0..<20).map { _ in Int.random(in: earlier.order.indices, using: &random) }
            let records = chosen.map { earlier.first + $0 }
            var positions: [Int: Int] = [:]
            for place in chosen { positions[earlier.first + place] = places[earlier.order[place]] }
            for limit in [0, 100] {
                #expect(try self.positions(records, in: found, of: source, rankLimit: limit) == positions, "\(place): \(query)")
            }
            if !order.isEmpty { earlier = (found?[0] ?? 0, order) }
        }
    }

    @Test func `19.4: rows of SQLite are found by their key in the row orders of other queries`() throws {
        let data = ServerData(count: 3_000, seed: 31)
        try check(try source(try sqlite(data) + "?table=trades"), data, queries: 20, seed: 4)
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled),
        arguments: ["trades", "pairs"])
    func `19.4: rows of PostgreSQL are found by their key in the row orders of other queries`(name: String) throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let data = ServerData(count: 3_000, seed: 32, isSQLite: false)
        try data.write(to: server, folder: folder)
        try server.psql("CREATE TABLE pairs AS SELECT * FROM trades; ALTER TABLE pairs ADD PRIMARY KEY (id, symbol)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)")
        try check(source, data, queries: 20, seed: 5)
    }

    private func sort(_ field: Int, isDescending: Bool = false) -> Query {
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: field), by: .kind(.integer, .point), isDescending: isDescending)]
        return query
    }

    private func filter(_ text: String) throws -> Query {
        var query = Query()
        query.filters = [try Filter(text, in: ServerData.schema).formula]
        return query
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: a row that was seen or found is recognized after the table has changed`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let data = ServerData(count: 3_000, seed: 33, isSQLite: false)
        try data.write(to: server, folder: folder)
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades")
        try source.readAll(threads: 1) { _ in true }
        // Row 99, the one with key 100, is on the first page. The page of row 2,000 was not fetched.
        let excluding = try run(try filter("id < 50"), source)
        #expect(try positions([99, 2_000], in: excluding, of: source) == [:])
        try server.psql("DELETE FROM trades WHERE id < 50")
        let sorted = try run(sort(0, isDescending: true), source)
        #expect(try positions([99, 2_000], in: sorted, of: source) == [99: 2_900, 2_000: 999])
        // Rows that were found in this sort order are still recognized after more rows are deleted.
        try server.psql("DELETE FROM trades WHERE id BETWEEN 2900 AND 2999")
        let ascending = try run(sort(0), source)
        let first = try #require(sorted?[0])
        #expect(try positions([first + 999, first + 2_900], in: ascending, of: source) == [first + 999: 1_951, first + 2_900: 50])
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: rows of a table without a key are not found, but a filter keeps the position of the cursor`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let data = ServerData(count: 3_000, seed: 34, isSQLite: false)
        try data.write(to: server, folder: folder)
        for name in ["plain", "trades"] {
            let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)")
            try source.readAll(threads: 1) { _ in true }
            let odd = try run(try filter("count < 25"), source)
            #expect(try (positions([1_000], in: odd, of: source) == nil) == (name == "plain"))
            let matching = data.rows.indices.filter { row in data.rows[row][3].flatMap { Int($0) }.map { $0 < 25 } ?? false }
            for row in [0, 1_000, 2_999] {
                let position = try engine.insertionPosition(
                    ofRecord: row, of: source.snapshot(), order: odd.map { RowSequence($0) } ?? .all, control: JobControl())
                #expect(position == matching.count { $0 < row }, "row \(row) of \(name)")
            }
            let sorted = try run(sort(3), source)
            let position = try engine.insertionPosition(
                ofRecord: 1_000, of: source.snapshot(), order: sorted.map { RowSequence($0) } ?? .all, control: JobControl())
            #expect(position == nil, "another sort has other positions")
        }
    }

    @Test func `19.4: rows that need more parameters than one statement allows are found with several statements`() throws {
        let data = ServerData(count: 40_000, seed: 35)
        let source = try source(try sqlite(data) + "?table=trades")
        try source.readAll(threads: 1) { _ in true }
        let sorted = try run(sort(0, isDescending: true), source)
        let found = try positions(Array(0..<35_000), in: sorted, of: source)
        #expect(found?.count == 35_000 && found?[0] == 39_999 && found?[34_999] == 5_000)
    }
}
