import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Pulling beyond the top by wheel, key and middle button.
@MainActor
@Suite struct PullGestureTests {
    private final class RecordingDelegate: GridDelegate {
        var pulls = 0
        var reloads = true
        func shouldReloadAfterPull() -> Bool {
            pulls += 1
            return reloads
        }
    }

    private let recorder = RecordingDelegate()
    private let source = RecordingSource((0..<20).map { "a\($0)" }.joined(separator: "\n"))

    private func open(_ pull: GridPull? = GridPull(lines: 3)) -> GridController {
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsScrollBar = false
        let grid = GridController(columns: columns("a:8"), dataSource: source, delegate: recorder, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 9)
        grid.reload()
        grid.perform(.setPull(pull))
        return grid
    }

    private let wheelUp = TerminalEvent.mouse(MouseEvent(.wheel(x: 0, y: -1), x: 1, y: 3))
    private let wheelDown = TerminalEvent.mouse(MouseEvent(.wheel(x: 0, y: 1), x: 1, y: 3))

    private func uncovered(_ grid: GridController) -> Int { grid.state.pull?.uncovered ?? -1 }

    /// Advances time past the pause that ends a burst.
    private func pause(_ grid: GridController) { grid.nextTick.map { grid.tick(at: $0) } }

    @Test(
        arguments: [GridPresentation.cards, .transposed])
    func `A14, C1, C5: wheel and arrow keys pull at the top of cards and of transposed tables`(_ presentation: GridPresentation) {
        let grid = open()
        grid.perform(.replaceColumns(columns((0..<12).map { "c\($0):8" }.joined(separator: " "))))
        grid.perform(.setPresentation(presentation))
        grid.perform(.scroll(items: 1, columns: 0))
        #expect(!grid.state.isAtTop)
        grid.handle(wheelUp)
        #expect(uncovered(grid) == 0 && grid.state.isAtTop, "scrolls back first")
        grid.perform(.moveCursor(GridCursor(item: .row(0), column: 0)))
        grid.handle(wheelUp)
        grid.handle(.key(KeyPress(.up)))
        grid.handle(wheelUp)
        #expect(uncovered(grid) == 3 && grid.state.layout.strips.map(\.kind) == [.pull])
        pause(grid)
        #expect(uncovered(grid) == 0 && recorder.pulls == 1)
        grid.perform(.move(.down(1)))
        grid.handle(.key(KeyPress(.up)))
        #expect(uncovered(grid) == 0 && grid.state.isCursorAtTop, "the arrow key moves the cursor first")
        for (action, y) in [(MouseEvent.Kind.press(.middle), 3), (.drag(.middle), 8)] {
            grid.handle(.mouse(MouseEvent(action, x: 12, y: y)))
        }
        #expect(uncovered(grid) == 3, "dragged down while held")
        grid.handle(.mouse(MouseEvent(.release(.middle), x: 12, y: 8)))
        #expect(recorder.pulls == 2)
        grid.perform(.pull(by: 3))
        grid.perform(.move(.bottom))
        grid.perform(.move(.lastColumn))
        #expect(uncovered(grid) == 0, "the cursor's item takes all the room")
    }

    @Test func `A14: the wheel uncovers the pull strip at the top, and a pause beyond the threshold triggers one action`() {
        let grid = open()
        grid.perform(.scroll(items: 2, columns: 0))
        grid.handle(wheelUp)
        #expect(uncovered(grid) == 0 && grid.state.scroll.top == 0 && grid.nextTick == nil, "scrolls back first")
        grid.handle(wheelUp)
        grid.handle(wheelUp)
        #expect(uncovered(grid) == 2)
        grid.nextTick.map { grid.tick(at: $0 - .milliseconds(1)) }
        #expect(uncovered(grid) == 2, "still pulling")
        pause(grid)
        #expect(uncovered(grid) == 0 && recorder.pulls == 0 && grid.nextTick == nil, "not far enough")
        for _ in 0..<5 { grid.handle(wheelUp) }
        #expect(uncovered(grid) == 3)
        source.rows.removeLast(5)
        pause(grid)
        pause(grid)
        #expect(uncovered(grid) == 0 && recorder.pulls == 1 && grid.state.rows.count == 15)
        recorder.reloads = false
        source.rows.removeLast(5)
        for _ in 0..<3 { grid.handle(wheelUp) }
        pause(grid)
        #expect(recorder.pulls == 2 && grid.state.rows.count == 15, "the delegate reloads itself")
    }

    @Test func `A14: a move back or Escape hides the pull strip`() {
        let grid = open()
        for _ in 0..<3 { grid.handle(wheelUp) }
        grid.handle(wheelDown)
        #expect(uncovered(grid) == 2 && grid.state.scroll.top == 0)
        pause(grid)
        #expect(recorder.pulls == 0)
        for _ in 0..<3 { grid.handle(wheelUp) }
        grid.handle(.key(KeyPress(.escape)))
        #expect(uncovered(grid) == 0 && grid.nextTick == nil)
        grid.handle(wheelDown)
        #expect(grid.state.scroll.top == 3)
    }

    @Test func `A14: the up arrow also pulls, on the first row only`() {
        let grid = open()
        grid.perform(.move(.down(1)))
        let up = TerminalEvent.key(KeyPress(.up))
        grid.handle(up)
        #expect(uncovered(grid) == 0 && grid.state.cursor.row == 0)
        for _ in 0..<3 { grid.handle(up) }
        #expect(uncovered(grid) == 3 && grid.state.cursor.row == 0)
        grid.handle(.key(KeyPress(.down)))
        #expect(uncovered(grid) == 2 && grid.state.cursor.row == 0, "↓ retracts the strip before it moves")
        grid.handle(up)
        pause(grid)
        #expect(recorder.pulls == 1)
        grid.handle(.key(KeyPress(.up, .shift)))
        #expect(uncovered(grid) == 0)
    }

    @Test func `A14: releasing the middle button beyond the top triggers the pull action, and cancelling does not`() {
        let grid = open()
        grid.perform(.scroll(items: 2, columns: 0))
        func mouse(_ kind: MouseEvent.Kind, y: Int) { grid.handle(.mouse(MouseEvent(kind, x: 3, y: y))) }
        mouse(.press(.middle), y: 2)
        mouse(.drag(.middle), y: 4)
        #expect(uncovered(grid) == 0 && grid.state.scroll.top == 0)
        mouse(.drag(.middle), y: 6)
        #expect(uncovered(grid) == 2)
        mouse(.drag(.middle), y: 5)
        #expect(uncovered(grid) == 1)
        mouse(.drag(.middle), y: 8)
        #expect(uncovered(grid) == 3 && grid.nextTick == nil)
        mouse(.release(.middle), y: 8)
        #expect(uncovered(grid) == 0 && recorder.pulls == 1)
        mouse(.press(.middle), y: 2)
        mouse(.drag(.middle), y: 8)
        grid.handle(.key(KeyPress(.escape)))
        mouse(.release(.middle), y: 8)
        #expect(uncovered(grid) == 0 && recorder.pulls == 1)
    }

    @Test func `A14: without a pull strip, nothing can be pulled`() {
        let grid = open(nil)
        for _ in 0..<5 { grid.handle(wheelUp) }
        grid.handle(.key(KeyPress(.up)))
        #expect(grid.nextTick == nil && grid.state.pull == nil)
    }
}
