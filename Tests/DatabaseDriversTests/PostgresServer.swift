import EngineClient
import Foundation
import GridTestSupport
import Testing

struct ServerFailure: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

extension PostgresServer {
    /// The server with sample tables that all suites share, started on first use.
    static let shared = Result { try PostgresServer.withTables() }

    /// A server with roles and sample tables.
    static func withTables() throws -> PostgresServer {
        let server = try PostgresServer()
        try server.psql(
            """
            create role locked login password 'open sesame';
            create role reader login;
            create table trade (id bigint primary key, price numeric(12,2), symbol varchar(8), note text, at timestamptz);
            insert into trade select i, (i * 37 % 10007)::numeric / 100, 'S' || i % 100, case when i % 5 <> 0 then 'note ' || i end,
              '2026-01-01 00:00:00+00'::timestamptz + i * interval '1 minute' from generate_series(1, 100000) i;
            create table secret (id int);
            create type mood as enum ('sad', 'ok');
            grant select on trade to reader;
            """)
        try server.psql("vacuum analyze trade")
        return server
    }

    /// The connection URL through the Unix socket.
    func address(user: String = "postgres") -> String {
        "postgres://\(user)@\(folder.replacingOccurrences(of: "/", with: "%2F")):\(port)/postgres"
    }

    /// The connection URL through the loopback network.
    func networkAddress(user: String = "postgres", password: String? = nil) -> String {
        "postgres://\(user)\(password.map { ":" + $0 } ?? "")@127.0.0.1:\(port)/postgres"
    }

    /// An open connection.
    func connection(user: String = "postgres", options: String = "") throws -> EngineConnection {
        try open(address(user: user) + options)
    }
}

/// Opens a connection through a helper process.
func open(_ address: String, password: String? = nil) throws -> EngineConnection {
    let connection = EngineConnection(try ConnectionTarget(parsing: address), helperPath: helperPath)
    try connection.open(password: password)
    return connection
}

/// A value of `/proc/PID/status` in KiB; `nil` where there is no such file.
func memory(_ process: Int32, _ name: String = "VmHWM") -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
    else { return nil }
    return line.split(separator: " ").compactMap { Int($0) }.first ?? Int(line.filter(\.isNumber))
}

/// True until a process has ended and its parent has collected its status.
func exists(_ process: Int32) -> Bool { kill(process, 0) == 0 }

/// Waits for a condition, at most `seconds`.
func eventually(_ seconds: Double = 5, _ condition: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
        if condition() { return true }
        usleep(5_000)
    }
    return condition()
}

/// The error of a connection, if there is one.
func engineError(_ body: () throws -> Void) -> EngineError? {
    do {
        try body()
        return nil
    } catch { return error as? EngineError }
}
