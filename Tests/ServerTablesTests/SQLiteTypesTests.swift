import DataGridQuery
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import ServerTables

/// Columns of SQLite, whose declared types limit their values only loosely.
@Suite("Types of SQLite")
struct SQLiteTypesTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func table(_ script: String) throws -> ServerTableSource {
        let path = folder.path(of: "types.db")
        let run = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()"
        try programOutput("/usr/bin/env", ["python3", "-c", run, path, script])
        return try source("sqlite:\(path)?table=t")
    }

    @Test("19.2: the columns of a table of SQLite have the kinds of their values, limited by their declared types")
    func kinds() throws {
        let source = try table(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, note VARCHAR(9), mix, day DATE, price NUMERIC(9, 2), size REAL, none DATETIME);
            INSERT INTO t VALUES (1, '10', '2024-01-05', 5, '2024-01-05', 3, 1, NULL), (2, '', '2023-12-31', '7', '2023-12-31', 4, 2, NULL);
            """)
        let kinds: [ValueKind] = [.integer, .text, .date, .integer, .date, .decimal, .decimal, .dateTime]
        #expect(source.profiles(budgetMilliseconds: 4).map(\.kind) == kinds)
        let table = source.snapshot()
        let storage: [NumberStorage?] = [.eachValue, nil, nil, .eachValue, .eachValue, .eachValue, .double, .eachValue]
        #expect((0..<8).map(table.numberStorage) == storage)
    }
}
