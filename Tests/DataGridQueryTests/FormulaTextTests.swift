import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

@Suite("The text of formulas") struct FormulaTextTests {
    private static let schema = FormulaGenerator.schema

    @Test(arguments: 0..<20) func `D18: printed formulas parse to the same tree`(seed: UInt64) throws {
        var random = FormulaGenerator(random: SplitMix64(seed: seed))
        for _ in 0..<200 {
            let type = FormulaType.allCases[Int(random.random.next() % UInt64(FormulaType.allCases.count))]
            let formula = random.formula(type, depth: 4)
            let text = formula.text(in: Self.schema)
            #expect(try Formula(text, in: Self.schema) == formula, "\(text)")
            let decoded = try JSONDecoder().decode(Formula.self, from: JSONEncoder().encode(formula))
            #expect(decoded == formula)
            _ = try formula.type(in: Self.schema)
        }
    }

    @Test(
        arguments: [
            ("((price) * quantity) + 1", "price * quantity + 1"), ("price * (quantity + 1)", "price * (quantity + 1)"),
            ("price - (quantity - 1)", "price - (quantity - 1)"), ("-(-5)", "-(-5)"), ("-(5)", "-(5)"), ("- 5", "-5"), ("+price", "price"),
            ("not (price > 1 and \"and\")", "not (price > 1 and \"and\")"), ("not (price > 1)", "not price > 1"),
            ("\"first name\" is not empty", "not \"first name\" is empty"), ("#8 in (1.50, 2)", "#8 in (1.5, 2)"),
            ("\"a \"\"b\"\"\" = 'it''s'", "\"a \"\"b\"\"\" = 'it''s'"), ("#9 = 10:22", "PRICE = 10:22:00"),
            ("when > 2024-01-31T10:22", "when > 2024-01-31 10:22:00"), ("IF(\"and\", 1, 2)", "if(\"and\", 1, 2)"),
        ])
    func `D18: printed formulas have only required parentheses`(written: String, printed: String) throws {
        #expect(try Formula(written, in: Self.schema).text(in: Self.schema) == printed)
    }

    private static let invalid: [(String, FilterError.Kind, Range<Int>)] = [
        ("prize * 2", .unknownColumn, 0..<5),
        ("price *", .expectedOperand, 7..<7),
        ("price + 'a'", .argumentType, 8..<11),
        ("price - 'a'", .argumentType, 8..<11),
        ("price & 'a'", .unexpectedCharacter, 6..<7),
        ("case when price > 1 then 2 end", .unknownColumn, 0..<4),
        ("sum(price)", .unknownFunction, 0..<3),
        ("price + day", .argumentType, 8..<11),
        ("rond(price)", .unknownFunction, 0..<4),
        ("Len(price)", .unknownFunction, 0..<3),
        ("substring(\"first name\", 1, 2)", .unknownFunction, 0..<9),
        ("startswith(price, 'a')", .unknownFunction, 0..<10),
        ("frobnicate(price)", .unknownFunction, 0..<10),
        ("days(day, today())", .unknownFunction, 10..<15),
        ("days(day, now)", .unknownColumn, 10..<13),
        ("when - day", .argumentType, 0..<4),
        ("round(price, 1, 2)", .argumentCount, 0..<18),
        ("year(price)", .argumentType, 5..<10), ("hour(day)", .argumentType, 5..<8),
        ("price = day", .argumentType, 8..<11), ("(price", .expectedParenthesis, 6..<6),
        ("price)", .unmatchedParenthesis, 5..<6), ("price quantity", .expectedOperator, 6..<14),
        ("price not 3", .expectedTest, 10..<11),
        ("#17", .unknownColumnNumber, 0..<3),
        ("if(price, 1, 2)", .argumentType, 3..<8),
        ("1e99 + 1", .numberTooLarge, 0..<4),
    ]

    @Test(arguments: invalid)
    func `D18: an invalid formula is an error with its position`(written: String, kind: FilterError.Kind, place: Range<Int>) {
        let error = #expect(throws: FilterError.self) { try Formula(written, in: Self.schema) }
        #expect(error?.kind == kind && error?.range == place, "\(written)")
    }

    @Test func `E: formulas that are nested too deeply or are too long are rejected`() {
        for text in [
            String(repeating: "(", count: 100_000) + "1", String(repeating: "-", count: 100_000) + "price",
            String(repeating: "not ", count: 100_000) + "true", Array(repeating: "1", count: 100_000).joined(separator: "+"),
            String(repeating: "abs(", count: 5_000) + "1",
        ] {
            #expect(throws: FilterError.self) { try Formula(text, in: Self.schema) }
        }
    }

    @Test func `E: a decoded formula that is not valid is rejected`() throws {
        for text in [
            #"{"function":"choose","arguments":[]}"#, #"{"function":"add","arguments":[{"field":1}]}"#, #"{"function":"x","arguments":[]}"#,
            "{}", #"{"constant":{"number":{"_0":"1,5"}}}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Formula.self, from: Data(text.utf8)) }
        }
        let huge = Formula.call(.year, [.constant(.temporal(.min, .dateTime))])
        let field = DerivedField(Field(.firstDerived, name: "x", kind: .decimal), huge)
        #expect(
            try derivedTexts(
                of: DerivedTable(MemoryTable([["1"]]), CompiledDerivedFields([field], schema: Self.schema)),
                column: FieldID.firstDerived.rawValue
            ).count
                == 1)
    }
}
