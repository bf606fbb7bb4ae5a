import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import TableFormats

/// Delimited text with escaped quotes, as Spark, MySQL and Python write it, and with the escapes of dumps of MySQL and PostgreSQL.
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

    @Test func `a newly given escape character opens a file of a requested format as delimited text`() throws {
        let path = try folder.file("a.json", #"{"a": [{"b": "say \"hi\""}]}"#)
        var settings = ReadingSettings()
        settings.escape = "\\"
        for base in [FileOpener(format: "json"), FileOpener(jsonPath: "a")] {
            let document = try base.open(path: path)
            #expect(!(document is EscapedSource))
            let escaping = try #require(try base.with(settings))
            #expect(try escaping.reopen(document) is EscapedSource && escaping.sample(of: document) is EscapedSource)
        }
        // So does a delimiter.
        var divided = ReadingSettings()
        divided.delimiter = ";"
        let base = FileOpener(jsonPath: "a")
        #expect(try base.with(divided)?.reopen(base.open(path: path)) is DelimitedFile)
        // An escape character that was given with the format does not replace it.
        var given = FileOpener(format: "json")
        given.dialect.escape = UInt8(ascii: "\\")
        settings.decimal = "comma"
        let kept = try #require(try given.with(settings) as? FileOpener)
        #expect(kept.format == "json")
    }

    @Test func `a pipe whose first record has an escaped quote opens before it ends`() throws {
        let pipe = Pipe()
        // Two quotes follow the backslash. If they were a doubled quote, the record would continue.
        try pipe.fileHandleForWriting.write(contentsOf: Data("\"size 5\\\"\",b\n".utf8))
        var opener = opener
        opener.dialect.hasHeader = true
        let titles = Mutex<[String]>([])
        let (piped, done) = (opener, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let source = try? piped.open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
            titles.withLock { $0 = source.map { source in (0..<source.columnCount).map(source.title(ofColumn:)) } ?? [] }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(titles.withLock { $0 } == ["size 5\"", "b"])
        try pipe.fileHandleForWriting.close()
    }

    // MARK: Text without quotes

    private var unquotedOpener: FileOpener {
        var opener = opener
        opener.dialect.quote = .some(nil)
        return opener
    }

    private func openUnquoted(_ text: String, hasHeader: Bool? = true) throws -> any TableSource {
        var opener = unquotedOpener
        opener.dialect.hasHeader = hasHeader
        let source = try opener.open(path: folder.file("t.tsv", text))
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    /// The fields of all records; `nil` for a missing field.
    private func values(_ source: any TableSource) throws -> [[String?]] {
        let table: any Table = source.snapshot()
        var rows: [[String?]] = []
        try table.scan(0..<table.recordCount, columns: Array(0..<table.columnCount)) { _, fields in
            rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        return rows
    }

    @Test func `a dump of a table has its values, nulls and types`() throws {
        let source = try openUnquoted("id\tname\tamount\n1\tone\\ntwo\t\\N\n2\t\\N\t2.5\n3\t\t7\n4\t\\\\N\t8\n", hasHeader: nil)
        #expect(try values(source) == [["1", "one\ntwo", nil], ["2", nil, "2.5"], ["3", "", "7"], ["4", #"\N"#, "8"]])
        #expect(source.hasNulls && source.hasColumnNames && source.title(ofColumn: 1) == "name")
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.integer, .text, .decimal])
        #expect(source.problems.isEmpty && source.conversions.isEmpty && source.mayContainInvalidText == false)
        let details = source.details
        for expected in [("quote", "none"), ("escape", "\\"), ("delimiter", "tab"), ("line endings", "LF")] {
            #expect(details.contains { $0 == expected }, "\(details)")
        }
        // The lines of the temporary file are not those of the file.
        #expect(try source.lineCount(beforeRecord: 1) == nil)
        let tail = try source.tail(atLeast: 4).records
        #expect(tail.suffix(4).map { $0[1]?.text } == ["one\ntwo", nil, "", #"\N"#])
    }

    @Test func `the carriage returns that MySQL writes without an escape belong to their values`() throws {
        let source = try openUnquoted("id\ttext\n1\ta\r\\\nb\n2\t\rc\rd\n")
        #expect(try values(source) == [["1", "a\r\nb"], ["2", "\rc\rd"]])
        #expect(source.problems.isEmpty && source.conversions.isEmpty)
        // A decoded line feed does not change the lines of a file that ends its lines with carriage returns.
        let returns = try openUnquoted("id\ttext\r1\ta\\nb\r2\tc\r")
        #expect(try values(returns) == [["1", "a\nb"], ["2", "c"]])
    }

    @Test func `a column of nulls at the start has the type of its later values`() throws {
        let source = try openUnquoted("a\tb\n" + String(repeating: "x\t\\N\n", count: 20_000) + "x\t1.5\n")
        let profiles = source.profiles(ofRareColumns: [1], from: 0) { true }
        #expect(profiles.map(\.kind) == [.decimal] && profiles[0].sampledCount == 1)
    }

    @Test func `a dump without column names has no header, and its names can have escapes`() throws {
        let source = try openUnquoted("1\t\\N\n2\t3\n4\t5\n", hasHeader: nil)
        #expect(try !source.hasColumnNames && values(source) == [["1", nil], ["2", "3"], ["4", "5"]])
        var opener = unquotedOpener
        opener.dialect.hasHeader = true
        let named = try opener.open(path: folder.file("n.tsv", "a\\tb\t\\\\N\t\\N\n1\t2\t3\n"))
        #expect((0..<3).map(named.title(ofColumn:)) == ["a\tb", #"\N"#, ""])
        let table: any Table = named.snapshot()
        var titles: [String?] = []
        try table.scanHeader(columns: [0, 1, 2]) { fields in
            titles = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(titles == ["a\tb", #"\N"#, nil])
        opener.dialect.headerRows = 2
        let two = try opener.open(path: folder.file("two.tsv", "id\t\\N\tname\t\\\\N\nint\tx\t\\N\t\\N\n1\t2\t3\t4\n"))
        #expect((0..<4).map(two.title(ofColumn:)) == ["id int", "x", "name", #"\N"#])
    }

    @Test func `problems of a dump are located by row, and unclear escapes are a loss`() throws {
        let short = try openUnquoted("a\tb\n1\tx\\ny\\nz\n2\n3\t4\n")
        #expect(short.problems == ["1 row has too few fields (row 2)"])
        let unclear = try openUnquoted("a\tb\n1\t\\x41\n")
        #expect(try values(unclear) == [["1", #"\x41"#]])
        let sentence = #"t.tsv: 1 escape stays as written, because MySQL and PostgreSQL read it differently (\x)."#
        #expect(unclear.conversions.map(\.sentence) == [sentence] && unclear.conversions[0].isLoss)
        let ended = try openUnquoted("a\tb\n1\t2\n\\.\nselect 1;\n")
        #expect(try values(ended) == [["1", "2"]])
        #expect(ended.problems == ["text after the line that ends the rows of PostgreSQL is not read"])
    }

    @Test func `a search finds values, but not the letters of a null`() throws {
        let source = try openUnquoted("a\tb\nx\t\\N\nN\ty\nz\t\\\\N\n")
        let table: any Table = source.snapshot()
        var required = RequiredBytes()
        required.append(UInt8(ascii: "N"))
        required.isSufficient = true
        var found: [Int] = []
        try table.scan(0..<3, columns: [0, 1], holding: required, while: { true }) { record, fields in
            if fields.contains(where: { $0.bytes.contains(UInt8(ascii: "N")) }) { found.append(record) }
            return true
        }
        #expect(found == [1, 2])
    }

    @Test func `a quote can be the delimiter, the escape character or the start of comments`() throws {
        var opener = unquotedOpener
        (opener.dialect.delimiter, opener.dialect.hasHeader) = (UInt8(ascii: "\""), true)
        var source = try opener.open(path: folder.file("q.txt", "a\"b\n1\"\\\"'\n"))
        #expect(try values(source) == [["1", "\"'"]])
        opener.dialect.delimiter = UInt8(ascii: ",")
        opener.dialect.escape = UInt8(ascii: "\"")
        source = try opener.open(path: folder.file("e.txt", "a,b,c\n1,\"N,\"\"\",'\n"))
        #expect(try values(source) == [["1", nil, "\",'"]])
        opener = unquotedOpener
        (opener.dialect.commentPrefix, opener.dialect.hasHeader) = (Array("\"".utf8), true)
        source = try opener.open(path: folder.file("c.txt", "a,b\n\"x\n\\\"y,'\n"))
        #expect(try values(source) == [["\"y", "'"]])
    }

    @Test func `a folder of dumps is one table`() throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: "dumps"), withIntermediateDirectories: true)
        for part in 0..<3 { _ = try folder.file("dumps/part-\(part).csv", "name,text\nn\(part),\\N\nm,\"\\n\n") }
        var opener = unquotedOpener
        opener.dialect.hasHeader = true
        let source = try opener.open(path: folder.path(of: "dumps"))
        try source.readAll(threads: 2) { _ in true }
        #expect(try values(source).map { Array($0.suffix(2)) } == (0..<3).flatMap { [["n\($0)", nil], ["m", "\"\n"]] })
        #expect(source.hasNulls)
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
