import FieldValues
import GridTestSupport
import Locks
import Tables
import Testing

@testable import DataGridQuery

/// Filters of typed values give the same results as filters of texts, with and without bounds.
@Suite struct TypedFilterTests {
    /// A table with bounds for each of its batches and perhaps an index of its first column, which counts the records that are read.
    private final class BoundedTable: ColumnarTable {
        let columns: TypedColumns
        let scannedCount = Atomic(0)
        let isIndexed: Bool
        init(_ columns: TypedColumns, isIndexed: Bool = false) { (self.columns, self.isIndexed) = (columns, isIndexed) }

        var recordCount: Int { columns.recordCount }
        var columnCount: Int { columns.columnCount }

        func scanColumns(_ records: Range<Int>, columns numbers: [Int], _ body: (ColumnBatch) throws -> Bool) throws {
            scannedCount.add(records.count * numbers.count, ordering: .relaxed)
            try columns.scanColumns(records, columns: numbers, body)
        }

        /// Tests the records with a number within the bounds, and the next record, in batches of one record.
        func findIndexedRecords(
            within ranges: [ColumnRanges], limit: Int, columns columnNumbers: [Int], isCancelled: @escaping () -> Bool,
            matching test: (ColumnBatch) throws -> [Int], report: (_ records: [Int], _ testedCount: Int, _ totalCount: Int) -> Void
        ) throws -> Bool {
            guard isIndexed, case .integers(let numbers, 0) = columns.columns[0].values,
                case .doubles(let range)? = ranges.first(where: { $0.column == 0 })?.bounds.first?.values
            else { return false }
            let found = numbers.indices.filter { range.contains(Double(numbers[$0])) }
            let records = Set(found + found.map { min($0 + 1, numbers.count - 1) }).sorted()
            guard records.count <= limit else { return false }
            for (index, record) in records.enumerated() {
                try scanColumns(record..<record + 1, columns: columnNumbers) {
                    report(try test($0).map { record + $0 }, index + 1, records.count)
                    return true
                }
            }
            return true
        }

        func parts(of records: Range<Int>, columns numbers: [Int], byPage: Bool) -> [Range<Int>] {
            let size = byPage ? columns.batchSize : columns.batchSize * 4
            return stride(from: records.lowerBound / size * size, to: records.upperBound, by: size).map {
                ($0..<$0 + size).clamped(to: records)
            }
        }

        func bounds(ofColumn column: Int, in part: Range<Int>, byPage: Bool) -> ColumnBounds? {
            columns.valueBounds(ofColumn: column, in: part)
        }
    }

    /// A random condition.
    private static func condition(_ depth: Int, _ random: inout SplitMix64) -> String {
        let kind = Int.random(in: 0..<10, using: &random)
        if depth > 0, kind < 5 {
            let (a, b) = (condition(depth - 1, &random), condition(depth - 1, &random))
            return kind == 0 ? "not (\(a))" : kind < 3 ? "(\(a) or \(b))" : "(\(a) and \(b))"
        }
        let comparison = ["=", "!=", "<", "<=", ">", ">="].randomElement(using: &random)!
        let literals: [(Int, [String])] = [
            (0, ["0", "500", "-999.5", "1e300", "999"]),
            (1, ["0", "9223372036854775807", "-9223372036854775808", "9007199254740993", "9.3e18", "-1e300", "0.5"]),
            (2, ["1.5", "-999.99", "500", "0.001", "500.00000000000000001"]), (3, ["1.5", "-4", "0.000000000000000001", "2"]),
            (4, ["12.34", "0", "-99.99", "50", "0.005"]),
            (
                5,
                [
                    "0", "0.1", "0.3", "0.30000000000000004", "9007199254740992", "1152921504606846976", "0.1000000000000000055", "1e300",
                    "-1e18",
                ]
            ),
            (6, ["0.1", "5", "-9.9"]), (8, ["2020-01-01", "1970-01-01", "9999-12-31", "2020-05", "1900-06-01T12:00"]),
            (9, ["2001-01-01", "1970-01-01T00:00:01", "1850-07-07"]), (10, ["2001-01-01", "2030-02-03T04:05:06.789"]),
            (11, ["2001-01-01", "1970-01-01T00:00:00", "1900-01-01T01:02:03.456789"]), (12, ["12:00", "00:00", "23:59:59.999"]),
        ]
        switch kind {
        case 6:
            let test = ["empty", "not empty", "missing", "not missing"].randomElement(using: &random)!
            return "c\(Int.random(in: 0..<14, using: &random)) is \(test)"
        case 7:
            let text = ["word 3 20", "BUY", "", "ä", "zzz", "word 16 33"].randomElement(using: &random)!
            let test = ["=", "!=", "<", ">=", "contains", "starts with", "=*"].randomElement(using: &random)!
            return "c13 \(test) '\(text)'"
        case 8:
            return [
                "c7", "c7 = false", "c0 in (1, 2, 500, -700)", "c13 in ('BUY', 'word 3 20', '')", "c0 + c4 > 10", "c0 = c1", "c5 * 2 > 1",
                "length(c13) > 8", "c4 between -1 and 1", "c1 in (9223372036854775807, 0)",
            ].randomElement(using: &random)!
        default:
            let (column, numbers) = literals.randomElement(using: &random)!
            return "c\(column) \(comparison) \(numbers.randomElement(using: &random)!)"
        }
    }

