import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Marks on cards and in transposed tables: frozen panes that do not fit, and rows and columns that are not visible.
@MainActor
@Suite struct TileMarkTests {
    private let source = RecordingSource(
        (0..<9).map { row in "abcdef".map { "\(row)\($0)" }.joined(separator: "|") }.joined(separator: "\n"))

    private func transposed(
        _ width: Int, _ height: Int, _ panes: FrozenPanes = FrozenPanes(), header: Int = 3,
        _ metrics: (inout GridMetrics) -> Void = { _ in }
    ) -> GridState {
        grid("a:8 b:8 c:8 d:8 e:8 f:8", rows: 9, frame: (width, height)) {
            $0.rowHeaderWidth = header
            metrics(&$0)
        }.after(.setPresentation(.transposed), .freeze(panes))
    }

    @Test(arguments: 1...24) func `C5: cards have a scroll bar only if not all of them are visible`(height: Int) {
        let tree = SectionTree((0..<3).map { Section(title: "s", rows: $0 * 3..<$0 * 3 + 3) })
        for (count, tree) in (1...9).map({ ($0, nil) }) + [(9, tree)] {
            for width in [20, 48] {
                let state = grid("a:8 b:8 c:8", rows: count, frame: (width, height), tree: tree) { $0.showsScrollBar = true }
                    .after(.setPresentation(.cards))
                let scrolls = state.after(.move(.bottom)).scroll.top > state.scroll.top
                #expect(paint(state, source).text.contains("▐") == scrolls, "\(count) cards, \(width) × \(height), \(tree != nil)")
            }
        }
    }

    // MARK: Rows and columns beyond the frame

