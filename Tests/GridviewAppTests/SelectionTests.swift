import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import GridTestSupport
@testable import GridviewApp
import Tables
import TerminalSurface
import Testing

/// Selecting and copying. The clipboard content is compared byte for byte.
@MainActor
@Suite struct SelectionTests {
    static let table = "a,b,c\n1,2,3\n4,5,6\n7,8,9\n10,11,12\n"

    /// Each case lists keys and the copied text, with tabs as |.
    @Test(
        arguments: [
            ("y", "1"), ("j l y", "5"), ("v y", "1"), ("v j l y", "1|2 4|5"), ("l v j l C-c", "2|3 5|6"), ("V j y", "1|2|3 4|5|6"),
            ("C-Space l y", "1|2 4|5 7|8 10|11"), ("C-a y", "1|2|3 4|5|6 7|8|9 10|11|12"), ("S-Down S-Right y", "1|2 4|5"),
            ("S-Down S-Down S-Up y", "1 4"), ("j S-Up S-Left y", "1 4"), ("Y", "a 1"), ("v l Y", "a|b 1|2"),
            // With another range, the copy has the rows and columns of both. Cells outside both ranges are empty.
            ("v z+ j j v j y", "1 7 10"), ("v l z+ j j S-Down y", "1|2 |8 |11"), ("V y", "1|2|3"),
            // These selections contain all rows except the first one, or only this row.
            ("V z~ y", "4|5|6 7|8|9 10|11|12"), ("V z~ z~ y", "1|2|3"),
            // The selection is extended from the opposite corner.
            ("v j j o k y", "1 4 7"), ("j v j o k y", "1 4 7"), ("j v j o j y", "7"),
            ("v Escape y", "1"), ("v j v y", "4"), ("v j V y", "1|2|3 4|5|6"),
            // Hidden columns are not copied, and columns are in screen order.
            ("l - C-a y", "1|3 4|6 7|9 10|12"), ("L C-a y", "2|1|3 5|4|6 8|7|9 11|10|12"), ("] C-a y", "10|11|12 7|8|9 4|5|6 1|2|3"),
            ("zv y", "1"), ("2 j v zv Escape y", "7"),
        ])
    func `D10: y copies the selection as TSV`(keys: String, text: String) throws {
        let pilot = try Pilot(Self.table)
        pilot.press(keys)
        #expect(pilot.clipboardText.replacing("\t", with: "|").replacing("\n", with: " ") == text)
    }

    /// Some fields are empty, missing or quoted. With one column, an empty field is an empty line.
    @Test(
        arguments: ["", "j j l", "C-a", "l C-Space", "V z+ j j V", "v l z+ j j S-Down", "l - C-a", "L C-a", "] C-a", "V z~", "@ C-a"])
    func `D10, B9: a program that uses the grid library copies the same text as gridview`(keys: String) throws {
        let pilot = try Pilot("a,b,c\n1,,\"x\ty\"\n2\n3,\"\"\"q\"\"\",é\n4,\"two\nlines\",\n", size: (40, 12))
        pilot.press(keys)
        let grid = pilot.state.controller
        let (plain, titled) = (grid.copyText(), grid.copyText(withHeader: true))
        pilot.press("y")
        #expect(pilot.clipboardText == plain)
        pilot.press("Y")
        #expect(pilot.clipboardText == titled)
        #expect(plain != titled && plain?.isEmpty == false)
    }

    /// The selection has two blocks in different rows and columns.
    @Test func `D10: y copies every block of the selection`() throws {
        let pilot = try Pilot(Self.table, size: (40, 12))
        let one = pilot.place(of: "1  ")!
        let eight = pilot.place(of: "8")!
        pilot.drag(from: (one.x, 2), to: (one.x, 3))
        pilot.mouse(.press(.left), eight.x, 4, .control)
        pilot.mouse(.drag(.left), eight.x, 5, .control)
        pilot.mouse(.release(.left), eight.x, 5, .control)
        pilot.press("y")
        #expect(pilot.clipboardText == "1\t\n4\t\n\t8\n\t11")
    }

