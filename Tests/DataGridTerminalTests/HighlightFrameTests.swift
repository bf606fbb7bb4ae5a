import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor
@Suite struct HighlightFrameTests {
    private let source = RecordingSource("ab|12|x\nabcd|1234|y\nef|7|z\ngh|8|w")

    private func state(_ height: Int = 5) -> GridState {
        grid("a:4 n:5:i t:4", rows: 4, frame: (20, height)) { $0.rowHeaderWidth = 3 }.after(
            .moveCursor(GridCursor(item: .row(3), column: 2)))
    }

    private func paint(_ state: GridState, _ highlights: Highlights, now: Int64) -> CellBuffer {
        var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
        GridPainter(state, source: source, highlights: highlights, now: now).paint(on: &buffer)
        return buffer
    }

    private var changes: Highlights {
        var highlights = Highlights(steps: 5)
        highlights.highlight(row: 0, at: 0, for: 100)
        highlights.highlight(.rise, row: 0, column: 1, at: 0, for: 100)
        highlights.highlight(.fall, row: 1, column: 1, at: 0, for: 100)
        highlights.highlight(.rise, row: 2, column: 0, at: 0, for: 100)
        highlights.highlight(.fall, row: 2, column: 9, at: 0, for: 100)
        return highlights
    }

    @Test func `A20: rises and falls are marked beside the text or, if there is no room, before the cell, until they fade`() {
        let highlighted = paint(state(), changes, now: 0)
        #expect(highlighted.text == "  │a         n  t\n 1│ab      ▲12  x\n 2│abcd ▼1,234  y\n 3│ef ▲      7  z\n 4│gh        8  w")
        #expect(paint(state(), changes, now: 100).text == paint(state(), Highlights(), now: 0).text)
        #expect(paint(state(), changes, now: 100) == paint(state(), Highlights(), now: 0))
    }

