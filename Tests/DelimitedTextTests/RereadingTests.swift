import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

/// Reading an open input again with other settings, and suggestions for them.
@Suite struct RereadingTests {
    private func records(_ file: DelimitedFile) throws -> [[String]] {
        try file.buildIndex(threads: 1) { _ in true }
        let snapshot = file.snapshot()
        return try snapshot.records(0..<snapshot.recordCount).map { $0.fields.map(\.text) }
    }

    private func piped(_ bytes: [UInt8], _ request: DialectRequest) throws -> DelimitedFile {
        let pipe = try #require(Platform.makePipe())
        bytes.withUnsafeBytes { _ = write(pipe.write, $0.baseAddress!, $0.count) }
        close(pipe.write)
        let file = try DelimitedFile(spooling: pipe.read, name: "pipe", request: request)
        try file.buildIndex(threads: 1) { _ in true }
        return file
    }

    private let utf16 = "a,b\nZoë,Köln\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }

    @Test func `17.4: a pipe can be read again in another dialect, even as UTF-16`() throws {
        let text = try piped(Array("a;b\n1;2\n".utf8), DialectRequest(delimiter: 0x2c, hasHeader: true))
        #expect(text.header == ["a;b"])
        let again = try text.reread(as: DialectRequest(delimiter: 0x3b, hasHeader: true))
        #expect(again.header == ["a", "b"])
        #expect(try records(again) == [["1", "2"]])
        let wide = try piped(utf16, DialectRequest(hasHeader: true, encoding: .utf8))
        let request = DialectRequest(hasHeader: true, encoding: .utf16LittleEndian)
        let transcoded = try wide.reread(as: request)
        #expect(try records(transcoded) == [["Zoë", "Köln"]])
        #expect(try wide.sample(as: request).header == ["a", "b"])
        #expect(try records(transcoded.reread(as: DialectRequest(hasHeader: true, encoding: .utf8))) == records(wide))
        // The bytes of a pipe that was detected as UTF-16 are not kept.
        let lost = try piped([0xff, 0xfe] + utf16, DialectRequest(hasHeader: true))
        #expect(throws: DelimitedTextError.self) { try lost.reread(as: DialectRequest(encoding: .latin1)) }
        #expect(try records(lost.reread(as: DialectRequest(hasHeader: true))) == [["Zoë", "Köln"]])
    }

    @Test func `D1: a byte order mark decides the byte order of UTF-16`() throws {
        let big = stride(from: 0, to: utf16.count, by: 2).flatMap { [utf16[$0 + 1], utf16[$0]] }
        for (bytes, encoding) in [([0xff, 0xfe] + utf16, TextEncoding.utf16BigEndian), ([0xfe, 0xff] + big, .utf16LittleEndian)] {
            let file = try DelimitedFile.reading(bytes, request: DialectRequest(hasHeader: true, encoding: encoding))
            #expect(try records(file) == [["Zoë", "Köln"]] && file.dialect.encoding != encoding)
        }
    }

    @Test func `17.4: a sample has the same first rows as the file`() throws {
        let text = "id;text\n" + (0..<40_000).map { "\($0);row \($0)\n" }.joined()
        let file = try DelimitedFile.reading(text)
        let sample = try file.sample(as: DialectRequest(), bytes: 10_000)
        let count = sample.snapshot().recordCount
        #expect(sample.header == ["id", "text"] && count > 300 && count < 1_000)
        let expected = try file.snapshot().records(0..<count)
        #expect(try sample.snapshot().records(0..<count).map { $0.fields.map(\.text) } == expected.map { $0.fields.map(\.text) })
    }

    @Test func `17.4: a header of two rows names the columns`() throws {
        let request = DialectRequest(hasHeader: true, headerRows: 2)
        let file = try DelimitedFile.reading("\nspeed,,n\n\nkm/h,s\n1,2,3\n", request: request)
        #expect(file.header == ["speed km/h", "s", "n"])
        #expect(try records(file) == [["1", "2", "3"]])
        #expect(try DelimitedFile.reading("a,b\n", request: request).header == ["a", "b"])
    }

