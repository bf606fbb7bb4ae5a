import FieldValues
import GridTestSupport
import Testing

@testable import DelimitedText

/// The index of the whole file corrects conclusions from the sample.
@Suite struct WholeFileTests {
    private func indexed(
        _ bytes: [UInt8], _ request: DialectRequest = DialectRequest(), settings: ScanSettings = ScanSettings()
    ) throws -> DelimitedFile {
        let file = try DelimitedFile.reading(bytes, request: request, settings: settings)
        try file.buildIndex(threads: 2) { _ in true }
        return file
    }

    private func fields(_ file: DelimitedFile, _ record: Int) throws -> [String?] {
        var result: [String?] = []
        try file.snapshot().scan(record..<record + 1, columns: Array(0..<file.columnCount)) { _, fields in
            result = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
            return true
        }
        return result
    }

    @Test func `T2: a record with more fields than all earlier ones adds columns, anywhere in the file`() throws {
        let text =
            "a,b\n" + String(repeating: "1,2\n", count: 3000) + "1,2,3,4,5\n" + "1\n\n1\n1\n" + String(repeating: "3,4\n", count: 3000)
        for settings in [ScanSettings(), .tiny(), .tiny(chunk: 4096, span: 512, block: 1024)] {
            let file = try indexed(Array(text.utf8), settings: settings)
            #expect(file.header == ["a", "b"])
            #expect(file.columnCount == 5)
            #expect((0..<5).map(file.title(ofColumn:)) == ["a", "b", "", "", ""])
            #expect(try fields(file, 3000) == ["1", "2", "3", "4", "5"])
            #expect(try fields(file, 3001) == ["1", nil, nil, nil, nil])
            #expect(file.profiles(ofColumnsFrom: 2).map(\.kind) == [.integer, .integer, .integer])
        }
        #expect(try indexed(Array("1,2\n1,2,3\n".utf8), DialectRequest(hasHeader: false)).title(ofColumn: 2) == "C")
    }

    @Test(arguments: 0..<40)
    func `T2: the table has a column for each field of every readable record, even without a complete index`(round: Int) throws {
        var generator = SplitMix64(seed: UInt64(round))
        var text = "a,b\n"
        for _ in 0..<60 {
            text +=
                (0..<(Int.random(in: 0..<8, using: &generator) == 0 ? Int.random(in: 1...6, using: &generator) : 2)).map { _ in "x" }
                .joined(separator: ",") + "\n"
        }
        let file = try DelimitedFile.reading(
            text, request: DialectRequest(delimiter: 0x2c, hasHeader: true), settings: .tiny(chunk: 32, span: 16, block: 16))
        @Sendable func check() throws {
            let snapshot = file.snapshot()
            // The end of the last record may be unknown.
            let readableCount = snapshot.isComplete ? snapshot.recordCount : max(snapshot.recordCount - 1, 0)
            let highestFieldCount = try snapshot.records(0..<readableCount).map(\.fieldCount).max() ?? 0
            #expect(snapshot.columnCount >= highestFieldCount, "\(snapshot.recordCount) records")
        }
        try check()
        try file.buildIndex(threads: 1) { _ in
            #expect(throws: Never.self) { try check() }
            return true
        }
        try check()
    }

    @Test(arguments: [true, false]) func `T2: a first record longer than the sample has all its columns`(hasHeader: Bool) throws {
        let request = DialectRequest(delimiter: 0x2c, hasHeader: hasHeader)
        let long = String(repeating: "x", count: 70_000)
        let first = try indexed(Array("\(long),7\n1,2\n".utf8), request)
        #expect(first.columnCount == 2)
        if hasHeader {
            #expect(first.header == [long, "7"])
        } else {
            #expect(try fields(first, 0) == [long, "7"])
        }
        let wide = (0..<100_000).map { "c\($0)" }.joined(separator: ",")
        let second = try DelimitedFile.reading(Array("\(wide)\n1,2\n".utf8), request: request)
        #expect(second.columnCount == 100_000 && second.header.count == 100_000)
        #expect(second.header[99_999] == (hasHeader ? "c99999" : "EQXD"))
        try second.buildIndex(threads: 1) { _ in true }
        #expect(second.columnCount == 100_000)
        // The sample contains only blank lines.
        let blank = try indexed(Array((String(repeating: "\n", count: 300_000) + "1,2,3\n").utf8), request)
        #expect(blank.columnCount == 3)
    }

