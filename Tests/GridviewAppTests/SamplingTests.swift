import DataGrid
import FieldValues
@testable import GridviewApp
import Locks
import Tables
import TerminalSurface
import Testing

/// A table of a million rows, in which far rows are first shown at positions that are too small by 7,000.
private final class SampledSource: TableSource {
    struct Rows: Table {
        let source: SampledSource
        let recordCount: Int
        let isComplete: Bool
        var columnCount: Int { 1 }
        var isSequential: Bool { true }

        func recordsWithoutWaiting(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
            let shift = source.sampled?.overlaps(range) == true ? SampledSource.shift : 0
            return try records(range.lowerBound + shift..<range.upperBound + shift, maximumFieldBytes: maximumFieldBytes)
        }

        func availableRecords(in records: Range<Int>) -> Range<Int> {
            records.clamped(to: 0..<max(recordCount, source.sampled?.upperBound ?? 0))
        }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            for record in records.clamped(to: 0..<SampledSource.count) {
                let texts = columns.map { column -> String? in column == 0 ? "row \(record + 1)" : nil }
                guard FieldBytes.withFields(of: texts, { body(record, $0) }) else { return }
            }
        }
    }

    static let shift = 7_000
    static let count = 1_000_000

    private struct State {
        var knownCount = SampledSource.count
        var isComplete = true
        var hasSamples = true
        var sampled: Range<Int>?
        var isCounted = false
        var notify: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// - Parameter knownCount: the number of known rows of an uncounted table; `nil` for a counted table.
    init(knownCount: Int? = nil) {
        state.withLock { state in if let knownCount { (state.knownCount, state.isComplete) = (knownCount, false) } }
    }

    var name: String { "sampled" }
    var estimatedRecordCount: Int? { Self.count }
    var path: String? { nil }
    var byteCount: Int { 0 }
    var indexedByteCount: Int { 0 }
    var isGrowing: Bool { false }
    var columnCount: Int { 1 }
    var hasColumnNames: Bool { true }
    var canSeek: Bool { true }
    var canBeQueriedWhileIncomplete: Bool { true }
    func title(ofColumn column: Int) -> String { column == 0 ? "n" : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        first > 0 ? [] : MemoryTable(column: ["row 1", "row 1000000"]).profiles(of: [0])
    }
    func snapshot() -> Rows { state.withLock { Rows(source: self, recordCount: $0.knownCount, isComplete: $0.isComplete) } }
    func tail(atLeast minimum: Int) throws -> TailRecords { TailRecords(records: [], firstByteOffset: 0, isSettled: true) }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        state.withLock { ($0.knownCount, $0.isComplete) = (Self.count, true) }
    }
    func seek(toRecord record: Int, isCancelled: () -> Bool) throws { state.withLock { $0.knownCount = max($0.knownCount, record + 50) } }
    func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

    func beginSampling(atRow row: Int) -> Range<Int>? {
        state.withLock { state in
            state.isCounted = false
            state.sampled = state.hasSamples ? max(0, row - 500)..<row + 500 : nil
            return state.sampled
        }
    }
    func endSampling() { state.withLock { $0.sampled = nil } }
    func sampledPositions(showing rows: Range<Int>) -> SampledPositions {
        state.withLock { state in
            guard state.sampled != nil else { return .none }
            guard state.isCounted else { return .approximate }
            state.sampled = nil
            return .exact(shift: Self.shift)
        }
    }

    /// The rows that are shown at approximate positions.
    var sampled: Range<Int>? { state.withLock { $0.sampled } }

    func setHasSamples(_ hasSamples: Bool) { state.withLock { $0.hasSamples = hasSamples } }

    /// Ends the count of the rows before the sampled rows; with `isFailure`, without a result.
    func endCount(isFailure: Bool = false) {
        let notify = state.withLock { state in
            if isFailure {
                state.sampled = nil
            } else if let sampled = state.sampled {
                // All rows up to the page of the sampled rows are known.
                (state.isCounted, state.knownCount) = (true, max(state.knownCount, sampled.upperBound + Self.shift))
            }
            return state.notify
        }
        notify()
    }
}

