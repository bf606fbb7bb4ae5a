import GridTestSupport
import Tables
import FieldValues
import Synchronization
import Testing

@testable import DataGridQuery

@Suite("A15, D8: grouping")
struct GroupTests {
    @Test func `groups of two levels have the requested order and aggregates`() throws {
        let table = MemoryTable([
            ["b", "x", "1"], ["a", "y", "2"], ["", "x", "4"], ["b", "y", "8"], ["a", "y", "n/a"], [nil, "x", "16"], ["a", "x", ""],
            ["b", "x", "2.5"],
        ])
        let result = try groupedRecords(
            of: table,
            by: [ResolvedGroupKey(column: 0, ordering: .text), ResolvedGroupKey(column: 1, ordering: .text, isDescending: true)],
            aggregates: [
                AggregateRequest(function: .sum, column: 2), AggregateRequest(function: .count, column: 2),
                AggregateRequest(function: .distinct, column: 1),
            ],
            threads: 2, control: JobControl())
        #expect(result.order.short == [1, 4, 6, 3, 0, 7, 2, 5])
        let lines = result.groups.indices.map { index in
            let group = result.groups[index]
            let subtotals = result.aggregates(ofGroup: index).map { value in
                switch value {
                case .none, .record: "-"
                case .integer(let number): "\(number)"
                case .decimal(let number): "\(number)"
                case .exact(let number): number.text
                }
            }
            return String(repeating: " ", count: group.level) + "\(group.key) \(group.rows) \(subtotals.joined(separator: " "))"
        }
        #expect(
            lines == [
                "a 0..<3 2.0 2 2", " y 0..<2 2.0 2 1", " x 2..<3 - 0 1", "b 3..<6 11.5 3 2", " y 3..<4 8.0 1 1", " x 4..<6 3.5 2 1",
                " 6..<8 20.0 2 1", " x 6..<8 20.0 2 1",
            ])
    }

    @Test func `D8: groups agree with a simple reference, in every order and with any number of threads`() throws {
        let table = randomTable(["text", "flag", "whole", "decimal"], count: 1000, seed: 11)
        var random = SplitMix64(seed: 2)
        let all = (0..<UInt32(1000)).map { $0 }
        for order in [nil, all.shuffled(using: &random), all.filter { $0 % 5 < 2 }] {
            let requests =
                AggregateRequest.Function.allCases.map { AggregateRequest(function: $0, column: 3) }
                + [AggregateRequest(function: .sum, column: 2, kind: .integer), AggregateRequest(function: .min, column: 0, kind: .text)]
            let keys = [ResolvedGroupKey(column: 1, ordering: .flag), ResolvedGroupKey(column: 0, ordering: .natural)]
            let one = try groupedRecords(
                of: table, by: keys, order: order.map { RowNumbers($0) }, aggregates: requests, threads: 1, control: JobControl())
            let two = try groupedRecords(
                of: table, by: keys, order: order.map { RowNumbers($0) }, aggregates: requests, threads: 2, control: JobControl())
            #expect(one.order == two.order && one.groups == two.groups)
            // Values are compared as text, because the sum of both infinities is NaN, which equals nothing.
            #expect("\(one.values)" == "\(two.values)")
            #expect(one.order.short.sorted() == (order ?? all).sorted())
            let total = numbers(one.order.short.map { table.rows[Int($0)][3] }).reduce(0, +)
            let place = Dictionary(uniqueKeysWithValues: (order ?? all).enumerated().map { ($0.element, $0.offset) })
            func key(_ record: UInt32, _ column: Int) -> String {
                let text = table.rows[Int(record)][column] ?? ""
                return text.allSatisfy { $0 == " " || $0 == "\t" } ? "" : text
            }
            for (index, group) in one.groups.enumerated() {
                let records = one.order.short[group.rows]
                let path = keys.prefix(group.level + 1).map(\.column)
                #expect(records.allSatisfy { record in path.allSatisfy { key(record, $0) == key(records.first!, $0) } })
                #expect(group.key == key(records.first!, path.last!))
                let whole = (order ?? all).count { record in path.allSatisfy { key(record, $0) == key(records.first!, $0) } }
                #expect(whole == records.count)
                if group.level == 1 { #expect(records.map { place[$0]! } == records.map { place[$0]! }.sorted()) }
                check(one.aggregates(ofGroup: index), records.map { table.rows[Int($0)][3] }, total: total)
            }
            #expect(one.groups.last { $0.level == 0 }?.key == "")
        }
    }

    private func numbers(_ fields: [String?]) -> [Double] {
        fields.compactMap { $0 }.compactMap { text in FieldBytes.withBytes(of: text) { $0.decimal() } }.filter { !$0.isNaN }
    }

    private func check(_ values: ArraySlice<AggregateValue>, _ fields: [String?], total: Double) {
        let filled = fields.compactMap { $0 }.filter { !$0.isEmpty }
        let numbers = numbers(fields)
        let base = values.startIndex
        #expect(values[base] == .integer(Int64(filled.count)))
        #expect(values[base + 5] == .integer(Int64(Set(filled).count)))
        guard !numbers.isEmpty else { return #expect(values[base + 1] == .none && values[base + 3] == .none) }
        #expect(isClose(values[base + 1], numbers.reduce(0, +)))
        #expect(isClose(values[base + 2], numbers.reduce(0, +) / Double(numbers.count)))
        #expect(isClose(values[base + 3], numbers.min()!))
        #expect(isClose(values[base + 4], numbers.max()!))
        #expect(values[values.endIndex - 1] == .none)
        let sorted = numbers.sorted()
        for (index, function) in AggregateRequest.Function.allCases.enumerated() {
            guard let percentage = function.percentage else { continue }
            let (rank, rest) = ((sorted.count - 1) * percentage).quotientAndRemainder(dividingBy: 100)
            let (low, high) = (sorted[rank], sorted[min(rank + 1, sorted.count - 1)])
            let part = Double(rest) / 100
            let isFinite = low.isFinite && high.isFinite
            let expected = rest == 0 || low == high ? low : isFinite ? low + (high - low) * part : part < 0.5 ? low : high
            #expect(isClose(values[base + index], expected), "\(function)")
        }
        let deviation = values[base + AggregateRequest.Function.allCases.firstIndex(of: .standardDeviation)!]
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count - 1)
        #expect(variance.isFinite ? isClose(deviation, variance.squareRoot()) : deviation == .none)
        let share = values[base + AggregateRequest.Function.allCases.firstIndex(of: .share)!]
        let part = numbers.reduce(0, +) / total
        #expect(part.isFinite ? isClose(share, part) : share == .none)
    }

    @Test(arguments: [1, 2])
    func `D8: quantiles of large integers, times and doubles are exact, and shares add up to one`(threads: Int) throws {
        let table = MemoryTable([
            ["a", "9007199254740993", "2024-01-01", "0.1"], ["a", "9007199254740995", "2024-01-04", "0.2"],
            ["b", "-1", "2024-03-01", "0.25"], ["b", "", "x", "0.45"], ["", "2", "2024-03-01", ""],
        ])
        let requests = [
            AggregateRequest(function: .median, column: 1, kind: .integer), AggregateRequest(function: .p25, column: 2, kind: .date),
            AggregateRequest(function: .p75, column: 3), AggregateRequest(function: .share, column: 3),
            AggregateRequest(function: .standardDeviation, column: 1, kind: .integer),
            AggregateRequest(function: .standardDeviation, column: 2, kind: .date),
            AggregateRequest(function: .share, column: 2, kind: .date), AggregateRequest(function: .median, column: 0, kind: .text),
        ]
        let result = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 0, ordering: .text)], aggregates: requests, needsRows: false, threads: threads,
            control: JobControl())
        let day: Int64 = 86_400_000_000
        let newYear: Int64 = 19_723 * day
        let rows = result.groups.indices.map { Array(result.aggregates(ofGroup: $0)) }
        #expect(rows.count == 3)
        guard case .exact(let median) = rows[0][0] else { return #expect(rows[0][0] == .none, "the median is exact") }
        #expect(median.text == "9007199254740994")
        #expect(rows[0][1] == .integer(newYear + day * 3 / 4))
        #expect(rows[0][2].double == 0.175 && rows[1][2].double == 0.4 && rows[2][2] == .none)
        #expect(isClose(rows[0][3], 0.3) && isClose(rows[1][3], 0.7) && rows[2][3] == .none)
        #expect(isClose(rows[0][4], 2.0.squareRoot()) && rows[1][4] == .none && rows[2][4] == .none)
        #expect(rows.allSatisfy { $0[5...7].allSatisfy { $0 == .none } })
        #expect(rows[1][0] == .integer(-1) && rows[2][0] == .integer(2))
    }

    /// A table whose columns are cached.
    private struct CachedTable: Table {
        let rows: MemoryTable
        var contentID: Int? { 1 }
        var recordCount: Int { rows.recordCount }
        var columnCount: Int { rows.columnCount }
        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            try rows.scan(records, columns: columns, body)
        }
    }

    /// 40,000 records with three values that are not written as numbers, and words and empty fields, which are never values.
    private static let amounts: CachedTable = {
        let special = [30_000: "$4", 35_000: "7 apples", 20_000: "n/a", 20_001: "", 39_000: "$5"]
        let rows = (0..<40_000).map { row -> [String?] in
            ["k\(row % 3)", special[row] ?? "\(row % 100)", "2024-01-\(row == 50 ? "1/2" : "02")", row == 3 ? "n/a" : "1"]
        }
        return CachedTable(rows: MemoryTable(rows))
    }()

    @Test(arguments: [1, 2], [false, true])
    func `D8: groups report the number of values that their aggregates leave out, and the first of these values`(
        threads: Int, needsRows: Bool
    ) throws {
        let store = ColumnStore(budget: 1 << 24)
        func leftOut(_ requests: [AggregateRequest], _ order: [UInt32]? = nil, store: ColumnStore? = nil) throws -> [LeftOutValues] {
            try groupedRecords(
                of: Self.amounts, by: [ResolvedGroupKey(column: 0, ordering: .text)], order: order.map { RowNumbers($0) },
                aggregates: requests, needsRows: needsRows, store: store, threads: threads, control: JobControl()
            ).leftOutValues
        }
        func expected(_ count: Int, _ record: Int, _ text: String, column: Int = 1) -> LeftOutValues {
            LeftOutValues(field: FieldID(rawValue: column), count: count, firstRecord: record, firstText: text)
        }
        for function in [AggregateRequest.Function.sum, .min, .mean, .median, .share] {
            let request = AggregateRequest(function: function, column: 1, kind: .integer)
            #expect(try leftOut([request]) == [expected(3, 30_000, "$4")], "\(function)")
            #expect(try leftOut([request], [39_000, 5, 20_000]) == [expected(1, 39_000, "$5")], "\(function)")
            #expect(try leftOut([request], [5, 20_000, 20_001]) == [], "words and empty fields are not values")
            // The second job finds the column in the store.
            for _ in 0..<2 { #expect(try leftOut([request], [39_000, 5], store: store) == [expected(1, 39_000, "$5")]) }
            _ = try leftOut([request], store: store)
            #expect(try leftOut([request], [39_000, 5], store: store) == [expected(1, 39_000, "$5")])
        }
        let others = [
            AggregateRequest(function: .max, column: 2, kind: .date), AggregateRequest(function: .sum, column: 3, kind: .integer),
        ]
        #expect(try leftOut(others) == [expected(1, 50, "2024-01-1/2", column: 2)])
        let complete: [AggregateRequest.Function] = [.count, .distinct, .first, .last]
        #expect(try leftOut(complete.map { AggregateRequest(function: $0, column: 1, kind: .integer) }) == [])
    }

    @Test(arguments: [1, 2], [false, true])
    func `D8, D18: aggregates of a computed column report the values that its formula cannot read`(threads: Int, needsRows: Bool) throws {
        let schema = Schema(
            [("g", ValueKind.text), ("v", .integer), ("w", .integer)].enumerated().map {
                Field(FieldID(rawValue: $0), name: $1.0, kind: $1.1)
            })
        let first = try DerivedField("d = v * 2", id: .firstDerived, in: schema)
        let fields = Schema(schema.fields + [first.field])
        let second = try DerivedField("e = w + d", id: FieldID(rawValue: FieldID.firstDerived.rawValue + 1), in: fields)
        let third = try DerivedField("f = if(w > 0, v, w)", id: FieldID(rawValue: FieldID.firstDerived.rawValue + 2), in: fields)
        var rows = [["a", "1", "5"], ["a", "x", "6"], ["a", "", "7"], ["b", "12abc", "8"], ["b", "3", "9"], ["b", "$4", "10"]]
        func leftOut(_ columns: [Int], _ order: [UInt32]? = nil) throws -> [LeftOutValues] {
            try groupedRecords(
                of: DerivedTable(MemoryTable(rows), CompiledDerivedFields([first, second, third], schema: schema)),
                by: [ResolvedGroupKey(column: 0, ordering: .text)], order: order.map { RowNumbers($0) },
                aggregates: columns.map { AggregateRequest(function: .sum, column: $0, kind: .integer) }, needsRows: needsRows,
                threads: threads, control: JobControl()
            ).leftOutValues
        }
        let expected = LeftOutValues(field: FieldID(rawValue: 1), count: 2, firstRecord: 3, firstText: "12abc")
        let (d, e, f) = (first.field.id.rawValue, second.field.id.rawValue, third.field.id.rawValue)
        #expect(try leftOut([1]) == [expected] && leftOut([d]) == [expected] && leftOut([e]) == [expected])
        #expect(try leftOut([1, d, e]) == [expected], "each value is reported once")
        #expect(try leftOut([d], [0, 1, 2, 4]) == [], "words and empty fields are not values")
        // In the first row, the results are missing because of w, and not because of v.
        rows = [["a", "7x", ""], ["a", "8x", "5"], ["a", "", "5"]]
        let all = LeftOutValues(field: FieldID(rawValue: 1), count: 2, firstRecord: 0, firstText: "7x")
        let needed = LeftOutValues(field: FieldID(rawValue: 1), count: 1, firstRecord: 1, firstText: "8x")
        #expect(try leftOut([d]) == [all] && leftOut([e]) == [needed] && leftOut([f]) == [needed] && leftOut([e, f]) == [needed])
        #expect(try leftOut([f, 1]) == [all] && leftOut([1, f]) == [all])
    }

    /// Counts the records that are read from it.
    private final class CountedTable: Table {
        let rows: MemoryTable
        let readCount = Atomic(0)
        var contentID: Int? { 2 }
        var recordCount: Int { rows.recordCount }
        var columnCount: Int { rows.columnCount }
        init(_ rows: MemoryTable) { self.rows = rows }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            try rows.scan(records, columns: columns) { record, fields in
                readCount.add(1, ordering: .relaxed)
                return body(record, fields)
            }
        }
    }

    @Test(arguments: [("n/a", 0), ("$4", 1), ("#DIV/0!", 0)], [false, true])
    func `D8: grouping cached columns reads no record again, except the first one that an aggregate leaves out`(
        field: (text: String, reads: Int), needsRows: Bool
    ) throws {
        let table = CountedTable(MemoryTable((0..<10_000).map { ["k\($0 % 3)", $0 == 7_000 ? field.text : "\($0)"] }))
        let store = ColumnStore(budget: 1 << 24)
        func reads(_ function: AggregateRequest.Function, _ order: [UInt32]? = nil, store: ColumnStore? = store) throws -> Int {
            let before = table.readCount.load(ordering: .relaxed)
            let result = try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: 0, ordering: .text)], order: order.map { RowNumbers($0) },
                aggregates: [AggregateRequest(function: function, column: 1, kind: .integer)], needsRows: needsRows, store: store,
                threads: 2, control: JobControl())
            #expect(result.leftOutValues.map(\.firstRecord) == (field.reads == 0 ? [] : [7_000]))
            return table.readCount.load(ordering: .relaxed) - before
        }
        #expect(try reads(.sum, store: nil) == 10_000 + field.reads)
        _ = try reads(.sum, [7_000, 1])
        _ = try reads(.median)
        #expect(try reads(.mean, [9_000, 7_000, 5]) == field.reads)
    }

    @Test func `D8: spreadsheet errors, words and all-zero dates do not count as values that aggregates leave out`() throws {
        let numbers = ["1", "#DIV/0!", "#N/A", "n/a", "-", "sensor 7", "<LOD", "N/A 2"]
        let dates = ["2024-01-02", "0000-00-00", "0000-00-00 00:00:00", "Q1", "unknown 5", "-", "", "#REF!"]
        func leftOut(_ fields: (String, String)) throws -> [LeftOutValues] {
            let rows = zip(numbers, dates).map { ["k", $0, $1] } + [["k", fields.0, fields.1]]
            return try groupedRecords(
                of: MemoryTable(rows), by: [ResolvedGroupKey(column: 0, ordering: .text)],
                aggregates: [
                    AggregateRequest(function: .sum, column: 1, kind: .integer), AggregateRequest(function: .max, column: 2, kind: .date),
                ], threads: 1, control: JobControl()
            ).leftOutValues
        }
        #expect(try leftOut(("2", "2024-01-03")) == [])
        #expect(try leftOut(("< 0.5", "2024-02-31")).map(\.firstText) == ["< 0.5", "2024-02-31"])
        #expect(try leftOut(("0000-00-00", "0001-00-00")).map(\.count) == [1, 1])
    }

    private func isClose(_ value: AggregateValue, _ expected: Double) -> Bool {
        guard let number = value.double else { return false }
        return number == expected || (number.isNaN && expected.isNaN) || abs(number - expected) <= 1e-9 * max(1, abs(expected))
    }

    @Test func `D8: the mean of large doubles is finite although their sum exceeds the range of doubles`() throws {
        func sum(_ values: [Double]) -> NeumaierSum { values.reduce(into: NeumaierSum()) { $0.add($1) } }
        let large = sum([1e308, 1e308, 1e308, 1e308])
        #expect(large.total == .infinity && large.mean(of: 4) == 1e308)
        #expect(sum([1e308, 1e308, -1e308]).total == 1e308, "only the sum of all values must be in the range")
        for parts in [[[1e308, 1e308], [1e308], [1e308]], [[1e308], [1e308, 1e308], [1e308]], [[1e308], [1e308], [1e308], [1e308]]] {
            var all = NeumaierSum()
            for part in parts { all.add(sum(part)) }
            #expect(all.mean(of: 4) == 1e308, "\(parts)")
        }
        #expect(sum([1e308, 1e308, .infinity]).mean(of: 3) == .infinity)
        #expect(sum([1e308, 1e308, .infinity, -.infinity]).mean(of: 4).isNaN)
        let requests = [AggregateRequest.Function.mean, .sum].map { AggregateRequest(function: $0, column: 1, kind: .decimal) }
        let table = MemoryTable((0..<40_000).map { ["k\($0 % 2)", "1e308"] })
        let result = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 0, ordering: .text)], aggregates: requests, threads: 2, control: JobControl())
        for group in 0..<2 {
            #expect(isClose(result.values[2 * group], 1e308) && result.values[2 * group + 1] == .decimal(.infinity))
        }
    }

    @Test func `sums of many groups are exact`() throws {
        let large = MemoryTable(column: ["9007199254740993", "1", "9007199254740993"])
        let requests = [
            AggregateRequest(function: .sum, column: 0, kind: .integer), AggregateRequest(function: .max, column: 0, kind: .integer),
        ]
        func values(_ table: MemoryTable) throws -> [AggregateValue] {
            try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: 1, ordering: .text)], aggregates: requests, threads: 1, control: JobControl()
            ).values
        }
        #expect(try values(large) == [.integer(18_014_398_509_481_987), .integer(9_007_199_254_740_993)])
        #expect(try values(MemoryTable(column: ["9223372036854775807", "1"]))[0] == .exact(ExactDecimal(9_223_372_036_854_775_808)))
        #expect(try values(MemoryTable(column: ["inf", "1.5"]))[0] == .decimal(.infinity))
        #expect(try values(MemoryTable([])) == [])

        let many = MemoryTable(column: (0..<70_000).map { "key \($0 % 35_000)" })
        let result = try groupedRecords(of: many, by: [ResolvedGroupKey(column: 0, ordering: .natural)], threads: 2, control: JobControl())
        #expect(
            result.groups.count == 35_000 && result.groups[10].key == "key 10" && result.order.short.prefix(4) == [0, 35_000, 1, 35_001])
    }

    /// The columns have blocks of numbers whose differences need each bit width, and blocks of other fields.
    @Test(arguments: [1, 3]) func `D8: groups and aggregates are the same if row numbers are not requested`(threads: Int)
        throws
    {
        var random = SplitMix64(seed: 5)
        let spans: [ClosedRange<Int>] = [7...7, -100...100, 0...60_000, -1_000_000...1_000_000, -(1 << 50)...1 << 50]
        let numbers = (0..<spans.count * rangeSize + 100).map { Int.random(in: spans[$0 / rangeSize % spans.count], using: &random) }
        let keys = numbers.map { "group \(abs($0) % 5)" }
        let functions: [AggregateRequest.Function] = [.count, .sum, .mean, .min, .max]
        func check(
            _ fields: [String], skips: Bool, _ sum: ((String) -> AggregateValue)? = nil, order criterion: Query.GroupKey.Order = .value
        )
            throws
        {
            let table = MemoryTable(zip(keys, fields).map { [$0, $1] })
            func groups(needsRows: Bool) throws -> GroupResult {
                try groupedRecords(
                    of: table, by: [ResolvedGroupKey(column: 0, ordering: .text, order: criterion)],
                    aggregates: functions.map { AggregateRequest(function: $0, column: 1) }, needsRows: needsRows, threads: threads,
                    control: JobControl())
            }
            let (all, subtotals) = (try groups(needsRows: true), try groups(needsRows: false))
            #expect(all.groups == subtotals.groups && all.values == subtotals.values)
            #expect(all.order.count == fields.count && (subtotals.order.count == 0) == skips)
            guard let sum else { return }
            for index in subtotals.groups.indices {
                #expect(subtotals.aggregates(ofGroup: index).dropFirst().first == sum(subtotals.groups[index].key))
            }
        }
        try check(numbers.map(String.init), skips: true) { key in
            .integer(Int64(zip(keys, numbers).reduce(0) { $1.0 == key ? $0 + $1.1 : $0 }))
        }
        try check(numbers.enumerated().map { $0 % 1000 == 3 ? "" : "\($1)" }, skips: true)
        try check(numbers.map(String.init), skips: false, order: .rowCount)
        try check(numbers.map { "\($0)e-3" }, skips: false)
        // The number of fraction digits differs within a range or between ranges. Some of the columns can be scaled to integers.
        let endings = ["", ".5", ".25", "n/a"]
        try check(numbers.map { "\($0 % 1_000_000)\(endings[abs($0) % 4])" }, skips: true)
        try check(numbers.enumerated().map { "\($1 % 1_000_000)\(endings[$0 / rangeSize % 3])" }, skips: true)
        try check(numbers.enumerated().map { "\($0 < rangeSize ? $1 % 1_000 : 1 << 49)\($0 < rangeSize ? ".125" : "")" }, skips: false)
        // These numbers have sums of more than 64 bits.
        try check(numbers.map { "\($0 &* (1 << 12))" }, skips: true)
    }

    @Test(arguments: [1, 3]) func `D8: more distinct fields than fit in the cache are grouped without row numbers`(
        threads: Int
    ) throws {
        let count = 5 * rangeSize
        // When one thread finds too many fields, all threads have already read a part of the rows, or all rows.
        for (distinct, few) in [
            (GroupTotals.maximumFields, count / 2), (GroupTotals.maximumFields + 1, count / 2), (20_000, count / 2), (20_000, 0),
        ] {
            let table = MemoryTable((0..<count).map { ["\($0 < few ? $0 % 10 : $0 % distinct)", "\($0 % 100)"] })
            let results = try [true, false].map { needsRows in
                try groupedRecords(
                    of: table, by: [ResolvedGroupKey(column: 0, ordering: .natural)],
                    aggregates: [AggregateRequest(function: .sum, column: 1)],
                    needsRows: needsRows, threads: threads, control: JobControl())
            }
            #expect(results[0].groups.count == distinct)
            #expect(results[0].groups == results[1].groups && results[0].values == results[1].values)
        }
    }

    @Test(arguments: [1, 3])
    func `D8: groups of a subset of the rows need no row numbers, for keys and values of any kind`(threads: Int) throws {
        let table = randomTable(["text", "flag", "whole", "decimal", "date"], count: 3 * rangeSize, seed: 12)
        let kinds: [ValueKind] = [.text, .flag, .integer, .decimal, .date]
        let requests = kinds.enumerated().flatMap { column, kind in
            [.count, .sum, .mean, .min, .max].map { AggregateRequest(function: $0, column: column, kind: kind) }
        }
        for records in [nil, RowNumbers((0..<UInt32(table.recordCount)).filter { $0 % 3 == 1 })] {
            for key in [ResolvedGroupKey(column: 1, ordering: .flag, isDescending: true), ResolvedGroupKey(column: 0, ordering: .text)] {
                for some in [requests, []] {
                    let results = try [true, false].map { needsRows in
                        try groupedRecords(
                            of: table, by: [key], order: records, aggregates: some, needsRows: needsRows, threads: threads,
                            control: JobControl())
                    }
                    #expect(results[0].groups == results[1].groups)
                    // NaN equals NaN here.
                    let isEqual = zip(results[0].values, results[1].values).allSatisfy { $0 == $1 || "\($0)" == "\($1)" }
                    #expect(isEqual && results[0].values.count == results[1].values.count)
                }
            }
        }
    }

    /// Sort keys hold only a prefix of a string; these strings have equal prefixes.
    @Test(arguments: [1, 2, 3]) func `D8: very long strings are grouped by all their bytes, in byte order`(threads: Int) throws {
        let head = String(repeating: "a", count: KeyColumn.maximumKeyBytes)
        let ends = ["z", "b", "", "y", "c", "b", "z", "d", "a"]
        let table = MemoryTable(column: ends.map { head + $0 } + ["b", ""])
        for isDescending in [false, true] {
            let key = ResolvedGroupKey(column: 0, ordering: .text, isDescending: isDescending)
            let result = try groupedRecords(of: table, by: [key], threads: threads, control: JobControl())
            let long: [[UInt32]] = [[2], [8], [1, 5], [4], [7], [3], [0, 6]]
            #expect(result.groups.map { Array(result.order.short[$0.rows]) } == (isDescending ? [[9]] + long : long + [[9]]) + [[10]])
            // When sorted, these strings are equal and keep their order.
            let sort = ResolvedSortKey(column: 0, ordering: .text, isDescending: isDescending)
            let order = try sortedRecords(of: table, by: [sort], threads: threads, control: JobControl()).short
            let equal = [UInt32](0..<9)
            #expect(order == (isDescending ? [9] + equal : equal + [9]) + [10])
        }
    }
}
