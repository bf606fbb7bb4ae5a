import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import GridviewApp

/// Copies and output of a table that must be read sequentially, as on a server. On a server, each scan is a statement.
@MainActor
@Suite("19.2: copies and output of tables on servers") struct SequentialOutputTests {
    /// The scans of a table, and the number of records that they have passed.
    private final class Scans: Sendable {
        private let state = Mutex((ranges: [Range<Int>](), passedRecordCount: 0))

        var ranges: [Range<Int>] { state.withLock { $0.ranges } }
        var passedRecordCount: Int { state.withLock { $0.passedRecordCount } }
        func add(_ range: Range<Int>) { state.withLock { $0.ranges.append(range) } }
        func addRecord() { state.withLock { $0.passedRecordCount += 1 } }
    }

    private struct SequentialTable: Table {
        let rows: MemoryTable
        let scans: Scans
        /// The number of records of each section.
        var sectionLength = Int.max
        /// True if no record ever arrives.
        var isStalled = false
        var isSequential = true
        /// The record whose text every scan of it reports as cut; `nil` for none.
        var cutRecord: Int?
        var cuts: CutFields?

        struct Interrupted: Error {}

        var recordCount: Int { rows.recordCount }
        var columnCount: Int { rows.columnCount }

        func areInOneSection(_ records: Range<Int>) -> Bool {
            records.lowerBound / sectionLength == (records.upperBound - 1) / sectionLength
        }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            try scan(records, columns: columns, holding: RequiredBytes(), while: { true }, body)
        }

        func scan(
            _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
            _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool
        ) throws {
            scans.add(records)
            if isStalled {
                while shouldContinue() { usleep(1_000) }
                throw Interrupted()
            }
            try rows.scan(records, columns: columns) { record, fields in
                scans.addRecord()
                if record == cutRecord { cuts?.add(CutFields.Cut(record: record, column: 1, limit: "cells are cut")) }
                return body(record, fields)
            }
        }

