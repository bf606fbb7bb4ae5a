import DataGrid
import Testing

@Suite struct GridLayoutTests {
    @Test func `A6: the layout contains the rows and columns that fit`() {
        let state = grid("abcdef", rows: 20, frame: (16, 4))
        #expect(
            sketch(state) == """
                a    b    c    d
                0A   0b   0c   0
                1a   1b   1c   1
                2a   2b   2c   2
                """)
    }

    @Test func `A8: frozen columns on both sides and frozen rows do not scroll`() {
        var state = grid("abcdefgh", rows: 20, frame: (29, 7))
        state.play(.freeze(FrozenPanes(leading: 1, trailing: 1, rows: 2)))
        state.go(.row(9), .column(5))
        #expect(
            sketch(state) == """
                a    c    d    e    f    h
                0a   0c   0d   0e   0f   0h =
                1a   1c   1d   1e   1f   1h =
                6a   6c   6d   6e   6f   6h
                7a   7c   7d   7e   7f   7h
                8a   8c   8d   8e   8f   8h
                9a   9c   9d   9e   9F   9h
                """)
    }

    @Test(
        arguments: [(40, 3, 1), (30, 3, 1), (29, 3, 0), (22, 2, 0), (15, 2, 0), (14, 1, 0), (7, 0, 0)])
    func `A8: frozen columns scroll if less than a third of the frame would be left`(frame: Int, leading: Int, trailing: Int) {
        var state = grid("abcdefgh", frame: (frame, 8))
        state.play(.freeze(FrozenPanes(leading: 3, trailing: 1)))
        let layout = state.layout
        #expect(layout.geometry.leading == leading)
        #expect(layout.geometry.trailing == trailing)
        #expect(layout.isOverflowing == (leading < 3 || trailing < 1))
        #expect(layout.geometry.paneWidth * 3 >= frame)
        #expect(layout.columns.contains { $0.pane == .scrolling })
    }

    @Test func `A8: a wide column frozen at the right scrolls although the other frozen columns would fit`() {
        var state = grid("abc", frame: (20, 8))
        state.play(.setWidth(2, .fixed(8)), .freeze(FrozenPanes(leading: 1, trailing: 1)))
        #expect((state.layout.geometry.leading, state.layout.geometry.trailing) == (1, 0))
        #expect(state.layout.overflowingSides == .trailing)
        state.play(.setWidth(2, .fixed(7)))
        #expect((state.layout.geometry.leading, state.layout.geometry.trailing) == (1, 1))
        #expect(!state.layout.isOverflowing)
    }

    @Test(
        arguments: [(12, 5), (8, 4), (7, 4), (5, 2), (3, 1), (2, 0)])
    func `A8: frozen rows scroll if less than a third of the lines would be left`(height: Int, rows: Int) {
        var state = grid(frame: (15, height))
        state.play(.freeze(FrozenPanes(rows: 5)))
        #expect(state.layout.frozenItemCount == rows)
        #expect(state.layout.isOverflowing == (rows < 5))
        state.go(.bottom)
        #expect(state.isCursorVisible)
    }

    @Test func `A8: frozen rows are restored after a filter that left too few rows`() {
        var state = grid(frame: (15, 12))
        state.play(.freeze(FrozenPanes(rows: 3)), .setRows(.natural(count: 1)))
        #expect(state.layout.frozenItemCount == 1)
        state.play(.setRows(.natural(count: 20)))
        #expect(state.layout.frozenItemCount == 3)
    }

    @Test func `A15: the header of the current section sticks, until the next one pushes it out`() {
        var state = grid("a", frame: (8, 5), tree: sections("x 3\ny 3\nz 3"))
        state.play(.scroll(items: 1, columns: 0))
        #expect(sketch(state) == "a\n^ x\n1A\n2a\n▾ y")
        state.play(.scroll(items: 2, columns: 0))
        #expect(sketch(state) == "a\n^ x\n▾ Y\n3a\n4a")
        state.play(.scroll(items: 1, columns: 0))
        #expect(sketch(state) == "a\n▾ Y\n3a\n4a\n5a")
    }

    @Test func `A15: nested headers stick at every level, and outer headers push inner ones out`() {
        var state = grid("a", frame: (8, 7), tree: sections("p\n  x 4\n  y 4\nq\n  z 4"))
        func top(_ item: Int) -> String {
            state.play(.scroll(items: item - state.scroll.top, columns: 0))
            return sketch(state).lowercased()
        }
        #expect(top(0) == "a\n▾ p\n▾ x\n0a\n1a\n2a\n3a")
        #expect(top(1) == "a\n^ p\n^ x\n1a\n2a\n3a\n▾ y")
        #expect(top(4) == "a\n^ p\n^ x\n▾ y\n4a\n5a\n6a")
        #expect(top(5) == "a\n^ p\n▾ y\n4a\n5a\n6a\n7a")
        #expect(top(6) == "a\n^ p\n^ y\n5a\n6a\n7a\n▾ q")
        #expect(top(9) == "a\n^ p\n^ y\n▾ q\n▾ z\n8a\n9a")
        #expect(top(10) == "a\n^ p\n▾ q\n▾ z\n8a\n9a\n10a")
    }

    @Test(arguments: 3...9) func `A15: headers of three levels never fill the pane while they are pushed out, if it contains a row`(
        height: Int
    ) {
        var state = grid("a", frame: (8, height), tree: sections("p\n  q\n    x 3\ns\n  t\n    y 9"))
        let count = state.outline.itemCount
        for top in 0..<count {
            state.play(.scroll(items: top - state.scroll.top, columns: 0))
            let covered = (state.scroll.top..<min(count, state.scroll.top + state.layout.pane.count)).map(state.outline.item(at:))
            #expect(!state.layout.positions.isEmpty || covered.allSatisfy(\.isHeader), "\(top): \(sketch(state))")
        }
        // The innermost headers are hidden first.
        guard height == 5 else { return }
        state.play(.scroll(items: 4 - state.scroll.top, columns: 0))
        #expect(sketch(state).lowercased() == "a\n^ p\n2a\n▾ s\n▾ t")
    }

    @Test(arguments: [.table, .cards, .transposed] as [GridPresentation])
    func `A15: by default, section headers scroll with their rows`(presentation: GridPresentation) {
        #expect(!GridMetrics().hasStickySectionHeaders)
        var state = grid("a", frame: (20, 7), tree: sections("p\n  x 4\n  y 14"))
        state.play(.setPresentation(presentation), .move(.row(12)))
        func stuck() -> Bool { state.layout.itemSpans.contains { $0.pane == .stuck } || state.layout.tiles.contains { $0.pane == .stuck } }
        #expect(stuck())
        state.metrics.hasStickySectionHeaders = false
        #expect(!stuck() && state.isCursorVisible)
        state.play(.move(.row(3)), .move(.up(1)))
        #expect(!stuck() && state.isCursorVisible)
    }

    @Test func `A15: a sticky header among frozen rows is not shown a second time`() {
        var state = grid("a", frame: (8, 8), tree: sections("x 9\ny 9"))
        state.play(.freeze(FrozenPanes(rows: 2)))
        state.go(.row(1))
        #expect(sketch(state) == "a\n▾ x    =\n0a     =\n1A\n2a\n3a\n4a\n5a")
        state.go(.row(11), .up(1))
        #expect(state.isCursorVisible)
        #expect(sketch(state).hasPrefix("a\n▾ x    =\n0a     =\n^ y") == (state.scroll.top > 10))
    }

    @Test func `A15: a low pane shows at least one row below sticky headers`() {
        var state = grid("a", frame: (8, 3), tree: sections("p\n  x 4\n  y 4"))
        state.go(.row(6))
        #expect(sketch(state) == "a\n^ p\n6A")
    }

    @Test func `A9: rows of several lines are laid out with their rules`() {
        var state = grid("a", frame: (8, 7)) {
            $0.rowHeight = 2; $0.gridLines = .both
        }
        #expect(sketch(state) == "a\n0A\n\n\n1a\n\n")
        state.go(.bottom)
        #expect(sketch(state) == "a\n18a\n\n\n19A\n\n")
        #expect(state.layout.pageItemCount == 2)
    }

    @Test func `A9: rows of several lines are laid out between one-line headers`() {
        var state = grid("a", frame: (8, 8), tree: sections("x 3\ny 0\nz 0\nw 3")) { $0.rowHeight = 2 }
        state.go(.bottom)
        #expect(sketch(state) == "a\n▾ w\n3a\n\n4a\n\n5A\n")
        state.go(.up(1), .up(1), .up(1))
        #expect(sketch(state) == "a\n▾ W\n3a\n\n4a\n\n5a\n")
    }

    @Test func `A6: a column clipped on either side reports the number of hidden terminal cells`() {
        var state = grid("abc", width: 12, frame: (20, 4))
        let clipped = state.layout.columns[1]
        #expect((clipped.x, clipped.width, clipped.clippedLeading, clipped.fullWidth, clipped.isClippedTrailing) == (13, 7, 0, 12, true))
        state.play(.pointerDown(GridPoint(x: 9, y: 2), PointerPress(.middle)), .pointerMoved(GridPoint(x: 4, y: 2)))
        let first = state.layout.columns[0]
        #expect((first.x, first.width, first.clippedLeading, first.isClippedTrailing) == (0, 7, 5, false))
    }

    @Test(
        arguments: [
            (0, 0, 0), (1, 0, 0), (2, 1, 1), (3, 1, 1), (4, 2, 1), (5, 2, 1), (6, 3, 2), (8, 4, 3), (9, 4, 3), (10, 5, 4), (60, 5, 4),
        ])
    func `D16: the header leaves at least half of the frame, at any size`(height: Int, header: Int, titles: Int) {
        let state = grid(frame: (20, height)) { $0.headerHeight = 5 }
        #expect((state.layout.headerHeight, state.layout.titleLines) == (header, titles))
    }

    @Test func `D16: a frame of one cell shows the cursor's cell`() {
        let state = grid(frame: (1, 1)) {
            $0.rowHeaderWidth = 5; $0.showsScrollBar = true
        }
        #expect(sketch(state) == "0")
        #expect(state.layout.columns.map(\.index) == [0])
    }

    @Test func `A6: an empty grid has a layout`() {
        #expect(sketch(grid("", rows: 0, frame: (4, 3))) == "\n\n")
        #expect(sketch(grid("ab", rows: 0, frame: (6, 3))) == "a    b\n\n")
        #expect(sketch(grid("", rows: 9, frame: (4, 3))) == "\n\n")
    }
}
