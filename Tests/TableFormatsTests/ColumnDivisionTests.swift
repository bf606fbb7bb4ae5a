import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Files that must not be divided at a delimiter, and rows around tables.
@Suite struct ColumnDivisionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ text: String, _ name: String = "t.txt", _ request: DialectRequest = DialectRequest()
    ) throws -> any TableSource {
        let source = try FileOpener(dialect: request).open(path: folder.file(name, text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    // MARK: One column

    struct Column: Sendable, CustomTestStringConvertible {
        var title: String
        var values: [String]
        var testDescription: String { title.isEmpty ? values[0] : title }
    }

    static let columns: [Column] = [
        Column(title: "name", values: ["Ann Lee", "Bob Smith"]), Column(title: "title", values: ["red big car", "old blue bike"]),
        Column(title: "when", values: ["2024-01-18 10:51:00", "2024-01-19 11:52:01"]),
        Column(title: "ip", values: ["2001:db8:0:0:0:0:2:1", "fe80:0:0:0:1:2:3:4"]),
        Column(title: "ip", values: ["2001:db8::2:1", "fe80::1", "::1"]),
        Column(title: "day", values: ["7 Sep 2022", "17 Oct 2022"]),
        Column(title: "t", values: ["1/2/2024 12:05 AM", "11/12/2024 1:05 PM"]),
        Column(title: "phone", values: ["+49 30 12345", "+49 89 54321"]), Column(title: "mac", values: ["00:1a:2b:3c:4d:5e"]),
        Column(title: "mac", values: ["00:11:22:33:44:55"]), Column(title: "time", values: ["10:51:00", "11:52:01"]),
        Column(title: "", values: ["2024-01-18 10:51:00", "2024-01-19 11:52:01"]),
        Column(title: "", values: ["7 Sep 2022", "17 Oct 2022"]),
        Column(title: "", values: ["10:51:00", "11:52:01"]), Column(title: "", values: ["00:1a:2b:3c:4d:5e", "00:1a:2b:3c:4d:5f"]),
        Column(title: "", values: ["2001:db8::2:1", "fe80::1", "::1"]),
        Column(title: "", values: ["1/2/2024 12:05 AM", "11/12/2024 1:05 PM"]),
    ]

    @Test(arguments: columns, [50, 20_000])
    func `17.3: values with blanks and colons below one title are one column`(_ column: Column, count: Int) throws {
        let values = (0..<count).map { column.values[$0 % column.values.count] }
        let text = (column.title.isEmpty ? "" : column.title + "\n") + values.joined(separator: "\n") + "\n"
        for name in ["t.txt", "t.csv", "t"] {
            let source = try open(text, name)
            #expect(source.columnCount == 1, "\(name): \(source.details)")
            #expect(source.problems == [])
            let found = try rowTexts(source).map { $0[0] }
            #expect(found == values || found == [column.title] + values, "\(name): \(found.prefix(3))")
            if name == "t.csv", !column.title.isEmpty { #expect(titles(source) == [column.title]) }
        }
    }

    static let tablesOfWords = [
        "x y z\n" + (0..<300).map { "\($0) 2.5 -3\n" }.joined(), (0..<300).map { "\($0) 2.5 -3\n" }.joined(),
        "Results\nname n m\n" + (0..<300).map { "a\($0) 1 2\n" }.joined(), "root:x:0:0\n" + (0..<300).map { "u\($0):x:\($0):1\n" }.joined(),
        "name city qty\n" + (0..<300).map { "ann Bonn \($0)\n" }.joined(),
        (0..<300).map { "host\($0 % 7) /dev/sd\($0) ext4 rw=\($0) 0 0\n" }.joined(),
        "date time temp\n" + (0..<300).map { "2024-05-01 10:00:00 \($0)\n" }.joined(),
    ]

    @Test(arguments: tablesOfWords) func `17.3: tables of words and numbers are read as tables, not as lines`(
        text: String
    ) throws {
        #expect(try open(text).columnCount > 2)
    }

    // MARK: Logs and prose

    @Test(
        arguments: ["00:00:00 worker # finished job #", "2024/01/02 03:04:00 http: server # closed", "The quick brown fox # over"])
    func `17.3: program output whose lines have the same number of words is read as a log or as lines`(line: String) throws {
        for count in [30, 300, 20_000] {
            let lines = (0..<count).map { line.replacing("#", with: "\($0)") }
            let source = try open(lines.joined(separator: "\n") + "\n")
            #expect(["line", "message"].contains(titles(source).last), "\(source.details)")
            #expect(try rowTexts(source).map { $0.joined(separator: " ") } == lines)
        }
    }

    @Test func `D1: with the delimiter “none”, a row is a whole line`() throws {
        var settings = ReadingSettings()
        settings.delimiter = "none"
        let request = try DialectRequest(settings)
        #expect(request.settings == settings)
        let text = "a,b\n" + (0..<20_000).map { "\($0),\"x;y\n" }.joined()
        let source = try open(text, "t.csv", request)
        #expect(titles(source) == ["line"])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(try rowTexts(source).map { $0[0] } == lines)
        settings.header = "yes"
        settings.skippedLines = 1
        let titled = try open(text, "t.csv", try DialectRequest(settings))
        #expect(titles(titled) == [lines[1]] && titled.hasColumnNames)
        #expect(try rowTexts(titled).map { $0[0] } == Array(lines.dropFirst(2)))
        #expect(try open("{\"a\": 1}\n{\"a\": 2}\n", "t.jsonl", request).columnCount == 1, "the request precedes the detection")
        // The form reads an open file in another way, and back.
        let opener = FileOpener()
        let file = try opener.open(path: folder.file("u.csv", text))
        let lineOpener = try #require(try opener.with(request.settings))
        let reread = try #require(try lineOpener.reopen(file))
        #expect(titles(reread) == ["line"])
        #expect(try titles(#require(try opener.reopen(reread))) == ["a", "b"])
    }

    // MARK: Rows around a table

    @Test(arguments: [",", ";", "\t"])
    func `17.4: gridview offers to skip lines before the table, even if they are padded with delimiters`(mark: String) throws {
        func text(_ rows: [[String]]) -> String { rows.map { $0.joined(separator: mark) + "\n" }.joined() }
        let table = [["id", "name", "x"]] + (0..<300).map { ["\($0)", "a\($0)", "\($0).5"] }
        let preamble = [["Sales report", "", ""], ["Generated 2024-01-01", "", ""], ["", "", ""]]
        let source = try open(text(preamble + table), "t.csv")
        #expect(source.suggestions == [.linesBeforeTable(3)])
        let opener = FileOpener()
        let skipped = try #require(try opener.with(source.suggestions[0].applied(to: opener.settings))?.reopen(source))
        #expect(titles(skipped) == ["id", "name", "x"])
        let words = [["id", "name", "x"]] + (0..<300).map { ["a\($0)", "b", "c"] }
        #expect(try open(text(preamble + words), "t.csv").suggestions == [.linesBeforeTable(3)])
        #expect(try open(text(table), "t.csv").suggestions == [])
        // Names may be missing, and rows may be sparse.
        #expect(try open(text([["id", "", ""]] + table.dropFirst()), "t.csv").suggestions == [])
        #expect(try open(text([["", "x", "y"]] + table.dropFirst()), "t.csv").suggestions == [])
        #expect(try open(text(table.prefix(1) + [["1", "", ""], ["2", "", ""]] + table.dropFirst()), "t.csv").suggestions == [])
    }

    @Test func `D1: a first line such as sep=; sets the delimiter`() throws {
        let rows = (0..<5_000).map { "\($0);1,5;a b" }
        for start in ["sep=;\n", "sep=;\r\n", "\u{FEFF}sep=;\n", "SEP=;\n", "\"sep=;\"\n"] {
            let source = try open(start + "id;x;y\n" + rows.joined(separator: "\n") + "\n", "t.csv")
            #expect(titles(source) == ["id", "x", "y"])
            let found = try rowTexts(source)
            #expect(found.count == 5_000 && found[7] == ["7", "1,5", "a b"])
            #expect(source.suggestions == [] && source.problems == [])
        }
        let bars = try open("sep=|\na|b,c\n1|2,3\n")
        #expect(titles(bars) == ["a", "b,c"])
        #expect(try titles(open("sep=\t\na,b\tc\n1\t2\n")) == ["a,b", "c"])
        #expect(try rowTexts(open("sep=;\n", "t.csv")).isEmpty)
        #expect(try open("sep=a\nb\nc\n", "t.csv").columnCount == 1)
        #expect(try titles(open("sep=,x\n1,2\n", "t.csv")) == ["sep=", "x"])
        let requested = try open("sep=;\na,b;c\n1,2;3\n", "t.csv", DialectRequest(delimiter: UInt8(ascii: ",")))
        #expect(titles(requested) == ["a", "b;c"])
        let report = try open("sep=;\nReport\n\na;b;c\n" + (0..<300).map { "\($0);2;3\n" }.joined(), "t.csv")
        #expect(report.suggestions == [.linesBeforeTable(3)])
        // The line of a pipe may arrive alone.
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        try writer.write(contentsOf: Data("sep=;\n".utf8))
        let thread = Thread {
            Thread.sleep(forTimeInterval: 0.2)
            try? writer.write(contentsOf: Data("1;2\n3;4\n".utf8))
            try? writer.close()
        }
        thread.start()
        let piped = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
        try piped.readAll(threads: 1) { _ in true }
        #expect(!piped.hasColumnNames)
        #expect(try rowTexts(piped) == [["1", "2"], ["3", "4"]])
    }

    @Test(
        arguments: [
            ("t,a,c", "s,m/s²,µg/m³"), ("t,u,rh", "sec,volts,%"), ("t,s,m", "seconds,meters,kilograms"), ("name,s,m", "Unit,m,kg"),
            ("time,s,m", "hh:mm,m,kg"), ("name,n,price,note", ",pcs,EUR,"), ("a,b,c", "kg·m^-3,W/(m2),1/s"), ("a,b,c", "kWh,km/h,°C"),
        ])
    func `17.4: compound and spelled-out units are recognized`(header: String, row: String) throws {
        let count = header.split(separator: ",").count
        func rows(_ first: (Int) -> String) -> String {
            (0..<300).map { row in ([first(row)] + (1..<count).map { "\(row * $0).5" }).joined(separator: ",") + "\n" }.joined()
        }
        let hasNames = row.hasPrefix(",") || row.hasPrefix("Unit")
        let text = header + "\n" + row + "\n" + rows { hasNames ? "item \($0)" : row.hasPrefix("hh") ? "10:\(10 + $0 % 50)" : "\($0)" }
        #expect(try open(text, "t.csv").suggestions == [.unitsRow])
        #expect(try open(header + "\n" + rows { "\($0)" }, "t.csv").suggestions == [])
    }

    @Test(arguments: ["x,m,kg x", "ab/cd,1,2", "Ann,m,5", "1/2,3/4,5/6", "a b,c d,e f"])
    func `17.4: rows of values are not read as units`(row: String) throws {
        let text = "a,b,c\n" + row + "\n" + (0..<300).map { "\($0),1,2\n" }.joined()
        #expect(try open(text, "t.csv").suggestions == [])
    }

    @Test(
        arguments: [
            ("Suma,44850,7", 0), ("Totale,44850,7", 0), ("Σ,44850,7", 0), ("Subtotal,44850,7", 0), ("Total,44850,7\n\nSource: X", 0),
            ("TOTAL:,44850,7\n\nSource: X\nAll rights reserved", 0), (",44850,1800", 0),
        ])
    func `17.4: a last row of totals is recognized`(end: String, column: Int) throws {
        let rows = "name,n,m\n" + (0..<300).map { "item \($0),\($0),\($0 % 2 == 0 ? 5 : 7)\n" }.joined()
        let value = end.prefix { $0 != "," }
        #expect(try open(rows + end + "\n", "t.csv").suggestions == [.totalsRow(column: column, value: String(value))])
        for other in ["Sam,44850,7", ",44851,1800", ",44850,1799", "Totals of x,,", "x,1,2\n\nSource: X", ",,"] {
            #expect(try open(rows + other + "\n", "t.csv").suggestions == [], "\(other)")
        }
        let decimals = "name,n\n" + (0..<1_000).map { "i\($0),0.1\n" }.joined()
        #expect(try open(decimals + ",100.0\n", "t.csv").suggestions == [.totalsRow(column: 0, value: "")], "sums are exact")
        #expect(try open(decimals + ",100.000001\n", "t.csv").suggestions == [])
        let gaps = "name,n\n" + (0..<1_000).map { "\($0 == 5 ? "" : "i"),1\n" }.joined()
        #expect(try open(gaps + ",1000\n", "t.csv").suggestions == [], "a filter would leave out other rows")
    }
}
