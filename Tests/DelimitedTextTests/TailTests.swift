import GridTestSupport
import CByteScan
import Testing

@testable import DelimitedText

/// The last records, read without an index and compared with a full parse.
@Suite struct TailTests {
    @Test func `last rows that are read without an index and reported as final equal the last rows of a full parse`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        var settled = 0
        for round in 0..<150 {
            let bytes = round % 3 == 0 ? randomText(&generator, delimiter: 0x2c, maximum: 2000) : table(&generator)
            let file = TestFile(bytes)
            var settings = ScanSettings.tiny()
            settings.tailBytes = [64, 300, 1000][round % 3]
            let request = DialectRequest(delimiter: 0x2c, quote: .some(0x22), hasHeader: round % 2 == 0, encoding: .utf8)
            let opened = try DelimitedFile(path: file.path, request: request, settings: settings)
            let minimum = Int.random(in: 1...30, using: &generator)
            let tail = try opened.tail(atLeast: minimum)
            try opened.buildIndex(threads: 1) { _ in true }
            let snapshot = opened.snapshot()
            let all = try snapshot.records(0..<snapshot.recordCount)
            if tail.isSettled {
                settled += 1
                #expect(tail.records == Array(all.suffix(tail.records.count)), "seed \(seed) round \(round)")
                #expect(tail.records.count == min(minimum, all.count), "seed \(seed) round \(round)")
                if let first = tail.records.first {
                    #expect(first.byteRange.lowerBound == tail.firstByteOffset)
                    #expect(snapshot.record(atByteOffset: tail.firstByteOffset) == all.count - tail.records.count)
                }
            }
            // With the index, the tail is certain.
            let indexed = try opened.tail(atLeast: minimum)
            #expect(indexed.isSettled)
            #expect(indexed.records == Array(all.suffix(minimum)), "seed \(seed) round \(round)")
        }
        #expect(settled > 60, "too few settled tails: \(settled) of 150, seed \(seed).")
    }

    /// A well-formed table; some fields contain line breaks and quotes.
    private func table(_ generator: inout SplitMix64) -> [UInt8] {
        let width = Int.random(in: 2...6, using: &generator)
        var text = ""
        for row in 0..<Int.random(in: 20...200, using: &generator) {
            let fields = (0..<width).map { column -> String in
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: "\"line one\nline \(row), two\""
                case 1: "\"say \"\"\(column)\"\"\""
                case 2: ""
                default: "\(row * column)"
                }
            }
            text += fields.joined(separator: ",") + "\n"
        }
        return Array(text.utf8)
    }

    @Test func `the last rows of a small or empty file are all its rows`() throws {
        for text in ["", "a,b\n", "a,b\n1,2\n", "\n\n"] {
            let file = TestFile(text)
            let opened = try DelimitedFile(path: file.path, request: DialectRequest(hasHeader: true))
            let tail = try opened.tail(atLeast: 10)
            #expect(tail.isSettled)
            #expect(tail.records.count == opened.snapshot().recordCount)
        }
    }
}
