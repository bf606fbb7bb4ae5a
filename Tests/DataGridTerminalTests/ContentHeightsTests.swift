import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor
@Suite struct ContentHeightsTests {
    private let source = RecordingSource("a b c d|12345678|x\none|2|\na b|3|long text that is out of sight\na b c d e f|4|")

    /// Columns a and n are visible, z is not.
    private func state(_ heights: ContentHeights, frame: (Int, Int) = (9, 13)) -> GridState {
        var state = grid("a:3 n:4:i z:9", rows: 4, frame: frame) { $0.hasAutomaticRowHeights = true }
        state.rowHeightSource = heights
        return state
    }

    @Test func `A9, B6: rows are as tall as their visible text needs, and numbers do not wrap`() {
        let heights = ContentHeights(source)
        #expect(
            paint(state(heights), source).text == """
                a       ›
                a b     …
                c d
                one     2
                a b     3
                a b     4
                c d
                e f





                """)
    }

    @Test func `A9: content is cut to the available lines, and the last line is marked as truncated`() {
        let heights = ContentHeights(source)
        #expect(paint(state(heights, frame: (9, 6)), source).text == "a       ›\na b     …\nc d\none     2\na b     3\na b     4")
        #expect(state(heights, frame: (9, 6)).layout.itemSpans.map(\.fullHeight) == [2, 1, 1, 2])
        #expect(state(heights, frame: (9, 3)).layout.itemSpans.map(\.fullHeight) == [1, 1])
    }

    @Test func `A6: a row is measured once, and only in wrapped columns`() {
        let heights = ContentHeights(source)
        var state = state(heights)
        for _ in 0..<3 { state = state.after(.move(.bottom), .move(.top)) }
        #expect(source.requests == [0: [0], 1: [0], 2: [0], 3: [0]])
        // Another column becomes visible, so another text is wrapped.
        state = state.after(.move(.lastColumn))
        #expect(state.layout.itemSpans.map(\.height) == [1, 1, 4, 1] && source.requests[2]?.last == 2)
    }

    @Test func `A6, A9: each visible cell is read exactly once per frame, even if its row is also measured`() {
        let heights = ContentHeights(source)
        let state = state(heights)
        let buffer = paint(state, source)
        #expect(source.requests.mapValues(Set.init) == [0: [0, 1], 1: [0, 1], 2: [0, 1], 3: [0, 1]] && source.cells == 8)
        // The next frame shows the source's current content.
        source.rows[1][0] = CellContent("two")
        #expect(paint(state, source).line(3) == "two     2" && buffer.line(3) == "one     2")
        #expect(source.cells == 16)
        // Another source has other content.
        let other = RecordingSource("p|1\nq|2\nr|3\ns|4")
        _ = state.layout
        #expect(paint(state, other).line(1).hasPrefix("p"))
    }

    @Test func `C7: a row height set by the delegate takes precedence, within the limits`() {
        let delegate = StyleDelegate()
        delegate.heights = [0: 5, 1: 99, 2: 0]
        let heights = ContentHeights(source, delegate: delegate)
        var state = state(heights, frame: (9, 30))
        #expect(state.layout.itemSpans.map(\.fullHeight) == [5, 8, 1, 3])
        state.metrics.minimumRowHeight = 2
        #expect(state.layout.itemSpans.map(\.fullHeight) == [5, 8, 2, 3])
        state = state.after(.setRowHeight(1, 12))
        #expect(state.layout.itemSpans.map(\.fullHeight) == [5, 12, 2, 3])
    }

    @Test func `A12: the rule of a row is below its last line`() {
        var state = state(ContentHeights(source))
        state.metrics.gridLines = .both
        let lines = paint(state, source).lines()
        #expect([1, 2, 3, 5, 7].map { lines[$0] } == ["a b│    …", "c d│", "───┼─────", "───┼─────", "───┼─────"])
    }

    @Test func `A9: a copied grid state can change on another thread, where unmeasured rows have one line`() async {
        let delegate = StyleDelegate()
        let state = state(ContentHeights(source, delegate: delegate))
        #expect(state.layout.itemSpans.map(\.fullHeight) == [2, 1, 1, 3])
        let reads = source.cells
        let heights = await Task.detached {
            let inserted = state.after(.insertRows(RowInsertion(at: 0, count: 1)), .move(.top))
            let replaced = inserted.after(.setRows(.natural(count: 6)), .move(.bottom), .move(.top))
            return [inserted, replaced].map { $0.layout.itemSpans.map(\.fullHeight) }
        }.value
        #expect(heights == [[1, 2, 1, 1, 3], [1, 2, 1, 1, 3, 1]] && source.cells == reads)
    }
}
