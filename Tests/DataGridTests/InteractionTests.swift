import GridTestSupport
import DataGrid
import FieldValues
import Testing

/// The selected cells of a grid of 4 rows and the columns a–c, one word per row: `#` selected, `o` cursor, `@` cursor on a selected cell.
private func picture(_ state: GridState) -> String {
    (0..<4).map { row in
        String(
            (0..<3).map { column -> Character in
                let isSelected = !state.selection.isEmpty && state.selection.contains(row: row, column: ColumnID(column))
                let isCursor = state.cursor == GridCursor(item: .row(row), column: column)
                return isSelected ? (isCursor ? "@" : "#") : isCursor ? "o" : "."
            })
    }.joined(separator: " ")
}

private let adding = PointerPress(isAdding: true), extending = PointerPress(isExtending: true), plain = PointerPress()

/// Effects of clicks and keys under a grid's policies.
@Suite struct InteractionTests {
    private func open(_ mode: SelectionMode = .cells, _ change: (inout GridInteraction) -> Void = { _ in }) -> GridState {
        var state = grid("abc", rows: 4, frame: (20, 6))
        state.interaction = GridInteraction()
        change(&state.interaction)
        state.play(.setSelectionMode(mode))
        return state
    }

    /// The position of a cell by name: column letter and row, as in "b2".
    private func place(_ name: String) -> (Int, Int) {
        (5 * Int(name.unicodeScalars.first!.value - 97) + 1, 1 + Int(String(name.last!))!)
    }

    @Test(
        arguments: [
            (.none, [("b1", plain), ("c2", adding)], "... ... ..o ..."),
            (.cell, [("b1", plain)], "... .@. ... ..."), (.cell, [("b1", plain), ("c2", plain)], "... ... ..@ ..."),
            (.cell, [("b1", plain), ("c2", adding)], "... ... ..@ ..."), (.cell, [("b1", plain), ("b1", adding)], "... .o. ... ..."),
            (.cell, [("b1", plain), ("c2", extending)], "... ... ..@ ..."),
            (.cells, [("b1", plain)], "... .@. ... ..."), (.cells, [("b1", plain), ("c2", plain)], "... ... ..@ ..."),
            (.cells, [("b1", plain), ("c2", adding)], "... .#. ..@ ..."),
            (.cells, [("b1", plain), ("c2", adding), ("b1", adding)], "... .o. ..# ..."),
            (.cells, [("b1", plain), ("c2", extending)], "... .## .#@ ..."),
            (.cells, [("b1", plain), ("c2", extending), ("b2", adding)], "... .## .o# ..."),
            (.cells, [("b1", plain), ("c2", adding), ("a3", extending)], "... .#. ### @##"),
            (.row, [("b1", plain)], "... #@# ... ..."), (.row, [("b1", plain), ("c2", adding)], "... ... ##@ ..."),
            (.row, [("b1", plain), ("c1", adding)], "... ..o ... ..."),
            (.rows, [("b1", plain), ("c2", plain)], "... ... ##@ ..."), (.rows, [("b1", plain), ("c3", adding)], "... ### ... ##@"),
            (.rows, [("b1", plain), ("c3", extending)], "... ### ### ##@"),
            (.rows, [("b1", plain), ("c3", extending), ("a2", adding)], "... ### o.. ###"),
        ] as [(SelectionMode, [(String, PointerPress)], String)])
    func `A10: clicks alone, with Ctrl and with Shift select according to the selection mode`(
        mode: SelectionMode, clicks: [(String, PointerPress)], after: String
    ) {
        var state = open(mode)
        for (name, press) in clicks { state.drag(place(name), press: press) }
        #expect(picture(state) == after)
        #expect(state.drag == nil)
    }

