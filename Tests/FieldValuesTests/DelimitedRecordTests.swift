import FieldValues
import Testing

@Suite struct DelimitedRecordTests {
    @Test(
        arguments: [
            (["a", "b"], 44, "a,b\n"), (["a,b", "c\td"], 44, "\"a,b\",c\td\n"), (["a,b", "c\td"], 9, "a,b\t\"c\td\"\n"),
            (["\"", "a\"\"b"], 44, "\"\"\"\",\"a\"\"\"\"b\"\n"), (["x\ny", "x\ry", ""], 44, "\"x\ny\",\"x\ry\",\n"),
            (["", nil], 44, ",\n"), ([""], 44, "\"\"\n"), ([nil], 44, "\n"), ([], 44, "\n"), (["ä\u{0}"], 9, "ä\u{0}\n"),
        ] as [([String?], UInt8, String)])
    func `B9, D10: a record quotes fields with delimiters, quotes and line endings, and a single empty field`(
        fields: [String?], delimiter: UInt8, expected: String
    ) {
        var record: [UInt8] = []
        FieldBytes.withFields(of: fields) { fields in FieldBytes.withRecord(of: fields, delimiter: delimiter) { record += $0 } }
        #expect(String(decoding: record, as: UTF8.self) == expected)
    }
}
