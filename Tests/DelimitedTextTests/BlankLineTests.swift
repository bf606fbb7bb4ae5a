import CByteScan
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

/// Files whose blank lines are not records, such as JSON Lines.
@Suite struct BlankLineTests {
    /// Lines of text, some of them blank, with any line endings. Few of them contain the delimiter U+001F.
    private static func text(_ generator: inout SplitMix64, maximum: Int) -> [UInt8] {
        let alphabets: [[UInt8]] = [
            Array(" \t\n\ra\u{1F}".utf8), Array(" \n a".utf8), Array("\n\r a".utf8), Array("\n ".utf8), Array("abcdefgh\n".utf8),
        ]
        let alphabet = alphabets.randomElement(using: &generator)!
        let count = Int.random(in: 0...maximum, using: &generator)
        return (0..<count).map { _ in
            Int.random(in: 0..<3, using: &generator) == 0 ? UInt8(ascii: "x") : alphabet.randomElement(using: &generator)!
        }
    }

    /// The byte ranges of the lines with text, from their first byte that is not a blank to their end.
    private static func lines(_ bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var begin = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] == 10 || bytes[index] == 13 {
            if let first = (begin..<index).first(where: { bytes[$0] != 32 && bytes[$0] != 9 }) { ranges.append(first..<index) }
            begin = index + 1
        }
        return ranges
    }

    @Test func `T2: all scanners skip blank lines like the state machine`() {
        var generator = SplitMix64(seed: testSeed())
        for round in 0..<1_500 {
            let bytes = Self.text(&generator, maximum: round % 20 == 0 ? 9_000 : 300) + [0]
            var dialect = gv_dialect_make(0x1F, round % 10 == 0 ? 0x22 : -1, nil, 0)
            dialect.skips_blanks = 1
            var (begin, state, previous) = (0, UInt8(GV_RECORD_START), UInt8(0))
            while begin < bytes.count {
                let count = Int.random(in: 1...(bytes.count - begin), using: &generator)
                var expected = gv_span()
                bytes.withUnsafeBufferPointer { buffer in
                    let start = buffer.baseAddress! + begin
                    gv_scan_span_carefully(&dialect, start, count, count, previous, state, 2, &expected)
                    for implementation in 0..<gv_scan_implementations() {
                        var found = gv_span()
                        gv_scan_span(implementation, &dialect, start, count, count, previous, state, 2, &found)
                        #expect("\(found)" == "\(expected)", "round \(round) implementation \(implementation)")
                    }
                }
                begin += count
                (state, previous) = (expected.state, bytes[begin - 1])
            }
        }
    }

    @Test(arguments: [1, 3]) func `T2: each line with text is a record, wherever chunks and blocks end`(threads: Int) throws {
        var generator = SplitMix64(seed: testSeed())
        var request = DialectRequest(delimiter: 0x1F, quote: .some(nil), hasHeader: false, encoding: .utf8)
        request.skipsBlankLines = true
        for round in 0..<150 {
            let bytes = Self.text(&generator, maximum: 1_500)
            let expected = Self.lines(bytes)
            let implementation = Int32(round) % gv_scan_implementations()
            let file = try DelimitedFile.reading(bytes, request: request, settings: .tiny(implementation: implementation))
            // The last records are found from the end, before the other ones are counted.
            let count = Int.random(in: 0...5, using: &generator)
            let tail = try file.tail(atLeast: count)
            let starts = expected.map(\.lowerBound)
            #expect(tail.records.map(\.byteRange.lowerBound) == starts.suffix(tail.records.count), "round \(round)")
            try file.buildIndex(threads: threads) { _ in true }
            let snapshot = file.snapshot()
            try #require(snapshot.recordCount == expected.count, "round \(round)")
            #expect((0..<expected.count).map { snapshot.byteOffset(ofRecord: $0) } == starts, "round \(round)")
            let read = try snapshot.records(0..<expected.count, maximumFieldBytes: 10_000)
            #expect(read.map(\.byteRange) == expected, "round \(round)")
            for columns in [1, 3] {
                let fields = try file.allFields(columns: columns)
                let parts = expected.map { range in
                    bytes[range].split(separator: 0x1F, omittingEmptySubsequences: false).prefix(columns).map(Array.init)
                }
                #expect(fields == parts, "round \(round) columns \(columns)")
            }
            request.keepsLinesWhole = true
            let lines = try DelimitedFile.reading(bytes, request: request, settings: .tiny(implementation: implementation))
            request.keepsLinesWhole = false
            try lines.buildIndex(threads: threads) { _ in true }
            for columns in [1, 3] {
                #expect(try lines.allFields(columns: columns) == expected.map { [Array(bytes[$0])] }, "round \(round): whole lines")
            }
            for (record, range) in expected.enumerated() where range.count > 0 {
                #expect(snapshot.record(atByteOffset: range.upperBound - 1) == record, "round \(round)")
            }
        }
    }

    @Test func `T2: lines with CRLF line ends are found and trimmed, wherever blocks of bytes end`() {
        // The ends of the lines are at all places of the blocks of 64 bytes, also between CR and LF.
        var bytes: [UInt8] = []
        for index in 0..<300 {
            let text = String(repeating: "x", count: index % 67 + 1)
            bytes += Array([" \(text)\r\n", "\(text)\n", "\(text)\r\n \r\n"][index % 3].utf8)
        }
        let expected = Self.lines(bytes)
        var dialect = gv_dialect_make(0x1F, -1, nil, 0)
        dialect.skips_blanks = 1
        for implementation in 0..<gv_scan_implementations() {
            for length in [72, 127, 128, 200, 1_000, bytes.count] {
                var found: [Range<Int>] = []
                var begin = 0
                while begin < bytes.count {
                    let count = min(length, bytes.count - begin)
                    var ranges = [gv_range](repeating: gv_range(), count: 40)
                    var progress = gv_progress()
                    bytes.withUnsafeBufferPointer { buffer in
                        let isLast: Int32 = begin + count == bytes.count ? 1 : 0
                        gv_select(implementation, &dialect, buffer.baseAddress! + begin, count, isLast, [0], 1, &ranges, 40, &progress)
                    }
                    guard progress.consumed > 0 else { break }
                    found += ranges.prefix(progress.records).map { begin + Int($0.begin)..<begin + Int($0.end) }
                    begin += progress.consumed
                }
                #expect(found == expected, "implementation \(implementation), \(length) bytes")
            }
        }
    }

    @Test func `blank lines are records unless the dialect skips blank lines`() throws {
        let request = DialectRequest(delimiter: 0x1F, quote: .some(nil), hasHeader: false, encoding: .utf8)
        let file = try DelimitedFile.reading("a\n\n b\n", request: request)
        try file.buildIndex(threads: 1) { _ in true }
        #expect(file.snapshot().recordCount == 3)
    }
}
