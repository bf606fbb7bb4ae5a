import DataGrid
import DataGridQuery
import DelimitedText
import FieldValues
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Notes of batch output.
@MainActor
@Suite struct OutputNoteTests {
    @Test func `D8, D15: a value like “$4” that aggregates leave out is reported in a note and counts as a loss`() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<70_000).map { "g\($0 % 3),\($0 == 68_500 ? "$4" : $0 == 68_400 ? "n/a" : "\($0 % 100)"),\($0)\n" }
        let path = try folder.file("t.csv", "g,v,w\n" + rows.joined())
        func notes(_ format: OutputFormat, isCollapsed: Bool = true, aggregate: String = "sum(v)") throws -> OutputNotes {
            var options = LaunchOptions()
            (options.groups, options.isCollapsed) = ([GroupRequest(ColumnReference("g"))], isCollapsed)
            options.aggregates = [try AggregateOption(text: aggregate)]
            options.derivedColumns = ["d = v * 2"]
            let document = try Document(options.files.open(path: path), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format))).notes
        }
        let note = "t.csv: aggregates leave out a value of “v” that is not a number: “$4” in row 68,501."
        for aggregate in ["sum(v)", "mean(v)", "min(v)", "max(v)", "median(v)", "sum(d)"] {
            let found = try notes(.jsonl, aggregate: aggregate)
            #expect(found.lines == [note] && found.hasLosses, "\(aggregate)")
        }
        #expect(try notes(.text, isCollapsed: false).lines == [note])
        // CSV of rows has no aggregates. Counts leave out no value.
        #expect(try notes(.csv, isCollapsed: false).lines == [] && notes(.csv, aggregate: "count(v)").lines == [])
        #expect(try notes(.csv, aggregate: "sum(w)").lines == [])
    }

    @Test func `D15: errors of output advise to run gridview again instead of reloading`() {
        let cases = [
            ("t has changed. Reload wal.db.", "t has changed. Run gridview again."),
            ("t has changed. Reload wal.db. The output is incomplete.", "t has changed. Run gridview again. The output is incomplete."),
            ("It was lost. Reload to connect again. Details: Why?", "It was lost. Run gridview again. Details: Why?"),
            ("Cannot open “a.Reload b.csv”.", "Cannot open “a.Reload b.csv”."),
        ]
        for (error, expected) in cases { #expect(BatchRun.withoutReloading(error) == expected) }
    }

    @Test func `D8: the title line and the file details report a value that the subtotals leave out`() throws {
        let rows = (0..<70_000).map { "g\($0 % 3),\($0 == 68_500 ? "$4" : "\($0 % 100)")\n" }
        let pilot = try Pilot("g,v\n" + rows.joined(), size: (200, 24), name: "t.csv")
        #expect(pilot.state.problems.isEmpty)
        pilot.press("zg")
        let phrase = "aggregates leave out a value of “v” that is not a number: “$4” in row 68,501"
        #expect(pilot.state.problems == [phrase], "\(pilot.screen)")
        #expect(pilot.line(0).contains("! aggregates leave out a value of “v”"), "\(pilot.line(0))")
    }

    /// The notes of output without options.
    private func notes(_ path: String, _ format: OutputFormat) throws -> OutputNotes {
        let document = try Document(FileOpener().open(path: path), options: LaunchOptions())
        return try BatchOutput.result(of: BatchRun(document, options: LaunchOptions(), format: .text(format))).notes
    }

    @Test func `18.3: a note names the columns whose NaN and infinity are strings in JSON and SQL output`() throws {
        let folder = try TemporaryFolder()
        let special = [65_000: "NaN", 65_001: "-Infinity"]
        let lines = (0..<70_000).map { row in
            "{\"a\": \(special[row] ?? "\(row)"), \"b\": \(row), \"c\": \"NaN\", \"d\": [\(row == 9 ? "NaN" : "1")]}\n"
        }
        let path = try folder.file("in.jsonl", lines.joined())
        let sentence = "NaN and infinity are written as strings, because"
        for format in [OutputFormat.json, .jsonl] {
            let found = try notes(path, format)
            #expect(found.lines == ["in.jsonl: \(sentence) JSON has no such numbers. Columns: “a”, “d”."] && !found.hasLosses)
        }
        #expect(try notes(path, .sql).lines == ["in.jsonl: \(sentence) SQL has no such numbers. Column: “a”."])
        #expect(try notes(path, .csv).lines == [])
        let csv = try folder.file("in.csv", "x,y\n1.5,n/a\nnan,1\n2.5,2\n")
        #expect(try notes(csv, .jsonl).lines == ["in.csv: \(sentence) JSON has no such numbers. Column: “x”."])
    }

    @Test func `18.9: if JSON and CSV files are opened as one table, a note names the columns whose numbers become text`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("x1.csv", "id,a\n1,2\n2,4\n")
        _ = try folder.file("x2.jsonl", "{\"id\": 3, \"a\": 5}\n{\"id\": 4, \"a\": \"foo\"}\n{\"id\": 5, \"a\": 7}\n")
        let parent = folder.path.split(separator: "/").last ?? ""
        let note = "\(parent)/x*: numbers are written as text, because their columns also have other values. Column: “a”."
        for format in [OutputFormat.json, .jsonl, .sql] {
            let found = try notes(folder.path(of: "x*"), format)
            #expect(found.lines == [note] && !found.hasLosses, "\(format)")
        }
        #expect(try notes(folder.path(of: "x*"), .csv).lines == [])
    }

    @Test func `18.10: JSON and SQL output detect numbers that become strings in columns with a type per value`() {
        for format in [OutputFormat.jsonl, .sql] {
            for (text, isNumber) in [("2.5", true), ("x", false), ("007", false), ("", false)] {
                let columns = ["u", "v"].map { Column(id: 0, title: $0) }
                let strings = StringNumberFinder(columns, mayStoreNumbers: [true, false])
                var (format, sink) = (RowFormat(format, columns: columns), OutputSink(byteLimit: .max))
                format.reportStringNumbers(to: strings)
                FieldBytes.withFields(of: [text, text]) { format.writeRow($0, &sink) }
                #expect(strings.columns.map(\.name) == (isNumber ? ["u"] : []), "\(format) \(text)")
                #expect(strings.columns.allSatisfy { $0.reason == .otherValues })
            }
        }
    }

    @Test(arguments: [false, true]) func `D7: if the filters match no row, a note shows the hint about a filter`(statistics: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("t.csv", "side,price\nBUY,10\nSELL,20\n")
        func notes(_ filters: String...) throws -> OutputNotes {
            var options = LaunchOptions()
            options.filters = filters
            let document = try Document(options.files.open(path: path), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.csv)), statistics: statistics).notes
        }
        let found = try notes("side = BUY", "price = 'ten'")
        #expect(found.lines == ["--filter: Column “price” contains numbers. They never equal the text 'ten'."])
        #expect(!found.hasLosses)
        #expect(try notes("price != 'ten'").lines.isEmpty, "rows match")
        #expect(try notes("price > 1e9").lines.isEmpty)
    }

    @Test(arguments: [false, true])
    func `D15, 17.4: a note suggests options for lines before the table, comments and a row of units`(statistics: Bool) throws {
        let folder = try TemporaryFolder()
        func notes(_ text: String, skipping lines: Int = 0, comment: String = "") throws -> OutputNotes {
            let path = try folder.file("t.csv", text)
            let opener = FileOpener(dialect: DialectRequest(skipLines: lines, commentPrefix: Array(comment.utf8)))
            var options = LaunchOptions()
            options.opener = opener
            let document = try Document(opener.open(path: path), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.csv)), statistics: statistics).notes
        }
        let table = "id,price\n1,2\n3,4\n5,6\n7,8\n"
        let found = try notes("made by hand\n\n" + table)
        #expect(found.lines == ["t.csv: 2 lines before the table. Use --skip-lines 2 to skip them."] && !found.hasLosses)
        #expect(try notes("Title\n" + table).lines == ["t.csv: 1 line before the table. Use --skip-lines 1 to skip it."])
        let comment = try notes("# by hand, in May\nid,name,city\n1,ann,Bonn\n")
        #expect(comment.lines == ["t.csv: the first line begins with “#”. Use --comment '#' to skip all such lines."])
        let comments = try notes("# by hand\n#\n" + table)
        #expect(comments.lines == ["t.csv: the first 2 lines begin with “#”. Use --comment '#' to skip all such lines."])
        let commented = "t.csv: the last comment before the rows may have the column names."
        #expect(try notes("##x\n#id,name\n1,a\n2,b\n", comment: "#").lines == ["\(commented) Use --comment '##' to read them."])
        #expect(
            try notes("# x\n#id,name\n1,a\n2,b\n", comment: "#").lines
                == ["\(commented) Use --skip-lines 1 instead of --comment to read them."])
        #expect(try notes("#id,name\n1,a\n2,b\n", comment: "#").lines == ["\(commented) Omit --comment to read them."])
        let units = try notes("speed,time\nkm/h,s\n1,2\n3,4\n5,6\n")
        #expect(units.lines == ["t.csv: the first row has units. Use --header two to add them to the column names."])
        #expect(try notes(table).lines == [] && notes("made by hand\n\n" + table, skipping: 2).lines == [])
        #expect(try notes("item,amount\na,1\nb,2\nc,3\nTotal,6\n").lines == [])
        #expect(try notes("2024-01-01,2024-02-01\n1,2.5\n2,4.5\n").lines == [], "no note about an uncertain header")
    }

    @Test func `D15, 18.10: a note lists the columns that are renamed because of an empty or repeated name`() throws {
        let folder = try TemporaryFolder()
        func notes(_ text: String, _ format: FileFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> [String] {
            var options = LaunchOptions()
            options.files.dialect.hasHeader = true
            change(&options)
            let document = try Document(options.files.open(path: folder.file("t.csv", text)), options: options)
            let notes = try BatchOutput.result(of: BatchRun(document, options: options, format: format)).notes
            #expect(!notes.hasLosses)
            return notes.lines
        }
        func typed(_ name: String) throws -> FileFormat { .typed(try #require(writableFormats.first { $0.name == name })) }
        let start = "t.csv: columns with an empty or repeated name are renamed:"
        let text = "id,name,,name\n1,a,b,c\n2,d,e,f\n"
        for format in try [FileFormat.text(.json), .text(.jsonl), .text(.sql), typed("parquet"), typed("sqlite")] {
            #expect(try notes(text, format) == ["\(start) “” to “#3”, “name” to “name_2”."], "\(format.name)")
            #expect(try notes(text, format) { $0.columns = BatchOutput.columns("id", "#2") } == [], "only written columns count")
            let many = String(repeating: "a,", count: 5) + "a\n1,2,3,4,5,6\n"
            #expect(try notes(many, format) == ["\(start) “a” to “a_2”, “a” to “a_3”, “a” to “a_4” and 2 more."], "\(format.name)")
        }
        // These formats keep equal names, and the first ones also empty names.
        for format in [OutputFormat.csv, .tsv, .text, .markdown, .html] { #expect(try notes(text, .text(format)) == [], "\(format)") }
        for name in ["arrow", "xlsx"] { #expect(try notes(text, typed(name)) == ["\(start) “” to “#3”."], "\(name)") }
        // Names that differ only in letter case are equal in SQLite.
        #expect(try notes("id,ID\n1,2\n", typed("parquet")) == [])
        #expect(try notes("id,ID\n1,2\n", typed("sqlite")) == ["\(start) “ID” to “ID_2”."])
        // The number after a long name stays visible.
        let long = "first " + String(repeating: "x", count: 40)
        let shortened = "“first xxxxxxxxxx…xxxxxxx” to “first xxxxxxxxxx…xxxxx_2”"
        #expect(try notes("\(long),\(long)\n1,2\n", .text(.json)) == ["\(start) \(shortened)."])
        // A group of rows has its key and the number of its rows.
        let groups = try notes("count,n\na,1\nb,2\n", .text(.json)) {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("count"))], true)
        }
        #expect(groups == ["\(start) “count” to “count_2”."])
    }

    @Test func `T1: statistics as CSV keep bytes that are not UTF-8; other formats report them`() throws {
        let (name, value) = (Array("é".utf8) + [0xE9], Array("é".utf8) + [0xE8])
        let folder = try TemporaryFolder()
        let row = value + Array(",1\n".utf8)
        let path = try folder.file("f.csv", bytes: name + Array(",n\n".utf8) + row + row + Array("ü,3\n".utf8))
        func run(_ format: OutputFormat) throws -> (bytes: [UInt8], notes: OutputNotes) {
            var options = LaunchOptions()
            options.files.dialect.hasHeader = true
            let document = try Document(options.files.open(path: path), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format)), statistics: true)
        }
        let csv = try run(.csv)
        let lines = csv.bytes.split(separator: 0x0A).map { $0.split(separator: 0x2C, omittingEmptySubsequences: false).map(Array.init) }
        let titles = lines[0].map { String(decoding: $0, as: UTF8.self) }
        func field(_ title: String) throws -> [UInt8] { lines[1][try #require(titles.firstIndex(of: title))] }
        #expect(try field("column") == name && field("min") == value && field("most_frequent") == value)
        #expect(try field("max") == Array("ü".utf8))
        #expect(csv.notes.lines.isEmpty && !csv.notes.hasLosses)
        let json = try run(.jsonl)
        #expect(json.notes.hasLosses && json.notes.replacesCharacters)
        #expect(json.notes.lines.first?.contains("3 fields of the output are not valid UTF-8.") == true, "\(json.notes.lines)")
        #expect(try run(.text).notes.lines.count == 1 && !run(.text).notes.hasLosses)
    }

    @Test(arguments: [false, true])
    func `D15, 18.3: a note names the arrays of a JSON document that are not in the output`(statistics: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("t.json", #"{"data": [{"a": 1}], "more": [{"b": 2}]}"#)
        func notes(path keys: String?) throws -> OutputNotes {
            let opener = FileOpener(jsonPath: keys)
            var options = LaunchOptions()
            options.opener = opener
            let document = try Document(opener.open(path: path), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.csv)), statistics: statistics).notes
        }
        let found = try notes(path: nil)
        #expect(found.lines == ["t.json: the array “more” is left out; --path more shows it."] && !found.hasLosses)
        #expect(try notes(path: "data").lines.isEmpty)
    }

    @Test(arguments: [0, 20_000], [false, true])
    func `T1, 18.3: rows that are not valid JSON are written as text and reported as a loss`(count: Int, statistics: Bool) throws {
        // With many rows, the invalid ones are behind the first bytes, from which the columns are detected.
        let folder = try TemporaryFolder()
        let valid = String(repeating: "{\"a\": 1, \"b\": \"text\"}\n", count: count + 3)
        func run(_ text: String, _ format: OutputFormat) throws -> (text: String, notes: OutputNotes) {
            let options = LaunchOptions()
            let document = try Document(options.files.open(path: folder.file("t.jsonl", text)), options: options)
            let batch = BatchRun(document, options: options, format: .text(format))
            let result = try BatchOutput.result(of: batch, statistics: statistics)
            return (String(decoding: result.bytes, as: UTF8.self), result.notes)
        }
        let first = NumberText.count(count + 4)
        for format in [OutputFormat.csv, .jsonl, .text] {
            let one = try run(valid + "{bad\n{\"a\": 2}\n", format)
            #expect(one.notes.lines == ["t.jsonl: row \(first) is not valid JSON. Its text is in the column (unreadable)."])
            #expect(one.notes.hasLosses && one.text.contains("(unreadable)") && (statistics || one.text.contains("{bad")), "\(format)")
        }
        let two = try run(valid + "{bad\n{\"a\": 2}\nworse", .csv).notes
        #expect(two.lines == ["t.jsonl: 2 rows are not valid JSON (first: row \(first)). Their text is in the column (unreadable)."])
        #expect(two.hasLosses)
        let plain = try run(valid, .csv).notes
        #expect(plain.lines.isEmpty && !plain.hasLosses)
    }
}
