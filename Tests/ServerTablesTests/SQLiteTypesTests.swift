import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

/// Columns of SQLite, whose declared types limit their values only loosely.
@Suite("Types of SQLite")
struct SQLiteTypesTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func table(_ script: String) throws -> ServerTableSource {
        let path = folder.path(of: "types.db")
        let run = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()"
        try programOutput("/usr/bin/env", ["python3", "-c", run, path, script])
        return try source("sqlite:\(path)?table=t")
    }

    @Test func `19.2: columns of a SQLite table have the types of their values, limited by their declared types`() throws {
        let source = try table(
            """
            CREATE TABLE t (
                id INTEGER PRIMARY KEY, code TEXT, note VARCHAR(9), mix, day DATE, price NUMERIC(9, 2), size REAL, none DATETIME);
            INSERT INTO t VALUES (1, '10', '2024-01-05', 5, '2024-01-05', 3, 1, NULL), (2, '', '2023-12-31', '7', '2023-12-31', 4, 2, NULL);
            """)
        let kinds: [ValueKind] = [.integer, .text, .date, .integer, .date, .decimal, .decimal, .dateTime]
        #expect(source.profiles(budgetMilliseconds: 4).map(\.kind) == kinds)
        let table = source.snapshot()
        let storage: [NumberStorage?] = [.eachValue, nil, nil, .eachValue, .eachValue, .eachValue, .double, .eachValue]
        #expect((0..<8).map(table.numberStorage) == storage)
    }

    @Test func `19.2: the additional column for a SQLite column contains only values that are stored as finite numbers`() throws {
        let source = try table(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, mix, code TEXT, size REAL);
            INSERT INTO t VALUES (1, 3, '3', 1), (2, '3', '4', 'q'), (3, 2.5, NULL, 9e999), (4, NULL, '', NULL), (5, X'31', 'x', 2.5);
            """)
        let table = source.snapshot()
        #expect((0..<5).map(table.hasTypedValues) == [true, true, false, true, false])
        var rows: [[String?]] = []
        let columns = [1, 3, 2].map { FieldID.firstNestedColumn + $0 }
        try table.scan(0..<5, columns: [1] + columns) { _, fields in
            rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        let expected: [[String?]] = [
            ["3", "3", "1.0", nil], ["3", nil, nil, nil], ["2.5", "2.5", nil, nil], [nil, nil, nil, nil], ["0x31", nil, "2.5", nil],
        ]
        #expect(rows == expected)
    }

    @Test func `19.5: SQLite statistics have a range and a mean even if the sum exceeds 64 bits, and count other values`() throws {
        let source = try table(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, large INTEGER, mix, day DATE);
            INSERT INTO t VALUES (1, 9223372036854775807, '5', '2024-01-05'), (2, 9223372036854775807, 7.5, '2023-12-31'),
                (3, -7, 'x', 'never'), (4, NULL, '', NULL);
            """)
        let fields = [(1, "large", ValueKind.integer), (2, "mix", .decimal), (3, "day", .date)].map {
            Field(FieldID(rawValue: $0.0), name: $0.1, kind: $0.2)
        }
        let found = try engine.statistics(
            of: fields, in: source.snapshot(), rows: nil, exactLimit: 100, topCount: 3, details: [], control: JobControl())
        #expect(found[0].minimum == .integer(-7) && found[0].maximum == .integer(.max) && found[0].mean != .none)
        #expect(found[0].sum == .exact(ExactDecimal(Int128(Int64.max) * 2 - 7)))
        #expect(found[1].minimum == .integer(5) && found[1].maximum == .decimal(7.5) && found[1].sum == .decimal(12.5))
        #expect(found[1].valueCount == 2 && found[1].unreadableCount == 1 && found[1].emptyCount == 1)
        #expect(found[2].minimum == .integer(1_703_980_800_000_000) && found[2].maximum == .integer(1_704_412_800_000_000))
        #expect(found[2].valueCount == 2 && found[2].unreadableCount == 1)
        #expect(found.map(\.emptyCount) == [0, 1, 0] && found.map(\.missingCount) == [1, 0, 1])
        for (index, missingCount) in [1, 0, 1].enumerated() {
            let values = try engine.frequencies(of: fields[index], in: source.snapshot(), rows: nil, control: JobControl())
            #expect(values.emptyCount == 1 && values.missingCount == missingCount, "\(fields[index].name)")
        }
    }

    @Test func `19.2: a scan of cells of more than 16 MiB reports that they are cut`() throws {
        let source = try table("CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES ('short', printf('%.*c', 17000000, 'x'))")
        func scan(column: Int) throws -> (length: Int, cuts: [CutFields.Cut]) {
            var length = 0
            let cuts = CutFields()
            try source.snapshot().recordingCuts(in: cuts).scan(0..<1, columns: [column]) { _, fields in
                length = fields[0].count
                return true
            }
            return (length, cuts.all)
        }
        let limit = "cells are cut if they are larger than 16 MiB, or if their row is larger than 24 MiB"
        let long = try scan(column: 1)
        #expect(long.length == 16 << 20 && long.cuts == [CutFields.Cut(record: 0, column: 1, limit: limit)])
        // A later scan reports only its own cells.
        let short = try scan(column: 0)
        #expect(short.length == 5 && short.cuts.isEmpty)
        let table = source.snapshot()
        let record = try table.lazyRecord(#require(try table.records(0..<1, maximumFieldBytes: 100).first), number: 0)
        #expect(try record.field(1)?.isPartial == true && record.field(0)?.isPartial == false)
    }

    @Test func `19.4: rows are found by text keys that are not valid UTF-8, but cannot be grouped by them`() throws {
        let source = try table(
            """
            CREATE TABLE t (s TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
            WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 599)
            INSERT INTO t SELECT CAST(X'FF' || printf('%04d', i) AS TEXT), i FROM n;
            """)
        let records = try source.snapshot().records(256..<600, maximumFieldBytes: 100)
        #expect(records.map { $0[1]?.text } == (256..<600).map { "\($0)" })
        #expect(records.first?[0]?.text == "\u{FFFD}0256" && records.first?[0]?.isInvalid == true)
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .text)]
        let message = "Cannot group: some texts are not valid UTF-8. Export the rows as CSV, and group them in the file."
        #expect(throws: ServerError(message)) {
            try engine.rows(
                of: source.snapshot(), schema: source.table.schema, matching: query, earlierFilterResult: nil, control: JobControl(),
                report: nil)
        }
    }

    @Test func `19.5: statistics of texts that are not valid UTF-8 keep their bytes`() throws {
        let source = try table("CREATE TABLE t (s TEXT); INSERT INTO t VALUES ('a'), (CAST(X'FE41' AS TEXT)), (CAST(X'FF41' AS TEXT))")
        let field = Field(FieldID(rawValue: 0), name: "s", kind: .text)
        let found = try engine.statistics(
            of: [field], in: source.snapshot(), rows: nil, exactLimit: 100, topCount: 3, details: [], control: JobControl())[0]
        #expect(found.textRange?.first == "a" && found.textRange?.last == "\u{FFFD}A" && found.textRange?.lengths == 1...2)
        #expect(found.textRange?.invalidFirst == nil && found.textRange?.invalidLast == [0xFF, 0x41])
        let bytes: Set<[UInt8]?> = [nil, [0xFE, 0x41], [0xFF, 0x41]]
        #expect(Set(found.top.map(\.invalidText)) == bytes)
        let values = try engine.frequencies(of: field, in: source.snapshot(), rows: nil, control: JobControl())
        #expect(Set((0..<3).map { values.entry($0, byValue: true).invalidText }) == bytes)
    }

    @Test func `19.5: an index of SQLite sorts and compares the texts of a column that has no blobs`() throws {
        let source = try table(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); CREATE INDEX ts ON t (s);
            INSERT INTO t (s) VALUES ('b'), ('0x02'), (NULL), (' '), ('a');
            CREATE TABLE blobs (id INTEGER PRIMARY KEY, s TEXT); CREATE INDEX blobss ON blobs (s);
            INSERT INTO blobs (s) VALUES ('b'), ('0x02'), (NULL), (' '), (X'0A'), (X'01'), ('0x0'), (X'02');
            """)
        let blobs = try self.source("sqlite:\(folder.path(of: "types.db"))?table=blobs")
        #expect(source.table.columns[1].hasUniformType && !blobs.table.columns[1].hasUniformType)
        func ids(_ source: ServerTableSource, filter: String? = nil) throws -> (ids: [String], plan: String) {
            var query = Query()
            if let filter { query.filters = [try Filter(filter, in: source.table.schema).formula] }
            query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .text)]
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
            let statements = try source.statements(
                ofViewWithRow: ServerSnapshot.firstRow(ofOrder: order.number), withPlans: true, isCancelled: { false })
            let ids = try order.rows(0..<10) { false }.compactMap { row in row.cells[0].number.map { "\($0)" } }
            return (ids, statements.flatMap { [$0.text] + $0.plan }.joined(separator: "\n"))
        }
        let indexed = try ids(source)
        #expect(indexed.ids == ["2", "5", "1", "4", "3"])
        #expect(indexed.plan.contains("INDEX ts") && !indexed.plan.contains("gridview_value"), "\(indexed.plan)")
        // A blob is sorted by its hexadecimal digits, like the text 0x02.
        #expect(try ids(blobs).ids == ["7", "6", "2", "8", "5", "1", "4", "3"])
        #expect(try ids(blobs, filter: "s = '0x02'").ids == ["2", "8"])
        let compared = try ids(blobs, filter: "s = 'b'")
        #expect(compared.ids == ["1"] && compared.plan.contains("INDEX blobss"), "\(compared.plan)")
    }

    @Test(arguments: ["n", "x", "d"])
    func `19.5: one statement returns the rows of many groups of numbers in SQLite`(name: String) throws {
        // In `x`, the numbers of the second half have the same 15 digits in SQLite as those of the first half, but other numbers.
        let source = try table(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, x REAL);
            WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 599)
            INSERT INTO t (n, x) SELECT i % 300, i % 300 / 10.0 * (1 + i / 300 * 3e-16) FROM c;
            """)
        let derived = try DerivedField("d = n + 1", id: .firstDerived, in: source.table.schema)
        let schema = Schema(source.table.schema.fields + [derived.field])
        let field = try #require(schema.field(named: name))
        var query = Query()
        query.derived = [derived]
        query.groups = [Query.GroupKey(field.id, by: .kind(field.kind, .point))]
        let result = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        // The group of 0 is the only one whose two numbers are equal.
        #expect(result.groups?.groups.count == (name == "x" ? 599 : 300))
        let order = source.latestOrder
        #expect(try order.completeQuery.rowsBySection(of: [FieldID(rawValue: 0)]) != nil)
        var ids: [Int?] = []
        try order.scan(0..<600, fields: [FieldID(rawValue: 0)], isCancelled: { false }) { _, batch in
            batch.forEachRow(columns: 1) { _, fields in
                ids.append(Int(String(decoding: fields[0].bytes, as: UTF8.self)))
                return true
            }
        }
        #expect(ids == (1...300).flatMap { [$0, $0 + 300] })
    }

    @Test func `19.5: SQLite computes the absolute value of the least integer, also in groups`() throws {
        let source = try table(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER);
            INSERT INTO t (n) VALUES (-9223372036854775808), (5), (-7), (9223372036854775807), (NULL), (0), (-9223372036854775807);
            """)
        let schema = source.table.schema
        func ids(_ filter: String) throws -> [Int64] {
            var query = Query()
            query.filters = [try Filter(filter, in: schema).formula]
            let order = source.addOrder(try CompiledQuery(query, of: source.table, in: source.dialect))
            return try order.rows(0..<10) { false }.compactMap { $0.cells[0].number }
        }
        #expect(try ids("abs(n) > 6") == [1, 3, 4, 7])
        #expect(try ids("abs(n) = 9223372036854775808") == [1])
        let cases: [(formula: String, groups: [String], rows: [Int64])] = [
            ("abs(n)", ["0", "5", "7", "9223372036854775807", "9223372036854775808", ""], [6, 2, 3, 4, 7, 1, 5]),
            ("-n", ["-9223372036854775807", "-5", "0", "7", "9223372036854775807", "9223372036854775808", ""], [4, 2, 6, 3, 7, 1, 5]),
        ]
        for (formula, groups, rows) in cases {
            let derived = try DerivedField("d = \(formula)", id: .firstDerived, in: schema)
            var query = Query()
            query.derived = [derived]
            query.groups = [Query.GroupKey(.firstDerived, by: .kind(derived.field.kind, .point))]
            let result = try engine.rows(
                of: source.snapshot(), schema: Schema(schema.fields + [derived.field]), matching: query, earlierFilterResult: nil,
                control: JobControl(), report: nil)
            #expect(result.groups?.groups.map(\.key) == groups)
            let found = try source.latestOrder.rows(0..<7) { false }
            #expect(found.compactMap { $0.cells[0].number } == rows)
        }
    }

    @Test func `19.1: a table of SQLite opens although an index of its texts is damaged`() throws {
        _ = try table("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); CREATE INDEX ts ON t (s); INSERT INTO t (s) VALUES ('a')")
        let path = folder.path(of: "types.db")
        let damage = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            page, size = [c.execute(q).fetchone()[0] for q in ("SELECT rootpage FROM sqlite_schema WHERE name = 'ts'", "PRAGMA page_size")]
            with open(sys.argv[1], "r+b") as f:
                f.seek((page - 1) * size)
                f.write(bytes(size))
            """
        try programOutput("/usr/bin/env", ["python3", "-c", damage, path])
        let source = try self.source("sqlite:\(path)?table=t")
        #expect(try source.snapshot().records(0..<1, maximumFieldBytes: 100).map { $0[1]?.text } == ["a"])
        #expect(!source.table.columns[1].hasUniformType)
    }

    @Test func `19.5: the mean of times of SQLite is exact to the microsecond`() throws {
        let source = try table(
            """
            CREATE TABLE t (at DATETIME, day DATE);
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO t SELECT datetime('2024-01-01', (i * 37) || ' minutes'), CASE WHEN i % 2 = 0 THEN '9999-12-31' ELSE '1900-01-01' END
            FROM n;
            """)
        let fields = [(0, "at", ValueKind.dateTime), (1, "day", .date)].map {
            Field(FieldID(rawValue: $0.0), name: $0.1, kind: $0.2)
        }
        let found = try engine.statistics(
            of: fields, in: source.snapshot(), rows: nil, exactLimit: 100, topCount: 3, details: [], control: JobControl())
        // 2024-02-08 13:18:30 and 5949-12-31 12:00:00.
        #expect(found[0].mean == .integer(1_707_398_310_000_000) && found[1].mean == .integer(125_596_612_800_000_000))
    }
}
