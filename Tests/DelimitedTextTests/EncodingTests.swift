import GridTestSupport
import Testing

@testable import DelimitedText

@Suite struct EncodingTests {
    private func read(_ bytes: [UInt8], _ request: DialectRequest = .init()) throws -> (DelimitedFile, [[String]]) {
        let file = try DelimitedFile.reading(bytes, request: request)
        try file.buildIndex(threads: 1) { _ in true }
        let snapshot = file.snapshot()
        return (file, try snapshot.records(0..<snapshot.recordCount).map { $0.fields.map(\.text) })
    }

    private func utf16(_ text: String, bigEndian: Bool, mark: Bool = true) -> [UInt8] {
        ((mark ? "\u{feff}" : "") + text).utf16.flatMap { unit -> [UInt8] in
            let high = UInt8(unit >> 8)
            let low = UInt8(unit & 255)
            return bigEndian ? [high, low] : [low, high]
        }
    }

    @Test func `a byte order mark is skipped and reported`() throws {
        let (file, records) = try read([0xef, 0xbb, 0xbf] + Array("\"a\",b\n1,2\n".utf8))
        #expect(file.header == ["a", "b"])
        #expect(records == [["1", "2"]])
        #expect(file.diagnostics[.byteOrderMark]?.first.line == 1)
    }

    @Test(arguments: [true, false], [true, false])
    func `UTF-16 is detected in both byte orders, with and without a byte order mark`(bigEndian: Bool, mark: Bool) throws {
        let text = "name,city,note\nZoë,Köln,\"a\nb\"\n日本,🎉,plain old text that goes on\n"
        let (file, records) = try read(utf16(text, bigEndian: bigEndian, mark: mark))
        #expect(file.dialect.encoding == (bigEndian ? .utf16BigEndian : .utf16LittleEndian))
        #expect(file.header == ["name", "city", "note"])
        #expect(records == [["Zoë", "Köln", "a\nb"], ["日本", "🎉", "plain old text that goes on"]])
        #expect(file.diagnostics[.invalidText] == nil)
    }

    @Test func `a long UTF-16 file is converted completely`() throws {
        let rows = (0..<60_000).map { "\($0),zeile \($0) ü\n" }.joined()
        let (file, records) = try read(utf16("id,text\n" + rows, bigEndian: false))
        #expect(records.count == 60_000)
        #expect(records[59_999] == ["59999", "zeile 59999 ü"])
        #expect(!file.isGrowing)
    }

    @Test func `invalid UTF-16 becomes replacement characters and is counted`() throws {
        // The text has a lone high surrogate, a lone low surrogate, and a single byte at its end.
        let bytes = utf16("a,b\n1,", bigEndian: false) + [0x3d, 0xd8, 0x78, 0x00, 0x00, 0xdc, 0x0a, 0x00, 0x41]
        let (file, records) = try read(bytes)
        #expect(records == [["1", "\u{fffd}x\u{fffd}"], ["\u{fffd}"]])
        #expect(file.diagnostics[.invalidText]?.count == 3)
    }

    @Test(arguments: [0, 40_000])
    func `the first invalid UTF-16 character is located by its line, even far from the start`(count: Int) throws {
        let start = utf16("a,b\n1,x\n" + String(repeating: "2,y\n", count: count), bigEndian: false)
        for (rest, isLast) in [([0x00, 0xd8, 0x0a, 0x00], false), ([0x00, 0xdc], false), ([0x41], true), ([0x00, 0xd8], true)] {
            let (one, _) = try read(start + rest.map { UInt8($0) })
            #expect(one.diagnostics[.invalidText]?.first.line == count + 3, "\(rest)")
            #expect(
                one.conversions.filter(\.replacesCharacters).map(\.sentence) == [
                    "\(one.name): 1 UTF-16 character is invalid (line \(count + 3)) and was replaced with U+FFFD."
                ])
            if isLast { continue }
            let (two, _) = try read(start + rest.map { UInt8($0) } + [0x00, 0xdc])
            #expect(
                two.conversions.filter(\.replacesCharacters).map(\.sentence) == [
                    "\(two.name): 2 UTF-16 characters are invalid (first: line \(count + 3)) and were replaced with U+FFFD."
                ])
        }
    }

    @Test func `Windows-1252 is detected, and Latin-1 can be requested`() throws {
        let bytes =
            Array("name,price\ncaf".utf8) + [0xe9] + Array(",5 ".utf8) + [0x80, 0x0a] + Array("\"na".utf8) + [0xef]
            + Array("ve\"\"\",1\n".utf8)
        let (file, records) = try read(bytes)
        #expect(file.dialect.encoding == .windows1252)
        #expect(records == [["café", "5 €"], ["naïve\"", "1"]])
        let scanned = try file.allFields(columns: 2).map { $0.map { String(decoding: $0, as: UTF8.self) } }
        #expect(scanned == records)
        let (_, latin) = try read(bytes, DialectRequest(encoding: .latin1))
        #expect(latin[0][1] == "5 \u{80}")
    }

    @Test func `invalid UTF-8 is marked, counted and located`() throws {
        let bytes = Array("a,b\né,ü\nö,ä\n".utf8) + [0x78, 0xff, 0xe2, 0x82, 0x2c, 0x79, 0x0a]
        let (file, records) = try read(bytes)
        #expect(file.dialect.encoding == .utf8)
        #expect(records[2] == ["x\u{fffd}\u{fffd}", "y"])
        let record = try file.snapshot().records(2..<3)[0]
        #expect(record.fields.map(\.isInvalid) == [true, false])
        let finding = file.diagnostics[.invalidText]
        #expect(finding?.count == 2)
        #expect(finding?.first == Diagnostics.Location(line: 4, record: 2, byteOffset: 17))
    }

    @Test func `invalid sequences are counted as in the standard library, for any sizes of chunks and spans`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for _ in 0..<60 {
            var bytes = Array("é,ü\n".utf8)
            let pieces: [[UInt8]] = [
                Array("é".utf8), Array("日".utf8), Array("🎉".utf8), [0xff], [0xe2, 0x82], [0xf0, 0x9f, 0x8e], [0x80], [0xc0],
                [0xed, 0xa0, 0x80],
                Array("abc".utf8), [0x0a],
            ]
            for _ in 0..<60 { bytes += pieces.randomElement(using: &generator)! }
            let text = String(decoding: bytes, as: UTF8.self)
            let expected = text.unicodeScalars.reduce(0) { $0 + ($1 == "\u{fffd}" ? 1 : 0) }
            for settings in [ScanSettings(), .tiny(), .tiny(chunk: 32, span: 8, block: 16)] {
                let request = DialectRequest(delimiter: 0x2c, hasHeader: false, encoding: .utf8)
                let file = try DelimitedFile.reading(bytes, request: request, settings: settings)
                try file.buildIndex(threads: 2) { _ in true }
                #expect(file.diagnostics[.invalidText]?.count ?? 0 == expected, "seed \(seed)")
            }
        }
    }
}
