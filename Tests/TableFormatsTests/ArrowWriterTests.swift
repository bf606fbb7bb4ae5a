import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Arrow files that the program writes, read by pyarrow and by the program.
@Suite(.enabled(if: Python.isAvailable)) struct ArrowWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes columns with kinds.
    private func write(_ columns: [(name: String, kind: ValueKind, texts: [String?])]) throws -> String {
        let rows = (0..<(columns.first?.texts.count ?? 0)).map { row in columns.map { $0.texts[row] } }
        let fields = columns.enumerated().map { Field(FieldID(rawValue: $0), name: $1.name, kind: $1.kind) }
        return try TypedFile.write(MemoryTable(rows), fields, as: ArrowOutputFormat(), to: folder.path(of: "w.arrow"))
    }

    /// The type and the values of each column, read by pyarrow.
    private func read(_ path: String) throws -> [String] {
        let script = """
            import sys, pyarrow as pa, pyarrow.ipc
            t = pa.ipc.open_file(sys.argv[1]).read_all()
            t.validate(full=True)
            for name, column in zip(t.column_names, t.columns):
                text = str(column.to_pylist())
                for zone in ("zoneinfo.ZoneInfo(key='UTC')", 'datetime.timezone.utc'): text = text.replace(zone, '<UTC>')
                print(name, column.type, text)
            """
        return try Python.run(script, path).split(separator: "\n").map(String.init)
    }

    @Test func `18.5: each column type is written as the corresponding Arrow type`() throws {
        let path = try write([
            ("n", .integer, ["1", "-9223372036854775808", nil, " "]), ("d", .decimal, ["1.5", "-2.25", "3", nil]),
            ("f", .decimal, ["1e-30", "0.1", "", "nan"]), ("b", .flag, ["true", "no", nil, "y"]),
            ("day", .date, ["2024-02-29", "1969-12-31", nil, "0001-01-01"]),
            ("t", .dateTime, ["2024-02-29 12:30:00.250", nil, "1969-12-31", "2024-01-01T00:00:00"]),
            ("z", .dateTime, ["2024-02-29 12:30:00Z", nil, "1969-12-31T00:00:00.5Z", ""]),
            ("c", .time, ["12:30", "00:00:00.000001", nil, nil]),
            ("s", .text, ["", "ä", nil, "long text"]),
        ])
        #expect(
            try read(path) == [
                "n int64 [1, -9223372036854775808, None, None]",
                "d decimal128(18, 2) [Decimal('1.50'), Decimal('-2.25'), Decimal('3.00'), None]",
                "f double [1e-30, 0.1, None, nan]", "b bool [True, False, None, True]",
                "day date32[day] [datetime.date(2024, 2, 29), datetime.date(1969, 12, 31), None, datetime.date(1, 1, 1)]",
                "t timestamp[us] [datetime.datetime(2024, 2, 29, 12, 30, 0, 250000), None, datetime.datetime(1969, 12, 31, 0, 0), "
                    + "datetime.datetime(2024, 1, 1, 0, 0)]",
                "z timestamp[us, tz=UTC] [datetime.datetime(2024, 2, 29, 12, 30, tzinfo=<UTC>), None, "
                    + "datetime.datetime(1969, 12, 31, 0, 0, 0, 500000, tzinfo=<UTC>), None]",
                "c time64[us] [datetime.time(12, 30), datetime.time(0, 0, 0, 1), None, None]", "s string ['', 'ä', None, 'long text']",
            ])
    }

    @Test func `18.5: 32-bit floating-point numbers keep their type`() throws {
        let path = folder.path(of: "floats.arrow")
        try WriterSample(columns: [("f", .float, .doubles([0.1, nil, -1.5, 3e38]))]).write(ArrowOutputFormat(), to: path)
        #expect(try read(path) == ["f float [0.10000000149011612, None, -1.5, 3.0000000054977558e+38]"])
        #expect(try rows(FileOpener().open(path: path)) == [["0.1"], [nil], ["-1.5"], ["3e+38"]])
    }

    @Test func `18.5: a column is written as text if one of its values does not fit its type`() throws {
        let path = try write([
            ("n", .integer, ["1", "x", nil, ""]), ("m", .integer, ["9223372036854775808", "1.5", nil, "2"]),
            ("d", .decimal, ["1.5", "n/a", "2", "1"]),
            ("t", .dateTime, ["2024-01-01 00:00:00.1234567891", nil, "2024-01-01", "2024-01-02"]),
            ("b", .flag, ["true", "2", nil, "y"]), ("w", .decimal, ["1e30", "0.000000001", nil, "-1"]),
        ])
        #expect(
            try read(path) == [
                "n string ['1', 'x', None, '']",
                "m decimal128(38, 1) [Decimal('9223372036854775808.0'), Decimal('1.5'), None, Decimal('2.0')]",
                "d string ['1.5', 'n/a', '2', '1']",
                "t string ['2024-01-01 00:00:00.1234567891', None, '2024-01-01', '2024-01-02']",
                "b string ['true', '2', None, 'y']", "w double [1e+30, 1e-09, None, -1.0]",
            ])
    }

    @Test(arguments: [0, 1, 7, 70_000]) func `18.5: written Arrow files can be read again`(count: Int) throws {
        var random = SplitMix64(seed: 3)
        func withNulls(_ make: () -> String) -> [String?] {
            (0..<count).map { _ in Int.random(in: 0..<5, using: &random) == 0 ? nil : make() }
        }
        var numbers = SplitMix64(seed: 4)
        let columns: [(String, ValueKind, [String?])] = [
            ("n", .integer, withNulls { "\(Int.random(in: -1_000_000...1_000_000, using: &numbers))" }),
            ("s", .text, withNulls { ["", "ä", "two words"].randomElement(using: &numbers)! }),
            ("b", .flag, withNulls { Bool.random(using: &numbers) ? "true" : "false" }),
            ("d", .date, withNulls { "20\(Int.random(in: 10...99, using: &numbers))-01-31" }),
        ]
        let path = try write(columns)
        let source = try FileOpener().open(path: path)
        let expected = (0..<count).map { row in columns.map { $0.2[row] } }
        #expect(try rows(source) == expected)
        #expect(titles(source) == ["n", "s", "b", "d"])
        #expect(source.details.first { $0.name == "record batches" }?.value == "\((count + 65_535) / 65_536)")
        _ = try read(path)
    }
}
