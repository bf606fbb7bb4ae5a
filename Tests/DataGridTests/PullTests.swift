import DataGrid
import Testing

@Suite struct PullTests {
    private func pulled(by lines: Int, rows: Int = 20) -> GridState {
        var state = grid("ab", rows: rows, frame: (12, 10))
        state.play(.freeze(FrozenPanes(rows: 1)), .setPull(GridPull(lines: 2)), .pull(by: lines))
        return state
    }

    @Test(arguments: [-1, 0, 1, 2, 9]) func `A14: pulling uncovers a strip below the lowest frozen row, up to its size`(lines: Int) {
        let state = pulled(by: lines)
        let shown = min(2, max(0, lines))
        let strip = String(repeating: "~\n", count: shown)
        #expect(sketch(state).hasPrefix("a    b\n0A   0b    =\n\(strip)1a   1b\n2a   2b\n"))
        #expect(state.pull?.uncovered == shown && state.pull?.isArmed == (shown == 2))
        #expect(state.layout.pane == 2 + shown..<10)
    }

    @Test func `A14: a release beyond the threshold is reported once, and a release before it is not reported`() {
        var state = pulled(by: 1)
        #expect(state.play(.releasePull) == [] && state.pull?.uncovered == 0)
        #expect(state.play(.pull(by: 1), .pull(by: 1), .releasePull, .releasePull) == [.pullTriggered])
        #expect(state.layout.strips.isEmpty)
        #expect(state.play(.pull(by: 2), .pull(by: -1), .releasePull) == [])
    }

    @Test func `A14: the pull strip is disabled by default and opens only at the top, and scrolling covers it`() {
        var state = grid("ab", rows: 20, frame: (12, 10))
        #expect(state.play(.pull(by: 5), .releasePull) == [] && state.pull == nil && state.layout.strips.isEmpty)
        state.play(.setPull(GridPull(lines: 2)), .scroll(items: 1, columns: 0))
        #expect(state.play(.pull(by: 2), .releasePull) == [])
        state.play(.scroll(items: -1, columns: 0), .pull(by: 2))
        #expect(state.pull?.isArmed == true)
        state.play(.scrollLines(3))
        #expect(state.pull?.uncovered == 0 && state.play(.releasePull) == [])
        state.play(.setPull(nil))
        #expect(state.pull == nil)
    }

    @Test func `A14: a new pull strip is uncovered as far as the one that it replaces, up to its size`() {
        var state = grid("ab", rows: 20, frame: (12, 10))
        state.play(.setPull(GridPull(lines: 3)), .pull(by: 2), .setPull(GridPull(lines: 5, text: "older")))
        #expect(state.pull?.uncovered == 2 && state.pull?.isArmed == false)
        state.play(.setPull(GridPull(lines: 1)))
        #expect(state.pull?.uncovered == 1 && state.pull?.isArmed == true)
    }

    @Test(arguments: 2...9) func `A14: the pull strip cannot be clicked, and covers at most half of the pane`(height: Int) {
        var state = grid("ab", rows: 20, frame: (12, height))
        state.play(.setPull(GridPull(lines: 9)), .pull(by: 9))
        #expect(state.layout.pane.count >= (height - 1) / 2 && !state.layout.pane.isEmpty)
        if let strip = state.layout.strips.first { #expect(state.layout.hit(GridPoint(x: 1, y: strip.y)) == .nothing) }
        state.go(.down(1))
        #expect(state.isCursorVisible)
        #expect(state.layout.hit(GridPoint(x: 1, y: state.layout.pane.lowerBound)) == .cell(row: state.scroll.top, column: 0))
    }
}
