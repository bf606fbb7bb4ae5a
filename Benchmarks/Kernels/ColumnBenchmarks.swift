import Benchmark
import DataGridQuery
import DataGridSources

/// Reading columns from a file, and jobs on columns in memory: the difference is the cost of sorting or grouping alone.
func columnBenchmarks() {
    typealias Column = SampleFile.Column
    let table = SampleFile.plain.table()
    let keys: [(name: String, key: SortKey)] = [
        ("numbers", SortKey(column: Column.price, ordering: .number)),
        ("times", SortKey(column: Column.time, ordering: .temporal(.dateTime))),
        ("few texts", SortKey(column: Column.symbol, ordering: .text)),
        ("many texts", SortKey(column: Column.trader, ordering: .text)),
    ]
    for (name, key) in keys {
        Benchmark("columns: sort by \(name), read from the file") { _ in
            blackHole(try sortedRecords(of: table, by: [key], threads: 1, control: JobControl()))
        }
        let store = ColumnStore(budget: 1 << 30)
        Benchmark("columns: sort by \(name), kept") { benchmark in
            if store.byteCount == 0 { _ = try sortedRecords(of: table, by: [key], store: store, threads: 1, control: JobControl()) }
            benchmark.startMeasurement()
            blackHole(try sortedRecords(of: table, by: [key], store: store, threads: 1, control: JobControl()))
        }
    }

    let sums = [AggregateRequest(.count, column: Column.id), AggregateRequest(.sum, column: Column.quantity, kind: .integer)]
    for (name, column) in [("few texts", Column.symbol), ("many texts", Column.trader)] {
        let key = GroupKey(column: column, ordering: .text)
        Benchmark("columns: group by \(name), count and sum") { _ in
            blackHole(try groupedRecords(of: table, by: [key], aggregates: sums, threads: 1, control: JobControl()).groups.count)
        }
    }
}
