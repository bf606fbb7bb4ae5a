import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

/// Compares a table on a server with the same table in memory. Its rows need no key.
struct QueryComparison {
    let data: ServerData
    private let local = LocalQueryEngine(threads: 1)
    private let control = JobControl()

    init(_ data: ServerData) { self.data = data }

    static func texts(_ table: any Table, _ range: Range<Int>, columns: Int = 5) throws -> [[String?]] {
        try table.records(range, maximumFieldBytes: 100).map { record in (0..<columns).map { record[$0]?.text } }
    }

    static func byID(_ rows: [[String?]]) -> [[String?]] {
        func id(_ row: [String?]) -> Int { row[0].flatMap { Int($0) } ?? 0 }
        return rows.sorted { id($0) < id($1) }
    }

    /// True if two values are equal apart from rounding, because servers round some computed numbers differently.
    static func isClose(_ a: AggregateValue, _ b: AggregateValue) -> Bool {
        func number(_ value: AggregateValue) -> Double? {
            switch value {
            case .none, .record: nil
            case .integer(let number): Double(number)
            case .decimal(let number): number
            case .exact(let number): number.double
            }
        }
        guard let x = number(a), let y = number(b) else { return number(a) == nil && number(b) == nil }
        return abs(x - y) <= 1e-9 * max(1, abs(x))
    }

    /// The statements that create the table `times`, for ``checkTimes(_:)``.
    static let timeStatements = [
        "CREATE TABLE times (id integer PRIMARY KEY, day date, moment timestamp, clock time, stamp timestamptz)",
        """
        INSERT INTO times VALUES (1, '2024-02-29', '2024-02-29 10:22:05.5', '10:22:05', '2024-02-29 10:22:05+00'),
            (2, '1969-12-31', '1969-12-31 23:59:59.25', '00:00:00', '2025-01-01 00:00:00+02'), (3, NULL, NULL, NULL, NULL),
            (4, '2024-03-07', '2024-01-01 00:00:00', '23:59:59.999999', '2000-02-29 01:02:03+00')
        """,
    ]

    /// Compares the statistics of dates and times.
    static func checkTimes(_ source: ServerTableSource) throws {
        try source.readAll(threads: 1) { _ in true }
        let names = ["id", "day", "moment", "clock", "stamp"]
        let kinds: [ValueKind] = [.integer, .date, .dateTime, .time, .dateTime]
        let schema = Schema(zip(names, kinds).enumerated().map { Field(FieldID(rawValue: $0), name: $1.0, kind: $1.1) })
        let (local, table) = (LocalQueryEngine(threads: 1), source.snapshot())
        let memory = MemoryTable(try texts(table, 0..<table.recordCount))
        func statistics(of table: any Table, by engine: any QueryEngine) throws -> [ColumnStatistics] {
            try engine.statistics(
                of: schema.fields, in: table, rows: nil, exactLimit: 1 << 20, topCount: 0, details: [.quantiles], control: JobControl())
        }
        let found = try statistics(of: table, by: ServerQueryEngine(local: local))
        for (a, b) in zip(found, try statistics(of: memory, by: local)) {
            let name = names[a.column]
            #expect(a.quantiles.count == 5 && a.quantiles.count == b.quantiles.count, "\(name)")
            for (x, y) in zip([a.minimum, a.maximum, a.mean] + a.quantiles, [b.minimum, b.maximum, b.mean] + b.quantiles) {
                #expect(isClose(x, y), "\(name): \(x), not \(y)")
            }
        }
    }

