import Benchmark
import DataGridQuery
import Tables

/// Reading columns from a file, and jobs on columns in memory: the difference is the cost of sorting or grouping alone.
func columnBenchmarks() {
    typealias Column = SampleFile.Column
    let table = SampleFile.plain.table()
    func rows(_ query: Query, store: ColumnStore? = nil) throws -> QueryResult {
        try LocalQueryEngine(store: store, threads: 1)
            .rows(of: table, schema: Schema([]), matching: query, earlierFilterResult: nil, control: JobControl())
    }
    let keys: [(name: String, column: Int, comparison: Query.Comparison)] = [
        ("numbers", Column.price, .kind(.decimal, .point)), ("times", Column.time, .kind(.dateTime, .point)),
        ("few texts", Column.symbol, .text), ("many texts", Column.trader, .text),
    ]
    for (name, column, comparison) in keys {
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: column), by: comparison)]
        let sort = query
        Benchmark("columns: sort by \(name), read from the file") { _ in
            blackHole(try rows(sort))
        }
        let store = ColumnStore(budget: 1 << 30)
        Benchmark("columns: sort by \(name), cached") { benchmark in
            if store.byteCount == 0 { _ = try rows(sort, store: store) }
            benchmark.startMeasurement()
            blackHole(try rows(sort, store: store))
        }
    }

    for (name, column) in [("few texts", Column.symbol), ("many texts", Column.trader)] {
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: column), by: .text)]
        query.aggregates = [
            Query.Aggregate(.count, of: FieldID(rawValue: Column.id), kind: .integer),
            Query.Aggregate(.sum, of: FieldID(rawValue: Column.quantity), kind: .integer),
        ]
        let group = query
        Benchmark("columns: group by \(name), count and sum") { _ in
            blackHole(try rows(group).groups?.groups.count)
        }
    }
}
