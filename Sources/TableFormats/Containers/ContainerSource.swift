import DelimitedText
import FieldValues
import Tables

/// A table in a file that contains several tables, such as a sheet of a workbook.
struct ContainerEntry: Sendable, Equatable {
    /// The name of the table. Names are unique in a file.
    var name: String
    /// The kind of table in words, such as `table`, `view` or `sheet`.
    var kind: String
    /// The number of rows; `nil` if counting takes long.
    var rows: Int?
    /// The number of columns, if known.
    var columns: Int?
    /// A remark for the user, such as `hidden`; empty for no remark.
    var note = ""
}

/// A list of the tables in a file, as a table with one row for each of them.
final class ContainerSource: CompleteSource {
    let name: String
    private let file: BinaryFile
    private let entries: [ContainerEntry]
    typealias Snapshot = MemoryTable
    let table: MemoryTable
    let details: [(name: String, value: String)]
    let problems: [String]

    /// The kinds are declared, because a sample can mislead: all names may look like numbers or dates, and all row counts may be unknown.
    let fields = [
        DeclaredField(name: "name", kind: .text), DeclaredField(name: "kind", kind: .text), DeclaredField(name: "rows", kind: .integer),
        DeclaredField(name: "columns", kind: .integer), DeclaredField(name: "note", kind: .text),
    ]

    /// Creates a list of tables.
    /// - Parameters:
    ///   - file: the file.
    ///   - entries: the tables in the file.
    ///   - details: names and values for the file details.
    ///   - problems: problems of the file, one phrase each.
    init(_ file: BinaryFile, _ entries: [ContainerEntry], details: [(name: String, value: String)], problems: [String] = []) {
        (name, self.file, self.entries, self.details, self.problems) = (file.name, file, entries, details, problems)
        var table = MemoryTable(
            entries.map { entry in
                [entry.name, entry.kind, entry.rows.map { "\($0)" }, entry.columns.map { "\($0)" }, entry.note.isEmpty ? nil : entry.note]
            })
        table.columnCount = fields.count
        self.table = table
    }

    var path: String? { file.path }
    var byteCount: Int { file.count }
    func checkForChange() -> FileChange { file.checkForChange() }

    func path(ofTableInRecord record: Int) -> String? {
        guard entries.indices.contains(record) else { return nil }
        return path.map { TablePath(file: $0, table: entries[record].name).text }
    }
}
