import EngineClient
import Foundation
import GridTestSupport
import SQLTables
import Testing

@testable import ServerTables

/// A connection that runs statements on a database.
///
/// A Python process writes SQLite through Python's module and runs PostgreSQL through libpq. The helper reads SQLite, and runs others
/// through their drivers for ADBC.
///
/// Statements and results of the Python process are lines of JSON. A value is a string whose first letter is its type.
final class Bridge {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The database of the helper; `nil` for the Python process.
    private let database: ServerDatabase?
    /// The connection for statements that write; `nil` for this one.
    private let writer: Bridge?
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// - Parameter connection: a libpq connection string, or the path of an SQLite database.
    init(_ engine: String, _ connection: String) throws {
        (database, writer) = (nil, nil)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.script, engine, connection]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// - Parameters:
    ///   - database: a database that only this object uses.
    ///   - writer: the connection for statements that write; `nil` if the helper writes.
    init(_ database: ServerDatabase, writer: Bridge? = nil) { (self.database, self.writer) = (database, writer) }

    deinit { close() }

    func close() {
        database?.close()
        writer?.close()
        try? input.fileHandleForWriting.close()
        // Do not wait: a server that inherits the pipes of this object would keep them open.
        if process.isRunning { process.terminate() }
    }

    /// Runs a statement; without parameters, PostgreSQL accepts several at once.
    @discardableResult
    func run(_ statement: SQLStatement) throws -> [[SQLValue]] {
        if let database { return try database.rows(statement) }
        let request: [String: Any] = ["sql": statement.text, "params": statement.parameters.map { Self.text($0.value) }]
        var line = try JSONSerialization.data(withJSONObject: request)
        line.append(10)
        try input.fileHandleForWriting.write(contentsOf: line)
        var answer: [UInt8] = []
        while answer.last != 10 {
            // The process answers one request at a time, so the line is the whole answer.
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(description: "the process ended: \(statement.text)") }
            answer += more
        }
        let object = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
        if let error = object?["error"] as? String {
            throw Failure(description: "\(error)\n\(statement.text)\n\(statement.parameters)")
        }
        return (object?["rows"] as? [[String]] ?? []).map { $0.map(Self.value) }
    }

    @discardableResult
    func run(_ text: String) throws -> [[SQLValue]] { try run(SQLStatement(text: text)) }

    /// Runs a statement that changes the database.
    func write(_ statement: SQLStatement) throws { try (writer ?? self).run(statement) }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "n"
        case .text(let text): "t" + text
        case .integer(let number): "i\(number)"
        case .double(let number): "d\(number)"
        case .bytes(let bytes), .invalidText(let bytes): "b" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private static func value(_ text: String) -> SQLValue {
        let rest = String(text.unicodeScalars.dropFirst())
        switch text.unicodeScalars.first {
        case "t": return .text(rest)
        case "i": return .integer(Int64(rest) ?? 0)
        case "d": return .double(Double(rest) ?? .nan)
        case "b":
            let digits = Array(rest.utf8)
            return .bytes(
                stride(from: 0, to: digits.count, by: 2).compactMap {
                    UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
                })
        default: return .null
        }
    }

    private static let script = #"""
        import sys, json
        def read(v):
            k, r = v[0], v[1:]
            return None if k == 'n' else r if k == 't' else int(r) if k == 'i' else float(r) if k == 'd' else bytes.fromhex(r)
        def write(v):
            if v is None: return 'n'
            if isinstance(v, str): return 't' + v
            if isinstance(v, int): return 'i%d' % v
            if isinstance(v, float): return 'd' + repr(v)
            return 'b' + v.hex()
        if sys.argv[1] == 'sqlite':
            import sqlite3
            db = sqlite3.connect(sys.argv[2], isolation_level=None)
            # The helper has this function for values of another type than their column. It is needed to plan a statement.
            db.create_function('gridview_value', 2, lambda v, kind: v if v is None else str(v), deterministic=True)
            def run(sql, params):
                return [[write(v) for v in row] for row in db.execute(sql, params)] if params is not None else db.executescript(sql) and []
        else:
            import ctypes
            pq = ctypes.CDLL('libpq.so.5')
            for name in ['PQconnectdb', 'PQexecParams', 'PQexec']: getattr(pq, name).restype = ctypes.c_void_p
            for name in ['PQgetvalue', 'PQerrorMessage', 'PQresultErrorMessage']: getattr(pq, name).restype = ctypes.c_char_p
            C, P, I = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int
            pq.PQconnectdb.argtypes = [C]; pq.PQexec.argtypes = [P, C]; pq.PQstatus.argtypes = [P]
            pq.PQexecParams.argtypes = [P, C, I, P, P, P, P, I]
            for name in ['PQresultStatus', 'PQntuples', 'PQnfields', 'PQclear', 'PQresultErrorMessage', 'PQerrorMessage']:
                getattr(pq, name).argtypes = [P]
            pq.PQgetvalue.argtypes = [P, I, I]; pq.PQgetisnull.argtypes = [P, I, I]
            conn = pq.PQconnectdb(sys.argv[2].encode())
            if pq.PQstatus(conn) != 0: raise SystemExit(pq.PQerrorMessage(conn).decode())
            def run(sql, params):
                if not params: res = pq.PQexec(conn, sql.encode())
                else:
                    values = (C * len(params))(*[None if p is None else str(p).encode() for p in params])
                    res = pq.PQexecParams(conn, sql.encode(), len(params), None, values, None, None, 0)
                try:
                    if pq.PQresultStatus(res) not in (1, 2): raise Exception(pq.PQresultErrorMessage(res).decode())
                    def cell(r, c): return 'n' if pq.PQgetisnull(res, r, c) else 't' + pq.PQgetvalue(res, r, c).decode()
                    return [[cell(r, c) for c in range(pq.PQnfields(res))] for r in range(pq.PQntuples(res))]
                finally: pq.PQclear(res)
        for line in sys.stdin:
            request = json.loads(line)
            try: answer = {'rows': run(request['sql'], [read(p) for p in request['params']])}
            except Exception as error: answer = {'error': str(error)}
            print(json.dumps(answer), flush=True)
        """#
}

extension PostgresServer {
    static func start() throws -> PostgresServer {
        try PostgresServer(settings: ["shared_buffers=128MB", "TimeZone=Europe/Berlin"])
    }

    /// A connection to a database with a collation named `blind`, which ignores case.
    func connect() throws -> Bridge {
        let bridge = try Bridge("postgresql", "host=\(folder) port=\(port) user=postgres dbname=postgres")
        try bridge.run("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
        return bridge
    }
}

extension Bridge {
    /// A connection to a database of SQLite in a new file. Python writes it, because the helper only reads. The helper reads it, because
    /// Python has no regular expressions with the rules of gridview.
    static func sqlite(_ folder: TemporaryFolder) throws -> Bridge {
        let path = folder.path(of: "tables.db")
        let writer = try Bridge("sqlite", path)
        try writer.run("PRAGMA synchronous = off")
        return Bridge(ServerDatabase(try ConnectionTarget(parsing: "sqlite:\(path)"), helperPath: helperPath), writer: writer)
    }

    /// A connection to a database of DuckDB in memory.
    static func duckDB(_ folder: TemporaryFolder) throws -> Bridge {
        let helper = try #require(DuckDBDriver.installed).helper(in: folder)
        return Bridge(ServerDatabase(try ConnectionTarget(parsing: "adbc:duckdb?path=:memory:"), helperPath: helper))
    }
}