    @Test func `D10: a count before y copies that many cells of the row, unless columns are selected`() throws {
        let pilot = try Pilot("a,b,c\n1,2,3\n4,5,6\n")
        pilot.press("j 2 y")
        #expect(pilot.clipboardText == "4\t5")
        pilot.press("l 9 y")
        #expect(pilot.clipboardText == "5\t6")
        pilot.press("Home 2 Y")
        #expect(pilot.clipboardText == "a\tb\n4\t5")
        pilot.press("C-Space l 3 y")
        #expect(pilot.clipboardText == "1\t2\n4\t5", "a selection has priority")
    }

    @Test func `D10: y copies the original text of cells that are shown in another format`() throws {
        let content = "n,t\n\"1,234.50\",\"two\nlines \"\"quoted\"\"\ttab\"\n0012,\u{1b}[31mred\u{202E}\n"
        let pilot = try Pilot(content)
        pilot.press("y")
        #expect(pilot.clipboardText == "1,234.50", "not the displayed text")
        pilot.press("l y")
        #expect(pilot.clipboardText == "two\nlines \"quoted\"\ttab", "a single cell unchanged")
        pilot.press("j y")
        #expect(pilot.clipboardText == "\u{1b}[31mred\u{202E}")
        pilot.press("C-a y")
        #expect(pilot.clipboardText == "1,234.50\t\"two\nlines \"\"quoted\"\"\ttab\"\n0012\t\u{1b}[31mred\u{202E}")
        pilot.press("Y")
        #expect(pilot.clipboardText.hasPrefix("n\tt\n1,234.50\t"))
    }

    @Test func `E: y copies invalid bytes unchanged`() throws {
        let pilot = try Pilot(bytes: Array("a,b\nx".utf8) + [0xFF, 0xFE, 0x80, 0x2C, 0x00, 0x0A])
        #expect(pilot.line(2).contains("x\u{FFFD}\u{FFFD}\u{FFFD}"))
        pilot.press("y")
        #expect(pilot.clipboard == [0x78, 0xFF, 0xFE, 0x80])
        pilot.press("C-a y")
        #expect(pilot.clipboard == [0x78, 0xFF, 0xFE, 0x80, 9, 0])
    }

