import Benchmark
import DataGrid
import DataGridTerminal
import Foundation
import TerminalSurface

/// Measures the cost of 1,000 changes per second. The benchmark applies the changes of one second as fast as possible, draws 30 frames, and
/// encodes their bytes for the terminal. The metric `‰ of a core` is its processor time in milliseconds.
func liveBenchmarks() {
    for (name, content) in [("", LiveSecond.Content.plain), (", totals and sections", .sums), (", 12 columns with marks", .marks)] {
        for count in content == .marks ? [40] : [1_000, 10_000, 100_000] {
            Benchmark(
                "live: 1,000 changes a second of \(count) rows\(name), 120×40",
                configuration: .init(metrics: [.wallClock, .custom("‰ of a core")], maxDuration: .seconds(2), maxIterations: 100)
            ) { benchmark in
                // Only the main actor uses the benchmark until `run` returns.
                nonisolated(unsafe) let benchmark = benchmark
                await MainActor.run {
                    var second = LiveSecond(rows: count, content)
                    let start = processorTime()
                    benchmark.startMeasurement()
                    second.play()
                    benchmark.stopMeasurement()
                    benchmark.measurement(.custom("‰ of a core"), Int((processorTime() - start) / 1_000_000))
                }
            }
        }
    }
}

/// The processor time of this thread, in nanoseconds.
private func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// A grid of prices, and one second in which 1,000 prices change.
@MainActor
private struct LiveSecond {
    enum Content {
        case plain
        /// The grid has a row of totals, and sections with aggregates.
        case sums
        /// The grid has quotes that keep marks, a delegate for styles, and eight columns whose changes are not highlighted.
        case marks
    }

    /// A delegate without styles, which a grid asks for each row and cell.
    private final class Styles: GridDelegate {}

    private struct Price: Identifiable {
        let id: Int
        let market: String
        var name: String
        var bid: Double
        var ask: Double
        var high: Double
    }

    private let source: ObjectSource<Price, Int>
    private let styles = Styles()
    private let grid: GridController
    private var encoder = FrameEncoder(capabilities: .xterm)
    private var buffer = CellBuffer(size: TerminalSize(columns: 120, rows: 40))
    private let rows: Int
    private let start = ContinuousClock.now

    init(rows: Int, _ content: Content) {
        self.rows = rows
        func price(_ title: String, _ path: KeyPath<Price, Double>) -> ObjectColumn<Price> {
            ObjectColumn(title, path) {
                $0.width = .fixed(12)
                $0.format = ValueFormat(fractionDigits: 2...2)
                $0.keepsChangeMarks = content == .marks
            }.totaled(by: .sum)
        }
        func quiet(_ number: Int) -> ObjectColumn<Price> {
            ObjectColumn("Value \(number)", \.high) {
                $0.width = .fixed(6)
                $0.highlightsChanges = false
            }.formatted { String(Int($0.high) + number) }
        }
        source = ObjectSource(
            (0..<rows).map {
                Price(id: $0, market: "market \(10 + $0 * 20 / rows)", name: "instrument \($0)", bid: 100, ask: 101, high: 101)
            },
            columns: [
                ObjectColumn("Name", \.name) { $0.width = .fixed(20) }, price("Bid", \.bid), price("Ask", \.ask), price("High", \.high),
            ] + (content == .marks ? (1...8).map(quiet) : []))
        source.highlightsRows = true
        var metrics = GridMetrics()
        metrics.showsTotals = content == .sums
        if content == .sums {
            source.groupings = [ObjectGrouping(by: \.market)]
            source.aggregates = [Aggregate(.sum, of: ColumnID(1)), Aggregate(.max, of: ColumnID(3))]
        }
        grid = GridController(columns: [], metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 120, height: 40)
        if content == .marks { grid.delegate = styles }
        source.attach(to: grid)
        grid.draw(on: &buffer)
        _ = encoder.encode(buffer)
    }

    /// Applies the changes and draws the frames. Every third change affects a visible row, for any number of rows.
    mutating func play() {
        var random: UInt64 = 7
        for frame in 1...30 {
            for change in 0..<(frame % 3 == 0 ? 34 : 33) {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let row = Int(random >> 33) % (change % 3 == 0 ? min(rows, 40) : rows)
                let bid = 90 + Double(random >> 50) / 1_000
                source.update(row) {
                    $0.bid = bid; $0.ask = bid * 1.01; $0.high = max($0.high, bid)
                }
            }
            grid.tick(at: start + .milliseconds(34 * frame))
            guard grid.needsDisplay else { continue }
            var next = CellBuffer(size: buffer.size)
            grid.draw(on: &next)
            buffer = next
            blackHole(encoder.encode(buffer))
        }
    }
}
