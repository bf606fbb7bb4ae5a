import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// The lines and keys that an application adds to its grids.
@MainActor
@Suite struct ApplicationTests {
    private let backend = RecordingBackend(size: TerminalSize(columns: 60, rows: 8))
    private let source = RecordingSource("Gold|Metals\nSilver|·")

    private func open(isEditable: Bool = false, _ configure: (GridApplication) -> Void = { _ in }) throws -> (
        GridController, GridApplication
    ) {
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsScrollBar = false
        var all = columns("name:8 kind:8")
        for index in all.indices { all[index].isEditable = isEditable }
        let grid = GridController(columns: all, dataSource: source, metrics: metrics)
        grid.reload()
        let application = GridApplication(on: backend)
        application.add(grid)
        configure(application)
        try application.start()
        return (grid, application)
    }

    private let interrupt = KeyPress(.character("c"), .control)
    private var lastLine: String { backend.lines.last ?? "" }

    @Test func `D16: the first Ctrl-c copies and says how to quit, and the second one quits`() throws {
        let (_, application) = try open()
        backend.type([interrupt], into: application)
        #expect(lastLine == "Copied 1 cell. Press Ctrl-c again to quit" && application.isRunning)
        #expect(backend.controlSequences == [Clipboard.sequence(Array("Gold".utf8))])
        backend.type([KeyPress(.down)], into: application)
        #expect(!lastLine.contains("quit"))
        backend.type([interrupt], into: application)
        #expect(lastLine.contains("again to quit") && application.isRunning, "another key was pressed in between")
        backend.type([interrupt], into: application)
        #expect(!application.isRunning)
    }

