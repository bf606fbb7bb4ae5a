import GridTestSupport
import Tables
import FieldValues
import Foundation
import Synchronization
import Testing

@testable import DataGridQuery

/// Column statistics (D9).
@Suite struct StatisticsTests {
    private func statistics(
        _ table: MemoryTable, _ kind: ValueKind, column: Int = 0, within records: [UInt32]? = nil, limit: Int = 1 << 16, threads: Int = 1
    ) throws -> ColumnStatistics {
        try columnStatistics(
            of: table, [StatisticsRequest(column: column, kind: kind)], within: records.map { RowNumbers($0) }, exactLimit: limit,
            threads: threads,
            control: JobControl())[0]
    }

    private func values(
        of table: MemoryTable, _ request: StatisticsRequest, byValue: Bool = true, first: Int = .max, threads: Int = 1
    ) throws -> [ColumnStatistics.Frequency] {
        let found = try DataGridQuery.frequencies(of: table, request, threads: threads, control: JobControl())
        return (0..<min(first, found.count)).map { found.entry($0, byValue: byValue) }
    }

    private func column(_ texts: [String?], _ kind: ValueKind) throws -> ColumnStatistics {
        try statistics(MemoryTable(column: texts), kind)
    }

    // MARK: Comparison with the reference

    @Test(arguments: [(1, 1), (5, 2), (300, 3), (35_000, 4)] as [(Int, UInt64)])
    func `D9: statistics of random columns agree with the reference`(count: Int, seed: UInt64) throws {
        let names = ["whole", "decimal", "date", "flag", "text"]
        let kinds: [ValueKind] = [.integer, .decimal, .date, .flag, .text]
        let table = randomTable(names, count: count, seed: seed)
        for (index, kind) in kinds.enumerated() {
            let reference = StatisticsReference(table.rows.map { $0[index] }, kind: kind)
            let one = try statistics(table, kind, column: index)
            check(one, reference)
            #expect(try one.top == values(of: table, StatisticsRequest(column: index, kind: kind), byValue: false, first: 20))
            // Values are compared as text, because a sum of opposite infinities is NaN, which does not equal itself.
            #expect("\(try statistics(table, kind, column: index, threads: 3))" == "\(one)")
        }
    }

