import FieldValues
import GridTestSupport
import Locks
import Tables
import Testing

@testable import DataGridQuery

/// Typed values of columnar tables give the same results as their strings.
@Suite struct ColumnarTableTests {
    /// A wide table, and the largest number of columns that it was asked for.
    private final class WideTable: ColumnarTable {
        let (recordCount, columnCount) = (3, 5_000)
        let contentID: Int? = 1
        let widest = Atomic(0)

        func scanColumns(_ records: Range<Int>, columns numbers: [Int], _ body: (ColumnBatch) throws -> Bool) throws {
            widest.store(max(widest.load(ordering: .relaxed), numbers.count), ordering: .relaxed)
            try [Int64](repeating: 7, count: records.count).withUnsafeBufferPointer { values in
                let vector = ColumnVector(.integers(values.baseAddress!, scale: 0))
                let columns = [ColumnVector](repeating: vector, count: numbers.count)
                _ = try body(ColumnBatch(firstRecord: records.lowerBound, count: records.count, columns: columns))
            }
        }
    }

    @Test func `T3: the columns of a wide table are sampled in groups`() throws {
        let table = WideTable()
        let profiles = table.profiles(of: Array(0..<5_000))
        #expect(profiles.count == 5_000 && profiles.allSatisfy { $0.kind == .integer && $0.sampledCount == 3 })
        #expect(table.widest.load(ordering: .relaxed) == 1_024)
    }

    @Test func `T3: the values of a wide table are converted to text in small batches`() throws {
        #expect([0, 1, 128, 256, 20_000, 100_000].map { ValuePrinter(width: $0).capacity } == [512, 512, 512, 256, 3, 1])
        let columns = TypedColumns(columns: [(.integers((0..<600).map(Int64.init), scale: 0), nil)], recordCount: 600)
        var (counts, values) = ([Int](), [String]())
        try columns.scanBatches(0..<600, columns: [Int](repeating: 0, count: 256)) { batch in
            counts.append(batch.count)
            values += (0..<batch.count).map { String(decoding: batch[$0, 255].bytes, as: UTF8.self) }
            return true
        }
        #expect(counts == [256, 256, 88] && values == (0..<600).map(String.init))
    }

    @Test(arguments: [0.0, 0.3, 1.0])
    func `18.4: sorting, filtering, grouping and statistics of typed values agree with those of text`(nulls: Double)
        throws
    {
        var random = SplitMix64(seed: 18 + UInt64(nulls * 10))
        let (columns, kinds) = TypedColumns.random(140_001, nulls: nulls, &random)
        let texts = try columns.texts
        let schema = Schema(kinds.enumerated().map { Field(FieldID(rawValue: $0), name: "c\($0)", kind: $1) })
        let control = JobControl()
        for (column, kind) in kinds.enumerated() {
            for isDescending in [false, true] {
                let key = ResolvedSortKey(column: column, ordering: SortOrdering(kind: kind), isDescending: isDescending)
                let sorted = try [columns as any Table, texts].map { table in
                    try sortedRecords(of: table, by: [key], threads: 2, control: control)
                }
                #expect(sorted[0] == sorted[1], "column \(column)")
            }
        }
        let filters = [
            "c0 > 10", "c1 < 0", "c2 >= 1.5 and c13 = \"BUY\"", "c4 < 2.5 or c4 = 99", "c7", "c8 < 2020-01-01", "c9 > 2001-01-01",
            "c12 < 12:00", "c13 ~ \"^S\"", "not (c0 = 5)", "c5 > 2", "c13 is null", "c0 is null",
        ]
        for text in filters {
            let filter = try Filter(text, in: schema)
            let store = ColumnStore(budget: 1 << 30)
            let plain = try filteredRecords(of: texts, by: [filter], threads: 2, control: control)
            for isSlow in [false, true] {
                var columns = columns
                columns.isSlowToScan = isSlow
                let typed = try filteredRecords(of: columns, by: [filter], store: store, threads: 2, control: control)
                #expect(typed == plain, "\(text)")
                #expect(isSlow ? nulls == 1 || store.byteCount > 0 : store.byteCount == 0, "\(text)")
            }
        }
    }