    @Test func `B9: after Ctrl-c, a message says how many cells were copied, or only how to quit if there is little room`() throws {
        let (grid, application) = try open()
        grid.selectionMode = .cells
        grid.perform(.selectAll)
        backend.type([KeyPress(.character("y"))], into: application)
        #expect(lastLine == "Copied 4 cells" && application.message == "Copied 4 cells")
        backend.type([KeyPress(.down)], into: application)
        #expect(application.message == nil)
        grid.perform(
            .setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1, columns: [0]), SelectionBlock(rows: 1..<2, columns: [0, 1])])))
        backend.type([interrupt], into: application)
        #expect(lastLine == "Copied 3 cells. Press Ctrl-c again to quit" && application.isRunning)
        backend.size = TerminalSize(columns: 40, rows: 8)
        application.turn()
        #expect(lastLine == "Press Ctrl-c again to quit")
        source.rows[0][0] = CellContent(String(repeating: "x", count: Clipboard.byteLimit + 1))
        grid.reload()
        grid.perform(.clearSelection)
        grid.perform(.move(.top))
        let count = backend.controlSequences.count
        backend.type([KeyPress(.character("y"))], into: application)
        #expect(lastLine.hasPrefix("Nothing copied: there is no text") && backend.controlSequences.count == count)
    }

    @Test func `B9: a copy of edited text has its own message`() throws {
        let (_, application) = try open(isEditable: true)
        backend.type([KeyPress(.character("x")), interrupt], into: application)
        #expect(lastLine == "Copied the text. Press Ctrl-c again to quit")
        #expect(backend.controlSequences == [Clipboard.sequence(Array("x".utf8))])
    }

    @Test func `D16, E: Ctrl-c twice quits even if the grid rejects the typed text`() throws {
        let (grid, application) = try open(isEditable: true)
        backend.type([KeyPress(.character("x")), KeyPress(.character("q"), .control)], into: application)
        #expect(application.isRunning && grid.state.editing?.rejection != nil)
        backend.type([interrupt, interrupt], into: application)
        #expect(!application.isRunning && grid.state.editing == nil)
    }

    @Test func `D13: the hint line names the key that quits, even if letters are typed or a cell is edited`() throws {
        let (grid, _) = try open { $0.showsHints = true }
        #expect(lastLine == "q quit  y copy")
        #expect(grid.frame.height == 7)
        let (editable, application) = try open(isEditable: true) { $0.showsHints = true }
        #expect(lastLine == "Ctrl-q quit  Enter edit  Ctrl-c copy")
        backend.type([KeyPress(.enter)], into: application)
        #expect(lastLine == "Ctrl-q quit  Enter apply and go down  Esc cancel")
        editable.cancelEditing()
        backend.type([interrupt], into: application)
        #expect(lastLine == "Copied 1 cell. Press Ctrl-c again to quit")
        backend.size = TerminalSize(columns: 60, rows: 3)
        application.turn()
        #expect(editable.frame.height == 3, "there is no room for hints")
    }

    @Test func `B4: an attempt to quit with rejected text shows how to discard the text`() throws {
        let source = ObjectSource(
            [Item(id: "Gold", kind: "Metals")], columns: [ObjectColumn("open", \.isOpen).editable { _, _ in "Never." }])
        let grid = GridController(owning: source)
        let application = GridApplication(on: backend)
        application.add(grid)
        try application.start()
        backend.type([KeyPress(.character("x")), KeyPress(.character("q"), .control)], into: application)
        #expect(application.isRunning && lastLine == "Rejected: correct the text, or press Esc to discard it.")
        backend.type([KeyPress(.escape), KeyPress(.character("q"), .control)], into: application)
        #expect(!application.isRunning)
    }

    @Test func `D13: the hint line shows the hints that fit, and only their keys are emphasized`() {
        var buffer = CellBuffer(size: TerminalSize(columns: 30, rows: 1))
        let hints = [KeyHint("q", "quit"), KeyHint("", "or"), KeyHint("Alt-↑↓", "move"), KeyHint("x", "remove")]
        #expect(buffer.write(hints, y: 0, theme: .dark) == 26)
        #expect(buffer.line(0) == " q quit  or  Alt-↑↓ move")
        #expect((0..<30).filter { buffer[$0, 0].style == Theme.dark.hintKey.textStyle } == [1] + Array(13..<19))
        buffer = CellBuffer(size: buffer.size)
        buffer.write(hints, x: 0, y: 0, end: 10, theme: .dark)
        #expect(buffer.line(0) == "q quit  or", "the others do not fit")
        buffer = CellBuffer(size: buffer.size)
        buffer.write(hints, x: 0, y: 0, end: 5, theme: .dark)
        #expect(buffer.line(0) == "or", "a hint that does not fit is skipped")
    }

    @Test func `D13, A15: hints name the quit key, then Enter, then the key that collapses sections, if there is room`() throws {
        let source = ObjectSource(
            [Item(id: "Gold", kind: "Metals"), Item(id: "Corn", kind: "Grain")],
            columns: [ObjectColumn("open", \.isOpen).editable { _, _ in nil }])
        source.groupings = [ObjectGrouping(by: \.kind)]
        let grid = GridController(owning: source)
        let application = GridApplication(on: backend)
        application.showsHints = true
        application.add(grid)
        try application.start()
        grid.perform(.move(.top))
        application.turn()
        #expect(lastLine == "q quit  Enter toggle group  zM collapse all  y copy")
        grid.perform(.move(.row(0)))
        application.turn()
        #expect(lastLine == "Ctrl-q quit  Enter edit  Alt-z M collapse all  Ctrl-c copy")
        backend.size = TerminalSize(columns: 50, rows: 8)
        application.turn()
        #expect(lastLine == "Ctrl-q quit  Enter edit  Alt-z M collapse all")
        backend.type([KeyPress(.character("z"), .alt), KeyPress(.character("M"))], into: application)
        #expect(grid.state.isCollapsed(section: 0) && grid.state.isCollapsed(section: 1))
        grid.interaction.enter = []
        grid.perform(.setAllCollapsed(false))
        grid.perform(.move(.row(0)))
        application.turn()
        #expect(lastLine.hasPrefix("Ctrl-q quit  F2 edit  "))
    }

    @Test func `D13: a program that consists of one grid shows hints`() throws {
        let (grid, _) = try open()
        backend.press(KeyPress(.character("q")))
        var isConfigured = false
        #expect(try GridApplication.run(grid, on: backend) { isConfigured = $0.showsHints } == 0)
        #expect(isConfigured && lastLine == "q quit  y copy")
    }

    @Test func `D16: for screen readers, the text cursor is on the current cell, and the last line describes it`() throws {
        let (grid, application) = try open { ($0.describesCurrentCell, $0.showsHints) = (true, true) }
        #expect(lastLine == "name, row 1 of 2: Gold" && backend.lines.contains("q quit  y copy") && grid.frame.height == 6)
        backend.type([KeyPress(.down), KeyPress(.right)], into: application)
        #expect(lastLine == "kind, row 2 of 2: missing")
        let cursor = try #require(backend.frames.last?.cursor)
        #expect(cursor.x == 10 && cursor.y == 2)
    }

    private struct Item: Identifiable {
        let id: String
        let kind: String
        var isOpen = true
    }

    @Test func `D16, A15: for screen readers, a section header is described with its row count, and a flag as a word`() {
        let source = ObjectSource(
            [Item(id: "Gold", kind: "Metals"), Item(id: "Corn", kind: "Grain"), Item(id: "Zinc", kind: "Metals")],
            columns: [ObjectColumn("open", \.isOpen)])
        source.groupings = [ObjectGrouping(by: \.kind)]
        source.rowNoun = RowNoun("item", "items")
        let grid = GridController(owning: source)
        grid.frame = TerminalRect(x: 3, y: 2, width: 30, height: 12)
        grid.perform(.move(.top))
        #expect(grid.cursorDescription == "Grain, group 1 of 2: 1 item, expanded")
        #expect(grid.cursorPosition?.x == 3 && grid.cursorPosition?.y == 2 + grid.state.layout.headerHeight)
        grid.perform(.setCollapsed(section: 1, true))
        grid.perform(.move(.bottom))
        #expect(grid.cursorDescription == "Metals, group 2 of 2: 2 items, collapsed")
        grid.perform(.move(.row(0)))
        #expect(grid.cursorDescription == "open, item 1 of 3: true")
    }
}

