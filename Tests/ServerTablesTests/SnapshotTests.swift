import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Snapshots of tables on servers")
struct SnapshotTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.4: a snapshot shows the same rows until the table is reloaded`() throws {
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
        // With a key instead of the word “reload”, the message fits 80 columns.
        #expect(error?.message == "The snapshot has ended: its connection was lost. Reload to take a new one.")
        #expect(throws: ServerError.self) { try opener.open(path: try self.sqlite(ServerData(count: 10, seed: 1)) + "?table=trades") }
    }
}
