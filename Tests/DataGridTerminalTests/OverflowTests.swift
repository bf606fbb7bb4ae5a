import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Messages about frozen panes that have no room.
@MainActor
@Suite struct OverflowTests {
    private let source = RecordingSource((0..<9).map { "\($0)a|\($0)b|\($0)c" }.joined(separator: "\n"))

    private final class RecordingDelegate: GridDelegate {
        var reported: [FrozenSides] = []
        func didOverflow(_ sides: FrozenSides) { reported.append(sides) }
    }

    private func state(_ panes: FrozenPanes, _ width: Int = 30, _ height: Int = 20, rowHeader: Int = 0) -> GridState {
        grid("a:12 b:12 c:12", rows: 9, frame: (width, height)) {
            $0.headerHeight = 2
            $0.rowHeaderWidth = rowHeader
        }.after(.freeze(panes))
    }

    @Test func `A8: marks at the end of the header point to frozen panes that do not fit`() {
        func rule(_ panes: FrozenPanes, _ width: Int = 30) -> String { paint(state(panes, width, 9), source).line(1) }
        #expect(rule(FrozenPanes(leading: 1)) == "text        ┃ text")
        #expect(rule(FrozenPanes(leading: 2)).hasSuffix(" ◂"))
        #expect(rule(FrozenPanes(leading: 2, rows: 5)).hasSuffix(" ◂▴"))
        #expect(rule(FrozenPanes(trailing: 2, bottom: 6)).hasSuffix(" ▸▾"))
        let marked = paint(state(FrozenPanes(leading: 2)), source)
        #expect(marked[29, 1].style.foreground == Theme.dark.frozenEdge.textStyle.foreground)
        #expect(paint(state(FrozenPanes(leading: 2), 60), source).line(1).contains("◂") == false)
    }

    @Test func `A8: with a row header, the marks are in the last line of the corner, and cover no data`() {
        let (plain, overflowing) = (state(FrozenPanes(), rowHeader: 6), state(FrozenPanes(leading: 2), rowHeader: 6))
        #expect(paint(overflowing, source).line(1).hasPrefix("   ◂│"))
        #expect(paint(overflowing, source).lines().dropFirst(2).joined().contains("0a"))
        #expect(plain.layout.itemSpans == overflowing.layout.itemSpans)
        // In a header without a rule, the marks are in the only line of the corner.
        var low = overflowing
        low.metrics.headerHeight = 1
        source.corner = CellContent("n")
        #expect(paint(low, source).line(0).hasPrefix("n  ◂│"))
    }

    @Test func `A8: in a low frame without a header, the marks replace the scroll bar`() {
        func marks(_ height: Int) -> [String] {
            var low = state(FrozenPanes(leading: 2, rows: 5), 30, height)
            low.metrics.headerHeight = 0
            low.metrics.showsScrollBar = true
            return paint(low, source).lines().map { String($0.suffix(1)) }
        }
        #expect(marks(2) == ["◂", "▴"])
        #expect(marks(3) == ["◂", "▴", "▐"])
        #expect(marks(1) == ["◂"])
    }

    /// Unfreezes all panes when some do not fit.
    private final class Unfreezer: GridDelegate {
        weak var grid: GridController?
        func didOverflow(_ sides: FrozenSides) { grid?.perform(.freeze(FrozenPanes())) }
    }

    @Test func `A3: changes that the delegate makes in didOverflow are shown without waiting for a key`() throws {
        let unfreezer = Unfreezer()
        let grid = GridController(columns: columns("a:12 b:12 c:12"), dataSource: source, delegate: unfreezer, metrics: .threeHeaderLines)
        unfreezer.grid = grid
        grid.reload()
        let backend = RecordingBackend(size: TerminalSize(columns: 30, rows: 9))
        grid.perform(.freeze(FrozenPanes(leading: 2)))
        backend.events = [.key(KeyPress(.down)), .key(KeyPress(.character("q")))]
        _ = try GridApplication.run(grid, on: backend)
        #expect(backend.waitTimeouts == [0] && grid.state.frozen == FrozenPanes())
    }

    @Test func `A8, A3: the delegate is notified once when frozen panes do not fit, and once when they fit again`() {
        let recorder = RecordingDelegate()
        let grid = GridController(columns: columns("a:12 b:12 c:12"), dataSource: source, delegate: recorder, metrics: .threeHeaderLines)
        func draw(_ width: Int) {
            var buffer = CellBuffer(size: TerminalSize(columns: width, rows: 9))
            grid.frame = TerminalRect(x: 0, y: 0, width: width, height: 9)
            grid.draw(on: &buffer)
        }
        grid.reload()
        grid.perform(.freeze(FrozenPanes(leading: 2)))
        draw(60)
        #expect(recorder.reported.isEmpty)
        draw(30)
        draw(31)
        #expect(recorder.reported == [.leading])
        grid.perform(.freeze(FrozenPanes(leading: 2, rows: 20)))
        #expect(recorder.reported == [.leading], "notifies when the frame is drawn")
        draw(30)
        #expect(recorder.reported == [.leading, [.leading, .top]])
        grid.perform(.freeze(FrozenPanes(leading: 2)))
        draw(60)
        #expect(recorder.reported.last == [] && recorder.reported.count == 3)
    }
}
