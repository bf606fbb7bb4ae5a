import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

@Suite("D7: arithmetic in filters") struct FilterArithmeticTests {
    private static func schema(_ kinds: [ValueKind]) -> Schema {
        Schema(kinds.enumerated().map { Field(FieldID(rawValue: $0), name: ["a", "b", "c", "d"][$0], kind: $1) })
    }

    @Test(
        arguments: [
            ("a + b = 0.3", "1"), ("a + b = 3.3", "2"), ("a * b = 59.97", "3"), ("a * 3 = 59.97", "3"), ("-a = -0.1", "1"),
            ("a + b = 9223372036854775808", "4"), ("a + b > 9223372036854775807", "4 5"), ("a - b = 12345678901234567890", "5"),
            ("a * a = 85070591730234615847396907784232501249", "4"), ("a / b = 0.5", "1 2"),
            // Quotients of more than 18 decimals are the nearest doubles.
            ("a / b = 0.3333333333333333", "6"), ("a / b = 0.33333333333333331", ""), ("a / b in (1 / 3, 0.5)", "1 2 6"),
            // Infinite results have no value.
            ("a + b > 0", "1 2 3 4 5 6"), ("a + b != 0.3", "2 3 4 5 6 7 8"), ("a + b is empty", "7 8"), ("a > 2 * 0.05", "2 3 4 5 6 7"),
            ("a > 1 / 0", ""), ("a != 1 / 0", "1 2 3 4 5 6 7 8"), ("a + b between 0.3 and 3.3", "1 2"),
            ("a in (1 / 0, 1.1, 0.1)", "1 2"), ("a in (1 / 0)", ""), ("a not in (1, 1 / 0)", "1 2 3 4 5 7 8"),
            // A number of more than 38 digits is the nearest double.
            ("a * 2 < 1e40", "1 2 3 4 5 6"), ("a * 1e40 > 1e41", "3 4 5"), ("a + b > 1e400", ""), ("a + b < 1e400", "1 2 3 4 5 6"),
        ])
    func `arithmetic in filters is exact`(text: String, expected: String) throws {
        let table = MemoryTable([
            ["0.1", "0.2"], ["1.1", "2.2"], ["19.99", "3"], ["9223372036854775807", "1"], ["12345678901234567890.5", "0.5"], ["1", "3"],
            ["inf", "1"], ["x", nil],
        ])
        let filter = try Filter(text, in: Self.schema([.decimal, .decimal]))
        let found = try filteredRecords(of: table, by: [filter], threads: 1, control: JobControl())
        #expect(found.map { "\($0 + 1)" }.joined(separator: " ") == expected)
    }

    @Test func `a filter with a constant that has no value equals itself`() throws {
        let schema = Self.schema([.decimal])
        for text in ["a != 1 / 0", "a > 1 / 0"] { #expect(try Filter(text, in: schema) == Filter(text, in: schema)) }
        #expect(try Filter("a > 1 / 0", in: schema).expression != Filter("a > 1", in: schema).expression)
    }

    @Test(
        arguments: [
            ("9223372036854775807", "3", "3074457345618258602.3333333333333333", false), ("1", "8", "0.125", true),
            ("1", "262144", "0.000003814697265625", true), ("1", "524288", "0.0000019073486328125", false), ("0.7", "0.07", "10", true),
            ("-6", "0.25", "-24", true), ("0", "-7", "0", true), ("10", "-4", "-2.5", true),
            ("170141183460469231731687303715884105727", "2", "0", false), ("136112946768375385385349842972707284583", "4", "0", false),
            ("18446744073709551615", "5", "3689348814741910323", true), ("-9223372036854775808", "-1", "9223372036854775808", true),
            ("18446744073709551616", "64", "288230376151711744", true), ("12345678901234567", "1000", "12345678901234.567", true),
        ])
    func `a quotient of at most 18 decimals is exact, and others are the nearest double`(
        dividend: String, divisor: String, quotient: String, isExact: Bool
    ) throws {
        func number(_ text: String) throws -> ExactDecimal { try #require(FieldBytes.withBytes(of: text) { $0.exactDecimal() }) }
        let (x, y, expected) = (try number(dividend), try number(divisor), try number(quotient))
        switch DerivedValue.divide(.exact(x.mantissa, digits: x.digits), .exact(y.mantissa, digits: y.digits)) {
        case .exact(let mantissa, let digits):
            #expect(isExact && ExactDecimal(mantissa, digits: digits).withoutTrailingZeros == expected.withoutTrailingZeros)
        case .double(let double): #expect(!isExact && double == x.double / y.double)
        default: Issue.record("no quotient")
        }
    }

    @Test(
        arguments: [
            ("1", "3", "0.3333333333333333", 0), ("1", "3", "0.33333333333333331", -1), ("1", "3", "0.3333333333333332", 1),
            ("1", "8", "0.125", 0), ("1", "8", "0.125000000000000001", -1), ("1", "8", "0.124999999999999999", 1),
            ("-7", "0.5", "-14", 0), ("-7", "0.5", "-13.99999999999999999", -1), ("0", "5", "0", 0), ("0", "-5", "1", -1),
            ("5", "0", "1", nil),
            ("12345678901234567890123", "1", "12345678901234567890122", 1), ("1e-30", "1e-30", "1.00000000000000000000000000000000001", -1),
        ] as [(String, String, String, Int?)])
    func `a quotient is compared as the number that a computed column shows`(dividend: String, divisor: String, other: String, order: Int?)
        throws
    {
        func number(_ text: String) throws -> DerivedValue {
            let number = try #require(FieldBytes.withBytes(of: text) { $0.exactDecimal() })
            return .exact(number.mantissa, digits: number.digits)
        }
        let (x, y, z) = (try number(dividend), try number(divisor), try number(other))
        #expect(DerivedValue.order(ofQuotient: x, y, to: z) == order && DerivedValue.order(DerivedValue.divide(x, y).finite, z) == order)
    }

    private struct Generator {
        var random: SplitMix64

        mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(random.next() % UInt64(elements.count))] }

        mutating func number() -> Formula {
            .constant(
                .exact(
                    pick([
                        ExactDecimal(1, digits: 1), ExactDecimal(3, digits: 1), ExactDecimal(2), ExactDecimal(-7), ExactDecimal(0),
                        ExactDecimal(Int128(Int64.max)), ExactDecimal(1, digits: 20), ExactDecimal(1_000_000_007),
                    ])))
        }

        mutating func arithmetic(depth: Int) -> Formula {
            guard depth > 0, random.next() % 5 != 0 else {
                return random.next() % 3 == 0 ? number() : .field(FieldID(rawValue: Int(random.next() % 4)))
            }
            let a = arithmetic(depth: depth - 1)
            if random.next() % 8 == 0 { return .call(.negate, [a]) }
            return .call(pick([.add, .subtract, .multiply, .divide]), [a, arithmetic(depth: depth - 1)])
        }
    }