    @Test func `A20, C1, C5: transposed tables and cards also mark rises and falls`() {
        let state = grid("a:4 n:5:i t:4", rows: 4, frame: (43, 12)) { $0.rowHeaderWidth = 3 }
        #expect(
            paint(state.after(.setPresentation(.transposed)), changes, now: 0).lines().prefix(4) == [
                "   1         2         3         4", "a  ab        abcd      ef     ▲  gh", "n  12     ▲  1,234  ▼  7         8",
                "t  x         y         z         w",
            ])
        let cards = state.after(.setPresentation(.cards))
        #expect(
            paint(cards, changes, now: 0).lines() == [
                " ▌ ab", " ▌ 12 ▲", " ▌ x", "", " ▏ abcd", " ▏ 1,234 ▼", " ▏ y", "", " ▏ ef ▲", " ▏ 7", " ▏ z", "",
            ])
        #expect(paint(cards, changes, now: 100) == paint(cards, Highlights(), now: 100))
        let status = grid("t:4 a:4 b:4 n:5:i", rows: 1, frame: (16, 3)).after(.setPresentation(.cards))
        let card = RecordingSource("ab|x|y|12")
        var rise = Highlights(steps: 5)
        rise.highlight(.rise, row: 0, column: 3, at: 0, for: 100)
        var buffer = CellBuffer(size: TerminalSize(columns: 16, rows: 3))
        GridPainter(status, source: card, highlights: rise, now: 0).paint(on: &buffer)
        #expect(buffer.line(0) == " ▌ ab       ▲12")
    }

    @Test func `A20: highlighted rows and cells fade in steps to the colors below them`() {
        func ground(_ x: Int, _ y: Int, _ now: Int64) -> TerminalColor { paint(state(), changes, now: now)[x, y].style.background }
        let theme = Theme.dark
        #expect(ground(4, 1, 0) == theme.updatedRow.textStyle.background && ground(8, 1, 0) == theme.updatedRow.textStyle.background)
        #expect(ground(11, 1, 0) == theme.rise.textStyle.background && ground(11, 2, 0) == theme.fall.textStyle.background)
        #expect(ground(4, 2, 0) == .terminalDefault)
        let steps = (0...100).map { ground(11, 1, $0) }
        #expect(Set(steps).count == 6 && steps.last == .terminalDefault)
        let base = CellStyle.none.applying(theme.updatedRow.faded(to: 2, of: 5), base: theme.ground)
        #expect(steps[60] == base.applying(theme.rise.faded(to: 2, of: 5), base: theme.ground).textStyle.background)
        var flat = state()
        flat.blendsStyles = false
        #expect(
            paint(flat, changes, now: 99)[11, 1].style.background == theme.rise.textStyle.background, "no blending: bright until the end")
    }

    @Test func `A4, A20: the gap between two selected cells has their common style, but not the highlight of only one`() {
        let selected = state().after(
            .setStyle(.selection, CellStyle(traits: .underline)),
            .setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1, columns: [0, 1])])))
        let blank = selected.layout.columns[0].range.upperBound
        func ground(_ columns: ColumnID...) -> TerminalColor {
            var highlights = Highlights(steps: 5)
            for column in columns { highlights.highlight(.rise, row: 0, column: column, at: 0, for: 100) }
            let style = paint(selected, highlights, now: 0)[blank, 1].style
            #expect(style.attributes.contains(.underline))
            return style.background
        }
        #expect(ground(0) == ground() && ground(1) == ground())
        #expect(ground(0, 1) == Theme.dark.rise.textStyle.background && ground(0, 1) != ground())
    }

    @Test func `A20: the selection and the cursor cover highlights, which scrolling and sorting do not change`() {
        let selected = state().after(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1, columns: [1])])))
        #expect(paint(selected, changes, now: 0)[11, 1].style.background == Theme.dark.selection.textStyle.background)
        #expect(paint(selected, changes, now: 0).line(1).contains("▲"))
        let cursor = state().after(.moveCursor(GridCursor(item: .row(0), column: 1)))
        #expect(paint(cursor, changes, now: 0)[11, 1].style.attributes.contains(.reverse))
        let scrolled = paint(state(4).after(.scroll(items: 1, columns: 0)), changes, now: 0)
        #expect(scrolled.line(1) == " 2│abcd ▼1,234  y")
        let sorted = paint(state().after(.setRows(.permuted(RowPermutation([3, 2, 1, 0])))), changes, now: 0)
        #expect(sorted.line(4).contains("▲12"))
    }

    @Test func `A20: without colors, the marks of changes are bold`() {
        let bare = paint(state().after(.setTheme(.plain)), changes, now: 0)
        #expect(bare.line(1).contains("▲") && bare[11, 1].style.attributes.contains(.bold))
    }

    @Test(
        arguments: [ColorDepth.none, .ansi16, .indexed256, .trueColor])
    func `A20: on terminals with 256 or fewer colors, highlights keep the theme's color until they end`(depth: ColorDepth) throws {
        let size = TerminalSize(columns: 24, rows: 6)
        let backend = RecordingBackend(size: size, capabilities: TerminalCapabilities(colorDepth: depth))
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        let grid = GridController(columns: columns("a:6 n:8:i"), dataSource: source, metrics: metrics)
        grid.reload()
        let application = try backend.open(grid)
        grid.perform(.moveCursor(GridCursor(item: .row(3), column: 0)))
        application.turn()
        let start = ContinuousClock.now
        grid.reportChanges([CellChange(.risen, row: 0, column: 1)])
        func style(after delay: Duration) -> TextStyle? {
            grid.tick(at: start + delay)
            var frame = CellBuffer(size: size)
            grid.draw(on: &frame)
            for y in 0..<size.rows { for x in 0..<size.columns where frame[x, y].text == "▲" { return frame[x, y].style } }
            return nil
        }
        let first = style(after: .milliseconds(200))
        #expect(first != nil && grid.fadesHighlights == (depth == .trueColor))
        #expect((style(after: .milliseconds(1_900)) == first) == (depth != .trueColor))
        #expect(style(after: .seconds(10)) == nil && grid.nextTick == nil)
        let later = GridController(columns: columns("a:6"))
        application.add(later)
        #expect(later.fadesHighlights == grid.fadesHighlights)
    }

    @Test func `A20: a fading step writes only changed cells`() {
        let before = paint(state(), changes, now: 0)
        let after = paint(state(), changes, now: 20)
        let different = (0..<5).flatMap { y in (0..<20).map { (x: $0, y: y) } }.filter { before[$0.x, $0.y] != after[$0.x, $0.y] }
        #expect(Set(different.map(\.y)) == [1, 2, 3])
        #expect(different.filter { $0.y == 2 }.allSatisfy { (8...13).contains($0.x) })
        let backend = RecordingBackend(size: TerminalSize(columns: 20, rows: 5))
        backend.present(before, cursor: nil)
        backend.present(after, cursor: nil)
        let printed = String(decoding: backend.lastBytes, as: UTF8.self).replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
        #expect(printed == " 1│ab      x     ▲12\n▼1,234\nef ▲")
        #expect(printed.count { $0 != "\n" } == different.count)
    }

    // MARK: Policies of columns

    private func wide(_ change: (inout [Column]) -> Void) -> GridState {
        let state = grid("a:6 n:7:i t:4", rows: 4, frame: (24, 5)) { $0.rowHeaderWidth = 3 }
        var columns = state.columns.all
        change(&columns)
        return columns.reduce(state) { $0.after(.updateColumn($1)) }.after(.moveCursor(GridCursor(item: .row(3), column: 2)))
    }

    @Test func `A20: a column that keeps change marks reserves a cell for the mark, so that values do not move`() {
        let state = wide { columns in for index in 0..<2 { columns[index].keepsChangeMarks = true } }
        var marks = ChangeMarks()
        func paint(_ state: GridState, _ glyphs: GlyphSet = .unicode) -> CellBuffer {
            var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
            GridPainter(state, source: source, changeMarks: marks, glyphs: glyphs).paint(on: &buffer)
            return buffer
        }
        #expect(paint(state).lines()[1...2] == [" 1│ab           12  x", " 2│abcd      1,234  y"])
        marks.set(.fall, row: 0, column: 0)
        marks.set(.rise, row: 0, column: 1)
        marks.set(.rise, row: 0, column: 2)
        marks.set(.fall, row: 1, column: 1)
        #expect(paint(state).lines()[1...2] == [" 1│ab   ▼  ▲    12  x", " 2│abcd    ▼ 1,234  y"])
        #expect(paint(state)[11, 1].style.foreground == Theme.dark.rise.textStyle.foreground)
        #expect(paint(state)[11, 1].style.background == .terminalDefault)
        #expect([paint(state, .ascii)[8, 1].text, paint(state, .ascii)[11, 1].text] == ["v", "^"])
        let across = paint(state.after(.setPresentation(.transposed), .moveCursor(GridCursor(item: .row(0), column: 2))))
        #expect(across.line(1).contains("ab") && across.line(1).contains("▼") && across.line(2).contains("▲"))
        // The text never covers the mark.
        let narrow = wide {
            $0[1].width = .fixed(5)
            $0[1].keepsChangeMarks = true
        }
        #expect(paint(narrow).line(2).contains("▼") && paint(narrow).line(2).contains("…"))
    }

    @Test func `A20: each column decides whether changes highlight its values and its part of a changed row`() {
        var highlights = changes
        highlights.highlight(.update, row: 0, column: 2, at: 0, for: 100)
        func grounds(_ state: GridState) -> [TerminalColor] {
            let buffer = paint(state, highlights, now: 0)
            return [3, 9, 11, 20].map { buffer[$0, 1].style.background }
        }
        let theme = Theme.dark
        let (row, rise) = (theme.updatedRow.textStyle.background, theme.rise.textStyle.background)
        #expect(grounds(wide { _ in }) == [row, row, rise, theme.update.textStyle.background])
        #expect(grounds(wide { $0[2].highlightsChanges = false }) == [row, .terminalDefault, rise, .terminalDefault])
        let quiet = wide { columns in for index in columns.indices { columns[index].highlightsChanges = false } }
        #expect(paint(quiet, highlights, now: 0) == paint(quiet, Highlights(), now: 0))
    }
}
