import DelimitedText
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// A suite of tests that read SQLite databases, with the module `sqlite3` of Python as the reference. Each test has its own folder.
protocol SQLiteSuite {
    var folder: TemporaryFolder { get }
}

/// The expected content of a table.
struct SQLiteContent: Decodable {
    var columns: [String]
    var rows: [[String?]]
}

/// Writes `SELECTS`, a dictionary of queries by table, as strings.
private let dumpScript = """

    import json
    def show(v):
        if v is None: return None
        if isinstance(v, bytes): return "0x" + v.hex()
        return repr(v) if isinstance(v, float) else str(v)
    result = {}
    for name, sql in SELECTS.items():
        cursor = c.execute(sql)
        columns = [d[0] for d in cursor.description]
        result[name] = {"columns": columns, "rows": [[show(v) for v in row] for row in cursor]}
    json.dump(result, open(sys.argv[1] + ".json", "w"))
    """
/// Connects to the database.
private let startScript = """
    import sqlite3, sys, random
    c = sqlite3.connect(sys.argv[1])

    """

extension SQLiteSuite {
    /// Runs a script that fills the database `c` and sets `SELECTS`.
    func database(_ name: String, _ script: String, _ arguments: String = "") throws -> (String, [String: SQLiteContent]) {
        let path = folder.path(of: name)
        try Python.run(startScript + script + "\nc.commit()\n" + dumpScript, path, arguments)
        let json = try Data(contentsOf: URL(fileURLWithPath: path + ".json"))
        return (path, try JSONDecoder().decode([String: SQLiteContent].self, from: json))
    }

    /// Checks that a table satisfies the table contract and has the expected content.
    func check(_ path: String, _ table: String, _ expected: SQLiteContent, seed: UInt64 = 1, steps: Int = 25) throws {
        let source = try FileOpener().open(path: "\(path):\(table)")
        #expect(titles(source) == expected.columns, "\(table)")
        try source.readAll(threads: 2) { _ in true }
        #expect(source.snapshot().isComplete && source.indexedByteCount == source.byteCount)
        var conformance = TableConformance(source: source, rows: expected.rows, random: SplitMix64(seed: seed))
        try conformance.check(source.snapshot(), steps: steps)
        #expect(try rows(source) == expected.rows, "\(table)")
        #expect(source.checkForChange() == .unchanged && source.problems.isEmpty)
    }

    /// The first table of a database, with small limits.
    func source(_ path: String, keyLimit: Int = 64 << 20, limits: SQLiteSource.CountLimits = .init(bytes: 0...(.max), time: 60_000))
        throws -> SQLiteSource
    {
        let file = try #require(BinaryFile(path: path))
        let database = try SQLiteDatabase(file, path: path, #require(SQLiteLibrary.system))
        let info = try database.tables()[0]
        let columns = try database.use { try database.columns(of: info, $0) }
        let order = try #require(try database.use { try SQLiteOrder(info, columns, $0) })
        return try SQLiteSource(database, info, columns, order, keyLimit: keyLimit, countLimits: limits)
    }

    /// The sorted names of the files of a folder.
    func names(in folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
}
