import EngineClient
import FieldValues
import Tables

/// The list of the tables of a database, as a table. Enter opens the table in the current row.
final class CatalogSource: TableSource {
    let name: String
    let location: String?
    private let table: MemoryTable
    private let paths: [String]

    private static let titles = ["schema", "table", "kind", "estimated rows", "size in bytes", "comment"]

    /// - Parameter id: the identity of the database. The paths of the tables contain it.
    init(_ entries: [CatalogEntry], of target: ConnectionTarget, in id: DatabaseID) {
        (name, location) = (ServerPath.name(of: id.url), id.url)
        var table = MemoryTable(
            entries.map { entry in
                [
                    entry.path.count > 1 ? entry.path[0] : nil, entry.path.last, entry.kind, entry.estimatedRowCount, entry.byteCount,
                    entry.comment,
                ]
            })
        table.columnCount = Self.titles.count
        self.table = table
        paths = entries.map { entry in
            var target = target
            target.table = entry.path
            return id.path(of: target)
        }
    }

    var path: String? { nil }
    var byteCount: Int { max(1, table.recordCount * 64) }
    var indexedByteCount: Int { byteCount }
    var isGrowing: Bool { false }
    var columnCount: Int { Self.titles.count }
    var hasColumnNames: Bool { true }
    func title(ofColumn column: Int) -> String { Self.titles.indices.contains(column) ? Self.titles[column] : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] { table.profiles(of: Array(first..<max(first, columnCount))) }
    func snapshot() -> MemoryTable { table }

    func tail(atLeast count: Int) throws -> TailRecords {
        let first = max(0, table.recordCount - count)
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: .max), firstByteOffset: 0, isSettled: true)
    }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) {}
    func path(ofTableInRecord record: Int) -> String? { paths.indices.contains(record) ? paths[record] : nil }
}
