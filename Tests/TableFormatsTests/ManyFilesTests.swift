import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Folders and patterns as one table.
@Suite struct ManyFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file in a folder below the temporary one.
    @discardableResult
    private func write(_ path: String, _ text: String) throws -> String {
        let place = folder.path(of: path)
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        return try folder.file(path, text)
    }

    private func open(_ pattern: String, _ opener: FileOpener = FileOpener(), limit: Int? = nil) throws -> any TableSource {
        let path = pattern.isEmpty ? folder.path : folder.path(of: pattern)
        guard let limit else { return try opener.open(path: path) }
        let selection = FileSelection.pattern(path)
        return try ConcatSource(selection, selection.find(), by: opener, openLimit: limit)
    }

    private func readAll(_ source: any TableSource) throws { try source.readAll(threads: 2) { _ in true } }

    // MARK: Patterns

    @Test("18.9: a pattern matches the same names as in the C library") func componentMatching() {
        var random = SplitMix64(seed: 1)
        let pieces = [
            "a", "b", "c", "*", "?", "[ab]", "[!a]", "[^b-c]", "[a-c]", "[]a]", "[!]b]", "\\*", "\\?", ".", "[", "]", "*", "[c-a]", "-",
        ]
        let letters = Array("abc.*?[]-")
        var matches = 0
        for _ in 0..<60_000 {
            let pattern = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            // Classes and collating symbols of POSIX are not supported.
            if pattern.contains("[.") || pattern.contains("-\\") || pattern == "**" { continue }
            let name = String((0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random)! })
            let isMatch = GlobPattern(pattern.utf8).matches(Array(name.utf8))
            #expect(isMatch == (fnmatch(pattern, name, FNM_PERIOD) == 0), "\(pattern) \(name)")
            if isMatch { matches += 1 }
        }
        #expect(matches > 2_000)
    }

    @Test("18.9: a pattern treats letters of any alphabet as one character") func unicodeMatching() {
        #expect(GlobPattern("?.csv".utf8).matches(Array("ä.csv".utf8)))
        #expect(GlobPattern("[ä-ö]x".utf8).matches(Array("öx".utf8)))
        #expect(!GlobPattern("[!ä]x".utf8).matches(Array("äx".utf8)))
        #expect(GlobPattern("a?".utf8).matches([97, 0xFF]))
        #expect(GlobPattern("日*".utf8).matches(Array("日本".utf8)))
        #expect(GlobPattern("a\\*b".utf8).literal == Array("a*b".utf8))
        // The escape is between the two bytes of “Ф”.
        #expect(GlobPattern([0xD0, 0x5C, 0xA4]).matches([0xD0, 0xA4]))
        #expect(!GlobPattern([0xD0, 0x5C, 0xA4]).matches([0xD0, 0xA5]))
    }

    @Test("18.9: a pattern with many stars is matched in quadratic time") func manyStars() {
        let pattern = String(repeating: "*a", count: 100) + "b"
        #expect(!GlobPattern(pattern.utf8).matches(Array(repeating: UInt8(ascii: "a"), count: 10_000)))
    }

    @Test("18.9: braces are expanded as in a shell", .enabled(if: Python.isAvailable)) func braces() throws {
        var random = SplitMix64(seed: 2)
        func text(_ depth: Int) -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                guard depth < 2, Int.random(in: 0..<3, using: &random) == 0 else {
                    return ["a", "b", "c\\{", "\\,"].randomElement(using: &random)!
                }
                return "{" + (0..<Int.random(in: 2...3, using: &random)).map { _ in text(depth + 1) }.joined(separator: ",") + "}"
            }.joined()
        }
        let patterns = (0..<400).map { _ in "x" + text(0) }
        #expect(patterns.count { $0.contains("{a") } > 20)
        let script = """
            import subprocess, sys
            for pattern in sys.argv[1].split("\\n"):
                run = subprocess.run(["bash", "-fc", "for x in " + pattern + "; do printf '%s ' \\"$x\\"; done"], capture_output=True, text=True)
                print(run.stdout.strip(" "))
            """
        let expected = try Python.run(script, patterns.joined(separator: "\n")).split(separator: "\n", omittingEmptySubsequences: false)
        for (pattern, shell) in zip(patterns, expected) {
            let found = try GlobPattern.alternatives(pattern).map { String(decoding: GlobPattern($0).literal ?? [], as: UTF8.self) }
            #expect(found == shell.split(separator: " ").map(String.init), "\(pattern)")
        }
        #expect(throws: FormatError.self) { try GlobPattern.alternatives(String(repeating: "{a,b}", count: 20)) }
    }

    @Test("18.9: a pattern finds the files that Python finds", .enabled(if: Python.isAvailable)) func finding() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<60 {
            let depth = Int.random(in: 0...3, using: &random)
            let parents = (0..<depth).map { _ in ["a", "b", "k=1", ".h"].randomElement(using: &random)! }
            try write(
                (parents + [["x.csv", "y.csv", ".z.csv", "10.csv", "9.csv"].randomElement(using: &random)!]).joined(separator: "/"),
                "a\n1\n")
        }
        let parts = ["*", "**", "a", "?", "[ab]", "k=*", "[!a]*", ".h"]
        let patterns = (0..<80).map { _ in
            ((0..<Int.random(in: 0...3, using: &random)).map { _ in parts.randomElement(using: &random)! }
                + [["*.csv", "*", "**", "x.csv", "[xy].csv", ".*"].randomElement(using: &random)!]).joined(separator: "/")
        }
        let script = """
            import glob, os, sys
            for pattern in sys.argv[2].split("\\n"):
                found = glob.glob(sys.argv[1] + "/" + pattern, recursive=True)
                print("|".join(sorted(set(os.path.normpath(f) for f in found if os.path.isfile(f)))))
            """
        let expected = try Python.run(script, folder.path, patterns.joined(separator: "\n")).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (pattern, python) in zip(patterns, expected) {
            var finder = FileFinder()
            try finder.find(pattern: folder.path(of: pattern))
            // A folder named like a partition stands for its files.
            let files = finder.files.map(\.path).filter { path in
                GlobPattern((pattern as NSString).lastPathComponent.utf8).matches(Array((path as NSString).lastPathComponent.utf8))
                    || pattern.hasSuffix("**")
            }
            let isPartition = pattern.hasSuffix("/*") || pattern == "*"
            if !isPartition { #expect(files.sorted() == python.split(separator: "|").map(String.init), "\(pattern)") }
            #expect(Set(python.split(separator: "|").map(String.init)).isSubset(of: finder.files.map(\.path)))
            #expect(finder.failures.isEmpty && finder.files.map(\.path).count == Set(finder.files.map(\.path)).count)
        }
    }

    @Test("18.9: a link to a parent folder does not repeat files") func linkLoops() throws {
        try write("a/b/x.csv", "a\n1\n")
        try write("k=1/x.csv", "a\n1\n")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "a/b/loop"), withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "k=1/k=2"), withDestinationPath: "../k=1")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "k=1/k=3"), withDestinationPath: "k=3")
        var finder = FileFinder()
        try finder.find(pattern: folder.path(of: "a/**/*.csv"))
        #expect(finder.files.map(\.path) == [folder.path(of: "a/b/x.csv")])
        finder = FileFinder()
        try finder.find(folder: folder.path(of: "k=1"))
        // The start folder is not in the list of ancestors, so a link to it is followed once.
        #expect(finder.files.count <= 2 && !finder.failures.isEmpty)
    }

    @Test("18.9: a file whose name looks like a pattern opens as that file") func literalName() throws {
        try write("data[1].csv", "a,b\n1,2\n")
        try write("data1.csv", "c,d\n1,2\n")
        #expect(titles(try open("data[1].csv")) == ["a", "b"])
        #expect(throws: FormatError("No file matches \(folder.path(of: "none*.csv")). Check the pattern.")) { try open("none*.csv") }
    }

    // MARK: Union

    @Test("18.9, 18.3: null and missing values of JSON stay different in united files") func nulls() throws {
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

    @Test("18.9, 18.3: strings of JSON differ from other values in united files, unless a file is not JSON") func strings() throws {
        try write("1.jsonl", "{\"b\":\"x\",\"a\":\"1\"}\n{\"a\":2,\"b\":[3]}\n")
        try write("2.jsonl", "{\"a\":true}\n{\"c\":null,\"a\":\"true\"}\n")
        let columns = [2, FieldID.firstNested + 2, FieldID.firstNested, FieldID.firstNested + 1, FieldID.firstNested + 3]
        let source = try open("*.jsonl")
        try readAll(source)
        #expect(titles(source) == ["file", "b", "a", "c"])
        let table = source.snapshot()
        #expect(table.isJSON && table.hasNestedValues && (0..<4).map(table.hasTypedStrings) == [false, true, true, true])
        #expect((0..<5).map(table.keyPath) == [nil, ["b"], ["a"], ["c"], nil])
        var rows: [[String?]] = []
        try table.scan(0..<4, columns: columns) { _, fields in
            rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
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

    @Test("18.9: columns of several files are united by title, and the first column names the file") func union() throws {
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

    /// Random files and the table that they should form.
    private func randomFiles(_ count: Int, seed: UInt64, rowCount: Int) throws -> (titles: [String], rows: [[String?]]) {
        var random = SplitMix64(seed: seed)
        var titles: [String] = []
        var rows: [[String: String]] = []
        var firstColumns: [String] = []
        for file in 0..<count {
            var columns = ["alpha", "beta", "gamma", "delta", "epsilon", "Alpha"].shuffled(using: &random)
            columns.removeLast(Int.random(in: 0...4, using: &random))
            let hasHeader = file == 0 || Int.random(in: 0..<4, using: &random) > 0
            if file == 0 { firstColumns = columns }
            // Files without titles have the columns of the first file.
            if !hasHeader { columns = firstColumns }
            for column in columns where !titles.contains(column) { titles.append(column) }
            var text = hasHeader ? columns.joined(separator: ",") + "\n" : ""
            let records = Int.random(in: hasHeader && file > 0 ? 0...rowCount : 2...max(3, rowCount), using: &random)
            for _ in 0..<records {
                let values = columns.map { _ in "\(Int.random(in: 0...99_999, using: &random))" }
                text += values.joined(separator: ",") + "\n"
                var row = Dictionary(uniqueKeysWithValues: zip(columns, values))
                row["file"] = "f\(file).csv"
                rows.append(row)
            }
            try write("f\(file).csv", text)
        }
        return (["file"] + titles, rows.map { row in (["file"] + titles).map { row[$0] } })
    }

    @Test("18.9: random files are united as in a simple reference", arguments: 0..<25) func randomUnion(seed: Int) throws {
        let expected = try randomFiles(7, seed: UInt64(seed), rowCount: 5)
        // With more open files, files are opened ahead by several threads.
        let source = try open("*.csv", limit: seed % 2 == 0 ? nil : seed % 3 + 1)
        try source.readAll(threads: 3, priority: seed % 4 == 0 ? .background : .foreground) { _ in true }
        #expect(titles(source) == expected.titles)
        #expect(try rows(source) == expected.rows)
    }

    @Test("18.9: a table of many files satisfies the table contract", arguments: [1, 3, 64]) func conformance(limit: Int) throws {
        let expected = try randomFiles(12, seed: 77, rowCount: 400)
        let source = try open("*.csv", limit: limit)
        try readAll(source)
        var conformance = TableConformance(source: source, rows: expected.rows, random: SplitMix64(seed: 5))
        try conformance.check(source.snapshot(), steps: 150)
        let concat = try #require(source as? ConcatSource)
        #expect(concat.open.count <= limit)
    }

    @Test("18.9: a table of files with equal columns satisfies the table contract") func directConformance() throws {
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

    @Test("18.9: a search skips files whose names and rows lack the text") func search() throws {
        try write("one.csv", "a,b\nx,1\ny,2\n")
        try write("two.csv", "a,b\nx,3\none,4\n")
        let source = try open("*.csv", FileOpener(dialect: DialectRequest(hasHeader: true)))
        try readAll(source)
        var required = RequiredBytes("one".utf8, ignoresCase: false)
        required.isSufficient = true
        func found(_ columns: [Int]) throws -> [Int] {
            var records: [Int] = []
            try source.snapshot().scan(0..<4, columns: columns, holding: required, while: { true }) { record, fields in
                if fields.isEmpty || fields.contains(where: { String(decoding: $0.bytes, as: UTF8.self).contains("one") }) {
                    records.append(record)
                }
                return true
            }
            return records
        }
        #expect(try found([0, 1, 2]) == [0, 1, 3])
        #expect(try found([1]) == [3])
        #expect(try found([0]) == [0, 1])
        #expect(try found([2]) == [])
    }

    @Test("18.9: several threads read more files than may be open") func threads() throws {
        let expected = try randomFiles(20, seed: 9, rowCount: 50)
        let source = try open("*.csv", limit: 2)
        try readAll(source)
        let table = source.snapshot()
        let failures = Counter()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for _ in 0..<20 {
                let start = Int.random(in: 0..<expected.rows.count, using: &random)
                let end = Int.random(in: start...expected.rows.count, using: &random)
                var found: [[String?]] = []
                try? table.scan(start..<end, columns: Array(expected.titles.indices)) { _, fields in
                    found.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                    return true
                }
                if found != Array(expected.rows[start..<end]) { failures.increment() }
            }
        }
        #expect(failures.value == 0)
    }

    @Test("18.9: repeated titles, letters of different case and empty titles are kept apart") func titleRules() throws {
        try write("1.csv", "a,a,A,file\n1,2,3,4\n")
        try write("2.csv", "A,a,file,a\n5,6,7,8\n")
        let source = try open("*.csv", FileOpener(dialect: DialectRequest(hasHeader: true)))
        try readAll(source)
        #expect(titles(source) == ["file", "a", "a", "A", "file"])
        #expect(try rows(source) == [["1.csv", "1", "2", "3", "4"], ["2.csv", "6", "8", "5", "7"]])
    }

    @Test("18.9: wider rows of a later file add columns at the right") func widerRows() throws {
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

    @Test("18.9: a header of strings is recognized by the other files") func sharedHeader() throws {
        // Strings alone do not show that the first line is a header: it is repeated below.
        try write("1.csv", "name,city\nname,city\nBob,Paris\nname,Rome\n")
        try write("2.csv", "name,city\nname,city\nAnn,city\n")
        let source = try open("*.csv")
        try readAll(source)
        #expect(titles(source) == ["file", "name", "city"])
        #expect(try rows(source).map { $0[1] } == ["name", "Bob", "name", "name", "Ann"])
    }

    @Test("18.9: if only the first piece of a file has a header, all pieces have its columns") func pieces() throws {
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

    @Test("18.9: folder names such as year=2024 become columns") func partitions() throws {
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

    // MARK: Folders

    @Test("18.9: a folder of similar files is one table, any other folder is a list") func folders() throws {
        try write("same/1.csv", "a,b\n1,2\n")
        try write("same/2.csv", "b,a\n1,2\n")
        try write("same/README.md", "# Remarks\n\nSome words about the files in this folder.\n")
        #expect(titles(try open("same")) == ["file", "a", "b"])
        #expect(try open("same").problems == ["1 file with another suffix is left out"])
        try write("mixed/customers.csv", "name,city\nBob,3\n")
        try write("mixed/orders.csv", "number,price\n1,2\n")
        try write("formats/1.csv", "a,b\n1,2\n")
        try write("formats/2.tsv", "a\tb\n1\t2\n")
        try write("formats/sub/3.csv", "a,b\n1,2\n")
        try write("texts/LICENSE", "Permission is granted to use this.\nIt has no warranty at all.\nThe end of the text.\n")
        try write("texts/Makefile", "all:\n\tmake the program\n\techo that it is made\n")
        try write("prose/1.md", "# Title\n\nSome words about the program.\nThey take two lines here.\n")
        try write("prose/2.md", "# Title\n\nOther words about the program.\nThey take two lines, too.\n")
        for name in ["mixed", "formats", "texts", "prose", ""] {
            let list = try open(name)
            #expect(titles(list) == ["name", "kind", "size", "modified"])
            #expect(list.profiles(budgetMilliseconds: 0).map(\.kind) == [.text, .text, .integer, .dateTime])
        }
        let list = try open("formats")
        let found = try rows(list)
        #expect(found.map { $0[0] } == ["1.csv", "2.tsv", "sub"] && found.map { $0[1] } == ["CSV", "TSV", "folder"])
        #expect(found[0][2] == "8" && found[2][2] == nil && found[0][3]?.count == 19)
        #expect(list.path(ofTableInRecord: 1) == folder.path(of: "formats/2.tsv") && list.path(ofTableInRecord: 3) == nil)
        #expect(titles(try FileOpener().open(path: list.path(ofTableInRecord: 2)!)) == ["a", "b"])
        var opener = FileOpener()
        opener.listsFiles = true
        #expect(try rows(opener.open(path: folder.path(of: "same"))).map { $0[0] } == ["1.csv", "2.csv", "README.md"])
        #expect(try rows(opener.open(path: folder.path(of: "same/*.csv"))).map { $0[0] } == ["1.csv", "2.csv"])
        #expect(titles(try opener.open(path: folder.path(of: "same/1.csv"))) == ["a", "b"])
        try FileManager.default.createDirectory(atPath: folder.path(of: "empty"), withIntermediateDirectories: true)
        #expect(throws: FormatError("Cannot open \(folder.path(of: "empty")): the folder contains no files.")) { try open("empty") }
    }

    @Test(
        "18.9: damaged files of a folder are left out of its table, wherever they are",
        arguments: [[0], [1], [8], [0, 1, 8], [0, 1, 2, 3]])
    func damagedFiles(damaged: [Int]) throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(EveryFormatTests.samples)/trades.parquet")))
        try write("nine/.hidden", "")
        for number in 0..<9 {
            _ = try folder.file("nine/\(number).parquet", bytes: damaged.contains(number) ? Array(bytes[..<100]) : bytes)
        }
        let source = try open("nine")
        try readAll(source)
        let good = (0..<9).filter { !damaged.contains($0) }
        let found = try rows(source).map { $0[0] }
        #expect(titles(source).prefix(2) == ["file", "id"] && found.count == good.count * 60)
        #expect(Set(found) == Set(good.map { "\($0).parquet" }))
        let losses = source.conversions.filter(\.isLoss).map(\.sentence)
        #expect(losses.count == damaged.count)
        for (number, loss) in zip(damaged, losses) { #expect(loss.hasPrefix("\(number).parquet is left out. "), "\(loss)") }
    }

    @Test("18.9: a folder with only damaged files is an error that names one of them") func onlyDamaged() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(EveryFormatTests.samples)/trades.parquet")))
        try write("bad/.hidden", "")
        for number in 1...2 { _ = try folder.file("bad/\(number).parquet", bytes: Array(bytes[..<100])) }
        let error = #expect(throws: (any Error).self) { try open("bad") }
        #expect((error as? any TableError)?.message.hasPrefix("1.parquet is damaged") == true, "\(String(describing: error))")
    }

    @Test("18.9: a folder is a list if its readable files differ, even if the others are damaged") func damagedAndDifferent() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(EveryFormatTests.samples)/trades.csv.gz")))
        try write("d/2.csv", "name,city\nBob,3\n")
        try write("d/3.csv", "number,price\n1,2\n")
        for name in ["1", "4"] { _ = try folder.file("d/\(name).csv", bytes: Array(bytes[..<12])) }
        #expect(try titles(open("d")) == ["name", "kind", "size", "modified"])
        try write("d/3.csv", "name,city\nAnn,4\n")
        #expect(try titles(open("d")) == ["file", "name", "city"])
    }

    @Test("18.9: the name of a file determines its kind") func kinds() {
        #expect(FileKind("a.csv.gz").text == "CSV, gzip" && FileKind("access.log.1").name == "log" && !FileKind("x").hasFormatSuffix)
        #expect(
            FileKind("a.PARQUET").name == "Parquet" && FileKind("a.b.py").text == "py" && FileKind("access.log.2.gz").text == "log, gzip")
    }

    @Test("18.9: a list of paths keeps its order") func paths() throws {
        let first = try write("z.csv", "a\n1\n2\n")
        try write("a/1.csv", "a\n3\n4\n")
        try write("a/2.csv", "a\n5\n6\n")
        let source = try FileOpener().open(paths: [first, folder.path(of: "a/*.csv")])
        try readAll(source)
        #expect(try rows(source).map { $0[1] } == ["1", "2", "3", "4", "5", "6"])
        #expect(try rows(source)[2][0] == "a/1.csv" && source.path == nil)
    }

    // MARK: Names

    @Test("18.9: file names with line ends and control characters are unchanged values") func names() throws {
        try write("a\nb\u{1B}[31m.csv", "x\n1\n")
        try write("c\td.csv", "x\n2\n")
        try write("broken\u{7}.csv", "x\n3\n")
        let source = try open("*.csv", FileOpener(dialect: DialectRequest(hasHeader: true)))
        try FileManager.default.removeItem(atPath: folder.path(of: "broken\u{7}.csv"))
        try readAll(source)
        #expect(try rows(source).map { $0[0] } == ["a\nb\u{1B}[31m.csv", "c\td.csv"])
        #expect(source.conversions.count == 1 && source.conversions.allSatisfy { $0.isLoss })
        #expect(source.problems.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test("18.9: a name that is not UTF-8 is reported") func invalidName() throws {
        try write("1.csv", "a\n1\n2\n")
        try write("2.csv", "a\n3\n4\n")
        let place = folder.path(of: "x").utf8CString.dropLast() + [CChar(bitPattern: 0xFF), 0x2E, 0x63, 0x73, 0x76, 0]
        let file = Array(place).withUnsafeBufferPointer { fopen($0.baseAddress!, "w") }
        // Some file systems refuse such names.
        guard let file else { return }
        fclose(file)
        let source = try open("*.csv")
        try readAll(source)
        #expect(source.snapshot().recordCount == 4)
        #expect(source.conversions == [TextConversion("One file is left out because the name is not UTF-8.", isLoss: true)])
    }

    @Test("18.9: files and folders without permission are left out", .enabled(if: getuid() != 0)) func permissions() throws {
        try write("1.csv", "a\n1\n2\n")
        try write("2.csv", "a\n3\n4\n")
        try write("sub/3.csv", "a\n5\n6\n")
        chmod(folder.path(of: "2.csv"), 0)
        chmod(folder.path(of: "sub"), 0)
        defer { chmod(folder.path(of: "sub"), 0o700) }
        let source = try open("**/*.csv")
        try readAll(source)
        #expect(try rows(source).map { $0[1] } == ["1", "2"])
        #expect(source.conversions.count { $0.isLoss && $0.sentence.contains("permission denied") } == 2)
    }

    // MARK: Failures

    @Test("18.9: files that are not tables and files that cannot be read are left out") func failures() throws {
        try write("1.csv", "a\n1\n2\n")
        try write("2.csv", "a\n3\n4\n")
        _ = try folder.file("3.png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        try write("4.csv", "a\n5\n6\n")
        try FileManager.default.createDirectory(atPath: folder.path(of: "5.csv"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "6.csv"), withDestinationPath: "nowhere.csv")
        #expect(mkfifo(folder.path(of: "7.csv"), 0o600) == 0)
        let source = try open("*")
        try FileManager.default.removeItem(atPath: folder.path(of: "2.csv"))
        #expect(source.checkForChange() != .unchanged)
        try readAll(source)
        #expect(try rows(source).map { $0[1] } == ["1", "2", "5", "6"])
        #expect(source.snapshot().isComplete)
        let lost = source.conversions.filter(\.isLoss).map(\.sentence)
        #expect(lost.count == 2 && lost[0].contains("6.csv") && lost[1].hasPrefix("2.csv is left out. Cannot open"), "\(lost)")
        #expect(source.problems.contains { $0.contains("3.png is a PNG image") }, "\(source.problems)")
        #expect(source.problems.contains("1 entry is left out because it is not a file"))
        #expect(source.details.first?.value == "2 (2 left out)")
    }

    @Test("18.9: output reports files of a folder that are not part of its table") func otherFiles() throws {
        try write("one/x.csv", "a,b\n1,2\n")
        try write("one/notes.txt", "hello\n")
        try write("one/_SUCCESS", "")
        let one = try open("one")
        try readAll(one)
        #expect(titles(one) == ["a", "b"])
        #expect(try rows(one) == [["1", "2"]])
        #expect(one.conversions == [TextConversion("one: 1 file with another suffix is left out.", isLoss: true)])
        try write("two/1.csv", "a,b\n1,2\n")
        try write("two/2.csv", "a,b\n3,4\n")
        _ = try folder.file("two/3.csv", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        try write("two/4.csv", "a,b\n5,6\n")
        try write("two/LICENSE", "Free.\n")
        try write("two/notes.txt", "hello\n")
        let two = try open("two")
        try readAll(two)
        #expect(try rows(two).count == 3)
        let sentences = two.conversions.map(\.sentence)
        #expect(sentences.count == 2 && two.conversions.allSatisfy(\.isLoss))
        #expect(sentences[0].hasPrefix("two: one file is left out because it is not a table: "))
        #expect(sentences[1] == "two: 2 files with other suffixes are left out.")
        // Files that are not tables are only reported if a pattern matched them, which may be an accident.
        let pattern = try open("two/*.csv")
        try readAll(pattern)
        #expect(pattern.conversions.count == 1 && !pattern.conversions[0].isLoss)
        // Hidden files are left out by convention.
        try FileManager.default.removeItem(atPath: folder.path(of: "one/notes.txt"))
        #expect(try open("one").conversions.isEmpty)
    }

    @Test("18.9: notes without a loss do not hide the losses of later files") func manyNotes() throws {
        for number in 101...205 { try write("j/\(number).json", "{\"data\": [{\"a\": \"x\"}], \"more\": [{\"b\": 1}]}") }
        try write("j/206.json", #"{"data": [{"a": "\ud800"}]}"#)
        let source = try open("j/*.json")
        try readAll(source)
        let sentences = source.conversions.map(\.sentence)
        #expect(source.conversions.map(\.isLoss) == [true, false, false, false, false] && source.conversions[0].replacesCharacters)
        #expect(sentences[0].hasPrefix("206.json: ") && sentences[1].hasPrefix("101.json: ") && sentences[3].hasPrefix("103.json: "))
        #expect(sentences[4] == "\(source.name): 102 other files have notes that are not listed.")
        // Losses that are not listed are still reported as losses.
        for number in 301...402 { try write("j/\(number).json", #"{"data": [{"a": "\ud800"}]}"#) }
        let damaged = try open("j/*.json")
        try readAll(damaged)
        let losses = damaged.conversions.filter(\.isLoss)
        #expect(losses.count == 101 && losses.allSatisfy(\.replacesCharacters))
        #expect(losses.last?.sentence == "\(damaged.name): 3 other files have losses that are not listed.")
    }

    @Test("18.9: if no file can be opened, the first error is shown") func noReadableFile() throws {
        _ = try folder.file("1.png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        _ = try folder.file("2.png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        #expect { try open("*.png") } throws: { ($0 as? FormatError)?.message.contains("1.png is a PNG image") == true }
    }

    @Test("18.9: a file that has changed since it was read is an error") func changed() throws {
        for file in 0..<4 { try write("\(file).csv", "a\n\(file)\n\(file)\n") }
        let source = try open("*.csv", limit: 1)
        try readAll(source)
        #expect(source.checkForChange() == .unchanged && source.isUnchanged())
        try write("1.csv", "a\n1\n1\n1\n")
        #expect(source.checkForChange() != .unchanged && !source.isUnchanged())
        #expect(throws: FormatError("\(folder.path(of: "1.csv")) has changed since it was read. Reload the files.")) {
            try source.snapshot().scan(0..<8, columns: [1]) { _, _ in true }
        }
        // Other files can still be read.
        try source.snapshot().scan(0..<2, columns: [1]) { _, _ in true }
    }

    @Test("18.9: new files count as a change") func newFiles() throws {
        try write("1.csv", "a\n1\n1\n")
        try write("2.csv", "a\n1\n1\n")
        let source = try open("*.csv")
        #expect(source.checkForChange() == .unchanged)
        try write("3.csv", "a\n1\n")
        #expect(source.checkForChange() == .grown(to: 16) && source.growth(asOf: source) == nil)
        for file in 1...3 { try FileManager.default.removeItem(atPath: folder.path(of: "\(file).csv")) }
        #expect(source.checkForChange() == .deleted)
    }

    // MARK: Reading

    @Test("18.9: opening reads the first file only, the tail the last one") func laziness() throws {
        for file in 0..<30 { try write("\(file).csv", "a,b\n\(file),1\n\(file),2\n") }
        try write("99.csv", "a,c\n99,3\n99,4\n")
        let source = try #require(try open("*.csv") as? ConcatSource)
        #expect(source.open.count == 1 && source.snapshot().recordCount == 2)
        let tail = try source.tail(atLeast: 3)
        #expect(source.open.count == 3)
        // The columns of unread files are not known yet.
        #expect(!tail.isSettled && tail.records.suffix(2).map { $0.fields.map(\.text) } == [["99.csv", "99"], ["99.csv", "99"]])
        #expect(tail.records.count >= 3 && tail.records.suffix(3)[tail.records.endIndex - 3][2]?.text == "2")
        var texts: [String?] = []
        try source.snapshot().scan(tail.records.last!, columns: [1, 0, 2]) { fields in
            texts = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(texts == ["99", "99.csv", nil])
        var lazy = try source.snapshot().lazyRecord(tail.records.last!, number: nil)
        try lazy.map(bytes: .max) { _ in true }
        #expect(try lazy.field(1).map { try lazy.text(of: $0, piece: 0) } == "99")
        try readAll(source)
        #expect(titles(source) == ["file", "a", "b", "c"] && source.snapshot().recordCount == 62)
        #expect(try source.tail(atLeast: 1).records.last?.fields.map(\.text) == ["99.csv", "99", "", "4"])
    }

    @Test("18.9: reading can be cancelled and resumed at any file") func cancel() throws {
        let expected = try randomFiles(300, seed: 12, rowCount: 20)
        let source = try #require(try open("*.csv", limit: 3) as? ConcatSource)
        var (stops, last) = (0, source.snapshot().recordCount)
        while !source.snapshot().isComplete {
            // Progress is reported every 10 ms.
            try source.readAll(threads: 1) { _ in false }
            #expect(source.snapshot().recordCount >= last && source.indexedByteCount <= source.byteCount)
            last = source.snapshot().recordCount
            stops += 1
        }
        #expect(stops > 1)
        #expect(try rows(source) == expected.rows)
        #expect(source.indexedByteCount == source.byteCount)
    }

    @Test("18.9: progress and snapshots never shrink while files are read") func growing() throws {
        for file in 0..<20 { try write("\(file).csv", "a,b\(file % 3)\n" + String(repeating: "\(file),2\n", count: 20_000)) }
        let source = try open("*.csv")
        let last = Counter()
        try source.readAll(threads: 2) { progress in
            let table = source.snapshot()
            #expect(progress.bytesDone >= last.value && progress.bytesDone <= progress.bytesTotal)
            #expect(table.recordCount >= 0 && table.columnCount <= source.columnCount)
            if let record = try? table.records(max(0, table.recordCount - 1)..<table.recordCount, maximumFieldBytes: 10).first {
                #expect(record[0] != nil && record[1] != nil)
            }
            last.set(progress.bytesDone)
            return true
        }
        #expect(source.snapshot().recordCount == 400_000 && last.value == source.byteCount)
    }

    @Test("18.9: 2,000 small files are one table") func manySmallFiles() throws {
        for file in 0..<2_000 { try write("\(file % 50)/\(file).csv", "id,value\n\(file),1\n\(file),2\n") }
        let clock = ContinuousClock()
        var source: (any TableSource)?
        let path = folder.path(of: "**/*.csv")
        let finding = try clock.measure {
            var finder = FileFinder()
            try finder.find(pattern: path)
        }
        print("2,000 files: found in \(finding)")
        let opening = try clock.measure { source = try open("**/*.csv") }
        let table = try #require(source)
        let reading = try clock.measure { try readAll(table) }
        var sum = 0
        let scanning = try clock.measure {
            try table.snapshot().scan(0..<table.snapshot().recordCount, columns: [2]) { _, fields in
                sum += Int(fields[0].bytes[0]) - 48
                return true
            }
        }
        print("2,000 files: opened in \(opening), read in \(reading), scanned in \(scanning)")
        #expect(table.snapshot().recordCount == 4_000 && sum == 6_000)
        #expect((table as? ConcatSource)?.open.count == OpenFiles.maximumCount)
    }

    @Test("18.9: the kind of a column fits all sampled files") func widening() throws {
        try write("1.csv", "n,d,t,s\n1,2024-01-31,1,5\n2,2024-02-01,2,\n")
        try write("2.csv", "n,d,t,s\n1,2024-01-31,1,5\n2,2024-02-01,2,\n")
        try write("3.csv", "n,d,t,s\n1.5,2024-01-31 12:00,x,\n2,2024-02-01 13:00,y,\n")
        let source = try open("*.csv")
        #expect(source.profiles(budgetMilliseconds: 100).map(\.kind) == [.text, .decimal, .dateTime, .text, .integer])
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.text, .integer, .date, .integer, .integer])
    }

    @Test(
        "18.9: compressed files and Parquet files are united",
        .enabled(if: Python.isAvailable && FileOpener.formatNames.contains("parquet"))) func formats() throws
    {
        let script = """
            import sys, gzip, bz2, lzma, os
            import pyarrow as pa, pyarrow.parquet as pq
            base = sys.argv[1]
            for i in range(30):
                with gzip.open(f"{base}/log{i}.csv.gz", "wt") as f:
                    f.write("id,name,price\\n")
                    for j in range(3000): f.write(f"{i*3000+j},name {j},{j}.5\\n")
            data = gzip.compress(b"id,name,price\\n" + b"1,x,2\\n" * 100000)
            open(f"{base}/log99.csv.gz", "wb").write(data[:len(data) // 2])
            for year in (2023, 2024):
                os.makedirs(f"{base}/pq/year={year}")
                for i in range(3):
                    n = 5000
                    cols = {"id": pa.array(range(n)), "v": pa.array([None if k % 7 == 0 else k * 0.5 for k in range(n)])}
                    if year == 2024: cols = {"extra": pa.array([f"e{k}" for k in range(n)]), **cols}
                    pq.write_table(pa.table(cols), f"{base}/pq/year={year}/part-{i}.parquet")
            """
        try Python.run(script, folder.path)
        let logs = try FileOpener().open(path: folder.path(of: "log*.csv.gz"))
        #expect(logs.snapshot().recordCount > 0)
        try logs.readAll(threads: 2) { _ in true }
        // The last file is damaged.
        #expect(logs.conversions.count == 1 && logs.conversions[0].isLoss && logs.conversions[0].sentence.hasPrefix("log99.csv.gz "))
        let table = logs.snapshot()
        #expect(titles(logs) == ["file", "id", "name", "price"])
        #expect(table.recordCount > 90_000)
        var next = 0
        try table.scan(0..<90_000, columns: [1]) { _, fields in
            #expect(String(decoding: fields[0].bytes, as: UTF8.self) == "\(next)")
            next += 1
            return true
        }
        #expect(next == 90_000)
        #expect(logs.indexedByteCount == logs.byteCount)
        let parquet = try FileOpener().open(path: folder.path(of: "pq"))
        try parquet.readAll(threads: 2) { _ in true }
        #expect(titles(parquet) == ["file", "year", "id", "v", "extra"] && parquet.snapshot().recordCount == 30_000)
        #expect(parquet.profiles(budgetMilliseconds: 4).map(\.kind) == [.text, .integer, .integer, .decimal, .text])
        var expected: [[String?]] = []
        for year in ["2023", "2024"] {
            for part in 0..<3 {
                for row in 0..<5_000 {
                    let value = row % 7 == 0 ? nil : "\(Double(row) * 0.5)"
                    expected.append(["year=\(year)/part-\(part).parquet", year, "\(row)", value, year == "2024" ? "e\(row)" : nil])
                }
            }
        }
        var conformance = TableConformance(source: parquet, rows: expected, random: SplitMix64(seed: 1))
        try conformance.check(parquet.snapshot(), steps: 60)
    }

    @Test("18.9: changed reading settings apply to all files") func settings() throws {
        try write("1.csv", "a;b\n1;2,5\n")
        try write("2.csv", "b;a\n3,5;4\n")
        let source = try open("*.csv")
        var settings = ReadingSettings()
        settings.header = "no"
        let opener = try #require(try FileOpener().with(settings))
        let again = try #require(try opener.reopen(source))
        try readAll(again)
        #expect(try rows(again).map { $0[1] } == ["a", "1", "b", "3,5"] && titles(again) == ["file", "A", "B"])
        #expect(titles(try #require(try opener.sample(of: source))) == ["A", "B"])
    }
}

/// A number that several threads change.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    var value: Int { lock.withLock { number } }
    func increment() { lock.withLock { number += 1 } }
    func set(_ value: Int) { lock.withLock { number = value } }
}
