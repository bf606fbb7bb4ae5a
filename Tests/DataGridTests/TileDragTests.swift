import DataGrid
import Testing

/// Dragging columns and rows on cards and in transposed tables.
@Suite struct TileDragTests {
    private func rows(_ state: GridState) -> [Int] { (0..<state.rows.count).map { state.rows[$0].rawValue } }

    private func transposed(_ names: String = "abc", _ count: Int = 9, frame: (Int, Int) = (30, 5)) -> GridState {
        var state = grid(names, rows: count, frame: frame) { $0.rowHeaderWidth = 4 }
        state.interaction.allowsRowReordering = true
        state.play(.setPresentation(.transposed))
        return state
    }

    /// Two cards side by side, three lines each, with a blank line between them.
    private func cards(_ count: Int = 9, tree: SectionTree? = nil) -> GridState {
        var state = grid("abc", rows: count, frame: (21, 7), tree: tree) { $0.cards.width = 8 }
        state.interaction.allowsRowReordering = true
        state.play(.setPresentation(.cards))
        return state
    }

    // MARK: Transposed

    @Test func `A17, C1: in a transposed table, a vertical drag of a title moves its column; a sideways drag is a click`() {
        var state = transposed()
        #expect(state.drag((1, 1), (1, 3)) == [.columnMoved(0, from: 0, to: 2)])
        #expect(state.columns.visible.map(\.id) == [1, 2, 0])
        #expect(state.drag((1, 3), (1, 2), (1, 1)) == [.columnMoved(0, from: 2, to: 0)])
        #expect(state.drag((0, 1), (2, 1)) == [.headerActivated(0, isAdding: false)])
        #expect(state.drag((1, 1), (1, 3), (1, 1)).isEmpty && state.columns.visible.map(\.id) == [0, 1, 2])
        var fixed = state.columns[0]
        fixed.isReorderable = false
        state.play(.updateColumn(fixed))
        #expect(state.drag((1, 1), (1, 1)) == [.headerActivated(0, isAdding: false)])
        #expect(state.drag((1, 1), (1, 3)) == [.moveRefused(.column(0))])
        #expect(state.drag((1, 2), (1, 4), press: PointerPress(permittedDirections: .rows)) == [.moveRefused(.column(1))])
    }

