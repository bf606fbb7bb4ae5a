import DataGridQuery
import DelimitedText
import Foundation
import GridTestSupport
import Testing

@testable import GridviewApp

/// Several threads format groups of rows, which are written in the order of the view.
@MainActor
@Suite struct RowOutputTests {
    private static let count = 3_000

    /// A third of the rows are already written like CSV output. The other rows have unnecessary quotes, missing fields or CRLF.
    private static func row(_ n: Int) -> (file: String, csv: String) {
        let key = n * 1_237 % count
        switch n % 7 {
        case 0: return ("\(key),\"x\",\(n)\n", "\(key),x,\(n)\n")
        case 1: return ("\(key),y\n", "\(key),y,\n")
        case 2: return ("\(key),z,\(n)\r\n", "\(key),z,\(n)\n")
        case 3: return ("\(key),\"a,b \"\"c\"\"\",\(n)\n", "\(key),\"a,b \"\"c\"\"\",\(n)\n")
        default: return ("\(key),plain \(n),\(n)\n", "\(key),plain \(n),\(n)\n")
        }
    }

    private static let file = Array(("key,text,n\n" + (0..<count).map { row($0).file }.joined()).utf8)

    private func output(_ format: OutputFormat, _ change: (inout LaunchOptions) -> Void) throws -> String {
        String(decoding: try BatchOutput.bytes(Self.file, format, change), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("trades.csv", "trades"), ("a-b.c.csv", "a_b"), ("2024.csv", "2024"), ("é_.csv", "é_"), ("_.csv", "data"), ("--- .csv", "data"),
            (".csv", "data"), ("", "data"), ("logs/*.csv", "data"), ("logs/trades*.csv", "trades_"), ("p/q", "p_q"),
        ])
    func `18.10: the table in SQL output is named like the file, or “data” if the name has no letter or digit`(file: String, table: String)
    {
        #expect(RowFormat.tableName(file) == table)
    }

    /// The memory limit forces a sorted table to take many passes over the file.
    @Test(arguments: [nil, 1 << 16, 1 << 10], [1, 2, 3])
    func `D10, D15: sorted rows are the same in one pass and in many passes`(memory: Int?, threads: Int) throws {
        let rows = (0..<Self.count).sorted { $0 * 1_237 % Self.count < $1 * 1_237 % Self.count }
        for range in [nil, 17..<2_050] {
            let written = try output(.csv) {
                $0.sort = [SortRequest(ColumnReference("key"))]
                ($0.memory, $0.threads, $0.rows) = (memory, threads, range)
            }
            #expect(written == "key,text,n\n" + rows[range ?? 0..<Self.count].map { Self.row($0).csv }.joined())
        }
    }

    @Test(
        arguments: ["key < 1500", "n >= 100 and n < 2900", "text = 'y'", "key < 3"])
    func `D10, D15: filtered rows are written correctly, whether they are adjacent or far apart`(condition: String) throws {
        let isIncluded: (Int) -> Bool = { n in
            let key = n * 1_237 % Self.count
            return switch condition {
            case "key < 1500": key < 1_500
            case "text = 'y'": n % 7 == 1
            case "key < 3": key < 3
            default: n >= 100 && n < 2_900 && n % 7 != 1
            }
        }
        for threads in [1, 2] {
            let written = try output(.csv) { ($0.filters, $0.threads) = ([condition], threads) }
            #expect(written == "key,text,n\n" + (0..<Self.count).filter(isIncluded).map { Self.row($0).csv }.joined())
        }
    }

    @Test func `D10: a sort stops after the first rows only if the output needs no others`() throws {
        let folder = try TemporaryFolder()
        let text = "n,key\n" + (0..<300_000).map { "\($0),\($0 * 7_919 % 500)\n" }.joined()
        var options = LaunchOptions()
        options.sort = [try SortRequest(text: "key")]
        let document = try Document(options.files.open(path: try folder.file("in.csv", bytes: Array(text.utf8))), options: options)
        let run = BatchRun(document, options: options, format: .text(.csv))
        #expect(try run.readAll() == nil)
        for (count, expected) in [(40, 40), (400, 400), (401, 300_000), (Int.max, 300_000)] {
            // Each session has its own cache of orders.
            let session = try run.makeSession()
            #expect(try session.arrangeSynchronously(session.state.query.requested, count: count).0.count == expected, "\(count)")
        }
    }