    @Test(arguments: [0.0, 0.3]) func `18.4: stored columns next to a computed column are read as typed values`(
        nulls: Double
    ) throws {
        var random = SplitMix64(seed: 41)
        let (columns, kinds) = TypedColumns.random(140_001, nulls: nulls, &random)
        let fields = kinds.enumerated().map { Field(FieldID(rawValue: $0), name: "c\($0)", kind: $1) }
        let total = try DerivedField("total = c0 + 1", id: .firstDerived, in: Schema(fields))
        let schema = Schema(fields + [total.field])
        let derivation = CompiledDerivedFields([total], schema: schema)
        let reads = ReadCounts()
        let typed = DerivedTable(CountingTable(columns: columns, reads: reads), derivation)
        let texts = DerivedTable(try columns.texts, derivation)
        let control = JobControl()
        for text in ["c0 > 10", "total > 10 and c13 = \"BUY\"", "c8 < 2020-01-01", "c13 is null"] {
            let filter = try Filter(text, in: schema)
            let found = try [typed as any Table, texts].map { try filteredRecords(of: $0, by: [filter], threads: 2, control: control) }
            #expect(found[0] == found[1], "\(text)")
        }
        for column in [0, 2, 9, 13, total.field.id.rawValue] {
            let key = ResolvedSortKey(column: column, ordering: SortOrdering(kind: schema.fields.first { $0.id.rawValue == column }!.kind))
            let sorted = try [typed as any Table, texts].map { try sortedRecords(of: $0, by: [key], threads: 2, control: control) }
            #expect(sorted[0] == sorted[1], "column \(column)")
        }
        let aggregates = [0, 2, total.field.id.rawValue].map { AggregateRequest(function: .sum, column: $0) }
        func groupValues(_ table: any Table) throws -> [AggregateValue] {
            let keys = [ResolvedGroupKey(column: 13, ordering: .text)]
            return Array(try groupedRecords(of: table, by: keys, aggregates: aggregates, threads: 2, control: control).values)
        }
        let expected = try groupValues(texts)
        #expect(expected.count > 3)
        // Only the argument of the computed column is read as text. A table that is slow to scan is read once, for all three columns.
        for (isSlow, printed) in [(false, 1), (true, 3)] {
            reads.printed.store(0, ordering: .relaxed)
            let table = DerivedTable(CountingTable(columns: columns, reads: reads, isSlowToScan: isSlow), derivation)
            #expect(try groupValues(table) == expected)
            #expect(reads.printed.load(ordering: .relaxed) == 140_001 * printed)
        }
    }

    /// Stored and computed columns are read one after the other, so the values of a group may be read before its key.
    @Test(arguments: [1, 3]) func `18.4: in a table with a computed column, groups are equal whether or not their rows are requested`(
        threads: Int
    ) throws {
        var random = SplitMix64(seed: 43)
        let (columns, kinds) = TypedColumns.random(200_001, nulls: 0.1, &random)
        let fields = kinds.enumerated().map { Field(FieldID(rawValue: $0), name: "c\($0)", kind: $1) }
        let level = try DerivedField("level = if(c0 > 5, 'high', 'low')", id: .firstDerived, in: Schema(fields))
        let derivation = CompiledDerivedFields([level], schema: Schema(fields + [level.field]))
        let (typed, texts) = (DerivedTable(columns, derivation), DerivedTable(try columns.texts, derivation))
        let computed = level.field.id.rawValue
        for (key, aggregated) in [(computed, [0, 2]), (13, [0, 2]), (13, [0, computed]), (computed, [computed]), (computed, [])] {
            func groups(_ table: any Table, needsRows: Bool) throws -> GroupResult {
                try groupedRecords(
                    of: table, by: [ResolvedGroupKey(column: key, ordering: .text)],
                    aggregates: aggregated.map { AggregateRequest(function: $0 == computed ? .count : .sum, column: $0) },
                    needsRows: needsRows, threads: threads, control: JobControl())
            }
            let expected = try groups(texts, needsRows: true)
            #expect(expected.groups.count > 1)
            for result in [try groups(typed, needsRows: false), try groups(texts, needsRows: false)] {
                #expect(result.groups == expected.groups && result.values == expected.values, "key \(key)")
            }
        }
    }

    @Test(arguments: [(false, 2), (true, 5)])
    func `18.4: a table that is slow to scan is scanned in smaller parts`(isSlow: Bool, scans: Int) throws {
        var random = SplitMix64(seed: 44)
        let (columns, kinds) = TypedColumns.random(140_001, nulls: 0, &random)
        let reads = ReadCounts()
        let table = CountingTable(columns: columns, reads: reads, isSlowToScan: isSlow)
        let key = ResolvedSortKey(column: 0, ordering: SortOrdering(kind: kinds[0]))
        let sorted = try sortedRecords(of: table, by: [key], threads: 2, control: JobControl())
        #expect(sorted == (try sortedRecords(of: columns.texts, by: [key], threads: 2, control: JobControl())))
        #expect(reads.scans.load(ordering: .relaxed) == scans)
    }

    final class ReadCounts: Sendable {
        /// The number of fields read as text.
        let printed = Atomic(0)
        /// The number of scans of values.
        let scans = Atomic(0)
    }

    /// Counts the fields that are read as text, and the scans of values.
    struct CountingTable: ColumnarTable {
        let columns: TypedColumns
        let reads: ReadCounts
        var isSlowToScan = false
        var recordCount: Int { columns.recordCount }
        var columnCount: Int { columns.columnCount }

        func scanColumns(_ records: Range<Int>, columns numbers: [Int], _ body: (ColumnBatch) throws -> Bool) throws {
            reads.scans.add(1, ordering: .relaxed)
            try columns.scanColumns(records, columns: numbers, body)
        }

        func scanBatches(_ records: Range<Int>, columns numbers: [Int], _ body: (FieldBatch) -> Bool) throws {
            reads.printed.add(records.count * numbers.count, ordering: .relaxed)
            try columns.scanBatches(records, columns: numbers, body)
        }
    }
}
