import DataGrid
import Testing

/// Makes up actions for a small grid, valid ones and others.
private struct ActionMaker {
    var random: SeededGenerator
    let trees: [SectionTree?]
    /// Whether cells are edited too, and the pointer takes hold of them.
    var editsCells = false

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func flag() -> Bool { Bool.random(using: &random) }
    mutating func column() -> ColumnID { ColumnID(number(0...7)) }
    mutating func point() -> GridPoint { GridPoint(x: number(-2...32), y: number(-2...14)) }

    mutating func motion() -> GridMotion {
        switch number(0...18) {
        case 0, 1: .up(number(1...4))
        case 2, 3: .down(number(1...4))
        case 4: .left(number(1...3))
        case 5: .right(number(1...3))
        case 6: .pageUp
        case 7: .pageDown
        case 8: .halfPageUp
        case 9: .halfPageDown
        case 10: .row(number(-1...45))
        case 11: .column(number(-1...8))
        case 12: .nextColumn
        case 13: .previousColumn
        case 14: .nextSection
        case 15: .previousSection
        case 16: .pageLeft
        case 17: .pageRight
        default: [.top, .bottom, .firstColumn, .lastColumn][number(0...3)]
        }
    }

    mutating func pointer() -> GridAction {
        switch number(0...6) {
        case 0, 1:
            let button: [PointerPress.Button] = [.primary, .primary, .primary, .middle, .secondary]
            var press = PointerPress(
                button[number(0...4)], clicks: number(1...2), isAdding: number(0...3) == 0, isExtending: number(0...3) == 0)
            if editsCells {
                press.isMoving = number(0...3) == 0
                press.permittedDirections = flag() ? nil : DragDirections(rawValue: UInt8(number(0...3)))
            }
            return .pointerDown(point(), press)
        case 2, 3: return .pointerMoved(point())
        case 4: return .pointerUp(point())
        case 5: return .cancelDrag
        default: return .dragTick
        }
    }

    mutating func change(_ state: GridState) -> GridAction {
        switch number(0...31) {
        case 0: return .resize(GridSize(width: number(0...30), height: number(0...14)))
        case 1:
            var metrics = state.metrics
            metrics.rowHeight = number(1...3)
            metrics.hasAutomaticRowHeights = flag()
            metrics.maximumRowHeight = number(0...9)
            metrics.gridLines = GridLines.allCases[number(0...3)]
            metrics.columnSpacing = number(0...3)
            metrics.rowHeaderWidth = number(0...6)
            metrics.headerHeight = number(0...5)
            metrics.titleLines = number(0...3)
            metrics.showsScrollBar = flag()
            metrics.hasDelegatedRowHeights = flag()
            metrics.fitsRowsToFrame = number(0...3) == 0
            metrics.defaultColumnWidth = flag() ? number(0...9) : nil
            metrics.maximumColumnWidth = flag() ? number(0...20) : nil
            metrics.hasStickyRowHeaders = flag()
            metrics.hasStickyColumnHeaders = flag()
            metrics.showsTotals = flag()
            metrics.isPaged = number(0...2) == 0
            return .set(metrics: metrics)
        case 2: return .scroll(items: number(-6...6), columns: number(-2...2))
        case 3: return .widen(column(), by: number(-5...9))
        case 4: return .setWidth(column(), [.flexible, .automatic, .fraction(0.4), .fixed(number(-1...50))][number(0...3)])
        case 5: return .setHidden(column(), flag())
        case 6: return .moveColumn(column(), toIndex: number(-1...8))
        case 7: return .freeze(FrozenPanes(leading: number(-1...3), trailing: number(-1...2), rows: number(-1...4), bottom: number(-1...3)))
        case 8: return flag() ? .pinLeading(column()) : .pinTrailing(column())
        case 9:
            let tree = trees[number(0...trees.count - 1)]
            let count = tree?.sections.last?.rows.upperBound ?? (tree == nil ? number(0...40) : 0)
            if tree == nil, flag() { return .setRows(.spliced(head: count, tail: number(0...9))) }
            return .setRows(flag() ? .natural(count: count) : .permuted(RowPermutation((0..<UInt32(count)).reversed())), tree: tree)
        case 10:
            guard state.outline.tree == nil else { return .clearMarks }
            if case .spliced(let head, let tail) = state.rows, flag() { return .growRows(.spliced(head: head + number(0...9), tail: tail)) }
            return .growRows(.natural(count: max(0, state.rows.count + number(-3...9))))
        case 11, 12: return .toggleSection(number(-1...9))
        case 13: return .setAllCollapsed(flag())
        case 14:
            let item: GridItem = flag() ? .row(number(-1...45)) : .header(number(-1...9))
            return .place(GridCursor(item: item, column: number(-1...8)), extending: flag())
        case 15: return .setRowHeight(RowID(number(-3...45)), flag() ? number(-1...16) : nil)
        case 16: return .scrollLines(number(-20...20))
        case 17: return .moveCurrentRows(by: number(-4...4))
        case 18:
            let low = number(-2...40)
            return .moveRows(low..<low + number(0...6), to: number(-3...45))
        case 19: return .setLoader(flag() ? GridLoader() : nil)
        case 20: return .tickLoader
        case 21: return .setPull(flag() ? GridPull(lines: number(-1...4)) : nil)
        case 22, 23: return .pull(by: number(-3...4))
        case 24: return .releasePull
        case 25: return .setMeasuredWidths([column(): number(-1...30)])
        case 26: return .insertRows(RowInsertion(at: number(-2...45), count: number(-1...5), section: flag() ? number(-1...9) : nil))
        case 27:
            let low = number(-2...40)
            return .removeRows(low..<low + number(0...6), renumbering: flag())
        case 28:
            if flag() { return .removeSection(number(-1...9), renumbering: flag()) }
            return .insertSection(
                number(-1...9), level: number(-1...3), title: "n\(number(0...99_999))", rows: RowInsertion(at: 0, count: number(0...4)))
        case 29:
            guard state.outline.tree == nil, state.canMoveRows else { return .clearMarks }
            let rows = (0..<state.rows.count).map { UInt32(state.rows[$0].rawValue) }
            return .setRows(.permuted(RowPermutation(rows.reversed())), keeping: RowKeeping(rawValue: UInt8(number(0...7))))
        case 30:
            return flag() ? .removeColumns([column()]) : .insertColumns([Column(id: column(), title: "n")], atPlace: number(-1...9))
        default: return .setSelectionMode(SelectionMode.allCases[number(0...4)])
        }
    }

