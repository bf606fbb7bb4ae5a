import DataGrid
import DataGridQuery
import FieldValues
@testable import GridviewApp
import TerminalSurface
import Testing

/// Columns: hide, move, freeze, pin, rename, and reset. A command can change several columns.
@MainActor
@Suite struct ColumnTests {
    static let table = "a,b,c,d\n1,x,2024-01-02,yes\n20,yy,2024-01-03,no\n"

    /// Each case lists keys and the expected titles from left to right. Brackets mark the current column.
    @Test(
        arguments: [
            ("", "[a] b c d"), ("L", "b [a] c d"), ("2 L", "b c [a] d"), ("9 L", "b c d [a]"), ("$ H", "a b [d] c"), ("H", "[a] b c d"),
            ("M-Right", "b [a] c d"), ("l M-Left", "[b] a c d"), ("-", "[b] c d"), ("$ -", "a b [c]"), ("- - - -", "[d]"),
            ("l - r", "a b [c] d"),
            // Pin on one side; press again to unpin.
            ("l l !", "[c] a b d"), ("l l ! !", "[c] a b d"), ("z!", "b c d [a]"), ("l l ! l !", "c [a] b d"),
            ("+ Enter Escape", "[b] c d"), ("+ Enter Enter Escape", "a [b] c d"),
        ])
    func `D5: the hide, move and pin commands change the column order`(keys: String, titles: String) throws {
        let pilot = try Pilot(Self.table)
        pilot.press(keys)
        let current = pilot.state.grid.currentColumn?.title
        #expect(pilot.titles.map { $0 == current ? "[\($0)]" : $0 }.joined(separator: " ") == titles)
    }

    /// Each case lists keys and the expected titles of a table with four columns, as above.
    @Test(
        arguments: [
            ("C-Space l -", "[c] d"), ("l C-Space l -", "a [d]"), ("l l C-Space l -", "a [b]"), ("C-Space l l l -", "[d]"),
            ("C-Space z+ l l C-Space -", "b [d]"), ("2-", "[c] d"), ("l 2-", "a [d]"), ("9-", "[d]"), ("$ 2-", "a b [c]"),
            // A number counts from the cursor, even with a selection.
            ("C-Space l 1-", "a [c] d"),
            ("l C-Space l !", "b [c] a d"), ("C-Space l z!", "c d a [b]"), ("C-Space l ! !", "a [b] c d"), ("l 2 z!", "a d [b] c"),
            ("C-Space l L", "c a [b] d"), ("C-Space l 9L", "c d a [b]"), ("l l C-Space l H", "a c [d] b"),
            ("C-Space z+ l l C-Space L", "b a d [c]"), ("C-Space l l l L", "a b c [d]"), ("C-Space l H", "a [b] c d"),
            // One column is selected, which is or is not the column of the cursor.
            ("l C-Space -", "a [c] d"), ("l C-Space H", "[b] a c d"), ("C-Space z+ l -", "[b] c d"), ("C-Space z+ l l 2L", "b [c] a d"),
            ("C-Space z+ $ L", "b a c [d]"), ("l l C-Space z+ 0 H", "[a] c b d"), ("l C-Space z+ l !", "b a [c] d"),
            // With selected rows or cells, a command changes only the column of the cursor.
            ("V l -", "a [c] d"), ("C-a l -", "a [c] d"), ("v l -", "a [c] d"),
        ])
    func `D5: hide, pin and move act on the selected columns or, with a count, on that many from the cursor`(keys: String, titles: String)
        throws
    { try `D5: the hide, move and pin commands change the column order`(keys: keys, titles: titles) }

    @Test func `D5: a count of ten hides ten columns`() throws {
        let names = (1...14).map { "c\($0)" }
        let pilot = try Pilot(names.joined(separator: ",") + "\n" + names.map { _ in "1" }.joined(separator: ",") + "\n", size: (80, 10))
        pilot.press("l 1 0 -")
        #expect(pilot.titles == ["c1", "c12", "c13", "c14"] && pilot.cursorCell == "c12 1")
        #expect(pilot.state.message == .columnsHidden(10, showKey: "+"))
        pilot.press("U")
        #expect(pilot.titles == names)
    }