        func recordingCuts(in cuts: CutFields) -> any Table {
            var table = self
            table.cuts = cuts
            return table
        }
    }

    private final class SequentialSource: TableSource {
        let table: SequentialTable

        init(_ table: SequentialTable) { self.table = table }

        var name: String { "trades" }
        var path: String? { nil }
        var byteCount: Int { 0 }
        var indexedByteCount: Int { 0 }
        var isGrowing: Bool { false }
        var columnCount: Int { table.columnCount }
        var hasColumnNames: Bool { true }
        func title(ofColumn column: Int) -> String { ["id", "text"][column] }
        func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
        func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] { table.rows.profiles(of: Array(first..<max(first, 2))) }
        func snapshot() -> SequentialTable { table }
        func tail(atLeast count: Int) throws -> TailRecords { TailRecords(records: [], firstByteOffset: 0, isSettled: true) }
        func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) {}
    }

    private static let count = 20_000
    /// A table whose last rows have long text.
    private static let rows = MemoryTable(
        (0..<count).map { row -> [String?] in
            [String(row), row % 7 == 0 ? nil : row < 15_000 ? "text \(row % 100)" : "a longer text, \(row % 1_000)"]
        })
    private let columns = [Column(id: ColumnID(0), title: "id", kind: .integer), Column(id: ColumnID(1), title: "text")]
    private let scans = Scans()
    private var table: SequentialTable { SequentialTable(rows: Self.rows, scans: scans) }

    private func lines(_ rows: some Sequence<Int>) -> String {
        rows.map { "\(Self.rows.rows[$0][0] ?? "")\t\(Self.rows.rows[$0][1] ?? "")" }.joined(separator: "\n")
    }

    private func copyJob(
        _ ranges: [Range<Int>], of table: SequentialTable? = nil, in order: RowOrder = .natural(count: count), tail: TailRecords? = nil,
        byteLimit: Int = 4 << 20
    ) -> CopyJob {
        CopyJob(
            table: table ?? self.table, tail: tail, rows: order, cells: CopiedCells(columns, rows: ranges),
            content: .plain(withTitles: true), inputName: "trades", byteLimit: byteLimit)
    }

    /// The copied text without the header.
    private func text(_ job: CopyJob, _ control: JobControl = JobControl()) throws -> String? {
        guard case .text(let bytes, _) = try job.run(control) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 1).last.map(String.init)
    }

    @Test func `copying all rows takes one scan and reports progress`() throws {
        let control = JobControl()
        let copied = try text(copyJob([0..<Self.count]), control)
        #expect(copied == lines(0..<Self.count))
        #expect(scans.ranges == [0..<Self.count])
        #expect(control.completed == Self.count && control.total == Self.count)
    }

    @Test func `copying rows near each other takes one scan, and rows far away take another scan`() throws {
        let ranges = [10..<12, 100..<101, 4_000..<4_003, 15_000..<15_001]
        let copied = try text(copyJob(ranges))
        #expect(copied == lines(ranges.joined()))
        #expect(scans.ranges == [10..<4_003, 15_000..<15_001])
    }

    @Test func `copying rows of different sections takes one scan per section, unless the rows are adjacent`() throws {
        let ranges = [9..<10, 11..<13, 17..<18, 20..<25, 4_000..<4_001]
        let copied = try text(copyJob(ranges, of: SequentialTable(rows: Self.rows, scans: scans, sectionLength: 10)))
        #expect(copied == lines(ranges.joined()))
        #expect(scans.ranges == [9..<10, 11..<18, 20..<25, 4_000..<4_001])
        let adjacent = try text(copyJob([5..<10, 10..<12], of: SequentialTable(rows: Self.rows, scans: scans, sectionLength: 10)))
        #expect(adjacent == lines(5..<12))
        #expect(scans.ranges.last == 5..<12)
    }

    @Test func `rows that were moved by hand are copied in the manual order`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(source: SequentialSource(table), runner: stepped.runner)
        stepped.runAll(pilot)
        // Row 11 is moved up by three places.
        pilot.press("1 1 G K K K")
        stepped.runAll(pilot)
        pilot.press("C-a y")
        #expect(stepped.count == 1)
        let before = scans.ranges.count
        stepped.step()
        #expect(Array(scans.ranges[before...]) == [0..<11, 7..<Self.count])
        pilot.session.turn()
        #expect(pilot.clipboardText == lines(Array(0..<7) + [10] + Array(7..<10) + Array(11..<Self.count)))
    }

    @Test func `copying stops at the size limit`() throws {
        guard case .failed(let message) = try copyJob([0..<Self.count], byteLimit: 60_000).run(JobControl()) else {
            return #expect(Bool(false), "the copy has no limit")
        }
        #expect(message == .tooLargeToCopy(about: nil, limit: 60_000))
        #expect(scans.ranges.count == 1 && (1_000..<10_000).contains(scans.passedRecordCount), "\(scans.passedRecordCount)")
    }

    @Test func `the size of a large copy is estimated from a few rows at 32 places, except on a server`() throws {
        let table = SequentialTable(rows: Self.rows, scans: scans, isSequential: false)
        guard case .failed(let message) = try copyJob([0..<9_600, 10_000..<19_600], of: table, byteLimit: 100_000).run(JobControl())
        else { return #expect(Bool(false), "the copy has no limit") }
        #expect(message.id == .tooLargeToCopy && message != .tooLargeToCopy(about: nil, limit: 100_000))
        #expect(scans.ranges.map(\.count) == Array(repeating: 8, count: 32) && scans.passedRecordCount == 256, "\(scans.ranges)")
        #expect(scans.ranges.first == 0..<8 && scans.ranges.last == 19_000..<19_008)
    }

    @Test(arguments: [1, 2]) func `a copy with exactly the maximum size is allowed`(count: Int) throws {
        let rows = [10..<10 + count]
        let cells = CopiedCells(Array(columns.prefix(count)), rows: rows)
        func copy(_ byteLimit: Int) throws -> [UInt8]? {
            let job = CopyJob(
                table: table, tail: nil, rows: .natural(count: Self.count), cells: cells, content: .plain(withTitles: false),
                byteLimit: byteLimit)
            guard case .text(let bytes, _) = try job.run(JobControl()) else { return nil }
            return bytes
        }
        let text = count == 1 ? "10" : lines(10..<12)
        #expect(try copy(text.utf8.count) == Array(text.utf8))
        #expect(try copy(text.utf8.count - 1) == nil)
    }

    @Test func `a truncated cell of the last rows is not copied`() throws {
        func tail(isTruncated: Bool) -> TailRecords {
            let fields = [RecordField(text: "20001"), RecordField(text: "start", isTruncated: isTruncated)]
            return TailRecords(records: [Record(fields: fields, byteRange: 0..<0, fieldCount: 2)], firstByteOffset: 0, isSettled: true)
        }
        let order = RowOrder.spliced(head: 10, tail: 1)
        let copied = try text(copyJob([8..<11], in: order, tail: tail(isTruncated: false)))
        #expect(copied == lines(8..<10) + "\n20001\tstart")
        guard case .failed(let message) = try copyJob([8..<11], in: order, tail: tail(isTruncated: true)).run(JobControl()) else {
            return #expect(Bool(false), "the start of the cell was copied")
        }
        #expect(message == .notCopied("Cannot copy long cells of the last rows until all rows are counted."))
    }

    @Test func `a copy can be cancelled while it waits for the first row`() throws {
        let control = JobControl()
        let job = copyJob([0..<Self.count], of: SequentialTable(rows: Self.rows, scans: scans, isStalled: true))
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { control.cancel() }
        try expectLinearTime(minutes: 1) {
            #expect(throws: JobCancelled.self) { try job.run(control) }
        }
        #expect(scans.ranges.count == 1)
    }

    /// The memory limit is so low that the rows of a file would be divided into many parts.
    @Test(
        arguments: FileFormats(LaunchOptions().files).all.map(\.name))
    func `each pass of an export takes one scan and gives the same rows as for a file`(name: String) throws {
        let format = try #require(FileFormats(LaunchOptions().files).all.first { $0.name == name })
        func exportedBytes(_ table: any Table, _ source: any TableSource) throws -> [UInt8] {
            let output = ViewOutput(
                input: source, table: table, columns: columns, allColumns: columns, rows: .natural(count: Self.count), tree: nil,
                format: format, threads: 2, memory: 1 << 10)
            var notes = OutputNotes(format)
            var sink = OutputSink(byteLimit: .max)
            try output.writeRows(at: [0..<100, 101..<Self.count], &notes, &sink, JobControl())
            return sink.buffer
        }
        let bytes = try exportedBytes(table, SequentialSource(table))
        #expect(try bytes == exportedBytes(Self.rows, MemorySource(name: "trades", titles: ["id", "text"], rows: Self.rows.rows)))
        #expect(bytes.count > 10_000)
        let all = 0..<Self.count
        // The columns of text are fitted to the first rows. Typed files need the types of all values first.
        #expect(scans.ranges == (format.text == .text ? [0..<5_001, all] : format.text == nil ? [all, all] : [all]), "\(scans.ranges)")
    }

    @Test(arguments: [OutputFormat.csv, .json, .text]) func `output reports cells that are cut while it reads them, and where`(
        format: OutputFormat
    ) throws {
        let table = SequentialTable(rows: Self.rows, scans: scans, cutRecord: 41)
        let document = try Document(SequentialSource(table), options: LaunchOptions())
        func notes(limit: Int) throws -> OutputNotes {
            var options = LaunchOptions()
            options.limit = limit
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format))).notes
        }
        let cut = try notes(limit: 50)
        #expect(cut.hasLosses && cut.lines == ["trades: cells are cut (the first in row 42, column “text”)."])
        let complete = try notes(limit: 10)
        #expect(!complete.hasLosses && complete.lines.isEmpty, "\(complete.lines)")
    }

    @Test(arguments: [OutputFormat.csv, .text]) func `output of groups reports cells that are cut`(format: OutputFormat) throws {
        let table = SequentialTable(rows: Self.rows, scans: scans, cutRecord: 100)
        var options = LaunchOptions()
        (options.groups, options.isCollapsed) = ([try GroupRequest(text: "id:100")], true)
        options.aggregates = [try AggregateOption(text: "first(text)")]
        let document = try Document(SequentialSource(table), options: options)
        let notes = try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format))).notes
        #expect(notes.hasLosses && notes.lines == ["trades: cells are cut (the first in row 101, column “text”)."])
    }

    @Test func `an export reports only the cells that were cut in its own rows`() throws {
        let table = SequentialTable(rows: Self.rows, scans: scans, cutRecord: 41)
        func lines(_ ranges: [Range<Int>]) throws -> [String] {
            let output = ViewOutput(
                input: SequentialSource(table), table: table, columns: columns, allColumns: columns, rows: .natural(count: Self.count),
                tree: nil, format: .text(.csv), threads: 1, memory: 1 << 20)
            let job = ExportJob(output: output, content: .selection(CopiedCells(columns, rows: ranges)))
            let folder = try TemporaryFolder()
            let file = try ExportFile(for: ExportTarget(folder.path(of: "rows.csv")))
            return try UnfinishedFiles().with(file) { try job.run(to: $0, JobControl()) }.notes.lines
        }
        #expect(try lines([30..<60]) == ["trades: cells are cut (the first in row 42, column “text”)."])
        #expect(try lines([0..<10]).isEmpty)
        // One scan reads both ranges, and passes the row between them.
        #expect(try lines([30..<41, 42..<60]).isEmpty && scans.ranges.last == 30..<60, "\(scans.ranges)")
    }

    @Test func `cells that a server cuts are not copied`() throws {
        let table = SequentialTable(rows: Self.rows, scans: scans, cutRecord: 41)
        func message(_ ranges: [Range<Int>]) throws -> Message? {
            guard case .failed(let message) = try copyJob(ranges, of: table).run(JobControl()) else { return nil }
            return message
        }
        #expect(try message([41..<42]) == .notCopied("trades: cells are cut (the first in row 42, column “text”)."))
        #expect(try message([0..<10]) == nil && message([40..<41, 42..<43]) == nil)
        let record = WholeRecord([1: "start"], cut: [1])
        let cells = CopiedCells(columns, rows: [0..<1])
        let job = CopyJob(table: table, tail: nil, rows: .natural(count: Self.count), cells: cells, content: .field(record, 1))
        guard case .failed(let found) = try job.run(JobControl()) else { return #expect(Bool(false), "the start of the cell was copied") }
        #expect(found == .notCopied("The server sends only the first 5 bytes of this cell. Use --sql to fetch the cell in parts."))
    }
}
