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

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `H2: the pages of a table on three shards contain each row exactly once, in both directions`() throws {
        let list = try open("").snapshot()
        let entries = try QueryComparison.texts(list, 0..<list.recordCount, columns: 3).map { $0.compactMap { $0 } }
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
            func pages(_ starts: [Int]) throws -> [[[String?]]] {
                try starts.map { try QueryComparison.texts(table, $0..<min(count, $0 + 256)) }
            }
            let forward = try pages(starts)
            let backward = try pages(Array(starts.reversed()))
            #expect(Array(backward.reversed()) == forward)
            #expect(QueryComparison.byID(forward.flatMap { $0 }) == Self.data.rows)
        }
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled), arguments: ["trades", "alone"])
    func `H2: queries, statistics and searches on shards give the same results as for a table in memory`(name: String) throws {
        try QueryComparison(Self.data).check(try source(name), queries: 10)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `H2: a message reports a stopped shard, and the same table can be read after its restart`() throws {
        let shard = try Self.servers.get().shards[1]
        let source = try source("trades")
        try shard.crash()
        let error = #expect(throws: ServerError.self) { try source.snapshot().records(3_000..<3_100, maximumFieldBytes: 100) }
        let message = error?.message ?? ""
        #expect(message.contains("cannot reach another server: could not connect to server \"shard1\""), "\(message)")
        #expect(message.hasSuffix("Reload when the other server can be reached."), "\(message)")
        #expect(try source.snapshot().recordsWithoutWaiting(0..<5, maximumFieldBytes: 100).allSatisfy { $0 != nil }, "known rows stay")
        try shard.restart()
        #expect(try QueryComparison.texts(source.snapshot(), 3_000..<3_100).count == 100)
        try source.readAll(threads: 1) { _ in true }
        #expect(source.snapshot().recordCount == Self.data.rows.count)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.4: the pages of a view have the order of its table, whatever was read before`() throws {
        let plan = try Self.servers.get().coordinator.psql("EXPLAIN SELECT * FROM seen LIMIT 100 OFFSET 3000")
        #expect(plan.contains("Gather"), "without settings, the order varies")
        let table = try source("seen").snapshot()
        for start in [0, 3_000, 3_256, 1_000, 5_900, 0] {
            let ids = try QueryComparison.texts(table, start..<start + 100).compactMap { $0[0] }
            #expect(ids == (start + 1...start + 100).map(String.init), "\(start)")
        }
    }
}