    @Test func `D5: a command on several columns reports their number, and is undone as one change`() throws {
        let pilot = try Pilot(Self.table, size: (80, 12))
        func kinds() -> [ValueKind] { pilot.state.grid.columns.all.map(\.kind) }
        func changeTitles() -> [String] { pilot.state.sheet.history.changes.map(\.title) }
        let first = kinds()
        pilot.press("C-Space l")
        #expect(pilot.line(11).contains("- hide  _ fit"))
        pilot.press("-")
        #expect(pilot.state.message == .columnsHidden(2, showKey: "+") && changeTitles() == ["hide 2 columns"])
        #expect(pilot.state.grid.selection.isEmpty, "hidden columns are not selected")
        pilot.press("U")
        #expect(pilot.titles == ["a", "b", "c", "d"] && pilot.state.sheet.history.changeToUndo == nil)
        pilot.press("0 3 t")
        #expect(pilot.state.message == .columnType("3 columns", count: 3, .text, nextTypeKey: "t"))
        #expect(kinds() == [.text, .text, .text, first[3]] && changeTitles() == ["change the type of 2 columns"])
        pilot.press("U")
        #expect(kinds() == first)
        pilot.press("0 C-Space l 9 _")
        let widths = { pilot.state.grid.layout.columns.map(\.fullWidth) }
        #expect(widths().prefix(2) == [9, 9] && pilot.state.message == .columnsFitted(2, width: 9))
        pilot.press("_")
        #expect(widths().prefix(2).allSatisfy { $0 < 9 } && pilot.state.message == .columnsFitted(2, width: nil))
        pilot.press("!")
        #expect(pilot.state.message == .pinned("2 columns", isLeft: true, key: "!") && pilot.state.grid.frozen.leading == 2)
        pilot.press("!")
        #expect(pilot.state.message == .unpinned("2 columns") && pilot.state.grid.frozen.leading == 0)
        pilot.press("l l !")
        #expect(pilot.state.message == .noScrollingColumn && pilot.state.grid.frozen.leading == 0)
    }

    @Test func `D5: sort, resize and type commands act on the selected column even if the cursor is in another one`() throws {
        let pilot = try Pilot(Self.table, size: (80, 12))
        pilot.press("C-Space z+ l l")
        #expect(pilot.cursorCell == "c 1")
        let before = pilot.state.grid.layout.columns.map(\.fullWidth)
        pilot.press("> >")
        let after = pilot.state.grid.layout.columns.map(\.fullWidth)
        #expect(after[0] > before[0] && after.dropFirst() == before.dropFirst())
        pilot.press("t")
        #expect(pilot.state.grid.columns[0].kind == .text && pilot.state.grid.columns[2].kind == .date)
        pilot.press("[")
        #expect(pilot.state.query.requested.sort == [ColumnSort(0)] && pilot.cursorCell.hasPrefix("c "))
    }

    @Test func `D5: columns are frozen up to the last selected one or, with a count, that many from the cursor`() throws {
        let pilot = try Pilot(Self.table, size: (60, 12))
        pilot.press("C-Space l h f")
        #expect(pilot.state.grid.frozen.leading == 1)
        pilot.press("f l f")
        #expect(pilot.state.message == .frozen(columns: 2, rows: nil, key: "f") && pilot.state.grid.frozen.leading == 2)
        pilot.press("f o f")
        #expect(pilot.cursorCell == "a 1" && pilot.state.grid.frozen.leading == 2, "the other end of the selection")
        pilot.press("f Escape l 2 f")
        #expect(pilot.state.grid.frozen.leading == 3)
    }

    @Test func `D5, D6: a sort uses all selected columns or, with a count, that many columns from the cursor`() throws {
        let pilot = try Pilot("a,b\n2,x\n1,y\n2,w\n1,x\n", size: (60, 12))
        pilot.press("C-Space l s")
        #expect(pilot.order == [4, 2, 3, 1] && pilot.state.query.requested.sort == [ColumnSort(0), ColumnSort(1)])
        pilot.press("s")
        #expect(pilot.order == [1, 3, 2, 4] && pilot.state.query.requested.sort.allSatisfy(\.isDescending))
        pilot.press("s")
        #expect(pilot.order == [1, 2, 3, 4] && pilot.state.query.requested.sort.isEmpty)
        pilot.press("Escape 0 2 ]")
        #expect(pilot.order == [1, 3, 2, 4])
        pilot.press("r 0 2 S")
        #expect(pilot.order == [4, 2, 3, 1])
    }

