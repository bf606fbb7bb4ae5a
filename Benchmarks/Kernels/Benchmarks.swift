import Benchmark

/// Everything runs on one thread, in memory or on a file that the system has in its cache.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], warmupIterations: 2, maxDuration: .milliseconds(500), maxIterations: 2_000)
    recordBenchmarks()
    valueBenchmarks()
    columnBenchmarks()
    rowHeightBenchmarks()
    sectionBenchmarks()
    frameBenchmarks()
    liveBenchmarks()
}
