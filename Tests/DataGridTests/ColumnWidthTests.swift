import DataGrid
import GridTestSupport
import Testing

/// The widths of the columns in a frame of `frame` cells, with a gap of one cell.
private func widths(_ columns: [Column], frame: Int, _ metrics: (inout GridMetrics) -> Void = { _ in }) -> [Int] {
    var measures = GridMetrics()
    measures.columnSpacing = 1
    measures.showsScrollBar = false
    metrics(&measures)
    var state = GridState(columns: columns, metrics: measures)
    _ = state.apply(.resize(GridSize(width: frame, height: 10)))
    return state.layout.geometry.widths
}

private func columns(_ rules: WidthRule..., measured: [Int] = []) -> [Column] {
    rules.enumerated().map { index, rule in
        Column(id: ColumnID(index), title: "\(index)", width: rule, measuredWidth: index < measured.count ? measured[index] : 0)
    }
}

@Suite struct ColumnWidthTests {
    @Test func `B3: fixed widths do not depend on the frame`() {
        #expect(widths(columns(.fixed(5), .fixed(70), .fixed(1)), frame: 40) == [5, 70, 1])
        #expect(widths(columns(.fixed(0), .fixed(-4)), frame: 40) == [1, 1])
    }

    @Test func `B3: a fraction is a share of the frame`() {
        #expect(widths(columns(.fraction(0.25), .fraction(0.5)), frame: 40) == [10, 20])
        #expect(widths(columns(.fraction(-1), .fraction(7)), frame: 40) == [3, 40])
        #expect(widths(columns(.fraction(.nan), .fraction(.infinity)), frame: 40) == [3, 40])
        var column = columns(.fraction(0.5))[0]
        column.maximumWidth = 12
        #expect(widths([column], frame: 40) == [12])
        column.minimumWidth = 30
        #expect(widths([column], frame: 40) == [30])
    }

    @Test func `B3: a flexible column takes the remaining width, but at least its minimum`() {
        #expect(widths(columns(.fixed(10), .flexible, .fixed(6)), frame: 40) == [10, 22, 6])
        #expect(widths(columns(.fixed(30), .flexible, .fixed(30)), frame: 40) == [30, 3, 30])
        var some = columns(.fixed(10), .flexible)
        some[1].maximumWidth = 8
        #expect(widths(some, frame: 40) == [10, 8])
        some[1].minimumWidth = 12
        #expect(widths(some, frame: 40) == [10, 12])
    }

    @Test func `B3, A9: several flexible columns share the remaining width equally, within limits`() {
        #expect(widths(columns(.flexible, .flexible, .flexible), frame: 41) == [13, 13, 13])
        #expect(widths(columns(.fixed(10), .flexible, .automatic, .flexible, measured: [0, 50, 5, 50]), frame: 48) == [10, 15, 5, 15])
        var some = columns(.flexible, .flexible, .flexible)
        some[1].maximumWidth = 5
        some[2].minimumWidth = 30
        #expect(widths(some, frame: 50) == [13, 5, 30])
    }

    @Test(
        arguments: [WidthRule.flexible, .automatic, .standard])
    func `B3, A9: the other columns compensate for the minimum or maximum of a column, in any order`(rule: WidthRule) {
        func shared(_ change: (inout [Column]) -> Void) -> [Int] {
            var some = columns(rule, rule)
            change(&some)
            return widths(some, frame: 31)
        }
        #expect(shared { $0[0].minimumWidth = 20 } == [20, 10])
        #expect(shared { $0[1].minimumWidth = 20 } == [10, 20])
        #expect(shared { $0[0].maximumWidth = 5 } == [5, 25])
        #expect(shared { $0[1].maximumWidth = 5 } == [25, 5])
        #expect(shared { ($0[0].maximumWidth, $0[1].maximumWidth) = (5, 7) } == [5, 7], "the rest stays empty")
        let scrolled = shared { ($0[0].minimumWidth, $0[1].minimumWidth) = (28, 7) }
        #expect(scrolled == (rule == .standard ? [31, 15] : [28, 7]), "fitted columns fill the frame, the others have their minimum")
    }

