import DelimitedText
import FieldValues
import Tables

/// A table of a file with several tables, such as a sheet of a workbook.
struct CatalogEntry: Sendable, Equatable {
    /// The name, unique in its file.
    var name: String
    /// The kind in words, such as `table`, `view` or `sheet`.
    var kind: String
    /// The number of rows; `nil` if counting takes long.
    var rows: Int?
    /// The number of columns, if known.
    var columns: Int?
    /// A remark for the user, such as `hidden`.
    var note = ""
}

/// The contents of a file with several tables: a row for each table.
final class CatalogSource: TableSource {
    let name: String
    private let file: BinaryFile
    private let entries: [CatalogEntry]
    private let table: MemoryTable
    let facts: [(name: String, value: String)]
    let problems: [String]

    private static let titles = ["name", "kind", "rows", "columns", "note"]

    /// - Parameters:
    ///   - file: the file.
    ///   - entries: its tables.
    ///   - facts: names and values for the file information page.
    ///   - problems: problems of the file, one phrase each.
    init(_ file: BinaryFile, _ entries: [CatalogEntry], facts: [(name: String, value: String)], problems: [String] = []) {
        (name, self.file, self.entries, self.facts, self.problems) = (file.name, file, entries, facts, problems)
        var table = MemoryTable(
            entries.map { entry in
                [entry.name, entry.kind, entry.rows.map { "\($0)" }, entry.columns.map { "\($0)" }, entry.note.isEmpty ? nil : entry.note]
            })
        table.columnCount = Self.titles.count
        self.table = table
    }

    var path: String? { file.path }
    var byteCount: Int { file.count }
    var indexedByteCount: Int { file.count }
    var isGrowing: Bool { false }
    var columnCount: Int { Self.titles.count }
    var hasTitles: Bool { true }
    func title(ofColumn column: Int) -> String { Self.titles.indices.contains(column) ? Self.titles[column] : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }

    /// Names are texts, even if all of them are numbers or dates. Unknown numbers of rows do not change the kind.
    func profiles(ofColumnsFrom known: Int) -> [ColumnProfile] {
        let kinds: [ValueKind] = [.text, .text, .integer, .integer, .text]
        let columns = Array(known..<max(known, columnCount))
        return zip(columns, table.profiles(of: columns, notation: .point)).map { column, profile in
            var profile = profile
            profile.kind = kinds[column]
            return profile
        }
    }

    func snapshot() -> MemoryTable { table }
    func tail(atLeast count: Int) throws -> TailRecords {
        let first = max(0, table.recordCount - max(0, count))
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: .max), firstByteOffset: 0, isSettled: true)
    }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {}
    func checkForChange() -> FileChange { file.checkForChange() }
    func isUnchanged() -> Bool { file.checkForChange() == .unchanged }

    func path(ofTableInRecord record: Int) -> String? {
        guard entries.indices.contains(record) else { return nil }
        return path.map { TablePath(file: $0, table: entries[record].name).text }
    }
}
