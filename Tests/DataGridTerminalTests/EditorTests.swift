import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Editing cells in place, from keys to the screen.
@MainActor
@Suite struct EditorTests {
    private final class Sheet: GridDataSource {
        var cells: [[String]]
        var commitCount = 0
        init(_ cells: [[String]]) { self.cells = cells }
        func numberOfRows(inSection section: Int) -> Int { cells.count }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent(String(cells[row.rawValue][column.rawValue].prefix(20))) }
        func text(row: RowID, column: ColumnID) -> String? { cells[row.rawValue][column.rawValue] }
        func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
            commitCount += 1
            if text.contains("!") { return .rejected("No ! here.") }
            cells[row.rawValue][column.rawValue] = text
            return .accepted
        }
    }

    private final class RecordingDelegate: GridDelegate {
        var log: [String] = []
        var refusesEditing = false
        var refusesText = false
        var takesCopies = false
        func shouldCopy(_ cells: CopiedCells, withHeader: Bool) -> Bool {
            if takesCopies { log.append("copy \(cells.rowCount)×\(cells.columns.count)\(withHeader ? " with header" : "")") }
            return !takesCopies
        }
        var reason: String?
        func shouldBeginEditing(row: RowID, column: ColumnID) -> Permission { Permission(!refusesEditing, reason: reason) }
        func shouldCommit(text: String, row: RowID, column: ColumnID) -> Permission { Permission(!refusesText, reason: reason) }
        func didBeginEditing(row: RowID, column: ColumnID) { log.append("begin \(row.rawValue).\(column.rawValue)") }
        func didEndEditing(row: RowID, column: ColumnID, committed: String?) { log.append("end \(committed ?? "-")") }
        func didReject(text: String, row: RowID, column: ColumnID, reason: String) { log.append("reject \(text)") }
        func didActivate(row: RowID, column: ColumnID) { log.append("activate \(row.rawValue).\(column.rawValue)") }
        func drainLog() -> [String] {
            defer { log = [] }
            return log
        }
    }

    private let sheet = Sheet([["one", "1"], ["two", "2"], ["three", "3"]])
    private let recorder = RecordingDelegate()
    private let backend = RecordingBackend(size: TerminalSize(columns: 20, rows: 4))

    private func open(width: Int = 8) throws -> (GridController, GridApplication) {
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsScrollBar = false
        var all = columns("a:\(width) b:6")
        all[0].isEditable = true
        let grid = GridController(columns: all, dataSource: sheet, delegate: recorder, metrics: metrics)
        grid.reload()
        return (grid, try backend.open(grid))
    }

    private func type(_ application: GridApplication, _ keys: KeyPress...) { backend.type(keys, into: application) }

    private func type(_ application: GridApplication, _ text: String) {
        backend.type(text)
        application.turn()
    }

    private var cursor: [Int]? { backend.frames.last?.cursor.map { [$0.x, $0.y] } }

    @Test func `A3: F2 edits the text; Enter commits it and moves down; the text cursor follows the typed text`() throws {
        let (grid, application) = try open()
        #expect(cursor == nil)
        type(application, KeyPress(.function(2)))
        #expect(cursor == [3, 1])
        type(application, "X")
        #expect(backend.lines[1] == "oneX      1" && cursor == [4, 1] && sheet.cells[0][0] == "one")
        type(application, KeyPress(.home), KeyPress(.delete))
        #expect(backend.lines[1] == "neX       1" && cursor == [0, 1])
        type(application, KeyPress(.enter))
        #expect(sheet.cells[0][0] == "neX" && grid.state.editing == nil && grid.state.cursor.item == .row(1) && cursor == nil)
        #expect(backend.lines[1] == "neX       1", "the committed cell is read again")
        #expect(recorder.drainLog() == ["begin 0.0", "end neX"])
        type(application, KeyPress(.function(2)), KeyPress(.tab))
        #expect(recorder.drainLog() == ["begin 1.0", "end -"] && sheet.commitCount == 1, "unchanged text is not committed")
        #expect(grid.state.cursor == GridCursor(item: .row(1), column: 1))
        type(application, KeyPress(.function(2)), KeyPress(.character("z")))
        #expect(grid.state.editing == nil && recorder.drainLog() == [], "the column is not editable")
    }

    @Test func `A3: typing replaces the text, and Escape restores it`() throws {
        let (grid, application) = try open()
        type(application, "new")
        #expect(backend.lines[1] == "new       1")
        type(application, "q", "y")
        #expect(backend.lines[1] == "newqy     1", "letter keys type instead of quitting or copying")
        type(application, KeyPress(.escape))
        #expect(backend.lines[1] == "one       1" && sheet.commitCount == 0 && grid.state.cursor.item == .row(0))
        #expect(recorder.drainLog() == ["begin 0.0", "end -"])
    }

    private func type(_ application: GridApplication, _ texts: String...) { for text in texts { type(application, text) } }

    @Test func `A11: a double click or Enter edits a cell, or activates it if the delegate refuses the edit`() throws {
        let (grid, application) = try open()
        let click = [MouseEvent.Kind.press(.left), .release(.left)].map { TerminalEvent.mouse(MouseEvent($0, x: 1, y: 2)) }
        backend.events = click + click
        application.turn()
        #expect(grid.state.editing?.row == 1 && recorder.drainLog() == ["begin 1.0"])
        type(application, KeyPress(.escape), KeyPress(.enter))
        #expect(grid.state.editing?.row == 1)
        type(application, KeyPress(.escape))
        recorder.refusesEditing = true
        recorder.log = []
        type(application, KeyPress(.enter), KeyPress(.character("x")))
        #expect(grid.state.editing == nil && recorder.drainLog() == ["activate 1.0"])
    }

    @Test func `A3: a rejection keeps the editor open and shows the reason until the text changes`() throws {
        let (grid, application) = try open()
        type(application, "a!")
        type(application, KeyPress(.enter))
        #expect(backend.lines[1] == "a!        1" && backend.lines[2] == " No ! here." && sheet.cells[0][0] == "one")
        #expect(recorder.drainLog() == ["begin 0.0", "reject a!"] && cursor == [2, 1])
        backend.events = [.mouse(MouseEvent(.press(.left), x: 1, y: 3)), .mouse(MouseEvent(.release(.left), x: 1, y: 3))]
        application.turn()
        #expect(grid.state.editing != nil && grid.state.cursor.item == .row(0) && grid.state.drag == nil)
        type(application, KeyPress(.backspace))
        #expect(backend.lines[2] == "two       2")
        recorder.refusesText = true
        type(application, KeyPress(.enter))
        #expect(grid.state.editing != nil && sheet.cells[0][0] == "one")
        recorder.refusesText = false
        backend.events = [.mouse(MouseEvent(.press(.left), x: 2, y: 3)), .mouse(MouseEvent(.release(.left), x: 2, y: 3))]
        application.turn()
        #expect(sheet.cells[0][0] == "a" && grid.state.editing == nil && grid.state.cursor.item == .row(2), "a click elsewhere commits")
        type(application, "b!")
        type(application, KeyPress(.enter))
        #expect(backend.lines[2] == " No ! here." && backend.lines[3] == "b!        3", "the reason is above on the last row")
    }

    @Test func `A3: the delegate can reject even unchanged text, but Escape always ends the editor`() throws {
        let (grid, application) = try open()
        recorder.refusesText = true
        type(application, KeyPress(.function(2)), KeyPress(.enter))
        #expect(grid.state.editing != nil && grid.state.cursor.item == .row(0) && backend.lines[2].hasPrefix(" This value"))
        #expect(recorder.drainLog() == ["begin 0.0", "reject one"] && sheet.commitCount == 0)
        type(application, KeyPress(.escape))
        #expect(grid.state.editing == nil && recorder.drainLog() == ["end -"])
        recorder.refusesText = false
        type(application, KeyPress(.function(2)), KeyPress(.enter))
        #expect(grid.state.editing == nil && grid.state.cursor.item == .row(1) && sheet.commitCount == 0)
    }

    @Test func `A3: a removal of the edited row by code ends the editor, whatever its text`() throws {
        let (grid, application) = try open()
        grid.perform(.move(.bottom))
        type(application, "a!")
        sheet.cells.removeLast(2)
        grid.reload()
        #expect(grid.state.editing == nil && recorder.drainLog() == ["begin 2.0", "end -"])
    }

    @Test func `E: long, wide and hostile text stays inside the cell, with a visible cursor`() throws {
        let (_, application) = try open(width: 6)
        type(application, "abcdefgh")
        #expect(backend.lines[1] == "…efgh   1" && cursor == [5, 1])
        type(application, KeyPress(.home))
        #expect(backend.lines[1] == "abcde…  1" && cursor == [0, 1])
        type(application, KeyPress(.right), KeyPress(.right), KeyPress(.right), KeyPress(.right))
        #expect(cursor == [4, 1] && backend.lines[1] == "abcde…  1")
        type(application, KeyPress(.character("u"), .control), KeyPress(.character("k"), .control))
        backend.events = [.paste("日本\u{1B}[31m語\n\u{202E}e\u{301}")]
        application.turn()
        #expect(backend.lines[1] == "… ⇠e\u{301}    1" && cursor == [4, 1])
        #expect(!backend.lastBytes.contains { $0 == 0x0E || $0 == 0x9B })
        for _ in 0..<12 {
            type(application, KeyPress(.left))
            #expect(cursor.map { (0..<6).contains($0[0]) && $0[1] == 1 } == true)
            #expect(backend.lines[1].hasSuffix("  1"))
        }
        #expect(cursor == [0, 1])
    }

    @Test func `E: a cell of a million characters is edited as fast as any other`() throws {
        sheet.cells[0][0] = String(repeating: "x", count: 1_000_000)
        let (grid, application) = try open()
        type(application, KeyPress(.function(2)), KeyPress(.character("y")))
        #expect(backend.lines[1] == "…xxxxxy   1" && grid.state.editing?.field.text.count == 1_000_001)
        type(application, KeyPress(.enter))
        #expect(sheet.cells[0][0].utf8.count == 1_000_001, "the whole text, not the displayed part")
    }

    @Test func `A3: Shift-Tab and Shift-Enter commit and move backwards, and unknown keys are left to the host`() {
        #expect(GridInput.editorKey(for: KeyPress(.character("q"), .control)) == nil)
        #expect(GridInput.editorKey(for: KeyPress(.function(6))) == nil)
        #expect(GridInput.editorKey(for: KeyPress(.tab, .shift)) == .commit(.previousColumn))
        #expect(GridInput.editorKey(for: KeyPress(.enter, .shift)) == .commit(.up(1)))
    }

    // MARK: Copying

    @Test func `B9: a cell, a row or a range is copied in full as tab-separated text, quoted where necessary`() throws {
        let long = String(repeating: "long ", count: 20)
        sheet.cells[1] = [long, "a \"b\"\tc\nd"]
        let (grid, application) = try open()
        #expect(grid.copyText() == "one")
        #expect(grid.copyText(withHeader: true) == "a\none")
        let row = Selection(blocks: [SelectionBlock(rows: 1..<2, columns: nil)])
        #expect(grid.copyText(of: row) == long + "\t\"a \"\"b\"\"\tc\nd\"")
        grid.perform(
            .setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1, columns: [0]), SelectionBlock(rows: 2..<3, columns: [1])])))
        #expect(grid.copyText(withHeader: true) == "a\tb\none\t\n\t3")
        #expect(grid.copyText(limit: 6) == nil)
        #expect(grid.copyText(limit: 7) == "one\t\n\t3")
        #expect(grid.copyText(of: Selection(blocks: [SelectionBlock(rows: 9..<12, columns: nil)])) == nil)
        // The key copies to the clipboard.
        backend.press(KeyPress(.character("c"), .control))
        application.turn()
        #expect(backend.controlSequences == [Clipboard.sequence(Array("one\t\n\t3".utf8))])
        #expect(String(decoding: Clipboard.sequence(Array("one".utf8)), as: UTF8.self) == "\u{1B}]52;c;b25l\u{7}")
    }

    @Test func `B9: a single Ctrl-c copies the current cell, or the typed text while editing, and does not quit`() throws {
        let (grid, application) = try open()
        let copy = KeyPress(.character("c"), .control)
        type(application, copy)
        #expect(backend.controlSequences == [Clipboard.sequence(Array("one".utf8))])
        type(application, KeyPress(.character("x")), KeyPress(.character("y")), copy)
        #expect(backend.controlSequences.last == Clipboard.sequence(Array("xy".utf8)) && grid.state.editing?.field.string == "xy")
        #expect(backend.controlSequences.count == 2 && application.isRunning)
        #expect(
            GridApplication.help().flatMap(\.entries).contains {
                $0.keys == "Ctrl-c" && $0.text.contains("while editing, the text")
            })
    }

    @Test func `B9: a delegate can copy the cells itself, but not the edited text`() throws {
        let (grid, application) = try open()
        recorder.takesCopies = true
        let copy = KeyPress(.character("c"), .control)
        type(application, KeyPress(.character("y")), copy, KeyPress(.escape))
        #expect(recorder.drainLog() == ["begin 0.0", "end -"] && backend.controlSequences == [Clipboard.sequence(Array("y".utf8))])
        type(application, copy)
        grid.perform(.selectAll)
        grid.perform(.requestCopy(withHeader: true))
        #expect(recorder.drainLog() == ["copy 1×1", "copy 3×2 with header"] && backend.controlSequences.count == 1)
        recorder.takesCopies = false
        grid.perform(.requestCopy(withHeader: true))
        #expect(backend.controlSequences.last == Clipboard.sequence(Array("a\tb\none\t1\ntwo\t2\nthree\t3".utf8)))
    }

    @Test func `A3: Ctrl-q commits the edited text and quits, or shows the reason if the text is rejected`() throws {
        let (grid, application) = try open()
        let quit = KeyPress(.character("q"), .control)
        type(application, KeyPress(.character("x")), KeyPress(.character("!")), quit)
        #expect(application.isRunning && grid.state.editing?.rejection == "No ! here." && sheet.cells[0][0] == "one")
        recorder.refusesText = true
        type(application, KeyPress(.backspace), quit)
        #expect(application.isRunning && grid.state.editing?.rejection != nil && sheet.cells[0][0] == "one")
        recorder.refusesText = false
        type(application, quit)
        #expect(!application.isRunning && grid.state.editing == nil && sheet.cells[0][0] == "x")
    }

    @Test func `A3: a quit from another grid commits the edited text or moves the focus to the rejected text`() throws {
        let (grid, application) = try open()
        let other = GridController(columns: columns("c:6"), dataSource: sheet, metrics: .threeHeaderLines)
        application.add(other) { _ in TerminalRect(x: 0, y: 3, width: 8, height: 1) }
        type(application, KeyPress(.character("x")), KeyPress(.character("!")))
        application.focused = other
        #expect(grid.state.editing != nil)
        type(application, KeyPress(.character("q")))
        #expect(application.isRunning && application.focused === grid)
        type(application, KeyPress(.escape), KeyPress(.function(6)), KeyPress(.character("q")))
        #expect(!application.isRunning)
    }
}
