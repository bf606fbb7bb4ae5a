import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import DataGridQuery

@Suite("Formulas")
struct FormulaTests {
    static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal),
        Field(FieldID(rawValue: 1), name: "quantity", kind: .integer),
        Field(FieldID(rawValue: 2), name: "first name", kind: .text),
        Field(FieldID(rawValue: 3), name: "and", kind: .flag),
        Field(FieldID(rawValue: 4), name: "when", kind: .dateTime),
        Field(FieldID(rawValue: 5), name: "day", kind: .date),
        Field(FieldID(rawValue: 6), name: "a \"b\"", kind: .text),
        Field(FieldID(rawValue: 7), name: "", kind: .decimal, notation: .comma),
        Field(FieldID(rawValue: 8), name: "PRICE", kind: .time),
    ])

    // MARK: Text

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

    // MARK: Values

    static let row = ["231.86", "16", "Ada Lovelace", "yes", "2024-02-29T23:59:58.250", "2023-12-31", " ÄÖ ß ", "1.234,5", "10:22"]

    @Test(
        arguments: [
            // Numbers are exact within 64 bits.
            ("price * quantity", "3709.76"), ("price + 0.14", "232"), ("0.1 + 0.2", "0.3"), ("#8 * 2", "2469"), ("-price", "-231.86"),
            ("9007199254740993 * 1000000007", "9007199317791387783186951"), ("1 / 8", "0.125"), ("6 / 3", "2"),
            ("1 / 3", "0.3333333333333333"), ("price / 0", ""),
            ("9999999999999999999999999999999999999 * 10 / 10", "9999999999999999999999999999999999999"),
            ("99999999999999999999999999999999999999 * 100", "1e+40"), ("round(2.5)", "3"), ("round(-2.5)", "-3"),
            ("round(price, 1)", "231.9"), ("round(1250, -2)", "1300"),
            ("floor(-1.5)", "-2"), ("ceil(-1.5)", "-1"), ("abs(-price)", "231.86"), ("'12' = '12.0'", "false"), ("\"first name\" + 1", ""),
            // Functions of strings
            ("upper(\"first name\")", "ADA LOVELACE"), ("lower(\"a \"\"b\"\"\")", " äö ß "), ("trim(\"a \"\"b\"\"\")", "ÄÖ ß"),
            ("length(\"a \"\"b\"\"\")", "6"),
            ("left(\"first name\", 3)", "Ada"), ("right(\"first name\", 8)", "Lovelace"), ("mid(\"first name\", 5, 4)", "Love"),
            ("left(trim(\"a \"\"b\"\"\"), 1)", "Ä"),
            ("left(\"first name\", 100)", "Ada Lovelace"), ("left(\"first name\", 0)", ""), ("right(\"first name\", -1)", ""),
            ("mid(\"first name\", 50, 1)", ""),
            ("replace(\"first name\", 'a', 'oo')", "Adoo Lоvelooce".replacing("о", with: "o")), ("replace('aaa', 'aa', 'b')", "ba"),
            ("replace('a', '', 'b')", "a"),
            ("concat(quantity, ' × ', price, ' ', round(price))", "16 × 231.86 232"), ("upper(quantity)", "16"), ("left(price, 3)", "231"),
            ("concat(concat('a', 'b'), concat('c', 'd'))", "abcd"), ("left(concat('abc', 'def'), 4)", "abcd"),
            // Functions of JSON text
            (#"json('{"a": {"b c": [1, "x", null]}}', 'a.b c.1')"#, "x"),
            (#"json('{"a":{"b":[1,{"c":2.50}]}}', 'a.b')"#, #"[1,{"c":2.50}]"#),
            (#"json('{"a": 1, "a": 2}', 'a')"#, "2"), (#"json('{"a.b": 1}', '"a.b"')"#, "1"), (#"json(' [true, false]', '0')"#, "true"),
            (#"json('{"a":null}', 'a')"#, ""), (#"json('{"a":""}', 'a')"#, ""), (#"json('{"a":1', 'a')"#, "1"),
            (#"json('{"a":', 'a')"#, ""),
            (#"json('x', 'a')"#, ""), (#"json('', 'a')"#, ""), (#"json('[1]', 'a')"#, ""), (#"json('[1]', '1')"#, ""),
            (#"json('{"k\u00e9y": "l1\nl2 \"q\""}', 'kéy')"#, "l1\nl2 \"q\""), (#"json('{"a":"2.5"}', 'a') * 2"#, "5"),
            (#"json('{"a":25}', 'a') > 3"#, "true"), (#"year(json('{"a":"2024-02-29"}', 'a'))"#, "2024"),
            (#"hour(json('{"a":"10:22"}', 'a'))"#, "10"), (#"json(json('{"a":"{\"b\":7}"}', 'a'), 'b')"#, "7"),
            (#"json(quantity, 'a')"#, ""), (#"json('{}', quantity)"#, nil), (#"json('{}', '')"#, nil), (#"json('{}', '"a')"#, nil),
            ("json('{}')", nil),
            // Functions of dates
            ("year(when)", "2024"), ("month(when)", "2"), ("day(when)", "29"), ("weekday(when)", "4"), ("hour(when)", "23"),
            ("minute(when)", "59"), ("second(when)", "58.25"),
            ("hour(PRICE)", "10"), ("date(when)", "2024-02-29"), ("days(day, when)", "60"), ("days(when, day)", "-60"), ("year('x')", nil),
            ("weekday(1969-12-28)", "7"), ("when", "2024-02-29T23:59:58.250"),
            // Comparisons
            ("price > quantity", "true"), ("price = 231.860", "true"), ("day < when", "true"), ("\"first name\" starts with 'Ada'", "true"),
            ("\"first name\" ends with 'Ada'", "false"), ("\"first name\" contains 'Love'", "true"),
            ("\"first name\" not contains 'Love'", "false"),
            ("quantity in (1, 16)", "true"), ("quantity not in (1, 16)", "false"), ("\"first name\" is empty", "false"), ("\"and\"", "yes"),
            ("not \"and\"", "false"),
            ("\"and\" and price > 1 and quantity < 10", "false"), ("\"first name\" = 3", "false"), ("\"first name\" != 3", "true"),
            ("PRICE < 10:23", "true"),
            ("\"first name\" ~ '^A.*e$'", "true"), ("\"first name\" !~ '^A.*e$'", "false"), ("\"first name\" ~ 'ADA'", "false"),
            ("\"first name\" ~* 'ADA'", "true"), ("\"first name\" =* 'ADA LOVELACE'", "true"), ("\"first name\" !=* 'ADA'", "true"),
            ("\"first name\" contains* 'LOVE'", "true"), ("\"first name\" starts with* 'aDA'", "true"),
            ("\"first name\" not ends with* 'LACE'", "false"), ("if(upper(#7) contains* 'ö S', price * 2, 0)", "463.72"),
            ("lower(#7) =* ' ÄÖ ß '", "true"),
            ("price ~ '^231'", "true"), ("concat(price * 2, '') ~ '^463.72$'", "true"), ("quantity contains 1", "true"),
            ("\"first name\" ~ price", nil), ("\"first name\" contains* upper('a')", nil), ("\"first name\" ~ '('", nil),
            ("anywhere('a')", nil),
            // Conditionals, also as arguments
            ("if(true, 1, 2) + 1", "2"), ("coalesce(price, 0) * quantity", "3709.76"), ("if(true, 1, 2) > 0", "true"),
            ("year(coalesce(day, day))", "2023"),
            ("0.3 / 3", "0.1"), ("19.99 / 10", "1.999"), ("(-170141183460469231731687303715884105727 - 1) / -1", "1.7014118346046923e+38"),
            ("mid(\"first name\", -9999999999999999999, 3)", "Ada"), ("left(\"first name\", 5 / 2)", "Ad"),
            ("left(\"first name\", 7 / 3)", "Ad"),
            ("round(price, 'x')", nil), ("#8", "1234.5"), ("if(true, #8, #8)", "1234.5"), ("concat(#8)", nil),
            ("concat(#8, '')", "1.234,5"),
            ("day in (2023-12-31 00:00, 2024-01-01)", "true"), ("+\"and\"", nil), ("concat(1e400)", nil),
            ("if(price > 100, 'large', 'small')", "large"), ("if(quantity > 100, price, quantity)", "16"),
            ("coalesce(price / 0, '', '  ', \"first name\")", "Ada Lovelace"),
        ] as [(String, String?)])
    func `D18: each formula has the expected value`(written: String, expected: String?) throws {
        guard let expected else {
            #expect(throws: FilterError.self) { try Formula(written, in: Self.schema) }
            return
        }
        let table = DerivedTable(
            MemoryTable([Self.row]),
            CompiledDerivedFields([try DerivedField("x = \(written)", id: .firstDerived, in: Self.schema)], schema: Self.schema))
        #expect(try texts(of: table, column: FieldID.firstDerived.rawValue) == [expected])
    }

    /// A table with a type for each value: the first value is a number, and the second one is text.
    private struct TypedValues: Table {
        let recordCount = 2
        let columnCount = 1

        func hasTypedValues(inColumn column: Int) -> Bool { true }

        func scan(
            _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
        ) throws {
            for record in records {
                let texts = columns.map { $0 == 0 || record == 0 ? "1" : nil }
                guard FieldBytes.withFields(of: texts, { body(record, $0) }) else { return }
            }
        }
    }

    @Test func `18.10: a table with derived fields keeps the types of the values of its base table`() throws {
        let schema = Schema([Field(FieldID(rawValue: 0), name: "x", kind: .text)])
        let field = try DerivedField("y = concat(x, '!')", id: .firstDerived, in: schema)
        let table = DerivedTable(TypedValues(), CompiledDerivedFields([field], schema: schema))
        let derived = FieldID.firstDerived.rawValue
        #expect(table.hasTypedValues(inColumn: 0) && !table.hasTypedValues(inColumn: derived))
        for columns in [[0, FieldID.firstNestedColumn], [0, derived, FieldID.firstNestedColumn]] {
            var rows: [[String?]] = []
            try table.scan(0..<2, columns: columns) { _, fields in
                rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                return true
            }
            let computed = columns.count > 2 ? ["1!"] : []
            #expect(rows == [["1"] + computed + ["1"], ["1"] + computed + [nil]])
        }
    }

    @Test func `D18: an unreadable field has no value, and a missing field is an empty string`() throws {
        let rows = [["x", "1"], ["", "2"], ["3"], [], ["nan", "1"], ["1e400", "1"], ["5", "x"]]
        for (written, expected) in [
            ("price * quantity", ["", "", "", "", "", "", ""]),
            ("concat(price, '/', quantity)", ["x/1", "/2", "3/", "/", "nan/1", "1e400/1", "5/x"]),
            ("price > 0", ["false", "false", "true", "false", "false", "true", "true"]),
            ("price * price is empty", ["true", "true", "false", "true", "true", "true", "false"]),
            ("hour(\"first name\")", ["", "", "", "", "", "", ""]),
            ("price is empty", ["false", "true", "false", "true", "false", "false", "false"]),
        ] {
            let field = try DerivedField("x = \(written)", id: .firstDerived, in: Self.schema)
            let table = DerivedTable(MemoryTable(rows), CompiledDerivedFields([field], schema: Self.schema))
            #expect(try texts(of: table, column: FieldID.firstDerived.rawValue) == expected, "\(written)")
        }
    }

    @Test(
        arguments: [
            ("1,5", "price * 2", ""), ("12e", "price * 2", ""), ("1,234", "price * 2", "2468"), ("10:22", "hour(#7)", "10"),
            ("2024-01-31T11:22", "hour(#7)", "11"),
            ("23:59:60", "hour(#7)", "23"), ("23:59:60", "minute(#7)", "59"), ("23:59:60.5", "second(#7)", "60.5"),
            ("x", "hour(#7)", ""), ("-9223372036854775808", "mid('abc', #7, 2)", "ab"),
        ])
    func `D18: strings that resemble numbers stay strings, and strings may contain times`(field: String, written: String, expected: String)
        throws
    {
        let row = [field, "", "", "", "", "", field]
        let table = DerivedTable(
            MemoryTable([row]),
            CompiledDerivedFields([try DerivedField("x = \(written)", id: .firstDerived, in: Self.schema)], schema: Self.schema))
        #expect(try texts(of: table, column: FieldID.firstDerived.rawValue) == [expected])
    }

    @Test(arguments: ["concat(d1, d1)", "replace(d1, 'b', d1)"])
    func `D18: a formula with a text longer than the limit is an error that names the column`(growing: String) throws {
        let names = Schema(Self.schema.fields + [Field(.firstDerived, name: "d1", kind: .text)])
        let second = FieldID(rawValue: FieldID.firstDerived.rawValue + 1)
        let fields = [
            try DerivedField("d1 = concat(#8, 'b')", id: .firstDerived, in: Self.schema),
            try DerivedField("d2 = \(growing)", id: second, in: names),
        ]
        func column(_ text: String) throws -> [String] {
            let row = ["", "", "", "", "", "", "", text]
            var derivation = CompiledDerivedFields(fields, schema: Self.schema)
            derivation.textByteLimit = 8
            return try texts(of: DerivedTable(MemoryTable([row, row]), derivation), column: second.rawValue)
        }
        #expect(try column("aaa").allSatisfy { $0.utf8.count == 7 || $0.utf8.count == 8 })
        let error = try #require(throws: LongTextError.self) { try column("aaaaa") }
        #expect(error.column == "d2" && error.byteLimit == 8)
        let usual = LongTextError(column: "d2", byteLimit: 16 << 20)
        #expect(usual.message == "The formula of “d2” computes a text of more than 16 MiB. Shorten the text, for example with left().")
    }

    @Test func `D18: a filter that computes a text longer than the limit is an error`() throws {
        let many = String(repeating: "a", count: 1_000)
        let schema = Schema([Field(FieldID(rawValue: 0), name: "x", kind: .text)])
        var query = Query()
        query.filters = [try Filter("length(replace(replace(x, 'a', '\(many)'), 'a', '\(many)')) > 5", in: schema).formula]
        func matches(_ text: String) throws -> Int {
            let rows = [[text], ["x"]]
            let result = try LocalQueryEngine(threads: 1)
                .rows(of: MemoryTable(rows), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl())
            return result.rows?.count ?? rows.count
        }
        #expect(try matches("a") == 1)
        #expect(throws: LongTextError.self) { try matches(String(repeating: "a", count: 20)) }
    }

    @Test func `D18: records with long computed texts are passed in several batches`() throws {
        let long = String(repeating: "b", count: 1_000)
        let field = try DerivedField("d = replace(price, 'a', '\(long)')", id: .firstDerived, in: Self.schema)
        let table = DerivedTable(
            OneBatch(recordCount: 5, text: String(repeating: "a", count: 6_000)), CompiledDerivedFields([field], schema: Self.schema))
        var batches: [Range<Int>] = []
        try table.scanBatches(0..<5, columns: [FieldID.firstDerived.rawValue]) { batch in
            #expect((0..<batch.count).allSatisfy { batch[$0, 0].count == 6_000_000 })
            batches.append(batch.firstRecord..<batch.firstRecord + batch.count)
            return true
        }
        #expect(batches == [0..<3, 3..<5])
    }

    /// A table with the same text in all fields, which passes all records in one batch.
    private struct OneBatch: Table {
        let recordCount: Int
        let text: String
        var columnCount: Int { 9 }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
        }

        func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (FieldBatch) -> Bool) throws {
            FieldBytes.withBytes(of: text) { field in
                let fields = [FieldBytes](repeating: field, count: records.count * columns.count)
                fields.withUnsafeBufferPointer { fields in
                    guard let start = fields.baseAddress else { return }
                    _ = body(FieldBatch(firstRecord: records.lowerBound, count: records.count, width: columns.count, fields: start))
                }
            }
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
            try texts(
                of: DerivedTable(MemoryTable([["1"]]), CompiledDerivedFields([field], schema: Self.schema)),
                column: FieldID.firstDerived.rawValue
            ).count
                == 1)
    }

    private func texts(of table: some Table, column: Int) throws -> [String] {
        var texts: [String] = []
        try table.scan(0..<table.recordCount, columns: [column]) { _, fields in
            texts.append(String(decoding: fields[0].bytes, as: UTF8.self))
            return true
        }
        return texts
    }
}

/// Generates random formulas of fields, as the parser creates them. There must be fields of each type.
struct FormulaGenerator {
    var random: SplitMix64
    var fields = FormulaTests.schema.fields

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(random.next() % UInt64(elements.count))] }

    mutating func formula(_ type: FormulaType, depth: Int) -> Formula {
        guard depth > 0, random.next() % 4 != 0 else { return leaf(type) }
        func all(_ function: Formula.Function, _ types: FormulaType...) -> Formula {
            .call(function, types.map { formula($0, depth: depth - 1) })
        }
        switch type {
        case .number:
            switch random.next() % 8 {
            case 0: return all(pick([.abs, .floor, .ceil, .negate]), .number)
            case 1: return all(.round, .number, .number)
            case 2: return all(.length, .text)
            case 3: return all(pick([.year, .month, .day, .weekday]), pick([.date, .dateTime]))
            case 4: return all(pick([.hour, .minute, .second]), pick([.time, .dateTime]))
            case 5: return all(.days, .date, .dateTime)
            default: return all(pick([.add, .subtract, .multiply, .divide]), .number, .number)
            }
        case .text:
            switch random.next() % 6 {
            case 0: return all(pick([.upper, .lower, .trim]), pick([.text, .number]))
            case 1: return all(pick([.left, .right]), .text, .number)
            case 2: return all(.replace, .text, .text, .text)
            case 3: return all(.concat, .number, .text, .flag)
            case 4: return .call(.json, [formula(.text, depth: depth - 1), .constant(.text(pick(["a", "a.0", "\"a.b\".c"])))])
            default: return all(pick([.conditional]), .flag, .text, .text)
            }
        case .flag:
            let compared: FormulaType = pick([.number, .text, .dateTime, .time, .flag])
            switch random.next() % 6 {
            case 0: return all(pick([.and, .or]), .flag, .flag, .flag)
            case 1: return all(.not, .flag)
            case 2: return all(.isIn, compared, compared, compared)
            case 3: return all(pick([.isEmpty, .isNull]), compared)
            case 4: return all(pick([.contains, .startsWith, .endsWith]), .text, .text)
            default: return all(pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]), compared, compared)
            }
        case .date: return all(.date, pick([.date, .dateTime]))
        case .dateTime: return all(.conditional, .flag, .dateTime, .dateTime)
        case .time: return all(.coalesce, .time, .time)
        }
    }

    private mutating func leaf(_ type: FormulaType) -> Formula {
        let fields = fields.filter { FormulaType($0.kind) == type }
        if random.next() % 2 == 0 { return .field(pick(fields).id) }
        switch type {
        case .number:
            return .constant(
                pick([
                    .exact(ExactDecimal(5)), .exact(ExactDecimal(-125, digits: 2)), .exact(ExactDecimal(0)),
                    .exact(ExactDecimal(1, digits: 38)),
                ]))
        case .text: return .constant(.text(pick(["", "it's", "\"", "and", "Ä\n", "#1", "1", "true"])))
        case .flag: return .constant(.flag(pick([true, false])))
        case .date: return .constant(.temporal(pick([0, 19_782 * 86_400_000_000, -86_400_000_000]), .date))
        case .dateTime: return .constant(.temporal(pick([0, 1_706_696_520_000_001, -1_500_000]), .dateTime))
        case .time: return .constant(.temporal(pick([0, 37_320_000_000, 86_399_999_999]), .time))
        }
    }
}

@Suite("Derived fields")
struct DerivedTableTests {
    /// The index of the first derived column.
    private static let first = FieldID.firstDerived.rawValue
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal), Field(FieldID(rawValue: 1), name: "quantity", kind: .integer),
        Field(FieldID(rawValue: 2), name: "name", kind: .text),
    ])
    private static let definitions = ["total = price * quantity", "label = concat(upper(name), ' ', total)", "big = total > 5000"]

    /// A table with derived fields, and a table that contains their values.
    private static func tables(count: Int, seed: UInt64) throws -> (derived: DerivedTable, plain: MemoryTable) {
        var random = SplitMix64(seed: seed)
        let names = ["ada", "bob", "Çelik", "", "eve"]
        var rows: [[String?]] = []
        var written: [[String?]] = []
        for _ in 0..<count {
            let (price, quantity) = (Int(random.next() % 100_000), Int(random.next() % 100))
            let name = names[Int(random.next() % 5)]
            let cents = price % 100
            let row = ["\(price / 100).\(cents < 10 ? "0" : "")\(cents)", "\(quantity)", name]
            let product = price * quantity
            var total = "\(product / 100)"
            if product % 100 != 0 {
                let rest = product % 100
                total += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
            }
            rows.append(row)
            written.append(row + [total, "\(name.uppercased()) \(total)", product > 500_000 ? "true" : "false"])
        }
        var fields: [DerivedField] = []
        for (number, definition) in definitions.enumerated() {
            let known = Schema(schema.fields + fields.map(\.field))
            fields.append(try DerivedField(definition, id: FieldID(rawValue: first + number), in: known))
        }
        return (DerivedTable(MemoryTable(rows), CompiledDerivedFields(fields, schema: schema)), MemoryTable(written))
    }

    @Test(arguments: [1, 2])
    func `D18: derived fields are sorted, filtered, grouped, searched and counted like stored ones`(threads: Int) throws {
        let (derived, plain) = try Self.tables(count: 70_000, seed: UInt64(threads))
        /// The same column in both tables.
        func columns(_ number: Int) -> [(any Table, Int)] { [(derived, Self.first + number), (plain, 3 + number)] }

        let orders = try columns(0).map { table, column in
            let keys = [
                ResolvedSortKey(column: column, ordering: .number, isDescending: true), ResolvedSortKey(column: 2, ordering: .text),
            ]
            return Array(try sortedRecords(of: table, by: keys, threads: threads, control: JobControl()))
        }
        #expect(orders[0] == orders[1])

        let left = try columns(0).map { table, column in
            let known = [
                Field(FieldID(rawValue: column), name: "total", kind: .decimal), Field(FieldID(rawValue: 2), name: "name", kind: .text),
            ]
            let filter = try Filter("total > 1000.50 and name != 'bob'", in: Schema(known))
            return Array(try filteredRecords(of: table, by: [filter], threads: threads, control: JobControl()))
        }
        #expect(left[0] == left[1] && left[0].count > 1_000)

        let rare = try columns(1).map { table, column in
            let filter = try Filter("label contains 'ÇELIK 1'", in: Schema([Field(FieldID(rawValue: column), name: "label", kind: .text)]))
            return Array(try filteredRecords(of: table, by: [filter], threads: threads, control: JobControl()))
        }
        #expect(rare[0] == rare[1] && rare[0].count > 100)

        let groups = try columns(2).map { table, column in
            let total = column - 2
            let result = try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: column, ordering: .text)],
                aggregates: [AggregateRequest(function: .sum, column: total)],
                threads: threads, control: JobControl())
            return ((0..<result.groups.count).map { result.groups.key($0) }, result.values)
        }
        #expect(groups[0].0 == groups[1].0 && groups[0].1 == groups[1].1 && groups[0].0 == ["false", "true"])

        let found = try columns(1).map { table, column in
            let search = TextSearch("eve 99", isCaseSensitive: false, columns: [column])
            return Array(try findRecords(matching: search, in: table, threads: threads, control: JobControl()))
        }
        #expect(found[0] == found[1] && !found[0].isEmpty)

        let statistics = try columns(0).map { table, column in
            var all = try columnStatistics(
                of: table, [StatisticsRequest(column: column, kind: .decimal)], threads: threads, control: JobControl())
            all[0].column = 0
            return all
        }
        #expect(statistics[0] == statistics[1])
    }

    @Test func `D18: derived columns can be read in any order, repeatedly, and without their source columns`() throws {
        let (derived, plain) = try Self.tables(count: 3_000, seed: 7)
        let requested = [Self.first + 1, 2, Self.first, Self.first + 1, 0, Self.first + 9]
        let written = [4, 2, 3, 4, 0, 9]
        var (rows, expected): ([[String]], [[String]]) = ([], [])
        func text(_ fields: UnsafeBufferPointer<FieldBytes>) -> [String] { fields.map { String(decoding: $0.bytes, as: UTF8.self) } }
        try derived.scan(100..<2_900, columns: requested) { _, fields in
            rows.append(text(fields))
            return true
        }
        try plain.scan(100..<2_900, columns: written) { _, fields in
            expected.append(text(fields))
            return true
        }
        #expect(rows == expected)
    }

    @Test(arguments: [1, 3_000])
    func `18.3: fields derived from JSON distinguish strings from other values, and other derived fields do not`(count: Int) throws {
        let forms: [(text: String, value: String, json: String?)] = [
            (#"{"a": "00123"}"#, "00123", nil), (#"{"a": 1.50}"#, "1.50", "1.50"), (#"{"a": "tr\u0075e"}"#, "true", nil),
            (#"{"a": true}"#, "true", "true"), (#"{"a": null}"#, "", "null"), (#"{"a": ""}"#, "", nil), (#"{"b": 1}"#, "", "null"),
            (#"{"a": [1, "x"]}"#, #"[1, "x"]"#, #"[1, "x"]"#), ("no JSON", "", "null"), (#"{"a": "null"}"#, "null", nil),
        ]
        let schema = Schema([Field(FieldID(rawValue: 0), name: "id", kind: .integer), Field(FieldID(rawValue: 1), name: "j", kind: .text)])
        var fields: [DerivedField] = []
        for definition in ["a = json(j, 'a')", "b = concat(a, '')", #"c = json('{"x": "5"}', 'x')"#, "d = json('[5]', '0')"] {
            let known = Schema(schema.fields + fields.map(\.field))
            fields.append(try DerivedField(definition, id: FieldID(rawValue: Self.first + fields.count), in: known))
        }
        let rows = (0..<count * forms.count).map { ["\($0)", forms[$0 % forms.count].text] }
        let table = DerivedTable(MemoryTable(rows), CompiledDerivedFields(fields, schema: schema))
        #expect(table.hasNestedValues && !table.isJSON)
        #expect(!DerivedTable(MemoryTable(rows), CompiledDerivedFields([], schema: schema)).hasNestedValues)
        let derived = Array(Self.first..<Self.first + 4)
        #expect(([0, 1] + derived + [Self.first + 9]).map(table.hasTypedStrings) == [false, false, true, false, true, true, false])
        // The JSON values are also known if the columns themselves are not read.
        let nested = ([1] + derived + [Self.first + 9]).map { FieldID.firstNestedColumn + $0 }
        for columns in [nested + [Self.first, 0], [FieldID.firstNestedColumn + 1, Self.first, 0], [FieldID.firstNestedColumn + 1, 0]] {
            var wrong: [Int] = []
            try table.scan(0..<rows.count, columns: columns) { row, fields in
                let found = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
                let form = forms[row % forms.count]
                var expected: [String?] = columns.count > 3 ? [nil, form.json, nil, nil, "5", nil] : [nil]
                if columns.count > 2 { expected.append(form.value) }
                if found != expected + ["\(row)"] { wrong.append(row) }
                return true
            }
            #expect(wrong == [])
        }
    }

    @Test(arguments: [4, 30_000])
    func `18.3: strings in JSON text are text in samples, even if they look like numbers or flags`(count: Int) throws {
        func kinds(_ forms: [String]) throws -> [ValueKind] {
            let schema = Schema([Field(FieldID(rawValue: 0), name: "j", kind: .text)])
            let fields = try ["a", "b", "c", "d", "e", "f"].enumerated().map { index, key in
                try DerivedField("\(key) = json(j, '\(key)')", id: FieldID(rawValue: Self.first + index), in: schema)
            }
            let rows = (0..<count).map { ["{" + forms[$0 % forms.count] + "}"] }
            let table = DerivedTable(MemoryTable(rows), CompiledDerivedFields(fields, schema: schema))
            return table.profiles(of: fields.map(\.field.id.rawValue)).map(\.kind)
        }
        let single = #""a": "98765", "b": "true", "c": "2024-01-31", "d": "1e3", "e": 98765, "f": true"#
        #expect(try kinds([single]) == [.text, .text, .date, .text, .integer, .flag])
        let mixed = [#""a": 1, "b": "1", "c": "", "d": 1.5, "e": null"#, #""a": "1", "b": 2, "c": 7, "d": -100, "f": [1]"#]
        #expect(try kinds(mixed) == [.text, .text, .integer, .decimal, .text, .text])
        guard count > 4 else { return }
        // One string in a hundred values does not change the type of a column of numbers, as in JSON files.
        #expect(try kinds((0..<100).map { $0 == 7 ? #""a": "1""# : "\"a\": \($0)" })[0] == .integer)
        #expect(try kinds((0..<20).map { $0 == 7 ? #""a": "1""# : "\"a\": \($0)" })[0] == .text)
    }

    /// A table that counts how often it is asked for the number storage of a column.
    private struct StoredNumbers: Table {
        final class Counter: Sendable { let value = Atomic(0) }
        let storage: [NumberStorage?]
        let asked = Counter()
        var recordCount: Int { 0 }
        var columnCount: Int { storage.count }
        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) {}
        func numberStorage(ofColumn column: Int) -> NumberStorage? {
            asked.value.add(1, ordering: .relaxed)
            return storage[column]
        }
    }

    /// The number storage of derived fields of a table with the columns `a`, `b` and `c`.
    private func storage(of definitions: [String], in table: StoredNumbers) throws -> [NumberStorage?] {
        let names: [(String, ValueKind)] = [("a", .integer), ("b", .decimal), ("c", .text)]
        var schema = Schema(names.enumerated().map { Field(FieldID(rawValue: $0), name: $1.0, kind: $1.1) })
        var fields: [DerivedField] = []
        for definition in definitions {
            fields.append(try DerivedField(definition, id: FieldID(rawValue: Self.first + fields.count), in: schema))
            schema = Schema(schema.fields + [fields[fields.count - 1].field])
        }
        let derived = DerivedTable(table, CompiledDerivedFields(fields, schema: schema))
        return fields.map { derived.numberStorage(ofColumn: $0.field.id.rawValue) }
    }

    @Test func `18.10: a number derived from a quotient or a floating-point number is marked as computed`() throws {
        let definitions = [
            "d = a + 1", "e = a / 3", "f = d * b", "g = -e", "h = round(e, 2)", "i = if(b > 1, a, d)", "j = if(a > 1, a, e)",
            "k = coalesce(b, a)", "l = concat(e, '')", "m = l + 1", "n = f - h", "o = b", "p = if(a > 1, f, a)",
        ]
        let stored = StoredNumbers(storage: [nil, .double, nil])
        let computed: Set<Int> = [1, 3, 6, 7, 11, 12]
        // Arithmetic with floating-point numbers.
        let doubles: Set<Int> = [2, 10]
        // Results of integers.
        let integers: Set<Int> = [0, 5]
        let expected: [NumberStorage?] = definitions.indices.map {
            computed.contains($0) ? .computed : doubles.contains($0) ? .computedDouble : integers.contains($0) ? .computedInteger : nil
        }
        let found = try storage(of: definitions, in: stored)
        #expect(found == expected, "\(found)")
    }

    @Test func `18.10: numbers that a formula computes from integers only are computed integers`() throws {
        let whole = ["-a * 2 - abs(a)", "floor(b / 3)", "ceil(b)", "round(b)", "length(c)", "if(b > 0.5, a, 0)", "coalesce(a, 1)", "a"]
        let others = ["a * 0.5", "a + b", "a / 2", "round(b, 1)", "if(a > 1, a, 0.5)", "c + 1", "upper(c)", "a > 1"]
        let definitions = (whole + others).enumerated().map { "d\($0) = \($1)" }
        let found = try storage(of: definitions, in: StoredNumbers(storage: [nil, nil, nil]))
        #expect(found.prefix(whole.count).allSatisfy { $0 == .computedInteger }, "\(found)")
        #expect(!found.dropFirst(whole.count).contains(.computedInteger), "\(found)")
    }

    @Test func `18.10: the precision of a chain of derived fields is found in one step per field`() throws {
        let definitions = (1...16).map { $0 == 1 ? "d1 = a + a" : "d\($0) = d\($0 - 1) + d\($0 - 1)" }
        let stored = StoredNumbers(storage: [nil, nil, nil])
        #expect(try storage(of: definitions, in: stored).allSatisfy { $0 == .computedInteger })
        #expect(stored.asked.value.load(ordering: .relaxed) == definitions.count)
    }

    private static let invalid: [(String, FilterError.Kind, Range<Int>)] = [
        ("total", .expectedEqualsSign, 5..<5),
        ("= 3", .expectedName, 0..<1),
        ("price = 3", .columnExists, 0..<5),
        ("x = prise + 1", .unknownColumn, 4..<9),
    ]

    @Test(arguments: invalid)
    func `D18: a definition consists of a new name and a formula`(definition: String, kind: FilterError.Kind, place: Range<Int>) {
        let error = #expect(throws: FilterError.self) { try DerivedField(definition, id: .firstDerived, in: Self.schema) }
        #expect(error?.kind == kind && error?.range == place, "\(definition)")
    }
}
