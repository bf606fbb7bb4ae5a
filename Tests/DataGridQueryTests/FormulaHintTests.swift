import FieldValues
import Tables
import Testing

@testable import DataGridQuery

/// Hints about valid filters and formulas that probably mean something else.
@Suite("D7, D18: hints about filters and formulas") struct FormulaHintTests {
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal), Field(FieldID(rawValue: 1), name: "quantity", kind: .integer),
        Field(FieldID(rawValue: 2), name: "symbol", kind: .text), Field(FieldID(rawValue: 3), name: "day", kind: .date),
        Field(FieldID(rawValue: 4), name: "when", kind: .dateTime), Field(FieldID(rawValue: 5), name: "done", kind: .flag),
        Field(FieldID(rawValue: 6), name: "clock", kind: .time),
        Field(FieldID(rawValue: 7), name: "betrag", kind: .decimal, notation: .comma),
    ])

    private func hints(_ filter: String) throws -> [String] {
        _ = try Filter(filter, in: Self.schema)
        return FormulaHint.hints(aboutFilter: filter, in: Self.schema).map(\.message)
    }

    @Test(
        "text that is not a number or a date is not equal to one",
        arguments: [
            ("price = 'three'", "Column “price” contains numbers: only cells with the text 'three' equal it."),
            ("'three' != #2", "Column “quantity” contains numbers: only cells with the text 'three' equal it."),
            ("symbol = 'a' and not price in (1, '2', 'n/a')", "Column “price” contains numbers: only cells with the text 'n/a' equal it."),
            ("betrag = '1,5,5'", "Column “betrag” contains numbers: only cells with the text '1,5,5' equal it."),
            ("day = 'soon'", "Column “day” contains dates: only cells with the text 'soon' equal it."),
            ("when = 'soon'", "Column “when” contains dates: only cells with the text 'soon' equal it."),
            ("clock = 'noon'", "Column “clock” contains times: only cells with the text 'noon' equal it."),
        ])
    func otherText(filter: String, message: String) throws { #expect(try hints(filter) == [message]) }

    @Test(
        "arithmetic with a column of text has a result only for cells that are numbers",
        arguments: ["symbol * 2 > 1", "price + symbol = 2", "-symbol < 0", "round(symbol) = 1", "not (1 / symbol > 2)"])
    func numbersInText(filter: String) throws {
        let message = "Column “symbol” contains text: only its cells that are numbers have a result."
        #expect(try hints(filter) == [message])
        let definition = "total = if(\(filter), 1, 2)"
        #expect(FormulaHint.hints(aboutDefinition: definition, in: Self.schema).map(\.message) == [message])
    }

    @Test(
        "most filters have no hint",
        arguments: [
            "price = '3'", "price = 3", "price in ('1', 2)", "price = ''", "price = ' '", "price = '12%'", "betrag = '1,5'", "symbol = 'x'",
            "done = 'no'", "day = '2024-01-31'", "day = 2024", "when > '2024-01-31'", "price = day", "price contains 'x'", "three",
            "length(symbol) * 2 > 1", "json(symbol, 'a') * 2 > 1", "symbol = 'a-b'", "price * 2 > 1",
        ])
    func noHint(filter: String) throws { #expect(try hints(filter).isEmpty) }

    @Test("a hint occurs once, and an invalid filter has none") func repeated() throws {
        #expect(try hints("price = 'x' or (price = 'x' and quantity = 'y')").count == 2)
        #expect(FormulaHint.hints(aboutFilter: "price = 'x' or", in: Self.schema).isEmpty)
        #expect(FormulaHint.hints(aboutDefinition: "total", in: Self.schema).isEmpty)
    }
}