    @Test func `T1: header fields are returned as they are in the file`() throws {
        let file = try indexed([0x0a] + Array("\"a\"\"b\",,".utf8) + [0xff] + Array("\n1,2,3,4\n".utf8), DialectRequest(encoding: .utf8))
        var found: [[UInt8]?] = []
        try file.snapshot().scanHeader(columns: [2, 0, 1, 3]) { found = $0.map { $0.isMissing ? nil : Array($0.bytes) } }
        #expect(found == [[0xff], Array("a\"b".utf8), [], nil])
        try indexed(Array("1,2\n".utf8), DialectRequest(hasHeader: false)).snapshot().scanHeader(columns: [0]) { _ in
            Issue.record("no header")
        }
    }

    @Test func `T1: the complete fields of the last rows are returned before all rows are numbered`() throws {
        let long = String(repeating: "x", count: 9_000)
        let bytes = Array(("a,b\n" + String(repeating: "1,2\n", count: 5_000) + "\"\(long)\"\"y\",").utf8) + [0xff] + Array("\n\n3\n".utf8)
        let file = try DelimitedFile.reading(
            bytes, request: DialectRequest(delimiter: 0x2c, hasHeader: true, encoding: .utf8), settings: .tiny())
        let (snapshot, tail) = (file.snapshot(), try file.tail(atLeast: 3))
        #expect(!snapshot.isComplete && tail.records.count == 3 && tail.records[0].fields[0].isTruncated)
        var found: [[[UInt8]?]] = []
        for record in tail.records {
            try snapshot.scan(record, columns: [1, 0]) { found.append($0.map { $0.isMissing ? nil : Array($0.bytes) }) }
        }
        #expect(found == [[[0xff], Array("\(long)\"y".utf8)], [nil, nil], [nil, Array("3".utf8)]])
    }

