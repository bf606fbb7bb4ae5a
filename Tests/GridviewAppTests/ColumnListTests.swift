import DataGrid
@testable import GridviewApp
import Testing

/// The column list, and hidden columns.
@MainActor
@Suite struct ColumnListTests {
    @Test func `D5: the column list shows and hides columns`() throws {
        let pilot = try Pilot(ColumnTests.table, size: (40, 12))
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

    @Test(arguments: ["+", "c", "zI"])
    func `D5, D9: lists of columns show the ends of long names, and the numbers of columns with equal names`(key: String) throws {
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

    @Test func `D5: the column list shows the type and visibility of each column, and can be searched by both`() throws {
        let pilot = try Pilot(Self.people, size: (80, 20))
        func listed() throws -> [String] { Array(try #require(pilot.state.overlay as? ListPanel).matches.map(\.text)) }
        pilot.press("+")
        #expect(pilot.screen.contains("integer   shown") && pilot.line(19).contains("Ctrl-x hide all  Ctrl-o hide empty"))
        pilot.type("date")
        #expect(try listed() == ["born", "died"])
        pilot.press("C-x")
        #expect(pilot.titles == ["name", "note", "x"] && pilot.state.message == .columnsHidden(2, showKey: nil))
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

    @Test func `D5: the column list can be searched by the values of the current row, and shows them`() throws {
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

    @Test func `D5: in the column list, keys hide all other columns, show all, or show hidden columns one by one`() throws {
        let pilot = try Pilot(Self.people, size: (80, 20))
        pilot.press("l + C-x")
        #expect(pilot.titles == ["born"] && pilot.state.message == .columnsHidden(4, showKey: nil))
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

    @Test func `D5: empty columns are hidden only if no row has a value`() throws {
        let pilot = try Pilot(Self.people, size: (80, 20))
        pilot.press("+ C-o")
        #expect(pilot.titles == ["name", "born", "died", "x"] && pilot.state.overlay is ListPanel)
        #expect(pilot.state.message == .emptyColumnsHidden(1, rows: 2, isComplete: true, showKey: nil))
        #expect(pilot.screen.contains("text      hidden"))
        pilot.press("Escape U")
        #expect(pilot.titles == ["name", "born", "note", "died", "x"])
        // The only value of a column is not in the sample.
        let rows = (1...5_000).map { "\($0),\($0 == 1_000 ? "v" : ""),,\n" }.joined()
        let sparse = try Pilot("n,rare,none,nil\n" + rows, size: (80, 20))
        sparse.session.send(.run(.hideEmptyColumns))
        sparse.session.turn()
        #expect(sparse.titles == ["n", "rare"])
        #expect(sparse.state.message == .emptyColumnsHidden(2, rows: 5_000, isComplete: true, showKey: "+"))
        sparse.press("U")
        #expect(sparse.titles.count == 4, "one change")
        let empty = try Pilot("a,b\n", size: (80, 20))
        empty.session.send(.run(.hideEmptyColumns))
        #expect(empty.titles == ["a", "b"] && empty.state.message == .noRows)
    }

    @Test func `D5: commands hide all columns except the selected ones, and show all columns again`() throws {
        let pilot = try Pilot(ColumnTests.table, size: (60, 12))
        pilot.press("l C-Space l")
        pilot.session.send(.run(.hideOtherColumns))
        #expect(pilot.titles == ["b", "c"] && pilot.state.message == .columnsHidden(2, showKey: "+") && pilot.cursorCell == "c 1")
        pilot.session.send(.run(.hideOtherColumns))
        #expect(pilot.titles == ["c"])
        pilot.session.send(.run(.hideOtherColumns))
        #expect(pilot.titles == ["c"] && pilot.state.message == .noOtherColumns)
        pilot.session.send(.run(.showAllColumns))
        #expect(pilot.titles == ["a", "b", "c", "d"] && pilot.state.message == .columnsShown(3))
        pilot.session.send(.run(.showAllColumns))
        #expect(pilot.state.message == .columnsShown(0))
    }

    @Test func `D5: the title line counts hidden columns`() throws {
        let pilot = try Pilot(ColumnTests.table, size: (60, 10))
        pilot.press("l -")
        #expect(pilot.line(0) == " test.csv  2 × 4   1 hidden")
        #expect(pilot.state.message == .columnHidden("b", showKey: "+"))
    }
}
