import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import DataGridQuery
@testable import GridviewApp

/// Types of values in typed files, and compressed text.
@MainActor
@Suite struct TypedOutputTests: TypedOutputSuite {
    static let content = "name,day,n,price\nb,2024-01-02,2,1.5\na,2024-01-01,10,\n\"c, d\",2024-01-03,-3,2.25\n"

    @Test func `18.10: batch output writes the rows of the view with their types`() throws {
        let all = try read(write(Self.content))
        #expect(all.titles == ["name", "day", "n", "price"] && all.kinds == [.text, .date, .integer, .decimal])
        #expect(
            all.rows == [
                ["b", "2024-01-02", "2", "1.50"], ["a", "2024-01-01", "10", nil], ["c, d", "2024-01-03", "-3", "2.25"],
            ])
        let some = try read(
            write(Self.content) {
                $0.sort = [SortRequest(ColumnReference("name"))]
                $0.filters = ["n > -3"]
                $0.derivedColumns = ["double = n * 2"]
                $0.columns = [ColumnReference("double"), ColumnReference("name")]
            })
        #expect(some.titles == ["double", "name"] && some.rows == [["20", "a"], ["4", "b"]])
        let limited = try read(write(Self.content) { ($0.limit, $0.rows) = (1, 1..<3) })
        #expect(limited.rows.map { $0[0] } == ["a"])
        #expect(try read(write("a,b\n")).rows.isEmpty)
    }

    @Test(arguments: [1, 2], [nil, 1 << 20])
    func `18.10: rows are written in any order, with little memory and on several threads`(threads: Int, memory: Int?) throws {
        var random = SplitMix64(seed: 7)
        let rows = (0..<30_000).map { row -> [String?] in
            let text = String(repeating: "x", count: Int.random(in: 0...300, using: &random) * (row % 50 == 0 ? 3 : 0)) + "\(row % 13)"
            return ["\(30_000 - row)", text, "2024-01-\(10 + row % 20)", row % 7 == 0 ? nil : "\(row).5"]
        }
        let content = "key,text,day,price\n" + rows.map { $0.map { $0 ?? "" }.joined(separator: ",") + "\n" }.joined()
        for isSorted in [false, true] {
            let bytes = try write(content) {
                ($0.threads, $0.memory) = (threads, memory)
                if isSorted { $0.sort = [SortRequest(ColumnReference("key"))] }
            }
            #expect(try read(bytes).rows == (isSorted ? rows.reversed() : rows))
        }
    }

    @Test func `18.10: typed output has one record for each collapsed group, or for each column with --stats`() throws {
        let groups = try read(
            write("side,n\nB,1\nA,2\nB,5\n") {
                ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("side"))], true)
                $0.aggregates = [try! AggregateOption(text: "sum(n)")]
            })
        #expect(groups.titles == ["side", "count", "sum(n)"])
        #expect(groups.rows.sorted { $0[0]! < $1[0]! } == [["A", "1", "2"], ["B", "2", "6"]])
        let statistics = try BatchOutput.bytes(Array("side,n\nB,1\nA,2\nB,5\n".utf8), Self.arrow, statistics: true)
        let read = try read(statistics)
        #expect(read.rows.map { $0[0] } == ["side", "n"] && read.rows.map { $0[2] } == ["3", "3"])
        #expect(read.titles.contains("most_frequent"))
    }

    /// 70,000 whole numbers with one that has a leading zero, after all samples.
    private static let lateZero = "code,n\n" + (1...70_000).map { "\($0 == 68_500 ? "0200" : "\($0)"),1\n" }.joined()

    @Test(arguments: writableFormats.indices)
    func `18.10: leading zeros that first occur in a late row are kept in typed files, as in JSON output`(format: Int) throws {
        let typed = writableFormats[format]
        let bytes = try BatchOutput.bytes(Array(Self.lateZero.utf8), .typed(typed))
        let readBack = try BatchOutput.bytes(bytes, .text(.csv), name: "in.\(typed.name)")
        #expect(String(decoding: readBack, as: UTF8.self) == Self.lateZero)
        let json = try BatchOutput.text(Self.lateZero, .jsonl).filledLines
        #expect(json[68_499] == #"{"code": "0200", "n": 1}"# && json[68_500] == #"{"code": 68501, "n": 1}"#)
    }

    @Test func `T2, 18.10: values that only rows between the sampled rows have decide the type of their column`() throws {
        // At most every second row is sampled, beginning with the second one.
        let rows = (0..<4_000).map { row in
            row % 2 == 0 && (1_000..<1_100).contains(row) ? "\(row),\(row).5,2024-01-02,true,x\n" : "\(row),,,,\n"
        }
        let content = "n,price,day,flag,text\n" + rows.joined()
        let written = try read(write(content))
        #expect(written.kinds == [.integer, .decimal, .date, .flag, .text])
        #expect(written.rows[1_002] == ["1002", "1002.5", "2024-01-02", "true", "x"] && written.rows[1][1] == nil)
        let line = #"{"n": 1002, "price": 1002.5, "day": "2024-01-02", "flag": true, "text": "x"}"#
        #expect(try BatchOutput.text(content, .jsonl).split(separator: "\n")[1_002] == line)
        let statistics = try BatchOutput.bytes(Array(content.utf8), .csv, statistics: true) { _ in }
        #expect(String(decoding: statistics, as: UTF8.self).contains("\nprice,decimal,4000,50,3950,"))
        let sum = try BatchOutput.text(content, .csv) {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("day"))], true)
            $0.aggregates = [try! AggregateOption(text: "sum(price)")]
        }
        #expect(sum.contains("2024-01-02,50,52475\n"), "\(sum)")
        #expect(try BatchOutput.text(content, .csv) == content, "no type changes CSV")
        // A chosen type is kept.
        let chosen = try read(write(content) { $0.types = [(ColumnReference("price"), ColumnType(.text))] })
        #expect(chosen.kinds[1] == .text)
    }

    @Test func `T2, 18.10: values between the sampled rows also decide the types of columns that only later rows have`() throws {
        // The input has more rows than opening reads. Only the first of the long rows are sampled.
        let long = String(repeating: "x", count: 200)
        let rows = (0..<30_000).map { "\($0),\(long)" + ($0 < 20_000 ? "\n" : $0 == 25_000 ? ",7.5\n" : ",\n") }
        let lines = try BatchOutput.text("n,text\n" + rows.joined(), .jsonl).filledLines
        #expect(lines.count == 30_000 && lines[25_000].hasSuffix(", \"#3\": 7.5}"), "\(lines[25_000].suffix(20))")
        // Options that need this type wait for it.
        let sum = try BatchOutput.text("n,text\n" + rows.joined(), .csv) {
            $0.groups = [GroupRequest(ColumnReference("text"))]
            $0.aggregates = [try! AggregateOption(text: "sum(#3)")]
            $0.isCollapsed = true
        }
        #expect(sum.filledLines.last == "\(long),30000,7.5")
    }

    @Test func `18.10: a number becomes text in typed files if and only if JSON output writes it as a string`() throws {
        let numbers = ["0", "-0", "0.5", "-0.5", "10", "100.05", "(0.5)", "10-", "+1.5e+3", "1" + String(repeating: "0", count: 30)]
        for text in numbers + ["00", "007", "-007", "00.5", "-00.5", "0200", "(007)", "07-", "+5", "+0.5", "+4915112345678"] {
            let content = "n\n12\n3.5\n\(text)\n"
            let written = try read(write(content))
            let isText = written.kinds == [.text]
            #expect(isText != numbers.contains(text) && (!isText || written.rows == [["12"], ["3.5"], [text]]), "\(written)")
            #expect(try BatchOutput.text(content, .jsonl).contains("\"\(text)\"") == isText, "\(text)")
        }
    }

    @Test func `18.10: columns that the user sets to a number type are numbers in typed files and lose leading zeros`() throws {
        let types = [(ColumnReference("code"), ColumnType(.integer))]
        let chosen = try read(write(Self.lateZero) { $0.types = types })
        #expect(chosen.kinds == [.integer, .integer] && chosen.rows[68_499] == ["200", "1"])
        // Groups and lists of values have the same types as rows.
        let content = "code,n\n100,1\n1000,2\n0200,3\n0200,4\n"
        let cases: [([(ColumnReference, ColumnType)], String, ValueKind)] = [([], "0200", .text), (types, "200", .integer)]
        for (types, code, kind) in cases {
            let groups = try read(
                write(content) {
                    ($0.groups, $0.isCollapsed, $0.types) = ([GroupRequest(ColumnReference("code"))], true, types)
                })
            #expect(groups.kinds[0] == kind && groups.rows.contains { $0[0] == code }, "\(groups)")
            var options = LaunchOptions()
            options.types = types
            let pilot = try Pilot(content, size: (100, 24), options: options, name: "in.csv")
            export(pilot, to: "rows.arrow")
            let rows = try read(bytes(pilot, "rows.arrow"))
            #expect(rows.kinds[0] == kind && rows.rows.map { $0[0] } == ["100", "1000", code, code], "\(rows)")
            pilot.press("F")
            export(pilot, to: "values.arrow")
            let values = try read(bytes(pilot, "values.arrow"))
            #expect(values.kinds[0] == kind && values.rows.contains { $0[0] == code }, "\(values)")
        }
    }

    @Test func `18.10: an Arrow file is written again with the same types and values`() throws {
        let content = """
            i,d,t,z,c,f,s,e
            1,2024-02-29,2024-01-01 10:00:00.000000123,2024-01-01 10:00:00Z,12:30:00,true,"",1e-300
            -9223372036854775808,0001-01-01,,2024-01-01 10:00:00.5Z,,false,ä,0.1
            ,,2262-01-01 00:00:00,,23:59:59.999999,,x,nan

            """
        let first = try write(content)
        let second = try BatchOutput.bytes(first, Self.arrow, name: "in.arrow")
        #expect(second == first && first.count > 1_000)
        #expect(try read(second).kinds == [.integer, .date, .dateTime, .dateTime, .time, .flag, .text, .decimal])
    }

    @Test func `18.10: 32-bit floating-point numbers are written as 32-bit numbers`() throws {
        var first: [UInt8] = []
        let column = WrittenColumn(name: "f", type: .float, hasNulls: false)
        var writer = try ArrowOutputFormat().makeWriter([column], rowCount: 3, table: "t") { first.append(contentsOf: $0) }
        // The double nearest to the text of the last number is halfway between two 32-bit numbers.
        try [0.1, -2.5, Double(Float(bitPattern: 0x15AE_43FD))].withUnsafeBufferPointer {
            try writer.write(ColumnBatch(firstRecord: 0, count: 3, columns: [ColumnVector(.doubles($0.baseAddress!))]))
        }
        try writer.finish()
        #expect(try read(first).rows == [["0.1"], ["-2.5"], ["7.038531e-26"]])
        #expect(try BatchOutput.bytes(first, Self.arrow, name: "in.arrow") == first)
    }

    @Test func `18.6, 18.10: floating-point columns keep their type even if the first value or all rows are missing`() throws {
        for rows in [3, 0] {
            var first: [UInt8] = []
            let columns = ["a", "b"].map { WrittenColumn(name: $0, type: .double, hasNulls: true) }
            let sqlite = try #require(writableFormats.first { $0.name == "sqlite" })
            var writer = try sqlite.makeWriter(columns, rowCount: rows, table: "t") { first.append(contentsOf: $0) }
            try [0, 1.0 / 3, 9.5].withUnsafeBufferPointer { values in
                try [UInt8(0), 1, 1].withUnsafeBufferPointer { presence in
                    let vectors = [
                        ColumnVector(.doubles(values.baseAddress!), presence: presence.baseAddress),
                        ColumnVector(.doubles(values.baseAddress!)),
                    ]
                    if rows > 0 { try writer.write(ColumnBatch(firstRecord: 0, count: rows, columns: vectors)) }
                }
            }
            try writer.finish()
            for (name, format) in [("sqlite", "db"), ("arrow", "arrow"), ("parquet", "parquet")] {
                let typed = try #require(writableFormats.first { $0.name == name })
                let copy = try BatchOutput.bytes(first, .typed(typed), name: "in.db")
                let written = try read(copy, name: "x.\(format)")
                #expect(written.kinds == [.decimal, .decimal], "\(name)")
                let third = "0.3333333333333333"
                #expect(written.rows == (rows == 0 ? [] : [[nil, "0.0"], [third, third], ["9.5", "9.5"]]), "\(name)")
                let folder = try TemporaryFolder()
                let source = try FileOpener().open(path: folder.file("x.\(format)", bytes: copy))
                let table: any Table = source.snapshot()
                #expect((0..<2).map { table.numberStorage(ofColumn: $0) } == [.double, .double], "\(name)")
            }
        }
    }

    /// For each column of a written file, true if it is declared as doubles.
    private func areDoubles(_ bytes: [UInt8], name: String) throws -> [Bool] {
        let folder = try TemporaryFolder()
        let table: any Table = try FileOpener().open(path: folder.file(name, bytes: bytes)).snapshot()
        return (0..<table.columnCount).map { table.numberStorage(ofColumn: $0) == .double }
    }

    @Test(
        arguments: ["db", "arrow", "parquet"])
    func `18.10: means, quotients and shares are doubles if no digit is lost, and sums stay exact`(suffix: String) throws {
        let typed = try #require(writableFormats.first { $0.suffixes.contains(suffix) })
        let (name, content) = ("x.\(suffix)", "k,n,p,m\na,1,0.1,9007199254740993\na,2,0.25,9007199254740993\na,2,3,9007199254740994\n")
        func output(_ content: [UInt8], _ input: String, _ change: (inout LaunchOptions) -> Void) throws -> [UInt8] {
            try BatchOutput.bytes(content, .typed(typed), name: input, change)
        }
        let groups = try output(Array(content.utf8), "in.csv") {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.aggregates = try! ["mean(n)", "stddev(n)", "share(n)", "median(m)", "mean(m)", "sum(p)"].map {
                try AggregateOption(text: $0)
            }
        }
        #expect(try areDoubles(groups, name: name) == [false, false, true, true, true, false, false, false])
        #expect(
            try read(groups, name: name).rows.map { [$0[2], $0[5], $0[6]] }
                == [["1.6666666666666667", "9007199254740993", "9007199254740993.333333"]])
        let rows = try output(Array(content.utf8), "in.csv") {
            $0.derivedColumns = ["q = n / 3", "r = round(n / 3, 2)", "s = p * n", "t = if(n > 1, n / 3, p)"]
        }
        #expect(try areDoubles(rows, name: name) == [false, false, false, false, true, false, false, true])
        let third = "0.3333333333333333"
        #expect(try read(rows, name: name).rows.map { $0[4] } == [third, "0.6666666666666666", "0.6666666666666666"])
        let long = try output(Array("cents\n1234567890123456789\n5\n".utf8), "in.csv") { $0.derivedColumns = ["q = cents / 100"] }
        #expect(try read(long, name: name).rows.map { $0[1] } == ["12345678901234567.89", "0.05"])
        // Results of doubles of a file are doubles, too, although the decimal sum 1.6666666666666666 has more digits.
        let rewritten = try output(rows, name) {
            $0.columns = BatchOutput.columns("q", "u", "v", "w")
            $0.derivedColumns = ["u = q + 1", "v = round(q, 1)", "w = q * 2"]
        }
        #expect(try areDoubles(rewritten, name: name) == [true, true, false, true])
        #expect(try read(rewritten, name: name).rows.map { $0[1] } == ["1.3333333333333333", "1.6666666666666665", "1.6666666666666665"])
        let sums = try output(rows, name) {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.aggregates = try! ["sum(q)", "max(q)", "max(n)"].map { try AggregateOption(text: $0) }
        }
        #expect(try areDoubles(sums, name: name) == [false, false, true, true, false])
    }

    @Test(
        arguments: ["db", "arrow", "parquet"])
    func `18.10: numbers computed from integers are integers, and a sum beyond 64 bits keeps all digits`(suffix: String) throws {
        let typed = try #require(writableFormats.first { $0.suffixes.contains(suffix) })
        let content = "k,n,p,m\n" + (0..<3_003).map { "\($0 % 3),\($0),0.5,9223372036854775807\n" }.joined()
        func kinds(_ change: (inout LaunchOptions) -> Void) throws -> (kinds: [ValueKind], rows: [[String?]]) {
            let file = try read(BatchOutput.bytes(Array(content.utf8), .typed(typed), change), name: "x.\(suffix)")
            return (file.kinds, file.rows)
        }
        let rows = try kinds {
            $0.columns = BatchOutput.columns("d", "e", "f")
            $0.derivedColumns = ["d = n * 2", "e = d - floor(p)", "f = n * p"]
        }
        #expect(rows.kinds == [.integer, .integer, .decimal] && rows.rows[3_001] == ["6002", "6002", "1500.5"])
        let groups = try kinds {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.derivedColumns = ["d = n * 2"]
            $0.aggregates = try! ["sum(n)", "min(n)", "max(n)", "sum(d)", "sum(p)", "sum(m)"].map { try AggregateOption(text: $0) }
        }
        #expect(groups.kinds.prefix(6) == [.integer, .integer, .integer, .integer, .integer, .integer] && groups.kinds[6] == .decimal)
        let sum = "9232595408891630582807"
        #expect(groups.rows.first == ["0", "1001", "1501500", "0", "3000", "3003000", "500.5", sum], "\(groups.rows)")
    }

    @Test func `18.10: SQLite output has floating-point numbers only if they keep all digits, otherwise the original text`() throws {
        let sqlite = try #require(writableFormats.first { $0.name == "sqlite" })
        let content = "a,b,c\n1.50,1.50,1.50\n-.5,0.3333333333333333,7\n1000000000000000.125,12345678901234.5,9999999999999.9\n"
        let written = try BatchOutput.bytes(Array(content.utf8), .typed(sqlite))
        let rows = try read(written, name: "x.db").rows
        #expect(rows.map { $0[0] } == ["1.50", "-.5", "1000000000000000.125"])
        #expect(rows.map { $0[1].flatMap(Double.init) } == [1.5, 0.3333333333333333, 12345678901234.5])
        #expect(rows.map { $0[2].flatMap(Double.init) } == [1.5, 7, 9999999999999.9])
        #expect(try areDoubles(written, name: "x.db") == [false, true, false])
    }

    @Test func `18.7, 18.10: flags of a workbook are flags in filters and in typed output`() throws {
        func format(_ name: String) throws -> FileFormat { .typed(try #require(writableFormats.first { $0.name == name })) }
        let workbook = try BatchOutput.bytes(Array("k,flag\na,true\nb,false\nc,\n".utf8), format("xlsx"))
        func output(_ format: FileFormat, _ filters: [String] = []) throws -> [UInt8] {
            try BatchOutput.bytes(workbook, format, name: "in.xlsx") { $0.filters = filters }
        }
        let lines = [#"{"k": "a", "flag": true}"#, #"{"k": "b", "flag": false}"#, #"{"k": "c", "flag": null}"#]
        #expect(String(decoding: try output(.text(.jsonl)), as: UTF8.self) == lines.map { $0 + "\n" }.joined())
        for filter in ["flag", "flag = true", "flag = 1"] {
            #expect(String(decoding: try output(.text(.jsonl), [filter]), as: UTF8.self) == lines[0] + "\n", "\(filter)")
        }
        #expect(try read(output(format("parquet")), name: "x.parquet").kinds == [.text, .flag])
        #expect(try read(output(format("sqlite")), name: "x.db").rows == [["a", "1"], ["b", "0"], ["c", nil]])
    }

    @Test func `18.10: bytes that are not UTF-8 are kept as binary values, and lost bytes are reported`() throws {
        let content = Array("a,b\nx,".utf8) + [0xFF, 0x0A] + Array("y,z\n".utf8)
        let bytes = try BatchOutput.bytes(content, Self.arrow)
        #expect(!bytes.isEmpty)
        func notes(_ format: FileFormat) throws -> OutputNotes {
            let folder = try TemporaryFolder()
            let options = LaunchOptions()
            let document = try Document(FileOpener().open(path: folder.file("in.csv", bytes: content)), options: options)
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("out", bytes: [])))
            return try BatchRun(document, options: options, format: format).write(to: handle.fileDescriptor)
        }
        // The content is read as UTF-8 with an invalid byte, or in another encoding, in which it is valid.
        #expect(try notes(Self.arrow).hasLosses == false)
        let lossy = try notes(.typed(CountingFormat(keepsInvalidText: false)))
        #expect(lossy.hasLosses == (try notes(.text(.json)).hasLosses))
    }

    @Test func `18.7: output to Excel says that it has hexadecimal digits instead of invalid bytes`() throws {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        options.files.dialect.encoding = .utf8
        let excel = try #require(writableFormats.first { $0.name == "xlsx" })
        func notes(_ bytes: [UInt8]) throws -> OutputNotes {
            let document = try Document(options.files.open(path: folder.file("in.csv", bytes: bytes)), options: options)
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("out", bytes: [])))
            return try BatchRun(document, options: options, format: .typed(excel)).write(to: handle.fileDescriptor)
        }
        let advice = ". Use -o csv to keep the bytes, or --encoding to decode them."
        let inField = try notes(Array("a,b\nx,".utf8) + [0xFF, 0x0A])
        #expect(
            inField.lines == ["in.csv: 1 field is not valid UTF-8 (the first in row 1). It is written as hexadecimal digits\(advice)"])
        #expect(inField.hasLosses)
        let start = "(the first in the header)"
        let inName = try notes(Array("a,b".utf8) + [0xFF] + Array("\nx,y\n".utf8))
        #expect(inName.lines == ["in.csv: 1 field is not valid UTF-8 \(start). Invalid bytes were replaced with U+FFFD\(advice)"])
        let inBoth = try notes(Array("a,b".utf8) + [0xFF] + Array("\nx,".utf8) + [0xFF, 0x0A])
        let effect = "Column names have U+FFFD instead of invalid bytes, and values have hexadecimal digits"
        #expect(inBoth.lines == ["in.csv: 2 fields are not valid UTF-8 \(start). \(effect)\(advice)"])
    }

    @Test(arguments: writableCompressions.indices)
    func `18.10: the file suffix selects the compression of text, and decompression restores the text`(codec: Int) throws {
        let compression = writableCompressions[codec]
        let pilot = try pilot(ExportTests.largeTable, keys: "[")
        let name = "out.csv.\(compression.suffix)"
        export(pilot, to: name)
        #expect(pilot.state.message?.id == .exported, "\(pilot.screen)")
        let written = bytes(pilot, name)
        let plain = try BatchOutput.bytes(Array(ExportTests.largeTable.utf8), .csv) { $0.sort = [SortRequest(ColumnReference("key"))] }
        #expect(written.count < plain.count / 2 && written.count > 1_000)
        // The decoded text is written as plain text, and compressed again as it was.
        #expect(try BatchOutput.bytes(written, .text(.csv), name: name) == plain)
        #expect(try BatchOutput.bytes(written, .text(.csv).compressed(with: compression), name: name) == written)
    }

    @Test func `18.10: file suffixes determine the format and the compression`() {
        let formats = FileFormats(FileOpener())
        let known: [(String, String?, String?)] = [
            ("a.csv.gz", "csv", "gzip"), ("/x.y/a.JSONL.ZST", "jsonl", "zstd"), ("a.md.xz", "markdown", "xz"),
            ("a.txt.bz2", "text", "bzip2"),
            ("a.b.html.lz4", "html", "lz4"), ("a.arrow", "arrow", nil), ("a.feather", "arrow", nil), ("a.arrow.gz", nil, nil),
            ("a.gz", nil, nil), (".csv.gz", nil, nil), ("csv.gz", nil, nil), ("a.csv.br", nil, nil), ("a.csv.gz/", nil, nil),
        ]
        for (name, format, compression) in known {
            let found = formats.format(fileName: name)
            #expect(found?.name == format && found?.compression?.name == compression, "\(name)")
        }
        #expect(formats.choices(fileName: "a.gz").map(\.title).first == "text with gzip")
        #expect(formats.choices(fileName: "a.gz").count == OutputFormat.allCases.count)
        #expect(FileFormats(nil).all.count == OutputFormat.allCases.count)
    }

    @Test func `18.10: the prompt shows the format and the compression, and a list offers alternatives`() throws {
        let pilot = try pilot("a\n1\n")
        export(pilot, to: "out.csv.gz", keys: "")
        #expect(pilot.line(22).hasPrefix(" All 1 row as CSV with gzip."))
        pilot.press("Escape")
        export(pilot, to: "out.arrow", keys: "")
        #expect(pilot.line(22).hasPrefix(" All 1 row as Arrow.") && !pilot.line(23).contains("spreadsheets"))
        pilot.press("Escape")
        export(pilot, to: "out.gz")
        pilot.type("TSV")
        pilot.press("Enter")
        #expect(try BatchOutput.bytes(bytes(pilot, "out.gz"), .text(.tsv), name: "x.tsv.gz") == Array("a\n1\n".utf8))
    }
}
