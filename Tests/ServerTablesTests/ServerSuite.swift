import DataGridQuery
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import ServerTables

/// A suite of tests that open tables on servers. Each test has its own folder and servers, so tests can run at the same time.
protocol ServerSuite {
    var folder: TemporaryFolder { get }
}

extension ServerSuite {
    var engine: ServerQueryEngine { ServerQueryEngine(local: LocalQueryEngine(threads: 2)) }

    func opener() -> ServerOpener<NoFiles> { ServerOpener(files: NoFiles(), helperPath: helperPath) }

    func source(_ path: String) throws -> ServerTableSource { try #require(try opener().open(path: path) as? ServerTableSource) }

    /// Writes a database of SQLite, and returns its URL.
    func sqlite(_ data: ServerData) throws -> String {
        let path = folder.path(of: "shop.db")
        try data.write(toSQLite: path)
        return "sqlite:\(path)"
    }

    func texts(_ records: [Record], _ columns: Int = 5) -> [[String?]] {
        records.map { record in (0..<columns).map { record[$0]?.text } }
    }
}

/// An opener without files.
struct NoFiles: TableOpener {
    func open(path: String) throws -> any TableSource { throw ServerError("no file \(path)") }
    func makeScratchFile() throws -> any ScratchFile { throw ServerError("no scratch file") }
}
