import GridTestSupport
import FieldValues
import Testing

@testable import DelimitedText

/// Records copied unchanged, compared with writing every field.
@Suite("D15: line batches") struct LineBatchTests {
    /// A simple reference implementation that writes fields as delimited text.
    private static func written(_ fields: UnsafeBufferPointer<FieldBytes>, _ delimiter: UInt8) -> [UInt8] {
        var text: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(delimiter) }
            let bytes = Array(field.bytes)
            if bytes.contains(where: { [delimiter, 0x22, 0x0a, 0x0d].contains($0) }) {
                text += [0x22] + bytes.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22]
            } else {
                text += bytes
            }
        }
        // A single empty field is quoted, because a blank line would not be a record.
        if fields.count == 1, fields[0].count == 0, !fields[0].isMissing { text = [0x22, 0x22] }
        return text + [0x0a]
    }

    @Test func `records copied unchanged equal records written field by field`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        var lineCount = 0
        for round in 0..<2000 {
            let delimiter = ScannerTests.delimiters.randomElement(using: &generator)!
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                for _ in 0..<Int.random(in: 0...30, using: &generator) { bytes += [0x61, delimiter, 0x62, 0x63, 0x0a] }
                bytes += randomText(&generator, delimiter: delimiter, maximum: 60)
            }
            guard !bytes.isEmpty else { continue }
            let quote: UInt8? = [0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x27, nil].randomElement(using: &generator)!
            let comment: [UInt8] = round % 10 == 0 ? [0x23] : []
            let encoding: TextEncoding = round % 7 == 0 ? .latin1 : .utf8
            let file = TestFile(bytes)
            let request = DialectRequest(
                delimiter: delimiter, quote: .some(quote), hasHeader: false, encoding: encoding,
                commentPrefix: comment)
            let opened = try DelimitedFile(path: file.path, request: request, settings: .tiny())
            try opened.buildIndex(threads: 1) { _ in true }
            let snapshot = opened.snapshot()
            let begin = Int.random(in: 0...snapshot.recordCount, using: &generator)
            let records = begin..<Int.random(in: begin...snapshot.recordCount, using: &generator)
            let columns = Array(0..<[1, 2, 2, 2, 3].randomElement(using: &generator)!)
            let writerDelimiter = round % 5 == 0 ? UInt8(ascii: ",") : delimiter
            var expected: [UInt8] = []
            try snapshot.scan(records, columns: columns) { _, fields in
                expected += Self.written(fields, writerDelimiter)
                return true
            }
            var found: [UInt8] = []
            var next = records.lowerBound
            try snapshot.scanLines(
                records, columns: columns, delimiter: writerDelimiter,
                lines: { batch in
                    #expect(
                        batch.firstRecord == next && quote == 0x22 && writerDelimiter == delimiter && encoding == .utf8 && comment.isEmpty)
                    // The lines of the batch, read one by one, must equal the batch as a whole.
                    var single: [UInt8] = []
                    for line in 0..<batch.count { single += Array(batch.bytes(of: line..<line + 1)) }
                    #expect(single == Array(batch.bytes(of: 0..<batch.count)))
                    found += single
                    next += batch.count
                    lineCount += batch.count
                    return true
                },
                fields: { batch in
                    #expect(batch.firstRecord == next)
                    for record in 0..<batch.count { found += Self.written(batch.fields(of: record), writerDelimiter) }
                    next += batch.count
                    return true
                })
            if found != expected {
                Issue.record("seed \(seed) round \(round) \(delimiter) \(columns) \(records): \(bytes)\n\(found)\n\(expected)")
                return
            }
        }
        #expect(lineCount > 1_000, "seed \(seed): too few lines were tested")
    }
}
