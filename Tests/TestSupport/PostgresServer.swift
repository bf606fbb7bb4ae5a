import Foundation

/// False if tests with servers and database libraries are skipped, as in `make sanitize`: they load libraries without sanitizers.
let runsServers = ProcessInfo.processInfo.environment["GV_TEST_SERVERS"] != "none"

/// A PostgreSQL server for tests, in a temporary folder, on a free port of this computer and on a Unix socket. When this object or the
/// whole test process ends, for any reason, the server ends and its folder is removed.
public final class PostgresServer: @unchecked Sendable {
    /// The folder of the data and of the Unix socket.
    public let folder: String
    /// The port on the loopback network.
    public let port: Int
    private let script: ServerScript

    /// The folder of the server's programs: the newest version on Debian and Ubuntu.
    public static let programs: String = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.compactMap { Int($0) }.sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
        return folders.first(where: hasServer) ?? "/usr/bin"
    }()
    /// True if the tests run. On Linux with `GV_TEST_ORACLE=required`, they fail without a server. With `GV_TEST_SERVERS=none`, they are
    /// skipped.
    public static let isInstalled: Bool = {
        guard runsServers else { return false }
        #if os(Linux)
            if ProcessInfo.processInfo.environment["GV_TEST_ORACLE"] == "required" { return true }
        #endif
        return hasServer(programs)
    }()

    private static func hasServer(_ folder: String) -> Bool { FileManager.default.isExecutableFile(atPath: folder + "/initdb") }

    /// Starts a server.
    /// - Parameter settings: settings of the server, such as `TimeZone=UTC`.
    public init(settings: [String] = []) throws {
        guard Self.hasServer(Self.programs) else { throw ServerFailure("PostgreSQL is not installed. Run make setup.") }
        port = Int(try freePort())
        folder = "/tmp/gv-pg-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let prefix = ServerScript.prefix
        let data = try DataFolder.initial.get().path
        let text = """
            \(ServerScript.start(in: folder))
            \(prefix)cp -R '\(data)' "$D/data"
            start() {
            \(prefix)"$B/postgres" -D "$D/data" -p \(port) -c listen_addresses=127.0.0.1 -c unix_socket_directories="$D" \
            -c fsync=off -c log_min_messages=fatal -c max_connections=60 \(settings.map { "-c \($0) " }.joined())>"$D/log" 2>&1 </dev/null &
            P=$!
            }
            stop() {
            kill -QUIT $P
            wait $P
            }
            start
            echo ready
            set +e
            while read -r command; do $command; done
            stop
            """
        script = try ServerScript(text)
        try wait(untilRunning: true)
    }

    deinit { stop() }

    private func wait(untilRunning isRunning: Bool) throws {
        for _ in 0..<200 {
            let answer = try? psql("select 1")
            if (answer == "1") == isRunning { return }
            usleep(50_000)
        }
        throw ServerFailure("the server does not \(isRunning ? "start" : "stop")")
    }

    /// Ends the server as a crash does. Its data stays.
    public func crash() throws {
        try script.send("stop")
        try wait(untilRunning: false)
    }

    /// Starts the server again after a crash, on the same port.
    public func restart() throws {
        try script.send("start")
        try wait(untilRunning: true)
    }

    /// Ends the server, and removes its folder.
    public func stop() { script.end() }

    /// Runs SQL with `psql` and returns what it prints, without alignment.
    @discardableResult
    public func psql(_ sql: String, database: String = "postgres") throws -> String {
        try programOutput(
            Self.programs + "/psql",
            [
                "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", folder, "-p", "\(port)", "-U", "postgres", "-d", database, "-c", sql,
            ])
    }
}

/// A shell script with a temporary folder. It reads commands from its standard input. When the test process ends, for any reason, the input
/// ends, the script ends and its folder is removed.
private final class ServerScript: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()

    /// Runs a command as another user if the tests run as `root`, whom PostgreSQL refuses.
    static var prefix: String { getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : "" }

    /// The start of a script: creates the folder, `$D`. The programs of PostgreSQL are in `$B`.
    static func start(in folder: String) -> String {
        """
        set -e
        D='\(folder)'
        B='\(PostgresServer.programs)'
        mkdir -m 700 "$D"
        \(getuid() == 0 ? "chown postgres \"$D\"" : "true")
        trap 'rm -rf "$D"' EXIT
        cd "$D"
        """
    }

    /// Runs a script, and waits until it prints a line.
    init(_ text: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", text]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // Other programs that the tests start must not keep the pipe open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
        guard !output.fileHandleForReading.availableData.isEmpty else { throw ServerFailure("the server cannot be set up") }
    }

    func send(_ command: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8)) }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// The data folder of a new server. It is created once, because this takes longer than a copy of it and the start of a server.
private struct DataFolder: Sendable {
    static let initial = Result { try DataFolder() }

    let path: String
    private let script: ServerScript

    private init() throws {
        let folder = "/tmp/gv-pg-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        path = folder + "/data"
        script = try ServerScript(
            """
            \(ServerScript.start(in: folder))
            \(ServerScript.prefix)"$B/initdb" -D "$D/data" -A trust -U postgres -N --locale=C.UTF-8 >"/dev/null" 2>&1
            \(ServerScript.prefix)sh -c 'printf "%s\\n" "host all locked 127.0.0.1/32 scram-sha-256" "local all all trust" \
            "host all all 127.0.0.1/32 trust" >"'"$D"'/data/pg_hba.conf"'
            echo ready
            read -r end
            """)
    }
}

/// A reason why a server or a program has failed.
public struct ServerFailure: Error {
    /// The reason as text.
    public let text: String

    /// Creates a failure with this reason.
    public init(_ text: String) { self.text = text }
}

/// Runs a program and returns its standard output without the line ending.
@discardableResult
public func programOutput(_ path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ServerFailure(String(decoding: message, as: UTF8.self)) }
    var text = String(decoding: data, as: UTF8.self)
    if text.hasSuffix("\n") { text.removeLast() }
    return text
}

/// A socket that is bound to a free port of this computer. The caller closes it.
public func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
    #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
    #else
        let type = SOCK_STREAM
    #endif
    let socket = socket(AF_INET, type, 0)
    guard socket >= 0 else { throw ServerFailure("no socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0 }
    }
    guard status else {
        close(socket)
        throw ServerFailure("no free port")
    }
    return (socket, UInt16(bigEndian: address.sin_port))
}

/// A port that no program listens on.
public func freePort() throws -> UInt16 {
    let (socket, port) = try boundSocket()
    close(socket)
    return port
}

/// The path of the helper, which is built into the folder of the tests.
public let helperPath: String = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let siblingFolder = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    return siblingFolder.appendingPathComponent("gridview-engine").path
}()
