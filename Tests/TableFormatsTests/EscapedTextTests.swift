import DelimitedText
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Delimited text with escaped quotes, as Spark, MySQL and Python write it.
@Suite struct EscapedTextTests {
    private let folder: TemporaryFolder
    private var opener: FileOpener {
        var opener = FileOpener()
        opener.dialect.escape = UInt8(ascii: "\\")
        return opener
    }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, _ name: String = "t.csv") throws -> any TableSource {
        let source = try opener.open(path: folder.file(name, text))
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    private func texts(_ source: any TableSource) throws -> [[String]] {
        let table: any Table = source.snapshot()
        return try table.records(0..<table.recordCount, maximumFieldBytes: .max).map { $0.fields.map(\.text) }
    }

    @Test func `escaped quotes are read in files that are larger than all buffers`() throws {
        var text = "id,text\n"
        for row in 0..<60_000 { text += "\(row),\"say \\\"\(row)\\\", \\\\ \(String(repeating: "x", count: row % 13))\"\n" }
        let source = try open(text)
        let table: any Table = source.snapshot()
        #expect(table.recordCount == 60_000 && source.columnCount == 2 && source.title(ofColumn: 1) == "text")
        var wrongRow: Int?
        var row = 0
        try table.scan(0..<table.recordCount, columns: [0, 1]) { _, fields in
            let expected = "say \"\(row)\", \\ \(String(repeating: "x", count: row % 13))"
            if !fields[1].bytes.elementsEqual(expected.utf8) || !fields[0].bytes.elementsEqual("\(row)".utf8) { wrongRow = wrongRow ?? row }
            row += 1
            return true
        }
        #expect(wrongRow == nil && row == 60_000)
        #expect(source.conversions.isEmpty && source.problems.isEmpty)
        #expect(source.details.contains { $0 == ("escape", "\\") } && source.details.contains { $0 == ("delimiter", ",") })
    }

    @Test func `an unclosed quote, an unfinished escape and unexpected quotes are reported`() throws {
        for text in ["a,b\n1,\"x\n", "a,b\n1,\"x\\", "a,b\n1,\"C:\\\"\n"] {
            let source = try open(text)
            #expect(source.problems.contains { $0.contains("unclosed quote") }, "\(text): \(source.problems)")
            #expect(source.conversions.contains { $0.sentence.contains("unclosed quote (line 2)") }, "\(text)")
        }
        #expect(try open("a,b\n1,\"x\"y\n").problems.contains("1 unexpected quote (line 2)"))
        // The message does not advise the option that is already set.
        #expect(try open("a,b\n1,\"C:\\\\\"x\n").problems.allSatisfy { !$0.contains("escaped") })
    }

    @Test func `apostrophes are text in a file whose quotes are all escaped`() throws {
        let source = try open("id\tname\ttext\n1\t'one'\tsay \\\"hi\\\"\n2\t'two'\tx\\\"\n")
        #expect(try texts(source) == [["1", "'one'", "say \"hi\""], ["2", "'two'", "x\""]])
    }

    @Test func `invalid UTF-16 characters are reported`() throws {
        let text: [UInt16] = Array("a,b\n1,\"say \\\"hi\\\"\"\n2,".utf16) + [0xd800] + Array("\n".utf16)
        var bytes: [UInt8] = [0xff, 0xfe]
        for unit in text { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
        let source = try opener.open(path: folder.file("utf16.csv", bytes: bytes))
        try source.readAll(threads: 1) { _ in true }
        #expect(try texts(source) == [["1", "say \"hi\""], ["2", "\u{fffd}"]])
        #expect(source.problems == ["some text is not valid UTF-16"])
        #expect(source.conversions.contains { $0.isLoss && $0.sentence.contains("replaced with U+FFFD") })
    }

    @Test func `more lines can be skipped than the first block has`() throws {
        var opener = opener
        (opener.dialect.skipLines, opener.dialect.hasHeader) = (50_000, true)
        let path = try folder.file("long.csv", String(repeating: "a line to skip\n", count: 50_000) + "a,b\n1,\"\\\"x\\\"\"\n")
        let source = try opener.open(path: path)
        try source.readAll(threads: 1) { _ in true }
        #expect(try texts(source) == [["1", "\"x\""]] && source.title(ofColumn: 0) == "a")
    }

    @Test func `lines before the table and comments are skipped, and line numbers are those of the file`() throws {
        var opener = opener
        (opener.dialect.skipLines, opener.dialect.commentPrefix, opener.dialect.hasHeader) = (1, Array("#".utf8), true)
        let path = try folder.file("lines.csv", "a \"note\n# x \\\"\na,b\n1,\"\\\"x\\\"\"\n2\n")
        let source = try opener.open(path: path)
        try source.readAll(threads: 1) { _ in true }
        #expect(try texts(source).first == ["1", "\"x\""])
        #expect(source.problems.contains { $0.contains("line 5") }, "\(source.problems)")
    }

    @Test func `a file is read again with and without an escape character`() throws {
        let path = try folder.file("again.csv", "a,b\n1,\"say \\\"hi\\\"\"\n")
        let plain = try FileOpener().open(path: path)
        var settings = ReadingSettings()
        settings.escape = "\\"
        let escaping = try #require(try FileOpener().with(settings))
        let escaped = try #require(try escaping.reopen(plain))
        #expect(try texts(escaped) == [["1", "say \"hi\""]])
        #expect(try texts(#require(try escaping.sample(of: escaped))) == [["1", "say \"hi\""]])
        let again = try #require(try FileOpener().reopen(escaped))
        #expect(again is DelimitedFile && again.byteCount == plain.byteCount)
    }

    @Test func `a folder of files with escaped quotes is one table`() throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: "parts"), withIntermediateDirectories: true)
        for part in 0..<3 { _ = try folder.file("parts/part-\(part).csv", "name,text\nn\(part),\"\\\"\(part)\\\"\"\n") }
        let source = try opener.open(path: folder.path(of: "parts"))
        try source.readAll(threads: 2) { _ in true }
        #expect(try texts(source).map { Array($0.suffix(2)) } == (0..<3).map { ["n\($0)", "\"\($0)\""] })
    }

    @Test func `an escape character that the first line declares as the delimiter is refused`() throws {
        let path = try folder.file("sep.csv", "sep=\\\na\\b\n1\\2\n")
        #expect { try opener.open(path: path) } throws: {
            ($0 as? any TableError)?.message.contains("The delimiter and the escape character are both") == true
        }
    }
}
