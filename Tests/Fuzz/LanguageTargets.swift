import DataGridQuery
import FieldValues
import Tables

extension FuzzTarget {
    static let languages = [
        FuzzTarget(name: "filter", maximumBytes: 512) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let filter: Filter
            do throws(FilterError) {
                filter = try Filter(text, in: Sample.schema)
            } catch {
                require(error.range.upperBound <= text.unicodeScalars.count && !error.message.isEmpty, "an error is within the text")
                return
            }
            // The text of a tree is parsed to the same tree.
            let again = try? Filter(Filter.text(of: filter.formula, in: Sample.schema), in: Sample.schema)
            require(again?.formula == filter.formula, "the text of a filter has the same meaning")
            var query = Query()
            query.filters = [filter.formula]
            _ = try LocalQueryEngine(threads: 1).rows(
                of: Sample.table, schema: Sample.schema, matching: query, earlierFilterResult: nil, control: JobControl())
        },
        FuzzTarget(name: "formula", maximumBytes: 512) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let formula: Formula
            do throws(FilterError) {
                formula = try Formula(text, in: Sample.schema)
            } catch {
                require(error.range.upperBound <= text.unicodeScalars.count && !error.message.isEmpty, "an error is within the text")
                return
            }
            let field = Field(FieldID.firstDerived, name: "z", kind: formula.kind(in: Sample.schema))
            let table = DerivedTable(Sample.table, CompiledDerivedFields([DerivedField(field, formula)], schema: Sample.schema))
            try table.scan(0..<table.recordCount, columns: [FieldID.firstDerived.rawValue]) { _, fields in
                require(fields.count == 1, "a formula has a value in each row")
                return true
            }
        },
    ]
}

/// A table for filters and formulas, with a column of each kind.
private enum Sample {
    static let schema = Schema(
        zip(["t", "i", "d", "day", "at", "time", "f"], [ValueKind.text, .integer, .decimal, .date, .dateTime, .time, .flag]).enumerated()
            .map { Field(FieldID(rawValue: $0), name: $1.0, kind: $1.1) })
    static let table = MemoryTable([
        ["abc", "1", "1.25", "2024-01-31", "2024-01-31 10:22:03", "10:22", "true"],
        ["Größe 日本", "-9223372036854775808", "1e300", "1600-02-29", "9999-12-31 23:59:59", "00:00:00", "false"],
        ["", "", nil, "x", nil, "", nil],
        ["it's \"q\"", "9223372036854775807", "-0.000000001", "0001-01-01", "1969-12-31T23:59:59Z", "23:59:59.999", "yes"],
    ])
}
