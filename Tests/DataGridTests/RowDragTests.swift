import DataGrid
import Testing

/// An order of these rows.
private func order(_ rows: [UInt32]) -> RowOrder { .permuted(RowPermutation(rows)) }

/// Dragging rows by their headers, where that is allowed.
@Suite struct RowDragTests {
    private func rows(_ state: GridState) -> [Int] { (0..<state.rows.count).map { state.rows[$0].rawValue } }

    private func open(_ count: Int = 9, frame: (Int, Int) = (14, 8), tree: SectionTree? = nil) -> GridState {
        var state = grid("ab", rows: count, frame: frame, tree: tree) { $0.rowHeaderWidth = 4 }
        state.interaction.allowsRowReordering = true
        return state
    }

    @Test func `A17: rows at the end of their section cannot move further, and the refusal is reported`() {
        var state = open(5, tree: sections("x 3\ny 2"))
        state.go(.row(1))
        #expect(state.play(.moveCurrentRows(by: 1)) == [.rowsMoved(1..<2, to: 2)])
        #expect(state.play(.moveCurrentRows(by: 1)) == [.moveRefused(.rows(2..<3))] && rows(state) == [0, 2, 1, 3, 4])
        #expect(state.play(.moveCurrentRows(by: -9)) == [.rowsMoved(2..<3, to: 0)])
        #expect(state.play(.moveCurrentRows(by: -1)) == [.moveRefused(.rows(0..<1))])
    }

    @Test func `A17: by default, a drag in the row header selects rows`() {
        var state = open()
        state.interaction.allowsRowReordering = false
        state.drag((1, 1), (1, 3))
        #expect(rows(state) == Array(0..<9))
        #expect(state.selection.blocks == [SelectionBlock(rows: 0..<3, columns: nil)])
    }

    @Test func `A17, C8: without a selection, a drag moves the current row, and on another row it moves the cursor`() {
        var state = open()
        state.play(.setSelectionMode(.none))
        #expect(state.drag((6, 1), (6, 3)) == [.rowsMoved(0..<1, to: 2)])
        #expect(rows(state) == [1, 2, 0, 3, 4, 5, 6, 7, 8] && state.cursor.item == .row(2))
        state.drag((6, 5), (6, 6))
        #expect(rows(state) == [1, 2, 0, 3, 4, 5, 6, 7, 8] && state.cursor.item == .row(4) && state.selection.isEmpty)
        // A horizontal drag moves no column unless Alt is pressed.
        let both = PointerPress(permittedDirections: .both)
        #expect(state.drag((6, 5), (13, 5), press: both) == [] && state.columns.visible.map(\.title) == ["a", "b"])
        state.play(.setSelectionMode(.cells))
        state.drag((6, 5), (6, 6))
        #expect(rows(state) == [1, 2, 0, 3, 4, 5, 6, 7, 8] && !state.selection.isEmpty, "with a selection, it selects")
    }

    @Test func `A17: a drag of the cursor's row moves it, and a drag of another row selects`() {
        var state = open()
        #expect(state.drag((1, 1), (1, 2), (1, 4)) == [.rowsMoved(0..<1, to: 3)])
        #expect(rows(state) == [1, 2, 3, 0, 4, 5, 6, 7, 8])
        #expect(state.cursor.item == .row(3) && state.selection.isEmpty && state.drag == nil)
        state.drag((1, 4), (1, 1))
        #expect(rows(state) == Array(0..<9))
        #expect(state.drag((1, 1), (3, 1)) == [.selectionChanged])
        #expect(state.selection.blocks == [SelectionBlock(rows: 0..<1, columns: nil)])
        state.drag((1, 5), (1, 6))
        #expect(rows(state) == Array(0..<9))
        #expect(state.selection.blocks == [SelectionBlock(rows: 4..<6, columns: nil)])
    }

    @Test func `A17: selected rows are dragged together, from any of them, and stay selected`() {
        var state = open()
        state.drag((1, 3), (1, 5))
        state.drag((1, 4), (1, 1))
        #expect(rows(state) == [2, 3, 4, 0, 1, 5, 6, 7, 8])
        #expect(state.selection.blocks == [SelectionBlock(rows: 0..<3, columns: nil)] && state.cursor.item == .row(1))
        // Shift extends the selection and Ctrl adds to it, as without dragging.
        state.drag((1, 2), press: PointerPress(isExtending: true))
        state.drag((1, 6), (1, 7), press: PointerPress(isAdding: true))
        #expect(rows(state) == [2, 3, 4, 0, 1, 5, 6, 7, 8] && state.selection.blocks.count == 2)
    }

    @Test(arguments: [1, 4, 7, 30]) func `A17: nothing moves before the drop, and cancelling leaves no trace`(y: Int) {
        var state = open(50)
        state.go(.row(20))
        let before = state
        let line = state.layout.itemSpans.first { $0.item == .row(20) }!.y
        state.play(.pointerDown(GridPoint(x: 1, y: line), PointerPress()), .pointerMoved(GridPoint(x: 1, y: y)))
        for _ in 0..<5 { state.play(.dragTick) }
        #expect(state.rows == before.rows && state.drag?.needsTicks == (y != line))
        state.play(.cancelDrag, .pointerUp(GridPoint(x: 1, y: y)))
        #expect(state == before)
    }

