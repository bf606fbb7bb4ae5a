import GridTestSupport
@testable import DataGrid
import Foundation
import Testing

/// Slots of cards: their places, the cursor and selections.
@Suite struct CardTests {
    /// Seven columns: `a` is the headline with `d` beside it, `b` the second line with `e`, `c` the third; `f` and `g` have no slot.
    private func cards(
        _ frame: (Int, Int) = (45, 11), rows: Int = 40, width: Int? = 20, gap: Int = 1, tree: SectionTree? = nil,
        mode: SelectionMode = .cells
    ) -> GridState {
        var state = grid("abcdefg", rows: rows, frame: frame, tree: tree) {
            $0.cards.width = width
            $0.cards.spacing.height = gap
        }
        state.play(.setPresentation(.cards), .setSelectionMode(mode))
        return state
    }

    // MARK: Slot places

    @Test func `B2, C5: images and right-aligned slots have the width of their column, and text takes the rest`() {
        var state = cards()
        func slots() -> [String] {
            state.layout.slots.map { "\(state.columns[$0.index].title)\($0.cardLine) \($0.x)+\($0.width)" }
        }
        #expect(slots() == ["a0 2+12", "d0 16+4", "b1 2+12", "e1 16+4", "c2 2+18"])
        state.play(.setWidth(3, .fixed(30)))
        #expect(slots()[0...1] == ["a0 2+7", "d0 11+9"], "at most half of the line")
        state.metrics.showsAccessories = true
        #expect(slots() == ["a0 2+6", "d0 10+8", "b1 2+10", "e1 14+4", "c2 2+16"], "room for the accessory")
        for (id, slot) in [(5, CardSlot.icon), (6, .detailImage), (1, .headline), (2, .substatusImage), (0, .statusImage), (3, .status)] {
            var column = state.columns[ColumnID(id)]!
            column.cardSlot = slot
            state.play(.updateColumn(column))
        }
        #expect(slots() == ["f0 2+4", "g0 7+4", "b0 12+1", "d0 15+3", "c1 15+3"], "the text takes precedence in a shared place")
        state.play(.setHidden(3, true), .setWidth(6, .fixed(1)))
        #expect(slots() == ["f0 2+4", "g0 7+1", "b0 9+3", "a0 14+4", "c1 14+4"])
        state.play(.setWidth(6, .fixed(30)))
        #expect(slots()[1] == "g0 7+4", "an image has at most a quarter")
    }

    @Test func `C5: content is padded, even around frozen cards, and a low frame reduces the padding to leave a line`() {
        for height in 0...2 {
            var state = cards()
            state.metrics.cards.padding.height = height
            for frozen in [FrozenPanes(), FrozenPanes(rows: 1), FrozenPanes(bottom: 1)] {
                state.play(.freeze(frozen))
                for size in [GridSize(width: 45, height: 11), GridSize(width: 45, height: 23)] {
                    state.play(.resize(size), .move(.top))
                    #expect(state.layout.tiles.map(\.y).min() == height, "\(height) \(frozen)")
                    #expect(state.layout.tiles.map { $0.y + $0.height }.max() == size.height - height, "\(height) \(frozen)")
                }
            }
            state.play(.freeze(FrozenPanes()), .resize(GridSize(width: 45, height: 3)), .move(.top))
            #expect(state.layout.tiles.map(\.y) == [min(1, height), min(1, height)])
        }
    }

    @Test(
        arguments: [
            (45, 20, nil, 20, [1, 23]), (60, 20, nil, 28, [1, 31]), (80, 20, nil, 24, [1, 27, 53]), (80, 20, 22, 22, [1, 25, 49]),
            (45, 99, nil, 43, [1]), (45, nil, nil, 43, [1]), (45, nil, 30, 30, [1]),
        ] as [(Int, Int?, Int?, Int, [Int])])
    func `C5: if cards have no set width, as many as fit share the line, within the width limits of cards`(
        frame: Int, least: Int?, greatest: Int?, width: Int, places: [Int]
    ) {
        var state = cards(width: nil)
        (state.metrics.cards.minimumWidth, state.metrics.cards.maximumWidth) = (least, greatest)
        state.play(.resize(GridSize(width: frame, height: 11)))
        let line = state.layout.tiles.filter { $0.y == 0 }
        #expect(line.map(\.x) == places && line.allSatisfy { $0.width == width && $0.isWhole })
    }

