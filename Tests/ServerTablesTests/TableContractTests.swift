import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

@Suite("Tables on servers")
struct TableContractTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let local = LocalQueryEngine(threads: 2)

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
        let expected = try local.rows(of: data.table, schema: schema, matching: query, earlierFilterResult: nil, control: control)
        let found = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: control, report: nil)
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
                    zip(groups.aggregates(ofGroup: index), others.aggregates(ofGroup: index)).allSatisfy {
                        QueryComparison.isClose($0, $1)
                    },
                    "\(name) \(index)")
            }
        }
        guard !order.isEmpty else { return }
        // The nearest rows that match a search, or differ from a row, must be the same.
        let sequence = found.rows.map { RowSequence($0) } ?? .all
        let permutation = expected.rows.map { RowSequence($0) } ?? .all
        let start = Int.random(in: order.indices, using: &random)
        let search = try Bool.random(using: &random) ? .smartCase("note 7") : TextSearch.smartCase(pattern: "^note 7[0-4]?$")
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
        if let rows = found.rows, let ordered = source.order(rows[0] >> ServerSnapshot.positionBits), ordered.hasDefiniteEnd {
            let tail = try source.tail(ofQueryStartingAt: rows[0], atLeast: 10) { false }
            #expect(texts(tail.records) == order.suffix(10).map { data.rows[$0] }, "\(name): \(query)")
        }
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
            #expect(a.emptyCount == b.emptyCount && a.missingCount == b.missingCount, "\(name) \(a.column)")
            #expect(a.top.map(\.count) == b.top.map(\.count), "\(name) \(a.column)")
            for (x, y) in [(a.minimum, b.minimum), (a.maximum, b.maximum), (a.mean, b.mean)] {
                #expect(QueryComparison.isClose(x, y), "\(name) \(a.column): \(x), not \(y)")
            }
        }
        let frequencies = try engine.frequencies(of: fields[3], in: table, rows: found.rows, control: control)
        let reference = try local.frequencies(of: fields[3], in: data.table, rows: expected.rows, control: control)
        #expect(frequencies.count == reference.count && frequencies.emptyCount == reference.emptyCount, "\(name)")
        #expect(frequencies.missingCount == reference.missingCount, "\(name)")
        if Int.random(in: 0..<8, using: &random) == 0 { try checkDerivedFields(name, table, data, found, expected) }
        if let rows = found.rows, rows.count > 1 {
            // Statistics also accept rows that were moved by hand.
            let moved = RowNumbers(Array(rows).reversed(), ofRows: data.rows.count)
            #expect(try engine.frequencies(of: fields[3], in: table, rows: moved, control: control).recordCount == rows.count, "\(name)")
        }
        for place in 0..<min(5, reference.count) {
            #expect(frequencies.entry(place, byValue: true) == reference.entry(place, byValue: true), "\(name)")
        }
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
        #expect(QueryComparison.isClose(computed.maximum, other.maximum) && QueryComparison.isClose(computed.mean, other.mean), "\(name)")
        let computedValues = try engine.frequencies(of: more.field, in: remote, rows: found.rows, control: control)
        #expect(
            try computedValues.count == local.frequencies(of: more.field, in: inMemory, rows: expected.rows, control: control).count,
            "\(name)")
    }

    @Test func `19.3, 19.4, 19.5: a table of SQLite behaves like the same table in memory`() throws {
        let data = ServerData(count: 45_000, seed: 19)
        try check(try source(try sqlite(data) + "?table=trades"), data, queries: 25, seed: 1)
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled), arguments: ["trades", "plain"])
    func `19.3, 19.4, 19.5: a table of PostgreSQL behaves like the same table in memory, with and without a key`(name: String) throws {
        let (server, data) = try Self.shared.get()
        try check(try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)"), data, queries: 15, seed: 2)
    }

    /// The server with both tables, started on first use.
    private static let shared = Result { try startServer() }

    private static func startServer() throws -> (server: PostgresServer, data: ServerData) {
        let server = try PostgresServer()
        let data = ServerData(count: 45_000, seed: 20, isSQLite: false)
        try data.write(to: server, folder: TemporaryFolder())
        return (server, data)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.8: in PostgreSQL, functions of the system are called, not functions of users with the same name`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let data = ServerData(count: 3_000, seed: 25, isSQLite: false)
        try data.write(to: server, folder: folder)
        // These functions fit the arguments better than the functions of the system, which have arguments of type text.
        let traps = [
            "lower(varchar)", "length(varchar)", "btrim(varchar, text)", "strpos(varchar, text)", "left(varchar, integer)",
            "right(varchar, integer)", "substr(varchar, integer, integer)", "replace(varchar, text, text)",
            "translate(varchar, text, text)", "trap(text, varchar)",
        ].map { "CREATE FUNCTION \($0) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''called''; END'" }
        let aggregates = ["count", "min", "max"].map { "CREATE AGGREGATE \($0)(varchar) (SFUNC = trap, STYPE = text)" }
        let change = #"ALTER TABLE trades ALTER symbol TYPE varchar, ALTER "a ""note""" TYPE varchar"#
        try server.psql(([change] + traps + aggregates + ["ANALYZE"]).joined(separator: "; "))
        #expect(throws: (any Error).self) { try server.psql("SELECT lower(symbol) FROM trades") }
        let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades")
        try QueryComparison(data).check(source, queries: 10)
        try QueryComparison(data).checkPivots(source)
    }

    @Test func `D23: pivot tables in SQLite equal those of a table in memory`() throws {
        let data = ServerData(count: 3_000, seed: 21)
        try QueryComparison(data).checkPivots(try source(try sqlite(data) + "?table=trades"))
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `D23: pivot tables in PostgreSQL equal those of a table in memory`() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let data = ServerData(count: 3_000, seed: 22, isSQLite: false)
        try data.write(to: server, folder: folder)
        try QueryComparison(data).checkPivots(try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades"))
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `19.6: a Citus table behaves like the same table in memory, although it has no row addresses`() throws {
        // gridview recognizes Citus by its settings.
        let server = try PostgresServer(settings: ["citus.shard_count=32"])
        defer { server.stop() }
        let data = ServerData(count: 2_000, seed: 23, isSQLite: false)
        try data.write(to: server, folder: folder)
        for name in ["trades", "plain"] {
            let source = try source("postgres://postgres@127.0.0.1:\(server.port)/postgres/\(name)")
            #expect(source.dialect.name == "Citus" && !source.base.query.usesBlocks)
            #expect(source.details.contains { $0.name == "server" && $0.value.hasPrefix("PostgreSQL (Citus) ") })
            try QueryComparison(data).check(source, queries: 5)
        }
    }
}