    mutating func cells(_ state: GridState) -> GridAction {
        switch number(0...9) {
        case 0, 1: return .trigger([.enter, .space, .singleClick, .doubleClick][number(0...3)])
        case 2: return .toggleSelection
        case 3: return .requestEdit(typed: flag() ? nil : "x")
        case 4, 5:
            guard let row = state.currentRow, flag() else {
                return .beginEditing(CellEditing(row: RowID(number(-3...45)), column: column(), original: "a b"))
            }
            return .beginEditing(CellEditing(row: row, column: column(), original: "", typed: "x"))
        case 6: return .edit([.insert("é"), .deleteBackward, .left, .deleteWord, .start, .deleteForward][number(0...5)])
        case 7: return .paste("p\u{1B}[31m\tq\n")
        case 8: return flag() ? .rejectEdit("no") : .activateAccessory
        default: return .endEditing(committed: flag() ? "x" : nil)
        }
    }

    mutating func interaction() -> GridInteraction {
        var interaction = GridInteraction()
        interaction.singleClick = CellEvents(rawValue: UInt8(number(0...3)))
        interaction.doubleClick = CellEvents(rawValue: UInt8(number(0...3)))
        interaction.enter = CellEvents(rawValue: UInt8(number(0...3)))
        interaction.space = CellEvents(rawValue: UInt8(number(0...3)))
        interaction.allowsRowReordering = flag()
        interaction.directionalLock = DirectionalLock.allCases[number(0...2)]
        return interaction
    }

    mutating func selecting() -> GridAction {
        switch number(0...5) {
        case 0: .beginSelection([.cells, .rows, .columns][number(0...2)])
        case 1: .keepRanges
        case 2: .swapSelectionEnds
        case 3: .selectAll
        case 4: .invertSelection
        default: .clearSelection
        }
    }
}

