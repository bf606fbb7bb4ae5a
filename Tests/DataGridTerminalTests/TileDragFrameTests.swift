import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Drags among cards and in transposed tables.
@MainActor
@Suite struct TileDragFrameTests {
    private let source = RecordingSource("Ada|London|a\nAlan|Wilmslow|b\nBarbara|Boston|c\nEdsger|Nuenen|d")

    private func state(_ width: Int, _ height: Int, _ presentation: GridPresentation, card: Int? = nil, gap: Int = 0) -> GridState {
        var state = grid("name:9 city:9 x:4", rows: 4, frame: (width, height)) {
            $0.rowHeaderWidth = 4
            $0.cards.width = card
            $0.cards.spacing.height = gap
        }
        state.interaction.allowsRowReordering = true
        return state.after(.setPresentation(presentation))
    }

    private func dragged(_ state: GridState, _ from: (Int, Int), _ to: (Int, Int)) -> CellBuffer {
        paint(
            state.after(
                .pointerDown(GridPoint(x: from.0, y: from.1), PointerPress()), .pointerMoved(GridPoint(x: to.0, y: to.1))), source)
    }

    private let tint = Theme.dark.dragTint.textStyle.background

    private func underlined(_ buffer: CellBuffer, x: Int) -> [Int] {
        (0..<buffer.size.rows).filter { buffer[x, $0].style.attributes.contains(.underline) }
    }

    @Test func `A17, C5: a dragged card is tinted, and the target card is marked on the side from which the drag comes`() {
        let state = state(28, 6, .cards, card: 12)
        let after = dragged(state, (3, 0), (18, 4))
        #expect(after[5, 1].style.background == tint && after[20, 4].style.background != tint)
        #expect((0..<6).map { after.line($0).hasSuffix("┃") } == [false, false, false, true, true, true])
        let before = dragged(state.after(.move(.row(3))), (18, 4), (3, 1))
        #expect((0..<6).map { before.line($0).hasPrefix("┃") } == [true, true, true, false, false, false])
        #expect(before[20, 4].style.background == tint)
    }

    @Test func `A17, C5: targets between stacked cards are marked with a line, or an underline if there is no gap`() {
        let gap = dragged(state(14, 8, .cards, gap: 1), (3, 0), (3, 5))
        #expect(gap.line(7) == " ━━━━━━━━━━━━" && gap.line(3).isEmpty)
        #expect(underlined(dragged(state(14, 6, .cards), (3, 0), (3, 4)), x: 5) == [5])
        #expect(underlined(dragged(state(14, 9, .cards).after(.move(.row(2))), (3, 7), (3, 4)), x: 5) == [2])
        #expect(dragged(state(14, 6, .cards).after(.move(.row(1))), (3, 4), (3, 0)).line(0).hasPrefix("┃"))
    }

    @Test func `A17, C1: in a transposed table, a dragged column is tinted, and a bar marks the target of a dragged row`() {
        let state = state(40, 4, .transposed)
        let column = dragged(state, (1, 1), (1, 3))
        #expect(underlined(column, x: 9) == [3] && underlined(column, x: 0) == [3])
        #expect((0..<4).map { column[9, $0].style.background == tint } == [false, true, false, false])
        #expect(underlined(dragged(state, (1, 3), (1, 2)), x: 9) == [1])
        let row = dragged(state, (8, 0), (20, 0))
        #expect(row.lines().map { Array($0).firstIndex(of: "┃") } == [26, 26, 26, 26])
        #expect(row[8, 2].style.background == tint && row[18, 2].style.background != tint)
        let back = dragged(state.after(.move(.row(2))), (30, 0), (20, 0))
        #expect(back.lines().map { Array($0).firstIndex(of: "┃") } == [16, 16, 16, 16])
    }

    @Test func `A17, C1: Alt-arrows move rows and columns in the direction of their layout`() {
        func order(_ key: Key, _ presentation: GridPresentation) -> [[Int]] {
            var state = state(40, 6, presentation).after(.move(.row(1)), .move(.column(1)))
            if let action = GridInput.action(for: KeyPress(key, .alt), in: state) { state = state.after(action) }
            return [(0..<4).map { state.rows[$0].rawValue }, state.columns.visible.map(\.id.rawValue)]
        }
        #expect(order(.up, .table) == [[1, 0, 2, 3], [0, 1, 2]] && order(.up, .transposed) == [[0, 1, 2, 3], [1, 0, 2]])
        #expect(order(.down, .table) == [[0, 2, 1, 3], [0, 1, 2]] && order(.down, .transposed) == [[0, 1, 2, 3], [0, 2, 1]])
        #expect(order(.left, .table) == [[0, 1, 2, 3], [1, 0, 2]] && order(.left, .transposed) == [[1, 0, 2, 3], [0, 1, 2]])
        #expect(order(.right, .table) == [[0, 1, 2, 3], [0, 2, 1]] && order(.right, .transposed) == [[0, 2, 1, 3], [0, 1, 2]])
    }
}
