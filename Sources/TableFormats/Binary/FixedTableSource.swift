import DelimitedText
import FieldValues
import Tables

/// A file whose table is known completely when it is open.
final class FixedTableSource<Snapshot: Table>: TableSource {
    let name: String
    private let file: BinaryFile
    private let table: Snapshot
    private let fields: [DeclaredField]
    let facts: [(name: String, value: String)]
    let problems: [String]

    /// - Parameters:
    ///   - file: the file.
    ///   - name: the name of the table; `nil` for that of the file.
    ///   - table: the records.
    ///   - fields: the columns of the table.
    ///   - facts: names and values for the file information page.
    ///   - problems: problems of the file, one phrase each.
    init(
        _ file: BinaryFile, name: String? = nil, table: Snapshot, fields: [DeclaredField], facts: [(name: String, value: String)],
        problems: [String] = []
    ) {
        self.name = name ?? file.name
        (self.file, self.table, self.fields, self.facts, self.problems) = (file, table, fields, facts, problems)
    }

    var path: String? { file.path }
    var byteCount: Int { file.count }
    var indexedByteCount: Int { file.count }
    var isGrowing: Bool { false }
    var columnCount: Int { table.columnCount }
    var hasTitles: Bool { true }
    func title(ofColumn column: Int) -> String { fields.indices.contains(column) ? fields[column].name : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom known: Int) -> [ColumnProfile] {
        let columns = Array(known..<max(known, columnCount))
        return zip(columns, table.profiles(of: columns, notation: .point)).map { column, profile in
            var profile = profile
            if fields.indices.contains(column), let kind = fields[column].kind { profile.kind = kind }
            return profile
        }
    }
    func snapshot() -> Snapshot { table }
    func tail(atLeast count: Int) throws -> TailRecords {
        let first = max(0, table.recordCount - count)
        let records = try table.records(first..<table.recordCount, maximumFieldBytes: .max)
        return TailRecords(records: records, firstByteOffset: 0, isSettled: true)
    }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {}
    func checkForChange() -> FileChange { file.checkForChange() }
    func isUnchanged() -> Bool { file.checkForChange() == .unchanged }
}

/// A column whose name, and perhaps kind, is declared in the file.
struct DeclaredField: Sendable {
    var name: String
    /// The kind of the values; `nil` to infer it from a sample.
    var kind: ValueKind?
}
