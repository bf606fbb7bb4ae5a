import DataGrid
import DataGridQuery
import DelimitedText
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// JSON output, without a screen: D15.
@MainActor
@Suite struct JSONOutputTests {
    @Test func `D15: JSON output keeps the arrays and objects of JSON input, and strings that look like JSON stay strings`() throws {
        let rows = #"""
            {"id": 2, "tags": ["a","b\u202e\""], "text": "[1, 2]"}
            {"id": 1, "tags": {"x":{"y":{"z":[1e400,null]}}}, "text": "{\"a\": 1}"}
            {"id": 3, "tags": "[\"a\"]", "text": null}

            """#
        func output(_ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
            String(decoding: try BatchOutput.bytes(Array(rows.utf8), .text(format), name: "t.jsonl", change), as: UTF8.self)
        }
        let lines = try output(.jsonl) { $0.sort = [SortRequest(ColumnReference("id"))] }.split(separator: "\n")
        #expect(
            lines == [
                ##"{"id": 1, "tags": {"x": {"y": {"z":[1e400,null]}}}, "text": "{\"a\": 1}"}"##,
                ##"{"id": 2, "tags": ["a","b\u202e\""], "text": "[1, 2]"}"##,
                ##"{"id": 3, "tags": "[\"a\"]", "text": null}"##,
            ])
        let control = try BatchOutput.bytes(Array("{\"t\":[\"\u{202E}\",\t\"\\\"\"]}\n".utf8), .text(.jsonl), name: "t.jsonl")
        #expect(String(decoding: control, as: UTF8.self) == ##"{"t": ["\u202e", "\""]}"## + "\n")
        let numbers = try BatchOutput.bytes(Array(##"{"t":[NaN,-Infinity,"NaN",{"b":Infinity}]}"##.utf8), .text(.jsonl), name: "t.jsonl")
        #expect(String(decoding: numbers, as: UTF8.self) == ##"{"t": ["NaN","-Infinity","NaN",{"b":"Infinity"}]}"## + "\n")
        let derived = try output(.jsonl) {
            $0.derivedColumns = ["copy = tags"]
            $0.columns = [ColumnReference("copy"), ColumnReference("tags")]
            $0.limit = 1
        }
        #expect(derived.hasSuffix(##", "tags": ["a","b\u202e\""]}"## + "\n"))
        #expect(try output(.csv).hasPrefix("id,tags,tags.x.y,text\n2,\"[\"\"a\"\",\"\"b"))
        #expect(try BatchOutput.text("id,tags\n1,\"[1, 2]\"\n2,\"[3]\"\n", .jsonl).hasPrefix(##"{"id": 1, "tags": "[1, 2]"}"##))
    }

    @Test func `D15, 18.3: JSON output of JSON input keeps null, missing and empty values apart`() throws {
        let forms = [#""s": null, "n": 1"#, #""s": "", "n": """#, #""s": "é\"", "n": null"#, #""n": 2.50"#, #""s": " ", "n": "\t""#, ""]
        let lines: [String] = (10_000..<30_000).map { "{\"id\": \($0)\(forms[$0 % 6].isEmpty ? "" : ", ")\(forms[$0 % 6])}" }
        func output(_ text: String, _ format: OutputFormat = .jsonl, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
            String(decoding: try BatchOutput.bytes(Array(text.utf8), .text(format), name: "t.jsonl", change), as: UTF8.self)
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(text.utf8.count > 512 << 10)
        #expect(try output(text) == text)
        let reversed = try output(text) {
            $0.sort = [SortRequest(ColumnReference("id"))]
            $0.sort[0].isDescending = true
        }
        #expect(reversed.split(separator: "\n").map(String.init) == lines.reversed())
        #expect(try output(text, .json) { $0.limit = 2 } == "[\n  \(lines[0]),\n  \(lines[1])\n]\n")
        // The output in formats other than JSON does not change.
        #expect(try output(text, .csv) { $0.limit = 6 }.split(separator: "\n").count == 7)
        let nested = [#"{"a":{"b":null}}"#, #"{"a":{}}"#, #"{"a":null}"#, "{}", #"{"a":{"b":""}}"#].joined(separator: "\n") + "\n"
        let expected = [#"{"a": {"b": null}}"#, #"{"a": {}}"#, #"{"a": null}"#, "{}", #"{"a": {"b": ""}}"#]
        #expect(try output(nested).split(separator: "\n").map(String.init) == expected)
        let typed = [#"{"a": "1", "b": true}"#, #"{"a": 1, "b": "true"}"#, #"{"a": 1e400, "b": null}"#, #"{"a": "", "b": "x"}"#]
        #expect(try output(typed.joined(separator: "\n")) == typed.joined(separator: "\n") + "\n")
        // A few strings in a column of numbers or flags stay strings, even in a view with another type.
        let mixed =
            (0..<200).map { "{\"a\": \($0 == 7 ? "\"1\"" : "\($0)"), \"b\": \($0 == 9 ? "\"true\"" : "true")}" }.joined(separator: "\n")
            + "\n"
        #expect(try output(mixed) == mixed)
        #expect(try output(mixed) { $0.derivedColumns = ["c = a + 1"] }.split(separator: "\n")[7].hasPrefix(##"{"a": "1", "b": true"##))
        // A formula has a value for each row.
        let derived = try output(nested) { $0.derivedColumns = ["c = 1"] }
        #expect(derived.split(separator: "\n").allSatisfy { $0.hasSuffix(#""c": 1}"#) }, "\(derived)")
    }

    @Test func `D15, 18.3: derived columns of JSON text keep strings, numbers and arrays, even outside of the sample`() throws {
        // The sample has 500 records in several places. Records with other forms of values are between these places.
        let usual = #"{"zip": "98765", "n": 12.50, "day": "2024-01-31", "ok": true, "list": [1, "x"]}"#
        let others = [
            #"{"zip": 1000000, "n": "5", "day": "", "ok": "true", "list": "[1]"}"#,
            #"{"zip": "00123", "n": "00123", "day": 20240131, "ok": 1, "list": {"a": 1e400}}"#,
            #"{"zip": "", "n": "", "day": null, "ok": "", "list": ""}"#, "{}",
        ]
        let empty = #"{"zip": null, "n": null, "day": null, "ok": null, "list": null}"#
        let texts = (0..<3_000).map { (700..<700 + others.count).contains($0) ? others[$0 - 700] : usual }
        let expected = texts.enumerated().map { row, text in "{\"id\": \(row), \((text == "{}" ? empty : text).dropFirst())" }
        let csv = texts.enumerated().map { "\($0),\"\($1.replacing("\"", with: "\"\""))\"\n" }.joined()
        let json = texts.enumerated().map { "{\"id\": \($0), \"meta\": [\($1)]}\n" }.joined()
        let keys = ["zip", "n", "day", "ok", "list"]
        for (text, name, prefix) in [("id,meta\n" + csv, "t.csv", ""), (json, "t.jsonl", "0.")] {
            func output(_ change: (inout LaunchOptions) -> Void = { _ in }) throws -> [String] {
                let bytes = try BatchOutput.bytes(Array(text.utf8), .text(.jsonl), name: name) { options in
                    options.derivedColumns = keys.map { "\($0) = json(meta, '\(prefix)\($0)')" }
                    options.columns = (["id"] + keys).map { ColumnReference($0) }
                    change(&options)
                }
                return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            }
            #expect(try output() == expected, "\(name)")
            let reversed = try output {
                $0.sort = [SortRequest(ColumnReference("id"))]
                $0.sort[0].isDescending = true
            }
            #expect(reversed == expected.reversed(), "\(name)")
            let zips = try output { ($0.sort, $0.limit) = ([SortRequest(ColumnReference("zip"))], 2) }
            #expect(zips == [expected[701], expected[0]], "\(name)")
        }
    }

