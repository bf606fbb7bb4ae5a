import EngineProtocol
import Foundation
import GridTestSupport
import Testing

@testable import EngineClient

@Suite("Lifetime of the helper process", .serialized)
struct HelperProcessTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The state letter of a process, such as `Z` for a zombie; `nil` if it has ended.
    private func state(_ process: Int32) -> Character? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.first { $0 != " " }
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "there is no /proc"))
    func `H1: the helper inherits only a socket, no secrets and no terminal`() throws {
        // This descriptor lacks the close-on-exec flag, so a child process would inherit it.
        let leaked = openWithoutFlag("/etc/passwd")
        let connection = try open("sqlite:\(try folder.file("empty.db", ""))")
        defer {
            connection.close()
            close(leaked)
        }
        let process = try #require(connection.helperProcess)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(number)")
        }
        #expect(descriptors.filter { $0.hasPrefix("socket:") }.count == 1)
        #expect(descriptors.filter { $0 == "/dev/null" }.count == 3)
        #expect(!descriptors.contains("/etc/passwd"))
        let arguments = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        #expect(arguments.split(separator: "\0").count == 2 && arguments.contains("gridview-engine"))
        let fields = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).split(separator: " ")
        // The helper has its own session without a terminal.
        #expect(fields[5] == "\(process)" && fields[6] == "0")
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        #expect(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }?.split(separator: " ").dropFirst(4).first == "0")
    }

    @Test func `H1: closing and releasing a connection leaves neither a process nor a zombie`() throws {
        let path = try folder.file("empty.db", "")
        var processes: [Int32] = []
        for round in 0..<6 {
            var connection: EngineConnection? = try open("sqlite:\(path)")
            processes.append(try #require(connection?.helperProcess))
            if round % 2 == 0 { connection?.close() }
            if round % 3 == 0 { try connection?.open() }
            if let process = connection?.helperProcess { processes.append(process) }
            connection = nil
        }
        for process in processes { #expect(state(process) == nil) }
        // A failure to connect ends the helper, too.
        #expect(engineError { _ = try open("sqlite:/no/such/file") } != nil)
        let zombies = ["sh", "-c", "ps -o stat=,comm= --ppid \(getpid()) | grep -c '^Z.*gridview-engine' || true"]
        #expect(eventually { (try? programOutput("/usr/bin/env", zombies)) == "0" })
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "there is no /proc"))
    func `19.9: at the end of the program, stopped helpers are killed, and working helpers end by themselves`() throws {
        let path = try folder.file("empty.db", "")
        let (stopped, working) = (try open("sqlite:\(path)"), try open("sqlite:\(path)"))
        let process = try #require(stopped.helperProcess)
        kill(process, SIGSTOP)
        #expect(eventually { state(process) == "T" })
        // All threads of the helper must have stopped. The connection may already have collected the ended process.
        let isKilled = eventually {
            EngineConnection.killStoppedHelpers()
            return ["Z", nil].contains(state(process))
        }
        try #require(isKilled, "the next query would wait for ever")
        #expect(engineError { _ = try stopped.query(ExecuteRequest("select 1")) } == .helperEnded(signal: SIGKILL))
        #expect(try working.query(ExecuteRequest("select 1")).rows.text(row: 0, column: 0) == "1")
        working.close()
        #expect(state(process) == nil)
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "there is no /proc"), .timeLimit(.minutes(1)),
        arguments: [100, 4 << 20])
    func `H1: a helper that does not read a long request is killed two seconds after its cancellation`(byteCount: Int) throws {
        let connection = try open("sqlite:\(try folder.file("empty.db", ""))")
        let process = try #require(connection.helperProcess)
        kill(process, SIGSTOP)
        #expect(eventually { state(process) == "T" })
        // A long request does not fit into the socket.
        let request = ExecuteRequest("select ?", [Parameter(String(repeating: "x", count: byteCount), .named("text"))])
        var checks = 0
        let failure = engineError {
            _ = try connection.query(request) {
                checks += 1
                return checks > 5
            }
        }
        #expect(failure == .cancelled && checks == 6)
        #expect(!connection.isOpen && state(process) == nil)
        try connection.open()
        #expect(try connection.query(request).rows.text(row: 0, column: 0)?.utf8.count == byteCount, "a working helper reads it")
        connection.close()
    }

    @Test func `H1: only an executable file with an absolute path can be started as the helper`() throws {
        let target = try ConnectionTarget(parsing: "sqlite:x.db")
        for path in ["gridview-engine", "./gridview-engine", "/no/such/helper", try folder.file("text", "no program"), ""] {
            let error = engineError { try EngineConnection(target, helperPath: path).open() }
            if case .helperMissing? = error {} else { Issue.record("\(path): \(String(describing: error))") }
        }
        // This program is not the helper, and ends at once.
        let error = engineError { try EngineConnection(target, helperPath: "/bin/true").open() }
        #expect(error == .helperEnded(signal: nil))
        let silent = folder.path(of: "silent")
        try "#!/bin/sh\nprintf 'HTTP/1.1 400 Bad Request' >&3\nexec sleep 1\n".write(toFile: silent, atomically: true, encoding: .utf8)
        chmod(silent, 0o700)
        if case .malformed? = engineError({ try EngineConnection(target, helperPath: silent).open() }) {
        } else {
            Issue.record("garbage was accepted")
        }
        // The expected path is in the folder of the running program, which is the test.
        #expect(HelperProcess.pathBesideProgram()?.hasSuffix("/gridview-engine") == true)
        let alone = try programOutput(
            helperPath.isEmpty ? "" : "/usr/bin/env",
            ["sh", "-c", "'\(helperPath)' 2>&1; echo $?; '\(helperPath)' 0 </dev/null 2>&1; echo $?"])
        #expect(alone.split(separator: "\n").filter { $0 == "64" }.count == 2)
    }

    @Test func `H1: a second thread gets an error while the connection is busy`() throws {
        let connection = try open("sqlite:\(try folder.file("empty.db", ""))")
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let start = Date()
            started.signal()
            let statement = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
            #expect(throws: EngineError.cancelled) {
                try connection.query(ExecuteRequest(statement)) { Date().timeIntervalSince(start) > 0.6 }
            }
            ended.signal()
        }
        started.wait()
        usleep(200_000)
        #expect(throws: EngineError.busy) { try connection.query(ExecuteRequest("select 1")) }
        #expect(throws: EngineError.busy) { try connection.open() }
        connection.close()
        #expect(connection.isOpen)
        ended.wait()
        #expect(try connection.query(ExecuteRequest("select 1")).rows.text(row: 0, column: 0) == "1")
        connection.close()
        #expect(!connection.isOpen && connection.serverInfo == nil)
    }

    /// Writes a helper that starts correctly and runs a line of Python for the first statement.
    private func helper(answering answer: String) throws -> String {
        let path = folder.path(of: "helper")
        let script = """
            #!/usr/bin/env python3
            import os, signal, socket, struct, sys, time
            a = socket.socket(fileno=3)
            hello = b'GVEN' + struct.pack('<I', \(EngineLimits.version))
            done = bytes(17)
            empty = struct.pack('<IIIIII', 0, 1, 0, 0, 0, 0)
            def send(kind, number, body): a.sendall(struct.pack('<IB3xI', len(body), kind, number) + body)
            def request():
                length, kind, number = struct.unpack('<IB3xI', a.recv(12, socket.MSG_WAITALL))
                if length: a.recv(length, socket.MSG_WAITALL)
                return number
            send(64, request(), hello)
            send(65, request(), bytes(12))
            n = request()
            \(answer)
            time.sleep(60)
            """
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o700)
        return path
    }

    @Test func `19.9: a result that arrives after its cancellation is never mistaken for an empty result`() throws {
        let start = Date()
        let isCancelled = { Date().timeIntervalSince(start) > 0.2 }
        for isStream in [false, true] {
            // The rows and the end of the statement follow the message that cancels it.
            let answer = "send(66, n, bytes(8)); request(); send(67, n, bytes(24)); send(68, n, done)"
            let connection = EngineConnection(
                try ConnectionTarget(parsing: "sqlite:x.db"), helperPath: try helper(answering: answer))
            try connection.open()
            let error = engineError {
                if isStream {
                    _ = try connection.stream(ExecuteRequest("select 1"), isCancelled: isCancelled, onColumns: { _ in }) { _ in true }
                } else {
                    _ = try connection.query(ExecuteRequest("select 1"), isCancelled: isCancelled)
                }
            }
            #expect(error == .cancelled && connection.isOpen)
        }
    }

    @Test func `H1: invalid answers of a helper cause an error, and never hang or trap the program`() throws {
        let target = try ConnectionTarget(parsing: "sqlite:x.db")
        // Each case sends its answer to the first statement, after a correct start.
        let cases: [(name: String, answer: String, isExpected: (EngineError) -> Bool)] = [
            ("another request", "send(68, n + 1, done)", { $0 == .malformed("request number") }),
            ("an unknown kind", "send(99, n, b'')", { $0 == .malformed("kind") }),
            ("rows before columns", "send(67, n, empty); send(68, n, done)", { $0 == .malformed("column count") }),
            ("rows of other columns", "send(66, n, bytes(8)); send(67, n, empty)", { $0 == .malformed("column count") }),
            ("a length of 4 GiB", "a.sendall(struct.pack('<IB3xI', 0xFFFFFFFF, 68, n))", { $0 == .malformed("length") }),
            ("a half message", "a.sendall(struct.pack('<IB3xI', 100, 68, n)); sys.exit(0)", { $0 == .helperEnded(signal: nil) }),
            ("a crash", "os.kill(os.getpid(), signal.SIGSEGV)", { $0 == .helperEnded(signal: SIGSEGV) }),
            ("a truncated error", "send(70, n, b'\\x00\\xff\\xff\\xff\\xff')", { $0 == .malformed("code") }),
            ("a second greeting and no end", "send(64, n, hello); time.sleep(60)", { $0 == .cancelled }),
            ("endless progress reports", "[send(71, n, bytes(16)) for i in range(10**9)]", { $0 == .cancelled }),
            ("endless notices", "[send(69, n, bytes(21)) for i in range(10**9)]", { $0 == .cancelled }),
            ("one byte per second", "[(a.sendall(b'x'), time.sleep(1)) for i in range(60)]", { $0 == .cancelled }),
        ]
        for entry in cases {
            let path = try helper(answering: entry.answer)
            let connection = EngineConnection(target, helperPath: path)
            try connection.open()
            let process = try #require(connection.helperProcess)
            let start = Date()
            let error = engineError { _ = try connection.query(ExecuteRequest("select 1")) { Date().timeIntervalSince(start) > 0.5 } }
            #expect(error.map(entry.isExpected) == true, "\(entry.name): \(String(describing: error))")
            #expect(Date().timeIntervalSince(start) < 5 && !connection.isOpen && state(process) == nil)
        }
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func `H1: the helper and its statement end when the program is killed`() throws {
        let server = try PostgresServer.shared.get()
        // This program starts the helper, connects, and runs a long statement. Then the test kills the program.
        let script = """
            import os, socket, struct, subprocess, sys, time
            a, b = socket.socketpair()
            os.dup2(b.fileno(), 9); os.set_inheritable(9, True)
            helper = subprocess.Popen(['\(helperPath)', '9'], pass_fds=[9], stdin=subprocess.DEVNULL)
            b.close(); os.close(9)
            def text(s): return struct.pack('<I', len(s.encode())) + s.encode()
            def send(kind, number, body): a.sendall(struct.pack('<IB3xI', len(body), kind, number) + body)
            def answer():
                length, kind, number = struct.unpack('<IB3xI', a.recv(12, socket.MSG_WAITALL))
                return kind, a.recv(length, socket.MSG_WAITALL) if length else b''
            send(1, 1, b'GVEN' + struct.pack('<I', \(EngineLimits.version)))
            assert answer()[0] == 64
            options = [('host', '\(server.folder)'), ('port', '\(server.port)'), ('user', 'postgres'), ('dbname', 'postgres'), ('application_name', 'orphan')]
            send(2, 2, text('postgresql') + struct.pack('<II', 0, len(options)) + b''.join(text(k) + text(v) for k, v in options))
            kind, body = answer()
            assert kind == 65, body
            send(3, 3, text('select pg_sleep(\\($0))'.replace('\\($0)', '300')) + struct.pack('<QQIBII', 0, 0, 0, 0, 0, 0))
            time.sleep(0.3)
            print(helper.pid, flush=True)
            time.sleep(60)
            """
        let program = Process()
        let out = Pipe()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        program.arguments = ["python3", "-c", script]
        program.standardOutput = out
        try program.run()
        let line = String(decoding: out.fileHandleForReading.availableData, as: UTF8.self)
        let helper = try #require(Int32(line.filter(\.isNumber)))
        let running = "select count(*) from pg_stat_activity where application_name = 'orphan' and state = 'active'"
        #expect(state(helper) != nil)
        #expect(try server.psql(running) == "1")
        kill(program.processIdentifier, SIGKILL)
        program.waitUntilExit()
        #expect(eventually(3) { state(helper) == nil || state(helper) == "Z" })
        #expect(eventually(3) { (try? server.psql(running)) == "0" })
    }
}

/// Opens a file without the flag that closes it when another program starts.
private func openWithoutFlag(_ path: String) -> Int32 { Foundation.open(path, O_RDONLY) }
