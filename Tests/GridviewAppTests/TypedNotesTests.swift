import FieldValues
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import DataGridQuery
@testable import GridviewApp

/// Notes about values that a typed file stores with another type.
@MainActor
@Suite struct TypedNotesTests: TypedOutputSuite {
    @Test func `18.10: notes name the columns whose values get another type in the written file`() throws {
        func notes(_ bytes: [UInt8], _ name: String, _ format: String) throws -> [String] {
            let folder = try TemporaryFolder()
            let typed = try #require(writableFormats.first { $0.name == format })
            let document = try Document(FileOpener().open(path: folder.file(name, bytes: bytes)), options: LaunchOptions())
            let found = try BatchOutput.result(of: BatchRun(document, options: LaunchOptions(), format: .typed(typed))).notes
            #expect(!found.hasLosses)
            return found.lines
        }
        let content = #"{"a":[1],"b":{},"c":[],"d":[2],"e":[],"t":"2024-01-02T03:04:05Z"}"# + "\n"
        let nested = "in.jsonl: arrays and objects are written as JSON text: “a”, “b”, “c” and 2 more."
        #expect(try notes(Array(content.utf8), "in.jsonl", "arrow") == [nested])
        #expect(
            try notes(Array(content.utf8), "in.jsonl", "xlsx") == [nested, "in.jsonl: times are written in UTC without their zone: “t”."])
        let copy = try BatchOutput.bytes(Array(content.utf8), Self.arrow, name: "in.jsonl")
        #expect(try notes(copy, "in.arrow", "parquet") == [])
        let column = WrittenColumn(name: "x", type: .binary, hasNulls: false)
        for format in ["arrow", "sqlite"] {
            var binary: [UInt8] = []
            let output = try #require(writableFormats.first { $0.name == format })
            var writer = try output.makeWriter([column], rowCount: 1, table: "t") { binary.append(contentsOf: $0) }
            try [UInt8(0xFF)].withUnsafeBufferPointer { bytes in
                try [FieldBytes(start: bytes.baseAddress, count: 1)].withUnsafeBufferPointer {
                    try writer.write(ColumnBatch(firstRecord: 0, count: 1, columns: [ColumnVector(.texts($0.baseAddress!))]))
                }
            }
            try writer.finish()
            let sentence = "binary values are written as text or as hexadecimal digits"
            let found = try notes(binary, "in.\(format)", "parquet")
            // The only table of a database is named instead of the file.
            #expect(found == ["\(format == "sqlite" ? "t" : "in.arrow"): \(sentence): “x”."])
        }
    }

    @Test(arguments: [1, 2]) func `18.10: notes name the columns whose numbers become text, and the reason`(threads: Int) throws {
        func notes(_ content: String, _ format: String, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> [String] {
            let folder = try TemporaryFolder()
            let typed = try #require(writableFormats.first { $0.name == format })
            var options = LaunchOptions()
            options.threads = threads
            change(&options)
            let document = try Document(options.files.open(path: folder.file("in.csv", content)), options: options)
            let found = try BatchOutput.result(of: BatchRun(document, options: options, format: .typed(typed))).notes
            #expect(!found.hasLosses)
            return found.lines
        }
        let start = "in.csv: numbers are written as text, "
        let exact = "because SQLite does not store all of them exactly. "
        let rows = (1..<70_000).map { "\($0),0.\($0),\($0),\($0),\($0),\($0)\n" }.joined()
        let content = "a,b,c,d,e,f\n" + rows + "18446744073709551616,0.12345678901234567,n/a,007,1,9223372036854775807\n"
        let others = ["because their columns also have other values. Column: “c”.", "so that leading zeros are not lost. Column: “d”."]
            .map { start + $0 }
        #expect(try notes(content, "sqlite") == others + [start + exact + "Columns: “a”, “b”."])
        #expect(try notes(content, "parquet") == others)
        #expect(
            try notes(content, "xlsx") == others + [start + "because Excel does not store all of them exactly. Columns: “a”, “b”, “f”."])
        #expect(try notes(content, "sqlite") { $0.limit = 60_000 } == [])
        // 40 digits fit no type.
        let long = "n\n1.5\n" + String(repeating: "7", count: 40) + "\n"
        #expect(try notes(long, "arrow") == [start + "because no type of numbers keeps all of their digits. Column: “n”."])
        let phones = try notes("n,p\na,1\nb,+4915112345678\n", "parquet")
        #expect(phones == [start + "so that plus signs are not lost. Column: “p”."])
        // Collapsed groups have a note about their records.
        let groups = try notes("k,n\na,1.5\na,2000000000000000.25\n", "sqlite") {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.aggregates = try! ["sum(n)", "mean(n)"].map { try AggregateOption(text: $0) }
        }
        #expect(groups == [start + exact + "Column: “sum(n)”."])
    }

    @Test(arguments: ["parquet", "sqlite"])
    func `18.10: notes name the JSON columns whose numbers become text because they also contain strings`(format: String) throws {
        let typed = try #require(writableFormats.first { $0.name == format })
        let folder = try TemporaryFolder()
        func notes(_ name: String, _ bytes: [UInt8], _ types: [(ColumnReference, ColumnType)] = []) throws -> [String] {
            var options = LaunchOptions()
            options.types = types
            let document = try Document(options.files.open(path: folder.file(name, bytes: bytes)), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .typed(typed))).notes.lines
        }
        let sentence = "numbers are written as text, because their columns also have other values. Column: “n”."
        let json = Array((#"{"n": 1, "s": "7"}"# + "\n" + #"{"n": "many", "s": "x"}"# + "\n").utf8)
        #expect(try notes("in.jsonl", json) == ["in.jsonl: \(sentence)"])
        #expect(try notes("in.jsonl", json, [(ColumnReference("n"), ColumnType(.text))]) == [])
    }
}
