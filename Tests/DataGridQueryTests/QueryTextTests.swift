import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Queries written as text and parsed again.
struct QueryTextTests {
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "name", kind: .text), Field(FieldID(rawValue: 1), name: "price", kind: .decimal),
        Field(FieldID(rawValue: 2), name: "count", kind: .integer), Field(FieldID(rawValue: 3), name: "day", kind: .date),
        // Names that options cannot represent, or that are reserved.
        Field(FieldID(rawValue: 4), name: "a,b: \"c\"", kind: .integer), Field(FieldID(rawValue: 5), name: "price", kind: .text),
        Field(FieldID(rawValue: 6), name: "#2", kind: .decimal), Field(FieldID(rawValue: 7), name: "", kind: .text),
        Field(FieldID(rawValue: 8), name: "desc", kind: .integer), Field(FieldID(rawValue: 9), name: "sum(x)", kind: .integer),
        Field(FieldID(rawValue: 10), name: "Größe €", kind: .decimal, notation: .comma),
        Field(FieldID(rawValue: 11), name: " x", kind: .time), Field(FieldID(rawValue: 12), name: "and", kind: .flag),
        Field(FieldID(rawValue: 13), name: "at:text", kind: .dateTime),
    ])

    private static func random(_ random: inout SplitMix64) -> Query {
        var query = Query()
        var whole = schema
        for name in ["total", "long name", "or", "say \"x\"", "x:desc", "7th"].prefix(Int.random(in: 0...6, using: &random)) {
            var generator = FormulaGenerator(random: SplitMix64(seed: random.next()), fields: whole.fields)
            let formula = generator.formula(FormulaType.allCases.randomElement(using: &random)!, depth: 3)
            let id = FieldID(rawValue: FieldID.firstDerived.rawValue + query.derived.count)
            query.derived.append(DerivedField(Field(id, name: name, kind: formula.kind(in: whole)), formula))
            whole = Schema(schema.fields + query.derived.map(\.field))
        }
        var generator = FilterGenerator(random: SplitMix64(seed: random.next()), fields: whole.fields)
        query.filters = (0..<Int.random(in: 0...3, using: &random)).map { _ in generator.condition(depth: 2) }
        func comparison(_ field: Field) -> Query.Comparison {
            [.kind(field.kind, field.notation), .natural, .text].randomElement(using: &random)!
        }
        func randomFields(_ limit: Int) -> [Field] {
            Array(whole.fields.shuffled(using: &random).prefix(Int.random(in: 0...limit, using: &random)))
        }
        query.sort = randomFields(3).map { Query.SortKey($0.id, by: comparison($0), isDescending: Bool.random(using: &random)) }
        query.aggregates = randomFields(4).map {
            Query.Aggregate(
                Query.Aggregate.Function.allCases.randomElement(using: &random)!, of: $0.id, kind: $0.kind, notation: $0.notation)
        }
        query.groups = randomFields(2).map { field in
            var orders: [Query.GroupKey.Order] = [.value, .rowCount]
            if !query.aggregates.isEmpty { orders.append(.aggregate(Int.random(in: 0..<query.aggregates.count, using: &random))) }
            let intervals: [GroupInterval?] = ["year", "month", "week", "hour", "10", "0.25", "7"].map { GroupInterval(text: $0) }
            return Query.GroupKey(
                field.id, by: comparison(field), order: orders.randomElement(using: &random)!, isDescending: Bool.random(using: &random),
                interval: (intervals.filter { $0?.applies(to: field.kind) == true } + [nil]).randomElement(using: &random)!)
        }
        return query
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>) func `D18: a query written as text parses to the same query`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let query = Self.random(&random)
        let text = try QueryText(query, in: Self.schema)
        #expect(try text.query(in: Self.schema) == query, "\(text.options)")
        // Each clause alone also parses.
        for request in text.sort { #expect(try SortRequest(text: request.text) == request) }
        for request in text.groups { #expect(try GroupRequest(text: request.text) == request) }
        for option in text.aggregates { #expect(try AggregateOption(text: option.text) == option) }
        #expect(try JSONDecoder().decode(Query.self, from: JSONEncoder().encode(query)) == query)
    }

    @Test func `D18: a query is written and parsed as command-line options`() throws {
        var text = QueryText()
        text.derived = ["total = #2 * count"]
        text.filters = ["total > 3"]
        text.sort = [try SortRequest(text: "total:desc"), try SortRequest(text: "name:text")]
        text.groups = [try GroupRequest(text: "day:sum(total):desc")]
        let query = try text.query(in: Self.schema)
        #expect(query.aggregates.count == 1 && query.groups[0].order == .aggregate(0))
        #expect(
            try QueryText(query, in: Self.schema).options.map { "\($0) \($1)" } == [
                "--derive total = #2 * count", "--filter total > 3", "--sort total:desc,name:text", "--group day:sum(total):desc",
                "--aggregate sum(total)",
            ])
    }

    @Test func `D18: in the text of a group level, the comparison comes before the order`() throws {
        for (text, column, comparison, order, isDescending) in [
            ("name:text", "name", .text, nil, false), ("name:Natural:desc", "name", .natural, nil, true),
            ("name:date:count", "name", .date, .count, false), ("text", "text", nil, nil, false),
            ("a:b:number:sum(x:y):desc", "a:b", .number, .aggregate(AggregateOption(.sum, ColumnReference("x:y"))), true),
        ] as [(String, String, SortRequest.Comparison?, GroupRequest.Order?, Bool)] {
            var expected = GroupRequest(ColumnReference(column), by: order, isDescending: isDescending)
            expected.comparison = comparison
            #expect(try GroupRequest(text: text) == expected)
            #expect(try GroupRequest(text: expected.text) == expected)
        }
    }

    @Test func `D8: in the text of a group level, the interval comes before the comparison and the order`() throws {
        for (text, column, interval) in [
            ("day:month", "day", "month"), ("day:Quarter:count:desc", "day", "quarter"), ("price:10:sum(price)", "price", "10"),
            ("a:b:0.50:number:desc", "a:b", "0.5"), ("name:week:date", "name", "week"), ("month", "month", nil), (":10", ":10", nil),
        ] as [(String, String, String?)] {
            let request = try GroupRequest(text: text)
            #expect(
                request.column == ColumnReference(column) && request.interval == interval.flatMap { GroupInterval(text: $0) }, "\(text)")
            #expect(try GroupRequest(text: request.text) == request)
        }
        var text = QueryText()
        for (group, isValid) in [
            ("#2:10", true), ("#2:month", false), ("day:month", true), ("day:10", false), ("name:10", false), ("name:day", false),
            ("and:10", false), ("#12:hour", true), ("#12:day", false), ("#2:month:date", true),
        ] {
            text.groups = [try GroupRequest(text: group)]
            #expect((try? text.query(in: Self.schema)) != nil || !isValid, "\(group)")
            #expect((try? text.query(in: Self.schema)) == nil || isValid, "\(group)")
        }
    }

    @Test func `D18: spaces around the parts of a clause are ignored`() throws {
        for (text, plain) in [
            ("price : desc", "price:desc"), (" price: natural :desc ", "price:natural:desc"), ("long name : text", "long name:text"),
        ] {
            #expect(try SortRequest(text: text) == SortRequest(text: plain), "\(text)")
        }
        for (text, plain) in [
            (" side : count : desc", "side:count:desc"), ("side : sum ( price ) : desc", "side:sum(price):desc"),
            ("name : natural", "name:natural"), ("name : text : Count", "name:text:count"),
        ] {
            #expect(try GroupRequest(text: text) == GroupRequest(text: plain), "\(text)")
        }
        #expect(try AggregateOption(text: "sum ( price )") == AggregateOption(.sum, ColumnReference("price")))
        #expect(try SortRequest(text: "a : b").column.text == "a : b", "a name with a colon")
        let error = #expect(throws: QueryTextError.self) { try SortRequest(text: "price : dsc") }
        #expect(error?.message.hasPrefix("Unknown order “dsc” for price. ") == true)
    }

    @Test func `D18: error messages name the wrong text and suggest a correction`() throws {
        func message(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return (error as? QueryTextError)?.message ?? (error as? FilterError)?.message }
            return nil
        }
        #expect(
            message { _ = try SortRequest(text: "price:dsc") }
                == "Unknown order “dsc” for price. Use desc, asc, natural, text, number or date. Did you mean “desc”?")
        #expect(
            message { _ = try GroupRequest(text: "when:ocunt") }
                == "Unknown order “ocunt” for when. Use desc, asc, count, year, quarter, month, week, day, hour, a width such as 10, "
                + "natural, text, number, date or an aggregate, as in when:sum(COLUMN). Did you mean “count”?")
        for (word, suggestion) in [("mnth", "month"), ("weke", "week"), ("natrual", "natural"), ("acs", "asc")] {
            #expect(GroupRequest.unknownOrderError(word, for: "when").message.hasSuffix(" Did you mean “\(suggestion)”?"), "\(word)")
        }
        #expect(try AggregateOption(text: " sum(price) ") == AggregateOption(.sum, ColumnReference("price")))
        #expect(message { _ = try AggregateOption(text: "price") } == "“price” is not an aggregate such as sum(column).")
        var text = QueryText()
        text.sort = [SortRequest(ColumnReference("counts"))]
        #expect(message { _ = try text.query(in: Self.schema) } == "Unknown column “counts”. Did you mean “count”?")
        text.sort = [SortRequest(ColumnReference("price"))]
        #expect(message { _ = try text.query(in: Self.schema) } == "Ambiguous column “price”. Write #2 or #6.")
        text.sort = [SortRequest(ColumnReference("#\(Int.min)"))]
        #expect(message { _ = try text.query(in: Self.schema) }?.hasPrefix("Unknown column “#-9") == true)
        text.sort = [SortRequest(ColumnReference("#2"))]
        #expect(try text.query(in: Self.schema).sort.map(\.field.rawValue) == [1], "column 2, not the column with the name #2")
        text.sort = []
        text.derived = ["price = 1"]
        #expect(#expect(throws: FilterError.self) { try text.query(in: Self.schema) }?.kind == .columnExists)
    }
}