    @Test func `D5, D22: the context menu of a selected column acts on all selected columns`() throws {
        let pilot = try Pilot("aa,bb,cc,dd\n1,x,2024-01-02,yes\n20,yy,2024-01-03,no\n", size: (60, 24))
        func openMenu(_ title: String) throws -> ListPanel {
            let place = try #require(pilot.place(of: title, after: 1))
            pilot.mouse(.press(.right), place.x, place.y)
            pilot.mouse(.release(.right), place.x, place.y)
            return try #require(pilot.state.overlay as? ListPanel)
        }
        pilot.press("C-Space l")
        #expect(try openMenu("aa").title == "2 columns")
        pilot.type("hide")
        pilot.press("Enter")
        #expect(pilot.titles == ["cc", "dd"])
        pilot.press("U 0 C-Space l")
        #expect(try openMenu("dd").title == "dd")
        pilot.type("hide")
        pilot.press("Enter")
        #expect(pilot.titles == ["aa", "bb", "cc"], "the column is not selected")
    }

    @Test func `D5: thousands of selected columns are changed in one step`() throws {
        try expectLinearTime(minutes: 5) {
            let names = (0..<6_000).map { "c\($0)" }
            let pilot = try Pilot(
                names.joined(separator: ",") + "\n" + names.map { _ in "1" }.joined(separator: ",") + "\n", size: (80, 10))
            pilot.press("l C-Space")
            pilot.session.send(.moveTo(row: nil, column: 4_000))
            #expect(pilot.state.grid.selectedColumns().count == 4_000)
            pilot.press("L t _ 5_ 2> z, ! ! -")
            #expect(pilot.titles.count == 2_000 && pilot.titles.prefix(3) == ["c0", "c4001", "c4002"])
        }
    }

    @Test func `A8: freezing and unfreezing rows and columns does not scroll the body`() throws {
        let table = "a,b,c\n" + (1...60).map { "\($0),x,y\n" }.joined()
        let pilot = try Pilot(table, size: (40, 14))
        func body() -> [String] { (2..<12).map { String(pilot.line($0).prefix(30)) } }
        pilot.press("j j l")
        let before = body().map { $0.prefix(5) }
        pilot.press("zF")
        #expect(body().map { $0.prefix(5) } == before)
        pilot.press("zF")
        #expect(body().map { $0.prefix(5) } == before)
        // The visible rows also stay if the view was scrolled down before.
        pilot.press("zf 3 0 j")
        let seen = pilot.line(9).prefix(5)
        pilot.press("zf")
        #expect(pilot.line(9).prefix(5) == seen && pilot.cursorCell == "b 33")
    }

    @Test func `D13: resetting the view scrolls to the top left if the cursor stays visible`() throws {
        let header = (0..<12).map { "column\($0)" }.joined(separator: ",")
        let table = header + "\n" + (1...60).map { row in (0..<12).map { "r\(row)c\($0)" }.joined(separator: ",") + "\n" }.joined()
        let pilot = try Pilot(table, size: (40, 14))
        pilot.press("G $ k k k 5 0 k 1 0 h")
        pilot.press("5 Ctrl-e r")
        #expect(pilot.state.grid.scroll.top == 0 && pilot.state.grid.scroll.x == 0, "\n\(pilot.screen)")
        let cellAfterReset = pilot.cursorCell
        pilot.press("G r")
        #expect(pilot.cursorCell == "column1 60" && pilot.state.grid.scroll.top == 50, "\(cellAfterReset)\n\(pilot.screen)")
    }

