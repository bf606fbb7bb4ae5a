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

    /// The engine of the program, and an engine that uses only the public interface.
    private static let engines: [any QueryEngine] = [LocalQueryEngine(threads: 1), LocalQueryEngine(threads: 2), PlainEngine()]

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

    @Test(arguments: 1...60 as ClosedRange<UInt64>) func `D18: an engine returns the rows and groups of a query`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let records = (0..<Int.random(in: 0...300, using: &random)).map { _ in
            Row(
                name: ["ab", "b", "cab", "d"].randomElement(using: &random)!, side: ["buy", "sell", "hold"].randomElement(using: &random)!,
                count: Int.random(in: 0...40, using: &random))
        }
        let table = MemoryTable(records.map(\.fields))
        let conditions = Self.conditions.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
        var original = Query()
        original.filters = try conditions.map { try Filter($0.text, in: Self.schema).formula }
        let comparisons: [Query.Comparison] = [.natural, .text, .kind(.integer, .point)]
        let fields = [0, 1, 2].shuffled(using: &random)
        original.sort = fields.prefix(Int.random(in: 0...2, using: &random)).map {
            Query.SortKey(FieldID(rawValue: $0), by: comparisons[$0], isDescending: Bool.random(using: &random))
        }
        original.aggregates = [
            Query.Aggregate(.sum, of: FieldID(rawValue: 2), kind: .integer),
            Query.Aggregate(.distinct, of: FieldID(rawValue: 0), kind: .text),
        ]
        let orders: [Query.GroupKey.Order] = [.value, .rowCount, .aggregate(0), .aggregate(1)]
        if Bool.random(using: &random) {
            let field = Int.random(in: 0...1, using: &random)
            original.groups = [
                Query.GroupKey(
                    FieldID(rawValue: field), by: comparisons[field], order: orders.randomElement(using: &random)!,
                    isDescending: Bool.random(using: &random))
            ]
        }
        let query = try JSONDecoder().decode(Query.self, from: JSONEncoder().encode(original))
        #expect(query == original)

        let filters = try query.filters.map { try Filter($0, in: Self.schema) }
        let expected = Self.reference(records, query, conditions.map(\.holds))
        for engine in Self.engines {
            func rows(_ table: MemoryTable, _ query: Query, earlierFilterResult: FilterResult? = nil) throws -> QueryResult {
                try engine.rows(
                    of: table, schema: Self.schema, matching: query, earlierFilterResult: earlierFilterResult, control: JobControl(),
                    report: nil)
            }
            let result = try rows(table, query)
            #expect((result.rows.map { Array($0) } ?? Array(records.indices)) == expected, "\(query)")
            #expect((result.groups == nil) == query.groups.isEmpty)
            if let groups = result.groups { Self.check(groups, records, expected, query) }
            // A query that starts from the known results of the first rows and the first filter returns the same rows.
            guard let first = filters.first else { continue }
            let shorter = MemoryTable(records.prefix(records.count / 2).map(\.fields))
            var firstQuery = Query()
            firstQuery.filters = [first.formula]
            let known = try rows(shorter, firstQuery).filterResult
            #expect(
                known?.remainingRecordCount(of: records.count, for: filters) == (known?.rows.count ?? 0) + records.count - records.count / 2
            )
            let again = try rows(table, query, earlierFilterResult: known)
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
            order = stablySorted(order) {
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

    private static func stablySorted(_ order: [Int], _ isLess: (Int, Int) -> Bool) -> [Int] {
        order.enumerated().sorted { a, b in
            isLess(a.element, b.element) || !isLess(b.element, a.element) && a.offset < b.offset
        }.map(\.element)
    }

    private static func check(_ result: GroupResult, _ rows: [Row], _ order: [Int], _ query: Query) {
        #expect(result.groups.map(\.rows).map(\.count).reduce(0, +) == order.count)
        for (index, group) in result.groups.enumerated() {
            let members = group.rows.map { rows[order[$0]] }
            let subtotals = Array(result.aggregates(ofGroup: index))
            let sum = members.reduce(0) { $0 + $1.count }
            #expect("\(subtotals[0])" == "\(AggregateValue.integer(Int64(sum)))")
            let names = Set(members.map(\.name)).count
            #expect("\(subtotals[1])" == "\(AggregateValue.integer(Int64(names)))")
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `D7: the search for the next different value is correct in every row order and direction`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = [0, 1, 10, 3000].randomElement(using: &random)!
        // Some runs of equal values are longer than the first pieces that the search reads.
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
            order = .list(RowNumbers(list.map { UInt32($0) }), ranges: [place..<count, 0..<place])
        }
        for start in [-1, 0, count / 2, count - 1, count] {
            for (number, direction) in [SearchDirection.forward, .backward, .forward, .backward].enumerated() {
                let engine: any QueryEngine = number < 2 ? LocalQueryEngine(threads: 2) : PlainEngine()
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

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `D18: the local engine and a simple reference engine agree on matches and counts of values`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let texts = ["ab", "b", "cab", "d", "", nil]
        let records = (0..<Int.random(in: 1...200, using: &random)).map { _ in
            (0..<2).map { _ in texts.randomElement(using: &random)! } + ["x"]
        }
        let table = MemoryTable(records)
        let orders = [RowSequence.all, RowSequence(RowNumbers((0..<UInt32(records.count)).shuffled(using: &random)))]
        let search = TextSearch("ab", isCaseSensitive: true)
        let start = Int.random(in: -1...records.count, using: &random)
        let usual = LocalQueryEngine(threads: 2)
        let own = PlainEngine()
        for order in orders {
            for direction in [SearchDirection.forward, .backward] {
                func first(_ engine: any QueryEngine) throws -> SearchMatch? {
                    try engine.firstMatch(
                        of: search, in: table, order: order, from: start, direction: direction, control: JobControl())
                }
                let (match, expected) = (try first(own), try first(usual))
                #expect(match == expected)
            }
            let positions = try own.positions(matching: search, in: table, order: order, control: JobControl()) { _ in }
            let expected = try usual.positions(matching: search, in: table, order: order, control: JobControl()) { _ in }
            #expect(positions == expected)
        }
        for field in Self.schema.fields.prefix(2) {
            let found = try own.frequencies(of: field, in: table, rows: nil, control: JobControl())
            let expected = try usual.frequencies(of: field, in: table, rows: nil, control: JobControl())
            #expect(found.recordCount == expected.recordCount)
            #expect(found.emptyCount == expected.emptyCount)
            #expect(found.maximumCount == expected.maximumCount)
            for isByValue in [true, false] {
                let entries = (0..<found.count).map { found.entry($0, byValue: isByValue) }
                #expect(entries == (0..<expected.count).map { expected.entry($0, byValue: isByValue) })
            }
        }
        let nested = try GroupList([
            GroupResult.Group(key: "a", rows: 0..<3), GroupResult.Group(level: 1, key: "x", rows: 0..<1),
            GroupResult.Group(level: 1, key: "y", rows: 1..<3), GroupResult.Group(key: "", rows: 3..<4),
            GroupResult.Group(level: 1, key: "x", rows: 3..<4),
        ])
        #expect(nested.map(\.key) == ["a", "x", "y", "", "x"])
        #expect(nested.map(\.rows) == [0..<3, 0..<1, 1..<3, 3..<4, 3..<4])
    }
}
