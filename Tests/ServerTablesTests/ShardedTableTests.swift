import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

/// Tables whose rows are on three other servers, behind `postgres_fdw`.
@Suite("Tables on shards", .serialized)
struct ShardedTableTests {
    private static let data = ServerData(count: 6_000, seed: 23, isSQLite: false)
    /// The servers that all tests share. Scans of a table that fills a quarter of the buffers may start anywhere, and several processes
    /// scan small tables.
    private static let servers = Result { try startServers() }
    private let local = LocalQueryEngine(threads: 1)
    private let control = JobControl()

    private static func startServers() throws -> ShardedServer {
        let servers = try ShardedServer(settings: [
            "shared_buffers=1MB", "min_parallel_table_scan_size=0", "parallel_setup_cost=0", "parallel_tuple_cost=0",
        ])
        try data.write(to: servers, folder: try TemporaryFolder())
        return servers
    }

    private func open(_ table: String) throws -> any TableSource {
        let port = try Self.servers.get().coordinator.port
        let path = "postgres://postgres@127.0.0.1:\(port)/postgres\(table)"
        return try ServerOpener(files: NoFiles(), helperPath: helperPath).open(path: path)
    }

    private func source(_ table: String) throws -> ServerTableSource { try #require(try open("/" + table) as? ServerTableSource) }

    private func texts(_ table: any Table, _ range: Range<Int>, columns: Int = 5) throws -> [[String?]] {
        try table.records(range, maximumFieldBytes: 100).map { record in (0..<columns).map { record[$0]?.text } }
    }

    private func byID(_ rows: [[String?]]) -> [[String?]] {
        func id(_ row: [String?]) -> Int { row[0].flatMap { Int($0) } ?? 0 }
        return rows.sorted { id($0) < id($1) }
    }

    @Test("H2: the pages of a table on three shards have each row once, in both directions", .enabled(if: PostgresServer.isInstalled))
    func pages() throws {
        let list = try open("").snapshot()
        let entries = try texts(list, 0..<list.recordCount, columns: 3).map { $0.compactMap { $0 } }
        #expect(
            entries == [
                ["public", "alone", "foreign table"], ["public", "plain", "table"], ["public", "seen", "view"],
                ["public", "trades", "partitioned table"],
            ])
        for name in ["trades", "alone"] {
            let source = try source(name)
            try source.readAll(threads: 1) { _ in true }
            let (table, count) = (source.snapshot(), Self.data.rows.count)
            #expect(table.recordCount == count && table.isComplete)
            let starts = Array(stride(from: 0, to: count, by: 256))
            func pages(_ starts: [Int]) throws -> [[[String?]]] { try starts.map { try texts(table, $0..<min(count, $0 + 256)) } }
            let forward = try pages(starts)
            let backward = try pages(Array(starts.reversed()))
            #expect(Array(backward.reversed()) == forward)
            #expect(byID(forward.flatMap { $0 }) == Self.data.rows)
        }
    }

    @Test(
        "H2: filters, sorts, groups, statistics and searches on shards equal those of the same table in memory",
        .enabled(if: PostgresServer.isInstalled), arguments: ["trades", "alone"])
    func queries(name: String) throws {
        let (data, schema, engine) = (Self.data, ServerData.schema, ServerQueryEngine(local: local))
        let source = try source(name)
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        var random = SplitMix64(seed: 24)
        for place in 0..<10 {
            let query = try data.randomQuery(&random)
            let expected = try local.rows(of: data.table, schema: schema, matching: query, known: nil, control: control)
            let found = try engine.rows(of: table, schema: schema, matching: query, known: nil, control: control, report: nil)
            let order = expected.rows.map { Array($0) } ?? Array(data.rows.indices)
            try #require((found.rows?.count ?? data.rows.count) == order.count, "\(place): \(query)")
            guard !order.isEmpty else { continue }
            let first = found.rows.map { $0[0] } ?? 0
            let records = try texts(table, first..<first + order.count)
            // Rows without a sort have the order of the server, and equal rows have the order of their first column.
            let isSorted = !query.sort.isEmpty || !query.groups.isEmpty
            #expect((isSorted ? records : byID(records)) == order.map { data.rows[$0] }, "\(place): \(query)")
            if let groups = expected.groups {
                let others = try #require(found.groups)
                #expect(Array(others.groups) == Array(groups.groups), "\(place): \(query)")
                for index in groups.groups.indices {
                    let pairs = zip(groups.aggregates(ofGroup: index), others.aggregates(ofGroup: index))
                    #expect(pairs.allSatisfy { ServerTableTests.isClose($0, $1) }, "\(place): \(query) \(index)")
                }
                continue
            }
            let hits = records.indices.filter { row in records[row].contains { $0?.contains("note 7") == true } }
            let sequence = found.rows.map { RowSequence($0) } ?? .all
            let start = Int.random(in: records.indices, using: &random)
            for direction in [SearchDirection.forward, .backward] {
                let match = try engine.firstMatch(
                    of: .smartCase("note 7"), in: table, order: sequence, from: start, direction: direction, control: control)
                let next = direction == .forward ? hits.first(where: { $0 >= start }) : hits.last(where: { $0 <= start })
                let wrapped = direction == .forward ? hits.first : hits.last
                #expect(match?.position == next ?? wrapped, "\(place): \(query) from \(start) \(direction)")
            }
            let statistics = try engine.statistics(
                of: schema.fields, in: table, rows: found.rows, exactLimit: 1 << 20, topCount: 3, details: [.quantiles], control: control)
            let others = try local.statistics(
                of: schema.fields, in: data.table, rows: expected.rows, exactLimit: 1 << 20, topCount: 3, details: [.quantiles],
                control: control)
            for (a, b) in zip(statistics, others) {
                #expect(a.valueCount == b.valueCount && a.distinct == b.distinct, "\(place): \(query) \(a.column)")
                #expect(a.top.map(\.count) == b.top.map(\.count), "\(place): \(query) \(a.column)")
            }
        }
    }

    @Test(
        "H2: a stopped shard gives a message, and the same table can be read after its restart", .enabled(if: PostgresServer.isInstalled))
    func stoppedShard() throws {
        let shard = try Self.servers.get().shards[1]
        let source = try source("trades")
        try shard.crash()
        let error = #expect(throws: ServerError.self) { try source.snapshot().records(3_000..<3_100, maximumFieldBytes: 100) }
        let message = error?.message ?? ""
        #expect(message.contains("cannot reach another server: could not connect to server \"shard1\""), "\(message)")
        #expect(message.hasSuffix("Reload when the other server can be reached."), "\(message)")
        #expect(try source.snapshot().recordsAtHand(0..<5, maximumFieldBytes: 100).allSatisfy { $0 != nil }, "known rows stay")
        try shard.restart()
        #expect(try texts(source.snapshot(), 3_000..<3_100).count == 100)
        try source.readAll(threads: 1) { _ in true }
        #expect(source.snapshot().recordCount == Self.data.rows.count)
    }

    @Test("19.4: the pages of a view have the order of its table, whatever was read before", .enabled(if: PostgresServer.isInstalled))
    func view() throws {
        let plan = try Self.servers.get().coordinator.psql("EXPLAIN SELECT * FROM seen LIMIT 100 OFFSET 3000")
        #expect(plan.contains("Gather"), "without settings, the order varies")
        let table = try source("seen").snapshot()
        for start in [0, 3_000, 3_256, 1_000, 5_900, 0] {
            let ids = try texts(table, start..<start + 100).compactMap { $0[0] }
            #expect(ids == (start + 1...start + 100).map(String.init), "\(start)")
        }
    }
}
