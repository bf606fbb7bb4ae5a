import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Files that are not quite JSON, and hostile JSON.
@Suite struct JSONDamageTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.3: invalid lines are shown as text`() throws {
        let bad = [
            "{\"a\":1,}", "{\"a\":01}", "{\"a\":1} x", "{'a':1}", "{\"a\":\"\\x\"}", "{\"a\":[1,2}", "{\"a\":tru}", "{\"a\"", "nul",
            "{\"a\":1}{\"a\":2}",
        ]
        let text = (0..<40).map { "{\"a\":\($0),\"b\":\"x\"}\n" }.joined() + bad.joined(separator: "\n") + "\n[1,2]\n\"s\"\n\n{\"a\":NaN}\n"
        let source = try open(text)
        #expect(titles(source) == ["a", "b", "value", "(unreadable)"])
        let found = try rows(source)
        #expect(found[39] == ["39", "x", nil, nil])
        for (index, line) in bad.enumerated() { #expect(found[40 + index] == [nil, nil, nil, line]) }
        // The blank line is not a row.
        #expect(found.count == 53 && Array(found.suffix(3)) == [[nil, nil, "[1,2]", nil], [nil, nil, "s", nil], ["NaN", nil, nil, nil]])
        #expect(source.problems == ["10 rows are not valid JSON (first: row 41)"])
        // A scan of one column returns the same values as a scan of all columns.
        var ones: [String?] = []
        try source.snapshot().scan(0..<found.count, columns: [0]) { _, fields in
            ones.append(fields[0].isMissing ? nil : String(decoding: fields[0].bytes, as: UTF8.self))
            return true
        }
        #expect(ones == found.map { $0[0] })
    }

    @Test(
        arguments: [
            "{\"a\":1,\"b", "{\"a\":\"x", "{\"a\":\"x\\", "{\"a\":", "{\"a\":[", "{", "[", "x{\"a\":1}", "{'a':1}", "// comment",
            "# comment",
            "}",
        ])
    func `18.3: a damaged first line does not hide the lines after it`(line: String) throws {
        let text = line + "\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n"
        for (name, format) in [("t.jsonl", nil), ("t.json", nil), ("t.txt", nil), ("t", nil), ("t.csv", "jsonl"), ("t", "jsonl")] {
            let source = try open(text, name, as: format)
            #expect(try rows(source) == [[nil, line], ["2", nil], ["3", nil], ["4", nil]], "\(name)")
            #expect(source.problems == ["row 1 is not valid JSON"] && source.conversions.contains(where: \.isLoss), "\(name)")
        }
    }

    @Test func `18.3: a single line with an object is accepted if JSON Lines is requested`() throws {
        let damaged = [String](repeating: "{\"a\":", count: 30)
        let source = try open(damaged.joined(separator: "\n") + "\n{\"a\":1}\n", "t.jsonl", as: "jsonl")
        #expect(try rows(source).last == ["1", nil])
        #expect(source.problems == ["30 rows are not valid JSON (first: row 1)"])
        // Otherwise, a message names the option.
        #expect(throws: FormatError("t.jsonl is not valid JSON. Use --format jsonl to read its valid lines.")) {
            try open("{\"a\":1,\n{\"a\":1}\n", "t.jsonl")
        }
        // A document is not read as lines.
        #expect(throws: FormatError.self) { try open("[{\"a\":1},\n{\"a\":2}]\n", as: "jsonl") }
        #expect(throws: FormatError.self) { try open("{\n\"a\":\n{\"b\":1}\n}\n", as: "jsonl") }
        for count in [2, 50_000] {
            // The sample of the large document ends within an object.
            let elements = (0..<count).map { "{\"a\":\($0)}" }
            #expect(throws: FormatError.self) { try open("[\n" + elements.joined(separator: ",\n") + "\n]\n", as: "jsonl") }
        }
        #expect(try format(open("{\"a\":\n1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n")) == "JSON")
        // The damaged line of a pipe arrives first.
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        try writer.write(contentsOf: Data("{\"a\":1,\"b\n".utf8))
        let late = Thread {
            Thread.sleep(forTimeInterval: 0.05)
            try? writer.write(contentsOf: Data("{\"a\":2}\n".utf8))
            try? writer.close()
        }
        late.start()
        let piped = try FileOpener(format: "jsonl").open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        try piped.readAll(threads: 1) { _ in true }
        #expect(try rows(piped) == [[nil, "{\"a\":1,\"b"], ["2", nil]])
    }

    @Test func `18.3: in an array of arrays, the column names are also found after a comment`() throws {
        let named = try open("[\n// c\n[\"a\",\"b\"],\n[1,2]\n]\n", path: "")
        #expect(titles(named) == ["a", "b", "(unreadable)"] && named.hasColumnNames)
        #expect(try rows(named) == [[nil, nil, "// c"], ["1", "2", nil]])
        let unnamed = try open("[\n// c\n[1,2],\n[3,4]\n]\n", path: "")
        #expect(titles(unnamed) == ["A", "B", "(unreadable)"] && !unnamed.hasColumnNames)
        #expect(try rows(unnamed).dropFirst() == [["1", "2", nil], ["3", "4", nil]])
        // A damaged array may be the header, so the next one is a row.
        let damaged = try open("[\n[\"a\",\"b\"},\n[\"x\",\"y\"],\n[1,2]\n]\n", path: "")
        #expect(titles(damaged) == ["A", "B", "(unreadable)"] && !damaged.hasColumnNames)
        #expect(try rows(damaged).dropFirst() == [["x", "y", nil], ["1", "2", nil]])
    }

    @Test func `18.3: comments between JSON lines are invalid rows`() throws {
        let text = "{\"a\":1}\n// one\n  // two\n# three\n#\n{\"a\":2}\n"
        for name in ["t.jsonl", "t.json", "t.txt"] {
            let source = try open(text, name)
            #expect(format(source) == "JSON Lines")
            #expect(try rows(source).compactMap { $0[0] } == ["1", "2"], "\(name)")
            #expect(source.problems == ["4 rows are not valid JSON (first: row 2)"], "\(name)")
        }
        #expect(try !(open("# comment\na,b\n1,2\n", "t.txt") is JSONSource))
        #expect(try !(open("data\n{\"a\":1}\n{\"a\":2}\n", "t.csv") is JSONSource))
    }

    @Test(arguments: ["jsonl", "json"]) func `18.3: damaged JSON gives rows or an error`(suffix: String) throws {
        let record = #"{"id":123,"by":{"desk":{"venue":"X\u00e9"},"n":null},"list":[1,{"b":2.5e3}],"s":"a\"b"}"#
        let lines = [String](repeating: record, count: 40)
        let text = suffix == "jsonl" ? lines.joined(separator: "\n") + "\n" : "{\"data\": [\n" + lines.joined(separator: ",\n ") + "]}\n"
        let bytes = Array(text.utf8)
        var random = SplitMix64(seed: 8)
        var opened = 0
        for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
            var flipped = bytes
            flipped[position] ^= UInt8.random(in: 1...255, using: &random)
            for damaged in [flipped, Array(bytes[..<position]), Array(bytes[..<position]) + Array(bytes[(position + 1)...])] {
                do {
                    let source = try FileOpener().open(path: folder.file("t.\(suffix)", bytes: damaged))
                    try source.readAll(threads: 1) { _ in true }
                    _ = try rows(source)
                    _ = try source.snapshot().records(0..<source.snapshot().recordCount, maximumFieldBytes: 100)
                    _ = (source.problems, source.details, source.profiles(budgetMilliseconds: 0))
                    opened += 1
                } catch is FormatError {}
            }
        }
        #expect(opened > 200)
        for end in [bytes.count / 2, bytes.count - 2] where suffix == "json" {
            let source = try FileOpener().open(path: folder.file("t.json", bytes: Array(bytes[..<end])))
            try source.readAll(threads: 1) { _ in true }
            #expect(source.problems.contains { $0.contains("incomplete") } && source.snapshot().recordCount > 10)
        }
    }

    @Test func `18.3: extreme nesting depths and sizes cause no crash`() throws {
        let deep = String(repeating: "[", count: 1_000_000)
        for text in [deep, "{\"a\":" + deep, "[{\"a\":" + deep + "]", "{\"a\":1}\n{\"a\":" + deep + "\n{\"a\":2}\n"] {
            for name in ["t.json", "t.jsonl", "t.txt"] {
                do {
                    let source = try open(text, name)
                    _ = try source.snapshot().records(0..<source.snapshot().recordCount, maximumFieldBytes: 100)
                } catch is FormatError {}
            }
        }
        let objects = String(repeating: "{\"a\":", count: 500_000) + "1" + String(repeating: "}", count: 500_000)
        let nested = try open("[{\"a\":1},\(objects),{\"a\":2}]")
        #expect(nested.snapshot().recordCount == 3 && nested.problems.contains { $0.contains("row 2 has more than 1,024 levels") })
        #expect(try rows(nested)[2][0] == "2")
        // 1,000 levels are read.
        let list = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
        #expect(try rows(open("[{\"a\":\(list)}]")) == [[list]])
    }

    @Test func `18.3: large records are read or reported`() throws {
        let text = String(repeating: "x", count: 20 << 20)
        let lines = try open("{\"a\":1,\"s\":\"\(text)\",\"b\":2}\n{\"a\":3,\"s\":\"y\",\"b\":4}\n", "t.jsonl")
        #expect(titles(lines) == ["a", "s", "b"])
        var counts: [Int] = []
        try lines.snapshot().scan(0..<2, columns: [1, 2]) { _, fields in
            counts += fields.map(\.count)
            return true
        }
        #expect(counts == [20 << 20, 1, 1, 1])
        let record = try lines.snapshot().records(0..<2, maximumFieldBytes: 10)
        #expect(record[0].fields.map(\.text) == ["1", "xxxxxxxxxx"] && record[0][1]?.isTruncated == true && record[1][2]?.text == "4")
        let array = try open("[{\"a\":1,\"s\":\"\(text)\"},{\"a\":3,\"s\":\"y\"}]")
        #expect(try rows(array)[1].contains("3"))
        // The row is valid JSON, so no message calls it invalid.
        let phrase = "row 1 is larger than 16 MiB; only its start is in the column (unreadable)"
        #expect(array.problems.contains(phrase) && !array.problems.contains { $0.contains("not valid") }, "\(array.problems)")
        let sentences = array.conversions.map(\.sentence)
        #expect(sentences.count == 1 && sentences[0].hasSuffix(" \(phrase)."), "\(sentences)")
    }
}
