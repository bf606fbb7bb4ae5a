import GridTestSupport
import DataGrid
import Testing

@Suite struct RowHeightTests {
    // MARK: Custom heights

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `A9: the positions of rows agree with a count of their lines, for any heights`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = [1, 2, 7, 64, 65, 300][Int(seed) - 1]
        let common = Int.random(in: 1...3, using: &random)
        var state = grid("a", rows: count, frame: (8, 9)) {
            $0.rowHeight = common
            $0.gridLines = seed % 2 == 0 ? .both : .none
        }
        var heights = [Int](repeating: common, count: count)
        let rule = seed % 2 == 0 ? 1 : 0
        for step in 0..<400 {
            let row = Int.random(in: 0..<count, using: &random)
            let height = Bool.random(using: &random) ? Int.random(in: 1...40, using: &random) : nil
            state.play(.setRowHeight(RowID(row), height))
            heights[row] = height ?? common
            guard step % 20 == 0 else { continue }
            var line = 0
            for row in 0..<count {
                #expect(state.lines(aboveRow: row) == line)
                #expect(state.row(atLine: line) == row && state.row(atLine: line + heights[row] + rule - 1) == row)
                line += heights[row] + rule
            }
            #expect(state.lines(aboveRow: count) == line && state.row(atLine: line) == nil && state.row(atLine: -1) == nil)
            // The last row is fully visible, or from its first line on, and nothing more fits above it.
            state.go(.bottom)
            let seen = state.layout.itemSpans
            #expect(seen.last?.index == count - 1 && seen.last!.isWhole || seen.count == 1)
            let free = state.layout.pane.count - seen.reduce(0) { $0 + $1.height }
            #expect(seen[0].index == 0 || heights[seen[0].index - 1] + rule > free)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `A9: scrolling by lines finds the same row as a count of lines, at any distance`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 1...60, using: &random)
        var state = grid("a", rows: count, frame: (9, 12)) { $0.gridLines = seed % 2 == 0 ? .rows : .none }
        var heights = [Int](repeating: 1, count: count)
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let row = Int.random(in: 0..<count, using: &random)
            heights[row] = Int.random(in: 1...5, using: &random)
            state.play(.setRowHeight(RowID(row), heights[row]))
        }
        let rule = seed % 2 == 0 ? 1 : 0
        for _ in 0..<100 {
            var (top, rest) = (state.scroll.top, Int.random(in: 1...70, using: &random))
            let isDown = Bool.random(using: &random)
            let lines = isDown ? rest : -rest
            while isDown ? top < count - 1 : top > 0 {
                rest -= heights[isDown ? top : top - 1] + rule
                guard rest >= 0 else { break }
                top += isDown ? 1 : -1
            }
            // A row taller than the distance still counts as a step; the last row is fully visible.
            if top == state.scroll.top { top += isDown ? 1 : -1 }
            var last = state
            last.go(.bottom)
            state.play(.scrollLines(lines))
            #expect(state.scroll.top == min(max(0, top), last.scroll.top), "\(lines) lines, heights \(heights)")
        }
    }

    @Test func `A9: a height stays with its row`() {
        var state = grid("a", rows: 4, frame: (4, 9))
        state.play(.setRowHeight(RowID(1), 3))
        #expect(sketch(state) == "a\n0A\n1a\n\n\n2a\n3a\n\n")
        state.play(.setRows(.permuted(RowPermutation([3, 2, 1, 0]))))
        // The numbers in a sketch are positions.
        #expect(sketch(state) == "a\n0A\n1a\n2a\n\n\n3a\n\n")
        #expect((state.lines(aboveRow: 3), state.row(atLine: 4)) == (5, 2))
        state.play(.setRows(.spliced(head: 1, tail: 2)), .setRowHeight(RowID(-2), 2))
        #expect(sketch(state) == "a\n0A\n1a\n\n2a\n\n\n\n")
        state.play(.growRows(.spliced(head: 2, tail: 2)))
        #expect((0...4).map { state.lines(aboveRow: $0) } == [0, 1, 4, 6, 7])
        state.play(.growRows(.natural(count: 5)))
        #expect((0...5).map { state.lines(aboveRow: $0) } == [0, 1, 4, 5, 6, 7])
        state.play(.setRowHeight(RowID(1), nil))
        #expect(state.lines(aboveRow: 5) == 5)
    }

    @Test func `C7: limits apply to computed heights, not to explicit ones`() {
        var state = grid("a", rows: 3, frame: (4, 14)) {
            $0.hasAutomaticRowHeights = true
            $0.minimumRowHeight = 2
            $0.maximumRowHeight = 3
        }
        state.rowHeightSource = SyntheticHeights { row, _ in row.rawValue * 100 }
        #expect(state.layout.itemSpans.map(\.fullHeight) == [2, 3, 3])
        state.play(.setRowHeight(RowID(0), 1), .setRowHeight(RowID(2), 7), .setRowHeight(RowID(1), -5))
        #expect(state.layout.itemSpans.map(\.fullHeight) == [1, 1, 7])
    }

    // MARK: Automatic heights

    /// Rows of 1 to 4 lines: row 0 has 1, row 1 has 2, and so on, repeating.
    private func gridWithGrowingRows(_ rows: Int = 20, frame: (Int, Int) = (10, 8)) -> (state: GridState, heights: SyntheticHeights) {
        let heights = SyntheticHeights { row, _ in 1 + row.rawValue % 4 }
        var state = grid("ab", rows: rows, frame: frame) { $0.hasAutomaticRowHeights = true }
        state.rowHeightSource = heights
        return (state, heights)
    }

    @Test func `A9: rows have their content height, and a row at the cursor is fully visible`() {
        var (state, _) = gridWithGrowingRows()
        #expect(sketch(state) == "a    b\n0A   0b\n1a   1b\n\n2a   2b\n\n\n3a   3b")
        state.go(.down(3))
        #expect(sketch(state) == "a    b\n2a   2b\n\n\n3A   3b\n\n\n")
        state.go(.up(1), .up(1))
        #expect(sketch(state) == "a    b\n1A   1b\n\n2a   2b\n\n\n3a   3b\n")
    }

    @Test func `A9: a row taller than the pane starts at its top`() {
        var state = grid("a", rows: 5, frame: (4, 4))
        state.play(.setRowHeight(RowID(2), 9))
        state.go(.down(2))
        #expect(sketch(state) == "a\n2A\n\n")
        state.go(.down(1))
        #expect(sketch(state) == "a\n3A\n4a\n")
        state.go(.up(1))
        #expect(sketch(state) == "a\n2A\n\n")
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `D4: page keys skip no row in either direction, for any row heights`(seed: UInt64) {
        for motion in [GridMotion.pageDown, .halfPageDown, .pageUp, .halfPageUp] {
            var random = SplitMix64(seed: seed)
            var made: [Int: Int] = [:]
            for row in 0..<200 { made[row] = Int.random(in: 1...6, using: &random) }
            let heights = made
            var state = grid("ab", rows: 200, frame: (10, 14)) { $0.hasAutomaticRowHeights = true }
            state.rowHeightSource = SyntheticHeights { row, _ in heights[row.rawValue]! }
            if [.pageUp, .halfPageUp].contains(motion) { state.go(.bottom) }
            var seen: Set<Int> = []
            for _ in 0..<200 {
                let whole = state.layout.itemSpans.filter(\.isWhole)
                seen.formUnion(whole.map(\.index))
                // The motion starts at any visible row.
                if let line = whole.randomElement(using: &random) { state.play(.moveCursor(GridCursor(item: line.item))) }
                state.go(motion)
                #expect(state.isCursorVisible)
            }
            #expect(seen.count == 200, "\(motion)")
        }
    }

    @Test func `A6: only rows near the pane are measured`() {
        var (state, heights) = gridWithGrowingRows(10_000_000, frame: (10, 24))
        state.go(.row(5_000_000), .pageDown, .down(1), .pageUp)
        #expect(heights.measuredRows.count < 200)
        #expect(heights.measuredRows.allSatisfy { $0 < 100 || (4_999_900...5_000_100).contains($0.rawValue) })
        #expect(state.lines(aboveRow: 7) == nil && state.row(atLine: 7) == nil)
    }

    @Test func `A13: the wheel scrolls by lines, and by a whole row if it is taller`() {
        var (state, _) = gridWithGrowingRows()
        state.play(.scrollLines(3))
        #expect(state.scroll.top == 2)
        state.play(.scrollLines(2))
        #expect(state.scroll.top == 3)
        state.play(.scrollLines(-5))
        #expect(state.scroll.top == 1)
        state.play(.scrollLines(999))
        #expect(state.layout.itemSpans.last?.index == 19 && state.layout.itemSpans.last!.isWhole)
        var plain = grid("a", rows: 20, frame: (4, 6))
        plain.play(.scrollLines(3))
        #expect(plain.scroll.top == 3)
    }

    @Test func `A13: the ends of the scroll bar lead to the ends of the grid`() {
        var (state, _) = gridWithGrowingRows()
        var metrics = state.metrics
        metrics.showsScrollBar = true
        state.play(.setMetrics(metrics))
        state.drag((9, 1), (9, 7))
        #expect(state.layout.itemSpans.last?.index == 19 && state.layout.itemSpans.last!.isWhole)
        state.drag((9, 7), (9, 1))
        #expect(state.scroll.top == 0)
    }

    @Test func `A11: every line of a tall row hits that row`() {
        let (state, _) = gridWithGrowingRows()
        #expect((1..<8).map { state.layout.hit(GridPoint(x: 6, y: $0)) } == [0, 1, 1, 2, 2, 2, 3].map { .cell(row: $0, column: 1) })
        #expect(state.layout.itemIndex(atY: 5) == 2)
    }

    @Test(arguments: [0, 3, 9, 30]) func `B8: the cursor's row stays in place after the text is wrapped again`(row: Int) {
        let heights = SyntheticHeights { row, columns in columns.reduce(1) { $0 + (row.rawValue * 5 + $1.width) % 4 } }
        var state = grid("abcd", rows: 60, frame: (15, 24)) { $0.maximumRowHeight = 6 }
        state.rowHeightSource = heights
        state.go(.row(row + 10), .up(10))
        func line() -> Int { state.layout.itemSpans.first { $0.item == state.cursor.item }!.y }
        var before = line()
        var metrics = state.metrics
        metrics.hasAutomaticRowHeights = true
        // The line can move by up to half the height of a row above it.
        func expectSameLine(_ what: String) {
            #expect(state.scroll.top == 0 || abs(line() - before) <= 3, "\(what): from \(before) to \(line())")
            #expect(state.isCursorVisible)
            before = line()
        }
        state.play(.setMetrics(metrics))
        expectSameLine("wrapped")
        state.play(.setWidth(ColumnID(0), .fixed(7)))
        expectSameLine("wider")
        state.go(.right(3))
        expectSameLine("other columns visible")
        state.play(.resize(GridSize(width: 11, height: 24)))
        expectSameLine("narrower")
        metrics.hasAutomaticRowHeights = false
        state.play(.setMetrics(metrics))
        expectSameLine("not wrapped")
    }
}
