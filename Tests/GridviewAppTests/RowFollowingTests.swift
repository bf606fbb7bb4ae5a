import DataGrid
import DataGridQuery
import FieldValues
import GridTestSupport
import Locks
import Tables
import Testing

@testable import GridviewApp

/// Marked and selected rows of a table whose engine numbers the rows of each query separately, as a server does.
@MainActor
@Suite struct RowFollowingTests {
    /// Reverses the rows in each query, and leaves out the second row if there are filters. The order of the query `n`, from 1, has the
    /// number `2n`, or `2n + 1` with filters.
    private final class NumberingEngine: RowsOnlyEngine {
        private let hasKey: Bool
        private let queryCount = Mutex(0)
        let base = LocalQueryEngine(threads: 1)
        private let count: Int
        /// The number of times that rows were looked up by key.
        let lookUpCount = Mutex(0)

        init(hasKey: Bool = true, count: Int = 100) { (self.hasKey, self.count) = (hasKey, count) }

        func rows(
            of table: any Table, schema: Schema, matching query: Query, earlierFilterResult: FilterResult?, control: JobControl,
            report: (@Sendable (RowNumbers) -> Void)?
        ) throws -> QueryResult {
            guard !query.filters.isEmpty || !query.sort.isEmpty else { return QueryResult() }
            let last = queryCount.withLock { count in
                count += 1
                return count
            }
            let number = last * 2 + (query.filters.isEmpty ? 0 : 1)
            return QueryResult(rows: RowNumbers(consecutive: number << 40..<number << 40 + count - number % 2))
        }

        func positions(ofRecords records: [Int], of table: any Table, order: RowSequence, control: JobControl) throws -> [Int: Int]? {
            lookUpCount.withLock { $0 += 1 }
            guard hasKey, case .runs(let runs) = order else { return nil }
            let number = runs[0].lowerBound >> 40
            var positions: [Int: Int] = [:]
            for record in records {
                let place = record & (1 << 40 - 1)
                let row = record >> 40 == 0 ? place : count - 1 - place
                if number % 2 == 1, row == 1 { continue }
                positions[record] = number == 0 ? row : count - 1 - row - (row == 0 ? number % 2 : 0)
            }
            return positions
        }

        func insertionPosition(ofRecord record: Int, of table: any Table, order: RowSequence, control: JobControl) throws -> Int? { 7 }
    }

    private func open(
        _ engine: NumberingEngine = NumberingEngine(), count: Int = 100, pick: PickSettings? = nil, runner: JobRunner = .inline
    ) throws -> Pilot {
        var options = LaunchOptions()
        options.pick = pick
        options.makeEngine = { _ in engine }
        let source = DistantSource(count: count, estimate: count, canSeek: true)
        return try Pilot(source: source, size: (80, 14), options: options, runner: runner)
    }

