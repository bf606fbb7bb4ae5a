import DelimitedText
import Tables

/// A columnar file whose rows and columns are final as soon as it is open.
final class FixedTableSource<Snapshot: Table>: CompleteSource {
    let name: String
    private let file: BinaryFile
    let table: Snapshot
    let fields: [DeclaredField]
    let facts: [(name: String, value: String)]
    let columnFacts: [(name: String, value: String)]
    let problems: [String]

    /// - Parameters:
    ///   - file: the file.
    ///   - name: the name of the table; `nil` for the name of the file.
    ///   - table: the records.
    ///   - fields: the columns of the table.
    ///   - facts: names and values for the file information page.
    ///   - columnFacts: names and types of the columns in the file, and their statistics.
    ///   - problems: problems of the file, one phrase each.
    init(
        _ file: BinaryFile, name: String? = nil, table: Snapshot, fields: [DeclaredField], facts: [(name: String, value: String)],
        columnFacts: [(name: String, value: String)] = [], problems: [String] = []
    ) {
        self.name = name ?? file.name
        (self.file, self.table, self.fields, self.facts) = (file, table, fields, facts)
        (self.columnFacts, self.problems) = (columnFacts, problems)
    }

    var path: String? { file.path }
    var byteCount: Int { file.count }
    var hasNulls: Bool { true }
    func checkForChange() -> FileChange { file.checkForChange() }
}