    /// A plain click only moves the cursor.
    @Test(
        arguments: [
            (.cells, [("b1", plain), ("c2", adding)], "... .#. ..@ ..."), (.cells, [("b1", plain), ("b1", adding)], "... .@. ... ..."),
            (.cells, [("b1", plain), ("c2", adding), ("b1", adding)], "... .o. ..# ..."),
            (.cells, [("b1", plain), ("c2", adding), ("c2", adding), ("a3", adding)], "... .#. ... @.."),
            (.cells, [("b1", plain), ("c3", extending), ("b2", adding)], "... .## .o# .##"),
            (.rows, [("b1", plain), ("c3", adding)], "... ### ... ##@"), (.rows, [("b1", plain), ("c1", adding)], "... ##@ ... ..."),
            (.rows, [("b1", plain), ("c3", extending), ("a2", adding)], "... ### o.. ###"),
            (.row, [("b1", plain), ("c2", adding)], "... ... ##@ ..."), (.cell, [("b1", plain), ("c2", adding)], "... ... ..@ ..."),
            (.none, [("b1", plain), ("c2", adding)], "... ... ..o ..."),
        ] as [(SelectionMode, [(String, PointerPress)], String)])
    func `A10: if clicks select nothing, clicks with Ctrl add or remove the clicked cell or row`(
        mode: SelectionMode, clicks: [(String, PointerPress)], after: String
    ) {
        var state = open(mode) { $0 = .browsing }
        for (name, press) in clicks { state.drag(place(name), press: press) }
        #expect(picture(state) == after)
        #expect(state.drag == nil)
    }

    @Test func `A10: a Ctrl click on the header of a selected row deselects the row`() {
        var state = open { $0 = .browsing }
        state.metrics.rowHeaderWidth = 3
        state.drag((1, 1), (1, 4))
        #expect(picture(state) == "### ### ### @##")
        state.drag((1, 2), press: adding)
        #expect(picture(state) == "### o.. ### ###")
        state.drag((1, 3), (1, 4), press: adding)
        #expect(picture(state) == "### ... o.. ###")
        state.drag((1, 2), press: adding)
        #expect(picture(state) == "### @## ... ###")
    }

