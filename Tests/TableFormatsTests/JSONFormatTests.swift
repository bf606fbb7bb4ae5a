import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Detection of JSON, and of the records in JSON documents.
@Suite struct JSONFormatTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.3: JSON Lines, JSON documents and other text are distinguished`() throws {
        let examples: [(text: String, format: String, rows: Int)] = [
            ("{\"a\":1}\n{\"a\":2}\n", "JSON Lines", 2), ("{\"a\":1}\r\n\r\n{\"a\":2}", "JSON Lines", 2),
            ("\u{FEFF}{\"a\":1}\n{\"b\":2}\n", "JSON Lines", 2), ("[{\"a\":1}]\n[{\"a\":2}]\n", "JSON Lines", 2),
            ("{\"a\":1}", "JSON", 1), ("{\"a\":1}\n", "JSON", 1), ("[{\"a\":1},\n{\"a\":2}]\n", "JSON", 2),
            ("[\n{\"a\":1}\n,\n{\"a\":2}\n]\n", "JSON", 2),
            ("{\n\"a\":1}\n{\n\"a\":2}\n", "JSON", 2), ("{\"a\":1}{\"a\":2}\n", "JSON", 2), ("{\"a\":1} {\"a\":\n2}\n", "JSON", 2),
            ("{\"x\":[{\"a\":1},{\"a\":2}]}\n", "JSON", 2), ("[[1,2],[3,4]]", "JSON", 2), ("[]", "JSON", 0),
            ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n", "JSON", 2), ("[1,2,\"x\"]", "JSON", 3),
        ]
        for (text, format, rows) in examples {
            let source = try open(text)
            #expect(self.format(source) == format, "\(text)")
            #expect(source.snapshot().recordCount == rows, "\(text)")
            #expect(source.problems.filter { !$0.contains("byte order") }.isEmpty, "\(text) \(source.problems)")
        }
        for text in [
            "[a],b\n1,2\n", "{x},y\n1,2\n", "[[wiki]] text\nmore\n", "{\"a\" 1}\nb\n", "[{thread}] message\n", "name,{\"a\":1}\n", "",
            "{ // comment\n\"a\":1}\n", "[ # c\n1]\n",
        ] {
            let source = try open(text, "t.txt")
            #expect(!(source is JSONSource), "\(text)")
        }
        // The content decides, not the name.
        for (text, format, rows) in examples where !text.hasPrefix("\u{1E}") {
            for name in ["t.csv", "t.txt", "t"] {
                let source = try open(text, name)
                #expect(self.format(source) == format && source.snapshot().recordCount == rows, "\(name): \(text)")
            }
        }
        for text in ["{\"a\":1},x\n{\"a\":2},y\n", "[1,2],3\n[4,5],6\n", "[1] one\n[2] two\n", "[\"a\",1", "[0.5] x\n"] {
            #expect(try !(open(text, "t.csv") is JSONSource), "\(text)")
        }
        let logs = [
            "[    2.345678] [drm] Initialized\n[    2.345999] [drm] fb0: x\n", "[1234] [INFO] text\n[1234] [INFO] text\n",
            "[1]\n[other]\na=1\n",
        ]
        for text in logs { #expect(try !(open(text, "t.log") is JSONSource), "\(text)") }
        for text in ["{\"a\":1}\t{\"b\":2}\n{\"a\":3}\t{\"b\":4}\n", "[1,2]\t[3,4]\n[5,6]\t[7,8]\n"] {
            #expect(try !(open(text, "t.tsv") is JSONSource), "\(text)")
        }
        for text in ["a,b\n1,2\n3,4\n", "1,2\n3,4\n5,6\n", "\"a\",\"b\"\n\"1\",\"2\"\n"] {
            for name in ["t.json", "t.jsonl"] {
                let source = try open(text, name)
                #expect(!(source is JSONSource) && source.columnCount == 2, "\(name): \(text)")
            }
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: FormatError("t.json has more than 1,024 levels. Use --format lines to read it as text.")) { try open(deep) }
        #expect(try format(open("{\"a\":1}\n", "t.jsonl")) == "JSON Lines")
        #expect(try format(open("1\n\"x\"\n", "t.ndjson")) == "JSON Lines")
        #expect(try format(open("{\"a\":1}\n{\"a\":2}\n", as: "json")) == "JSON")
        #expect(throws: FormatError.self) { try open("a,b\n", "t.txt", as: "json") }
        #expect(throws: FormatError.self) { try open("a,b\n", "t.txt", as: "jsonl") }
        #expect(throws: FormatError.self) { try open("{ // comment\n\"a\":1}\n", "t.json") }
    }

    @Test(
        arguments: ["[\"x\",\"y\"]\n", "[1,2]", "[\n1,\n2\n]\n"])
    func `18.3: an array of strings or numbers from a pipe is JSON, even if it arrives in parts`(text: String) throws {
        for isWhole in [true, false] {
            let pipe = Pipe()
            let writer = pipe.fileHandleForWriting
            let bytes = Data(text.utf8)
            try writer.write(contentsOf: isWhole ? bytes : bytes.prefix(2))
            let late = Thread {
                Thread.sleep(forTimeInterval: 0.05)
                if !isWhole { try? writer.write(contentsOf: bytes.dropFirst(2)) }
                try? writer.close()
            }
            late.start()
            let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
            try source.readAll(threads: 1) { _ in true }
            #expect(format(source) == "JSON" && source.snapshot().recordCount == 2, "\(text) \(format(source))")
        }
    }

    @Test func `18.3: documents in UTF-16 and in Windows-1252 are read`() throws {
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in "[{\"a\":\"é\"},{\"a\":\"😀\"}]".utf16 { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let wide = try FileOpener().open(path: folder.file("t.json", bytes: utf16))
        try wide.readAll(threads: 1) { _ in true }
        #expect(try rows(wide) == [["é"], ["😀"]])
        let latin = Array("[{\"a\":\"".utf8) + [0xE9, 0xE8] + Array("\"},{\"a\":\"x\"}]".utf8)
        let narrow = try FileOpener(dialect: DialectRequest(encoding: .windows1252)).open(path: folder.file("t.json", bytes: latin))
        try narrow.readAll(threads: 1) { _ in true }
        #expect(try rows(narrow) == [["éè"], ["x"]])
    }

    // MARK: Records of documents

    @Test func `18.3: an array of arrays is a table`() throws {
        let named = try open("[[\"name\", \"n\", \"n\"], [\"a, b\", 1, null], [\"c\", [2, {\"x\": 3}], \"\", 4]]")
        #expect(titles(named) == ["name", "n", "n 2", "D"] && named.hasColumnNames)
        #expect(try rows(named) == [["a, b", "1", nil, nil], ["c", "[2,{\"x\":3}]", "", "4"]])
        let plain = try open("[\n  [1, \"x\"],\n  [2, \"y\"]\n]\n")
        #expect(titles(plain) == ["A", "B"] && !plain.hasColumnNames)
        #expect(try rows(plain) == [["1", "x"], ["2", "y"]])
        #expect(try rows(open("[[\"only\",\"row\"]]")) == [["only", "row"]])
    }

    @Test func `18.3: the first array of objects in an object is read as the records`() throws {
        let text = #"{"meta": {"list": [1]}, "data": {"items": [{"a": 1}, {"a": 2}], "other": [{"b": 1}]}, "one": {"c": 3}}"#
        let first = try open(text)
        #expect(first.details.contains { $0 == ("rows", "elements of data.items") })
        #expect(try rows(first) == [["1"], ["2"]])
        let other = try open(text, path: "data.other")
        #expect(titles(other) == ["b"])
        #expect(try rows(other) == [["1"]])
        #expect(try rows(open(text, path: "one")) == [["3"]])
        #expect(try rows(open(text, path: "meta.list")) == [["1"]])
        #expect(try rows(open(text, path: "meta.list")).count == 1)
        #expect(throws: FormatError.self) { try open(text, path: "data.nothing") }
        #expect(throws: FormatError.self) { try open(text, path: "\"data") }
        let single = try open("{\n \"a\": 1,\n \"b\": {\"c\": [1, 2]}\n}\n")
        #expect(titles(single) == ["a", "b.c"])
        #expect(try rows(single) == [["1", "[1,2]"]])
        let geo = try open(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[1.50, 2]}}]}"#,
            "t.geojson")
        #expect(titles(geo) == ["type", "properties.name", "geometry.type", "geometry.coordinates"])
        #expect(try rows(geo) == [["Feature", "A", "Point", "[1.50,2]"]])
    }

    @Test func `18.3: a note lists other arrays of objects and the option that shows them`()
        throws
    {
        /// The phrase about other arrays, which is a note of output and not a loss.
        func leftOutPhrase(_ text: String, path: String? = nil) throws -> String? {
            let source = try open(text, path: path)
            let conversions = source.conversions
            #expect(conversions == source.problems.map { TextConversion("t.json: \($0).", isLoss: false) }, "\(text)")
            return source.problems.first { $0.hasPrefix("the array") }
        }
        let one = #"{"data": [{"a": 1}], "more": [{"b": 1}, {"b": 2}], "n": 3}"#
        #expect(try leftOutPhrase(one) == "the array “more” is left out; --path more shows it")
        #expect(try rows(open(one, path: "more")) == [["1"], ["2"]])
        #expect(try leftOutPhrase(one, path: "data") == nil)
        // The array before the records is empty, and the path has keys with a dot, a space and an escape.
        let nested = #"{"no": [], "x": {"data": [{"a": 1}], "b.c": {"d \u0065": [1, {"a": [{}]}]}}, "y": {}}"#
        #expect(try leftOutPhrase(nested) == #"the array “x."b.c".d e” is left out; --path 'x."b.c".d e' shows it"#)
        #expect(try rows(open(nested, path: "x.\"b.c\".d e")).count == 2)
        // Arrays of other values, arrays within arrays, and arrays within records are not named.
        for text in [
            #"{"data": [{"a": 1}], "more": [1, 2], "list": [[{"b": 1}]], "o": {"p": {}, "q": "[{"}}"#,
            #"{"data": [{"a": [{"b": 1}], "c": {"d": [{}]}}], "e": [[1], "{"]}"#, #"{"data": [{"a": 1}], "data": [{"a": 2}]}"#,
            #"[{"a": [{"b": 1}]}, {"c": [{"d": 1}]}]"#, "{\"a\": [{\"b\": 1}]}\n{\"c\": [{\"d\": 1}]}\n",
        ] {
            #expect(try leftOutPhrase(text) == nil, "\(text)")
        }
        let arrays = (1...5).map { "\"k\($0)\": [{\"a\": \($0)}]" }
        for (count, names) in [(3, "“k2” and “k3”"), (4, "“k2”, “k3” and “k4”"), (5, "“k2”, “k3”, “k4” and more")] {
            let text = "{\(arrays.prefix(count).joined(separator: ",")), \"k2\": [{}]}"
            #expect(try leftOutPhrase(text) == "the arrays \(names) are left out; --path k2 shows the first", "\(text)")
        }
        // Equal paths are named once, and "more" does not count them.
        let repeated = "{\(arrays.joined(separator: ",")),\([String](repeating: #""k5": [{}]"#, count: 100).joined(separator: ","))}"
        #expect(try leftOutPhrase(repeated)?.hasPrefix("the arrays “k2”, “k3”, “k4” and more are left out; ") == true)
        // The option is not named with text that a message cannot show, or that is read as other keys.
        let limit = String(repeating: "k", count: 100)
        for (key, name, option) in [
            (#"b\ngridview: fake"#, "b\u{FFFD}gridview: fake", "--path"), (#"b\u009b1m"#, "b\u{FFFD}1m", "--path"),
            (#"\"q\""#, "\"q\"", "--path"), (#"q\""#, "q\"", "--path 'q\"'"), (#".\"q"#, "\".\"q\"", "--path"),
            (limit, limit, "--path \(limit)"), (limit + "k", limit + "…", "--path"),
            (String(repeating: "kä", count: 3_000), String(repeating: "kä", count: 50) + "…", "--path"),
        ] {
            #expect(
                try leftOutPhrase("{\"data\": [{\"a\": 1}], \"\(key)\": [{}]}") == "the array “\(name)” is left out; \(option) shows it")
        }
        #expect(
            try leftOutPhrase(#"{"data": [{"a": 1}], "b\n": [{}], "c": [{}]}"#)
                == "the arrays “b\u{FFFD}” and “c” are left out; --path shows the first")
        // The other array is far after the first bytes that are read, and objects are nested deeper than the limit.
        let long = [String](repeating: #"{"a": "0123456789012345678901234567890123456789"}"#, count: 20_000).joined(separator: ",\n")
        let deep = String(repeating: #"{"x":"#, count: 1_100) + "[{}]" + String(repeating: "}", count: 1_100)
        #expect(try leftOutPhrase("{\"data\": [\(long)], \"more\": [{}]}") == "the array “more” is left out; --path more shows it")
        #expect(try open("{\"data\": [{\"a\": 1}], \"deep\": \(deep), \"more\": [{}]}").problems.contains { $0.contains("“more”") })
    }

    @Test func `18.3: further values at the top level next to an array are read as rows`() throws {
        // The array is larger than the sample and than a block.
        let array = "[" + (0..<40_000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        let examples: [(rest: String, rows: [[String]], problems: [String])] = [
            (" 3 {\"a\":4} [5]", [["3"], ["4"], ["5"]], []), ("\n\"lost\"", [["lost"]], []),
            ("\nreset by", [["reset"], ["by"]], ["2 rows are not valid JSON (first: row 40,001)"]),
        ]
        for (rest, expected, problems) in examples {
            let source = try open(array + rest)
            let found = try rows(source)
            #expect(found.count == 40_000 + expected.count, "\(rest)")
            #expect(found.suffix(expected.count).map { $0.compactMap { $0 } } == expected, "\(rest)")
            #expect(source.problems == problems, "\(rest)")
        }
        for rest in ["Connection reset", "\"lost\"", "7"] {
            let source = try open("{\"data\":\(array)}\n\(rest)\n")
            #expect(try rows(source).count == 40_000)
            #expect(source.problems == ["the JSON is damaged on line 2: there is text after the object; reading stopped there"])
        }
    }

    // MARK: Reading

    @Test(
        arguments: ["{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1},\n{\"a\":2}]", "{\"d\":[{\"a\":1},{\"a\":2}]}\n"])
    func `18.3: JSON is read from a pipe`(text: String) throws {
        let pipe = Pipe()
        let bytes = Array(text.utf8)
        // The bytes arrive in two parts.
        Thread.detachNewThread {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes[..<9]))
            Thread.sleep(forTimeInterval: 0.05)
            try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes[9...]))
            try? pipe.fileHandleForWriting.close()
        }
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        try source.readAll(threads: 1) { _ in true }
        #expect(try rows(source) == [["1"], ["2"]])
    }

    @Test func `18.3: the elements of an array on one line are shown while a pipe pauses`() throws {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        try writer.write(contentsOf: Data("[{\"a\":1},{\"a\":2},".utf8))
        let isOpen = DispatchSemaphore(value: 0)
        // If opening waits for more bytes, they arrive late, and the test fails instead of hanging.
        Thread.detachNewThread {
            _ = isOpen.wait(timeout: .now() + 10)
            try? writer.write(contentsOf: Data("{\"a\":3}]".utf8))
            try? writer.close()
        }
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        #expect(format(source) == "JSON" && source.isGrowing && source.snapshot().recordCount == 2)
        #expect(try rows(source) == [["1"], ["2"]])
        isOpen.signal()
        try source.readAll(threads: 1) { _ in true }
        #expect(try rows(source) == [["1"], ["2"], ["3"]])
    }

    @Test func `18.3: a long one-line array is read as JSON, not as a header`() throws {
        let text = "[" + (0..<50_000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        let source = try #require(FileOpener().open(path: folder.file("t.json", text)) as? JSONSource)
        #expect(source.file.isHeaderTruncated)
        #expect(source.snapshot().recordCount > 1_000)
        try source.readAll(threads: 2) { _ in true }
        #expect(source.snapshot().recordCount == 50_000)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["GV_JSON_FILE"] != nil))
    func `18.3: a benchmark prints the time of reading a JSON file`() throws {
        let path = ProcessInfo.processInfo.environment["GV_JSON_FILE"]!
        func measure(_ name: String, _ body: () throws -> Void) rethrows {
            let start = clock()
            let wall = ContinuousClock.now
            try body()
            print("\(name): \(Double(clock() - start) / 1e6) s CPU, \(ContinuousClock.now - wall)")
        }
        var source: any TableSource = try FileOpener().open(path: path)
        try measure("open") { source = try FileOpener().open(path: path) }
        try measure("read all") { try source.readAll(threads: 2) { _ in true } }
        let lines = try DelimitedFile(path: path, request: DialectRequest(delimiter: 0x1F, quote: .some(nil), hasHeader: false))
        try measure("index of lines") { try lines.readAll(threads: 2, priority: .foreground) { _ in true } }
        var bytes = 0
        func add(_ batch: FieldBatch) -> Bool {
            for record in 0..<batch.count { for field in batch.fields(of: record) { bytes += field.count } }
            return true
        }
        measure("scan of lines") { try? lines.snapshot().scanBatches(0..<lines.snapshot().recordCount, columns: [0], add) }
        let table = source.snapshot()
        print("rows", table.recordCount, "columns", table.columnCount)
        for column in 0..<min(table.columnCount, 12) {
            try measure("column \(source.title(ofColumn: column))") { try table.scanBatches(0..<table.recordCount, columns: [column], add) }
        }
        try measure("all columns") { try table.scanBatches(0..<table.recordCount, columns: Array(0..<table.columnCount), add) }
    }

    @Test func `18.3: the letter of a column without a name differs from all names`() throws {
        let source = try open(#"[["B","C"],[1,2,3],[4,5]]"#)
        #expect(try titles(source) == ["B", "C", "C 2"] && rows(source) == [["1", "2", "3"], ["4", "5", nil]])
        #expect(source.problems.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `18.3: 40,000 columns of arrays with the same name quickly get different names`() {
        var writer = JSONArrayWriter(JSONNotes(description: ""), nil)
        func array(of element: String) -> [UInt8] {
            Array("[\(repeatElement(element, count: 40_000).joined(separator: ","))]".utf8)
        }
        var output: [UInt8] = []
        writer.write(array(of: #""a""#), number: 0, into: &output)
        writer.write(array(of: "1"), number: 1, into: &output)
        #expect(String(decoding: output, as: UTF8.self).hasSuffix(#","a 40000":1}"# + "\n"))
    }
}