    @Test func `A8: frozen columns and rows do not scroll`() throws {
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

    @Test(
        arguments: [
            ("a\n1\n2\n", "f", Message.noScrollingColumn), ("a\n1\n2\n", "z!", .noScrollingColumn),
            ("a\n1\n2\n", "zF", .frozen(columns: nil, rows: 1, key: "zF")), ("a,b\n", "zf", .noRows), ("", "f", .noColumns),
            ("a,b\n", "zF", .frozen(columns: 1, rows: nil, key: "zF")), ("", "zF", .noRows),
        ])
    func `A8: a message says that nothing can be frozen in a table without rows or with a single column`(
        content: String, keys: String, message: Message
    ) throws {
        let pilot = try Pilot(content, size: (80, 12))
        pilot.press(keys)
        #expect(pilot.state.message == message)
    }

    @Test func `D5: the rename prompt truncates a long name and keeps its hints`() throws {
        let content = "a name of more than twenty cells,b\n1,2\n"
        for (width, start, end) in [(80, " Rename “a name of more th…”: a name of", "Enter · Esc"), (40, " Rename “a name …”: …", " Esc")] {
            let pilot = try Pilot(content, size: (width, 10))
            pilot.session.send(.run(.renameColumn))
            pilot.session.turn()
            #expect(pilot.line(9).hasPrefix(start) && pilot.line(9).hasSuffix(end), "\(pilot.line(9))")
        }
    }

    @Test func `D5: a column can be renamed`() throws {
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
        #expect(pilot.titles[0] == "a" && pilot.state.message == .nameRestored("a"), "an empty name restores the name in the file")
        pilot.press("M-r x y Escape")
        #expect(pilot.titles[0] == "a")
    }

    @Test func `D5: a blank name restores the original name, unless another column now has that name`() throws {
        let pilot = try Pilot("a,a,,b\n1,2,3,4\n", size: (60, 10))
        let original = pilot.titles
        #expect(original == ["a", "a", "#3", "b"])
        // Equal names in the file can be restored.
        pilot.press("M-r x Enter M-r Space Enter")
        #expect(pilot.titles == original && pilot.state.message == .nameRestored("a"))
        pilot.press("l l M-r x Enter M-r C-u Enter")
        #expect(pilot.titles == original && pilot.state.message == .nameRestored("#3"))
        // Now the second column has the original name of the last one.
        pilot.press("l M-r x Enter h h M-r b Enter l l M-r C-u Enter")
        #expect(pilot.titles == ["a", "b", "#3", "x"] && pilot.state.message == .columnExists("b"))
        pilot.press("Escape U")
        #expect(pilot.titles == ["a", "a", "#3", "x"], "nothing was renamed")
    }

    @Test func `D5, D7: filters and formulas accept the title of a duplicated column`() throws {
        let pilot = try Pilot("id,v\n1,2\n3,4\n", size: (80, 10))
        pilot.press(":")
        pilot.type("duplicate column")
        pilot.press("Enter &")
        pilot.type("\"id 2\" > 1")
        pilot.press("Enter")
        #expect(pilot.titles == ["id", "id 2", "v"] && pilot.order == [2])
        pilot.press("z=")
        pilot.type("x = \"id 2\" * 2")
        pilot.press("Enter")
        #expect(pilot.cursorCell == "x 2" && pilot.state.definitions(of: pilot.state.sheet.derivedFields) == ["x = id * 2"])
    }

    @Test func `D5: the rename prompt keeps a title that another column has, and shows the error`() throws {
        let pilot = try Pilot("name,b\n1,2\n", size: (100, 10))
        pilot.press("M-r b Enter")
        #expect(pilot.titles == ["name", "b"] && pilot.state.overlay is RenamePrompt)
        #expect(pilot.line(9).hasPrefix(" Rename “name”: b ") && pilot.line(9).contains("Column “b” already exists."), "\(pilot.line(9))")
        #expect(!pilot.line(9).contains("Enter rename"), "Enter would only repeat the error")
        pilot.press("2")
        #expect(!pilot.line(9).contains("already exists") && pilot.line(9).contains("Enter rename"))
        pilot.press("Enter")
        #expect(pilot.titles == ["b2", "b"] && pilot.state.overlay == nil)
    }

    @Test func `D5: in the rename prompt, typing replaces the old title, but edits it after a cursor movement`() throws {
        let pilot = try Pilot("name,b\n1,2\n", size: (60, 10))
        pilot.press("M-r n e w Enter")
        #expect(pilot.titles == ["new", "b"])
        pilot.press("M-r Left x Enter")
        #expect(pilot.titles == ["nexw", "b"])
        pilot.press("M-r Backspace a Enter")
        #expect(pilot.titles == ["a", "b"], "deleting deletes the whole title first")
    }

    @Test func `D5: a reset restores the view in which the file was opened`() throws {
        let pilot = try Pilot(Self.table, size: (60, 12))
        let opened = pilot.backend.screen
        pilot.press("t t t l s L - 1 2 _ f zf W zl zg / 2 Enter v j r g 0 Escape")
        let isSame = pilot.backend.screen == opened
        #expect(isSame, "\(pilot.screen)")
        #expect(pilot.state.search == nil && pilot.state.grid.selection.isEmpty)
    }

    @Test func `D5: a reset keeps the command-line options`() throws {
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
        // A reset restores the opened view, from another query and from the same one.
        for keys in ["zv zR zu [ f - r Escape", "zR f - r Escape", "t zR r Escape"] {
            // The value line starts with the subtotals of the current column.
            pilot.press("\(keys) 0")
            #expect(pilot.screen == opened, "\(keys)")
            #expect(pilot.state.grid.selectionMode == .rows)
        }
    }
}
