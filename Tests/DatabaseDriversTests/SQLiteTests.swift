import EngineClient
import EngineProtocol
import Foundation
import GridTestSupport
import Testing

@Suite("SQLite through the helper", .serialized)
struct SQLiteTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Creates a database with Python, which has its own copy of the library.
    private func database(_ name: String, _ script: String) throws -> String {
        let path = folder.path(of: name)
        try programOutput(
            "/usr/bin/env", ["python3", "-c", "import sqlite3\nc = sqlite3.connect('''\(path)''')\n\(script)\nc.commit()\nc.close()"])
        return path
    }

    private func trades() throws -> String {
        try database(
            "trade #1?.db",
            """
            c.execute('create table trade (id integer primary key, price real, symbol varchar(8), note text, raw blob, anything)')
            c.executemany('insert into trade values (?, ?, ?, ?, ?, ?)', ((i, i / 7, 'S%d' % (i % 100), None if i % 5 == 0 else 'é %d' % i,
              bytes([i % 256, 0, 255]), [i, i / 3, 'x', None, b'z'][i % 5]) for i in range(1, 10001)))
            """)
    }

    @Test func `H1: cells keep their storage class, and floating-point numbers keep all digits`() throws {
        let path = try trades()
        let connection = try open("sqlite:\(path)")
        defer { connection.close() }
        #expect(connection.serverInfo?.product == "SQLite" && connection.serverInfo?.properties[ServerInfo.Property.warning] == nil)
        let result = try connection.query(
            ExecuteRequest("select * from trade where id > ? order by id limit 100", [Parameter("0", .named("integer"))]))
        #expect(result.columns.map(\.name) == ["id", "price", "symbol", "note", "raw", "anything"])
        #expect(
            result.columns.map(\.type.name) == ["INTEGER", "REAL", "varchar(8)", "TEXT", "BLOB", ""]
                || result.columns.map(\.type.name) == ["integer", "real", "varchar(8)", "text", "blob", ""])
        #expect(result.columns[1].origin == .names(schema: "main", table: "trade", column: "price"))
        #expect(result.rows.rowCount == 100 && result.completion.rowCount == 100 && !result.completion.isTruncated)
        for row in 0..<100 {
            let id = row + 1
            #expect(result.rows.text(row: row, column: 0) == "\(id)" && result.rows.kind(row: row, column: 0) == .integer)
            #expect(
                result.rows.text(row: row, column: 1).flatMap(Double.init) == Double(id) / 7
                    && result.rows.kind(row: row, column: 1) == .real)
            #expect(result.rows.text(row: row, column: 2) == "S\(id % 100)" && result.rows.kind(row: row, column: 2) == .text)
            #expect(result.rows.text(row: row, column: 3) == (id % 5 == 0 ? nil : "é \(id)"))
            #expect(result.rows.bytes(row: row, column: 4) == [UInt8(id % 256), 0, 255] && result.rows.kind(row: row, column: 4) == .blob)
            #expect(result.rows.kind(row: row, column: 5) == [.integer, .real, .text, .text, .blob][id % 5])
            #expect(result.rows.isNull(row: row, column: 5) == (id % 5 == 3))
        }
        // Values that are sent back as parameters find their row.
        for column in [0, 1, 2, 3, 4] {
            let type = ["integer", "real", "text", "text", "blob"][column]
            let name = result.columns[column].name
            let found = try connection.query(
                ExecuteRequest(
                    "select id from trade where \(name) = ? order by id",
                    [Parameter(bytes: result.rows.bytes(row: 21, column: column), .named(type))]))
            #expect(found.rows.text(row: 0, column: 0) == "22", "\(name)")
        }
        let special = try connection.query(
            ExecuteRequest(
                "select 9e999, -9e999, 0.1 + 0.2, 1.0, ?, ?, ?", [Parameter(""), Parameter(bytes: [], .named("blob")), Parameter(nil)]))
        #expect((0..<4).map { special.rows.text(row: 0, column: $0) } == ["inf", "-inf", "0.30000000000000004", "1.0"])
        #expect(
            special.rows.text(row: 0, column: 4) == "" && special.rows.kind(row: 0, column: 5) == .blob
                && special.rows.isNull(row: 0, column: 6))
        let description = try connection.describe(DescribeRequest("select id, price + ? from trade where id > ?"))
        #expect(description.columns.map(\.name) == ["id", "price + ?"] && description.parameters.count == 2)
    }

    @Test func `H1: results can be limited, streamed and cancelled`() throws {
        let connection = try open("sqlite:\(try trades())")
        defer { connection.close() }
        let cut = try connection.query(
            ExecuteRequest("select printf('%.*c', 5000, 'x'), zeroblob(3000) from trade", rowLimit: 7, cellLimit: 100))
        #expect(
            cut.completion.isTruncated && cut.rows.rowCount == 7 && cut.rows.fullLength(row: 6, column: 0) == 5_000
                && cut.rows.fullLength(row: 6, column: 1) == 3_000
        )
        var rows = 0
        let process = try #require(connection.helperProcess)
        let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select i, 'name ' || i from n"
        let end = try connection.stream(
            ExecuteRequest(endless, rowLimit: 1_000_000), onColumns: { _ in },
            onRows: {
                rows += $0.rowCount; return true
            })
        #expect(rows == 1_000_000 && end.completion.isTruncated)
        if let used = memory(process) { #expect(used < 60_000) }
        for statement in [
            "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
            "select count(*) from trade a, trade b, trade c where a.price * b.price + c.price < 0",
        ] {
            let start = Date()
            #expect(throws: EngineError.cancelled) {
                try connection.query(ExecuteRequest(statement)) { Date().timeIntervalSince(start) > 0.2 }
            }
            #expect(Date().timeIntervalSince(start) < 0.8)
            let second = Date()
            #expect(throws: EngineError.timedOut) { try connection.query(ExecuteRequest(statement, timeLimitMilliseconds: 200)) }
            #expect(Date().timeIntervalSince(second) < 0.8)
        }
        #expect(try connection.query(ExecuteRequest("select 1")).rows.text(row: 0, column: 0) == "1")
        // Progress is reported while a statement computes without rows.
        var reports = 0
        #expect(throws: EngineError.timedOut) {
            try connection.stream(
                ExecuteRequest(
                    "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n", timeLimitMilliseconds: 1_200),
                onProgress: { _ in reports += 1 },
                onColumns: { _ in }, onRows: { _ in true })
        }
        #expect((2...6).contains(reports))
    }

    @Test func `H1: an error of the receiver of rows is thrown even if the statement has already ended`() throws {
        struct Refusal: Error {}
        let connection = try open("sqlite:\(try trades())")
        defer { connection.close() }
        for statement in [
            "select 1", "select * from trade", "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n",
        ] {
            var batches = 0
            #expect(throws: Refusal.self) {
                try connection.stream(
                    ExecuteRequest(statement), onColumns: { _ in },
                    onRows: { _ in
                        batches += 1
                        throw Refusal()
                    })
            }
            #expect(batches == 1)
            #expect(throws: Refusal.self) {
                try connection.stream(ExecuteRequest(statement), onColumns: { _ in throw Refusal() }, onRows: { _ in true })
            }
        }
        #expect(try connection.query(ExecuteRequest("select 2")).rows.text(row: 0, column: 0) == "2")
    }

    @Test func `H1: only a single statement that reads can run`() throws {
        let path = try trades()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let connection = try open("sqlite:\(path)")
        defer { connection.close() }
        func failure(_ statement: String) -> EngineError? { engineError { _ = try connection.query(ExecuteRequest(statement)) } }
        for statement in [
            "insert into trade (id) values (0)", "create table x (a)", "delete from trade", "pragma user_version = 5", "vacuum",
        ] {
            if case .readOnly? = failure(statement) {} else { Issue.record("\(statement): \(String(describing: failure(statement)))") }
        }
        for statement in [
            "attach '\(folder.path(of: "other.db"))' as other", "select load_extension('x')", "vacuum into '\(folder.path(of: "copy.db"))'",
            "select * from pragma_no_such",
        ] {
            #expect(failure(statement) != nil, "\(statement)")
        }
        // The statement must not return a pointer to a function of the library.
        let tokenizer = try? connection.query(ExecuteRequest("select fts3_tokenizer('simple')"))
        #expect(tokenizer?.rows.isNull(row: 0, column: 0) != false)
        if case .syntax? = failure("select 1; select 2") {} else { Issue.record("two statements") }
        #expect(failure("select 1; -- comment\n ;") == nil)
        if case .syntax(let message)? = failure("select 'é' frm x y") {
            #expect(message.position == 16 || message.position == 0)
        } else {
            Issue.record("syntax")
        }
        if case .missingObject? = failure("select prce from trade") {} else { Issue.record("an unknown column") }
        if case .missingObject? = failure("select \"prce\" from trade") {} else { Issue.record("an unknown column in quotes") }
        let nested = [
            String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200),
            Array(repeating: "1", count: 600).joined(separator: " + "),
        ]
        for expression in nested {
            #expect(
                failure("select \(expression)")?.message
                    == "The statement has too many nested parts for SQLite. Use fewer formulas that contain each other.")
        }
        if case .syntax? = failure(" -- nothing") {} else { Issue.record("an empty statement") }
        if case .failed? = engineError({ _ = try connection.query(ExecuteRequest("select ?")) }) {
        } else {
            Issue.record("a missing parameter")
        }
        if case .failed? = engineError({ _ = try connection.query(ExecuteRequest("select ?", [Parameter("1x", .named("integer"))])) }) {
        } else {
            Issue.record("not a number")
        }
        if case .unsupported? = engineError({ _ = try connection.query(ExecuteRequest("select ?", [Parameter("1", .named("date"))])) }) {
        } else {
            Issue.record("a type")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test func `19.5: REGEXP matches text, numbers and blobs by the rules of local filters, and NULL has no result`() throws {
        let connection = try open("sqlite:\(try trades())")
        defer { connection.close() }
        func result(_ text: String, _ pattern: String) throws -> String? {
            let statement = ExecuteRequest("select \(text) regexp ?", [Parameter(pattern, .named("text"))])
            return try connection.query(statement).rows.text(row: 0, column: 0)
        }
        let cases: [(text: String, pattern: String, isMatch: Bool)] = [
            ("'Gold'", "^G", true), ("'Gold'", "^g", false), ("'Gold'", "(?i)^g", true), ("'ÄRGER'", "(?i)^ärger$", true),
            ("'a' || char(10) || 'b'", "a.b", false), ("'a' || char(10) || 'b'", "(?s)a.b", true),
            ("'a' || char(10) || 'b'", "^b", false), ("'a' || char(10) || 'b'", "(?m)^b", true), ("''", "", true), ("''", "^$", true),
            ("'é'", "^.$", true), ("'a' || char(0) || 'b'", "b$", true), ("'a' || char(0) || 'b'", "\\x00", true),
            // A blob that is not valid UTF-8 never matches, but a text with invalid bytes can match.
            ("x'61ff'", "^a.$", false), ("x'6162'", "^ab$", true), ("x''", "^$", true), ("cast(x'61ff62' as text)", "^a", true),
            ("123", "^12", true), ("-0.5", "^-0\\.5$", true), ("1e300", "e\\+300$", true), ("0.1 + 0.2", "^0\\.3$", true),
        ]
        for (text, pattern, isMatch) in cases { #expect(try result(text, pattern) == (isMatch ? "1" : "0"), "\(text) ~ \(pattern)") }
        #expect(try result("null", "a") == nil)
        #expect(try result("'a'", String(repeating: "a?", count: 500)) == "1", "a pattern of the maximum length")
        let missing = try connection.query(ExecuteRequest("select 'a' regexp null, regexp('b$', 'ab')"))
        #expect(missing.rows.isNull(row: 0, column: 0) && missing.rows.text(row: 0, column: 1) == "1")
        // Some statements have one pattern for all rows, and others a pattern that differs from row to row.
        for (statement, count) in [
            ("select count(*) from trade where symbol regexp '^S[12]$'", "200"),
            ("select count(*) from trade where not id regexp '7'", "6561"),
            ("select count(*) from trade where symbol regexp '^S' || (id % 100) || '$'", "10000"),
            ("select count(*) from trade where symbol regexp case when id % 2 then '^S' else 'x' end", "5000"),
        ] {
            #expect(try connection.query(ExecuteRequest(statement)).rows.text(row: 0, column: 0) == count, "\(statement)")
        }
        for (statement, part) in [
            ("select 'a' regexp '('", "Invalid regular expression: missing ): ("),
            ("select count(*) from trade where symbol regexp substr('S(', id % 2 + 1, 1)", "Invalid regular expression: "),
            ("select 'a' regexp '((a{1000}){1000}){1000}'", "Invalid regular expression: "), ("select regexp('a')", "wrong number"),
            ("select 'a' regexp printf('%.1001c', 'a')", "The regular expression is too long. Use one of at most 1,000 bytes"),
            ("select 'a' regexp replace(printf('%.501c', 'a'), 'a', 'é')", "The regular expression is too long."),
        ] {
            if case .failed(let message)? = engineError({ _ = try connection.query(ExecuteRequest(statement)) }) {
                #expect(message.summary.contains(part), "\(message.summary)")
            } else {
                Issue.record("\(statement)")
            }
        }
        #expect(try result("'still open'", "open$") == "1")
    }

    @Test func `19.5: stored values of each type are read as numbers, dates and flags by the rules of local fields`() throws {
        let connection = try open("sqlite:\(try trades())")
        defer { connection.close() }
        let cases: [(value: String, kind: String, expected: String?)] = [
            ("7", "integer 0", "7"), ("'7'", "integer 0", "7"), ("' 1,234 '", "decimal 0", "1234"), ("'1.234,5'", "decimal 1", "1234.5"),
            ("9223372036854775807", "decimal 0", "9223372036854775807"), ("'9007199254740993'", "decimal 0", "9007199254740993"),
            ("1e308", "decimal 0", "1e+308"), ("'0.1'", "decimal 0", "0.1"), ("'x'", "decimal 0", nil), ("''", "decimal 0", nil),
            ("'NaN'", "decimal 0", nil), ("x'37'", "decimal 0", nil), ("null", "decimal 0", nil), ("'€5'", "decimal 0 €#", "5"),
            ("'1970-01-02'", "date iso", "86400000000"), ("'02/01/1970'", "date dmy", "86400000000"),
            ("'1970-01-01 00:00:01.5'", "dateTime iso", "1500000"), ("2", "dateTime epoch", "2000000"), ("'00:01'", "time iso", "60000000"),
            ("'today'", "date iso", nil), ("'yes'", "flag iso", "1"), ("'F'", "flag iso", "0"), ("1", "flag iso", nil),
            ("0.1 + 0.2", "text", "0.30000000000000004"), ("1e308", "text", "1e+308"), ("x'00ff'", "text", "0x00ff"), ("'é'", "text", "é"),
            ("-5", "text", "-5"), ("''", "text", ""), ("null", "text", nil), ("9e999", "text", "inf"), ("-9e999", "text", "-inf"),
        ]
        for (value, kind, expected) in cases {
            let found = try connection.query(ExecuteRequest("select gridview_value(\(value), '\(kind)')")).rows
            #expect(found.text(row: 0, column: 0) == expected, "\(value) as \(kind)")
        }
        for (value, isNaN) in [("'NaN'", "1"), ("' nan'", "1"), ("'x'", "0"), ("5", "0"), ("null", "0")] {
            let found = try connection.query(ExecuteRequest("select gridview_nan(\(value), 'decimal 0')")).rows
            #expect(found.text(row: 0, column: 0) == isNaN, "\(value)")
        }
        // A kind that differs from row to row is read again for each row.
        let kinds = "select sum(gridview_value('12', case when id % 2 then 'decimal 0' else 'date iso' end)) from trade"
        #expect(try connection.query(ExecuteRequest(kinds)).rows.text(row: 0, column: 0) == "60000")
        #expect(throws: EngineError.self) { try connection.query(ExecuteRequest("select gridview_value(1, 'number')")) }
    }

    @Test func `19.5: the text of a blob takes bounded memory, and the text of a very large blob is refused`() throws {
        let connection = try open("sqlite:\(try trades())")
        defer { connection.close() }
        func length(_ count: Int) throws -> String? {
            let statement = "select length(gridview_value(zeroblob(\(count)), 'text'))"
            return try connection.query(ExecuteRequest(statement)).rows.text(row: 0, column: 0)
        }
        #expect(try length(0) == "2")
        let before = memory(try #require(connection.helperProcess))
        #expect(try length(8 << 20) == "16777218")
        if let before, let after = memory(try #require(connection.helperProcess)) {
            // The blob, its text, and a copy of the text with a zero byte at its end, which SQLite needs for `length`: 8 + 16 + 16 MiB.
            #expect(after - before < 48_000, "\(before) KiB, \(after) KiB")
        }
        if case .failed(let message)? = engineError({ _ = try length((64 << 20) + 1) }) {
            #expect(message.summary.contains("too large to be read as text; the limit is 64 MiB."), "\(message.summary)")
        } else {
            Issue.record("a large blob")
        }
        let cut = "select length(gridview_value(zeroblob(\((64 << 20) + 1)), 'text cut')), gridview_value(x'00ff', 'text cut')"
        let found = try connection.query(ExecuteRequest(cut)).rows
        #expect(found.text(row: 0, column: 0) == "\(2 + (128 << 20))" && found.text(row: 0, column: 1) == "0x00ff")
    }

    @Test func `19.5: the patterns of a statement take bounded memory, and a scan with a pattern can be cancelled`() throws {
        let connection = try open("sqlite:\(try trades())")
        defer { connection.close() }
        let process = try #require(connection.helperProcess)
        // The automaton of each pattern grows to 1 MB, because the text has no match.
        var generator = SplitMix64(seed: 19_5)
        let text = String((0..<5_000).map { _ in Bool.random(using: &generator) ? "a" : "b" })
        let sum = (0..<80).map { "(?1 regexp 'a[ab]{16}c|^\($0)$')" }.joined(separator: " + ")
        let none = try connection.query(ExecuteRequest("select \(sum)", [Parameter(text, .named("text"))]))
        #expect(none.rows.text(row: 0, column: 0) == "0")
        if let used = memory(process) { #expect(used < 60_000, "\(used) KiB") }
        let one = try connection.query(ExecuteRequest("select \(sum)", [Parameter("75", .named("text"))]))
        #expect(one.rows.text(row: 0, column: 0) == "1")
        let start = Date()
        let endless = "select count(*) from trade a, trade b, trade c where a.note || b.note regexp 'x(y|z)+$'"
        #expect(throws: EngineError.cancelled) {
            try connection.query(ExecuteRequest(endless)) { Date().timeIntervalSince(start) > 0.2 }
        }
        #expect(Date().timeIntervalSince(start) < 2)
    }

    @Test func `19.5: a schema with REGEXP can be read, and its views follow the rules of local filters`() throws {
        let path = try database(
            "patterns.db",
            """
            c.create_function('regexp', -1, lambda *arguments: 1, deterministic=True)
            c.execute("create table t (a, b as (a regexp '^X'), check (a regexp '.'), check (regexp('.', a, 'i')))")
            c.execute("insert into t values ('x'), ('y')")
            c.execute("create view v as select a from t where a regexp '(?i)^X'")
            c.execute("create view w as select regexp('.', a, 'i') from t")
            c.execute(r"create view long as select a from t where a regexp replace(printf('%.40000c', 'x'), 'x', '\\pL')")
            c.execute("create index i on t (a) where a regexp 'z'")
            """)
        let connection = try open("sqlite:\(path)")
        defer { connection.close() }
        for (statement, result) in [
            ("select group_concat(a) from v", "x"), ("select group_concat(b) from t", "0,0"),
            ("select group_concat(a) from t where a regexp '^y$'", "y"),
        ] {
            #expect(try connection.query(ExecuteRequest(statement)).rows.text(row: 0, column: 0) == result, "\(statement)")
        }
        for (view, part) in [("w", "wrong number"), ("long", "The regular expression is too long.")] {
            let error = engineError { _ = try connection.query(ExecuteRequest("select * from \(view)")) }
            if case .failed(let message)? = error { #expect(message.summary.contains(part), "\(message)") } else { Issue.record("\(view)") }
        }
    }

    @Test func `H1: damaged, empty, missing and hostile files cause errors`() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: try trades())))
        func failure(_ path: String, _ statement: String = "select count(*), max(price), max(length(note)) from trade") -> EngineError? {
            engineError {
                let connection = try open("sqlite:\(path)")
                defer { connection.close() }
                _ = try connection.query(ExecuteRequest(statement, timeLimitMilliseconds: 10_000))
            }
        }
        if case .cannotOpen? = failure(folder.path(of: "missing.db")) {} else { Issue.record("a missing file") }
        if case .cannotOpen? = failure(folder.path) {} else { Issue.record("a folder") }
        mkfifo(folder.path(of: "pipe"), 0o600)
        if case .cannotOpen? = failure(folder.path(of: "pipe")) {} else { Issue.record("a pipe") }
        if case .damaged? = failure(try folder.file("text.db", String(repeating: "no database ", count: 1_000))) {
        } else {
            Issue.record("text")
        }
        if case .missingObject? = failure(try folder.file("empty.db", "")) {} else { Issue.record("an empty file") }
        var generator = SplitMix64(seed: 19_43)
        for round in 0..<12 {
            var damaged = bytes
            if round % 3 == 0 {
                damaged.removeLast(Int.random(in: 1..<bytes.count - 100, using: &generator))
            } else {
                for _ in 0..<200 {
                    damaged[Int.random(in: 100..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            let path = try folder.file("damaged\(round).db", bytes: damaged)
            switch failure(path) {
            case nil, .damaged, .missingObject, .failed, .timedOut: break
            case let error?: Issue.record("\(error)")
            }
        }
        let hostile = try database(
            "hostile.db",
            """
            c.execute("create view v as select load_extension('x.so')")
            c.execute("create view w as with recursive n(i) as (select 1 union all select i + 1 from n) select zeroblob(100000000) from n")
            """)
        #expect(failure(hostile, "select * from v") != nil)
        let connection = try open("sqlite:\(hostile)")
        defer { connection.close() }
        let page = try connection.query(ExecuteRequest("select * from w limit 3", cellLimit: 1_000))
        #expect(page.rows.rowCount == 3 && page.rows.fullLength(row: 2, column: 0) == 100_000_000)
        #expect(throws: EngineError.timedOut) { try connection.query(ExecuteRequest("select count(*) from w", timeLimitMilliseconds: 300)) }
    }

    @Test func `H1: a write-ahead log is read, and a warning says if a read-only folder prevents this`() throws {
        let path = folder.path(of: "log.db")
        let writer = Process()
        let input = Pipe()
        let out = Pipe()
        writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        writer.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            c = sqlite3.connect('\(path)', isolation_level=None)
            c.execute('pragma journal_mode=wal'); c.execute('create table t (a)'); c.execute('insert into t values (1)')
            c.execute('pragma wal_checkpoint(truncate)'); c.execute('insert into t values (2)')
            print('ready', flush=True); sys.stdin.read()
            """,
        ]
        writer.standardInput = input
        writer.standardOutput = out
        try writer.run()
        defer {
            try? input.fileHandleForWriting.close()
            writer.waitUntilExit()
        }
        _ = out.fileHandleForReading.availableData
        let connection = try open("sqlite:\(path)")
        #expect(try connection.query(ExecuteRequest("select count(*) from t")).rows.text(row: 0, column: 0) == "2")
        connection.close()
        let fixed = try open("sqlite:\(path)?immutable=1")
        #expect(try fixed.query(ExecuteRequest("select count(*) from t")).rows.text(row: 0, column: 0) == "1")
        #expect(fixed.serverInfo?.properties[ServerInfo.Property.warning]?.contains("write-ahead log") == true)
        fixed.close()
    }
}