    /// The columns `a` to `d`, with integers near 2^63, decimals, doubles, and text.
    private static func columns(_ random: inout SplitMix64) -> TypedColumns {
        let count = 120
        let presence = (0..<count).map { _ in UInt8(random.next() % 10 == 0 ? 0 : 1) }
        func values<Value>(_ values: [Value]) -> [Value] { (0..<count).map { _ in values[Int(random.next() % UInt64(values.count))] } }
        let texts = [
            "0.1", "0.20", "-3", "", " ", "x", "nan", "inf", "1,000", "12%", "9223372036854775807", "1e20", "1e400", "1e-30",
            "12345678901234567890.123456789", "99999999999999999999999999999999999999",
        ]
        return TypedColumns(
            columns: [
                (.integers(values([Int64.max, Int64.max - 1, Int64.min, 1 << 62, 0, 1, -1, 3, 10]), scale: 0), presence),
                (.integers(values([0 as Int64, 1, 10, 20, 30, -25, 1_999, 12_345_678_901_234_567]), scale: 2), presence),
                (
                    .doubles(values([0.1 as Double, 0.2, 0.3, 0.1 + 0.2, 1e17, -0.0, 1 / 3, 1e300, .infinity, .nan])),
                    Array(presence.reversed())
                ),
                (.texts(values(texts)), nil),
            ], recordCount: count)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a filter with arithmetic finds the same rows as a filter of a computed column`(seed: UInt64) throws {
        var generator = Generator(random: SplitMix64(seed: seed))
        let columns = Self.columns(&generator.random)
        let (texts, schema) = (try columns.texts, Self.schema([.integer, .decimal, .decimal, .text]))
        let control = JobControl()
        var foundCount = 0
        for _ in 0..<40 {
            let formula = generator.arithmetic(depth: 3)
            guard case .call = formula, !formula.fields.isEmpty else { continue }
            let derived = DerivedField(Field(.firstDerived, name: "x", kind: .decimal), formula)
            let whole = Schema(schema.fields + [derived.field])
            let derivation = CompiledDerivedFields([derived], schema: whole)
            // A result is compared with numbers, with columns, and with the results of some rows.
            var others = [generator.number(), .field(FieldID(rawValue: Int(generator.random.next() % 3)))]
            for text in try derivedTexts(of: DerivedTable(texts, derivation), column: FieldID.firstDerived.rawValue).prefix(3) {
                if let number = FieldBytes.withBytes(of: text, { $0.exactDecimal() }) { others.append(.constant(.exact(number))) }
            }
            for other in others {
                for comparison: Formula.Function in [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
                    let filter = try Filter(.call(comparison, [formula, other]), in: schema)
                    let reference = try Filter(.call(comparison, [.field(.firstDerived), other]), in: whole)
                    let expected = try filteredRecords(
                        of: DerivedTable(texts, derivation), by: [reference], threads: 1, control: control)
                    for table in [texts as any Table, columns] {
                        #expect(try filteredRecords(of: table, by: [filter], threads: 1, control: control) == expected, "\(filter.text)")
                    }
                    let typed = try filteredRecords(of: DerivedTable(columns, derivation), by: [reference], threads: 1, control: control)
                    #expect(typed == expected, "\(filter.text)")
                    foundCount += expected.count
                }
            }
        }
        #expect(foundCount > 1_000)
    }
}
