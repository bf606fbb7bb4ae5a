import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Databases of the program, read by the module `sqlite3` of Python and by the program.
@Suite(.enabled(if: Python.isAvailable)) struct SQLiteWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Content: Decodable {
        var tables: [String]
        var columns: [String]
        var types: [String]
        var check: [String]
        var rows: [[String?]]
    }

    /// The content of a database: strings as `s…`, integers as `i…`, reals as `f…` in hexadecimal, blobs as `b…`.
    private func read(_ path: String) throws -> Content {
        let script = """
            import json, sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            tables = [r[0] for r in c.execute("select name from sqlite_master")]
            quoted = '"' + tables[0].replace('"', '""') + '"'
            info = c.execute(f"pragma table_info({quoted})").fetchall()
            def show(v):
                if v is None: return None
                if isinstance(v, bytes): return "b" + v.hex()
                if isinstance(v, float): return "f" + v.hex()
                return ("i" if isinstance(v, int) else "s") + str(v)
            json.dump({"tables": tables, "columns": [r[1] for r in info], "types": [r[2] for r in info],
                "check": [r[0] for r in c.execute("pragma integrity_check")] + [r[0] for r in c.execute("pragma journal_mode")],
                "rows": [[show(v) for v in r] for r in c.execute(f"select * from {quoted}")]}, open(sys.argv[2], "w"))
            """
        try Python.run(script, path, path + ".json")
        return try JSONDecoder().decode(Content.self, from: Data(contentsOf: URL(fileURLWithPath: path + ".json")))
    }

    /// A random table without the numbers that `WrittenTypes` writes as another type.
    private static func random(rows: Int, nulls: Int, seed: UInt64) -> WriterSample {
        var sample = WriterSample.random(rows: rows, nulls: nulls, seed: seed)
        sample.columns.removeAll { if case .wideDecimal = $0.type { true } else { false } }
        for (index, column) in sample.columns.enumerated() {
            guard case .decimal = column.type, case .numbers(let values) = column.values else { continue }
            sample.columns[index].values = .numbers(values.map { $0.map { $0 % 1_000_000_000_000_000 } })
        }
        return sample
    }

    private func expect(_ content: Content, _ sample: WriterSample) {
        #expect(content.check == ["ok", "delete"])
        #expect(content.columns == sample.columns.map(\.name))
        #expect(content.rows.count == sample.rowCount)
        for (index, column) in sample.columns.enumerated() {
            let printed = sample.printed(index)
            for row in 0..<min(content.rows.count, sample.rowCount) {
                let found = content.rows[row][index]
                guard let text = printed[row] else {
                    #expect(found == nil, "\(column.name) \(row)")
                    continue
                }
                switch (column.type, column.values) {
                case (.double, .doubles(let values)):
                    guard let value = values[row] else { continue }
                    let given = found?.first == "f" ? Double(found!.dropFirst()) : found == "sNaN" ? .nan : nil
                    #expect(given == value || value.isNaN && given?.isNaN == true, "\(column.name) \(row) \(found ?? "")")
                case (.integer, _), (.decimal(scale: 0), _): #expect(found == "i" + text, "\(column.name) \(row)")
                case (.decimal, _):
                    #expect(found?.first == "f" && Double(found!.dropFirst()) == Double(text), "\(column.name) \(row) \(found ?? "")")
                case (.flag, _): #expect(found == (text == "true" ? "i1" : "i0"), "\(column.name) \(row)")
                case (.binary, .texts(let values)):
                    let hexadecimal = values[row]!.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                    #expect(found == "b" + hexadecimal, "\(column.name) \(row)")
                default: #expect(found == "s" + text, "\(column.name) \(row)")
                }
            }
        }
    }

    @Test(
        arguments: [(0, 0), (1, 0), (1, 100), (70, 50), (3_000, 0), (3_000, 1), (3_000, 20), (500, 99)])
    func `18.10: Python reads random tables of all types from a database`(rows: Int, nulls: Int) throws {
        let sample = Self.random(rows: rows, nulls: nulls, seed: UInt64(rows * 101 + nulls))
        try sample.write(SQLiteOutputFormat(), to: folder.path(of: "r.db"), rows: 777)
        let content = try read(folder.path(of: "r.db"))
        #expect(content.tables == ["sample"])
        expect(content, sample)
        let types = [
            "INTEGER", "INTEGER", nil, nil, nil, "REAL", "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP", "TIME", "TEXT", "BLOB",
        ]
        for (found, expected) in zip(content.types, types) where expected != nil { #expect(found == expected) }
        #expect(content.types[2...4].allSatisfy { $0.hasPrefix("DECIMAL(") })
    }

    @Test(arguments: [1, 2_500]) func `18.10: the program reads its own databases`(rows: Int) throws {
        var sample = Self.random(rows: rows, nulls: 10, seed: 5)
        // Blobs are shown as hexadecimal digits, and a column of numbers of several kinds as strings.
        sample.columns.removeAll { ["bytes", "double", "flag"].contains($0.name) }
        try sample.write(SQLiteOutputFormat(), to: folder.path(of: "own.db"))
        let source = try FileOpener().open(path: folder.path(of: "own.db"))
        try source.readAll(threads: 2) { _ in true }
        #expect(titles(source) == sample.columns.map(\.name))
        #expect(source.problems.isEmpty)
        let found = try TableFormatsTests.rows(source)
        #expect(found.count == rows)
        for index in sample.columns.indices {
            let printed = sample.printed(index)
            for row in 0..<min(rows, found.count) {
                if case .decimal = sample.columns[index].type {
                    #expect(found[row][index].flatMap(Double.init) == printed[row].flatMap(Double.init))
                } else {
                    #expect(found[row][index] == printed[row], "\(sample.columns[index].name) \(row)")
                }
            }
        }
    }

    @Test func `18.10: decimals are written as REAL values of at most 15 digits, and longer ones are an error`() throws {
        let long: Int64 = 1_000_000_000_000_000
        let sample = WriterSample(columns: [
            ("fits", .decimal(scale: 3), .numbers([long - 1, -(long - 1), 5, 0, nil, -1])),
            ("whole", .decimal(scale: 0), .numbers([1, 20, nil, 4, 5, Int64.max])),
            ("empty", .decimal(scale: 4), .numbers([nil, nil, nil, nil, nil, nil])),
        ])
        try sample.write(SQLiteOutputFormat(), to: folder.path(of: "d.db"), rows: 2)
        let content = try read(folder.path(of: "d.db"))
        #expect(content.types == ["DECIMAL(15,3)", "INTEGER", "DECIMAL(5,4)"])
        expect(content, sample)
        let longer = WriterSample(columns: [("long", .decimal(scale: 3), .numbers([1, -long]))])
        #expect(throws: FormatError.self) { try longer.write(SQLiteOutputFormat(), to: folder.path(of: "l.db")) }
    }

    @Test func `18.10: empty strings and blobs differ from missing values, and NUL characters are kept`() throws {
        let values: [[UInt8]?] = [[], nil, [0], [0x61, 0, 0x62], Array("é".utf8), [0xFF, 0xFE]]
        let sample = WriterSample(columns: [
            ("text", .text, .texts(Array(values.dropLast()) + [[0x78]])), ("blob", .binary, .texts(values)),
        ])
        try sample.write(SQLiteOutputFormat(), to: folder.path(of: "e.db"))
        let content = try read(folder.path(of: "e.db"))
        #expect(content.rows.map { $0[0] } == ["s", nil, "s\0", "sa\0b", "sé", "sx"])
        #expect(content.rows.map { $0[1] } == ["b", nil, "b00", "b610062", "bc3a9", "bfffe"])
    }

    @Test func `18.10: unusual names of columns and tables are kept, or changed to valid and unique names`()
        throws
    {
        let names = [
            "a\"b", "", "A", "a", "a_2", "a", "x\0y", "rowid", "oid", "_rowid_", "select", "é", "É", "line\nbreak", "'", "[x]", "column2",
            "", "?1",
        ]
        let sample = WriterSample(columns: names.map { ($0, .integer, .numbers([1, nil, 3])) })
        let tables = [
            "sqlite_x": "_sqlite_x", "SQLite_y": "_SQLite_y", "": "table", "we\"ird": "we\"ird", "a.b": "a.b", "a\0b": "a\u{FFFD}b",
            "drop table t; --": "drop table t; --",
        ]
        for (table, expected) in tables {
            let path = folder.path(of: "n\(table.utf8.count).db")
            try sample.write(SQLiteOutputFormat(), to: path, table: table)
            let content = try read(path)
            #expect(content.tables == [expected])
            #expect(
                content.columns == [
                    "a\"b", "column2", "A", "a_3", "a_2", "a_4", "x\u{FFFD}y", "rowid", "oid", "_rowid_", "select", "é", "É", "line\nbreak",
                    "'",
                    "[x]", "column2_2", "column18", "?1",
                ])
            #expect(content.rows.count == 3 && content.check.first == "ok")
            #expect(try rows(FileOpener().open(path: path)).count == 3)
        }
    }

    @Test func `18.10: a database has at most 2,000 columns`() throws {
        func sample(_ count: Int) -> WriterSample {
            WriterSample(columns: (0..<count).map { ("c\($0)", .decimal(scale: 2), .numbers([Int64($0), nil])) })
        }
        try sample(2_000).write(SQLiteOutputFormat(), to: folder.path(of: "m.db"))
        let content = try read(folder.path(of: "m.db"))
        #expect(content.columns.count == 2_000 && content.rows[0][1_999] == "f\(19.99.hexadecimal)")
        let error = #expect(throws: FormatError.self) { try sample(2_001).write(SQLiteOutputFormat(), to: folder.path(of: "m.db")) }
        #expect(error?.message.contains("at most 2,000 columns, and this one has 2,001") == true)
        #expect(throws: FormatError.self) { try sample(0).write(SQLiteOutputFormat(), to: folder.path(of: "m.db")) }
    }

    @Test func `18.10: no temporary file remains after an error or if writing does not finish`() throws {
        struct OutputFailure: Error {}
        func files() -> Set<String> {
            let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
            return Set(((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix("delimited-text-") })
        }
        let known = files()
        let sample = Self.random(rows: 2_000, nulls: 0, seed: 1)
        var unfinished: (any TableWriter)? = try SQLiteOutputFormat().makeWriter(sample.written, rowCount: 2_000, table: "t") { _ in
            throw OutputFailure()
        }
        try sample.forEachBatch(rows: 500) { try unfinished?.write($0) }
        unfinished = nil
        #expect(files().subtracting(known).isEmpty)
        var failing = try SQLiteOutputFormat().makeWriter(sample.written, rowCount: 2_000, table: "t") { _ in throw OutputFailure() }
        try sample.forEachBatch(rows: 500) { try failing.write($0) }
        #expect(throws: OutputFailure.self) { try failing.finish() }
        let columns = [WrittenColumn](repeating: sample.written[0], count: 3_000)
        #expect(throws: FormatError.self) { _ = try SQLiteOutputFormat().makeWriter(columns, rowCount: 0, table: "t") { _ in } }
        #expect(files().subtracting(known).isEmpty)
    }

    @Test func `18.10: writing a batch whose types differ from those of the columns is an error`() throws {
        let given = WriterSample(columns: [("a", .integer, .numbers([1])), ("b", .text, .strings(["x"]))])
        for format in writableFormats where ["sqlite", "xlsx"].contains(format.name) {
            for types in [[.integer], [.integer, .integer], [.decimal(scale: 2), .text], [.double, .text]] as [[WrittenType]] {
                let columns = types.map { WrittenColumn(name: "c", type: $0, hasNulls: false) }
                var writer = try format.makeWriter(columns, rowCount: 1, table: "t") { _ in }
                #expect(throws: FormatError.self) { try given.forEachBatch(rows: 1) { try writer.write($0) } }
            }
        }
    }

    @Test func `18.10: the error for a missing libsqlite3 names the library`() {
        let error = #expect(throws: FormatError.self) {
            try SQLiteOutputFormat(library: { nil }).makeWriter(
                [WrittenColumn(name: "a", type: .integer, hasNulls: false)], rowCount: 0, table: "t", to: { _ in })
        }
        #expect(error?.message == "Cannot write an SQLite database: libsqlite3 is missing. Install libsqlite3-0.")
    }
}

extension Double {
    /// The number as `float.hex` of Python writes it.
    fileprivate var hexadecimal: String {
        let digits = String(significandBitPattern, radix: 16)
        return "0x1.\(String(repeating: "0", count: 13 - digits.utf8.count))\(digits)p\(exponent < 0 ? "" : "+")\(exponent)"
    }
}
