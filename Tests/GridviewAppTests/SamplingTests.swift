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
        var recordCount: Int { 1_000_000 }
        var isComplete: Bool { true }
        var columnCount: Int { 1 }
        var isSequential: Bool { true }

        func recordsAtHand(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
            let shift = source.sampled?.overlaps(range) == true ? SampledSource.shift : 0
            return try records(range.lowerBound + shift..<range.upperBound + shift, maximumFieldBytes: maximumFieldBytes)
        }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            for record in records.clamped(to: 0..<recordCount) {
                let texts = columns.map { column -> String? in column == 0 ? "row \(record + 1)" : nil }
                guard FieldBytes.withFields(of: texts, { body(record, $0) }) else { return }
            }
        }
    }

    static let shift = 7_000

    private struct State {
        var hasSamples = true
        var sampled: Range<Int>?
        var isCounted = false
        var notify: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    var name: String { "sampled" }
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
    func snapshot() -> Rows { Rows(source: self) }
    func tail(atLeast minimum: Int) throws -> TailRecords { TailRecords(records: [], firstByteOffset: 0, isSettled: true) }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {}
    func onArrival(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

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
            if isFailure { state.sampled = nil } else { state.isCounted = true }
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

    @Test("A13: the scroll bar shows rows with approximate numbers, which become exact while the rows stay on the screen")
    func scrollBar() {
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
        // Other rows are exact, too.
        pilot.press("PageDown")
        #expect(pilot.line(2).contains("\(top + 1)│") && pilot.line(2).contains("row \(top + 1)"), "\(pilot.screen)")
    }

    @Test("A13: a percentage shows rows with approximate numbers") func percentage() throws {
        pilot.press("5 0 %")
        let first = top
        #expect(source.sampled?.contains(first) == true && pilot.line(2).contains("≈\(first + 1)│"), "\(pilot.screen)")
        let (row, shown) = (try #require(cursorRow), cells)
        endCount()
        #expect(top == first + SampledSource.shift && cursorRow == row + SampledSource.shift && cells == shown, "\(pilot.screen)")
    }

    @Test("A13: a command for a row waits for its exact number, and Escape cancels the command") func heldCommands() {
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

    @Test("A13: a click on a row with an approximate number has no effect") func click() {
        drag()
        let cursor = pilot.state.grid.cursor
        pilot.click(12, 6)
        #expect(pilot.state.message?.id == .rowsAwaitCount && pilot.state.grid.cursor == cursor)
        endCount()
        #expect(pilot.message == "")
        pilot.click(12, 6)
        #expect(cursorRow == top + 4)
    }

    @Test("A13: rows are exact again after a jump to another place") func jump() {
        drag()
        pilot.press("g")
        #expect(top == 0 && source.sampled == nil && !pilot.screen.contains("≈") && pilot.line(2).contains("row 1 "), "\(pilot.screen)")
        drag()
        pilot.press("5 0 0 0 0 0 G")
        #expect(pilot.cursorCell == "n 500000" && source.sampled == nil && pilot.screen.contains("row 500000"), "\(pilot.screen)")
        #expect(pilot.state.sheet.jumps.isEmpty, "no jump goes back to a row whose number has changed")
    }

    @Test("A13: rows are exact again when the last visible row leaves the sampled rows") func scrollOut() {
        drag()
        pilot.press("4 9 5 j")
        #expect(source.sampled != nil && pilot.line(11).contains("≈"), "\(pilot.screen)")
        let last = source.sampled?.upperBound ?? 0
        pilot.press("8 j")
        #expect(top < last && last < top + 10 && source.sampled == nil && !pilot.screen.contains("≈"), "\(pilot.screen)")
        #expect(pilot.line(2).contains(" \(top + 1)│") && pilot.line(2).contains("row \(top + 1)"), "\(pilot.screen)")
    }

    @Test("A13: rows keep their approximate numbers on a taller screen") func resize() {
        drag()
        let (first, shown) = (top, cells)
        pilot.resize(60, 24)
        #expect(top == first && source.sampled != nil && pilot.screen.contains("≈\(first + 15)│"), "\(pilot.screen)")
        pilot.resize(60, 14)
        #expect(cells == shown)
        endCount()
        #expect(top == first + SampledSource.shift && cells == shown, "\(pilot.screen)")
    }

    @Test("A13: rows at exact positions are shown if the rows cannot be counted, and a message names the lost command") func failure() {
        drag()
        let first = top
        pilot.press("m")
        endCount(isFailure: true)
        #expect(pilot.state.message?.id == .commandNotRun && pilot.state.grid.marks.isEmpty && top == first)
        #expect(pilot.line(2).contains(" \(first + 1)│") && pilot.line(2).contains("row \(first + 1)"), "\(pilot.screen)")
    }

    @Test("A13: marked and selected rows never have approximate numbers") func markedRows() {
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