    /// Opens a table whose jobs wait, and reads it.
    private func openStepped() throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        let pilot = try open(runner: stepped.runner)
        stepped.runAll(pilot)
        return (pilot, stepped)
    }

    /// Runs jobs until all rows of the query are shown. The search for rows in them waits.
    private func showRows(_ pilot: Pilot, _ stepped: SteppedRunner) {
        while stepped.count > 0, !pilot.state.query.isSettled { stepped.runNewest(pilot) }
    }

    /// Adds a filter, and waits for its rows.
    private func addFilter(_ pilot: Pilot) {
        pilot.session.send(.addFilter("n contains '1'"))
        pilot.session.turn()
    }

    private func selectedRows(_ pilot: Pilot) -> [Int] {
        let grid = pilot.state.grid
        return grid.selection.rows(rowCount: grid.rows.count, columns: grid.columns.visible.map(\.id)).flatMap { Array($0) }
    }

    /// The row at a position of an order.
    private func row(_ position: Int, of order: Int) -> RowID { RowID(order << 40 + position) }

    @Test func `19.4: marks and selections stay on their rows when a server sorts or filters, and in file order`() throws {
        let pilot = try open()
        pilot.press("j m j V j")
        #expect(pilot.state.grid.marks == [1] && selectedRows(pilot) == [2, 3])
        pilot.press("s")
        #expect(pilot.state.grid.marks == [row(98, of: 2)] && selectedRows(pilot) == [96, 97])
        pilot.press("Escape '")
        #expect(pilot.state.grid.cursor.row == 98)
        addFilter(pilot)
        #expect(pilot.state.grid.rows.count == 99 && pilot.state.grid.marks == [row(98, of: 2)], "the filter hides the marked row")
        pilot.press("'")
        #expect(pilot.state.message?.id == .noMarks)
        pilot.press("\\")
        #expect(pilot.state.grid.rows.count == 100 && pilot.state.grid.marks == [row(98, of: 6)])
        pilot.press("s s")
        #expect(pilot.state.grid.rows == .natural(count: 100) && pilot.state.grid.marks == [1])
    }

    @Test func `19.4: undoing a mark after a sort removes the mark from its row`() throws {
        let pilot = try open()
        pilot.press("j m s")
        #expect(pilot.state.grid.marks == [row(98, of: 2)])
        pilot.press("U")
        #expect(pilot.state.grid.marks == [1])
        pilot.press("U")
        #expect(pilot.state.grid.marks == [])
    }

    @Test func `19.4: a filter that a server runs keeps the cursor on its row, or near it`() throws {
        let pilot = try open()
        pilot.press("j j j")
        addFilter(pilot)
        #expect(pilot.state.grid.cursor.row == 96)
        let hidden = try open()
        hidden.press("j")
        addFilter(hidden)
        #expect(hidden.state.grid.cursor.row == 7, "the row is filtered out")
    }

    @Test(arguments: [false, true])
    func `19.4: after a second filter, the cursor is on its row again, even if the search for the row was cancelled`(isCancelled: Bool)
        throws
    {
        let (pilot, stepped) = try openStepped()
        pilot.press("j j j")
        pilot.session.send(.addFilter("n contains '1'"))
        showRows(pilot, stepped)
        #expect(pilot.state.grid.cursor.row == 0 && pilot.state.jobs.map(\.title) == ["finding the row of the cursor"])
        if isCancelled {
            pilot.press("Escape")
            stepped.runAll(pilot)
            #expect(pilot.state.message?.id == .cancelled && pilot.state.grid.cursor.row == 0)
        }
        pilot.session.send(.addFilter("n contains '2'"))
        stepped.runAll(pilot)
        #expect(pilot.state.grid.rows[0] == row(0, of: 5) && pilot.state.grid.cursor.row == 96)
    }

    @Test func `19.4: marks are found in the rows that remain after a cancelled query`() throws {
        let (pilot, stepped) = try openStepped()
        pilot.press("j m s")
        showRows(pilot, stepped)
        #expect(pilot.state.grid.marks == [1] && pilot.state.jobs.map(\.title) == ["finding marked rows"])
        pilot.press("s Escape")
        stepped.runAll(pilot)
        #expect(pilot.state.grid.rows[0] == row(0, of: 2) && pilot.state.grid.marks == [row(98, of: 2)])
        #expect(pilot.state.message?.id == .cancelled)
    }

    @Test func `19.4: cleared marks are not looked up before an undo sets them again`() throws {
        let engine = NumberingEngine()
        let pilot = try open(engine)
        pilot.press("j m s M")
        #expect(pilot.state.grid.marks.isEmpty)
        let count = engine.lookUpCount.withLock { $0 }
        pilot.press("s U")
        #expect(pilot.state.grid.rows[0] == row(0, of: 6) && engine.lookUpCount.withLock { $0 } == count)
        pilot.press("U")
        #expect(pilot.state.grid.marks == [row(98, of: 6)])
    }

    @Test func `19.4: if there are too many marks, a message says that only those of the first rows are kept`() throws {
        let (count, limit) = (20_000, AppState.maximumSelectedRows)
        let pilot = try open(NumberingEngine(count: count), count: count)
        for row in 0...limit { pilot.state.sheet.controller.perform(.toggleMark(RowID(row))) }
        for order in [2, 4] {
            pilot.press("s")
            let marks = pilot.state.grid.marks
            #expect(marks.count == limit + 1 && marks.filter { $0.order == 0 } == [RowID(limit)])
            #expect(marks.filter { $0.order == order }.count == limit && pilot.state.message == .notAllRowsFollowed)
        }
    }

    @Test(arguments: [false, true])
    func `19.4: the cursor moves to its row when the row is fetched, even before all rows are counted`(showsLastRows: Bool) throws {
        let stepped = SteppedRunner()
        let pilot = try open(NumberingEngine(count: 1_000), count: 1_000, runner: stepped.runner)
        pilot.session.send(.addFilter("n contains '1'"))
        showRows(pilot, stepped)
        // The cursor goes to row 120 of the table, because the query has the rows in reverse.
        pilot.session.send(.moveTo(row: 879, column: nil))
        pilot.press("\\")
        showRows(pilot, stepped)
        #expect(pilot.state.grid.rows == .natural(count: 100) && pilot.state.grid.cursor.row == 0)
        if showsLastRows {
            pilot.press("G")
            stepped.runNewest(pilot)
            #expect(pilot.state.grid.rows == .spliced(head: 100, tail: 50))
            pilot.press("g")
        }
        // The first job counts the rows.
        while stepped.count > 1 { stepped.runNewest(pilot) }
        #expect(!pilot.state.document.isComplete && pilot.state.grid.currentRow == 120)
    }

    @Test func `19.4, D19: rows that were marked before a server sorts are picked, including those that a filter hides`() throws {
        var pick = PickSettings()
        pick.allowsMany = true
        let pilot = try open(pick: pick)
        pilot.press("m j m s")
        addFilter(pilot)
        pilot.press("Enter")
        let rows = try #require(pilot.session.pickJob?.rows)
        #expect((0..<rows.count).map { rows[$0] } == [row(98, of: 5), row(98, of: 2)])
    }

    @Test func `19.4: if a table has no key, a message says that marks do not follow their rows`() throws {
        let pilot = try open(NumberingEngine(hasKey: false))
        pilot.press("s")
        #expect(pilot.state.message?.id == .sorted)
        pilot.press("g m s")
        #expect(pilot.state.message == .rowsNotFollowed && pilot.state.grid.marks == [row(0, of: 2)])
    }
}