    @Test func `T1: a record longer than any buffer is read completely; beyond the limit, it is an error with its line`() throws {
        var settings = ScanSettings.tiny(chunk: 4096, span: 256, block: 512)
        settings.maximumShownRecordBytes = 2048
        settings.maximumRecordBytes = 1 << 20
        func text(_ count: Int) -> [UInt8] { Array("a,b\n\"x\ny\",1\n\(String(repeating: "z", count: count)),2\n3,4\n".utf8) }
        let request = DialectRequest(delimiter: 0x2c, hasHeader: true)
        let long = try indexed(text(1_000_000), request, settings: settings)
        #expect(try fields(long, 1).map { $0?.utf8.count } == [1_000_000, 1])
        #expect(try fields(long, 2) == ["3", "4"])
        let tooLong = try indexed(text(1_100_000), request, settings: settings)
        #expect(try fields(tooLong, 0) == ["x\ny", "1"])
        #expect {
            try tooLong.snapshot().scan(0..<3, columns: [0]) { _, _ in true }
        } throws: { error in
            let error = error as? DelimitedTextError
            return error?.code == .recordTooLong && error?.line == 4 && error?.record == 1 && error?.message.contains("line 4") == true
        }
        var two = RequiredBytes()
        two.append(0x32)
        #expect(throws: DelimitedTextError.self) {
            try tooLong.snapshot().scan(1..<2, columns: [1], holding: two, while: { true }) { _, _ in true }
        }
    }

    @Test func `T2: one stray byte does not make a UTF-8 file Windows-1252, and its line is reported`() throws {
        let stray = try indexed(Array("name\ncaf".utf8) + [0xe9, 0x0a] + Array(String(repeating: "café\n", count: 3).utf8))
        #expect(stray.dialect.encoding == .utf8)
        #expect(stray.diagnostics[.invalidText]?.count == 1 && stray.diagnostics[.invalidText]?.first.line == 2)
        // Pieces after the first are examined even if the first is not pure ASCII.
        let late = try indexed(
            Array("name\ncaf".utf8) + [0xe9, 0x0a]
                + Array((String(repeating: "plain\n", count: 60_000) + String(repeating: "é\n", count: 60_000)).utf8))
        #expect(late.dialect.encoding == .utf8)
        // In Windows-1252, a closing quote after ß is valid UTF-8 by chance.
        let street = Array("Stra".utf8) + [UInt8(0xdf)] + Array("e, K".utf8) + [UInt8(0xf6)] + Array("ln\n".utf8)
        let german = Array([[UInt8]](repeating: street, count: 30).joined())
        #expect(try indexed(Array("a,b\n".utf8) + german + Array("Spa".utf8) + [0xdf, 0x93, 0x0a]).dialect.encoding == .windows1252)
        // No sample contains the UTF-8 text `caféx`; the index finds it.
        let hidden =
            [UInt8](Array("a,b\ncaf".utf8) + [0xe9] + Array(",1\n".utf8)) + Array(String(repeating: "plain,2\n", count: 500_000).utf8)
        var bytes = hidden
        let place = 2_000_000 / 8 * 8 + 8
        bytes.replaceSubrange(place..<place + 6, with: Array("caféx".utf8))
        let contradicted = try indexed(bytes)
        #expect(contradicted.dialect.encoding == .windows1252)
        #expect(contradicted.diagnostics[.likelyUTF8]?.count == 1)
        let line = bytes[..<place].reduce(1) { $0 + ($1 == 0x0a ? 1 : 0) }
        #expect(contradicted.diagnostics[.likelyUTF8]?.first.line == line)
        // One valid pair among many invalid bytes is a coincidence: ß and a quote.
        let front = Array("f".utf8) + [0xfc] + Array("r;1\n".utf8)
        let chance = try indexed(
            Array("a;b\n".utf8) + Array([[UInt8]](repeating: front, count: 2000).joined()) + Array("Spa".utf8) + [
                0xdf, 0x94, 0x3b, 0x31, 0x0a,
            ])
        #expect(chance.dialect.encoding == .windows1252 && chance.diagnostics[.likelyUTF8] == nil)
        // A requested encoding is not a guess.
        #expect(try indexed(bytes, DialectRequest(encoding: .windows1252)).diagnostics[.likelyUTF8] == nil)
    }

    @Test(
        arguments: [
            (["NO"], ValueKind.text, false), (["yes", "no"], .flag, true), (["Yes", "NO", ""], .flag, true),
            (["y", "yes", "n"], .text, false),
            (["true"], .flag, false), (["FALSE", "true"], .flag, false), (["t", "f", "true"], .text, false), (["F", "M"], .text, false),
            (["yes"], .text, false), (["f"], .text, false), (["T", "F"], .flag, true), (["y", "f"], .text, false),
        ])
    func `D3: a column contains flags only if its words are true and false or exactly both words of a pair`(
        words: [String], kind: ValueKind, hasWords: Bool
    ) throws {
        let profile = try indexed(Array(("x,y\n" + words.map { "\($0),1\n" }.joined()).utf8)).profiles(budgetMilliseconds: 0)[0]
        #expect(profile.kind == kind && profile.hasFlagWords == hasWords)
    }

    @Test func `D3: a single other word among a thousand flags, in any row, makes the column text`() throws {
        for place in [0, 500, 999] {
            var words = [String](repeating: "f", count: 1000)
            words[1] = "t"
            words[place] = "m"
            let profile = try indexed(Array(("x,y\n" + words.map { "\($0),1\n" }.joined()).utf8)).profiles(budgetMilliseconds: 0)[0]
            #expect(profile.kind == .text)
        }
    }
}
