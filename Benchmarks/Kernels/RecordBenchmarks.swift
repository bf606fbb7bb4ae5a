import Benchmark
import DataGrid
import DataGridSources
import FieldValues

/// Splitting bytes into records and fields.
func recordBenchmarks() {
    for (name, sample) in [("plain", SampleFile.plain), ("quoted", SampleFile.quoted)] {
        Benchmark("records: index, \(name), \(sample.byteCount / 1_000_000) MB") { _ in blackHole(sample.indexed().snapshot().recordCount) }

        let table = sample.table()
        let all = 0..<table.recordCount
        for (columnNames, columns) in [("one column", [SampleFile.Column.price]), ("all columns", Array(0..<table.columnCount))] {
            Benchmark("records: fields of \(columnNames), \(name)") { _ in
                try table.scanBatches(all, columns: columns) { batch in
                    blackHole(batch.count)
                    return true
                }
            }
        }

        var rare = RequiredBytes()
        for byte in "RAREX".utf8 { rare.append(byte) }
        Benchmark("records: find a rare text, \(name)") { _ in
            var found = 0
            try table.scan(all, columns: [SampleFile.Column.symbol], holding: rare, while: { true }) { _, _ in
                found += 1
                return true
            }
            blackHole(found)
        }
    }
}
