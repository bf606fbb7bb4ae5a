import Benchmark
import DataGrid
import FieldValues

/// Section titles equal to their indexes.
private struct NumberTitles: SectionTitles {
    func title(ofSection index: Int) -> String { String(index) }
}

/// Sections of one row each. Cursor movement costs O(log sections); collapsing one or all sections costs one byte per section.
func sectionBenchmarks() {
    for exponent in 3...7 {
        let count = (0..<exponent).reduce(1) { power, _ in power * 10 }
        let tree = SectionTree(starts: RowNumbers((0...UInt32(count)).map { $0 }), levels: [], titles: NumberTitles())
        func state() -> GridState {
            var state = GridState(columns: [Column(id: ColumnID(0), title: "a", kind: .text)])
            _ = state.apply(.resize(GridSize(width: 120, height: 40)))
            _ = state.apply(.setRows(.natural(count: count), tree: tree))
            return state
        }
        Benchmark("sections: move the cursor among 10^\(exponent)", configuration: .init(scalingFactor: .kilo)) { benchmark in
            var state = state()
            // A collapsed section in the middle prevents the fast path for uniform sections.
            _ = state.apply(.toggleSection(count / 2))
            benchmark.startMeasurement()
            for round in benchmark.scaledIterations { _ = state.apply(.move(.row(round % 2 == 0 ? count - 1 : count / 3))) }
            blackHole(state)
        }
        Benchmark("sections: create 10^\(exponent)") { benchmark in
            for _ in benchmark.scaledIterations { blackHole(state().outline.itemCount) }
        }
        Benchmark("sections: collapse or expand one of 10^\(exponent)") { benchmark in
            var state = state()
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { _ = state.apply(.toggleSection(count / 2)) }
            blackHole(state)
        }
        Benchmark("sections: collapse and expand all of 10^\(exponent)") { benchmark in
            var state = state()
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                _ = state.apply(.setAllCollapsed(true))
                _ = state.apply(.setAllCollapsed(false))
            }
            blackHole(state)
        }
    }
}
