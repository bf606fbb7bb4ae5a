import DataGrid
import DataGridTerminal
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Spreadsheet

@MainActor
@Suite struct SpreadsheetTests {
    private let view = SheetView(Sheet(SheetView.sample, rows: 60, columns: 14))
    private let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 20))

    private func open() throws -> GridApplication {
        let application = GridApplication(on: backend)
        view.show(on: application)
        try application.start()
        return application
    }

    private func press(_ application: GridApplication, _ keys: KeyPress...) {
        backend.events += keys.map { .key($0) }
        application.turn()
        // Changes are drawn at most 30 times per second.
        view.grid.tick(at: .now + .milliseconds(100))
        application.turn()
    }

    /// Moves the cursor to a cell, types, and presses Enter.
    private func type(_ application: GridApplication, _ text: String, at address: Substring) {
        go(to: address)
        backend.type(text)
        press(application, KeyPress(.enter))
    }

    private func go(to address: Substring) {
        guard let id = view.sheet.cellID(at: address), let row = view.sheet.ids[.row]!.firstIndex(of: id.row),
            let column = view.grid.state.columns.index(of: ColumnID(id.column))
        else { return }
        view.grid.perform(.moveCursor(GridCursor(item: .row(row), column: column)))
    }

    /// The text of the cell at an address.
    private func shown(_ address: Substring) -> String {
        guard let id = view.sheet.cellID(at: address), let row = view.sheet.ids[.row]!.firstIndex(of: id.row),
            let frame = view.grid.state.visibleFrame(ofRow: RowID(row), column: ColumnID(id.column))
        else { return "out of sight" }
        let line = backend.lines[frame.origin.y + 1]
        return String(line.dropFirst(frame.origin.x).prefix(frame.size.width).filter { $0 != " " })
    }

    /// A data source that records the requested cells.
    private final class RequestRecorder: GridDataSource {
        let view: SheetView
        var cells: Set<String> = []
        init(of view: SheetView) { self.view = view }
        func numberOfRows(inSection section: Int) -> Int { view.numberOfRows(inSection: section) }
        func content(row: RowID, column: ColumnID) -> CellContent {
            cells.insert(Sheet.letters(column.rawValue) + String(row.rawValue + 1))
            return view.content(row: row, column: column)
        }
        func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome { view.setContent(text, row: row, column: column) }
    }

    @Test func `C8, C6, A9: the sheet has column letters, row numbers, a corner, own sizes, and a line of cell content`() throws {
        let application = try open()
        #expect(backend.lines[1].hasPrefix("◢ │ A             ┃           B│         C│            D│ E"))
        #expect(backend.lines[2].hasPrefix(" 1│ Item          ┃       Price│     Count│       Amount│ Note"))
        #expect(backend.lines[4].contains("both come by train") && backend.lines[5].contains("and stay over"))
        #expect(backend.lines[6].hasPrefix(" 4│ Projector"))
        go(to: "D8")
        application.turn()
        #expect(backend.lines[0] == " D8    =SUM(D2:D7)" && backend.lines[18] == " 3,028.00")
        go(to: "E3")
        press(application, KeyPress(.character(">"), .alt), KeyPress(.up, .alt))
        #expect(view.grid.state.columns[4].width == .fixed(19) && backend.lines[5].hasPrefix(" 4│"))
    }

    @Test func `C8, A3, A7: a typed number reloads only its cell and the cells that depend on it`() throws {
        let application = try open()
        #expect(shown("D2") == "900.00" && shown("D10") == "3,603.32")
        let recorder = RequestRecorder(of: view)
        view.grid.dataSource = recorder
        view.grid.setNeedsDisplay()
        application.turn()
        recorder.cells = []
        type(application, "500", at: "B2")
        #expect([shown("B2"), shown("D2"), shown("D8"), shown("D10")] == ["500.00", "1,000.00", "3,128.00", "3,722.32"])
        #expect(recorder.cells == ["B2", "D2", "D8", "D9", "D10", "D13", "D14"])
    }

    @Test func `C8, A3: invalid formulas, cycles and fractions are rejected, and the grid shows the reason`() throws {
        let application = try open()
        for (text, address, reason) in [
            ("=1+", "F2", "Invalid formula. Try =A1+B2."), ("=ZZ9", "F2", "Unknown name ZZ9."), ("=D10", "B2", "B2 would refer to itself."),
            ("1.5", "C2", "Enter a whole number."),
        ] as [(String, Substring, String)] {
            let old = view.sheet.text(of: view.sheet.cellID(at: address)!)
            type(application, text, at: address)
            #expect(view.grid.state.editing?.rejection == reason)
            #expect(backend.lines.joined().contains(reason.prefix(10)), "\(reason)")
            press(application, KeyPress(.escape))
            #expect(view.sheet.text(of: view.sheet.cellID(at: address)!) == old)
        }
        type(application, "= (d2 + D3) / -2 * 4", at: "F2")
        #expect(view.sheet.text(of: view.sheet.cellID(at: "F2")!) == "=(D2+D3)/-2*4" && shown("F2").hasPrefix("-4,200"))
        type(application, "free", at: "B4")
        #expect(shown("D4") == "#ERR" && shown("D8") == "#ERR" && shown("D5") == "750.00")
    }

    @Test func `C8, C2: formulas follow inserted rows and columns, and show #REF! if their cells are removed`() throws {
        let application = try open()
        go(to: "C4")
        press(application, KeyPress(.function(3)), KeyPress(.function(5)))
        #expect(shown("A5") == "Projector" && shown("E9") == "3,028.00" && backend.lines[1].contains("F"))
        #expect(view.sheet.text(of: view.sheet.cellID(at: "E9")!) == "=SUM(E2:E8)")
        #expect(view.sheet.text(of: view.sheet.cellID(at: "E5")!) == "=B5*D5")
        type(application, "72", at: "E4")
        #expect(shown("E9") == "3,100.00")
        go(to: "A8")
        press(application, KeyPress(.function(4)))
        #expect(view.sheet.text(of: view.sheet.cellID(at: "E8")!) == "=SUM(E2:E7)" && shown("E8") == "3,064.00")
        #expect(shown("E14") == "#REF!" && view.sheet.text(of: view.sheet.cellID(at: "E14")!) == "=E10/#REF!")
        go(to: "B1")
        press(application, KeyPress(.function(7)))
        #expect(shown("D2") == "#REF!" && shown("D10") == "#REF!" && view.grid.state.columns[1].title == "B")
    }

    @Test func `C8, C2: the cursor moves to the new row or column, so the next key can remove it`() throws {
        let application = try open()
        for address: Substring in ["A2", "C4", "D1"] {
            go(to: address)
            application.turn()
            let (cursor, lines) = (view.grid.state.cursor, backend.lines)
            for (there, back) in [(3, 4), (5, 7)] {
                press(application, KeyPress(.function(there)))
                #expect(view.grid.state.cursor == cursor && shown(address) == "" && backend.lines[0] == " \(address)")
                press(application, KeyPress(.function(back)))
            }
            #expect(view.grid.state.cursor == cursor && shown("D8") == "3,028.00" && shown("A2") == "Room")
            #expect(backend.lines == lines)
        }
    }

    @Test func `C8, A10, B9: the line below shows the sum of the selection, and Del clears the selected cells`() throws {
        let application = try open()
        go(to: "D2")
        press(application, KeyPress(.down, .shift), KeyPress(.down, .shift))
        #expect(backend.lines[18] == " Σ 2,170.00   mean 723.33   3 numbers")
        #expect(view.grid.copyText() == "=B2*C2\n=B3*C3\n=B4*C4")
        press(application, KeyPress(.delete))
        #expect(shown("D2") == "" && shown("D8") == "858.00" && backend.lines[18] == "")
    }

    @Test func `C8, A8: the first row and column are frozen; Alt-zF unfreezes them or freezes the cells up to the cursor`() throws {
        let application = try open()
        go(to: "H40")
        application.turn()
        #expect(backend.lines[2].hasPrefix(" 1│ Item          ┃") && shown("H40").isEmpty && shown("A2") == "out of sight")
        press(application, KeyPress(.character("z"), .alt), KeyPress(.character("F")))
        #expect(!backend.lines[2].contains("Item"))
        go(to: "B2")
        press(application, KeyPress(.character("z"), .alt), KeyPress(.character("F")))
        #expect(view.grid.state.frozen == FrozenPanes(leading: 2, rows: 2))
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the keys that quit`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        view.show(on: application)
        try application.start()
        application.turn()
        #expect(defects(of: backend.lines, quit: "Ctrl-q quit") == [])
        #expect(backend.lines[2].contains("Amount") && backend.lines[2].contains("Note") == (terminal.size.columns > 60))
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        backend.size = TerminalSize(columns: 80, rows: 20)
        let application = try open()
        go(to: "D2")
        press(application, KeyPress(.down, .shift), KeyPress(.down, .shift), KeyPress(.down, .shift))
        #expect(backend.lines[18].hasPrefix(" Σ 2,920.00"))
        try drawPicture(of: "Spreadsheet", backend.screen)
    }
}
