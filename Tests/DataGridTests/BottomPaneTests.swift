import DataGrid
import Foundation
import Testing

@Suite struct BottomPaneTests {
    @Test func `A8: bottom frozen rows and totals stay while the other rows scroll`() {
        var state = grid("ab", rows: 20, frame: (12, 11)) { $0.showsTotals = true }
        state.play(.freeze(FrozenPanes(rows: 1, bottom: 2)))
        #expect(
            sketch(state) == """
                a    b
                0A   0b    =
                1a   1b
                2a   2b
                3a   3b
                4a   4b
                5a   5b
                ---
                18a  18b   =
                19a  19b   =
                Σ
                """)
        #expect(state.layout.strips.map(\.kind) == [.bottomEdge, .totals])
        // The cursor moves through all scrolling rows, then into the frozen ones.
        state.go(.down(17))
        #expect(state.scroll.top == 13 && sketch(state).contains("17A  17b\n---\n18a"))
        state.go(.down(1))
        #expect(state.cursor.row == 18 && state.scroll.top == 13 && sketch(state).contains("17a  17b\n---\n18A"))
        state.go(.top)
        #expect(state.isCursorVisible && state.scroll.top == 1 && state.layout.itemSpans.last?.index == 19)
        state.go(.row(7), .pageDown)
        #expect(state.cursor.row == 12 && state.scroll.top == 8)
        // A frame with few lines has no line for the rule.
        state.play(.resize(GridSize(width: 12, height: 8)))
        #expect(state.layout.strips.map(\.kind) == [.totals] && state.layout.bottomItemCount == 2)
    }

    @Test(
        arguments: [
            (13, 3, 3, true, []), (12, 3, 2, true, .bottom), (9, 3, 1, true, .bottom), (7, 3, 0, true, .bottom),
            (6, 2, 0, true, [.top, .bottom]), (3, 0, 0, true, [.top, .bottom]), (2, 0, 0, false, [.top, .bottom]),
        ] as [(Int, Int, Int, Bool, FrozenSides)])
    func `A8: frozen rows scroll if less than a third of the lines would be left, and the grid reports it`(
        height: Int, top: Int, bottom: Int, totals: Bool, sides: FrozenSides
    ) {
        var state = grid("ab", rows: 20, frame: (12, height)) { $0.showsTotals = true }
        state.play(.freeze(FrozenPanes(rows: 3, bottom: 3)))
        let layout = state.layout
        #expect(layout.frozenItemCount == top && layout.bottomItemCount == bottom)
        #expect(layout.strips.contains { $0.kind == .totals } == totals)
        #expect(layout.overflowingSides == sides && layout.isOverflowing == !sides.isEmpty)
        #expect(layout.pane.count * 3 >= height - layout.headerHeight)
        for motion in [GridMotion.bottom, .top, .row(9)] {
            state.go(motion)
            #expect(state.isCursorVisible)
        }
        state.play(.freeze(FrozenPanes()))
        #expect(state.layout.overflowingSides == (totals ? [] : .bottom), "the same with totals only")
    }

    @Test(
        arguments: [
            (15, 8, [0, 0, 3, 1], false, [.top, .bottom]), (18, 8, [0, 0, 3, 1], false, [.top, .bottom]),
            (60, 8, [2, 1, 3, 1], true, .bottom), (80, 5, [2, 2, 3, 0], true, .trailing),
            (80, 2, [2, 2, 1, 0], true, [.leading, .trailing]), (80, 12, [2, 2, 3, 1], true, []),
        ] as [(Int, Int, [Int], Bool, FrozenSides)])
    func `A8, C1: in a transposed table, frozen panes scroll if less than a third of the room would be left`(
        width: Int, height: Int, frozen: [Int], totals: Bool, sides: FrozenSides
    ) {
        var state = grid("abcdefgh", rows: 20, frame: (width, height)) { $0.showsTotals = true }
        state.play(.setPresentation(.transposed), .freeze(FrozenPanes(leading: 3, trailing: 1, rows: 2, bottom: 2)))
        let layout = state.layout
        func fields(_ pane: GridPane) -> Int { layout.fields.count { $0.pane == pane } }
        #expect([layout.frozenItemCount, layout.bottomItemCount, fields(.leading), fields(.trailing)] == frozen)
        #expect(layout.tiles.filter(\.isFrozenOrStuck).map(\.index) == Array(0..<frozen[0]) + Array(20 - frozen[1]..<20))
        #expect(layout.strips.contains { $0.kind == .totals } == totals && layout.overflowingSides == sides)
        for motion in [GridMotion.bottom, .lastColumn, .top, .row(9), .column(4)] {
            state.go(motion)
            #expect(state.isCursorVisible)
        }
    }

    @Test func `A8: the grid reports on which side frozen columns do not fit`() {
        var state = grid("abcdefgh", frame: (15, 8))
        state.play(.freeze(FrozenPanes(leading: 3, trailing: 1)))
        #expect(state.layout.overflowingSides == [.leading, .trailing])
        state.play(.resize(GridSize(width: 29, height: 8)))
        #expect(state.layout.overflowingSides == .trailing)
        state.play(.resize(GridSize(width: 40, height: 8)))
        #expect(state.layout.overflowingSides == [] && !state.layout.isOverflowing)
    }

    @Test func `A8: a click on the totals does nothing, and a click on a bottom frozen row acts like on other rows`() {
        var state = grid("ab", rows: 20, frame: (12, 6)) { $0.showsTotals = true }
        state.play(.freeze(FrozenPanes(bottom: 1)))
        #expect(state.layout.hit(GridPoint(x: 1, y: 5)) == .nothing)
        #expect(state.layout.hit(GridPoint(x: 1, y: 4)) == .cell(row: 19, column: 0))
        state.drag((1, 5), (1, 5))
        #expect(state.cursor.row == 0)
        state.drag((1, 4), (1, 4))
        #expect(state.cursor.row == 19 && state.scroll.top == 0)
        // A selection held at the end of the pane keeps scrolling.
        state.drag((1, 1), (1, 2))
        state.play(.pointerDown(GridPoint(x: 1, y: 1), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 3)), .dragTick)
        #expect(state.cursor.row == 3 && state.scroll.top == 1)
    }

    @Test func `A8: the bottom frozen rows are the last rows, even with sections and row heights`() {
        var state = grid("a", frame: (8, 9), tree: sections("x 3\ny 3"))
        state.play(.freeze(FrozenPanes(bottom: 2)), .setRowHeight(RowID(5), 2))
        #expect(sketch(state) == "a\n▾ X\n0a\n1a\n2a\n▾ y\n4a     =\n5a     =\n")
        state.play(.toggleSection(1))
        #expect(sketch(state) == "a\n▾ X\n0a\n1a\n\n\n\n2a     =\n▸ y    =")
    }

    @Test func `A18: a saved view keeps the bottom frozen rows, and an older view has no such rows`() throws {
        var state = grid("abcd", rows: 20)
        state.play(.freeze(FrozenPanes(leading: 1, rows: 2, bottom: 3)))
        let view = state.savedView
        state.play(.freeze(FrozenPanes()), .restore(view))
        #expect(state.frozen == FrozenPanes(leading: 1, rows: 2, bottom: 3))
        let old = try JSONDecoder().decode(FrozenPanes.self, from: Data(#"{"leading":1,"trailing":0,"rows":2}"#.utf8))
        #expect(old == FrozenPanes(leading: 1, rows: 2))
        #expect(try JSONDecoder().decode(FrozenPanes.self, from: JSONEncoder().encode(state.frozen)) == state.frozen)
    }
}