/// Far rows that are shown before their row numbers are known.
@MainActor
@Suite struct SamplingTests {
    private let source = SampledSource()
    private let pilot: Pilot

    init() throws { pilot = try Pilot(source: source) }

    private var top: Int { pilot.state.grid.scroll.top }
    /// The lines of the grid without row numbers and scroll bar.
    private var cells: [String] {
        (2...11).map { pilot.line($0).drop { $0 != "│" }.split(separator: " ").filter { $0 != "▐" }.joined(separator: " ") }
    }
    private var cursorRow: Int? { pilot.state.grid.cursor.row }

    private func endCount(isFailure: Bool = false) {
        source.endCount(isFailure: isFailure)
        pilot.session.turn()
    }

    private func drag() {
        pilot.drag(from: (59, 2), to: (59, 7))
        #expect((400_000...700_000).contains(top) && source.sampled?.contains(top) == true, "\(pilot.screen)")
    }

    @Test func `A13: dragging the scroll bar shows rows with approximate numbers, which exact ones later replace`() {
        drag()
        let (first, shift) = (top, SampledSource.shift)
        #expect(pilot.line(2).contains("≈\(first + 1)│") && pilot.line(2).contains("row \(first + shift + 1)"), "\(pilot.screen)")
        pilot.press("j j k")
        #expect(cursorRow == first + 1 && top == first && pilot.line(12).contains("≈ "), "\(pilot.screen)")
        let shown = cells
        endCount()
        #expect(top == first + shift && cursorRow == first + shift + 1 && cells == shown, "\(pilot.screen)")
        #expect(!pilot.screen.contains("≈") && pilot.line(2).contains(" \(first + shift + 1)│"), "\(pilot.screen)")
        #expect(pilot.state.sheet.sampledRows == nil && source.sampled == nil)
        // Rows on other pages also have exact numbers.
        pilot.press("PageDown")
        #expect(pilot.line(2).contains("\(top + 1)│") && pilot.line(2).contains("row \(top + 1)"), "\(pilot.screen)")
    }

