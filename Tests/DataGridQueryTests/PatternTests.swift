import DataGridQuery
import Testing

@Suite("Regular expressions")
struct PatternTests {
    private func match(_ pattern: String, _ text: String, ignoresCase: Bool = false, from start: Int = 0) throws -> Range<Int>? {
        var text = text
        let compiled = try Pattern(pattern, ignoresCase: ignoresCase)
        return text.withUTF8 { bytes in
            #expect(compiled.matches(bytes) == (compiled.firstMatch(in: bytes) != nil))
            return compiled.firstMatch(in: bytes, from: start)
        }
    }

    @Test func `the leftmost match is found and given as byte offsets`() throws {
        #expect(try match("b+", "aabbbcbb") == 2..<5)
        #expect(try match("b+", "aabbbcbb", from: 5) == 6..<8)
        #expect(try match("é.", "xéya") == 1..<4)
        #expect(try match("^b", "ab", from: 1) == nil)
        #expect(try match("$", "ab") == 2..<2)
        #expect(try match("x", "") == nil)
        #expect(try match("", "") == 0..<0)
        #expect(try match("a", "ba", from: 3) == nil)
    }

    @Test func `the case of ASCII and other letters is ignored on request`() throws {
        #expect(try match("ärger", "ÄRGER") == nil)
        #expect(try match("ärger", "ÄRGER", ignoresCase: true) == 0..<6)
    }

    @Test func `an invalid pattern causes an error with a description and a position`() {
        let mistake = #expect(throws: Pattern.SyntaxError.self) { try Pattern("a(b") }
        #expect(mistake?.message.hasPrefix("missing ") == true)
        #expect(mistake?.fault == "a(b")
        #expect(throws: Pattern.SyntaxError.self) { try Pattern("(?=a)") }
        #expect(throws: Pattern.SyntaxError.self) { try Pattern("((a{1000}){1000}){1000}") }
    }

    @Test func `nested quantifiers take linear time`() throws {
        let text = String(repeating: "a", count: 200_000)
        #expect(try match("(a*)*b", text) == nil)
        #expect(try match("(a|aa)+$", text) == 0..<200_000)
    }

    @Test func `bytes that are not UTF-8 never match`() throws {
        let bytes: [UInt8] = [0x61, 0xFF, 0x00, 0x62]
        let (any, zero) = (try Pattern("a."), try Pattern(#"\x00b"#))
        bytes.withUnsafeBufferPointer { bytes in
            #expect(!any.matches(bytes))
            #expect(zero.firstMatch(in: bytes) == 2..<4)
        }
    }
}
