import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
@testable import GridviewApp
import Locks
import TableFormats
import Tables
import TerminalSurface
import Testing

/// A file system with slow reads. No key waits for a read.
@MainActor
@Suite(.serialized) struct SlowReadingTests {
    /// Records reads on the main thread, except reads for frames, and delays the reads of other threads.
    private final class ReadMonitor: Sendable {
        let reads = Mutex<[String]>([])
        /// The duration of each read on other threads, in seconds.
        let delay: Double

        init(delay: Double) { self.delay = delay }

        /// Called with each read that is not for a frame.
        func read(_ what: String) {
            if Thread.isMainThread { reads.withLock { $0.append(what) } } else { Thread.sleep(forTimeInterval: delay) }
        }
    }

    /// A table that reports its reads.
    private struct MonitoredTable: Table {
        let table: any Table
        let monitor: ReadMonitor

        var recordCount: Int { table.recordCount }
        var columnCount: Int { table.columnCount }
        var contentID: Int? { table.contentID }
        var isComplete: Bool { table.isComplete }
        var meanRecordBytes: Int { table.meanRecordBytes }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            monitor.read("scan of \(records)")
            try table.scan(records, columns: columns, body)
        }

        func scan(_ record: Record, columns: [Int], _ body: (UnsafeBufferPointer<FieldBytes>) -> Void) throws {
            monitor.read("scan of a record")
            try table.scan(record, columns: columns, body)
        }

