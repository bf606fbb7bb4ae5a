import FieldValues
import Foundation
import GridTestSupport
import Synchronization
import Tables
import Testing

@testable import TableFormats

/// Parquet files, with pyarrow and DuckDB as oracles.
@Suite struct ParquetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A table as the oracle reads it.
    private struct Expected: Decodable {
        var titles: [String]
        var rows: [[String?]]
    }

    private func expectedTable(_ name: String) throws -> Expected {
        try JSONDecoder().decode(Expected.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name).json")))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".parquet") }.map { String($0.dropLast(8)) }
            .sorted()
    }

    /// Checks a whole file, random windows, and the contract of tables.
    private func check(_ name: String, _ random: inout SplitMix64) throws {
        let expected = try expectedTable(name)
        let source = try FileOpener().open(path: "\(folder.path)/\(name).parquet")
        #expect(titles(source) == expected.titles, "\(name)")
        let found = try rows(source)
        if found != expected.rows {
            let row = zip(found, expected.rows).enumerated().first { $1.0 != $1.1 }
            let column = row.flatMap { zip($1.0, $1.1).enumerated().first { $1.0 != $1.1 } }
            Issue.record(
                """
                \(name): \(found.count) rows of \(expected.rows.count); row \(row?.offset ?? -1), \
                column \(column.map { expected.titles[$0.offset] } ?? "?"): \
                \(String(describing: column?.element.0)) instead of \(String(describing: column?.element.1))
                """)
            return
        }
        var conformance = TableConformance(source: source, rows: expected.rows, random: random)
        try conformance.check(source.snapshot(), steps: 6)
        _ = random.next()
    }

    private func checkAll() throws -> Int {
        var random = SplitMix64(seed: 18)
        let names = try names()
        for name in names { try check(name, &random) }
        return names.count
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: files with every encoding, codec, page version and type are read`() throws {
        try Python.run(Self.writingScript, folder.path, "800")
        #expect(try checkAll() > 120)
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: files of DuckDB are read`() throws {
        try Python.run(Self.duckDBWritingScript, folder.path, "3000")
        #expect(try checkAll() == 12)
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: two-level lists, packed levels and LZ4 blocks of old writers are read`() throws {
        try Python.run(Self.byteWritingScript, folder.path)
        var random = SplitMix64(seed: 19)
        for name in ["legacy", "bitpacked", "lz4-hadoop", "lz4-block"] { try check(name, &random) }
        // Times of 96 bits: 0001-01-01 does not fit in nanoseconds, and the years after 290,000 do not fit in microseconds.
        #expect(
            try rows(FileOpener().open(path: "\(folder.path)/far2.parquet")) == [["1970-01-01 00:00:00"], ["0001-01-01 23:59:59.999999"]])
        let far = try rows(FileOpener().open(path: "\(folder.path)/far3.parquet"))
        #expect(far[1] == ["0001-01-01 23:59:59.999999"] && far[2][0]?.hasPrefix("5874898-") == true, "\(far)")
        #expect(try rows(FileOpener().open(path: "\(folder.path)/far4.parquet")).count == 4)
        for (name, part) in [("lzo", "LZO compression is not supported"), ("encrypted", "it is an encrypted Parquet file")] {
            let error = #expect(throws: FormatError.self) { try FileOpener().open(path: "\(folder.path)/\(name).parquet") }
            #expect(error?.message.contains(part) == true)
        }
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: 96-bit times keep their nanoseconds beside the year 9999`() throws {
        // pyarrow cannot write both in one column, so the script replaces the 96-bit time of 1970-01-03.
        let script = """
            import struct, sys, pyarrow as pa, pyarrow.parquet as pq
            day = 86_400 * 10**9
            times = [1, None, 19_723 * day + 123_456_789, 2 * day]
            t = pa.table({'t': pa.array(times, pa.timestamp('ns')), 'l': pa.array([times, None, [], []], pa.list_(pa.timestamp('ns')))})
            for name, hasDictionary in (('plain', False), ('codes', True)):
                path = f'{sys.argv[1]}/{name}.parquet'
                pq.write_table(
                    t, path, use_dictionary=hasDictionary, compression='none', use_deprecated_int96_timestamps=True, store_schema=False)
                with open(path, 'rb') as file: data = file.read()
                data = data.replace(struct.pack('<qI', 0, 2_440_588 + 2), struct.pack('<qI', 0, 5_373_484))
                with open(path, 'wb') as file: file.write(data)
            """
        try Python.run(script, folder.path)
        for name in ["plain", "codes"] {
            let source = try FileOpener().open(path: "\(folder.path)/\(name).parquet")
            #expect(source.profiles(budgetMilliseconds: 0)[0].kind == .dateTime)
            let texts = ["1970-01-01 00:00:00.000000001", nil, "2024-01-01 00:00:00.123456789", "9999-12-31 00:00:00"]
            let list = "[" + texts.map { $0.map { "\"\($0)\"" } ?? "null" }.joined(separator: ",") + "]"
            #expect(try rows(source) == [[texts[0], list], [nil, nil], [texts[2], "[]"], [texts[3], "[]"]], "\(name)")
        }
    }

    @Test(.enabled(if: Python.isAvailable))
    func `18.4, 18.5: durations and flags that only the Arrow schema declares are read as in Arrow files`() throws {
        let script = """
            import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.ipc as ipc
            def flags(values): return pa.ExtensionArray.from_storage(pa.bool8(), pa.array(values, pa.int8()))
            t = pa.table({
                's': pa.array([1, None, -90], pa.duration('s')), 'us': pa.array([1, None, 3_600_000_000], pa.duration('us')),
                'n': pa.array([1, None, 3], pa.int64()), 'b': pa.array([1, None, 3], pa.int8()), 'f': flags([2, None, 0]),
                'g': pa.StructArray.from_arrays([pa.array([1500, None, -1], pa.duration('ms')), flags([1, None, 0])], ['d', 'f']),
                'l': pa.array([[1500, None], None, []], pa.list_(pa.duration('ms'))),
                'm': pa.array([[('a', 1)], None, []], pa.map_(pa.string(), pa.duration('s')))})
            for number, options in enumerate([{}, {'use_dictionary': False, 'data_page_version': '2.0'}]):
                pq.write_table(t, f'{sys.argv[1]}/d{number}.parquet', **options)
            pq.write_table(t, sys.argv[1] + '/plain.parquet', store_schema=False)
            with ipc.new_file(sys.argv[1] + '/d2.arrow', t.schema) as w: w.write_table(t)
            """
        try Python.run(script, folder.path)
        for name in ["d0.parquet", "d1.parquet", "d2.arrow"] {
            let source = try FileOpener().open(path: "\(folder.path)/\(name)")
            #expect(titles(source) == ["s", "us", "n", "b", "f", "g.d", "g.f", "l", "m"])
            #expect(
                source.profiles(budgetMilliseconds: 0).map(\.kind)
                    == [.integer, .decimal, .integer, .integer, .flag, .decimal, .flag, .text, .text], "\(name)")
            #expect(
                try rows(source) == [
                    ["1", "0.000001", "1", "1", "true", "1.500", "true", "[1.500,null]", #"{"a":1}"#],
                    [nil, nil, nil, nil, nil, nil, nil, nil, nil],
                    ["-90", "3600.000000", "3", "3", "false", "-0.001", "false", "[]", "{}"],
                ], "\(name)")
            #expect(source.columnDetails[1].value.hasPrefix("duration(µs)") && source.columnDetails[4].value.hasPrefix("bool8"))
        }
        // Without the Arrow schema, the values are integers.
        let plain = try rows(FileOpener().open(path: "\(folder.path)/plain.parquet"))
        #expect(plain[2].prefix(5) == ["-90", "3600000000", "3", "3", "0"])
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: pages with very many or very long values are read in several parts`()
        throws
    {
        try Python.run(Self.byteWritingScript, folder.path)
        // This file declares 2^31 − 1 rows in a few bytes.
        let run = try FileOpener().open(path: "\(folder.path)/run.parquet").snapshot()
        #expect(run.recordCount == 2_147_483_647)
        var seen = 0
        for start in [0, 2_147_483_600, 1_000_000_000] {
            try run.scan(start..<start + 47, columns: [0]) { _, fields in
                seen += String(decoding: fields[0].bytes, as: UTF8.self) == "77" ? 1 : 0
                return true
            }
        }
        #expect(seen == 3 * 47)
        // This file has 20,000 strings of 300,000 bytes, which share their bytes. Of these 6 GB, at most 16 MiB are in memory.
        let repeated = try FileOpener().open(path: "\(folder.path)/repeated.parquet").snapshot()
        var bytes = 0
        try repeated.scan(0..<20_000, columns: [0]) { record, fields in
            bytes += fields[0].count
            return record < 200
        }
        #expect(bytes == 201 * 300_000)
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: damaged files are reported`() throws {
        try Python.run(Self.writingScript, folder.path, "60")
        try Python.run(Self.duckDBWritingScript, folder.path, "60")
        var random = SplitMix64(seed: 20)
        var (errors, reads) = (0, 0)
        let clock = ContinuousClock()
        for name in try names() where !name.hasPrefix("constant") && !name.hasPrefix("many") && !name.hasPrefix("cross") {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name).parquet")))
            // The footer follows the pages, and damage there reaches other code.
            let start = Int.random(in: 0..<100, using: &random)
            let places = Array(stride(from: start, to: bytes.count, by: name.contains("0.3") || name.contains("duck") ? 400 : 1_600))
            for place in places {
                var damaged = bytes
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
                case 1: damaged[place] = UInt8.random(in: 0...255, using: &random)
                case 2: damaged[place] = 0xFF
                default: damaged.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...200, using: &random)))
                }
                let time = try clock.measure { if try !isReadable(damaged) { errors += 1 } else { reads += 1 } }
                #expect(time < .seconds(10), "\(name) at \(place)")
            }
        }
        #expect(errors > 100 && reads > 100, "\(errors) errors, \(reads) tables")
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: one damaged byte, at every hundredth position, is reported`() throws {
        try Python.run(Self.writingScript, folder.path, "40")
        var errors = 0
        for name in ["flat-1.0-0.3-snappy", "nested-2.0-0.25-True", "prefixes-1.0-0.3"] {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name).parquet")))
            for place in stride(from: 0, to: bytes.count, by: 100) {
                var damaged = bytes
                damaged[place] ^= 0x55
                if try !isReadable(damaged) { errors += 1 }
                if try !isReadable(Array(bytes[..<place])) { errors += 1 }
            }
        }
        #expect(errors > 100)
    }

    /// Reads all values. Returns `false` if that fails with a message.
    private func isReadable(_ bytes: [UInt8]) throws -> Bool {
        do {
            let source = try FileOpener(format: "parquet").open(path: folder.file("damaged.parquet", bytes: bytes))
            let table = source.snapshot()
            var rows = 0
            // A damaged row count can be huge, so only some rows are read.
            try table.scan(0..<min(table.recordCount, 3_000), columns: table.allColumns) { _, fields in
                rows += fields.count
                return true
            }
            if table.recordCount > 0 { _ = try source.tail(atLeast: 1) }
            return true
        } catch let error as any TableError {
            #expect(!error.message.isEmpty)
            return false
        }
    }

    @Test func `18.4: error messages name the problem`() throws {
        func message(_ bytes: [UInt8]) throws -> String? {
            do {
                _ = try FileOpener(format: "parquet").open(path: folder.file("x.parquet", bytes: bytes))
                return nil
            } catch let error as FormatError {
                // The advice follows each message about damage.
                let advice = " Copy or download it again."
                #expect(error.message.hasSuffix(advice) == error.message.contains(" is damaged: "), "\(error.message)")
                return error.message.replacing(advice, with: "")
            }
        }
        let magic = Array("PAR1".utf8)
        #expect(try message(magic + [21, 0]) == "x.parquet is damaged: it does not end with a footer, so it may be incomplete.")
        #expect(try message(magic + [21, 0, 0, 0, 255, 255, 255, 127] + magic) == "x.parquet is damaged: its footer has an invalid size.")
        #expect(try message(magic + [0, 1, 0, 0, 0] + magic) == "x.parquet is damaged: its footer has no schema or no list of row groups.")
        #expect(try message(Array("PARE".utf8) + [1]) == "Cannot read x.parquet: it is an encrypted Parquet file. Decrypt it first.")
        #expect(try message(Array("a,b\n1,2\n".utf8)) == "x.parquet is not a Parquet file. Remove --format to detect the format.")
        #expect(
            ParquetFile.missingLibraryError(of: .zstd, "x.parquet").message
                == "Cannot read x.parquet: this Parquet file is compressed with zstd. \(Codec.zstd.missingLibrary)")
        // A short footer declares a list of 2^31 elements.
        let list: [UInt8] = [0x29, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 7]
        #expect(
            try message(magic + list + [UInt8(list.count), 0, 0, 0] + magic) == "x.parquet is damaged: its metadata ends too early.")
        // These bytes declare deeply nested structures.
        let deep = [UInt8](repeating: 0x1C, count: 200)
        #expect(try message(magic + deep + [200, 0, 0, 0] + magic) == "x.parquet is damaged: its metadata is invalid.")
    }

    @Test func `18.4: a page that is too large is not called damaged, and the message says what to do`() throws {
        func message(uncompressedBytes: Int, compressedBytes: Int) -> String? {
            let header = PageHeader(
                .data, valueCount: 1, encoding: .plain, uncompressedBytes: uncompressedBytes, compressedBytes: compressedBytes, checksum: 0)
            do {
                try header.checkSize()
            } catch {
                return (error as? ParquetError)?.formatError(of: "x.parquet", column: "v").message
            }
            return nil
        }
        let limit = PageHeader.maximumBytes
        #expect(message(uncompressedBytes: limit, compressedBytes: limit) == nil)
        let advice = "Write the file again with smaller row groups."
        for (uncompressed, compressed) in [(limit + 1, 100), (100, limit + 1)] {
            #expect(
                message(uncompressedBytes: uncompressed, compressedBytes: compressed)
                    == "Cannot read x.parquet: in column “v”, a page is larger than 1 GiB. \(advice)")
        }
        let damage = ParquetError("a page has an invalid size")
        #expect(damage.formatError(of: "x").message == "x is damaged: a page has an invalid size. Copy or download it again.")
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: column types, titles and file details are read from the file`() throws {
        try Python.run(Self.writingScript, folder.path, "50")
        let source = try FileOpener().open(path: "\(folder.path)/flat-1.0-0.3-zstd.parquet")
        let kinds = zip(titles(source), source.profiles(budgetMilliseconds: 100).map(\.kind))
        let found = Dictionary(uniqueKeysWithValues: kinds.map { ($0, $1) })
        for (title, kind) in [
            ("i8", ValueKind.integer), ("u64", .integer), ("f64", .decimal), ("money", .decimal), ("flag", .flag), ("word", .text),
            ("date", .date), ("t9", .time), ("d6", .dateTime), ("giant", .decimal),
        ] { #expect(found[title] == kind, "\(title)") }
        let facts = source.details.map { "\($0.name): \($0.value)" }
        #expect(facts.contains("format: Parquet") && facts.contains("row groups: 1") && facts.contains("compression: zstd"), "\(facts)")
        #expect(facts.contains { $0.hasPrefix("created by: parquet-cpp-arrow") })
    }

    @Test(.enabled(if: Python.isAvailable))
    func `18.4: samples start at row groups, and column widths include the widest numbers`() throws {
        let path = folder.path(of: "groups.parquet")
        // 999,999 is in no sample: it is the last row of the last group.
        try Python.run(
            """
            import sys, pyarrow as pa, pyarrow.parquet as pq
            table = pa.table({
                'id': pa.array([*range(2999), 999999], pa.int64()), 'low': pa.array([5] * 2999 + [-7777], pa.int16()),
                'word': ['short' if i < 2000 else 'a longer word' for i in range(3000)],
            })
            pq.write_table(table, sys.argv[1], row_group_size=1000)
            """, path)
        let source = try FileOpener().open(path: path)
        let table = source.snapshot()
        #expect([0, 999, 1_000, 1_417, 2_834, 2_999].map(table.sampleStart) == [0, 999, 1_000, 1_000, 2_000, 2_000])
        let profiles = source.profiles(ofColumnsFrom: 0)
        #expect(profiles.map(\.kind) == [.integer, .integer, .text])
        #expect(profiles.map { $0.sampleTexts.first } == ["999999", "-7777", "a longer word"])
        #expect(profiles.map(\.sampledCount) == [498, 498, 498])
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.11: the file information has the type, nulls and bounds of each column`()
        throws
    {
        let path = folder.path(of: "typed.parquet")
        try Python.run(
            """
            import sys, pyarrow as pa, pyarrow.parquet as pq
            table = pa.table({
                'id': pa.array([1, 2, 3, None], pa.int32()), 'price': pa.array([0.1, 2.25, None, 9], pa.float32()),
                'amount': pa.array([100, 2, 3, 4], pa.decimal128(9, 2)), 'day': pa.array([0, 1, 2, 3], pa.date32()),
                'when': pa.array([0, 10**15, 2, 3], pa.timestamp('us', 'UTC')), 'flag': [True, True, True, True],
                'name': ['Ann', 'Bob', None, 'Zoë'], 'long': ['漢' * 30, '漢' * 31, '語', '語'], 'none': pa.nulls(4, pa.string()),
                'zero': pa.array([0, 0, 0, 0.5], pa.float32()), 'wide': [-0.0, float('inf'), 1, 0],
                'blank': ['', '', '', ''],
                'tags': [['a'], [], None, ['b', 'c']], 'at': [{'x': 1, 'y': [1.5]}] * 4,
                'map': pa.array([[('k', 1)]] * 4, pa.map_(pa.string(), pa.int64())), 'key': pa.array([1, 2, 3, 4], pa.uint16()),
                'owed': pa.array([-3, -2, 100, 1], pa.decimal128(30, 1)),
            }, schema=None)
            table = table.set_column(15, pa.field('key', pa.uint16(), nullable=False), table['key'])
            pq.write_table(table, sys.argv[1], row_group_size=2, store_decimal_as_integer=True)
            """, path)
        let facts = try FileOpener().open(path: path).columnDetails.map { "\($0.name): \($0.value)" }
        #expect(
            facts == [
                "id: int32, 1 null, 1 … 3", "price: float, 1 null, 0.1 … 9.0", "amount: decimal(9, 2), no nulls, 2.00 … 100.00",
                "day: date, no nulls, 1970-01-01 … 1970-01-04",
                "when: timestamp(µs, UTC), no nulls, 1970-01-01 00:00:00Z … 2001-09-09 01:46:40Z", "flag: boolean, no nulls, only true",
                "name: string, 1 null, “Ann” … “Zoë”", "long: string, no nulls, “\(String(repeating: "漢", count: 13))…” … “語”",
                "none: string, 4 nulls", "zero: float, no nulls, 0.0 … 0.5", "wide: double, no nulls, 0.0 … inf",
                "blank: string, no nulls, only “”", "tags: list<string>", "at.x: int64, no nulls, only 1", "at.y: list<double>",
                "map: map<string, int64>", "key: uint16 not null, 1 … 4",
                "owed: decimal(30, 1), no nulls, -3.0 … 100.0",
            ])
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: several threads can scan a file at the same time`()
        throws
    {
        try Python.run(Self.writingScript, folder.path, "400")
        let name = "flat-2.0-0.3-snappy"
        let expected = try expectedTable(name).rows
        let table = try FileOpener().open(path: "\(folder.path)/\(name).parquet").snapshot()
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 60) { iteration in
            var random = SplitMix64(seed: UInt64(iteration))
            let start = Int.random(in: 0..<expected.count, using: &random)
            let end = Int.random(in: start...expected.count, using: &random)
            let found = try? table.strings(of: start..<end, columns: table.allColumns)
            if found != Array(expected[start..<end]) { failures.withLock { $0 += 1 } }
        }
        #expect(failures.withLock { $0 } == 0)
    }

    @Test(
        .enabled(if: Python.isAvailable))
    func `18.4: the first rows of a long page are read without decompressing the rest`() throws {
        let path = "\(folder.path)/long.parquet"
        let script = """
            import sys, pyarrow as pa, pyarrow.parquet as pq
            n = 60000
            table = pa.table({"i": pa.array(range(n), pa.int64()), "s": pa.array([None if i % 3 else i * 7 for i in range(n)], pa.int64()),
                "r": pa.array([i // 100 for i in range(n)], pa.int32()),
                "h": pa.array([i for i in range(n)], pa.int64())}, schema=pa.schema([pa.field("i", pa.int64(), nullable=False),
                ("s", pa.int64()), ("r", pa.int32()), ("h", pa.int64())]))
            pq.write_table(table, sys.argv[1], compression="snappy", use_dictionary=False, data_page_size=8 << 20, row_group_size=n)
            """
        try Python.run(script, path)
        let table = try FileOpener().open(path: path).snapshot()
        try #require(table.recordCount == 60_000)
        var random = SplitMix64(seed: 11)
        for round in 0..<300 {
            let start = round % 3 == 0 ? 0 : Int.random(in: 0..<59_000, using: &random)
            let count = Int.random(in: 1...900, using: &random)
            let found = try table.strings(of: start..<start + count, columns: [0, 1, 2, 3])
            let expected = (start..<start + count).map { ["\($0)", $0 % 3 == 0 ? "\($0 * 7)" : nil, "\($0 / 100)", "\($0)"] }
            #expect(found == expected, "rows \(start) to \(start + count)")
        }
    }
}
