import DataGrid
import Testing

/// A trillion rows: an algorithm that visits them all would exceed the time limit.
@Suite(.timeLimit(.minutes(5))) struct ScaleTests {
    private let rows = 1_000_000_000_000

    @Test func `A9: the cost of a motion does not depend on the number of rows`() {
        var state = grid("abcdef", rows: rows, frame: (80, 24))
        for _ in 0..<250 {
            state.go(.down(rows / 300), .pageDown, .up(7), .row(rows / 2))
            #expect(state.isCursorVisible)
        }
    }

    @Test func `A9: with ten thousand columns, too, the cost of a motion does not depend on the number of rows`() {
        let columns = (0..<10_000).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(8)) }
        let motions: [GridMotion] = [
            .down(99_999), .right(77), .pageDown, .bottom, .lastColumn, .pageUp, .left(777), .row(rows / 2), .nextColumn, .top,
        ]
        var state = GridState(columns: columns, rows: .natural(count: rows))
        state.play(.resize(GridSize(width: 120, height: 40)), .freeze(FrozenPanes(leading: 2, trailing: 1, rows: 2)))
        for motion in 0..<200 {
            state.go(motions[motion % motions.count])
            #expect(state.isCursorVisible)
        }
    }

    @Test func `A9: tall rows are placed, found and scrolled to without visiting the rows before them`() {
        var state = grid("a", rows: rows, frame: (80, 24))
        for n in 0..<1_000 { state.play(.setRowHeight(RowID(n * 999_983), 5)) }
        for n in 0..<1_000 {
            let row = n * 999_983
            #expect(state.lines(aboveRow: row) == row + 4 * n && state.row(atLine: row + 4 * n + 4) == row)
            state.go(.row(row), .pageDown, .up(3))
            state.play(.scrollLines(rows / 2), .scrollLines(-rows / 2))
        }
        state.go(.bottom)
        #expect(state.lines(aboveRow: rows) == rows + 4_000 && state.isCursorVisible)
    }

    @Test(
        arguments: [GridPresentation.cards, .transposed],
        [false, true])
    func `A9, C1, C5: on cards and in transposed tables, the cost of a motion does not depend on the number of rows`(
        _ presentation: GridPresentation, hasSections: Bool
    ) {
        // Sections are limited to four billion rows.
        let rows = hasSections ? Int(UInt32.max) : rows
        let tree = hasSections ? SectionTree([Section(title: "x", rows: 0..<rows / 3), Section(title: "y", rows: rows / 3..<rows)]) : nil
        var state = grid("abcdef", rows: rows, frame: (80, 24), tree: tree) { $0.cards.width = 12 }
        state.play(.setPresentation(presentation), .freeze(FrozenPanes(rows: 2, bottom: 1)))
        for _ in 0..<50 {
            state.go(
                .down(rows / 30), .right(rows / 3), .pageDown, .up(7), .up(rows / 50), .row(rows / 2), .halfPageUp, .bottom, .pageUp, .top)
            #expect(state.isCursorVisible)
            state.play(
                .scrollLines(rows / 9), .scroll(items: rows / 2, columns: rows / 7), .scrollLines(-rows / 8),
                .scroll(items: 0, columns: -rows))
            #expect(state.isCursorVisible)
        }
        state.go(.top, .bottom)
        #expect(state.cursor.item == .row(rows - 1))
    }
}
