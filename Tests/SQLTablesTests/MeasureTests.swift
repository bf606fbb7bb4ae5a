import FieldValues
import Foundation
import SQLTables
import Tables
import Testing

/// Prints the times of statements on an existing large table. `GRIDVIEW_SQL_BENCH` is a libpq connection string.
@Suite("SQL measurements")
struct MeasureTests {
    static let connection = ProcessInfo.processInfo.environment["GRIDVIEW_SQL_BENCH"]

    @Test(.enabled(if: MeasureTests.connection != nil))
    func `H1: a benchmark prints the times of pages and aggregates on a large table`() throws {
        let bridge = try Bridge("postgresql", Self.connection ?? "")
        defer { bridge.close() }
        func column(_ name: String, _ type: String, isNullable: Bool = false) -> ServerColumn {
            ServerColumn(name, type: ServerType(named: type, in: .postgreSQL), isNullable: isNullable, collation: .named("C.UTF-8"))
        }
        var table = ServerTable(
            .table(["public", "trades"]),
            columns: [
                column("id", "bigint"), column("symbol", "text"), column("sector", "text"),
                column("price", "numeric(12,2)", isNullable: true),
                column("qty", "integer"), column("note", "text", isNullable: true), column("ts", "timestamp without time zone"),
                column("fee", "double precision", isNullable: true),
            ], keys: [ServerKey(columns: [0], isPrimary: true)],
            indexes: [ServerIndex([.init(3), .init(0)]), ServerIndex([.init(5), .init(0)]), ServerIndex([.init(2)])], hasRowIDs: true)
        let size = try bridge.run("SELECT reltuples::bigint, relpages FROM pg_class WHERE relname = 'trades'")
        table.estimatedRows = size[0][0].number.map(Double.init)
        table.blockCount = size[0][1].number
        func measure(_ name: String, _ statement: SQLStatement) throws {
            var times: [Double] = []
            for _ in 0..<3 {
                let plan = try bridge.run(
                    SQLStatement(text: "EXPLAIN (ANALYZE, TIMING OFF) " + statement.text, parameters: statement.parameters))
                let lines = plan.compactMap { ContractTests.text($0[0]) }.filter { $0.contains("Time:") }
                times.append(lines.compactMap { $0.split(separator: " ").compactMap { Double($0) }.first }.reduce(0, +))
            }
            let start = ContinuousClock.now
            let rows = try bridge.run(statement).count
            let round = ContinuousClock.now - start
            print("\(name): \(times.sorted()[1]) ms in the server (plan and run), \(round) with \(rows) rows by the bridge")
        }
        func query(_ change: (inout Query) -> Void, _ order: SQLOptions.ServerSortBehavior = []) throws -> SQLQuery {
            var query = Query()
            change(&query)
            var options = SQLOptions()
            options.serverSortBehavior = order
            return try SQLQuery(query, of: table, in: .postgreSQL, options: options)
        }
        func key(_ field: Int, _ comparison: Query.Comparison, isDescending: Bool = false) -> Query.SortKey {
            Query.SortKey(FieldID(rawValue: field), by: comparison, isDescending: isDescending)
        }
        func pages(_ name: String, _ query: SQLQuery, middle: Int = 100) throws {
            try measure("\(name), first page", query.page(.first(100)).statement)
            try measure("\(name), last page", query.page(.last(100)).statement)
            let page = try query.page(.first(middle))
            guard let last = page.rows(try bridge.run(page.statement)).last else { return }
            try measure("\(name), after", query.page(.after(last.key, 100)).statement)
            try measure("\(name), before", query.page(.before(last.key, 100)).statement)
        }
        let number = Query.Comparison.kind(.decimal, .point)
        try pages("by key", try query { _ in }, middle: 5_000)
        try pages("by price", try query { $0.sort = [key(3, number)] }, middle: 5_000)
        try pages("by price down, empties last", try query { $0.sort = [key(3, number, isDescending: true)] }, middle: 5_000)
        try pages(
            "by price down, order of the server", try query({ $0.sort = [key(3, number, isDescending: true)] }, [.nulls, .ties, .nan]),
            middle: 5_000)
        try pages("by note, order of the server", try query({ $0.sort = [key(5, .text)] }, [.texts]), middle: 5_000)
        try pages("by note, bytes (no index fits)", try query { $0.sort = [key(5, .text)] })
        try pages("by qty (no index)", try query { $0.sort = [key(4, .kind(.integer, .point))] })
        table.keys = []
        let heap = try query { _ in }
        try measure("no key, blocks", heap.page(.after(RowKey([.text("(64000,0)")]), 100)).statement)
        table.keys = [ServerKey(columns: [0], isPrimary: true)]
        let byPrice = try query { $0.sort = [key(3, number)] }
        let rare = Formula.call(.equal, [.field(FieldID(rawValue: 1)), .constant(.text("S77"))])
        try measure("symbol = 'S77' by key, first page", try query { $0.filters = [rare] }.page(.first(100)).statement)
        try measure("count of symbol = 'S77'", try query { $0.filters = [rare] }.count())
        let contains = Formula.call(.contains, [.field(FieldID(rawValue: 5)), .constant(.text("9999"))])
        let ignoring = Formula.call(.containsIgnoringCase, [.field(FieldID(rawValue: 5)), .constant(.text("TE 9999"))])
        try measure("count of note contains", try query { $0.filters = [contains] }.count())
        try measure("count of note contains*, case ignored", try query { $0.filters = [ignoring] }.count())
        try measure("exact count", byPrice.count())
        try measure("keys by price, every 1,000", byPrice.keys(every: 1_000))
        let middle = try byPrice.page(.first(100_000), of: [])
        let far = try #require(middle.rows(try bridge.run(middle.statement)).last).key
        try measure("rank of row 100,000", byPrice.rank(of: far))
        try measure("search note contains after row 100,000", byPrice.nextMatch(contains, after: far).statement)
        let grouped = try query {
            $0.groups = [Query.GroupKey(FieldID(rawValue: 2), by: .text), Query.GroupKey(FieldID(rawValue: 1), by: .text)]
            $0.aggregates = [Query.Aggregate(.sum, of: FieldID(rawValue: 3), kind: .decimal)]
            $0.sort = [key(3, number)]
        }
        try measure("groups by sector with sum", grouped.groups(limit: 1_000).statement)
        try measure("groups by symbol in a sector", grouped.groups(in: [.value("sector 3")], limit: 1_000).statement)
        try measure("rows of a section by price", grouped.page(.first(100), in: [.value("sector 3"), .value("S77")]).statement)
        try measure("frequencies of symbol", byPrice.frequencies(of: FieldID(rawValue: 1), limit: 100).statement)
        try measure("statistics of price", byPrice.statistics(of: FieldID(rawValue: 3), [.count, .min, .max, .mean, .standardDeviation]))
        try measure("distinct values of price", byPrice.statistics(of: FieldID(rawValue: 3), [.distinct]))
    }
}
