import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Nested columns that the program writes as such, read by pyarrow.
@Suite(.enabled(if: Python.isAvailable)) struct NestedWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func format(_ name: String) -> any WritableFormat {
        let limits = ParquetLimits(groupRows: 37, groupBytes: 4_000, pageRows: 7, pageBytes: 200, dictionaryBytes: 300, boundBytes: 16)
        return name == "parquet" ? ParquetOutputFormat(limits: limits) : ArrowOutputFormat()
    }

    private func copy(_ source: String, to target: String, as format: String) throws {
        let source = try FileOpener().open(path: folder.path(of: source))
        let kinds = source.profiles(budgetMilliseconds: 1_000).map(\.kind)
        let fields = zip(titles(source), kinds).enumerated().map { Field(FieldID(rawValue: $0), name: $1.0, kind: $1.1) }
        let path = folder.path(of: target)
        _ = try TypedFile.write(source.snapshot(), fields, as: Self.format(format), to: path, keepsNested: true)
    }

    @Test("18.10: nested columns keep their types, values and nulls in every copy", arguments: [1, 2, 3, 4])
    func roundTrip(seed: Int) throws {
        try Python.run(Self.maker, folder.path, "\(seed)")
        var copies: [String] = []
        for name in ["full", "empty"] {
            for source in ["parquet", "arrow"] {
                for (first, second) in [("parquet", "arrow"), ("arrow", "parquet")] {
                    let once = "\(name).\(source)-1.\(first)"
                    try copy("\(name).\(source)", to: once, as: first)
                    let twice = "\(name).\(source)-\(first)-2.\(second)"
                    try copy(once, to: twice, as: second)
                    copies += [once, twice]
                }
            }
        }
        #expect(try Python.run(Self.checker, [folder.path] + copies) == "done\n")
    }

    @Test("18.10: nested columns of many pages are read from their middle") func pages() throws {
        try Python.run(Self.maker, folder.path, "5")
        try copy("full.parquet", to: "copy.parquet", as: "parquet")
        let (first, second) = (
            try FileOpener().open(path: folder.path(of: "full.parquet")), try FileOpener().open(path: folder.path(of: "copy.parquet"))
        )
        #expect(try rows(second) == rows(first))
        let all = try rows(first)
        let table = second.snapshot()
        let columns = Array(0..<table.columnCount)
        for row in stride(from: table.recordCount - 1, to: 0, by: -41) {
            var found: [[String?]] = []
            try table.scan(row..<row + 1, columns: columns) { _, fields in
                found.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                return true
            }
            #expect(found == [all[row]])
        }
    }

    @Test("18.5: Arrow streams in one file are one table if their columns are equal, and other bytes are an early end") func streams()
        throws
    {
        let script = #"""
            import sys, pyarrow as pa, pyarrow.ipc as ipc
            def stream(path, table):
                with pa.OSFile(path, 'wb') as sink, ipc.new_stream(sink, table.schema) as writer: writer.write_table(table, max_chunksize=70)
                with pa.OSFile(path + '.file', 'wb') as sink, ipc.new_file(sink, table.schema) as writer: writer.write_table(table)
            word = pa.array(['a', 'b'] * 100).dictionary_encode()
            stream(sys.argv[1], pa.table({'n': range(200), 'w': word}))
            stream(sys.argv[2], pa.table({'n': range(200, 400), 'w': pa.array(['c', 'd'] * 100).dictionary_encode()}))
            stream(sys.argv[3], pa.table({'n': ['x']}))
            """#
        let names = ["a.arrows", "b.arrows", "c.arrows"]
        let paths = names.map { folder.path(of: $0) }
        try Python.run(script, paths)
        let parts = try paths.map { try Array(Data(contentsOf: URL(fileURLWithPath: $0))) }
        func open(_ bytes: [UInt8]) throws -> (rows: [[String?]], error: String?) {
            let source = try FileOpener().open(path: folder.file("all.arrows", bytes: bytes))
            var message: String?
            do { try source.readAll(threads: 1) { _ in true } } catch let error as FormatError {
                #expect(error.inputEnd == .betweenRecords)
                message = error.message
            }
            return (try rows(source), message)
        }
        let both = try open(parts[0] + parts[1])
        #expect(both.rows == (0..<400).map { ["\($0)", ($0 < 200 ? ["a", "b"] : ["c", "d"])[$0 % 2]] } && both.error == nil)
        let end = NumberText.count(parts[0].count)
        let other = try open(parts[0] + parts[2])
        #expect(other.rows.count == 200)
        #expect(other.error == "all.arrows has another stream after byte \(end), with other columns. Save each stream as its own file.")
        let bytes = try open(parts[0] + Array("some text".utf8))
        #expect(bytes.rows.count == 200)
        #expect(bytes.error == "all.arrows has bytes after its end at byte \(end), which are not an Arrow stream and are not shown.")
        // Files, unlike streams, have a footer with the places of their record batches.
        for path in paths {
            let file = try Array(Data(contentsOf: URL(fileURLWithPath: path + ".file")))
            #expect(try open(file).error == nil)
            #expect(try open(file + file).error?.contains("has bytes after its end at byte ") == true)
        }
    }

    @Test("18.10: numbers and times outside the range of their type are written as JSON text", arguments: ["parquet", "arrow"])
    func ranges(format: String) throws {
        let script = #"""
            import sys, pyarrow as pa, pyarrow.feather as feather
            def times(values, number, type): return pa.array(values, pa.list_(number)).cast(pa.list_(type))
            feather.write_feather(pa.table({
                'late': times([[3_000_000], [1]], pa.int32(), pa.time32('s')),
                'far': times([[2 ** 61], [1]], pa.int64(), pa.timestamp('s')),
                'fits': times([[2 ** 53], [1]], pa.int64(), pa.timestamp('s')),
            }), sys.argv[1], compression='uncompressed')
            """#
        try Python.run(script, folder.path(of: "t.arrow"))
        try copy("t.arrow", to: "copy.\(format)", as: format)
        let check = #"""
            import sys, pyarrow.parquet as pq, pyarrow.feather as feather
            path = sys.argv[1]
            table = pq.read_table(path) if path.endswith('parquet') else feather.read_table(path)
            print([str(field.type).startswith('list') for field in table.schema])
            """#
        #expect(try Python.run(check, folder.path(of: "copy.\(format)")) == "[False, False, True]\n")
    }

    @Test("18.10: the sizes in a hostile schema do not overflow", arguments: ["parquet", "arrow"]) func hugeSizes(format: String) throws {
        let script = #"""
            import sys, pyarrow as pa, pyarrow.feather as feather
            type = pa.int8()
            for _ in range(3): type = pa.list_(type, 2 ** 31 - 1)
            feather.write_feather(pa.schema([('a', pa.int64()), ('x', type)]).empty_table(), sys.argv[1], compression='uncompressed')
            """#
        try Python.run(script, folder.path(of: "t.arrow"))
        try copy("t.arrow", to: "copy.\(format)", as: format)
        #expect(try rows(FileOpener().open(path: folder.path(of: "copy.\(format)"))).isEmpty)
    }

    @Test("18.10: nulls that take much space in a file end a batch early") func wideNulls() throws {
        let fields = (0..<300).map { NestedField("f\($0)", .value(.integer(bits: 64, isSigned: true)), isOptional: true) }
        let type = NestedType.list(NestedField("item", .structure(fields), isOptional: true), size: nil)
        let value: [UInt8] = [NestedMarker.present] + Array(repeating: NestedMarker.null, count: 1_000) + [NestedMarker.end]
        try value.withUnsafeBufferPointer { bytes in
            let field = FieldBytes(start: bytes.baseAddress, count: bytes.count)
            #expect(type.nullBytes(of: field) == 1_000 * 2_401 && NestedField("x", type, isOptional: true).accepts(field))
            var counts: [Int] = []
            let column = WrittenColumn(name: "x", type: .nested(type), hasNulls: false)
            let batcher = RowBatcher([column], fields: [Field(FieldID(rawValue: 0), name: "x", kind: .text)]) { counts.append($0.count) }
            for _ in 0..<100 { try withUnsafePointer(to: field) { try batcher.append(UnsafeBufferPointer(start: $0, count: 1)) } }
            try batcher.finish()
            #expect(counts.reduce(0, +) == 100 && counts.count > 3 && counts.allSatisfy { $0 <= 28 }, "\(counts)")
        }
    }

    @Test("18.10: types without an exact form, and values that do not fit, are written as JSON text", arguments: ["parquet", "arrow"])
    func unsupported(format: String) throws {
        let script = #"""
            import sys, pyarrow as pa, pyarrow.feather as feather
            bad = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b'\0\0\0\0\1\0\0\0'), pa.py_buffer(b'\xff')])
            item = pa.field('item', pa.int8(), nullable=False)
            feather.write_feather(pa.table({
                'span': pa.array([[1]], pa.list_(pa.duration('s'))),
                'invalid': pa.ListArray.from_arrays([0, 1], bad),
                'null': pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array([None], pa.int8()), type=pa.list_(item)),
                'good': pa.array([[1]], pa.list_(pa.int8())),
            }), sys.argv[1], compression='uncompressed')
            """#
        try Python.run(script, folder.path(of: "source.arrow"))
        try copy("source.arrow", to: "copy.\(format)", as: format)
        let table = try #require(try FileOpener().open(path: folder.path(of: "copy.\(format)")).snapshot() as? any ColumnarTable)
        #expect((0..<4).map { table.textForm(ofColumn: $0) } == [.declaredJSON, .binary, .declaredJSON, .json])
        #expect(table.nestedColumns.map(\.columns) == [3..<4])
    }
}
