import DataGrid
import Testing

@Suite struct QueryTests {
    @Test func `A16: the grid reports its sections, row counts, and visible rows and columns`() {
        var state = grid("abc", rows: 9, frame: (9, 6), tree: sections("x 4\ny 5"))
        #expect(state.numberOfSections == 2)
        #expect(state.numberOfRows(inSection: 1) == 5)
        #expect(state.numberOfRows(inSection: 2) == nil)
        #expect(state.isValid(8) && !state.isValid(9))
        #expect(state.visibleRows == [0, 1, 2, 3])
        #expect(state.visibleColumns == [0, 1])
        state.play(.setCollapsed(section: 0, true))
        #expect(state.isCollapsed(section: 0) && !state.isCollapsed(section: 1) && !state.isCollapsed(section: 7))
        #expect(state.visibleRows == [4, 5, 6])
    }

    @Test func `A16: rows without sections form one section, unless there are no rows`() {
        let state = grid(rows: 9)
        #expect((state.numberOfSections, state.numberOfRows(inSection: 0), state.numberOfRows(inSection: 1)) == (1, 9, nil))
        #expect(state.isValid(section: 0) && !state.isValid(section: 1) && !state.isValid(section: -1))
        #expect(state.isValid(row: 8, inSection: 0) && !state.isValid(row: 9, inSection: 0) && !state.isValid(row: 0, inSection: 1))
        let empty = grid(rows: 0)
        #expect(empty.numberOfSections == 0 && empty.numberOfRows(inSection: 0) == nil && !empty.isValid(section: 0))
        let grouped = grid(rows: 9, tree: sections("x 4\ny 5"))
        #expect(grouped.isValid(row: 4, inSection: 1) && !grouped.isValid(row: 4, inSection: 0) && !grouped.isValid(section: 2))
    }

    @Test func `A16: a column counts as visible if any part of it is visible`() {
        var state = grid("abc", rows: 9, width: 6, frame: (15, 6))
        #expect(state.visibleColumns == [0, 1, 2])
        state.play(.resize(GridSize(width: 14, height: 6)))
        #expect(state.visibleColumns == [0, 1])
    }

    @Test func `A10, A16: if whole columns are selected, the grid returns these columns`() {
        var state = grid("abcd", rows: 9)
        func ids() -> [ColumnID] { state.selectedColumns().map(\.id) }
        #expect(ids() == [])
        state.play(.beginSelection(.columns), .move(.right(1)))
        #expect(ids() == [0, 1])
        state.play(.setHidden(0, true))
        #expect(ids() == [1], "hidden columns are not returned")
        state.play(.setHidden(0, false), .invertSelection)
        #expect(ids() == [2, 3])
        for action in [GridAction.beginSelection(.rows), .beginSelection(.cells), .selectAll] {
            state.play(.clearSelection, action)
            #expect(ids() == [] && !state.selection.isEmpty, "\(action)")
        }
    }

    @Test func `A16: a point maps to its cell and to the visible part of the cell`() throws {
        var state = grid("abc", rows: 20, width: 6, frame: (15, 6)) {
            $0.rowHeight = 2; $0.showsTotals = true
        }
        state.play(.scroll(items: 3, columns: 0))
        let cell = try #require(state.visibleCell(at: GridPoint(x: 9, y: 2)))
        #expect((cell.row, cell.column, cell.origin, cell.size) == (3, 1, GridPoint(x: 7, y: 1), GridSize(width: 6, height: 2)))
        let clipped = try #require(state.visibleCell(at: GridPoint(x: 14, y: 4)))
        #expect(
            (clipped.row, clipped.column, clipped.origin, clipped.size) == (4, 2, GridPoint(x: 14, y: 3), GridSize(width: 1, height: 2)))
        // These points are in the header, in the totals, or outside of the frame.
        for y in [0, 5, 6, -1] { #expect(state.visibleCell(at: GridPoint(x: 0, y: y)) == nil) }
    }

    @Test func `A16: a visible cell has a frame on the screen`() throws {
        var state = grid("abc", rows: 20, frame: (15, 6))
        let frame = try #require(state.visibleFrame(ofRow: 2, column: 1))
        #expect(frame.origin == GridPoint(x: 5, y: 3) && frame.size == GridSize(width: 4, height: 1))
        #expect(state.visibleFrame(ofRow: 9, column: 1) == nil)
        state.go(.bottom)
        #expect(state.visibleFrame(ofRow: 19, column: 0)?.origin == GridPoint(x: 0, y: 5))
    }

    @Test func `A16, C1: in a transposed table, columns run from top to bottom, and a point maps to its row and line`() throws {
        var state = grid("abc", rows: 20, frame: (24, 2)) { $0.rowHeaderWidth = 0 }
        state.play(.setPresentation(.transposed))
        #expect(state.visibleColumns == [0, 1] && state.visibleRows == [0, 1, 2])
        let cell = try #require(state.visibleCell(at: GridPoint(x: 13, y: 1)))
        #expect((cell.row, cell.column, cell.origin, cell.size) == (1, 1, GridPoint(x: 12, y: 1), GridSize(width: 8, height: 1)))
        let frame = try #require(state.visibleFrame(ofRow: 1, column: 1))
        #expect((cell.origin, cell.size) == frame)
        #expect(state.visibleCell(at: GridPoint(x: 0, y: 0)) == nil, "a title")
        state.play(.scroll(items: 1, columns: 2))
        #expect(state.visibleColumns == [1, 2] && state.visibleRows == [2, 3, 4])
        #expect(state.visibleCell(at: GridPoint(x: 3, y: 0))?.column == 1)
    }

    @Test func `A16, C5: on cards, columns in slots are visible, and each slot is a cell`() throws {
        var state = grid("abcdefg", rows: 20, frame: (21, 7)) { $0.cards.width = 8 }
        state.play(.setPresentation(.cards))
        #expect(state.visibleColumns == [0, 1, 2, 3, 4])
        let cell = try #require(state.visibleCell(at: GridPoint(x: 16, y: 5)))
        #expect((cell.row, cell.column, cell.origin, cell.size) == (3, 4, GridPoint(x: 16, y: 5), GridSize(width: 3, height: 1)))
        #expect(state.visibleCell(at: GridPoint(x: 12, y: 3)) == nil, "between cards")
        state.play(.setHidden(2, true), .move(.column(1)))
        #expect(state.visibleColumns == [0, 1, 3, 4, 5])
        #expect(state.visibleCell(at: GridPoint(x: 3, y: 0))?.column == 0)
    }

    @Test func `A10: the grid returns the selection as rows and as cells`() {
        var state = grid("abc", rows: 20)
        #expect(state.selectedRows() == [] && state.selectedCells()?.isEmpty == true)
        state.go(.down(2), .right(1))
        state.play(.move(.down(1), extending: true), .move(.right(1), extending: true))
        #expect(state.selectedRows() == [2, 3])
        #expect(state.selectedCells()?.map { [$0.row.rawValue, $0.column.rawValue] } == [[2, 1], [2, 2], [3, 1], [3, 2]])
        #expect(state.selectedCells(limit: 3) == nil)
        state.play(.selectAll)
        #expect(state.selectedRows().count == 20)
    }
}
