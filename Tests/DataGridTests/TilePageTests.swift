import DataGrid
import Testing

/// Paging and the scroll bar on cards and in transposed tables.
@Suite struct TilePageTests {
    /// Cards of three lines with a blank line between, two side by side: two lines of cards are fully visible.
    private func cards(_ rows: Int = 100, tree: SectionTree? = nil, frame: (Int, Int) = (21, 10)) -> GridState {
        var state = grid("abc", rows: rows, frame: frame, tree: tree) { $0.cards.width = 8 }
        state.play(.setPresentation(.cards))
        return state
    }

    /// Rows of eight terminal cells, three fully visible; columns of one line, four visible.
    private func transposed(_ rows: Int = 100, _ names: String = "abcdefghijkl", tree: SectionTree? = nil) -> GridState {
        var state = grid(names, rows: rows, frame: (34, 5), tree: tree) { $0.rowHeaderWidth = 3 }
        state.play(.setPresentation(.transposed))
        return state
    }

    @Test func `C5: a page of cards starts with the first line that was not fully visible, and page up returns`() {
        var state = cards()
        state.go(.right(1))
        let start = state
        state.go(.pageDown)
        #expect(state.scroll.top == 4 && state.cursor.item == .row(5))
        state.go(.pageDown)
        #expect(state.scroll.top == 8 && state.cursor.item == .row(9))
        state.go(.pageUp, .pageUp)
        #expect(state == start)
        state.go(.halfPageDown)
        #expect(state.scroll.top == 2 && state.cursor.item == .row(3))
        state.go(.halfPageUp)
        #expect(state == start)
        state.go(.pageUp)
        #expect(state.cursor.item == .row(0))
        state.go(.bottom)
        let top = state.scroll.top
        state.go(.up(1), .pageDown)
        #expect(state.cursor.item == .row(99) && state.scroll.top == top)
    }

    @Test func `C1: in a transposed table, a page starts with the first row or column not fully visible`() {
        var state = transposed()
        state.go(.right(1), .down(1))
        let start = state
        state.go(.pageDown)
        #expect(state.scroll.top == 3 && state.cursor.item == .row(4))
        state.go(.pageDown, .pageUp, .pageUp)
        #expect(state == start)
        state.go(.pageRight)
        #expect(state.scroll.x == 4 && state.cursor.column == 5 && state.scroll.top == 0)
        state.go(.pageRight)
        #expect(state.scroll.x == 8 && state.cursor.column == 9)
        state.go(.pageLeft, .pageLeft)
        #expect(state == start)
        state.go(.halfPageDown)
        #expect(state.scroll.top == 1 && state.cursor.item == .row(2))
        state.go(.pageLeft)
        #expect(state.cursor.column == 0)
        state.go(.pageRight, .pageRight, .pageRight)
        #expect(state.cursor.column == 11)
    }

    @Test(
        arguments: [GridPresentation.cards, .transposed])
    func `A15, C1, C5: page keys skip no row in sections, with any sticky headers, and stop at the ends`(_ presentation: GridPresentation) {
        let tree = sections("x\n  y 7\n  z 1\nw\n  v 12\n  u 5")
        for height in 3...16 {
            var state = grid("abc", rows: 25, frame: (40, height), tree: tree) { $0.cards.width = 8 }
            state.play(.setPresentation(presentation))
            for (motion, last) in [(GridMotion.pageDown, GridItem.row(24)), (.pageUp, .header(0))] {
                var seen: Set<GridItem> = []
                for _ in 0..<60 {
                    seen.formUnion(state.layout.tiles.filter { $0.isWhole || $0.fullHeight > state.layout.pane.count }.map(\.item))
                    state.go(motion)
                    #expect(state.isCursorVisible)
                }
                #expect(state.cursor.item == last, "height \(height)")
                #expect((0..<25).allSatisfy { seen.contains(.row($0)) }, "height \(height)")
            }
        }
    }

    @Test func `C1, C5: a long motion moves by exactly its number of lines, across sections, and stops at the ends`() {
        var state = cards(25, tree: sections("x 7\ny 1\nw 12\nv 5"))
        /// The item that is reached after moving one line at a time.
        func reachedLineByLine(_ from: GridState, _ motion: GridMotion, _ count: Int) -> GridItem {
            var state = from
            for _ in 0..<count { state.go(motion) }
            return state.cursor.item
        }
        for start in [GridItem.header(0), .row(0), .row(2), .row(6), .row(8), .row(18), .row(24)] {
            state.play(.moveCursor(GridCursor(item: start, column: 0)))
            for count in [0, 1, 3, 5, 8, 11, 40] {
                let (down, up) = (state.cursorAfter(.down(count)), state.cursorAfter(.up(count)))
                #expect(
                    down == reachedLineByLine(state, .down(1), count) && up == reachedLineByLine(state, .up(1), count), "\(start) \(count)")
            }
            #expect(state.cursorAfter(.down(.max)) == state.cursorAfter(.down(40)))
        }
    }

    @Test func `A13, C1, C5: a scroll bar drag moves the cursor on cards as in a table, and cancelling moves it back`() {
        for presentation in [GridPresentation.table, .cards] {
            var state = grid("abc", rows: 100, frame: (22, 10)) {
                $0.cards.width = 8
                $0.showsScrollBar = true
            }
            state.play(.setPresentation(presentation))
            let before = state
            state.play(.pointerDown(GridPoint(x: 21, y: 5), PointerPress()), .pointerMoved(GridPoint(x: 21, y: 6)))
            #expect(state.scroll.top > 20 && state.isCursorVisible && state.cursor.item != .row(0))
            var cancelled = state
            cancelled.play(.cancelDrag)
            #expect(cancelled == before)
            state.play(.pointerUp(GridPoint(x: 21, y: 6)))
            #expect(state.isCursorVisible)
        }
    }
}

extension GridState {
    fileprivate func cursorAfter(_ motion: GridMotion) -> GridItem {
        var state = self
        state.go(motion)
        return state.cursor.item
    }
}