    @Test func `C1: in a transposed table, marks show where more rows and columns follow, without covering data`() {
        var state = transposed(24, 4)
        #expect(
            paint(state, source).lines() == ["   1         2         ›", "a  0a        1a", "b  0b        1b", "c ↓0c        1c"])
        state = state.after(.move(.right(4)), .move(.down(4)))
        let buffer = paint(state, source)
        #expect(buffer.lines() == ["  ‹4         5         ›", "c ↑3c        4c", "d  3d        4d", "e ↓3e        4e"])
        #expect(buffer[2, 0].style == Theme.dark.sortBadge.textStyle)
        #expect(buffer[2, 1].style.foreground == Theme.dark.sortBadge.textStyle.foreground)
        let last = paint(state.after(.move(.bottom), .move(.down(9))), source).text
        #expect("›↓".allSatisfy { !last.contains($0) } && "‹↑".allSatisfy { last.contains($0) })
        let all = paint(transposed(99, 9), source).text
        #expect("‹›↑↓".allSatisfy { !all.contains($0) })
    }

    @Test func `C1: without a row header, the marks follow the titles or, without titles, are in the header`() {
        var state = transposed(24, 3, header: 0).after(.move(.right(4)), .move(.down(4)))
        #expect(paint(state, source).lines() == ["c ↑3c        4c", "d ‹3d        4d", "e ↓3e        4e"])
        #expect(paint(transposed(24, 4, header: 0), source).lines().map { Array($0)[2] } == ["›", " ", " ", "↓"])
        state = transposed(24, 3) { $0.titleWidth = 0 }.after(.move(.right(4)), .move(.down(4)))
        #expect(paint(state, source).lines() == ["‹4        5         6  ›", "3d        4d        5d", "3e        4e        5e"])
        #expect(paint(transposed(24, 3) { $0.titleWidth = 0 }, source).line(0) == "1         2         3  ›")
        let frozen = transposed(44, 3, FrozenPanes(rows: 1, bottom: 1)).after(.move(.row(4)))
        #expect(paint(frozen, source).line(0) == "   1       ┃‹4         5         6›│9")
    }

    // MARK: Frozen panes that do not fit

    @Test func `A8, C1: in a transposed table, corner marks show which frozen panes do not fit`() {
        let panes = FrozenPanes(leading: 3, trailing: 1, rows: 5, bottom: 2)
        let state = transposed(24, 4, panes) { $0.titleWidth = 7 }
        #expect(state.layout.overflowingSides == [.leading, .trailing, .top, .bottom])
        #expect(paint(state, source).line(0).hasPrefix("  ◂▴▸▾ 1"))
        #expect(paint(state, source)[2, 0].style.foreground == Theme.dark.frozenEdge.textStyle.foreground)
        #expect(!paint(transposed(24, 4, FrozenPanes(rows: 1)) { $0.titleWidth = 7 }, source).text.contains("◂"))
        let narrow = transposed(24, 4, panes)
        #expect(paint(narrow, source).line(0).hasSuffix("◂▴▸▾›"), "a corner of two cells is too small")
        let bare = transposed(24, 4, FrozenPanes(leading: 4), header: 0)
        #expect(bare.layout.overflowingSides == .leading && paint(bare, source).lines().map { Array($0)[2] } == [" ", "◂", "›", "↓"])
        let none = transposed(24, 7, FrozenPanes(rows: 5), header: 0) { $0.titleWidth = 0 }
        #expect(paint(none, source).line(6) == "                       ▴")
    }

    @Test func `A8, C5: on cards, the marks are in the scroll bar's column, at the end of the edge line, or in blanks`() {
        func cards(_ height: Int, _ panes: FrozenPanes, _ metrics: (inout GridMetrics) -> Void = { _ in }) -> GridState {
            grid("a:8 b:8 c:8", rows: 9, frame: (20, height)) { metrics(&$0) }.after(.setPresentation(.cards), .freeze(panes))
        }
        let panes = FrozenPanes(rows: 3, bottom: 2)
        let bar = cards(8, panes) { $0.showsScrollBar = true }
        #expect(bar.layout.overflowingSides == [.top, .bottom])
        func column(_ state: GridState) -> String {
            paint(state, source).lines().map { $0.count > 19 ? String(Array($0)[19]) : " " }.joined()
        }
        #expect(column(bar).contains("▴▾") && column(bar).contains("▐"))
        let plain = paint(cards(8, panes), source)
        #expect(column(cards(8, panes)).hasSuffix("▴▾") && plain.lines().joined().contains("0a"))
        #expect(!column(cards(40, FrozenPanes(rows: 1))).contains("▴"))
        let edge = cards(14, FrozenPanes(bottom: 5)) { $0.cards.padding.width = 0 }
        #expect(paint(edge, source).lines().contains { $0.hasPrefix("──") && $0.hasSuffix("─▾") })
    }

    @Test func `A8: in a table without row header and rule, the marks are in the scroll bar column or the header`() {
        func table(_ header: Int, bar: Bool) -> GridState {
            grid("a:12 b:12 c:12", rows: 9, frame: (30, 6)) {
                $0.headerHeight = header
                $0.showsScrollBar = bar
            }.after(.freeze(FrozenPanes(leading: 2, rows: 5)))
        }
        func bar(_ state: GridState) -> String { paint(state, source).lines().map { $0.count == 30 ? String($0.last!) : " " }.joined() }
        #expect((0...2).map { bar(table($0, bar: true)) } == ["   ◂▐▴", "›  ◂▐▴", "›  ◂▐▴"])
        // At the last row, the thumb is at the end of the scroll bar.
        #expect(bar(table(1, bar: true).after(.move(.bottom))) == "›  ◂▴▐")
        #expect(paint(table(1, bar: false), source).line(0).hasSuffix("◂▴"))
        #expect(!paint(table(0, bar: false), source).text.contains("◂"))
    }

    // MARK: Delegate

    private final class RecordingDelegate: GridDelegate {
        var layouts = 0
        var widths: [Int] = []
        var mayResize = true
        var fitsItself = false
        func didFinishLayout() { layouts += 1 }
        func shouldResizeRows(to width: Int) -> Bool { mayResize }
        func didResizeRows(to width: Int) { widths.append(width) }
        func shouldFitRows() -> Bool { !fitsItself }
    }

    private let recorder = RecordingDelegate()

    private func open(_ source: RecordingSource? = nil) -> GridController {
        var metrics = GridMetrics.threeHeaderLines
        metrics.rowHeaderWidth = 3
        let grid = GridController(
            columns: columns("a:8 b:8 c:8 d:8 e:8 f:8"), dataSource: source ?? self.source, delegate: recorder, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 4)
        grid.reload()
        grid.perform(.setPresentation(.transposed))
        return grid
    }

    private func draw(_ grid: GridController) {
        var buffer = CellBuffer(size: TerminalSize(columns: 40, rows: 4))
        grid.draw(on: &buffer)
    }

    @Test func `A3, C1: a transposed table reports its layout when columns scroll, the pull strip moves, or titles change`() {
        let grid = open()
        func layoutsReported(_ action: GridAction?) -> Int {
            let before = recorder.layouts
            if let action { grid.perform(action) }
            draw(grid)
            return recorder.layouts - before
        }
        #expect(layoutsReported(nil) == 1 && layoutsReported(nil) == 0 && layoutsReported(.move(.down(1))) == 0)
        #expect(layoutsReported(.scroll(items: 1, columns: 0)) == 1 && layoutsReported(.scroll(items: -1, columns: 0)) == 1)
        grid.perform(.setPull(GridPull(lines: 2)))
        #expect(layoutsReported(.pull(by: 1)) == 1 && layoutsReported(.pull(by: -1)) == 1)
        var metrics = grid.state.metrics
        metrics.titleWidth = 9
        #expect(layoutsReported(.setMetrics(metrics)) == 1)
    }

    @Test func `A9, C1: in a transposed table, the delegate can veto the row width, and a double click on an edge fits it`() {
        let long = RecordingSource(
            (0..<9).map { row in (0..<6).map { row == 1 && $0 == 2 ? "a long value" : "\(row).\($0)" }.joined(separator: "|") }.joined(
                separator: "\n"))
        let grid = open(long)
        func press(_ x: Int, clicks: Int = 1) { grid.perform(.pointerDown(GridPoint(x: x, y: 0), PointerPress(clicks: clicks))) }
        let edge = 3 + 8
        press(edge)
        grid.perform(.pointerMoved(GridPoint(x: edge + 5, y: 0)))
        grid.perform(.pointerUp(GridPoint(x: edge + 5, y: 0)))
        #expect(recorder.widths == [13])
        press(3 + 13, clicks: 2)
        #expect(recorder.widths == [13, 12] && grid.state.metrics.transposedRowWidth == 12)
        recorder.mayResize = false
        let before = grid.state.metrics.transposedRowWidth
        press(3 + grid.state.layout.tiles[0].fullWidth)
        grid.perform(.pointerMoved(GridPoint(x: 30, y: 0)))
        #expect(grid.state.metrics.transposedRowWidth == before)
        recorder.mayResize = true
        recorder.fitsItself = true
        grid.perform(.cancelDrag)
        grid.perform(.setTransposedRowWidth(20))
        press(3 + 20, clicks: 2)
        #expect(grid.state.metrics.transposedRowWidth == 20)
        recorder.fitsItself = false
        press(3 + 20, clicks: 2)
        #expect(grid.state.metrics.transposedRowWidth == 12 && recorder.widths.last == 12)
    }
}
