import GridTestSupport
import CByteScan
import Testing

@testable import DelimitedText

/// A record that is read in several pieces has the same text as a record that is read whole.
@Suite struct ScannedRecordTests {
    /// Every field of every record, joined from its pieces.
    private static func pieces(_ file: DelimitedFile) throws -> [[String]] {
        let snapshot = file.snapshot()
        return try snapshot.records(0..<snapshot.recordCount, maximumFieldBytes: 1 << 20).map { record in
            var text = snapshot.scannedRecord(record)
            while !text.isComplete { try text.scan(bytes: 40) }
            return try (0..<text.fieldCount).map { number in
                let field = try #require(try text.field(number))
                #expect(!field.isPartial)
                return try (0..<field.pieceCount).map { try text.text(of: field, piece: $0) }.joined()
            }
        }
    }

    private static func check(_ bytes: [UInt8], _ request: DialectRequest, _ settings: ScanSettings) throws {
        let file = try DelimitedFile.reading(bytes, request: request, settings: settings)
        _ = try file.buildIndex(threads: 1) { _ in true }
        let snapshot = file.snapshot()
        let whole = try snapshot.records(0..<snapshot.recordCount, maximumFieldBytes: 1 << 20).map { $0.fields.map(\.text) }
        // Pieces are not subject to the length limit of whole records.
        var limited = settings
        limited.maximumShownRecordBytes = 64
        let other = try DelimitedFile.reading(bytes, request: request, settings: limited)
        _ = try other.buildIndex(threads: 1) { _ in true }
        #expect(try pieces(file) == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        #expect(try pieces(other) == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }

    @Test func `E: the pieces of an unusual record, joined together, are its fields`() throws {
        var request = DialectRequest()
        request.delimiter = 44
        request.quote = 34
        request.hasHeader = false
        request.encoding = .utf8
        for implementation in 0..<gv_scan_implementations() {
            for input in UnusualInputs.table {
                try Self.check(Array(input.text.utf8), request, .tiny(implementation: implementation))
            }
        }
    }

    @Test func `E: the pieces of a random record, joined together, are its fields in every encoding`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<300 {
            var request = DialectRequest()
            request.delimiter = 44
            request.quote = 34
            request.hasHeader = false
            request.encoding = [.utf8, .latin1, .windows1252][round % 3]
            if round % 7 == 0 { request.commentPrefix = [0x23] }
            let bytes = randomText(&generator, delimiter: 44, maximum: 1_500)
            try Self.check(bytes, request, .tiny(implementation: Int32(round) % gv_scan_implementations()))
        }
    }

    @Test func `E: pieces end after line breaks and blanks, and never within a character`() throws {
        let words = (1...4_000).map { "wörd\($0)" }.joined(separator: " ")
        let solid = String(repeating: "ä€😀", count: 300)
        let file = try DelimitedFile.reading("a,b\n\(words),\(solid)\n", settings: .tiny(chunk: 1024, span: 256, block: 512))
        _ = try file.buildIndex(threads: 1) { _ in true }
        let snapshot = file.snapshot()
        var text = snapshot.scannedRecord(try snapshot.records(0..<1)[0])
        try text.scan()
        let first = try #require(try text.field(0))
        #expect(first.pieceCount > 50)
        for piece in 0..<first.pieceCount - 1 { #expect(try text.text(of: first, piece: piece).last == " ") }
        let second = try #require(try text.field(1))
        for piece in 0..<second.pieceCount { #expect(try !text.text(of: second, piece: piece).contains("\u{FFFD}")) }
        #expect(try text.field(2) == nil)
    }

    @Test func `E: the scanned beginning of a record can be read before the rest`() throws {
        let file = try DelimitedFile.reading("a,b,c\nxy,\(String(repeating: "z", count: 5_000)),last\n", settings: .tiny())
        _ = try file.buildIndex(threads: 1) { _ in true }
        let snapshot = file.snapshot()
        var text = snapshot.scannedRecord(try snapshot.records(0..<1)[0])
        try text.scan(bytes: 100)
        #expect(!text.isComplete && text.fieldCount == 2)
        let open = try #require(try text.field(1))
        #expect(open.isPartial)
        #expect(try text.text(of: open, piece: 0).allSatisfy { $0 == "z" })
        #expect(try text.field(2) == nil)
        try text.scan()
        let last = try #require(try text.field(2))
        #expect(try text.text(of: last, piece: 0) == "last")
        // The start of a piece does not depend on how much was scanned.
        let whole = try #require(try text.field(1))
        #expect(whole.byteRange.lowerBound == open.byteRange.lowerBound && whole.pieceCount > open.pieceCount)
    }

    @Test func `E: any field of a very long record is found from few stored positions`() throws {
        let columns = 300_000
        let row = (0..<columns).map { "v\($0)" }.joined(separator: ",")
        let file = try DelimitedFile.reading(
            row + "\n1\n",
            request: {
                var request = DialectRequest(); request.hasHeader = false; request.delimiter = 44; return request
            }())
        _ = try file.buildIndex(threads: 1) { _ in true }
        let snapshot = file.snapshot()
        var text = snapshot.scannedRecord(try snapshot.records(0..<1)[0])
        try text.scan()
        #expect(text.fieldCount == columns)
        for number in stride(from: 0, to: columns, by: 9_973) {
            let field = try #require(try text.field(number))
            #expect(try text.text(of: field, piece: 0) == "v\(number)")
        }
    }
}
