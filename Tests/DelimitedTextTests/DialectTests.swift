import Tables
import Testing

@testable import DelimitedText

/// Dialect detection for realistic files.
@Suite struct DialectTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var label: String
        var text: String
        var delimiter: String
        var hasHeader: Bool
        var quote: String? = "\""
        var suffix = ".csv"
        var testDescription: String { label }
    }

    static let examples: [Example] = [
        Example(label: "plain", text: "id,name,price\n1,ann,2.50\n2,bob,3.75\n", delimiter: ",", hasHeader: true),
        Example(label: "no header", text: "1,ann,2.50\n2,bob,3.75\n3,cy,1.00\n", delimiter: ",", hasHeader: false),
        Example(label: "tabs", text: "id\tname\n1\tann, the first\n2\tbob\n", delimiter: "\t", hasHeader: true),
        Example(
            label: "tabs with commas everywhere", text: "a\tb\n1,5\tx, y\n2,5\tz, w\n3,5\tq, r\n", delimiter: "\t", hasHeader: true),
        Example(
            label: "semicolons with decimal commas", text: "name;betrag;anteil\nMüller;1,50;3,5\nMeier;2,75;4,5\n", delimiter: ";",
            hasHeader: true),
        Example(label: "semicolons, only decimal commas", text: "1,5;2,5\n3,5;4,5\n5,5;6,5\n", delimiter: ";", hasHeader: false),
        Example(label: "pipes", text: "id|city|note\n1|Köln|a, b\n2|Bonn|c\n", delimiter: "|", hasHeader: true),
        Example(
            label: "names with colons", text: "Name:\tcat\nUmask:\t0022\nState:\tR (running)\nTgid:\t12\nUid:\t0\t0\t0\t0\n",
            delimiter: "\t",
            hasHeader: false),
        Example(label: "titles with colons", text: "Name:;Age:\nBob;5\nAnn;6\n", delimiter: ";", hasHeader: true),
        Example(label: "titles with colons above such names", text: "Item:;Price:\nA:;5\nB:;6\n", delimiter: ";", hasHeader: true),
        Example(label: "colons", text: "root:x:0:0:root:/root:/bin/sh\nbin:x:1:1:bin:/bin:/bin/no\n", delimiter: ":", hasHeader: false),
        Example(label: "spaces", text: "x y z\n1 2 3\n4 5 6\n7 8 9\n", delimiter: " ", hasHeader: true),
        Example(label: "one column of words", text: "name\nann\nbob\n", delimiter: ",", hasHeader: true),
        Example(label: "one column of numbers", text: "1\n2\n3\n", delimiter: ",", hasHeader: false),
        Example(label: "one line of titles", text: "a,b,c\n", delimiter: ",", hasHeader: true),
        Example(label: "one line of numbers", text: "1,2,3\n", delimiter: ",", hasHeader: false),
        Example(
            label: "quoted, with delimiters inside", text: "\"id\",\"a;b;c\"\n\"1\",\"x;y;z\"\n\"2\",\"x;y;z\"\n", delimiter: ",",
            hasHeader: true),
        Example(
            label: "quoted line ends", text: "id,note\n1,\"one\ntwo; three\"\n2,\"four\nfive\"\n", delimiter: ",", hasHeader: true),
        Example(
            label: "apostrophes as quotes", text: "id,text\n1,'a, b'\n2,'c, d'\n3,'e'\n", delimiter: ",", hasHeader: true, quote: "'"),
        Example(label: "apostrophes as text", text: "id,text\n1,it's\n2,'tis\n3,o'er\n", delimiter: ",", hasHeader: true),
        Example(label: "times do not make colons delimiters", text: "time,x\n12:30:00,1\n12:31:00,2\n", delimiter: ",", hasHeader: true),
        Example(label: "years as titles", text: "country,2019,2020\nA,1.5,2.5\nB,3.5,4.5\n", delimiter: ",", hasHeader: true),
        Example(label: "dates as titles", text: "country,1/22/20,1/23/20\nA,1,2\nB,3,4\n", delimiter: ",", hasHeader: true),
        Example(label: "months as titles", text: "country,2024-01,2024-02\nA,1.5,2\nB,3.5,4\n", delimiter: ",", hasHeader: true),
        Example(label: "dates with a point as titles", text: "id;31.1.2024;29.2.2024\n1;1,5;2\n2;3,5;4\n", delimiter: ";", hasHeader: true),
        Example(label: "dates above dates", text: "A,2024-01-31,1\nB,2024-02-29,2\n", delimiter: ",", hasHeader: false),
        Example(label: "a date above numbers and a number", text: "5,2024-01-31\n6,7\n7,8\n", delimiter: ",", hasHeader: false),
        Example(label: "all text", text: "first,last\nann,smith\nbob,jones\n", delimiter: ",", hasHeader: true),
        Example(label: "a text that comes again", text: "yes,no\nno,yes\nyes,no\n", delimiter: ",", hasHeader: false),
        Example(label: "ragged", text: "a,b,c\n1,2\n3,4,5\n6,7,8,9\n1,2,3\n", delimiter: ",", hasHeader: true),
        Example(label: "blank lines", text: "\na,b\n\n1,2\n\n3,4\n", delimiter: ",", hasHeader: true),
        Example(label: "an index without title", text: ",x,y\n0,1.5,a\n1,2.5,b\n", delimiter: ",", hasHeader: true),
        Example(label: "tsv of one column", text: "name\nann\n", delimiter: "\t", hasHeader: true, suffix: ".tsv"),
        Example(label: "sizes and paths", text: "4.0K\t/etc/a\n16K\t/etc/b\n1.5M\t/etc/c\n", delimiter: "\t", hasHeader: false),
        Example(label: "titles above sizes and paths", text: "size\tpath\n4.0K\t/a\n16K\t/b\n", delimiter: "\t", hasHeader: true),
        Example(label: "one size and path", text: "4.0K\t/etc/a\n", delimiter: "\t", hasHeader: false),
        Example(label: "a size above empty files", text: "4.0K\t/a\n0\t/b\n0\t/c\n", delimiter: "\t", hasHeader: false),
        Example(label: "codes and words", text: "A12,red\nA13,blue\nB7,green\n", delimiter: ",", hasHeader: false),
        Example(label: "hosts and flags", text: "web01,true\nweb02,false\nweb17,false\n", delimiter: ",", hasHeader: false),
        Example(label: "addresses", text: "ann@a.org,https://a.org/\nbob@b.org,https://b.org/x\n", delimiter: ",", hasHeader: false),
        Example(label: "dates with words", text: "7 Sep 2022,ann\n17 Oct 2022,bob\n", delimiter: ",", hasHeader: false),
        Example(
            label: "hashes", text: "d41d8cd98f00b204,ann\n0cc175b9c0f1b6a8,bob\n92eb5ffee6ae2fec,cy\n", delimiter: ",", hasHeader: false),
        Example(
            label: "a hash above a hash of digits", text: "d41d8cd98f00b204,ann\n1234567890123456,bob\n0cc175b9c0f1b6a8,cy\n",
            delimiter: ",", hasHeader: false),
        Example(label: "numbered titles above numbers", text: "c1,c2\n1,2.5\n3,4.5\n", delimiter: ",", hasHeader: true),
        Example(label: "titles of a letter of dates or exponents", text: "t,T1,e2,Z3\n1,2,3,4\n5,6,7,8\n", delimiter: ",", hasHeader: true),
        Example(label: "one line of such titles", text: "T1,E2\n", delimiter: ",", hasHeader: true),
        Example(label: "codes of a letter of dates or exponents", text: "E10,T1\nE5,T2\nE7,T3\n", delimiter: ",", hasHeader: false),
        Example(label: "numbered titles above words", text: "word1,word2\nred,blue\nA1,B2\n", delimiter: ",", hasHeader: true),
        Example(label: "one line of numbered titles", text: "col1,col2\n", delimiter: ",", hasHeader: true),
        Example(label: "durations as titles", text: "1h,24h,7d\n0.5,1.5,2.5\n0.1,0.2,0.3\n", delimiter: ",", hasHeader: true),
        Example(label: "a title above sizes", text: "size\n4.0K\n16K\n", delimiter: ",", hasHeader: true),
        Example(label: "a title above amounts", text: "x\n€1.50\n€2.75\n€10.00\n", delimiter: ";", hasHeader: true),
        Example(label: "a title above amounts with commas", text: "x\n1,50 €\n2,75 €\n10,00 €\n", delimiter: ";", hasHeader: true),
        Example(label: "amounts above amounts", text: "€1.50,ann\n€2.75,bob\n€3,cy\n", delimiter: ",", hasHeader: false),
        Example(label: "titles above amounts", text: "x,y\n€1,50\n€2,75\n", delimiter: ",", hasHeader: true),
        Example(label: "amounts and numbers without titles", text: "€1,50\n€2,75\n€3,10\n", delimiter: ",", hasHeader: false),
        Example(label: "a list of sizes", text: "4.0K\n16K\n1.5M\n", delimiter: ",", hasHeader: false),
        Example(label: "a list of sizes with and without units", text: "4.0K\n16\n12\n7\n", delimiter: ",", hasHeader: false),
        Example(label: "a missing value above numbers", text: "n/a\n16\n12\n7\n", delimiter: ",", hasHeader: false),
        Example(label: "a null of MySQL above numbers", text: "\\N\n16\n12\n7\n", delimiter: ",", hasHeader: false),
        Example(
            label: "log lines", text: "date,level,text\n2024-01-01,INFO,a b c\n2024-01-02,WARN,d e f\n", delimiter: ",", hasHeader: true),
    ]

    @Test(arguments: examples) func `delimiter, quote and header are detected`(_ example: Example) throws {
        let file = TestFile(example.text, suffix: example.suffix)
        defer { withExtendedLifetime(file) {} }
        let dialect = try DelimitedFile(path: file.path).dialect
        #expect(dialect.delimiter == example.delimiter.utf8.first!, "delimiter \(UnicodeScalar(dialect.delimiter))")
        #expect(dialect.hasHeader == example.hasHeader)
        #expect(dialect.quote == example.quote?.utf8.first)
    }

    private static func escaping(_ escape: UInt8, delimiter: UInt8? = nil) -> DialectRequest {
        var request = DialectRequest(delimiter: delimiter)
        request.escape = escape
        return request
    }

    @Test func `a delimiter can be given as the code of a character`() throws {
        for (text, byte) in [("\\x01", 1), ("\\x1f", 0x1f), ("\\x7C", 0x7c)] as [(String, UInt8)] {
            var settings = ReadingSettings()
            settings.delimiter = text
            let request = try DialectRequest(settings)
            #expect(request.delimiter == byte && request.settings.delimiter == (byte == 0x7c ? "|" : text))
        }
        for text in ["\\x0a", "\\x00", "\\xff", "\\x1", "\\x-1", "\\x+1", "\\xgg"] {
            var settings = ReadingSettings()
            settings.delimiter = text
            #expect(throws: ReadingSettingsError.self, "\(text)") { try DialectRequest(settings) }
        }
        let file = try DelimitedFile.reading("a\u{1}b\n1\u{1}x, y\n", request: DialectRequest(delimiter: 1))
        #expect(file.header == ["a", "b"] && file.details.contains { $0 == ("delimiter", "\\x01") })
    }

    @Test func `requested settings take precedence over detection`() throws {
        let file = TestFile("junk\n;x\n#c\na;b\n1;2\n")
        let request = DialectRequest(
            delimiter: 0x3b, quote: .some(nil), hasHeader: true, encoding: .latin1, skipLines: 2, commentPrefix: Array("#".utf8))
        let opened = try DelimitedFile(path: file.path, request: request)
        #expect(opened.header == ["a", "b"])
        #expect(opened.dialect.quote == nil)
        #expect(opened.dialect.encoding == .latin1)
        let record = try opened.snapshot().records(0..<1)[0]
        #expect(record.fields.map(\.text) == ["1", "2"])
    }

    @Test func `the line ending is detected`() throws {
        for (text, expected) in [("a\nb\n", LineEnd.lf), ("a\r\nb\r\n", .crlf), ("a\rb\r", .cr), ("a\nb\r\n", .mixed), ("", .lf)] {
            #expect(try DelimitedFile.reading(text).dialect.lineEnd == expected)
        }
    }

    @Test(
        arguments: [
            (DialectRequest(delimiter: 0x0a), "The delimiter cannot be a line ending. Choose another character."),
            (DialectRequest(delimiter: 0x0d), "The delimiter cannot be a line ending. Choose another character."),
            (DialectRequest(delimiter: 0), "The delimiter cannot be the NUL byte. Choose another character."),
            (DialectRequest(quote: .some(0x0d)), "The quote cannot be a line ending. Choose another character."),
            (DialectRequest(quote: .some(0x0a)), "The quote cannot be a line ending. Choose another character."),
            (DialectRequest(quote: .some(0)), "The quote cannot be the NUL byte. Choose another character."),
            (
                DialectRequest(delimiter: 0x22, quote: .some(0x22)),
                "The delimiter and the quote are both “\"”. Choose another quote, or none (--quote none)."
            ),
            (
                DialectRequest(delimiter: 9, quote: .some(9)),
                "The delimiter and the quote are both tab. Choose another quote, or none (--quote none)."
            ),
            (escaping(0x0a), "The escape character cannot be a line ending. Choose another character."),
            (
                escaping(0x22), "The quote and the escape character are both “\"”. Doubled quotes need no escape character."
            ),
            (
                escaping(0x5c, delimiter: 0x5c),
                "The delimiter and the escape character are both “\\”. Choose another escape character."
            ),
            (DialectRequest(skipLines: -1), "The number of lines to skip must be 0 or more, not -1."),
            (
                DialectRequest(commentPrefix: [UInt8](repeating: 0x23, count: 17)),
                "The comment prefix has 17 bytes; the limit is 16."
            ),
            (DialectRequest(commentPrefix: [0x23, 0x0a]), "The comment prefix cannot contain a line ending."),
            (
                DialectRequest(delimiter: 0x3b, commentPrefix: [0x3b, 0x3b]),
                "The comment prefix starts with the delimiter “;”. Choose another prefix or delimiter."
            ),
            (
                DialectRequest(commentPrefix: [0x22]),
                "The comment prefix starts with the quote “\"”. Choose another prefix or quote."
            ),
            (
                DialectRequest(quote: .some(0x27), commentPrefix: [0x27, 0x27]),
                "The comment prefix starts with the quote “'”. Choose another prefix or quote."
            ),
        ])
    func `E: impossible settings are rejected with a suggested change`(_ request: DialectRequest, _ message: String) {
        let file = TestFile("a,b\n")
        #expect { try DelimitedFile(path: file.path, request: request) } throws: {
            guard let error = $0 as? DelimitedTextError else { return false }
            return error.code == .invalidDialect && error.message == message
        }
    }

    @Test func `E: a comment prefix is never detected as delimiter or quote`() throws {
        let file = TestFile(";x\na,b;c\n;y\n1,2;3\n")
        let opened = try DelimitedFile(path: file.path, request: DialectRequest(commentPrefix: [0x3b]))
        #expect(opened.dialect.delimiter == 0x2c)
        let quoted = TestFile("a,b\n'1','2'\n'3','4'\n")
        #expect(try DelimitedFile(path: quoted.path).dialect.quote == 0x27)
        #expect(try DelimitedFile(path: quoted.path, request: DialectRequest(commentPrefix: [0x27])).dialect.quote == 0x22)
        // A double quote is allowed as delimiter or comment prefix. The file then has no quote character.
        #expect(try DelimitedFile(path: file.path, request: DialectRequest(delimiter: 0x22)).dialect.quote == nil)
        let plain = DialectRequest(delimiter: 0x2c, quote: .some(nil), commentPrefix: [0x22])
        #expect(try DelimitedFile(path: file.path, request: plain).dialect.quote == nil)
    }
}