/// Grids without explicit columns, and settings.
@MainActor
@Suite struct SettingTests {
    private final class Names: GridDataSource {
        let gridColumns = [Column(id: 0, title: "Name")]
        func numberOfRows(inSection section: Int) -> Int { 3 }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent("n\(row.rawValue)") }
    }

    @Test func `A1, A2: a grid without columns uses the columns of its source, and can own the source`() {
        weak var released: Names?
        let grid: GridController
        do {
            let names = Names()
            released = names
            grid = GridController(owning: names)
        }
        #expect(released != nil && grid.dataSource === released)
        #expect(grid.columns.map(\.title) == ["Name"] && grid.state.rows.count == 3)
        grid.dataSource = nil
        #expect(released == nil, "the grid releases a replaced source")
        let names = Names()
        let borrowed = GridController(dataSource: names)
        borrowed.reload()
        #expect(borrowed.columns.map(\.title) == ["Name"] && borrowed.state.rows.count == 3)
        let own = GridController(columns: [Column(id: 0, title: "Own")])
        names.attach(to: own)
        #expect(own.columns.map(\.title) == ["Own"] && own.state.rows.count == 3)
    }

    @Test func `A9, A10, A11, A4: metrics, policies, selection mode and blending are properties of the grid`() {
        let grid = GridController(owning: Names())
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 5)
        grid.perform(.move(.bottom))
        grid.metrics.rowHeight = 2
        #expect(grid.state.metrics.rowHeight == 2 && grid.state.visibleRows.contains(2), "the cursor stays visible")
        grid.interaction.editsByTyping = false
        #expect(!grid.state.interaction.editsByTyping)
        grid.perform(.selectAll)
        grid.selectionMode = .rows
        #expect(grid.state.selectionMode == .rows && grid.state.selectedRows().isEmpty)
        grid.blendsStyles = false
        #expect(!grid.state.blendsStyles && grid.needsDisplay)
    }
}
