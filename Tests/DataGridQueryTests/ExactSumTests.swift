import Tables
import FieldValues
import Foundation
import GridTestSupport
import Testing

@testable import DataGridQuery

/// Tests of exact sums (D8, D9).
@Suite struct ExactSumTests {
    /// The sum, mean, minimum and maximum of a column, computed as aggregates of one group and as statistics, which must agree.
    private func totals(_ fields: [String?], _ notation: DecimalStyle = .point, threads: Int = 1) throws -> [String] {
        let table = MemoryTable(column: fields)
        let functions: [AggregateRequest.Function] = [.sum, .mean, .min, .max]
        let values = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 1, ordering: .text)],
            aggregates: functions.map { AggregateRequest(function: $0, column: 0, notation: notation) }, threads: threads,
            control: JobControl()
        ).values
        let statistics = try columnStatistics(
            of: table, [StatisticsRequest(column: 0, kind: .decimal, notation: notation)], threads: threads, control: JobControl())[0]
        let found = [statistics.sum, statistics.mean, statistics.minimum, statistics.maximum]
        #expect(found.map(text) == values.map(text))
        return found.map(text)
    }

    private func text(_ value: AggregateValue) -> String {
        switch value {
        case .none, .record: "-"
        case .integer(let number): "\(number)"
        case .decimal(let number): number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
        case .exact(let number): number.text
        }
    }

    @Test func `D8, D9: sums of integers are exact beyond 64 bits`() throws {
        let largest = "9223372036854775807"
        #expect(
            try totals([largest, largest, largest, "9007199254740993"]) == [
                "27679123309819068414", "6919780827454767103.5", "9007199254740993", largest,
            ])
        #expect(try totals([largest, largest, largest])[0] == "27670116110564327421")
        #expect(try totals(["-9223372036854775808", "-9223372036854775808"])[0] == "-18446744073709551616")
    }

    @Test func `D8, D9: sums are exact for numbers with more digits than 64-bit integers or doubles`() throws {
        #expect(
            try totals(["12345678901234567890", "1", "-0.5"]) == [
                "12345678901234567890.5", "4115226300411522630.1666667", "-0.5", "12345678901234567890",
            ])
        #expect(try totals(["0.12345678901234567", "0.00000000000000001"])[0] == "0.12345678901234568")
        #expect(try totals(["1234567890123456.01", "0.01", nil, "n/a", ""])[0] == "1234567890123456.02")
        #expect(try totals(["1,234,567,890,123,456,789,012", "+1", " 2 "])[0] == "1234567890123456789015")
        #expect(try totals(["1.234.567.890.123.456.789,5", "0,25"], .comma)[0] == "1234567890123456789.75")
        #expect(try totals(["1e20", "1", "50%", "2.5e-3"])[0] == "100000000000000000001.5025")
        #expect(try totals(["99999999999999999999999999999999999", "1"])[0] == "100000000000000000000000000000000000")
    }

    @Test func `D8, D9: sums of decimals are exact`() throws {
        #expect(try totals(["0.1", "0.2"]) == ["0.3", "0.15", "0.1", "0.2"])
        #expect(try totals(["0.1", "0.20", "3e-1"])[0] == "0.6")
        #expect(try totals(Array(repeating: "0.1", count: 100_000))[0] == "10000")
        #expect(try totals(["99999999999999.99", "0.01", "99999999999999.99", "0.03"])[0] == "200000000000000.02")
    }

    @Test func `D8, D9: a sum uses doubles if the exact sum would exceed 128 bits`() throws {
        #expect(try totals(["1e-300", "1"])[0] == "1")
        #expect(try totals(["1e300", "1e300"])[0] == "2e+300")
        #expect(try totals(["inf", "12345678901234567890"])[0] == "inf")
        // Each of the two values fits into 128 bits, but their sum does not.
        let largest = "1" + String(repeating: "0", count: 38)
        #expect(try totals([largest, largest])[0] == "2e+38")
        #expect(try totals(["1e30", "1e-30"])[0] == "1e+30")
    }

    /// Each column has consecutive blocks of integers, decimals and long numbers.
    @Test func `D8, D9: random numbers of all lengths agree with Foundation's decimals`() throws {
        var random = SplitMix64(seed: 1)
        let count = 3 * rangeSize + 100
        let fields = (0..<count).map { row -> String? in
            let number = Int64(bitPattern: random.next()) >> Int64(random.next() % 60)
            switch row / rangeSize {
            case 0: return "\(number >> 8)"
            case 1: return random.next() % 50 == 0 ? nil : "\(number % 100_000).\(random.next() % 10)"
            case 2: return "\(number % 1000).\(random.next() % 1_000_000_000_000_000)"
            default: return "\(number / 8)\(random.next() % 100)"
            }
        }
        let table = MemoryTable(fields.enumerated().map { ["\($0 % 7)", $1, "\($0 % 3)"] })
        let decimals = fields.map { $0.flatMap { Decimal(string: $0) } }
        let levels = [ResolvedGroupKey(column: 0, ordering: .text)]
        for (keys, order) in [(levels, nil), (levels + [ResolvedGroupKey(column: 2, ordering: .text)], [UInt32](40_000..<70_000))]
            as [([ResolvedGroupKey], [UInt32]?)]
        {
            let result = try groupedRecords(
                of: table, by: keys, order: order.map { RowNumbers($0) },
                aggregates: [AggregateRequest(function: .sum, column: 1), AggregateRequest(function: .max, column: 1)],
                threads: 2, control: JobControl())
            for (index, group) in result.groups.enumerated() where group.level == 0 {
                let numbers = result.order[group.rows].compactMap { decimals[Int($0)] }
                let found = result.aggregates(ofGroup: index).map { Decimal(string: text($0)) }
                #expect(found == [numbers.reduce(0, +), numbers.max()])
            }
        }
    }

    @Test(arguments: [false, true]) func `D8: groups are sorted by exact sums`(isDescending: Bool) throws {
        let numbers = [
            "18446744073709551617", "18446744073709551615", "18446744073709551616", "3", "18446744073709551616.5", "-1e20", "n/a",
        ]
        let table = MemoryTable(numbers.enumerated().map { ["\($0)", $1] })
        let result = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 0, ordering: .text, isDescending: isDescending, order: .aggregate(0))],
            aggregates: [AggregateRequest(function: .sum, column: 1)], threads: 2, control: JobControl())
        #expect(result.groups.map(\.key).joined() == (isDescending ? "0421356" : "5312406"))
    }
}
