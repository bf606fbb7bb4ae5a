import DataGridQuery
import EngineClient
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables

@testable import ServerTables

/// A table with ties, NULLs and unusual strings, in memory and on servers. It has more rows than a page, and than a server may skip.
struct ServerData {
    let rows: [[String?]]
    /// The same rows in memory.
    let table: MemoryTable

    /// The fields as the program sees them.
    static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "id", kind: .integer), Field(FieldID(rawValue: 1), name: "symbol", kind: .text),
        Field(FieldID(rawValue: 2), name: "price", kind: .decimal), Field(FieldID(rawValue: 3), name: "count", kind: .integer),
        Field(FieldID(rawValue: 4), name: "a \"note\"", kind: .text),
    ])

    /// - Parameter isSQLite: true for decimals as SQLite prints them.
    init(count: Int, seed: UInt64, isSQLite: Bool = true) {
        var random = SplitMix64(seed: seed)
        let symbols = ["Gold", "Silver", "Corn", "It's", "Straße", "a\tb\nc"]
        rows = (1...count).map { id in
            let price = Int.random(in: 0..<2_000, using: &random)
            return [
                "\(id)", symbols.randomElement(using: &random)!,
                Int.random(in: 0..<20, using: &random) == 0 ? nil : isSQLite ? "\(Double(price) / 100)" : Self.decimal(price),
                Int.random(in: 0..<10, using: &random) == 0 ? nil : "\(Int.random(in: 0..<50, using: &random))",
                Int.random(in: 0..<4, using: &random) == 0 ? nil : "note \(Int.random(in: 0..<1_000, using: &random))",
            ]
        }
        table = MemoryTable(rows)
    }

    private static func decimal(_ hundredths: Int) -> String {
        "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// The rows for an `INSERT` statement.
    private func values(_ range: Range<Int>) -> String {
        rows[range].map { row in
            let texts = row.enumerated().map { place, text -> String in
                guard let text else { return "NULL" }
                return [0, 2, 3].contains(place) ? text : "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
            }
            return "(" + texts.joined(separator: ",") + ")"
        }.joined(separator: ",")
    }

    private func inserts(_ name: String) -> String {
        stride(from: 0, to: rows.count, by: 5_000).map { start in
            "INSERT INTO \(name) VALUES \(values(start..<min(rows.count, start + 5_000)));"
        }.joined(separator: "\n")
    }

    /// The statements that create the table `trades` of at most 5,000 rows, without a key.
    var statements: [String] {
        [
            #"CREATE TABLE trades (id bigint NOT NULL, symbol text, price numeric(10, 2), count integer, "a ""note""" text)"#,
            inserts("trades"),
        ]
    }

    /// Writes the table to a database of SQLite.
    func write(toSQLite path: String) throws {
        let script = #"""
            CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT, price REAL, count INTEGER, "a ""note""" TEXT) STRICT;
            CREATE TABLE "quoted ""name"".x" (a TEXT); INSERT INTO "quoted ""name"".x" VALUES ('1');
            \#(inserts("trades"))
            CREATE INDEX byprice ON trades (price, id);
            """#
        let file = path + ".sql"
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        try programOutput(
            "/usr/bin/env",
            [
                "python3", "-c",
                "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(open(sys.argv[2]).read()); c.commit()", path, file,
            ])
    }

    /// Writes the table to PostgreSQL, with a key and without one.
    func write(to server: PostgresServer, folder: TemporaryFolder) throws {
        let script = #"""
            CREATE TABLE trades (id bigint PRIMARY KEY, symbol text, price numeric(10, 2), count integer, "a ""note""" text);
            CREATE TABLE plain (id bigint, symbol text, price numeric(10, 2), count integer, "a ""note""" text);
            \#(inserts("trades"))
            \#(inserts("plain"))
            CREATE INDEX ON trades (price, id);
            ANALYZE;
            """#
        try run(script, on: server, folder)
    }

    /// Writes the table to three shards as `trades`, to one of them as `alone`, and to the coordinator, with the view `seen` of it.
    func write(to servers: ShardedServer, folder: TemporaryFolder) throws {
        let columns = #"id bigint NOT NULL, symbol text, price numeric(10, 2), count integer, "a ""note""" text"#
        for shard in servers.shards { try shard.psql("CREATE TABLE trades (\(columns)); CREATE TABLE alone (\(columns))") }
        let script = """
            \(ShardedServer.statements(creating: "trades", columns: columns, spreadBy: "id").joined(separator: ";\n"));
            CREATE FOREIGN TABLE alone (\(columns)) SERVER shard1;
            CREATE TABLE plain (\(columns));
            CREATE VIEW seen AS SELECT * FROM plain WHERE id > 0;
            \(inserts("trades"))
            \(inserts("alone"))
            \(inserts("plain"))
            ANALYZE;
            """
        try run(script, on: servers.coordinator, folder)
    }

    private func run(_ script: String, on server: PostgresServer, _ folder: TemporaryFolder) throws {
        let file = try folder.file("data.sql", script)
        try programOutput(
            "/usr/bin/env",
            ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-p", "\(server.port)", "-U", "postgres", "-f", file])
    }

    // MARK: Queries

    func randomQuery(_ random: inout SplitMix64) throws -> Query {
        var query = Query()
        let filters = [
            "price > 10", "price <= 5 or count is empty", "symbol = 'Gold'", "symbol != 'Corn' and count < 20", "symbol contains 'r'",
            "price is empty", "count in (1, 2, 3)", "#5 starts with 'note 1'", "symbol ~ '^S'", "#5 !~* 'NOTE [1-4]'",
        ]
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            query.filters.append(try Filter(filters.randomElement(using: &random)!, in: Self.schema).formula)
        }
        var fields = [1, 2, 3]
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let field = fields.remove(at: Int.random(in: fields.indices, using: &random))
            query.sort.append(
                Query.SortKey(FieldID(rawValue: field), by: Self.comparison(field), isDescending: Bool.random(using: &random)))
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text, isDescending: Bool.random(using: &random))]
            if Bool.random(using: &random) { query.groups.append(Query.GroupKey(FieldID(rawValue: 3), by: Self.comparison(3))) }
            query.aggregates = [
                Query.Aggregate(.count, of: FieldID(rawValue: 2), kind: .decimal),
                Query.Aggregate(.sum, of: FieldID(rawValue: 3), kind: .integer),
                Query.Aggregate(.max, of: FieldID(rawValue: 2), kind: .decimal),
            ]
        }
        return query
    }

    private static func comparison(_ field: Int) -> Query.Comparison {
        switch field {
        case 2: .kind(.decimal, .point)
        case 3: .kind(.integer, .point)
        default: .text
        }
    }
}
