import DataGrid
import FieldValues
import Foundation
import GridTestSupport
import Locks
import TableFormats
import Tables
import Testing

@testable import DataGridQuery
@testable import GridviewApp

/// Typed files and compressed text, from batch output and exports.
@MainActor
@Suite struct TypedOutputTests {
    private static let arrow = FileFormat.typed(ArrowOutputFormat())

    /// Reads a written file: its titles, kinds and rows.
    private func read(_ bytes: [UInt8], name: String = "x.arrow") throws -> (titles: [String], kinds: [ValueKind], rows: [[String?]]) {
        let folder = try TemporaryFolder()
        let source = try FileOpener().open(path: folder.file(name, bytes: bytes))
        try source.readAll(threads: 1) { _ in true }
        let table: any Table = source.snapshot()
        var rows: [[String?]] = []
        try table.scan(0..<table.recordCount, columns: Array(0..<table.columnCount)) { _, fields in
            rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        let titles = (0..<table.columnCount).map { source.title(ofColumn: $0) }
        return (titles, source.profiles(budgetMilliseconds: 100).map(\.kind), rows)
    }

    private func write(_ content: String, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> [UInt8] {
        try BatchOutput.bytes(Array(content.utf8), Self.arrow, change)
    }

    static let content = "name,day,n,price\nb,2024-01-02,2,1.5\na,2024-01-01,10,\n\"c, d\",2024-01-03,-3,2.25\n"

    @Test("18.10: batch output writes the rows of the view with their types") func batchOutputWritesRowsOfView() throws {
        let all = try read(write(Self.content))
        #expect(all.titles == ["name", "day", "n", "price"] && all.kinds == [.text, .date, .integer, .decimal])
        #expect(
            all.rows == [
                ["b", "2024-01-02", "2", "1.50"], ["a", "2024-01-01", "10", nil], ["c, d", "2024-01-03", "-3", "2.25"],
            ])
        let some = try read(
            write(Self.content) {
                $0.sort = [SortRequest(ColumnReference("name"))]
                $0.filters = ["n > -3"]
                $0.derivedColumns = ["double = n * 2"]
                $0.columns = [ColumnReference("double"), ColumnReference("name")]
            })
        #expect(some.titles == ["double", "name"] && some.rows == [["20", "a"], ["4", "b"]])
        let limited = try read(write(Self.content) { ($0.limit, $0.rows) = (1, 1..<3) })
        #expect(limited.rows.map { $0[0] } == ["a"])
        #expect(try read(write("a,b\n")).rows.isEmpty)
    }

    @Test("18.3, 18.10: typed files have the types of values in JSON text") func typedFilesHaveTypesOfJSONValues() throws {
        let members = #"{""zip"":""98765"",""n"":98765,""list"":[1]}"#
        let content = "meta\n" + (0..<2_000).map { _ in "\"\(members)\"\n" }.joined()
        let arrow = try write(content) { options in
            options.derivedColumns = ["zip", "n", "list"].map { "\($0) = json(meta, '\($0)')" }
        }
        let written = try read(arrow)
        #expect(written.rows.count == 2_000 && written.rows[1].dropFirst() == ["98765", "98765", "[1]"])
        let folder = try TemporaryFolder()
        let table = try #require(FileOpener().open(path: folder.file("x.arrow", bytes: arrow)).snapshot() as? any ColumnarTable)
        #expect((0..<4).map { table.textForm(ofColumn: $0) == .declaredJSON } == [false, false, false, true])
        try table.scanColumns(0..<1, columns: [1, 2]) { batch in
            let areIntegers = batch.columns.map { if case .integers = $0.values { true } else { false } }
            #expect(areIntegers == [false, true])
            return false
        }
    }

    @Test("18.10: rows are written in any order, with little memory and on several threads", arguments: [1, 2], [nil, 1 << 20])
    func rowsAreWrittenInAnyOrder(threads: Int, memory: Int?) throws {
        var random = SplitMix64(seed: 7)
        let rows = (0..<30_000).map { row -> [String?] in
            let text = String(repeating: "x", count: Int.random(in: 0...300, using: &random) * (row % 50 == 0 ? 3 : 0)) + "\(row % 13)"
            return ["\(30_000 - row)", text, "2024-01-\(10 + row % 20)", row % 7 == 0 ? nil : "\(row).5"]
        }
        let content = "key,text,day,price\n" + rows.map { $0.map { $0 ?? "" }.joined(separator: ",") + "\n" }.joined()
        for isSorted in [false, true] {
            let bytes = try write(content) {
                ($0.threads, $0.memory) = (threads, memory)
                if isSorted { $0.sort = [SortRequest(ColumnReference("key"))] }
            }
            #expect(try read(bytes).rows == (isSorted ? rows.reversed() : rows))
        }
    }

    @Test("18.10: typed output has one record for each collapsed group, or for each column with --stats")
    func typedOutputHasOneRecordPerGroup() throws {
        let groups = try read(
            write("side,n\nB,1\nA,2\nB,5\n") {
                ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("side"))], true)
                $0.aggregates = [try! AggregateOption(text: "sum(n)")]
            })
        #expect(groups.titles == ["side", "count", "sum(n)"])
        #expect(groups.rows.sorted { $0[0]! < $1[0]! } == [["A", "1", "2"], ["B", "2", "6"]])
        let statistics = try BatchOutput.bytes(Array("side,n\nB,1\nA,2\nB,5\n".utf8), Self.arrow, statistics: true)
        let read = try read(statistics)
        #expect(read.rows.map { $0[0] } == ["side", "n"] && read.rows.map { $0[2] } == ["3", "3"])
        #expect(read.titles.contains("most_frequent"))
    }

    /// 70,000 whole numbers with one that has a leading zero, after all samples.
    private static let lateZero = "code,n\n" + (1...70_000).map { "\($0 == 68_500 ? "0200" : "\($0)"),1\n" }.joined()

    @Test("18.10: leading zeros that only a late row has are kept in typed files, as in JSON", arguments: writableFormats.indices)
    func lateLeadingZerosAreKept(format: Int) throws {
        let typed = writableFormats[format]
        let bytes = try BatchOutput.bytes(Array(Self.lateZero.utf8), .typed(typed))
        let again = try BatchOutput.bytes(bytes, .text(.csv), name: "in.\(typed.name)")
        #expect(String(decoding: again, as: UTF8.self) == Self.lateZero)
        let json = try BatchOutput.text(Self.lateZero, .jsonl).split(separator: "\n")
        #expect(json[68_499] == #"{"code": "0200", "n": 1}"# && json[68_500] == #"{"code": 68501, "n": 1}"#)
    }

    /// JSON Lines in which one string that looks like a number follows 70,000 numbers, after all samples.
    private static let lateString = (1...70_000).map { "{\"n\": \($0 == 68_500 ? "\"68500\"" : "\($0)"), \"m\": \($0)}\n" }.joined()

    @Test("T2, 18.3, 18.10: a string that only a late row has is text in typed files and in SQL, unless the user chooses the type")
    func lateStringsAreTextInTypedFiles() throws {
        func written(_ format: FileFormat, _ types: [(ColumnReference, ColumnType)] = []) throws -> [UInt8] {
            try BatchOutput.bytes(Array(Self.lateString.utf8), format, name: "in.jsonl") { $0.types = types }
        }
        let chosen = [(ColumnReference("n"), ColumnType(.integer))]
        let text = try read(written(Self.arrow))
        #expect(text.titles == ["n", "m"] && text.rows.count == 70_000 && text.rows[68_499] == ["68500", "68500"])
        func types(_ bytes: [UInt8]) throws -> [Bool] {
            let folder = try TemporaryFolder()
            let table = try #require(FileOpener().open(path: folder.file("x.arrow", bytes: bytes)).snapshot() as? any ColumnarTable)
            var areIntegers: [Bool] = []
            try table.scanColumns(0..<1, columns: [0, 1]) { batch in
                areIntegers = batch.columns.map { if case .integers = $0.values { true } else { false } }
                return false
            }
            return areIntegers
        }
        #expect(try types(written(Self.arrow)) == [false, true] && types(written(Self.arrow, chosen)) == [true, true])
        func statement(_ types: [(ColumnReference, ColumnType)] = []) throws -> String {
            String(decoding: try written(.text(.sql), types), as: UTF8.self).split(separator: "\n").map(String.init)[68_499]
        }
        #expect(try statement().hasSuffix("VALUES ('68500', 68500);") && statement(chosen).hasSuffix("VALUES (68500, 68500);"))
    }

    @Test("18.3, 18.9: strings, arrays and nulls of many JSON files stay what they are in JSON and SQL")
    func valuesOfManyJSONFilesKeepTheirTypes() throws {
        func written(_ format: OutputFormat, _ files: [String]) throws -> [String] {
            let folder = try TemporaryFolder()
            for (number, text) in files.enumerated() { _ = try folder.file("\(number).jsonl", text) }
            let options = LaunchOptions()
            let document = try Document(FileOpener().open(path: folder.path(of: "*.jsonl")), options: options)
            let bytes = try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format))).bytes
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let few = ["{\"a\": \"7\", \"l\": [1]}\n", "{\"a\": 8, \"b\": null}\n"]
        #expect(
            try written(.jsonl, few) == [##"{"file": "0.jsonl", "a": "7", "l": [1]}"##, ##"{"file": "1.jsonl", "a": 8, "b": null}"##])
        let statements = try written(.sql, ["{\"n\": 1, \"m\": 1}\n", Self.lateString, "{\"n\": 1, \"m\": 1}\n"])
        #expect(statements.count == 70_002 && statements[0].hasSuffix(", 1, 1);") && statements[68_500].hasSuffix(", '68500', 68500);"))
    }

    /// The last two columns have JSON text, and its values.
    private static let mixedTypes = """
        {"n": 1, "f": true, "d": 1609466400, "s": "x", "o": "{\\"k\\": 5}"}
        {"n": "77", "f": "true", "d": "1609466400", "s": "5", "o": "{\\"k\\": \\"5\\"}"}
        {"n": " ", "f": "", "d": null, "s": "", "o": "{}"}

        """

    @Test("18.3: SQL of output and copies quotes strings of JSON in columns of numbers, flags and dates, but not blanks and other values")
    func sqlOfOutputAndCopiesQuotesStrings() throws {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        options.derivedColumns = ["k = json(o, 'k')"]
        let input = try options.files.open(path: folder.file("t.jsonl", Self.mixedTypes))
        try input.readAll(threads: 1) { _ in true }
        let document = try Document(input, options: options)
        // The columns get the types that they would have if the sample had no strings.
        let kinds: [String: ValueKind] = ["n": .integer, "f": .flag, "d": .dateTime, "k": .integer]
        let columns = document.columns.map { column in
            var column = column
            column.kind = kinds[column.title] ?? .text
            if column.title == "d" { column.dateNotation = .epochSeconds }
            return column
        }
        #expect(columns.map(\.title) == ["n", "f", "d", "s", "o", "k"])
        let (table, rows) = (document.source.snapshot, RowOrder.natural(count: 3))
        func statements(of bytes: [UInt8]) -> [String] {
            String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
                String(line.drop { $0 != "(" }.dropFirst().drop { $0 != "(" })
            }
        }
        for chosen in [[], [columns[0].id]] as [Set<ColumnID>] {
            let expected = [
                "(1, true, 1609466400, 'x', '{\"k\": 5}', 5);",
                "(\(chosen.isEmpty ? "'77'" : "77"), 'true', '1609466400', '5', '{\"k\": \"5\"}', '5');",
                "(NULL, NULL, NULL, '', '{}', NULL);",
            ]
            let output = ViewOutput(
                input: document.input, table: table, columns: columns, allColumns: columns, chosenTypes: chosen, rows: rows, tree: nil,
                format: .text(.sql), threads: 2, memory: 1 << 20)
            var (sink, notes) = (OutputSink(byteLimit: .max), OutputNotes(.text(.sql)))
            try output.writeRows(at: [0..<3], &notes, &sink, JobControl())
            #expect(statements(of: sink.buffer) == expected)
            let copy = CopyWork(
                table: table, tail: nil, rows: rows, cells: CopiedCells(columns, rows: [0..<3]),
                content: .rows(RowFormat(.sql, columns: columns)), chosenTypes: chosen)
            guard case .text(let bytes, _) = try copy.run(JobControl()) else { return #expect(Bool(false), "nothing was copied") }
            #expect(statements(of: bytes) == expected)
        }
    }

    @Test("D10, 18.3: a copy of several ranges as JSON has the values of the file in the copied cells only")
    func copyOfSeveralRangesAsJSONHasValues() throws {
        let content = """
            {"a": 1, "b": null, "c": 0}
            {"a": 4, "b": 5, "c": 0}
            {"a": 7, "b": "8", "c": 0}
            {"a": 10, "b": [11], "c": 0}

            """
        let pilot = try Pilot(content, name: "in.jsonl")
        pilot.press("v l z+ j j S-Down zy")
        pilot.type("JSON")
        pilot.press("Enter")
        #expect(pilot.clip == "[\n  {\"a\": 1, \"b\": null},\n  {\"b\": \"8\"},\n  {\"b\": [11]}\n]\n", "\(pilot.message)")
    }

    @Test("18.10: a number is text in typed files if and only if JSON writes its leading zeros as text")
    func typedFilesTreatNumbersLikeJSON() throws {
        let numbers = ["0", "-0", "0.5", "-0.5", "10", "100.05", "(0.5)", "10-", "1" + String(repeating: "0", count: 30)]
        for text in numbers + ["00", "007", "-007", "00.5", "-00.5", "0200", "(007)", "07-"] {
            let content = "n\n12\n3.5\n\(text)\n"
            let written = try read(write(content))
            let isText = written.kinds == [.text]
            #expect(isText != numbers.contains(text) && (!isText || written.rows == [["12"], ["3.5"], [text]]), "\(written)")
            #expect(try BatchOutput.text(content, .jsonl).contains("\"\(text)\"") == isText, "\(text)")
        }
    }

    @Test("18.10: columns that the user reads as numbers stay numbers in typed files, although leading zeros are lost")
    func chosenNumbersStayNumbers() throws {
        let types = [(ColumnReference("code"), ColumnType(.integer))]
        let chosen = try read(write(Self.lateZero) { $0.types = types })
        #expect(chosen.kinds == [.integer, .integer] && chosen.rows[68_499] == ["200", "1"])
        // Groups and lists of values have the same types as rows.
        let content = "code,n\n100,1\n1000,2\n0200,3\n0200,4\n"
        let cases: [([(ColumnReference, ColumnType)], String, ValueKind)] = [([], "0200", .text), (types, "200", .integer)]
        for (types, code, kind) in cases {
            let groups = try read(
                write(content) {
                    ($0.groups, $0.isCollapsed, $0.types) = ([GroupRequest(ColumnReference("code"))], true, types)
                })
            #expect(groups.kinds[0] == kind && groups.rows.contains { $0[0] == code }, "\(groups)")
            var options = LaunchOptions()
            options.types = types
            let pilot = try Pilot(content, size: (100, 24), options: options, name: "in.csv")
            export(pilot, to: "rows.arrow")
            let rows = try read(bytes(pilot, "rows.arrow"))
            #expect(rows.kinds[0] == kind && rows.rows.map { $0[0] } == ["100", "1000", code, code], "\(rows)")
            pilot.press("F")
            export(pilot, to: "values.arrow")
            let values = try read(bytes(pilot, "values.arrow"))
            #expect(values.kinds[0] == kind && values.rows.contains { $0[0] == code }, "\(values)")
        }
    }

    @Test("18.10: an Arrow file is written again with the same types and values") func arrowFileIsWrittenAgainWithSameTypes() throws {
        let content = """
            i,d,t,z,c,f,s,e
            1,2024-02-29,2024-01-01 10:00:00.000000123,2024-01-01 10:00:00Z,12:30:00,true,"",1e-300
            -9223372036854775808,0001-01-01,,2024-01-01 10:00:00.5Z,,false,ä,0.1
            ,,2262-01-01 00:00:00,,23:59:59.999999,,x,nan

            """
        let first = try write(content)
        let second = try BatchOutput.bytes(first, Self.arrow, name: "in.arrow")
        #expect(second == first && first.count > 1_000)
        #expect(try read(second).kinds == [.integer, .date, .dateTime, .dateTime, .time, .flag, .text, .decimal])
    }

    @Test("18.10: columns of arrays and objects are declared as JSON in each copy") func nestedColumnsAreDeclaredAsJSON() throws {
        let content = #"""
            {"a": [1, 2], "text": "[1]", "python": [NaN], "mixed": [1]}
            {"a": null, "text": "[2]", "python": [1], "mixed": "x"}

            """#
        func forms(_ bytes: [UInt8]) throws -> [TextForm] {
            let folder = try TemporaryFolder()
            let table = try #require(FileOpener().open(path: folder.file("x.arrow", bytes: bytes)).snapshot() as? any ColumnarTable)
            return (0..<table.columnCount).map { table.textForm(ofColumn: $0) }
        }
        let first = try BatchOutput.bytes(Array(content.utf8), Self.arrow, name: "in.jsonl")
        #expect(try read(first).titles == ["a", "text", "python", "mixed"])
        #expect(try forms(first) == [.declaredJSON, .plain, .plain, .plain])
        #expect(try BatchOutput.bytes(first, Self.arrow, name: "in.arrow") == first)
    }

    @Test("18.10: notes name the columns whose values get another type in the written file") func notesNameConvertedColumns() throws {
        func notes(_ bytes: [UInt8], _ name: String, _ format: String) throws -> [String] {
            let folder = try TemporaryFolder()
            let typed = try #require(writableFormats.first { $0.name == format })
            let document = try Document(FileOpener().open(path: folder.file(name, bytes: bytes)), options: LaunchOptions())
            let found = try BatchOutput.result(of: BatchRun(document, options: LaunchOptions(), format: .typed(typed))).notes
            #expect(!found.hasLosses)
            return found.lines
        }
        let content = #"{"a":[1],"b":{},"c":[],"d":[2],"e":[],"t":"2024-01-02T03:04:05Z"}"# + "\n"
        let nested = "in.jsonl: arrays and objects are written as JSON text: “a”, “b”, “c” and 2 more."
        #expect(try notes(Array(content.utf8), "in.jsonl", "arrow") == [nested])
        #expect(
            try notes(Array(content.utf8), "in.jsonl", "xlsx") == [nested, "in.jsonl: times are written in UTC without their zone: “t”."])
        let copy = try BatchOutput.bytes(Array(content.utf8), Self.arrow, name: "in.jsonl")
        #expect(try notes(copy, "in.arrow", "parquet") == [])
        let column = WrittenColumn(name: "x", type: .binary, hasNulls: false)
        for format in ["arrow", "sqlite"] {
            var binary: [UInt8] = []
            let output = try #require(writableFormats.first { $0.name == format })
            var writer = try output.makeWriter([column], rowCount: 1, table: "t") { binary.append(contentsOf: $0) }
            try [UInt8(0xFF)].withUnsafeBufferPointer { bytes in
                try [FieldBytes(start: bytes.baseAddress, count: 1)].withUnsafeBufferPointer {
                    try writer.write(ColumnBatch(first: 0, count: 1, columns: [ColumnVector(.texts($0.baseAddress!))]))
                }
            }
            try writer.finish()
            let sentence = "binary values are written as text or as hexadecimal digits"
            let found = try notes(binary, "in.\(format)", "parquet")
            // The only table of a database is named instead of the file.
            #expect(found == ["\(format == "sqlite" ? "t" : "in.arrow"): \(sentence): “x”."])
        }
    }

    @Test("18.10: notes name the columns whose numbers become text, and the reason", arguments: [1, 2])
    func notesNameColumnsWhoseNumbersBecomeText(threads: Int) throws {
        func notes(_ content: String, _ format: String, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> [String] {
            let folder = try TemporaryFolder()
            let typed = try #require(writableFormats.first { $0.name == format })
            var options = LaunchOptions()
            options.threads = threads
            change(&options)
            let document = try Document(options.files.open(path: folder.file("in.csv", content)), options: options)
            let found = try BatchOutput.result(of: BatchRun(document, options: options, format: .typed(typed))).notes
            #expect(!found.hasLosses)
            return found.lines
        }
        let start = "in.csv: numbers are written as text, "
        let exact = "because SQLite does not store all of them exactly. "
        let rows = (1..<70_000).map { "\($0),0.\($0),\($0),\($0),\($0),\($0)\n" }.joined()
        let content = "a,b,c,d,e,f\n" + rows + "18446744073709551616,0.12345678901234567,n/a,007,1,9223372036854775807\n"
        let others = ["because their columns also have other values. Column: “c”.", "so that leading zeros are not lost. Column: “d”."]
            .map { start + $0 }
        #expect(try notes(content, "sqlite") == others + [start + exact + "Columns: “a”, “b”."])
        #expect(try notes(content, "parquet") == others)
        #expect(
            try notes(content, "xlsx") == others + [start + "because Excel does not store all of them exactly. Columns: “a”, “b”, “f”."])
        #expect(try notes(content, "sqlite") { $0.limit = 60_000 } == [])
        // 40 digits fit no type.
        let long = "n\n1.5\n" + String(repeating: "7", count: 40) + "\n"
        #expect(try notes(long, "arrow") == [start + "because no type of numbers keeps all of their digits. Column: “n”."])
        // Collapsed groups have a note about their records.
        let groups = try notes("k,n\na,1.5\na,2000000000000000.25\n", "sqlite") {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.aggregates = try! ["sum(n)", "mean(n)"].map { try AggregateOption(text: $0) }
        }
        #expect(groups == [start + exact + "Column: “sum(n)”."])
    }

    @Test("18.10: notes name the columns of JSON in which numbers become text next to strings", arguments: ["parquet", "sqlite"])
    func notesNameMixedColumnsOfJSON(format: String) throws {
        let typed = try #require(writableFormats.first { $0.name == format })
        let folder = try TemporaryFolder()
        func notes(_ name: String, _ bytes: [UInt8], _ types: [(ColumnReference, ColumnType)] = []) throws -> [String] {
            var options = LaunchOptions()
            options.types = types
            let document = try Document(options.files.open(path: folder.file(name, bytes: bytes)), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .typed(typed))).notes.lines
        }
        let sentence = "numbers are written as text, because their columns also have other values. Column: “n”."
        let json = Array((#"{"n": 1, "s": "7"}"# + "\n" + #"{"n": "many", "s": "x"}"# + "\n").utf8)
        #expect(try notes("in.jsonl", json) == ["in.jsonl: \(sentence)"])
        #expect(try notes("in.jsonl", json, [(ColumnReference("n"), ColumnType(.text))]) == [])
    }

    @Test("18.10: arrays and objects of JSON come back from typed files as they were", arguments: ["arrow", "parquet"])
    func arraysAndObjectsOfJSONComeBack(format: String) throws {
        let lines = [
            #"{"a": [1,{"k":null}], "o": "{}", "text": "[1]", "python": "[NaN]"}"#,
            #"{"a": null, "o": "\"x\"", "text": "null", "python": "1"}"#, #"{"a": ["N\u0007I\""], "o": "x", "text": "", "python": null}"#,
        ]
        let typed = try #require(writableFormats.first { $0.name == format })
        let first = try BatchOutput.bytes(Array(lines.map { $0 + "\n" }.joined().utf8), .typed(typed), name: "in.jsonl")
        let text = try BatchOutput.bytes(first, .text(.jsonl), name: "in.\(format)")
        #expect(String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init) == lines)
        // The file is written a second time, now from a file with declared columns.
        let second = try BatchOutput.bytes(first, .typed(typed), name: "in.\(format)")
        #expect(try BatchOutput.bytes(second, .text(.jsonl), name: "in.\(format)") == text)
    }

    /// An Arrow file with the columns `n`, `s` and `l`: whole numbers, structures of a number and a list, and lists of bytes.
    private static func nestedFile(rows: Int) throws -> [UInt8] {
        let byte = NestedField("item", .value(.integer(bits: 8, isSigned: false)), isOptional: false)
        let parts = NestedField("parts", .list(byte, size: nil), isOptional: true)
        let key = NestedField("key", .value(.integer(bits: 16, isSigned: true)), isOptional: true)
        let blob = NestedField("item", .value(.binary), isOptional: true)
        let columns = [
            WrittenColumn(name: "n", type: .integer, hasNulls: false),
            WrittenColumn(name: "s", type: .nested(.structure([key, parts])), hasNulls: true),
            WrittenColumn(name: "l", type: .nested(.list(blob, size: nil)), hasNulls: true),
        ]
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(value).littleEndian) { [NestedMarker.present] + $0 } }
        func structure(_ row: Int) -> [UInt8] {
            let list = (0..<row % 4).flatMap { number($0) } + [NestedMarker.end]
            return [NestedMarker.present] + (row % 3 == 0 ? [NestedMarker.null] : number(row))
                + (row % 5 == 0 ? [NestedMarker.null] : [NestedMarker.present] + list)
        }
        // The text has the digits that stand for a byte that is not text.
        let text = Array("0xff".utf8)
        let list: [UInt8] =
            [NestedMarker.present, NestedMarker.present, 4, 0, 0, 0] + text + [NestedMarker.present, 1, 0, 0, 0, 0xFF]
            + [NestedMarker.null, NestedMarker.end]
        let values = (0..<rows).map { row in [row % 7 == 0 ? nil : structure(row), row % 2 == 0 ? nil : list] }
        var bytes: [UInt8] = []
        var writer = try ArrowOutputFormat().makeWriter(columns, rowCount: rows, table: "t") { bytes.append(contentsOf: $0) }
        let fields = columns.enumerated().map { Field(FieldID(rawValue: $0), name: $1.name, kind: $0 == 0 ? .integer : .text) }
        let batcher = RowBatcher(columns, fields: fields) { try writer.write($0) }
        for (row, values) in values.enumerated() {
            let all: [[UInt8]?] = [Array("\(rows - row)".utf8)] + values
            let starts = all.reduce(into: [0]) { $0.append($0.last! + ($1?.count ?? 0)) }
            try all.flatMap { $0 ?? [] }.withUnsafeBufferPointer { memory in
                try zip(all, starts).map { value, start in
                    value.map { FieldBytes(start: memory.baseAddress! + start, count: $0.count) } ?? .missing
                }.withUnsafeBufferPointer { try batcher.append($0) }
            }
        }
        try batcher.finish()
        try writer.finish()
        return bytes
    }

    @Test("18.10: lists and structures keep their types and values through views, Parquet and Arrow")
    func listsAndStructuresKeepTheirTypes() throws {
        let first = try Self.nestedFile(rows: 1_000)
        #expect(try read(first).titles == ["n", "s.key", "s.parts", "l"])
        #expect(try BatchOutput.bytes(first, Self.arrow, name: "in.arrow") == first)
        let sorted = try BatchOutput.bytes(first, Self.arrow, name: "in.arrow") { $0.sort = [SortRequest(ColumnReference("n"))] }
        #expect(sorted != first)
        let parquet = try #require(writableFormats.first { $0.name == "parquet" })
        let copy = try BatchOutput.bytes(sorted, .typed(parquet), name: "in.arrow")
        var descending = SortRequest(ColumnReference("n"))
        descending.isDescending = true
        let back = try BatchOutput.bytes(copy, Self.arrow, name: "in.parquet") { $0.sort = [descending] }
        #expect(back == first)
    }

    @Test("18.10: a structure is written as columns if the view shows it partly, in another order or with other types")
    func partialStructureIsWrittenAsColumns() throws {
        let first = try Self.nestedFile(rows: 20)
        func written(_ change: (inout LaunchOptions) -> Void) throws -> (titles: [String], nested: [Range<Int>]) {
            let folder = try TemporaryFolder()
            let bytes = try BatchOutput.bytes(first, Self.arrow, name: "in.arrow", change)
            let source = try FileOpener().open(path: folder.file("x.arrow", bytes: bytes))
            let table = try #require(source.snapshot() as? any ColumnarTable)
            return ((0..<table.columnCount).map { source.title(ofColumn: $0) }, table.nestedColumns.map(\.columns))
        }
        #expect(try written { _ in }.nested == [1..<3, 2..<3, 3..<4])
        #expect(try written { $0.columns = BatchOutput.columns("n", "s.key", "l") }.nested == [2..<3])
        #expect(try written { $0.columns = BatchOutput.columns("s.parts", "s.key") }.nested == [0..<1])
        let typed = try written { $0.types = [(ColumnReference("s.key"), ColumnType(.text))] }
        #expect(typed.titles == ["n", "s.key", "s.parts", "l"])
        #expect(typed.nested == [2..<3, 3..<4])
    }

    @Test("18.10: JSON output has valid text that is declared as JSON as its value", arguments: ["arrow", "parquet"])
    func declaredJSONIsWrittenAsValue(format: String) throws {
        let typed = try #require(writableFormats.first { $0.name == format })
        let texts = [#"[1, {"k": null}]"#, "{bad", "1", "", "[1] x", "null", #""x""#]
        let values = [#"[1, {"k": null}]"#, #""{bad""#, "1", #""""#, #""[1] x""#, "null", #""x""#]
        let count = 7_000
        var bytes: [UInt8] = []
        let columns = [
            WrittenColumn(name: "j", type: .text, hasNulls: false, isJSON: true), WrittenColumn(name: "n", type: .integer, hasNulls: false),
        ]
        var writer = try typed.makeWriter(columns, rowCount: count, table: "t") { bytes.append(contentsOf: $0) }
        let numbers = (0..<count).map { Int64(count - $0) }
        try FieldBytes.withFields(of: (0..<count).map { texts[$0 % texts.count] }) { fields in
            try numbers.withUnsafeBufferPointer { numbers in
                let vectors = [ColumnVector(.texts(fields.baseAddress!)), ColumnVector(.integers(numbers.baseAddress!, scale: 0))]
                try writer.write(ColumnBatch(first: 0, count: count, columns: vectors))
            }
        }
        try writer.finish()
        let lines = (0..<count).map { "{\"j\": \(values[$0 % values.count]), \"n\": \(count - $0)}\n" }
        for sort in [[], [try SortRequest(text: "n")]] {
            let text = try BatchOutput.bytes(bytes, .text(.jsonl), name: "in.\(format)") { $0.sort = sort }
            #expect(String(decoding: text, as: UTF8.self) == (sort.isEmpty ? lines : lines.reversed()).joined())
        }
    }

    @Test("18.10: 32-bit numbers are written as 32-bit numbers") func floatsStay32Bit() throws {
        var first: [UInt8] = []
        let column = WrittenColumn(name: "f", type: .float, hasNulls: false)
        var writer = try ArrowOutputFormat().makeWriter([column], rowCount: 3, table: "t") { first.append(contentsOf: $0) }
        // The double nearest to the text of the last number is halfway between two 32-bit numbers.
        try [0.1, -2.5, Double(Float(bitPattern: 0x15AE_43FD))].withUnsafeBufferPointer {
            try writer.write(ColumnBatch(first: 0, count: 3, columns: [ColumnVector(.doubles($0.baseAddress!))]))
        }
        try writer.finish()
        #expect(try read(first).rows == [["0.1"], ["-2.5"], ["7.038531e-26"]])
        #expect(try BatchOutput.bytes(first, Self.arrow, name: "in.arrow") == first)
    }

    @Test("18.6, 18.10: columns of floating-point numbers keep their type, even if the first value is missing or there are no rows")
    func columnsOfFloatingPointNumbersKeepTheirType() throws {
        for rows in [3, 0] {
            var first: [UInt8] = []
            let columns = ["a", "b"].map { WrittenColumn(name: $0, type: .double, hasNulls: true) }
            let sqlite = try #require(writableFormats.first { $0.name == "sqlite" })
            var writer = try sqlite.makeWriter(columns, rowCount: rows, table: "t") { first.append(contentsOf: $0) }
            try [0, 1.0 / 3, 9.5].withUnsafeBufferPointer { values in
                try [UInt8(0), 1, 1].withUnsafeBufferPointer { presence in
                    let vectors = [
                        ColumnVector(.doubles(values.baseAddress!), presence: presence.baseAddress),
                        ColumnVector(.doubles(values.baseAddress!)),
                    ]
                    if rows > 0 { try writer.write(ColumnBatch(first: 0, count: rows, columns: vectors)) }
                }
            }
            try writer.finish()
            for (name, format) in [("sqlite", "db"), ("arrow", "arrow"), ("parquet", "parquet")] {
                let typed = try #require(writableFormats.first { $0.name == name })
                let copy = try BatchOutput.bytes(first, .typed(typed), name: "in.db")
                let written = try read(copy, name: "x.\(format)")
                #expect(written.kinds == [.decimal, .decimal], "\(name)")
                let third = "0.3333333333333333"
                #expect(written.rows == (rows == 0 ? [] : [[nil, "0.0"], [third, third], ["9.5", "9.5"]]), "\(name)")
                let folder = try TemporaryFolder()
                let source = try FileOpener().open(path: folder.file("x.\(format)", bytes: copy))
                let table: any Table = source.snapshot()
                #expect((0..<2).map { table.numberStorage(ofColumn: $0) } == [.double, .double], "\(name)")
            }
        }
    }

    /// For each column of a written file, true if it is declared as doubles.
    private func areDoubles(_ bytes: [UInt8], name: String) throws -> [Bool] {
        let folder = try TemporaryFolder()
        let table: any Table = try FileOpener().open(path: folder.file(name, bytes: bytes)).snapshot()
        return (0..<table.columnCount).map { table.numberStorage(ofColumn: $0) == .double }
    }

    @Test(
        "18.10: means, quotients and shares are doubles if no digit is lost, and sums and rounded numbers stay exact",
        arguments: ["db", "arrow", "parquet"])
    func meansAreDoublesIfExactAndSumsAreExact(suffix: String) throws {
        let typed = try #require(writableFormats.first { $0.suffixes.contains(suffix) })
        let (name, content) = ("x.\(suffix)", "k,n,p,m\na,1,0.1,9007199254740993\na,2,0.25,9007199254740993\na,2,3,9007199254740994\n")
        func written(_ content: [UInt8], _ input: String, _ change: (inout LaunchOptions) -> Void) throws -> [UInt8] {
            try BatchOutput.bytes(content, .typed(typed), name: input, change)
        }
        let groups = try written(Array(content.utf8), "in.csv") {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.aggregates = try! ["mean(n)", "stddev(n)", "share(n)", "median(m)", "mean(m)", "sum(p)"].map {
                try AggregateOption(text: $0)
            }
        }
        #expect(try areDoubles(groups, name: name) == [false, false, true, true, true, false, false, false])
        #expect(
            try read(groups, name: name).rows.map { [$0[2], $0[5], $0[6]] }
                == [["1.6666666666666667", "9007199254740993", "9007199254740993.333333"]])
        let rows = try written(Array(content.utf8), "in.csv") {
            $0.derivedColumns = ["q = n / 3", "r = round(n / 3, 2)", "s = p * n", "t = if(n > 1, n / 3, p)"]
        }
        #expect(try areDoubles(rows, name: name) == [false, false, false, false, true, false, false, true])
        let third = "0.3333333333333333"
        #expect(try read(rows, name: name).rows.map { $0[4] } == [third, "0.6666666666666666", "0.6666666666666666"])
        let long = try written(Array("cents\n1234567890123456789\n5\n".utf8), "in.csv") { $0.derivedColumns = ["q = cents / 100"] }
        #expect(try read(long, name: name).rows.map { $0[1] } == ["12345678901234567.89", "0.05"])
        // Results of doubles of a file are doubles, too, although the decimal sum 1.6666666666666666 has more digits.
        let again = try written(rows, name) {
            $0.columns = BatchOutput.columns("q", "u", "v", "w")
            $0.derivedColumns = ["u = q + 1", "v = round(q, 1)", "w = q * 2"]
        }
        #expect(try areDoubles(again, name: name) == [true, true, false, true])
        #expect(try read(again, name: name).rows.map { $0[1] } == ["1.3333333333333333", "1.6666666666666665", "1.6666666666666665"])
        let sums = try written(rows, name) {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.aggregates = try! ["sum(q)", "max(q)", "max(n)"].map { try AggregateOption(text: $0) }
        }
        #expect(try areDoubles(sums, name: name) == [false, false, true, true, false])
    }

    @Test(
        "18.10: numbers computed from integers are integers, and a sum beyond 64 bits keeps all digits",
        arguments: ["db", "arrow", "parquet"])
    func numbersComputedFromIntegersAreIntegers(suffix: String) throws {
        let typed = try #require(writableFormats.first { $0.suffixes.contains(suffix) })
        let content = "k,n,p,m\n" + (0..<3_003).map { "\($0 % 3),\($0),0.5,9223372036854775807\n" }.joined()
        func kinds(_ change: (inout LaunchOptions) -> Void) throws -> (kinds: [ValueKind], rows: [[String?]]) {
            let file = try read(BatchOutput.bytes(Array(content.utf8), .typed(typed), change), name: "x.\(suffix)")
            return (file.kinds, file.rows)
        }
        let rows = try kinds {
            $0.columns = BatchOutput.columns("d", "e", "f")
            $0.derivedColumns = ["d = n * 2", "e = d - floor(p)", "f = n * p"]
        }
        #expect(rows.kinds == [.integer, .integer, .decimal] && rows.rows[3_001] == ["6002", "6002", "1500.5"])
        let groups = try kinds {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.derivedColumns = ["d = n * 2"]
            $0.aggregates = try! ["sum(n)", "min(n)", "max(n)", "sum(d)", "sum(p)", "sum(m)"].map { try AggregateOption(text: $0) }
        }
        #expect(groups.kinds.prefix(6) == [.integer, .integer, .integer, .integer, .integer, .integer] && groups.kinds[6] == .decimal)
        let sum = "9232595408891630582807"
        #expect(groups.rows.first == ["0", "1001", "1501500", "0", "3000", "3003000", "500.5", sum], "\(groups.rows)")
    }

    @Test("18.10: SQLite has reals if they keep all digits of long numbers, otherwise the text in the file")
    func sqliteHasRealsIfTheyKeepAllDigits() throws {
        let sqlite = try #require(writableFormats.first { $0.name == "sqlite" })
        let content = "a,b,c\n1.50,1.50,1.50\n-.5,0.3333333333333333,7\n1000000000000000.125,12345678901234.5,9999999999999.9\n"
        let written = try BatchOutput.bytes(Array(content.utf8), .typed(sqlite))
        let rows = try read(written, name: "x.db").rows
        #expect(rows.map { $0[0] } == ["1.50", "-.5", "1000000000000000.125"])
        #expect(rows.map { $0[1].flatMap(Double.init) } == [1.5, 0.3333333333333333, 12345678901234.5])
        #expect(rows.map { $0[2].flatMap(Double.init) } == [1.5, 7, 9999999999999.9])
        #expect(try areDoubles(written, name: "x.db") == [false, true, false])
    }

    @Test("18.7, 18.10: flags of a workbook are flags in filters and in typed output") func workbookFlagsStayFlags() throws {
        func format(_ name: String) throws -> FileFormat { .typed(try #require(writableFormats.first { $0.name == name })) }
        let workbook = try BatchOutput.bytes(Array("k,flag\na,true\nb,false\nc,\n".utf8), format("xlsx"))
        func output(_ format: FileFormat, _ filters: [String] = []) throws -> [UInt8] {
            try BatchOutput.bytes(workbook, format, name: "in.xlsx") { $0.filters = filters }
        }
        let lines = [#"{"k": "a", "flag": true}"#, #"{"k": "b", "flag": false}"#, #"{"k": "c", "flag": null}"#]
        #expect(String(decoding: try output(.text(.jsonl)), as: UTF8.self) == lines.map { $0 + "\n" }.joined())
        for filter in ["flag", "flag = true", "flag = 1"] {
            #expect(String(decoding: try output(.text(.jsonl), [filter]), as: UTF8.self) == lines[0] + "\n", "\(filter)")
        }
        #expect(try read(output(format("parquet")), name: "x.parquet").kinds == [.text, .flag])
        #expect(try read(output(format("sqlite")), name: "x.db").rows == [["a", "1"], ["b", "0"], ["c", nil]])
    }

    @Test("18.10: bytes that are not UTF-8 are kept as binary values, and lost ones are reported")
    func invalidBytesAreKeptAsBinary() throws {
        let content = Array("a,b\nx,".utf8) + [0xFF, 0x0A] + Array("y,z\n".utf8)
        let bytes = try BatchOutput.bytes(content, Self.arrow)
        #expect(!bytes.isEmpty)
        func notes(_ format: FileFormat) throws -> OutputNotes {
            let folder = try TemporaryFolder()
            let options = LaunchOptions()
            let document = try Document(FileOpener().open(path: folder.file("in.csv", bytes: content)), options: options)
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("out", bytes: [])))
            return try BatchRun(document, options: options, format: format).write(to: handle.fileDescriptor)
        }
        // The content is read as UTF-8 with an invalid byte, or in another encoding, in which it is valid.
        #expect(try notes(Self.arrow).hasLosses == false)
        let lossy = try notes(.typed(CountingFormat(keepsInvalidText: false)))
        #expect(lossy.hasLosses == (try notes(.text(.json)).hasLosses))
    }

    // MARK: Exports

    private func pilot(_ content: String, keys: String = "") throws -> Pilot {
        let pilot = try Pilot(content, size: (100, 24), name: "in.csv")
        pilot.press(keys)
        return pilot
    }

    private func export(_ pilot: Pilot, to name: String, keys: String = "Enter") {
        pilot.press("zs C-u")
        pilot.type(name)
        pilot.press(keys)
    }

    private func bytes(_ pilot: Pilot, _ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: pilot.folder.path(of: name)).map(Array.init) ?? []
    }

    @Test("18.10: an export of a typed file has the bytes of batch output", arguments: ExportTests.views.indices)
    func typedExportEqualsBatchOutput(view: Int) throws {
        let pilot = try pilot(ExportTests.table, keys: ExportTests.views[view].keys)
        let expected = try write(ExportTests.table, ExportTests.views[view].options)
        for name in ["out.arrow", "out.FEATHER"] {
            export(pilot, to: name)
            #expect(bytes(pilot, name) == expected && !expected.isEmpty, "\(pilot.screen)")
            #expect(pilot.state.message?.id == .exported)
        }
    }

    @Test("18.10: an export of a selection has the selected cells, and an export of values has their counts")
    func exportOfSelectionHasSelectedCells() throws {
        let pilot = try pilot(ExportTests.table, keys: "l v z+ j l S-Down")
        export(pilot, to: "out.arrow")
        let selected = try read(bytes(pilot, "out.arrow"))
        #expect(selected.rows.allSatisfy { $0.contains(nil) } && !selected.rows.isEmpty)
        let values = try self.pilot("side,n\nB,1\nA,2\nB,5\n", keys: "F")
        export(values, to: "values.arrow")
        let read = try read(bytes(values, "values.arrow"))
        #expect(read.titles == ["side", "count", "share %"] && read.kinds == [.text, .integer, .decimal])
        #expect(Set(read.rows) == [["B", "2", "66.6667"], ["A", "1", "33.3333"]], "\(values.screen)")
    }

    @Test("18.3: an export of a selection has the arrays, nulls and empty texts of JSON") func selectedJSONKeepsArraysAndNulls() throws {
        let lines = [#"{"id": 1, "a": [1,2], "n": ""}"#, #"{"id": 2, "a": null, "n": 5}"#, #"{"id": 3, "n": 6}"#]
        let content = lines.joined(separator: "\n") + "\n"
        let pilot = try Pilot(content, size: (100, 24), name: "in.jsonl")
        pilot.press("S-Down S-Down S-Right S-Right")
        export(pilot, to: "out.jsonl")
        #expect(String(decoding: bytes(pilot, "out.jsonl"), as: UTF8.self) == content, "\(pilot.screen)")
    }

    @Test("18.10: a cancelled export of a typed file leaves no file", arguments: ["", "["])
    func cancelledExportOfTypedFileLeavesNoFile(keys: String) throws {
        let pilot = try pilot(ExportTests.large, keys: keys)
        let document = pilot.session.document
        let output = ViewOutput(
            input: document.input, table: document.source.snapshot, columns: document.columns, allColumns: document.columns,
            rows: pilot.state.grid.rows, tree: nil, format: Self.arrow, threads: 2, memory: 1 << 18)
        for limit in [20_000, 70_000] {
            let control = JobControl(watch: { if $0.completed > limit { $0.cancel() } })
            let file = try ExportFile(for: ExportTarget(pilot.folder.path(of: "out.arrow")))
            #expect(throws: JobCancelled.self) {
                try UnfinishedFiles().with(file) { try ExportWork(output: output, content: .view).run(to: $0, control) }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: pilot.folder.path) == ["in.csv"])
        }
    }

    @Test("18.10: an error of a format is shown, and leaves no file") func errorOfFormatIsShown() throws {
        let pilot = try pilot("a\n1\n")
        let document = pilot.session.document
        let output = ViewOutput(
            input: document.input, table: document.source.snapshot, columns: document.columns, allColumns: document.columns,
            rows: pilot.state.grid.rows, tree: nil, format: .typed(CountingFormat(maximumRows: 0)), threads: 1, memory: 1 << 18)
        let file = try ExportFile(for: ExportTarget(pilot.folder.path(of: "out.count")))
        #expect(throws: CountingFormat.TooManyRows.self) {
            try UnfinishedFiles().with(file) { try ExportWork(output: output, content: .view).run(to: $0, JobControl()) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: pilot.folder.path) == ["in.csv"])
    }

    // MARK: Compression

    @Test("18.10: the suffix selects the compression of text, which is equal after decoding", arguments: writableCompressions.indices)
    func suffixSelectsCompressionOfText(codec: Int) throws {
        let compression = writableCompressions[codec]
        let pilot = try pilot(ExportTests.large, keys: "[")
        let name = "out.csv.\(compression.suffix)"
        export(pilot, to: name)
        #expect(pilot.state.message?.id == .exported, "\(pilot.screen)")
        let written = bytes(pilot, name)
        let plain = try BatchOutput.bytes(Array(ExportTests.large.utf8), .csv) { $0.sort = [SortRequest(ColumnReference("key"))] }
        #expect(written.count < plain.count / 2 && written.count > 1_000)
        // The decoded text is written as plain text, and compressed again as it was.
        #expect(try BatchOutput.bytes(written, .text(.csv), name: name) == plain)
        #expect(try BatchOutput.bytes(written, .text(.csv).compressed(with: compression), name: name) == written)
    }

    @Test("18.10: the suffixes decide the format and the compression") func suffixesDecideFormatAndCompression() {
        let formats = FileFormats(FileOpener())
        let known: [(String, String?, String?)] = [
            ("a.csv.gz", "csv", "gzip"), ("/x.y/a.JSONL.ZST", "jsonl", "zstd"), ("a.md.xz", "markdown", "xz"),
            ("a.txt.bz2", "text", "bzip2"),
            ("a.b.html.lz4", "html", "lz4"), ("a.arrow", "arrow", nil), ("a.feather", "arrow", nil), ("a.arrow.gz", nil, nil),
            ("a.gz", nil, nil), (".csv.gz", nil, nil), ("csv.gz", nil, nil), ("a.csv.br", nil, nil), ("a.csv.gz/", nil, nil),
        ]
        for (name, format, compression) in known {
            let found = formats.format(fileName: name)
            #expect(found?.name == format && found?.compression?.name == compression, "\(name)")
        }
        #expect(formats.choices(fileName: "a.gz").map(\.title).first == "text with gzip")
        #expect(formats.choices(fileName: "a.gz").count == OutputFormat.allCases.count)
        #expect(FileFormats(nil).all.count == OutputFormat.allCases.count)
    }

    @Test("18.10: the prompt names the format and the compression, and a list offers both") func promptNamesFormatAndCompression() throws {
        let pilot = try pilot("a\n1\n")
        export(pilot, to: "out.csv.gz", keys: "")
        #expect(pilot.line(22).hasPrefix(" All 1 row as CSV with gzip."))
        pilot.press("Escape")
        export(pilot, to: "out.arrow", keys: "")
        #expect(pilot.line(22).hasPrefix(" All 1 row as Arrow.") && !pilot.line(23).contains("spreadsheets"))
        pilot.press("Escape")
        export(pilot, to: "out.gz")
        pilot.type("TSV")
        pilot.press("Enter")
        #expect(try BatchOutput.bytes(bytes(pilot, "out.gz"), .text(.tsv), name: "x.tsv.gz") == Array("a\n1\n".utf8))
    }
}

/// A format that writes the number of rows only.
private struct CountingFormat: WritableFormat {
    struct TooManyRows: TableError { let message = "Too many rows. Choose another format." }

    var keepsInvalidText = true
    var maximumRows = Int.max
    var name: String { "count" }
    var suffixes: [String] { ["count"] }

    func makeWriter(
        _ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput
    ) throws -> any TableWriter {
        guard rowCount <= maximumRows else { throw TooManyRows() }
        return Writer(output: output)
    }

    struct Writer: TableWriter {
        let output: FileOutput
        var count = 0
        mutating func write(_ batch: ColumnBatch) { count += batch.count }
        mutating func finish() throws { try Array("\(count)\n".utf8).withUnsafeBytes { try output($0) } }
    }
}