    @Test(
        arguments: [
            (.none, "... .o. ... ..."), (.cell, "... .@. ... ..."), (.cells, "... .@# ... ..."), (.row, "... #@# ... ..."),
            (.rows, "... #@# ### ..."),
        ] as [(SelectionMode, String)])
    func `A10: Space selects according to the selection mode, and deselects if several can be selected`(mode: SelectionMode, after: String)
    {
        var state = open(mode)
        state.go(.row(1), .column(1))
        if mode == .cells { state.play(.move(.right(1)), .performTrigger(.space), .move(.left(1))) }
        if mode == .rows { state.play(.move(.down(1)), .performTrigger(.space), .move(.up(1))) }
        state.play(.performTrigger(.space))
        #expect(picture(state) == after)
        let before = state.selection
        state.play(.performTrigger(.space))
        if mode != .none { #expect(!state.selection.contains(row: 1, column: 1) && before != state.selection) }
        if mode == .rows { #expect(picture(state) == "... .o. ### ...") }
    }

    @Test(
        arguments: [
            (.none, ["b1", "c2"], "... ... ..o ..."), (.cells, ["b1", "c2"], "... .#. ..@ ..."),
            (.cells, ["b1", "c2", "b1"], "... .o. ..# ..."), (.rows, ["b1", "c3"], "... ### ... ##@"),
            (.rows, ["b1", "c3", "a1"], "... o.. ... ###"), (.rows, ["b1", "c3", "a1", "a1"], "... @## ... ###"),
            (.row, ["b1", "c2"], "... ... ##@ ..."), (.row, ["b1", "c1"], "... ..o ... ..."), (.cell, ["b1", "b1"], "... .o. ... ..."),
        ] as [(SelectionMode, [String], String)])
    func `A10: with the toggle policy, clicks select and deselect several rows or cells without a modifier key`(
        mode: SelectionMode, clicks: [String], after: String
    ) {
        for isEditing in [false, true] {
            var state = open(mode) {
                $0.singleClick = isEditing ? [.toggle, .edit] : .toggle
                $0.doubleClick = []
            }
            for name in clicks {
                let events = state.drag(place(name), press: PointerPress(clicks: 2))
                #expect(events.contains { if case .cellActivated = $0 { true } else { false } } == isEditing)
            }
            #expect(picture(state) == after)
        }
    }

    @Test func `A10: with the toggle policy, Space toggles, a drag adds a range, and deselecting a cell keeps the others`() {
        var state = open(.rows) { ($0.singleClick, $0.space, $0.doubleClick) = (.toggle, .toggle, .toggle) }
        state.go(.row(3))
        state.play(.performTrigger(.space))
        #expect(picture(state) == "... ... ... @##")
        state.drag(place("a0"), place("b1"))
        #expect(picture(state) == "### @## ... ###")
        state.drag(place("a3"), place("a2"))
        #expect(picture(state) == "### ### ... o..", "a drag from a released row selects nothing")
        state.drag(place("a2"), press: extending)
        #expect(state.selectedRows() == [0, 1, 2, 3])
        state.drag(place("c1"), press: PointerPress(clicks: 2))
        #expect(picture(state) == "### ..o ### ###")
        state.play(.performTrigger(.space), .performTrigger(.space))
        #expect(state.selectedRows() == [0, 2, 3])
    }

    @Test func `A10: if each row order has its own row numbers, rows keep their state after they are renumbered`() {
        var state = open(.rows) { $0.singleClick = .toggle }
        for name in ["b0", "b2"] { state.drag(place(name)) }
        state.play(.toggleMark(0), .toggleMark(3), .setRowHeight(2, 2))
        let first = 1 << 40
        func order(_ number: Int, _ count: Int) -> RowOrder {
            .permuted(RowPermutation(RowNumbers(consecutive: number * first..<number * first + count)))
        }
        state.play(.setRows(order(1, 3), keeping: .selection))
        #expect(state.selectedRows() == [] && state.rowsWithState == [0, 2, 3])
        // Row 3 is filtered out.
        state.play(.renumberRowState([0: RowID(first + 2), 2: RowID(first)]))
        #expect(state.selectedRows() == [RowID(first), RowID(first + 2)] && state.marks == [RowID(first + 2), 3])
        #expect(state.rowsWithState == [RowID(first), RowID(first + 2), 3])
        // The next order lacks row 0.
        state.play(
            .setRows(order(2, 2), keeping: .selection), .renumberRowState([RowID(first): RowID(2 * first + 1), 3: RowID(2 * first)]))
        #expect(state.selectedRows() == [RowID(2 * first + 1)] && state.marks == [RowID(first + 2), RowID(2 * first)])
        state.play(.setRows(.natural(count: 2), keeping: .selection), .renumberRowState([RowID(2 * first + 1): 2, RowID(first + 2): 0]))
        #expect(state.selectedRows() == [0] && state.marks == [0, RowID(2 * first)])
        // The rows of the source arrive later.
        state.play(.growRows(.natural(count: 4)))
        #expect(state.selectedRows() == [0, 2])
    }

    @Test func `A10: selected rows stay selected by identity through sorts and filters, even while filtered out`() {
        for mode in [SelectionMode.rows, .cells] {
            var state = open(mode) { $0.singleClick = .toggle }
            for name in ["b0", "b2", "b3"] { state.drag(place(name)) }
            func order(_ rows: [UInt32]) -> RowOrder { .permuted(RowPermutation(rows)) }
            state.play(.setRows(order([3, 2, 1, 0]), keeping: .selection))
            #expect(state.selectedRows() == [3, 2, 0])
            state.play(.setRows(order([1, 2]), keeping: .all))
            #expect(state.selectedRows() == [2])
            state.play(.setRows(order([1]), keeping: .all))
            #expect(state.selectedRows() == [] && state.savedView.selection == .empty)
            // Another row is picked while the others are filtered out.
            state.drag(place("b0"))
            state.play(.setRows(order([0, 1, 2, 3]), keeping: .selection))
            #expect(state.selectedRows() == [0, 1, 2, 3])
            #expect(state.selectedCells()?.count == (mode == .rows ? 12 : 4))
            state.play(.setRows(order([1]), keeping: .selection), .discardRowState([3]), .setSelected(2, false))
            state.play(.setRows(order([0, 1, 2, 3]), keeping: .selection))
            #expect(state.selectedRows() == [0, 1], "a row whose id is free, and a deselected one")
            state.play(.setRows(order([1]), keeping: .selection), .clearSelection, .setRows(order([0, 1, 2, 3]), keeping: .selection))
            #expect(state.selectedRows() == [])
        }
    }

    @Test func `A10: code selects rows by identity in any mode, in any order`() {
        var state = open(.none)
        state.play(.setRows(.permuted(RowPermutation([3, 2, 1, 0]))))
        #expect(state.play(.setSelectedRows([0, 2, 3, 9, 2])) == [.selectionChanged])
        #expect(state.selectedRows() == [3, 2, 0] && state.selection.blocks.count == 2)
        #expect(state.play(.setSelectedRows([])) == [.selectionChanged] && state.selectedRows().isEmpty)
    }

    @Test func `A10: a drag selects from its origin; in single-selection modes it moves the cursor only`() {
        var state = open()
        state.drag(place("a0"), place("b2"))
        #expect(picture(state) == "##. ##. #@. ...")
        for mode in [SelectionMode.cell, .row] {
            state = open(mode)
            state.drag(place("a0"), place("b2"))
            #expect(state.selection.blocks.count == 1 && state.selection.contains(row: 0, column: 0))
            #expect(!state.selection.contains(row: 2, column: 1))
        }
    }

    @Test func `A10: an inverted selection of everything except some rows remains after an insertion of rows`() {
        var state = open()
        state.play(.selectAll)
        state.drag(place("b1"), press: adding)
        #expect(picture(state) == "### #o# ### ###")
        state.play(.growRows(.natural(count: 9)))
        #expect(state.selection.contains(row: 8, column: 0))
        state.drag(place("b1"), press: adding)
        #expect(picture(state) == "### #@# ### ###")
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `A10: the subtraction of a block from a selection leaves exactly the other cells`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let ids = (0..<4).map { ColumnID($0) }
        func block() -> SelectionBlock {
            let low = Int.random(in: 0...5, using: &random)
            return SelectionBlock(
                rows: Bool.random(using: &random) ? nil : low..<low + Int.random(in: 0...4, using: &random),
                columns: Bool.random(using: &random) ? nil : Set(ids.filter { _ in Bool.random(using: &random) }))
        }
        let start = Selection(blocks: (0..<Int.random(in: 0...3, using: &random)).map { _ in block() }, isInverted: seed % 3 == 0)
        let other = block()
        for isAdding in [false, true] {
            var selection = start
            if isAdding {
                selection.add(other, rowCount: 8, columns: ids)
            } else {
                selection.subtract(other, rowCount: 8, columns: ids)
            }
            var changed: Set<[Int]> = []
            for row in 0..<8 {
                for id in ids {
                    let isExpected = other.contains(row: row, column: id) ? isAdding : start.contains(row: row, column: id)
                    #expect(selection.contains(row: row, column: id) == isExpected, "\(row) \(id.rawValue) of \(start) and \(other)")
                    if isExpected != start.contains(row: row, column: id) { changed.insert([row, id.rawValue]) }
                }
            }
            // The changes, row by row, cover the same cells.
            let reported = start.changes(to: selection, rowCount: 8, columns: ids, limit: 100) ?? []
            var cells: Set<[Int]> = []
            for change in reported {
                for id in change.column.map({ [$0] }) ?? ids {
                    #expect(cells.insert([change.row, id.rawValue]).inserted && change.isSelected == isAdding)
                }
            }
            #expect(cells == changed)
            #expect(start.changes(to: selection, rowCount: 8, columns: ids, limit: reported.count - 1) == nil || reported.isEmpty)
        }
    }

    @Test(
        arguments: [
            ([], "... .o. ... ...", []), (.select, "... .@. ... ...", [.selectionChanged]),
            (.edit, "... .o. ... ...", [.cellActivated(1, 1)]),
            (.both, "... .@. ... ...", [.cellActivated(1, 1), .selectionChanged]),
        ] as [(CellEffects, String, Set<GridEvent>)])
    func `A11: a policy decides if click, double click, Enter and Space select, edit, do both or do neither`(
        mask: CellEffects, after: String, events: Set<GridEvent>
    ) {
        for trigger in [CellTrigger.singleClick, .doubleClick, .enter, .space] {
            var state = open {
                $0 = .browsing
                $0.enter = trigger == .enter ? mask : []
                $0.space = trigger == .space ? mask : []
                $0.singleClick = trigger == .singleClick ? mask : []
                $0.doubleClick = trigger == .doubleClick ? mask : []
            }
            state.go(.row(1), .column(1))
            var reported: [GridEvent]
            switch trigger {
            case .singleClick: reported = state.drag(place("b1"))
            case .doubleClick: reported = state.drag(place("b1")) + state.drag(place("b1"), press: PointerPress(clicks: 2))
            case .enter, .space: reported = state.play(.performTrigger(trigger))
            }
            #expect(Set(reported) == events, "\(trigger)")
            #expect(picture(state) == after, "\(trigger)")
        }
    }

    @Test func `A11: each trigger of a click or key performs its effects on the current cell`() {
        var state = open { ($0.singleClick, $0.doubleClick, $0.enter, $0.space) = (.select, .edit, [], .both) }
        state.go(.row(1), .column(1))
        #expect(state.play(.performTrigger(.enter)) == [] && picture(state) == "... .o. ... ...")
        #expect(state.play(.performTrigger(.doubleClick)) == [.cellActivated(1, 1)] && picture(state) == "... .o. ... ...")
        #expect(state.play(.performTrigger(.singleClick)) == [.selectionChanged] && picture(state) == "... .@. ... ...")
        // The space bar deselects a selected cell.
        #expect(Set(state.play(.performTrigger(.space))) == [.cellActivated(1, 1), .selectionChanged])
        #expect(picture(state) == "... .o. ... ...")
    }

    @Test func `A11: a click edits when the button is released at the same cell, but a drag does not`() {
        var state = open { $0.singleClick = .both }
        var column = state.columns[1]
        column.isEditable = true
        state.play(.updateColumn(column))
        let (x, y) = place("b1")
        #expect(state.play(.pointerDown(GridPoint(x: x, y: y), plain)) == [.selectionChanged])
        #expect(state.play(.pointerUp(GridPoint(x: x, y: y))) == [.editRequested(1, 1, typed: nil)])
        #expect(state.drag(place("b1"), place("b2")).allSatisfy { $0 == .selectionChanged })
        #expect(state.drag(place("b1"), press: adding).allSatisfy { $0 == .selectionChanged })
    }

    @Test func `A11: the interaction policies are Codable, with a name for every bit`() {
        let interaction = GridInteraction()
        #expect(interaction.singleClick == .select && interaction.doubleClick == .edit && interaction.directionalLock == .off)
        #expect(!interaction.allowsRowReordering && GridInteraction.browsing.singleClick.isEmpty)
        #expect(CellEffects.toggle.rawValue == 4 && CellEffects.both == [.select, .edit] && DragDirections.both == [.columns, .rows])
    }

    // MARK: Panning

    @Test(
        arguments: [
            (.off, (12, 1), (12, 3), true, true), (.off, (2, 0), (2, 2), true, true), (.on, (12, 1), (12, 3), true, false),
            (.on, (1, 3), (9, 4), false, true), (.on, (6, 2), (6, 4), true, false), (.on, (1, 1), (1, 1), false, false),
            (.diagonalAllowed, (12, 1), (12, 3), true, false), (.diagonalAllowed, (6, 2), (6, 4), true, true),
            (.diagonalAllowed, (4, 4), (8, 6), true, true), (.diagonalAllowed, (1, 3), (9, 4), false, true),
        ] as [(DirectionalLock, (Int, Int), (Int, Int), Bool, Bool)])
    func `A13: a pan keeps its first direction if the directional lock is on, and only then`(
        lock: DirectionalLock, first: (Int, Int), then: (Int, Int), isAcross: Bool, isDown: Bool
    ) {
        var state = grid("abcdefgh", rows: 50, frame: (20, 8))
        state.interaction.directionalLock = lock
        state.drag((19, 7), (19 - first.0, 7 - first.1), (19 - then.0, 7 - then.1), press: PointerPress(.middle))
        #expect((state.scroll.x > 0, state.scroll.top > 0) == (isAcross, isDown))
        if isAcross { #expect(state.scroll.x == then.0) }
        if isDown { #expect(state.scroll.top == then.1) }
    }

    @Test func `A13: if the primary button pans, the grid moves cell by cell and stops at once`() {
        var state = grid("abcdefgh", rows: 50, frame: (20, 8))
        state.interaction = GridInteraction()
        state.interaction.pansByDragging = true
        state.interaction.singleClick = .both
        state.play(.pointerDown(GridPoint(x: 10, y: 6), plain))
        for step in 1...5 {
            state.play(.pointerMoved(GridPoint(x: 10 - step, y: 6 - step)))
            #expect((state.scroll.x, state.scroll.top) == (step, step))
        }
        #expect(state.drag?.needsTicks == false)
        #expect(state.play(.pointerUp(GridPoint(x: 5, y: 1))) == [])
        #expect(state.selection.isEmpty && state.cursor == GridCursor() && state.scroll.top == 5)
        #expect(state.play(.pointerDown(GridPoint(x: 10, y: 6), plain)) == [])
        #expect(Set(state.play(.pointerUp(GridPoint(x: 10, y: 6)))) == [.cellActivated(10, 3), .selectionChanged])
        #expect(state.cursor == GridCursor(item: .row(10), column: 3))
        let scroll = state.scroll
        state.drag((10, 6), (11, 7), press: extending)
        #expect(state.selectedRows() == [10, 11] && state.scroll == scroll)
        // A pressed cell is identified by its row, even if rows are inserted above it.
        state.play(.pointerDown(GridPoint(x: 10, y: 6), plain), .insertRows(RowInsertion(at: 0, count: 1)))
        #expect(state.play(.pointerUp(GridPoint(x: 10, y: 6))).contains(.cellActivated(11, 3)))
        state.play(.pointerDown(GridPoint(x: 10, y: 6), plain), .pointerMoved(GridPoint(x: 1, y: 1)), .cancelDrag)
        #expect(state.scroll.x == scroll.x)
    }

    @Test func `A13: if the primary button pans, a drag of a section header also pans`() {
        var state = grid("abcdefgh", rows: 50, frame: (20, 8), tree: sections("x 20\ny 30"))
        state.interaction.pansByDragging = true
        state.go(.row(1))
        state.drag((5, 1), (5, 0), (2, 0))
        #expect((state.scroll.x, state.scroll.top) == (3, 1) && state.cursor.item == .row(1))
        state.play(.setAllCollapsed(true))
        let before = state.scroll
        state.play(.pointerDown(GridPoint(x: 0, y: 1), plain))
        #expect(!state.outline.collapsed.contains(false), "nothing happens before the release")
        state.play(.pointerUp(GridPoint(x: 0, y: 1)))
        #expect(state.outline.collapsed.contains(false) && state.scroll.x == before.x)
        state.play(
            .setAllCollapsed(true), .pointerDown(GridPoint(x: 0, y: 2), plain), .pointerMoved(GridPoint(x: 9, y: 2)),
            .pointerUp(GridPoint(x: 9, y: 2)))
        #expect(!state.outline.collapsed.contains(false), "a drag is no click")
        state.play(.pointerDown(GridPoint(x: 0, y: 2), plain), .setRows(.natural(count: 30), tree: sections("y 30")))
        state.play(.pointerUp(GridPoint(x: 0, y: 2)))
        #expect(state.cursor.item != .header(1), "the pressed section is gone")
    }

    // MARK: Dragging cells

    @Test func `A17: an Alt drag moves the cell's row or column where permitted; otherwise it selects`() {
        var state = grid("abc", rows: 4, frame: (20, 6))
        let moving = PointerPress(isAdding: true, isMoving: true)
        func order() -> [Int] { (0..<4).map { state.rows[$0].rawValue } }
        state.drag(place("a0"), place("a2"), press: moving)
        #expect(order() == [0, 1, 2, 3] && !state.selection.isEmpty, "off by default")
        state.play(.clearSelection)
        state.interaction.allowsRowReordering = true
        #expect(state.drag(place("a0"), place("a2"), press: moving) == [.rowsMoved(0..<1, to: 2)])
        #expect(order() == [1, 2, 0, 3] && state.selection.isEmpty && state.cursor.item == .row(2))
        #expect(state.drag(place("a0"), place("c0"), press: moving) == [], "cells drag columns only with permission")
        var press = moving
        press.permittedDirections = .both
        #expect(state.drag(place("a0"), (13, 1), press: press) == [.columnMoved(0, from: 0, to: 2)])
        press.permittedDirections = .columns
        #expect(state.drag(place("a0"), place("a2"), press: press) == [])
        press.permittedDirections = []
        state.drag(place("a0"), place("b1"), press: press)
        #expect(!state.selection.isEmpty && order() == [1, 2, 0, 3])
        state.play(.clearSelection)
        state.drag(place("b1"), press: moving)
        #expect(state.selection.blocks.count == 1 && state.cursor == GridCursor(item: .row(1), column: 1), "a click does not move")
    }

    @Test func `A17: if headers cannot be dragged, column headers can be clicked and row headers select rows`() {
        var state = grid("abc", rows: 4, frame: (24, 6)) { $0.rowHeaderWidth = 4 }
        #expect(state.drag((6, 0), (7, 0), press: PointerPress(permittedDirections: .rows)) == [.headerActivated(0, isAdding: false)])
        #expect(state.drag((6, 0), (16, 0), press: PointerPress(permittedDirections: .rows)) == [.moveRefused(.column(0))])
        #expect(state.drag((6, 0), (16, 0), press: PointerPress(permittedDirections: .columns)) == [.columnMoved(0, from: 0, to: 2)])
        #expect(state.drag((1, 1), (1, 3), press: PointerPress(permittedDirections: .rows)) == [.rowsMoved(0..<1, to: 2)])
        state.interaction.allowsRowReordering = true
        state.drag((1, 1), (1, 3), press: PointerPress(permittedDirections: []))
        #expect(state.selection.blocks == [SelectionBlock(rows: 0..<3, columns: nil)])
    }

    @Test func `A17: a cancelled drag of a cell leaves no trace`() {
        var state = grid("abc", rows: 40, frame: (20, 6))
        state.interaction.allowsRowReordering = true
        for end in [(1, 1), (1, 2), (1, 5), (14, 1)] {
            let before = state
            state.play(.pointerDown(GridPoint(x: 1, y: 1), PointerPress(isMoving: true)), .pointerMoved(GridPoint(end)), .dragTick)
            #expect(state != before)
            state.play(.cancelDrag, .pointerUp(GridPoint(end)))
            #expect(state == before)
        }
    }

    // MARK: Events

    @Test func `A3: every change is reported, whatever its cause`() {
        var state = grid("abc", rows: 9, frame: (20, 12), tree: sections("x 3\ny 3\nz 3"))
        #expect(state.play(.setAllCollapsed(true)) == [.sectionCollapsed(0), .sectionCollapsed(1), .sectionCollapsed(2)])
        #expect(state.play(.move(.row(4))) == [.sectionExpanded(1)])
        #expect(state.play(.moveCursor(GridCursor(item: .row(8)))) == [.sectionExpanded(2)])
        #expect(state.play(.setSort([ColumnSort(1)])) == [.sortChanged])
        #expect(state.play(.setHidden(1, true), .setHidden(1, true)) == [.columnHidden(1)])
        #expect(state.play(.setHidden(1, false)) == [.columnShown(1)])
        #expect(Set(state.play(.pinLeading(2))) == [.columnMoved(2, from: 2, to: 0), .frozenPanesChanged])
        let view = state.savedView
        state.play(.setAllCollapsed(false), .setSort([]), .freeze(FrozenPanes()))
        #expect(state.play(.restore(view)).contains(.viewRestored))
        state.play(.setSort([]), .setAllCollapsed(false))
        #expect(Set(state.play(.restore(view))) == [.sectionCollapsed(0), .sortChanged, .viewRestored])
        // Cancelling an edge drag restores the width, which is reported too.
        state.play(.restore(view), .pointerDown(GridPoint(x: 4, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 7, y: 0)))
        #expect(state.play(.cancelDrag) == [.columnResized(2, width: 4)])
    }

    @Test func `A3: more than a thousand section changes are reported by their number only`() {
        let tree = SectionTree((0..<1_001).map { Section(title: "\($0)", rows: $0..<$0 + 1) })
        var state = grid("a", rows: 1_001, tree: tree)
        #expect(state.play(.setAllCollapsed(true)) == [.sectionsChanged(1_001)])
    }

    @Test func `B5: a key activates the accessory of a row`() {
        var state = open()
        state.go(.row(2))
        #expect(state.play(.activateAccessory) == [.accessoryActivated(2)])
    }
}
