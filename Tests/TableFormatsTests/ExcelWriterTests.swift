import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Workbooks that the program writes, read by openpyxl, by Python's XML parser and by the program.
@Suite(.enabled(if: Python.isAvailable)) struct ExcelWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Content: Decodable {
        var sheets: [String]
        var freeze: String?
        var bold: [Bool]
        var formats: [String]
        var damaged: String?
        /// The cells as openpyxl reads them.
        var cells: [[String?]]
        /// The cells as they are in the XML, with escapes replaced: `i` and a string, or the type and the value.
        var raw: [[String?]]
    }

    private func read(_ path: String) throws -> Content { try read([path])[0] }

    private func read(_ paths: [String]) throws -> [Content] {
        let script = """
            import json, re, sys, zipfile, openpyxl, xml.etree.ElementTree as E
            from openpyxl.utils import column_index_from_string
            for path in sys.argv[1:]:
                z = zipfile.ZipFile(path)
                damaged = z.testzip()
                for n in z.namelist(): E.fromstring(z.read(n))
                m = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
                root = E.fromstring(z.read("xl/worksheets/sheet1.xml"))
                columns = len(root.find(m + "cols"))
                raw = []
                for r in root.find(m + "sheetData"):
                    assert int(r.get("r")) == len(raw) + 1
                    row = [None] * columns
                    for c in r:
                        letters, number = re.fullmatch("([A-Z]+)([0-9]+)", c.get("r")).groups()
                        assert int(number) == len(raw) + 1
                        if c.get("t") == "inlineStr":
                            t = c.find(m + "is").find(m + "t").text or ""
                            v = "i" + re.sub("_x([0-9A-Fa-f]{4})_", lambda f: chr(int(f[1], 16)), t)
                        else:
                            v = (c.get("t") or "n") + c.find(m + "v").text
                        assert row[column_index_from_string(letters) - 1] is None
                        row[column_index_from_string(letters) - 1] = v
                    raw.append(row)
                b = openpyxl.load_workbook(path)
                s = b.active
                def show(v):
                    if v is None: return None
                    if isinstance(v, bool): return "b" + str(v)
                    if isinstance(v, (int, float)): return "n" + float(v).hex()
                    if isinstance(v, str): return "s"
                    return type(v).__name__ + " " + str(v)
                json.dump({"sheets": b.sheetnames, "freeze": s.freeze_panes, "damaged": damaged, "bold": [c.font.b for c in s[1]],
                    "formats": [c.number_format for c in s[2]] if s.max_row > 1 else [],
                    "cells": [[show(c.value) for c in r] for r in s.iter_rows(min_row=2)], "raw": raw}, open(path + ".json", "w"))
            """
        try Python.run(script, paths)
        return try paths.map { try JSONDecoder().decode(Content.self, from: Data(contentsOf: URL(fileURLWithPath: $0 + ".json"))) }
    }

    private static func digits(_ text: String) -> Int { text.filter(\.isNumber).drop { $0 == "0" }.count }

    private func expect(_ content: Content, _ sample: WriterSample) {
        #expect(content.damaged == nil && content.freeze == "A2" && content.bold.allSatisfy { $0 })
        #expect(content.raw.first == sample.columns.map { "i" + $0.name })
        #expect(content.raw.count == sample.rowCount + 1)
        for (index, column) in sample.columns.enumerated() {
            let printed = sample.printed(index)
            for row in 0..<min(content.raw.count - 1, sample.rowCount) {
                let (raw, cell) = (content.raw[row + 1][index], content.cells[row][index])
                let place = Comment(rawValue: "\(column.name) \(row): \(raw ?? "nil"), \(cell ?? "nil"), \(printed[row] ?? "nil")")
                guard let text = printed[row] else {
                    #expect(raw == nil && cell == nil, place)
                    continue
                }
                switch (column.type, column.values) {
                case (.integer, _), (.decimal, _), (.wideDecimal, _):
                    #expect(raw == (Self.digits(text) > 15 ? "i" : "n") + text, place)
                    if raw?.first == "n" { #expect(cell.flatMap { Double($0.dropFirst()) } == Double(text), place) }
                case (.double, .doubles(let values)):
                    guard let value = values[row] else { continue }
                    if value.isNormal || value == 0 {
                        #expect(cell.flatMap { Double($0.dropFirst()) } == value, place)
                    } else {
                        #expect(raw == "i" + (value.isNaN ? "NaN" : text), place)
                    }
                case (.flag, _): #expect(raw == (text == "true" ? "b1" : "b0") && cell == (text == "true" ? "bTrue" : "bFalse"), place)
                case (.date, .numbers(let values)):
                    let isDate = values[row]! >= -25_508
                    #expect(isDate ? cell == "datetime \(text) 00:00:00" : raw == "i" + text, place)
                case (.dateTime(let digits, _), .numbers(let values)):
                    let unit = digits == 9 ? Int64(1_000_000) : 1_000
                    let isDate = values[row]! >= -25_508 * 86_400_000 * unit && values[row]! % unit == 0
                    // Python prints six digits of a fraction.
                    var expected = text.replacingOccurrences(of: "Z", with: "")
                    if expected.contains(".") { expected += "000" }
                    #expect(isDate ? cell == "datetime \(expected)" : raw == "i" + text, place)
                case (.time, .numbers(let values)):
                    let isTime = values[row]! % 1_000 == 0
                    #expect(isTime ? cell == "time \(text + (text.contains(".") ? "000" : ""))" : raw == "i" + text, place)
                case (.binary, .texts(let values)):
                    let isText = String(validating: values[row]!, as: UTF8.self) != nil
                    let hexadecimal = "0x" + values[row]!.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                    #expect(raw == "i" + (isText ? text : hexadecimal), place)
                default: #expect(raw == "i" + text, place)
                }
            }
        }
    }

    @Test(
        arguments: [(0, 0), (1, 0), (1, 100), (70, 50), (2_000, 0), (2_000, 1), (2_000, 20), (500, 99)])
    func `18.10: Python reads random tables of all types from a workbook`(rows: Int, nulls: Int) throws {
        let sample = WriterSample.random(rows: rows, nulls: nulls, seed: UInt64(rows * 103 + nulls))
        try sample.write(ExcelOutputFormat(), to: folder.path(of: "r.xlsx"), rows: 333)
        let content = try read(folder.path(of: "r.xlsx"))
        #expect(content.sheets == ["sample"])
        expect(content, sample)
    }

    @Test func `18.10: the program reads the workbooks that it writes`() throws {
        var sample = WriterSample.random(rows: 2_000, nulls: 10, seed: 9)
        // A sheet does not distinguish empty strings from missing ones, and the reader does not replace escapes of NUL.
        sample.columns.removeAll { ["bytes", "text", "flag", "utc"].contains($0.name) }
        try sample.write(ExcelOutputFormat(), to: folder.path(of: "own.xlsx"))
        let source = try FileOpener().open(path: folder.path(of: "own.xlsx"))
        try source.readAll(threads: 2) { _ in true }
        #expect(titles(source) == sample.columns.map(\.name))
        let found = try rowTexts(source)
        #expect(found.count == 2_000)
        for index in sample.columns.indices {
            let printed = sample.printed(index)
            for row in 0..<min(2_000, found.count) {
                let (cell, expected) = (found[row][index], printed[row] ?? "")
                if sample.columns[index].type == .double {
                    #expect(Double(cell) == Double(expected) || cell == "NaN" && expected == "nan", "\(row) \(cell) \(expected)")
                } else if case .decimal(scale: 18) = sample.columns[index].type, Self.digits(expected) <= 15 {
                    // The reader shows numbers with many zeros after the decimal point in short.
                    #expect(Double(cell) == Double(expected))
                } else {
                    #expect(cell == expected, "\(sample.columns[index].name) \(row)")
                }
            }
        }
    }

    @Test func `18.10: cells with numbers, dates and times have number formats`() throws {
        let sample = WriterSample(columns: [
            ("n", .integer, .numbers([12])), ("d", .decimal(scale: 3), .numbers([12])), ("w", .wideDecimal(scale: 2), .strings(["1.50"])),
            ("f", .double, .doubles([1.5])), ("day", .date, .numbers([19_000])),
            ("t", .dateTime(digits: 6, isUTC: false), .numbers([1_700_000_000_000_000])),
            ("m", .dateTime(digits: 9, isUTC: true), .numbers([1_700_000_000_250_000_000])), ("c", .time(digits: 6), .numbers([1_500_000])),
            ("x", .integer, .numbers([.max])), ("s", .text, .strings(["00123"])),
        ])
        try sample.write(ExcelOutputFormat(), to: folder.path(of: "f.xlsx"))
        let content = try read(folder.path(of: "f.xlsx"))
        let day = "yyyy\\-mm\\-dd"
        #expect(
            content.formats == [
                "0", "0.000", "0.00", "General", day, day + " hh:mm:ss", day + " hh:mm:ss.000\"Z\"", "hh:mm:ss.000", "@", "General",
            ])
        expect(content, sample)
        let script = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('xl/worksheets/sheet1.xml').decode()[-200:])"
        let end = try Python.run(script, folder.path(of: "f.xlsx"))
        #expect(
            end.contains("</sheetData><ignoredErrors><ignoredError sqref=\"I2:J2\" numberStoredAsText=\"1\"/></ignoredErrors></worksheet>"))
    }

    @Test func `18.10: dates outside the Excel calendar are written as strings`() throws {
        let days: [Int64] = [-25_509, -25_508, 0, 2_932_896, 2_932_897, .max, .min]
        let microseconds: [Int64] = [-25_508 * 86_400_000_000 - 1_000, -25_508 * 86_400_000_000, 0, 999, 86_399_999_000, .max, .min]
        let sample = WriterSample(columns: [
            ("day", .date, .numbers(days)), ("moment", .dateTime(digits: 6, isUTC: false), .numbers(microseconds)),
            ("time", .time(digits: 6), .numbers([0, 86_399_999_000, 86_400_000_000, 1, 1_000, -1_000, .max])),
        ])
        try sample.write(ExcelOutputFormat(), to: folder.path(of: "c.xlsx"))
        let content = try read(folder.path(of: "c.xlsx"))
        #expect(content.raw.dropFirst().map { $0[0]?.prefix(1) } == ["i", "n", "n", "n", "i", "i", "i"])
        #expect(content.raw[1][0] == "i1900-02-28" && content.raw[2][0] == "n61" && content.raw[4][0] == "n2958465")
        #expect(content.raw.dropFirst().map { $0[1]?.prefix(1) } == ["i", "n", "n", "i", "n", "i", "i"])
        #expect(content.cells[4][1] == "datetime 1970-01-01 23:59:59.999000")
        #expect(content.raw.dropFirst().map { $0[2]?.prefix(1) } == ["n", "n", "i", "i", "n", "i", "i"])
        #expect(content.cells[1][2] == "time 23:59:59.999000")
    }

    @Test func `18.10: strings that look like escapes, formulas or markup stay strings`() throws {
        let texts = [
            "=1+1", "+1", "-x", "@a", "_x0041_", "_x0041_x0042_", "_x0041\u{1}", "__x000D_", "_x005F_x0041_", "a\r\nb", " a ", "\n", "\t",
            "<b>&amp;</b>",
            "]]>", "\u{FFFE}\u{FFFF}", "_X0041_", "_xzzzz_", "_x00", "_", "\0", "", "🎈", "_x0041\u{FFFE}",
        ]
        let sample = WriterSample(columns: [
            ("id", .integer, .numbers(texts.indices.map { Int64($0) })), ("=name_x0041_", .text, .strings(texts)),
        ])
        try sample.write(ExcelOutputFormat(), to: folder.path(of: "e.xlsx"))
        expect(try read(folder.path(of: "e.xlsx")), sample)
        let source = try FileOpener().open(path: folder.path(of: "e.xlsx"))
        let found = try rowTexts(source)
        #expect(source.title(ofColumn: 1) == "=name_x0041_")
        for (index, text) in texts.enumerated() where text != "\0" { #expect(found[index][1] == text, "\(index)") }
    }

    @Test func `18.10: sheet names follow the rules of Excel`() throws {
        let names = [
            "a": "a", "": "Sheet1", "a/b\\c[d]e:f*g?h": "a_b_c_d_e_f_g_h", "'x'": "_x_", "History": "History_", "a&<>\"b": "a&<>\"b",
            String(repeating: "x", count: 40): String(repeating: "x", count: 31), "\u{1}\n": "__",
            String(repeating: "🎈", count: 20): String(repeating: "🎈", count: 15),
            String(repeating: "y", count: 30) + "'z": String(repeating: "y", count: 30) + "_",
        ]
        let sample = WriterSample(columns: [("a", .integer, .numbers([1]))])
        let paths = (0..<names.count).map { folder.path(of: "\($0).xlsx") }
        for (path, name) in zip(paths, names.keys) { try sample.write(ExcelOutputFormat(), to: path, table: name) }
        #expect(try read(paths).map(\.sheets) == names.values.map { [$0] })
    }

    @Test func `18.10: exceeding a limit of Excel is an error with a remedy`() throws {
        func message(_ body: () throws -> Void) -> String { #expect(throws: FormatError.self) { try body() }?.message ?? "" }
        let place = folder.path(of: "l.xlsx")
        func write(_ text: String) throws {
            let sample = WriterSample(columns: [("id", .integer, .numbers([1, 2])), ("note", .text, .strings([nil, text]))])
            try sample.write(ExcelOutputFormat(), to: place)
        }
        let balloons = String(repeating: "🎈", count: 16_383) + "x"
        for text in [
            String(repeating: "x", count: 32_767), balloons, String(repeating: "_x0001_", count: 4_681),
            String(repeating: "\u{1}", count: 32_767),
        ] {
            try write(text)
            #expect(try read(place).raw[2][1] == "i" + text)
        }
        for text in [String(repeating: "x", count: 32_768), balloons + "x", String(repeating: "漢", count: 40_000)] {
            #expect(message { try write(text) }.hasPrefix("Cannot write row 2: the text in “note” has more than 32,767 characters"))
        }
        let bytes = WriterSample(columns: [("b", .binary, .texts([[UInt8](repeating: 0xFF, count: 16_383)]))])
        #expect(message { try bytes.write(ExcelOutputFormat(), to: place) }.contains("more than 32,767"))
        let invalid = WriterSample(columns: [("b", .text, .texts([[0x61, 0xFF]]))])
        #expect(message { try invalid.write(ExcelOutputFormat(), to: place) }.contains("not UTF-8"))
        let column = WrittenColumn(name: "a", type: .integer, hasNulls: false)
        func make(_ columns: Int, _ rows: Int) throws {
            _ = try ExcelOutputFormat().makeWriter([WrittenColumn](repeating: column, count: columns), rowCount: rows, table: "t") { _ in }
        }
        try make(16_384, 1_048_575)
        let tooManyRows = "Too many rows for Excel: there are 1,048,576, but a sheet has at most 1,048,575. "
        #expect(message { try make(1, 1_048_576) }.hasPrefix(tooManyRows))
        #expect(ExcelOutputFormat.tooManyRowsError(nil).message.hasPrefix("Too many rows for Excel: a sheet has at most 1,048,575. "))
        #expect(message { try make(16_385, 1) }.contains("at most 16,384 columns, and this table has 16,385"))
        #expect(throws: FormatError.self) { try make(0, 1) }
        let named = [WrittenColumn(name: String(repeating: "n", count: 32_768), type: .integer, hasNulls: false)]
        #expect(throws: FormatError.self) { _ = try ExcelOutputFormat().makeWriter(named, rowCount: 1, table: "t") { _ in } }
    }

    @Test func `18.10: a workbook can have the maximum number of columns`() throws {
        let sample = WriterSample(columns: (0..<16_384).map { ("c\($0)", .integer, .numbers([Int64($0), nil])) })
        try sample.write(ExcelOutputFormat(), to: folder.path(of: "m.xlsx"))
        let content = try read(folder.path(of: "m.xlsx"))
        #expect(content.raw[1] == (0..<16_384).map { "n\($0)" } && content.raw[2] == [String?](repeating: nil, count: 16_384))
    }

    @Test func `18.10: a large workbook is written in blocks, as its rows arrive`() throws {
        let count = 200_000
        var random = SplitMix64(seed: 4)
        let sample = WriterSample(columns: [
            ("id", .integer, .numbers((0..<Int64(count)).map { $0 })),
            ("price", .decimal(scale: 2), .numbers((0..<count).map { _ in Int64.random(in: 0...1_000_000, using: &random) })),
            ("text", .text, .strings((0..<count).map { "row \($0)" })),
        ])
        var data = Data()
        var (largest, beforeEnd) = (0, 0)
        var writer = try ExcelOutputFormat().makeWriter(sample.written, rowCount: count, table: "t") { bytes in
            largest = max(largest, bytes.count)
            data.append(contentsOf: bytes)
        }
        try sample.forEachBatch(rows: 65_536) { batch in
            try writer.write(batch)
            beforeEnd = data.count
        }
        try writer.finish()
        #expect(largest <= 256 << 10)
        #expect(data.count - beforeEnd < 1 << 20 && beforeEnd > data.count / 2)
        try data.write(to: URL(fileURLWithPath: folder.path(of: "big.xlsx")))
        let script = """
            import sys, zipfile, openpyxl
            assert zipfile.ZipFile(sys.argv[1]).testzip() is None
            s = openpyxl.load_workbook(sys.argv[1], read_only=True).active
            rows = list(s.iter_rows(min_row=2, values_only=True))
            assert s.max_row == len(rows) + 1
            print(len(rows), sum(r[0] for r in rows), round(sum(r[1] for r in rows), 2), rows[-1][2])
            """
        guard case .numbers(let prices) = sample.columns[1].values else { return }
        let total = prices.reduce(0) { $0 + $1! }
        let (whole, cents) = total.quotientAndRemainder(dividingBy: 100)
        let found = try Python.run(script, folder.path(of: "big.xlsx")).split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(found.prefix(2) == ["200000", "19999900000"] && found.suffix(2) == ["row", "199999"])
        #expect(found.count == 5 && Double(found[2]) == Double("\(whole).\(cents < 10 ? "0" : "")\(cents)"))
    }

    @Test(arguments: [0, 100, 1_000, 100_000])
    func `18.10: an archive stores a size in 64 bits if the size exceeds the limit of the 32-bit format`(
        limit: Int
    ) throws {
        var data = Data()
        let sample = WriterSample.random(rows: 300, nulls: 10, seed: 8)
        let zip = ZipWriter(to: { data.append(contentsOf: $0) }, limit: limit)
        let writer = try ExcelWriter(sample.written, rowCount: sample.rowCount, table: "sample", to: zip)
        try sample.forEachBatch(rows: 100) { try writer.write($0) }
        try writer.finish()
        try data.write(to: URL(fileURLWithPath: folder.path(of: "z.xlsx")))
        expect(try read(folder.path(of: "z.xlsx")), sample)
        #expect(try rowTexts(FileOpener().open(path: folder.path(of: "z.xlsx"))).count == 300)
    }

    @Test(
        arguments: [0xFFFE, 0xFFFF, 0x1_0001])
    func `18.10: an archive has a 64-bit directory if its number of members does not fit into 16 bits`(count: Int) throws {
        var data = Data()
        let zip = ZipWriter { data.append(contentsOf: $0) }
        for index in 0..<count { try zip.add("\(index)", "") }
        try zip.finish()
        // 0xFFFF in the short directory means that the number is in the 64-bit one.
        #expect((data.suffix(22 + 20 + 56).starts(with: [0x50, 0x4B, 6, 6])) == (count >= 0xFFFF))
        try data.write(to: URL(fileURLWithPath: folder.path(of: "many.zip")))
        let listed = try Python.run("import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))", folder.path(of: "many.zip"))
        #expect(listed.split(whereSeparator: \.isWhitespace) == ["\(count)"])
    }

    @Test func `18.10: an output error ends the writing of a workbook`() throws {
        struct OutputFailure: Error {}
        let sample = WriterSample.random(rows: 5_000, nulls: 10, seed: 8)
        for limit in [0, 100, 3_000, 100_000] {
            var count = 0
            #expect(throws: OutputFailure.self) {
                var writer = try ExcelOutputFormat().makeWriter(sample.written, rowCount: 5_000, table: "t") { bytes in
                    count += bytes.count
                    if count > limit { throw OutputFailure() }
                }
                try sample.forEachBatch(rows: 1_000) { try writer.write($0) }
                try writer.finish()
            }
        }
    }

    @Test func `18.10: doubles are written with the fewest digits that restore them`() throws {
        var random = SplitMix64(seed: 77)
        let values = (0..<20_000).map { index -> Double in
            switch index % 4 {
            case 0: Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 100
            case 1: Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 1_000_000
            case 2: Double.random(in: -2e9...2e9, using: &random)
            default: Double.random(in: -1...1, using: &random)
            }
        }
        let sample = WriterSample(columns: [("id", .integer, .numbers(values.indices.map { Int64($0) })), ("f", .double, .doubles(values))])
        try sample.write(ExcelOutputFormat(), to: folder.path(of: "s.xlsx"))
        let content = try read(folder.path(of: "s.xlsx"))
        for (index, value) in values.enumerated() {
            var shortest = value.description
            if shortest.hasSuffix(".0") { shortest.removeLast(2) }
            let found = content.raw[index + 1][1].map { String($0.dropFirst()) }
            #expect(found.flatMap(Double.init) == value && found!.count <= max(shortest.count, 9), "\(shortest) \(found ?? "")")
        }
    }
}
