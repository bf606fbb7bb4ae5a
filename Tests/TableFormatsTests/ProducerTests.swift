import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

/// Files of pandas, polars and Spark. Each has the same three rows.
@Suite(.enabled(if: Python.isAvailable)) struct ProducerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Python.run(Self.writingScript, folder.path)
    }

    private static let columns = ["id", "count", "price", "ratio", "name", "day", "at", "flag"]
    private static let types: [ValueKind] = [.integer, .integer, .decimal, .decimal, .text, .date, .dateTime, .flag]

    /// The rows of a format with nulls, flags and exact numbers.
    private static let expected: [[String?]] = [
        ["1", "7", "1.50", "0.1", "Zoë “quoted”", "2024-02-29", "2024-02-29 12:30:01", "true"],
        ["2", nil, nil, nil, "say \"hi\", twice", nil, nil, nil],
        ["3", "-9000000000", "-20.25", "1e-07", nil, "1969-07-20", "1969-07-20 20:17:40.250", "false"],
    ]

    private func open(_ name: String, problems: [String] = []) throws -> any TableSource {
        let source = try FileOpener().open(path: folder.path(of: name))
        try source.readAll(threads: 1) { _ in true }
        #expect(source.problems == problems, "\(name)")
        return source
    }

    /// The values of the columns ``columns``, in this order.
    private func values(_ source: any TableSource) throws -> [[String?]] {
        let found = titles(source)
        let places = try Self.columns.map { title in try #require(found.firstIndex(of: title)) }
        return try rows(source).map { row in places.map { row[$0] } }
    }

    /// The kinds of the columns ``columns``, in this order.
    private func kinds(_ source: any TableSource) throws -> [ValueKind] {
        let found = titles(source)
        let profiles = source.profiles(budgetMilliseconds: 1_000)
        return try Self.columns.map { title in profiles[try #require(found.firstIndex(of: title))].kind }
    }

    @Test func `G1: Parquet and Arrow files of pandas and polars are read with equal values, nulls and types`()
        throws
    {
        for name in [
            "pandas.parquet", "index.parquet", "pandas.feather", "polars.parquet", "polars.arrow", "polars-zstd.arrow", "polars.arrows",
        ] {
            let source = try open(name)
            #expect(try values(source) == Self.expected, "\(name)")
            #expect(try kinds(source) == Self.types, "\(name)")
            // The columns of an index are the last ones. An index of numbers from 0 is not stored.
            let isIndexed = name == "index.parquet"
            #expect(titles(source) == (isIndexed ? Self.columns.filter { $0 != "name" } + ["name"] : Self.columns), "\(name)")
        }
    }

    @Test func `G1: integers of 128 bits in Arrow files of polars are read`() throws {
        let script = "import polars as pl, sys; pl.DataFrame({'n': pl.Series([2**100, None, -5], dtype=pl.Int128)}).write_ipc(sys.argv[1])"
        try Python.run(script, folder.path(of: "wide.arrow"))
        let source = try open("wide.arrow")
        #expect(try rows(source) == [["1267650600228229401496703205376"], [nil], ["-5"]])
        #expect(source.profiles(budgetMilliseconds: 100).map(\.kind.isNumber) == [true])
    }

    @Test func `G1: workbooks of openpyxl, XlsxWriter and polars are read with equal values and types`() throws {
        for (name, price) in [("openpyxl.xlsx", "1.5"), ("xlsxwriter.xlsx", "1.5"), ("polars.xlsx", "1.50")] {
            let source = try open(name)
            // A workbook has no nulls.
            var expected = Self.expected.map { row in row.map { $0 ?? "" } }
            expected[0][2] = price
            #expect(try values(source).map { $0.map { $0 ?? "" } } == expected, "\(name)")
            #expect(try kinds(source) == Self.types && titles(source) == Self.columns, "\(name)")
        }
    }

    @Test func `G1: text of pandas and polars is read with equal values and types`() throws {
        let flags = ["true": "True", "false": "False"]
        for name in ["pandas.csv", "index.csv", "polars.csv"] {
            let source = try open(name)
            var expected = Self.expected.map { $0.map { $0 ?? "" } }
            if name == "polars.csv" {
                (expected[0][6], expected[2][6]) = ("2024-02-29T12:30:01.000000", "1969-07-20T20:17:40.250000")
                expected[2][3] = "1e-7"
            } else {
                expected[0][6] += ".000"
                for row in expected.indices { expected[row][7] = flags[expected[row][7]] ?? "" }
            }
            #expect(try values(source).map { $0.map { $0 ?? "" } } == expected, "\(name)")
            #expect(try kinds(source) == Self.types, "\(name)")
            #expect(titles(source) == (name == "index.csv" ? [""] : []) + Self.columns, "\(name)")
        }
        let source = try open("polars.jsonl")
        var expected = Self.expected
        expected[2][3] = "1e-7"
        // polars writes decimal numbers as strings.
        var types = Self.types
        types[2] = .text
        #expect(try values(source) == expected && kinds(source) == types && titles(source) == Self.columns)
    }

    @Test func `G1: a folder written by Spark is one table with columns for its subfolders`() throws {
        // Checksums and the mark of the end are not data.
        let source = try open("spark", problems: ["5 hidden files are left out"])
        #expect(titles(source) == ["file", "key"] + Self.columns)
        #expect(try kinds(source) == Self.types)
        let rows = try rows(source).sorted { ($0[2] ?? "") < ($1[2] ?? "") }
        #expect(rows.map { Array($0.dropFirst(2)) } == Self.expected)
        #expect(rows.map { $0[1] ?? "" } == ["Zoë", "say", ""])
    }

    /// Writes the files to a folder.
    private static let writingScript = #"""
        import datetime, decimal, os, sys
        import pandas as pd, polars as pl, pyarrow.parquet as pq
        folder = sys.argv[1]
        day, time, number = datetime.date, datetime.datetime, decimal.Decimal
        columns = {
            'id': [1, 2, 3], 'count': [7, None, -9000000000], 'price': [number('1.50'), None, number('-20.25')],
            'ratio': [0.1, None, 1e-7], 'name': ['Zoë “quoted”', 'say "hi", twice', None],
            'day': [day(2024, 2, 29), None, day(1969, 7, 20)],
            'at': [time(2024, 2, 29, 12, 30, 1), None, time(1969, 7, 20, 20, 17, 40, 250000)], 'flag': [True, None, False],
        }
        def path(name): return os.path.join(folder, name)

        # Numbers and flags with nulls need the nullable types of pandas.
        kinds = {'count': 'Int64', 'flag': 'boolean', 'price': object}
        frame = pd.DataFrame({title: pd.Series(values, dtype=kinds.get(title)) for title, values in columns.items()})
        frame.to_parquet(path('pandas.parquet'))
        frame.set_index('name').to_parquet(path('index.parquet'))
        frame.to_feather(path('pandas.feather'))
        frame.to_csv(path('pandas.csv'), index=False)
        frame.to_csv(path('index.csv'))
        cells = frame.assign(price=frame['price'].astype('float64'))
        for engine in ['openpyxl', 'xlsxwriter']: cells.to_excel(path(engine + '.xlsx'), index=False, engine=engine)

        table = pl.DataFrame(columns, schema_overrides={'price': pl.Decimal(10, 2), 'count': pl.Int64})
        table.write_parquet(path('polars.parquet'))
        table.write_ipc(path('polars.arrow'))
        table.write_ipc(path('polars-zstd.arrow'), compression='zstd')
        table.write_ipc_stream(path('polars.arrows'))
        table.write_csv(path('polars.csv'))
        table.write_ndjson(path('polars.jsonl'))
        table.write_excel(path('polars.xlsx'))

        # A folder as Spark writes it: a folder for each key, times of 96 bits, decimals as integers, checksums, and a mark of the end.
        for part, key in enumerate(['Zoë', 'say', '__HIVE_DEFAULT_PARTITION__']):
            place = path(f'spark/key={key}')
            os.makedirs(place)
            file = f'part-0000{part}-0b5f7f06-2c5e-4c0a-8a5e-9f1f3c9f6a11.c000.snappy.parquet'
            pq.write_table(table[part:part + 1].to_arrow(), os.path.join(place, file), flavor='spark', store_decimal_as_integer=True)
            open(os.path.join(place, f'.{file}.crc'), 'wb').write(b'crc\0\0\0\2\0')
        open(path('spark/_SUCCESS'), 'w').close()
        open(path('spark/._SUCCESS.crc'), 'wb').write(b'crc\0\0\0\2\0')
        """#
}
