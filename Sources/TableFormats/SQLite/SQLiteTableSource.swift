import DelimitedText
import FieldValues
import Tables

/// A table, view or virtual table of a database.
protocol SQLiteTableSource: TableSource {
    var database: SQLiteDatabase { get }
    var definition: SQLiteTableDefinition { get }
    var columns: [SQLiteColumn] { get }
}

extension SQLiteTableSource {
    var name: String { definition.name }
    var path: String? { database.file.path }
    var byteCount: Int { database.file.count }
    var isGrowing: Bool { false }
    var columnCount: Int { columns.count }
    var hasColumnNames: Bool { true }
    var hasNulls: Bool { true }
    func title(ofColumn column: Int) -> String { columns.indices.contains(column) ? columns[column].name : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let numbers = Array(first..<max(first, columnCount))
        let profiles = snapshot().profiles(of: numbers, notation: .point) { title(ofColumn: $0) }
        return zip(numbers, profiles).map { columns[$0].declared($1) }
    }

    func checkForChange() -> FileChange { database.checkForChange() }
    func isUnchanged() -> Bool { database.checkForChange() == .unchanged }

    var details: [(name: String, value: String)] { database.header.details + SQLiteFormat.details(definition) }
    var problems: [String] { database.problems }
    var mayContainInvalidText: Bool { true }
}
