import DataGrid
import DataGridSources
import FieldValues
import GridTestSupport
import Locks
import Tables
import Testing

@testable import DataGridQuery

/// Tables with more records than fit in 32 bits. A lowered limit makes small tables cross it; results must be the same as below the limit.
@Suite("Tables of more than 2^32 records")
struct WideTableTests {
    private static let rows = 3_000
    private let table: MemoryTable
    private let columns = [
        Field(FieldID(rawValue: 0), name: "number", kind: .integer), Field(FieldID(rawValue: 1), name: "text", kind: .text),
    ]
    private var random: SplitMix64

    init() {
        var random = SplitMix64(seed: 32)
        table = MemoryTable(
            (0..<Self.rows).map { _ in ["\(random.next() % 50)", ["red", "green", "blue", "", "dark red"][Int(random.next() % 5)]] })
        self.random = random
    }

    /// Numbers beyond 100 need 64 bits in these tests.
    private var wide: JobControl { JobControl(shortLimit: 100) }

    /// The same numbers in every representation.
    private func forms(_ numbers: [UInt32]) -> [RowNumbers] {
        var forms = [RowNumbers(numbers), RowNumbers(.long(numbers.map { Int($0) }))]
        if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) {
            var set = RankedSet(rowCount: Self.rows)
            for number in numbers { set.append(Int(number)) }
            forms.append(RowNumbers(.set(set)))
        }
        return forms
    }

    private func isShort(_ numbers: RowNumbers) -> Bool { if case .short = numbers.form { true } else { false } }

    @Test(
        arguments: ["#1 < 40", "#1 = 3", "#2 ~ 'red'", "not (#2 = 'blue')"])
    func `T3, D7: with 64-bit row numbers, filters match the same rows in all rows and in a subset`(text: String) throws {
        let filters = [try Filter(text, in: Schema(columns))]
        let expected = try filteredRecords(of: table, by: filters, threads: 2, control: JobControl())
        #expect(isShort(expected))
        let batches = Mutex<[Int]>([])
        let found = try filteredRecords(of: table, by: filters, threads: 2, control: wide) { batch in batches.withLock { $0 += batch } }
        #expect(found == expected && !isShort(found))
        #expect(batches.withLock { $0 } == Array(expected))
        #expect(
            try filteredRecords(of: table, by: filters, from: 777, threads: 2, control: wide)
                == RowNumbers(expected.filter { $0 >= 777 }, ofRows: Self.rows))
        var random = random
        let some = (0..<UInt32(Self.rows)).filter { _ in random.next() % 3 == 0 }
        let left = try filteredRecords(of: table, by: filters, within: RowNumbers(some), threads: 1, control: JobControl())
        for order in forms(some) + forms(some.shuffled(using: &random)) {
            #expect(try filteredRecords(of: table, by: filters, within: order, threads: 2, control: wide) == left)
        }
    }

    @Test func `T3, D7: with 64-bit row numbers, searches find the same rows in every order`() throws {
        var random = random
        let all = RowOrder.natural(count: Self.rows)
        let moved = all.moving(10..<700, to: 2_000).moving(0..<5, to: 900).moving(2_500..<2_501, to: 1)
        let some = (0..<UInt32(Self.rows)).filter { _ in random.next() % 2 == 0 }
        let shuffled = some.shuffled(using: &random)
        let permuted = (forms(some) + forms(shuffled)).map { RowOrder.permuted(RowPermutation($0)) }
        for search in [TextSearch("dark", isCaseSensitive: false), TextSearch("7", isCaseSensitive: true, columns: [0])] {
            let matches = Set(try findRecords(matching: search, in: table, threads: 2, control: JobControl()))
            #expect(Set(try findRecords(matching: search, in: table, threads: 2, control: wide)) == matches)
            for order in [all, moved, moved.moving(0..<1, to: 5)] + permuted + permuted.map({ $0.moving(3..<9, to: 300) }) {
                let positions = (0..<order.count).filter { matches.contains(order[$0].rawValue) }
                let reported = Mutex(0)
                let found = try findPositions(matching: search, in: table, order: order.sequence, threads: 2, control: wide) { count in
                    reported.withLock { $0 = max($0, count) }
                }
                #expect(Array(found) == positions && reported.withLock { $0 } == positions.count)
                for start in [0, 5, 899, 1_499, order.count - 1, order.count] {
                    for direction in [SearchDirection.forward, .backward] {
                        let match = try firstMatch(
                            of: search, in: table, from: start, direction: direction, order: order.sequence, threads: 2, control: wide)
                        let expected =
                            direction == .forward
                            ? positions.first { $0 >= start } ?? positions.first : positions.last { $0 <= start } ?? positions.last
                        #expect(match?.position == expected && match?.record == expected.map { order[$0].rawValue })
                    }
                }
            }
        }
    }

    @Test func `T3, D9: statistics and frequencies with 64-bit row numbers equal those with 32-bit row numbers`() throws {
        var random = random
        let some = (0..<UInt32(Self.rows)).filter { _ in random.next() % 3 == 0 }
        let requests = [StatisticsRequest(column: 0, kind: .integer), StatisticsRequest(column: 1, kind: .text)]
        let expected = try columnStatistics(of: table, requests, within: RowNumbers(some), threads: 1, control: JobControl())
        for order in forms(some) + forms(some.shuffled(using: &random)) {
            #expect(try columnStatistics(of: table, requests, within: order, threads: 2, control: wide) == expected)
            let counted = try frequencies(of: table, requests[1], within: order, threads: 2, control: wide)
            #expect(counted.recordCount == some.count && counted.maximumCount == expected[1].top.first?.count)
        }
    }

    @Test func `T3, D9: counts of values can exceed 2^32`() throws {
        var fields = DistinctCounter(limit: 10)
        defer { fields.deallocate() }
        let maximum = Int(UInt32.max)
        for field in ["a", "bc", "12345678", "a", "123456789", "123456789"] {
            try FieldBytes.withBytes(of: field) { _ = try fields.add($0.bytes, times: maximum) }
        }
        var counted: [String: Int] = [:]
        fields.forEach { counted[String(decoding: $0, as: UTF8.self)] = $1 }
        #expect(counted == ["a": 2 * maximum, "bc": maximum, "12345678": maximum, "123456789": 2 * maximum])
        #expect(fields.distinct == .init(count: 4, isExact: true))
    }

    @Test func `T3, D6, D8: a few rows of a huge table are sorted and grouped; too many are rejected before any is read`() throws {
        var random = random
        let some = Array((0..<UInt32(Self.rows)).shuffled(using: &random).prefix(100))
        let keys = [ResolvedSortKey(column: 1, ordering: .natural), ResolvedSortKey(column: 0, ordering: .number, isDescending: true)]
        let group = [ResolvedGroupKey(column: 1, ordering: .text, order: .rowCount), ResolvedGroupKey(column: 0, ordering: .number)]
        let requests = [
            AggregateRequest(function: .sum, column: 0, kind: .integer), AggregateRequest(function: .last, column: 1, kind: .text),
        ]
        for records in [some, some.sorted()] {
            let sorted = try sortedRecords(of: table, by: keys, within: RowNumbers(records), threads: 1, control: JobControl())
            let grouped = try groupedRecords(
                of: table, by: group, order: RowNumbers(records), aggregates: requests, threads: 1, control: JobControl())
            for order in forms(records) {
                #expect(try sortedRecords(of: table, by: keys, within: order, threads: 2, control: wide) == sorted)
                let store = ColumnStore(budget: 1_000) { ExternalSortTests.MemoryFile() }
                #expect(try sortedRecords(of: table, by: keys, within: order, store: store, threads: 2, control: wide) == sorted)
                let result = try groupedRecords(of: table, by: group, order: order, aggregates: requests, threads: 2, control: wide)
                #expect(result.order == grouped.order && result.groups == grouped.groups && result.values == grouped.values)
            }
        }
        let unread = UnreadableTable(recordCount: 101) { _ in Issue.record("a record was read") }
        #expect(throws: TooManyRows(limit: 100)) { try sortedRecords(of: unread, by: keys, threads: 2, control: wide) }
        #expect(throws: TooManyRows(limit: 100)) { try groupedRecords(of: unread, by: group, threads: 2, control: wide) }
        #expect(throws: TooManyRows(limit: Int(UInt32.max))) {
            try sortedRecords(of: HugeTable(), by: keys, threads: 2, control: JobControl())
        }
    }

    /// A table of 2^32 + 1,000 records. Only the few records that may contain a string are read.
    private struct HugeTable: Table {
        static let rare = [5, 4_294_967_295, 4_294_967_296, 4_294_967_297 + 500]
        var recordCount: Int { 1 << 32 + 1_000 }
        var columnCount: Int { 1 }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            for record in records where !visit(record, columns, body) { return }
        }

        func scan(
            _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
            _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool
        ) throws {
            for record in Self.rare where records.contains(record) { if !visit(record, columns, body) { return } }
        }

        private func visit(_ record: Int, _ columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) -> Bool {
            FieldBytes.withBytes(of: Self.rare.contains(record) ? "rare" : "1") { field in
                withUnsafePointer(to: field) { body(record, UnsafeBufferPointer(start: $0, count: columns.count)) }
            }
        }
    }

    @Test func `T3, D7: filters and searches scan 2^32 + 1,000 records`() throws {
        let table = HugeTable()
        let filter = try Filter("#1 ~ 'rare'", in: Schema([Field(FieldID(rawValue: 0), name: "a", kind: .text)]))
        let search = TextSearch("rare", isCaseSensitive: true)
        #expect(Array(try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl())) == HugeTable.rare)
        #expect(Array(try findRecords(matching: search, in: table, threads: 2, control: JobControl())) == HugeTable.rare)
        let records = RowNumbers(HugeTable.rare.reversed() + [6, 1 << 32 + 600], ofRows: table.recordCount)
        let within = try filteredRecords(of: table, by: [filter], within: records, threads: 2, control: JobControl())
        #expect(Array(within) == HugeTable.rare)
        let sort = [ResolvedSortKey(column: 0, ordering: .text)]
        let sorted = try sortedRecords(of: table, by: sort, within: records, threads: 2, control: JobControl())
        #expect(Array(sorted) == [6, 1 << 32 + 600] + HugeTable.rare.reversed())
        let statistics = try columnStatistics(
            of: table, [StatisticsRequest(column: 0, kind: .text)], within: records, threads: 2, control: JobControl())
        #expect(statistics[0].distinct.count == 2 && statistics[0].recordCount == 6)

        func first(_ start: Int, _ direction: SearchDirection, _ order: RowOrder) throws -> SearchMatch? {
            try firstMatch(
                of: search, in: table, from: start, direction: direction, order: order.sequence, threads: 2, control: JobControl())
        }
        let all = RowOrder.natural(count: table.recordCount)
        #expect(try first(6, .forward, all) == SearchMatch(position: 4_294_967_295, record: 4_294_967_295, column: 0))
        #expect(try first(1 << 32 + 900, .backward, all)?.record == 4_294_967_797)
        #expect(try first(1 << 32 + 900, .forward, all)?.record == 5)
        // In this order, the first ten rows were moved to the end.
        let moved = all.moving(0..<10, to: table.recordCount - 10)
        #expect(try first(1 << 32 + 900, .forward, moved) == SearchMatch(position: 1 << 32 + 995, record: 5, column: 0))
        let positions = try findPositions(matching: search, in: table, order: moved.sequence, threads: 2, control: JobControl()) { _ in }
        #expect(Array(positions) == HugeTable.rare.dropFirst().map { $0 - 10 } + [1 << 32 + 995])
    }
}
