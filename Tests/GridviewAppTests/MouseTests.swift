import DataGrid
@testable import GridviewApp
import TerminalSurface
import Testing

/// Mouse events on the drawn screen.
@MainActor
@Suite struct MouseTests {
    static let table = "aaa,bbb,ccc,ddd\n" + (1...40).map { "a\($0),b\($0),c\(41 - $0),d\($0 % 3)" }.joined(separator: "\n") + "\n"

    private func open(_ size: (Int, Int) = (50, 12)) throws -> (Pilot, (String) -> (x: Int, y: Int)) {
        let pilot = try Pilot(Self.table, size: size)
        return (pilot, { pilot.place(of: $0) ?? (0, 0) })
    }

    @Test func `A11: a click moves the cursor and selects nothing`() throws {
        let (pilot, at) = try open()
        let cell = at("c38")
        pilot.click(cell.x + 1, cell.y)
        #expect(pilot.cursorCell == "ccc 3" && pilot.state.grid.selection.isEmpty)
    }

    @Test func `A10: dragging selects a block`() throws {
        let (pilot, at) = try open()
        pilot.drag(from: (at("b2").x, at("b2").y), to: (at("c37").x, at("c37").y))
        pilot.press("y")
        #expect(pilot.clipboardText == "b2\tc39\nb3\tc38\nb4\tc37")
        // A click clears the selection.
        pilot.click(at("b2").x, at("b2").y)
        #expect(pilot.state.grid.selection.isEmpty)
        // With Shift, if the terminal passes it on, a click extends the selection from the cursor.
        pilot.mouse(.press(.left), at("b3").x, at("b3").y, .shift)
        pilot.mouse(.release(.left), at("b3").x, at("b3").y, .shift)
        pilot.press("y")
        #expect(pilot.clipboardText == "b2\nb3")
    }

    @Test func `A10: Ctrl-clicks add cells and rows to the selection, or remove those that are already selected`() throws {
        let (pilot, at) = try open()
        func click(_ text: String) { pilot.click(at(text).x, at(text).y, .control) }
        pilot.click(at("b2").x, at("b2").y)
        click("c37")
        #expect(pilot.line(10).contains(" 2 rows, 2 cells selected"), "\(pilot.line(10))")
        pilot.press("y")
        #expect(pilot.clipboardText == "b2\t\n\tc37")
        click("b2")
        pilot.press("y")
        #expect(pilot.clipboardText == "c37")
        pilot.press("Escape")
        pilot.drag(from: (1, 2), to: (1, 6))
        pilot.click(1, 4, .control)
        #expect(pilot.line(10).contains(" 4 rows selected") && pilot.state.grid.selectedRows() == [0, 1, 3, 4], "\(pilot.line(10))")
        #expect(HelpText.chapters.last?.entries.contains { $0.keys == "click with Ctrl" } == true)
    }

    @Test func `A10: a drag in the gutter selects rows`() throws {
        let (pilot, _) = try open()
        pilot.click(1, 3)
        #expect(pilot.line(10).contains("1 row selected"))
        pilot.drag(from: (1, 4), to: (1, 6))
        #expect(pilot.line(10).contains("3 rows selected"))
        pilot.press("y")
        #expect(pilot.clipboardText == "a3\tb3\tc38\td0\na4\tb4\tc37\td1\na5\tb5\tc36\td2")
        pilot.click(1, 1)
        #expect(pilot.state.grid.selection == .all, "the corner selects all")
    }

