import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery
@testable import TableFormats

/// Filters of Parquet files, which use the statistics of the files.
@Suite struct ParquetFilterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The rows of a table as text, without statistics.
    struct Texts: Table {
        let table: any Table
        var recordCount: Int { table.recordCount }
        var columnCount: Int { table.columnCount }
        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            try table.scan(records, columns: columns, body)
        }
        func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (FieldBatch) -> Bool) throws {
            try table.scanBatches(records, columns: columns, body)
        }
    }

    private func fields(of source: any TableSource) -> Schema {
        Schema(
            source.profiles(budgetMilliseconds: 4).enumerated().map {
                Field(FieldID(rawValue: $0), name: source.title(ofColumn: $0), kind: $1.kind)
            })
    }

    private func matches(_ table: any Table, _ condition: String, _ schema: Schema) throws -> RowNumbers {
        let filter = try Filter(condition, in: schema)
        return try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl())
    }

    /// Files with values that ascend, so that statistics rule out row groups and pages; with row groups of nulls, NaN and extreme values.
    private static let script = """
        import sys, random, math, datetime, decimal, pyarrow as pa, pyarrow.parquet as pq, duckdb
        folder = sys.argv[1]
        r = random.Random(18)
        n = 12000
        def values(make, nulls):
            return [None if 4000 <= i < 6000 or r.random() < nulls else make(i) for i in range(n)]
        day = datetime.date(2020, 1, 1)
        moment = datetime.datetime(2000, 1, 1)
        def odd(i):
            return [math.nan, -0.0, 0.0, i / 8, -math.inf][r.randrange(5)]
        def big(i):
            return r.choice([-2**63, 2**63 - 1, 0, 2**53 + 1]) if i > 9000 else i
        def table(nulls):
            return pa.table({
                "i": pa.array(values(lambda i: i * 3 + r.randrange(50), nulls), pa.int64()),
                "big": pa.array(values(big, nulls), pa.int64()),
                "small": pa.array(values(lambda i: i // 100 - 60, nulls), pa.int8()),
                "u": pa.array(values(lambda i: i * 300000, nulls), pa.uint32()),
                "u64": pa.array(values(lambda i: 2**64 - 1 - i if i % 7 == 0 else i, nulls), pa.uint64()),
                "d": pa.array(values(lambda i: odd(i) if i < 1000 else i / 100, nulls), pa.float64()),
                "nan": pa.array(values(lambda i: math.nan if i < 3000 else i * 1.5, nulls), pa.float64()),
                "f": pa.array(values(lambda i: i / 10, nulls), pa.float32()),
                "h": pa.array(values(lambda i: i % 100, nulls), pa.int32()),
                "s": pa.array(values(lambda i: f"name {i // 40:05d}", nulls), pa.string()),
                "long": pa.array(values(lambda i: "x" * 100 + f"{i // 40:05d}" + "ü" * 90, nulls), pa.string()),
                "b": pa.array(values(lambda i: i > 8000, nulls), pa.bool_()),
                "day": pa.array(values(lambda i: day + datetime.timedelta(i // 10), nulls), pa.date32()),
                "us": pa.array(values(lambda i: moment + datetime.timedelta(seconds=i * 37, microseconds=i), nulls), pa.timestamp("us")),
                "ns": pa.array(values(lambda i: moment + datetime.timedelta(seconds=i * 37), nulls), pa.timestamp("ns")),
                "ms": pa.array(values(lambda i: moment - datetime.timedelta(days=20000 - i), nulls), pa.timestamp("ms", "UTC")),
                "t": pa.array(values(lambda i: datetime.time(i // 600 % 24, i % 60), nulls), pa.time64("us")),
                "dec": pa.array(values(lambda i: decimal.Decimal(i - 6000) / 100, nulls), pa.decimal128(12, 2)),
                "wide": pa.array(values(lambda i: decimal.Decimal(i - 6000) * (10**30 if i > 9000 else 1), nulls), pa.decimal128(38, 0)),
                "fine": pa.array(values(lambda i: decimal.Decimal(i - 6000) / 10**19, nulls), pa.decimal128(38, 20)),
            })
        for nulls in (0, 0.2):
            t = table(nulls)
            for name, options in {
                "plain": dict(use_dictionary=False), "index": dict(write_page_index=True, data_page_size=2000, write_batch_size=100),
                "none": dict(write_statistics=False),
                "v2": dict(data_page_version="2.0", write_page_index=True, data_page_size=500, write_batch_size=50),
                "zstd": dict(compression="zstd"),
            }.items():
                pq.write_table(t, f"{folder}/{name}-{nulls}.parquet", row_group_size=2000, **options)
            c = duckdb.connect()
            c.execute(f"copy (select * from t) to '{folder}/duckdb-{nulls}.parquet' (format parquet, row_group_size 2048)")
        """

    private static let conditions = [
        "i > 35000", "i < 100", "i = 20000", "i >= 12000 and i < 12100", "not (i < 30000)", "i != 5", "i = 999999 or big = 0",
        "big = 9223372036854775807", "big < -9000000000000000000", "big >= 9007199254740993", "small = -60", "small >= 59",
        "u > 3500000000",
        "u64 > 18446744073709551000", "u64 < 100", "d = 0", "d < 0", "d > 119.5", "d != 3", "not (d > -1)", "nan > 17000", "nan = 4500",
        "not (nan < 1)", "f = 0.1", "f > 1199.5", "f = 350.3", "h = 99", "s = 'name 00200'", "s > 'name 00298'", "s < 'name 00001'",
        "s = ''",
        "s != 'name 00001'", "s in ('name 00250', 'no')", "long = 'x'", "long > 'y'", "long < 'x'", "b", "not b", "b = false",
        "day = 2020-01-03", "day > 2023-04-10", "day = 2022", "us < 2000-01-01T00:01:00", "us > 2000-01-06", "ns > 2000-01-06",
        "ns = 2000-01-01",
        "ms < 1945-04-01", "ms > 1978-01-01", "t < 00:01", "t >= 19:59:58", "dec = -60", "dec > 59.98", "dec < -59.99 or i = 3",
        "dec = 0", "not (dec < 0)", "dec != 1.5", "wide = -6000", "wide > 2999", "wide >= 5e33", "wide < -5900 or wide = 2500",
        "fine > 0", "fine < -0.0000000000000005",
        "i is empty",
        "s is not empty and i > 35900", "i + big > 30000 and i > 35000",
    ]

    @Test(.enabled(if: Python.isAvailable)) func `18.4: filters that use statistics find the same rows as filters on text`() throws {
        try Python.run(Self.script, folder.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".parquet") }.sorted()
        #expect(names.count == 12)
        for name in names {
            let source = try FileOpener().open(path: "\(folder.path)/\(name)")
            let (table, schema) = (source.snapshot(), fields(of: source))
            let texts = Texts(table: table)
            for condition in Self.conditions {
                #expect(try matches(table, condition, schema) == matches(texts, condition, schema), "\(name): \(condition)")
            }
        }
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: the bounds of values come from the statistics of the file`() throws {
        try Python.run(Self.script, folder.path)
        func open(_ name: String) throws -> (ParquetTable, Schema) {
            let source = try FileOpener().open(path: "\(folder.path)/\(name).parquet")
            return (try #require(source.snapshot() as? ParquetTable), fields(of: source))
        }
        for name in ["plain-0", "index-0", "v2-0", "duckdb-0"] {
            let (table, schema) = try open(name)
            let (size, column) = (name == "duckdb-0" ? 2_048 : 2_000, try #require(schema.field(named: "i")).id.rawValue)
            #expect(table.parts(of: 0..<table.recordCount, columns: [column], byPage: false).count == (12_000 + size - 1) / size)
            guard case .integers(let range, 0)? = table.bounds(ofColumn: column, in: 0..<100, byPage: false)?.values else {
                Issue.record("no bounds")
                continue
            }
            #expect(range.lowerBound >= 0 && range.upperBound < size * 3 + 50)
            // Rows 4,000 to 5,999 have no values.
            guard case .none? = table.bounds(ofColumn: column, in: 4_100..<5_900, byPage: true)?.values else {
                if name != "duckdb-0" { Issue.record("\(name): bounds of nulls") }
                continue
            }
        }
        let (index, schema) = try open("v2-0")
        let column = try #require(schema.field(named: "i")).id.rawValue
        let pages = index.parts(of: 0..<2_000, columns: [column], byPage: true)
        #expect(pages.count > 3 && pages.first?.lowerBound == 0 && pages.last?.upperBound == 2_000)
        #expect(zip(pages, pages.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        for page in pages {
            guard case .integers(let range, 0)? = index.bounds(ofColumn: column, in: page, byPage: true)?.values else {
                Issue.record("no bounds")
                continue
            }
            #expect(range.lowerBound >= page.lowerBound * 3 && range.upperBound < page.upperBound * 3 + 50)
        }
        // Decimals of pyarrow have 6 to 16 bytes, most significant byte first.
        for (name, scale) in [("dec", 2), ("wide", 0)] {
            let column = try #require(schema.field(named: name)).id.rawValue
            let pages = index.parts(of: 0..<4_000, columns: [column], byPage: true)
            #expect(pages.count > 3)
            let groups: [(Range<Int>, Bool)] = [(0..<2_000, false), (2_000..<4_000, false)]
            for (part, byPage) in groups + pages.map({ ($0, true) }) {
                guard case .integers(let range, scale)? = index.bounds(ofColumn: column, in: part, byPage: byPage)?.values else {
                    Issue.record("no bounds of \(name)")
                    continue
                }
                #expect(range == Int64(part.lowerBound - 6_000)...Int64(part.upperBound - 6_001), "\(name)")
            }
        }
        let wide = try #require(schema.field(named: "wide")).id.rawValue
        #expect(index.bounds(ofColumn: wide, in: 10_000..<12_000, byPage: false) == nil, "the values exceed 64 bits")
        let (none, _) = try open("none-0")
        #expect(none.bounds(ofColumn: column, in: 0..<100, byPage: true) == nil)
    }

    @Test func `18.4: bounds of long decimals are used only if they are complete and ordered by value`()
        throws
    {
        /// - Parameter usesOldFields: true for the statistics of older files, which have no order.
        func bounds(
            _ low: [UInt8], _ high: [UInt8], width: Int? = nil, scale: Int = 2, isExact: Bool? = nil, usesOldFields: Bool = false,
            createdBy: String = ""
        )
            throws -> ClosedRange<Int64>?
        {
            func binary(_ head: UInt8, _ bytes: [UInt8]) -> [UInt8] { [head, UInt8(bytes.count)] + bytes }
            var thrift = usesOldFields ? binary(0x18, high) + binary(0x18, low) : binary(0x58, high) + binary(0x18, low)
            if let isExact { thrift += [isExact ? 0x11 : 0x12, 0x11] }
            var reader = ThriftReader(thrift + [0])
            let statistics = try ParquetStatistics(&reader, .structure)
            var (root, element) = (ParquetMetadata.SchemaElement(), ParquetMetadata.SchemaElement())
            let width = width ?? low.count
            (element.type, element.typeLength) = (width == 0 ? .bytes : .fixed, width)
            element.logical = .decimal(scale: scale, precision: 18)
            root.childCount = 1
            let leaf = try #require(try ParquetSchema([root, element], createdBy: createdBy).leaves.first)
            guard let bounds = statistics.bounds(leaf, valueCount: 9) else { return nil }
            guard case .integers(let range, scale) = bounds.values else {
                Issue.record("\(bounds)")
                return nil
            }
            return range
        }
        #expect(try bounds([0xFF, 0xFF], [1, 0]) == -1...256)
        #expect(try bounds([0xFF, 0x7F], [0, 7], isExact: true) == -129...7)
        #expect(try bounds([0x80, 0, 0, 0, 0, 0, 0, 0], [0x7F] + [UInt8](repeating: 0xFF, count: 7)) == Int64.min...Int64.max)
        #expect(try bounds([UInt8](repeating: 0xFF, count: 16), [UInt8](repeating: 0, count: 16), width: 16) == -1...0)
        // These bounds have more than 64 bits, a wrong length, no bytes, or too many bytes.
        #expect(try bounds([0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0x80, 0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(try bounds([0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(try bounds([0, 1], [0, 0, 2], width: 3) == nil)
        #expect(try bounds([], [1], width: 1) == nil)
        // These bounds have a variable length, and some writers compare such numbers by their bytes.
        #expect(try bounds([1], [2], width: 0) == nil)
        // These bounds are in the wrong order, shortened, from older files, or have a scale that is read as text.
        #expect(try bounds([1], [0xFF]) == nil)
        #expect(try bounds([1], [2], isExact: false) == nil)
        #expect(try bounds([1], [2], usesOldFields: true) == nil)
        #expect(try bounds([1], [2], scale: 19) == nil)
        for (writer, isKnown) in [
            ("parquet-cpp version 1.5.1-SNAPSHOT", false), ("parquet-cpp-arrow version 3.0.0", false),
            ("parquet-cpp-arrow version 4.0.0", true), ("parquet-cpp-arrow version 26.0.1", true), ("parquet-mr version 1.10.0", true),
        ] { #expect(try bounds([1], [2], createdBy: writer) == (isKnown ? 1...2 : nil), "\(writer)") }
    }

    @Test(.enabled(if: Python.isAvailable))
    func `18.4: damaged statistics never change the rows that are read, and never cause a crash`() throws {
        try Python.run(
            """
            import sys, pyarrow as pa, pyarrow.parquet as pq
            t = pa.table({"i": list(range(400)), "d": [i / 4 for i in range(400)], "s": [f"text {i // 9}" for i in range(400)]})
            pq.write_table(t, sys.argv[1], row_group_size=200, write_page_index=True, data_page_size=200, write_batch_size=20)
            """, "\(folder.path)/whole.parquet")
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/whole.parquet")))
        var random = SplitMix64(seed: 18)
        var opened = 0
        // Damage is put at the end, where the page indexes and the footer are.
        let footer = whole.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let start = whole.count - 8 - footer - 3_000
        for place in stride(from: start, to: whole.count - 8, by: 3) {
            var bytes = whole
            let flipped = bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)
            bytes[place] = [0, 0xFF, 0x7F, 0x80, flipped].randomElement(using: &random)!
            let path = try folder.file("damaged.parquet", bytes: bytes)
            guard let source = try? FileOpener(format: "parquet").open(path: path) else { continue }
            let (table, schema) = (source.snapshot(), fields(of: source))
            opened += 1
            for condition in ["i > 350", "i < 7 and d > 0.5", "s = 'text 3'", "d >= 99.25 or i = 0"] {
                guard let filter = try? Filter(condition, in: schema) else { continue }
                let found = try? filteredRecords(of: table, by: [filter], threads: 1, control: JobControl())
                // Damaged statistics may hide matching rows, but every row that is found must match.
                guard let found, let all = try? filteredRecords(of: Texts(table: table), by: [filter], threads: 1, control: JobControl())
                else {
                    continue
                }
                #expect(Set(found).isSubset(of: Set(all)), "\(place): \(condition)")
            }
        }
        #expect(opened > 300)
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.4: filters and groups agree with DuckDB`() throws {
        try Python.run(Self.script, folder.path)
        let conditions = [
            "i > 35000", "i >= 12000 and i < 12100", "big < -9000000000000000000", "u > 3500000000", "h = 99 and i > 100",
            "s = 'name 00200'",
            "s > 'name 00298'", "day > '2023-04-10'", "dec > 59.98", "us > '2000-01-06'", "small >= 59 or i = 0",
        ]
        for name in ["index-0.2", "zstd-0.2", "duckdb-0"] {
            let path = "\(folder.path)/\(name).parquet"
            let output = try Python.run(
                """
                import sys, json, duckdb
                c = duckdb.connect()
                counts = [c.execute(f"select count(*) from '{sys.argv[1]}' where {w}").fetchone()[0] for w in json.loads(sys.argv[2])]
                sums = "sum(i)::varchar, sum(dec)::varchar, count(d)"
                groups = c.execute(f"select h, {sums} from '{sys.argv[1]}' where h is not null group by h order by h").fetchall()
                print(json.dumps([counts, [[str(x) for x in g] for g in groups]]))
                """, path, String(decoding: try JSONEncoder().encode(conditions), as: UTF8.self))
            let expected = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [Any])
            let source = try FileOpener().open(path: path)
            let (table, schema) = (source.snapshot(), fields(of: source))
            let found = try conditions.map { try matches(table, $0, schema).count }
            #expect(found == expected[0] as? [Int], "\(name)")
            func request(_ name: String, _ function: AggregateRequest.Function) throws -> AggregateRequest {
                let field = try #require(schema.field(named: name))
                return AggregateRequest(function: function, column: field.id.rawValue, kind: field.kind)
            }
            let key = try #require(schema.field(named: "h"))
            let groups = try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: key.id.rawValue, ordering: .number(.point))],
                aggregates: [request("i", .sum), request("dec", .sum), request("d", .count)], needsRows: false, threads: 2,
                control: JobControl())
            let groupsOfDuckDB = try #require(expected[1] as? [[String]])
            #expect(groups.groups.count == groupsOfDuckDB.count + 1, "the last group has the rows without a value")
            for (group, row) in groupsOfDuckDB.enumerated() {
                #expect(groups.values[group * 3] == .integer(Int64(row[1])!), "\(name) \(row)")
                #expect(groups.values[group * 3 + 1].double == Double(row[2]), "\(name) \(row)")
                #expect(groups.values[group * 3 + 2] == .integer(Int64(row[3])!), "\(name) \(row)")
            }
        }
    }
}
