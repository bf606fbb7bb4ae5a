import FieldValues
import Tables
import Testing

@testable import DataGridQuery

@Suite("17.6: completion of filters") struct FilterCompletionTests {
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal), Field(FieldID(rawValue: 1), name: "unit price", kind: .integer),
        Field(FieldID(rawValue: 2), name: "side", kind: .text),
    ])

    @Test(
        arguments: [
            ("", "columns", "", 0), ("pr", "columns", "pr", 0), ("price > 1 and si", "columns", "si", 14),
            ("price > 1 && ", "columns", "", 13), ("not (si", "columns", "si", 5), ("!si", "columns", "si", 1),
            ("\"unit", "columns", "unit", 0), ("price * ", "columns", "", 8), ("length(si", "columns", "si", 7),
            ("side = ", "2", "", 7), ("side=B", "2", "B", 5), ("side != 'B", "2", "B", 8), ("side =* b", "2", "b", 8),
            ("#3 = ", "2", "", 5), ("\"unit price\" = 1", "1", "1", 15), ("side in (", "2", "", 9),
            ("side not in ('a', 'it", "2", "it", 18),
            ("price > 1 or side in (a, b", "2", "b", 25),
            // A number at the start of a condition can be the start of a column name.
            ("1", "columns", "1", 0), ("not 1", "columns", "1", 4), ("price > 1 and (20", "columns", "20", 15),
            ("price between 1 and 5 && 1", "columns", "1", 25),
        ])
    func `17.6: completion finds the column name or value that the user types at the end of a condition`(
        text: String, subject: String, typed: String, start: Int
    ) throws {
        let completion = try #require(FilterCompletion(text, in: Self.schema))
        let name: String
        switch completion.subject {
        case .columns: name = "columns"
        case .values(let id): name = "\(id.rawValue)"
        }
        #expect(name == subject && completion.typedText == typed && completion.start == start)
    }

    @Test(
        arguments: [
            "price ", "side = 'BUY'", "side contains ", "price between ", "side is ", "price > 1 ", "(price > 1)", "'abc", "12x > ",
            "side ~ ", "price > 1", "price > 2024-01-31", "price + 1", "round(1", "round(price, 1", "not round(1",
            "price between 1 and 5", "1 > 2",
        ])
    func `17.6: there are no completions where an operator or a string is expected`(text: String) {
        #expect(FilterCompletion(text, in: Self.schema) == nil)
    }
}
