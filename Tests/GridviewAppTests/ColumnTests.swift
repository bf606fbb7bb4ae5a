import DataGrid
import DataGridQuery
import FieldValues
@testable import GridviewApp
import TerminalSurface
import Testing

/// Columns: hide, move, resize, freeze, pin, change type, rename.
@MainActor
@Suite struct ColumnTests {
    static let table = "a,b,c,d\n1,x,2024-01-02,yes\n20,yy,2024-01-03,no\n"

    /// Each case lists keys and the expected titles from left to right. Brackets mark the current column.
    @Test(
        "D5: hide, move and pin change the column order",
        arguments: [
            ("", "[a] b c d"), ("L", "b [a] c d"), ("2 L", "b c [a] d"), ("9 L", "b c d [a]"), ("$ H", "a b [d] c"), ("H", "[a] b c d"),
            ("M-Right", "b [a] c d"), ("l M-Left", "[b] a c d"), ("-", "[b] c d"), ("$ -", "a b [c]"), ("- - - -", "[d]"),
            ("l - r", "a b [c] d"),
            // Pin on one side; press again to unpin.
            ("l l !", "[c] a b d"), ("l l ! !", "[c] a b d"), ("z!", "b c d [a]"), ("l l ! l !", "c [a] b d"),
            ("+ Enter Escape", "[b] c d"), ("+ Enter Enter Escape", "a [b] c d"),
        ])
    func columnsInOrder(keys: String, titles: String) throws {
        let pilot = try Pilot(Self.table)
        pilot.press(keys)
        let current = pilot.state.grid.currentColumn?.title
        #expect(pilot.titles.map { $0 == current ? "[\($0)]" : $0 }.joined(separator: " ") == titles)
    }

    @Test("D5: two columns show the same field with different formats") func oneFieldTwice() throws {
        let pilot = try Pilot("code,n\n10,x\n9,y\n100,x\n", size: (60, 12))
        pilot.session.send(.run(.duplicateColumn))
        #expect(pilot.titles == ["code", "code 2", "n"] && pilot.cursorCell == "code 2 1")
        #expect(pilot.state.message == .columnDuplicated("code", as: "code 2"))
        pilot.session.send(.run(.duplicateColumn))
        #expect(pilot.titles == ["code", "code 2", "code 3", "n"])
        pilot.press("- h")
        while pilot.state.grid.currentColumn?.kind != .text { pilot.press("t") }
        #expect(pilot.state.grid.columns[ColumnID(0)]?.kind == .integer, "the other column keeps its type")
        pilot.press("[")
        #expect(pilot.order == [2, 1, 3] || pilot.order == [1, 3, 2], "as text: \(pilot.order)")
        pilot.press("h [")
        #expect(pilot.order == [2, 1, 3])
        pilot.press("/ \"100\" Enter l y")
        #expect(pilot.clip == "100" && pilot.cursorCell == "code 2 3")
        pilot.press("@")
        #expect(pilot.order == [3] && pilot.state.query.requested.filters.map(\.text) == ["code = 100"])
        pilot.press("\\ zg")
        #expect(pilot.state.grid.outline.tree?.count == 3)
        pilot.press("zu")
        pilot.press("g V G Y")
        #expect(pilot.clip.hasPrefix("code\tcode 2\tn\n9\t9\ty\n"))
        pilot.press("Escape R")
        #expect(pilot.titles == ["code", "code 2", "n"], "a reload keeps it")
        pilot.press("r")
        #expect(pilot.titles == ["code", "n"], "a reset removes it")
    }

    @Test("D5: the column list shows and hides columns") func columnListShowsAndHides() throws {
        let pilot = try Pilot(Self.table, size: (40, 12))
        pilot.press("+ b Enter")
        #expect(pilot.backend.lines.contains { $0.contains("b  ") && $0.hasSuffix("hidden") })
        #expect(pilot.titles == ["a", "c", "d"])
        pilot.press("Enter Escape")
        #expect(pilot.titles == ["a", "b", "c", "d"])
        // The last column cannot be hidden, not even from the list.
        pilot.press("- - - -")
        #expect(pilot.state.message == .lastColumn)
        pilot.press("+ Enter Down Enter Escape")
        #expect(pilot.state.grid.columns.count >= 1)
    }

