import Benchmark
import FieldValues

/// Reading 10,000 fields in memory, one after the other.
func valueBenchmarks() {
    let count = 10_000
    func fields(_ text: (Int) -> String) -> [FieldBytes] {
        let texts = (0..<count).map { Array(text($0 &* 7_919).utf8) }
        // The bytes are never freed: fields keep pointers to them.
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: texts.reduce(8) { $0 + $1.count })
        var end = bytes
        return texts.map { text in
            defer { end += text.count }
            end.update(from: text, count: text.count)
            return FieldBytes(start: end, count: text.count)
        }
    }
    nonisolated(unsafe) let decimals = fields { "\($0 % 1000).\(10 + $0 % 90)" }
    nonisolated(unsafe) let times = fields { "2024-01-\(10 + $0 % 20)T10:\(10 + $0 % 50):\(10 + $0 % 49).\(100 + $0 % 900)" }

    Benchmark("values: \(count) decimals at once") { benchmark in
        var mantissas = [Int64](repeating: 0, count: count)
        var digits = [UInt8](repeating: 0, count: count)
        benchmark.startMeasurement()
        decimals.withUnsafeBufferPointer {
            let batch = FieldBatch(firstRecord: 0, count: count, width: 1, fields: $0.baseAddress!)
            blackHole(FixedPoint.read(batch, column: 0, mantissas: &mantissas, digits: &digits))
        }
    }
    Benchmark("values: \(count) decimals as doubles") { _ in
        var sum = 0.0
        for field in decimals { sum += field.decimal(.point) ?? 0 }
        blackHole(sum)
    }
    Benchmark("values: \(count) dates and times") { _ in
        var sum: Int64 = 0
        for field in times { sum &+= field.temporal(.dateTime) ?? 0 }
        blackHole(sum)
    }
}
