import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

/// Text with escapes, rewritten as text with doubled quotes, block by block.
@Suite struct EscapeRewriterTests {
    private static let (quote, escape, comma) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ","))

    private func rewritten(
        _ bytes: [UInt8], hasQuotes: Bool = true, lineEnd: LineEnd = .lf, block: Int = 1 << 20, comment: String = "",
        prefixCount: Int = 0, maximumHeldBytes: Int = 1 << 20, notes: EscapeNotes = EscapeNotes()
    ) -> [UInt8] {
        var dialect = Dialect(quote: hasQuotes ? Self.quote : nil)
        (dialect.lineEnd, dialect.commentPrefix) = (lineEnd, Array(comment.utf8))
        var rewriter = EscapeRewriter(
            dialect, quote: Self.quote, escape: Self.escape, prefixCount: prefixCount, maximumHeldBytes: maximumHeldBytes, notes: notes)
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer { all in
            for start in stride(from: 0, through: all.count, by: block) {
                let end = min(start + block, all.count)
                // Each block is written to a new array, as when a file is rewritten.
                var text: [UInt8] = []
                rewriter.rewrite(UnsafeBufferPointer(rebasing: all[start..<end]), isEnd: end == all.count, into: &text)
                output += text
                if end == all.count { break }
            }
        }
        return output
    }

    private func rewritten(_ text: String, comment: String = "", prefixCount: Int = 0) -> String {
        String(decoding: rewritten(Array(text.utf8), comment: comment, prefixCount: prefixCount), as: UTF8.self)
    }

    @Test(arguments: [
        (#"1,"say \"hi\"""#, #"1,"say ""hi""""#), (#""a\\b""#, #""a\b""#), (#""\\\"""#, #""\""""#), (#""a""b""#, #""a""b""#),
        // Before other characters, the escape character is text, as in paths.
        (#""C:\new, \N",\N,C:\new"#, #""C:\new, \N",\N,C:\new"#), (#""a\,b""#, #""a\,b""#),
        ("\"a\\\nb\"", "\"a\nb\""), ("\"a\\\r\nb\"", "\"a\r\nb\""),
        // Outside of quotes, a field with an escaped character gets quotes.
        (#"say \"hi\",2"#, #""say ""hi""",2"#), (#"\"x,y"#, "\"\"\"x\",y"), (#"a\,b,c"#, #""a,b",c"#), (#"a\\b,c"#, #""a\b",c"#),
        ("a\\\nb\nc", "\"a\nb\"\nc"), ("a\\\r\nb\r\nc", "\"a\r\nb\"\r\nc"), (#"5" pipe \"x"#, #""5"" pipe ""x""#),
        // Damage stays as it is.
        (#""a\"#, #""a\"#), (#"a\"#, #"a\"#), (#""a"#, #""a"#), (#""a"b\"c,d"#, #""a"b\"c,d"#), ("", ""), (#"\"#, #"\"#),
    ])
    func `escaped characters are rewritten, and other text stays unchanged`(_ text: String, _ expected: String) {
        #expect(rewritten(text) == expected)
        #expect(rewritten("a,b\n\(text)") == "a,b\n\(expected)")
    }

    @Test func `comments and the lines before the table stay as they are`() {
        let comment = #"#- it's \"so\""#
        #expect(rewritten("\(comment)\na\\\"\n", comment: "#-") == "\(comment)\n\"a\"\"\"\n")
        #expect(rewritten("#\\\"\n\(comment)", comment: "#-") == "\"#\"\"\"\n\(comment)")
        #expect(rewritten("\"x\\\"\na\\\"\n", prefixCount: 5) == "\"x\\\"\n\"a\"\"\"\n")
        #expect(rewritten("#", comment: "##") == "#")
    }

    /// The fields of delimited text with doubled quotes and, unless `escape` is `nil`, with escaped characters.
    private static func records(_ bytes: [UInt8], escape: UInt8?) -> [[[UInt8]]] {
        enum State { case start, unquoted, quoted, closing, stray }
        var (records, fields, field, state) = ([[[UInt8]]](), [[UInt8]](), [UInt8](), State.start)
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == escape, state != .closing, state != .stray {
                if state == .start { state = .unquoted }
                if at < bytes.count, [quote, escape, 10, 13].contains(bytes[at]) || bytes[at] == comma && state == .unquoted {
                    field.append(bytes[at])
                    at += 1
                    if bytes[at - 1] == 13, at < bytes.count, bytes[at] == 10 {
                        field.append(10)
                        at += 1
                    }
                } else {
                    field.append(byte)
                }
            } else if state == .quoted {
                if byte == quote { state = .closing } else { field.append(byte) }
            } else if byte == quote, state == .start || state == .closing {
                if state == .closing { field.append(byte) }
                state = .quoted
            } else if byte == comma || byte == 10 || byte == 13 {
                fields.append(field)
                (field, state) = ([], .start)
                if byte != comma {
                    records.append(fields)
                    fields = []
                }
            } else {
                field.append(byte)
                state = state == .closing || state == .stray ? .stray : .unquoted
            }
        }
        return records + [fields + [field]]
    }

    @Test func `random text has the same fields as with a simple reader, for blocks of any size`() {
        var random = SplitMix64(seed: 1804)
        let pieces = ["\"", "\"", "\\", "\\", ",", ",", "\n", "\r\n", "a", "bc", " ", "\r", "é"].map { Array($0.utf8) }
        for round in 0..<2_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).flatMap { _ in pieces.randomElement(using: &random)! }
            let expected = Self.records(text, escape: Self.escape)
            let whole = rewritten(text)
            #expect(Self.records(whole, escape: nil) == expected, "round \(round): \(String(decoding: text, as: UTF8.self))")
            for block in 1...5 { #expect(rewritten(text, block: block) == whole, "round \(round), blocks of \(block)") }
            let limited = rewritten(text, block: 3, maximumHeldBytes: 2)
            #expect(Self.records(limited, escape: nil) == expected, "round \(round): long fields are written in quotes")
        }
    }

    // MARK: Text without quotes

    private func unquoted(
        _ text: String, lineEnd: LineEnd = .lf, comment: String = "", notes: EscapeNotes = EscapeNotes()
    ) -> String {
        String(
            decoding: rewritten(Array(text.utf8), hasQuotes: false, lineEnd: lineEnd, comment: comment, notes: notes), as: UTF8.self)
    }

    @Test(arguments: [
        ("a\\tb,c\\nd,e", "a\tb,\"c\nd\",e"), ("\\b\\f\\v\\0,\\r", "\u{8}\u{c}\u{b}\0,\"\r\""), (#"a\,b,c\\d"#, #""a,b",c\d"#),
        ("a\\\nb,c", "\"a\nb\",c"), ("a\\\r\nb,c", "\"a\r\nb\",c"), (#"\q\'\é\/"#, "q'é/"),
        // A field with quotes is written in quotes, so that its quotes are text.
        (#"5" pipe,"x",\"y"#, #""5"" pipe","""x""","""y""#), (#"{"a":1},2"#, #""{""a"":1}",2"#),
        // A null is `\N`. A value that begins with a backslash gets a second one.
        (#"\N,a\N,\Nb,\\N,\\"#, #"\N,aN,Nb,\\N,\\"#), (#"x,\N"#, #"x,\N"#), (#"NULL,,\\x"#, #"NULL,,\\x"#),
        ("\\N\r\n\\N\r\n", "\\N\r\n\\N\r\n"),
        // An escape character at the end of the input is text.
        (#"a\"#, #"a\"#), (#"\"#, #"\\"#),
        // The line `\.` ends the rows of PostgreSQL.
        ("x,y\n\\.\n", "x,y\n"), ("x,y\r\n\\.", "x,y\r\n"), ("\\.,x\n\\.y,\\.\n", ".,x\n.y,.\n"),
    ])
    func `escapes of text without quotes are decoded`(_ text: String, _ expected: String) {
        let notes = EscapeNotes()
        #expect(unquoted(text, notes: notes) == expected && notes.problems.isEmpty)
        let first = "a,b" + (text.contains("\r\n") ? "\r\n" : "\n")
        #expect(unquoted(first + text, notes: notes) == first + expected && notes.problems.isEmpty)
    }

    @Test func `escapes that MySQL and PostgreSQL read differently stay, and are reported`() {
        var notes = EscapeNotes()
        #expect(unquoted(#"a\x41,\Z,\101,\01,\08"#, notes: notes) == "a\\x41,\\\\Z,\\\\101,\\\\01,\u{0}8")
        #expect(
            notes.problems == [#"4 escapes stay as written, because MySQL and PostgreSQL read them differently (first: \x)"#])
        notes = EscapeNotes()
        #expect(unquoted(#"1,\01"#, notes: notes) == #"1,\\01"#)
        #expect(notes.problems == [#"1 escape stays as written, because MySQL and PostgreSQL read it differently (\0)"#])
        notes = EscapeNotes()
        #expect(unquoted("1,2\n\\.\nselect 1;\n", notes: notes) == "1,2\n")
        #expect(notes.problems == ["text after the line that ends the rows of PostgreSQL is not read"])
    }

    @Test(arguments: [
        ("a,b\n1,2\r\n", true), ("a,b\r\n1,2\n3", true), ("a,b\r\n1,\\\n2\r\n", false), ("a,b\n1,2\\\r\n\n", false),
        ("#x\r\na,b\n1,2\n", false), ("#x\na,b\r\n1,2\r\n", false),
    ])
    func `rows with different line endings are reported, because MySQL writes some without an escape`(text: String, isMixed: Bool) {
        let notes = EscapeNotes()
        _ = unquoted(text, comment: "#", notes: notes)
        let problem = "some lines end with LF and others with CR LF, so values with such characters may be wrong"
        #expect(notes.problems == (isMixed ? [problem] : []))
    }

    @Test func `an empty value of a single column is not a missing value`() {
        #expect(unquoted("a\n\n\\N\n\nb") == "a\n\"\"\n\\N\n\"\"\nb")
        #expect(unquoted("a\r\n\r\nb\r\n") == "a\r\n\"\"\r\nb\r\n")
        #expect(unquoted("\na,b\n\nc,d\n") == "\na,b\n\nc,d\n", "an empty line is no value of two columns")
    }

    @Test func `a carriage return without a line feed is text, except in a file without line feeds`() {
        #expect(unquoted("a\r\\\nb,\rc\n\r,\\N\rd\n") == "\"a\r\nb\",\"\rc\"\n\"\r\",\"\\N\rd\"\n")
        #expect(unquoted("a,b\r\r\nc,d\r\n") == "a,\"b\r\"\r\nc,d\r\n")
        #expect(unquoted("a,b\rc,\\rd\r", lineEnd: .cr) == "a,b\rc,\"\rd\"\r")
        #expect(unquoted("#a\rb,c\r\n\r##\n", comment: "#") == "#a\rb,c\r\n\"\r##\"\n", "it ends a comment")
    }

    @Test func `an escaped first field does not begin a comment`() {
        #expect(unquoted("#a\\t\n\\#b,\\#\nc", comment: "#") == "#a\\t\n\"#b\",#\nc")
        #expect(unquoted("#\\#b\n", comment: "##") == "\"##b\"\n")
    }

    /// A field as PostgreSQL writes it or, with `isMySQL`, as MySQL does.
    private static func written(_ value: [UInt8]?, isMySQL: Bool) -> [UInt8] {
        guard let value else { return Array(#"\N"#.utf8) }
        let letters: [UInt8: Character] = isMySQL ? [0: "0"] : [8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r"]
        return value.flatMap { byte in
            if let letter = letters[byte] { return [escape, letter.asciiValue!] }
            return byte == escape || byte == comma || byte == 10 ? [escape, byte] : [byte]
        }
    }

    @Test(arguments: [false, true]) func `random values of MySQL and PostgreSQL are read, with blocks of any size`(isMySQL: Bool) {
        var random = SplitMix64(seed: 1805)
        let texts = ["\"", "\\", "\\N", ",", "\n", "\r", "\t", "N", ".", "n", "x", "0", "a", "é", isMySQL ? "\0" : "\u{8}"]
        let pieces = texts.map { Array($0.utf8) }
        let nulls = UnescapedNulls(escape: Self.escape)
        for round in 0..<2_000 {
            let rows: [[[UInt8]?]] = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (0..<2).map { column in
                    if Int.random(in: 0..<5, using: &random) == 0 { return nil }
                    var value = (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in pieces.randomElement(using: &random)! }
                    // Only MySQL writes a digit after an escaped NUL byte, and PostgreSQL would read an octal number.
                    if value.contains(0) { value.removeAll { $0 == UInt8(ascii: "0") } }
                    // MySQL writes carriage returns without an escape. At the end of a row, one belongs to the line ending.
                    while column == 1, value.last == 13 { value.removeLast() }
                    return value
                }
            }
            let text = rows.flatMap { $0.map { Self.written($0, isMySQL: isMySQL) }.joined(separator: [Self.comma]) + [10] }
            let whole = rewritten(text, hasQuotes: false)
            let found = Self.records(whole, escape: nil).dropLast().map {
                $0.map { field in
                    field.withUnsafeBufferPointer { bytes -> [UInt8]? in
                        let value = nulls.value(of: FieldBytes(start: bytes.baseAddress, count: bytes.count))
                        return field.isEmpty ? [] : value.isMissing ? nil : Array(value.bytes)
                    }
                }
            }
            #expect(found == rows, "round \(round): \(String(decoding: text, as: UTF8.self))")
            for block in 1...5 { #expect(rewritten(text, hasQuotes: false, block: block) == whole, "round \(round), blocks of \(block)") }
        }
    }

    @Test func `a null is neither an empty value nor a value that looks like it`() {
        let nulls = UnescapedNulls(escape: Self.escape)
        #expect([#"\N"#, "", "x", #"\\N"#, #"\\"#].map { nulls.value(of: $0) } == [nil, "", "x", #"\N"#, #"\"#])
        let (written, combining) = ("\\\\\u{301}", "\\\u{301}")
        #expect(nulls.value(of: written) == combining)
    }

    @Test func `the delimiter is detected in text with escaped quotes and delimiters`() throws {
        let text = "a;b\n\"x \\\"1;2;3\\\" y\";2\nz\\;\\;;3\n"
        let file = try DelimitedFile.reading(text, request: try request(escape: "\\"))
        #expect(file.dialect.delimiter == UInt8(ascii: ";") && file.dialect.hasHeader)
        let rewritten = try #require(try file.withoutEscapes(headerBytes: 1 << 20))
        #expect(try rewritten.snapshot().records(0..<2).map { $0.fields.map(\.text) } == [["x \"1;2;3\" y", "2"], ["z;;", "3"]])
        #expect(try DelimitedFile.reading(text).withoutEscapes(headerBytes: 1 << 20) == nil)
    }

    private func request(escape: String) throws -> DialectRequest {
        var settings = ReadingSettings()
        settings.escape = escape
        return try DialectRequest(settings)
    }
}
