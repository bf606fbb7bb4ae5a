import DataGrid
import Testing

@Suite struct LoaderTests {
    @Test func `C4: the loader is shown after the last row, does not count as a row, and ends with the data`() {
        var state = grid("ab", rows: 20, frame: (12, 6))
        state.play(.setLoader(GridLoader()))
        #expect(!sketch(state).contains("%"))
        state.go(.bottom)
        #expect(sketch(state).hasSuffix("18a  18b\n19A  19b\n%"))
        #expect(state.cursor.row == 19 && state.rows.count == 20)
        state.go(.down(1))
        #expect(state.cursor.row == 19)
        #expect(state.layout.hit(GridPoint(x: 1, y: 5)) == .nothing)
        state.play(.selectAll)
        #expect(state.selectedRows().count == 20)
        state.play(.growRows(.natural(count: 22)))
        #expect(sketch(state).hasSuffix("19A* 19b*\n20a* 20b*"))
        state.go(.bottom)
        state.play(.setLoader(nil))
        #expect(sketch(state).hasSuffix("20a* 20b*\n21A* 21b*") && state.layout.strips.isEmpty)
        #expect(sketch(grid("ab", rows: 0, frame: (12, 4)).with(GridLoader())) == "a    b\n%\n\n")
    }

    @Test(arguments: 3...14) func `C4: with sections, row heights and frozen rows, the last row and the loader are visible`(height: Int) {
        for tree in [nil, sections("p\n  x 6\n  y 6")] {
            var state = grid("ab", rows: 12, frame: (12, height), tree: tree)
            state.play(.setLoader(GridLoader()), .setRowHeight(RowID(11), 2), .freeze(FrozenPanes(rows: 1)))
            state.go(.bottom)
            #expect(state.isCursorVisible)
            #expect(height < 7 || sketch(state).hasSuffix("%"))
        }
    }

    @Test(arguments: [nil, 8]) func `C4, C5: the loader follows the last line of cards, and is visible with the last card`(width: Int?) {
        for tree in [nil, sections("p\n  x 6\n  y 6")] {
            for height in 3...14 {
                var state = grid("abc", rows: 12, frame: (21, height), tree: tree) { $0.cards.width = width }.with(GridLoader())
                state.play(.setPresentation(.cards))
                #expect(state.layout.strips.isEmpty)
                state.go(.bottom)
                #expect(state.isCursorVisible && state.cursor.item == .row(11))
                let end = state.layout.tiles.map { $0.y + $0.height }.max()!
                #expect(height < 7 || state.layout.strips.map(\.range) == [end + 1..<end + 2])
                if let strip = state.layout.strips.first { #expect(state.layout.hit(GridPoint(x: 3, y: strip.y)) == .nothing) }
                state.play(.setLoader(nil))
                #expect(state.layout.strips.isEmpty)
            }
        }
        var none = grid("abc", rows: 0, frame: (21, 9)).with(GridLoader())
        #expect(none.play(.setPresentation(.cards)) == [.presentationChanged] && none.layout.strips.map(\.y) == [0])
    }

    @Test func `C4, C1: in a transposed table, the loader is next to the last row, like another row`() {
        var state = grid("abc", rows: 12, frame: (30, 5)) { $0.rowHeaderWidth = 4 }.with(GridLoader())
        state.play(.setPresentation(.transposed))
        #expect(state.layout.strips.isEmpty)
        state.go(.bottom)
        #expect(state.layout.tiles.map(\.x) == [3, 12] && state.isCursorVisible)
        let strip = state.layout.strips.first
        #expect(strip?.kind == .loader && strip?.range == 1..<5 && strip?.columns == 21..<29)
        #expect(state.layout.hit(GridPoint(x: 22, y: 2)) == .nothing && state.visibleRows == [10, 11])
        state.play(.setLoader(nil))
        #expect(state.layout.strips.isEmpty && state.layout.tiles.count == 3)
        var narrow = grid("abc", rows: 12, frame: (11, 5)).with(GridLoader())
        narrow.play(.setPresentation(.transposed), .move(.bottom))
        #expect(narrow.isCursorVisible && narrow.layout.strips.isEmpty)
        var near = grid("abc", rows: 100, frame: (30, 5)).with(GridLoader())
        near.play(.setPresentation(.transposed))
        #expect(near.play(.move(.row(90))) == [] && near.play(.move(.row(98))) == [.endOfDataNear])
    }

    @Test func `C4: the animation of the loader advances with timer ticks only`() {
        var state = grid().with(GridLoader("more"))
        state.play(.tickLoader, .tickLoader, .move(.down(3)), .setLoader(GridLoader("still more")))
        #expect((state.loader?.tick, state.loader?.text) == (2, "still more"))
        state.play(.setLoader(nil), .tickLoader)
        #expect(state.loader == nil)
    }

    @Test func `C4: the grid reports once that the end is near, a page before it, and again after more rows`() {
        var state = grid("ab", rows: 100, frame: (12, 11))
        #expect(state.play(.move(.row(95))) == [])
        state.go(.top)
        #expect(state.play(.setLoader(GridLoader()), .move(.row(78))) == [])
        #expect(state.play(.move(.row(88))) == [])
        #expect(state.play(.move(.row(89))) == [.endOfDataNear])
        #expect(state.play(.move(.bottom), .move(.top), .move(.bottom)) == [])
        #expect(state.play(.growRows(.natural(count: 105))) == [.endOfDataNear])
        #expect(state.play(.growRows(.natural(count: 200)), .move(.row(150))) == [])
        #expect(state.play(.scroll(items: 99, columns: 0)) == [.endOfDataNear])
        // If all rows fit on the screen, the near end is reported at once.
        var few = grid("ab", rows: 3, frame: (12, 11))
        #expect(few.play(.setLoader(GridLoader())) == [.endOfDataNear])
    }

    @Test func `C4: appended rows count as more rows even if the same number of rows was removed at the top`() {
        var state = grid("ab", rows: 100, frame: (12, 11)).with(GridLoader())
        #expect(state.play(.move(.bottom)) == [.endOfDataNear])
        #expect(state.play(.growRows(.natural(count: 150)), .removeRows(0..<50, renumbering: true)) == [])
        #expect(state.rows.count == 100 && state.play(.move(.bottom)) == [.endOfDataNear])
        #expect(state.play(.removeRows(0..<50, renumbering: true), .move(.top), .move(.bottom)) == [])
    }

    @Test(arguments: [GridPresentation.table, .transposed])
    func `C4, A15: rows appended after many small sections do not scroll the grid`(presentation: GridPresentation) {
        func tree(_ count: Int) -> SectionTree { sections((0..<count).map { "s\($0) 1" }.joined(separator: "\n")) }
        var state = grid("a", rows: 12, tree: tree(12))
        state.play(.setPresentation(presentation), .move(.bottom))
        let top = state.scroll.top
        state.play(.growRows(.natural(count: 30), tree: tree(30)))
        #expect(top > 12 && state.scroll.top == top && state.cursor.row == 11 && state.isCursorVisible)
    }

    @Test func `C4: with paging, every page leaves room for the loader`() {
        var state = grid("ab", rows: 8, frame: (12, 6)) { $0.isPaged = true }.with(GridLoader())
        #expect(state.layout.pageSize == 4)
        state.go(.bottom)
        #expect(sketch(state) == "a    b\n4a   4b\n5a   5b\n6a   6b\n7A   7b\n%")
    }
}

extension GridState {
    fileprivate func with(_ loader: GridLoader) -> GridState {
        var state = self
        state.play(.setLoader(loader))
        return state
    }
}