    @Test func `A13: the wheel scrolls three rows`() throws {
        let (pilot, _) = try open()
        pilot.mouse(.wheel(x: 0, y: 1), 10, 5)
        #expect(pilot.line(2).hasPrefix("   4│ a4") && pilot.cursorCell == "aaa 4")
        pilot.mouse(.wheel(x: 0, y: 1), 10, 5)
        pilot.mouse(.wheel(x: 0, y: -1), 10, 5)
        #expect(pilot.line(2).hasPrefix("   4│ a4"))
        pilot.mouse(.wheel(x: 0, y: -9), 10, 5)
        #expect(pilot.line(2).hasPrefix("   1│ a1"))
        let (narrow, _) = try open((20, 12))
        for modifier in [KeyModifiers.shift, .control, .alt] {
            narrow.mouse(.wheel(x: 0, y: 1), 10, 5, modifier)
            #expect(narrow.line(1).contains("‹bbb"))
            narrow.mouse(.wheel(x: 0, y: -1), 10, 5, modifier)
            #expect(narrow.line(1).contains("│ aaa"))
        }
        narrow.mouse(.wheel(x: 1, y: 0), 10, 5)
        #expect(narrow.line(1).contains("‹bbb"))
    }

    @Test func `A13: after the command “pan by dragging”, a drag of cells pans the table instead of selecting`() throws {
        let (pilot, at) = try open()
        func toggle() {
            pilot.press(":")
            pilot.type("pan by dragging")
            pilot.press("Enter")
        }
        toggle()
        #expect(pilot.state.message == .panning(true))
        let cell = at("a6")
        pilot.drag(from: (cell.x, cell.y), to: (cell.x, cell.y - 3))
        #expect(pilot.line(2).hasPrefix("   4│ a4") && pilot.state.grid.selection.isEmpty)
        toggle()
        #expect(pilot.state.message == .panning(false))
        pilot.drag(from: (cell.x, cell.y - 3), to: (cell.x, cell.y))
        #expect(!pilot.state.grid.selection.isEmpty)
    }

    @Test func `D6: a click on a column title sorts by that column`() throws {
        let (pilot, at) = try open()
        let title = at("ccc")
        pilot.click(title.x, title.y)
        #expect(pilot.line(2).contains("c1") && pilot.state.query.requested.sort == [ColumnSort(ColumnID(2))])
        pilot.click(title.x, title.y)
        #expect(pilot.line(2).contains("c40") && pilot.line(1).contains("▼"))
        let other = at("ddd")
        pilot.click(other.x, other.y, .control)
        #expect(pilot.line(1).contains("▼1") && pilot.line(1).contains("▲2"))
        pilot.click(other.x, other.y, .alt)
        #expect(pilot.line(1).contains("▼2"))
        pilot.click(other.x, other.y)
        #expect(pilot.state.query.requested.sort == [], "alone: the next of up, down, off")
    }

    @Test func `A17: dragging a title moves its column`() throws {
        let (pilot, at) = try open()
        let from = at("aaa")
        let to = at("ccc")
        pilot.drag(from: (from.x, from.y), to: (to.x + 4, to.y), holding: true)
        #expect((1...9).allSatisfy { pilot.line($0).contains("┃") }, "the insertion mark has the full height")
        #expect(pilot.titles == ["aaa", "bbb", "ccc", "ddd"], "nothing has moved yet")
        #expect(pilot.line(11) == " Esc cancel  release to drop")
        pilot.press("Escape")
        #expect(!pilot.screen.contains("┃"))
        pilot.mouse(.release(.left), to.x + 4, to.y)
        #expect(pilot.titles == ["aaa", "bbb", "ccc", "ddd"] && pilot.state.query.requested.sort == [])
        pilot.drag(from: (from.x, from.y), to: (to.x + 4, to.y))
        #expect(pilot.titles == ["bbb", "ccc", "aaa", "ddd"] && pilot.state.query.requested.sort == [])
    }

    @Test func `A17: opening a panel ends a drag`() throws {
        let (pilot, at) = try open()
        pilot.drag(from: (at("aaa").x, 1), to: (at("ccc").x, 1), holding: true)
        pilot.press("?")
        pilot.mouse(.release(.left), at("ccc").x, 1)
        #expect(pilot.state.grid.drag == nil, "otherwise the view would keep scrolling")
        pilot.press("Escape")
        #expect(pilot.titles == ["aaa", "bbb", "ccc", "ddd"])
    }

