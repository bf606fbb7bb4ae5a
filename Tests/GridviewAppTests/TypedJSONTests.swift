import DataGrid
import FieldValues
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import DataGridQuery
@testable import GridviewApp

/// Types and values of JSON in typed files, SQL and copies.
@MainActor
@Suite struct TypedJSONTests: TypedOutputSuite {
    @Test func `18.3, 18.10: values that are derived from JSON text keep their types in typed files`() throws {
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

    /// JSON Lines in which one string that looks like a number follows 70,000 numbers, after all samples.
    private static let lateString = (1...70_000).map { "{\"n\": \($0 == 68_500 ? "\"68500\"" : "\($0)"), \"m\": \($0)}\n" }.joined()

    @Test func `T2, 18.3, 18.10: a late string is text in typed files and SQL unless the user sets the column type`() throws {
        func output(_ format: FileFormat, _ types: [(ColumnReference, ColumnType)] = []) throws -> [UInt8] {
            try BatchOutput.bytes(Array(Self.lateString.utf8), format, name: "in.jsonl") { $0.types = types }
        }
        let chosen = [(ColumnReference("n"), ColumnType(.integer))]
        let text = try read(output(Self.arrow))
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
        #expect(try types(output(Self.arrow)) == [false, true] && types(output(Self.arrow, chosen)) == [true, true])
        func statement(_ types: [(ColumnReference, ColumnType)] = []) throws -> String {
            String(decoding: try output(.text(.sql), types), as: UTF8.self).filledLines.map(String.init)[68_499]
        }
        #expect(try statement().hasSuffix("VALUES ('68500', 68500);") && statement(chosen).hasSuffix("VALUES (68500, 68500);"))
    }

    @Test func `18.3, 18.9: strings, arrays and nulls of many JSON files keep their types in JSON and SQL output`() throws {
        func output(_ format: OutputFormat, _ files: [String]) throws -> [String] {
            let folder = try TemporaryFolder()
            for (number, text) in files.enumerated() { _ = try folder.file("\(number).jsonl", text) }
            let options = LaunchOptions()
            let document = try Document(FileOpener().open(path: folder.path(of: "*.jsonl")), options: options)
            let bytes = try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format))).bytes
            return String(decoding: bytes, as: UTF8.self).filledLines.map(String.init)
        }
        let few = ["{\"a\": \"7\", \"l\": [1]}\n", "{\"a\": 8, \"b\": null}\n"]
        #expect(
            try output(.jsonl, few) == [##"{"file": "0.jsonl", "a": "7", "l": [1]}"##, ##"{"file": "1.jsonl", "a": 8, "b": null}"##])
        let statements = try output(.sql, ["{\"n\": 1, \"m\": 1}\n", Self.lateString, "{\"n\": 1, \"m\": 1}\n"])
        #expect(statements.count == 70_002 && statements[0].hasSuffix(", 1, 1);") && statements[68_500].hasSuffix(", '68500', 68500);"))
    }

    /// The last two columns have JSON text, and its values.
    private static let mixedTypes = """
        {"n": 1, "f": true, "d": 1609466400, "s": "x", "o": "{\\"k\\": 5}"}
        {"n": "77", "f": "true", "d": "1609466400", "s": "5", "o": "{\\"k\\": \\"5\\"}"}
        {"n": " ", "f": "", "d": null, "s": "", "o": "{}"}

        """

    @Test func `18.3: SQL output quotes JSON strings, but not other values, in columns of numbers, flags and dates`() throws {
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
            String(decoding: bytes, as: UTF8.self).filledLines.map { line in
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
                input: document.input, table: table, columns: columns, allColumns: columns, columnsWithChosenType: chosen, rows: rows,
                tree: nil,
                format: .text(.sql), threads: 2, memory: 1 << 20)
            var (sink, notes) = (OutputSink(byteLimit: .max), OutputNotes(.text(.sql)))
            try output.writeRows(at: [0..<3], &notes, &sink, JobControl())
            #expect(statements(of: sink.buffer) == expected)
            let copy = CopyJob(
                table: table, tail: nil, rows: rows, cells: CopiedCells(columns, rows: [0..<3]),
                content: .rows(RowFormat(.sql, columns: columns)), columnsWithChosenType: chosen)
            guard case .text(let bytes, _) = try copy.run(JobControl()) else { return #expect(Bool(false), "nothing was copied") }
            #expect(statements(of: bytes) == expected)
        }
    }

    @Test func `D10, 18.3: copying several ranges as JSON copies the original values of the selected cells only`() throws {
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
        #expect(pilot.clipboardText == "[\n  {\"a\": 1, \"b\": null},\n  {\"b\": \"8\"},\n  {\"b\": [11]}\n]\n", "\(pilot.message)")
    }

    @Test func `18.10: columns of arrays and objects are declared as JSON in Arrow files and in copies of these files`() throws {
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

    @Test(arguments: ["arrow", "parquet"])
    func `18.10: JSON arrays and objects are read back unchanged from typed files`(format: String) throws {
        let lines = [
            #"{"a": [1,{"k":null}], "o": "{}", "text": "[1]", "python": "[NaN]"}"#,
            #"{"a": null, "o": "\"x\"", "text": "null", "python": "1"}"#, #"{"a": ["N\u0007I\""], "o": "x", "text": "", "python": null}"#,
        ]
        let typed = try #require(writableFormats.first { $0.name == format })
        let first = try BatchOutput.bytes(Array(lines.map { $0 + "\n" }.joined().utf8), .typed(typed), name: "in.jsonl")
        let text = try BatchOutput.bytes(first, .text(.jsonl), name: "in.\(format)")
        #expect(String(decoding: text, as: UTF8.self).filledLines.map(String.init) == lines)
        // The file is written a second time, now from a file with declared columns.
        let second = try BatchOutput.bytes(first, .typed(typed), name: "in.\(format)")
        #expect(try BatchOutput.bytes(second, .text(.jsonl), name: "in.\(format)") == text)
    }

    @Test(arguments: ["arrow", "parquet"])
    func `18.10: text declared as JSON becomes a value in JSON output if valid, and otherwise a string`(format: String) throws {
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
                try writer.write(ColumnBatch(firstRecord: 0, count: count, columns: vectors))
            }
        }
        try writer.finish()
        let lines = (0..<count).map { "{\"j\": \(values[$0 % values.count]), \"n\": \(count - $0)}\n" }
        for sort in [[], [try SortRequest(text: "n")]] {
            let text = try BatchOutput.bytes(bytes, .text(.jsonl), name: "in.\(format)") { $0.sort = sort }
            #expect(String(decoding: text, as: UTF8.self) == (sort.isEmpty ? lines : lines.reversed()).joined())
        }
    }

    @Test func `18.3: an export of a selection keeps JSON arrays, nulls and empty strings`() throws {
        let lines = [#"{"id": 1, "a": [1,2], "n": ""}"#, #"{"id": 2, "a": null, "n": 5}"#, #"{"id": 3, "n": 6}"#]
        let content = lines.joined(separator: "\n") + "\n"
        let pilot = try Pilot(content, size: (100, 24), name: "in.jsonl")
        pilot.press("S-Down S-Down S-Right S-Right")
        export(pilot, to: "out.jsonl")
        #expect(String(decoding: bytes(pilot, "out.jsonl"), as: UTF8.self) == content, "\(pilot.screen)")
    }
}
