import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

/// Escaped quotes, rewritten as doubled quotes, block by block.
@Suite struct EscapeRewriterTests {
    private static let (quote, escape, comma) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ","))

    private func rewritten(
        _ bytes: [UInt8], block: Int = 1 << 20, comment: String = "", prefixCount: Int = 0, maximumHeldBytes: Int = 1 << 20
    ) -> [UInt8] {
        var dialect = Dialect()
        dialect.commentPrefix = Array(comment.utf8)
        var rewriter = EscapeRewriter(
            dialect, quote: Self.quote, escape: Self.escape, prefixCount: prefixCount, maximumHeldBytes: maximumHeldBytes)
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
