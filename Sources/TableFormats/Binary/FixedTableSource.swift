import DelimitedText
import Tables

/// A file with typed columns that is complete as soon as it is open: no rows or columns are added later.
final class FixedTableSource<Snapshot: Table>: CompleteSource {
    let name: String
    private let file: BinaryFile
    let table: Snapshot
    let fields: [DeclaredField]
    let details: [(name: String, value: String)]
    let columnDetails: [(name: String, value: String)]
    /// An error after which no more rows can be read; `nil` if the file is complete.
    private let earlyEnd: FormatError?

    /// Creates a source.
    /// - Parameters:
    ///   - file: the file.
    ///   - name: the name of the table; `nil` for the name of the file.
    ///   - table: the records.
    ///   - fields: the columns of the table.
    ///   - details: names and values for the file details.
    ///   - columnDetails: names and types of the columns in the file, and their statistics.
    ///   - earlyEnd: an error after which no more rows can be read; `nil` if the file is complete.
    init(
        _ file: BinaryFile, name: String? = nil, table: Snapshot, fields: [DeclaredField], details: [(name: String, value: String)],
        columnDetails: [(name: String, value: String)] = [], earlyEnd: FormatError? = nil
    ) {
        self.name = name ?? file.name
        (self.file, self.table, self.fields, self.details) = (file, table, fields, details)
        (self.columnDetails, self.earlyEnd) = (columnDetails, earlyEnd)
    }

    var path: String? { file.path }
    var byteCount: Int { file.count }
    var hasNulls: Bool { true }

    /// Throws the error that ended the rows early, if there is one. Nothing is read, because all rows are known.
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        if let earlyEnd { throw earlyEnd }
    }

    func checkForChange() -> FileChange { file.checkForChange() }
}
