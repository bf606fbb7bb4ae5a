import Benchmark

/// Every benchmark runs on one thread, in memory or on a cached file.
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
