import DataGrid
import Testing

private func titles(_ state: GridState) -> String { state.columns.visible.map(\.title).joined() }

@Suite struct DragTests {
    private func large() -> GridState { grid("abcdefgh", rows: 50, frame: (20, 8)) }

    @Test func `A17: dragging a header by two or more cells moves its column to the drop position`() {
        var state = large()
        #expect(state.drag((1, 0), (3, 0), (12, 0)) == [.columnMoved(0, from: 0, to: 2)])
        #expect(titles(state) == "bcadefgh")
        #expect(state.drag((11, 0), (0, 0)) == [.columnMoved(0, from: 2, to: 0)])
        #expect(titles(state) == "abcdefgh")
        #expect(state.drag == nil)
        #expect(state.cursor.column == 0)
    }

    @Test func `A17: a drag of less than two cells sorts like a click, and a longer drag back to its start does nothing`() {
        var state = large()
        #expect(state.drag((6, 0), (7, 0)) == [.headerActivated(1, isAdding: false)])
        #expect(state.drag((6, 0), (6, 0), press: PointerPress(isAdding: true)) == [.headerActivated(1, isAdding: true)])
        #expect(state.drag((6, 0), (11, 0), (6, 0)) == [])
        #expect(state.drag((6, 0), press: PointerPress(.secondary)) == [.headerMenuRequested(1)])
        #expect(titles(state) == "abcdefgh")
    }

    @Test func `A17: a column that is not reorderable can be clicked, but not dragged`() {
        var state = large()
        var column = state.columns[1]
        column.isReorderable = false
        state.play(.updateColumn(column))
        #expect(state.drag((6, 0), (7, 0)) == [.headerActivated(1, isAdding: false)])
        #expect(state.drag((6, 0), (16, 0)) == [.moveRefused(.column(1))])
        #expect(state.drag((6, 0), (16, 0), (6, 0)) == [.moveRefused(.column(1))], "a drag that returns is no click")
        let press = PointerPress(permittedDirections: [])
        #expect(state.drag((1, 0), (12, 0), press: press) == [.moveRefused(.column(0))] && titles(state) == "abcdefgh")
    }

    @Test(
        arguments: [
            [(1, 0), (19, 0)], [(4, 0), (12, 0)], [(1, 2), (14, 7)], [(1, 2), (19, 7)], [(10, 0), (0, 0)],
        ])
    func `A17: a cancelled drag of any kind leaves no trace`(points: [(Int, Int)]) {
        for button in [PointerPress.Button.primary, .middle] {
            var state = large()
            state.go(.row(20), .column(4))
            state.play(.move(.up(1), extending: true))
            let before = state
            state.play(.pointerDown(GridPoint(points[0]), PointerPress(button)))
            for point in points { state.play(.pointerMoved(GridPoint(point))) }
            for _ in 0..<5 { state.play(.dragTick) }
            #expect(state != before)
            state.play(.cancelDrag)
            #expect(state == before)
            #expect(state.play(.pointerMoved(GridPoint(x: 9, y: 5)), .pointerUp(GridPoint(x: 9, y: 5)), .dragTick) == [])
            #expect(state == before)
        }
    }

    @Test func `A17: holding a drag at an edge scrolls the columns, and the drop uses the new position`() {
        var state = large()
        state.play(.pointerDown(GridPoint(x: 1, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 19, y: 0)))
        #expect(state.drag?.needsTicks == true)
        for x in [5, 10, 15, 20, 20] {
            state.play(.dragTick)
            #expect(state.scroll.x == x)
        }
        #expect(state.play(.pointerUp(GridPoint(x: 19, y: 0))) == [.columnMoved(0, from: 0, to: 7)])
        state.play(.pointerDown(GridPoint(x: 16, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 0, y: 0)))
        for _ in 0..<9 { state.play(.dragTick) }
        state.play(.pointerUp(GridPoint(x: 0, y: 0)))
        #expect(titles(state) == "abcdefgh")
    }

    @Test func `D5: a drag of a column edge resizes the column, and a double click fits it`() {
        var state = large()
        #expect(state.drag((4, 0), (7, 0)) == [.columnResized(0, width: 7)])
        #expect(state.drag((7, 0), (0, 0)) == [.columnResized(0, width: 3)])
        #expect(state.drag((3, 0), press: PointerPress(clicks: 2)) == [.columnFitRequested(0)])
        state.go(.column(3))
        let x = state.scroll.x
        state.play(.pointerDown(GridPoint(x: 3, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 15, y: 0)))
        #expect(state.scroll.x == x, "the edge stays under the pointer")
        #expect(state.columns[0].width == .fixed(15))
    }

    @Test func `A10: a drag over cells selects a block; a press alone moves the cursor`() {
        var state = large()
        state.drag((6, 2), (6, 2))
        #expect(state.cursor == GridCursor(item: .row(1), column: 1))
        #expect(state.selection.isEmpty)
        #expect(state.drag((6, 2), (12, 4)) == [.selectionChanged])
        #expect(state.selection.blocks == [SelectionBlock(rows: 1..<4, columns: [1, 2])])
        state.drag((1, 5), (1, 6), press: PointerPress(isAdding: true))
        #expect(state.selection.blocks == [SelectionBlock(rows: 1..<4, columns: [1, 2]), SelectionBlock(rows: 4..<6, columns: [0])])
        state.drag((6, 6), press: PointerPress(isExtending: true))
        #expect(state.selection.blocks.last == SelectionBlock(rows: 4..<6, columns: [0, 1]))
        state.drag((1, 1))
        #expect(state.selection.isEmpty)
    }

