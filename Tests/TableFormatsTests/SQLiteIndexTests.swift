import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery
@testable import TableFormats

/// Filters of SQLite tables, which use the indexes of the database.
@Suite(.enabled(if: Python.isAvailable)) struct SQLiteIndexTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Tables with gaps between rowids, without gaps, and without rowids. The columns have values of all types.
    private static let script = """
        import random, sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        r = random.Random(int(sys.argv[2]))
        if sys.argv[2] == "2": c.execute("pragma encoding = 'UTF-16'")
        def value():
            if r.random() < 0.6: return r.randrange(4000)
            return r.choice([None, 5, 5.0, -3, 2.5, "5", "5.0", " 5", "5x", "1,000", "abc", "ABC", "abc ", "é", b"abc", b"5", 1e300,
                2**53 + 1, 2.0**53, float("inf"), "", "inf", 0, -0.0, 5e-324, r.random() * 10])
        columns = "n numeric, i integer unique, f real, x, s text, y text collate nocase, z text"
        c.execute("create table gaps(id integer primary key, %s)" % columns)
        c.execute("create table dense(id int, %s)" % columns)
        c.execute("create table keyed(id int primary key, %s) without rowid" % columns)
        for table in ["gaps", "dense", "keyed"]:
            for number in range(9000):
                other = value() if table != "dense" else number
                c.execute("insert or ignore into %s values(?,?,?,?,?,?,?,?)" % table,
                    [number * 2, value(), other] + [value() for _ in range(5)])
            for index, parts in enumerate(["n desc", "f, n", "x", "s collate rtrim", "y", "lower(z)", "z) where (z > 'a'"]):
                c.execute("create index %s%d on %s(%s)" % (table, index, table, parts))
        c.commit()
        """

    private static let kinds: [(name: String, kind: ValueKind)] = [
        ("id", .integer), ("n", .decimal), ("i", .integer), ("f", .decimal), ("x", .decimal), ("s", .text), ("y", .text), ("z", .text),
    ]
    private static let schema = Schema(
        kinds.enumerated().map { Field(FieldID(rawValue: $0), name: $1.name, kind: $1.kind) })

    /// Conditions on columns with an index.
    private static let indexedConditions = [
        "n = 5", "n > 3995", "n < 0", "n = 0", "n in (7, 8, 2.5)", "n >= 1000 and n = 1000", "i = 1234", "i in (5, 17, 99999)",
        "i = 9007199254740993", "f = 2.5", "f >= 1e300", "f <= -1", "x = 5", "x > 9007199254740991", "x < 0.0001", "s = 'abc'",
        "s in ('abc', 'é')", "n >= 100 and s = 'abc'", "y = 'ABC'", "y = 'é'", "n = 5 and s = 'abc'", "s = 'nothing'", "x = 'abc'",
    ]
    /// Conditions on columns without an index, or whose values an index does not limit.
    private static let otherConditions = [
        "n != 5", "not (n = 5)", "s = ''", "s = '5'", "s = 'inf'", "s = '0x616263'", "z = 'abc'", "n + i = 5", "n = 5 or i = 5",
        "s contains 'abc'",
    ]

    private func matches(_ table: any Table, _ filter: Filter) throws -> RowNumbers {
        try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl())
    }

    /// The matching records among those that an index finds; `nil` if there is no index.
    /// - Parameter report: receives the number of records tested after each batch, and the number of all.
    private func indexedRecords(
        of table: SQLiteTable, within ranges: [ColumnRanges], limit: Int = 9_000, columns: [Int]? = nil,
        isCancelled: @escaping () -> Bool = { false }, matching test: (ColumnBatch) throws -> [Int] = { Array(0..<$0.count) },
        report: (_ testedCount: Int, _ totalCount: Int) -> Void = { _, _ in }
    ) throws -> [Int]? {
        var records: [Int] = []
        let hasIndex = try table.findIndexedRecords(
            within: ranges, limit: limit, columns: columns ?? ranges.map(\.column), isCancelled: isCancelled, matching: test
        ) { part, tested, total in
            records += part
            report(tested, total)
        }
        return hasIndex ? records : nil
    }

    @Test(arguments: 1...2) func `18.6: filters that use indexes find the same rows as filters on texts`(
        seed: Int
    ) throws {
        let path = folder.path(of: "i.db")
        try Python.run(Self.script, path, "\(seed)")
        for name in ["gaps", "dense", "keyed"] {
            let source = try FileOpener().open(path: "\(path):\(name)")
            let first = try #require(source.snapshot() as? SQLiteTable)
            try source.readAll(threads: 2) { _ in true }
            let all = try #require(source.snapshot() as? SQLiteTable)
            #expect(!first.isComplete && all.isComplete)
            for table in [first, all] {
                let ids = name == "gaps" ? ["id = 30", "id > 17990", "id < 20"] : []
                for condition in Self.indexedConditions + ids + Self.otherConditions {
                    let filter = try Filter(condition, in: Self.schema)
                    let plain = try matches(ParquetFilterTests.Texts(table: table), filter)
                    #expect(try matches(table, filter) == plain, "\(name): \(condition)")
                    var isIndexed = false
                    for part in filter.expression.conjuncts {
                        guard let ranges = part.columnRanges,
                            let found = try indexedRecords(of: table, within: [ranges])
                        else { continue }
                        isIndexed = true
                        #expect(zip(found, found.dropFirst()).allSatisfy(<), "\(name): \(condition)")
                        #expect(Set(found).isSuperset(of: plain), "\(name): \(condition)")
                        #expect(found.last ?? 0 < table.recordCount)
                        // Only the matching records are returned.
                        let partFilter = TypedCondition(filter.expression, allColumns: table.allColumns)
                        let matching = try indexedRecords(
                            of: table, within: [ranges], columns: partFilter.columns,
                            matching: { try partFilter.rows(matchedIn: $0, control: JobControl()) })
                        #expect(matching == Array(plain), "\(name): \(condition)")
                    }
                    // Texts in UTF-16 are not searched with an index.
                    let isSearched = seed == 1 || !condition.contains("'") || condition.hasPrefix("n ")
                    let expected = name != "keyed" && !Self.otherConditions.contains(condition) && isSearched
                    #expect(isIndexed == expected, "\(name): \(condition)")
                }
            }
            guard name == "dense" else { continue }
            let one = ColumnBounds(.doubles(1_234...1_234))
            func find(_ bounds: [ColumnBounds], limit: Int, and other: [ColumnRanges] = []) throws -> [Int]? {
                try indexedRecords(of: all, within: other + [ColumnRanges(column: 2, bounds: bounds)], limit: limit)
            }
            #expect(try find([one], limit: 1) == [1_234])
            #expect(try find([one, ColumnBounds(.doubles(1...2))], limit: 3) == [1, 2, 1_234])
            #expect(try find([one, ColumnBounds(.doubles(1...2))], limit: 2) == nil)
            #expect(try find([], limit: 1) == [])
            // The index that finds the fewest rows is used, in batches of 1,024 rows.
            let many = ColumnRanges(column: 2, bounds: [ColumnBounds(.doubles(1_000...4_999))])
            #expect(try find(many.bounds, limit: 9_000) == Array(1_000...4_999))
            #expect(try find([one], limit: 9_000, and: [many]) == [1_234])
            #expect(try find([one], limit: 1, and: [many]) == [1_234])
            // A batch ends with its transaction, here after each row. Later transactions continue the record numbers.
            var divided = all
            divided.transactionLimit = .zero
            var progress: [Int] = []
            let numbers = try indexedRecords(of: divided, within: [many], report: { progress.append($0 * 10_000 + $1) })
            #expect(numbers == Array(1_000...4_999))
            #expect(progress == (1...4_000).map { $0 * 10_000 + 4_000 })
            // The cancellation flag is polled for each row, so the first batch of 1,024 rows does not end.
            var polls = 0
            let isCancelled = {
                polls += 1
                return polls > 1_000
            }
            #expect(throws: FormatError.self) {
                _ = try indexedRecords(
                    of: all, within: [many], isCancelled: isCancelled, report: { _, _ in Issue.record("a batch was tested") })
            }
            // Other programs can write while rows are tested. The rows are numbered afterwards.
            let script = """
                import sqlite3, sys
                c = sqlite3.connect(sys.argv[1], timeout=0)
                c.execute("delete from dense where i = 1100")
                c.commit()
                """
            func deleteRow(_ batch: ColumnBatch) throws -> [Int] {
                try Python.run(script, path)
                return Array(0..<batch.count)
            }
            let shifted = try indexedRecords(of: all, within: [ColumnRanges(column: 2, bounds: [one])], matching: deleteRow)
            #expect(shifted == [1_233])
        }
    }
}
