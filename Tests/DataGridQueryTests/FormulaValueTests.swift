import FieldValues
import Tables
import Testing

@testable import DataGridQuery

@Suite("The values of formulas") struct FormulaValueTests {
    private static let schema = FormulaGenerator.schema

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
        #expect(try derivedTexts(of: table, column: FieldID.firstDerived.rawValue) == [expected])
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
            #expect(try derivedTexts(of: table, column: FieldID.firstDerived.rawValue) == expected, "\(written)")
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
        #expect(try derivedTexts(of: table, column: FieldID.firstDerived.rawValue) == [expected])
    }
}