    @Test func `A13: a jump to a percentage shows rows with approximate numbers`() throws {
        pilot.press("5 0 %")
        let first = top
        #expect(source.sampled?.contains(first) == true && pilot.line(2).contains("≈\(first + 1)│"), "\(pilot.screen)")
        let (row, shown) = (try #require(cursorRow), cells)
        endCount()
        #expect(top == first + SampledSource.shift && cursorRow == row + SampledSource.shift && cells == shown, "\(pilot.screen)")
    }

    @Test func `A13: a command on a row with an approximate number waits for the exact one, and Escape cancels it`() {
        drag()
        let first = top
        pilot.press("m")
        #expect(pilot.state.message?.id == .commandAwaitsCount && pilot.state.grid.marks.isEmpty)
        endCount()
        #expect(pilot.state.grid.marks == [RowID(first + SampledSource.shift)] && pilot.state.message?.id == .marked)
        pilot.press("M g")
        drag()
        pilot.press("m Escape")
        endCount()
        #expect(pilot.state.grid.marks.isEmpty && pilot.state.sheet.sampledRows == nil)
    }

    @Test func `A13: a click on a row with an approximate number has no effect`() {
        drag()
        let cursor = pilot.state.grid.cursor
        pilot.click(12, 6)
        #expect(pilot.state.message?.id == .rowsAwaitCount && pilot.state.grid.cursor == cursor)
        endCount()
        #expect(pilot.message == "")
        pilot.click(12, 6)
        #expect(cursorRow == top + 4)
    }

    @Test func `A13: rows have exact numbers again after a jump to another place`() {
        drag()
        pilot.press("g")
        #expect(top == 0 && source.sampled == nil && !pilot.screen.contains("≈") && pilot.line(2).contains("row 1 "), "\(pilot.screen)")
        drag()
        pilot.press("5 0 0 0 0 0 G")
        #expect(pilot.cursorCell == "n 500000" && source.sampled == nil && pilot.screen.contains("row 500000"), "\(pilot.screen)")
        #expect(pilot.state.sheet.jumpOrigins.isEmpty, "no jump goes back to a row whose number has changed")
    }

    @Test func `A13: rows have exact numbers again when the last visible row is outside of the sample`() {
        drag()
        pilot.press("4 9 5 j")
        #expect(source.sampled != nil && pilot.line(11).contains("≈"), "\(pilot.screen)")
        let last = source.sampled?.upperBound ?? 0
        pilot.press("8 j")
        #expect(top < last && last < top + 10 && source.sampled == nil && !pilot.screen.contains("≈"), "\(pilot.screen)")
        #expect(pilot.line(2).contains(" \(top + 1)│") && pilot.line(2).contains("row \(top + 1)"), "\(pilot.screen)")
    }

    @Test func `A13: rows keep their approximate numbers on a taller screen`() {
        drag()
        let (first, shown) = (top, cells)
        pilot.resize(60, 24)
        #expect(top == first && source.sampled != nil && pilot.screen.contains("≈\(first + 15)│"), "\(pilot.screen)")
        pilot.resize(60, 14)
        #expect(cells == shown)
        endCount()
        #expect(top == first + SampledSource.shift && cells == shown, "\(pilot.screen)")
    }

    @Test func `A13: if the count fails, rows with exact numbers are shown, and a message says which command was not run`() {
        drag()
        let first = top
        pilot.press("m")
        endCount(isFailure: true)
        #expect(pilot.state.message?.id == .commandNotRun && pilot.state.grid.marks.isEmpty && top == first)
        #expect(pilot.line(2).contains(" \(first + 1)│") && pilot.line(2).contains("row \(first + 1)"), "\(pilot.screen)")
    }

    @Test func `A13: a table with marked or selected rows never shows approximate row numbers`() {
        source.setHasSamples(false)
        pilot.press("5 0 % m g")
        source.setHasSamples(true)
        pilot.press("5 0 %")
        #expect(source.sampled == nil && pilot.screen.contains("•"), "\(pilot.screen)")
        pilot.press("M g S-Down")
        #expect(!pilot.state.grid.selection.isEmpty)
        pilot.drag(from: (59, 2), to: (59, 7))
        #expect(source.sampled == nil && top > 400_000)
    }
}

/// Far rows of an uncounted table that are shown before their row numbers are known.
@MainActor
@Suite struct UncountedSamplingTests {
    private let source = SampledSource(knownCount: 100)
    private let stepped = SteppedRunner()
    private let pilot: Pilot

    init() throws { pilot = try Pilot(source: source, runner: stepped.runner) }

    private var top: Int { pilot.state.grid.scroll.top }
    private var cursorRow: Int? { pilot.state.grid.cursor.row }
    private var rowCount: Int { pilot.state.grid.rows.count }
    /// The row that is shown on a line of the grid.
    private func shownRow(_ line: Int) -> String {
        pilot.line(line + 2).drop { $0 != "│" }.dropFirst().split(separator: " ").filter { $0 != "▐" }.joined(separator: " ")
    }

    private func endCount(isFailure: Bool = false) {
        source.endCount(isFailure: isFailure)
        pilot.session.turn()
    }

