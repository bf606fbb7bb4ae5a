import FieldValues
import GridTestSupport
import Testing

@testable import DataGridQuery

/// Comparisons of number batches by their mantissas, checked against the condition for each record.
@Suite("D7: leading comparisons") struct LeadingComparisonTests {
    private static let comparisons = FilterComparison.allCases

    /// Numbers at every limit of the batch comparison, and fields that are not numbers.
    private static let fields: [String?] = [
        "0", "-0", "0.00", "-0.0", "1", "900", "900.00", "900.01", "899.99", "-900", "9007199254740993", "9007199254740992.5",
        "1000000000000000", "1000000000000000.1", "999999999999999.9", "1000000000000001", "999999999999999999", "-999999999999999999",
        "9223372036854775807", "-9223372036854775808", "0.1", "0.10", "0.000000000000001", "0.12345678901234567", "1e3", "1,000", " 12 ",
        "12%", "", " ", nil, "x", "inf", "nan", "0.3", "0.30000000000000004",
        "1000000000000000.01", "1000000000000000.02", "0.123456789012345671", "100000000000000000001",
    ]
    private static let numbers: [FilterNumber] = [
        .integer(0), .integer(900), .decimal(900), .decimal(900.01), .decimal(0.1), .decimal(0.3), .decimal(0.30000000000000004),
        .integer(1_000_000_000_000_000), .decimal(1e15), .decimal(1e300), .decimal(-1e300), .decimal(.infinity), .integer(.max),
        .integer(.min), .decimal(0x1p63), .decimal(0.5), .integer(-900), .integer(9_007_199_254_740_993),
        .exact(ExactDecimal(100_000_000_000_000_001, digits: 2)), .exact(ExactDecimal(123_456_789_012_345_670, digits: 18)),
        .exact(ExactDecimal(100_000_000_000_000_000_001)), .exact(ExactDecimal(-.max)),
    ]

    /// The matching records, by the leading comparison and by the whole condition.
    private func matches(_ expression: FilterExpression, _ rows: [[String?]]) throws -> (leading: [Int], plain: [Int]) {
        let program = FilterProgram(expression, allColumns: [0, 1])
        let leading = try #require(LeadingComparison(expression, program: program, allColumns: [0, 1]))
        var (found, plain): ([Int], [Int]) = ([], [])
        let texts = rows.map { row in program.columns.map { row[$0].map { Array($0.utf8) } } }
        // All fields are in one buffer, with padding after each field.
        var bytes: [UInt8] = []
        var places: [Range<Int>?] = []
        for text in texts.joined() {
            places.append(text.map { bytes.count..<bytes.count + $0.count })
            bytes += (text ?? []) + [0x2c]
        }
        try bytes.withUnsafeBufferPointer { bytes in
            let fields = places.map { $0.map { FieldBytes(start: bytes.baseAddress! + $0.lowerBound, count: $0.count) } ?? .missing }
            try fields.withUnsafeBufferPointer { fields in
                let batch = FieldBatch(firstRecord: 0, count: rows.count, width: program.columns.count, fields: fields.baseAddress!)
                var buffers = try LeadingComparison.Buffers()
                let plainScratch = program.scratch()
                defer { plainScratch.deallocate() }
                try leading.forEachMatch(in: batch, &buffers, plainScratch) { found.append($0) }
                plain = (0..<rows.count).filter { program.matches(batch.fields(of: $0), plainScratch) }
            }
        }
        return (found, plain)
    }

    /// Tests uniform batches of each field, and a batch of all fields.
    @Test(arguments: comparisons)
    func `a leading comparison matches the same records as the whole filter, for numbers at every limit`(comparison: FilterComparison)
        throws
    {
        for number in Self.numbers {
            let expression = FilterExpression.compare(.column(1, .number(.point)), comparison, .literal(number))
            for field in Self.fields {
                let (leading, plain) = try matches(expression, [["a", field]])
                #expect(leading == plain, "\(field ?? "missing") \(comparison) \(number)")
            }
            let (leading, plain) = try matches(expression, Self.fields.map { ["a", $0] })
            #expect(leading == plain, "\(comparison) \(number)")
        }
    }

    @Test(arguments: 0..<20) func `a leading comparison matches the same random records as the whole filter`(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        for round in 0..<40 {
            let digits = Int.random(in: 0...3, using: &generator)
            let isMixed = round % 3 == 0
            func number() -> String {
                let mantissa = Int64.random(in: -3_000...3_000, using: &generator)
                let text = FixedPoint.text(of: mantissa, digits: isMixed ? Int.random(in: 0...3, using: &generator) : digits)
                return String(decoding: text, as: UTF8.self)
            }
            let rows = (0..<Int.random(in: 1...1_500, using: &generator)).map { _ in
                let isOther = isMixed && Int.random(in: 0..<10, using: &generator) == 0
                return [
                    ["x", "y", nil].randomElement(using: &generator)!, isOther ? Self.fields.randomElement(using: &generator)! : number(),
                ]
            }
            let literal = FieldBytes.withBytes(of: number()) { ComparisonType.number(.point).value(of: $0) }
            let comparison = FilterExpression.compare(
                .column(1, .number(.point)), Self.comparisons.randomElement(using: &generator)!, .literal(literal))
            let text = FilterExpression.compareTexts(.column(0), .equal, .literal("x"))
            let expression = [comparison, .all([text, comparison]), .all([.all([comparison, text]), comparison])]
                .randomElement(using: &generator)!
            let (leading, plain) = try matches(expression, rows)
            #expect(leading == plain, "seed \(seed) round \(round)")
        }
    }

    @Test func `a condition that some matching records do not satisfy is never the leading comparison`() {
        let comparison = FilterExpression.compare(.column(0, .number(.point)), .less, .literal(.integer(1)))
        for expression in [.any([comparison, .isEmpty(column: 1)]), .not(comparison), .all([.isEmpty(column: 1)])] as [FilterExpression] {
            let program = FilterProgram(expression, allColumns: [0, 1])
            #expect(LeadingComparison(expression, program: program, allColumns: [0, 1]) == nil)
        }
    }
}
