import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor
@Suite struct GridLineTests {
    private let source = RecordingSource("aa|1|x\nbb|2|y\ncc|3|z\ndd|4|w")

    private func state(
        _ lines: GridLines, rows: Int = 4, frame: (Int, Int) = (18, 13), tree: SectionTree? = nil,
        _ metrics: (inout GridMetrics) -> Void = { _ in }
    ) -> GridState {
        grid("a:3 n:3:i c:2", rows: rows, frame: frame, tree: tree) {
            $0.rowHeaderWidth = 4
            $0.gridLines = lines
            $0.headerHeight = 1
            metrics(&$0)
        }
    }

    @Test func `A12: rules between columns, rows or both join at crossings and end with the last row`() {
        func lines(_ kind: GridLines) -> String {
            paint(state(kind, rows: 2, frame: (18, 6)), source).text
        }
        #expect(lines(.none) == "  │ a      n  c\n 1│ aa     1  x\n 2│ bb     2  y\n\n\n")
        #expect(lines(.columns) == "  │ a  │   n│ c │\n 1│ aa │   1│ x │\n 2│ bb │   2│ y │\n\n\n")
        #expect(
            lines(.rows) == """
                  │ a      n  c
                 1│ aa     1  x
                  ├───────────────
                 2│ bb     2  y
                  └───────────────

                """)
        #expect(
            lines(.both) == """
                  │ a  │   n│ c │
                 1│ aa │   1│ x │
                  ├────┼────┼───┼─
                 2│ bb │   2│ y │
                  └────┴────┴───┴─

                """)
    }

    @Test func `A12: rules between columns begin in the header, and join the edges of frozen panes`() {
        let state = state(.both, frame: (18, 22)) { $0.headerHeight = 2 }.after(.freeze(FrozenPanes(leading: 1, rows: 1)))
        #expect(
            paint(state, source).lines().prefix(9).joined(separator: "\n")
                == """
                  │ a  ┃   n│ c │
                  │ te…┃ int│ t…│
                 1│ aa ┃   1│ x │
                  ┝━━━━╋━━━━┿━━━┿━
                 2│ bb ┃   2│ y │
                  ├────╂────┼───┼─
                 3│ cc ┃   3│ z │
                  ├────╂────┼───┼─
                 4│ dd ┃   4│ w │
                """)
        let wide = self.state(.columns, frame: (14, 22)) { $0.headerHeight = 2 }
        let line = paint(wide, source)
        #expect(line.line(1) == "  │ te…│ int│")
        #expect((0..<14).filter { line[$0, 1].style.attributes.contains(.underline) } == Array(4...11), "the visible part of the columns")
    }

    @Test func `A12: column rules end at the rule above a section header, but continue to the end of the frame`() {
        let tree = SectionTree([Section(title: "x", rows: 0..<1), Section(title: "y", rows: 1..<4)])
        #expect(
            paint(state(.both, frame: (18, 7), tree: tree), source).text == """
                  │ a  │   n│ c │
                ▾ x  1 row
                 1│ aa │   1│ x │
                  └────┴────┴───┴─
                ▾ y  3 rows
                 2│ bb │   2│ y │
                  ├────┼────┼───┼─
                """)
    }

    @Test(arguments: [true, false])
    func `A12: rules have the delegate's style; a crossing has the style of the rule on top`(isVerticalOnTop: Bool) {
        let delegate = StyleDelegate()
        delegate.rules = [
            .row(0): CellStyle(foreground: Color(1)), .column(0): CellStyle(foreground: Color(2)),
        ]
        var state = state(.both)
        state.metrics.linesOnTop = isVerticalOnTop ? .vertical : .horizontal
        let buffer = paint(state, source, delegate: delegate)
        let letters: [TextStyle: Character] = [
            CellStyle(foreground: Color(1)).textStyle: "r", CellStyle(foreground: Color(2)).textStyle: "c",
            Theme.dark.gridLine.textStyle: "-",
        ]
        let rows = buffer.styleLines { letters[$0] ?? "." }.map { $0.dropFirst(3) }
        #expect(rows[1] == "....c....-...-.")
        #expect(rows[2] == (isVerticalOnTop ? "rrrrcrrrr-rrr-r" : "rrrrrrrrrrrrrrr"))
        #expect(rows[4] == (isVerticalOnTop ? "----c----------" : "---------------"))
        #expect(buffer.line(2) == "  ├────┼────┼───┼─")
    }

    @Test func `A12: a rule inside selected cells has the selection's background`() {
        let block = SelectionBlock(rows: 0..<1, columns: [0, 1])
        let state = state(.columns).after(.move(.bottom), .setSelection(Selection(blocks: [block])))
        let buffer = paint(state, source)
        let tint = Theme.dark.selection.textStyle.background
        #expect((4..<12).map { buffer[$0, 1].style.background == tint } == Array(repeating: true, count: 8))
        #expect(buffer[7, 1].text == "│" && buffer[7, 1].style.foreground == Theme.dark.gridLine.textStyle.foreground)
        #expect(buffer[12, 1].style.background != tint && buffer[7, 2].style.background != tint)
    }

    @Test func `A12: a drag target is marked with a rule, even if the grid has only row rules`() {
        var state = state(.rows)
        state.interaction.allowsRowReordering = true
        state = state.after(
            .pointerDown(GridPoint(x: 0, y: 1), PointerPress()), .pointerMoved(GridPoint(x: 0, y: 4)))
        #expect(paint(state, source).line(4) == "━━┷━━━━━━━━━━━━━━━")
    }
}