    @Test(arguments: [0.0, 0.2])
    func `18.4: filters match the same records with typed values, with bounds and with text`(nulls: Double) throws {
        var random = SplitMix64(seed: 180 + UInt64(nulls * 10))
        let count = 41_003
        let (columns, kinds) = TypedColumns.ascending(count, nulls: nulls, &random)
        let texts = try columns.texts
        let schema = Schema(kinds.enumerated().map { Field(FieldID(rawValue: $0), name: "c\($0)", kind: $1) })
        let control = JobControl()
        let some = RowNumbers((0..<count).filter { $0 % 3 == 0 || $0 > 40_000 }.map { UInt32($0) })
        for step in 0..<90 {
            let text = Self.condition(3, &random)
            let filter = try Filter(text, in: schema)
            let plain = try filteredRecords(of: texts, by: [filter], threads: 2, control: control)
            for table in [columns as any Table, BoundedTable(columns)] {
                let typed = try filteredRecords(of: table, by: [filter], threads: 2, control: control)
                #expect(typed == plain, "\(text)")
            }
            guard step % 5 == 0 else { continue }
            let within = try filteredRecords(of: columns, by: [filter], within: some, threads: 2, control: control)
            #expect(within == (try filteredRecords(of: texts, by: [filter], within: some, threads: 2, control: control)), "\(text)")
            let rest = try filteredRecords(of: BoundedTable(columns), by: [filter], from: 20_001, threads: 2, control: control)
            #expect(rest == RowNumbers(plain.filter { $0 >= 20_001 }.map { UInt32($0) }), "\(text)")
        }
    }

