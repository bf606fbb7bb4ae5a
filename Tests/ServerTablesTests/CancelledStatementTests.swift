import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Cancelled statements and time limits")
struct CancelledStatementTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(.enabled(if: PostgresServer.isInstalled), .timeLimit(.minutes(1)))
    func `19.6: cancelling a search ends its statement on the server`() throws {
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

    @Test(
        .enabled(if: PostgresServer.isInstalled),
        .timeLimit(.minutes(1)), arguments: [false, true])
    func `19.2: cancelling output before its first row ends its statement on the server`(readsDerivedField: Bool) throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try server.psql("CREATE TABLE held (a int); INSERT INTO held VALUES (1)")
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/held")
        let schema = Schema([Field(FieldID(rawValue: 0), name: "a", kind: .integer)])
        let derived = try DerivedField("twice = 2 * a", id: .firstDerived, in: schema)
        let table = DerivedTable(source.snapshot(), CompiledDerivedFields([derived], schema: schema))
        let holder = try lock("held", on: server)
        defer { holder.terminate() }
        let control = JobControl()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { control.cancel() }
        #expect(throws: JobCancelled.self) {
            let column = readsDerivedField ? FieldID.firstDerived.rawValue : 0
            try table.scan(0..<1, columns: [column], holding: RequiredBytes(), control: control) { _, _ in true }
        }
        #expect(
            try server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'gridview' AND state = 'active'") == "0")
    }

    @Test(.enabled(if: PostgresServer.isInstalled), .timeLimit(.minutes(1))) func `19.9: the opening of a table can be cancelled`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        // The statement waits for a lock until it is cancelled.
        try server.psql("CREATE TABLE held (a int); INSERT INTO held VALUES (1)")
        let holder = try lock("held", on: server)
        defer { holder.terminate() }
        let start = ContinuousClock.now
        let error = #expect(throws: (any Error).self) {
            try opener().open(path: "postgres://postgres@127.0.0.1:\(server.port)/postgres/held") {
                ContinuousClock.now - start > .seconds(1)
            }
        }
        #expect(!(error is ServerError), "the cancellation is not an error of the server")
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled),
        .timeLimit(.minutes(1)))
    func `19.9: statements that the user did not request have a time limit`() throws {
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
        #expect(try source.database.estimatedRowCount(of: compiled.cutCellsQuery, timeLimit: 200) { false } == nil)
        #expect(
            try server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'gridview' AND state = 'active'") == "0")
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
}
