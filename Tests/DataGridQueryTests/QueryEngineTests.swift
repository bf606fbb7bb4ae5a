import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Random queries, encoded and decoded, compared with a reference implementation.
struct QueryEngineTests {
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "name", kind: .text), Field(FieldID(rawValue: 1), name: "side", kind: .text),
        Field(FieldID(rawValue: 2), name: "count", kind: .integer),
    ])

    private struct Row {
        var name: String
        var side: String
        var count: Int
        var fields: [String?] { [name, side, String(count)] }
    }

    private static let conditions: [(text: String, holds: @Sendable (Row) -> Bool)] = [
        ("count > 20", { $0.count > 20 }), ("side = 'buy'", { $0.side == "buy" }),
        ("name contains 'a' or count < 5", { $0.name.contains("a") || $0.count < 5 }),
        ("count + 1 != 8", { $0.count != 7 }), ("not (side in ('buy', 'hold'))", { $0.side == "sell" }),
    ]

    @Test("D18: an engine returns the rows and groups of a query", arguments: 1...60 as ClosedRange<UInt64>)
    func randomQueries(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rows = (0..<Int.random(in: 0...300, using: &random)).map { _ in
            Row(
                name: ["ab", "b", "cab", "d"].randomElement(using: &random)!, side: ["buy", "sell", "hold"].randomElement(using: &random)!,
                count: Int.random(in: 0...40, using: &random))
        }
        let table = MemoryTable(rows.map(\.fields))
        let conditions = Self.conditions.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
        var asked = Query()
        asked.filters = try conditions.map { try Filter($0.text, in: Self.schema).formula }
        let comparisons: [Query.Comparison] = [.natural, .text, .kind(.integer, .point)]
        let fields = [0, 1, 2].shuffled(using: &random)
        asked.sort = fields.prefix(Int.random(in: 0...2, using: &random)).map {
            Query.SortKey(FieldID(rawValue: $0), by: comparisons[$0], isDescending: Bool.random(using: &random))
        }
        asked.aggregates = [
            Query.Aggregate(.sum, of: FieldID(rawValue: 2), kind: .integer),
            Query.Aggregate(.distinct, of: FieldID(rawValue: 0), kind: .text),
        ]
        let orders: [Query.GroupKey.Order] = [.value, .rowCount, .aggregate(0), .aggregate(1)]
        if Bool.random(using: &random) {
            let field = Int.random(in: 0...1, using: &random)
            asked.groups = [
                Query.GroupKey(
                    FieldID(rawValue: field), by: comparisons[field], order: orders.randomElement(using: &random)!,
                    isDescending: Bool.random(using: &random))
            ]
        }
        let query = try JSONDecoder().decode(Query.self, from: JSONEncoder().encode(asked))
        #expect(query == asked)

        let filters = try query.filters.map { try Filter($0, in: Self.schema) }
        let expected = Self.reference(rows, query, conditions.map(\.holds))
        for threads in 1...2 {
            let engine = LocalQueryEngine(threads: threads)
            let result = try engine.rows(of: table, schema: Self.schema, matching: query, known: nil, control: JobControl())
            #expect((result.rows.map { Array($0) } ?? Array(rows.indices)) == expected, "\(query)")
            #expect((result.groups == nil) == query.groups.isEmpty)
            if let groups = result.groups { Self.check(groups, rows, expected, query) }
            // Known results for the first rows and the first filter give the same rows.
            guard let first = filters.first else { continue }
            let shorter = MemoryTable(rows.prefix(rows.count / 2).map(\.fields))
            var firstQuery = Query()
            firstQuery.filters = [first.formula]
            let known = try engine.rows(of: shorter, schema: Self.schema, matching: firstQuery, known: nil, control: JobControl()).filtered
            #expect(known?.remaining(of: rows.count, for: filters) == (known?.rows.count ?? 0) + rows.count - rows.count / 2)
            let again = try engine.rows(of: table, schema: Self.schema, matching: query, known: known, control: JobControl())
            #expect(again.rows.map { Array($0) } == expected)
        }
    }

    /// Filters, sorts stably, and then moves the rows of each group together.
    private static func reference(_ rows: [Row], _ query: Query, _ conditions: [(Row) -> Bool]) -> [Int] {
        var order = rows.indices.filter { index in conditions.allSatisfy { $0(rows[index]) } }
        func isLess(_ a: Row, _ b: Row, _ field: FieldID) -> Bool {
            switch field.rawValue {
            case 0: a.name < b.name
            case 1: a.side < b.side
            default: a.count < b.count
            }
        }
        for key in query.sort.reversed() {
            order = stable(order) {
                key.isDescending ? isLess(rows[$1], rows[$0], key.field) : isLess(rows[$0], rows[$1], key.field)
            }
        }
        guard let group = query.groups.first else { return order }
        func value(_ index: Int) -> String { group.field.rawValue == 0 ? rows[index].name : rows[index].side }
        let members = Dictionary(grouping: order, by: value)
        func rank(_ key: String) -> Int {
            switch group.order {
            case .value: 0
            case .rowCount: members[key]!.count
            case .aggregate(0): members[key]!.reduce(0) { $0 + rows[$1].count }
            case .aggregate: Set(members[key]!.map { rows[$0].name }).count
            }
        }
        let keys = members.keys.sorted { a, b in
            if rank(a) != rank(b) { return group.isDescending ? rank(a) > rank(b) : rank(a) < rank(b) }
            return group.order == .value && group.isDescending ? a > b : a < b
        }
        return keys.flatMap { members[$0]! }
    }

    private static func stable(_ order: [Int], _ isLess: (Int, Int) -> Bool) -> [Int] {
        order.enumerated().sorted { a, b in
            isLess(a.element, b.element) || !isLess(b.element, a.element) && a.offset < b.offset
        }.map(\.element)
    }

    private static func check(_ result: GroupResult, _ rows: [Row], _ order: [Int], _ query: Query) {
        #expect(result.groups.map(\.rows).map(\.count).reduce(0, +) == order.count)
        for (index, group) in result.groups.enumerated() {
            let members = group.rows.map { rows[order[$0]] }
            let figures = Array(result.aggregates(ofGroup: index))
            let sum = members.reduce(0) { $0 + $1.count }
            #expect("\(figures[0])" == "\(AggregateValue.integer(Int64(sum)))")
            let names = Set(members.map(\.name)).count
            #expect("\(figures[1])" == "\(AggregateValue.integer(Int64(names)))")
        }
    }

    @Test("D7: finds the next different value, in every order and direction", arguments: 1...200 as ClosedRange<UInt64>)
    func firstDifference(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = [0, 1, 10, 3000].randomElement(using: &random)!
        // Runs of equal values longer than the first pieces.
        let length = [1, 3, 700].randomElement(using: &random)!
        let values = (0..<count).map { row -> String? in [nil, "", "a", "b"][(row / length + Int(seed)) % 4] }
        let table = MemoryTable(values.map { ["x", $0] })
        let rows: [Int]
        let order: RowSequence
        switch Int.random(in: 0..<3, using: &random) {
        case 0: (rows, order) = (Array(0..<count), .all)
        case 1:
            let split = Int.random(in: 0...count, using: &random)
            (rows, order) = (Array(split..<count) + Array(0..<split), .runs([split..<count, 0..<split]))
        default:
            let list = (0..<count).shuffled(using: &random)
            let place = Int.random(in: 0...count, using: &random)
            rows = Array(list[place...] + list[..<place])
            order = .list(RowNumbers(list.map { UInt32($0) }), places: [place..<count, 0..<place])
        }
        let engine = LocalQueryEngine(threads: 2)
        for start in [-1, 0, count / 2, count - 1, count] {
            for direction in [SearchDirection.forward, .backward] {
                var expected: Int?
                if rows.indices.contains(start) {
                    let others = direction == .forward ? Array(start + 1..<count) : (0..<start).reversed()
                    expected = others.first { values[rows[$0]] != values[rows[start]] }
                }
                let found = try engine.firstDifference(
                    in: FieldID(rawValue: 1), of: table, order: order, from: start, direction: direction, control: JobControl())
                #expect(found == expected, "\(start) \(direction)")
            }
        }
    }
}
