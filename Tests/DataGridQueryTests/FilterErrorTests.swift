import FieldValues
import Tables
import Testing

@testable import DataGridQuery

/// The text of every error in filters and formulas. Other tests compare kinds, so rewording an error changes one line here.
@Suite struct FilterErrorTests {
    private typealias Sample = (text: String, kind: FilterError.Kind, message: String)

    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal), Field(FieldID(rawValue: 1), name: "quantity", kind: .integer),
        Field(FieldID(rawValue: 2), name: "symbol", kind: .text), Field(FieldID(rawValue: 3), name: "day", kind: .date),
        Field(FieldID(rawValue: 4), name: "when", kind: .dateTime), Field(FieldID(rawValue: 5), name: "done", kind: .flag),
        Field(FieldID(rawValue: 6), name: "unit price", kind: .decimal),
        Field(FieldID(rawValue: 7), name: "betrag", kind: .decimal, notation: .comma),
    ])

    private static let filters: [Sample] = [
        ("price = ?", .unexpectedCharacter, "Unexpected character. Text goes in single quotes: 'text'."),
        ("price > 1 & quantity = 1", .unexpectedCharacter, "Unexpected character. Write “&&” or “and”. To join text, write concat(a, b)."),
        ("price > 1 | quantity = 1", .unexpectedCharacter, "Unexpected character. Write “||” or “or”."),
        ("price > 12abc", .unexpectedCharacter, "Unexpected character after a number. Text goes in single quotes: 'text'."),
        ("symbol >= 01.02.2024", .unexpectedCharacter, "Write the date as 2024-02-01, or as text in quotes: '01.02.2024'."),
        ("symbol = 31.1.2024", .unexpectedCharacter, "Write the date as 2024-01-31, or as text in quotes: '31.1.2024'."),
        ("symbol > 10.11.12", .unexpectedCharacter, "Unexpected character after a number. Text goes in single quotes: 'text'."),
        ("symbol > 31.1.24", .unexpectedCharacter, "Unexpected character after a number. Text goes in single quotes: 'text'."),
        ("price > 1.2.34567", .unexpectedCharacter, "Unexpected character after a number. Text goes in single quotes: 'text'."),
        ("price = NaN", .unknownColumn, "Unknown column “NaN”. NaN equals no number. To find it, write =* 'NaN'."),
        ("price < inf", .unknownColumn, "Unknown column “inf”. For infinity, write 'inf'."),
        ("price > 100k", .numberUnit, "Write numbers without units: 100000."),
        ("price > 1G", .numberUnit, "Write numbers without units: 1000000000."),
        ("quantity => 2", .unknownOperator, "Unknown operator =>. Did you mean >=?"),
        ("quantity =< 2", .unknownOperator, "Unknown operator =<. Did you mean <=?"),
        ("symbol =~ 'a'", .unknownOperator, "Unknown operator =~. Did you mean ~?"),
        ("price % 2 = 0", .unknownOperator, "Unknown operator %. Write a - b * floor(a / b)."),
        ("quantity^2 > 9", .unknownOperator, "Unknown operator ^. Write a * a for the square of a."),
        ("quantity**2 > 9", .unknownOperator, "Unknown operator **. Write a * a for the square of a."),
        ("quantity // 2 > 9", .unknownOperator, "Unknown operator //. Write floor(a / b)."),
        ("mod(price, 2) = 0", .unknownFunction, "Unknown function “mod”. Write a - b * floor(a / b)."),
        ("power(price, 2) > 9", .unknownFunction, "Unknown function “power”. Write a * a for the square of a."),
        ("symbol || 'x' = 'ax'", .joinedText, "|| means “or”. To join text, write concat(a, b)."),
        ("`Order ID` = 2", .unquotedName, "Write the column name as \"Order ID\"."),
        ("[price] = 2", .unquotedName, "Write the column name as price."),
        ("symbol = [", .unexpectedCharacter, "Unexpected character. Text goes in single quotes: 'text'."),
        ("symbol = 'a", .missingQuote, "Missing closing quote."),
        ("price > €100", .currencySign, "Write numbers without a currency sign, as in 12.5."),
        (
            "price > 1,000", .thousandsSeparator,
            "Write numbers without thousands separators: 1000."
        ),
        (
            "(price > 1,000,000.5)", .thousandsSeparator,
            "Write numbers without thousands separators: 1000000.5."
        ),
        ("day > 2024-02-30", .invalidTime, "2024-02-30 is not a date. Write year-month-day, as in 2024-01-31."),
        ("when > 10:99", .invalidTime, "10:99 is not a time. Write hours:minutes:seconds, as in 10:22:05."),
        ("# > 1", .expectedColumnNumber, "Expected a column number, as in #3."),
        ("pricee > 1", .unknownColumn, "Unknown column “pricee”. Did you mean “price”?"),
        ("price = ABC", .unknownColumn, "Unknown column “ABC”. For text, write 'ABC'."),
        ("price = n/a", .unknownColumn, "Unknown column “n”. For text, write 'n/a'."),
        ("price = n/quantity", .unknownColumn, "Unknown column “n”. For text, write 'n'."),
        ("#9 > 1", .unknownColumnNumber, "No column #9: the last is #8."),
        ("lenth(symbol) > 3", .unknownFunction, "Unknown function “lenth”. Did you mean “length”?"),
        ("unit price > 1", .unquotedName, "Write the column name in double quotes: \"unit price\"."),
        ("price >", .expectedOperand, "Expected a column or a value."),
        ("price + 1", .expectedComparison, "Expected a comparison, such as “price > 1” or “price is empty”."),
        (" symbol 9 2024-05", .expectedComparison, "Expected a comparison, or text in quotes: 'symbol 9 2024-05'."),
        ("price > 1 x", .expectedAndOr, "Expected “and” or “or”."),
        ("price > 12,5", .decimalComma, "The decimal separator is a point: write 12.5."),
        ("betrag > 1.000", .ambiguousNumber, "“1.000” is ambiguous. Write 1000 or 1.0, without thousands separators."),
        ("-12.340 < betrag * 2", .ambiguousNumber, "“-12.340” is ambiguous. Write -12340 or -12.34, without thousands separators."),
        ("betrag in (5, 1.125)", .ambiguousNumber, "“1.125” is ambiguous. Write 1125 or 1.1250, without thousands separators."),
        ("betrag between 1 and 9.000", .ambiguousNumber, "“9.000” is ambiguous. Write 9000 or 9.0, without thousands separators."),
        ("betrag in (99,90)", .ambiguousNumber, "“99,90” is ambiguous. Write 99.90, or 99, 90 with a space."),
        ("betrag > 1,500", .ambiguousNumber, "“1,500” is ambiguous. Write 1500 or 1.5, without thousands separators."),
        ("price > 2 or #8 < -12,125", .ambiguousNumber, "“12,125” is ambiguous. Write 12125 or 12.1250, without thousands separators."),
        ("betrag > 1,234,567", .thousandsSeparator, "Write numbers without thousands separators: 1234567."),
        ("betrag > 1,234.5", .thousandsSeparator, "Write numbers without thousands separators: 1234.5."),
        ("betrag > 1,5", .decimalComma, "The decimal separator is a point: write 1.5."),
        ("betrag > 1.234.567", .thousandsSeparator, "Write numbers without thousands separators: 1234567."),
        ("betrag > 1.234,56", .thousandsSeparator, "Write numbers without thousands separators: 1234.56."),
        ("price < (quantity > 2)", .expectedValue, "Expected a value here, not a condition."),
        ("(price > 1", .expectedParenthesis, "Expected “)”."),
        ("price > 1)", .unmatchedParenthesis, "Unmatched “)”."),
        ("symbol in ('a' 'b')", .expectedListEnd, "Expected “,” or “)”."),
        ("symbol = big ABC", .severalWords, "Put text of several words in quotes, as in 'two words'."),
        ("symbol = AB*", .wildcard, "* is not a wildcard. Use “starts with 'AB'” or “like 'AB%'”."),
        ("quantity" + String(repeating: " + 1", count: 1_001) + " > 0", .tooManyOperators, "Too many operators: the limit is 1000."),
        (String(repeating: "(", count: 101) + "price", .nestedTooDeeply, "Nested too deeply: the limit is 100 levels."),
        ("symbol not 'a'", .expectedTest, "Write “in”, “between”, “like”, “contains”, “starts with” or “ends with” here."),
        ("symbol starts 'a'", .expectedWith, "Write “starts with”."),
        ("symbol ends 'a'", .expectedWith, "Write “ends with”."),
        ("symbol is full", .expectedState, "Expected “empty”, “null”, “missing” or “not”."),
        ("symbol is not full", .expectedState, "Expected “empty”, “null” or “missing”."),
        ("symbol in 'a'", .expectedList, "Expected a list of values in parentheses."),
        ("symbol in ()", .expectedListValue, "Expected a number, a date or text in quotes."),
        ("price between 1", .expectedUpperLimit, "Expected “and” and the upper limit, as in “between 1 and 5”."),
        ("symbol contains price", .expectedText, "Expected text in single quotes, as in 'text'."),
        ("symbol like 'a' escape 'xy'", .invalidEscape, "Expected one character in single quotes, as in escape '!'."),
        ("symbol like 'a!' escape '!'", .unfinishedEscape, "The pattern ends with the escape character. Write a character after it."),
        ("symbol = null", .nullComparison, "To find empty fields, write “is empty” or “is null”."),
        ("symbol ~ '('", .invalidPattern, "Invalid regular expression: missing ): (."),
        ("json(symbol, '') = 'a'", .invalidPath, "Expected a path, as in 'address.city' or 'items.0'."),
        (
            "if(anywhere('a'), 1, 2) = 1", .searchInFormula,
            "A search in all cells works only in filters, alone or with “and”, “or” and “not”."
        ),
        ("price", .columnNotCompared, "“price” is a column: compare it, as in price > 0. To search every cell for it, put it in quotes."),
        (
            "symbol", .columnNotCompared,
            "“symbol” is a column: compare it, as in symbol = 'text'. To search every cell for it, put it in quotes."
        ),
        (
            "day", .columnNotCompared,
            "“day” is a column: compare it, as in day > 2024-01-31. To search every cell for it, put it in quotes."
        ),
        ("price > 'abc'", .otherType, "Column “price” contains numbers, as in 12.5, not 'abc'."),
        ("'abc' <= day", .otherType, "Column “day” contains dates, as in 2024-01-31, not 'abc'."),
        ("price > 2024-01-01", .otherType, "Column “price” contains numbers, as in 12.5."),
        ("done = 3", .otherType, "Column “done” contains true or false, not 3."),
        ("1 + 1 contains 'a'", .expectedColumn, "Expected a column."),
        (
            "\"zzz\" = 'A'", .expectedColumnOnOneSide,
            "Expected a column on one side. Write the name of a column, or its number, such as #2."
        ),
        ("1 = 1", .expectedColumnOnOneSide, "Expected a column on one side."),
        ("\"symbo\" = 'A'", .expectedColumnOnOneSide, "Expected a column on one side. Did you mean “symbol”?"),
        ("price > 'x' + 1", .argumentType, "Expected a number, not text. To join text, write concat(a, b)."),
        ("price * 2 > '5'", .argumentType, "Cannot compare a number with text. Write 5 without quotes."),
        ("day * 2 > 5", .argumentType, "Expected a number, not a date."),
        ("price = year(symbol, 1)", .argumentCount, "year takes 1 argument, not 2."),
        ("length(symbol) > 'x'", .argumentType, "Cannot compare a number with text."),
    ]

    private static let formulas: [Sample] = [
        ("prize * 2", .unknownColumn, "Unknown column “prize”. Did you mean “price”?"),
        ("price * 1e40", .numberTooLarge, "Number too large: the limit is 38 digits."),
        ("case when price > 1 then 2 end", .unknownColumn, "Unknown column “case”. Write if(price > 1, 'a', 'b')."),
        ("days(day, now)", .unknownColumn, "Unknown column “now”. gridview does not know the current date. Write it as 2024-01-31."),
        ("price & 'a'", .unexpectedCharacter, "Unexpected character. Write “&&” or “and”. To join text, write concat(a, b)."),
        ("sum(price)", .unknownFunction, "Unknown function “sum”. It is an aggregate of a group, not a function of a row."),
        ("rond(price)", .unknownFunction, "Unknown function “rond”. Did you mean “round”?"),
        ("Len(symbol)", .unknownFunction, "Unknown function “Len”. Did you mean “length”?"),
        ("substring(symbol, 1, 2)", .unknownFunction, "Unknown function “substring”. Did you mean “mid”?"),
        ("startswith(symbol, 'a')", .unknownFunction, "Unknown function “startswith”. Write name starts with 'a'."),
        ("frobnicate(price)", .unknownFunction, "Unknown function “frobnicate”. The help (?) lists the functions."),
        (
            "days(day, today())", .unknownFunction,
            "Unknown function “today”. gridview does not know the current date. Write it as 2024-01-31."
        ),
        ("betrag * 1,19", .decimalComma, "The decimal separator is a point: write 1.19."),
        ("if(betrag > 1.000, 1, 2)", .ambiguousNumber, "“1.000” is ambiguous. Write 1000 or 1.0, without thousands separators."),
        ("price quantity", .expectedOperator, "Expected an operator."),
        ("round(price, 1, 2)", .argumentCount, "round takes 1 or 2 arguments, not 3."),
        ("symbol || ' ' || symbol", .joinedText, "|| means “or”. To join text, write concat(a, b)."),
        ("price + 'a'", .argumentType, "Expected a number, not text. To join text, write concat(a, b)."),
        ("price - 'a'", .argumentType, "Expected a number, not text."),
        ("price + day", .argumentType, "Expected a number, not a date."),
        ("when - day", .argumentType, "Expected a number, not a date and time. For the days from date a to date b, write days(a, b)."),
        ("year(price)", .argumentType, "Expected a date, not a number."),
        ("hour(day)", .argumentType, "Expected a time, not a date."),
        ("price = day", .argumentType, "Cannot compare a number with a date."),
        ("if(day > '2024-01-31', 1, 2)", .argumentType, "Cannot compare a date with text. Write 2024-01-31 without quotes."),
        ("days(day, '2024-01-31')", .argumentType, "Expected a date, not text. Write 2024-01-31 without quotes."),
        ("price > '5'", .argumentType, "Cannot compare a number with text. Write 5 without quotes."),
        ("if(day > 'soon', 1, 2)", .argumentType, "Cannot compare a date with text."),
        ("if(price, 1, 2)", .argumentType, "Expected true or false, not a number."),
    ]

    private static let definitions: [Sample] = [
        ("total", .expectedEqualsSign, "Expected “=” after the name of the new column."),
        ("= 3", .expectedName, "Expected a name for the new column, as in total = price * quantity."),
        ("price = 3", .columnExists, "Column “price” already exists. Choose another name."),
    ]

    /// Conditions that only a saved view can have.
    private static let trees: [(formula: Formula, kind: FilterError.Kind, message: String)] = [
        (.call(.isEmpty, [.field(FieldID(rawValue: 99))]), .unknownColumnNumber, "No column #100."),
        (.call(.greater, [.field(FieldID(rawValue: 0)), .constant(.approximate("1 or done"))]), .notNumber, "Not a number."),
        (
            .call(.greater, [.call(.abs, [.field(FieldID(rawValue: 0))]), .constant(.approximate("1 or done"))]), .notNumber,
            "Not a number."
        ),
    ]

    @Test func `D7: every error in a filter has the expected text`() {
        for (text, kind, message) in Self.filters { check(kind, message, text) { try Filter(text, in: Self.schema) } }
        for (formula, kind, message) in Self.trees { check(kind, message, "\(formula)") { try Filter(formula, in: Self.schema) } }
    }

    @Test func `D18: every error in a formula has the expected text`() {
        for (text, kind, message) in Self.formulas { check(kind, message, text) { try Formula(text, in: Self.schema) } }
        for (text, kind, message) in Self.definitions {
            check(kind, message, text) { try DerivedField(text, id: .firstDerived, in: Self.schema) }
        }
    }

    @Test(
        arguments: [
            ("price (EUR) < 0", "\"price (EUR)\"", 0..<11), ("qty = 1 and not Price (eur) between 1 and 2", "\"price (EUR)\"", 16..<27),
            ("length(price (EUR)) > 1", "\"price (EUR)\"", 7..<18), ("qty * price (EUR) > 3", "\"price (EUR)\"", 6..<17),
            ("cost (EUR) < 0", "\"cost (EUR)\"", 0..<10), ("length (cm) > 3", "\"length (cm)\"", 0..<11),
            ("1st = 9", "\"1st\"", 0..<3), ("qty = 1 and 1st > 2", "\"1st\"", 12..<15), ("2nd half > 2", "\"2nd half\"", 0..<8),
            ("2024 > 5", "\"2024\"", 0..<4), ("net-price > 1", "\"net-price\"", 0..<9), ("* note = 'x'", "\"* note\"", 0..<6),
            ("price [t] > 1", "\"price [t]\"", 0..<9), ("€ paid > 1", "\"€ paid\"", 0..<6),
        ] as [(String, String, Range<Int>)])
    func `D7: the error about an unquoted column name shows the name in quotes`(text: String, quoted: String, range: Range<Int>) throws {
        let names = [
            "price", "price (EUR)", "qty", "1st", "2nd half", "2024", "net-price", "* note", "cost (EUR)", "length (cm)", "price [t]",
            "€ paid",
        ]
        let schema = Schema(names.enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .integer) })
        check(.unquotedName, "Write the column name in double quotes: \(quoted).", text) { try Filter(text, in: schema) }
        #expect(#expect(throws: FilterError.self) { try Filter(text, in: schema) }?.range == range, "\(text)")
        let named = String(String.UnicodeScalarView(Array(text.unicodeScalars)[..<range.lowerBound])) + quoted
        let correctedText = named + String(String.UnicodeScalarView(Array(text.unicodeScalars)[range.upperBound...]))
        #expect(throws: Never.self, "\(correctedText)") { try Filter(correctedText, in: schema) }
    }

    @Test(
        arguments: [
            (["id", "side", "id", "id"], "id_2", 3), (["id", "side", "id", "id"], "ID_3", 4), (["id", "id", "id_2"], "id_3", 2),
            (["id", "ID"], "ID_2", 2),
        ] as [([String], String, Int)])
    func `D7: the error about a column name that only the output uses gives the column number`(names: [String], name: String, number: Int) {
        let schema = Schema(names.enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .integer) })
        let message = "Unknown column “\(name)”. Only output uses this name. Write #\(number)."
        check(.unknownColumn, message, name) { try Filter("#1 > 0 and \(name) > 1", in: schema) }
        check(.unknownColumn, message, name) { try DerivedField("more = \(name) + 1", id: .firstDerived, in: schema) }
        let quoted = "Expected a column on one side. Only output uses this name. Write #\(number)."
        check(.expectedColumnOnOneSide, quoted, name) { try Filter("\"\(name)\" > 1", in: schema) }
        let error = #expect(throws: FilterError.self) { try Filter("id_9 > 1", in: schema) }
        #expect(error?.message.hasPrefix("Unknown column “id_9”.") == true && error?.message.contains("output") == false)
    }

    @Test func `D7: a part of a word is not read as an unquoted column name`() {
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "1st", kind: .integer), Field(FieldID(rawValue: 1), name: "24", kind: .integer),
        ])
        for text in ["21st = 9", "1sta = 9"] {
            check(.unexpectedCharacter, "Unexpected character after a number. Text goes in single quotes: 'text'.", text) {
                try Filter(text, in: schema)
            }
        }
        check(.expectedColumnOnOneSide, "Expected a column on one side.", "2024 > 5") { try Filter("2024 > 5", in: schema) }
    }

    @Test func `D7: a name shared by several columns is an error that lists their numbers`() throws {
        let names = ["side", "unit price", "Price", "PRICE", "side", "unit price", "id", "side", "side"]
        let fields = names.enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .text) }
        let schema = Schema(fields + [Field(.firstDerived, name: "ID", kind: .text)])
        for (text, message, range) in [
            ("side = 'a'", "Ambiguous column “side”. Write #1, #5, #8 or the number of another.", 0..<4),
            ("SIDE = 'a'", "Ambiguous column “SIDE”. Write #1, #5, #8 or the number of another.", 0..<4),
            ("#1 = 'a' and \"unit price\" = 'b'", "Ambiguous column “unit price”. Write #2 or #6.", 13..<25),
            ("length(price) > 1", "Ambiguous column “price”. Write #3 or #4.", 7..<12),
            ("Id = 'a'", "Ambiguous column “Id”. Write #7 or “ID”.", 0..<2),
            ("side", "Ambiguous column “side”. Write #1, #5, #8 or the number of another.", 0..<4),
        ] as [(String, String, Range<Int>)] {
            check(.ambiguousColumn, message, text) { try Filter(text, in: schema) }
            #expect(#expect(throws: FilterError.self) { try Filter(text, in: schema) }?.range == range, "\(text)")
        }
        // Exact names are not ambiguous, and text in quotes is not the name of a column.
        for (text, field) in [("Price = 'a'", 2), ("PRICE = 'a'", 3), ("id = 'a'", 6), ("#5 = 'a'", 4), ("#1 = 'side'", 0)] {
            #expect(try Filter(text, in: schema).formula.fields == [FieldID(rawValue: field)], "\(text)")
        }
        #expect(try Filter("'side'", in: schema).bareText == "side")
        // The text of a formula has the number of each of these columns.
        for field in schema.fields {
            let formula = Formula.call(.isEmpty, [.field(field.id)])
            let text = formula.text(in: schema)
            #expect(try Filter(text, in: schema).formula == formula, "\(text)")
        }
        #expect(FilterCompletion("side = ", in: schema)?.subject == .columns, "the column whose values fit is unknown")
        #expect(FilterCompletion("#5 = ", in: schema)?.subject == .values(FieldID(rawValue: 4)))
        #expect(schema.field(named: "side")?.id.rawValue == 0 && schema.fields(named: "Side").map(\.id.rawValue) == [0, 4, 7, 8])
        #expect(schema.fields(named: "none").isEmpty)
        // A renamed column has two entries, also under names that differ only in case.
        let renamed = Schema([Field(FieldID(rawValue: 0), name: "a", kind: .text), Field(FieldID(rawValue: 0), name: "A", kind: .text)])
        #expect(renamed.fields(named: "a").count == 1 && renamed.field(named: "A")?.name == "A")
        let folded = Schema([Field(FieldID(rawValue: 0), name: "ab", kind: .text), Field(FieldID(rawValue: 0), name: "AB", kind: .text)])
        #expect(folded.fields(named: "Ab").count == 1)
    }

    @Test func `D7: a number that cannot be a thousands group is allowed, and its printed form can be read again`() throws {
        for text in ["price > 1.000", "betrag > 0.125", "betrag > 1234.567", "betrag > 12.5", "betrag in (99, 90)", "price in (99,90)"] {
            #expect(throws: Never.self, "\(text)") { try Filter(text, in: Self.schema) }
        }
        for (written, printed) in [
            ("betrag > 1.1250", "betrag > 1.1250"), ("betrag > 1.0", "betrag > 1"), ("betrag in (-1.1250, 2)", "betrag in (-1.1250, 2)"),
            ("price > 1.125", "price > 1.125"),
        ] {
            let formula = try Filter(written, in: Self.schema).formula
            #expect(Filter.text(of: formula, in: Self.schema) == printed)
            #expect(try Filter(printed, in: Self.schema).formula == formula)
        }
    }

    private func check(_ kind: FilterError.Kind, _ message: String, _ text: String, _ body: () throws -> Any) {
        let error = #expect(throws: FilterError.self, "\(text.prefix(80))") { _ = try body() }
        #expect(error?.kind == kind && error?.message == message, "\(text.prefix(80))")
    }

    @Test(arguments: FilterError.Kind.allCases) func `D7, D18: every kind of error occurs in a sample of these tests`(
        _ kind: FilterError.Kind
    ) {
        // Names are ambiguous only with another schema, in `ambiguousNameIsError`.
        let samples = (Self.filters + Self.formulas + Self.definitions).map(\.kind) + Self.trees.map(\.kind) + [.ambiguousColumn]
        #expect(samples.contains(kind))
    }
}
