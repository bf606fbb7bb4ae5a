import EngineProtocol
import SQLTables
import Tables

/// Row counts and sizes for the list of tables, for engines whose catalog does not contain them. Only the sizes of SQLite tables require
/// whole tables to be read, in databases of at most ``pageScanLimit``. After ``timeLimit``, the remaining counts and sizes stay unknown.
struct CatalogStatistics {
    private let database: ServerDatabase
    private let dialect: SQLDialect
    private let isCancelled: () -> Bool
    private let deadline = ContinuousClock.now + timeLimit

    /// The time after which no more numbers are requested.
    private static let timeLimit = Duration.milliseconds(250)
    /// The maximum size of an SQLite database whose pages are all read to add up the sizes of its tables. 64 MiB take about 0.1 s.
    private static let pageScanLimit: Int64 = 64 << 20
    /// The maximum number of DuckDB segments, parts of columns, that are listed to compute sizes. A thousand segments take about 0.14 s.
    private static let segmentLimit = 2_000.0
    /// The number of rows that DuckDB stores as one segment for each column, and as another one for its NULLs.
    private static let segmentRows = 122_880.0

    init(_ database: ServerDatabase, _ dialect: SQLDialect, isCancelled: @escaping () -> Bool) {
        (self.database, self.dialect, self.isCancelled) = (database, dialect, isCancelled)
    }

    private var hasTimeLeft: Bool { ContinuousClock.now < deadline }

    /// The rows of an optional statement; empty if the engine refuses it.
    private func rows(_ statement: SQLStatement) throws -> [[SQLValue]] {
        do {
            return try database.rows(statement, timeLimit: 1_000, isCancelled: isCancelled)
        } catch is ServerError {
            return []
        }
    }

    // MARK: SQLite

    /// Sets the estimated numbers of rows and the sizes of tables of SQLite.
    /// - Parameter rowIDs: the name of the row numbers of each table that has them.
    func addSQLite(to entries: inout [CatalogEntry], rowIDs: [String: String]) throws {
        let hasStatistics = try !rows(SQLStatement(text: "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'")).isEmpty
        let statistics =
            hasStatistics ? try rows(SQLStatement(text: "SELECT tbl, max(CAST(stat AS INTEGER)) FROM sqlite_stat1 GROUP BY tbl")) : []
        let analyzed = Dictionary(statistics.compactMap { row in row[1].number.map { (row.text(0), $0) } }) { first, _ in first }
        let fileSize = try rows(Self.fileSize).first?.first?.number
        let tables = entries.indices.filter { entries[$0].kind == "table" }
        for index in tables {
            let name = entries[index].path[0]
            var count = analyzed[name]
            if hasTimeLeft, let rowID = rowIDs[name] {
                count = try sqliteRowCount(of: name, rowID: rowID, fileSize: fileSize, analyzedRowCount: count)
            }
            entries[index].estimatedRowCount = count.map { String($0) }
        }
        guard hasTimeLeft, let fileSize, fileSize <= Self.pageScanLimit else { return }
        let sizes = try sqliteSizes()
        for index in tables { entries[index].byteCount = sizes[entries[index].path[0]].map { String($0) } }
    }

    /// The size of a database of SQLite in bytes.
    static let fileSize = SQLStatement(text: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")

    /// The number of rows of a table, estimated from its lowest and its highest row numbers or from statistics; exact for up to 100 rows.
    private func sqliteRowCount(of table: String, rowID: String, fileSize: Int64?, analyzedRowCount: Int64?) throws -> Int64? {
        let ends = try rows(dialect.firstAndLastRowNumbers(ofTable: table, rowID: rowID, count: 101)).map { $0.map(\.number) }
        guard ends.count == 2, let count = ends[0].first ?? nil else { return analyzedRowCount }
        if count <= 100 { return count }
        let runs = ends.compactMap { end -> KeyRun? in
            guard end.count == 3, let count = end[0], let low = end[1], let high = end[2] else { return nil }
            return KeyRun(count: Int(count), low: Double(low), high: Double(high))
        }
        guard runs.count == 2 else { return analyzedRowCount }
        let estimate = KeyRun.estimatedRowCount(
            first: runs[0], last: runs[1], byteCount: fileSize.map { Double($0) }, analyzedRowCount: analyzedRowCount.map { Double($0) })
        return estimate.flatMap { Int64(exactly: $0.rounded()) }
    }

    /// The sizes of all tables and indexes of a database of SQLite. The statement has no condition for a table, because SQLite would then
    /// read all pages once for each table.
    static let pageSizes = SQLStatement(text: "SELECT name, pgsize FROM dbstat WHERE aggregate = 1")

    /// The sizes of the tables with their indexes. Empty if the library of SQLite does not have the table `dbstat`.
    private func sqliteSizes() throws -> [String: Int64] {
        let found = try rows(Self.pageSizes)
        guard !found.isEmpty else { return [:] }
        let names = try rows(SQLStatement(text: "SELECT name, tbl_name FROM sqlite_schema"))
        let tables = Dictionary(names.map { ($0.text(0), $0.text(1)) }) { first, _ in first }
        var sizes: [String: Int64] = [:]
        for row in found {
            if let table = tables[row.text(0)], let size = row[1].number { sizes[table, default: 0] += size }
        }
        return sizes
    }

    // MARK: DuckDB

    /// Sets the sizes of tables of DuckDB, small tables first.
    /// - Parameter columnCounts: the number of columns of each table; `nil` for a view.
    func addDuckDBSizes(to entries: inout [CatalogEntry], columnCounts: [Double?]) throws {
        let segments = zip(entries, columnCounts).map { entry, columns -> Double? in
            guard let columns, let rows = entry.estimatedRowCount.flatMap({ Double($0) }) else { return nil }
            return (rows / Self.segmentRows).rounded(.up) * columns * 2
        }
        var total = 0.0
        let sizable = segments.indices.filter { segments[$0] != nil }
        for index in sizable.sorted(by: { (segments[$0] ?? 0, $0) < (segments[$1] ?? 0, $1) }) {
            total += segments[index] ?? 0
            guard total <= Self.segmentLimit, hasTimeLeft else { return }
            entries[index].byteCount = try rows(dialect.byteCount(ofTable: entries[index].path)).first?.optional(0)
        }
    }
}