    @Test func `C5, A18: a saved view keeps widths, edge and background of cards, and limits the widths`() throws {
        var metrics = CardMetrics()
        (metrics.minimumWidth, metrics.maximumWidth, metrics.edge) = (20, 99_999, .box)
        (metrics.hasBackground, metrics.collapsesEmptySlots) = (true, true)
        metrics = metrics.clampedToLimits
        #expect(metrics.maximumWidth == 10_000)
        #expect(try JSONDecoder().decode(CardMetrics.self, from: JSONEncoder().encode(metrics)) == metrics)
    }

    private final class Blanks: CardContent {
        /// Row 1 has values in the first and the third column only.
        func isEmpty(row: RowID, column: ColumnID) -> Bool { row == 1 && ![0, 2].contains(column) }
    }

    @Test func `C5: on request, empty slots collapse, so that text extends and lower lines move up`() {
        var state = cards()
        state.cardContent = Blanks()
        func slots(_ row: Int) -> [String] {
            let tile = state.layout.tiles.first { $0.item == .row(row) }!
            return state.layout.slots(of: tile).map { "\(state.columns[$0.index].title)\($0.cardLine) \($0.x)+\($0.width)" }
        }
        let whole = ["a0 2+12", "d0 16+4", "b1 2+12", "e1 16+4", "c2 2+18"]
        #expect(slots(0) == whole && slots(1) == whole)
        state.metrics.cards.collapsesEmptySlots = true
        #expect(slots(0) == whole && slots(1) == ["a0 2+18", "c1 2+18"])
        #expect(state.layout.hit(GridPoint(x: 30, y: 1)) == .cell(row: 1, column: 2))
        #expect(state.visibleFrame(ofRow: 1, column: 2)?.origin == GridPoint(x: 25, y: 1))
        #expect(state.visibleFrame(ofRow: 1, column: 3) == nil)
        // The slot under the cursor does not collapse, so that it can be edited.
        state.play(.moveCursor(GridCursor(item: .row(1), column: 1)))
        #expect(slots(1) == ["a0 2+18", "b1 2+18", "c2 2+18"])
        state.metrics.cards.edge = .box
        #expect(slots(0) == ["a1 2+10", "d1 14+4", "b2 2+10", "e2 14+4", "c3 2+16"])
        #expect(state.layout.tiles[0].fullHeight == 5)
    }

    private final class Heights: RowHeightSource {
        private let cards: [RowID: Int]
        private let headers: [Int: Int]
        init(cards: [RowID: Int], headers: [Int: Int]) { (self.cards, self.headers) = (cards, headers) }
        func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int { 1 }
        func height(ofCard row: RowID) -> Int? { cards[row] }
        func height(ofSection section: Int) -> Int? { headers[section] }
    }

