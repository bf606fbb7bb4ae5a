import Benchmark
import DataGrid

/// Rows of equal height take no time, for any number of rows. An individual height costs O(log rows). Finding the row at a line costs O(log
/// rows), or O(log² rows) in sections. Cards of equal height take no time either.
func rowHeightBenchmarks() {
    for exponent in 3...7 {
        let count = (0..<exponent).reduce(1) { power, _ in power * 10 }
        func state() -> GridState {
            var state = GridState(columns: [Column(id: ColumnID(0), title: "a", kind: .text)], rows: .natural(count: count))
            _ = state.apply(.resize(GridSize(width: 120, height: 40)))
            return state
        }
        Benchmark("rows: create a grid of 10^\(exponent)", configuration: .init(scalingFactor: .kilo)) { benchmark in
            for _ in benchmark.scaledIterations { blackHole(state().layout.itemSpans.count) }
        }
        // A thousand individual heights, spread over all rows: first without sections, then in a hundred sections.
        var uneven = state()
        var grouped = state()
        let tree = SectionTree((0..<100).map { Section(title: "\($0)", rows: $0 * (count / 100)..<($0 + 1) * (count / 100)) })
        _ = grouped.apply(.setRows(.natural(count: count), tree: tree))
        for index in 0..<1_000 {
            _ = uneven.apply(.setRowHeight(RowID(index * (count / 1_000)), 2 + index % 3))
            _ = grouped.apply(.setRowHeight(RowID(index * (count / 1_000)), 2 + index % 3))
        }
        for (name, prepared) in [("", uneven), (" in sections", grouped)] {
            Benchmark("rows: set one height of 10^\(exponent)\(name)", configuration: .init(scalingFactor: .kilo)) { benchmark in
                var state = prepared
                benchmark.startMeasurement()
                for round in benchmark.scaledIterations { _ = state.apply(.setRowHeight(RowID(count / 2), 2 + round % 2)) }
                blackHole(state)
            }
            Benchmark("rows: find the row at a line of 10^\(exponent)\(name)", configuration: .init(scalingFactor: .kilo)) { benchmark in
                var state = prepared
                benchmark.startMeasurement()
                // Scrolls to and fro between two positions, so that every step looks up the row at its line.
                for round in benchmark.scaledIterations { _ = state.apply(.scrollLines(round % 2 == 0 ? count / 2 : -(count / 2))) }
                blackHole(state)
            }
        }
        var tiles = grouped
        _ = tiles.apply(.setPresentation(.cards))
        let cards = tiles
        Benchmark("cards: lay out the visible ones of 10^\(exponent) in sections", configuration: .init(scalingFactor: .kilo)) {
            benchmark in
            var state = cards
            benchmark.startMeasurement()
            for round in benchmark.scaledIterations {
                _ = state.apply(.move(.row(round % 2 == 0 ? count - 1 : count / 2)))
                blackHole(state.layout.itemSpans.count)
            }
        }
    }
}
