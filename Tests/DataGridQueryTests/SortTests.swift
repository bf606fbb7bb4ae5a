import GridTestSupport
import Tables
import FieldValues
import Synchronization
import Testing

@testable import DataGridQuery

@Suite("D6: sorting")
struct SortTests {
    static let orderings: [(String, SortOrdering)] = [
        ("whole", .number), ("decimal", .number), ("date", .temporal(.date)), ("flag", .flag), ("text", .text), ("text", .natural),
        ("text", .number), ("decimal", .text), ("date", .natural), ("text", .natural(.unicode)),
    ]

    @Test(arguments: orderings.indices, [false, true])
    func `every ordering agrees with the reference, ascending and descending`(index: Int, isDescending: Bool) throws {
        let (name, ordering) = Self.orderings[index]
        for count in [0, 1, 2, 17, 300, 5000] {
            let table = randomTable([name], count: count, seed: UInt64(count))
            let keys = [ResolvedSortKey(column: 0, ordering: ordering, isDescending: isDescending)]
            let expected = ReferenceSort(table: table).sorted(by: keys)
            for threads in [1, 2] {
                #expect(
                    try sortedRecords(of: table, by: keys, threads: threads, control: JobControl()).short == expected, "\(name) \(count)")
            }
        }
    }

    @Test func `several keys sort all records or a subset like the reference`() throws {
        let table = randomTable(["flag", "text", "decimal"], count: 3000, seed: 5)
        let keys = [
            ResolvedSortKey(column: 0, ordering: .flag, isDescending: true), ResolvedSortKey(column: 1, ordering: .natural),
            ResolvedSortKey(column: 2, ordering: .number, isDescending: true),
        ]
        var random = SplitMix64(seed: 1)
        let all = (0..<UInt32(3000)).map { $0 }
        let selections: [[UInt32]?] = [
            nil, all.shuffled(using: &random), all.filter { $0 % 3 == 0 }, Array(all.shuffled(using: &random).prefix(200)), [], [2999],
            all.reversed(),
        ]
        for selection in selections {
            let expected = ReferenceSort(table: table).sorted(by: keys, within: selection)
            #expect(
                try sortedRecords(of: table, by: keys, within: selection.map { RowNumbers($0) }, threads: 2, control: JobControl()).short
                    == expected)
            // Ties keep the given order, for the first and for later keys.
            let flag = [keys[0]]
            #expect(
                try sortedRecords(of: table, by: flag, within: selection.map { RowNumbers($0) }, threads: 1, control: JobControl()).short
                    == ReferenceSort(table: table).sorted(by: flag, within: selection))
        }
        #expect(try sortedRecords(of: table, by: [], threads: 1, control: JobControl()).short == all)
        #expect(
            try sortedRecords(of: table, by: [], within: RowNumbers([5, 1, 9999, 3]), threads: 1, control: JobControl()).short == [5, 1, 3])
        #expect(
            try sortedRecords(of: table, by: [ResolvedSortKey(column: 7, ordering: .number)], threads: 1, control: JobControl()).short
                == all)
    }

    /// The table has several ranges and blocks for each thread. It is not compared with the slow reference implementation.
    @Test func `large tables are sorted correctly by two threads`() throws {
        var random = SplitMix64(seed: 9)
        let numbers = (0..<150_000).map { _ in Double(random.next() % 1_000_000) / 8 + 0.1 }
        let table = MemoryTable(column: numbers.map { "\($0)" })
        let order = try sortedRecords(of: table, by: [ResolvedSortKey(column: 0, ordering: .number)], threads: 2, control: JobControl())
        #expect(zip(order, order.dropFirst()).allSatisfy { (numbers[Int($0)], $0) < (numbers[Int($1)], $1) })
        let control = JobControl()
        let text = try sortedRecords(
            of: table, by: [ResolvedSortKey(column: 0, ordering: .text, isDescending: true)], threads: 2, control: control)
        #expect(control.completed == control.total && control.fraction == 1)
        let bytes = numbers.map { Array("\($0)".utf8) }
        #expect(
            zip(text, text.dropFirst()).allSatisfy { a, b in
                bytes[Int(a)] == bytes[Int(b)] ? a < b : bytes[Int(b)].lexicographicallyPrecedes(bytes[Int(a)])
            })
    }

    /// The keys have equal leading bits, and are packed or wide. Buckets are large or small. All slots or a subset are sorted.
    @Test func `the sort of 64-bit keys agrees with the standard library for every pattern of bits`() throws {
        var random = SplitMix64(seed: 4)
        for mask in [UInt64.max, 0xFF, 0xFF00_0000_0000_00FF, 0x8000_0000_0000_0001, 0, 0xFFFF << 24, 0x3FF_FFFF] {
            for outlier in [nil, UInt64.max] {
                var values = (0..<1500).map { _ in random.next() & mask }
                if let outlier { values[17] = outlier }
                let keys = PlainKeys(values)
                let some = (0..<UInt32(1500)).filter { $0 % 3 == 0 }.shuffled(using: &random)
                for isDescending in [false, true] {
                    for sort in [
                        SlotSort(threads: 2, control: JobControl()), SlotSort(threads: 2, control: JobControl(), packedLimit: 0),
                        SlotSort(threads: 2, control: JobControl(), largeBucketSize: 50),
                    ] {
                        func order(_ slots: [UInt32]) -> [UInt32] {
                            slots.indices.sorted { a, b in
                                let (left, right) = (values[Int(slots[a])], values[Int(slots[b])])
                                return left == right ? a < b : (left < right) != isDescending
                            }.map { slots[$0] }
                        }
                        let all = try sort.sort(nil, count: values.count, keys: keys, isDescending: isDescending)
                        #expect((0..<all.count).map { all[$0] } == order((0..<1500).map { $0 }), "\(mask) \(sort.largeBucketSize)")
                        let slots = try UnsafeArray<UInt32>(count: some.count)
                        for (index, slot) in some.enumerated() { slots[index] = slot }
                        let part = try sort.sort(slots, count: some.count, keys: keys, isDescending: isDescending)
                        #expect((0..<part.count).map { part[$0] } == order(some), "\(mask) \(sort.largeBucketSize)")
                    }
                }
            }
        }
    }

    @Test(arguments: orderings.indices, [false, true])
    func `D6: the first sorted records equal the start of the completely sorted order`(index: Int, isDescending: Bool) throws {
        let (name, ordering) = Self.orderings[index]
        for count in [0, 1, 17, 300, 5000] {
            let table = randomTable([name], count: count, seed: UInt64(count) + 7)
            let keys = [ResolvedSortKey(column: 0, ordering: ordering, isDescending: isDescending)]
            let all = (0..<UInt32(count)).map { $0 }
            for selection in [nil, all.filter { $0 % 3 == 1 }, all.reversed()] {
                let expected = ReferenceSort(table: table).sorted(by: keys, within: selection)
                for (limit, threads) in [(0, 1), (1, 2), (40, 1), (400, 3), (6000, 2)] {
                    let first = try firstSortedRecords(
                        limit, of: table, by: keys, within: selection.map { RowNumbers($0) }, store: nil, threads: threads,
                        control: JobControl())
                    #expect(first.short.prefix(limit) == expected.prefix(limit), "\(name) \(count) \(limit)")
                }
            }
        }
    }

    /// The column has several ranges for each thread, and more values than the sort keeps.
    @Test func `D6: the first values of a sort are found while its column is read`() throws {
        let count = 150_000
        var random = SplitMix64(seed: 19)
        // Columns of fields. `isFound` is true if the first values can be found while the column is read.
        let columns: [(name: String, isFound: Bool, field: (Int) -> String)] = [
            ("random", true, { _ in "\(random.next() % 100_000)" }), ("ascending", true, { "\($0)" }),
            ("descending", true, { "\(100_000 - $0)" }), ("equal", true, { _ in "7" }),
            ("equal in all ranges", true, { $0 % 200 == 0 ? "0" : "1" }),
            ("more fraction digits later", true, { $0 < 70_000 ? "\($0 % 1_000)" : $0 < 100_000 ? "\($0 % 1_000).5" : "\($0 % 999).25" }),
            ("fewer fraction digits later", true, { $0 < 70_000 ? "\($0 % 1_000).125" : "-\($0 % 1_000)" }),
            ("mixed fraction digits", true, { ["\($0 % 999)", "\($0 % 888).75", "-0.5"][$0 % 3] }),
            ("other fields", true, { $0 % 3 == 0 ? "" : $0 % 5 == 0 ? "none" : "\($0 * 7_919 % count)" }),
            ("extremes", true, { $0 % 2 == 0 ? "9223372036854775807" : "-9223372036854775808" }),
            ("few values", false, { $0 < 20 ? "\($0)" : "" }), ("doubles", false, { "\($0 % 100)e300" }),
            ("too large for its fraction digits", false, { $0 == 9 ? "9000000000000001" : $0 == 140_000 ? "0.5" : "5" }),
        ]
        for (name, isFound, field) in columns {
            let table = MemoryTable(column: (0..<count).map(field))
            for (isDescending, limit) in [(false, 400), (true, 40)] {
                let key = ResolvedSortKey(column: 0, ordering: .number, isDescending: isDescending)
                let expected = try sortedRecords(of: table, by: [key], threads: 2, control: JobControl()).short.prefix(limit)
                let selection = try RecordSelection(order: nil, recordCount: count, shortLimit: JobControl().shortLimit)
                for threads in [1, 3] {
                    let first = try FirstValues.records(
                        of: table, selection, by: key, limit: limit, threads: threads, control: JobControl())
                    #expect((first != nil) == isFound, "\(name)")
                    if let first { #expect(first.short == Array(expected), "\(name) \(isDescending)") }
                    let rows = try firstSortedRecords(
                        limit, of: table, by: [key], within: nil, store: nil, threads: threads, control: JobControl())
                    #expect(rows.short.prefix(limit) == expected, "\(name) \(isDescending)")
                }
            }
        }
    }

    @Test func `D6: a partial sort finds the first slots in the requested order`() throws {
        var random = SplitMix64(seed: 6)
        for mask in [UInt64.max, 0x3F, 0] {
            for count in [0, 1, 9, 10, 11, 4000] {
                let values = (0..<count).map { _ in random.next() & mask }
                let shuffled = (0..<UInt32(count)).filter { $0 % 4 != 1 }.shuffled(using: &random)
                for (slots, isDescending, sampleSize) in [
                    ([UInt32]?.none, false, 50), (shuffled, true, 50), (nil, true, 1), (shuffled, false, 5000),
                ] {
                    let slotsToSort = slots ?? (0..<UInt32(count)).map { $0 }
                    let expected = slotsToSort.indices.sorted { a, b in
                        let (left, right) = (values[Int(slotsToSort[a])], values[Int(slotsToSort[b])])
                        return left == right ? a < b : (left < right) != isDescending
                    }.map { slotsToSort[$0] }
                    let storage = try UnsafeArray<UInt32>(count: slotsToSort.count)
                    for (index, slot) in slotsToSort.enumerated() { storage[index] = slot }
                    func precedes(_ a: Int, _ b: Int) -> Bool { (values[a] < values[b]) != isDescending && values[a] != values[b] }
                    func visit(_ range: Range<Int>, _ last: Int, _ body: (Int) throws -> Void) throws {
                        for slot in range where !precedes(last, slot) { try body(slot) }
                    }
                    let first = FirstSlots(limit: 10, threads: 2, control: JobControl(), sampleSize: sampleSize)
                    for visit in [nil, visit] {
                        let found = try first.find(slots == nil ? nil : storage, count: slotsToSort.count, precedes, visit: visit)
                        #expect(found == Array(expected.prefix(10)), "\(mask) \(count)")
                    }
                }
            }
        }
    }

    @Test func `D6: the first records are reported before the rest is sorted`() throws {
        let table = UnreadableTable(recordCount: 300_000) { _ in }
        for budget in [Int.max, 0] {
            for (ordering, isDescending) in [(SortOrdering.number, true), (.text, false), (.natural, true)] {
                var reported: [[UInt32]] = []
                let keys = [ResolvedSortKey(column: 0, ordering: ordering, isDescending: isDescending)]
                let store = ColumnStore(budget: budget) { ExternalSortTests.MemoryFile() }
                let sorted = try sortedRecords(of: table, by: keys, store: store, threads: 2, control: JobControl()) {
                    reported.append($0.short)
                }
                #expect(reported == [Array(sorted.short.prefix(SortJob.firstCount))])
                #expect(sorted[1] == sorted[0] + 7)
            }
        }
        // This column has mostly distinct strings, and some empty ones.
        let texts = MemoryTable(column: (0..<300_000).map { $0 % 1000 == 0 ? "" : "\($0 * 7919 % 300_000)" })
        for keys in [
            [ResolvedSortKey(column: 0, ordering: .text, isDescending: true)],
            [ResolvedSortKey(column: 0, ordering: .number), ResolvedSortKey(column: 0, ordering: .text)],
        ] {
            var reported: [[UInt32]] = []
            let sorted = try sortedRecords(of: texts, by: keys, threads: 2, control: JobControl()) { reported.append($0.short) }
            #expect(reported == [Array(sorted.short.prefix(SortJob.firstCount))])
        }
        var reported = 0
        _ = try sortedRecords(
            of: randomTable(["text"], count: 2000, seed: 1), by: [ResolvedSortKey(column: 0, ordering: .text)], threads: 1,
            control: JobControl()
        ) { _ in reported += 1 }
        #expect(reported == 0, "too few records for an early result")
    }

    @Test func `a cancellation or a table error ends a sort`() throws {
        let control = JobControl()
        let cancelling = UnreadableTable { if $0 == 100_000 { control.cancel() } }
        #expect(throws: JobCancelled.self) {
            try sortedRecords(of: cancelling, by: [ResolvedSortKey(column: 0, ordering: .number)], threads: 2, control: control)
        }
        #expect(control.completed < control.total)
        let failing = UnreadableTable { if $0 == 150_000 { throw UnreadableTable.Broken() } }
        for ordering in [SortOrdering.number, .text] {
            #expect(throws: UnreadableTable.Broken.self) {
                try sortedRecords(of: failing, by: [ResolvedSortKey(column: 0, ordering: ordering)], threads: 2, control: JobControl())
            }
        }
        #expect(throws: UnreadableTable.Broken.self) {
            try groupedRecords(of: failing, by: [ResolvedGroupKey(column: 0, ordering: .text)], threads: 2, control: JobControl())
        }
        #expect(throws: IncompleteScan.self) {
            try sortedRecords(of: ShortTable(), by: [ResolvedSortKey(column: 0, ordering: .text)], threads: 2, control: JobControl())
        }
        let cancelled = JobControl()
        cancelled.cancel()
        #expect(throws: JobCancelled.self) { try findRecords(matching: .smartCase("1"), in: failing, threads: 1, control: cancelled) }
    }
}

/// Sort keys without an encoding.
private struct PlainKeys: KeySource {
    let values: [UInt64]
    var count: Int { values.count }
    let minimum: UInt64
    let maximum: UInt64

    init(_ values: [UInt64]) {
        self.values = values
        (minimum, maximum) = (values.min() ?? .max, values.max() ?? 0)
    }

    func key(_ slot: Int) -> UInt64 { values[slot] }

    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>) {
        for slot in slots { keys[slot - slots.lowerBound] = values[slot] }
    }
}