    @Test func `A10: a drag held at the lower edge scrolls at each tick, and not between ticks`() {
        var state = large()
        state.play(.pointerDown(GridPoint(x: 1, y: 5), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 7)))
        #expect(state.cursor.item == .row(6))
        for _ in 0..<3 { state.play(.dragTick) }
        #expect(state.cursor.item == .row(9))
        #expect(state.selection.blocks == [SelectionBlock(rows: 4..<10, columns: [0])])
        state.play(.pointerMoved(GridPoint(x: 1, y: 0)))
        for _ in 0..<20 { state.play(.dragTick) }
        #expect(state.selection.blocks == [SelectionBlock(rows: 0..<5, columns: [0])])
    }

    @Test func `A10: a drag over a sticky header continues row by row`() {
        var state = grid("a", frame: (8, 8), tree: sections("x 40"))
        state.go(.row(30))
        state.play(.pointerDown(GridPoint(x: 1, y: 5), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 1)))
        let top = state.cursor.row!
        #expect(top == state.scroll.top)
        state.play(.dragTick, .dragTick)
        #expect(state.cursor.row == top - 2)
    }

    @Test func `A10: a click on a row header selects the row, and a click on the corner selects everything`() {
        var state = grid("abc", rows: 9, frame: (20, 8)) { $0.rowHeaderWidth = 5 }
        state.drag((1, 2), (1, 4))
        #expect(state.selection.blocks == [SelectionBlock(rows: 1..<4, columns: nil)])
        state.drag((1, 6), press: PointerPress(isAdding: true))
        #expect(state.selection.blocks == [SelectionBlock(rows: 1..<4, columns: nil), SelectionBlock(rows: 5..<6, columns: nil)])
        state.drag((1, 7), press: PointerPress(isExtending: true))
        #expect(state.selection.blocks.last == SelectionBlock(rows: 5..<7, columns: nil))
        state.drag((1, 0))
        #expect(state.selection == .all)
        state.play(.setSelectionMode(.none))
        state.drag((1, 2), (1, 4))
        #expect(state.selection.isEmpty)
    }

    @Test func `A15: the toggle of a nested section is hit where it is drawn, with a tolerance of one cell on both sides`() {
        var state = grid("ab", frame: (12, 8), tree: sections("x\n  p 3\n  q 3"))
        #expect((0..<12).filter { state.layout.hit(GridPoint(x: $0, y: 2)) == .sectionHeader(1, onToggle: true) } == [1, 2, 3])
        #expect(state.drag((3, 2)) == [.sectionCollapsed(1)])
        #expect(state.drag((1, 2)) == [.sectionExpanded(1)])
        #expect(state.drag((0, 2)) == [] && state.cursor.item == .header(1))
    }

    @Test func `A11: a right click changes nothing; on a title, its edge or a row, it requests the menu`() {
        var state = grid("ab", frame: (14, 8), tree: sections("x 3\ny 3")) { $0.rowHeaderWidth = 4 }
        state.play(.moveCursor(GridCursor(item: .row(1))), .move(.down(1), extending: true))
        let before = state
        let clicked: [(Int, Int, [GridEvent])] = [
            (0, 1, []), (9, 1, []), (1, 0, []), (6, 2, [.rowMenuRequested(0, 0)]), (1, 2, [.rowMenuRequested(0, nil)]),
            (13, 7, [.rowMenuRequested(4, 1)]),
        ]
        for (x, y, events) in clicked {
            for clicks in 1...2 {
                #expect(state.drag((x, y), (x + 1, y + 2), press: PointerPress(.secondary, clicks: clicks)) == events)
                #expect(state == before, "at \(x), \(y)")
            }
        }
        #expect(state.drag((8, 0), press: PointerPress(.secondary)) == [.headerMenuRequested(0)])
        #expect(state.drag((9, 0), press: PointerPress(.secondary)) == [.headerMenuRequested(1)])
        #expect(state.drag((8, 0), press: PointerPress(.secondary, clicks: 2)) == [.headerMenuRequested(0)])
    }

    @Test func `A13: the middle button pans the grid with the pointer, within the bounds of the grid`() {
        var state = large()
        state.drag((10, 5), (4, 2), press: PointerPress(.middle))
        #expect((state.scroll.top, state.scroll.x) == (3, 6))
        state.drag((1, 1), (90, 90), press: PointerPress(.middle))
        #expect(state.scroll == GridScroll())
    }

    @Test func `A11: a double click on a cell is reported, and on a section header it collapses the section`() {
        var state = grid("ab", frame: (12, 8), tree: sections("x 3\ny 3"))
        #expect(state.drag((6, 2), press: PointerPress(clicks: 2)) == [.cellActivated(0, 1)])
        #expect(state.drag((0, 1)) == [.sectionCollapsed(0)])
        #expect(state.drag((7, 1)) == [])
        #expect(state.drag((2, 1)) == [], "on the name")
        #expect(state.cursor.item == .header(0))
        #expect(state.drag((7, 1), press: PointerPress(clicks: 2)) == [.sectionExpanded(0)])
    }
}
