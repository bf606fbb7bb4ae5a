import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Numbers that doubles cannot tell apart, compared with their digits.
@Suite("D6, D7: numbers with more digits than a double holds") struct LongNumberTests {
    /// Columns of numbers in several spellings. Many are equal, and many differ only in digits that a double does not hold.
    static let columns: [(name: String, text: @Sendable (inout SplitMix64) -> String)] = [
        ("18 digits", { "\(sign(&$0))12345678901234\($0.next() % 100 + 10).\(twoDigits(&$0))" }),
        ("integers", { "\(sign(&$0))1000000000000000000\($0.next() % 90 + 10)" }),
        ("integers of 64 bits and more", { ["9223372036854775\($0.next() % 900 + 100)", "0.5", "-7"][Int($0.next() % 3)] }),
        ("short and long", { shortOrLong(&$0) }),
        (
            "beyond 128 bits",
            { random in
                let zeros = String(repeating: "0", count: Int(random.next() % 3))
                switch random.next() % 4 {
                case 0: return "1e-40\(random.next() % 3)"
                case 1: return "\(random.next() % 3)e\(random.next() % 2 == 0 ? "400" : "-330")"
                case 2: return "\(sign(&random))\(zeros)1234567890123456789012345678901234567890\(random.next() % 3)"
                default: return shortOrLong(&random)
                }
            }
        ),
        ("fields that are not numbers", { ["x", "", " ", "nan", "1234567890123456.\(twoDigits(&$0))"][Int($0.next() % 5)] }),
    ]

    /// A number of at most 38 digits.
    private static func shortOrLong(_ random: inout SplitMix64) -> String {
        let zeros = String(repeating: "0", count: Int(random.next() % 3))
        switch random.next() % 5 {
        case 0: return "\(sign(&random))0.1\(zeros)"
        case 1: return "\(sign(&random))0.100000000000000005551115123125782\(random.next() % 10)"
        case 2: return "\(zeros)123\(random.next() % 2 == 0 ? "" : ".0")\(random.next() % 2 == 0 ? "e3" : "")"
        case 3: return "\(sign(&random))9007199254740\(random.next() % 3 + 991)\(random.next() % 2 == 0 ? ".\(twoDigits(&random))" : "")"
        default: return ["inf", "-inf", "0", "-0.0", "1e17", "100,000,000,000,000,000"][Int(random.next() % 6)]
        }
    }

    private static func sign(_ random: inout SplitMix64) -> String { random.next() % 4 == 0 ? "-" : "" }
    private static func twoDigits(_ random: inout SplitMix64) -> String { "\(random.next() % 10)\(random.next() % 10)" }

