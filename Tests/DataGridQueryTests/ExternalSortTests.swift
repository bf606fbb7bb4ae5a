import GridTestSupport
import Locks
import Tables
import FieldValues
import Testing

@testable import DataGridQuery

/// External sorting gives the same order as sorting in memory.
@Suite("D6: external sorting")
struct ExternalSortTests {
    /// A scratch file in memory.
    final class MemoryFile: ScratchFile {
        struct DiskFull: Error {}
        private let bytes = Mutex<[UInt8]>([])
        let capacity: Int
        let onWrite: @Sendable () -> Void

        init(capacity: Int = .max, onWrite: @escaping @Sendable () -> Void = {}) { (self.capacity, self.onWrite) = (capacity, onWrite) }

        var size: Int { bytes.withLock { $0.count } }

        func write(_ written: UnsafeRawBufferPointer, at offset: Int) throws {
            onWrite()
            guard offset + written.count <= capacity else { throw DiskFull() }
            bytes.withLock { bytes in
                let missing = offset + written.count - bytes.count
                if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
                bytes.replaceSubrange(offset..<offset + written.count, with: written)
            }
        }

        func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws {
            bytes.withLock { target.copyBytes(from: $0[offset..<offset + target.count]) }
        }
    }

    private func sortExternally(
        _ table: any Table, _ keys: [ResolvedSortKey], within records: [UInt32]? = nil, piece: Int, threads: Int = 2,
        control: JobControl = JobControl(), file: MemoryFile = MemoryFile()
    ) throws -> [UInt32] {
        try ExternalSort(
            table: table, keys: keys, selection: try RecordSelection(order: records.map { RowNumbers($0) }, recordCount: table.recordCount),
            budget: piece * threads,
            makeScratchFile: { file }, threads: threads, control: control, minimumRunBytes: 1
        ).records().short
    }

    @Test(
        arguments: SortTests.orderings.indices,
        [false, true])
    func `D6: every sort order agrees with the reference, whatever the size of the sorted runs`(index: Int, isDescending: Bool)
        throws
    {
        let (name, ordering) = SortTests.orderings[index]
        for count in [0, 1, 2, 300, 3000] {
            let table = randomTable([name], count: count, seed: UInt64(count) + 100)
            let keys = [ResolvedSortKey(column: 0, ordering: ordering, isDescending: isDescending)]
            let expected = ReferenceSort(table: table).sorted(by: keys)
            #expect(try sortedRecords(of: table, by: keys, threads: 2, control: JobControl()).short == expected)
            for (piece, threads) in [(0, 1), (1000, 2), (20_000, 2), (1 << 20, 1)] {
                #expect(try sortExternally(table, keys, piece: piece, threads: threads) == expected, "\(name) \(count) \(piece)")
            }
        }
    }

    @Test func `D6: several sort keys sort all records, and subsets in any initial order`() throws {
        let table = randomTable(["flag", "text", "decimal", "whole", "date"], count: 2500, seed: 11)
        let orderings: [SortOrdering] = [.flag, .natural, .number, .number, .temporal(.date), .text]
        var random = SplitMix64(seed: 2)
        let all = (0..<UInt32(2500)).map { $0 }
        let selections: [[UInt32]?] = [
            nil, all.filter { $0 % 3 == 0 }, all.shuffled(using: &random), Array(all.shuffled(using: &random).prefix(100)), [], [2499, 7],
        ]
        for _ in 0..<12 {
            let keys = (0..<Int(random.next() % 3 + 1)).map { _ in
                let index = Int(random.next() % 6)
                return ResolvedSortKey(column: index % 5, ordering: orderings[index], isDescending: random.next() % 2 == 0)
            }
            for selection in selections {
                let expected = ReferenceSort(table: table).sorted(by: keys, within: selection)
                #expect(try sortExternally(table, keys, within: selection, piece: 5000) == expected, "\(keys)")
            }
        }
    }

    @Test func `D6: sorted, reversed and equal values and missing columns are sorted correctly`()
        throws
    {
        let up = (0..<2000).map { String(1_000_000 + $0) }
        let key = [ResolvedSortKey(column: 0, ordering: .text)]
        #expect(try sortExternally(MemoryTable(column: up), key, piece: 3000) == (0..<2000).map { $0 })
        #expect(try sortExternally(MemoryTable(column: up.reversed()), key, piece: 3000) == (0..<2000).reversed().map { $0 })
        let same = MemoryTable(column: [String](repeating: "same", count: 2000))
        for isDescending in [false, true] {
            let keys = [ResolvedSortKey(column: 0, ordering: .natural, isDescending: isDescending)]
            #expect(try sortExternally(same, keys, piece: 3000) == (0..<2000).map { $0 }, "equal records keep their order")
        }
        #expect(try sortExternally(same, [ResolvedSortKey(column: 9, ordering: .number)], piece: 3000) == (0..<2000).map { $0 })
    }