    @Test func `A13: a jump to a percentage shows rows with approximate numbers, and makes all rows before them known`() throws {
        pilot.press("5 0 %")
        #expect(cursorRow == 499_999 && source.sampled == 499_499..<500_499 && rowCount == 500_499, "\(pilot.screen)")
        #expect(stepped.count == 1, "only the count of the table")
        #expect(pilot.line(2).contains("≈\(top + 1)│") && pilot.line(12).hasSuffix("≈ 500,000 / ≈ 1,000,000"), "\(pilot.screen)")
        let (first, row) = (top, shownRow(0))
        #expect(row == "row \(first + SampledSource.shift + 1)")
        pilot.press("k j")
        endCount()
        #expect(top == first + SampledSource.shift && cursorRow == 499_999 + SampledSource.shift && shownRow(0) == row, "\(pilot.screen)")
        #expect(pilot.line(2).contains(" \(top + 1)│") && pilot.state.sheet.sampledRows == nil && pilot.state.sheet.knownRowCount == nil)
        #expect(rowCount == 500_499 + SampledSource.shift && !pilot.state.document.isComplete && pilot.state.estimatedRowCount == 1_000_000)
        #expect(pilot.line(12).hasSuffix("507,000 / ≈ 1,000,000"), "\(pilot.screen)")
    }

    @Test func `A13: dragging the scroll bar shows unknown rows, and scrolling on from them shows their neighbors`() {
        pilot.drag(from: (59, 2), to: (59, 6))
        let first = top
        #expect((400_000...500_000).contains(first) && source.sampled?.contains(first) == true && stepped.count == 1, "\(pilot.screen)")
        pilot.press("8 0 0 k")
        #expect(top < first - 700 && source.sampled?.contains(top) == true && pilot.line(2).contains("≈\(top + 1)│"), "\(pilot.screen)")
        #expect(pilot.state.sheet.sampledRows?.contains(top) == true && cursorRow == top && stepped.count == 1)
        pilot.press("9 0 %")
        #expect(cursorRow == 899_999 && source.sampled?.contains(899_999) == true && rowCount == 900_499)
        pilot.press("g")
        #expect(top == 0 && rowCount == 100 && source.sampled == nil && shownRow(0) == "row 1" && !pilot.line(2).contains("≈"))
    }

    @Test(arguments: [false, true])
    func `A13: the exact row is fetched if the server knows no approximate position of an unknown row`(isLate: Bool) {
        source.setHasSamples(isLate)
        pilot.press("5 0 %")
        if isLate {
            #expect(source.sampled != nil)
            endCount(isFailure: true)
        }
        #expect(rowCount == 100 && pilot.state.sheet.sampledRows == nil && stepped.count == 2, "\(pilot.screen)")
        stepped.runNewest(pilot)
        #expect(cursorRow.map { (499_980...499_999).contains($0) } == true && !pilot.state.document.isComplete, "\(pilot.screen)")
        #expect(pilot.screen.contains("row \((cursorRow ?? 0) + 1)") && !pilot.line(2).contains("≈"))
    }

    @Test func `A13: scrolling from rows with approximate numbers to known rows fetches no row`() {
        pilot.press("5 0 %")
        let jobs = stepped.count
        source.setHasSamples(false)
        pilot.press("4 9 9 9 0 5 k")
        #expect(cursorRow == 94 && rowCount == 100 && pilot.state.sheet.sampledRows == nil, "\(pilot.screen)")
        #expect(stepped.count == jobs && shownRow(94 - top) == "row 95", "\(pilot.screen)")
    }

    @Test func `A13: a reload shows the rows of the new table, also while row numbers are approximate`() {
        pilot.press("5 0 %")
        var info = pilot.state.document
        info.recordCount = 256
        pilot.session.send(.fileReopened(info, columns: pilot.state.sheet.openedView.columns, derived: [], rowHeaderWidth: 8))
        #expect(rowCount == 256 && pilot.state.sheet.sampledRows == nil && pilot.state.sheet.knownRowCount == nil)
    }

    @Test func `A13: rows have exact numbers once all rows of the table are counted`() {
        pilot.press("5 0 %")
        stepped.runAll(pilot)
        #expect(rowCount == 1_000_000 && pilot.state.sheet.sampledRows == nil && pilot.state.sheet.knownRowCount == nil)
        #expect(source.sampled == nil && pilot.line(2).contains(" \(top + 1)│") && shownRow(0) == "row \(top + 1)", "\(pilot.screen)")
    }
}
