import FieldValues
import Tables
import Testing

@testable import DataGridQuery

/// Hints about valid filters and formulas that are probably mistakes.
@Suite("D7, D18: hints about filters and formulas") struct FormulaHintTests {
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal), Field(FieldID(rawValue: 1), name: "quantity", kind: .integer),
        Field(FieldID(rawValue: 2), name: "symbol", kind: .text), Field(FieldID(rawValue: 3), name: "day", kind: .date),
        Field(FieldID(rawValue: 4), name: "when", kind: .dateTime), Field(FieldID(rawValue: 5), name: "done", kind: .flag),
        Field(FieldID(rawValue: 6), name: "clock", kind: .time),
        Field(FieldID(rawValue: 7), name: "betrag", kind: .decimal, notation: .comma),
    ])

    private func hints(_ filter: String) throws -> [FormulaHint] {
        _ = try Filter(filter, in: Self.schema)
        return FormulaHint.hints(aboutFilter: filter, in: Self.schema)
    }

    @Test(
        arguments: [
            ("price = 'three'", "Column “price” contains numbers. They never equal the text 'three'."),
            ("'three' != #2", "Column “quantity” contains numbers. They never equal the text 'three'."),
            ("symbol = 'a' and not price in (1, '2', 'n/a')", "Column “price” contains numbers. They never equal the text 'n/a'."),
            ("betrag = '1,5,5'", "Column “betrag” contains numbers. They never equal the text '1,5,5'."),
            ("day = 'soon'", "Column “day” contains dates. They never equal the text 'soon'."),
            ("when = 'soon'", "Column “when” contains dates. They never equal the text 'soon'."),
            ("clock = 'noon'", "Column “clock” contains times. They never equal the text 'noon'."),
        ])
    func `a hint warns that a column of numbers, dates or times never equals other text`(filter: String, message: String) throws {
        #expect(try hints(filter) == [FormulaHint(kind: .comparisonWithText, message: message)])
    }

    @Test(
        arguments: [
            ("upper(symbol) = 'apple'", "capital", "upper", "apple"), ("'Apple' != lower(symbol)", "small", "lower", "Apple"),
            ("upper(symbol) in ('A1', 'über')", "capital", "upper", "über"), ("not lower(trim(symbol)) = 'Ä'", "small", "lower", "Ä"),
        ])
    func `a hint warns of text that a result of “upper” or “lower” never equals`(
        filter: String, letters: String, function: String, text: String
    ) throws {
        let message = "\(function)() never equals '\(text)'. Write \(letters) letters."
        #expect(try hints(filter) == [FormulaHint(kind: .letterCase, message: message)])
    }

    @Test(
        arguments: ["symbol * 2 > 1", "price + symbol = 2", "-symbol < 0", "round(symbol) = 1", "not (1 / symbol > 2)"])
    func `a hint warns of arithmetic with a column of text`(filter: String) throws {
        let message = "Column “symbol” contains text. Arithmetic works only on cells with numbers."
        let hint = FormulaHint(kind: .arithmeticWithText, message: message)
        #expect(try hints(filter) == [hint])
        #expect(FormulaHint.hints(aboutDefinition: "total = if(\(filter), 1, 2)", in: Self.schema) == [hint])
    }

    @Test(
        arguments: [
            ("symbol > 5", "numbers"), ("5e40 <= symbol", "numbers"), ("symbol between 1 and 2", "numbers"),
            ("symbol < 2024-01-31", "dates"), ("symbol >= 10:22", "times"),
        ])
    func `a hint warns of a column of text that is compared by size with a number, a date or a time`(filter: String, values: String) throws
    {
        let message = "Column “symbol” contains text. This comparison works only on cells with \(values)."
        #expect(try hints(filter) == [FormulaHint(kind: .textBelowValue, message: message)])
    }

    @Test(arguments: ["price / 0 > 1", "not (price / (quantity / 0.00) = 2)", "price / -0 < 1"])
    func `a hint warns of a division by zero`(filter: String) throws {
        let hint = FormulaHint(kind: .divisionByZero, message: "Division by zero has no value. Write another divisor.")
        #expect(try hints(filter) == [hint])
    }

    @Test func `a hint says that || does not join columns of text`() throws {
        let hint = FormulaHint(kind: .orOfTexts, message: "|| means “or”. To join text, write concat(a, b).")
        #expect(FormulaHint.hints(aboutDefinition: "both = symbol || symbol", in: Self.schema) == [hint])
        #expect(FormulaHint.hints(aboutDefinition: "both = symbol or done", in: Self.schema).isEmpty)
        #expect(FormulaHint.hints(aboutDefinition: "both = done || price > 1", in: Self.schema).isEmpty)
    }

    @Test func `hints about long names and values are short, and show the start and the end`() throws {
        for letter in ["n", "名", "e\u{301}"] {
            let long = "first" + String(repeating: letter, count: 300) + "last"
            let fields = [ValueKind.text, .integer].enumerated().map { Field(FieldID(rawValue: $0), name: "\(long)\($1)", kind: $1) }
            for filter in [
                "#1 * 2 > 1", "#1 > 5", "#2 = '\(long)'", "#1 between '\(long)b' and '\(long)a'", "#2 between 5 and 1",
                "upper(#1) = '\(long)'", "#2 between 1\(String(repeating: "0", count: 35)) and 1\(String(repeating: "0", count: 34))",
            ] {
                let hints = FormulaHint.hints(aboutFilter: filter, in: Schema(fields))
                let message = try #require(hints.first?.message, "\(filter)")
                let width = message.reduce(0) { $0 + ($1 == "名" ? 2 : 1) }
                let first = message.prefix(while: { $0 != "." }).reduce(1) { $0 + ($1 == "名" ? 2 : 1) }
                #expect(width <= 240 && first <= 78, "\(message)")
                let showsEnds = message.contains("first\(letter)") && message.contains("last")
                #expect(showsEnds || message.contains("smaller limit"), "\(message)")
            }
        }
    }

    @Test(
        arguments: [
            ("price between 5 and 1", "between 1 and 5"), ("quantity = 1 and price not between 0.5 && -1", "between -1 and 0.5"),
            ("price * 2 between 2 and 1.5", "between 1.5 and 2"), ("betrag between '2,5' and 1", "between 1 and '2,5'"),
            ("day between 2024-02-01 and 2024-01-31", "between 2024-01-31 and 2024-02-01"),
            ("day between 2024-12-31 and '2024-01-31'", "between '2024-01-31' and 2024-12-31"),
            ("when between 2025 and 2024", "between 2024 and 2025"), ("day between 2024-03 and 2024-02", "between 2024-02 and 2024-03"),
            ("clock between 10:00 and 9:30", "between 9:30 and 10:00"), ("symbol between 'b' and 'a'", "between 'a' and 'b'"),
            ("length(symbol) between 3 and 2", "between 2 and 3"),
        ])
    func `a hint about swapped limits of “between” shows the limits in the correct order`(filter: String, test: String) throws {
        #expect(try hints(filter) == [FormulaHint(kind: .swappedLimits, message: "Write the smaller limit first: \(test).")])
    }

    @Test(
        arguments: [
            "price = '3'", "price = 3", "price in ('1', 2)", "price = ''", "price = ' '", "price = '12%'", "betrag = '1,5'", "symbol = 'x'",
            "done = 'no'", "day = '2024-01-31'", "day = 2024", "when > '2024-01-31'", "price = day", "price contains 'x'", "three",
            "length(symbol) * 2 > 1", "symbol = 5", "symbol > '5'", "symbol > price", "0 / price > 1", "json(symbol, 'a') * 2 > 1",
            "symbol = 'a-b'", "price * 2 > 1", "upper(symbol) = 'A 1'", "lower(symbol) in ('a-1', 'ä')", "upper(symbol) contains 'a'",
            "price between 1 and 5", "price between 1 and 1", "price between quantity and 1", "price >= 5 and price <= 1",
            "day between 2024 and 2024", "day between 2024-01-01 and 2024-01-01", "day between 2024-06 and 2024",
            "symbol between 'a' and 'b'", "symbol between 'a' and 'a'", "price between 2 and quantity and price = 1",
        ])
    func `a filter that is probably correct has no hint`(filter: String) throws { #expect(try hints(filter).isEmpty) }

    @Test func `a filter has at most ten hints, each of them once, but an invalid filter has no hint`() throws {
        #expect(try hints("price = 'x' or (price = 'x' and quantity = 'y')").count == 2)
        let many = (0..<2_000).map { "price = 'x\($0)'" }.joined(separator: " or ")
        #expect(try hints(many).count == 10)
        #expect(FormulaHint.hints(aboutFilter: "price = 'x' or", in: Self.schema).isEmpty)
        #expect(FormulaHint.hints(aboutDefinition: "total", in: Self.schema).isEmpty)
    }
}
