import GridTestSupport
import DataGrid
import Testing

/// Changes of presentation: the place of the cursor's row, and the events.
@Suite struct PresentingTests {
    private func cards(_ frame: (Int, Int), gap: Int) -> GridState {
        var state = grid("abcdefg", rows: 500, frame: frame) {
            $0.cards.width = 20
            $0.cards.spacing.height = gap
        }
        state.play(.setPresentation(.cards))
        return state
    }

    /// The line of the cursor's row, from the top of the pane.
    private func line(_ state: GridState) -> Int? {
        if let tile = state.layout.tiles.first(where: { $0.item == state.cursor.item }) { return tile.y }
        return state.layout.itemSpans.first { $0.item == state.cursor.item }.map { $0.y - state.layout.pane.lowerBound }
    }

    @Test func `B8, B2: the cursor's row keeps its line when a table becomes cards and then a table again`() {
        var state = grid("abc", rows: 200, frame: (45, 21)) { $0.cards.width = 20 }
        state.go(.row(100))
        state.play(.scroll(items: 9, columns: 0))
        #expect(line(state) == 10)
        state.play(.setPresentation(.cards))
        #expect(line(state) == 8 && state.layout.tiles.first?.item == .row(96), "two lines of cards are above")
        state.play(.setPresentation(.table))
        #expect(line(state) == 8)
        state.play(.setPresentation(.adaptive(below: 40)), .resize(GridSize(width: 39, height: 21)))
        #expect(state.effectivePresentation == .cards && line(state) == 8)
        state.play(.resize(GridSize(width: 45, height: 21)))
        #expect(line(state) == 8)
        // A transposed table shows rows side by side, so the cursor has no line to keep. The top row stays the first one.
        let top = state.scroll.top
        state.play(.setPresentation(.transposed))
        #expect(state.layout.tiles.contains { $0.item == .row(100) } && state.scroll.top >= top)
        // Frozen rows stay frozen.
        state = grid("abc", rows: 200, frame: (45, 21))
        state.play(.freeze(FrozenPanes(rows: 2)), .move(.row(1)), .setPresentation(.cards))
        #expect(state.scroll.top == 2 && state.layout.tiles.prefix(3).map(\.pane) == [.frozenTop, .frozenTop, .scrolling])
        state.play(.setPresentation(.transposed), .move(.top), .move(.right(3)), .setPresentation(.cards))
        #expect(state.scroll.top == 2 && state.isCursorVisible)
    }

    @Test func `B8, C1: a change of presentation resets horizontal scrolling and ends a drag`() {
        var state = grid("abcdefghijkl", rows: 20, frame: (25, 7))
        state.play(.scroll(items: 0, columns: 3), .move(.column(5)))
        state.play(.pointerDown(GridPoint(x: 5, y: 3), PointerPress(.middle)), .pointerMoved(GridPoint(x: 4, y: 3)))
        #expect(state.scroll.x > 0 && state.drag != nil)
        state.play(.setPresentation(.transposed))
        #expect(state.scroll.x == 0 && state.drag == nil && state.cursor.column == 5)
    }