    @Test func `D5: dragging a column edge resizes the column`() throws {
        let (pilot, at) = try open()
        let edge = at("bbb").x - 2
        pilot.drag(from: (edge, 1), to: (edge + 5, 1))
        #expect(at("bbb").x - 2 == edge + 5)
        pilot.doubleClick(edge + 5, 1)
        #expect(at("bbb").x - 2 == edge - 1, "a double click fits the visible rows")
        pilot.drag(from: (edge, 1), to: (edge + 3, 1), holding: true)
        pilot.press("Escape")
        #expect(at("bbb").x - 2 == edge - 1)
    }

    @Test func `A11: a double click opens the row view`() throws {
        let (pilot, at) = try open()
        let cell = at("b3")
        pilot.doubleClick(cell.x, cell.y)
        #expect(pilot.state.overlay as? RowView == RowView() && pilot.line(0).hasPrefix(" Row 3"))
        pilot.press("q")
        #expect(pilot.cursorCell == "bbb 3" && pilot.state.grid.drag == nil)
    }

    @Test func `A15: a click on the arrow of a group collapses or expands it`() throws {
        let (pilot, at) = try open()
        pilot.press("$ zg")
        pilot.click(0, at("▾ d0").y)
        #expect(pilot.line(2).hasPrefix("▸ d0") && pilot.line(3).hasPrefix("▾ d1"))
        pilot.click(0, 2)
        #expect(pilot.line(2).hasPrefix("▾ d0"))
        pilot.click(3, 2)
        pilot.click(20, 2)
        #expect(pilot.line(2).hasPrefix("▾ d0") && pilot.state.grid.cursor.item == .header(0), "elsewhere, a click only moves the cursor")
        pilot.doubleClick(5, 2)
        #expect(pilot.line(2).hasPrefix("▸ d0"), "a double click on its name toggles it")
    }

    @Test func `D5: a right click opens the context menu`() throws {
        let (pilot, at) = try open((60, 20))
        pilot.mouse(.press(.right), at("ccc").x, 1)
        pilot.mouse(.release(.right), at("ccc").x, 1)
        #expect(pilot.screen.contains("sort descending") && pilot.screen.contains("hide column"))
        // The menu is below the name.
        let entry = at("hide column")
        #expect(at("sort ascending").y == 5 && pilot.place(of: "ccc", after: 2).map { $0.x } == at("ccc").x, "\(pilot.screen)")
        pilot.click(entry.x, entry.y)
        #expect(pilot.titles == ["aaa", "bbb", "ddd"] && pilot.state.overlay == nil)
        // The menu also opens at the right of the title, where an edge could be dragged.
        pilot.press("Escape")
        pilot.mouse(.press(.right), at("ddd").x - 1, 1)
        #expect(pilot.state.overlay != nil)
        pilot.press("Escape")
        // A click outside closes the menu.
        pilot.mouse(.press(.right), at("bbb").x, 1)
        pilot.click(0, 18)
        #expect(pilot.state.overlay == nil)
    }

    @Test func `D5: a right click on a cell opens a menu for this cell, or for the selection if the cell is selected`() throws {
        let (pilot, at) = try open((60, 30))
        func rightClick(_ text: String) {
            let cell = at(text)
            pilot.mouse(.press(.right), cell.x, cell.y)
            pilot.mouse(.release(.right), cell.x, cell.y)
        }
        pilot.press("v j")
        let cell = at("b5")
        rightClick("b5")
        #expect(pilot.cursorCell == "bbb 5" && pilot.state.grid.selection.isEmpty && (pilot.state.overlay as? ListPanel)?.title == "bbb")
        let entry = try #require(pilot.place(of: "filter by cell"))
        #expect(entry.y > cell.y && pilot.screen.contains("b5 "), "the menu is below the cell: \(pilot.screen)")
        pilot.click(entry.x, entry.y)
        #expect(pilot.order == [5] && pilot.state.overlay == nil)
        pilot.press("\\ g v j")
        rightClick("b2")
        #expect((pilot.state.overlay as? ListPanel)?.title == "Selection" && pilot.state.grid.selection.blocks.first?.rows == 0..<2)
        pilot.press("Enter")
        #expect(pilot.clipboardText == "b1\nb2")
        // At the bottom of the screen, the menu is above the line of the cell.
        pilot.press("Escape G")
        rightClick("a40")
        #expect(pilot.screen.contains("statistics"), "the whole menu is visible: \(pilot.screen)")
    }