    @Test("D5: the title line counts hidden columns") func hiddenColumnsAreCounted() throws {
        let pilot = try Pilot(Self.table, size: (60, 10))
        pilot.press("l -")
        #expect(pilot.line(0) == " test.csv  2 × 4   1 hidden")
        #expect(pilot.state.message == .columnHidden("b", show: "+"))
    }

    @Test("D5: keys fit and set column widths") func widths() throws {
        let pilot = try Pilot("a,b\nx,some longer text\n", size: (50, 10))
        let grid = { pilot.state.grid.layout.columns.map(\.fullWidth) }
        let before = grid()
        pilot.press("> > >")
        #expect(grid() == [before[0] + 3, before[1]])
        pilot.press("5 <")
        #expect(grid()[0] == 3, "limited to the minimum width")
        pilot.press("_")
        #expect(grid()[0] == 3)
        pilot.press("l 4 _")
        #expect(grid()[1] == 4)
        #expect(pilot.line(2).hasSuffix("som…"))
        pilot.press("=")
        #expect(grid()[1] == 16)
        #expect(pilot.line(2).hasSuffix("some longer text"))
    }

    @Test("D5: columns of a small file are as wide as their longest cell") func widthsOfSmallFile() throws {
        let pilot = try Pilot("a,b\n" + (1...2_000).map { "\($0),x\n" }.joined(), size: (40, 8))
        pilot.press("G")
        #expect(pilot.line(6).hasPrefix(" 2000│ 2,000  x"))
    }

    @Test("D5: a truncated cell offers the key that widens its column") func truncatedCellOffersToFit() throws {
        let pilot = try Pilot("a,b\nx,some longer text\ny,short\n", size: (60, 8))
        pilot.press("l")
        #expect(pilot.line(7).hasPrefix(" ←↑↓→ move"))
        pilot.press("9 _")
        #expect(pilot.line(7).hasPrefix(" _ see all  s sort"))
        pilot.press("j")
        #expect(pilot.line(7).hasPrefix(" ←↑↓→ move  s sort"), "nothing is truncated here, and other hints stay in place")
        pilot.press("k _")
        #expect(pilot.line(1).contains("some longer text") && pilot.line(7).hasPrefix(" ←↑↓→ move"))
        // A cell wider than the maximum column width offers no key.
        let long = try Pilot("a,b\nx,\(String(repeating: "long ", count: 20))\n", size: (60, 8))
        long.press("l _")
        #expect(long.line(1).contains("…") && long.line(7).hasPrefix(" ←↑↓→ move"))
    }

    /// Scanning all columns for each column would exceed the limit.
    @Test("D5: thousands of columns are fitted and searched at once", .timeLimit(.minutes(5))) func manyColumns() throws {
        let header = (0..<20_000).map { "c\($0)" }.joined(separator: ",")
        let row = (0..<20_000).map { $0 == 19_999 ? "something longer" : "1234567" }.joined(separator: ",")
        let pilot = try Pilot("\(header)\n\(row)\n\(row)\n", size: (80, 10))
        pilot.press("=")
        #expect(pilot.state.grid.columns.all.last?.measuredWidth == 16 && pilot.state.grid.columns.all[7].measuredWidth == 9)
        pilot.press("/ 7")
        #expect(pilot.state.grid.currentColumn?.title == "c0", "a cell comes before titles")
        pilot.press("C-u c 7")
        #expect(pilot.state.grid.currentColumn?.title == "c7")
    }

