import DataGrid
import Testing

/// A scroll bar for more rows than are known.
@Suite struct ScrollBarTests {
    /// A grid of 100 known rows, with a pane of 9 lines.
    private func state(expecting count: Int?, _ presentation: GridPresentation = .table) -> GridState {
        var state = grid("abc", rows: 100, frame: (22, 10)) {
            $0.cards.width = 8
            $0.showsScrollBar = true
        }
        state.play(.setPresentation(presentation), .setExpectedRowCount(count))
        return state
    }

    @Test func `A13: the scroll bar covers rows that are expected later, and releasing it at such a row requests the row`() {
        var state = state(expecting: 1_000)
        #expect(state.unknownRowCount == 900)
        state.play(.pointerDown(GridPoint(x: 21, y: 1), PointerPress()), .pointerMoved(GridPoint(x: 21, y: 5)))
        #expect(state.drag == .scrollBar(unknownRow: 495) && state.scrollBarTop == 495, "the thumb follows the pointer")
        #expect(state.scroll.top == 91, "the last known rows")
        #expect(state.play(.pointerUp(GridPoint(x: 21, y: 5))) == [.rowRequested(495)])
        #expect(state.drag == nil && state.scrollBarTop == 91)
        // The rows arrive.
        state.play(.growRows(.natural(count: 600)))
        #expect(state.drag((21, 1), (21, 5)) == [] && state.scroll.top == 495)
        #expect(state.drag((21, 5), (21, 9)) == [.rowRequested(991)])
        state.play(.growRows(.natural(count: 1_200)), .setExpectedRowCount(nil))
        #expect(state.drag((21, 1), (21, 9)) == [] && state.scroll.top == 1_191)
    }

    @Test func `A13: rows expected later are between the known first rows and the known last rows`() {
        var state = state(expecting: 1_000)
        state.play(.growRows(.spliced(head: 100, tail: 20)))
        #expect(state.drag((21, 1), (21, 9)) == [] && state.scroll.top == 111 && state.scrollBarTop == 991)
        #expect(state.drag((21, 9), (21, 5)) == [.rowRequested(495)] && state.scroll.top == 99)
        #expect(state.drag((21, 5), (21, 1)) == [] && state.scroll.top == 0)
    }

    @Test(
        arguments: [nil, -1, 50, 100] as [Int?])
    func `A13: an estimated row count has no effect below the known row count or with sections`(count: Int?) {
        var state = state(expecting: count)
        #expect(state.unknownRowCount == 0)
        #expect(state.drag((21, 1), (21, 9)) == [] && state.scroll.top == 91)
        let sections = SectionTree([Section(title: "x", rows: 0..<100)])
        state.play(.setExpectedRowCount(1_000), .setRows(.natural(count: 100), tree: sections))
        #expect(state.unknownRowCount == 0)
    }

    @Test func `A13: unknown rows are requested on cards in the same way as in a table`() {
        var state = state(expecting: 1_000, .cards)
        let events = state.drag((21, 1), (21, 5))
        guard case .rowRequested(let row)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect((400..<600).contains(row) && state.isCursorVisible)
    }
}
