import Foundation
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

    @Test(
        arguments: [(false, [5, 1, 3, 0, 4, 2]), (true, [0, 3, 1, 5, 4, 2])])
    func `D6: numbers with decimal commas are sorted by value, with unreadable fields last`(isDescending: Bool, expected: [UInt32]) throws {
        let key = ResolvedSortKey(column: 0, ordering: SortOrdering(kind: .decimal, notation: .comma), isDescending: isDescending)
        #expect(try sortedRecords(of: table, by: [key], threads: 2, control: JobControl()).short == expected)
    }

    @Test func `D6: every column with decimal commas is sorted like the same column with decimal points`()
        throws
    {
        var random = SplitMix64(seed: 5)
        let numbers = (0..<5_000).map { _ -> String in
            let number = Double(Int(random.next() % 2_000_000)) / 1000 - 1000
            return random.next() % 50 == 0 ? "x" : random.next() % 9 == 0 ? "\(number)e2" : "\(number)"
        }
        let both = MemoryTable(numbers.map { [$0, $0.replacing(".", with: ",")] })
        for isDescending in [false, true] {
            let orders = try [SortOrdering.number, .number(.comma)].enumerated().map { column, ordering in
                let key = ResolvedSortKey(column: column, ordering: ordering, isDescending: isDescending)
                return try sortedRecords(of: both, by: [key], threads: 2, control: JobControl())
            }
            #expect(orders[0] == orders[1])
        }
    }

    /// The rows that a query finds, in the order of the query.
    private func found(_ query: Query, in table: MemoryTable, _ schema: Schema) throws -> [Int] {
        let result = try LocalQueryEngine(threads: 2).rows(
            of: table, schema: schema, matching: query, earlierFilterResult: nil, control: JobControl())
        let rows = try #require(result.rows)
        return (0..<rows.count).map { rows[$0] }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `D6, D7, D8, D9: dates in any notation are sorted, filtered and grouped like ISO dates`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        // The same dates in each column, and a few strings and empty fields.
        let rows = (0..<5_000).map { row -> [String] in
            if random.next() % 50 == 0 { return Array(repeating: row % 3 == 0 ? "" : "n/a", count: 6) }
            let (year, month, day) = (Int(2020 + random.next() % 3), Int(1 + random.next() % 12), Int(1 + random.next() % 28))
            let iso = "\(year)-\(padded(month))-\(padded(day))"
            let seconds = FieldBytes.withBytes(of: iso) { $0.temporal(.date) }! / 1_000_000
            return [
                iso, "\(day)/\(month)/\(year)", "\(padded(month))/\(padded(day))/\(year)", "\(day) \(names[month - 1]) \(year)",
                "\(year)\(padded(month))\(padded(day))", "\(seconds)000",
            ]
        }
        let table = MemoryTable(rows)
        let notations: [DateNotation] = [.iso, .dayFirst, .monthFirst, .iso, .digits, .epochMilliseconds]
        let fields = notations.enumerated().map { Field(FieldID(rawValue: $0), name: "d\($0)", kind: .date, dateNotation: $1) }
        var results: [[[Int]]] = []
        for field in fields {
            var rows: [[Int]] = []
            for filter in ["", "\(field.name) > 2021-05-05", "\(field.name) = '2021-05-05'", "year(\(field.name)) = 2021"] {
                var query = Query()
                if !filter.isEmpty { query.filters = [try Filter(filter, in: Schema(fields)).formula] }
                for isDescending in [false, true] {
                    query.sort = [Query.SortKey(field.id, by: Query.Comparison(field.kind, of: field), isDescending: isDescending)]
                    rows.append(try found(query, in: table, Schema(fields)))
                }
            }
            results.append(rows)
        }
        for (field, rows) in zip(fields, results).dropFirst() {
            // Strings that are not dates have the same order in all columns.
            #expect(rows == results[0], "\(field.dateNotation)")
        }
        #expect(results[0].allSatisfy { $0.count > 1 } && results[0][0].count == 5_000)
        let statistics = try columnStatistics(
            of: table, fields.map { StatisticsRequest(column: $0.id.rawValue, kind: .date, dateNotation: $0.dateNotation) }, threads: 2,
            control: JobControl())
        for other in statistics.dropFirst() {
            #expect(other.minimum == statistics[0].minimum && other.maximum == statistics[0].maximum && other.mean == statistics[0].mean)
            #expect(other.unreadableCount == statistics[0].unreadableCount && other.valueCount == statistics[0].valueCount)
            #expect(other.quantiles == statistics[0].quantiles && other.distinct == statistics[0].distinct)
        }
        #expect(statistics[0].unreadableCount > 0 && statistics[0].emptyCount > 0)
        let aggregates = try groupedRecords(
            of: MemoryTable(rows.map { ["x"] + $0 }), by: [ResolvedGroupKey(column: 0, ordering: .text)],
            aggregates: notations.enumerated().map {
                AggregateRequest(function: .max, column: $0 + 1, kind: .date, dateNotation: $1)
            }, threads: 2, control: JobControl())
        #expect(Set(aggregates.values).count == 1 && aggregates.values[0] == statistics[0].maximum)
    }

    @Test func `D7: columns of two notations are compared as dates; text in a filter has the notation of its column`() throws {
        let table = MemoryTable([["24/01/2022", "20220124"], ["01/02/2022", "20220102"], ["03/02/2022", "20220301"]])
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "a", kind: .date, dateNotation: .dayFirst),
            Field(FieldID(rawValue: 1), name: "b", kind: .date, dateNotation: .digits),
        ])
        func rows(_ filter: String) throws -> [Int] {
            var query = Query()
            query.filters = [try Filter(filter, in: schema).formula]
            return try found(query, in: table, schema)
        }
        #expect(try rows("a = b") == [0])
        #expect(try rows("a > b") == [1])
        #expect(try rows("a = '1/2/2022'") == [1] && rows("b >= '20220124'") == [0, 2])
        #expect(try rows("month(a) = 2") == [1, 2])
        let text = Filter.text(FieldID(rawValue: 0), hasValue: "24/01/2022", isNegated: false, in: schema)
        #expect(try rows(text) == [0], "\(text)")
    }

    @Test func `D18: a derived date is written in ISO form, whatever the notation of its source`() throws {
        let schema = Schema([Field(FieldID(rawValue: 0), name: "a", kind: .date, dateNotation: .dayFirst)])
        let field = try DerivedField("b = a", id: .firstDerived, in: schema)
        let table = DerivedTable(
            MemoryTable(column: ["24/01/2022", "x", ""]), CompiledDerivedFields([field], schema: schema))
        var texts: [String] = []
        try table.scan(0..<3, columns: [field.field.id.rawValue]) { _, fields in
            texts.append(String(decoding: fields[0].bytes, as: UTF8.self))
            return true
        }
        #expect(field.field.kind == .date && texts == ["2022-01-24", "", ""])
    }

    @Test func `D18: dates in fields and queries saved by older versions are read as ISO dates`() throws {
        let field = Field(FieldID(rawValue: 1), name: "a", kind: .date, notation: .comma, dateNotation: .monthFirst)
        let aggregate = Query.Aggregate(.max, of: field.id, kind: .date, dateNotation: .monthFirst)
        func decoded<Value: Codable>(_ value: Value, asOlder: Bool) throws -> Value {
            var object = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
            if asOlder { object["dateNotation"] = nil }
            return try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: object))
        }
        #expect(try decoded(field, asOlder: false) == field && decoded(aggregate, asOlder: false) == aggregate)
        #expect(try decoded(field, asOlder: true).dateNotation == .iso && decoded(aggregate, asOlder: true).dateNotation == .iso)
    }

    @Test func `D8: sums, means and extremes of groups accept decimal commas`() throws {
        let functions = [AggregateRequest.Function.sum, .mean, .min, .max, .count]
        let result = try groupedRecords(
            of: table, by: [ResolvedGroupKey(column: 1, ordering: .text)],
            aggregates: functions.map { AggregateRequest(function: $0, column: 0, kind: .decimal, notation: .comma) }, threads: 2,
            control: JobControl())
        #expect(result.groups.map(\.key) == ["a", "b"])
        #expect(
            result.values == [
                .decimal(1247), .decimal(623.5), .decimal(12.5), .decimal(1234.5), .integer(2),
                .decimal(6.5), .decimal(3.25), .decimal(-3), .decimal(9.5), .integer(3),
            ])
    }

    @Test func `D8: groups are sorted by numbers with decimal commas`() throws {
        let key = ResolvedGroupKey(column: 0, ordering: .number(.comma))
        let result = try groupedRecords(of: table, by: [key], threads: 1, control: JobControl())
        #expect(result.groups.map(\.key) == ["-3", "9,5", "12,5", "1.234,50", "12.50", ""])
    }

    @Test(
        arguments: [
            ("price > 9.5", "1 4"), ("price = 12.5", "4"), ("price <= 12.5", "2 4 6"), ("price in (9.5, -3)", "2 6"),
            ("price = '12,5'", "4"),
            ("price > old", "1"), ("price * 2 = 19", "2"), ("old + price = 1236", "1"), ("price = '1.234,5'", "1"), ("price = '12.5'", ""),
            ("old = 1.5", "1"),
        ])
    func `D7: conditions use decimal points even if the fields use decimal commas`(text: String, expected: String) throws {
        let filter = try Filter(text, in: Schema(columns))
        let records = try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl())
        #expect(records.map { "\($0 + 1)" }.joined(separator: " ") == expected)
    }

    @Test func `D7: a filter made from the value of a cell matches the row of this cell`() throws {
        for value in ["12,5", "1.234", "1.234,50", "-7", "12.5", "x", "5%"] {
            let text = Filter.text(columns[0].id, hasValue: value, isNegated: false, in: Schema(columns))
            let rows = MemoryTable([[value, "", ""], ["1,234", "", ""], ["12500", "", ""]])
            let found = try filteredRecords(of: rows, by: [try Filter(text, in: Schema(columns))], threads: 1, control: JobControl())
            #expect(found.short == [0], "\(text)")
        }
    }

    @Test func `D6: a stored column is reused only for the number notation in which it was read`() throws {
        let store = ColumnStore(budget: 1 << 20)
        let rows = MemoryTable(column: ["1,500", "2", "1.250"])
        for (ordering, expected) in [(SortOrdering.number, [2, 1, 0]), (.number(.comma), [0, 1, 2]), (.number, [2, 1, 0])] {
            let key = ResolvedSortKey(column: 0, ordering: ordering)
            #expect(try sortedRecords(of: rows, by: [key], store: store, threads: 1, control: JobControl()).short.map(Int.init) == expected)
        }
    }
}