    @Test(
        arguments: [
            ("Report\nMay 2026\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n", ReadingSuggestion.linesBeforeTable(3)),
            ("# made by x, y, and z, in May\na,b,c\nx,y,z\n", .commentLines(prefix: "#", count: 1)),
            ("# made by x\r\n#\r\na;b\r\nx;y\r\n# later\r\nz;w\r\n", .commentLines(prefix: "#", count: 2)),
            ("#comment\na\tb\n1\t2\n", .commentLines(prefix: "#", count: 1)),
            // If rows begin with the sign, they must not be skipped.
            ("# channels\nname,n\n#go,1\n#swift,2\nother,3\n", .linesBeforeTable(1)),
            // A line with the usual number of fields has the column names.
            ("#id,name\n1,a\n2,b\n", nil),
            ("# id,name\n1,a\n2,b\n", nil),
            ("#id,name\n1,a,x\n2,b,y\n", nil),
            // The lines before it are comments.
            ("# made by x\n# on May 1\n#id,name\n1,ann\n2,bob\n", .linesBeforeTable(2)),
            ("# by x, y, z\n\n# id,name\n1,ann\n2,bob\n", .linesBeforeTable(2)),
            ("##a=x,y\n##b=\"z,w,v\"\n#id\tname\n1\tann\n##\n2\tbob\n", .commentLines(prefix: "##", count: 2)),
            // If the rows have column names, or the fields are not names, the last line is a comment.
            ("# made by x, y\nid,name\n1,ann\n2,bob\n", .commentLines(prefix: "#", count: 1)),
            ("#made by x, y, z\nid,name\n1,ann\n2,bob\n", .commentLines(prefix: "#", count: 1)),
            ("# at 10, 20\n1,ann\n2,bob\n", .commentLines(prefix: "#", count: 1)),
            ("# a\n\n# b, c\nid,name\n1,ann\n2,bob\n", .commentLines(prefix: "#", count: 3)),
            // Comments have any delimiters. The rows determine the delimiter.
            ("# a, b\n# c, d\n# e, f\nid\tname\n1\tann\n2\tbob\n", .commentLines(prefix: "#", count: 3)),
            // Rows can have optional fields at their end.
            ("# services\nftp\t21\nssh\t22\t# SSH\nwww\t80\thttp\nnone\t1\n", .commentLines(prefix: "#", count: 1)),
            ("# zones\n#code\tname\tnote\nAD\tAndorra\nAE\tEmirates\tx\nAF\tKabul\nAL\tTirana\ty\n", .linesBeforeTable(1)),
            ("# a list\n#x,1\n#y,2\n", nil),
            ("# title\none\ntwo\n", nil),
            ("a,b\n(USD),[ms]\n1,2\n3,4\n", .unitsRow),
            ("a,b\nkg,\n1,2\n3,4\n", .unitsRow),
            ("a,b\n1,2\n3,4\n5,6\n", nil),
            // The first row may lack the name of a column.
            ("a,b\n1,2,3\n4,5,6\n7,8,9\n", nil),
            ("a,b\nx,y\n1,2\n3,4\n", nil),
            // Lines before the table may have almost as many fields, but a header with one name less is part of the table.
            ("Report,2024\na,b,c\n1,2,3\n4,5,6\n7,8,9\n1,1,1\n", .linesBeforeTable(1)),
            ("Report: x, y\nSource: z\n\ntime,temp,load\ns,°C,%\n1,2,3\n4,5,6\n7,8,9\n", .linesBeforeTable(3)),
            ("mpg,cyl\nMazda,21,6\nDatsun,22,4\nHornet,18,8\nValiant,18,6\n", nil),
            ("x,y\na,b,c\nd,e,f\ng,h,i\nj,k,l\n", nil),
            ("id,2024-01-01,2024-02-01\n1,2.5,3.5\n2,4.5,5.5\n", nil),
            // The first row is read as data, but text above numbers, or years or dates above numbers, may be column names.
            ("2024-01-01,2024-02-01\n2.5,3.5\n4.5,5.5\n", .header),
            ("2019,2020\n1.5,2.5\n3.5,4.5\n", .header),
            ("1,ann,2.50\n2,bob,3.75\n3,cy,1.00\n", nil),
            ("1,ann\n2,bob\n3,cy\n", nil),
            ("A12,4,5\n13,6,7\n14,8,9\n", nil),
            ("A12,4,5\nA13,6,7\nB14,8,9\n", nil),
            ("name,4,5\n13,6,7\n14,8,9\n", .header),
            ("4.0K\t/a\n0\t/b\n0\t/c\n", nil),
            ("n/a\n1\n2\n3\n", nil),
            ("1,N/A,2\n2,5,6\n3,7,8\n", nil),
            ("yes,no\nno,yes\nyes,no\n", nil),
        ] as [(String, ReadingSuggestion?)])
    func `17.4: settings are suggested only for lines before the table and for a row of units`(text: String, expected: ReadingSuggestion?)
        throws
    {
        #expect(try DelimitedFile.reading(text).suggestions.first == expected)
    }

