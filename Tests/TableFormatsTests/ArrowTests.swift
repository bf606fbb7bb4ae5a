import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Arrow files and streams, compared with pyarrow.
@Suite(.enabled(if: Python.isAvailable)) struct ArrowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Compares a file with its rows, and checks the table contract.
    private func check(_ path: String, _ expected: ArrowOracle.Content, steps: Int = 10, variant: String = "") throws {
        let source = try FileOpener().open(path: path)
        #expect(source.snapshot() is ArrowTable, "\(variant)")
        #expect(titles(source) == expected.names, "\(variant)")
        let found = try rows(source)
        try #require(found.count == expected.rows.count, "\(variant)")
        for (index, row) in found.enumerated() where row != expected.rows[index] {
            for (column, text) in row.enumerated() where text != expected.rows[index][column] {
                Issue.record(
                    """
                    \(variant), row \(index), \(expected.names[column]): \(text ?? "nil") is not \
                    \(expected.rows[index][column] ?? "nil")
                    """)
            }
            return
        }
        var conformance = TableConformance(source: source, rows: expected.rows, random: SplitMix64(seed: 18))
        try conformance.check(source.snapshot(), steps: steps)
    }

    /// Writes a table with different options, and checks each file.
    /// - Returns: the expected content.
    @discardableResult
    private func check(_ table: String, as variants: [String]) throws -> ArrowOracle.Content {
        let expected = try ArrowOracle.write(table, as: variants, to: folder)
        for (index, variant) in variants.enumerated() { try check(folder.path(of: "\(index).arrow"), expected, variant: variant) }
        return expected
    }

    private static let variants = [
        "stream=False", "stream=True", "compression='lz4'", "compression='zstd'", "stream=True, compression='lz4', batch=40",
        "batch=7", "metadata_version=ipc.MetadataVersion.V4, use_legacy_format=True, stream=True",
        "metadata_version=ipc.MetadataVersion.V4",
        "compression='zstd', batch=64",
    ]

    @Test(arguments: ["", ".slice(37)", ".slice(8, 101)"]) func `18.5: all types are read, with nulls and slices`(slice: String) throws {
        #expect(try check("everything(200)\(slice)", as: Self.variants).rows.count > 90)
    }

    @Test(arguments: ["", ".slice(37)"])
    func `18.5: structures become columns with dots in their names, and other nested types become JSON`(slice: String) throws {
        #expect(try check("nested(150)\(slice)", as: Self.variants).names.contains("point.y.a"))
    }

    @Test(arguments: ["everything(0)", "nested(0)", "everything(1)", "pa.table({})"])
    func `18.5: tables without rows and tables without columns are read`(table: String) throws {
        try check(table, as: ["stream=False", "stream=True"])
    }

    @Test func `18.5: when a dictionary is replaced or extended, each batch uses the version that is valid for it`() throws {
        let script = """
            kind = pa.dictionary(pa.int8(), pa.string())
            def coded(words, codes): return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(words))
            def numbers(words, codes): return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(words, pa.int64()))
            batches = []
            for size in (2, 3, 3, 5):
                batches.append(pa.record_batch([coded(['a', 'b', None, 'd', 'e'][:size], [0, size - 1, None, 1]),
                    numbers([10, 20, 30, 40, 50][:size], [1, size - 1, None, 0])], names=['s', 'n']))
            if len(sys.argv) > 2:
                batches.append(pa.record_batch([coded(['x', 'y'], [1, 0]), numbers([7], [0, 0])], names=['s', 'n']))
                batches.append(pa.record_batch([coded(['x', 'y', 'z'], [2, 0]), numbers([8], [0, 0])], names=['s', 'n']))
            make = ipc.new_stream if len(sys.argv) > 2 else ipc.new_file
            with pa.OSFile(path, 'wb') as sink:
                with make(sink, batches[0].schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as writer:
                    for batch in batches: writer.write_batch(batch)
            show(pa.Table.from_batches(batches))
            """
        let path = folder.path(of: "deltas.arrow")
        try check(path, try ArrowOracle.run(script, path))
        try check(path, try ArrowOracle.run(script, path, "replaced"))
    }

    @Test func `18.5: rows are read at any position in many small batches`() throws {
        let path = folder.path(of: "many.arrow")
        let script = """
            t = pa.table({'n': pa.array(range(30000)), 's': pa.array([str(i % 7) for i in range(30000)])})
            write(path, t, batch=3, stream=len(sys.argv) > 2)
            show(t)
            """
        try check(path, try ArrowOracle.run(script, path), steps: 30)
        try check(path, try ArrowOracle.run(script, path, "stream"), steps: 30)
    }

    @Test(arguments: ["None", "'lz4'"])
    func `18.5: batches have at most 65,536 rows, and reading a range of rows gives the same rows as a scan`(compression: String) throws {
        let path = folder.path(of: "large.arrow")
        _ = try ArrowOracle.run(
            """
            n = 300000
            t = pa.table({'n': pa.array([None if i % 11 == 0 else i * 3 for i in range(n)]),
                's': pa.array([str(i) * (i % 5) for i in range(n)]),
                'c': pa.array(['red', 'green', 'blue'] * (n // 3)).dictionary_encode(), 'f': pa.array([i % 3 == 0 for i in range(n)])})
            write(path, t, batch=200000, compression=\(compression))
            """, path)
        let source = try FileOpener().open(path: path)
        let table = try #require(source.snapshot() as? ArrowTable)
        #expect(table.recordCount == 300_000)
        var next = 0
        try table.scanColumns(0..<300_000, columns: [0, 1, 2, 3]) { batch in
            #expect(batch.firstRecord == next && batch.count <= 65_536)
            next += batch.count
            guard case .integers(let numbers, 0) = batch.columns[0].values, case .texts = batch.columns[1].values,
                case .codes(_, let words) = batch.columns[2].values, case .flags = batch.columns[3].values
            else {
                Issue.record("other vectors")
                return false
            }
            #expect(words.count == 3)
            for index in 0..<batch.count where batch.columns[0].presence?[index] != 0 {
                guard numbers[index] == (batch.firstRecord + index) * 3 else {
                    Issue.record("row \(batch.firstRecord + index) is \(numbers[index])")
                    return false
                }
            }
            return true
        }
        #expect(next == 300_000)
        let all = try rows(source)
        #expect(all[299_999] == ["899997", String(repeating: "299999", count: 4), "blue", "false"])
        var random = SplitMix64(seed: 5)
        for _ in 0..<40 {
            let start = Int.random(in: 0..<300_000, using: &random)
            let end = min(300_000, start + Int.random(in: 0...2_000, using: &random))
            try #require(try table.strings(of: start..<end, columns: [0, 1, 2, 3]) == Array(all[start..<end]))
        }
    }

    @Test func `18.5: columns of long strings are read without keeping all rows in memory`() throws {
        let path = folder.path(of: "long.arrow")
        _ = try ArrowOracle.run("t = pa.table({'s': ['x' * 3000000 + str(i) for i in range(40)]})\nwrite(path, t)", path)
        let table = try #require(try FileOpener().open(path: path).snapshot() as? ArrowTable)
        var (batches, count) = (0, 0)
        try table.scanColumns(0..<40, columns: [0]) { batch in
            batches += 1
            guard case .texts(let texts) = batch.columns[0].values else { return false }
            for index in 0..<batch.count {
                #expect(String(decoding: texts[index].bytes.suffix(2), as: UTF8.self).hasSuffix("\(batch.firstRecord + index)"))
                #expect(texts[index].count >= 3_000_001)
            }
            count += batch.count
            return true
        }
        #expect(count == 40 && batches >= 8, "\(batches) batches")
    }

    @Test func `18.5: the file information names format, batches, compression and metadata`() throws {
        func fileDetails(_ name: String, _ options: String) throws -> [String] {
            let path = folder.path(of: name)
            _ = try ArrowOracle.run("write(path, pa.table({'a': [1, 2, 3]}).replace_schema_metadata({'pandas': '{}'}), \(options))", path)
            let source = try FileOpener().open(path: path)
            #expect(source.profiles(budgetMilliseconds: 4).map(\.kind) == [.integer])
            return source.details.map { "\($0.name): \($0.value)" }
        }
        #expect(
            try fileDetails("a.arrow", "compression='zstd', batch=2")
                == ["format: Arrow file", "record batches: 2", "compression: zstd", "metadata: pandas"])
        #expect(
            try fileDetails("a.feather", "compression='lz4'")[0...2] == [
                "format: Feather file (Arrow)", "record batches: 1", "compression: LZ4",
            ])
        #expect(try fileDetails("a.arrows", "stream=True")[0] == "format: Arrow stream")
    }

    @Test func `18.11: the file information has the type of each column`() throws {
        let path = folder.path(of: "typed.arrow")
        _ = try ArrowOracle.run(
            """
            write(path, pa.table({
                'a': pa.array([1], pa.int8()), 'b': pa.array([1], pa.decimal128(9, 2)), 'c': pa.array([0], pa.timestamp('ms', 'UTC')),
                'd': pa.array(['x']).dictionary_encode(), 'e': [[1.5]], 'f': pa.array([[('k', 1)]], pa.map_(pa.string(), pa.int64())),
                'g': [{'x': True}], 'h': pa.array(['x'], pa.large_string()), 'i': pa.array([b'xy'], pa.binary(2)),
                'j': pa.array([0], pa.time32('s')), 'k': pa.nulls(1), 'l': [[{'y': [1]}]],
            }))
            """, path)
        let facts = try FileOpener().open(path: path).columnDetails.map { "\($0.name): \($0.value)" }
        #expect(
            facts == [
                "a: int8", "b: decimal128(scale 2)", "c: timestamp(ms, UTC)", "d: dictionary<string, int32>", "e: list<double>",
                "f: map<string, int64>", "g.x: bool", "h: large_string", "i: binary(2)", "j: time32(s)", "k: null",
                "l: list<struct<y: list<int64>>>",
            ])
    }

    @Test func `18.5: the file information lists the first of very many columns, and counts the others`()
        throws
    {
        let path = folder.path(of: "wide.arrow")
        _ = try ArrowOracle.run("write(path, pa.table({f'c{i}': [i] for i in range(1_203)}))", path)
        let facts = try FileOpener().open(path: path).columnDetails
        #expect(facts.count == 1_001 && facts[999].name == "c999" && facts[1_000] == ("…", "203 more columns"))
    }

    @Test func `18.5: streams are recognized by their file name, when piped, and when the format is requested`() throws {
        let path = folder.path(of: "a.arrows")
        _ = try ArrowOracle.run("write(path, pa.table({'a': [1, 2, 3]}), stream=True)", path)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let other = try folder.file("a.bin", bytes: bytes)
        #expect(throws: FormatError.self, "without a name, a stream is binary data") { try FileOpener().open(path: other) }
        #expect(try FileOpener(format: "arrow").open(path: other).snapshot() is ArrowTable)
        let compressed = folder.path(of: "a.arrows.gz")
        _ = try ArrowOracle.run("import gzip; gzip.open(path, 'wb').write(open(path[:-3], 'rb').read())", compressed)
        #expect(try rows(FileOpener().open(path: compressed)) == [["1"], ["2"], ["3"]])
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        let piped = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
        #expect(try rows(piped) == [["1"], ["2"], ["3"]])
        for text in ["ARROW1,b\n1,2\n", "ARROW1\n1\n"] {
            #expect(!(try FileOpener().open(path: folder.file("t.arrow", text)).snapshot() is ArrowTable))
        }
        #expect(throws: FormatError("t.csv is not a table in the format arrow. Remove --format to detect the format.")) {
            try FileOpener(format: "arrow").open(path: folder.file("t.csv", "a,b\n1,2\n"))
        }
    }

    @Test func `18.5: a truncated file shows its complete batches, and reading it to the end is an error`() throws {
        for isStream in [false, true] {
            let path = folder.path(of: "t.arrow")
            let stream = isStream ? "True" : "False"
            _ = try ArrowOracle.run("write(path, pa.table({'a': list(range(1000))}), batch=100, stream=\(stream))", path)
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            try FileOpener().open(path: path).readAll(threads: 1) { _ in true }
            let source = try FileOpener().open(path: folder.file("cut.arrow", bytes: Array(bytes[..<(bytes.count / 2)])))
            let found = try rows(source)
            #expect(found.count >= 300 && found.count <= 500 && found.count % 100 == 0)
            #expect(found.indices.allSatisfy { found[$0] == ["\($0)"] })
            let error = #expect(throws: FormatError.self) { try source.readAll(threads: 1) { _ in true } }
            #expect(error?.inputEnd == .betweenRecords)
            #expect(error?.message.hasPrefix("cut.arrow is incomplete or damaged after byte ") == true, "\(error?.message ?? "")")
        }
    }

    @Test func `18.5: the complete batches of a stream are shown, whatever byte it is cut at`() throws {
        let path = folder.path(of: "t.arrows")
        _ = try ArrowOracle.run("write(path, pa.table({'a': list(range(30))}), batch=10, stream=True)", path)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var counts: Set<Int> = []
        var complete = 0
        for length in bytes.count / 2..<bytes.count {
            let source = try FileOpener(format: "arrow").open(path: folder.file("cut.arrows", bytes: Array(bytes[..<length])))
            let count = source.snapshot().recordCount
            counts.insert(count)
            #expect(try rows(source) == (0..<count).map { ["\($0)"] })
            // The mark at the end of a stream is optional, so a stream may end after each batch.
            do {
                try source.readAll(threads: 1) { _ in true }
                complete += 1
            } catch let error as FormatError {
                #expect(error.inputEnd == .betweenRecords && count % 10 == 0, "\(length): \(error.message)")
            }
        }
        #expect(counts.isSuperset(of: [20, 30]) && (1...4).contains(complete), "\(counts) \(complete)")
    }

    @Test func `18.5: numbers in big-endian order are refused`() throws {
        // Returns a message of version 4: a schema with this byte order and without fields.
        func message(_ order: UInt8) -> [UInt8] {
            let root: [UInt8] = [
                16, 0, 0, 0,  // root table at 16
                12, 0, 12, 0, 4, 0, 6, 0, 8, 0, 0, 0,  // directory at 4: version at 4, kind at 6, header at 8
                12, 0, 0, 0, 4, 0, 1, 0, 16, 0, 0, 0,  // table at 16, header at 24 + 16 = 40
                0, 0, 0, 0, 6, 0, 6, 0, 4, 0, 0, 0,  // directory at 32
                8, 0, 0, 0, order, 0, 0, 0,  // schema at 40
            ]
            return [255, 255, 255, 255, UInt8(root.count), 0, 0, 0] + root
        }
        let little = try FileOpener().open(path: folder.file("little.arrow", bytes: message(0)))
        #expect(little.snapshot() is ArrowTable)
        let path = try folder.file("big.arrow", bytes: message(1))
        #expect(throws: FormatError("big.arrow has numbers in big-endian order. Write it on a little-endian machine.")) {
            try FileOpener().open(path: path)
        }
    }

    // MARK: Damage

    /// Opens and reads a file. Returns the error, if any.
    private func error(_ bytes: [UInt8], _ name: String = "d.arrow") throws -> FormatError? {
        let path = try folder.file(name, bytes: bytes)
        do {
            let source = try FileOpener(format: "arrow").open(path: path)
            let table = source.snapshot()
            // A damaged row count can be huge, so only some rows are read.
            try table.scan(0..<min(1_000, table.recordCount), columns: Array(0..<min(500, table.columnCount))) { _, _ in true }
            _ = source.details
            try source.readAll(threads: 1) { _ in true }
            return nil
        } catch let error as FormatError {
            return error
        } catch let error as DelimitedTextError {
            return FormatError(error.message)
        }
    }

    /// Tables, and the options of their files. The damage of each file starts at another byte.
    private static let damaged: [(String, [(start: Int, options: String)])] = [
        (
            "everything(60)",
            [
                (0, "stream=False"), (1, "stream=True"), (4, "compression='lz4'"),
                (6, "metadata_version=ipc.MetadataVersion.V4, use_legacy_format=True, stream=True"),
            ]
        ),
        ("nested(60)", [(2, "stream=False"), (3, "stream=True"), (5, "compression='zstd'")]),
    ]

    @Test(arguments: damaged) func `18.5: a damaged file gives an error or rows, never a crash`(
        table: String, files: [(start: Int, options: String)]
    ) throws {
        _ = try ArrowOracle.write(table, as: files.map(\.options), to: folder)
        for (number, file) in files.enumerated() { try checkDamage(of: folder.path(of: "\(number).arrow"), from: file.start) }
    }

    private func checkDamage(of path: String, from start: Int) throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(try error(bytes) == nil)
        var errors = 0
        let step = max(1, bytes.count / 150)
        for position in stride(from: start, to: bytes.count, by: step) {
            for mask: UInt8 in [0xFF, 0x01] {
                var copy = bytes
                copy[position] ^= mask
                if let error = try error(copy) {
                    errors += 1
                    #expect(error.message.contains("d.arrow") && error.message.hasSuffix("."), "\(error.message)")
                }
            }
        }
        #expect(errors > 10, "\(errors) errors")
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) { _ = try error(Array(bytes[..<length])) }
    }

    @Test(arguments: [0, 1]) func `18.5: damaged metadata gives an error or rows`(index: Int) throws {
        let path = folder.path(of: "whole.arrow")
        _ = try ArrowOracle.run(
            """
            t = nested(9).select(['texts', 'map', 'point', 'coded', 'dense', 'list_view<item: int32>'])
            write(path, t, stream=\(index == 0 ? "True" : "False"))
            """, path)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var random = SplitMix64(seed: UInt64(index))
        var errors = 0
        for _ in 0..<800 {
            var copy = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<copy.count, using: &random)
                copy[position] = [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random)!
            }
            if try error(copy) != nil { errors += 1 }
        }
        #expect(errors > 80, "\(errors) errors")
    }

    @Test func `18.5: an error names the invalid offset, index or length`() throws {
        let texts = "texts.arrow", coded = "coded.arrow", lists = "lists.arrow", views = "views.arrow", zeros = "zeros.arrow"
        _ = try ArrowOracle.run(
            """
            write(path + '/\(texts)', pa.table({'s': ['abc', 'defg', 'hi']}))
            write(path + '/\(coded)', pa.table({'s': pa.array(['a', 'b', 'c', 'a']).dictionary_encode()}))
            write(path + '/\(lists)', pa.table({'l': [[1, 2, 3], [4], [5]]}))
            write(path + '/\(views)', pa.table({'s': pa.array(['a text of more than 12 bytes'], pa.string_view())}))
            write(path + '/\(zeros)', pa.table({'n': pa.array([0] * 5000)}), compression='lz4')
            """, folder.path)
        /// The message about a changed file, without the advice that follows in each message.
        func damaged(_ file: String, _ search: [UInt8], _ replacement: [UInt8]) throws -> String? {
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: file))))
            let place = try #require(bytes.indices.dropLast(search.count).first { bytes[$0..<$0 + search.count].elementsEqual(search) })
            bytes.replaceSubrange(place..<place + search.count, with: replacement)
            return try error(bytes)?.message.replacing(" Copy or download it again.", with: "")
        }
        func words(_ numbers: Int32...) -> [UInt8] {
            numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        }
        #expect(
            ArrowError.damaged("it has no schema").formatError(forFile: "x").message
                == "x is damaged: it has no schema. Copy or download it again.")
        #expect(try damaged(texts, words(0, 3, 7, 9), words(0, 7, 3, 9)) == "d.arrow is damaged: the offsets of a column decrease.")
        #expect(try damaged(texts, words(0, 3, 7, 9), words(0, 3, 7, .max)) == "d.arrow is damaged: a buffer has only 9 bytes.")
        #expect(try damaged(texts, words(0, 3, 7, 9), words(-1, 3, 7, 9)) == "d.arrow is damaged: the offsets of a column decrease.")
        #expect(
            try damaged(coded, words(0, 1, 2, 0), words(0, 1, 3, 0))
                == "d.arrow is damaged: a dictionary of 3 values has no index 3.")
        #expect(
            try damaged(coded, words(0, 1, 2, 0), words(0, -1, 2, 0))
                == "d.arrow is damaged: a dictionary of 3 values has no index -1.")
        #expect(try damaged(lists, words(0, 3, 4, 5), words(0, 3, 4, 6)) == "d.arrow is damaged: a column has too few values.")
        #expect(
            try damaged(views, words(28) + Array("a te".utf8) + words(0, 0), words(28) + Array("a te".utf8) + words(7, 0))
                == "d.arrow is damaged: a string is outside its buffers.")
        // The first bytes of a compressed buffer declare its decoded length, which is changed here.
        #expect(try damaged(zeros, words(40_000, 0), words(0, 0x7FFF_FFFF))?.contains("compressed bytes declares") == true)
        #expect(
            try damaged(zeros, words(40_000, 0), words(40_008, 0))
                == "d.arrow is damaged: a buffer cannot be decompressed.")
    }
}
