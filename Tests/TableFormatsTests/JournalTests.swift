import DelimitedText
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// The export format of the systemd journal.
@Suite struct JournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ bytes: [UInt8], as format: String? = nil) throws -> any TableSource {
        let source = try FileOpener(format: format).open(path: folder.file("t.export", bytes: bytes))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    private func open(_ text: String, as format: String? = nil) throws -> any TableSource { try open(Array(text.utf8), as: format) }

    /// A binary field with a length.
    private static func binary(_ name: String, _ value: [UInt8], length: UInt64? = nil) -> [UInt8] {
        let count = length ?? UInt64(value.count)
        return Array("\(name)\n".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: count >> UInt64(8 * $0)) } + value + [10]
    }

    @Test func `17.3: entries of the journal are rows, and fields of later entries become columns at the right`() throws {
        let source = try open(
            """
            __CURSOR=s=1;i=2
            __REALTIME_TIMESTAMP=1700000000123456
            PRIORITY=6
            MESSAGE=a "quoted" \\ text, with = and ü

            __CURSOR=s=1;i=3
            __REALTIME_TIMESTAMP=1700000001000000
            MESSAGE=
            _PID=12
            OBJECT=a
            OBJECT=b


            __CURSOR=s=1;i=4
            __REALTIME_TIMESTAMP=later
            PRIORITY=3

            """)
        #expect(titles(source) == ["__CURSOR", "__REALTIME_TIMESTAMP", "PRIORITY", "MESSAGE", "_PID", "OBJECT"])
        #expect(
            try rows(source) == [
                ["s=1;i=2", "2023-11-14 22:13:20.123456Z", "6", "a \"quoted\" \\ text, with = and ü", nil, nil],
                ["s=1;i=3", "2023-11-14 22:13:21.000000Z", nil, "", "12", "[\"a\",\"b\"]"],
                ["s=1;i=4", "later", "3", nil, nil, nil],
            ])
        #expect(source.problems == [] && source.details.contains { $0.name == "format" && $0.value == "journal export" })
        let dates = try open("__CURSOR=a\n__REALTIME_TIMESTAMP=1700000000123456\n\n__CURSOR=b\n__REALTIME_TIMESTAMP=17\n\n")
        #expect(dates.profiles(budgetMilliseconds: 0)[1].kind == .dateTime)
    }

    @Test func `17.3: binary fields of the journal keep every byte`() throws {
        let value = Array("two\nlines\n\n__CURSOR=no\u{0}\u{1F}é".utf8)
        let source = try open(
            Array("__CURSOR=a\n".utf8) + Self.binary("MESSAGE", value) + Self.binary("EMPTY", []) + Array("_PID=1\n\n__CURSOR=b\n".utf8)
                + Self.binary("MESSAGE", [0xFF, 0xFE]) + [10])
        #expect(titles(source) == ["__CURSOR", "MESSAGE", "EMPTY", "_PID"])
        #expect(!source.problems.contains { $0.contains("damaged") || $0.contains("JSON") })
        let table = source.snapshot()
        var found: [[UInt8]] = []
        try table.scan(0..<2, columns: [1]) { _, fields in
            found.append(Array(fields[0].bytes))
            return true
        }
        #expect(found == [value, [0xFF, 0xFE]])
        #expect(try rows(source).map { $0[2] } == ["", nil])
    }

    @Test func `17.3: a journal is read in blocks of any size`() throws {
        let bytes =
            Array("__CURSOR=a\r\nA=1\r\n\r\n__CURSOR=b\n".utf8) + Self.binary("M", Array("x\n\ny".utf8)) + Array("B=2\n\n".utf8)
        for size in [1, 2, 3, 7, bytes.count] {
            var rewriter = JournalRewriter(JSONNotes(description: ""))
            var output: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let end = min(bytes.count, start + size)
                Array(bytes[start..<end]).withUnsafeBufferPointer { rewriter.rewrite($0, isEnd: end == bytes.count, into: &output) }
            }
            let expected = "{\"__CURSOR\":\"a\",\"A\":\"1\"}\n{\"__CURSOR\":\"b\",\"M\":\"x\\n\\ny\",\"B\":\"2\"}\n"
            #expect(String(decoding: output, as: UTF8.self) == expected, "\(size)")
        }
    }

    @Test func `17.3: an extreme length in a journal takes no memory and loses no later rows`() throws {
        let end = Array("B=2\n\n__CURSOR=b\nB=3\n\n".utf8)
        for length: UInt64 in [UInt64.max, 1 << 63, 1 << 40, 769 << 20] {
            let source = try open(Array("__CURSOR=a\n".utf8) + Self.binary("M", Array("text".utf8), length: length) + end)
            #expect(try rows(source).count == 2, "\(length)")
            #expect(source.problems.contains("row 1 has a damaged field"), "\(source.problems)")
        }
        // This length is plausible, but exceeds the file.
        let cut = try open(Array("__CURSOR=a\n".utf8) + Self.binary("M", Array("text".utf8), length: 1 << 20) + end)
        #expect(try rows(cut) == [["a"]])
        #expect(cut.problems.contains("row 1 ends within a field"))
        // This length ends within the value.
        let short = try open(Array("__CURSOR=a\n".utf8) + Self.binary("M", Array("text".utf8), length: 2) + end)
        #expect(try rows(short) == [["a", "2"], ["b", "3"]])
        #expect(short.problems.contains("row 1 has a damaged field"))
    }

    @Test func `17.3: a damaged journal keeps the fields that can be read`() throws {
        let source = try open("__CURSOR=a\nMESSAGE\nPRIORITY=6\n=x\nnot a field\nA=1\n\n__CURSOR=b\nA=2")
        #expect(titles(source) == ["__CURSOR", "PRIORITY", "A"])
        #expect(try rows(source) == [["a", "6", "1"], ["b", nil, "2"]])
        #expect(source.problems.contains("row 1 has a damaged field, and 1 other rows were read only partly"), "\(source.problems)")
        #expect(source.conversions.contains { $0.isLoss })
        let text = String(repeating: "x", count: 17 << 20)
        let large = try open("__CURSOR=a\nM=\(text)\nA=1\n\n__CURSOR=b\nA=2\n\n")
        #expect(try rows(large) == [["a", "1"], ["b", "2"]])
        #expect(large.problems.contains("row 1 is larger than 16 MiB"))
        // The second field fits in the limit of an entry, but the second and the third together do not.
        let full = try open("__CURSOR=a\nM=\(text.prefix((16 << 20) - 170))\nA=1\n\n__CURSOR=b\nA=2\n\n")
        let last = try rows(full).map { $0[2] }
        #expect(last == [nil, "2"])
    }

    @Test func `17.3: only input that begins with an entry is read as a journal, unless the format is requested`()
        throws
    {
        #expect(try !(open("A=1\nB=2\n\nA=3\n") is JSONSource))
        #expect(try rows(open("A=1\nB=2\n\nA=3\n", as: "journal")) == [["1", "2"], ["3", nil]])
        #expect(throws: FormatError.self) { try open("a,b\n1,2\n", as: "journal") }
    }
}
