import CCodecs
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Parquet files that the program writes, read by pyarrow, by DuckDB and by the program.
@Suite(.enabled(if: Python.isAvailable)) struct ParquetWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Writing

    /// The values of a column; `nil` is a missing value.
    private enum Cells {
        case numbers([Int64?])
        case doubles([Double?])
        case flags([Bool?])
        case texts([[UInt8]?])

        static func strings(_ texts: [String?]) -> Cells { .texts(texts.map { $0.map { Array($0.utf8) } }) }

        var count: Int {
            switch self {
            case .numbers(let values): values.count
            case .doubles(let values): values.count
            case .flags(let values): values.count
            case .texts(let values): values.count
            }
        }

        var hasNulls: Bool {
            switch self {
            case .numbers(let values): values.contains { $0 == nil }
            case .doubles(let values): values.contains { $0 == nil }
            case .flags(let values): values.contains { $0 == nil }
            case .texts(let values): values.contains { $0 == nil }
            }
        }
    }

    /// Values in memory that is released with the object.
    private final class Memory {
        private var blocks: [UnsafeMutableRawPointer] = []

        deinit { for block in blocks { block.deallocate() } }

        func copy<Value>(_ values: [Value]) -> UnsafePointer<Value> {
            let block = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
            block.initialize(from: values, count: values.count)
            blocks.append(UnsafeMutableRawPointer(block))
            return UnsafePointer(block)
        }

        func vector(_ cells: Cells, _ type: WrittenType) -> ColumnVector {
            func presence<Value>(_ values: [Value?]) -> UnsafePointer<UInt8>? {
                values.contains { $0 == nil } ? copy(values.map { $0 == nil ? 0 : 7 }) : nil
            }
            switch cells {
            case .numbers(let values):
                // The values of missing fields are undefined.
                let numbers = copy(values.map { $0 ?? .min })
                let kind: ColumnVector.Values =
                    switch type {
                    case .decimal(let scale): .integers(numbers, scale: scale)
                    case .date: .dates(numbers)
                    case .dateTime(let digits, let isUTC): .dateTimes(numbers, digits: digits, isUTC: isUTC)
                    case .time(let digits): .times(numbers, digits: digits)
                    default: .integers(numbers, scale: 0)
                    }
                return ColumnVector(kind, presence: presence(values))
            case .doubles(let values): return ColumnVector(.doubles(copy(values.map { $0 ?? .nan })), presence: presence(values))
            case .flags(let values):
                return ColumnVector(.flags(copy(values.map { $0 == nil ? 9 : $0 == true ? 200 : 0 })), presence: presence(values))
            case .texts(let values):
                return ColumnVector(
                    .texts(copy(values.map { $0.map { FieldBytes(start: copy($0), count: $0.count) } ?? .missing })))
            }
        }
    }

    private typealias TestColumn = (name: String, type: WrittenType, cells: Cells)

    /// Writes columns in batches, and returns the path.
    @discardableResult
    private func write(
        _ columns: [TestColumn], to name: String = "w.parquet", _ limits: ParquetLimits = ParquetLimits(),
        compresses: Bool = true, batchRows: Int = 1_000
    ) throws -> String {
        let written = columns.map { WrittenColumn(name: $0.name, type: $0.type, hasNulls: $0.cells.hasNulls) }
        let count = columns[0].cells.count
        var data = Data()
        var writer = try ParquetOutputFormat(limits: limits, compresses: compresses)
            .makeWriter(written, rowCount: count, table: "t") { data.append(contentsOf: $0) }
        let memory = Memory()
        var first = 0
        while first < count {
            let rows = first..<min(count, first + batchRows)
            let vectors = columns.map { memory.vector(slice($0.cells, rows), $0.type) }
            try writer.write(ColumnBatch(firstRecord: first, count: rows.count, columns: vectors))
            first = rows.upperBound
        }
        try writer.finish()
        try data.write(to: URL(fileURLWithPath: folder.path(of: name)))
        return folder.path(of: name)
    }

    private func slice(_ cells: Cells, _ rows: Range<Int>) -> Cells {
        switch cells {
        case .numbers(let values): .numbers(Array(values[rows]))
        case .doubles(let values): .doubles(Array(values[rows]))
        case .flags(let values): .flags(Array(values[rows]))
        case .texts(let values): .texts(Array(values[rows]))
        }
    }

    /// Reads a Parquet file and writes its batches.
    private func copy(_ source: String, to target: String, _ types: [WrittenType], nulls: [Bool], _ limits: ParquetLimits) throws {
        let opened = try FileOpener().open(path: source)
        let table = try #require(opened.snapshot() as? any ColumnarTable)
        let columns = zip(titles(opened), zip(types, nulls)).map { WrittenColumn(name: $0, type: $1.0, hasNulls: $1.1) }
        var data = Data()
        var writer = try ParquetOutputFormat(limits: limits)
            .makeWriter(columns, rowCount: table.recordCount, table: "t") { data.append(contentsOf: $0) }
        try table.scanColumns(0..<table.recordCount, columns: Array(0..<types.count)) { batch in
            let memory = Memory()
            // The reader returns small decimals as integers.
            let vectors = zip(batch.columns, types).map { vector, type in
                if case .floats(let values) = vector.values {
                    let doubles: [Double] = (0..<batch.count).map { Double(values[$0].description) ?? .nan }
                    return ColumnVector(.doubles(memory.copy(doubles)), presence: vector.presence)
                }
                guard case .wideDecimal = type, case .integers(let values, let scale) = vector.values else { return vector }
                let texts: [FieldBytes] = (0..<batch.count).map { row in
                    if let presence = vector.presence, presence[row] == 0 { return .missing }
                    let room = memory.copy([UInt8](repeating: 0, count: 40))
                    var text = ValueTextWriter(UnsafeMutablePointer(mutating: room))
                    text.put(values[row], scale: scale)
                    return text.field
                }
                return ColumnVector(.texts(memory.copy(texts)), presence: vector.presence)
            }
            try writer.write(ColumnBatch(firstRecord: batch.firstRecord, count: batch.count, columns: vectors))
            return true
        }
        try writer.finish()
        try data.write(to: URL(fileURLWithPath: target))
    }

    // MARK: Round trips

    private static let smallLimits = ParquetLimits(groupRows: 700, groupBytes: 40_000, pageRows: 60, pageBytes: 700, dictionaryBytes: 600)

    @Test func `18.10: random tables are read by pyarrow and DuckDB with equal values, types and nulls`()
        throws
    {
        try Python.run(Self.writingScript, folder.path)
        let types: [WrittenType] = [
            .integer, .integer, .integer, .decimal(scale: 4), .decimal(scale: 0), .wideDecimal(scale: 10), .wideDecimal(scale: 38),
            .double, .double, .float, .flag, .date, .dateTime(digits: 6, isUTC: false), .dateTime(digits: 6, isUTC: true),
            .dateTime(digits: 9, isUTC: false), .time(digits: 6), .time(digits: 9), .text, .text, .text, .binary,
        ]
        let shares = ["0.0", "0.02", "0.5", "0.99", "1.0"]
        for share in shares {
            for (variant, limits) in [Self.smallLimits, ParquetLimits(), ParquetLimits(groupRows: 1, pageRows: 1)].enumerated() {
                let name = variant == 2 ? "short-\(share)" : "source-\(share)"
                let target = folder.path(of: "copy-\(variant)-\(share).parquet")
                let nulls = [Bool](repeating: share != "0.0", count: types.count)
                try copy(folder.path(of: "\(name).parquet"), to: target, types, nulls: nulls, limits)
                try compare(target, folder.path(of: "\(name).parquet"))
                try checkIndexes(target)
            }
        }
        try Python.run(Self.checkingScript, folder.path, shares.joined(separator: " "))
    }

    /// Checks that two files have equal batches.
    private func compare(_ path: String, _ other: String) throws {
        let (found, expected) = (try FileOpener().open(path: path), try FileOpener().open(path: other))
        #expect(titles(found) == titles(expected))
        let (rows, expectedRows) = (try rows(found), try rows(expected))
        #expect(rows == expectedRows, "\(path)")
        #expect(rows.count > 10)
        var conformance = TableConformance(source: found, rows: expectedRows, random: SplitMix64(seed: 5))
        try conformance.check(found.snapshot(), steps: 6)
    }

    /// The bounds of a page in the column index.
    private struct PageBounds {
        var isNull: [Bool] = []
        var lower: [[UInt8]] = []
        var upper: [[UInt8]] = []
        var order = -1
        var nulls: [Int] = []
    }

    /// Checks the column and offset indexes of a file against the values of its pages.
    /// - Returns: the number of checked pages.
    @discardableResult
    private func checkIndexes(_ path: String) throws -> Int {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let count = bytes.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let footer = Array(bytes[(bytes.count - 8 - count)..<(bytes.count - 8)])
        let metadata = try ParquetMetadata(footer)
        let leaves = try ParquetSchema(metadata.schema).leaves
        let places = try columnIndexPlaces(footer)
        let table = try FileOpener().open(path: path).snapshot()
        var (checked, next, chunk) = (0, 0, 0)
        for group in metadata.groups {
            for (leaf, column) in zip(leaves, group.chunks) {
                defer { chunk += 1 }
                #expect(column.offsetIndexCount > 0)
                let pages = try offsetIndex(Array(bytes[column.offsetIndexStart..<column.offsetIndexStart + column.offsetIndexCount]))
                #expect(pages.first?.row == 0)
                for page in pages {
                    let header = try PageHeader(Array(bytes[page.offset..<min(bytes.count, page.offset + 200)]))
                    #expect(header.kind == .data && header.totalBytes == page.bytes)
                }
                #expect(pages.map(\.row) == pages.map(\.row).sorted() && pages.last.map { $0.offset + $0.bytes } == column.end)
                guard places[chunk].count > 0 else { continue }
                let index = try columnIndex(Array(bytes[places[chunk].start..<places[chunk].start + places[chunk].count]))
                try #require(index.isNull.count == pages.count && index.lower.count == pages.count && index.upper.count == pages.count)
                for (number, page) in pages.enumerated() {
                    let rows = next + page.row..<next + (number + 1 < pages.count ? pages[number + 1].row : group.rowCount)
                    var (nulls, texts): (Int, [String]) = (0, [])
                    try table.scan(rows, columns: [leaf.index]) { _, fields in
                        if fields[0].isMissing { nulls += 1 } else { texts.append(String(decoding: fields[0].bytes, as: UTF8.self)) }
                        return true
                    }
                    #expect(index.nulls[number] == nulls && index.isNull[number] == texts.isEmpty)
                    checked += 1
                    guard !texts.isEmpty else { continue }
                    let keys = texts.map { key($0, leaf) }.sorted { $0.lexicographicallyPrecedes($1) }
                    let (low, high) = (key(index.lower[number], leaf), key(index.upper[number], leaf))
                    #expect(!keys[0].lexicographicallyPrecedes(low) && !high.lexicographicallyPrecedes(keys[keys.count - 1]))
                    // The bounds of short values are not shortened.
                    if keys[0].count <= 64 { #expect(low == keys[0], "\(leaf.name)") }
                    if keys[keys.count - 1].count <= 64 { #expect(high == keys[keys.count - 1], "\(leaf.name)") }
                }
                let lowerKeys = zip(index.lower, index.isNull).filter { !$1 }.map { key($0.0, leaf) }
                let upperKeys = zip(index.upper, index.isNull).filter { !$1 }.map { key($0.0, leaf) }
                func isSorted(_ keys: [[UInt8]]) -> Bool { zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) } }
                let isAscending = isSorted(lowerKeys) && isSorted(upperKeys)
                let isDescending = isSorted(lowerKeys.reversed()) && isSorted(upperKeys.reversed())
                switch BoundaryOrder(rawValue: index.order) {
                case .ascending: #expect(isAscending)
                case .descending: #expect(isDescending)
                default: #expect(!isAscending && !isDescending)
                }
            }
            next += group.rowCount
        }
        return checked
    }

    /// Bytes whose unsigned order equals the order of the values, for a shown value and for a bound.
    private func key(_ text: String, _ leaf: ParquetLeaf) -> [UInt8] {
        func bigEndianBytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        switch (leaf.type, leaf.form) {
        case (.boolean, _): return [text == "true" ? 1 : 0]
        case (.double, _), (.float, _): return key(Double(text) ?? .nan)
        case (.fixed, _): return bigEndianBytes(Int128(text.filter { $0 != "." })! ^ Int128.min)
        case (.int64, .integers): return bigEndianBytes(Int64(text.filter { $0 != "." })! ^ Int64.min)
        case (.bytes, _): return Array(text.utf8)
        // Dates and times of four-digit years sort as strings.
        default: return Array(text.utf8)
        }
    }

    private func key(_ number: Double) -> [UInt8] {
        let bits = number == 0 ? 0 : number.bitPattern
        let ordered = bits >> 63 == 1 ? ~bits : bits | 1 << 63
        return withUnsafeBytes(of: ordered.bigEndian) { Array($0) }
    }

    private func key(_ bound: [UInt8], _ leaf: ParquetLeaf) -> [UInt8] {
        let number = bound.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch leaf.type {
        case .boolean: return bound
        case .double: return key(Double(bitPattern: number))
        case .float: return key(Double(Float(bitPattern: UInt32(truncatingIfNeeded: number)).description) ?? .nan)
        case .fixed: return [bound[0] ^ 0x80] + bound.dropFirst()
        case .bytes: return bound
        default:
            let value = leaf.type == .int32 ? Int64(Int32(truncatingIfNeeded: number)) : Int64(bitPattern: number)
            if case .integers = leaf.form { return withUnsafeBytes(of: (value ^ Int64.min).bigEndian) { Array($0) } }
            let room = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
            defer { room.deallocate() }
            var text = ValueTextWriter(room)
            text.begin()
            switch leaf.form {
            case .dates: text.putDate(value)
            case .dateTimes(let digits, let isUTC): text.putDateTime(value, digits: digits, isUTC: isUTC)
            case .times(let digits): text.putTime(value, digits: digits)
            default: break
            }
            return Array(text.field.bytes)
        }
    }

    private func offsetIndex(_ bytes: [UInt8]) throws -> [(offset: Int, bytes: Int, row: Int)] {
        var (reader, pages) = (ThriftReader(bytes), [(offset: Int, bytes: Int, row: Int)]())
        try reader.readStructure { reader, field, kind in
            #expect(field == 1)
            try reader.readList(kind) { reader, kind in
                var page = (offset: 0, bytes: 0, row: 0)
                try reader.readStructure(kind) { reader, field, kind in
                    let value = try reader.readInteger(kind)
                    if field == 1 { page.offset = value } else if field == 2 { page.bytes = value } else { page.row = value }
                }
                pages.append(page)
            }
        }
        return pages
    }

    private func columnIndex(_ bytes: [UInt8]) throws -> PageBounds {
        var (reader, index) = (ThriftReader(bytes), PageBounds())
        try reader.readStructure { reader, field, kind in
            func binary(_ reader: inout ThriftReader) throws -> [UInt8] {
                let start = reader.position
                try reader.skip(.binary)
                var head = start
                while bytes[head] >= 0x80 { head += 1 }
                return Array(bytes[(head + 1)..<reader.position])
            }
            switch field {
            case 1:
                try reader.readList(kind) { reader, _ in
                    index.isNull.append(bytes[reader.position] == 1)
                    try reader.skip(.int32)
                }
            case 2: try reader.readList(kind) { reader, _ in index.lower.append(try binary(&reader)) }
            case 3: try reader.readList(kind) { reader, _ in index.upper.append(try binary(&reader)) }
            case 4: index.order = try reader.readInteger(kind)
            case 5: try reader.readList(kind) { reader, kind in index.nulls.append(try reader.readInteger(kind)) }
            default: Issue.record("unknown field \(field)")
            }
        }
        return index
    }

    /// The places of the column indexes of all chunks in order.
    private func columnIndexPlaces(_ footer: [UInt8]) throws -> [(start: Int, count: Int)] {
        var (reader, places) = (ThriftReader(footer), [(start: Int, count: Int)]())
        try reader.readStructure { reader, field, kind in
            guard field == 4 else { return try reader.skip(kind) }
            try reader.readList(kind) { reader, kind in
                try reader.readStructure(kind) { reader, field, kind in
                    guard field == 1 else { return try reader.skip(kind) }
                    try reader.readList(kind) { reader, kind in
                        var place = (start: 0, count: 0)
                        try reader.readStructure(kind) { reader, field, kind in
                            switch field {
                            case 6: place.start = try reader.readInteger(kind)
                            case 7: place.count = try reader.readInteger(kind)
                            default: try reader.skip(kind)
                            }
                        }
                        places.append(place)
                    }
                }
            }
        }
        return places
    }

    // MARK: Values

    @Test func `18.10: extreme values, equal names and long strings are written unchanged`() throws {
        let long = String(repeating: "ä", count: 1 << 19)
        let last = String(repeating: "\u{10FFFF}", count: 40)
        let nines = String(repeating: "9", count: 38)
        let columns: [TestColumn] = [
            ("n", .integer, .numbers([.min, .max, 0, -1, nil])),
            ("n", .double, .doubles([-0.0, 0.0, .infinity, -.infinity, .leastNonzeroMagnitude])),
            ("n_2", .double, .doubles([.nan, 1, -.nan, nil, .greatestFiniteMagnitude])),
            ("zero", .double, .doubles([0, nil, 0, 0, 0])),
            ("negative zero", .double, .doubles([-0.0, -0.0, -0.0, -0.0, -0.0])),
            ("N", .text, .strings(["", nil, "\0", "日本", long])),
            ("", .text, .strings([last, last + "x", last, last, last])),
            ("a.b", .binary, .texts([[], [0xFF], [UInt8](repeating: 0xFF, count: 100), [0], nil])),
            ("day", .date, .numbers([-719_162, -1, 0, 2_932_896, nil])),
            ("micro", .dateTime(digits: 6, isUTC: false), .numbers([-1, 0, -62_135_596_800_000_000, 253_402_300_799_999_999, nil])),
            ("utc", .dateTime(digits: 9, isUTC: true), .numbers([-1, 0, .min + 1, .max, nil])),
            ("clock", .time(digits: 9), .numbers([0, 86_399_999_999_999, nil, 1, 1_000])),
            ("wide", .wideDecimal(scale: 2), .strings(["-\(nines.prefix(36)).99", "\(nines.prefix(36)).99", "0.00", "-0.01", nil])),
            ("whole", .wideDecimal(scale: 0), .strings([nines, "-" + nines, "-1", "1", "0"])),
            ("money", .decimal(scale: 18), .numbers([999_999_999_999_999_999, -999_999_999_999_999_999, 1, nil, 0])),
            ("flag", .flag, .flags([true, false, nil, true, true])),
            ("none", .text, .strings([nil, nil, nil, nil, nil])),
        ]
        try write(columns)
        let output = try Python.run(Self.extremesScript, folder.path)
        #expect(output == "ok\n")
        try checkIndexes(folder.path(of: "w.parquet"))
        let opened = try FileOpener().open(path: folder.path(of: "w.parquet"))
        #expect(titles(opened).prefix(4) == ["n", "n_3", "n_2", "zero"])
        let found = try rows(opened)
        #expect(found.map { $0[0] } == ["-9223372036854775808", "9223372036854775807", "0", "-1", nil])
        #expect(found.map { $0[5]?.utf8.count } == [0, nil, 1, 6, 1 << 20])
        #expect(found.map { $0[12] } == ["-\(nines.prefix(36)).99", "\(nines.prefix(36)).99", "0.00", "-0.01", nil])
    }

    @Test func `18.10: tables without rows and files without compression are valid`() throws {
        let columns: [TestColumn] = [("a", .integer, .numbers([])), ("b", .text, .texts([])), ("c", .wideDecimal(scale: 3), .texts([]))]
        try write(columns, to: "empty.parquet")
        let opened = try FileOpener().open(path: folder.path(of: "empty.parquet"))
        #expect(titles(opened) == ["a", "b", "c"] && opened.snapshot().recordCount == 0)
        let texts = (0..<5_000).map { "text \($0 % 7)" }
        try write(
            [("t", .text, .strings(texts)), ("n", .integer, .numbers((0..<5_000).map { $0 }))], to: "plain.parquet", compresses: false)
        #expect(try rows(FileOpener().open(path: folder.path(of: "plain.parquet"))).map { $0[0] } == texts)
        try Python.run(
            """
            import sys, pyarrow.parquet as pq, duckdb
            for name, rows, codec in (('empty', 0, None), ('plain', 5000, 'UNCOMPRESSED')):
                path = f'{sys.argv[1]}/{name}.parquet'
                t = pq.read_table(path, page_checksum_verification=True)
                assert t.num_rows == rows and duckdb.connect().execute(f"select count(*) from '{path}'").fetchone()[0] == rows
                m = pq.read_metadata(path)
                assert m.created_by.startswith('gridview version ')
                if codec: assert {m.row_group(0).column(j).compression for j in range(2)} == {codec}
                else: assert m.num_row_groups == 0 and [str(x) for x in t.schema.types] == ['int64', 'string', 'decimal128(38, 3)']
            assert t['t'].to_pylist() == [f'text {i % 7}' for i in range(5000)] and t['n'].to_pylist() == list(range(5000))
            """, folder.path)
    }

    @Test func `18.10: only chunks with few distinct values have dictionaries`() throws {
        let count = 50_000
        try write(
            [
                ("few", .text, .strings((0..<count).map { "word \($0 % 50)" })),
                ("many", .text, .strings((0..<count).map { "word \($0)" })),
                ("rate", .double, .doubles((0..<count).map { Double($0 % 1_000) })),
                ("id", .integer, .numbers((0..<count).map { Int64($0) })),
                ("day", .date, .numbers((0..<count).map { Int64($0 / 1_000) })),
                ("wide", .wideDecimal(scale: 1), .strings((0..<count).map { "\($0 % 3).5" })),
                ("one", .integer, .numbers((0..<count).map { _ in 5 })),
            ], ParquetLimits(groupRows: 30_000), batchRows: 9_999)
        try checkIndexes(folder.path(of: "w.parquet"))
        try Python.run(
            """
            import sys, pyarrow.parquet as pq
            m = pq.read_metadata(sys.argv[1] + '/w.parquet')
            assert [m.row_group(i).num_rows for i in range(m.num_row_groups)] == [30000, 20000]
            for i in range(2):
                coded = [m.row_group(i).column(j).has_dictionary_page for j in range(m.num_columns)]
                assert coded == [True, False, True, False, True, True, True], coded
                distinct = [m.row_group(i).column(j).statistics.distinct_count for j in range(m.num_columns)]
                assert distinct == [50, None, None, None, 30 if i == 0 else 20, 3, 1], distinct
                assert 'RLE_DICTIONARY' in m.row_group(i).column(0).encodings
                assert m.row_group(i).total_byte_size > 0
            t = pq.read_table(sys.argv[1] + '/w.parquet')
            assert t['few'].to_pylist() == [f'word {i % 50}' for i in range(50000)]
            assert t['rate'].to_pylist() == [float(i % 1000) for i in range(50000)]
            assert [d.toordinal() - 719163 for d in t['day'].to_pylist()] == [i // 1000 for i in range(50000)]
            assert [str(d) for d in t['wide'].to_pylist()] == [f'{i % 3}.5' for i in range(50000)]
            """, folder.path)
    }

    // MARK: Parts

    @Test func `18.10: written runs of levels and codes are decoded to the same values`() {
        var random = SplitMix64(seed: 3)
        let output = GrowingBytes()
        for width in 1...32 {
            for _ in 0..<40 {
                var values: [UInt32] = []
                for _ in 0..<Int.random(in: 0..<12, using: &random) {
                    let value = UInt32(truncatingIfNeeded: random.next() >> UInt64(64 - width))
                    let isRun = Bool.random(using: &random)
                    for _ in 0..<Int.random(in: 1...70, using: &random) {
                        values.append(isRun ? value : UInt32(truncatingIfNeeded: random.next() >> UInt64(64 - width)))
                    }
                }
                output.removeAll()
                RunEncoder.put(values, values.count, width: width, into: output)
                var (runs, found) = (gv_runs(), [UInt32](repeating: 0, count: values.count))
                gv_runs_start(&runs, output.start, output.count, UInt32(width))
                #expect(gv_runs_read(&runs, &found, values.count) == values.count)
                #expect(found == values)
            }
        }
    }

    @Test func `18.10: the upper bound of a shortened string is the next greater string`() {
        func nextText(_ text: String) -> String? { ChunkBounds.nextText(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } }
        #expect(nextText("abc") == "abd" && nextText("a\u{7F}") == "a\u{80}" && nextText("a\u{D7FF}") == "a\u{E000}")
        #expect(nextText("a\u{10FFFF}\u{10FFFF}") == "b" && nextText("\u{10FFFF}") == nil && nextText("") == nil)
        #expect(ChunkBounds.nextText([0x61, 0xFF]) == nil)
        #expect(
            ChunkBounds.nextBytes([1, 0xFF, 0xFF]) == [2] && ChunkBounds.nextBytes([0xFF]) == nil
                && ChunkBounds.nextBytes([1, 2]) == [1, 3])
    }

    @Test func `18.10: a chunk whose hash values collide has no dictionary`() {
        let count = 4_000
        // The top 11 bits select a slot.
        var (colliding, value) = ([UInt64](), UInt64(0))
        while colliding.count < count / 4 {
            if ByteComparison.mix(value) >> 53 == 0 { colliding.append(value) }
            value += 1
        }
        func build(_ values: [UInt64]) -> Bool { DictionaryBuilder().build((0..<count).map { values[$0 % values.count] }, count) }
        #expect(!build(colliding))
        #expect(build(Array(0..<1_000)) && build(Array(colliding.prefix(10))) && !build(Array(0..<1_001)))
    }

    @Test func `18.10: memory is bounded for many rows and for long strings`() throws {
        var written = 0
        let columns = [
            WrittenColumn(name: "n", type: .integer, hasNulls: false), WrittenColumn(name: "t", type: .text, hasNulls: true),
            WrittenColumn(name: "u", type: .text, hasNulls: false),
        ]
        let writer = try ParquetWriter(columns, ParquetLimits(), PageCompressor(.system), CountedOutput { written += $0.count })
        let memory = Memory()
        var random = SplitMix64(seed: 9)
        let rows = 65_536
        let noise = memory.copy((0..<1 << 20).map { _ in UInt8.random(in: 97...122, using: &random) })
        let numbers = memory.copy((0..<rows).map { Int64($0) })
        var largest = 0
        // Empty and short strings, and strings of 100 KB. The batch of 200 MB with the long strings is never in memory as a whole.
        for length in [0, 100, 100_000] {
            let count = length > 100 ? 1_000 : rows
            let texts = memory.copy((0..<count).map { FieldBytes(start: noise + $0 % 900_000, count: length) })
            let vectors = [ColumnVector(.integers(numbers, scale: 0)), ColumnVector(.texts(texts)), ColumnVector(.texts(texts))]
            for _ in 0..<3 {
                try writer.write(ColumnBatch(firstRecord: 0, count: count, columns: vectors))
                largest = max(largest, writer.byteCount)
            }
        }
        try writer.finish()
        #expect((64 << 20..<110 << 20).contains(largest), "\(largest >> 20) MiB")
        #expect(written > 20 << 20)
    }

    @Test func `18.10: memory does not grow when each row group has its strings in another column`() throws {
        let columns = (0..<8).map { WrittenColumn(name: "t\($0)", type: .text, hasNulls: true) }
        let writer = try ParquetWriter(columns, ParquetLimits(), PageCompressor(nil), CountedOutput { _ in })
        let memory = Memory()
        let zeros = memory.copy([UInt8](repeating: 0, count: 1 << 20))
        let none = ColumnVector(.texts(memory.copy([FieldBytes](repeating: .missing, count: 65))))
        let long = ColumnVector(.texts(memory.copy([FieldBytes](repeating: FieldBytes(start: zeros, count: 1 << 20), count: 65))))
        var largest = 0
        for column in columns.indices {
            let vectors = columns.indices.map { $0 == column ? long : none }
            try writer.write(ColumnBatch(firstRecord: 0, count: 65, columns: vectors))
            largest = max(largest, writer.byteCount)
        }
        try writer.finish()
        #expect(largest < 200 << 20, "\(largest >> 20) MiB")
    }

    @Test func `18.10: values that do not fit their column are refused`() throws {
        func message(_ type: WrittenType, _ cells: Cells, hasNulls: Bool? = nil, as other: WrittenType? = nil) throws -> String {
            let column = WrittenColumn(name: "x", type: type, hasNulls: hasNulls ?? cells.hasNulls)
            let memory = Memory()
            do {
                var writer = try ParquetOutputFormat().makeWriter([column], rowCount: 1, table: "") { _ in }
                try writer.write(ColumnBatch(firstRecord: 0, count: cells.count, columns: [memory.vector(cells, other ?? type)]))
                try writer.finish()
                return ""
            } catch let error as any TableError { return error.message }
        }
        #expect(try message(.integer, .numbers([1])) == "")
        #expect(try message(.integer, .numbers([1, nil]), hasNulls: false).contains("a value is now missing"))
        #expect(try message(.text, .strings([nil]), hasNulls: false).contains("a value is now missing"))
        for (type, cells) in [
            (WrittenType.integer, Cells.strings(["1"])), (.double, .numbers([1])), (.text, .doubles([1])), (.flag, .numbers([1])),
            (.date, .numbers([1])),
        ] { #expect(try message(type, cells, as: .integer).contains("no longer has the type of the column"), "\(type)") }
        #expect(try message(.decimal(scale: 2), .numbers([1]), as: .decimal(scale: 3)).contains("no longer has the type of the column"))
        #expect(try message(.date, .numbers([1 << 31])).contains("a date is out of range"))
        #expect(try message(.date, .numbers([(1 << 31) - 1, -1 << 31])) == "")
        for text in ["", "-", "1", "1.5", "1.500", "1..50", "1e2", "+1.50", " 1.50", String(repeating: "9", count: 37) + ".99"] {
            #expect(try message(.wideDecimal(scale: 2), .strings([text])).contains("no longer has the type of the column"), "\(text)")
        }
        for text in ["1.50", "-0.00", "0000000000000000000000000000000000000000001.50", ".50"] {
            #expect(try message(.wideDecimal(scale: 2), .strings([text])) == "", "\(text)")
        }
        #expect(try message(.decimal(scale: 19), .numbers([1])).contains("19 digits after the decimal point"))
        #expect(try message(.time(digits: 3), .numbers([1])).contains("use 6 or 9 digits"))
        // Invalid text that is longer than a bound has no upper bound.
        #expect(try message(.text, .texts([[UInt8](repeating: 0xBF, count: 100), [UInt8](repeating: 0xFF, count: 65), [0xC3]])) == "")
        struct OutputFailure: Error {}
        var writer = try ParquetOutputFormat().makeWriter(
            [WrittenColumn(name: "x", type: .integer, hasNulls: false)], rowCount: 0, table: ""
        ) {
            _ in throw OutputFailure()
        }
        #expect(throws: OutputFailure.self) { try writer.finish() }
    }

    @Test func `18.10: a file names the version of the program that wrote it`() throws {
        let source = try FileOpener().open(path: try write([("n", .integer, .numbers([1]))]))
        #expect(source.details.first { $0.name == "created by" }?.value == "gridview version \(GridviewVersion.text)")
    }

    @Test func `18.10: repeated names get numbers that make them unique`() {
        #expect(DistinctNames.numbered(["a", "b", "a", "a_2", "a", "", ""]) { $0 } == ["a", "b", "a_3", "a_2", "a_4", "", "_2"])
    }
}