    @Test func `D6: fields with special bytes and long fields are sorted correctly`() throws {
        var random = SplitMix64(seed: 3)
        let alphabet: [Unicode.Scalar] = ["\0", "\u{1}", "\u{2}", "a", "é", "0", "1"]
        let texts = (0..<1500).map { _ in
            var text = ""
            for _ in 0..<random.next() % 5 { text.unicodeScalars.append(alphabet[Int(random.next() % 7)]) }
            return text
        }
        let long = String(repeating: "x", count: KeyColumn.maximumKeyBytes)
        let table = MemoryTable(texts.map { [$0, "\($0.utf8.count)"] } + [[long + "b", "1"], [long + "a", "1"], [long, "1"]])
        for ordering in [SortOrdering.text, .natural, .natural(.unicode), .number] {
            for isDescending in [false, true] {
                let keys = [
                    ResolvedSortKey(column: 0, ordering: ordering, isDescending: isDescending),
                    ResolvedSortKey(column: 1, ordering: .text, isDescending: !isDescending),
                ]
                let inMemory = try sortedRecords(of: table, by: keys, threads: 1, control: JobControl()).short
                #expect(try sortExternally(table, keys, piece: 4000) == inMemory, "\(ordering) \(isDescending)")
            }
        }
    }

    @Test func `D6: integers beyond the precision of doubles are sorted, with and without decimals`() throws {
        let whole = [
            "9007199254740993", "9007199254740992", "-9007199254740993", "-9007199254740992", "5", "9007199254740993", "1e30", "inf",
        ]
        for column in [Array(whole.dropLast(2)), whole, whole + ["0.5"]] {
            let table = MemoryTable(column: column)
            for isDescending in [false, true] {
                let keys = [ResolvedSortKey(column: 0, ordering: .number, isDescending: isDescending)]
                let expected = ReferenceSort(table: table).sorted(by: keys)
                #expect(try sortedRecords(of: table, by: keys, threads: 1, control: JobControl()).short == expected)
                #expect(try sortExternally(table, keys, piece: 60) == expected, "\(column)")
            }
        }
    }

    @Test func `D6: the memory budget selects the sorting method`() throws {
        let table = randomTable(["text", "decimal", "whole"], count: 4000, seed: 21)
        let needed = SortJob.maximumBytes([ResolvedSortKey(column: 0, ordering: .text)], count: 4000)
        // The column has many distinct strings, so it needs more memory than the estimate.
        let texts = MemoryTable(column: (0..<70_000).map { "a text of its own, number \($0 * 7919 % 70_000)" })
        let textBytes = SortJob.maximumBytes([ResolvedSortKey(column: 0, ordering: .text)], count: 70_000)
        let cases: [(MemoryTable, Int, Bool)] = [
            (table, 0, true), (table, needed - 1, true), (table, needed + 1000, false), (texts, textBytes + 100_000, true),
            (texts, textBytes + 10_000_000, false),
        ]
        for (table, budget, goesByFile) in cases {
            let file = MemoryFile()
            let store = ColumnStore(budget: budget) { file }
            let keys = [ResolvedSortKey(column: 0, ordering: .text, isDescending: true)]
            let sorted = try sortedRecords(of: table, by: keys, store: store, threads: 2, control: JobControl())
            #expect(sorted == (try sortedRecords(of: table, by: keys, threads: 2, control: JobControl())))
            #expect((file.size > 0) == goesByFile, "\(budget)")
        }
        // In a numeric sort, fields that are not numbers are stored as text, which exceeds the budget.
        let file = MemoryFile()
        let number = [ResolvedSortKey(column: 0, ordering: .number)]
        let store = ColumnStore(budget: SortJob.maximumBytes(number, count: 70_000)) { file }
        _ = try sortedRecords(of: texts, by: number, store: store, threads: 1, control: JobControl())
        #expect(file.size > 0)
    }

    @Test func `D6: an external sort can be cancelled while it reads, writes and merges`() throws {
        let table = randomTable(["text"], count: 30_000, seed: 30)
        let keys = [ResolvedSortKey(column: 0, ordering: .text)]
        let early = JobControl()
        let cancelling = UnreadableTable { if $0 == 100_000 { early.cancel() } }
        #expect(throws: JobCancelled.self) { try sortExternally(cancelling, keys, piece: 1 << 16, control: early) }
        let control = JobControl()
        let file = MemoryFile { control.cancel() }
        #expect(throws: JobCancelled.self) { try sortExternally(table, keys, piece: 10_000, control: control, file: file) }
        #expect(control.completed < control.total)
    }

    @Test func `D6: a table error or a full disk ends the sort with that error`() throws {
        let keys = [ResolvedSortKey(column: 0, ordering: .text)]
        let failing = UnreadableTable { if $0 == 150_000 { throw UnreadableTable.Broken() } }
        #expect(throws: UnreadableTable.Broken.self) { try sortExternally(failing, keys, piece: 1 << 16) }
        #expect(throws: IncompleteScan.self) { try sortExternally(ShortTable(), keys, piece: 1 << 16) }
        let table = randomTable(["text"], count: 3000, seed: 30)
        #expect(throws: MemoryFile.DiskFull.self) { try sortExternally(table, keys, piece: 5000, file: MemoryFile(capacity: 20_000)) }
        struct NoFile: Error {}
        let store = ColumnStore(budget: 0) { throw NoFile() }
        #expect(throws: NoFile.self) { try sortedRecords(of: table, by: keys, store: store, threads: 2, control: JobControl()) }
    }
}
