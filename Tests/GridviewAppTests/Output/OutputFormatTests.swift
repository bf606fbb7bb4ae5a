import DataGrid
import DataGridQuery
import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import GridviewApp

/// Batch output in every format, without a screen: D15.
@MainActor
@Suite struct OutputFormatTests {
    @Test func `D15: CSV output has the expected text`() throws {
        #expect(
            try BatchOutput.text(BatchOutput.trades, .csv) == #"""
                id,sector,side,price,note
                1,Tech,BUY,10.5,"a, b"
                2,Energy,SELL,7.25,"two
                lines"
                3,Tech,SELL,1234.5,"say ""hi"""
                4,Energy,BUY,,
                5,Health,BUY,99,

                """#)
    }

    @Test func `D15: text output has aligned columns`() throws {
        let all = try BatchOutput.text(BatchOutput.trades, .text)
        #expect(
            all == """
                id  sector  side     price  note
                ──  ──────  ────  ────────  ─────────
                 1  Tech    BUY      10.5   a, b
                 2  Energy  SELL      7.25  two⏎lines
                 3  Tech    SELL  1,234.5   say "hi"
                 4  Energy  BUY
                 5  Health  BUY      99     ·

                """)
    }

    @Test func `D15: Markdown output is a table with aligned columns`() throws {
        #expect(
            try BatchOutput.text("a,b\n1,x|y\n2,\"p\nq\"\n", .markdown) == """
                | a | b |
                |---:|---|
                | 1 | x\\|y |
                | 2 | p<br>q |

                """)
    }

    @Test func `D10, D15: SQL output has statements with quoted names and values`() throws {
        #expect(
            try BatchOutput.text("id,id,flag,set,text\n1,2,yes,true,007\n-3,x,no,False,\n", .sql) == """
                INSERT INTO "in" ("id", "id_2", "flag", "set", "text") VALUES (1, '2', 'yes', true, '007');
                INSERT INTO "in" ("id", "id_2", "flag", "set", "text") VALUES (-3, 'x', 'no', false, '');

                """)
        let quotes = try BatchOutput.text("\"a\"\"b\",c\n1,it's\n2,\"x\ny\\\"\n", .sql) {
            ($0.files.dialect.delimiter, $0.files.dialect.hasHeader) = (UInt8(ascii: ","), true)
        }
        #expect(
            quotes == """
                INSERT INTO "in" ("a""b", "c") VALUES (1, 'it''s');
                INSERT INTO "in" ("a""b", "c") VALUES (2, 'x
                y\\');

                """)
        #expect(try BatchOutput.text("a\n", .sql) == "")
        // A quote before a combining mark would end the text, too.
        let marks = try BatchOutput.text("a\"\u{301},b\nx'\u{301}); --,y\n", .sql) { $0.files.dialect.hasHeader = true }
        #expect(Array(marks.utf8) == Array("INSERT INTO \"in\" (\"a\"\"\u{301}\", \"b\") VALUES ('x''\u{301}); --', 'y');\n".utf8))
    }

    @Test func `D15: it is not an error if the reader closes the pipe early`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        signal(SIGPIPE, SIG_IGN)
        defer { close(ends[1]) }
        let folder = try TemporaryFolder()
        let path = try folder.file("x.csv", "a\n" + String(repeating: "some text\n", count: 50_000))
        let document = try Document(DelimitedFile(path: path), options: LaunchOptions())
        try BatchRun(document, options: LaunchOptions(), format: .text(.csv)).write(to: ends[1])
        #expect(throws: RequestError.self) { try BatchRun(document, options: LaunchOptions(), format: .text(.csv)).write(to: -1) }
    }

    private static let script = """
        import csv, io, json, sys
        folder = sys.argv[1]
        for number in range(int(sys.argv[2])):
            source = open(f"{folder}/{number}.csv", newline="", encoding="utf-8")
            want = [row for row in csv.reader(source)]
            width = max(len(row) for row in want)
            want = [row + [""] * (width - len(row)) for row in want]
            for kind, options in (("csv", {}), ("tsv", {"delimiter": "\\t"})):
                got = [row for row in csv.reader(open(f"{folder}/{number}.out.{kind}", newline="", encoding="utf-8"), **options)]
                if got != want: print(number, kind, got, want)
            values = json.load(open(f"{folder}/{number}.out.json", encoding="utf-8"))
            lines = [json.loads(line) for line in open(f"{folder}/{number}.out.jsonl", encoding="utf-8", newline="\\n")]
            if values != lines: print(number, "json and jsonl differ")
            if len(values) != len(want) - 1: print(number, "rows", len(values), len(want) - 1)
            for row, record in zip(want[1:], values):
                for text, value in zip(row, record.values()):
                    same = value == text or (value is None and text == "") or (type(value) in (int, float) and float(text) == value) \\
                        or (type(value) is bool and text.lower() in ("yes", "no", "true", "false", "t", "f", "y", "n"))
                    if not same: print(number, "value", repr(text), repr(value))
        print("done")
        """

    @Test func `D15: Python reads the original rows from CSV, TSV, JSON and JSON Lines output`() throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 2024)
        let pieces = [
            "", "a", "b c", "12", "-7", "3.50", "0012", "1e5", "yes", "no", "2024-01-02", "\"q\"\"q\"", "\"x,y\"", "\"line\nbreak\"",
            "\"cr\rx\"",
            "\"t\tt\"", "日本語", "\u{1b}", "\\", "\u{2028}", "\"\"", " pad ", "'", "e\u{301}",
        ]
        let count = 40
        for number in 0..<count {
            let width = 2 + Int(random.next() % 4)
            var text = (0..<width).map { "title \($0)" }.joined(separator: ",") + "\r\n"
            for _ in 0..<Int(random.next() % 25) {
                text += (0..<width).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined(separator: ",") + "\r\n"
            }
            let bytes = Array(text.utf8)
            _ = try folder.file("\(number).csv", bytes: bytes)
            for format in [OutputFormat.csv, .tsv, .json, .jsonl] {
                let out = try BatchOutput.bytes(bytes, format) {
                    $0.files.dialect.delimiter = UInt8(ascii: ",")
                    $0.files.dialect.hasHeader = true
                }
                _ = try folder.file("\(number).out.\(format.rawValue)", bytes: out)
            }
        }
        let program = try folder.file("check.py", Self.script)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", program, folder.path, String(count)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(printed == "done\n", "\(printed.prefix(3000))")
    }

    @Test func `D6: external sorting orders quoted and ragged rows like sorting in memory`() throws {
        var content = BatchOutput.trades
        for n in 0..<500 { content += n % 7 == 0 ? "\n\(n)" : "\n\(n),\"T,\(n % 5)\",BUY,\(n * 31 % 97).5,\"line\n\(n % 11)\",more" }
        for key in ["price", "note", "side", "id", "sector"] {
            for isDescending in [false, true] {
                func sorted(_ memory: Int?) throws -> String {
                    try BatchOutput.text(content, .csv) {
                        $0.sort = [SortRequest(ColumnReference(key)), SortRequest(ColumnReference(key == "price" ? "note" : "price"))]
                        $0.sort[0].isDescending = isDescending
                        $0.memory = memory
                    }
                }
                #expect(try sorted(0) == sorted(nil))
            }
        }
    }

    /// A table in which each value has its own type.
    private struct ValuesWithTypes: Table {
        var recordCount: Int { 0 }
        var columnCount: Int { 3 }
        func hasTypedValues(inColumn column: Int) -> Bool { column < 2 }
        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) {}
    }

    @Test func `18.10: JSON output keeps the types of values in columns with a type per value`() {
        let columns = [Column(id: 0, title: "a"), Column(id: 1, title: "b", kind: .integer), Column(id: 2, title: "c")]
        func line(_ fields: [String?], except chosen: Set<ColumnID> = []) -> String {
            var (format, sink) = (RowFormat(.jsonl, columns: columns), OutputSink(byteLimit: .max))
            let typed = format.useTypes(of: ValuesWithTypes(), except: chosen)
            #expect(typed == (chosen.isEmpty ? [0] : []))
            FieldBytes.withFields(of: Array(fields.prefix(3 + typed.count))) { format.writeRow($0, &sink) }
            return String(decoding: sink.removeBuffer(), as: UTF8.self)
        }
        #expect(line(["1", "2", "3", "1"]) == #"{"a": 1, "b": 2, "c": "3"}"# + "\n")
        #expect(line(["1", "x", "3", nil]) == #"{"a": "1", "b": "x", "c": "3"}"# + "\n")
        #expect(line([nil, nil, "3", nil]) == #"{"a": null, "b": null, "c": "3"}"# + "\n")
        #expect(line(["2.5", "2", "3", "2.5"], except: [ColumnID(0)]) == #"{"a": "2.5", "b": 2, "c": "3"}"# + "\n", "a chosen type")
        var sql = RowFormat(.sql, columns: columns)
        #expect(sql.useTypes(of: ValuesWithTypes(), except: []).isEmpty)
    }
}
