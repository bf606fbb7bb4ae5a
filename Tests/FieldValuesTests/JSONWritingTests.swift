import FieldValues
import Foundation
import GridTestSupport
import Testing

/// Text written as JSON, byte by byte as simple code writes it.
@Suite struct JSONWritingTests {
    private static let forms: [JSONForm] = [.unescaped, .escapedString, .outsideStrings]

    private func reference(_ bytes: [UInt8], _ form: JSONForm) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let written =
            switch form {
            case .unescaped: PlainJSON.escapingControls(PlainJSON.escapingQuotes(text))
            case .escapedString: PlainJSON.escapingControls(text)
            case .outsideStrings: PlainJSON.blankingControls(text)
            }
        return Array(written.utf8)
    }

    /// Writes text with room for `room` bytes per call, and checks that no other bytes change.
    private func written(_ text: UnsafeBufferPointer<UInt8>, _ form: JSONForm, room: Int) -> [UInt8] {
        var (result, rest) = ([UInt8](), text)
        let guardByte: UInt8 = 0xA7
        var memory = [UInt8](repeating: guardByte, count: room + 64)
        while !rest.isEmpty {
            let (read, written) = memory.withUnsafeMutableBufferPointer {
                form.write(rest, to: UnsafeMutableBufferPointer(rebasing: $0[..<room]))
            }
            guard read > 0, written <= room else {
                Issue.record("\(read) bytes read, \(written) of \(room) written")
                return []
            }
            #expect(memory[room...].allSatisfy { $0 == guardByte })
            result += memory[..<written]
            rest = UnsafeBufferPointer(rebasing: rest[read...])
            // A call stops early only if its room is used up.
            #expect(rest.isEmpty || room - written < JSONForm.minimumRoom)
        }
        return result
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `D15: the escaping of any bytes agrees with a simple reference implementation, for any buffer size`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let text = random.difficultText(length: 300)
            let room = JSONForm.minimumRoom + [0, 1, 7, 40, 4_000][Int.random(in: 0..<5, using: &random)]
            for form in Self.forms {
                let result = text.withUnsafeBufferPointer { written($0, form, room: room) }
                #expect(result == reference(text, form), "\(text) \(form) \(room)")
            }
        }
    }

    @Test func `D15: escaped text is read back by Foundation`() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let text = random.difficultText(length: 300)
            let result = text.withUnsafeBufferPointer { written($0, .unescaped, room: 100) }
            let read = try JSONDecoder().decode(String.self, from: Data([34] + result + [34]))
            #expect(Array(read.utf8) == Array(String(decoding: text, as: UTF8.self).utf8), "\(text)")
        }
    }

    @Test func `D15: the escaping of each Unicode scalar agrees with a simple reference implementation`() {
        // Sixteen scalars are written at once, with letters between them, so that scalars are at all positions of a block.
        for first in stride(from: UInt32(0), through: 0x10FFFF, by: 16) {
            let scalars = (first..<first + 16).compactMap(Unicode.Scalar.init)
            let text = Array(scalars.map { "\($0)a" }.joined().utf8)
            let result = text.withUnsafeBufferPointer { written($0, .unescaped, room: 200) }
            #expect(result == reference(text, .unescaped), "\(first)")
        }
    }

    @Test func `D15: only bytes of the text itself are read, at any distance from the end of a memory page`() throws {
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = try #require(mmap(nil, 2 * pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0))
        try #require(memory != MAP_FAILED)
        defer { munmap(memory, 2 * pageSize) }
        // A read of the second page ends the process.
        try #require(mprotect(memory + pageSize, pageSize, PROT_NONE) == 0)
        let page = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: pageSize)
        page.initialize(repeating: UInt8(ascii: "9"))
        let texts = ["", "a", "12.5", "-1", "12345678901234567890", "x\"y", "plain text of more than one block, \\", "日本語"]
        for text in texts.map({ Array($0.utf8) }) + [[0xE2, 0x80], [97, 0xF0, 0x9F, 0x98]] {
            for distance in 0..<40 {
                let start = pageSize - distance - text.count
                _ = page[start...].update(fromContentsOf: text)
                let field = UnsafeBufferPointer(rebasing: page[start..<start + text.count])
                for form in Self.forms {
                    #expect(written(field, form, room: 64) == reference(text, form))
                }
                let isNumber = FieldBytes(start: field.baseAddress, count: field.count).isJSONNumber
                #expect(isNumber == PlainJSON.isNumber(String(decoding: text, as: UTF8.self)))
                page[start...].update(repeating: UInt8(ascii: "9"))
            }
        }
    }

    @Test func `D15: numbers in any notation are written as JSON numbers with all of their digits`() {
        func json(_ text: String, _ notation: DecimalStyle) -> String? {
            FieldBytes.withBytes(of: text) { field in
                field.withJSONNumber(notation) { $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
            }
        }
        let digits = "1,234,567,890,123,456,789,012.3456789012345678901234567890"
        for (text, number) in [
            ("1", "1"), (" -1.50\t", "-1.50"), ("+5", nil), ("+0.5", nil), ("+1.5e+3", "1.5e+3"), ("+1,234.5", "1234.5"),
            ("1,234.50", "1234.50"), ("1e+5", "1e+5"), (".5", "0.5"), ("-.5e3", "-0.5e3"),
            ("5.", "5"), ("-0", "-0"), (digits, digits.replacing(",", with: "")), ("1e400", "1e400"), ("007", nil), ("12%", nil),
            ("nan", nil), ("-inf", nil), ("", nil), ("x", nil), ("1,5", nil), ("5.e3", nil), ("1,234", nil), ("-1,234", nil),
            ("1,234.", "1234"), ("1,234,567", "1234567"),
        ] as [(String, String?)] {
            #expect(json(text, .point) == number && json(text, .point.with(.accounting)) == number, "\(text)")
        }
        let accounting = DecimalStyle.point.with(.accounting)
        for (text, number) in [("(1,234.50)", "-1234.50"), ("( 5 )", "-5"), ("12-", "-12"), ("(.5)", "-0.5"), ("5.-", "-5")] {
            #expect(json(text, accounting) == number && json(text, .point) == nil, "\(text)")
        }
        for text in ["(1,234)", "(007)", "(5", "(-5)", "(5%)", "5 -", "€5"] { #expect(json(text, accounting) == nil, "\(text)") }
        for (text, number) in [("1.234,5", "1234.5"), ("(1.234)", "-1234"), ("-,5", "-0.5"), ("1,5-", "-1.5")] {
            #expect(json(text, .comma.with(.accounting)) == number, "\(text)")
        }
        #expect(FieldBytes.missing.withJSONNumber(.point) { $0 == nil })
    }

    @Test func `D15: the recognition of JSON numbers agrees with a simple reference implementation`() {
        var random = SplitMix64(seed: 6)
        let letters = Array("0123456789+-.eE, xIN".unicodeScalars)
        var texts = [
            "0", "-0", "-", "", "00", "01", "-01", "1.", ".5", "1.5", "1e5", "1E+05", "1e", "1e-", "1 ", " 1", "1,", "1]", "1\u{301}",
            "1\0",
        ]
        texts += ["-Infinity", "NaN", "Infinity", "null", "true", "\"1\"", "[1]", "{}", "١", String(repeating: "9", count: 3_000)]
        // Most random texts are short numbers with few errors.
        for _ in 0..<20_000 {
            let count = Int.random(in: 1..<8, using: &random), kinds = Int.random(in: 0..<3, using: &random) == 0 ? 20 : 15
            let text = (0..<count).map { _ in letters[Int.random(in: 0..<kinds, using: &random)] }
            texts.append(String(String.UnicodeScalarView(text)))
        }
        var numberCount = 0
        for text in texts {
            let isNumber = PlainJSON.isNumber(text)
            numberCount += isNumber ? 1 : 0
            #expect(FieldBytes.withBytes(of: text) { $0.isJSONNumber } == isNumber, "\(text)")
        }
        #expect(numberCount > 1_000)
        #expect(!FieldBytes.missing.isJSONNumber)
    }
}