    @Test func `A9, C5, C7: a delegate sets the heights of cards and section headers, within limits`() {
        func open(_ rows: Int, height: Int, tree: SectionTree? = nil) -> GridState {
            var state = cards((45, height), rows: rows, tree: tree)
            (state.metrics.minimumRowHeight, state.metrics.maximumRowHeight) = (4, 6)
            state.rowHeightSource = Heights(cards: [0: 5, 3: 9, 4: 1], headers: [0: 4])
            return state
        }
        func places(_ state: GridState) -> [[Int]] { state.layout.tiles.map { [$0.y, $0.fullHeight] } }
        var state = open(6, height: 20)
        #expect(
            places(state) == [[0, 3], [0, 3], [4, 3], [4, 3], [8, 3], [8, 3]], "without delegated heights, the delegate is not asked")
        state.metrics.hasDelegatedRowHeights = true
        #expect(places(state) == [[0, 5], [0, 3], [6, 3], [6, 6], [13, 4], [13, 3]])
        #expect(state.layout.slots(of: state.layout.tiles[0]).map(\.height) == [1, 1, 1, 1, 3], "the last text has the additional lines")
        #expect(state.layout.hit(GridPoint(x: 5, y: 4)) == .cell(row: 0, column: 2))
        #expect(state.layout.hit(GridPoint(x: 5, y: 5)) == .nothing)
        #expect(state.visibleFrame(ofRow: 0, column: 2)?.size == GridSize(width: 18, height: 3))
        state = open(4, height: 30, tree: sections("x 2\ny 2"))
        state.metrics.hasDelegatedRowHeights = true
        #expect(places(state) == [[0, 4], [4, 5], [4, 3], [10, 1], [11, 3], [11, 6]])
        state.metrics.sectionHeaderHeight = 2
        #expect(places(state) == [[0, 4], [4, 5], [4, 3], [10, 2], [12, 3], [12, 6]])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `A9, C5, D4: paging skips no card, whatever heights a delegate sets`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let rows = 40
        var state = cards(
            (45, number(10...20)), rows: rows, gap: number(0...1), tree: seed % 2 == 0 ? sections("x 13\ny 0\nz 27") : nil)
        state.metrics.hasDelegatedRowHeights = true
        state.rowHeightSource = Heights(
            cards: Dictionary(uniqueKeysWithValues: (0..<rows).map { (RowID($0), number(1...6)) }), headers: [0: number(1...3)])
        state.go(.top)
        for motion in [GridMotion.pageDown, .pageUp] {
            var seen: Set<Int> = []
            for _ in 0..<80 {
                for tile in state.layout.tiles where tile.isWhole && tile.pane == .scrolling {
                    if case .row(let position) = tile.item { seen.insert(position) }
                }
                state.go(motion)
                #expect(state.isCursorVisible)
            }
            #expect(seen == Set(0..<rows), "\(motion) misses \(Set(0..<rows).subtracting(seen).sorted())")
        }
    }

    @Test func `B2: the first of several columns for one slot is shown, and the others have no slot`() {
        var all = (0..<4).map { Column(id: ColumnID($0), title: "\($0)") }
        for index in 1...2 { all[index].cardSlot = .headline }
        #expect(CardBinding(ColumnList(all)).columns == [.headline: 1])
        all[1].isHidden = true
        #expect(CardBinding(ColumnList(all)).columns == [.headline: 2])
    }

    @Test func `B2: a status replaces the status image, and a substatus replaces the substatus image`() {
        let slots: [CardSlot] = [.headline, .statusImage, .status, .substatusImage, .substatus]
        var all = slots.indices.map { Column(id: ColumnID($0), title: "\($0)") }
        for (index, slot) in slots.enumerated() { all[index].cardSlot = slot }
        #expect(CardBinding(ColumnList(all)).slots == [.headline, .status, .substatus])
        all[2].isHidden = true
        all[4].isHidden = true
        #expect(CardBinding(ColumnList(all)).slots == [.headline, .statusImage, .substatusImage])
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `B2, E: slots are inside the card and do not overlap, at any width`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var state = cards((Int.random(in: 1...50, using: &random), 6), rows: 3, width: Int.random(in: 1...40, using: &random))
            state.metrics.showsAccessories = Bool.random(using: &random)
            for index in 0..<7 {
                var column = state.columns[index]
                column.width = .fixed(Int.random(in: 1...20, using: &random))
                column.cardSlot = Bool.random(using: &random) ? CardSlot.allCases.randomElement(using: &random) : nil
                state.play(.updateColumn(column))
            }
            let (slots, tile) = (state.layout.slots, state.layout.tiles[0])
            for (index, slot) in slots.enumerated() {
                #expect(slot.x >= 2 && slot.width > 0 && slot.x + slot.width <= tile.width && slot.cardLine < tile.fullHeight)
                for other in slots[(index + 1)...] where other.cardLine == slot.cardLine {
                    #expect(slot.x + slot.width <= other.x || other.x + other.width <= slot.x, "\(slot) \(other)")
                }
                let end = GridPoint(x: tile.x + slot.x + slot.width - 1, y: tile.y + slot.cardLine)
                #expect(state.layout.hit(end) == .cell(row: 0, column: slot.index))
                #expect(state.visibleCell(at: end)?.column == slot.id)
            }
        }
    }

    @Test func `A16, B2: a point on a slot is in its cell, and a point outside the slots is in no cell`() throws {
        var state = cards()
        state.go(.column(1))
        // The card of row 3 is in the second line on the right.
        let cell = try #require(state.visibleCell(at: GridPoint(x: 41, y: 5)))
        #expect((cell.row, cell.column, cell.origin, cell.size) == (3, 4, GridPoint(x: 39, y: 5), GridSize(width: 4, height: 1)))
        #expect(state.visibleFrame(ofRow: 3, column: 2)?.origin == GridPoint(x: 25, y: 6))
        #expect(state.visibleFrame(ofRow: 3, column: 5) == nil, "the column has no slot")
        #expect(state.visibleFrame(ofRow: 4, column: 2)?.size.width == 18)
        state.play(.resize(GridSize(width: 45, height: 6)))
        #expect(state.visibleFrame(ofRow: 3, column: 1) != nil && state.visibleFrame(ofRow: 3, column: 2) == nil, "clipped below")
        #expect(state.visibleCell(at: GridPoint(x: 23, y: 4)) == nil, "the card's edge")
        #expect(state.layout.hit(GridPoint(x: 23, y: 4)) == .cell(row: 3, column: 1), "a click there keeps the column")
    }

    // MARK: The cursor

    @Test func `B2, D4: Tab moves through the slots in reading order, then to the next card; arrows keep the slot`() {
        var state = cards()
        func cursor(after motions: GridMotion...) -> [Int] {
            for motion in motions { state.go(motion) }
            return [state.cursor.row ?? -1, state.cursor.column]
        }
        #expect((0..<6).map { _ in cursor(after: .nextColumn) } == [[0, 3], [0, 1], [0, 4], [0, 2], [1, 0], [1, 3]])
        #expect(cursor(after: .previousColumn, .previousColumn) == [0, 2])
        #expect(cursor(after: .down(1)) == [2, 2] && cursor(after: .right(1)) == [3, 2] && cursor(after: .pageDown) == [9, 2])
        #expect(
            cursor(after: .pageLeft) == [9, 0] && cursor(after: .pageRight) == [9, 2] && cursor(after: .column(6)) == [9, 4]
                && cursor(after: .column(1)) == [9, 1])
        #expect(cursor(after: .bottom, .pageRight, .nextColumn) == [39, 2], "this is the last card")
        #expect(cursor(after: .top, .pageLeft, .previousColumn) == [0, 0])
        state = cards(tree: sections("x 20\ny 20"))
        #expect(state.cursor.item == .header(0))
        #expect(
            cursor(after: .nextColumn) == [0, 0] && cursor(after: .previousColumn) == [-1, 2] && cursor(after: .nextColumn) == [0, 0])
    }

    @Test func `B2: the cursor never enters a column without a slot`() {
        var state = grid("abcdefg", rows: 9, frame: (45, 11))
        state.go(.row(3), .column(6))
        state.play(.setPresentation(.cards))
        #expect(state.cursor.column == 4)
        state.play(.moveCursor(GridCursor(item: .row(5), column: 6)))
        #expect(state.cursor == GridCursor(item: .row(5), column: 4))
        state.go(.column(0))
        #expect(state.play(.beginEditing(CellEditing(row: 5, column: 6, original: ""))).isEmpty && state.editing == nil)
        #expect(state.cursor.column == 0)
        state.play(.move(.column(4)), .setHidden(4, true))
        #expect(state.currentColumn?.title == "f", "f takes over the slot")
        var column = state.columns[0]
        column.cardSlot = .footnote
        state.play(.updateColumn(column))
        #expect(state.currentColumn?.title == "a" && state.layout.slots.map(\.id) == [0])
        // Cards close the editor of a column without a slot.
        state.play(.setPresentation(.table), .beginEditing(CellEditing(row: 5, column: 2, original: "x")))
        #expect(state.play(.setPresentation(.cards)) == [.editingEnded(5, 2, committed: nil), .presentationChanged])
    }

    @Test func `A10, B2: a click on a slot moves the cursor there; a click outside the slots keeps the column`() {
        var state = cards()
        state.drag((40, 1))
        #expect(state.cursor == GridCursor(item: .row(1), column: 4))
        state.drag((3, 6))
        #expect(state.cursor == GridCursor(item: .row(2), column: 2))
        state.drag((23, 4))
        #expect(state.cursor == GridCursor(item: .row(3), column: 2))
    }

    // MARK: Selecting

    private func selected(_ state: GridState) -> [String] {
        state.selectedCells()!.map { "\($0.row.rawValue)\(state.columns[$0.column]!.title)" }
    }

    @Test(
        arguments: [SelectionMode.cell, .cells, .row, .rows])
    func `A10, B2: in cell modes, a click or Space selects the slot; in row modes, the whole card`(mode: SelectionMode) {
        var state = cards(mode: mode)
        state.interaction = GridInteraction()
        let expected = mode.isRowwise ? ["1a", "1b", "1c", "1d", "1e", "1f", "1g"] : ["1e"]
        state.drag((40, 1))
        #expect(selected(state) == expected)
        state.play(.clearSelection, .toggleSelection)
        #expect(selected(state) == expected)
        state.play(.toggleSelection)
        #expect(selected(state).isEmpty)
    }

    @Test func `A10, B2: a range of cells contains the slots between its ends, and omits columns without a slot`() {
        var state = cards(rows: 6)
        for (id, slot) in [(0, CardSlot.headline), (3, .subheadline), (6, .footnote)] {
            var column = state.columns[id]
            column.cardSlot = slot
            state.play(.updateColumn(column))
        }
        state.go(.column(3))
        state.play(.move(.right(1), extending: true))
        #expect(selected(state) == ["0d", "1d"])
        state.drag((3, 0), (25, 6))
        #expect(selected(state) == ["0a", "0d", "0g", "1a", "1d", "1g", "2a", "2d", "2g", "3a", "3d", "3g"])
        state.play(.clearSelection, .beginSelection(.rows))
        #expect(selected(state).count == 7)
        state.play(.clearSelection, .beginSelection(.columns))
        #expect(selected(state) == (0..<6).map { "\($0)g" })
    }

    // MARK: Dragging

    @Test func `A10, C5: if rows can be moved, a drag selects unless it starts at a selected card or the cursor's card`() {
        var state = cards(mode: .rows)
        state.interaction.allowsRowReordering = true
        #expect(state.drag((25, 0), (3, 4)).contains(.selectionChanged) && state.selectedRows() == [1, 2])
        // Both cards are selected now.
        #expect(state.drag((25, 0), (25, 4)).first == .rowsMoved(1..<3, to: 2))
        state.play(.clearSelection)
        #expect(state.drag((3, 0), (3, 4), press: PointerPress(isExtending: true)).contains(.selectionChanged))
    }

    @Test func `A10, C5: a selection dragged to an edge of the cards keeps scrolling in both directions`() {
        var state = cards(rows: 60)
        // A press next to the slots keeps the column.
        state.play(.pointerDown(GridPoint(x: 1, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 1, y: 10)))
        #expect(selected(state) == (0...4).map { "\($0)a" } && state.drag?.needsTicks == true)
        for _ in 0..<5 { state.play(.dragTick) }
        #expect(state.scroll.top == 10 && state.cursor.item == .row(14) && selected(state) == (0...14).map { "\($0)a" })
        state.play(.pointerMoved(GridPoint(x: 1, y: 5)), .dragTick)
        #expect(state.scroll.top == 10, "a drag in the middle does not scroll")
        state.play(.pointerMoved(GridPoint(x: 1, y: -1)))
        for _ in 0..<9 { state.play(.dragTick) }
        #expect(state.scroll.top == 0 && state.cursor.item == .row(0))
        for _ in 0..<90 { state.play(.pointerMoved(GridPoint(x: 3, y: 30)), .dragTick) }
        #expect(state.cursor.item == .row(58), "the last card of its line")
    }

    @Test func `A10, A15, C5: a selection dragged over a sticky header scrolls up line by line`() {
        var state = cards(rows: 60, tree: sections("x 60"))
        state.go(.row(40))
        let top = state.scroll.top
        #expect(state.layout.tiles[0].isFrozenOrStuck && state.layout.tiles[0].item == .header(0))
        state.play(.pointerDown(GridPoint(x: 3, y: 5), PointerPress()), .pointerMoved(GridPoint(x: 3, y: 0)))
        #expect(state.scroll.top == top)
        state.play(.dragTick)
        #expect(state.scroll.top == top - 2)
    }

    @Test func `A10, C1: in a transposed table, a selection dragged to an edge scrolls rows and columns`() {
        var state = grid("abcdefgh", rows: 20, frame: (30, 4)) { $0.rowHeaderWidth = 4 }
        state.play(.setPresentation(.transposed), .freeze(FrozenPanes(leading: 1)))
        state.play(.pointerDown(GridPoint(x: 4, y: 2), PointerPress()), .pointerMoved(GridPoint(x: 29, y: 3)))
        for _ in 0..<3 { state.play(.dragTick) }
        #expect(state.scroll.top == 3 && state.scroll.x == 3 && state.cursor == GridCursor(item: .row(5), column: 5))
        #expect(state.selectedCells()?.count == 6 * 5)
        state.play(.pointerMoved(GridPoint(x: 3, y: 1)))
        for _ in 0..<3 { state.play(.dragTick) }
        #expect(state.scroll.top == 0 && state.scroll.x == 0 && state.cursor == GridCursor(item: .row(0), column: 1))
    }

    @Test(arguments: [0, 1, 3]) func `A13, C5: panning moves the grid by one line of cards per line of the pointer`(gap: Int) {
        var state = cards((45, 14), gap: gap)
        let height = 3 + gap
        state.play(.pointerDown(GridPoint(x: 9, y: 13), PointerPress(.middle)))
        for y in 0...13 {
            state.play(.pointerMoved(GridPoint(x: 9, y: 13 - y)))
            #expect(state.scroll.top == 2 * (y / height), "\(y) lines")
        }
    }
}
