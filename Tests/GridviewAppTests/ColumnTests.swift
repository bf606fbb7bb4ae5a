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
    @Test("D3: a column grows if the name of its new type does not fit") func columnGrowsToFitTypeName() throws {
        let pilot = try Pilot("a,b\n1,2\n3,4\n", size: (60, 10))
        for _ in ValueKind.allCases {
            pilot.press("t")
            #expect(!pilot.backend.lines.prefix(3).contains { $0.contains("…") }, "\(pilot.screen)")
        }
    }

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
    func commandsChangeColumnOrder(keys: String, titles: String) throws {
        let pilot = try Pilot(Self.table)
        pilot.press(keys)
        let current = pilot.state.grid.currentColumn?.title
        #expect(pilot.titles.map { $0 == current ? "[\($0)]" : $0 }.joined(separator: " ") == titles)
    }

    /// Each case lists keys and the expected titles of a table with four columns, as above.
    @Test(
        "D5: hide, pin and move act on the selected columns, or on a number of columns from the cursor",
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
    func commandsMoveSelectedColumns(keys: String, titles: String) throws { try commandsChangeColumnOrder(keys: keys, titles: titles) }

    @Test(
        "D5: a column with times is read as dates and times, so that no value is an error",
        arguments: [
            (["2024-01-02 10:00:00", "2024-01-02 09:00:00", "2024-01-01"], ValueKind.dateTime), (["2024-01-02", "2024-01-01"], .date),
            // These columns have too few dates for their type to be detected, so the value under the cursor decides.
            (["2024-01-02 10:00:00", "x", "y", "z"], .dateTime), (["2024-01-02", "x", "y", "z"], .date),
            (["x", "2024-01-02 10:00:00", "y", "z"], .date),
        ])
    func readsAsDates(values: [String], kind: ValueKind) throws {
        let rows = values.enumerated().map { "\($0),\($1)\n" }.joined()
        let pilot = try Pilot("n,when\n" + rows, size: (120, 12))
        pilot.press("l : \"read as dates\" Enter")
        #expect(pilot.state.grid.columns[1].kind == kind, "\(pilot.message)")
        guard !values.contains("x") else { return }
        #expect(pilot.message.contains("all values are valid"), "\(pilot.message)")
        // The type at opening counts, whatever the current type is.
        pilot.press(": \"read as text\" Enter : \"read as dates\" Enter")
        #expect(pilot.state.grid.columns[1].kind == kind, "\(pilot.message)")
    }

    @Test("D5: one key hides ten columns") func hidesTenColumns() throws {
        let names = (1...14).map { "c\($0)" }
        let pilot = try Pilot(names.joined(separator: ",") + "\n" + names.map { _ in "1" }.joined(separator: ",") + "\n", size: (80, 10))
        pilot.press("l 1 0 -")
        #expect(pilot.titles == ["c1", "c12", "c13", "c14"] && pilot.cursorCell == "c12 1")
        #expect(pilot.state.message == .columnsHidden(10, show: "+"))
        pilot.press("U")
        #expect(pilot.titles == names)
    }

    @Test("D5: a command on several columns reports their number, and is undone as one change")
    func commandOnSeveralColumnsReportsTheirNumber() throws {
        let pilot = try Pilot(Self.table, size: (80, 12))
        func kinds() -> [ValueKind] { pilot.state.grid.columns.all.map(\.kind) }
        func titles() -> [String] { pilot.state.sheet.history.changes.map(\.title) }
        let first = kinds()
        pilot.press("C-Space l")
        #expect(pilot.line(11).contains("- hide  _ fit"))
        pilot.press("-")
        #expect(pilot.state.message == .columnsHidden(2, show: "+") && titles() == ["hide 2 columns"])
        #expect(pilot.state.grid.selection.isEmpty, "hidden columns are not selected")
        pilot.press("U")
        #expect(pilot.titles == ["a", "b", "c", "d"] && pilot.state.sheet.history.last == nil)
        pilot.press("0 3 t")
        #expect(pilot.state.message == .columnType("3 columns", count: 3, .text, next: "t"))
        #expect(kinds() == [.text, .text, .text, first[3]] && titles() == ["change the type of 2 columns"])
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

    @Test("D5: one selected column is sorted, resized and retyped, even if the cursor is in another one")
    func commandsActOnTheSelectedColumn() throws {
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

    @Test("D5: columns are frozen up to the last selected one, or up to a number of columns from the cursor")
    func columnsAreFrozenUpToLastSelectedOne() throws {
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

    @Test("D5, D6: a sort uses all selected columns, or a number of columns from the cursor") func sortsBySeveral() throws {
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

    @Test("D5, D22: the menu of a selected column acts on all selected columns") func menuActsOnAllSelectedColumns() throws {
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

    @Test("D5: a duplicated column is wide enough for its title, which is longer than that of the original")
    func duplicatedColumnIsWideEnoughForItsTitle() throws {
        let pilot = try Pilot("name,n\nab,1\ncd,2\n", size: (60, 12))
        pilot.session.send(.run(.duplicateColumn))
        pilot.session.turn()
        #expect(pilot.line(1).contains("name 2"), "\(pilot.screen)")
        let wide = try Pilot("name\na value that is wider than the title\n", size: (60, 12))
        wide.session.send(.run(.duplicateColumn))
        wide.session.turn()
        let widths = wide.state.grid.columns.all.map(\.measuredWidth)
        #expect(widths[0] == widths[1], "the content decides")
    }

    @Test("D5: two columns show the same field with different formats") func twoColumnsShowSameFieldWithDifferentFormats() throws {
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
        #expect(pilot.backend.lines.contains { $0.contains("b  ") && $0.contains("hidden") })
        #expect(pilot.titles == ["a", "c", "d"])
        pilot.press("Enter Escape")
        #expect(pilot.titles == ["a", "b", "c", "d"])
        // The only visible column cannot be hidden, not even in the list.
        pilot.press("- - - -")
        #expect(pilot.state.message == .lastColumn)
        pilot.press("+ Enter Down Enter Escape")
        #expect(pilot.state.grid.columns.count >= 1)
    }

    @Test("D5, D9: lists of columns show the ends of long names, and the numbers of columns with equal names", arguments: ["+", "c", "zI"])
    func listsOfColumnsShowEndsOfLongNames(key: String) throws {
        let name = "customer_first_name_of_the_primary_contact"
        let pilot = try Pilot("\(name)_person,\(name)_phone,amount,amount\n1,2,3,4\n", size: (80, 16))
        pilot.press(key)
        for text in ["rson", "hone", "amount #3", "amount #4"] { #expect(pilot.screen.contains(text), "\(text):\n\(pilot.screen)") }
        #expect(!pilot.screen.contains("#1"), "a name of one column has no number")
        pilot.press("Escape")
        // A hidden column counts as a column with its name. A renamed column does not count as one with its old name.
        pilot.press("$ - \(key)")
        #expect(pilot.screen.contains("amount #3"))
        pilot.press("Escape M-r n e w Enter \(key)")
        #expect(pilot.screen.contains("new") && !pilot.screen.contains("amount #"), "\(pilot.screen)")
    }

    private static let people = "name,born,note,died,x\nann,2001-02-03,,2020-01-01,1\nbob,2002-03-04, ,,2\n"

    @Test("D5: the column list shows types and states, and finds columns by them") func columnListFindsTypes() throws {
        let pilot = try Pilot(Self.people, size: (80, 20))
        func listed() throws -> [String] { Array(try #require(pilot.state.overlay as? ListPanel).matches.map(\.text)) }
        pilot.press("+")
        #expect(pilot.screen.contains("integer   shown") && pilot.line(19).contains("Ctrl-x hide all  Ctrl-o hide empty"))
        pilot.type("date")
        #expect(try listed() == ["born", "died"])
        pilot.press("C-x")
        #expect(pilot.titles == ["name", "note", "x"] && pilot.state.message == .columnsHidden(2, show: nil))
        #expect(try listed() == ["born", "died"], "the list stays open")
        #expect(pilot.screen.contains("date      hidden") && !pilot.screen.contains("date      shown"))
        pilot.press("C-s")
        #expect(pilot.titles == ["name", "born", "note", "died", "x"] && pilot.state.message == .columnsShown(2))
        pilot.press("C-u")
        pilot.type("hidden")
        #expect(try listed() == [])
        pilot.press("Escape c")
        pilot.type("number")
        pilot.press("Enter")
        #expect(pilot.cursorCell == "x 1", "other lists of columns find types too")
    }

    @Test("D5: the column list finds columns by their value in the current row, and shows it") func columnListFindsValues() throws {
        let pilot = try Pilot(Self.people, size: (80, 20))
        func listed() throws -> [String] { Array(try #require(pilot.state.overlay as? ListPanel).matches.map(\.text)) }
        pilot.press("j +")
        #expect(pilot.screen.contains("Row 2: bob"))
        pilot.type("2002")
        #expect(try listed() == ["born"])
        #expect(pilot.screen.contains("Row 2: 2002-03-04"))
        pilot.press("Enter C-u")
        pilot.type("2002-03")
        #expect(pilot.titles == ["name", "note", "died", "x"])
        #expect(try listed() == ["born"], "values stay known after a change")
        pilot.press("Escape - + C-u")
        pilot.type("bob")
        #expect(try listed() == ["name"], "also in hidden columns")
        pilot.press("Escape c 2 Enter")
        #expect(pilot.cursorCell == "x 2")
    }

    @Test("D5: the column list hides all columns except one, shows all, and shows hidden columns one by one")
    func columnListHidesAll() throws {
        let pilot = try Pilot(Self.people, size: (80, 20))
        pilot.press("l + C-x")
        #expect(pilot.titles == ["born"] && pilot.state.message == .columnsHidden(4, show: nil))
        pilot.press("C-x")
        #expect(pilot.titles == ["born"] && pilot.state.message == .noOtherColumns)
        pilot.press("Enter")
        #expect(pilot.titles == ["born"] && pilot.state.message == .lastColumn)
        pilot.type("hidden")
        pilot.press("Enter Enter")
        #expect(pilot.titles == ["name", "born", "note"] && pilot.cursorCell == "born 1")
        pilot.press("C-s Escape")
        #expect(pilot.titles == ["name", "born", "note", "died", "x"] && pilot.state.overlay == nil)
        #expect(pilot.state.sheet.history.changes.map(\.title) == ["hide 4 columns", "show “name”", "show “note”", "show 2 columns"])
        pilot.press("4 U")
        #expect(pilot.titles == ["name", "born", "note", "died", "x"])
    }

    @Test("D5: empty columns are hidden only if no row has a value") func hidesEmptyColumns() throws {
        let pilot = try Pilot(Self.people, size: (80, 20))
        pilot.press("+ C-o")
        #expect(pilot.titles == ["name", "born", "died", "x"] && pilot.state.overlay is ListPanel)
        #expect(pilot.state.message == .emptyColumnsHidden(1, rows: 2, isComplete: true, show: nil))
        #expect(pilot.screen.contains("text      hidden"))
        pilot.press("Escape U")
        #expect(pilot.titles == ["name", "born", "note", "died", "x"])
        // The only value of a column is not in the sample.
        let rows = (1...5_000).map { "\($0),\($0 == 1_000 ? "v" : ""),,\n" }.joined()
        let sparse = try Pilot("n,rare,none,nil\n" + rows, size: (80, 20))
        sparse.session.send(.run(.hideEmptyColumns))
        sparse.session.turn()
        #expect(sparse.titles == ["n", "rare"])
        #expect(sparse.state.message == .emptyColumnsHidden(2, rows: 5_000, isComplete: true, show: "+"))
        sparse.press("U")
        #expect(sparse.titles.count == 4, "one change")
        let empty = try Pilot("a,b\n", size: (80, 20))
        empty.session.send(.run(.hideEmptyColumns))
        #expect(empty.titles == ["a", "b"] && empty.state.message == .noRows)
    }

    @Test("D5: all columns except the selected ones are hidden, and all are shown again")
    func allColumnsExceptSelectedOnesAreHidden() throws {
        let pilot = try Pilot(Self.table, size: (60, 12))
        pilot.press("l C-Space l")
        pilot.session.send(.run(.hideOtherColumns))
        #expect(pilot.titles == ["b", "c"] && pilot.state.message == .columnsHidden(2, show: "+") && pilot.cursorCell == "c 1")
        pilot.session.send(.run(.hideOtherColumns))
        #expect(pilot.titles == ["c"])
        pilot.session.send(.run(.hideOtherColumns))
        #expect(pilot.titles == ["c"] && pilot.state.message == .noOtherColumns)
        pilot.session.send(.run(.showAllColumns))
        #expect(pilot.titles == ["a", "b", "c", "d"] && pilot.state.message == .columnsShown(3))
        pilot.session.send(.run(.showAllColumns))
        #expect(pilot.state.message == .columnsShown(0))
    }

    @Test("D5: thousands of selected columns are changed in one step") func thousandsOfSelectedColumnsAreChanged() throws {
        try within(minutes: 5) {
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

    @Test("D5: width, thousands separators and the order of day and month change for all selected columns")
    func formatsOfAllSelectedColumnsChange() throws {
        let pilot = try Pilot("n,a,b,when,then\nx,12345,23456,01/02/2024,03/04/2024\ny,2,3,05/06/2024,07/08/2024\n", size: (90, 12))
        func column(_ place: Int) -> Column { pilot.state.grid.columns.all[place] }
        func titles() -> [String] { pilot.state.sheet.history.changes.map(\.title) }
        let widths = { pilot.state.grid.layout.columns.map(\.fullWidth) }
        let before = widths()
        pilot.press("C-Space l l 3 >")
        #expect(widths() == [before[0] + 3, before[1] + 3, before[2] + 3, before[3], before[4]] && titles() == ["resize columns"])
        pilot.press("2 <")
        #expect(widths()[0] == before[0] + 1 && widths()[2] == before[2] + 1)
        pilot.press("U U")
        #expect(widths() == before)
        pilot.press("z,")
        #expect(pilot.state.message == .digitsGrouped("2 columns", count: 2, false, key: "z,"))
        #expect(!column(1).format.groupsThousands && !column(2).format.groupsThousands && pilot.screen.contains("12345"))
        pilot.press("z,")
        #expect(column(1).format.groupsThousands && column(2).format.groupsThousands && pilot.screen.contains("12,345"))
        pilot.press("z/")
        #expect(pilot.state.message == .noDayOrder("3 columns", count: 3))
        pilot.press("Escape l 2 z/")
        #expect(pilot.state.message == .dayOrder("2 columns", count: 2, isDayFirst: false, key: "z/"))
        #expect(column(3).dateNotation == .monthFirst && column(4).dateNotation == .monthFirst && !column(4).hasAmbiguousDates)
        pilot.press("U")
        #expect(column(3).dateNotation == .dayFirst && column(4).dateNotation == .dayFirst && column(4).hasAmbiguousDates)
        pilot.press("0 2 z,")
        #expect(pilot.state.message == .digitsGrouped("“a”", false, key: "z,") && !column(1).format.groupsThousands)
        #expect(column(2).format.groupsThousands)
    }

    @Test("D5: the title line counts hidden columns") func hiddenColumnsAreCounted() throws {
        let pilot = try Pilot(Self.table, size: (60, 10))
        pilot.press("l -")
        #expect(pilot.line(0) == " test.csv  2 × 4   1 hidden")
        #expect(pilot.state.message == .columnHidden("b", show: "+"))
    }

    @Test("D5: keys fit and set column widths") func keysFitAndSetColumnWidths() throws {
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

    @Test("D5: columns of a small file are as wide as their longest cell") func columnsOfSmallFileFitTheirCells() throws {
        let pilot = try Pilot("a,b\n" + (1...2_000).map { "\($0),x\n" }.joined(), size: (40, 8))
        pilot.press("G")
        #expect(pilot.line(6).hasPrefix(" 2000│ 2,000  x"))
    }

    @Test("D5: on a truncated cell, a hint shows the key that widens its column") func truncatedCellOffersToFit() throws {
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

    @Test("B3: free screen width goes to truncated columns", arguments: [60, 120, 200])
    func freeScreenWidthGoesToTruncatedColumns(width: Int) throws {
        let pilot = try Pilot("id,note\n1,\(String(repeating: "word ", count: 100))\n", size: (width, 8))
        let geometry = pilot.state.grid.layout.geometry
        #expect(geometry.contentWidth == geometry.paneWidth && geometry.widths[0] < 6, "the text fills the screen")
        // Two columns with long strings share the screen equally.
        let text = String(repeating: "x", count: 500)
        let several = try Pilot("id,a,b\n1,\(text),\(text)\n", size: (width, 8)).state.grid.layout.geometry
        #expect(several.contentWidth == several.paneWidth && abs(several.widths[1] - several.widths[2]) <= 1)
    }

    @Test("D5: fitting a column again makes it wider than half the screen if its content needs this") func fitsToScreen() throws {
        let text = String(repeating: "0123456789", count: 6)
        let other = String(repeating: "y", count: 50)
        let pilot = try Pilot("a,b\n\(text),\(other)\n", size: (80, 10))
        func widths() -> [Int] { pilot.state.grid.layout.geometry.widths }
        pilot.press("9 _ _")
        #expect((10..<40).contains(widths()[0]))
        pilot.press("_")
        #expect(widths()[0] == 60 && pilot.screen.contains(text))
        pilot.press("U")
        #expect(widths()[0] < 40, "this is a change to undo")
        pilot.press("_")
        #expect(widths()[0] == 60)
        pilot.press("_")
        #expect(widths()[0] < 40, "the next key fits to the limit")
        // A string that is wider than the screen takes all of it.
        let long = try Pilot("a,b\n\(text)\(text),\(other)\n", size: (80, 10))
        long.press("9 _ _ _")
        #expect(long.state.grid.layout.geometry.widths[0] == long.state.grid.layout.geometry.paneWidth)
    }

    /// Scanning all columns for each column would exceed the limit.
    @Test("D5: thousands of columns are fitted and searched at once") func thousandsOfColumnsAreFitted() throws {
        try within(minutes: 5) {
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
    }

    @Test("D3: numbers show the requested digits") func numbersShowRequestedDigits() throws {
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
        // The visible rows also stay if the view was scrolled down before.
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
        // Each press selects another type, and its message names that type.
        var words: [String] = []
        for _ in ValueKind.allCases {
            pilot.press("t")
            words.append(pilot.message)
        }
        #expect(Set(words).count == ValueKind.allCases.count, "\(words)")
        let text = try Pilot("v\n-1\n-2\n3\n", size: (60, 10))
        text.press("s")
        #expect(text.order == [2, 1, 3])
        text.press("t")
        #expect(text.state.grid.columns[0].kind == .text && text.order == [1, 2, 3], "sorted again, as text")
        #expect(text.line(2) == "   1│ -1")
        // The source reads the column with its original type again.
        text.press("r")
        #expect(text.state.grid.columns[0].kind == .integer && text.order == [1, 2, 3])
    }

    @Test("D5: the rename prompt truncates a long name and keeps its hints") func renamePromptTruncatesLongName() throws {
        let content = "a name of more than twenty cells,b\n1,2\n"
        for (width, start, end) in [(80, " Rename “a name of more th…”: a name of", "Enter · Esc"), (40, " Rename “a name …”: …", " Esc")] {
            let pilot = try Pilot(content, size: (width, 10))
            pilot.session.send(.run(.renameColumn))
            pilot.session.turn()
            #expect(pilot.line(9).hasPrefix(start) && pilot.line(9).hasSuffix(end), "\(pilot.line(9))")
        }
    }

    @Test("D5: a column can be renamed") func columnCanBeRenamed() throws {
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

    @Test("D5: a blank name restores the original name, unless another column was given it") func blankNameRestoresOriginalName() throws {
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
        pilot.press("U")
        #expect(pilot.titles == ["a", "a", "#3", "x"], "nothing was renamed")
    }

    @Test("D5: the first typed character replaces the old title; after a cursor movement, typing edits it")
    func firstTypedCharacterReplacesOldTitle() throws {
        let pilot = try Pilot("name,b\n1,2\n", size: (60, 10))
        pilot.press("M-r n e w Enter")
        #expect(pilot.titles == ["new", "b"])
        pilot.press("M-r Left x Enter")
        #expect(pilot.titles == ["nexw", "b"])
        pilot.press("M-r Backspace a Enter")
        #expect(pilot.titles == ["a", "b"], "deleting deletes the whole title first")
    }

    @Test("D5: the type key goes from the detected type to text, and goes back to the detected type after the others")
    func typeKeyGoesFromDetectedTypeToText() throws {
        let pilot = try Pilot("n,d,s\n1,2024-01-02,x\n", size: (60, 10))
        func kind() throws -> ValueKind { try #require(pilot.state.grid.currentColumn).kind }
        for (first, second) in [(ValueKind.integer, ValueKind.decimal), (.date, .integer)] {
            pilot.press("t")
            #expect(try kind() == .text)
            pilot.press("t")
            #expect(try kind() == second)
            for _ in 0..<5 { pilot.press("t") }
            #expect(try kind() == first)
            pilot.press("l")
        }
        pilot.press("t")
        #expect(try kind() == .integer)
    }

    @Test("D5: the message about a type says how many values are invalid") func messageAboutTypeCountsInvalidValues() throws {
        let pilot = try Pilot("a,b\n1,x\ny,z\n3,\n", size: (120, 10))
        pilot.press("t")
        #expect(
            pilot.message == "“a” is now an integer column; 1 of 3 values is invalid (underlined). Press t for the next type.")
        pilot.press("l t")
        #expect(pilot.message == "“b” is now an integer column; no value is valid. Press t for the next type.")
        let numbers = try Pilot("a\n1\n2\n", size: (120, 10))
        numbers.press("t")
        #expect(numbers.message == "“a” is now a text column. Press t for the next type.")
        numbers.press("t")
        #expect(numbers.message == "“a” is now a decimal column; all values are valid. Press t for the next type.", "\(numbers.message)")
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
        // A reset restores the opened view, from another query and from the same one.
        for keys in ["zv zR zu [ f - r Escape", "zR f - r Escape", "t zR r Escape"] {
            // The value line starts with the subtotals of the current column.
            pilot.press("\(keys) 0")
            #expect(pilot.screen == opened, "\(keys)")
            #expect(pilot.state.grid.selectionMode == .rows)
        }
    }
}
