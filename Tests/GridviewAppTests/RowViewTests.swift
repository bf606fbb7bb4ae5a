import DataGrid
import DataGridQuery
import DataGridTerminal
import Tables
@testable import GridviewApp
import TerminalSurface
import Testing

/// The row view: one row as a form, with full cell contents.
@MainActor
@Suite struct RowViewTests {
    @Test func `D12: the row view shows full cell contents`() throws {
        let pilot = try Pilot(PanelTests.table, size: (40, 12))
        pilot.press("Enter")
        #expect(
            pilot.screen == """
                 Row 1 of 2
                   id  1
                 text  line one
                       line two
                 more  x






                 n next row  Esc back  p previous row
                """)
        pilot.press("n")
        #expect(pilot.screen.contains("Row 2") && pilot.screen.contains("more  ·"), "missing fields")
        pilot.press("n")
        #expect(pilot.screen.contains("Row 2"), "the last one is still current")
        pilot.press("Escape")
        #expect(pilot.cursorCell == "id 2")
    }

    @Test func `18.3, D12: the grid, the value line and the row view show null, missing and empty JSON values differently`() throws {
        let lines = [##"{"id":1,"s":"x","n":5}"##, ##"{"id":2,"s":null,"n":null}"##, ##"{"id":3,"s":"","n":6}"##, ##"{"id":4}"##]
        let text = (lines + [##"{"id":5,"s":"null","n":7}"##]).joined(separator: "\n") + "\n"
        let pilot = try Pilot(text, size: (60, 12), name: "t.jsonl")
        let rows = pilot.backend.lines.dropFirst(2).prefix(5).map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows == ["1│ 1 x 5", "2│ 2 null null", "3│ 3 6", "4│ 4 · ·", "5│ 5 null 7"], "\(pilot.screen)")
        let place = try #require(pilot.place(of: "null"))
        let screen = pilot.backend.screen
        #expect(screen[place.x, place.y].style != screen[place.x, place.y + 3].style, "text is not null")
        pilot.press("j l")
        #expect(pilot.line(10).hasPrefix(" s  null"), "\(pilot.screen)")
        pilot.press("Enter")
        #expect(pilot.screen.contains("s  null") && pilot.screen.contains("n  null"), "\(pilot.screen)")
        pilot.press("n")
        #expect(pilot.screen.contains("s  (empty)") && pilot.screen.contains("n  6"))
        pilot.press("n")
        #expect(pilot.screen.contains("s  ·") && pilot.screen.contains("n  ·"))
    }

    @Test func `D17: undo and redo work in the row view, and close it if they change the rows of the table`() throws {
        let pilot = try Pilot(CommandEffectTests.table, size: (80, 24))
        pilot.press("j l @ Enter - U")
        #expect(pilot.state.overlay is RowView && pilot.titles == ["name", "side", "price"] && pilot.message.hasPrefix("Undone: hide"))
        #expect(pilot.screen.contains(" side  A"))
        pilot.press("C-r")
        #expect(pilot.state.overlay is RowView && pilot.titles == ["name", "price"] && !pilot.screen.contains(" side  A"))
        pilot.press("U U")
        #expect(pilot.state.overlay == nil && pilot.order.count == 40 && pilot.cursorCell.hasSuffix(" 2"))
        pilot.press("Enter C-r")
        #expect(pilot.state.overlay == nil && pilot.order.count == 20)
    }

    @Test func `D12: the row view scrolls to its last line and no further`() throws {
        let columns = (1...30).map { "c\($0)" }.joined(separator: ",")
        let values = (1...30).map { "\($0 * 11)" }.joined(separator: ",")
        let pilot = try Pilot(columns + "\n" + values + "\n", size: (40, 12))
        pilot.press("Enter")
        for _ in 0..<50 { pilot.press("j") }
        #expect(pilot.screen.contains("c30  330"))
        let end = pilot.screen
        pilot.press("PageDown End")
        #expect(pilot.screen == end)
        pilot.press("k")
        #expect(pilot.cursorCell == "c29 1", "one press goes back at once")
        pilot.press("g")
        #expect(pilot.screen.contains("c1  11"))
    }

    @Test func `D12: in the row view, y copies the field, and other table keys show how to close the row view`() throws {
        let pilot = try Pilot(PanelTests.table, size: (60, 12))
        pilot.press("l Enter y")
        #expect(pilot.clipboardText == "line one\nline two" && pilot.state.message == .copiedCell(of: "text"))
        pilot.press("s")
        #expect(pilot.state.message == .notInRowView(backKey: "Esc", key: "s") && pilot.screen.contains("Row 1"))
        pilot.resize(20, 5)
        #expect(pilot.line(4) == " Esc, then s.")
        // The current field is not visible, so the field at the top of the page is copied.
        let long = try Pilot("a,b\nx,\"\((1...900).map { "w\($0)" }.joined(separator: " "))\"\n", size: (40, 10))
        long.press("Enter End y")
        #expect(
            long.state.message == .copiedCell(of: "b") && long.clipboardText.hasSuffix(" w899 w900")
                && long.clipboardText.hasPrefix("w1 w2 "))
        let huge = try Pilot("a\n\(String(repeating: "x", count: 5 << 20))\n", size: (40, 10))
        huge.press("Enter y")
        #expect(huge.clipboard == nil && huge.state.message?.id == .tooLargeToCopy)
    }

    @Test func `D12: Tab goes to the next field, which is highlighted and can be copied`() throws {
        let pilot = try Pilot("a,b,c\n1,,3\n", size: (120, 12))
        func style(_ text: String) throws -> TextStyle {
            let place = try #require(pilot.place(of: text))
            return pilot.backend.screen[place.x, place.y].style
        }
        pilot.press("Enter")
        #expect(pilot.line(11).contains("y copy  @ filter  ~ exclude  / find  - hide"))
        #expect(pilot.screen.contains("b  (empty)"))
        let (selected, plain) = (try style("a  1"), try style("c  3"))
        #expect(selected != plain)
        pilot.press("Tab Tab")
        #expect(try style("c  3") == selected && style("a  1") == plain)
        pilot.press("y")
        #expect(pilot.clipboardText == "3")
        pilot.press("S-Tab S-Tab S-Tab y")
        #expect(pilot.clipboardText == "1")
        pilot.press("Tab Escape")
        #expect(pilot.cursorCell == "b 1")
    }

    @Test(arguments: [30, 40]) func `D16: panels show the key that closes them, even at narrow widths`(width: Int) throws {
        let pilot = try Pilot(PanelTests.table, size: (width, 10))
        for keys in ["Enter", "?", "M-g", ":", "c", "I", "F", "zI"] {
            pilot.press(keys)
            #expect(pilot.line(9).contains("Esc back"), "\(keys): \(pilot.line(9))")
            pilot.press("Escape")
        }
    }

    /// A very long cell is shown in full, one page at a time.
    @Test func `D12: long cells are shown page by page`() throws {
        let words = (1...3000).map { "w\($0)" }.joined(separator: " ")
        let pilot = try Pilot("a\n\"\(words)\"\n", size: (60, 12))
        pilot.press("Enter End")
        #expect(pilot.screen.contains("w3000"))
        pilot.press("PageUp")
        #expect(!pilot.screen.contains("w3000"))
    }

    @Test func `D12: scrolling down or up through a long cell shows all its lines`() throws {
        let lines = (1...9_000).map { $0 % 3 == 0 ? "line \"\"\($0)\"\"" : "line \($0), and more of it" }
        let pilot = try Pilot("a,b,c\nx,\"\(lines.joined(separator: "\n"))\",\"z\"\n", size: (60, 32))
        pilot.press("Enter")
        #expect(pilot.line(1).hasSuffix("columns 1–2 of 3"))
        pilot.press("PageDown")
        #expect(pilot.line(1).hasSuffix("0 % of 197 kB · column 2 of 3"))
        pilot.press("Home")
        var downwards: [[String]] = []
        while downwards.count < 400 {
            let page = Array(pilot.backend.lines[2..<31])
            if page == downwards.last { break }
            downwards.append(page)
            pilot.press("PageDown")
        }
        // The last page is full, so it shows some lines again.
        let all = downwards.dropLast().joined() + []
        let numbers = all.compactMap { line in line.split { !$0.isNumber }.first.flatMap { Int($0) } }
        #expect(numbers == Array(1...numbers.count) && numbers.count > 8_900)
        #expect(all.contains { $0.hasSuffix("line \"3\"") } && pilot.screen.contains("   c  z"))
        #expect(pilot.line(1).hasSuffix("100 % of 197 kB · columns 2–3 of 3"))
        var upwards = [Array(pilot.backend.lines[2..<31])]
        while !pilot.line(2).contains("a  x"), upwards.count < 400 {
            pilot.press("PageUp")
            upwards.append(Array(pilot.backend.lines[2..<31]))
        }
        let seen = upwards.reversed().joined().compactMap { line in line.split { !$0.isNumber }.first.flatMap { Int($0) } }
        #expect(Set(seen) == Set(1...9_000))
        #expect(upwards.last == downwards.first)
        pilot.press("End k k k")
        let threeLinesUp = pilot.screen
        pilot.press("j j j k k k")
        #expect(pilot.screen == threeLinesUp)
    }

    @Test func `E: the row view shows a field of 40 MB completely`() throws {
        var bytes = Array("id,text,last\n1,\"".utf8)
        bytes.reserveCapacity(42_000_000)
        var number = 0
        while bytes.count < 40_000_000 {
            bytes += "sentence \(number) says \"\"so\"\"; ".utf8
            number += 1
        }
        bytes += "\",behind\n2,short,x\n".utf8
        let pilot = try Pilot(bytes: bytes, size: (80, 24))
        pilot.press("Enter")
        #expect(pilot.screen.contains("sentence 0 says \"so\"; sentence 1 says"))
        #expect(pilot.line(1).hasSuffix("columns 1–2 of 3"))
        pilot.press("PageDown")
        #expect(pilot.line(1).hasSuffix("0 % of 40 MB · column 2 of 3"))
        pilot.press("End")
        #expect(pilot.screen.contains("\(number - 1)") && pilot.screen.contains(" last  behind"))
        #expect(pilot.screen.contains("100 % of 40 MB"))
        pilot.press("PageUp")
        #expect(pilot.screen.contains("99 % of 40 MB") && !pilot.screen.contains("behind"))
        pilot.press("Tab")
        #expect(pilot.screen.contains(" last  behind"))
        pilot.press("S-Tab")
        #expect(pilot.screen.contains(" text  sentence 0 says"))
        pilot.press("n")
        #expect(pilot.screen.contains("Row 2") && pilot.screen.contains("last  x"))
        pilot.press("p End")
        #expect(pilot.screen.contains(" last  behind"))
    }

    @Test func `E: the row view shows a row of 5,000 columns completely`() throws {
        let titles = (1...5_000).map { "c\($0)" }.joined(separator: ",")
        let values = (1...5_000).map { "v\($0) " + String(repeating: "x", count: $0 % 7 == 0 ? 7_000 : 4) }.joined(separator: ",")
        let pilot = try Pilot("\(titles)\n\(values)\n", size: (60, 20))
        pilot.press("Enter")
        #expect(pilot.line(1).hasSuffix("columns 1–7 of 5,000"))
        pilot.press("End")
        #expect(pilot.screen.contains("c5000  v5000 xxxx") && pilot.line(1).hasSuffix("–5,000 of 5,000"))
        pilot.press("Home")
        for column in 2...60 {
            pilot.press("Tab")
            #expect(pilot.cursorCell == "c\(column) 1" && pilot.screen.contains(" c\(column)  v\(column)"))
        }
    }

    @Test func `E: a row too long for memory is read while its first fields are shown`() throws {
        let field = String(repeating: "0123456789abcdef", count: 1 << 16)
        let row = (1...20).map { "\(field)\($0)" }.joined(separator: ",")
        let titles = (1...20).map { "c\($0)" }.joined(separator: ",")
        let stepped = SteppedRunner()
        let pilot = try Pilot(titles + "\n" + row + "\nend\n", size: (60, 20), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("Enter End")
        #expect(pilot.state.message == .rowNotReadToEnd && (pilot.state.overlay as? RowView)?.awaitsEnd == true)
        #expect(pilot.screen.contains("…"), "unread fields are not shown as missing")
        stepped.runAll(pilot)
        #expect(pilot.message.isEmpty, "the request is remembered")
        #expect(pilot.screen.contains("20") && pilot.line(1).contains("column 20 of 20"))
        pilot.press("Home PageDown")
        #expect(pilot.screen.contains("0 % of 1.0 MB · column 1 of 20"))
        // Closing the view does not wait for reading.
        pilot.press("n p")
        pilot.press("q")
        #expect(pilot.state.overlay == nil)
        stepped.runAll(pilot)
        pilot.press("Down")
        #expect(pilot.state.jobs.isEmpty)
    }

    @Test func `B8: the row view keeps its top line when the terminal is resized`() throws {
        let words = (1...9_000).map { "w\($0)" }.joined(separator: " ")
        let pilot = try Pilot("a\n\"\(words)\"\n", size: (60, 20))
        pilot.press("Enter PageDown PageDown PageDown")
        let first = pilot.line(2).split(separator: " ")[0]
        pilot.resize(33, 9)
        #expect(pilot.line(1).contains(first))
        pilot.resize(60, 20)
        #expect(pilot.line(2).split(separator: " ")[0] == first)
    }

    // MARK: The current field

    private static let parts = "name,price,note\nbolt,1234.5,steel\nnut,2,brass\n"

    @Test(
        arguments: [(40, 10), (80, 24), (120, 40)])
    func `D12: the arrows move to another field, and the next row and filters use the same field`(columns: Int, rows: Int) throws {
        let pilot = try Pilot(Self.parts, size: (columns, rows))
        pilot.press("Enter j y")
        #expect(pilot.cursorCell == "price 1" && pilot.clipboardText == "1234.5")
        let shown = ValueText.display(CellContent("1234.5"), in: pilot.state.grid.columns.all[1]).trimmingBlanks
        #expect(pilot.screen.contains("price  \(shown)\n"))
        pilot.press("n")
        #expect(pilot.screen.contains("Row 2") && pilot.cursorCell == "price 2")
        pilot.press("p Down k n @")
        #expect(pilot.state.overlay == nil && pilot.state.query.shown.filters.map(\.text) == ["price = 2"] && pilot.order == [2])
        pilot.press("U g Enter ~")
        #expect(pilot.state.overlay == nil && pilot.order == [2])
        pilot.press("Enter &")
        #expect((pilot.state.overlay as? FormulaPrompt)?.field.string == "price = 2")
    }

    @Test func `D12: cancelling a filter prompt that was opened in the row view returns to the row view`() throws {
        let pilot = try Pilot(Self.parts, size: (80, 24))
        pilot.press("j Enter j &")
        #expect(pilot.state.overlay is FormulaPrompt)
        pilot.press("x Escape")
        #expect(pilot.state.overlay is RowView && pilot.screen.contains("Row 2") && pilot.cursorCell == "price 2")
        pilot.press("& Enter")
        #expect(pilot.state.overlay == nil && pilot.order == [2])
        // Opened in the grid, the prompt returns to the grid.
        pilot.press("& Escape")
        #expect(pilot.state.overlay == nil)
    }

    @Test func `D12: the row view opens at the field of the cursor`() throws {
        let titles = (1...40).map { "c\($0)" }.joined(separator: ",")
        let values = (1...40).map { "v\($0)" }.joined(separator: ",")
        let pilot = try Pilot("\(titles)\n\(values)\n\(values)\n", size: (40, 10))
        pilot.press("$ Enter")
        #expect(pilot.screen.contains("c40  v40"))
        pilot.press("n")
        #expect(pilot.screen.contains("Row 2") && pilot.screen.contains("c40  v40"))
        pilot.press("PageUp")
        #expect(!pilot.screen.contains("c40") && pilot.cursorCell != "c40 2")
    }

    @Test func `D12: / finds a field by its name or value, and n and N repeat the search until Escape`() throws {
        let pilot = try Pilot(Self.parts, size: (80, 24))
        pilot.press("Enter / \"ste\" Enter")
        #expect(pilot.cursorCell == "note 1")
        pilot.press("/ \"e\" Enter n")
        #expect(pilot.cursorCell == "name 1", "the search goes on at the first field")
        pilot.press("N")
        #expect(pilot.cursorCell == "note 1" && pilot.screen.contains("Row 1"))
        pilot.press("Escape n")
        #expect(pilot.cursorCell == "note 2" && pilot.screen.contains("Row 2"))
        pilot.press("/ \"zinc\" Enter")
        #expect(pilot.state.message?.id == .notFound && pilot.cursorCell == "note 2")
        // A search without a match has ended.
        pilot.press("p / \"zinc\" Enter n")
        #expect(pilot.cursorCell == "note 2" && pilot.line(23).hasPrefix(" n next row"), "\(pilot.screen)")
    }

    @Test func `D12: / in the row view goes to the match in a long value, and so does Enter after a search`() throws {
        let words = (1...9_000).map { "w\($0)." }.joined(separator: " ")
        let pilot = try Pilot("a,b,c\nx,\"\(words)\",z\n", size: (60, 12))
        /// True if the row view shows this word of the value together with a word beside it.
        func isShown(_ n: Int) -> Bool { pilot.screen.contains("w\(n - 1). w\(n).") || pilot.screen.contains("w\(n). w\(n + 1).") }
        pilot.press("Enter / \"w8765.\" Enter")
        #expect(pilot.cursorCell == "b 1" && isShown(8765))
        pilot.press("/ \"w2.\" Enter")
        #expect(pilot.cursorCell == "b 1" && pilot.screen.contains("b  w1. w2. "))
        pilot.press("Escape Escape / \"w7654.\" Enter")
        try #require(pilot.state.overlay == nil && !isShown(7654))
        pilot.press("Enter")
        #expect(pilot.state.overlay is RowView && pilot.cursorCell == "b 1" && isShown(7654))
    }

    @Test func `D12: the row view highlights the matches of its search, or else those of the search in the table`() throws {
        let pilot = try Pilot(Self.parts, size: (60, 12))
        func isFirstLetterHighlighted(in word: String, before other: Int) throws -> Bool {
            let place = try #require(pilot.place(of: word))
            return pilot.backend.screen[place.x, place.y].style != pilot.backend.screen[place.x + other, place.y].style
        }
        pilot.press("/ \"ste\" Enter Enter")
        #expect(try pilot.state.overlay is RowView && isFirstLetterHighlighted(in: "steel", before: 3))
        #expect(try !isFirstLetterHighlighted(in: "bolt", before: 2))
        pilot.press("/ \"bo\" Enter")
        #expect(try pilot.cursorCell == "name 1" && isFirstLetterHighlighted(in: "bolt", before: 2))
        #expect(try !isFirstLetterHighlighted(in: "steel", before: 3))
    }

    @Test func `D12: a text that begins in one piece of a value and ends in the next one is found`() {
        let value = String(repeating: "ab ", count: 5_461) + "needle" + String(repeating: " cd", count: 9_000)
        let record = WholeRecord([0: value])
        let view = RowViewText([Column(id: 0, title: "a")], of: record, width: 60) { try? $0() }
        var search = RowViewText.FieldSearch(finder: TextHighlighter(.smartCase("needle")))
        #expect(record.pieceBytes == 16_384 && view.firstMatch(of: &search, in: 0) == RecordPosition(byteOffset: 16_383))
        #expect(!search.isIncomplete)
        search = RowViewText.FieldSearch(finder: TextHighlighter(.smartCase("absent")))
        #expect(view.firstMatch(of: &search, in: 0) == nil && !search.isIncomplete)
        search = RowViewText.FieldSearch(finder: TextHighlighter(.smartCase("absent")), remainingBytes: 0)
        #expect(view.firstMatch(of: &search, in: 0) == nil && search.isIncomplete, "only the first piece was read")
    }

    @Test(arguments: [true, false])
    func `D12: a search in the row view reads each value once`(includingCurrent: Bool) {
        let value = String(repeating: "ab ", count: 12_000)
        let view = RowViewText([Column(id: 0, title: "a")], of: WholeRecord([0: value]), width: 60) { try? $0() }
        let secondPiece = value.utf8.count - 16_384
        var search = RowViewText.FieldSearch(finder: TextHighlighter(.smartCase("absent")), remainingBytes: secondPiece)
        #expect(view.firstMatch(of: &search, from: 0, by: 1, includingCurrent: includingCurrent) == nil)
        #expect(search.remainingBytes == 0 && !search.isIncomplete)
    }

    @Test func `D12: the row view of a card reaches the fields that the card does not show`() throws {
        let pilot = try Pilot("a,b,c,d,e,f,g\na1,b1,c1,d1,e1,f1,g1\na2,b2,c2,d2,e2,f2,g2\n", size: (80, 12))
        func field() -> String? { pilot.state.currentFieldColumn?.title }
        pilot.press("zc Enter")
        for title in ["b", "c", "d", "e", "f", "g", "g"] {
            pilot.press("Down")
            #expect(field() == title)
        }
        pilot.press("n")
        #expect(field() == "g" && pilot.screen.contains("Row 2"), "the next row keeps the field")
        pilot.press("y")
        #expect(pilot.clipboardText == "g2")
        pilot.press("Up -")
        #expect(pilot.titles == ["a", "b", "c", "d", "e", "g"] && field() == "g")
        pilot.press("/ \"g\" Enter ~")
        #expect(pilot.state.overlay == nil && pilot.order == [1] && pilot.state.query.requested.filters.map(\.text) == ["g != 'g2'"])
    }

    @Test func `D12: in the row view, a key hides the column of a field, and the edit key shows a message`() throws {
        let pilot = try Pilot(Self.parts, size: (80, 24))
        pilot.press("Enter j -")
        #expect(pilot.state.overlay is RowView && pilot.titles == ["name", "note"] && !pilot.screen.contains("price  "))
        pilot.press("e")
        #expect(pilot.state.message?.id == .cannotEdit)
        pilot.press("Escape U")
        #expect(pilot.titles == ["name", "price", "note"])
    }

    @Test func `D12: the arrows scroll through a field that is longer than the page`() throws {
        let words = (1...120).map { "w\($0)" }.joined(separator: " ")
        let pilot = try Pilot("a,b,c\nx,\(words),z\n", size: (40, 10))
        pilot.press("Enter j")
        #expect(pilot.cursorCell == "b 1" && pilot.screen.contains("w1 "))
        var presses = 0
        while pilot.cursorCell == "b 1", presses < 60 {
            pilot.press("j")
            presses += 1
        }
        #expect(presses > 3 && pilot.cursorCell == "c 1" && pilot.screen.contains("c  z"))
        let screen = pilot.screen
        pilot.press("k")
        #expect(pilot.cursorCell == "b 1" && pilot.screen == screen)
        pilot.press("k")
        #expect(pilot.cursorCell == "b 1" && pilot.screen != screen)
    }
}
