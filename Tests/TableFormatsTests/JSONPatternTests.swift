import CByteScan
import FieldValues
import Foundation
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

    @Test(arguments: 0..<8) func `18.3: plain records that are read together equal those that are read one by one`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (numbers, escapes) = (Array(repeating: "{\"a\":1}", count: 70), Array(repeating: "{\"a\":\"\\u00e9\"}", count: 10))
        var lines: [String?] = numbers + escapes + records(&random)
        let file = lines.compactMap { $0 }.joined(separator: "\n") + "\n"
        for _ in 0..<10 { lines.insert(nil, at: Int.random(in: 0..<lines.count, using: &random)) }
        let source = try FileOpener(format: "jsonl").open(path: folder.file("t.jsonl", file))
        try source.readAll(threads: 1) { _ in true }
        let schema = try #require(source.snapshot() as? JSONTable).schema
        var buffer = FieldBuffer()
        try buffer.withFields(of: lines) { fields in
            let batch = FieldBatch(firstRecord: 0, count: lines.count, width: 1, fields: try #require(fields.baseAddress))
            for columns in [Array(0..<schema.columns.count), [0], [1, 1]] {
                var reader = JSONReader(schema, columns, checksRecords: true)
                let tree = JSONTree(schema, .discovery)
                var (record, plainCount, escapeCount, otherCount) = (0, 0, 0, 0)
                try withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: lines.count * columns.count) { found in
                    let found = try #require(found.baseAddress)
                    while record < lines.count {
                        reader.beginBatch()
                        let count = reader.readPlain(batch, record..<lines.count, into: found)
                        for index in 0..<count {
                            var single = JSONReader(schema, columns)
                            let expected = read(batch[record + index, 0].bytes, &single, isTrusted: false)
                            let plain = UnsafeBufferPointer(start: found + index * columns.count, count: columns.count)
                            #expect(plain.map { $0.isMissing ? nil : Array($0.bytes) } == expected.fields, "\(record + index)")
                            #expect(lines[record + index] == nil || expected.notes == 0, "\(record + index)")
                            escapeCount += lines[record + index]?.contains("\\u") == true ? 1 : 0
                        }
                        (record, plainCount) = (record + count, plainCount + count)
                        guard record < lines.count else { break }
                        // Reading ended at a record that is not plain.
                        let memory = JSONMemory(tree)
                        let (notes, findings) = memory.check(tree, batch[record, 0].bytes)
                        #expect(lines[record] != nil && (notes != 0 || !findings.isEmpty), "\(record)")
                        (record, otherCount) = (record + 1, otherCount + 1)
                    }
                }
                #expect(plainCount > 90 && escapeCount >= 10 && otherCount > 5)
            }
        }
    }

    @Test func `18.3: only bytes of the records themselves are read, at any distance from the end of a memory page`() throws {
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = try #require(mmap(nil, 2 * pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0))
        try #require(memory != MAP_FAILED)
        defer { munmap(memory, 2 * pageSize) }
        // A read of the second page ends the process.
        try #require(mprotect(memory + pageSize, pageSize, PROT_NONE) == 0)
        let page = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: pageSize)
        let known = #"{"a":12,"b":"text","long name of a column":1.5}"#
        let source = try FileOpener(format: "jsonl").open(path: folder.file("t.jsonl", String(repeating: known + "\n", count: 90)))
        try source.readAll(threads: 1) { _ in true }
        let schema = try #require(source.snapshot() as? JSONTable).schema
        let values = [
            ("3", "", "4"), ("12345", "a text of more than 32 bytes, which is read in blocks", "1234567890123.5"), ("0", "\\n", "-1e3"),
        ]
        let lines = values.map { #"{"a":\#($0),"b":"\#($1)","long name of a column":\#($2)}"# } + [known, "{\"a\":12,\"b\":\"te", "12", ""]
        var buffer = FieldBuffer()
        try buffer.withFields(of: [known, known, known]) { start in
            for first in lines {
                for second in lines {
                    for distance in 0..<70 {
                        // After the records, the page goes on like a record, so that a reader that goes too far finds no difference.
                        page.update(repeating: UInt8(ascii: "7"))
                        let texts = [Array(first.utf8), Array(second.utf8)]
                        let begin = pageSize - distance - texts[0].count - texts[1].count
                        _ = page[begin...].update(fromContentsOf: texts[0] + texts[1])
                        let place = page.baseAddress! + begin
                        let fields =
                            Array(start) + [
                                FieldBytes(start: place, count: texts[0].count),
                                FieldBytes(start: place + texts[0].count, count: texts[1].count),
                            ]
                        try fields.withUnsafeBufferPointer { fields in
                            let batch = FieldBatch(firstRecord: 0, count: 5, width: 1, fields: try #require(fields.baseAddress))
                            expectPlainRecords(of: batch, schema)
                        }
                    }
                }
            }
        }
    }

    /// Expects that the plain records at the start of a batch have the values that a new reader finds in a copy of each record.
    private func expectPlainRecords(of batch: FieldBatch, _ schema: JSONSchema) {
        let columns = Array(0..<schema.columns.count)
        var reader = JSONReader(schema, columns, checksRecords: true)
        withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: batch.count * columns.count) { found in
            let count = reader.readPlain(batch, 0..<batch.count, into: found.baseAddress!)
            for record in 0..<batch.count {
                let line = Array(batch[record, 0].bytes)
                var single = JSONReader(schema, columns)
                let expected = line.withUnsafeBufferPointer { read($0, &single, isTrusted: false) }
                guard record < count else {
                    #expect(expected.notes != 0 || line == Array("12".utf8), "\(record)")
                    break
                }
                let plain = found[record * columns.count..<(record + 1) * columns.count]
                #expect(plain.map { $0.isMissing ? nil : Array($0.bytes) } == expected.fields, "\(record)")
            }
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
