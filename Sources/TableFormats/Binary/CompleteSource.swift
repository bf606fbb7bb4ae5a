import FieldValues
import Tables

/// A source that is complete as soon as it is open: no rows or columns are added later, and the columns are declared.
protocol CompleteSource: TableSource {
    /// The table with all of its records.
    var table: Snapshot { get }
    /// The columns of the table.
    var fields: [DeclaredField] { get }
}

extension CompleteSource {
    var indexedByteCount: Int { byteCount }
    var isGrowing: Bool { false }
    var columnCount: Int { table.columnCount }
    var hasColumnNames: Bool { true }
    func title(ofColumn column: Int) -> String { fields.indices.contains(column) ? fields[column].name : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }

    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let columns = Array(first..<max(first, columnCount))
        let profiles = table.profiles(of: columns, notation: .point) { title(ofColumn: $0) }
        return zip(columns, profiles).map { column, profile in
            var profile = profile
            if fields.indices.contains(column), let kind = fields[column].kind { profile.kind = kind }
            return profile
        }
    }

    func snapshot() -> Snapshot { table }

    func tail(atLeast count: Int) throws -> TailRecords {
        let first = max(0, table.recordCount - max(0, count))
        let records = try table.records(first..<table.recordCount, maximumFieldBytes: .max)
        return TailRecords(records: records, firstByteOffset: 0, isSettled: true)
    }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {}
    func isUnchanged() -> Bool { checkForChange() == .unchanged }
}

/// A column as the file declares it, with a name and, in some formats, a kind.
struct DeclaredField: Sendable {
    var name: String
    /// The kind of the values; `nil` to infer it from a sample.
    var kind: ValueKind?
}