    private static func texts(_ column: Int, count: Int, seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in columns[column].text(&random) }
    }

    @Test(arguments: columns.indices, [false, true])
    func `long numbers are sorted by all their digits, in memory and with a file`(column: Int, isDescending: Bool) throws {
        // The table has more records than a range of slots. An earlier sort key has many ties, whose order must stay.
        let texts = Self.texts(column, count: rangeSize + 3_000, seed: 1)
        let table = MemoryTable(texts.enumerated().map { [$1, "\($0 * 7919 % 3)"] })
        let keys = [
            ResolvedSortKey(column: 0, ordering: .number, isDescending: isDescending), ResolvedSortKey(column: 1, ordering: .number),
        ]
        let expected = ReferenceSort(table: table).sorted(by: keys)
        for threads in [1, 2] {
            #expect(try sortedRecords(of: table, by: keys, threads: threads, control: JobControl()).short == expected)
        }
        let first = try firstSortedRecords(
            50, of: table, by: [keys[0]], within: nil, store: nil, threads: 2, control: JobControl())
        #expect(first.short.prefix(50) == ReferenceSort(table: table).sorted(by: [keys[0]]).prefix(50))
        let external = try ExternalSort(
            table: table, keys: keys, selection: try RecordSelection(order: nil, recordCount: table.recordCount), budget: 200_000,
            makeScratchFile: { ExternalSortTests.MemoryFile() }, threads: 2, control: JobControl(), minimumRunBytes: 1
        ).records().short
        #expect(external == expected)
    }

    @Test(arguments: columns.indices) func `sorting a subset of the records keeps the given order of equal numbers`(column: Int) throws {
        let table = MemoryTable(column: Self.texts(column, count: 2_000, seed: 2))
        var random = SplitMix64(seed: 3)
        let some = Array((0..<UInt32(2_000)).shuffled(using: &random).prefix(1_500))
        let keys = [ResolvedSortKey(column: 0, ordering: .number, isDescending: true)]
        let sorted = try sortedRecords(of: table, by: keys, within: RowNumbers(some), threads: 2, control: JobControl()).short
        #expect(sorted == ReferenceSort(table: table).sorted(by: keys, within: some))
    }

    @Test(arguments: columns.indices.dropLast(), [false, true])
    func `groups of long numbers are ordered by all their digits`(column: Int, isDescending: Bool) throws {
        let table = MemoryTable(column: Self.texts(column, count: 3_000, seed: 4))
        let key = ResolvedGroupKey(column: 0, ordering: .number, isDescending: isDescending)
        let groups = try groupedRecords(of: table, by: [key], threads: 2, control: JobControl()).groups
        let numbers = groups.map { WrittenNumber($0.key) }
        #expect(groups.count > 10)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { isDescending ? $0 >= $1 : $0 <= $1 })
        // Equal numbers in different spellings are in the order of their bytes.
        let keys = groups.map { Array($0.key.utf8) }
        let areOrdered = numbers.indices.dropLast().allSatisfy { index in
            numbers[index] != numbers[index + 1] || keys[index].lexicographicallyPrecedes(keys[index + 1])
        }
        #expect(areOrdered)
    }

    /// The number in a text; `nil` if the text is not a number.
    private static func number(_ text: String) -> WrittenNumber? {
        guard let double = FieldBytes.withBytes(of: text, { $0.decimal() }), !double.isNaN else { return nil }
        return WrittenNumber(text)
    }

    private static func holds(_ value: WrittenNumber?, _ sign: String, _ literal: WrittenNumber) -> Bool {
        guard let value else { return sign == "!=" }
        return ["=": value == literal, "!=": value != literal, "<": value < literal, "<=": value <= literal, ">": value > literal][sign]
            ?? (value >= literal)
    }

    private static let schema = Schema([Field(FieldID(rawValue: 0), name: "n", kind: .decimal)])

    /// The records that match a condition.
    private func matches(_ text: String, _ table: any Table) throws -> [UInt32] {
        try filteredRecords(of: table, by: [Filter(text, in: Self.schema)], threads: 2, control: JobControl()).short
    }

    /// The columns of numbers of at most 38 digits.
    private static let filtered = [0, 1, 2, 3, 5]

    @Test(arguments: filtered) func `filters compare long numbers by all their digits`(column: Int) throws {
        let texts = Self.texts(column, count: 3_000, seed: 5)
        let table = MemoryTable(column: texts)
        // Literals have no thousands separators.
        let numbers = texts.filter { text in
            FieldBytes.withBytes(of: text) { $0.decimal()?.isFinite ?? false } && !text.contains(",")
        }
        let values = texts.map(Self.number)
        let literals =
            numbers.prefix(12) + ["0.5", "-7", "1234567890123456", "9223372036854775807", "100000000000000000000", "1e30"]
        for literal in literals {
            let number = WrittenNumber(literal)
            for sign in ["=", "!=", "<", "<=", ">", ">="] {
                let expected = values.indices.filter { Self.holds(values[$0], sign, number) }.map { UInt32($0) }
                #expect(try matches("n \(sign) \(literal)", table) == expected, "\(sign) \(literal)")
                // With `or`, the comparison cannot be used as a leading comparison.
                #expect(try matches("n \(sign) \(literal) or n ~ 'never'", table) == expected, "\(sign) \(literal)")
            }
            let others = numbers.suffix(3)
            let list = [literal] + others
            let listed = list.map { WrittenNumber($0) }
            let oneOf = values.indices.filter { index in listed.contains { Self.holds(values[index], "=", $0) } }
            #expect(try matches("n in (\(list.joined(separator: ", ")))", table) == oneOf.map { UInt32($0) })
            let last = WrittenNumber(numbers[20])
            let between = values.indices.filter { index in
                Self.holds(values[index], ">=", number) && Self.holds(values[index], "<=", last)
            }
            #expect(try matches("n between \(literal) and \(numbers[20])", table) == between.map { UInt32($0) })
        }
    }

    @Test func `a comparison of two columns uses all digits of their numbers`() throws {
        let (left, right) = (Self.texts(0, count: 2_000, seed: 6), Self.texts(0, count: 2_000, seed: 7))
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "a", kind: .decimal), Field(FieldID(rawValue: 1), name: "b", kind: .decimal),
        ])
        let table = MemoryTable(zip(left, right).map { [$0, $1] })
        for sign in ["=", "<", ">="] {
            let found = try filteredRecords(of: table, by: [Filter("a \(sign) b", in: schema)], threads: 2, control: JobControl()).short
            #expect(found == left.indices.filter { Self.holds(Self.number(left[$0]), sign, WrittenNumber(right[$0])) }.map { UInt32($0) })
        }
    }

    @Test func `filters of typed decimals and doubles compare all digits of a number`() throws {
        var random = SplitMix64(seed: 8)
        let count = 6_000
        let decimals = (0..<count).map { index in
            (index % 2 == 0 ? 123_456_789_012_345_600 : -123_456_789_012_345_700) + Int64(random.next() % 200)
        }
        let doubles = (0..<count).map { _ in [0.1, 0.1.nextUp, 0.1.nextDown, 0x1p60, 1e17, .infinity, -0.0][Int(random.next() % 7)] }
        let columns: [(TypedColumns.Values, [String])] = [
            (
                .integers(decimals, scale: 2),
                ["1234567890123456.02", "1234567890123457", "-1234567890123456.5", "1234567890123456.005", "0.1"]
            ),
            (
                .doubles(doubles),
                [
                    "0.1", "0.1000000000000000055", "0.10000000000000002", "0.09999999999999999999", "1152921504606846976",
                    "1152921504606847000", "100000000000000000", "100000000000000000.1", "0", "1e300",
                ]
            ),
        ]
        for (values, literals) in columns {
            let table = TypedColumns(columns: [(values, nil)], recordCount: count)
            let values = try table.texts.rows.map { Self.number($0[0] ?? "") }
            for literal in literals {
                let number = WrittenNumber(literal)
                for sign in ["=", "!=", "<", "<=", ">", ">="] {
                    let expected = values.indices.filter { Self.holds(values[$0], sign, number) }.map { UInt32($0) }
                    #expect(try matches("n \(sign) \(literal)", table) == expected, "\(sign) \(literal)")
                }
            }
            let keys = [ResolvedSortKey(column: 0, ordering: .number, isDescending: true)]
            let sorted = try sortedRecords(of: table, by: keys, threads: 2, control: JobControl()).short
            #expect(sorted == ReferenceSort(table: try table.texts).sorted(by: keys))
        }
    }

    @Test func `exact numbers are ordered by value, even if scaling makes one exceed 128 bits`()
        throws
    {
        let texts = [
            "170141183460469231731687303715884105727", "17014118346046923173168730371588410572.7", "17014118346046923173168730371588410572",
            "1.5", "1.50", "1.0000000000000000000000000000000000000", "1", "0.00000000000000000000000000000000000001", "0", "0.000",
        ]
        let all = texts + texts.map { "-\($0)" }
        let numbers = try all.map { text in try #require(FieldBytes.withBytes(of: text) { $0.exactDecimal() }) }
        for (a, x) in zip(all, numbers) {
            for (b, y) in zip(all, numbers) {
                let (left, right) = (WrittenNumber(a), WrittenNumber(b))
                #expect(x.order(to: y) == (left < right ? -1 : left == right ? 0 : 1), "\(a) \(b)")
            }
        }
    }

    @Test func `the bounds of decimals exclude only blocks without a match`() {
        func canBeTrue(_ comparison: FilterComparison, _ literal: String) -> Bool {
            let number = FieldBytes.withBytes(of: literal) { FilterNumber($0, .point) }
            let expression = FilterExpression.compare(.column(0, .number(.point)), comparison, .literal(number))
            let range: ClosedRange<Int64> = 123_456_789_012_345_602...123_456_789_012_345_603
            return PossibleResults.results(of: expression) { _ in ColumnBounds(.integers(range, scale: 2)) }.canBeTrue
        }
        #expect(canBeTrue(.equal, "1234567890123456.02") && canBeTrue(.equal, "1234567890123456.03"))
        #expect(!canBeTrue(.equal, "1234567890123456.01") && !canBeTrue(.equal, "1234567890123456.04"))
        #expect(canBeTrue(.greater, "1234567890123456.02") && !canBeTrue(.greater, "1234567890123456.03"))
        #expect(canBeTrue(.less, "1234567890123456.03") && !canBeTrue(.less, "1234567890123456.02"))
    }

    @Test func `sort keys of numbers have the order of their digits, and no key is a prefix of another`() {
        var random = SplitMix64(seed: 9)
        let special = [
            "0", "-0", "00.0", "5", "0.5", "50", "1e101", "1e-101", "1e100", "1e-100", "-1e101", "-1e-101", "1e99999999999",
            "1e-99999999999", "inf", "-inf", "12%", "0.12", "1,234", "1234", "+7", ".5", "5.",
        ]
        let texts = special + Self.columns.indices.dropLast().flatMap { Self.texts($0, count: 60, seed: random.next()) }
        let keys = texts.map { text in
            FieldBytes.withBytes(of: text) { field in
                [UInt8](unsafeUninitializedCapacity: FieldBytes.maximumNumberKeyLength(digits: field.count)) { target, count in
                    count = field.writeNumberKey(to: target.baseAddress!, .point, maximumDigits: field.count)
                }
            }
        }
        for (index, number) in texts.map(WrittenNumber.init).enumerated() {
            for (other, text) in texts.enumerated() {
                let precedes = keys[index].lexicographicallyPrecedes(keys[other])
                #expect(precedes == (number < WrittenNumber(text)), "\(texts[index]) \(text)")
                #expect(keys[index] == keys[other] || !keys[other].starts(with: keys[index]), "\(texts[index]) \(text)")
            }
        }
    }
}
