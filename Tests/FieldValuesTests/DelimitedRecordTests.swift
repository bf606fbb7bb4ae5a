import FieldValues
import GridTestSupport
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

    @Test(arguments: [0, 44, 9] as [UInt8])
    func `B9, D10: the quoting of fields of any length agrees with a simple reference implementation`(delimiter: UInt8) {
        var random = SplitMix64(seed: 5)
        for count in 0...70 {
            for _ in 0..<40 {
                // At most one byte of a value needs quotes.
                var value = (0..<count).map { _ in UInt8.random(in: 97...122, using: &random) }
                for _ in 0..<Int.random(in: 0...1, using: &random) where count > 0 {
                    value[Int.random(in: 0..<count, using: &random)] = [delimiter, 34, 10, 13, 0, 255].randomElement(using: &random)!
                }
                let special: Set<UInt8> = [delimiter, 34, 10, 13]
                let needsQuotes = value.isEmpty || value.contains { special.contains($0) }
                var quoted: [UInt8] = [34]
                for byte in value { quoted += byte == 34 ? [34, 34] : [byte] }
                quoted.append(34)
                var record: [UInt8] = []
                // A copy of exactly this size lets the address sanitizer find reads beyond the value.
                let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, 1))
                defer { copy.deallocate() }
                _ = copy.initialize(from: value)
                let field = FieldBytes(start: UnsafePointer(copy.baseAddress), count: count)
                withUnsafePointer(to: field) {
                    FieldBytes.withRecord(of: UnsafeBufferPointer(start: $0, count: 1), delimiter: delimiter) { record += $0 }
                }
                #expect(record == (needsQuotes ? quoted : value) + [10], "\(value)")
            }
        }
    }
}
