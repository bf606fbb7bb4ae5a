import DataGrid
import DataGridQuery
import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Batch output, without a screen: D15.
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

    @Test func `D15: CSV output has the expected text`() throws {
        #expect(
            try BatchOutput.text(Self.trades, .csv) == #"""
                id,sector,side,price,note
                1,Tech,BUY,10.5,"a, b"
                2,Energy,SELL,7.25,"two
                lines"
                3,Tech,SELL,1234.5,"say ""hi"""
                4,Energy,BUY,,
                5,Health,BUY,99,

                """#)
    }

    @Test func `D8, D15: a value like “$4” that aggregates leave out is reported in a note and counts as a loss`() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<70_000).map { "g\($0 % 3),\($0 == 68_500 ? "$4" : $0 == 68_400 ? "n/a" : "\($0 % 100)"),\($0)\n" }
        let path = try folder.file("t.csv", "g,v,w\n" + rows.joined())
        func notes(_ format: OutputFormat, isCollapsed: Bool = true, aggregate: String = "sum(v)") throws -> OutputNotes {
            var options = LaunchOptions()
            (options.groups, options.isCollapsed) = ([GroupRequest(ColumnReference("g"))], isCollapsed)
            options.aggregates = [try AggregateOption(text: aggregate)]
            let document = try Document(options.files.open(path: path), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format))).notes
        }
        let note = "t.csv: aggregates leave out a value of “v” that is not a number: “$4” in row 68,501."
        for aggregate in ["sum(v)", "mean(v)", "min(v)", "max(v)", "median(v)"] {
            let found = try notes(.jsonl, aggregate: aggregate)
            #expect(found.lines == [note] && found.hasLosses, "\(aggregate)")
        }
        #expect(try notes(.text, isCollapsed: false).lines == [note])
        // CSV of rows has no aggregates. Counts leave out no value.
        #expect(try notes(.csv, isCollapsed: false).lines == [] && notes(.csv, aggregate: "count(v)").lines == [])
        #expect(try notes(.csv, aggregate: "sum(w)").lines == [])
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
        let note = "x*: numbers are written as text, because their columns also have other values. Column: “a”."
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

    @Test func `D15: text output has aligned columns`() throws {
        let all = try BatchOutput.text(Self.trades, .text)
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

    @Test func `D6: external sorting orders quoted and ragged rows like sorting in memory`() throws {
        var content = Self.trades
        for n in 0..<500 { content += n % 7 == 0 ? "\n\(n)" : "\n\(n),\"T,\(n % 5)\",BUY,\(n * 31 % 97).5,\"line\n\(n % 11)\",more" }
        for key in ["price", "note", "side", "id", "sector"] {
            for isDescending in [false, true] {
                func sorted(_ memory: Int?) throws -> String {
                    try BatchOutput.text(content, .csv) {
                        $0.sort = [SortRequest(ColumnReference(key)), SortRequest(ColumnReference("price"))]
                        $0.sort[0].isDescending = isDescending
                        $0.memory = memory
                    }
                }
                #expect(try sorted(0) == sorted(nil))
            }
        }
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

    @Test func `D10, D15: HTML output is a table with escaped markup and control characters`() throws {
        #expect(
            try BatchOutput.text(Self.controls, .html) == """
                <meta charset="utf-8">
                <table>
                <thead>
                <tr><th>na␇me</th><th>b\u{FFFD}</th></tr>
                </thead>
                <tbody>
                <tr><td>␛[31mred\u{FFFD}2J\u{FFFD}x␡</td><td>p␉q &amp; &lt;b&gt; | \\ é<br></td></tr>
                </tbody>
                </table>

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

    /// Each case sets options and lists the expected ids.
    @Test func `D15: options select rows and limit their number`() throws {
        func ids(_ change: (inout LaunchOptions) -> Void) throws -> String {
            try BatchOutput.text(Self.trades, .csv) { options in
                options.columns = BatchOutput.columns("id")
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
        #expect(try ids { $0.sort = [SortRequest(ColumnReference("price"))] } == "2 1 5 3 4", "empty values last")
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
    }

    @Test func `D15: a column reference finds the same column in a short and in a long list of references`() throws {
        let numbers = (0..<10_000).map(String.init)
        let names: [String] = numbers.map { "c" + $0 }
        func line(_ fields: [String]) -> String { fields.joined(separator: ",") + "\n" }
        let csv = try BatchOutput.text(line(names) + line(numbers), .csv) { $0.columns = names.reversed().map { ColumnReference($0) } }
        let expected: String = line(names.reversed()) + line(numbers.reversed())
        #expect(csv == expected)
        // Each form of a reference, alone and after enough others for a dictionary.
        let others: [String] = (0..<10).map { "y\($0)" }
        let table: String = line(["Price", " side ", "a..b", "note", "Note", "x", "x"] + others) + line((1...17).map { String($0) })
        let forms: [(reference: String, found: String)] = [
            ("Price", "Price"), ("price", "Price"), (" price ", "Price"), ("side", " side "), ("SIDE", " side "), ("a..b", "a..b"),
            ("note", "note"), ("Note", "Note"), ("#6", "x"), (" #2", " side "), ("note..#4", "note"), ("#2..a..b", " side ,a..b"),
            ("NOTE", ""), ("x", ""), ("zz", ""), ("#18", ""), ("#0", ""), ("", ""),
        ]
        func columns(_ references: [String]) -> Result<String, RequestError> {
            do {
                let csv = try BatchOutput.text(table, .csv) { $0.columns = references.map { ColumnReference($0) } }
                return .success(String(csv.prefix { $0 != "\n" }))
            } catch {
                return .failure(error as? RequestError ?? RequestError("\(error)"))
            }
        }
        for (reference, found) in forms {
            let (few, many) = (columns([reference]), columns(others + [reference]))
            #expect((try? few.get()) == (found.isEmpty ? nil : found), "\(reference)")
            switch (few, many) {
            case (.success(let one), .success(let all)): #expect(all == (others + [one]).joined(separator: ","), "\(reference)")
            case (.failure(let one), .failure(let all)): #expect(one.message == all.message, "\(reference)")
            default: Issue.record("\(reference): \(few), \(many)")
            }
        }
        // The columns to hide are numbered by the file, although they are in another order.
        let hidden = try BatchOutput.text(table, .csv) {
            $0.columns = BatchOutput.columns("y9", "y8", "Price")
            $0.hiddenColumns = (3...16).map { ColumnReference("#\($0)") } + BatchOutput.columns("y9")
        }
        #expect(hidden == "Price\n1\n")
    }

    @Test func `D15: options select and order columns`() throws {
        func titles(_ change: (inout LaunchOptions) -> Void) throws -> String {
            String(try BatchOutput.text(Self.trades, .csv, change).split(separator: "\n").first ?? "")
        }
        #expect(try titles { $0.columns = BatchOutput.columns("price", "id") } == "price,id")
        #expect(try titles { $0.columns = BatchOutput.columns("#3", "#1") } == "side,id")
        #expect(try titles { $0.columns = BatchOutput.columns("sector..price") } == "sector,side,price")
        #expect(try titles { $0.columns = BatchOutput.columns("price..sector") } == "price,side,sector")
        #expect(try titles { $0.columns = BatchOutput.columns("#4..#5", "id", "price") } == "price,note,id")
        #expect(try titles { $0.columns = BatchOutput.columns("PRICE") } == "price")
        #expect(try titles { $0.hiddenColumns = BatchOutput.columns("sector..note") } == "id")
        #expect(try titles { $0.columns = BatchOutput.columns("price", " id ", " #3") } == "price,id,side")
        #expect(try BatchOutput.text("a, b\n1,2\n", .csv) { $0.columns = BatchOutput.columns("b") } == " b\n2\n")
        for (name, hint) in [("prize", "price"), ("sectr", "sector"), ("zz", "")] {
            do {
                _ = try titles { $0.columns = BatchOutput.columns(name) }
                Issue.record("\(name) is not a column")
            } catch let error as RequestError {
                #expect(error.message.hasPrefix("--columns: Unknown column “\(name)”."))
                #expect(hint.isEmpty || error.message.contains("“\(hint)”?"))
            }
        }
    }

    @Test func `D15: if a column name exists only in the output, the error gives the column number`() throws {
        let error = #expect(throws: RequestError.self) {
            try BatchOutput.text("id,name,id\n1,a,2\n", .csv) { $0.columns = BatchOutput.columns("id_2") }
        }
        #expect(error?.message == "--columns: Unknown column “id_2”. Only output uses this name. Write #3.")
    }

    @Test func `D15: a name shared by several columns is an error that lists their numbers`() throws {
        let text = "name,id,name,Side,SIDE\nb,1,y,5,8\na,2,x,6,7\n"
        func output(_ change: (inout LaunchOptions) -> Void) throws -> String { try BatchOutput.text(text, .tsv, change) }
        let (names, sides) = ("Ambiguous column “name”. Write #1 or #3.", "Ambiguous column “side”. Write #4 or #5.")
        for (expected, change) in [
            ("--columns: \(names)", { $0.columns = BatchOutput.columns("name") }),
            ("--columns: \(names)", { $0.columns = BatchOutput.columns("id..name") }),
            ("--columns: \(sides)", { $0.columns = BatchOutput.columns("side") }),
            ("--columns: \(names)", { $0.columns = BatchOutput.columns(" name ") }),
            ("--hide: \(names)", { $0.hiddenColumns = BatchOutput.columns("name") }),
            ("--sort: \(names)", { $0.sort = [SortRequest(ColumnReference("name"))] }),
            ("--group: \(names)", { $0.groups = [GroupRequest(ColumnReference("name"))] }),
            ("--types: \(names)", { $0.types = [(ColumnReference("name"), ColumnType(.text))] }),
            ("--filter: \(names)\n  name = 'a'\n  ^^^^", { $0.filters = ["name = 'a'"] }),
            ("--derive: \(names)\n  n = length(name)\n             ^^^^", { $0.derivedColumns = ["n = length(name)"] }),
        ] as [(String, (inout LaunchOptions) -> Void)] {
            let error = #expect(throws: RequestError.self) { try output(change) }
            #expect(error?.message == expected && error?.isUsageError == true)
        }
        #expect(try output { $0.columns = BatchOutput.columns("#3", "SIDE", "ID") } == "name\tSIDE\tid\ny\t8\t1\nx\t7\t2\n")
        #expect(try output { $0.sort = [SortRequest(ColumnReference("#1"))] }.hasSuffix("a\t2\tx\t6\t7\nb\t1\ty\t5\t8\n"))
        #expect(try output { $0.sort = [SortRequest(ColumnReference("Id"))] }.hasSuffix("b\t1\ty\t5\t8\na\t2\tx\t6\t7\n"))
    }

    @Test func `D9, D15: statistics omit the most frequent value if every value occurs once`() throws {
        let text = String(
            decoding: try BatchOutput.bytes(Array("id,side\n1,x\n2,y\n3,x\n".utf8), .jsonl, statistics: true) { _ in }, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines[0].hasSuffix(#""most_frequent": null, "most_frequent_count": null}"#))
        #expect(lines.count == 2 && lines[1].hasSuffix(#""most_frequent": "x", "most_frequent_count": 2}"#))
    }

    @Test func `D9, D15: statistics keep all digits of exact sums`() throws {
        let table = "n,d\n9223372036854775807,0.1\n9223372036854775807,0.2\n9223372036854775807,0\n9007199254740993,0\n"
        let text = String(decoding: try BatchOutput.bytes(Array(table.utf8), .jsonl, statistics: true) { _ in }, as: UTF8.self)
        #expect(text.contains("\"sum\": 27679123309819068414,") && text.contains("\"mean\": 6919780827454767103.5,"))
        #expect(text.contains("\"min\": 9007199254740993,") && text.contains("\"sum\": 0.3,"))
        let grouped = try BatchOutput.text("k,n\n" + String(repeating: "a,9223372036854775807\n", count: 3), .text) {
            $0.groups = [GroupRequest(ColumnReference("k"))]
        }
        #expect(grouped.contains("▾ k: a  3 rows  n sum 27,670,116,110,564,327,421\n"))
    }

    // MARK: Control characters

    private static let controls = "na\u{7}me,b\u{202E}\n\u{1b}[31mred\u{9b}2J\u{202E}x\u{7f},\"p\tq & <b> | \\ é\n\"\n"

    /// True if the text has no control characters except line endings.
    private func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && !(127..<160).contains($0.value) && !$0.properties.isBidiControl) }
    }

    @Test(arguments: [OutputFormat.json, .jsonl])
    func `E: JSON escapes control characters and decodes to the original text`(format: OutputFormat) throws {
        let text = try BatchOutput.text(Self.controls, format)
        #expect(isSafe(text) && text.contains(#""\u001b[31mred\u009b2J\u202ex\u007f""#))
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let record = (read as? [[String: String]])?.first ?? read as? [String: String]
        #expect(record == ["na\u{7}me": "\u{1b}[31mred\u{9b}2J\u{202E}x\u{7f}", "b\u{202E}": "p\tq & <b> | \\ é\n"])
    }

    @Test func `E: Markdown replaces control characters with symbols and escapes markup from the file`() throws {
        #expect(
            try BatchOutput.text(Self.controls, .markdown) == """
                | na␇me | b\u{FFFD} |
                |---|---|
                | ␛[31mred\u{FFFD}2J\u{FFFD}x␡ | p␉q &amp; &lt;b> \\| \\\\ é<br> |

                """)
    }

    @Test func `E: CSV and TSV replace control characters only on a terminal`() throws {
        #expect(try BatchOutput.text(Self.controls, .csv) == Self.controls)
        #expect(
            String(decoding: try BatchOutput.bytes(Array(Self.controls.utf8), .csv, marksControls: true) { _ in }, as: UTF8.self)
                == "na␇me,b\u{FFFD}\n␛[31mred\u{FFFD}2J\u{FFFD}x␡,p␉q & <b> | \\ é⏎\n")
        let latin = Array("a\tb\n".utf8) + [0x9b, 0x32, 0x4a, 9] + Array("é\n".utf8)
        #expect(
            try BatchOutput.bytes(latin, .tsv, marksControls: true) { $0.files.dialect.encoding = .utf8 }
                == Array("a\tb\n\u{FFFD}2J\té\n".utf8))
    }

    @Test(arguments: OutputFormat.allCases)
    func `E: statistics and groups are safe for a terminal in every format`(format: OutputFormat) throws {
        func output(statistics: Bool, _ change: (inout LaunchOptions) -> Void) throws -> String {
            String(
                decoding: try BatchOutput.bytes(
                    Array(Self.controls.utf8), format, statistics: statistics, marksControls: true, change), as: UTF8.self)
        }
        // TSV uses tabs as delimiters.
        func check(_ text: String) { #expect(isSafe(format == .tsv ? text.replacing("\t", with: " ") : text) && text.contains("31mred")) }
        check(try output(statistics: true) { _ in })
        for isCollapsed in [false, true] {
            check(
                try output(statistics: false) {
                    $0.groups = [GroupRequest(ColumnReference("#1"))]
                    $0.isCollapsed = isCollapsed
                })
        }
    }

    @Test func `E: text output is safe for a terminal`() throws {
        let text = try BatchOutput.text("a,b\n\u{1b}[31mred\u{202E}\u{9b},\"x\ny\tz\"\n", .text)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && !(127..<160).contains($0.value) && $0.value != 0x202E) })
        #expect(text.contains("␛[31mred") && text.contains("x⏎y␉z"))
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

    // MARK: Reading the output with Python

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
}

