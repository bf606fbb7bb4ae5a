import DataGrid
import DataGridQuery
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Objects of JSON that are columns on the screen and objects again in JSON output: D15.
@MainActor
@Suite struct JSONNestingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func output(
        _ text: String, _ format: OutputFormat = .jsonl, name: String = "t.jsonl", _ change: (inout LaunchOptions) -> Void = { _ in }
    ) throws -> String {
        String(decoding: try BatchOutput.bytes(Array(text.utf8), .text(format), name: name, change), as: UTF8.self)
    }

    private func document(_ text: String) throws -> Document {
        let input = try FileOpener().open(path: folder.file("in.jsonl", text))
        try input.readAll(threads: 1) { _ in true }
        return try Document(input, options: LaunchOptions())
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// Records in which objects are null, empty, missing or scalars, in the form in which they are written.
    private static let forms = [
        #"{"id": 1, "by": {"desk": {"venue": "X", "n": 1}, "at": null}, "a.b": 1, "": {"x.y": "1"}}"#,
        #"{"id": 2, "by": null, "a.b": null}"#, #"{"id": 3, "by": {"desk": null, "at": ""}, "": null}"#,
        #"{"id": 4, "by": {"desk": {}, "at": {}}, "": {}}"#, #"{"id": 5, "by": {}}"#, #"{"id": 6, "by": "none", "": {"x.y": null}}"#,
        #"{"id": 7, "by": {"desk": {"venue": null, "n": "1"}}, "a.b": {"c": [{"d":1}]}}"#, #"{"id": 8, "by": {"desk": 1.50}}"#, "{}",
    ]

    @Test func `D15, 18.3: JSON output of JSON input keeps nested objects, nulls, empty objects and missing keys`() throws {
        // With 20,000 records, the text has more than one chunk, and known keys are read in another way.
        for count in [Self.forms.count, 20_000] {
            // The first record has most of the keys, and so determines their order.
            let text = (0..<count).map { Self.forms[$0 % Self.forms.count] + "\n" }.joined()
            #expect(try output(text) == text, "\(count)")
            let sorted = try output(text) { $0.sort = [SortRequest(ColumnReference("id"))] }
            #expect(Set(lines(sorted)) == Set(Self.forms), "\(count)")
        }
        let document = "[\n  " + Self.forms.joined(separator: ",\n  ") + "\n]\n"
        #expect(try output(document, .json, name: "t.json") == document)
    }

    @Test func `D15, 18.3: keys that occur only in later records are written into the object to which they belong`() throws {
        let first = String(repeating: "{\"a\":{\"b\":1},\"c\":2}\n", count: 40_000)
        let text = first + "{\"c\":3,\"a\":{\"late\":null,\"b\":{\"x\":true}}}\n{\"a\":{\"late\":5}}\n{\"a\":null}\n"
        #expect(
            lines(try output(text)).suffix(4) == [
                #"{"a": {"b": 1}, "c": 2}"#, #"{"a": {"b": {"x": true}, "late": null}, "c": 3}"#, #"{"a": {"late": 5}}"#, #"{"a": null}"#,
            ])
    }

    @Test func `D15: columns of one object are written as one object even if not adjacent, without hidden columns`() throws {
        let text = Self.forms.joined(separator: "\n")
        let ids = ["by.at", "id", "by.desk.n"].map { ColumnReference($0) }
        #expect(
            lines(try output(text) { $0.columns = ids }) == [
                #"{"by": {"at": null, "desk": {"n": 1}}, "id": 1}"#, #"{"by": null, "id": 2}"#,
                #"{"by": {"at": "", "desk": null}, "id": 3}"#, #"{"by": {"at": {}}, "id": 4}"#, #"{"id": 5}"#, #"{"id": 6}"#,
                #"{"by": {"desk": {"n": "1"}}, "id": 7}"#, #"{"id": 8}"#, "{}",
            ])
    }

    @Test func `D15: renamed and derived columns are written outside of objects, with unique keys`() throws {
        let text = "{\"a\":{\"b\":1,\"c\":2}}\n{\"a\":null}\n"
        let derived = try output(text) {
            $0.derivedColumns = ["a = 7"]
            $0.columns = ["a", "a.c", "a.b"].map { ColumnReference($0) }
        }
        #expect(lines(derived) == [#"{"a_2": 7, "a": {"c": 2, "b": 1}}"#, #"{"a_2": 7, "a": null}"#], "\(derived)")
        let document = try document(text)
        var columns = document.columns
        #expect(columns.map(\.title) == ["a.b", "a.c"])
        columns[0].title = "x.y"
        var format = RowFormat(.jsonl, columns: columns)
        let table = document.source.snapshot
        #expect(format.useTypes(of: table, except: []) == [0, 1])
        var sink = OutputSink(byteLimit: .max)
        try table.scan(0..<2, columns: [0, 1, FieldID.firstNestedColumn, FieldID.firstNestedColumn + 1]) { _, fields in
            format.writeRow(fields, &sink)
            return true
        }
        sink.flush()
        let renamed = String(decoding: sink.buffer, as: UTF8.self)
        #expect(lines(renamed) == [#"{"x.y": 1, "a": {"c": 2}}"#, #"{"x.y": null, "a": null}"#], "\(renamed)")
    }

    @Test func `D15: a note lists the columns that are renamed with a number because an object has the same name`() throws {
        func notes(_ text: String, _ format: OutputFormat, _ derived: String...) throws -> [String] {
            var options = LaunchOptions()
            options.derivedColumns = derived
            let document = try Document(options.files.open(path: folder.file("in.jsonl", text)), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(format))).notes.lines
        }
        let text = "{\"a\":{\"b\":1}}\n{\"a\":null}\n"
        let note = "in.jsonl: columns with an empty or repeated name are renamed: “a” to “a_2”."
        #expect(try notes(text, .jsonl, "a = 7") == [note] && notes(text, .jsonl, "x = 7") == [] && notes(text, .sql, "a = 7") == [])
        // These keys are equal as strings, but their bytes differ, so they keep their names.
        #expect(try notes("{\"\u{E9}\":1,\"e\u{301}\":2}\n", .jsonl) == [])
    }

    @Test func `D15: a null object in JSON becomes empty cells in CSV and NULL values in SQL`() throws {
        let text = "{\"a\":{\"b\":1,\"c\":{\"d\":\"x\"}}}\n{\"a\":null}\nnull\n{\"a\":{\"c\":null}}\n"
        #expect(try output(text, .csv) == "a.b,a.c.d\n1,x\n,\n,\n,\n")
        let statements = lines(try output(text, .sql)).map { $0.split(separator: "(").last ?? "" }
        #expect(statements == ["1, 'x');", "NULL, NULL);", "NULL, NULL);", "NULL, NULL);"])
        #expect(lines(try output(text))[1...] == [#"{"a": null}"#, #"{"a": null}"#, #"{"a": {"c": null}}"#])
    }

    @Test func `D15: JSON output does not nest columns with dots in their titles if the input is not JSON`() throws {
        #expect(try BatchOutput.text("a.b,a.c\n1,2\n", .jsonl) == "{\"a.b\": 1, \"a.c\": 2}\n")
    }

    @Test func `D15, 18.9: JSON output of many JSON files keeps their nested objects`() throws {
        for (number, text) in ["{\"a\":{\"b\":1,\"c.d\":2}}\n", "{\"a\":{\"c.d\":\"2\"}}\n{\"a\":null}\n"].enumerated() {
            _ = try folder.file("\(number).jsonl", text)
        }
        let options = LaunchOptions()
        let document = try Document(FileOpener().open(path: folder.path(of: "*.jsonl")), options: options)
        let bytes = try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.jsonl))).bytes
        #expect(
            lines(String(decoding: bytes, as: UTF8.self)) == [
                #"{"file": "0.jsonl", "a": {"b": 1, "c.d": 2}}"#, #"{"file": "1.jsonl", "a": {"c.d": "2"}}"#,
                #"{"file": "1.jsonl", "a": null}"#,
            ])
    }

    @Test func `D10: rows with nested columns are copied as JSON with their nested objects`() throws {
        let document = try document("{\"a\":{\"b\":1,\"c\":2}}\n{\"a\":{\"b\":3,\"c\":4}}\n{\"a\":null}\n")
        let job = CopyJob(
            table: document.source.snapshot, tail: nil, rows: .natural(count: 3),
            cells: CopiedCells(document.columns, rows: [0..<1, 2..<3]), content: .rows(RowFormat(.jsonl, columns: document.columns)))
        guard case .text(let bytes, _) = try job.run(JobControl()) else { return #expect(Bool(false), "nothing was copied") }
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"a\": {\"b\": 1, \"c\": 2}}\n{\"a\": null}\n")
    }

    @Test func `D15: key paths with a common start share an object, and a repeated path gets a numbered key`() {
        func keys(_ tree: JSONKeyTree, _ node: Int = 0) -> String {
            tree.nodes[node].children.map { child in
                let (key, column) = (tree.nodes[child].key, tree.nodes[child].column)
                let below = tree.nodes[child].children.isEmpty ? "" : "(\(keys(tree, child)))"
                return String(decoding: key, as: UTF8.self) + (column.map { "=\($0)" } ?? "") + below
            }.joined(separator: " ")
        }
        #expect(keys(JSONKeyTree(titles: ["a", "b", "a"])) == "a=0 b=1 a_2=2")
        let paths = [nil, ["a", "b"], ["c"], ["a"], ["a", "d", "e"], ["a", "b"], nil]
        #expect(
            keys(JSONKeyTree(titles: ["a", "a.b", "c", "a", "a.d.e", "a.b", "a.b"], paths: paths))
                == "a_2=0 a=3(b=1 d(e=4)) c=2 a.b=5 a.b_2=6")
        // Keys that are equal as strings, but not as bytes, are different keys.
        #expect(JSONKeyTree(titles: ["é", "e\u{301}"], paths: [["é"], ["e\u{301}"]]).nodes[0].children.count == 2)
    }
}
