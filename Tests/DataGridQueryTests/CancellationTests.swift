import Tables
import FieldValues
import GridTestSupport
import Synchronization
import Testing

@testable import DataGridQuery

/// Jobs cancelled at random moments end soon, release all resources, and can be restarted.
@Suite("D2: cancellation at random moments")
struct CancellationTests {
    /// A table of 70,000 records in memory. It counts the records it delivers after the cancellation.
    final class CountingTable: Table {
        let recordCount = 70_000
        let columnCount = 4
        let contentID: Int? = 1
        let isCancelled = Flag()
        private let deliveredAfterCancellation = Atomic(0)

        var lateRecordCount: Int { deliveredAfterCancellation.load(ordering: .relaxed) }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            let buffer = UnsafeMutableBufferPointer<FieldBytes>.allocate(capacity: max(1, columns.count))
            defer { buffer.deallocate() }
            let fields = UnsafeBufferPointer(start: buffer.baseAddress, count: columns.count)
            for record in records {
                if isCancelled.isSet { deliveredAfterCancellation.add(1, ordering: .relaxed) }
                let first = record % Content.different * columnCount
                for (place, column) in columns.enumerated() { buffer[place] = Content.all.fields[first + column] }
                if !body(record, fields) { return }
            }
        }
    }

    /// Repeating fields: a code, a number, a string with many distinct values, and a string with few.
    struct Content: @unchecked Sendable {
        static let different = 1 << 14
        static let all = Content()
        let fields: UnsafeMutablePointer<FieldBytes>

        private init() {
            var random = SplitMix64(seed: 11)
            fields = .allocate(capacity: Content.different * 4)
            for number in 0..<Content.different {
                let note = ["", "ok", "late", "needle"][Int(random.next() % 4)]
                let texts = ["c\(random.next() % 500)", "\(random.next() % 100_000).25", "text \(number * 7919 % 16_381)", note]
                for (column, text) in texts.enumerated() {
                    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: text.utf8.count + 1)
                    for (place, byte) in text.utf8.enumerated() { (bytes + place).initialize(to: byte) }
                    (fields + number * 4 + column).initialize(to: FieldBytes(start: UnsafePointer(bytes), count: text.utf8.count))
                }
            }
        }
    }

    /// A file in memory that is counted while it exists.
    final class CountedFile: ScratchFile {
        private let file = ExternalSortTests.MemoryFile()
        private let open: Counter

        init(_ open: Counter) {
            self.open = open
            open.add(1)
        }

        deinit { open.add(-1) }

        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws { try file.write(bytes, at: offset) }
        func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws { try file.read(into: target, at: offset) }
    }

    final class Counter: Sendable {
        private let value = Atomic(0)
        func add(_ number: Int) { value.add(number, ordering: .relaxed) }
        var count: Int { value.load(ordering: .relaxed) }
    }

    /// A kind of job, with its result as numbers.
    struct Job: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable (CountingTable, ColumnStore, JobControl) throws -> [Int]
        var testDescription: String { name }
    }

    private static let code = ResolvedSortKey(column: 0, ordering: .natural)
    private static let number = ResolvedSortKey(column: 1, ordering: .number, isDescending: true)
    private static let text = ResolvedSortKey(column: 2, ordering: .text)

    static let jobs = [
        Job(name: "sort") { table, store, control in
            try sortedRecords(of: table, by: [code, number], store: store, threads: 2, control: control).array
        },
        Job(name: "sort texts") { table, store, control in
            try sortedRecords(
                of: table, by: [text], within: RowNumbers((0..<60_000).reversed().map { UInt32($0) }), threads: 2, control: control
            )
            .array
        },
        Job(name: "sort by way of a file") { table, store, control in
            try ExternalSort(
                table: table, keys: [number, text], selection: try RecordSelection(order: nil, recordCount: table.recordCount),
                budget: 1 << 20, makeScratchFile: store.makeScratchFile!, threads: 2, control: control, minimumRunBytes: 1
            ).records().array
        },
        Job(name: "filter") { table, store, control in
            let columns = [Field(FieldID(rawValue: 1), name: "n", kind: .decimal), Field(FieldID(rawValue: 3), name: "note", kind: .text)]
            let filter = try Filter("n > 20000 and note ~ 'l.t'", in: Schema(columns))
            return try filteredRecords(of: table, by: [filter], store: store, threads: 2, control: control).array
        },
        Job(name: "search") { table, store, control in
            try findRecords(matching: .smartCase("needle"), in: table, threads: 2, control: control).array
        },
        Job(name: "group") { table, store, control in
            let keys = [
                ResolvedGroupKey(column: 3, ordering: .text), ResolvedGroupKey(column: 0, ordering: .natural, order: .aggregate(0)),
            ]
            let subtotals = [
                AggregateRequest(function: .sum, column: 1, kind: .decimal), AggregateRequest(function: .distinct, column: 0, kind: .text),
                AggregateRequest(function: .last, column: 2, kind: .text),
            ]
            let result = try groupedRecords(
                of: table, by: keys, sortedBy: [], aggregates: subtotals, store: store, threads: 2, control: control)
            return Array(result.order) + [result.groups.count] + result.values.map(\.hashValue)
        },
        Job(name: "statistics") { table, store, control in
            let requests = (0..<4).map { StatisticsRequest(column: $0, kind: $0 == 1 ? .decimal : .text) }
            let all = try columnStatistics(of: table, requests, exactLimit: 10_000, threads: 2, control: control)
            return all.map(\.hashValue)
        },
        Job(name: "frequencies") { table, store, control in
            let found = try frequencies(of: table, StatisticsRequest(column: 2, kind: .text), threads: 2, control: control)
            return (0..<found.count).map { found.entry($0, byValue: false).hashValue }
        },
    ]

    @Test(arguments: jobs)
    func `D2: every cancelled job ends soon, releases its resources, and gives the same result when restarted`(_ job: Job) throws {
        var random = SplitMix64(seed: UInt64(job.name.utf8.count))
        let files = Counter()
        func store() -> ColumnStore { ColumnStore(budget: 64 << 20) { CountedFile(files) } }
        let expected = try job.run(CountingTable(), store(), JobControl())
        let kept = store()
        for _ in 0..<2 {
            let moment = Double(random.next() % 1000) / 1000
            weak var table: CountingTable?
            weak var control: JobControl?
            let lateReports = Counter()
            do {
                let tableOfRun = CountingTable()
                let controlOfRun = JobControl(onProgress: { control in
                    if control.isCancelled { return lateReports.add(1) }
                    guard let fraction = control.fraction, fraction > moment else { return }
                    control.cancel()
                    tableOfRun.isCancelled.set()
                })
                (table, control) = (tableOfRun, controlOfRun)
                #expect(throws: JobCancelled.self, "at \(moment)") { try job.run(tableOfRun, kept, controlOfRun) }
                // After cancellation, each thread reads at most 64 more records and reports the progress of its current piece.
                #expect(tableOfRun.lateRecordCount <= 2 * 64, "at \(moment)")
                #expect(lateReports.count <= 8, "at \(moment)")
            }
            #expect(table == nil && control == nil && files.count == 0, "at \(moment)")
            #expect(kept.byteCount <= kept.budget)
        }
        // Columns kept by cancelled jobs are correct.
        #expect(try job.run(CountingTable(), kept, JobControl()) == expected)
        #expect(files.count == 0)
    }

    @Test func `D2: each step that visits all groups stops when the job is cancelled`() throws {
        let table = MemoryTable((0..<300).map { ["\($0 * 7 % 300)", "\($0 % 7)"] })
        let keys = [
            ResolvedGroupKey(column: 0, ordering: .text, isDescending: true, order: .rowCount),
            ResolvedGroupKey(column: 1, ordering: .text, isDescending: true, order: .rowCount),
        ]
        let cancelled = JobControl()
        cancelled.cancel()
        for keys in [keys, [keys[1]]] {
            var result = try groupedRecords(of: table, by: keys, threads: 1, control: JobControl())
            let order = GroupOrder(table: table, keys: keys, aggregates: [], threads: 1, control: cancelled)
            #expect(throws: JobCancelled.self) { try order.sort(&result) }
            let (sequence, starts) = (Array(0..<UInt32(result.groups.count)), result.groups.starts)
            #expect(throws: JobCancelled.self) {
                try result.groups.rearranged(sequence, starts: starts, threads: 1, control: cancelled)
            }
        }
        #expect(throws: JobCancelled.self) { try GroupList.ends([0, 1, 0, 1], control: cancelled) }
        let requests = [LoadedColumns.Request(column: 1, form: .numbers)]
        let column = try LoadedColumns(requests, records: nil, of: table, store: nil, threads: 1, control: JobControl()).numberedColumn(1)!
        let level = try GroupLevel(column, keys[1], isOnlyLevel: true, threads: 1, control: JobControl())
        #expect(throws: JobCancelled.self) { try level.fieldNumbersByRank(threads: 1, control: cancelled) }
        let raw = try RawColumn(count: 100, threads: 1)
        try FieldBytes.withBytes(of: "7") { field in
            for slot in 0..<100 { try raw.append(field.bytes, at: slot, thread: 0) }
        }
        try raw.finishRange(0..<100, thread: 0)
        let runs = try FieldRuns(raw, .text, isDescending: false, threads: 1, control: JobControl())
        #expect(try runs.ranks(control: JobControl()) == [UInt32](repeating: 0, count: 100))
        #expect(throws: JobCancelled.self) { try runs.ranks(control: cancelled) }
    }
}

extension RowNumbers {
    fileprivate var array: [Int] { Array(self) }
}