/// The output of a batch run.
@MainActor
enum BatchOutput {
    static func text(_ content: String, _ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
        String(decoding: try bytes(Array(content.utf8), format, change), as: UTF8.self)
    }

    static func columns(_ names: String...) -> [ColumnReference] { names.map { ColumnReference($0) } }

    static func bytes(
        _ content: [UInt8], _ format: OutputFormat, statistics: Bool = false, marksControls: Bool = false,
        neutralizesFormulas: Bool = false,
        _ change: (inout LaunchOptions) -> Void
    ) throws -> [UInt8] {
        try bytes(
            content, FileFormat.text(format), statistics: statistics, marksControls: marksControls,
            neutralizesFormulas: neutralizesFormulas, change)
    }

    static func bytes(
        _ content: [UInt8], _ format: FileFormat, statistics: Bool = false, marksControls: Bool = false,
        neutralizesFormulas: Bool = false, name: String = "in.csv", _ change: (inout LaunchOptions) -> Void = { _ in }
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        change(&options)
        let path = try folder.file(name, bytes: content)
        let run = try BatchRun(
            Document(options.files.open(path: path), options: options), options: options, format: format, marksControls: marksControls,
            neutralizesFormulas: neutralizesFormulas)
        return try result(of: run, statistics: statistics).bytes
    }

    /// The output and the notes of a batch run.
    static func result(of run: BatchRun, statistics: Bool = false) throws -> (bytes: [UInt8], notes: OutputNotes) {
        let folder = try TemporaryFolder()
        let target = try folder.file("out", bytes: [])
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
        let notes = statistics ? try run.writeStatistics(to: handle.fileDescriptor) : try run.write(to: handle.fileDescriptor)
        try handle.close()
        return (Array(try Data(contentsOf: URL(fileURLWithPath: target))), notes)
    }
}
