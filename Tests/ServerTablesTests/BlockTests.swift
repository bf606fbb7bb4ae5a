import DataGridQuery
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Tables of PostgreSQL without a key", .enabled(if: PostgresServer.isInstalled))
struct BlockTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let count = 60_000

    /// A server with a table of 60 MB, whose rows are in the order of their numbers from 0. If all rows before a far row were read, their
    /// result would be too large.
    private func server() throws -> PostgresServer {
        let server = try PostgresServer(settings: ["autovacuum=off"])
        try server.psql(
            """
            CREATE TABLE wide AS SELECT i AS id, i / 1000 % 3 AS part, repeat('x', 1000) AS text
            FROM generate_series(0, \(Self.count - 1)) i
            """)
        return server
    }

    private func ids(_ rows: [PageRow]) -> [Int?] { rows.map { Record($0)[0].flatMap { Int($0.text) } } }

    @Test func `19.3: distant rows of a filter are found even if its matches are at the end of the table`() throws {
        let server = try server()
        defer { server.stop() }
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/wide")
        #expect(source.table.estimatedRows == nil, "the table has no statistics")
        var query = Query()
        query.filters = [try Filter("id >= 30000", in: source.table.schema).formula]
        for isCounted in [true, false] {
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
            if isCounted { order.setCount(Self.count / 2) }
            for start in [20_000, 19_744, 20_256, 5_000, 29_900, 0] {
                let expected = (30_000 + start..<min(Self.count, 30_256 + start)).map { $0 }
                let range = start..<min(Self.count / 2, start + 256)
                #expect(try ids(order.rows(range) { false }) == expected, "\(start)")
            }
        }
    }

    @Test func `19.3: distant rows of an uncounted table and of its groups are found`() throws {
        let server = try server()
        defer { server.stop() }
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/wide")
        for start in [50_000, 49_744, 25_000] {
            #expect(try ids(source.base.rows(start..<start + 256) { false }) == (start..<start + 256).map { $0 })
        }
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .kind(.integer, .point))]
        let result = try engine.rows(
            of: source.snapshot(), schema: source.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
            report: nil)
        let order = source.latestOrder
        let sorted = (0..<3).flatMap { part in (0..<Self.count).filter { $0 / 1_000 % 3 == part } }
        #expect(result.rows?.count == Self.count)
        for start in [35_000, 34_744, 19_900, 59_800, 1_000] {
            let range = start..<min(Self.count, start + 256)
            #expect(try ids(order.rows(range) { false }) == sorted[range].map { $0 }, "\(start)")
        }
        var scanned: [Int?] = []
        try source.snapshot().scan(41_000..<41_003, columns: [0]) { _, fields in
            scanned.append(Int(String(decoding: fields[0].bytes, as: UTF8.self)))
            return true
        }
        #expect(scanned == [41_000, 41_001, 41_002])
    }
}