    @Test func `T1: a copy as CSV keeps bytes that are not UTF-8, and other formats report that they were replaced`() throws {
        let bytes = Array("a,n\né".utf8) + [0xE8] + Array(",1\nü,2\n".utf8)
        let pilot = try Pilot(bytes: bytes, size: (80, 20))
        _ = pilot.copyAll("CSV")
        #expect(pilot.clipboard == bytes && pilot.state.message == .copiedRows(2, columns: 2, as: "CSV"))
        _ = pilot.copyAll("JSON")
        let message = try #require(pilot.state.message)
        #expect(message.text.contains(" test.csv: 1 field is not valid UTF-8 (the first in row 1)."), "\(message.text)")
        #expect(message.text.contains(" Copy as CSV to keep the bytes, or --encoding"), "\(message.text)")
        #expect(
            message.text(width: 78) == "Copied 2 rows × 2 columns as JSON via the terminal, with replaced characters.", "\(message.text)")
        #expect(message.text(width: 40) == "Lossy copy.")
        // The cursor is now on a valid row, of which one cell is copied.
        pilot.press("Escape j y")
        #expect(pilot.state.message == .copiedCell())
        // Displayed values are text, also in CSV. The setting is kept.
        _ = pilot.copyAll("CSV", "values")
        #expect(pilot.state.message?.short == "Lossy copy." && pilot.clipboardText == "a,n\né\u{FFFD},1\nü,2\n", "\(pilot.message)")
        pilot.press("Escape zg zM")
        _ = pilot.copyAll("Markdown")
        #expect(pilot.message.hasPrefix("Copied 2 groups as Markdown via the terminal, with replaced"), "\(pilot.message)")
    }

    @Test func `T1: the message about a copy with column names reports replaced characters in the names`() throws {
        let pilot = try Pilot(bytes: Array("é".utf8) + [0xE8] + Array(",n\nü,1\nx,2\n".utf8), size: (80, 20))
        pilot.press("C-a y")
        #expect(pilot.state.message == .copiedRows(2, columns: 2))
        pilot.press("Y")
        let text = pilot.state.message?.text ?? ""
        #expect(text.contains("with replaced characters. test.csv: 1 field is not valid UTF-8 (the first in the header)."), "\(text)")
    }

    @Test func `T1: a note about replaced characters has no row number if the row is counted from the end`() throws {
        let folder = try TemporaryFolder()
        let bytes = Array("a,n\nü,1\né".utf8) + [0xE8] + Array(",2\n".utf8)
        var settings = LaunchOptions().files
        settings.dialect.hasHeader = true
        let source = try settings.open(path: folder.file("t.csv", bytes: bytes))
        try source.readAll(threads: 1) { _ in true }
        let columns = [Column(id: 0, title: "a"), Column(id: 1, title: "n")]
        func copy(_ format: OutputFormat, _ rows: RowOrder) throws -> (bytes: [UInt8], text: String) {
            let job = CopyJob(
                table: source.snapshot(), tail: try source.tail(atLeast: 1), rows: rows, cells: CopiedCells(columns, rows: [0..<2]),
                content: .rows(RowFormat(format, columns: columns)), inputName: "t.csv")
            guard case .text(let bytes, let message) = try job.run(JobControl()) else { return ([], "") }
            return (bytes, message(.terminal()).text)
        }
        let last = RowOrder.spliced(head: 1, tail: 1)
        let csv = try copy(.csv, last)
        #expect(csv.bytes == bytes && !csv.text.contains("UTF-8"), "\(csv.text)")
        let json = try copy(.jsonl, last).text
        #expect(json.contains("t.csv: 1 field of the output is not valid UTF-8."), "\(json)")
        let counted = try copy(.jsonl, .natural(count: 2)).text
        #expect(counted.contains("t.csv: 1 field is not valid UTF-8 (the first in row 2)."), "\(counted)")
    }

    @Test func `19.4: a note about a row of a server query has the row number that the screen shows`() {
        var notes = OutputNotes(.text(.jsonl))
        let record = 1 << RowID.numberBits | 4
        var buffer = FieldBuffer()
        buffer.withFields(of: ["x"], keeping: [0: [0xE8]]) { notes.check($0, record: record, position: 0) }
        notes.addReplacements("t")
        #expect(notes.lines.first?.hasPrefix("t: 1 field is not valid UTF-8 (the first in row 5).") == true, "\(notes.lines)")
    }

    @Test func `D10: y copies the full content of long cells`() throws {
        let long = String(repeating: "0123456789", count: 20_000)
        let pilot = try Pilot("a\n\(long)\n")
        pilot.press("y")
        #expect(pilot.clipboardText == long)
    }

    @Test func `D10: a selection too large for the clipboard is reported`() throws {
        let long = String(repeating: "x", count: 5 << 20)
        let pilot = try Pilot("a\n\(long)\n")
        pilot.press("y")
        #expect(pilot.clipboard == nil && pilot.state.message?.id == .tooLargeToCopy)
    }

    @Test func `A10: the selection is shown, and the status line gives its size`() throws {
        let pilot = try Pilot(Self.table, size: (60, 10))
        pilot.press("v j l")
        #expect(pilot.line(8).hasSuffix("2 × 2 selected   2 / 4"))
        #expect(pilot.line(9).hasPrefix(" y copy  Y copy with header"))
        pilot.press("y")
        #expect(pilot.state.message == .copiedRows(2, columns: 2))
        pilot.press("Escape V")
        #expect(pilot.line(8).hasSuffix("1 row selected   2 / 4"))
        pilot.press("Escape y")
        #expect(pilot.state.message == .copiedCell())
    }

    @Test(
        arguments: [
            ("V", "1 row"), ("V z~", "1,499 rows"), ("V 9 j z+ 9 9 j V j", "12 rows"), ("V 9 j z+ k k V j j", "10 rows"),
            ("v l z+ j j v", "2 rows, 3 cells"), ("v z+ l v", "1 row, 2 cells"), ("v z~", "1,500 rows, 4,499 cells"),
            ("C-Space", "1,500 × 1"), ("C-a", "1,500 rows"), ("v l 1 2 3 4 j", "1,235 × 2"),
        ])
    func `A10: the status line counts the selected rows and cells of all ranges, with grouped thousands`(keys: String, text: String) throws
    {
        let pilot = try Pilot("a,b,c\n" + (1...1_500).map { "\($0),2,3\n" }.joined(), size: (70, 10))
        pilot.press(keys)
        #expect(pilot.line(8).contains(" \(text) selected   "), "\(pilot.line(8))")
    }

    @Test func `A10, A15: a selected range of collapsed groups has all their rows, and a copy has one record per group`() throws {
        let pilot = try Pilot("g,n\na,1\nb,2\na,3\nb,4\nc,5\nb,6\n", size: (60, 12))
        pilot.press("zg zM g V")
        #expect(pilot.line(10).contains(" 2 rows selected   "), "\(pilot.line(10))")
        pilot.press("j")
        #expect(pilot.line(10).contains(" 5 rows selected   "), "\(pilot.line(10))")
        pilot.press("y")
        #expect(
            pilot.clipboardText == "a\t2\t4\nb\t3\t12" && pilot.state.message == .copiedGroups(2),
            "\(pilot.clipboardText), \(pilot.message)")
        pilot.press("zR y")
        #expect(pilot.clipboardText == "a\t1\na\t3\nb\t2\nb\t4\nb\t6", "\(pilot.clipboardText)")
        pilot.press("Escape zM g j j V k k")
        #expect(pilot.line(10).contains(" 6 rows selected   "), "\(pilot.line(10))")
    }

    @Test func `A10, D16: in a table without rows, the cursor moves among columns, and selecting a row shows a message`() throws {
        let pilot = try Pilot(Self.table, size: (60, 12))
        pilot.press("& \"a > 99\" Enter")
        #expect(pilot.order.isEmpty && pilot.cursorCell == "a 0")
        for (key, column) in [("l", "b"), ("Right", "c"), ("Right", "c"), ("h", "b"), ("Home", "a"), ("End", "c")] {
            pilot.press(key)
            #expect(pilot.cursorCell == "\(column) 0", "\(key)")
        }
        for key in ["V", "v", "C-Space", "Enter"] {
            pilot.press(key)
            #expect(pilot.state.message == .noRows && pilot.state.overlay == nil && pilot.state.grid.selection.isEmpty, "\(key)")
        }
        pilot.press("\\")
        #expect(pilot.cursorCell == "c 1")
    }

    @Test func `A10: each selection mode allows only selections of its kind`() throws {
        let pilot = try Pilot(Self.table, size: (60, 10))
        var modes: [SelectionMode] = []
        for _ in 0..<5 {
            modes.append(pilot.state.grid.selectionMode)
            pilot.press("v S-Down S-Right C-a")
            let grid = pilot.state.grid
            let selected = grid.selection.rows(rowCount: 4, columns: grid.columns.visible.map(\.id)).map(\.count).reduce(0, +)
            switch grid.selectionMode {
            case .none: #expect(grid.selection.isEmpty)
            case .cell, .row: #expect(selected == 1)
            case .cells, .rows: #expect(grid.selection == .all)
            }
            pilot.press("Escape zv")
        }
        #expect(Set(modes) == Set(SelectionMode.allCases))
    }

    @Test func `D10: an empty table has nothing to copy`() throws {
        let pilot = try Pilot("a,b\n")
        pilot.press("y C-a y v V y")
        #expect(pilot.clipboard == nil && pilot.state.message == .nothingToCopy)
    }

    // MARK: Other formats

    @Test(
        arguments: [
            ("zy", "TSV", ""),
            ("C-a zy", "TSV", "t\tn\n\"x \"\"y\"\", z|\"\t1\n\t\n\"two\nlines\"\t\n"),
            ("C-a zy", "CSV", "t,n\n\"x \"\"y\"\", z|\",1\n,\n\"two\nlines\",\n"),
            (
                "C-a zy", "JSON",
                "[\n  {\"t\": \"x \\\"y\\\", z|\", \"n\": 1},\n  {\"t\": \"\", \"n\": null},\n  {\"t\": \"two\\nlines\", \"n\": null}\n]\n"
            ),
            (
                "C-a zy", "JSON Lines",
                "{\"t\": \"x \\\"y\\\", z|\", \"n\": 1}\n{\"t\": \"\", \"n\": null}\n{\"t\": \"two\\nlines\", \"n\": null}\n"
            ),
            (
                "C-a zy", "HTML",
                """
                <meta charset="utf-8">
                <table>
                <thead>
                <tr><th>t</th><th style="text-align: right">n</th></tr>
                </thead>
                <tbody>
                <tr><td>x "y", z|</td><td style="text-align: right">1</td></tr>
                <tr><td></td><td style="text-align: right"></td></tr>
                <tr><td>two<br>lines</td><td style="text-align: right"></td></tr>
                </tbody>
                </table>

                """
            ),
            (
                "C-a zy", "SQL",
                """
                INSERT INTO "test" ("t", "n") VALUES ('x "y", z|', 1);
                INSERT INTO "test" ("t", "n") VALUES ('', NULL);
                INSERT INTO "test" ("t", "n") VALUES ('two
                lines', NULL);

                """
            ),
            ("C-a zy", "Markdown", "| t | n |\n|---|---:|\n| x \"y\", z\\| | 1 |\n|  |  |\n| two<br>lines |  |\n"),
        ])
    func `D10: zy copies the selection in the chosen format`(keys: String, format: String, text: String) throws {
        let pilot = try Pilot("t,n\n\"x \"\"y\"\", z|\",1\n,\n\"two\nlines\"\n", size: (60, 20))
        pilot.press(keys)
        #expect(pilot.screen.contains("Copy as"))
        pilot.type(format)
        pilot.press("Enter")
        #expect(pilot.clipboardText == (text.isEmpty ? "t\n\"x \"\"y\"\", z|\"\n" : text))
        #expect(pilot.state.message == (text.isEmpty ? .copiedCell(as: format) : .copiedRows(3, columns: 2, as: format)))
    }

    @Test func `D10: rows can be copied with or without a header, and with original or displayed values`() throws {
        let pilot = try Pilot("t,n\na,1234.5\nb,7.25\n", size: (60, 20))
        #expect(pilot.copyAll("CSV") == "t,n\na,1234.5\nb,7.25\n")
        #expect(pilot.copyAll("CSV", "header") == "a,1234.5\nb,7.25\n")
        #expect(pilot.state.message == .copiedRows(2, columns: 2, as: "CSV without header"))
        // The settings are kept.
        #expect(pilot.copyAll("Markdown", "values") == "| a | 1,234.5 |\n| b | 7.25 |\n")
        #expect(pilot.copyAll("HTML").contains("<tbody>\n<tr><td>a</td><td style=\"text-align: right\">1,234.5</td></tr>\n"))
        #expect(!pilot.copyAll("HTML").contains("<th"))
        #expect(pilot.copyAll("SQL") == "INSERT INTO \"test\" VALUES ('a', '1,234.5');\nINSERT INTO \"test\" VALUES ('b', '7.25');\n")
        #expect(pilot.copyAll("JSON").contains("{\"t\": \"a\", \"n\": \"1,234.5\"}"))
        #expect(pilot.copyAll("CSV", "header", "values") == "t,n\na,1234.5\nb,7.25\n")
        // A copy as plain text ignores the settings of the list of formats.
        pilot.press("zy")
        pilot.type("values")
        pilot.press("Enter Escape C-a y")
        #expect(pilot.clipboardText == "a\t1234.5\nb\t7.25")
    }

    @Test func `D10: copies in other formats contain no cells outside the selection`() throws {
        let pilot = try Pilot(Self.table, size: (60, 20))
        pilot.press("v l z+ j j S-Down zy")
        pilot.type("JSON")
        pilot.press("Enter")
        #expect(pilot.clipboardText == "[\n  {\"a\": 1, \"b\": 2},\n  {\"a\": null, \"b\": 8},\n  {\"a\": null, \"b\": 11}\n]\n")
    }

    @Test func `D10: a selection that is too large for the clipboard is not copied at all`() throws {
        let rows = String(repeating: String(repeating: "x", count: 99_999) + "\n", count: 50)
        let pilot = try Pilot("a\n" + rows, size: (60, 20))
        pilot.press("C-a zy Enter")
        #expect(pilot.state.message?.id == .tooLargeToCopy && pilot.clipboard == nil)
        pilot.press("y")
        #expect(pilot.state.message?.id == .tooLargeToCopy && pilot.clipboard == nil)
    }

    @Test func `A10: selected rows stay selected when rows are filtered, sorted or grouped`() throws {
        let pilot = try Pilot(Self.table, size: (100, 12))
        func selected() -> [Int] { pilot.state.grid.selectedRows().map(\.rawValue) }
        pilot.press("V j & \"a > 1\" Enter")
        #expect(pilot.order == [2, 3, 4] && selected() == [1])
        pilot.press("\\")
        #expect(pilot.order == [1, 2, 3, 4] && selected() == [0, 1])
        pilot.press("]")
        #expect(pilot.order == [4, 3, 2, 1] && selected() == [1, 0])
        #expect(pilot.state.message?.id == .sorted && !pilot.message.contains("Selection cleared"))
        pilot.press("y")
        #expect(pilot.clipboardText == "4\t5\t6\n1\t2\t3")
        pilot.press("& \"a < 4\" Enter")
        #expect(pilot.order == [1] && selected() == [0])
        pilot.press("\\ zg")
        #expect(pilot.state.grid.outline.tree != nil && Set(selected()) == [0, 1])
        pilot.press("zu [")
        #expect(pilot.order == [1, 2, 3, 4] && selected() == [0, 1])
    }

    /// A pilot with a file that was read. Later jobs run in steps.
    private func steppedPilot() throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.table, size: (100, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        return (pilot, stepped)
    }

    @Test func `A10, D2: rows selected during a sort are located by a second job, not by the main thread`() throws {
        let (pilot, stepped) = try steppedPilot()
        pilot.press("] V j")
        #expect(stepped.count == 1)
        stepped.step()
        pilot.session.turn()
        #expect(stepped.count == 1 && pilot.order == [1, 2, 3, 4], "the rows are not found yet")
        stepped.step()
        pilot.session.turn()
        #expect(stepped.count == 0 && pilot.order == [4, 3, 2, 1] && pilot.state.query.isSettled)
        #expect(pilot.state.grid.selectedRows().map(\.rawValue) == [1, 0] && pilot.state.message?.id == .sorted)
        // A selection that is known when the sort begins needs no other job.
        pilot.press("[")
        stepped.step()
        pilot.session.turn()
        #expect(stepped.count == 0 && pilot.order == [1, 2, 3, 4])
    }

    @Test func `A10: selected rows stay selected when a running filter finds them later`() throws {
        let (pilot, stepped) = try steppedPilot()
        func selected() -> [Int] { pilot.state.grid.selectedRows().map(\.rawValue) }
        pilot.press("V j j & \"a > 1\" Enter")
        let requested = pilot.state.query.requested
        pilot.session.send(.filtering(requested, .permuted(RowPermutation([1])), extendsVisibleRows: false))
        #expect(selected() == [1])
        pilot.session.send(.filtering(requested, .permuted(RowPermutation([1, 2])), extendsVisibleRows: true))
        #expect(selected() == [1, 2])
        stepped.runAll(pilot)
        #expect(pilot.order == [2, 3, 4] && selected() == [1, 2])
        pilot.press("\\")
        stepped.runAll(pilot)
        #expect(pilot.order == [1, 2, 3, 4] && selected() == [0, 1, 2])
    }

    @Test func `A10: rows that an inverted selection excludes stay excluded when they arrive later`() throws {
        let (pilot, stepped) = try steppedPilot()
        func selected() -> [Int] { pilot.state.grid.selectedRows().map(\.rawValue) }
        pilot.press("V j z~ & \"a > 1\" Enter")
        let requested = pilot.state.query.requested
        pilot.session.send(.filtering(requested, .permuted(RowPermutation([2])), extendsVisibleRows: false))
        #expect(selected() == [2])
        stepped.runAll(pilot)
        #expect(pilot.order == [2, 3, 4] && selected() == [2, 3])
        pilot.press("\\")
        stepped.runAll(pilot)
        #expect(pilot.order == [1, 2, 3, 4] && selected() == [2, 3])
    }

    @Test func `A10: a query clears a selection of more than 10,000 rows with a message, unless all rows are selected`() throws {
        let rows = AppState.maximumSelectedRows + 1
        let pilot = try Pilot("a\n" + (0..<rows).map { "\($0)\n" }.joined(), size: (100, 12))
        pilot.press("V G ]")
        #expect(pilot.state.message?.id == .sorted && pilot.message.contains(Message.selectionCleared))
        #expect(pilot.state.grid.selection.isEmpty)
        pilot.press("g V G k [")
        #expect(pilot.state.message?.id == .sorted && !pilot.message.contains(Message.selectionCleared))
        #expect(pilot.state.grid.selectedRows().map(\.rawValue) == Array(1..<rows))
        pilot.press("Escape g V G & \"a >= 0\" Enter")
        #expect(pilot.state.message?.id == .filtered && pilot.message.hasPrefix("Selection cleared"))
        #expect(pilot.state.grid.selection.isEmpty)
        pilot.press("C-a ]")
        #expect(pilot.state.grid.selection == .all && !pilot.message.contains("Selection cleared"))
    }
}
