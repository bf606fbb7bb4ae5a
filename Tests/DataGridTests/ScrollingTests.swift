import DataGrid
import Testing

@Suite struct ScrollingTests {
    @Test func `D4: a motion scrolls no further than necessary for the cursor`() {
        var state = grid("abcdef", frame: (14, 6))
        state.go(.down(4))
        #expect(state.scroll.top == 0)
        state.go(.down(1))
        #expect(state.scroll.top == 1)
        state.go(.up(4))
        #expect(state.scroll.top == 1)
        state.go(.up(1))
        #expect(state.scroll.top == 0)
        state.go(.right(2))
        #expect(state.scroll.x == 0)
        state.go(.right(1))
        #expect(state.scroll.x == 5)
        state.go(.left(2))
        #expect(state.scroll.x == 5)
        state.go(.left(1))
        #expect(state.scroll.x == 0)
    }

    @Test(arguments: [GridPresentation.table, .transposed, .cards])
    func `D7: an earlier scroll position can be restored in every presentation`(presentation: GridPresentation) {
        var state = grid("abcdef", rows: 40, frame: (14, 6))
        _ = state.apply(.setPresentation(presentation))
        for (items, columns) in [(3, 2), (1, 4), (9, 1)] {
            _ = state.apply(.scroll(items: items, columns: columns))
            let target = state.scroll
            _ = state.apply(.scroll(items: 7, columns: -3))
            let counts = state.scrollCounts(to: target)
            _ = state.apply(.scroll(items: counts.items, columns: counts.columns))
            #expect(state.scroll == target)
        }
    }

    @Test func `A15: the cursor is never below a sticky header`() {
        var state = grid("a", frame: (8, 6), tree: sections("p\n  x 8\n  y 8"))
        state.go(.bottom)
        while state.cursor.item != .header(0) {
            #expect(state.isCursorVisible, "\n\(sketch(state))")
            state.go(.up(1))
        }
        #expect(state.scroll.top == 0)
    }

    @Test(arguments: ["", "x 40\ny 60", "p\n  x 10\n  y 30\nq\n  z 60"])
    func `D4: page down and page up are inverse in the middle of the grid`(tree: String) {
        for motions in [(GridMotion.pageDown, GridMotion.pageUp), (.halfPageDown, .halfPageUp)] {
            var state = grid("a", rows: 100, frame: (8, 9), tree: tree.isEmpty ? nil : sections(tree))
            state.go(.row(45))
            let before = state.cursor
            for count in 1...3 {
                for _ in 0..<count { state.go(motions.0) }
                #expect(state.cursor != before)
                for _ in 0..<count { state.go(motions.1) }
                #expect(state.cursor == before)
            }
        }
    }

    @Test(arguments: ["", "x 40\ny 60", "p\n  x 10\n  y 30\nq\n  z 60"]) func `D4: paging from top to bottom skips no row`(tree: String) {
        for motion in [GridMotion.pageDown, .halfPageDown] {
            var state = grid("a", rows: 100, frame: (8, 9), tree: tree.isEmpty ? nil : sections(tree))
            var seen: Set<Int> = []
            for _ in 0..<60 {
                for case .row(let row) in state.layout.itemSpans.map(\.item) { seen.insert(row) }
                state.go(motion)
            }
            #expect(seen.count == 100)
            #expect(state.cursor.item == .row(99))
        }
    }

    @Test func `A13: scrolling moves the cursor only at the edge of the pane`() {
        var state = grid("abcdef", frame: (14, 6))
        state.go(.down(3), .right(1))
        state.play(.scroll(items: 2, columns: 0))
        #expect(state.cursor == GridCursor(item: .row(3), column: 1))
        state.play(.scroll(items: 3, columns: 0))
        #expect(state.cursor.item == .row(5))
        state.play(.scroll(items: -99, columns: 0))
        #expect((state.scroll.top, state.cursor.item) == (0, .row(4)))
        state.play(.scroll(items: 99, columns: 0))
        #expect((state.scroll.top, state.cursor.item) == (15, .row(15)))
        state.play(.scroll(items: 0, columns: 2))
        #expect((state.scroll.x, state.cursor.column) == (10, 2))
        state.play(.scroll(items: 0, columns: 99))
        #expect((state.scroll.x, state.cursor.column) == (15, 3))
        state.play(.scroll(items: 0, columns: -99))
        #expect((state.scroll.x, state.cursor.column) == (0, 2))
    }

    @Test func `A13: scrolling by any number of columns stops at the edge`() {
        var state = grid("abcdefgh", frame: (15, 6))
        _ = state.apply(.scroll(items: 0, columns: .max))
        #expect(state.scroll.x == 25)
        _ = state.apply(.scroll(items: 0, columns: .min))
        #expect(state.scroll.x == 0)
    }

