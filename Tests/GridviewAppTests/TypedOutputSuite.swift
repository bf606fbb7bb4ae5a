import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables

@testable import DataGridQuery
@testable import GridviewApp

/// A suite of tests that write typed files, in batch output and exports.
@MainActor protocol TypedOutputSuite {}

extension TypedOutputSuite {
    static var arrow: FileFormat { .typed(ArrowOutputFormat()) }

    /// Reads a written file: its titles, kinds and rows.
    func read(_ bytes: [UInt8], name: String = "x.arrow") throws -> (titles: [String], kinds: [ValueKind], rows: [[String?]]) {
        let folder = try TemporaryFolder()
        let source = try FileOpener().open(path: folder.file(name, bytes: bytes))
        try source.readAll(threads: 1) { _ in true }
        let table: any Table = source.snapshot()
        let rows = try table.strings(of: 0..<table.recordCount, columns: Array(0..<table.columnCount))
        let titles = (0..<table.columnCount).map { source.title(ofColumn: $0) }
        return (titles, source.profiles(budgetMilliseconds: 100).map(\.kind), rows)
    }

    func write(_ content: String, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> [UInt8] {
        try BatchOutput.bytes(Array(content.utf8), Self.arrow, change)
    }

    func pilot(_ content: String, keys: String = "") throws -> Pilot {
        let pilot = try Pilot(content, size: (100, 24), name: "in.csv")
        pilot.press(keys)
        return pilot
    }

    func export(_ pilot: Pilot, to name: String, keys: String = "Enter") {
        pilot.press("zs C-u")
        pilot.type(name)
        pilot.press(keys)
    }

    func bytes(_ pilot: Pilot, _ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: pilot.folder.path(of: name)).map(Array.init) ?? []
    }
}

/// A format that writes the number of rows only.
struct CountingFormat: WritableFormat {
    struct TooManyRows: TableError { let message = "Too many rows. Choose another format." }

    var keepsInvalidText = true
    var maximumRows = Int.max
    var name: String { "count" }
    var suffixes: [String] { ["count"] }

    func makeWriter(
        _ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput
    ) throws -> any TableWriter {
        guard rowCount <= maximumRows else { throw TooManyRows() }
        return Writer(output: output)
    }

    struct Writer: TableWriter {
        let output: FileOutput
        var count = 0
        mutating func write(_ batch: ColumnBatch) { count += batch.count }
        mutating func finish() throws { try Array("\(count)\n".utf8).withUnsafeBytes { try output($0) } }
    }
}