        // Drawing a frame reads with these functions.
        func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
            try table.records(range, maximumFieldBytes: maximumFieldBytes)
        }
        func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord { try table.lazyRecord(record, number: number) }
    }

    private final class MonitoredSource: TableSource {
        let base: any TableSource
        let monitor: ReadMonitor

        init(_ base: any TableSource, _ monitor: ReadMonitor) { (self.base, self.monitor) = (base, monitor) }

        var name: String { base.name }
        var path: String? { base.path }
        var byteCount: Int { base.byteCount }
        var indexedByteCount: Int { base.indexedByteCount }
        var isGrowing: Bool { base.isGrowing }
        var columnCount: Int { base.columnCount }
        var hasColumnNames: Bool { base.hasColumnNames }
        func title(ofColumn column: Int) -> String { base.title(ofColumn: column) }
        func profiles(budgetMilliseconds: Int) -> [ColumnProfile] {
            monitor.read("samples")
            return base.profiles(budgetMilliseconds: budgetMilliseconds)
        }
        func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
            if first < columnCount { monitor.read("samples of later columns") }
            return base.profiles(ofColumnsFrom: first)
        }
        func snapshot() -> MonitoredTable { MonitoredTable(table: base.snapshot(), monitor: monitor) }
        func tail(atLeast count: Int) throws -> TailRecords {
            monitor.read("tail")
            return try base.tail(atLeast: count)
        }
        func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
            monitor.read("everything")
            try base.readAll(threads: threads, priority: priority, progress: progress)
        }
        var problems: [String] {
            monitor.read("problems")
            return base.problems
        }
        var conversions: [TextConversion] {
            monitor.read("conversions")
            return base.conversions
        }
    }

    private struct MonitoredOpener: TableOpener {
        let monitor: ReadMonitor

        func open(path: String) throws -> any TableSource { MonitoredSource(try FileOpener().open(path: path), monitor) }
        func makeScratchFile() throws -> any ScratchFile { try FileOpener().makeScratchFile() }
    }

    private let folder: TemporaryFolder
    private let backend = RecordingBackend(size: TerminalSize(columns: 100, rows: 20))

    init() throws { folder = try TemporaryFolder() }

    /// Opens a table of 30,000 rows. A late row is longer than the others.
    private func session(_ monitor: ReadMonitor) throws -> Session {
        var text = "name,price,note\n"
        for row in 0..<30_000 { text += "n\(row % 50),\(row % 997).5,\"text, \(row)\"" + (row == 29_990 ? ",more\n" : "\n") }
        let source = MonitoredSource(try FileOpener().open(path: folder.file("t.csv", text)), monitor)
        var options = LaunchOptions()
        options.opener = MonitoredOpener(monitor: monitor)
        let session = try Session(Document(source, options: options), options: options, backend: backend)
        try session.start()
        // Opening reads samples before the screen appears.
        monitor.reads.withLock { $0 = [] }
        return session
    }

    /// Runs the loop until no job is left.
    private func waitForJobs(_ session: Session, seconds: Double = 20) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            try await Task.sleep(for: .milliseconds(5))
            session.turn()
        } while (!session.state.jobs.isEmpty || !session.state.query.isSettled) && ContinuousClock.now < end
        #expect(session.state.jobs.isEmpty, "\(session.state.jobs.map(\.title))")
    }

    private func press(_ keys: String, _ session: Session) throws {
        for key in try KeyScript.keys(keys) {
            backend.events.append(.key(key))
            session.turn()
        }
    }

    private func reads(_ monitor: ReadMonitor) -> [String] {
        monitor.reads.withLock { reads in
            defer { reads = [] }
            return reads
        }
    }

    @Test func `D2: no command reads more rows on the main thread than one frame shows`() async throws {
        let monitor = ReadMonitor(delay: 0.01)
        let session = try session(monitor)
        try press("G", session)
        try await waitForJobs(session)
        #expect(reads(monitor) == [], "while the file is read")
        #expect(session.state.document.isComplete && session.state.document.recordCount == 30_000)
        #expect(session.state.grid.columns.all.count == 4, "the late column exists")
        let exiting: Set<CommandID> = [.quit, .close, .suspend, .closeSheet]
        for command in Command.table where !exiting.contains(command.id) {
            session.send(.run(command.id))
            session.turn()
            try await waitForJobs(session)
            try press("Escape", session)
            #expect(reads(monitor) == [], "\(command.id)")
        }
    }

    @Test(arguments: [0.3]) func `D2: the result of a key press appears when its rows have been read`(delay: Double) async throws {
        let monitor = ReadMonitor(delay: delay)
        let session = try session(monitor)
        try press("G", session)
        #expect(session.state.grid.cursor.row == 0, "the end is still being read")
        try await waitForJobs(session)
        #expect(session.state.grid.cursor.row == 29_999)
        try press("g @", session)
        #expect(session.state.query.requested.filters.isEmpty)
        try await waitForJobs(session)
        #expect(session.state.query.shown.filters.map(\.text) == ["name = 'n0'"] && session.state.grid.rows.count == 600)
        try press("z= \"twice = price * 2\" Enter", session)
        #expect(session.state.sheet.derivedFields.isEmpty)
        try press("z= \"thrice = price * 3\" Enter", session)
        #expect(session.state.message?.isError == true, "otherwise two fields would have the same name")
        try await waitForJobs(session)
        #expect(session.state.sheet.derivedFields.count == 1 && backend.lines.joined().contains("twice"))
        try press("R", session)
        try await waitForJobs(session)
        #expect(session.state.message == .reloaded("t.csv") && session.state.sheet.derivedFields.count == 1)
        #expect(reads(monitor) == [])
    }

    @Test func `D2: the job that opens an input also samples the derived columns that wait for it`() async throws {
        let monitor = ReadMonitor(delay: 0.05)
        let path = try folder.file("t.csv", "name,price\n" + (0..<2_000).map { "n\($0),\($0).25\n" }.joined())
        var options = LaunchOptions()
        options.types = [(ColumnReference("price"), ColumnType(.decimal))]
        options.derivedColumns = ["twice = price * 2", "thrice = twice + price"]
        let session = try Session(
            awaiting: SheetInput(name: "t.csv") { MonitoredSource(try FileOpener().open(path: path), monitor) }, options: options,
            backend: backend)
        try session.start()
        try await waitForJobs(session)
        #expect(session.state.sheet.derivedFields.map(\.field.name) == ["twice", "thrice"])
        #expect(session.state.grid.columns.all.last?.format.alignedFractionDigits == 2, "as in the samples")
        #expect(backend.lines.joined().contains("thrice"))
        #expect(reads(monitor) == [])
    }

    @Test func `D2, D23: --pivot reads and samples its input in jobs`() async throws {
        let monitor = ReadMonitor(delay: 0.02)
        let path = try folder.file("t.csv", "name,price\n" + (0..<2_000).map { "n\($0 % 10),\($0 % 5).25\n" }.joined())
        var options = LaunchOptions()
        options.derivedColumns = ["twice = price * 2"]
        options.pivot = try PivotText(text: "name by price: max(twice)")
        let session = try Session(
            awaiting: SheetInput(name: "t.csv") { MonitoredSource(try FileOpener().open(path: path), monitor) }, options: options,
            backend: backend)
        try session.start()
        for _ in 0..<20 where session.state.document.name == "t.csv" { try await waitForJobs(session) }
        #expect(session.state.document.name == "t.csv: name by price" && session.state.grid.rows.count == 10)
        #expect(session.closingNotes.isEmpty && reads(monitor) == [])
    }

    @Test func `D2: moving the cursor before the last rows are read cancels a jump to the end`() async throws {
        let monitor = ReadMonitor(delay: 0.3)
        let session = try session(monitor)
        try press("G", session)
        try press("j j", session)
        try await waitForJobs(session)
        #expect(session.state.grid.cursor.row == 2)
    }
}
