import DataGridQuery
import Dispatch
import FieldValues
import GridTestSupport
import Locks
import SQLTables
import Tables
import Testing

@testable import ServerTables

/// Tables of any number of rows, which a helper computes by formulas. No structure grows with the number of rows.
@Suite("H1: tables of billions of rows")
struct LargeTableTests {
    private let engine = ServerQueryEngine(local: LocalQueryEngine(threads: 1))
    private let control = JobControl()
    private let schema = Schema([
        Field(FieldID(rawValue: 0), name: "id", kind: .integer), Field(FieldID(rawValue: 1), name: "symbol", kind: .text),
        Field(FieldID(rawValue: 2), name: "price", kind: .integer),
    ])
    private static let billion = 1_000_000_000

    private func source(_ table: String = "trades", rows: Int) throws -> ServerTableSource {
        let opener = ServerOpener(files: NoFiles(), helperPath: FormulaEngine.path)
        return try #require(try opener.open(path: FormulaEngine.url(table, rows: rows)) as? ServerTableSource)
    }

    private func texts(_ table: ServerSnapshot, _ range: Range<Int>) throws -> [[String]] {
        try table.records(range, maximumFieldBytes: 100).map { record in (0..<3).map { record[$0]?.text ?? "" } }
    }

    /// The rows of a query, as a range.
    private func rows(_ query: Query, of source: ServerTableSource) throws -> Range<Int> {
        let found = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: control, report: nil)
        return try #require(found.rows?.consecutive)
    }

    private func query(sortedBy field: Int, _ comparison: Query.Comparison, isDescending: Bool = false) -> Query {
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: field), by: comparison, isDescending: isDescending)]
        return query
    }

    @Test(arguments: ["trades", "heap"])
    func `the formulas of the test server agree with each other in all row orders`(_ name: String) throws {
        let source = try source(name, rows: 4_000)
        try source.readAll(threads: 1) { _ in true }
        let all = try texts(source.snapshot(), 0..<4_000)
        #expect(all.map { $0[0] } == (1...4_000).map(String.init))
        #expect(Set(all.compactMap { Int($0[2]) }) == Set(0..<4_000))
        #expect(try texts(source.snapshot(), 3_000..<3_100) == Array(all[3_000..<3_100]))
        func number(_ row: [String], _ column: Int) -> Int { Int(row[column]) ?? -1 }
        let byPrice = all.sorted { number($0, 2) > number($1, 2) }
        let bySymbol = all.sorted { ($0[1], number($0, 0)) < ($1[1], number($1, 0)) }
        for (query, expected) in [
            (query(sortedBy: 2, .kind(.integer, .point), isDescending: true), byPrice), (query(sortedBy: 1, .text), bySymbol),
        ] {
            let rows = try rows(query, of: source)
            #expect(rows.count == 4_000)
            for start in [0, 3_900, 1_000, 1_100, 2_345] {
                let range = start..<start + 100
                let found = try texts(source.snapshot(), rows.lowerBound + start..<rows.lowerBound + start + 100)
                #expect(found == Array(expected[range]), "\(query) \(range)")
            }
        }
        var filtered = query(sortedBy: 2, .kind(.integer, .point), isDescending: true)
        filtered.filters = [try Filter("symbol = 'symbol-3'", in: schema).formula]
        let rows = try rows(filtered, of: source)
        #expect(try texts(source.snapshot(), rows) == byPrice.filter { $0[1] == "symbol-3" })
    }

    @Test(arguments: ["trades", "heap"], [10_000_000, billion, 8 * billion])
    func `each row is found by its number, even beyond 2^32 rows`(_ name: String, count: Int) throws {
        let source = try source(name, rows: count)
        #expect(source.estimatedRecordCount == count && !source.snapshot().isComplete)
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        #expect(table.recordCount == count && table.isComplete)
        for start in [0, count / 2, count - 300, count / 4 * 3, 1_000_000, count / 2 - 256] {
            let ids = try texts(table, start..<start + 256).map { $0[0] }
            #expect(ids == (start + 1...start + 256).map(String.init), "\(start)")
        }
        let rows = try rows(query(sortedBy: 2, .kind(.integer, .point), isDescending: true), of: source)
        #expect(rows.count == count)
        for place in [0, count - 1, count / 2] {
            let price = try texts(source.snapshot(), rows.lowerBound + place..<rows.lowerBound + place + 1)[0][2]
            #expect(price == String(count - 1 - place))
        }
    }

    @Test(arguments: ["uncounted", "heap"]) func `a distant row can be read before the rows are counted`(_ name: String) throws {
        let (source, half) = (try source(name, rows: Self.billion), Self.billion / 2)
        try source.seek(toRecord: half) { false }
        let table = source.snapshot()
        #expect((half + 1...half + 1_000).contains(table.recordCount) && !table.isComplete)
        #expect(try texts(table, half..<half + 100).map { $0[0] } == (half + 1...half + 100).map(String.init))
        // The cache for the screen now contains the row.
        #expect(try table.recordsWithoutWaiting(half..<half + 1, maximumFieldBytes: 100)[0]?[0]?.text == "\(half + 1)")
    }

    @Test func `19.4: a sort shows its first rows and then the visible ones while the rows are counted`() throws {
        let (source, control) = (try source("uncounted", rows: Self.billion), JobControl())
        let counts = Mutex<[Int]>([])
        #expect(throws: JobCancelled.self) {
            try engine.rows(
                of: source.snapshot(), schema: schema, matching: query(sortedBy: 2, .kind(.integer, .point)), earlierFilterResult: nil,
                control: control
            ) { rows in
                counts.withLock { $0.append(rows.count) }
                // Scrolling requests the next page.
                let end = rows.consecutive?.upperBound ?? 0
                if rows.count == 256 { _ = try? source.snapshot().recordsWithoutWaiting(end..<end + 10, maximumFieldBytes: 100) }
                if rows.count > 256 { control.cancel() }
            }
        }
        let found = counts.withLock { $0 }
        #expect(found == found.sorted() && found.contains(256) && found.last ?? 0 >= 512, "\(found)")
        #expect(control.estimatedRowCount == Self.billion && !source.snapshot().isComplete)
    }

    @Test func `19.4: the first rows of an uncounted sort are found without a count`() throws {
        let source = try source("uncounted", rows: Self.billion)
        var query = query(sortedBy: 2, .kind(.integer, .point), isDescending: true)
        query.rowLimit = 10
        let rows = try rows(query, of: source)
        #expect(try texts(source.snapshot(), rows.lowerBound..<rows.lowerBound + 1)[0][2] == "\(Self.billion - 1)")
    }

    @Test func `19.2: a query for output fetches and counts no rows, and a scan reads all of them`() throws {
        let source = try source("uncounted", rows: 80_000)
        var query = query(sortedBy: 2, .kind(.integer, .point), isDescending: true)
        query.rowLimit = 0
        let rows = try rows(query, of: source)
        #expect(rows.isEmpty && source.snapshot().order(ofRow: rows.lowerBound)?.knownRowCount.count == 0)
        var prices: [Int] = []
        try source.snapshot().scan(rows.lowerBound..<rows.lowerBound + 1 << ServerSnapshot.positionBits, columns: [2]) { _, fields in
            prices.append(Int(String(decoding: fields[0].bytes, as: UTF8.self)) ?? -1)
            return true
        }
        #expect(prices == (0..<80_000).reversed())
    }

    @Test func `19.4: a match beyond the known rows of an uncounted table becomes a known row`() throws {
        let source = try source("uncounted", rows: Self.billion)
        let match = try engine.firstMatch(
            of: .smartCase("symbol-5"), in: source.snapshot(), order: .all, from: 255, direction: .forward, control: control)
        #expect(match?.position == 260 && source.snapshot().recordCount == 261 && !source.snapshot().isComplete)
    }

    @Test func `19.5: grouping an uncounted table ends its count, and a sort that waits for the count continues`() throws {
        let source = try source("uncounted", rows: Self.billion)
        let ended = DispatchGroup()
        let sortedCount = Mutex(0)
        DispatchQueue.global().async(group: ended) { try? source.readAll(threads: 1) { _ in true } }
        DispatchQueue.global().async(group: ended) {
            let rows = try? rows(query(sortedBy: 2, .kind(.integer, .point)), of: source)
            sortedCount.withLock { $0 = rows?.count ?? 0 }
        }
        var groups = Query()
        groups.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        #expect(try rows(groups, of: source).count == Self.billion)
        #expect(ended.wait(timeout: .now() + 60) == .success, "the count of the server never ends")
        #expect(sortedCount.withLock { $0 } == Self.billion)
        #expect(source.snapshot().recordCount == Self.billion && source.snapshot().isComplete)
    }

    @Test func `19.4: statistics of an uncounted order include all its rows`() throws {
        let source = try source("uncounted", rows: 8_000)
        var query = query(sortedBy: 2, .kind(.integer, .point))
        query.rowLimit = 10
        let first = try rows(query, of: source).lowerBound
        let all = RowNumbers(consecutive: first..<first + 1 << ServerSnapshot.positionBits)
        let statistics = try engine.statistics(
            of: [schema.fields[1]], in: source.snapshot(), rows: all, exactLimit: 1 << 10, topCount: 0, details: [], control: control)
        #expect(statistics[0].recordCount == 8_000)
    }

    @Test(arguments: ["uncounted", "heap"]) func `19.4: a scan without a known end reads all rows`(_ name: String) throws {
        let source = try source(name, rows: 80_000)
        var count = 0
        try source.snapshot().scan(0..<1 << ServerSnapshot.positionBits, columns: [0]) { record, _ in
            count += 1
            return record + 1 == count
        }
        #expect(count == 80_000 && !source.snapshot().isComplete)
    }

    @Test func `the query plan of the server estimates the number of filtered rows`() throws {
        let source = try source(rows: Self.billion)
        let control = JobControl()
        var query = query(sortedBy: 2, .kind(.integer, .point))
        query.filters = [try Filter("symbol = 'symbol-3'", in: schema).formula]
        let found = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: control, report: nil)
        #expect(control.estimatedRowCount == Self.billion / 8 && found.rows?.count == Self.billion / 8)
    }

    @Test(arguments: [4_000, 5_000, 1 << 50]) func `a request for a row that does not exist counts the rows`(_ record: Int) throws {
        let source = try source(rows: 4_000)
        try source.seek(toRecord: record) { false }
        #expect(source.snapshot().recordCount == 4_000 && source.snapshot().isComplete)
        try source.seek(toRecord: 3_999) { false }
        #expect(source.snapshot().recordCount == 4_000)
    }

    @Test func `a page with fewer rows than requested shows the end of an uncounted table`() throws {
        let source = try source("uncounted", rows: 4_000)
        try source.seek(toRecord: 3_990) { false }
        #expect(source.snapshot().recordCount == 4_000 && source.snapshot().isComplete)
    }

    @Test func `known keys and pages stay within their limits`() throws {
        let source = try source(rows: Self.billion)
        try source.readAll(threads: 1) { _ in true }
        #expect(source.base.needsSpacedKeys(for: Self.billion / 2))
        try source.base.fetchSpacedKeys { false }
        #expect((50_000...50_010).contains(source.base.knownKeyCount), "\(source.base.knownKeyCount)")
        let price = 123_456_789 * 618_033_993 % Self.billion
        #expect(try texts(source.snapshot(), 123_456_788..<123_456_789) == [["123456789", "symbol-5", "\(price)"]])
        // Only the latest orders keep their keys.
        var orders: [ServerOrder] = []
        for number in 0..<6 {
            let rows = try rows(query(sortedBy: number % 2 * 2, .kind(.integer, .point), isDescending: number > 1), of: source)
            let order = try #require(source.snapshot().order(ofRow: rows.lowerBound))
            try order.fetchSpacedKeys { false }
            orders.append(order)
        }
        #expect(orders.map { $0.knownKeyCount > 0 } == [false, false, true, true, true, true])
        let (first, last) = (ServerSnapshot.firstRow(ofOrder: orders[0].number), Self.billion - 1)
        #expect(try texts(source.snapshot(), first + last..<first + last + 1)[0][0] == "\(Self.billion)", "keys are fetched again")
    }

    @Test func `more than a million matches are counted, and their positions are not kept`() throws {
        let source = try source(rows: Self.billion)
        try source.readAll(threads: 1) { _ in true }
        let (table, search) = (source.snapshot(), TextSearch.smartCase("symbol-5"))
        #expect(throws: TooManyMatches(count: Self.billion / 8)) {
            try engine.positions(matching: search, in: table, order: .all, control: control) { _ in }
        }
        let match = try engine.firstMatch(of: search, in: table, order: .all, from: 500_000_000, direction: .forward, control: control)
        #expect(match?.position == 500_000_004 && match?.column == 1)
        let before = try engine.firstMatch(of: search, in: table, order: .all, from: 0, direction: .backward, control: control)
        #expect(before?.position == Self.billion - 4, "the search continues at the end")
    }

    @Test func `groups and statistics take one query each, and statistics use a sample of the rows`() throws {
        let source = try source(rows: Self.billion)
        try source.readAll(threads: 1) { _ in true }
        let price = FieldID(rawValue: 2)
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        query.aggregates = [Query.Aggregate(.sum, of: price, kind: .integer)]
        let found = try engine.rows(
            of: source.snapshot(), schema: schema, matching: query, earlierFilterResult: nil, control: control, report: nil)
        let groups = try #require(found.groups)
        #expect(groups.groups.map(\.rows.count) == [Int](repeating: Self.billion / 8, count: 8))
        #expect(groups.aggregates(ofGroup: 7).first == .integer(62_500_000_375_000_000))
        let first = try #require(found.rows?.consecutive).lowerBound
        // This is the last row of the last section.
        #expect(try texts(source.snapshot(), first + Self.billion - 1..<first + Self.billion)[0][0] == "999999999")
        let part = RowNumbers(consecutive: 0..<Self.billion - 1)
        let statistics = try engine.statistics(
            of: [schema.fields[2]], in: source.snapshot(), rows: part, exactLimit: 1 << 10, topCount: 0, details: [], control: control)
        #expect(statistics[0].recordCount == 100_000)
    }
}
