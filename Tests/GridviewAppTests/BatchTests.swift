import GridTestSupport
import DataGrid
import DelimitedText
import Foundation
import GridviewApp
import Testing

/// Output without a screen: D15.
@MainActor
@Suite struct BatchTests {
    static let trades = #"""
        id,sector,side,price,note
        1,Tech,BUY,10.5,"a, b"
        2,Energy,SELL,7.25,"two
        lines"
        3,Tech,SELL,1234.5,"say ""hi"""
        4,Energy,BUY,,
        5,Health,BUY,99
        """#

    private func write(_ content: String, _ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
        String(decoding: try BatchOutput.bytes(Array(content.utf8), format, change), as: UTF8.self)
    }

    private func columns(_ names: String...) -> [ColumnReference] { names.map { ColumnReference($0) } }

    @Test("D15: csv") func csv() throws {
        #expect(
            try write(Self.trades, .csv) == #"""
                id,sector,side,price,note
                1,Tech,BUY,10.5,"a, b"
                2,Energy,SELL,7.25,"two
                lines"
                3,Tech,SELL,1234.5,"say ""hi"""
                4,Energy,BUY,,
                5,Health,BUY,99,

                """#)
    }

    @Test("D15: text") func text() throws {
        let all = try write(Self.trades, .text)
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

    @Test("D6: sorting by way of a file is the same, with quoted and ragged rows") func sortingBeyondTheMemory() throws {
        var content = Self.trades
        for n in 0..<500 { content += n % 7 == 0 ? "\n\(n)" : "\n\(n),\"T,\(n % 5)\",BUY,\(n * 31 % 97).5,\"line\n\(n % 11)\",more" }
        for key in ["price", "note", "side", "id", "sector"] {
            for isDescending in [false, true] {
                func sorted(_ memory: Int?) throws -> String {
                    try write(content, .csv) {
                        $0.sort = [SortRequest(ColumnReference(key)), SortRequest(ColumnReference("price"))]
                        $0.sort[0].isDescending = isDescending
                        $0.memory = memory
                    }
                }
                #expect(try sorted(0) == sorted(nil))
            }
        }
    }

    @Test("D15: markdown") func markdown() throws {
        #expect(
            try write("a,b\n1,x|y\n2,\"p\nq\"\n", .markdown) == """
                | a | b |
                |---:|---|
                | 1 | x\\|y |
                | 2 | p<br>q |

                """)
    }

    @Test("D15: json") func json() throws {
        let all = try write("id,id,flag,set,text\n1,2,yes,true,007\n-3,x,no,False,\n", .json)
        #expect(
            all == """
                [
                  {"id": 1, "id_2": "2", "flag": "yes", "set": true, "text": "007"},
                  {"id": -3, "id_2": "x", "flag": "no", "set": "False", "text": ""}
                ]