    @Test func `D15: JSON output writes the lists of an Arrow file as arrays`() throws {
        // A stream of pyarrow with a column of lists and a column of text.
        let stream = """
            /////9AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAAAsAAAABAAAALD///8AAAEFEAAAABQAAAAEAAAAAAAAAAEA\
            AABzAAAA2P///9T///8AAAEMFAAAABwAAAAEAAAAAQAAACQAAAABAAAAbAAAAAQABAAEAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAAECEAAAACAAAAAEAAAA\
            AAAAAAQAAABpdGVtAAAAAAgADAAIAAcACAAAAAAAAAEIAAAA//////gAAAAUAAAAAAAAAAwAFgAGAAUACAAMAAwAAAAAAwQAGAAAADgAAAAAAAAAAAAKABgA\
            DAAEAAgACgAAAIwAAAAQAAAAAgAAAAAAAAAAAAAABwAAAAAAAAAAAAAAAQAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAGAAAAAAAAAAAAAAAAAAAABgAAAAAAAAA\
            AgAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAMAAAAAAAAADAAAAAAAAAAAwAAAAAAAAAAAAAAAwAAAAIAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAAA\
            AAAAAAAAAgAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAECAAAAAAAAAAAAAAMAAAADAAAAAAAAAFsxXQAAAAAA/////wAAAAA=
            """
        let bytes = [UInt8](try #require(Data(base64Encoded: stream)))
        for sort in [[], [SortRequest(ColumnReference("s"))]] as [[SortRequest]] {
            let written = try BatchOutput.bytes(bytes, .text(.jsonl), name: "in.arrows") { $0.sort = sort }
            #expect(String(decoding: written, as: UTF8.self) == ##"{"l": [1,2], "s": "[1]"}"## + "\n" + ##"{"l": null, "s": ""}"## + "\n")
        }
        let arrow = try BatchOutput.bytes(bytes, .typed(ArrowOutputFormat()), name: "in.arrows")
        let folder = try TemporaryFolder()
        let table = try #require(FileOpener().open(path: folder.file("x.arrow", bytes: arrow)).snapshot() as? any ColumnarTable)
        #expect(table.textForm(ofColumn: 0) == .json && table.textForm(ofColumn: 1) == .plain)
        #expect(table.nestedColumns.map(\.columns) == [0..<1])
    }

    @Test func `D15: JSON output has an object for each row`() throws {
        let all = try BatchOutput.text("id,id,flag,set,text\n1,2,yes,true,007\n-3,x,no,False,\n", .json)
        #expect(
            all == """
                [
                  {"id": 1, "id_2": "2", "flag": "yes", "set": true, "text": "007"},
                  {"id": -3, "id_2": "x", "flag": "no", "set": false, "text": ""}
                ]

                """)
        #expect(try BatchOutput.text("a\n", .json) == "[]\n")
        #expect(try BatchOutput.text("a\n1\n", .jsonl) == "{\"a\": 1}\n")
    }

    @Test(arguments: [3, 100_000])
    func `D15: JSON numbers keep the digits of the file, even in the last of 100,000 columns`(columnCount: Int) throws {
        // The record is longer than 1 MB.
        let numbers = ["12345678901234567890.10", "-0.5", "1e400", "7"].map {
            $0 + String(repeating: "0", count: $0.contains(".") ? 10 : 0)
        }
        let row = (0..<columnCount).map { numbers[$0 % 4] }
        let line = row.joined(separator: ",") + "\n"
        let text = (0..<columnCount).map { "c\($0)" }.joined(separator: ",") + "\n" + line + line
        let written = try BatchOutput.text(text, .jsonl) { $0.limit = 1 }
        let expected = row.enumerated().map { "\"c\($0)\": \($1)" }.joined(separator: ", ")
        #expect(written == "{\(expected)}\n")
    }
}
