import DataGrid
import DataGridQuery
import FieldValues
@testable import GridviewApp
import TableFormats
import Tables
import Testing

/// Sorts and filters on a server that shows their rows before it counts them.
@MainActor
@Suite struct UncountedSortTests {
    @Test(arguments: ["Escape", "C-c"])
    func `19.4: Escape stops counting the sorted rows once the first ones are shown, and these rows stay`(key: String) throws {
        let (stepped, countHook) = (SteppedRunner(), CountHook())
        let source = DistantSource(count: 1_000_000, estimate: 1_000_000, canSeek: true)
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0, countHook: countHook) }
        let pilot = try Pilot(source: source, options: options, runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("s")
        countHook.body = { control in
            pilot.session.turn()
            #expect(pilot.state.grid.rows.count == 256 && !pilot.state.query.isSettled)
            // The key is pressed before the next turn of the loop, so the state of the job has not reached the screen.
            (control.estimatedRowCount, control.isCounting) = (900_000, true)
            pilot.press(key)
        }
        stepped.runNewest(pilot)
        #expect(pilot.state.query.isSettled && pilot.state.query.shown.sort.count == 1 && !pilot.session.jobs.isRunning(.arrange))
        #expect(pilot.state.message == .notCounted(reloadKey: "R") && pilot.line(0).contains("not counted"), "\(pilot.screen)")
        #expect(pilot.state.grid.rows.count == 256 && pilot.state.isOpenEnded && pilot.line(12).hasSuffix("1 / ≈ 900,000"))
        source.makeQueryRowsKnown(upTo: 512)
        pilot.session.turn()
        pilot.press("5 1 2 G")
        #expect(pilot.line(12).hasSuffix("512 / ≈ 900,000"), "\(pilot.screen)")
        source.makeQueryRowsKnown(upTo: 600, isComplete: true)
        pilot.session.turn()
        #expect(pilot.line(12).hasSuffix("512 / 600") && !pilot.line(0).contains("not counted"), "\(pilot.screen)")
    }

    @Test func `19.4: G shows the last rows of an uncounted sort, which stay while other rows arrive`() throws {
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        let pilot = try Pilot(source: source, options: options)
        #expect(pilot.state.document.isComplete, "the table is counted, and the sort is not")
        pilot.press("s")
        #expect(pilot.state.isUncounted && pilot.state.grid.rows.count == 256)
        pilot.press("G")
        #expect(pilot.line(12).hasSuffix("last row") && pilot.screen.contains("row 951") && pilot.message == "", "\(pilot.screen)")
        #expect(pilot.state.isUncounted && pilot.state.exportObstacle == nil, "an export has all rows")
        #expect(pilot.state.allRows.serverRecords?.lowerBound == 1 << 40)
        pilot.press("k")
        source.makeQueryRowsKnown(upTo: 512)
        pilot.session.turn()
        #expect(pilot.line(12).hasSuffix("2 from the end") && pilot.screen.contains("row 952"), "\(pilot.screen)")
        #expect(pilot.state.grid.rows == .spliced(first: 1 << 40, head: 512, tail: 50))
        pilot.press("7 0 0 G")
        #expect(pilot.message == "" && pilot.state.grid.cursor.row == 699, "the row is fetched")
        #expect(pilot.state.grid.rows == .spliced(first: 1 << 40, head: 749, tail: 50))
        pilot.press("G k")
        source.makeQueryRowsKnown(upTo: 1_000, isComplete: true)
        pilot.session.turn()
        #expect(pilot.line(12).hasSuffix("999 / 1,000") && !pilot.line(0).contains("not counted"), "\(pilot.screen)")
    }

    @Test func `19.4: if the last rows of an earlier sort arrive late, they are not shown`() throws {
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let pilot = try Pilot(source: DistantSource(count: 1_000, estimate: nil, canSeek: true), options: options)
        pilot.press("s")
        pilot.session.send(.tailRead(records: 50, ofQueryStartingAt: 2 << 40))
        #expect(pilot.state.grid.rows.count == 256 && pilot.state.grid.cursor.row == 0)
        pilot.session.send(.tailRead(records: 50, ofQueryStartingAt: 1 << 40))
        #expect(pilot.state.grid.rows.count == 306 && pilot.state.grid.cursor.row == 305)
    }

    @Test func `19.4: a sort stays if the server cannot count its rows, and the message gives the reason`() throws {
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let pilot = try Pilot(source: DistantSource(count: 1_000, estimate: nil, canSeek: true), options: options)
        pilot.press("1 0 0 0 G s")
        #expect(pilot.state.query.isSettled && pilot.state.query.shown.sort.count == 1 && pilot.state.grid.rows.count == 256)
        #expect(
            pilot.state.message?.text == "Too slow. All rows can be shown, but their number is not known. Press R to count them.")
        #expect(pilot.state.estimatedRowCount == 5_000 && pilot.line(0).contains("not counted"), "\(pilot.screen)")
        pilot.press("U")
        #expect(pilot.state.query.shown.isFileOrder && pilot.state.estimatedRowCount == nil && !pilot.line(0).contains("not counted"))
    }

    @Test(
        arguments: [600, 100, nil])
    func `19.4: R counts only the rows of an uncounted filter, Escape stops it, and R reloads after a failure`(count: Int?) throws {
        let (stepped, source) = (SteppedRunner(), DistantSource(count: 1_000, estimate: nil, canSeek: true))
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let pilot = try Pilot(source: source, options: options, runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.session.send(.addFilter("n contains '1'"))
        stepped.runAll(pilot)
        // The title line has room for the first words.
        #expect(pilot.state.isUncounted && pilot.line(0).contains("not counted: R"), "\(pilot.screen)")
        pilot.press("R")
        #expect(pilot.state.message == .countingResumed && stepped.count == 1 && !pilot.line(0).contains("not counted"))
        #expect(pilot.state.isRecounting)
        pilot.press("Escape")
        #expect(pilot.state.message == .notCounted(reloadKey: "R") && !pilot.session.jobs.isRunning(.arrange))
        #expect(!pilot.state.isRecounting && pilot.line(0).contains("not counted: R"), "\(pilot.screen)")
        #expect(pilot.state.isUncounted && pilot.state.query.shown.filters.count == 1 && pilot.state.grid.rows.count == 256)
        stepped.runAll(pilot)
        #expect(source.counts == (0, 1), "stopped before it began")
        source.setQueryRowCount(count)
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.state.query.isSettled && source.counts == (1, 1))
        if let count {
            #expect(pilot.state.grid.rows.count == count && !pilot.state.isUncounted, "\(pilot.screen)")
            #expect(!pilot.line(0).contains("not counted") && pilot.state.message == nil, "\(pilot.screen)")
        } else {
            #expect(pilot.state.message?.text == "Too slow. All rows can be shown, but their number is not known.")
            #expect(pilot.state.isUncounted && !pilot.state.isRecounting && pilot.state.grid.rows.count == 256)
            #expect(pilot.line(0).contains("not counted") && !pilot.line(0).contains("counted: R"), "\(pilot.screen)")
            pilot.press("R")
            // This table cannot be opened again.
            #expect(pilot.state.message?.id == .cannotReload && source.counts == (1, 1))
        }
    }

    @Test func `19.4: the advice to count rows with R stays visible while a job runs that does not count rows`() throws {
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let pilot = try Pilot(source: DistantSource(count: 1_000, estimate: nil, canSeek: true), options: options)
        pilot.press("s")
        #expect(pilot.state.isUncounted && pilot.state.countAdvice == "R")
        var job = JobStatus(.arrange, "sorting", amount: .rows(256))
        pilot.session.send(.jobs([job]))
        #expect(!pilot.state.isRecounting && pilot.state.countAdvice == "R")
        job.isCounting = true
        pilot.session.send(.jobs([job]))
        #expect(pilot.state.isRecounting && pilot.state.countAdvice == nil)
    }

    @Test(arguments: [false, true])
    func `19.4: if an uncounted table has no key, G shows that R counts the rows`(isSorted: Bool) throws {
        let stepped = SteppedRunner()
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        source.removeTail()
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let pilot = try Pilot(source: source, options: options, runner: stepped.runner)
        pilot.press("G")
        stepped.runNewest(pilot)
        #expect(pilot.message == "The table has no key, so the last rows cannot be shown until all are counted.", "while they are counted")
        if isSorted {
            stepped.runAll(pilot)
            pilot.press("s")
            stepped.runAll(pilot)
        } else {
            pilot.press("C-c")
        }
        pilot.press("j G")
        #expect(pilot.message == "")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .notCounted(reloadKey: "R"), "\(pilot.screen)")
    }

    /// Opens the same table for any path.
    private struct FixedOpener: TableOpener {
        let source: DistantSource
        func open(path: String) throws -> any TableSource { source }
        func makeScratchFile() throws -> any ScratchFile { try FileOpener().makeScratchFile() }
    }

    @Test(arguments: [false, true])
    func `19.9: after a lost connection, R reloads an uncounted table or sort at once`(isSorted: Bool) throws {
        let stepped = SteppedRunner()
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true, location: "distant:")
        let reloaded = DistantSource(count: 2_000, estimate: nil, canSeek: true, location: "distant:")
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        options.opener = FixedOpener(source: reloaded)
        let pilot = try Pilot(source: source, options: options, runner: stepped.runner)
        if isSorted {
            stepped.runAll(pilot)
            pilot.press("s")
            stepped.runAll(pilot)
        } else {
            pilot.press("C-c")
        }
        let counts = source.counts
        #expect(pilot.line(0).contains("not counted") && pilot.state.isUncounted == isSorted, "\(pilot.screen)")
        source.loseConnection()
        pilot.press("R")
        #expect(pilot.session.jobs.isRunning(.open) && !pilot.session.jobs.isRunning(.index) && !pilot.session.jobs.isRunning(.arrange))
        stepped.runNewest(pilot)
        #expect(pilot.state.message?.id == .reloaded && !pilot.state.isUncounted, "\(pilot.screen)")
        stepped.runAll(pilot)
        #expect(source.counts == counts && reloaded.counts.table == 1 && pilot.state.document.recordCount == 2_000)
    }

    @Test(arguments: [false, true])
    func `19.9: after a lost connection, neither the title line nor G says that R counts the rows`(isSorted: Bool) throws {
        let stepped = SteppedRunner()
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        source.removeTail()
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let pilot = try Pilot(source: source, options: options, runner: stepped.runner)
        if isSorted {
            stepped.runAll(pilot)
            pilot.press("s")
            stepped.runAll(pilot)
        } else {
            pilot.press("C-c")
        }
        #expect(pilot.line(0).contains("not counted") && pilot.state.countAdvice == "R", "\(pilot.screen)")
        source.loseConnection()
        pilot.press("G")
        stepped.runAll(pilot)
        #expect(pilot.message.hasPrefix("The table has no key"), "\(pilot.screen)")
        #expect(pilot.state.countAdvice == nil, "R reloads the table")
        #expect(pilot.line(0).contains("not counted") && !pilot.line(0).contains("not counted: R"), "\(pilot.screen)")
    }

    @Test(
        arguments: [(700, 699), (5_000, 999)])
    func `A13: the cursor goes to a requested row even if the row count ends before the row arrives`(rowNumber: Int, position: Int) throws {
        let stepped = SteppedRunner()
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let pilot = try Pilot(source: source, options: options, runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("s")
        stepped.runAll(pilot)
        #expect(pilot.state.isUncounted)
        pilot.press(String(rowNumber).map(String.init).joined(separator: " ") + " G")
        #expect(pilot.state.grid.cursor.row == 0)
        source.makeQueryRowsKnown(upTo: 1_000, isComplete: true)
        pilot.session.turn()
        #expect(!pilot.state.isUncounted && pilot.state.grid.rows.count == 1_000)
        stepped.runAll(pilot)
        #expect(pilot.state.grid.cursor.row == position, "\(pilot.screen)")
    }

    @Test func `19.4: rows of an uncounted sort are shown whenever they arrive, and cannot be moved by hand`() throws {
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let source = DistantSource(count: 1_000, estimate: nil, canSeek: true)
        let pilot = try Pilot(source: source, options: options)
        // The next page arrives before the count fails. No later page arrives.
        source.makeQueryRowsKnown(upTo: 512)
        pilot.press("s")
        #expect(pilot.state.isUncounted && pilot.state.grid.rows.count == 512)
        pilot.press("7 0 0 G")
        #expect(pilot.message == "" && pilot.state.grid.cursor.row == 699 && pilot.state.grid.rows.count == 749)
        pilot.press("K")
        #expect(pilot.state.message == .cannotMoveRowsYet && !pilot.state.grid.rows.isMoved)
        source.makeQueryRowsKnown(upTo: 768)
        pilot.session.turn()
        pilot.press("7 6 0 G")
        #expect(pilot.state.grid.cursor.row == 759 && pilot.state.grid.rows.count == 768)
    }

    @Test func `A13, D4: the scroll bar, a percentage and a row number fetch rows of an uncounted sort`() throws {
        var options = LaunchOptions()
        options.makeEngine = { UncountingEngine(base: $0) }
        let source = DistantSource(count: 4_000, estimate: nil, canSeek: true)
        let pilot = try Pilot(source: source, options: options)
        // The server estimates 5,000 rows.
        pilot.press("s 5 0 %")
        #expect(pilot.state.grid.cursor.row == 2_499 && pilot.message == "" && pilot.state.isUncounted, "\(pilot.screen)")
        #expect(pilot.line(12).hasSuffix("2,500 / ≈ 5,000"), "\(pilot.screen)")
        pilot.press("g")
        pilot.drag(from: (59, 2), to: (59, 8))
        #expect(pilot.state.grid.cursor.row.map { (3_000...3_700).contains($0) } == true && pilot.state.isUncounted, "\(pilot.screen)")
        pilot.press("4 5 0 0 G")
        #expect(
            pilot.state.message == .noSuchRow(4_500, lastRow: 4_000) && pilot.state.grid.cursor.row == 3_999 && !pilot.state.isUncounted)
    }

    /// Code that runs when the count of a query starts.
    @MainActor private final class CountHook {
        var body: (JobControl) -> Void = { _ in }
    }

    /// A server that finds the first rows of a query, and cannot count all of them.
    private struct UncountingEngine: RowsOnlyEngine {
        let base: LocalQueryEngine
        var countHook: CountHook?

        func rows(
            of table: any Table, schema: Schema, matching query: Query, earlierFilterResult: FilterResult?, control: JobControl,
            report: (@Sendable (RowNumbers) -> Void)?
        ) throws -> QueryResult {
            guard !query.sort.isEmpty || !query.filters.isEmpty else { return QueryResult() }
            let rows = RowNumbers(consecutive: 1 << 40..<1 << 40 + 256)
            report?(rows)
            if let countHook { MainActor.assumeIsolated { countHook.body(control) } }
            try control.checkCancellation()
            throw UncountedRows(rows: rows, estimatedCount: 5_000, reason: RequestError("Too slow."))
        }
    }

    @Test(arguments: [false, true])
    func `19.4: sorting and grouping by command-line options start before the rows are counted`(isGrouped: Bool) throws {
        let stepped = SteppedRunner()
        var options = LaunchOptions()
        if isGrouped {
            options.groups = [GroupRequest(ColumnReference("n"))]
        } else {
            options.sort = [SortRequest(ColumnReference("n"))]
        }
        let pilot = try Pilot(source: DistantSource(count: 1_000, estimate: nil, canSeek: true), options: options, runner: stepped.runner)
        pilot.session.turn()
        #expect(stepped.count == 2 && pilot.session.jobs.isRunning(.arrange))
        stepped.runNewest(pilot)
        #expect(pilot.state.query.isSettled && !pilot.state.query.shown.isFileOrder && !pilot.state.document.isComplete)
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete && pilot.state.query.isSettled)
    }
}