    @Test func `17.4: the suggested comment prefix skips comments, even between rows, and ends the suggestions`() throws {
        let text = "# made by x, y\nid,name,city\n1,ann,Bonn\n# checked, twice\n2,bob,Rome\n3,cy,Oslo\n"
        let file = try DelimitedFile.reading(text)
        #expect(file.suggestions == [.commentLines(prefix: "#", count: 1)])
        #expect(file.conversions.isEmpty, "the suggestion reports the rows that are longer than the comment")
        let request = try DialectRequest(file.suggestions[0].applied(to: ReadingSettings()))
        let table = try DelimitedFile.reading(text, request: request)
        #expect(table.header == ["id", "name", "city"] && table.suggestions.isEmpty)
        #expect(try records(table) == [["1", "ann", "Bonn"], ["2", "bob", "Rome"], ["3", "cy", "Oslo"]])
    }

    @Test(
        arguments: [
            ("##x=1,2\n#id,name\n1,ann\n2,bob\n", ReadingSuggestion.commentedHeader(prefix: "##", linesBefore: 0), "#id"),
            ("# made by x, y\n#id,name\n1,ann\n2,bob\n", .commentedHeader(prefix: "", linesBefore: 1), "#id"),
            ("#chrom\tname\nchr1\ta\nchr2\tb\n", .commentedHeader(prefix: "", linesBefore: 0), "#chrom"),
            ("sep=;\n# x\n#id;name\n1;ann\n2;bob\n", .commentedHeader(prefix: "", linesBefore: 2), "#id"),
        ])
    func `17.4: column names in the last ignored comment are suggested as the header, and can become it`(
        text: String, expected: ReadingSuggestion, name: String
    ) throws {
        var settings = ReadingSettings()
        settings.commentPrefix = "#"
        #expect(try DelimitedFile.reading(text, request: DialectRequest(settings)).suggestions == [expected])
        let table = try DelimitedFile.reading(text, request: DialectRequest(expected.applied(to: settings)))
        #expect(table.header.first == name && table.suggestions.isEmpty)
        settings.header = "no"
        #expect(try DelimitedFile.reading(text, request: DialectRequest(settings)).suggestions.isEmpty)
    }

    @Test(
        arguments: ["# made by x, y\nid,name\n1,ann\n2,bob\n", "# at 10, 20\n1,ann\n2,bob\n", "#id\n1,ann\n2,bob\n"])
    func `17.4: an ignored comment without column names has no suggestion`(text: String) throws {
        #expect(try DelimitedFile.reading(text, request: DialectRequest(commentPrefix: Array("#".utf8))).suggestions.isEmpty)
    }

    @Test func `17.4: a header is suggested only if the header setting is not set`() throws {
        let text = "2023-12-01,2024-01-01,2024-02-01\n1,2.5,3.5\n2,4.5,5.5\n"
        let file = try DelimitedFile.reading(text)
        try #require(file.suggestions == [.header] && !file.dialect.hasHeader)
        var settings = file.suggestions[0].applied(to: ReadingSettings())
        let named = try DelimitedFile.reading(text, request: try DialectRequest(settings))
        #expect(named.header == ["2023-12-01", "2024-01-01", "2024-02-01"] && named.suggestions.isEmpty)
        settings.header = "no"
        #expect(try DelimitedFile.reading(text, request: try DialectRequest(settings)).suggestions.isEmpty)
    }

    @Test func `17.4: settings survive conversion to a dialect request and back, and an error names the invalid setting`() throws {
        var settings = ReadingSettings()
        (settings.delimiter, settings.quote, settings.header, settings.encoding) = ("tab", "none", "two", "utf-16be")
        #expect(try DialectRequest(settings).settings == settings)
        (settings.skippedLines, settings.commentPrefix, settings.decimal) = (3, "//", "comma")
        (settings.quote, settings.escape) = ("'", "\\")
        #expect(try DialectRequest(settings).settings == settings)
        #expect(try JSONDecoder().decode(ReadingSettings.self, from: JSONEncoder().encode(settings)) == settings)
        let blanks = DialectRequest(delimiter: 32, quote: .some(9))
        #expect(try DialectRequest(blanks.settings) == blanks)
        settings.encoding = "utf-9"
        #expect(throws: ReadingSettingsError.self) { try DialectRequest(settings) }
        settings.encoding = nil
        (settings.delimiter, settings.quote) = (";", ";")
        #expect { try DialectRequest(settings) } throws: { ($0 as? ReadingSettingsError)?.field == .quote }
    }
}
