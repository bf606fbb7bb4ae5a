import GridTestSupport
import Tables

@testable import TableFormats

/// A suite of tests that read JSON. Each test has its own folder.
protocol JSONSuite {
    var folder: TemporaryFolder { get }
}

extension JSONSuite {
    /// Writes a text to a file, opens the file, and reads it to its end.
    /// - Parameters:
    ///   - format: the name of the format; `nil` to detect it.
    ///   - path: the path of the records in a document; `nil` to find them.
    func open(_ text: String, _ name: String = "t.json", as format: String? = nil, path: String? = nil) throws -> any TableSource {
        let source = try FileOpener(format: format, jsonPath: path).open(path: folder.file(name, text))
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    /// The format of a table, as the file details show it.
    func format(_ source: any TableSource) -> String { source.details.first { $0.name == "format" }?.value ?? "delimited" }
}