    @Test("D3: numbers show the requested digits") func digits() throws {
        let options = LaunchOptions()
        var rounded = options
        rounded.formats = [(ColumnReference("p"), 0)]
        var padded = options
        padded.formats = [(ColumnReference("p"), 4)]
        let table = "n,p\n1,10.50\n2,9\n3,-0.25\n4,99999.75\n"
        func cells(_ options: LaunchOptions) throws -> [String] {
            let pilot = try Pilot(table, size: (40, 9), options: options)
            return (2...5).map { pilot.line($0).split(separator: " ").last.map(String.init) ?? "" }
        }
        #expect(try cells(options) == ["10.50", "9", "-0.25", "99,999.75"])
        #expect(try cells(rounded) == ["11", "9", "0", "100,000"])
        #expect(try cells(padded) == ["10.5000", "9.0000", "-0.2500", "99,999.7500"])
    }

    @Test("A8: freezing and unfreezing rows and columns does not scroll the body") func freezingMovesNothing() throws {
        let table = "a,b,c\n" + (1...60).map { "\($0),x,y\n" }.joined()
        let pilot = try Pilot(table, size: (40, 14))
        func body() -> [String] { (2..<12).map { String(pilot.line($0).prefix(30)) } }
        pilot.press("j j l")
        let before = body().map { $0.prefix(5) }
        pilot.press("zF")
        #expect(body().map { $0.prefix(5) } == before)
        pilot.press("zF")
        #expect(body().map { $0.prefix(5) } == before)
        // The same with the view scrolled down.
        pilot.press("zf 3 0 j")
        let seen = pilot.line(9).prefix(5)
        pilot.press("zf")
        #expect(pilot.line(9).prefix(5) == seen && pilot.cursorCell == "b 33")
    }

    @Test("D13: resetting the view scrolls to the top left if the cursor stays visible") func resetShowsTopLeft() throws {
        let header = (0..<12).map { "column\($0)" }.joined(separator: ",")
        let table = header + "\n" + (1...60).map { row in (0..<12).map { "r\(row)c\($0)" }.joined(separator: ",") + "\n" }.joined()
        let pilot = try Pilot(table, size: (40, 14))
        pilot.press("G $ k k k 5 0 k 1 0 h")
        pilot.press("5 Ctrl-e r")
        #expect(pilot.state.grid.scroll.top == 0 && pilot.state.grid.scroll.x == 0, "\n\(pilot.screen)")
        let at = pilot.cursorCell
        pilot.press("G r")
        #expect(pilot.cursorCell == "column1 60" && pilot.state.grid.scroll.top == 50, "\(at)\n\(pilot.screen)")
    }

    @Test("A8: frozen columns and rows do not scroll") func frozenColumnsAndRowsDoNotScroll() throws {
        let wide =
            (0..<12).map { "c\($0)" }.joined(separator: ",") + "\n"
            + (0..<40).map { row in (0..<12).map { "r\(row)c\($0)" }.joined(separator: ",") }.joined(separator: "\n") + "\n"
        let pilot = try Pilot(wide, size: (40, 12))
        pilot.press("f j zf $ G")
        #expect(pilot.line(1).hasPrefix("    │ c0") && pilot.line(1).contains("┃"))
        #expect(pilot.line(2).hasPrefix("   1│ r0c0") && pilot.line(3).hasPrefix("   2│ r1c0"))
        #expect(pilot.line(9).hasPrefix("  40│ r39c0") && pilot.line(9).contains("r39c11"))
        pilot.press("zF")
        #expect(pilot.state.grid.frozen == FrozenPanes() && pilot.state.message == .unfrozen(columns: true, rows: true))
        pilot.press("g 0 l j zF")
        #expect(pilot.state.message == .frozen(columns: 2, rows: 2, key: "zF"))
        #expect(pilot.state.grid.frozen == FrozenPanes(leading: 2, rows: 2))
        pilot.press("f zf")
        #expect(pilot.state.grid.frozen == FrozenPanes())
        pilot.press("2 0 G f zf")
        #expect(pilot.state.message?.id == .tooNarrowToFreeze)
        pilot.press("zf")
        #expect(pilot.state.message == .unfrozen(columns: false, rows: true))
        let narrow = try Pilot(wide, size: (40, 12))
        narrow.press("9 l f")
        #expect(narrow.state.message == .frozenPartly(narrow.state.grid.layout.geometry.leading, of: 10))
    }