    @Test(arguments: [1, 2] as [UInt64]) func `D9: statistics of frequent and rare numbers in a wide range agree with the reference`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let texts = (0..<40_000).map { _ -> String? in
            switch random.next() % 3 {
            case 0: "0"
            case 1: "\(Double(random.next() % 1_000_000) / 100)"
            default: "\(Double(Int64(bitPattern: random.next()) >> 14) / 8)"
            }
        }
        let table = MemoryTable(column: texts)
        let one = try statistics(table, .decimal)
        check(one, StatisticsReference(texts, kind: .decimal))
        #expect(try statistics(table, .decimal, threads: 4) == one)
    }

    @Test(
        arguments: [(.integer, ""), (.decimal, "n/a"), (.dateTime, nil)] as [(ValueKind, String?)])
    func `D9: statistics of columns with a long run of unreadable fields agree with the reference`(kind: ValueKind, nothing: String?) throws
    {
        var random = SplitMix64(seed: 5)
        let texts = (0..<70_000).map { row -> String? in
            if 32_768..<65_536 ~= row { return nothing }
            let number = Int(random.next() % 1_000_000_000)
            switch kind {
            case .integer: return "\(number)"
            case .decimal: return row % 1_000 == 0 ? "\(number)e90" : "\(number).5"
            default: return "20\(10 + number % 89)-01-\(10 + number % 19)T10:\(10 + number % 49):\(10 + number % 47).\(number % 1_000)"
            }
        }
        let one = try statistics(MemoryTable(column: texts), kind)
        check(one, StatisticsReference(texts, kind: kind))
        #expect(try statistics(MemoryTable(column: texts), kind, threads: 2) == one)
    }

    @Test(arguments: 1...30)
    func `D9: statistics of 1 to 30 numbers agree with the reference, even if two quantiles have the same neighbors`(
        count: Int
    ) throws {
        var random = SplitMix64(seed: UInt64(count))
        let texts = (0..<count).map { _ in "\(Double(random.next() % 1_000) / 4)" }
        check(try column(texts, .decimal), StatisticsReference(texts, kind: .decimal))
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `D9: short fields of every length that differ in one byte are counted as distinct`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let texts = (0..<60_000).map { _ -> String? in
            var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: Int(1 + random.next() % 20))
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(ascii: "a") + UInt8(random.next() % 26)
            return String(decoding: bytes, as: UTF8.self)
        }
        let reference = StatisticsReference(texts, kind: .text)
        for threads in [1, 3] {
            let found = try values(of: MemoryTable(column: texts), StatisticsRequest(column: 0, kind: .text), threads: threads)
            #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.value, $0.count) }) == reference.fields)
        }
        // Estimates do not depend on which fields were counted first.
        let estimate = try statistics(MemoryTable(column: texts), .text, limit: 100).distinct
        #expect(!estimate.isExact)
        #expect(try statistics(MemoryTable(column: texts), .text, limit: 1_000, threads: 3).distinct == estimate)
    }

    @Test func `D9: statistics of a subset of the records in any order agree with the reference`() throws {
        let table = randomTable(["whole"], count: 3000, seed: 7)
        var random = SplitMix64(seed: 8)
        var records = (0..<3000).map { UInt32($0) }.shuffled(using: &random)
        records.removeLast(900)
        let reference = StatisticsReference(records.map { table.rows[Int($0)][0] }, kind: .integer)
        check(try statistics(table, .integer, within: records + [9999]), reference)
    }

    private func check(_ found: ColumnStatistics, _ reference: StatisticsReference) {
        #expect(found.emptyCount == reference.blanks)
        #expect(found.missingCount == reference.missing)
        #expect(found.unreadableCount == reference.unreadable)
        #expect(found.nanCount == reference.notANumber)
        #expect(found.distinct == .init(count: reference.fields.count, isExact: true))
        let filled = reference.fields.values.reduce(0, +)
        #expect(found.recordCount == filled + reference.blanks + reference.missing)
        #expect(found.valueCount + found.unreadableCount + found.nanCount == filled)
        let highestCounts = reference.fields.values.sorted(by: >).prefix(20)
        #expect(found.top.map(\.count) == Array(highestCounts))
        #expect(found.top.allSatisfy { reference.fields[$0.value] == $0.count })
        guard found.kind != .text, let low = reference.values.first, let high = reference.values.last else { return }
        #expect(found.valueCount == reference.values.count)
        #expect(found.minimum.double == low)
        #expect(found.maximum.double == high)
        if found.kind == .integer, reference.wholeNumbers.count == reference.values.count, let minimum = reference.wholeNumbers.first {
            #expect(found.minimum == .integer(minimum))
            #expect(found.maximum == .integer(reference.wholeNumbers[reference.wholeNumbers.count - 1]))
        }
        guard low.isFinite, high.isFinite else { return }
        let tolerance = found.kind.isTemporal ? 1e-6 : 1e-9
        // The reference adds in order, and loses small values next to the largest.
        let lost = max(low.magnitude, high.magnitude) * 1e-15 * Double(reference.values.count)
        #expect(isClose(found.mean.double, reference.mean, tolerance + lost))
        if found.kind.isNumber, reference.values.count > 1 {
            #expect(isClose(found.standardDeviation, reference.deviation, 1e-7))
        }
        guard found.kind != .flag else { return }
        for (value, percentage) in zip(found.quantiles, ColumnStatistics.percentages) {
            #expect(isClose(value.double, reference.quantile(percentage), tolerance))
        }
        // The reference cannot distinguish integers beyond 2^53.
        guard max(low.magnitude, high.magnitude) < 0x1p53 else { return }
        #expect(found.histogram?.counts == (low < high ? reference.parts : nil))
    }

    // MARK: Guarantees

    @Test func `D9: integers beyond 2^53 are exact`() throws {
        let found = try column(["9007199254740993", "9223372036854775807", "-9223372036854775808"], .integer)
        #expect(found.minimum == .integer(.min))
        #expect(found.maximum == .integer(.max))
        #expect(found.quantiles[2] == .integer(9_007_199_254_740_993))
        #expect(found.sum == .integer(9_007_199_254_740_992))
        // Doubles cannot distinguish these three adjacent values, which are far from 0.
        let denseIntegers = try column(["9007199254740993", "9007199254740994", "9007199254740995"], .integer)
        #expect(denseIntegers.standardDeviation == 1)
        #expect(denseIntegers.histogram?.counts == [1] + Array(repeating: 0, count: 9) + [1] + Array(repeating: 0, count: 8) + [1])
    }

    @Test func `D9: NaN is counted separately, and infinity is a value`() throws {
        let found = try column(["1", "nan", "inf", "3", "-inf", "2"], .decimal)
        #expect(found.valueCount == 5)
        #expect(found.nanCount == 1)
        #expect(found.minimum == .decimal(-.infinity))
        #expect(found.maximum == .decimal(.infinity))
        #expect(found.sum.double?.isNaN == true)
        #expect(found.standardDeviation == nil)
        #expect(found.quantiles[2] == .decimal(2))
        #expect(found.histogram?.minimum == .decimal(1))
        #expect(found.histogram?.counts.reduce(0, +) == 3)
        #expect(try column(["inf", "1"], .decimal).sum == .decimal(.infinity))
    }

    @Test func `D9: the mean of large doubles is finite although their sum exceeds the range of doubles`() throws {
        let found = try column(["1e308", "1.5e308", "1e308"], .decimal)
        #expect(found.sum == .decimal(.infinity))
        #expect(abs((found.mean.double ?? 0) / 1.1666666666666667e308 - 1) < 1e-12)
        #expect(abs((found.standardDeviation ?? 0) / 2.886751345948129e307 - 1) < 1e-12)
    }

    @Test func `D9: deviations of numbers near the limits of doubles are neither missing nor 0`() throws {
        let cases: [(texts: [String], deviation: Double)] = [
            (["1e300", "3e300"], 1.4142135623730951e300), (["-1e-200", "1e-200"], 1.4142135623730951e-200),
            (["-1e308", "1e308"], 1.4142135623730951e308), (["5e-324", "1e-323", "1.5e-323"], .leastNonzeroMagnitude),
        ]
        for (texts, deviation) in cases {
            let found = try column(texts, .decimal).standardDeviation
            #expect(found.map { abs($0 - deviation) <= 1e-15 * deviation } == true, "\(texts)")
            let groups = try groupedRecords(
                of: MemoryTable(texts.map { ["a", $0] }), by: [ResolvedGroupKey(column: 0, ordering: .text)],
                aggregates: [AggregateRequest(function: .standardDeviation, column: 1)], needsRows: false, threads: 1, control: JobControl()
            )
            #expect(groups.aggregates(ofGroup: 0).first?.double == found)
        }
        // The deviation of these two numbers is not a finite number.
        #expect(try column(["-1.7e308", "1.7e308"], .decimal).standardDeviation == nil)
    }

    @Test func `D9: columns with no value, one value or equal values have only the statistics that are defined for them`()
        throws
    {
        let none = try column([], .integer)
        #expect(none.recordCount == 0 && none.minimum == .none && none.quantiles.isEmpty && none.histogram == nil)
        let one = try column(["7"], .integer)
        #expect(one.quantiles == Array(repeating: .integer(7), count: 5))
        #expect(one.standardDeviation == nil && one.histogram == nil)
        let same = try column(["7", "7.0", "07"], .decimal)
        #expect(same.standardDeviation == 0)
        #expect(same.distinct.count == 3)
    }

    @Test func `D9: statistics of strings have lengths in characters and extremes in natural order`() throws {
        let found = try column(["file10", "file2", "Äpfel", "", nil, "b"], .text)
        #expect(found.textRange == .init(first: "b", last: "Äpfel", lengths: 1...6))
        #expect(found.valueCount == 4 && found.emptyCount == 1 && found.missingCount == 1)
    }

    @Test func `D9: statistics of dates have microseconds, and a median can be between two days`() throws {
        let found = try column(["1970-01-02", "1970-01-01", "soon"], .date)
        let day: Int64 = 86_400_000_000
        #expect(found.minimum == .integer(0) && found.maximum == .integer(day))
        #expect(found.mean == .integer(day / 2) && found.quantiles[2] == .integer(day / 2))
        #expect(found.sum == .none && found.unreadableCount == 1)
    }

    // MARK: Many distinct values

    @Test(arguments: [70_000, 200_000])
    func `D9: the estimated number of distinct values beyond the exact limit is the same on any number of threads`(count: Int) throws {
        let table = MemoryTable(column: (0..<count).map { "name \($0 &* 7919 % count)" } + ["name 1", ""])
        let one = try statistics(table, .text)
        #expect(!one.distinct.isExact)
        // The tolerance is five standard errors of the estimate.
        #expect((Double(one.distinct.count) / Double(count) - 1).magnitude < 0.06)
        #expect(one.top.isEmpty)
        #expect(one.textRange?.lengths == 6...(5 + String(count - 1).count))
        #expect(try statistics(table, .text, threads: 4) == one)
        let exact = try statistics(table, .text, limit: 1 << 20, threads: 2)
        #expect(exact.distinct == .init(count: count, isExact: true))
        #expect(exact.top.first == .init(value: "name 1", count: 2))
    }

    /// With few fields, the sketch estimates about 6,000.
    @Test(arguments: [1, 3]) func `D9: an estimate is at most the number of fields that are not empty`(threads: Int) throws {
        let numbers = (0..<2_000).map { "\($0 * 9_973_001)" }
        let others = (0..<100).map { "no number \($0)" }
        for (texts, kind) in [(numbers, ValueKind.text), (numbers, .integer), (numbers + others, .integer), (numbers + others, .decimal)] {
            let table = MemoryTable(column: texts + ["", nil, " ", texts[0]])
            let found = try statistics(table, kind, limit: 50, threads: threads)
            #expect(found.distinct == .init(count: texts.count + 1, isExact: false), "\(kind)")
            #expect(found.valueCount + found.unreadableCount == texts.count + 1 && found.emptyCount == 2 && found.missingCount == 1)
            #expect(throws: TooManyValues(estimate: texts.count + 1)) {
                try DataGridQuery.frequencies(
                    of: table, StatisticsRequest(column: 0, kind: kind), limit: 50, threads: threads, control: JobControl())
            }
        }
    }

    @Test func `D9: threads that together exceed the exact limit report an estimate, even if each has few values`() throws {
        // These values are too far apart for a bit set.
        let table = MemoryTable(column: (0..<120_000).map { "\($0 * 9_973)" })
        let all = try [1, 2, 4].map { try statistics(table, .integer, limit: 100_000, threads: $0) }
        #expect(all[0] == all[1] && all[1] == all[2])
        #expect(!all[0].distinct.isExact)
    }

    @Test func `D9: dense integers are counted exactly at any number of distinct values`() throws {
        let texts = (0..<120_000).map { "\(($0 * 7919) % 120_000 * 3 - 70_000)" } + ["5", "n/a", "", "007"]  // 5 occurs twice
        let table = MemoryTable(column: texts)
        let one = try statistics(table, .integer, limit: 1_000)
        #expect(one.distinct == .init(count: 120_002, isExact: true))
        #expect(one.top.isEmpty && one.unreadableCount == 1 && one.emptyCount == 1)
        #expect(try statistics(table, .integer, limit: 1_000, threads: 3) == one)
    }

    @Test(arguments: 0..<6) func `D9: beyond the exact limit, no most frequent value is given`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let texts = (0..<66_000).map { _ in "\(random.next() >> 5)" } + ["007", "007", "+5"]
        let found = try statistics(MemoryTable(column: texts), .integer, threads: 2)
        #expect(!found.distinct.isExact && found.top.isEmpty)
    }

    /// The first fields of a column have one spelling, which all, nearly all, or few of the later fields have, too.
    @Test(
        arguments: [0, 1, 60, 400] as [UInt64], [1, 50, 5_000_000] as [UInt64])
    func `D9: different spellings of a number are counted as distinct values, whatever the first fields are`(oneIn: UInt64, range: UInt64)
        throws
    {
        var random = SplitMix64(seed: oneIn &+ range)
        for kind in [ValueKind.integer, .decimal] {
            let texts = (0..<40_000).map { record -> String? in
                let number = Int64(random.next() % range) - Int64(range / 3)
                let plain =
                    kind == .integer ? "\(number)" : FixedPoint.text(of: number, digits: 2).map { String(Unicode.Scalar($0)) }.joined()
                guard record >= 64, oneIn > 0, random.next() % oneIn == 0 else { return plain }
                switch random.next() % 8 {
                case 0: return "0\(plain)"
                case 1: return "+\(plain)"
                case 2: return "\(plain).5"
                case 3: return "-0"
                case 4: return nil
                case 5: return " "
                case 6: return "n/a"
                default: return "\(number)e1"
                }
            }
            let table = MemoryTable(column: texts)
            let one = try statistics(table, kind)
            check(one, StatisticsReference(texts, kind: kind))
            // Values with equal counts are in the order of the values.
            #expect(try one.top == values(of: table, StatisticsRequest(column: 0, kind: kind), byValue: false, first: 20))
            #expect("\(try statistics(table, kind, threads: 3))" == "\(one)")
        }
    }

    // MARK: Frequencies

    @Test func `D9: frequencies can be ordered by counts or by values`() throws {
        let table = MemoryTable(column: ["10", "9", "10", "", "2", "9", "10", nil, "x"])
        let found = try DataGridQuery.frequencies(
            of: table, StatisticsRequest(column: 0, kind: .integer), threads: 2, control: JobControl())
        #expect(found.count == 4 && found.emptyCount == 2 && found.recordCount == 9 && found.maximumCount == 3)
        #expect((0..<4).map { found.entry($0, byValue: false).value } == ["10", "9", "2", "x"])
        #expect((0..<4).map { found.entry($0, byValue: true).value } == ["2", "9", "10", "x"])
        #expect(found.entry(0, byValue: false).count == 3)
        #expect(throws: TooManyValues.self) {
            try DataGridQuery.frequencies(
                of: table, StatisticsRequest(column: 0, kind: .integer), limit: 3, threads: 1, control: JobControl())
        }
    }

    @Test func `D9: values with equal counts are ordered by value, as in the list of frequencies`() throws {
        for (texts, kind) in [
            (["x", "nan", "1.25", "1.5", "-3", "-5"], .decimal), (["soon", "02.01.2020", "2019-03-01", "2019/01/05"], .date),
            (["b", "file10", "file2", "a"], .text),
        ] as [([String], ValueKind)] {
            let table = MemoryTable(column: texts + texts)
            let top = try statistics(table, kind).top
            #expect(try top == values(of: table, StatisticsRequest(column: 0, kind: kind), byValue: false))
        }
        #expect(try column(["1.5", "-3", "1.25", "x", "-5"], .decimal).top.map(\.value) == ["-5", "-3", "1.25", "1.5", "x"])
    }

    @Test func `D9: statistics computed in several passes equal those of one pass`() throws {
        let table = randomTable(["whole", "decimal", "date", "text"], count: 3_000, seed: 11)
        let requests = [ValueKind.integer, .decimal, .date, .text].enumerated().map { StatisticsRequest(column: $0, kind: $1) }
        func found(_ memory: Int) throws -> [ColumnStatistics] {
            try columnStatistics(of: table, requests, memory: memory, threads: 2, control: JobControl())
        }
        #expect("\(try found(1))" == "\(try found(1 << 30))")
    }

    private final class ScanCountingTable: Table {
        let plain: MemoryTable
        let scans = Atomic(0)
        var recordCount: Int { plain.recordCount }
        var columnCount: Int { plain.columnCount }

        init(_ plain: MemoryTable) { self.plain = plain }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            scans.add(1, ordering: .relaxed)
            try plain.scan(records, columns: columns, body)
        }
    }

    @Test(arguments: [1, 5]) func `D9: one or a few records of very many columns are read in a few scans`(rows: Int) throws {
        let count = 20_000
        let table = ScanCountingTable(MemoryTable((0..<rows).map { row in (0..<count).map { "\(row * 7 + $0)" } }))
        let requests = (0..<count).map { StatisticsRequest(column: $0, kind: $0 % 2 == 0 ? .integer : .text) }
        let all = try columnStatistics(of: table, requests, topCount: 0, details: [], threads: 2, control: JobControl())
        #expect(all.count == count && all[count - 1].textRange?.first == "\(count - 1)")
        #expect(all[count - 2].maximum == .integer(Int64((rows - 1) * 7 + count - 2)) && all[count - 2].distinct.count == rows)
        #expect(all.allSatisfy { $0.histogram == nil && $0.top.isEmpty && $0.quantiles.isEmpty && $0.mean != .none || $0.kind == .text })
        // The first scan samples the first records.
        #expect(table.scans.load(ordering: .relaxed) <= 4)
    }

    @Test(arguments: [1 << 16, 200])
    func `D9: many columns read at once have the same statistics as each column alone`(exactLimit: Int) throws {
        let names = ["whole", "decimal", "text", "flag"]
        let kinds: [ValueKind] = [.integer, .decimal, .text, .flag]
        let few = randomTable(names, count: 1300, seed: 9)
        let many = MemoryTable(few.rows.map { row in (0..<64).flatMap { _ in row } })
        func found(_ table: MemoryTable, _ kind: (Int) -> ValueKind) throws -> [ColumnStatistics] {
            try columnStatistics(
                of: table, (0..<table.columnCount).map { StatisticsRequest(column: $0, kind: kind($0)) }, exactLimit: exactLimit,
                threads: 2,
                control: JobControl())
        }
        // Some columns are read as numbers and as text.
        for isText in [false, true] {
            let alone = try found(few) { isText ? .text : kinds[$0] }
            for statistics in try found(many, { isText ? .text : kinds[$0 % 4] }) {
                var expected = alone[statistics.column % 4]
                expected.column = statistics.column
                // Values are compared as text, because the mean of both infinities is NaN, which equals nothing.
                guard "\(statistics)" == "\(expected)" else { return #expect(Bool(false), "\(statistics), not \(expected)") }
                #expect(statistics.distinct.isExact == (exactLimit > 200))
            }
        }
    }

    // MARK: Cancellation and errors

    @Test func `D9: a cancelled job ends at once, and a table error ends the job with that error`() {
        let control = JobControl()
        let table = UnreadableTable { if $0 == 40_000 { control.cancel() } }
        #expect(throws: JobCancelled.self) {
            try columnStatistics(of: table, [StatisticsRequest(column: 0, kind: .integer)], threads: 2, control: control)
        }
        #expect(throws: UnreadableTable.Broken.self) {
            let broken = UnreadableTable { if $0 == 40_000 { throw UnreadableTable.Broken() } }
            _ = try columnStatistics(of: broken, [StatisticsRequest(column: 0, kind: .text)], threads: 2, control: JobControl())
        }
        #expect(throws: IncompleteScan.self) {
            try columnStatistics(of: ShortTable(), [StatisticsRequest(column: 0, kind: .text)], threads: 1, control: JobControl())
        }
    }
}

/// True if two doubles are equal within rounding.
func isClose(_ a: Double?, _ b: Double, _ tolerance: Double = 1e-9) -> Bool {
    guard let a else { return false }
    return a == b || (a - b).magnitude <= tolerance * max(1, a.magnitude, b.magnitude)
}
