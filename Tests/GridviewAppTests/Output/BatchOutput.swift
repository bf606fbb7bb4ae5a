import DataGridQuery
import Foundation
import GridTestSupport

@testable import GridviewApp

/// The output of a batch run.
@MainActor
enum BatchOutput {
    static let trades = #"""
        id,sector,side,price,note
        1,Tech,BUY,10.5,"a, b"
        2,Energy,SELL,7.25,"two
        lines"
        3,Tech,SELL,1234.5,"say ""hi"""
        4,Energy,BUY,,
        5,Health,BUY,99
        """#

    static func text(_ content: String, _ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
        String(decoding: try bytes(Array(content.utf8), format, change), as: UTF8.self)
    }

    static func columns(_ names: String...) -> [ColumnReference] { names.map { ColumnReference($0) } }

    static func bytes(
        _ content: [UInt8], _ format: OutputFormat, statistics: Bool = false, marksControls: Bool = false,
        neutralizesFormulas: Bool = false,
        _ change: (inout LaunchOptions) -> Void
    ) throws -> [UInt8] {
        try bytes(
            content, FileFormat.text(format), statistics: statistics, marksControls: marksControls,
            neutralizesFormulas: neutralizesFormulas, change)
    }

    static func bytes(
        _ content: [UInt8], _ format: FileFormat, statistics: Bool = false, marksControls: Bool = false,
        neutralizesFormulas: Bool = false, name: String = "in.csv", _ change: (inout LaunchOptions) -> Void = { _ in }
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        change(&options)
        let path = try folder.file(name, bytes: content)
        let run = try BatchRun(
            Document(options.files.open(path: path), options: options), options: options, format: format, marksControls: marksControls,
            neutralizesFormulas: neutralizesFormulas)
        return try result(of: run, statistics: statistics).bytes
    }

    /// The output and the notes of a batch run.
    static func result(of run: BatchRun, statistics: Bool = false) throws -> (bytes: [UInt8], notes: OutputNotes) {
        let folder = try TemporaryFolder()
        let target = try folder.file("out", bytes: [])
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
        let notes = statistics ? try run.writeStatistics(to: handle.fileDescriptor) : try run.write(to: handle.fileDescriptor)
        try handle.close()
        return (Array(try Data(contentsOf: URL(fileURLWithPath: target))), notes)
    }
}