    @Test(arguments: [GridPresentation.table, .cards, .transposed])
    func `A13: motions and scrolling by any count stop at the edges`(presentation: GridPresentation) {
        var state = grid("abcdefgh", rows: 50, frame: (15, 6))
        state.play(.setPresentation(presentation), .moveCursor(GridCursor(item: .row(25), column: 4)))
        let motions: [(Int) -> GridMotion] = [{ .up($0) }, { .down($0) }, { .left($0) }, { .right($0) }]
        for count in [Int.min, -1_000, 1_000, .max] {
            for (forward, back) in [(1, 0), (3, 2)] {
                var (moved, opposite) = (state, state)
                _ = moved.apply(.move(motions[forward](count)))
                _ = opposite.apply(.move(motions[back](count == .min ? .max : -count)))
                #expect(moved.cursor == opposite.cursor)
            }
            var scrolled = state
            _ = scrolled.apply(.scrollLines(count))
            _ = scrolled.apply(.scroll(items: count, columns: count))
            #expect((scrolled.scroll.top == 0) == (count < 0) && scrolled.scroll.top < 50)
            var other = state
            _ = other.apply(.move(.column(count)))
            _ = other.apply(.moveCursor(GridCursor(item: .row(count), column: count)))
            #expect(other.cursor.row == (count < 0 ? 0 : 49))
        }
    }

    @Test func `A13: a cursor in a frozen pane stays in place`() {
        var state = grid("abcdef", frame: (24, 9))
        state.play(.freeze(FrozenPanes(leading: 1, rows: 2)))
        state.play(.scroll(items: 5, columns: 2))
        #expect(state.cursor == GridCursor())
        #expect(state.scroll.top == 7)
    }

    @Test func `D5: a column wider than the pane scrolls in parts`() {
        var state = grid("abc", width: 40, frame: (20, 4))
        state.play(.scroll(items: 0, columns: 1))
        #expect((state.scroll.x, state.cursor.column) == (20, 0))
        state.play(.scroll(items: 0, columns: 1))
        #expect(state.scroll.x == 40)
        state.play(.scroll(items: 0, columns: 1))
        #expect((state.scroll.x, state.cursor.column) == (41, 1))
        state.play(.scroll(items: 0, columns: -1))
        #expect(state.scroll.x == 21)
        state.go(.lastColumn)
        #expect(state.scroll.x == 82)
        state.play(.scroll(items: 0, columns: 9))
        #expect(state.scroll.x == 102)
    }

    @Test func `B8: resizing keeps the cursor's row visible`() {
        var state = grid("abcdef", rows: 100, frame: (14, 30))
        state.go(.row(60), .column(5))
        for size in [(9, 3), (40, 40), (1, 1), (14, 30), (0, 0), (14, 30)] {
            state.play(.resize(GridSize(width: size.0, height: size.1)))
            #expect(state.cursor == GridCursor(item: .row(60), column: 5))
            #expect(state.isCursorVisible)
        }
        state.play(.resize(GridSize(width: -3, height: -1)))
        #expect(state.size == .zero)
    }

    @Test func `B8: resizing keeps the screen line of the cursor's row, if the frame still has it`() {
        var state = grid("abcdef", rows: 100, frame: (14, 30))
        state.go(.row(60), .up(8))
        func line() -> Int? { state.layout.itemSpans.first { $0.item == state.cursor.item }?.y }
        let before = line()
        #expect(before.map { $0 > 10 && $0 < 25 } == true)
        for size in [(9, 26), (60, 40), (3, 30), (14, 25)] {
            state.play(.resize(GridSize(width: size.0, height: size.1)))
            #expect(line() == before)
        }
        state.play(.resize(GridSize(width: 14, height: 10)))
        #expect(line() == state.layout.pane.upperBound - 1, "as close as possible")
    }

    @Test func `A15: the top row stays when a section above it is collapsed or expanded`() {
        var state = grid("a", frame: (8, 6), tree: sections("x 8\ny 30"))
        state.go(.row(20))
        let before = sketch(state)
        state.play(.setCollapsed(section: 0, true))
        #expect(sketch(state) == before)
        state.play(.setCollapsed(section: 0, false))
        #expect(sketch(state) == before)
    }

    @Test func `A15: a collapse moves the cursor from a hidden row to the section header, and is reported`() {
        var state = grid("a", frame: (8, 6), tree: sections("p\n  x 8\n  y 3"))
        state.go(.row(5))
        #expect(state.play(.toggleSection(1)) == [.sectionCollapsed(1)])
        #expect(state.cursor.item == .header(1))
        #expect(sketch(state) == "a\n▾ p\n▸ X\n▾ y\n8a\n9a")
        #expect(state.play(.toggleSection(1), .setCollapsed(section: 1, false), .toggleSection(9)) == [.sectionExpanded(1)])
        state.go(.row(5))
        state.play(.setAllCollapsed(true))
        #expect(state.cursor.item == .header(0))
        state.play(.setAllCollapsed(false))
        #expect(state.outline.itemCount == 14)
    }
}