    /// Compares pivot tables. The fields have nulls, so the queries must tell these from empty text.
    func checkPivots(_ source: ServerTableSource) throws {
        try source.readAll(threads: 1) { _ in true }
        let schema = Schema(
            ServerData.schema.fields.map { Field($0.id, name: $0.name, kind: $0.kind, notation: $0.notation, hasNulls: true) })
        let (symbol, price, count) = (FieldID(rawValue: 1), FieldID(rawValue: 2), FieldID(rawValue: 3))
        let (bySymbol, byCount) = (Query.GroupKey(symbol, by: .text), Query.GroupKey(count, by: .kind(.integer, .point)))
        let bySum = Query.GroupKey(symbol, by: .text, order: .aggregate(0), isDescending: true)
        let aggregates = [Query.Aggregate(.sum, of: count, kind: .integer), Query.Aggregate(.max, of: price, kind: .decimal)]
        let pivots = [
            Pivot(rows: [bySymbol], column: byCount, aggregates: aggregates, values: [.rowCount, .aggregate(0), .aggregate(1)]),
            Pivot(rows: [byCount], column: bySymbol), Pivot(rows: [], column: byCount, aggregates: aggregates, values: [.aggregate(1)]),
            Pivot(rows: [bySum], column: byCount, aggregates: aggregates, values: [.aggregate(0)]),
            Pivot(rows: [byCount, bySymbol], column: bySum, aggregates: aggregates),
        ]
        var filtered = Query()
        filtered.filters = [try Filter("price > 10", in: schema).formula]
        for (place, pivot) in pivots.enumerated() {
            for base in [Query(), filtered] {
                func content(_ engine: any QueryEngine, _ table: any Table) throws -> (titles: [String], rows: [[String?]]) {
                    let job = PivotJob(engine: engine, table: table, schema: schema, base: base, pivot: pivot)
                    let pivoted = try job.run(name: "trades", control)
                    #expect(pivoted.problems.isEmpty)
                    let (table, columnCount) = (pivoted.snapshot(), pivoted.columnCount)
                    let rows = try Self.texts(table, 0..<table.recordCount, columns: columnCount)
                    return ((0..<columnCount).map(pivoted.title(ofColumn:)), rows)
                }
                let (expected, found) = (try content(local, data.table), try content(ServerQueryEngine(local: local), source.snapshot()))
                #expect(found.titles == expected.titles && found.rows.count == expected.rows.count, "\(place)")
                for (a, b) in zip(found.rows, expected.rows) {
                    #expect(
                        a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || Self.isSameNumber($0, $1) }, "\(place): \(a), not \(b)")
                }
            }
        }
    }

    /// True if two texts are the same number apart from rounding.
    private static func isSameNumber(_ a: String?, _ b: String?) -> Bool {
        guard let x = a.flatMap({ Double($0) }), let y = b.flatMap({ Double($0) }) else { return false }
        return isClose(.decimal(x), .decimal(y))
    }

    /// Compares the rows, groups, statistics and search results of random queries.
    func check(_ source: ServerTableSource, queries count: Int) throws {
        let (schema, engine) = (ServerData.schema, ServerQueryEngine(local: local))
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        var random = SplitMix64(seed: 24)
        for place in 0..<count {
            let query = try data.randomQuery(&random)
            let expected = try local.rows(of: data.table, schema: schema, matching: query, earlierFilterResult: nil, control: control)
            let found = try engine.rows(of: table, schema: schema, matching: query, earlierFilterResult: nil, control: control, report: nil)
            let order = expected.rows.map { Array($0) } ?? Array(data.rows.indices)
            try #require((found.rows?.count ?? data.rows.count) == order.count, "\(place): \(query)")
            guard !order.isEmpty else { continue }
            let first = found.rows.map { $0[0] } ?? 0
            let records = try Self.texts(table, first..<first + order.count)
            // Rows without a sort have the order of the server, and equal rows have the order of their first column.
            let isSorted = !query.sort.isEmpty || !query.groups.isEmpty
            #expect((isSorted ? records : Self.byID(records)) == order.map { data.rows[$0] }, "\(place): \(query)")
            if let groups = expected.groups {
                let others = try #require(found.groups)
                #expect(Array(others.groups) == Array(groups.groups), "\(place): \(query)")
                for index in groups.groups.indices {
                    let pairs = zip(groups.aggregates(ofGroup: index), others.aggregates(ofGroup: index))
                    #expect(pairs.allSatisfy { Self.isClose($0, $1) }, "\(place): \(query) \(index)")
                }
                continue
            }
            let matches = records.indices.filter { row in records[row].contains { $0?.contains("note 7") == true } }
            let sequence = found.rows.map { RowSequence($0) } ?? .all
            let start = Int.random(in: records.indices, using: &random)
            for direction in [SearchDirection.forward, .backward] {
                let match = try engine.firstMatch(
                    of: .smartCase("note 7"), in: table, order: sequence, from: start, direction: direction, control: control)
                let next = direction == .forward ? matches.first(where: { $0 >= start }) : matches.last(where: { $0 <= start })
                let wrapped = direction == .forward ? matches.first : matches.last
                #expect(match?.position == next ?? wrapped, "\(place): \(query) from \(start) \(direction)")
            }
            let statistics = try engine.statistics(
                of: schema.fields, in: table, rows: found.rows, exactLimit: 1 << 20, topCount: 3, details: [.quantiles], control: control)
            let others = try local.statistics(
                of: schema.fields, in: data.table, rows: expected.rows, exactLimit: 1 << 20, topCount: 3, details: [.quantiles],
                control: control)
            for (a, b) in zip(statistics, others) {
                #expect(a.valueCount == b.valueCount && a.distinct == b.distinct, "\(place): \(query) \(a.column)")
                #expect(a.top.map(\.count) == b.top.map(\.count), "\(place): \(query) \(a.column)")
            }
        }
    }
}