    @Test("D5: changing a column type reads its values again") func changedTypeReadsValuesAgain() throws {
        let pilot = try Pilot("v\n10\n9\nx\n", size: (60, 10))
        pilot.press("s")
        // A column with text in it is text. As an integer column, it shows other values unchanged and sorts them last.
        var words: [String] = []
        for _ in ValueKind.allCases {
            pilot.press("t")
            words.append(pilot.message)
        }
        #expect(Set(words).count == ValueKind.allCases.count, "\(words)")
        let text = try Pilot("v\n-1\n-2\n3\n", size: (60, 10))
        text.press("s")
        #expect(text.order == [2, 1, 3])
        text.press("t t t t t t")
        #expect(text.state.grid.columns[0].kind == .text && text.order == [1, 2, 3], "sorted again, as text")
        #expect(text.line(2) == "   1│ -1")
        // The source reads the column with its first type again.
        text.press("r")
        #expect(text.state.grid.columns[0].kind == .integer && text.order == [1, 2, 3])
    }

    @Test("D5: the rename prompt truncates a long name and keeps its hints") func renameLongName() throws {
        let content = "a name of more than twenty cells,b\n1,2\n"
        for (width, start, end) in [(80, " Rename “a name of more th…”: a name of", "Enter · Esc"), (40, " Rename “a name …”: …", " Esc")] {
            let pilot = try Pilot(content, size: (width, 10))
            pilot.session.send(.run(.renameColumn))
            pilot.session.turn()
            #expect(pilot.line(9).hasPrefix(start) && pilot.line(9).hasSuffix(end), "\(pilot.line(9))")
        }
    }

    @Test("D5: a column can be renamed") func rename() throws {
        let pilot = try Pilot(Self.table, size: (60, 10))
        pilot.press(":")
        pilot.type("rename")
        pilot.press("Enter")
        #expect(pilot.line(9).hasPrefix(" Rename “a”: a"))
        pilot.press("Backspace")
        pilot.type("New name")
        pilot.press("Enter")
        #expect(pilot.titles[0] == "New name" && pilot.state.overlay == nil)
        pilot.press(": r e n a Enter C-u Enter")
        #expect(pilot.titles[0] == "#1", "a column without a name is named by its number")
        pilot.press(": r e n a Enter x y Escape")
        #expect(pilot.titles[0] == "#1")
    }

    @Test("D5: reset restores the view of the opened file") func resetRestoresInitialView() throws {
        let pilot = try Pilot(Self.table, size: (60, 12))
        let opened = pilot.backend.screen
        pilot.press("t t t l s L - 1 2 _ f zf W zl zg / 2 Enter v j r g 0 Escape")
        let isSame = pilot.backend.screen == opened
        #expect(isSame, "\(pilot.screen)")
        #expect(pilot.state.search == nil && pilot.state.grid.selection.isEmpty)
    }

    @Test("D5: reset keeps the command-line options") func resetKeepsCommandLineOptions() throws {
        var options = LaunchOptions()
        options.sort = [SortRequest(ColumnReference("#1"))]
        options.sort[0].isDescending = true
        options.groups = [GroupRequest(ColumnReference("#2"))]
        options.isCollapsed = true
        options.frozen = FrozenPanes(leading: 1)
        options.hiddenColumns = [ColumnReference("#3")]
        options.selectionMode = .rows
        let pilot = try Pilot("a,b,c,d\n1,x,2,3\n4,y,5,6\n7,x,8,9\n", size: (60, 12), options: options)
        pilot.press("Escape")
        let opened = pilot.screen
        #expect(pilot.line(2).hasPrefix("▸ x") && pilot.state.grid.frozen.leading == 1)
        // With another query, and with the same one.
        for keys in ["zv zR zu [ f - r Escape", "zR f - r Escape", "t zR r Escape"] {
            // The value line starts with the subtotals of the current column.
            pilot.press("\(keys) 0")
            #expect(pilot.screen == opened, "\(keys)")
            #expect(pilot.state.grid.selectionMode == .rows)
        }
    }
}
