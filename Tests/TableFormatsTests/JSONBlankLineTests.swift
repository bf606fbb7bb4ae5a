import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Blank lines between JSON values, which are not rows.
@Suite struct JSONBlankLineTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, _ name: String = "t.jsonl") throws -> any TableSource {
        let source = try FileOpener().open(path: folder.file(name, text))
        try source.readAll(threads: 3) { _ in true }
        return source
    }

    @Test func `18.3: blank lines between JSON values are not rows`() throws {
        for text in [
            "{\"a\":1}\n\n{\"a\":2}\n   \n{\"a\":3}\n\n", "\n\n{\"a\":1}\n\t\n  {\"a\":2}\n{\"a\":3}",
            "{\"a\":1}\r\n\r\n{\"a\":2}\r\n \r\n{\"a\":3}\r\n",
            "{\"a\":1}\r\r{\"a\":2}\r{\"a\":3}\r",
        ] {
            for name in ["t.jsonl", "t.json", "t.txt"] {
                let source = try open(text, name)
                #expect(source.details.first?.value == "JSON Lines", "\(text)")
                #expect(try rows(source) == [["1"], ["2"], ["3"]], "\(text)")
                #expect(source.problems.isEmpty && source.conversions.isEmpty, "\(text) \(source.problems)")
            }
        }
        // Values that are not one per line are rewritten.
        let values = try open("{\"a\":1} {\"a\":2}\n\n\n{\"a\":\n\n3}\n\n", "t.json")
        #expect(values.details.first?.value == "JSON" && values.problems.isEmpty)
        #expect(try rows(values) == [["1"], ["2"], ["3"]])
    }

    @Test func `18.3: blank lines far after the first bytes are not rows`() throws {
        var (text, offsets) = ("", [Int]())
        for index in 0..<60_000 {
            if index >= 30_000, index % 3 == 0 { text += ["\n", "  \t\n", "\n\n"][index % 9 / 3] }
            if index % 5_000 == 0 { offsets.append(text.utf8.count) }
            text += index == 50_000 ? "{broken\n" : "{\"n\":\(index),\"t\":\"row \(index)\"}\n"
        }
        let path = try folder.file("t.jsonl", text + String(repeating: "\n", count: 40_000))
        let source = try FileOpener().open(path: path)
        // The blank lines at the end of the file are longer than the bytes that are read first to find the last rows.
        #expect(try source.tail(atLeast: 3).records.suffix(3).map { $0.fields.map(\.text) }.last == ["59999", "row 59999"])
        try source.readAll(threads: 3) { _ in true }
        let table = source.snapshot()
        try #require(table.recordCount == 60_000)
        #expect(source.problems == ["row 50,001 is not valid JSON"])
        var next = 0
        try table.scan(0..<60_000, columns: [0]) { record, fields in
            #expect(record == next && (record == 50_000 || String(decoding: fields[0].bytes, as: UTF8.self) == "\(record)"))
            next += 1
            return true
        }
        #expect(next == 60_000)
        for (number, offset) in offsets.enumerated() where number != 10 {
            let record = try table.records(number * 5_000..<number * 5_000 + 1, maximumFieldBytes: 100)[0]
            #expect(record.byteRange.lowerBound == offset && record.fields.map(\.text) == ["\(number * 5_000)", "row \(number * 5_000)"])
        }
        // A search in the bytes of the file finds the same rows, even for bytes that also occur in blank lines.
        for literal in ["row 4567", " "] {
            var found: [Int] = []
            let required = RequiredBytes(literal.utf8, ignoresCase: false)
            try table.scan(0..<60_000, columns: [1], holding: required, while: { true }) { record, fields in
                let isMatch = !fields[0].isMissing && String(decoding: fields[0].bytes, as: UTF8.self).contains(literal)
                if isMatch { found.append(record) }
                return true
            }
            let expected = (0..<60_000).filter { $0 != 50_000 && "row \($0)".contains(literal) }
            #expect(found == expected, "\(literal)")
        }
    }

    @Test func `18.3: appended blank lines are not rows`() throws {
        let path = try folder.file("t.jsonl", "{\"n\":1}\n\n{\"n\":2}")
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 1) { _ in true }
        for (text, expected) in [
            ("\n", ["1", "2"]), ("\n  ", ["1", "2"]), (" \n", ["1", "2"]), ("\n {\"n\"", nil),
            (":3}\n\n{\"n\":4}\n", ["1", "2", "3", "4"]),
        ] {
            try readAppended(text, to: path, source)
            if let expected { #expect(try rows(source).map { $0[0] } == expected, "\(text)") }
        }
        #expect(source.problems.isEmpty)
    }

    @Test func `18.3: blank lines of a pipe are not rows`() throws {
        let pipe = Pipe()
        let bytes = Array("{\"a\":1}\n\n{\"a\":2}\n \n{\"a\":3}\n\n".utf8)
        Thread.detachNewThread {
            // The bytes arrive in small parts, which end within blank lines, too.
            for part in stride(from: 0, to: bytes.count, by: 5) {
                try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes[part..<min(bytes.count, part + 5)]))
                Thread.sleep(forTimeInterval: 0.01)
            }
            try? pipe.fileHandleForWriting.close()
        }
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        try source.readAll(threads: 1) { _ in true }
        #expect(try rows(source) == [["1"], ["2"], ["3"]])
    }
}
