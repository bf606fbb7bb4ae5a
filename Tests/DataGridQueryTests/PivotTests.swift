import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Pivot tables of random tables, compared with a plain reference.
struct PivotTests {
    private static let texts: [String?] = [
        "a", "b", "B", "é", "e\u{301}", "Zoë", "日本", "\u{1F600}", "x by y", " ", "", nil, "a", "b",
    ]
    private static let days: [String?] = ["2024-01-05", "2024-01-31", "2023-12-31", "1999-02-28", "2024-03-01", nil, ""]

    /// A table of text, text, a date and an integer.
    private struct Sample {
        var rows: [[String?]]
        let hasNulls: Bool

        init(_ count: Int, hasNulls: Bool, _ random: inout SplitMix64) {
            self.hasNulls = hasNulls
            rows = (0..<count).map { _ in
                let amount: String? = [nil, "", "\(Int.random(in: -9...99, using: &random))"].randomElement(using: &random)!
                return [
                    texts.randomElement(using: &random)!, texts.randomElement(using: &random)!, days.randomElement(using: &random)!, amount,
                ]
            }
        }

        var table: MemoryTable {
            var table = MemoryTable(rows)
            table.columnCount = 4
            return table
        }
        var schema: Schema {
            let kinds: [ValueKind] = [.text, .text, .date, .integer]
            return Schema(
                zip(["p", "q", "day", "amount"], kinds).enumerated().map { index, field in
                    Field(FieldID(rawValue: index), name: field.0, kind: field.1, hasNulls: hasNulls)
                })
        }

        /// The key of a field in a group. A null is the last, an empty field the one before.
        func key(_ row: [String?], _ field: Int) -> Key {
            guard let text = row[field] else { return hasNulls ? .null : .empty }
            return text.allSatisfy { $0 == " " } ? .empty : .value(Array(text.utf8))
        }
    }

    private enum Key: Hashable, Comparable {
        case value([UInt8]), empty, null

        var text: String? {
            switch self {
            case .value(let bytes): String(decoding: bytes, as: UTF8.self)
            case .empty: ""
            case .null: nil
            }
        }
        var title: String { self == .null ? "(null)" : self == .empty ? "(empty)" : text! }
        private var rank: Int { self == .null ? 2 : self == .empty ? 1 : 0 }

        static func < (a: Key, b: Key) -> Bool {
            if case .value(let x) = a, case .value(let y) = b { return x.lexicographicallyPrecedes(y) }
            return a.rank < b.rank
        }
    }

    private static func pivot(_ rows: [Int], by column: Int, _ functions: [AggregateFunction], in schema: Schema) -> Pivot {
        func key(_ field: Int) -> Query.GroupKey {
            Query.GroupKey(FieldID(rawValue: field), by: field < 2 ? .text : .kind(schema.fields[field].kind, .point))
        }
        let aggregates = functions.map { Query.Aggregate($0, of: FieldID(rawValue: 3), kind: .integer) }
        return Pivot(
            rows: rows.map(key), column: key(column), aggregates: aggregates,
            values: [.rowCount] + aggregates.indices.map { Pivot.Value.aggregate($0) })
    }

    private static func content(_ source: PivotSource) throws -> (titles: [String], rows: [[String?]]) {
        let table = source.snapshot()
        let rows = try table.strings(of: 0..<table.recordCount, columns: Array(0..<table.columnCount))
        // A scan of some columns has the same values. The table has no column with the last number.
        let columns = [table.columnCount - 1, 0, table.columnCount / 2].filter { $0 >= 0 }
        let parts = try table.strings(of: 0..<table.recordCount, columns: columns + [table.columnCount])
        #expect(parts == rows.map { row in columns.map { row[$0] } + [nil] })
        return ((0..<table.columnCount).map(source.title(ofColumn:)), rows)
    }

    /// The value of a function over rows that match.
    private static func value(_ function: AggregateFunction, _ rows: [[String?]]) -> String? {
        let texts = rows.map { $0[3] }
        let numbers = texts.compactMap { $0.flatMap { Int($0) } }
        switch function {
        case .count: return String(numbers.count)
        case .distinct: return rows.isEmpty ? nil : String(Set(numbers).count)
        case .sum: return numbers.isEmpty ? nil : String(numbers.reduce(0, +))
        case .max: return numbers.max().map { String($0) }
        case .first: return rows.first.flatMap { $0[3] }
        default: return numbers.min().map { String($0) }
        }
    }

