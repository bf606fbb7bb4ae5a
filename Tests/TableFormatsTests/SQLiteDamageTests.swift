import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// SQLite databases that are damaged, hostile or cannot be opened.
@Suite(.enabled(if: Python.isAvailable)) struct SQLiteDamageTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.6: damaged databases give rows or a clear error`() throws {
        let (path, _) = try database(
            "x.db",
            """
            c.execute("pragma page_size=512")
            c.execute("create table t(a int, b text, c)")
            c.executemany("insert into t values(?,?,?)", ((i, "text %d" % i, b"\\0" * (i % 900)) for i in range(60)))
            c.execute("create table w(k text primary key, v) without rowid")
            c.executemany("insert into w values(?,?)", (("k%d" % i, i) for i in range(100)))
            c.execute("create view v as select a, b from t where a > 3 order by b")
            c.execute("create virtual table f using fts5(a)")
            c.executemany("insert into f values(?)", (("word %d" % i,) for i in range(30)))
            SELECTS = {}
            """)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var (errors, clean) = (0, 0)
        func readAll(_ bytes: [UInt8], _ name: String) throws {
            let path = try folder.file(name, bytes: bytes)
            defer { try? FileManager.default.removeItem(atPath: path) }
            for table in [nil, "t", "w", "v", "f"] {
                do {
                    let source = try FileOpener(table: table).open(path: path)
                    let start = ContinuousClock.now
                    try source.readAll(threads: 1) { _ in ContinuousClock.now - start < .seconds(2) }
                    _ = try rows(source)
                    _ = try source.tail(atLeast: 5)
                    _ = source.profiles(ofColumnsFrom: 0)
                    clean += 1
                } catch let error as FormatError {
                    #expect(error.message.contains(name) || error.message.contains("has changed"), "\(error.message)")
                    errors += 1
                } catch {
                    // A file without the magic number is read as text.
                    #expect(error is any TableError, "\(error)")
                    errors += 1
                }
            }
        }
        var random = SplitMix64(seed: 9)
        for position in stride(from: 0, to: bytes.count, by: 100) {
            var damaged = bytes
            damaged[position] = UInt8.random(in: 0...255, using: &random)
            try readAll(damaged, "flip.db")
            if position % 300 == 0 { try readAll(Array(bytes[..<position]), "cut.db") }
        }
        for position in 0..<200 where position < bytes.count {
            var damaged = bytes
            damaged[position] ^= 0xFF
            try readAll(damaged, "head.db")
        }
        #expect(errors > 100 && clean > 100)
    }

    @Test func `18.6: endless views are stopped, and unsafe functions are refused`() throws {
        let (path, _) = try database(
            "h.db",
            """
            c.execute("create table t(a)")
            c.execute("create view endless as with recursive n(x) as (select 1 union all select x + 1 from n) select x from n")
            c.execute("create view stuck as with recursive n(x) as (select 1 union all select x + 1 from n) select x from n where x < 0")
            c.execute("create view missing as select * from gone")
            c.execute("create view extension as select load_extension('/tmp/x.so') as a")
            c.create_collation("mine", lambda a, b: (a > b) - (a < b))
            c.execute("create table collated(a text collate mine primary key, b)")
            c.execute("insert into collated values('x', 1)")
            c.execute("create table keyed(a text collate mine primary key, b) without rowid")
            c.execute("insert into keyed values('x', 1)")
            c.execute("pragma writable_schema=1")
            c.execute("insert into sqlite_master values('table', 'module', 'module', 0, 'CREATE VIRTUAL TABLE module USING nomodule(x)')")
            SELECTS = {}
            """)
        let endless = try FileOpener().open(path: path + ":endless")
        try endless.readAll(threads: 1) { $0.records < 300_000 }
        let known = endless.snapshot()
        #expect(!known.isComplete && known.recordCount >= 300_000)
        #expect(try known.records(299_999..<300_000, maximumFieldBytes: 9)[0][0]?.text == "300000")
        let start = ContinuousClock.now
        let stuck = try FileOpener().open(path: path + ":stuck")
        try stuck.readAll(threads: 1) { _ in ContinuousClock.now - start < .seconds(1.5) }
        #expect(ContinuousClock.now - start < .seconds(6) && stuck.snapshot().recordCount == 0 && !stuck.snapshot().isComplete)
        #expect(throws: FormatError("Cannot read h.db: no such table: main.gone.")) { try FileOpener().open(path: path + ":missing") }
        #expect(throws: FormatError.self) { try FileOpener().open(path: path + ":extension") }
        let catalog = try rows(FileOpener().open(path: path))
        #expect(
            catalog.map { $0[0] } == ["t", "endless", "stuck", "missing", "extension", "collated", "keyed", "module"])
        #expect(catalog[3][4] == "no such table: main.gone" && catalog[7][4] == "no such module: nomodule")
        #expect(throws: FormatError("Cannot read h.db: no such module: nomodule.")) { try FileOpener().open(path: path + ":module") }
        #expect(try rowTexts(FileOpener().open(path: path + ":collated")) == [["x", "1"]])
        // The message of SQLite differs between versions.
        #expect(throws: FormatError.self) { try FileOpener().open(path: path + ":keyed") }
    }

    @Test func `18.6: the error for a file that cannot be opened says what to do`() throws {
        let (path, _) = try database("a.db", "c.execute('create table t(a)'); SELECTS = {}")
        let file = try #require(BinaryFile(path: path))
        #expect(SQLiteLibrary(names: "libnone.so.9 libnone.dylib") == nil)
        #expect(SQLiteLibrary(names: "libm.so.6") == nil, "a library without the functions")
        #expect(throws: FormatError("Cannot open a.db: libsqlite3 is missing. Install libsqlite3-0.")) {
            try SQLiteFormat(library: { nil }).open(file, by: FileOpener())
        }
        let magic = Array("SQLite format 3\0".utf8)
        let noise = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 3) }
        let encrypted = try folder.file("e.db", bytes: noise)
        #expect(throws: FormatError("e.db is encrypted, or it is not an SQLite database.")) {
            try FileOpener(format: "sqlite").open(path: encrypted)
        }
        let garbage = try folder.file("g.db", bytes: magic + noise)
        #expect(throws: FormatError.self) { try FileOpener().open(path: garbage) }
        for name in ["empty.db", "empty.SQLITE3"] {
            let empty = try folder.file(name, "")
            #expect(throws: FormatError("\(name) is an SQLite database without tables.")) { try FileOpener().open(path: empty) }
            #expect(throws: FormatError("\(name) has no table “t”. It has no tables.")) { try FileOpener(table: "t").open(path: empty) }
        }
        #expect(try FileOpener().open(path: folder.file("empty.csv", "")) is DelimitedFile)
        #expect(try FileOpener(format: "delimited").open(path: folder.file("empty.db", "")) is DelimitedFile)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(magic + noise))
        try pipe.fileHandleForWriting.close()
        #expect(throws: FormatError("The input contains an SQLite database. Unpack it to a file first, and open that file.")) {
            try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
        }
        // A journal of a program that was stopped must be rolled back first, which changes the file.
        let (hot, _) = try database(
            "hot.db",
            """
            import os, shutil
            c.execute("create table t(a)")
            c.executemany("insert into t values(?)", ((i,) for i in range(5000)))
            c.commit()
            c.execute("pragma cache_size=5")
            c.execute("update t set a = 'changed'")
            shutil.copy(sys.argv[1], sys.argv[1] + ".copy")
            shutil.copy(sys.argv[1] + "-journal", sys.argv[1] + ".copy-journal")
            SELECTS = {}
            """)
        #expect(
            throws: FormatError(
                "hot.db.copy has an unfinished transaction. Open it once with write access to roll the transaction back: "
                    + "sqlite3 \(hot).copy .schema")
        ) { try FileOpener().open(path: hot + ".copy") }
        #expect(try names(in: folder.path).contains("hot.db.copy-journal"))
    }
}
