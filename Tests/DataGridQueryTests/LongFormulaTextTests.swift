import FieldValues
import Tables
import Testing

@testable import DataGridQuery

@Suite("Long texts of formulas") struct LongFormulaTextTests {
    private static let schema = FormulaGenerator.schema

    @Test(arguments: ["concat(d1, d1)", "replace(d1, 'b', d1)"])
    func `D18: a formula with a text longer than the limit is an error that names the column`(growing: String) throws {
        let names = Schema(Self.schema.fields + [Field(.firstDerived, name: "d1", kind: .text)])
        let second = FieldID(rawValue: FieldID.firstDerived.rawValue + 1)
        let fields = [
            try DerivedField("d1 = concat(#8, 'b')", id: .firstDerived, in: Self.schema),
            try DerivedField("d2 = \(growing)", id: second, in: names),
        ]
        func column(_ text: String) throws -> [String] {
            let row = ["", "", "", "", "", "", "", text]
            var derivation = CompiledDerivedFields(fields, schema: Self.schema)
            derivation.textByteLimit = 8
            return try derivedTexts(of: DerivedTable(MemoryTable([row, row]), derivation), column: second.rawValue)
        }
        #expect(try column("aaa").allSatisfy { $0.utf8.count == 7 || $0.utf8.count == 8 })
        let error = try #require(throws: LongTextError.self) { try column("aaaaa") }
        #expect(error.column == "d2" && error.byteLimit == 8)
        let usual = LongTextError(column: "d2", byteLimit: 16 << 20)
        #expect(usual.message == "The formula of “d2” computes a text of more than 16 MiB. Shorten the text, for example with left().")
    }

    @Test func `D18: a filter that computes a text longer than the limit is an error`() throws {
        let many = String(repeating: "a", count: 1_000)
        let schema = Schema([Field(FieldID(rawValue: 0), name: "x", kind: .text)])
        var query = Query()
        query.filters = [try Filter("length(replace(replace(x, 'a', '\(many)'), 'a', '\(many)')) > 5", in: schema).formula]
        func matches(_ text: String) throws -> Int {
            let rows = [[text], ["x"]]
            let result = try LocalQueryEngine(threads: 1)
                .rows(of: MemoryTable(rows), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl())
            return result.rows?.count ?? rows.count
        }
        #expect(try matches("a") == 1)
        #expect(throws: LongTextError.self) { try matches(String(repeating: "a", count: 20)) }
    }

    @Test func `D18: records with long computed texts are passed in several batches`() throws {
        let long = String(repeating: "b", count: 1_000)
        let field = try DerivedField("d = replace(price, 'a', '\(long)')", id: .firstDerived, in: Self.schema)
        let table = DerivedTable(
            OneBatch(recordCount: 5, text: String(repeating: "a", count: 6_000)), CompiledDerivedFields([field], schema: Self.schema))
        var batches: [Range<Int>] = []
        try table.scanBatches(0..<5, columns: [FieldID.firstDerived.rawValue]) { batch in
            #expect((0..<batch.count).allSatisfy { batch[$0, 0].count == 6_000_000 })
            batches.append(batch.firstRecord..<batch.firstRecord + batch.count)
            return true
        }
        #expect(batches == [0..<3, 3..<5])
    }

    /// A table with the same text in all fields, which passes all records in one batch.
    private struct OneBatch: Table {
        let recordCount: Int
        let text: String
        var columnCount: Int { 9 }

        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
        }

        func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (FieldBatch) -> Bool) throws {
            FieldBytes.withBytes(of: text) { field in
                let fields = [FieldBytes](repeating: field, count: records.count * columns.count)
                fields.withUnsafeBufferPointer { fields in
                    guard let start = fields.baseAddress else { return }
                    _ = body(FieldBatch(firstRecord: records.lowerBound, count: records.count, width: columns.count, fields: start))
                }
            }
        }
    }
}