    @Test func `18.4: a cancelled filter ends within the current batch`() throws {
        let columns = TypedColumns(columns: [(.integers([1, 2, 3], scale: 0), nil)], recordCount: 3)
        let filter = try Filter("c0 = 1 or c0 > 1", in: Schema([Field(FieldID(rawValue: 0), name: "c0", kind: .integer)]))
        let condition = TypedCondition(filter.expression, allColumns: [0])
        func matches(cancels: Bool) throws -> Int {
            let control = JobControl()
            var count = 0
            defer { #expect(count == (cancels ? 0 : 3)) }
            try condition.scan(
                columns, 0..<3, control: control,
                rows: { _, _, count in
                    if cancels { control.cancel() }
                    return TypedCondition.Rows(list: nil, count: count)
                },
                found: { _ in
                    count += 1
                    return true
                })
            return count
        }
        #expect(try matches(cancels: false) == 3)
        #expect(throws: JobCancelled.self) { try matches(cancels: true) }
    }

    @Test func `18.4: records outside the bounds are skipped, and a later column is read only if earlier conditions hold`() throws {
        var random = SplitMix64(seed: 181)
        let (columns, kinds) = TypedColumns.ascending(41_003, nulls: 0, &random)
        let schema = Schema(kinds.enumerated().map { Field(FieldID(rawValue: $0), name: "c\($0)", kind: $1) })
        func scannedCount(_ text: String, _ table: BoundedTable) throws -> Int {
            _ = try filteredRecords(of: table, by: [Filter(text, in: schema)], threads: 2, control: JobControl())
            return table.scannedCount.load(ordering: .relaxed)
        }
        #expect(try scannedCount("c0 > 5000", BoundedTable(columns)) == 0)
        #expect(try scannedCount("c13 = 'ÿ' or c8 < 1950-01-01 and c0 > 900", BoundedTable(columns)) == 0)
        let few = try scannedCount("c0 > 950", BoundedTable(columns))
        #expect(few > 0 && few < 12_000)
        #expect(try scannedCount("c0 > -5000 and c4 > 1000", BoundedTable(columns)) == 0)
        #expect(try scannedCount("c0 != 7", BoundedTable(columns)) == 41_003)
        // The bounds of the second column rule out no record, but no record passes the first condition.
        #expect(try scannedCount("c0 = 0.5 and c6 > 0", BoundedTable(columns)) < 41_003 / 4)
    }

    @Test func `18.4: only the records found by an index are read`() throws {
        let count = 41_003
        // Each batch has small and large numbers, so that its bounds rule out nothing.
        let numbers = (0..<count).map { Int64($0 * 7_919 % count) }
        let columns = TypedColumns(
            columns: [(.integers(numbers, scale: 0), nil), (.integers(numbers.reversed(), scale: 0), nil)], recordCount: count)
        let schema = Schema((0..<2).map { Field(FieldID(rawValue: $0), name: "c\($0)", kind: .integer) })
        for (condition, isUsed) in [
            ("c0 = 500", true), ("c0 = 500 and c1 > 5", true), ("c1 > 5 and c0 = 500", true), ("c0 > 41001.5", true), ("c0 = 99999", true),
            ("c0 > 40980", true), ("c0 > 20000", false), ("c1 = 500", false), ("c0 = 500 or c1 = 500", false), ("not (c0 = 500)", false),
        ] {
            let filter = try Filter(condition, in: schema)
            let (indexed, other) = (BoundedTable(columns, isIndexed: true), BoundedTable(columns))
            let control = JobControl()
            let parts = Mutex<[RowNumbers]>([])
            let found = try filteredRecords(of: indexed, by: [filter], threads: 2, control: control) { part in
                parts.withLock { $0.append(part) }
            }
            #expect(parts.withLock { $0.flatMap { Array($0) } } == Array(found), "\(condition)")
            // Matches and progress are reported after each batch. Each record with a match is followed by one without.
            if isUsed {
                #expect(parts.withLock { $0.count } == found.count, "\(condition)")
                #expect(control.total >= found.count && control.completed == control.total, "\(condition)")
            }
            #expect(found == (try filteredRecords(of: other, by: [filter], threads: 2, control: JobControl())), "\(condition)")
            let (read, all) = (indexed.scannedCount.load(ordering: .relaxed), other.scannedCount.load(ordering: .relaxed))
            #expect(isUsed ? read < all || all == 0 : read == all, "\(condition)")
            guard let start = found.first else { continue }
            let rest = try filteredRecords(of: indexed, by: [filter], from: start + 1, threads: 2, control: JobControl())
            #expect(rest == RowNumbers(found.dropFirst().map { UInt32($0) }), "\(condition)")
        }
    }

    /// A large table whose index finds no records.
    private final class LargeTable: ColumnarTable {
        let limits = Mutex<[Int]>([])
        let recordCount: Int
        let columnCount = 1

        init(recordCount: Int) { self.recordCount = recordCount }

        func scanColumns(_ records: Range<Int>, columns: [Int], _ body: (ColumnBatch) throws -> Bool) throws { throw IncompleteScan() }

        func findIndexedRecords(
            within ranges: [ColumnRanges], limit: Int, columns: [Int], isCancelled: @escaping () -> Bool,
            matching test: (ColumnBatch) throws -> [Int], report: (_ records: [Int], _ testedCount: Int, _ totalCount: Int) -> Void
        ) throws -> Bool {
            limits.withLock { $0.append(limit) }
            return true
        }
    }

    @Test func `18.4: an index may find at most one in 256 records, and never more than 65,536`() throws {
        let filter = try Filter("c0 = 5", in: Schema([Field(FieldID(rawValue: 0), name: "c0", kind: .integer)]))
        for (recordCount, limit) in [(2_560, 10), (256 * 65_536, 65_536), (1 << 31, 65_536)] {
            let table = LargeTable(recordCount: recordCount)
            #expect(try filteredRecords(of: table, by: [filter], threads: 1, control: JobControl()).isEmpty)
            #expect(table.limits.withLock { $0 } == [limit])
        }
    }

    @Test(arguments: [0.0, 0.2]) func `18.4: groups and sorts of a subset of the records read typed values`(
        nulls: Double
    ) throws {
        var random = SplitMix64(seed: 182)
        let count = 41_003
        let (columns, kinds) = TypedColumns.ascending(count, nulls: nulls, &random)
        let texts = try columns.texts
        let control = JobControl()
        let some = RowNumbers((0..<count).filter { $0 % 11 == 0 || (9_000..<9_500).contains($0) }.map { UInt32($0) })
        for (column, kind) in kinds.enumerated() {
            let key = ResolvedSortKey(column: column, ordering: SortOrdering(kind: kind))
            let sorted = try [columns as any Table, texts].map {
                try sortedRecords(of: $0, by: [key], within: some, threads: 2, control: control)
            }
            #expect(sorted[0] == sorted[1], "column \(column)")
        }
        let functions: [AggregateRequest.Function] = [.sum, .mean, .min, .max, .count, .median]
        let requests = kinds.indices.filter { kinds[$0] != .text }.flatMap { column in
            functions.map { AggregateRequest(function: $0, column: column, kind: kinds[column]) }
        }
        for order in [nil, some] as [RowNumbers?] {
            for column in [13, 7, 0] {
                let groups = try [columns as any Table, texts].map {
                    try groupedRecords(
                        of: $0, by: [ResolvedGroupKey(column: column, ordering: SortOrdering(kind: kinds[column]))], order: order,
                        aggregates: requests, needsRows: order == nil, threads: 2, control: control)
                }
                #expect(groups[0].order == groups[1].order)
                #expect(groups[0].groups.count == groups[1].groups.count)
                let differing = zip(groups[0].values, groups[1].values).enumerated().first { !Self.isSame($0.element.0, $0.element.1) }
                #expect(differing == nil, "column \(column), \(differing.map { requests[$0.offset % requests.count] } as Any)")
            }
        }
    }

    /// True if both values are equal, or if neither value has a number.
    private static func isSame(_ a: AggregateValue, _ b: AggregateValue) -> Bool {
        if case .decimal(let a) = a, case .decimal(let b) = b { return a == b || a.isNaN && b.isNaN }
        return a == b
    }
}
