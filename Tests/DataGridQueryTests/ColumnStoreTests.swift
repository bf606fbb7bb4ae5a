import GridTestSupport
import Tables
import FieldValues
import Synchronization
import Testing

@testable import DataGridQuery

@Suite("Column store")
struct ColumnStoreTests {
    /// A table that counts the records it delivers.
    private final class CountingTable: Table {
        let rows: MemoryTable
        let contentID: Int?
        let scanned = Atomic(0)

        init(_ rows: MemoryTable, contentID: Int?) { (self.rows, self.contentID) = (rows, contentID) }

        var recordCount: Int { rows.recordCount }
        var columnCount: Int { rows.columnCount }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            scanned.wrappingAdd(records.count, ordering: .relaxed)
            try rows.scan(records, columns: columns, body)
        }
    }

    /// Two columns of numbers and, between them, a column of strings with few distinct values.
    private let rows: MemoryTable = {
        let texts = randomTable(["text"], count: 2000, seed: 8)
        return MemoryTable(
            texts.rows.enumerated().map { index, row in ["\(index * 7919 % 1000)", row[0], "\(Double(index * 31 % 400) / 4)"] })
    }()

    private func sort(_ table: any Table, _ store: ColumnStore, _ keys: [ResolvedSortKey], within records: [UInt32]? = nil) throws {
        let sorted = try sortedRecords(
            of: table, by: keys, within: records.map { RowNumbers($0) }, store: store, threads: 2, control: JobControl())
        #expect(sorted.short == ReferenceSort(table: rows).sorted(by: keys, within: records))
    }

    @Test func `D6, D8: sorting and grouping read each column once`() throws {
        let (table, store) = (CountingTable(rows, contentID: 1), ColumnStore(budget: 1 << 20))
        let keys = [ResolvedSortKey(column: 1, ordering: .text), ResolvedSortKey(column: 2, ordering: .number, isDescending: true)]
        try sort(table, store, keys)
        let once = table.scanned.load(ordering: .relaxed)
        try sort(table, store, keys.reversed())
        // Sorts of a subset of the records use the stored columns.
        try sort(table, store, [ResolvedSortKey(column: 2, ordering: .number)], within: [5, 1900, 3, 77, 4])
        let requests = [AggregateRequest(function: .sum, column: 2), AggregateRequest(function: .count, column: 2)]
        let kept = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 1, ordering: .text)], aggregates: requests, store: store, threads: 2,
            control: JobControl())
        #expect(once >= 2000 && table.scanned.load(ordering: .relaxed) == once)
        let read = try groupedRecords(
            of: rows, by: [ResolvedGroupKey(column: 1, ordering: .text)], aggregates: requests, threads: 1, control: JobControl())
        #expect(kept.order == read.order && kept.groups == read.groups && kept.values == read.values)
    }

    @Test func `D6: a stored order of all records is reused for subsets and later sorts without reading columns`() throws {
        let (table, store) = (CountingTable(rows, contentID: 1), ColumnStore(budget: 1 << 20))
        let keys = [ResolvedSortKey(column: 1, ordering: .natural), ResolvedSortKey(column: 0, ordering: .number, isDescending: true)]
        try sort(table, store, keys)
        // Deleting the columns proves that they are not read.
        for key in [
            ColumnStore.ColumnItemKey(column: 1, form: .lowCardinality), ColumnStore.ColumnItemKey(column: 0, form: .values(.number)),
        ] {
            store.makeRoom(for: 1 << 20, keeping: [.order(keys)], of: table)
            #expect(store.storedItem(for: .column(key), of: table) == nil)
        }
        let once = table.scanned.load(ordering: .relaxed)
        for some in [(0..<2000).filter { $0 % 3 == 0 }, [], [1999], [0, 1]] {
            try sort(table, store, keys, within: some.map { UInt32($0) })
        }
        #expect(
            try sortedRecords(of: table, by: keys, within: RowNumbers([3, 7, 5000]), store: store, threads: 2, control: JobControl()).count
                == 2)
        try sort(table, store, keys)
        #expect(table.scanned.load(ordering: .relaxed) == once)
        // A stored order depends on the order of ties, the keys and the table, so these sorts do not use it.
        try sort(table, store, keys, within: [5, 3, 1900, 4])
        try sort(table, store, Array(keys.prefix(1)))
        try sort(CountingTable(rows, contentID: 2), store, keys)
        let cancelled = JobControl()
        cancelled.cancel()
        store.insert(StoredOrder(records: RowNumbers((0..<2000).reversed())), for: .order(keys), of: table)
        #expect(throws: JobCancelled.self) {
            try sortedRecords(of: table, by: keys, within: RowNumbers([1, 2]), store: store, threads: 1, control: cancelled)
        }
    }

    @Test func `D8: groups of all records are stored together with the order of the records in each group`() throws {
        let (table, store) = (CountingTable(rows, contentID: 1), ColumnStore(budget: 1 << 20))
        let (group, sort) = (ResolvedGroupKey(column: 1, ordering: .natural), [ResolvedSortKey(column: 2, ordering: .number)])
        let requests = [AggregateRequest(function: .mean, column: 0)]
        func grouped(_ order: [UInt32]?, _ keys: [ResolvedSortKey]?) throws -> GroupResult {
            try groupedRecords(
                of: table, by: [group], order: order.map { RowNumbers($0) }, sortedBy: keys, aggregates: requests, store: store, threads: 2,
                control: JobControl())
        }
        let order = try sortedRecords(of: table, by: sort, store: store, threads: 2, control: JobControl()).short
        let first = try grouped(order, sort)
        let some = try grouped(order.filter { $0 % 2 == 0 }, nil)
        #expect(some.order.short == first.order.short.filter { $0 % 2 == 0 } && some.values != first.values)
        #expect(try grouped(nil, []).order != first.order)
        store.makeRoom(for: 1 << 20, keeping: [.groups([group], sort, requests)], of: table)
        let once = table.scanned.load(ordering: .relaxed)
        let again = try grouped(order, sort)
        #expect(again.order == first.order && again.groups == first.groups && again.values == first.values)
        #expect(table.scanned.load(ordering: .relaxed) == once && store.byteCount >= 8000)
    }

    @Test func `D7: filters on stored columns read nothing and match the same rows`() throws {
        let names = ["whole", "number", "time", "flag", "code", "note"]
        let kinds: [ValueKind] = [.integer, .decimal, .dateTime, .flag, .text, .text]
        let rows = MemoryTable(
            (0..<34_000).map { n in
                let time = n % 50 == 0 ? "soon" : "2024-01-0\(1 + n % 5)T00:00:0\(n % 9)\(n % 2 == 0 ? ".5" : "")"
                return [
                    "\(n * 7919 % 1000)", n % 97 == 0 ? ["", "nan", "x"][n % 3] : "\(Double(n * 31 % 400) / 4)", time,
                    n % 31 == 0 ? "?" : n % 3 == 0 ? "yes" : "no", "c\(n % 13)", n % 7 == 0 ? " " : "n\(n % 3)",
                ]
            })
        let (table, store) = (CountingTable(rows, contentID: 1), ColumnStore(budget: 1 << 24))
        for column in 0..<4 {
            let key = ResolvedSortKey(column: column, ordering: SortOrdering(kind: kinds[column]))
            _ = try sortedRecords(of: table, by: [key], store: store, threads: 1, control: JobControl())
        }
        for column in [1, 4, 5] {
            _ = try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: column, ordering: .text)], store: store, threads: 1, control: JobControl())
        }
        let columns = names.indices.map { Field(FieldID(rawValue: $0), name: names[$0], kind: kinds[$0]) }
        func matchingRecords(_ text: String, _ store: ColumnStore?) throws -> [UInt32] {
            try filteredRecords(of: table, by: [Filter(text, in: Schema(columns))], store: store, threads: 2, control: JobControl()).short
        }
        for text in [
            "number > 25 and number <= 80.5", "number = 50", "not (number != 12.25)", "whole >= 990 or number < 1", "time > 2024-01-03",
            "time = 2024-01-02T00:00:01", "flag", "not flag", "code = 'c7'", "code ~ '[135]$' and number > 50", "not code contains 'C1'",
            "code contains* 'C1'", "code in ('c2', 'c3') or whole = 3", "number in (1, 2.5)", "note is empty", "note is not empty",
            "upper(code) = 'C7'", "length(code) > 2 and number > 50",
        ] {
            let read = try matchingRecords(text, nil)
            let once = table.scanned.load(ordering: .relaxed)
            #expect(try matchingRecords(text, store) == read && !read.isEmpty, "\(text)")
            #expect(table.scanned.load(ordering: .relaxed) == once, "\(text)")
        }
        // The numbers of distinct fields do not distinguish missing fields from empty ones.
        #expect(try matchingRecords("note is missing", store) == matchingRecords("note is missing", nil))
        // Leading and trailing spaces are not stored.
        for text in ["note = ' '", "note contains ' ' and whole < 500"] { #expect(try !matchingRecords(text, store).isEmpty) }
    }

    @Test func `a table whose content identity has changed or is unknown is read again`() throws {
        let store = ColumnStore(budget: 1 << 20)
        let keys = [ResolvedSortKey(column: 0, ordering: .number)]
        try sort(CountingTable(rows, contentID: 1), store, keys)
        for contentID in [2, nil] {
            let table = CountingTable(rows, contentID: contentID)
            try sort(table, store, keys)
            #expect(table.scanned.load(ordering: .relaxed) >= 2000)
        }
    }

    @Test func `D6: all tables share the memory budget, and the least recently used items are evicted first`() throws {
        let tables = (1...3).map { CountingTable(rows, contentID: $0) }
        let keys = [ResolvedSortKey(column: 0, ordering: .number)]
        let one = ColumnStore(budget: 1 << 20)
        try sort(tables[0], one, keys)
        /// Sorts a table, and returns true if that read nothing.
        func isKept(_ index: Int, in store: ColumnStore) throws -> Bool {
            let once = tables[index].scanned.load(ordering: .relaxed)
            try sort(tables[index], store, keys)
            return tables[index].scanned.load(ordering: .relaxed) == once
        }
        let all = ColumnStore(budget: 1 << 20)
        for index in 0..<3 { #expect(try !isKept(index, in: all)) }
        for index in 0..<3 { #expect(try isKept(index, in: all)) }
        #expect(all.byteCount == 3 * one.byteCount)
        // The budget is enough for the orders of two tables. The most recently used order stays.
        let order = StoredOrder(records: RowNumbers([UInt32](repeating: 0, count: 1000)))
        let two = ColumnStore(budget: 2 * order.byteCount)
        for index in 0..<2 { two.insert(order, for: .order(keys), of: tables[index]) }
        #expect(two.storedItem(for: .order(keys), of: tables[0]) != nil)
        two.insert(order, for: .order(keys), of: tables[2])
        #expect(tables.map { two.storedItem(for: .order(keys), of: $0) != nil } == [true, false, true])
        // Sorting a single table may use only half of the budget.
        two.makeRoom(for: 0, keeping: [], of: tables[1])
        #expect(two.byteCount == order.byteCount)
        #expect(two.storedItem(for: .order(keys), of: tables[2]) != nil)
    }

    @Test func `stored columns never exceed the budget`() throws {
        let table = CountingTable(rows, contentID: 1)
        let whole = ColumnStore(budget: 1 << 20)
        for column in 0..<3 { try sort(table, whole, [ResolvedSortKey(column: column, ordering: .number)]) }
        let small = ColumnStore(budget: whole.byteCount / 2)
        for column in 0..<3 {
            try sort(table, small, [ResolvedSortKey(column: column, ordering: .number)])
            #expect(small.byteCount <= whole.byteCount / 2)
        }
        #expect(small.byteCount > 0)
        let none = ColumnStore(budget: 0)
        try sort(table, none, [ResolvedSortKey(column: 0, ordering: .number)])
        #expect(none.byteCount == 0)
        whole.removeAll()
        #expect(whole.byteCount == 0)
    }
}
