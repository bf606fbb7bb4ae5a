import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// SQLite databases that other programs write or lock.
@Suite(.enabled(if: Python.isAvailable)) struct SQLiteSharingTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.6: a write-ahead log of a running program is read, and no file is created`() throws {
        let path = folder.path(of: "wal.db")
        let statements = [
            "pragma journal_mode=wal", "pragma wal_autocheckpoint=0", "create table if not exists t(a)", "insert into t values(1)",
        ]
        let writer = try Writer(of: path, after: statements)
        // Only the write-ahead log contains the table.
        let source = try FileOpener().open(path: path)
        #expect(try source.name == "t" && rowTexts(source) == [["1"]] && source.checkForChange() == .unchanged)
        for number in 2...3_000 where number % 500 == 0 {
            try writer.send("insert into t select \(number) from generate_series(1, 500)", orElse: number)
        }
        #expect(source.checkForChange() == .replaced && !source.isUnchanged())
        let newer = try FileOpener().open(path: path)
        try newer.readAll(threads: 1) { _ in true }
        #expect(newer.snapshot().recordCount == writer.rows)
        // Rows that are deleted while they are shown are an error, not other rows.
        try writer.send("delete from t where rowid > 2", orElse: 0)
        #expect(throws: FormatError("t has changed: rows were deleted since they were counted. Reload wal.db.")) { _ = try rows(newer) }
        #expect(try rowTexts(FileOpener().open(path: path)).count == 2)

        // The log of a program that has crashed has no index next to it.
        let copy = folder.path(of: "copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + "/wal.db" + suffix) }
        let before = try Data(contentsOf: URL(fileURLWithPath: copy + "/wal.db-wal"))
        var abandoned: (any TableSource)? = try FileOpener().open(path: copy + "/wal.db")
        #expect(try abandoned.map(rowTexts)?.count == 2 && abandoned?.problems.isEmpty == true)
        abandoned = nil
        #expect(try names(in: copy) == ["wal.db", "wal.db-wal"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "/wal.db-wal")) == before)

        // When the last program closes the database, it deletes the log.
        try writer.end()
        #expect(try names(in: folder.path) == ["copy", "wal.db"])
        #expect(try rowTexts(FileOpener().open(path: path)).count == 2)
        #expect(try names(in: folder.path) == ["copy", "wal.db"])
        let closed = try FileOpener().open(path: path)
        #expect(try rowTexts(closed).count == 2)
        let again = try Writer(of: path, after: statements)
        #expect(closed.checkForChange() == .replaced)
        #expect(try rowTexts(FileOpener().open(path: path)).count == 3, "a log that appears is read")
        #expect(try rowTexts(closed).count == 2, "the snapshot has two rows")
        try again.end()
        #expect(try names(in: folder.path) == ["copy", "wal.db"], "an open table does not keep the log")
        #expect(try rowTexts(closed).count == 2)
    }

    @Test func `18.6: rows are correct while another program continuously writes to a write-ahead log`() throws {
        let path = folder.path(of: "busy.db")
        let writer = try Writer(
            """
            import random, sqlite3, sys, threading
            c = sqlite3.connect(sys.argv[1], isolation_level=None)
            c.execute("pragma journal_mode=wal")
            c.execute("pragma synchronous=off")
            c.execute("pragma wal_autocheckpoint=20")
            c.execute("create table t(a integer primary key, b, c)")
            c.execute("begin")
            c.executemany("insert into t values(?, 0, 0)", ((i,) for i in range(5000)))
            c.execute("commit")
            print("ready", flush=True)
            end = threading.Event()
            threading.Thread(target=lambda: (sys.stdin.read(), end.set())).start()
            r = random.Random(5)
            version = 0
            while not end.is_set():
                version += 1
                first = r.randrange(5000)
                c.execute("begin")
                c.execute("insert into t select max(a) + 1, ?, ? from t", (version, -version))
                c.execute("update t set b = ?, c = ? where a between ? and ?", (version, -version, first, first + 30))
                c.execute("commit")
            """, [path])
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 2) { _ in true }
        let table = source.snapshot()
        #expect(table.recordCount >= 5_000)
        var random = SplitMix64(seed: 9)
        var (newest, reads) = (0, 0)
        // The writer may start late on a busy machine.
        while reads < 300 || newest == 0 && reads < 20_000 {
            reads += 1
            let first = Int.random(in: 0..<4_960, using: &random)
            for (place, record) in try table.records(first..<first + 40, maximumFieldBytes: 100).enumerated() {
                let (a, b, c) = (record[0]?.text, Int(record[1]?.text ?? "") ?? 1, Int(record[2]?.text ?? "") ?? 1)
                #expect(a == "\(first + place)" && b == -c)
                newest = max(newest, b)
            }
        }
        #expect(newest > 0 && source.checkForChange() == .replaced)
        try writer.end()
        let closed = try FileOpener().open(path: path)
        try closed.readAll(threads: 2) { _ in true }
        #expect(closed.snapshot().recordCount > table.recordCount)
    }

    @Test func `18.6: after another program deletes a row, the other rows of a table without gaps are still found`() throws {
        let (path, _) = try database(
            "d.db",
            """
            c.execute("create table t(a)")
            c.executemany("insert into t values(?)", ((i,) for i in range(6000)))
            SELECTS = {}
            """)
        let source = try source(path)
        try source.readAll(threads: 2) { _ in true }
        try Python.run("import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('delete from t where a = 1500'); c.commit()", path)
        let table = source.snapshot()
        for range in [0..<1_500, 1_501..<2_000, 1_600..<6_000, 5_990..<6_000] {
            #expect(try table.records(range, maximumFieldBytes: 10).map { $0[0]?.text } == range.map { "\($0)" })
        }
        for range in [0..<6_000, 1_499..<1_502, 1_500..<1_501] {
            #expect(throws: FormatError("t has changed: rows were deleted since they were counted. Reload d.db.")) {
                _ = try table.records(range, maximumFieldBytes: 10)
            }
        }
    }

    @Test(arguments: ["delete", "wal"]) func `18.6: pages that were read ahead are not used after another program has written`(
        journal: String
    ) throws {
        let path = folder.path(of: "ahead.db")
        let writer = try Writer(
            of: path,
            after: [
                "pragma journal_mode=\(journal)", "create table t(a, b)",
                "insert into t with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000) "
                    + "select 1, printf('%.200c', 'x') from n",
                "pragma wal_checkpoint(truncate)",
            ])
        let connection = try SQLiteConnection(#require(SQLiteLibrary.system), path: path, .shared)
        func sum(ofRows count: Int) throws -> Int {
            var (sum, rows) = (0, 0)
            try connection.query("select a from t") { row in
                sum += Int(row.integer(0))
                rows += 1
                return rows < count
            }
            return sum
        }
        // The query ends within a block, so the block also has pages after the last row.
        #expect(try sum(ofRows: 2_000) == 2_000)
        for statement in ["update t set a = 2", "pragma wal_checkpoint(truncate)"] { try writer.send(statement, orElse: 0) }
        #expect(try sum(ofRows: 4_000) == 8_000)
        #expect(try sum(ofRows: 500) == 1_000)
        let statements = ["delete from t where rowid > 1000", "vacuum", "pragma wal_checkpoint(truncate)"]
        for statement in statements { try writer.send(statement, orElse: 0) }
        #expect(try sum(ofRows: 4_000) == 2_000, "the file is shorter")
        try connection.query("pragma integrity_check") { row in
            #expect(row.string(0) == "ok")
            return true
        }
        try writer.end()
    }

    @Test(arguments: ["delete", "wal"]) func `18.6: each query has the rows of one moment while another program writes`(
        journal: String
    ) throws {
        let path = folder.path(of: "moment.db")
        let writer = try Writer(
            """
            import random, sqlite3, sys, threading
            c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
            c.execute("pragma journal_mode=" + sys.argv[2])
            c.execute("pragma synchronous=off")
            c.execute("pragma wal_autocheckpoint=20")
            c.execute("create table t(a integer primary key, b, c)")
            c.execute("begin")
            c.executemany("insert into t values(?, 0, ?)", ((i, "x" * 200) for i in range(3000)))
            c.execute("commit")
            print("ready", flush=True)
            end = threading.Event()
            threading.Thread(target=lambda: (sys.stdin.read(), end.set())).start()
            r = random.Random(7)
            step = 0
            while not end.is_set():
                step += 1
                c.execute("begin immediate")
                for sign in (1, -1):
                    first = r.randrange(2970)
                    values = (sign * step, "y" * r.randrange(700), first, first + 29)
                    c.execute("update t set b = b + ?, c = ? where a between ? and ?", values)
                c.execute("insert into t(b, c) values(0, ?)", ("z" * 500,))
                c.execute("delete from t where a >= 3000 and a % 5 = ?", (r.randrange(5),))
                c.execute("commit")
                if step % 20 == 0: c.execute("vacuum")
            """, [path, journal])
        let connection = try SQLiteConnection(#require(SQLiteLibrary.system), path: path, .shared)
        var (reads, changes, previous) = (0, 0, Int64(-1))
        // The sum of a column is always 0. The number of rows and the size of the file change.
        while reads < 200 || changes < 10 && reads < 40_000 {
            reads += 1
            let sql = reads % 4 == 0 ? "pragma integrity_check" : "select sum(b), count(*) from t"
            do {
                try connection.query(sql) { row in
                    if row.count == 1 {
                        #expect(row.string(0) == "ok")
                    } else {
                        #expect(row.integer(0) == 0)
                        if row.integer(1) != previous { changes += 1 }
                        previous = row.integer(1)
                    }
                    return true
                }
            } catch let failure as SQLiteFailure where SQLiteFailure.locked.contains(failure.kind) {}
        }
        #expect(changes >= 10)
        try writer.end()
    }

    @Test func `18.6: no file is created next to a database when it switches to a write-ahead log`() throws {
        let (path, _) = try database("j.db", "c.execute('create table t(a)'); c.execute('insert into t values(1)'); SELECTS = {}")
        let source = try FileOpener().open(path: path)
        #expect(try rowTexts(source) == [["1"]])
        try Python.run("import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('pragma journal_mode=wal'); c.close()", path)
        #expect(try rowTexts(source) == [["1"]] && source.checkForChange() == .replaced)
        #expect(try names(in: folder.path) == ["j.db", "j.db.json"])
    }

    @Test func `18.6: a write-ahead log that cannot be read is reported as a problem`() throws {
        let (path, _) = try database(
            "u.db",
            """
            c.execute("pragma journal_mode=wal")
            c.execute("create table t(a)")
            c.execute("insert into t values(1)")
            c.commit()
            c.close()
            c = sqlite3.connect(":memory:")
            SELECTS = {}
            """)
        try FileManager.default.createDirectory(atPath: path + "-wal/x/y", withIntermediateDirectories: true)
        let source = try FileOpener().open(path: path)
        #expect(try rowTexts(source) == [["1"]])
        #expect(source.problems == ["changes in u.db-wal are not shown, because that file cannot be read"])
        // The folder is not writable, like the folder of another user.
        try FileManager.default.removeItem(atPath: path + "-wal")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
        let second = try FileOpener().open(path: path)
        #expect(try rowTexts(second) == [["1"]] && second.problems.isEmpty)
        #expect(try names(in: folder.path) == ["u.db", "u.db.json"])
    }

    @Test func `18.6: reading a locked database is an error, and succeeds after the lock is released`() throws {
        let path = folder.path(of: "l.db")
        let writer = try Writer(of: path, after: ["create table t(a)", "insert into t values(1)"])
        let source = try FileOpener().open(path: path)
        try writer.send("begin exclusive", orElse: 0)
        #expect(throws: FormatError("l.db is locked by another program. Try again when that program has finished writing.")) {
            _ = try rows(source)
        }
        try writer.send("insert into t values(2)", orElse: 0)
        try writer.send("commit", orElse: 0)
        #expect(try rowTexts(source) == [["1"]], "the snapshot has one row")
        #expect(try rowTexts(FileOpener().open(path: path)) == [["1"], ["2"]])
        // An open table does not block writers.
        let again = try FileOpener().open(path: path)
        try again.snapshot().scan(0..<2, columns: [0]) { _, _ in
            (try? writer.send("insert into t values(3)", orElse: 0)) != nil
        }
        #expect(try rowTexts(FileOpener().open(path: path)).count == 4)
        try writer.end()
    }
}

/// A Python process that writes to a database, a statement for each line of its input.
private final class Writer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private(set) var rows = 1

    /// Starts a script with arguments, and waits for its first line.
    init(_ script: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: Python.path)
        process.arguments = ["-c", script] + arguments
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try waitForLine()
    }

    /// Opens a database, runs statements, and waits for more of them.
    convenience init(of path: String, after statements: [String]) throws {
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1], isolation_level=None)
            for statement in sys.argv[2:]: c.execute(statement)
            print("ready", flush=True)
            for line in sys.stdin:
                c.execute(line)
                print("done", flush=True)
            """
        try self.init(script, [path] + statements)
    }

    private func waitForLine() throws {
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != 10 { #expect(!byte.isEmpty) }
    }

    /// Runs a statement; a statement that needs the series extension is replaced by a recursive one.
    func send(_ sql: String, orElse number: Int) throws {
        var sql = sql
        if sql.contains("generate_series") {
            sql = "insert into t with recursive n(x) as (select 1 union all select x + 1 from n where x < 500) select \(number) from n"
            rows += 500
        }
        try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
        try waitForLine()
    }

    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
