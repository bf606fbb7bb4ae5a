import DataGrid
import Foundation

import Testing

@testable import GridviewApp

/// `R` in a file that has grown since it was read.
@MainActor
@Suite struct GrownFileTests {
    static let rowCount = 3_000
    static let content =
        "n,half,text\n" + (1...rowCount).map { "\($0 * 7 % rowCount + 1),\($0 % 2 == 0 ? "even" : "odd"),row \($0)\n" }.joined()
    static let newRows = (1...500).map { "\(-$0),\($0 % 3 == 0 ? "third" : "odd"),new \($0)\n" }.joined()

    private func open(_ content: String = content, _ keys: String = "") throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        let pilot = try Pilot(content, size: (70, 14), runner: stepped.runner)
        stepped.runAll(pilot)
        for key in keys.split(separator: " ") {
            pilot.press(String(key))
            stepped.runAll(pilot)
        }
        return (pilot, stepped)
    }

    private func append(_ text: String, to pilot: Pilot) throws {
        let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test func `D2: R reads the new rows of a grown file and keeps the view`() throws {
        let (pilot, stepped) = try open(Self.content, "9 9 9 G l m")
        let file = ObjectIdentifier(pilot.session.document.input)
        pilot.press("j k")
        let before = pilot.backend.lines
        try append(Self.newRows, to: pilot)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .rowsAdded(500) && pilot.cursorCell == "half 999")
        #expect(ObjectIdentifier(pilot.session.document.input) == file, "the file was not opened again")
        // A longer text of the new rows may widen a column.
        func words(_ lines: [String]) -> [[Substring]] { lines[2..<12].map { $0.split(separator: " ") } }
        #expect(words(pilot.backend.lines) == words(before))
        #expect(pilot.line(0).hasPrefix(" test.csv  3,500 × 3") && pilot.line(12).hasSuffix("999 / 3,500"))
        pilot.press("G $")
        #expect(pilot.line(12).contains("new 500") && pilot.cursorCell == "text 3500")
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .fileUnchanged("test.csv"), "no new rows since")
        pilot.state.grid.checkInvariants()
    }

    @Test(arguments: ["", "]", "l @", "l zg", "l zg zM j"])
    func `D2, A10: R on an unchanged file keeps the screen, the cursor and the selection`(keys: String) throws {
        let (pilot, stepped) = try open(Self.content, keys + (keys.contains("zM") ? " V" : " 6 0 0 j k k k V k"))
        let (before, grid) = (pilot.backend.lines, pilot.state.grid)
        #expect(!grid.selection.isEmpty)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .fileUnchanged("test.csv"))
        #expect(pilot.backend.lines.dropLast() == before.dropLast())
        #expect(pilot.state.grid.cursor == grid.cursor && pilot.state.grid.selection == grid.selection)
        #expect(pilot.state.grid.scroll == grid.scroll && pilot.state.grid.rows == grid.rows)
        pilot.press("k")
        #expect(pilot.state.grid.selection != grid.selection, "the selection is still being extended")
    }

    @Test(
        arguments: ["", "]", "l @", "l @ h ]", "l zg"])
    func `D2, A10: R on a changed file keeps the place of the cursor, and a message reports the cleared selection`(keys: String) throws {
        let (pilot, stepped) = try open(Self.content, keys + " 6 0 0 j k k k V k")
        func line() -> Int { pilot.state.grid.outline.index(of: pilot.state.grid.cursor.item) - pilot.state.grid.scroll.top }
        let (row, place, selected) = (pilot.state.grid.currentRow, line(), pilot.state.grid.selectedRows().count)
        #expect(row != nil && place > 0 && selected == 2)
        try Data(Self.content.replacing("row 1500\n", with: "row 1x00\n").utf8).write(to: URL(fileURLWithPath: pilot.path))
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.query.isSettled && pilot.state.grid.currentRow == row && line() == place)
        #expect(pilot.state.grid.selection.isEmpty)
        #expect(pilot.state.message?.id == .reloaded && pilot.message.hasSuffix(Message.selectionNotKept))
        #expect(pilot.state.sheet.reloadAnchor == nil)
        // Without a selection, or with all rows selected, nothing is lost.
        for keys in ["", "C-a"] {
            pilot.press(keys)
            let selection = pilot.state.grid.selection
            try Data((Self.content + (keys.isEmpty ? "" : "1,odd,x\n")).utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
            pilot.press("R")
            stepped.runAll(pilot)
            #expect(pilot.state.message == .reloaded("test.csv") && pilot.state.grid.selection == selection)
            #expect(pilot.state.grid.currentRow == row)
        }
        pilot.state.grid.checkInvariants()
    }

    @Test func `D2: after a reload of a sorted file, a message says that the selection was too large to keep`() throws {
        let rows = AppState.maximumSelectedRows + 1
        let (pilot, stepped) = try open("n,text\n" + (0..<rows).map { "\($0),a\n" }.joined(), "] V G k")
        #expect(pilot.state.grid.selectedRows().count == rows - 1)
        pilot.press("j")
        try append("1,b\n", to: pilot)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.grid.selection.isEmpty && pilot.state.message?.id == .rowsAdded)
        #expect(pilot.message.hasSuffix(Message.selectionCleared))
    }

    /// The view equals a view of the whole file, and the cursor stays on its row.
    @Test(
        arguments: ["[", "]", "l @", "l @ h ]", "l zg", "l zg h s", "l zg zM", "l zg zM j"])
    func `D2: new rows of a grown file are sorted, filtered and grouped`(keys: String) throws {
        let (pilot, stepped) = try open(Self.content, keys + " 6 0 j")
        let row = pilot.state.grid.currentRow
        let line = pilot.line(12)
        try append(Self.newRows, to: pilot)
        pilot.press("R")
        #expect(pilot.line(12) == line || !pilot.state.document.isComplete, "rows do not change until the new rows are read")
        stepped.runAll(pilot)
        let (whole, _) = try open(Self.content + Self.newRows, keys)
        #expect(pilot.order == whole.order && pilot.order.count >= Self.rowCount / 2)
        #expect(pilot.state.grid.currentRow == row && pilot.state.query.shown == whole.state.query.shown)
        #expect(pilot.state.message == .rowsAdded(500))
        #expect(pilot.state.query.isSettled && pilot.state.grid.pendingSort.isEmpty)
        pilot.state.grid.checkInvariants()
    }

    @Test func `D2: R detects that the last row has become longer`() throws {
        let (pilot, stepped) = try open("n,text\n1,a\n2,b", "W G l")
        #expect(pilot.line(12).hasPrefix(" text  b"))
        try append("cd", to: pilot)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .noNewRows)
        #expect(pilot.line(12).hasPrefix(" text  bcd") && pilot.order == [1, 2])
        try append("\n3,e\n", to: pilot)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .rowsAdded(1) && pilot.order == [1, 2, 3])
        // The longer row may match a filter that it did not match before.
        let (filtered, runner) = try open("n,text\n1,ab\n2,a", "l @ k")
        #expect(filtered.order == [2] || filtered.order == [1])
        filtered.press("r")
        runner.runAll(filtered)
        filtered.press("g l @")
        runner.runAll(filtered)
        #expect(filtered.order == [1])
        try append("b\n", to: filtered)
        filtered.press("R")
        runner.runAll(filtered)
        #expect(filtered.order == [1, 2])
    }

    @Test func `D2: a newline at the end of the last row is not reported as a longer row`() throws {
        let (pilot, stepped) = try open("n,text\n1,a\n2,b")
        try append("\n", to: pilot)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .noNewRows && pilot.order == [1, 2])
        pilot.press("Enter R")
        #expect(pilot.state.message == .notInRowView(backKey: "Esc", key: "R"))
    }

    /// A file with only a header has no values to detect types from. The test appends rows, or replaces the file by one with rows.
    @Test(arguments: [false, true])
    func `D2: R detects column types and widths from all current rows unless the user has set them`(isRewritten: Bool) throws {
        let values = "-100,1.5,9,-3,10".split(separator: ",").enumerated().map { "\($0 + 1),\($1),\(String(repeating: "w", count: 20))\n" }
        for isTypeSet in [false, true] {
            let (pilot, stepped) = try open("id,v,text\n", isTypeSet ? "t t" : "")
            #expect(pilot.state.grid.columns.all.map(\.kind) == [isTypeSet ? .decimal : .text, .text, .text])
            if isRewritten {
                let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
                try handle.write(contentsOf: Data(("id,v,text\r\n" + values.joined().replacing("\n", with: "\r\n")).utf8))
                try handle.close()
            } else {
                try append(values.joined(), to: pilot)
            }
            pilot.press("R")
            stepped.runAll(pilot)
            let columns = pilot.state.grid.columns.all
            #expect(columns.map(\.kind) == [isTypeSet ? .decimal : .integer, .decimal, .text] && columns[2].measuredWidth >= 20)
            if !isTypeSet {
                pilot.press("l [")
                stepped.runAll(pilot)
                #expect(pilot.order == [1, 4, 2, 3, 5])
            }
            pilot.state.grid.checkInvariants()
        }
    }

    @Test func `D2: a search counts matches in new rows`() throws {
        let (pilot, stepped) = try open(Self.content, "/ o d d Enter")
        #expect(pilot.state.search?.count == Self.rowCount / 2)
        try append(Self.newRows, to: pilot)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.search?.count == Self.rowCount / 2 + 334 && pilot.state.search?.isCounted == true)
    }

    @Test func `D2: cancelling a query over new rows shows all rows`() throws {
        let (pilot, stepped) = try open(Self.content, "]")
        try append(Self.newRows, to: pilot)
        pilot.press("R")
        // The first job opens the file again, and the second one reads it.
        for _ in 0..<2 {
            stepped.step()
            pilot.session.turn()
        }
        #expect(pilot.state.document.isComplete && stepped.count == 1 && pilot.order.count == Self.rowCount)
        pilot.press("C-c")
        stepped.runAll(pilot)
        #expect(
            pilot.order == Array(1...Self.rowCount + 500) && pilot.state.query.shown.isFileOrder && pilot.state.query.requested.isFileOrder)
        #expect(!pilot.line(1).contains("▼") && !pilot.line(1).contains("▽"))
    }

    @Test func `D2: reading new rows can be stopped and resumed`() throws {
        let (pilot, stepped) = try open(Self.content, "]")
        try append(Self.newRows, to: pilot)
        pilot.press("R C-c")
        pilot.press("C-c")
        stepped.runAll(pilot)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.document.recordCount == Self.rowCount + 500 && pilot.state.document.isComplete)
        #expect(pilot.order.count == Self.rowCount + 500)
        pilot.state.grid.checkInvariants()
    }

    /// One file has a changed byte and new rows. The other has a new row with more columns.
    @Test func `D2: a rewritten file is opened again even if it is longer`() throws {
        let (pilot, stepped) = try open(Self.content, "]")
        let file = ObjectIdentifier(pilot.session.document.input)
        var text = Self.content
        text.replace("row 1500\n", with: "row 1x00\n")
        let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
        try handle.write(contentsOf: Data((text + Self.newRows).utf8))
        try handle.close()
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(ObjectIdentifier(pilot.session.document.input) != file && pilot.order.count == Self.rowCount + 500)
        let (wide, runner) = try open("n,text\n1,a\n", "l")
        try append("2,b,c,d\n", to: wide)
        wide.press("R")
        runner.runAll(wide)
        #expect(wide.state.message == .reloaded("test.csv") && wide.titles.count == 4, "there are more columns")
    }
}
