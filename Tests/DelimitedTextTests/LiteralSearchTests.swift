import GridTestSupport
import CByteScan
import FieldValues
import Testing

@testable import DelimitedText

/// Searches for bytes, and for records that contain them.
@Suite("D7: literal search") struct LiteralSearchTests {
    private func referenceMatch(_ values: [UInt8], _ masks: [UInt8], in bytes: ArraySlice<UInt8>, from: Int) -> Int? {
        guard !values.isEmpty, bytes.count >= values.count + from else { return nil }
        return (from...bytes.count - values.count).first { place in
            values.indices.allSatisfy { bytes[bytes.startIndex + place + $0] & masks[$0] == values[$0] }
        }
    }

    @Test func `the length, quotes and line ends of a line, and the delimiters before a match, are measured correctly`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<20_000 {
            // Lines are shorter or longer than one block of the search.
            let letters = Array((round % 5 == 0 ? "abc,\r\n\"" : "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabcdef,\r\n\"").utf8)
            let bytes = (0..<Int.random(in: 1...300, using: &generator)).map { _ in letters.randomElement(using: &generator)! }
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            let quote: Int32 = round % 7 == 0 ? -1 : 0x22
            var dialect = gv_dialect_make(UInt8(ascii: ","), quote, nil, 0)
            let line = gv_measure_line(Int32(round) % gv_scan_implementations(), &dialect, bytes, bytes.count, at)
            guard let end = bytes[at...].firstIndex(of: 0x0a) else {
                #expect(line.length == 0, "seed \(seed) round \(round)")
                continue
            }
            let inner = bytes[..<(end > 0 && bytes[end - 1] == 0x0d ? end - 1 : end)]
            #expect(
                line.length == end + 1 && line.delimiters == bytes[..<at].count { $0 == UInt8(ascii: ",") }
                    && (line.has_cr != 0) == inner.contains(0x0d) && (line.has_quote != 0) == (quote > 0 && inner.contains(0x22)),
                "seed \(seed) round \(round)")
        }
    }

    @Test func `every search implementation agrees with a simple search`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<8_000 {
            // Few letters give many near matches.
            let letters = Array("aAbB0\u{1}".utf8.prefix(Int.random(in: 1...6, using: &generator)))
            func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in letters.randomElement(using: &generator)! } }
            let needle = random(round % 3 == 0 ? Int.random(in: 1...32, using: &generator) : Int.random(in: 1...6, using: &generator))
            let masks: [UInt8] = needle.map { _ in Int.random(in: 0..<3, using: &generator) == 0 ? 0xdf : 0xff }
            let values = zip(needle, masks).map { $0 & $1 }
            // The searched range begins at any alignment, inside a larger text that also matches.
            let text = random(Int.random(in: 0...300, using: &generator)) + needle
            let begin = Int.random(in: 0...text.count, using: &generator)
            let count = Int.random(in: 0...text.count - begin, using: &generator)
            let from = Int.random(in: 0...count, using: &generator)
            let expected = referenceMatch(values, masks, in: text[begin..<begin + count], from: from) ?? count
            var literal = gv_literal_make(values, masks, values.count, text, round % 2 == 0 ? text.count : 0)
            for implementation in 0..<gv_scan_implementations() {
                let found = text.withUnsafeBufferPointer { gv_literal_find(implementation, &literal, $0.baseAddress! + begin, count, from) }
                if found != expected {
                    Issue.record("seed \(seed) round \(round) \(implementation): \(found), not \(expected)")
                    return
                }
            }
        }
    }

    @Test func `a long text is searched by its rarest part`() {
        let needle = Array((String(repeating: "common", count: 20) + "Z" + String(repeating: "common", count: 20)).utf8)
        let masks = [UInt8](repeating: 0xff, count: needle.count)
        let sample = Array("common Commons".utf8)
        var literal = gv_literal_make(needle, masks, needle.count, sample, sample.count)
        #expect(literal.count == 32)
        let text = Array(String(repeating: "common", count: 100).utf8)
        let found = text + needle
        for implementation in 0..<gv_scan_implementations() {
            #expect(gv_literal_find(implementation, &literal, text, text.count, 0) == text.count)
            let place = gv_literal_find(implementation, &literal, found, found.count, 0)
            #expect(place > text.count && place < found.count)
        }
        literal = gv_literal_make(needle, masks, 0, sample, sample.count)
        #expect(gv_literal_find(0, &literal, text, text.count, 0) == text.count)
    }

    private func contains(_ field: [UInt8], _ required: RequiredBytes) -> Bool {
        guard field.count >= required.count else { return false }
        return (0...field.count - required.count).contains { place in
            (0..<required.count).allSatisfy { required.matches(field[place + $0], at: $0) }
        }
    }

    private func required(_ text: String, ignoringCase: Bool = false) -> RequiredBytes {
        var bytes = RequiredBytes()
        for byte in text.utf8 { bytes.append(byte, mask: ignoringCase && (byte | 0x20) &- 0x61 < 26 ? 0xdf : 0xff) }
        return bytes
    }

    private func records(
        _ snapshot: RecordSnapshot, _ range: Range<Int>, _ required: RequiredBytes?
    ) throws -> [(number: Int, fields: [[UInt8]?])] {
        var found: [(Int, [[UInt8]?])] = []
        func append(_ number: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool {
            found.append((number, fields.map { $0.isMissing ? nil : Array($0.bytes) }))
            return true
        }
        if let required {
            try snapshot.scan(range, columns: [1, 0, 1, 7], holding: required, while: { true }, append)
        } else {
            try snapshot.scan(range, columns: [1, 0, 1, 7], append)
        }
        return found
    }

    @Test func `a scan with a search never skips a record that contains the searched bytes`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        var (delivered, all, unparsed) = (0, 0, 0)
        for round in 0..<900 {
            var bytes = Array("h1,h2\n".utf8)
            if round % 3 == 0 {
                bytes += randomText(&generator, delimiter: 0x2c, maximum: 600)
            } else {
                // These records are well-formed, so a search can skip some of them.
                let ends = [["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]].randomElement(using: &generator)!
                let fields = ["a", "bc", "longer text", "", "\"q\"", "\"a,b\"", "\"x\ny\"", "\"a\"\"b\"", "é", "longer\u{1}text and more"]
                // If no record has more fields than columns, the required bytes may be sufficient.
                let maximumFieldCount = Int.random(in: 2...3, using: &generator)
                for _ in 0..<Int.random(in: 0...(round % 4 == 0 ? 200 : 60), using: &generator) {
                    let line = (0..<Int.random(in: 1...maximumFieldCount, using: &generator)).map { _ in
                        fields.randomElement(using: &generator)!
                    }
                    bytes += Array((line.joined(separator: ",") + ends.randomElement(using: &generator)!).utf8)
                }
            }
            var request = DialectRequest()
            request.delimiter = 0x2c
            request.hasHeader = true
            request.encoding = round % 5 == 0 ? .latin1 : .utf8
            let file = try DelimitedFile.reading(
                bytes, request: request,
                settings: .tiny(implementation: Int32.random(in: 0..<gv_scan_implementations(), using: &generator), block: 64))
            try file.buildIndex(threads: 1) { _ in true }
            let snapshot = file.snapshot()
            for text in ["a", "longer", "b", "a\"b", "text and", "x\ny", "é", "a,b", "LONGER", "q"] {
                var required = required(text, ignoringCase: round % 2 == 0)
                required.isSufficient = round % 7 < 4
                let lower = Int.random(in: 0...snapshot.recordCount, using: &generator)
                let range = lower..<Int.random(in: lower...snapshot.recordCount, using: &generator)
                let expected = try records(snapshot, range, nil)
                let found = try records(snapshot, range, required)
                delivered += found.count
                all += expected.count
                let places = Dictionary(uniqueKeysWithValues: expected.map { ($0.number, $0.fields) })
                let isCorrect =
                    zip(found, found.dropFirst()).allSatisfy { $0.number < $1.number }
                    && found.allSatisfy { record in
                        guard record.fields.isEmpty, required.isSufficient else { return places[record.number] == record.fields }
                        unparsed += 1
                        return places[record.number]?.contains { $0.map { contains($0, required) } ?? false } ?? false
                    }
                let delivered = Set(found.map(\.number))
                let missed = expected.filter { record in
                    !delivered.contains(record.number) && record.fields.contains { $0.map { contains($0, required) } ?? false }
                }
                if !isCorrect || !missed.isEmpty {
                    Issue.record("seed \(seed) round \(round) \(text) \(range): \(bytes) \(found.map(\.number)) \(missed.map(\.number))")
                    return
                }
            }
        }
        #expect(delivered < all, "some records are skipped")
        #expect(unparsed > 1_000, "some records are not parsed")
    }

    @Test func `a search covers some or all columns, in records of any length with any line endings`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        var unparsed = 0
        for round in 0..<60 {
            var text = "h1,h2\n" + String(repeating: "some,thing\n", count: 3_000)
            let ends = [["\n"], ["\r\n"], ["\n", "\r"]][round % 3]
            for _ in 0..<300 {
                let fields = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    ["", "a", "needle", "\"b,needle\"", "\"c\nneedle\"", "d"].randomElement(using: &generator)!
                }
                text += fields.joined(separator: ",") + ends.randomElement(using: &generator)!
            }
            if round % 2 == 0 { text.removeLast() }
            var request = DialectRequest()
            request.delimiter = 0x2c
            request.hasHeader = true
            let file = try DelimitedFile.reading(Array(text.utf8), request: request, settings: .tiny(block: 512))
            try file.buildIndex(threads: 1) { _ in true }
            let snapshot = file.snapshot()
            let columns = round % 4 < 2 ? [0, 1] : Array(0..<snapshot.columnCount)
            #expect(snapshot.columnCount == 4)
            var required = required("needle")
            required.isSufficient = true
            var (expected, found): ([Int], [Int]) = ([], [])
            try snapshot.scan(0..<snapshot.recordCount, columns: columns) { record, fields in
                if fields.contains(where: { contains(Array($0.bytes), required) }) { expected.append(record) }
                return true
            }
            try snapshot.scan(0..<snapshot.recordCount, columns: columns, holding: required, while: { true }) { record, fields in
                if fields.isEmpty { unparsed += 1 }
                if fields.isEmpty || fields.contains(where: { contains(Array($0.bytes), required) }) { found.append(record) }
                return true
            }
            #expect(found == expected, "seed \(seed), round \(round)")
        }
        #expect(unparsed > 500)
    }

    @Test func `a scan stops on request`() throws {
        let line = String(repeating: "x", count: 99) + "\n"
        let file = try DelimitedFile.reading("h\n" + String(repeating: line, count: 20_000) + "needle\n")
        try file.buildIndex(threads: 1) { _ in true }
        let snapshot = file.snapshot()
        var (pollCount, found) = (0, 0)
        for limit in [2, 1_000] {
            pollCount = 0
            try snapshot.scan(
                0..<snapshot.recordCount, columns: [0], holding: required("needle"),
                while: {
                    pollCount += 1; return pollCount < limit
                },
                { _, _ in
                    found += 1; return true
                })
            #expect(found == (limit == 2 ? 0 : 1))
        }
        #expect(pollCount > 2 && pollCount < 20)
    }
}
