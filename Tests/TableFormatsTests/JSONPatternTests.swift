import CByteScan
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Records with the same keys in the same order are read by a pattern. A reader with a pattern and a new reader must have the same result.
@Suite struct JSONPatternTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Records of a few forms with any values, some of them damaged.
    private func records(_ random: inout SplitMix64) -> [String] {
        let values = [
            "null", "true", "-0.5e+3", "0", "007", "12.50", "3.", "1234567890123456.5", "\"q\\\"\\u0041\"", "\"\\u00e9\"",
            "[1,{\"k\":[]}]", "{}",
            "\"a text that does not end within one block of 32 bytes\"", "\"\"", "NaN", "{\"n\":1}", "\"\\x\"", "[1", "tru",
        ]
        func value() -> String {
            let number = Int.random(in: 0..<150_000, using: &random)
            return number < 100_000 ? "\(number)" : values.randomElement(using: &random)!
        }
        let long = String(repeating: "long ", count: 8)
        var forms: [[String]] = [
            ["{\"a\":", ",\"b\":", ",\"o\":{\"x\":", ",\"y\":{\"z\":", "}}}"],
            ["{\"a\": ", ", \"b\": ", ", \"o\": {\"x\": ", ", \"y\": {\"z\": ", "}}}"],
            ["{\"b\":", ",\"a\":", "}"], ["{\"a\":", ",\"\(long)\":", "}"], ["{\"a\":", ",\"a\":", "}"],
            ["{\"o\":{\"x\":", ",\"w\":", "},\"b\":", "} "],
        ]
        forms.shuffle(using: &random)
        return (0..<400).map { _ in
            let form = Int.random(in: 0..<8, using: &random) > 0 ? forms[0] : forms.randomElement(using: &random)!
            var bytes = Array((form.dropLast().map { $0 + value() }.joined() + form[form.count - 1]).utf8)
            if Int.random(in: 0..<10, using: &random) == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = Array("{}[]\",:\\ 0-.e".utf8).randomElement(using: &random)!
            }
            if Int.random(in: 0..<20, using: &random) == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(arguments: 0..<12) func `18.3: a record with the same keys as the previous one is read in the same way as a first record`(
        seed: UInt64
    )
        throws
    {
        var random = SplitMix64(seed: seed)
        // The first records decide that this is JSON.
        let lines = Array(repeating: "{\"a\":1}", count: 80) + records(&random)
        let source = try FileOpener(format: "jsonl").open(path: folder.file("t.jsonl", lines.joined(separator: "\n") + "\n"))
        try source.readAll(threads: 1) { _ in true }
        let table = try #require(source.snapshot() as? JSONTable)
        #expect(table.recordCount == lines.count)
        for columns in [Array(0..<table.columnCount), [0], Array((0..<table.columnCount).reversed().prefix(2))] {
            var known = JSONReader(table.schema, columns)
            var trusting = JSONReader(table.schema, columns)
            var invalid = 0
            for line in lines {
                Array(line.utf8).withUnsafeBufferPointer { bytes in
                    var new = JSONReader(table.schema, columns)
                    let expected = read(bytes, &new, isTrusted: false)
                    #expect(read(bytes, &known, isTrusted: false) == expected, "\(line)")
                    if expected.notes == 0 { #expect(read(bytes, &trusting, isTrusted: true).fields == expected.fields, "\(line)") }
                    if expected.notes & UInt32(GV_JSON_INVALID) != 0 { invalid += 1 }
                }
            }
            #expect(invalid > 5 && table.checkResult.invalidRecords.count == invalid)
        }
    }

    private struct Result: Equatable {
        var notes: UInt32
        var fields: [[UInt8]?]
    }

    private func read(_ bytes: UnsafeBufferPointer<UInt8>, _ reader: inout JSONReader, isTrusted: Bool) -> Result {
        withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: reader.width) { fields in
            reader.beginBatch()
            let notes = reader.read(bytes, isTrusted: isTrusted, into: fields.baseAddress!)
            return Result(notes: notes, fields: fields.map { $0.isMissing ? nil : Array($0.bytes) })
        }
    }
}
