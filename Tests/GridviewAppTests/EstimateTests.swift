import DataGrid
import DataGridQuery
import Dispatch
import FieldValues
@testable import GridviewApp
import TerminalSurface
import Testing

/// Tables whose number of rows is estimated until the rows are counted, as on a server.
@MainActor
@Suite struct EstimateTests {
    /// Opens a table; by default, of a million rows. Jobs wait until the test runs them.
    private func open(
        count: Int = 1_000_000, estimate: Int? = 1_000_000, canSeek: Bool = true
    ) throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        let source = DistantSource(count: count, estimate: estimate, canSeek: canSeek)
        return (try Pilot(source: source, runner: stepped.runner), stepped)
    }

    @Test func `D4: a row can be fetched by its number before the rows of the table are counted`() throws {
        let (pilot, stepped) = try open()
        #expect(pilot.line(0).hasPrefix(" distant  ≈ 1,000,000 × 1") && pilot.line(12).hasSuffix("1 / ≈ 1,000,000"))
        pilot.press("5 0 0 0 0 0 G")
        #expect(pilot.cursorCell == "n 1" && pilot.message == "" && stepped.count == 2)
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == "n 500000" && pilot.line(12).hasSuffix("500,000 / ≈ 1,000,000"), "\(pilot.screen)")
        #expect(!pilot.state.document.isComplete && pilot.screen.contains("row 500000"))
        pilot.press("1 0 0 G")
        #expect(pilot.cursorCell == "n 100" && stepped.count == 1, "a known row")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "n 100" && pilot.line(12).hasSuffix("100 / 1,000,000"))
    }

    @Test(arguments: [(keys: "PageDown", share: 1), ("C-d", 2)])
    func `D4: a page down beyond the known rows is completed when the missing rows arrive`(_ motion: (keys: String, share: Int)) throws {
        let (pilot, stepped) = try open()
        let page = pilot.state.grid.layout.pageItemCount / motion.share
        pilot.press("9 8 G \(motion.keys)")
        #expect(pilot.cursorCell == "n 100")
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == "n \(98 + page)" && page > 2, "\(pilot.screen)")
        pilot.press("g \(motion.keys)")
        #expect(pilot.cursorCell == "n \(1 + page)", "no rows are fetched among known rows")

        let (moved, movedRunner) = try open()
        moved.press("9 8 G \(motion.keys) k")
        movedRunner.runNewest(moved)
        #expect(moved.cursorCell == "n 99", "the user moved the cursor before the rows arrived")

        let (short, shortRunner) = try open(count: 101)
        short.press("9 8 G \(motion.keys)")
        shortRunner.runNewest(short)
        #expect(short.cursorCell == "n 101" && short.message == "", "\(short.screen)")
    }

    @Test func `D4: a row number beyond the end goes to the last row, and a message names the number of rows`() throws {
        let (pilot, stepped) = try open()
        pilot.press("2 0 0 0 0 0 0 G")
        stepped.runNewest(pilot)
        #expect(pilot.message == "No row 2,000,000: the table has 1,000,000 rows.")
        #expect(pilot.cursorCell == "n 1000000" && pilot.state.document.isComplete)
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "n 1000000")
    }

    @Test func `19.2: statistics in batch output do not wait until the rows are counted`() throws {
        let source = DistantSource(count: 1_000_000, estimate: nil, canSeek: true)
        let document = try Document(source, options: LaunchOptions())
        _ = try BatchOutput.result(of: BatchRun(document, options: LaunchOptions(), format: .text(.csv)), statistics: true)
        #expect(!source.snapshot().isComplete)
    }

    @Test func `19.5: a query that finds the number of rows replaces the estimate in the title line, even after Escape`() throws {
        let stepped = SteppedRunner()
        let source = DistantSource(count: 1_000, estimate: 2_000, canSeek: true)
        let pilot = try Pilot(source: source, runner: stepped.runner)
        pilot.press("Escape")
        #expect(pilot.line(0).contains("≈ 2,000"), "\(pilot.line(0))")
        pilot.session.send(.run(.sort))
        // The query finds the number of rows.
        try source.seek(toRecord: 5_000) { false }
        stepped.runNewest(pilot)
        #expect(!pilot.line(0).contains("≈") && pilot.state.document.isComplete, "\(pilot.line(0))")
    }

    @Test(arguments: [true, false])
    func `19.2: the suggested file name for an export of a server table is the name of the table`(onServer: Bool) throws {
        let pilot = try Pilot(source: DistantSource(count: 1_000, estimate: nil, canSeek: onServer))
        pilot.session.send(.run(.export))
        #expect((pilot.state.overlay as? ExportPrompt)?.field.string == (onServer ? "distant.csv" : "table.csv"))
    }

    @Test(arguments: [true, false]) func `19.4: on a server, --find does not wait until the rows are counted`(onServer: Bool) throws {
        let (stepped, source) = (SteppedRunner(), DistantSource(count: 1_000_000, estimate: nil, canSeek: onServer))
        var options = LaunchOptions()
        options.searchText = "row 50"
        let pilot = try Pilot(source: source, options: options, runner: stepped.runner)
        // The job that counts the rows reports its progress.
        pilot.session.showIndex()
        pilot.session.turn()
        #expect(stepped.count == (onServer ? 2 : 1))
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == (onServer ? "n 50" : "n 1") && pilot.state.document.isComplete == !onServer, "\(pilot.screen)")
    }

    @Test func `D4: a late row does not move the cursor if the user has moved it or pressed Escape`() throws {
        let (pilot, stepped) = try open()
        pilot.press("5 0 0 0 G j")
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == "n 2")
        pilot.press("6 0 0 0 G Escape")
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == "n 2", "cancelled")
    }

    @Test func `19.9: rows deleted after they were counted have the mark of pending rows, and a message reports them`() throws {
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        source.deleteRows(from: 997)
        let pilot = try Pilot(source: source)
        pilot.press("G")
        let message = "The table has changed: it has fewer rows. R reloads it."
        #expect(pilot.message == message && pilot.screen.contains("row 997"), "\(pilot.screen)")
        #expect(!pilot.screen.contains("row 998") && pilot.screen.count { $0 == "░" } == 3, "\(pilot.screen)")
        pilot.press("5 0 0 G")
        #expect(pilot.screen.contains("row 500") && pilot.message == "", "\(pilot.screen)")
    }

    @Test func `19.9: a message reports an error that the server found after all visible rows had arrived`() throws {
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        let pilot = try Pilot(source: source, size: (80, 14))
        pilot.press("G")
        #expect(pilot.screen.contains("row 1000") && pilot.message == "", "\(pilot.screen)")
        source.report("The number of rows has changed: 600 instead of 1,000. Reload the table.")
        pilot.session.turn()
        #expect(pilot.message == "The number of rows has changed: 600 instead of 1,000. R reloads the table.", "\(pilot.screen)")
        pilot.press("g")
        #expect(pilot.message == "" && pilot.screen.contains("row 1"), "\(pilot.screen)")
    }

    @Test func `D15: a printed screen does not wait for more rows of a server after rows could not be fetched`() throws {
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        source.deleteRows(from: 3)
        source.setArrivedCount(0)
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { source.setArrivedCount(.max) }
        let document = try Document(source, options: LaunchOptions())
        let lines = try Screenshot.draw(document, options: LaunchOptions(), size: TerminalSize(columns: 60, rows: 14), keys: []).lines()
        #expect(lines.contains { $0.contains("fewer rows") } && !lines.contains { $0.contains("row 1") }, "\(lines)")
    }

    @Test func `D2: the screen shows that visible rows are being fetched, and Escape does not cancel the fetch`() throws {
        let stepped = SteppedRunner()
        let source = DistantSource(count: 1_000_000, estimate: nil, canSeek: true)
        source.setArrivedCount(100)
        let pilot = try Pilot(source: source, runner: stepped.runner)
        stepped.runAll(pilot)
        func isWaiting() -> Bool { pilot.session.jobs.isRunning(.arrival) }
        #expect(!isWaiting())
        pilot.press("5 0 0 0 G")
        #expect(isWaiting() && pilot.line(5).contains("░"), "\(pilot.screen)")
        pilot.press("g")
        #expect(!isWaiting(), "the visible rows are at hand")
        pilot.press("5 0 0 0 G k Escape")
        #expect(isWaiting() && pilot.message == "" && pilot.state.jobs.map(\.kind) == [.arrival])
        source.setArrivedCount(.max)
        pilot.session.document.source.refresh()
        pilot.session.turn()
        #expect(!isWaiting() && pilot.screen.contains("row 5000") && !pilot.line(5).contains("░"), "\(pilot.screen)")
    }

    @Test func `19.3: the title line shows when rows were fetched if visible ones are older than a minute`() throws {
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        let now = Platform.secondsSince1970
        source.setFetchTime(now)
        let pilot = try Pilot(source: source)
        #expect(!pilot.line(0).contains("rows of"), "\(pilot.line(0))")
        source.setFetchTime(now - 90)
        pilot.press("G")
        #expect(pilot.line(0).contains("rows as of \(Platform.localTime(now - 90, now: now))"), "\(pilot.line(0))")
        source.setFetchTime(now)
        pilot.press("g")
        #expect(!pilot.line(0).contains("rows of"), "\(pilot.line(0))")
        #expect(Platform.localTime(now, now: now).count == 8 && Platform.localTime(now - 172_800, now: now).count == 19, "with the day")
    }

    @Test func `D4: rows in the middle are fetched by row number or percentage after a jump to the end`() throws {
        let (pilot, stepped) = try open()
        pilot.press("G")
        stepped.runNewest(pilot)
        #expect(pilot.line(12).hasSuffix("last row"))
        pilot.press("5 0 0 0 0 0 G")
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == "n 500000")
        pilot.press("7 5 %")
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == "n 750000" && pilot.message == "")
    }

    @Test func `D4: if a table cannot fetch single rows, a message says how many rows were read`() throws {
        let (pilot, stepped) = try open(canSeek: false)
        pilot.press("5 0 0 0 G")
        #expect(pilot.state.message == .rowNotRead(5_000, knownCount: 100) && pilot.cursorCell == "n 100" && stepped.count == 1)
    }

    @Test func `19.4: the number of filtered rows is estimated while they are counted`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.session.send(.addFilter("n contains '1'"))
        let rows = RowOrder.permuted(RowPermutation(RowNumbers(consecutive: 0..<256)))
        pilot.session.send(.filtering(pilot.state.query.requested, rows, extendsVisibleRows: false))
        #expect(pilot.state.grid.rows.count == 256 && pilot.state.estimatedRowCount == nil)
        var job = JobStatus(.arrange, "filtering", amount: .rows(1_000_000))
        job.estimatedRowCount = 90_000
        pilot.session.send(.jobs([job]))
        #expect(pilot.state.estimatedRowCount == 90_000 && pilot.state.grid.expectedRowCount == 90_000)
        // Only the server knows the rows in between.
        pilot.session.send(.terminal(.mouse(MouseEvent(.press(.left), x: 59, y: 6))))
        pilot.session.send(.terminal(.mouse(MouseEvent(.release(.left), x: 59, y: 6))))
        #expect(pilot.state.grid.cursor.row.map { $0 > 240 } == true && pilot.state.message == nil)
        job.estimatedRowCount = 200
        pilot.session.send(.jobs([job]))
        #expect(pilot.state.estimatedRowCount == nil && pilot.state.grid.expectedRowCount == nil, "less than the known rows")
    }

    @Test(arguments: [true, false])
    func `19.5: a server runs a filter only once, even before it has counted the rows`(onServer: Bool) throws {
        let (pilot, stepped) = try open(canSeek: onServer)
        pilot.session.send(.addFilter("n contains '1'"))
        pilot.session.jobs.cancel(.arrange)
        #expect(pilot.session.hasUnfilteredRows, "the filter has not run")
        let rows = RowOrder.permuted(RowPermutation(RowNumbers(consecutive: 0..<20)))
        pilot.session.send(.arranged(pilot.state.query.requested, rows, nil))
        #expect(pilot.state.query.isSettled && pilot.session.hasUnfilteredRows == !onServer)
        guard onServer else { return }
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete && pilot.state.grid.rows.count == 20, "the count does not run it again")
    }

    @Test func `19.5: completing the row count does not restart a filter that still runs on a server`() throws {
        let (pilot, stepped) = try open()
        pilot.session.send(.addFilter("n contains '1'"))
        pilot.session.turn()
        #expect(stepped.count == 2 && pilot.session.jobs.isRunning(.arrange), "the count and the filter")
        stepped.step()
        pilot.session.turn()
        #expect(pilot.state.document.isComplete && stepped.count == 1, "only the filter is left")
    }

    @Test func `19.4: a server sorts rows before they are counted, and the count does not sort them again`() throws {
        let (pilot, stepped) = try open()
        pilot.press("s")
        #expect(stepped.count == 2 && pilot.session.jobs.isRunning(.arrange) && pilot.message == "", "\(pilot.message)")
        let rows = RowOrder.permuted(RowPermutation(RowNumbers(consecutive: 1 << 40..<1 << 40 + 256)))
        pilot.session.send(.sorting(pilot.state.query.requested, rows))
        var job = JobStatus(.arrange, "sorting", amount: .rows(1_000_000))
        job.estimatedRowCount = 1_000_000
        pilot.session.send(.jobs([job]))
        #expect(pilot.state.grid.rows.count == 256 && pilot.state.estimatedRowCount == 1_000_000)
        pilot.press("G")
        #expect(pilot.message == "This is the last row so far. Not all rows are known yet.")
        stepped.step()
        pilot.session.turn()
        #expect(pilot.state.document.isComplete && stepped.count == 1, "only the sort is left")
        stepped.runAll(pilot)
        #expect(pilot.state.query.isSettled && pilot.state.query.shown.sort.count == 1)
    }

    @Test func `19.4: after the count is stopped, new rows are shown, even beyond the estimate, and R counts the rows`() throws {
        let stepped = SteppedRunner()
        let source = DistantSource(count: 1_000, estimate: 150, canSeek: true)
        let pilot = try Pilot(source: source, runner: stepped.runner)
        pilot.press("C-c")
        #expect(pilot.state.message == .notCounted(reloadKey: "R"))
        #expect(pilot.line(0).contains("≈ 150 × 1   not counted: R counts"), "\(pilot.line(0))")
        source.makeRowsKnown(upTo: 200)
        pilot.session.turn()
        pilot.press("2 0 0 G")
        #expect(pilot.cursorCell == "n 200" && pilot.line(12).hasSuffix("200 / …"), "\(pilot.screen)")
        pilot.press("7 0 0 G")
        stepped.runNewest(pilot)
        #expect(pilot.cursorCell == "n 700")
        pilot.press("G")
        stepped.runNewest(pilot)
        #expect(pilot.line(12).hasSuffix("last row"))
        pilot.press("R")
        #expect(pilot.state.message == .countingResumed)
        stepped.runAll(pilot)
        #expect(pilot.line(12).hasSuffix("1,000 / 1,000") && !pilot.line(0).contains("not counted"), "\(pilot.screen)")
    }

    @Test func `19.4: a server computes statistics while it counts and sorts the rows`() throws {
        let (pilot, stepped) = try open(estimate: nil)
        pilot.press("s I")
        #expect(stepped.count == 3 && pilot.screen.contains("Computing…") && pilot.screen.contains("all rows"), "\(pilot.screen)")
        stepped.runNewest(pilot)
        #expect((pilot.state.overlay as? StatisticsPanel)?.result != nil && !pilot.state.document.isComplete)
        #expect(!pilot.screen.contains("waiting"), "\(pilot.screen)")
    }

    @Test(arguments: [nil, 1_200])
    func `D10: an export of uncounted rows has all rows, and its prompt shows no wrong number`(estimate: Int?) throws {
        let (pilot, stepped) = try open(count: 1_000, estimate: estimate)
        for name in ["rows.csv", "rows.txt", "rows.jsonl"] {
            pilot.press("zs C-u")
            pilot.type(pilot.folder.path(of: name))
            #expect(pilot.screen.contains(estimate == nil ? "All rows as " : "All ≈ 1,200 rows as "), "\(pilot.screen)")
            pilot.press("Enter")
            stepped.runNewest(pilot)
            #expect(pilot.message.hasPrefix("Exported 1,000 rows to "), "\(pilot.message)")
            let text = try String(contentsOfFile: pilot.folder.path(of: name), encoding: .utf8)
            #expect(text.contains("row 1\n") || text.contains("\"row 1\""), "\(name)")
            #expect(text.contains("row 1000") && !text.contains("row 1001") && !pilot.state.document.isComplete, "\(name)")
        }
    }

    @Test func `D10: an export of selected rows is refused until the rows are counted`() throws {
        let (columns, _) = try open(count: 1_000, estimate: nil)
        columns.press("C-Space zs C-u")
        columns.type(columns.folder.path(of: "columns.csv"))
        columns.press("Enter")
        #expect(columns.screen.contains("once reading, filtering and sorting"), "\(columns.screen)")
        let (pilot, stepped) = try open(count: 1_000, estimate: nil)
        pilot.press("C-a zs C-u")
        pilot.type(pilot.folder.path(of: "rows.csv"))
        pilot.press("Enter")
        #expect(pilot.screen.contains("once reading, filtering and sorting"), "\(pilot.screen)")
        stepped.runAll(pilot)
        #expect(pilot.screen.contains("Selection of 1,000 rows as CSV."), "\(pilot.screen)")
    }

    @Test func `A13: if rows are counted while the scroll bar is dragged, its release shows the row at its position`() throws {
        let (pilot, stepped) = try open()
        pilot.drag(from: (59, 2), to: (59, 6), holding: true)
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete)
        pilot.mouse(.release(.left), 59, 6)
        #expect(pilot.state.grid.currentRow.map { (400_000...500_000).contains($0.rawValue) } == true, "\(pilot.screen)")
    }

    @Test(
        arguments: [true, false])
    func `A13: if a table has fewer rows than estimated, dragging the scroll bar past its end goes to the last row`(
        isCountedDuringDrag: Bool
    ) throws {
        let (pilot, stepped) = try open(count: 300_000)
        pilot.drag(from: (59, 2), to: (59, 6), holding: true)
        if isCountedDuringDrag { stepped.runAll(pilot) }
        pilot.mouse(.release(.left), 59, 6)
        if !isCountedDuringDrag { stepped.runNewest(pilot) }
        #expect(pilot.cursorCell == "n 300000" && pilot.state.document.isComplete, "\(pilot.screen)")
        #expect(pilot.message.hasPrefix("No row 44") && pilot.message.hasSuffix(": the table has 300,000 rows."), "\(pilot.message)")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "n 300000" && pilot.line(12).hasSuffix("300,000 / 300,000"))
    }

    @Test func `A13: the scroll bar covers the estimated rows, and can be dragged to any of them`() throws {
        let (pilot, stepped) = try open()
        #expect(pilot.state.grid.expectedRowCount == 1_000_000 && pilot.line(2).hasSuffix("▐"))
        pilot.press("1 0 0 G")
        #expect(pilot.line(3).hasSuffix("▐"), "the last known row is near the start")
        pilot.drag(from: (59, 2), to: (59, 6), holding: true)
        #expect((5...6).contains { pilot.line($0).hasSuffix("▐") } && stepped.count == 1)
        pilot.mouse(.release(.left), 59, 6)
        #expect(stepped.count == 2)
        stepped.runNewest(pilot)
        #expect(pilot.state.grid.currentRow.map { (444_430...444_450).contains($0.rawValue) } == true, "\(pilot.screen)")
        pilot.drag(from: (59, 6), to: (59, 11))
        stepped.runNewest(pilot)
        #expect(pilot.line(12).hasSuffix("last row") && pilot.line(11).hasSuffix("▐"))
        stepped.runAll(pilot)
        #expect(pilot.state.grid.expectedRowCount == nil && pilot.line(12).hasSuffix("1,000,000 / 1,000,000"))
    }
}
