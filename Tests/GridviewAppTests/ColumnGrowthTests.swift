import DataGrid
import DataGridQuery
import DelimitedText
import Foundation
import GridviewApp
import GridTestSupport
import TerminalSurface
import Testing

/// Columns that first appear in a late record: T1, T2.
@MainActor
@Suite struct ColumnGrowthTests {
    /// The number of rows before and after the long record. It exceeds the sample, the first block and one chunk of the index.
    static let rowCount = 200_000
    static let content = "a,b\n" + String(repeating: "1,2\n", count: rowCount) + "1,2,3,4,x\n" + String(repeating: "5,6\n", count: rowCount)

    private func output(_ content: String, _ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
        String(decoding: try BatchOutput.bytes(Array(content.utf8), format, change), as: UTF8.self)
    }

    @Test func `T1: a long record late in the file is written completely, and every row has all columns`() throws {
        let lines = try output(Self.content, .csv).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2 * Self.rowCount + 3)
        #expect(lines[0] == "a,b,#3,#4,#5" && lines[1] == "1,2,,," && lines[Self.rowCount + 1] == "1,2,3,4,x")
        #expect(
            try output(Self.content, .jsonl) { $0.rows = Self.rowCount..<Self.rowCount + 1 }
                == ##"{"a": 1, "b": 2, "#3": 3, "#4": 4, "#5": "x"}"##
                + "\n")
        // If the options choose columns, the output has only these columns.
        #expect(try output(Self.content, .csv) { ($0.columns, $0.limit) = ([ColumnReference("b")], 1) } == "b\n2\n")
    }

    @Test func `T2: options accept a column that first appears in a late record`() throws {
        #expect(try output(Self.content, .csv) { $0.filters = ["#3 = 3"] } == "a,b,#3,#4,#5\n1,2,3,4,x\n")
        #expect(
            try output(Self.content, .csv) {
                $0.columns = [ColumnReference("#5"), ColumnReference("a")]; $0.filters = ["#5 = 'x'"]
            } == "#5,a\nx,1\n")
        #expect(
            try output(Self.content, .csv) { ($0.sort, $0.limit) = ([SortRequest(ColumnReference("#4"))], 1) }
                == "a,b,#3,#4,#5\n1,2,3,4,x\n")
        #expect(throws: RequestError.self) { try output(Self.content, .csv) { $0.columns = [ColumnReference("#6")] } }
        #expect(throws: RequestError.self) { try output(Self.content, .csv) { $0.filters = ["#6 = 1"] } }
    }

    @Test func `T2, 18.9: a column name in an option is an error if a later file repeats the name`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path(of: "year=2024"), withIntermediateDirectories: true)
        _ = try folder.file("year=2024/x.csv", "a,b\n1,2\n")
        _ = try folder.file("z.csv", "a,year\n5,2023\n")
        func output(statistics: Bool = false, _ change: (inout LaunchOptions) -> Void) throws -> String {
            var options = LaunchOptions()
            change(&options)
            let document = try Document(options.files.open(path: folder.path), options: options)
            let run = BatchRun(document, options: options, format: .text(.csv))
            return String(decoding: try BatchOutput.result(of: run, statistics: statistics).bytes, as: UTF8.self)
        }
        for change: (inout LaunchOptions) -> Void in [
            { $0.filters = ["year = 2023"] }, { $0.sort = [SortRequest(ColumnReference("year"))] },
            { $0.columns = BatchOutput.columns("year") }, { $0.derivedColumns = ["next = year + 1"] },
        ] {
            for statistics in [false, true] {
                let error = #expect(throws: RequestError.self) { try output(statistics: statistics, change) }
                #expect(error?.message.contains("Ambiguous column “year”. Write #2 or #5.") == true)
            }
        }
        // A filter on a late column reads all files before the formula is checked.
        let both = #expect(throws: RequestError.self) {
            try output { ($0.filters, $0.derivedColumns) = (["#5 = 2023"], ["next = year + 1"]) }
        }
        #expect(both?.message.contains("Ambiguous column “year”") == true)
        #expect(try output { $0.filters = ["#5 = 2023"] } == "file,year,a,b,year\nz.csv,,5,,2023\n")
        #expect(try output { $0.filters = ["a = 5"] } == "file,year,a,b,year\nz.csv,,5,,2023\n")
    }

    @Test func `T1: the first rows are complete, wherever the first block of the file ends`() throws {
        let content = "a,b\n" + String(repeating: "1,2\n", count: 65_000) + "1,2,3,4,5\n" + String(repeating: "1,2\n", count: 100_000)
        for rows in [64_999, 65_000, 65_001, 65_535] {
            let lines = try output(content, .csv) { $0.limit = rows }.split(separator: "\n")
            #expect(lines.count == rows + 1)
            #expect(rows <= 65_000 || lines[65_001] == "1,2,3,4,5" && lines[0] == "a,b,#3,#4,#5")
        }
    }

    @Test func `D1, E: an unknown column name is reported without reading the file`() throws {
        let folder = try TemporaryFolder()
        let file = try DelimitedFile(path: try folder.file("f.csv", Self.content))
        for change: (inout LaunchOptions) -> Void in [
            { $0.columns = [ColumnReference("prcie")] }, { $0.types = [(ColumnReference("prcie"), ColumnType(.text))] },
        ] {
            var options = LaunchOptions()
            change(&options)
            #expect(throws: RequestError.self) { try Document(file, options: options) }
        }
        var options = LaunchOptions()
        options.filters = ["prcie = 3"]
        let document = try Document(file, options: options)
        #expect(throws: RequestError.self) { try Session(document, options: options, backend: RecordingBackend(), runner: .inline) }
        #expect(!file.snapshot().isComplete)
    }

    @Test func `T1: CSV keeps bytes that are not UTF-8; other formats report them in names, values and group keys`() throws {
        let bytes =
            Array("caf".utf8) + [0xe9, 0x2c] + Array("n\né".utf8) + [0xe8, 0x2c, 0x31, 0x0a] + Array("é".utf8) + [0xe9, 0x2c, 0x32, 0x0a]
        func run(_ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> (bytes: [UInt8], notes: OutputNotes)
        {
            let folder = try TemporaryFolder()
            var options = LaunchOptions()
            options.files.dialect.hasHeader = true
            change(&options)
            let document = try Document(
                try options.files.open(path: try folder.file("f.csv", bytes: bytes)), options: options)
            let out = try folder.file("out", "")
            let descriptor = open(out, O_WRONLY)
            defer { close(descriptor) }
            let notes = try BatchRun(document, options: options, format: .text(format)).write(to: descriptor)
            return (Array(try Data(contentsOf: URL(fileURLWithPath: out))), notes)
        }
        let csv = try run(.csv)
        #expect(csv.bytes == bytes && !csv.notes.hasLosses && csv.notes.lines.isEmpty)
        let json = try run(.jsonl)
        #expect(json.notes.hasLosses && json.notes.lines.first?.contains("3 fields are not valid UTF-8 (the first in the header)") == true)
        let groups: (inout LaunchOptions) -> Void = { options in
            options.groups = [GroupRequest(ColumnReference("#1"))]
            options.isCollapsed = true
        }
        let keys = try run(.csv, groups)
        #expect(
            keys.bytes.split(separator: 0x0a).dropFirst().map { Array($0.prefix { $0 != 0x2c }) } == [
                [0xc3, 0xa9, 0xe8], [0xc3, 0xa9, 0xe9],
            ])
        #expect(try run(.jsonl, groups).notes.hasLosses)
        // Column names of groups are text, because aggregates have names such as `sum(n)`.
        #expect(keys.notes.hasLosses && keys.notes.lines.first?.contains("1 field is not valid UTF-8 (the first in the header)") == true)
        #expect(try !run(.text).notes.hasLosses && run(.text).notes.lines.count == 1)
    }

    @Test func `T2, D3: new columns appear at the right of the screen, and other columns keep their positions`() throws {
        let pilot = try Pilot(Self.content, size: (60, 12))
        #expect(pilot.state.grid.columns.all.map(\.title) == ["a", "b", "#3", "#4", "#5"])
        #expect(pilot.state.grid.columns.all.map(\.kind) == [.integer, .integer, .integer, .integer, .text])
        let first = try #require(pilot.backend.frames.first)
        let before = first.buffer.lines()
        for y in 2..<10 { #expect(pilot.line(y).hasPrefix(before[y].prefix(14)), "line \(y)") }
        pilot.press("\(Array(String(Self.rowCount + 1)).map(String.init).joined(separator: " ")) g Enter")
        #expect(["a  1", "#3  3", "#5  x"].allSatisfy(pilot.screen.contains), "the row view shows every field: \(pilot.screen)")
        pilot.press("Escape & \"#3 = 3\" Enter")
        #expect(pilot.state.grid.rows.count == 1)
    }

    @Test func `T2, D5: new columns precede columns frozen at the right, and a view reset keeps them`() throws {
        var options = LaunchOptions()
        options.frozen = FrozenPanes(trailing: 1)
        let pilot = try Pilot(Self.content, size: (60, 12), options: options)
        #expect(pilot.state.grid.columns.all.map(\.title) == ["a", "#3", "#4", "#5", "b"])
        pilot.press("r")
        #expect(Set(pilot.state.grid.columns.all.map(\.title)) == ["a", "#3", "#4", "#5", "b"])
    }

    @Test func `D3: “yes” and “no” are shown as in the file; only “true”, “false” and flag columns get check marks`() throws {
        let content = "country,ok,paid\nNO,true,yes\nSE,false,no\nDK,true,yes\n"
        let pilot = try Pilot(content, size: (60, 10))
        #expect(pilot.place(of: "NO") != nil && pilot.place(of: "yes") != nil && pilot.place(of: "✓") != nil)
        #expect(pilot.place(of: "true") == nil)
        let one = try Pilot("country,pop\nNO,5\n", size: (60, 10))
        #expect(one.place(of: "NO") != nil && one.place(of: "✗") == nil)
        var options = LaunchOptions()
        options.types = [(ColumnReference("paid"), ColumnType(.flag))]
        let reopened = try Pilot(content, size: (60, 10), options: options)
        #expect(reopened.place(of: "yes") == nil)
        #expect(try output("country,pop\nNO,5\n", .json).contains(#"{"country": "NO", "pop": 5}"#))
        let mixed = "x,n\n" + String(repeating: "F,1\n", count: 1000) + "M,2\n"
        #expect(Set(try output(mixed, .jsonl).split(separator: "\n").map { $0.prefix(9) }) == [#"{"x": "F""#, #"{"x": "M""#])
    }
}