@Suite struct RandomActionTests {
    @Test(
        "E: whatever is done, the state holds together and the cursor that was moved is in sight", arguments: 1...8 as ClosedRange<UInt64>)
    func anything(seed: UInt64) {
        let trees = [nil, nil, sections("p\n  x 4\n  y 0\n  z 6\nq\n  r 3\n    s 2"), sections("a 9\nb 1\nc 12"), SectionTree([])]
        var maker = ActionMaker(random: SeededGenerator(seed: seed), trees: trees)
        var state = grid("abcdefgh", rows: 40, frame: (30, 12))
        state.rowHeightSource = MadeUpHeights()
        state.interaction.allowsRowReordering = true
        var last: [GridAction] = []
        for count in 0..<5_000 {
            let action: GridAction
            var isMotion = false
            switch maker.number(0...9) {
            case 0...4:
                action = .move(maker.motion(), extending: maker.number(0...4) == 0)
                isMotion = true
            case 5, 6: action = maker.pointer()
            case 7: action = maker.selecting()
            default: action = maker.change(state)
            }
            last = last.suffix(5) + [action]
            let before = state
            let events = state.play(action)
            state.checkInvariants()
            if let missing = Self.untold(before, state, action, events) {
                Issue.record("no event about \(missing): seed \(seed), action \(count): \(last)")
            }
            if isMotion, count % 8 == 0 { compareWithFresh(state, "seed \(seed), action \(count): \(last)") }
            check(state, isMotion: isMotion, "seed \(seed), action \(count): \(last)")
        }
    }

    @Test(
        "A3, A10, A11: whatever is done by hand, every change is told, and an editor stays with its cell",
        arguments: 1...6 as ClosedRange<UInt64>)
    func byHand(seed: UInt64) {
        var maker = ActionMaker(
            random: SeededGenerator(seed: seed), trees: [nil, sections("p\n  x 4\n  y 0\n  z 6\nq 9")], editsCells: true)
        var state = grid("abcdefgh", rows: 40, frame: (30, 12))
        for (index, column) in state.columns.all.enumerated() where index % 2 == 0 {
            var column = column
            column.isEditable = true
            state.play(.updateColumn(column))
        }
        var last: [GridAction] = []
        for count in 0..<3_000 {
            if count % 50 == 0 { state.interaction = maker.interaction() }
            let action: GridAction
            switch maker.number(0...9) {
            case 0, 1: action = .move(maker.motion(), extending: maker.flag())
            case 2...4: action = maker.pointer()
            case 5: action = maker.selecting()
            case 6, 7: action = maker.cells(state)
            default: action = maker.change(state)
            }
            last = last.suffix(5) + [action]
            let before = state
            let events = state.play(action)
            state.checkInvariants()
            if let missing = Self.untold(before, state, action, events) {
                Issue.record("no event about \(missing): seed \(seed), action \(count): \(last)")
            }
        }
    }

    /// What has changed without an event.
    private static func untold(_ old: GridState, _ new: GridState, _ action: GridAction, _ events: [GridEvent]) -> String? {
        if old.selection != new.selection, !events.contains(.selectionChanged) { return "the selection" }
        if old.sort != new.sort, !events.contains(.sortChanged) { return "sorting" }
        if old.frozen != new.frozen, !events.contains(.frozenPanesChanged) { return "what is frozen" }
        if old.outline.tree == new.outline.tree {
            for section in new.outline.collapsed.indices where old.outline.collapsed[section] != new.outline.collapsed[section] {
                let event = new.outline.collapsed[section] ? GridEvent.sectionCollapsed(section) : .sectionExpanded(section)
                if events.filter({ $0 == event }).count != 1 { return "section \(section)" }
            }
        }
        for b in new.columns.all {
            if let a = old.columns[b.id], a.isHidden != b.isHidden, !events.contains(b.isHidden ? .columnHidden(b.id) : .columnShown(b.id))
            {
                return "column \(b.id)"
            }
        }
        let isOpened = new.editing.map { now in old.editing.map { $0.row != now.row || $0.column != now.column } ?? true } ?? false
        if isOpened, let now = new.editing, !events.contains(.editingBegan(now.row, now.column)) { return "the editor that was opened" }
        if let was = old.editing, new.editing == nil || isOpened {
            let isTold = events.contains { if case .editingEnded(was.row, was.column, _) = $0 { true } else { false } }
            if !isTold { return "the editor that was closed" }
        }
        return nil
    }