    @Test func `A13: a click on the scroll bar moves by one page, and a drag of the scroll bar scrolls`() throws {
        let (pilot, _) = try open()
        let x = 49
        #expect(pilot.line(2).hasSuffix("▐"))
        pilot.click(x, 9)
        #expect(pilot.line(9).hasPrefix("  40│"))
        pilot.drag(from: (x, 9), to: (x, 2))
        #expect(pilot.line(2).hasPrefix("   1│"))
    }

    @Test func `A13: a drag with the middle button pans the table`() throws {
        let (pilot, _) = try open()
        pilot.mouse(.press(.middle), 20, 8)
        pilot.mouse(.drag(.middle), 20, 3)
        #expect(pilot.line(2).hasPrefix("   6│"))
        pilot.mouse(.release(.middle), 20, 3)
        #expect(pilot.state.grid.drag == nil)
    }

    @Test func `D16: the mouse can be turned off`() throws {
        let (pilot, _) = try open()
        #expect(pilot.backend.isMouseEnabled)
        pilot.press("M-m")
        #expect(!pilot.backend.isMouseEnabled && pilot.state.message == .mouseOff(mouseKey: "Alt-m"))
        pilot.press("M-m")
        #expect(pilot.backend.isMouseEnabled)
        var options = LaunchOptions()
        options.usesMouse = false
        #expect(try !Pilot(Self.table, options: options).backend.isMouseEnabled)
    }

    @Test func `D16: the wheel scrolls lists and pages, and a click chooses an entry`() throws {
        let (pilot, at) = try open()
        pilot.press("c")
        pilot.mouse(.wheel(x: 0, y: 2), 10, 5)
        let place = at("ddd")
        pilot.click(at("bbb").x + 1, place.y - 2)
        #expect(pilot.state.overlay == nil)
        pilot.press("?")
        pilot.mouse(.wheel(x: 0, y: 1), 10, 5)
        #expect((pilot.state.overlay as? Page)?.scroll == 1)
    }

    /// A click inside a panel does not close it.
    @Test func `D16: only a click outside of a panel closes the panel`() throws {
        let (pilot, at) = try open((60, 20))
        pilot.press("?")
        for y in 1...18 { pilot.click(3, y) }
        #expect(pilot.state.overlay as? Page == .help)
        pilot.click(3, 19)
        #expect(pilot.state.overlay == nil)
        pilot.press("Enter")
        pilot.click(30, 5)
        #expect(pilot.state.overlay as? RowView == RowView())
        pilot.click(30, 0)
        #expect(pilot.state.overlay == nil)
        // In a list, the title, the typed text and the space below the last entry are not entries.
        pilot.press("c")
        let title = at("Go to column")
        pilot.click(title.x, title.y)
        pilot.click(title.x, title.y + 1)
        pilot.type("ddd")
        // The list has shrunk to one match.
        pilot.click(title.x, title.y + 3)
        #expect(pilot.state.overlay != nil)
        pilot.click(title.x, title.y + 2)
        #expect(pilot.state.overlay == nil && pilot.cursorCell.hasPrefix("ddd"))
        pilot.press("c")
        pilot.click(0, 19)
        #expect(pilot.state.overlay == nil)
    }
}
