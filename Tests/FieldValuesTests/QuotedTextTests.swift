import FieldValues
import Testing

@Suite("Quoted text") struct QuotedTextTests {
    @Test func `D10: quotes before combining marks are replaced, too`() {
        #expect(Array("it'\u{301}s".replacingScalar("'", with: "''").utf8) == Array("it''\u{301}s".utf8))
        #expect("a\"\u{200D}\"".replacingScalar("\"", with: "").unicodeScalars.count == 2)
        #expect("plain".replacingScalar("'", with: "''") == "plain")
        #expect(Array("a'\u{301}b\"".quoted(by: "'").utf8) == Array("'a''\u{301}b\"'".utf8))
        // The shell ends its quotes at each quote.
        #expect(Array(ShellWord.word("'\u{301}; ls").utf8) == Array("''\\''\u{301}; ls'".utf8))
    }

    @Test func `a path in a URI keeps its bytes, and its first name is not read as a host`() {
        #expect(FileURI.text("a b?mode=rw#%41ä.db") == "file:a%20b%3Fmode%3Drw%23%2541%C3%A4.db")
        #expect(FileURI.text("//host/a-b_c~1.db") == "file:////host/a-b_c~1.db")
    }
}
