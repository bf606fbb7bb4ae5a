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

    @Test("A9: what a motion costs does not grow with the rows when there are ten thousand columns either")
    func manyColumns() {
        let columns = (0..<10_000).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(8)) }
        let motions: [GridMotion] = [
            .down(99_999), .right(77), .pageDown, .bottom, .lastColumn, .pageUp, .left(777), .row(5_000_000), .nextColumn, .top,
        ]
        func time(_ rows: Int) -> Duration {
            var state = GridState(columns: columns, rows: .natural(count: rows))
            state.play(.resize(GridSize(width: 120, height: 40)), .freeze(FrozenPanes(leading: 2, trailing: 1, rows: 2)))
            let time = ContinuousClock().measure {
                for motion in 0..<200 { state.go(motions[motion % motions.count]) }
            }
            #expect(state.cursorIsInSight)
            return time
        }
        let (few, many) = (time(1_000), time(10_000_000))
        #expect(many < few * 5 + .milliseconds(50), "\(few) for a thousand rows, \(many) for ten millions")
    }
}