    private static func engine(_ threads: Int = 2) -> LocalQueryEngine { LocalQueryEngine(threads: threads) }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `D23: pivot tables of random tables equal those of a simple reference implementation`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sample = Sample([0, 1, 5, 60, 400].randomElement(using: &random)!, hasNulls: Bool.random(using: &random), &random)
        let fields = [0, 1, 2].shuffled(using: &random)
        let (rowFields, column) = (Array(fields.dropFirst().prefix(Int.random(in: 0...2, using: &random))), fields[0])
        let functions = [AggregateFunction.count, .sum, .max, .min, .distinct, .first].shuffled(using: &random)
            .prefix(Int.random(in: 0...3, using: &random))
        var job = PivotJob(
            engine: Self.engine(), table: sample.table, schema: sample.schema, base: Query(),
            pivot: Self.pivot(rowFields, by: column, Array(functions), in: sample.schema))
        let isLimited = Bool.random(using: &random)
        if isLimited { (job.maximumValueCount, job.maximumRowCount) = (4, 6) }
        let source = try job.run(name: "t", JobControl())

        let values = Set(sample.rows.map { sample.key($0, column) }).sorted()
        let combinations = Dictionary(grouping: sample.rows) { row in rowFields.map { sample.key(row, $0) } }
        let rows = combinations.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let shown = (values: values.prefix(job.maximumValueCount), rows: rows.prefix(job.maximumRowCount))
        let names = ["count"] + functions.map { "\($0.rawValue)(amount)" }
        let found = try Self.content(source)
        #expect(
            found.titles == rowFields.map { sample.schema.fields[$0].name }
                + shown.values.flatMap { value in names.count == 1 ? [value.title] : names.map { "\(value.title) \($0)" } })
        let expected = shown.rows.map { keys in
            keys.map(\.text)
                + shown.values.flatMap { value in
                    let matching = combinations[keys]!.filter { sample.key($0, column) == value }
                    return [String(matching.count)] + functions.map { Self.value($0, matching) }
                }
        }
        #expect(found.rows == expected)
        // Strings with equivalent characters are equal, so compare the bytes, too.
        #expect(found.rows.map { $0.map { $0.map { Array($0.utf8) } } } == expected.map { $0.map { $0.map { Array($0.utf8) } } })
        var omissions: [String] = []
        if values.count > shown.values.count {
            omissions.append("only the first 4 of \(values.count) values of “\(sample.schema.fields[column].name)” have columns")
        }
        if rows.count > shown.rows.count {
            omissions.append("only the first 6 of \(rows.count) rows of the pivot table are shown")
        }
        #expect(source.problems == omissions)
        #expect(source.conversions.map(\.sentence) == omissions.map { "t: \($0)." } && source.conversions.allSatisfy(\.isLoss))
        if rows.isEmpty { #expect(found.rows.isEmpty) }
    }

    @Test func `D23: filters, derived fields and the order of rows apply before a pivot table is computed`() throws {
        let rows = [["a", "1"], ["b", "2"], ["a", "3"], ["b", "4"], ["a", "5"]]
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "k", kind: .text), Field(FieldID(rawValue: 1), name: "n", kind: .integer),
        ])
        var base = Query()
        base.derived = [try DerivedField("odd = n - 2 * floor(n / 2) = 1", id: .firstDerived, in: schema)]
        base.filters = [try Filter("n > 1", in: schema).formula]
        base.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.integer, .point), isDescending: true)]
        let whole = Schema(schema.fields + base.derived.map(\.field))
        let pivot = try PivotText(text: "k by odd: first(n), mean(n), last(odd)").pivot(in: whole)
        let source = try PivotJob(engine: Self.engine(), table: MemoryTable(rows), schema: whole, base: base, pivot: pivot)
            .run(name: "t", JobControl())
        let found = try Self.content(source)
        #expect(
            found.titles == [
                "k", "false first(n)", "false mean(n)", "false last(odd)", "true first(n)", "true mean(n)", "true last(odd)",
            ])
        #expect(found.rows == [["a", nil, nil, nil, "5", "4", "true"], ["b", "4", "3", "false", nil, nil, nil]])
    }

    @Test func `D23: rows and columns of a pivot table can be sorted by counts and grouped by period or range`() throws {
        let rows = [
            ["a", "2024-01-05", "1"], ["b", "2024-01-06", "20"], ["b", "2023-05-01", "3"], ["c", "2023-06-01", "4"], ["c", "n/a", "1000"],
            ["b", "2024-02-01", "0"],
        ]
        let kinds: [ValueKind] = [.text, .date, .integer]
        let schema = Schema(
            zip(["k", "day", "n"], kinds).enumerated().map { Field(FieldID(rawValue: $0.offset), name: $0.element.0, kind: $0.element.1) })
        func content(_ text: String) throws -> (titles: [String], rows: [[String?]]) {
            let pivot = try PivotText(text: text).pivot(in: schema)
            let job = PivotJob(engine: Self.engine(), table: MemoryTable(rows), schema: schema, base: Query(), pivot: pivot)
            return try Self.content(job.run(name: "t", JobControl()))
        }
        let years = try content("k:sum(n):desc by day:year: max(n)")
        #expect(years.titles == ["k", "2023", "2024", "(other)"])
        #expect(years.rows == [["c", "4", nil, "1000"], ["b", "3", "20", nil], ["a", nil, "1", nil]])
        let counts = try content("k:count by day:year:count:desc")
        #expect(counts.titles == ["k", "2024", "2023", "(other)"])
        #expect(counts.rows == [["a", "1", "0", "0"], ["c", "0", "1", "1"], ["b", "2", "1", "0"]])
        let ranges = try content("day:quarter by n:10:desc")
        #expect(ranges.titles == ["day:quarter", "1000–1010", "20–30", "0–10"])
        #expect(ranges.rows.map { $0[0] } == ["2023-04-01", "2024-01-01", "(other)"])
    }

    @Test func `D23: columns of a pivot table have the kinds of its row fields and results; computed numbers are marked`() throws {
        let rows = (0..<40).map { ["0\($0 % 3)", ["x", "y"][$0 % 2], "\(10_000_000 + $0)"] }
        let kinds: [ValueKind] = [.text, .text, .integer]
        let schema = Schema(
            zip(["zip", "k", "n"], kinds).enumerated().map { Field(FieldID(rawValue: $0.offset), name: $0.element.0, kind: $0.element.1) })
        let pivot = try PivotText(text: "zip by k: sum(n), mean(n), count").pivot(in: schema)
        let source = try PivotJob(engine: Self.engine(), table: MemoryTable(rows), schema: schema, base: Query(), pivot: pivot)
            .run(name: "t", JobControl())
        let profiles = source.profiles(budgetMilliseconds: 4)
        #expect(profiles.map(\.kind).prefix(2) == [.text, .integer] && profiles[3].kind == .integer)
        #expect(profiles.allSatisfy { !$0.hasIdentifiers } && source.hasNulls)
        #expect((0..<7).map { source.snapshot().numberStorage(ofColumn: $0) } == [nil, nil, .computed, nil, nil, .computed, nil])
    }

    @Test func `D23: a pivot table can be cancelled, and reports its progress up to the end`() throws {
        var random = SplitMix64(seed: 7)
        let sample = Sample(300, hasNulls: true, &random)
        func job(_ rows: [Int]) -> PivotJob {
            PivotJob(
                engine: Self.engine(1), table: sample.table, schema: sample.schema, base: Query(),
                pivot: Self.pivot(rows, by: 1, [.sum], in: sample.schema))
        }
        for rows in [[0], []] {
            let control = JobControl()
            _ = try job(rows).run(name: "t", control)
            #expect(control.fraction == 1, "\(rows)")
        }
        let cancelled = JobControl()
        cancelled.cancel()
        #expect(throws: JobCancelled.self) { _ = try job([0]).run(name: "t", cancelled) }
    }
}
