import DataGrid
import Testing

@Suite struct HeaderTests {
    @Test func `C6: column headers that are not sticky scroll with the first row`() {
        var state = grid("ab", rows: 20, frame: (12, 6)) { $0.hasStickyColumnHeaders = false }
        state.go(.down(4))
        #expect(sketch(state) == "a    b\n0a   0b\n1a   1b\n2a   2b\n3a   3b\n4A   4b")
        state.go(.down(1))
        #expect(sketch(state) == "1a   1b\n2a   2b\n3a   3b\n4a   4b\n5A   5b\n6a   6b")
        #expect(state.layout.headerHeight == 0 && state.layout.hit(GridPoint(x: 0, y: 0)) == .cell(row: 1, column: 0))
        state.go(.bottom)
        #expect(sketch(state).hasPrefix("14a") && sketch(state).hasSuffix("19A  19b"))
        state.go(.top)
        #expect(sketch(state).hasPrefix("a    b\n0A"))
        state.play(.scrollLines(2))
        #expect(sketch(state).hasPrefix("2A"))
        state.play(.scrollLines(-2))
        #expect(sketch(state).hasPrefix("a    b\n0a"))
    }

    @Test(arguments: [GridMotion.pageDown, .pageUp], [1, 5])
    func `C6, D4: page keys skip no row while the header scrolls away`(motion: GridMotion, header: Int) {
        var state = grid("ab", rows: 43, frame: (12, 11)) {
            $0.hasStickyColumnHeaders = false
            $0.headerHeight = header
        }
        if motion == .pageUp { state.go(.bottom) }
        var seen: Set<Int> = []
        for _ in 0..<10 {
            seen.formUnion(state.layout.itemSpans.filter(\.isWhole).map(\.index))
            state.go(motion)
        }
        #expect(seen.count == 43)
    }

    @Test func `C6: with frozen rows, the header scrolls away and the frozen rows stay`() {
        var state = grid("ab", rows: 20, frame: (12, 6)) { $0.hasStickyColumnHeaders = false }
        state.play(.freeze(FrozenPanes(rows: 1)))
        state.go(.down(9))
        #expect(sketch(state) == "0a   0b    =\n5a   5b\n6a   6b\n7a   7b\n8a   8b\n9A   9b")
    }

    @Test func `C6: row headers that are not sticky scroll with the first column`() {
        var state = grid("abcdef", rows: 3, frame: (20, 4)) {
            $0.rowHeaderWidth = 5
            $0.hasStickyRowHeaders = false
        }
        #expect(sketch(state).hasPrefix("     a    b    c\n     0A"))
        #expect(state.layout.hit(GridPoint(x: 4, y: 2)) == .rowHeader(.row(1)) && state.layout.hit(GridPoint(x: 4, y: 0)) == .corner)
        state.play(.scroll(items: 0, columns: 1))
        #expect(sketch(state).hasPrefix("a    b    c    d\n0A"))
        #expect(state.layout.rowHeaderWidth == 0 && state.layout.hit(GridPoint(x: 3, y: 2)) == .cell(row: 1, column: 0))
        state.go(.lastColumn)
        #expect(sketch(state).hasPrefix("c    d    e    f\n"))
        state.go(.firstColumn)
        #expect(sketch(state).hasPrefix("     a    b    c\n     0A"))
        // A shorter drag leaves a part visible.
        state.play(.pointerDown(GridPoint(x: 9, y: 2), PointerPress(.middle)), .pointerMoved(GridPoint(x: 7, y: 2)))
        #expect(state.layout.rowHeaderWidth == 3 && state.layout.columns[0].x == 3)
        // Row headers do not scroll away if columns are frozen.
        state.play(.cancelDrag, .freeze(FrozenPanes(leading: 1)), .move(.lastColumn))
        #expect(state.layout.rowHeaderWidth == 5 && state.layout.columns[0].x == 5)
    }

    @Test func `C6: title lines are added to the line of types if there is room`() {
        var state = grid("ab", frame: (12, 30)) {
            $0.headerHeight = 2
            $0.titleLines = 3
        }
        #expect((state.layout.headerHeight, state.layout.titleLines) == (4, 3))
        state.metrics.headerHeight = 6
        #expect((state.layout.headerHeight, state.layout.titleLines) == (6, 5))
        state.metrics.headerHeight = 0
        #expect((state.layout.headerHeight, state.layout.titleLines) == (0, 0))
    }
}
