import DataGrid
@testable import GridviewApp
import TerminalSurface
import Testing

/// Rows moved by hand in the view.
@MainActor
@Suite struct RowMovingTests {
    /// A table of eight records with a letter and a descending number.
    static let table =
        "name,n,kind\n"
        + (1...8).map { "\(Character(UnicodeScalar(96 + $0)!)),\(9 - $0),\($0 % 2 == 0 ? "even" : "odd")" }
        .joined(separator: "\n") + "\n"

    @Test func `A17: K and J move the row by the given count, up to the ends of the table`() throws {
        let pilot = try Pilot(Self.table)
        pilot.press("J")
        #expect(pilot.order == [2, 1, 3, 4, 5, 6, 7, 8] && pilot.cursorCell == "name 1")
        #expect(pilot.state.message == .rowMoved(undoKey: "U"))
        #expect(pilot.line(0).hasSuffix("  rows moved"))
        pilot.press("3 J")
        #expect(pilot.order == [2, 3, 4, 5, 1, 6, 7, 8] && pilot.message == "", "already reported")
        pilot.press("M-Up")
        #expect(pilot.order == [2, 3, 4, 1, 5, 6, 7, 8])
        pilot.press("9 9 9 9 9 9 9 9 9 9 9 9 J")
        #expect(pilot.order == [2, 3, 4, 5, 6, 7, 8, 1] && pilot.message == "")
        pilot.press("M-Down")
        #expect(pilot.order == [2, 3, 4, 5, 6, 7, 8, 1] && pilot.state.message == .alreadyAtEdge(isTop: false, isGrouped: false))
        pilot.press("7 K")
        #expect(pilot.order == Array(1...8) && !pilot.line(0).contains("rows moved"), "nothing has changed")
        pilot.press("K")
        #expect(pilot.state.message == .alreadyAtEdge(isTop: true, isGrouped: false))
    }

    @Test func `A17: selected rows move together and keep marks and selection`() throws {
        let pilot = try Pilot(Self.table)
        pilot.press("j m V j 2 J")
        #expect(pilot.order == [1, 4, 5, 2, 3, 6, 7, 8])
        #expect(pilot.state.grid.selection.blocks == [SelectionBlock(rows: 3..<5, columns: nil)])
        #expect(pilot.state.grid.marks == [1] && pilot.line(5).hasPrefix("•"))
        pilot.press("y")
        #expect(pilot.clipboardText == "b\t7\teven\nc\t6\todd")
        pilot.press("Escape g '")
        #expect(pilot.cursorCell == "name 2")
        pilot.press("g Enter n")
        #expect(pilot.line(1).hasPrefix(" Row 4"), "the next one in the view")
    }

    @Test func `A17: a sort or a reset replaces the manual order of rows`() throws {
        let pilot = try Pilot(Self.table)
        pilot.press("3 J r")
        #expect(pilot.order == Array(1...8) && !pilot.state.grid.rows.isMoved)
        pilot.press("l 3 J s")
        #expect(pilot.order == Array((1...8).reversed()) && pilot.state.query.isSettled)
        pilot.press("g J")
        #expect(pilot.order == [7, 8, 6, 5, 4, 3, 2, 1])
        pilot.press("[")
        #expect(pilot.order == Array((1...8).reversed()), "the same sort again")
        pilot.press("G 2 K s s")
        #expect(pilot.order == Array(1...8), "back to file order")
        pilot.press("J R")
        #expect(pilot.order == Array(1...8), "a reload too")
    }

    @Test func `A17: rows cannot leave their group`() throws {
        let pilot = try Pilot(Self.table, size: (60, 20))
        pilot.press("$ zg K")
        #expect(pilot.state.message == .noRowToMove)
        pilot.press("j 9 J")
        #expect(pilot.order == [4, 6, 8, 2, 1, 3, 5, 7])
        pilot.press("J")
        #expect(pilot.state.message == .alreadyAtEdge(isTop: false, isGrouped: true))
        pilot.press("2 j K")
        #expect(pilot.order == [4, 6, 8, 2, 1, 3, 5, 7] && pilot.cursorCell == "kind 1")
        pilot.press("J zu")
        #expect(pilot.order == Array(1...8))
    }

