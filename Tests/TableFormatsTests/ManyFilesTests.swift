import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import TableFormats

/// Columns and rows of many files as one table.
@Suite struct ManyFilesTests: ManyFilesSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Union

    @Test func `18.9, 18.10: a column is floating-point only if it is in all files that have this column`()
        throws
    {
        let doubles = WriterSample.Values.doubles([0.5])
        let files: [[(name: String, type: WrittenType, values: WriterSample.Values)]] = [
            [("a", .double, doubles), ("b", .float, doubles), ("c", .double, doubles), ("e", .float, doubles)],
            [("c", .integer, .numbers([1])), ("b", .double, doubles), ("d", .double, doubles), ("e", .float, doubles)],
        ]
        for (number, columns) in files.enumerated() {
            try WriterSample(columns: columns).write(ArrowOutputFormat(), to: folder.path(of: "\(number).arrow"))
        }
        let source = try open("*.arrow")
        try readAll(source)
        let table: any Table = source.snapshot()
        let storage = (0..<table.columnCount).map { table.numberStorage(ofColumn: $0) }
        #expect((0..<table.columnCount).map { source.title(ofColumn: $0) } == ["file", "a", "b", "c", "e", "d"])
        #expect(storage == [nil, .double, .double, nil, .float, .double])
    }

    @Test func `18.9, 18.3: null and missing values of JSON stay different in united files`() throws {
        try write("1.jsonl", "{\"a\":1,\"b\":2}\n{\"a\":null,\"b\":null}\n")
        try write("2.jsonl", "{\"b\":null}\n{\"b\":3,\"a\":null}\n{}\n")
        let source = try open("*.jsonl")
        try readAll(source)
        #expect(titles(source) == ["file", "a", "b"])
        let table = source.snapshot()
        let records = try table.records(0..<5, maximumFieldBytes: 100)
        let expected = [[false, false], [true, true], [false, true], [true, false], [false, false]]
        #expect(records.map { record in [record.isNull(1), record.isNull(2)] } == expected)
        for (row, record) in records.enumerated() {
            let lazy = try table.lazyRecord(record, number: row)
            #expect([lazy.isNull(1), lazy.isNull(2)] == expected[row] && !lazy.isNull(0), "row \(row)")
        }
    }

    @Test func `18.9, 18.3: strings of JSON differ from other values in united files, unless a file is not JSON`() throws {
        try write("1.jsonl", "{\"b\":\"x\",\"a\":\"1\"}\n{\"a\":2,\"b\":[3]}\n")
        try write("2.jsonl", "{\"a\":true}\n{\"c\":null,\"a\":\"true\"}\n")
        let columns = [
            2, FieldID.firstNestedColumn + 2, FieldID.firstNestedColumn, FieldID.firstNestedColumn + 1, FieldID.firstNestedColumn + 3,
        ]
        let source = try open("*.jsonl")
        try readAll(source)
        #expect(titles(source) == ["file", "b", "a", "c"])
        let table = source.snapshot()
        #expect(table.isJSON && table.hasNestedValues && (0..<4).map(table.hasTypedStrings) == [false, true, true, true])
        #expect((0..<5).map(table.keyPath) == [nil, ["b"], ["a"], ["c"], nil])
        let rows = try table.strings(of: 0..<4, columns: columns)
        #expect(
            rows == [
                ["1", nil, nil, nil, nil], ["2", "2", nil, "[3]", nil], ["true", "true", nil, nil, nil], ["true", nil, nil, nil, "null"],
            ])
        // Empty files do not change what the values of other files are.
        try write("0.jsonl", "")
        try write("4.jsonl", "")
        let withEmpty = try open("*.jsonl")
        try readAll(withEmpty)
        let same = withEmpty.snapshot()
        #expect(same.isJSON && same.hasTypedStrings(inColumn: 2) && same.recordCount == 4)
        try same.scan(1..<2, columns: columns) { _, fields in
            #expect(fields.map { !$0.isMissing } == [true, true, false, true, false])
            return true
        }
        try write("3.csv", "a,b\n1,2\n3,4\n")
        let mixed = try open("*")
        try readAll(mixed)
        let other = mixed.snapshot()
        #expect(other.recordCount == 6 && !other.isJSON && !other.hasNestedValues && !other.hasTypedStrings(inColumn: 2))
        #expect(other.keyPath(ofColumn: 1) == nil)
        try other.scan(4..<6, columns: columns) { _, fields in
            #expect(!fields[0].isMissing && fields.dropFirst().allSatisfy(\.isMissing))
            return true
        }
    }

    @Test func `18.9: columns of JSON files keep the key paths of the files, even with dots and quotes in the keys`()
        throws
    {
        try write("1.jsonl", #"{"\".b.\"":1,"a.b":{"":2},"\"x":3,".":4}"# + "\n")
        try write("2.jsonl", #"{"\"x":5,"\".b.\"":6,"a":{"b":7}}"# + "\n")
        let source = try open("*.jsonl")
        try readAll(source)
        let table = source.snapshot()
        #expect(table.isJSON && table.keyPath(ofColumn: 0) == nil && table.keyPath(ofColumn: table.columnCount) == nil)
        let paths = Set((1..<table.columnCount).compactMap { table.keyPath(ofColumn: $0) })
        #expect(paths == [[#"".b.""#], ["a.b", ""], [#""x"#], ["."], ["a", "b"]])
    }

    @Test func `18.9: a column that unites different JSON keys with the same title has no key path`()
        throws
    {
        try write("1.jsonl", #"{"a\".\"b":1,"c":2}"# + "\n")
        try write("2.jsonl", #"{"\"a\"":{"\"b\"":3},"c":4}"# + "\n")
        let source = try open("*.jsonl")
        try readAll(source)
        #expect(Set(titles(source)) == ["file", #""a"."b""#, "c"])
        let table = source.snapshot()
        let paths = Dictionary(uniqueKeysWithValues: (0..<3).map { (source.title(ofColumn: $0), table.keyPath(ofColumn: $0)) })
        #expect(paths == ["file": nil, #""a"."b""#: nil, "c": ["c"]])
    }

    @Test func `18.9: columns of several files are united by title, and the first column names the file`() throws {
        try write("b10.csv", "y,x\n5,6\n")
        try write("b9.csv", "x,z\n1,2\n3,4\n")
        let source = try open("*.csv")
        #expect(titles(source) == ["file", "x", "z"] && source.snapshot().recordCount == 2 && !source.snapshot().isComplete)
        try readAll(source)
        #expect(titles(source) == ["file", "x", "z", "y"])
        #expect(try rows(source) == [["b9.csv", "1", "2", nil], ["b9.csv", "3", "4", nil], ["b10.csv", "6", nil, "5"]])
        #expect(source.snapshot().isComplete && source.problems.isEmpty && source.conversions.isEmpty)
        #expect(source.profiles(ofColumnsFrom: 3).map(\.kind) == [.integer])
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.text, .integer, .integer, .integer])
        var header: [String] = []
        try source.snapshot().scanHeader(columns: [3, 0, 1]) { header = $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
        #expect(header == ["y", "file", "x"])
    }

    @Test(arguments: 0..<25) func `18.9: random files are united as by a simple reference implementation`(seed: Int) throws {
        let expected = try randomFiles(7, seed: UInt64(seed), rowCount: 5)
        // With more open files, files are opened ahead by several threads.
        let source = try open("*.csv", limit: seed % 2 == 0 ? nil : seed % 3 + 1)
        try source.readAll(threads: 3, priority: seed % 4 == 0 ? .background : .foreground) { _ in true }
        #expect(titles(source) == expected.titles)
        #expect(try rows(source) == expected.rows)
    }

    @Test(arguments: [1, 3, 64]) func `18.9: a table of many files satisfies the table contract`(limit: Int)
        throws
    {
        let expected = try randomFiles(12, seed: 77, rowCount: 400)
        let source = try open("*.csv", limit: limit)
        try readAll(source)
        var conformance = TableConformance(source: source, rows: expected.rows, random: SplitMix64(seed: 5))
        try conformance.check(source.snapshot(), steps: 150)
        let concat = try #require(source as? ConcatSource)
        #expect(concat.openFiles.count <= limit)
    }

    @Test func `18.9: a table of files with equal columns satisfies the table contract`() throws {
        var random = SplitMix64(seed: 8)
        var rows: [[String?]] = []
        for file in 0..<5 {
            var text = "a,b,c\n"
            for _ in 0..<3_000 {
                let row = (0..<3).map { _ in ["x", "", "long text", "-12.5", "ä", "x,y"].randomElement(using: &random)! }
                text += row.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n"
                rows.append(["part-\(file).csv"] + row)
            }
            try write("part-\(file).csv", text)
        }
        let source = try open("part-*.csv", FileOpener(dialect: DialectRequest(hasHeader: true)), limit: 2)
        try readAll(source)
        var conformance = TableConformance(source: source, rows: rows, random: random)
        try conformance.check(source.snapshot(), steps: 100)
        // A scan of lines passes on the lines of the files without parsing them.
        var (lines, fields) = (0, 0)
        try source.snapshot().scanLines(0..<rows.count, columns: [1, 2, 3], delimiter: UInt8(ascii: ",")) {
            lines += $0.count
            return true
        } fields: {
            fields += $0.count
            return true
        }
        #expect(lines + fields == rows.count && lines > rows.count / 2)
        // The column of file names can be read without the files.
        for file in 0..<5 { try FileManager.default.removeItem(atPath: folder.path(of: "part-\(file).csv")) }
        var names: [String: Int] = [:]
        try source.snapshot().scan(0..<rows.count, columns: [0]) { _, fields in
            names[String(decoding: fields[0].bytes, as: UTF8.self), default: 0] += 1
            return true
        }
        #expect(names == Dictionary(uniqueKeysWithValues: (0..<5).map { ("part-\($0).csv", 3_000) }))
        #expect(throws: FormatError.self) { try source.snapshot().scan(0..<rows.count, columns: [1]) { _, _ in true } }
    }

    @Test func `18.9: a search skips files whose names and rows lack the text`() throws {
        try write("one.csv", "a,b\nx,1\ny,2\n")
        try write("two.csv", "a,b\nx,3\none,4\n")
        let source = try open("*.csv", FileOpener(dialect: DialectRequest(hasHeader: true)))
        try readAll(source)
        var required = RequiredBytes("one".utf8, ignoresCase: false)
        required.isSufficient = true
        func scannedRecords(_ columns: [Int]) throws -> [Int] {
            var records: [Int] = []
            try source.snapshot().scan(0..<4, columns: columns, holding: required, while: { true }) { record, fields in
                if fields.isEmpty || fields.contains(where: { String(decoding: $0.bytes, as: UTF8.self).contains("one") }) {
                    records.append(record)
                }
                return true
            }
            return records
        }
        #expect(try scannedRecords([0, 1, 2]) == [0, 1, 3])
        #expect(try scannedRecords([1]) == [3])
        #expect(try scannedRecords([0]) == [0, 1])
        #expect(try scannedRecords([2]) == [])
    }

    @Test func `18.9: several threads can read more files than may be open at the same time`() throws {
        let expected = try randomFiles(20, seed: 9, rowCount: 50)
        let source = try open("*.csv", limit: 2)
        try readAll(source)
        let table = source.snapshot()
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for _ in 0..<20 {
                let start = Int.random(in: 0..<expected.rows.count, using: &random)
                let end = Int.random(in: start...expected.rows.count, using: &random)
                let found = try? table.strings(of: start..<end, columns: Array(expected.titles.indices))
                if found != Array(expected.rows[start..<end]) { failures.withLock { $0 += 1 } }
            }
        }
        #expect(failures.value == 0)
    }

    @Test func `18.9: columns with repeated titles, empty titles or titles in different case are not united`() throws {
        try write("1.csv", "a,a,A,file\n1,2,3,4\n")
        try write("2.csv", "A,a,file,a\n5,6,7,8\n")
        let source = try open("*.csv", FileOpener(dialect: DialectRequest(hasHeader: true)))
        try readAll(source)
        #expect(titles(source) == ["file", "a", "a", "A", "file"])
        #expect(try rows(source) == [["1.csv", "1", "2", "3", "4"], ["2.csv", "6", "8", "5", "7"]])
    }

    @Test func `18.9: wider rows of a later file add columns at the right`() throws {
        try write("1.csv", "a,b\n1,2\n")
        try write("2.csv", "a,b\n3,4\n" + String(repeating: "5,6\n", count: 100_000) + "7,8,9\n")
        let source = try open("*.csv")
        #expect(source.columnCount == 3)
        try readAll(source)
        #expect(source.columnCount == 4)
        let count = source.snapshot().recordCount
        #expect(try source.snapshot().records(count - 1..<count, maximumFieldBytes: 10)[0].fields.map(\.text) == ["2.csv", "7", "8", "9"])
    }

    // MARK: Headers

    @Test func `18.9: a header of strings is recognized by comparing the files`() throws {
        // Strings alone do not show that the first line is a header: it is repeated below.
        try write("1.csv", "name,city\nname,city\nBob,Paris\nname,Rome\n")
        try write("2.csv", "name,city\nname,city\nAnn,city\n")
        let source = try open("*.csv")
        try readAll(source)
        #expect(titles(source) == ["file", "name", "city"])
        #expect(try rows(source).map { $0[1] } == ["name", "Bob", "name", "name", "Ann"])
    }

    @Test func `18.9: if only the first part of a split file has a header, all parts have its columns`() throws {
        try write("x00.csv", "id,price\n1,2.5\n2,3.5\n")
        try write("x01.csv", "3,4.5\n4,5.5\n")
        let source = try open("x*.csv")
        try readAll(source)
        #expect(titles(source) == ["file", "id", "price"])
        #expect(try rows(source).map { $0[1] } == ["1", "2", "3", "4"])
        // A single line of strings looks like a header.
        try write("y00.csv", "name,city\nBob,Paris\nAnn,Rome\n")
        try write("y01.csv", "Eve,Oslo\n")
        try write("y02.csv", "name,city\n")
        let texts = try open("y*.csv")
        try readAll(texts)
        #expect(titles(texts) == ["file", "name", "city"])
        #expect(try rows(texts).map { $0[1] } == ["Bob", "Ann", "Eve"])
    }

    // MARK: Partitions

    @Test func `18.9: folder names such as year=2024 become columns`() throws {
        try write("year=2024/part-0.csv", "a\n1\n2\n")
        try write("year=2024/city=S%C3%A3o%20Paulo/part-0.csv", "a\n3\n4\n")
        try write("year=__HIVE_DEFAULT_PARTITION__/part-1.csv", "a\n5\n6\n")
        try write("year=2024/_SUCCESS", "")
        try write("year=2024/.hidden.csv", "b\n1\n")
        for pattern in ["", "year=*/**/*.csv", "year=*"] {
            let source = try open(pattern)
            try readAll(source)
            #expect(titles(source) == ["file", "year", "city", "a"])
            #expect(
                try Set(rows(source)) == [
                    ["year=2024/city=S%C3%A3o%20Paulo/part-0.csv", "2024", "São Paulo", "3"],
                    ["year=2024/city=S%C3%A3o%20Paulo/part-0.csv", "2024", "São Paulo", "4"],
                    ["year=2024/part-0.csv", "2024", nil, "1"], ["year=2024/part-0.csv", "2024", nil, "2"],
                    ["year=__HIVE_DEFAULT_PARTITION__/part-1.csv", nil, nil, "5"],
                    ["year=__HIVE_DEFAULT_PARTITION__/part-1.csv", nil, nil, "6"],
                ])
            #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.text, .integer, .text, .integer])
        }
        // A single file has no column for its name.
        let single = try open("year=2024/city=*/*.csv")
        try readAll(single)
        #expect(titles(single) == ["year", "city", "a"])
        #expect(try rows(single)[0] == ["2024", "São Paulo", "3"])
    }
}
