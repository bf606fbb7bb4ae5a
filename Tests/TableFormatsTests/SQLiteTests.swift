import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import TableFormats

/// Content of SQLite databases, and reading it to its end.
@Suite(.enabled(if: Python.isAvailable)) struct SQLiteTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: 1...3) func `18.6: all values of random tables are read`(seed: Int) throws {
        let (path, all) = try database(
            "r.db",
            """
            r = random.Random(int(sys.argv[2]))
            def value(kind):
                if r.random() < 0.15: return None
                if kind == 0: return r.choice([0, 1, -1, 255, -2**63, 2**63 - 1, r.randrange(-10**6, 10**6)])
                if kind == 1: return r.choice([0.0, -0.5, 1e300, 5e-324, 0.1, 1e16, 123456789.125, float("inf"), r.random()])
                if kind == 2: return r.choice(["", "a", "12", "1.50", "日本", "a\\0b", "x" * 3000, "two\\nlines", "“q”,"])
                if kind == 3: return r.choice([b"", b"\\0\\1", bytes(r.randrange(256) for _ in range(40)), b"\\xff" * 2500])
                return value(r.randrange(4))
            if r.random() < 0.5: c.execute("pragma encoding = 'UTF-16'")
            c.execute("pragma page_size = %d" % r.choice([512, 4096, 65536]))
            kinds = [r.randrange(5) for _ in range(r.randrange(1, 7))]
            types = ["INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC", "", "DATETIME", "VARCHAR(3)"]
            SELECTS = {}
            for number, count in enumerate([0, 1, 1023, 1024, 1025, 5000]):
                name = "t%d" % number
                c.execute("create table %s(%s)" % (name, ",".join("c%d %s" % (i, r.choice(types)) for i in range(len(kinds)))))
                ids = set()
                while len(ids) < count: ids.add(r.choice([r.randrange(-5000, 20000), r.randrange(-2**63, 2**63)]))
                for id in sorted(ids, key=lambda _: r.random()):
                    c.execute("insert into %s(rowid,%s) values(?%s)"
                        % (name, ",".join("c%d" % i for i in range(len(kinds))), ",?" * len(kinds)),
                        [id] + [value(k) for k in kinds])
                c.execute("create index i%d on %s(c0)" % (number, name))
                SELECTS[name] = "select * from %s order by rowid" % name
            c.execute("delete from t5 where rowid % 7 = 0")
            c.execute("analyze")
            """, "\(seed)")
        for (table, expected) in all { try check(path, table, expected, seed: UInt64(seed), steps: 12) }
    }

    @Test func `18.6: tables without rowid are read in the order of their keys`() throws {
        let (path, all) = try database(
            "w.db",
            """
            r = random.Random(4)
            word = lambda: "".join(r.choice("abcABCä\\0 ") for _ in range(r.randrange(8)))
            mixed = lambda: r.choice([word(), r.randrange(-1000, 1000), r.random(), word().encode()])
            c.execute("create table a(k text primary key, v) without rowid")
            c.execute("create table b(x, k1 text collate nocase, k2, v text, primary key(k2, k1)) without rowid")
            c.execute("create table d(k int, l text, v, primary key(k desc, l)) without rowid")
            c.execute("create table e(k primary key collate nocase, v) without rowid")
            for _ in range(6000):
                c.execute("insert or ignore into a values(?,?)", (word() + str(r.randrange(10**6)), mixed()))
                c.execute("insert or ignore into b values(?,?,?,?)", (1, word(), mixed(), word()))
                c.execute("insert or ignore into d values(?,?,?)", (r.randrange(50), word(), mixed()))
                c.execute("insert or ignore into e values(?,?)", (mixed(), 1))
            SELECTS = {"a": "select * from a order by k", "b": "select * from b order by k2, k1", "d": "select * from d order by k desc, l",
                "e": "select * from e order by k collate nocase"}
            """)
        for (table, expected) in all { try check(path, table, expected) }
        #expect(try FileOpener().open(path: path + ":a") is SQLiteSource)
        #expect(try FileOpener().open(path: path + ":b") is SQLiteSource)
        #expect(try FileOpener().open(path: path + ":e") is SQLiteSource)
        // Keys in mixed order cannot be compared as a row.
        #expect(try FileOpener().open(path: path + ":d") is SQLiteViewSource)
    }

    @Test func `18.6: half of the keys are dropped when they take too much memory`() throws {
        let (path, all) = try database(
            "k.db",
            """
            c.execute("create table t(k text primary key, v) without rowid")
            c.executemany("insert into t values(?,?)", ((str(i) * 5, i) for i in range(30000)))
            SELECTS = {"t": "select * from t order by k"}
            """)
        let source = try source(path, keyLimit: 600)
        let counts = Mutex<[Int]>([])
        try source.readAll(threads: 1) { progress in
            counts.withLock { $0.append(progress.records) }
            return true
        }
        #expect(counts.value == counts.value.sorted())
        #expect(source.snapshot().stride > 4_096)
        var conformance = TableConformance(source: source, rows: try #require(all["t"]).rows, random: SplitMix64(seed: 1))
        try conformance.check(source.snapshot())
    }

    @Test func `18.6: views and virtual tables are read`() throws {
        let (path, all) = try database(
            "v.db",
            """
            c.execute("create table t(a, b text)")
            c.executemany("insert into t values(?,?)", ((i if i % 5 else None, "x%d" % (i % 13)) for i in range(9000)))
            c.execute("create view v as select a, b, a * 2 as a, null as n, x'00ff' as z, 1.5 from t where a % 3 = 0")
            c.execute("create view g as select b, count(*) n, sum(a) from t group by b")
            c.execute("create view none as select * from t where 0")
            c.execute("create view j as select key, value from json_each('[1,\\"x\\",null,2.5]')")
            c.execute("create virtual table f using fts5(title, body)")
            c.executemany("insert into f values(?,?)", (("t%d" % i, "word %d" % i) for i in range(3000)))
            c.execute("create virtual table r using rtree(id, x0, x1)")
            c.executemany("insert into r values(?,?,?)", ((i, i, i + 1) for i in range(300)))
            SELECTS = {n: "select * from " + n for n in ["v", "g", "none", "j", "f", "r", "t"]}
            """)
        for (table, expected) in all where table != "j" { try check(path, table, expected) }
        // In an untrusted database, a view cannot use every function, but json_each is harmless.
        try check(path, "j", try #require(all["j"]))
        let catalog = try FileOpener().open(path: path)
        #expect(
            try rows(catalog).map { [$0[0], $0[1], $0[3]] } == [
                ["t", "table", "2"], ["v", "view", "6"], ["g", "view", "3"], ["none", "view", "2"], ["j", "view", "2"],
                ["f", "virtual", "2"], ["r", "virtual", "3"],
            ])
        #expect(try rows(catalog)[0][2] == "9000" && rows(catalog)[1][2] == nil)
    }

    @Test func `18.6: the list of tables estimates the rows of a table whose count takes too long`() throws {
        let (path, _) = try database(
            "e.db",
            """
            c.execute("create table dense(id integer primary key, v)")
            c.executemany("insert into dense values(?, 1)", ((i,) for i in range(5000)))
            c.execute("create table sparse(id integer primary key)")
            c.executemany("insert into sparse values(?)", ((i * 10,) for i in range(5000)))
            c.execute("create table few(rowid text)")
            c.executemany("insert into few values(?)", ((i,) for i in range(3)))
            c.execute("create table none(a)")
            c.execute("create table w(k text primary key) without rowid")
            c.execute("insert into w values('a')")
            c.execute("create view v as select * from dense")
            c.execute("create table counted(id integer primary key)")
            c.execute("insert into counted select id from sparse")
            c.execute("analyze counted")
            # The row numbers of these tables are dense at both ends only. The second table is so small that the file could be full of rows.
            for name, gap in [("far", 10**12), ("gap", 2000), ("near", 2000)]:
                c.execute("create table %s(id integer primary key)" % name)
                c.executemany("insert into %s values(?)" % name, ((i + gap * k,) for i in range(201) for k in (0, 1)))
            c.execute("analyze gap")
            SELECTS = {}
            """)
        let file = try #require(BinaryFile(path: path))
        let database = try SQLiteDatabase(file, path: path, #require(SQLiteLibrary.system))
        let entries = try database.catalog(of: database.tables(), countTime: .zero)
        #expect(entries.map(\.name) == ["dense", "sparse", "few", "none", "w", "v", "counted", "far", "gap", "near"])
        #expect(entries.map(\.rows) == [5_000, nil, 3, 0, nil, nil, 5_000, nil, 402, 2_201])
        let isEstimated = entries.map { $0.note == "rows estimated" }
        #expect(isEstimated == [true, false, false, false, false, false, true, false, true, true])
    }

    @Test func `18.6: unusual names, generated columns, defaults of added columns and special keys are read`() throws {
        let (path, all) = try database(
            "s.db",
            """
            names = ['a "b" c', "x:y", "sel'ect", "日本", "order", "%41?mode=rw#", ""]
            SELECTS = {}
            for n in names:
                q = '"' + n.replace('"', '""') + '"'
                c.execute('create table %s("order" int, "x""y", " ", "[b]", "ro\\'w")' % q)
                c.execute('insert into %s values(1,2,3,4,5)' % q)
                SELECTS[n] = 'select * from ' + q
            c.execute("create table gen(a int, b as (a * 2), c text generated always as ('c' || a) stored, d)")
            c.executemany("insert into gen(a, d) values(?,?)", ((i, i / 2) for i in range(2000)))
            c.execute("create table added(a)")
            c.executemany("insert into added values(?)", ((i,) for i in range(1500)))
            c.execute("alter table added add column b text default 'def'")
            c.execute("alter table added add column c default 1.25")
            c.execute("insert into added values(7, null, 8)")
            c.execute("create table ids(rowid text, _rowid_ real, v)")
            c.executemany("insert into ids values(?,?,?)", (("r%d" % (i % 10), -i, i) for i in range(3000)))
            c.execute("create table allids(rowid text, _rowid_ real, oid text)")
            c.executemany("insert into allids values(?,?,?)", (("r%d" % (i % 10), -i, i) for i in range(3000)))
            c.execute("create table pk(oid integer primary key, rowid text, _rowid_ text)")
            c.executemany("insert into pk values(?,?,?)", ((i * 3 - 999, "a", "b") for i in range(3000)))
            c.execute("create table descpk(k integer primary key desc, v)")
            c.executemany("insert into descpk values(?,?)", ((-i, i) for i in range(3000)))
            c.execute("create table wide(%s)" % ",".join("c%d" % i for i in range(1999)))
            for i in range(40): c.execute("insert into wide(c0, c7, c1998) values(?,?,?)", (i, None, "z"))
            c.execute("create table strict1(a integer, b any) strict")
            c.execute("insert into strict1 values(1, '1')")
            for n in ["gen", "added", "ids", "allids", "pk", "descpk", "wide", "strict1"]: SELECTS[n] = "select * from " + n
            SELECTS["pk"] += " order by oid"
            """)
        #expect(all.count == 15)
        for (table, expected) in all { try check(path, table, expected, steps: table == "wide" ? 3 : 10) }
        #expect(try FileOpener().open(path: path + ":pk") is SQLiteSource)
        #expect(try FileOpener().open(path: path + ":allids") is SQLiteViewSource)
        #expect(try FileOpener(table: "ORDER").open(path: path).name == "order")
        #expect(
            throws: FormatError(
                "s.db has no table “ordr”. Did you mean “order”? It has the tables a \"b\" c, x:y, sel'ect, 日本, order, %41?mode=rw#, , gen "
                    + "and 7 more.")
        ) { try FileOpener().open(path: path + ":ordr") }
        // A path is escaped.
        let odd = folder.path(of: "a b?mode=rw#%41ä.db")
        try FileManager.default.copyItem(atPath: path, toPath: odd)
        #expect(try FileOpener().open(path: odd + ":gen").snapshot().recordCount >= 1_024)
        #expect(try !names(in: folder.path).contains { $0.hasSuffix("-journal") || $0.hasSuffix("-wal") })
    }

    @Test func `18.6: if the values of a column fit several types, the declared type decides`() throws {
        let (path, _) = try database(
            "d.db",
            """
            c.execute("create table t(i int, r real, d decimal(10,2), n numeric, t text, dt text, b boolean, " +
                "e1 int, e2 datetime, e3, m int)")
            for i in range(300): c.execute("insert into t values(?,?,?,?,?,?,?,?,?,?,?)",
                (i, i, i, i + 0.5, "w%d" % i, "2024-01-%02d" % (i % 28 + 1), i % 2, None, None, None, "text %d" % i))
            c.execute("create table w(a text)")
            SELECTS = {}
            """)
        let source = try FileOpener().open(path: path + ":t")
        #expect(
            source.profiles(budgetMilliseconds: 4).map(\.kind) == [
                .integer, .decimal, .decimal, .decimal, .text, .date, .integer, .integer, .dateTime, .text, .text,
            ])
        let facts = Dictionary(uniqueKeysWithValues: source.details.map { ($0.name, $0.value) })
        #expect(facts["format"] == "SQLite database" && facts["page size"] == "4,096 bytes" && facts["encoding"] == "UTF-8")
        #expect(facts["journal"] == "rollback" && facts["written by"]?.hasPrefix("SQLite 3.") == true)
        #expect(facts["definition"]?.hasPrefix("CREATE TABLE t(i int, r real") == true && facts["kind"] == "table")
    }

    @Test func `18.6: columns declared as REAL in tables and views are floating-point numbers`() throws {
        let (path, _) = try database(
            "f.db",
            """
            c.execute("create table t(a real, b double precision, c float, d numeric, e, f integer, g text, h blob, i floating_point_int)")
            c.execute("create view v as select a, d, g from t")
            SELECTS = {}
            """)
        func storage(_ table: String) throws -> [NumberStorage?] {
            let table: any Table = try FileOpener().open(path: "\(path):\(table)").snapshot()
            return (0..<table.columnCount).map { table.numberStorage(ofColumn: $0) }
        }
        let each = NumberStorage.eachValue
        #expect(try storage("t") == [.double, .double, .double, each, each, each, nil, each, each])
        #expect(try storage("v") == [.double, each, nil])
    }

    @Test func `18.6: in columns with a type per value, numbers differ from text that looks like a number`() throws {
        let (path, _) = try database(
            "v.db",
            """
            c.execute("create table t(x, y text, z integer)")
            rows = [(1, 1, 1), ("1", 2, 2), (2.5, 3, "x"), (None, 4, None), (b"7", 5, 5), (float("inf"), 6, 6), ("a", 7, 7)]
            c.executemany("insert into t values(?, ?, ?)", rows)
            c.execute("create table n(x)")
            c.executemany("insert into n values(?)", [(1.5,), (float("inf"),), (None,)])
            SELECTS = {}
            """)
        func numbers(_ table: String, _ columns: [Int]) throws -> [[String?]] {
            let source = try FileOpener().open(path: "\(path):\(table)")
            try source.readAll(threads: 1) { _ in true }
            let snapshot: any Table = source.snapshot()
            var rows: [[String?]] = []
            try snapshot.scan(0..<snapshot.recordCount, columns: columns.flatMap { [$0, FieldID.firstNestedColumn + $0] }) { _, fields in
                rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                return true
            }
            #expect(columns.allSatisfy { snapshot.hasTypedValues(inColumn: $0) == ($0 != 1) })
            return rows
        }
        #expect(
            try numbers("t", [0, 1, 2]) == [
                ["1", "1", "1", nil, "1", "1"], ["1", nil, "2", nil, "2", "2"], ["2.5", "2.5", "3", nil, "x", nil],
                [nil, nil, "4", nil, nil, nil], ["0x37", nil, "5", nil, "5", "5"], ["inf", nil, "6", nil, "6", "6"],
                ["a", nil, "7", nil, "7", "7"],
            ])
        #expect(try numbers("n", [0]) == [["1.5", "1.5"], ["inf", nil], [nil, nil]])
    }

    @Test func `18.6: text columns are text, even if all values are numbers, and dates in them are dates`() throws {
        let (path, _) = try database(
            "t.db",
            """
            c.execute("create table t(code text, zip varchar(10), note clob, flag nvarchar, day text, date text, number, count charint)")
            for i, code in enumerate(["10", "9", "", "100", "1e3", None]):
                c.execute("insert into t values(?,?,?,?,?,?,?,?)",
                    (code, "0123%d" % i, "1.5", "true", "2024-01-0%d" % (i + 1), "2024010%d" % (i + 1), str(i), i))
            c.execute("create view v as select code from t")
            SELECTS = {}
            """)
        let source = try FileOpener().open(path: path + ":t")
        #expect(
            source.profiles(budgetMilliseconds: 4).enumerated().map { $1.titled(source.title(ofColumn: $0)).kind } == [
                .text, .text, .text, .text, .date, .date, .integer, .integer,
            ])
        #expect(try rows(source).map { $0[0] } == ["10", "9", "", "100", "1e3", nil])
        #expect(try FileOpener().open(path: path + ":v").profiles(budgetMilliseconds: 4).map(\.kind) == [.text])
    }

    // MARK: Reading

    @Test func `18.6: the first and the last rows are available before all rows are counted`() throws {
        let (path, _) = try database(
            "g.db",
            """
            c.execute("create table t(a)")
            c.executemany("insert into t values(?)", ((i,) for i in range(200000)))
            c.execute("create view v as select a from t")
            SELECTS = {}
            """)
        let source = try FileOpener().open(path: path + ":t")
        #expect(source.snapshot().recordCount == 1_024 && !source.snapshot().isComplete && source.snapshot().contentID == nil)
        #expect(try source.tail(atLeast: 3).records.map { $0[0]?.text } == ["199997", "199998", "199999"])
        let calls = Mutex<[Int]>([])
        try source.readAll(threads: 1) { progress in
            calls.withLock { $0.append(progress.records) }
            #expect(progress.bytesTotal == source.byteCount && (0...source.byteCount).contains(progress.bytesDone))
            return calls.value.count < 3
        }
        let known = source.snapshot()
        #expect(!known.isComplete && known.recordCount == calls.value.last && known.recordCount > 50_000)
        #expect(abs(Double(source.indexedByteCount) / Double(source.byteCount) - Double(known.recordCount) / 200_000) < 0.02)
        try source.readAll(threads: 1) { _ in true }
        #expect(source.snapshot().recordCount == 200_000 && source.snapshot().contentID != nil)
        #expect(known.recordCount < 200_000, "a snapshot does not change")

        // Reading a view resumes without its known rows.
        let file = try #require(BinaryFile(path: path))
        let database = try SQLiteDatabase(file, path: path, #require(SQLiteLibrary.system))
        let info = try database.tables()[1]
        let view = try SQLiteViewSource(database, info, [SQLiteColumn(name: "a", type: "", keyPosition: 0)])
        var attempts = 0
        while !view.snapshot().isComplete, attempts < 1_000 {
            let calls = Mutex<[Int]>([])
            try view.readAll(threads: 1) { progress in
                calls.withLock { $0.append(progress.records) }
                return calls.value.count < 4
            }
            attempts += 1
        }
        #expect(try rows(view).map { $0[0] } == (0..<200_000).map { "\($0)" })
    }

    @Test(
        arguments: [
            ("0", "", true), ("-1000", "", true), ("9223372036854775807 - 399999", "", true),
            ("1", "delete from t where a = 'v399989'", false), ("1", "delete from t where a = 'v1999'", false),
            ("1", "insert into t(rowid, a) values(-9223372036854775808, 'x')", false),
        ])
    func `18.6: consecutive rowids give the number of rows; otherwise, rows are counted by reading`(
        first: String, change: String, isCounted: Bool
    ) throws {
        let (path, _) = try database(
            "c.db",
            """
            c.execute("create table t(a)")
            c.execute("with recursive n(i) as (select 0 union all select i + 1 from n where i < 399999) "
                "insert into t(rowid, a) select \(first) + i, 'v' || i from n")
            c.execute("\(change)")
            SELECTS = {}
            """)
        var rows = (0..<400_000).map { ["v\($0)"] as [String?] }
        if change.hasPrefix("insert") { rows.insert(["x"], at: 0) }
        for row in [1_999, 399_989] where change.hasSuffix("'v\(row)'") { rows.remove(at: row) }
        for keyLimit in [64 << 20, 2_000] {
            let source = try source(path, keyLimit: keyLimit)
            let counts = Mutex<[Int]>([])
            try source.readAll(threads: 2) { progress in
                counts.withLock { $0.append(progress.records) }
                return true
            }
            // Without a count, the keys of 32 blocks are read at once.
            #expect(counts.value.contains { $0 > 1_024 && $0 < 399_000 } != isCounted, "\(counts.value)")
            #expect(counts.value == counts.value.sorted())
            #expect((source.snapshot().stride > 1_024) == (keyLimit == 2_000))
            var conformance = TableConformance(source: source, rows: rows, random: SplitMix64(seed: 1))
            try conformance.check(source.snapshot(), steps: 8)
        }
    }

    @Test(arguments: [false, true])
    func `18.6: rows are counted by reading if a count query is slow, or if the database is too small or too large`(isSlow: Bool) throws {
        let (path, _) = try database(
            "c.db",
            """
            c.execute("create table t(a)")
            c.executemany("insert into t values(?)", ((i,) for i in range(300000)))
            SELECTS = {}
            """)
        let limits = SQLiteSource.CountLimits(bytes: isSlow ? 0...(.max) : 0...1_000, time: isSlow ? 0 : 60_000)
        let source = try source(path, limits: limits)
        try source.readAll(threads: 2) { _ in true }
        #expect(source.snapshot().recordCount == 300_000 && source.snapshot().isComplete)
    }

    @Test(arguments: [(512, 4_000), (1_024, 4_000), (4_096, 4_000), (32_768, 4_000), (65_536, 4_000), (512, 3), (4_096, 300)])
    func `18.6: reading ahead gives the same rows in any order, for all page sizes and small files`(pageSize: Int, count: Int) throws {
        let (path, _) = try database(
            "r.db",
            """
            c.execute("pragma page_size=\(pageSize)")
            c.execute("create table t(a integer primary key, b)")
            r = random.Random(\(pageSize))
            c.executemany("insert into t values(?,?)", ((i, bytes([i % 251]) * r.choice([1, 50, 300, 9000 if i % 50 == 0 else 10]))
                for i in range(\(count))))
            SELECTS = {}
            """)
        let library = try #require(SQLiteLibrary.system)
        #expect(library.readAhead != nil)
        var plain = library
        plain.readAhead = nil
        let connections = try [library, plain].map { try SQLiteConnection($0, path: path, .shared) }
        func rows(_ sql: String, _ connection: SQLiteConnection) throws -> [[UInt8]] {
            var rows: [[UInt8]] = []
            try connection.query(sql) { row in
                for column in 0..<row.count { rows.append([UInt8](row.blob(row.value(column)))) }
                return true
            }
            return rows
        }
        var queries = ["select a, b from t", "select a, b from t order by a desc", "pragma integrity_check"]
        var random = SplitMix64(seed: 3)
        for _ in 0..<40 {
            let first = Int.random(in: 0..<count, using: &random)
            queries.append("select a, b from t where a between \(first) and \(first + Int.random(in: 0..<400, using: &random))")
        }
        for sql in queries { #expect(try rows(sql, connections[0]) == rows(sql, connections[1]), "\(sql)") }
    }

    @Test func `18.6: an endless statement is interrupted`() throws {
        let (path, _) = try database("i.db", "SELECTS = {}")
        let connection = try SQLiteConnection(#require(SQLiteLibrary.system), path: path, .shared)
        let group = DispatchGroup()
        let failure = Mutex<Int32>(0)
        DispatchQueue.global().async(group: group) {
            do {
                try connection.run("with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n")
            } catch {
                failure.withLock { $0 = (error as? SQLiteFailure)?.kind ?? -1 }
            }
        }
        // An interrupt before the start of the statement has no effect.
        while group.wait(timeout: .now() + .milliseconds(1)) == .timedOut { connection.interrupt() }
        #expect(failure.value == SQLiteFailure.interrupted)
    }

    @Test func `18.6: several threads can read the same table`() async throws {
        let (path, _) = try database(
            "p.db",
            """
            c.execute("create table t(a, b)")
            c.executemany("insert into t values(?,?)", ((i, "v%d" % i) for i in range(50000)))
            SELECTS = {}
            """)
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for part in 0..<10 {
                group.addTask {
                    var sum = 0
                    try table.scan(part * 5_000..<(part + 1) * 5_000, columns: [1, 0]) { record, fields in
                        if fields[0].bytes.elementsEqual("v\(record)".utf8) {
                            sum += Int(String(decoding: fields[1].bytes, as: UTF8.self))!
                        }
                        return true
                    }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sums == 50_000 * 49_999 / 2)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["GV_SQLITE_BENCH"] != nil))
    func `18.6: a benchmark prints the times of reading a large table`() throws {
        let path = try #require(ProcessInfo.processInfo.environment["GV_SQLITE_BENCH"])
        func measure<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
            let (start, cpu) = (ContinuousClock.now, clock())
            let result = try body()
            print("TIME \(name): \(ContinuousClock.now - start) wall, \((clock() - cpu) / 1_000) ms CPU")
            return result
        }
        for _ in 0..<3 {
            let source = try measure("open") { try FileOpener().open(path: path + ":trades") }
            _ = try measure("first 40 rows") { try source.snapshot().records(0..<40, maximumFieldBytes: 4_096) }
            _ = measure("profiles") { source.profiles(budgetMilliseconds: 4) }
            _ = try measure("tail") { try source.tail(atLeast: 40) }
            try measure("index") { try source.readAll(threads: 1) { _ in true } }
            let table = source.snapshot()
            _ = try measure("40 rows at the middle") {
                try table.records(table.recordCount / 2..<table.recordCount / 2 + 40, maximumFieldBytes: 4_096)
            }
            for column in 0..<table.columnCount {
                var count = 0
                try measure("columns of \(source.title(ofColumn: column))") {
                    try (table as? SQLiteTable)?.scanColumns(0..<table.recordCount, columns: [column]) {
                        count += $0.count
                        return true
                    }
                }
                #expect(count == table.recordCount)
            }
            try measure("fields of one column") { try table.scanBatches(0..<table.recordCount, columns: [2]) { _ in true } }
            try measure("all fields") { try table.scanBatches(0..<table.recordCount, columns: Array(0..<table.columnCount)) { _ in true } }
            let view = try measure("open view") { try FileOpener().open(path: path + ":v") }
            try measure("spool view") { try view.readAll(threads: 1) { _ in true } }
            try measure("scan view") { try view.snapshot().scanBatches(0..<view.snapshot().recordCount, columns: [2]) { _ in true } }
        }
    }
}
