import GridTestSupport
import Tables
import FieldValues
import Testing

@testable import DataGridQuery

@Suite("A15, D8: order of groups, first and last values, many groups")
struct GroupOrderTests {
    /// A group of the reference implementation: its key, records and subgroups.
    private struct Node {
        var key: String
        var records: [UInt32]
        var inside: [Node] = []
    }

    /// Groups in byte order of their keys, empty keys last, then sorted by `criteria`.
    private func nodes(_ table: MemoryTable, _ records: [UInt32], _ keys: ArraySlice<ResolvedGroupKey>) -> [Node] {
        guard let key = keys.first else { return [] }
        func field(_ record: UInt32) -> String {
            let text = table.rows[Int(record)][key.column] ?? ""
            return text.allSatisfy { $0 == " " || $0 == "\t" } ? "" : text
        }
        var groups: [String: [UInt32]] = [:]
        for record in records { groups[field(record), default: []].append(record) }
        let names = groups.keys.sorted { a, b in
            if a.isEmpty || b.isEmpty { return b.isEmpty && !a.isEmpty }
            return Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8))
        }
        var nodes = names.map { Node(key: $0, records: groups[$0]!) }
        func value(_ record: UInt32) -> Double? { FieldBytes.withBytes(of: table.rows[Int(record)][2] ?? "") { $0.decimal() } }
        func aggregate(_ node: Node) -> Double? {
            switch key.order {
            case .value: nil
            case .rowCount: Double(node.records.count)
            case .aggregate(0): node.records.compactMap(value).filter { !$0.isNaN }.reduce(nil) { max($0 ?? $1, $1) }
            case .aggregate(1): value(node.records.first!)
            case .aggregate: value(node.records.last!)
            }
        }
        if key.order != .value {
            // A stable sort keeps equal groups in key order.
            let order = nodes.indices.sorted { a, b in
                switch (aggregate(nodes[a]), aggregate(nodes[b])) {
                case (nil, nil): a < b
                case (nil, _): false
                case (_, nil): true
                case (let x?, let y?): x == y ? a < b : key.isDescending ? x > y : x < y
                }
            }
            nodes = order.map { nodes[$0] }
        }
        for index in nodes.indices { nodes[index].inside = self.nodes(table, nodes[index].records, keys.dropFirst()) }
        return nodes
    }

    private func lines(_ nodes: [Node], level: Int = 0) -> [String] {
        nodes.flatMap { ["\(level) \($0.key) \($0.records)"] + lines($0.inside, level: level + 1) }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `groups are sorted by count, by aggregate, and by first and last value`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = ["", "  ", "a", "b", "cc", "d d", "é", "10", "9"]
        let table = MemoryTable(
            (0..<400).map { index -> [String?] in
                [
                    names.randomElement(using: &random), index % 7 == 0 ? nil : "k\(Int.random(in: 0..<40, using: &random))",
                    index % 5 == 0 ? "" : "\(Int.random(in: -20...20, using: &random))",
                ]
            })
        let criteria: [Query.GroupKey.Order] = [.value, .rowCount, .aggregate(0), .aggregate(1), .aggregate(2)]
        let order = (0..<UInt32(400)).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        let requests = [
            AggregateRequest(function: .max, column: 2, kind: .integer), AggregateRequest(function: .first, column: 2, kind: .integer),
            AggregateRequest(function: .last, column: 2, kind: .integer),
        ]
        for depth in 1...2 {
            for _ in 0..<12 {
                let keys = (0..<depth).map { column in
                    let criterion = criteria.randomElement(using: &random)!
                    return ResolvedGroupKey(
                        column: column, ordering: .text, isDescending: criterion != .value && Bool.random(using: &random), order: criterion)
                }
                let result = try groupedRecords(
                    of: table, by: keys, order: RowNumbers(order), aggregates: requests, threads: 2, control: JobControl())
                let found = result.groups.map { "\($0.level) \($0.key) \(Array(result.order[$0.rows]))" }
                // The records of outer groups are in the order of the inner groups.
                let expected = nodes(table, order, keys[...])
                func orderedRecords(_ node: Node) -> [UInt32] { node.inside.isEmpty ? node.records : node.inside.flatMap(orderedRecords) }
                func withOrderedRecords(_ node: Node) -> Node {
                    Node(key: node.key, records: orderedRecords(node), inside: node.inside.map(withOrderedRecords))
                }
                #expect(found == lines(expected.map(withOrderedRecords)), "\(keys)")
            }
        }
    }

    @Test func `the aggregates “first” and “last” follow the order of the records in the group`() throws {
        let table = MemoryTable([["a", "x"], ["b", "y"], ["a", ""], ["b", "z"], ["a", nil]])
        let requests = [
            AggregateRequest(function: .first, column: 1, kind: .text), AggregateRequest(function: .last, column: 1, kind: .text),
        ]
        func values(_ order: [UInt32]?, _ criterion: Query.GroupKey.Order = .value) throws -> [AggregateValue] {
            try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: 0, ordering: .text, order: criterion)], order: order.map { RowNumbers($0) },
                aggregates: requests, threads: 1,
                control: JobControl()
            ).values
        }
        #expect(try values(nil) == [.record(0), .record(4), .record(1), .record(3)])
        #expect(try values([3, 2, 1, 0]) == [.record(2), .record(0), .record(3), .record(1)])
        #expect(try values(nil, .aggregate(1)) == [.record(1), .record(3), .record(0), .record(4)], "a missing field comes last")
    }

    @Test(arguments: [1, 2, 3]) func `groups with many distinct keys are correct with any number of threads`(threads: Int) throws {
        var random = SplitMix64(seed: 9)
        // Ranges with many values follow ranges with few, so threads change their method in different ranges.
        let keys = (0..<260_000).map { index -> String? in
            index % 1000 == 0 ? nil : index < 90_000 ? "few \(index % 50)" : "key \(Int.random(in: 0..<150_000, using: &random))"
        }
        let table = MemoryTable(keys.enumerated().map { [$1, "\($0 % 100)"] })
        let aggregates = [AggregateRequest(function: .sum, column: 1, kind: .integer), AggregateRequest(function: .distinct, column: 0)]
        let result = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 0, ordering: .text)], aggregates: aggregates, threads: threads, control: JobControl())
        var expected: [String: (count: Int, sum: Int64)] = [:]
        for (index, key) in keys.enumerated() {
            expected[key ?? "", default: (0, 0)].count += 1; expected[key ?? ""]!.sum += Int64(index % 100)
        }
        #expect(result.groups.count == expected.count && expected.count > NumberedColumn.lowCardinalityLimit)
        let names = result.groups.map(\.key)
        #expect(names.dropLast() == names.dropLast().sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }[...] && names.last == "")
        for (index, group) in result.groups.enumerated() {
            let (count, sum) = expected[group.key]!
            guard group.rows.count == count, result.aggregates(ofGroup: index) == [.integer(sum), .integer(group.key.isEmpty ? 0 : 1)]
            else {
                Issue.record("\(group) \(result.aggregates(ofGroup: index))")
                break
            }
            guard result.order[group.rows].allSatisfy({ (keys[Int($0)] ?? "") == group.key }) else { Issue.record("\(group)"); break }
        }
        #expect(result.order.short.sorted() == (0..<UInt32(260_000)).map { $0 })
        // The order is also correct within another group level, for a subset of records.
        let some = (0..<UInt32(260_000)).filter { $0 % 3 != 0 }
        let nested = try groupedRecords(
            of: table,
            by: [
                ResolvedGroupKey(column: 1, ordering: .number),
                ResolvedGroupKey(column: 0, ordering: .natural, isDescending: true, order: .rowCount),
            ],
            order: RowNumbers(some), aggregates: [AggregateRequest(function: .count, column: 1)], threads: threads, control: JobControl())
        #expect(nested.groups.count { $0.level == 0 } == 100 && nested.order.short.sorted() == some)
        for (index, group) in nested.groups.enumerated().prefix(5000) {
            #expect(nested.aggregates(ofGroup: index) == [.integer(Int64(group.rows.count))])
            let next = index + 1 < nested.groups.count ? nested.groups[index + 1] : group
            if group.level == 1, next.level == 1 { #expect(group.rows.count >= next.rows.count) }
        }
    }

    @Test func `groups with many distinct keys are stored for the next job`() throws {
        struct Known: Table {
            let table: MemoryTable
            var recordCount: Int { table.recordCount }
            var columnCount: Int { table.columnCount }
            var contentID: Int? { 1 }
            func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
                try table.scan(records, columns: columns, body)
            }
        }
        let store = ColumnStore(budget: 1 << 30)
        let table = Known(table: MemoryTable(column: (0..<80_000).map { "k\($0 % 70_000)" }))
        func groups() throws -> GroupResult {
            try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: 0, ordering: .text, isDescending: true, order: .rowCount)], store: store,
                threads: 2,
                control: JobControl())
        }
        let first = try groups()
        #expect(store.byteCount > 80_000 * 4)
        let second = try groups()
        #expect(first.order == second.order && first.groups == second.groups && first.groups[0].rows.count == 2)
    }
}