    @Test func `A17, C1: in a transposed table, a title dragged to an edge scrolls columns; cancelling leaves no trace`() {
        var state = transposed("abcdefgh", frame: (30, 4))
        let before = state
        state.play(.pointerDown(GridPoint(x: 1, y: 1), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 3)), .dragTick, .dragTick)
        #expect(state.scroll.x == 2 && state.columns.visible.map(\.id) == before.columns.visible.map(\.id))
        var cancelled = state
        cancelled.play(.cancelDrag)
        #expect(cancelled == before)
        state.play(.pointerUp(GridPoint(x: 1, y: 3)))
        #expect(state.columns.visible.map(\.id) == [1, 2, 3, 4, 0, 5, 6, 7])
        state.play(.scroll(items: 9, columns: 0), .pointerDown(GridPoint(x: 1, y: 3), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 1)))
        for _ in 0..<9 { state.play(.dragTick) }
        #expect(state.scroll.x == 0)
        state.play(.pointerUp(GridPoint(x: 1, y: 1)))
        #expect(state.columns.visible.first?.id == 7)
    }

    @Test func `A17, C1: in a transposed table, a sideways drag of a row header moves the row within its section`() {
        var state = transposed()
        #expect(state.drag((4, 0), (22, 0)) == [.rowsMoved(0..<1, to: 2)])
        #expect(rows(state) == [1, 2, 0, 3, 4, 5, 6, 7, 8] && state.cursor.item == .row(2))
        #expect(state.drag((22, 0), (4, 3)) == [.rowsMoved(2..<3, to: 0)])
        state.play(.pointerDown(GridPoint(x: 4, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 29, y: 0)))
        for _ in 0..<3 { state.play(.dragTick) }
        #expect(state.scroll.top == 3)
        state.play(.pointerUp(GridPoint(x: 29, y: 0)))
        #expect(rows(state) == [1, 2, 3, 4, 5, 0, 6, 7, 8])
        state = transposed()
        state.interaction.allowsRowReordering = false
        state.drag((4, 0), (22, 0))
        #expect(rows(state) == Array(0..<9) && state.selectedRows() == [0, 1, 2])
    }

    @Test func `A17, C1: in a transposed table, an Alt drag moves the cell's row sideways and its column vertically`() {
        let press = PointerPress(isAdding: true, isMoving: true, permittedDirections: .both)
        var state = transposed()
        #expect(state.drag((5, 1), (14, 1), press: press) == [.rowsMoved(0..<1, to: 1)])
        #expect(state.drag((5, 1), (5, 2), press: press) == [.columnMoved(0, from: 0, to: 1)])
    }

    // MARK: Cards

    @Test func `A17, C5: dragging the cursor's card moves its row where allowed, and a click remains a click`() {
        var state = cards()
        #expect(state.drag((2, 0), (12, 1)) == [.rowsMoved(0..<1, to: 1)])
        #expect(rows(state) == [1, 0, 2, 3, 4, 5, 6, 7, 8] && state.cursor.item == .row(1) && state.selection.isEmpty)
        #expect(state.drag((12, 0), (3, 5)) == [.rowsMoved(1..<2, to: 2)])
        #expect(state.drag((3, 5), (3, 0)) == [.rowsMoved(2..<3, to: 0)])
        let before = rows(state)
        state.drag((13, 5))
        state.drag((13, 5), (14, 5))
        #expect(rows(state) == before && state.cursor.item == .row(3) && state.selection.isEmpty, "it is a click")
        state.interaction.allowsRowReordering = false
        state.drag((2, 0), (12, 1))
        #expect(rows(state) == before && state.selectedRows() == before.prefix(2).map { RowID($0) })
        state.play(.clearSelection, .move(.row(0)))
        #expect(state.drag((2, 0), (12, 1), press: PointerPress(permittedDirections: .rows)) == [.rowsMoved(0..<1, to: 1)])
        #expect(state.drag((12, 0), (2, 1), press: PointerPress(permittedDirections: .columns)).first == .selectionChanged)
    }

    @Test func `A17, C5: selected cards are dragged together; Shift extends the selection as usual`() {
        var state = cards()
        state.play(.setSelectionMode(.rows))
        state.drag((2, 0))
        state.drag((12, 0), press: PointerPress(isExtending: true))
        #expect(state.selectedRows() == [0, 1])
        #expect(state.drag((12, 1), (12, 5)) == [.rowsMoved(0..<2, to: 2), .selectionChanged])
        #expect(rows(state) == [2, 3, 0, 1, 4, 5, 6, 7, 8] && state.selectedRows() == [0, 1])
    }

    @Test func `A17, C5: a dragged card stays in its section and scrolls at an edge, and cancelling leaves no trace`() {
        var state = cards(7, tree: sections("x 3\ny 4"))
        state.play(.resize(GridSize(width: 21, height: 20)))
        state.go(.row(0))
        state.drag((2, 1), (12, 12))
        #expect(rows(state) == [1, 2, 0, 3, 4, 5, 6])
        state = cards(50)
        let before = state
        state.play(.pointerDown(GridPoint(x: 2, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 2, y: 6)))
        for _ in 0..<3 { state.play(.dragTick) }
        #expect(state.scroll.top == 6 && state.rows == before.rows && state.drag?.needsTicks == true)
        var cancelled = state
        cancelled.play(.cancelDrag)
        #expect(cancelled == before)
        state.play(.pointerUp(GridPoint(x: 2, y: 6)))
        #expect(state.rows[8] == 0 && state.isCursorVisible)
    }

    @Test func `A11, A17: if clicks edit, a click on a draggable card edits, too`() {
        var state = cards()
        var column = state.columns[0]
        column.isEditable = true
        state.play(.updateColumn(column))
        state.interaction.singleClick = .edit
        #expect(state.drag((12, 0)) == [.editRequested(1, 0, typed: nil)])
        #expect(state.drag((12, 0), (2, 0)) == [.rowsMoved(1..<2, to: 0)])
    }
}