                """)
        #expect(try write("a\n", .json) == "[]\n")
        #expect(try write("a\n1\n", .jsonl) == "{\"a\": 1}\n")
    }

    /// A case: what is asked for, and the ids that come.
    @Test("D15: rows and limits") func rowsAndLimits() throws {
        func ids(_ change: (inout LaunchOptions) -> Void) throws -> String {
            try write(Self.trades, .csv) { options in
                options.columns = columns("id")
                change(&options)
            }.split(separator: "\n").dropFirst().joined(separator: " ")
        }
        #expect(try ids { $0.limit = 2 } == "1 2")
        #expect(try ids { $0.limit = 0 } == "")
        #expect(try ids { $0.limit = 99 } == "1 2 3 4 5")
        #expect(try ids { $0.rows = 1..<3 } == "2 3")
        #expect(try ids { $0.rows = 3..<99 } == "4 5")
        #expect(try ids { $0.rows = 50..<99 } == "")
        #expect(
            try ids {
                $0.rows = 1..<5; $0.limit = 2
            } == "2 3")
        #expect(try ids { $0.sort = [SortRequest(ColumnReference("price"))] } == "2 1 5 3 4", "empties last")
        #expect(
            try ids {
                $0.sort = [SortRequest(ColumnReference("price"))]; $0.limit = 2
            } == "2 1")
        #expect(
            try ids {
                var sector = SortRequest(ColumnReference("sector"))
                sector.isDescending = true
                $0.sort = [sector, SortRequest(ColumnReference("side"))]
            } == "1 3 5 4 2")
        #expect(try ids { $0.groups = [GroupRequest(ColumnReference("sector"))] } == "2 4 5 1 3")
        #expect(
            try ids {
                $0.groups = [GroupRequest(ColumnReference("sector"))]; $0.isCollapsed = true
            } == "2 4 5 1 3", "no rows are lost where sections have no place")
    }

    @Test("D15: columns") func columns() throws {
        func titles(_ change: (inout LaunchOptions) -> Void) throws -> String {
            String(try write(Self.trades, .csv, change).split(separator: "\n").first ?? "")
        }
        #expect(try titles { $0.columns = columns("price", "id") } == "price,id")
        #expect(try titles { $0.columns = columns("#3", "#1") } == "side,id")
        #expect(try titles { $0.columns = columns("sector..price") } == "sector,side,price")
        #expect(try titles { $0.columns = columns("price..sector") } == "price,side,sector")
        #expect(try titles { $0.columns = columns("#4..#5", "id", "price") } == "price,note,id")
        #expect(try titles { $0.columns = columns("PRICE") } == "price")
        #expect(try titles { $0.hiddenColumns = columns("sector..note") } == "id")
        for (name, hint) in [("prize", "price"), ("sectr", "sector"), ("zzzzzzzz", "")] {
            do {
                _ = try titles { $0.columns = columns(name) }
                Issue.record("\(name) is no column")
            } catch let error as RequestError {
                #expect(error.message.hasPrefix("There is no column “\(name)”.") && (hint.isEmpty || error.message.contains("“\(hint)”?")))
            }
        }
    }

    @Test("D8: sections in text") func sectionsInText() throws {
        let text = try write(Self.trades, .text) {
            $0.groups = [GroupRequest(ColumnReference("sector"))]
            $0.columns = columns("id", "side", "price")
        }
        #expect(text.contains("▾ sector: Energy  2 rows  price x̄ 7.25\n") && text.contains("▾ sector: Health  1 row  price x̄ 99.00\n"))
        let closed = try write(Self.trades, .text) {
            $0.groups = [GroupRequest(ColumnReference("sector"))]
            $0.isCollapsed = true
        }
        #expect(closed.split(separator: "\n").count == 5 && !closed.contains("BUY"))
    }

    @Test("SPEC E: text is safe for a terminal") func textIsSafeForATerminal() throws {
        let text = try write("a,b\n\u{1b}[31mred\u{202E}\u{9b},\"x\ny\tz\"\n", .text)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && !(127..<160).contains($0.value) && $0.value != 0x202E) })
        #expect(text.contains("␛[31mred") && text.contains("x⏎y␉z"))
    }

    @Test("D15: a reader that goes is no failure") func aReaderThatGoesIsNoFailure() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        signal(SIGPIPE, SIG_IGN)
        defer { close(ends[1]) }
        let folder = try TemporaryFolder()
        let path = try folder.file("x.csv", "a\n" + String(repeating: "some text\n", count: 50_000))
        let document = try Document(DelimitedFile(path: path), options: LaunchOptions())
        try BatchRun(document, options: LaunchOptions(), format: .csv).write(to: ends[1])
        #expect(throws: RequestError.self) { try BatchRun(document, options: LaunchOptions(), format: .csv).write(to: -1) }
    }

    // MARK: Python's modules read what was written

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

    @Test("D15: python reads the same") func pythonReadsTheSame() throws {
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
                    $0.dialect.delimiter = UInt8(ascii: ",")
                    $0.dialect.hasHeader = true
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
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said == "done\n", "\(said.prefix(3000))")
    }
}

/// What a batch run writes.
@MainActor
enum BatchOutput {
    static func bytes(_ content: [UInt8], _ format: OutputFormat, statistics: Bool = false, _ change: (inout LaunchOptions) -> Void) throws
        -> [UInt8]
    {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        change(&options)
        let path = try folder.file("in.csv", bytes: content)
        let target = try folder.file("out", bytes: [])
        let document = try Document(DelimitedFile(path: path, request: options.dialect), options: options)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
        let run = BatchRun(document, options: options, format: format)
        if statistics {
            try run.writeStatistics(to: handle.fileDescriptor)
        } else {
            try run.write(to: handle.fileDescriptor)
        }
        try handle.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: target)))
    }
}
