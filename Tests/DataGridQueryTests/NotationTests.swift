import GridTestSupport
import Tables
import FieldValues
import Testing

@testable import DataGridQuery

/// Jobs on a column with decimal commas.
@Suite struct NotationTests {
    private let table = MemoryTable([
        ["1.234,50", "a", "1.5"], ["9,5", "b", "12"], ["", "a", "2"], ["12,5", "a", "x"], ["12.50", "b", "9.5"], ["-3", "b", "0"],
    ])
    private let columns = [
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal, notation: .comma),
        Field(FieldID(rawValue: 1), name: "side", kind: .text),
        Field(FieldID(rawValue: 2), name: "old", kind: .decimal),
    ]

    @Test("D6: sorts by value, with unreadable fields last", arguments: [(false, [5, 1, 3, 0, 4, 2]), (true, [0, 3, 1, 5, 4, 2])])
    func sorting(isDescending: Bool, expected: [UInt32]) throws {
        let key = SortKey(column: 0, ordering: SortOrdering(kind: .decimal, notation: .comma), isDescending: isDescending)
        #expect(try sortedRecords(of: table, by: [key], threads: 2, control: JobControl()).short == expected)
    }

    @Test("D6: sorts every column like the same column with decimal points") func sortingAgrees() throws {
        var random = SplitMix64(seed: 5)
        let numbers = (0..<5_000).map { _ -> String in
            let number = Double(Int(random.next() % 2_000_000)) / 1000 - 1000
            return random.next() % 50 == 0 ? "x" : random.next() % 9 == 0 ? "\(number)e2" : "\(number)"
        }
        let both = MemoryTable(numbers.map { [$0, $0.replacing(".", with: ",")] })
        for isDescending in [false, true] {
            let orders = try [SortOrdering.number, .number(.comma)].enumerated().map { column, ordering in
                let key = SortKey(column: column, ordering: ordering, isDescending: isDescending)
                return try sortedRecords(of: both, by: [key], threads: 2, control: JobControl())
            }
            #expect(orders[0] == orders[1])
        }
    }

    @Test("D8: computes sums, means and extremes of groups") func groups() throws {
        let functions = [AggregateRequest.Function.sum, .mean, .min, .max, .count]
        let result = try groupedRecords(
            of: table, by: [GroupKey(column: 1, ordering: .text)],
            aggregates: functions.map { AggregateRequest(function: $0, column: 0, kind: .decimal, notation: .comma) }, threads: 2,
            control: JobControl())
        #expect(result.groups.map(\.key) == ["a", "b"])
        #expect(
            result.values == [
                .decimal(1247), .decimal(623.5), .decimal(12.5), .decimal(1234.5), .integer(2),
                .decimal(6.5), .decimal(3.25), .decimal(-3), .decimal(9.5), .integer(3),
            ])
    }

    @Test("D8: sorts groups by their numbers") func groupOrder() throws {
        let key = GroupKey(column: 0, ordering: .number(.comma))
        let result = try groupedRecords(of: table, by: [key], threads: 1, control: JobControl())
        #expect(result.groups.map(\.key) == ["-3", "9,5", "12,5", "1.234,50", "12.50", ""])
    }

    @Test(
        "D7: conditions use decimal points, fields decimal commas",
        arguments: [
            ("price > 9.5", "1 4"), ("price = 12.5", "4"), ("price <= 12.5", "2 4 6"), ("price in (9.5, -3)", "2 6"),
            ("price = '12,5'", "4"),
            ("price > old", "1"), ("price * 2 = 19", "2"), ("old + price = 1236", "1"), ("price = '1.234,5'", "1"), ("price = '12.5'", ""),
            ("old = 1.5", "1"),
        ])
    func filters(text: String, expected: String) throws {
        let filter = try Filter(text, in: Schema(columns))
        let records = try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl())
        #expect(records.map { "\($0 + 1)" }.joined(separator: " ") == expected)
    }

    @Test("D7: the filter of a cell matches that cell's row") func cells() throws {
        for value in ["12,5", "1.234", "1.234,50", "-7", "12.5", "x", "5%"] {
            let text = Filter.text(columns[0].id, hasValue: value, isNegated: false, in: Schema(columns))
            let rows = MemoryTable([[value, "", ""], ["1,234", "", ""], ["12500", "", ""]])
            let found = try filteredRecords(of: rows, by: [try Filter(text, in: Schema(columns))], threads: 1, control: JobControl())
            #expect(found.short == [0], "\(text)")
        }
    }

    @Test("D6: stores a column for one notation only") func store() throws {
        let store = ColumnStore(budget: 1 << 20)
        let rows = MemoryTable(column: ["1,500", "2", "1.250"])
        for (ordering, expected) in [(SortOrdering.number, [2, 1, 0]), (.number(.comma), [0, 1, 2]), (.number, [2, 1, 0])] {
            let key = SortKey(column: 0, ordering: ordering)
            #expect(try sortedRecords(of: rows, by: [key], store: store, threads: 1, control: JobControl()).short.map(Int.init) == expected)
        }
    }
}
