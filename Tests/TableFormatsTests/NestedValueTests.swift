import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Lists, maps and structures of Parquet and Arrow files written by pyarrow.
@Suite(.enabled(if: Python.isAvailable)) struct NestedValueTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file with nested columns. Arguments: the path and the format.
    private static let writingScript = """
        import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
        table = pa.table({
            'list': pa.array([[1, None], None, []], pa.list_(pa.int64())),
            'text': pa.array(['[1]', None, '']),
            'map': pa.array([[('k', 1.5)], None, []], pa.map_(pa.string(), pa.float64())),
            'point': pa.array([{'x': 1}, None, {'x': None}], pa.struct([('x', pa.int32())])),
            'bytes': pa.array([b'\\xff', None, b'a'], pa.binary()),
            'points': pa.array([[{'x': 1}], None, [None]], pa.list_(pa.struct([('x', pa.int32())]))),
        })
        pq.write_table(table, sys.argv[1]) if sys.argv[2] == 'parquet' else feather.write_feather(table, sys.argv[1])
        """

    @Test(arguments: ["parquet", "arrow"])
    func `18.5: nested columns are distinguished from text that looks like JSON`(format: String) throws {
        let path = folder.path(of: "nested.\(format)")
        try Python.run(Self.writingScript, path, format)
        let source = try FileOpener().open(path: path)
        let table = try #require(source.snapshot() as? any ColumnarTable)
        #expect(titles(source) == ["list", "text", "map", "point.x", "bytes", "points"])
        #expect((0..<6).map { table.textForm(ofColumn: $0) } == [.json, .plain, .json, .plain, .binary, .json])
        #expect(table.hasNestedValues)
        let nested = try table.strings(of: 0..<3, columns: (0..<6).map { FieldID.firstNestedColumn + $0 })
        #expect(
            nested == [
                ["[1,null]", nil, "{\"k\":1.5}", nil, nil, "[{\"x\":1}]"], [nil, nil, nil, nil, nil, nil],
                ["[]", nil, "{}", nil, nil, "[null]"],
            ])
    }

    @Test(arguments: ["parquet", "arrow"])
    func `18.5, 18.9: nested columns of many files are distinguished from text, also next to files without them`(format: String) throws {
        try Python.run(Self.writingScript, folder.path(of: "1.\(format)"), format)
        _ = try folder.file("2.csv", "list,text\n[7],[8]\n")
        let source = try FileOpener().open(path: folder.path(of: "*"))
        try source.readAll(threads: 1) { _ in true }
        #expect(Array(titles(source).prefix(3)) == ["file", "list", "text"])
        let table: any Table = source.snapshot()
        #expect(table.hasNestedValues && !table.isJSON)
        let nested = try table.strings(of: 0..<4, columns: [1] + (0..<3).map { FieldID.firstNestedColumn + $0 })
        #expect(nested == [["[1,null]", nil, "[1,null]", nil], [nil, nil, nil, nil], ["[]", nil, "[]", nil], ["[7]", nil, nil, nil]])
        // The strings of JSON files are distinguished only if all files are JSON.
        _ = try folder.file("3.jsonl", "{\"list\": [1]}\n")
        let mixed = try FileOpener().open(path: folder.path(of: "*"))
        try mixed.readAll(threads: 1) { _ in true }
        let other: any Table = mixed.snapshot()
        #expect(!other.hasNestedValues)
    }

    @Test(arguments: ["parquet", "arrow"]) func `18.10: written lists and maps are declared as JSON`(
        format: String
    ) throws {
        let path = folder.path(of: "nested.\(format)")
        try Python.run(Self.writingScript, path, format)
        let source = try FileOpener().open(path: path)
        let fields = titles(source).enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: $0 == 3 ? .integer : .text) }
        let output: any WritableFormat = format == "parquet" ? ParquetOutputFormat() : ArrowOutputFormat()
        let target = folder.path(of: "w.\(format)")
        _ = try TypedFile.write(source.snapshot(), fields, as: output, to: target)
        let script = """
            import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
            if sys.argv[2] == 'parquet':
                schema = pq.ParquetFile(sys.argv[1]).schema
                print(*[i for i in range(6) if schema.column(i).logical_type.type == 'JSON'])
                print(*[i for i in range(6) if schema.column(i).converted_type == 'JSON'])
                table = pq.read_table(sys.argv[1])
            else:
                table = feather.read_table(sys.argv[1])
                table.validate(full=True)
                for _ in range(2): print(*[i for i, f in enumerate(table.schema) if isinstance(f.type, pa.JsonType)])
            print(table.column(0).to_pylist())
            """
        #expect(try Python.run(script, target, format) == "0 2 5\n0 2 5\n['[1,null]', None, '[]']\n")
        let written = try FileOpener().open(path: target)
        #expect(try rows(written) == rows(source))
        let table = try #require(written.snapshot() as? any ColumnarTable)
        #expect([0, 1, 2, 5].map { table.textForm(ofColumn: $0) } == [.declaredJSON, .plain, .declaredJSON, .declaredJSON])
    }

    @Test(arguments: ["parquet", "arrow"]) func `18.10: text declared as JSON is a JSON value if it is valid`(format: String) throws {
        let path = folder.path(of: "declared.\(format)")
        let script = #"""
            import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
            texts = ['[1, {"k": null}]', '"x"', '1', 'null', 'NaN', '{bad', '', None, ' [1]\n', '[1] x', '[1']
            texts = pa.array(texts * 1000, pa.string())
            table = pa.table({'j': pa.ExtensionArray.from_storage(pa.json_(pa.string()), texts), 't': texts})
            pq.write_table(table, sys.argv[1]) if sys.argv[2] == 'parquet' else feather.write_feather(table, sys.argv[1])
            """#
        try Python.run(script, path, format)
        let table = try #require(try FileOpener().open(path: path).snapshot() as? any ColumnarTable)
        #expect(table.hasNestedValues && table.textForm(ofColumn: 0) == .declaredJSON && table.textForm(ofColumn: 1) == .plain)
        let expected = [#"[1, {"k": null}]"#, #""x""#, "1", "null", "NaN", nil, nil, nil, " [1]\n", nil, nil]
        var (wrong, count) = ([Int](), 0)
        let columns = [1, FieldID.firstNestedColumn, 0, FieldID.firstNestedColumn + 1]
        try table.scan(0..<table.recordCount, columns: columns) { row, fields in
            let texts = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
            if texts[1] != expected[row % 11] || texts[0] != texts[2] || texts[3] != nil { wrong.append(row) }
            count += 1
            return true
        }
        #expect(wrong == [] && count == 11_000)
    }
}