    @Test func `B3, A9, E: flexible columns share cells evenly: each cell widens the narrowest column below its maximum`() {
        var random = SplitMix64(seed: 41)
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
        for round in 0..<400 {
            var some = (0..<number(1...7)).map { index -> Column in
                var column = Column(id: ColumnID(index), title: "", width: number(0...1) == 0 ? .flexible : .automatic)
                if number(0...2) == 0 { column.minimumWidth = number(-1...20) }
                if number(0...2) == 0 { column.maximumWidth = number(1...30) }
                return column
            }
            let frame = number(1...150)
            let available = frame - (some.count - 1)
            let minimum = some.map { max(1, $0.minimumWidth ?? 3) }
            var expected = minimum
            while expected.reduce(0, +) < available {
                let growing = some.indices.filter { expected[$0] < max(minimum[$0], some[$0].maximumWidth ?? .max) }
                guard let next = growing.min(by: { (expected[$0], -minimum[$0], -$0) < (expected[$1], -minimum[$1], -$1) }) else { break }
                expected[next] += 1
            }
            let all = widths(some, frame: frame)
            #expect(all == expected, "round \(round)")
            // In another order, other equal columns may get the remaining cells.
            let known = Dictionary(uniqueKeysWithValues: zip(some.map(\.id), all))
            some.shuffle(using: &random)
            #expect(zip(some, widths(some, frame: frame)).allSatisfy { abs(known[$0.id]! - $1) <= 1 }, "round \(round)")
        }
    }

    @Test func `B3: an automatic column fits its content, within limits`() {
        #expect(widths(columns(.automatic, .automatic, .automatic, measured: [7, 20, 90]), frame: 40) == [7, 20, 20])
        // Room that no column uses goes to truncated columns, from the left.
        #expect(widths(columns(.automatic, .automatic, .automatic, measured: [7, 1, 90]), frame: 40) == [7, 3, 28])
        #expect(widths(columns(.automatic, .automatic, measured: [90, 90]), frame: 45) == [22, 22])
        #expect(widths(columns(.automatic, .automatic, measured: [90, 3]), frame: 100) == [90, 3])
        var some = columns(.automatic, .automatic, measured: [30, 2])
        some[0].maximumWidth = 34
        some[1].minimumWidth = 5
        #expect(widths(some, frame: 40) == [30, 5])
    }

    @Test func `A9: columns without a set width are fitted to the frame`() {
        #expect(widths(columns(.automatic, .automatic, .automatic), frame: 41) == [13, 13, 13])
        let some = widths(columns(.automatic, .automatic, .automatic), frame: 43)
        #expect(some.reduce(0, +) == 41)
        #expect(some.allSatisfy { (13...14).contains($0) })
        #expect(widths(columns(.automatic, .automatic, .automatic, .automatic), frame: 8) == [3, 3, 3, 3])
        #expect(widths(columns(.fixed(10), .automatic, .automatic), frame: 40) == [10, 14, 14])
    }

    @Test(arguments: [(0, 20), (1, 19), (3, 18)])
    func `B4: column widths account for the spacing between columns, which may be 0`(spacing: Int, width: Int) {
        #expect(widths(columns(.automatic, .automatic), frame: 40) { $0.columnSpacing = spacing } == [width, 40 - spacing - width])
    }

    @Test func `C7: limits apply to computed widths, not to explicit ones`() {
        var some = columns(.fixed(2), .automatic, measured: [0, 2])
        some[0].minimumWidth = 6
        some[1].minimumWidth = 6
        #expect(widths(some, frame: 40) == [2, 6])
    }

    @Test func `C1, A7: measuring adjusts the horizontal scroll position in a table, but not in a transposed one`() {
        var state = grid("abcdefghijkl", rows: 20, frame: (25, 7))
        for column in state.columns.all { state.play(.setWidth(column.id, .automatic)) }
        func measure(_ width: Int) {
            state.play(.setMeasuredWidths(Dictionary(uniqueKeysWithValues: state.columns.all.map { ($0.id, width) })))
        }
        measure(4)
        state.play(.scroll(items: 0, columns: 3))
        let first = state.layout.columns.first
        measure(6)
        #expect(state.layout.columns.first?.index == first?.index && state.scroll.x == 21)
        state.play(.setPresentation(.transposed), .scroll(items: 4, columns: 0), .move(.column(8)))
        let x = state.scroll.x
        #expect(x == 4)
        for width in [9, 3, 12, 4] {
            measure(width)
            #expect(state.scroll.x == x, "\(width)")
        }
    }

    @Test func `B3: the room that columns share excludes the row header and the scroll bar`() {
        let some = columns(.fraction(0.5), .flexible)
        #expect(
            widths(some, frame: 40) {
                $0.rowHeaderWidth = 9; $0.showsScrollBar = true
            } == [15, 14])
    }

    @Test func `A8: a row header is hidden if it would leave less than a third of the frame`() {
        var state = grid(frame: (20, 5)) { $0.rowHeaderWidth = 8 }
        #expect(state.layout.rowHeaderWidth == 8)
        _ = state.apply(.resize(GridSize(width: 11, height: 5)))
        #expect(state.layout.rowHeaderWidth == 0)
    }
}