    @Test func `A17: search, next distinct value and copying follow the manual order of rows`() throws {
        let pilot = try Pilot(Self.table)
        pilot.press("$ / o d d Enter")
        #expect(pilot.cursorCell == "kind 1" && pilot.state.search?.currentRank == 1 && pilot.state.search?.count == 4)
        pilot.press("5 J")
        #expect(pilot.order == [2, 3, 4, 5, 6, 1, 7, 8] && pilot.state.search?.currentRank == nil && pilot.state.search?.count == 4)
        pilot.press("n")
        #expect(pilot.cursorCell == "kind 7" && pilot.state.search?.currentRank == 4)
        pilot.press("N N")
        #expect(pilot.cursorCell == "kind 5" && pilot.state.search?.currentRank == 2)
        pilot.press("3 j }")
        #expect(pilot.cursorCell == "kind 8")
        pilot.press("{ {")
        #expect(pilot.cursorCell == "kind 6")
    }

    @Test func `A17: rows can be dragged by their row numbers after a command enables this`() throws {
        let pilot = try Pilot(Self.table)
        pilot.drag(from: (1, 2), to: (1, 4))
        #expect(pilot.order == Array(1...8) && pilot.line(12).contains("3 rows selected"))
        pilot.press("Escape :")
        pilot.type("drag rows")
        pilot.press("Enter")
        #expect(pilot.state.message == .rowDragging(true))
        pilot.press("g")
        pilot.drag(from: (1, 2), to: (1, 4), holding: true)
        #expect(pilot.order == Array(1...8) && pilot.line(4).hasPrefix("   3┷ c") && pilot.line(13) == " Esc cancel  release to drop")
        pilot.press("Escape")
        pilot.mouse(.release(.left), 1, 4)
        #expect(pilot.order == Array(1...8) && !pilot.screen.contains("┷"))
        pilot.drag(from: (1, 2), to: (1, 4))
        #expect(pilot.order == [2, 3, 1, 4, 5, 6, 7, 8])
        pilot.press("g 2 G")
        #expect(pilot.cursorCell == "name 2", "row 2 is found at its new place")
        pilot.press("g")
        pilot.drag(from: (1, 2), to: (1, 4), holding: true)
        pilot.state.sheet.controller.perform(.setPresentation(.transposed))
        pilot.mouse(.drag(.left), 1, 5)
        #expect(pilot.state.message == .dragInterrupted, "a drag that cannot go on says so")
    }

    @Test func `A17, D2: rows counted from the end cannot be moved, and rows moved during indexing stay in place`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(PartlyReadFileTests.content, size: (60, 12), runner: stepped.runner)
        pilot.press("G")
        stepped.runNewest(pilot)
        pilot.press("K")
        #expect(
            pilot.state.message == .cannotMoveRowsYet)
        let other = try Pilot(PartlyReadFileTests.content, size: (60, 12), runner: stepped.runner)
        other.press("J G")
        #expect(other.state.message == .lastRowSoFar)
        stepped.runAll(other)
        #expect(other.order.prefix(3) == [2, 1, 3] && other.order.count == PartlyReadFileTests.rowCount)
        #expect(other.order.suffix(2) == [39_999, 40_000])
        stepped.runAll(pilot)
        let third = try Pilot(PartlyReadFileTests.content, size: (60, 12), runner: stepped.runner)
        third.press("2 J r")
        #expect(!third.state.document.isComplete && third.order.prefix(3) == [1, 2, 3], "that needs no job")
        pilot.press("g J")
        #expect(pilot.order.prefix(3) == [2, 1, 3])
    }
}