    /// What a state is laid out as after all that was done to it is what one is that was made so from nothing.
    private func compareWithFresh(_ state: GridState, _ story: @autoclosure () -> String) {
        // Freezing more than there is keeps it for later; a new grid does not.
        let panes = state.frozen
        guard panes.rows + panes.bottom <= state.outline.itemCount, panes.leading + panes.trailing < max(1, state.columns.count) else {
            return
        }
        var fresh = GridState(columns: state.columns.all, theme: state.theme, metrics: state.metrics)
        fresh.rowHeightSource = state.rowHeightSource
        fresh.play(.setLoader(state.loader), .setPull(state.pull), .setRows(state.rows, tree: state.outline.tree), .resize(state.size))
        fresh.play(.restore(state.savedView))
        if let pull = state.pull { fresh.play(.pull(by: pull.uncovered - pull.lines), .pull(by: pull.uncovered - fresh.pull!.uncovered)) }
        let (a, b) = (state.layout, fresh.layout)
        if a.lines != b.lines || a.columns != b.columns || a.strips != b.strips || a.headerHeight != b.headerHeight {
            Issue.record("not as from nothing: \(state.scroll) \(fresh.scroll)\n\(sketch(state))\n\(sketch(fresh))\n\(story())")
        }
    }

    private func check(_ state: GridState, isMotion: Bool, _ story: @autoclosure () -> String) {
        let layout = state.layout
        if isMotion, state.outline.itemCount > 0, state.columns.count > 0, !state.cursorIsInSight {
            Issue.record("the cursor is out of sight: \(state.cursor) \(state.scroll) \(state.metrics)\n\(sketch(state))\n\(story())")
        }
        // What is kept beside the facts is what would be found anew.
        let outline = Outline(rowCount: state.rows.count, tree: state.outline.tree, collapsed: state.outline.collapsed)
        if state.outline != outline || state.columns != ColumnList(state.columns.all) { Issue.record("stale: \(story())") }
        if outline.itemCount > 0, outline.item(at: outline.index(of: state.cursor.item)) != state.cursor.item {
            Issue.record("the cursor is on a hidden item, \(state.cursor): \(story())")
        }
        // Lines follow each other from the header down, those at the bottom up to the frame's end, and nothing stands outside of it.
        var ranges = layout.lines.map(\.range) + layout.strips.map(\.range)
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var y = layout.headerHeight
        var gaps = 0
        for range in ranges {
            if range.lowerBound > y { gaps += 1 }
            if range.lowerBound < y || range.isEmpty || range.upperBound > state.size.height {
                Issue.record("\(range) at \(y): \(story())")
            }
            y = range.upperBound
        }
        let hasBottom = layout.pane.upperBound < state.size.height
        if gaps > (hasBottom ? 1 : 0) || hasBottom && y != state.size.height { Issue.record("\(ranges) in \(state.size): \(story())") }
        if let pull = state.pull, pull.uncovered > 0, state.scroll.top > layout.frozenItemCount {
            Issue.record("pulled out of sight: \(story())")
        }
        if layout.pane.isEmpty, state.size.height > 1 { Issue.record("no pane: \(story())") }
        if let size = layout.pageSize, (state.scroll.top - layout.frozenItemCount) % size != 0 {
            Issue.record("\(state.scroll.top) is no page of \(size): \(story())")
        }
        var x = layout.rowHeaderWidth
        for span in layout.columns {
            let isInside = span.x >= x && span.width > 0 && span.range.upperBound <= (layout.scrollBarX ?? state.size.width)
            let isPart = span.clippedLeading >= 0 && span.clippedLeading + span.width <= span.fullWidth
            if !isInside || !isPart { Issue.record("\(span) from \(x): \(story())") }
            x = span.range.upperBound
        }
        if layout.lines.filter({ $0.pane != .bottom }).dropLast().contains(where: { !$0.isWhole }) {
            Issue.record("a row is cut above the last: \(story())")
        }
        let items = layout.lines.map(\.index).filter { $0 >= state.scroll.top }
        if Set(layout.lines.map(\.index)).count != layout.lines.count { Issue.record("an item twice: \(story())") }
        if items != items.sorted() { Issue.record("items out of order \(items): \(story())") }
    }

    @Test("A17: the same actions give the same state", arguments: [11, 12] as [UInt64])
    func repeatable(seed: UInt64) {
        func run() -> GridState {
            var maker = ActionMaker(random: SeededGenerator(seed: seed), trees: [nil])
            var state = grid("abcdefgh", rows: 40, frame: (30, 12))
            for _ in 0..<300 { state.play(maker.flag() ? .move(maker.motion()) : maker.pointer()) }
            return state
        }
        let (a, b) = (run(), run())
        #expect(a == b)
        #expect(a.layout.columns == b.layout.columns && a.layout.lines == b.layout.lines)
    }
}
