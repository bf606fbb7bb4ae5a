import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Columns of sizes, such as `1.5G`.
@Suite struct SizeQueryTests {
    private let columns = [
        Field(FieldID(rawValue: 0), name: "size", kind: .decimal, notation: .point.with(.size(.letters))),
        Field(FieldID(rawValue: 1), name: "n", kind: .integer),
    ]

    private func matches(_ text: String, _ sizes: [String]) throws -> [String] {
        let table = MemoryTable(sizes.map { [$0, "5000"] })
        let filter = try Filter(text, in: Schema(columns))
        return try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl()).map { sizes[Int($0)] }
    }

    @Test(
        arguments: [
            ("size > 1G", ["1.5G", "1T"]), ("size >= 1.5M", ["1.5M", "1.5G", "1T"]), ("size > 1.5 gb", ["1T"]),
            ("size<2k", ["0", "512", "1.5K"]),
            ("size = 1536", ["1.5K"]), ("size = 1.5K", ["1.5K"]), ("size = '1.5K'", ["1.5K"]),
            ("size != 1KiB and size < 1e3", ["0", "512"]),
            ("size in (1.5K, 512, 1.5G)", ["512", "1.5K", "1.5G"]), ("size between 1K and 2M", ["1.5K", "1.5M"]),
            ("size > 1M or n > 6000", ["1.5M", "1.5G", "1T"]), ("(size > 1G)", ["1.5G", "1T"]),
            ("not size > 1G", ["0", "512", "1.5K", "1.5M", "x"]),
            ("size / 1024 = 1.5", ["1.5K"]), ("1G < size", ["1.5G", "1T"]), ("(1.5 * 1G) = size", ["1.5G"]),
            ("size >= 2 * 512M", ["1.5G", "1T"]), ("-1K < -size", ["0", "512"]), ("0 - size > -1k", ["0", "512"]),
            ("floor(1G) < size and size > -1K", ["1.5G", "1T"]), ("abs(size - 1G) < 600M", ["1.5G"]),
            // An exponent is not an exabyte.
            ("size > 1e+6", ["1.5M", "1.5G", "1T"]), ("size < 1E-3", ["0"]), ("size < 1e3", ["0", "512"]),
            ("size > 1E+6", ["1.5M", "1.5G", "1T"]),
            ("size < 1E", ["0", "512", "1.5K", "1.5M", "1.5G", "1T"]), ("size > 1E", []),
        ])
    func `17.9: filters of columns with sizes accept sizes without quotes`(text: String, expected: [String]) throws {
        #expect(try matches(text, ["0", "512", "1.5K", "1.5M", "1.5G", "1T", "x"]) == expected)
    }

    @Test func `17.9: filters of other columns accept only numbers without units`() {
        for text in [
            "n > 5K", "size > 5Q", "size > 1.5Gx", "n * 2 > 1M", "5K < n", "size > 1 and n > -5K", "size > 1e", "n > 1G and size > 1G",
            "if(n > 5K, 1, 2) = size",
        ] {
            #expect(throws: FilterError.self, "\(text)") { try matches(text, []) }
        }
        let error = #expect(throws: FilterError.self) { try matches("n > 5K or size > 1G", []) }
        #expect(error?.message == "Write numbers without units: 5000.")
    }

    @Test func `17.9: a filter made from a size cell matches equal sizes, and a printed filter has sizes in bytes`() throws {
        let schema = Schema(columns)
        let text = Filter.text(FieldID(rawValue: 0), hasValue: "1.5G", isNegated: false, in: schema)
        #expect(text == "size = '1.5G'")
        #expect(try matches(text, ["1.5G", "1.5M", "1536M"]) == ["1.5G", "1536M"])
        let filter = try Filter("size > 1.5G", in: schema)
        #expect(Filter.text(of: filter.formula, in: schema) == "size > 1610612736")
    }

    @Test func `17.9: the smallest size is negated without an overflow`() throws {
        let sizes = ["-147573952589676412928E", "1K", "-1E"]
        #expect(try matches("-size < 5", sizes) == ["1K"])
        #expect(try matches("-size > 1T", sizes) == ["-147573952589676412928E", "-1E"])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `17.9: random sizes are sorted, filtered and added like their numbers of bytes`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let letters = ["", "K", "M", "G", "T"]
        // The number of bytes, times 10.
        var tenths: [Int?] = []
        let sizes = (0..<4_000).map { _ -> String in
            if random.next() % 100 == 0 {
                tenths.append(nil)
                return "x"
            }
            let (power, number) = (Int(random.next() % 5), Int(random.next() % 10_240))
            let isWhole = power == 0 || number % 3 == 0
            tenths.append((isWhole ? number / 10 * 10 : number) << (10 * power))
            return "\(number / 10)" + (isWhole ? "" : ".\(number % 10)") + letters[power]
        }
        let table = MemoryTable(column: sizes)
        let notation = columns[0].notation
        for isDescending in [false, true] {
            let key = ResolvedSortKey(column: 0, ordering: SortOrdering(kind: .decimal, notation: notation), isDescending: isDescending)
            let order = try sortedRecords(of: table, by: [key], threads: 2, control: JobControl()).short
            let expected = sizes.indices.sorted { a, b in
                guard let x = tenths[a], let y = tenths[b] else { return tenths[a] != nil || tenths[b] == nil && a < b }
                return x == y ? a < b : isDescending ? x > y : x < y
            }
            #expect(order.map(Int.init) == expected)
        }
        let limit = sizes.first { $0.hasSuffix("M") } ?? "1M"
        let least = try #require(tenths[sizes.firstIndex(of: limit) ?? 0])
        #expect(try matches("size >= \(limit)", sizes) == zip(sizes, tenths).filter { $1.map { $0 >= least } ?? false }.map(\.0))
        let statistics = try columnStatistics(
            of: table, [StatisticsRequest(column: 0, kind: .decimal, notation: notation)], threads: 2, control: JobControl())[0]
        let known = tenths.compactMap(\.self)
        func isExactly(_ value: AggregateValue, _ tenths: Int) -> Bool {
            switch value {
            case .integer(let number): Int(number) * 10 == tenths
            case .exact(let number): ExactDecimal(Int128(tenths), digits: 1).withoutTrailingZeros == number.withoutTrailingZeros
            case .decimal(let number): number == Double(tenths) / 10
            case .none, .record: false
            }
        }
        #expect(isExactly(statistics.sum, known.reduce(0, +)), "\(statistics.sum)")
        #expect(isExactly(statistics.minimum, known.min()!) && isExactly(statistics.maximum, known.max()!))
        #expect(statistics.distinct.count == Set(sizes).count && statistics.unreadableCount == sizes.count - known.count)
    }
}
