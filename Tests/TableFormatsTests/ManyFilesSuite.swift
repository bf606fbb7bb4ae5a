import Foundation
import GridTestSupport
import Tables

@testable import TableFormats

/// A suite of tests about folders and patterns of files as one table. Each test has its own folder.
protocol ManyFilesSuite {
    var folder: TemporaryFolder { get }
}

extension ManyFilesSuite {
    /// Writes a file in a folder below the temporary one.
    @discardableResult
    func write(_ path: String, _ text: String) throws -> String {
        let place = folder.path(of: path)
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        return try folder.file(path, text)
    }

    func open(_ pattern: String, _ opener: FileOpener = FileOpener(), limit: Int? = nil) throws -> any TableSource {
        let path = pattern.isEmpty ? folder.path : folder.path(of: pattern)
        guard let limit else { return try opener.open(path: path) }
        let selection = FileSelection.pattern(path)
        return try ConcatSource(selection, selection.find(), by: opener, openLimit: limit)
    }

    func readAll(_ source: any TableSource) throws { try source.readAll(threads: 2) { _ in true } }

    /// Random files and the table that they should form.
    func randomFiles(_ count: Int, seed: UInt64, rowCount: Int) throws -> (titles: [String], rows: [[String?]]) {
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
}
