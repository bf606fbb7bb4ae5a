import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import TableFormats
import Tables
import Testing

/// The column names of a table.
func titles(_ source: any TableSource) -> [String] { (0..<source.columnCount).map { source.title(ofColumn: $0) } }

/// All rows of a table; `nil` for missing fields.
func rows(_ source: any TableSource) throws -> [[String?]] {
    let table = source.snapshot()
    return try table.strings(of: 0..<table.recordCount, columns: Array(0..<table.columnCount))
}

/// All rows of a table, with empty strings for missing fields.
func rowTexts(_ source: any TableSource) throws -> [[String]] { try rows(source).map { $0.map { $0 ?? "" } } }

/// Appends a text to the file of a source that was read to its end, and reads it.
func readAppended(_ text: String, to path: String, _ source: any TableSource) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
    let accept = try #require(source.growthUpdate(from: try FileOpener().open(path: path)))
    accept()
    try source.readAll(threads: 1) { _ in true }
}

/// The lines of a text that ends with a line break.
func lines(of text: String) -> [String] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

extension Mutex where Value: Sendable {
    /// A copy of the value.
    var value: Value { withLock { $0 } }
}

extension TemporaryFolder {
    /// Writes a text to a file, opens the file in the detected format, and reads it to its end.
    /// - Parameter header: true if the first record is the header, false if it is not; `nil` to detect it.
    func readTable(_ text: String, _ name: String = "t.log", header: Bool? = nil) throws -> any TableSource {
        let source = try FileOpener(dialect: DialectRequest(hasHeader: header)).open(path: file(name, text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    /// Writes the output of a command to a file, opens the file in the detected format or in the given one, and reads it to its end.
    func readOutput(_ text: String, _ name: String = "output", as format: String? = nil) throws -> any TableSource {
        let source = try FileOpener(format: format).open(path: file(name, text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }
}
