import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Pivot tables written as text and read again.
struct PivotTextTests {
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "region", kind: .text), Field(FieldID(rawValue: 1), name: "amount", kind: .decimal),
        Field(FieldID(rawValue: 2), name: "count", kind: .integer), Field(FieldID(rawValue: 3), name: "day", kind: .date),
        // Names that the text form must quote, or replace by numbers.
        Field(FieldID(rawValue: 4), name: "a,b: \"c\"", kind: .integer), Field(FieldID(rawValue: 5), name: "amount", kind: .text),
        Field(FieldID(rawValue: 6), name: "sold by", kind: .decimal), Field(FieldID(rawValue: 7), name: "", kind: .text),
        Field(FieldID(rawValue: 8), name: "by", kind: .integer), Field(FieldID(rawValue: 9), name: "sum(x)", kind: .integer),
        Field(FieldID(rawValue: 10), name: "Größe €", kind: .decimal, notation: .comma),
        Field(FieldID(rawValue: 11), name: " x by y ", kind: .time), Field(FieldID(rawValue: 12), name: "x BY  y", kind: .flag),
        Field(FieldID(rawValue: 13), name: "at:text", kind: .dateTime), Field(FieldID(rawValue: 14), name: "by\tz", kind: .text),
    ])

    private static func random(_ random: inout SplitMix64) -> Pivot {
        var aggregates: [Query.Aggregate] = []
        for field in schema.fields.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
            let functions = AggregateFunction.allCases.filter {
                $0.isDefined(for: field.kind) && !($0 == .sum && field.kind.isTemporal)
            }
            aggregates.append(
                Query.Aggregate(
                    functions.randomElement(using: &random)!, of: field.id, kind: field.kind, notation: field.notation,
                    dateNotation: field.dateNotation))
        }
        func key() -> Query.GroupKey {
            let field = schema.fields.randomElement(using: &random)!
            var orders: [Query.GroupKey.Order] = [.value, .rowCount]
            if !aggregates.isEmpty { orders.append(.aggregate(Int.random(in: 0..<aggregates.count, using: &random))) }
            let comparison = [Query.Comparison(field.kind, of: field), .natural, .text].randomElement(using: &random)!
            let intervals = ["year", "month", "hour", "10", "0.25"].map { GroupInterval(text: $0) }
            return Query.GroupKey(
                field.id, by: comparison, order: orders.randomElement(using: &random)!, isDescending: Bool.random(using: &random),
                interval: (intervals.filter { $0?.applies(to: field.kind) == true } + [nil]).randomElement(using: &random)!)
        }
        var values = aggregates.indices.map { Pivot.Value.aggregate($0) }
        if values.isEmpty || Bool.random(using: &random) {
            values.insert(.rowCount, at: Int.random(in: 0...values.count, using: &random))
        }
        let keys = (0..<Int.random(in: 0...3, using: &random)).map { _ in key() }
        let rows = keys.enumerated().filter { index, key in
            !keys[..<index].contains { $0.field == key.field && $0.interval == key.interval }
        }.map(\.element)
        return Pivot(rows: rows, column: key(), aggregates: aggregates, values: values)
    }

    @Test(arguments: 1...400 as ClosedRange<UInt64>) func `D23: a pivot table written as text parses to the same pivot table`(seed: UInt64)
        throws
    {
        var random = SplitMix64(seed: seed)
        let pivot = Self.random(&random)
        let text = try PivotText(pivot, in: Self.schema)
        let read = try PivotText(text: text.text)
        #expect(read == text, "\(text.text)")
        #expect(try read.pivot(in: Self.schema) == pivot, "\(text.text)")
        #expect(try JSONDecoder().decode(Pivot.self, from: JSONEncoder().encode(pivot)) == pivot)
    }

    @Test func `D23: the parts of a pivot text are row fields, the column field, and values after the last colon`() throws {
        for (text, rows, column, values) in [
            ("region by day", ["region"], "day", ["count"]),
            ("region,count BY day : sum(amount)", ["region", "count"], "day", ["sum(amount)"]),
            ("by day: count, avg(#2)", [], "day", ["count", "mean(#2)"]), ("region by day:", ["region"], "day", ["count"]),
            ("region by day:desc", ["region"], "day:desc", ["count"]), ("region by day:count", ["region"], "day", ["count"]),
            ("region by day:count: count", ["region"], "day:count", ["count"]),
            ("region:sum(amount):desc by day:month:desc: max(amount)", ["region:sum(amount):desc"], "day:month:desc", ["max(amount)"]),
            ("\"sold by\" by \"a,b\": sum(\"x by y: z\")", ["sold by"], "a,b", ["sum(x by y: z)"]),
        ] as [(String, [String], String, [String])] {
            let read = try PivotText(text: text)
            #expect(read.rows.map(\.text) == rows && read.column.text == column && read.values.map(\.text) == values, "\(text)")
            #expect(try PivotText(text: read.text) == read, "\(text)")
        }
    }

    @Test func `D23: errors in a pivot text say what to write`() {
        func message(_ text: String) -> String? {
            do { _ = try PivotText(text: text).pivot(in: Self.schema) } catch { return error.message }
            return nil
        }
        #expect(
            message("region, day")
                == "Missing “by” in “region, day”. Write ROWS by COLUMN: VALUES, as in region by year: sum(amount).")
        for text in ["region by", "by :count"] {
            #expect(
                message(text)
                    == "Missing column after “by” in “\(text)”. Write ROWS by COLUMN: VALUES, as in region by year: sum(amount).")
        }
        for text in ["day, count", "day by count"] {
            #expect(
                message("region by \(text): sum(#2)")
                    == "A pivot table has one column field, not “\(text)”. Write the other fields before “by”.")
        }
        for text in ["amount", "max", "sum amount"] {
            #expect(message("region by day: \(text)") == "“\(text)” is not an aggregate such as sum(column).")
        }
        #expect(message("region by count:-5")?.hasPrefix("Unknown column “count:-5”.") == true)
        #expect(message("regio by day") == "Unknown column “regio”. Did you mean “region”?")
        #expect(message("region by day: sun(#2)")?.hasPrefix("Unknown aggregate “sun”.") == true)
        #expect(message("region by day: sum(#2), #2") == "“#2” is not an aggregate such as sum(column).")
        #expect(message("region by day: sum(region)") == "sum(region) needs a number column; region is text.")
        #expect(message("region by region:month")?.hasPrefix("Cannot group “region” by month") == true)
        #expect(message("region, day, #1 by count") == "Column “region” is listed twice. Remove one of them.")
        #expect(message("day:month, count, day:month:desc by region") == "Column “day” is listed twice. Remove one of them.")
        #expect(message("region by day: sum(#2), mean(#2), sum(#2)") == "sum(#2) is listed twice. Remove one of them.")
        #expect(message("day:year, day:month by region") == nil && message("region by region") == nil)
        #expect(message("region by day: sum(amount)")?.hasPrefix("Ambiguous column “amount”.") == true)
    }

    @Test func `D23: every aggregate and interval is valid for a column without a type`() throws {
        let untyped: Set = [FieldID(rawValue: 0)]
        #expect(try PivotText(text: "region:year, region:month by day").pivot(in: Self.schema, untypedFields: untyped).rows.count == 2)
        let pivot = try PivotText(text: "region:month by day: sum(region)").pivot(in: Self.schema, untypedFields: [FieldID(rawValue: 0)])
        #expect(pivot.aggregates.map(\.function) == [.sum] && pivot.rows[0].interval == nil)
    }
}