    @Test func `B8, C5: cards that reflow keep the line of the cursor's card, as closely as possible`() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<200 {
            let height = Int.random(in: 5...40, using: &random)
            var state = cards((Int.random(in: 10...120, using: &random), height), gap: Int.random(in: 0...2, using: &random))
            state.go(.row(Int.random(in: 0..<500, using: &random)))
            state.play(.scrollLines(Int.random(in: -5...5, using: &random)))
            let (before, row) = (line(state)!, state.cursor.row!)
            if Bool.random(using: &random) {
                state.play(.resize(GridSize(width: Int.random(in: 10...120, using: &random), height: height)))
            } else {
                var metrics = state.metrics
                metrics.cards.width = Int.random(in: 8...30, using: &random)
                metrics.cards.spacing.height = Int.random(in: 0...2, using: &random)
                state.play(.setMetrics(metrics))
            }
            #expect(state.cursor.row == row)
            // The expected line is one of all possible lines, limited by the end of the cards.
            let step = 3 + state.metrics.cards.spacing.height
            let perLine = Set(state.layout.tiles.map(\.x)).count
            let (own, last) = (row / perLine, (500 - 1) / perLine)
            let pane = (height + state.metrics.cards.spacing.height) / step
            let tops = (0...own).filter { own - $0 < max(1, pane) && $0 <= max(0, last - max(1, pane) + 1) }
            let minimum = tops.map { abs((own - $0) * step - before) }.min()!
            #expect(abs(line(state)! - before) == minimum, "\(state.size) row \(row) at \(before), \(perLine) a line")
        }
    }

    @Test func `B8: a resize keeps the top row if the cursor is not visible`() {
        for presentation in [GridPresentation.table, .cards] {
            var state = grid("abc", rows: 200, frame: (30, 20))
            state.play(.setPresentation(presentation), .pointerDown(GridPoint(x: 9, y: 19), PointerPress(.middle)))
            for _ in 0..<9 {
                state.play(.pointerDown(GridPoint(x: 9, y: 19), PointerPress(.middle)), .pointerMoved(GridPoint(x: 9, y: 0)))
                state.play(.pointerUp(GridPoint(x: 9, y: 0)))
            }
            let top = state.scroll.top
            #expect(top > 20 && state.cursor.item == .row(0))
            state.play(.resize(GridSize(width: 30, height: 18)))
            #expect(state.scroll.top == top)
            state.play(.setPresentation(presentation == .table ? .cards : .table))
            #expect(state.scroll.top == top)
            state.go(.down(1))
            #expect(state.isCursorVisible)
        }
    }

    @Test(
        arguments: [.table, .cards, .transposed] as [GridPresentation])
    func `C2: changing rows does not scroll to a cursor that was panned out of view`(presentation: GridPresentation) {
        let changes: [GridAction] = [
            .insertRows(RowInsertion([600], at: 3)), .removeRows(2..<3, renumbering: false),
            .setRows(.permuted(RowPermutation((0..<499).map { UInt32($0) })), keeping: .all),
            .setRows(.permuted(RowPermutation((0..<500).map { UInt32($0) } + [500])), keeping: [.cursor, .scroll]),
        ]
        for change in changes {
            var state = grid("abcdefg", rows: 0, frame: (45, 21)) { $0.cards.width = 20 }
            state.play(.setRows(.permuted(RowPermutation((0..<500).map { UInt32($0) }))), .setPresentation(presentation), .move(.row(1)))
            var near = state
            near.play(change)
            #expect(near.isCursorVisible && near.currentRow == state.currentRow, "a visible cursor stays visible")
            for _ in 0..<8 { state.drag((44, 19), (0, 0), press: PointerPress(.middle)) }
            #expect(!state.isCursorVisible)
            let first = state.visibleRows[0]
            state.play(change)
            // The first visible card may have become the second card of its line.
            let isTopRow = presentation == .cards ? state.visibleRows.prefix(2).contains(first) : state.visibleRows.first == first
            #expect(!state.isCursorVisible && isTopRow, "\(change)")
        }
    }

    @Test func `A3, B2: a new presentation is reported once, even if the frame width caused it`() {
        var state = grid("abc", rows: 9, frame: (45, 11))
        #expect(state.play(.setPresentation(.cards)) == [.presentationChanged])
        #expect(state.play(.setPresentation(.cards)).isEmpty)
        #expect(state.play(.setPresentation(.adaptive(below: 50))).isEmpty, "already cards")
        #expect(state.play(.resize(GridSize(width: 50, height: 11))) == [.presentationChanged])
        #expect(state.play(.resize(GridSize(width: 60, height: 11))).isEmpty)
        let view = state.savedView
        state.play(.setPresentation(.transposed))
        #expect(state.play(.restore(view)) == [.presentationChanged, .viewRestored])
    }
}
