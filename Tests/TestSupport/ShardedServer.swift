import Foundation

/// A PostgreSQL server with tables on three other servers, its shards, which it reads through the extension `postgres_fdw`.
public final class ShardedServer: Sendable {
    /// The server to connect to. Its foreign servers are `shard0`, `shard1` and `shard2`.
    public let coordinator: PostgresServer
    /// The servers that have the rows.
    public let shards: [PostgresServer]

    /// The number of shards.
    public static let shardCount = 3

    /// Starts the four servers at the same time.
    /// - Parameter settings: settings of the coordinator.
    public init(settings: [String] = []) throws {
        let started = StartedServers()
        DispatchQueue.concurrentPerform(iterations: Self.shardCount + 1) { number in
            started.add(Result { try PostgresServer(settings: number == 0 ? settings : []) }, number)
        }
        let servers = try started.all()
        (coordinator, shards) = (servers[0], Array(servers[1...]))
        let options = shards.enumerated().map { number, shard in
            """
            CREATE SERVER shard\(number) FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '\(shard.port)', \
            dbname 'postgres', async_capable 'true', use_remote_estimate 'true', batch_size '1000');
            CREATE USER MAPPING FOR postgres SERVER shard\(number) OPTIONS (user 'postgres');
            """
        }
        try coordinator.psql("CREATE EXTENSION postgres_fdw;\n" + options.joined(separator: "\n"))
    }

    /// Ends all servers.
    public func stop() {
        coordinator.stop()
        for shard in shards { shard.stop() }
    }

    /// The statements for the coordinator that create a table whose rows are in the tables with the same name on the shards.
    /// - Parameters:
    ///   - columns: the declarations of the columns, such as `id bigint NOT NULL, note text`.
    ///   - key: the name of the column whose hash selects the shard of a row.
    public static func statements(creating name: String, columns: String, spreadBy key: String) -> [String] {
        let (table, remoteTable) = (quoted(name, by: "\""), quoted(name, by: "'"))
        var statements = ["CREATE TABLE \(table) (\(columns)) PARTITION BY HASH (\(quoted(key, by: "\"")))"]
        for number in 0..<shardCount {
            let partition = quoted("\(name) \(number)", by: "\"")
            statements.append(
                """
                CREATE FOREIGN TABLE \(partition) PARTITION OF \(table) FOR VALUES WITH (MODULUS \(shardCount), REMAINDER \(number)) \
                SERVER shard\(number) OPTIONS (table_name \(remoteTable))
                """)
        }
        return statements
    }

    private static func quoted(_ text: String, by quote: String) -> String {
        quote + text.replacingOccurrences(of: quote, with: quote + quote) + quote
    }
}

/// The servers that several threads have started.
private final class StartedServers: @unchecked Sendable {
    private let lock = NSLock()
    private var servers: [Int: Result<PostgresServer, any Error>] = [:]

    func add(_ server: Result<PostgresServer, any Error>, _ number: Int) {
        lock.lock()
        servers[number] = server
        lock.unlock()
    }

    /// The servers by their numbers.
    func all() throws -> [PostgresServer] {
        lock.lock()
        defer { lock.unlock() }
        return try servers.sorted { $0.key < $1.key }.map { try $0.value.get() }
    }
}
