import DataGrid
import Testing

@Suite struct PagingTests {
    private func paged(_ names: String = "abcdefg", rows: Int = 23, frame: (Int, Int) = (15, 6)) -> GridState {
        grid(names, rows: rows, frame: frame) { $0.isPaged = true }
    }

    @Test func `C3: a page key moves exactly one page, and the last page starts at a page boundary`() {
        var state = paged()
        state.go(.down(2))
        var tops: [Int] = []
        var rows: [Int] = []
        for motion in [.pageDown, .pageDown, .pageDown, .pageDown, .pageDown, .pageUp, .pageUp, .halfPageUp, .pageUp, .pageUp]
            as [GridMotion]
        {
            state.go(motion)
            tops.append(state.scroll.top)
            rows.append(state.cursor.row!)
        }
        #expect(tops == [5, 10, 15, 20, 20, 15, 10, 5, 0, 0])
        #expect(rows == [7, 12, 17, 22, 22, 17, 12, 7, 2, 0])
        #expect(sketch(paged(rows: 7).playing(.move(.bottom))).hasSuffix("5a   5b   5c\n6A   6b   6c\n\n\n"))
    }

    @Test func `C3: the cursor, the wheel, the scroll bar and drags move by whole pages`() {
        var state = paged()
        state.go(.down(5))
        #expect(state.scroll.top == 5)
        state.go(.up(1))
        #expect(state.scroll.top == 0)
        state.play(.scrollLines(1))
        #expect(state.scroll.top == 5 && state.cursor.row == 5)
        state.play(.scrollLines(-3))
        #expect(state.scroll.top == 0)
        state.play(.scroll(items: 6, columns: 0))
        #expect(state.scroll.top == 10)
        state.play(.pointerDown(GridPoint(x: 1, y: 5), PointerPress(.middle)), .pointerMoved(GridPoint(x: 1, y: 4)))
        #expect(state.scroll.top == 10)
        state.play(.pointerMoved(GridPoint(x: 1, y: 1)), .pointerUp(GridPoint(x: 1, y: 1)))
        #expect(state.scroll.top == 15)
        state.play(.freeze(FrozenPanes(rows: 2)))
        #expect((state.scroll.top - 2) % 3 == 0)
        state.play(.resize(GridSize(width: 15, height: 9)))
        #expect((state.scroll.top - 2) % 6 == 0 && state.isCursorVisible)
    }

    @Test func `C3: columns are paged too; a column wider than the pane has its own pages`() {
        var state = paged()
        state.play(.setWidth(3, .fixed(40)))
        #expect(state.layout.geometry.pageStarts == [0, 15, 30, 45, 61])
        var xs: [Int] = []
        for _ in 0..<5 {
            state.go(.pageRight)
            xs.append(state.scroll.x)
        }
        #expect(xs == [15, 30, 45, 61, 61] && state.cursor.column == 6)
        state.go(.column(1))
        #expect(state.scroll.x == 0)
        state.go(.column(3))
        #expect(state.scroll.x == 15)
        state.play(.scroll(items: 0, columns: 1))
        #expect(state.scroll.x == 30)
        state.go(.pageLeft, .pageLeft)
        #expect(state.scroll.x == 0)
    }

    @Test func `D4: without paging, a horizontal page consists of the fully visible columns`() {
        var state = grid("abcdefgh", frame: (17, 4))
        state.go(.right(1), .pageRight)
        #expect((state.scroll.x, state.cursor.column) == (15, 4))
        state.go(.pageRight)
        #expect((state.scroll.x, state.cursor.column) == (25, 6))
        state.go(.pageRight, .pageRight)
        #expect(state.cursor.column == 7)
        state.go(.pageLeft)
        #expect(state.isCursorVisible)
        state.go(.pageLeft, .pageLeft, .pageLeft)
        #expect((state.scroll.x, state.cursor.column) == (0, 0))
    }

    @Test func `C3: rows of several heights, and rows in sections, are not paged`() {
        var state = paged()
        state.play(.setRowHeight(RowID(3), 2))
        #expect(state.layout.pageSize == nil)
        state.go(.down(5))
        #expect(state.scroll.top > 0 && state.scroll.top < 5)
        #expect(grid("a", tree: sections("x 9")) { $0.isPaged = true }.layout.pageSize == nil)
    }

    @Test func `C3, C1: in a transposed table, pages of rows and columns start at multiples of the page size`() {
        var state = grid("abcdefgh", rows: 20, frame: (30, 5)) {
            $0.rowHeaderWidth = 4
            $0.isPaged = true
        }
        state.play(.setPresentation(.transposed))
        #expect(state.layout.pageSize == 3)
        func offsetsAndCursor(after actions: GridAction...) -> [Int] {
            for action in actions { state.play(action) }
            #expect(state.isCursorVisible)
            return [state.scroll.top, state.scroll.x, state.cursor.row ?? -1, state.cursor.column]
        }
        #expect(offsetsAndCursor(after: .scroll(items: 1, columns: 1)) == [3, 4, 3, 4])
        #expect(offsetsAndCursor(after: .move(.row(10))) == [9, 4, 10, 4])
        #expect(offsetsAndCursor(after: .move(.pageDown)) == [12, 4, 13, 4])
        #expect(offsetsAndCursor(after: .move(.column(2)), .move(.pageRight)) == [12, 4, 13, 6])
        #expect(offsetsAndCursor(after: .move(.bottom), .move(.pageLeft)) == [18, 0, 19, 2])
        #expect(offsetsAndCursor(after: .scroll(items: 0, columns: -4)) == [12, 0, 14, 2])
        #expect(offsetsAndCursor(after: .setLoader(GridLoader()), .move(.bottom)) == [18, 0, 19, 2] && state.layout.pageSize == 2)
        #expect(offsetsAndCursor(after: .setLoader(nil), .freeze(FrozenPanes(leading: 1, rows: 1)), .move(.row(10))) == [9, 0, 10, 2])
        #expect(offsetsAndCursor(after: .move(.column(5))) == [9, 3, 10, 5])
    }

    @Test func `C3, C5: cards are paged by whole lines, except in sections`() {
        var state = grid("abc", rows: 20, frame: (21, 8)) {
            $0.cards.width = 8
            $0.isPaged = true
        }
        state.play(.setPresentation(.cards))
        #expect(state.layout.pageSize == 4)
        func offsetsAndCursor(after actions: GridAction...) -> [Int] {
            for action in actions { state.play(action) }
            #expect(state.isCursorVisible)
            return [state.scroll.top, state.cursor.row ?? -1]
        }
        #expect(offsetsAndCursor(after: .scrollLines(1)) == [4, 4])
        #expect(offsetsAndCursor(after: .move(.row(10))) == [8, 10])
        #expect(offsetsAndCursor(after: .move(.pageDown)) == [12, 14])
        #expect(offsetsAndCursor(after: .move(.down(1))) == [16, 16])
        #expect(offsetsAndCursor(after: .move(.bottom), .move(.pageUp)) == [12, 15])
        #expect(offsetsAndCursor(after: .scroll(items: -3, columns: 0)) == [4, 7])
        #expect(offsetsAndCursor(after: .setLoader(GridLoader()), .move(.row(11))) == [10, 11] && state.layout.pageSize == 2)
        state.play(.setRows(.natural(count: 6), tree: sections("x 3\ny 3")))
        #expect(state.layout.pageSize == nil)
    }
}

extension GridState {
    fileprivate func playing(_ actions: GridAction...) -> GridState {
        var state = self
        for action in actions { state.play(action) }
        return state
    }
}
