import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Nested columns that the program writes with their types, read by pyarrow.
@Suite(.enabled(if: Python.isAvailable)) struct NestedWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func format(_ name: String) -> any WritableFormat {
        let limits = ParquetLimits(groupRows: 37, groupBytes: 4_000, pageRows: 7, pageBytes: 200, dictionaryBytes: 300, boundBytes: 16)
        return name == "parquet" ? ParquetOutputFormat(limits: limits) : ArrowOutputFormat()
    }

    private func copy(_ source: String, to target: String, as format: String) throws {
        let source = try FileOpener().open(path: folder.path(of: source))
        try source.readAll(threads: 2) { _ in true }
        let kinds = source.profiles(budgetMilliseconds: 1_000).map(\.kind)
        let fields = zip(titles(source), kinds).enumerated().map { Field(FieldID(rawValue: $0), name: $1.0, kind: $1.1) }
        let path = folder.path(of: target)
        _ = try TypedFile.write(source.snapshot(), fields, as: Self.format(format), to: path, keepsNested: true)
    }

    @Test(arguments: [1, 2, 3, 4]) func `18.10: nested columns keep their types, values and nulls in every copy`(seed: Int) throws {
        try Python.run(Self.writingScript, folder.path, "\(seed)")
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
        #expect(try Python.run(Self.checkingScript, [folder.path] + copies) == "done\n")
    }

    @Test func `18.10: nested columns of many pages are read from their middle`() throws {
        try Python.run(Self.writingScript, folder.path, "5")
        try copy("full.parquet", to: "copy.parquet", as: "parquet")
        let (first, second) = (
            try FileOpener().open(path: folder.path(of: "full.parquet")), try FileOpener().open(path: folder.path(of: "copy.parquet"))
        )
        #expect(try rows(second) == rows(first))
        let all = try rows(first)
        let table = second.snapshot()
        let columns = Array(0..<table.columnCount)
        for row in stride(from: table.recordCount - 1, to: 0, by: -41) {
            #expect(try table.strings(of: row..<row + 1, columns: columns) == [all[row]])
        }
    }

    // MARK: Many files

    /// Writes the tables of a script to files such as `1.parquet` and `1.arrow`.
    private func makeFiles(_ tables: String) throws {
        let script = """
            import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
            def write(name, schema, rows):
                table = pa.table([pa.array([row[n] for row in rows], field.type) for n, field in enumerate(schema)], schema=schema)
                table.validate(full=True)
                pq.write_table(table, f'{sys.argv[1]}/{name}.parquet', row_group_size=7, store_schema=False)
                feather.write_feather(table, f'{sys.argv[1]}/{name}.arrow', compression='uncompressed', chunksize=11)

            """
        try Python.run(script + tables, folder.path)
    }

    /// The column of the table with the binary form of a nested column.
    private func column(ofNested name: String, in table: any Table) throws -> Int {
        FieldID.firstStoredColumn + (try #require(table.nestedColumns.firstIndex { $0.field.name == name }))
    }

    private func values(_ table: any Table, _ columns: [Int]) throws -> [[[UInt8]?]] {
        var rows: [[[UInt8]?]] = []
        try table.scan(0..<table.recordCount, columns: columns) { _, fields in
            rows.append(fields.map { $0.isMissing ? nil : Array($0.bytes) })
            return true
        }
        return rows
    }

    @Test(arguments: ["parquet", "arrow"])
    func `18.9, 18.10: nested columns of many files keep their type if the files agree`(source: String) throws {
        try makeFiles(
            #"""
            pair = pa.struct([('n', pa.int8()), ('b', pa.binary())])
            item = pa.field('element', pair)
            l, required = pa.field('l', pa.list_(item)), pa.field('l', pa.list_(item), nullable=False)
            m = pa.field('m', pa.map_(pa.string(), pa.int32()))
            s = pa.field('s', pa.struct([('a', pa.int16()), ('t', pa.list_(pa.field('element', pa.float32())))]))
            o = pa.field('o', pa.struct([('o', pa.list_(pa.field('element', pa.int8())))]))
            late = pa.field('late', pa.list_(pa.field('element', pa.date32())))
            n = pa.field('id', pa.int64(), nullable=False)
            def pairs(k): return [{'n': k % 100, 'b': b'\xff\0'}, None, {'n': None, 'b': b'0xff'}][:k % 4]
            def pieces(k): return None if k % 5 == 0 else [('a', k), ('a', None), ('b', 1)][:k % 4]
            def part(k): return None if k % 7 == 0 else {'a': k, 't': None if k % 3 == 0 else [0.5, None][:k % 3]}
            def same(k): return None if k % 5 == 0 else {'o': None if k % 3 == 0 else [k, None]}
            write(1, pa.schema([n, required, m, s, o]), [(k, pairs(k), pieces(k), part(k), same(k)) for k in range(50)])
            write(2, pa.schema([s, pa.field('x', pa.string()), n, l, m, o]),
                [(part(k), 'x', k, None if k % 6 == 0 else pairs(k), pieces(k), same(k)) for k in range(60)])
            write(3, pa.schema([n, required]), [(k, pairs(k)) for k in range(30)])
            write(4, pa.schema([late, n]), [([k, None], k) for k in range(40)])
            """#)
        let check = #"""
            import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
            folder, source = sys.argv[1:3]
            def read(path): return pq.read_table(path) if path.endswith('.parquet') else feather.read_table(path)
            files = [read(f'{folder}/{n}.{source}') for n in range(1, 5)]
            for path in sys.argv[3:]:
                copy = read(f'{folder}/{path}')
                copy.validate(full=True)
                assert copy.column_names == ['file', 'id', 'l', 'm', 's', 'o', 'x', 'late'], copy.column_names
                for name in ['id', 'l', 'm', 's', 'o', 'x', 'late']:
                    first = next(f for f in files if name in f.column_names)
                    field = copy.schema.field(name)
                    assert field.type == first.schema.field(name).type, (path, field)
                    assert field.nullable == (name != 'id'), (path, field)
                    old = sum([f[name].to_pylist() if name in f.column_names else [None] * f.num_rows for f in files], [])
                    assert copy[name].to_pylist() == old, (path, name)
            print('done')
            """#
        let united = try FileOpener().open(path: folder.path(of: "[1-4].\(source)"))
        try united.readAll(threads: 2) { _ in true }
        // A structure and the list in it with the same name and columns are two nested columns.
        #expect(united.snapshot().nestedColumns.map(\.field.name) == ["l", "m", "s", "s.t", "o", "o.o", "late"])
        let copies = ["copy.parquet", "copy.arrow"]
        try copy("[1-4].\(source)", to: copies[0], as: "parquet")
        try copy("[1-4].\(source)", to: copies[1], as: "arrow")
        #expect(try Python.run(check, [folder.path, source] + copies) == "done\n")
    }

    /// The tables of two files. Their types of column `x` are equal, and only the second has column `late`. Other types disagree.
    private static let disagreeing = #"""
        small = lambda name: pa.field(name, pa.list_(pa.field('element', pa.int8())))
        wide = lambda name: pa.field(name, pa.list_(pa.field('element', pa.int16())))
        both, one = pa.struct([('a', pa.int8()), ('b', pa.int8())]), pa.struct([('a', pa.int8())])
        write(first, pa.schema([small('sizes'), small('kinds'), ('parts', both), ('names', one), small('x')]),
            [([1], [2, None], {'a': 1, 'b': None}, {'a': 3}, [k]) for k in range(20)])
        write(second, pa.schema([small('x'), wide('sizes'), ('kinds', pa.string()), ('parts', one), ('names.a', pa.int8()), small('late')]),
            [([k, None], [1000], 'text', {'a': 7}, 9, [5]) for k in range(30)])
        """#

    @Test(
        arguments: ["parquet", "arrow"], [false, true])
    func `18.9, 18.10: a nested column whose types differ between files is written as columns or JSON text`(
        source: String, isReversed: Bool
    ) throws {
        try makeFiles((isReversed ? "first, second = 2, 1\n" : "first, second = 1, 2\n") + Self.disagreeing)
        let check = #"""
            import sys, json, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
            folder, reverse = sys.argv[1], sys.argv[2] == 'true'
            for path in sys.argv[3:]:
                copy = pq.read_table(f'{folder}/{path}') if path.endswith('.parquet') else feather.read_table(f'{folder}/{path}')
                copy.validate(full=True)
                columns = {name: copy[name].to_pylist() for name in copy.column_names}
                lists = [field.name for field in copy.schema if pa.types.is_nested(field.type)]
                assert sorted(lists) == ['late', 'x'], copy.schema
                assert all(copy.schema.field(name).type.value_type == pa.int8() for name in lists), copy.schema
                def rows(one, two): return two * 30 + one * 20 if reverse else one * 20 + two * 30
                assert columns['sizes'] == rows(['[1]'], ['[1000]']), columns['sizes']
                assert columns['kinds'] == rows(['[2,null]'], ['text']), columns['kinds']
                assert columns['parts.a'] == rows([1], [7]) and columns['parts.b'] == [None] * 50
                assert columns['names.a'] == rows([3], [9])
                assert columns['late'] == rows([None], [[5]])
                one, two = [[k] for k in range(20)], [[k, None] for k in range(30)]
                assert columns['x'] == (two + one if reverse else one + two)
            print('done')
            """#
        let copies = ["copy.parquet", "copy.arrow"]
        try copy("[12].\(source)", to: copies[0], as: "parquet")
        try copy("[12].\(source)", to: copies[1], as: "arrow")
        #expect(try Python.run(check, [folder.path, "\(isReversed)"] + copies) == "done\n")
    }

    @Test(arguments: ["parquet", "arrow"])
    func `18.9, 18.10: a snapshot keeps its nested columns after a file with other types is read`(format: String) throws {
        try makeFiles("first, second = 1, 2\n" + Self.disagreeing)
        let first = try FileOpener().open(path: folder.path(of: "1.\(format)")).snapshot()
        let names = ["sizes", "kinds", "parts", "names", "x"]
        let expected = try values(first, names.map { try column(ofNested: $0, in: first) })
        let source = try FileOpener().open(path: folder.path(of: "[12].\(format)"))
        let before = source.snapshot()
        #expect(before.recordCount == 20 && !before.isComplete)
        let columns = try names.map { try column(ofNested: $0, in: before) }
        try source.readAll(threads: 2) { _ in true }
        #expect(try values(before, columns) == expected)
        let after = source.snapshot()
        #expect(after.nestedColumns.map(\.field.name) == ["x", "late"])
        let x = try column(ofNested: "x", in: after)
        #expect(try values(after, [x]).prefix(20) == expected.map { [$0[4]] }[...])
        #expect(try values(after, [try column(ofNested: "late", in: after)]).prefix(20).allSatisfy { $0 == [nil] })
        // A nested column that the files do not share has no values.
        #expect(try values(after, [FieldID.firstStoredColumn + 2]).allSatisfy { $0 == [nil] })
    }

    @Test func `18.5: Arrow streams with equal columns in one file are one table, and other bytes are reported`()
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
        #expect(bytes.error == "all.arrows has bytes after byte \(end) that are not an Arrow stream, and are not shown.")
        // Files, unlike streams, have a footer with the places of their record batches.
        for path in paths {
            let file = try Array(Data(contentsOf: URL(fileURLWithPath: path + ".file")))
            #expect(try open(file).error == nil)
            #expect(try open(file + file).error?.contains("has bytes after byte ") == true)
        }
    }

    @Test(arguments: ["parquet", "arrow"])
    func `18.10: numbers and times outside the range of their type are written as JSON text`(format: String) throws {
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

    @Test(arguments: ["parquet", "arrow"]) func `18.10: the sizes in a hostile schema do not overflow`(
        format: String
    ) throws {
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

    @Test func `18.10: a batch ends early if its nulls would take much space in a file`() throws {
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

    @Test(arguments: ["parquet", "arrow"])
    func `18.10: types without an exact form, and values that do not fit, are written as JSON text`(format: String) throws {
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
