import CursesTerminal
import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor @Suite("Articles: embedding and tests") struct EmbeddingTests {
    private func names() -> GridController {
        GridController(columns: [Column(id: 0, title: "Name")])
    }

    /// This function is never called, because it takes over the terminal.
    private func twoGrids(_ left: GridController, _ right: GridController) -> Never {
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            application.add(left) { TerminalRect(x: 0, y: 1, width: $0.columns / 2, height: $0.rows - 2) }
            application.add(right) { TerminalRect(x: $0.columns / 2, y: 1, width: $0.columns - $0.columns / 2, height: $0.rows - 2) }
            application.drawBackground = { $0.write("Orders", x: 0, y: 0) }
            return try application.run()
        }
    }

    @Test func `a grid handles an event and draws cells`() {
        let grid = names()
        let event = TerminalEvent.key(KeyPress(.function(9)))
        var buffer = CellBuffer(size: TerminalSize(columns: 40, rows: 24))
        grid.frame = TerminalRect(x: 0, y: 1, width: 40, height: 20)
        let isHandled = grid.handle(event)
        if grid.needsDisplay { grid.draw(on: &buffer) }
        #expect(!isHandled)
        #expect(!grid.needsDisplay)
        #expect(buffer.lines()[1].contains("Name"))
    }

    @Test func `the event loop of a host passes events to the focused grid`() throws {
        let backend = RecordingBackend()
        let grids = [names(), names()]
        let focused = grids[0]
        for grid in grids { grid.frame = TerminalRect(backend.size) }
        var isDone = false
        func dispatch(_ event: TerminalEvent) {
            if !focused.handle(event) { isDone = true }
        }
        backend.press(KeyPress(.down), KeyPress(.function(9)))
        try backend.start()
        defer { backend.stop() }
        while !isDone {
            let next = grids.compactMap(\.nextTick).min()
            backend.wait(timeoutMilliseconds: next.map { max(0, Int(($0 - .now) / .milliseconds(1)) + 1) })
            for event in backend.pollEvents() { dispatch(event) }
            for grid in grids { grid.tick() }
            if backend.pendingSignal != nil { isDone = true }
            if grids.contains(where: \.needsDisplay) {
                var buffer = CellBuffer(size: backend.size)
                var cursor: (x: Int, y: Int)?
                for grid in grids {
                    let gridCursor = grid.draw(on: &buffer)
                    if grid === focused { cursor = gridCursor }
                }
                backend.present(buffer, cursor: cursor)
            }
        }
        #expect(backend.lines[0].contains("Name"))
    }

    /// A data source with two columns.
    private final class Births: GridDataSource {
        let rows = [("Ada", "1815"), ("Alan", "1912")]
        func numberOfRows(inSection section: Int) -> Int { rows.count }
        func content(row: RowID, column: ColumnID) -> CellContent {
            CellContent(column == 0 ? rows[row.rawValue].0 : rows[row.rawValue].1)
        }
    }

    @Test func `a test presses keys and reads screens`() throws {
        let source = Births()
        let columns = [Column(id: 0, title: "Name", width: .fixed(8)), Column(id: 1, title: "Born", width: .fixed(6))]
        let grid = GridController(columns: columns, dataSource: source)
        grid.reload()
        let backend = RecordingBackend(size: TerminalSize(columns: 24, rows: 6))
        let application = GridApplication(on: backend)
        application.add(grid)
        try application.start()
        backend.press(KeyPress(.down), KeyPress(.right))
        application.turn()
        #expect(backend.lines[1] == "Ada       1815")
        #expect(grid.state.cursor.column == 1)
        backend.press(KeyPress(.home, .control), KeyPress(.character("a"), .control))
        backend.events.append(.mouse(MouseEvent(.press(.left), x: 12, y: 1)))
        backend.events.append(.mouse(MouseEvent(.release(.left), x: 12, y: 1)))
        backend.events.append(.mouse(MouseEvent(.wheel(x: 0, y: 1), x: 12, y: 1, modifiers: .shift)))
        application.turn()
        #expect(backend.lines[1] == "Ada       1815")
    }

    @Test func `cards fill the frame`() throws {
        let source = Births()
        let grid = GridController(columns: [Column(id: 0, title: "Name"), Column(id: 1, title: "Born")], dataSource: source)
        grid.reload()
        grid.perform(.setPresentation(.cards))
        let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 20))
        let application = GridApplication(on: backend)
        application.add(grid) { TerminalRect($0) }
        try application.start()
        grid.metrics.cards.minimumWidth = 36
        grid.metrics.cards.maximumWidth = 60
        grid.metrics.cards.edge = .box
        #expect(grid.state.layout.tiles.prefix(2).map(\.width) == [37, 37])
    }

    @Test func `a state moves the cursor without a screen`() {
        var state = GridState(columns: [Column(id: 0, title: "Name")], rows: .natural(count: 100))
        _ = state.apply(.resize(GridSize(width: 20, height: 10)))
        _ = state.apply(.move(.bottom))
        #expect(state.visibleRows.contains(99))
    }

    @Test func `the program of the README draws its grid`() {
        let source = Squares()
        let columns = [Column(id: 0, title: "n", kind: .integer, width: .fixed(9))]
        let grid = GridController(columns: columns, dataSource: source)
        grid.reload()
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 12)
        grid.handle(.key(KeyPress(.down)))
        var screen = CellBuffer(size: TerminalSize(columns: 40, rows: 12))
        grid.draw(on: &screen)
        #expect(screen.lines().contains { $0.contains("1") })
    }
}
