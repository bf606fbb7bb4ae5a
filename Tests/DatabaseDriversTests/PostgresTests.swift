import DatabaseDrivers
import EngineClient
import EngineProtocol
import Foundation
import GridTestSupport
import Testing

@Suite("PostgreSQL through the helper", .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"), .serialized)
struct PostgresTests {
    let server: PostgresServer

    init() throws { server = try PostgresServer.shared.get() }

    @Test func `H1: a page contains the server's text, types, nulls and column origins`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let info = try #require(connection.serverInfo)
        #expect(info.product == "PostgreSQL" && info.version.first?.isNumber == true)
        #expect(info.properties[ServerInfo.Property.timeZone] != nil)
        #expect(info.properties[ServerInfo.Property.encryption] == nil)
        let result = try connection.query(
            ExecuteRequest("select * from trade where id > $1 order by id limit 100", [Parameter("4", .named("bigint"))]))
        #expect(result.columns.map(\.name) == ["id", "price", "symbol", "note", "at"])
        #expect(result.columns.map(\.type.name) == ["bigint", "numeric", "character varying", "text", "timestamp with time zone"])
        let table = UInt32(try server.psql("select 'trade'::regclass::oid"))
        #expect(result.columns.map(\.origin) == (1...5).map { .numbers(table: table ?? 0, column: $0) })
        #expect(result.columns[1].type.modifier == (12 << 16 | 2) + 4)
        #expect(result.rows.rowCount == 100 && result.completion == Completion(rowCount: 100, microseconds: result.completion.microseconds))
        #expect(
            result.rows.isNull(row: 0, column: 3) && result.rows.bytes(row: 0, column: 3) == nil
                && result.rows.length(row: 0, column: 3) == 0)
        #expect(!result.rows.isNull(row: 1, column: 3))
        let expected = try server.psql("set timezone = 'Etc/UTC'; select * from trade where id > 4 order by id limit 100")
        let rows = (0..<100).map { row in (0..<5).map { result.rows.text(row: row, column: $0) ?? "" }.joined(separator: "|") }
        #expect(rows == expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    @Test func `H1: each built-in type name equals the name given by format_type on the server`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let result = try connection.query(
            ExecuteRequest(
                "select null::mood, null::mood[], null::int4, null::_int4, null::timestamptz(3), null::\"char\", null::json, null::bytea, "
                    + "null::name[], null::pg_class"))
        let expected = [
            "mood", "mood[]", "integer", "integer[]", "timestamp with time zone", "\"char\"", "json", "bytea", "name[]", "pg_class",
        ]
        let described = try connection.describe(DescribeRequest("select null::mood, null::mood[]"))
        #expect(described.columns.map(\.type.name) == ["mood", "mood[]"])
        // A page does not query the names of unknown types.
        #expect(result.columns.map(\.type.name) == ["", ""] + expected[2..<9] + [""])
        var streamed: [String] = []
        _ = try connection.stream(
            ExecuteRequest("select null::mood, null::pg_class"), onColumns: { streamed = $0.map(\.type.name) }, onRows: { _ in true })
        #expect(streamed == ["mood", "pg_class"])
        // One query returns the names of all types in the table.
        let names = try connection.query(
            ExecuteRequest("select oid::text, format_type(oid, null) from pg_type where oid < 4000 and typtype in ('b', 'r', 'p')"))
        var checked = 0
        for row in 0..<names.rows.rowCount {
            let number = try #require(names.rows.text(row: row, column: 0).flatMap { UInt32($0) })
            let name = try #require(names.rows.text(row: row, column: 1))
            guard let type = DriverTables.postgresTypeName(number) else { continue }
            #expect(type == name)
            checked += 1
        }
        #expect(checked == DriverTables.postgresTypeCount)
    }

    @Test func `H1: describing a statement returns its columns and parameter types without running it`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let description = try connection.describe(
            DescribeRequest(
                "select id, price from trade where price > $1 and symbol = $2 and id > $3", types: [.inferred, .inferred, .oid(23)]))
        #expect(description.columns.map(\.name) == ["id", "price"])
        #expect(
            description.parameters.map(\.name) == ["numeric", "character varying", "integer"]
                || description.parameters.map(\.name) == ["numeric", "text", "integer"])
        let start = Date()
        _ = try connection.describe(DescribeRequest("select pg_sleep(30)"))
        #expect(Date().timeIntervalSince(start) < 5)
        let none = try connection.describe(DescribeRequest("begin"))
        #expect(none.columns.isEmpty)
    }

    @Test func `H1: the type of a parameter is given by OID, given by name or inferred, and its value can be null`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let result = try connection.query(
            ExecuteRequest(
                "select $1::text, $2, $3 + 1, $4::numeric, $5 is null, $6",
                [
                    Parameter("a'b\"; drop table x--"), Parameter("ok", .named("mood")), Parameter("41", .oid(23)),
                    Parameter("0.10000000000000000001"), Parameter(nil, .named("text")), Parameter("é\u{1}", .named("text")),
                ]))
        #expect(
            (0..<6).map { result.rows.text(row: 0, column: $0) } == [
                "a'b\"; drop table x--", "ok", "42", "0.10000000000000000001", "t", "é\u{1}",
            ])
        #expect(throws: EngineError.self) { try connection.query(ExecuteRequest("select $1", [Parameter("x", .named("no_such_type"))])) }
        #expect(throws: EngineError.self) { try connection.query(ExecuteRequest("select $1::text", [Parameter("a\0b")])) }
        #expect(throws: EngineError.self) { try connection.query(ExecuteRequest("select 1\0")) }
        #expect(try connection.query(ExecuteRequest("select 1")).rows.text(row: 0, column: 0) == "1")
    }

    @Test func `H1: long cells are cut between characters, and their full lengths are sent`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let statement = "select repeat('é', 5000), 'short', repeat('x', 3000000), null"
        let result = try connection.query(ExecuteRequest(statement, cellLimit: 1_001))
        #expect(result.rows.length(row: 0, column: 0) == 1_000 && result.rows.fullLength(row: 0, column: 0) == 10_000)
        #expect(result.rows.text(row: 0, column: 0) == String(repeating: "é", count: 500))
        #expect(result.rows.fullLength(row: 0, column: 1) == nil && result.rows.fullLength(row: 0, column: 3) == nil)
        #expect(result.rows.length(row: 0, column: 2) == 1_001 && result.rows.fullLength(row: 0, column: 2) == 3_000_000)
        let whole = try connection.query(ExecuteRequest(statement))
        #expect(!whole.rows.hasTruncatedCells && whole.rows.length(row: 0, column: 2) == 3_000_000)
        // The first result has a cell longer than the maximum, and the second one a row longer than the maximum.
        let wide = try connection.query(ExecuteRequest("select repeat('y', 20000000)"))
        #expect(
            wide.rows.length(row: 0, column: 0) == EngineLimits.maximumCellValueBytes
                && wide.rows.fullLength(row: 0, column: 0) == 20_000_000)
        let row = try connection.query(
            ExecuteRequest("select " + Array(repeating: "repeat('z', 10000000)", count: 5).joined(separator: ", ")))
        for column in 0..<5 {
            #expect(row.rows.fullLength(row: 0, column: column) ?? UInt64(row.rows.length(row: 0, column: column)) == 10_000_000)
        }
        #expect(row.rows.byteCount <= EngineLimits.maximumMessageBytes)
    }

    @Test func `H1: a result reports that a row or byte limit truncated it, and the connection stays usable`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let exact = try connection.query(ExecuteRequest("select generate_series(1, 10)", rowLimit: 10))
        #expect(exact.rows.rowCount == 10 && !exact.completion.isTruncated)
        let cut = try connection.query(ExecuteRequest("select generate_series(1, 100000000)", rowLimit: 10))
        #expect(cut.rows.rowCount == 10 && cut.completion.isTruncated)
        let bytes = try connection.query(ExecuteRequest("select repeat('x', 1000) from generate_series(1, 100000)", byteLimit: 50_000))
        #expect(bytes.completion.isTruncated && (45...55).contains(bytes.rows.rowCount))
        let default16 = try connection.query(ExecuteRequest("select repeat('x', 100000) from generate_series(1, 1000)"))
        #expect(default16.completion.isTruncated && (160...170).contains(default16.rows.rowCount))
        var rows = 0
        let stream = try connection.stream(
            ExecuteRequest("select repeat('x', 1000) from generate_series(1, 100000)", byteLimit: 5_000_000), onColumns: { _ in },
            onRows: {
                rows += $0.rowCount; return true
            })
        #expect(stream.completion.isTruncated && (4_900...5_100).contains(rows) && stream.completion.rowCount == UInt64(rows))
        #expect(try connection.query(ExecuteRequest("select 7")).rows.text(row: 0, column: 0) == "7")
    }

    @Test func `H1: streaming a million rows needs bounded memory in both processes`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let process = try #require(connection.helperProcess)
        let before = try #require(memory(getpid(), "VmRSS"))
        var sum = 0
        var batches = 0
        var largest = 0
        let end = try connection.stream(
            ExecuteRequest("select i, 'name ' || i, i * 3 from generate_series(1, 1000000) i"), onColumns: { #expect($0.count == 3) },
            onRows: { batch in
                batches += 1
                largest = max(largest, batch.byteCount)
                for row in 0..<batch.rowCount { batch.withBytes(row: row, column: 2) { for byte in $0 { sum += Int(byte & 15) } } }
                return true
            })
        #expect(end.completion.rowCount == 1_000_000 && !end.completion.isTruncated && batches > 100)
        var expected = 0
        for number in 1...1_000_000 { for byte in String(number * 3).utf8 { expected += Int(byte & 15) } }
        #expect(sum == expected)
        #expect(largest < 1 << 20)
        let helper = try #require(memory(process))
        #expect(helper < 60_000, "the helper used \(helper) KiB")
        #expect(try #require(memory(getpid(), "VmRSS")) - before < 60_000)
    }

    @Test func `H1: a slow receiver makes the server wait, and can stop the stream`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let process = try #require(connection.helperProcess)
        var rows: UInt64 = 0
        let end = try connection.stream(
            ExecuteRequest("select repeat('x', 1000) from generate_series(1, 2000000)"), onColumns: { _ in },
            onRows: { batch in
                usleep(20_000)
                rows += UInt64(batch.rowCount)
                return rows < 10_000
            })
        #expect(end.completion.isTruncated && end.completion.rowCount == rows && rows < 11_000)
        #expect(try #require(memory(process)) < 60_000)
        #expect(connection.isOpen)
        #expect(try connection.query(ExecuteRequest("select 1")).rows.text(row: 0, column: 0) == "1")
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.stream(
                ExecuteRequest("select generate_series(1, 100000000)"), onColumns: { _ in }, onRows: { _ in throw Stop() })
        }
        #expect(try connection.query(ExecuteRequest("select 2")).rows.text(row: 0, column: 0) == "2")
    }

    @Test func `H1: cancellation ends a query on the server, and the connection stays open`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        for statement in [
            "select pg_sleep(60)", "select count(*) from generate_series(1, 1000000000000)",
            "select count(*) from trade a, trade b where a.price * b.price < 0",
        ] {
            let start = Date()
            #expect(throws: EngineError.cancelled) {
                try connection.query(ExecuteRequest(statement)) { Date().timeIntervalSince(start) > 0.3 }
            }
            let elapsed = Date().timeIntervalSince(start)
            #expect(elapsed < 1.5, "\(statement): \(elapsed)")
            #expect(connection.isOpen)
        }
        #expect(try server.psql("select count(*) from pg_stat_activity where application_name = 'gridview' and state = 'active'") == "0")
        // The cancellation flag is set before the statement starts.
        #expect(throws: EngineError.cancelled) { try connection.query(ExecuteRequest("select 1")) { true } }
        #expect(try connection.query(ExecuteRequest("select 3")).rows.text(row: 0, column: 0) == "3")
    }

    @Test func `H1: the time limits of a request and of the server cause different errors`() throws {
        let connection = try server.connection(options: "?statement_timeout=700")
        defer { connection.close() }
        let start = Date()
        #expect(throws: EngineError.timedOut) { try connection.query(ExecuteRequest("select pg_sleep(60)", timeLimitMilliseconds: 200)) }
        #expect(Date().timeIntervalSince(start) < 1.2)
        do throws(any Error) {
            _ = try connection.query(ExecuteRequest("select pg_sleep(60)"))
            Issue.record("the limit of the server had no effect")
        } catch EngineError.cancelledByServer(let message) {
            #expect(message.code == "57014" && message.summary == "statements may take at most 700ms (statement_timeout)")
        }
        #expect(try connection.query(ExecuteRequest("select 1", timeLimitMilliseconds: 5_000)).rows.text(row: 0, column: 0) == "1")
    }

    @Test func `19.6: the time limit of a role applies unless the connection URL has another one`() throws {
        _ = try? server.psql("create role hurried login")
        try server.psql("alter role hurried set statement_timeout = '1s'")
        func limit(_ options: String) throws -> String? {
            let connection = try server.connection(user: "hurried", options: options)
            defer { connection.close() }
            return try connection.query(ExecuteRequest("show statement_timeout")).rows.text(row: 0, column: 0)
        }
        for (options, expected) in [("", "1s"), ("?statement_timeout=0", "0"), ("?statement_timeout=90000", "90s")] {
            #expect(try limit(options) == expected)
        }
        let connection = try server.connection(user: "hurried")
        defer { connection.close() }
        let error = engineError { _ = try connection.query(ExecuteRequest("select pg_sleep(60)")) }
        #expect(
            error?.message == "Stopped by the server: statements may take at most 1s (statement_timeout). "
                + "For more time, set statement_timeout=0 in the connection URL.")
        // A statement that an administrator stops has another error than one that reaches its time limit.
        let patient = try server.connection(user: "hurried", options: "?statement_timeout=60000")
        defer { patient.close() }
        let backend = try #require(patient.serverInfo?.properties[ServerInfo.Property.process])
        let thread = Thread {
            usleep(300_000)
            _ = try? PostgresServer.shared.get().psql("select pg_cancel_backend(\(backend))")
        }
        thread.start()
        if case .cancelledByServer(let message)? = engineError({ _ = try patient.query(ExecuteRequest("select pg_sleep(60)")) }) {
            #expect(!message.summary.contains("statement_timeout") && message.hint.isEmpty)
        } else {
            Issue.record("the statement was not stopped")
        }
    }

    @Test func `H1: a helper that does not answer a cancellation is killed after two seconds`() throws {
        let connection = try server.connection()
        let process = try #require(connection.helperProcess)
        kill(process, SIGSTOP)
        let start = Date()
        #expect(throws: EngineError.cancelled) {
            try connection.query(ExecuteRequest("select 1")) { Date().timeIntervalSince(start) > 0.1 }
        }
        let elapsed = Date().timeIntervalSince(start)
        #expect(elapsed > 1.9 && elapsed < 4)
        #expect(!connection.isOpen && !exists(process))
        #expect(throws: EngineError.notOpen) { try connection.query(ExecuteRequest("select 1")) }
        try connection.open()
        #expect(try connection.query(ExecuteRequest("select 4")).rows.text(row: 0, column: 0) == "4")
        connection.close()
    }

    @Test func `H1: a killed helper and a terminated server process cause different errors`() throws {
        let connection = try server.connection()
        let process = try #require(connection.helperProcess)
        kill(process, SIGKILL)
        #expect(throws: EngineError.helperEnded(signal: SIGKILL)) { try connection.query(ExecuteRequest("select 1")) }
        #expect(!connection.isOpen && !exists(process))
        try connection.open()
        let backend = try #require(connection.serverInfo?.properties[ServerInfo.Property.process])
        let killer = Thread {
            usleep(300_000)
            _ = try? PostgresServer.shared.get().psql("select pg_terminate_backend(\(backend))")
        }
        killer.start()
        do throws(any Error) {
            _ = try connection.query(ExecuteRequest("select pg_sleep(30)"))
            Issue.record("the backend was not terminated")
        } catch EngineError.serverClosed(let message) { #expect(message.code == "57P01") }
        #expect(!connection.isOpen)
        try connection.open()
        #expect(try connection.query(ExecuteRequest("select 5")).rows.text(row: 0, column: 0) == "5")
        // The backend ends while the connection is idle.
        let idle = try #require(connection.serverInfo?.properties[ServerInfo.Property.process])
        try server.psql("select pg_terminate_backend(\(idle))")
        do throws(any Error) {
            _ = try connection.query(ExecuteRequest("select 1"))
            Issue.record("the backend was not terminated")
        } catch EngineError.serverClosed {}
        connection.close()
    }

    @Test func `H1: the connection stays open if its server cannot reach another server`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        for code in ["08001", "08006", "57P01"] {
            do throws(any Error) {
                _ = try connection.query(ExecuteRequest("do $$ begin raise exception 'no shard' using errcode = '\(code)'; end $$"))
                Issue.record("the statement succeeded")
            } catch EngineError.failed(let message) {
                #expect(message.summary == "The server cannot reach another server: no shard" && message.code == code)
            }
            #expect(connection.isOpen)
            #expect(try connection.query(ExecuteRequest("select 6")).rows.text(row: 0, column: 0) == "6")
        }
        // A missing parameter is also an error of class 08, but it does not close the connection.
        if case .failed(let message)? = engineError({ _ = try connection.query(ExecuteRequest("select $1::int")) }) {
            #expect(message.code == "08P01" && message.summary.hasPrefix("bind message"), "\(message.summary)")
        } else {
            Issue.record("the statement succeeded")
        }
        #expect(connection.isOpen)
    }

    @Test func `H1: a query fails if its server is killed`() throws {
        let own = try PostgresServer.withTables()
        let connection = try own.connection()
        let stopper = Thread {
            usleep(300_000)
            own.stop()
        }
        stopper.start()
        do throws(any Error) {
            _ = try connection.query(ExecuteRequest("select pg_sleep(30)"))
            Issue.record("the server was not stopped")
        } catch EngineError.serverClosed(let message) { #expect(!message.summary.isEmpty) }
        #expect(throws: EngineError.self) { try connection.open() }
        do throws(any Error) { try connection.open() } catch EngineError.connectionRefused {}
        #expect(eventually { !FileManager.default.fileExists(atPath: own.folder) })
    }

    @Test func `H1: each kind of connection failure is a distinct error, without the password`() throws {
        func failure(_ address: String, password: String? = nil) -> EngineError? {
            do {
                try open(address, password: password).close()
                return nil
            } catch { return error as? EngineError }
        }
        if case .wrongPassword(let message)? = failure(server.networkAddress(user: "locked", password: "hunter2")) {
            #expect(message.code == "28P01" && !message.summary.contains("hunter2") && !message.summary.contains("LOCATION"))
        } else {
            Issue.record("a wrong password")
        }
        #expect(failure(server.networkAddress(user: "locked", password: "open%20sesame")) == nil)
        #expect(failure(server.networkAddress(user: "locked"), password: "open sesame") == nil)
        if case .passwordNeeded? = failure(server.networkAddress(user: "locked") + "?passfile=/dev/null") {
        } else {
            Issue.record("no password")
        }
        if case .unknownHost? = failure("postgres://postgres@no-such-host.invalid/postgres") {} else { Issue.record("an unknown host") }
        if case .connectionRefused? = failure("postgres://127.0.0.1:\(try freePort())/postgres") {} else { Issue.record("a closed port") }
        if case .connectionRefused? = failure("postgres://%2Fno%2Fsuch%2Ffolder/postgres") {} else { Issue.record("no socket") }
        if case .unknownDatabase(let message)? = failure(server.address() + "x") {
            #expect(message.code == "3D000")
        } else {
            Issue.record("an unknown database")
        }
        if case .wrongPassword(let message)? = failure(server.address(user: "nobody")) {
            #expect(message.code == "28000")
        } else {
            Issue.record("an unknown user")
        }
        if case .encryptionFailed? = failure(server.networkAddress() + "?sslmode=require") {} else { Issue.record("no encryption") }
        if case .failed? = failure(server.networkAddress() + "?sslmode=disable&gssencmode=require") {} else { Issue.record("no Kerberos") }
        if case .failed? = failure(server.address() + "?no_such_option=1") {} else { Issue.record("an unknown option") }
        if case .unsupported? = failure(server.address() + "?replication=database") {} else { Issue.record("replication") }
    }

    @Test func `H1: writes and multiple statements are refused, and errors have a code and a position`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        func failure(_ statement: String) -> EngineError? {
            do {
                _ = try connection.query(ExecuteRequest(statement))
                return nil
            } catch { return error }
        }
        for statement in ["insert into secret values (1)", "create table x (a int)", "drop table trade", "update trade set note = ''"] {
            if case .readOnly(let message)? = failure(statement) { #expect(message.code == "25006") } else { Issue.record("\(statement)") }
        }
        if case .syntax? = failure("select 1; select 2") {} else { Issue.record("two statements") }
        if case .syntax(let message)? = failure("select é frm trade x y") {
            #expect(message.position == 14)
        } else {
            Issue.record("syntax")
        }
        if case .missingObject(let message)? = failure("select prce from trade") {
            #expect(message.hint.contains("trade.price") && message.position == 8)
        } else {
            Issue.record("an unknown column")
        }
        func allocationFailure(_ size: String) -> EngineError? {
            failure("do $$ begin raise 'invalid memory alloc request size \(size)' using errcode = 'XX000'; end $$")
        }
        if case .tooLarge(let message)? = allocationFailure("1200000003") {
            #expect(message.hint.hasPrefix("A value is too large to be converted to text."))
        } else {
            Issue.record("a large value")
        }
        if case .failed(let message)? = allocationFailure("18446744073709551613") {
            #expect(message.hint.isEmpty)
        } else {
            Issue.record("a value with a damaged size")
        }
        if case .syntax? = failure("") {} else { Issue.record("an empty statement") }
        if case .failed(let message)? = failure("select 1 / 0") { #expect(message.code == "22012") } else { Issue.record("division") }
        let reader = try server.connection(user: "reader")
        defer { reader.close() }
        do throws(any Error) {
            _ = try reader.query(ExecuteRequest("select * from secret"))
            Issue.record("permission")
        } catch EngineError.permissionDenied(let message) { #expect(message.code == "42501") }
        // An error in the middle of a stream comes after its rows.
        var rows = 0
        #expect(throws: EngineError.self) {
            try connection.stream(
                ExecuteRequest("select 100 / (5000 - i) from generate_series(1, 10000) i"), onColumns: { _ in },
                onRows: {
                    rows += $0.rowCount; return true
                })
        }
        #expect(rows == 4_999)
        if case .unsupported? = failure("copy trade to stdout") {} else { Issue.record("copy") }
    }

    @Test func `H1: notices and errors with control characters are passed unchanged`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let result = try connection.query(
            ExecuteRequest("do $$ begin raise notice E'a\\033[31mb\\007\\nc' using hint = E'\\033]0;x\\007'; end $$"))
        #expect(result.columns.isEmpty && result.rows.rowCount == 0)
        #expect(result.notices.map(\.summary) == ["a\u{1B}[31mb\u{7}\nc"] && result.notices[0].hint == "\u{1B}]0;x\u{7}")
        do throws(any Error) {
            _ = try connection.query(ExecuteRequest("do $$ begin raise exception E'\\033c%', repeat('x', 3000000); end $$"))
            Issue.record("no error")
        } catch EngineError.failed(let message) {
            #expect(
                message.summary.hasPrefix("\u{1B}cxxx") && message.summary.utf8.count == EngineLimits.maximumTextBytes
                    && message.code == "P0001")
        }
        let many = try connection.query(ExecuteRequest("do $$ begin for i in 1..1000 loop raise notice '%', i; end loop; end $$"))
        #expect(many.notices.count == EngineLimits.maximumNotices && many.notices[99].summary == "100")
        let odd = try connection.query(ExecuteRequest("select 1 as \"a\u{1B}[0m\nb\", E'\\033[2J'"))
        #expect(odd.columns[0].name == "a\u{1B}[0m\nb" && odd.rows.text(row: 0, column: 1) == "\u{1B}[2J")
    }

    @Test func `H1: sessions are read-only, have a fixed text format, and search system objects first`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        func value(_ statement: String) throws -> String? { try connection.query(ExecuteRequest(statement)).rows.text(row: 0, column: 0) }
        for setting in ["datestyle = 'German'", "bytea_output = 'escape'", "quote_all_identifiers = on"] {
            try server.psql("alter role reader set \(setting)")
        }
        let reader = try server.connection(user: "reader", options: "?search_path=pg_catalog")
        defer { reader.close() }
        let texts = try reader.query(
            ExecuteRequest("select date '2026-02-03', interval '1 day 2 hours', '\\x00ff'::bytea, 0.1::float8 + 0.2"))
        #expect((0..<4).map { texts.rows.text(row: 0, column: $0) } == ["2026-02-03", "P1DT2H", "\\x00ff", "0.30000000000000004"])
        #expect(try reader.query(ExecuteRequest("show search_path")).rows.text(row: 0, column: 0) == "pg_catalog")
        #expect(try reader.query(ExecuteRequest("select format_type(1082, -1)")).rows.text(row: 0, column: 0) == "date")
        #expect(try value("show default_transaction_read_only") == "on")
        #expect(try value("show application_name") == "gridview")
        #expect(try value("show search_path") == "pg_catalog, \"$user\", public, pg_temp")
        #expect(try value("show client_encoding") == "UTF8")
        #expect(try value("show client_connection_check_interval") == "2s")
        #expect(try value("show synchronize_seqscans") == "off")
        // The statements of this transaction share a snapshot.
        #expect(try connection.query(ExecuteRequest("begin isolation level repeatable read read only")).columns.isEmpty)
        #expect(try value("show transaction_isolation") == "repeatable read")
        #expect(try connection.query(ExecuteRequest("rollback")).completion.rowCount == 0)
    }

    @Test(arguments: [
        ("alter role schemas set search_path = app, public", "", "pg_catalog, app, public, pg_temp"),
        ("alter role schemas set search_path = public, app", "?options=-c%20search_path%3Dapp", "pg_catalog, app, pg_temp"),
        ("alter role schemas set search_path = ''", "", "pg_catalog, \"\", pg_temp"),
        ("alter role schemas set search_path = app", "?search_path=public", "public"),
    ]) func `H1: names without a schema are found in the schemas of the role`(setting: String, options: String, expected: String) throws {
        try server.psql("do $$ begin create role schemas login; exception when duplicate_object then null; end $$; \(setting)")
        let connection = try server.connection(user: "schemas", options: options)
        defer { connection.close() }
        #expect(try connection.query(ExecuteRequest("show search_path")).rows.text(row: 0, column: 0) == expected)
    }

    @Test func `H1: an encrypted connection reports its protocol, and its statements can be cancelled`() throws {
        let key = server.folder + "/server.key"
        // The second certificate did not sign that of the server.
        for (key, certificate) in [(key, "server.crt"), (server.folder + "/other.key", "other.crt")] {
            try programOutput(
                "/usr/bin/env",
                [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key,
                    "-out", server.folder + "/" + certificate,
                ])
        }
        if getuid() == 0 { try programOutput("/usr/bin/env", ["chown", "postgres", key, server.folder + "/server.crt"]) }
        for setting in ["ssl_key_file = '\(key)'", "ssl_cert_file = '\(server.folder)/server.crt'", "ssl = on"] {
            try server.psql("alter system set \(setting)")
        }
        try server.psql("select pg_reload_conf()")
        defer {
            _ = try? server.psql("alter system set ssl = off")
            _ = try? server.psql("select pg_reload_conf()")
            usleep(200_000)
        }
        #expect(eventually { (try? server.psql("show ssl")) == "on" })
        usleep(200_000)
        let connection = try open(server.networkAddress() + "?sslmode=require")
        defer { connection.close() }
        #expect(connection.serverInfo?.properties[ServerInfo.Property.encryption]?.hasPrefix("TLSv1") == true)
        #expect(connection.serverInfo?.properties[ServerInfo.Property.encryptionMode] == "require")
        let start = Date()
        #expect(throws: EngineError.cancelled) {
            try connection.query(ExecuteRequest("select pg_sleep(60)")) { Date().timeIntervalSince(start) > 0.2 }
        }
        #expect(Date().timeIntervalSince(start) < 1.5 && connection.isOpen)
        let plain = try open(server.networkAddress() + "?sslmode=disable")
        #expect(plain.serverInfo?.properties[ServerInfo.Property.encryption] == "")
        #expect(plain.serverInfo?.properties[ServerInfo.Property.encryptionMode] == nil)
        plain.close()
        // The certificate file is missing, belongs to another host, or belongs to another authority.
        let checks = [("full", "/no/such/file"), ("full", "\(server.folder)/server.crt"), ("ca", "\(server.folder)/other.crt")]
        for (check, file) in checks {
            let error = engineError { _ = try open(server.networkAddress() + "?sslmode=verify-\(check)&sslrootcert=\(file)") }
            guard case .certificateRefused? = error else {
                Issue.record("\(file): \(String(describing: error))")
                continue
            }
            #expect(error?.message.contains("sslrootcert") == true && error?.message.contains("sslmode") == false, "\(file)")
        }
        try open(server.networkAddress() + "?sslmode=verify-ca&sslrootcert=\(server.folder)/server.crt").close()
    }

    @Test func `H1: connections to hosts of a service file are encrypted unless the file sets sslmode`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "services",
            """
            [local]
            host=\(server.folder)
            port=\(server.port)
            user=postgres
            dbname=postgres
            [far]
            host=0.0.0.0
            port=\(server.port)
            user=postgres
            dbname=postgres
            [plain]
            host=0.0.0.0
            port=\(server.port)
            user=postgres
            dbname=postgres
            sslmode=disable
            """)
        setenv("PGSERVICEFILE", file, 1)
        defer { unsetenv("PGSERVICEFILE") }
        let local = try open("service=local table=public.trade")
        #expect(local.target.table == ["public", "trade"])
        #expect(try local.query(ExecuteRequest("select count(*) from trade")).rows.text(row: 0, column: 0) == "100000")
        local.close()
        // The address of this service is not local, but reaches this computer on Linux. The server does not support encryption.
        if case .encryptionFailed? = engineError({ _ = try open("service=far") }) {} else { Issue.record("not encrypted") }
        try open("service=plain").close()
        #expect(engineError { _ = try open("service=none") } != nil)
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/tcp"), "there is no /proc"))
    func `19.9: a remote connection is tested after 30 idle seconds, or the time in the URL or service file`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "services", "[calm]\nhost=0.0.0.0\nport=\(server.port)\nuser=postgres\ndbname=postgres\nkeepalives_idle=900\n")
        setenv("PGSERVICEFILE", file, 1)
        defer { unsetenv("PGSERVICEFILE") }
        // The address 0.0.0.0 is not local, but reaches this computer on Linux.
        let url = "postgres://postgres@0.0.0.0:\(server.port)/postgres?sslmode=disable"
        for (address, seconds) in [(url, 20...30), (url + "&keepalives_idle=300", 290...300), ("service=calm sslmode=disable", 890...900)] {
            let connection = try open(address)
            defer { connection.close() }
            let process = try #require(connection.helperProcess)
            // Poll, because another timer runs until the answer of the server is acknowledged.
            var found: Int?
            _ = eventually {
                found = try? idleSeconds(process, port: server.port)
                return found != nil
            }
            #expect(found.map { seconds.contains($0) } == true, "\(address): \(found ?? -1)")
        }
    }

    /// The seconds until a helper's connection to a port is tested, rounded up; `nil` if it is not tested.
    private func idleSeconds(_ process: Int32, port: Int) throws -> Int? {
        let folder = "/proc/\(process)/fd"
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
        }
        let suffix = ":" + String(format: "%04X", port)
        // The fields: number, local and remote address, state, queues, timer, retransmissions, user, timeout, inode.
        // Foundation reads only the first part of this file.
        for line in try programOutput("/usr/bin/env", ["cat", "/proc/net/tcp"]).split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[2].hasSuffix(suffix), sockets.contains("socket:[\(fields[9])]") else { continue }
            let timer = fields[5].split(separator: ":")
            // Timer 2 tests the connection. Its time is in hundredths of a second.
            guard timer.count == 2, timer[0] == "02", let ticks = Int(timer[1], radix: 16) else { return nil }
            return (ticks + 99) / 100
        }
        return nil
    }

    @Test func `H1: results can have no columns, 1,600 columns, duplicate names and empty strings`() throws {
        let connection = try server.connection()
        defer { connection.close() }
        let none = try connection.query(ExecuteRequest("select from generate_series(1, 5)"))
        #expect(none.columns.isEmpty && none.rows.rowCount == 5 && none.rows.columnCount == 0)
        let endless = try connection.query(ExecuteRequest("select from generate_series(1, 50000000)"))
        #expect(endless.completion.isTruncated && endless.rows.rowCount < 3_000_000)
        let list = (1...1_600).map { $0 % 3 == 0 ? "null::text" : "\($0)" }.joined(separator: ", ")
        let wide = try connection.query(ExecuteRequest("select \(list) from generate_series(1, 20)"))
        #expect(
            wide.columns.count == 1_600 && wide.rows.rowCount == 20 && wide.rows.text(row: 19, column: 1_599) == "1600"
                && wide.rows.isNull(row: 19, column: 1_598))
        let names = try connection.query(ExecuteRequest("select 1 as a, 2 as a, '' as \"\u{7F}\", null"))
        #expect(names.columns.map(\.name) == ["a", "a", "\u{7F}", "?column?"])
        #expect(names.rows.text(row: 0, column: 2) == "" && !names.rows.isNull(row: 0, column: 2) && names.rows.isNull(row: 0, column: 3))
        let long = try connection.query(ExecuteRequest("select length('\(String(repeating: "x", count: 3_000_000))')"))
        #expect(long.rows.text(row: 0, column: 0) == "3000000")
        let value = String(repeating: "y", count: 20_000_000)
        #expect(
            try connection.query(ExecuteRequest("select length($1)", [Parameter(value, .named("text"))])).rows.text(row: 0, column: 0)
                == "20000000")
        #expect(throws: EngineError.requestTooLarge) { try connection.query(ExecuteRequest(String(repeating: " ", count: 5_000_000))) }
        #expect(throws: EngineError.requestTooLarge) {
            try connection.query(ExecuteRequest("select $1", [Parameter(value), Parameter(value)]))
        }
        let many = try connection.query(
            ExecuteRequest(
                "select count(*) from unnest(array[" + (1...30_000).map { "$\($0)" }.joined(separator: ",") + "])",
                (1...30_000).map { Parameter("\($0)", .oid(23)) }))
        #expect(many.rows.text(row: 0, column: 0) == "30000")
    }

    @Test func `H1: a long statement on one connection does not delay another one`() throws {
        let (jobs, pages) = (try server.connection(), try server.connection())
        defer {
            jobs.close()
            pages.close()
        }
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let start = Date()
            #expect(throws: EngineError.cancelled) {
                try jobs.query(ExecuteRequest("select pg_sleep(60)")) { Date().timeIntervalSince(start) > 1 }
            }
            ended.signal()
        }
        usleep(100_000)
        let start = Date()
        for _ in 0..<50 { _ = try pages.query(ExecuteRequest("select * from trade where id > 500 order by id limit 100")) }
        #expect(Date().timeIntervalSince(start) < 0.8)
        ended.wait()
    }
}
