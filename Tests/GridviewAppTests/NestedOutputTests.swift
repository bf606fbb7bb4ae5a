import FieldValues
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import DataGridQuery
@testable import GridviewApp

/// Lists and structures with declared types in typed files.
@MainActor
@Suite struct NestedOutputTests: TypedOutputSuite {
    /// An Arrow file with the columns `n`, `s` and `l`: whole numbers, structures of a number and a list, and lists of bytes.
    private static func nestedFile(rows: Int) throws -> [UInt8] {
        let byte = NestedField("item", .value(.integer(bits: 8, isSigned: false)), isOptional: false)
        let parts = NestedField("parts", .list(byte, size: nil), isOptional: true)
        let key = NestedField("key", .value(.integer(bits: 16, isSigned: true)), isOptional: true)
        let blob = NestedField("item", .value(.binary), isOptional: true)
        let columns = [
            WrittenColumn(name: "n", type: .integer, hasNulls: false),
            WrittenColumn(name: "s", type: .nested(.structure([key, parts])), hasNulls: true),
            WrittenColumn(name: "l", type: .nested(.list(blob, size: nil)), hasNulls: true),
        ]
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(value).littleEndian) { [NestedMarker.present] + $0 } }
        func structure(_ row: Int) -> [UInt8] {
            let list = (0..<row % 4).flatMap { number($0) } + [NestedMarker.end]
            return [NestedMarker.present] + (row % 3 == 0 ? [NestedMarker.null] : number(row))
                + (row % 5 == 0 ? [NestedMarker.null] : [NestedMarker.present] + list)
        }
        // The text has the digits that stand for a byte that is not text.
        let text = Array("0xff".utf8)
        let list: [UInt8] =
            [NestedMarker.present, NestedMarker.present, 4, 0, 0, 0] + text + [NestedMarker.present, 1, 0, 0, 0, 0xFF]
            + [NestedMarker.null, NestedMarker.end]
        let values = (0..<rows).map { row in [row % 7 == 0 ? nil : structure(row), row % 2 == 0 ? nil : list] }
        var bytes: [UInt8] = []
        var writer = try ArrowOutputFormat().makeWriter(columns, rowCount: rows, table: "t") { bytes.append(contentsOf: $0) }
        let fields = columns.enumerated().map { Field(FieldID(rawValue: $0), name: $1.name, kind: $0 == 0 ? .integer : .text) }
        let batcher = RowBatcher(columns, fields: fields) { try writer.write($0) }
        for (row, values) in values.enumerated() {
            let all: [[UInt8]?] = [Array("\(rows - row)".utf8)] + values
            let starts = all.reduce(into: [0]) { $0.append($0.last! + ($1?.count ?? 0)) }
            try all.flatMap { $0 ?? [] }.withUnsafeBufferPointer { memory in
                try zip(all, starts).map { value, start in
                    value.map { FieldBytes(start: memory.baseAddress! + start, count: $0.count) } ?? .missing
                }.withUnsafeBufferPointer { try batcher.append($0) }
            }
        }
        try batcher.finish()
        try writer.finish()
        return bytes
    }

    @Test func `18.10: lists and structures keep their types and values when sorted and written to Parquet and Arrow`() throws {
        let first = try Self.nestedFile(rows: 1_000)
        #expect(try read(first).titles == ["n", "s.key", "s.parts", "l"])
        #expect(try BatchOutput.bytes(first, Self.arrow, name: "in.arrow") == first)
        let sorted = try BatchOutput.bytes(first, Self.arrow, name: "in.arrow") { $0.sort = [SortRequest(ColumnReference("n"))] }
        #expect(sorted != first)
        let parquet = try #require(writableFormats.first { $0.name == "parquet" })
        let copy = try BatchOutput.bytes(sorted, .typed(parquet), name: "in.arrow")
        var descending = SortRequest(ColumnReference("n"))
        descending.isDescending = true
        let back = try BatchOutput.bytes(copy, Self.arrow, name: "in.parquet") { $0.sort = [descending] }
        #expect(back == first)
    }

    @Test func `18.10: a structure is written as separate columns if the view reorders, hides or changes parts of it`() throws {
        let first = try Self.nestedFile(rows: 20)
        func output(_ change: (inout LaunchOptions) -> Void) throws -> (titles: [String], nested: [Range<Int>]) {
            let folder = try TemporaryFolder()
            let bytes = try BatchOutput.bytes(first, Self.arrow, name: "in.arrow", change)
            let source = try FileOpener().open(path: folder.file("x.arrow", bytes: bytes))
            let table = try #require(source.snapshot() as? any ColumnarTable)
            return ((0..<table.columnCount).map { source.title(ofColumn: $0) }, table.nestedColumns.map(\.columns))
        }
        #expect(try output { _ in }.nested == [1..<3, 2..<3, 3..<4])
        #expect(try output { $0.columns = BatchOutput.columns("n", "s.key", "l") }.nested == [2..<3])
        #expect(try output { $0.columns = BatchOutput.columns("s.parts", "s.key") }.nested == [0..<1])
        let typed = try output { $0.types = [(ColumnReference("s.key"), ColumnType(.text))] }
        #expect(typed.titles == ["n", "s.key", "s.parts", "l"])
        #expect(typed.nested == [2..<3, 3..<4])
    }
}