    /// The table has enough rows for the engine to find the first sorted rows before it sorts the rest.
    @Test(arguments: ["", "n > 1000 or key > 3"])
    func `D10: sorting only the first rows gives the first rows of the complete sort`(filter: String) throws {
        let text = "n,key,word\n" + (0..<300_000).map { "\($0),\($0 * 7_919 % 500),w\($0 * 31 % 77)\n" }.joined()
        for keys in [["key"], ["n:desc"], ["word:desc", "key"]] {
            let sort = try keys.map { try SortRequest(text: $0) }
            func lines(_ change: (inout LaunchOptions) -> Void) throws -> [Substring] {
                let bytes = try BatchOutput.bytes(Array(text.utf8), .csv) {
                    ($0.sort, $0.filters) = (sort, filter.isEmpty ? [] : [filter])
                    change(&$0)
                }
                return String(decoding: bytes, as: UTF8.self).filledLines
            }
            let all = try lines { _ in }
            #expect(all.count > 120_000)
            // For a limit of 40, the first 400 rows are reported early. For 401, all rows are sorted.
            for count in [40, 401] { #expect(try lines { $0.limit = count } == Array(all.prefix(1 + count))) }
            #expect(try lines { ($0.rows, $0.limit) = (390..<1_000, 8) } == [all[0]] + all[391..<399])
        }
    }

    /// The table has several chunks of JSON records. The key `late` and the invalid record are far behind the sample.
    @Test func `D15, 18.3: queries find columns that appear only in later records`() throws {
        let count = 60_000
        let lines = (0..<count).map { n in
            n == 50_000 ? "{broken" : n == 40_000 ? #"{"n": \#(n), "key": 3, "late": 7}"# : #"{"n": \#(n), "key": \#(n * 7_919 % 500)}"#
        }
        func output(_ change: (inout LaunchOptions) -> Void) throws -> String {
            let bytes = try BatchOutput.bytes(
                Array((lines.joined(separator: "\n") + "\n").utf8), .text(.csv), name: "in.jsonl", change)
            return String(decoding: bytes, as: UTF8.self)
        }
        for threads in [1, 2] {
            #expect(
                try output { ($0.filters, $0.threads) = (["n >= 39999 and n <= 40001"], threads) } == """
                    n,key,late,(unreadable)
                    39999,\(39_999 * 7_919 % 500),,
                    40000,3,7,
                    40001,\(40_001 * 7_919 % 500),,

                    """)
            // These filters search all columns, including those that are known only after all records are read.
            #expect(try output { ($0.filters, $0.threads) = (["broken"], threads) } == "n,key,late,(unreadable)\n,,,{broken\n")
            #expect(
                try output { ($0.filters, $0.threads) = (["not broken and n = 40000"], threads) }
                    == "n,key,late,(unreadable)\n40000,3,7,\n")
            // The filter, and then the sort, use a column that is known only after all records are read.
            #expect(try output { ($0.filters, $0.threads) = (["late > 1"], threads) } == "n,key,late,(unreadable)\n40000,3,7,\n")
            let (sort, group) = (try SortRequest(text: "late"), try GroupRequest(text: "key"))
            #expect(
                try output { ($0.sort, $0.limit, $0.threads) = ([sort], 2, threads) } == "n,key,late,(unreadable)\n40000,3,7,\n0,0,,\n")
            let groups = try output {
                ($0.groups, $0.isCollapsed, $0.threads) = ([group], true, threads)
                $0.aggregates = [AggregateOption(.sum, ColumnReference("n"))]
            }
            let rows = groups.filledLines
            #expect(rows[0] == "key,count,sum(n)" && rows.count == 502)
            let expected = (0..<count).filter { $0 != 50_000 && ($0 == 40_000 ? 3 : $0 * 7_919 % 500) == 3 }
            #expect(rows.contains("3,\(expected.count),\(expected.reduce(0, +))"))
        }
    }

    @Test func `D15, 18.3: a name in double quotes can be the name of a column that appears only in a later record`() throws {
        let lines = (0..<60_000).map { n -> String in
            let late = n < 50_000 ? "" : #", "late key": \#(n % 10)"#
            return #"{"n": \#(n), "a b": 5\#(late)}"# + "\n"
        }
        let text = Array(lines.joined().utf8)
        func rows(_ change: (inout LaunchOptions) -> Void) throws -> Int {
            try BatchOutput.bytes(text, .text(.csv), name: "in.jsonl", change).count { $0 == UInt8(ascii: "\n") } - 1
        }
        #expect(try rows { $0.filters = [#""late key" > 6"#] } == 3_000)
        #expect(try rows { $0.filters = [#""a b" < "late key""#] } == 4_000)
        #expect(try rows { $0.filters = [#""late key" + 1 >= "a b""#] } == 6_000)
        #expect(try rows { ($0.derivedColumns, $0.filters) = ([#"double = 2 * "late key""#], ["double = 4"]) } == 1_000)
        // If no record has such a column, the filter is an error.
        for filter in [#""lost key" > 6"#, #""a b" < "lost key""#] {
            #expect(throws: RequestError.self, "\(filter)") { try rows { $0.filters = [filter] } }
        }
    }

    /// The columns have numbers, strings and nulls. The parts of 512 KiB, the gap of 1,024 rows and the printed 512 rows are all smaller
    /// than the table.
    @Test(arguments: ["parquet", "arrow"])
    func `D15: rows of a typed file equal those of the same text file, whether they are adjacent or far apart`(format: String) throws {
        let count = 40_000
        let text = "n,key,word\n" + (0..<count).map { "\($0),\($0 * 7_919 % count),\($0 % 11 == 0 ? "" : "word \($0 % 700)")\n" }.joined()
        let writable = try #require(LaunchOptions().files.writableFormats.first { $0.name == format })
        let file = try BatchOutput.bytes(Array(text.utf8), .typed(writable))
        let filters = [
            "n >= 0", "key < 9", "key < 40", "key < 2000", "n in (0, 1023, 1025, 2049, 3074, 39999)",
            "n > 300 and n < 1500 and key < 20000",
        ]
        for (filter, threads, memory) in filters.flatMap({ filter in [(filter, 1, nil), (filter, 2, 1 << 12)] }) {
            for isSorted in [false, true] {
                func rows(_ content: [UInt8], name: String) throws -> [UInt8] {
                    try BatchOutput.bytes(content, .text(.csv), name: name) {
                        ($0.filters, $0.threads, $0.memory) = ([filter], threads, memory)
                        if isSorted { $0.sort = [SortRequest(ColumnReference("key"))] }
                    }
                }
                let expected = try rows(Array(text.utf8), name: "in.csv")
                #expect(expected.count > 60)
                #expect(try rows(file, name: "in.\(format)") == expected, "\(filter), \(threads) threads, sorted \(isSorted)")
            }
        }
    }

    @Test(arguments: [1, 2]) func `D15: all rows are written, with all columns or only some`(threads: Int) throws {
        let whole = try output(.csv) { $0.threads = threads }
        #expect(whole == "key,text,n\n" + (0..<Self.count).map { Self.row($0).csv }.joined())
        let keys = try output(.csv) { ($0.threads, $0.columns) = (threads, [ColumnReference("key")]) }
        #expect(keys == "key\n" + (0..<Self.count).map { "\($0 * 1_237 % Self.count)\n" }.joined())
    }

    /// Compares one pass over the file with many passes, and one thread with three.
    @Test(arguments: OutputFormat.allCases)
    func `D15: sorted and grouped output does not depend on memory and threads, in any format`(format: OutputFormat) throws {
        func groupedOutput(_ memory: Int?, _ threads: Int) throws -> String {
            try output(format) {
                ($0.memory, $0.threads, $0.rows) = (memory, threads, 5..<1_205)
                $0.groups = [GroupRequest(ColumnReference("text"))]
                $0.sort = [SortRequest(ColumnReference("key"))]
            }
        }
        let plain = try groupedOutput(nil, 1)
        #expect(plain.count > 20_000)
        #expect(try groupedOutput(1 << 12, 3) == plain)
    }

    @Test func `T1: the note about invalid bytes gives the number of the first written row with such a byte`() throws {
        var bytes = Array("key,text\n".utf8)
        for n in 0..<3_000 { bytes += Array("\(3_000 - n),".utf8) + (n % 1_000 == 500 ? [0xff] : [0x61]) + [0x0a] }
        let unsorted: [SortRequest] = []
        for (sort, first) in [(unsorted, 501), ([SortRequest(ColumnReference("key"))], 2_501)] {
            let folder = try TemporaryFolder()
            var options = LaunchOptions()
            (options.sort, options.threads, options.memory, options.files.dialect.encoding) = (sort, 3, 1 << 14, .utf8)
            let path = try folder.file("in.csv", bytes: bytes)
            let document = try Document(options.files.open(path: path), options: options)
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: try folder.file("out", bytes: [])))
            let notes = try BatchRun(document, options: options, format: .text(.jsonl)).write(to: handle.fileDescriptor)
            #expect(notes.lines.first?.contains("3 fields are not valid UTF-8 (the first in row \(first))") == true, "\(notes.lines)")
        }
    }

    /// The number of rows before the row with an invalid byte. They have more than the 256 KiB that are read to detect the encoding.
    private static let lateCount = 66_000
    private static let lateInvalidText =
        Array("a,b\n1,é\n".utf8) + Array(String(repeating: "2,x\n", count: lateCount).utf8) + Array("9,caf".utf8) + [0xe9, 0x0a]
    private static let lateNote = "1 field is not valid UTF-8 (the first in row \(lateCount + 2))"

    @Test(arguments: [1, 3]) func `T1: an invalid byte far from the start of a file is reported by each query`(threads: Int) throws {
        let changes: [(inout LaunchOptions) -> Void] = [
            { _ in }, { $0.filters = ["a = 9"] }, { $0.sort = [SortRequest(ColumnReference("a"))] },
            { $0.files.dialect.encoding = .utf8 },
        ]
        for (index, change) in changes.enumerated() {
            let notes = try notes(of: Self.lateInvalidText, "in.csv", .text(.jsonl), threads, change)
            #expect(notes.hasLosses && notes.lines.count == 1, "\(index)")
            #expect(notes.lines.first?.contains(Self.lateNote) == true, "\(index): \(notes.lines)")
        }
    }

    @Test(arguments: OutputFormat.allCases)
    func `T1: a format that cannot keep an invalid byte reports the byte if its row is written`(format: OutputFormat) throws {
        let last = try notes(of: Self.lateInvalidText, "in.csv", .text(format), 2) { $0.rows = Self.lateCount..<Self.lateCount + 2 }
        let isKept = format == .csv || format == .tsv
        #expect(last.lines.count == (isKept ? 0 : 1) && last.hasLosses == (!isKept && format != .text), "\(last.lines)")
        #expect(isKept || last.lines.first?.contains(Self.lateNote) == true, "\(last.lines)")
        let first = try notes(of: Self.lateInvalidText, "in.csv", .text(format), 2) { $0.rows = Self.lateCount - 10..<Self.lateCount }
        #expect(!first.hasLosses && first.lines.isEmpty, "\(first.lines)")
    }

    @Test(arguments: [OutputFormat.markdown, .text])
    func `T1: a table of groups reports an invalid byte in a group key`(format: OutputFormat) throws {
        let notes = try notes(of: Self.lateInvalidText, "in.csv", .text(format), 2) {
            $0.groups = [GroupRequest(ColumnReference("b"))]
            $0.isCollapsed = true
        }
        #expect(notes.lines.count == 1 && notes.hasLosses == (format != .text), "\(notes.lines)")
        #expect(notes.lines.first?.contains(Self.lateNote) == true, "\(notes.lines)")
    }

    @Test func `T1: an invalid byte far from the start of JSON Lines is reported`() throws {
        let bytes =
            Array("{\"a\": \"é\"}\n".utf8) + Array(String(repeating: "{\"a\": \"x\"}\n", count: 29_999).utf8) + Array("{\"a\": \"caf".utf8)
            + [0xe9]
            + Array("\"}\n".utf8)
        #expect(bytes.count > 256 << 10)
        let notes = try notes(of: bytes, "in.jsonl", .text(.jsonl), 2) { _ in }
        #expect(notes.hasLosses && notes.lines.first?.contains("1 field is not valid UTF-8 (the first in row 30001)") == true)
        #expect(try !self.notes(of: bytes, "in.jsonl", .text(.csv), 2) { _ in }.hasLosses)
    }

    private func notes(
        of bytes: [UInt8], _ name: String, _ format: FileFormat, _ threads: Int, _ change: (inout LaunchOptions) -> Void
    ) throws -> OutputNotes {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        options.threads = threads
        change(&options)
        let path = try folder.file(name, bytes: bytes)
        let document = try Document(options.files.open(path: path), options: options)
        return try BatchOutput.result(of: BatchRun(document, options: options, format: format)).notes
    }
}
