import DelimitedText
import Tables

/// A table whose records are read from lines of text, or from a copy of the input that was converted to text. The table reports the
/// progress and the file state of this text as its own.
protocol TextBackedSource: TableSource {
    /// The text from which the records are read.
    var text: DelimitedFile { get }
}

extension TextBackedSource {
    var name: String { text.name }
    var path: String? { text.path }
    var byteCount: Int { text.byteCount }
    var fileByteCount: Int? { text.fileByteCount }
    var indexedByteCount: Int { text.indexedByteCount }
    var isGrowing: Bool { text.isGrowing }
    func wakeReader() { text.wakeReader() }
    func beginUrgentRead() { text.beginUrgentRead() }
    func endUrgentRead() { text.endUrgentRead() }
    func checkForChange() -> FileChange { text.checkForChange() }
    func isUnchanged() -> Bool { text.isUnchanged() }
    var mayContainInvalidText: Bool { text.mayContainInvalidText }
}

/// A table whose rows were written to a temporary file as comma-separated text, which is then read.
protocol ConvertedSource: TextBackedSource where Snapshot == RecordSnapshot {}

extension ConvertedSource {
    var columnCount: Int { text.columnCount }
    var hasColumnNames: Bool { text.hasColumnNames }
    func title(ofColumn column: Int) -> String { text.title(ofColumn: column) }
    func snapshot() -> RecordSnapshot { text.snapshot() }
    func tail(atLeast count: Int) throws -> TailRecords { try text.tail(atLeast: count) }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try text.readAll(threads: threads, priority: priority, progress: progress)
    }
    var omission: String? { text.omission }
}