    @Test func `A17: holding a drag at an edge scrolls the rows, and the drop uses the new position`() {
        var state = open(50)
        state.play(.pointerDown(GridPoint(x: 1, y: 1), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 7)))
        for _ in 0..<10 { state.play(.dragTick) }
        #expect(state.scroll.top == 10)
        state.play(.pointerUp(GridPoint(x: 1, y: 7)))
        #expect(state.rows[16] == 0 && state.cursor.item == .row(16) && state.isCursorVisible)
        let line = state.layout.itemSpans.first { $0.item == .row(16) }!.y
        state.play(.pointerDown(GridPoint(x: 1, y: line), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 0)))
        for _ in 0..<99 { state.play(.dragTick) }
        state.play(.pointerUp(GridPoint(x: 1, y: 0)))
        #expect(rows(state) == Array(0..<50) && state.scroll.top == 0)
    }

    @Test func `A17: a row dragged beyond its section moves to the edge of the section`() {
        var state = open(7, frame: (14, 14), tree: sections("x 3\ny 4"))
        state.go(.row(1))
        state.drag((1, 3), (1, 9))
        #expect(rows(state) == [0, 2, 1, 3, 4, 5, 6])
        state.drag((1, 4), (1, 1))
        #expect(rows(state) == [1, 0, 2, 3, 4, 5, 6])
    }

    @Test func `A17: during a drag beyond the section, the insertion mark stays at its edge`() {
        for (start, end, mark) in [(3, 9, 3), (3, 1, 0), (7, 2, 3), (7, 13, 7)] {
            var state = open(7, frame: (14, 14), tree: sections("x 3\ny 4"))
            state.go(.row(start == 3 ? 1 : 4))
            state.play(.pointerDown(GridPoint(x: 1, y: start), PointerPress()), .pointerMoved(GridPoint(x: 1, y: end)))
            guard case .reorder(let reordering) = state.drag else {
                Issue.record("no drag from \(start)")
                continue
            }
            #expect(reordering.target == mark, "from \(start) to \(end)")
        }
    }

    @Test(
        arguments: [
            (.insertRows(RowInsertion([100], at: 0)), [100, 1, 2, 3, 4, 5, 0, 6, 7, 8]),
            (.insertRows(RowInsertion([100], at: 3)), [1, 2, 100, 3, 4, 0, 5, 6, 7, 8]),
            (.removeRows(2..<4, renumbering: false), [1, 4, 5, 6, 7, 0, 8]),
            (.setRows(order([8, 7, 6, 5, 4, 3, 2, 1, 0])), [8, 7, 6, 5, 4, 0, 3, 2, 1]),
            (.setRows(order([0, 2, 4, 6, 8])), [2, 4, 6, 8, 0]), (.setRows(.natural(count: 3)), [1, 2, 0]),
            (.growRows(.natural(count: 3)), [1, 2, 0]), (.growRows(.natural(count: 11)), [1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10]),
            (.moveCurrentRows(by: 1), [1, 2, 3, 4, 5, 0, 6, 7, 8]), (.moveRows(5..<6, to: 0), [5, 1, 2, 3, 4, 0, 6, 7, 8]),
        ] as [(GridAction, [Int])])
    func `A17: a dragged row keeps its identity while rows are inserted, removed, resized, moved or sorted`(
        action: GridAction, after: [Int]
    ) {
        var state = open()
        state.play(.pointerDown(GridPoint(x: 1, y: 1), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 6)))
        #expect(!state.play(action).contains(.dragInterrupted) && state.drag?.needsTicks == true)
        // Another move of the pointer to the same point changes nothing.
        var moved = state
        moved.play(.pointerMoved(GridPoint(x: 1, y: 6)))
        #expect(moved == state)
        state.play(.pointerUp(GridPoint(x: 1, y: 6)))
        #expect(rows(state) == after)
    }

    @Test func `A17: when some dragged rows are removed, the drag continues with the rest, and other rows stay in place`() {
        var state = open()
        state.drag((1, 3), (1, 5))
        state.play(
            .pointerDown(GridPoint(x: 1, y: 4), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 1)),
            .removeRows(3..<4, renumbering: false), .pointerUp(GridPoint(x: 1, y: 1)))
        #expect(rows(state) == [2, 4, 0, 1, 5, 6, 7, 8])
    }

    @Test(
        arguments: [
            ((1, 1), (1, 6), .removeRows(0..<1, renumbering: false)), ((1, 1), (1, 6), .setRows(order([3, 4]))),
            ((1, 1), (1, 6), .growRows(.natural(count: 0))), ((1, 1), (1, 6), .setPresentation(.transposed)),
            ((5, 0), (11, 0), .removeColumns([0])), ((8, 0), (11, 0), .removeColumns([0])),
        ] as [((Int, Int), (Int, Int), GridAction)])
    func `A17: a drag ends, and the end is reported, if its rows or its column are removed`(
        from: (Int, Int), to: (Int, Int), action: GridAction
    ) {
        var state = open()
        #expect(!state.play(.pointerDown(GridPoint(from), PointerPress()), .pointerMoved(GridPoint(to))).contains(.dragInterrupted))
        #expect(state.play(action).contains(.dragInterrupted) && state.drag == nil)
        let before = state
        state.play(.pointerMoved(GridPoint(x: 1, y: 2)), .pointerUp(GridPoint(x: 1, y: 2)))
        #expect(state == before)
        for end in [GridAction.cancelDrag, .pointerUp(GridPoint(to))] {
            state = open()
            let events = state.play(.pointerDown(GridPoint(from), PointerPress()), .pointerMoved(GridPoint(to)), end)
            #expect(!events.contains(.dragInterrupted))
        }
    }
}
