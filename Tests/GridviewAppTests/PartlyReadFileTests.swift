import DataGrid
import Foundation
@testable import GridviewApp
import TerminalSurface
import Testing

/// A file of which only the beginning is read when it is opened. A request for its end reads the rest. Jobs wait until the test runs them.
@MainActor
@Suite struct PartlyReadFileTests {
    static let rowCount = 40_000
    /// The table has more rows than opening the file reads.
    static let content =
        "n,half,text\n" + (1...rowCount).map { "\($0),\($0 * 2 > rowCount ? "second" : "first"),row number \($0)" }.joined(separator: "\n")
        + "\n"

    private func open(_ size: (Int, Int) = (60, 12)) throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        return (try Pilot(Self.content, size: size, runner: stepped.runner), stepped)
    }

    @Test func `D2: the first screen appears at once`() throws {
        let (pilot, _) = try open()
        #expect(pilot.backend.frames.count >= 1)
        #expect(pilot.line(0) == " test.csv  … × 3")
        #expect(pilot.line(2).hasPrefix("     1│"))
        #expect(pilot.line(10).hasSuffix("1 / …"))
        #expect(!pilot.state.document.isComplete)
    }

    @Test func `D2: a job can be cancelled before it is shown`() throws {
        let (pilot, stepped) = try open()
        #expect(pilot.state.jobs.map(\.isShown) == [false])
        #expect(!pilot.line(0).contains("reading"))
        pilot.press("C-c")
        #expect(pilot.state.document.reading.isStopped && pilot.state.jobs.isEmpty)
        stepped.runAll(pilot)
        #expect(!pilot.state.document.isComplete)
    }

    @Test func `D2: G shows the end at once, and its rows stay on their screen lines when their numbers become known`()
        throws
    {
        let (pilot, stepped) = try open()
        pilot.press("G")
        stepped.runNewest(pilot)
        let before = pilot.backend.lines
        #expect(before[9].hasPrefix("      │") && before[9].contains("40,000") && before[9].contains("row number 40000"))
        #expect(before[2].contains("39,993"))
        #expect(before[10].hasSuffix("  last row"))
        pilot.press("k k")
        #expect(pilot.line(10).hasSuffix("  3 from the end"))
        let moved = pilot.backend.lines
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete)
        let after = pilot.backend.lines
        for y in 2..<10 {
            #expect(after[y].dropFirst(6) == moved[y].dropFirst(6), "line \(y) moved")
            #expect(after[y].hasPrefix(" \(39_991 + y)│"), "line \(y) has its number now: \(after[y])")
        }
        #expect(pilot.cursorCell == "n 39998" && after[10].hasSuffix("39,998 / 40,000"))
        #expect(after[0] == " test.csv  40,000 × 3")
    }

    @Test func `D2: the top row stays in place when the index completes`() throws {
        let (pilot, stepped) = try open()
        pilot.press("5 0 j l")
        let before = pilot.backend.lines
        stepped.runAll(pilot)
        #expect(pilot.backend.lines[1..<10] == before[1..<10])
    }

    @Test func `D2: a message says that a row is not indexed yet`() throws {
        let (pilot, stepped) = try open()
        pilot.press("3 9 9 9 9 G")
        #expect(pilot.state.message?.id == .rowNotRead)
        stepped.runAll(pilot)
        pilot.press("3 9 9 9 9 G")
        #expect(pilot.cursorCell == "n 39999" && pilot.message == "")
    }

    @Test func `D2: sorting waits for the whole file`() throws {
        let (pilot, stepped) = try open()
        pilot.press("]")
        #expect(pilot.state.message == .waitsForFile(isGrouping: false))
        #expect(pilot.line(1).contains("▽") && pilot.line(0).contains("⇅ n ▽"), "the header shows the requested sort: \(pilot.line(1))")
        #expect(pilot.line(2).hasPrefix("     1│") && pilot.state.query.shown.isFileOrder && pilot.state.query.isWaitingForFile)
        stepped.step()
        pilot.session.turn()
        #expect(pilot.state.document.isComplete && pilot.state.query.shown.isFileOrder && stepped.count == 1)
        #expect(!pilot.state.query.isWaitingForFile && !pilot.state.query.isSettled)
        stepped.runAll(pilot)
        #expect(pilot.line(2).hasPrefix(" 40000│") && pilot.state.query.isSettled)
    }

    /// Esc and Ctrl-c cancel a request before and during its job. The header then shows the actual order again.
    @Test(arguments: ["Escape", "C-c"]) func `D2: a pending sort can be cancelled`(key: String) throws {
        let (pilot, stepped) = try open()
        pilot.press("s \(key)")
        #expect(!pilot.line(1).contains("△") && !pilot.line(0).contains("⇅"))
        stepped.runAll(pilot)
        #expect(pilot.state.query.shown.isFileOrder && pilot.state.document.isComplete)
        pilot.press("s")
        #expect(pilot.line(1).contains("△") && stepped.count == 1)
        pilot.press(key)
        #expect(pilot.state.message?.id == .cancelled && !pilot.line(1).contains("△"))
        stepped.runAll(pilot)
        #expect(pilot.state.query.shown.isFileOrder && !pilot.line(1).contains("▲"), "late results are dropped")
    }

    @Test func `D2: reading can be stopped and resumed`() throws {
        let (pilot, stepped) = try open()
        Thread.sleep(forTimeInterval: 0.2)
        pilot.session.turn()
        #expect(pilot.line(0).contains("reading"))
        pilot.press("C-c")
        let known = pilot.state.document.recordCount
        #expect(pilot.state.message == .readingStopped(after: known, reloadKey: "R"))
        stepped.runAll(pilot)
        #expect(pilot.line(0) == " test.csv  … × 3   partly read: R continues")
        #expect(pilot.state.document.recordCount == known)
        // A command that needs the whole file resumes reading.
        pilot.press("]")
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete && pilot.line(2).hasPrefix(" 40000│"))
        #expect(!pilot.line(0).contains("partly read"))
    }

    @Test func `D2: R resumes reading after a stop`() throws {
        let (pilot, stepped) = try open()
        Thread.sleep(forTimeInterval: 0.2)
        pilot.session.turn()
        pilot.press("C-c")
        stepped.runAll(pilot)
        pilot.press("5 j R")
        #expect(pilot.state.message == .readingResumed)
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete && pilot.state.document.recordCount == 40_000 && pilot.cursorCell.hasSuffix(" 6"))
        // Reading is complete, so there is nothing to resume, and R checks the file for changes.
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .fileUnchanged("test.csv"))
    }

    @Test func `D2: after a reload, the cursor goes back to its row number when that row is read`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("3 0 0 0 0 G k k l")
        let scroll = pilot.state.grid.scroll
        // The file is replaced by a new file with the same rows.
        try Data(Self.content.utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("R")
        stepped.step()
        pilot.session.turn()
        #expect(pilot.state.grid.rows.count < 30_000 && !pilot.state.document.isComplete)
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "half 29998" && pilot.state.grid.scroll == scroll)
        // A cursor that was moved meanwhile stays.
        try Data(Self.content.utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("R")
        stepped.step()
        pilot.session.turn()
        pilot.press("g j")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "half 2")
    }

    @Test func `D2: results of a replaced query are discarded`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("s ]")
        #expect(stepped.count == 2)
        // The newer result arrives first, then the outdated one.
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(pilot.line(2).hasPrefix(" 40000│"))
        let screen = pilot.screen
        stepped.step()
        pilot.session.turn()
        #expect(pilot.screen == screen && pilot.state.query.isSettled)
    }

    /// A search that ends after sorting reports an outdated position, which is dropped.
    @Test func `D2: the result of a search in an earlier row order is discarded`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("$")
        pilot.press("/ 3 9 9 9 9 Enter n")
        pilot.press("0 ]")
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(pilot.line(2).hasPrefix(" 40000│"))
        let cursorCell = pilot.cursorCell
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == cursorCell)
        #expect(pilot.state.search?.count == 1)
    }

    @Test func `D8: groups that are collapsed before they have been computed appear collapsed`() throws {
        let (pilot, stepped) = try open()
        pilot.press("l zg zM")
        stepped.runAll(pilot)
        #expect(pilot.line(2).hasPrefix("▸ first  20,000 rows") && pilot.line(3).hasPrefix("▸ second  20,000 rows"))
    }

    @Test func `D10: rows at the end can be copied before the whole file is read`() throws {
        let (pilot, stepped) = try open()
        func pressAndRunJob(_ keys: String) {
            pilot.press(keys)
            // The file is not read yet.
            stepped.runNewest(pilot)
        }
        pressAndRunJob("G")
        pressAndRunJob("$ y")
        #expect(pilot.clipboardText == "row number 40000")
        pressAndRunJob("V k y")
        #expect(pilot.clipboardText == "39999\tsecond\trow number 39999\n40000\tsecond\trow number 40000")
    }

    @Test func `D2: a selection at the end keeps its rows when the whole file is read`() throws {
        let (pilot, stepped) = try open()
        pilot.press("G")
        stepped.runNewest(pilot)
        pilot.press("v k k")
        stepped.runAll(pilot)
        pilot.press("y")
        stepped.runAll(pilot)
        #expect(pilot.clipboardText == "39998\n39999\n40000")
    }

    /// Jobs run on real threads.
    @Test func `D2: a file is read in the background`() async throws {
        let pilot = try Pilot(Self.content, size: (60, 12), runner: .background)
        pilot.press("] G")
        for _ in 0..<6000 where !pilot.state.query.isSettled || !pilot.state.document.isComplete {
            try await Task.sleep(for: .milliseconds(10))
            pilot.session.turn()
        }
        pilot.press("g")
        #expect(pilot.line(2).hasPrefix(" 40000│"))
        #expect(pilot.backend.wakeCount > 0)
        pilot.session.finish()
        #expect(!pilot.backend.isStarted)
    }
}
