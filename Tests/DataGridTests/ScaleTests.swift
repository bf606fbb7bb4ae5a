import DataGrid
import Testing

@Suite struct ScaleTests {
    @Test("A9: what a motion costs does not grow with the rows")
    func manyRows() {
        func time(_ rows: Int) -> Duration {
            var state = grid("abcdef", rows: rows, frame: (80, 24))
            return ContinuousClock().measure {
                for _ in 0..<250 { state.go(.down(rows / 300), .pageDown, .up(7), .row(rows / 2)) }
            }
        }
        let (few, many) = (time(1_000), time(10_000_000))
        #expect(many < few * 5 + .milliseconds(50), "\(few) for a thousand rows, \(many) for ten millions")
    }

    @Test("A9: ten million rows by ten thousand columns are moved through a thousand times in a moment")
    func manyColumns() {
        let columns = (0..<10_000).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(8)) }
        var state = GridState(columns: columns, rows: .natural(count: 10_000_000))
        state.play(.resize(GridSize(width: 120, height: 40)), .freeze(FrozenPanes(leading: 2, trailing: 1, rows: 2)))
        let motions: [GridMotion] = [
            .down(99_999), .right(77), .pageDown, .bottom, .lastColumn, .pageUp, .left(777), .row(5_000_000), .nextColumn, .top,
        ]
        let time = ContinuousClock().measure {
            for motion in 0..<1_000 { state.go(motions[motion % motions.count]) }
        }
        #expect(state.cursorIsInSight)
        #expect(time < .seconds(8), "a thousand motions took \(time)")
    }
}
