import GridTestSupport
import Tables
import FieldValues
import Testing

@testable import DataGridQuery

@Suite("A15: groups of few records each")
struct ManyGroupsTests {
    private static let count = 140_000

    /// Mostly distinct numbers in random order, with some duplicates and some empty fields.
    private static func number(_ record: Int) -> Int? {
        record % 1009 == 1 ? nil : (record % 53 == 2 ? record / 2 : record) * 7919 % count
    }

    private static func text(_ number: Int?) -> String { number.map { String(String(1_000_000 + $0).dropFirst()) } ?? "" }

    private static let table = MemoryTable(
        (0..<count).map { record in
            let blank = ["", " \t", nil][record % 3]
            return [number(record).map { text($0) } ?? blank, record % 3 == 0 ? "a" : "b", "\(record % 100)"]
        })

    private let all = [UInt32](0..<UInt32(count))

    /// The records of each field in `order`. The fields are in order, and the empty field is last.
    private func expected(_ order: [UInt32], isDescending: Bool = false) -> [(key: String, records: [UInt32])] {
        var records = [[UInt32]](repeating: [], count: Self.count + 1)
        for record in order { records[Self.number(Int(record)) ?? Self.count].append(record) }
        let numbers = (0..<Self.count).filter { !records[$0].isEmpty }
        let groups = (isDescending ? numbers.reversed() : numbers).map { (Self.text($0), records[$0]) }
        return groups + (records[Self.count].isEmpty ? [] : [("", records[Self.count])])
    }

    private func check(_ result: GroupResult, _ expected: [(key: String, records: [UInt32])]) {
        #expect(result.groups.count == expected.count)
        // A description of all groups would be unreadable.
        for (group, expected) in zip(result.groups, expected)
        where group.key != expected.key || result.order.short[group.rows] != expected.records[...] {
            return #expect(Bool(false), "\(group.key) \(result.order[group.rows]), not \(expected.key) \(expected.records)")
        }
    }

    @Test(arguments: [1, 2])
    func `a column stores the fields themselves if most are distinct, and otherwise numbers of distinct values`(threads: Int) throws {
        func column(_ table: MemoryTable) throws -> NumberedColumn? {
            let request = LoadedColumns.Request(column: 0, form: .numbers)
            return try LoadedColumns([request], records: nil, of: table, store: nil, threads: threads, control: JobControl())
                .numberedColumn(0)
        }
        #expect(try #require(try column(Self.table)).raw != nil)
        var random = SplitMix64(seed: 5)
        let fewer = MemoryTable(column: (0..<Self.count * 2).map { _ in "\(Int.random(in: 0..<68_000, using: &random))" })
        #expect(try #require(try column(fewer)).raw == nil)
    }

    @Test(arguments: [1, 2, 3]) func `many groups and the records within them are sorted`(threads: Int) throws {
        let table = Self.table
        for isDescending in [false, true] {
            let key = ResolvedGroupKey(column: 0, ordering: isDescending ? .text : .natural, isDescending: isDescending)
            let result = try groupedRecords(of: table, by: [key], threads: threads, control: JobControl())
            check(result, expected(all, isDescending: isDescending))
        }
        let numbers = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 0, ordering: .number)], threads: threads, control: JobControl())
        check(numbers, expected(all))
    }

    @Test func `records within groups keep the given order, even if it covers only a subset`() throws {
        let table = Self.table
        var random = SplitMix64(seed: 3)
        let key = ResolvedGroupKey(column: 0, ordering: .natural)
        for order in [all.shuffled(using: &random), all.filter { $0 % 7 != 0 }] {
            check(try groupedRecords(of: table, by: [key], order: RowNumbers(order), threads: 2, control: JobControl()), expected(order))
        }
        // Grouping all records stores the column, which groups of a subset then use.
        let store = ColumnStore(budget: 1 << 30)
        check(try groupedRecords(of: table, by: [key], store: store, threads: 2, control: JobControl()), expected(all))
        let some = all.filter { $0 % 5 == 0 }
        check(
            try groupedRecords(of: table, by: [key], order: RowNumbers(some), store: store, threads: 2, control: JobControl()),
            expected(some))
    }

    @Test func `aggregates and nested groups agree with the reference`() throws {
        let table = Self.table
        let requests = [AggregateRequest(function: .sum, column: 2, kind: .integer), AggregateRequest(function: .distinct, column: 0)]
        let single = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 0, ordering: .natural)], aggregates: requests, threads: 2, control: JobControl())
        for (group, (key, records)) in expected(all).enumerated() {
            let sum = records.reduce(Int64(0)) { $0 + Int64($1 % 100) }
            guard Array(single.aggregates(ofGroup: group)) == [.integer(sum), .integer(key.isEmpty ? 0 : 1)] else {
                return #expect(Bool(false), "\(group)")
            }
        }
        let nested = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 1, ordering: .text), ResolvedGroupKey(column: 0, ordering: .text)],
            aggregates: requests, threads: 2,
            control: JobControl())
        let parts = ["a", "b"].map { part in
            expected(all.filter { ($0 % 3 == 0) == (part == "a") })
        }
        let inner = nested.groups.filter { $0.level == 1 }
        let isSame = nested.order.short == parts.joined().flatMap(\.records) && inner.map(\.key) == parts.joined().map(\.key)
        #expect(isSame)
        let outer = nested.groups.indices.filter { nested.groups[$0].level == 0 }
        #expect(outer.map { nested.groups[$0].key } == ["a", "b"])
        #expect(outer.map { nested.aggregates(ofGroup: $0).last } == parts.map { .integer(Int64($0.count { !$0.key.isEmpty })) })
    }
}
